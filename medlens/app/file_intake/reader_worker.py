"""Processes that read files, so that a hostile file costs one of them and nothing else.

``python -m medlens.app.file_intake.reader_worker`` loads all that reading needs, once, and makes
from itself a process for each file: it never opens a store and runs no thread, so that this is
safe, and quick. It gets no environment (and so no key). It ends when the app does, however that
ended, and its readers with it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

import duckdb
import numpy as np  # noqa: F401  once, for all readers
import pandas as pd  # noqa: F401  once, for all readers
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.dataset  # or DuckDB would import it, in each reader
import pyarrow.json
import pyarrow.parquet
import scipy  # noqa: F401  once, for all readers
from PIL import Image  # noqa: F401  once, for all readers

from medlens import confined_process, landlock
from medlens.app.file_intake import (
    file_kind_guess_and_first_row_preview,
    messages_between_processes,
)
from medlens.app.file_intake.store_proxy_in_reader import (
    StoreProxy,
    memory_duckdb_connection_for_frames,
)
from medlens.config.settings import Settings
from medlens.config.shipped_and_home_folders import IMPORTED_FROM, SHIPPED
from medlens.errors import BadFile, InvalidInput, MedLensError
from medlens.review import further_columns_of_imported_items
from medlens.review.undo_imports import make_row_of_items_added_by_import
from medlens.studies import registry
from medlens.studies.installed_studies_and_bridges import register_installed_studies_and_list_faults
from medlens.studies.own.attached_files import iterate_attached_file_names_and_contents
from medlens.studies.own.bridge_registry import TOOLS, import_bridge_modules
from medlens.studies.own.detect_model_answer_columns import is_name_of_writer
from medlens.studies.own.find_and_replace_patient_identifiers import (
    Place,
    find_identifiers_in_rows,
    find_identifiers_in_text_table,
)
from medlens.studies.own.recognise_model_names import (
    names_of_well_known_models_by_row_in_each_column,
)
from medlens.studies.own.texts_damaged_or_of_several_models import (
    Damage,
    damage_behind_first_rows_in_words,
    damaged_texts_by_place_by_kind_of_damage,
)
from medlens.studies.tagging.study_in_dataset import TaggingSettings, open_study
from medlens.studies.tagging.tasks import STUDY as TAGGING
from medlens.studies.tagging.taxonomy import load_taxonomy
from medlens.tables import Report, Request, iterate_rows_of_table_file
from medlens.tables.check_rows_and_list_refused import bad_rows_suffix_and_text
from medlens.tables.column_reader import Held, read_columns_as_arrow_table
from medlens.tables.csv_line_writer import format_csv_line
from medlens.tables.csv_table_extraction import LARGEST, write_arranged_csv_and_return_layout
from medlens.tables.evaluation_logs import REQUESTS_ELSEWHERE
from medlens.tables.file_kind_and_lines import (
    READ_AS_SUCH,
    has_utf16_byte_order_mark,
    recognise_kind_of_file,
    shorten_value,
    write_file_converted_to_utf8,
)
from medlens.tables.html_and_xml_table_saved_as_xls import (
    LARGEST_PAGE,
    WIDEST,
    begins_as_web_page,
    declared_encoding,
    largest_table,
)
from medlens.tables.join_batch_requests import REQUESTS_JOINED
from medlens.tables.join_tables_of_models import join_tables_of_models
from medlens.tables.refuse_conversation_given_as_table import (
    require_table_and_no_conversation,
    require_table_and_no_running_text,
)
from medlens.tables.row_reader import MissingColumns
from medlens.tables.table_place_and_header_in_sheet import MOST_ABOVE
from medlens.tables.text_encoding_detection import guess_encoding_and_its_description, is_utf8
from medlens.tables.turns_to_dialogues import find_objects_with_turns_gathered_and_note, may_be_turn
from medlens.tables.workbook_sheet_to_csv_with_notes import (
    is_workbook,
    write_sheet_as_csv_and_return_notes,
)

_OFTEN = 0.2
_TICK = 0.01
_MOST_ROWS = 1_000
_MOST_NOTES, _LONGEST_NOTE = 200, 1_000
_MOST_NAMES = 50
_ENOUGH_PLACES, _FEWEST_PLACES = 2_000, 200
"""Places with what may identify a patient from which on no more are looked for, in all columns and
at least in each: a person decides on all alike, and whatever becomes of them is done to each row
when it is added.
"""
_MOST_SHOWN = 4 << 20
_BATCH = 5_000
_MOST_SHEETS = 200
_PIECE = _BEGINNING = 1 << 20
_OF_SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"),
    *("/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom", "/proc/self"),
    *("/proc/meminfo", "/proc/cpuinfo", "/sys/devices/system/cpu", "/sys/fs/cgroup"),
)
"""What Python and its libraries may read of the system, some of it only when it is first used."""
_OF_DATA = ("biases", "demo", "designs", "forms", "guidelines", "own", "published", "taxonomies")
"""The folders that MedLens ships in ``data``, where in a checkout the store is too."""
UNFORESEEN = "something in it is not as MedLens expects"
"""What is told of a fault that nobody foresaw; the log has it in a programmer's words."""


