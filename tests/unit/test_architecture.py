"""The rules of the house, read from the code: who may import whom, and what is never used.

import-linter and ruff hold what they can (pyproject.toml). What is left is a function of one file
that gives what in it breaks the rule. Each rule is proved by planted files that it catches.
"""

from __future__ import annotations

import ast
import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "medlens"


# --- who imports whom: import-linter ----------------------------------------------------------

# A file of each kind of wrong import, and what import-linter says of it.
WRONG_IMPORTS = {
    "medlens/cellar.py": ("", "not listed as layers: - medlens.cellar"),
    "medlens/studies/poems.py": ("", "not listed as layers: - medlens.studies.poems"),
    "medlens/stats/up.py": (
        "import medlens.review.items",
        "stats is not allowed to import medlens.review",
    ),
    "medlens/review/asking.py": (
        "from medlens import llm",
        "review is not allowed to import medlens.llm",
    ),
    "medlens/tables/kept.py": (
        "from medlens.store import Store",
        "tables is not allowed to import medlens.store",
    ),
    "medlens/store/up.py": (
        "def f():\n    from medlens.ui import desk",
        "store is not allowed to import medlens.ui",
    ),
    "medlens/studies/tagging/aside.py": (
        "from medlens.studies.ebmqa import models",
        "tagging is not allowed to import medlens.studies.ebmqa",
    ),
    "medlens/studies/agentclinic/relative.py": (
        "from ..sourcecheckup import models",
        "agentclinic is not allowed to import medlens.studies.sourcecheckup",
    ),
    "medlens/studies/own/outward.py": (
        "from medlens.bridges import import_from_potato",
        r"studies is not allowed to import medlens\.bridges",
    ),
    "medlens/studies/own/study_file_from_table/guess_further.py": (
        "",
        r"not listed as layers: - medlens\.studies\.own\.study_file_from_table\.guess_further",
    ),
    "medlens/cli/outward.py": (
        "def f():\n    from medlens.bridges.export_to_inspect import make_inspect_log_file_bytes",
        r"Bridges to other tools are named, and imported by none BROKEN",
    ),
    "medlens/review/drawn.py": ("import streamlit as st", r"medlens\.review\.drawn"),
    "medlens/cli/served.py": ("from streamlit.web import bootstrap", r"medlens\.cli\.served"),
    "medlens/studies/tagging/span.py": (
        "import streamlit_annotation_tools",
        r"medlens\.studies\.tagging\.span",
    ),
    "medlens/studies/ebmqa/raw.py": ("import socket", r"medlens\.studies\.ebmqa\.raw"),
    "medlens/ui/asking.py": ("import httpx2", r"medlens\.ui\.asking"),
    "medlens/review/asked.py": ("from openai import OpenAI", r"medlens\.review\.asked"),
    "medlens/web/rows.py": ("import psycopg", r"medlens\.web\.rows"),
    "medlens/store/doors.py": (
        "import medlens",
        "store is not allowed to import medlens.app",
    ),
    "medlens/app/other.py": ("import httpx2", r"medlens\.app\.other"),
    "medlens/app/old.py": ("import httpx", r"medlens\.app\.old"),
    "medlens/llm/away.py": ("import aiohttp", r"medlens\.llm\.away"),
}


