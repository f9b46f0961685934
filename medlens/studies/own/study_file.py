"""A study as a file: the instructions, the items' columns, what is shown, what is asked.

A declaration is a TOML file that a lead can write; every error in it is reported with its line. The
templates (``data/own``) are such files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, cast, get_args

from medlens.config.question_forms_and_answer_checks import (
    EVIDENCE,
    KINDS,
    NO_SPANS,
    OF_ARMS,
    OF_OWN,
    REWRITE,
    RUBRIC,
    SPANS,
    Form,
    Kind,
    Question,
    read_questions_of_toml_file,
)
from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.config.toml_file import TomlFile, TomlTable
from medlens.errors import BadFile, InvalidInput
from medlens.review.judgment_export import HEAD, TAIL
from medlens.review.second_pass import SECOND
from medlens.studies.own import attached_files, evidence_passages_marked_by_raters
from medlens.studies.own.blinded_arms import (
    ARM,
    ARMS,
    CASE,
    ORDER,
    Arms,
    list_names_of_arms_in_item,
    preference_question_as_choice_question,
    question_about_rank_of_one_arm,
    read_arms_of_study_file,
    spread_questions_over_arms,
)
from medlens.studies.own.compare_rewritten_texts import (
    COLUMNS,
    make_question_whether_text_was_changed,
    question_of_share_of_words_changed,
    rewriting_questions_by_id,
)

TEMPLATES = SHIPPED / "data/own"

PaneKind = Literal["text", "markdown", "dialogue", "table", "record", "image", "pdf", "source"]
PANES: tuple[PaneKind, ...] = get_args(PaneKind)
Place = Literal["left", "centre", "right"]
Incomplete = Literal["refuse", "leave_out"]
INCOMPLETE: tuple[Incomplete, ...] = get_args(Incomplete)
PLACES: tuple[Place, ...] = get_args(Place)
"""Where a pane is at the desk; the questions are on the right, below any panes there."""
IN_WORDS: tuple[PaneKind, ...] = ("text", "markdown", "dialogue", "record", "source")
"""The panes that the tagging desk can show beside the text that is marked."""
ADVISED = ("single", "yes_no", "scale")
"""The kinds of questions that advice can be given on."""
NearlyEmpty = Literal["keep", "leave_out"]
NEARLY_EMPTY = ("keep", "leave_out")
Identifiers = Literal["tell", "keep", "replace", "leave_out"]
IDENTIFIERS = ("tell", "keep", "replace", "leave_out")
"""What becomes of a row that has at most one cell of what reviewers see."""
ITEM = "item"
VERSION = "version"
RESERVED_QUESTION_IDS = frozenset({*HEAD, *TAIL, VERSION, ORDER, "value"})
"""Names already used by columns of exported judgments."""
MOST = 200
"""Columns of an item, questions, options of a question: more are a mistake."""
HANDING_OUT = {
    "raters_per_item": (1, 50),
    "items_per_rater": (1, 5000),
    "gold_share": (0, 0.5),
    "again_share": (0, 0.5),
    "again_after": (1, 1000),
}
_PLAIN = ("source", "thing", "item", "numbered", "illustrative", "headline", "fixed_panel")
_TOP = (
    *("id", "title", "instructions", "worked_example", *_PLAIN, *HANDING_OUT),
    *("show_arms", "arm_column", "several_arms", "mask", "missing", "incomplete"),
    *("leave_out", "leave_out_rows", "nearly_empty", "identifiers"),
    *("chosen_arm", "chosen_column"),
)
_SECTIONS = ("arm", "column", "pane", "advice", "question")
PLACE = re.compile(r"\{([^{}\n]+)\}")
"""A column's name in a prompt."""
LARGEST_MB = 1
"""The largest allowed study file."""
LONGEST_TITLE, LONGEST_ID = 120, 60
# Directional marks (U+200E, U+200F) and paired isolates belong in right-to-left text.
UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@dataclass(frozen=True)
class ItemColumn:
    """A column of the items' file. If it is ``required``, a file without it is refused, and so is a
    row that leaves it empty; ``groups``: figures are shown by its values; ``by_arm``: each arm of a
    case has its own. ``prompt``: what a run asks models to fill it, with other columns' names in
    braces; ``system`` is the system message, ``model`` the model to ask if there are no arms.
    """

    name: str
    means: str
    required: bool = True
    groups: bool = False
    by_arm: bool = False
    prompt: str = ""
    system: str = ""
    model: str = ""


COLUMN_FIELDS = tuple(ItemColumn.__dataclass_fields__)


@dataclass(frozen=True)
class StudyPane:
    """A part of what is shown of an item: one column, or several for a record; ``after``: only to
    those who have answered, who may then change the answer. A source is ``compared`` with that
    column: its sentences most similar to the column's text are highlighted.
    """

    title: str
    kind: PaneKind
    columns: tuple[str, ...]
    folded: bool = False
    after: bool = False
    compared: str = ""
    place: Place = "left"

    @property
    def titles_by_column(self) -> Mapping[str, str]:
        """Each of its columns with what models and adjudicators are told that it is."""
        several = len(self.columns) > 1
        return {one: f"{self.title}: {one}" if several else self.title for one in self.columns}


