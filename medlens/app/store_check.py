"""What is wrong with a store: damage, changes since a row was added, judgments that do not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from medlens.config.settings import Settings
from medlens.review import consensus, item_corrections, items, judging
from medlens.review.tasks import Body, Task
from medlens.store import Store
from medlens.studies.sourcecheckup.tables_as_in_files_queries import sources_with_altered_text
from medlens.studies.task_registry import find_task_set_of_study

_AT_ONCE = 4_000


def list_store_faults_in_words(store: Store, settings: Settings) -> list[str]:
    """What is wrong with the store: what is missing or cannot be read, items and pages that
    changed, judgments that do not fit.
    """
    # Rows may have been damaged since they were read.
    store.forget_cached_query_answers()
    if faults := store.list_store_faults_in_words():
        return faults
    return [
        *(
            f"Item {name!r} of {dataset!r} has changed since it was added."
            for dataset, name in items.find_items_with_altered_body(store)
        ),
        *(
            f"The page {url!r} of {dataset!r} has changed since it was fetched."
            for dataset, url in sources_with_altered_text(store)
        ),
        *_find_misfits(store, settings),
    ]


def number_of_judgments_without_run_in_words(store: Store) -> str:
    """How many judgments by models do not say which run made them, in a sentence; empty if none."""
    total, unknown = judging.count_model_judgments_and_without_run(store)
    if not unknown:
        return ""
    return (
        f"{unknown:,} of {total:,} judgments by models do not say which run and which version of"
        " its prompt they are from: their file did not, or they were made before this was kept."
    )


def _find_misfits(store: Store, settings: Settings) -> Iterator[str]:
    """Judgments that count, but do not fit their item."""
    waiting: list[tuple[Task, Sequence[int]]] = []
    room = _AT_ONCE
    for counted in consensus.list_counted_judgment_row_numbers_per_round(store):
        if (of_study := find_task_set_of_study(counted.study)) is None:
            continue
        opened = of_study.open(store, settings, counted.dataset)
        for task in of_study.tasks(opened):
            rows = counted.rows if task.name == counted.task else ()
            while len(rows) >= room:
                yield from _misfits_among(store, [*waiting, (task, rows[:room])])
                waiting, rows, room = [], rows[room:], _AT_ONCE
            if rows:
                waiting.append((task, rows))
                room -= len(rows)
    yield from _misfits_among(store, waiting)


def _misfits_among(store: Store, judged: Sequence[tuple[Task, Sequence[int]]]) -> Iterator[str]:
    """The misfits among judgments, given as tasks with the rows of what was judged in them. All are
    read at once: most tasks have a few, and to ask takes longer than to read them.
    """
    tasks = {row: task for task, rows in judged for row in rows}
    if not tasks:
        return
    found = consensus.list_judgments_with_row_numbers(store, list(tasks))
    bodies = items.load_item_bodies_by_id(store, list({one["item"] for one in found}))
    corrected = items.current_and_counting_versions_by_item(store)
    answers: dict[int, list[tuple[int, Any, Body]]] = {}
    for one in found:
        task = tasks[one["row"]]
        item, value = one["item"], task.parse(one["body"])
        if item in corrected:
            value = item_corrections.answer_adapted_to_current_version(
                store, task, item=item, version=one["version"], value=value
            )
        answers.setdefault(id(task), []).append((one["row"], value, bodies[item]))
    problems: dict[int, list[str]] = {}
    for of_task in answers.values():
        task = tasks[of_task[0][0]]
        said = task.problems_of_many_drafts([(value, body) for _, value, body in of_task])
        problems |= {row: some for (row, *_), some in zip(of_task, said, strict=True) if some}
    if not problems:
        return
    # Only of these are the names looked up, which takes longer than to read all the judgments.
    named = consensus.rater_and_item_name_pairs_by_row_number(store, list(problems))
    # In the order of the tasks, as they come; within a task in that of the items.
    place = {id(task): at for at, (task, _) in enumerate(judged)}
    for row in sorted(named, key=lambda row: place[id(tasks[row])]):
        rater, name = named[row]
        yield from (f"{rater} on {name!r}: {problem}" for problem in problems[row])
