"""Whatever a file holds: it is imported or refused in words, wholly, and as the preview said.

``make fuzz`` runs it with thousands of files for each kind, from a seed that it prints; ``SEED=``
gives the same files again. Each kind has its own damage, and no file is imported twice in one way
(hypothesis draws a quarter of the first forty again, the whole sample six times). An eighth are
previewed first, and a sixteenth imported twice. Most are read near (``tests/near.py``), a few by
real readers, which are processes of their own.
"""

from __future__ import annotations

import os
import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings

from medlens.app import work_behind_commands
from medlens.app.file_intake import reader_worker
from medlens.errors import MedLensError
from medlens.store import Store, open_store
from medlens.studies.registry import IMPORTS
from tests.conftest import LayStore
from tests.fuzz.mutations import files, ways, written
from tests.fuzz.world import Sample, make_world, take
from tests.near import nearby

pytestmark = pytest.mark.deep

EXAMPLES = int(os.environ.get("FUZZ", "12"))
SEED = int(os.environ.get("SEED", "20240413"))
LEFT = re.compile(r"; [\d,]+ missing in the file, left in the dataset")
BROKEN = re.compile(
    rf"\(\w+(Error|Exception|Invalid)\b|broke down|Traceback|^\s*$|{reader_worker.UNFORESEEN}"
)
"""How the gate tells of a fault in a reader of its own, and not of the file."""

MEGABYTES = 256
"""What the imports of a kind may take beyond what the process had, their readers with them."""


@pytest.fixture(scope="session")
def world(
    tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore
) -> tuple[Path, dict[str, Sample]]:
    path = tmp_path_factory.mktemp("fuzz") / "world.duckdb"
    demos = lay_store(
        path.with_name("demos.duckdb"), work_behind_commands.add_demo_studies_and_return_report_text
    )
    return path, make_world(path, demos)


class Ground:
    """A store that is brought back to what it was after each import."""

    def __init__(self, store: Store) -> None:
        self.store = store
        names = [name for (name,) in store.rows("select table_name from duckdb_tables()")]
        # The audit log tells of a refused file; nothing of the file is in it.
        self._tables = sorted(set(names) - {"migration", "audit_event"})
        self._count = " union all ".join(
            f"select '{name}', count(*) from {name}" for name in self._tables
        )
        self.first, self._versions = self.tables(), store.current_version_by_table()
        tops = " union all ".join(f"select max(seq) as seq from {name}" for name in self._tables)
        self._top = store.rows(f"select max(seq) from ({tops})")[0][0]

    def tables(self) -> dict[str, int]:
        """Rows of every table."""
        return dict(self.store.rows(self._count))

    def back(self, now: dict[str, int] | None = None) -> None:
        """``now`` are the rows of every table, where that is known."""
        for name, n in (now or self.tables()).items():
            if n != self.first[name]:
                self.store.rows(f"delete from {name} where seq > {self._top}")
        # What is remembered of these tables as they were is so again.
        self.store._versions.update(self._versions)


@pytest.fixture(scope="module")
def ground(world: tuple[Path, dict[str, Sample]]) -> Iterator[Ground]:
    store = open_store(world[0])
    yield Ground(store)
    store.close()


Told = tuple[Any, ...]


def attempt(
    store: Store, kind: str, data: bytes, name: str, how: dict[str, Any], **more: Any
) -> Told:
    """What came of an import, but for the words "would import"; anything but a refusal in words
    is raised."""
    try:
        done = take(store, kind, data, name, **how, **more)
    except MedLensError as error:
        assert not BROKEN.search(error.message), error.message  # noqa: PT017
        return "refused", error.message, error.hint
    # What stays as it is, since the file does not have it, is said before an import only.
    line = LEFT.sub("", done.line.replace("Would import", "Imported"))
    return (
        "done",
        line.split(" (in ")[0].rstrip("."),
        done.added,
        done.known,
        done.refused,
        # What is to be done next stands under an import only.
        tuple(note for note in done.notes if not note.startswith("Nobody is given")),
    )


@pytest.mark.parametrize("kind", IMPORTS)
def test_the_samples_are_valid(
    kind: str, world: tuple[Path, dict[str, Sample]], ground: Ground
) -> None:
    sample = world[1][kind]
    with nearby(of_one=True):
        for form in sample.forms:
            data = written(sample.rows, form)
            done = take(ground.store, kind, data, f"some.{form}", dataset=sample.dataset)
            assert (done.added > 0, done.refused) == (True, 0), (form, done)
            ground.back()


@pytest.mark.parametrize("kind", IMPORTS)
def test_a_number_that_no_column_can_hold_is_no_fault_of_ours(
    kind: str, world: tuple[Path, dict[str, Sample]], ground: Ground
) -> None:
    sample = world[1][kind]
    declared = {one.name for one in IMPORTS[kind].columns if one.type in ("whole", "number")}
    numbers = {k for row in sample.rows for k, v in row.items() if isinstance(v, int | float)}
    how = {"dataset": sample.dataset, "skip_bad": False, "label": ""}
    with nearby(of_one=True):
        for column in sorted(declared | numbers):
            first, second, *others = sample.rows
            rows = [{**first, column: 2**31}, {**second, column: 1e308}, *others]
            attempt(ground.store, kind, written(rows, "jsonl"), "some.jsonl", how)
            ground.back()


