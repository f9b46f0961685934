"""numpy, pandas, Arrow and other libraries, imported when one of their names is first used.

Together they take half of the time of a short command, and ``check`` and ``backup`` make no frame,
open no image and look up no quote. Modules that these commands load have them from here.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["Image", "fuzz", "np", "pa", "pc", "pd", "pq", "scipy"]


class _DeferredModule(ModuleType):
    """Stands for a module. A name that was used once costs afterwards what it costs there."""

    def __getattr__(self, name: str) -> Any:
        # Which modules these are stands below, where the rules of imports see it.
        module = importlib.import_module(self.__name__)  # noqa: TID251
        found = getattr(module, name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    import scipy
    from PIL import Image
    from rapidfuzz import fuzz
else:
    np, scipy = _DeferredModule("numpy"), _DeferredModule("scipy")
    pa, pc = _DeferredModule("pyarrow"), _DeferredModule("pyarrow.compute")
    pd, pq = _DeferredModule("pandas"), _DeferredModule("pyarrow.parquet")
    Image, fuzz = _DeferredModule("PIL.Image"), _DeferredModule("rapidfuzz.fuzz")
