"""Error tagging's model pipelines: models answer USMLE questions, and models tag the errors.

``ask`` puts MedQA-style questions to a model, finds the option it states and makes the wrong
answers items of error tagging, as Roy et al. 2024 (arXiv:2404.13307, section 3) made theirs.
``tag`` lets a model mark errors by the guideline, as one more rater.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens import llm
from medlens.errors import InvalidInput
from medlens.llm import queries as stored
from medlens.llm.cost import USUAL_ANSWER
from medlens.llm.pipeline import How, carry_out, plan_singles
from medlens.llm.request import Request
from medlens.review import consensus, importing, items, raters
from medlens.review.tasks import Task
from medlens.settings import Settings
from medlens.store import Store, id_of
from medlens.tables import Refused, Source
from medlens.tagging import medqa, prompts, queries, tasks
from medlens.tagging.chosen import find_chosen
from medlens.tagging.medqa import Question
from medlens.tagging.models import ErrorSpan, ErrorSpans, Option, ResponseItem
from medlens.tagging.study import open_study
from medlens.tagging.taxonomy import Taxonomy, dump_taxonomy
from medlens.tagging.text import tidy
from medlens.web.quotes import Quotable

ASK, TAG = medqa.KIND, "tag"
_USUAL_EXPLANATION = 600


@dataclass(frozen=True)
class Report:
    """What a run did. ``batch`` is None where nothing was asked yet; ``added`` counts new items
    (``ask``) or judgments (``tag``); ``lines`` are for the person who started it."""

    run: str
    batch: llm.BatchReport | None
    outcomes: Mapping[str, int]
    added: int
    lines: tuple[str, ...]
    refused: tuple[Refused, ...] = ()


def ask(
    store: Store,
    settings: Settings,
    file: Source,
    *,
    model: str,
    dataset: str,
    name: str = "",
    repeats: int = 1,
    skip_bad: bool = False,
    illustrative: bool = False,
    how: How | None = None,
) -> Report:
    """Put the questions of ``file`` to a model; its wrong answers become items of ``dataset``.

    Every question ends as ``correct``, ``incorrect``, ``parse_failed`` (no single option stated),
    ``refused``, ``truncated``, ``empty`` or ``error`` (no answer from the endpoint). Items are
    named by model, request and repeat, so that asking again adds nothing.

    Raises:
        BadFile, InvalidInput: nothing was asked.
    """
    how = how or How()
    chosen = llm.model_of(settings, model)
    loaded = medqa.read_questions(file, name=name, skip_bad=skip_bad)
    planned: dict[str, tuple[Question, Request, int]] = {}
    for question in loaded.records:
        messages = prompts.answer_messages(question.question, question.options)
        request = llm.plan_request(model, chosen, messages)
        for repeat in range(repeats):
            planned[_item_name(model, request, repeat)] = (question, request, repeat)

    def job(key: str, question: Question, request: Request, repeat: int) -> llm.Job:
        async def work(put: llm.Ask) -> llm.Result:
            answer = await put(model, request.messages, repeat=repeat)
            return _judged(question, answer, repeat)

        return llm.Job(key, work)

    singles = [(request, repeat) for _, request, repeat in planned.values()]
    calls, known = plan_singles(store, model, chosen, singles, output_tokens=_USUAL_EXPLANATION)
    made = carry_out(
        store, study=tasks.STUDY, kind=ASK, models={model: chosen}, how=how,
        config={
            "dataset": dataset, "model": model, "asked_for": chosen.model,
            "base_url": chosen.base_url, "parameters": dict(chosen.parameters),
            "prompt": prompts.ANSWER_VERSION,
            "instruction": [prompts.ANSWER_ROLE, prompts.ANSWER_TASK], "repeats": repeats,
            "questions": _digest_of(*sorted(question.digest for question in loaded.records)),
        },
        planned=calls, stored=known, single_turn={model: singles},
        jobs=[job(key, *one) for key, one in planned.items()],
    )  # fmt: skip
    if made.batch is None:
        return Report(made.run, None, {}, 0, (made.note,), loaded.refused)
    done = stored.results(store, study=tasks.STUDY, kind=ASK, run=made.run)
    wrong = [
        (row["job"], _item(store, planned[row["job"]][0], row["body"], model))
        for row in done if row["outcome"] == "incorrect" and row["job"] in planned
    ]  # fmt: skip
    added = queries.add_items(store, wrong, dataset=dataset, illustrative=illustrative).added
    outcomes = Counter(row["outcome"] for row in done)
    lines = (
        made.note, made.batch.line(), medqa.accuracy_line(outcomes),
        f"{added:,} wrong answers are new items of {dataset!r}.", *loaded.notes,
    )  # fmt: skip
    return Report(
        made.run, made.batch, outcomes, added, tuple(filter(None, lines)), loaded.refused
    )  # fmt: skip


def _item_name(model: str, request: Request, repeat: int) -> str:
    return f"{model}-{request.digest[:12]}" + (f"-r{repeat}" if repeat else "")


def _judged(question: Question, answer: llm.Answer, repeat: int) -> llm.Result:
    body = {
        "question": question.digest, "repeat": repeat, "correct": question.correct,
        "meta_info": question.meta_info, "chosen": None, **_source_of(answer),
    }  # fmt: skip
    if answer.outcome != "ok":
        return llm.Result(answer.outcome, body)
    body["chosen"] = find_chosen(answer.text, question.options)
    if body["chosen"] is None:
        return llm.Result("parse_failed", body)
    return llm.Result("correct" if body["chosen"] == question.correct else "incorrect", body)


def _source_of(answer: llm.Answer) -> dict[str, Any]:
    return {
        "completion": answer.completions[-1] if answer.completions else "",
        "served_model": answer.served_model, "error_class": answer.error_class,
        "error": answer.error,
    }  # fmt: skip


def _item(
    store: Store, question: Question, body: Mapping[str, Any], model: str
) -> ResponseItem:  # fmt: skip
    answered = stored.completion(store, body["completion"])
    assert answered is not None, "an outcome is stored after its completion"
    return ResponseItem(
        question=question.question,
        options=tuple(Option(key=key, text=text) for key, text in question.options.items()),
        correct=question.correct,
        chosen=body["chosen"],
        response=tidy(answered["text"]).strip(),
        meta_info=question.meta_info,
        model=model,
    )


# -- a model as a rater ------------------------------------------------------------------------


def tag(
    store: Store, settings: Settings, *, dataset: str, model: str, how: How | None = None
) -> Report:
    """Let a model mark the errors of every response of a dataset, as a rater of kind "model".

    Each quote is located in the response (exactly, else with white space and Unicode folded) or
    dropped and counted. A response ends as ``tagged``, as ``no_quote_located`` (then without a
    judgment), or without a usable answer as in ``ask``. One completion gives one judgment, however
    often this is repeated. Its marks need no link, since the model cannot look one up.

    Raises:
        InvalidInput: there is no such model, or nothing in the dataset.
    """
    how = how or How()
    chosen = llm.model_of(settings, model)
    study = open_study(store, settings, dataset)
    bodies = {name: item for name, _, item in queries.bodies(store, dataset)}
    if not bodies:
        raise InvalidInput(
            f"There are no responses in the dataset {dataset!r}.", hint="See the Data page."
        )
    shape = prompts.marks_shape(study.taxonomy)
    planned = {name: prompts.tag_messages(study.taxonomy, one) for name, one in bodies.items()}

    def job(name: str, messages: Sequence[llm.Message]) -> llm.Job:
        async def work(put: llm.Ask) -> llm.Result:
            answer = await put(model, messages, schema=shape)
            return _located(study.taxonomy, bodies[name].response, answer)

        return llm.Job(name, work)

    singles = [
        (llm.plan_request(model, chosen, messages, schema=shape), 0)
        for messages in planned.values()
    ]
    calls, known = plan_singles(store, model, chosen, singles, output_tokens=USUAL_ANSWER)
    made = carry_out(
        store, study=tasks.STUDY, kind=TAG, models={model: chosen}, how=how,
        config={
            "dataset": dataset, "model": model, "asked_for": chosen.model,
            "base_url": chosen.base_url, "parameters": dict(chosen.parameters),
            "json": chosen.json_mode, "prompt": prompts.TAG_VERSION,
            "instruction": [prompts.TAG_ROLE, prompts.TAG_RULES], "taxonomy": study.taxonomy.id,
            "guideline": _digest_of(dump_taxonomy(study.taxonomy)),
            "items": _digest_of(*sorted(bodies)),
        },
        planned=calls, stored=known, single_turn={model: singles},
        jobs=[job(name, messages) for name, messages in planned.items()],
    )  # fmt: skip
    if made.batch is None:
        return Report(made.run, None, {}, 0, (made.note,))
    done = stored.results(store, study=tasks.STUDY, kind=TAG, run=made.run)
    added = _add_judgments(store, study.task, dataset, model, done)
    quotes: Counter[str] = Counter()
    for row in done:
        quotes.update(row["body"].get("quotes", {}))
    lines = (
        made.note, made.batch.line(), f"{added:,} judgments are new.",
        f"Quotes: {quotes['exact']:,} found word for word, {quotes['folded']:,} but for spaces and"
        f" signs; dropped: {quotes['missing']:,} not in the response, {quotes['ambiguous']:,} that"
        " occur more than once.",
    )  # fmt: skip
    outcomes = Counter(row["outcome"] for row in done)
    return Report(made.run, made.batch, outcomes, added, tuple(filter(None, lines)))


def _located(taxonomy: Taxonomy, response: str, answer: llm.Answer) -> llm.Result:
    body = _source_of(answer)
    if answer.outcome != "ok":
        return llm.Result(answer.outcome, body)
    text = Quotable(response)
    found: dict[tuple[int, int], list[Any]] = {}
    quotes: Counter[str] = Counter()
    for mark in answer.value.marks:
        place = text.find(mark.quote)
        quotes[place.how] += 1
        if place.how in ("exact", "folded"):
            found.setdefault((place.start, place.end), []).append(mark)
    spans = []
    for (start, end), marks in sorted(found.items()):
        given = {label for mark in marks for label in mark.labels}
        spans.append(
            ErrorSpan(
                start=start, end=end, quote=response[start:end], located="by_quote",
                labels=tuple(one.id for one in taxonomy.labels if one.id in given),
                comment=" ".join(mark.reason.strip() for mark in marks if mark.reason.strip()),
                link=next((mark.link.strip() for mark in marks if mark.link.strip()), ""),
            )
        )  # fmt: skip
    value = ErrorSpans(spans=tuple(spans), comment=answer.value.comment)
    body |= {"value": value.model_dump(mode="json"), "quotes": dict(quotes)}
    return llm.Result("tagged" if spans else "no_quote_located", body)


def _add_judgments(
    store: Store, task: Task, dataset: str, model: str, done: Sequence[Mapping[str, Any]]
) -> int:
    rater = raters.new_row(model, kind="model", origin="model")
    ids = items.by_names(store, tasks.STUDY, dataset, [row["job"] for row in done])
    there = consensus.judgments(store, task, dataset=dataset, viewer=None, blind=False)
    own = there[there["rater_id"] == rater["id"]]
    tops = dict(zip(own["item_id"], own["revision"], strict=True))
    rows = []
    for row in done:
        if row["outcome"] != "tagged":
            continue
        item = ids[row["job"]]
        rows.append(
            {
                "id": id_of("judgment", tasks.NAME, item, rater["id"], row["body"]["completion"]),
                "task": tasks.NAME, "item": item, "rater": rater["id"],
                "revision": int(tops.get(item, 0)) + 1, "origin": "model", "blind": True,
                "complete": True, "active_seconds": None, "idle_seconds": None,
                "body": ErrorSpans.model_validate(row["body"]["value"]).model_dump_json(),
            }
        )  # fmt: skip
    if not rows:
        return 0
    return importing.add_rows(store, {"rater": [rater], "judgment": rows})["judgment"]


def _digest_of(*texts: str) -> str:
    return hashlib.sha256("\x1f".join(texts).encode()).hexdigest()[:16]
