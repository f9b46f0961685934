"""The items on which people disagree, and the adjudicator's decision on each."""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from medlens.app import work_behind_commands
from medlens.config.question_forms_and_answer_checks import UNCHANGED, Form
from medlens.errors import Conflict, InvalidInput
from medlens.review import (
    consensus,
    items,
    judging,
    near_agreement_search_and_settling,
    remarks_between_raters_and_leads,
)
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.consensus import Word
from medlens.review.marked_spans_checked_carried_and_timed import merge_labels_by_place
from medlens.review.tasks import Body, Task, answer_in_readable_form
from medlens.studies.own.adjudicator_item_and_starting_answer import LetteredItem
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import words_of_listed_items
from medlens.studies.tagging import tasks as error_spans
from medlens.ui import (
    list_filters_and_paging,
    list_of_remarks_on_item,
    own_item_and_answer_fields_for_adjudicator,
    page_address,
    text_to_mark,
)
from medlens.ui.all_verdicts_and_revisions_on_item import draw_changes_of_several_people
from medlens.ui.answer_form import FieldData, OptionData
from medlens.ui.chart_with_table_and_csv import draw_csv_button, table_as_safe_csv
from medlens.ui.export_button import draw_export_button
from medlens.ui.figures.page import draw_choice_kept_in_address_and_return_it
from medlens.ui.form_outside_queue import (
    Entries,
    draw_form_sheet,
    draw_form_sheet_in_fragment,
    form_sheet_of_session,
)
from medlens.ui.keyboard_help import draw_button_for_list_of_keys
from medlens.ui.lead_remarks_and_guideline_for_rater import draw_unclear_guideline_form
from medlens.ui.own_item_and_answer_fields_for_adjudicator import (
    make_prefilled_adjudicator_answer,
    require_and_return_valid_combined_answer,
)
from medlens.ui.page_frame import Here, escape_markdown, known_value_in_address_or_warn
from medlens.ui.prepared_next_item import NextItemAhead
from medlens.ui.span_desk import Marking
from medlens.ui.styles import read_style_sheet
from medlens.ui.survey_forms import field_values_as_answers, question_as_field
from medlens.ui.tagging.response_for_span_desk import marking_setup_of_responses
from medlens.ui.team_agreement import compute_once_per_data_version, judgments_table_of_work
from medlens.ui.team_settle_near_agreements import TOLD_AFTERWARDS, draw_near_agreements_to_settle
from medlens.ui.team_task_settings import Work
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

_KEY = "disagreements.items"
_STEPS = "settle.steps"
"""In the session of those who go through the list by its buttons or keys."""
_SHORT, _LONG, _WINDOW = 40, 700, 340
"""Characters, and pixels: a longer text is scrolled."""
_QUESTION, _QUESTION_WINDOW = 400, 190
"""The same for what was asked, above the response to it."""
_BESIDE = 3
_BY_RULE, _MERGED, _EACH, _NONE = "by_rule", "merged", "each", "none"
_MARKS = "marks"
_OWN = "own."
"""A prefix for the ids of a form's questions, so that one called "reason" is not the reason's."""
_WAYS = {"take": "Take their answers", "write": "Write another"}
_WHICH = {"open": "To settle", "settled": "Settled", "all": "All"}
_TOLD_BY_TEXT = 1_000
"""Items of the list whose beginning is shown: those with the most disagreement."""
_NEAR = "near"
"""The list of items to settle together, in the address beside ``_WHICH``."""


# A fragment: the next item redraws nothing else on the page.
@st.fragment
def draw_disagreements(here: Here, work: Work) -> None:
    """A task's disagreements, if any figure rests on them, and the one that the address names."""
    # A fragment is drawn without the page's head, which would have done both.
    page_address.keep_address_set_in_callback_of_fragment()
    with here.show_errors_within():
        _draw(here, work)


