"""SourceCheckup's tables as exports: one function per kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias

from medlens.deferred_module import pd
from medlens.review import consensus, judgment_export
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.sourcecheckup import tables_as_in_files_queries as queries
from medlens.studies.sourcecheckup.domain_country_lookup_import_and_export import (
    make_countries_export_table,
)
from medlens.studies.sourcecheckup.figures import FIGURES
from medlens.studies.sourcecheckup.import_export_verdicts_on_all_sources import (
    make_export_table_of_verdicts_on_all_sources,
)
from medlens.studies.sourcecheckup.records import is_verdict_supporting_if_given
from medlens.studies.sourcecheckup.run_verification import list_verdicts
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.studies.sourcecheckup.tasks import MERGED, SUPPORT

Exporter: TypeAlias = "Callable[..., pd.DataFrame]"


def make_questions_export_table(store: Store, study: Study) -> pd.DataFrame:
    """One row per question."""
    return queries.questions_table(store, study.dataset)


def make_responses_export_table(
    store: Store, study: Study, *, viewer: Rater | None, nested: bool = False
) -> pd.DataFrame:
    """One row per response; the addresses are a list, in CSV a JSON list."""
    require_lead(viewer)
    table = queries.responses_table(store, study.dataset)
    listed = [[str(url) for url in urls] for urls in table["urls"]]
    table["urls"] = pd.Series(
        listed if nested else [json.dumps(urls, ensure_ascii=False) for urls in listed],
        dtype=object,
    )
    return table


def make_statements_export_table(store: Store, study: Study) -> pd.DataFrame:
    """One row per statement, and one per response without any."""
    table = queries.statements_table(store, study.dataset)
    return table.astype({"n": "Int64"})


def make_sources_export_table(store: Store, study: Study) -> pd.DataFrame:
    """One row per address with its newest snapshot's text."""
    table = queries.sources_table(store, study.dataset)
    return table.astype(dict.fromkeys(["status", "bytes", "tokens"], "Int64"))


def make_pairs_export_table(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """One row per rater's current verdict on a pair, or one for a pair without any."""
    require_lead(viewer)
    table = queries.pair_verdicts_table(store, study.dataset)
    return table.astype({"revision": "Int64", "blind": "boolean"})


def make_pair_items_table(store: Store, study: Study) -> pd.DataFrame:
    """One row per pair, no verdicts: item, statement_id, url, statement, response_id, model, …"""
    own = ["statement_id", "url", "statement", "response_id", "model", "outcome"]
    table = queries.pair_verdicts_table(store, study.dataset)[own].drop_duplicates(
        ["statement_id", "url"]
    )
    return queries.pair_names_table(store, study.dataset).merge(table, on=["statement_id", "url"])


def make_response_items_table(store: Store, study: Study) -> pd.DataFrame:
    """One row per response, with the name of its item."""
    table = queries.responses_table(store, study.dataset)
    return table.assign(item="response " + table["response_id"])


def make_question_items_table(store: Store, study: Study) -> pd.DataFrame:
    """One row per question, with the name of its item."""
    table = queries.questions_table(store, study.dataset)
    return table.assign(item="question " + table["question_id"])


def make_model_decisions_export_table(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """The models' verdicts in the published tool's layout; "cannot tell" is left out."""
    table = make_pairs_export_table(store, study, viewer=viewer)
    table = table[
        (table["rater_kind"] == "model")
        & table["verdict"].map(is_verdict_supporting_if_given).notna()
    ]
    said = {True: "found", False: "not_found"}
    return pd.DataFrame(
        {
            "Statement": table["statement"],
            "Citation URL": table["url"],
            "Decision": [said[verdict == "supported"] for verdict in table["verdict"]],
            "Reason": table["reason"],
            "Rater": table["rater"],
            "Statement ID": table["statement_id"],
        }
    ).reset_index(drop=True)


def make_cleanups_export_table(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """One row per statement that was edited or removed, with the verdict on the edited one."""
    require_lead(viewer)
    return queries.cleanups_table(store, study.dataset)


def make_consensus_labels_export_table(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """The doctors' consensus on each pair: statement_id, url, answer, votes, n, adjudicated."""
    require_lead(viewer)
    table = consensus.consensus_table(store, study.support, dataset=study.dataset, viewer=viewer)
    table = table[table["variable"] == "supported"].drop(columns="variable")
    pairs = queries.pair_names_table(store, study.dataset)
    return pairs.merge(table, on="item").reset_index(drop=True)


def make_verdicts_export_table(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """Every verdict of every verifier, on pairs and on merged sources, with prompt and run."""
    require_lead(viewer)
    return pd.concat(
        model_verdicts_and_runs_of_judges.verdicts_table(
            list_verdicts(store, task, study.dataset), task, study.dataset
        )
        for task in (SUPPORT, MERGED)
    )


EXPORTS: Mapping[str, tuple[str, Exporter]] = {
    "questions": ("Questions, one row each", make_questions_export_table),
    "responses": (
        "Answers with the addresses they cite, one row each",
        make_responses_export_table,
    ),
    "statements": ("Statements of the answers, one row each", make_statements_export_table),
    "sources": ("Cited pages with their texts, one row each", make_sources_export_table),
    "pairs": ("Verdicts on statements and sources, one row each", make_pairs_export_table),
    "decisions": (
        "The models' verdicts in the published tool's layout",
        make_model_decisions_export_table,
    ),
    "merged": (
        "Verdicts on statements and all their sources together",
        make_export_table_of_verdicts_on_all_sources,
    ),
    "countries": ("Where the cited sites are registered", make_countries_export_table),
    "cleanups": ("Statements edited or removed, one row each", make_cleanups_export_table),
    "judgments": (
        "Judgments of pairs, one row each",
        judgment_export.make_export_function_for_task(lambda study: study.support),
    ),
    "answer-judgments": (
        "Judgments of whole answers, one row each",
        judgment_export.make_export_function_for_task(lambda study: study.response),
    ),
    "statement-checks": (
        "Checks of the extracted statements, one row each",
        judgment_export.make_export_function_for_task(lambda study: study.parse),
    ),
    "question-checks": (
        "Checks of the questions, one row each",
        judgment_export.make_export_function_for_task(lambda study: study.question),
    ),
    "verifier-verdicts": (
        "Every verdict of every verifier, with prompt and run",
        make_verdicts_export_table,
    ),
    "labels": ("The doctors' consensus on each pair", make_consensus_labels_export_table),
    "figures": ("Every figure of the results view", FIGURES.export),
}
"""Tables that can be exported: what they are, and who makes them."""
