"""Which visits a view is about: run, experiment, case set and judge, chosen in the address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from medlens.agentclinic import scope
from medlens.agentclinic.scope import Scope
from medlens.agentclinic.study import Study
from medlens.ui import Here
from medlens.ui.address import go

NAMES = ("run", "experiment", "cases", "judge", "protocol")
"""What the choices are called in the address."""


def asked() -> Scope:
    """The scope that the address names."""
    return Scope(**{name: st.query_params.get(name, "") for name in NAMES})


def draw(here: Here, study: Study, *, key: str) -> None:
    """A choice for each side of the scope that leaves one, or that the address names."""
    there = scope.offered(here.store, study.dataset)
    _side("Run", "run", list(there.runs), lambda one: there.runs.get(one, one), key, least=2)
    _side("Experiment", "experiment", list(there.experiments), str, key, least=1)
    _side("Case set", "cases", list(there.cases), str, key, least=2)
    _side("Protocol", "protocol", list(there.protocols), str, key, least=2, other="the commonest")
    _side("Moderator", "judge", list(there.judges), str, key, least=2, other="each visit's own")


def _side(
    label: str,
    name: str,
    options: list[str],
    shown: Callable[[str], str],
    key: str,
    *,
    least: int,
    other: str = "any",
) -> None:
    if len(options) >= least or name in st.query_params:
        choice(label, name, options, shown, key=key, other=other, width=170)


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
