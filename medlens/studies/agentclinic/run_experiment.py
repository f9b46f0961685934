"""AgentClinic's pipeline: models play the visits of an experiment to the end.

A visit ends as ``correct``, ``incorrect`` or ``no_diagnosis``; as ``error`` if the endpoint gave no
answer, in which case the next start resumes it; as ``failed`` if there is nothing more to get (the
moderator's verdict is unreadable, the talk is longer than the model's context): the dialogue then
has the outcome ``error`` for good. Every visit that has ended, except those to be resumed, is an
item of the dataset before the run records it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.llm import completion_run_and_job_queries as stored
from medlens.llm.forecast_of_calls_beyond_stored_answers import (
    CallsToCome,
    Foreseen,
    NotStored,
    StoredCompletions,
)
from medlens.llm.pipeline_declaration_forecast_and_run import (
    How,
    RunReport,
    forecast_confirm_and_carry_out_run,
)
from medlens.llm.result_writer import StoreRowWriter, ThreadedBatchWriter
from medlens.llm.token_cost_forecast_and_budget import estimate_tokens_from_length
from medlens.store import Store, utc_now
from medlens.studies.agentclinic import diagnosis_verdicts, experiment_grid, prompts, queries
from medlens.studies.agentclinic.agent_players import (
    FailedCall,
    ModelsAtVisit,
    ModelsBySeat,
    Verdict,
)
from medlens.studies.agentclinic.diagnosis_verdicts import OUTCOME_OF, DiagnosisPair
from medlens.studies.agentclinic.experiment_file import Experiment
from medlens.studies.agentclinic.experiment_grid import Cell
from medlens.studies.agentclinic.records import STUDY, Dialogue, PatientRatings, Turn
from medlens.studies.agentclinic.visit_turn_taking import (
    Ended,
    Visit,
    next_speaker_or_end,
    turns_plus_turn_of_current_speaker,
)
from medlens.studies.model_verdicts_and_runs_of_judges import (
    Judging,
    Wanted,
    ask_for_verdict,
    list_verdicts_to_ask_for,
)

# Tokens, from the lengths that the instructions ask for.
_DOCTOR, _REPLY, _VERDICT, _RATING, _IMAGE = 80, 80, 60, 50, 1000


def forecast_visits(
    store: Store,
    experiment: Experiment,
    cells: Iterable[Cell],
    judged: Sequence[DiagnosisPair],
    models: Mapping[str, Model],
    addresses: Mapping[str, str],
    used: Mapping[str, float],
) -> Foreseen:
    """The most these visits can take, if every doctor uses all its remaining messages, and the
    expected amount: ``used`` has the share of its messages that each doctor used so far.

    ``cells`` are those not yet played, ``judged`` the pairs of played ones that only need judging.
    A visit that was interrupted or stopped is followed as far as it is stored. A quarter of the
    doctor's remaining messages is assumed to order tests.
    """
    sums, completions = CallsToCome(), StoredCompletions(store, models)

    async def follow() -> None:
        for pair in judged:
            seats = ModelsBySeat(None, None, experiment.measurement, experiment.moderator)
            visit = Visit("", 1, "none", "", "", "")
            table = ModelsAtVisit(
                *(llm.Ask(completions), visit, seats, models),
                repeat=1,
                prompt=prompts.PROMPT_VERSION,
            )
            try:
                await table.judge_diagnosis(pair.given, pair.correct)
            except NotStored:
                sums.add_calls_of_model(experiment.moderator, 1, 3 * _VERDICT, _VERDICT)
        for cell in cells:
            seats = ModelsBySeat(
                cell.doctor, cell.patient, experiment.measurement, experiment.moderator
            )
            visit, ask = (
                experiment_grid.visit_of_cell(cell, experiment, addresses=addresses),
                llm.Ask(completions),
            )
            prompt = prompts.prompt_version_of_visit(models[experiment.moderator])
            table = ModelsAtVisit(ask, visit, seats, models, repeat=cell.repeat, prompt=prompt)
            await _left_of(sums, cell, visit, seats, ask, table, used.get(cell.doctor))

    asyncio.run(follow())
    return Foreseen(sums.list_planned_calls_of_each_model(), len(completions.found))


async def _left_of(
    sums: CallsToCome,
    cell: Cell,
    visit: Visit,
    seats: ModelsBySeat,
    ask: llm.Ask,
    table: ModelsAtVisit,
    used: float | None,
) -> None:
    """Add what a visit will still take, followed as far as it is stored."""
    turns: tuple[Turn, ...] = ()
    now = next_speaker_or_end(visit, turns)
    while not isinstance(now, Ended):
        try:
            answer = await ask(
                seats.name_of_model_of_speaker(now.speaker) or "",
                now.messages,
                repeat=cell.repeat - 1,
            )
        except NotStored:
            break
        turns = turns_plus_turn_of_current_speaker(
            visit, turns, answer.text, whole=answer.outcome == "ok"
        )
        now = next_speaker_or_end(visit, turns)
    told = (visit.doctor_told, visit.patient_told, visit.measurement_told)
    doctor, patient, measurement = (estimate_tokens_from_length(len(text)) for text in told)
    doctor += _IMAGE * len(visit.images)
    spoken = estimate_tokens_from_length(sum(len(turn.text) for turn in turns))
    if isinstance(now, Ended):
        try:
            await table.judge_diagnosis(now.diagnosis, cell.case.diagnosis)
        except NotStored:
            sums.add_calls_of_model(seats.moderator, 1, 3 * _VERDICT, _VERDICT)
        try:
            await table.rate_visit_as_patient(turns)
        except NotStored:
            sums.add_calls_of_model(cell.patient, 3, patient + spoken, _RATING)
        return
    # If the doctor's last message is unanswered, its answer is still to come as well.
    left = now.left
    replies = left - 1 if now.speaker == "doctor" else left
    before = spoken + max(left - 1, 0) / 2 * (_DOCTOR + _REPLY)
    orders = replies // 4
    # Messages already used are deducted from the number that doctors like this one usually use.
    usual = left if used is None else used * visit.n - (visit.n - left)

    def likely(calls: int) -> float | None:
        part = min(max(usual / max(left, 1), 0), 1)
        return None if used is None else min(max(part * calls, 1), calls)

    for who, calls, into, out in (
        (cell.doctor, left, doctor + before, _DOCTOR),
        (cell.patient, replies - orders, patient + 0.75 * before, _REPLY),
        (seats.measurement, orders, measurement + 0.25 * before, _REPLY),
    ):
        sums.add_calls_of_model(who, calls, into, out, most=True, likely=likely(calls))
    sums.add_calls_of_model(seats.moderator, 1, 3 * _VERDICT, _VERDICT)
    sums.add_calls_of_model(cell.patient, 3, patient + 1.5 * before, _RATING)


KIND = "play"
_GATHER = 0.2


def play_experiment(
    store: Store, settings: Settings, experiment: Experiment, *, how: How | None = None
) -> RunReport:
    """Play the visits of an experiment; each becomes a dialogue of its dataset as soon as it ends.

    A visit that was already played under the same rules, by this experiment or another, is not
    played again; use ``repeats`` for more of the same. If killed or stopped, it continues where it
    was when started again.

    Raises:
        InvalidInput: a case, model, bias or image is missing, or a model takes no images; nothing
            was asked.
    """
    how = how or How()
    store.fetch_rows_of_other_processes_and_count()
    begun = utc_now()
    ready = _ready(store, settings, experiment)
    cells, there, models = ready.cells, ready.there, ready.models
    judged = StoreRowWriter(store, "verdict")
    added = speechless = 0

    def keep(found: Sequence[tuple[str, Dialogue]]) -> None:
        nonlocal added
        added += queries.add_dialogues_and_return_added(
            store, found, dataset=experiment.dataset, begun=begun
        ).added

    dialogues = ThreadedBatchWriter(keep, linger=_GATHER)

    async def known(ask: llm.Ask, cell: Cell, run: str) -> llm.Result:
        """A visit that was played before needs only this moderator's verdict."""
        one = ready.to_judge.get(cell.name)
        if one is None:
            return llm.Result(there[cell.name], _light(cell))
        said = await ask_for_verdict(ask, ready.way, one, models[one.judge], judged, run=run)
        outcome = OUTCOME_OF.get(
            said.outcome, said.outcome if said.outcome == "error" else "failed"
        )
        return llm.Result(outcome, {**_light(cell), **said.body})

    def job(cell: Cell, run: str) -> llm.Job:
        async def work(ask: llm.Ask) -> llm.Result:
            if cell.name in there:
                return await known(ask, cell, run)
            seats = ModelsBySeat(
                cell.doctor, cell.patient, experiment.measurement, experiment.moderator
            )
            visit = experiment_grid.visit_of_cell(cell, experiment, addresses=ready.addresses)
            prompt = prompts.prompt_version_of_visit(models[experiment.moderator])
            table = ModelsAtVisit(ask, visit, seats, models, repeat=cell.repeat, prompt=prompt)
            done, trouble = await _visit(table, cell, seats, visit, run=run, prompt=prompt)
            if trouble is not None and not trouble.would_fail_again:
                whole = done.model_dump(mode="json")
                fault = {"error_class": trouble.error_class, "error": trouble.reason_in_words}
                return llm.Result("error", {**_light(cell), **fault, "whole": whole})
            nonlocal speechless
            silence = _unusable_speech(done, table)
            speechless += bool(silence)
            await dialogues.put((cell.name, done))
            kept = {"reason": done.reason, "doctor_read_as": _read_as(done)}
            return llm.Result(_ended(done.outcome), {**_light(cell), **kept}, silence)

        return llm.Job(cell.name, work)

    made = forecast_confirm_and_carry_out_run(
        store,
        study=STUDY,
        kind=KIND,
        models=models,
        how=how,
        config=experiment_grid.make_experiment_record(experiment, cells, models),
        left=ready.foreseen,
        jobs=lambda run: [job(cell, run) for cell in cells],
        at_once=_at_once(ready, how.spending_cap),
    )
    if made.batch is None:
        return made
    before = sum(cell.name in there for cell in cells)
    return made.with_further_lines(
        outcomes_in_words(made.outcomes),
        f"{before:,} of the visits had been played before." if before else "",
        f"{judged.added:,} verdicts of {experiment.moderator!r} are new." if judged.added else "",
        f"In {speechless:,} of the visits without a diagnosis the doctor's model sent no message"
        f" that"
        " can be used: see what was answered on the run's page."
        if speechless
        else "",
        f"{added:,} dialogues are new in {experiment.dataset!r}.",
        added=added,
    )


