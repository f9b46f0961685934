"""The first three steps: questions from reference texts, answers with sources, statements."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from medlens import llm
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How, RunReport
from medlens.llm.result_writer import StoreRowWriter
from medlens.store import Store
from medlens.studies.sourcecheckup import (
    extract_cited_addresses,
    prompts,
    queries,
    records_to_store_rows,
)
from medlens.studies.sourcecheckup.records import Question, Response, Statement
from medlens.studies.sourcecheckup.run_pipeline_step import (
    Step,
    forecast_confirm_and_run_step,
    forecast_unanswered_calls,
    models_by_name,
)
from medlens.tables import Column, Row, RowError, Source, load_parsed_and_refused_rows

QUESTIONS, ANSWERS, STATEMENTS = "questions", "answers", "statements"
_QUESTION, _ANSWER, _STATEMENTS = 120, 250, 300
_LONGEST_NAME = 80
DOCUMENTS = (
    Column("document", "text", "the reference text", needed=True, pages=True),
    Column("question_id", "name", "the id of its question; made of the text where there is none"),
    Column("document_url", "name", "where the text is published"),
    Column("group", "name", "the group that its question belongs to"),
)


# -- questions from reference texts ----------------------------------------------------------------


def read_documents_as_unwritten_questions(file: Source, *, group: str = "") -> list[Question]:
    """Reference texts from a CSV, JSON lines or Parquet file, as questions still to be written.

    Columns: ``document`` (the text), and optionally ``question_id``, ``document_url``, ``group``.

    Raises:
        BadFile: rows without a text.
    """

    def parse(row: Row) -> Question:
        given = {key: str(value or "").strip() for key, value in row.values.items()}
        if not given["document"]:
            raise RowError("document", "a reference text")
        name = given.get("question_id") or f"q-{_digest(given['document'])}"
        return Question.model_construct(
            name=name[:_LONGEST_NAME],
            question="",
            group=given.get("group") or group,
            answer="",
            document=given["document"],
            document_url=given.get("document_url", ""),
        )

    loaded = load_parsed_and_refused_rows(file, parse, columns=DOCUMENTS)
    return list({one.name: one for one in loaded.records}.values())


def let_model_write_questions(
    store: Store,
    settings: Settings,
    file: Source,
    *,
    model: str,
    dataset: str,
    group: str = "",
    how: How | None = None,
) -> RunReport:
    """Let a model write a question for each reference text; texts that have one are skipped.

    Raises:
        BadFile, InvalidInput: nothing was asked.
    """
    models = models_by_name(settings, [model])
    there = {one.name for one in queries.list_questions(store, dataset)}
    wanted = [
        one
        for one in read_documents_as_unwritten_questions(file, group=group)
        if one.name not in there
    ]

    async def work(
        document: Question, ask: llm.Ask, run: str, writer: StoreRowWriter
    ) -> llm.Result:
        answer = await put(document, ask)
        if answer.outcome != "ok":
            return llm.Result(answer.outcome, answer.provenance_fields)
        made = document.model_copy(
            update={"question": answer.value.question, "answer": answer.value.answer}
        )
        await writer.put(
            records_to_store_rows.question_and_item_rows_by_table(
                made, dataset=dataset, origin="model"
            )
        )
        return llm.Result("made", {"question": made.name, **answer.provenance_fields})

    async def put(document: Question, ask: llm.Ask) -> llm.Answer:
        said = prompts.messages_asking_for_question(document.document)
        return await ask(model, said, schema=prompts.QuestionShape)

    return forecast_confirm_and_run_step(
        store,
        how=how,
        step=Step(
            kind=QUESTIONS,
            dataset=dataset,
            models=models,
            units={one.name: one for one in wanted},
            work=work,
            left=forecast_unanswered_calls(
                store, models, (partial(put, one) for one in wanted), answer=_QUESTION
            ),
            config={
                "model": model,
                "prompt": prompts.QUESTION_VERSION,
                "instruction": [prompts.QUESTION_ROLE, prompts.QUESTION_TASK],
            },
            table="sc_question",
            says=("question is new", "questions are new"),
            empty="Every reference text has its question already.",
        ),
    )


# -- answers ---------------------------------------------------------------------------------------


def let_models_answer_questions(
    store: Store,
    settings: Settings,
    *,
    models: Sequence[str],
    dataset: str,
    how: How | None = None,
) -> RunReport:
    """Put every question to every model that has not answered it.

    An answer that is empty, cut off, or only addresses gets one more try, as free text; after that
    it is ``invalid``.

    Raises:
        InvalidInput: there is no such model, or no question.
    """
    chosen = models_by_name(settings, models)
    asked = queries.list_questions(store, dataset)
    if not asked:
        raise InvalidInput(
            f"There are no questions in the dataset {dataset!r}.",
            hint="Import them, or make them from reference texts, first.",
        )
    there = {one.name for one in queries.list_responses(store, dataset)}
    every = {name_of_response(one.name, name): (one, name) for one in asked for name in chosen}
    wanted = {name: one for name, one in every.items() if name not in there}

    async def work(
        one: tuple[Question, str], ask: llm.Ask, run: str, writer: StoreRowWriter
    ) -> llm.Result:
        question, model = one
        answer, read = await put(one, ask)
        if answer.outcome == "error":
            return llm.Result("error", answer.provenance_fields)
        made = Response(
            name=name_of_response(question.name, model),
            question=question.name,
            model=model,
            text=read.text,
            urls=read.urls,
            raw=read.raw,
            reason=read.problem,
            outcome="invalid" if read.problem else "ok",
        )
        await writer.put(
            records_to_store_rows.response_citation_and_item_rows_by_table(
                made, dataset=dataset, run=run, origin="model"
            )
        )
        body = {"response": made.name, "reason": made.reason, "sources": len(made.urls)}
        unusable = "parse_failed" if answer.outcome == "ok" else answer.outcome
        kept = {**body, **answer.provenance_fields}
        return llm.Result(made.outcome, kept, unusable if read.problem else "")

    async def put(one: tuple[Question, str], ask: llm.Ask) -> tuple[llm.Answer, _Read]:
        return await _answered(ask, one[1], one[0].question)

    works = (partial(put, one) for one in wanted.values())
    return forecast_confirm_and_run_step(
        store,
        how=how,
        step=Step(
            kind=ANSWERS,
            dataset=dataset,
            models=chosen,
            units=wanted,
            work=work,
            left=forecast_unanswered_calls(store, chosen, works, answer=_ANSWER),
            config={
                "prompt": prompts.ANSWER_VERSION,
                "instruction": [prompts.ANSWER_ROLE, prompts.ANSWER_TASK, prompts.FREE_TASK],
            },
            table="sc_response",
            says=("answer is new", "answers are new"),
            empty="Every question has been answered by these models already.",
        ),
    )


def name_of_response(question: str, model: str) -> str:
    """The name of a model's answer to a question."""
    return f"{question}--{model}"


