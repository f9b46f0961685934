"""A reader that a hostile file has taken over: what it wants of the app, and does not get."""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pytest

from medlens import landlock
from medlens.app.file_intake import (
    messages_between_processes,
    permitted_reader_requests,
    reader_client,
    reader_processes,
    reader_worker,
)
from medlens.app.file_intake.reader_processes import ReaderProcesses
from medlens.app.work_behind_commands import import_file
from medlens.config.settings import Settings
from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.errors import BadFile, InvalidInput
from medlens.review.items import ids_by_name_made_from_item_names
from medlens.store import Lookup, Store, open_store
from medlens.store.sql_lookups_declared_and_asked_by_name import LOOKUPS
from medlens.studies.registry import IMPORTS
from tests.conftest import LayStore

pytestmark = pytest.mark.usefixtures("all_threads")

FILE = b"item,question,response\na,Q,fine\n"
[ELSEWHERE] = ids_by_name_made_from_item_names("tagging", "clinic", ["a"]).values()
[HERE] = ids_by_name_made_from_item_names("tagging", "ward", ["a"]).values()
PLACE = {"do": "place", "named": ""}


@dataclass(frozen=True)
class Says:
    """A message with a stream of Arrow beside it, if there are rows."""

    message: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]] = ()


def add_items_of_two_datasets(store: Store) -> None:
    for dataset in ("ward", "clinic"):
        import_file(store, Settings(), "items", FILE, name="f.csv", dataset=dataset)


@pytest.fixture
def ward(lay_store: LayStore, store_path: Path) -> Iterator[Store]:
    """A store with an item in each of two datasets."""
    with contextlib.closing(open_store(lay_store(store_path, add_items_of_two_datasets))) as store:
        yield store


@pytest.fixture(scope="module")
def said_by_readers() -> Iterator[tuple[ReaderProcesses, BinaryIO]]:
    """Readers that say to the app what stands in a file (a pickled list of ``Says``), whatever it
    answers, and that all went well. They have it open: as readers they could not open it.
    """
    with tempfile.TemporaryFile() as script, pytest.MonkeyPatch.context() as forked:

        def work(_order: object, _files: object, peer: socket.socket) -> None:
            all_said = pickle.loads(os.pread(script.fileno(), 1 << 20, 0))
            for said in all_said:
                with tempfile.TemporaryFile() as file:
                    if said.rows:
                        table = pa.Table.from_pylist(list(said.rows))
                        with pa.ipc.new_stream(file, table.schema) as out:
                            out.write_table(table)
                    file.flush()
                    file.seek(0)
                    files = [file.fileno()] if said.rows else []
                    messages_between_processes.send_json_with_open_files(
                        peer, dict(said.message), files
                    )
                    with suppress(EOFError):
                        answer, _ = messages_between_processes.receive_dict_and_file_descriptors(
                            peer
                        )
                        if said.message["do"] in ("read", "known") and "error" not in answer:
                            stream = messages_between_processes.SocketAsFile(peer)
                            pa.ipc.open_stream(stream).read_all()
            done = {"called": "items", "added": 1, "known": 0, "refused": 0, "notes": []}
            more = {"ending": "", "rows": [], "head": [], "compared": {}}
            messages_between_processes.send_json_with_open_files(
                peer, {"do": "done", **done, **more}
            )

        readers = ReaderProcesses()
        forked.setattr(reader_worker, "carry_out_reading_order_and_send_result", work)
        readers.fork_parent_of_readers()
        forked.undo()
        yield readers, script
        readers.close()


@pytest.fixture
def taken_over(
    monkeypatch: pytest.MonkeyPatch, said_by_readers: tuple[ReaderProcesses, BinaryIO]
) -> Callable[..., None]:
    """Readers that say these things to the app, whatever it answers, and that all went well."""
    readers, script = said_by_readers

    def says(*all_said: Says) -> None:
        script.seek(0)
        script.truncate()
        script.write(pickle.dumps(all_said))
        script.flush()
        monkeypatch.setattr(reader_client, "readers_of_this_process", lambda: readers)

    return says


