"""The pairs of a dataset as a filtered, paged list; every bar of the figures links here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from medlens.deferred_module import np, pd
from medlens.studies.sourcecheckup.metrics import FigureEvidence
from medlens.studies.sourcecheckup.metrics_input_tables import (
    STATEMENT_STATES,
    DatasetTables,
    judged_results_under_verifier,
)
from medlens.studies.sourcecheckup.metrics_sites_countries_and_readability import (
    site_of_address,
    top_level_domain_group_of_site,
)
from medlens.studies.sourcecheckup.metrics_verifiers_and_doctors import verdicts_as_numbers
from medlens.studies.sourcecheckup.records import READABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray


Bools: TypeAlias = "NDArray[np.bool_]"

COLUMNS = (
    *("item_id", "statement", "text", "response", "question", "run", "model", "group"),
    *("url", "site", "kind", "outcome", "verdict", "state", "doctors", "doctors_say"),
)
_EQUAL = (
    *("run", "model", "group", "question", "response"),
    *("verdict", "state", "outcome", "kind"),
)


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What the list is filtered by; empty means any.

    ``run`` is the run that made the answer. ``verifier`` is the model whose verdicts and states are
    used; empty: the one with the most verdicts. ``state`` is the statement's
    (``STATEMENT_STATES``), ``verdict`` the pair's, ``outcome`` the source's, ``kind`` its kind of
    domain. ``doctors``: "asked", "disagree", "yes" or "no" (their majority). ``agrees``: "yes" or
    "no", whether the verifier agrees with it. ``q``: words in the statement or address.
    """

    run: str = ""
    model: str = ""
    group: str = ""
    question: str = ""
    response: str = ""
    verifier: str = ""
    verdict: str = ""
    state: str = ""
    outcome: str = ""
    kind: str = ""
    site: str = ""
    doctors: str = ""
    agrees: str = ""
    q: str = ""


def parse_filters_from_address(asked: Mapping[str, str]) -> Filters:
    """The filters given in an address."""
    return Filters(**{one.name: asked.get(one.name, "") for one in fields(Filters)})


def table_of_pairs_to_list(
    evidence: FigureEvidence,
    pairs: pd.DataFrame,
    verifier: str = "",
    *,
    runs: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """One row per pair (``COLUMNS``), in order.

    ``pairs`` comes from ``figure_and_list_queries.table_of_all_pairs``; ``runs`` has the run that
    made each response. ``state`` is the statement's by the verifier; ``doctors`` counts doctors'
    answers, ``doctors_say`` is "yes", "no", or "" without a majority.
    """
    material = evidence.material
    judged = judged_results_under_verifier(material, verifier or evidence.name_of_verifier_used)
    table = pairs.copy()
    groups = material.responses.set_index("response")["group"]
    table["group"] = table["response"].map(groups).fillna("")
    table["run"] = [(runs or {}).get(one, "") for one in table["response"]]
    codes, unique = pd.factorize(table["url"])
    sites = np.array([site_of_address(str(url)) for url in unique] or [""], dtype=object)
    kinds = np.array([top_level_domain_group_of_site(site) for site in sites], dtype=object)
    table["site"], table["kind"] = sites[codes], kinds[codes]
    names = np.array(STATEMENT_STATES, dtype=object)[judged.statement]
    states = pd.Series(names, index=material.statements["statement"])
    table["state"] = table["statement"].map(states).fillna("")
    said = judged.pairs.drop_duplicates("item").set_index("item")["verdict"]
    table["verdict"] = table["item_id"].map(said).fillna("")
    answers = evidence.answers.assign(yes=verdicts_as_numbers(evidence.answers["verdict"]))
    by_item = answers.groupby("item")["yes"]
    table["doctors"] = table["item_id"].map(by_item.size()).fillna(0).astype("int64")
    table["split"] = table["item_id"].map(by_item.nunique()).fillna(0) > 1
    word = {
        item: "yes" if yes else "no"
        for item, yes in evidence.whether_doctors_call_supported_by_pair.items()
    }
    table["doctors_say"] = [word.get(item, "") for item in table["item_id"]]
    return table[[*COLUMNS, "split"]]


def filter_table_of_pairs(table: pd.DataFrame, wanted: Filters) -> pd.DataFrame:
    """The rows of ``index`` that match all filters."""
    keep = np.ones(len(table), dtype=bool)
    for name in _EQUAL:
        value = getattr(wanted, name)
        if value:
            keep &= (table[name] == ("" if value == "none" else value)).to_numpy(dtype=bool)
    if wanted.site:
        # A site matches all its hosts.
        keep &= ("." + table["site"]).str.endswith("." + wanted.site).to_numpy(dtype=bool)
    if wanted.doctors:
        keep &= _DOCTORS.get(wanted.doctors, _none)(table)
    if wanted.agrees:
        yes = verdicts_as_numbers(table["verdict"])
        word = verdicts_as_numbers(table["doctors_say"])
        known = ~(np.isnan(yes) | np.isnan(word))
        keep &= known & ((yes == word) == (wanted.agrees == "yes"))
    if wanted.q.strip():
        sought = " ".join(wanted.q.lower().split())
        rows = np.flatnonzero(keep)
        part = table.iloc[rows]
        has = part["text"].str.lower().str.contains(sought, regex=False)
        has |= part["url"].str.lower().str.contains(sought, regex=False)
        keep[rows] = has.to_numpy(dtype=bool)
    return table[keep]


def states_by_statement_name(
    statements: Sequence[Mapping[str, Any]],
    sources: Sequence[Mapping[str, Any]],
    said: pd.DataFrame,
    verifier: str,
) -> dict[str, str]:
    """Statement name -> state, for one answer's statements by one verifier's verdicts.

    ``statements``, ``sources`` and ``said`` come from ``figure_and_list_queries`` (stated, cited,
    said_of).
    """
    if not statements:
        return {}
    outcomes = [str(one["outcome"]) for one in sources]
    readable = [outcome in READABLE for outcome in outcomes]
    material = DatasetTables(
        responses=pd.DataFrame(
            {"response": [""], "question": [""], "group": [""], "model": [""], "parsed": [True]}
        ),
        statements=pd.DataFrame(
            {"statement": [str(one["name"]) for one in statements], "response": ""}
        ),
        citations=pd.DataFrame(
            {
                "response": [""] * len(sources),
                "url": [str(one["url"]) for one in sources],
                "outcome": outcomes,
                "valid": readable,
                "readable": readable,
            }
        ).astype({"valid": bool, "readable": bool}),
        verdicts=said.rename(columns={"item_id": "item"}),
    )
    codes = judged_results_under_verifier(material, verifier).statement
    names = material.statements["statement"]
    return {str(n): STATEMENT_STATES[code] for n, code in zip(names, codes, strict=True)}


def _none(table: pd.DataFrame) -> Bools:
    return np.zeros(len(table), dtype=bool)


_DOCTORS: dict[str, Callable[[pd.DataFrame], Bools]] = {
    "asked": lambda table: (table["doctors"] > 0).to_numpy(dtype=bool),
    "disagree": lambda table: table["split"].to_numpy(dtype=bool),
    "yes": lambda table: (table["doctors_say"] == "yes").to_numpy(dtype=bool),
    "no": lambda table: (table["doctors_say"] == "no").to_numpy(dtype=bool),
}