@dataclass(frozen=True)
class Advice:
    """The column with the advised answer to a ``question``, shown after the reviewer's own, and the
    one with the ``truth``, which is not shown (empty: there is none).
    """

    question: str
    column: str
    truth: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyDeclaration:
    """A study as its file declares it.

    ``form`` holds its id, title, instructions and questions. ``item`` is the column that names an
    item; if a table lacks it, its rows are ``numbered``, provided the file says so. ``thing`` is
    what one item is called, ``source`` where the questions come from. ``fixed_panel``: figures
    speak for the people who judged alone. ``handing_out`` are the fields of ``HandOut`` that differ
    from the defaults. ``arms``: it compares several models'
    answers to the same cases, each named by ``item``. ``spans``: the question answered by marking
    words of the text in its ``column``; it is not in the form. ``headline``: the question whose
    answers are on the lead's Home; "" if the file names none. ``mask``: the names of models that
    reviewers see as bars. ``missing``: words that are an empty cell if they stand alone in it.
    ``incomplete``: whether a case with one arm alone is refused or left out, if arms are compared.
    ``leave_out``: the words of rows that are no items, such as sums; ``leave_out_rows``: the marks
    (``item_and_judgment_import_and_export.digest_of_row_cells``) of single rows that are none;
    ``nearly_empty``: whether a row with one cell at most of what is shown becomes an item or is
    left out. ``identifiers``: what an import does with what may identify a patient: tell, keep in
    silence, replace by what it is, or leave its row out. ``chosen_arm``: the arm that somebody
    preferred in every case before the study began, or ``chosen_column``: the one that says which.
    ``worked_example``: a finished item, why it was judged so, and the keys, as Markdown; reviewers
    see it at their first visit.
    """

    form: Form
    worked_example: str = ""
    source: str = ""
    thing: str = ITEM
    item: str = ITEM
    illustrative: bool = False
    columns: tuple[ItemColumn, ...]
    panes: tuple[StudyPane, ...]
    handing_out: Mapping[str, Any]
    arms: Arms | None = None
    advice: tuple[Advice, ...] = ()
    numbered: bool = False
    fixed_panel: bool = False
    spans: Question | None = None
    headline: str = ""
    mask: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    incomplete: Incomplete = "refuse"
    leave_out: tuple[str, ...] = ()
    leave_out_rows: tuple[str, ...] = ()
    nearly_empty: NearlyEmpty = "keep"
    identifiers: Identifiers = "tell"
    chosen_arm: str = ""
    chosen_column: str = ""

    @property
    def study_id(self) -> str:
        """Its name, which is also its dataset's."""
        return self.form.id

    def copy_with_other_id(self, id: str) -> StudyDeclaration:
        """The same declaration under another id."""
        return self if id == self.study_id else replace(self, form=replace(self.form, id=id))

    @property
    def are_arms_side_by_side(self) -> bool:
        """Whether all arms of a case are shown side by side."""
        return self.arms is not None and self.arms.show == "together"

    def arms_without_answer(self, body: Mapping[str, Any]) -> list[str]:
        """The arms of an item with this body of which nothing is shown: a model gave no answer."""
        if self.arms is None:
            return []
        shown = [name for pane in self.panes for name in pane.columns if name in self.arms.own]
        cells: Mapping[str, Mapping[str, Any]] = body.get(ARMS) or {}
        return [arm for arm, own in cells.items() if shown and not any(map(own.get, shown))]

    def arms_to_judge(self, body: Mapping[str, Any]) -> list[str]:
        """The arms of an item with this body, shown side by side, without those of which nothing is
        shown: nobody is asked about an answer that a model did not give. If none gave one, all.
        """
        there, without = list_names_of_arms_in_item(body), self.arms_without_answer(body)
        return [arm for arm in there if arm not in without] or there

    def arms_with_answer(self, body: Mapping[str, Any]) -> list[str]:
        """The arms of an item with this body of which something is shown: any number side by side,
        one at most where each is by itself.
        """
        if self.arms is None:
            return []
        if self.are_arms_side_by_side:
            without = self.arms_without_answer(body)
            return [arm for arm in list_names_of_arms_in_item(body) if arm not in without]
        shown = [name for pane in self.panes for name in pane.columns if name in self.arms.own]
        return [str(body.get(ARM, ""))] if not shown or any(map(body.get, shown)) else []

    def is_anything_asked_about(self, body: Mapping[str, Any]) -> bool:
        """Whether an item with this body, with the answers that it has, is asked anything about. An
        answer by itself that is missing is not.
        """
        if self.arms is None:
            return True
        answers = len(self.arms_with_answer(body))
        if not self.are_arms_side_by_side:
            return bool(answers)
        every = self.declaration_for_item(body).form.questions
        return any(
            answers >= (1 if one.each else 2 if one.kind in OF_ARMS else 0)
            for one in (*every, *([self.spans] if self.spans else []))
        )

    @property
    def do_items_tell_earlier_chosen_arm(self) -> bool:
        """Whether its items say which arm somebody chose before."""
        return self.are_arms_side_by_side and bool(self.chosen_arm or self.chosen_column)

    @property
    def initial_panes(self) -> tuple[StudyPane, ...]:
        """What is shown from the beginning."""
        return tuple(one for one in self.panes if not one.after)

    @property
    def later_panes(self) -> tuple[StudyPane, ...]:
        """What is shown only after the answer."""
        return tuple(one for one in self.panes if one.after)

    @cached_property
    def shown_text_columns(self) -> tuple[str, ...]:
        """The columns whose words reviewers see, at first or later: not those that name files."""
        shown = (
            name
            for one in self.panes
            for name in one.columns
            if name not in self.pane_kinds_by_file_column
        )
        return tuple(dict.fromkeys(shown))

    @cached_property
    def columns_with_words_seen(self) -> tuple[str, ...]:
        """``shown_text_columns``, and that of each item's criteria, which stand among what is
        asked.
        """
        return (*self.shown_text_columns, *filter(None, [self.criteria_column]))

    @cached_property
    def marked_or_rewritten_columns(self) -> frozenset[str]:
        """The columns whose texts are marked, quoted or rewritten: words keep their places."""
        asked = [one for one in self.form.questions if one.kind in (REWRITE, EVIDENCE)]
        return frozenset(one.column for one in (*asked, *([self.spans] if self.spans else [])))

    @property
    def column_written_by_models(self) -> ItemColumn | None:
        """The column that models write in a run."""
        return next((one for one in self.columns if one.prompt), None)

    def does_table_await_model_answers(self, columns: Collection[str]) -> bool:
        """Whether a table with these columns has cases that models have yet to answer."""
        if self.column_written_by_models is None:
            return False
        wide = self.arms.wide.values() if self.arms else ()
        return not {
            self.column_written_by_models.name,
            *(one for of in wide for one in of.values()),
        } & set(columns)

    @cached_property
    def possible_answers_by_column(self) -> Mapping[str, tuple[str, ...]]:
        """The columns that hold an answer to a question, each with the possible answers."""
        choices = {one.id: one.shown_options for one in self.form.questions}
        return {
            column: choices[one.question]
            for one in self.advice
            for column in (one.column, one.truth)
            if column
        }

    @cached_property
    def form_with_question_per_arm(self) -> Form:
        """Its form as answers are kept: with one question per arm if each arm is asked about."""
        if self.arms is None or not self.are_arms_side_by_side:
            return self.form
        names = self.arms.names
        return replace(
            self.form, questions=spread_questions_over_arms(self.form.questions, names, names)
        )

    @cached_property
    def counted_questions(self) -> list[Question]:
        """The questions whose answers are counted and whose agreement is measured: one asked of
        each arm counts once, a preference as a choice between the arms, a ranking as the place of
        one, a rewritten text as whether it was changed and as the share of its words that were,
        evidence as whether any was marked.
        """
        names = self.arms.names if self.arms else ()
        found = []
        for one in self.form.questions:
            if one.kind == "preference":
                found.append(preference_question_as_choice_question(one, names))
            elif one.kind == "ranking":
                found.append(replace(question_about_rank_of_one_arm(one, len(names)), each=True))
            elif one.kind == REWRITE:
                found += [
                    make_question_whether_text_was_changed(one),
                    question_of_share_of_words_changed(one),
                ]
            elif one.kind == EVIDENCE:
                found.append(
                    evidence_passages_marked_by_raters.make_question_whether_passage_was_marked(one)
                )
            elif are_answers_counted(one) and not one.is_worded_per_item:
                found.append(one)
        return [*self.counted_span_questions, *found]

    @cached_property
    def marking_questions_by_arm(self) -> Mapping[str, Question]:
        """The question about marks by the arm whose text is marked, which is "" if no arm has a
        text of its own; empty if nothing is marked.
        """
        if self.spans is None:
            return {}
        if self.arms is None or not self.spans.each:
            return {"": self.spans}
        names = self.arms.names
        return dict(
            zip(names, spread_questions_over_arms((self.spans,), names, names), strict=True)
        )

    def text_to_mark_of_item(self, arm: str, body: Mapping[str, Any]) -> str:
        """The text that is marked in the item with this body, of an arm of
        ``marking_questions_by_arm``.
        """
        cells = body.get(ARMS, {}).get(arm, {}) if arm else body
        return str(cells.get(self.spans.column, "")) if self.spans else ""

    @cached_property
    def span_questions_per_arm(self) -> tuple[Question, ...]:
        """``counted_span_questions``, once per arm if each has a text to mark."""
        names = self.arms.names if self.arms and self.are_arms_side_by_side else ()
        return spread_questions_over_arms(self.counted_span_questions, names, names)

    @cached_property
    def counted_span_questions(self) -> list[Question]:
        """What is counted of an answer's spans, as multiple-choice questions: its labels, or none;
        and the answers given about any of its spans.
        """
        one = self.spans
        if one is None:
            return []
        options = (*(label.name for label in one.labels), NO_SPANS)
        return [
            replace(
                Question(one.id, "multiple", one.text, required=False, options=options),
                each=one.each,
                added=one.added,
            ),
            *(
                replace(
                    each, id=f"{one.id}_{each.id}", kind="multiple", required=False, each=one.each
                )
                for each in one.of_span
                if each.options
            ),
        ]

    @cached_property
    def is_marked_at_tagging_desk(self) -> bool:
        """Whether its text is marked at the tagging desk, beside words and plain questions. If it
        shows or asks more, the text is a pane beside the form.
        """
        return (
            self.spans is not None
            and not (
                self.are_arms_side_by_side
                or self.has_questions_differing_by_item
                or self.evidence_questions_by_id
            )
            and all(
                one.kind in IN_WORDS and one.place == "left" and not one.after for one in self.panes
            )
        )

    @cached_property
    def rewriting_questions_by_id(self) -> Mapping[str, Question]:
        """The questions answered by editing a copy of a text, by id; one per arm if each is asked
        about.
        """
        return rewriting_questions_by_id(self.form_with_question_per_arm)

    def item_keys_leading_to_text_to_rewrite(self, question: Question) -> tuple[str, ...]:
        """The path in an item to the text that one of these questions rewrites."""
        if not (self.are_arms_side_by_side and question.each):
            return (question.column,)
        return ARMS, question.id.partition(" / ")[2], question.column

    def text_to_rewrite_of_item(self, question: Question, body: Mapping[str, Any]) -> str:
        """That text in the item with this body; "" if it has none."""
        found: Any = body
        for name in self.item_keys_leading_to_text_to_rewrite(question):
            found = found.get(name, {})
        return str(found or "")

    @cached_property
    def evidence_questions_by_id(self) -> Mapping[str, Question]:
        """The questions answered by marking a source, by id; one per arm if each is asked about."""
        return evidence_passages_marked_by_raters.evidence_questions_by_id(
            self.form_with_question_per_arm
        )

    @cached_property
    def number_questions_standing_for_rubrics(self) -> list[Question]:
        """Each rubric as a number, the share of its points that an answer got."""
        named = {one.rubric: one for one in self.form.questions if one.rubric}
        return [
            replace(one, id=rubric[0], kind="number", text=rubric[1], options=(), part="", tags=())
            for rubric, one in named.items()
        ]

    @cached_property
    def pane_kinds_by_file_column(self) -> Mapping[str, str]:
        """The columns that name files, and the kind of pane that shows each."""
        return {one.columns[0]: one.kind for one in self.panes if one.kind in attached_files.KINDS}

    @property
    def criteria_column(self) -> str:
        """The column with each item's criteria; "" if all items have the same."""
        return next((one.column for one in self.form.questions if one.is_worded_per_item), "")

    def questions_listed_without_item(self, form: Form) -> list[Question]:
        """The questions of its form, or of the whole one, as listed without an item: items' own
        criteria appear as one question, the rubric.
        """
        found = [one for one in form.questions if not one.is_worded_per_item]
        return [*found, *(one for one in self.number_questions_standing_for_rubrics if one.column)]

    def declaration_for_item(self, body: Mapping[str, Any]) -> StudyDeclaration:
        """What is asked of an item with this body, which may have its own criteria and texts to
        rewrite, and may have come again.
        """
        if not self.has_questions_differing_by_item:
            return self
        texts = {
            name: self.text_to_rewrite_of_item(one, body)
            for name, one in self.rewriting_questions_by_id.items()
        }
        criteria = body.get(self.criteria_column) or []
        return _for_item(self, json.dumps([criteria, texts, SECOND in body]))

    @property
    def has_questions_differing_by_item(self) -> bool:
        """Whether different items are asked different things."""
        once = any(one.once for one in self.form.questions)
        return bool(self.criteria_column or self.rewriting_questions_by_id or once)

    @property
    def repeated_wordings_in_sentences(self) -> list[str]:
        """Questions with the same wording, in sentences; a rubric's criteria are compared within
        it, other questions within their part.
        """
        same: dict[tuple[str, str], list[Question]] = {}
        for one in self.form.questions:
            under = one.rubric[0] if one.rubric else one.part
            same.setdefault((under, " ".join(one.text.casefold().split())), []).append(one)
        return [
            f"{', '.join(one.id for one in of)}: these questions are worded alike, “{of[0].text}”."
            for of in same.values()
            if len(of) > 1
        ]

    def criteria_of_rubric(self, rubric: str) -> list[Question]:
        """The criteria of the rubric with this id."""
        return [one for one in self.form.questions if one.rubric and one.rubric[0] == rubric]


