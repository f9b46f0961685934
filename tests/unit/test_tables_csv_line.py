"""Lines of CSV that are written without the csv module."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from medlens.tables.csv_line_writer import format_csv_line

CELLS = st.lists(st.text(st.sampled_from([*"a ,\"\n\r;'=é\t"])))


@given(CELLS)
def test_a_line_is_what_the_csv_module_writes(cells: list[str]) -> None:
    out = io.StringIO()
    # The module quotes what stands at the end of its own lines: here both signs.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    assert format_csv_line(cells) == out.getvalue().removesuffix("\r\n") + "\n"
