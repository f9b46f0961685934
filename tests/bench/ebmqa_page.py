"""The Explore page on 105,000 questions and a million answers: first view, a filter changed."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import duckdb

from medlens.review import raters
from medlens.store import Store, open_store, stable_id
from tests.bench.rows import Options, Row
from tests.bench.serving import Server
from tests.bench.session import Session

DATASET = "bench"
# The paper's sub-labels in number, not in name; shares are roughly its own.
_QUESTIONS = """
insert into ebmqa_question by name
select uuid()::text as id, i + 1 as seq, now() as made_at, $dataset as dataset,
  format('q{:06d}', i) as name, md5(i::text) as digest,
  if(i % 10 = 0, 'semantic', 'numeric') as kind,
  case when i % 10 = 0 then 'Semantic' when i % 100 < 72 then 'Sensitivity'
    else 'Type ' || (i % 11) end as qa_type,
  'Among patients with disorder ' || (i % 7746) || ', how common is sign ' || (i % 2547)
    || '? ' || repeat('Choose the range that the evidence gives. ', 8) as question,
  to_json(if(i % 10 = 0, ['Sign a', 'Sign b', 'Sign c', 'Sign d', 'Sign e', 'Sign f'],
    ['Greater than ' || (i % 60 + 30) || '%', 'Between 5% and ' || (i % 60 + 30) || '%',
     'Less than 5%'])) as options,
  if(i % 10 = 0, 6, 3) as n_options,
  if(i % 10 = 0, (1 << (h % 5 + 1)::integer) - 1, 1 << (h % 3)::integer) as correct,
  if(i % 10 = 0, h % 5 + 1, 1) as n_correct,
  'disorder ' || (i % 7746) as source, 'sign ' || (i % 2547) as target,
  ['disorder', 'sign', 'laboratory', 'imaging', 'other'][h // 3 % 5 + 1] as subject_type,
  'disorder' as source_type, ['sign', 'laboratory', 'imaging'][h // 7 % 3 + 1] as target_type,
  if(h // 11 % 5 < 3, 'Discipline ' || (h // 11 % 24), null) as discipline,
  'Discipline ' || (h // 11 % 24) || ';Discipline ' || (h // 13 % 24) as disciplines,
  ['rare', 'common', 'widespread'][h // 17 % 3 + 1] as prevalence,
  ['short', 'medium', 'long'][h // 19 % 3 + 1] as length,
  if(i % 10 = 0, null, ['high', 'middle', 'low'][h % 3 + 1]) as answer,
  57 as words, 0.2 as value, false as illustrative
from (select i, (hash(i * 1000 + $seed) // 2)::bigint as h from range($questions) t(i))
"""
_BLOCKS = """
insert into ebmqa_answer_block by name
select uuid()::text as id, $first + 1 as seq, now() as made_at, $number as number,
  $dataset as dataset, $rater as rater, 'given+idk' as prompt, 1 as repeat, 1 as part,
  '' as run, 'import' as origin, $questions as n
"""
# Each model is right a little more often than the one before; one in seven does not know.
_ANSWERS = """
insert into ebmqa_answer by name
select $first + seq as seq, $number as block, seq as question,
  if(h % 100 < 14, 1, 0) as outcome,
  case when h % 100 < 14 then 0 when h // 100 % 100 < 50 + 2 * $number then correct
    else 1 << (h // 10000 % n_options)::integer end::integer as chosen, 0 as said
from (select seq, correct, n_options, (hash(seq * 64 + $number + $seed) // 2)::bigint as h
      from ebmqa_question)
"""


def make_store(path: Path, *, questions: int, models: int, seed: int = 1) -> str:
    """A new store with a question set and every model's answers to it; returns a lead's id."""
    store: Store
    with contextlib.closing(open_store(path)) as store:
        lead = raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead").id
        ids = [
            raters.find_or_add_rater_by_name(
                store, f"model-{n + 1:02d}", kind="model", origin="import"
            ).id
            for n in range(models)
        ]
    with contextlib.closing(duckdb.connect(str(path))) as file:
        file.execute(
            "insert into item by name select $id as id, 0 as seq, now() as made_at,"
            " 'ebmqa' as study, 'question_set' as kind, $dataset as dataset, 'set' as name,"
            " '' as digest, '{}' as body, false as illustrative",
            {"id": stable_id("item", DATASET), "dataset": DATASET},
        )
        file.execute(_QUESTIONS, {"dataset": DATASET, "questions": questions, "seed": seed})
        for at, rater in enumerate(ids):
            first = questions * (at + 1)
            file.execute(
                _BLOCKS,
                {
                    "first": first,
                    "number": at + 1,
                    "dataset": DATASET,
                    "rater": rater,
                    "questions": questions,
                },
            )
            file.execute(_ANSWERS, {"first": first, "number": at + 1, "seed": seed})
    return lead


async def _visits(server: Server, lead: str, turns: int) -> dict[str, list[float]]:
    """The views that are looked at, each a link; ms from asking for it to the end of its run."""
    took: dict[str, list[float]] = {name: [] for name in ("first", "filter", "label", "warm")}
    session = Session(server.url, lead, page="Explore_EBMQA")
    session.query = "section=labels&by=qa_type"
    try:
        took["first"].append(1000 * await session.open_page())
        for turn in range(turns):
            # Each filter is new: nothing of it is kept from an earlier turn.
            narrowed = f"section=labels&by=qa_type&discipline=Discipline+{turn}"
            took["filter"].append(1000 * await session.visit(narrowed))
            other = narrowed.replace("qa_type", "subject_type")
            took["label"].append(1000 * await session.visit(other))
            took["warm"].append(1000 * await session.visit(narrowed))
    finally:
        await session.close()
    return took


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store = options.folder / "page.duckdb"
    questions, models = options.pick(105_000, 10_000), 10
    lead = make_store(store, questions=questions, models=models, seed=options.seed)
    took: dict[str, list[float]] = {}
    for turn in range(options.pick(3, 2)):
        with Server(options.folder / f"server{turn}", store) as server:
            for name, values in asyncio.run(_visits(server, lead, options.pick(8, 3))).items():
                took.setdefault(name, []).extend(values)
            server.stop()
    size = f"{questions:,} questions, {questions * models:,} answers"
    return [
        Row(
            f"first view, {size}",
            took["first"],
            "median",
            1000,
            note="in a new process, signing in included; a breakdown by type of ten models",
        ),
        Row("a filter changed", took["filter"], "median", 250, note="never asked for before"),
        Row("another label", took["label"], "median", 250, note="never asked for before"),
        Row("a view seen before", took["warm"], "none"),
    ]
