"""The questions behind a mark, and one question with everybody's answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import items
from medlens.review.item_text_erasure import NamedItem
from medlens.review.raters import Rater
from medlens.studies.ebmqa.explore import question_queries as queries
from medlens.studies.ebmqa.explore.aggregate_queries import AnswerAggregates
from medlens.studies.ebmqa.explore.question_filter import (
    CELLS,
    STATES,
    AnswerFilter,
    QuestionsBehindMark,
    record_viewer_saw_correct_answers,
)
from medlens.studies.ebmqa.explore.question_queries import QuestionWithAnswers
from medlens.studies.ebmqa.figures_charts import NONE, make_names_distinct
from medlens.studies.ebmqa.figures_data import EbmqaFigureData
from medlens.studies.ebmqa.records import STUDY
from medlens.ui import list_filters_and_paging, page_address
from medlens.ui.chart_with_table_and_csv import draw_clickable_table, draw_csv_button
from medlens.ui.correction_forms import draw_correction_form
from medlens.ui.ebmqa import address_changes, question_evidence
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.person_and_item_text_erasure_forms import draw_named_item_erasure_form

PAGE = 50
# On a phone only the first columns are visible; each model's answers come between the two.
_FIRST = {"question": "text", "accuracy": "score"}
_LAST = {
    "correct": "key",
    "value": "evidence",
    "citations": "citations",
    "qa_type": "type",
    "answered": "answered",
    "different": "answers given",
    "name": "question",
}
_COLUMNS = {
    "text": st.column_config.TextColumn(width="medium"),
    "score": st.column_config.NumberColumn(format="%.2f", help="Mean over those who answered"),
    "evidence": st.column_config.NumberColumn(
        format="%.6g", help="What the sources say: a share from 0 to 1, or a ratio"
    ),
    "answers given": st.column_config.NumberColumn(help="How many different ones"),
}
_RIGHT, _PARTLY, _WRONG = "✓", "◐", "✗"
_TALL = 110
"""A row's height in pixels, enough to read a whole question."""


def draw_questions_behind_mark(data: EbmqaFigureData, viewer: Rater) -> None:
    """What is behind the mark in the address; right of the chart, or below it on a phone."""
    mark = st.query_params.get("mark", "")
    found = QuestionsBehindMark.parse_mark_name(mark)
    if found is None:
        st.caption("This link leads to something that no longer exists.")
        return
    st.markdown(f"### {escape_markdown(_title(found))}")
    st.button(
        "Close",
        key="ebmqa.close",
        type="tertiary",
        icon=":material/close:",
        on_click=address_changes.put_mark_in_address,
        args=("",),
    )
    if found.model and not found.cell:
        found = _states(found)
    draw_page_of_questions(data, viewer, found, key="behind")


def _title(found: QuestionsBehindMark) -> str:
    parts = [f"{value or NONE}" for _, value in found.labels]
    if found.cell:
        cell = CELLS[found.cell].format(first=found.model, second=found.other)
        return ", ".join([*parts, f"{found.model} and {found.other}: {cell}"])
    return ", ".join([*parts, *([found.model] if found.model else [])]) or "All questions"


def _states(found: QuestionsBehindMark) -> QuestionsBehindMark:
    """The choice of right or wrong above the list, kept in the mark."""
    options = [name for name in STATES if name not in ("refused", "parse_failed", "error")]
    if found.state and found.state not in options:
        options.append(found.state)
    key = "ebmqa.state"
    st.session_state[key] = found.state or None

    def chosen() -> None:
        state = str(st.session_state[key] or "")
        changed = QuestionsBehindMark(found.labels, found.model, state, found.other, found.cell)
        address_changes.put_mark_in_address(changed.mark_name)

    st.pills(
        "Answers",
        options,
        key=key,
        format_func=STATES.__getitem__,
        on_change=chosen,
        label_visibility="collapsed",
    )
    return found


def draw_page_of_questions(
    data: EbmqaFigureData,
    viewer: Rater,
    found: QuestionsBehindMark | None,
    *,
    key: str,
    sort: str = "name",
) -> None:
    """A page of questions; a click on one opens it."""
    _note_seen(data.answer_aggregates, viewer)
    where, whole = data.where, False
    if found is not None:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            where = _searched(where)
            whole = st.toggle("Whole texts", key=f"ebmqa.{key}.whole")
    at = list_filters_and_paging.whole_number_in_address("page")
    table, total = queries.page_of_questions_and_total(
        data.answer_aggregates, where, found, sort=sort, offset=at * PAGE, limit=PAGE
    )
    list_filters_and_paging.draw_list_pager(total, PAGE, "questions", key=f"ebmqa.{key}")
    if table.empty:
        st.caption("No question matches.")
        return
    shown = _grid(data, table)
    st.caption(f"{_RIGHT} right, {_PARTLY} partly right, {_WRONG} wrong; click a row to open it.")
    draw_clickable_table(
        shown,
        f"ebmqa.{key}.list",
        marks=tuple(table["name"]),
        on_mark=address_changes.put_question_in_address,
        alt="Questions with each model's answer; click a row to open it",
        columns=_columns(shown, wide=found is None or whole),
        row_height=_TALL if whole else None,
        height=min(38 + 35 * len(shown), 620),
    )

    def everything() -> pd.DataFrame:
        return _grid(
            data,
            queries.page_of_questions_and_total(
                data.answer_aggregates, where, found, sort=sort, limit=None
            )[0],
        )

    draw_csv_button(everything, f"ebmqa_{key}")


