"""Gold items: their expected answers, who matches them, and the forms to set them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, cast

import pandas as pd
import streamlit as st

from medlens.errors import Conflict, InvalidInput
from medlens.review import agreement, assignment, consensus, items, judging, practice, raters
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.result_cache import cache_until_tables_grow
from medlens.stats.estimate import Estimate
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.study_in_dataset import Study
from medlens.ui.answer_form import FieldData, OptionData, options_chosen_in_field_value
from medlens.ui.form_outside_queue import (
    Entries,
    FormSheet,
    Unfinished,
    draw_form_sheet,
    form_sheet_of_session,
)
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.team_agreement import judgments_table_of_work
from medlens.ui.team_task_settings import Work
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

_HIDDEN, _PRACTICE, _NEITHER = "hidden", "practice", "neither"
_KNOWN, _MINE = " known", " mine"  # no name begins with a space
_ASKED = "gold.asked"
_NAMED = 10
_LISTED = 10_000
"""How many names a list holds: with more, the browser would wait for it."""


def draw_gold_items_and_form(here: Here, work: Work) -> None:
    """A task's gold items, hidden or for practice, how people did, and the form to add one."""
    st.header("Gold items", anchor=False)
    if not work.task.can_items_be_gold:
        st.markdown("No right answer to this task can be known in advance.")
        return
    share = work.settings.gold_share
    st.caption(
        "Items whose answer you know. Hidden ones are mixed into everyone's work without being"
        f" marked ({share:.0%} of it). Those for practice come first: after each, newcomers see"
        " what was expected and your explanation, and their answers never count."
    )
    if not share and not work.task.everyone:
        st.caption("The share of gold items is 0 (Hand out), so no hidden gold item is given.")
    gold = consensus.gold_items_table(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    if not gold.empty:
        bodies = items.load_item_bodies_by_id(here.store, gold["item_id"].tolist())
        table = {
            "item": gold["item"],
            "expected": [
                practice.expected_answer_in_words(
                    work.task.task_as_asked_of_item(bodies[item]), expected
                )
                for item, expected in zip(gold["item_id"], gold["expected"], strict=True)
            ],
            "use": ["hidden" if word is None else "practice" for word in gold["practice"]],
            "explanation": gold["practice"],
        }
        st.dataframe(pd.DataFrame(table), hide_index=True, placeholder="")
        _tell_impossible(here, work, gold)
        if gold["practice"].isna().any():
            _hits(here, work, gold)
    _form(here, work, changing=not gold.empty)
    if there := len(
        practice.load_practice_explanations_by_item_id(here.store, work.task.name, work.dataset)
    ):
        _practice(here, work, there)


def _tell_impossible(here: Here, work: Work, gold: pd.DataFrame) -> None:
    """The items whose expected answer nobody can give (any more), by the reason."""
    names: dict[str, list[str]] = {}
    for item, name, expected in zip(gold["item_id"], gold["item"], gold["expected"], strict=True):
        for problem in work.task.list_reasons_expected_answer_is_impossible(
            here.store, item, expected
        ):
            names.setdefault(problem, []).append(name)
    for problem, items_told in names.items():
        some = escape_markdown(", ".join(items_told[:_NAMED])) + " …" * (len(items_told) > _NAMED)
        st.warning(f"{problem} Change these gold items below: {some}", icon=":material/error:")


def _form(here: Here, work: Work, *, changing: bool) -> None:
    """Adds a gold item or changes one: its expected answer, its use, and why it is right."""
    task, dataset = work.task, work.dataset
    labels = work.study.taxonomy.labels if isinstance(work.study, Study) else ()
    judged = judgments_table_of_work(here, work)
    people = list(dict.fromkeys(judged["rater"][judged["rater_kind"] == "person"]))

    def send(entered: Entries) -> None:
        item, use = _item(here, work, entered), entered.get("use")
        if use == _NEITHER:
            _key_of(here, work, item, entered)
            consensus.set_or_unset_gold_item(
                here.store, task, item=item, expected={}, active=False, by=here.person
            )
            return
        expected = _expected(here, work, item, entered, judged)
        if expected is None:
            # They answer it at the desk, and find these entries when they return, be it in another
            # browser.
            assignment.assign_item_to_lead_for_answer_key(
                here.store, task, work.settings, item=item, by=here.person
            )
            raise Unfinished
        _no_other(here, work, item, entered, expected)
        if use:
            why = (entered.get("why") or "") if use == _PRACTICE else None
            expected = practice.expected_answer_and_explanation_by_field(expected, why)
        consensus.set_or_unset_gold_item(
            here.store, task, item=item, expected=expected, active=True, by=here.person
        )

    key: FieldData = {
        "id": "labels",
        "kind": "several",
        "label": "Expected labels",
        "options": [OptionData(value=one.id, name=one.name) for one in labels],
    }
    if not labels:
        ways = [(_KNOWN, "the right answer of its file")] if task.does_data_bring_gold else []
        ways += [(_MINE, "my own (you are taken to the item if you have not answered it)")]
        ways += [(one, one) for one in people if one != here.person.name]
        key = {
            "id": "whose",
            "kind": "choice",
            "label": "Use the answer of",
            "options": [OptionData(value=value, name=name) for value, name in ways],
        }
    uses = {_HIDDEN: "hidden", _PRACTICE: "for practice", _NEITHER: "no longer a gold item"}
    fields: list[FieldData] = [
        key,
        {
            "id": "use",
            "kind": "choice",
            "label": "How it is used",
            "options": [OptionData(value=value, name=name) for value, name in uses.items()],
        },
        {
            "id": "why",
            "kind": "text",
            "label": "Why this is the answer, as newcomers will read it",
            "lines": 2,
            "longest": practice.LONGEST,
            "when": ("use", _PRACTICE),
        },
    ]
    sheet = form_sheet_of_session(
        here.store,
        here.person,
        "gold",
        f"{task.name}.{dataset}",
        send=send,
        anew=True,
    )
    _to_the_desk(here, work, sheet.body)
    with st.container(border=True):
        _choose_item(here, work, sheet, changing=changing)
        draw_form_sheet(sheet, fields, submit="Save gold item", beside={"name": "Item"})


def _choose_item(here: Here, work: Work, sheet: FormSheet, *, changing: bool) -> None:
    """The item's name, found by typing part of it; in a very large dataset, typed whole."""
    task, key = work.task, "gold.name"
    names = _names(here.store, task.requires, task.study, task.item_kind, work.dataset)
    now = sheet.body.get("name") or None
    here_too = () if now is None or now in names[:_LISTED] else (now,)
    st.session_state[key] = now

    def choose() -> None:
        sheet.change_answer_and_save_draft(name=st.session_state[key])

    st.selectbox(
        "Item",
        (*here_too, *names[:_LISTED]),
        index=None,
        key=key,
        placeholder="Choose, or type part of its name"
        if len(names) <= _LISTED
        else "Type its name",
        accept_new_options=len(names) > _LISTED,
        on_change=choose,
    )
    if changing:
        st.caption("To change one of those above, choose it and enter only what changes.")


@cache_until_tables_grow("item", most=16)
def _names(store: Store, requires: str, study: str, kind: str, dataset: str) -> tuple[str, ...]:
    found = items.names_by_id_of_kind(store, requires, study=study, kind=kind, dataset=dataset)
    return tuple(found.values())


def _expected(
    here: Here, work: Work, item: str, entered: Entries, judged: pd.DataFrame
) -> Mapping[str, Any] | None:
    """The chosen answer, else the item's existing key; None if it is to be the lead's own answer
    and they have not given one yet.
    """
    task = work.task
    if labels := options_chosen_in_field_value(entered.get("labels")):
        assert isinstance(work.study, Study)
        if breaches := work.study.taxonomy.list_exclusivity_breaches_in_words(labels):
            raise InvalidInput(" ".join(breaches))
        return {"labels": labels}
    whose = entered.get("whose")
    if whose == _KNOWN and task.does_data_bring_gold:
        found = task.read_gold_from_data(here.store, item)
        if found is None:
            raise InvalidInput("The file has no right answer to this item.")
        return found
    if whose == _MINE and task.can_answer_become_gold:
        mine = judging.last_own_answer(here.store, task, item=item, rater=here.person.id)
        return None if mine is None else task.make_gold_from_answer(mine)
    if whose and task.can_answer_become_gold:
        of_them = judged["value"][(judged["item_id"] == item) & (judged["rater"] == whose)]
        if of_them.empty:
            raise InvalidInput(f"{whose} has not judged this item.")
        return task.make_gold_from_answer(of_them.iloc[0])
    if not entered.get("use"):
        raise InvalidInput(
            "A gold item needs an expected answer.",
            hint="Choose it; for a gold item that has one, choose only its new use.",
        )
    return _key_of(here, work, item, entered)


def _no_other(
    here: Here, work: Work, item: str, entered: Entries, expected: Mapping[str, Any]
) -> None:
    """Ask once before another lead's key is replaced.

    Raises:
        Conflict: another lead has made the item gold with another key, and nobody was asked yet.
    """
    gold = consensus.gold_items_table(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    name = (entered.get("name") or "").strip()
    for _, one in gold[gold["item_id"] == item].iterrows():
        asked = (one["by"], item, json.dumps(one["expected"]), json.dumps(expected))
        if one["by"] in (here.person.name, "import") or one["expected"] == expected:
            return
        if st.session_state.get(_ASKED) == asked:
            return
        st.session_state[_ASKED] = asked
        task = work.task.task_as_asked_of_item(items.item_body(here.store, item))
        raise Conflict(
            f"{one['by']} has made {name} a gold item, expecting:"
            f" {practice.expected_answer_in_words(task, one['expected'])}.",
            hint="Save again to put your answer in its place.",
        )


def _key_of(here: Here, work: Work, item: str, entered: Entries) -> Mapping[str, Any]:
    """The expected answer of a gold item.

    Raises:
        InvalidInput: it is no gold item.
    """
    gold = consensus.gold_items_table(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    keys = dict(zip(gold["item_id"], gold["expected"], strict=True))
    if item not in keys:
        raise InvalidInput(
            f"{(entered.get('name') or '').strip()} is not a gold item: it has no expected answer.",
            hint="Choose one to make it a gold item.",
        )
    return cast(Mapping[str, Any], keys[item])


def _to_the_desk(here: Here, work: Work, entered: Entries) -> None:
    """The way to the desk for a lead who was given the item to answer it for its key, or that they
    have answered it; nothing for others.
    """
    name = (entered.get("name") or "").strip()
    if entered.get("whose") != _MINE or not name:
        return
    known = items.item_ids_by_name(here.store, work.task.study, work.dataset, [name])
    item = known.get(name, "")
    given = (
        assignment_ledger_of_task(here.store, work.task.name)
        .by_rater.get(here.person.id, {})
        .get(item)
    )
    if given is None or not given.for_key:
        return
    if given.is_judged:
        st.markdown(
            f":material/check: You have answered **{escape_markdown(name)}**. Press Save gold "
            "item to make"
            " your answer its key."
        )
        return
    declared = STUDIES[work.task.study]
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/edit: Answer **{escape_markdown(name)}** at the desk, then come back and "
            "press"
            " Save gold item: what you have entered here stays."
        )
        st.page_link(
            declared.page,
            label="Answer it",
            icon=":material/arrow_forward:",
            query_params={
                **declared.views[work.task.name],
                "dataset": work.dataset,
                "item": name,
            },
        )


def _practice(here: Here, work: Work, there: int) -> None:
    """What newcomers must reach, out of this many items, and how they did."""
    task, dataset = work.task, work.dataset
    st.header("Practice", anchor=False)
    now = practice.practice_rules_of_round(here.store, task.name, dataset)

    each = now.each or there
    with st.container(horizontal=True):
        for name, label, least, most, hint in (
            ("each", "Items per attempt (0: all)", 0, there, "Further attempts get other items."),
            ("mark", f"Expected answers needed, of {each} (0: none)", 0, each, None),
            ("attempts", "Attempts allowed", 1, practice.MOST, "Each attempt is kept."),
        ):
            st.number_input(
                label,
                least,
                most,
                min(max(getattr(now, name), least), most),
                key=f"practice.{name}",
                on_change=_set_practice_rules,
                args=(here, work),
                help=hint,
                width=260,
            )
    _newcomers(here, work)


def _set_practice_rules(here: Here, work: Work) -> None:
    """Set what newcomers must reach as it stands in the fields."""
    names = [one.name for one in dataclasses.fields(practice.Rules)]
    # A late change: with the last item of practice the fields have gone.
    if any(f"practice.{name}" not in st.session_state for name in names):
        return
    with here.show_errors_within():
        new = practice.Rules(**{name: int(st.session_state[f"practice.{name}"]) for name in names})
        practice.set_practice_rules(here.store, work.task.name, work.dataset, new, by=here.person)


def _newcomers(here: Here, work: Work) -> None:
    task, dataset = work.task, work.dataset
    found = practice.practice_standings_by_rater(
        here.store, task, dataset=dataset, viewer=here.person
    )
    if not found:
        return
    held = {
        rater
        for rater in found
        if assignment.failed_practice_of_rater(here.store, task, dataset=dataset, rater=rater)
    }
    people = {rater: _name(here, rater) for rater in found}
    st.dataframe(
        pd.DataFrame(
            {
                "person": people[rater],
                "attempt": f"{at} of {max(one.attempts, len(one.tries))}",
                "answered": len(tried),
                "as expected": practice.count_answers_as_expected(tried),
                "last answer": max((each.at for each in tried), default=None),
                "may continue": _goes_on(one, held_back=rater in held)
                if at == len(one.tries)
                else "",
            }
            for rater, one in found.items()
            for at, tried in enumerate(one.tries, 1)
        ),
        hide_index=True,
        placeholder="",
        column_config={"last answer": streamlit_column_of_times()},
    )
    out = [
        OptionData(value=rater, name=people[rater] + (" (let in)" if one.let_in else ""))
        for rater, one in found.items()
        if one.let_in or rater in held
    ]
    if not out:
        return

    def send(entered: Entries) -> None:
        rater = entered.get("who") or ""
        if rater not in found:
            raise InvalidInput("Choose a person.")
        reason, back = entered.get("reason") or "", found[rater].let_in
        practice.admit_or_bar_despite_practice(
            here.store, task.name, dataset, rater, reason=reason, by=here.person, back=back
        )

    with st.container(border=True):
        draw_form_sheet(
            form_sheet_of_session(
                here.store, here.person, "let-in", f"{task.name}.{dataset}", send=send, anew=True
            ),
            [
                {
                    "id": "who",
                    "kind": "choice",
                    "label": "Let in, or undo that",
                    "options": out,
                },
                {"id": "reason", "kind": "text", "label": "Why (required)", "longest": 500},
            ],
            submit="Save",
        )


def _name(here: Here, rater: str) -> str:
    person = raters.find_rater(here.store, rater)
    return person.name if person else rater


def _goes_on(one: practice.PracticeStanding, *, held_back: bool) -> str:
    if held_back:
        return f"no, {one.mark} needed" + (
            f", can try {one.count_of_attempts_left} more" if one.count_of_attempts_left else ""
        )
    if one.let_in:
        return "yes, let in"
    if len(one.items_tried_in_last_attempt) < one.items:
        return "still practising"
    return "yes" if one.has_passed else "yes, started earlier"


def _hits(here: Here, work: Work, gold: pd.DataFrame) -> None:
    judged = judgments_table_of_work(here, work)
    people = judged[judged["rater_kind"] == "person"]
    own = consensus.item_and_rater_ids_of_gold_key_authors(
        here.store, work.task, dataset=work.dataset
    )
    share = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        _table(agreement.gold_hit_rates_by_rater(work.task, people, gold, own)),
        hide_index=True,
        placeholder="–",
        column_config={"hit rate": share, "low": share, "high": share},
    )


def _table(hits: dict[str, Estimate]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "rater": rater,
                "hits": one.numerator,
                "gold items judged": one.n,
                "hit rate": one.value,
                "low": one.low,
                "high": one.high,
            }
            for rater, one in hits.items()
        ]
    )


def _item(here: Here, work: Work, entered: Entries) -> str:
    name = (entered.get("name") or "").strip()
    if not name:
        raise InvalidInput("Choose the item.")
    known = items.item_ids_by_name(here.store, work.task.study, work.dataset, [name])
    if name not in known:
        raise InvalidInput(f"There is no item called {name} in this dataset.")
    return known[name]