def contracts(project: Path) -> tuple[int, str]:
    """What import-linter says of a project: its exit code and its words on one line."""
    call = "import sys; from importlinter.cli import lint_imports_command as lint; lint()"
    done = subprocess.run(
        [sys.executable, "-c", call, "--no-cache", "--no-logo"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_rooms_import_downwards_no_study_another_and_the_network_from_its_rooms_alone() -> None:
    code, said = contracts(ROOT)
    assert code == 0, said
    assert "0 broken" in said


def test_every_planted_import_that_breaks_a_contract_is_named(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "medlens", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").mkdir()
    for name in ("pyproject.toml", "tests/studies_layer.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name, (text, _) in WRONG_IMPORTS.items():
        (tmp_path / name).write_text(text)
    # A planted import for types alone is none.
    (tmp_path / "medlens/store/typed.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from medlens.ui import desk\n"
    )
    code, said = contracts(tmp_path)
    assert code == 1, said
    assert [name for name, (_, told) in WRONG_IMPORTS.items() if not re.search(told, said)] == []
    assert "typed" not in said


# --- what nobody uses: ruff -------------------------------------------------------------------

RUFF = (sys.executable, "-m", "ruff", "check", "--output-format=concise", "--no-cache")


@pytest.mark.parametrize(
    "path, text, rule",
    [
        ("medlens/studies/tagging/x.py", "from ..ebmqa import models", "TID252"),
        ("medlens/review/x.py", "import importlib\nimportlib.import_module('streamlit')", "TID251"),
        ("medlens/ui/x.py", "from importlib import import_module as i", "TID251"),
        ("medlens/studies/tagging/x.py", "from urllib.request import urlopen", "TID251"),
        ("medlens/store/x.py", "import http.client", "TID251"),
        ("pages/1_x.py", "import urllib.request", "TID251"),
        ("medlens/ui/x.py", "import asyncio\nasyncio.open_connection('a', 1)", "TID251"),
        ("pages/1_x.py", "q = f'select id from item where id = {a}'", "S608"),
        ("medlens/ui/x.py", "q = 'select ' + a + ' from item'", "S608"),
        ("medlens/review/x.py", "print(1)", "T201"),
    ],
)
def test_ruff_bans(path: str, text: str, rule: str) -> None:
    done = subprocess.run(
        [*RUFF, "--stdin-filename", path, "-"],
        cwd=ROOT,
        input=text,
        capture_output=True,
        text=True,
    )
    assert f" {rule} " in done.stdout, done.stderr


# --- the rest, file by file -------------------------------------------------------------------


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

    @property
    def room(self) -> str:
        """The room of the package it is in; "" for a page and for the package itself."""
        folder, *rest = self.path.parts
        name = rest[0].removesuffix(".py") if folder == "medlens" else ""
        return "" if name == "__init__" else name


# Lower or upper case as SQL is written; "Select a file from the list" is English.
_SQL = re.compile(
    r"\s*(?:select\s.*\sfrom\s|insert\s+into\s|update\s.*\sset\s|delete\s+from\s"
    r"|with\s.*\sas\s*\(\s*select\s|(?:create|alter|drop)\s+(?:table|view|index)\s"
    r"|SELECT\s.*\sFROM\s|INSERT\s+INTO\s|UPDATE\s.*\sSET\s|DELETE\s+FROM\s"
    r"|WITH\s.*\sAS\s*\(\s*SELECT\s|(?:CREATE|ALTER|DROP)\s+(?:TABLE|VIEW|INDEX)\s)",
    re.DOTALL,
)
_TOLD_TO_HOLD_SQL = re.compile(r"quer(?:y|ies)|sql", re.IGNORECASE)


def _put_together(node: ast.AST) -> str:
    """The text of a string however it is written; ``{}`` stands for what is not constant."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr():
            return "".join(_put_together(part) for part in node.values)
        case ast.BinOp(op=ast.Add()):
            return _put_together(node.left) + _put_together(node.right)
        case ast.BinOp(op=ast.Mod()):
            return _put_together(node.left)
    return "{}"


def writes_sql_where_nobody_looks_for_it(file: File) -> Iterator[str]:
    """SQL is for the store, the spine, and files that say so in their name or first line.

    Never for a page: there the name does not help.
    """
    said = f"{file.path.name} {file.text.partition(chr(10))[0]}"
    drawing = file.room in ("", "ui")
    if file.room in ("store", "review") or (not drawing and _TOLD_TO_HOLD_SQL.search(said)):
        return
    for node in file.nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp):
            text = _put_together(node)
            if _SQL.match(text):
                yield text


def writes_the_address(file: File) -> Iterator[str]:
    if file.room in ("", "ui") and file.path != Path("medlens/ui/page_address.py"):
        yield from re.findall(
            r"query_params(?:\[[^\]]+\] = |, .* = |\.(?:pop|clear|update|from_dict)\()"
            r"|del st\.query",
            file.text,
        )


ESCAPING = {
    *("_legend(chart.series)", "_drawn(table)"),  # tests/unit/test_charts.py
    "agreement_html(result)",  # tests/unit/test_home_studies.py
    "progress_bar_html(row.done, row.wanted, row.people)",
    "headline_figure_html(shown, as_of)",
    "text_changes_as_html(original, texts[name])",  # tests/unit/test_own_rewritten_texts.py
    "text_changes_as_html(original, text)",
    "as_lit(source, compared)",  # tests/unit/test_own_source.py
    # tests/unit/test_foreign_markdown.py
    "untrusted_markdown_as_html(text, with_source=with_source)",
    "initials_html(here.person.name)",  # tests/pages/test_menu_and_jump.py
}


def draws_foreign_text_as_html(file: File) -> Iterator[str]:
    if "unsafe_allow_html" in file.text:
        yield "unsafe_allow_html"
    for node in file.nodes if "st.html" in file.text else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.html":
            # Constants of our own; of what is computed, only what a test proves to escape.
            drawn = ast.unparse(node.args[0])
            names = {part.id for part in ast.walk(node.args[0]) if isinstance(part, ast.Name)}
            if drawn not in ESCAPING and not all(name.isupper() for name in names):
                yield drawn


_FIELDS = ("text_input", "text_area", "number_input", "selectbox", "multiselect")


def labels_a_field_with_backslashes(file: File) -> Iterator[str]:
    """A field's label is drawn as Markdown, but read to a screen reader as it is written: foreign
    text, which is escaped to be drawn literally, stands beside the field."""
    for node in file.nodes if "escape_" in file.text else ():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _FIELDS
            and node.args
            and "escape_" in (label := ast.unparse(node.args[0]))
        ):
            yield label


def cuts_texts_where_one_is_missing(file: File) -> Iterator[str]:
    """pandas 3.0 does so; ``stats.column_as_text_array`` does not."""
    yield from re.findall(
        r"\.to_numpy\((?:dtype=)?str\)", file.text if file.path.parts[0] == "medlens" else ""
    )


def lets_a_file_out_that_nobody_notes(file: File) -> Iterator[str]:
    if file.path != Path("medlens/ui/export_button.py"):
        yield from re.findall(r"\.download_button\(", file.text)


def opens_a_duckdb_that_may_look_for_extensions(file: File) -> Iterator[str]:
    """``duckdb_engine.open_duckdb`` alone opens one; the module's own functions use one that nobody
    opened.
    """
    if file.path != Path("medlens/store/duckdb_engine.py"):
        yield from (
            called
            for node in (file.nodes if "duckdb." in file.text else ())
            if isinstance(node, ast.Call)
            and (called := ast.unparse(node.func)).startswith("duckdb.")
            and called.islower()
        )


_INTERNALS = Path("medlens/ui/streamlit_internals.py")


def uses_the_inside_of_streamlit(file: File) -> Iterator[str]:
    """``st`` is Streamlit's interface; everything else of it is imported and wrapped by one file,
    so that a new version is met there.
    """
    if file.path == _INTERNALS or "streamlit" not in file.text:
        return
    for node in file.nodes:
        match node:
            case ast.Import():
                for alias in node.names:
                    if alias.name == "streamlit" and alias.asname == "st":
                        continue
                    if alias.name.partition(".")[0] in ("streamlit", "streamlit_annotation_tools"):
                        yield alias.name
            case ast.ImportFrom() if str(node.module).partition(".")[0] in (
                *("streamlit", "streamlit_annotation_tools"),
            ):
                yield str(node.module)
            case ast.Attribute():
                name = ast.unparse(node)
                if re.fullmatch(
                    r"st\.(?:\w+\.)*_\w+|st\.(?:runtime|web|proto|config|logger)", name
                ):
                    yield name


_OPENED_BY_THE_PACKAGE = {
    *("medlens.errors", "medlens.app.python_api"),
    *("medlens.app.python_api.Imported", "medlens.app.python_api.Workbench"),
    "medlens.app.python_api.open_workbench",
}


def loads_more_than_the_package_itself_needs(file: File) -> Iterator[str]:
    """``import medlens`` costs next to nothing: it loads two modules of Python's own, and of
    MedLens, once asked, what ``medlens.open`` gives and the errors."""
    if file.path != Path("medlens/__init__.py"):
        return
    module = file.nodes[0]
    assert isinstance(module, ast.Module)
    at_once = set(module.body)
    for node in file.nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            room, inside = name.partition(".")[0], name.removesuffix(".workbench")
            if room == "medlens" and name not in _OPENED_BY_THE_PACKAGE and inside != "medlens.app":
                yield name
            elif node in at_once and room not in ("__future__", "os", "typing"):
                yield f"{name} at once"


def asks_whether_a_study_is_a_teams_own(file: File) -> Iterator[str]:
    """What a team's own studies differ in, their ``Study`` and their ``Task`` say: nothing outside
    their folder and their pages asks whether it is about one."""
    parts = file.path.parts
    of_own = file.path.match("medlens/ui/own_*.py") or file.path.match("medlens/ui/make_study.py")
    if parts[0] != "medlens" or parts[1] == "studies" or of_own:
        return
    for node in file.nodes:
        if isinstance(node, ast.Compare):
            for side in map(ast.unparse, (node.left, *node.comparators)):
                if re.search(r"\bown\w*\.(NAME|STUDY)\b|\bOWN\b|'own'", side):
                    yield side


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
        writes_sql_where_nobody_looks_for_it,
        [
            ("medlens/ui/x.py", "q = 'select id from item'"),
            ("medlens/ui/x.py", '"""The SQL of a page."""\nq = "select id from item"'),
            ("medlens/ui/tagging/queries.py", "q = 'select id from item'"),
            ("pages/1_x.py", "q = ' UPDATE item SET id = 1'"),
            ("pages/1_x.py", "q = f'select id from {table} where id = 1'"),
            ("pages/1_x.py", "q = f'{verb} x; ' + f'insert into {table} values (1)'[1:]"),
            ("app.py", "q = 'select ' + columns + ' from item'"),
            ("app.py", "q = 'select %s from item' % columns"),
            (
                "medlens/studies/tagging/x.py",
                "q = '''\nwith a as (\n    select 1)\nselect *\nfrom a'''",
            ),
            ("medlens/llm/x.py", "q = 'drop table item'"),
        ],
        [
            ("medlens/review/x.py", "q = 'select id from item'"),
            ("medlens/studies/tagging/queries.py", "q = 'select id from item'"),
            ("medlens/studies/tagging/label_queries.py", "q = 'select id from item'"),
            (
                "medlens/studies/tagging/x.py",
                '"""Labels, by SQL of their own."""\nq = "select 1 from a"',
            ),
            ("medlens/ui/x.py", "q = 'Select a file from the list, or update what is set '"),
        ],
    ),
    (
        writes_the_address,
        [
            ("medlens/ui/x.py", "st.query_params['a'] = 1"),
            ("pages/1_x.py", "st.query_params.clear()"),
            ("app.py", "del st.query_params['a']"),
        ],
        [
            ("medlens/ui/page_address.py", "st.query_params.clear()"),
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
        labels_a_field_with_backslashes,
        [
            ("medlens/ui/x.py", 'st.text_input(f"Type {escape_to_one_line(name)}")'),
            ("medlens/ui/x.py", "left.selectbox(escape_markdown(title), names)"),
        ],
        [
            (
                "medlens/ui/x.py",
                'st.text_input("The name", help=escape_to_one_line(name))',
            ),
            ("medlens/ui/x.py", "st.markdown(escape_to_one_line(name))"),
        ],
    ),
    (
        cuts_texts_where_one_is_missing,
        [("medlens/studies/own/x.py", 'names = table["case"].to_numpy(dtype=str)')],
        [("medlens/studies/own/x.py", 'names = text_array_of_column(table["case"])')],
    ),
    (
        lets_a_file_out_that_nobody_notes,
        [("medlens/ui/x.py", "st.download_button(a)"), ("app.py", "left.download_button(a)")],
        [("medlens/ui/export_button.py", "st.download_button('a', b)")],
    ),
    (
        opens_a_duckdb_that_may_look_for_extensions,
        [
            ("medlens/studies/tagging/x.py", "db = duckdb.connect()"),
            ("pages/1_x.py", "duckdb.sql('select 1')"),
        ],
        [
            ("medlens/store/duckdb_engine.py", "duckdb.connect(path)"),
            ("medlens/store/duckdb_store.py", "db = duck.database()"),
            ("medlens/store/duckdb_store.py", "raise duckdb.TransactionException('no')"),
        ],
    ),
    (
        uses_the_inside_of_streamlit,
        [
            ("medlens/ui/x.py", "from streamlit.runtime import get_instance"),
            ("medlens/ui/x.py", "def f():\n    from streamlit import config"),
            ("medlens/ui/x.py", "import streamlit.web.bootstrap"),
            ("medlens/ui/x.py", "import streamlit as st\nst.runtime.exists()"),
            ("medlens/ui/x.py", "import streamlit as st\nst.session_state._state"),
            ("pages/1_x.py", "from streamlit.proto.BackMsg_pb2 import BackMsg"),
            ("medlens/ui/coding/x.py", "import streamlit_annotation_tools"),
        ],
        [
            ("medlens/ui/streamlit_internals.py", "from streamlit import config"),
            ("medlens/ui/x.py", "import streamlit as st\nst.session_state['_a'] = st.App"),
            ("medlens/ui/x.py", "from medlens.ui.streamlit_internals import config"),
        ],
    ),
    (
        loads_more_than_the_package_itself_needs,
        [
            ("medlens/__init__.py", "import pandas"),
            ("medlens/__init__.py", "from medlens.app.python_api import Workbench"),
            ("medlens/__init__.py", "def f():\n    from medlens.store import Store"),
            ("medlens/__init__.py", "def f():\n    import medlens.ui.desk"),
        ],
        [
            ("medlens/__init__.py", "import os\nfrom typing import Any"),
            ("medlens/__init__.py", "def f():\n    from medlens.app import workbench"),
            ("medlens/store/x.py", "import pandas"),
        ],
    ),
    (
        asks_whether_a_study_is_a_teams_own,
        [
            ("medlens/ui/team_x.py", "a = task.name == own_tasks.NAME"),
            ("medlens/app/gate/x.py", "if study != own_tasks.STUDY:\n    pass"),
            ("medlens/app/x.py", "a = thing.study == OWN"),
            ("medlens/app/x.py", "a = (thing.kind, thing.study) == ('dataset', OWN)"),
            ("medlens/ui/data/x.py", "if declared.name == archivings_by_thing.OWN:\n    pass"),
            ("medlens/review/x.py", "a = study in ('own', 'tagging')"),
        ],
        [
            ("medlens/ui/own_study_desk_and_results.py", "a = task.name == tasks.NAME"),
            ("medlens/app/x.py", "a = STUDIES[tasks.STUDY]"),
            ("medlens/ui/team_x.py", "a = task.told_by_marks"),
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


@pytest.fixture(scope="module")
def files() -> list[File]:
    """Every file that the rules are for; gone after this module, since a million nodes slow all."""
    paths = [*PACKAGE.rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    return [
        File(path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in sorted(paths)
    ]


@pytest.mark.parametrize("rule, wrong, right", PLANTED, ids=[rule.__name__ for rule, *_ in PLANTED])
def test_no_file_of_the_project_but_each_that_is_planted(
    rule: Rule, wrong: list[tuple[str, str]], right: list[tuple[str, str]], files: list[File]
) -> None:
    def faults(path: str, text: str) -> list[str]:
        return list(rule(File(Path(path), text)))

    assert len(files) > 200
    assert [f"{file.path}: {fault}" for file in files for fault in rule(file)] == []
    assert [planted for planted in wrong if not faults(*planted)] == []
    assert [planted for planted in right if faults(*planted)] == []


# A participle, an adjective, a pronoun or a preposition as the whole name of what a class or a
# module offers: a stranger who sees only the dotted name cannot say what it gives.
_SAYS_NOTHING = {
    *("added", "asked", "changed", "checked", "counted", "done", "drawn", "ended", "expected"),
    *(
        "finished",
        "forgotten",
        "found",
        "given",
        "gone",
        "held",
        "inward",
        "judged",
        "kept",
        "known",
    ),
    *("laid", "left", "like", "looked", "made", "marked", "meant", "mine", "named", "narrowed"),
    *(
        "noted",
        "of",
        "off",
        "only",
        "outward",
        "paired",
        "read_back",
        "rejected",
        "removed",
        "said",
    ),
    *("same", "saved", "seen", "sent", "settled", "shown", "taken", "these", "told", "tried"),
    *("with_people", "within", "written", "by_models", "narrowing", "registered", "withdrawn"),
}
# Those that were there when the rule was made: the number only falls.
_STILL_SO_NAMED = 13


def is_named_so_that_nobody_can_guess(file: File) -> Iterator[str]:
    if file.path.parts[0] != "medlens":
        return
    module = file.nodes[0]
    assert isinstance(module, ast.Module)
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name in _SAYS_NOTHING:
            yield node.name
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name in _SAYS_NOTHING:
                    yield f"{node.name}.{member.name}"


def test_names_that_say_nothing_only_become_fewer(files: list[File]) -> None:
    planted = File(Path("medlens/x.py"), "class A:\n    def told(self): ...\ndef withdrawn(): ...")
    assert list(is_named_so_that_nobody_can_guess(planted)) == ["A.told", "withdrawn"]
    fine = File(Path("medlens/x.py"), "class A:\n    def told_in_words(self): ...\n    told = 1")
    assert list(is_named_so_that_nobody_can_guess(fine)) == []
    named = [
        f"{file.path}: {name}" for file in files for name in is_named_so_that_nobody_can_guess(file)
    ]
    assert len(named) <= _STILL_SO_NAMED, named


_ELSEWHERE = {
    # Of other projects, whose names docstrings mention.
    *("calculate_score", "compute_metrics_for_rater_by_class", "read_eval_log", "samples_df"),
    # A key of the sign-in's settings, which Streamlit reads.
    "redirect_uri",
    # Examples of names in a table or a file, and of labels and figures.
    *("cooccurrence_relaxed_by_model", "generator_1", "generator_2", "item_", "note_text"),
    *("option_b", "output_1", "output_2", "symptom___1", "unsupported_medical_claim"),
}


def names_in_docstrings(text: str) -> set[str]:
    """What stands in double backticks and looks like a name of several words, or of parts."""
    said = " ".join(re.findall(r'"""(.*?)"""', text, re.S))
    names = re.findall(r"``([a-z][\w.]*)(?:\(\))?``", said)
    files = r"\.(py|sql|cpp|toml|md|csv|json|parquet|saved|txt)$"
    return {
        part
        for name in names
        if not re.search(files, name) and ("_" in name or "." in name)
        for part in name.split(".")
        if part
    }


def names_that_are_gone(documented: str, everything: str) -> set[str]:
    code = re.sub(r'"""(?:.*?)"""', "", everything, flags=re.S)
    known = set(re.findall(r"\w+", code))
    return names_in_docstrings(documented) - known - _ELSEWHERE


def test_docstrings_call_things_as_they_are_called_now(files: list[File]) -> None:
    planted = '"""As ``draw_it``."""\ndef draw_this(): ...\n'
    assert names_that_are_gone(planted, planted) == {"draw_it"}
    assert names_that_are_gone(planted, planted + "\ndef draw_it(): ...") == set()
    others = [
        path.read_text() for kind in ("sql", "js", "toml") for path in PACKAGE.rglob(f"*.{kind}")
    ]
    python = "\n".join(file.text for file in files)
    paths = " ".join(str(file.path) for file in files)
    assert names_that_are_gone(python, "\n".join((python, paths, *others))) == set()