@lru_cache(maxsize=1024)
def _for_item(declared: StudyDeclaration, own_parts: str) -> StudyDeclaration:
    criteria, texts, again = json.loads(own_parts)
    given = iter(criteria)
    questions = []
    left_out = {one.id for one in declared.form.questions if again and one.once}
    for one in declared.form.questions:
        if one.id in left_out or (one.only_if and one.only_if[0] in left_out):
            continue
        if one.kind == REWRITE:
            of = {
                name.partition(" / ")[2]: texts[name]
                for name in texts
                if name.split(" / ")[0] == one.id
            }
            questions.append(replace(one, original=of.pop("", ""), originals=tuple(of.items())))
        elif not one.is_worded_per_item:
            questions.append(one)
        elif own := next(given, None):
            more = {"text": own["text"], "points": own["points"], "tags": tuple(own["tags"])}
            questions.append(replace(one, column="", **more))
    return replace(declared, form=replace(declared.form, questions=tuple(questions)))


def are_answers_counted(question: Question) -> bool:
    """Whether answers to it are counted; free text is not."""
    return bool(question.shown_options) or question.kind in ("number", REWRITE, EVIDENCE)


NONE = StudyDeclaration(form=Form("", "", "", ()), columns=(), panes=(), handing_out={})
"""If there is no study yet."""


