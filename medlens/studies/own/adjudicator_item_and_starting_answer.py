"""An item as its adjudicator sees it: arms side by side have letters, in an order of their own.

The store, and so every answer that is settled, has the arms' names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from medlens.config.question_forms_and_answer_checks import EVIDENCE, Question
from medlens.review.marked_spans_checked_carried_and_timed import merge_labels_by_place
from medlens.review.tasks import Body, Task
from medlens.studies.own import evidence_passages_marked_by_raters
from medlens.studies.own.attached_files import AttachedStudyFiles
from medlens.studies.own.blinded_arms import (
    ARMS,
    ORDER,
    ArmQuestionsAsShown,
    list_letters_naming_arms,
    list_names_of_arms_in_item,
    random_arm_order,
)
from medlens.studies.own.model_name_masking import MaskedItem, mask_names_in_cells
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.tasks import (
    Answers,
    OwnSpan,
    OwnTask,
    make_arm_questions_as_shown,
    make_own_study_task,
)

_IN_WORDS = ("short_text", "long_text")


@dataclass(frozen=True)
class LetteredItem:
    """An item with its arms by letter.

    ``declared`` is its study and ``task`` what is asked of it, with letters for the arms' names.
    ``order`` are the real names in the order of the letters; empty if no arms are side by side.
    ``masked`` is the item with the names of models masked. ``unanswered`` are the arms of which
    nothing is shown: who was shown them all the same may have chosen one, which has a further
    letter.
    """

    declared: StudyDeclaration
    task: Task
    order: tuple[str, ...]
    shown: ArmQuestionsAsShown | None
    masked: MaskedItem
    unanswered: tuple[str, ...] = ()

    def answer_with_masked_marks(self, value: Answers) -> Answers:
        """An answer with letters, whose marks have the words that are shown of the item."""
        arms = dict(zip(list_letters_naming_arms(len(self.order)), self.order, strict=True))
        spans = [
            self.masked.requote_spans_of_text(
                [one.model_dump()], arm=arms.get(one.arm, ""), outward=True
            )[0]
            for one in value.spans
        ]
        return value.model_copy(update={"spans": tuple(OwnSpan(**span) for span in spans)})

    def answers_with_letters(self, value: Answers | None) -> Answers | None:
        """An answer with letters for the arms' names."""
        if value is None or self.shown is None:
            return value
        own = self._letters_by_arm
        said = self.shown.field_values_of_answers(value.answers)  # type: ignore[arg-type]
        for here, there in zip(self.shown.asked, self.shown.kept.questions, strict=True):
            if here.options != there.options and said[here.id] not in (None, *here.options):
                said[here.id] = _with_arm_called(said[here.id], own)
        return value.model_copy(
            update={
                "answers": {name: one for name, one in said.items() if one is not None},
                ORDER: [own[arm] for arm in value.order],
                "spans": _of_arms(value.spans, own),
            }
        )

    def answers_with_arm_names(self, value: Answers) -> Answers:
        """An answer with the arms' names for their letters."""
        if self.shown is None:
            return value
        named = {letter: arm for arm, letter in self._letters_by_arm.items()}
        answers = self.shown.stored_answers_with_changed_fields({}, value.answers)
        for here, there in zip(self.shown.asked, self.shown.kept.questions, strict=True):
            if here.options != there.options and answers.get(there.id) not in (
                None,
                *there.options,
            ):
                answers[there.id] = _with_arm_called(answers[there.id], named)
        return value.model_copy(
            update={
                "answers": answers,
                ORDER: [named[letter] for letter in value.order],
                "spans": _of_arms(value.spans, named),
            }
        )

    @property
    def _letters_by_arm(self) -> dict[str, str]:
        every = (*self.order, *self.unanswered)
        return dict(zip(every, list_letters_naming_arms(len(every)), strict=True))


def _with_arm_called(option: Any, called: Mapping[str, str]) -> str:
    """A choice of an arm that is no option here, such as "north" where "north, slightly" is one."""
    arm, sign, how = str(option).partition(", ")
    return called.get(arm, arm) + sign + how


