"""Converts an INCEpTION export, of a project or a document, into a study.

Sources: INCEpTION's user guide on its exports, its specification of WebAnno TSV 3.3, and UIMA CAS
JSON 0.4. CAS files, as JSON or XMI, are read by dkpro-cassis. All of them count UTF-16 units.
"""

from __future__ import annotations

import io
import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import Any

from medlens.bridges.converted_project import (
    ProjectConversion,
    ProjectQuestion,
    Shown,
    Unfit,
    XmlReader,
    file_contents_by_name_in_project_zip,
    make_mark_at_code_points,
    make_unfit_project_error,
    quote_value_for_message,
)
from medlens.config.question_forms_and_answer_checks import MOST_LABELS, SpanLabel
from medlens.errors import BadFile
from medlens.studies.own.bridge_registry import Converted
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    title_from_name,
)
from medlens.tables.read_limits import parse_json_value, read_error_in_words

_PROJECT = "exportedproject.json"
_ANYBODY, _CURATOR = "INITIAL_CAS", "CURATION_USER"
_TEXT = "text"
_MOST_WORDS, _MOST_VALUES = 200, 30
_LABELLING = re.compile(r"(?i)value|label|tag|kind|type|class|categor")
_HINT = "Export the project from INCEpTION again, as UIMA CAS JSON, UIMA CAS XMI or WebAnno TSV 3."
# What INCEpTION or its importers add themselves: sentences, words, grammar, the source.
_BY_MACHINE = re.compile(
    r"uima\.tcas\.DocumentAnnotation|(de\.tudarmstadt\.ukp|org)\.dkpro\.core\.api\."
    r"(segmentation|lexmorph|metadata|syntax|transform|xml|pdf|coref)\..*"
    r"|de\.tudarmstadt\.ukp\.clarin\.webanno\.api\.type\..*|org\.dkpro\.core\..*"
    r"|de\.tudarmstadt\.ukp\.inception\..*"
)
# The library turns these names into Python classes.
_NAME = re.compile(r"%?[A-Za-z_][A-Za-z0-9_.\-]*(\[\])?")
_FEATURE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass
class _Span:
    """A mark: its layer, its position in code points, and its features."""

    layer: str
    start: int
    end: int
    features: dict[str, Any]


@dataclass
class _Read:
    """The content of a file: the text, its marks, what is said of the whole document by layer, and
    what is left out.
    """

    text: str
    spans: list[_Span] = field(default_factory=list)
    whole: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    faults: list[Unfit] = field(default_factory=list)


def convert_inception_export_to_study_and_notes(title: str, export: bytes) -> Converted:
    """Convert an export, a zip or the file of one document, into a study with that title.

    Raises:
        BadFile: it is not an export, or has something MedLens cannot keep; names it.
    """
    if export.startswith(b"PK"):
        files = file_contents_by_name_in_project_zip(
            export, ".json", ".tsv", ".xmi", ".xml", ".zip"
        )
        return _Export(title, files).study()
    text = export.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"#FORMAT"):
        return _Export(title, {"document.tsv": export}).study()
    if text.startswith(b"{"):
        return _Export(title, {"document.json": export}).study()
    raise make_unfit_project_error(
        "The file is neither a zip nor a document that INCEpTION exports.", _HINT
    )


