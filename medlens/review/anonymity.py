"""Tables without the names of people: numbers instead, wherever a name, a handle, an e-mail address
or the id of a crowd platform stands.

People are a team's raters, and whoever the audit log knows by an e-mail address alone, such as
somebody who was refused or invited. Each has one number in all tables of a store, in headings and
in texts. It was drawn, and is kept in the store: rater ids are digests of handles, which anybody
who knows the handles can make, and put in order. Drawn ids stand for them. Identifiers are
Rows and lists that were in the order of names are in that of numbers: anybody who knows the team
could else count who has which. Identifiers are
replaced in cells and within texts, whatever their case and accents; a name of one word only where
it is written as it is (a reviewer called May must not change "may"). What people wrote can still
tell who they are in other words: read it before you hand it on.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import unicodedata
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from medlens.deferred_module import np, pd
from medlens.errors import Conflict
from medlens.store import Store

if TYPE_CHECKING:
    from numpy.typing import NDArray


_MARKS = "[\u0300-\u036f]*"
_LONG, _LONG_NUMBER, _RACES = 5, 8, 20
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_UUID, _VERSION = 36, 14
"""The length of an id, and the place in it of its version."""
_NOBODY = ""
_ID_COLUMNS = ("judgment_id", "rater_id")
"""The columns of exported tables with ids that may have been made from raters'."""
_PEOPLE_COLUMNS = ("rater", "rater_id", "rater_handle", "other_rater", "who", "group", "group_name")
_PAIR = ("rater", "other_rater")
"""The columns of tables that say whom a row is about; in a table of pairs, the two people."""
_ITEM_COLUMNS = ("item", "statement_id", "url", "response_id")
_AROUND_COLUMNS = (
    *("study", "dataset", "task", "form", "judge", "prompt", "variable"),
    *("study_title", "snapshot"),
)
"""The columns within which rows are ordered, by item and by person."""
_PERSON = re.compile(r"(?:person|rater) \d+")
_LISTED = re.compile(
    rf"(?:(?<=open to )|\A){_PERSON.pattern}(?:(?:, | and |; ){_PERSON.pattern})+\Z"
)
"""A list of people, by itself or at the end of what the audit log says of a round."""
_PERSONAL = ("SESSION_ID", "assignmentId")
"""What else a crowd platform's link says that belongs to one worker."""