@dataclass(frozen=True)
class _Read:
    text: str
    urls: tuple[str, ...]
    raw: str
    problem: str


async def _answered(ask: llm.Ask, model: str, question: str) -> tuple[llm.Answer, _Read]:
    answer = await ask(
        model, prompts.messages_asking_for_answer(question), schema=prompts.AnswerShape
    )
    read = _read(answer)
    if read.problem and answer.outcome not in ("error", "refused"):
        answer = await ask(model, prompts.messages_asking_for_answer(question, free=True))
        read = _read(answer)
    return answer, read


def _read(answer: llm.Answer) -> _Read:
    raw = answer.text.strip()
    if answer.outcome in ("error", "refused", "truncated", "parse_failed"):
        return _Read("", (), raw, _PROBLEMS[answer.outcome])
    if answer.value is not None:
        cited = extract_cited_addresses.separate_addresses_from_text(answer.value.answer)
        listed = extract_cited_addresses.list_addresses_in_source_list(answer.value.sources)
        # An address in the text that is also in the list is the same source, not another one.
        urls = (*listed, *(url for url in cited.urls if url not in listed))
    else:
        cited = extract_cited_addresses.separate_addresses_from_text(raw)
        urls = cited.urls
    if cited.text:
        return _Read(cited.text, urls, raw, "")
    problem = "it holds nothing but addresses" if urls else "it is empty"
    return _Read("", urls, raw, problem)


_PROBLEMS = {
    "error": "there was no answer",
    "refused": "the model declined to answer",
    "truncated": "it was cut off by the token limit",
    "parse_failed": "it is not in the form asked for",
}


# -- statements ------------------------------------------------------------------------------------


def let_model_split_answers(
    store: Store, settings: Settings, *, model: str, dataset: str, how: How | None = None
) -> RunReport:
    """Extract the medical facts of every valid answer not yet split; some answers contain none.

    Raises:
        InvalidInput: there is no such model, or no answer.
    """
    models = models_by_name(settings, [model])
    there = queries.list_responses(store, dataset)
    if not there:
        raise InvalidInput(
            f"There are no answers in the dataset {dataset!r}.", hint="Run or import them first."
        )
    done = queries.names_of_responses_already_split(store, dataset)
    asked = {one.name: one.question for one in queries.list_questions(store, dataset)}
    wanted = [one for one in there if one.outcome == "ok" and one.name not in done]

    async def work(
        response: Response, ask: llm.Ask, run: str, writer: StoreRowWriter
    ) -> llm.Result:
        answer = await put(response, ask)
        if answer.outcome != "ok":
            return llm.Result(answer.outcome, answer.provenance_fields)
        name = response.name
        found = [
            Statement(name=f"{name}--s{n}", response=name, statement=one, n=n)
            for n, one in enumerate(
                extract_cited_addresses.drop_empty_and_repeated_statements(answer.value.statements),
                start=1,
            )
        ]
        await writer.put(
            records_to_store_rows.statement_and_parse_rows_by_table(
                found, dataset=dataset, response=name, model=model, run=run, origin="model"
            )
        )
        body = {"response": name, "statements": len(found), **answer.provenance_fields}
        return llm.Result("parsed" if found else "no_statement", body)

    async def put(response: Response, ask: llm.Ask) -> llm.Answer:
        said = prompts.messages_asking_for_statements(
            asked.get(response.question, ""), response.text
        )
        return await ask(model, said, schema=prompts.StatementsShape)

    works = (partial(put, one) for one in wanted)
    return forecast_confirm_and_run_step(
        store,
        how=how,
        step=Step(
            kind=STATEMENTS,
            dataset=dataset,
            models=models,
            units={one.name: one for one in wanted},
            work=work,
            left=forecast_unanswered_calls(store, models, works, answer=_STATEMENTS),
            config={
                "model": model,
                "prompt": prompts.STATEMENT_VERSION,
                "instruction": [prompts.STATEMENT_ROLE, prompts.STATEMENT_TASK],
            },
            table="sc_statement",
            says=("statement is new", "statements are new"),
            empty="Every answer has already been split into statements.",
        ),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
