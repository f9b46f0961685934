"""Marked texts, in any study: the desk, everyone's marks on one text, the adjudicator's own
marks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from medlens.review import consensus
from medlens.review.tasks import HandOut, Task
from medlens.ui import Here, address, desk_view, rounds
from medlens.ui.answer_form import FieldData
from medlens.ui.share import acknowledged
from medlens.ui.sheet import Entries, Sheet, draw_here
from medlens.ui.span_desk import Marking, SpanDesk
from medlens.ui.span_tagger import Message, at_hand, in_order, named_marks, span_tagger
from medlens.ui.span_tagger.message import Body
from medlens.ui.styles import style

STYLE = style("marks")


# -- the desk --------------------------------------------------------------------------------------


def open_desk(
    here: Here,
    task: Task,
    make: Callable[[], Marking],
    *,
    dataset: str,
    settings: HandOut,
    sign: Sequence[Any],
) -> SpanDesk:
    """The session's desk for a task, set up again when the person, what they are handed, or what
    ``make`` works from (``sign``) changes.
    """
    key = f"{task.name}.desk"
    sign = (here.person.id, dataset, settings, *sign)
    held: tuple[Any, SpanDesk] | None = st.session_state.get(key)
    asked = st.query_params.get("item", "")
    if held is None or held[0] != sign:
        desk = SpanDesk(
            store=here.store,
            task=task,
            settings=settings,
            dataset=dataset,
            rater=here.person,
            marking=make(),
        )
        desk.open(asked)
        st.session_state[key] = (sign, desk)
    else:
        desk = held[1]
        if asked and (desk.place is None or asked != desk.place.name):
            desk.open(asked)
    desk_view.say_not_theirs(desk, asked)
    _show_in_address(desk)
    return desk


def draw_desk(desk: SpanDesk) -> None:
    """Draw the item on the desk; rerun the page after practice or the last item."""
    with st.container(key="tagger"):
        _draw_surface(desk)


@st.fragment
def _draw_surface(desk: SpanDesk) -> None:
    with desk_view.room_for_more():
        desk_view.draw_suggested(desk)
    span_tagger.draw(desk, desk.data, key=f"{desk.task.name}.surface", whole=True)
    if desk.item is None or rounds.has_practised(desk):
        _show_in_address(desk)
        st.rerun()


def _show_in_address(desk: SpanDesk) -> None:
    name = desk.place.name if desk.place else ""
    if st.query_params.get("item", "") != name:
        address.go(item=name)


# -- what others marked ----------------------------------------------------------------------------


def draw_all(
    here: Here, marking: Marking, item: str, answers: Mapping[str, Any], *, key: str
) -> None:
    """A text with the marks of all answers, each with its answer's letter."""
    drawn = {f"Answer {letter}": marking.drawn(value) for letter, value in answers.items()}
    asked = {"comment": any(one["comment"] for one in drawn.values()), "fields": []}
    span_tagger.show(
        at_hand(
            {**marking.asked, **asked},
            marking.lay(here.store, item, False),
            item,
            named_marks(drawn),
            rater="view:everyone",
            state="submitted",
            readonly=True,
            among=True,
        ),
        key=key,
        on_message=lambda message: None,
    )


def in_words(marking: Marking, value: Any) -> list[str]:
    """An answer's marks, one line each: labels and quoted words."""
    names = {one["id"]: one["name"] for one in marking.asked["labels"]}
    return [
        f"{'; '.join(names.get(one, one) for one in span['labels'])}: "
        + (f"\u201c{' '.join(span['quote'].split())}\u201d" if span["quote"] else "no place")
        for span in in_order(marking.drawn(value)["spans"])
    ]


# -- the adjudicator's marks -----------------------------------------------------------------------

_MARKS = "own.spans"
"""The entry of the adjudicator's sheet that holds the marks, as JSON."""
_SETTLING = "settling.marks"


