"""What an experiment will still cost: its visits as far as they are stored, then a guess."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from medlens import llm
from medlens.config.settings import Model
from medlens.llm.cost import text_tokens
from medlens.llm.stored import Foreseen, NotStored, StoredCompletions, ToCome
from medlens.store import Store
from medlens.studies.agentclinic import grid
from medlens.studies.agentclinic.clinic import Ended, Visit, said, step
from medlens.studies.agentclinic.experiment import Experiment
from medlens.studies.agentclinic.grid import Cell
from medlens.studies.agentclinic.models import Turn
from medlens.studies.agentclinic.players import Seats, Table
from medlens.studies.agentclinic.verdicts import Pair

# Tokens, from the lengths that the instructions ask for.
_DOCTOR, _REPLY, _VERDICT, _RATING, _IMAGE = 80, 80, 60, 50, 1000


def foresee(
    store: Store,
    experiment: Experiment,
    cells: Iterable[Cell],
    judged: Sequence[Pair],
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
    sums, completions = ToCome(), StoredCompletions(store, models)
    asyncio.run(_all(sums, completions, experiment, cells, judged, models, addresses, used))
    return Foreseen(sums.planned(), len(completions.found))


async def _all(
    sums: ToCome,
    completions: StoredCompletions,
    experiment: Experiment,
    cells: Iterable[Cell],
    judged: Sequence[Pair],
    models: Mapping[str, Model],
    addresses: Mapping[str, str],
    used: Mapping[str, float],
) -> None:
    seats = Seats(None, None, experiment.measurement, experiment.moderator)
    for pair in judged:
        visit = Visit("", 1, "none", "", "", "")
        table = Table(llm.Ask(completions), visit, seats, models, repeat=1)
        try:
            await table.judge(pair.given, pair.correct)
        except NotStored:
            sums.add(experiment.moderator, 1, 3 * _VERDICT, _VERDICT)
    for cell in cells:
        visit = grid.visit(cell, experiment, addresses=addresses)
        await _visit(sums, completions, experiment, cell, visit, models, used.get(cell.doctor))


async def _visit(
    sums: ToCome,
    completions: StoredCompletions,
    experiment: Experiment,
    cell: Cell,
    visit: Visit,
    models: Mapping[str, Model],
    used: float | None,
) -> None:
    seats = Seats(cell.doctor, cell.patient, experiment.measurement, experiment.moderator)
    ask = llm.Ask(completions)
    turns: tuple[Turn, ...] = ()
    now = step(visit, turns)
    while not isinstance(now, Ended):
        try:
            answer = await ask(seats.of(now.speaker) or "", now.messages, repeat=cell.repeat - 1)
        except NotStored:
            break
        turns = said(visit, turns, answer.text)
        now = step(visit, turns)
    told = (visit.doctor_told, visit.patient_told, visit.measurement_told)
    doctor, patient, measurement = (text_tokens(len(text)) for text in told)
    doctor += _IMAGE * len(visit.images)
    spoken = text_tokens(sum(len(turn.text) for turn in turns))
    table = Table(ask, visit, seats, models, repeat=cell.repeat)
    if isinstance(now, Ended):
        try:
            await table.judge(now.diagnosis, cell.case.diagnosis)
        except NotStored:
            sums.add(experiment.moderator, 1, 3 * _VERDICT, _VERDICT)
        try:
            await table.rate(turns)
        except NotStored:
            sums.add(cell.patient, 3, patient + spoken, _RATING)
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
        (experiment.measurement, orders, measurement + 0.25 * before, _REPLY),
    ):
        sums.add(who, calls, into, out, most=True, likely=likely(calls))
    sums.add(experiment.moderator, 1, 3 * _VERDICT, _VERDICT)
    sums.add(cell.patient, 3, patient + 1.5 * before, _RATING)