class _Export:
    def __init__(self, title: str, files: Mapping[str, bytes]) -> None:
        self._title, self._files = title, files
        self._left_out: Counter[str] = Counter()
        paths = [name for name in files if PurePosixPath(name).name == _PROJECT]
        self._project = _json(files[paths[0]], _PROJECT) if paths else {}
        self._states = {
            (str(one.get("name")), str(one.get("user"))): str(one.get("state"))
            for one in _objects(self._project.get("annotation_documents"))
        }
        self._layers = {str(one.get("name")): one for one in _objects(self._project.get("layers"))}
        self._tags = {
            str(one.get("name")): {
                str(tag.get("tag_name")): str(tag.get("tag_description") or "")
                for tag in _objects(one.get("tags"))
            }
            for one in _objects(self._project.get("tag_sets"))
        }

    # -- files -------------------------------------------------------------------------------------

    def _documents(self) -> Iterator[tuple[str, str, str, Callable[[], _Read]]]:
        """The path, document, annotator and reader of each annotated file."""
        found = False
        for path, content in sorted(self._files.items()):
            parts = PurePosixPath(path).parts
            if len(parts) >= 3 and parts[-3] == "curation":
                self._left_out["Curated documents, left out"] += parts[-1] != _PROJECT
                continue
            if (
                len(parts) < 3
                or parts[-3] != "annotation"
                or not path.endswith((".zip", *_READERS))
            ):
                continue
            found = True
            document, stem = parts[-2], PurePosixPath(parts[-1]).stem
            # INCEpTION ends file names with a number of its own.
            user = re.sub(r"_\d{6,}$", "", stem) if (document, stem) not in self._states else stem
            if path.endswith(".zip"):
                inner = file_contents_by_name_in_project_zip(content, ".xmi", ".xml")
                if stem.startswith(("webanno", "inception")) and (own := _xmi_of(inner)):
                    user = PurePosixPath(own).stem
                yield path, document, user, partial(_xmi, inner, path)
            else:
                yield (
                    path,
                    document,
                    user,
                    partial(_READERS[PurePosixPath(path).suffix], content, path),
                )
        if found:
            return
        # The export of a single document, as its annotator sees it.
        if _xmi_of(self._files):
            own = _xmi_of(self._files)
            yield own, PurePosixPath(own).stem, "Annotator", partial(_xmi, self._files, own)
            return
        for path, content in sorted(self._files.items()):
            name = PurePosixPath(path)
            if name.name != _PROJECT and (read := _READERS.get(name.suffix)):
                yield path, name.stem, "Annotator", partial(read, content, path)

    # -- the study ---------------------------------------------------------------------------------

    def study(self) -> Converted:
        texts: dict[str, str] = {}
        said: list[tuple[str, str, _Read]] = []
        faults: list[Unfit] = []
        unread: BadFile | None = None
        for path, document, user, read in self._documents():
            state = self._states.get((document, user), "")
            if state in ("NEW", "IGNORE", "LOCKED"):
                if state != "NEW":
                    self._left_out["Documents that their annotator did not judge, left out"] += 1
                continue
            try:
                one = read()
            except BadFile as error:
                unread = unread or error
                why = error.message.removesuffix(".")
                faults.append(Unfit("Documents that cannot be read", why))
                continue
            faults += [Unfit(each.what, f"{path}: {each.where}") for each in one.faults]
            if texts.setdefault(document, one.text) != one.text:
                what = "Documents whose text is not the one that others had"
                faults.append(Unfit(what, path))
                continue
            if user in (_ANYBODY, _CURATOR):
                continue
            if state == "IN_PROGRESS":
                if not one.spans and not one.whole:
                    self._left_out["Documents that were opened and left unmarked, left out"] += 1
                    continue
                what = "Documents that their annotator did not finish, taken as they are"
                self._left_out[what] += 1
            said.append((document, user, one))
            self._left_out += one.left_out
        if not texts and unread:
            raise unread
        if not texts:
            raise make_unfit_project_error(
                "The export has no documents as UIMA CAS JSON, UIMA CAS XMI or WebAnno TSV 3.",
                _HINT,
            )
        spans = [span for _, _, one in said for span in one.spans]
        asking = _Asking(self, spans)
        whole = self._whole([one.whole for _, _, one in said])
        if not asking.labels and not whole:
            also = f" {faults[0].what}: {faults[0].where}." if faults else ""
            raise make_unfit_project_error(
                f"The export has no layer of marks, and none on documents as a whole.{also}"
            )
        made = ProjectConversion(
            tool="INCEpTION",
            title=self._title,
            instructions=str(self._project.get("description") or ""),
            shown=[Shown(_TEXT)],
            asked=[*asking.asked.values(), *whole.values()],
            marked=_TEXT if asking.labels else "",
            labels=list(asking.labels.values()),
        )
        for fault in faults:
            made.count_left_out_part(fault)
        made.items.extend({"item": name, _TEXT: text} for name, text in texts.items())
        for document, user, one in said:
            where = f"{document}, {user}"
            marks = self._marks(one, asking, where)
            answers = {
                asked.id: answer
                for (layer, name), asked in whole.items()
                if (answer := _words(one.whole.get(layer, {}).get(name))) is not None
            }
            made.add_judgment(document, user, answers, marks, where=where)
        made.left_out += self._left_out + asking.left_out
        return made.make_converted_study()

    def _marks(self, one: _Read, asking: _Asking, where: str) -> list[dict[str, Any]]:
        """The marks of a document; those on the same words are merged."""
        found: dict[tuple[int, int], dict[str, Any]] = {}
        for span in one.spans:
            if not one.text[span.start : span.end].strip():
                self._left_out["Marks on no words, left out"] += 1
                continue
            labels, answers = asking.of(span)
            new = make_mark_at_code_points(one.text, span.start, span.end, labels, where)
            there = found.setdefault((new["start"], new["end"]), new | {"labels": []})
            there["labels"] += [one for one in labels if one not in there["labels"]]
            for name, answer in answers.items():
                if there["answers"].setdefault(name, answer) != answer:
                    what = "Answers to questions on marks on the same words, left out"
                    self._left_out[what] += 1
        return list(found.values())

    def _whole(
        self, given: Sequence[Mapping[str, Mapping[str, Any]]]
    ) -> dict[tuple[str, str], ProjectQuestion]:
        """The questions about whole documents, by layer and feature."""
        used: dict[tuple[str, str], dict[str, None]] = {}
        for layers in given:
            for layer, features in layers.items():
                for name, value in features.items():
                    if said := _words(value):
                        used.setdefault((layer, name), {})[said] = None
        found: dict[tuple[str, str], ProjectQuestion] = {}
        for at, ((layer, name), words) in enumerate(used.items(), 1):
            tags = self.tags(layer, name)
            options = {one: one for one in [*map(_plain, tags), *words]} if tags else {}
            kind = "single" if len(options) > 1 else "long_text"
            asked = f"{self.called(layer)}: {self.feature(layer, name)}"
            own = f"q{at}_{make_id_from_name(name)}"
            found[layer, name] = ProjectQuestion(
                own, kind, asked, options if kind == "single" else {}
            )
        return found

    def called(self, layer: str) -> str:
        """A layer's name as its annotators see it."""
        return str(
            self._layers.get(layer, {}).get("uiName") or title_from_name(layer.rpartition(".")[2])
        )

    def feature(self, layer: str, name: str) -> str:
        """A feature's name as its annotators see it."""
        return str(self._of(layer, name).get("uiName") or title_from_name(name))

    def tags(self, layer: str, name: str) -> Mapping[str, str]:
        """The tags of a feature and their meanings; empty if any text is allowed."""
        tag_set = self._of(layer, name).get("tag_set")
        return self._tags.get(str(tag_set.get("name")), {}) if isinstance(tag_set, dict) else {}

    def _of(self, layer: str, name: str) -> dict[str, Any]:
        return next((one for one in self.features(layer) if one.get("name") == name), {})

    def features(self, layer: str) -> list[dict[str, Any]]:
        """The features of a layer that the project declares."""
        return _objects(self._layers.get(layer, {}).get("features"))

    def enabled(self) -> list[str]:
        """The project's layers of marks that its annotators see."""
        return [
            name
            for name, one in self._layers.items()
            if one.get("type") == "span" and one.get("enabled") and not _BY_MACHINE.fullmatch(name)
        ]


