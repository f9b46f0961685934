"""A small store in which every kind of file has something to refer to, and a valid file of each.

The files are rows of the demos as MedLens exports them; the published layouts, which it only reads,
are written here.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.store import Store, open_store
from medlens.studies.ebmqa import questionnaire
from medlens.studies.own.study_file import TEMPLATES
from medlens.studies.registry import IMPORTS
from medlens.studies.tagging.taxonomy import load_taxonomy
from tests.conftest import REPO

SETTINGS = Settings()
HERE, FRESH, BENCH = "fuzz", "elsewhere", "healthbench"
"""The dataset that has what files refer to, one with nothing in it, and a study for rubrics."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Sample:
    """A valid file as rows. ``forms`` are the layouts in which it is one."""

    kind: str
    rows: Sequence[Row]
    dataset: str = HERE
    forms: Sequence[str] = ("jsonl", "csv", "json", "parquet")


def make_world(path: Path, demos: Path | None = None) -> dict[str, Sample]:
    """Lay the store at ``path``; gives a sample of each kind. ``demos`` is a store with every demo,
    which otherwise is made."""
    with contextlib.closing(open_store(demos or path.with_name("demo.duckdb"))) as store:
        if not demos:
            work_behind_commands.add_demo_studies_and_return_report_text(store)
        samples = {one.kind: one for one in _samples(store)}
    assert samples.keys() == IMPORTS.keys()
    with contextlib.closing(open_store(path)) as store:
        for kind in (
            "items",
            "agentclinic-cases",
            "agentclinic-dialogues",
            "sourcecheckup-questions",
            "sourcecheckup-responses",
            "sourcecheckup-statements",
            "sourcecheckup-sources",
            "ebmqa-questions",
        ):
            data = "".join(json.dumps(row) + "\n" for row in samples[kind].rows).encode()
            take(store, kind, data, f"{kind}.jsonl", dataset=HERE)
        questionnaire.sample_questionnaire_and_count_added(store, HERE, number=6)
        for dataset in (HERE, FRESH):
            work_behind_commands.declare_study_and_return_report_text(
                store, _OWN_STUDY.format(dataset), "STUDY.toml"
            )
        rubrics = (TEMPLATES / f"{BENCH}.toml").read_text(encoding="utf-8")
        work_behind_commands.declare_study_and_return_report_text(store, rubrics, "STUDY.toml")
        take(store, "own-items", b"item,text\no1,One.\no2,Two.\n", "own.csv", dataset=HERE)
    for kind, column in (
        ("sourcecheckup-responses", "response_id"),
        ("sourcecheckup-statements", "statement_id"),
        ("agentclinic-dialogues", "dialogue"),
    ):
        # Of those that the store has, others of the same.
        rows = [{**row, column: f"{row[column]}-more"} for row in samples[kind].rows]
        samples[kind] = replace(samples[kind], rows=rows)
    return samples


def take(
    store: Store, kind: str, data: bytes, name: str, **how: Any
) -> work_behind_commands.Outcome:
    """Import a file as the page and the command line do."""
    return work_behind_commands.import_file(store, SETTINGS, kind, data, name=name, **how)


