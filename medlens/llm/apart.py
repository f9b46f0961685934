"""Runs asynchronous work to its end from ordinary code, even inside a running event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_to_end(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of the coroutine that ``work`` makes; its exceptions are raised here.

    If an event loop is already running in this thread (as in a notebook), the work gets its own
    thread.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    results: list[T] = []
    faults: list[BaseException] = []

    def alone() -> None:
        try:
            results.append(asyncio.run(work()))
        except BaseException as error:  # noqa: BLE001  (raised below, in the caller's thread)
            faults.append(error)

    thread = threading.Thread(target=alone, name="medlens-llm", daemon=True)
    thread.start()
    thread.join()
    if faults:
        raise faults[0]
    return results[0]
