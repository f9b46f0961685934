"""Raw annotations of the G4UE study (``g4ue-annotations``), as the annotation platform wrote them.

One row per annotator and page: ``id``, ``displayed_text``, ``label_annotations``,
``span_annotations``, ``behavioral_data``, ``annotator_id``; the middle three are Python literals.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from medlens.deferred_module import pd
from medlens.errors import BadFile, InvalidInput
from medlens.studies.tagging.option_list_and_chosen_option_parsing import parse_dict_literal
from medlens.studies.tagging.read_g4ue_items_and_responses import (
    NamedItem,
    Sections,
    make_item_from_sections,
    parse_four_headed_sections_of_html,
    read_item_name,
)
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.text_repair_with_offsets import (
    inner_html_with_offset_map,
    plain_text_of_html,
    repair_encoding,
    repair_text_with_offset_map,
)
from medlens.tables import (
    Column,
    Loaded,
    Refused,
    Row,
    RowError,
    Source,
    load_parsed_and_refused_rows,
    name_of_source,
)

if TYPE_CHECKING:
    from medlens.studies.tagging.taxonomy import Taxonomy

_TIME = re.compile(r"(\d+)\s*d\s+(\d+)\s*h\s+(\d+)\s*m\s+(\d+)\s*s\b")
_RESPONSE = re.compile(r"<strong>[^<>]{0,80}response[^<>]{0,10}</strong>", re.IGNORECASE)
_PAGE_NAME_LENGTH = 200
_TIME_LENGTH = 1000
# How the platform names fields whose value, not name, is the answer.
_FIELD = re.compile(
    r"(text|free|number|slider|select|value|textarea)[\w -]*|.*text_?box.*", re.IGNORECASE
)


ANNOTATIONS = (
    Column("id", "name", "the item's name, or a survey page's", needed=True),
    Column("displayed_text", "text", "what the annotator saw, HTML", needed=True),
    Column("span_annotations", "text", "the marks, as a Python list", needed=True),
    Column("annotator_id", "name", "the annotator", needed=True),
    Column("label_annotations", "text", "answers to the page's questions, as a Python object"),
    Column("behavioral_data", "text", "what was recorded of the visit, with the time spent"),
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's marks on one item; ``seconds`` is the time on the page, if recorded."""

    rater: str
    item: str
    value: ErrorSpans
    seconds: float | None
    line: int


@dataclass(frozen=True, slots=True)
class SurveyAnswer:
    """One annotator's answers (question -> answer) on one survey page."""

    rater: str
    form: str
    answers: dict[str, str]
    line: int


@dataclass
class MarkPlacementReport:
    """How the marks were placed.

    ``spans``: marks read; ``exact``: found by their offsets; ``by_quote``: found by their words;
    ``ambiguous``, ``missing``: not placed. ``outside``: missing ones on the question or options;
    ``clipped``: found ones that reach beyond the response. ``joined``: marks at the place of
    another with a different label, made into one span with it; ``repeated``: with the same label
    too. ``label_only``: labels given without a mark; ``unknown_labels``: rows refused.
    """

    rows: int = 0
    annotations: int = 0
    surveys: int = 0
    raters: int = 0
    items: int = 0
    spans: int = 0
    exact: int = 0
    by_quote: int = 0
    ambiguous: int = 0
    missing: int = 0
    outside: int = 0
    clipped: int = 0
    joined: int = 0
    repeated: int = 0
    label_only: int = 0
    unknown_labels: int = 0

    def counts_by_placement(self) -> dict[str, int]:
        return asdict(self)


@dataclass(frozen=True)
class LoadedAnnotations:
    """Annotations and survey answers in file order, and the items shown in the displayed texts."""

    name: str
    annotations: tuple[Annotation, ...]
    surveys: tuple[SurveyAnswer, ...]
    items: tuple[NamedItem, ...]
    report: MarkPlacementReport
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()


def read_annotations_surveys_and_refused_rows(
    source: Source,
    taxonomy: Taxonomy,
    *,
    responses: Mapping[str, str] | None = None,
    **how: Any,
) -> LoadedAnnotations:
    """Read raw annotations; spans are offsets into the item's response from ``read_items``.

    Spans must fit ``responses`` (item -> response in the store): if the displayed text has another
    response, they are found by their words. If an annotator has several rows for an item, each is
    an annotation, in file order. ``how``: as for ``load``. Raises ``BadFile``; an unknown label
    refuses its row.
    """
    reader = _Reader(taxonomy, responses or {})
    loaded: Loaded[Annotation | SurveyAnswer] = load_parsed_and_refused_rows(
        source, reader.parse, columns=ANNOTATIONS, **how
    )
    annotations = tuple(one for one in loaded.records if isinstance(one, Annotation))
    surveys = tuple(one for one in loaded.records if isinstance(one, SurveyAnswer))
    report = reader.report
    report.rows = len(loaded.records) + len(loaded.refused)
    report.annotations, report.surveys = len(annotations), len(surveys)
    report.raters = len({one.rater for one in loaded.records})
    report.items = len({one.item for one in annotations})
    used = {one.item for one in annotations}
    items = tuple(one for key, one in reader.items.items() if key in used)
    notes = loaded.notes
    if reader.other_text:
        notes += (
            f"Items whose displayed text holds another response than the first one known; their "
            f"spans were looked for by their words: {', '.join(sorted(reader.other_text)[:10])}.",
        )
    return LoadedAnnotations(
        loaded.name, annotations, surveys, items, report, loaded.refused, notes
    )


