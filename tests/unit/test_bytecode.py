"""The bytecode of tests is written before several processes begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from tests.bytecode import bytecode_of_test, compile_files


def test_a_test_is_compiled_as_pytest_does_once_until_it_changes(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    test = tmp_path / "test_sum.py"
    test.write_text("def test_sum():\n    assert sum([1, 1]) == 2\n")
    assert compile_files(pytestconfig, [test]) == [test]
    code = rewrite._read_pyc(test, bytecode_of_test(test))
    # What tells the values of an assertion that fails stands in it.
    assert code is not None
    assert "@pytest_ar" in code.co_names
    assert compile_files(pytestconfig, [test]) == []
    test.write_text("def test_sum():\n    assert sum([1, 2]) == 3\n")
    assert compile_files(pytestconfig, [test]) == [test]


def test_a_module_is_compiled_as_python_does(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    module = tmp_path / "numbers_of.py"
    module.write_text("one = 1\n")
    compile_files(pytestconfig, [module])
    assert [path.name.partition(".")[0] for path in tmp_path.glob("__pycache__/*")] == [
        "numbers_of"
    ]


def test_a_file_that_is_no_python_is_left_for_pytest_to_tell(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    broken = [tmp_path / "test_broken.py", tmp_path / "broken.py"]
    for path in broken:
        path.write_text("def (")
    assert compile_files(pytestconfig, broken) == []
    assert compile_files(pytestconfig, [tmp_path / "test_gone.py"]) == []
