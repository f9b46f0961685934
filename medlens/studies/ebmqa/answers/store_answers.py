"""Stores answers: a block for each model, prompt and repeat, all in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from medlens.deferred_module import np, pa, pd
from medlens.errors import Conflict
from medlens.review import raters
from medlens.store import Row, Store, new_id
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries
from medlens.studies.ebmqa.answers.match_and_parse_answers import AnswerBlockKey, Integers, Matched
from medlens.studies.ebmqa.question_set_inserts_and_queries import new_block_number

_TRIES = 5
_PIECE = 122_880


def model_rater_row(model: str) -> Row:
    """A model as a rater's row.

    Raises:
        InvalidInput: the name is not valid for a model.
    """
    return raters.make_rater_row(model, kind="model", origin="model")


def store_answers_and_count(
    store: Store,
    dataset: str,
    numbers: Integers,
    found: Matched,
    *,
    origin: str,
    run: str = "",
    rows: Integers | None = None,
) -> int:
    """Append answers, durable on return; returns how many.

    ``numbers`` are those of the questions at ``found.at``, ``rows`` the positions in ``found`` of
    the answers to store (default: all). None of them may be stored already.

    Raises:
        Conflict: another process keeps storing answers of the same models.
    """
    at = np.arange(len(found.at)) if rows is None else rows
    if not len(at):
        return 0
    group, said = found.group[at], found.said[at]
    counts = np.bincount(group, minlength=len(found.groups))
    used = np.flatnonzero(counts).tolist()
    people = {place: model_rater_row(found.groups[place].model) for place in used}
    block = np.array([new_block_number() for _ in found.groups], np.int64)
    answers = pa.table(
        {
            "block": block[group],
            "question": numbers[found.at[at]],
            "outcome": found.outcome[at].astype(np.int32),
            "chosen": found.chosen[at].astype(np.int32),
            "said": said.astype(np.int32),
        }
    )
    # In chunks, so that the store's threads can share them.
    answers = pa.Table.from_batches(answers.to_batches(max_chunksize=_PIECE))
    texts = _texts(block, group, said, found.texts)
    for attempt in range(_TRIES):
        top = answer_and_questionnaire_queries.answer_block_count_by_rater_prompt_and_repeat(
            store, dataset
        )
        heads = []
        for place in used:
            one, rater = found.groups[place], people[place]["id"]
            heads.append(
                {
                    "id": new_id(),
                    "number": int(block[place]),
                    "dataset": dataset,
                    "rater": rater,
                    "prompt": one.prompt,
                    "repeat": one.repeat,
                    "part": top.get((rater, one.prompt, one.repeat), 0),
                    "run": run,
                    "origin": origin,
                    "n": int(counts[place]),
                }
            )
        there = answer_and_questionnaire_queries.filter_ids_of_stored_raters(
            store, [row["id"] for row in people.values()]
        )
        fresh = {row["id"]: row for row in people.values() if row["id"] not in there}
        try:
            store.append_heads_with_many_rows_and_say_if_new(
                {"ebmqa_answer_block": heads, "rater": list(fresh.values())},
                {"ebmqa_answer": answers, "ebmqa_said": texts},
            )
        except Conflict:
            if attempt == _TRIES - 1:
                raise
            continue
        break
    return len(at)


def _texts(block: Integers, group: Integers, said: Integers, texts: Sequence[str]) -> pa.Table:
    """Each text once per block in which it was said, with its position."""
    spoken = said >= 0
    size = max(len(texts), 1)
    keys = pd.unique(group[spoken] * size + said[spoken])
    return pa.table(
        {
            "block": pa.array(block[keys // size], pa.int64()),
            "place": pa.array((keys % size).astype(np.int32), pa.int32()),
            "text": pa.array([texts[place] for place in (keys % size).tolist()], pa.string()),
        }
    )


def prepare_answers_of_one_model_for_storing(
    asked: Sequence[int], group: AnswerBlockKey, answers: Sequence[tuple[int, int, str]]
) -> tuple[Integers, Matched]:
    """Prepares answers of one model under one prompt for storing.

    ``asked`` are the questions' numbers; ``answers`` has for each the outcome's code, the chosen
    options as a mask, and what was said.
    """
    codes, texts = pd.factorize(np.array([text for _, _, text in answers], dtype=object))
    count = len(answers)
    return np.array(asked, np.int64), Matched(
        at=np.arange(count),
        group=np.zeros(count, np.int64),
        groups=[group],
        outcome=np.array([outcome for outcome, _, _ in answers], np.int64),
        chosen=np.array([chosen for _, chosen, _ in answers], np.int64),
        said=codes.astype(np.int64),
        texts=[str(text) for text in texts],
    )
