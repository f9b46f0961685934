"""What all verification shares, whether a statement is judged against one source or all.

All verdicts are kept in the layer of judges (``studies.model_verdicts_and_runs_of_judges``); the
one that counts is also a judgment of the review spine, with the model as rater. Pages are put
between marks with the page's own fingerprint, because they can contain words addressed to the
verifier.

Merged sources are a sensitivity check: Wu et al. 2025 judge each pair alone, so a statement whose
halves are on two pages counts as not supported. Here a verifier sees the pages together. These
verdicts are separate from those on pairs (task ``merged_support``, items of kind ``merged``) and
change no other figure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Generic, Protocol, TypeVar

from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm import Answer, Message
from medlens.llm.pipeline_declaration_forecast_and_run import How, RunReport
from medlens.llm.token_cost_forecast_and_budget import estimate_tokens_from_length
from medlens.review import assignment, items
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.model_verdicts_and_runs_of_judges import Judging, Subject, Verdict, Which, Word
from medlens.studies.sourcecheckup import prompts, records_to_store_rows
from medlens.studies.sourcecheckup.make_statement_source_pairs import (
    is_dataset_illustrative,
    list_readable_pairs,
    list_readable_pairs_in_order_of_source,
    make_judgment_and_say_how_quote_matches,
    make_loader_of_quotable_texts,
    make_missing_pair_items_and_count,
)
from medlens.studies.sourcecheckup.records import (
    MERGED_KIND,
    PAIR_KIND,
    STUDY,
    SourceJudgment,
    id_of_merged_sources_item,
)
from medlens.studies.sourcecheckup.run_pipeline_step import count_with_noun, models_by_name
from medlens.studies.sourcecheckup.tables_as_in_files_queries import ids_of_items_of_kind
from medlens.studies.sourcecheckup.tasks import MERGED, SUPPORT
from medlens.web.quote_search import STANDINGS

_TOLD, _VERDICT = 400, 150


class UnitToVerify(Protocol):
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


U = TypeVar("U", bound=UnitToVerify)


@dataclass(frozen=True, kw_only=True)
class Verifying(Generic[U]):
    """One way of verifying.

    ``units`` are all units, ``standing`` the models' current verdicts on them ((item, model) ->
    (revision, body)). ``make_items`` makes the units items. ``judged`` turns an answer into a
    judgment and says how its quote was found. ``urls`` gives the addresses of a unit's pages.
    ``thing`` names one and several, ``beyond`` says what is too long for a context, ``done`` that
    nothing is left, ``nothing`` that there are no units, and ``takes`` what there must be.
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
    nothing: str
    takes: str


