"""Error tagging's model pipelines: models answer USMLE questions, and models tag the errors.

``ask`` puts MedQA-style questions to a model, finds the option it states and makes the wrong
answers items of error tagging, as Roy et al. 2024 (arXiv:2404.13307, section 3) made theirs.
``tag`` lets a model mark errors by the guideline, as one more rater.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from medlens import llm
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm import queries as stored
from medlens.llm.cost import USUAL_ANSWER
from medlens.llm.declared import RunReport
from medlens.llm.pipeline import How, carry_out, plan_singles
from medlens.llm.request import Request
from medlens.review import items, judges
from medlens.review.judges import Judging, Subject, Verdict, Which, Word
from medlens.store import Store
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
) -> RunReport:
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
    aside = _aside(loaded.refused)
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
        store,
        study=tasks.STUDY,
        kind=ASK,
        models={model: chosen},
        how=how,
        config={
            "dataset": dataset,
            "model": model,
            "asked_for": chosen.model,
            "base_url": chosen.base_url,
            "parameters": dict(chosen.parameters),
            "prompt": prompts.ANSWER_VERSION,
            "instruction": [prompts.ANSWER_ROLE, prompts.ANSWER_TASK],
            "repeats": repeats,
            "questions": _digest_of(*sorted(question.digest for question in loaded.records)),
        },
        planned=calls,
        stored=known,
        single_turn={model: singles},
        jobs=[job(key, *one) for key, one in planned.items()],
    )
    if made.batch is None:
        return RunReport(made.run, None, 0, (made.note,), declined=not made.run, aside=aside)
    done = stored.results(store, study=tasks.STUDY, kind=ASK, run=made.run)
    wrong = [
        (row["job"], _item(store, planned[row["job"]][0], row["body"], model))
        for row in done
        if row["outcome"] == "incorrect" and row["job"] in planned
    ]
    added = queries.add_items(store, wrong, dataset=dataset, illustrative=illustrative).added
    outcomes = Counter(row["outcome"] for row in done)
    lines = (
        made.note,
        made.batch.line(),
        medqa.accuracy_line(outcomes),
        f"{added:,} wrong answers are new items of {dataset!r}.",
        *loaded.notes,
    )
    said = tuple(filter(None, lines))
    return RunReport(made.run, made.batch, added, said, outcomes=outcomes, aside=aside)


def _aside(refused: Sequence[Refused]) -> tuple[str, ...]:
    if not refused:
        return ()
    several = f"{len(refused):,} rows were no questions; the first:"
    rows = "1 row was no question:" if len(refused) == 1 else several
    return rows, f"  {refused[0].problem}"


def _item_name(model: str, request: Request, repeat: int) -> str:
    return f"{model}-{request.digest[:12]}" + (f"-r{repeat}" if repeat else "")


def _judged(question: Question, answer: llm.Answer, repeat: int) -> llm.Result:
    body = {
        "question": question.digest,
        "repeat": repeat,
        "correct": question.correct,
        "meta_info": question.meta_info,
        "chosen": None,
        **_source_of(answer),
    }
    if answer.outcome != "ok":
        return llm.Result(answer.outcome, body)
    body["chosen"] = find_chosen(answer.text, question.options)
    if body["chosen"] is None:
        return llm.Result("parse_failed", body)
    return llm.Result("correct" if body["chosen"] == question.correct else "incorrect", body)


def _source_of(answer: llm.Answer) -> dict[str, Any]:
    return {
        "completion": answer.completions[-1] if answer.completions else "",
        "served_model": answer.served_model,
        "error_class": answer.error_class,
        "error": answer.error,
    }


def _item(store: Store, question: Question, body: Mapping[str, Any], model: str) -> ResponseItem:
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
    store: Store,
    settings: Settings,
    *,
    dataset: str,
    models: Sequence[str],
    which: Which = "missing",
    how: How | None = None,
) -> RunReport:
    """Let models mark the errors of the responses that ``which`` names, as raters; see
    ``judges.judge``.

    Each quote is located in the response (exactly, else with white space and Unicode folded) or
    dropped and counted. A response ends as ``tagged``, as ``no_quote_located`` (then without a
    judgment), or without a usable answer as in ``ask``. Marks need no link, since a model cannot
    look one up.

    Raises:
        InvalidInput: there is no such model, or nothing in the dataset.
    """
    chosen = {name: llm.model_of(settings, name) for name in models}
    study = open_study(store, settings, dataset)
    bodies = {name: item for name, _, item in queries.bodies(store, dataset)}
    if not bodies:
        raise InvalidInput(
            f"There are no responses in the dataset {dataset!r}.", hint="See the Data page."
        )
    ids = items.by_names(store, tasks.STUDY, dataset, list(bodies))
    shown = {ids[name]: one for name, one in bodies.items()}
    guideline = _digest_of(dump_taxonomy(study.taxonomy))
    quotes: Counter[str] = Counter()

    def read(answer: llm.Answer, subject: Subject) -> Word:
        return _located(study.taxonomy, shown[subject.id].response, answer.value, quotes)

    done = judges.judge(
        store,
        Judging(
            study=tasks.STUDY,
            kind=TAG,
            task=tasks.NAME,
            dataset=dataset,
            # Another guideline is another prompt.
            prompt=f"{prompts.TAG_VERSION} {guideline[:8]}",
            subjects=[Subject(ids[name], {"item": name}) for name in bodies],
            messages=lambda subject: prompts.tag_messages(study.taxonomy, shown[subject.id]),
            shape=prompts.marks_shape(study.taxonomy),
            read=read,
            config={
                "instruction": [prompts.TAG_ROLE, prompts.TAG_RULES],
                "taxonomy": study.taxonomy.id,
                "guideline": guideline,
            },
            standing=judges.as_judgments(store, tasks.NAME, dataset),
            answer_tokens=USUAL_ANSWER,
            done="These models have tagged every response already.",
        ),
        judges=chosen,
        which=which,
        how=how or How(),
    )
    if not quotes:
        return done
    line = (
        f"Quotes: {quotes['exact']:,} found word for word, {quotes['folded']:,} but for spaces and"
        f" signs; dropped: {quotes['missing']:,} not in the response, {quotes['ambiguous']:,} that"
        " occur more than once."
    )
    return replace(done, lines=(*done.lines, line))


def said_of(store: Store, taxonomy: Taxonomy, dataset: str, *, item: str = "") -> list[Verdict]:
    """Every verdict of the models on responses, or on one."""

    def told(name: str, body: dict[str, Any]) -> Word:
        word = _word(taxonomy, ErrorSpans.model_validate(body))
        return replace(word, body={"item": name, **word.body})

    return judges.with_imported(store, tasks.NAME, dataset, told, subject=item)


def _word(taxonomy: Taxonomy, value: ErrorSpans) -> Word:
    given = value.labels()
    labels = "; ".join(one.export_name for one in taxonomy.labels if one.id in given)
    body = {"labels": labels, "marks": len(value.spans)}
    return Word("tagged", value.comment, body=body, value=value)


def _located(taxonomy: Taxonomy, response: str, said: Any, quotes: Counter[str]) -> Word:
    text = Quotable(response)
    found: dict[tuple[int, int], list[Any]] = {}
    for mark in said.marks:
        place = text.find(mark.quote)
        quotes[place.how] += 1
        if place.how in ("exact", "folded"):
            found.setdefault((place.start, place.end), []).append(mark)
    spans = []
    for (start, end), marks in sorted(found.items()):
        given = {label for mark in marks for label in mark.labels}
        spans.append(
            ErrorSpan(
                start=start,
                end=end,
                quote=response[start:end],
                located="by_quote",
                labels=tuple(one.id for one in taxonomy.labels if one.id in given),
                comment=" ".join(mark.reason.strip() for mark in marks if mark.reason.strip()),
                link=next((mark.link.strip() for mark in marks if mark.link.strip()), ""),
            )
        )
    value = ErrorSpans(spans=tuple(spans), comment=said.comment)
    if not spans:
        return Word("no_quote_located", said.comment, usable=False)
    return _word(taxonomy, value)


def _digest_of(*texts: str) -> str:
    return hashlib.sha256("\x1f".join(texts).encode()).hexdigest()[:16]
