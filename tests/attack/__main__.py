"""``python -m tests.attack [SUITE ...] [--short]``: exit code 0 if nothing got through."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import traceback

from tests.attack.counts import Counts, report

SUITES = {
    "pages": "hostile strings in every field, on every view, in Chromium",
    "authorization": "every page, callback, upload and download by who should not have it",
    "files": "damaged files of every kind, imported",
    "command_channel": "forged jobs, links and path tricks in the inbox",
    "faults": "a full disk, a store that cannot be written, dead endpoints, clocks that jump",
    "kills": "kill -9 under load, with no clean stop ever",
}


def main() -> int:
    """Run the suites, print what each tried and what got through, and return the exit code."""
    listed = "\n".join(f"  {name:<20}{what}" for name, what in SUITES.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.attack",
        description=__doc__,
        epilog=f"suites:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="SUITE", help="which ones (default: all)")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--short", action="store_true", help="as in the tests")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.names if name not in SUITES]:
        parser.error(f"no suite is called {unknown[0]!r}")
    tried, found = 0, 0
    for name in chosen.names or SUITES:
        print(f"{name}: {SUITES[name]} …", file=sys.stderr, flush=True)
        begun = time.perf_counter()
        try:
            suite = importlib.import_module(f"tests.attack.{name}")
            counts: Counts = suite.run(chosen.seed, "short" if chosen.short else "full")
        except Exception as error:  # noqa: BLE001  (the others are still to run)
            traceback.print_exc()
            counts = Counts(found=[f"the suite broke: {type(error).__name__}: {error}"])
        print(report(name, counts, time.perf_counter() - begun), flush=True)
        tried += sum(counts.tried.values())
        found += len(counts.found)
    print(f"\n{tried:,} attacks tried, {found} got through; seed {chosen.seed}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
