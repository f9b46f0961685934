"""The demo study: twelve questions, three models, forty pages and who judged them, all our own.

Everything in ``data/demo/sourcecheckup`` is illustrative: models, verifiers and doctors are
invented, the pages were written for it and stand at addresses that nobody can own. Each row says
so (``dataset`` "demo", ``illustrative`` true).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from medlens.review import importing, raters
from medlens.review.judging import judgment_row
from medlens.sourcecheckup import rows
from medlens.sourcecheckup.models import (
    READABLE,
    STUDY,
    CleanUp,
    Question,
    Response,
    Source,
    SourceJudgment,
    Statement,
    source_id,
    urls_of,
)
from medlens.sourcecheckup.tasks import MERGED, TASKS
from medlens.store import Store, id_of
from medlens.tables.illustrative import demo_fault, illustrative_rows, made

DATASET = "demo"


@dataclass(frozen=True)
class DemoJudgment:
    """One rater's judgment of one item (by its name); ``seconds`` is active time."""

    task: str
    rater: str
    kind: raters.Kind
    item: str
    value: BaseModel
    seconds: float


@dataclass(frozen=True)
class DemoMerged:
    """What a model says of a statement and all sources of its answer together."""

    statement: str
    rater: str
    value: SourceJudgment
    seconds: float


@dataclass(frozen=True)
class Demo:
    """``cleanups`` come with the verifier and its word on the edited statement, where edited.

    ``sites`` are domains and where they are registered; no country where nobody said.
    """

    questions: tuple[Question, ...]
    responses: tuple[Response, ...]
    statements: tuple[Statement, ...]
    sources: tuple[Source, ...]
    judgments: tuple[DemoJudgment, ...]
    cleanups: tuple[tuple[CleanUp, tuple[str, SourceJudgment] | None], ...]
    merged: tuple[DemoMerged, ...]
    sites: tuple[tuple[str, str], ...]

    @property
    def pairs(self) -> Iterator[tuple[Statement, str]]:
        """Every statement with every address of its response, once."""
        cited = {one.name: dict.fromkeys(one.urls) for one in self.responses}
        return ((one, url) for one in self.statements for url in cited[one.response])


def load_demo(folder: str | Path) -> Demo:
    """Read the demo study from ``folder`` (``data/demo/sourcecheckup``).

    Raises BadFile naming file and line of a row that is malformed or names what is not there.
    """
    folder = Path(folder)
    questions = tuple(_read(folder / "questions.jsonl", Question))
    asked = {one.name for one in questions}
    responses = tuple(_read(folder / "responses.jsonl", _response, question=asked))
    given = {one.name for one in responses}
    statements = tuple(_read(folder / "statements.jsonl", Statement, response=given))
    sources = tuple(_read(folder / "sources.jsonl", Source))
    stated = {one.name for one in statements}
    return Demo(
        questions,
        responses,
        statements,
        sources,
        tuple(_read(folder / "judgments.jsonl", _judgment, task=set(TASKS))),
        tuple(_read(folder / "cleanups.jsonl", _cleanup, statement=stated)),
        tuple(_read(folder / "merged.jsonl", _merged, statement=stated)),
        tuple(_read(folder / "sites.jsonl", _site)),
    )


def _response(**row: Any) -> Response:
    return Response(**{**row, "urls": urls_of(row.get("urls"))})


def _judgment(**row: Any) -> DemoJudgment:
    value = TASKS[row["task"]]().value.model_validate_json(json.dumps(row["value"]))
    return DemoJudgment(
        row["task"], row["rater"], row["rater_kind"], row["item"], value, float(row["seconds"])
    )


def _cleanup(**row: Any) -> tuple[CleanUp, tuple[str, SourceJudgment] | None]:
    again = row.pop("recheck", None)
    word = again and SourceJudgment.model_validate_json(json.dumps(again["value"]))
    return CleanUp(**row), (again["rater"], word) if again else None


