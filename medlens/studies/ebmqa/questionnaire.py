"""The validation questionnaire: drawn by seed, answered blind, handed in whole, then compared.

Avnat et al. 2024, Methods ("Human validation"). Nobody sees correct answers before handing in:
``own_answers_beside_key_table`` and ``results`` check that. A question that a person flags may stay
without an answer, or without a guess: for them it then counts as neither right nor wrong.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

from medlens.deferred_module import pd
from medlens.errors import InvalidInput, NotAllowed
from medlens.review import consensus, items, judging, rounds
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.consensus import PRACTICE
from medlens.review.items import NewItem
from medlens.review.raters import Rater, list_raters
from medlens.store import Store
from medlens.studies.ebmqa import tasks
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries
from medlens.studies.ebmqa.question_corrections_with_queries import make_questionnaire_item_body
from medlens.studies.ebmqa.records import (
    IDK,
    QUESTION_KIND,
    STUDY,
    bit_mask_of_positions,
    positions_in_bit_mask,
)

NUMBER = 100
SEED = 20240609


@dataclass(frozen=True)
class QuestionnaireProgress:
    """One person's progress. ``unknown`` names the questions answered with "I do not know",
    ``to_guess`` those of them that still need a guess; ``flagged`` is how many they flagged and did
    not answer; ``handed_in`` ends it. ``sent_back`` is how many of those answered a lead has
    returned, to be answered again.
    """

    total: int
    answered: int
    unknown: tuple[str, ...]
    to_guess: tuple[str, ...]
    flagged: int
    handed_in: bool
    sent_back: int = 0

    @property
    def count_of_done_questions(self) -> int:
        """How many questions are answered and not sent back, or flagged instead."""
        return self.answered + self.flagged - self.sent_back

    @property
    def is_complete(self) -> bool:
        """Whether every question is answered, and guessed if unknown, or flagged instead."""
        return 0 < self.total <= self.count_of_done_questions and not self.to_guess


def sample_questionnaire_and_count_added(
    store: Store,
    dataset: str,
    *,
    number: int = NUMBER,
    seed: int = SEED,
    practice: int = 0,
    among: tuple[str, str] | None = None,
    by: Rater | None = None,
) -> int:
    """Draw a dataset's questionnaire: ``number`` numeric questions, and ``practice`` others with
    the correct answers as their key; returns how many were added. ``among`` limits the draw to a
    column's value (``answer_and_questionnaire_queries.count_numeric_questions_by_group``).

    Drawing the same again adds nothing. The round is then open to everyone, unless a lead has said
    otherwise; ``by`` is None for the command line.

    Raises:
        InvalidInput: there are too few numeric questions, or another questionnaire was drawn.
    """
    names, illustrative = (
        answer_and_questionnaire_queries.names_of_numeric_questions_and_if_illustrative(
            store, dataset, among
        )
    )
    if number < 1 or practice < 0 or len(names) < number + practice:
        raise InvalidInput(
            f"{number + practice:,} questions cannot be drawn: {dataset!r} has {len(names):,}"
            f" {'such' if among else 'numeric'} ones.",
            hint="Draw fewer, or name another dataset.",
        )
    drawn = random.Random(seed).sample(names, number)
    there = set(answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, dataset))
    if there and there != set(drawn):
        raise InvalidInput(
            f"A questionnaire of {len(there):,} questions was drawn from {dataset!r} already.",
            hint="People answer that one; another needs a dataset of its own.",
        )
    added = _ask(store, dataset, drawn, illustrative=illustrative, by=by)
    if practice:
        rest = sorted({*names} - {*drawn})
        tried = random.Random(seed).sample(rest, practice)
        added += _ask(store, dataset, tried, illustrative=illustrative, by=by)
        ids = items.item_ids_by_name(store, STUDY, dataset, tried)
        task = tasks.QuestionnaireTask()
        keys = {
            item: {**(task.read_gold_from_data(store, item) or {}), PRACTICE: ""}
            for item in ids.values()
        }
        consensus.set_gold_from_key_and_count(store, task, answers=keys)
    return added


def add_questionnaire_of_questions_and_count(
    store: Store, dataset: str, names: Sequence[str]
) -> int:
    """Make these questions the dataset's questionnaire, leaving out any that are not numeric
    questions of the dataset. Returns how many were added.
    """
    numeric, illustrative = (
        answer_and_questionnaire_queries.names_of_numeric_questions_and_if_illustrative(
            store, dataset
        )
    )
    known = set(numeric)
    found = [name for name in names if name in known]
    return _ask(store, dataset, found, illustrative=illustrative) if found else 0


def _ask(
    store: Store,
    dataset: str,
    drawn: Sequence[str],
    *,
    illustrative: bool,
    by: Rater | None = None,
) -> int:
    """Add the drawn questions as items, and open their round."""
    whole = {
        row["name"]: row
        for row in answer_and_questionnaire_queries.list_named_questions_as_dicts(
            store, dataset, drawn
        )
    }
    added = items.add_items(
        store,
        [
            NewItem(
                name,
                make_questionnaire_item_body(
                    whole[name]["question"],
                    whole[name]["qa_type"],
                    json.loads(whole[name]["options"]),
                ),
            )
            for name in drawn
        ],
        study=STUDY,
        kind=QUESTION_KIND,
        dataset=dataset,
        illustrative=illustrative,
    )
    rounds.open_round_if_unset(store, tasks.QuestionnaireTask(), dataset, by=by)
    return added.added


def has_questionnaire(store: Store, dataset: str) -> bool:
    """Whether a dataset has a questionnaire."""
    return bool(answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, dataset))


def questionnaire_progress(store: Store, dataset: str, rater: str) -> QuestionnaireProgress:
    """A person's progress in the questionnaire of a dataset."""
    drawn = answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, dataset)
    total = len(drawn)
    answered = answer_and_questionnaire_queries.list_question_names_and_answer_json_of_person(
        store, dataset, rater
    )
    given = assignment_ledger_of_task(store, tasks.NAME).by_rater.get(rater, {})
    value = tasks.Answered.model_validate_json
    values = {name: value(body) for name, body in answered}
    flagged = set(
        answer_and_questionnaire_queries.list_names_of_questions_flagged_by_person(
            store, dataset, rater
        )
    )
    return QuestionnaireProgress(
        total,
        len(values),
        tuple(name for name, one in values.items() if one.answer == ()),
        tuple(name for name, one in values.items() if not one.is_answered and name not in flagged),
        len(flagged - values.keys()),
        bool(total)
        and answer_and_questionnaire_queries.count_questions_whose_answer_person_may_know(
            store, dataset, rater
        )
        >= total,
        sum(item in given and given[item].is_sent_back for item in drawn.values()),
    )