def _samples(store: Store) -> list[Sample]:
    def table(kind: str, study: str, wanted: Callable[[Row], bool] = bool, most: int = 6) -> Any:
        frame = work_behind_commands.make_export_table(
            store, SETTINGS, kind, viewer=None, study=study, dataset="demo", nested=True
        )
        rows = [row for row in _plain(frame) if wanted(row)]
        return [{k: v for k, v in row.items() if k not in _OWN} for row in rows[:most]]

    items = table("items", "tagging", most=4)
    named = {row["item"] for row in items}
    cases = table("cases", "agentclinic", most=2)
    among = {row["case"] for row in cases}
    dialogues = table("dialogues", "agentclinic", lambda row: row["case"] in among, most=3)
    held = {row["dialogue"] for row in dialogues}
    merged = table("merged", "sourcecheckup", most=500)
    stated = table("statements", "sourcecheckup", most=500)
    of = {row["statement_id"]: row["response_id"] for row in stated}
    judged = table("answer-judgments", "sourcecheckup", most=500)
    of_judgment = [row["item"].removeprefix("response ") for row in judged]
    both = {of[row["statement_id"]] for row in merged} & set(of_judgment)
    mended = table("cleanups", "sourcecheckup", most=500)
    answers = sorted(both & {of[row["statement_id"]] for row in mended})[:2]
    assert answers, "no answer of the demo has everything"
    facts = [row for row in stated if row["response_id"] in answers]
    known = {row["statement_id"] for row in facts}
    responses = table("responses", "sourcecheckup", lambda r: r["response_id"] in answers)
    questions = table(
        "questions",
        "sourcecheckup",
        lambda r: r["question_id"] in {a["question_id"] for a in responses},
    )
    cited = {url for row in responses for url in row["urls"]}

    def here(row: Row) -> bool:
        return row["statement_id"] in known

    numeric = table("questions", "ebmqa", lambda r: r["kind"] == "numeric", most=6)
    semantic = table("questions", "ebmqa", lambda r: r["kind"] == "semantic", most=3)
    asked = {row["question_id"] for row in (*numeric, *semantic)}
    tasks = {
        "tagging": lambda row: row["item"] in named,
        "agentclinic": lambda row: row["item"] in held,
    }
    return [
        Sample("items", items, FRESH),
        Sample("judgments", table("judgments", "tagging", tasks["tagging"])),
        Sample("spans", table("spans", "tagging", tasks["tagging"])),
        Sample("surveys", table("surveys", "tagging")),
        Sample(
            "gold",
            table("gold", "tagging", tasks["tagging"])
            or [{"item": items[0]["item"], "labels": "Unsupported claim", "reason": "Why"}],
        ),
        Sample("labels", _labels(items)),
        Sample("g4ue-items", _g4ue_items(), FRESH, ("jsonl", "json", "parquet")),
        Sample("g4ue-responses", _g4ue_responses(), FRESH),
        Sample("g4ue-annotations", _g4ue_annotations(), FRESH),
        Sample("agentclinic-cases", cases, FRESH),
        Sample("agentclinic-dialogues", dialogues, forms=("jsonl", "json", "parquet")),
        Sample("agentclinic-ratings", table("ratings", "agentclinic", tasks["agentclinic"])),
        Sample(
            "agentclinic-verdicts",
            [
                {"given": "Graves disease", "correct": "Graves", "judge": "j", "outcome": "yes"},
                {
                    "given": "A cold",
                    "correct": "Measles",
                    "judge": "j",
                    "outcome": "no",
                    "reason": "r",
                },
            ],
        ),
        Sample(
            "medqa-accuracy",
            [
                {"model": "m-one", "correct": 70, "n": 100, "source": "a table"},
                {"model": "m-two", "correct": 40, "n": 60, "source": ""},
            ],
        ),
        Sample("sourcecheckup-questions", questions, FRESH),
        Sample("sourcecheckup-responses", responses),
        Sample("sourcecheckup-statements", facts),
        Sample(
            "sourcecheckup-sources",
            table("sources", "sourcecheckup", lambda r: r["url"] in cited, most=9),
            FRESH,
        ),
        Sample("sourcecheckup-pairs", table("pairs", "sourcecheckup", here)),
        Sample(
            "sourcecheckup-decisions",
            table("decisions", "sourcecheckup", lambda r: r["Statement ID"] in known),
        ),
        Sample("sourcecheckup-merged", [row for row in merged if here(row)][:4]),
        Sample("sourcecheckup-countries", table("countries", "sourcecheckup", most=4)),
        Sample("sourcecheckup-cleanups", table("cleanups", "sourcecheckup", here)),
        Sample(
            "sourcecheckup-judgments",
            [row for row, one in zip(judged, of_judgment, strict=True) if one in answers][:6],
        ),
        Sample(
            "own-items",
            [
                {"item": "o3", "text": "Three.", "talk": [{"role": "doctor", "content": "Hello"}]},
                {"item": "o4", "text": "Four.", "talk": []},
            ],
            FRESH,
        ),
        Sample(
            "own-judgments",
            [
                {"item": "o1", "rater": "Ann", "version": 1, "clear": 4, "faults": "Dose; Side"},
                {"item": "o2", "rater": "Ann", "version": 1, "clear": 1, "days": 2.5},
            ],
        ),
        Sample("own-healthbench", _healthbench(), BENCH),
        Sample("ebmqa-questions", [*numeric, *semantic], FRESH),
        Sample("ebmqa-answers", table("answers", "ebmqa", lambda r: r["question_id"] in asked)),
        Sample(
            "ebmqa-questionnaire",
            [
                {"item": row["question_id"], "rater": "Ann", "answer": "1", "guess": "idk"}
                for row in numeric[:4]
            ],
        ),
    ]


