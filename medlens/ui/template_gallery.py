"""The templates as a gallery: a small picture of the desk that each makes, drawn from its file."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import streamlit as st

from medlens.config.question_forms_and_answer_checks import (
    EVIDENCE,
    OF_ARMS,
    REWRITE,
    RUBRIC,
    SPANS,
    Question,
)
from medlens.studies.own import study_file
from medlens.studies.own.study_file import StudyDeclaration, StudyPane
from medlens.ui.chart_with_table_and_csv import Theme, current_theme
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import escape_markdown

_WIDTH, _HEIGHT, _LEFT, _BAR = 400, 230, 226, 26
_COLUMNS = 3
_LINE = 9
"""Pixels from one drawn line of text to the next."""
_INK, _FAINT, _RULE, _ACCENT = "#24323d", "#c9d3da", "#d8e0e5", "#0b5a7a"
_PAPER, _ON_ACCENT = "#ffffff", "white"
_MARKED = ("#f4d35e", "#9ad1b8", "#e9a6a1")
_IN_THE_DARK = {
    _PAPER: "#12181d",
    _INK: "#e3e9ed",
    _FAINT: "#5b6b76",
    _RULE: "#3a4750",
    "#eef2f4": "#222c33",
    "#dfe7ec": "#38454f",
    "#9fb0bb": "#8797a2",
    "#fff3c4": "#5c4f1c",
    "#f4f7f9": "#1b242b",
    "#dcebf1": "#17404f",
    "#5d6c77": "#a3b1ba",
    **dict(zip(_MARKED, ("#7a6a1f", "#2f6b52", "#7d403b"), strict=True)),
}
"""Each colour of a picture, and what it is on a dark page."""
_LONGEST = 34
_MOST_PANES, _MOST_QUESTIONS = 3, 5


def draw_template_gallery(try_it: Callable[[Path], None] | None = None) -> None:
    """Every template with a picture of its desk, to begin with (``try_it``) or to download with its
    made-up items.
    """
    known = study_file.load_templates_by_name()
    names = [*known]
    for first in range(0, len(names), _COLUMNS):
        for column, name in zip(
            st.columns(_COLUMNS, gap="medium"), names[first : first + _COLUMNS], strict=False
        ):
            with column, st.container(border=True, key=f"own.template.card.{name}"):
                _draw_card(name, known[name], try_it)


def _draw_card(
    name: str, declared: StudyDeclaration, try_it: Callable[[Path], None] | None
) -> None:
    file = study_file.path_of_template(name)
    title = declared.form.title
    st.image(
        template_desk_as_svg(name, current_theme()),
        caption=escape_markdown(title),
        alt=f"The desk that “{title}” makes",
    )
    st.caption(f"After {escape_markdown(declared.source.split(',')[0].removeprefix('After '))}")
    with st.container(horizontal=True, gap="small"):
        if try_it:
            st.button(
                "Try it",
                key=f"own.template.try.{name}",
                on_click=try_it,
                args=(file,),
                help=f"Opens {declared.form.title} with its made-up items and its preview",
            )
        for path, words, mime in (
            (file, "File", "application/toml"),
            (file.with_suffix(".csv"), "Items", "text/csv"),
        ):
            draw_export_button(
                words,
                path.read_bytes,
                about=f"template {path.name}",
                key=f"own.template.{name}{path.suffix}",
                file_name=path.name,
                mime=mime,
            )


@lru_cache(maxsize=64)
def template_desk_as_svg(name: str, theme: Theme = "light") -> str:
    """A template's desk as SVG: what is shown on the left, what is asked on the right."""
    drawn = desk_as_svg(study_file.load_templates_by_name()[name])
    if theme == "light":
        return drawn
    return re.sub(r'(?<==")#[0-9a-f]{6}(?=")', lambda one: _IN_THE_DARK.get(one[0], one[0]), drawn)


def desk_as_svg(declared: StudyDeclaration) -> str:
    """The desk of a study as SVG of 400 by 230 pixels."""
    spans = [declared.spans] if declared.spans else []
    asked = [*spans, *declared.form.questions]
    parts = [
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="{_PAPER}" stroke="{_RULE}"/>',
        *_panes(declared, marked=bool(spans)),
        f'<path d="M{_LEFT} 10V{_HEIGHT - _BAR - 6}" stroke="{_RULE}"/>',
        *_questions(asked),
        f'<path d="M0 {_HEIGHT - _BAR}H{_WIDTH}" stroke="{_RULE}"/>',
        _box(_WIDTH - 62, _HEIGHT - _BAR + 5, 52, 16, fill=_ACCENT),
        _words("Submit", _WIDTH - 50, _HEIGHT - _BAR + 16, fill=_ON_ACCENT),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="8">'
        f"{''.join(parts)}</svg>"
    )


def _words(text: str, x: float, y: float, *, fill: str = _INK, bold: bool = False) -> str:
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{fill}"{weight}>{html.escape(short)}</text>'


def _box(
    x: float, y: float, width: float, height: float, *, fill: str = "none", stroke: str = ""
) -> str:
    line = f' stroke="{stroke}"' if stroke else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3"'
        f' fill="{fill}"{line}/>'
    )