def may_see_correct_answers(store: Store, dataset: str, rater: str) -> bool:
    """Whether a person may see the correct answers in a dataset.

    They may if they have handed in every questionnaire that shares questions with it, including one
    drawn from another dataset (a benchmark made from these questions), or if there is none.
    """
    return all(
        answer_and_questionnaire_queries.count_questions_whose_answer_person_may_know(
            store, one, rater
        )
        >= len(answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, one))
        for one in answer_and_questionnaire_queries.datasets_whose_questionnaire_shares_questions(
            store, dataset
        )
    )


def submit_whole_questionnaire(store: Store, dataset: str, rater: str) -> None:
    """Commit the whole questionnaire; later changes count as not blind.

    Raises:
        InvalidInput: something is not answered, or not guessed.
    """
    state = questionnaire_progress(store, dataset, rater)
    if not state.is_complete:
        left = state.total - state.count_of_done_questions
        raise InvalidInput(
            f"{left} questions are not answered and {len(state.to_guess)} not guessed.",
            hint="Answer them first.",
        )
    drawn = answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(
        store, dataset
    ).values()
    judging.record_items_as_seen_and_say_if_any_new(
        store, [(tasks.NAME, item) for item in drawn], rater=rater
    )


def own_answers_beside_key_table(store: Store, dataset: str, viewer: Rater) -> pd.DataFrame:
    """A person's own answers next to the correct ones.

    Columns: result ("right", "wrong", "right by a guess", "wrong by a guess"), question, answered,
    guess, right (texts), name (the question's).

    Raises:
        NotAllowed: the viewer has not handed in.
    """
    _require(store, dataset, viewer)
    rows = []
    whole = {
        row["name"]: row
        for row in answer_and_questionnaire_queries.list_named_questions_as_dicts(
            store,
            dataset,
            list(
                answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, dataset)
            ),
        )
    }
    for (
        name,
        body,
    ) in answer_and_questionnaire_queries.list_question_names_and_answer_json_of_person(
        store, dataset, viewer.id
    ):
        one, value = whole[name], tasks.Answered.model_validate_json(body)
        options = json.loads(one["options"])
        chosen = value.answer or value.guess or ()
        right = "right" if bit_mask_of_positions(chosen) == one["correct"] else "wrong"
        rows.append(
            {
                "question": one["question"],
                "answered": _text(options, value.answer),
                "guess": _text(options, value.guess or None),
                "right": _text(options, positions_in_bit_mask(one["correct"])),
                "result": right if value.answer else f"{right} by a guess",
                "name": name,
            }
        )
    return pd.DataFrame(rows, columns=["result", "question", "answered", "guess", "right", "name"])


