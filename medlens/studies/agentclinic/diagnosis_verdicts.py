"""Whether a given diagnosis is the correct one: judged once per pair, by any model, any time.

A *pair* is the given and the correct diagnosis, compared without capitals, accents, spaces and a
full stop; however many visits ended with it, it is one. The verdict stored with a visit stays
there; those of other moderators, and later ones of a moderator that could not be read at first, are
stored beside it (``studies.model_verdicts_and_runs_of_judges``) and decide how the visit counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from medlens import llm
from medlens.config.settings import Settings
from medlens.deferred_module import pd
from medlens.llm.pipeline_declaration_forecast_and_run import How, RunReport
from medlens.review.annotated_items_table import Spoken
from medlens.review.result_cache import (
    ITEMS,
    cache_per_dataset_until_growth,
    compute_unless_cached_since_growth,
)
from medlens.store import Store, stable_id
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.agentclinic import prompts, queries
from medlens.studies.agentclinic.metrics_input_tables import series_of_outcomes_or_outstanding
from medlens.studies.agentclinic.records import STUDY, Dialogue
from medlens.studies.agentclinic.tasks import MATCH
from medlens.studies.agentclinic.word_stems_and_phrase_places_in_text import (
    fold_case_accents_and_spaces,
)
from medlens.studies.model_verdicts_and_runs_of_judges import Judging, Subject, Verdict, Which, Word

KIND = "judge"
OWN = ""
"""The judge that means each visit's own moderator."""

NOT_JUDGED = "Not judged by this moderator."
OUTCOME_OF = {"yes": "correct", "no": "incorrect"}
"""How a visit ended, by the answer on its pair."""


@dataclass(frozen=True)
class DiagnosisPair:
    """Two diagnoses that were compared, as they were first written, and where.

    ``visits`` are names of dialogues in the order they came; ``is_written_alike``: both are written
    alike, so nobody needs to judge.
    """

    id: str
    given: str
    correct: str
    visits: tuple[str, ...]

    @property
    def is_written_alike(self) -> bool:
        return _written(self.given) == _written(self.correct)


def pair_id_of_diagnoses(given: str, correct: str) -> str:
    """The name of the pair of two diagnoses, the same in every store."""
    return stable_id("pair", _written(given), _written(correct))


def _written(diagnosis: str) -> str:
    return fold_case_accents_and_spaces(diagnosis).rstrip(".!;, ")


@cache_per_dataset_until_growth()
def load_pairs_by_id(store: Store, dataset: str) -> dict[str, DiagnosisPair]:
    """The pairs of a dataset by id, in order; visits without a diagnosis have none."""
    cases = queries.load_cases_by_name(store, dataset)
    index = queries.dialogue_index_table(store, dataset)
    found: dict[str, list[str]] = {}
    first: dict[str, tuple[str, str]] = {}
    for name, case, given in zip(index["dialogue"], index["case"], index["given"], strict=True):
        if case not in cases or not given.strip():
            continue
        correct = cases[case].case.diagnosis
        id = pair_id_of_diagnoses(given, correct)
        found.setdefault(id, []).append(name)
        first.setdefault(id, (given, correct))
    return {id: DiagnosisPair(id, *first[id], tuple(visits)) for id, visits in found.items()}


@cache_per_dataset_until_growth()
def pair_id_by_dialogue(store: Store, dataset: str) -> dict[str, str]:
    """The id of each dialogue's pair, by the dialogue's name."""
    return {
        visit: pair.id
        for pair in load_pairs_by_id(store, dataset).values()
        for visit in pair.visits
    }


def ids_of_dialogues_not_asked_about(store: Store, dataset: str) -> frozenset[str]:
    """Item ids of the dialogues that clinicians are not asked about.

    Each pair is asked about on one dialogue: a gold one, else the first that somebody was given or
    has judged, else the first; not at all if both sides are written alike. Gold items stay.
    """
    index = queries.dialogue_index_table(store, dataset)
    items = dict(zip(index["dialogue"], index["item_id"], strict=True))
    gold, begun = queries.gold_items_and_items_given(store, dataset, MATCH)
    turn = {item: at for at, item in enumerate(begun)}
    left: set[str] = set()
    for pair in load_pairs_by_id(store, dataset).values():
        there = [items[name] for name in pair.visits]
        asked = min(there, key=lambda one: (one not in gold, turn.get(one, len(turn))))
        left |= {
            one for one in there if one not in gold and (pair.is_written_alike or one != asked)
        }
    return frozenset(left)


