"""The taxonomy: the labels raters give, their guideline, and the rules a judgment must keep.

A taxonomy is a TOML file that a team lead can write; ``data/taxonomies/g4ue.toml`` is the one of
Roy et al. 2024, "Beyond Accuracy" (arXiv:2404.13307), section 3.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from medlens.config.toml_file import TomlFile, TomlTable
from medlens.errors import InvalidInput
from medlens.review.marked_spans_checked_carried_and_timed import COLOURS, PATTERNS
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans

LabelKind = Literal["error", "non_error"]
KINDS: tuple[LabelKind, ...] = get_args(LabelKind)
KEYS = range(1, 10)

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_DOI_OR_PMID = re.compile(r"(doi:\s*)?10\.\d{4,9}/\S+|pmid:?\s*\d+", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:\S", re.IGNORECASE)
_YEAR = re.compile(r"\b(19|20)\d\d\b")


@dataclass(frozen=True)
class Link:
    title: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Label:
    """One label and its page of the guideline.

    ``key`` is 1 to 9, or 0 for a label without one. ``export_name`` is the spelling in published
    files, ``steps`` a checklist to go through before the label is given (may be empty).
    """

    id: str
    key: int
    name: str
    aliases: tuple[str, ...] = ()
    export_name: str = ""
    kind: LabelKind
    colour: str
    pattern: str
    hint: str
    definition: str
    not_when: str = ""
    example: str = ""
    example_reason: str = ""
    requires_link: bool = False
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Taxonomy:
    """Labels in the guideline's order."""

    id: str
    title: str
    version: str
    labels: tuple[Label, ...]
    reading: tuple[Link, ...] = ()
    source: str = ""

    @cached_property
    def _by_id(self) -> dict[str, Label]:
        return {label.id: label for label in self.labels}

    @cached_property
    def _by_name(self) -> dict[str, Label]:
        return {name: label for label in self.labels for name in _spellings(label)}

    def require_label_with_id(self, id: str) -> Label:
        """The label with this id; InvalidInput if there is none."""
        found = self._by_id.get(id)
        if found is None:
            raise InvalidInput(f"The taxonomy {self.title!r} has no label {id!r}.")
        return found

    def find_label_by_any_name(self, text: str) -> Label | None:
        """The label with this id, name, alias or export name, ignoring case and spacing."""
        return self._by_name.get(_folded(text))

    def labels_with_meaning_and_example(self) -> list[tuple[str, str, str]]:
        """Of each label its name, its meaning and an example with the reason, as a reader of a
        report needs them.
        """
        return [
            (
                one.name,
                one.definition + (f"\n\nNot when: {one.not_when}" if one.not_when else ""),
                "\n\n".join(filter(None, (one.example, one.example_reason))),
            )
            for one in self.labels
        ]

    def list_exclusivity_breaches_in_words(self, labels: Iterable[str]) -> list[str]:
        """Where the labels of one response break exclusivity: a non-error label with any other."""
        present = set(labels)
        given = [label for label in self.labels if label.id in present]
        sentences: list[str] = []
        for at, label in enumerate(given):
            if label.kind == "error":
                continue
            # two non-error labels are one breach, reported at the first of them
            others = [o for place, o in enumerate(given) if place > at or o.kind == "error"]
            named = [_named(other) for other in others if other is not label]
            if named:
                sentences.append(
                    f"{_named(label)} excludes every other label; "
                    f"this response also carries {', '.join(named)}."
                )
        return sentences

    def problems_of_answer(self, value: ErrorSpans, text: str) -> list[str]:
        """Every rule that keeps ``value`` from being submitted, as sentences for the page.

        ``text`` is the response that spans are offsets into. An empty list means it may be
        submitted.
        """
        if not value.spans:
            return ["Mark at least one passage and give it a label."]
        found: list[str] = []
        seen: set[tuple[object, ...]] = set()
        for number, span in enumerate(value.spans, start=1):
            mark = f"Mark {number}{_excerpt(span.quote)}"
            found += [f"{mark}: {fault}" for fault in self._faults(span, text)]
            twice = sorted(
                {label for label in span.labels if span.labels.count(label) > 1}
                | {label for label in span.labels if (*_place(span), label) in seen}
            )
            found += [f"{mark}: {self._name(label)} is given twice." for label in twice]
            seen |= {(*_place(span), label) for label in span.labels}
        return found + self.list_exclusivity_breaches_in_words(value.labels_given())

    def _faults(self, span: ErrorSpan, text: str) -> list[str]:
        faults = [
            f"the label {label!r} is not in the taxonomy."
            for label in span.labels
            if label not in self._by_id
        ]
        if span.start is None or span.end is None:
            faults.append("its place in the response is not known; mark the passage again.")
        elif not span.start < span.end <= len(text):
            faults.append("it lies outside the response; mark the passage again.")
        elif text[span.start : span.end] != span.quote:
            faults.append("the words do not match the response; mark the passage again.")
        elif not span.quote.strip():
            faults.append("it holds no words.")
        wanting = [i for i in span.labels if i in self._by_id and self._by_id[i].requires_link]
        if wanting and not is_refuting_reference(span.link):
            faults.append(
                f"{self._name(wanting[0])} needs a link (https://…) or a citation that refutes it."
            )
        return faults

    def _name(self, id: str) -> str:
        return _named(self._by_id[id]) if id in self._by_id else f"“{id}”"