def fork_readers_on_request(control: socket.socket) -> NoReturn:
    """Make a reader for each ``begin`` until the app is gone; ``end`` ends one and says how."""
    # It ends with the app, which is told to stop by the same signals.
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)
    memory_duckdb_connection_for_frames()
    import_bridge_modules()
    register_installed_studies_and_list_faults()
    gc.collect()
    gc.freeze()
    living: dict[int, str] = {}
    with contextlib.suppress(EOFError, OSError):
        while True:
            message, files = messages_between_processes.receive_dict_and_file_descriptors(control)
            if message["do"] == "begin":
                folder = _make_folder()
                pid = os.fork()
                if not pid:
                    control.close()
                    _be_a_reader(socket.socket(fileno=files[0]), folder)
                living[pid] = folder
                messages_between_processes.send_pickle_with_open_files(control, {"pid": pid})
            elif message["pid"] in living:
                folder = living.pop(message["pid"])
                how = _end(message["pid"], message["patience"])
                shutil.rmtree(folder, ignore_errors=True)
                messages_between_processes.send_pickle_with_open_files(control, how)
            for file in files:
                os.close(file)
    for pid, folder in living.items():
        _end(pid)
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def _make_folder() -> str:
    """A folder for the temporary files of one reader, in which no other finds them; the usual one
    where none can be made.
    """
    try:
        return tempfile.mkdtemp(prefix="medlens-reader-")
    except OSError:
        return ""


def _held_now() -> int:
    """The bytes that this process holds now: what a reader made of it begins with."""
    with contextlib.suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * resource.getpagesize()
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _end(pid: int, patience: float = 0) -> dict[str, int]:
    """End a reader that does not end by itself within ``patience`` seconds.

    Its ``status`` is as ``os.waitpid`` says it, -1 when it was ended; ``peak`` is the most memory
    in bytes that it held, beyond what it began with.
    """
    until = time.monotonic() + patience
    while True:
        gone, status, used = os.wait4(pid, os.WNOHANG)
        if gone:
            unit = 1 if sys.platform == "darwin" else 1024
            return {"status": status, "peak": max(used.ru_maxrss * unit - _held_now(), 0)}
        if time.monotonic() >= until:
            break
        time.sleep(_TICK)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return {"status": -1, "peak": 0}


def _be_a_reader(peer: socket.socket, folder: str) -> NoReturn:
    # It reads one file and ends: whatever goes round in circles goes with it.
    gc.disable()
    if folder:
        tempfile.tempdir = folder
    try:
        _read(peer)
    finally:
        os._exit(0)


def _read(peer: socket.socket) -> None:
    order, files = messages_between_processes.receive_dict_and_file_descriptors(peer)
    # Whoever takes it over finds no store to read, and nobody to tell.
    landlock.restrict_thread_to_files_if_supported(
        [*_files_of_python(), *_files_of_order(order), *files], [tempfile.gettempdir()]
    )
    confined_process.limit_memory(order["memory"], beyond=True)
    # Should the app's own clock fail with it, the system's ends the process.
    signal.alarm(int(order["seconds"]) + 5)
    carry_out_reading_order_and_send_result(order, files, peer)


def _files_of_python() -> Iterator[str]:
    """Folders and files with the code that a reader may still have to load, and what it reads
    itself; never the folder of a checkout, where the store is.
    """
    yield from (sys.prefix, sys.base_prefix, *_OF_SYSTEM)
    if SHIPPED != IMPORTED_FROM:
        yield str(IMPORTED_FROM)
    yield from (str(IMPORTED_FROM / "medlens"), *(str(SHIPPED / "data" / one) for one in _OF_DATA))
    yield from (one for one in sys.path if not IMPORTED_FROM.is_relative_to(Path(one).resolve()))


