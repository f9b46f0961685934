"""The papers' numbers: each meets one of our figures in a store with its groups, or says why none.

The stores are made here under the papers' names: the demos with their models called otherwise, and
what the demos lack beside them. SourceCheckup's demo lacks nothing: its figures are renamed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from medlens.config.settings import Settings
from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.review import numbers_printed_in_papers
from medlens.review.numbers_printed_in_papers import PublishedNumber
from medlens.store import Store, new_id, open_store
from medlens.studies.agentclinic import queries as clinic
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.records import (
    Dialogue,
    GivenBias,
    PatientRating,
    PatientRatings,
    Turn,
)
from medlens.studies.ebmqa.prompts import STUDY as PROMPTS
from medlens.studies.ebmqa.prompts import USUAL
from medlens.studies.registry import STUDIES
from tests.conftest import quick_or_deep
from tests.unit.test_agentclinic_load import nejm, osce

DEMOS = SHIPPED / "data" / "demo"


def figures(store: Store, study: str, dataset: str) -> pd.DataFrame:
    """The study's figures as ``export figures`` writes them."""
    declared = STUDIES[study]
    found: pd.DataFrame = declared.exports["figures"][1](
        store, declared.open(store, Settings(), dataset), viewer=None
    )
    return found


# -- stores under the papers' names ----------------------------------------------------------------


def tagging(folder: Path) -> Iterator[pd.DataFrame]:
    with closing(open_store(folder / "tagging.duckdb")) as store:
        STUDIES["tagging"].demo(store)
        config = {"model": "gpt-4", "dataset": "demo"}
        run = new_id()
        store.append(
            "run",
            {
                "id": run,
                "study": "tagging",
                "kind": "ask",
                "config": config,
                "digest": "d",
                "made_by": "somebody",
            },
        )
        store.append(
            "run_item",
            {
                "run": run,
                "job": "1",
                "revision": 1,
                "calls": 1,
                "outcome": "correct",
                "body": {"question": "q1", "repeat": 1},
            },
        )
        yield figures(store, "tagging", "demo")


RATED = PatientRatings(
    **dict.fromkeys(("confidence", "compliance", "consultation"), PatientRating(score=7))
)


def visits() -> Iterator[tuple[str, Dialogue]]:
    """Dialogues of the paper's cells, on two cases without images and two with them."""
    number = count(1)

    def each(doctor: str, patient: str, n: int, mode: str = "none", **more: Any) -> Iterator[Any]:
        for at in range(2):
            yield (
                f"p{next(number):03d}",
                Dialogue(
                    case=f"{'nejm' if mode != 'none' else 'osce'}{at}",
                    doctor=doctor,
                    patient=patient,
                    n_interactions=n,
                    image_mode=mode,
                    outcome="incorrect" if at else "correct",
                    diagnosis="Gout",
                    ratings=RATED,
                    protocol="published",
                    **more,
                    turns=(
                        Turn(n=1, speaker="doctor", kind="request_images", text="May I see it?"),
                    ),
                ),
            )

    for doctor in ("gpt-4", "gpt-4o", "gpt-3.5", "mixtral-8x7b", "llama-2-70b"):
        yield from each(doctor, "gpt-4", 20)
    for patient in ("gpt-3.5", "mixtral-8x7b"):
        yield from each("gpt-4", patient, 20)
    yield from each("gpt-3.5", "gpt-3.5", 20)
    for n in (10, 15, 25, 30):
        yield from each("gpt-4", "gpt-4", n)
    for doctor in ("gpt-4", "mixtral-8x7b"):
        for side, bias in (
            ("doctor", "recency"),
            ("doctor", "gender"),
            ("patient", "gender"),
            ("patient", "self_diagnosis"),
        ):
            yield from each(doctor, "gpt-4", 20, **{f"{side}_bias": GivenBias(id=bias)})
    for doctor in ("gpt-4-turbo", "gpt-4v"):
        for mode in ("start", "request"):
            yield from each(doctor, "gpt-4", 20, mode)


def agentclinic(folder: Path) -> Iterator[pd.DataFrame]:
    with closing(open_store(folder / "clinic.duckdb")) as store:
        STUDIES["agentclinic"].demo(store)
        yield figures(store, "agentclinic", "demo")
        for at in range(2):
            cases = [
                (f"osce{at}", case_from_fields(osce(Objective_for_Doctor=f"Assess patient {at}."))),
                (f"nejm{at}", case_from_fields(nejm(question=f"What does patient {at} have?"))),
            ]
            clinic.add_cases_and_return_added(store, cases, dataset="paper")
        clinic.add_dialogues_and_return_added(store, list(visits()), dataset="paper")
        yield figures(store, "agentclinic", "paper")


