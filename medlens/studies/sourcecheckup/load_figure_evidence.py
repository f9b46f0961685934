"""One dataset's evidence for the figures, read from the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from medlens.deferred_module import pd
from medlens.review import consensus, items
from medlens.review.raters import Rater, require_lead
from medlens.review.run_names import names_of_runs_by_id
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.studies.sourcecheckup import (
    domain_country_lookup_import_and_export,
    queries,
    tables_as_in_files_queries,
)
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup.metrics import (
    CHECK_COLUMNS,
    CLEANED_COLUMNS,
    QUOTE_COLUMNS,
    FigureEvidence,
)
from medlens.studies.sourcecheckup.metrics_input_tables import DatasetTables
from medlens.studies.sourcecheckup.records import QUESTION_KIND, RESPONSE_KIND
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.web.quote_search import QuotableText, Standing

_STANDS: OrderedDict[tuple[str, str], Standing] = OrderedDict()
_MOST = 200_000
"""A snapshot never changes: what was once found of a quote in it holds."""
_YES_NO = {"yes": 1.0, "no": 0.0}


def load_evidence(store: Store, study: Study, *, viewer: Rater | None) -> FigureEvidence:
    """Everything the figures are based on. People's blind answers count; a viewer of ``None`` is
    the command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    dataset = study.dataset
    tables = listed.load_figure_tables_by_name(store, dataset)
    material = DatasetTables(**tables)
    asked = dict(zip(material.responses["response"], material.responses["question"], strict=True))
    people = queries.current_verdicts_table(store, dataset, kind="person").rename(
        columns={"item_id": "item"}
    )
    whole = _said(store, study.response, study, viewer, _name_of(RESPONSE_KIND))
    whole = whole[whole["rater_kind"] == "person"].reset_index(drop=True)
    whole["question"] = whole["item"].map(asked)
    whole["verdict"] = [value.answer for value in whole["value"]]
    return FigureEvidence(
        material,
        answers=people[["item", "question", "rater", "verdict"]],
        adjudicated=_adjudicated(store, study),
        response_answers=whole[["item", "question", "rater", "verdict"]],
        response_adjudicated={
            _name_of(RESPONSE_KIND)(name): str(value.answer) if value else ""
            for name, value in consensus.adjudicated_answers_by_item_name(
                store, study.response, dataset=dataset
            ).items()
        },
        cleaned=table_of_best_cleanup_per_statement(queries.current_cleanups_table(store, dataset)),
        checks=_checks(store, study, viewer, asked),
        merged=tables_as_in_files_queries.merged_source_verdict_words_table(store, dataset),
        countries={
            domain: country
            for domain, (
                _,
                country,
            ) in domain_country_lookup_import_and_export.revision_and_country_by_domain(
                store, dataset
            ).items()
            if country
        },
    )


def filter_choices_by_filter_with_names(store: Store, dataset: str) -> dict[str, dict[str, str]]:
    """What figures can be filtered by: runs that made answers, question groups, verifiers."""
    known = {
        "cases": {one.group for one in queries.list_questions(store, dataset)},
        "judge": set(queries.current_verdicts_table(store, dataset)["rater"]),
    }
    return {
        "run": names_of_runs_by_id(store, queries.run_ids_by_answer(store, dataset).values()),
        **{side: {one: one for one in sorted(all_ - {""})} for side, all_ in known.items()},
    }


def narrow_evidence_to_run_or_group(
    store: Store, dataset: str, found: FigureEvidence, *, run: str = "", group: str = ""
) -> FigureEvidence:
    """Only the evidence for the answers that a run made, or for a question group."""
    if not run and not group:
        return found
    material = found.material
    made_by = queries.run_ids_by_answer(store, dataset)
    responses = material.responses
    if run:
        responses = responses[responses["response"].map(made_by) == run]
    if group:
        responses = responses[responses["group"] == group]
    responses = responses.reset_index(drop=True)
    kept, asked_of = set(responses["response"]), set(responses["question"])

    def only(table: pd.DataFrame, column: str, names: set[str]) -> pd.DataFrame:
        return table[table[column].isin(names)].reset_index(drop=True)

    statements = only(material.statements, "response", kept)
    stated = set(statements["statement"])
    pairs = queries.table_of_all_pairs(store, dataset)
    items_ = set(pairs.loc[pairs["response"].isin(kept), "item_id"])
    return replace(
        found,
        material=DatasetTables(
            responses,
            statements,
            only(material.citations, "response", kept),
            only(material.verdicts, "statement", stated),
        ),
        answers=only(found.answers, "item", items_),
        response_answers=only(found.response_answers, "item", kept),
        cleaned=only(found.cleaned, "response", kept),
        checks={name: only(table, "question", asked_of) for name, table in found.checks.items()},
        quotes=only(found.quotes, "item", items_),
        merged=only(found.merged, "statement", stated),
    )