def _files_of_order(order: Mapping[str, Any]) -> Iterator[str]:
    """The file to be read, if it is not open already, and what the settings name for its kind."""
    if order.get("path"):
        yield order["path"]
    settings: Settings | None = order.get("settings")
    if settings is not None:
        tagging = settings.of(TaggingSettings)
        yield from (str(tagging.taxonomy), str(tagging.forms))
        declared = registry.STUDIES[registry.study_name_of_file_kind(order["kind"])]
        if (folder := declared.attached_folder(settings, "")) is not None:
            yield str(folder)


def carry_out_reading_order_and_send_result(
    order: dict[str, Any], files: Sequence[int], peer: socket.socket
) -> None:
    """Look at a file or read it into rows, and say what came of it."""
    try:
        if order["do"] == "convert":
            answer, beside = _convert(order, files)
        elif order["do"] == "join":
            answer, beside = _join(order, files)
        elif order["do"] == "unpack":
            answer, beside = _unpack(order, files, peer), []
        else:
            answer, beside = _read_table(order, files, peer)
        messages_between_processes.send_json_with_open_files(
            peer, {"do": "done", **answer}, [file.fileno() for file in beside]
        )
    except MedLensError as error:
        rows = error.rows if isinstance(error, BadFile) else ()
        messages_between_processes.send_json_with_open_files(
            peer,
            {
                "do": "failed",
                "type": type(error).__name__,
                "message": error.message,
                "hint": error.hint,
                "rows": [vars(row) for row in rows[:_MOST_ROWS]],
            },
        )
    except (MemoryError, duckdb.OutOfMemoryException):
        gc.collect()
        messages_between_processes.send_json_with_open_files(peer, {"do": "too_large"})
    except OSError as error:
        said = f"{error.strerror or error}"[:_LONGEST_NOTE]
        messages_between_processes.send_json_with_open_files(
            peer, {"do": "broke", "why": said, "told": said}
        )
    except Exception as error:  # noqa: BLE001  (whatever a file makes of its reader, it is said)
        if isinstance(error, pa.ArrowException) and "Wrapping " in str(error):
            # Arrow's words for a text that Python has no memory for.
            messages_between_processes.send_json_with_open_files(peer, {"do": "too_large"})
            return
        why = f"{type(error).__name__}: {error}"[:_LONGEST_NOTE]
        messages_between_processes.send_json_with_open_files(
            peer, {"do": "broke", "why": why, "told": UNFORESEEN}
        )


def _read_table(
    order: dict[str, Any], files: Sequence[int], peer: socket.socket
) -> tuple[dict[str, Any], list[BinaryIO]]:
    do = _look if order["do"] == "look" else _take
    path = _with_table_laid_out(order, order["path"] or f"/dev/fd/{files[0]}")
    try:
        answer, beside = do(order, path, peer)
        if order.get("rewritten"):
            # The table as it is kept here is not in the file's own format.
            answer["notes"] = [one for one in answer["notes"] if not one.endswith(READ_AS_SUCH)]
        return answer, beside
    except MissingColumns as error:
        hint = error.hint
        if order["do"] != "look" and order["kind"] == "own-items" and order["read"]:
            hint = (
                f"{hint} The table was read like this: {' '.join(order['read'])[:_LONGEST_NOTE]} "
                "If the study was made from this table earlier, when it was read differently, "
                "make a new study from it, or name its columns in the study's file as they are "
                "called now."
            )
        raise BadFile(error.message, hint=hint) from error


def _with_table_laid_out(order: dict[str, Any], path: str) -> str:
    """The path at which a file's table is read, without what stands around it, in UTF-8; what is
    known of its layout goes into the order.
    """
    order["layout"] = {}
    sheet, order["read"] = _in_csv(path, order)
    if sheet:
        path = f"/dev/fd/{sheet}"
    elif page := _table_of_web_page(path, order):
        path = order["whole"] = f"/dev/fd/{page}"
        if arranged := _arranged(path, order):
            path, order["arranged"] = f"/dev/fd/{arranged}", True
        _require_place_was_used(order)
    else:
        encoding = order["encoding"]
        if not encoding and not order.get("most") and has_utf16_byte_order_mark(path):
            encoding = "utf-16"
            order["read"] = [f"{order['name']} is in UTF-16, and was read as that."]
        elif not encoding and not order.get("most"):
            with open(path, "rb") as file:
                beginning = file.read(_BEGINNING)
            encoding, words = guess_encoding_and_its_description(beginning)
            written = not beginning.startswith(b"PAR1")
            order["recoded"] = bool(encoding) or (written and not is_utf8(beginning))
            if encoding:
                order["read"] = [
                    f"{order['name']} is not in UTF-8: it was read as {words}. If letters look"
                    " wrong, save it as CSV UTF-8, and use that."
                ]
        if encoding:
            path = f"/dev/fd/{_in_utf8(path, encoding, order['name'])}"
        order["whole"] = path
        if arranged := _arranged(path, order):
            path, order["arranged"] = f"/dev/fd/{arranged}", True
        _require_place_was_used(order)
    return path


