"""Import and export of verdicts on merged sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput
from medlens.review import judgment_import, raters
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.sourcecheckup import records_to_store_rows, tables_as_in_files_queries
from medlens.studies.sourcecheckup.records import (
    MERGED_KIND,
    VERDICTS,
    SourceJudgment,
    parse_verdict_word,
)
from medlens.studies.sourcecheckup.run_verification import (
    MergedToAsk,
    list_statements_with_merged_sources,
)
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.studies.sourcecheckup.tables_as_in_files_queries import ids_of_items_of_kind
from medlens.studies.sourcecheckup.tasks import MERGED
from medlens.tables import Column, Report, Request
from medlens.tables.read_and_check_table import Fault, as_boolean_numpy_array, read_checked_table

MERGED_VERDICTS = (
    Column("statement_id", "name", "the statement", needed=True),
    Column("rater", "name", "the model that judged", needed=True),
    Column("verdict", "name", f"what it said: {', '.join(VERDICTS)}", needed=True),
    Column("reason", "name", "why"),
    Column("quote", "name", "the words that it is based on"),
    Column("seconds", "number", "how long it took", unit="seconds"),
    Column("run_id", "name", "the run that made it"),
    Column("prompt_version", "name", "the version of the prompt"),
)


def import_verdicts_on_all_sources(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-merged``: models' verdicts on statements and all their sources together.

    The sources are the answer's readable ones, as they are now; every rater is a model.
    """
    there = {
        one.statement: one for one in list_statements_with_merged_sources(store, request.dataset)
    }
    known = model_verdicts_and_runs_of_judges.model_judgments_by_item_and_model(
        store, MERGED, request.dataset, by_id=True
    )

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        words = frame["verdict"].map(lambda word: parse_verdict_word(word) or "").astype("str")
        ids = {name: _model(name) for name in frame["rater"].unique()}
        frame = frame.assign(
            verdict=words, rater_id=frame["rater"].map(lambda name: ids[name]).astype("str")
        )
        merges = as_boolean_numpy_array(frame["statement_id"].isin(list(there)))
        what = "a statement whose answer has two or more sources that can be read"
        return frame, [
            Fault(~merges, "statement_id", what),
            Fault(as_boolean_numpy_array(frame["rater_id"] == ""), "rater", "a model"),
            Fault(as_boolean_numpy_array(words == ""), "verdict", f"one of {', '.join(VERDICTS)}"),
            _contradicting(frame, there, known, merges),
        ]

    done = read_checked_table(request, MERGED_VERDICTS, check)
    fresh, batch = 0, []
    made = ids_of_items_of_kind(store, request.dataset, MERGED_KIND)
    for one in done.frame.drop_duplicates(["statement_id", "rater_id"]).to_dict("records"):
        unit = there[one["statement_id"]]
        if unit.item not in made:
            made.add(unit.item)
            batch.append(
                records_to_store_rows.merged_sources_item_rows(
                    unit.statement,
                    unit.response,
                    sources=unit.sources,
                    dataset=request.dataset,
                    illustrative=done.illustrative,
                )
            )
        if (unit.item, one["rater_id"]) in known:
            continue
        fresh += 1
        batch.append(
            records_to_store_rows.model_rater_and_judgment_rows_by_table(
                _said(one),
                item=unit.item,
                model=one["rater"],
                origin="import",
                task=MERGED,
                seconds=None if np.isnan(one["seconds"]) else one["seconds"],
                run=one["run_id"],
                prompt=one["prompt_version"],
            )
        )
    if batch:
        judgment_import.append_imported_rows_and_count_by_table(
            store, records_to_store_rows.join_rows_by_table(batch)
        )
    return Report(
        "verdicts on merged sources",
        fresh,
        len(done.frame) - fresh,
        done.refused,
        done.notes,
        one="verdict on merged sources",
    )


def _model(name: str) -> str:
    """The id of the model with this name; empty if the name is invalid."""
    try:
        return str(raters.make_rater_row(name, kind="model", origin="model")["id"])
    except InvalidInput:
        return ""


def _said(one: Mapping[Any, Any]) -> SourceJudgment:
    return SourceJudgment(verdict=one["verdict"], reason=one["reason"], quote=one["quote"])


def _contradicting(
    frame: pd.DataFrame,
    there: dict[str, MergedToAsk],
    known: dict[tuple[str, str], tuple[int, str]],
    merges: Any,
) -> Fault:
    """The rows in which a model contradicts an earlier row, or the store."""
    wrong = np.zeros(len(frame), dtype=bool)
    said: dict[tuple[str, str], SourceJudgment] = {}
    for at, one in enumerate(frame.to_dict("records")):
        if not merges[at] or not one["verdict"]:
            continue
        key = (there[one["statement_id"]].item, one["rater_id"])
        if key not in said and key in known:
            said[key] = SourceJudgment.model_validate_json(known[key][1])
        wrong[at] = said.setdefault(key, _said(one)) != _said(one)
    what = "one verdict of this model on this statement; there is already another"
    return Fault(wrong, "verdict", what)


def make_export_table_of_verdicts_on_all_sources(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """One row per model and statement that it judged against its answer's sources together."""
    require_lead(viewer)
    return tables_as_in_files_queries.merged_source_verdicts_table(store, study.dataset).astype(
        {"sources": "Int64"}
    )