def counted(store: Store) -> dict[str, int]:
    return {
        table: int(store.value(f"select count(*) from {table}"))
        for table in store.read_column_types_by_table()
        if table != "audit_event"
    }


def read(lookup: str, **params: Any) -> Says:
    return Says({"do": "read", "lookup": lookup, "params": params, "lists": []})


def append(table: str, *rows: Mapping[str, Any], count: int = 0) -> Says:
    moment = {"made_at": "2026-01-01 00:00:00+00"}
    full = [{**moment, **row} for row in rows]
    return Says({"do": "append", "table": table, "count": count or len(rows)}, full)


def item(name: str = "b", **more: Any) -> dict[str, Any]:
    given = {"id": f"hostile-{name}", "study": "tagging", "kind": "response", "dataset": "ward"}
    body = {"name": name, "digest": "", "body": "{}", "illustrative": False}
    return {**given, **body, **more}


def judgment(about: str) -> dict[str, Any]:
    given = {"id": "hostile", "task": "error_spans", "item": about, "rater": "r", "revision": 1}
    return {**given, "body": "{}", "blind": True, "origin": "import", "complete": True}


def rater(**more: Any) -> dict[str, Any]:
    given = {"id": "r", "handle": "oidc:x", "kind": "person", "name": "X", "origin": "oidc"}
    return {**given, **more}


@dataclass(frozen=True)
class Attack:
    """What a reader of a file of this kind says; ``refused`` are words of its refusal."""

    says: Sequence[Says]
    refused: str
    kind: str = "items"
    placed: bool = field(default=True)


ATTACKS = {
    "SQL": Attack(
        [Says({"do": "read", "sql": "select * from rater", "params": {}, "lists": []})],
        "the lookup None",
    ),
    "SQL as a lookup": Attack([read("select email from rater")], "the lookup 'select email"),
    "a lookup of another study": Attack(
        [read("sourcecheckup.newest_snapshots")], "the lookup 'sourcecheckup"
    ),
    "a dataset of its choice": Attack(
        [read("items.digests_by_name", dataset="clinic")], "with other parameters"
    ),
    "a study of its choice": Attack(
        [read("items.digests_by_name", study="own")], "with other parameters"
    ),
    "a parameter too few": Attack([read("items.ids_by_name")], "with other parameters"),
    "a parameter of another type": Attack(
        [read("items.ids_by_name", names={"$ne": ""})], "with names ="
    ),
    "a task of another study": Attack(
        [read("judgment_import.judgments_told", task="source_support", items=[HERE])],
        "with task = 'source_support'",
    ),
    "items of another dataset": Attack(
        [read("judgment_import.judgments_told", task="error_spans", items=[HERE, ELSEWHERE])],
        "another dataset's items",
    ),
    "a body of another dataset": Attack(
        [read("items.body_of_version", item=ELSEWHERE, version=1)], "another dataset's items"
    ),
    "a question before there is a dataset": Attack(
        [read("items.digests_by_name")], "with other parameters", placed=False
    ),
    "a second dataset": Attack([Says(PLACE)], "a second dataset"),
    "ids of a table that it does not write": Attack(
        [Says({"do": "known", "table": "judgment"}, [{"x": "a"}])], "the table 'judgment'"
    ),
    "SQL as a table": Attack(
        [Says({"do": "known", "table": "item; drop table item"}, [{"x": "a"}])], "the table 'item;"
    ),
    "a list that is none": Attack(
        [Says({"do": "known", "table": "item"}, [{"x": "a", "y": "b"}])], "a list of something"
    ),
    "judgments from items": Attack([append("judgment", judgment(HERE))], "the table 'judgment'"),
    "people from items": Attack([append("rater", rater())], "the table 'rater'"),
    "a lead": Attack(
        [append("rater_role", {"id": "x", "rater": "r", "revision": 1, "role": "lead"})],
        "the table 'rater_role'",
        kind="judgments",
    ),
    "an address that somebody signs in by": Attack(
        [append("rater", rater(email="lead@example.org"))], "another email", kind="judgments"
    ),
    "a judgment of another dataset's item": Attack(
        [append("judgment", judgment(ELSEWHERE))], "about other items", kind="judgments"
    ),
    "a correction of another dataset's item": Attack(
        [append("item_version", {"id": "x", "item": ELSEWHERE, "version": 2, "body": "{}"})],
        "about other items",
    ),
    "items of another study": Attack([append("item", item(study="own"))], "another study"),
    "items for another dataset": Attack([append("item", item(dataset="clinic"))], "other dataset"),
    "items for two datasets": Attack(
        [append("item", item(), item("c", dataset="clinic"))], "another dataset"
    ),
    "rows for no dataset yet": Attack([append("item", item())], "for no dataset", placed=False),
    "more rows than it says": Attack([append("item", item(), item("c"), count=1)], "not 1 rows"),
    "fewer rows than it says": Attack([append("item", item(), count=1 << 60)], "rows for the"),
    "a column that no table has": Attack([append("item", item(admin=True))], "has no columns"),
    "rows that are numbered": Attack([append("item", item(seq=1))], "cannot be stored"),
    "another import's items": Attack(
        [append("import_items", {"id": "x", "import": "another", "items": "[]"})], "another import"
    ),
    "a good row after a bad one": Attack(
        [append("item", item(dataset="clinic")), append("item", item("c"))], "another dataset"
    ),
}