def _require_place_was_used(order: Mapping[str, Any]) -> None:
    """Refuse a sheet or a row of headings that a person named for a file which has none to choose.

    Raises:
        InvalidInput: there was one, and it would have been passed over in silence.
    """
    if sheet := order.get("sheet"):
        raise InvalidInput(
            f"{order['name']} is not a workbook, so it has no sheet {sheet!r}.",
            hint="Name no sheet, or choose the workbook.",
        )
    if order.get("header") and not order["layout"]:
        raise InvalidInput(
            f"The row of the headings cannot be chosen in {order['name']}.",
            hint="Delete everything above the headings, and name no row.",
        )


def _convert(order: dict[str, Any], files: Sequence[int]) -> tuple[dict[str, Any], list[BinaryIO]]:
    """A project of another tool as a study's file, and its items and judgments as JSON lines."""
    contents = [Path(f"/dev/fd/{file}").read_bytes() for file in files]
    made = TOOLS[order["tool"]].convert(order["title"], *contents)
    # Without a kind a rater is a person, as in a file of judgments.
    given = {(one.get("rater_kind") or "person", one["rater"]) for one in made.judgments}
    raters = Counter(kind for kind, _ in given)
    return {
        "study": made.study,
        "notes": [note[:_LONGEST_NOTE] for note in made.notes[:_MOST_NOTES]],
        "rows": _shown(made.items),
        "counts": {"items": len(made.items), "judgments": len(made.judgments), **raters},
    }, [_kept(_json_lines(made.items)), _kept(_json_lines(made.judgments))]


def _join(order: dict[str, Any], files: Sequence[int]) -> tuple[dict[str, Any], list[BinaryIO]]:
    """Several files with the answers of a model each as one table, in JSON lines."""
    tables = []
    notes: list[str] = []
    for name, file in zip(order["names"], files, strict=True):
        # As an import of items would read it, to its end.
        own = {**order, "do": "take", "kind": "own-items", "name": name}
        path = _with_table_laid_out(own, f"/dev/fd/{file}")
        notes += own["read"]
        unread: list[str] = []
        with open(path, "rb") as source:
            rows = file_kind_guess_and_first_row_preview.read_first_rows(
                source,
                name,
                most=_MOST_JOINED + 1,
                unread=unread,
                notes=notes,
                # Requests are found by all of it; the join takes the model out.
                whole_names=True,
            )
        if unread:
            raise BadFile(f"Not every row of {name} can be read. {unread[0]}")
        if len(rows) > _MOST_JOINED:
            raise BadFile(f"{name} has more than {_MOST_JOINED:,} rows, too many to be joined.")
        tables.append((name, rows))
    joined = join_tables_of_models(tables)
    if any(REQUESTS_JOINED in note for note in joined.notes):
        notes = [note for note in notes if not note.endswith(REQUESTS_ELSEWHERE)]
    notes = [*joined.notes, *notes]
    return {
        "notes": [note[:_LONGEST_NOTE] for note in notes[:_MOST_NOTES]],
        "called": joined.called[:_LONGEST_NOTE],
    }, [_kept(_json_lines(joined.rows))]


def _unpack(order: dict[str, Any], files: Sequence[int], peer: socket.socket) -> dict[str, Any]:
    """Hand the files of an upload over, each as an open file; the app answers before the next."""
    path = Path(order["path"] or f"/dev/fd/{files[0]}")
    refused: list[str] = []
    for name, content in iterate_attached_file_names_and_contents(order["name"], path, refused):
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            file.seek(0)
            messages_between_processes.send_json_with_open_files(
                peer, {"do": "file", "name": name[:_LONGEST_NOTE]}, [file.fileno()]
            )
        messages_between_processes.receive_dict_and_file_descriptors(peer)
    return {"refused": [why[:_LONGEST_NOTE] for why in refused[:_MOST_ROWS]]}


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return (json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)


_MOST_QUESTIONS, _LONGEST_QUESTION = 400, 1000
_MOST_JOINED = 100_000
"""Rows of a file that are held to be joined with another file's."""


