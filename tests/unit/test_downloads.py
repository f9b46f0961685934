"""Files made at the press of a button: what is told where they cannot be made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from unittest.mock import AsyncMock

import pytest
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.runtime.media_file_storage import MediaFileStorageError

from medlens.errors import InvalidInput
from medlens.ui.session_bound_downloads import Made


class Files:
    """Streamlit's manager of such files, as far as it is asked."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make

    def execute_deferred(self, _file: str) -> str:
        try:
            return self._make()
        except Exception as error:
            raise MediaFileStorageError(f"Callable execution failed: {error}") from error


def answer(make: Callable[[], str]) -> Any:
    request = BackendOperationRequest(request_id="r1")
    request.deferred_file.file_id = "f1"
    made = Made(lambda: Files(make), AsyncMock())  # type: ignore[arg-type, return-value]
    return asyncio.run(made.handle(request, "session"))


def refuse() -> str:
    raise InvalidInput("There is no dataset 'x'.", hint="See the Data page.")


def test_a_file_that_is_made_is_told_by_its_address() -> None:
    done = answer(lambda: "/media/f.csv")
    assert (done.request_id, done.deferred_file.url, done.error_msg) == ("r1", "/media/f.csv", "")


def test_a_file_that_cannot_be_made_says_why_and_what_to_do() -> None:
    assert answer(refuse).error_msg == "There is no dataset 'x'. See the Data page."


def test_a_fault_of_ours_names_the_log_and_quotes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = answer(lambda: str(1 / 0)).error_msg
    assert "could not be made" in said
    assert "division" not in said
    assert "division by zero" in caplog.text
