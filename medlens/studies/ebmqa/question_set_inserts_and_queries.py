"""EBMQA's SQL for question sets: bulk inserts, and what pages and pipelines read."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from medlens.deferred_module import pa, pd
from medlens.errors import InvalidInput
from medlens.review.items import Added, digest_of_item_body, ids_by_name_made_from_item_names
from medlens.review.undo_imports import Resting
from medlens.store import Lookup, Store, new_id, to_json
from medlens.studies.ebmqa.question_corrections_with_queries import (
    make_rows_by_table_that_bring_back_questions,
)
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


def rows_as_arrow_question_table(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows with ``COLUMNS`` as the table that ``add_question_set_and_return_added`` takes."""
    kinds = {**dict.fromkeys(_INTEGERS, pa.int32()), "value": pa.float64()}
    made = {
        name: pa.array([row.get(name) for row in rows], kinds.get(name, pa.string()))
        for name in COLUMNS
    }
    marks = [question_digest(row["question"], row["options"], row["correct"]) for row in rows]
    return pa.table({**made, "digest": pa.array(marks, pa.string())})


_DIGESTS_OF_QUESTIONS = Lookup(
    "ebmqa.digests_of_questions",
    "select name, digest from ebmqa_question_told where dataset = $dataset"
    # As it was before it was corrected, it is no other question.
    " union all select q.name, q.digest from ebmqa_question q"
    " join ebmqa_question_told t on t.id = q.id where t.dataset = $dataset and t.version > 1",
)


def add_question_set_and_return_added(
    store: Store,
    questions: pa.Table,
    *,
    dataset: str,
    origin: Mapping[str, Any],
    illustrative: bool = False,
    revised: Collection[str] = (),
) -> Added:
    """Add questions (``COLUMNS`` and ``digest``), all or nothing, and record where they came
    from.

    ``origin`` becomes the body of an item of kind ``question_set``. Questions already stored with
    the same text are skipped, and those that are ``revised`` (names).

    Raises:
        InvalidInput: a question with that name exists with another text.
    """
    there: dict[str, set[str]] = defaultdict(set)
    for name, mark in store.rows(
        _DIGESTS_OF_QUESTIONS,
        dataset=dataset,
    ):
        there[name].add(mark)
    names, marks = questions["name"].to_pylist(), questions["digest"].to_pylist()
    changed = [
        name
        for name, mark in zip(names, marks, strict=True)
        if name in there and mark not in there[name] and name not in revised
    ]
    if changed:
        raise InvalidInput(
            f"{len(changed):,} questions are in the dataset {dataset!r} with another text, the"
            f" first is {changed[0]!r}.",
            hint="Questions change only by being corrected: use another dataset.",
        )
    if there:
        questions = questions.filter(pa.array([name not in there for name in names], pa.bool_()))
    fresh = len(questions)
    if not fresh:
        return Added(0, len(names))
    new = _append(store, questions, dataset=dataset, origin=origin, illustrative=illustrative)
    return Added(fresh, len(names) - fresh, items=new)


def _append(
    store: Store,
    questions: pa.Table,
    *,
    dataset: str,
    origin: Mapping[str, Any],
    illustrative: bool,
) -> tuple[str, ...]:
    """Returns the ids that the questions have as items, and that of their set."""
    mark = new_id()
    body = to_json({**origin, "questions": len(questions)})
    head = {
        "id": mark,
        "study": STUDY,
        "kind": SET_KIND,
        "dataset": dataset,
        "name": f"set-{mark}",
        "digest": digest_of_item_body(body),
        "body": body,
        "illustrative": illustrative,
    }
    given = {row["name"]: row for row in questions.to_pylist()} if _undone(store) else {}
    back = make_rows_by_table_that_bring_back_questions(store, dataset, given)
    returned = {row["name"] for row in back.get("item_withdrawal", ())}
    added = questions["name"].to_pylist()
    if returned:
        questions = questions.filter(pa.array([name not in returned for name in added], pa.bool_()))
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
    store.append_heads_with_many_rows_and_say_if_new(
        {"item": [head], **back}, {"ebmqa_question": questions} if n else {}
    )
    return (*ids_by_name_made_from_item_names(STUDY, dataset, added).values(), mark)


