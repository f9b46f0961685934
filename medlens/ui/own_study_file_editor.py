"""The fields of a study's file, part by part; a change in a field is written into the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from typing import Any

import streamlit as st

from medlens.config.toml_edit import move_part_in_toml, remove_part_from_toml
from medlens.studies.own import study_file_fields
from medlens.studies.own.study_file_fields import Field, Tables
from medlens.ui.page_frame import escape_markdown
from medlens.ui.styles import read_style_sheet

Faults = Mapping[tuple[str, int, str], str]
"""What is wrong, by section, number within it, and field."""
TEXT = "own.text"
"""The session's key for the file's text."""
_OPEN, _PAST, _MOST_PAST = "own.part", "own.past", 100
_HEADS = {
    "pane": "What is shown",
    "question": "What is asked",
    "advice": "Advice of a model",
    "arm": "Models compared",
    "column": "Columns of the table",
}
_WEIGHTS = {"text": 5, "line": 4, "list": 4, "number": 2, "flag": 2}
STYLE = read_style_sheet("own_fields")


def replace_text_in_study_file_editor(text: str) -> None:
    """Replace the file's text; this can be undone."""
    keep_text_for_undo(st.session_state[TEXT])
    st.session_state[TEXT] = text


def keep_text_for_undo(text: str) -> None:
    """Save a text of the file for undo."""
    past = st.session_state.setdefault(_PAST, [])
    past.append(text)
    del past[:-_MOST_PAST]


def close_parts_and_clear_undo() -> None:
    """Start on another study: close all parts and clear the undo history."""
    for name in (_OPEN, _PAST):
        st.session_state.pop(name, None)


def _undo() -> None:
    st.session_state[TEXT] = st.session_state[_PAST].pop()


def draw_study_file_fields(tables: Tables, faults: Faults, *, models: bool) -> None:
    """The parts of the file, one below another, one of them open; ``models``: the settings name
    some.
    """
    with st.container(key="own-outline"):
        _draw_faults(tables, faults)
        for name, of in study_file_fields.OF_FILE.items():
            if name != "Models' answers" or study_file_fields.list_parts_of_section(tables, "arm"):
                wrong = any(("", 0, one.name) in faults for one in of)
                if _line(("", name), name, wrong):
                    _draw_group(tables, of, faults)
        for section, head in _HEADS.items():
            there = study_file_fields.list_parts_of_section(tables, section)
            if not there and section in ("advice", "arm"):
                continue
            st.markdown(f"**{head}**")
            if section == "column":
                _draw_columns(tables, faults, models=models)
                continue
            for at, one in enumerate(there):
                wrong = any(key[:2] == (section, at) for key in faults)
                names = ("text", "title", "name", "question")
                title = next((str(one[name]) for name in names if one.get(name)), "…")
                if _line((section, at), f"{at + 1}. {_first_line(title)}", wrong):
                    _draw_part(tables, section, at, len(there), faults, models=models)
            _draw_adding(tables, section)
        st.button(
            "Undo",
            icon=":material/undo:",
            key="own.undo",
            disabled=not st.session_state.get(_PAST),
            on_click=_undo,
        )