def _in_csv(path: str, order: dict[str, Any]) -> tuple[int, list[str]]:
    """An open file without a name of a workbook's sheet as CSV, and what is said of it; 0 for what
    is no workbook. What is known of its layout goes into the order.

    Raises:
        BadFile, InvalidInput: as ``write_sheet_as_csv_and_return_notes``.
    """
    with open(path, "rb") as source:
        if not is_workbook(source):
            return 0, []
        with tempfile.TemporaryFile() as made:
            read = write_sheet_as_csv_and_return_notes(
                *(source, made),
                name=order["name"],
                sheet=order.get("sheet", ""),
                header=order.get("header", 0),
                of_items=_may_be_items(order),
                is_model=is_name_of_writer,
            )
            made.flush()
            order["layout"] = {
                "sheets": read.sheets[:_MOST_SHEETS],
                "sheet": read.sheet,
                "header": read.header,
                "top": _top(read.top),
            }
            return os.dup(made.fileno()), read.notes


def _table_of_web_page(path: str, order: dict[str, Any]) -> int:
    """An open file without a name of the table of a web page as CSV; 0 for what is none, or has no
    table. What is said of it goes into the order.
    """
    name = order["name"]
    if not _may_be_items(order) or os.stat(path).st_size > LARGEST_PAGE:
        return 0
    with open(path, "rb") as file:
        if not begins_as_web_page(file.read(_PIECE)):
            return 0
        file.seek(0)
        content = file.read()
    text, told = _text_of_web_page(content, order["encoding"])
    table = largest_table(text)
    if table is None:
        return 0
    of_several = f", of which the largest of {table.tables:,} was read" * (table.tables > 1)
    order["read"] = [
        f"{name}: this is a web page with a table, as some programs write for Excel{of_several}.",
        *(f"{name}: {one}" for one in told),
    ]
    if table.filled:
        order["read"].append(
            f"{name}: merged cells are filled down, {table.filled:,} cells below the first."
        )
    if table.hidden:
        are = "1 row is" if table.hidden == 1 else f"{table.hidden:,} rows are"
        order["read"].append(
            f"{name}: {are} hidden in the table, and read like the others. Delete what is not"
            " meant."
        )
    if table.comments:
        are = "comment on a cell is" if table.comments == 1 else "comments on cells are"
        order["read"].append(f"{name}: {table.comments:,} {are} left out.")
    if table.cut:
        are = "1 cell is" if table.cut == 1 else f"{table.cut:,} cells are"
        order["read"].append(f"{name}: {are} left out, beyond the table's column {WIDEST:,}.")
    with _kept(map(format_csv_line, table.rows)) as kept:
        return os.dup(kept.fileno())


def _text_of_web_page(content: bytes, chosen: str) -> tuple[str, list[str]]:
    """A page in the encoding that somebody chose, else in the one that it says it has; in the one
    that its bytes are in if they are not in that. With what is to be said of it.
    """
    said = chosen or declared_encoding(content)
    # As browsers do: who says Latin-1 mostly writes Windows-1252, which has more characters.
    meant = "cp1252" if said.lower() in ("iso-8859-1", "latin1", "us-ascii", "ascii") else said
    for encoding in (meant, guess_encoding_and_its_description(content)[0], "utf-8-sig", "cp1252"):
        if not encoding:
            continue
        # UnicodeError: of encodings that are none of texts, such as those of addresses, too.
        with contextlib.suppress(LookupError, UnicodeError):
            text = content.decode(encoding).removeprefix("\ufeff")
            if not said or encoding == meant:
                return text, []
            read = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}.get(encoding, encoding)
            return text, [f"the encoding {said!r} does not fit, read as {read}."]
    text = content.decode("utf-8-sig", "replace").removeprefix("\ufeff")
    count = text.count("\ufffd")
    are = "1 character" if count == 1 else f"{count:,} characters"
    return text, [f"{are} could not be read in any encoding, and � stands for each."]


def _arranged(path: str, order: dict[str, Any]) -> int:
    """An open file without a name of a CSV file's table, without what stands around it; 0 if the
    file is read as it is. Of files that a program writes nothing is left out.
    """
    if not _may_be_items(order):
        return 0
    with open(path, "rb") as source, tempfile.TemporaryFile() as made:
        try:
            kind = recognise_kind_of_file(source, order["name"], [])
        except BadFile:
            return 0
        if kind != "csv":
            return _conversations_of_turns(path, order)
        beginning = source.read(_BEGINNING).decode("utf-8", "replace")
        source.seek(0)
        require_table_and_no_conversation(beginning, order["name"])
        require_table_and_no_running_text(beginning, order["name"])
        # A file that is only looked at is read no further than it is shown.
        shown = order["do"] == "look" and not order["most"]
        read = write_arranged_csv_and_return_layout(
            *(source, made),
            name=order["name"],
            header=order.get("header", 0),
            most=_MOST_ROWS + MOST_ABOVE + 1 if shown else 0,
            is_model=is_name_of_writer,
        )
        if read is None:
            return 0
        order["read"] += read.notes
        order["layout"] = {
            "header": read.header,
            "top": _top(read.top),
            "questions": {
                name: said[:_LONGEST_QUESTION]
                for name, said in islice(read.questions.items(), _MOST_QUESTIONS)
            },
        }
        order["cut"] = read.cut
        made.flush()
        return os.dup(made.fileno()) if read.changed else 0