def outcomes_in_words(outcomes: Mapping[str, int]) -> str:
    """The outcomes in a sentence, with the denominator."""
    ended = sum(outcomes.values())
    if not ended:
        return "No visit has ended yet."
    lost = outcomes.get("failed", 0) + outcomes.get("error", 0)
    return (
        f"Of {ended:,} visits {outcomes.get('correct', 0):,} ended with the right diagnosis,"
        f" {outcomes.get('incorrect', 0):,} with a wrong one,"
        f" {outcomes.get('no_diagnosis', 0):,} without one, {lost:,} in an error."
    )


async def _visit(
    table: ModelsAtVisit, cell: Cell, seats: ModelsBySeat, visit: Visit, *, run: str, prompt: str
) -> tuple[Dialogue, FailedCall | None]:
    turns, trouble = await table.play_until_person_or_end(())
    if trouble is None:
        verdict = await table.judge_and_rate_ended_visit(turns, cell.case.diagnosis)
    else:
        end = next_speaker_or_end(visit, turns)
        named = end.diagnosis if isinstance(end, Ended) else ""
        verdict = Verdict("error", trouble.reason_in_words, PatientRatings(), trouble, named)
    done = Dialogue(
        case=cell.case_name,
        doctor=cell.doctor,
        patient=cell.patient,
        measurement=seats.measurement,
        moderator=seats.moderator,
        doctor_bias=cell.bias.doctor,
        patient_bias=cell.bias.patient,
        n_interactions=cell.n,
        image_mode=cell.image_mode,
        repeat=cell.repeat,
        turns=turns,
        diagnosis=verdict.diagnosis,
        outcome=verdict.outcome,
        reason=verdict.reason,
        ratings=verdict.ratings,
        prompt_version=prompt,
        run=run,
        cost=table.tally.cost,
        seconds=table.tally.seconds,
        calls=table.tally.calls,
        protocol=visit.protocol,
    )
    return done, verdict.trouble


