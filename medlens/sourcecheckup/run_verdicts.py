"""What verifying has in common, whether a statement is put beside one source or beside all.

A verdict is a judgment of the review spine by the model as a rater. Pages stand between marks that
carry their own fingerprint, since they can hold words addressed to the verifier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from medlens import llm
from medlens.llm import Answer, Message
from medlens.llm.batch_api import Asked
from medlens.llm.cost import text_tokens
from medlens.llm.keeper import Keeper
from medlens.llm.pipeline import How
from medlens.settings import Model
from medlens.sourcecheckup import prompts, rows
from medlens.sourcecheckup.models import SourceJudgment
from medlens.sourcecheckup.run import Report, Step, carry, counted, source_of
from medlens.store import Store

_TOLD, _VERDICT = 400, 150


class Unit(Protocol):
    """What a verifier judges at once: an item, its statement's text, the tokens of its pages."""

    @property
    def item(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> int: ...


U = TypeVar("U", bound=Unit)


@dataclass(frozen=True, kw_only=True)
class Verifying(Generic[U]):
    """One way of verifying.

    ``units`` are all there are, ``standing`` what models say of them now ((item, model) ->
    (revision, body)). ``make_items`` sees to it that they are items. ``judged`` makes an answer a
    judgment and says how its quote was found. ``about`` is what a result tells of its unit.
    ``thing`` is what a unit is called (one, several), ``pages`` what is too long for a context.
    """

    kind: str
    task: str
    config: Mapping[str, Any]
    units: Sequence[U]
    standing: Mapping[tuple[str, str], tuple[int, str]]
    make_items: Callable[[], object]
    messages: Callable[[U], list[Message]]
    judged: Callable[[Answer, U], tuple[SourceJudgment, str]]
    about: Callable[[U], Mapping[str, Any]]
    thing: tuple[str, str]
    pages: str
    done: str


def verdicts(
    store: Store, way: Verifying[U], *, models: Mapping[str, Model], dataset: str, again: bool,
    how: How,
) -> Report:  # fmt: skip
    """Let each model judge every unit that it has not judged; ``again``: also those it has.

    Then a second revision is made where it now says something else. Pages longer than a model's
    context end as ``too_long``, without a verdict.
    """
    wanted = [
        (one, name) for one in way.units for name in models
        if again or (one.item, name) not in way.standing
    ]  # fmt: skip
    quotes: Counter[str] = Counter()

    def jobs(run: str, keeper: Keeper) -> list[llm.Job]:
        way.make_items()

        def job(unit: U, name: str) -> llm.Job:
            async def work(ask: llm.Ask) -> llm.Result:
                light = {**way.about(unit), "rater": name}
                if is_too_long(unit.tokens, models[name]):
                    return llm.Result("too_long", light)
                answer = await ask(name, way.messages(unit), schema=prompts.VerdictShape)
                light |= source_of(answer)
                if answer.outcome != "ok":
                    return llm.Result(answer.outcome, light)
                value, how_found = way.judged(answer, unit)
                quotes[how_found] += 1
                revision, before = way.standing.get((unit.item, name), (0, ""))
                if not before or SourceJudgment.model_validate_json(before) != value:
                    await keeper.keep(rows.verdict(
                        value, item=unit.item, model=name, revision=revision + 1, task=way.task,
                        seconds=answer.seconds,
                    ))  # fmt: skip
                return llm.Result(str(value.verdict), {**light, "quote": how_found})

            return llm.Job(f"{name} {unit.item}", work)

        return [job(unit, name) for unit, name in wanted]

    report = carry(store, how=how, step=Step(
        kind=way.kind, dataset=dataset, models=models, jobs=jobs,
        config={**way.config, "again": again}, planned=_planned(wanted, models),
        single_turn=_single_turn(way, wanted, models) if how.batch_api else None,
        table="judgment", says=("verdict is new", "verdicts are new"),
        empty="" if wanted else way.done, notes=_beyond(way, wanted, models),
    ))  # fmt: skip
    return report if report.batch is None else _with_quotes(report, quotes)


def is_too_long(tokens: int, model: Model) -> bool:
    """Whether pages do not fit into a model's context with what else is said."""
    return bool(model.context) and tokens + _TOLD + _VERDICT > model.context


def _planned(wanted: Sequence[tuple[U, str]], models: Mapping[str, Model]) -> list[llm.Planned]:
    calls: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for unit, name in wanted:
        if not is_too_long(unit.tokens, models[name]):
            calls[name] += 1
            tokens[name] += unit.tokens + _TOLD + text_tokens(len(unit.text))
    return [
        llm.Planned(name, count, tokens[name] / count, _VERDICT) for name, count in calls.items()
    ]


def _single_turn(
    way: Verifying[U], wanted: Sequence[tuple[U, str]], models: Mapping[str, Model]
) -> dict[str, list[Asked]]:
    made: dict[str, list[Asked]] = {}
    for unit, name in wanted:
        if is_too_long(unit.tokens, models[name]):
            continue
        request = llm.plan_request(
            name, models[name], way.messages(unit), schema=prompts.VerdictShape
        )
        made.setdefault(name, []).append((request, 0))
    return made


def _beyond(
    way: Verifying[U], wanted: Sequence[tuple[U, str]], models: Mapping[str, Model]
) -> tuple[str, ...]:  # fmt: skip
    lost = Counter(name for unit, name in wanted if is_too_long(unit.tokens, models[name]))
    one, several = way.thing
    return tuple(
        f"{counted(count, f'{one} was', f'{several} were')} not put to {name!r}: {way.pages}."
        for name, count in lost.items()
    )


def _with_quotes(report: Report, quotes: Counter[str]) -> Report:
    if not quotes:
        return report
    line = (
        f"Quotes: {quotes['exact']:,} found word for word, {quotes['folded']:,} but for spaces and"
        f" signs; {quotes['alike']:,} alike, not the same; {quotes['missing']:,} not on the page;"
        f" {counted(quotes['none'], 'verdict', 'verdicts')} without one."
    )
    return replace(report, lines=(*report.lines, line))
