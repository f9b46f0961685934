"""EBMQA's SQL for question sets: bulk inserts, and what pages and pipelines read."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from medlens.errors import InvalidInput
from medlens.review.items import Added, digest_of_body
from medlens.store import Store, new_id, to_json
from medlens.studies.ebmqa.records import LABELS, SET_KIND, STUDY

COLUMNS = (
    *("name", "kind", "qa_type", "question", "options", "n_options", "correct", "n_correct"),
    *("source", "target", "background"),
    *(label for label in LABELS if label not in ("kind", "qa_type")),
    *("words", "value", "evidence"),
)
"""What is kept of a question, besides where it belongs."""

_INTEGERS = ("n_options", "correct", "n_correct", "words")


def new_block_number() -> int:
    """A number for a block of answers, not used by any other block."""
    return random.getrandbits(62)


def question_digest(question: str, options: str, correct: int) -> str:
    """A fingerprint of a question; ``options`` is the JSON list, ``correct`` the mask."""
    return hashlib.md5(
        f"{question}\x1f{options}\x1f{correct}".encode(), usedforsecurity=False
    ).hexdigest()


def rows_as_question_table(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows with ``COLUMNS`` as the table that ``add_set`` takes."""
    kinds = {**dict.fromkeys(_INTEGERS, pa.int32()), "value": pa.float64()}
    made = {
        name: pa.array([row.get(name) for row in rows], kinds.get(name, pa.string()))
        for name in COLUMNS
    }
    marks = [question_digest(row["question"], row["options"], row["correct"]) for row in rows]
    return pa.table({**made, "digest": pa.array(marks, pa.string())})


def add_question_set(
    store: Store,
    questions: pa.Table,
    *,
    dataset: str,
    origin: Mapping[str, Any],
    illustrative: bool = False,
) -> Added:
    """Add questions (``COLUMNS`` and ``digest``), all or nothing, and record where they came
    from.

    ``origin`` becomes the body of an item of kind ``question_set``. Questions already stored with
    the same text are skipped.

    Raises:
        InvalidInput: a question with that name exists with another text.
    """
    there = dict(
        store.rows(
            "select name, digest from ebmqa_question where dataset = $dataset", dataset=dataset
        )
    )
    names, marks = questions["name"].to_pylist(), questions["digest"].to_pylist()
    changed = [
        name for name, mark in zip(names, marks, strict=True) if there.get(name, mark) != mark
    ]
    if changed:
        raise InvalidInput(
            f"{len(changed):,} questions are in the dataset {dataset!r} with another text, the"
            f" first is {changed[0]!r}.",
            hint="Questions never change: use another dataset.",
        )
    if there:
        questions = questions.filter(pa.array([name not in there for name in names], pa.bool_()))
    fresh = len(questions)
    if fresh:
        _append(store, questions, dataset=dataset, origin=origin, illustrative=illustrative)
    return Added(fresh, len(names) - fresh)


def _append(
    store: Store,
    questions: pa.Table,
    *,
    dataset: str,
    origin: Mapping[str, Any],
    illustrative: bool,
) -> None:
    mark = new_id()
    body = to_json({**origin, "questions": len(questions)})
    head = {
        "id": mark,
        "study": STUDY,
        "kind": SET_KIND,
        "dataset": dataset,
        "name": f"set-{mark}",
        "digest": digest_of_body(body),
        "body": body,
        "illustrative": illustrative,
    }
    n = len(questions)
    prefix = hashlib.md5(dataset.encode(), usedforsecurity=False).hexdigest()
    ids = [_id(prefix, name) for name in questions["name"].to_pylist()]
    for name, value, kind in (
        ("id", ids, pa.string()),
        ("made_at", [pd.Timestamp.now(tz="UTC")] * n, pa.timestamp("us", tz="UTC")),
        ("dataset", [dataset] * n, pa.string()),
        ("illustrative", [illustrative] * n, pa.bool_()),
    ):
        questions = questions.append_column(name, pa.array(value, kind))
    store.append_bulk({"item": [head]}, {"ebmqa_question": questions})


def _id(prefix: str, name: str) -> str:
    """A UUID from dataset and name; one dataset's ids share a prefix, which helps the index."""
    mark = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()
    return f"{prefix[:8]}-{prefix[8:12]}-{prefix[12:16]}-{mark[:4]}-{mark[4:16]}"


def questions_table(store: Store, dataset: str) -> pa.Table:
    """The questions of a dataset as ``add_set`` takes them, in the order they were added."""
    columns = ", ".join(
        f"{name}::varchar as {name}" if name in ("options", "evidence") else name
        for name in (*COLUMNS, "digest")
    )
    return store.arrow(
        f"select {columns} from ebmqa_question_now where dataset = $dataset order by seq",
        dataset=dataset,
    )


def known_question_names(store: Store, dataset: str, names: Sequence[str]) -> list[str]:
    """Which of these questions a dataset has."""
    rows = store.rows("select name from ebmqa_question where dataset = $dataset", dataset=dataset)
    there = {name for (name,) in rows}
    return [name for name in names if name in there]


def is_illustrative(store: Store, dataset: str) -> bool:
    """Whether the questions of a dataset are invented."""
    found = store.value(
        "select coalesce(bool_and(illustrative), false) from ebmqa_question"
        " where dataset = $dataset",
        dataset=dataset,
    )
    return bool(found)


def add_drawn_questions(
    store: Store,
    whole: pa.Table,
    strata: Mapping[str, str],
    *,
    dataset: str,
    origin: Mapping[str, Any],
    illustrative: bool,
) -> Added:
    """Add those questions of ``whole`` that have a stratum, by name.

    Raises:
        InvalidInput: the dataset exists and is not this draw.
    """
    names = whole["name"].to_pylist()
    chosen = whole.filter(pa.array([name in strata for name in names]))
    column = pa.array([strata[name] for name in names if name in strata], pa.string())
    chosen = chosen.set_column(chosen.column_names.index("stratum"), "stratum", column)
    there = dict(
        store.rows(
            "select name, coalesce(stratum, '') from ebmqa_question where dataset = $dataset",
            dataset=dataset,
        )
    )
    if there and there != dict(strata):
        raise InvalidInput(
            f"The dataset {dataset!r} already holds other questions.",
            hint="Name another dataset for this draw.",
        )
    return add_question_set(
        store, chosen, dataset=dataset, origin=origin, illustrative=illustrative
    )
