"""A model's judgment says which run and which version of its prompt it is from."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.app import store_check, work_behind_commands
from medlens.config.settings import Settings
from medlens.review import guideline, judge_trust, judgment_export, judgment_import, raters
from medlens.review.judge_trust import Judge
from medlens.review.judging import count_model_judgments_and_without_run, make_imported_judgment_row
from medlens.store import Store, migrations, open_store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.own.study import open_study
from medlens.studies.registry import STUDIES
from medlens.tables import Request
from tests.llm_server import LLMServer, Reply
from tests.store.made_up import TASK, Rating, person, poems
from tests.store.test_model_raters import rate
from tests.store.test_own_studies import add, declare

ENGINES = ["duckdb", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.deep])]
DAY = datetime(2027, 3, 1, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


class MadeUp:
    name = "made_up"

    @staticmethod
    def tasks(opened: object) -> list:
        return [TASK]

    @staticmethod
    def said(store: Store, task: str, dataset: str) -> tuple:
        return ()


def scores(store: Store) -> dict[Judge, dict[str, int]]:
    """What each judge said of the poems."""
    found = judge_trust.load_task_answers_of_people_and_models(
        MadeUp, store, TASK, dataset="poems", viewer=None
    )
    return {
        judge: {item: one["score"] for item, one in said.items()}
        for judge, said in found.judges.items()
    }


class Earlier:
    """Rows as a store of before held them: verdicts and judgments that know nothing of each other.

    Of time, each row is a minute after the last, but a verdict and its judgment are together.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._at = store, DAY
        self._attempts: dict[tuple[str, str], int] = {}
        self.model = raters.make_rater_row("m", kind="model", origin="model")
        store.append("rater", self.model)

    def verdict(self, item: str, prompt: str, run: str, *, usable: bool = True) -> None:
        self._at += timedelta(minutes=1)
        attempt = self._attempts[item, prompt] = self._attempts.get((item, prompt), 0) + 1
        named = model_verdicts_and_runs_of_judges.Verdict(
            item, "m", prompt, attempt, "said", usable, "", {}, "m", run
        )
        row = model_verdicts_and_runs_of_judges.verdict_as_store_row(
            named, task=TASK.name, dataset="poems"
        ) | {"made_at": self._at}
        self._store.append("verdict", _without(row, "judgment"))

    def judgment(
        self, item: str, revision: int, score: int, *, late: bool = False, **other: Any
    ) -> str:
        self._at += timedelta(minutes=1) if late else timedelta(milliseconds=3)
        told = {"rater": self.model["id"], "origin": "model", **other}
        row = make_imported_judgment_row(
            *(TASK.name, item, told["rater"], Rating(score=score)),
            revision=revision,
            origin=told["origin"],
        )
        self._store.append("judgment", _without(row, "run", "prompt") | {"made_at": self._at})
        return str(row["id"])


def _without(row: Any, *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


@pytest.mark.deep
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_a_store_of_before_learns_which_run_each_judgment_is_from(
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with monkeypatch.context() as earlier:
        steps = [step for step in migrations.STEPS if step[0] != 25]
        earlier.setattr(migrations, "STEPS", tuple(steps))
        earlier.setattr(migrations, "public_view_statements", lambda _engine: [])
        store = open_store(address)
        first, second, third, fourth, fifth = poems(store, 5)
        anna = person(store, "Anna")
        before = Earlier(store)
        before.verdict(first, "p1", "r1")
        one = before.judgment(first, 1, 4)
        before.verdict(first, "p1", "r2", usable=False)
        before.verdict(first, "p2", "r3")  # the same again made no judgment
        before.verdict(first, "p3", "r4")
        two = before.judgment(first, 2, 7)
        # From a file, and then repeated by a run.
        three = before.judgment(second, 1, 5, late=True, origin="import")
        before.verdict(second, "p1", "r1")
        # Repeated by a run, and then from a file.
        before.verdict(third, "p1", "r1")
        four = before.judgment(third, 1, 6)
        before.verdict(third, "p2", "r3")
        five = before.judgment(third, 2, 9, late=True, origin="import")
        # Long after the verdict: whose it is cannot be told.
        before.verdict(fourth, "p1", "r1")
        six = before.judgment(fourth, 1, 3, late=True)
        seven = before.judgment(fifth, 1, 2, rater=anna.id, origin="app")
        store.close()
    with caplog.at_level(logging.WARNING, "medlens"):
        store = open_store(address)
    try:
        known = {row[0]: row[1:] for row in store.rows("select id, run, prompt from judgment")}
        assert known == {
            one: ("r1", "p1"),
            two: ("r4", "p3"),
            three: (None, None),
            four: ("r1", "p1"),
            five: (None, None),
            six: (None, None),
            seven: (None, None),
        }
        held = store.rows("select subject, prompt, run, judgment from verdict order by seq")
        assert held == [
            (first, "p1", "r1", one),
            (first, "p1", "r2", None),
            (first, "p2", "r3", one),
            (first, "p3", "r4", two),
            (second, "p1", "r1", three),
            (third, "p1", "r1", four),
            (third, "p2", "r3", four),
            (fourth, "p1", "r1", None),
        ]
        assert scores(store) == {
            # What came with a file afterwards is the model's word by a prompt that is not known.
            Judge("m", ""): {third: 9, fourth: 3},
            Judge("m", "p1"): {first: 4, second: 5, third: 6},
            Judge("m", "p2"): {first: 4, third: 6},
            Judge("m", "p3"): {first: 7},
        }
        said = [record.getMessage() for record in caplog.records]
        assert [one for one in said if "3 do not" in one and "which run" in one]
        assert count_model_judgments_and_without_run(store) == (6, 3)
        outcome = work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), {"verb": "check"}, tmp_path
        )
        assert outcome["line"].startswith("3 of 6 judgments by models do not say which run")
    finally:
        store.close()