def _searched(where: AnswerFilter) -> AnswerFilter:
    """Search words that filter only the list, not the chart beside it."""
    list_filters_and_paging.draw_search_field(
        "Search the list", "find", key="ebmqa", placeholder="words in any order"
    )
    return replace(where, search=f"{where.search} {st.session_state['ebmqa.find']}".strip())


def _grid(data: EbmqaFigureData, table: pd.DataFrame) -> pd.DataFrame:
    """A list's questions with each chosen model's answer, and whether it is right."""
    given = queries.table_of_answers_to_questions(
        data.answer_aggregates, data.where, table["name"].tolist()
    )
    answers = {
        (name, model): _said(outcome, answer, score)
        for name, model, outcome, answer, score in given.itertuples(index=False, name=None)
    }
    heads = make_names_distinct([*_FIRST.values(), *data.selected_models, *_LAST.values()])
    columns = [
        *(table[name] for name in _FIRST),
        *(
            pd.Series([answers.get((name, model), "") for name in table["name"]], dtype=object)
            for model in data.selected_models
        ),
        *(table[name] for name in _LAST),
    ]
    return pd.concat(columns, axis=1, keys=heads)


def _said(outcome: str, answer: str, score: float) -> str:
    if outcome != "answered":
        return f"– {STATES[outcome]}"
    return f"{_RIGHT if score == 1 else _WRONG if score == 0 else _PARTLY} {answer}"


def _columns(shown: pd.DataFrame, *, wide: bool) -> dict[str, Any]:
    widths = {**_COLUMNS, "text": st.column_config.TextColumn(width=340)} if wide else _COLUMNS
    return {name: widths[name] for name in shown.columns if name in widths}


def _note_seen(explorer: AnswerAggregates, viewer: Rater) -> None:
    """Record that the viewer now sees right answers, so their later answers are not blind."""
    key, who = "ebmqa.seen", (explorer.dataset, viewer.id)
    if st.session_state.get(key) != who:
        record_viewer_saw_correct_answers(explorer.store, explorer.dataset, viewer)
        st.session_state[key] = who


# -- one question ----------------------------------------------------------------------------------


def draw_question_in_address_and_say_if_found(explorer: AnswerAggregates, here: Here) -> bool:
    """The question that the address names, with every answer to it, and for leads the form that
    corrects it; False if it does not exist.
    """
    try:
        asked = queries.question_with_answers(explorer, st.query_params["question"])
    except InvalidInput:
        page_address.set_values_in_address(question="")
        return False
    _note_seen(explorer, here.person)
    st.button(
        "Back",
        key="ebmqa.back",
        icon=":material/arrow_back:",
        shortcut="Escape",
        on_click=page_address.set_values_in_address,
        kwargs={"question": ""},
    )
    left, right = st.columns([5, 6], gap="large")
    with left:
        st.text(asked.name)
        draw_question_with_key(asked)
        if here.person.role == "lead":
            ids = items.ids_by_name_made_from_item_names(STUDY, explorer.dataset, [asked.name])
            draw_correction_form(
                here, STUDY, explorer.dataset, name=asked.name, item=ids[asked.name]
            )
            draw_named_item_erasure_form(
                here, NamedItem(ids[asked.name], STUDY, explorer.dataset, asked.name)
            )
    with right:
        _answers(asked)
    return True


def draw_question_with_key(asked: QuestionWithAnswers) -> None:
    """A question with its right answer, its labels and the evidence."""
    st.markdown(f"### {escape_markdown(asked.question)}")
    for at, option in enumerate(asked.options):
        icon = ":material/check_circle:" if at in asked.correct else ":material/circle:"
        bold = "**" if at in asked.correct else ""
        st.markdown(f"{icon} {bold}{at + 1}\\. {escape_markdown(option)}{bold}")
    said = [f"{title}: {value}" for title, value in asked.labels.items()]
    st.caption(escape_markdown(" · ".join(said)))
    question_evidence.draw_evidence_for_question(asked)


def _answers(asked: QuestionWithAnswers) -> None:
    if not asked.answers:
        st.caption("No model has been asked this question.")
        return
    variants = len({(one.prompt, one.repeat) for one in asked.answers})
    table = pd.DataFrame(
        [
            {
                "model": one.model,
                **({"prompt": one.prompt, "repeat": one.repeat} if variants > 1 else {}),
                "answer": "; ".join(asked.options[place] for place in one.chosen)
                or STATES[one.outcome],
                "score": one.score,
                "said": one.said,
            }
            for one in asked.answers
        ]
    )
    right = sum(one.score == 1 for one in asked.answers)
    st.markdown("### Answers")
    st.caption(f"{right} of {len(asked.answers)} answers are right.")
    st.dataframe(
        table,
        hide_index=True,
        alt="Every model's answer to this question",
        column_config={"score": st.column_config.NumberColumn(format="%.2f")},
    )
    draw_csv_button(table, "ebmqa_question")
