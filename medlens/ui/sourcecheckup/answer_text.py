"""An answer as text, each sentence coloured by the support for its statements.

Foreign text is escaped and put into Markdown a sentence at a time; a state is shown by sign and
word as well as by colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from medlens.studies.sourcecheckup.cleaned import Cleaned
from medlens.studies.sourcecheckup.metrics_material import STATEMENT_STATES
from medlens.studies.sourcecheckup.models import VERDICT_NAMES
from medlens.ui.frame import words
from medlens.web.passages import page_of

SIGNS = {
    "supported": ("green", ":material/check:", "supported"),
    "partly": ("orange", ":material/contrast:", "partly supported"),
    "contradicted": ("red", ":material/block:", "contradicted"),
    "unsupported": ("red", ":material/close:", "not stated"),
    "no_source": ("red", ":material/link_off:", "no source"),
    "unreachable": ("orange", ":material/cloud_off:", "not stated, a source unreadable"),
    "undecided": ("gray", ":material/pending:", "not decided yet"),
}
"""State of a statement -> colour, sign, name."""


def placed(text: str, statements: Sequence[Mapping[str, Any]]) -> dict[int, list[int]]:
    """Sentence of the answer -> the numbers (from 0) of the statements most similar to it."""
    page = page_of(text)
    found: dict[int, list[int]] = {}
    for at, one in enumerate(statements):
        likest = page.like(str(one["text"]), most=1)
        best = likest[0] if likest else page.holding(str(one["text"]))
        if best is not None:
            found.setdefault(best, []).append(at)
    return found


def draw_answer(
    text: str, statements: Sequence[Mapping[str, Any]], states: Mapping[str, str]
) -> None:
    """The answer, coloured; ``states`` are by statement name."""
    page = page_of(text)
    where = placed(text, statements)
    lines: list[list[str]] = []
    for i, sentence in enumerate(page.sentences()):
        if i in page.paragraphs or not lines:
            lines.append([])
        own = [statements[at] for at in where.get(i, ())]
        if not own:
            lines[-1].append(words(sentence))
            continue
        worst = max(
            (states.get(str(one["name"]), "undecided") for one in own),
            key=STATEMENT_STATES.index,
        )
        several = {states.get(str(one["name"]), "undecided") for one in own}
        worst = next((one for one in ("contradicted", "unsupported") if one in several), worst)
        colour = SIGNS[worst][0]
        signs = " ".join(
            f"{SIGNS[states.get(str(one['name']), 'undecided')][1]}**{one['n']}**" for one in own
        )
        lines[-1].append(f":{colour}-background[{words(sentence)}] {signs}")
    if not lines:
        st.caption("The answer is empty.")
    st.markdown("\n\n".join(" ".join(parts) for parts in lines))


def draw_legend(states: Mapping[str, str]) -> None:
    """The meaning of the signs that occur."""
    there = [one for one in STATEMENT_STATES if one in states.values()]
    if there:
        st.caption(
            " · ".join(
                f"{SIGNS[one][1]} :{SIGNS[one][0]}-background[{SIGNS[one][2]}]" for one in there
            )
        )


def draw_statements(statements: Sequence[Mapping[str, Any]], states: Mapping[str, str]) -> None:
    """The statements with their numbers and states, as a list."""
    for one in statements:
        colour, sign, name = SIGNS[states.get(str(one["name"]), "undecided")]
        st.markdown(f"**{one['n']}** {sign} {words(str(one['text']))} :{colour}-background[{name}]")


def draw_cleaned(one: Cleaned) -> None:
    """A cleaned-up answer: statement by statement, the changes word by word."""
    for piece in one.pieces:
        if piece.state == "kept":
            st.markdown(words(piece.after))
            continue
        parts = []
        for word in piece.words:
            plain = words(word.text)
            if not plain:
                continue
            parts.append(
                plain
                if word.change == "same"
                else f":red-background[~~{plain}~~]"
                if word.change == "old"
                else f":green-background[**{plain}**]"
            )
        st.markdown(" ".join(parts))
        verdict = {str(one): name.lower() for one, name in VERDICT_NAMES.items()}.get(piece.verdict)
        now = f"{verdict} now" if verdict else "not verified yet"
        what = "Removed" if piece.state == "removed" else f"Edited; {now}"
        st.caption(f"{what}. {words(piece.reason)}")
