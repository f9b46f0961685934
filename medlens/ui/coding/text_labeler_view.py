"""One text in ``text_labeler``: the text it shows, the marks it returns, and saving them.

The component is of the classic kind, in its own frame. It shows line ends as spaces and lets marks
run across them, so it gets the text with a visible sign in their place, and its marks are mapped
back. ``text_labeler`` takes neither a key nor a callback; the component beneath it takes both: a
key, so that responses with the same words do not share marks; a callback, so that each change is
saved before anything else happens.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from medlens.errors import BadFile, Conflict, MedLensError
from medlens.review import (
    codebooks_coded_passages_and_agreement,
    open_code_revisions_by_lead,
    text_labeler_format,
)
from medlens.review.codebooks_coded_passages_and_agreement import Codebook, Corpus
from medlens.review.open_code_revisions_by_lead import Change
from medlens.review.text_labeler_format import OpenCode, Reading
from medlens.store import new_id, utc_now
from medlens.ui.conflict_between_tabs import draw_differences_and_version_choice
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.streamlit_internals import draw_text_labeler_and_return_value
from medlens.ui.times_in_browser_time_zone import to_browser_time_zone

_SHEET = "coding.sheet"


@dataclass(frozen=True)
class ShownText:
    """A text as the component shows it, and each of its characters' positions in the original."""

    text: str
    original: str
    starts: tuple[int, ...]

    def mark_on_original_text(self, code: OpenCode) -> OpenCode:
        """A mark on the shown text as a mark on the original."""
        start, end = self.starts[code.start], self.starts[code.end]
        quote = self.original[start:end]
        start += len(quote) - len(quote.lstrip())
        quote = quote.strip()
        return replace(code, start=start, end=start + len(quote), quote=quote)

    def mark_on_shown_text(self, code: OpenCode) -> OpenCode:
        """A mark on the original as a mark on the shown text."""
        # At an inserted sign, a mark ends before it and the next begins after it.
        start, end = bisect_right(self.starts, code.start) - 1, bisect_left(self.starts, code.end)
        return replace(code, start=start, end=end, quote=self.text[start:end])


def make_shown_text_with_line_end_signs(original: str) -> ShownText:
    """The text with a sign for each line end (``↵``) and each empty line (``¶``)."""
    text: list[str] = []
    starts: list[int] = []
    at = 0
    for found in re.finditer(r"\n[\n \t]*", original):
        text.append(original[at : found.start()])
        starts.extend(range(at, found.start()))
        sign = " ¶ " if found[0].count("\n") > 1 else " ↵ "
        text.append(sign)
        starts.extend([found.start(), *[found.end()] * (len(sign) - 1)])
        at = found.end()
    text.append(original[at:])
    starts.extend(range(at, len(original) + 1))
    return ShownText("".join(text), original, tuple(starts))


@dataclass
class LabelerSheet:
    """A response being coded in this session.

    ``reading`` is what is saved, as ``revision``; ``unsaved`` is what could not be saved.
    """

    item: str
    rater: str
    corpus: Corpus
    text: str
    shown: ShownText
    revision: int
    reading: Reading
    changes: int = 0
    key: str = field(default_factory=new_id)
    problems: tuple[str, ...] = ()
    saved_at: datetime | None = None
    before: Reading | None = None
    lost: Mapping[str, int] = field(default_factory=dict)
    unsaved: Reading | None = None
    error: MedLensError | None = None

    def saved_marks_as_labeler_value(self) -> dict[str, Any]:
        """The saved marks in the component's form, which it reads only when it is mounted."""
        return text_labeler_format.codes_as_labeler_value(
            self.shown.text,
            map(self.shown.mark_on_shown_text, self.reading.codes),
            labels=self.reading.labels,
        )