class _Asking:
    """The labels and questions of all marks. One feature of a layer gives its labels: the first
    with tags, else the first with few values, preferably one with a name like "label". Its other
    features become questions.
    """

    def __init__(self, export: _Export, spans: Sequence[_Span]) -> None:
        self.labels: dict[tuple[str, str], SpanLabel] = {}
        self.asked: dict[tuple[str, str], ProjectQuestion] = {}
        self.left_out: Counter[str] = Counter()
        self._by: dict[str, str] = {}
        used: dict[str, dict[str, dict[str, None]]] = {}
        for span in spans:
            of = used.setdefault(span.layer, {})
            for name, value in span.features.items():
                of.setdefault(name, {}).update(dict.fromkeys(_listed(value)))
        # Options that nobody used are included if their layer was used.
        layers = list(used) or export.enabled()
        for layer in layers:
            features = used.get(layer) or {
                str(one.get("name")): {} for one in export.features(layer)
            }
            tagged = [name for name in features if export.tags(layer, name)]
            few = [name for name in features if 0 < len(features[name]) <= _MOST_VALUES]
            few.sort(key=lambda name: not _LABELLING.search(name))
            by = self._by[layer] = next(iter([*tagged, *few]), "")
            before = f"{export.called(layer)}: " if len(layers) > 1 else ""
            means = {_plain(tag): means for tag, means in export.tags(layer, by).items()}
            for value in dict.fromkeys([*means, *features.get(by, ())]):
                self._label(layer, value, before + value, means.get(value, ""))
            if any(span.layer == layer and not _listed(span.features.get(by)) for span in spans):
                self._label(layer, "", export.called(layer), "")
            if not by and (layer, "") not in self.labels:
                self._label(layer, "", export.called(layer), "")
            for name, values in features.items():
                if name == by or not values:
                    continue
                if len(self.asked) >= MOST_LABELS - 1:
                    what = f"Answers to {export.called(layer)}: {name}, left out"
                    self.left_out[what] += sum(
                        bool(_listed(one.features.get(name))) for one in spans if one.layer == layer
                    )
                    continue
                options = [*map(_plain, export.tags(layer, name))]
                options = list(dict.fromkeys([*options, *values])) if options else []
                own = f"f{len(self.asked) + 1}_{make_id_from_name(name)}"
                self.asked[layer, name] = ProjectQuestion(
                    own,
                    "single" if len(options) > 1 else "short_text",
                    before + export.feature(layer, name),
                    {one: one for one in options} if len(options) > 1 else {},
                    of_span=True,
                )

    def _label(self, layer: str, value: str, name: str, means: str) -> None:
        taken = {one.name.casefold() for one in self.labels.values()}
        name = name if name.casefold() not in taken else f"{name} ({len(self.labels) + 1})"
        at = f"label_{len(self.labels) + 1}"
        self.labels[layer, value] = SpanLabel(at, name, means)

    def of(self, span: _Span) -> tuple[list[str], dict[str, str]]:
        """The labels of a mark, and the answers about it."""
        values = _listed(span.features.get(self._by[span.layer])) or [""]
        answers = {}
        for name, value in span.features.items():
            asked = self.asked.get((span.layer, name))
            if asked and (words := _words(value)) is not None:
                if len(words) > _MOST_WORDS and not asked.options:
                    self.left_out[f"Answers cut at {_MOST_WORDS} characters"] += 1
                answers[asked.id] = words if asked.options else words[:_MOST_WORDS]
        return [self.labels[span.layer, one].id for one in values], answers


