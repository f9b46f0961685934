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
from string import ascii_uppercase
from typing import Any

from medlens.bridges.converted_project import (
    ProjectConversion,
    ProjectQuestion,
    Shown,
    Unfit,
    file_contents_by_name_in_project_zip,
    make_mark_at_code_points,
    make_unfit_project_error,
    parse_finite_number,
    parse_json_lines_and_list_unfit,
    parse_yaml,
    quote_value_for_message,
    words_without_semicolons_by_option,
)
from medlens.config.question_forms_and_answer_checks import LONGEST_SCALE, NOT_APPLICABLE, SpanLabel
from medlens.errors import BadFile
from medlens.studies.own.bridge_registry import Converted
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    text_as_toml_value,
)
from medlens.tables.read_limits import parse_json_value, read_error_in_words
from medlens.tables.unclosed_html_tag_escape import escape_unclosed_html_tags

_READ = (".yaml", ".yml", ".json", ".jsonl", ".csv", ".tsv")
_STATE, _STATE_1 = "user_state.json", ("annotated_instances.jsonl", "annotated_instances.json")
_MERGED = "annotated_instances."
_SILENT = {"pure_display"}
_TEXTS = {"text": "text", "html": "text", "markdown": "markdown", "dialogue": "dialogue"}
"""The kinds of Potato displays that can be shown, and the panes that show them."""
_NOT_RATED = "bad_text"
_LARGEST = 10**9
_TICKS = {"true", "True", "on"}
_NONE = (None, "", False, "false", "off")
_HINT = "Pack the folder of the project, with its configuration and its output, as a zip file."
# Tags that Potato lets through; any other is shown as text.
_TAGS = re.compile(
    r"span|b|i|u|strong|em|mark|s|del|ins|br|hr|wbr|div|p|ul|ol|li|dl|dt|dd|h[1-6]|table|thead|tbody"
    r"|tr|th|td|caption|sub|sup|small|code|pre|blockquote|abbr|cite|kbd|samp|var|details|summary|a"
    r"|img|figure|figcaption|video|audio|source|track|ruby|rt|rp"
)


def convert_potato_project_to_study_and_notes(title: str, packed: bytes) -> Converted:
    """Convert a zip of a project's folder into a study with that title.

    Raises:
        BadFile: it has no such project, or something MedLens cannot keep; names it.
    """
    files = file_contents_by_name_in_project_zip(packed, *_READ)
    called, config = _config_in(files)
    return _Configured(title, called, config).read(files)


