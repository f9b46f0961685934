"""The command line, as a person types it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import medlens
from medlens import cli
from medlens.app import job_inbox_of_running_app, store_check, work_behind_commands
from medlens.cli import command_line
from medlens.config.settings import Settings
from medlens.errors import StoreUnavailable
from medlens.review import audit_log, completion_code_rules_and_decisions, consensus, items, raters
from medlens.review.items import NewItem
from medlens.store import Store, new_id, open_store
from medlens.studies import registry
from medlens.studies.ebmqa.answers import store_answers
from medlens.studies.ebmqa.answers.match_and_parse_answers import AnswerBlockKey
from medlens.studies.sourcecheckup import queries
from medlens.telemetry import logs
from tests.conftest import LayStore
from tests.store import ebmqa_questions

REPO = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "cli.duckdb"
    monkeypatch.setenv("MEDLENS_STORE", str(path))
    return path


@pytest.fixture
def demos(path: Path, lay_store: LayStore) -> Path:
    """The store holds what ``medlens demo`` adds."""
    return lay_store(path, work_behind_commands.add_demo_studies_and_return_report_text)


@pytest.mark.deep
def test_check_and_backup_run_with_the_settings_of_every_study(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_store(path).close()
    settings = tmp_path / "medlens.toml"
    settings.write_text("[tagging]\nseed = 7\n[agentclinic]\n[own]\n[serve]\nport = 8600\n")
    monkeypatch.setenv("MEDLENS_CONFIG", str(settings))
    # In a process of its own, as a schedule starts it: here all studies are loaded.
    for command in (["check"], ["backup", str(tmp_path / "copy.duckdb")]):
        done = subprocess.run(
            [sys.executable, "-m", "medlens", *command], cwd=REPO, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    # The store has no judgments of either study, and neither is loaded but for its section.
    for section in ("tagging", "own"):
        settings.write_text(f"[{section}]\nsede = 7\n")
        done = subprocess.run(
            [sys.executable, "-m", "medlens", "check"], cwd=REPO, capture_output=True, text=True
        )
        assert done.returncode != 0
        assert f"{section}.sede" in done.stderr


def test_demo_check_and_export_work_from_an_empty_folder(
    path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.main(["demo"]) == 0
    assert cli.main(["check"]) == 0
    out = capfdbinary.readouterr().out.decode()
    assert "error tagging is there: 24 items" in out
    assert "sound" in out
    assert cli.main(["export", "labels", "--rule", "strict"]) == 0
    table = pd.read_csv(io.BytesIO(capfdbinary.readouterr().out))
    assert table.columns[0] == "id"
    assert len(table.columns) == 10


@pytest.mark.deep
def test_ebmqas_figures_are_narrowed_by_run_model_and_prompt(
    path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with contextlib.closing(open_store(str(path))) as store:
        ebmqa_questions.add_questions(store, numeric=8)
        made = NewItem("set-1", {"questions": 8})
        items.add_items(store, [made], study="ebmqa", kind="question_set", dataset="q")
        numbers = [seq for (seq,) in store.rows("select seq from ebmqa_question order by name")]
        run = new_id()
        row = {"id": run, "study": "ebmqa", "kind": "ask", "digest": "d", "made_by": "cli"}
        store.append("run", {**row, "config": {"dataset": "q", "models": ["beta"]}})
        for model, prompt, of, questions in (
            ("alpha", "given", "", numbers),
            ("beta", "given", "", numbers),
            ("beta", "reversed", run, numbers[:5]),
        ):
            told = [(0, 1, "1")] * len(questions)
            blocks = store_answers.prepare_answers_of_one_model_for_storing(
                questions, AnswerBlockKey(model, prompt, 1), told
            )
            store_answers.store_answers_and_count(store, "q", *blocks, origin="model", run=of)

    def counted(*words: str) -> dict[str, int]:
        """Answers by model, as the accuracies count them."""
        capfdbinary.readouterr()
        assert cli.main(["export", "figures", "ebmqa", "--dataset", "q", *words]) == 0
        table = pd.read_csv(io.BytesIO(capfdbinary.readouterr().out))
        assert set(table["prompt"].dropna()) == {"reversed" if "reversed" in words else "given"}
        found = table[table["figure"] == "accuracy"]
        return {
            group.partition(",")[0]: int(n)
            for group, n in zip(found["group"], found["n"], strict=True)
        }

    assert counted() == {"alpha": 8, "beta": 8}
    assert counted("--model", "beta") == {"beta": 8}
    assert counted("--prompt", "reversed") == {"beta": 5}
    assert counted("--run", run, "--prompt", "reversed") == {"beta": 5}
    for words in (["--model", "gamma"], ["--prompt", "gone"], ["--run", "gone"]):
        assert cli.main(["export", "figures", "ebmqa", "--dataset", "q", *words]) == 1
        assert f"has no {words[0][2:]} {words[1]!r}" in capfdbinary.readouterr().err.decode()


@pytest.mark.deep
def test_questions_and_answers_go_out_by_label_and_words(
    path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with contextlib.closing(open_store(str(path))) as store:
        registry.STUDIES["ebmqa"].demo(store)
    narrow = [
        "--label",
        "discipline=renal|digestive; prevalence=common",
        "--words",
        "PROPORTION have",
    ]

    def told(kind: str, *words: str) -> pd.DataFrame:
        capfdbinary.readouterr()
        assert cli.main(["export", kind, "ebmqa", *words]) == 0
        return pd.read_csv(io.BytesIO(capfdbinary.readouterr().out))

    found = told("questions", *narrow)
    whole = told("questions")
    words = whole["question"].str.lower() + whole["options"].str.lower()
    wanted = whole[
        whole["discipline"].isin(["renal", "digestive"])
        & (whole["prevalence"] == "common")
        & words.str.contains("proportion")
        & words.str.contains("have")
    ]
    assert 0 < len(wanted) < len(whole)
    assert list(found["question_id"]) == list(wanted["question_id"])
    answers = told("answers", *narrow)
    assert set(answers["question_id"]) == set(wanted["question_id"])
    for bad, said in (("ward=B", "no label 'ward'"), ("prevalence=odd", "disorder 'odd'")):
        assert cli.main(["export", "questions", "ebmqa", "--label", bad]) == 1
        assert said in capfdbinary.readouterr().err.decode()
    assert cli.main(["export", "answers", "ebmqa", "--words", "fever zebra"]) == 1
    assert "No question has all of these" in capfdbinary.readouterr().err.decode()
    assert cli.main(["export", "figures", "ebmqa", "--words", "fever"]) == 1
    assert "cannot be narrowed by words" in capfdbinary.readouterr().err.decode()


@pytest.mark.deep
def test_rounds_are_listed_opened_given_and_closed(
    demos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(open_store(demos)) as store:
        raters.find_or_add_rater_by_name(store, "Rosa")
        raters.find_or_add_rater_by_name(store, "Ben")
    capsys.readouterr()

    def said(*words: str) -> str:
        assert cli.main(["round", *words]) == 0
        return capsys.readouterr().out.strip()

    assert "error_spans on demo: open to everyone" in said("list").splitlines()
    on = ("error_spans", "--dataset", "demo")
    assert said("give", *on, "--to", "rosa") == "error_spans on demo: open to Rosa"
    first = ("--dataset", "demo", "--to", "Rosa", "--to", "Ben", "error_spans")
    assert said("give", *first) == "error_spans on demo: open to Ben, Rosa"
    assert said("close", *on) == "error_spans on demo: closed"
    assert cli.main(["round", "give", *on, "--to", "Rosa"]) == 1
    assert "The round is not open." in capsys.readouterr().err
    assert cli.main(["round", "open", *on, "--to", "Nobody"]) == 1
    assert "There is nobody called 'Nobody'." in capsys.readouterr().err
    assert cli.main(["round", "open", "poems", "--dataset", "demo"]) == 1
    assert "error_spans" in capsys.readouterr().err
    assert said("open", *on) == "error_spans on demo: open to everyone"


@pytest.mark.deep
def test_items_that_tell_most_of_a_model_are_drawn_by_the_seed_that_is_asked_for(
    demos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    what = ["draw", "source_support", "--dataset", "demo", "--within", "5", "--seed", "7"]

    def refused(*words: str) -> str:
        assert cli.main([*what, *words]) == 1
        return capsys.readouterr().err

    assert "There is no judge 'Nobody'" in refused("--judge", "Nobody")
    assert "There is no variable 'x'" in refused("--about", "x")
    assert "There is no answer 'x'" in refused("--answer", "x")
    assert "between 0 and 50 points" in refused("--within", "50")
    assert cli.main(what) == 0
    said = capsys.readouterr().out
    assert "drawn with seed 7 to know the sensitivity of" in said
    with contextlib.closing(open_store(demos)) as store:
        [(body, by)] = store.rows("select body::varchar, made_by from sample")
    drawn = [item for one in json.loads(body)["strata"] for item in one["drawn"]]
    assert said.startswith(f"{len(drawn):,} items are handed out")
    assert (json.loads(body)["seed"], by) == (7, "command line")


@pytest.mark.deep
def test_a_raters_work_is_excluded_listed_and_returned(
    demos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    def said(*words: str) -> str:
        assert cli.main(["rater", *words]) == 0
        return capsys.readouterr().out.strip()[len("2026-01-01 12:00 ") :]

    assert cli.main(["rater", "list"]) == 0
    assert capsys.readouterr().out.strip() == "Nobody's work has been excluded."
    who, why = "Demo rater A", ("--reason", "Asked a model.")
    on = ("--task", "error_spans", "--dataset", "demo")
    out = f"{who} excluded from error_spans of demo by command line: Asked a model."
    assert said("exclude", who, *on, *why) == out
    assert cli.main(["rater", "exclude", who, *on, *why]) == 1
    assert "is excluded already" in capsys.readouterr().err
    back = f"{who} returned to error_spans of demo by command line: Checked."
    assert said("return", who, *on, "--reason", "Checked.") == back
    assert said("list").splitlines()[0] == back
    assert cli.main(["rater", "exclude", who, "--task", "poems", "--dataset", "demo", *why]) == 1
    assert "There is no task 'poems'" in capsys.readouterr().err
    assert cli.main(["rater", "exclude", "Nobody", *why]) == 1
    assert "There is nobody called 'Nobody'." in capsys.readouterr().err
    assert cli.main(["rater", "exclude", who, "--task", "error_spans", *why]) == 1
    assert "or neither" in capsys.readouterr().err


@pytest.mark.deep
def test_completion_codes_that_wait_are_listed_given_and_refused_as_on_the_page(
    demos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(open_store(demos)) as store:
        task = registry.find_task_by_name(store, Settings(), "error_spans", "demo")
        assert task is not None
        for name, many in (("Rosa", 1), ("Ben", 2)):
            rater = raters.find_or_add_rater_by_name(store, name).id
            for dataset in ("demo", "elsewhere")[:many]:
                told = completion_code_rules_and_decisions.decide_and_record_completion_outcome(
                    store, task, dataset=dataset, rater=rater, is_finished=lambda: True
                )
                assert told.is_ == "waiting"
        worker = {
            "task": task.name,
            "dataset": "demo",
            "rater": raters.find_or_add_rater_by_name(store, "Rosa").id,
        }
        store.append("crowd_worker", {"id": new_id(), **worker, "worker": "5f1", "said": {}})
    capsys.readouterr()

    def said(*words: str) -> list[str]:
        assert cli.main(["codes", *words]) == 0
        return capsys.readouterr().out.strip().splitlines()

    def refused(*words: str) -> str:
        assert cli.main(["codes", *words]) == 1
        return capsys.readouterr().err

    why = ("--reason", "The items were broken.")
    lacks = "awaits a lead: judged 0 of 0 (80 % needed)"
    of_rosa = "Rosa (platform's id 5f1), error_spans of demo: "
    waiting = said("list")
    assert sorted(waiting)[2] == of_rosa + lacks
    assert len(waiting) == 3
    assert "waits in several rounds" in refused("give", "Ben", *why)
    assert "--task and --dataset" in refused("give", "Ben", *why)
    assert "or neither" in refused("give", "Ben", "--task", "error_spans", *why)
    assert "There is no task" in refused(
        "give", "Ben", "--task", "error_spans", "--dataset", "elsewhere", *why
    )
    assert "does not wait for a completion code" in refused("refuse", "Demo rater A", *why)
    assert "A reason is missing" in refused("give", "5f1", "--reason", " ")
    assert said("give", "5f1", *why)[0].startswith(of_rosa + "given by a lead (command line, 20")
    assert len(said("list")) == 2
    assert len(said("list", "--all")) == 3
    [now] = said("refuse", "Ben", "--task", "error_spans", "--dataset", "demo", *why)
    assert "refused by a lead (command line" in now
    assert said("give", "ben", *why)[0].startswith("Ben, error_spans of elsewhere: given")
    assert said("list") == ["Nobody waits for a completion code."]
    with contextlib.closing(open_store(demos)) as store:
        log = audit_log.entries_table(store, viewer=None)
        decided = log[log["kind"] == "completion"]
        assert sorted(decided["detail"]) == [
            "given for error_spans of demo: The items were broken.",
            "given for error_spans of elsewhere: The items were broken.",
            "refused for error_spans of demo: The items were broken.",
        ]
        assert set(decided["who"]) == {"command line"}


@pytest.mark.deep
def test_export_to_a_file_chooses_the_format_by_its_ending(demos: Path, tmp_path: Path) -> None:
    assert cli.main(["export", "judgments", "-o", str(tmp_path / "j.jsonl")]) == 0
    first = json.loads((tmp_path / "j.jsonl").read_text().splitlines()[0])
    assert first["value"]["spans"]
    assert cli.main(["export", "spans", "-o", str(tmp_path / "s.parquet")]) == 0
    assert len(pd.read_parquet(tmp_path / "s.parquet")) > 60
    assert cli.main(["export", "figures", "tagging", "-o", str(tmp_path / "f.csv"), "--bom"]) == 0
    assert (tmp_path / "f.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    columns = list(pd.read_csv(tmp_path / "f.csv").columns)
    assert columns == [
        "study",
        "figure",
        "group",
        "numerator",
        "denominator",
        "value",
        "low",
        "high",
        "n",
        "p",
        "method",
        "dataset",
        "run",
        "experiment",
        "cases",
        "judge",
        "protocol",
        "speaks_for",
    ]


@pytest.mark.deep
def test_what_is_not_there_is_said_with_what_is(
    demos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path / "x.csv")]
    assert cli.main(["export", "annotated", "--dataset", "nowhere", *out]) == 1
    assert "There is no dataset 'nowhere'.\n  There are: demo." in capsys.readouterr().err
    assert not (tmp_path / "x.csv").exists()
    # No model has judged this task in the demo.
    assert cli.main(["draw", "dialogue_realism", "--dataset", "demo"]) == 1
    assert "no model has judged this task" in capsys.readouterr().err


@pytest.mark.deep
def test_annotated_items_go_out_as_excel_of_the_study_that_is_named_either_way(
    demos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "items.xlsx"
    words = ["--study", "agentclinic", "annotated", "--dataset", "demo", "--anonymous"]
    assert cli.main(["export", *words, "-o", str(target)]) == 0
    assert zipfile.is_zipfile(target)
    assert "40 rows" in capsys.readouterr().out
    table = tmp_path / "items.csv"
    assert cli.main(["export", "annotated", "ebmqa", "-o", str(table)]) == 0
    assert "ebmqa_answer / consensus / answer" in pd.read_csv(table)


@pytest.mark.deep
def test_an_export_says_of_which_study_it_is_where_several_have_such_a_table(
    demos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "q.csv")
    capsys.readouterr()
    assert cli.main(["export", "spans", "-o", file]) == 0
    assert capsys.readouterr().out.endswith("rows.\n")
    assert cli.main(["export", "questions", "-o", file, "--force"]) == 0
    said = "From sourcecheckup; for ebmqa, name it: questions ebmqa."
    assert said in capsys.readouterr().out
    assert "group" in pd.read_csv(file).columns
    assert cli.main(["export", "questions", "ebmqa", "-o", file, "--force"]) == 0
    assert "Of " not in capsys.readouterr().out
    assert "qa_type" in pd.read_csv(file).columns


@pytest.mark.deep
def test_an_import_says_what_it_did_in_a_line(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("item,question,response\na,Q,fine\n", encoding="utf-8")
    assert cli.main(["import", "items", str(file), "--dataset", "ward"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "Imported 1 item into 'ward'."


def test_errors_go_to_standard_error_with_file_line_and_column(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("item,question,response\na,Q,\n", encoding="utf-8")
    assert cli.main(["import", "items", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "mine.csv, line 2" in said.err
    assert "response" in said.err


@pytest.mark.parametrize("words", [["import", "nonsense", "f"], ["export"], ["fly"], []])
def test_a_wrong_command_line_exits_with_2(path: Path, words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(words)
    assert caught.value.code == 2


def test_a_missing_file_exits_with_1(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["import", "items", "nowhere.csv"]) == 1
    assert "nowhere.csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["backup", "copy.duckdb"],
        ["export", "figures", "tagging", "-o", "f.csv"],
        ["report", "tagging", "-o", "r.html"],
        ["round", "list"],
        ["rater", "list"],
        ["draw", "source_support", "--dataset", "demo"],
    ],
)
def test_a_mistyped_path_of_the_store_is_said_and_makes_no_store(
    path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 1
    assert f"There is no store at {path}" in capsys.readouterr().err
    assert list(path.parent.iterdir()) == []


def test_the_version_is_said_without_waiting_for_the_commands() -> None:
    program = (
        "import sys; from medlens import cli; code = cli.main(['--version']);"
        " sys.exit(code or any(name in sys.modules for name in ('pandas', "
        "'medlens.cli.command_line')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"MedLens {medlens.__version__}\n")


@pytest.mark.deep
def test_the_help_of_all_commands_waits_for_none_and_is_that_of_the_whole_parser() -> None:
    program = (
        "import sys; from medlens import cli; cli.main(['--help']);"
        " quick = not any(name in sys.modules for name in ('pandas', 'medlens.cli.command_line'));"
        " print('-- the whole parser'); from medlens.cli import command_line;"
        " command_line._parser().print_help(); sys.exit(not quick)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    quick, whole = done.stdout.split("-- the whole parser\n")
    assert done.returncode == 0
    assert "list, open, close and assign rounds" in quick
    assert quick == whole


def test_a_short_command_reads_a_small_store_with_one_thread_and_a_large_one_with_all(
    demos: Path,
) -> None:
    program = (
        "import sys; from medlens.store import duckdb_engine, open_store\n"
        "for large in (False, True):\n"
        "    if large: duckdb_engine._ONE_THREAD_UP_TO = 1\n"
        "    for briefly in (True, False):\n"
        "        store = open_store(sys.argv[1], briefly=briefly)\n"
        "        print(store.value(\"select current_setting('threads')\")); store.close()"
    )
    done = subprocess.run([sys.executable, "-c", program, demos], capture_output=True, text=True)
    one, *others = done.stdout.split()
    assert one == "1"
    assert others == [str(len(os.sched_getaffinity(0)))] * 3


@pytest.mark.usefixtures("all_threads")
def test_an_import_by_a_command_saves_with_one_thread(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    threads = []
    do = work_behind_commands.import_file

    def count_threads_and_import(store: Store, *given: Any, **how: Any) -> Any:
        threads.append(store.value("select current_setting('threads')"))
        return do(store, *given, **how)

    monkeypatch.setattr(work_behind_commands, "import_file", count_threads_and_import)
    file = tmp_path / "items.csv"
    file.write_text("item,response\ni1,Some text.\n")
    assert cli.main(["import", "items", str(file)]) == 0
    assert threads == [1]
    with contextlib.closing(open_store(path)) as store:
        assert store.value("select current_setting('threads')") != 1 or os.cpu_count() == 1
        assert store.rows("select name from item") == [("i1",)]


@pytest.mark.deep
@pytest.mark.parametrize(("words", "frozen"), [(["--version"], True), (["serve", "-h"], False)])
def test_a_command_ends_without_a_search_for_garbage_in_all_that_it_loaded(
    words: list[str], frozen: bool
) -> None:
    program = (
        "import atexit, gc, sys; from medlens.__main__ import run;"
        " atexit.register(lambda: print('frozen', gc.get_freeze_count() > 0)); sys.exit(run())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, cwd=REPO
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"frozen {frozen}")


def test_what_duckdb_2_warns_of_at_every_answer_is_not_told_to_who_gives_a_command() -> None:
    program = (
        "import warnings; import medlens.store;"
        " warnings.warn('Arrow output on a DB-API result makes an extra copy of the rows, use"
        " con.sql(query).to_arrow_table() instead.', UserWarning)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_check_reads_the_few_judgments_of_many_tasks_at_once(
    demos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    ask = consensus.list_judgments_with_row_numbers

    def asked(store: Store, rows: Sequence[int]) -> list[dict[str, Any]]:
        read.append(len(rows))
        return ask(store, rows)

    monkeypatch.setattr(consensus, "list_judgments_with_row_numbers", asked)
    with contextlib.closing(open_store(demos)) as store:
        assert store_check.list_store_faults_in_words(store, Settings()) == []
        tasks = {one.task for one in consensus.list_counted_judgment_row_numbers_per_round(store)}
    assert len(tasks) > 5
    assert len(read) == 1
    assert read[0] > 1_000


def test_check_reads_the_pages_that_many_pairs_quote_together_and_tells_each_misquote(
    demos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone: list[str] = []
    monkeypatch.setattr(queries, "source_text", lambda _store, source: alone.append(source) or "")
    with contextlib.closing(open_store(demos)) as store:
        assert store_check.list_store_faults_in_words(store, Settings()) == []
        assert alone == []
        texts = queries.source_texts_by_id
        monkeypatch.setattr(
            queries,
            "source_texts_by_id",
            lambda *asked: dict.fromkeys(texts(*asked), "Another page."),
        )
        faults = store_check.list_store_faults_in_words(store, Settings())
    assert len(faults) > 10
    assert all("is not what the page says there." in fault for fault in faults)


_SLOW = (
    *("pandas", "pyarrow", "scipy.stats", "streamlit", "medlens.studies.registry"),
    *("asyncio", "medlens.llm.client", "medlens.studies.model_verdicts_and_runs_of_judges"),
    *("PIL", "rapidfuzz.fuzz", "rich.console"),
    *(
        "medlens.review.chart_specifications",
        "medlens.web.quote_search",
        "medlens.stats.alpha_and_intraclass_correlation",
    ),
    "medlens.studies.sourcecheckup.prompts",
)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("words", "slow"),
    [
        # No judgments are of a team's own studies there.
        (["check"], (*_SLOW, "medlens.studies.own.study")),
        (
            ["--store", "{path}", "backup", "copy.duckdb"],
            (*_SLOW, "numpy", "medlens.studies", "medlens.tables"),
        ),
        (["export", "remarks", "-o", "r.csv"], (*_SLOW, "numpy", "medlens.studies.own.study")),
        (
            ["export", "judgments", "tagging", "-o", "r.jsonl"],
            (*_SLOW, "numpy", "medlens.studies.own.study"),
        ),
    ],
)
def test_short_commands_wait_for_nothing_that_they_do_not_use(
    demos: Path, words: list[str], slow: tuple[str, ...], tmp_path: Path
) -> None:
    program = (
        "import sys; from medlens import cli; code = cli.main(sys.argv[1:]);"
        f" print([name for name in {slow} if name in sys.modules]); sys.exit(code)"
    )
    given = [word.format(path=demos) for word in words]
    done = subprocess.run(
        [sys.executable, "-c", program, *given],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPO)},
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "[]"), done.stderr


@pytest.mark.deep
def test_help_names_every_kind_and_waits_for_no_mathematics() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "medlens", "import", "--help"],
        capture_output=True,
        text=True,
        cwd=REPO,
        check=True,
    )
    for kind in registry.IMPORTS:
        assert kind in done.stdout
    assert "medlens.stats.intervals" in done.stderr
    assert "scipy.special" not in done.stderr
    assert "scipy.sparse" not in done.stderr


# -- while the app holds the store -----------------------------------------------------------------


@pytest.fixture
def app(path: Path) -> Iterator[Store]:
    """An app that has the store open and watches its inbox."""
    store = open_store(path)
    watched = job_inbox_of_running_app.InboxWatcher(
        store,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, at
        ),
    )
    watched.start_watching_inbox()
    yield store
    watched.finish_job_and_stop_watching()
    store.close()


def run(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "medlens", *words], capture_output=True, cwd=REPO, timeout=60
    )


@pytest.mark.deep
def test_commands_are_handed_to_the_app_that_holds_the_store(
    app: Store, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("item,question,response\na,Q,fine\nb,Q,\n", encoding="utf-8")
    done = run("import", "items", str(file), "--dataset", "ward", "--skip-bad")
    assert done.returncode == 0, done.stderr
    assert b"Imported 1 item" in done.stdout
    refused = tmp_path / "mine.csv.bad.csv"
    assert refused.exists()
    assert f"(in {refused})".encode() in done.stdout
    assert app.rows("select name from item") == [("a",)]
    # Handed over in the same way from this process, without waiting for another Python to start.
    assert cli.main(["export", "items"]) == 0
    assert pd.read_csv(io.BytesIO(capfdbinary.readouterr().out))["item"].tolist() == ["a"]
    assert cli.main(["backup", str(tmp_path / "copy.duckdb")]) == 0
    copy = open_store(tmp_path / "copy.duckdb")
    assert copy.rows("select name from item") == [("a",)]
    copy.close()
    assert cli.main(["import", "items", str(file)]) == 1
    assert b"line 3" in capfdbinary.readouterr().err
    assert list(job_inbox_of_running_app.path_of_inbox_folder(app.path).iterdir()) == []


def test_a_job_left_half_done_by_a_killed_server_is_done_once(path: Path, tmp_path: Path) -> None:
    store = open_store(path)
    watched = job_inbox_of_running_app.InboxWatcher(
        store,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, at
        ),
    )
    half = job_inbox_of_running_app.path_of_inbox_folder(path) / "run-0001"
    half.mkdir(parents=True)
    (half / "mine.csv").write_text("item,question,response\na,Q,fine\n", encoding="utf-8")
    (half / "command.json").write_text(
        json.dumps({"verb": "import", "kind": "items", "file": "mine.csv", "options": {}})
    )
    assert watched.do_waiting_jobs_and_count() == 1
    assert watched.do_waiting_jobs_and_count() == 0
    assert store.rows("select count(*) from item") == [(1,)]
    assert (half.with_name("done-0001") / "outcome.json").exists()
    store.close()


@pytest.mark.deep
def test_two_jobs_at_once_are_both_done(app: Store, tmp_path: Path) -> None:
    outcomes = []

    def hand(n: int) -> None:
        file = tmp_path / f"part{n}.csv"
        file.write_text(f"item,question,response\ni{n},Q,fine\n", encoding="utf-8")
        job = {"verb": "import", "kind": "items", "file": file.name, "options": {}}
        outcomes.append(
            job_inbox_of_running_app.submit_job_and_await_result_and_folder(
                app.path, job, file=file
            )[0]["line"]
        )

    threads = [threading.Thread(target=hand, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 4
    assert app.rows("select count(*) from item") == [(4,)]


def test_a_job_cannot_reach_outside_its_folder(app: Store, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("item,question,response\nstolen,Q,fine\n", encoding="utf-8")
    job = {"verb": "import", "kind": "items", "file": "../../secret.csv", "options": {}}
    with pytest.raises(Exception, match="secret"):
        job_inbox_of_running_app.submit_job_and_await_result_and_folder(app.path, job)
    assert app.rows("select count(*) from item") == [(0,)]


FORGED: tuple[dict[str, object], ...] = (
    {"verb": "import", "kind": "items"},
    {"verb": "import", "kind": "items", "file": "\0", "options": {}},
    {"verb": "import", "kind": "items", "file": "f", "options": {"store": 1}},
    {"verb": "import", "kind": "items", "file": "f", "options": {"before": {"rater": [{}]}}},
    {"verb": "import", "kind": "own-items", "file": "f", "options": {"study_file": {"text": ""}}},
    {"verb": "export", "kind": "items"},
    {"verb": "export", "kind": 7, "options": []},
    {"verb": "report", "study": "tagging", "options": {"store": 1}},
    {"verb": "round", "what": "open", "task": "x", "dataset": "d", "people": 7},
    {"verb": "rater", "what": "exclude"},
    {"verb": "codes", "what": "give"},
    {"verb": "study"},
    {"verb": ["import"]},
)


@pytest.mark.first_quick
@pytest.mark.parametrize("job", FORGED, ids=str)
def test_a_forged_job_is_refused_in_words_and_leaves_no_traceback(
    path: Path, job: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(path)
    watched = job_inbox_of_running_app.InboxWatcher(
        store,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, at
        ),
    )
    (job_inbox_of_running_app.make_inbox_folder(path) / "job-1").mkdir()
    (job_inbox_of_running_app.make_inbox_folder(path) / "job-1" / "command.json").write_text(
        json.dumps(job)
    )
    assert watched.do_waiting_jobs_and_count() == 1
    said = json.loads(
        (
            job_inbox_of_running_app.path_of_inbox_folder(path) / "done-1" / "outcome.json"
        ).read_text()
    )
    assert re.match(r"This job was not|The app does not know", said["error"])
    assert [one for one in caplog.records if one.exc_info] == []
    store.close()


def test_why_jobs_are_not_accepted_stands_in_the_log(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = job_inbox_of_running_app.path_of_inbox_folder(path)
    folder.mkdir()
    folder.chmod(0o777)
    store = open_store(path)
    watched = job_inbox_of_running_app.InboxWatcher(store, lambda job, at: {})
    watched.start_watching_inbox()
    until = time.monotonic() + 10
    while not caplog.records and time.monotonic() < until:
        time.sleep(0.05)
    watched.finish_job_and_stop_watching()
    store.close()
    [record] = caplog.records
    said = logs.Formatter(as_json=False).format(record)
    assert f"are not accepted: The folder {folder} for handed-over work" in said


def test_what_is_no_folder_of_ours_in_the_inbox_is_left_alone(app: Store, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder = job_inbox_of_running_app.path_of_inbox_folder(app.path)
    folder.mkdir(exist_ok=True)
    (folder / "job-link").symlink_to(elsewhere)
    (folder / "job-file").write_text("no folder")
    job = {"verb": "check"}
    outcome, done = job_inbox_of_running_app.submit_job_and_await_result_and_folder(app.path, job)
    assert outcome["faults"] == []
    assert list(elsewhere.iterdir()) == []
    assert done.is_dir()


def test_a_link_to_the_store_reaches_the_app_that_holds_it(
    app: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "elsewhere.duckdb"
    link.symlink_to(app.path)
    assert cli.main(["--store", str(link), "check"]) == 0
    assert capsys.readouterr().err == ""


def test_another_name_of_the_store_is_refused_and_nothing_is_left_there(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    name = tmp_path / "other" / "name.duckdb"
    with contextlib.closing(open_store(path)) as store:
        os.link(path, name)
        # Who had waited for the app would be told that it does not answer.
        refused = "one of 2 names (hard links) of the same file"
        for verb in ("check", "demo"):
            assert cli.main(["--store", str(name), verb]) == 1
            assert refused in capsys.readouterr().err
        store.append("job", {"command": "kept"})
    # Nor once nobody holds it: the log of the last work may lie by the other name.
    assert cli.main(["--store", str(name), "check"]) == 1
    assert [one.name for one in name.parent.iterdir()] == ["name.duckdb"]
    with contextlib.closing(open_store(path)) as store:
        assert store.rows("select command from job") == [("kept",)]


def test_who_does_not_answer_leaves_no_folder_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_inbox_of_running_app, "_HEARTBEAT_SECONDS", 0.3)
    with pytest.raises(StoreUnavailable, match="does not answer"):
        job_inbox_of_running_app.submit_job_and_await_result_and_folder(path, {"verb": "check"})
    assert not job_inbox_of_running_app.path_of_inbox_folder(path).exists()


@pytest.mark.deep
def test_a_job_that_waits_behind_another_is_waited_for_also_between_the_two(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_inbox_of_running_app, "_HEARTBEAT_SECONDS", 1.0)
    with contextlib.closing(open_store(path)) as store, ThreadPoolExecutor() as pool:
        other = job_inbox_of_running_app.make_inbox_folder(path) / "run-other"
        other.mkdir()
        handed = pool.submit(
            job_inbox_of_running_app.submit_job_and_await_result_and_folder, path, {"verb": "check"}
        )
        time.sleep(1.5)
        other.rmdir()
        time.sleep(0.3)
        watched = job_inbox_of_running_app.InboxWatcher(
            store, lambda command, folder: {"line": "done"}
        )
        watched.start_watching_inbox()
        assert handed.result()[0]["line"] == "done"
        watched.finish_job_and_stop_watching()


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.mkdir(), "is a folder."),
        (os.mkfifo, "is a pipe."),
        (lambda path: path.symlink_to("/dev/zero"), "is a device."),
        (lambda path: path.symlink_to(path), "cannot be opened"),
        (lambda path: None, "does not exist."),
    ],
    ids=["folder", "pipe", "device", "circle", "nothing"],
)
def test_what_is_no_file_is_called_what_it_is(
    path: Path,
    tmp_path: Path,
    make: Callable[[Path], None],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make(tmp_path / "it")
    assert cli.main(["import", "items", str(tmp_path / "it")]) == 1
    told = capsys.readouterr().err
    assert f"{tmp_path / 'it'} {said}" in told
    assert not path.exists()


def made_a_link(folder: Path) -> None:
    folder.with_name("theirs").mkdir()
    folder.symlink_to(folder.with_name("theirs"))


def made_open_to_all(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


def made_by_another_user(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    if os.geteuid():
        pytest.skip("only root can give a folder away")
    os.chown(folder, 12345, 12345)


@pytest.mark.parametrize("make", [made_a_link, made_open_to_all, made_by_another_user])
def test_an_inbox_that_somebody_else_made_is_refused(
    path: Path, make: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    folder = job_inbox_of_running_app.path_of_inbox_folder(path)
    make(folder)
    with pytest.raises(StoreUnavailable, match="somebody else"):
        job_inbox_of_running_app.submit_job_and_await_result_and_folder(path, {"verb": "check"})
    assert list(folder.iterdir()) == []
    store = open_store(path)
    done: list[object] = []
    watched = job_inbox_of_running_app.InboxWatcher(store, lambda job, at: done.append(job) or {})
    (folder / "job-1").mkdir()
    (folder / "job-1" / "command.json").write_text('{"verb": "check"}')
    with pytest.raises(StoreUnavailable, match="somebody else"):
        watched.do_waiting_jobs_and_count()
    assert done == []
    store.close()


def test_a_job_that_finds_the_disk_full_is_done_with_and_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(path)

    def work(job: object, at: Path) -> dict[str, object]:
        (at / "big").write_text("fills the disk")
        return {}

    write = Path.write_text

    def full(self: Path, text: str, **how: str) -> int:
        if self.name == ".outcome" and (self.parent / "big").exists():
            raise OSError(28, "No space left on device")
        return write(self, text, **how)

    job = job_inbox_of_running_app.make_inbox_folder(path) / "job-1"
    job.mkdir()
    write(job / "command.json", '{"verb": "check"}')
    monkeypatch.setattr(Path, "write_text", full)
    assert job_inbox_of_running_app.InboxWatcher(store, work).do_waiting_jobs_and_count() == 1
    assert "disk is full" in (job.with_name("done-1") / "outcome.json").read_text()
    store.close()


@pytest.mark.deep
def test_items_are_withdrawn_listed_and_restored(
    demos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    def said(*words: str, code: int = 0) -> str:
        assert cli.main(["item", *words]) == code
        told = capsys.readouterr()
        return (told.err if code else told.out).strip()

    assert said("list") == "No item has been withdrawn or corrected."
    on = ("tagging", "demo02", "--dataset", "demo", "--reason", "It comes twice.")
    assert said("withdraw", *on) == (
        "1 item of demo withdrawn: nobody is given it, and no judgment of it counts."
    )
    assert "withdrawn already" in said("withdraw", *on, code=1)
    assert said("restore", *on[:-1], "A mistake.") == "1 item of demo is in play again."
    assert [line[len("2026-01-01 12:00 ") :] for line in said("list").splitlines()] == [
        "demo02 of demo put back by command line: A mistake.",
        "demo02 of demo withdrawn by command line: It comes twice.",
    ]
    on = ("tagging", "ode", "--dataset", "demo", "--reason", "x")
    assert "There is no item 'ode'" in said("withdraw", *on, code=1)


@pytest.mark.deep
def test_an_item_is_corrected_by_a_command_that_first_says_what_follows(
    demos: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    capsys.readouterr()

    def said(*words: str, code: int = 0) -> str:
        assert cli.main(["item", *words]) == code
        told = capsys.readouterr()
        return (told.err if code else told.out).strip()

    text = tmp_path / "response.txt"
    text.write_text("A response of other words.", encoding="utf-8")
    on = ("tagging", "demo02", "--dataset", "demo", "--reason", "A slip.")
    cells = ("--set", f"response=@{text}", "--set", "meta_info=step2&3", "--change", "meaning")
    told = said("correct", *on, *cells, "--dry-run")
    assert "no longer count" in told
    assert "is corrected" not in told
    assert "Item demo02 is corrected (version 2)." in said("correct", *on, *cells)
    assert "Nothing was changed" in said("correct", *on, *cells, code=1)
    assert "no column 'answer'" in said(
        *("correct", *on, "--set", "answer=x", "--change", "typing"), code=1
    )
    assert "no column with a text" in said(
        *("correct", *on, "--set", "answer", "--change", "typing"), code=1
    )
    assert "demo02 of demo corrected by command line (meaning changed): A slip." in said("list")


@pytest.mark.deep
def test_an_import_is_undone_by_a_command_that_first_says_what_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "cli.duckdb"))
    path = tmp_path / "mine.csv"
    path.write_text("item,question,response\na,Which?,It is B.\nb,Why?,So.\n", encoding="utf-8")

    def said(*words: str, code: int = 0) -> str:
        assert cli.main([*words]) == code
        told = capsys.readouterr()
        return (told.err if code else told.out).strip()

    said("import", "items", str(path), "--dataset", "ward")
    entry = said("imports", "list").split()[0]
    why = ("--reason", "The wrong file.")
    does = "2 items of mine.csv are removed, as nobody has worked on any."
    assert said("imports", "undo", entry, *why, "--dry-run").startswith(does)
    assert entry in said("imports", "list")
    assert said("imports", "undo", entry, *why).startswith(does)
    assert said("imports", "list") == "No import can be undone."
    assert "undone already" in said("imports", "undo", entry, *why, code=1)


def test_a_command_looks_once_through_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []

    def entry_points(*, group: str) -> list[metadata.EntryPoint]:
        looked_for.append(group)
        return []

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    command_line._parser()
    assert looked_for == ["medlens.studies", "medlens.bridges"]
