"""Makes questions from a file of edges: what is read, refused, left out and made."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from medlens.deferred_module import pa
from medlens.errors import BadFile, BadRow, InvalidInput
from medlens.store import duckdb_engine
from medlens.studies.ebmqa.graph import edge_file_merging_and_check_queries
from medlens.studies.ebmqa.graph import question_generation_queries as asking
from medlens.studies.ebmqa.graph.low_high_thresholds import (
    ClassRanges,
    convert_integer_units_to_number,
    find_low_and_high_class_ranges,
)
from medlens.studies.ebmqa.graph.vocabulary import BAD, LEFT_OUT, OPTIONAL, REQUIRED
from medlens.tables import require_readable_file

_LISTED = 20
_CUT = {"MISSING COLUMNS": "fewer", "TOO MANY COLUMNS": "more"}
_MEMORY = 3 * 2**30
"""What DuckDB may hold before it spills to disk; the result comes on top."""


@dataclass(frozen=True)
class MadeQuestions:
    """The result for a graph. ``questions`` are for
    ``question_set_inserts_and_queries.add_question_set_and_return_added``; ``refused`` counts bad
    edges and ``left_out`` sound ones that give no question, by reason; ``bad_rows`` lists the first
    bad ones. ``ranges`` are the options of each numeric type. ``turned`` counts edges whose types
    show that source and target are swapped, ``turned_lines`` has the first lines. ``beside`` has,
    by question, the further columns of its edges.
    """

    questions: pa.Table
    edges: int
    refused: Mapping[str, int]
    left_out: Mapping[str, int]
    bad_rows: tuple[BadRow, ...]
    ranges: tuple[ClassRanges, ...]
    turned: int = 0
    turned_lines: tuple[int, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def report_lines(self) -> list[str]:
        """The report for people: counts, with every reason."""
        said = [f"{len(self.questions):,} questions from {self.edges:,} edges."]
        said += [f"Left out: {_edges(n)}, {LEFT_OUT[why]}." for why, n in self.left_out.items()]
        for why, n in self.refused.items():
            column, expected = BAD[why]
            where = f"column {column!r}: " if column else ""
            said.append(f"Refused: {_edges(n)}, {where}expected {expected}.")
        if self.turned:
            lines = ", ".join(map(str, self.turned_lines))
            more = ", …" if self.turned > len(self.turned_lines) else ""
            word = "line" if self.turned == 1 else "lines"
            said.append(
                f"Reversed: {_edges(self.turned)}, since the types show that source and target"
                f" are swapped (the source is the disorder, the target its sign): {word}"
                f" {lines}{more}."
            )
        said += [f"{one.qa_type}: {one.flag}." for one in self.ranges if one.flag]
        return said

    def values_by_name_to_store_with_questions(self) -> dict[str, Any]:
        """What is stored with the question set about how it was made."""
        return {
            "edges": self.edges,
            "refused": dict(self.refused),
            "left_out": dict(self.left_out),
            "turned": self.turned,
            "ranges": {
                one.qa_type: one.values_by_name_to_store_with_questions for one in self.ranges
            },
            **self.labels,
        }


def make_questions_from_edge_file(path: Path, *, skip_bad: bool = False) -> MadeQuestions:
    """Make the questions of a graph: a CSV or Parquet file of edges.

    Raises:
        BadFile: no such file, a column missing, or bad edges (unless ``skip_bad``).
        InvalidInput: no question can be made from it.
    """
    require_readable_file(path, path.name)
    with tempfile.TemporaryDirectory(prefix="medlens-graph-") as folder:
        db = duckdb_engine.open_duckdb(
            memory_limit=f"{_memory() // 2**20}MiB",
            temp_directory=folder,
            preserve_insertion_order=False,
        )
        try:
            return _made(db, path, skip_bad)
        except duckdb.InvalidInputException as error:
            raise _unreadable(path, error) from error
        except duckdb.OutOfMemoryException as error:
            raise InvalidInput(
                f"{path.name}: the graph does not fit here: {str(error).splitlines()[0]}",
                hint="Free some disk space for temporary files, or split the graph.",
            ) from error
        finally:
            db.close()


def _memory() -> int:
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(_MEMORY, int(0.6 * whole))


def _unreadable(path: Path, error: duckdb.Error) -> BadFile:
    if line := _ends_otherwise(path):
        return BadFile(
            f"{path.name}, line {line}: it ends with another kind of line break than the lines"
            " before.",
            hint="Save the file with one kind of line break throughout.",
        )
    said = str(error).splitlines()[0]
    if "sniffing" in said:
        said = "it is not a table with commas between the cells."
    return BadFile(f"{path.name} cannot be read: {said}", hint="Save it as CSV or Parquet again.")


def _ends_otherwise(path: Path) -> int:
    """The first line of a text file that ends in LF after CR LF, or vice versa; 0: none."""
    with path.open("rb") as stream:
        first = stream.readline().endswith(b"\r\n")
        for line, text in enumerate(stream, start=2):
            if text.endswith(b"\n") and text.endswith(b"\r\n") != first:
                return line
    return 0


def _made(db: duckdb.DuckDBPyConnection, path: Path, skip_bad: bool) -> MadeQuestions:
    edge_file_merging_and_check_queries.create_lookup_tables(db)
    with path.open("rb") as stream:
        parquet = stream.read(4) == b"PAR1"
    if parquet:
        source = edge_file_merging_and_check_queries.parquet_table_function_sql(path)
        found = edge_file_merging_and_check_queries.column_names_of_source(db, source)
    else:
        found = _header(path)
        source = edge_file_merging_and_check_queries.csv_table_function_sql(path)
    columns = _columns(path, found)
    beside = [one for one in found if one.strip() and one not in columns.values()]
    edge_file_merging_and_check_queries.create_edge_and_kind_tables(
        db, source, columns, beside, keep=not parquet
    )
    counts, turned = edge_file_merging_and_check_queries.orient_and_merge_edges_and_count_by_reason(
        db
    )
    broken, cut = edge_file_merging_and_check_queries.count_and_list_unsplit_csv_rows(
        db, most=_LISTED
    )
    refused = {why[1:]: n for why, n in counts.items() if why.startswith("!")}
    if broken:
        refused["cells"] = broken
    refused = {why: refused[why] for why in BAD if why in refused}
    bad_rows: tuple[BadRow, ...] = ()
    if refused:
        bad_rows = _bad_rows(db, source, columns, path, cut, parquet=parquet)
        if not skip_bad:
            raise _refusal(path, sum(refused.values()), bad_rows)
    sides = edge_file_merging_and_check_queries.compute_median_and_mad_of_sides_by_type(db)
    around = partial(edge_file_merging_and_check_queries.find_nearest_values_around_number, db)
    ranges = tuple(
        filter(
            None,
            (
                find_low_and_high_class_ranges(qa_type, found, around)
                for qa_type, found in sides.items()
            ),
        )
    )
    spread = edge_file_merging_and_check_queries.create_tables_and_summarise_prevalences(db)
    left_out = Counter({why: n for why, n in counts.items() if why in LEFT_OUT})
    left_out.update(asking.make_numeric_questions_and_omitted_by_reason(db, ranges))
    left_out.update(asking.make_semantic_questions_and_losses_by_reason(db))
    median, mad = asking.median_and_mad_of_question_lengths(db)
    made = asking.arrow_table_of_generated_questions(db, short=median - mad, long=median + mad)
    edges = sum(counts.values()) + broken
    if not len(made):
        why = "; ".join(f"{n:,}: {LEFT_OUT[w]}" for w, n in left_out.items())
        raise InvalidInput(
            f"{path.name}: no question can be made of its {edges:,} edges"
            + (f" ({why})." if why else "."),
            hint="Numeric types need edges of at least two different values.",
        )
    labels: dict[str, Any] = {"length": {"median": median, "mad": mad}}
    if spread:
        labels["prevalence"] = {
            "median": convert_integer_units_to_number(spread[0]),
            "mad": convert_integer_units_to_number(spread[1]),
            "disorders": spread[2],
        }
    kept = {why: left_out[why] for why in LEFT_OUT if left_out[why]}
    lines: list[int] = []
    if turned:
        lines = edge_file_merging_and_check_queries.find_lines_of_swapped_edges(
            db, source, columns, most=_LISTED
        )
        if not parquet:
            lines = _lines_of(path, lines, passing={line for line, _ in cut})
    told = (
        edge_file_merging_and_check_queries.list_question_names_and_further_columns_json(db, beside)
        if beside
        else []
    )
    names = set(made["name"].to_pylist()) if told else set()
    came_with = {name: json.loads(body) for name, body in told if name in names}
    return MadeQuestions(
        *(made, edges, refused, kept, bad_rows, ranges, turned, tuple(lines), labels), came_with
    )


def _header(path: Path) -> list[str]:
    """The columns of a CSV file."""
    with path.open("rb") as stream:
        raw = stream.readline(1_000_000)
    if not raw.strip():
        raise BadFile(f"{path.name} is empty.", hint="Is it the right file?")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(
            f"{path.name}, line 1 is not UTF-8.", hint="Save the file as UTF-8 and try again."
        ) from error
    return next(csv.reader([text]), [])


def _columns(path: Path, found: Sequence[str]) -> dict[str, str | None]:
    """The file's own names for the columns that are read; None for a missing optional one."""
    normal = {name.strip().casefold().replace(" ", "_"): name for name in found}
    missing = [name for name in REQUIRED if name not in normal]
    if missing:
        hint = f"Its columns are: {', '.join(found)[:200]}."
        for sign, word in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
            if len(found) <= 2 and sign in "".join(found):
                hint = f"They are separated by {word}: save the file with commas between them."
        columns = f"column {missing[0]} is" if len(missing) == 1 else f"columns {_and(missing)} are"
        raise BadFile(f"{path.name}, line 1: the {columns} missing.", hint=hint)
    return {name: normal.get(name) for name in (*REQUIRED, *OPTIONAL)}


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _bad_rows(
    db: duckdb.DuckDBPyConnection,
    source: str,
    columns: Mapping[str, str | None],
    path: Path,
    cut: Sequence[tuple[int, str]],
    *,
    parquet: bool,
) -> tuple[BadRow, ...]:
    """The first bad rows with their line numbers."""
    rows = [BadRow(path.name, line, *BAD["cells"], _CUT.get(what, what)) for line, what in cut]
    found = edge_file_merging_and_check_queries.list_refused_edges(
        db, source, columns, most=_LISTED
    )
    lines = [line for line, _, _ in found]
    if not parquet:
        lines = _lines_of(path, lines, passing={line for line, _ in cut})
    for line, (_, reason, got) in zip(lines, found, strict=True):
        column, expected = BAD[reason]
        rows.append(BadRow(path.name, line, column, expected, got))
    return tuple(sorted(rows, key=lambda row: row.line)[:_LISTED])


def _lines_of(path: Path, wanted: Sequence[int], *, passing: Set[int]) -> list[int]:
    """The line numbers of CSV records; the header, blank lines and ``passing`` are not counted."""
    found: dict[int, int] = {}
    count = 0
    with path.open("rb") as stream:
        for line, text in enumerate(stream, start=1):
            if line == 1 or line in passing or not text.strip():
                continue
            count += 1
            if count in wanted:
                found[count] = line
                if len(found) == len(set(wanted)):
                    break
    return [found.get(one, one) for one in wanted]


def _refusal(path: Path, n: int, bad: Sequence[BadRow]) -> BadFile:
    listed = [str(row) for row in bad]
    if n > len(bad):
        listed.append(f"… and {n - len(bad):,} more.")
    count = "1 edge is" if n == 1 else f"{n:,} edges are"
    return BadFile(
        "\n".join([f"{path.name}: {count} refused; nothing was made.", *listed]),
        hint="Correct the file, or leave bad edges out (--skip-bad).",
        rows=bad,
    )


def _edges(count: int) -> str:
    return f"{count:,} edge{'' if count == 1 else 's'}"