@pytest.mark.first_quick
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_what_no_file_of_its_kind_needs_is_refused_and_nothing_is_written(
    ward: Store, taken_over: Callable[..., None], attack: Attack
) -> None:
    before = counted(ward)
    taken_over(*([Says(PLACE)] if attack.placed else []), *attack.says)
    with pytest.raises((BadFile, InvalidInput), match=attack.refused):
        import_file(ward, Settings(), attack.kind, FILE, name="f.csv", dataset="ward")
    assert counted(ward) == before


def test_what_a_file_of_its_kind_needs_is_granted(
    ward: Store, taken_over: Callable[..., None]
) -> None:
    taken_over(
        Says(PLACE),
        read("items.digests_by_name"),
        append("item", item()),
        read("items.item_bodies", wanted=[HERE]),
    )
    import_file(ward, Settings(), "items", FILE, name="f.csv", dataset="ward")
    assert ward.value("select dataset from item where id = 'hostile-b'") == "ward"


def test_a_reader_that_only_looks_at_a_file_is_not_answered(
    taken_over: Callable[..., None],
) -> None:
    taken_over(Says(PLACE))
    with pytest.raises(BadFile, match="asked for something that no file"):
        reader_client.read_file_description_in_reader_process(Settings(), FILE, "f.csv")