def is_refuting_reference(text: str) -> bool:
    """Whether ``text`` can refute a claim: an http(s) link, a DOI, a PMID, a citation with year."""
    text = text.strip()
    if text.lower().startswith(("http://", "https://")):
        return is_web_link(text)
    if _DOI_OR_PMID.fullmatch(text):
        return True
    return not _SCHEME.match(text) and len(text.split()) >= 3 and bool(_YEAR.search(text))


def is_web_link(text: str) -> bool:
    """Whether ``text`` is an http or https address with a host and without spaces."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and len(text.split()) == 1


_LABEL_FIELDS = tuple(Label.__dataclass_fields__)


def load_taxonomy(path: str | Path) -> Taxonomy:
    """Read a taxonomy file; BadFile gives the file and line of each fault."""
    path, content = Path(path), None
    with contextlib.suppress(OSError):  # reported below
        content = path.read_bytes()
    return _read(path, content)


def parse_taxonomy(content: str | bytes, *, name: str) -> Taxonomy:
    """Read a taxonomy from memory (an upload, the store); ``name`` is its name in errors."""
    raw = content.encode("utf-8") if isinstance(content, str) else content
    return _read(Path(name), raw)


@lru_cache(maxsize=16)
def _read(path: Path, content: bytes | None) -> Taxonomy:
    # Every page and import asks for its taxonomy again, and reading one takes 20 ms.
    return _taxonomy(TomlFile(path, "taxonomy", content=content))


def _taxonomy(file: TomlFile) -> Taxonomy:
    file.record_unknown_fields(file.top, ("id", "title", "version", "source", "label", "reading"))
    tables = file.list_tables_named("label", required=True)
    links = file.list_tables_named("reading", required=False)
    taxonomy = file.read_table_as_dataclass(
        *(file.top, Taxonomy, ("id", "title", "version", "source")),
        labels=tuple(_label(file, table) for table in tables),
        reading=tuple(_link(file, table) for table in links),
    )
    file.record_duplicate_values(tables, "id")
    file.record_duplicate_values(tables, "key")
    _refuse_confusable(file, tables, taxonomy.labels)
    file.raise_if_mistakes_were_recorded()
    return taxonomy


def _label(file: TomlFile, table: TomlTable) -> Label:
    key = table.values.get("key", 0)
    if type(key) is not int or ("key" in table.values and key not in KEYS):
        file.record_field_mistake(
            table, "key", "a digit from 1 to 9 (leave the field out for a label without)"
        )
        key = 0
    pattern = file.read_choice_field(table, "pattern", PATTERNS, "solid")
    label = file.read_table_as_dataclass(table, Label, key=key, pattern=pattern)
    if label.colour and not _COLOUR.fullmatch(label.colour):
        file.record_field_mistake(table, "colour", "a colour like #0072b2")
    if "\n" in label.hint:
        file.record_field_mistake(table, "hint", "a single line")
    return replace(label, export_name=label.export_name or label.name, colour=label.colour.lower())


def _link(file: TomlFile, table: TomlTable) -> Link:
    link = file.read_table_as_dataclass(table, Link)
    if link.url and not is_web_link(link.url):
        file.record_field_mistake(table, "url", "an address that begins with https:// or http://")
    return link


def _refuse_confusable(
    file: TomlFile, tables: Sequence[TomlTable], labels: Sequence[Label]
) -> None:
    """Refuse two labels that share a spelling, or both colour and pattern."""
    names: dict[str, int] = {}
    looks: dict[tuple[str, str], int] = {}
    for at, (table, label) in enumerate(zip(tables, labels, strict=True)):
        for spelling in sorted(_spellings(label)):
            first = names.setdefault(spelling, at)
            if spelling and first != at and label.id != labels[first].id:
                line = tables[first].line
                file.record_field_mistake(
                    table, "name", f"names that no other label has (line {line} has one)"
                )
                break
        first = looks.setdefault((label.colour, label.pattern), at)
        if first != at and label.colour:
            line = tables[first].line_number_of_field("colour")
            file.record_field_mistake(
                table, "colour", f"a colour and pattern no other label has (line {line} has them)"
            )


def taxonomy_as_toml(taxonomy: Taxonomy) -> str:
    """The taxonomy as TOML that ``load_taxonomy`` reads back equal."""
    lines = [
        f"{field} = {_quoted(getattr(taxonomy, field))}"
        for field in ("id", "title", "version", "source")
    ]
    for label in taxonomy.labels:
        lines += ["", "[[label]]"]
        for field in _LABEL_FIELDS:
            value = getattr(label, field)
            if value not in (0, "", (), False):
                lines.append(f"{field} = {_written(value)}")
    for link in taxonomy.reading:
        lines += ["", "[[reading]]", f"title = {_quoted(link.title)}", f"url = {_quoted(link.url)}"]
    return "\n".join(lines) + "\n"


def _written(value: str | int | tuple[str, ...]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    return "[\n" + "".join(f"    {_quoted(text)},\n" for text in value) + "]"


def _quoted(text: str) -> str:
    escaped = "".join(_escaped(character) for character in text)
    return f'"""\n{escaped}"""' if "\n" in text else f'"{escaped}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    control = character not in "\n\t" and (character < " " or character == "\x7f")
    return f"\\u{ord(character):04x}" if control else character


def _named(label: Label) -> str:
    return f"“{label.name}”"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _spellings(label: Label) -> set[str]:
    return {_folded(t) for t in (label.id, label.name, label.export_name, *label.aliases)}


def _excerpt(quote: str) -> str:
    words = " ".join(quote.split())
    if not words:
        return ""
    return f" (“{words if len(words) <= 40 else words[:37] + '…'}”)"


def _place(span: ErrorSpan) -> tuple[object, ...]:
    """Where a mark is; marks whose place is unknown differ by their words."""
    return (span.start, span.end) if span.start is not None else (None, span.quote)


def draft_taxonomy_from_label_names(
    names: Sequence[str],
    *,
    id: str,
    title: str,
    examples: Mapping[str, str] | None = None,
    descriptions: Mapping[str, str] | None = None,
    non_errors: Collection[str] = (),
) -> Taxonomy:
    """A taxonomy with these labels, in this order, for a lead to complete.

    Ids are made from the names; keys 1 to 9 go to the first nine. ``examples`` has a quote for each
    label, ``descriptions`` what it means, ``non_errors`` the labels that exclude all others. The
    hints, and the definitions of labels without a description, say what to write. Raises
    InvalidInput if there are no labels or too many, or names that differ only in case or spacing.
    """
    labels: list[str] = [" ".join(name.split()) for name in names]
    folded = [label.casefold() for label in labels]
    if not labels or not all(labels):
        raise InvalidInput("A taxonomy needs at least one label, and each label a name.")
    if len(set(folded)) < len(folded):
        raise InvalidInput(
            "Some labels differ only in capital letters or spaces.", hint="Merge them first."
        )
    looks = len(COLOURS) * len(PATTERNS)
    if len(labels) > looks:
        raise InvalidInput(f"{len(labels)} labels cannot be told apart.", hint="Merge some first.")
    taken: set[str] = set()
    drafted: list[Label] = []
    for at, name in enumerate(labels):
        others = {other for other in folded if other != folded[at]}
        drafted.append(
            Label(
                id=_slug(name, taken | others),
                key=at + 1 if at + 1 in KEYS else 0,
                name=name,
                export_name=name,
                kind="non_error" if name in non_errors else "error",
                colour=COLOURS[at % len(COLOURS)],
                pattern=PATTERNS[(at + at // len(COLOURS)) % len(PATTERNS)],
                hint=f"{name}: say in one line when to use this label.",
                definition=(descriptions or {}).get(name, "").strip()
                or "Draft from open coding. Say what counts, and how to test for it.",
                example=(examples or {}).get(name, "").strip(),
            )
        )
        taken.add(drafted[-1].id)
    return Taxonomy(
        id=_slug(id, set()),
        title=title.strip() or "Draft taxonomy",
        version="draft",
        labels=tuple(drafted),
        source="Open coding",
    )


def _slug(name: str, taken: Collection[str]) -> str:
    """An id of ASCII letters, digits and underscores that is not in ``taken``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not slug[:1].isalpha():
        slug = f"label_{slug}".rstrip("_")
    unique, number = slug, 2
    while unique in taken:
        unique, number = f"{slug}_{number}", number + 1
    return unique
