"""A SourceCheckup study of the paper's size, made up: 800 questions, 7 models, 58,000 pairs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from medlens.review import raters
from medlens.store import Store, open_store
from medlens.studies.sourcecheckup import records_to_store_rows
from medlens.studies.sourcecheckup.records import (
    Question,
    Response,
    Source,
    SourceJudgment,
    Statement,
    pair_id,
    source_id,
)
from tests.bench.material import _sentence

DATASET = "bench"
PAIRS = 58_000
_MODELS = 7
_STATEMENTS, _CITED = 4, 3
_GROUPS = ("MayoClinic", "r/AskDocs", "HealthSearchQA")
_KINDS = ("org", "gov", "com", "edu", "co.uk")
_OUTCOMES = ("ok",) * 17 + ("not_found", "paywalled", "timeout")
VERIFIERS = ("verifier one", "verifier two")


def make_store(path: Path, *, pairs: int = PAIRS, people: int = 1, seed: int = 1) -> list[str]:
    """A new store with the study, a lead and reviewers; returns the reviewers' ids.

    As many sources as the paper's share of pairs (9,000 of 58,000), of 7,000 tokens each.
    """
    store = open_store(path)
    try:
        urls = _sources(store, max(20, pairs * 9 // 58), random.Random(seed))
        _answers(store, pairs, urls, random.Random(seed + 1))
        raters.find_or_add_rater_by_name(store, "Lead", role="lead")
        return [
            raters.find_or_add_rater_by_name(store, f"Reviewer {n + 1}").id for n in range(people)
        ]
    finally:
        store.close()


def _sources(store: Store, count: int, draw: random.Random) -> dict[str, str]:
    """Append the sources; returns each address's outcome."""
    sentences = [_sentence(draw) for _ in range(4000)]
    paragraphs = [" ".join(draw.choices(sentences, k=5)) for _ in range(2000)]
    outcomes = {}
    made = []
    for n in range(count):
        url = f"https://www.site{n % 211}.example.{_KINDS[n % 5]}/page/{n}"
        outcomes[url] = draw.choice(_OUTCOMES)
        fine = outcomes[url] == "ok"
        # 7,000 tokens of English are some 28,000 characters.
        text = "\n\n".join(draw.choices(paragraphs, k=58))[:28_000] if fine else ""
        one = Source.model_validate(
            {"url": url, "outcome": outcomes[url], "status": 200 if fine else 404, "text": text}
        )
        made.append(
            records_to_store_rows.snapshot_and_text_part_rows_by_table(one, dataset=DATASET)
        )
        if len(made) == 500:
            store.append_all_and_count_new_by_table(records_to_store_rows.join_rows_by_table(made))
            made = []
    store.append_all_and_count_new_by_table(records_to_store_rows.join_rows_by_table(made))
    return outcomes


def _answers(store: Store, pairs: int, urls: dict[str, str], draw: random.Random) -> None:
    known = list(urls)
    batch: list[records_to_store_rows.Rows] = []
    for number in range(pairs // (_STATEMENTS * _CITED)):
        batch += _answer(number, draw.sample(known, _CITED), urls, draw)
        if number % 500 == 499:
            _append(store, batch)
            batch = []
    _append(store, batch)


def _append(store: Store, batch: list[records_to_store_rows.Rows]) -> None:
    together = records_to_store_rows.join_rows_by_table(batch)
    for table in ("rater", "sc_question", "item"):
        given = together.get(table, [])
        together[table] = list({row["id"]: row for row in given}.values())
    store.append_all_and_count_new_by_table(together)


def _answer(
    number: int, cited: list[str], urls: dict[str, str], draw: random.Random
) -> Iterator[records_to_store_rows.Rows]:
    asked, model = f"q{number // _MODELS}", f"model {number % _MODELS}"
    name = f"r{number}"
    question = Question(
        name=asked, question=f"What of {_sentence(draw)}", group=_GROUPS[number // _MODELS % 3]
    )
    if number % _MODELS == 0:
        yield records_to_store_rows.question_and_item_rows_by_table(question, dataset=DATASET)
    made = [
        Statement(name=f"{name}.{n}", response=name, n=n, statement=_sentence(draw))
        for n in range(1, _STATEMENTS + 1)
    ]
    text = " ".join(one.statement for one in made)
    answer = Response(name=name, question=asked, model=model, text=text, urls=tuple(cited))
    yield records_to_store_rows.response_citation_and_item_rows_by_table(answer, dataset=DATASET)
    yield records_to_store_rows.statement_and_parse_rows_by_table(
        made, dataset=DATASET, response=name
    )
    for one in made:
        for url in cited:
            yield records_to_store_rows.pair_item_rows_by_table(
                one.name, name, url, source=source_id(DATASET, url), dataset=DATASET
            )
            if urls[url] != "ok":
                continue
            item = pair_id(DATASET, one.name, url)
            for verifier in VERIFIERS:
                verdict = draw.choice(("supported", "not_supported", "not_supported", "partly"))
                value = SourceJudgment.model_validate(
                    {"verdict": verdict, "reason": "It is said there.", "quote": "as is said"}
                )
                yield records_to_store_rows.model_rater_and_judgment_rows_by_table(
                    value, item=item, model=verifier
                )