def _undone(store: Store) -> bool:
    return bool(store.data_version_of_tables("import_undone"))


def _id(prefix: str, name: str) -> str:
    """A UUID from dataset and name; one dataset's ids share a prefix, which helps the index."""
    mark = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()
    return f"{prefix[:8]}-{prefix[8:12]}-{prefix[12:16]}-{mark[:4]}-{mark[4:16]}"


def arrow_table_of_stored_questions(store: Store, dataset: str) -> pa.Table:
    """The questions of a dataset as ``add_question_set_and_return_added`` takes them, in the order
    they were added.
    """
    columns = ", ".join(
        f"{name}::varchar as {name}" if name in ("options", "evidence") else name
        for name in (*COLUMNS, "digest")
    )
    return store.fetch_query_result_as_arrow_table(
        f"select {columns} from ebmqa_question_now where dataset = $dataset order by place",
        dataset=dataset,
    )


_QUESTION_NAMES = Lookup(
    "ebmqa.question_names",
    "select name from ebmqa_question_told where dataset = $dataset",
)


def filter_names_of_known_questions(store: Store, dataset: str, names: Sequence[str]) -> list[str]:
    """Which of these questions a dataset has."""
    rows = store.rows(_QUESTION_NAMES, dataset=dataset)
    there = {name for (name,) in rows}
    return [name for name in names if name in there]


_COLUMNS_AS_TEXT = ", ".join(
    f"{name}::varchar as {name}" if name in ("options", "evidence") else name for name in COLUMNS
)
_QUESTIONS_KNOWN = Lookup(
    "ebmqa.questions_known",
    f"select {_COLUMNS_AS_TEXT} from ebmqa_question_told where dataset = $dataset order by place",
)


def last_corrected_questions_by_name(store: Store, dataset: str) -> dict[str, dict[str, Any]]:
    """The questions of a dataset as they were last corrected, by name, withdrawn or not."""
    rows = store.query_rows_as_dicts(_QUESTIONS_KNOWN, dataset=dataset)
    return {str(row["name"]): row for row in rows}


_NAMES_IN_PLAY = Lookup(
    "ebmqa.names_in_play",
    "select name from ebmqa_question_now where dataset = $dataset",
)


def names_of_questions_not_withdrawn(store: Store, dataset: str) -> list[str]:
    """The names of a dataset's questions that are not withdrawn."""
    return store.column(_NAMES_IN_PLAY, dataset=dataset)


def require_question_of_item(store: Store, item: str) -> dict[str, Any]:
    """A question as last corrected, by the id that it has, or would have, as an item.

    Raises:
        InvalidInput: there is no such question.
    """
    row = store.find_first_row_as_dict(
        "select t.* from ebmqa_question_told t join ebmqa_question_item i on i.row = t.id"
        " where i.item = $item",
        item=item,
    )
    if row is None:
        raise InvalidInput("There is no such question.", hint="Open it from the list again.")
    return row


def is_question_set_illustrative(store: Store, dataset: str) -> bool:
    """Whether the questions of a dataset are invented."""
    found = store.value(
        "select coalesce(bool_and(illustrative), false) from ebmqa_question_told"
        " where dataset = $dataset",
        dataset=dataset,
    )
    return bool(found)


def add_drawn_questions_and_return_counts(
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
            "select name, coalesce(stratum, '') from ebmqa_question_told where dataset = $dataset",
            dataset=dataset,
        )
    )
    if there and there != dict(strata):
        raise InvalidInput(
            f"The dataset {dataset!r} already holds other questions.",
            hint="Name another dataset for this draw.",
        )
    return add_question_set_and_return_added(
        store, chosen, dataset=dataset, origin=origin, illustrative=illustrative
    )


def names_and_count_of_dependents_of_import(store: Store, ids: Sequence[str]) -> Resting:
    """What rests on imported questions (ids as items): the answers of models."""
    answers = store.value(
        "select count(*) from ebmqa_answer a join ebmqa_question_number n on n.number = a.question"
        " join ebmqa_question_item i on i.row = n.id where i.item in $ids",
        ids=list(ids),
    )
    drawn = store.value("select count(*) from item_in_play where id in $ids", ids=list(ids))
    return Resting({}, int(answers) + int(drawn))
