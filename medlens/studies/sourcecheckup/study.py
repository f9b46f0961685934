"""The tasks and settings of SourceCheckup in one dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from medlens.config.settings import Settings
from medlens.review import items
from medlens.review.hand_out_settings import lead_setting
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.studies.sourcecheckup import listing_queries as listed
from medlens.studies.sourcecheckup import prompts, queries, tasks
from medlens.studies.sourcecheckup.records import STUDY

DEFAULT_DATASET = "sourcecheckup"


@dataclass(frozen=True)
class Study:
    """SourceCheckup in one dataset. ``dataset`` is empty if there are no items at all.

    ``models`` are the model names in the settings: a rater with such a name in a file is a model.
    """

    dataset: str
    illustrative: bool
    support: Task
    response: Task
    parse: Task
    question: Task
    models: frozenset[str] = frozenset()

    @property
    def tasks(self) -> tuple[Task, ...]:
        """All four, the one on pairs first."""
        return (self.support, self.response, self.parse, self.question)


def open_study(store: Store, dataset: str = "", *, settings: Settings | None = None) -> Study:
    """The study in ``dataset``, by default in the dataset that people are working on."""
    dataset, illustrative = items.resolve_dataset(store, STUDY, dataset)
    response = tasks.response_support_task(
        text_of=lambda source: queries.source_text(store, source)
    )
    assert response.by_models is not None
    return Study(
        dataset=dataset,
        illustrative=illustrative,
        support=replace(
            tasks.source_support_task(
                text_of=lambda body: queries.pair_text(store, body),
                reason_needed=lead_setting(store, tasks.SUPPORT, dataset).get("reason")
                == "required",
            ),
            leaves_out=queries.pairs_settled_elsewhere,
            shown=_pair,
            lies_in=queries.questions_of_items,
            units="questions",
        ),
        response=replace(
            response,
            shown=_answer,
            by_models=replace(response.by_models, shown=_answer_and_sources),
            lies_in=queries.questions_of_items,
            units="questions",
        ),
        parse=_parse(store),
        question=replace(tasks.question_quality_task(), shown=_question),
        models=frozenset(settings.models) if settings else frozenset(),
    )


def _parse(store: Store) -> Task:
    task = replace(
        tasks.statement_parse_task(statements_of=lambda body: _statements(store, body)),
        shown=_answer_and_statements,
    )

    def asked_of(body: Mapping[str, Any]) -> Task:
        stated = listed.statements_of_answer(store, str(body.get("id", "")))
        names = {one["name"]: f"{one['n']}: {one['text']}" for one in stated}
        return replace(task, names={**names, "complete": "No medical fact is missing"})

    return replace(task, asked_of=asked_of)


def _pair(store: Store, item: str) -> dict[str, str]:
    pair = queries.pair_as_shown(store, item)
    source = "\n".join(part for part in (pair.title, pair.url) if part)
    return {
        "Question": pair.question,
        "Statement": pair.statement,
        "Source": source,
        "What the source says": pair.text or f"Nothing that could be read ({pair.outcome}).",
    }


def _answer(store: Store, item: str) -> dict[str, str]:
    found = listed.answer_for_rater(store, item) or {"question": "", "text": ""}
    return {"Question": found["question"], "Answer": found["text"]}


def _answer_and_sources(store: Store, item: str) -> dict[str, str]:
    """The answer, and each source's text between marks that the text cannot contain."""

    def text(source: str) -> str:
        page = queries.source_text(store, source)
        begin, end = prompts.page_fence_marks(page)
        return f"{begin}\n{page}\n{end}"

    found = listed.answer_for_rater(store, item)
    sources = listed.sources_of_answer(store, found["dataset"], item) if found else []
    return _answer(store, item) | {
        f"Source {n}, {one['url']}": text(one["source"])
        if one["outcome"] == "ok"
        else f"Nothing that could be read ({one['outcome'] or 'never fetched'})."
        for n, one in enumerate(sources, 1)
    }


def _answer_and_statements(store: Store, item: str) -> dict[str, str]:
    stated = listed.statements_of_answer(store, item)
    lines = "\n".join(f"{n}: {one['text']}" for n, one in enumerate(stated, 1))
    return _answer(store, item) | {"Statements": lines or "none"}


def _question(store: Store, item: str) -> dict[str, str]:
    found = listed.question_of_item(store, item) or {"question": "", "document": ""}
    return {"Question": found["question"], "Text": found["document"]}


def _statements(store: Store, body: Mapping[str, Any]) -> list[str]:
    return list(queries.statement_names(store, str(body.get("id", ""))))