def _of_arms(spans: Iterable[OwnSpan], called: Mapping[str, str]) -> tuple[OwnSpan, ...]:
    return tuple(one.model_copy(update={"arm": called.get(one.arm, one.arm)}) for one in spans)


def make_lettered_item_for_adjudicator(
    study: Study, body: Body, *, item: str, rater: str, seed: int
) -> LetteredItem:
    """An item with this body, as it is shown to the adjudicator ``rater``; ``seed`` is that of the
    round, so that those who judged it see the letters that they saw then.
    """
    seen = mask_names_in_cells(body, study.declared)
    declared = study.declared.declaration_for_item(body)
    if not list_names_of_arms_in_item(body) or declared.arms is None:
        masked = MaskedItem(study.declared, body)
        return LetteredItem(
            study.declared.declaration_for_item(seen),
            study.task.task_as_asked_of_item(body),
            (),
            None,
            masked,
        )
    there = declared.arms_to_judge(body)
    order = tuple(random_arm_order(there, item=item, rater=rater, seed=seed))
    unanswered = tuple(one for one in list_names_of_arms_in_item(body) if one not in there)
    own = list_letters_naming_arms(len(order))
    cells = {letter: seen[ARMS][arm] for letter, arm in zip(own, order, strict=True)}
    blind = _blind(study.declared, len(order)).declaration_for_item({**seen, ARMS: cells})
    task = _task(blind, study.version, study.attached)
    masked = MaskedItem(study.declared, body, order)
    shown = make_arm_questions_as_shown(declared, order)
    return LetteredItem(blind, task, order, shown, masked, unanswered)


@lru_cache(maxsize=64)
def _blind(declared: StudyDeclaration, count: int) -> StudyDeclaration:
    assert declared.arms is not None
    return replace(
        declared, arms=replace(declared.arms, names=tuple(list_letters_naming_arms(count)))
    )


class _TaskInLetters(OwnTask):
    """The task of an adjudicator, who has letters of their own for the arms."""

    def answer_as_columns(self, value: Answers) -> Mapping[str, Any]:
        """The columns, where raters' words say which letters they saw."""
        # Raters write of A and B as they saw them.
        theirs = zip(list_letters_naming_arms(len(value.order)), value.order, strict=True)
        other = ", ".join(f"their {was} is {now}" for was, now in theirs if was != now)
        cells = dict(super().answer_as_columns(value))
        if other:
            words = (
                question.id
                for question in self.declared.form_with_question_per_arm.questions
                if question.kind in _IN_WORDS
            )
            cells |= {name: f"{cells[name]} ({other})" for name in words if cells.get(name)}
        return cells


@lru_cache(maxsize=256)
def _task(blind: StudyDeclaration, version: int, attached: AttachedStudyFiles) -> Task:
    return make_own_study_task(blind, version, attached, _TaskInLetters)


def make_starting_answer_for_adjudicator(
    questions: Iterable[Question], values: Sequence[Answers]
) -> Answers:
    """What an adjudicator's own answer can begin with: what all these answers share, except for
    words, and each passage and each mark that any of them has.
    """
    found: dict[str, Any] = {}
    for one in questions:
        said = [value.answers.get(one.id) for value in values]
        passages = [
            each
            for answer in said
            for each in evidence_passages_marked_by_raters.parse_passages_of_answer(answer)
        ]
        if one.kind == EVIDENCE and passages:
            found[one.id] = evidence_passages_marked_by_raters.normalise_passages_of_answer(
                evidence_passages_marked_by_raters.passages_as_json_answer(passages)
            )
        elif one.kind not in _IN_WORDS and said and all(each == said[0] for each in said):
            found[one.id] = said[0]
    spans = (each for value in values for each in value.spans)
    return Answers(
        answers={name: one for name, one in found.items() if one is not None},
        spans=merge_labels_by_place(spans, of=lambda span: span.arm),
    )
