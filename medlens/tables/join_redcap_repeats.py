"""Rows of REDCap's repeating instruments with what stands once in their record's own row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

_INSTRUMENT = frozenset({"redcap_repeat_instrument", "repeat instrument"})
_INSTANCE = frozenset({"redcap_repeat_instance", "repeat instance"})
_EVENT = frozenset({"redcap_event_name", "event name"})


def find_rows_with_redcap_repeats_joined_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows of an export from REDCap in which each repeat has the cells of its record's own
    rows, which are emptied, and what to tell of it; None for any other table, and if a record's own
    rows of one event contradict each other. Where its events differ, a repeat has the cell of its
    own event. Of several repeating instruments the one with the longest texts stays.
    """
    headings = [cell.strip().casefold() for cell in rows[header]]
    instrument = next((at for at, name in enumerate(headings) if name in _INSTRUMENT), None)
    instance = next((at for at, name in enumerate(headings) if name in _INSTANCE), None)
    event = next((at for at, name in enumerate(headings) if name in _EVENT), None)
    if instance is None:
        return None
    width = len(headings)
    body = {
        at: [*rows[at], *[""] * (width - len(rows[at]))]
        for at in range(header + 1, len(rows))
        if any(rows[at])
    }
    repeats = {at for at, row in body.items() if row[instance].strip()}
    records = defaultdict(list)
    for at in sorted(body.keys() - repeats):
        records[body[at][0].strip()].append(body[at])
    if not repeats or not records:
        return None
    named = {at: body[at][instrument].strip() if instrument is not None else "" for at in repeats}
    kept = _instrument_of_longest_texts(body, named, width)
    given: dict[str, _GivenOnce] = {}
    for record, own in records.items():
        by_event = _cells_by_event(own, event)
        if by_event is None:
            return None
        given[record] = by_event
    made = [list(row) for row in rows]
    joined, with_repeats, differing = 0, set(), set()
    for at, row in body.items():
        if at not in repeats or named[at] != kept:
            made[at] = [""] * width
            continue
        record = row[0].strip()
        with_repeats.add(record)
        made[at] = row
        if record not in given:
            continue
        joined += 1
        for column in [column for column, cell in enumerate(row) if not cell.strip()]:
            cell = _cell_given_once(given[record], column, row[event] if event is not None else "")
            if cell is None:
                differing.add(column)
            made[at][column] = cell or ""
    told = (
        "REDCap exports each repeat in a row of its own, without what its record has only once."
        f" {joined:,} {'row takes' if joined == 1 else 'rows take'} that from the record's own row,"
        " which is no item itself."
    )
    if differing:
        listed = ", ".join(f"“{rows[header][column].strip()}”" for column in sorted(differing))
        told += (
            f" {listed} {'differs' if len(differing) == 1 else 'differ'} between the events of a"
            " record: repeats of other events have no value there."
        )
    if others := Counter(name for name in named.values() if name != kept):
        listed = ", ".join(
            f"{name or 'a repeating event'} ({count:,} {'row' if count == 1 else 'rows'})"
            for name, count in sorted(others.items())
        )
        told += (
            f" Other repeats are left out: {listed}. To have them judged, export them from REDCap"
            " alone."
        )
    if bare := [record for record in given if record not in with_repeats]:
        told += (
            f" {len(bare):,} {'record has' if len(bare) == 1 else 'records have'} no repeat and"
            f" {'is' if len(bare) == 1 else 'are'} left out: {', '.join(bare[:3])}"
            f"{' and more' if len(bare) > 3 else ''}."
        )
    return made, told


_GivenOnce = Mapping[str, Mapping[int, str]]
"""The cells of a record's own rows, by event ("" without events) and column."""


def _cells_by_event(own: Sequence[Sequence[str]], event: int | None) -> _GivenOnce | None:
    """None if two rows of an event have different cells in a column."""
    found: dict[str, dict[int, str]] = {}
    for row in own:
        cells = found.setdefault(row[event] if event is not None else "", {})
        for column, cell in enumerate(row):
            if cell.strip() and cells.setdefault(column, cell) != cell:
                return None
    return found


def _cell_given_once(given: _GivenOnce, column: int, event: str) -> str | None:
    """What a record has in a column at an event, otherwise what it has there at all; None if its
    other events differ.
    """
    if cell := given.get(event, {}).get(column):
        return cell
    cells = {cells[column] for cells in given.values() if column in cells}
    return None if len(cells) > 1 else next(iter(cells), "")


def _instrument_of_longest_texts(
    body: Mapping[int, Sequence[str]], named: Mapping[int, str], width: int
) -> str:
    """The repeating instrument whose longest column has the most letters in a cell."""
    longest: dict[str, int] = defaultdict(int)
    for name in sorted({*named.values()}):
        own = [body[at] for at in named if named[at] == name]
        longest[name] = max(sum(len(row[column]) for row in own) for column in range(width)) // len(
            own
        )
    return max(longest, key=lambda name: longest[name])