def has_seen_correct_answers(store: Store, dataset: str, rater: str) -> bool:
    """Whether a person has seen the correct answers to these questions (or some of them)."""
    return rater in answer_and_questionnaire_queries.time_of_first_seeing_key_by_person(
        store, dataset
    )


def list_who_has_seen_correct_answers(store: Store, dataset: str) -> list[str]:
    """The names of those who have seen the correct answers to these questions (or some)."""
    looks = answer_and_questionnaire_queries.time_of_first_seeing_key_by_person(store, dataset)
    return [rater.name for rater in list_raters(store) if rater.id in looks]


def ids_of_raters_who_saw_key_before_answer(store: Store, dataset: str) -> set[str]:
    """The people who had seen the correct answers before answering their last question."""
    last = answer_and_questionnaire_queries.last_blind_answer_time_by_person(store, dataset)
    looks = answer_and_questionnaire_queries.time_of_first_seeing_key_by_person(store, dataset)
    return {rater for rater, at in looks.items() if rater in last and at < last[rater]}


def _text(options: Sequence[str], chosen: Sequence[int] | None) -> str:
    if chosen is None:
        return ""
    return "; ".join(options[place] for place in chosen) or IDK


def questionnaire_results_table(
    store: Store, dataset: str, *, viewer: Rater | None
) -> pd.DataFrame:
    """Everybody's results on the questionnaire, including models and blind choice.

    Columns: rater_id, rater, kind ("person", "model", "majority"), n (questions answered or
    declined), then counts: known (answered without a guess), right (of those), settled (answered or
    guessed), right_settled; and looked (had seen the correct answers before). ``majority`` always
    chooses the answer class that is most often right among these questions. People count once they
    have answered or flagged every question; models do not guess, so their settled equals known.

    Raises:
        NotAllowed: the viewer is a reviewer who has not handed in.
    """
    if viewer is not None and viewer.role != "lead":
        _require(store, dataset, viewer)
    table = answer_and_questionnaire_queries.questionnaire_results_table_without_access_check(
        store, dataset
    )
    table["looked"] = table["rater_id"].isin(
        ids_of_raters_who_saw_key_before_answer(store, dataset)
    )
    return table


def questionnaire_answers_table(
    store: Store, dataset: str, *, viewer: Rater | None
) -> pd.DataFrame:
    """Every answer that ``results`` counts, in the form of
    ``answer_and_questionnaire_queries.questionnaire_answers_table_without_access_check``.

    Raises:
        NotAllowed: the viewer is a reviewer who has not handed in.
    """
    if viewer is not None and viewer.role != "lead":
        _require(store, dataset, viewer)
    return answer_and_questionnaire_queries.questionnaire_answers_table_without_access_check(
        store, dataset
    )


def list_correct_and_offered_counts_of_questions(
    store: Store, dataset: str
) -> list[tuple[int, int]]:
    """For each question, how many options are correct and how many there are."""
    names = list(
        answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, dataset)
    )
    return [
        (len(positions_in_bit_mask(row["correct"])), len(json.loads(row["options"])))
        for row in answer_and_questionnaire_queries.list_named_questions_as_dicts(
            store, dataset, names
        )
    ]


def _require(store: Store, dataset: str, viewer: Rater) -> None:
    if not may_see_correct_answers(store, dataset, viewer.id):
        raise NotAllowed(
            "What is right is shown after you have handed in the questionnaire.",
            hint="Answer it first.",
        )
