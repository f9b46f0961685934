"""The visits and judgments that figures count, read from the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from medlens.deferred_module import np, pd
from medlens.review import consensus
from medlens.review.item_text_erasure import (
    imported_name_of_item,
    list_measurements_kept_of_erased_texts,
)
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import compute_unless_cached_since_growth
from medlens.store import Store
from medlens.studies.agentclinic import diagnosis_verdicts, metrics_input_tables, queries
from medlens.studies.agentclinic.metrics_input_tables import drop_replayed_visits
from medlens.studies.agentclinic.run_experiment import visits_to_resume
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.visit_filter import EVERYTHING, VisitFilter, mask_of_rows_in_scope


def table_of_dialogues_for_figures(store: Store, study: Study) -> pd.DataFrame:
    """The dataset's dialogues prepared for the figures; kept, and new ones added as they come."""
    cases = queries.load_cases_by_name(store, study.dataset)

    def make(last: tuple[list[str], pd.DataFrame] | None) -> tuple[list[str], pd.DataFrame]:
        ids = last[0] if last else []
        fresh = queries.list_dialogues_with_ids_and_names(store, study.dataset, without=ids)
        table = metrics_input_tables.dialogues_table(
            [(name, one) for _, name, _, one in fresh],
            {name: one.case for name, one in cases.items()},
            leaking=queries.find_names_of_leaking_cases(store, study.dataset),
        )
        if last is not None:
            table = pd.concat([last[1], table], ignore_index=True) if len(table) else last[1]
        return [*ids, *(id_ for id_, _, _, _ in fresh)], table

    table = compute_unless_cached_since_growth(store, "played", study.dataset, make)[1]
    # The check's findings in a case can change with the other cases.
    table = table.assign(
        flagged=table["case"].isin(queries.list_names_of_cases_with_findings(store, study.dataset))
    )
    return _as_measured_before(table, list_measurements_kept_of_erased_texts(store, study.dataset))


_OF_DIALOGUE = (
    *("turns", "messages", "tests", "images", "echo", "echoed", "answers", "refused"),
    *("leaks", "flagged", "in_options", "told", "leaked"),
)
_OF_CASE = ("leaks", "flagged", "in_options", "told", "leaked")


def lost_measurements_by_dialogue_and_column(
    store: Store, study: Study, item: str
) -> dict[str, dict[str, Any]]:
    """What figures measure in a text and cannot once it is erased, by dialogue and column: all of a
    dialogue's own, what depends on a case in its dialogues, and the check of all cases, which
    compares them.
    """
    name = imported_name_of_item(store, item)
    measured: dict[str, dict[str, Any]] = {}
    for row in table_of_dialogues_for_figures(store, study).to_dict("records"):
        columns: tuple[str, ...] = ("flagged",)
        if row["dialogue"] == name:
            columns = _OF_DIALOGUE
        elif row["case"] == name:
            columns = _OF_CASE
        measured[row["dialogue"]] = {
            column: None if pd.isna(row[column]) else row[column] for column in columns
        }
    return measured


def _as_measured_before(
    table: pd.DataFrame, measures: Sequence[Mapping[str, Mapping[str, Any]]]
) -> pd.DataFrame:
    """The table with what was measured in texts that were erased since."""
    if not measures:
        return table
    place = {name: row for row, name in enumerate(table["dialogue"])}
    changed = {column: table[column].to_numpy(copy=True) for column in _OF_DIALOGUE}
    for measured in measures:
        for dialogue, values in measured.items():
            for column, value in values.items():
                if dialogue in place:
                    is_number = changed[column].dtype.kind == "f"
                    given = np.nan if is_number and value is None else value
                    changed[column][place[dialogue]] = given
    return table.assign(**changed)


def table_of_visits_with_outcomes(
    store: Store, study: Study, judge: str = diagnosis_verdicts.OWN
) -> pd.DataFrame:
    """``played`` and the visits waiting to be resumed, with a judge's outcomes."""
    table = table_of_dialogues_for_figures(store, study)
    waiting = visits_to_resume(store, study.dataset)
    if waiting:
        cases = {
            name: one.case for name, one in queries.load_cases_by_name(store, study.dataset).items()
        }
        broken = metrics_input_tables.dialogues_table(
            waiting, cases, leaking=queries.find_names_of_leaking_cases(store, study.dataset)
        )
        broken = broken.assign(
            flagged=broken["case"].isin(
                queries.list_names_of_cases_with_findings(store, study.dataset)
            )
        )
        table = pd.concat([table, broken], ignore_index=True)
    own = [
        (outcome, "", by) for outcome, by in zip(table["outcome"], table["moderator"], strict=True)
    ]
    counted = diagnosis_verdicts.list_outcomes_according_to_judge(
        store, study.dataset, table["dialogue"].tolist(), own, judge
    )
    ids = diagnosis_verdicts.pair_id_by_dialogue(store, study.dataset)
    return table.assign(
        outcome=[outcome for outcome, _ in counted],
        pair=[ids.get(name, "") for name in table["dialogue"]],
    )


def table_of_visits_in_scope(
    store: Store, study: Study, scope: VisitFilter | None = None
) -> pd.DataFrame:
    """The visits of a scope, each once; no outcome is left out.

    If a visit was played again under the same rules, only the last one counts.
    """
    scope = scope or EVERYTHING
    table = table_of_visits_with_outcomes(store, study, scope.judge)
    table = table[mask_of_rows_in_scope(store, study.dataset, scope, table)]
    if not scope.protocol and len(table):
        table = table[table["protocol"] == most_common_protocol(table)]
    return drop_replayed_visits(table).reset_index(drop=True)


def most_common_protocol(table: pd.DataFrame) -> str:
    """The protocol of most visits; MedLens's own if two are equally common."""
    counts = table["protocol"].value_counts()
    return str(sorted(counts[counts == counts.max()].index)[0])


def count_visits_in_scope(store: Store, study: Study, scope: VisitFilter) -> int:
    """How many visits are in a scope, copies included."""
    return int(
        mask_of_rows_in_scope(
            store, study.dataset, scope, table_of_visits_with_outcomes(store, study, scope.judge)
        ).sum()
    )


def realism_and_diagnosis_judgment_tables(
    store: Store, study: Study, *, viewer: Rater | None, scope: VisitFilter | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The current judgments of both tasks: realism, diagnosis match (leads only).

    Those of diagnoses have a column ``pair``: they hold for all visits with that pair.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    realism, matches = (
        consensus.current_judgments(store, task, dataset=study.dataset, viewer=viewer)
        for task in (study.realism, study.match)
    )
    ids = diagnosis_verdicts.pair_id_by_dialogue(store, study.dataset)
    if scope is not None and replace(scope, judge=diagnosis_verdicts.OWN) != EVERYTHING:
        index = queries.dialogue_index_table(store, study.dataset)
        inside = set(index["dialogue"][mask_of_rows_in_scope(store, study.dataset, scope, index)])
        pairs = {ids.get(name, name) for name in inside}
        realism = realism[realism["item"].isin(inside)]
        # Not a list: an empty one would drop the columns.
        matches = matches[matches["item"].map(lambda item: ids.get(item, item)).isin(pairs)]
    return realism, matches.assign(pair=[ids.get(item, item) for item in matches["item"]])
