"""The fifth step: every statement held against every source of its answer, by any verifiers."""

from __future__ import annotations

from collections.abc import Sequence

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm.declared import RunReport
from medlens.llm.pipeline import How
from medlens.review import judges
from medlens.review.judges import Which
from medlens.store import Store
from medlens.studies.sourcecheckup import prompts
from medlens.studies.sourcecheckup.run import models_of
from medlens.studies.sourcecheckup.run_pairs import Texts, judged, make_pairs, pairs_to_ask
from medlens.studies.sourcecheckup.run_verdicts import Verifying, verdicts
from medlens.studies.sourcecheckup.tasks import SUPPORT

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
    """Let each verifier judge the pairs with a readable source that ``which`` names.

    What it now says otherwise is a second revision. A page longer than a verifier's context ends as
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
