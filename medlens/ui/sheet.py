"""A form that a person fills in of their own: drafted as at the desk, and sent when it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from medlens.errors import Conflict, InvalidInput, MedLensError
from medlens.review import judging
from medlens.review.assignment import Place, Queue
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, own_form
from medlens.store import Store
from medlens.ui.answer_form import FieldData, answer_form
from medlens.ui.conflict import draw_conflict
from medlens.ui.desk import Desk
from medlens.ui.frame import show_error
from medlens.ui.share import alone

Entries = Mapping[str, str | None]


@dataclass(kw_only=True)
class Sheet(Desk):
    """A desk on which one form lies, under a ``name`` of the caller's.

    What is filled in one time after the other, such as what is said in a chat, is each time another
    ``part``. ``given`` is what stands in it before anything is drafted. ``send`` is told what
    stands in it when the person is done, and raises what is wrong with it. ``sent``: that has
    happened; where it is filled in ``anew`` each time, nothing of it is a draft any more.
    """

    name: str
    part: int
    send: Callable[[Entries], None]
    given: Entries = field(default_factory=dict)
    anew: bool = False
    sent: bool = False
    untold: bool = False
    """It was sent, and the page has not said so yet."""

    def _count(self) -> None:
        item = f"{self.name}.{self.part}"
        self.queue = Queue((Place(item, item, "open", ""),), 0, 1)

    def _claim(self) -> None:
        return None

    def _renew(self) -> None:
        return None

    def _draft(self, item: str) -> judging.Draft:
        found = super()._draft(item)
        if found.value is not None and found.value.root:
            return found
        return judging.Draft(found.revision, self.task.parse(self.given), None, 0.0, 0.0)

    @property
    def drafted(self) -> bool:
        """Whether anything stands in it that was not given."""
        return self.saved_at is not None or not self.saved

    @alone
    def discard(self) -> None:
        """Let go of what was entered: what is given stands there again."""
        self.body = {}
        self.save()
        if self.error is None and self.item is not None:
            self._show(self._draft(self.item))

    def give(self, given: Entries) -> None:
        """What is given now; what the person has entered stays."""
        with self.turn:
            changed, self.given = given != self.given, given
            if changed and not self.drafted and self.item is not None:
                self._show(self._draft(self.item))

    def turn_to(self, name: str, part: int) -> None:
        """Lay out another form, or another part; to that, what was not sent goes along."""
        with self.turn:
            if (name, part) == (self.name, self.part):
                return
            unsent = dict(self.body) if name == self.name and not self.sent else {}
            error = self.error
            if self.newer is not None:
                error = Conflict(
                    "This was changed in another tab.", hint="What you entered is still here."
                )
            self.name, self.part, self.sent = name, part, False
            self.open()
            if unsent and not self.revision:
                self.change(**unsent)
            self.error = self.error or error

    def _submit(self) -> None:
        # Sent or not, the page is another one: for a conflict it shows what has come meanwhile.
        self.moved = True
        try:
            self.send(self.body)
        except Conflict as conflict:
            raise InvalidInput(conflict.message, hint=conflict.hint) from conflict
        except MedLensError:
            self.moved = False
            raise
        self.sent = self.untold = True
        if self.anew:
            self.discard()

    def _go_on(self) -> None:
        # What comes next is the page's.
        return


def open_sheet(
    store: Store,
    person: Rater,
    task: str,
    name: str,
    *,
    send: Callable[[Entries], None],
    part: int = 0,
    given: Entries | None = None,
    anew: bool = False,
) -> Sheet:
    """The session's sheet for forms of the kind ``task``, on which the one of this name lies."""
    key = f"{task}.sheet"
    held: Sheet | None = st.session_state.get(key)
    if held is None or held.rater.id != person.id:
        held = Sheet(
            store=store,
            task=own_form(task),
            settings=HandOut(),
            dataset="",
            rater=person,
            lay_out=lambda _: None,
            name=name,
            part=part,
            send=send,
            given=given or {},
            anew=anew,
        )
        held.open()
        st.session_state[key] = held
    held.send = send
    if (name, part) != (held.name, held.part):
        held.given = given or {}
    held.turn_to(name, part)
    held.give(given or {})
    held.moved = False
    return held


# A fragment: what is entered draws nothing else of the page anew.
@st.fragment
def draw_sheet(
    sheet: Sheet, fields: Sequence[FieldData], *, submit: str, keys: bool = False
) -> None:
    """Draw the form, with a button ``submit``; once it is sent, the page is drawn anew. With
    ``keys`` it hears those of its options and texts, and Enter, wherever they are pressed."""
    draw_here(sheet, fields, submit=submit, keys=keys)
    if sheet.moved:
        st.rerun()


def draw_here(
    sheet: Sheet,
    fields: Sequence[FieldData],
    *,
    submit: str,
    keys: bool = False,
    names: Mapping[str, str] | None = None,
    said: Callable[[Any], str] | None = None,
) -> None:
    """As ``draw_sheet``, within a fragment of the caller's. ``names`` are entries besides these
    fields, ``said`` puts what stands in any of them into words."""
    answer_form(sheet, fields, submit=submit, keys=keys)
    called = {one["id"]: one["label"].removesuffix(" *") for one in fields} | dict(names or {})
    draw_conflict(sheet, said, called)
    if sheet.error is not None and sheet.saved:
        show_error(sheet.error)
    # A message that is drawn before the page is drawn again would go with it.
    if sheet.untold and not sheet.moved:
        sheet.untold = False
        if submit.startswith("Save"):
            st.toast("Saved.", icon=":material/check:")
