"""Which cases of a test with many are quick."""

from __future__ import annotations

from typing import cast

import pytest

from tests.conftest import leave_first_cases_quick


class Case:
    """A case of a test, as pytest collects it."""

    def __init__(self, name: str, *marks: str) -> None:
        self.nodeid, self.marks = f"tests/test_a.py::{name}", list(marks)

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None

    def add_marker(self, name: str) -> None:
        self.marks.append(name)


def deep_of(*cases: Case) -> list[str]:
    """The names of the cases that are deep in the end."""
    leave_first_cases_quick(cast(list[pytest.Item], list(cases)))
    return [case.nodeid.rpartition("::")[2] for case in cases if "deep" in case.marks]


def test_of_the_cases_of_a_test_that_is_so_marked_the_first_alone_is_quick() -> None:
    cases = [Case(f"test_{test}[{n}]", "first_quick") for test in "ab" for n in range(3)]
    assert deep_of(*cases) == ["test_a[1]", "test_a[2]", "test_b[1]", "test_b[2]"]


def test_the_cases_of_every_other_test_are_quick() -> None:
    assert deep_of(Case("test_a[0]"), Case("test_a[1]"), Case("test_b", "first_quick")) == []


def test_the_first_case_is_the_first_that_is_not_deep_in_itself() -> None:
    cases = [Case("test_a[0]", "deep", "first_quick")]
    cases += [Case(f"test_a[{n}]", "first_quick") for n in (1, 2)]
    assert deep_of(*cases) == ["test_a[0]", "test_a[2]"]
