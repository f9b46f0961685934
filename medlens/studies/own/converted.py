"""What projects of other tools have in common when imported: questions, marks and judgments, and
the study's file written from them.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

import yaml

from medlens.config.forms import MOST_LABELS, SpanLabel
from medlens.errors import BadFile
from medlens.store import id_of
from medlens.studies.own import declaration
from medlens.studies.own.attached import in_zip
from medlens.studies.own.declaration import UNREADABLE
from medlens.studies.own.drafting import id_of_words, table_of, text_of, title_of

_MARKS, _KIND = "marks", "kind"
_PASSAGE = SpanLabel("passage", "Passage", "what it is is chosen from a list")
HINT = "Take it out of a copy of the project, and export that."
_LARGEST_YAML, _MOST_NODES = 1_000_000, 100_000
_LARGEST = 200_000_000
"""Most bytes of a file in a zip."""


@dataclass(frozen=True)
class Converted:
    """A project of another tool, converted: a study's file, the rows of its items and judgments,
    and notes for the lead.
    """

    study: str
    items: list[dict[str, Any]]
    judgments: list[dict[str, Any]]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """A column of the items, and the kind of pane that shows it (empty: none does). ``groups``:
    figures can be shown by its values; ``by_arm``: each arm of a case has its own.
    """

    column: str
    kind: str = "text"
    groups: bool = False
    by_arm: bool = False


@dataclass(frozen=True)
class Asked:
    """A question by its ``id``: its kind, its options by the words that results use for them, and
    further lines for the study's file. It is asked about the item, or about each mark
    (``of_span``).
    """

    id: str
    kind: str
    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    of_span: bool = False

    def answered(self, said: Sequence[Any], where: str) -> str:
        """What was chosen, as an answer in a judgment.

        Raises:
            BadFile: it is not one of the options, or there are several and one is asked for.
        """
        strange = [one for one in said if one not in self.options]
        if strange or (self.kind == "single" and len(said) != 1):
            raise refuse(
                f"{where}: {self.text!r} is answered {list(said)}, not as the configuration asks."
            )
        return "; ".join(self.options[one] for one in said)


@dataclass
class Project:
    """A project of a ``tool`` while it is read: what is shown and asked, then its items one by one,
    with their judgments. ``marked`` is the column whose text is marked with ``labels``;
    ``left_out`` counts what is reported to the lead. If there are ``arms``, each item is about one.
    """

    tool: str
    title: str
    instructions: str
    shown: Sequence[Shown]
    asked: Sequence[Asked]
    marked: str = ""
    labels: Sequence[SpanLabel] = ()
    arms: Sequence[str] = ()
    items: list[dict[str, Any]] = field(default_factory=list)
    judgments: list[dict[str, Any]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def judge(
        self,
        item: str,
        rater: str,
        answers: Mapping[str, Any],
        marks: Sequence[dict[str, Any]] = (),
        *,
        where: str,
        model: bool = False,
    ) -> None:
        """Add a judgment; ``where`` is unique within the project."""
        if self._listed:
            marks = [self._with_label(one) for one in marks]
        self.judgments.append(
            {
                "judgment_id": id_of(self.tool, self.title, where),
                "item": item,
                "rater": rater,
                "rater_kind": "model" if model else "person",
            }
            | dict(answers)
            | (
                {_MARKS: json.dumps(_merged(marks, where), ensure_ascii=False)}
                if self.marked
                else {}
            )
        )

    @property
    def _listed(self) -> bool:
        """Whether there are too many labels to show; then each mark's label is chosen from a
        list.
        """
        return len(self.labels) > MOST_LABELS

    def _with_label(self, mark: dict[str, Any]) -> dict[str, Any]:
        names = {one.id: one.name for one in self.labels}
        if len(mark["labels"]) > 1:
            what = f"Marks with several of more than {MOST_LABELS} labels, of which one is kept"
            self.left_out[what] += 1
        answers = {_KIND: names[mark["labels"][0]], **mark["answers"]}
        return {**mark, "labels": [_PASSAGE.id], "answers": answers}

    def converted(self) -> Converted:
        """The project as a study.

        Raises:
            BadFile: MedLens cannot have such a study.
        """
        times = Counter[tuple[str, str]]()
        for one in self.judgments:
            both = (one["item"], one["rater"])
            times[both] += 1
            one["revision"] = times[both]
        again = sum(many > 1 for many in times.values())
        if again:
            self.left_out["Items judged again by the same rater: the last judgment is kept"] = again
        study = self._written()
        declaration.parse(study)
        notes = tuple(f"{what}: {many:,}." for what, many in self.left_out.items())
        return Converted(study, self.items, self.judgments, notes)

    def _written(self) -> str:
        empty = {one for row in self.items for one in row if not row[one]}
        out = [
            f"id = {text_of(id_of_words(self.title))}",
            f"title = {text_of(self.title)}",
            f"source = {text_of(f'A project of {self.tool}')}",
            "gold_share = 0",
            *(['show_arms = "apart"'] if self.arms else []),
            f"instructions = {text_of(self.instructions or 'Read the item, then answer.')}",
        ]
        for arm in self.arms:
            out += ["", "[[arm]]", f"name = {text_of(arm)}"]
        for one in self.shown:
            out += ["", "[[column]]", f"name = {text_of(one.column)}"]
            out += [f"means = {text_of(one.column)}"]
            out += ["required = false"] if one.column in empty else []
            out += ["groups = true"] if one.groups else []
            out += ["by_arm = true"] if one.by_arm else []
            if one.kind:
                out += ["", "[[pane]]", f"title = {text_of(title_of(one.column))}"]
                out += [f"kind = {text_of(one.kind)}", f"column = {text_of(one.column)}"]
        if self.marked:
            names = [one.name for one in self.labels]
            kept = [_PASSAGE] if self._listed else self.labels
            labels = [{"id": o.id, "name": o.name, "means": o.means or o.name} for o in kept]
            out += ["", "[[question]]", f"id = {text_of(_MARKS)}", 'kind = "spans"']
            out += ['text = "Mark the passages."', f"column = {text_of(self.marked)}"]
            out += [f"labels = [{', '.join(map(table_of, labels))}]"]
            of_span: list[dict[str, Any]] = [
                *([{"id": _KIND, "text": "Which is it?", "options": names}] if self._listed else [])
            ]
            of_span += [
                {"id": o.id, "text": o.text}
                | ({"options": list(o.options.values())} if o.options else {})
                for o in self.asked
                if o.of_span
            ]
            out += [f"of_span = [{', '.join(map(table_of, of_span))}]"] if of_span else []
        for asked in self.asked:
            if asked.of_span:
                continue
            out += [
                "",
                "[[question]]",
                f"id = {text_of(asked.id)}",
                f"kind = {text_of(asked.kind)}",
            ]
            out += [f"text = {text_of(asked.text)}", *asked.lines]
            if asked.options:
                options = json.dumps(list(asked.options.values()), ensure_ascii=False)
                out += [f"options = {options}"]
            # An answer somebody left out cannot be required afterwards.
            whole = bool(self.judgments) and all(asked.id in row for row in self.judgments)
            out += ["required = true"] if whole else []
        return "\n".join(out) + "\n"


def refuse(said: str, hint: str = HINT) -> BadFile:
    """The error for a project that a study cannot hold."""
    return BadFile(said, hint=hint)


def files_of(packed: bytes, *endings: str) -> dict[str, bytes]:
    """The files of a project's zip with one of these endings.

    Raises:
        BadFile, InvalidInput: it is not a zip, is damaged or unpacks to too much.
    """
    found = dict(in_zip("The zip", io.BytesIO(packed), wanted=endings, largest=_LARGEST))
    if large := next((name for name, content in found.items() if len(content) > _LARGEST), ""):
        raise refuse(f"{large} is larger than {_LARGEST // 1_000_000} MB.")
    return found


_MOST_COLUMNS, _MOST_GROUPS, _LONGEST_GROUP = 50, 12, 80


def beside(cells: Mapping[str, Sequence[str]], taken: Collection[str]) -> dict[str, Shown]:
    """The items' other fields, by name, as columns that no pane shows, renamed if the name is
    ``taken``; figures are shown by those with few values.
    """
    found: dict[str, Shown] = {}
    for name, values in [*cells.items()][:_MOST_COLUMNS]:
        column = " ".join(UNREADABLE.sub(" ", name).split()) or "more"
        while column in {*taken, "item", "dataset", "illustrative", "arm", "arms", "case"} or (
            column in {one.column for one in found.values()}
        ):
            column += "_"
        several = 1 < len(set(values)) <= _MOST_GROUPS
        groups = several and max(map(len, values)) <= _LONGEST_GROUP
        found[name] = Shown(column, "", groups=groups)
    return found


def yaml_of(content: bytes) -> Any:
    """The content of a YAML file. Aliases (``*name``) can stand for a lot, and a few nested ones
    for more than any machine can hold.

    Raises:
        ValueError, yaml.YAMLError, RecursionError: it cannot be read, or is too large.
    """
    if len(content) > _LARGEST_YAML:
        raise ValueError("it is larger than 1 MB")
    loader = yaml.SafeLoader(content)
    node = loader.get_single_node()
    sizes: dict[int, int] = {}

    def size_of(node: yaml.Node) -> int:
        if id(node) not in sizes:
            # A node that contains itself finds this value for itself.
            sizes[id(node)] = _MOST_NODES
            held = node.value if isinstance(node, yaml.CollectionNode) else []
            parts = [o for one in held for o in (one if isinstance(one, tuple) else (one,))]
            sizes[id(node)] = min(1 + sum(map(size_of, parts)), _MOST_NODES)
        return sizes[id(node)]

    if node is not None and size_of(node) >= _MOST_NODES:
        raise ValueError("its aliases (*name) stand for too much")
    return loader.construct_document(node) if node is not None else None


class Xml:
    """Reads XML, tag by tag; refuses a document type, and so every entity. Errors name ``what`` it
    reads.
    """

    def __init__(self, what: str, hint: str = HINT) -> None:
        self._what, self._hint = what, hint
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _refuse(self, *_: Any) -> None:
        raise refuse(f"{self._what} declares a document type, which is not read.")

    def read(self, content: bytes) -> None:
        """Read it all.

        Raises:
            BadFile: it is not XML, or has a document type.
        """
        try:
            self.parser.Parse(content, True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise refuse(f"{self._what} cannot be read as XML: {error}.", self._hint) from error


# -- marks -----------------------------------------------------------------------------------------


def mark(text: str, start: int, end: int, labels: Sequence[str], where: str) -> dict[str, Any]:
    """A mark on a text, in code points, moved to the text that an item keeps.

    Raises:
        BadFile: none of its text is kept.
    """
    # An item's text is stored without surrounding blanks, and with uniform line endings.
    kept = with_lines(text).strip()
    lead = len(text) - len(text.lstrip())
    start, end = (len(with_lines(text[lead:at])) if at > lead else 0 for at in (start, end))
    end = min(end, len(kept))
    if start >= end:
        raise refuse(f"{where}: a mark on nothing but blanks around the text.")
    return {
        "start": start,
        "end": end,
        "quote": kept[start:end],
        "labels": list(labels),
        "comment": "",
        "answers": {},
    }


def _merged(marks: Sequence[dict[str, Any]], where: str) -> list[dict[str, Any]]:
    """Marks in order; those on the same words become one with all their labels."""
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for one in sorted(marks, key=lambda mark: (mark["start"], mark["end"])):
        there = found.setdefault((one["start"], one["end"]), one)
        if there["answers"] != one["answers"]:
            raise refuse(f"{where}: two marks on {one['quote']!r} have different answers.")
        there["labels"] = list(dict.fromkeys([*there["labels"], *one["labels"]]))
    return list(found.values())


def code_points(text: str, units: int) -> int:
    """UTF-16 units from the start of a text, as code points; -``len(text)`` - 1 if they end inside
    a character.
    """
    part = text.encode("utf-16-le", "surrogatepass")[: 2 * units] if units >= 0 else b"\0"
    try:
        return len(part.decode("utf-16-le"))
    except UnicodeDecodeError:
        return -len(text) - 1


def with_lines(text: str) -> str:
    """A text whose lines all end in LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
