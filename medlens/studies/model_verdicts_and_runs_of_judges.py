"""Models' verdicts on what they are shown, beside people's judgments, and their SQL.

A *subject* is what a judge compares, whoever made it and however often it occurs (the given
diagnosis and the correct one, say). Every verdict is stored with its judge, the version of the
prompt and the run; an unusable one stays too, and can be asked for again. Verdicts never change
what is judged. A study supplies the prompt, the parser of answers and the subjects; if verdicts are
also judgments of the review spine (a verifier's, a tagger's), the one that counts is stored there
too, with the model as the rater.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, get_args

from pydantic import BaseModel

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.llm.endpoint_batches import Asked
from medlens.llm.forecast_of_calls_beyond_stored_answers import (
    CallsToCome,
    Foreseen,
    StoredCompletions,
)
from medlens.llm.pipeline_declaration_forecast_and_run import (
    How,
    PipelineField,
    RunReport,
    forecast_confirm_and_carry_out_run,
    model_settings_as_dict,
    most_frequent_fault_in_words,
)
from medlens.llm.result_writer import StoreRowWriter
from medlens.llm.token_cost_forecast_and_budget import estimate_request_tokens
from medlens.review import assignment, items, raters
from medlens.review.judging import make_imported_judgment_row
from medlens.store import Lookup, Row, Store, stable_id

Which = Literal["missing", "failed", "all"]
"""What is judged: what this judge has not judged with this prompt; also, asked again, what could
not be read; everything anew."""

WHICH = PipelineField(
    name="which",
    title="Which items",
    kind="choice",
    choices=get_args(Which),
    in_words=(
        "Those that the model has not judged yet",
        "Those that the model has not judged yet, or whose answer could not be read",
        "All, also those that the model has judged",
    ),
    default="missing",
    help="missing: not judged yet; failed: also what could not be read, asked again;"
    " all: everything anew",
)


SAMPLE = PipelineField(
    name="sample",
    title="How many (0: all)",
    kind="whole",
    default=0,
    help="drawn at random; a larger sample holds the smaller one",
)


def pipeline_field_for_handed_out_items(
    task: Callable[[Store, Settings, str], str],
) -> PipelineField:
    """Whether only items are judged that people have too; ``task`` names the people's task in a
    dataset.
    """

    def count(store: Store, settings: Settings, asked: Mapping[str, Any]) -> int:
        dataset = asked["dataset"]
        return len(
            assignment.ids_of_items_handed_out(store, task(store, settings, dataset), dataset)
        )

    return PipelineField(
        name="handed_out",
        title="Only the items handed out to people",
        kind="flag",
        default=False,
        help="those that people were given or have judged, without practice",
        count=count,
    )


@dataclass(frozen=True)
class Subject:
    """What is judged. ``body`` describes it for readers who see only the table of verdicts."""

    id: str
    body: Mapping[str, Any]


def sample_subjects(subjects: Sequence[Subject], sample: int) -> list[Subject]:
    """``sample`` of the subjects, drawn at random but always the same; 0: all, in their order."""
    if not sample:
        return list(subjects)
    return sorted(subjects, key=lambda one: hashlib.blake2b(one.id.encode()).digest())[:sample]


@dataclass(frozen=True)
class Verdict:
    """A judge's verdict. ``outcome`` is the answer, or what went wrong if it is not ``usable``.

    ``model`` is the endpoint's name for the judge; ``attempt`` counts from 1 within a prompt.
    """

    subject: str
    judge: str
    prompt: str
    attempt: int
    outcome: str
    usable: bool
    reason: str
    body: Mapping[str, Any]
    model: str
    run: str
    origin: str = "run"


def verdict_as_store_row(
    verdict: Verdict, *, task: str, dataset: str, judgment: str | None = None
) -> Row:
    """A verdict as a row of the store; the same verdict gives the same row.

    ``judgment`` is the id of the judgment that holds what it says, if it is one.
    """
    named = (verdict.subject, verdict.judge, verdict.prompt, str(verdict.attempt))
    return {
        "id": stable_id("verdict", task, dataset, *named),
        "task": task,
        "dataset": dataset,
        **{name: getattr(verdict, name) for name in Verdict.__dataclass_fields__},
        "body": dict(verdict.body),
        "judgment": judgment,
    }


_COLUMNS = ", ".join(Verdict.__dataclass_fields__)


_VERDICTS = {
    table: Lookup(
        f"model_verdicts.{table}",
        f"select {_COLUMNS} from {table} where task = $task and dataset = $dataset"
        " and ($subject = '' or subject = $subject) order by seq",
    )
    for table in ("verdict", "verdict_now")
}


def current_verdicts_by_subject_and_judge(
    store: Store, task: str, dataset: str
) -> dict[tuple[str, str], Verdict]:
    """By subject and judge: the newest usable verdict, or else the newest."""
    return {(one.subject, one.judge): one for one in _read(store, "verdict_now", task, dataset)}


def list_all_verdicts(store: Store, task: str, dataset: str, *, subject: str = "") -> list[Verdict]:
    """Every verdict, or those on one subject, oldest first."""
    return _read(store, "verdict", task, dataset, subject)


def list_verdicts_with_imported(
    store: Store,
    task: str,
    dataset: str,
    told: Callable[[str, dict[str, Any]], Word],
    *,
    subject: str = "",
) -> list[Verdict]:
    """``all_of``, preceded by what models say outside any run: judgments from a file.

    ``told`` makes a ``Word`` of an item's name and a judgment's body.
    """
    kept = list_all_verdicts(store, task, dataset, subject=subject)
    there = {(one.subject, one.judge) for one in kept}
    rows = store.rows(
        "select j.item, i.name, t.name, j.body, coalesce(j.prompt, ''), coalesce(j.run, ''),"
        " j.origin from judgment_now j"
        " join item_in_play i on i.id = j.item join rater t on t.id = j.rater"
        " where j.task = $task and t.kind = 'model' and i.dataset = $dataset"
        " and ($subject = '' or j.item = $subject) order by j.seq",
        task=task,
        dataset=dataset,
        subject=subject,
    )
    found = []
    for item, name, judge, body, prompt, run, origin in rows:
        if (item, judge) not in there:
            word = told(name, json.loads(body))
            said = (word.outcome, True, word.reason, word.body)
            found.append(Verdict(item, judge, prompt, 1, *said, "", run, origin))
    return found + kept


def _read(store: Store, table: str, task: str, dataset: str, subject: str = "") -> list[Verdict]:
    rows = store.rows(_VERDICTS[table], task=task, dataset=dataset, subject=subject)
    at = list(Verdict.__dataclass_fields__).index("body")
    return [Verdict(*(*row[:at], json.loads(row[at]), *row[at + 1 :])) for row in rows]


def _verdicts_as_judgments(shown: str) -> Lookup:
    return Lookup(
        f"model_verdicts.by_{shown}",
        f"select j.item, t.{shown}, j.revision, j.body from judgment_now j"
        " join item_in_play i on i.id = j.item join rater t on t.id = j.rater"
        " where j.task = $task and t.kind = 'model' and i.dataset = $dataset",
    )


_VERDICTS_BY_NAME, _VERDICTS_BY_ID = map(_verdicts_as_judgments, ("name", "id"))


def model_judgments_by_item_and_model(
    store: Store, task: str, dataset: str, *, by_id: bool = False
) -> dict[tuple[str, str], tuple[int, str]]:
    """(item id, model's name or id) -> (revision, body as JSON) of models' current judgments."""
    rows = store.rows(
        _VERDICTS_BY_ID if by_id else _VERDICTS_BY_NAME,
        task=task,
        dataset=dataset,
    )
    return {(item, judge): (revision, body) for item, judge, revision, body in rows}


def _standing_ids(store: Store, task: str, dataset: str) -> dict[tuple[str, str], tuple[str, str]]:
    """(item id, model's name) -> (id, version of the prompt or "") of its current judgment."""
    rows = store.rows(
        "select j.item, t.name, j.id, coalesce(j.prompt, '') from judgment_now j"
        " join item_in_play i on i.id = j.item join rater t on t.id = j.rater"
        " where j.task = $task and t.kind = 'model' and i.dataset = $dataset",
        task=task,
        dataset=dataset,
    )
    return {(item, judge): (judgment, prompt) for item, judge, judgment, prompt in rows}


def verdicts_table(verdicts: Sequence[Verdict], task: str, dataset: str) -> pd.DataFrame:
    """Verdicts, one row each, with their subjects."""
    fields = [name for name in Verdict.__dataclass_fields__ if name != "body"]
    rows = [
        {
            "task": task,
            "dataset": dataset,
            **{name: getattr(one, name) for name in fields},
            **{name: _flat(value) for name, value in one.body.items()},
        }
        for one in verdicts
    ]
    return pd.DataFrame(rows, columns=None if rows else ["task", "dataset", *fields])


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def add_verdicts_and_count_new_and_known(
    store: Store, verdicts: Sequence[Verdict], *, task: str, dataset: str
) -> tuple[int, int]:
    """Store verdicts made elsewhere; returns how many were new and how many known.

    Raises:
        InvalidInput: one contradicts a stored verdict.
    """
    there = {
        (one.subject, one.judge, one.prompt, one.attempt): one.outcome
        for one in list_all_verdicts(store, task, dataset)
    }
    fresh = []
    for one in verdicts:
        key = (one.subject, one.judge, one.prompt, one.attempt)
        said = there.get(key)
        if said is None:
            there[key] = one.outcome
            fresh.append(one)
        elif said != one.outcome:
            raise InvalidInput(
                f"There is already a different verdict by {one.judge!r}, or the file has two "
                "that differ.",
                hint="Was the file changed since it was exported? Use another dataset.",
            )
    if fresh:
        store.append(
            "verdict", *(verdict_as_store_row(one, task=task, dataset=dataset) for one in fresh)
        )
    return len(fresh), len(verdicts) - len(fresh)


# -- asking for them ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Word:
    """What a study makes of a judge's answer; ``body`` is stored beside the reason, ``value`` is
    the judgment, if it is one.
    """

    outcome: str
    reason: str
    usable: bool = True
    body: Mapping[str, Any] = field(default_factory=dict)
    value: BaseModel | None = None


@dataclass(frozen=True, kw_only=True)
class Judging:
    """One kind of verdict in one dataset.

    ``messages`` is the prompt about a subject, answered in its ``shape``; ``read`` makes a ``Word``
    of a usable answer about the version of the item that was shown (1 of what is no item).
    ``elsewhere`` holds verdicts that came with the subjects: (subject, judge) -> (prompt, usable).
    ``standing`` holds judges' current judgments of subjects that are items: (subject, judge) ->
    (revision, body as JSON); those from a file are only there. ``begin`` runs before the first
    verdict is asked for. ``tokens`` is the prompt's length if it is known without
    building it; ``fits`` whether that is short enough for a model, ``beyond`` why the others are
    not asked about, ``called`` the singular and plural noun; ``done`` is the message if nothing is
    left. ``guideline`` is the version of the reviewers' guideline that judges are shown, if any.
    """

    study: str
    kind: str
    task: str
    dataset: str
    prompt: str
    subjects: Sequence[Subject]
    messages: Callable[[Subject], list[llm.Message]]
    shape: Callable[[Subject], type[BaseModel]]
    read: Callable[[llm.Answer, Subject, int], Word]
    config: Mapping[str, Any]
    elsewhere: Mapping[tuple[str, str], tuple[str, bool]] = field(default_factory=dict)
    standing: Mapping[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    begin: Callable[[], object] = lambda: None
    tokens: Callable[[Subject], int] | None = None
    fits: Callable[[Subject, Model], bool] = lambda _subject, _model: True
    beyond: str = ""
    called: tuple[str, str] = ("item", "items")
    done: str = "There is nothing left to judge."
    guideline: int | None = None
    answer_tokens: int = 60


@dataclass(frozen=True)
class Wanted:
    """A verdict to ask for; ``repeat`` counts repetitions of the same prompt from 0."""

    subject: Subject
    judge: str
    attempt: int
    repeat: int


def run_models_as_judges(
    store: Store, way: Judging, *, judges: Mapping[str, Model], which: Which = "missing", how: How
) -> RunReport:
    """Ask each judge for verdicts on the subjects that ``which`` selects.

    What an endpoint did not answer, or what does not fit, is left for the next start; an unusable
    answer is stored as such. Nothing stored is asked or paid for again, except what ``failed`` or
    ``all`` ask anew.
    """
    store.fetch_rows_of_other_processes_and_count()
    asking = list_verdicts_to_ask_for(store, way, list(judges), which)
    if not asking:
        return RunReport("", None, 0, (way.done,))
    writer = StoreRowWriter(store, "verdict")
    made: Counter[bool] = Counter()
    current = _standing_ids(store, way.task, way.dataset)
    texts = AskedItemVersions(
        store,
        repeated={place: judgment for place, (judgment, _) in current.items()},
        revisions=_last_revisions(store, way.task, way.dataset),
    )

    def job(one: Wanted, run: str) -> llm.Job:
        async def work(ask: llm.Ask) -> llm.Result:
            said = await ask_for_verdict(
                ask, way, one, judges[one.judge], writer, run=run, texts=texts
            )
            made[bool(said.body.get("usable"))] += "usable" in said.body
            return said

        return llm.Job(f"{one.judge} {one.subject.id} {one.attempt}", work)

    def jobs(run: str) -> list[llm.Job]:
        way.begin()
        return [job(one, run) for one in asking]

    config = {
        "dataset": way.dataset,
        "task": way.task,
        "prompt": way.prompt,
        "which": which,
        "judges": {
            name: {**model_settings_as_dict(one), "json": one.json_mode}
            for name, one in judges.items()
        },
        **way.config,
    }
    done = forecast_confirm_and_carry_out_run(
        store,
        study=way.study,
        kind=way.kind,
        models=judges,
        config=config,
        left=_foreseen(store, way, asking, judges),
        jobs=jobs,
        single_turn=_asked(way, asking, judges) if how.batch_api else None,
        how=how,
    )
    if done.batch is None:
        return done
    return done.with_further_lines(
        most_frequent_fault_in_words(store, done.run) if done.outcomes.get("error") else "",
        f"{made[True]:,} {'verdict is' if made[True] == 1 else 'verdicts are'} new.",
        f"{made[False]:,} could not be used; judge again what failed." if made[False] else "",
        *_beyond(way, asking, judges),
        added=made[True],
    )


async def ask_for_verdict(
    ask: llm.Ask,
    way: Judging,
    one: Wanted,
    model: Model,
    writer: StoreRowWriter,
    *,
    run: str,
    texts: AskedItemVersions | None = None,
) -> llm.Result:
    """Ask for a verdict and store it; nothing is stored if the endpoint did not answer, or if the
    meaning of what was asked about was corrected meanwhile.
    """
    light: dict[str, Any] = {**one.subject.body, "judge": one.judge}
    if not way.fits(one.subject, model):
        return llm.Result("too_long", light)
    version = texts.current_version_of_item(one.subject.id) if texts else 1
    answer = await _put(way, one, ask)
    if texts and texts.is_outdated(one.subject.id, version):
        fault = {"error_class": "corrected", "error": "The item was corrected while it was judged."}
        return llm.Result("error", {**light, **fault})
    if answer.outcome == "error" and answer.error_class != "too_long":
        fault = {"error_class": answer.error_class, "error": answer.error}
        return llm.Result("error", {**light, **fault})
    if answer.outcome == "ok":
        word = way.read(answer, one.subject, version)
    else:
        outcome = answer.error_class if answer.error_class == "too_long" else answer.outcome
        word = Word(outcome, answer.error, usable=False)
    said = Verdict(
        one.subject.id,
        one.judge,
        way.prompt,
        one.attempt,
        word.outcome,
        word.usable,
        word.reason,
        {**one.subject.body, **word.body},
        answer.served_model or model.model,
        run,
    )
    held, place = None, (one.subject.id, one.judge)
    judgment: dict[str, list[Row]] = {}
    if said.usable and word.value is not None:
        revision = texts.revisions.get(place, 0) if texts else 0
        judgment = _judgment(said, way, word.value, answer.seconds, revision, version)
        repeated = texts.repeated if texts else {}
        held = judgment["judgment"][0]["id"] if judgment else repeated.get(place)
    row = verdict_as_store_row(said, task=way.task, dataset=way.dataset, judgment=held)
    await writer.put({"verdict": [row], **judgment})
    kept = {**light, **word.body, "reason": word.reason, "usable": word.usable}
    return llm.Result(said.outcome, kept)


@dataclass(frozen=True)
class AskedItemVersions:
    """What a run needs to know of the items that it asks about: the ids of the judgments that a
    verdict can repeat and the last revisions, by subject and judge; and their versions.
    """

    store: Store
    repeated: Mapping[tuple[str, str], str]
    revisions: Mapping[tuple[str, str], int]

    def current_version_of_item(self, subject: str) -> int:
        """The version of an item; 1 of what is no item."""
        return items.current_version_of_item(self.store, subject)

    def is_outdated(self, subject: str, version: int) -> bool:
        """Whether what was said of this version does not count any more."""
        return version < items.oldest_counting_version_of_item(self.store, subject)


def _last_revisions(store: Store, task: str, dataset: str) -> dict[tuple[str, str], int]:
    """The last revision of each model's judgment of an item, whether it counts or not."""
    if not store.data_version_of_tables("item_version"):
        # They are those of the judgments that count.
        return {}
    rows = store.rows(
        "select j.item, t.name, max(j.revision) from judgment j join rater t on t.id = j.rater"
        " join item i on i.id = j.item and i.dataset = $dataset"
        " where j.task = $task and t.kind = 'model' group by all",
        task=task,
        dataset=dataset,
    )
    return {(item, judge): revision for item, judge, revision in rows}


def _judged_before_correction(store: Store, task: str, dataset: str) -> set[tuple[str, str]]:
    """Subject and judge where the last verdict is of an item whose meaning changed since."""
    if not store.data_version_of_tables("item_version"):
        return set()
    rows = store.rows(
        "select d.subject, d.judge from verdict d join ("
        " select item, max(seq) as seq from item_version where not counts group by item) v"
        " on v.item = d.subject where d.task = $task and d.dataset = $dataset"
        " group by all having max(d.seq) < max(v.seq)",
        task=task,
        dataset=dataset,
    )
    return {(subject, judge) for subject, judge in rows}


def _judgment(
    verdict: Verdict,
    way: Judging,
    value: BaseModel,
    seconds: float | None,
    last_revision: int,
    version: int,
) -> dict[str, list[Row]]:
    """A verdict as a judgment with its model as the rater; none if it repeats the current one."""
    revision, before = way.standing.get((verdict.subject, verdict.judge), (0, ""))
    if before and type(value).model_validate_json(before) == value:
        return {}
    rater = raters.make_rater_row(verdict.judge, kind="model", origin="model")
    row = make_imported_judgment_row(
        way.task,
        verdict.subject,
        rater["id"],
        value,
        revision=max(revision, last_revision) + 1,
        origin="model",
        seconds=seconds,
        guideline=way.guideline,
        run=verdict.run,
        prompt=verdict.prompt,
        version=version,
    )
    return {"rater": [rater], "judgment": [row]}


def list_verdicts_to_ask_for(
    store: Store, way: Judging, judges: Sequence[str], which: Which
) -> list[Wanted]:
    """The verdicts that ``which`` selects, by subject and judge."""
    tried: Counter[tuple[str, str]] = Counter()
    usable: set[tuple[str, str]] = set()
    rows: set[tuple[str, str]] = set()
    for one in list_all_verdicts(store, way.task, way.dataset):
        rows.add((one.subject, one.judge))
        if one.prompt == way.prompt:
            tried[one.subject, one.judge] += 1
            if one.usable:
                usable.add((one.subject, one.judge))
    current = _standing_ids(store, way.task, way.dataset)
    outdated = _judged_before_correction(store, way.task, way.dataset)
    usable -= outdated
    found = []
    for subject in way.subjects:
        for name in judges:
            key = (subject.id, name)
            prompt, good = way.elsewhere.get(key, ("", False))
            if key in way.standing and key not in rows:
                # From a file. A prompt that it does not name is assumed to be this one.
                _, named = current.get(key, ("", ""))
                prompt, good = named or way.prompt, True
            before = tried[key] + (prompt == way.prompt)
            done = key in usable or (prompt == way.prompt and good)
            if not before or key in outdated or which == "all" or (which == "failed" and not done):
                # The same prompt asked again needs another repeat number.
                found.append(Wanted(subject, name, tried[key] + 1, before))
    return found


def _foreseen(
    store: Store, way: Judging, asking: Sequence[Wanted], judges: Mapping[str, Model]
) -> Foreseen:
    completions, to_come = StoredCompletions(store, judges), CallsToCome()
    for one in asking:
        if not way.fits(one.subject, judges[one.judge]):
            continue
        tokens = way.tokens(one.subject) if way.tokens is not None else None
        if tokens is None or completions.has_answers_of_model(one.judge):
            request = completions.find_first_unanswered_request(partial(_put, way, one))
            if request is None:
                continue
            tokens = tokens or estimate_request_tokens(request)
        to_come.add_calls_of_model(one.judge, 1, tokens, way.answer_tokens)
    return Foreseen(to_come.list_planned_calls_of_each_model(), len(completions.found))


async def _put(way: Judging, one: Wanted, ask: llm.Ask) -> llm.Answer:
    shape = way.shape(one.subject)
    return await ask(one.judge, way.messages(one.subject), schema=shape, repeat=one.repeat)


def _asked(
    way: Judging, asking: Sequence[Wanted], judges: Mapping[str, Model]
) -> dict[str, list[Asked]]:
    asked: dict[str, list[Asked]] = {}
    for one in asking:
        if way.fits(one.subject, judges[one.judge]):
            request = llm.make_first_request_of_question(
                *(one.judge, judges[one.judge], way.messages(one.subject)),
                schema=way.shape(one.subject),
            )
            asked.setdefault(one.judge, []).append((request, one.repeat))
    return asked


def _beyond(way: Judging, asking: Sequence[Wanted], judges: Mapping[str, Model]) -> tuple[str, ...]:
    lost = Counter(one.judge for one in asking if not way.fits(one.subject, judges[one.judge]))
    return tuple(
        f"{count:,} {way.called[count > 1]} {'was' if count == 1 else 'were'} not sent to {name!r}:"
        f" {way.beyond}."
        for name, count in lost.items()
    )