NAMED = (
    {
        "demo-a": "GPT-4o (RAG)",
        "demo-b": "Gemini Ultra 1.0 (RAG)",
        "demo-c": "GPT-4o (API)",
        "demo-verifier-1": "GPT-4o",
        "demo-verifier-2": "Claude Sonnet 3.5",
        "patient forum": "r/AskDocs",
        "reference pages": "MayoClinic",
        "search questions": "HealthSearchQA",
    },
    {
        "demo-a": "Gemini Pro (API)",
        "demo-b": "Llama-2-70b (API)",
        "demo-c": "Meditron-7b",
        "demo-verifier-1": "Llama 3.1 70B",
    },
)


def renamed(folder: Path, study: str, names: Mapping[str, str]) -> Path:
    """A demo's folder under other names: cells that are one of them, and JSON texts."""
    shutil.copytree(DEMOS / study, folder)
    for file in folder.glob("*.csv"):
        table = pd.read_csv(file, dtype=str, keep_default_na=False).replace(dict(names))
        table.drop(columns="rater_handle", errors="ignore").to_csv(file, index=False)
    for file in folder.glob("*.jsonl"):
        text = file.read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(json.dumps(old), json.dumps(new))
        file.write_text(text, encoding="utf-8")
    return folder


def sourcecheckup(folder: Path) -> Iterator[pd.DataFrame]:
    with closing(open_store(folder / "sources.duckdb")) as store:
        STUDIES["sourcecheckup"].demo(store)
        found = figures(store, "sourcecheckup", "demo")
    for names in NAMED:
        yield found.assign(group=found["group"].replace(names, regex=True))


def ebmqa(folder: Path) -> Iterator[pd.DataFrame]:
    copied = renamed(folder / "ebmqa", "ebmqa", {"demo-a": "Claude3", "demo-b": "GPT-4"})
    answers = pd.read_csv(copied / "answers.csv", dtype=str, keep_default_na=False)
    answers = answers[answers["model"] != "demo-c"]
    asked = pd.read_csv(copied / "questions.csv", dtype=str).query("kind == 'numeric'")[::10]
    some = answers[answers["question_id"].isin(asked["question_id"])]
    others = [some.assign(prompt=prompt.name_in_answers) for prompt in PROMPTS if prompt != USUAL]
    pd.concat([answers, *others]).to_csv(copied / "answers.csv", index=False)
    with closing(open_store(folder / "ebmqa.duckdb")) as store:
        STUDIES["ebmqa"].import_folder_and_describe_result(store, Settings(), copied)
        store.append(
            "ebmqa_question",
            {
                "id": new_id(),
                "dataset": "demo",
                "name": "other",
                "digest": "other",
                "kind": "numeric",
                "question": "What holds?",
                "qa_type": "Prevalence",
                "options": ["High", "Low"],
                "n_options": 2,
                "correct": 1,
                "n_correct": 1,
                "answer": None,
                "subject_type": "other",
                "illustrative": True,
            },
        )
        yield figures(store, "ebmqa", "demo")


MADE: Mapping[str, Callable[[Path], Iterator[pd.DataFrame]]] = {
    "tagging": tagging,
    "agentclinic": agentclinic,
    "sourcecheckup": sourcecheckup,
    "ebmqa": ebmqa,
}


@pytest.mark.parametrize("study", quick_or_deep(*MADE))
def test_every_published_number_meets_a_figure_or_says_why_there_is_none(
    study: str, tmp_path: Path
) -> None:
    rows = pd.concat(MADE[study](tmp_path))
    meeting = {
        one: _met(one, rows)
        for one in numbers_printed_in_papers.published_numbers_of_study(study)
        if one.figure
    }
    assert [(one.key, one.figure, one.group) for one, met in meeting.items() if met.empty] == []
    # Shares stand beside shares, and counts beside counts.
    assert [one.key for one, met in meeting.items() if not _on_one_scale(one, met)] == []


def _met(one: PublishedNumber, rows: pd.DataFrame) -> pd.DataFrame:
    named = rows[rows["figure"] == one.figure]
    return named[
        np.array([one.does_belong_to_group(str(group)) for group in named["group"]], dtype=bool)
    ]


def _on_one_scale(one: PublishedNumber, met: pd.DataFrame) -> bool:
    is_share = met["denominator"].notna().any()
    if one.ours is None:
        return True
    return 0 <= one.ours <= 1 if is_share else one.unit not in ("QAs", "") or one.ours <= 1
