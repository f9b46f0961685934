"""The options of a question in the questionnaire: how they look, and what a press does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from medlens.ebmqa import tasks
from medlens.ebmqa.models import IDK
from medlens.ui.desk import Desk
from medlens.ui.frame import words

_HEARD = f"{tasks.NAME}.heard"
STYLE = """
<style>
  .st-key-question { max-width: 46rem; margin: 0 auto 1.5rem; gap: 0.6rem; }
  .st-key-question [data-testid="stText"] { font-size: 1.25rem; line-height: 1.5;
    font-family: inherit; overflow-wrap: anywhere; white-space: pre-wrap; margin-bottom: 0.5rem; }
  .st-key-question .stButton button { justify-content: flex-start; text-align: left;
    min-height: 3rem; }
  .st-key-question .stButton button > div { justify-content: flex-start; width: 100%; }
  .st-key-question .stButton button p { font-size: 1.05rem; overflow-wrap: anywhere; }
  .st-key-question .stButton button kbd { margin-left: auto; }
  .st-key-middle { max-width: 40rem; margin: 2rem auto 0; }
  @media (max-width: 640px) { .st-key-question, .st-key-middle { padding: 0 0.5rem; } }
  @media (hover: none) and (pointer: coarse) { .st-key-question kbd { display: none; } }
</style>
"""


def said_of(desk: Desk, places: Sequence[int] | None) -> str:
    """An answer as it reads on the page."""
    if places is None:
        return "nothing"
    return ", ".join(f"“{desk.laid['options'][place]}”" for place in places) or f"“{IDK}”"


def option_button(
    text: str, key: str, act: Callable[..., None], args: tuple[Any, ...], **how: Any
) -> None:
    """An option. A press counts also where the server was started anew since this was drawn.

    Such a session does not know yet what to call, and Streamlit would pass the press over.
    """

    def pressed() -> None:
        st.session_state[_HEARD] = key
        act(*args)

    there = st.button(words(text), key=key, width="stretch", on_click=pressed, **how)
    if there and st.session_state.get(_HEARD) != key:
        pressed()
        st.rerun()
