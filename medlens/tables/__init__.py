"""Reads and writes files: CSV, JSON lines, JSON arrays and Parquet.

``read_rows`` turns any of them into rows that know their line, ``load`` turns rows into records and
collects every refused row, and ``write_table`` writes a frame.
"""

from medlens.tables.check import Loaded, Refusals, RowError, load
from medlens.tables.columns import Held, read_columns
from medlens.tables.formula import neutralise, restore
from medlens.tables.kinds import Column, Kind, Refused, Report, Request, optional, required
from medlens.tables.limits import json_value
from medlens.tables.lines import Source, name_of, require_file, twice
from medlens.tables.objects import RAW
from medlens.tables.read import LINE, REASON, Row, read_rows
from medlens.tables.write import Format, write_table

__all__ = [
    "LINE",
    "RAW",
    "REASON",
    "Column",
    "Format",
    "Held",
    "Kind",
    "Loaded",
    "Refusals",
    "Refused",
    "Report",
    "Request",
    "Row",
    "RowError",
    "Source",
    "json_value",
    "load",
    "name_of",
    "neutralise",
    "optional",
    "read_columns",
    "read_rows",
    "require_file",
    "required",
    "restore",
    "twice",
    "write_table",
]
