"""Converts a folder of Potato, with its configuration, data and annotators' states, into a
study.

Source: potato-annotation 2.12 and 1.2.2, their documentation and what they write. In version 2 a
mark's position counts code points of the text as Potato shows it: repeated blanks count as one, and
HTML tags not at all. In version 1 it counts those of the page's HTML, with lines that end in CR LF.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import PurePosixPath
from typing import Any

import yaml

from medlens.config.forms import LONGEST_SCALE, NOT_APPLICABLE, SpanLabel
from medlens.studies.own.converted import (
    Asked,
    Converted,
    Project,
    Shown,
    files_of,
    mark,
    refuse,
    yaml_of,
)
from medlens.studies.own.drafting import id_of_words, text_of
from medlens.tables.limits import json_lines, json_value, why_unread

_READ = (".yaml", ".yml", ".json", ".jsonl", ".csv", ".tsv")
_STATE, _STATE_1 = "user_state.json", ("annotated_instances.jsonl", "annotated_instances.json")
_MERGED = "annotated_instances."
_SILENT = {"pure_display"}
_TEXTS = {"text": "text", "html": "text", "markdown": "markdown", "dialogue": "dialogue"}
"""The kinds of Potato displays that can be shown, and the panes that show them."""
_NOT_RATED = "bad_text"
_NONE = (None, "", False, "false", "off")
_HINT = "Pack the folder of the project, with its configuration and its output, as a zip file."
# Tags that Potato lets through; any other is shown as text.
_TAGS = re.compile(
    r"span|b|i|u|strong|em|mark|s|del|ins|br|hr|wbr|div|p|ul|ol|li|dl|dt|dd|h[1-6]|table|thead|tbody"
    r"|tr|th|td|caption|sub|sup|small|code|pre|blockquote|abbr|cite|kbd|samp|var|details|summary|a"
    r"|img|figure|figcaption|video|audio|source|track|ruby|rt|rp"
)


def convert(title: str, packed: bytes) -> Converted:
    """Convert a zip of a project's folder into a study with that title.

    Raises:
        BadFile: it has no such project, or something MedLens cannot keep; names it.
    """
    files = files_of(packed, *_READ)
    called, config = _config_in(files)
    return _Configured(title, called, config).read(files)


def _config_in(files: Mapping[str, bytes]) -> tuple[str, dict[str, Any]]:
    """The path and content of a folder's configuration, the one nearest to its top."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name in sorted(files, key=lambda name: (name.count("/"), name)):
        if not name.casefold().endswith((".yaml", ".yml")):
            continue
        try:
            one = yaml_of(files[name])
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise refuse(f"{name} cannot be read as YAML: {error}.", _HINT) from error
        if isinstance(one, dict) and one.get("annotation_schemes"):
            found.append((name, one))
    if not found:
        raise refuse("The zip has no configuration (YAML) with annotation_schemes.", _HINT)
    beside = [name for name, _ in found if name.count("/") == found[0][0].count("/")]
    if len(beside) > 1:
        raise refuse(
            f"The zip has several configurations: {', '.join(beside)}.",
            "Leave one of them in it.",
        )
    return found[0]