def count_visits_settled_by_answer(store: Store, dataset: str, name: str) -> int:
    """How many visits an answer about this dialogue's diagnosis settles."""
    id = pair_id_by_dialogue(store, dataset).get(name)
    return len(load_pairs_by_id(store, dataset)[id].visits) if id else 1


# -- which verdict counts -------------------------------------------------------------------------


def list_moderators(store: Store, dataset: str) -> list[str]:
    """Every model that has judged pairs of a dataset, in visits or after them."""
    own = set(queries.dialogue_index_table(store, dataset)["moderator"]) - {""}
    return sorted(
        own
        | {
            judge
            for _, judge in model_verdicts_and_runs_of_judges.current_verdicts_by_subject_and_judge(
                store, MATCH, dataset
            )
        }
    )


def list_outcomes_according_to_judge(
    store: Store,
    dataset: str,
    names: Sequence[str],
    own: Sequence[tuple[str, str, str]],
    judge: str = OWN,
) -> list[tuple[str, str]]:
    """(outcome, reason) of visits according to a judge, in order.

    ``own`` is the outcome, reason and moderator that each visit was stored with. If a visit's own
    moderator (``OWN``) could not be read at first, its answer when asked again counts. A visit with
    a diagnosis that ``judge`` has not judged is an ``error``; its reason says so.
    """
    ids, said = (
        pair_id_by_dialogue(store, dataset),
        model_verdicts_and_runs_of_judges.current_verdicts_by_subject_and_judge(
            store, MATCH, dataset
        ),
    )
    if not said and judge == OWN:
        return [(outcome, reason) for outcome, reason, _ in own]
    found = []
    for name, (outcome, reason, moderator) in zip(names, own, strict=True):
        id = ids.get(name)
        if id is None or (outcome != "error" and judge in (OWN, moderator)):
            found.append((outcome, reason))
            continue
        word = said.get((id, judge or moderator))
        if word is not None and word.usable:
            found.append((OUTCOME_OF[word.outcome], word.reason))
        elif judge in (OWN, moderator):
            found.append((outcome, reason))
        else:
            found.append(("error", NOT_JUDGED))
    return found


def dialogue_index_table_with_outcomes_of_judge(
    store: Store, dataset: str, judge: str = OWN
) -> pd.DataFrame:
    """``queries.dialogue_index_table`` with a judge's outcomes (``outstanding`` if none yet). Do
    not change it.
    """

    def make(_: object) -> pd.DataFrame:
        index = queries.dialogue_index_table(store, dataset)
        own = [
            (outcome, "", moderator)
            for outcome, moderator in zip(index["outcome"], index["moderator"], strict=True)
        ]
        counted = list_outcomes_according_to_judge(
            store, dataset, index["dialogue"].tolist(), own, judge
        )
        said = index.assign(outcome=[one for one, _ in counted], diagnosis=index["given"])
        return index.assign(outcome=series_of_outcomes_or_outstanding(said))

    return compute_unless_cached_since_growth(
        store, "listed", f"{dataset}\x1f{judge}", make, tables=(*ITEMS, "verdict")
    )


def verdicts_on_visit(store: Store, dataset: str, name: str, whole: Dialogue) -> list[Verdict]:
    """Every moderator's verdict on a visit's diagnosis: its own, then the others, oldest first."""
    id = pair_id_by_dialogue(store, dataset).get(name, "")
    if not id:
        return []
    said = model_verdicts_and_runs_of_judges.list_all_verdicts(store, MATCH, dataset, subject=id)
    if not whole.moderator:
        return said
    good = {outcome: word for word, outcome in OUTCOME_OF.items()}
    own = Verdict(
        id,
        whole.moderator,
        moderator_prompt_version_of_visit(whole.prompt_version),
        1,
        good.get(whole.outcome, "not readable"),
        whole.outcome in good,
        whole.reason,
        {},
        "",
        whole.run,
        "visit",
    )
    return [own, *said]


