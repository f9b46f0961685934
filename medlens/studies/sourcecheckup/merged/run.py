"""Judges statements against all readable sources of their answer at once, by any verifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm import Answer
from medlens.llm.declared import RunReport
from medlens.llm.pipeline import How
from medlens.review import judges
from medlens.review.judges import Which
from medlens.store import Store
from medlens.studies.sourcecheckup import prompts, rows
from medlens.studies.sourcecheckup.file_queries import known_items
from medlens.studies.sourcecheckup.models import MERGED_KIND, SourceJudgment, merged_id
from medlens.studies.sourcecheckup.run import models_of
from medlens.studies.sourcecheckup.run_pairs import Texts, is_illustrative, readable_pairs
from medlens.studies.sourcecheckup.run_verdicts import Verifying, verdicts
from medlens.studies.sourcecheckup.tasks import MERGED
from medlens.web.quotes import STANDINGS

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


def merged_to_ask(store: Store, dataset: str) -> list[MergedToAsk]:
    """Every statement whose response has two or more readable sources, in order.

    With one source there is nothing to merge: its own verdict is the answer.
    """
    made = []
    for statement, pairs in groupby(readable_pairs(store, dataset), lambda one: one.statement):
        all_ = list(pairs)
        if len(all_) < 2:
            continue
        sources = tuple(one.source for one in all_)
        made.append(
            MergedToAsk(
                merged_id(dataset, statement, sources),
                statement,
                all_[0].text,
                all_[0].response,
                tuple(one.url for one in all_),
                sources,
                sum(one.tokens for one in all_),
            )
        )
    return made


def merged(
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
    chosen = models_of(settings, models)
    found = merged_to_ask(store, dataset)
    if not found:
        raise InvalidInput(
            f"There are no sources to merge in the dataset {dataset!r}.",
            hint="It takes statements of answers with two or more sources that could be read.",
        )
    texts = Texts(store)

    def judged(answer: Answer, one: MergedToAsk) -> tuple[SourceJudgment, str]:
        quote = answer.value.quote.strip()
        standing = {texts.of(source).stands(quote).how for source in one.sources}
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
        standing=judges.as_judgments(store, MERGED, dataset),
        make_items=lambda: _make_items(store, dataset, found),
        messages=lambda one: prompts.merged_messages(
            one.text, [texts.of(source).text for source in one.sources]
        ),
        judged=judged,
        urls=lambda one: " ".join(one.urls),
        thing=("statement", "statements"),
        beyond="its answer's pages together are longer than its context",
        done="These models have judged every statement against its merged sources already.",
    )
    return verdicts(
        store, way, models=chosen, dataset=dataset, which=which, sample=sample, how=how or How()
    )


def _make_items(store: Store, dataset: str, found: Sequence[MergedToAsk]) -> None:
    held = known_items(store, dataset, MERGED_KIND)
    illustrative = is_illustrative(store, dataset)
    made = rows.together(
        rows.merged(
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
        store.append_all(made)