def _conversations_of_turns(path: str, order: dict[str, Any]) -> int:
    """An open file without a name of the conversations of a file that has an object for each turn;
    0 for any other file.
    """
    name = order["name"]
    if os.stat(path).st_size > LARGEST:
        return 0
    with contextlib.suppress(BadFile):
        first = next(iter(iterate_rows_of_table_file(path, name=name)), None)
        if first is None or not may_be_turn(first.values):
            return 0
        rows = [
            row.values
            for row in islice(iterate_rows_of_table_file(path, name=name), _MOST_JOINED + 1)
        ]
        if len(rows) <= _MOST_JOINED and (
            gathered := find_objects_with_turns_gathered_and_note(rows)
        ):
            made, said = gathered
            order["read"].append(f"{name}: {said}")
            order["rewritten"] = True
            with _kept(_json_lines(made)) as kept:
                return os.dup(kept.fileno())
    return 0


def _may_be_items(order: Mapping[str, Any]) -> bool:
    """Whether a file is, or may become, the items of a person's own study."""
    return bool(order["do"] == "look" or order["kind"] == "own-items")


def _top(rows: Sequence[tuple[int, Sequence[str]]]) -> list[tuple[int, str]]:
    """The first rows in words, to point at the header."""
    return [
        (number, shorten_value(" | ".join(filter(None, map(str.strip, cells)))))
        for number, cells in rows
    ]


def _in_utf8(path: str, encoding: str, name: str) -> int:
    """A file of a file's texts in UTF-8, without a name and open for as long as its reader lives.

    Raises:
        BadFile, InvalidInput: as ``recoded``.
    """
    with open(path, "rb") as source, tempfile.TemporaryFile() as made:
        write_file_converted_to_utf8(source, made, encoding=encoding, name=name)
        made.flush()
        return os.dup(made.fileno())


def _look(
    order: dict[str, Any], path: str, peer: socket.socket
) -> tuple[dict[str, Any], list[BinaryIO]]:
    """What a file says of itself: its columns, its study, its dataset, its first rows."""
    if order["most"]:
        _require_short(path, order["name"], order["most"])
    with open(path, "rb") as file:
        columns = file_kind_guess_and_first_row_preview.read_column_names(file, order["name"])
        unread: list[str] = []
        notes = order["read"]
        lines: list[int] = []
        rows = file_kind_guess_and_first_row_preview.read_first_rows(
            *(file, order["name"]), most=_MOST_ROWS, unread=unread, notes=notes, lines=lines
        )
    if rows and unread:
        notes.append(f"Not every row can be read. {unread[0]}")
    first, shown = rows[0] if rows else {}, _shown(rows)
    more = len(shown) < len(rows) or len(rows) == _MOST_ROWS or order.get("cut", False)
    places: list[Place] = []
    naming: dict[str, tuple[list[str], list[int]]] = {}
    looked_at = len(shown)
    if more and order.get("identifiers"):
        places, looked_at = _look_beyond(len(shown), path, columns, order, naming)
    return {
        "columns": [column[:_LONGEST_NOTE] for column in columns[:_MOST_ROWS]],
        "study": str(first.get("study") or "")[:_LONGEST_NOTE],
        "dataset": file_kind_guess_and_first_row_preview.dataset_named_in_row(first)[
            :_LONGEST_NOTE
        ],
        "rows": shown,
        "lines": lines[: len(shown)],
        "more": more,
        "identifying": [
            [one.row, one.column, one.kind, one.text[:_LONGEST_NOTE]] for one in places[:_MOST_ROWS]
        ],
        "naming": [
            [column[:_LONGEST_NOTE], names[:_MOST_NAMES], rows[:_MOST_ROWS]]
            for column, (names, rows) in naming.items()
        ],
        "identifying_more": max(len(places) - _MOST_ROWS, 0),
        "identifying_stopped": max(Counter(one.column for one in places).values(), default=0)
        >= _enough_places(columns),
        "looked_at": looked_at,
        "notes": [note[:_LONGEST_NOTE] for note in notes],
        "unread": "" if rows else "".join(unread)[:_LONGEST_NOTE],
        "layout": {**order["layout"], "recoded": order.get("recoded", False)},
    }, []


