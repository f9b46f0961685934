"""What your own study shows of an item, and its questions as fields.

Everything from the study's file and its items is shown as plain text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import groupby
from typing import Any

import pandas as pd
import streamlit as st

from medlens.config.question_forms_and_answer_checks import EVIDENCE, REWRITE, SPANS, Question
from medlens.errors import InvalidInput, MedLensError
from medlens.review.marked_spans_checked_carried_and_timed import COLOURS, PATTERNS
from medlens.studies.own import evidence_passages_marked_by_raters
from medlens.studies.own.attached_files import (
    FILES,
    KINDS,
    SHARP,
    AttachedStudyFiles,
    FoundInPdf,
    file_names_in_cell,
    find_pdf_page_number_in_cell,
)
from medlens.studies.own.blinded_arms import (
    ARMS,
    ORDER,
    list_letters_naming_arms,
    make_questions_of_arms_optional,
    question_id_for_arm,
    spread_questions_over_arms,
)
from medlens.studies.own.dialogue_turns import is_system_prompt, name_of_role
from medlens.studies.own.nested_values_in_text import list_texts_of_nested_list
from medlens.studies.own.study_file import PLACES, Place, StudyDeclaration, StudyPane
from medlens.studies.own.tasks import (
    Answers,
    OwnSpan,
    make_arm_questions_as_shown,
    parse_marks,
    parse_text_as_value_of_question,
)
from medlens.ui import text_to_mark
from medlens.ui.answer_form import FieldData, options_chosen_in_field_value
from medlens.ui.browser_component import Component
from medlens.ui.lossless_image_display import Box, draw_image
from medlens.ui.page_frame import escape_markdown, escape_to_one_line, show_error
from medlens.ui.styles import read_style_sheet
from medlens.ui.survey_forms import question_as_field
from medlens.ui.untrusted_markdown import draw_untrusted_markdown
from medlens.web.passage_search import index_sentences_of_source

STYLE = read_style_sheet("own_panes")
_BESIDE = 3
LETTERS = "abcdeghilmnopqrtuvwyz"
"""The keys that go to a question: those that nothing else on the page uses."""
_NOT_APPLICABLE_KEY = "x"
SHIFT = "⇧"
"""Before a digit: a key with Shift, as the form names it."""
_SOURCES_KEYS = "nmp"
"""The keys of a source: next and previous passage, mark."""
_MOST_PAGES_NAMED = 12
Others = Mapping[str, Answers]
"""The answers of others, by names that do not say who gave them, such as Answer A."""
_source = Component("source_pane", js="source_reader/pane.js", css="source_reader/reader.css")


def questions_as_form_fields(
    declared: StudyDeclaration,
    order: Sequence[str] = (),
    *,
    taken: str = "",
    empty: Collection[str] = (),
) -> list[FieldData]:
    """The questions as fields, choices with keys; ``order`` is that of the arms side by side, of
    which those in ``empty`` gave no answer; ``taken`` are keys that the page needs.
    """
    # A key with an arm's letter would seem to choose that arm.
    sources = any(one.kind == "source" for one in declared.panes)
    held = {
        *list_letters_naming_arms(len(order)),
        *(_SOURCES_KEYS.upper() if sources else ""),
        *taken.upper(),
    }
    questions = declared.form.questions
    if declared.are_arms_side_by_side:
        questions = make_arm_questions_as_shown(declared, tuple(order)).asked
    if declared.spans and declared.spans.each:
        # What is asked of an arm stands together, its marks first.
        of = {one.id: one for one in questions}
        every = _by_letter(declared, (declared.spans, *declared.form.questions), order)
        parts = [replace(of.get(one.id, one), part=one.part) for one in every]
    else:
        parts = [*questions_about_marks(declared, order), *questions]
    letters = zip(order, list_letters_naming_arms(len(order)), strict=True)
    without = {letter for arm, letter in letters if arm in empty}
    if without:
        parts = make_questions_of_arms_optional(parts, without, answered=len(order) - len(without))
    keys = list_keyboard_keys_for_questions(
        [one for one in LETTERS if one.upper() not in held], len(parts)
    )
    # What is chosen or marked first, so that a remark below takes no key from it.
    usual = [one for one in parts if one.kind not in _ON_THE_SIDE]
    order_of_keys = [*usual, *(one for one in parts if one.kind in _ON_THE_SIDE)]
    key_of = {one.id: key for one, key in zip(order_of_keys, keys, strict=False)}
    fields = [
        _marks_field(one, key_of.get(one.id, ""))
        if one.kind == SPANS
        else _with_keys(question_as_field(one), one, key_of.get(one.id, ""))
        for one in parts
    ]
    _head_each_part_once(fields)
    return fields


_ON_THE_SIDE = ("multiple", "short_text", "long_text", "number")


def list_keyboard_keys_for_questions(letters: Sequence[str], count: int) -> list[str]:
    """A key for each of ``count`` questions: a letter, or two one after the other where there are
    more questions than letters. The first of two is no key by itself.
    """
    firsts = 0
    while count > len(letters) - firsts + firsts * len(letters) and firsts < len(letters):
        firsts += 1
    alone = [*letters[: len(letters) - firsts]]
    return [*alone, *(f"{first}{then}" for first in letters[len(alone) :] for then in letters)]


def _head_each_part_once(fields: Sequence[FieldData]) -> None:
    """Leave the heading of a part above its first question only."""
    above = ""
    for field in fields:
        head = field.get("head", "")
        if head and head == above:
            del field["head"]
        above = head or above


def _with_keys(field: FieldData, question: Question, letter: str) -> FieldData:
    if field["kind"] not in ("choice", "several"):
        if letter:
            field["into"] = letter
        return field
    if letter:
        field["letter"] = letter
    elif field["kind"] == "choice":
        field["turn"] = True
    for at, option in enumerate(field["options"], 1):
        key = option["value"] if question.kind == "scale" else str(at)
        if question.kind == "scale" and key not in map(str, question.points_of_scale):
            key = _NOT_APPLICABLE_KEY
        if key == "10" and (question.kind != "scale" or "0" not in question.shown_options):
            key = "0"
        if question.kind != "scale" and 10 < at <= 20:
            # With Shift the digits begin again.
            key = f"{SHIFT}{at % 10}"
        if len(key) == 1 or key.startswith(SHIFT):
            option["key"] = key
    return field


def questions_about_marks(
    declared: StudyDeclaration, order: Sequence[str] = ()
) -> tuple[Question, ...]:
    """The question about marks, by letter for each of the arms if each has its own text."""
    one = declared.spans
    if one is None or not one.each:
        return (one,) if one else ()
    return _by_letter(declared, (one,), order)


def _by_letter(
    declared: StudyDeclaration, questions: Sequence[Question], order: Sequence[str]
) -> tuple[Question, ...]:
    ids = list_letters_naming_arms(len(order))
    called = [f"{declared.arms.called} {letter}" for letter in ids] if declared.arms else ids
    return spread_questions_over_arms(questions, ids, called, told=False)


def _marks_field(question: Question, into: str) -> FieldData:
    asks = [{"id": one.id, "label": one.text} for one in question.of_span if one.required]
    found = text_to_mark.field_of_marks(question.id, question.text, asks=asks)
    found["hint"] = question.help
    if question.part:
        found["head"] = question.part
    if into:
        found["into"] = into
    return found


def labels_and_mark_questions_as_surface_data(declared: StudyDeclaration) -> dict[str, Any]:
    """The labels, and the questions about each mark and the whole text, as the surface takes them;
    passages and rewritten texts, which have panes of their own, are left out.
    """
    one = declared.spans
    assert one is not None
    labels = [
        {
            "id": label.id,
            "key": at,
            "name": label.name,
            "kind": "error",
            "colour": COLOURS[at - 1],
            "pattern": PATTERNS[at - 1],
            "hint": "",
            "definition": label.means,
            "not_when": "",
            "example": "",
            "example_reason": "",
            "requires_link": False,
            "steps": [],
        }
        for at, label in enumerate(one.labels, 1)
    ]
    return {
        "labels": labels,
        "reading": [],
        "fields": [
            _field(each) for each in declared.form.questions if each.kind not in (EVIDENCE, REWRITE)
        ],
        "span_fields": [_field(each) for each in one.of_span],
        "comment": False,
        "free": True,
    }


def _field(question: Question) -> dict[str, Any]:
    # If several can be ticked, none ticked is an answer too.
    return {
        **question_as_field(question),
        "required": question.required and question.kind != "multiple",
    }


def marks_for_surface(spans: Iterable[OwnSpan]) -> list[dict[str, Any]]:
    """Marks in the surface's form."""
    return [{**one.model_dump(mode="json"), "link": "", "located": "exact"} for one in spans]


