"""The public views of a store, brought up to date and written to a DuckDB file of their own."""

from __future__ import annotations

from pathlib import Path

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.deferred_module import pd
from medlens.review import items, results_stored_for_sql
from medlens.review.anonymity import Anonymizer
from medlens.store import Store
from medlens.studies.registry import STUDIES


def store_view_results_and_return_report_text(store: Store, settings: Settings) -> str:
    """Compute the consensus and the figures of every dataset for the views of that name; says how
    many datasets there are and what is new.
    """
    datasets, new = 0, 0
    for name, declared in STUDIES.items():
        for row in items.datasets_of_study(store, name):
            dataset = str(row["dataset"])
            opened = declared.open(store, settings, dataset)
            agreed = {
                task.name: results_stored_for_sql.consensus_entries_by_item_id(
                    store, task, dataset=dataset
                )
                for task in declared.tasks(opened)
            }
            figures = pd.DataFrame()
            if "figures" in declared.exports:
                figures = work_behind_commands.make_export_table(
                    store, settings, "figures", viewer=None, study=name, dataset=dataset
                )
            new += results_stored_for_sql.store_changed_results_and_count(
                *(store, name, dataset),
                agreed=agreed,
                figures=results_stored_for_sql.figure_rows_to_store_by_figure(figures)
                if len(figures)
                else {},
            )
            datasets += 1
    of = "1 dataset" if datasets == 1 else f"{datasets:,} datasets"
    said = f"{new:,} changed" if new else "as they were"
    return f"Computed the consensus and figures of {of}: {said}."


def write_views_to_file_and_return_report_text(
    store: Store, settings: Settings, target: Path, *, anonymous: bool = False, force: bool = False
) -> str:
    """``store_view_results_and_return_report_text``, then write the public views as tables to a new
    DuckDB file; says how many rows it has. ``anonymous`` has numbers instead of people.

    Raises:
        InvalidInput: the file exists (without ``force``), or is the store.
        StoreUnavailable: it cannot be written; nothing is left behind.
    """
    store_view_results_and_return_report_text(store, settings)
    hide = Anonymizer(store).anonymise_table if anonymous else None
    counts = store.write_public_views_and_count_rows(target, hide=hide, force=force)
    return f"{sum(counts.values()):,} rows in {len(counts)} tables."