class _Configured:
    def __init__(self, title: str, called: str, config: Mapping[str, Any]) -> None:
        self._title, self._config = title, config
        self._folder = PurePosixPath(called).parent
        stands = config.get("item_properties")
        stands = stands if isinstance(stands, dict) else {}
        self._id = str(stands.get("id_key") or "id")
        self._text = str(stands.get("text_key") or "text")
        # The questions of each scheme, by the names that results use for them ("" for any name).
        self._schemes: dict[str, dict[str, Asked]] = {}
        self._labels: dict[tuple[str, str], SpanLabel] = {}
        self._left_out: dict[str, str] = {}
        self._sometimes = 0
        schemes = config["annotation_schemes"]
        if not isinstance(schemes, list) or not all(isinstance(one, dict) for one in schemes):
            raise refuse("annotation_schemes is not a list of schemes.", _HINT)
        spans = [one for one in schemes if one.get("annotation_type") in ("span", "highlight")]
        for one in schemes:
            name = str(one.get("name") or "")
            if not name or name in self._schemes:
                raise refuse(f"A scheme of the configuration has no name of its own: {name!r}.")
            self._sometimes += bool(one.get("display_logic"))
            self._schemes[name] = {}
            if one in spans:
                for label, means in _labels(one):
                    own = f"{name}: {label}" if len(spans) > 1 else label
                    at = len(self._labels) + 1
                    self._labels[name, label] = SpanLabel(f"label_{at}", own, means)
            else:
                self._ask(name, one)

    def _ask(self, name: str, given: Mapping[str, Any]) -> None:
        """Add the questions of a scheme that does not mark spans."""
        kind = str(given.get("annotation_type"))
        words = str(given.get("description") or name)
        # Semicolons separate several options in a file of judgments.
        options = {label: label.replace(";", ",").strip() for label, _ in _labels(given)}
        at = f"q{len(self._schemes)}_{id_of_words(name)}"
        one = ""
        lines: list[str] = []
        if kind in ("likert", "slider") and options:
            kind = "radio"
        if kind in ("radio", "select") and len(options) > 1:
            one = "single"
        elif kind == "multiselect" and len(options) > 1:
            one = "multiple"
        elif kind == "likert" and 2 <= (size := _whole(given, "size", 0)) <= LONGEST_SCALE:
            one = "scale"
            lines = _scale(1, size, given.get("min_label"), given.get("max_label"))
            lines += ["not_applicable = true"] if given.get("bad_text_label") else []
        elif kind in ("number", "slider") or kind == "likert":
            one = "number"
            lines = [
                f"{ours} = {_whole(given, theirs, 0)}"
                for ours, theirs in (("minimum", "min_value"), ("maximum", "max_value"))
                if theirs in given
            ]
        elif kind == "pairwise" and given.get("mode", "binary") == "binary":
            one = "single"
            sides = list(options.values()) if len(options) > 1 else ["A", "B"]
            tie = {"tie": str(given.get("tie_label") or "No preference")}
            options = {"A": sides[0], "B": sides[1]} | (tie if given.get("allow_tie") else {})
        elif kind == "pairwise" and given.get("mode") == "scale":
            scale = given.get("scale")
            scale = scale if isinstance(scale, dict) else {}
            ends = scale.get("labels")
            ends = ends if isinstance(ends, dict) else {}
            low, high = _whole(scale, "min", -3), _whole(scale, "max", 3)
            one = "scale" if 2 <= high - low + 1 <= LONGEST_SCALE else "number"
            lines = [f"minimum = {low}", f"maximum = {high}"]
            if one == "scale":
                lines = _scale(low, high, ends.get("min"), ends.get("max"))
        elif kind == "multirate" and len(options) > 1 and (rated := _labels(given, "options")):
            for number, (part, _) in enumerate(rated, 1):
                text = f"{words} – {part}"
                self._schemes[name][part] = Asked(f"{at}_{number}", "single", text, options)
            return
        elif kind in ("text", "textbox"):
            asked = self._schemes[name]
            for number, label in enumerate(options or [""], 1):
                more = f" – {label}" if label else ""
                own = f"{at}_{number}" if label else at
                asked[label] = Asked(own, "long_text", f"{words}{more}")
            return
        if one:
            options = options if one in ("single", "multiple") else {}
            self._schemes[name][""] = Asked(at, one, words, options, tuple(lines))
        elif kind not in _SILENT:
            self._left_out[name] = kind

    # -- items -------------------------------------------------------------------------------------

    def read(self, files: Mapping[str, bytes]) -> Converted:
        rows = self._rows(files)
        states = list(self._states(files))
        lists = {
            name
            for name in {name for row in rows.values() for name in row}
            if all(_alike(row.get(name)) for row in rows.values())
        }
        shown, left_out = self._shown(rows, lists)
        marked = self._marked(states) if self._labels else ""
        if marked and marked not in {one.column for one in shown}:
            raise refuse(f"Passages are marked in {marked!r}, which is not a text that is shown.")
        made = Project(
            tool="Potato",
            title=self._title,
            instructions=str(self._config.get("annotation_task_description") or ""),
            shown=[Shown(one.column) if one.column == marked else one for one in shown],
            asked=[one for of in self._schemes.values() for one in of.values()],
            marked=marked,
            labels=list(self._labels.values()),
        )
        if lost := [f"{name}: {kind}" for name, kind in (self._left_out | left_out).items()]:
            what = "What has no counterpart in MedLens, left out"
            made.left_out[f"{what} ({', '.join(lost)})"] = len(lost)
        if self._sometimes:
            what = "Questions that Potato shows only sometimes (display_logic) and MedLens always"
            made.left_out[what] = self._sometimes
        if any(one.get("phase_to_page_to_label_to_value") for _, one in states):
            made.left_out["Annotators whose answers on survey pages are left out"] = sum(
                any(map(bool, of.values()))
                for _, one in states
                if isinstance(of := one.get("phase_to_page_to_label_to_value"), dict)
            )
        if not states:
            merged = [one for one in files if PurePosixPath(one).name.startswith(_MERGED)]
            if merged:
                what = "Files of all answers, not read: pack the folders of each annotator too"
                made.left_out[f"{what} ({', '.join(merged)})"] = len(merged)
            else:
                made.left_out["Annotators whose answers are in the zip"] = 0
        said = list(self._said(states, rows, made))
        texts = self._texts(rows, marked, said) if marked else {}
        for name, row in rows.items():
            cells = {
                one.column: texts[name] if one.column == marked else _cell(row, one)
                for one in shown
            }
            made.items.append({"item": name, **cells})
        for one in said:
            marks = [self._mark(*each, texts[one.item], one) for each in one.marks]
            made.judge(one.item, one.rater, one.answers, marks, where=one.where, model=one.model)
        return made.converted()

    def _rows(self, files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        """The data rows, by item name."""
        found: dict[str, dict[str, Any]] = {}
        given = self._config.get("data_files")
        if not isinstance(given, list) or not given:
            raise refuse("The configuration names no data_files.", _HINT)
        for one in given:
            path = str(one.get("path") if isinstance(one, dict) else one)
            for at, row in enumerate(_table(self._file(files, path), path), 1):
                name = str(row.get(self._id) or "").strip() if isinstance(row, dict) else ""
                if not name or name in found:
                    raise refuse(f"{path}: row {at} has no {self._id!r} of its own: {name!r}.")
                found[name] = row
        return found

    def _file(self, files: Mapping[str, bytes], path: str) -> bytes:
        """A file named by the configuration: relative to it, otherwise the only one with that
        ending.
        """
        tail = "/".join(part for part in PurePosixPath(path).parts if part not in (".", "..", "/"))
        beside = str(self._folder / tail)
        ends = [name for name in files if f"/{name}".endswith(f"/{tail}")]
        if beside not in files and len(ends) != 1:
            raise refuse(f"The zip has no {path}, which the configuration names.", _HINT)
        return files[beside if beside in files else ends[0]]

    def _shown(
        self, rows: Mapping[str, dict[str, Any]], lists: set[str]
    ) -> tuple[list[Shown], dict[str, str]]:
        """The data to show, and the displays that MedLens does not have."""
        display = self._config.get("instance_display")
        fields = display.get("fields") if isinstance(display, dict) else None
        fields = (
            [one for one in fields if isinstance(one, dict)] if isinstance(fields, list) else []
        )
        left_out, found = {}, []
        for one in fields or [{"key": self._text}]:
            name, kind = str(one.get("key")), str(one.get("type") or "text")
            if kind not in _TEXTS:
                left_out[name] = kind
            elif not any(name in row for row in rows.values()):
                raise refuse(f"The data have no {name!r}, which the configuration shows.")
            elif name in lists and (first := next(iter(rows.values()))[name]):
                if isinstance(first[0], dict):
                    found.append(Shown(name, "dialogue"))
                else:
                    # Texts side by side, as in a comparison, each in its own column.
                    most = max(len(row[name]) for row in rows.values())
                    found += [Shown(f"{name}_{at}") for at in range(1, most + 1)]
            else:
                found.append(Shown(name, "text" if kind == "dialogue" else _TEXTS[kind]))
        return found, left_out

    # -- judgments ---------------------------------------------------------------------------------

    def _states(self, files: Mapping[str, bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each annotator's state, with its path."""
        paths = self._outputs(files, _STATE)
        for path in paths:
            try:
                state = json_value(files[path].decode("utf-8-sig"))
            except ValueError as error:
                raise refuse(f"{path} is not JSON: {why_unread(error)}.", _HINT) from error
            if not isinstance(state, dict):
                raise refuse(f"{path} holds no annotator's state.", _HINT)
            yield path, state
        if not paths:
            yield from self._states_1(files)

    def _outputs(self, files: Mapping[str, bytes], *named: str) -> list[str]:
        """The paths of the output files with one of these names, in order."""
        out = PurePosixPath(str(self._config.get("output_annotation_dir") or "")).name
        paths = [name for name in files if PurePosixPath(name).name in named]
        own = [name for name in paths if out in PurePosixPath(name).parts] if out else []
        return sorted(own or paths)

    def _states_1(self, files: Mapping[str, bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The states that version 1 wrote, as those of version 2: one record for each instance, in
        a file for each annotator and in one for all.
        """
        found: dict[str, tuple[str, dict[str, Any]]] = {}
        for path in self._outputs(files, *_STATE_1):
            of_file: dict[str, dict[str, Any]] = {}
            for at, row in enumerate(_table(files[path], path), 1):
                record = row if isinstance(row, dict) else {}
                item = record.get("instance_id", record.get("id"))
                labels, given = record.get("label_annotations"), record.get("span_annotations")
                spans: list[Any] = given if isinstance(given, list) else [None]
                whole = item is not None and isinstance(labels, dict)
                if not whole or not all(isinstance(one, dict) for one in spans):
                    raise refuse(f"{path}: line {at} holds no instance with its answers.", _HINT)
                rater = str(record.get("user_id") or PurePosixPath(path).parent.name)
                state = of_file.setdefault(rater, {"user_id": rater})
                state.setdefault("instance_id_to_label_to_value", {})[str(item)] = labels
                placed = self._placed(str(record.get("displayed_text") or ""), spans)
                state.setdefault("instance_id_to_span_to_value", {})[str(item)] = placed
            for rater, state in of_file.items():
                # The file for all lacks who did not come back after the server was restarted, and
                # may be older than an annotator's own file.
                if PurePosixPath(path).parent.name == rater or rater not in found:
                    found[rater] = path, state
        yield from found.values()

    def _placed(self, text: str, spans: Sequence[Mapping[str, Any]]) -> list[Any]:
        """The marks of version 1 on a text, as version 2 has them."""
        schemes = {label: scheme for scheme, label in reversed(self._labels)}
        page, shown = _page(text), displayed(text)
        signs = [at for at, sign in enumerate(shown) if not sign.isspace()]
        marks, before, read = [], 0, 0
        for one in sorted(spans, key=_start):
            label, words = html.unescape(str(one.get("annotation"))), str(one.get("span") or "")
            # Signs other than blanks are the same on the page and in the text.
            before += len("".join(_plain(page[read : _start(one)]).split()))
            read = _start(one)
            start, end = _place(shown, signs, before, _plain(words).split())
            where = {"schema": schemes.get(label), "name": label, "start": start, "end": end}
            marks.append([where, _plain(words)])
        return marks

    def _marked(self, states: Sequence[tuple[str, dict[str, Any]]]) -> str:
        """The column with the most marked passages."""
        times: dict[str, int] = {self._default_target(): 0}
        for path, state in states:
            for _, spans in _pairs_of(state, "instance_id_to_span_to_value", path):
                for one, _ in spans:
                    target = str(one.get("target_field") or self._default_target())
                    times[target] = times.get(target, 0) + 1
        return max(times, key=lambda name: times[name])

    def _default_target(self) -> str:
        display = self._config.get("instance_display")
        fields = display.get("fields") if isinstance(display, dict) else None
        for one in fields if isinstance(fields, list) else []:
            if isinstance(one, dict) and one.get("span_target"):
                return str(one.get("key"))
        return self._text

    def _said(
        self,
        states: Sequence[tuple[str, dict[str, Any]]],
        rows: Mapping[str, Any],
        made: Project,
    ) -> Iterator[_Said]:
        for path, state in states:
            rater = str(state.get("user_id") or PurePosixPath(path).parent.name)
            origin = state.get("origin")
            model = isinstance(origin, dict) and origin.get("kind", "human") != "human"
            labels = dict(_pairs_of(state, "instance_id_to_label_to_value", path))
            spans = dict(_pairs_of(state, "instance_id_to_span_to_value", path))
            for item in dict.fromkeys([*labels, *spans]):
                if item not in rows:
                    made.left_out["Judgments on items that the data do not have, left out"] += 1
                    continue
                where = f"{rater}, {item}"
                answers = self._answers(labels.get(item, []), where, made)
                one = _Said(item, rater, model, where, answers)
                for span, words in spans.get(item, []):
                    if str(span.get("target_field") or self._default_target()) != made.marked:
                        made.left_out["Marks in another text, left out"] += 1
                        continue
                    if span.get("additional_parts"):
                        made.left_out["Marks in several parts, of which the first is kept"] += 1
                    one.marks.append((span, words))
                yield one

    def _answers(
        self, given: Sequence[tuple[dict[str, Any], Any]], where: str, made: Project
    ) -> dict[str, Any]:
        chosen: dict[str, tuple[Asked, list[Any]]] = {}
        found: dict[str, Any] = {}
        for label, value in given:
            scheme, name = str(label.get("schema")), str(label.get("name"))
            if value in _NONE:
                continue
            if scheme == "slider" and name in self._schemes:
                # So does version 1 call every slider.
                scheme = name
            if scheme not in self._schemes:
                raise refuse(f"{where}: an answer to {scheme!r}, which the configuration lacks.")
            questions = self._schemes[scheme]
            asked = questions.get(name) or questions.get("")
            if asked is None or (asked.kind == "number" and name == _NOT_RATED):
                made.left_out[f"Answers to {scheme}, left out"] += 1
            elif asked.options:
                if name == "free_response":
                    made.left_out["Answers in words beside options, left out"] += 1
                else:
                    named = name in asked.options and name not in questions
                    option = name if named else str(value)
                    chosen.setdefault(asked.id, (asked, []))[1].append(option)
            elif asked.kind == "long_text":
                found[asked.id] = str(value)
            elif asked.kind == "scale" and (name == _NOT_RATED or not re.search(r"\d", str(value))):
                found[asked.id] = NOT_APPLICABLE
            else:
                # The value of a point is the key to press: 0 for the tenth.
                point = name if re.fullmatch(r"scale_\d+", name) else value
                found[asked.id] = _number(point, f"{where}: {asked.text!r}")
        for asked, said in chosen.values():
            if asked.kind == "single" and len(said) > 1:
                raise refuse(
                    f"{where}: {asked.text!r} has several answers ({', '.join(said)}), where one is"
                    " asked for.",
                    "Potato can repair these: potato repair-annotations CONFIG --apply.",
                )
            found[asked.id] = asked.answered(said, where)
        return found

    def _texts(
        self, rows: Mapping[str, dict[str, Any]], marked: str, said: Sequence[_Said]
    ) -> dict[str, str]:
        """The text of each item that its marks fit: as Potato shows it, otherwise the raw one."""
        marks: dict[str, list[tuple[dict[str, Any], Any]]] = {}
        for one in said:
            marks.setdefault(one.item, []).extend(one.marks)
        found = {}
        for name, row in rows.items():
            cell = row.get(marked)
            if cell is not None and not isinstance(cell, str | int | float):
                raise refuse(f"{name}: {marked!r} holds no text, in which passages are marked.")
            raw = "" if cell is None else str(cell)
            texts = (displayed(raw), raw)
            fits = [text for text in texts if all(_fits(text, *one) for one in marks.get(name, ()))]
            if not fits:
                span = next(one for one in marks[name] if not _fits(texts[0], *one))
                raise refuse(f"{name}: the mark {span[1]!r} does not fit the text.")
            found[name] = fits[0]
        return found

    def _mark(self, span: Mapping[str, Any], words: Any, text: str, one: _Said) -> dict[str, Any]:
        label = self._labels.get((str(span.get("schema")), str(span.get("name"))))
        if label is None:
            said = span.get("name")
            raise refuse(f"{one.where}: a mark without a label of the configuration: {said!r}.")
        return mark(text, int(span["start"]), int(span["end"]), [label.id], one.where)


@dataclass
class _Said:
    """One annotator's work on one item."""

    item: str
    rater: str
    model: bool
    where: str
    answers: dict[str, Any]
    marks: list[tuple[dict[str, Any], Any]] = field(default_factory=list)


def _pairs_of(
    state: Mapping[str, Any], what: str, path: str
) -> Iterator[tuple[str, list[tuple[dict[str, Any], Any]]]]:
    """The labels or spans of each item, with their values; older states have them as objects, by
    scheme.
    """
    of_items = state.get(what) or {}
    if not isinstance(of_items, dict):
        raise refuse(f"{path}: {what} is not an object.", _HINT)
    for item, given in of_items.items():
        pairs = given
        if isinstance(given, dict):
            pairs = [
                [{"schema": scheme, "name": name}, value]
                for scheme, of in given.items()
                if isinstance(of, dict)
                for name, value in of.items()
            ]
        if not isinstance(pairs, list) or not all(
            isinstance(one, list) and len(one) == 2 and isinstance(one[0], dict) for one in pairs
        ):
            raise refuse(f"{path}: what is said of {item} cannot be read.", _HINT)
        if pairs:
            yield str(item), [(one, said) for one, said in pairs]


def _table(content: bytes, path: str) -> list[Any]:
    """The rows of a data file; its path's ending gives the format."""
    try:
        text = content.decode("utf-8-sig")
        if path.endswith((".csv", ".tsv")):
            csv.field_size_limit(len(text) + 1)
            tabs = path.endswith(".tsv")
            lines = io.StringIO(text, newline="")
            if tabs:
                return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
            return list(csv.DictReader(lines))
        if path.endswith(".json") and text.lstrip().startswith("["):
            found = json_value(text)
            return found if isinstance(found, list) else [found]
        return json_lines(text)
    except (ValueError, csv.Error) as error:
        raise refuse(
            f"{path} cannot be read: {why_unread(error)}.",
            "Data can be CSV, TSV, JSON or JSON lines in UTF-8.",
        ) from error


def _labels(given: Mapping[str, Any], where: str = "labels") -> list[tuple[str, str]]:
    """The labels of a scheme, with their meanings."""
    labels = given.get(where)
    found = []
    for one in labels if isinstance(labels, list) else []:
        if isinstance(one, dict):
            found.append((str(one.get("name")), str(one.get("tooltip") or "")))
        else:
            found.append((str(one), ""))
    return found


def _scale(low: int, high: int, least: object, most: object) -> list[str]:
    ends = [f"low = {text_of(str(least or low))}", f"high = {text_of(str(most or high))}"]
    return [f"minimum = {low}", f"maximum = {high}", *ends]


def _whole(given: Mapping[str, Any], name: str, usual: int) -> int:
    said = given.get(name, usual)
    if isinstance(said, bool) or not re.fullmatch(r"-?\d{1,9}(\.0*)?", str(said)):
        raise refuse(
            f"{given.get('name', 'A scheme')!r} has {name} = {said!r}, not a whole number."
        )
    return int(float(said))


def _number(value: Any, where: str) -> float | int:
    # Older versions write a point of a scale as scale_4.
    found = re.fullmatch(r"(?:scale_)?(-?\d{1,15}(?:\.\d{1,15})?)", str(value).strip())
    if found is None:
        raise refuse(f"{where} is answered {value!r}, which is not a number.")
    number = float(found[1])
    return int(number) if number.is_integer() else number


def _alike(cell: Any) -> bool:
    """Whether a cell is a list of texts, or of turns."""
    return (
        isinstance(cell, list)
        and bool(cell)
        and (all(isinstance(o, str) for o in cell) or all(isinstance(o, dict) for o in cell))
    )


def _cell(row: Mapping[str, Any], one: Shown) -> Any:
    cell = row.get(one.column)
    if one.kind == "dialogue" and isinstance(cell, list):
        return [
            {
                "role": str(turn.get("speaker") or turn.get("role") or ""),
                "content": str(turn.get("text") or turn.get("content") or ""),
            }
            for turn in cell
        ]
    name, _, number = one.column.rpartition("_")
    if one.column not in row and isinstance(beside := row.get(name), list):
        return beside[int(number) - 1] if int(number) <= len(beside) else ""
    if cell is None or isinstance(cell, str):
        return cell or ""
    return json.dumps(cell, ensure_ascii=False)


# -- the text as shown -----------------------------------------------------------------------------


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.read: list[str] = []

    def handle_data(self, data: str) -> None:
        self.read.append(data)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if not _TAGS.fullmatch(tag):
            self.read.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if not _TAGS.fullmatch(tag):
            self.read.append(f"</{tag}>")


def displayed(text: str) -> str:
    """A text as Potato shows it; its marks refer to this text."""
    text = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", lambda one: "\t" * (one[0] == "\t"), text)
    text = re.sub(r"[ \t]+", " ", text).strip()
    if not re.search(r"[<&]", text):
        return text
    return _plain(text)


def _plain(text: str) -> str:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return "".join(reader.read)


class _Page(_Reader):
    """Reads a text as the HTML that a browser makes of it."""

    def handle_data(self, data: str) -> None:
        self.read.append(html.escape(data, quote=False).replace("\xa0", "&nbsp;"))

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.read.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        self.read.append(f"</{tag}>")


def _page(text: str) -> str:
    """A text as HTML, in which version 1 counts."""
    page = _Page()
    page.feed(text)
    page.close()
    return re.sub(r"\r\n?|\n", "\r\n", "".join(page.read)).strip()


def _start(mark: Mapping[str, Any]) -> int:
    start = mark.get("start")
    return max(start, 0) if isinstance(start, int) else 0


def _place(shown: str, signs: Sequence[int], before: int, marked: Sequence[str]) -> tuple[int, int]:
    """Where marked words stand in a text: after that many of its signs, or else where they are
    alone; (-1, -1) if they are not there.
    """
    many = len("".join(marked))
    if many and before <= len(signs) - many:
        place = signs[before], signs[before + many - 1] + 1
        if shown[slice(*place)].split() == marked:
            return place
    # Within a tag of the text, version 1 counts from that tag; what is there once can be found.
    there = [*re.finditer(r"\s+".join(map(re.escape, marked)), shown)] if marked else []
    return there[0].span() if len(there) == 1 else (-1, -1)


def _fits(text: str, span: Mapping[str, Any], words: Any) -> bool:
    start, end = span.get("start"), span.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(text):
        return False
    return not isinstance(words, str) or words.split() == text[start:end].split()