def list_current_moderator_verdicts(store: Store, task: str, dataset: str) -> list[Spoken]:
    """Whether a diagnosis is the correct one, by every moderator: the visit's own verdict first,
    then the others, the newest usable one last.
    """
    if task != MATCH:
        return []
    good = {outcome: word for word, outcome in OUTCOME_OF.items()}
    there, index = load_pairs_by_id(store, dataset), queries.dialogue_index_table(store, dataset)
    ids = pair_id_by_dialogue(store, dataset)
    found, item_of = [], dict(zip(index["dialogue"], index["item_id"], strict=True))
    columns = ("dialogue", "moderator", "outcome", "prompt_version", "run")
    for name, moderator, outcome, version, run in zip(
        *(index[column] for column in columns), strict=True
    ):
        if name in ids and moderator:
            word = good.get(outcome, "not readable")
            usable = outcome in good
            prompt = moderator_prompt_version_of_visit(version or "")
            found.append(Spoken(moderator, prompt, item_of[name], word, usable, run))
    for one in sorted(
        model_verdicts_and_runs_of_judges.list_all_verdicts(store, MATCH, dataset),
        key=lambda one: one.usable,
    ):
        for name in there[one.subject].visits if one.subject in there else ():
            said = (one.outcome, one.usable, one.run)
            found.append(Spoken(one.judge, one.prompt, item_of[name], *said))
    return found


def moderator_prompt_version_of_visit(version: str) -> str:
    """The moderator's prompt in visits of this version."""
    if version == prompts.PROMPT_VERSION_BY_SCHEMA:
        return prompts.MODERATOR_BY_SCHEMA_VERSION
    return prompts.MODERATOR_VERSION if version.startswith("clinic-") else version


# -- asking for verdicts --------------------------------------------------------------------------


def make_model_judging_setup_for_pairs(
    store: Store, dataset: str, only: Mapping[str, DiagnosisPair] | None = None
) -> Judging:
    """The pairs of a dataset, or some of them, for ``studies.model_verdicts_and_runs_of_judges`` to
    put to moderators.
    """
    index = queries.dialogue_index_table(store, dataset)
    there = load_pairs_by_id(store, dataset)
    ids = pair_id_by_dialogue(store, dataset)
    elsewhere: dict[tuple[str, str], tuple[str, bool]] = {}
    for name, moderator, outcome, prompt in zip(
        index["dialogue"],
        index["moderator"],
        index["outcome"],
        index["prompt_version"],
        strict=True,
    ):
        if name in ids and moderator:
            key, good = (ids[name], moderator), outcome in OUTCOME_OF.values()
            version = moderator_prompt_version_of_visit(prompt)
            if version == prompts.MODERATOR_BY_SCHEMA_VERSION:
                # The same question, with one answer more: it need not be put again.
                version = prompts.MODERATOR_VERSION
            elsewhere[key] = (
                version,
                good or elsewhere.get(key, ("", False))[1],
            )
    return Judging(
        study=STUDY,
        kind=KIND,
        task=MATCH,
        dataset=dataset,
        prompt=prompts.MODERATOR_VERSION,
        subjects=[
            Subject(one.id, {"given": one.given, "correct": one.correct})
            for one in (there if only is None else only).values()
        ],
        messages=lambda subject: prompts.moderator_messages(
            str(subject.body.get("given", "")), str(subject.body.get("correct", ""))
        ),
        shape=lambda _: prompts.ModeratorVerdict,
        read=_read,
        elsewhere=elsewhere,
        config={"instructions": prompts.moderator_messages("", "")[0]["content"]},
    )


def _read(answer: llm.Answer, _pair: Subject, _version: int) -> Word:
    return Word(answer.value.same_disease, answer.value.reason)


def let_models_judge_diagnosis_pairs(
    store: Store,
    settings: Settings,
    *,
    dataset: str,
    models: Sequence[str],
    which: Which = "missing",
    sample: int = 0,
    how: How | None = None,
) -> RunReport:
    """Let moderators judge the pairs of a dataset, or ``sample`` of them; see
    ``studies.model_verdicts_and_runs_of_judges.run_models_as_judges``.

    Raises:
        InvalidInput: there is no such model.
    """
    store.fetch_rows_of_other_processes_and_count()
    named = {name: llm.find_model_settings_by_name(settings, name) for name in models}
    way = make_model_judging_setup_for_pairs(store, dataset)
    some = replace(
        way, subjects=model_verdicts_and_runs_of_judges.sample_subjects(way.subjects, sample)
    )
    return model_verdicts_and_runs_of_judges.run_models_as_judges(
        store, some, judges=named, which=which, how=how or How()
    )
