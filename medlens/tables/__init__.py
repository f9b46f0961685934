"""Reads and writes files: CSV, JSON lines, JSON arrays and Parquet.

``iterate_rows_of_table_file`` turns any of them into rows that know their line, ``load`` turns rows
into records and collects every refused row, and ``write_table`` writes a frame or a ``PlainTable``,
which needs no pandas.
"""

from medlens.tables.check_rows_and_list_refused import (
    Loaded,
    RefusedRows,
    RowError,
    load_parsed_and_refused_rows,
)
from medlens.tables.column_reader import Held, read_columns_as_arrow_table
from medlens.tables.file_kind_and_lines import (
    Source,
    make_source_rereadable,
    name_of_source,
    require_readable_file,
)
from medlens.tables.file_schemas_import_requests_and_reports import (
    Column,
    Kind,
    Refused,
    Report,
    Request,
    names_of_required_columns,
    optional_columns,
)
from medlens.tables.formula_escape_and_restore import neutralise_formulas, restore_formulas
from medlens.tables.json_and_parquet_object_reader import RAW
from medlens.tables.read_limits import parse_json_value
from medlens.tables.row_reader import LINE, REASON, Row, iterate_rows_of_table_file
from medlens.tables.table_without_pandas import PlainTable
from medlens.tables.table_writer import Format, write_table

__all__ = [
    "LINE",
    "RAW",
    "REASON",
    "Column",
    "Format",
    "Held",
    "Kind",
    "Loaded",
    "PlainTable",
    "Refused",
    "RefusedRows",
    "Report",
    "Request",
    "Row",
    "RowError",
    "Source",
    "iterate_rows_of_table_file",
    "load_parsed_and_refused_rows",
    "make_source_rereadable",
    "name_of_source",
    "names_of_required_columns",
    "neutralise_formulas",
    "optional_columns",
    "parse_json_value",
    "read_columns_as_arrow_table",
    "require_readable_file",
    "restore_formulas",
    "write_table",
]
