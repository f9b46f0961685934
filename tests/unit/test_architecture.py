"""The rules of the house, read from the code: who may import whom, and what is never used.

A rule is a function of one file that gives what in it breaks the rule. Each is held against every
file of the project in one test, and against a planted file that breaks it in another.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "medlens"
STUDIES = {"tagging", "agentclinic", "sourcecheckup", "ebmqa"}

# A room may import rooms on its own floor or below; the studies share a floor but not each other.
FLOORS = [
    {"errors", "confined"},
    {"config"},
    {"telemetry"},
    {"store"},
    {"stats", "tables", "llm", "web", "published"},
    {"review"},
    STUDIES,
    {"studies"},
    {"app"},
    {"ui"},
    {"cli"},
    {"__main__"},
]
FLOOR = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
SQL_ROOMS = {"store", "review"}
ESCAPING = {"_legend(chart.series)", "_drawn(table)"}  # tests/unit/test_charts.py
OUTWARD = {
    "httpx",
    "httpx2",
    "httpcore2",
    "requests",
    "urllib.request",
    "openai",
    "aiohttp",
    "http.client",
}
SHORTEST_STATEMENTS = ("select ", "insert into ", "update ", "delete from ", "with ")


@dataclass(frozen=True)
class File:
    """A Python file as a rule reads it; ``path`` counts from the project's folder."""

    path: Path
    text: str

    # Several rules read each file, and none changes what it reads.
    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Everything in it, the module itself first."""
        return tuple(ast.walk(ast.parse(self.text)))

    @functools.cached_property
    def imports(self) -> tuple[str, ...]:
        """Every module that it imports, by dotted name; not those for types alone."""
        return tuple(_imported(self.nodes))

    @property
    def room(self) -> str:
        """The room of the package it is in; "" for a page and for the package itself."""
        folder, *rest = self.path.parts
        name = rest[0].removesuffix(".py") if folder == "medlens" else ""
        return "" if name == "__init__" else name


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


def has_no_floor(file: File) -> Iterator[str]:
    if file.room and file.room not in FLOOR:
        yield f"no floor is named for {file.room}"


def imports_from_above(file: File) -> Iterator[str]:
    if file.room not in FLOOR:
        return
    parts = (name.split(".") for name in file.imports if name.startswith("medlens."))
    for other in {part[1] for part in parts if part[1] in FLOOR} - {file.room}:
        if FLOOR[other] > FLOOR[file.room]:
            yield f"imports {other} from above"
        if file.room in STUDIES and other in STUDIES:
            yield f"imports the study {other}"


def imports_streamlit_outside_the_ui(file: File) -> Iterator[str]:
    if file.path.parts[0] == "medlens" and file.room != "ui":
        yield from (name for name in file.imports if name.split(".")[0].startswith("streamlit"))


def writes_sql_outside_its_rooms(file: File) -> Iterator[str]:
    if file.room in SQL_ROOMS or file.path.name == "queries.py":
        return
    for node in file.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.lstrip().lower()
            if text.startswith(SHORTEST_STATEMENTS) and (" from " in text or " set " in text):
                yield text


def opens_connections_outside_their_rooms(file: File) -> Iterator[str]:
    if file.room not in ("llm", "web") and file.path != Path("medlens/app/fetch.py"):
        yield from (name for name in file.imports if name in OUTWARD)


def writes_the_address(file: File) -> Iterator[str]:
    if file.room in ("", "ui") and file.path != Path("medlens/ui/address.py"):
        yield from re.findall(
            r"query_params(?:\[[^\]]+\] = |, .* = |\.(?:pop|clear|update|from_dict)\()"
            r"|del st\.query",
            file.text,
        )


def draws_foreign_text_as_html(file: File) -> Iterator[str]:
    if "unsafe_allow_html" in file.text:
        yield "unsafe_allow_html"
    for node in file.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.html":
            # Constants of our own; of what is computed, only what a test proves to escape.
            drawn = ast.unparse(node.args[0])
            names = {part.id for part in ast.walk(node.args[0]) if isinstance(part, ast.Name)}
            if drawn not in ESCAPING and not all(name.isupper() for name in names):
                yield drawn


def lets_a_file_out_that_nobody_notes(file: File) -> Iterator[str]:
    if file.path != Path("medlens/ui/export_button.py"):
        yield from re.findall(r"\.download_button\(", file.text)


def opens_a_duckdb_that_may_look_for_extensions(file: File) -> Iterator[str]:
    """``duck.database`` alone opens one; the module's own functions use one that nobody opened."""
    if file.path != Path("medlens/store/duck.py"):
        yield from (
            called
            for node in file.nodes
            if isinstance(node, ast.Call)
            and (called := ast.unparse(node.func)).startswith("duckdb.")
            and called.islower()
        )


def is_a_page_that_starts_otherwise(file: File) -> Iterator[str]:
    if file.path.parts[0] == "medlens":
        return
    module = file.nodes[0]
    assert isinstance(module, ast.Module)
    body = [
        node
        for node in module.body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        and "sys.path" not in ast.unparse(node)
    ]
    first = ast.unparse(body[0].value) if body and isinstance(body[0], ast.Assign) else ""
    if not first.startswith("start_page("):
        yield f"begins with {first or 'something else'}"


Rule = Callable[[File], Iterator[str]]

