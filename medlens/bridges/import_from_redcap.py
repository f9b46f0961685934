"""A form of REDCap, from its data dictionary: its fields are what raters are asked.

Sources: the data dictionary as REDCap downloads it (Vanderbilt University, "Creating a Data
Dictionary in REDCap") and REDCap's rules for its 18 columns.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Mapping
from typing import Any

from medlens.bridges.converted_project import (
    ProjectConversion,
    ProjectQuestion,
    Shown,
    Unfit,
    make_unfit_project_error,
    parse_finite_number,
    quote_value_for_message,
)
from medlens.studies.own.bridge_registry import Converted
from medlens.studies.own.study_file import LONGEST_ID, MOST, RESERVED_QUESTION_IDS, UNREADABLE
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    text_as_toml_value,
    title_from_name,
)
from medlens.tables.formula_escape_and_restore import restore_formulas

_HINT = "In REDCap, open Project Setup › Data Dictionary, download it, and give that file."
_COLUMNS = {
    "name": ("variable field name", "field name"),
    "form": ("form name",),
    "section": ("section header",),
    "type": ("field type",),
    "label": ("field label",),
    "choices": ("choices calculations or slider labels", "select choices or calculations"),
    "note": ("field note",),
    "format": ("text validation type or show slider number",),
    "least": ("text validation min",),
    "most": ("text validation max",),
    "identifier": ("identifier",),
    "logic": ("branching logic show field only if", "branching logic"),
    "required": ("required field",),
    "ranking": ("matrix ranking",),
    "annotation": ("field annotation",),
}
"""The columns that are read, with their headings as words: of the file, and of REDCap's API."""
_NEEDED = {"name", "type", "label"}
_NOT_ASKED = {
    "calc": "Calculated fields",
    "file": "Fields for files and signatures",
    "sql": "Fields with choices from a database",
    "descriptive": "Descriptive texts",
}
_FIXED = {"yesno": {"1": "Yes", "0": "No"}, "truefalse": {"1": "True", "0": "False"}}
# A comment ends before another begins: without end, many would take time by the square of their
# number.
_TAG = re.compile(r"<!--(?:(?!<!--).)*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_CONDITION = re.compile(r"""\[\s*(\w+)\s*\]\s*=\s*(?:'([^']+)'|"([^"]+)"|(-?\d+(?:\.\d+)?))""")
_PIPED = re.compile(r"\[[a-z][a-z0-9_:-]*\]")
_HIDDEN = re.compile(r"@HIDDEN(?![\w-])")
_TEXT, _OF_MEDLENS = "text", "medlens_"


def convert_redcap_dictionary_to_study_and_notes(title: str, dictionary: bytes) -> Converted:
    """A data dictionary as a study of that title, without items. Codes of choices are kept; what
    cannot be asked is left out and told.

    Raises:
        BadFile: it is no such dictionary, or asks nothing that can be counted.
    """
    return _Dictionary(title).read(dictionary)


