"""The sixth step, SourceCleanup: edits or removes what no source supports, and rechecks the
edits.

A statement is corrected using the source that came nearest to supporting it, even if another could
not be read. It is left as it is if none of its sources could be read or a verdict is outstanding:
nothing is known about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from medlens import llm
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm.forecast_of_calls_beyond_stored_answers import (
    CallsToCome,
    Foreseen,
    StoredCompletions,
)
from medlens.llm.pipeline_declaration_forecast_and_run import How, RunReport
from medlens.llm.result_writer import StoreRowWriter
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.sourcecheckup import prompts, queries, records_to_store_rows
from medlens.studies.sourcecheckup.make_statement_source_pairs import (
    PairToAsk,
    list_readable_pairs_in_order_of_source,
    make_judgment_and_say_how_quote_matches,
    make_loader_of_quotable_texts,
)
from medlens.studies.sourcecheckup.records import (
    VERDICT_NAMES,
    CleanUp,
    SourceJudgment,
    Statement,
    address_without_fragment,
)
from medlens.studies.sourcecheckup.run_pipeline_step import (
    Step,
    forecast_confirm_and_run_step,
    models_by_name,
)
from medlens.studies.sourcecheckup.run_verification import is_too_long_for_model
from medlens.studies.sourcecheckup.tasks import SUPPORT

CLEANUP = "cleanup"
_EDIT, _VERDICT, _TOLD = 100, 150, 400
_NEAREST = {"partly": 0, "contradicted": 1, "not_supported": 2}
_NO_SOURCE = "The answer names no source."


@dataclass(frozen=True)
class ToClean:
    """An unsupported statement. ``pair`` is the one to correct it by, None if no source is given;
    ``verdict`` and ``reason`` are the verifier's. ``made`` is an edit still to be rechecked.
    """

    statement: Statement
    pair: PairToAsk | None
    verdict: str = ""
    reason: str = ""
    made: CleanUp | None = None


def correct_and_recheck_statements(
    store: Store,
    settings: Settings,
    *,
    model: str,
    verifier: str,
    dataset: str,
    how: How | None = None,
) -> RunReport:
    """Let ``model`` correct what ``verifier`` found unsupported, and the verifier judge the
    edits.

    Statements that this model has already handled are skipped, except edits not yet rechecked.

    Raises:
        InvalidInput: there is no such model, or the verifier has judged nothing.
    """
    chosen = models_by_name(settings, [model, verifier])
    wanted = statements_to_clean(store, dataset, model=model, verifier=verifier)
    text_of = make_loader_of_quotable_texts(store)
    free = [one for one in wanted if one.pair is None]
    asked = [one for one in wanted if one.pair is not None]

    async def mend(one: ToClean, pair: PairToAsk, ask: llm.Ask) -> llm.Answer:
        said = prompts.messages_asking_for_corrected_statement(
            one.statement.statement,
            text_of(pair.source).text,
            VERDICT_NAMES[one.verdict],  # type: ignore[index]
            one.reason,
        )
        return await ask(model, said, schema=prompts.CleanShape)

    async def check(pair: PairToAsk, text: str, ask: llm.Ask) -> llm.Answer:
        said = prompts.messages_asking_for_verdict(text, text_of(pair.source).text)
        return await ask(verifier, said, schema=prompts.VerdictShape)

    async def both(one: ToClean, pair: PairToAsk, ask: llm.Ask) -> None:
        made = one.made
        if made is None:
            answer = await mend(one, pair, ask)
            made = _made(one, answer.value, model, pair.url) if answer.outcome == "ok" else None
        if made is not None and made.action != "removed":
            await check(pair, made.text, ask)

    async def checked(
        ask: llm.Ask, pair: PairToAsk, made: CleanUp, run: str, writer: StoreRowWriter
    ) -> llm.Result:
        light = {"statement": made.statement, "url": pair.url}
        answer = await check(pair, made.text, ask)
        light |= answer.provenance_fields
        if answer.outcome != "ok":
            return llm.Result(answer.outcome, light)
        value, found = make_judgment_and_say_how_quote_matches(answer, text_of(pair.source))
        cleaned = records_to_store_rows.cleanup_id(made, dataset=dataset)
        await writer.put(
            records_to_store_rows.recheck_rows_by_table(
                value, cleanup=cleaned, model=verifier, run=run
            )
        )
        outcome = "edited_supported" if value.is_supported_if_answered else "edited_unsupported"
        return llm.Result(outcome, {**light, "quote": found})

    async def work(one: ToClean, ask: llm.Ask, run: str, writer: StoreRowWriter) -> llm.Result:
        pair = one.pair
        light: dict[str, Any] = {"statement": one.statement.name}
        if pair is None:
            made = _removed(one, model, url="", reason=_NO_SOURCE)
            await writer.put(
                records_to_store_rows.cleanup_rows_by_table(made, dataset=dataset, run=run)
            )
            return llm.Result("removed", light)
        light["url"] = pair.url
        if any(is_too_long_for_model(pair.tokens, chosen[name]) for name in (model, verifier)):
            return llm.Result("too_long", light)
        if one.made is not None:
            return await checked(ask, pair, one.made, run, writer)
        answer = await mend(one, pair, ask)
        if answer.outcome != "ok":
            return llm.Result(answer.outcome, {**light, **answer.provenance_fields})
        made = _made(one, answer.value, model, pair.url)
        await writer.put(
            records_to_store_rows.cleanup_rows_by_table(made, dataset=dataset, run=run)
        )
        if made.action == "removed":
            return llm.Result("removed", {**light, **answer.provenance_fields})
        return await checked(ask, pair, made, run, writer)

    completions, to_come = StoredCompletions(store, chosen), CallsToCome()
    for one in asked:
        pair = one.pair
        assert pair is not None, "those without a source are removed unasked"
        if any(is_too_long_for_model(pair.tokens, chosen[name]) for name in (model, verifier)):
            continue
        if (
            one.made is None
            and completions.find_first_unanswered_request(partial(mend, one, pair)) is not None
        ):
            to_come.add_calls_of_model(model, 1, pair.tokens + _TOLD, _EDIT)
            to_come.add_calls_of_model(verifier, 1, pair.tokens + _TOLD, _VERDICT)
        elif completions.find_first_unanswered_request(partial(both, one, pair)) is not None:
            to_come.add_calls_of_model(verifier, 1, pair.tokens + _TOLD, _VERDICT)
    return forecast_confirm_and_run_step(
        store,
        how=how,
        step=Step(
            kind=CLEANUP,
            dataset=dataset,
            models=chosen,
            # Rechecking an edit is a different job from making it.
            units={
                f"{one.statement.name}{' again' if one.made else ''}": one
                for one in (*free, *asked)
            },
            work=work,
            left=Foreseen(to_come.list_planned_calls_of_each_model(), len(completions.found)),
            config={
                "model": model,
                "verifier": verifier,
                "prompt": prompts.CLEAN_VERSION,
                "instruction": [prompts.CLEAN_ROLE, prompts.VERIFY_RULES, prompts.CLEAN_TASK],
                "verify_prompt": prompts.VERIFY_VERSION,
            },
            table="sc_cleanup",
            says=("statement was edited or removed", "statements were edited or removed"),
            empty="Nothing is left to clean up.",
        ),
    )


def statements_to_clean(store: Store, dataset: str, *, model: str, verifier: str) -> list[ToClean]:
    """The statements that ``verifier`` found unsupported by every readable source (at least one)
    and ``model`` has not handled; and those without any source.

    Raises:
        InvalidInput: the verifier has judged nothing.
    """
    said = _said(store, dataset, verifier)
    by_statement: dict[str, list[PairToAsk]] = {}
    for one in list_readable_pairs_in_order_of_source(store, dataset):
        by_statement.setdefault(one.statement, []).append(one)
    cited = {
        one.name: {address_without_fragment(url) for url in one.urls}
        for one in queries.list_responses(store, dataset)
    }
    fetched = queries.newest_snapshots_by_address(store, dataset).keys()
    made, rechecked = _mended(store, dataset, model, verifier)
    found: list[ToClean] = []
    for statement in queries.list_statements(store, dataset):
        before = made.get(statement.name)
        if before is not None and (before.action == "removed" or statement.name in rechecked):
            continue
        urls = cited[statement.response]
        pairs = by_statement.get(statement.name, [])
        verdicts = {one.item: said[one.item] for one in pairs if one.item in said}
        if before is not None:
            pair = next((one for one in pairs if one.url == before.url), None)
            if pair is not None:
                found.append(ToClean(statement, pair, made=before))
        elif not urls:
            found.append(ToClean(statement, None))
        # Nothing is outstanding: every page was fetched, and every readable one was judged.
        elif (
            verdicts
            and len(verdicts) == len(pairs)
            and urls <= fetched
            and all(v.verdict in _NEAREST for v in verdicts.values())
        ):
            nearest = min(pairs, key=lambda one: _NEAREST[str(verdicts[one.item].verdict)])
            value = verdicts[nearest.item]
            found.append(ToClean(statement, nearest, str(value.verdict), value.reason))
    return found


def _said(store: Store, dataset: str, verifier: str) -> Mapping[str, SourceJudgment]:
    standing = model_verdicts_and_runs_of_judges.model_judgments_by_item_and_model(
        store, SUPPORT, dataset
    )
    said = {
        item: SourceJudgment.model_validate_json(body)
        for (item, rater), (_, body) in standing.items()
        if rater == verifier
    }
    if not said:
        raise InvalidInput(
            f"The model {verifier!r} has verified nothing in the dataset {dataset!r}.",
            hint="Run the verification with it first.",
        )
    return said


def _mended(
    store: Store, dataset: str, model: str, verifier: str
) -> tuple[dict[str, CleanUp], set[str]]:
    """A model's edits and removals, and which of the edits have been rechecked."""
    there = queries.current_cleanups_table(store, dataset)
    there = there[there["cleaner"] == model]
    made = {
        row["statement"]: CleanUp.model_construct(
            statement=row["statement"],
            url=row["url"],
            action=row["action"],
            text=row["text"],
            reason=row["reason"],
            model=model,
        )
        for row in there.to_dict("records")
    }
    return made, set(there.loc[there["verdict"] != "", "statement"])


def _removed(one: ToClean, model: str, *, url: str, reason: str) -> CleanUp:
    return CleanUp(
        statement=one.statement.name, url=url, action="removed", reason=reason, model=model
    )


def _made(one: ToClean, said: prompts.CleanShape, model: str, url: str) -> CleanUp:
    text = " ".join(said.text.split())
    if said.action == "removed":
        return _removed(one, model, url=url, reason=said.reason.strip())
    return CleanUp(
        statement=one.statement.name,
        url=url,
        action="edited",
        text=text,
        reason=said.reason.strip(),
        model=model,
    )
