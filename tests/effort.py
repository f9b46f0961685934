"""What work costs beside a plain loop in the same process, so that no slow machine fails a test.

For work that must not grow with the square of what it is given: seconds belong to ``make bench``.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def effort(work: Callable[[], object]) -> float:
    """How many times the processor time of a loop of 100,000 steps ``work`` takes.

    The loop runs right before and after, and the slower of the two counts.
    """
    before = _seconds(_loop)
    spent = _seconds(work)
    return spent / max(before, _seconds(_loop))


def _loop() -> int:
    return sum(n * n for n in range(100_000))


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
