"""The app's side of the gate: a reader for each file, and the transaction that it reads into.

The app's own memory holds no file and none of its rows: they pass through as streams.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import shutil
import socket
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from medlens import errors
from medlens.app.file_intake import messages_between_processes
from medlens.app.file_intake.permitted_reader_requests import (
    Overreach,
    ReaderPermissions,
    read_id_list_as_arrow_table,
)
from medlens.app.file_intake.reader_processes import EndedReader, readers_of_this_process
from medlens.config.settings import Imports, Settings
from medlens.deferred_module import pa
from medlens.errors import BadFile, BadRow, Conflict, InvalidInput, MedLensError
from medlens.store import Row, Store, new_id
from medlens.store.import_transaction import PendingTransaction
from medlens.studies.own.attached_files import LARGEST
from medlens.studies.own.bridge_registry import TOOLS
from medlens.studies.own.find_and_replace_patient_identifiers import Place
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import Naming
from medlens.tables import Source, require_readable_file
from medlens.tables.file_schemas_import_requests_and_reports import Compared, Revising

_log = logging.getLogger(__name__)
_TICK = 0.25
_TRIES = 3
_PATIENCE = 2.0
"""Seconds in which a process ends that has closed its line, a gibibyte of memory with it."""
_FULL = 0.75
"""The part of the memory it may have from which on a reader is said to have run out of it."""
_Progress = Callable[[int], object] | None


@dataclass(frozen=True)
class Order:
    """A file to be taken. ``dataset`` is what a person said, or empty; ``head`` asks for its first
    rows as they were understood. Its texts are in ``encoding``, else in UTF-8; ``sheet`` and the
    row ``header`` of its headings (from 1) are chosen by a person, or guessed. ``revising`` is what
    a lead wants where items of the file are there with other contents; ``entry`` is the id that
    the import gets in the log."""

    kind: str
    name: str
    dataset: str = ""
    label: str = ""
    skip_bad: bool = False
    head: bool = False
    encoding: str = ""
    sheet: str = ""
    header: int = 0
    revising: Revising = field(default_factory=Revising)
    entry: str = field(default_factory=new_id)


@dataclass(frozen=True)
class Layout:
    """Where a file's table was found: the sheets that hold anything, with whether each is hidden;
    the one read; the row of its headings, from 1; and its first rows in words, by their numbers.
    ``questions`` are a survey's, by the heading of their answers.
    ``recoded``: it is a text that is not in UTF-8, and nobody said in what it is.
    """

    sheets: list[tuple[str, bool]] = field(default_factory=list)
    sheet: str = ""
    header: int = 1
    top: dict[int, str] = field(default_factory=dict)
    recoded: bool = False
    questions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Taken:
    """What a file came to: where its rows went (empty: they belong to no dataset), how many there
    are, and what was refused.

    ``problems`` are the first of the refused rows; ``refusals`` holds them all as a file that can
    be mended and imported (``ending``).
    """

    dataset: str
    called: str
    added: int
    known: int
    refused: int
    notes: tuple[str, ...]
    problems: tuple[BadRow, ...]
    head: list[dict[str, str]]
    ending: str = ""
    refusals: BinaryIO | None = None
    compared: Compared | None = None


@dataclass(frozen=True)
class FileDescription:
    """What a file says of itself; texts are empty where it does not. ``rows`` are the first ones,
    none where they are too large to be looked at, and there may be ``more``. ``unread`` says of the
    first one why it cannot be read, if none can; ``notes`` what was decided in reading it.
    ``identifying`` is what may identify a patient in rows behind the first ones, if it was to be
    looked for, ``identifying_more`` how many more places there are, or at least are if the look
    was ``identifying_stopped`` in a column with very many, and ``looked_at`` how many rows were
    looked at, of all; ``naming`` is where models are named in the same rows, and ``lines`` where
    each of ``rows`` begins in the file.
    """

    columns: list[str]
    study: str
    dataset: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    unread: str = ""
    more: bool = False
    notes: list[str] = field(default_factory=list)
    layout: Layout = Layout()
    identifying: list[Place] = field(default_factory=list)
    identifying_more: int = 0
    identifying_stopped: bool = False
    looked_at: int = 0
    naming: list[Naming] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def row_number_in_sheet(self, at: int) -> int:
        """The number that a workbook shows beside a row, given its place among the rows (from 1):
        other files show none, and there it is the place.
        """
        if not self.layout.sheets or not self.lines:
            return at
        beyond = max(at - len(self.lines), 0)
        return self.lines[at - 1 - beyond] + beyond


@dataclass(frozen=True)
class Project:
    """What a project of another tool came to: a study's file, its items and judgments as JSON
    lines, how many they are, the first items, and what to tell of them."""

    study: str
    items: BinaryIO
    judgments: BinaryIO
    counts: Mapping[str, int]
    rows: list[dict[str, Any]]
    notes: tuple[str, ...]


def convert_foreign_project(
    settings: Settings, tool: str, title: str, parts: Sequence[Source]
) -> Project:
    """A project of one of ``bridge_registry.TOOLS`` as a study of that title. ``parts`` are its
    files, or where one is a zip, the folder that it would hold.

    Raises:
        BadFile: one of them cannot be read, or holds what a study cannot.
    """
    name = f"The file of {TOOLS[tool].thing}"
    with contextlib.ExitStack() as opened:
        files: list[int] = []
        for part in parts:
            folder = isinstance(part, str | os.PathLike) and Path(part).is_dir()
            source = opened.enter_context(_packed(Path(str(part)))) if folder else part
            given = opened.enter_context(_given(source, name))
            files += given.files or [opened.enter_context(open(given.path, "rb")).fileno()]
        opened.enter_context(readers_of_this_process().places)
        answer, made = _Conversation(settings.imports, name, None, None).hold(
            _Given(files=tuple(files)), {"do": "convert", "tool": tool, "title": title}
        )
    items, judgments = (os.fdopen(file, "rb") for file in made)
    return Project(
        study=str(answer["study"]),
        items=items,
        judgments=judgments,
        counts={str(name): int(many) for name, many in answer["counts"].items()},
        rows=answer["rows"],
        notes=tuple(map(str, answer["notes"])),
    )


@dataclass(frozen=True)
class JoinedTable:
    """Several files as one table, in JSON lines: what to tell of it, and what their names share."""

    rows: BinaryIO
    notes: tuple[str, ...]
    called: str


def join_model_tables_in_reader_process(
    settings: Settings,
    files: Sequence[tuple[Source, str]],
    *,
    sheet: str = "",
    header: int = 0,
    encoding: str = "",
) -> JoinedTable:
    """Tables with a model's answers each as one table, with a row for each case and model. Each
    file has its name; ``sheet``, ``header`` and ``encoding`` are as ``PipelineOrder`` has them, of
    all.

    Raises:
        BadFile: one of them cannot be read, or they have no cases in common.
        InvalidInput: there is no such encoding, sheet or row.
    """
    name = " and ".join(name for _, name in files)
    message = {
        "do": "join",
        "names": [name for _, name in files],
        "sheet": sheet,
        "header": header,
        "encoding": encoding,
    }
    with contextlib.ExitStack() as opened:
        handed: list[int] = []
        for source, called in files:
            given = opened.enter_context(_given(source, called))
            handed += given.files or [opened.enter_context(open(given.path, "rb")).fileno()]
        opened.enter_context(readers_of_this_process().places)
        answer, made = _Conversation(settings.imports, name, None, None).hold(
            _Given(files=tuple(handed)), message
        )
    return JoinedTable(
        os.fdopen(made[0], "rb"), tuple(map(str, answer["notes"])), str(answer["called"])
    )


def pass_on_files_of_upload_and_list_failures(
    settings: Settings, source: Source, name: str, take_file: Callable[[str, bytes], object]
) -> tuple[str, ...]:
    """Give ``take_file`` the name and the content of each file of an upload: itself, or what a zip
    holds. Returns why files in the zip could not be unpacked, a sentence each.

    Raises:
        BadFile: the zip needs more memory or time than is allowed.
        InvalidInput: it is damaged, or has too many or too large files.
    """
    with _given(source, name) as given, readers_of_this_process().places:
        answer, _ = _Unpacking(settings.imports, name, take_file).hold(given, {"do": "unpack"})
    return tuple(map(str, answer["refused"]))


@contextlib.contextmanager
def _packed(folder: Path) -> Iterator[BinaryIO]:
    """A folder as a zip, where a project is one; of links to elsewhere nothing is read."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                    packed.write(path, str(path.relative_to(folder)))
        yield file


