"""The walks of docs/architecture.md, counted: which files of MedLens one mark, one row of a CSV
file and one verdict enter. ``python -m tests.bench.walks`` prints them.

A file is entered when a function of it is called; loading it does not count, and each walk is
walked once before, so that what is only done the first time does not count either.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from medlens.app import work_behind_commands
from medlens.config.settings import load_settings
from medlens.review import assignment, judging, raters
from medlens.review.tasks import HandOut
from medlens.store import new_id, open_store
from medlens.studies.own import study
from medlens.studies.own.study_file import path_of_template
from medlens.studies.sourcecheckup import study_in_dataset as sourcecheckup
from medlens.studies.sourcecheckup.figures import FIGURES
from medlens.ui.server import serve_streamlit
from tests.bench import material, serving
from tests.bench.session import Session
from tests.near import nearby

_MARKS = 5
PACKAGE = serving.REPO / "medlens"


class Entered:
    """The files entered while it is on, in all threads but those that begin with ``walker``."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.on = False
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if self.on and event == "call" and frame.f_code.co_name != "<module>":
            name = frame.f_code.co_filename
            if name.startswith(str(PACKAGE)) and threading.current_thread().name != "walker":
                self.files.add(name[len(str(PACKAGE)) + 1 :])

    @contextlib.contextmanager
    def walk(self) -> Iterator[set[str]]:
        """What is entered within."""
        self.files = set()
        self.on = True
        try:
            yield self.files
        finally:
            self.on = False


def walk_mark(entered: Entered, folder: Path) -> set[str]:
    """A mark on the tagging desk, from the browser's message to the answer that it is saved."""
    store = folder / "marks.duckdb"
    [person] = material.make_store(store)
    port = serving._free_port()
    os.environ["MEDLENS_STORE"] = str(store)
    files: set[str] = set()

    async def visit() -> None:
        session = Session(f"http://localhost:{port}", person)
        await session.open()
        await session.mark()
        # Now and then the server does something else too: what every mark enters counts.
        marks = []
        for _ in range(_MARKS):
            with entered.walk() as entered_by_mark:
                await session.mark()
            marks.append(entered_by_mark)
        files.update(set.intersection(*marks))
        await session.close()

    def walker(_: str) -> None:
        def work() -> None:
            try:
                asyncio.run(visit())
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=work, name="walker").start()

    serve_streamlit(load_settings(), port=port, on_ready=walker)
    return files


def walk_row(entered: Entered, folder: Path) -> set[str]:
    """A row of a CSV file of a study of one's own, from the file to the stored item."""
    settings = load_settings()
    with contextlib.closing(open_store(folder / "rows.duckdb")) as store:
        text = path_of_template("draft_letters").read_text("utf-8")
        dataset = study.store_study_file_version_and_return_it(
            store, text, name="STUDY.toml", by=None
        ).declared.study_id
        columns = [
            column.name for column in study.open_study(store, settings, dataset).declared.columns
        ]
        for number in (1, 2):
            file = folder / f"row{number}.csv"
            cells = ",".join(f"{column} {number}" for column in columns)
            file.write_text(f"item,{','.join(columns)}\nletter{number},{cells}\n")
            with nearby(), entered.walk() as files:
                work_behind_commands.import_file(
                    store, settings, "own-items", file, name=file.name, dataset=dataset
                )
    return files


def walk_verdict(entered: Entered, folder: Path) -> set[str]:
    """A clinician's verdict on a source, from being submitted to the figures that it changes."""
    with contextlib.closing(open_store(folder / "verdicts.duckdb")) as store:
        work_behind_commands.add_demo_studies_and_return_report_text(store)
        opened = sourcecheckup.open_study(store, settings=load_settings())
        person = raters.find_or_add_rater_by_name(store, "Walker", role="lead")
        verdict = {"verdict": "supported", "reason": "It says so.", "passages": []}
        for _ in range(2):
            pair = assignment.give_next_item_and_return_id(
                *(store, opened.support, HandOut(gold_share=0)),
                dataset=opened.dataset,
                rater=person.id,
            )
            assert pair is not None
            with entered.walk() as files:
                judging.submit_judgment(
                    store,
                    opened.support,
                    item=pair,
                    rater=person.id,
                    token=new_id(),
                    body=verdict,
                )
                FIGURES.export(store, opened, viewer=None)
    return files


# The mark last: the server's threads go on for a while.
WALKS = (walk_row, walk_verdict, walk_mark)


def main() -> None:
    """Print what each walk enters, by room."""
    with tempfile.TemporaryDirectory() as made:
        entered = Entered()
        for walk in WALKS:
            rooms = defaultdict(list)
            for file in sorted(walk(entered, Path(made))):
                rooms[Path(file).parts[0].removesuffix(".py")].append(file)
            print(f"{walk.__name__}: {sum(map(len, rooms.values()))} files, {len(rooms)} rooms")
            for room, names in rooms.items():
                print(f"  {room} {len(names)}: {' '.join(names)}")


if __name__ == "__main__":
    main()