@lru_cache(maxsize=64)
def parse_study_file(
    text: str, name: str = "STUDY.toml", *, stored: bool = False
) -> StudyDeclaration:
    """Read a declaration from its text; ``name`` is the file's. A ``stored`` one may come from
    another version of MedLens, so it is not checked against the rules for the wording of new ones.

    Raises:
        BadFile: it names the file and the line of each error.
    """
    file = TomlFile(Path(name), "study", content=text.encode("utf-8", "surrogatepass"))
    file.record_unknown_fields(file.top, (*_TOP, *_SECTIONS))
    if not stored:
        _require_readable(file)
    columns = _columns(file)
    panes = _panes(file, {one.name for one in columns})
    own = [one.name for one in columns if one.by_arm]
    called = next((one.title for one in panes if set(one.columns) & set(own)), "Arm")
    arms = read_arms_of_study_file(file, own, called)
    compared = arms is not None and arms.show == "together"
    every = read_questions_of_toml_file(file, arms=compared, own=True)
    every = tuple(_with_texts(file, every, panes, columns, own if compared else ()))
    questions = tuple(one for one in every if one.kind != SPANS)
    asked = file.list_tables_named("question", required=False)
    spans = _spans(file, every)
    for table in asked:
        own_id, options = str(table.values.get("id")), table.values.get("options")
        of = {one.id for one in questions if one.rubric and one.rubric[0] == own_id}
        if own_id in RESERVED_QUESTION_IDS or of & RESERVED_QUESTION_IDS:
            file.record_field_mistake(
                table, "id", "a name that no column of exported judgments has already"
            )
        if isinstance(options, list) and any(";" in str(one) for one in options):
            file.record_field_mistake(
                table, "options", "options without semicolons, which part them in CSV"
            )
    known = all(table.values.get("kind") in KINDS for table in asked)
    known = known and not any(table.values.get("kind") in OF_OWN for table in asked)
    if (
        asked
        and known
        and not any(are_answers_counted(one) or one.kind in OF_ARMS for one in questions)
    ):
        file.record_field_mistake(
            file.top, "question", "at least one question that can be counted: no text"
        )
    found = file.read_table_as_dataclass(
        *(file.top, StudyDeclaration, _PLAIN),
        form=Form(
            id=file.read_identifier(file.top),
            title=file.read_text_field(file.top, "title"),
            intro=file.read_text_field(file.top, "instructions"),
            questions=questions,
        ),
        worked_example=file.read_text_field(file.top, "worked_example", ""),
        columns=columns,
        panes=panes,
        handing_out=_handing_out(file),
        arms=arms,
        missing=file.read_text_list_field(file.top, "missing", what="words"),
        incomplete=cast(
            Incomplete, file.read_choice_field(file.top, "incomplete", INCOMPLETE, "refuse")
        ),
        leave_out=file.read_text_list_field(file.top, "leave_out", what="words"),
        leave_out_rows=file.read_text_list_field(file.top, "leave_out_rows", what="marks of rows"),
        nearly_empty=cast(
            NearlyEmpty, file.read_choice_field(file.top, "nearly_empty", NEARLY_EMPTY, "keep")
        ),
        identifiers=cast(
            Identifiers, file.read_choice_field(file.top, "identifiers", IDENTIFIERS, "tell")
        ),
        chosen_arm=file.read_text_field(file.top, "chosen_arm", ""),
        chosen_column=file.read_text_field(file.top, "chosen_column", ""),
        mask=file.read_text_list_field(file.top, "mask", what="names"),
        advice=_advice(file, questions, panes, {one.name for one in columns}, arms=compared),
        spans=spans,
    )
    if found.headline not in {
        "",
        *(
            one.id
            for one in (*found.counted_questions, *found.number_questions_standing_for_rubrics)
        ),
    }:
        file.record_field_mistake(
            file.top, "headline", "the id of a question whose answers can be counted"
        )
    _require_criteria(file, found)
    if found.chosen_arm and (arms is None or found.chosen_arm not in arms.names):
        file.record_field_mistake(file.top, "chosen_arm", "the name of an [[arm]]")
    unseen = {one.name for one in columns if not one.by_arm} - set(found.shown_text_columns)
    if found.chosen_column and found.chosen_column not in unseen:
        file.record_field_mistake(
            file.top, "chosen_column", "a [[column]] without by_arm, which no pane shows"
        )
    if found.later_panes and found.handing_out.get("again_share"):
        file.record_field_mistake(
            file.top, "again_share", "0: what is shown after answering ends blindness"
        )
    if panes and not found.initial_panes:
        file.record_field_mistake(file.top, "pane", "at least one pane without after_answer = true")
    made = {
        own_id: {f"{own_id}_{end}" for end in COLUMNS}
        for own_id in rewriting_questions_by_id(found.form)
    }
    made |= {
        own_id: {f"{own_id}_{evidence_passages_marked_by_raters.QUOTES}"}
        for own_id in evidence_passages_marked_by_raters.evidence_questions_by_id(found.form)
    }
    for own_id, of_export in made.items():
        if clash := of_export & {one.id for one in every}:
            table = next(one for one in asked if one.values.get("id") == own_id)
            file.record_field_mistake(
                table,
                "id",
                f"an id that does not make {min(clash)}, which is another question's id",
            )
    ids = [one.id for one in (*found.form.questions, *found.counted_span_questions)]
    if twice := next((one.id for one in found.counted_span_questions if ids.count(one.id) > 1), ""):
        table = next(one for one in asked if one.values.get("kind") == SPANS)
        file.record_field_mistake(
            table, "of_span", f"ids of which none makes {twice}, which is another question's id"
        )
    if found.item in {one.name for one in columns}:
        file.record_field_mistake(
            file.top, "item", "a column that is no [[column]]: it only names the items"
        )
    for table in file.list_tables_named("column", required=False):
        if arms and table.values.get("name") in {ARM, ARMS, CASE, arms.column}:
            file.record_field_mistake(
                table, "name", "another name: this one stands for an arm or its case"
            )
        if found.pane_kinds_by_file_column and table.values.get("name") == attached_files.FILES:
            file.record_field_mistake(
                table, "name", "another name: this one stands for the files of an item"
            )
    for pane, table in zip(panes, file.list_tables_named("pane", required=False), strict=False):
        if compared and 0 < len(set(pane.columns) & set(own)) < len(pane.columns):
            file.record_field_mistake(
                table, "columns", "columns that all have by_arm = true, or none of them"
            )
    file.raise_if_mistakes_were_recorded()
    return found


