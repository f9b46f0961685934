"""Rows of REDCap's repeating instruments with what stands once in their record's own row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

_INSTRUMENT = frozenset({"redcap_repeat_instrument", "repeat instrument"})
_INSTANCE = frozenset({"redcap_repeat_instance", "repeat instance"})


def find_rows_with_redcap_repeats_joined_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows of an export from REDCap in which each repeat has the cells of its record's own row,
    which is emptied, and what to tell of it; None for any other table, and if a record's own rows
    contradict each other. Of several repeating instruments the one with the longest texts stays.
    """
    headings = [cell.strip().casefold() for cell in rows[header]]
    instrument = next((at for at, name in enumerate(headings) if name in _INSTRUMENT), None)
    instance = next((at for at, name in enumerate(headings) if name in _INSTANCE), None)
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
    for at in body.keys() - repeats:
        records[body[at][0].strip()].append(at)
    if not repeats or not records:
        return None
    named = {at: body[at][instrument].strip() if instrument is not None else "" for at in repeats}
    kept = _instrument_of_longest_texts(body, named, width)
    once: dict[str, dict[int, str]] = {}
    for record, own in records.items():
        filled: dict[int, str] = {}
        for at in sorted(own):
            for column, cell in enumerate(body[at]):
                if cell.strip() and filled.setdefault(column, cell) != cell:
                    return None
        once[record] = filled
    made = [list(row) for row in rows]
    joined, with_repeats = 0, set()
    for at, row in body.items():
        if at in repeats and named[at] == kept:
            record = row[0].strip()
            given = once.get(record, {})
            made[at] = [
                cell if cell.strip() else given.get(column, "") for column, cell in enumerate(row)
            ]
            joined += 1
            with_repeats.add(record)
        else:
            made[at] = [""] * width
    told = (
        f"REDCap wrote a record's repeats into rows of their own: {joined:,}"
        f" {'row takes' if joined == 1 else 'rows take'} what the record's first row has, which is"
        " no row of its own now."
    )
    if others := sorted({*named.values()} - {kept}):
        left = sum(one != kept for one in named.values())
        told += (
            f" Another instrument repeats, too ({', '.join(others)}):"
            f" its {left:,} {'row is' if left == 1 else 'rows are'} left out."
        )
    if bare := [record for record in once if record not in with_repeats]:
        told += (
            f" {len(bare):,} {'record has' if len(bare) == 1 else 'records have'} no repeat and"
            f" {'is' if len(bare) == 1 else 'are'} left out: {', '.join(bare[:3])}"
            f"{' and more' if len(bare) > 3 else ''}."
        )
    return made, told


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
