"""The benchmarks' own tests: they work at tiny sizes, and what goes wrong is never reported as met.

The benchmarks themselves are run by ``make bench``.
"""

from __future__ import annotations

import asyncio
import json
import math
import socket
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import pytest

from medlens.store import new_id, open_store
from tests.bench import __main__ as command
from tests.bench import (
    clinic_world,
    ebmqa_generate,
    gate,
    items_import,
    llm_kills,
    passages,
    sourcecheckup_import,
    starts,
)
from tests.bench.account import account
from tests.bench.browser import Hands, at_the_desk, lost, rows, sit
from tests.bench.bulk import imports
from tests.bench.chromium import Stopwatch, browser_of, chromium
from tests.bench.crowd import crowd
from tests.bench.kills import kill_again_and_again
from tests.bench.material import make_items, make_store
from tests.bench.opened import visit
from tests.bench.rows import Options, Row, table
from tests.bench.serving import ONE_LINE, REPO, Server, ServerFailed
from tests.bench.session import Session, SessionFailed, Write
from tests.browser.forked import Forked, ready
from tests.children import Child


@dataclass
class Worked:
    """A store that two people have worked on, and what they were told."""

    store: Path
    writes: list[Write]
    saves: int
    submits: int
    errors: list[str]


@pytest.fixture(scope="module", autouse=True)
def forked_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Servers and runs are forked here: what a start takes is for ``make bench`` to measure."""

    def begin(self: Server, env: dict[str, str], log: Path) -> Forked:
        ready(tmp_path_factory.getbasetemp(), REPO)
        return Forked(script=self.script, env=env, cwd=REPO, log=log)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Server, "_begin", begin)
        patch.setattr(llm_kills, "python", lambda _, *words: Child(*words, module=True))
        yield


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Worked:
    folder = tmp_path_factory.mktemp("bench")
    people = make_store(folder / "store.duckdb", items=3, people=2)
    with Server(folder / "server", folder / "store.duckdb") as server:
        seen, sessions = asyncio.run(crowd(server.url, people, seconds=1, seed=4))

        async def finish() -> None:
            one = sessions[0]
            await one.open()
            await one.mark()
            await one.submit()
            await one.mark()
            await one.close()

        asyncio.run(finish())
        # Dead in the middle of it all: what was acknowledged is on disk all the same.
        server.kill()
    writes = [write for one in sessions for write in one.writes]
    return Worked(folder / "store.duckdb", writes, len(seen.saves), len(seen.submits), seen.errors)


@pytest.mark.deep
def test_sessions_save_and_submit_and_the_store_holds_what_they_were_told(worked: Worked) -> None:
    assert worked.errors == []
    assert len(worked.writes) == worked.saves + worked.submits + 3
    assert all(write.revision for write in worked.writes)
    assert {write.action for write in worked.writes} == {"draft", "submit"}
    assert account(worked.store, worked.writes) == []


@pytest.mark.deep
def test_a_lost_save_is_a_fault(worked: Worked) -> None:
    lost = replace(worked.writes[0], token=new_id())
    faults = account(worked.store, [*worked.writes, lost])
    assert len(faults) == 1
    assert faults[0].endswith("is not in the store")


@pytest.mark.deep
def test_a_save_under_another_person_or_with_other_marks_is_a_fault(worked: Worked) -> None:
    first, *rest = worked.writes
    assert [
        "under another person" in fault
        for fault in account(worked.store, [replace(first, rater="somebody else"), *rest])
    ] == [True]
    bare = replace(first, body={"spans": [], "comment": ""})
    assert "other marks" in account(worked.store, [bare, *rest])[0]


@pytest.mark.deep
def test_a_draft_older_than_the_last_acknowledged_one_is_a_fault(worked: Worked) -> None:
    first, *rest = worked.writes
    faults = account(worked.store, [replace(first, revision=99), *rest])
    assert any("newer than the newest draft" in fault for fault in faults)


@pytest.mark.deep
def test_a_submission_without_its_judgment_is_a_fault(worked: Worked, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    with duckdb.connect(str(worked.store)) as whole:
        whole.execute("checkpoint")
    copy.write_bytes(worked.store.read_bytes())
    with duckdb.connect(str(copy)) as broken:
        broken.execute("delete from judgment")
    assert "has no judgment" in account(copy, worked.writes)[0]


@pytest.mark.deep
def test_a_save_that_nobody_sent_is_a_fault(worked: Worked) -> None:
    assert "sent by nobody" in account(worked.store, worked.writes[1:])[0]


@pytest.mark.deep
def test_an_unanswered_save_may_be_there_or_not(worked: Worked) -> None:
    first, *rest = worked.writes
    absent = replace(first, token=new_id(), revision=0)
    assert account(worked.store, [replace(first, revision=0), *rest, absent]) == []


@pytest.mark.deep
def test_a_store_killed_again_and_again_opens_with_all_that_was_acknowledged(
    tmp_path: Path,
) -> None:
    path = tmp_path / "killed.duckdb"
    opened, saved = starts.kill_and_open(path, 4, seed=1)
    assert len(opened) == 4
    store = open_store(path)
    ids = [i for (i,) in store.rows("select id from job")]
    store.close()
    assert len(saved) >= 4
    assert saved <= set(ids)
    assert len(ids) == len(set(ids))


def test_a_store_that_does_not_open_is_a_fault(tmp_path: Path) -> None:
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(b"no database" * 1000)
    assert "does not open" in account(broken, [])[0]


def test_a_session_fails_when_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"(?i)connect"):
        asyncio.run(Session("http://localhost:1", "anna").open())


@pytest.mark.deep
def test_a_page_that_raises_fails_the_session(tmp_path: Path) -> None:
    script = tmp_path / "broken.py"
    script.write_text("raise ValueError('broken on purpose')")
    with Server(tmp_path / "server", script=script) as server:
        session = Session(server.url, "anna", page="", patience=20)
        with pytest.raises(SessionFailed, match="raised"):
            asyncio.run(session.connect())


@pytest.mark.deep
def test_a_server_that_ends_at_once_says_why(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        server = Server(tmp_path / "server", script=tmp_path / "absent.py", port=port)
        with pytest.raises(ServerFailed, match=r"did not start(?s:.*)cannot listen"):
            server.start()


@pytest.mark.deep
def test_a_kill_loses_nothing_and_everyone_goes_on(tmp_path: Path) -> None:
    tally = kill_again_and_again(Options(tmp_path, seed=2), 1, people=2, longest=0.5)
    assert tally.faults == []
    assert tally.kills == 1
    assert tally.saves > 0


@pytest.mark.deep
@pytest.mark.browser
def test_a_browser_is_timed_from_the_event_to_the_frame(tmp_path: Path) -> None:
    [rater] = make_store(tmp_path / "store.duckdb", items=3)
    script = tmp_path / "one_line.py"
    script.write_text(ONE_LINE)
    with (
        Server(tmp_path / "medlens", tmp_path / "store.duckdb") as server,
        Server(tmp_path / "one_line", script=script) as simple,
        chromium() as browser,
    ):
        page, plain = at_the_desk(browser, server.url, rater), browser.new_page()
        plain.goto(simple.url)
        hands, yardstick = Hands(page, Stopwatch(page)), Stopwatch(plain)
        sit(hands, yardstick, items=2, marks=1)
        context = browser_of(browser, rater)
        cold, warm = (visit(context, f"{server.url}/Tag_errors") for _ in range(2))
        context.close()
    # A browser that has been there fetches none of the page's files again.
    assert [
        sum(size for path, size in one.fetched.items() if path.endswith((".js", ".css")))
        for one in (cold, warm)
    ] == [pytest.approx(0.66e6, rel=0.2), 0]
    assert 0 < warm.seen < 15_000
    _, second = hands.done
    assert lost(tmp_path / "store.duckdb", hands.done) == []
    hands.done[second].append("never marked")
    [fault] = lost(tmp_path / "store.duckdb", hands.done)
    assert fault.startswith(second)
    measured = rows(hands.watch.times, yardstick.times["button"])
    assert {row.work: len(row.values) for row in measured if "durable" in row.work} == {
        "mark durable after mouse-up": 2,
        "mark durable after the label's key": 2,
    }
    for row in measured:
        # From the event to a painted frame: more than nothing, and no clock of another page.
        assert all(0 < took < 15_000 for took in row.values)
    times = hands.watch.times
    assert all(a < b for a, b in zip(times["drawn_by_key"], times["saved_by_key"], strict=True))


def test_items_have_exactly_the_length_asked_for() -> None:
    assert {len(one.html) for one in make_items(20, characters=2000)} == {2000}
    assert list(make_items(3)) == list(make_items(3))


@pytest.mark.deep
def test_the_gates_bench_imports_all_and_its_hostile_file_is_refused(tmp_path: Path) -> None:
    found = gate.cost(Options(tmp_path, quick=True), 30, turns=1, kinds=["items"])
    assert [row.faults for row in found] == [()]
    assert all(row.median > 0 and row.base > 0 for row in found)
    little = "\n[imports]\nmemory_mb = 256\n"
    found = gate.beside(Options(tmp_path, quick=True), 2, rows=150_000, settings=little)
    assert [row.faults for row in found] == [(), ()]
    assert found[0].values


@pytest.mark.deep
def test_items_import_completely_beside_pandas(tmp_path: Path) -> None:
    found, store = imports(Options(tmp_path, quick=True), 30, turns=1, kinds=["g4ue-items"])
    assert [row.faults for row in found] == [()]
    assert all(row.median > 0 and row.base > 0 for row in found)
    assert store.exists()


@pytest.mark.parametrize(
    "row, ok",
    [
        (Row("median", [1, 2, 9], "median", 2), True),
        (Row("median over", [1, 3, 9], "median", 2), False),
        # Of 20 values the 19th is the 95th percentile (nearest rank: ceil(0.95 * 20) = 19).
        (Row("p95", [1.0] * 19 + [9.0], "p95", 1), True),
        (Row("p95 over", [1.0] * 18 + [9.0] * 2, "p95", 1), False),
        (Row("ratio", [6, 6], "ratio", 3, baseline=[2, 2]), True),
        (Row("ratio over", [7, 7], "ratio", 3, baseline=[2, 2]), False),
        (Row("ratio without a baseline", [7], "ratio", 3), False),
        (Row("not measured", [], "median", 3), False),
        (Row("with a fault", [1], "median", 3, faults=("a save was lost",)), False),
        (Row("orientation", [1], "none"), True),
        (Row("orientation with a fault", [1], "none", faults=("an error",)), False),
        (Row("no number", [math.nan], "median", 3), False),
    ],
)
def test_only_what_was_measured_without_faults_meets_a_bar(row: Row, ok: bool) -> None:
    assert row.ok is ok
    assert json.loads(json.dumps(row.as_json(), allow_nan=False))["ok"] is ok


def test_the_table_shows_faults(capsys: pytest.CaptureFixture[str]) -> None:
    shown = table([Row("saving", [1.0], "median", 3, faults=("a save was lost",))])
    assert "FAULT" in shown
    assert "a save was lost" in shown


@pytest.mark.parametrize("broken", [True, False])
def test_the_exit_code_says_whether_every_bar_was_met(
    broken: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def measure(name: str, options: Options) -> list[Row]:
        return [Row(name, [4.0 if broken else 2.0], "median", 3)]

    monkeypatch.setattr(command, "measure", measure)
    assert command.main(["cpu", "--json", str(tmp_path / "out.json")]) == int(broken)
    assert json.loads((tmp_path / "out.json").read_text())["rows"][0]["ok"] is not broken


def test_a_benchmark_that_breaks_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(options: Options) -> list[Row]:
        raise RuntimeError("no such thing")

    monkeypatch.setattr("tests.bench.cpu.run", run)
    [row] = command.measure("cpu", Options(tmp_path))
    assert not row.ok
    assert "no such thing" in row.faults[0]


@pytest.mark.deep
def test_a_run_that_asks_models_is_killed_and_held_to_account(tmp_path: Path) -> None:
    tally = llm_kills.kill_again_and_again(
        Options(folder=tmp_path, quick=True, seed=2), kills=1, visits=20
    )
    assert (tally.kills, tally.faults) == (1, [])
    assert tally.repeated == [0.0, 0.0]
    # Every call was made once, 11 in each visit, but those that were open when it was killed, or
    # answered and not on disk yet: at most one of each in every visit.
    assert 20 * 11 <= tally.calls <= 20 * 11 + 2 * 20


@pytest.mark.deep
def test_the_made_up_clinic_plays_every_visit_to_its_end(tmp_path: Path) -> None:
    with clinic_world.endpoint(0.0) as url:
        found = clinic_world.play(tmp_path / "c.duckdb", url, cases=3, n=4, concurrency=4)
    # Doctor 4, patient 3 (only a fourth message that is not the last is an order), moderator 1,
    # ratings 3.
    assert (found["ended"], found["calls"]) == (3, 3 * 11)


@pytest.mark.deep
def test_the_bench_of_question_making_counts_what_was_made(tmp_path: Path) -> None:
    judged, *others = ebmqa_generate.small(Options(tmp_path, quick=True))
    assert judged.faults == ()
    assert len(judged.values) == len(judged.baseline) == 2
    assert all(row.values for row in others)


@pytest.mark.deep
def test_the_import_of_pairs_counts_what_it_imported(tmp_path: Path) -> None:
    sourcecheckup_import.write_files(tmp_path, "jsonl", pairs=40, seed=1)
    taken = sourcecheckup_import._work("import", tmp_path, "jsonl", tmp_path / "s.duckdb")
    # 4 responses of 5 statements and 2 pages make 40 pairs; 40 * 9 / 58 pages.
    assert taken() == 40 + 6


@pytest.mark.deep
def test_items_are_measured_in_every_form_and_one_that_loses_rows_has_a_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    options = Options(folder=tmp_path, quick=True)
    found = items_import.run(options)
    assert [row.work.split(", ")[2].split()[0] for row in found] == [
        *("csv", "parquet", "csv", "jsonl")
    ]
    assert not any(row.faults for row in found)
    cost = {"wall": 1.0, "cpu": 1.0, "reader": 1.0, "rows": 1_999, "peak_mb": 1.0}

    def lose_a_row(_kind: str, _file: str, store: str) -> dict[str, float]:
        if store:
            Path(store).touch()
        return cost

    monkeypatch.setattr(items_import, "_child", lose_a_row)
    assert all(row.faults and not row.ok for row in items_import.run(options))


@pytest.mark.deep
def test_pairs_are_measured_in_every_form_and_one_that_loses_rows_has_a_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    options = Options(folder=tmp_path, quick=True)
    found = sourcecheckup_import.forms(options, 40)
    assert [row.work.split(", ")[1].split()[0] for row in found] == ["CSV", "CSV"] + ["Parquet"] * 2
    assert not any(row.faults for row in found)
    cost = {"wall": 1.0, "cpu": 1.0, "reader": 1.0, "rows": 39}
    monkeypatch.setattr(sourcecheckup_import, "_child", lambda *_: cost)
    (tmp_path / "again").mkdir()
    lost = sourcecheckup_import.forms(replace(options, folder=tmp_path / "again"), 40)
    assert all(row.faults and not row.ok for row in lost)


@pytest.mark.deep
def test_passages_that_are_mostly_wrong_miss_their_bar(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    options = Options(folder=tmp_path, quick=True)
    assert all(not row.faults for row in passages.run(options))
    monkeypatch.setattr(passages, "lit_right", lambda pairs: [[False, True]] * len(pairs))
    wrong = [row for row in passages.run(options) if not row.ok and row.faults]
    assert [row.faults for row in wrong] == [("the right passage is first for 0 %",)] * 3