class _Reader:
    """Parses the rows of one file; texts shown to several annotators are prepared once."""

    def __init__(self, taxonomy: Taxonomy, responses: Mapping[str, str]) -> None:
        self.taxonomy = taxonomy
        self.order = {label.id: at for at, label in enumerate(taxonomy.labels)}
        self.responses = responses
        self.shown: dict[str, DisplayedText] = {}
        self.items: dict[str, NamedItem] = {}
        self.other_text: set[str] = set()
        self.report = MarkPlacementReport()

    def parse(self, row: Row) -> Annotation | SurveyAnswer:
        values = row.values
        name = read_item_name(values["id"])
        rater = str(values["annotator_id"] or "").strip()
        if not rater:
            raise RowError("annotator_id", "the annotator")
        text = values["displayed_text"] or ""
        if not isinstance(text, str):
            raise RowError("displayed_text", "text", text)
        answers = _dict(values.get("label_annotations"), "label_annotations")
        if not _RESPONSE.search(text):
            return self._survey(name, rater, text, answers, row)
        shown = self.shown.get(text) or self.shown.setdefault(text, DisplayedText(text))
        if name not in self.items:
            self.items[name] = NamedItem(name, row.line, make_item_from_sections(shown.sections))
        tally = MarkPlacementReport()
        spans = self._spans(_marks(values["span_annotations"]), shown, name, tally)
        comments = self._label_only(answers, spans, tally)
        seconds = _seconds(values.get("behavioral_data"))
        value = ErrorSpans(spans=tuple(spans), comment="\n".join(comments))
        for field, count in asdict(tally).items():
            setattr(self.report, field, getattr(self.report, field) + count)
        return Annotation(rater, name, value, seconds, row.line)

    def _survey(
        self, name: str, rater: str, text: str, answers: dict[Any, Any], row: Row
    ) -> SurveyAnswer:
        form = " ".join(text.split())
        marks = row.values["span_annotations"]
        page = name.endswith(".html") or bool(answers) or form == name
        if not page or len(form) > _PAGE_NAME_LENGTH or _marks(marks):
            raise RowError("displayed_text", "an item with a response, or a survey page", text)
        form = form or re.sub(r"\.html$", "", name)
        flat = {" ".join(str(asked).split()): _answer(given) for asked, given in answers.items()}
        return SurveyAnswer(rater, form, flat, row.line)

    def _spans(
        self, marks: list[Any], shown: DisplayedText, name: str, tally: MarkPlacementReport
    ) -> list[ErrorSpan]:
        known = self.responses.get(name) or self.items[name].item.response
        same = known == shown.response
        if not same:
            self.other_text.add(name)
        found: dict[tuple[int | None, int | None, str], tuple[Place, set[str]]] = {}
        for mark in marks:
            start, end, quote, label = self._mark(mark)
            place = shown.find_place_of_mark_in_response(start, end, quote)
            if not same:
                place = find_quote_in_response(known, place.quote)
            tally.spans += 1
            how = "missing" if place.how == "outside" else place.how
            setattr(tally, how, getattr(tally, how) + 1)
            tally.outside += place.how == "outside"
            tally.clipped += place.clipped
            _, labels = found.setdefault((place.start, place.end, place.quote), (place, set()))
            tally.repeated += label in labels
            tally.joined += bool(labels) and label not in labels
            labels.add(label)
        return [self._span(place, labels) for place, labels in found.values()]

    def _span(self, place: Place, labels: set[str]) -> ErrorSpan:
        return ErrorSpan(
            start=place.start,
            end=place.end,
            quote=place.quote,
            labels=tuple(sorted(labels, key=self.order.__getitem__)),
            located="missing" if place.how == "outside" else place.how,
        )

    def _mark(self, mark: Any) -> tuple[int, int, str, str]:
        if not isinstance(mark, dict):
            raise RowError("span_annotations", "marks like {'start': …, 'end': …, …}", mark)
        start, end = mark.get("start"), mark.get("end")
        quote, given = mark.get("span"), mark.get("annotation")
        if type(start) is not int or type(end) is not int:
            raise RowError("span_annotations", "whole numbers as start and end", mark)
        if not isinstance(quote, str) or not isinstance(given, str):
            raise RowError("span_annotations", "texts as span and annotation", mark)
        label = self.taxonomy.find_label_by_any_name(given)
        if label is None:
            self.report.unknown_labels += 1
            raise RowError("span_annotations", f"a label of {self.taxonomy.id}", given)
        return start, end, quote, label.id

    def _label_only(
        self, answers: dict[Any, Any], spans: list[ErrorSpan], tally: MarkPlacementReport
    ) -> list[str]:
        """Turn labels ticked without a mark into spans without a place, other answers into text."""
        comments = []
        for asked, given in answers.items():
            ticked = list(given) if isinstance(given, dict) else [given]
            labels = [self.taxonomy.find_label_by_any_name(str(one)) for one in ticked]
            if ticked and all(labels):
                for label in labels:
                    if label is not None:
                        spans.append(ErrorSpan(labels=(label.id,), located="label_only"))
                        tally.label_only += 1
            else:
                comments.append(f"{asked}: {_answer(given)}")
        return comments