def _require_readable(file: TomlFile) -> None:
    """Refuse words that do not display as written, a title or an id that is too long, and more
    questions or options than anybody reads.
    """
    of = {name: file.list_tables_named(name, required=False) for name in _SECTIONS}
    for name in ("pane", "question"):
        if len(of[name]) > MOST:
            file.record_field_mistake(of[name][MOST], name, f"at most {MOST} of these")
    for table in of["question"]:
        options = table.values.get("options")
        if isinstance(options, list) and len(options) > MOST:
            file.record_field_mistake(table, "options", f"at most {MOST} options")
    for table in (file.top, *(one for tables in of.values() for one in tables)):
        for field, value in table.values.items():
            if field not in _SECTIONS and any(map(UNREADABLE.search, _words_in(value))):
                expected = "no control characters, and none that reverses the writing (U+202A–202E)"
                file.record_field_mistake(table, field, expected)
    for field, most in (("title", LONGEST_TITLE), ("id", LONGEST_ID)):
        if len(str(file.top.values.get(field, ""))) > most:
            file.record_field_mistake(file.top, field, f"at most {most} characters")


def _words_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _words_in(one)


def _columns(file: TomlFile) -> tuple[ItemColumn, ...]:
    tables = file.list_tables_named("column", required=True)
    found = [file.read_table_as_dataclass(table, ItemColumn) for table in tables]
    file.record_duplicate_values(tables, "name")
    _require_askable(file, tables, found)
    if len(tables) > MOST:
        file.record_field_mistake(tables[MOST], "name", f"at most {MOST} columns")
    return tuple(found)


