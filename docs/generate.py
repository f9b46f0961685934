"""Writes the parts of ``docs/`` that are generated: ``make docs``.

A test holds them against what this would write.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from medlens.config.settings import Settings
from medlens.studies import registry
from medlens.tables import Column
from medlens.tables.file_schemas_import_requests_and_reports import TYPES

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "medlens"


def rooms() -> list[str]:
    """The packages and single files of ``medlens/``, by name."""
    return sorted(
        path.stem
        for path in PACKAGE.iterdir()
        if (path.is_dir() and (path / "__init__.py").exists())
        or (path.suffix == ".py" and not path.stem.startswith("__"))
    )


def arrows() -> dict[str, set[str]]:
    """For each room the others that it imports."""
    known = set(rooms())
    found: dict[str, set[str]] = {room: set() for room in known}
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room in known:
            names = _imported(ast.parse(path.read_text(encoding="utf-8")))
            found[room] |= {name for name in names if name in known} - {room}
    return found


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            dotted = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in dotted if name.startswith("medlens."))


def picture() -> str:
    """The rooms as a Mermaid diagram; an arrow that follows from two others is left out."""
    drawn = arrows()
    reach: dict[str, set[str]] = {}

    def below(room: str) -> set[str]:
        if room not in reach:
            reach[room] = set()
            reach[room] = drawn[room].union(*(below(other) for other in drawn[room]))
        return reach[room]

    lines = ["```mermaid", "flowchart TD"]
    lines += [f"    {room}" for room in rooms()]
    for room in rooms():
        implied = set().union(*(below(other) for other in drawn[room]))
        lines += [f"    {room} --> {other}" for other in sorted(drawn[room] - implied)]
    return "\n".join([*lines, "```"])


def with_picture(text: str) -> str:
    """The text of ``architecture.md`` with the picture as it would be drawn now."""
    return re.sub(
        r"(?<=<!-- picture -->\n).*(?=<!-- /picture -->)", picture() + "\n", text, flags=re.S
    )


@dataclass(frozen=True)
class Setting:
    """One setting; ``default`` as it is written in TOML, empty where it has none."""

    name: str
    default: str
    meaning: str


@dataclass(frozen=True)
class DeclaredSection:
    """A section of ``medlens.toml``, by its name there; the top level has none."""

    name: str
    about: str
    settings: tuple[Setting, ...]


def declared_sections() -> list[DeclaredSection]:
    """Every section, those of the studies included, in the order of their names."""
    top = _section("", Settings)
    found = []
    for name, field in Settings.model_fields.items():
        model = _model_of(field)
        if model is not None:
            many = get_origin(field.annotation) is not None
            found.append(_section(f"{name}.NAME" if many else name, model))
    found += [
        _section(name, study.settings)
        for name, study in registry.STUDIES.items()
        if study.settings is not None
    ]
    return [top, *sorted(found, key=lambda one: one.name)]


def _section(name: str, model: type[BaseModel]) -> DeclaredSection:
    meanings = _meanings(model)
    shown = tuple(
        Setting(field.alias or key, _toml(field), meanings[key])
        for key, field in model.model_fields.items()
        if _model_of(field) is None
    )
    return DeclaredSection(name, _prose(inspect.getdoc(model) or ""), shown)


def _model_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a section's own table, or of each of its tables."""
    for one in (field.annotation, *get_args(field.annotation)):
        if isinstance(one, type) and issubclass(one, BaseModel):
            return one
    return None


def _meanings(model: type[BaseModel]) -> dict[str, str]:
    """What stands below each setting in the source."""
    [declared] = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(declared, ast.ClassDef)
    found = {}
    for one, below in zip(declared.body, declared.body[1:], strict=False):
        if isinstance(one, ast.AnnAssign) and isinstance(below, ast.Expr):
            assert isinstance(one.target, ast.Name)
            found[one.target.id] = _prose(ast.literal_eval(below.value))
    return found


def _prose(text: str) -> str:
    return " ".join(text.replace("``", "`").split())


def _toml(field: FieldInfo) -> str:
    """A default as TOML writes it; paths as they count from MedLens's folder."""
    default: Any = field.get_default(call_default_factory=True)
    if field.is_required() or default is None:
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, (int, float)):
        return str(default)
    if isinstance(default, (tuple, list)):
        return "[" + ", ".join(f'"{one}"' for one in default) + "]"
    if isinstance(default, dict):
        return "{}"
    return f'"{str(default).removeprefix(f"{ROOT}/")}"'


