"""Questions, answers and statements that are imported again: which are changed or missing, doing
with them what a lead chose, and bringing back what an undone import had brought.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput
from medlens.review import compare_correct_withdraw_reimported_items, items
from medlens.review.compare_correct_withdraw_reimported_items import FileComparison
from medlens.review.item_corrections import SharedCorrection, make_study_row_correction_rows
from medlens.store import Lookup, Store
from medlens.studies.sourcecheckup import queries, records_to_store_rows
from medlens.studies.sourcecheckup.records import STUDY
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.tables import Request
from medlens.tables.file_schemas_import_requests_and_reports import Compared
from medlens.tables.read_and_check_table import Mask, as_boolean_numpy_array

Correct = Callable[[Mapping[str, Mapping[str, str]]], SharedCorrection]
"""Makes the correction of changed rows: their cells by column, by id."""


def mask_of_changed_rows(
    frame: pd.DataFrame, name: str, columns: Sequence[str], there: pd.DataFrame
) -> Mask:
    """The rows whose ``name`` is in the store with other contents of these columns."""
    beside = frame[[name]].merge(there[[name, *columns]], on=name, how="left")
    other = np.zeros(len(frame), dtype=bool)
    for column in columns:
        other |= np.asarray(frame[column].to_numpy(object) != beside[column].to_numpy(object))
    return other & as_boolean_numpy_array(frame[name].isin(there[name]))


def correct_or_withdraw_and_return_comparison(
    store: Store,
    study: Study,
    request: Request,
    frame: pd.DataFrame,
    there: pd.DataFrame,
    *,
    name: str,
    columns: Sequence[str],
    row_id: Callable[[str], str],
    item_name: Callable[[str], str],
    correct: Correct,
) -> Compared:
    """Compare a file's rows with those of the dataset by ``name``, and do what a lead chose.

    ``frame`` has ``changed``; ``row_id`` is the id of a row by its name, ``item_name`` the name
    under which a lead sees it.

    Raises:
        InvalidInput: as
            ``compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison``.
    """
    once = frame.drop_duplicates(name)
    changed = once[as_boolean_numpy_array(once["changed"])]
    before = there.drop_duplicates(name).set_index(name)
    cells: dict[str, dict[str, str]] = {}
    for row in changed[[name, *columns]].to_dict("records"):
        held = before.loc[row[name]]
        differing = {one: str(row[one]) for one in columns if row[one] != held[one]}
        cells[row_id(row[name])] = differing
    first = next(iter(cells.values()), {})
    known = int(as_boolean_numpy_array(once[name].isin(there[name])).sum())
    named = {row_id(one): one for one in before.index}
    gone = set(queries.withdrawn_item_ids(store, request.dataset))
    given = set(once[name])
    missing = {
        item: item_name(one) for item, one in named.items() if one not in given and item not in gone
    }
    comparison = FileComparison(
        len(once) - known,
        known - len(changed),
        {row_id(one): (one, "") for one in changed[name]},
        missing,
        f", with another {' and '.join(first)}" if first else "",
        correct(cells) if cells else None,
        {
            item: known_as
            for item, known_as in queries.names_by_id_of_dependents_of_rows(
                store, list(missing)
            ).items()
            if item not in gone and item not in missing
        },
    )
    return compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison(
        store, study.tasks, comparison, request.revising, study=STUDY, dataset=request.dataset
    )


_ROWS_OF_UNDONE_IMPORTS = {
    table: Lookup(
        f"sourcecheckup.{table}_of_undone_imports",
        f"from {table} t semi join undone_now u on u.item = t.id where t.id in $ids",
    )
    for table in ("sc_question", "sc_response", "sc_statement")
}


def rows_with_those_restoring_undone_import(
    store: Store,
    batch: records_to_store_rows.Rows,
    *,
    dataset: str,
    table: str,
    columns: Sequence[str],
    fixed: Sequence[str] = (),
) -> records_to_store_rows.Rows:
    """Rows about to be added to one of the study's tables, and what it takes where an undone import
    had added them. ``columns`` are those that can be other than they were then.

    Raises:
        InvalidInput: a row was there with something else that is ``fixed``.
    """
    rows = {row["id"]: row for row in batch.get(table, ())}
    undone = (
        store.query_rows_as_dicts(
            _ROWS_OF_UNDONE_IMPORTS[table],
            ids=list(rows),
        )
        if store.data_version_of_tables("import_undone")
        else []
    )
    if not undone:
        return batch
    for held in undone:
        id_ = held["id"]
        if any(held[one] != rows[id_][one] for one in fixed):
            raise InvalidInput(
                f"{rows[id_]['name']!r} was imported before, with another"
                f" {' or '.join(fixed)}, and that import was undone.",
                hint="Give it an id of its own, or import into another dataset.",
            )
    bodies = {row["id"]: (row["digest"], row["body"]) for row in batch.get("item", ())}
    given = {held["id"]: bodies.get(held["id"], ("", "")) for held in undone}
    back = items.make_rows_by_table_that_bring_back_items(store, given)
    corrected = make_study_row_correction_rows(
        store,
        {id_: {one: rows[id_][one] for one in columns} for id_ in given},
        study=STUDY,
        dataset=dataset,
        reason="It is imported again.",
        who="import",
    )
    return records_to_store_rows.join_rows_by_table(
        [batch, back, {"corrected_row": [dict(row) for row in corrected]}]
    )