def read_file_description_in_reader_process(
    settings: Settings,
    source: Source,
    name: str,
    *,
    encoding: str = "",
    most: int = 0,
    sheet: str = "",
    header: int = 0,
    identifiers: bool = False,
) -> FileDescription:
    """What a file says of itself: its columns, and by its first row its study and dataset.

    ``encoding``, ``sheet`` and ``header`` are as ``PipelineOrder`` has them. With ``most`` it is
    read to its end, so that this process can read it by itself afterwards. ``identifiers``: what
    may identify a patient is looked for in all rows behind the first ones.

    Raises:
        BadFile: it cannot be read, or has more than ``most`` megabytes once unpacked.
        InvalidInput: there is no such encoding, sheet or row.
    """
    message = {
        "do": "look",
        "encoding": encoding,
        "most": most,
        "sheet": sheet,
        "header": header,
        "identifiers": identifiers,
    }
    with _given(source, name) as given, readers_of_this_process().places:
        answer, _ = _Conversation(settings.imports, name, None, None).hold(given, message)
    return FileDescription(
        [str(column) for column in answer["columns"]],
        str(answer["study"]),
        str(answer["dataset"]),
        answer["rows"],
        str(answer["unread"]),
        bool(answer["more"]),
        answer["notes"],
        _layout(answer["layout"]),
        [Place(int(row), *map(str, place)) for row, *place in answer["identifying"]],  # type: ignore[arg-type]
        int(answer["identifying_more"]),
        bool(answer["identifying_stopped"]),
        int(answer["looked_at"]),
        [
            Naming(str(column), [*map(str, names)], [*map(int, rows)])
            for column, names, rows in answer["naming"]
        ],
        [*map(int, answer["lines"])],
    )


