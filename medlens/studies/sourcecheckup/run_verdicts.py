"""What all verification shares, whether a statement is judged against one source or all.

All verdicts are kept in the layer of judges (``review.judges``); the one that counts is also a
judgment of the review spine, with the model as rater. Pages are put between marks with the page's
own fingerprint, because they can contain words addressed to the verifier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm import Answer, Message
from medlens.llm.cost import text_tokens
from medlens.llm.declared import RunReport
from medlens.llm.pipeline import How
from medlens.review import judges
from medlens.review.judges import Judging, Subject, Verdict, Which, Word
from medlens.store import Store
from medlens.studies.sourcecheckup import prompts
from medlens.studies.sourcecheckup.models import PAIR_KIND, STUDY, SourceJudgment
from medlens.studies.sourcecheckup.run import counted, models_of
from medlens.studies.sourcecheckup.run_pairs import Texts, judged, make_pairs, pairs_to_ask
from medlens.studies.sourcecheckup.tasks import SUPPORT

_TOLD, _VERDICT = 400, 150


class Unit(Protocol):
    """What a verifier judges at once: an item, its statement and the statement's text, the tokens
    of its pages.
    """

    @property
    def item(self) -> str: ...
    @property
    def statement(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> int: ...


U = TypeVar("U", bound=Unit)


@dataclass(frozen=True, kw_only=True)
class Verifying(Generic[U]):
    """One way of verifying.

    ``units`` are all units, ``standing`` the models' current verdicts on them ((item, model) ->
    (revision, body)). ``make_items`` makes the units items. ``judged`` turns an answer into a
    judgment and says how its quote was found. ``urls`` gives the addresses of a unit's pages.
    ``thing`` names one and several, ``beyond`` says what is too long for a context, ``done`` that
    nothing is left.
    """

    kind: str
    task: str
    prompt: str
    instruction: Sequence[str]
    units: Sequence[U]
    standing: Mapping[tuple[str, str], tuple[int, str]]
    make_items: Callable[[], object]
    messages: Callable[[U], list[Message]]
    judged: Callable[[Answer, U], tuple[SourceJudgment, str]]
    urls: Callable[[U], str]
    thing: tuple[str, str]
    beyond: str
    done: str


def verdicts(
    store: Store,
    way: Verifying[U],
    *,
    models: Mapping[str, Model],
    dataset: str,
    which: Which,
    sample: int = 0,
    how: How,
) -> RunReport:
    """Let each model judge the units that ``which`` selects, or a ``sample`` of them; see
    ``judges.judge``.

    Pages longer than a model's context end as ``too_long``, without a verdict.
    """
    units = {one.item: one for one in way.units}
    quotes: Counter[str] = Counter()

    def read(answer: Answer, subject: Subject) -> Word:
        value, found = way.judged(answer, units[subject.id])
        quotes[found] += 1
        body: dict[str, Any] = {"quote": value.quote, "found": found}
        return Word(str(value.verdict), value.reason, body=body, value=value)

    def tokens(subject: Subject) -> int:
        unit = units[subject.id]
        return unit.tokens + _TOLD + text_tokens(len(unit.text))

    made = judges.judge(
        store,
        Judging(
            study=STUDY,
            kind=way.kind,
            task=way.task,
            dataset=dataset,
            prompt=way.prompt,
            subjects=judges.drawn(
                [
                    Subject(one.item, {"statement": one.statement, "url": way.urls(one)})
                    for one in way.units
                ],
                sample,
            ),
            messages=lambda subject: way.messages(units[subject.id]),
            shape=lambda _: prompts.VerdictShape,
            read=read,
            config={"instruction": list(way.instruction)},
            standing=way.standing,
            begin=way.make_items,
            tokens=tokens,
            beyond=way.beyond,
            called=way.thing,
            done=way.done,
            answer_tokens=_VERDICT,
            fits=lambda subject, model: not is_too_long(units[subject.id].tokens, model),
        ),
        judges=models,
        which=which,
        how=how,
    )
    return replace(made, lines=(*made.lines, *_quotes(quotes)))


def said_of(store: Store, task: str, dataset: str, *, item: str = "") -> list[Verdict]:
    """Every verdict of the models on pairs, or on merged sources by ``task``; or on one item."""

    def told(name: str, body: dict[str, Any]) -> Word:
        value = SourceJudgment.model_validate(body)
        kind, _, rest = name.partition(" ")
        statement, _, url = rest.rpartition(" ")
        about = {
            "statement": statement,
            "url": url if kind == PAIR_KIND else "",
            "quote": value.quote,
        }
        return Word(str(value.verdict), value.reason, body=about)

    return judges.with_imported(store, task, dataset, told, subject=item)


def is_too_long(tokens: int, model: Model) -> bool:
    """Whether pages and the rest of the prompt do not fit into a model's context."""
    return bool(model.context) and tokens + _TOLD + _VERDICT > model.context


def _quotes(quotes: Counter[str]) -> tuple[str, ...]:
    if not quotes:
        return ()
    return (
        f"Quotes: {quotes['exact']:,} found word for word, {quotes['folded']:,} apart from spaces"
        f" and"
        f" signs; {quotes['alike']:,} similar, not the same; {quotes['missing']:,} not on the page;"
        f" {counted(quotes['none'], 'verdict', 'verdicts')} without one.",
    )


# -- every statement against every source of its answer --------------------------------------------


VERIFY = "verify"


def verify(
    store: Store,
    settings: Settings,
    *,
    models: Sequence[str],
    dataset: str,
    which: Which = "missing",
    sample: int = 0,
    how: How | None = None,
) -> RunReport:
    """Let each verifier judge the pairs with a readable source that ``which`` selects.

    A changed verdict is stored as a new revision. A page longer than a verifier's context ends as
    ``too_long``, without a verdict.

    Raises:
        InvalidInput: there is no such model, or nothing to verify.
    """
    chosen = models_of(settings, models)
    found = pairs_to_ask(store, dataset)
    if not found:
        raise InvalidInput(
            f"There is nothing to verify in the dataset {dataset!r}.",
            hint="It takes statements, and sources that could be read.",
        )
    texts = Texts(store)
    way = Verifying(
        kind=VERIFY,
        task=SUPPORT,
        prompt=prompts.VERIFY_VERSION,
        units=found,
        instruction=(prompts.VERIFY_ROLE, prompts.VERIFY_RULES, prompts.VERIFY_TASK),
        standing=judges.as_judgments(store, SUPPORT, dataset),
        make_items=lambda: make_pairs(store, dataset),
        messages=lambda pair: prompts.verify_messages(pair.text, texts.of(pair.source).text),
        judged=lambda answer, pair: judged(answer, texts.of(pair.source)),
        urls=lambda pair: pair.url,
        thing=("pair", "pairs"),
        beyond="the page is longer than its context",
        done="These models have judged every pair already.",
    )
    return verdicts(
        store, way, models=chosen, dataset=dataset, which=which, sample=sample, how=how or How()
    )
