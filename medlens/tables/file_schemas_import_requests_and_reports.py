"""A kind of file, declared once: its columns, their meaning, and their allowed values.

The declaration decides how a file is recognised and read and what is refused by line and column,
and gives the data dictionary (``docs/files.md``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal

from medlens.errors import BadRow
from medlens.tables.file_kind_and_lines import Source
from medlens.tables.row_reader import Row

Type = Literal[
    "text", "name", "word", "whole", "number", "truth", "moment", "list", "array", "object"
]
TYPES: Mapping[Type, str] = {
    "text": "text",
    "name": "text",
    "word": "one of",
    "whole": "whole number",
    "number": "number",
    "truth": "true or false",
    "moment": "date and time (ISO 8601)",
    "list": "list",
    "array": "JSON list",
    "object": "JSON object",
}
"""What a column holds: a ``name`` is a text without the white space around it, a ``word`` one of
those allowed, in any capitals; a ``list`` comes as one, or as a text in CSV."""

Progress = Callable[[int], object] | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a kind of file.

    Attributes:
        means: what it holds, for the data dictionary.
        needed: a file without it is refused.
        filled: what every row must have in it, in the words of its refusal; empty if cells may be.
        allowed: the allowed words.
        least, most: the smallest and the largest number.
        empty: what an empty cell means.
        unit: the unit of a number.
        pages: it holds whole pages or documents, which may be longer than other cells.
    """

    name: str
    type: Type
    means: str
    needed: bool = False
    filled: str = ""
    allowed: Sequence[str] = ()
    least: float = 0
    most: float = math.inf
    empty: Any = None
    unit: str = ""
    pages: bool = False

    @property
    def expected_content_in_words(self) -> str:
        """What the column should contain, in the words of a refusal."""
        if self.type == "word":
            *others, last = [*self.allowed, *([] if self.filled else ["nothing"])]
            return f"{', '.join(others)} or {last}" if len(others) < 3 else self._one_of
        if self.type in ("whole", "number"):
            kind = "a whole number" if self.type == "whole" else "a number"
            if self.most < math.inf:
                return f"{kind} from {self.least:,.9g} to {self.most:,.9g}"
            return f"{kind} of at least {self.least:g}"
        return {"truth": "true or false", "text": "a text", "name": "a text"}.get(
            self.type, f"a {TYPES[self.type]}"
        )

    @property
    def _one_of(self) -> str:
        return f"one of {', '.join(self.allowed)}" + ("" if self.filled else ", or nothing")


ILLUSTRATIVE = Column("illustrative", "name", "true where a row is made up for a demo")
DATASET = Column("dataset", "name", "where the rows go, unless it is said on importing them")
COMMON = (DATASET, ILLUSTRATIVE)
"""Columns that every kind may have."""


@dataclass(frozen=True)
class Request:
    """An import to do. ``name`` is the file's; ``label`` names references (``--name``).

    Rows go into ``dataset``, whatever they say themselves. ``on_row`` is given each row as it is
    read, before the importer is, where an importer reads row by row.
    """

    source: Source
    name: str
    dataset: str
    label: str = ""
    skip_bad: bool = False
    progress: Progress = None
    revising: Revising | None = None
    on_row: Callable[[Row], object] | None = None

    @property
    def reading_options(self) -> dict[str, Any]:
        """How its file is read, for ``load_parsed_and_refused_rows``."""
        return {
            "name": self.name,
            "skip_bad": self.skip_bad,
            "progress": self.progress,
            "on_row": self.on_row,
        }


@dataclass(frozen=True)
class Revising:
    """What a lead wants where a file is imported again that was changed since.

    ``changed``: leave changed items as they are, correct them as a ``typing`` error or as a changed
    ``meaning``; empty: refuse the file. ``missing``: leave the items that the file lacks, or
    ``withdraw`` them. ``reason`` is kept with both, ``by`` is who wants it (a rater's id). In a
    ``preview`` nothing is refused: it says what there is to choose.
    """

    changed: Literal["", "leave", "typing", "meaning"] = ""
    missing: Literal["leave", "withdraw"] = "leave"
    reason: str = ""
    by: str = ""
    preview: bool = False


