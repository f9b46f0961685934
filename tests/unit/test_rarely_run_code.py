"""Benchmarks and attacks run rarely: what they call is there."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).resolve().parents[1]
FILES = sorted(file for folder in ("bench", "attack") for file in (TESTS / folder).glob("*.py"))


def modules_by_name(tree: ast.AST) -> Iterator[tuple[str, ModuleType]]:
    """The modules of this project that a file imports, under the names it gives them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            ("medlens", "tests")
        ):
            package = importlib.import_module(str(node.module))
            for alias in node.names:
                if not hasattr(package, alias.name):
                    importlib.import_module(f"{node.module}.{alias.name}")
                if isinstance(found := getattr(package, alias.name), ModuleType):
                    yield alias.asname or alias.name, found


def missing_names(source: str) -> list[str]:
    tree = ast.parse(source)
    modules = dict(modules_by_name(tree))
    return [
        f"line {node.lineno}: {node.value.id}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in modules
        and not hasattr(modules[node.value.id], node.attr)
    ]


@pytest.mark.deep
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_name_that_a_benchmark_or_an_attack_uses_is_there(file: Path) -> None:
    assert missing_names(file.read_text()) == []


def test_a_name_that_is_not_there_is_found() -> None:
    source = "from medlens.stats import estimate\nestimate.nothing_of_this_name(1)\n"
    assert missing_names(source) == ["line 2: estimate.nothing_of_this_name"]