def _merged(**row: Any) -> DemoMerged:
    value = SourceJudgment.model_validate_json(json.dumps(row["value"]))
    return DemoMerged(row["statement"], row["rater"], value, float(row["seconds"]))


def _site(domain: str, country: str) -> tuple[str, str]:
    return domain, country


def _read(path: Path, make: Callable[..., Any], **known: set[str]) -> Iterator[Any]:
    """The rows of a file; ``known`` are the values that a column may have."""
    for line, row in illustrative_rows(path, DATASET):
        for column, values in known.items():
            if row.get(column) not in values:
                raise demo_fault(
                    path, line, column, f"a {column} of the demo", str(row.get(column))
                )
        yield made(path, line, partial(make, **row))


def add_demo(store: Store, demo: Demo) -> str:
    """Put the demo study into the store; says what is there. Repeating it adds nothing."""
    shown: dict[str, Any] = {"dataset": DATASET, "illustrative": True}
    kept: dict[str, Any] = {"dataset": DATASET, "origin": "demo"}
    by_response: dict[str, list[Statement]] = {one.name: [] for one in demo.responses}
    for one in demo.statements:
        by_response[one.response].append(one)
    fetched = {one.url for one in demo.sources}
    pairs = list(demo.pairs)
    parts = [
        *(rows.question(one, origin="demo", **shown) for one in demo.questions),
        *(rows.response(one, origin="demo", **shown) for one in demo.responses),
        *(
            rows.statements(found, response=response, model="demo-a", **kept)
            for response, found in by_response.items()
        ),
        *(rows.source(one, **kept) for one in demo.sources),
        *(
            rows.pair(
                one.name,
                one.response,
                url,
                **shown,
                source=source_id(DATASET, url) if url in fetched else "",
            )
            for one, url in pairs
        ),
        *_cleaned(demo),
        *_merged_verdicts(demo),
        *(rows.site(one, country, answered="the demo", **kept) for one, country in demo.sites),
        _judged(demo.judgments),
    ]
    importing.add_rows(store, rows.together(parts))
    return (
        f"The SourceCheckup demo is there: {len(demo.questions)} illustrative questions,"
        f" {len(demo.responses)} answers, {len(pairs)} pairs, {len(demo.judgments)} judgments."
    )


def _judged(given: Sequence[DemoJudgment]) -> rows.Rows:
    people: dict[str, Mapping[str, Any]] = {}
    judgments = []
    for one in given:
        origin = "model" if one.kind == "model" else "demo"
        rater = people.setdefault(
            one.rater, raters.new_row(one.rater, kind=one.kind, origin=origin)
        )["id"]
        item = id_of("item", STUDY, DATASET, one.item)
        judgments.append(
            judgment_row(one.task, item, rater, one.value, seconds=one.seconds, named="demo")
        )
    return {"rater": [dict(one) for one in people.values()], "judgment": judgments}


def _merged_verdicts(demo: Demo) -> Iterator[rows.Rows]:
    readable = {one.url for one in demo.sources if one.outcome in READABLE}
    sources: dict[str, list[str]] = {}
    response = {one.name: one.response for one in demo.statements}
    for one, url in demo.pairs:
        if url in readable:
            sources.setdefault(one.name, []).append(source_id(DATASET, url))
    items: set[str] = set()
    for said in demo.merged:
        made = rows.merged(
            said.statement,
            response[said.statement],
            sources=sources[said.statement],
            dataset=DATASET,
            illustrative=True,
        )
        [item] = made["item"]
        if item["id"] not in items:
            items.add(item["id"])
            yield made
        yield rows.verdict(
            said.value,
            item=item["id"],
            model=said.rater,
            origin="import",
            task=MERGED,
            seconds=said.seconds,
        )


def _cleaned(demo: Demo) -> Iterator[rows.Rows]:
    for one, again in demo.cleanups:
        yield rows.cleanup(one, dataset=DATASET, origin="demo")
        if again:
            verifier, word = again
            made = rows.cleanup_id(one, dataset=DATASET)
            yield rows.recheck(word, cleanup=made, model=verifier)
