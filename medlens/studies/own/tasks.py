"""What raters of an own study are asked: the questions in its file."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import count
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, TypeAdapter, ValidationError

from medlens.config.question_forms_and_answer_checks import (
    EVIDENCE,
    NO_SPANS,
    NOT_APPLICABLE,
    REWRITE,
    UNCHANGED,
    Form,
    Question,
    list_reasons_against_draft,
    list_reasons_against_submission,
    questions_to_ask,
)
from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import items
from medlens.review.marked_spans_checked_carried_and_timed import (
    Span,
    carried_marks_placed_marks_and_lost_words,
    list_mark_problems_in_words,
)
from medlens.review.marks_after_text_correction import CarriedAnswer
from medlens.review.tasks import Body, ByModels, Level, Task, Wholes, answer_in_readable_form
from medlens.store import Store
from medlens.studies.own import evidence_passages_marked_by_raters
from medlens.studies.own.attached_files import FILES, AttachedStudyFiles
from medlens.studies.own.attached_files import NONE as NO_FILES
from medlens.studies.own.blinded_arms import (
    ARM,
    ARMS,
    CASE,
    ORDER,
    ArmQuestionsAsShown,
    could_option_be_chosen,
    list_arm_order_faults_in_words,
    list_letters_naming_arms,
    list_names_of_arms_in_item,
    list_ranking_faults_in_words,
    make_questions_of_arms_optional,
    name_of_further_answer_column,
    preference_as_option,
    question_id_for_arm,
    spread_questions_over_arms,
)
from medlens.studies.own.compare_rewritten_texts import (
    CHANGED,
    KEPT,
    amount_rewritten_as_text,
    columns_after_rewritten_answer_by_name_ending,
    difference_of_rewriting_from_original,
    make_question_whether_text_was_changed,
    question_of_share_of_words_changed,
    rewritten_text_to_store_or_unchanged_mark,
)
from medlens.studies.own.compare_rewritten_texts import COLUMNS as COUNTED
from medlens.studies.own.dialogue_turns import cell_as_text_for_model
from medlens.studies.own.model_answering_setup_for_study_questions import (
    make_model_answering_setup,
    make_model_answering_setup_for_all_arms,
)
from medlens.studies.own.model_name_masking import mask_names_in_text
from medlens.studies.own.study_file import VERSION, StudyDeclaration, are_answers_counted
from medlens.tables import Column
from medlens.tables.file_schemas_import_requests_and_reports import Type

CRITERION, TAG = "Criterion", "Tag of the criterion"
"""What tells the criteria of items apart."""
STUDY = "own"
NAME = "own_questions"
ITEM_KIND = "item"


class OwnSpan(Span):
    """Marked words, their labels, and the ``answers`` to the questions asked of each mark. If each
    arm of a case has a text to mark, ``arm`` is the one whose text it is.
    """

    answers: dict[str, str] = Field(default_factory=dict)
    arm: str = ""


class Answers(BaseModel):
    """One rater's answers by question id, to a ``version`` of the study's file.

    A choice is its option's text, several are a list of them, a scale is its number or "not
    applicable"; typed answers are text, or a number once they are one; a rewritten text is the new
    text, or "(no change)", evidence as in ``evidence``. If all arms of a case were shown, ``order``
    names them as the rater saw them (empty: not recorded), and answers about one arm are under
    ``blinded_arms.question_id_for_arm``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: NonNegativeInt = 0
    answers: dict[str, int | float | str | list[str]] = {}
    order: list[str] = []
    spans: tuple[OwnSpan, ...] = ()