_OWN_STUDY = """
id = "{}"
title = "Letters"
instructions = "Read."
[[column]]
name = "text"
means = "what it says"
[[column]]
name = "talk"
means = "what was said"
required = false
[[pane]]
title = "Talk"
kind = "dialogue"
column = "talk"
[[pane]]
title = "Text"
column = "text"
[[question]]
id = "clear"
kind = "scale"
text = "Clear?"
low = "no"
high = "yes"
required = true
[[question]]
id = "faults"
kind = "multiple"
text = "Faults?"
options = ["Dose", "Side"]
[[question]]
id = "days"
kind = "number"
text = "Days?"
"""
_OWN = ("dataset", "illustrative", "study")


def _plain(frame: pd.DataFrame) -> list[Row]:
    """The rows in JSON's types."""
    return [
        json.loads(line)
        for line in frame.to_json(orient="records", lines=True, date_format="iso").splitlines()
    ]


_OPTIONS = "{'A': 'Rest', 'B': 'Iron', 'C': 'Water'}"
_VAGUE = "Incorrect or vague conclusion"


def _labels(items: Sequence[Row]) -> list[Row]:
    names = [label.export_name for label in load_taxonomy(_TAXONOMY).labels]
    return [
        {"id": row["item"], **{name: at == place % 3 for place, name in enumerate(names)}}
        for at, row in enumerate(items)
    ]


_TAXONOMY = REPO / "data" / "taxonomies" / "g4ue.toml"


def _shown(response: str) -> str:
    return (
        f"<strong>USMLE question:</strong> What helps?\n<br><strong>Options:</strong> {_OPTIONS}\n"
        "Please explain<br><strong>Correct Answer:</strong> A<br>"
        f"<strong>GPT-4 Response:</strong> {response}"
    )


def _healthbench() -> list[Row]:
    turns = [{"role": "user", "content": "My nose bleeds."}]
    criterion = {"criterion": "Says to lean forward", "points": 7, "tags": ["axis:accuracy"]}
    return [
        {
            "prompt_id": "p1",
            "prompt": turns,
            "rubrics": [criterion],
            "example_tags": ["theme:emergency_referrals"],
            "completion": "Lean forward.",
            "model": "m",
        },
        {
            "prompt_id": "p2",
            "prompt": turns,
            "completion": "Lean back.",
            "rubric": "Says to lean forward",
            "binary_labels": [True, False],
            "anonymized_physician_ids": ["a", "b"],
            "category": "emergency_referrals",
        },
    ]


def _g4ue_items() -> list[Row]:
    return [
        {"id": f"item{n}", "serial_num": n, "text": _shown(f"The answer is B: Iron, said {n}.")}
        for n in range(3)
    ]


def _g4ue_responses() -> list[Row]:
    return [
        {
            "serial_num": n,
            "question": f"What helps {n}?",
            "options": _OPTIONS,
            "answer_idx": "A",
            "gpt4_response": f"The answer is B: Iron, said {n}.",
            "meta_info": "step1",
        }
        for n in range(3)
    ]


def _g4ue_annotations() -> list[Row]:
    def marks(text: str, quote: str) -> str:
        start = text.index(quote)
        mark = {"start": start, "end": start + len(quote), "span": quote, "annotation": _VAGUE}
        return str([mark])

    rows = []
    for n in range(3):
        text = _shown(f"The answer is B: Iron, said {n}.")
        rows.append(
            {
                "id": f"item{n}",
                "displayed_text": text,
                "annotator_id": f"r{n % 2}",
                "label_annotations": "{}",
                "span_annotations": marks(text, "B: Iron"),
                "behavioral_data": "{'time_string': 'Time spent: 0d 0h 11m 47s '}",
            }
        )
    survey = {
        "id": "survey.html",
        "displayed_text": "Survey",
        "annotator_id": "r1",
        "label_annotations": "{'How old are you?': {'text_box': '40'}}",
        "span_annotations": "[]",
        "behavioral_data": "",
    }
    return [*rows, survey]