def _layout(given: Mapping[str, Any]) -> Layout:
    return Layout(
        [(str(name), bool(hidden)) for name, hidden in given.get("sheets", ())],
        str(given.get("sheet", "")),
        int(given.get("header", 1)),
        {int(number): str(words) for number, words in given.get("top", ())},
        bool(given.get("recoded")),
        {str(name): str(asked) for name, asked in given.get("questions", {}).items()},
    )


def import_or_preview_file_in_reader_process(
    store: Store,
    settings: Settings,
    order: Order,
    source: Source,
    *,
    settle: Callable[[Taken], Row] | None,
    progress: _Progress = None,
    share: Callable[[float], object] | None = None,
    before: Mapping[str, Sequence[Row]] | None = None,
) -> Taken:
    """Import a file in one transaction, with the row that ``settle`` gives for the log of imports;
    or without ``settle`` do the same and undo it: a preview. ``before`` are rows by table that the
    transaction begins with, and the file's reader finds there.

    ``progress`` is called with rows as they are read, also with 0 while there are none, and may
    raise to stop it; ``share`` with the part of the file that was read.

    Raises:
        BadFile, InvalidInput, StoreUnavailable: nothing was written.
    """
    with _given(source, order.name) as given, _place(progress):
        for attempt in range(_TRIES):
            store.fetch_rows_of_other_processes_and_count()
            versions = store.current_version_by_table()
            try:
                return _try(store, settings, order, given, settle, progress, share, before or {})
            except (Conflict, InvalidInput):
                # Somebody else's rows came in between, perhaps: then it is read beside them.
                store.fetch_rows_of_other_processes_and_count()
                if attempt == _TRIES - 1 or store.current_version_by_table() == versions:
                    raise
    raise AssertionError


def _try(
    store: Store,
    settings: Settings,
    order: Order,
    given: _Given,
    settle: Callable[[Taken], Row] | None,
    progress: _Progress,
    share: Callable[[float], object] | None,
    before: Mapping[str, Sequence[Row]],
) -> Taken:
    with store.open_pending_transaction() as pending, contextlib.ExitStack() as opened:
        talk = _Conversation(settings.imports, order.name, progress, share)
        talk.pending, talk.opened = pending, opened
        pending.most = settings.imports.long_rows_mb << 20
        message = {
            "do": "take",
            **vars(order),
            # A server's address holds its password, and nobody needs to know who is on the team.
            "settings": settings.model_copy(update={"store": "", "people": {}}),
            "columns": store.read_column_types_by_table(),
            "versions": store.current_version_by_table(),
        }
        talk.permissions = ReaderPermissions(
            store, order.kind, dataset=order.dataset, entry=order.entry
        )
        for table, rows in before.items():
            for row in rows:
                talk.insert(table, *store.arrow_stream_and_count_of_row_to_insert(table, row))
        answer, files = talk.hold(given, message)
        if talk.refused:
            raise talk.refused
        taken = _taken(answer, files, talk.permissions.dataset_of_rows)
        if settle is not None:
            talk.insert(
                "import_log",
                *store.arrow_stream_and_count_of_row_to_insert("import_log", settle(taken)),
            )
            store.commit_pending_transaction(pending, talk.files)
    return taken


