"""``python -m tests.bench [NAME ...] [--quick] [--json FILE]``: exit code 0 if all bars are met."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from tests.bench.rows import Options, Row, table

BENCHES = {
    "browser": "marks drawn, saved, and the next item shown, in Chromium",
    "desks": "an own study judged, and disagreements settled, by keys, in Chromium",
    "moves": "from Home to a desk, from task to task, a disagreement settled, in Chromium",
    "opened": "the tagging page opened until its text can be seen, in Chromium",
    "commands": "short commands on the demo: processor time",
    "handed_over": "everything as a zip, against a CSV by DuckDB; reports",
    "agreement": "agreement of 5,000 items by 5 raters; every two of 50 raters",
    "team": "a lead's Home and Team on 50 raters, 20 tasks, 200,000 judgments",
    "own_study": "an own study: 50,000 items imported, figures of 5,000 by 5 raters, the preview",
    "looked_at": "50,000 rows of 20 columns, and workbooks (.xlsx of 20 MB, .ods), looked at",
    "coverage": "how often every kind of interval holds the truth, by simulation",
    "active": "items checked where they tell most, against as many by chance, by simulation",
    "cpu": "server CPU per review rerun",
    "crowd": "50 sessions at once",
    "items_import": "58,000 items of an own study and of error tagging, each form, beside DuckDB",
    "bulk": "58,000 items: import, the tagging page on them, a restart",
    "ebmqa_generate": "questions from 300,000 edges, and from 20 million",
    "ebmqa_import": "a million answers imported",
    "ebmqa_page": "the Explore page on a million answers",
    "sessions": "1,000 sessions opened and closed: memory",
    "kinds": "each kind of file as CSV against the same rows as JSON lines",
    "gate": "58,000 items through the gate, hostile and good files beside people who work",
    "copying": "a million answers and 58,000 pairs copied: DuckDB to DuckDB and PostgreSQL",
    "kills": "kill -9 under load of 20 sessions, 50 times",
    "starts": "the start after 200 kills without a clean stop",
    "clinic": "an AgentClinic experiment against 200 ms of latency",
    "clinic_told": "what counts as told of a case: precision and recall on labelled pairs",
    "passages": "the passages lit on a page of 40,000 words, and their precision on labelled pairs",
    "llm_kills": "kill -9 of a run that asks models",
    "transcripts": "10,000 dialogues listed, turned over and read, in Chromium",
    "sourcecheckup_import": "SourceCheckup's 58,000 pairs: import of each form, and with sources",
    "sourcecheckup_page": "58,000 pairs: the next pair on the verification page, the figures",
    "sourcecheckup_pipeline": "SourceCheckup over 100 questions with models and pages at 200 ms",
}


def measure(name: str, options: Options) -> list[Row]:
    """One benchmark's rows; one that breaks is a row with a fault."""
    folder = options.folder / name
    folder.mkdir()
    try:
        module = importlib.import_module(f"tests.bench.{name}")
        rows: list[Row] = module.run(Options(folder=folder, quick=options.quick, seed=options.seed))
    except Exception as error:  # noqa: BLE001  (the others are still to run)
        traceback.print_exc()
        why = f"{type(error).__name__}: {error}"
        return [Row(f"{name}: did not run to its end", [], "none", faults=(why,))]
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks, print their table, and return the exit code."""
    listed = "\n".join(f"  {name:<24}{what}" for name, what in BENCHES.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=__doc__,
        epilog=f"benchmarks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which ones (default: all)")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, less certain figures")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there as well")
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.names if name not in BENCHES]:
        parser.error(f"no benchmark is called {unknown[0]!r}")
    # Told to end, it still has to end its servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # As medlens has it, before a benchmark imports numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start"
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="medlens-bench-") as folder:
        options = Options(folder=Path(folder), quick=chosen.quick, seed=chosen.seed)
        for name in chosen.names or BENCHES:
            print(f"{name}: {BENCHES[name]} …", file=sys.stderr, flush=True)
            rows += measure(name, options)
    print(table(rows))
    load += f", {os.getloadavg()[0]:.1f} at the end; seed {chosen.seed}"
    print(f"\n{load}{' (quick)' if chosen.quick else ''}")
    if chosen.json:
        found = {"machine": load, "quick": chosen.quick, "rows": [row.as_json() for row in rows]}
        chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