def _objects(given: Any) -> list[dict[str, Any]]:
    """The objects in a JSON list; [] if it is not a list."""
    return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []


def _plain(words: str) -> str:
    # Semicolons separate several options in a file of judgments.
    return " ".join(words.replace(";", ",").split())


def _listed(value: Any) -> list[str]:
    """The values of a feature, which may have several."""
    values = value if isinstance(value, list) else [value]
    return [_plain(_word(one)) for one in values if one is not None and str(one).strip()]


def _words(value: Any) -> str | None:
    return ", ".join(_listed(value)) or None


def _word(value: Any) -> str:
    return ("Yes" if value else "No") if isinstance(value, bool) else str(value)


# -- UIMA CAS --------------------------------------------------------------------------------------


def _json(content: bytes, path: str) -> dict[str, Any]:
    try:
        found = parse_json_value(content.decode("utf-8-sig"))
    except ValueError as error:
        raise make_unfit_project_error(
            f"{path} is not JSON: {read_error_in_words(error)}.", _HINT
        ) from error
    if not isinstance(found, dict):
        raise make_unfit_project_error(f"{path} is not JSON of INCEpTION: it holds a list.", _HINT)
    return found


def _cas_json(content: bytes, path: str) -> _Read:
    found = _json(content, path)
    types = found.get("%TYPES")
    if not isinstance(types, dict) or "%FEATURE_STRUCTURES" not in found:
        raise make_unfit_project_error(f"{path} is not UIMA CAS JSON 0.4: it has no %TYPES.", _HINT)
    for name, of in types.items():
        if not isinstance(of, dict):
            raise make_unfit_project_error(
                f"{path}: the type {name!r} has no features that can be read.", _HINT
            )
        _require_names([name], [one for one in of if not one.startswith("%")], path)
    kept = json.dumps({"%TYPES": types, "%FEATURE_STRUCTURES": [], "%VIEWS": {}}, sort_keys=True)

    def load(cassis: Any) -> Any:
        system = _types_of_json(kept)
        return cassis.load_cas_from_json(
            json.dumps(found), typesystem=system, merge_typesystem=False
        )

    return _read_cas(path, load)


