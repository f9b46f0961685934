"""The answer form of a desk as one Streamlit component: choices by key or pointer, and texts.

With Streamlit's own widgets, a choice made by key shows only after the server has answered, and
keys pressed at the same moment arrive last first. Here each shows at once and is sent in order,
with the item it was about, until the server has it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import streamlit as st
from pydantic import Field

from medlens.studies.own.compare_rewritten_texts import compare_text_with_original
from medlens.ui.checked_messages_from_browser import (
    Name,
    Number,
    Sent,
    SomeName,
    Text,
    parse_browser_message,
)
from medlens.ui.desk import Desk
from medlens.ui.item_component_and_desk_messages import ItemSurface

Values = Mapping[str, str | None]
"""Field values by field name: an option's value or a text; None if nothing is chosen."""

ValuesOf = Callable[[Mapping[str, Any]], Values]
ChangeOf = Callable[[Mapping[str, Any], Values], Mapping[str, Any]]

_FORM = "answer"


class OptionData(TypedDict):
    """An option of a choice; ``key`` is the key that chooses it, and ``url`` where what it is about
    opens, in a tab of its own.
    """

    value: str
    name: str
    key: NotRequired[str]
    url: NotRequired[str]


class FieldData(TypedDict):
    """A field. A choice has ``options``, a text has ``lines`` lines; the value of ``several`` is a
    JSON list of options.

    The keys of a choice's options go to the choice after its ``letter`` is pressed; with ``turn``,
    once the choices before it are answered. ``prose``: the label is a sentence, not a name.
    ``when``: shown only if another field has a value. A text takes at most ``longest`` characters;
    ``sends``: Enter in it submits; ``into`` is the key that moves into it. ``submits``: choosing
    submits at once. ``head`` is a heading above it, where a part of the form begins; ``short``
    fields are side by side; ``rows``: each option has a line of its own; a field that is decided by
    default stands with others in a sheet below, which is open if the value is not what ``folded``
    says. An ``original`` is a text to be changed; ``same`` is the value that says it needs no
    change. ``passages`` are marked in the pane that shows the ``source``, in the format of
    ``evidence``; ``same`` says that there are none. ``marks`` are made in the pane of the text
    called ``source``, each asked what ``asks`` lists, as JSON of ``OwnSpan``. What is ``needed``
    must be answered before the form can be submitted; what is ``needed_when`` only if another field
    has a value. A text that is a ``day`` is chosen in the browser's picker, in the reader's format;
    its value is ISO 8601. ``ends`` says what the first and the last option of a scale mean.
    """

    id: str
    kind: Literal["choice", "several", "text", "passages", "marks"]
    label: str
    hint: NotRequired[str]
    prose: NotRequired[bool]
    letter: NotRequired[str]
    options: NotRequired[list[OptionData]]
    placeholder: NotRequired[str]
    lines: NotRequired[int]
    when: NotRequired[tuple[str, str]]
    longest: NotRequired[int]
    sends: NotRequired[bool]
    into: NotRequired[str]
    submits: NotRequired[bool]
    head: NotRequired[str]
    short: NotRequired[bool]
    day: NotRequired[bool]
    turn: NotRequired[bool]
    rows: NotRequired[bool]
    folded: NotRequired[str]
    original: NotRequired[str]
    same: NotRequired[str]
    source: NotRequired[str]
    asks: NotRequired[list[dict[str, str]]]
    needed: NotRequired[bool]
    needed_when: NotRequired[tuple[str, str]]
    ends: NotRequired[tuple[str, str]]


class RestData(TypedDict):
    """A button, with a key, that gives every unanswered field among ``fields`` this ``value``."""

    key: str
    name: str
    fields: list[str]
    value: str


Kept = Annotated[Text, Field(max_length=200_000)] | None


class Said(Sent):
    """What the browser sent: each changed field's old and new value.

    ``session`` and ``rev`` are the desk's session and the draft's revision that the browser last
    saw. ``rater`` is who made the changes ("": a page from before that was sent); ``seen`` are all
    values as they stood in the form that was submitted.
    """

    token: SomeName
    item: SomeName
    session: SomeName
    rev: Number
    rater: Name = ""
    submit: bool = False
    changes: Annotated[dict[Name, tuple[Kept, Kept]], Field(max_length=1000)]
    seen: Annotated[dict[Name, Kept], Field(default_factory=dict, max_length=5000)]


_surface = ItemSurface(
    "answer_form",
    js="answer_form/form.js",
    css="answer_form/form.css",
    parse=partial(parse_browser_message, Said),
)


