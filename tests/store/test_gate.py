"""The gate: what a file can do to the app, where its rows go, and that a preview is an import."""

from __future__ import annotations

import faulthandler
import io
import json
import mmap
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from medlens.app import work_behind_commands
from medlens.app.file_intake import messages_between_processes, reader_client, reader_worker
from medlens.app.file_intake.permitted_reader_requests import Overreach, ReaderPermissions
from medlens.app.file_intake.reader_processes import ReaderProcesses
from medlens.app.file_intake.store_proxy_in_reader import StoreProxy
from medlens.config.settings import Imports, Settings
from medlens.errors import BadFile, Conflict, InvalidInput
from medlens.review.raters import find_or_add_rater_by_name
from medlens.store import Lookup, Store, open_store
from medlens.store.import_transaction import arrow_reader_of_file, arrow_tables_in_pieces
from medlens.store.sql_lookups_declared_and_asked_by_name import LOOKUPS
from medlens.studies import registry
from medlens.studies.task_registry import OF_NO_DATASET
from medlens.tables import write_table
from tests.children import Child
from tests.conftest import quick_or_deep

pytestmark = pytest.mark.usefixtures("all_threads")

REPO = Path(__file__).resolve().parents[2]
FEW = b"item,question,response\n" + b"".join(b"i%d,Q,fine\n" % n for n in range(50))
MB = 1 << 20


def take(
    store: Store, kind: str, source: Any, name: str = "f.csv", **how: Any
) -> work_behind_commands.Outcome:
    settings = Settings(imports=how.pop("imports", Imports()))
    return work_behind_commands.import_file(store, settings, kind, source, name=name, **how)


def counted(store: Store) -> dict[str, int]:
    """The rows of every table that files go to: the audit log tells of refused ones too."""
    return {
        table: int(store.rows(f"select count(*) from {table}")[0][0])
        for table in store.read_column_types_by_table()
        if table != "audit_event"
    }


# -- what a file can do to the app -----------------------------------------------------------------


@pytest.fixture
def signalled(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """Sends each reader a signal as soon as there is one; gives the list of the readers."""

    def with_signal(number: int) -> list[int]:
        begun: list[int] = []
        begin = ReaderProcesses._begin

        def begin_and_signal(self: ReaderProcesses, theirs: socket.socket) -> int:
            begun.append(begin(self, theirs))
            os.kill(begun[-1], number)
            return begun[-1]

        monkeypatch.setattr(ReaderProcesses, "_begin", begin_and_signal)
        return begun

    return with_signal


@pytest.mark.deep
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (signal.SIGSEGV, r"crashed \(SIGSEGV\)"),
        (signal.SIGKILL, "needs more than 1,024 MB"),
        (signal.SIGABRT, "is damaged, or needs more than 1,024 MB"),
    ],
)
def test_a_file_that_kills_its_reader_is_refused_and_the_next_one_is_read(
    store: Store,
    signalled: Callable[[int], list[int]],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    said: str,
) -> None:
    before = counted(store)
    signalled(number)
    with pytest.raises(BadFile, match=said):
        take(store, "items", FEW)
    assert counted(store) == before
    monkeypatch.undo()
    assert take(store, "items", FEW).added == 50


