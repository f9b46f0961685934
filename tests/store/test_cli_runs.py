"""Pipelines from the command line: drawn from their declarations, started against a real server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from medlens import cli
from medlens.app.job_inbox_of_running_app import InboxWatcher
from medlens.app.run_launcher import RunLauncher
from medlens.cli import model_run_command as cli_runs
from medlens.config.settings import Settings, load_settings
from medlens.errors import BadFile, InvalidInput, StoreUnavailable
from medlens.llm import completion_run_and_job_queries as stored
from medlens.llm.background_runs import Running
from medlens.llm.runs import make_run_event_row, open_or_resume_run_and_return_id
from medlens.review import items
from medlens.store import open_store
from medlens.studies.agentclinic import queries as clinic
from medlens.studies.agentclinic.experiment_file import load_experiment
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.pipelines import EXAMPLE
from tests.llm_server import LLMServer, Reply

REPO = Path(__file__).resolve().parents[2]
CASE = {
    "Objective_for_Doctor": "Case 1.",
    "Correct_Diagnosis": "Gout",
    "Test_Results": {"Blood": "x"},
    "Patient_Actor": {"Demographics": "40-year-old", "History": "Pain"},
}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    with LLMServer() as running:
        config = tmp_path / "medlens.toml"
        config.write_text(
            f'store = "s.duckdb"\n[models.demo-a]\nbase_url = "{running.url}"\nmodel = "m"\n'
            "input_price = 1\noutput_price = 1\n"
        )
        monkeypatch.setenv("MEDLENS_CONFIG", str(config))
        monkeypatch.delenv("MEDLENS_STORE", raising=False)
        yield running


def questions(folder: Path, *extra: str) -> Path:
    row = {
        "question": "Which?",
        "options": {"A": "Aspirin", "B": "Heparin"},
        "answer": "Heparin",
        "answer_idx": "B",
        "meta_info": "step1",
    }
    path = folder / "q.jsonl"
    path.write_text("\n".join([json.dumps(row), *extra]) + "\n")
    return path


def test_questions_are_asked_once_and_wrong_answers_become_items(
    server: LLMServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = questions(tmp_path, '{"question": "no options"}')
    words = [
        "run",
        "tagging",
        "ask",
        str(file),
        "--model",
        "demo-a",
        "--dataset",
        "exam",
        "--repeats",
        "2",
        "--skip-bad",
        "--cap",
        "1",
        "--yes",
    ]
    assert cli.main(words) == 0
    said = capsys.readouterr()
    assert "2 wrong answers are new items of 'exam'." in said.out
    assert "1 row was not a question:\n  q.jsonl, line 2" in said.err
    assert cli.main(words) == 0
    assert "2 more are stored and cost nothing" in capsys.readouterr().err
    assert len(server.chats) == 2
    store = open_store(load_settings().store)
    assert [row["n"] for row in items.datasets_of_study(store, "tagging")] == [2]
    store.close()


def test_a_run_without_a_usable_answer_says_so_and_ends_with_a_code(
    server: LLMServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answer = lambda body: Reply("I would rather talk about the weather.")
    given = ["run", "tagging", "ask", str(questions(tmp_path)), "--model", "demo-a"]
    assert cli.main([*given, "--dataset", "exam", "--yes"]) == 1
    words = capsys.readouterr().out
    assert "Without result: 1 of 1 done (1 of these without a usable answer)" in words
    assert "no answer could be used (1 in no form that can be read)" in words
    # Nothing is asked again; it is as much without a result as before.
    assert cli.main([*given, "--dataset", "exam", "--yes"]) == 1
    assert len(server.chats) == 1


def test_nothing_is_spent_unless_somebody_says_yes(
    server: LLMServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = questions(tmp_path)
    words = ["run", "tagging", "ask", str(file), "--model", "demo-a", "--dataset", "exam"]
    assert cli.main(words) == 1
    said = capsys.readouterr().err
    assert "1 calls, about" in said
    assert "Add --yes." in said
    assert server.chats == []


def test_a_study_with_one_pipeline_needs_no_name_for_it(
    server: LLMServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(load_settings().store)
    clinic.add_cases_and_return_added(store, [("f:1", case_from_fields(CASE))], dataset="d")
    store.close()
    server.answer = lambda body: Reply("DIAGNOSIS READY: Gout")
    file = tmp_path / "e.toml"
    file.write_text(
        'dataset = "d"\ndoctors = ["demo-a"]\npatients = ["demo-a"]\ninteractions = 1\n'
    )
    assert cli.main(["run", "agentclinic", str(file), "--yes"]) in (0, 1)
    assert "1 dialogues are new in 'd'." in capsys.readouterr().out


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tagging", "ask", "q.jsonl", "--dataset", "d"], "--model"),
        (
            ["tagging", "ask", "q.jsonl", "--model", "m", "--dataset", "d", "--repeats", "0"],
            "a whole number from 1",
        ),
        (["tagging"], "WHAT"),
        (["agentclinic"], "WHAT"),
        (["agentclinic", "play"], "EXPERIMENT.toml"),
    ],
)
def test_a_wrong_command_line_says_what_is_missing(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["run", *words])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_the_example_of_an_experiment_names_only_fields_that_there_are(tmp_path: Path) -> None:
    store = open_store(tmp_path / "s.duckdb")
    with pytest.raises(BadFile) as refused:
        load_experiment(store, Settings(), EXAMPLE)
    store.close()
    # The cases and models are not there; nothing else is wrong with it.
    assert {row.column for row in refused.value.rows} == {
        "dataset",
        "doctors",
        "patients",
        "measurement",
        "moderator",
    }
    page = (REPO / "docs" / "agentclinic.md").read_text(encoding="utf-8")
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert "".join(f"    {line}".rstrip() + "\n" for line in lines) in page


def test_the_app_that_holds_the_store_does_the_run_and_goes_on_with_it_later(
    server: LLMServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = load_settings()
    holder = open_store(settings.store)
    launcher = RunLauncher(holder, settings)
    app = InboxWatcher(holder, lambda job, folder: launcher.forecast_or_run_inbox_order(job))
    app.start_watching_inbox()
    monkeypatch.setattr(cli_runs, "open_configured_store", _held)
    file = questions(tmp_path)
    words = ["run", "tagging", "ask", str(file), "--model", "demo-a", "--dataset", "exam"]
    assert cli.main(words) == 1
    assert "1 calls, about" in capsys.readouterr().err
    assert server.chats == []
    server.push(Reply(status=401))
    assert cli.main([*words, "--yes"]) == 0
    assert "see its Runs page" in capsys.readouterr().out
    ended = _ended(launcher)
    [row] = stored.list_current_runs(holder, study="tagging", limit=5, offset=0)
    assert (row["id"], row["made_by"]) == (ended.run, "command line")
    # What it was given is in the store: it goes on although the file is gone.
    file.unlink()
    launcher.resume_run_and_return_key(ended.run, by="somebody", cap=None)
    again = _ended(launcher)
    assert (again.run, again.error) == (ended.run, "")
    assert again.done is not None
    assert again.done.complete
    assert server.chats[1].answered
    with pytest.raises(InvalidInput, match="has finished"):
        launcher.resume_run_and_return_key(ended.run, by="somebody", cap=None)
    app.finish_job_and_stop_watching()
    holder.close()


def _ended(launcher: RunLauncher) -> Running:
    for _ in range(6000):
        newest = launcher.background.list_started_runs()[0]
        if not newest.running:
            return newest
        time.sleep(0.01)
    raise AssertionError(newest)


def _held(path: str) -> None:
    raise StoreUnavailable("The app has it.", held=True)


@pytest.mark.parametrize(
    ("where", "state"), [("s.duckdb", "interrupted"), ("postgresql://db/medlens", "running")]
)
def test_a_run_that_fell_silent_just_now_may_go_on_elsewhere_only_where_stores_are_shared(
    tmp_path: Path, where: str, state: str
) -> None:
    store = open_store(tmp_path / "s.duckdb")
    id_ = open_or_resume_run_and_return_id(
        store, study="tagging", kind="ask", config={}, made_by="old"
    )
    store.append("run_event", make_run_event_row(id_, "started", {}))
    run = stored.find_run_as_dict(store, id_)
    assert run is not None
    assert RunLauncher(store, Settings(store=where)).state_name_of_run(run) == state
    store.close()


def test_a_run_that_nobody_knows_the_start_of_cannot_be_resumed(tmp_path: Path) -> None:
    store = open_store(tmp_path / "s.duckdb")
    run = open_or_resume_run_and_return_id(
        store, study="tagging", kind="ask", config={}, made_by="old"
    )
    with pytest.raises(InvalidInput, match="not known"):
        RunLauncher(store, Settings()).resume_run_and_return_key(run, by="x", cap=None)
    store.close()
