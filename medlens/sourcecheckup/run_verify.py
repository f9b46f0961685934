"""The fifth step: every statement held against every source of its answer, by any verifiers."""

from __future__ import annotations

from collections.abc import Sequence

from medlens.errors import InvalidInput
from medlens.llm.pipeline import How
from medlens.settings import Settings
from medlens.sourcecheckup import prompts, queries
from medlens.sourcecheckup.run import Report, models_of
from medlens.sourcecheckup.run_pairs import Texts, judged, make_pairs, pairs_to_ask
from medlens.sourcecheckup.run_verdicts import Verifying, verdicts
from medlens.sourcecheckup.tasks import SUPPORT
from medlens.store import Store

VERIFY = "verify"


def verify(
    store: Store, settings: Settings, *, models: Sequence[str], dataset: str, again: bool = False,
    how: How | None = None,
) -> Report:  # fmt: skip
    """Let each verifier judge every pair with a readable source that it has not judged.

    ``again``: also those it has, as a second revision where it now says something else (after a
    change of its parameters or of the prompt; the same request is never paid for twice). A page
    longer than a verifier's context ends as ``too_long``, without a verdict.

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
        kind=VERIFY, task=SUPPORT, units=found,
        config={
            "prompt": prompts.VERIFY_VERSION,
            "instruction": [prompts.VERIFY_ROLE, prompts.VERIFY_RULES, prompts.VERIFY_TASK],
        },
        standing=queries.standing_verdicts(store, dataset),
        make_items=lambda: make_pairs(store, dataset),
        messages=lambda pair: prompts.verify_messages(pair.text, texts.of(pair.source).text),
        judged=lambda answer, pair: judged(answer, texts.of(pair.source)),
        about=lambda pair: {"pair": pair.item, "url": pair.url},
        thing=("pair", "pairs"), pages="the page is longer than its context",
        done="These models have judged every pair already.",
    )  # fmt: skip
    return verdicts(store, way, models=chosen, dataset=dataset, again=again, how=how or How())
