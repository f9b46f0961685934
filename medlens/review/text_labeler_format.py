"""The span format of ``streamlit_annotation_tools.text_labeler`` (1.0.1), in and out.

The quick view of open coding draws that component; this module turns its value into checked codes
and back. Its behaviour, read from its source:

- Its value is ``{label: [{"start", "end", "label"}]}``; the inner ``label`` is the marked text.
  Before anything is marked it is ``None`` or whatever was passed in, even an empty list.
- Offsets count UTF-16 units. A selection grows to the next space or ASCII punctuation on each side;
  a newline is neither, so a mark can swallow line breaks. A triple click can end beyond the text.
- Marking over a mark of the same label removes it. A grown mark can still overlap its neighbour;
  the component then shows the shared words twice and miscounts from there on.
- The cross on a label removes it with all its marks; adding an existing name empties it.
- It reads its arguments once, when mounted: give it a key per text, and the same initial
  labels on each rerun. ``in_snake_case`` renames labels in the value only; leave it off.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from medlens.errors import BadFile, InvalidInput
from medlens.tables.read_limits import json_error_in_words


@dataclass(frozen=True, order=True)
class OpenCode:
    """A marked passage and its free label: code points, half open, ``text[start:end] == quote``."""

    start: int
    end: int
    quote: str
    label: str
    comment: str = field(default="", compare=False)


@dataclass(frozen=True)
class Reading:
    """The content of a value: the valid codes, every label, and what could not be placed."""

    codes: tuple[OpenCode, ...] = ()
    labels: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


# --- the component's value -----------------------------------------------------------------------


def read_labeler_codes_labels_and_problems(text: str, value: object) -> Reading:
    """Read a ``text_labeler`` value, or span JSON that came from one.

    White space at the ends of marks is trimmed. If the offsets do not fit (counted in code points,
    or with CRLF line ends, or after a display error), marks are found again by their words; words
    that are then absent or ambiguous become a problem, never a guess.
    """
    if not value:
        return Reading()
    if not isinstance(value, Mapping):
        raise InvalidInput(
            "These are not spans of text_labeler.",
            hint='Expected {"label": [{"start": 0, "end": 5, "label": "words"}]}.',
        )
    codes: set[OpenCode] = set()
    labels: list[str] = []
    problems: list[str] = []
    for name, spans in value.items():
        label = " ".join(str(name).split())
        if not label:
            problems.append("A label without a name was left out.")
            continue
        labels.append(label)
        for span in spans if isinstance(spans, Sequence) else ():
            found = _read_span(text, label, span)
            if isinstance(found, OpenCode):
                codes.add(found)
            else:
                problems.append(found)
    return Reading(tuple(sorted(codes)), tuple(dict.fromkeys(labels)), tuple(problems))


def _read_span(text: str, label: str, span: object) -> OpenCode | str:
    """The code in ``span``, or a sentence on why it is not one."""
    match span:
        case {"start": int(start), "end": int(end), "label": str(quote)}:
            quote = quote.replace("\r\n", "\n")
        case _:
            return f"A mark of {label!r} has no start, end and text; it was left out."
    if not quote.strip():
        return f"A mark of {label!r} holds no words; it was left out."
    place = next(_fitting(text, start, end, quote), None)
    if place is None:
        count = text.count(quote)
        if count != 1:
            where = "nowhere in the response" if count == 0 else f"in the response {count} times"
            return f"{_short(quote)}, marked as {label!r}, is {where}; mark it again."
        place = text.index(quote)
    start = place + len(quote) - len(quote.lstrip())
    quote = quote.strip()
    return OpenCode(start, start + len(quote), quote, label)


def _fitting(text: str, start: int, end: int, quote: str) -> Iterator[int]:
    """Code-point starts at which ``quote`` is found, for each way offsets may have been counted."""
    code_points = list(range(len(text) + 1))
    for units in (_utf16(text), _utf16(text, line_end=2), code_points):
        at = {unit: index for index, unit in enumerate(units)}
        a, b = at.get(start), at.get(min(end, units[-1]))
        if a is not None and b is not None and text[a:b] == quote:
            yield a


def _utf16(text: str, *, line_end: int = 1) -> list[int]:
    """For each code point, and the end, the UTF-16 units before it; a LF counts ``line_end``."""
    units = [0]
    for character in text:
        wide = 2 if ord(character) > 0xFFFF else 1
        units.append(units[-1] + (line_end if character == "\n" else wide))
    return units


def codes_as_labeler_value(
    text: str, codes: Iterable[OpenCode], *, labels: Iterable[str] = ()
) -> dict[str, list[dict[str, int | str]]]:
    """Codes as a ``text_labeler`` value; ``labels`` come first and may have no marks.

    Overlapping marks of one label are joined: the component would show their words twice. Raises
    InvalidInput for a code that does not match the text.
    """
    units = _utf16(text)
    value: dict[str, list[dict[str, int | str]]] = {label: [] for label in labels}
    for code in join_overlapping_codes(codes):
        if not 0 <= code.start < code.end <= len(text) or text[code.start : code.end] != code.quote:
            raise InvalidInput(f"The code on {_short(code.quote)} does not match the response.")
        span: dict[str, int | str] = {
            "start": units[code.start],
            "end": units[code.end],
            "label": code.quote,
        }
        value.setdefault(code.label, []).append(span)
    return value


def read_span_json_as_codes_labels_and_problems(
    text: str, content: str, *, file: str = "spans.json"
) -> Reading:
    """Read span JSON as ``read_labeler_codes_labels_and_problems`` does; BadFile names the line
    that is not JSON.
    """
    try:
        value = json.loads(content)
    except json.JSONDecodeError as e:
        raise BadFile(
            f"{file}, line {e.lineno}: this is not JSON ({json_error_in_words(e)}).",
            hint="Export the spans again from the tool they come from.",
        ) from e
    return read_labeler_codes_labels_and_problems(text, value)


def codes_as_span_json(text: str, codes: Iterable[OpenCode], *, labels: Iterable[str] = ()) -> str:
    """Codes as the component's span JSON (UTF-16 offsets, sorted)."""
    return (
        json.dumps(codes_as_labeler_value(text, codes, labels=labels), ensure_ascii=False, indent=2)
        + "\n"
    )


def count_lost_marks_by_label(before: Iterable[OpenCode], after: Reading) -> dict[str, int]:
    """Labels that vanished or lost all their marks, and how many: one click in the component."""
    had: dict[str, int] = {}
    for code in before:
        had[code.label] = had.get(code.label, 0) + 1
    left = {code.label for code in after.codes}
    return {label: count for label, count in had.items() if label not in left}


def join_overlapping_codes(codes: Iterable[OpenCode]) -> tuple[OpenCode, ...]:
    """The codes in order, with overlapping ones of the same label joined."""
    found: list[OpenCode] = []
    last: dict[str, int] = {}
    for code in sorted(codes):
        at = last.get(code.label)
        if at is None or found[at].end <= code.start:
            last[code.label] = len(found)
            found.append(code)
        elif code.end > found[at].end:
            rest = code.quote[found[at].end - code.start :]
            found[at] = replace(found[at], end=code.end, quote=found[at].quote + rest)
    return tuple(found)


def _short(quote: str) -> str:
    words = " ".join(quote.split())
    return f"“{words if len(words) <= 40 else words[:37] + '…'}”"