def draw_answer_form(
    desk: Desk,
    fields: Sequence[FieldData],
    *,
    values: ValuesOf = dict,
    change: ChangeOf | None = None,
    by_item: Callable[[str], tuple[ValuesOf, ChangeOf]] | None = None,
    rest: RestData | None = None,
    submit: str = "",
    keys: bool = False,
    alone: bool = False,
    onward: str = "",
) -> None:
    """Draw the fields of the item on the desk. Enter, or the desk's own button, submits them.

    ``alone``: nothing else on the page shows the answer, so that a draft needs no run of the page.

    With ``submit`` the form stands alone: it has a button with that name, shows whether it is
    saved, and hears only keys pressed inside it, unless it has the page's ``keys``.

    ``onward`` is the name, as the page's styles know it, of the button that goes on: it has the
    focus once the form is sent by key.

    ``values`` turns an answer into field values, ``change`` turns field values into changes of the
    answer; both get the answer as the task's form in JSON. Without them the fields are those of the
    form. ``by_item`` gives both where they depend on the item (by id). If a key that moves on has
    already taken the answered item off the desk, the answer is still saved for that item.
    """
    both = (values, change or partial(_straight, fields))
    key = f"{desk.task.name}.answer"

    def data() -> dict[str, Any]:
        # A press that moves on may be running now: read its count and its item together.
        with desk.turn:
            shown = by_item(desk.item)[0] if by_item and desk.item else values
            held = dict(shown(desk.body))
            return {
                "item": desk.handle_of_current_item,
                "fields": list(fields),
                "values": held,
                "changes": _changes(fields, held),
                "rest": rest,
                "rev": desk.revision,
                "session": desk.session,
                "ack": desk.taken.get(_FORM, ""),
                "task": desk.task.name,
                "moves": desk.moves,
                "rater": desk.rater.id,
                "submit": submit,
                "keys": keys,
                "saved_at": desk.saved_at.isoformat() if desk.saved_at else "",
                "submitted": desk.queue_entry_of_current_item is not None
                and desk.queue_entry_of_current_item.state == "submitted",
                "unsent": desk.holds_unsubmitted_change,
                "trouble": "" if desk.is_answer_saved or desk.error is None else desk.error.message,
                "onward": onward,
                "refused": desk.error is not None,
            }

    # Nothing of Streamlit is used here: it might interrupt this halfway.
    def heard(said: Said) -> None:
        save_answers_from_browser_message(desk, said, by_item or (lambda _: both))
        if alone:
            desk.claim_next_item_once_work_has_begun()

    if alone:
        _surface.draw_item_and_pass_messages_to_desk(
            desk, data, key=key, take=heard, beside=desk.page_state_besides_answer
        )
    else:
        _surface.draw_item_without_desk(data(), key=key, on_message=heard)


def draw_answer_form_to_try_out(fields: Sequence[FieldData], *, key: str, item: str) -> None:
    """The fields as a rater sees them, to try out: choices show, and nothing is saved."""
    held = st.session_state.setdefault(f"{key}.tried", {"item": item, "values": {}, "ack": ""})
    if held["item"] != item:
        held |= {"item": item, "values": {}}

    def heard(said: Said) -> None:
        if said.token != held["ack"]:
            held["ack"] = said.token
            held["values"] |= {name: now for name, (_, now) in said.changes.items()}

    data = {
        "item": item,
        "fields": list(fields),
        "values": {one["id"]: held["values"].get(one["id"]) for one in fields},
        "changes": _changes(fields, held["values"]),
        "rest": None,
        "rev": 0,
        "session": key,
        "ack": held["ack"],
        "task": key,
        "moves": 0,
        "rater": "",
        "submit": "Submit",
        "saved_at": "",
        "trouble": "",
    }
    _surface.draw_item_without_desk(data, key=key, on_message=heard)


def _changes(fields: Sequence[FieldData], values: Values) -> dict[str, Any]:
    """The changes made to the texts with an ``original``, in pieces, by field."""
    return {
        one["id"]: compare_text_with_original(one["original"], said).pieces_in_reading_order
        for one in fields
        if "original" in one and (said := values.get(one["id"])) and said != one["same"]
    }


def save_answers_from_browser_message(
    desk: Desk, said: Said, by_item: Callable[[str], tuple[ValuesOf, ChangeOf]]
) -> None:
    """Save a message as a draft, and submit it if asked. A repeated message has no effect. A
    message from before this desk was set up, for example before the server restarted, does not
    overwrite or submit what was saved since, perhaps in another tab: the rater is asked. What
    somebody else sent before they left this browser waits there for their return.
    """
    with desk.turn:
        if said.token != desk.taken.get(_FORM):
            desk.taken[_FORM] = said.token
            if said.rater in ("", desk.rater.id):
                _keep(desk, said, by_item)


def _keep(desk: Desk, said: Said, by_item: Callable[[str], tuple[ValuesOf, ChangeOf]]) -> None:
    item = desk.find_item_of_message(said.item)
    if item is None:
        return
    values, change = by_item(item)
    here, anew = item == desk.item, said.session != desk.session
    body = desk.read_answer_body_of_item(item)
    held = values(body)
    wanted = {name: now for name, (_, now) in said.changes.items()}
    is_other = any(held.get(name) not in both for name, both in said.changes.items())
    if anew and here and said.submit and desk.task.handed_out:
        # What its rater saw is submitted, and nothing that was saved since.
        unseen = {
            name: shown
            for name, shown in said.seen.items()
            if name not in wanted and held.get(name) != shown
        }
        if unseen and not change(body, unseen).items() <= body.items():
            wanted, is_other = wanted | unseen, True
    base = said.rev if anew and is_other else None
    if here and base is not None:
        desk.revision = base
    now = {name: to for name, to in wanted.items() if held.get(name) != to}
    if now and not desk.change_answer_of_item_and_say_if_done(item, base, **change(body, now)):
        del desk.taken[_FORM]
    done = (
        anew
        and desk.queue_entry_of_current_item is not None
        and desk.queue_entry_of_current_item.state == "submitted"
        and not now
    )
    if said.submit and here and not done:
        desk.submit_and_move_on()


def _straight(fields: Sequence[FieldData], _body: Mapping[str, Any], said: Values) -> Values:
    """The values as sent, limited to the options of choices and to texts."""
    found: dict[str, str | None] = {}
    for one in fields:
        name = one["id"]
        if name in said and one["kind"] in ("text", "passages", "marks"):
            found[name] = said[name] or ""
        elif name in said:
            offered = [option["value"] for option in one["options"]]
            if one["kind"] == "several":
                chosen = options_chosen_in_field_value(said[name])
                found[name] = json.dumps([value for value in offered if value in chosen])
            else:
                found[name] = said[name] if said[name] in offered else None
    return found


def options_chosen_in_field_value(value: str | None) -> list[str]:
    """The options chosen in a field of kind ``several``."""
    try:
        found = json.loads(value or "[]")
    except ValueError:
        return []
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
