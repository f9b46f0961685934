"""The work in a store as tables: what ``medlens.open`` gives, made by the functions of the pages
and exports.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any

from medlens.app import work_behind_commands
from medlens.app.data_dictionary import data_dictionary_rows, explain_python_api_column
from medlens.config.settings import Settings
from medlens.deferred_module import np, pa, pd, pq
from medlens.errors import InvalidInput
from medlens.review import (
    agreement,
    annotated_items_table,
    consensus,
    items,
    judge_trust,
    judgment_export,
    raters,
    renaming_and_name_translation,
)
from medlens.review.anonymity import Anonymizer
from medlens.review.tasks import Task
from medlens.stats.estimate import FIGURE_COLUMNS, NARROWED
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.store import Store, to_json
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study


def make_table_by_name(
    store: Store, settings: Settings, table: str, *, anonymous: bool = False, **options: Any
) -> pd.DataFrame:
    """One of ``TABLES`` or, as ``table``, any export. ``anonymous`` has numbers instead of people.

    Raises:
        InvalidInput: no such table, study, dataset or task, or an option that the table has not.
    """
    if table == "export":
        return work_behind_commands.make_export_table(
            store, settings, viewer=None, nested=True, anonymous=anonymous, **options
        )
    if table not in TABLES:
        raise InvalidInput(f"There is no table {table!r}.", hint=f"There are: {', '.join(TABLES)}.")
    frame = renaming_and_name_translation.put_current_names_in_table(
        store, TABLES[table](store, settings, **options)
    )
    return Anonymizer(store).anonymise_table(frame) if anonymous else frame


def make_table_of_study_datasets(store: Store, settings: Settings) -> pd.DataFrame:
    """One row per dataset: study, study_title, dataset, dataset_title, illustrative, items, and
    tasks (their names, separated by "; "). A study without items is left out.
    """
    rows = []
    for name, declared in STUDIES.items():
        there = items.datasets_of_study(store, name)
        titles = declared.titles(store, [str(row["dataset"]) for row in there])
        for row in there:
            opened = declared.open(store, settings, str(row["dataset"]))
            rows.append(
                {
                    "study": name,
                    "study_title": declared.title,
                    "dataset": row["dataset"],
                    "dataset_title": titles.get(str(row["dataset"]), row["dataset"]),
                    "illustrative": row["illustrative"],
                    "items": row["n"],
                    "tasks": "; ".join(task.name for task in declared.tasks(opened)),
                }
            )
    return pd.DataFrame(rows, columns=list(COLUMNS["studies"]))


def make_items_table(
    store: Store, settings: Settings, *, study: str = "", dataset: str = ""
) -> pd.DataFrame:
    """One row per item to be judged, in import order: study, dataset, item_kind, item_id, item (its
    name), and the columns that its file had.
    """
    declared, opened = _open_study(store, settings, study, dataset)
    kinds = dict.fromkeys(task.item_kind for task in declared.tasks(opened))
    tables = [
        _with_head(
            annotated_items_table.items_with_imported_columns_table(declared, store, opened, kind),
            study=declared.name,
            dataset=opened.dataset,
            item_kind=kind,
        )
        for kind in kinds
    ]
    return _joined(tables)


def make_judgments_table(
    store: Store,
    settings: Settings,
    *,
    study: str = "",
    dataset: str = "",
    task: str = "",
    history: bool = False,
    nested: bool = False,
) -> pd.DataFrame:
    """``judgment_export.judgments_table`` of one task, or of all tasks one after the other."""
    declared, opened = _open_study(store, settings, study, dataset)
    return _joined(
        [
            judgment_export.judgments_table(
                *(store, asked),
                dataset=opened.dataset,
                viewer=None,
                history=history,
                nested=nested,
            )
            for asked in _tasks_of(declared, opened, task)
        ]
    )


def make_table_of_labels_of_marks(
    store: Store, settings: Settings, *, study: str = "", dataset: str = "", history: bool = False
) -> pd.DataFrame:
    """One row per label of each mark: the study's own export of marks."""
    declared, opened = _open_study(store, settings, study, dataset, which=lambda one: one.marks)
    if not declared.marks:
        raise InvalidInput(
            f"Nothing is marked in {declared.title}.",
            hint="Studies with marks: "
            + ", ".join(name for name, one in STUDIES.items() if one.marks)
            + ".",
        )
    marks: pd.DataFrame = declared.exports[declared.marks][1](
        store, opened, viewer=None, history=history
    )
    return marks