def _require_askable(
    file: TomlFile, tables: Sequence[TomlTable], columns: Sequence[ItemColumn]
) -> None:
    """Refuse a column whose prompt a run could not send to models."""
    given = {one.name for one in columns if not (one.by_arm or one.prompt)}
    asked = [at for at, one in enumerate(columns) if one.prompt]
    for at, one in enumerate(columns):
        if not one.prompt and (one.system or one.model):
            file.record_field_mistake(tables[at], "prompt", "what models are asked for this column")
        elif one.by_arm and asked and not one.prompt and one.required:
            file.record_field_mistake(
                tables[at], "required", "false: models write the answers alone"
            )
    for at in asked:
        if at != asked[0]:
            file.record_field_mistake(
                tables[at], "prompt", "one column that models write, not several"
            )
        if not given & set(PLACE.findall(columns[at].prompt)):
            expected = "words with the name of at least one other [[column]] in braces"
            file.record_field_mistake(tables[at], "prompt", f"{expected}, as {{question}}")
        if columns[at].by_arm and columns[at].model:
            file.record_field_mistake(tables[at], "model", "model = in each [[arm]] instead")


def fields_of_pane_kind(kind: PaneKind) -> tuple[str, ...]:
    """The fields that a pane of this kind can have."""
    column = "columns" if kind == "record" else "column"
    more = ("compared_to",) if kind == "source" else ()
    return ("title", "kind", column, *more, "place", "folded", "after_answer")


def _panes(file: TomlFile, known: set[str]) -> tuple[StudyPane, ...]:
    found = []
    for table in file.list_tables_named("pane", required=True):
        kind = cast(PaneKind, file.read_choice_field(table, "kind", PANES, "text"))
        record = kind == "record"
        file.record_unknown_fields(table, fields_of_pane_kind(kind))
        columns = (
            file.read_text_list_field(table, "columns", at_least=1, what="column")
            if record
            else (file.read_text_field(table, "column"),)
        )
        if strange := [one for one in columns if one and one not in known]:
            named = "the name of a [[column]]" + (f", not {strange[0]}" if record else "")
            file.record_field_mistake(table, "columns" if record else "column", named)
        found.append(
            file.read_table_as_dataclass(
                *(table, StudyPane, ("title", "folded", "place")),
                kind=kind,
                columns=columns,
                after=file.read_flag_field(table, "after_answer", default=False),
                compared=file.read_text_field(table, "compared_to", ""),
            )
        )
    return tuple(_compared(file, found))


def _compared(file: TomlFile, panes: Sequence[StudyPane]) -> Iterator[StudyPane]:
    """The panes, each source with the column it is compared with."""
    for table, pane in zip(file.list_tables_named("pane", required=False), panes, strict=True):
        if pane.kind != "source":
            yield pane
            continue
        # Highlighting would give away what is shown only later.
        shown = [
            one.columns[0]
            for one in panes
            if one.kind in ("text", "markdown", "dialogue") and not one.after and one is not pane
        ]
        column = pane.compared or (shown[-1] if shown else "")
        if column not in shown:
            expected = "the column of another [[pane]], of the kind text, markdown or dialogue"
            file.record_field_mistake(table, "compared_to", f"{expected}, without after_answer")
        yield replace(pane, compared=column)


def _advice(
    file: TomlFile,
    questions: Sequence[Question],
    panes: Sequence[StudyPane],
    known: set[str],
    *,
    arms: bool,
) -> tuple[Advice, ...]:
    tables = file.list_tables_named("advice", required=False)
    of = {one.id: one for one in questions if one.kind in ADVISED and not one.rubric}
    shown = {
        name: one.after
        for one in sorted(panes, key=lambda one: not one.after)
        for name in one.columns
    }
    found = []
    for table in tables:
        one = file.read_table_as_dataclass(table, Advice)
        if arms:
            file.record_field_mistake(
                table, "question", "no advice where arms lie beside each other"
            )
        elif one.question and one.question not in of:
            file.record_field_mistake(
                table, "question", f"the id of a question that is {', '.join(ADVISED)}"
            )
        if one.column and not (one.column in known and shown.get(one.column)):
            file.record_field_mistake(
                table, "column", "a [[column]] that only panes with after_answer = true show"
            )
        if one.truth and (one.truth not in known or one.truth in shown or one.truth == one.column):
            file.record_field_mistake(table, "truth", "a [[column]] that no pane shows")
        found.append(one)
    file.record_duplicate_values(tables, "question")
    return tuple(found)


_OF_MARKS = frozenset(
    {*RESERVED_QUESTION_IDS, "mark", "label", "labels", "start", "end", "quote", "comment"}
)
_SHOWN_IN: Mapping[Kind, tuple[PaneKind, ...]] = {
    SPANS: ("text",),
    REWRITE: ("text", "markdown"),
    EVIDENCE: ("source",),
}
"""The panes whose text questions of a kind are about."""


