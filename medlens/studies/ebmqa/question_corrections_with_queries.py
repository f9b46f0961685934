"""Correcting questions: by hand, or by a file that is imported again.

Models' answers name the number of a question. Once its meaning has changed it has another one
(``ebmqa_question_told``), so that what was answered to its earlier meaning counts nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from medlens.review import items
from medlens.review.item_corrections import (
    AnswersOnEarlierVersions,
    Change,
    SharedCorrection,
    add_versions_of_shown_rows_to_body,
    make_study_row_correction_rows,
)
from medlens.store import Lookup, Store, to_json
from medlens.studies.ebmqa.records import STUDY

Cells = Mapping[str, Any]
"""A question's columns, named as in ``COLUMNS``; ``options`` and ``evidence`` as JSON."""
_LISTS = ("options", "evidence")
_DERIVED = ("name", "n_options", "n_correct")


def differing_columns_as_given(held: Cells, given: Cells) -> dict[str, Any]:
    """The columns that two versions of a question do not have alike, as ``given`` has them; lists
    as lists.
    """
    both = {
        name: (_plain(name, held.get(name)), _plain(name, one))
        for name, one in given.items()
        if name not in _DERIVED
    }
    return {name: new for name, (old, new) in both.items() if old != new}


def _plain(name: str, cell: Any) -> Any:
    if name in _LISTS and isinstance(cell, str):
        cell = json.loads(cell)
    # A cell without anything in it came as either.
    return None if cell in ("", []) else cell


def make_questionnaire_item_body(
    question: str, qa_type: str, options: Sequence[str]
) -> dict[str, Any]:
    """The body of a question as an item of the questionnaire."""
    return {"question": question, "qa_type": qa_type, "options": list(options)}


_QUESTIONS_TO_CORRECT = Lookup(
    "ebmqa.questions_to_correct",
    "from ebmqa_question_told where dataset = $dataset and name in $names",
)


def make_correction_of_questions(
    store: Store, dataset: str, changed: Mapping[str, Cells]
) -> SharedCorrection:
    """The correction of questions: what is to be in their columns, by name."""
    held = {
        str(row["name"]): row
        for row in store.query_rows_as_dicts(
            _QUESTIONS_TO_CORRECT,
            dataset=dataset,
            names=list(changed),
        )
    }
    rows = {
        str(held[name]["id"]): differing_columns_as_given(held[name], changed[name])
        for name in changed
    }
    ids = items.ids_by_name_made_from_item_names(STUDY, dataset, changed)
    bodies = items.load_item_bodies_by_id(store, list(ids.values()))
    shown = {}
    for name, item in ids.items():
        if item in bodies:
            row = {**held[name], **rows[held[name]["id"]]}
            body = make_questionnaire_item_body(
                str(row["question"]), str(row["qa_type"]), _plain("options", row["options"])
            )
            version = {str(held[name]["id"]): int(held[name]["version"]) + 1}
            shown[item] = add_versions_of_shown_rows_to_body(bodies[item], version, **body)
    return SharedCorrection(
        STUDY,
        dataset,
        shown,
        rows,
        follows=_what_follows(store, dataset, [held[name] for name in changed], rows),
        only_meaning=next(
            filter(None, (_why_no_typing_error(held[name], changed[name]) for name in changed)), ""
        ),
    )


def _why_no_typing_error(held: Cells, given: Cells) -> str:
    before, after = _plain("options", held["options"]), _plain("options", given["options"])
    where = f"In the question {held['name']!r}"
    if len(before) != len(after):
        return f"{where} there are {len(after)} options, and there were {len(before)}."
    moved = [text for at, text in enumerate(after) if text in before and before[at] != text]
    if moved:
        return f"{where} the option {moved[0]!r} has another place, by which answers name it."
    return ""


_OTHER_DATASETS_WITH_QUESTIONS = Lookup(
    "ebmqa.other_datasets_with_questions",
    "select distinct dataset from ebmqa_question_now where dataset <> $dataset"
    " and digest in $digests order by 1",
)


_COUNT_ANSWERS_TO_QUESTIONS = Lookup(
    "ebmqa.count_answers_to_questions",
    "select count(*) from ebmqa_answer where question in $numbers",
    numbers="wholes",
)