class _Dictionary:
    def __init__(self, title: str) -> None:
        self._project = ProjectConversion(
            "REDCap", title, "Read the text, then answer the questions.", [Shown(_TEXT)], []
        )
        self._asked: list[ProjectQuestion] = []
        self._fields: set[str] = set()
        """Names of all fields so far, also of those that are left out."""
        self._always: dict[str, ProjectQuestion] = {}
        """Questions of one choice that are asked of every item, by the name of their field."""

    def read(self, dictionary: bytes) -> Converted:
        rows = self._rows(dictionary)
        first = rows[0]
        if first["type"].casefold() == "text" and not first["choices"]:
            self._leave_out("The first field, which names the record as an item's name does", first)
            rows = rows[1:]
        forms = list(dict.fromkeys(row["form"] for row in rows))
        form = section = ""
        for row in rows:
            if row["form"] != form:
                form, section = row["form"], ""
            section = _plain(row["section"]) or section
            part = section or (_plain(title_from_name(form)) if form and len(forms) > 1 else "")
            with self._project.leave_out_faulty_part_within():
                self._take(row, part)
        self._project.asked = self._asked
        self._project.left_out[
            "No items: add a table with the columns “item” (what names each) and “text” (what"
            " reviewers read), or change these two. Questions"
        ] = len(self._asked)
        return self._project.make_converted_study()

    def _rows(self, dictionary: bytes) -> list[dict[str, str]]:
        try:
            text = dictionary.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = dictionary.decode("cp1252", "replace")
            self._project.left_out["Files not in UTF-8, read as Western European"] = 1
        for separator in ",;\t":
            lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
            try:
                header, *cells = [line for line in lines if any(cell.strip() for cell in line)]
            except (ValueError, csv.Error):
                continue
            headings = [" ".join(re.sub(r"[^a-z]+", " ", one.lower()).split()) for one in header]
            at = {
                name: headings.index(known)
                for name, spellings in _COLUMNS.items()
                for known in spellings
                if known in headings
            }
            if cells and at.keys() >= _NEEDED:
                return [
                    {
                        name: restore_formulas(line[at[name]]).strip()
                        if at.get(name, len(line)) < len(line)
                        else ""
                        for name in _COLUMNS
                    }
                    for line in cells
                ]
        raise make_unfit_project_error(
            "This is not a REDCap data dictionary with fields: it needs the columns Variable /"
            " Field Name, Field Type and Field Label.",
            _HINT,
        )

    def _leave_out(self, what: str, row: Mapping[str, str]) -> None:
        self._project.count_left_out_part(Unfit(what, row["name"] or row["label"]))

    def _tell(self, what: str, row: Mapping[str, str]) -> None:
        """Count what is carried otherwise than REDCap has it, with the first fields."""
        self._project.left_out[what] += 1
        places = self._project.places.setdefault(what, [])
        if len(places) < 5:
            places.append(row["name"])

    def _take(self, row: Mapping[str, str], part: str) -> None:
        kind = row["type"].casefold()
        if not row["name"]:
            raise Unfit("Fields without a name", quote_value_for_message(row["label"]))
        name = self._name(row)
        if name.startswith(_OF_MEDLENS):
            raise Unfit("Fields with which MedLens says whose judgment it is", row["name"])
        if kind in _NOT_ASKED:
            raise Unfit(_NOT_ASKED[kind], row["name"])
        if _HIDDEN.search(row["annotation"]):
            raise Unfit("Fields that are hidden (@HIDDEN)", row["name"])
        if len(self._asked) >= MOST:
            raise Unfit(f"Fields beyond the first {MOST}", row["name"])
        text = _plain(row["label"]) or title_from_name(name)
        lines: list[str] = []
        options: dict[str, str] = {}
        notes = [_plain(row["note"])]
        match kind:
            case "radio" | "dropdown" | "checkbox" | "yesno" | "truefalse":
                options = _FIXED.get(kind) or self._choices(row)
                asked_as = "multiple" if kind == "checkbox" else "single"
                codes = json.dumps(list(options), ensure_ascii=False)
                lines.append(f"codes = {codes}")
            case "slider":
                asked_as = "number"
                ends = self._limits(row, "0", "100")
                labels = [_plain(one) for one in row["choices"].split("|")]
                notes.append(" … ".join(filter(None, labels)))
                lines += ends
                self._tell("Sliders, asked as a number", row)
            case "notes":
                asked_as = "long_text"
            case "text":
                asked_as = self._text(row, lines)
            case _:
                raise Unfit("Fields of an unknown type", f"{row['name']}: {row['type']}")
        conditional, required = self._condition(row), row["required"].casefold() == "y"
        if row["logic"] and not conditional and required:
            required = False
        if note := " ".join(filter(None, notes)):
            lines.append(f"help = {text_as_toml_value(note)}")
        lines += [f"part = {text_as_toml_value(part)}"] if part else []
        lines += ["required = true"] if required else []
        lines += [conditional] if conditional else []
        self._tell_of_the_rest(row)
        asked = ProjectQuestion(name, asked_as, text, options, tuple(lines))
        self._asked.append(asked)
        if asked_as == "single" and not conditional:
            self._always[row["name"].lower()] = asked

    def _name(self, row: Mapping[str, str]) -> str:
        """The question's id: the field's name, which REDCap has in small letters."""
        name = row["name"].lower()
        if name in self._fields:
            raise Unfit("Second fields of one name", row["name"])
        self._fields.add(name)
        made = name
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > LONGEST_ID:
            made = make_id_from_name(name)
        free, again = made, 1
        while free in RESERVED_QUESTION_IDS or free in {one.id for one in self._asked}:
            # Long names may be alike up to the last letters, which an id has no room for.
            end = "_" if again == 1 else f"_{again}"
            free, again = f"{made[: LONGEST_ID - len(end)]}{end}", again + 1
        made = free
        if made != row["name"]:
            self._tell("Fields renamed, as their names are in other letters or taken here", row)
        return made

    def _choices(self, row: Mapping[str, str]) -> dict[str, str]:
        """The choices by code, which ends at the first comma."""
        found: dict[str, str] = {}
        for choice in row["choices"].split("|"):
            code, comma, label = choice.partition(",")
            code = _plain(code)
            if not code:
                continue
            if code in found:
                self._leave_out("Second choices of one code", row)
                continue
            found[code] = _plain(label) if comma else code
            found[code] = found[code] or code
        if not 2 <= len(found) <= MOST:
            raise Unfit(f"Choices of fewer than 2 or more than {MOST} options", row["name"])
        if any(";" in label for label in found.values()):
            self._tell("Fields with options whose semicolons are commas here", row)
        if len(set(found.values())) < len(found):
            self._tell("Fields with options of the same words, numbered here", row)
        return found

    def _text(self, row: Mapping[str, str], lines: list[str]) -> str:
        """The kind of question for a field of text; adds the limits of a number."""
        format_ = row["format"].casefold()
        if format_ in ("integer", "int", "float") or format_.startswith("number"):
            if format_.startswith("int"):
                self._tell("Whole numbers, where decimals are not refused here", row)
            lines += self._limits(row)
            return "number"
        if format_:
            self._tell("Texts whose format is not checked here, such as dates", row)
        return "short_text"

    def _limits(self, row: Mapping[str, str], *usual: str) -> list[str]:
        given = [row["least"], row["most"]]
        if usual:
            given = [one or end for one, end in zip(given, usual, strict=True)]
        ends = [parse_finite_number(one.replace(",", ".")) for one in given]
        least, most = ends
        if any(one and end is None for one, end in zip(given, ends, strict=True)) or (
            least is not None and most is not None and least > most
        ):
            self._tell("Limits that are not numbers, or the wrong way round, left out", row)
            return []
        both = zip(("minimum", "maximum"), ends, strict=True)
        return [f"{name} = {end}" for name, end in both if end is not None]

    def _condition(self, row: Mapping[str, str]) -> str:
        """The line that asks it only after another answer; empty if it is always asked."""
        logic = " ".join(row["logic"].split())
        while logic.startswith("(") and logic.endswith(")") and "(" not in logic[1:]:
            logic = logic[1:-1].strip()
        if not logic:
            return ""
        found = _CONDITION.fullmatch(logic)
        other = self._always.get(found[1].lower()) if found else None
        code = next(filter(None, found.groups()[1:]), "") if found else ""
        if other is None or code not in other.options:
            self._tell(
                "Conditions that have no counterpart here: the field is always asked and may be"
                " left open",
                row,
            )
            return ""
        said = text_as_toml_value(other.options[code])
        return f"only_if = {{ question = {text_as_toml_value(other.id)}, is = {said} }}"

    def _tell_of_the_rest(self, row: Mapping[str, str]) -> None:
        if _PIPED.search(row["label"] + row["note"]):
            self._tell("Texts that name other fields in brackets, which stay as written", row)
        if row["ranking"].casefold() == "y":
            self._tell("Matrices that rank, in which an answer may come twice here", row)
        if "@" in row["annotation"]:
            self._tell("Fields whose action tags are left out", row)
        if row["identifier"].casefold() == "y":
            self._tell("Fields that REDCap marks as identifying a person, asked as any other", row)


def _plain(words: Any) -> str:
    """Words without HTML, on one line."""
    bare = html.unescape(_TAG.sub(" ", str(words)))
    return " ".join(UNREADABLE.sub(" ", bare).split())