@lru_cache(maxsize=256)
def make_arm_questions_as_shown(
    declared: StudyDeclaration, order: tuple[str, ...]
) -> ArmQuestionsAsShown:
    """The questions about an item whose arms a rater sees in this order."""
    assert declared.arms is not None
    ids = list_letters_naming_arms(len(order))
    called = [f"{declared.arms.called} {one}" for one in ids]
    every = declared.form.questions
    told = replace(declared.form, questions=spread_questions_over_arms(every, order, called))
    asked_as = spread_questions_over_arms(every, ids, called, told=False)
    both = zip(asked_as, told.questions, strict=True)
    return ArmQuestionsAsShown(
        tuple(replace(one, original=kept.original) for one, kept in both), told
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class OwnTask(Task):
    """The task of answering this ``version`` of a study's questions, to which answers without a
    version belong. ``attached`` are the files that its items show. ``make_own_study_task`` makes
    it.
    """

    declared: StudyDeclaration
    version: int
    attached: AttachedStudyFiles

    # -- the questions -------------------------------------------------------------------------

    @cached_property
    def _questions(self) -> tuple[Question, ...]:
        return self.declared.form_with_question_per_arm.questions

    @cached_property
    def _counted(self) -> list[Question]:
        counted = (question for question in self._questions if are_answers_counted(question))
        return [*self.declared.span_questions_per_arm, *counted]

    def question_wordings_by_id(self) -> Mapping[str, str]:
        """The options of a question and its parts for each arm are one question."""
        declared = self.declared
        return {
            one.id: one.text for one in (*declared.counted_span_questions, *declared.form.questions)
        }

    def variable_names_text_without_arms(self, names: str) -> str:
        """Each name once for all arms side by side."""
        for arm in (
            self.declared.arms.names
            if self.declared.arms and self.declared.are_arms_side_by_side
            else ()
        ):
            names = names.replace(f" ({arm})", "")
        return "; ".join(dict.fromkeys(names.split("; ")))

    @cached_property
    def _hanging(self) -> list[Question]:
        return [question for question in self._questions if question.only_if]

    @cached_property
    def _pools(self) -> dict[str, str]:
        return _pools_of_criteria(self.declared)

    @cached_property
    def _criteria(self) -> list[tuple[str, int]]:
        # Among questions repeated per arm, the criteria of one arm are consecutive too.
        varying = (question for question in self._questions if question.is_worded_per_item)
        return [(question.id, criterion_index(question)) for question in varying]

    @cached_property
    def _partly_offered(self) -> dict[str, Question]:
        return {
            question.id: question
            for question in self._counted
            if question.kind == "single" and (question.added or question.chooses_arm)
        }

    def _given(self, value: Answers) -> dict[str, Any]:
        return {
            **counted_mark_answers_by_question(self.declared, value),
            **drop_answers_not_asked_for(self._hanging, value.answers),
        }

    # -- an answer, checked and measured -------------------------------------------------------

    def function_that_replaces_real_names(self, value: Answers) -> Callable[[str], str]:
        """As ``Task.function_that_replaces_real_names``, and of models' names what their bars hide:
        an answer keeps the words that it quotes or rewrites.
        """
        lettered = super().function_that_replaces_real_names(value)
        return lambda text: mask_names_in_text(lettered(text), self.declared.mask)

    def problems_of_answer(self, value: Answers, item: Body) -> list[str]:
        """Questions without an answer, answers and marks that are not possible."""
        return self._problems(value, item, list_reasons_against_submission)

    def problems_of_draft(self, value: Answers, item: Body) -> list[str]:
        """Answers and marks that are not possible."""
        return self._problems(value, item, list_reasons_against_draft)

    def _problems(
        self, value: Answers, body: Body, check: Callable[[Form, Any], list[str]]
    ) -> list[str]:
        return [
            *_wrong_spans(self.declared, value, body, check),
            *evidence_passages_marked_by_raters.list_misplaced_passages_in_words(
                self.declared.form_with_question_per_arm, value.answers, body
            ),
            *self._unanswered(value, body, check),
        ]

    def _unanswered(
        self, value: Answers, body: Body, check: Callable[[Form, Any], list[str]]
    ) -> list[str]:
        here = self.declared.declaration_for_item(body)
        if not here.are_arms_side_by_side:
            return check(here.form, value.answers)
        there = here.arms_to_judge(body)
        order = value.order or there
        # Before such answers were left out, people were shown all arms.
        if wrong := list_arm_order_faults_in_words(order, there) and list_arm_order_faults_in_words(
            order, list_names_of_arms_in_item(body)
        ):
            return wrong
        asked = make_arm_questions_as_shown(here, tuple(order)).kept
        if empty := here.arms_without_answer(body):
            optional = make_questions_of_arms_optional(
                asked.questions, empty, answered=len(here.arms_with_answer(body))
            )
            asked = replace(asked, questions=tuple(optional))
        faults = check(asked, value.answers)
        if check is list_reasons_against_submission:
            faults += list_ranking_faults_in_words(here.form.questions, order, value.answers)
        return faults

    def values_compared_for_agreement(self, value: Answers) -> Mapping[str, Any]:
        """The counted answers, by question, and by option where several can be ticked."""
        given = self._given(value)
        measured: dict[str, Any] = {}
        for question in self._counted:
            # The item has no such criterion.
            answer = given.get(name := question.id)
            if answer is None and question.is_worded_per_item:
                continue
            if question.kind == "scale":
                measured[name] = None if answer == NOT_APPLICABLE else answer
            elif question.kind == "multiple":
                measured |= _ticked(question, answer, value.version)
            else:
                measured[name] = counted_value_of_answer(question, answer)
        return measured

    def complete_answer_at_submission(self, value: Answers) -> Answers:
        """With its version; passages as they are stored."""
        # With several options to tick, ticking none is an answer too, once submitted.
        every = self._questions
        if self.declared.are_arms_side_by_side and value.order:
            every = make_arm_questions_as_shown(self.declared, tuple(value.order)).kept.questions
        none: dict[str, list[str]] = {
            question.id: []
            for question in questions_to_ask(every, value.answers)
            if question.kind == "multiple"
        }
        kept = {
            name: evidence_passages_marked_by_raters.normalise_passages_of_answer(
                str(value.answers[name])
            )
            for name in self.declared.evidence_questions_by_id
            if name in value.answers
        }
        named = value.version or self.version
        return value.model_copy(
            update={"version": named, "answers": {**none, **value.answers, **kept}}
        )

    def whole_agreement_functions_by_name_and_meaning(self, judged: pd.DataFrame) -> Wholes:
        """Agreement on marks, if a text is marked."""
        marking = self.declared.spans
        if marking is None:
            return {}
        # Short commands that load the task compute no agreement.
        from medlens.review.mark_agreement import span_f1_function_by_name_and_meaning

        return span_f1_function_by_name_and_meaning(
            table_of_judgments_per_text(self.declared, judged),
            [label.id for label in marking.labels],
        )

    def uncompared_values_of_answer_by_name(self, value: Answers) -> Mapping[str, Any]:
        """Texts changed in other ways, and other passages."""
        given = self._given(value)
        differences: dict[str, Any] = {}
        for name in self.declared.rewriting_questions_by_id:
            text = given.get(name)
            words = " ".join(str(text).split()) if text not in (None, UNCHANGED) else None
            differences[f"{name}: {CHANGED} otherwise"] = words
        for name in self.declared.evidence_questions_by_id:
            marked = evidence_passages_marked_by_raters.parse_passages_of_answer(given.get(name))
            places = tuple((passage.start, passage.end) for passage in marked) or None
            differences[f"{name}: other passages"] = places
        return differences

    def pool_name_of_variable(self, variable: str) -> str:
        """The rubric that a criterion belongs to."""
        return self._pools.get(variable, variable)

    @property
    def has_groups_of_variables(self) -> bool:
        """Whether items have criteria of their own."""
        return bool(self._pools)

    def group_kinds_and_names_by_variable(self, body: Body) -> dict[str, list[tuple[str, str]]]:
        """The words and tags of the item's criteria."""
        column = self.declared.criteria_column
        given = (body.get(column) or []) if column else []
        return {
            name: [
                (CRITERION, given[at]["text"]),
                *((TAG, tag) for tag in given[at]["tags"]),
            ]
            for name, at in self._criteria
            if at < len(given)
        }

    @property
    def has_answers_not_always_offered(self) -> bool:
        """Whether options were added later, or are arms."""
        return bool(self._partly_offered)

    def could_judgment_have_had_answer(self, value: Answers, variable: str, answer: Any) -> bool:
        """Whether the option was there, and the arm was shown."""
        question = self._partly_offered.get(variable)
        return question is None or could_option_be_chosen(
            question, str(answer), version=value.version, order=value.order
        )

    def answer_and_lost_marks_in_corrected_item(
        self, value: Answers, before: Body, after: Body
    ) -> CarriedAnswer:
        """Marks and passages at their new places; a text that was rewritten is another one."""
        declared = self.declared
        spans, sound, lost = carried_marks_placed_marks_and_lost_words(
            value.spans,
            lambda span: declared.text_to_mark_of_item(span.arm, before),
            lambda span: declared.text_to_mark_of_item(span.arm, after),
        )
        kept = sum(span.start is not None for span in sound)
        answers, unfit = dict(value.answers), ""
        for name, question in declared.evidence_questions_by_id.items():
            passages = evidence_passages_marked_by_raters.parse_passages_of_answer(
                answers.get(name)
            )
            placed = evidence_passages_marked_by_raters.move_passages_to_corrected_source(
                passages, str(before.get(question.column, "")), str(after.get(question.column, ""))
            )
            kept += len(placed)
            if len(placed) < len(passages):
                left = [passage.quote for passage in placed]
                lost += tuple(each.quote for each in passages if each.quote not in left)
                unfit = "A passage that was marked is no longer in the source."
            if placed:
                answers[name] = evidence_passages_marked_by_raters.passages_as_json_answer(placed)
            elif passages:
                del answers[name]
        for name, question in declared.rewriting_questions_by_id.items():
            if declared.text_to_rewrite_of_item(
                question, before
            ) != declared.text_to_rewrite_of_item(question, after):
                unfit = "Raters rewrite this text, and what they wrote is compared with it."
                if value.answers.get(name) == UNCHANGED:
                    del answers[name]
        held = value.model_copy(update={"answers": answers})
        return CarriedAnswer(
            held.model_copy(update={"spans": spans}),
            held.model_copy(update={"spans": sound}),
            kept,
            lost,
            unfit,
        )

    # -- an answer in files --------------------------------------------------------------------

    def answer_as_columns(self, value: Answers) -> Mapping[str, Any]:
        """A column per question, marks as JSON, rubrics' shares of points, and the arms' order."""
        given = self._given(value)
        order = {ORDER: "; ".join(value.order)} if self.declared.are_arms_side_by_side else {}
        return (
            {VERSION: value.version}
            | _cells_of_spans(self.declared, value)
            | {
                question.id: _cell(given.get(question.id))
                for question in self._questions
                if question.id in given or not question.is_worded_per_item
            }
            | _scores(
                [question for question in self._questions if not question.is_worded_per_item], given
            )
            | order
        )

    @property
    def do_columns_need_item(self) -> bool:
        """Whether texts are rewritten or passages marked."""
        return bool(
            self.declared.rewriting_questions_by_id or self.declared.evidence_questions_by_id
        )

    def answer_as_file_columns(self, value: Answers, body: Body) -> Mapping[str, Any]:
        """How much of the item's texts was changed, and the words of passages, beside them."""
        if not self.do_columns_need_item:
            return self.answer_as_columns(value)
        columns: dict[str, Any] = {}
        for name, cell in self.answer_as_columns(value).items():
            columns[name] = cell
            if question := self.declared.rewriting_questions_by_id.get(name):
                original = self.declared.text_to_rewrite_of_item(question, body)
                counts = columns_after_rewritten_answer_by_name_ending(
                    replace(question, original=original), cell
                )
                columns |= {
                    name_of_further_answer_column(name, end): count for end, count in counts.items()
                }
            if name in self.declared.evidence_questions_by_id:
                columns[
                    name_of_further_answer_column(name, evidence_passages_marked_by_raters.QUOTES)
                ] = evidence_passages_marked_by_raters.text_of_marked_passages(cell or "")
        return columns

    def answer_from_columns(self, row: Body) -> Answers:
        """The answers in a file's columns."""
        said = {question.id: _read(question, row.get(question.id)) for question in self._questions}
        version = str(row.get(VERSION) or "0").removesuffix(".0")
        value = Answers(
            version=int(version) if version.isdigit() else 0,
            answers={name: answer for name, answer in said.items() if answer not in ("", None)},
            order=[arm for arm in str(row.get(ORDER) or "").split("; ") if arm],
            spans=_read_spans(self.declared, row),
        )
        # Only the item's file says which arms it has, and so what must be answered.
        check = (
            list_reasons_against_draft
            if self.declared.are_arms_side_by_side or self._pools
            else list_reasons_against_submission
        )
        if wrong := check(self.declared.form_with_question_per_arm, value.answers):
            raise InvalidInput(" ".join(wrong))
        return value

    # -- gold items ----------------------------------------------------------------------------

    def make_gold_from_answer(self, value: Answers) -> Body:
        """What is measured; a range around points of a scale."""
        expected: dict[str, Any] = {}
        for name, answer in self.values_compared_for_agreement(value).items():
            if answer is not None:
                expected[name] = answer
                if scale := self.scales.get(name):
                    near = max(1, int(self.tolerances.get(name, 0)))
                    expected[name] = [max(answer - near, scale[0]), min(answer + near, scale[-1])]
        return expected

    def does_answer_match_gold(self, value: Answers, expected: Body) -> bool:
        """Whether all that is expected is measured."""
        measured = self.values_compared_for_agreement(value)
        return all(_meets(measured.get(name), answer) for name, answer in expected.items())

    # -- what people and models read -----------------------------------------------------------

    @property
    def do_items_differ_in_questions(self) -> bool:
        """Whether the file lets items differ in what is asked."""
        return self.declared.has_questions_differing_by_item

    def task_as_asked_of_item(self, body: Body) -> Task:
        """The task with the item's own criteria, or its own text to rewrite."""
        if not self.declared.has_questions_differing_by_item:
            return self
        return _task_for(self.declared.declaration_for_item(body), self.version, self.attached)

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> Mapping[str, str]:
        """The columns of panes that raters see at first."""
        return {
            title: cell_as_text_for_model(cells.get(name, ""))
            for title, name, cells in self._laid_out(store, item)
            if name not in self.declared.pane_kinds_by_file_column
        }

    @property
    def do_items_have_images(self) -> bool:
        """Whether a column names files."""
        return bool(self.declared.pane_kinds_by_file_column)

    def load_image_bytes_by_name_of_item(self, store: Store, item: str) -> Mapping[str, bytes]:
        """The attached images."""
        pictures: dict[str, bytes] = {}
        for title, name, cells in self._laid_out(store, item):
            if kind := self.declared.pane_kinds_by_file_column.get(name):
                cell, digests = str(cells.get(name, "")), cells.get(FILES, {})
                images = self.attached.images_named_in_cell(cell, kind, digests)
                for at, image in enumerate(images, 1):
                    pictures[f"{title} {at}" if len(images) > 1 else title] = image
        return pictures

    def _laid_out(self, store: Store, item: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """The title of each part of an item, its column, and the cells that contain it."""
        declared, body = self.declared, items.item_body(store, item)
        arms = body.get(ARMS, {}) if declared.are_arms_side_by_side else {}
        # Adjudicators and models are not shown what raters do not see at first.
        for pane in declared.initial_panes:
            for name, title in pane.titles_by_column.items():
                if declared.arms and declared.are_arms_side_by_side and name in declared.arms.own:
                    for arm, cells in arms.items():
                        yield f"{title}, {arm}", name, cells
                else:
                    yield title, name, body

    def cell_of_answer_in_words(self, column: str, cell: Any) -> str:
        """Changes, passages and marks in words."""
        declared = self.declared
        if column in declared.rewriting_questions_by_id:
            return amount_rewritten_as_text(declared.rewriting_questions_by_id[column], str(cell))
        if column in declared.evidence_questions_by_id:
            return evidence_passages_marked_by_raters.text_of_marked_passages(str(cell))
        if column in (marking.id for marking in declared.marking_questions_by_arm.values()):
            return marks_in_words(declared, _read_spans(declared, {column: cell}))
        return answer_in_readable_form(cell)

    def shown_letters_by_arm_name(self, value: Answers) -> Mapping[str, str]:
        """The arms' letters, in the order in which the rater saw them."""
        return dict(zip(value.order, list_letters_naming_arms(len(value.order)), strict=True))

    @cached_property
    def model_answering_setup(self) -> ByModels | None:
        """Models answer the same questions; None where an item has pages or images of arms."""
        return _by_models(self.declared)

    @property
    def do_items_differ_in_what_models_are_asked(self) -> bool:
        """Whether the file lets items differ in what is asked, or an item can lack an answer."""
        return self.declared.are_arms_side_by_side or self.do_items_differ_in_questions

    def model_answering_setup_of_item(self, body: Body) -> ByModels | None:
        """As for people: the item's own questions, about the answers that it has."""
        declared = self.declared
        if not declared.are_arms_side_by_side:
            return super().model_answering_setup_of_item(body)
        answers = len(declared.arms_with_answer(body))
        return _by_models_of_arms(declared.declaration_for_item(body), answers)

    def ids_of_items_with_nothing_to_judge(
        self, store: Store, wanted: Sequence[str]
    ) -> Collection[str]:
        """Those without an answer, where it is asked about answers alone."""
        if self.declared.arms is None:
            return ()
        # Not all at once: bodies are long.
        return [
            item
            for at in range(0, len(wanted), _BODIES_AT_ONCE)
            for item, body in items.load_item_bodies_by_id(
                store, wanted[at : at + _BODIES_AT_ONCE]
            ).items()
            if not self.declared.is_anything_asked_about(body)
        ]


class TaskOfMarks(OwnTask):
    """The task with each mark as a part of its own, for a file of marks."""

    def answer_as_rows_of_parts(self, value: Answers) -> list[dict[str, Any]]:
        """A row per label of each mark."""
        return rows_per_label_of_marks(self.declared, value.spans)


_Made = TypeVar("_Made", bound=OwnTask)


def make_own_study_task(
    declared: StudyDeclaration,
    version: int = 0,
    attached: AttachedStudyFiles = NO_FILES,
    kind: type[_Made] = OwnTask,  # type: ignore[assignment]
) -> _Made:
    """The task of answering this ``version`` of a study's questions, as an object of the class
    ``kind``; see ``OwnTask``.
    """
    form = declared.form_with_question_per_arm
    counted = [
        *declared.span_questions_per_arm,
        *(question for question in form.questions if are_answers_counted(question)),
    ]
    varying = [question for question in form.questions if question.is_worded_per_item]
    levels: dict[str, Level] = {}
    for question in counted:
        level = _LEVELS.get(question.kind, "nominal")
        names = _ticked(question, None) if question.kind == "multiple" else (question.id,)
        levels |= dict.fromkeys(names, level)
    alone = declared.arms if not declared.are_arms_side_by_side else None
    return kind(
        declared=declared,
        version=version,
        attached=attached,
        name=NAME,
        study=STUDY,
        item_kind=ITEM_KIND,
        title=form.title or "Answer the questions",
        question=form.intro,
        worked_example=declared.worked_example,
        value=Answers,
        told_by_marks=True,
        levels=levels,
        scales={
            question.id: tuple(question.points_of_scale)
            for question in counted
            if question.kind == "scale"
        },
        classes={
            question.id: _classes_of(question)
            for question in counted
            if levels.get(question.id) == "nominal"
        },
        tolerances={question.id: question.tolerance for question in counted if question.tolerance},
        columns=file_columns_of_answers(declared),
        word_in="the figures of one answer per item",
        # Marks are made in their text.
        form=None if declared.spans else form,
        called={
            question.id: question.text
            for question in (
                *declared.marking_questions_by_arm.values(),
                *declared.questions_listed_without_item(form),
            )
        },
        originals={
            name: question.original for name, question in declared.rewriting_questions_by_id.items()
        },
        pools=frozenset(_pools_of_criteria(declared).values()),
        names={
            question.id: question.text
            for question in (
                *(
                    *declared.questions_listed_without_item(declared.form),
                    *declared.number_questions_standing_for_rubrics,
                    *declared.counted_span_questions,
                ),
                *declared.span_questions_per_arm,
                *varying,
            )
        }
        | {
            pool: f"{question.rubric[1]}{_of_arm(question)}"
            for question in varying
            if question.rubric and (pool := criterion_pool_name(question))
        }
        | {
            f"{question.id}: {option}": f"{question.text}: {option}"
            for question in declared.span_questions_per_arm
            for option in question.options
        },
        handing_out={**declared.handing_out, "fixed_panel": declared.fixed_panel},
        reveals=", ".join(pane.title for pane in declared.later_panes),
        kin=f"$.{CASE}" if alone and not alone.several else "",
        evened=f"$.{ARM}" if alone else "",
    )


_BODIES_AT_ONCE = 500
_LEVELS: Mapping[str, Level] = {"scale": "ordinal", "number": "interval"}


def _classes_of(question: Question) -> tuple[str, ...]:
    """All that can be counted of the answers to a question."""
    if question.kind == REWRITE:
        return make_question_whether_text_was_changed(question).options
    if question.kind == EVIDENCE:
        return evidence_passages_marked_by_raters.make_question_whether_passage_was_marked(
            question
        ).options
    return question.options


def _pools_of_criteria(declared: StudyDeclaration) -> dict[str, str]:
    return {
        question.id: criterion_pool_name(question)
        for question in declared.form_with_question_per_arm.questions
        if question.is_worded_per_item
    }


@lru_cache(maxsize=256)
def _task_for(declared: StudyDeclaration, version: int, attached: AttachedStudyFiles) -> Task:
    return make_own_study_task(declared, version, attached)


def _of_arm(question: Question) -> str:
    arm = question.id.partition(" / ")[2]
    return f" ({arm})" if arm else ""


def criterion_index(criterion: Question) -> int:
    """The index, from 0, of the item's criterion that it stands for."""
    return int(criterion.id.partition(" / ")[0].rpartition("_")[2]) - 1


def criterion_pool_name(criterion: Question) -> str:
    """The name for the criteria of all items together, of an arm or of the item."""
    assert criterion.rubric is not None
    arm = criterion.id.partition(" / ")[2]
    return question_id_for_arm(criterion.rubric[0], arm) if arm else criterion.rubric[0]


def _are_models_asked(declared: StudyDeclaration) -> bool:
    # People can turn a PDF's pages; and images of arms would be named by the arms.
    pages = "pdf" in declared.pane_kinds_by_file_column.values()
    return not (pages or (declared.are_arms_side_by_side and declared.pane_kinds_by_file_column))


def _by_models(declared: StudyDeclaration) -> ByModels | None:
    if not _are_models_asked(declared):
        return None
    if declared.criteria_column:
        # Each item has its own criteria: this is what is asked about all of them.
        listed = tuple(declared.questions_listed_without_item(declared.form))
        declared = replace(declared, form=replace(declared.form, questions=listed))
    if declared.are_arms_side_by_side:
        assert declared.arms is not None
        return make_model_answering_setup_for_all_arms(declared, Answers, len(declared.arms.names))
    return make_model_answering_setup(
        declared, declared.form, Answers, *declared.marking_questions_by_arm.values()
    )


@lru_cache(maxsize=256)
def _by_models_of_arms(declared: StudyDeclaration, count: int) -> ByModels | None:
    """How models answer about an item with this declaration, in which ``count`` arms answered."""
    if not _are_models_asked(declared):
        return None
    return make_model_answering_setup_for_all_arms(declared, Answers, count)


def counted_mark_answers_by_question(
    declared: StudyDeclaration, value: Answers
) -> dict[str, list[str]]:
    """What is counted of an answer's marks, as answers to
    ``StudyDeclaration.span_questions_per_arm``; nothing of arms that the rater did not see.
    """
    found = {}
    seen = value.order or declared.marking_questions_by_arm
    for arm, one in declared.marking_questions_by_arm.items():
        if arm and arm not in seen:
            continue
        spans = [span for span in value.spans if span.arm == arm]
        given = {label for span in spans for label in span.labels}
        labels = [label.name for label in one.labels if label.id in given] if given else []
        found[one.id] = labels or [NO_SPANS]
        for each in one.of_span:
            if each.options:
                any_has = {span.answers.get(each.id) for span in spans}
                said = [option for option in each.options if option in any_has] if spans else []
                found[name_of_further_answer_column(one.id, each.id)] = said
    return found


class MarksOf(NamedTuple):
    """The marks of an answer in one text."""

    spans: tuple[OwnSpan, ...]


def table_of_judgments_per_text(declared: StudyDeclaration, judged: pd.DataFrame) -> pd.DataFrame:
    """Judgments with a row for each text in which a rater could set marks: if each arm has one, its
    ``item_id`` is that of ``id_of_text_to_mark``, and its ``value`` is ``MarksOf`` that text.
    """
    if not (declared.spans and declared.spans.each):
        return judged
    rows, texts, values = [], [], []
    for at, (item, value) in enumerate(zip(judged["item_id"], judged["value"], strict=True)):
        for arm in value.order or declared.marking_questions_by_arm:
            rows.append(at)
            texts.append(id_of_text_to_mark(item, arm))
            values.append(MarksOf(tuple(one for one in value.spans if one.arm == arm)))
    found = judged.iloc[rows].reset_index(drop=True)
    return found.assign(item_id=texts, value=pd.Series(values, dtype=object))


def id_of_text_to_mark(item: str, arm: str) -> str:
    """The id of a text to mark."""
    return f"{item} / {arm}" if arm else item


def counted_rewriting_answers_by_question(
    declared: StudyDeclaration, answers: Mapping[str, Any], originals: Mapping[str, str]
) -> dict[str, Any]:
    """What is counted of the texts rewritten in an answer, as answers to questions of
    ``StudyDeclaration.counted_questions``; ``originals`` are the item's, by question.
    """
    found: dict[str, Any] = {}
    for name, one in declared.rewriting_questions_by_id.items():
        if (answer := answers.get(name)) is not None:
            asked_of = replace(one, original=originals[name])
            found[name] = counted_value_of_answer(one, answer)
            found[question_of_share_of_words_changed(one).id] = (
                difference_of_rewriting_from_original(asked_of, answer).share_of_words_changed
            )
    return found


def counted_evidence_answers_by_question(
    declared: StudyDeclaration, answers: Mapping[str, Any]
) -> dict[str, Any]:
    """What is counted of evidence, as answers to questions of
    ``StudyDeclaration.counted_questions``.
    """
    given = {name: answers.get(name) for name in declared.evidence_questions_by_id}
    return {
        name: evidence_passages_marked_by_raters.yes_or_no_whether_passage_was_marked(one)
        for name, one in given.items()
        if one is not None
    }


def _wrong_spans(
    declared: StudyDeclaration, value: Answers, body: Body, check: Callable[[Form, Any], list[str]]
) -> list[str]:
    if declared.spans is None:
        return ["This study has no text to mark."] if value.spans else []
    there = list_names_of_arms_in_item(body) if declared.spans.each else [""]
    found = ["A mark is in the text of no arm of this item."] * any(
        span.arm not in there for span in value.spans
    )
    of_span = Form("", "", "", declared.spans.of_span)
    labels = {label.id for label in declared.spans.labels}
    letter = dict(zip(value.order, list_letters_naming_arms(len(value.order)), strict=True))
    for arm in there:
        spans = [span for span in value.spans if span.arm == arm]
        called = (
            f"{declared.arms.called} {letter[arm]}: " if arm in letter and declared.arms else ""
        )
        wrong = list_mark_problems_in_words(spans, declared.text_to_mark_of_item(arm, body), labels)
        for number, span in enumerate(spans, 1):
            if span.start is None:
                wrong.append(f"Mark {number} has no place in the text.")
            wrong += [f"Mark {number}: {one}" for one in check(of_span, span.answers)]
        places = [(span.start, span.end) for span in spans]
        if len(set(places)) < len(places):
            wrong.append("Two marks are on the same words: give one of them both labels.")
        found += [f"{called}{one}" for one in wrong]
    return found


_PLACE = ("start", "end", "quote", "comment")


def _cells_of_spans(declared: StudyDeclaration, value: Answers) -> dict[str, Any]:
    """The labels in readable form, and the marks themselves as one line of JSON."""
    said, found = counted_mark_answers_by_question(declared, value), {}
    for arm, one in declared.marking_questions_by_arm.items():
        if one.id not in said:
            continue
        # The name of the column says which arm.
        marks = [
            span.model_dump(mode="json", exclude={"arm"}) for span in value.spans if span.arm == arm
        ]
        found[one.id] = json.dumps(marks, ensure_ascii=False)
        found[name_of_further_answer_column(one.id, "labels")] = _cell(said[one.id])
        found |= {
            name: _cell(said[name])
            for each in one.of_span
            if (name := name_of_further_answer_column(one.id, each.id)) in said
        }
    return found


def _read_spans(declared: StudyDeclaration, row: Body) -> tuple[OwnSpan, ...]:
    found: list[OwnSpan] = []
    for arm, one in declared.marking_questions_by_arm.items():
        cell = row.get(one.id)
        read = parse_marks("" if cell is None or pd.isna(cell) else str(cell).strip())
        found += [span.model_copy(update={"arm": arm}) for span in read]
    return tuple(found)


def parse_marks(text: str) -> tuple[OwnSpan, ...]:
    """Marks from JSON, as exports and browsers write them; none from an empty text.

    Raises:
        InvalidInput: it is something else.
    """
    if not text:
        return ()
    try:
        return _SPANS.validate_json(text)
    except ValidationError as error:
        raise InvalidInput(
            f"The marks cannot be read: {error.errors()[0]['msg']}.",
            hint="Give this column as export own-judgments wrote it.",
        ) from error


def marks_in_words(declared: StudyDeclaration, spans: Sequence[OwnSpan]) -> str:
    """Marks in one line, each with its labels, its words, the answers about it, and where it begins
    (from 1).
    """
    told = []
    for one in rows_per_label_of_marks(declared, spans):
        said = [str(one[each.id]) for each in declared.spans.of_span if one[each.id]]  # type: ignore[union-attr]
        said += [one["comment"]] if one["comment"] else []
        at = f"from character {one['start'] + 1:,}" if one["start"] is not None else "no place"
        told.append(f"{one['label']}: “{one['quote']}” ({'; '.join([*said, at])})")
    return ". ".join(told) or NO_SPANS


_SPANS = TypeAdapter(tuple[OwnSpan, ...])


def rows_per_label_of_marks(
    declared: StudyDeclaration, spans: Sequence[OwnSpan]
) -> list[dict[str, Any]]:
    """A row per label of each mark; marks are numbered in each text."""
    one = declared.spans
    assert one is not None
    names = {label.id: label.name for label in one.labels}
    numbers = {arm: count(1) for arm in declared.marking_questions_by_arm}
    return [
        {"mark": number, "label": names.get(label, label)}
        | ({ARM: span.arm} if one.each else {})
        | {field: getattr(span, field) for field in _PLACE}
        | {each.id: span.answers.get(each.id, "") for each in one.of_span}
        for span in spans
        for number in [next(numbers[span.arm])]
        for label in span.labels
    ]


def drop_answers_not_asked_for(
    hanging: Sequence[Question], answers: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Answers without those to ``hanging`` questions, which depend on others, that were not asked
    after all.
    """
    hidden = {
        one.id
        for one in hanging
        if one.only_if is not None and str(answers.get(one.only_if[0])) != one.only_if[1]
    }
    return {name: one for name, one in answers.items() if name not in hidden} if hidden else answers


def _ticked(question: Question, answer: Any, version: int = 0) -> dict[str, Any]:
    """Whether each option that this ``version`` offered was ticked, by variable; None without an
    answer.
    """
    ticked = answer or ()
    return {
        f"{question.id}: {one}": None if answer is None else one in ticked
        for one in question.options
        if question.may_version_offer_option(one, version) or one in ticked
    }


def counted_value_of_answer(question: Question, answer: Any) -> Any:
    """What is counted of an answer: for a rewritten text, whether it was changed; for evidence,
    whether any was marked; for a preference, the option of the whole study's question.
    """
    if question.chooses_arm:
        return preference_as_option(question, answer)
    if answer is not None and question.kind == EVIDENCE:
        return evidence_passages_marked_by_raters.yes_or_no_whether_passage_was_marked(answer)
    if question.kind != REWRITE or answer is None:
        return answer
    return KEPT if answer == UNCHANGED else CHANGED


def _meets(said: Any, expected: Any) -> bool:
    if isinstance(expected, list):
        return said is not None and expected[0] <= said <= expected[1]
    return bool(said == expected)


_TYPES: Mapping[str, Type] = {"scale": "whole", "number": "number", "multiple": "list"}


def file_columns_of_answers(declared: StudyDeclaration) -> list[Column]:
    """The columns of an answer in files."""
    found = [Column(VERSION, "whole", "the version of the study's file that was answered")]
    counted = {one.id: one for one in declared.span_questions_per_arm}
    for one in declared.marking_questions_by_arm.values():
        found.append(Column(one.id, "array", f"{one.text} The marks, as JSON."))
        labels = replace(counted[one.id], id=name_of_further_answer_column(one.id, "labels"))
        found.append(_column(labels, "the labels given somewhere"))
        ends = [
            name_of_further_answer_column(one.id, each.id) for each in one.of_span if each.options
        ]
        found += [_column(counted[name], "what any of the marks has") for name in ends]
    for one in declared.form_with_question_per_arm.questions:
        told = one.text
        if one.is_worded_per_item and one.rubric:
            told = f"{one.rubric[1]} Criterion {criterion_index(one) + 1} of the item"
        found.append(_column(replace(one, text=told)))
        if one.kind == REWRITE:
            found += [
                Column(
                    name_of_further_answer_column(one.id, end),
                    "word" if end == "changed" else "number",
                    means,
                )
                for end, means in COUNTED.items()
            ]
        if one.kind == EVIDENCE:
            name = name_of_further_answer_column(one.id, evidence_passages_marked_by_raters.QUOTES)
            found.append(Column(name, "text", "the words of the passages that were marked"))
    rubrics = {
        criterion_pool_name(one): one.rubric[1]
        for one in declared.form_with_question_per_arm.questions
        if one.rubric
    }
    found += [Column(name, "number", f"{text} Share of points") for name, text in rubrics.items()]
    if declared.are_arms_side_by_side:
        found.append(Column(ORDER, "list", "the arms in the order in which the rater saw them"))
    return found


def _column(question: Question, more: str = "") -> Column:
    kind: Type = "word" if question.options else "text"
    return Column(
        question.id,
        _TYPES.get(question.kind, kind),
        f"{question.text} ({more})" if more else question.text,
        allowed=question.shown_options,
        unit=question.unit,
    )


_NONE = "(none)"
"""A cell's value if several options could be ticked and none was."""


def _cell(answer: Any) -> Any:
    return "; ".join(answer) or _NONE if isinstance(answer, list) else answer


def _scores(questions: Sequence[Question], said: Mapping[str, Any]) -> dict[str, float | None]:
    """The share of each rubric's points, for each arm it is asked of."""
    rubrics: dict[str, list[Question]] = {}
    for one in questions:
        if one.rubric:
            rubrics.setdefault(criterion_pool_name(one), []).append(one)
    if not rubrics:
        return {}
    # Comparing arms takes longer to load than all the rest of a task.
    from medlens.studies.own.arm_differences_and_preference_contests import (
        points_share_of_each_answer,
    )

    found: dict[str, float | None] = {}
    for name, criteria in rubrics.items():
        [share] = points_share_of_each_answer(
            criteria, {one.id: [said.get(one.id)] for one in criteria}
        )
        found[name] = None if math.isnan(share) else round(float(share), 4)
    return found


def _read(question: Question, cell: Any) -> Any:
    """An answer from a cell of a file."""
    text = "" if cell is None or pd.isna(cell) else str(cell).strip()
    if question.kind == "multiple":
        if text == _NONE and _NONE not in question.options:
            return []
        return [one for one in text.split("; ") if one] or ""
    return parse_text_as_value_of_question(question, text)


def parse_text_as_value_of_question(question: Question, text: str) -> Any:
    """An answer as typed or chosen: a number if the question expects one and the text is one."""
    if question.kind == REWRITE:
        return rewritten_text_to_store_or_unchanged_mark(question, text)
    if question.kind == EVIDENCE:
        return evidence_passages_marked_by_raters.normalise_passages_of_answer(text)
    if question.kind not in ("scale", "number"):
        return text
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