def test_a_reader_does_not_learn_where_the_store_is(
    ward: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tell(order: Mapping[str, Any], _files: object, peer: socket.socket) -> None:
        told = f"{order} {order['settings'].model_dump()}"
        messages_between_processes.send_json_with_open_files(
            peer, {"do": "broke", "why": "", "told": told}
        )

    monkeypatch.setattr(reader_worker, "carry_out_reading_order_and_send_result", tell)
    readers = ReaderProcesses()
    readers.fork_parent_of_readers()
    monkeypatch.setattr(reader_client, "readers_of_this_process", lambda: readers)
    settings = Settings(
        store="postgresql://me:password@host/store", people={"lead@example.org": "lead"}
    )
    with pytest.raises(BadFile) as refused:
        import_file(ward, settings, "items", FILE, name="f.csv", dataset="ward")
    readers.close()
    assert "imports" in str(refused.value)
    assert "password" not in str(refused.value)
    assert "lead@example.org" not in str(refused.value)


@pytest.mark.skipif(
    landlock.landlock_version_of_kernel() < 4, reason="this kernel has no such Landlock"
)
def test_a_reader_reads_its_file_and_neither_the_store_nor_another_file_and_reaches_nobody(
    ward: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    upload, other = tmp_path / "upload.csv", tmp_path / "other.csv"
    upload.write_bytes(FILE)
    other.write_bytes(FILE)
    server = socket.create_server(("127.0.0.1", 0))

    def try_all(order: Mapping[str, Any], _files: object, peer: socket.socket) -> None:
        tries: dict[str, Callable[[], object]] = {
            "its file": lambda: Path(order["path"]).read_bytes(),
            "code not loaded yet": lambda: importlib.import_module("wave"),
            "a form": (SHIPPED / "data/forms/background.toml").read_bytes,
            "temporary files": tempfile.TemporaryFile,
            "the store": lambda: Path(ward.path).read_bytes(),
            "another upload": other.read_bytes,
            "other temporary files": lambda: os.listdir(tmp_path.parent),
            "accounts": Path("/etc/passwd").read_bytes,
            "its file, to change it": lambda: upload.open("ab"),
            "the network": lambda: socket.create_connection(server.getsockname()),
            "a program": lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),
        }
        able = []
        for name, attempt in tries.items():
            with suppress(OSError):
                attempt()
                able.append(name)
        messages_between_processes.send_json_with_open_files(
            peer, {"do": "broke", "why": "", "told": str(able)}
        )

    monkeypatch.setattr(reader_worker, "carry_out_reading_order_and_send_result", try_all)
    readers = ReaderProcesses()
    readers.fork_parent_of_readers()
    monkeypatch.setattr(reader_client, "readers_of_this_process", lambda: readers)
    with pytest.raises(BadFile) as refused, server:
        import_file(ward, Settings(), "items", upload, name="f.csv", dataset="ward")
    readers.close()
    assert str(["its file", "code not loaded yet", "a form", "temporary files"]) in str(
        refused.value
    )


@pytest.mark.deep
def test_where_the_kernel_has_no_landlock_files_are_read_all_the_same_and_the_log_says_so(
    ward: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(landlock, "landlock_version_of_kernel", lambda: 0)
    reader_processes.log_once_if_readers_are_unconfined.cache_clear()
    for dataset in ("ward", "clinic"):
        readers = ReaderProcesses()
        readers.fork_parent_of_readers()
        monkeypatch.setattr(reader_client, "readers_of_this_process", lambda made=readers: made)
        file = FILE.replace(b"a,Q", b"b,Q")
        done = import_file(ward, Settings(), "items", file, name="f.csv", dataset=dataset)
        readers.close()
        assert done.added == 1
    told = [one.message for one in caplog.records if "Landlock" in one.message]
    assert told == [reader_processes.UNCONFINED]


def test_a_file_does_not_say_which_dataset_a_person_meant(
    ward: Store, taken_over: Callable[..., None]
) -> None:
    taken_over(Says({"do": "place", "named": "clinic"}), append("item", item()))
    done = import_file(ward, Settings(), "items", FILE, name="f.csv", dataset="ward")
    assert done.taken
    assert done.taken.dataset == "ward"


def test_two_lookups_of_one_name_are_a_fault() -> None:
    with pytest.raises(ValueError, match="two lookups"):
        Lookup("items.item_bodies", "select 1")
    with pytest.raises(ValueError, match="no parameter"):
        Lookup("tests.none", "select $a", b="whole")
    assert "tests.none" not in LOOKUPS


def test_every_lookup_is_a_query_that_the_store_understands(store: Store) -> None:
    values = {"text": "", "texts": [""], "task": "", "items": [""], "whole": 1, "wholes": [1]}
    for lookup in LOOKUPS.values():
        given = {
            name: "2026-01-01T00:00:00+00:00" if holds == "moment" else values[holds]
            for name, holds in lookup.parameters.items()
        }
        if lookup.name == "items.body_of_version":
            given["item"] = ""
        store.rows(lookup, **given)


def test_no_kind_of_file_may_make_anybody_a_lead_or_change_what_is_logged() -> None:
    never = {"rater_role", "audit_event", "invitation", "import_log", "assignment", "draft", "run"}
    for kind in IMPORTS.values():
        assert not never & kind.tables_rows_may_go_to


def test_values_are_of_what_a_parameter_holds() -> None:
    assert permitted_reader_requests.is_value_valid_for_parameter("whole", 1)
    for holds, value in (
        ("whole", True),
        ("whole", 1.0),
        ("text", 1),
        ("texts", ["a", 1]),
        ("texts", "a"),
        ("items", [None]),
        ("wholes", [True]),
        ("moment", "yesterday"),
    ):
        assert not permitted_reader_requests.is_value_valid_for_parameter(holds, value), (
            holds,
            value,
        )