def _enough_places(columns: Sequence[str]) -> int:
    """How many places of one of a file's columns are enough."""
    return max(_ENOUGH_PLACES // max(len(columns), 1), _FEWEST_PLACES)


def _look_beyond(
    first: int,
    path: str,
    columns: Sequence[str],
    order: Mapping[str, Any],
    naming: dict[str, tuple[list[str], list[int]]],
) -> tuple[list[Place], int]:
    """What may identify a patient in the rows of a file behind the ``first``, and how many rows
    were looked at in all. For each column that names models there, ``naming`` gets their names and
    the rows; what is told of damaged texts is added to what the ``order`` has read.
    """
    damaged: dict[tuple[Damage, str], tuple[list[int], str]] = {}

    def add_damage(column: str, found: Mapping[Damage, Mapping[int, str]], before: int) -> None:
        for kind, texts in found.items():
            rows, _ = damaged.setdefault((kind, column), ([], next(iter(texts.values()))))
            rows += [before + at + 1 for at in texts]

    def tell_damage() -> None:
        order["read"].extend(
            damage_behind_first_rows_in_words(kind, column, rows, text, first)
            for (kind, column), (rows, text) in damaged.items()
        )

    def add_names(column: str, named: Mapping[int, Sequence[str]], before: int) -> None:
        for at, names in named.items():
            known, rows = naming.setdefault(column, ([], []))
            known += [name for name in names if name not in known]
            rows.append(before + at + 1)

    name = order["name"]
    if order.get("arranged"):
        # Of a file that is looked at only the beginning was.
        whole = {**order, "most": 1, "read": [], "layout": {}}
        arranged = _arranged(order["whole"], whole)
        path = f"/dev/fd/{arranged}" if arranged else order["whole"]
    with open(path, "rb") as file:
        tabular = recognise_kind_of_file(file, name, []) in ("csv", "parquet")
    # A record of JSON may have what the first has not.
    kinds: dict[str, Held] = dict.fromkeys(columns, "text")
    table = (
        read_columns_as_arrow_table(path, kinds, name=name, required=columns) if tabular else None
    )
    if table is not None:
        behind = table.slice(first)
        with ThreadPoolExecutor() as threads:
            names = threads.submit(names_of_well_known_models_by_row_in_each_column, behind.columns)
            found = find_identifiers_in_text_table(
                behind, before=first, enough=_enough_places(columns)
            )
            for column, faults in zip(
                behind.column_names,
                threads.map(
                    damaged_texts_by_place_by_kind_of_damage, behind.columns, behind.column_names
                ),
                strict=True,
            ):
                add_damage(column, faults, first)
            for column, named in zip(behind.column_names, names.result(), strict=True):
                add_names(column, named, first)
        tell_damage()
        return found, len(table)
    places: list[Place] = []
    at = first
    rows = islice(
        iterate_rows_of_table_file(path, name=name, refuse=lambda row, why: None), first, None
    )
    while batch := [row.values for row in islice(rows, _BATCH)]:
        places += [replace(one, row=one.row + at) for one in find_identifiers_in_rows(batch)]
        for column in dict.fromkeys(name for row in batch for name in row):
            texts = [str(row.get(column) or "").encode("utf-8", "replace") for row in batch]
            array = pa.array(texts, pa.large_binary()).cast(pa.large_string())
            [named] = names_of_well_known_models_by_row_in_each_column([array])
            add_names(column, named, at)
            add_damage(column, damaged_texts_by_place_by_kind_of_damage(array, column), at)
        at += len(batch)
    tell_damage()
    return places, at


def _shown(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The first rows, as many as are not too large to be looked at."""
    most = _MOST_ROWS
    while most and len(said := json.dumps(rows[:most], default=str)) > _MOST_SHOWN:
        most = min(most, len(rows)) // 2
    return json.loads(said) if most else []


def _require_short(path: str, name: str, most: int) -> None:
    """Read a file to its end.

    Raises:
        BadFile: it cannot be read, or its rows come to more than ``most`` megabytes.
    """
    left = most << 20
    for row in iterate_rows_of_table_file(path, name=name, refuse=lambda row, why: None):
        left -= len(str(row.values))
        if left < 0:
            raise BadFile(
                f"{name} has more than {most} MB once unpacked.", hint="Split it into parts."
            )


def _take(
    order: dict[str, Any], path: str, peer: socket.socket
) -> tuple[dict[str, Any], list[BinaryIO]]:
    """Read a file into rows, which the app inserts."""
    kind, name = order["kind"], order["name"]
    declared = registry.STUDIES[registry.study_name_of_file_kind(kind)]
    store = StoreProxy(peer, order["columns"], order["versions"], declared.name)
    dataset = store.choose_and_return_dataset_of_rows(
        "" if order["dataset"] else _own_dataset(path, name)
    )
    request = Request(
        path,
        name,
        dataset,
        label=order["label"],
        skip_bad=order["skip_bad"],
        progress=_telling(peer, path),
        revising=order["revising"],
    )
    opened = declared.open(store, order["settings"], dataset)
    further = further_columns_of_imported_items.FurtherColumns(declared.imports[kind], opened)
    report = declared.imports[kind].read(
        store, opened, replace(request, on_row=further.keep_further_cells_of_row)
    )
    more = further.store_and_return_notes(store, study=declared.name, request=request)
    report = replace(report, notes=(*report.notes, *more))
    if report.items:
        store.append(
            "import_items", make_row_of_items_added_by_import(order["entry"], report.items)
        )
    answer = {
        "called": report.noun_for_added_things,
        "added": report.added,
        "known": report.known,
        "refused": len(report.refused),
        "notes": [*order["read"], *_notes(report)],
        "ending": "",
        "rows": [vars(one.problem) for one in report.refused[:_MOST_ROWS]],
        "head": [],
        "compared": vars(report.compared) if report.compared else {},
    }
    if order["head"]:
        # Another study's files have no labels, and may not ask what those of a dataset are.
        taxonomy = (
            open_study(store, order["settings"], dataset).taxonomy
            if declared.name == TAGGING
            else load_taxonomy(order["settings"].of(TaggingSettings).taxonomy)
        )
        with open(path, "rb") as file, contextlib.suppress(MedLensError):
            shown = file_kind_guess_and_first_row_preview.preview_table_of_first_rows_as_kind(
                file, name, kind, taxonomy
            )
            answer["head"] = shown.astype(str).to_dict("records")
    beside: list[BinaryIO] = []
    if report.refused:
        answer["ending"], text = bad_rows_suffix_and_text(report.refused)
        beside.append(_kept(text[at : at + _PIECE] for at in range(0, len(text), _PIECE)))
    return answer, beside


def _kept(pieces: Iterable[str]) -> BinaryIO:
    """A file without a name of these texts, open at its beginning."""
    kept: Any = tempfile.TemporaryFile()  # noqa: SIM115  (it goes with the answer)
    for piece in pieces:
        # What no text can hold is refused by its line where the file is read.
        kept.write(piece.encode("utf-8", "surrogatepass"))
    kept.flush()
    kept.seek(0)
    return cast(BinaryIO, kept)


def _notes(report: Report) -> list[str]:
    return [note[:_LONGEST_NOTE] for note in report.notes[:_MOST_NOTES]]


def _own_dataset(path: str, name: str) -> str:
    """The dataset that a file's rows name, or an empty text.

    Raises:
        InvalidInput: they name several.
    """
    with open(path, "rb") as file:
        named = file_kind_guess_and_first_row_preview.datasets_named_in_file(file, name)
    if len(named) > 1:
        listed = ", ".join(map(repr, named[:3]))
        raise InvalidInput(
            f"The rows belong to {len(named)} datasets ({listed}).",
            hint="Name the one to import into (--dataset), or import them one at a time.",
        )
    return named[0] if named else ""


def _telling(peer: socket.socket, path: str) -> Callable[[int], None]:
    """A function that tells the app how many rows were read, and how much of the file, at times."""
    rows, last = 0, time.monotonic()

    def told(more: int) -> None:
        nonlocal rows, last
        rows += more
        if time.monotonic() - last > _OFTEN:
            messages_between_processes.send_json_with_open_files(
                peer, {"do": "progress", "rows": rows, "share": _share(path)}
            )
            rows, last = 0, time.monotonic()

    return told


def _share(path: str) -> float:
    """How far the file has been read by whoever has it open here."""
    wanted = os.stat(path)
    farthest = 0
    for number in os.listdir("/dev/fd"):
        with contextlib.suppress(OSError, ValueError):
            if os.path.samestat(os.fstat(int(number)), wanted):
                farthest = max(farthest, os.lseek(int(number), 0, os.SEEK_CUR))
    return farthest / max(wanted.st_size, 1)


if __name__ == "__main__":
    pa.set_cpu_count(max(1, (os.cpu_count() or 2) - 1))
    fork_readers_on_request(socket.socket(fileno=0))
