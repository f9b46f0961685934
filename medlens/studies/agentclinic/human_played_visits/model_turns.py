"""The models' side of a person's visit: they answer, judge and rate, and are paid for once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import Conflict, MedLensError
from medlens.store import Store, new_id
from medlens.studies.agentclinic import queries as dialogues
from medlens.studies.agentclinic.agent_players import FailedCall, ModelsAtVisit, Verdict
from medlens.studies.agentclinic.case_images import image_data_url_or_web_address
from medlens.studies.agentclinic.human_played_visits import queries
from medlens.studies.agentclinic.human_played_visits.visit_loaded_from_stored_events import (
    StoredVisit,
    load_visit,
    sum_of_call_totals,
)
from medlens.studies.agentclinic.records import Dialogue, PatientRatings
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings
from medlens.studies.agentclinic.visit_turn_taking import Ended, next_speaker_or_end

PATIENCE = llm.RetryPolicy(attempts=3, base=0.5, cap=4.0, longest=20.0)
"""A person waits: fewer and quicker attempts than a batch makes."""


class _NoAnswer(MedLensError):
    """The models could not continue; the visit is unchanged."""


def let_models_continue_visit(
    store: Store, settings: Settings, id: str, *, retries: llm.RetryPolicy = PATIENCE
) -> None:
    """Let the models continue a visit until it is the person's turn, or it has been scored.

    What they said is durable on return. Does nothing if it is not their turn. A finished visit
    becomes a dialogue of its dataset. Called again after a kill, it asks for nothing that was
    already answered.

    Raises:
        MedLensError: no answer can be had now, or the visit's cap is reached; nothing said is lost.
    """
    stored = _with_images(load_visit(store, id), settings)
    names = {name for name in asdict(stored.seats).values() if name is not None}
    models = {name: llm.find_model_settings_by_name(settings, name) for name in sorted(names)}
    while stored.whose_turn_or_end_state in ("theirs", "judging"):
        work = _Work(stored, models)
        report = llm.run_unfinished_jobs_of_run(
            # A unique name: what was stored but not kept must not count as done.
            store,
            [llm.Job(f"exchange-{new_id()}", work)],
            run=id,
            models=models,
            spending_cap=stored.cap,
            retries=retries,
        )
        if work.trouble is not None:
            raise _NoAnswer(
                work.trouble.reason_in_words, hint="Nothing is lost. Try again in a moment."
            )
        if work.dialogue is None and not work.said:
            reason = report.reason or "the models were stopped"
            raise _NoAnswer(
                f"The visit cannot continue: {reason}.",
                hint="Nothing is lost. A lead can raise play_cap in medlens.toml."
                if "cap" in reason
                else "Nothing is lost. Try again.",
            )
        try:
            _keep(store, stored, work)
        except Conflict:
            # Meanwhile given up, or answered by another server.
            return
        stored = _with_images(load_visit(store, id), settings)


def _with_images(stored: StoredVisit, settings: Settings) -> StoredVisit:
    """The visit with what is sent for its images, if a model is the doctor."""
    if stored.seats.doctor is None or not stored.visit.images:
        return stored
    folder = settings.of(AgentClinicSettings).images_folder
    addresses = {
        image: image_data_url_or_web_address(image, folder) for image in stored.visit.images
    }
    return replace(stored, visit=replace(stored.visit, addresses=addresses))


class _Work:
    """One job: the models speak, or end the visit."""

    def __init__(self, stored: StoredVisit, models: Mapping[str, Model]) -> None:
        self._stored, self._models = stored, models
        self.said = False
        self.trouble: FailedCall | None = None
        self.dialogue: Dialogue | None = None
        self.body: dict[str, object] = {}

    async def __call__(self, ask: llm.Ask) -> llm.Result:
        stored = self._stored
        table = ModelsAtVisit(
            *(ask, stored.visit, stored.seats, self._models),
            repeat=stored.repeat,
            prompt=stored.prompt,
        )
        if stored.whose_turn_or_end_state == "judging":
            verdict = await table.judge_and_rate_ended_visit(stored.turns, stored.case.diagnosis)
            return self._ended(table, verdict)
        turns, trouble = await table.play_until_person_or_end(stored.turns)
        if trouble is not None and trouble.would_fail_again:
            end = next_speaker_or_end(stored.visit, stored.turns)
            named = end.diagnosis if isinstance(end, Ended) else ""
            lost = Verdict("error", trouble.reason_in_words, PatientRatings(), diagnosis=named)
            return self._ended(table, lost)
        fresh = turns[len(stored.turns) :]
        if trouble is not None and not fresh:
            return self._failed(trouble)
        self.said = True
        self.body = {
            "turns": [one.model_dump(mode="json") for one in fresh],
            "tally": asdict(table.tally),
        }
        return llm.Result("answered", {"turns": len(fresh)})

    def _failed(self, trouble: FailedCall) -> llm.Result:
        self.trouble = trouble
        return llm.Result(
            "error", {"error_class": trouble.error_class, "error": trouble.reason_in_words}
        )

    def _ended(self, table: ModelsAtVisit, verdict: Verdict) -> llm.Result:
        if verdict.trouble is not None and not verdict.trouble.would_fail_again:
            return self._failed(verdict.trouble)
        stored = self._stored
        doctor, patient = stored.seats.doctor, stored.seats.patient
        whole = sum_of_call_totals(stored.tally, table.tally)
        self.dialogue = Dialogue(
            case=stored.case_name,
            doctor=doctor or stored.player,
            patient=patient or stored.player,
            measurement=stored.seats.measurement,
            moderator=stored.seats.moderator,
            doctor_player="model" if doctor else "person",
            patient_player="model" if patient else "person",
            doctor_bias=stored.bias if doctor else None,
            patient_bias=stored.bias if patient else None,
            n_interactions=stored.n,
            image_mode=stored.image_mode,
            repeat=stored.repeat,
            turns=stored.turns,
            diagnosis=verdict.diagnosis,
            outcome=verdict.outcome,
            reason=verdict.reason,
            ratings=stored.ratings or verdict.ratings,
            prompt_version=stored.prompt,
            run=stored.id,
            cost=whole.cost,
            seconds=whole.seconds,
            calls=whole.calls,
        )
        self.body = {"dialogue": self.dialogue.name_within_run, "outcome": verdict.outcome}
        return llm.Result(
            "ended", {"dialogue": self.dialogue.name_within_run, "outcome": verdict.outcome}
        )


def _keep(store: Store, stored: StoredVisit, work: _Work) -> None:
    if work.dialogue is not None:
        dialogues.add_dialogues_and_return_added(
            store,
            [(work.dialogue.name_within_run, work.dialogue)],
            dataset=stored.dataset,
            illustrative=dialogues.load_cases_by_name(store, stored.dataset)[
                stored.case_name
            ].illustrative,
            begun=stored.begun_at,
        )
        queries.append_visit_event(store, stored.id, stored.revision + 1, "ended", work.body)
        return
    queries.append_visit_event(store, stored.id, stored.revision + 1, "said", work.body)


_log = logging.getLogger(__name__)
_lock = threading.Lock()
_asked: dict[tuple[str, str], RequestedAnswer] = {}


@dataclass(frozen=True)
class RequestedAnswer:
    """``error`` says why no answer came, once ``waiting`` is over."""

    waiting: bool
    error: MedLensError | None = None


def find_state_of_requested_answer(store: Store, id: str) -> RequestedAnswer | None:
    """The state of the last answer asked for here; None if none was, or it came."""
    with _lock:
        return _asked.get((store.path, id))


def continue_visit_in_background(store: Store, settings: Settings, id: str) -> None:
    """Have the models continue a visit in a thread; does nothing while one is at it."""
    key = (store.path, id)
    with _lock:
        there = _asked.get(key)
        if there is not None and there.waiting:
            return
        _asked[key] = RequestedAnswer(waiting=True)
    threading.Thread(
        target=_fetch, args=(store, settings, id), name=f"medlens-visit-{id}", daemon=True
    ).start()


def _fetch(store: Store, settings: Settings, id: str) -> None:
    error: MedLensError | None = None
    try:
        let_models_continue_visit(store, settings, id)
    except MedLensError as caught:
        error = caught
    except Exception:  # noqa: BLE001 -- a fault must show on the page, not end in silence
        _log.exception("The visit %s could not continue", id)
        error = MedLensError(
            "The models could not continue.", hint="Nothing is lost. The log of the app says why."
        )
    with _lock:
        if error is None:
            _asked.pop((store.path, id), None)
        else:
            _asked[(store.path, id)] = RequestedAnswer(waiting=False, error=error)
