"""The list of dialogues: filtered, paged, and blind for those who have yet to judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput, NotAllowed
from medlens.review import items
from medlens.review.raters import Rater
from medlens.review.result_cache import JUDGED, cache_per_dataset_until_growth
from medlens.store import Store
from medlens.studies.agentclinic import diagnosis_verdicts, queries, tasks
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.records import Turn
from medlens.studies.agentclinic.visit_filter import EVERYTHING, VisitFilter, mask_of_rows_in_scope

if TYPE_CHECKING:
    from numpy.typing import NDArray


Rated = Literal["", "rated", "unrated", "checked", "unchecked"]
SHOWN = {
    "dialogue": "dialogue",
    "truth": "correct diagnosis",
    "outcome": "outcome",
    "given": "given",
    "doctor": "doctor",
    "patient": "patient",
    "doctor_bias": "doctor's bias",
    "patient_bias": "patient's bias",
    "n_interactions": "messages",
    "turns": "turns",
    "leaks": "diagnosis in tests",
    "rated_by": "rated by",
    "checked_by": "checked by",
    "disagree": "disagree",
}
"""The columns of a list that people see, and their titles."""

BLIND_COLUMNS = ("doctor", "patient", "moderator", "outcome", "given", "run")
RULES = (
    *("doctor", "patient", "doctor_bias", "patient_bias", "n_interactions", "image_mode"),
    *("doctor_player", "patient_player"),
)
"""The columns with the rules a dialogue was played under; with ``repeat``, a cell."""

_EQUAL = ("case", "doctor", "patient", "outcome", "image_mode")


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a list of dialogues is narrowed to; empty means any.

    ``bias`` is ``none``, ``doctor`` or ``patient`` (any of that side), or ``doctor:recency``.
    ``disagreement``: two people are three points or more apart, or differ on the diagnosis.
    ``leaking``: whether the case's test results state the diagnosis. ``dialogues`` are names.
    """

    case: str = ""
    doctor: str = ""
    patient: str = ""
    bias: str = ""
    outcome: str = ""
    n_interactions: int = 0
    image_mode: str = ""
    scope: VisitFilter = EVERYTHING
    rated: Rated = ""
    disagreement: bool = False
    leaking: bool | None = None
    search: str = ""
    dialogues: tuple[str, ...] = ()


def page_of_dialogues_and_total(
    store: Store,
    dataset: str,
    filters: Filters | None = None,
    *,
    viewer: Rater | None = None,
    offset: int = 0,
    limit: int = 50,
) -> tuple[pd.DataFrame, int]:
    """A page of the dialogues that match ``filters``, and how many do.

    Columns: those of ``queries.dialogue_index_table``, ``truth``, ``leaks``, ``rated_by`` and
    ``checked_by`` (how many people), ``disagree``. For a reviewer the ``BLIND_COLUMNS`` are empty
    on dialogues that they have not finished, and only their own judgments count. ``viewer`` None is
    the command line.

    Raises:
        NotAllowed: a reviewer filters by what they may not see yet.
    """
    wanted = filters or Filters()
    reviewer = viewer.id if viewer is not None and viewer.role != "lead" else None
    if reviewer and (
        wanted.doctor
        or wanted.patient
        or wanted.outcome
        or wanted.disagreement
        or replace(wanted.scope, cases="") != EVERYTHING
    ):
        raise NotAllowed(
            "Models, outcomes and disagreement are shown to raters after they have rated.",
            hint="Remove these filters.",
        )
    table = diagnosis_verdicts.dialogue_index_table_with_outcomes_of_judge(
        store, dataset, wanted.scope.judge
    )
    judged = (
        queries.rater_count_by_task_and_item(store, dataset, rater=reviewer)
        if reviewer
        else _judged(store, dataset)
    )
    places = np.flatnonzero(_mask(store, dataset, table, wanted, judged))
    page = table.iloc[places[offset : offset + limit]].reset_index(drop=True)
    cases = queries.load_cases_by_name(store, dataset)
    page["truth"] = [cases[name].case.diagnosis if name in cases else "" for name in page["case"]]
    page["leaks"] = page["case"].isin(queries.find_names_of_leaking_cases(store, dataset))
    for column, task in (("rated_by", tasks.REALISM), ("checked_by", tasks.MATCH)):
        page[column] = [judged.get((task, item), 0) for item in page["item_id"]]
    differing = frozenset() if reviewer else queries.find_ids_of_disputed_dialogues(store, dataset)
    page["disagree"] = page["item_id"].isin(differing)
    if reviewer:
        finished = queries.filter_ids_of_items_rater_finished(
            store, reviewer, page["item_id"].tolist()
        )
        page.loc[~page["item_id"].isin(finished), list(BLIND_COLUMNS)] = ""
    return page, len(places)