# Each rule with files that break it, and files beside them that do not.
PLANTED: list[tuple[Rule, list[tuple[str, str]], list[tuple[str, str]]]] = [
    (
        has_no_floor,
        [("medlens/cellar.py", ""), ("medlens/cellar/door.py", "")],
        [("medlens/__init__.py", ""), ("medlens/stats/door.py", ""), ("app.py", "")],
    ),
    (
        imports_from_above,
        [
            ("medlens/stats/x.py", "import medlens.review.items"),
            ("medlens/store/local.py", "from medlens.ui import desk"),
            ("medlens/review/x.py", "def f():\n    from medlens import tagging"),
            ("medlens/tagging/x.py", "from medlens.ebmqa import models"),
        ],
        [
            ("medlens/ui/x.py", "from medlens.review import items"),
            ("medlens/tagging/x.py", "from medlens.tagging import models"),
            (
                "medlens/store/local.py",
                "if TYPE_CHECKING:\n    from medlens.ui import desk",
            ),
        ],
    ),
    (
        imports_streamlit_outside_the_ui,
        [
            ("medlens/review/x.py", "import streamlit as st"),
            ("medlens/cli/verbs.py", "from streamlit.web import bootstrap"),
            ("medlens/__init__.py", "import streamlit"),
            ("medlens/tagging/x.py", "import streamlit_annotation_tools"),
        ],
        [("medlens/ui/x.py", "import streamlit as st"), ("pages/1_x.py", "import streamlit")],
    ),
    (
        writes_sql_outside_its_rooms,
        [
            ("medlens/ui/x.py", "q = 'select id from item'"),
            ("pages/1_x.py", "q = ' UPDATE item SET id = 1'"),
            ("medlens/tagging/x.py", "q = 'with a as (select 1) select * from a'"),
        ],
        [
            ("medlens/review/x.py", "q = 'select id from item'"),
            ("medlens/tagging/queries.py", "q = 'select id from item'"),
            ("medlens/ui/x.py", "q = 'select a file'"),
        ],
    ),
    (
        opens_connections_outside_their_rooms,
        [
            ("medlens/ui/x.py", "import httpx"),
            ("medlens/tagging/x.py", "from urllib.request import urlopen"),
            ("medlens/store/local.py", "from http import client"),
        ],
        [("medlens/llm/x.py", "import openai"), ("medlens/ui/x.py", "import urllib.parse")],
    ),
    (
        writes_the_address,
        [
            ("medlens/ui/x.py", "st.query_params['a'] = 1"),
            ("pages/1_x.py", "st.query_params.clear()"),
            ("app.py", "del st.query_params['a']"),
        ],
        [
            ("medlens/ui/address.py", "st.query_params.clear()"),
            ("medlens/ui/x.py", "a = st.query_params.get('a')"),
        ],
    ),
    (
        draws_foreign_text_as_html,
        [
            ("medlens/ui/x.py", "st.markdown(a, unsafe_allow_html=True)"),
            ("medlens/ui/x.py", "st.html(text)"),
            ("pages/1_x.py", "st.html(f'<b>{text}</b>')"),
        ],
        [("medlens/ui/x.py", "st.html(_STYLE)"), ("medlens/ui/x.py", "st.html(_drawn(table))")],
    ),
    (
        lets_a_file_out_that_nobody_notes,
        [("medlens/ui/x.py", "st.download_button(a)"), ("app.py", "left.download_button(a)")],
        [("medlens/ui/export_button.py", "st.download_button('a', b)")],
    ),
    (
        opens_a_duckdb_that_may_look_for_extensions,
        [
            ("medlens/tagging/x.py", "db = duckdb.connect()"),
            ("pages/1_x.py", "duckdb.sql('select 1')"),
        ],
        [
            ("medlens/store/duck.py", "duckdb.connect(path)"),
            ("medlens/store/local.py", "db = duck.database()"),
            ("medlens/store/local.py", "raise duckdb.TransactionException('no')"),
        ],
    ),
    (
        is_a_page_that_starts_otherwise,
        [
            ("pages/1_x.py", "import streamlit as st\nst.title('x')\nhere = start_page('x')"),
            ("app.py", "'''Home.'''"),
        ],
        [("pages/1_x.py", "'''x'''\nimport sys\nhere = start_page('x')\nshow(here)")],
    ),
]
RULES = [rule for rule, *_ in PLANTED]


@pytest.fixture(scope="module")
def files() -> list[File]:
    """Every file that the rules are for; gone after this module, since a million nodes slow all."""
    paths = [*PACKAGE.rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    return [
        File(path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in sorted(paths)
    ]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_file_of_the_project(rule: Rule, files: list[File]) -> None:
    assert len(files) > 200
    assert [f"{file.path}: {fault}" for file in files for fault in rule(file)] == []


@pytest.mark.parametrize(
    "rule, path, text",
    [(rule, *one) for rule, wrong, _ in PLANTED for one in wrong],
    ids=lambda part: getattr(part, "__name__", None),
)
def test_a_planted_file_is_caught_that(rule: Rule, path: str, text: str) -> None:
    assert list(rule(File(Path(path), text)))


@pytest.mark.parametrize(
    "rule, path, text",
    [(rule, *one) for rule, _, right in PLANTED for one in right],
    ids=lambda part: getattr(part, "__name__", None),
)
def test_a_file_that_keeps_to_the_rules_is_not_one_that(rule: Rule, path: str, text: str) -> None:
    assert not list(rule(File(Path(path), text)))
