"""Which visits a view is about: run, experiment, case set and judge, chosen in the address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from medlens.agentclinic.scope import Scope
from medlens.ui.address import go

NAMES = ("run", "experiment", "cases", "judge", "protocol")
"""What the choices are called in the address."""


def asked() -> Scope:
    """The scope that the address names."""
    return Scope(**{name: st.query_params.get(name, "") for name in NAMES})


def choice(
    label: str,
    name: str,
    options: list[Any],
    shown: Callable[[Any], str] = str,
    *,
    key: str,
    other: str = "any",
    width: int = 150,
) -> None:
    """One filter that stands in the address; what is there no longer is said, not dropped."""
    full = f"{key}.{name}"
    given = st.query_params.get(name)
    lost = given is not None and given not in options
    st.session_state[full] = given
    st.selectbox(
        label,
        [*options, given] if lost else options,
        key=full,
        width=width,
        placeholder=other,
        format_func=lambda one: f"{one} (not there)" if lost and one == given else shown(one),
        on_change=lambda: go(**{name: str(st.session_state[full] or ""), "page": "", "mark": ""}),
    )