def filter_options_by_column(store: Store, dataset: str) -> dict[str, list[Any]]:
    """The options of the filters: the values of each column, sorted."""
    table = diagnosis_verdicts.dialogue_index_table_with_outcomes_of_judge(store, dataset)
    columns = (*_EQUAL, "run", "doctor_bias", "patient_bias", "n_interactions")
    return {column: sorted(table[column].unique().tolist()) for column in columns}


def table_of_other_dialogues_of_same_case(
    store: Store, dataset: str, dialogue: str, *, limit: int = 50
) -> pd.DataFrame:
    """The other dialogues of a dialogue's case, to show side by side: most similar rules first."""
    table = queries.dialogue_index_table(store, dataset)
    one = table[table["dialogue"] == dialogue]
    if one.empty:
        return table.iloc[:0]
    others = table[(table["case"] == one.iloc[0]["case"]) & (table["dialogue"] != dialogue)]
    differing = np.zeros(len(others), dtype=np.int64)
    for column in (*RULES, "run", "repeat"):
        differing += (others[column] != one.iloc[0][column]).to_numpy(dtype=np.int64)
    nearest = others.iloc[np.argsort(differing, kind="stable")[:limit]]
    return pd.DataFrame(nearest.reset_index(drop=True))


def first_turns_by_dialogue(
    store: Store, wanted: Sequence[str], *, most: int
) -> dict[str, list[Turn]]:
    """The first turns of dialogues by item id, about ``most`` characters, as raters see them."""
    return {
        item: _opening(body.get("turns", ()), most)
        for item, body in items.load_item_bodies_by_id(store, wanted).items()
    }


def _opening(turns: Sequence[Mapping[str, Any]], most: int) -> list[Turn]:
    found: list[Turn] = []
    for raw in turns:
        if raw["speaker"] == "moderator":
            continue
        text = str(raw["text"])
        found.append(Turn.model_validate({**raw, "text": text[:most], "images": ()}))
        most -= len(text)
        if most <= 0:
            break
    return found


@cache_per_dataset_until_growth(*JUDGED)
def _judged(store: Store, dataset: str) -> Mapping[tuple[str, str], int]:
    return queries.rater_count_by_task_and_item(store, dataset)


def _mask(
    store: Store,
    dataset: str,
    table: pd.DataFrame,
    wanted: Filters,
    judged: Any,
) -> NDArray[np.bool_]:
    keep = np.ones(len(table), dtype=bool)

    def narrow(found: Any) -> None:
        nonlocal keep
        keep = keep & np.asarray(found, dtype=bool)

    for column in _EQUAL:
        if value := getattr(wanted, column):
            narrow(table[column] == value)
    narrow(mask_of_rows_in_scope(store, dataset, wanted.scope, table))
    if wanted.n_interactions:
        narrow(table["n_interactions"] == wanted.n_interactions)
    if wanted.bias:
        narrow(mask_of_rows_with_bias(table, wanted.bias))
    if wanted.dialogues:
        narrow(table["dialogue"].isin(wanted.dialogues))
    if wanted.leaking is not None:
        narrow(
            table["case"].isin(queries.find_names_of_leaking_cases(store, dataset))
            == wanted.leaking
        )
    if wanted.rated:
        task = tasks.REALISM if wanted.rated in ("rated", "unrated") else tasks.MATCH
        done = {item for name, item in judged if name == task}
        narrow(table["item_id"].isin(done) != wanted.rated.startswith("un"))
    if wanted.disagreement:
        narrow(table["item_id"].isin(queries.find_ids_of_disputed_dialogues(store, dataset)))
    if wanted.search.strip():
        narrow(
            table["item_id"].isin(
                queries.find_ids_of_dialogues_with_words(store, dataset, wanted.search)
            )
        )
    return keep


def mask_of_rows_with_bias(table: pd.DataFrame, bias: str) -> NDArray[np.bool_]:
    """Which rows have this bias, written as in ``Filters``.

    Raises:
        InvalidInput: it is written differently.
    """
    doctor, patient = table["doctor_bias"], table["patient_bias"]
    if bias == NONE:
        return np.asarray((doctor == NONE) & (patient == NONE), dtype=bool)
    side, _, name = bias.partition(":")
    if side not in ("doctor", "patient"):
        raise InvalidInput(f"There is no bias {bias!r}.", hint="Write it like doctor:recency.")
    column = doctor if side == "doctor" else patient
    return np.asarray((column == name) if name else (column != NONE), dtype=bool)