def _unusable_speech(done: Dialogue, table: ModelsAtVisit) -> str:
    """What most of the doctor's messages were (``empty``, ``refused``, ``truncated``) if a visit
    has no diagnosis because none of them could be used; else empty.
    """
    spoken = sum(turn.speaker == "doctor" for turn in done.turns)
    if done.outcome != "no_diagnosis" or not 0 < spoken <= table.unusable.total():
        return ""
    return table.unusable.most_common(1)[0][0]


def _light(cell: Cell) -> dict[str, Any]:
    """What the list of a run's visits shows of each."""
    return {
        "dialogue": cell.name,
        "case": cell.case_name,
        "doctor": cell.doctor,
        "patient": cell.patient,
        "doctor_bias": cell.bias.doctor.id if cell.bias.doctor else "",
        "patient_bias": cell.bias.patient.id if cell.bias.patient else "",
        "n": cell.n,
        "image_mode": cell.image_mode,
        "repeat": cell.repeat,
    }


def _read_as(done: Dialogue) -> list[str]:
    """What each of the doctor's messages was read as, and by which words."""
    words = {
        "request_test": "a test, after REQUEST TEST",
        "request_images": "the images, after REQUEST IMAGES",
        "diagnosis": f"the diagnosis “{done.diagnosis}”, after DIAGNOSIS READY"
        if done.diagnosis
        else "words after DIAGNOSIS READY, in which the moderator found no disease",
    }
    return [
        f"{turn.n}. {words.get(turn.kind, 'words for the patient')}"
        for turn in done.turns
        if turn.speaker == "doctor"
    ]