def quotes_in_current_verdicts_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per current verdict of a model on a readable page (``QUOTE_COLUMNS``)."""
    said = listed.table_of_quotes_in_verdicts(store, dataset)
    said["how"] = ""
    for source, rows in said.groupby("source", sort=False):
        text: QuotableText | None = None
        found: list[Standing] = []
        for quote in rows["quote"]:
            key = (str(source), str(quote))
            how = _STANDS.get(key)
            if how is None:
                text = text or QuotableText(queries.source_text(store, str(source)))
                how = _STANDS[key] = text.look_up_quote(str(quote)).how
            found.append(how)
        said.loc[rows.index, "how"] = found
    while len(_STANDS) > _MOST:
        _STANDS.popitem(last=False)
    return said[QUOTE_COLUMNS]


def _name_of(kind: str) -> Callable[[str], str]:
    return lambda name: name.removeprefix(f"{kind} ")


def _said(
    store: Store, task: Task, study: Study, viewer: Rater | None, name: Callable[[str], str]
) -> pd.DataFrame:
    """The blind judgments of a task: item (name in files), rater (models marked so), value."""
    found = consensus.current_judgments(store, task, dataset=study.dataset, viewer=viewer)
    model = found["rater_kind"] == "model"
    return found.assign(
        item=[name(str(one)) for one in found["item"]],
        rater=found["rater"].where(~model, found["rater"] + " (model)"),
    )


def _adjudicated(store: Store, study: Study) -> dict[str, str]:
    """The adjudicator's verdicts on pairs, by item id."""
    given = consensus.adjudicated_answers_by_item_name(store, study.support, dataset=study.dataset)
    if not given:
        return {}
    ids = items.item_ids_by_name(store, study.support.study, study.dataset, list(given))
    return {
        ids[name]: str(value.verdict) if value else ""
        for name, value in given.items()
        if name in ids
    }


def table_of_best_cleanup_per_statement(made: pd.DataFrame) -> pd.DataFrame:
    """One row per statement (``CLEANED_COLUMNS``), from clean-ups by statement, source and
    model.

    If a statement has several, those now supported come first, then edited before removed.
    """
    if made.empty:
        return pd.DataFrame(columns=CLEANED_COLUMNS).astype("str")
    rank = (made["verdict"] == "supported") * 4 + (made["action"] == "edited") * 2
    rank += made["verdict"] != ""
    best = made.assign(rank=rank).sort_values("rank", ascending=False, kind="stable")
    return best.drop_duplicates("statement")[CLEANED_COLUMNS].reset_index(drop=True)


def _checks(
    store: Store, study: Study, viewer: Rater | None, asked: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """What each rater said of questions and of extracted statements, by figure."""
    questions = _said(store, study.question, study, viewer, _name_of(QUESTION_KIND))
    parses = _said(store, study.parse, study, viewer, _name_of(RESPONSE_KIND))
    answerable = [
        (rater, item, _YES_NO.get(value.answer)) for rater, item, value in _rows(questions)
    ]
    inside = [
        (rater, asked.get(item), float(there))
        for rater, item, value in _rows(parses)
        for there in value.contained.values()
    ]
    complete = [
        (rater, asked.get(item), _YES_NO.get(value.complete))
        for rater, item, value in _rows(parses)
    ]
    return {
        "question_answerable": pd.DataFrame(answerable, columns=CHECK_COLUMNS),
        "statements_in_answer": pd.DataFrame(inside, columns=CHECK_COLUMNS),
        "answers_complete": pd.DataFrame(complete, columns=CHECK_COLUMNS),
    }


def _rows(found: pd.DataFrame) -> list[tuple[str, str, Any]]:
    return list(zip(found["rater"], found["item"], found["value"], strict=True))
