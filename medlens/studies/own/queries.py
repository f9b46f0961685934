"""Own studies' SQL: their files as stored, and their items."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from medlens.deferred_module import pd
from medlens.store import Lookup, Store
from medlens.studies.own.tasks import ITEM_KIND, NAME, STUDY


def list_names_of_studies(store: Store) -> list[str]:
    """The names of all declared studies that are not archived, newest first."""
    return store.column(
        "select dataset from task_setting_now where task = $task"
        " and (body->>'$.study') is not null and dataset not in ("
        " select dataset from archived_now where kind = 'dataset' and study = $study)"
        " order by seq desc",
        task=NAME,
        study=STUDY,
    )


def name_of_newest_study(store: Store) -> str:
    """The study that was declared last and is not archived; empty if there is none."""
    return next(iter(list_names_of_studies(store)), "")


def list_names_of_studies_without_items(store: Store) -> list[str]:
    """Studies that are not archived and have no items yet, or none left."""
    return store.column(
        "select dataset from task_setting_now where task = $task"
        " and (body->>'$.study') is not null and dataset not in ("
        " select dataset from archived_now where kind = 'dataset' and study = $study)"
        " and dataset not in (select dataset from item_known where study = $study)"
        " order by seq desc",
        task=NAME,
        study=STUDY,
    )


def has_anybody_begun_to_answer(store: Store, dataset: str) -> bool:
    """Whether somebody has begun to answer."""
    found = store.value(
        "select exists (select 1 from judgment j join item_known i on i.id = j.item"
        " where j.task = $task"
        " and i.dataset = $dataset) or exists (select 1 from draft d"
        " join item_known i on i.id = d.item"
        " where d.task = $task and i.dataset = $dataset)",
        task=NAME,
        dataset=dataset,
    )
    return bool(found)


def has_items_to_judge(store: Store, dataset: str) -> bool:
    """Whether there is anything to judge."""
    found = store.value(
        "select exists (select 1 from item_known where study = $study and dataset = $dataset)",
        study=STUDY,
        dataset=dataset,
    )
    return bool(found)


def table_of_column_values_of_items(
    store: Store,
    dataset: str,
    columns: Sequence[str] | Mapping[str, Sequence[str]],
    most: int = 0,
) -> pd.DataFrame:
    """The values of these columns for each item, by item_id; "" if there is none. ``most`` cuts
    them to this many characters. A mapping gives each column's name its path from the body down.
    """
    ways = columns if isinstance(columns, Mapping) else {name: (name,) for name in columns}
    # One list of paths: each body is parsed once.
    cells = "".join(
        f", coalesce(c[{at}]{f'[:{most:d}]' if most else ''}, '')"
        for at in range(1, len(columns) + 1)
    )
    found = store.read(
        f"select item_id{cells} from (select id as item_id, json_extract_string(body, $paths) as c"
        " from item_in_play where study = $study and kind = $kind and dataset = $dataset)",
        study=STUDY,
        kind=ITEM_KIND,
        dataset=dataset,
        paths=["$" + "".join(f".{json.dumps(one)}" for one in way) for way in ways.values()]
        or ["$"],
    )
    return found.set_axis(["item_id", *columns], axis=1).set_index("item_id")


def item_ids_by_name(store: Store, dataset: str) -> dict[str, str]:
    """The id of each item by its name."""
    return dict(
        store.rows(
            "select name, id from item_now where study = $study and kind = $kind"
            " and dataset = $dataset",
            study=STUDY,
            kind=ITEM_KIND,
            dataset=dataset,
        )
    )


_ALL_ITEMS = Lookup(
    "own.all_items",
    "select name, illustrative, body from item_now where study = $study and kind = $kind"
    " and dataset = $dataset order by seq",
)


def list_names_and_columns_of_items(
    store: Store, dataset: str
) -> list[tuple[str, bool, dict[str, Any]]]:
    """Every item in full: name, illustrative, its columns."""
    return [
        (name, illustrative, json.loads(body))
        for name, illustrative, body in store.rows(
            _ALL_ITEMS,
            study=STUDY,
            kind=ITEM_KIND,
            dataset=dataset,
        )
    ]


def compute_median_seconds_and_judgment_count(store: Store, dataset: str) -> tuple[float, int]:
    """The median active seconds of people's judgments of a study, and the number of judgments."""
    [(seconds, count)] = store.rows(
        "select coalesce(median(j.active_seconds), 0), count(*) from judgment_now j"
        " join item_in_play i on i.id = j.item join rater r on r.id = j.rater"
        " where j.task = $task and i.dataset = $dataset and j.active_seconds > 0"
        " and r.kind <> 'model'",
        task=NAME,
        dataset=dataset,
    )
    return float(seconds), int(count)


def list_bodies_of_first_items(store: Store, dataset: str, most: int = 50) -> list[dict[str, Any]]:
    """The columns of the first items, at most this many."""
    return [
        json.loads(body)
        for body in store.column(
            "select body from item_now where study = $study and kind = $kind"
            " and dataset = $dataset order by seq limit $most",
            study=STUDY,
            kind=ITEM_KIND,
            dataset=dataset,
            most=most,
        )
    ]


def list_drafts_of_person(store: Store, task: str, *, rater: str) -> list[tuple[Any, ...]]:
    """A person's drafts of a form that have a text, latest first: name, revision, when saved,
    body.
    """
    return store.rows(
        "select item, revision, made_at, body from draft_now where task = $task and rater = $rater"
        " and coalesce(body->>'$.text', '') <> '' order by seq desc",
        task=task,
        rater=rater,
    )


_VERSIONS_OF_STUDY_FILE = Lookup(
    "own.versions_of_study_file",
    "select cast(body->>'$.version' as integer) as version, any_value(body->>'$.study')"
    " from task_setting where task = $task and dataset = $dataset"
    " and (body->>'$.study') is not null group by version order by version",
)


def texts_of_study_file_by_version(store: Store, dataset: str) -> dict[int, str]:
    """Every version of a study's file, by its number."""
    rows = store.rows(
        _VERSIONS_OF_STUDY_FILE,
        task=NAME,
        dataset=dataset,
    )
    return {int(version or 0): str(text) for version, text in rows}


def who_saved_version_and_when(store: Store, dataset: str, version: int) -> tuple[str, Any]:
    """Who saved a version of a study's file, and when; nobody known: the command line."""
    rows = store.rows(
        "select coalesce(r.name, ''), t.made_at from task_setting t"
        " left join rater r on r.id = t.made_by where t.task = $task and t.dataset = $dataset"
        " and cast(t.body->>'$.version' as integer) = $version order by t.revision limit 1",
        task=NAME,
        dataset=dataset,
        version=version,
    )
    return rows[0] if rows else ("", None)