def _config_in(files: Mapping[str, bytes]) -> tuple[str, dict[str, Any]]:
    """The path and content of a folder's configuration, the one nearest to its top."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name in sorted(files, key=lambda name: (name.count("/"), name)):
        if not name.casefold().endswith((".yaml", ".yml")):
            continue
        try:
            one = parse_yaml(files[name])
        except ValueError as error:
            raise make_unfit_project_error(
                f"{name} cannot be read as YAML: {error}.", _HINT
            ) from error
        if isinstance(one, dict) and one.get("annotation_schemes"):
            found.append((name, one))
    if not found:
        raise make_unfit_project_error(
            "The zip has no configuration (YAML) with annotation_schemes.", _HINT
        )
    beside = [name for name, _ in found if name.count("/") == found[0][0].count("/")]
    if len(beside) > 1:
        raise make_unfit_project_error(
            f"The zip has several configurations: {', '.join(beside)}.",
            "Leave one of them in it.",
        )
    return found[0]


_LARGEST_TUPLE = 12
_OF_TUPLE = "_bws_items"
"""Where Potato keeps the texts that are compared in best-worst scaling, by letter."""


def _rows_of_tuples(
    files: Mapping[str, bytes], id_key: str, text_key: str
) -> dict[str, dict[str, Any]]:
    """The rows of best-worst scaling: the texts that were compared, in place of each text alone.
    Potato makes these sets itself, and writes them beside the answers or into the data.
    """
    found: dict[str, dict[str, Any]] = {}
    for path, content in files.items():
        if (
            PurePosixPath(path).suffix not in (".json", ".jsonl")
            or _OF_TUPLE.encode() not in content
        ):
            continue
        text = content.decode("utf-8", "replace")
        try:
            held: Any = [parse_json_value(text)]
        except ValueError:
            held = [value for _, value in parse_json_lines_and_list_unfit(text, path)[0]]
        for value in held:
            for row in value if isinstance(value, list) else [value]:
                if isinstance(row, dict) and isinstance(row.get(_OF_TUPLE), list):
                    name = _name_in(row.get(id_key) or row.get("id") or row.get("instance_id"))
                    texts = _texts_by_letter(row[_OF_TUPLE])
                    if name and texts:
                        others = {key: cell for key, cell in row.items() if key != _OF_TUPLE}
                        found[name] = {**others, id_key: name, text_key: texts}
    return found


def _texts_by_letter(items: Sequence[Any]) -> str:
    """The compared texts, each behind its letter."""
    lines = [
        f"{item.get('position') or letter}: {item['text']}"
        for letter, item in zip(ascii_uppercase, items, strict=False)
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    ]
    return "\n\n".join(lines)


class _Configured:
    def __init__(self, title: str, called: str, config: Mapping[str, Any]) -> None:
        self._title, self._config = title, config
        self._folder = PurePosixPath(called).parent
        stands = config.get("item_properties")
        stands = stands if isinstance(stands, dict) else {}
        self._id = _name_in(stands.get("id_key")) or "id"
        self._text = _name_in(stands.get("text_key")) or "text"
        # The questions of each scheme, by the names that results use for them ("" for any name).
        self._schemes: dict[str, dict[str, ProjectQuestion]] = {}
        self._labels: dict[tuple[str, str], SpanLabel] = {}
        self._ticked: set[str] = set()
        self._left_out: dict[str, str] = {}
        self._lost: list[Unfit] = []
        self._sometimes = 0
        schemes = config["annotation_schemes"]
        if not isinstance(schemes, list) or not all(isinstance(one, dict) for one in schemes):
            raise make_unfit_project_error("annotation_schemes is not a list of schemes.", _HINT)
        spans = [one for one in schemes if one.get("annotation_type") in ("span", "highlight")]
        for one in schemes:
            name = _name_in(one.get("name"))
            if not name or name in self._schemes:
                number = len(self._schemes) + 1
                raise make_unfit_project_error(
                    f"Scheme {number} of the configuration has no name of its own."
                )
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
        options = words_without_semicolons_by_option({label: label for label, _ in _labels(given)})
        at = f"q{len(self._schemes)}_{make_id_from_name(name)}"
        one = ""
        lines: list[str] = []
        if kind in ("radio", "multiselect"):
            # An answer's name is the label here, and its value may be a key to press or a tick.
            self._ticked.add(name)
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
                f"{ours} = {_limit(given, theirs)}"
                for ours, theirs in (("minimum", "min_value"), ("maximum", "max_value"))
                if given.get(theirs) is not None
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
        elif kind == "bws" and 2 <= (size := _whole(given, "tuple_size", 4)) <= _LARGEST_TUPLE:
            letters = {letter: letter for letter in ascii_uppercase[:size]}
            for end in ("best", "worst"):
                text = str(given.get(f"{end}_description") or f"Which is {end}?")
                self._schemes[name][end] = ProjectQuestion(f"{at}_{end}", "single", text, letters)
            return
        elif kind == "multirate" and len(options) > 1 and (rated := _labels(given, "options")):
            for number, (part, _) in enumerate(rated, 1):
                text = f"{words} – {part}"
                self._schemes[name][part] = ProjectQuestion(
                    f"{at}_{number}", "single", text, options
                )
            return
        elif kind in ("text", "textbox"):
            asked = self._schemes[name]
            for number, label in enumerate(options or [""], 1):
                more = f" – {label}" if label else ""
                own = f"{at}_{number}" if label else at
                asked[label] = ProjectQuestion(own, "long_text", f"{words}{more}")
            return
        if one:
            options = options if one in ("single", "multiple") else {}
            self._schemes[name][""] = ProjectQuestion(at, one, words, options, tuple(lines))
        elif kind not in _SILENT:
            self._left_out[name] = kind

    # -- items -------------------------------------------------------------------------------------

    def read(self, files: Mapping[str, bytes]) -> Converted:
        rows = self._rows(files)
        compares = any({"best", "worst"} <= of.keys() for of in self._schemes.values())
        tuples: dict[str, dict[str, Any]] = {}
        if compares:
            tuples = _rows_of_tuples(files, self._id, self._text)
            rows = tuples or rows
        states = list(self._states(files))
        lists = {
            name
            for name in {name for row in rows.values() for name in row}
            if all(_alike(row.get(name)) for row in rows.values())
        }
        shown, left_out = self._shown(rows, lists)
        marked = self._marked(states) if self._labels else ""
        if marked and marked not in {one.column for one in shown}:
            raise make_unfit_project_error(
                f"Passages are marked in {marked!r}, which is not a text that is shown."
            )
        made = ProjectConversion(
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
        if compares and not tuples:
            what = "Sets of texts for best-worst scaling that the zip does not hold: pack the file"
            made.left_out[f"{what} that has {_OF_TUPLE}, too"] = 1
        if self._sometimes:
            what = "Questions that Potato shows only sometimes (display_logic) and MedLens always"
            made.left_out[what] = self._sometimes
        if any(one.get("phase_to_page_to_label_to_value") for _, one in states):
            made.left_out["Annotators whose answers on survey pages are left out"] = sum(
                any(map(bool, of.values()))
                for _, one in states
                if isinstance(of := one.get("phase_to_page_to_label_to_value"), dict)
            )
        if not states and not self._lost:
            merged = [one for one in files if PurePosixPath(one).name.startswith(_MERGED)]
            if merged:
                what = "Files of all answers, not read: pack the folders of each annotator too"
                made.left_out[f"{what} ({', '.join(merged)})"] = len(merged)
            else:
                made.left_out["Annotators whose answers are in the zip"] = 0
        for fault in self._lost:
            made.count_left_out_part(fault)
        said = list(self._said(states, rows, made))
        texts = self._texts(rows, marked, said, made) if marked else {}
        for name, row in rows.items():
            cells = {
                one.column: texts[name] if one.column == marked else _cell(row, one)
                for one in shown
            }
            made.add_item_and_return_name(name, cells)
        for one in said:
            marks = []
            for each in one.marks:
                with made.leave_out_faulty_part_within():
                    marks.append(self._mark(*each, texts[one.item], one))
            made.add_judgment(
                one.item, one.rater, one.answers, marks, where=one.where, model=one.model
            )
        return made.make_converted_study()

    def _rows(self, files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        """The data rows, by item name."""
        found: dict[str, dict[str, Any]] = {}
        doubtful: set[str] = set()
        given = self._config.get("data_files")
        if not isinstance(given, list) or not given:
            raise make_unfit_project_error("The configuration names no data_files.", _HINT)
        for one in given:
            path = _name_in(one.get("path") if isinstance(one, dict) else one)
            if not path:
                raise make_unfit_project_error(
                    "One of the data_files of the configuration has no name.", _HINT
                )
            for at, row in enumerate(_table(self._file(files, path), path, self._lost), 1):
                name = _name_in(row.get(self._id)) if isinstance(row, dict) else ""
                if not name:
                    self._lost.append(Unfit(f"Rows without {self._id!r}", f"{path}, row {at}"))
                elif found.get(name, row) != row:
                    # Nobody could say which of the two texts was judged.
                    what = f"Rows with the {self._id!r} of another and their answers"
                    self._lost.append(
                        Unfit(what, f"{path}, row {at}: {quote_value_for_message(name)}")
                    )
                    doubtful.add(name)
                else:
                    found[name] = row
        found = {name: row for name, row in found.items() if name not in doubtful}
        if not found:
            raise make_unfit_project_error(
                f"The data have no row with an {self._id!r} of its own.", _HINT
            )
        return found

    def _file(self, files: Mapping[str, bytes], path: str) -> bytes:
        """A file named by the configuration: relative to it, otherwise the only one with that
        ending.
        """
        tail = "/".join(part for part in PurePosixPath(path).parts if part not in (".", "..", "/"))
        beside = str(self._folder / tail)
        ends = [name for name in files if f"/{name}".endswith(f"/{tail}")]
        if beside not in files and len(ends) != 1:
            raise make_unfit_project_error(
                f"The zip has no {path}, which the configuration names.", _HINT
            )
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
            name, kind = _name_in(one.get("key")), _name_in(one.get("type")) or "text"
            if kind not in _TEXTS:
                left_out[name] = kind
            elif not any(name in row for row in rows.values()):
                raise make_unfit_project_error(
                    f"The data have no {quote_value_for_message(name)}, which the configuration"
                    " shows."
                )
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
                state = parse_json_value(files[path].decode("utf-8-sig"))
            except ValueError as error:
                self._unread(path, read_error_in_words(error))
                continue
            if isinstance(state, dict):
                yield path, state
            else:
                self._unread(path, "it holds no annotator's state")
        if not paths:
            yield from self._states_1(files)

    def _unread(self, path: str, why: str) -> None:
        self._lost.append(Unfit("Files of annotators that cannot be read", f"{path}: {why}"))

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
            try:
                rows = _table(files[path], path, self._lost)
            except BadFile as error:
                self._unread(path, error.message)
                continue
            for at, row in enumerate(rows, 1):
                record = row if isinstance(row, dict) else {}
                item = record.get("instance_id", record.get("id"))
                labels, given = record.get("label_annotations"), record.get("span_annotations")
                # Version 1 writes no marks as [], {} or null.
                spans: list[Any] = (given or []) if isinstance(given or [], list) else [None]
                whole = _name_in(item) and isinstance(labels, dict)
                if not whole or not all(isinstance(one, dict) for one in spans):
                    what = "Lines that hold no instance with its answers"
                    self._lost.append(Unfit(what, f"{path}, line {at}"))
                    continue
                said_by = (_name_in(record.get(name)) for name in ("user_id", "user"))
                rater = next(filter(None, said_by), PurePosixPath(path).parent.name)
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
        page, shown = _page(text), text_as_potato_displays_it(text)
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

    def _pairs_of(
        self, state: Mapping[str, Any], what: str, path: str, made: ProjectConversion | None = None
    ) -> Iterator[tuple[str, list[tuple[dict[str, Any], Any]]]]:
        """The labels or spans of each item, with their values; older states have them as objects,
        by scheme. ``made`` counts what cannot be read.
        """
        of_items = state.get(what) or {}
        if not isinstance(of_items, dict):
            if made:
                made.count_left_out_part(Unfit("Answers that cannot be read", f"{path}: {what}"))
            return
        for item, given in of_items.items():
            pairs = given
            if isinstance(given, dict):
                pairs = [
                    [{"schema": scheme, "name": name}, value]
                    for scheme, of in given.items()
                    if isinstance(of, dict)
                    for name, value in of.items()
                ]
            found = []
            for pair in pairs if isinstance(pairs, list) else [pairs]:
                if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], dict):
                    found.append((pair[0], pair[1]))
                elif made:
                    place = f"{path}, {item}: {quote_value_for_message(pair)}"
                    made.count_left_out_part(Unfit("Answers that cannot be read", place))
            if found:
                yield str(item), found

    def _marked(self, states: Sequence[tuple[str, dict[str, Any]]]) -> str:
        """The column with the most marked passages."""
        times: dict[str, int] = {self._default_target(): 0}
        for path, state in states:
            for _, spans in self._pairs_of(state, "instance_id_to_span_to_value", path):
                for one, _ in spans:
                    target = _name_in(one.get("target_field")) or self._default_target()
                    times[target] = times.get(target, 0) + 1
        return max(times, key=lambda name: times[name])

    def _default_target(self) -> str:
        display = self._config.get("instance_display")
        fields = display.get("fields") if isinstance(display, dict) else None
        for one in fields if isinstance(fields, list) else []:
            if isinstance(one, dict) and one.get("span_target"):
                return _name_in(one.get("key"))
        return self._text

    def _said(
        self,
        states: Sequence[tuple[str, dict[str, Any]]],
        rows: Mapping[str, Any],
        made: ProjectConversion,
    ) -> Iterator[_Said]:
        for path, state in states:
            rater = _name_in(state.get("user_id")) or PurePosixPath(path).parent.name
            rater = rater or "Annotator without a name"
            origin = state.get("origin")
            model = isinstance(origin, dict) and origin.get("kind", "human") != "human"
            labels = dict(self._pairs_of(state, "instance_id_to_label_to_value", path, made))
            spans = dict(self._pairs_of(state, "instance_id_to_span_to_value", path, made))
            for item in dict.fromkeys([*labels, *spans]):
                if item not in rows:
                    made.left_out["Judgments on items that the data do not have, left out"] += 1
                    continue
                where = f"{rater}, {item}"
                answers = self._answers(labels.get(item, []), where, made)
                one = _Said(item, rater, model, where, answers)
                for span, words in spans.get(item, []):
                    target = _name_in(span.get("target_field")) or self._default_target()
                    if target != made.marked:
                        made.left_out["Marks in another text, left out"] += 1
                        continue
                    if span.get("additional_parts"):
                        made.left_out["Marks in several parts, of which the first is kept"] += 1
                    one.marks.append((span, words))
                yield one

    def _answers(
        self, given: Sequence[tuple[dict[str, Any], Any]], where: str, made: ProjectConversion
    ) -> dict[str, Any]:
        chosen: dict[str, tuple[ProjectQuestion, list[Any]]] = {}
        found: dict[str, Any] = {}
        for label, value in given:
            scheme, name = _name_in(label.get("schema")), _name_in(label.get("name"))
            if any(value is none or value == none for none in _NONE):
                continue
            if scheme == "slider" and name in self._schemes:
                # So does version 1 call every slider.
                scheme = name
            if scheme not in self._schemes:
                what = "Answers to what the configuration does not ask"
                made.count_left_out_part(Unfit(what, f"{where}: {quote_value_for_message(scheme)}"))
                continue
            questions = self._schemes[scheme]
            asked = questions.get(name) or questions.get("")
            if asked is None or (asked.kind == "number" and name == _NOT_RATED):
                made.left_out[f"Answers to {scheme}, left out"] += 1
            elif asked.options:
                if name == "free_response":
                    made.left_out["Answers in words beside options, left out"] += 1
                else:
                    named = name in asked.options and name not in questions
                    ticked = scheme in self._ticked and _is_key_or_tick(value)
                    option = name if named or ticked else _name_in(value)
                    chosen.setdefault(asked.id, (asked, []))[1].append(option)
            elif asked.kind == "long_text":
                found[asked.id] = value if isinstance(value, str) else json.dumps(value)
            elif asked.kind == "scale" and (name == _NOT_RATED or not re.search(r"\d", str(value))):
                found[asked.id] = NOT_APPLICABLE
            else:
                # The value of a point is the key to press: 0 for the tenth.
                point = name if re.fullmatch(r"scale_\d+", name) else value
                # Older versions write a point of a scale as scale_4.
                plain = point.removeprefix("scale_") if isinstance(point, str) else point
                with made.leave_out_faulty_part_within():
                    found[asked.id] = made.read_number_answer(asked, plain, where)
        for asked, said in chosen.values():
            # potato repair-annotations repairs those with several answers where one is asked for.
            with made.leave_out_faulty_part_within():
                found[asked.id] = made.read_chosen_options_as_answer_text(asked, said, where)
        return {of: answer for of, answer in found.items() if answer is not None}

    def _texts(
        self,
        rows: Mapping[str, dict[str, Any]],
        marked: str,
        said: Sequence[_Said],
        made: ProjectConversion,
    ) -> dict[str, str]:
        """The text of each item that its marks fit: as Potato shows it, otherwise the raw one."""
        marks: dict[str, list[tuple[dict[str, Any], Any]]] = {}
        for one in said:
            marks.setdefault(one.item, []).extend(one.marks)
        found = {}
        for name, row in rows.items():
            cell = row.get(marked)
            if cell is not None and not isinstance(cell, str | int | float):
                what = "Cells without the text in which passages are marked, taken as they are"
                made.left_out[what] += 1
                cell = json.dumps(cell, ensure_ascii=False)
            raw = "" if cell is None else str(cell)
            # The text in which most marks fit; as Potato shows it, where both do.
            of_item = marks.get(name, ())
            found[name] = max(
                (text_as_potato_displays_it(raw), raw),
                key=lambda text: sum(_fits(text, *one) for one in of_item),
            )
        return found

    def _mark(self, span: Mapping[str, Any], words: Any, text: str, one: _Said) -> dict[str, Any]:
        label = self._labels.get((_name_in(span.get("schema")), _name_in(span.get("name"))))
        if label is None:
            place = f"{one.where}: {quote_value_for_message(span.get('name'))}"
            raise Unfit("Marks without a label of the configuration", place)
        if not _fits(text, span, words):
            raise Unfit(
                "Marks that do not fit the text", f"{one.where}: {quote_value_for_message(words)}"
            )
        return make_mark_at_code_points(
            text, int(span["start"]), int(span["end"]), [label.id], one.where
        )


@dataclass
class _Said:
    """One annotator's work on one item."""

    item: str
    rater: str
    model: bool
    where: str
    answers: dict[str, Any]
    marks: list[tuple[dict[str, Any], Any]] = field(default_factory=list)