def write(
    here: Here,
    task: Task,
    marking: Marking,
    item: str,
    answers: Mapping[str, Any],
    decided: Any,
    open_it: Callable[[Callable[[Entries], Any], Entries], Sheet],
    why: FieldData,
    *,
    submit: str,
) -> None:
    """The text to be marked by the adjudicator, and the reason below. It begins with the marks of
    ``decided`` or, if that is None, with everyone's.

    ``open_it`` opens the sheet that keeps both until they are sent; it is given a function that
    turns the entries into an answer, and the initial entries.
    """
    bodies = {letter: marking.drawn(value) for letter, value in answers.items()}
    begins = {"The marks of all answers": _everything(list(bodies.values()))}
    begins |= {f"Answer {letter}": body for letter, body in bodies.items()}
    begins |= {"No marks": {"spans": [], "comment": "", "answers": {}}}
    if decided is not None:
        begins = {"The decision": marking.drawn(decided)} | begins
    first = json.dumps(next(iter(begins.values())))

    def answer(entered: Entries) -> Any:
        body = Body.model_validate_json(entered.get(_MARKS) or first)
        value = task.as_submitted(task.parse(marking.kept(body)))
        return consensus.allowed(here.store, task, item=item, value=value)

    _draw_writing(here, marking, item, open_it(answer, {_MARKS: first}), begins, why, submit=submit)


# A fragment: setting a mark redraws nothing else on the page.
@st.fragment
def _draw_writing(
    here: Here,
    marking: Marking,
    item: str,
    sheet: Sheet,
    begins: Mapping[str, Mapping[str, Any]],
    why: FieldData,
    *,
    submit: str,
) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Start again from", width="content")
        for name, body in begins.items():
            st.button(
                name,
                key=f"settle.begin.{name}",
                on_click=sheet.change,
                kwargs={_MARKS: json.dumps(body)},
                type="tertiary",
            )
    _draw_marks(here, marking, item, sheet)
    draw_here(sheet, [why], submit=submit, keys=True, names={_MARKS: "Marks"}, said=_in_words)
    if sheet.moved:
        st.rerun()


def _draw_marks(here: Here, marking: Marking, item: str, sheet: Sheet) -> None:
    said = sheet.body.get(_MARKS) or sheet.given.get(_MARKS) or ""
    held = st.session_state.get(_SETTLING)
    if held is None or held["item"] != item:
        held = st.session_state[_SETTLING] = {"item": item, "said": said, "rev": 0, "ack": None}
    elif held["said"] != said:
        # The change is not from the surface: send it as a newer revision.
        held["said"], held["rev"] = said, held["rev"] + 1

    def heard(message: Message) -> None:
        if message.item == item:
            held["said"], held["rev"] = message.body.model_dump_json(), held["rev"] + 1
            sheet.change(**{_MARKS: held["said"]})
        at = datetime.now(UTC).isoformat()
        held["ack"] = acknowledged(message.token, rev=held["rev"], at=at)

    with st.container(key="settling"):
        span_tagger.show(
            at_hand(
                marking.asked,
                marking.lay(here.store, item, False),
                item,
                json.loads(said),
                comment=False,
                rater=f"settles:{here.person.id}",
                rev=held["rev"],
                ack=held["ack"],
                among=True,
                stays=True,
            ),
            key="settling.surface",
            on_message=heard,
        )


def _everything(bodies: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Every mark of these answers once, with all labels given to its words, and the answers about
    the whole text that all of them share.
    """
    spans: dict[object, dict[str, Any]] = {}
    for body in bodies:
        for span in body["spans"]:
            placed = span["start"] is not None
            place = (span["start"], span["end"]) if placed else tuple(span["labels"])
            known = spans.setdefault(place, span)
            labels = dict.fromkeys([*known["labels"], *span["labels"]])
            spans[place] = known | {"labels": list(labels)}
    said = [body.get("answers", {}) for body in bodies]
    alike = {
        name: one for name, one in said[0].items() if all(each.get(name) == one for each in said)
    }
    return {"spans": in_order(spans.values()), "comment": "", "answers": alike}


def _in_words(said: str | None) -> str:
    if not said or not said.startswith("{"):
        return said or "nothing"
    spans = json.loads(said)["spans"]
    return "; ".join(f"\u201c{' '.join(one['quote'].split())}\u201d" for one in spans) or "none"
