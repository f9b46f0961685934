"""The papers' numbers: what each says, where it is printed, and which of our figures it belongs to.

``data/published/STUDY.csv`` has one row per number, with these columns:

* ``study``, ``key``: the study, and the number's own name.
* ``what``: the number in words.
* ``value``, ``unit``: as printed; a drop has a minus.
* ``ours``: the same on the scale of our figure (a share from 0 to 1, a count, points), computed
  from printed counts if there are any; empty if only the words can be compared.
* ``printed_in``: the section, and after a semicolon the table or figure.
* ``figure``, ``group``: the row of ``export figures`` it belongs beside. In a group ``*`` matches
  anything, and `` | `` separates alternatives; capitals, spaces and hyphens make no difference.
* ``none_because``: why it belongs beside none of our figures; either this or ``figure``.
* ``protocol``: the protocol it was measured by, if a study has several.
* ``known_inconsistency``: what in the paper contradicts it.
"""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.errors import InvalidInput

FOLDER = SHIPPED / "data" / "published"
COLUMNS = (
    *("study", "key", "what", "value", "unit", "ours", "printed_in", "figure", "group"),
    *("none_because", "protocol", "known_inconsistency"),
)
_SAID = ("", "count", "p", "OR")
"""Units that the number's text already includes."""


@dataclass(frozen=True, kw_only=True)
class PublishedNumber:
    """One of a paper's numbers; the fields are the columns of its file."""

    study: str
    key: str
    what: str
    value: str
    unit: str
    ours: float | None
    printed_in: str
    figure: str
    group: str
    none_because: str
    protocol: str
    known_inconsistency: str

    @property
    def number_with_unit(self) -> str:
        """The number with its unit, unless its text has it already; with a real minus sign."""
        said = self.value
        if self.unit not in _SAID and self.unit not in said:
            number, space, rest = said.partition(" ")
            rest = space + rest
            said = f"{number} {self.unit}{rest}" if rest[1:2] in "[(" else f"{said} {self.unit}"
        return re.sub(r"(?<![\d(])-(?=\d)", "−", re.sub(r"(?<=\d)-(?=\d)", "–", said))

    @property
    def number_with_source_and_fault(self) -> str:
        """The number with its place in the paper and what is known to be wrong with it."""
        odd = f"; known inconsistency: {self.known_inconsistency}"
        return f"{self.number_with_unit}, {self.printed_in}{odd * bool(self.known_inconsistency)}"

    def does_belong_to_group(self, group: str) -> bool:
        """Whether it belongs beside this group of its figure."""
        return any(fnmatchcase(_plain(group), one) for one in self._patterns)

    @functools.cached_property
    def _patterns(self) -> tuple[str, ...]:
        return tuple(_plain(one).replace("[", "[[]") for one in self.group.split(" | "))


def published_numbers_of_study(study: str) -> tuple[PublishedNumber, ...]:
    """A study's numbers in file order; none if it has no file.

    Raises:
        InvalidInput: a row does not say where it is printed, or has no figure and does not say why,
            or a key occurs twice.
    """
    file = FOLDER / f"{study}.csv"
    return _read(file, file.stat().st_mtime_ns) if file.exists() else ()


def published_numbers_by_figure(
    study: str, rows: Iterable[tuple[str, str]]
) -> Mapping[tuple[str, str], list[PublishedNumber]]:
    """The published numbers of each (figure, group); those without any are left out.

    A row with several published numbers has them all, in file order.
    """
    by_figure = _by_figure(published_numbers_of_study(study))
    found = {}
    for figure, group in dict.fromkeys(rows):
        there = [one for one in by_figure.get(figure, ()) if one.does_belong_to_group(group)]
        if there:
            found[figure, group] = there
    return found


@functools.lru_cache(maxsize=8)
def _by_figure(numbers: tuple[PublishedNumber, ...]) -> Mapping[str, tuple[PublishedNumber, ...]]:
    figures = dict.fromkeys(one.figure for one in numbers if one.figure)
    return {name: tuple(one for one in numbers if one.figure == name) for name in figures}


@functools.lru_cache(maxsize=8)
def _read(file: Path, _changed: int) -> tuple[PublishedNumber, ...]:
    with file.open(encoding="utf-8", newline="") as opened:
        found = [_row(file, line, row) for line, row in enumerate(csv.DictReader(opened), 2)]
    twice = {one.key for one in found if sum(other.key == one.key for other in found) > 1}
    if twice:
        raise InvalidInput(f"{file.name} has {', '.join(sorted(twice))} twice.")
    return tuple(found)


def _row(file: Path, line: int, row: Mapping[str, str]) -> PublishedNumber:
    where = f"{file.name}, line {line}"
    missing = [name for name in COLUMNS if row.get(name) is None]
    if missing:
        raise InvalidInput(f"{where}: {', '.join(missing)} is missing.")
    empty = [name for name in ("key", "what", "value", "printed_in") if not row[name]]
    if empty:
        raise InvalidInput(f"{where}: {', '.join(empty)} is empty.")
    if bool(row["figure"]) is bool(row["none_because"]):
        raise InvalidInput(f"{where}: name the figure it stands beside, or why there is none.")
    given = {name: row[name] for name in COLUMNS if name != "ours"}
    try:
        return PublishedNumber(**given, ours=float(row["ours"]) if row["ours"] else None)
    except ValueError as error:
        raise InvalidInput(f"{where}: {row['ours']!r} is not a number.") from error


@functools.lru_cache(maxsize=4096)
def _plain(group: str) -> str:
    return re.sub(r"[\s_-]", "", group).casefold()