# -- what is shown ---------------------------------------------------------------------------------


def _panes(declared: StudyDeclaration, *, marked: bool) -> Iterator[str]:
    panes = declared.initial_panes[:_MOST_PANES]
    height = (_HEIGHT - _BAR - 16) / max(len(panes), 1)
    for at, pane in enumerate(panes):
        top = 10 + at * height
        own = {one.name for one in declared.columns if one.by_arm}
        arms = 2 if declared.are_arms_side_by_side and set(pane.columns) & own else 1
        width = (_LEFT - 20 - 8 * (arms - 1)) / arms
        of_marks = marked and declared.spans is not None and declared.spans.column in pane.columns
        for arm in range(arms):
            title = f"{pane.title} {'AB'[arm]}" if arms > 1 else pane.title
            left = 10 + arm * (width + 8)
            yield _words(title[: int(width / 4.6)], left, top + 9, bold=True)
            yield from _body(pane, left, top + 15, width, height - 22, marked=of_marks)


def _body(
    pane: StudyPane, x: float, y: float, width: float, height: float, *, marked: bool
) -> Iterator[str]:
    if pane.kind in ("image", "pdf"):
        yield _box(x, y, width, height, fill="#eef2f4", stroke=_FAINT)
        middle, low = x + width / 2, y + height - 6
        hill = f"M{x + 6:g} {low:g}L{middle - 8:g} {y + 12:g}L{middle + 14:g} {low:g}Z"
        yield f'<path d="{hill}" fill="{_FAINT}"/>'
        return
    if pane.kind == "table":
        for row in range(int(height // 12)):
            for column in range(3):
                yield _box(x + column * width / 3, y + row * 12, width / 3, 12, stroke=_FAINT)
        return
    for line in range(max(1, min(int(height // _LINE), 12))):
        at = y + line * _LINE
        if pane.kind == "dialogue":
            indent = 0 if line % 4 < 2 else width * 0.3
            yield _box(x + indent, at, width * 0.68, 5, fill=_FAINT if indent else "#dfe7ec")
            continue
        if pane.kind == "record":
            yield _box(x, at, width * 0.25, 4, fill="#9fb0bb")
            yield _box(x + width * 0.3, at, width * (0.4 + 0.1 * (line % 3)), 4, fill=_FAINT)
            continue
        if pane.kind == "source" and line % 5 == 1:
            yield _box(x, at - 1.5, width * 0.9, 7, fill="#fff3c4")
        share = 0.6 if line % 5 == 4 else 0.94 - 0.04 * (line % 3)
        yield _box(x, at, width * share, 4, fill=_FAINT)
        if marked and line % 3 == 1:
            yield _box(x + width * 0.2, at - 1.5, width * 0.35, 7, fill=_MARKED[line // 3 % 3])


# -- what is asked ---------------------------------------------------------------------------------


def _questions(asked: Sequence[Question]) -> Iterator[str]:
    x, width = _LEFT + 10, _WIDTH - _LEFT - 20
    shown = asked[:_MOST_QUESTIONS]
    y = 19.0
    for question in shown:
        if y > _HEIGHT - _BAR - 30:
            break
        yield _words(question.text, x, y)
        yield from _answer(question, x, y + 5, width)
        y += 45 if question.kind in (REWRITE, "long_text", RUBRIC, EVIDENCE) else 34
    if len(asked) > len(shown) and y < _HEIGHT - _BAR - 6:
        yield _words(f"and {len(asked) - len(shown)} more questions", x, y, fill="#5d6c77")


def _answer(question: Question, x: float, y: float, width: float) -> Iterator[str]:
    if question.kind in (REWRITE, "long_text", EVIDENCE):
        yield _box(x, y, width, 24, fill="#f4f7f9", stroke=_FAINT)
        return
    if question.kind in ("short_text", "number"):
        yield _box(x, y, width * 0.6, 14, fill="#f4f7f9", stroke=_FAINT)
        return
    if question.kind == SPANS:
        for at, label in enumerate(question.labels[:3]):
            yield _box(x + at * (width / 3), y, width / 3 - 4, 14, fill=_MARKED[at])
            yield _words(label.name[:8], x + 4 + at * (width / 3), y + 10)
        return
    if question.kind == RUBRIC:
        for row in range(2):
            yield _box(x, y + row * 12 + 2, width * 0.6, 4, fill=_FAINT)
            for at, chosen in enumerate((row == 0, row == 1)):
                left = x + width * 0.66 + at * 22
                fill = _ACCENT if chosen else _PAPER
                yield _box(left, y + row * 12, 18, 9, fill=fill, stroke=_FAINT)
        return
    of_arms = ["A", "=", "B"] if question.kind in OF_ARMS else []
    choices = of_arms or [*question.shown_options]
    count = max(2, min(len(choices), 5))
    each = width / count
    for at in range(count):
        chosen = at == count // 2
        fill = "#dcebf1" if chosen else _PAPER
        stroke = _ACCENT if chosen else _FAINT
        yield _box(x + at * each, y, each - 4, 14, fill=fill, stroke=stroke)
        name = choices[at] if at < len(choices) else ""
        yield _words(name[: int(each / 5.5)], x + at * each + 4, y + 10)
