"""The rules of the house, read from the code: who may import whom, and what is never used."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "medlens"
STUDIES = {"tagging", "agentclinic", "sourcecheckup", "ebmqa"}

# A room may import rooms on its own floor or below; the studies share a floor but not each other.
FLOORS = [
    {"errors", "migrations", "settings", "toml_file", "forms"},
    {"facts", "store", "replica", "duck", "pool", "postgres"},
    {"stats", "tables", "llm", "web", "fetch", "fetch_tree"},
    {"review"},
    STUDIES,
    {"inbox", "commands", "rooms", "launch"},
    {"ui"},
    {"cli_runs", "cli_fetch"},
    {"cli", "__main__"},
]
FLOOR = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
SQL_ROOMS = {"store", "replica", "duck", "pool", "postgres", "migrations", "review"}
ESCAPING = {"_legend(chart.series)", "_drawn(table)"}  # tests/unit/test_charts.py
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


# Several rules read each file, and none changes what it reads.
@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file, the module itself first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@functools.cache
def imported(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, by dotted name; not those for types alone."""
    return tuple(_imported(nodes(path)))


def _imported(tree: tuple[ast.AST, ...]) -> Iterator[str]:
    skipped: set[ast.AST] = set()
    for node in tree:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            skipped |= set(ast.walk(node))
    for node in tree:
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """A million nodes that stayed would slow the tests of other modules down."""
    yield
    nodes.cache_clear()


def rooms_imported(path: Path) -> set[str]:
    parts = (name.split(".") for name in imported(path) if name.startswith("medlens."))
    return {part[1] for part in parts if part[1] in FLOOR}


def test_every_room_of_the_package_has_a_floor() -> None:
    rooms = {room_of(path) for path in MODULES} - {"__init__"}
    assert rooms <= set(FLOOR), rooms - set(FLOOR)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_downwards(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        return
    for other in rooms_imported(path) - {room}:
        assert FLOOR[other] <= FLOOR[room], f"{path.name} imports {other} from above"
        if room in STUDIES:
            assert other not in STUDIES, f"{path.name} imports the study {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_the_ui_imports_streamlit(path: Path) -> None:
    streamlit = {name for name in imported(path) if name.split(".")[0].startswith("streamlit")}
    assert room_of(path) == "ui" or not streamlit


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_sql_stays_in_the_store_the_spine_and_the_studies_queries(path: Path) -> None:
    if room_of(path) in SQL_ROOMS or path.name == "queries.py":
        return
    texts = [
        node.value.lstrip().lower()
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    starts = ("select ", "insert into ", "update ", "delete from ", "with ")
    sql = [t for t in texts if t.startswith(starts) and (" from " in t or " set " in t)]
    assert sql == []


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_the_model_client_and_the_fetcher_open_connections(path: Path) -> None:
    outward = {
        "httpx",
        "httpx2",
        "httpcore2",
        "requests",
        "urllib.request",
        "openai",
        "aiohttp",
        "http.client",
    }
    found = {name for name in imported(path) if name in outward}
    assert room_of(path) in ("llm", "web", "fetch") or not found


@pytest.mark.parametrize(
    "path",
    [*(PACKAGE / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_only_one_module_writes_the_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    writes = re.search(
        r"query_params(\[[^\]]+\] = |, .* = |\.(pop|clear|update|from_dict)\()|del st\.query", text
    )
    assert not writes or path == PACKAGE / "ui" / "address.py"


@pytest.mark.parametrize(
    "path",
    [*MODULES, *(ROOT / "pages").glob("*.py"), ROOT / "app.py"],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_foreign_text_is_never_drawn_as_html(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "unsafe_allow_html" not in text
    for node in nodes(path):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.html":
            # Constants of our own; of what is computed, only what a test proves to escape.
            drawn = ast.unparse(node.args[0])
            names = {part.id for part in ast.walk(node.args[0]) if isinstance(part, ast.Name)}
            assert drawn in ESCAPING or all(name.isupper() for name in names), drawn


@pytest.mark.parametrize(
    "path", [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))], ids=lambda p: p.name
)
def test_every_page_starts_with_start_page(path: Path) -> None:
    module = nodes(path)[0]
    assert isinstance(module, ast.Module)
    body = [
        node
        for node in module.body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        and "sys.path" not in ast.unparse(node)
    ]
    first = body[0]
    assert isinstance(first, ast.Assign)
    assert ast.unparse(first.value).startswith("start_page(")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_stay_readable(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 350