def _what_follows(
    store: Store,
    dataset: str,
    held: Sequence[Cells],
    rows: Mapping[str, Mapping[str, Any]],
) -> dict[Change, list[str]]:
    answers = store.value(
        _COUNT_ANSWERS_TO_QUESTIONS,
        numbers=[int(row["seq"]) for row in held],
    )
    also = store.column(
        _OTHER_DATASETS_WITH_QUESTIONS,
        dataset=dataset,
        digests=[str(row["digest"]) for row in held],
    )
    beside = [
        f"Some of this is also in the dataset{'s' * (len(also) > 1)} {', '.join(also)}, which"
        f" {'keep' if len(also) > 1 else 'keeps'} it as it is: correct it there too."
    ]
    many = f"{answers:,} answer{'s' * (answers != 1)} of models"
    by_key = ", scored by the new key" if any("correct" in one for one in rows.values()) else ""
    typing = [f"{many} still count{'s' * (answers == 1)}{by_key}."]
    meaning = [f"{many} no longer count{'s' * (answers == 1)}: ask the models again."]
    return {
        "typing": typing * bool(answers) + beside * bool(also),
        "meaning": meaning * bool(answers) + beside * bool(also),
    }


_QUESTIONS_OF_UNDONE_IMPORTS = Lookup(
    "ebmqa.questions_of_undone_imports",
    "select q.*, c.body as corrected from ebmqa_question q"
    " semi join (select dataset, name from item_withdrawn where study = 'ebmqa' and undone)"
    " u on u.dataset = q.dataset and u.name = q.name"
    " left join corrected_row_now c on c.subject = q.id"
    " where q.dataset = $dataset and q.name in $names",
)


def make_rows_by_table_that_bring_back_questions(
    store: Store, dataset: str, given: Mapping[str, Cells]
) -> dict[str, list[Mapping[str, Any]]]:
    """Rows, by table, that bring back those questions (by name) that an undone import had added."""
    if not store.data_version_of_tables("import_undone"):
        return {}
    held = {
        str(row["name"]): row
        for row in store.query_rows_as_dicts(
            _QUESTIONS_OF_UNDONE_IMPORTS,
            dataset=dataset,
            names=list(given),
        )
    }
    ids = items.ids_by_name_made_from_item_names(STUDY, dataset, held)
    bodies = {}
    for name, item in ids.items():
        one = given[name]
        body = to_json(
            make_questionnaire_item_body(
                one["question"], one["qa_type"], json.loads(one["options"])
            )
        )
        bodies[item] = (items.digest_of_item_body(body), body)
    changed = {}
    for name, row in held.items():
        before = {**row, **items.parse_item_body(row["corrected"] or "{}")}
        if columns := differing_columns_as_given(before, given[name]):
            changed[str(row["id"])] = columns
    corrected = make_study_row_correction_rows(
        store,
        changed,
        study=STUDY,
        dataset=dataset,
        reason="It is imported again.",
        who="import",
    )
    back: dict[str, list[Mapping[str, Any]]] = {
        table: list(rows)
        for table, rows in items.make_rows_by_table_that_bring_back_items(store, bodies).items()
    }
    return back | ({"corrected_row": corrected} if corrected else {})


def summarise_answers_on_earlier_versions(store: Store, dataset: str) -> AnswersOnEarlierVersions:
    """How many of the models' answers were given to a question that was corrected since."""
    if not store.data_version_of_tables("corrected_row"):
        return AnswersOnEarlierVersions("answer", "answers of models", "question")
    [row] = store.rows(
        "with typed as (select subject, max(seq) as seq from corrected_row where counts"
        "  and study = 'ebmqa' group by subject),"
        " given as (select n.id, q.seq = n.number as counts, a.seq < t.seq as earlier"
        "  from ebmqa_answer a join ebmqa_question_number n on n.number = a.question"
        "  join ebmqa_question_now q on q.id = n.id left join typed t on t.subject = n.id"
        "  where n.dataset = $dataset)"
        " select count(*) filter (counts), count(*) filter (counts and earlier),"
        " count(distinct id) filter (counts and earlier), count(*) filter (not counts),"
        " count(distinct id) filter (not counts) from given",
        dataset=dataset,
    )
    return AnswersOnEarlierVersions("answer", "answers of models", "question", *map(int, row))