@pytest.mark.deep
@pytest.mark.parametrize(
    ("held", "number", "said"),
    [
        (1.0, signal.SIGSEGV, "^[^,]*needs more than 256 MB"),
        (0.5, signal.SIGSEGV, r"crashed \(SIGSEGV\)"),
        (1.0, signal.SIGABRT, "^[^,]*needs more than 256 MB"),
    ],
)
def test_a_library_that_does_not_look_what_memory_it_got_is_told_from_damage(
    store: Store, monkeypatch: pytest.MonkeyPatch, held: float, number: int, said: str
) -> None:
    def grow_and_break(_order: dict[str, Any], _files: list[int], _peer: socket.socket) -> None:
        kept = []
        # Pages of their own: what this process has freed before must not serve.
        with suppress(OSError):
            for _ in range(int(held * 256)):
                kept.append(mmap.mmap(-1, MB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
                kept[-1].write(b"x" * MB)
        faulthandler.disable()
        os.kill(os.getpid(), number)

    readers = readers_of(monkeypatch, grow_and_break)
    small = Imports().model_copy(update={"memory_mb": 256})
    with pytest.raises(BadFile, match=said):
        take(store, "items", FEW, imports=small)
    readers.close()


def readers_of(monkeypatch: pytest.MonkeyPatch, work: Callable[..., None]) -> ReaderProcesses:
    """Readers that do this, in place of reading; made of this process."""
    readers = ReaderProcesses()
    with monkeypatch.context() as forked:
        forked.setattr(reader_worker, "carry_out_reading_order_and_send_result", work)
        readers.fork_parent_of_readers()
    monkeypatch.setattr(reader_client, "readers_of_this_process", lambda: readers)
    return readers


@pytest.mark.deep
def test_a_fault_of_the_app_is_not_taken_for_a_file_that_is_too_large(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("ours")

    before = counted(store)
    monkeypatch.setattr(reader_client._Conversation, "_answer", fail)
    with pytest.raises(BadFile, match="crashed") as caught:
        take(store, "items", FEW)
    assert "SIGKILL" not in str(caught.value)
    assert counted(store) == before


def test_a_file_that_takes_too_long_is_refused_and_its_reader_ended(
    store: Store, signalled: Callable[[int], list[int]]
) -> None:
    begun = signalled(signal.SIGSTOP)
    with pytest.raises(BadFile, match="within 1 seconds"):
        take(store, "items", FEW, imports=Imports(seconds=1))
    with pytest.raises(ProcessLookupError):
        os.kill(begun[0], 0)


def small_and_huge(path: Path) -> Path:
    """A Parquet file of a few kilobytes that holds two gigabytes of text."""
    place = pa.array([0] * 1_000_000, pa.int32())
    text = pa.DictionaryArray.from_arrays(place, pa.array(["x" * 2_000]))
    pq.write_table(pa.table({"item": place, "question": text, "response": text}), path)
    assert path.stat().st_size < MB
    return path


@pytest.mark.deep
def test_a_file_that_needs_more_memory_than_is_allowed_costs_the_app_none(
    store: Store, tmp_path: Path
) -> None:
    file = small_and_huge(tmp_path / "bomb.parquet")
    take(store, "items", FEW)
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    with pytest.raises(BadFile, match="needs more than 256 MB of memory"):
        take(store, "items", file, "bomb.parquet", imports=Imports(memory_mb=256))
    assert _peak() - before < 100 * MB


@pytest.mark.deep
def test_what_is_allowed_is_for_the_file_not_for_what_its_reader_begins_with(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "some.csv"
    with file.open("w") as out:
        out.write("item,question,response\n")
        out.writelines(f"some{n},Q,{os.urandom(500).hex()}\n" for n in range(20_000))
    given = Imports(memory_mb=256)
    assert take(store, "items", file, file.name, imports=given, dry_run=True).added == 20_000


def workbook(path: Path, rows: list[list[str]], *, at: tuple[int, int] = (0, 0)) -> Path:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("answers")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
        sheet.write_string(*at, rows[0][0])
    return path


def test_a_sheet_of_excel_is_imported_as_its_csv_would_be(store: Store, tmp_path: Path) -> None:
    rows = [["item", "question", "response"], ["a", "Why?", "So, then."], ["b", "Why?", " "]]
    file = workbook(tmp_path / "answers.xlsx", rows)
    with pytest.raises(BadFile, match="line 3"):
        take(store, "items", file, file.name)
    done = take(store, "items", file, file.name, skip_bad=True)
    assert (done.added, done.refused) == (1, 1)
    [(body,)] = store.rows("select body->>'response' from item where name = 'a'")
    assert body == "So, then."


@pytest.mark.deep
def test_a_sheet_that_reaches_to_the_last_cell_of_excel_costs_the_app_nothing(
    store: Store, tmp_path: Path
) -> None:
    file = workbook(tmp_path / "far.xlsx", [["item"]], at=(1_048_575, 16_383))
    with pytest.raises(BadFile, match="needs more than 256 MB of memory"):
        take(store, "items", file, file.name, imports=Imports(memory_mb=256))


@pytest.mark.deep
def test_the_reader_of_a_command_has_no_gibibyte_of_arrows_own() -> None:
    # Its pool is chosen as the library is loaded, and a command is what its reader is made of.
    code = (
        "import contextlib, runpy, sys\n"
        "sys.argv = ['medlens', 'import', '--help']\n"
        "with contextlib.suppress(SystemExit):\n"
        "    runpy.run_module('medlens', run_name='__main__')\n"
        "import pyarrow\n"
        "print(pyarrow.default_memory_pool().backend_name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "system", done.stderr


def test_a_zip_of_images_is_opened_by_a_reader_and_can_use_up_only_its_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scans.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("a.png", b"\x89PNG\r\n\x1a\n" + bytes(64))
    whole = path.read_bytes()

    def opened_here(*_: Any) -> None:
        raise AssertionError("the app opened a zip itself")

    for opens in ("ZipFile", "is_zipfile"):
        monkeypatch.setattr(zipfile, opens, opened_here)
    files: list[str] = []
    settings = Settings(imports=Imports(memory_mb=256))
    reader_client.pass_on_files_of_upload_and_list_failures(
        settings, path, "scans.zip", lambda name, content: files.append(name)
    )
    assert files == ["a.png"]
    # What the file says of its packing asks for a dictionary of two gibibytes.
    at = whole.index(b"a.png") + len("a.png") + 4
    path.write_bytes(whole[: at + 1] + (2 << 30).to_bytes(4, "little") + whole[at + 5 :])
    with pytest.raises(BadFile, match="256 MB of memory to be unpacked"):
        reader_client.pass_on_files_of_upload_and_list_failures(
            settings, path, "scans.zip", lambda *_: None
        )


@pytest.mark.deep
def test_a_large_file_is_never_whole_in_the_memory_of_the_app(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "large.csv"
    with file.open("w") as out:
        out.write("item,question,response\n")
        out.writelines(f"large{n},Q,{os.urandom(5_000).hex()}\n" for n in range(3_000))
    assert file.stat().st_size > 28 * MB
    take(store, "items", FEW)
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    assert take(store, "items", file, file.name, dry_run=True).added == 3_000
    assert _peak() - before < 80 * MB
    assert take(store, "items", file, file.name).added == 3_000
    assert _peak() - before < 100 * MB
    assert _now() - before < 20 * MB
    assert store.rows("select count(*), count(distinct seq) from item") == [(3_050, 3_050)]


@pytest.mark.deep
def test_a_file_whose_rows_are_too_long_for_the_app_is_refused_unless_more_is_allowed(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "long.csv"
    with file.open("w") as out:
        out.write("item,question,response\n")
        out.writelines(f"long{n},Q,{'x' * 99_990}{n}\n" for n in range(120))
        out.writelines(f"short{n},Q,A\n" for n in range(2_500))
        out.writelines(f"again{n},Q,{'x' * 99_990}{n}\n" for n in range(120))
    take(store, "items", FEW)
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    with pytest.raises(InvalidInput, match=r"2,048 rows .* more than 8 MB") as refused:
        take(store, "items", file, file.name, imports=Imports(long_rows_mb=8))
    assert "long_rows_mb" in refused.value.hint
    assert _peak() - before < 60 * MB
    assert store.rows("select count(*) from item") == [(50,)]
    # Twice 12 MB, with many short rows in between.
    allowed = Imports(long_rows_mb=18)
    assert take(store, "items", file, file.name, imports=allowed, dry_run=True).added == 2_740


@pytest.mark.deep
@pytest.mark.parametrize("busy", [False, True], ids=["alone", "beside a long query"])
def test_a_file_of_long_rows_is_durable_and_passes_through_memory_once(
    store: Store, tmp_path: Path, busy: bool
) -> None:
    # How much memory it takes is asked of the store that is alone.
    rows = 100 if busy else 800
    file = tmp_path / "long.csv"
    with file.open("w") as out:
        out.write("item,question,response\n")
        out.writelines(f"long{n},Q,{os.urandom(49_999).hex()}\n" for n in range(rows))
    take(store, "items", FEW)
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    with store._cursor(fresh=True) as other:
        if busy:
            other.execute("begin")
            other.execute("select count(*) from item").fetchall()
        allowed = Imports(long_rows_mb=100)
        assert take(store, "items", file, file.name, imports=allowed).added == rows
    # 80 MB: through the log they took 230, now 130, and still do while others are in a transaction.
    assert busy or _peak() - before < 180 * MB
    # As the disk has it, were the process killed now.
    for part in Path(store.path).parent.glob(f"{Path(store.path).name}*"):
        if part.is_file():
            shutil.copy(part, tmp_path / part.name.replace(Path(store.path).name, "copy"))
    killed = open_store(tmp_path / "copy")
    assert killed.rows("select count(*), max(length(body::text)) > 99998 from item") == [
        (rows + 50, True)
    ]
    killed.close()


def _now() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def _peak() -> int:
    """The most that this process has held since that was last reset, in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


def test_a_stopped_import_leaves_nothing_behind(store: Store) -> None:
    class Stopped(Exception):
        pass

    def stop(rows: int) -> None:
        raise Stopped

    before = counted(store)
    with pytest.raises(Stopped):
        take(store, "items", FEW * 2_000, progress=stop)
    assert counted(store) == before


_KILLED = """
import os, signal, sys
from medlens.app import work_behind_commands
from medlens.app.file_intake.reader_processes import ReaderProcesses, readers_of_this_process
from medlens.config.settings import Settings
from medlens.store import open_store
begin = ReaderProcesses._begin
def held(self, theirs):
    pid = begin(self, theirs)
    os.kill(pid, signal.SIGSTOP)
    print(pid, self._process.pid, flush=True)
    return pid
ReaderProcesses._begin = held
given = sys.stdin.buffer.read()
work_behind_commands.import_file(open_store(sys.argv[1]), Settings(), "items", given, name="f")
"""


@pytest.mark.deep
def test_a_killed_app_leaves_no_reader_no_file_and_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with monkeypatch.context() as patch:
        patch.setenv("TMPDIR", str(scratch))
        app = Child(_KILLED, str(tmp_path / "s.duckdb"))
    with app.stdin:
        app.stdin.write(FEW.decode())
    pids = [int(pid) for pid in app.stdout.readline().split()]
    assert len(pids) == 2
    app.kill()
    app.wait()
    until = time.monotonic() + 60
    while time.monotonic() < until and any(_runs(pid) for pid in pids):
        time.sleep(0.05)
    assert not any(_runs(pid) for pid in pids)
    assert list(scratch.iterdir()) == []
    with closing(open_store(tmp_path / "s.duckdb")) as store:
        assert store.rows("select count(*) from item") == [(0,)]


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # also of one that ends while it is read
        return False
    return state != "Z"


def test_a_file_is_read_again_beside_rows_that_came_in_between_and_only_then(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, tries = reader_client._try, list[bool]()

    def overtaken(*given: Any) -> Any:
        tries.append(True)
        if len(tries) > 1:
            return read(*given)
        find_or_add_rater_by_name(store, "Rosa", role="reviewer")
        raise Conflict("Somebody else was first.")

    monkeypatch.setattr(reader_client, "_try", overtaken)
    assert take(store, "items", FEW).added == 50
    assert len(tries) == 2

    def refuse(*given: Any) -> Any:
        tries.append(True)
        raise Conflict("It contradicts what is there.")

    monkeypatch.setattr(reader_client, "_try", refuse)
    with pytest.raises(Conflict):
        take(store, "items", FEW)
    assert len(tries) == 3


def test_a_message_that_says_it_is_longer_than_any_should_be_is_not_waited_for() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall((1 << 30).to_bytes(8, "big"))
        ours.settimeout(5)
        with pytest.raises(ValueError, match="too long"):
            messages_between_processes.receive_json_with_open_files(ours)


def test_an_open_file_is_read_from_its_beginning_wherever_it_stands(store: Store) -> None:
    file = io.BytesIO(FEW)
    file.read()
    assert take(store, "items", file).added == 50


@pytest.mark.deep
def test_how_far_an_open_file_is_read_is_told_from_its_beginning(store: Store) -> None:
    told: list[float] = []
    take(store, "items", FEW * 2_000, share=told.append, skip_bad=True)
    assert told == sorted(told)
    assert told[0] < 1


def test_a_reader_sees_no_environment(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    pids: list[int] = []
    begin = ReaderProcesses._begin
    monkeypatch.setattr(
        ReaderProcesses, "_begin", lambda self, at: pids.append(begin(self, at)) or pids[-1]
    )
    seen: list[bytes] = []

    def look(rows: int) -> None:
        if not seen:
            seen.append(Path(f"/proc/{pids[-1]}/environ").read_bytes())

    # It looks as soon as the reader keeps the app waiting, however fast that reads.
    monkeypatch.setattr(reader_client, "_TICK", 0)
    os.environ["MEDLENS_TEST_KEY"] = "secret"
    take(store, "items", FEW, progress=look, skip_bad=True)
    assert seen
    assert b"secret" not in seen[0]


def test_what_is_no_question_to_the_store_is_refused(store: Store) -> None:
    with (
        store.open_pending_transaction() as pending,
        pytest.raises(InvalidInput, match="may ask the store"),
    ):
        pending.stream_query_as_arrow_batches(
            "insert into job (id, command) values ('a', 'b')", {}, {}
        )


@pytest.fixture
def asked() -> Iterator[list[tuple[Lookup, dict[str, Any]]]]:
    """Lookups that no import declares, with parameters."""
    queries: list[tuple[str, dict[str, Any]]] = [
        ("select name, seq, made_at, illustrative, body, null as none from item order by seq", {}),
        (
            "select count(*), max(seq), sum(length(name)) from item where name in $names",
            {"names": [f"i{n}" for n in range(2_500)]},
        ),
        (
            "select count(*) from item where seq in $numbers",
            {"numbers": list(range(2_500))},
        ),
        ("select name, name from item where dataset = $dataset order by 1", {"dataset": "ward"}),
        ("select list(name order by seq), avg(seq), max(made_at) from item", {}),
        ("select name from item where name = 'none'", {}),
        ("select count(*) from item where study = $study", {"study": "tagging"}),
    ]
    yield [
        (
            Lookup(f"tests.{at}", sql, **({"numbers": "wholes"} if "$numbers" in sql else {})),
            given,
        )
        for at, (sql, given) in enumerate(queries)
    ]
    for at in range(len(queries)):
        del LOOKUPS[f"tests.{at}"]


def test_a_reader_gets_the_same_answers_as_the_app(
    store: Store, asked: list[tuple[Lookup, dict[str, Any]]]
) -> None:
    take(store, "items", FEW, dataset="ward")
    of_ward = asked[-1][0]
    ours, theirs = socket.socketpair()
    with store.open_pending_transaction() as pending, ExitStack() as opened:
        talk = reader_client._Conversation(Imports(), "f", None, None)
        talk.pending, talk.opened = pending, opened
        talk.permissions = ReaderPermissions(store, "items", dataset="ward", entry="")

        def answer() -> None:
            try:
                while True:
                    message, files = messages_between_processes.receive_json_with_open_files(ours)
                    talk._answer(ours, message, files)
            except EOFError:
                return

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        # Whoever of the two ends with an error, the other waits no longer than this.
        ours.settimeout(30)
        theirs.settimeout(30)
        remote = StoreProxy(
            theirs, store.read_column_types_by_table(), store.current_version_by_table(), "tagging"
        )
        assert remote.choose_and_return_dataset_of_rows("as-the-file-says") == "ward"
        for sql, params in asked:
            assert remote.rows(sql, **params) == store.rows(sql, **params)
            assert remote.read(sql, **params).equals(store.read(sql, **params))
        assert remote.find_first_row_as_dict(asked[0][0]) == store.find_first_row_as_dict(
            asked[0][0]
        )
        # What it appended is seen by its next question, and by nobody else until it is kept.
        row = {
            "study": "tagging",
            "kind": "k",
            "dataset": "ward",
            "name": "n",
            "digest": "",
            "body": {},
            "illustrative": False,
        }
        assert remote.append("item", {"id": "a", **row}, {"id": "b", **row, "name": "m"}) == 2
        assert remote.append("item", {"id": "a", **row}) == 0
        assert remote.known_ids("item", ["a", "c"]) == {"a"}
        assert remote.known_ids("item", []) == set()
        assert remote.rows(of_ward, study="tagging") == [(52,)]
        assert store.rows(of_ward, study="tagging") == [(50,)]
        with pytest.raises(InvalidInput, match="not declared as a Lookup: select 1"):
            remote.rows("select 1")
        with pytest.raises(InvalidInput, match="of another study"):
            remote.rows(of_ward, study="own")
        theirs.close()
        thread.join(30)
        assert not thread.is_alive()
    assert store.rows(of_ward, study="tagging") == [(50,)]


@pytest.fixture
def talk(store: Store) -> Iterator[tuple[reader_client._Conversation, StoreProxy]]:
    """An app's side of an import into the dataset "ward", which answers, and its reader's."""
    ours, theirs = socket.socketpair()
    with store.open_pending_transaction() as pending, ExitStack() as opened:
        app = reader_client._Conversation(Imports(), "f", None, None)
        app.pending, app.opened = pending, opened
        app.permissions = ReaderPermissions(store, "items", dataset="ward", entry="")

        def answer() -> None:
            with suppress(EOFError):
                while True:
                    message, files = messages_between_processes.receive_json_with_open_files(ours)
                    app._answer(ours, message, files)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        # Whoever of the two ends with an error, the other waits no longer than this.
        ours.settimeout(30)
        theirs.settimeout(30)
        remote = StoreProxy(
            theirs, store.read_column_types_by_table(), store.current_version_by_table(), "tagging"
        )
        remote.choose_and_return_dataset_of_rows("")
        yield app, remote
        theirs.close()
        thread.join(30)
        assert not thread.is_alive()


def some_items(first: int, count: int, **other: Any) -> pa.Table:
    numbers = range(first, first + count)
    columns = {"study": "tagging", "kind": "k", "dataset": "ward", "digest": "", "body": "{}"}
    names = [f"n{n}" for n in numbers]
    return pa.table(
        {"id": names, "name": names, "illustrative": [False] * count}
        | {name: [value] * count for name, value in (columns | other).items()}
    )


def test_the_app_inserts_rows_while_its_reader_makes_the_next_ones(
    talk: tuple[reader_client._Conversation, StoreProxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, remote = talk
    next_is_made = threading.Event()
    in_time: list[bool] = []
    append = app._append

    def append_once_next_is_made(asked: dict[str, Any], handed: list[BinaryIO]) -> int:
        in_time.append(next_is_made.wait(10))
        return append(asked, handed)

    monkeypatch.setattr(app, "_append", append_once_next_is_made)

    def pieces() -> Iterator[pa.Table]:
        yield some_items(0, 10)
        next_is_made.set()
        yield some_items(10, 10)
        yield some_items(20, 5)

    assert remote.append_pieces_of_table_and_count_new("item", pieces(), {}) == 25
    assert all(in_time)
    assert app.pending is not None
    found = app.pending.stream_query_as_arrow_batches("select id from item order by seq", {}, {})
    assert found.read_all()["id"].to_pylist() == [f"n{n}" for n in range(25)]


@pytest.mark.deep
def test_rows_that_come_in_several_files_are_inserted_in_groups_as_if_in_one(
    talk: tuple[reader_client._Conversation, StoreProxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, remote = talk
    assert app.pending is not None
    inserted: list[int] = []
    insert = app.pending._insert

    def insert_and_count(table: str, rows: pa.Table, number: int, *, known: bool) -> int:
        inserted.append(len(rows))
        return insert(table, rows, number, known=known)

    monkeypatch.setattr(app.pending, "_insert", insert_and_count)
    body = f'"{"x" * 1_500}"'
    given = [some_items(1_700 * at, 1_700, body=body) for at in range(12)]
    assert remote.append_pieces_of_table_and_count_new("item", iter(given), {}) == 20_400
    assert sum(inserted) == 20_400
    assert {count % 2_048 for count in inserted[:-1]} == {0}
    # All of them go to a store that lies elsewhere, once.
    files = app.files["item"]
    assert sum(len(arrow_reader_of_file(file).read_all()) for file in files) == 20_400
    assert len(files) > 3


def test_a_table_of_which_rows_wait_for_more_is_neither_left_nor_kept(
    talk: tuple[reader_client._Conversation, StoreProxy],
) -> None:
    app, remote = talk
    assert app.pending is not None
    with tempfile.TemporaryFile() as file:
        rows = some_items(0, 3)
        with pa.ipc.new_stream(file, rows.schema) as out:
            out.write_table(rows)
        remote._begin_append("item", file, 3, more=True)
        assert remote._count_appended() == 0
    with pytest.raises(Overreach, match="amid the rows of item"):
        app._serve(socket.socket(), {"do": "known", "table": "import_items"}, [])
    with pytest.raises(InvalidInput, match="item are not complete"):
        app.pending.commit_transaction()


def test_what_is_wrong_with_rows_is_told_before_what_the_app_finds_wrong_with_some(
    talk: tuple[reader_client._Conversation, StoreProxy],
) -> None:
    _, remote = talk

    def pieces(fault: str, **other: str) -> Iterator[pa.Table]:
        yield some_items(0, 1, **other)
        yield some_items(1, 1, **other)
        yield some_items(2, 1, **other)
        if fault:
            raise InvalidInput(fault)

    twice = "two of one name"
    for given, said in (
        (pieces(twice, shoe_size=""), twice),
        (pieces("", shoe_size=""), "shoe_size"),
        (pieces(twice), twice),
    ):
        with pytest.raises(InvalidInput, match=said):
            remote.append_pieces_of_table_and_count_new("item", given, {})
        # Nobody takes an answer for that to another question.
        assert remote.known_ids("item", ["n0"]) == set()


@pytest.mark.first_quick
@pytest.mark.parametrize("revision", ["1e308", "2147483648", "2147483647", "-1"])
def test_a_revision_that_no_judgment_can_have_is_refused_by_its_column(
    store: Store, revision: str
) -> None:
    take(store, "items", FEW)
    file = f"item,rater,revision,labels\ni1,A,{revision},\n".encode()
    with pytest.raises(BadFile, match=r"column 'revision'.*from 1 to 1,000,000"):
        take(store, "judgments", file)


# -- where rows go, and that a preview is an import ------------------------------------------------


@dataclass(frozen=True)
class Files:
    """A study's demo as files, in the order in which they go in: (kind, file)."""

    files: list[tuple[str, Path]]


_KINDS = {
    "tagging": {
        "items": "items",
        "judgments": "judgments",
        "spans": "spans",
        "gold": "gold",
        "surveys": "surveys",
    },
    "agentclinic": {
        "cases": "agentclinic-cases",
        "dialogues": "agentclinic-dialogues",
        "ratings": "agentclinic-ratings",
        "moderator-checks": "agentclinic-ratings",
    },
    "sourcecheckup": {
        "questions": "sourcecheckup-questions",
        "responses": "sourcecheckup-responses",
        "statements": "sourcecheckup-statements",
        "sources": "sourcecheckup-sources",
        "pairs": "sourcecheckup-pairs",
        "cleanups": "sourcecheckup-cleanups",
        "merged": "sourcecheckup-merged",
        "countries": "sourcecheckup-countries",
        "answer-judgments": "sourcecheckup-judgments",
    },
    "ebmqa": {"questions": "ebmqa-questions", "answers": "ebmqa-answers"},
}
"""What is exported, in the order in which it goes in again, and the kinds it goes in as."""


@pytest.fixture(scope="module", params=quick_or_deep(*_KINDS))
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder, study = tmp_path_factory.mktemp("files"), str(request.param)
    found = []
    with closing(open_store(folder / "demo.duckdb")) as store:
        registry.STUDIES[study].demo(store)
        for export, kind in _KINDS[study].items():
            table = work_behind_commands.make_export_table(
                store, Settings(), export, viewer=None, study=study, nested=True
            )
            if study == "ebmqa":
                # Of each kind of question forty, not a thousand.
                if export == "questions":
                    table = table.groupby("kind").head(40)
                    some = set(table["question_id"])
                table = table[table["question_id"].isin(some)].copy()
            # As an export has it, or as a team may add it.
            table["dataset"] = "as-the-file-says"
            if len(table):
                file = folder / f"{export}.jsonl"
                write_table(table, file, format="jsonl")
                found.append((kind, file))
    return Files(found)


def everywhere(store: Store) -> set[str]:
    """Every dataset in which there is anything."""
    return {
        str(name)
        for table, columns in store.read_column_types_by_table().items()
        if "dataset" in columns
        for (name,) in store.rows(f"select distinct dataset from {table}")
    }


@pytest.mark.deep
@pytest.mark.usefixtures("read_near")
def test_rows_go_where_the_person_says_once_into_each_dataset_as_previewed(
    store: Store, files: Files
) -> None:
    told = attrgetter("added", "known", "refused", "notes")
    for arm in ("arm-a", "arm-b"):
        for kind, file in files.files:
            before = counted(store)
            # Of the second arm, where what the first holds could mislead it.
            shown = arm == "arm-b" and told(
                take(store, kind, file, file.name, dataset=arm, dry_run=True)
            )
            assert counted(store) == before, kind
            done = take(store, kind, file, file.name, dataset=arm)
            assert shown in (False, told(done))
            assert done.taken
            if kind in OF_NO_DATASET:
                assert done.taken.dataset == ""
                assert "into" not in done.line
            else:
                assert done.taken.dataset == arm
                assert f"into {arm!r}" in done.line
    assert everywhere(store) - {""} == {"arm-a", "arm-b"}
    # And nothing twice.
    before = counted(store)
    for arm in ("arm-a", "arm-b"):
        for kind, file in files.files:
            assert take(store, kind, file, file.name, dataset=arm).added == 0, (kind, arm)
    assert counted(store) == before | {"import_log": before["import_log"] + 2 * len(files.files)}
    kinds = "select kind, count(*) from item where dataset = $arm group by 1 order by 1"
    shares = [store.rows(kinds, arm=arm) for arm in ("arm-a", "arm-b")]
    assert shares[0] == shares[1]
    judged = store.rows(
        "select i.dataset, count(*) from judgment j join item i on i.id = j.item group by 1"
    )
    assert len({count for _, count in judged}) <= 1
    assert len(judged) in (0, 2)


@pytest.mark.deep
@pytest.mark.usefixtures("read_near")
def test_where_nobody_says_rows_go_where_the_file_says(store: Store, files: Files) -> None:
    for kind, file in files.files:
        line = take(store, kind, file, file.name).line
        assert ("into 'as-the-file-says'" in line) is (kind not in OF_NO_DATASET)
    assert everywhere(store) - {""} == {"as-the-file-says"}


def test_a_file_of_two_datasets_needs_a_word_of_where_to(store: Store) -> None:
    text = b"item,response,dataset\na,A,one\nb,B,two\n"
    with pytest.raises(InvalidInput, match="2 datasets"):
        take(store, "items", text)
    assert take(store, "items", text, dataset="ward").line == "Imported 2 items into 'ward'."


CASE = {
    "OSCE_Examination": {
        "Objective_for_Doctor": "Diagnose.",
        "Patient_Actor": {"Demographics": "A woman"},
        "Physical_Examination_Findings": {},
        "Test_Results": {},
        "Correct_Diagnosis": "Gout",
    }
}


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def dialogue(case: str, **more: Any) -> dict[str, Any]:
    return {
        "case": case,
        "doctor": "a",
        "patient": "p",
        "outcome": "correct",
        "diagnosis": "Gout",
        "turns": [{"speaker": "doctor", "text": "Hello."}],
        **more,
    }


@pytest.mark.deep
def test_two_dialogues_of_one_name_are_refused_and_nothing_of_a_refused_file_stays(
    store: Store,
) -> None:
    take(store, "agentclinic-cases", lines(CASE), "c.jsonl", dataset="ward")
    [(case,)] = store.rows("select name from item")
    same = dialogue(case, dialogue="mine")
    other = dialogue(case, dialogue="mine", diagnosis="Sepsis")
    with pytest.raises(BadFile, match=r"a name of its own \(line 1 has it"):
        take(store, "agentclinic-dialogues", lines(same, other), "d.jsonl", dataset="ward")
    lost = dialogue("nowhere", dialogue="theirs", illustrative=True)
    with pytest.raises(InvalidInput, match="not in the dataset"):
        take(store, "agentclinic-dialogues", lines(same, lost), "d.jsonl", dataset="ward")
    assert store.rows("select count(*) from item") == [(1,)]
    done = take(store, "agentclinic-dialogues", lines(same, same), "d.jsonl", dataset="ward")
    assert (done.added, done.known) == (1, 1)


@pytest.mark.deep
def test_ids_of_judgments_that_were_imported_before_stay_as_they_are(store: Store) -> None:
    take(store, "items", FEW, dataset="arm-a")
    take(store, "items", FEW, dataset="arm-b")
    text = b"judgment_id,item,rater,labels\nmine-1,i0,Ada,\n"
    assert take(store, "judgments", text, dataset="arm-a").added == 1
    assert store.rows("select id from judgment") == [("mine-1",)]
    assert take(store, "judgments", text, dataset="arm-b").added == 1
    assert [take(store, "judgments", text, dataset=arm).known for arm in ("arm-a", "arm-b")] == [
        1,
        1,
    ]
    assert store.rows("select count(*) from judgment") == [(2,)]


@pytest.mark.postgres
@pytest.mark.deep
def test_on_a_server_an_import_is_one_transaction_and_a_preview_leaves_nothing(
    database: str,
) -> None:
    with closing(open_store(database)) as store:
        before = counted(store)
        assert take(store, "items", FEW, dry_run=True).added == 50
        store.fetch_rows_of_other_processes_and_count()
        assert counted(store) == before
        assert take(store, "items", FEW).added == 50
        with closing(open_store(database)) as other:
            assert other.rows("select count(*) from item") == [(50,)]
            assert other.rows("select added, dataset from import_log") == [(50, "main")]
            assert take(other, "items", FEW).known == 50


def test_many_items_are_kept_in_the_order_of_their_file_and_none_if_two_share_a_name(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "many.csv"
    rows = [f"many{n},Q,A{n}\n" for n in range(9_001)]
    file.write_text("".join(["item,question,response\n", *rows, "many7,Q,A7\n"]))
    done = take(store, "items", file, file.name)
    assert (done.added, done.known) == (9_001, 0)
    kept = store.rows("select name, body->>'response', made_at from item order by seq")
    assert [(name, text) for name, text, _ in kept] == [(f"many{n}", f"A{n}") for n in range(9_001)]
    assert len({time for *_, time in kept}) == 1
    others = [f"new{n},Q,A{n}\n" for n in range(9_001)]
    file.write_text("".join(["item,question,response\n", *others, "new8,Q,other\n"]))
    with pytest.raises(InvalidInput, match="stands for two different items"):
        take(store, "items", file, file.name)
    assert store.rows("select count(*) from item") == [(9_001,)]


def test_rows_are_inserted_in_groups_that_the_store_writes_whole(tmp_path: Path) -> None:
    with (tmp_path / "rows.arrow").open("w+b") as file:
        rows = pa.table({"n": range(30_000), "text": [f"{n:0>1500}" for n in range(30_000)]})
        with pa.ipc.new_stream(file, rows.schema) as out:
            out.write_table(rows, max_chunksize=500)
        file.flush()
        pieces = list(arrow_tables_in_pieces(file))
    assert pa.concat_tables(pieces).equals(rows)
    assert {len(piece) % 2_048 for piece in pieces[:-1]} == {0}
    assert max(piece.nbytes for piece in pieces) < 8 * MB