def _taken(answer: Mapping[str, Any], files: list[int], dataset: str) -> Taken:
    return Taken(
        dataset=dataset,
        called=str(answer["called"]),
        added=int(answer["added"]),
        known=int(answer["known"]),
        refused=int(answer["refused"]),
        notes=tuple(map(str, answer["notes"])),
        compared=_compared(answer["compared"]),
        problems=_rows(answer["rows"]),
        head=[{str(k): str(v) for k, v in row.items()} for row in answer["head"]],
        ending=".csv" if answer["ending"] == ".csv" else ".jsonl",
        refusals=os.fdopen(files[0], "rb") if files else None,
    )


def _compared(found: Mapping[str, Any]) -> Compared | None:
    """How a file's items compare with what is there; None of a file of something else."""
    if not found:
        return None
    new, same, changed, missing = (
        int(found[name]) for name in ("new", "same", "changed", "missing")
    )
    changed_names, missing_names, follows = (
        tuple(map(str, found[name])) for name in ("changed_names", "missing_names", "follows")
    )
    said = str(found["difference"])
    return Compared(new, same, changed, missing, changed_names, missing_names, follows, said)


def _rows(found: list[dict[str, Any]]) -> tuple[BadRow, ...]:
    return tuple(
        BadRow(
            str(one["file"]),
            int(one["line"]),
            str(one["column"]),
            str(one["expected"]),
            str(one["got"]),
        )
        for one in found
    )


@contextlib.contextmanager
def _place(progress: _Progress) -> Iterator[None]:
    """One of the places for readers; while there is none, ``progress`` may still stop it."""
    places = readers_of_this_process().places
    while not places.acquire(timeout=_TICK):
        if progress:
            progress(0)
    try:
        yield
    finally:
        places.release()


@dataclass(frozen=True)
class _Given:
    """A file as a reader gets it: its path, or open."""

    path: str = ""
    files: tuple[int, ...] = ()


@contextlib.contextmanager
def _given(source: Source, name: str) -> Iterator[_Given]:
    if isinstance(source, str | os.PathLike):
        require_readable_file(source, name)
        yield _Given(str(Path(source).resolve()))
        return
    # Without a name, so that it is gone with the last process that has it open.
    with tempfile.TemporaryFile() as file:
        if isinstance(source, bytes):
            file.write(source)
        else:
            if source.seekable():
                source.seek(0)
            shutil.copyfileobj(source, file, 1 << 20)
        file.flush()
        # A reader tells how far it has got by how far the file is read.
        file.seek(0)
        yield _Given(files=(file.fileno(),))


