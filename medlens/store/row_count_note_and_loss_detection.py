"""A note beside the store of how much it had saved, so that later losses are noticed.

DuckDB treats a truncated log as one that ends there, and a deleted log as none, so what it held is
lost in silence. After each commit the row counts of all tables are therefore noted in a small file,
``STORE.saved``. The note is not forced to disk: it may lag behind the store, but never claims more
than was durable. A store with fewer rows than its note has lost some.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from medlens.store.ids_times_and_json import utc_now

_PAGE = 512


@dataclass(frozen=True)
class Loss:
    """Rows by table that were saved by ``saved_at`` and missing at ``found_at``."""

    rows: dict[str, int]
    saved_at: str
    found_at: str

    def __str__(self) -> str:
        what = ", ".join(f"{n:,} of {table!r}" for table, n in sorted(self.rows.items()))
        n = sum(self.rows.values())
        return (
            f"{n:,} saved {'row is' if n == 1 else 'rows are'} missing ({what}), the last saved at"
            f" {self.saved_at}, when the store was opened at {self.found_at}: its log was cut,"
            " removed or replaced."
        )


class SavedRowsNote:
    """The note beside a store that this process has open. Safe to share between threads.

    ``born`` tells the store from another one at the same path; ``rows`` is what it holds now.
    ``losses`` stay in the note until somebody has dealt with them and deletes it.
    """

    def __init__(self, store: str, *, born: str, rows: Mapping[str, int]) -> None:
        self.file = Path(f"{store}.saved")
        self._lock = threading.Lock()
        self._born, self._rows = born, dict(rows)
        self._saved_at = _now()
        noted = _read(self.file)
        same = noted.get("born") == born
        self.losses = [Loss(**one) for one in noted["losses"]] if same else []
        if same:
            missing = {
                table: n - rows.get(table, 0)
                for table, n in noted["rows"].items()
                if n > rows.get(table, 0)
            }
            if missing:
                self.losses.append(Loss(missing, noted["saved_at"], _now()))
        self._handle = -1
        with contextlib.suppress(OSError):
            self._handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            os.ftruncate(self._handle, 0)
        self._write()

    def add_saved_rows(self, rows: Mapping[str, int]) -> None:
        """Note that this many more rows of each table are durable."""
        with self._lock:
            for table, n in rows.items():
                self._rows[table] = self._rows.get(table, 0) + n
            self._saved_at = _now()
            self._write()

    def begin_note_anew(self, rows: Mapping[str, int]) -> None:
        """Begin the note anew, in a new file, for a store that will hold so many rows. Until the
        store does, the note claims no more than both have.
        """
        with self._lock:
            self._rows = {table: min(n, self._rows.get(table, 0)) for table, n in rows.items()}
            if self._handle < 0:
                return
            os.close(self._handle)
            self._handle = -1
            with contextlib.suppress(OSError):
                self.file.unlink(missing_ok=True)
                flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
                self._handle = os.open(self.file, flags, 0o600)
            self._write()

    def close(self) -> None:
        """Close the note's file."""
        with self._lock:
            if self._handle >= 0:
                os.close(self._handle)
            self._handle = -1

    def _write(self) -> None:
        if self._handle < 0:
            return
        text = json.dumps(
            {
                "born": self._born,
                "saved_at": self._saved_at,
                "losses": [asdict(one) for one in self.losses],
                "rows": {table: n for table, n in self._rows.items() if n},
            }
        ).encode()
        # One call, overwriting the last note in place: numbers only grow.
        line = b"%08x %s\n" % (zlib.crc32(text), text)
        with contextlib.suppress(OSError):
            os.pwrite(self._handle, line.ljust(-(-len(line) // _PAGE) * _PAGE), 0)


def _read(file: Path) -> dict[str, Any]:
    """The note, or an empty one if there is none or it is damaged."""
    try:
        line, _, _ = file.read_bytes().partition(b"\n")
    except OSError:
        return {}
    check, _, text = line.partition(b" ")
    if check != b"%08x" % zlib.crc32(text):
        return {}
    noted: dict[str, Any] = json.loads(text)
    return noted


def _now() -> str:
    return f"{utc_now():%Y-%m-%d %H:%M:%S} UTC"