def _ended(outcome: str) -> str:
    """A dialogue's outcome as its job's: to the batch, ``error`` means it must be redone."""
    return "failed" if outcome == "error" else outcome


def _played(store: Store, dataset: str) -> dict[str, str]:
    """The job outcomes of the dialogues in a dataset."""
    index = queries.dialogue_index_table(store, dataset)
    return {
        name: _ended(outcome)
        for name, outcome in zip(index["dialogue"], index["outcome"], strict=True)
    }


def visits_to_resume(store: Store, dataset: str) -> list[tuple[str, Dialogue]]:
    """(name, dialogue so far) of the visits that the next start resumes.

    They are not items yet, since an item never changes; figures that leave nothing out of a
    denominator count them as returned here, with the outcome ``error``.
    """
    there = _played(store, dataset)
    rows = stored.list_job_results_of_run_kind(
        store, study=STUDY, kind=KIND, dataset=dataset, outcome="error"
    )
    found = {
        row["job"]: Dialogue.model_validate(row["body"]["whole"])
        for row in rows
        if "whole" in row["body"] and row["job"] not in there
    }
    return [
        (name, one.model_copy(update={"outcome": "error", "unfinished": True}))
        for name, one in found.items()
    ]


# -- what to do -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ready:
    """A prepared experiment: its visits, what has been played of it, and what it will take.

    ``to_judge`` are verdicts wanted from this experiment's moderator, by name of a visit that
    another one has moderated; each pair is asked about once.
    """

    cells: list[Cell]
    there: dict[str, str]
    models: dict[str, Model]
    addresses: dict[str, str]
    way: Judging
    to_judge: dict[str, Wanted]
    foreseen: Foreseen


def _ready(store: Store, settings: Settings, experiment: Experiment) -> _Ready:
    dataset = experiment.dataset
    there = _played(store, dataset)
    known = there.keys() | {name for name, _ in visits_to_resume(store, dataset)}
    cells = [
        _as_known(cell, known)
        for cell in experiment_grid.list_visits_of_grid(store, settings, experiment)
    ]
    models = {
        name: llm.find_model_settings_by_name(settings, name)
        for name in experiment.names_of_all_models
    }
    experiment_grid.require_image_support(cells, models)
    addresses = experiment_grid.image_data_or_web_address_by_image(cells, experiment.images_folder)
    ids, pairs = (
        diagnosis_verdicts.pair_id_by_dialogue(store, dataset),
        diagnosis_verdicts.load_pairs_by_id(store, dataset),
    )
    mine = {ids[cell.name]: cell.name for cell in reversed(cells) if cell.name in ids}
    way = diagnosis_verdicts.make_model_judging_setup_for_pairs(
        store, dataset, {id: pairs[id] for id in mine}
    )
    asked = list_verdicts_to_ask_for(store, way, [experiment.moderator], "missing")
    to_judge = {mine[one.subject.id]: one for one in asked}
    foreseen = forecast_visits(
        store,
        experiment,
        [cell for cell in cells if cell.name not in there],
        [pairs[one.subject.id] for one in asked],
        models,
        addresses,
        _used(store, experiment.dataset),
    )
    return _Ready(cells, there, models, addresses, way, to_judge, foreseen)


def _used(store: Store, dataset: str) -> dict[str, float]:
    """The share of its messages that each doctor used in the visits it played to the end."""
    table = queries.dialogue_index_table(store, dataset)
    table = table[table["outcome"] != "error"]
    share = (table["turns"] / 2 / table["n_interactions"]).clip(upper=1)
    return {
        str(doctor): float(one) for doctor, one in share.groupby(table["doctor"]).mean().items()
    }


def _at_once(ready: _Ready, cap: float | None) -> int:
    """How many visits to play at once: under a cap, no more than can finish under it.

    0 means as many as suits the models. Started all together, none would finish.
    """
    left = sum(cell.name not in ready.there for cell in ready.cells)
    cost = llm.forecast_cost(ready.foreseen.planned, ready.models).cost
    if cap is None or cost <= cap or not left:
        return 0
    usual = sum(model.concurrency for model in ready.models.values())
    return max(1, min(usual, int(cap / (cost / left))))


def _as_known(cell: Cell, known: Collection[str]) -> Cell:
    """A visit under its name in the store, if it has one."""
    return replace(cell, name=next((n for n in (cell.name, *cell.before) if n in known), cell.name))


def forecast_cost_of_unplayed_visits(
    store: Store, settings: Settings, experiment: Experiment
) -> llm.CostForecast:
    """What the unplayed visits will take at most, and what is expected.

    Raises:
        InvalidInput: as ``play``.
    """
    ready = _ready(store, settings, experiment)
    return llm.forecast_cost(ready.foreseen.planned, ready.models, stored=ready.foreseen.stored)
