"""Bytecode of the project and of its tests, written once before several processes need it.

In a new checkout each process would compile all of both for itself, as all of them begin at once.
"""

from __future__ import annotations

import compileall
import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

REPO = Path(__file__).resolve().parents[1]


def write_bytecode(config: pytest.Config, *, processes: int) -> None:
    """Compile, in as many processes, what has changed of the project and of the tests that pytest
    was called for."""
    called_for = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    tests = [
        path
        for path in sorted((REPO / "tests").rglob("*.py"))
        if not path.name.startswith("test_")
        or any(part in called_for for part in (path, *path.parents))
    ]
    files = [*sorted((REPO / "medlens").rglob("*.py")), *tests]
    children = []
    for share in (files[at::processes] for at in range(processes)):
        child = os.fork()
        if not child:
            try:
                compile_files(config, share)
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def compile_files(config: pytest.Config, files: Iterable[Path]) -> list[Path]:
    """Compile those that have changed, tests as pytest does, and return the tests among these. A
    file that is no Python is left for pytest to tell."""
    return [
        path
        for path in files
        if (_compile_test(config, path) if _is_test(path) else _compile_module(path))
    ]


def _is_test(path: Path) -> bool:
    return path.name == "conftest.py" or path.name.startswith("test_")


def _compile_module(path: Path) -> bool:
    compileall.compile_file(path, quiet=2)
    return False


def _compile_test(config: pytest.Config, path: Path) -> bool:
    written = bytecode_of_test(path)
    with contextlib.suppress(SyntaxError, ValueError, OSError):
        if rewrite._read_pyc(path, written) is None:
            written.parent.mkdir(exist_ok=True)
            source_hash, code = rewrite._rewrite_test(path, config)
            state = config.stash[rewrite.assertstate_key]
            return rewrite._write_pyc(state, code, source_hash, written)
    return False


def bytecode_of_test(path: Path) -> Path:
    """Where pytest keeps the bytecode of a file of tests."""
    return Path(rewrite.get_cache_dir(path)) / (path.name.removesuffix(".py") + rewrite.PYC_TAIL)