# All documents of an export share their types, which take longer to read than most documents.
@lru_cache(maxsize=4)
def _types_of_json(content: str) -> Any:
    import cassis

    return cassis.load_cas_from_json(content).typesystem


@lru_cache(maxsize=4)
def _types_of_xml(content: bytes) -> Any:
    import cassis

    return cassis.load_typesystem(io.BytesIO(content))


def _xmi_of(files: Mapping[str, bytes]) -> str:
    found = [name for name in files if name.casefold().endswith(".xmi")]
    return found[0] if len(found) == 1 else ""


def _xmi(files: Mapping[str, bytes], path: str) -> _Read:
    """A CAS as XMI, with its type system beside it."""
    own = _xmi_of(files)
    types = next((n for n in files if PurePosixPath(n).name.casefold() == "typesystem.xml"), "")
    if not own or not types:
        raise make_unfit_project_error(
            f"{path} has no XMI with its TypeSystem.xml beside it.", _HINT
        )
    # XML 1.1 differs in characters that no text of a study can have.
    cas, system = (re.sub(rb"^(.{,20})1\.1", rb"\g<1>1.0", files[n], count=1) for n in (own, types))
    _names_in(cas, own)
    names = _names_in(system, types)
    _require_names(names["type"], names["feature"], types)

    def load(cassis: Any) -> Any:
        return cassis.load_cas_from_xmi(
            io.BytesIO(cas), typesystem=_types_of_xml(system), lenient=True
        )

    return _read_cas(path, load)


def _names_in(content: bytes, path: str) -> dict[str, list[str]]:
    """The names of types and features in a type system; empty for other XML."""
    found: dict[str, list[str]] = {"type": [], "feature": []}
    xml = XmlReader(path, _HINT)
    stack: list[str] = []
    words: list[str] = []

    def start(name: str, given: dict[str, str]) -> None:
        stack.append(name.rpartition(":")[2])
        words.clear()

    def end(name: str) -> None:
        tag = stack.pop()
        if tag in ("name", "supertypeName", "rangeTypeName", "elementType"):
            own = tag == "name" and stack[-1:] == ["featureDescription"]
            found["feature" if own else "type"].append("".join(words).strip())

    xml.parser.StartElementHandler = start
    xml.parser.EndElementHandler = end
    xml.parser.CharacterDataHandler = words.append
    xml.feed_bytes_to_handlers(content)
    return found


def _require_names(types: Sequence[str], features: Sequence[str], path: str) -> None:
    strange = [one for one in types if one and not _NAME.fullmatch(one)]
    strange += [one for one in features if not _FEATURE.fullmatch(one)]
    if strange:
        raise make_unfit_project_error(
            f"{path}: {strange[0][:100]!r} is not a valid name for a type or feature.", _HINT
        )