class _Conversation:
    """What is said with one reader about one file."""

    pending: PendingTransaction | None = None
    refused: MedLensError | None = None
    """Why rows were not inserted."""
    permissions: ReaderPermissions
    opened: contextlib.ExitStack

    def __init__(
        self,
        limits: Imports,
        name: str,
        progress: _Progress,
        share: Callable[[float], object] | None,
    ) -> None:
        self._limits, self._name = limits, name
        self._progress, self._share = progress, share
        self.files: dict[str, list[BinaryIO]] = {}
        self._parts: dict[str, tuple[list[BinaryIO], int]] = {}

    def hold(self, given: _Given, message: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        """Give the reader its file and answer what it asks, until it is done.

        Raises:
            BadFile: it broke down over the file, which was too large, too slow or no file at all.
            MedLensError: what it refused the file for.
        """
        limits = {"memory": self._limits.memory_mb << 20, "seconds": self._limits.seconds}
        until = time.monotonic() + self._limits.seconds
        with readers_of_this_process().start_reader_and_end_it_after_block() as (peer, ended):
            try:
                messages_between_processes.send_pickle_with_open_files(
                    peer, {"name": self._name, **message, **limits, "path": given.path}, given.files
                )
                while True:
                    self._wait(peer, until)
                    peer.settimeout(max(until - time.monotonic(), 1))
                    answer, files = messages_between_processes.receive_json_with_open_files(peer)
                    if answer["do"] == "done":
                        return answer, files
                    self._answer(peer, answer, files)
            except Overreach as error:
                raise self._overreached(error) from error
            except TimeoutError as error:
                raise BadFile(
                    f"{self._name} could not be read within {self._limits.seconds} seconds.",
                    hint="Split it into parts, or allow more under [imports] in the settings.",
                ) from error
            except (EOFError, ConnectionError, ValueError, LookupError, TypeError) as error:
                raise self._broken(ended, error) from error

    def _wait(self, peer: socket.socket, until: float) -> None:
        while not select.select([peer], [], [], _TICK)[0]:
            if time.monotonic() > until:
                raise TimeoutError
            if self._progress:
                self._progress(0)

    def _answer(self, peer: socket.socket, asked: dict[str, Any], files: list[int]) -> None:
        handed: list[BinaryIO] = [os.fdopen(file, "rb") for file in files]
        do = asked["do"]
        if do == "progress":
            if self._share:
                self._share(float(asked["share"]))
            if self._progress:
                self._progress(int(asked["rows"]))
        elif do == "failed":
            self._refuse(asked)
        elif do == "too_large":
            raise self._too_large()
        elif do == "broke":
            _log.warning("%s could not be read: %s", self._name, asked["why"])
            raise BadFile(
                f"{self._name} cannot be read: {asked['told']}.", hint="Is it the right file?"
            )
        elif do in ("place", "read", "known", "append"):
            if self.pending is None:
                raise Overreach("the store")
            self._serve(peer, asked, handed)

    def _serve(self, peer: socket.socket, asked: dict[str, Any], handed: list[BinaryIO]) -> None:
        do = asked["do"]
        answer: dict[str, Any] = {}
        assert self.pending is not None
        if waiting := self.pending.tables_with_rows_that_wait - {asked.get("table")}:
            raise Overreach(f"something else amid the rows of {min(waiting)}")
        try:
            if do == "place":
                answer = {
                    "dataset": self.permissions.choose_and_return_dataset_of_rows(
                        str(asked["named"])
                    )
                }
            elif do == "append":
                answer = {"new": self._append(asked, handed)}
            else:
                found = self._read(asked, handed) if do == "read" else self._known(asked, handed)
        except MedLensError as error:
            # Some of the rows may be in the transaction: it is not kept, whatever comes next.
            self.refused = error if do == "append" else self.refused
            messages_between_processes.send_pickle_with_open_files(peer, {"error": error})
            return
        messages_between_processes.send_pickle_with_open_files(peer, answer)
        if do in ("read", "known"):
            out = messages_between_processes.SocketAsFile(peer)
            with pa.ipc.new_stream(out, found.schema) as stream:
                for batch in found:
                    stream.write_batch(batch)

    def _append(self, asked: dict[str, Any], handed: list[BinaryIO]) -> int:
        table = self.permissions.validate_and_return_permitted_table_name(asked["table"])
        required = self.permissions.required_column_values_of_rows(table)
        more = bool(asked.get("more"))
        return self.insert(table, handed[0], int(asked["count"]), **required, more=more)

    def insert(
        self, table: str, file: BinaryIO, count: int, *, more: bool = False, **required: Any
    ) -> int:
        """Insert rows, a stream of Arrow, and keep it open for a store that lies elsewhere.
        ``required`` and ``more`` are as ``PendingTransaction.insert_arrow_stream_and_count`` has
        them."""
        assert self.pending is not None
        self.opened.callback(file.close)
        new = self.pending.insert_arrow_stream_and_count(table, file, count, **required, more=more)
        files, before = self._parts.pop(table, ([], 0))
        files.append(file)
        if more:
            self._parts[table] = files, before + new
        elif before + new:
            self.files.setdefault(table, []).extend(files)
        return new

    def _read(self, asked: dict[str, Any], handed: list[BinaryIO]) -> pa.RecordBatchReader:
        assert self.pending is not None
        lookup = self.permissions.look_up_permitted_query(asked.get("lookup"))
        given: Any = asked.get("params")
        lists: dict[str, pa.Table] = {}
        for name, file in zip(asked["lists"], handed, strict=True):
            with file:
                lists[str(name)] = read_id_list_as_arrow_table(file)
        params = self.permissions.query_parameters_with_those_no_reader_chooses(
            lookup, given, lists
        )
        self.permissions.refuse_items_of_other_dataset(self.pending, lookup, given, lists)
        return self.pending.stream_query_as_arrow_batches(lookup, params, lists)

    def _known(self, asked: dict[str, Any], handed: list[BinaryIO]) -> pa.RecordBatchReader:
        assert self.pending is not None
        table = self.permissions.validate_and_return_permitted_table_name(asked["table"])
        with handed[0] as file:
            ids = read_id_list_as_arrow_table(file)
        if str(ids.schema.field("x").type) != "string":
            raise Overreach("ids that are none")
        return self.pending.stream_known_ids(table, ids)

    def _refuse(self, said: dict[str, Any]) -> None:
        kind = getattr(errors, str(said["type"]), MedLensError)
        message, hint = str(said["message"]), str(said["hint"])
        if kind is BadFile:
            raise BadFile(message, hint=hint, rows=_rows(said["rows"]))
        raise kind(message, hint=hint)

    def _overreached(self, error: Overreach) -> BadFile:
        _log.error("The reader of %s wanted what it may not: %s", self._name, error)
        return BadFile(
            f"{self._name} cannot be read: the process that tried to read it asked for something "
            f"that no file of this kind needs ({error}).",
            hint="Nothing was written. Either this file was made to do harm, so do not open it "
            "elsewhere; or its study does not declare what its imports ask and write.",
        )

    def _too_large(self) -> BadFile:
        return BadFile(
            f"{self._name} needs more than {self._limits.memory_mb:,} MB of memory to be read.",
            # Short rows take the most: a CSV of verdicts on sources 24 times its size.
            hint=f"Split it into files of some {self._limits.memory_mb // 25} MB (a CSV's first"
            f" line"
            " on top of each) and import them one after another, or allow more: memory_mb under"
            " [imports] in the settings.",
        )

    def damaged(self) -> BadFile:
        """What is said of a file on which a library gave up, with most of its memory unused: one
        that contradicts itself, or that names a length for which there is no room."""
        return BadFile(
            f"{self._name} is damaged, or needs more than {self._limits.memory_mb:,} MB of memory"
            " to be read.",
            hint="Export it again from where it came. Nothing was imported.",
        )

    def _broken(self, ended: EndedReader, error: Exception) -> BadFile:
        # Who closed the line is dying; a fault on this side leaves a reader that waits.
        closed = isinstance(error, EOFError | ConnectionError)
        peak = ended.wait_for_exit_status_and_memory_by_name(_PATIENCE if closed else 0)["peak"]
        how = ended.ending_signal_name()
        _log.warning(
            "The reader of %s ended with %s (%s), having taken %d MB",
            self._name,
            how or ended.wait_for_exit_status_and_memory_by_name()["status"],
            type(error).__name__,
            peak >> 20,
        )
        # A library that does not look whether it got memory writes to where there is none.
        full = peak > _FULL * (self._limits.memory_mb << 20)
        if how == "SIGKILL" or (full and how in ("SIGSEGV", "SIGBUS", "SIGABRT")):
            return self._too_large()
        if how == "SIGABRT":
            return self.damaged()
        if how in ("SIGALRM", "SIGXCPU"):
            return BadFile(f"{self._name} took too long to be read.", hint="Split it into parts.")
        return BadFile(
            f"{self._name} cannot be read: the process that tried to read it crashed"
            f"{f' ({how})' if how else ''}.",
            hint="Is it damaged, or far too large? Nothing was written.",
        )


class _Unpacking(_Conversation):
    """What is said with one reader about an upload of files that are kept as they are."""

    def __init__(
        self, limits: Imports, name: str, take_file: Callable[[str, bytes], object]
    ) -> None:
        super().__init__(limits, name, None, None)
        self._take_file = take_file

    def _answer(self, peer: socket.socket, asked: dict[str, Any], files: list[int]) -> None:
        if asked["do"] != "file":
            super()._answer(peer, asked, files)
            return
        with os.fdopen(files[0], "rb") as file:
            content = file.read(LARGEST + 1)
        self._take_file(str(asked["name"]), content)
        messages_between_processes.send_pickle_with_open_files(peer, {})

    def _too_large(self) -> BadFile:
        return BadFile(
            f"{self._name} needs more than {self._limits.memory_mb:,} MB of memory to be unpacked.",
            hint="Put the files into several zip files, packed in the usual way.",
        )