def labeler_sheet_of_session(here: Here, corpus: Corpus, item: str, text: str) -> LabelerSheet:
    """The session's sheet for this text; a new one if another tab has saved since."""
    found = open_code_revisions_by_lead.load_last_saved_codes(
        here.store, item=item, rater=here.person
    )
    revision = found.revision if found else 0
    changes = here.store.data_version_of_tables("codebook_change")
    sheet: LabelerSheet | None = st.session_state.get(_SHEET)
    same = sheet and (sheet.item, sheet.rater) == (item, here.person.id)
    if sheet and same and (sheet.unsaved or (sheet.revision, sheet.changes) == (revision, changes)):
        return sheet
    book = codebooks_coded_passages_and_agreement.codebook_of_coder(
        here.store, corpus, coder=here.person.id, viewer=here.person
    )
    there = found.body["labels"] if found else ()
    named = (*_standing(book, there), *_own_labels(here, corpus, book))
    sheet = LabelerSheet(
        item,
        here.person.id,
        corpus,
        text,
        make_shown_text_with_line_end_signs(text),
        revision,
        Reading(
            book.list_current_marks_with_code_names(
                open_code_revisions_by_lead.read_codes_from_body(found.body)
            )
            if found
            else (),
            tuple(dict.fromkeys(named)),
        ),
        changes=changes,
        saved_at=found.at if found else None,
    )
    st.session_state[_SHEET] = sheet
    return sheet


def _standing(book: Codebook, ids: Iterable[str]) -> list[str]:
    """The names of the codes with these ids that still exist."""
    return [book.codes[one].name for one in ids if one in book.codes]


def _own_labels(here: Here, corpus: Corpus, book: Codebook) -> tuple[str, ...]:
    """The labels this lead works with: those of the last change first, then all in use."""
    history = open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
        here.store, study=corpus.study, dataset=corpus.dataset, viewer=here.person
    )
    own = open_code_revisions_by_lead.list_last_revisions_of_items_and_raters(
        one for one in history if one.rater == here.person.id
    )
    last = _standing(book, own[-1].body["labels"]) if own else []
    used = [
        one.label
        for each in own
        for one in book.list_current_marks_with_code_names(
            open_code_revisions_by_lead.read_codes_from_body(each.body)
        )
    ]
    return tuple(dict.fromkeys([*last, *used]))


def drop_labeler_sheet_of_session() -> None:
    """Read the response from the store again when it is next drawn."""
    st.session_state.pop(_SHEET, None)


def parse_codes_from_labeler_value(sheet: LabelerSheet, value: object) -> Reading:
    """The component's value as codes on the response."""
    reading = text_labeler_format.read_labeler_codes_labels_and_problems(sheet.shown.text, value)
    codes = {sheet.shown.mark_on_original_text(code) for code in reading.codes}
    return replace(reading, codes=tuple(sorted(code for code in codes if code.quote)))