def _with_texts(
    file: TomlFile,
    questions: Sequence[Question],
    panes: Sequence[StudyPane],
    columns: Sequence[ItemColumn],
    by_arm: Collection[str],
) -> Iterator[Question]:
    """The questions, those about a text or a source with its column: the last one shown, if the
    file names none.
    """
    needed = {one.name for one in columns if one.required}
    every = file.list_tables_named("question", required=False)
    tables = {
        kind: iter([one for one in every if one.values.get("kind") == kind]) for kind in _SHOWN_IN
    }
    for one in questions:
        if one.kind not in _SHOWN_IN:
            yield one
            continue
        kinds, of_source = _SHOWN_IN[one.kind], one.kind == EVIDENCE
        shown = [pane.columns[0] for pane in panes if pane.kind in kinds and not pane.after]
        texts = [
            name
            for name in shown
            if (of_source or name in needed) and (name in by_arm) == (one.each and not of_source)
        ]
        table = next(tables[one.kind])
        if not texts or one.column not in ("", *texts):
            more = (
                ", and that is not an arm’s beside others"
                if of_source
                else ", in which every item has something; of arms beside each other their own"
                " with per = “arm”, else another"
            )
            pane = f"a [[pane]] of the kind {' or '.join(kinds)} without after_answer"
            file.record_field_mistake(table, "column", f"the column of {pane}{more}")
        yield replace(one, column=one.column or (texts[-1] if texts else ""))


def _spans(file: TomlFile, questions: Sequence[Question]) -> Question | None:
    """The question answered by marking."""
    tables = [
        o
        for o in file.list_tables_named("question", required=False)
        if o.values.get("kind") == SPANS
    ]
    asked = [one for one in questions if one.kind == SPANS]
    if not asked:
        return None
    one, table = asked[0], tables[0]
    if len(asked) > 1:
        file.record_field_mistake(tables[1], "kind", "another kind: a study has one text to mark")
    reserved = _OF_MARKS | ({ARM} if one.each else set())
    if taken := [each.id for each in one.of_span if each.id in reserved]:
        file.record_field_mistake(
            table, "of_span", f"another id than {taken[0]}, as exports call a mark's own"
        )
    return one


def _require_criteria(file: TomlFile, declared: StudyDeclaration) -> None:
    """Refuse a criteria column that holds something else, and a second one."""
    tables = [
        one
        for one in file.list_tables_named("question", required=False)
        if one.values.get("kind") == RUBRIC and one.values.get("criteria_column")
    ]
    own = {one.name for one in declared.columns if not (one.groups or one.by_arm)}
    own -= {name for pane in declared.panes for name in pane.columns}
    for at, table in enumerate(tables):
        if str(table.values["criteria_column"]) not in own:
            expected = "a [[column]] without groups or by_arm, which no [[pane]] shows"
            file.record_field_mistake(table, "criteria_column", expected)
        if at:
            file.record_field_mistake(
                table, "criteria_column", "the same criteria for all items in a second rubric"
            )


def _handing_out(file: TomlFile) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (least, most) in HANDING_OUT.items():
        number = file.read_number_field(file.top, name)
        whole = isinstance(least, int) and isinstance(most, int)
        if number is None:
            continue
        if not least <= number <= most or (whole and not isinstance(number, int)):
            what = "a whole number" if whole else "a number"
            file.record_field_mistake(file.top, name, f"{what} from {least} to {most}")
        found[name] = number
    return found


def read_study_file_text_and_declaration(path: Path) -> tuple[str, StudyDeclaration]:
    """The text of a study's file, and what it declares.

    Raises:
        BadFile: it cannot be read, or as ``parse``.
    """
    try:
        with path.open("rb") as file:
            return parse_study_file_text_and_declaration(
                file.read(LARGEST_MB * 1_000_000 + 1), path.name
            )
    except OSError as error:
        raise BadFile(
            f"{path} cannot be read: {error.strerror}.", hint="Check the path."
        ) from error


def parse_study_file_text_and_declaration(
    content: bytes, name: str
) -> tuple[str, StudyDeclaration]:
    """``read`` for a file's content; ``name`` is the file's.

    Raises:
        BadFile: it is not text or too large, or as ``parse``.
    """
    if len(content) > LARGEST_MB * 1_000_000:
        raise BadFile(f"{name} is larger than {LARGEST_MB} MB.", hint="Is it the study's file?")
    if content.startswith(b"PK\x03\x04"):
        raise BadFile(
            f"{name} is a spreadsheet or another packed file, not a study file.",
            hint="A study file is a text, STUDY.toml. Your table belongs under Make a study.",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"{name} is not UTF-8.", hint="Save it as UTF-8.") from error
    return text, parse_study_file(text, name)


# -- another version -------------------------------------------------------------------------------


def declaration_noting_when_options_were_added(
    declared: StudyDeclaration, versions: Mapping[int, StudyDeclaration]
) -> StudyDeclaration:
    """The same study, whose questions know which of their options were ``added`` to them, and in
    which version; ``versions`` are all of its files by number, the newest included.
    """
    offered = {
        version: {one.id: frozenset(one.shown_options) for one in earlier.counted_questions}
        for version, earlier in sorted(versions.items())
    }
    added: dict[str, tuple[tuple[str, int], ...]] = {}
    for question in declared.counted_questions:
        known = {version: of[question.id] for version, of in offered.items() if question.id in of}
        since = {
            option: 1 + max(version for version, options in known.items() if option not in options)
            for option in question.shown_options
            if any(option not in options for options in known.values())
        }
        if since:
            added[question.id] = tuple(since.items())
    if not added:
        return declared
    spans = declared.spans
    if spans is not None:
        of_span = tuple(
            replace(one, added=added.get(f"{spans.id}_{one.id}", ())) for one in spans.of_span
        )
        spans = replace(spans, of_span=of_span, added=added.get(spans.id, ()))
    questions = tuple(replace(one, added=added.get(one.id, ())) for one in declared.form.questions)
    return replace(declared, spans=spans, form=replace(declared.form, questions=questions))


