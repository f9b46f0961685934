"""Gold items: what the answer must be, who meets it, and the forms that say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import agreement, assignment, consensus, items, practice, raters
from medlens.stats.estimate import Estimate
from medlens.studies.tagging.study import Study
from medlens.ui.answer_form import FieldData, OptionData, chosen_of
from medlens.ui.frame import Here
from medlens.ui.sheet import Entries, draw_sheet, open_sheet
from medlens.ui.team_task import Work

_NOBODY = " nobody"  # no name begins with a space


def draw(here: Here, work: Work) -> None:
    """The gold items of a task, the hit rates, and the way to add one."""
    st.subheader("Gold items", anchor=False)
    if work.task.gold_hit is None:
        st.markdown("No right answer to this task can be known in advance.")
        return
    st.caption(
        "Items whose answer you know, mixed into everyone's work without being marked "
        f"({work.settings.gold_share:.0%} of it). Reviewers cannot tell them apart."
    )
    gold = consensus.gold(here.store, work.task, dataset=work.dataset, viewer=here.person)
    if not gold.empty:
        shown = [practice.told(work.task, expected) for expected in gold["expected"]]
        is_practice = [word is not None for word in gold["practice"]]
        table = {"item": gold["item"], "expected": shown, "practice": is_practice}
        st.dataframe(pd.DataFrame(table), hide_index=True)
        _hits(here, work, gold)
    if isinstance(work.study, Study):
        _by_labels(here, work, work.study)
    elif work.task.gold_of is not None:
        _by_judgment(here, work)
    if not gold.empty:
        _practice(here, work, gold)


def _practice(here: Here, work: Work, gold: pd.DataFrame) -> None:
    """Which gold items are for practice, what newcomers must meet, and how they did."""
    task, dataset = work.task, work.dataset
    st.subheader("Practice", anchor=False)
    st.caption(
        "Gold items that newcomers get first. After each they see what was expected, and your"
        " explanation. Their answers to these never count. People who have already judged other"
        " items do not get them."
    )

    def send(entered: Entries) -> None:
        item = _item(here, work, entered)
        why = (entered.get("why") or "") if entered.get("is") != "no" else None
        practice.make(here.store, task, item=item, why=why, by=here.person)

    names = [OptionData(value=name, name=name) for name in gold["item"]]
    with st.container(border=True):
        draw_sheet(
            open_sheet(
                here.store, here.person, "practice", f"{task.name}.{dataset}", send=send, anew=True
            ),
            [
                {"id": "name", "kind": "choice", "label": "Gold item", "options": names},
                {
                    "id": "is",
                    "kind": "choice",
                    "label": "Use it",
                    "hint": "Judgments already made of a practice item do not count either.",
                    "options": [
                        OptionData(value="yes", name="for practice"),
                        OptionData(value="no", name="as a hidden gold item"),
                    ],
                },
                {
                    "id": "why",
                    "kind": "text",
                    "label": "Why this is the answer, as newcomers will read it",
                    "lines": 2,
                    "longest": 2000,
                    "when": ("is", "yes"),
                },
            ],
            submit="Save",
        )
    there = len(practice.items_of(here.store, task.name, dataset))
    if not there:
        return
    mark = practice.mark_of(here.store, task.name, dataset)

    def set_mark() -> None:
        with here.errors():
            number = int(st.session_state["practice.mark"])
            practice.set_mark(here.store, task.name, dataset, number, by=here.person)

    st.number_input(
        f"Expected answers needed to continue, of {there} (0: none)",
        0,
        there,
        min(mark, there),
        key="practice.mark",
        on_change=set_mark,
        width=420,
    )
    _newcomers(here, work)


def _newcomers(here: Here, work: Work) -> None:
    task, dataset = work.task, work.dataset
    found = practice.everyone(here.store, task, dataset=dataset, viewer=here.person)
    if not found:
        return
    held = {
        rater
        for rater in found
        if assignment.held_back(here.store, task, dataset=dataset, rater=rater)
    }
    people = {rater: _name(here, rater) for rater in found}
    st.dataframe(
        pd.DataFrame(
            {
                "person": people[rater],
                "practised": f"{len(one.tried)} of {one.items}",
                "as expected": one.hits,
                "may continue": _goes_on(one, held_back=rater in held),
            }
            for rater, one in found.items()
        ),
        hide_index=True,
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
        practice.let_in(
            here.store, task.name, dataset, rater, reason=reason, by=here.person, back=back
        )

    with st.container(border=True):
        draw_sheet(
            open_sheet(
                here.store, here.person, "let-in", f"{task.name}.{dataset}", send=send, anew=True
            ),
            [
                {
                    "id": "who",
                    "kind": "choice",
                    "label": "Let in, or undo that",
                    "options": out,
                },
                {"id": "reason", "kind": "text", "label": "Why", "longest": 500},
            ],
            submit="Save",
        )


def _name(here: Here, rater: str) -> str:
    person = raters.find(here.store, rater)
    return person.name if person else rater


def _goes_on(one: practice.Standing, *, held_back: bool) -> str:
    if held_back:
        return f"no, {one.mark} needed"
    if one.let_in:
        return "yes, let in"
    if len(one.tried) < one.items:
        return "still practising"
    return "yes" if one.passed else "yes, started earlier"


def _hits(here: Here, work: Work, gold: pd.DataFrame) -> None:
    judged = consensus.judgments(here.store, work.task, dataset=work.dataset, viewer=here.person)
    people = judged[judged["rater_kind"] == "person"]
    share = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        _table(agreement.gold_hits(work.task, people, gold)),
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


def _by_labels(here: Here, work: Work, study: Study) -> None:
    def send(entered: Entries) -> None:
        item, labels = _item(here, work, entered), chosen_of(entered.get("labels"))
        if breaches := study.taxonomy.breaches(labels):
            raise InvalidInput(" ".join(breaches))
        _save(here, work, item, {"labels": labels}, active=bool(labels))

    labels: FieldData = {
        "id": "labels",
        "kind": "several",
        "label": "Expected labels (leave empty to remove the item from the gold items)",
        "options": [OptionData(value=one.id, name=one.name) for one in study.taxonomy.labels],
    }
    _draw(here, work, labels, send)


def _by_judgment(here: Here, work: Work) -> None:
    """An item becomes gold by a judgment of it, of whoever knows the answer."""
    judged = consensus.judgments(here.store, work.task, dataset=work.dataset, viewer=here.person)
    people = list(dict.fromkeys(judged["rater"][judged["rater_kind"] == "person"]))

    def send(entered: Entries) -> None:
        item, whose = _item(here, work, entered), entered.get("whose")
        if not whose:
            raise InvalidInput("Choose whose answer is the expected one.")
        if whose == _NOBODY:
            _save(here, work, item, {}, active=False)
            return
        found = judged["value"][(judged["item_id"] == item) & (judged["rater"] == whose)]
        if found.empty or work.task.gold_of is None:
            raise InvalidInput(f"{whose} has not judged this item.")
        _save(here, work, item, work.task.gold_of(found.iloc[0]), active=True)

    whose: FieldData = {
        "id": "whose",
        "kind": "choice",
        "label": "Use the answer of",
        "hint": "Judge the item yourself first, then make your own judgment the expected answer.",
        "options": [OptionData(value=one, name=one) for one in people]
        + [OptionData(value=_NOBODY, name="nobody: no longer a gold item")],
    }
    _draw(here, work, whose, send)


def _draw(here: Here, work: Work, expected: FieldData, send: Callable[[Entries], None]) -> None:
    name = f"{work.task.name}.{work.dataset}"
    sheet = open_sheet(here.store, here.person, "gold", name, send=send, anew=True)
    item: FieldData = {
        "id": "name",
        "kind": "text",
        "label": "Item",
        "placeholder": "its name, such as item96",
    }
    with st.container(border=True):
        draw_sheet(sheet, [item, expected], submit="Save gold item")


def _item(here: Here, work: Work, entered: Entries) -> str:
    name = (entered.get("name") or "").strip()
    known = items.by_names(here.store, work.task.study, work.dataset, [name])
    if name not in known:
        raise InvalidInput(f"There is no item called {name} in this dataset.")
    return known[name]


def _save(here: Here, work: Work, item: str, expected: Mapping[str, Any], *, active: bool) -> None:
    consensus.set_gold(
        here.store, work.task, item=item, expected=expected, active=active, by=here.person
    )