def _marks(value: object) -> list[Any]:
    if not isinstance(value, str):
        found = value
    else:
        try:
            found = ast.literal_eval(value.strip() or "[]")
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise RowError("span_annotations", "a Python list of marks", value) from None
    if found in ({}, None):
        return []
    if not isinstance(found, list):
        raise RowError("span_annotations", "a Python list of marks", value)
    return found


def _dict(value: object, column: str) -> dict[Any, Any]:
    if isinstance(value, dict):
        return value
    if value is None or (isinstance(value, str) and value.strip() in ("", "{}", "[]")):
        return {}
    return parse_dict_literal(str(value), column)


def _seconds(value: object) -> float | None:
    match = _TIME.search(str(value or "")[:_TIME_LENGTH])
    if not match:
        return None
    days, hours, minutes, seconds = map(int, match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


def _answer(given: object) -> str:
    """An answer as text: the option ticked or the text written; semicolons join several."""
    if isinstance(given, dict):
        return "; ".join(filter(None, (_field(str(key), value) for key, value in given.items())))
    if isinstance(given, (list, tuple)):
        return "; ".join(map(_answer, given))
    return "" if given is None else str(given).strip()


def _field(key: str, value: object) -> str:
    text = "" if value is None or value is False else str(value).strip()
    # A ticked option repeats itself ("question:::option") or has "on" or "true"; a field has its
    # answer.
    if text in ("", "on", "True", "true", key) or text.endswith(f":::{key}"):
        return key if text else ""
    return text if _FIELD.fullmatch(key) else f"{key}: {text}"


# -- where marks are -------------------------------------------------------------------------------

# The platform (Potato 1) counted in the innerHTML of the page shown and stored the marked piece of
# it, sometimes with the markup of an earlier mark inside.

_MARK_UP = re.compile(
    r'<div class="?span_label[^>]*>.*?</div>|<span class="?span_container[^>]*>|</span>',
    re.DOTALL | re.IGNORECASE,
)

How = Literal["exact", "by_quote", "ambiguous", "missing", "outside"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mark was found; ``start`` and ``end`` are offsets into the response's repaired text.

    ``outside``: a mark on the question or the options, which are not part of the response.
    ``clipped``: part of the mark lay outside.
    """

    how: How
    quote: str
    start: int | None = None
    end: int | None = None
    clipped: bool = False


class DisplayedText:
    """One displayed text: the HTML the browser counted in, and the response inside it."""

    def __init__(self, html: str) -> None:
        """Raises ``RowError`` if the headings of an item are missing."""
        self.sections: Sections = parse_four_headed_sections_of_html(html)
        self._html, self._units = inner_html_with_offset_map(html)
        self._wide = any(character > "\uffff" for character in self._html)
        head = plain_text_of_html(html[: self.sections.response_at])
        body = plain_text_of_html(self.sections.response)
        stripped = body.strip()
        self._plain = head + body
        self._begin = len(head) + len(body) - len(body.lstrip())
        self._end = self._begin + len(stripped)
        self.response, self._mended = repair_text_with_offset_map(stripped)

    def find_place_of_mark_in_response(self, start: int, end: int, quote: str) -> Place:
        """Find a mark by its offsets, or else by its words if they occur only once."""
        words = _words(quote)
        if 0 <= start < end and _words(self._piece(start, end)) == words:
            return self._within(
                self._units.new_position(start), self._units.new_position(end, end=True), words
            )
        return self._by_words(words)

    def _piece(self, start: int, end: int) -> str:
        if not self._wide:
            return self._html[start:end]
        units = self._html.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
        return units.decode("utf-16-le", "replace")

    def _within(self, start: int, end: int, words: str, *, how: How = "exact") -> Place:
        first, last = max(start, self._begin), min(end, self._end)
        if first >= last or not self._plain[first:last].strip():
            return Place("outside", repair_encoding(words))
        clipped = bool(self._plain[start:first].strip() or self._plain[last:end].strip())
        begin = self._mended.new_position(first - self._begin)
        stop = self._mended.new_position(last - self._begin, end=True)
        return Place(how, self.response[begin:stop], begin, stop, clipped)

    def _by_words(self, words: str) -> Place:
        for wanted in (words, words.strip()):
            found = find_first_two_places(self._plain, wanted)
            if len(found) > 1:
                return Place("ambiguous", repair_encoding(words))
            if found:
                end = found[0] + len(wanted)
                return self._within(found[0], end, words, how="by_quote")
        return find_quote_in_response(self.response, words)


def find_quote_in_response(response: str, words: str) -> Place:
    """Find ``words`` in a repaired response."""
    wanted = repair_encoding(words).strip()
    found = find_first_two_places(response, wanted)
    if len(found) != 1:
        return Place("ambiguous" if found else "missing", repair_encoding(words))
    end = found[0] + len(wanted)
    return Place("by_quote", response[found[0] : end], found[0], end)


def find_first_two_places(text: str, wanted: str) -> list[int]:
    """Where ``wanted`` begins in ``text``: at most the first two places, which may overlap."""
    found: list[int] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0 and len(found) < 2:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def _words(quote: str) -> str:
    return plain_text_of_html(_MARK_UP.sub("", quote))


if TYPE_CHECKING:
    from medlens.studies.tagging.taxonomy import Taxonomy

_TRUTH = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}


LABELS = (Column("id", "name", "the item's name", needed=True),)


@dataclass(frozen=True, slots=True)
class ItemLabels:
    """The labels (ids) that an item has in a published table."""

    item: str
    labels: frozenset[str]
    line: int


def read_labels_of_items(
    source: Source, taxonomy: Taxonomy, *, name: str = "", **how: Any
) -> Loaded[ItemLabels]:
    """Rows of a table with ``id`` and a true/false column for each label of ``taxonomy``.

    Columns may come in any order, among others; a label's column is found by id, name, alias or
    export name. Raises ``BadFile``, naming the labels that have no column or two.
    """
    name = name_of_source(source, name)
    columns: dict[str, str] = {}
    seen: dict[str, int] = {}

    def check(found: Sequence[str]) -> None:
        for column in found:
            label = taxonomy.find_label_by_any_name(column)
            if label is None:
                continue
            if label.id in columns.values():
                raise BadFile(f"{name}: two columns are the label {label.name!r}.")
            columns[column] = label.id
        missing = [one.name for one in taxonomy.labels if one.id not in columns.values()]
        if missing:
            raise BadFile(
                f"{name}: missing column{'s' * (len(missing) > 1)}"
                f" {', '.join(map(repr, missing))}.",
                hint="Check that the file and the taxonomy belong together.",
            )

    def parse(row: Row) -> ItemLabels:
        item = read_item_name(row.values["id"])
        known = seen.setdefault(item, row.line)
        if known != row.line:
            raise RowError("id", f"an item that occurs once (line {known} has it too)", item)
        given = frozenset(
            label for column, label in columns.items() if _truth(row.values.get(column), column)
        )
        return ItemLabels(item, given, row.line)

    return load_parsed_and_refused_rows(
        source, parse, name=name, columns=LABELS, check_columns=check, **how
    )


def _truth(value: object, column: str) -> bool:
    if isinstance(value, bool):
        return value
    found = _TRUTH.get(str(value).strip().casefold())
    if found is None:
        raise RowError(column, "True or False", "" if value is None else value)
    return found


def table_of_labels_in_published_layout(
    consensus: pd.DataFrame, taxonomy: Taxonomy
) -> pd.DataFrame:
    """``consensus`` in the published layout: ``id``, then the labels by export name, A to Z.

    ``consensus`` has a row per item: ``item`` (name) and ``labels`` (label ids). Order and rows are
    kept. Raises ``InvalidInput`` for a label that the taxonomy lacks.
    """
    known = {label.id for label in taxonomy.labels}
    given = [frozenset(labels) for labels in consensus["labels"]]
    unknown = sorted(frozenset().union(*given) - known)
    if unknown:
        raise InvalidInput(f"The taxonomy {taxonomy.id!r} has no label {unknown[0]!r}.")
    table: dict[str, list[object]] = {"id": list(consensus["item"])}
    for label in sorted(taxonomy.labels, key=lambda one: one.export_name):
        table[label.export_name] = [label.id in labels for labels in given]
    return pd.DataFrame(table)
