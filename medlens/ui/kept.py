"""A cache of what pages have computed, valid until its data change and shared by all viewers.

A study's ``Source`` is a ``Keeping``: ``kept_under`` says what its figures depend on, and ``keep``
looks them up. Permission is checked when the source is made, before any shared value is looked up.
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
    """A cache for what is computed from one part of the data.

    ``patient`` ones show that they are working if it takes long.
    """

    theme: Theme
    patient = True

    @abstractmethod
    def kept_under(self) -> Key:
        """What the figures depend on: study, store, the part of it in view, version of the data."""

    def keep(self, name: str, make: Callable[[], T], *, drawn: bool = False) -> T:
        """``make()``, computed once per data version; if ``drawn``, also once per theme.

        All viewers share the result: it must not depend on the viewer, and nobody may change it.
        """
        return self.keep_under(self.kept_under(), name, make, drawn=drawn)

    def keep_under(self, key: Key, name: str, make: Callable[[], T], *, drawn: bool = False) -> T:
        """As ``keep``, for a result that depends on something else (``key``)."""
        whole = (*key, name, self.theme if drawn else "")
        found: T = _told(whole, make) if self.patient else _quietly(whole, make)
        return found