def codes_labels_and_problems_of_span_file(
    sheet: LabelerSheet, content: bytes, name: str
) -> Reading:
    """Span JSON for this response. Raises BadFile or InvalidInput."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"{name} is not UTF-8.", hint="Save it as UTF-8 and try again.") from error
    return text_labeler_format.read_span_json_as_codes_labels_and_problems(
        sheet.text, text, file=name
    )


def draw_labeler_sheet(here: Here, sheet: LabelerSheet) -> None:
    """The component, and below it whether its marks are saved."""
    draw_text_labeler_and_return_value(
        text=sheet.shown.text,
        labels=sheet.saved_marks_as_labeler_value(),
        in_snake_case=False,
        mode="text_labeler",
        key=sheet.key,
        on_change=lambda: _changed(here, sheet),
    )
    if isinstance(sheet.error, Conflict):
        mine = sheet.unsaved.codes if sheet.unsaved else ()
        found = open_code_revisions_by_lead.load_last_saved_codes(
            here.store, item=sheet.item, rater=here.person
        )
        book = codebooks_coded_passages_and_agreement.codebook_of_coder(
            here.store, sheet.corpus, coder=here.person.id, viewer=here.person
        )
        theirs = (
            book.list_current_marks_with_code_names(
                open_code_revisions_by_lead.read_codes_from_body(found.body)
            )
            if found
            else ()
        )
        draw_differences_and_version_choice(
            [f"marks: here {_in_words(mine)}, there {_in_words(theirs)}"],
            key="coding",
            keep_mine=lambda: _insist(here, sheet),
            take_theirs=drop_labeler_sheet_of_session,
        )
        return
    if sheet.error:
        show_error(sheet.error)
    if sheet.unsaved:
        st.button(
            "Save again", on_click=_save, args=(here, sheet, sheet.unsaved), key="coding.again"
        )
    if sheet.problems:
        st.text("\n".join(sheet.problems), width="stretch")
    if sheet.error is None:
        st.caption(
            f"Saved {_clock(sheet.saved_at)}"
            if sheet.saved_at
            else "Nothing marked yet; each change is saved at once."
        )
    if sheet.lost and sheet.before is not None:
        words = ", ".join(
            f"{escape_markdown(label)} ({count})" for label, count in sheet.lost.items()
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Removed with all marks: {words}.", width="content")
            st.button(
                "Undo",
                on_click=_undo,
                args=(here, sheet),
                key="coding.undo",
                icon=":material/undo:",
            )


def _in_words(codes: Iterable[OpenCode]) -> str:
    return ", ".join(f"{code.label} “{' '.join(code.quote.split())}”" for code in codes) or "none"


def _changed(here: Here, sheet: LabelerSheet) -> None:
    value = st.session_state.get(sheet.key)
    try:
        reading = parse_codes_from_labeler_value(sheet, value)
    except MedLensError as error:
        sheet.error = error
        return
    sheet.problems = reading.problems
    same = (reading.codes, set(reading.labels)) == (sheet.reading.codes, set(sheet.reading.labels))
    # When mounted, the component returns what it was given: nothing has changed then.
    if not same or sheet.unsaved:
        _save(here, sheet, reading)


def _save(here: Here, sheet: LabelerSheet, reading: Reading) -> None:
    sheet.unsaved = reading
    if isinstance(sheet.error, Conflict):
        return
    try:
        change = Change(sheet.item, sheet.revision, _body(here, sheet.corpus, reading))
        (revision,) = open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
            here.store, change, by=here.person
        )
    except MedLensError as error:
        sheet.error = error
        return
    lost = text_labeler_format.count_lost_marks_by_label(sheet.reading.codes, reading)
    # Removing the only mark of a label is a deliberate click, not an accident.
    gone = {name: n for name, n in lost.items() if n > 1 or name not in reading.labels}
    sheet.before, sheet.lost = (sheet.reading, gone) if gone else (None, {})
    sheet.revision, sheet.reading = revision, reading
    sheet.changes = here.store.data_version_of_tables("codebook_change")
    sheet.unsaved, sheet.error = None, None
    sheet.saved_at = utc_now()


def _body(here: Here, corpus: Corpus, reading: Reading) -> dict[str, Any]:
    """A reading in its stored form: names become codes' ids, created if needed."""
    ids = {
        name: codebooks_coded_passages_and_agreement.find_or_make_code(
            here.store, corpus, name, by=here.person, id=name
        ).id
        for name in dict.fromkeys([*reading.labels, *(one.label for one in reading.codes)])
    }
    codes = [replace(one, label=ids[one.label]) for one in reading.codes]
    return open_code_revisions_by_lead.codes_as_stored_body(
        codes, (ids[one] for one in reading.labels), corpus.values_by_field_stored_with_codes
    )


def add_marks_and_rerun(here: Here, sheet: LabelerSheet, more: Reading) -> None:
    """Add marks from a file, and show the response again."""
    codes = tuple(sorted({*sheet.reading.codes, *more.codes}))
    labels = tuple(dict.fromkeys([*sheet.reading.labels, *more.labels]))
    _save(here, sheet, Reading(codes, labels))
    if sheet.error is None:
        drop_labeler_sheet_of_session()
        st.rerun()


def _undo(here: Here, sheet: LabelerSheet) -> None:
    if sheet.before is not None:
        _save(here, sheet, sheet.before)
        if sheet.error is None:
            drop_labeler_sheet_of_session()


def _insist(here: Here, sheet: LabelerSheet) -> None:
    found = open_code_revisions_by_lead.load_last_saved_codes(
        here.store, item=sheet.item, rater=here.person
    )
    sheet.revision, sheet.error = found.revision if found else 0, None
    if sheet.unsaved:
        _save(here, sheet, sheet.unsaved)


def _clock(at: datetime) -> str:
    """The time of day in the reader's time zone, with the date if it was not today."""
    there = to_browser_time_zone(at)
    today = there.date() == to_browser_time_zone(datetime.now(UTC)).date()
    return f"{there:%H:%M:%S}" if today else f"{there:%d.%m.%Y, %H:%M}"