def _passages(declared: StudyDeclaration, column: str, others: Others) -> list[dict[str, Any]]:
    """The passages of a source that others marked, for the browser."""
    asked = [one.id for one in declared.evidence_questions_by_id.values() if one.column == column]
    return [
        {
            # Short, as it stands between sentences.
            "by": by.rpartition(" ")[2],
            "passages": [
                one.model_dump()
                for name in asked
                for one in evidence_passages_marked_by_raters.parse_passages_of_answer(
                    value.answers.get(name)
                )
            ],
        }
        for by, value in others.items()
    ]


def values_of_mark_fields(
    declared: StudyDeclaration, body: Mapping[str, Any]
) -> dict[str, str | None]:
    """The values of the fields about marks, as the browser writes them."""
    found: dict[str, str | None] = {}
    for question, arm in _texts_marked(declared, body[ORDER]):
        own = (
            one for one in marks_from_browser(question, body.get("spans", ())) if one["arm"] == arm
        )
        found[question.id] = text_to_mark.marks_as_field_value(own)
    return found


def marks_updated_with_changed_fields(
    declared: StudyDeclaration, body: Mapping[str, Any], said: Mapping[str, str | None]
) -> list[dict[str, Any]]:
    """The marks of an answer, updated with those that were ``said`` by field; what cannot be read
    changes nothing.
    """
    found = list(body.get("spans", ()))
    for question, arm in _texts_marked(declared, body[ORDER]):
        if question.id not in said:
            continue
        try:
            given = parse_marks(said[question.id] or "")
        except InvalidInput:
            continue
        own = marks_from_browser(question, (one.model_dump(mode="json") for one in given))
        found = [one for one in found if one["arm"] != arm] + [{**one, "arm": arm} for one in own]
    return sorted(found, key=lambda one: (one["arm"], one["start"] or 0))