def list_answers_made_untrue_in_words(old: StudyDeclaration, new: StudyDeclaration) -> list[str]:
    """What in ``new`` would make answers to ``old`` untrue, as sentences; additions never do."""
    found = []
    asked = {one.id: one for one in new.form.questions}
    for one in old.form.questions:
        now = asked.get(one.id)
        if now is None:
            found.append(f"The question {one.id!r} is gone.")
        elif changed := _changed(one, now):
            found.append(f"The question {one.id!r} has another {' and another '.join(changed)}.")
    found += _other_spans(old.spans, new.spans)
    shown = {(one.kind, one.columns, one.after) for one in new.panes}
    found += [
        f"{one.title!r} is no longer shown, or is shown at another time."
        for one in old.panes
        if (one.kind, one.columns, one.after) not in shown
    ]
    return found + _other_arms(old.arms, new.arms) + list_lost_columns_in_words(old, new)


def _other_spans(old: Question | None, new: Question | None) -> list[str]:
    """Changes to the marking that would make old marks untrue; more labels and questions never
    do.
    """
    if old is None:
        return [] if new is None else ["Only one of the two versions asks for marks in the text."]
    if new is None or new.id != old.id:
        return [f"The question {old.id!r} is gone."]
    found = []
    if (old.text, old.column, old.each) != (new.text, new.column, new.each):
        found.append(f"The question {old.id!r} has another wording or another text to mark.")
    now = {one.id: (one.name, one.means) for one in new.labels}
    found += [
        f"The label {one.id!r} is gone, or is called or means something else."
        for one in old.labels
        if now.get(one.id) != (one.name, one.means)
    ]
    asked = {one.id: one for one in new.of_span}
    found += [
        f"What is asked of each mark as {one.id!r} is gone or changed."
        for one in old.of_span
        if one.id not in asked or _changed(one, asked[one.id])
    ]
    return found


def _other_arms(old: Arms | None, new: Arms | None) -> list[str]:
    """Changes to the arms that would make old answers untrue; more arms never do."""
    if old is None or new is None:
        return [] if old is new else ["Only one of the two versions has arms."]
    gone = [f"The arm {name!r} is gone." for name in old.names if name not in new.names]
    if (old.show, old.own) != (new.show, new.own):
        gone.append("Its arms are shown differently.")
    return gone


HOW_TO_COMPARE_ANOTHER_MODEL = (
    "The models that a study compares are fixed once it has items. To compare another model with"
    " them, make a new study of all their answers: one table with every model, or all files"
    " given together (to study from-table with another --title, or in Make a study)."
)
"""What to do with a further model's answers for cases that a study has."""


def list_lost_arms_in_words(old: StudyDeclaration, new: StudyDeclaration) -> list[str]:
    """What ``new`` would not find in items of ``old``, or not show of them, as its arms are others;
    as sentences.
    """
    if old.arms is None:
        return [] if new.arms is None else ["Its items hold no answers of several models."]
    if new.arms is not None:
        return [one for one in _other_arms(old.arms, new.arms) if "is gone" in one]
    return [
        f"Its items hold the answers of {', '.join(old.arms.names)}, and this file compares none."
    ]


def list_lost_columns_in_words(old: StudyDeclaration, new: StudyDeclaration) -> list[str]:
    """The columns that items of ``old`` have and ``new`` does not know, as sentences."""
    known = {new.item, *(one.name for one in new.columns)}
    names = [old.item, *(one.name for one in old.columns)]
    return [
        f"The column {name!r}, which the items have, is gone."
        for name in names
        if name not in known
    ]


def _changed(old: Question, new: Question) -> list[str]:
    """What has changed in a question."""
    fields = {
        "kind": (old.kind, new.kind),
        "wording": (old.text, new.text),
        "condition": (old.only_if, new.only_if),
        "range": ((old.minimum, old.maximum), (new.minimum, new.maximum)),
        "unit": (old.unit, new.unit),
        "name of an end": ((old.low, old.high), (new.low, new.high)),
        "part for each arm": (old.each, new.each),
        "column": (old.column, new.column),
        "way to compare": ((old.strength, old.ties), (new.strength, new.ties)),
    }
    found = [name for name, (before, now) in fields.items() if before != now]
    if not set(old.shown_options) <= set(new.shown_options) and "range" not in found:
        found.append("set of options")
    return found


# -- templates -------------------------------------------------------------------------------------


def load_templates_by_name() -> dict[str, StudyDeclaration]:
    """The templates that MedLens ships with, by name."""
    return {
        path.stem: read_study_file_text_and_declaration(path)[1]
        for path in sorted(TEMPLATES.glob("*.toml"))
    }


def path_of_template(name: str) -> Path:
    """The file of a template; its items are beside it, as CSV.

    Raises:
        InvalidInput: there is no such template.
    """
    known = load_templates_by_name()
    if name not in known:
        raise InvalidInput(
            f"There is no template {name!r}.", hint=f"There are: {', '.join(known)}."
        )
    return TEMPLATES / f"{name}.toml"


_ADDRESS = re.compile(r"[a-z][a-z0-9_]*")


def require_valid_study_id(name: str) -> None:
    """Refuse a name that cannot be a study's ``id``, under which addresses and commands know it.

    Raises:
        InvalidInput: it cannot be one.
    """
    if not (_ADDRESS.fullmatch(name) and len(name) <= LONGEST_ID):
        raise InvalidInput(
            f"{name!r} cannot be the address of a study.",
            hint="It begins with a letter and has only small letters a to z, digits and _, at most"
            f" {LONGEST_ID}.",
        )
