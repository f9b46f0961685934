"""What a suite tried, and what got through."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Size = Literal["full", "short"]
Run = Callable[[int, Size], "Counts"]


@dataclass
class Counts:
    """``tried`` by kind of attack; ``found`` is what got through, in words that lead back to it."""

    tried: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)

    def note(self, kind: str, problem: str = "") -> None:
        """An attack was tried; ``problem`` says what came of it, where something did."""
        self.tried[kind] += 1
        if problem:
            self.found.append(f"{kind}: {problem}")

    def expect(self, kind: str, what: str, *, refused: bool) -> None:
        """An attempt was made that should have been refused."""
        self.note(kind, "" if refused else what)


def report(name: str, counts: Counts, seconds: float) -> str:
    """What a suite did, in lines."""
    total = sum(counts.tried.values())
    head = f"{name}: {total:,} tried, {len(counts.found)} got through, {seconds:.0f} s"
    tried = [f"    {count:>7,}  {kind}" for kind, count in sorted(counts.tried.items())]
    return "\n".join([head, *tried, *(f"    FOUND  {one}" for one in counts.found[:50])])


def main(name: str, run: Run) -> int:
    """The ``__main__`` of one suite: prints its counts; exit code 1 where something got through."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.attack.{name}")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--short", action="store_true", help="as in the tests")
    chosen = parser.parse_args()
    begun = time.perf_counter()
    counts = run(chosen.seed, "short" if chosen.short else "full")
    print(report(name, counts, time.perf_counter() - begun))
    print(f"seed {chosen.seed}")
    return 1 if counts.found or not counts.tried else 0