def _texts_marked(
    declared: StudyDeclaration, order: Sequence[str]
) -> Iterator[tuple[Question, str]]:
    """The question about each text to mark, and the arm whose text it is ("": no arm's)."""
    asked = questions_about_marks(declared, order)
    arms = order if declared.spans and declared.spans.each else [""] * len(asked)
    return zip(asked, arms, strict=True)


def marks_from_browser(
    question: Question, spans: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Marks from a browser as they are kept, with the answers that the study knows."""
    return [
        {
            **{name: span[name] for name in text_to_mark.OF_MARK},
            "arm": span.get("arm", ""),
            "answers": {
                one.id: given
                for one in question.of_span
                if (given := span["answers"].get(one.id, ""))
                and (not one.options or given in one.options)
            },
        }
        for span in spans
    ]


def valid_answer_from_field(question: Question, given: str) -> Any:
    """The answer chosen or written in a question's field, limited to valid values."""
    if question.kind == "multiple":
        chosen = options_chosen_in_field_value(given)
        return [option for option in question.options if option in chosen] or None
    if given and (not question.shown_options or given in question.shown_options):
        return parse_text_as_value_of_question(question, given)
    return None


def desk_places_in_use(declared: StudyDeclaration) -> list[Place]:
    """The places in use at the desk, from the left; the questions are on the right."""
    there = {"right", *(one.place for one in declared.panes)}
    return [one for one in PLACES if one in there]


def draw_panes_of_item(
    declared: StudyDeclaration,
    laid: Mapping[str, Any],
    order: Sequence[str],
    attached: AttachedStudyFiles,
    *,
    item: str,
    place: Place,
    told: bool = False,
    narrow: bool = False,
    after: bool = False,
    others: Others | None = None,
    reading: bool = False,
    within: str = "",
) -> None:
    """What is shown of an ``item`` in one place, before or ``after`` it is answered: its arms side
    by side by letter (``narrow``: one below another); ``told`` names them. The passages of
    ``others`` are tagged in its sources, and when ``reading`` their marks stand in its texts, where
    none can be made then. ``within`` tells several items on one page apart.
    """
    draw = partial(
        _draw_pane, declared, attached=attached, item=item, others=others, reading=reading
    )
    own = set(declared.arms.own) if declared.arms and order else set()
    shown = declared.later_panes if after else declared.initial_panes
    shown = tuple(one for one in shown if one.place == place)
    key = f"own-pane-{within}{'after-' if after else ''}{place}"
    for at, (by_arm, panes) in enumerate(
        groupby(shown, key=lambda one: bool(own & set(one.columns)))
    ):
        here = list(panes)
        if not by_arm:
            for number, pane in enumerate(here):
                held = text_compared_with_source(laid, pane)
                of = id_of_question_answered_in_pane(declared, pane)
                own_key = f"{key}-{at}-{number}"
                draw(pane, laid, key=own_key, compared=held, of=of)
            continue
        # More than three side by side are too narrow to read.
        wide = 1 if narrow else len(order) if len(order) <= _BESIDE else 2
        columns = [
            one for _ in range(0, len(order), wide) for one in st.columns(wide, gap="medium")
        ]
        for column, arm, letter in zip(
            columns, order, list_letters_naming_arms(len(order)), strict=False
        ):
            with column:
                for number, pane in enumerate(here):
                    name = f": {arm}" if told else ""
                    titled = replace(pane, title=f"{pane.title} {letter}{name}")
                    own_part = laid[ARMS][arm]
                    held = text_compared_with_source({**laid, **own_part}, pane)
                    own_key = f"{key}-{at}-{number}-{letter}"
                    of = id_of_question_answered_in_pane(declared, pane)
                    of = question_id_for_arm(of, letter) if of else ""
                    nothing = "" if any(own_part.get(name) for name in own) else _NO_ANSWER
                    draw(titled, own_part, key=own_key, compared=held, of=of, nothing=nothing)


NOTHING_HERE = "Nothing is given here."
_NO_ANSWER = "There is no answer here. Leave the questions about it unanswered."


def text_compared_with_source(laid: Mapping[str, Any], pane: StudyPane) -> str:
    """The text that a source is compared with, from all arms if they differ."""
    parts = [laid, *laid.get(ARMS, {}).values()]
    cells = [one[pane.compared] for one in parts if pane.compared and one.get(pane.compared)]
    return "\n".join(
        "\n".join(turn["content"] for turn in one) if isinstance(one, list) else _plain(one)
        for one in cells
    )


LIT = (
    "Highlighted: the sentences that share most words with what you judge. They may not prove it,"
    " and the proof may be elsewhere."
)
_MOST_COMPARED, _LIT_FOR_EACH = 80, 2
"""The number of sentences a source is compared with, and how many each may highlight."""


@lru_cache(maxsize=256)
def source_as_data_with_similar_sentences(source: str, compared: str) -> dict[str, Any]:
    """The browser's data for a source: its sentences with their places, and the numbers of those
    most similar to a sentence of ``compared``, in the order of ``compared``.
    """
    page = index_sentences_of_source(source)
    said = index_sentences_of_source(compared).texts_of_sentences()[:_MOST_COMPARED]
    return {
        "source": blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        "sentences": page.texts_of_sentences(),
        "starts": list(page.starts),
        "paragraphs": list(page.paragraphs),
        "headings": list(page.headings),
        "like": [
            *dict.fromkeys(
                at
                for one in said
                for at in page.sentence_numbers_like_statement(one, most=_LIT_FOR_EACH)
            )
        ],
        **dict.fromkeys(("title", "address", "href", "empty"), ""),
    }


def split_source_by_highlight(source: str, compared: str) -> list[tuple[bool, str]]:
    """A source in parts, True for what ``source_as_data_with_similar_sentences`` highlights."""
    page, parts, begun = index_sentences_of_source(source), [], 0
    for at in sorted(source_as_data_with_similar_sentences(source, compared)["like"]):
        start, end = page.starts[at], page.ends[at]
        parts += [(False, source[begun:start]), (True, source[start:end])]
        begun = end
    return [*parts, (False, source[begun:])]


def id_of_question_answered_in_pane(declared: StudyDeclaration, pane: StudyPane) -> str:
    """The question that is answered by marking a pane's text; "" if it is only read."""
    one = declared.spans
    marked = one and not pane.after and (pane.kind, pane.columns) == ("text", (one.column,))
    return one.id if one and marked else ""


def _draw_pane(
    declared: StudyDeclaration,
    pane: StudyPane,
    laid: Mapping[str, Any],
    *,
    attached: AttachedStudyFiles,
    key: str,
    compared: str,
    item: str,
    of: str,
    others: Others | None,
    reading: bool,
    nothing: str = "",
) -> None:
    """One pane; the marks in its text answer the question ``of``, if it is not empty. ``nothing``
    is said where it is empty.
    """
    title = escape_markdown(pane.title)
    folded = pane.folded and not of
    if not folded:
        st.markdown(f"### {title}")
    with st.expander(title) if folded else st.container(), st.container(key=key):
        there = [name for name in pane.columns if laid.get(name)]
        if not there:
            st.caption(nothing or NOTHING_HERE)
        elif of:
            arm = of.partition(" / ")[2]
            marked = {
                name: {
                    **text_to_mark.NO_BODY,
                    "spans": marks_for_surface(s for s in one.spans if s.arm == arm),
                }
                for name, one in (others or {}).items()
            }
            text_to_mark.draw_text_to_mark(
                labels_and_mark_questions_as_surface_data(declared),
                str(laid[there[0]]),
                key=f"{key}.marks",
                item=item,
                of=of,
                others=marked if reading else None,
            )
        elif pane.kind == "record":
            for name in there:
                title = escape_markdown(name.replace("_", " ").capitalize())
                words = "; ".join(list_texts_of_nested_list(laid[name]) or [_plain(laid[name])])
                st.markdown(f"**{title}** {escape_to_one_line(words)}")
        elif pane.kind == "dialogue":
            _draw_dialogue(laid[there[0]])
        elif pane.kind == "table":
            st.dataframe(pd.DataFrame(laid[there[0]]).map(_plain), hide_index=True)
        elif pane.kind in KINDS:
            try:
                digests = laid.get(FILES, {})
                _draw_files(pane, str(laid[there[0]]), digests, attached, key, item=item)
            except MedLensError as error:
                show_error(error)
        elif pane.kind == "source":
            source = _plain(laid[there[0]])
            column = there[0]
            told = {
                **source_as_data_with_similar_sentences(source, compared),
                "key": f"{item} {key}",
                "item": item,
            }
            tagged = {**told, "column": column, "others": _passages(declared, column, others or {})}
            _source(key=f"{key}.source", data=tagged)
            st.caption(LIT)
        elif pane.kind == "markdown":
            draw_untrusted_markdown(_as_lines(laid[there[0]]), key=key, with_source=True)
        else:
            st.text(_as_lines(laid[there[0]]), width="stretch")


def _draw_dialogue(turns: Sequence[Mapping[str, Any]]) -> None:
    """A conversation turn by turn; what the model was told beforehand is folded at first."""
    told = [turn for turn in turns if is_system_prompt(turn)]
    if told:
        with st.expander("System prompt, folded at first", icon=":material/settings:"):
            for turn in told:
                st.text(turn["content"], width="stretch")
    for turn in turns:
        if not is_system_prompt(turn):
            st.caption(f"**{escape_to_one_line(name_of_role(turn['role']))}**")
            st.text(turn["content"], width="stretch")


def _draw_files(
    pane: StudyPane,
    cell: str,
    digests: Mapping[str, str],
    attached: AttachedStudyFiles,
    key: str,
    *,
    item: str,
) -> None:
    for at, name in enumerate(file_names_in_cell(cell, pane.kind), 1):
        digest = digests.get(name, "")
        if pane.kind == "image":
            image = attached.content_of_file(name, pane.kind, digest)
            draw_image(image, f"{pane.title}, image {at}", key=f"{key}.image.{at}")
            continue
        # Keyed by item, so that another item opens at its own page, and without the file's name,
        # which the browser would get.
        file = blake2b(f"{digest}\x1f{cell}".encode("utf-8", "surrogatepass"), digest_size=8)
        turned = f"{key}.page.{item}.{file.hexdigest()}"
        page = int(st.session_state.get(turned, find_pdf_page_number_in_cell(cell)))
        image, pages = attached.render_pdf_page_and_count_pages(name, digest, page, SHARP)
        if page < pages:
            attached.render_pdf_page_ahead(name, digest, page + 1, SHARP)
        find = partial(attached.find_in_pdf, name, digest)
        marks = _draw_pdf_tools(page, pages, find, key=turned)
        called = f"{pane.title}, page {page} of {pages}"
        draw_image(image, called, key=f"{key}.page", marks=marks)


def _draw_pdf_tools(
    page: int, pages: int, find: Callable[[str], FoundInPdf], *, key: str
) -> Sequence[Box]:
    """The page to turn to, and words to find in a PDF; the places of these words on this page."""
    asked = f"{key}.find"

    def turn(step: int) -> None:
        hits = sorted(find(st.session_state[asked]).pages)
        here = int(st.session_state.get(key, page))
        further = [hit for hit in hits if (hit > here if step > 0 else hit < here)]
        if hits:
            st.session_state[key] = (further or hits)[0 if step > 0 else -1]

    def found_anew() -> None:
        words = st.session_state[asked].strip()
        if words and page not in find(words).pages:
            turn(1)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if pages > 1:
            st.number_input("Page", 1, pages, page, key=key, width=150)
            st.markdown(f"of {pages}", width="content")
        st.text_input("Find in this PDF", key=asked, width=220, max_chars=100, on_change=found_anew)
        words = str(st.session_state.get(asked) or "").strip()
        found = find(words) if words else None
        hits = sorted(found.pages) if found else []
        if len(hits) > 1 or (hits and page not in hits):
            for name, step in (("Earlier page", -1), ("Later page", 1)):
                icon = f":material/chevron_{'right' if step > 0 else 'left'}:"
                st.button(name, key=f"{asked}.{step}", icon=icon, on_click=turn, args=(step,))
    if found:
        st.caption(_words_of_found(found, hits))
    return [(b[0], b[1], b[2], b[3]) for b in found.pages.get(page, ())] if found else []


def _words_of_found(found: FoundInPdf, hits: Sequence[int]) -> str:
    """On which pages of a PDF words were found."""
    if not found.has_text:
        return "This PDF has no text to look through: its pages are images."
    if not hits:
        return "Not found in this PDF."
    named = ", ".join(f"{hit:,}" for hit in hits[:_MOST_PAGES_NAMED])
    more = f" and {len(hits) - _MOST_PAGES_NAMED:,} more" * (len(hits) > _MOST_PAGES_NAMED)
    limit = " Only the first 500 places were looked for." * found.more
    return f"On {'page' if len(hits) == 1 else 'pages'} {named}{more}.{limit}"


def _plain(value: Any) -> str:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _as_lines(value: Any) -> str:
    """A cell's text; a list of texts in it is a line for each."""
    listed = list_texts_of_nested_list(value)
    return "\n".join(f"- {part}" for part in listed) if listed else _plain(value)
