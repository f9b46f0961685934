"""What all exports share, and those tables that are written row by row: a command that writes one
of these loads no pandas, and of the studies only what raters are asked in the one it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    audit_log,
    consensus,
    items,
    judgment_export,
    remarks_between_raters_and_leads,
    renaming_and_name_translation,
    withdrawn_items,
)
from medlens.store import Store
from medlens.studies.task_registry import (
    JUDGMENT_FILES,
    NESTED,
    OF_NO_DATASET,
    find_task_set_of_study,
)
from medlens.tables import Format, PlainTable

FORMATS: tuple[Format, ...] = ("csv", "jsonl", "parquet", "xlsx")
NESTING: tuple[Format, ...] = ("jsonl", "parquet")
"""Formats whose cells hold lists."""
PLAIN_FORMATS: tuple[Format, ...] = ("csv", "jsonl")
"""Formats that are written row by row."""

COMMON_ROWS: dict[str, Callable[[Store], PlainTable]] = {
    "audit": audit_log.all_entries_as_plain_table,
    "adjudications": consensus.all_adjudications_as_plain_table,
    "remarks": remarks_between_raters_and_leads.all_remarks_as_plain_table,
    "withdrawn_items": withdrawn_items.withdrawn_items_as_plain_table,
}
"""Tables that belong to no study, as ``registry.COMMON`` has them, row by row."""


def choose_table_format(path: Path | None, kind: str) -> Format:
    """The format of a table of this kind in a file of this name, or on standard output."""
    suffix = path.suffix.lower() if path else ""
    if suffix in (".jsonl", ".ndjson") or (path is None and kind in NESTED):
        return "jsonl"
    if suffix == ".xlsx":
        return "xlsx"
    return "parquet" if suffix in (".parquet", ".pq") else "csv"


def log_export(
    store: Store,
    kind: str,
    dataset: str,
    *,
    rows: int | None,
    by: str = withdrawn_items.COMMAND_LINE,
    what: str = "export",
) -> None:
    """Record in the audit log that a table or another file was exported, or as ``what`` a backup.
    ``by`` is a rater's id.
    """
    said = dataset if kind not in OF_NO_DATASET else ""
    audit_log.record_entry(
        store,
        what,
        who=by,
        about=f"{kind} of {said}" if said else kind,
        detail="" if rows is None else f"{rows} {'row' if rows == 1 else 'rows'}",
    )


def study_and_name_of_archived_datasets(store: Store) -> set[tuple[str, str]]:
    """The datasets that are put away, each with its study."""
    return {
        (thing.study, thing.dataset)
        for thing in archiving_of_datasets_rounds_and_runs.archivings_by_thing(store)
        if thing.kind == "dataset"
    }


def choose_studies_with_dataset(
    store: Store, studies: Sequence[str], dataset: str, *, archived: bool
) -> list[str]:
    """Those of the studies that have the dataset, or any data if none is named; the first of all if
    none has data. With ``archived``, datasets that are put away are there too.

    Raises:
        InvalidInput: no study has the dataset.
    """
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(store, dataset)
    there = {
        one: {str(row["dataset"]) for row in items.datasets_of_study(store, one, archived=archived)}
        for one in studies
    }
    found = [one for one in studies if dataset in there[one] or (there[one] and not dataset)]
    if dataset and not found:
        every = {
            renaming_and_name_translation.current_name_of_dataset(store, one, name)
            for one, names in there.items()
            for name in names
        }
        known = ", ".join(sorted(every))
        if any(
            archiving_of_datasets_rounds_and_runs.is_archived_dataset(store, one, dataset)
            for one in studies
        ):
            raise InvalidInput(
                f"The dataset {dataset!r} is archived.",
                hint="Add --archived, or bring it back: python -m medlens archive … --back.",
            )
        raise InvalidInput(
            f"There is no dataset {dataset!r}.",
            hint=f"There are: {known}." if known else "Nothing of this kind was imported yet.",
        )
    return found or list(studies[:1])


def exported_rows_in_words(count: int, kind: str, studies: Sequence[str]) -> str:
    """What was exported, in a line; and from which of the studies that have such a table, if it is
    of a study.
    """
    first, *others = studies or ("",)
    also = (
        f" From {first}; for {' or '.join(others)}, name it: {kind} {others[0]}." if others else ""
    )
    return f"{count:,} rows.{also}"


def list_studies_writing_table_without_pandas(kind: str, study: str) -> tuple[str, ...] | None:
    """The shipped studies that have this table, or the one of them that is named; () if the table
    belongs to none. None: it is not written row by row.
    """
    if kind in COMMON_ROWS and not study:
        return ()
    having = JUDGMENT_FILES.get(kind, ())
    found = (study,) if study in having else having if not study else ()
    return found or None


def make_plain_export_table_and_description(
    store: Store,
    load_settings: Callable[[Collection[str]], Settings],
    kind: str,
    studies: Sequence[str],
    *,
    dataset: str,
    history: bool,
    nested: bool,
    archived: bool,
) -> tuple[PlainTable, str] | None:
    """A table for the command line, and what it is in a line; None:
    ``work_behind_commands.make_export_table`` has to make it, since as the study is it has more
    than judgments. ``studies`` are those of ``list_studies_writing_table_without_pandas``, and
    ``load_settings`` returns the settings with the sections of some studies.

    Raises:
        InvalidInput: as ``work_behind_commands.make_export_table``.
    """
    if not studies:
        table = COMMON_ROWS[kind](store)
        if not archived and kind != "audit":
            table = _without_archived(store, table)
        table = renaming_and_name_translation.put_current_names_in_plain_table(store, table)
        return table, exported_rows_in_words(len(table), kind, ())
    having = choose_studies_with_dataset(store, studies, dataset, archived=archived)
    tasks = find_task_set_of_study(having[0])
    assert tasks is not None
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(
        store, dataset, having[0]
    )
    opened = tasks.open(store, load_settings(having[:1]), dataset)
    task = tasks.judgment_files[kind](opened)
    if task is None:
        return None
    table = judgment_export.judgments_as_plain_table(
        store, task, dataset=opened.dataset, history=history, nested=nested
    )
    table = renaming_and_name_translation.put_current_names_in_plain_table(
        store, table, study=having[0]
    )
    also = choose_studies_with_dataset(store, studies, dataset, archived=bool(dataset))
    return table, exported_rows_in_words(len(table), kind, also)


def _without_archived(store: Store, table: PlainTable) -> PlainTable:
    hidden = study_and_name_of_archived_datasets(store)
    study, dataset = table.columns.index("study"), table.columns.index("dataset")
    kept = [row for row in table.rows if (row[study], row[dataset]) not in hidden]
    return PlainTable(table.columns, kept)
