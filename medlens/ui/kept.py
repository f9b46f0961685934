"""What a page has worked out, kept until its data change and shared by all who may see it.

A study's ``Source`` is a ``Keeping``: it says what its figures rest on (``kept_under``), and
``keep`` looks them up. Whether somebody may see them is checked when the source is made, before
anything that is shared is looked up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from medlens.ui.charts import Theme

T = TypeVar("T")
Key = tuple[str | int, ...]
_MOST = 500


@st.cache_resource(show_spinner=False, max_entries=_MOST)
def _quietly(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


@st.cache_resource(show_spinner="Calculating the figures…", max_entries=_MOST)
def _told(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


class Keeping(ABC):
    """Keeps what is worked out from one part of the data.

    ``patient`` ones show that they work where it takes long.
    """

    theme: Theme
    patient = True

    @abstractmethod
    def kept_under(self) -> Key:
        """What the figures rest on: study, store, what is looked at of it, version of the data."""

    def keep(self, name: str, make: Callable[[], T], *, drawn: bool = False) -> T:
        """``make()``, worked out once per data version; ``drawn`` things also once per theme.

        What is kept is shared by all viewers: it must not depend on who asks, and nobody may
        change it.
        """
        return self.keep_under(self.kept_under(), name, make, drawn=drawn)

    def keep_under(self, key: Key, name: str, make: Callable[[], T], *, drawn: bool = False) -> T:
        """As ``keep``, for what rests on something else than the rest."""
        whole = (*key, name, self.theme if drawn else "")
        found: T = _told(whole, make) if self.patient else _quietly(whole, make)
        return found