def _name_in(value: Any) -> str:
    """A name or number, as text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _is_key_or_tick(value: Any) -> bool:
    """Whether the value beside a label only says that the label was chosen."""
    return not isinstance(value, str) or len(value) == 1 or value.isdigit() or value in _TICKS


def _table(content: bytes, path: str, lost: list[Unfit]) -> list[Any]:
    """The rows of a data file; its path's ending gives the format. Lines that cannot be read are
    ``lost``.
    """
    try:
        text = content.decode("utf-8-sig")
        if path.endswith((".csv", ".tsv")):
            csv.field_size_limit(
                max(csv.field_size_limit(), len(text) + 1)
            )  # for all of the process
            tabs = path.endswith(".tsv")
            lines = io.StringIO(text, newline="")
            if tabs:
                return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
            return list(csv.DictReader(lines))
        if path.endswith(".json") and text.lstrip().startswith("["):
            found = parse_json_value(text)
            return found if isinstance(found, list) else [found]
        found, broken = parse_json_lines_and_list_unfit(text, path)
        if broken and not found:
            raise ValueError(broken[0].where.removeprefix(f"{path}, "))
        lost += broken
        return [value for _, value in found]
    except (ValueError, csv.Error) as error:
        raise make_unfit_project_error(
            f"{path} cannot be read: {read_error_in_words(error)}.",
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
    ends = [
        f"low = {text_as_toml_value(str(least or low))}",
        f"high = {text_as_toml_value(str(most or high))}",
    ]
    return [f"minimum = {low}", f"maximum = {high}", *ends]


def _whole(given: Mapping[str, Any], name: str, usual: int) -> int:
    number = parse_finite_number(given.get(name, usual))
    if not isinstance(number, int) or abs(number) > _LARGEST:
        raise make_unfit_project_error(_not_a_number(given, name, "a whole number"))
    return number


def _limit(given: Mapping[str, Any], name: str) -> int | float:
    """The end of a slider or a number, which may have halves."""
    number = parse_finite_number(given[name])
    if number is None or abs(number) > _LARGEST:
        raise make_unfit_project_error(_not_a_number(given, name, "a number"))
    return number


def _not_a_number(given: Mapping[str, Any], name: str, what: str) -> str:
    scheme = _name_in(given.get("name"))
    called = f"The scheme {scheme!r} of the configuration" if scheme else "The configuration"
    return f"{called} has {name} = {quote_value_for_message(given.get(name))}, which is not {what}."


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


def text_as_potato_displays_it(text: str) -> str:
    """A text as Potato shows it; its marks refer to this text."""
    text = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", lambda one: "\t" * (one[0] == "\t"), text)
    text = re.sub(r"[ \t]+", " ", text).strip()
    if not re.search(r"[<&]", text):
        return text
    return _plain(text)


def _plain(text: str) -> str:
    reader = _Reader()
    reader.feed(_readable_in_time(text))
    reader.close()
    return "".join(reader.read)


_MOST_UNCLOSED = 100
"""Signs that open a tag and are not closed, from which on a text takes too long to be read."""


def _readable_in_time(text: str) -> str:
    """The text, or with its unclosed tags as texts if there are very many, as no page has them."""
    unclosed = text.count("<") - text.count(">")
    return escape_unclosed_html_tags(text) if unclosed > _MOST_UNCLOSED else text


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
    page.feed(_readable_in_time(text))
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