def settings_page() -> str:
    """The tables of ``settings.md``."""
    parts = []
    for section in declared_sections():
        parts.append(f"## {f'`[{section.name}]`' if section.name else 'At the top of the file'}")
        if section.name:
            parts.append(section.about)
        rows = ["| setting | default | what it means |", "|---|---|---|"]
        rows += [
            f"| `{one.name}` | {f'`{one.default}`' if one.default else ''} | {one.meaning} |"
            for one in section.settings
        ]
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def with_settings(text: str) -> str:
    """The text of ``settings.md`` with the tables as they would be written now."""
    return text[: text.index(BELOW)] + BELOW + "\n\n" + settings_page() + "\n"


BELOW = "<!-- Written from the declarations: make docs -->"


_FILES = """# Kinds of files

How importing and exporting work: [data.md](data.md). This page is written from what each study
declares of its files.

## Imports
"""
_COLUMNS = """
## Columns
Columns in **bold** must be there; the others may be left out, and may be empty. Order, capitals and
spacing do not matter. Several values in a cell of CSV are a JSON list unless another way is named.
A cell has at most 99,999 characters, one of whole pages ("long text") 5,000,000.
Every file may have these, too:
"""


def files() -> str:
    """``files.md``: the kinds of files, and the data dictionary of their columns."""
    from medlens.studies.registry import COMMON, IMPORTS, STUDIES
    from medlens.tables.file_schemas_import_requests_and_reports import COMMON as ALWAYS

    lines = [_FILES, *_head("import", "study", "what it is")]
    for study in STUDIES.values():
        lines += [
            _row(f"[`{name}`](#{name})", study.title, kind.looks)
            for name, kind in study.imports.items()
        ]
    lines += ["\n## Exports\n", *_head("export", "study", "what it is")]
    for study in STUDIES.values():
        lines += [
            _row(f"`{name}`", study.title, title) for name, (title, _) in study.exports.items()
        ]
        lines += [
            _row(f"`{name}`", study.title, f"{one.title} ({one.ending})")
            for name, one in study.packages.items()
        ]
    lines += [_row(f"`{name}`", "", title) for name, (title, _) in COMMON.items()]
    lines += [_COLUMNS, *_dictionary(ALWAYS)]
    for name, kind in IMPORTS.items():
        lines += [f"\n### {name}", f"{kind.title}.\n", *_dictionary(kind.columns)]
        lines += [f"\nFurther columns: {kind.more}."] if kind.more else []
    return "\n".join([*lines, ""])


def _dictionary(columns: Sequence[Column]) -> list[str]:
    return [
        *_head("column", "what it holds", "type"),
        *(
            _row(f"**{one.name}**" if one.needed else one.name, one.means, _type_of(one))
            for one in columns
        ),
    ]


def _type_of(column: Column) -> str:
    said = "long text" if column.pages else TYPES[column.type]
    if column.allowed:
        said += f" {', '.join(column.allowed)}"
    if column.type in ("whole", "number") and column.least:
        said += f" from {column.least:g}"
        said += f" to {column.most:,.9g}" if column.most < math.inf else ""
    return f"{said}, in {column.unit}" if column.unit else said


def _head(*titles: str) -> list[str]:
    return [_row(*titles), "|" + "---|" * len(titles)]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def public_views() -> str:
    """The public views with their columns, for ``sql.md``."""
    from medlens.store import migrations

    said = {
        name: text.replace("''", "'")
        for statement in migrations.public_view_statements("duckdb")
        for name, text in re.findall(
            r"^comment on (?:view|column) (\S+) is\s+'(.*)'$", statement, flags=re.DOTALL
        )
    }
    lines = []
    for view in migrations.PUBLIC_VIEWS:
        columns = [name for name in said if name.startswith(f"{view}.")]
        lines += [f"### {view}", f"{said[view]}\n", *_head("column", "what it holds")]
        lines += [_row(name.partition(".")[2], said[name]) for name in columns]
        lines += [""]
    return "\n".join(lines)


def with_public_views(text: str) -> str:
    """The text of ``sql.md`` with the columns as they are declared now."""
    written = public_views()
    return re.sub(
        r"(?<=<!-- views -->\n).*(?=<!-- /views -->)", lambda _: written, text, flags=re.S
    )


def main() -> None:
    """Write every generated part."""
    for name, written in (
        ("architecture.md", with_picture),
        ("settings.md", with_settings),
        ("sql.md", with_public_views),
    ):
        path = ROOT / "docs" / name
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
    (ROOT / "docs" / "files.md").write_text(files(), encoding="utf-8")


if __name__ == "__main__":
    main()
