"""import-linter's contract of layers, with one layer for whatever studies the registry lists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from importlinter.contracts.layers import LayersContract

STUDIES = "every study"
REGISTRY = Path("medlens/studies/registry.py")


class LayersOfStudies(LayersContract):
    """Layers from the top down, where the layer ``every study`` holds the registry's.

    They are independent of each other, and a new one is named in the registry alone. A folder that
    the registry does not list belongs to no layer, which breaks a contract that is exhaustive.
    """

    def __init__(
        self, name: str, session_options: dict[str, Any], contract_options: dict[str, Any]
    ) -> None:
        listed = re.findall(
            r"^from medlens\.studies\.(\w+)(?:\.\w+)? import STUDY\b",
            REGISTRY.read_text(),
            re.MULTILINE,
        )
        layers = [
            " | ".join(listed) if layer == STUDIES else layer
            for layer in contract_options["layers"]
        ]
        super().__init__(name, session_options, contract_options | {"layers": layers})