@pytest.mark.parametrize("kind", IMPORTS)
def test_a_file_of_which_nothing_is_left_is_no_traceback(
    kind: str, world: tuple[Path, dict[str, Sample]], ground: Ground
) -> None:
    sample = world[1][kind]
    spoilt = [{**dict.fromkeys(row, "?"), "more": "x"} for row in sample.rows]
    header = written(sample.rows, "csv").splitlines()[0] + b"\n"
    before = ground.tables()
    how = {"dataset": sample.dataset, "skip_bad": True, "label": ""}
    with nearby(of_one=True):
        for data, name, dry_run in (
            (header, "some.csv", True),
            (header, "some.csv", False),
            (written(spoilt, "csv"), "some.csv", True),
            (written(spoilt, "jsonl"), "some.jsonl", False),
            (b"null\n" + written(sample.rows, "jsonl"), "some.jsonl", False),
        ):
            attempt(ground.store, kind, data, name, how, dry_run=dry_run)
            if data is header:
                assert {**ground.tables(), "import_log": 0} == {**before, "import_log": 0}
        ground.back()


@pytest.mark.parametrize("kind", IMPORTS)
def test_any_file_is_imported_whole_as_foreseen_or_refused_in_words(
    kind: str, world: tuple[Path, dict[str, Sample]], ground: Ground, tmp_path: Path
) -> None:
    with nearby(of_one=True):
        told = _try(kind, world[1][kind], ground, tmp_path, examples=EXAMPLES, begin=SEED)
    # Damage that nothing survives would test the front door only.
    assert min(told.values()) > 0 or EXAMPLES < 12, told


@pytest.mark.parametrize("kind", IMPORTS)
def test_so_it_is_by_readers_of_their_own(
    kind: str, world: tuple[Path, dict[str, Sample]], ground: Ground, tmp_path: Path
) -> None:
    _try(kind, world[1][kind], ground, tmp_path, examples=max(2, EXAMPLES // 100), begin=SEED + 1)


def _try(
    kind: str, sample: Sample, ground: Ground, folder: Path, *, examples: int, begin: int
) -> dict[str, int]:
    """Import damaged files of a kind, the same ones for the same ``begin``; what came of them."""
    store = ground.store
    bad_rows = folder / "bad"
    begin += zlib.crc32(kind.encode())
    tried: set[tuple[Any, ...]] = set()
    told = {"done": 0, "refused": 0, "added": 0}

    @seed(begin)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(made=files(sample), how=ways(sample))
    def check(made: tuple[bytes, str], how: dict[str, Any]) -> None:
        data, name = made
        this = (zlib.crc32(data), name, how["dataset"], how["skip_bad"])
        if this not in tried:
            one(data, name, how)
            # Only now: what failed is tried again, to be made smaller.
            tried.add(this)

    def one(data: bytes, name: str, how: dict[str, Any]) -> None:
        # Not drawn: hypothesis would draw a 0 more often than not.
        turn = zlib.crc32(data) % 16
        if keep := os.environ.get("FUZZ_KEEP"):
            # A crash leaves nothing else behind.
            Path(keep, f"{kind}.last").write_bytes(repr((name, how)).encode() + b"\n" + data)
        before = ground.first
        preview = None
        if turn < 2:
            preview = attempt(store, kind, data, name, how, dry_run=True)
            assert ground.tables() == before, "a preview wrote"
        done = attempt(store, kind, data, name, how, bad_rows=bad_rows)
        after = ground.tables()
        assert preview in (None, done), "the preview said otherwise"
        told[done[0]] += 1
        if done[0] == "refused":
            assert after == before, "a refused file was imported in part"
            return
        told["added"] += done[2] > 0
        try:
            assert after["import_log"] == before["import_log"] + 1
            if not done[2]:
                changed = {name for name in after if after[name] != before[name]}
                # What stands beside known items is kept, and said in a note.
                beside = {"item_further"} if "Further columns kept" in str(done[5]) else set()
                assert changed <= {"import_log", "rater", "item_alias", *beside}, (
                    "what was there already was added"
                )
            if turn:
                return
            again = attempt(store, kind, data, name, how)
            assert again[0] == "done", again
            assert again[2] == 0, "the same file again added something"
            before, after = after, ground.tables()
            twice = {t for t, n in after.items() if n != before[t]}
            assert twice == {"import_log"}, "the same file again wrote something"
            if done[4]:
                after = {}
                for path in folder.glob("bad.*"):
                    # Not mended: refused again, or some of it known. Never a traceback.
                    attempt(store, kind, path.read_bytes(), path.name, {**how, "skip_bad": True})
                    path.unlink()
        finally:
            ground.back(after)

    begin_with = _held("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    check()
    assert ground.tables() == ground.first
    grown = _held("VmHWM") - begin_with
    print(f"{kind}: seed {begin}, {told}, memory +{grown} MB", file=sys.stderr)
    assert grown < MEGABYTES
    return told


def _held(what: str) -> int:
    """What this process holds now (``VmRSS``) or has held since that was reset, in megabytes."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) // 1024