def make_raters_table(store: Store, _settings: Settings) -> pd.DataFrame:
    """``raters.raters_table``."""
    return raters.raters_table(store, viewer=None)


def make_consensus_table(
    store: Store, settings: Settings, *, study: str = "", dataset: str = "", task: str = ""
) -> pd.DataFrame:
    """``consensus.consensus_table`` of one task or all, after study, dataset and task."""
    declared, opened = _open_study(store, settings, study, dataset)
    return _joined(
        [
            _with_head(
                consensus.consensus_table(store, asked, dataset=opened.dataset, viewer=None),
                study=declared.name,
                dataset=opened.dataset,
                task=asked.name,
            )
            for asked in _tasks_of(declared, opened, task)
        ]
    )


def make_agreement_table(
    store: Store,
    settings: Settings,
    *,
    study: str = "",
    dataset: str = "",
    task: str = "",
    pairs: bool = False,
) -> pd.DataFrame:
    """``agreement.agreement_table`` of one task or all, with the dataset after the study."""
    declared, opened = _open_study(store, settings, study, dataset)
    with declare_panel_fixed_within(fixed=declared.panel_is_fixed(store, settings, opened)):
        tables = [
            agreement.agreement_table(
                store, asked, dataset=opened.dataset, viewer=None, pairs=pairs
            )
            for asked in _tasks_of(declared, opened, task)
        ]
    joined = _joined(tables).drop(columns=["group"])
    joined.insert(1, "dataset", opened.dataset)
    return joined


