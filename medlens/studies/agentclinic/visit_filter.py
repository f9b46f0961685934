"""Which visits a list or a figure is about: by run, experiment, case set and judge.

An experiment is all runs with its name, or a run without one; a case set is a file that cases came
from. Visits that were played again under the same rules are never counted together, nor are visits
of two protocols.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medlens.deferred_module import np, pd
from medlens.review.result_cache import ITEMS, compute_unless_cached_since_growth
from medlens.review.run_names import list_configurations_of_runs
from medlens.store import Store
from medlens.studies.agentclinic import diagnosis_verdicts, queries

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class VisitFilter:
    """What is looked at; empty means everything, and for ``judge`` each visit's own moderator."""

    run: str = ""
    experiment: str = ""
    cases: str = ""
    judge: str = diagnosis_verdicts.OWN
    protocol: str = ""


EVERYTHING = VisitFilter()


@dataclass(frozen=True)
class VisitFilterChoices:
    """The choices in a dataset; ``runs`` with the name shown for each."""

    runs: Mapping[str, str]
    experiments: tuple[str, ...]
    cases: tuple[str, ...]
    judges: tuple[str, ...]
    protocols: tuple[str, ...]


def make_visit_filter_choices(store: Store, dataset: str) -> VisitFilterChoices:
    """The runs, experiments, case sets and judges of a dataset."""

    def make(_: object) -> VisitFilterChoices:
        there = set(queries.dialogue_index_table(store, dataset)["run"]) - {""}
        named = _experiments(store, there)
        runs = {run: _called(named.get(run), run) for run in sorted(there, reverse=True)}
        known = tuple(sorted({one["experiment"] for one in named.values() if one["experiment"]}))
        sets = tuple(sorted(set().union(*group_files_by_case_name(store, dataset).values())))
        return VisitFilterChoices(
            runs,
            known,
            sets,
            tuple(diagnosis_verdicts.list_moderators(store, dataset)),
            tuple(sorted(set(queries.dialogue_index_table(store, dataset)["protocol"]))),
        )

    return compute_unless_cached_since_growth(
        store, "offered", dataset, make, tables=(*ITEMS, "verdict", "run")
    )


def filter_choices_by_filter_with_names(store: Store, dataset: str) -> dict[str, Mapping[str, str]]:
    """The choices by their name in the address, with the name shown for each."""
    there = make_visit_filter_choices(store, dataset)
    plain = {
        "experiment": there.experiments,
        "cases": there.cases,
        "judge": there.judges,
        "protocol": there.protocols,
    }
    return {"run": there.runs, **{side: {one: one for one in all_} for side, all_ in plain.items()}}


def group_files_by_case_name(store: Store, dataset: str) -> dict[str, frozenset[str]]:
    """By name of a case: the files it came from."""
    return {
        name: frozenset(alias.rpartition(":")[0] for alias in one.aliases if ":" in alias)
        for name, one in queries.load_cases_by_name(store, dataset).items()
    }


def mask_of_rows_in_scope(
    store: Store, dataset: str, scope: VisitFilter, table: pd.DataFrame
) -> NDArray[np.bool_]:
    """Which rows of a table with the columns ``run``, ``case`` and ``protocol`` are in scope."""
    keep = np.ones(len(table), dtype=bool)
    if scope.run:
        keep &= (table["run"] == scope.run).to_numpy(dtype=bool)
    if scope.experiment:
        named = _experiments(store, set(table["run"]))
        runs = {run for run, one in named.items() if one["experiment"] == scope.experiment}
        keep &= table["run"].isin(runs).to_numpy(dtype=bool)
    if scope.protocol:
        keep &= (table["protocol"] == scope.protocol).to_numpy(dtype=bool)
    if scope.cases:
        inside = {
            name
            for name, sets in group_files_by_case_name(store, dataset).items()
            if scope.cases in sets
        }
        keep &= table["case"].isin(inside).to_numpy(dtype=bool)
    return keep


def _experiments(store: Store, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """What runs say about themselves: experiment (empty without a name), when."""
    found = {}
    for row in list_configurations_of_runs(store, sorted(wanted)):
        name = str(row["config"].get("experiment") or "")
        found[row["id"]] = {"experiment": name, "at": row["made_at"], "kind": row["kind"]}
    return found


def _called(one: Mapping[str, Any] | None, run: str) -> str:
    if one is None:
        return run
    name = one["experiment"] or ("visit" if one["kind"] == "visit" else "run")
    return f"{name}, {one['at']:%Y-%m-%d %H:%M}"