def _read_cas(path: str, load: Callable[[Any], Any]) -> _Read:
    try:
        import cassis
    except ImportError as error:
        raise make_unfit_project_error(
            "UIMA CAS files are read by dkpro-cassis, which is not installed.",
            "Install it beside MedLens (.venv/bin/python -m pip install dkpro-cassis), or export"
            " the project as WebAnno TSV 3, which needs nothing more.",
        ) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _of_cas(load(cassis).get_view("_InitialView"))
    except MemoryError:
        raise
    except Exception as error:  # the library reports damage in many ways, and in its own words
        line = getattr(error, "lineno", None)
        place = f", line {line:,}," if isinstance(line, int) else ""
        raise make_unfit_project_error(
            f"{path}{place} cannot be read: something in it is missing or damaged.", _HINT
        ) from error


def _of_cas(view: Any) -> _Read:
    text = view.sofa_string or ""
    found = _Read(text)
    for fs in view.select_all_fs():
        layer = fs.type.name
        if _BY_MACHINE.fullmatch(layer) or layer.startswith("uima."):
            continue
        features = {
            one.name: _value(fs[one.name])
            for one in fs.type.all_features
            if one.name not in ("sofa", "begin", "end")
        }
        if {"Governor", "Dependent"} <= set(features) or {"first"} == set(features):
            found.left_out["Relations and chains, left out"] += 1
            continue
        links = [name for name, value in features.items() if value is _LINK]
        found.left_out["Links from one mark to others, left out"] += len(links)
        features = {n: v for n, v in features.items() if v is not None and v is not _LINK}
        start, end = getattr(fs, "begin", None), getattr(fs, "end", None)
        if start is None:
            if layer in found.whole:
                found.left_out["Further answers to a document as a whole, left out"] += 1
            found.whole.setdefault(layer, features)
        elif not isinstance(end, int) or not 0 <= start <= end <= len(text):
            places = f"{quote_value_for_message(start)} to {quote_value_for_message(end)}"
            place = f"{layer} from {places} of {len(text):,} characters"
            found.faults.append(Unfit("Marks that are not in the text", place))
        else:
            found.spans.append(_Span(layer, start, end, features))
    found.spans.sort(key=lambda span: (span.start, span.end))
    return found


_LINK = object()


def _value(value: Any) -> Any:
    """The value of a feature; ``_LINK`` for another feature structure."""
    if value is None or isinstance(value, str | int | float):
        return value
    elements = getattr(value, "elements", value if isinstance(value, list) else None)
    if isinstance(elements, list):
        return elements if all(isinstance(o, str | int | float) for o in elements) else _LINK
    return _LINK


# -- WebAnno TSV 3 ---------------------------------------------------------------------------------


@dataclass
class _Columns:
    """The columns of a layer from ``at``: the feature in each, "" for none."""

    layer: str
    at: int
    features: list[str]


