"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from medlens.deferred_regex import compile_later


def test_a_deferred_pattern_matches_as_the_compiled_one_does() -> None:
    deferred, compiled = compile_later(r"(?P<n>\d+) mg", re.I), re.compile(r"(?P<n>\d+) mg", re.I)
    text = "Give 5 MG, then 10 mg."
    assert deferred.findall(text) == compiled.findall(text) == ["5", "10"]
    assert deferred.sub("x", text) == "Give x, then x."
    assert [match["n"] for match in deferred.finditer(text)] == ["5", "10"]
    assert deferred.search(text, 7)["n"] == "10"  # type: ignore[index]
    assert (deferred.pattern, deferred.flags, dict(deferred.groupindex)) == (
        compiled.pattern,
        compiled.flags,
        {"n": 1},
    )


def test_nothing_is_compiled_before_the_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def noted(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return real(pattern, flags)

    monkeypatch.setattr("medlens.deferred_regex.re.compile", noted)
    deferred = compile_later("a+b")
    assert compiled == []
    assert deferred.fullmatch("aab")
    assert deferred.fullmatch("ab")
    assert compiled == ["a+b"]


def test_what_no_pattern_has_is_refused() -> None:
    with pytest.raises(AttributeError, match="no 'serch'"):
        _ = compile_later("a").serch  # type: ignore[attr-defined]


@pytest.mark.deep
def test_every_deferred_pattern_of_the_package_can_be_compiled() -> None:
    said = subprocess.run(
        [sys.executable, "-c", _COMPILE_AT_ONCE], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert int(said.stdout) > 300


_COMPILE_AT_ONCE = """
import importlib, pkgutil, re
import medlens
from medlens import deferred_regex

written = []

def compile_now(pattern, flags=0):
    written.append(pattern)
    return re.compile(pattern, flags)

deferred_regex.compile_later = compile_now
for module in pkgutil.walk_packages(medlens.__path__, "medlens."):
    if not module.name.startswith(("medlens.ui", "medlens.__main__")):
        importlib.import_module(module.name)
print(len(written))
"""
