"""A store for each test: a DuckDB file, and for some modules PostgreSQL too."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from medlens.store import Store, open_store
from tests.conftest import Fill, LayStore
from tests.store.bytes_on_disk import write_out


@dataclass
class Cluster:
    """A PostgreSQL server of the tests' own, reached through a socket in its folder."""

    programs: Path
    folder: Path
    _names: Iterator[int] = field(default_factory=itertools.count)

    def run(self, program: str, *arguments: str) -> None:
        # PostgreSQL refuses to run as root.
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        log = self.folder / "programs.log"
        with log.open("ab") as out:
            done = subprocess.run(
                [*user, str(self.programs / program), *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                timeout=120,
            )
        assert done.returncode == 0, log.read_text()

    def make(self) -> None:
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self.run(
            "initdb", "-D", "data", "-U", "tester", "--auth=trust", "-E", "UTF8", "--no-locale"
        )

    def start(self) -> None:
        # What was written outlives a server that is killed; fsync is for machines without power.
        options = f"-c listen_addresses='' -k {self.folder} -c fsync=off -c log_statement=none"
        self.run("pg_ctl", "-D", "data", "-l", "server.log", "-w", "-o", options, "start")

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "-D", "data", "-w", "-m", how, "stop")

    def url(self, user: str) -> str:
        return f"postgresql://{user}@/postgres?host={self.folder}"

    def new_database(self) -> str:
        """The address of what a new user finds empty: a schema of their own.

        A database of their own would be a thousand files each, half a second to make and remove.
        """
        name = f"test_{next(self._names)}"
        with psycopg.connect(self.url("tester"), autocommit=True) as connection:
            connection.execute(f"create role {name} login".encode())
            connection.execute(f"create schema authorization {name}".encode())
        return self.url(name)


@contextmanager
def running_cluster(programs: Path) -> Iterator[Cluster]:
    """A server that runs until the block is left."""
    # Not pytest's own folder, which the server's user may not enter.
    with tempfile.TemporaryDirectory(prefix="medlens-pg-") as folder:
        made = Cluster(programs, Path(folder))
        made.make()
        made.start()
        try:
            yield made
        finally:
            made.stop("immediate")


@pytest.fixture(scope="session")
def cluster(postgres_programs: Path) -> Iterator[Cluster]:
    with running_cluster(postgres_programs) as made:
        yield made


@pytest.fixture
def database(cluster: Cluster) -> str:
    """The address of an empty PostgreSQL database."""
    return cluster.new_database()


# What the store and the spine promise is proved on both engines; what stands on them, on one.
ON_BOTH = {
    "test_store",
    "test_assignment",
    "test_judging",
    "test_spine_end_to_end",
    "test_audit",
    "test_deletion_in_use",
    "test_corrections",
    "test_ebmqa_corrections",
    "test_agentclinic_corrections",
    "test_sourcecheckup_corrections",
    "test_undone_imports",
    "test_reimporting",
    "test_withdrawal",
    "test_renaming",
    "test_whole_store_erased",
    "test_erasing_sources",
} | {"test_erasing"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    both = metafunc.module.__name__.rpartition(".")[2] in ON_BOTH
    if both and "engine" in metafunc.fixturenames:
        marks = [pytest.mark.postgres]
        # Of the two, the store's own tests show what is amiss with an engine, and take less.
        if not metafunc.module.__name__.endswith("test_store"):
            marks.append(pytest.mark.deep)
        postgres = pytest.param("postgres", marks=marks)
        metafunc.parametrize("engine", ["duckdb", postgres], indirect=True)


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    """Where the test's store lies: duckdb, or postgres in the second run of some modules."""
    return str(getattr(request, "param", "duckdb"))


@pytest.fixture
def address(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What MEDLENS_STORE would say: a file, or a PostgreSQL database."""
    if engine == "duckdb":
        return str(tmp_path / "store.duckdb")
    return str(request.getfixturevalue("database"))


@pytest.fixture
def reopened(address: str) -> Iterator[Callable[[], Store]]:
    """Opens the test's store; call it again for what a new process would see."""
    opened: list[Store] = []

    def open_it() -> Store:
        for store in opened:
            store.close()
        opened.append(open_store(address))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(reopened: Callable[[], Store]) -> Store:
    return reopened()


Filled = Callable[..., Store]


@pytest.fixture
def filled(
    address: str, lay_store: LayStore, reopened: object, request: pytest.FixtureRequest
) -> Filled:
    """A function that lays the test's store, in a file, with what functions (Fill) put into it.

    What they make is made once in each process. It must be called before ``store`` is there, which
    it returns.
    """

    def fill(*fills: Fill) -> Store:
        assert not Path(f"{address}.saved").exists(), "the store was opened before it was filled"
        lay_store(Path(address), *fills)
        store: Store = request.getfixturevalue("store")
        return store

    return fill


@pytest.fixture
def folders(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> list[Path]:
    """Where the store's bytes lie."""
    if engine == "duckdb":
        return [tmp_path]
    return [request.getfixturevalue("cluster").folder / "data" / "base"]


@pytest.fixture
def write_everything_out(
    engine: str, request: pytest.FixtureRequest
) -> Callable[[Store], list[Path]]:
    """Brings everything to disk; returns the folders of this process's copies."""

    def write(store: Store) -> list[Path]:
        write_out(store)
        if engine == "postgres":
            cluster = request.getfixturevalue("cluster")
            with psycopg.connect(cluster.url("tester"), autocommit=True) as connection:
                connection.execute("checkpoint")
        return [Path(store.path).parent]

    return write
