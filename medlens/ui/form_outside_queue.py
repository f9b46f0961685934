"""A form that a person fills in outside a queue: drafted as at the desk, sent when done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from medlens.errors import Conflict, InvalidInput, MedLensError
from medlens.review import judging
from medlens.review.assignment import QueuePlace, RaterQueue
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, PersonalForm
from medlens.store import Store
from medlens.ui.answer_form import FieldData, draw_answer_form
from medlens.ui.conflict_between_tabs import draw_choice_between_two_tabs
from medlens.ui.desk import Desk
from medlens.ui.page_frame import show_error
from medlens.ui.task_share_and_desk_message_receiver import run_desk_method_one_at_a_time

Entries = Mapping[str, str | None]
_DONE = {"Save": "Saved.", "Settle": "Settled."}
"""What is said once a form is sent, by the verb on its button; the others show it themselves."""


class Unfinished(Exception):
    """Raised by a sheet's ``send``: something has to be done elsewhere first, as the page will say.
    The entries stay as they are, drafted, until the person sends them again.
    """


@dataclass(kw_only=True)
class FormSheet(Desk):
    """A desk with one form on it, under a ``name`` that the caller chooses.

    A form filled in repeatedly, such as a chat message, has a new ``part`` each time. ``given`` is
    what it contains before anything is drafted. ``send`` gets the entries when the person is done,
    and raises if something is wrong with them, or ``Unfinished``. ``sent``: that has happened; with
    ``anew``, the form is filled in afresh each time and sending deletes its draft.
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
        self.queue = RaterQueue((QueuePlace(item, item, "open", ""),), 0, 1)

    def browser_handle_of_item(self, item: str) -> str:
        """A form has no other name in the browser: whoever opens it gives it one that may be
        seen.
        """
        return item

    def item_id_of_browser_handle(self, handle: str) -> str:
        """As ``browser_handle_of_item``."""
        return handle

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
    def has_unsent_entries(self) -> bool:
        """Whether the form contains anything besides what was given."""
        return self.saved_at is not None or not self.is_answer_saved

    @run_desk_method_one_at_a_time
    def discard_entries_of_person(self) -> None:
        """Delete the entries and go back to what was given."""
        self.body = {}
        self.save_draft()
        if self.error is None and self.item is not None:
            self._show(self._draft(self.item))

    def change_given_values(self, given: Entries) -> None:
        """Change what is given; the person's entries stay."""
        with self.turn:
            changed, self.given = given != self.given, given
            if changed and not self.has_unsent_entries and self.item is not None:
                self._show(self._draft(self.item))

    def show_other_form_or_part(self, name: str, part: int) -> None:
        """Show another form, or another part; unsent entries move to the new part."""
        with self.turn:
            if (name, part) == (self.name, self.part):
                return
            self.save_before_leaving_and_say_if_free()
            unsent = dict(self.body) if name == self.name and not self.sent else {}
            is_entered = self.has_unsent_entries
            error = self.error
            if self.newer is not None:
                error = Conflict(
                    "This was changed in another tab.", hint="What you entered is still here."
                )
            self.name, self.part, self.sent = name, part, False
            self.open_named_or_next_item()
            if unsent and not self.revision:
                self.change_answer_and_save_draft(**unsent)
            elif is_entered and self.item is not None and not unsent.items() <= self.body.items():
                # Another tab has begun this part: the person chooses.
                self.newer = self._draft(self.item)
                self.body = self.body | unsent
                error = Conflict("This was changed in another tab.", hint="Choose what to keep.")
            self.error = self.error or error

    def _submit(self) -> None:
        # Sent or not, the page changes: after a conflict it shows what others have saved.
        self.moved = True
        try:
            self.send(self.body)
        except Unfinished:
            return
        except Conflict as conflict:
            raise InvalidInput(conflict.message, hint=conflict.hint) from conflict
        except MedLensError:
            self.moved = False
            raise
        self.sent = self.untold = True
        if self.anew:
            self.discard_entries_of_person()

    def _go_on(self) -> None:
        # The page decides what comes next.
        return


def form_sheet_of_session(
    store: Store,
    person: Rater,
    task: str,
    name: str,
    *,
    send: Callable[[Entries], None],
    part: int = 0,
    given: Entries | None = None,
    anew: bool = False,
) -> FormSheet:
    """The session's sheet for forms of the kind ``task``, showing the one with this name."""
    key = f"{task}.sheet"
    held: FormSheet | None = st.session_state.get(key)
    if held is None or held.rater.id != person.id:
        held = FormSheet(
            store=store,
            task=PersonalForm(name=task),
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
        held.open_named_or_next_item()
        st.session_state[key] = held
    held.send = send
    if (name, part) != (held.name, held.part):
        held.given = given or {}
    held.show_other_form_or_part(name, part)
    held.change_given_values(given or {})
    held.moved = False
    return held


# A fragment: entries redraw nothing else on the page.
@st.fragment
def draw_form_sheet(
    sheet: FormSheet,
    fields: Sequence[FieldData],
    *,
    submit: str,
    keys: bool = False,
    said: Callable[[Any], str] | None = None,
    alone: bool = False,
    beside: Mapping[str, str] | None = None,
    onward: str = "",
) -> None:
    """Draw the form, with a button ``submit``; the page is rerun once it is sent. With ``keys`` it
    hears Enter and the keys of its options and texts anywhere on the page. ``said`` puts a field's
    value into words; ``alone`` and ``onward`` are those of ``answer_form``. ``beside`` are the
    labels of entries that are made elsewhere on the page.
    """
    if sheet.moved:
        # Not drawn before: the browser would show for a moment what was given at first.
        st.rerun()
    draw_form_sheet_in_fragment(
        *(sheet, fields),
        submit=submit,
        keys=keys,
        said=said,
        alone=alone,
        beside=beside,
        onward=onward,
    )


def draw_form_sheet_in_fragment(
    sheet: FormSheet,
    fields: Sequence[FieldData],
    *,
    submit: str,
    keys: bool = False,
    said: Callable[[Any], str] | None = None,
    alone: bool = False,
    beside: Mapping[str, str] | None = None,
    onward: str = "",
) -> None:
    """As ``draw_form_sheet``, within the caller's fragment."""
    draw_answer_form(sheet, fields, submit=submit, keys=keys, alone=alone, onward=onward)
    called = {one["id"]: one["label"].removesuffix(" *") for one in fields}
    draw_choice_between_two_tabs(sheet, said, {**(beside or {}), **called})
    if sheet.error is not None and sheet.is_answer_saved:
        show_error(sheet.error)
    # A message that is drawn before the page is drawn again would go with it.
    if sheet.untold and not sheet.moved:
        sheet.untold = False
        if done := _DONE.get(submit.split(maxsplit=1)[0]):
            st.toast(done, icon=":material/check:")
