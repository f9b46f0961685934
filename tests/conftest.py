"""What every kind of test shares."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from medlens.store import Store, open_store

REPO = Path(__file__).resolve().parents[1]

Fill = Callable[[Store], object]
LayStore = Callable[..., Path]


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings or the store of the person who runs it."""
    for name in ("MEDLENS_STORE", "MEDLENS_CONFIG", "MEDLENS_REPLICA_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """Where a test may make its own store; nothing is there yet."""
    return tmp_path / "medlens.duckdb"


@pytest.fixture(scope="session")
def lay_store(tmp_path_factory: pytest.TempPathFactory) -> LayStore:
    """A function that lays a closed store at a path, filled by the functions (Fill) given.

    Each kind is made once in each process, and copied from then on: making one takes longer than
    most tests do.
    """
    made: dict[tuple[Fill, ...], Path] = {}

    def lay(path: Path, *fill: Fill) -> Path:
        if fill not in made:
            first = tmp_path_factory.mktemp("laid") / "store.duckdb"
            with contextlib.closing(open_store(first)) as store:
                for one in fill:
                    one(store)
            made[fill] = first
        return shutil.copy(made[fill], path)

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