def _tsv(content: bytes, path: str) -> _Read:
    try:
        lines = [one.removesuffix("\r") for one in content.decode("utf-8-sig").split("\n")]
    except UnicodeDecodeError as error:
        raise make_unfit_project_error(f"{path} is not UTF-8.", _HINT) from error
    if not lines[0].startswith("#FORMAT=WebAnno TSV 3"):
        raise make_unfit_project_error(f"{path} is not WebAnno TSV 3.", _HINT)
    layers, skipped = _header(lines)
    units = bytearray()
    spans: dict[Any, _Span] = {}
    sentence: list[str] = []
    left_out: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        if line.startswith("#Text="):
            sentence.append(_unescaped(line.removeprefix("#Text=")))
            continue
        cells = line.split("\t")
        place = re.fullmatch(r"(\d{1,9})-(\d{1,9})", cells[1]) if len(cells) > 2 else None
        if line.startswith("#") or not line.strip():
            continue
        if place is None or not re.fullmatch(r"\d+-\d+(\.\d+)?", cells[0]):
            raise make_unfit_project_error(
                f"{path}, line {number}: no word with its position.", _HINT
            )
        start, end = int(place[1]), int(place[2])
        if sentence:
            text = "\n".join(sentence)
            sentence = []
            gap = start - len(units) // 2
            # The format does not keep the text between two sentences.
            if not 0 <= gap <= 1_000_000:
                raise make_unfit_project_error(
                    f"{path}, line {number}: a sentence begins within another.", _HINT
                )
            units += ("\n" * gap).encode("utf-16-le") + text.encode("utf-16-le", "surrogatepass")
        word = _unescaped(cells[2])
        if units[2 * start : 2 * end] != word.encode("utf-16-le", "surrogatepass"):
            raise make_unfit_project_error(
                f"{path}, line {number}: {word!r} is not what its sentence has there."
            )
        for one in layers:
            for key, features in _stacked(one, cells, (number,)):
                there = spans.setdefault(key, _Span(one.layer, start, end, features))
                there.start, there.end = min(there.start, start), max(there.end, end)
        for at in skipped:
            if at < len(cells) and cells[at] not in ("", "_", "*"):
                left_out["Relations, chains and links, left out"] += 1
    text = units.decode("utf-16-le", "surrogatepass")
    points = _points_of(text)
    for span in spans.values():
        span.start, span.end = points[span.start], points[span.end]
    return _Read(text, list(spans.values()), left_out=left_out)


def _header(lines: Sequence[str]) -> tuple[list[_Columns], list[int]]:
    """The columns of marks, and those of relations, chains and links."""
    found: list[_Columns] = []
    skipped: list[int] = []
    at = 3
    for line in lines:
        declared = re.match(r"#T_(SP|CH|RL)=(.*)", line)
        if not line.startswith("#") or line.startswith("#Text="):
            if found or skipped or line.startswith("#Text="):
                break
            continue
        if declared is None:
            continue
        layer, *features = declared[2].split("|")
        features = features or [""]
        if declared[1] != "SP":
            skipped += [at + len(features) - 1]
        else:
            own: list[str] = []
            for one in features:
                link = one.startswith("ROLE_") or (own and own[-1] == "ROLE_")
                # The type of a link's target is declared beside the link and has its own column.
                own.append("ROLE_" if one.startswith("ROLE_") else "" if link else one)
            skipped += [at + n for n, one in enumerate(own) if one == "ROLE_"]
            if not _BY_MACHINE.fullmatch(layer):
                found.append(_Columns(layer, at, ["" if o == "ROLE_" else o for o in own]))
        at += len(features)
    return found, skipped


def _stacked(
    one: _Columns, cells: Sequence[str], line: tuple[int, ...]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The marks of a layer on a word: a key for each, and its features."""
    marks: dict[int, tuple[str, dict[str, Any]]] = {}
    for at, name in enumerate(one.features, one.at):
        cell = cells[at] if at < len(cells) else "_"
        if cell in ("_", "") or (not name and len(one.features) > 1):
            continue
        for place, part in enumerate(re.findall(r"(?:\\.|[^\\|])+", cell)):
            value = re.fullmatch(r"(.*?)(?:(?<!\\)\[(\d+)\])?", part, re.DOTALL)
            assert value is not None
            own, features = marks.setdefault(place, (value[2] or "", {}))
            if name and value[1] not in ("*", "_", ""):
                features[name] = _unescaped(value[1])
    for place, (own, features) in marks.items():
        yield ((one.layer, own) if own else (one.layer, line, place)), features


def _unescaped(words: str) -> str:
    blanks = {"t": "\t", "n": "\n", "r": "\r"}
    return re.sub(r"\\(->|.)", lambda one: blanks.get(one[1], one[1]), words)


def _points_of(text: str) -> list[int]:
    """The code point that each UTF-16 unit of a text belongs to, and the end."""
    found: list[int] = []
    for at, letter in enumerate(text):
        found += [at] * (2 if ord(letter) > 0xFFFF else 1)
    return [*found, len(text)]


_READERS: Mapping[str, Callable[[bytes, str], _Read]] = {".json": _cas_json, ".tsv": _tsv}
