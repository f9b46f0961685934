"""Writes the parts of ``docs/`` that are generated: ``make docs``.

A test holds them against what this would write.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

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


def main() -> None:
    """Write every generated part."""
    path = ROOT / "docs" / "architecture.md"
    path.write_text(with_picture(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
