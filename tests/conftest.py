"""What every kind of test shares."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis.internal.conjecture import providers
from xdist.scheduler import LoadFileScheduling

from medlens.store import Store, open_store
from tests.stores import Stores, real

REPO = Path(__file__).resolve().parents[1]

Fill = Callable[[Store], object]
LayStore = Callable[..., Path]


def pytest_configure(config: pytest.Config) -> None:
    """What all processes compile is compiled once, before they begin."""
    several = config.getoption("numprocesses", None)
    if several and not sys.dont_write_bytecode and "PYTEST_XDIST_WORKER" not in os.environ:
        from tests.bytecode import write_bytecode

        write_bytecode(config, processes=os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Reading pages and killing processes take long and would be the last files of all, with one
    worker left at work.

    Hypothesis would read the project's source for constants that it might try: what a test tries
    would change with every change of the code, and each process would take a second to read it.
    """
    long = ("test_web.py", "test_killed_while_taking_back.py")
    items.sort(key=lambda item: item.path.name not in long)
    leave_first_cases_quick(items)
    providers._get_local_constants = lambda: providers._local_constants


def leave_first_cases_quick(items: Iterable[pytest.Item]) -> None:
    """Mark as deep all cases but the first of each test that is marked ``first_quick``."""
    met: set[str] = set()
    for item in items:
        if item.get_closest_marker("first_quick") and not item.get_closest_marker("deep"):
            test = item.nodeid.partition("[")[0]
            if test in met:
                item.add_marker("deep")
            met.add(test)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """The few quick tests in a browser run one after another in one process: each process that has
    some starts a browser and imports for servers what all of its tests then use."""
    return OneBrowser(config, log) if config.getoption("markexpr") == "not deep" else None


class OneBrowser(LoadFileScheduling):
    """Shares out files among processes, and those that need a browser as if they were one."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return str(Path(file).parent) if file.startswith("tests/browser/") else file


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that is imported is garbage yet."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """What was imported stays for good: looking through it for garbage, time and again, takes a
    sixteenth of all that tests take."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_sessionfinish() -> None:
    """pytest looks twice for what tests left unclosed, among all there is; once finds it."""
    gc.collect()
    gc.freeze()


def quick_or_deep(quick: str, *deep: str) -> list[Any]:
    """What a test is run with: the first is enough for a person who waits, the others are deep."""
    return [quick, *(pytest.param(name, marks=pytest.mark.deep) for name in deep)]


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings or the store of the person who runs it."""
    for name in ("MEDLENS_STORE", "MEDLENS_CONFIG", "MEDLENS_REPLICA_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session", autouse=True)
def stores_of_one_thread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """DuckDB works in the thread that asks it, as where there is one processor, and is not started
    anew for each store.

    To share out a few rows costs a sixth of what tests of stores take. Where rows might come out in
    another order there is ``all_threads``; the processes that tests start have them too.
    """
    with pytest.MonkeyPatch.context() as patch:
        Stores(tmp_path_factory.mktemp("empty") / "store.duckdb").stand_in(patch)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """What is closed after a test is read by nobody: to write out a store's log takes longer than
    most tests do with it."""
    Stores.leaving = True
    try:
        return (yield)
    finally:
        Stores.leaving = False


@pytest.fixture(scope="module")
def all_threads() -> Iterator[None]:
    """Stores that a module's tests open are opened and closed as the app's are, and use every
    processor."""
    with pytest.MonkeyPatch.context() as patch:
        real(patch)
        yield


@pytest.fixture
def read_near() -> Iterator[None]:
    """What the test imports is read in this process, in a third less time: for tests of what a
    kind of file means. That processes of their own read every kind alike, ``tests/fuzz`` says."""
    from tests.near import nearby

    with nearby():
        yield


@pytest.fixture
def pages_read_near() -> Iterator[None]:
    """Pages that the test fetches are read in this process: no process is started for them."""
    from tests.near import pages_nearby

    with pages_nearby():
        yield


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """Where a test may make its own store; nothing is there yet."""
    return tmp_path / "medlens.duckdb"


def _named(fill: Fill) -> str:
    """A function that fills a store, and what it was made with, in words that are the same in every
    process."""
    owner = getattr(getattr(fill, "__self__", None), "name", "")
    held = [cell.cell_contents for cell in getattr(fill, "__closure__", None) or ()]
    name = f"{fill.__module__}.{fill.__qualname__} {owner} {held}"
    assert " at 0x" not in name, f"{name}: another function could have that name"
    return name


@pytest.fixture(scope="session")
def lay_store(tmp_path_factory: pytest.TempPathFactory) -> LayStore:
    """A function that lays a closed store at a path, filled by the functions (Fill) given.

    Each kind is made once for all processes, and copied from then on: making one takes longer than
    most tests do.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    def lay(path: Path, *fill: Fill) -> Path:
        names = " ".join(map(_named, fill))
        made = folder / f"{hashlib.sha256(names.encode()).hexdigest()}.duckdb"
        with open(f"{made}.lock", "ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                part = made.with_suffix(".part")
                part.unlink(missing_ok=True)
                with contextlib.closing(open_store(part)) as store:
                    for one in fill:
                        one(store)
                part.rename(made)
        shutil.copy(made, path)
        Stores.laid[os.path.realpath(path)] = str(made)
        return path

    return lay


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the samples of the published studies, or a skipped test."""
    folder = Path(os.environ.get("MEDLENS_SHARED", REPO.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip("the samples of the published studies are not here (MEDLENS_SHARED names them)")
    return folder


@pytest.fixture(scope="session")
def postgres_programs() -> Path:
    """The folder with ``initdb`` and ``postgres``.

    Without one the test is skipped, or fails where MEDLENS_REQUIRE_POSTGRES is set.
    """
    found = shutil.which("initdb")
    folders = [
        *([Path(found).parent] if found else []),
        *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),
    ]
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    if os.environ.get("MEDLENS_REQUIRE_POSTGRES"):
        pytest.fail("no PostgreSQL server was found, and MEDLENS_REQUIRE_POSTGRES is set")
    pytest.skip("no PostgreSQL server was found")