def run_verifiers(
    store: Store,
    settings: Settings,
    way: Verifying[U],
    *,
    models: Sequence[str],
    dataset: str,
    which: Which,
    sample: int = 0,
    how: How | None,
) -> RunReport:
    """Let each model judge the units that ``which`` selects, or a ``sample`` of them; see
    ``model_verdicts_and_runs_of_judges.run_models_as_judges``.

    Pages longer than a model's context end as ``too_long``, without a verdict.

    Raises:
        InvalidInput: there is no such model, or there are no units.
    """
    chosen = models_by_name(settings, models)
    if not way.units:
        raise InvalidInput(way.nothing, hint=way.takes)
    units = {one.item: one for one in way.units}
    quotes: Counter[str] = Counter()

    def read(answer: Answer, subject: Subject, _version: int) -> Word:
        value, found = way.judged(answer, units[subject.id])
        quotes[found] += 1
        body: dict[str, Any] = {"quote": value.quote, "found": found}
        return Word(str(value.verdict), value.reason, body=body, value=value)

    def tokens(subject: Subject) -> int:
        unit = units[subject.id]
        return unit.tokens + _TOLD + estimate_tokens_from_length(len(unit.text))

    made = model_verdicts_and_runs_of_judges.run_models_as_judges(
        store,
        Judging(
            study=STUDY,
            kind=way.kind,
            task=way.task,
            dataset=dataset,
            prompt=way.prompt,
            subjects=model_verdicts_and_runs_of_judges.sample_subjects(
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
            fits=lambda subject, model: not is_too_long_for_model(units[subject.id].tokens, model),
        ),
        judges=chosen,
        which=which,
        how=how or How(),
    )
    return replace(made, lines=(*made.lines, *_quotes(quotes)))


def list_verdicts(store: Store, task: str, dataset: str, *, item: str = "") -> list[Verdict]:
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

    return model_verdicts_and_runs_of_judges.list_verdicts_with_imported(
        store, task, dataset, told, subject=item
    )


def is_too_long_for_model(tokens: int, model: Model) -> bool:
    """Whether pages and the rest of the prompt do not fit into a model's context."""
    return bool(model.context) and tokens + _TOLD + _VERDICT > model.context


def _quotes(quotes: Counter[str]) -> tuple[str, ...]:
    if not quotes:
        return ()
    return (
        f"Quotes: {quotes['exact']:,} found word for word, {quotes['folded']:,} apart from spaces"
        f" and"
        f" signs; {quotes['cut_short']:,} cut short, so that they say something else;"
        f" {quotes['alike']:,} similar, not the same; {quotes['missing']:,} not on the page;"
        f" {count_with_noun(quotes['none'], 'verdict', 'verdicts')} without one.",
    )


# -- every statement against every source of its answer --------------------------------------------


VERIFY = "verify"


def let_models_verify_pairs(
    store: Store,
    settings: Settings,
    *,
    models: Sequence[str],
    dataset: str,
    which: Which = "missing",
    sample: int = 0,
    handed_out: bool = False,
    how: How | None = None,
) -> RunReport:
    """Let each verifier judge the pairs with a readable source that ``which`` selects, or those of
    them that were ``handed_out`` to people.

    A changed verdict is stored as a new revision. A page longer than a verifier's context ends as
    ``too_long``, without a verdict.

    Raises:
        InvalidInput: there is no such model, or nothing to verify.
    """
    text_of, units = (
        make_loader_of_quotable_texts(store),
        list_readable_pairs_in_order_of_source(store, dataset),
    )
    nothing = f"There is nothing to verify in the dataset {dataset!r}."
    if handed_out:
        with_people = assignment.ids_of_items_handed_out(store, SUPPORT, dataset)
        units = [one for one in units if one.item in with_people]
        nothing = f"No pairs of the dataset {dataset!r} have been handed out to people."
    way = Verifying(
        kind=VERIFY,
        task=SUPPORT,
        prompt=prompts.VERIFY_VERSION,
        units=units,
        instruction=(prompts.VERIFY_ROLE, prompts.VERIFY_RULES, prompts.VERIFY_TASK),
        standing=model_verdicts_and_runs_of_judges.model_judgments_by_item_and_model(
            store, SUPPORT, dataset
        ),
        make_items=lambda: make_missing_pair_items_and_count(store, dataset),
        messages=lambda pair: prompts.messages_asking_for_verdict(
            pair.text, text_of(pair.source).text
        ),
        judged=lambda answer, pair: make_judgment_and_say_how_quote_matches(
            answer, text_of(pair.source)
        ),
        urls=lambda pair: pair.url,
        thing=("pair", "pairs"),
        beyond="the page is longer than its context",
        done="These models have judged every pair already.",
        nothing=nothing,
        takes="It takes statements, and sources that could be read.",
    )
    return run_verifiers(
        store, settings, way, models=models, dataset=dataset, which=which, sample=sample, how=how
    )


MERGED_STEP = "merged"


@dataclass(frozen=True)
class MergedToAsk:
    """A statement and the readable sources of its response, in the order of citation."""

    item: str
    statement: str
    text: str
    response: str
    urls: tuple[str, ...]
    sources: tuple[str, ...]
    tokens: int


def list_statements_with_merged_sources(store: Store, dataset: str) -> list[MergedToAsk]:
    """Every statement whose response has two or more readable sources, in order.

    With one source there is nothing to merge: its own verdict is the answer.
    """
    made = []
    for statement, pairs in groupby(list_readable_pairs(store, dataset), lambda one: one.statement):
        all_ = list(pairs)
        if len(all_) < 2:
            continue
        sources = tuple(one.source for one in all_)
        made.append(
            MergedToAsk(
                id_of_merged_sources_item(dataset, statement, sources),
                statement,
                all_[0].text,
                all_[0].response,
                tuple(one.url for one in all_),
                sources,
                sum(one.tokens for one in all_),
            )
        )
    return made


def let_models_verify_sources_together(
    store: Store,
    settings: Settings,
    *,
    models: Sequence[str],
    dataset: str,
    which: Which = "missing",
    sample: int = 0,
    how: How | None = None,
) -> RunReport:
    """Let each verifier judge statements against their answer's readable sources together.

    Takes the statements of answers with two or more readable sources, as ``which`` selects. If the
    sources together are longer than a verifier's context, the job ends as ``too_long``, without a
    verdict.

    Raises:
        InvalidInput: there is no such model, or nothing to merge.
    """
    found = list_statements_with_merged_sources(store, dataset)
    text_of = make_loader_of_quotable_texts(store)

    def judged(answer: Answer, one: MergedToAsk) -> tuple[SourceJudgment, str]:
        quote = answer.value.quote.strip()
        standing = {text_of(source).look_up_quote(quote).how for source in one.sources}
        how_found = next(how for how in STANDINGS if how in standing)
        # Passages are positions in one text; here only the quote can say which page it is from.
        return SourceJudgment(
            verdict=answer.value.verdict, reason=answer.value.reason.strip(), quote=quote
        ), how_found

    way = Verifying(
        kind=MERGED_STEP,
        task=MERGED,
        prompt=prompts.MERGED_VERSION,
        units=found,
        instruction=(prompts.MERGED_ROLE, prompts.MERGED_RULES, prompts.MERGED_TASK),
        standing=model_verdicts_and_runs_of_judges.model_judgments_by_item_and_model(
            store, MERGED, dataset
        ),
        make_items=lambda: _make_items(store, dataset, found),
        messages=lambda one: prompts.messages_asking_verdict_on_all_sources(
            one.text, [text_of(source).text for source in one.sources]
        ),
        judged=judged,
        urls=lambda one: " ".join(one.urls),
        thing=("statement", "statements"),
        beyond="its answer's pages together are longer than its context",
        done="These models have judged every statement against its merged sources already.",
        nothing=f"There are no sources to merge in the dataset {dataset!r}.",
        takes="It takes statements of answers with two or more sources that could be read.",
    )
    return run_verifiers(
        store, settings, way, models=models, dataset=dataset, which=which, sample=sample, how=how
    )


def _make_items(store: Store, dataset: str, found: Sequence[MergedToAsk]) -> None:
    held = ids_of_items_of_kind(store, dataset, MERGED_KIND)
    illustrative = is_dataset_illustrative(store, dataset)
    made = records_to_store_rows.join_rows_by_table(
        records_to_store_rows.merged_sources_item_rows(
            one.statement,
            one.response,
            sources=one.sources,
            dataset=dataset,
            illustrative=illustrative,
        )
        for one in found
        if one.item not in held
    )
    if made:
        given = {row["id"]: (row["digest"], row["body"]) for row in made["item"]}
        store.append_all_and_count_new_by_table(
            {**made, **items.make_rows_by_table_that_bring_back_items(store, given)}
        )