class Anonymizer:
    """Replaces what identifies the people of a store; ``numbers`` are theirs, and ``ids`` what
    stands for theirs, by rater id.
    """

    def __init__(self, store: Store) -> None:
        people = store.rows(
            "select id, handle, name, coalesce(email, '') from rater where kind = 'person'"
        )
        drawn = person_number_by_rater_id_or_email(store)
        self.numbers = {id: str(drawn[id].number) for id, *_ in people}
        self.ids = {id: drawn[id].id for id, *_ in people}
        self._secret = drawn[_NOBODY].id.encode()
        self._exact: dict[str, str] = {}
        anywhere: dict[str, str] = {}
        as_written: dict[str, str] = {}
        for id, handle, name, email in people:
            number = f"person {self.numbers[id]}"
            for identifier in (handle, name, email):
                self._add(identifier, number, anywhere, as_written)
            self._exact[id] = as_written[id] = self.ids[id]
        workers = store.rows("select rater, worker, said from crowd_worker order by seq")
        for rater, worker, said in workers:
            if rater in self.numbers:
                link = json.loads(said)
                for identifier in (worker, *(str(link.get(name, "")) for name in _PERSONAL)):
                    self._add(identifier, f"person {self.numbers[rater]}", anywhere, as_written)
        known = {fold_case_and_accents(identifier) for identifier in (*anywhere, *as_written)}
        for person, of_person in drawn.items():
            if person not in self.numbers and person and fold_case_and_accents(person) not in known:
                self._add(person, f"person {of_person.number}", anywhere, as_written)
        self._patterns = [
            (_pattern(anywhere, regex_text_ignoring_case_and_accents), _folded_keys(anywhere)),
            (_pattern(as_written, re.escape), as_written),
        ]

    def _add(
        self, identifier: str, number: str, anywhere: dict[str, str], as_written: dict[str, str]
    ) -> None:
        identifier = identifier.strip()
        if not identifier:
            return
        self._exact.setdefault(identifier, number)
        if identifier.isdigit() and len(identifier) < _LONG_NUMBER:
            return  # Within a text it may be any number.
        distinctive = len(identifier) >= _LONG and re.search(r"[\W\d_]", identifier)
        (anywhere if distinctive else as_written).setdefault(identifier, number)

    def anonymise_text(self, text: str) -> str:
        """A text in which numbers stand for people; one that only lists them has them in the order
        of their numbers.
        """
        if text in self._exact:
            return self._exact[text]
        for pattern, numbers in self._patterns:
            if pattern is not None:
                text = pattern.sub(_by_number(numbers), text)
        return sort_numbered_people_in_text(text)

    def anonymise_row_id(self, id: str) -> str:
        """The id that stands for a row's own: the same for the same row, and nobody can make it
        without the store's secret. Only digests (version 5) are replaced: they may have been made
        from a rater's id.
        """
        if id in self.ids:
            return self.ids[id]
        if len(id) != _UUID or id[_VERSION] != "5":
            return id
        digest = blake2b(id.encode(), key=self._secret, digest_size=16).digest()
        return str(uuid.UUID(bytes=digest, version=5))

    def anonymise_cell_value(self, value: Any) -> Any:
        """A value of a cell: a text, or lists and objects that hold texts."""
        if isinstance(value, str):
            return self.anonymise_text(value)
        if isinstance(value, Mapping):
            return {
                self.anonymise_cell_value(key): self.anonymise_cell_value(held)
                for key, held in value.items()
            }
        if isinstance(value, (list, tuple, np.ndarray)):
            return [self.anonymise_cell_value(held) for held in value]
        return value

    def anonymise_table(self, table: pd.DataFrame) -> pd.DataFrame:
        """A table whose cells and heads name nobody. Where rows were in the order of names, they
        are in that of numbers.
        """
        table = self._in_order(table)
        replaced = table.copy()
        known: dict[str, str] = {}

        def cell(value: Any) -> Any:
            if not isinstance(value, str):
                return self.anonymise_cell_value(value)
            if value not in known:
                # In a JSON text a name with a quotation mark or an accent may stand escaped.
                is_json = value[:1] in ("[", "{") and "\\" in value
                known[value] = (
                    anonymise_json_text(self, value) if is_json else self.anonymise_text(value)
                )
            return known[value]

        for at in range(table.shape[1]):
            column = table.iloc[:, at]
            if table.columns[at] in _ID_COLUMNS:
                ids = column.map(self.anonymise_row_id, na_action="ignore")
                replaced.isetitem(at, np.asarray(ids, dtype=object))
                continue
            if column.dtype.kind in "biufcmM":
                continue
            if str(column.dtype) in ("Int64", "Float64", "boolean", "datetime64[us, UTC]"):
                continue
            replaced.isetitem(at, np.asarray(column.map(cell), dtype=object))
        return replaced.set_axis(
            [self.anonymise_cell_value(name) for name in table.columns], axis=1
        )

    def _in_order(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows, those of different people on the same item (or of one figure after another, for
        tables without items) in the order of people's numbers: names would order them, and so tell
        who has which number.
        """
        columns = [name for name in _PEOPLE_COLUMNS if name in table]
        if len(table) < 2 or not columns:
            return table
        if set(_PAIR) <= set(columns):
            table = self._pairs_in_order(table)
        people = self._people_in(table, columns)
        who = pd.factorize(pd.Series(people, dtype=object))[0]
        of_item = [name for name in _ITEM_COLUMNS if name in table]
        around = [name for name in _AROUND_COLUMNS if name in table] + _times_in_order(table)
        by_item = bool(of_item) and _runs(table, of_item).max() <= _changes(who).cumsum().max()
        segments = _runs(table, [*around, *of_item] if by_item else around)
        order = np.arange(len(table))
        group: list[int] = []
        seen: set[int] = set()

        def sort_group() -> None:
            # Models keep their places.
            order[group] = sorted(group, key=lambda row: people[row])
            group.clear()
            seen.clear()

        for row in range(len(table)):
            new = row == 0 or segments[row] != segments[row - 1]
            if not by_item:
                # Somebody who comes again begins the next group, such as that of the next figure.
                new |= not people[row] or (who[row] != who[row - 1] and who[row] in seen)
            if new:
                sort_group()
            if people[row]:
                group.append(row)
                seen.add(int(who[row]))
        sort_group()
        return table.take(order).reset_index(drop=True)

    def _people_in(self, table: pd.DataFrame, columns: Sequence[str]) -> list[tuple[int, ...]]:
        """The numbers of the people whom each row is about; none for models and all else."""

        @cache
        def numbers_in(cell: str) -> tuple[int, ...]:
            if cell in self.ids:
                return (int(self.numbers[cell]),)
            return tuple(map(int, re.findall(r"\bperson (\d+)\b", self.anonymise_text(cell))))

        cells = [
            [numbers_in(one) if isinstance(one, str) else () for one in table[name]]
            for name in columns
        ]
        by_row = zip(*cells, strict=True)
        return [tuple(dict.fromkeys(at for cell in row for at in cell)) for row in by_row]

    def _pairs_in_order(self, table: pd.DataFrame) -> pd.DataFrame:
        first, second = (self._people_in(table, [name]) for name in _PAIR)
        turned = [bool(one and two and one > two) for one, two in zip(first, second, strict=True)]
        one, two = (table[name].to_numpy(object) for name in _PAIR)
        swapped = (np.where(turned, two, one), np.where(turned, one, two))
        return table.assign(**dict(zip(_PAIR, swapped, strict=True)))


def _times_in_order(table: pd.DataFrame) -> list[str]:
    """The column of times that orders the rows, if one does: what was made at the same time, such
    as an imported file, can still be in the order of names.
    """
    for name in ("at", "judged_at"):
        if name in table and table[name].dtype.kind == "M" and table[name].nunique() > 1:
            times = table[name]
            is_ordered = times.is_monotonic_increasing or times.is_monotonic_decreasing
            return [name] if is_ordered else []
    return []


def _changes(codes: NDArray[np.intp]) -> NDArray[np.bool_]:
    return np.append(True, codes[1:] != codes[:-1])


def _runs(table: pd.DataFrame, columns: Sequence[str]) -> NDArray[np.intp]:
    """The number of the run of equal values in these columns that each row is in."""
    changes = np.zeros(len(table), dtype=bool)
    for name in columns:
        changes |= _changes(pd.factorize(table[name].map(str))[0])
    return np.cumsum(changes)


def sort_numbered_people_in_text(text: str) -> str:
    """A text that lists people by their numbers only, or ends with whom a round is open to, with
    these in order; any other text as it is.
    """

    def ordered(match: re.Match[str]) -> str:
        people, between = _PERSON.findall(match.group()), _PERSON.split(match.group())
        people.sort(key=lambda person: int(person.split()[1]))
        return "".join(a + b for a, b in zip(between, [*people, ""], strict=True))

    return _LISTED.sub(ordered, text)


class Drawn(NamedTuple):
    """What was drawn for a person: their number from 1 on, and the id that stands for their own."""

    number: int
    id: str


def person_number_by_rater_id_or_email(store: Store) -> dict[str, Drawn]:
    """What stands for each person in files without names: by rater id, and by the e-mail address of
    those whom only the audit log knows; and, by "", number 0 and the store's secret. Once drawn it
    stays; those who came since get the next numbers, in an order drawn too.

    Raises:
        Conflict: other processes are drawing at the same time, again and again.
    """
    rows = store.rows(
        "select id, handle, name, coalesce(email, '') from rater where kind = 'person'"
    )
    known = {identifier.strip().casefold() for _, *called in rows for identifier in called}
    people = {id for id, *_ in rows}
    people |= {address.casefold() for address in _addresses(store)} - known
    people.add(_NOBODY)
    for _ in range(_RACES):
        rows = store.rows("select person, number, id from person_number")
        drawn = {person: Drawn(int(number), id) for person, number, id in rows}
        new = sorted(people - drawn.keys())
        if not new:
            return {person: drawn[person] for person in sorted(people)}
        secrets.SystemRandom().shuffle(new)
        new.sort(key=bool)  # Nobody comes first, with number 0.
        first = max((one.number for one in drawn.values()), default=-1) + 1
        numbered = [
            {"id": str(uuid.uuid4()), "person": person, "number": number}
            for number, person in enumerate(new, first)
        ]
        # Somebody else may have drawn in the meantime: then theirs stand.
        with contextlib.suppress(Conflict):
            store.append("person_number", *numbered)
    raise Conflict("Several files without names are being made at once.", hint="Try again.")


def person_numbers_by_rater_id(store: Store) -> dict[str, str]:
    """The number that stands for each person in files without names, by rater id."""
    return {
        person: str(one.number)
        for person, one in person_number_by_rater_id_or_email(store).items()
        if person
    }


def _addresses(store: Store) -> set[str]:
    """The e-mail addresses in the audit log."""
    rows = store.rows("select who, about, detail from audit")
    return {found for row in rows for text in row if text for found in _ADDRESS.findall(text)}


def _pattern(numbers: Mapping[str, str], written: Callable[[str], str]) -> re.Pattern[str] | None:
    if not numbers:
        return None
    longest = sorted(numbers, key=len, reverse=True)
    either = "|".join(written(identifier) for identifier in longest)
    return re.compile(rf"(?<![\w@])(?:{either})(?![\w@])")


def regex_text_ignoring_case_and_accents(identifier: str) -> str:
    """A pattern for an identifier whatever its case and accents, and the space between words."""
    letters = (_letter(letter) for letter in unicodedata.normalize("NFC", identifier))
    return re.sub(r"(?:\\ |\s)+", lambda _: r"\s+", "".join(letters))


@lru_cache(maxsize=2000)
def _letter(letter: str) -> str:
    plain = fold_case_and_accents(letter)
    if len(plain) != 1 or not plain.isalpha():
        return re.escape(letter)
    variants = _variants().get(plain, "") + letter + letter.upper() + letter.lower()
    return f"[{re.escape(''.join(dict.fromkeys(variants)))}]{_MARKS}"


@lru_cache(maxsize=1)
def _variants() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for code in (*range(0x41, 0x250), *range(0x1E00, 0x1F00)):
        plain = fold_case_and_accents(chr(code))
        if len(plain) == 1 and plain.isalpha():
            found[plain] = found.get(plain, "") + chr(code)
    return found


def fold_case_and_accents(text: str) -> str:
    """A text without case and accents; the Turkish ı, whose capital is I, is an i."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("ı", "i"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _folded_keys(numbers: Mapping[str, str]) -> dict[str, str]:
    return {
        " ".join(fold_case_and_accents(identifier).split()): number
        for identifier, number in numbers.items()
    }


def _by_number(numbers: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    def number(match: re.Match[str]) -> str:
        words = match.group()
        return numbers.get(words) or numbers.get(
            " ".join(fold_case_and_accents(words).split()), "person"
        )

    return number


def anonymise_json_text(anonymizer: Anonymizer, text: str) -> str:
    """A JSON text in which numbers stand for people; one that is no JSON is taken as a text."""
    try:
        value = json.loads(text)
    except ValueError:
        return anonymizer.anonymise_text(text)
    return json.dumps(anonymizer.anonymise_cell_value(value), ensure_ascii=False)