def test_a_store_whose_judgments_all_name_their_run_has_nothing_to_tell(store: Store) -> None:
    [item] = poems(store, 1)
    rater = raters.make_rater_row("m", kind="model", origin="model")
    row = make_imported_judgment_row(
        TASK.name, item, rater["id"], Rating(score=3), run="r1", prompt="p1"
    )
    store.append_all_and_count_new_by_table({"rater": [rater], "judgment": [row]})
    assert store_check.number_of_judgments_without_run_in_words(store) == ""


@pytest.mark.deep
def test_what_a_model_judges_carries_its_run_and_prompt_and_so_does_what_repeats_it(
    store: Store, server: LLMServer
) -> None:
    declare(store)
    add(store)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    task = open_study(store, Settings(), "letters").task
    score = {"now": 3}
    server.answer = lambda body: Reply(
        json.dumps({"q_1": score["now"], "q_2": [], "q_3": None, "reason": "So."})
    )
    first = rate(store, server, sample=2)
    guideline.record_guideline_version_and_return_it(
        store, task, dataset="letters", text="Read it twice.", by=lead
    )
    second = rate(store, server, sample=2)
    score["now"] = 4
    guideline.record_guideline_version_and_return_it(
        store, task, dataset="letters", text="Read it thrice.", by=lead
    )
    third = rate(store, server, sample=2)
    one, two, three = store.column("select prompt from verdict group by prompt order by min(seq)")
    made = store.rows("select run, prompt, count(*) from judgment group by all order by min(seq)")
    assert made == [(first.run, one, 2), (third.run, three, 2)]
    # The second run said the same: its verdicts name the judgments of the first.
    linked = store.rows(
        "select v.run, v.prompt, j.run, j.revision, count(*) from verdict v"
        " join judgment j on j.id = v.judgment group by all order by min(v.seq)"
    )
    assert linked == [
        (first.run, one, first.run, 1, 2),
        (second.run, two, first.run, 1, 2),
        (third.run, three, third.run, 2, 2),
    ]
    found = judge_trust.load_task_answers_of_people_and_models(
        STUDIES["own"], store, task, dataset="letters", viewer=lead
    )
    given = {
        judge.prompt: sorted(measured["clear"] for measured in said.values())
        for judge, said in found.judges.items()
    }
    assert given == {one: [3, 3], two: [3, 3], three: [4, 4]}
    runs = {judge.prompt: {run for _, run in when.values()} for judge, when in found.when.items()}
    assert runs == {one: {first.run}, two: {second.run}, three: {third.run}}


def test_exports_name_the_run_in_their_last_columns_and_imports_bring_it_back(
    store: Store, tmp_path: Any
) -> None:
    first, second = poems(store, 2)
    anna = person(store, "Anna")
    model = raters.make_rater_row("m", kind="model", origin="model")
    rows = [
        make_imported_judgment_row(
            TASK.name, first, model["id"], Rating(score=3), run="r1", prompt="p1"
        ),
        make_imported_judgment_row(
            TASK.name, first, model["id"], Rating(score=4), revision=2, prompt="p2"
        ),
        make_imported_judgment_row(TASK.name, second, anna.id, Rating(score=5)),
    ]
    store.append_all_and_count_new_by_table({"rater": [model], "judgment": rows})
    table = judgment_export.judgments_table(
        store, TASK, dataset="poems", viewer=None, history=True, nested=True
    )
    assert list(table.columns[-2:]) == ["run_id", "prompt_version"]
    told = table[["run_id", "prompt_version"]].astype(object)
    assert told.where(told.notna(), None).to_numpy().tolist() == [
        ["r1", "p1"],
        [None, "p2"],
        [None, None],
    ]
    # A person's judgment has no run, whatever a file says.
    table.loc[table["rater"] == "Anna", "run_id"] = "r9"
    path = tmp_path / "judgments.jsonl"
    path.write_text(table.to_json(orient="records", lines=True, date_format="iso"))
    with contextlib.closing(open_store(tmp_path / "other.duckdb")) as other:
        poems(other, 2)
        judgment_import.import_judgments(other, TASK, request_of(path))
        assert other.rows("select id, run, prompt from judgment order by seq") == store.rows(
            "select id, run, prompt from judgment order by seq"
        )
        assert {judge.prompt for judge in scores(other)} == {"p1", "p2"}


def test_a_file_without_judgments_has_the_columns_of_runs_too(store: Store) -> None:
    poems(store, 1)
    table = judgment_export.judgments_table(store, TASK, dataset="poems", viewer=None)
    assert isinstance(table, pd.DataFrame)
    assert list(table.columns) == [*judgment_export.HEAD, *judgment_export.TAIL]


def request_of(path: Any) -> Request:
    return Request(source=path.read_bytes(), name=path.name, dataset="poems")


def test_an_answer_whose_prompt_is_not_known_counts_until_one_by_a_known_prompt(
    store: Store,
) -> None:
    first, second = poems(store, 2)
    model = raters.make_rater_row("m", kind="model", origin="model")
    rows = [
        make_imported_judgment_row(TASK.name, first, model["id"], Rating(score=3)),
        make_imported_judgment_row(TASK.name, second, model["id"], Rating(score=5)),
        make_imported_judgment_row(
            TASK.name, first, model["id"], Rating(score=4), revision=2, prompt="p1"
        ),
    ]
    store.append_all_and_count_new_by_table({"rater": [model], "judgment": rows})
    assert scores(store) == {Judge("m", ""): {second: 5}, Judge("m", "p1"): {first: 4}}
