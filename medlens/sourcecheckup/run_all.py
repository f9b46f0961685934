"""The whole pipeline at once: from questions to cleaned answers, confirmed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from medlens import llm
from medlens.llm.declared import Done, Report
from medlens.llm.pipeline import How
from medlens.review import judges
from medlens.settings import Settings
from medlens.sourcecheckup import queries
from medlens.sourcecheckup.countries.run import countries
from medlens.sourcecheckup.merged.run import merged, merged_to_ask
from medlens.sourcecheckup.run import models_of
from medlens.sourcecheckup.run_answers import answers, response_name, statements
from medlens.sourcecheckup.run_cleanup import cleanup
from medlens.sourcecheckup.run_pairs import pairs_to_ask
from medlens.sourcecheckup.run_sources import sources
from medlens.sourcecheckup.run_verify import verify
from medlens.sourcecheckup.tasks import MERGED, SUPPORT
from medlens.store import Store

# For what is not there yet, as in the paper: statements and sources of an answer, tokens of a page,
# and the share of statements that are mended.
_STATEMENTS, _SOURCES, _PAGE, _MENDED = 6, 4, 7000, 0.4


_COUNTRIES, _MERGED = "Countries", "Merged sources"


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which models do what. ``cleaner`` empty: nothing is cleaned up; the first verifier decides
    what is unsupported. ``merged``: the verifiers judge each statement by its answer's sources
    together, too; ``countries``: registries are asked where cited sites are registered."""

    answerers: Sequence[str]
    parser: str
    verifiers: Sequence[str]
    cleaner: str = ""
    merged: bool = False
    countries: bool = False


def everything(
    store: Store, settings: Settings, *, roles: Roles, dataset: str, how: How | None = None
) -> Done:
    """Answer, take apart, fetch, verify and clean up whatever has not been.

    The forecast is confirmed once, for all steps together; ``how.spending_cap`` holds for the sum.
    A step that is stopped ends it; started again it goes on there.

    Raises:
        InvalidInput: there is no such model, or no question.
    """
    how = how or How()
    names = dict.fromkeys([*roles.answerers, roles.parser, *roles.verifiers])
    if roles.cleaner:
        names[roles.cleaner] = None
    models = models_of(settings, list(names))
    expected = llm.forecast(_planned(store, roles, dataset), models)
    if how.confirm is not None and not how.confirm(expected):
        return Done(lines=("Nothing was asked.",), complete=False)
    steps: list[tuple[str, Callable[[How], Report]]] = [
        ("Answers", lambda told: answers(
            store, settings, models=roles.answerers, dataset=dataset, how=told)),
        ("Statements", lambda told: statements(
            store, settings, model=roles.parser, dataset=dataset, how=told)),
        ("Sources", lambda told: sources(store, settings, dataset=dataset, how=told)),
        ("Verification", lambda told: verify(
            store, settings, models=roles.verifiers, dataset=dataset, how=told)),
    ]  # fmt: skip
    if roles.countries:
        steps.insert(3, (_COUNTRIES, lambda told: countries(
            store, settings, dataset=dataset, how=told)))  # fmt: skip
    if roles.merged:
        steps.append((_MERGED, lambda told: merged(
            store, settings, models=roles.verifiers, dataset=dataset, how=told)))  # fmt: skip
    if roles.cleaner:
        steps.append(("Clean-up", lambda told: cleanup(
            store, settings, model=roles.cleaner, verifier=roles.verifiers[0], dataset=dataset,
            how=told)))  # fmt: skip
    lines: list[str] = []
    spent = 0.0
    complete = True
    run = ""
    for title, step in steps:
        if title == "Verification" and not pairs_to_ask(store, dataset):
            lines.append("Verification: there is no statement with a source that could be read.")
            break
        if title == _MERGED and not merged_to_ask(store, dataset):
            lines.append("Merged sources: no answer has two that could be read.")
            continue
        left = None if how.spending_cap is None else max(0.0, how.spending_cap - spent)
        report = step(replace(how, confirm=None, spending_cap=left, batch_api=False))
        lines += [f"{title}: {line}" for line in report.lines]
        spent += report.batch.cost if report.batch else 0.0
        complete = complete and report.complete
        run = report.run or run
        if report.batch is not None and report.batch.stopped:
            break
        # Where no registry answers the top-level domain decides: that keeps nothing else waiting.
        if report.outcomes.get("error") and not report.added and title != _COUNTRIES:
            lines.append(
                f"Stopped after {title}: no call was answered. Start it again once "
                "that is mended: it goes on there."
            )
            break
    return Done(lines=lines, complete=complete, run=run)


def _planned(store: Store, roles: Roles, dataset: str) -> list[llm.Planned]:
    """The calls to come, as far as they are known, and the usual ones for what is not there yet."""
    asked = queries.questions(store, dataset)
    there = queries.responses(store, dataset)
    have = {one.name for one in there}
    parsed = queries.parsed(store, dataset)
    planned: list[llm.Planned] = []
    new = 0
    for name in dict.fromkeys(roles.answerers):
        left = sum(response_name(one.name, name) not in have for one in asked)
        planned.append(llm.Planned(name, left, 200, 250))
        new += left
    unparsed = new + sum(one.outcome == "ok" and one.name not in parsed for one in there)
    planned.append(llm.Planned(roles.parser, unparsed, 500, 300))
    known = pairs_to_ask(store, dataset)
    standing = judges.as_judgments(store, SUPPORT, dataset)
    to_come = unparsed * _STATEMENTS * _SOURCES
    for name in dict.fromkeys(roles.verifiers):
        open_ = [one.tokens for one in known if (one.item, name) not in standing]
        calls = len(open_) + to_come
        if calls:
            mean = (sum(open_) + to_come * _PAGE) / calls
            planned.append(llm.Planned(name, calls, mean + 400, 150))
    if roles.merged:
        planned += _planned_merged(store, roles, dataset, to_come=unparsed * _STATEMENTS)
    if roles.cleaner:
        mended = round(_MENDED * (len(queries.statements(store, dataset)) + unparsed * _STATEMENTS))
        planned.append(llm.Planned(roles.cleaner, mended, _PAGE, 100))
        planned.append(llm.Planned(roles.verifiers[0], mended, _PAGE, 150))
    return [one for one in planned if one.calls]


def _planned_merged(
    store: Store, roles: Roles, dataset: str, *, to_come: int
) -> list[llm.Planned]:  # fmt: skip
    known = merged_to_ask(store, dataset)
    standing = judges.as_judgments(store, MERGED, dataset)
    made = []
    for name in dict.fromkeys(roles.verifiers):
        open_ = [one.tokens for one in known if (one.item, name) not in standing]
        calls = len(open_) + to_come
        tokens = sum(open_) + to_come * _PAGE * _SOURCES
        made.append(llm.Planned(name, calls, tokens / max(1, calls) + 400, 150))
    return made