def _draw(here: Here, work: Work) -> None:
    if told_afterwards := st.session_state.pop(TOLD_AFTERWARDS, ""):
        st.toast(told_afterwards)
    titled = partial(st.header, "Disagreements", anchor=False)
    if not work.task.word_in:
        titled()
        st.markdown("No figure on this task rests on one answer per item: nothing needs settling.")
        return
    history = consensus.all_decisions_by_item(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    words = {item: said for item, said in history.items() if not said[-1].withdrawn}
    table = _divided(here, work).copy()
    if table.empty:
        titled()
        judged = judgments_table_of_work(here, work)
        people = judged["item_id"][judged["rater_kind"] == "person"]
        st.markdown(
            "The people who judged the same items agree on all of them."
            if people.duplicated().any()
            else "No item has been judged by two people yet."
        )
        return
    table["divided"] = table["divided"].round(2)
    # Of many items few differ on other variables than those before: each such set is read once.
    kind, variables = consensus.positions_and_distinct_objects(table.pop("variables"))
    questions = _questions(work, variables)
    titles = dict(sorted({pair for pairs in questions for pair in pairs}, key=_by_title))
    known_value_in_address_or_warn("question", titles, "question")
    question = str(st.query_params.get("question", ""))
    if question in titles:
        table = table[np.array([question in dict(pairs) for pairs in questions])[kind]]
    lines = {on: work.task.variable_names_text_without_arms(on) for on in table["on"].unique()}
    table["on"] = [lines[on] for on in table["on"].tolist()]
    settled_by = [words[item][-1].by if item in words else "" for item in table["item_id"].tolist()]
    table["settled by"] = settled_by
    settled = sum(map(bool, settled_by))
    are = "is" if settled == 1 else "are"
    known_value_in_address_or_warn("settle", {*_WHICH, _NEAR}, "list of disagreements")
    known_value_in_address_or_warn("word", _WAYS, "way to settle")
    found = _given(here, work, str(st.query_params.get("divided", "")))
    asked = known_value_in_address_or_warn("divided", set(found["item"]), "item")
    if asked:
        # The window is for the item: Team's style hides its head beside the button that leads back.
        told = f"{escape_markdown(work.task.title)} · {settled:,} of {len(table):,} {are} settled"
        table = _listed(table, str(st.query_params.get("settle", "open")), asked)
        listed = dict(zip(table["item"].tolist(), table["item_id"].tolist(), strict=True))
        on = _steps(here, work, listed, asked, told, is_settled=listed.get(asked) in words)
        following = _look(here, work, _given(here, work, on), history) if on else None
        _draw_open(here, work, _look(here, work, found, history), following)
        return
    titled()
    st.caption(
        f"People disagree on {len(table):,} item{'s'[: len(table) != 1]}"
        f"{' in this question' if question in titles else ''}; {settled:,} of these"
        f" {are} settled. Your decision replaces the majority in {work.task.word_in}. Nobody's own"
        " answer is changed. Tick an item to open it."
    )
    consensus.release_claimed_item(here.store, work.task, by=here.person)
    nearly_agreed = _nearly_agreed(here, work)
    in_table = set(table["item_id"].tolist()) if nearly_agreed else set()
    near = near_agreement_search_and_settling.filter_near_agreements_viewer_can_settle(
        here.store,
        work.task,
        [each for each in nearly_agreed if each.item in in_table],
        decided=words,
        viewer=here.person,
    )
    # A list of one is no list; but who settles several stays there until they leave it.
    lists = dict(_WHICH)
    if len(near) > 1 or st.query_params.get("settle") == _NEAR:
        lists[_NEAR] = f"{len(near):,} to settle together"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        which = draw_choice_kept_in_address_and_return_it("settle", lists)
        if len(titles) > 1:
            with list_filters_and_paging.context_that_draws_filter_popover(
                key="disagreements"
            ) as filters:
                every = {"": "All questions", **titles}
                if asked := draw_choice_kept_in_address_and_return_it(
                    "question", every, "Question", width=280
                ):
                    filters.chips["question"] = f"Question: {titles[asked]}"
        draw_csv_button(partial(_told, here, work.task, table, words), "disagreements")
        draw_export_button(
            "All decisions",
            lambda: _every_word(here),
            about="adjudications",
            key="adjudications.csv",
            file_name="medlens-adjudications.csv",
            mime="text/csv",
            type="tertiary",
        )
    if which == _NEAR:
        draw_near_agreements_to_settle(here, work, near, partial(_beginnings, here, work))
        return
    table = _listed(table, which)
    if table.empty:
        st.markdown("All are settled." if which == "open" else "None is settled yet.")
        return
    # Lists: a column is read value by value in five times as long.
    names, ids = table["item"].tolist(), table["item_id"].tolist()

    def pressed() -> None:
        rows = st.session_state[_KEY]["selection"]["rows"]
        page_address.set_values_in_address(divided=names[rows[0]] if rows else "", word="")

    _steps(here, work, dict(zip(names, ids, strict=True)), "")
    begins = _beginnings(here, work, ids[:_TOLD_BY_TEXT])
    if begins:
        # An item's name says little: what it is about comes first.
        table.insert(0, "about", [begins.get(item, "") for item in ids])
    st.dataframe(
        table.drop(columns=["item_id"]),
        hide_index=True,
        key=_KEY,
        on_select=pressed,
        selection_mode="single-row",
        column_config={
            "about": st.column_config.TextColumn(width="large"),
            "item": st.column_config.TextColumn(width="small" if begins else None),
            "raters": st.column_config.NumberColumn(width="small"),
            "on": st.column_config.TextColumn("they differ on", width="medium"),
            "divided": st.column_config.NumberColumn(
                "disagreement", format="percent", width="small"
            ),
            "settled by": st.column_config.TextColumn(width="small"),
        },
        alt="The items on which people disagree, those with the most disagreement first",
    )


def _beginnings(here: Here, work: Work, wanted: Sequence[str]) -> dict[str, str]:
    """How these items begin, by id."""
    listed = STUDIES[work.task.study].listed
    return items.item_text_beginnings_by_id(
        here.store, wanted, words_of_listed_items(listed, work.study)
    )


def _by_title(pair: tuple[str, str]) -> str:
    return pair[1].casefold()


def _questions(work: Work, variables: Iterable[Sequence[str]]) -> list[list[tuple[str, str]]]:
    """The questions, as id and title, that each of these sets of variables belongs to. In studies
    of your own, the options of one question and its parts for each arm are one.
    """
    task = work.task
    titles = task.question_wordings_by_id()

    @functools.cache
    def question_of(variable: str) -> tuple[str, str]:
        name = re.split(r" / |: ", variable, maxsplit=1)[0]
        if name in titles:
            return name, titles[name]
        return variable, task.name_of_variable_in_words(variable)

    return [list(dict.fromkeys(map(question_of, names))) for names in variables]


def _divided(here: Here, work: Work) -> pd.DataFrame:
    """The disagreements, computed once per version of the judgments; do not change it."""
    return compute_once_per_data_version(
        here,
        work,
        "divided",
        lambda: consensus.disagreements_table(work.task, judgments_table_of_work(here, work)),
        small=True,
        version=consensus.data_version_of_judgments(here.store),
    )


def _nearly_agreed(
    here: Here, work: Work
) -> list[near_agreement_search_and_settling.NearAgreement]:
    """The items on which people nearly agree, found once per version of the judgments."""
    return compute_once_per_data_version(
        here,
        work,
        "nearly agreed",
        lambda: near_agreement_search_and_settling.find_near_agreements(
            work.task, judgments_table_of_work(here, work), _divided(here, work)
        ),
        small=True,
        version=consensus.data_version_of_judgments(here.store),
    )


def _given(here: Here, work: Work, name: str) -> pd.DataFrame:
    """What people answered about the item of this name."""
    judged = judgments_table_of_work(here, work)
    of = judged[judged["item"] == name]
    return of[of["rater_kind"] == "person"]


def _listed(table: pd.DataFrame, which: str, asked: str = "") -> pd.DataFrame:
    """The disagreements in the list that the address names, with the one that is open."""
    if which not in ("open", "settled"):
        return table
    listed = (table["settled by"] == "") == (which == "open")
    # An item just settled keeps its place until another is opened: Next goes to the one after it.
    return table[listed | (table["item"] == asked)]


def _steps(
    here: Here,
    work: Work,
    listed: Mapping[str, str],
    asked: str,
    told: str = "",
    *,
    is_settled: bool = False,
) -> str:
    """Buttons to the next and previous item of the list, skipping those that others settle now;
    ``told`` is shown beside them. If the open one ``is_settled``, the next is the main one.
    Returns the next one if it should be sent ahead: to those who go through the list.
    """
    held = consensus.names_of_other_adjudicators_by_item(here.store, work.task, by=here.person)
    others = {item: held[item] for item in listed.values() if item in held} if held else {}
    names = list(listed)
    if others:
        names = [name for name, item in listed.items() if item not in others or name == asked]
    if not listed and not asked:
        return ""
    at = names.index(asked) if asked in names else -1
    back, on = names[:at][::-1] if at > 0 else [], names[at + 1 :]

    def step(to: Sequence[str]) -> None:
        # Another lead may have come first since this was drawn.
        gone = set(
            consensus.names_of_other_adjudicators_by_item(here.store, work.task, by=here.person)
        )
        if st.query_params.get("settle", "open") == "open":
            gone |= {
                *consensus.decision_lists_in_force_by_item_id(
                    here.store, work.task, dataset=work.dataset, viewer=here.person
                )
            }
        st.session_state[_STEPS] = True
        page_address.set_values_in_address(
            divided=next((one for one in to if listed[one] not in gone), to[0]), word=""
        )

    with st.container(horizontal=True, vertical_alignment="center", key="settle_steps"):
        if asked:
            st.button(
                "All disagreements",
                key="settle.list",
                icon=":material/arrow_back:",
                shortcut="Escape",
                on_click=page_address.set_values_in_address,
                # A link to the item need not name the section.
                kwargs={"divided": "", "word": "", "section": "disagreements"},
                type="tertiary",
            )
        for label, key, to in (("Previous", "K", back), ("Next", "J", on)):
            if not (asked or to):
                continue
            st.button(
                label,
                key=f"settle.{label}",
                shortcut=key,
                on_click=step,
                args=(to,),
                disabled=not to,
                type="primary" if key == "J" and (is_settled or not asked) else "secondary",
            )
        if told:
            st.caption(told, width="content")
        if others:
            people = ", ".join(sorted({escape_markdown(name) for name in others.values()}))
            st.caption(f"{len(others):,} being settled by {people} now.", width="content")
        is_shown_anew = STUDIES[work.task.study].seen_by_adjudicator is not None
        of = (
            own_item_and_answer_fields_for_adjudicator.list_keyboard_keys_and_what_they_do(
                work.study.declared
            )
            if is_shown_anew
            else ()
        )
        draw_button_for_list_of_keys((*_HELP[:-1], *of, _HELP[-1]), key="settle.help")
    return on[0] if on and _STEPS in st.session_state else ""


_HELP = (
    ("J", "Next disagreement"),
    ("K", "Previous one"),
    ("Esc", "All disagreements"),
    ("1 – 9", "Choose answer A, B, C …"),
    ("0", "No answer is right"),
    ("R", "Write the reason; Enter there settles it"),
    ("Enter", "Settle it, or settle it again"),
    ("Ctrl+Enter", "Settle it, from a text field too"),
    ("?", "Show or hide this list"),
)


def _every_word(here: Here) -> tuple[bytes, int]:
    table = work_behind_commands.make_export_table(
        here.store, here.settings, "adjudications", viewer=here.person
    )
    return table_as_safe_csv(table), len(table)


def count_items_to_settle(here: Here, work: Work) -> int:
    """The number of items on which people disagree without a decision."""
    return count_open_and_settled_items(here, work)[0]


def count_open_and_settled_items(here: Here, work: Work) -> tuple[int, int]:
    """The number of items on which people disagree without a decision, and with one."""
    table = _divided(here, work)
    settled = consensus.decision_lists_in_force_by_item_id(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    done = int(table["item_id"].isin(list(settled)).sum())
    return len(table) - done, done


def _told(
    here: Here, task: Task, table: pd.DataFrame, words: Mapping[str, Sequence[Word]]
) -> pd.DataFrame:
    """The disagreements with their decisions, as a file."""
    last = [words[item][-1] if item in words else None for item in table["item_id"]]
    bodies = items.load_item_bodies_by_id(
        here.store, [item for item in table["item_id"] if item in words]
    )
    asked = [task.task_as_asked_of_item(bodies.get(item, {})) for item in table["item_id"]]
    return table.drop(columns=["item_id"]).assign(
        **{
            "decision": [
                of.decision_in_words(one.value) if one else ""
                for of, one in zip(asked, last, strict=True)
            ],
            "reason": [one.reason if one else "" for one in last],
            "had judged it": ["yes" if one and one.judged else "" for one in last],
            "at": [one.at.isoformat() if one else "" for one in last],
            "settled together": ["yes" if one and one.together else "" for one in last],
        }
    )


@dataclass(frozen=True)
class DividedItem:
    """An item on which people disagree. ``given`` are keys of the answers of ``judged``, equal for
    those that count as one; ``answers`` are the distinct ones, by the name that stands for whoever
    gave them. ``history`` are all decisions on it; ``words`` the same if the last of them stands,
    otherwise none.
    """

    task: Task
    item: str
    name: str
    judged: pd.DataFrame
    given: Sequence[str]
    answers: Mapping[str, Any]
    history: Sequence[Word]
    marking: Marking | None
    seen: LetteredItem | None
    body: Body

    @property
    def list_decisions_with_names(self) -> Sequence[Word]:
        return () if self.history and self.history[-1].withdrawn else self.history

    @property
    def noun_for_answers(self) -> str:
        """The noun before an answer's name."""
        return "Judgment" if self.seen and self.seen.order else "Answer"

    @property
    def name_of_own_answer_sheet(self) -> str:
        """The name of the sheet for an answer that nobody gave."""
        return f"{self.task.name}.{self.item}.written"

    @property
    def name_of_item_in_form(self) -> str:
        """What that sheet's form calls the item."""
        return f"{self.name_of_own_answer_sheet}.0"


def _look(
    here: Here, work: Work, judged: pd.DataFrame, history: Mapping[str, Sequence[Word]]
) -> DividedItem:
    item, marking, seen = str(judged["item_id"].iloc[0]), _marking(work), None
    body, decided = items.item_body(here.store, item), history.get(item, ())
    task = work.task.task_as_asked_of_item(body)
    if show := STUDIES[task.study].seen_by_adjudicator:
        seen = show(work.study, body, item=item, rater=here.person.id, seed=work.settings.seed)
        task = seen.task
        judged = judged.assign(value=judged["value"].map(seen.answers_with_letters))
        decided = [replace(one, value=seen.answers_with_letters(one.value)) for one in decided]
    values = judged["value"].tolist()
    given = [_same(task, value) for value in values]
    of = dict(zip(given, values, strict=True))
    # Where arms are side by side, letters are theirs.
    arms = seen is not None and bool(seen.order)
    answers = {one: of[key] for one, key in _unnamed(item, of, numbered=arms).items()}
    name = str(judged["item"].iloc[0])
    return DividedItem(task, item, name, judged, given, answers, decided, marking, seen, body)


_STYLE = read_style_sheet("team_disagreements")
_SCROLLED = (
    '[class*="st-key-settle_item"] .stVerticalBlock,'
    ' [data-testid="stLayoutWrapper"]:has(> [class*="st-key-settle_beside"])'
)
_BUTTONS = {"j": ".st-key-settle-Next", "k": ".st-key-settle-Previous"}


def _draw_open(here: Here, work: Work, one: DividedItem, following: DividedItem | None) -> None:
    """The open item with the form to settle it, and out of sight the one that follows."""
    if following and not _may_be_sent(here, following):
        following = None
    st.html(_STYLE)
    with st.container(border=True):
        turn = NextItemAhead("settle.boxes", one.item)
        opened, ahead = turn.containers_of_open_and_next_item("")
    held = consensus.claim_item_or_name_holder(here.store, one.task, item=one.item, by=here.person)
    with opened:
        if held and not one.list_decisions_with_names:
            st.markdown(f"### {escape_markdown(_heading(one))}")
            _tell_held(held)
        else:
            anew = not held and st.query_params.get("word") == "write"
            below = _show(here, work, one, turn.at, anew=anew)
            with below, st.container(key="settle-decide"):
                _decide(here, work, one, held)
    if following:
        with ahead:
            _show(here, work, following, 1 - turn.at)
        turn.record_item_drawn_ahead(following.item)
    turn.mount_switch_to_next_item(["j"], _BUTTONS, _SCROLLED)


def _heading(one: DividedItem) -> str:
    words = one.task.item_in_words(one.name)
    return words[:1].upper() + words[1:] if words != one.name else words


def _tell_held(held: str) -> None:
    st.info(
        f"{escape_markdown(held)} is settling this item now. Continue with the next one; you can "
        "settle this"
        " one if they leave it.",
        icon=":material/lock_person:",
    )


def _may_be_sent(here: Here, one: DividedItem) -> bool:
    """Whether the item can be sent ahead: what somebody is about to judge is not, because their
    judgment would no longer be blind.
    """
    judged = here.person.id in set(one.judged["rater_id"])
    return judged or not assignment_ledger_of_task(
        here.store, one.task.name
    ).was_item_given_to_rater(one.item, here.person.id)


def _show(here: Here, work: Work, one: DividedItem, box: int, *, anew: bool = False) -> Any:
    """An item and the answers to it without names; returns the place below them. With ``anew`` its
    texts can be marked, for the form.
    """
    # Recorded: this lead's later judgments of the item are not blind.
    judging.record_reveal_and_say_if_new(here.store, one.task, item=one.item, viewer=here.person)
    st.markdown(f"### {escape_markdown(_heading(one))}")
    # Arms side by side need the whole width.
    arms = one.seen is not None and bool(one.seen.order)
    left, right = (st.container(), st.container()) if arms else st.columns([11, 9], gap="large")
    named = {f"{one.noun_for_answers} {name}": value for name, value in one.answers.items()}
    with left, own_item_and_answer_fields_for_adjudicator.container_beside_answers(one.item):
        if one.seen:
            own_item_and_answer_fields_for_adjudicator.draw_item_for_adjudicator(
                *(work.study, one.seen),
                named,
                item=one.item,
                sheet=one.name_of_item_in_form,
                reading=not anew,
            )
        elif one.marking:
            laid = one.marking.lay(here.store, one.item, False)
            shown = one.task.load_texts_by_heading_of_item(here.store, one.item)
            texts = {title: text for title, text in shown.items() if text != laid["text"]}
            _draw_question(texts)
            st.caption(escape_markdown(laid["title"]))
            drawn = {name: one.marking.drawn(value) for name, value in named.items()}
            text_to_mark.draw_text_to_mark(
                *(one.marking.asked, laid["text"]),
                key=f"settle.marks.{box}",
                item=one.name_of_item_in_form,
                of=_MARKS,
                others=None if anew else drawn,
            )
        else:
            _draw_texts(one.task.load_texts_by_heading_of_item(here.store, one.item))
    with left:
        _draw_history(here, one)
    # Beside an item they have a window of their own above the form, which stays in sight.
    with right, st.container(key=f"settle_{'below' if arms else 'beside'}.{box}"):
        _draw_answers(one, anew=anew)
    return right


def _draw_history(here: Here, one: DividedItem) -> None:
    """What raters and leads said of the item, without raters' names."""
    history = remarks_between_raters_and_leads.list_remarks_on_item(
        here.store, one.task, item=one.item, viewer=here.person
    )
    if history:
        st.caption("Remarks on this item")
        list_of_remarks_on_item.draw_item_remarks(history, named=False)


def _is_short(text: str) -> bool:
    return len(text) <= _SHORT and "\n" not in text


def _draw_question(texts: Mapping[str, str]) -> None:
    """What was asked, above the response to it, in a window of its own if it is long."""
    long = {title: text for title, text in texts.items() if text and not _is_short(text)}
    is_long = sum(map(len, long.values())) > _QUESTION
    with st.container(height=_QUESTION_WINDOW if is_long else "content", gap="xsmall"):
        for title, text in long.items():
            st.caption(escape_markdown(title))
            st.text(text, width="stretch")
    _draw_texts({title: text for title, text in texts.items() if title not in long})


def _draw_texts(texts: Mapping[str, str]) -> None:
    for are_short, found in itertools.groupby(
        ((title, text) for title, text in texts.items() if text), lambda each: _is_short(each[1])
    ):
        if are_short:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                for title, text in found:
                    with st.container(
                        horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
                    ):
                        st.caption(escape_markdown(title), width="content")
                        st.text(text, width="content")
            continue
        for title, text in found:
            with st.container(gap="xxsmall"):
                st.caption(escape_markdown(title))
                # A long text scrolls in its own box.
                with st.container(height=_WINDOW if len(text) > _LONG else "content"):
                    st.text(text, width="stretch")


def _draw_answers(one: DividedItem, *, anew: bool) -> None:
    task, answers = one.task, one.answers
    _draw_rewritten(one)
    differing = _differing(task, answers)
    if differing and len(task.called) > 1:
        st.caption("What they differ on is in bold.")
    # Under arms side by side there is room for the judgments of them side by side.
    beside = one.noun_for_answers == "Judgment" and len(answers) <= _BESIDE
    places = st.columns(len(answers), gap="medium") if beside else [st.container() for _ in answers]
    for place, (letter, value) in zip(places, answers.items(), strict=True):
        alike = [_same(task, value) == same for same in one.given]
        texts = one.judged["value"][alike].tolist()
        with place:
            st.markdown(
                f"**{one.noun_for_answers} {letter}** · given by {len(texts)} of {len(one.given)}"
            )
            marked = (
                [words for words, _ in task.pieces_of_answer_with_places(value)] if anew else ()
            )
            _draw_answer(task, value, texts, marked, differing)


def _decide(here: Here, work: Work, one: DividedItem, held: str) -> None:
    """What has been decided, and the form for a decision unless the item is ``held`` by another."""
    task, item, marking = one.task, one.item, one.marking
    judged, words = one.judged, one.list_decisions_with_names
    if words:
        _draw_decisions(one)
    elif one.history:
        _draw_withdrawn(one)
    if held:
        _tell_held(held)
        return
    if here.person.id in set(judged["rater_id"]):
        st.caption(":material/person_alert: You judged this item yourself: your decision says so.")
    with st.container(horizontal=True, vertical_alignment="center"):
        way = (
            draw_choice_kept_in_address_and_return_it("word", _WAYS)
            if task.form or marking or one.seen
            else "take"
        )
        unclear = st.popover(
            "The guideline is unclear here",
            icon=":material/help:",
            key=f"{task.name}.settle.unclear",
            on_change="rerun",
            type="tertiary",
        )
        if words:
            _draw_withdrawing(here, one)
    if unclear.open:
        with unclear:
            draw_unclear_guideline_form(
                *(here, task, item),
                called=one.name,
                about=f"{task.name}.{work.dataset}.{one.name}",
                submit="Add it to the list",
            )
    with st.container(key="settle-again" if words else "settle-first"):
        _draw_deciding(here, work, one, way)


def _draw_deciding(here: Here, work: Work, one: DividedItem, way: str) -> None:
    """The form for a decision: ``way`` is one of ``_WAYS``."""
    task, item, answers, marking = one.task, one.item, one.answers, one.marking
    judged, words = one.judged, one.list_decisions_with_names
    if way == "write":
        if marking:
            _mark(here, marking, one)
        elif one.seen:
            _write_own(here, work.study, one, one.seen)
        else:
            _write(here, one)
        return

    by_rule = task.answer_by_consensus_rule(judged["value"].tolist())
    pieces = _pieces(task, answers)
    disputed = _disputed(task, answers)

    def chosen(entered: Entries) -> Any:
        said = entered.get("answer") or ""
        if said in answers:
            return answers[said]
        if said == _BY_RULE and by_rule is not None:
            return by_rule
        if said == _EACH and disputed:
            return _put_together(task, answers, disputed, entered)
        if said == _MERGED and task.has_combinable_pieces:
            wanted = json.loads(entered.get("pieces") or "[]")
            found = [pieces[each] for each in wanted if each in pieces]
            if found:
                return task.combine_chosen_pieces(found)
            raise InvalidInput("Choose at least one mark.")
        raise InvalidInput("Choose the final answer.")

    def send(entered: Entries) -> None:
        value = None if entered.get("answer") == _NONE else chosen(entered)
        if value is not None and one.seen:
            if entered.get("answer") == _EACH:
                of = work.study, one.seen
                value = require_and_return_valid_combined_answer(
                    here.store, *of, item=item, value=value
                )
            else:
                value = one.seen.answers_with_arm_names(value)
        _settle(here, one, value, entered)

    options = [
        OptionData(
            value=each, name=f"{one.noun_for_answers} {each}", key=str(at) if at < 10 else ""
        )
        for at, each in enumerate(answers, 1)
    ]
    if by_rule is not None:
        options.append(
            {"value": _BY_RULE, "name": f"Under the strict rule: {task.decision_in_words(by_rule)}"}
        )
    fields: list[FieldData] = [
        {
            "id": "answer",
            "kind": "choice",
            "label": "Final answer",
            "options": options,
            "needed": True,
        },
        _WHY,
    ]
    if disputed:
        options.append({"value": _EACH, "name": "Choose question by question"})
        of_each: list[FieldData] = [
            {
                "id": f"{_EACH}.{name}",
                "kind": "choice",
                "label": task.called[name],
                "options": [
                    OptionData(
                        value=f"={cell}",
                        name=(task.cell_of_answer_in_words(name, cell) if cell else "no answer")
                        + f" ({letters})",
                    )
                    for cell, letters in by.items()
                ],
                "when": ("answer", _EACH),
            }
            for name, by in disputed.items()
        ]
        fields[1:1] = of_each
    if pieces:
        options.append({"value": _MERGED, "name": "Choose marks one by one"})
        fields.insert(
            1,
            {
                "id": "pieces",
                "kind": "several",
                "label": "Marks to keep",
                "options": [OptionData(value=each, name=each) for each in pieces],
                "when": ("answer", _MERGED),
            },
        )
    none = "No answer is right: the item has no consensus"
    options.append({"value": _NONE, "name": none, "key": "0"})
    sheet = form_sheet_of_session(
        here.store, here.person, "adjudication", f"{task.name}.{item}", send=send, anew=True
    )
    submit = "Settle it" if not words else "Settle it again"
    # In the fragment of the disagreements, which is all that changes: the page is not drawn again.
    draw_form_sheet_in_fragment(
        sheet, fields, submit=submit, keys=True, alone=True, onward="settle-Next"
    )


def _draw_decisions(one: DividedItem) -> None:
    """What adjudicators decided: the last decision in full, and all of them in a table."""
    st.markdown(
        ":material/check_circle: **Settled.** Go on with Next (J), or settle it again below."
    )
    last = one.list_decisions_with_names[-1]
    if one.task.called and last.value is not None:
        _draw_answer(one.task, last.value, [last.value])
    else:
        st.markdown(f"- {escape_markdown(one.task.decision_in_words(last.value))}")
    st.caption(f"{escape_markdown(last.reason)} ({escape_markdown(_by(last))})")
    if len(one.history) > 1:
        _draw_decision_history(one)


def _draw_withdrawn(one: DividedItem) -> None:
    """Who took the decision back and why, above all that was decided before."""
    last = one.history[-1]
    st.markdown(
        f":material/undo: **Not settled.** {escape_markdown(last.by)} withdrew the decision:"
        f" {escape_markdown(last.reason)}"
    )
    _draw_decision_history(one)


def _draw_decision_history(one: DividedItem) -> None:
    """All that was decided or withdrawn, in a table, the last first."""
    rows = [
        {
            "decision": "withdrawn" if each.withdrawn else one.task.decision_in_words(each.value),
            "reason": each.reason,
            "by": _by(each),
            "at": each.at,
        }
        for each in reversed(one.history)
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={"at": streamlit_column_of_times()},
        alt="What adjudicators decided and withdrew; the first row is the one that counts",
    )


def _draw_withdrawing(here: Here, one: DividedItem) -> None:
    """A button that takes the decision back: the item is not settled then."""

    def withdraw() -> None:
        try:
            done = consensus.withdraw_adjudications_and_list_items(
                here.store,
                one.task,
                decisions={one.item: one.list_decisions_with_names[-1].revision},
                by=here.person,
                reason=str(st.session_state.get(why, "")),
            )
        except Conflict as conflict:
            st.session_state[TOLD_AFTERWARDS] = str(conflict)
            return
        st.session_state[TOLD_AFTERWARDS] = (
            "The decision is withdrawn."
            if done
            else "Nothing was withdrawn: somebody else has since decided again. Read their "
            "decision."
        )

    key = f"settle.withdraw.{one.item}.{len(one.history)}"
    why = f"{key}.why"
    with st.popover("Withdraw this decision", icon=":material/undo:", type="tertiary"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Why (optional)", key=why, max_chars=2000)
            st.button("Withdraw it", key=key, on_click=withdraw)
        st.caption("The majority counts again. What was decided stays in the history.")


def _last(one: DividedItem) -> Any:
    """The answer decided last; None if there is none."""
    return one.list_decisions_with_names[-1].value if one.list_decisions_with_names else None


def _by(word: Word) -> str:
    by = word.by + (", who had judged it too" if word.judged else "")
    return f"{by}; settled together with others" if word.together else by


_WHY: FieldData = {
    "id": "reason",
    "kind": "text",
    "label": "Why (required)",
    "lines": 2,
    "longest": 2000,
    "sends": True,
    "into": "r",
    "needed": True,
}


def _settle(here: Here, one: DividedItem, value: Any, entered: Entries) -> None:
    consensus.record_adjudication(
        here.store,
        one.task,
        item=one.item,
        body=None if value is None else value.model_dump(mode="json"),
        reason=entered.get(_WHY["id"]) or "",
        by=here.person,
        base=len(one.history),
    )


def _marking(work: Work) -> Marking | None:
    """How error tagging marks texts, if the task is that."""
    return marking_setup_of_responses(work.study) if work.task.name == error_spans.NAME else None


def _mark(here: Here, marking: Marking, one: DividedItem) -> None:
    """Marks in the text, for an answer that nobody gave."""

    def answer(said: Entries) -> Any:
        value = one.task.parse(
            marking.kept(text_to_mark.parse_marks_body_of_field(_theirs(said).get(_MARKS)))
        )
        return consensus.validate_and_return_adjudicator_value(
            here.store, one.task, item=one.item, value=value
        )

    decided = _last(one)
    begins = {"The decision": decided.spans} if decided else {}
    begins |= {
        "The marks of all answers": merge_labels_by_place(
            s for v in one.answers.values() for s in v.spans
        )
    }
    begins |= {f"Answer {letter}": value.spans for letter, value in one.answers.items()}
    begins |= {"No marks": ()}
    given = {
        name: {
            _MARKS: text_to_mark.marks_as_field_value(
                span.model_dump(mode="json") for span in spans
            )
        }
        for name, spans in begins.items()
    }
    _draw_writing(here, one, [text_to_mark.field_of_marks(_MARKS, "Marks")], given, answer)


def _write(here: Here, one: DividedItem) -> None:
    """The task's own questions, for an answer that nobody gave; filled in as far as all agree, or
    with the decision.
    """
    task, form = one.task, one.task.form
    assert form is not None

    def answer(said: Entries) -> Any:
        reason = said.get(_WHY["id"]) or ""
        answers = field_values_as_answers(form, _theirs(said))
        return consensus.adjudicator_answer_from_form(
            here.store, task, item=one.item, answers=answers, reason=reason
        )

    decided = _last(one)
    cells = [
        task.answer_as_columns(value) for value in ([decided] if decided else one.answers.values())
    ]
    fields = [question_as_field(each) for each in form.questions]
    if len(fields) == 1:
        for at, option in enumerate(fields[0].get("options", ()), 1):
            option["key"] = str(at) if at < 10 else ""
    _draw_writing(here, one, fields, {"": _agreed(form, cells)}, answer)


def _write_own(here: Here, study: Any, one: DividedItem, seen: LetteredItem) -> None:
    """The same for a study of your own: its questions as at the desk, with marks in the item."""

    def answer(said: Entries) -> Any:
        return own_item_and_answer_fields_for_adjudicator.answer_from_field_values(
            here.store, study, seen, item=one.item, said=_theirs(said)
        )

    decided = _last(one)
    begins = {"The decision": decided} if decided else {}
    begins |= {
        "What all share": make_prefilled_adjudicator_answer(seen, list(one.answers.values()))
    }
    begins |= {
        f"{one.noun_for_answers} {name}": make_prefilled_adjudicator_answer(seen, [value])
        for name, value in one.answers.items()
    }
    begins |= {"Nothing": make_prefilled_adjudicator_answer(seen, [])}
    given = {
        name: own_item_and_answer_fields_for_adjudicator.field_values_of_answer(seen, it)
        for name, it in begins.items()
    }
    _draw_writing(
        here,
        one,
        own_item_and_answer_fields_for_adjudicator.question_fields_for_adjudicator(seen),
        given,
        answer,
    )


def _theirs(entered: Entries) -> Entries:
    """The entries of the task's own fields."""
    return {name.removeprefix(_OWN): it for name, it in entered.items() if name.startswith(_OWN)}


def _draw_writing(
    here: Here,
    one: DividedItem,
    fields: Sequence[FieldData],
    begins: Mapping[str, Entries],
    answer: Callable[[Entries], Any],
) -> None:
    """The form for an answer that nobody gave, with its reason; ``answer`` reads the entries. It
    begins with the first of ``begins``; one can begin again with any other.
    """

    def send(entered: Entries) -> None:
        _settle(here, one, answer(entered), entered)

    for each in fields:
        each["id"] = _OWN + each["id"]
        if when := each.get("when"):
            each["when"] = (_OWN + when[0], when[1])
    entered = {
        name: {_OWN + field: said for field, said in it.items()} for name, it in begins.items()
    }
    sheet = form_sheet_of_session(
        *(here.store, here.person, "adjudication", one.name_of_own_answer_sheet),
        send=send,
        given=next(iter(entered.values())),
        anew=True,
    )
    if len(entered) > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Start again from", width="content")
            for name, it in entered.items():
                st.button(
                    name,
                    key=f"settle.begin.{name}",
                    on_click=sheet.change_answer_and_save_draft,
                    kwargs=it,
                    type="tertiary",
                )
    submit = "Settle it" if not one.list_decisions_with_names else "Settle it again"
    said = own_item_and_answer_fields_for_adjudicator.field_value_in_words
    draw_form_sheet(
        *(sheet, [*fields, _WHY]),
        submit=submit,
        keys=True,
        said=said,
        alone=True,
        onward="settle-Next",
    )


def _agreed(form: Form, cells: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    """The choices that all answers share, as field values."""
    found: dict[str, str | None] = {}
    for one in form.questions:
        said = {
            answer_in_readable_form("" if row.get(one.id) is None else row[one.id]) for row in cells
        }
        cell = said.pop() if len(said) == 1 else ""
        chosen = [option for option in cell.split("; ") if option in one.options]
        if one.kind == "multiple" and chosen:
            found[one.id] = json.dumps(chosen)
        elif cell and (cell in one.shown_options or one.kind == "number"):
            found[one.id] = cell
    return found


def _draw_answer(
    task: Task,
    value: Any,
    alike: Sequence[Any],
    marked: Sequence[str] = (),
    bold: Collection[str] | None = None,
) -> None:
    """An answer, by question if it has several, with what it ``marked`` and what the people who
    gave it wrote: sorted, so that the order reveals nothing. ``bold`` are the questions whose
    answers stand out (None: all).
    """
    lines = [f"- {escape_markdown(task.decision_in_words(value))}"]
    if task.called:
        cells = [task.answer_as_columns(one) for one in alike]
        lines = []
        for name, wording in task.called.items():
            said = sorted(
                {
                    task.cell_of_answer_in_words(name, one[name])
                    for one in cells
                    if one.get(name) not in (None, "")
                }
            )
            told, strong = (
                escape_markdown(" / ".join(said)),
                "**" if bold is None or name in bold else "",
            )
            colon = "" if wording.endswith(("?", ".", "!", ":")) else ":"
            lines += [f"- {escape_markdown(wording)}{colon} {strong}{told}{strong}"] if said else []
    if not task.called:
        lines += [f"- {escape_markdown(one)}" for one in marked]
    lines += [f"- {escape_markdown(why)}" for why in _reasons(alike)]
    lines += [f"- {escape_markdown(line)}" for line in _notes(task, value)]
    st.markdown("\n".join(lines))


def _draw_rewritten(one: DividedItem) -> None:
    """The answers' rewritten texts side by side, with the changes in each."""
    for name, original in one.task.originals.items():
        said = {
            letter: one.task.answer_as_columns(value).get(name)
            for letter, value in one.answers.items()
        }
        texts = {
            f"{one.noun_for_answers} {letter}": original if text == UNCHANGED else str(text)
            for letter, text in said.items()
            if text
        }
        if texts:
            st.markdown(f"**{escape_markdown(one.task.called[name])}**")
            draw_changes_of_several_people(original, texts)


def _notes(task: Task, value: Any) -> list[str]:
    """The comments and links on an answer's marks."""
    if not task.do_answers_have_parts:
        return []
    found = []
    for part in task.answer_as_rows_of_parts(value):
        more = [str(part[name]) for name in ("span_comment", "link") if part.get(name)]
        if more:
            found.append(f"\u201c{part.get('quote', '')}\u201d: {' · '.join(more)}")
    return list(dict.fromkeys(found))


def _disputed(task: Task, answers: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """``_differing``, if there is more than one: then each can be settled by itself."""
    found = _differing(task, answers)
    return found if len(found) > 1 else {}


def _differing(task: Task, answers: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The compared questions that were answered differently: by question, by answer (as in a cell),
    the letters of those who gave it.
    """
    cells = {letter: task.answer_as_columns(value) for letter, value in answers.items()}
    measured = [
        name for value in answers.values() for name in task.values_compared_for_agreement(value)
    ]
    found: dict[str, dict[str, str]] = {}
    for name in task.called:
        if not any(one == name or one.startswith(f"{name}: ") for one in measured):
            continue
        by: dict[str, str] = {}
        for letter, row in cells.items():
            cell = row.get(name)
            said = "" if cell is None else str(cell)
            by[said] = f"{by[said]}, {letter}" if said in by else letter
        if len(by) > 1:
            found[name] = by
    return found


def _put_together(
    task: Task, answers: Mapping[str, Any], disputed: Iterable[str], entered: Entries
) -> Any:
    """The answer from one choice per disputed question; agreed parts stay, free text does not.

    Raises:
        InvalidInput: a question has no choice yet.
    """
    row = dict(task.answer_as_columns(next(iter(answers.values()))))
    measured = [
        name for value in answers.values() for name in task.values_compared_for_agreement(value)
    ]
    for name in task.called:
        if not any(one == name or one.startswith(f"{name}: ") for one in measured):
            row[name] = None
    for name in disputed:
        said = entered.get(f"{_EACH}.{name}")
        if said is None:
            raise InvalidInput(f"Choose an answer to: {task.called[name]}")
        row[name] = said.removeprefix("=")
    return task.answer_from_columns(
        {name: "" if cell is None else str(cell) for name, cell in row.items()}
    )


def _pieces(task: Task, answers: Mapping[str, Any]) -> dict[str, tuple[Any, int]]:
    """Each distinct piece of the answers, by its words and the letters of the answers with it."""
    if not task.has_combinable_pieces:
        return {}
    found: dict[tuple[str, str], list[tuple[str, Any, int]]] = {}
    for letter, value in answers.items():
        for at, piece in enumerate(task.pieces_of_answer_with_places(value)):
            found.setdefault(piece, []).append((letter, value, at))
    known = Counter(words for words, _ in found)
    return {
        f"{words} ({', '.join(dict.fromkeys(one[0] for one in of))}"
        f"{f'; {where}' if known[words] > 1 and where else ''})": of[0][1:]
        for (words, where), of in found.items()
    }


def _same(task: Task, value: Any) -> str:
    """A key for answers that count as one: what is compared, and all their marks."""
    spans = [one.model_dump(mode="json") for one in getattr(value, "spans", ())]
    if (other := task.uncompared_values_of_answer_by_name(value)) or (spans and task.told_by_marks):
        return json.dumps([task.decision_in_words(value), *other.values(), spans])
    return (
        task.decision_in_words(value)
        if not task.has_combinable_pieces
        else str(value.model_dump_json())
    )


def _unnamed(item: str, answers: Iterable[str], *, numbered: bool) -> dict[str, str]:
    """The distinct answers by letter, or ``numbered`` from 1, in an order that does not reveal who
    gave them.
    """
    order = sorted(answers, key=lambda one: blake2b(f"{item} {one}".encode()).digest())
    first = 1 if numbered else ord("A")
    return {str(at) if numbered else chr(at): one for at, one in enumerate(order, first)}


def _reasons(values: Iterable[Any]) -> list[str]:
    """The reasons given for an answer, sorted, so that their order reveals nothing either."""
    reasons = {
        str(getattr(value, "reason", "") or getattr(value, "comment", "")).strip()
        for value in values
    }
    return sorted(reasons - {""})
