"""The whole pipeline at once: from questions to cleaned answers, confirmed once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from medlens import llm
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How, RunReport
from medlens.llm.token_cost_forecast_and_budget import sum_of_forecasts
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.sourcecheckup import queries
from medlens.studies.sourcecheckup.domain_country_lookup_import_and_export import look_up_countries
from medlens.studies.sourcecheckup.make_statement_source_pairs import (
    list_readable_pairs_in_order_of_source,
)
from medlens.studies.sourcecheckup.run_pipeline_step import models_by_name
from medlens.studies.sourcecheckup.run_questions_answers_statements import (
    let_model_split_answers,
    let_models_answer_questions,
    name_of_response,
)
from medlens.studies.sourcecheckup.run_source_fetching import fetch_and_store_cited_pages
from medlens.studies.sourcecheckup.run_statement_cleanup_and_recheck import (
    correct_and_recheck_statements,
)
from medlens.studies.sourcecheckup.run_verification import (
    let_models_verify_pairs,
    let_models_verify_sources_together,
    list_statements_with_merged_sources,
)
from medlens.studies.sourcecheckup.tasks import SUPPORT

# Estimates from the paper for what does not exist yet: statements and sources per answer, tokens
# per page, and the share of statements to correct.
_STATEMENTS, _SOURCES, _PAGE, _MENDED = 6, 4, 7000, 0.4


_COUNTRIES, _MERGED = "Countries", "Merged sources"


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which models do what. No ``cleaner``: nothing is cleaned up; the first verifier decides what
    is unsupported. ``merged``: verifiers also judge each statement against its answer's sources
    together; ``countries``: look up where cited sites are registered.
    """

    answerers: Sequence[str]
    parser: str
    verifiers: Sequence[str]
    cleaner: str = ""
    merged: bool = False
    countries: bool = False


def run_whole_pipeline(
    store: Store, settings: Settings, *, roles: Roles, dataset: str, how: How | None = None
) -> Done:
    """Answer, split, fetch, verify and clean up whatever is not done yet.

    The forecast is confirmed once, for all steps together; ``how.spending_cap`` applies to their
    sum. Stopping a step stops the whole; the next start resumes there.

    Raises:
        InvalidInput: there is no such model, or no question.
    """
    how = how or How()
    names = dict.fromkeys([*roles.answerers, roles.parser, *roles.verifiers])
    if roles.cleaner:
        names[roles.cleaner] = None
    models = models_by_name(settings, list(names))
    steps: list[tuple[str, Callable[[How], RunReport]]] = [
        (
            "Answers",
            lambda told: let_models_answer_questions(
                store, settings, models=roles.answerers, dataset=dataset, how=told
            ),
        ),
        (
            "Statements",
            lambda told: let_model_split_answers(
                store, settings, model=roles.parser, dataset=dataset, how=told
            ),
        ),
        (
            "Sources",
            lambda told: fetch_and_store_cited_pages(store, settings, dataset=dataset, how=told),
        ),
        (
            "Verification",
            lambda told: let_models_verify_pairs(
                store, settings, models=roles.verifiers, dataset=dataset, how=told
            ),
        ),
    ]
    if roles.countries:
        steps.insert(
            3,
            (
                _COUNTRIES,
                lambda told: look_up_countries(store, settings, dataset=dataset, how=told),
            ),
        )
    if roles.merged:
        steps.append(
            (
                _MERGED,
                lambda told: let_models_verify_sources_together(
                    store, settings, models=roles.verifiers, dataset=dataset, how=told
                ),
            )
        )
    if roles.cleaner:
        steps.append(
            (
                "Clean-up",
                lambda told: correct_and_recheck_statements(
                    store,
                    settings,
                    model=roles.cleaner,
                    verifier=roles.verifiers[0],
                    dataset=dataset,
                    how=told,
                ),
            )
        )
    known = _foreseen(step for title, step in steps if title not in ("Sources", _COUNTRIES))
    expected = sum_of_forecasts(
        [*known, llm.forecast_cost(_to_come(store, roles, dataset), models)]
    )
    if how.confirm is not None and not how.confirm(expected):
        return Done(lines=("No model was asked.",), complete=False)
    lines: list[str] = []
    spent = 0.0
    complete = True
    run = ""
    for title, step in steps:
        if title == "Verification" and not list_readable_pairs_in_order_of_source(store, dataset):
            lines.append("Verification: there is no statement with a source that could be read.")
            break
        if title == _MERGED and not list_statements_with_merged_sources(store, dataset):
            lines.append("Merged sources: no answer has two that could be read.")
            continue
        left = None if how.spending_cap is None else max(0.0, how.spending_cap - spent)
        report = step(replace(how, confirm=None, spending_cap=left, batch_api=False))
        lines += [f"{title}: {line}" for line in report.lines]
        spent += report.batch.cost if report.batch else 0.0
        complete = complete and report.complete
        run = report.run or run
        # If no registry answers, the top-level domain decides, so later steps can continue.
        if report.outcomes.get("error") and not report.added and title != _COUNTRIES:
            lines.append(
                f"Stopped after {title}: no call was answered. Start it again once that is "
                "fixed: it resumes there."
            )
            break
        if report.batch is not None and report.batch.stopped:
            break
    return Done(lines=lines, complete=complete, run=run)


def _foreseen(steps: Iterable[Callable[[How], RunReport]]) -> list[llm.CostForecast]:
    """The steps' forecasts for what already exists: each step is started and then declined.

    A step that has nothing to work on yet has no forecast.
    """
    told: list[llm.CostForecast] = []

    def hear(expected: llm.CostForecast) -> bool:
        told.append(expected)
        return False

    for step in steps:
        with contextlib.suppress(InvalidInput):
            step(How(confirm=hear))
    return told


def _to_come(store: Store, roles: Roles, dataset: str) -> list[llm.Planned]:
    """The typical calls for what does not exist yet: answers to come, and the statements and
    sources of answers that have not been split.
    """
    asked = queries.list_questions(store, dataset)
    there = queries.list_responses(store, dataset)
    have = {one.name for one in there}
    parsed = queries.names_of_responses_already_split(store, dataset)
    new = sum(
        name_of_response(one.name, name) not in have
        for one in asked
        for name in dict.fromkeys(roles.answerers)
    )
    unparsed = new + sum(one.outcome == "ok" and one.name not in parsed for one in there)
    stated = unparsed * _STATEMENTS
    planned = [llm.Planned(roles.parser, new, 500, 300)]
    for name in dict.fromkeys(roles.verifiers):
        planned.append(llm.Planned(name, stated * _SOURCES, _PAGE + 400, 150))
        if roles.merged:
            planned.append(llm.Planned(name, stated, _SOURCES * _PAGE + 400, 150))
    if roles.cleaner:
        first = roles.verifiers[0]
        judged = {
            item
            for item, name in model_verdicts_and_runs_of_judges.model_judgments_by_item_and_model(
                store, SUPPORT, dataset
            )
            if name == first
        }
        waiting = {
            one.statement
            for one in list_readable_pairs_in_order_of_source(store, dataset)
            if one.item not in judged
        }
        mended = round(_MENDED * (len(waiting) + stated))
        planned.append(llm.Planned(roles.cleaner, mended, _PAGE, 100))
        planned.append(llm.Planned(first, mended, _PAGE, 150))
    return [one for one in planned if one.calls]