@dataclass(frozen=True)
class Compared:
    """How the items of a file compare with those of the dataset: counts, and the names of the first
    ``changed`` and ``missing`` ones; ``follows`` says what correcting or withdrawing them does to
    the work on them, and ``difference``, behind its name, what is another in the first changed one.
    """

    new: int = 0
    same: int = 0
    changed: int = 0
    missing: int = 0
    changed_names: tuple[str, ...] = ()
    missing_names: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    difference: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused row, as it is in the file, and why."""

    row: Row
    problem: BadRow


@dataclass(frozen=True)
class Report:
    """What an import did.

    ``what`` names the things counted, and ``one`` a single one if that is not ``what`` without its
    s. ``items`` are the ids of the items that it added, if it adds nothing else.
    """

    what: str
    added: int
    known: int
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()
    one: str = ""
    compared: Compared | None = None
    items: tuple[str, ...] = ()

    @property
    def noun_for_added_things(self) -> str:
        """The name for what was added, singular or plural."""
        return self.what if self.added != 1 else self.one or self.what.removesuffix("s")


TABLES_OF_ITEMS = frozenset(
    (
        *("item", "item_alias", "item_further"),
        # Where a file is imported again: corrected, withdrawn or brought back, and who is told.
        *("item_version", "item_withdrawal", "gold", "remark"),
    )
)
"""The tables that a file of items may add rows to."""
TABLES_OF_JUDGMENTS = frozenset(("rater", "judgment"))
"""The tables that a file of judgments may add rows to."""

Importer = Callable[[Any, Any, Request], Report]
"""Imports a file into the store (the first argument); the second is the study, opened."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of file that can be imported.

    Attributes:
        title: what it is, on one line.
        read: imports its rows.
        looks: its columns in a sentence, for someone who wonders whether a file is of this kind.
        columns: what it holds; ``more`` gives further columns that count, if there are any.
        known_by: sets of columns, in lower case, any of which identifies a file; among several
            kinds the one with the most wins. By default the columns a file must have; empty if a
            file is never recognised by its columns.
        judgments: judgments as MedLens exports them, which name their study.
        apostrophes: apostrophes that MedLens writes before formulas are removed again.
        about: the name of the item a row is about, from the opened study and the row's cells; the
            file's further columns are kept with it (``review.further_columns_of_imported_items``).
        becoming: of rows that become items only later: which of these names the store has in a
            dataset.
        asks: whether the opened study asks for a column that is not in ``columns``.
        writes: the tables that its rows may go to; everything else is refused. By default those
            of items, or of judgments if it has these.
        cleaned: a row's cells as the opened study wants further columns to be kept, or None for a
            row that it leaves out.
    """

    title: str
    read: Importer
    looks: str
    columns: Sequence[Column]
    more: str = ""
    known_by: Sequence[Set[str]] | None = None
    judgments: bool = False
    apostrophes: bool = True
    about: Callable[[Any, Mapping[str, Any]], str] | None = None
    becoming: Callable[[Any, str, Sequence[str]], Sequence[str]] | None = None
    asks: Callable[[Any, str], bool] | None = None
    cleaned: Callable[[Any, Mapping[str, Any]], Mapping[str, Any] | None] | None = None
    writes: Set[str] | None = None

    @property
    def tables_rows_may_go_to(self) -> Set[str]:
        """The tables that its rows may go to."""
        usual = TABLES_OF_JUDGMENTS if self.judgments else TABLES_OF_ITEMS
        return usual if self.writes is None else self.writes

    @property
    def identifying_column_sets(self) -> Sequence[Set[str]]:
        """The sets of columns, any of which identifies a file."""
        if self.known_by is not None:
            return self.known_by
        needed = frozenset(map(str.casefold, names_of_required_columns(self.columns)))
        return (needed,) if needed and not self.judgments else ()


def names_of_required_columns(columns: Sequence[Column]) -> list[str]:
    """The columns that a file must have."""
    return [column.name for column in columns if column.needed]


def optional_columns(columns: Sequence[Column]) -> list[str]:
    """The columns that a file may have."""
    return [column.name for column in columns if not column.needed]


def names_of_whole_page_columns(columns: Sequence[Column]) -> frozenset[str]:
    """The columns that hold whole pages."""
    return frozenset(column.name for column in columns if column.pages)