def _first_line(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 90 else f"{line[:88]}…"


def _draw_faults(tables: Tables, faults: Faults) -> None:
    """What must be corrected, and where."""
    if not faults:
        return
    lines = []
    for (section, at, name), said in list(faults.items())[:10]:
        known = (
            study_file_fields.list_form_fields_of_part(tables, section, at)
            if section
            else [one for of in study_file_fields.OF_FILE.values() for one in of]
        )
        label = next((one.label for one in known if one.name == name), _HEADS.get(name, name))
        where = f"{_HEADS[section]}, {at + 1}: " if section else ""
        lines.append(f"- {where}{escape_markdown(label)} – expected {escape_markdown(said)}.")
    more = f"\n- And {len(faults) - 10} more." if len(faults) > 10 else ""
    st.error("To be corrected:\n" + "\n".join(lines) + more, icon=":material/edit:")


def _line(part: tuple[str, Any], title: str, wrong: bool) -> bool:
    """A part's line in the outline; returns whether the part is open."""
    opened = st.session_state.get(_OPEN) == part

    def turn() -> None:
        st.session_state[_OPEN] = None if opened else part

    icon = "error" if wrong else "expand_more" if opened else "chevron_right"
    st.button(
        escape_markdown(title),
        key=f"own.go.{part[0]}.{part[1]}",
        icon=f":material/{icon}:",
        type="tertiary",
        on_click=turn,
    )
    return opened


def _draw_group(tables: Tables, of: tuple[Field, ...], faults: Faults) -> None:
    with st.container(border=True):
        for one in of:
            _draw_field(tables, "", 0, one, faults)


def _draw_part(
    tables: Tables, section: str, at: int, count: int, faults: Faults, *, models: bool
) -> None:
    """One part's fields, and the actions on the part as a whole."""
    with st.container(border=True):
        _draw_fields(tables, section, at, faults, models=models)
        with st.container(horizontal=True):
            for words, icon, by in (("Up", "arrow_upward", -1), ("Down", "arrow_downward", 1)):
                st.button(
                    words,
                    key=f"own.move.{by}",
                    icon=f":material/{icon}:",
                    disabled=not 0 <= at + by < count,
                    on_click=_move,
                    args=(section, at, by),
                )
            if section in ("pane", "question"):
                st.button(
                    "Copy",
                    key="own.copy",
                    icon=":material/content_copy:",
                    on_click=_copy,
                    args=(section, at),
                )
            st.button(
                "Remove",
                key="own.remove",
                icon=":material/delete:",
                on_click=_remove,
                args=(section, at),
            )


def _draw_fields(tables: Tables, section: str, at: int, faults: Faults, *, models: bool) -> None:
    shown = study_file_fields.list_form_fields_of_part(tables, section, at)
    asking = ("prompt", "system", "model")
    own = study_file_fields.find_part_of_study_file(tables, section, at)
    if not models:
        shown = [one for one in shown if one.name not in asking or one.name in own]
    for beside, run in groupby(shown, key=lambda one: "short" if one.beside else one.name):
        of = list(run)
        columns = st.columns(max(len(of), 2)) if beside == "short" else [st.container()]
        for column, one in zip(columns, of, strict=False):
            with column:
                _draw_field(tables, section, at, one, faults)
    names = {one.name for one in shown}
    for (in_section, number, name), said in faults.items():
        if (in_section, number) == (section, at) and name not in names:
            _fault(said)


def _move(section: str, at: int, by: int) -> None:
    replace_text_in_study_file_editor(move_part_in_toml(st.session_state[TEXT], section, at, by))
    st.session_state[_OPEN] = (section, at + by)


def _copy(section: str, at: int) -> None:
    replace_text_in_study_file_editor(
        study_file_fields.copy_part_in_study_file(st.session_state[TEXT], section, at)
    )
    st.session_state[_OPEN] = (section, at + 1)


def _remove(section: str, at: int) -> None:
    replace_text_in_study_file_editor(remove_part_from_toml(st.session_state[TEXT], section, at))
    st.session_state[_OPEN] = None


def _draw_columns(tables: Tables, faults: Faults, *, models: bool) -> None:
    """One column, chosen from those of the table."""
    there = study_file_fields.list_parts_of_section(tables, "column")
    if not there:
        return
    names = [str(one.get("name", "")) for one in there]
    wrong = {key[1] for key in faults if key[0] == "column"}
    at = st.selectbox(
        "Column",
        [None, *range(len(there))],
        key="own.column",
        format_func=lambda n: (
            "choose one to change it"
            if n is None
            else names[n] + " – needs correcting" * (n in wrong)
        ),
        width=360,
        label_visibility="collapsed",
    )
    if at is not None:
        with st.container(border=True):
            _draw_fields(tables, "column", at, faults, models=models)


def _draw_adding(tables: Tables, section: str) -> None:
    """A button that adds a part of a chosen kind."""
    if section == "advice":
        return
    kinds: Mapping[str, str] = {}
    if section == "question":
        kinds = study_file_fields.question_kind_labels_by_kind(
            tables, len(study_file_fields.list_parts_of_section(tables, section))
        )
    elif section == "pane":
        kinds = study_file_fields.pane_kind_labels_by_kind(tables)
    key = {"question": "own.kind", "pane": "own.pane_kind"}.get(section, "")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if kinds:
            st.selectbox(
                {"question": "Another question, answered by", "pane": "Show more, as"}[section],
                list(kinds),
                key=key,
                format_func=lambda one: kinds[one],
                width=260,
            )

        def add() -> None:
            kind = st.session_state[key] if key else ""
            replace_text_in_study_file_editor(
                study_file_fields.study_file_text_with_part_added(
                    st.session_state[TEXT], section, kind
                )
            )
            st.session_state[_OPEN] = (
                section,
                len(study_file_fields.list_parts_of_section(tables, section)),
            )

        name = {"question": "own.another", "pane": "own.another_pane"}.get(section, "own.more")
        st.button("Add it" if kinds else "Add a model", key=name, on_click=add)


# -- one field -------------------------------------------------------------------------------------


def _draw_field(tables: Tables, section: str, at: int, one: Field, faults: Faults) -> None:
    own = study_file_fields.find_part_of_study_file(tables, section, at)
    key = f"own.field.{section}.{at}.{one.name}"
    if one.how == "rows":
        _draw_rows(tables, section, at, one, key)
    else:

        def changed() -> None:
            said = st.session_state[key]
            if one.how == "when":
                said = (
                    dict(zip(("question", "is"), said.split(_PARTED), strict=True))
                    if said
                    else None
                )
            replace_text_in_study_file_editor(
                study_file_fields.set_field_in_study_file(
                    st.session_state[TEXT], section, at, one, said
                )
            )

        _widget(one, own.get(one.name), tables, at, key, changed)
    if said := faults.get((section, at, one.name)):
        _fault(said)


def _fault(said: str) -> None:
    st.markdown(f":red[:material/error: Expected {escape_markdown(said)}.]")


def _draw_rows(tables: Tables, section: str, at: int, field: Field, key: str) -> None:
    """Rows of fields, such as the criteria of a rubric."""
    rows = study_file_fields.list_rows_in_field(tables, section, at, field)
    if field.name == "criteria" and study_file_fields.find_part_of_study_file(
        tables, section, at
    ).get("criteria_column"):
        return

    def change(row: int, name: str) -> None:
        said = {name: st.session_state[f"{key}.{row}.{name}"]}
        replace_text_in_study_file_editor(
            study_file_fields.study_file_text_with_row_set_or_added(
                st.session_state[TEXT], section, at, field, row, said
            )
        )

    def add() -> None:
        said = {one.name: _BEGUN.get(one.how, "") for one in field.of if one.needed}
        replace_text_in_study_file_editor(
            study_file_fields.study_file_text_with_row_set_or_added(
                st.session_state[TEXT], section, at, field, len(rows), said
            )
        )

    def take(row: int) -> None:
        replace_text_in_study_file_editor(
            study_file_fields.study_file_text_with_row_removed(
                st.session_state[TEXT], section, at, field, row
            )
        )

    st.markdown(field.label, help=field.help or None)
    weights = [*(_WEIGHTS[one.how] for one in field.of), 1]
    for row, held in enumerate(rows):
        with st.container(border=True):
            columns = st.columns(weights, vertical_alignment="bottom", gap="small")
            for column, one in zip(columns, field.of, strict=False):
                with column:
                    name = f"{key}.{row}.{one.name}"
                    _widget(
                        one, held.get(one.name), tables, at, name, partial(change, row, one.name)
                    )
            columns[-1].button(
                "",
                icon=":material/delete:",
                key=f"{key}.{row}.take",
                type="tertiary",
                help="Remove this one",
                on_click=take,
                args=(row,),
            )
    if len(rows) < field.most:
        st.button("Add one", key=f"{key}.add", icon=":material/add:", on_click=add)


_BEGUN: Mapping[str, Any] = {"number": 1}
_PARTED = "\x1f"


def _widget(
    one: Field,
    value: Any,
    tables: Tables,
    at: int,
    key: str,
    changed: Callable[[], None],
) -> None:
    """A field as a Streamlit widget, with its value from the file."""
    given: dict[str, Any] = {"key": key, "on_change": changed, "help": one.help or None}
    value = one.usual if value is None else value
    match one.how:
        case "flag":
            _hold(key, value is True)
            st.checkbox(one.label, **given)
        case "whole" | "number":
            number = isinstance(value, int | float) and not isinstance(value, bool)
            whole = one.how == "whole" and (value is None or isinstance(value, int))
            _hold(key, (value if whole else float(value)) if number else None)
            st.number_input(
                one.label,
                value=None,
                step=1 if whole else 1.0,
                format="%d" if whole else "%g",
                **given,
            )
        case "text" | "list":
            lines = value if isinstance(value, list) else [value or ""]
            _hold(key, "\n".join(map(str, lines)).strip("\n"))
            st.text_area(one.label, height="content", **given)
        case "choice":
            assert one.options is not None
            options = dict(one.options(tables, at))
            options.setdefault(str(value or ""), str(value or "choose one"))
            _hold(key, str(value or ""))
            st.selectbox(one.label, list(options), format_func=options.__getitem__, **given)
        case "several":
            assert one.options is not None
            held = [str(each) for each in value] if isinstance(value, list) else []
            _hold(key, held)
            known = dict.fromkeys([*one.options(tables, at), *held])
            st.multiselect(one.label, list(known), **given)
        case "when":
            stands = ""
            if isinstance(value, dict):
                stands = _PARTED.join((str(value.get("question", "")), str(value.get("is", ""))))
            pairs = study_file_fields.conditions_in_words_by_question_and_answer(tables, at).items()
            options = {"": "always", **{_PARTED.join(pair): said for pair, said in pairs}}
            options.setdefault(stands, " is ".join(stands.split(_PARTED)))
            _hold(key, stands)
            st.selectbox(one.label, list(options), format_func=options.__getitem__, **given)
        case _:
            _hold(key, "" if value is None else str(value))
            st.text_input(one.label, **given)


def _hold(key: str, value: Any) -> None:
    """Set a widget's value, unless it has that value already: setting it again would undo what
    somebody is typing.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
