"""The tasks and settings of SourceCheckup in one dataset."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from medlens.config.settings import Settings
from medlens.review import items
from medlens.review.hand_out_settings import task_settings_set_by_lead
from medlens.review.tasks import Body, ByModels, StudyTasks, Task
from medlens.store import Store
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import queries, tasks
from medlens.studies.sourcecheckup.records import STUDY

DEFAULT_DATASET = "sourcecheckup"
_PAIRS_AT_ONCE = 200
FORESEEN_PAGE = "@page"
"""In the body of a pair that is about to be corrected: the page's text as it will be."""


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


def _answer(store: Store, item: str) -> dict[str, str]:
    found = listed.find_answer_fields_shown_to_raters(store, item) or {"question": "", "text": ""}
    return {"Question": found["question"], "Answer": found["text"]}


def _answer_and_sources(store: Store, item: str) -> dict[str, str]:
    """The answer, and each source's text between marks that the text cannot contain."""
    # Only those who ask models need them, and their shapes take a while to build.
    from medlens.studies.sourcecheckup import prompts

    def text(source: str) -> str:
        page = queries.source_text(store, source)
        begin, end = prompts.opening_and_closing_fence_of_page(page)
        return f"{begin}\n{page}\n{end}"

    found = listed.find_answer_fields_shown_to_raters(store, item)
    sources = listed.list_sources_of_answer(store, found["dataset"], item) if found else []
    return _answer(store, item) | {
        f"Source {n}, {one['url']}": text(one["source"])
        if one["outcome"] == "ok"
        else f"Nothing that could be read ({one['outcome'] or 'never fetched'})."
        for n, one in enumerate(sources, 1)
    }


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Support(tasks.SourceSupportTask):
    """Verifying the pairs of a store."""

    store: Store
    units: str = "questions"

    def source_text(self, item: Body) -> str:
        """The snapshot's text."""
        if (foreseen := item.get(FORESEEN_PAGE)) is not None:
            return str(foreseen)
        return queries.source_text_of_pair(self.store, item)

    def problems_of_many_drafts(self, answers: Sequence[tuple[Any, Body]]) -> list[list[str]]:
        """Passages that are not the page's; the pages of many pairs are read together."""
        found: list[list[str]] = []
        for at in range(0, len(answers), _PAIRS_AT_ONCE):
            some = answers[at : at + _PAIRS_AT_ONCE]
            snapshots = [
                queries.snapshot_id_of_pair(self.store, item)
                if value.passages and FORESEEN_PAGE not in item
                else ""
                for value, item in some
            ]
            texts = queries.source_texts_by_id(
                self.store, [*filter(None, dict.fromkeys(snapshots))]
            )
            found += [
                tasks.list_misquoted_passages_in_words(value.passages, texts[snapshot])
                if snapshot
                else self.problems_of_draft(value, item)
                for (value, item), snapshot in zip(some, snapshots, strict=True)
            ]
        return found

    def is_without_text(self, item: Body) -> bool:
        """Whether the pair's snapshot, or what it is about to be, holds no text."""
        if (foreseen := item.get(FORESEEN_PAGE)) is not None:
            return not str(foreseen).strip()
        return queries.has_page_without_text(self.store, item)

    def list_reasons_expected_answer_is_impossible(
        self, store: Store, item: str, expected: Body
    ) -> list[str]:
        """That the pair's page holds no text, if the key is more than "cannot tell"."""
        expects = expected.get("verdict", expected.get("supported"))
        if expects in (None, "cannot_tell") or not self.is_without_text(
            items.item_body(store, item)
        ):
            return []
        return [
            "The page of this pair could not be read, so only “Cannot tell” is taken as an answer"
            " and nobody can give the expected one."
        ]

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """Question, statement and source."""
        pair = queries.load_pair_as_shown(store, item)
        source = "\n".join(part for part in (pair.title, pair.url) if part)
        return {
            "Question": pair.question,
            "Statement": pair.statement,
            "Source": source,
            "What the source says": pair.text or f"Nothing that could be read ({pair.outcome}).",
        }

    def ids_of_items_not_handed_out(self, store: Store, dataset: str) -> Collection[str]:
        """Pairs that another pair's judgment settles, and those whose page could not be read."""
        settled = queries.ids_of_pairs_asked_as_other_item(store, dataset)
        return settled | queries.ids_of_pairs_without_text(store, dataset)

    def cluster_by_item(self, store: Store, dataset: str) -> Mapping[str, str]:
        """The questions."""
        return queries.question_names_by_item(store, dataset)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Response(tasks.ResponseSupportTask):
    """Verifying the whole answers of a store."""

    store: Store
    units: str = "questions"

    def find_source_text_to_check_marks_against(self, source: str) -> str:
        """The snapshot's text."""
        return queries.source_text(self.store, source)

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """The question and the answer."""
        return _answer(store, item)

    def cluster_by_item(self, store: Store, dataset: str) -> Mapping[str, str]:
        """The questions."""
        return queries.question_names_by_item(store, dataset)

    @cached_property
    def model_answering_setup(self) -> ByModels:
        """Models read the sources too."""
        return replace(super().model_answering_setup, shown=_answer_and_sources)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Parse(tasks.StatementParseTask):
    """Checking the statements of a store's dataset."""

    store: Store
    dataset: str

    def statement_names(self, item: Body) -> list[str]:
        """The stored statements of the response."""
        names = queries.statement_names_by_response(self.store, self.dataset)
        return list(names.get(str(item.get("id", "")), ()))

    def task_as_asked_of_item(self, body: Body) -> _Parse:
        """The task with the response's statements as the names of what is measured."""
        stated = listed.list_statements_of_answer(self.store, str(body.get("id", "")))
        names = {each["name"]: f"{each['n']}: {each['text']}" for each in stated}
        return replace(self, names={**names, "complete": "No medical fact is missing"})

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """The question, the answer and its statements."""
        stated = listed.list_statements_of_answer(store, item)
        lines = "\n".join(f"{n}: {each['text']}" for n, each in enumerate(stated, 1))
        return _answer(store, item) | {"Statements": lines or "none"}


class _Question(tasks.QuestionQualityTask):
    """Checking the questions of a store."""

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """The question and its document."""
        found = listed.find_question_of_item(store, item) or {"question": "", "document": ""}
        return {"Question": found["question"], "Text": found["document"]}


def open_study(store: Store, dataset: str = "", *, settings: Settings | None = None) -> Study:
    """The study in ``dataset``, by default in the dataset that people are working on."""
    # An archived dataset is not worked on, but `check` reads it.
    checked = dataset
    dataset, illustrative = items.dataset_or_default_and_illustrative(store, STUDY, dataset)
    reason = task_settings_set_by_lead(store, tasks.SUPPORT, dataset).get("reason")
    return Study(
        dataset=dataset,
        illustrative=illustrative,
        support=_Support(store=store, reason_needed=reason == "required"),
        response=_Response(store=store),
        parse=_Parse(store=store, dataset=checked or dataset),
        question=_Question(),
        models=frozenset(settings.models) if settings else frozenset(),
    )


TASKS = StudyTasks(
    STUDY,
    lambda store, settings, dataset: open_study(store, dataset, settings=settings),
    lambda study: study.tasks,
    judgment_files={
        "judgments": lambda study: study.support,
        "answer-judgments": lambda study: study.response,
        "statement-checks": lambda study: study.parse,
        "question-checks": lambda study: study.question,
    },
)