def make_figures_table(
    store: Store,
    settings: Settings,
    *,
    study: str = "",
    dataset: str = "",
    narrow: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """What ``export figures`` writes."""
    return _exported(store, settings, "figures", study, dataset, narrow=narrow)


def make_judge_trust_table(
    store: Store, settings: Settings, *, study: str = "", dataset: str = ""
) -> pd.DataFrame:
    """What ``export trust`` writes."""
    return _exported(store, settings, "trust", study, dataset)


def make_data_dictionary_table(store: Store, settings: Settings) -> pd.DataFrame:
    """The data dictionary: of, name, column, meaning, type, unit, allowed. Columns that the tables
    of ``medlens.open`` have for every study are of ``"medlens.open"``.
    """
    head, *rows = data_dictionary_rows(store, settings)
    opened = [
        ("medlens.open", table, column, explain_python_api_column(table, column), "", "", "")
        for table, columns in COLUMNS.items()
        for column in columns
    ]
    return pd.DataFrame([*opened, *rows], columns=list(head))


_FIGURE = tuple(name for name in FIGURE_COLUMNS if name != "study")
COLUMNS: Mapping[str, Sequence[str]] = {
    "studies": (
        *("study", "study_title", "dataset", "dataset_title", "illustrative", "items", "tasks"),
    ),
    "items": ("study", "dataset", "item_kind", "item_id", "item"),
    "judgments": (*judgment_export.HEAD, *judgment_export.TAIL),
    "marks": (*judgment_export.HEAD, *judgment_export.TAIL),
    "raters": (
        *("rater_id", "rater_handle", "rater", "rater_kind", "rater_origin", "role"),
        *("excluded", "judgments"),
    ),
    "consensus": (
        *("study", "dataset", "task", "item", "variable", "answer", "votes", "n", "adjudicated"),
        *("reason", "cannot_tell"),
    ),
    "agreement": (
        *("study", "dataset", *agreement.TABLE_HEAD),
        *(name for name in _FIGURE if name != "group"),
    ),
    "figures": ("study", *_FIGURE, "dataset", *NARROWED),
    "trust": ("study", *judge_trust.COLUMNS, *_FIGURE),
    "dictionary": ("of", "name", "column", "meaning", "type", "unit", "allowed"),
}
"""The columns that each table has for every study; answers and files add their own."""

TABLES: Mapping[str, Callable[..., pd.DataFrame]] = {
    "studies": make_table_of_study_datasets,
    "items": make_items_table,
    "judgments": make_judgments_table,
    "marks": make_table_of_labels_of_marks,
    "raters": make_raters_table,
    "consensus": make_consensus_table,
    "agreement": make_agreement_table,
    "figures": make_figures_table,
    "trust": make_judge_trust_table,
    "dictionary": make_data_dictionary_table,
}
"""The tables by name; each is made from a store, the settings, and its options."""


def _exported(
    store: Store, settings: Settings, kind: str, study: str, dataset: str, **options: Any
) -> pd.DataFrame:
    declared, opened = _open_study(store, settings, study, dataset)
    if not opened.dataset:
        # Of a study without items there is a table without rows.
        return work_behind_commands.make_export_table(
            store, settings, kind, viewer=None, study=declared.name, **options
        )
    return work_behind_commands.make_export_table(
        *(store, settings, kind),
        viewer=None,
        study=declared.name,
        dataset=opened.dataset,
        **options,
    )


def _open_study(
    store: Store,
    settings: Settings,
    study: str,
    dataset: str,
    *,
    which: Callable[[Study], Any] = lambda declared: True,
) -> tuple[Study, Any]:
    """A study, opened on a dataset: by default its newest that is not illustrative. ``study`` can
    be left out if only one study (of those ``which``) has the dataset, or has any; a study of a
    team's own can be named like its dataset.

    Raises:
        InvalidInput: there is no such study or dataset, or several could be meant.
    """
    # A study of a team's own may be named by its address in place of a study.
    study = (
        study
        if study in STUDIES
        else renaming_and_name_translation.name_of_dataset_before_renaming(store, study)
    )
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(
        store, dataset, study if study in STUDIES else ""
    )
    there = {
        # One that is named is asked for, archived or not.
        name: [
            str(row["dataset"])
            for row in items.datasets_of_study(store, name, archived=bool(dataset))
        ]
        for name in STUDIES
    }
    if study and study not in STUDIES:
        owners = [name for name in STUDIES if study in there[name]]
        if len(owners) != 1 or dataset not in ("", study):
            known = [name for name in STUDIES if there[name]] or list(STUDIES)
            raise InvalidInput(f"There is no study {study!r}.", hint=f"There are: {_list(known)}.")
        study, dataset = owners[0], study
    if not study:
        fitting = [
            name
            for name, declared in STUDIES.items()
            if which(declared) and (dataset in there[name] if dataset else there[name])
        ]
        if len(fitting) > 1:
            raise InvalidInput(
                "Several studies could be meant.",
                hint=f"Say which: study={fitting[0]!r}, for example. There are: {_list(fitting)}.",
            )
        if not fitting and dataset:
            every = [name for names in there.values() for name in names]
            raise InvalidInput(
                f"There is no dataset {dataset!r}.",
                hint=f"There are: {_list(every)}." if every else "Nothing was imported yet.",
            )
        if not fitting:
            raise InvalidInput(
                "There are no items in this store yet.",
                hint="Import some, with import_file or on the Data page.",
            )
        study = fitting[0]
    if dataset and dataset not in there[study]:
        raise InvalidInput(
            f"{STUDIES[study].title} has no dataset {dataset!r}.",
            hint=f"It has: {_list(there[study])}."
            if there[study]
            else "Nothing was imported into this study yet.",
        )
    return STUDIES[study], STUDIES[study].open(store, settings, dataset)


def _list(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _tasks_of(declared: Study, opened: Any, name: str) -> Sequence[Task]:
    """The study's tasks, or only the named one.

    Raises:
        InvalidInput: it has none of that name.
    """
    tasks = declared.tasks(opened)
    chosen = [task for task in tasks if name in ("", task.name)]
    if not chosen and name:
        raise InvalidInput(
            f"{declared.title} has no task {name!r}.",
            hint=f"It has: {_list([task.name for task in tasks])}.",
        )
    return chosen


def _with_head(table: pd.DataFrame, **head: str) -> pd.DataFrame:
    """The table with constant columns before its own, whose names they may not take."""
    own = table.rename(columns={name: f"{name}_" for name in head if name in table})
    return pd.concat([pd.DataFrame(head, index=own.index), own], axis=1)


def _joined(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tables one after the other; a column that one of them lacks is empty there."""
    filled = [_arrow(table) for table in tables if len(table)]
    if not filled:
        names = dict.fromkeys(name for table in tables for name in table)
        return pd.DataFrame(columns=list(names))
    for name in dict.fromkeys(name for table in filled for name in table.column_names):
        fields = [table.schema.field(name) for table in filled if name in table.column_names]
        kinds = {field.type for field in fields} - {pa.null()}
        if len(kinds) > 1 and not all(map(pa.types.is_primitive, kinds - {pa.bool_()})):
            filled = [_as_text(table, name) for table in filled]
    return _frame(pa.concat_tables(filled, promote_options="permissive"))


def _as_text(table: pa.Table, name: str) -> pa.Table:
    """The table with a column of another type as texts."""
    if name not in table.column_names:
        return table
    at = table.column_names.index(name)
    texts = [None if cell is None else _text(cell) for cell in table.column(at).to_pylist()]
    return table.set_column(at, table.schema.field(at).with_type(pa.string()), pa.array(texts))


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else to_json(cell)


_JSON = {b"medlens": b"json"}
"""Marks a column whose lists and objects travel as JSON."""


@cache
def _pandas_types() -> dict[pa.DataType, Any]:
    """Types that stay what they are where a value is missing."""
    return {
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }


def _arrow(table: pd.DataFrame) -> pa.Table:
    """The table with one type per column: values of several types as texts."""
    columns, fields = [], []
    for at, name in enumerate(map(str, table.columns)):
        series = table.iloc[:, at]
        metadata = None
        if series.dtype == object:
            cells = [None if _is_missing(cell) else cell for cell in series]
            if any(isinstance(cell, (dict, list, tuple, np.ndarray)) for cell in cells):
                # As Arrow's own types all objects would get each other's keys.
                metadata = _JSON
                column = pa.array(
                    [None if cell is None else to_json(_plain(cell)) for cell in cells]
                )
            else:
                column = _array(cells)
        else:
            column = pa.Array.from_pandas(series)
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        columns.append(column)
        fields.append(pa.field(name, column.type, metadata=metadata))
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _array(cells: list[Any]) -> pa.Array:
    try:
        return pa.array(cells)
    except (pa.ArrowException, TypeError, ValueError):
        return pa.array([None if cell is None else _text(cell) for cell in cells])


def _is_missing(cell: Any) -> bool:
    return (
        cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and isnan(cell))
    )


def _plain(cell: Any) -> Any:
    return cell if isinstance(cell, dict) else list(cell)


def _frame(table: pa.Table) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas(types_mapper=_pandas_types().get, ignore_metadata=True)
    for at, field in enumerate(table.schema):
        if field.metadata and field.metadata.get(b"medlens") == b"json":
            cells = [None if cell is None else json.loads(cell) for cell in table[at].to_pylist()]
            frame.isetitem(at, pd.array(cells, dtype=object))
    return frame


def write_parquet_table(table: pd.DataFrame, target: Path) -> None:
    """Write a table so that ``read_parquet_table`` gives it again."""
    pq.write_table(_arrow(table), target, compression="zstd")


def read_parquet_table(source: Path) -> pd.DataFrame:
    """A table that ``write_parquet_table`` wrote, its columns of pandas' own types."""
    return _frame(pq.read_table(source))
