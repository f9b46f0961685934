"""Texts of a table that were damaged on their way, or hold more than one model's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from medlens.deferred_regex import compile_later
from medlens.studies.own.columns_outside_the_case import (
    heading_as_plain_lower_case_words,
    is_headed_as_answer,
)
from medlens.studies.own.detect_model_answer_columns import NAMED_MODEL, is_name_of_model
from medlens.studies.own.error_messages_and_no_answer_phrases import is_error_message_of_a_program
from medlens.studies.own.model_giveaways import columns_and_rows_in_words
from medlens.tables.file_kind_and_lines import shorten_value

if TYPE_CHECKING:
    import pyarrow as pa

CUT_AT = 32_767
"""Characters that a cell of Excel holds at most."""
_MISREAD = compile_later(
    # Behind a capital it may end a word that stands in quotation marks: "«IRMÃ»".
    r"(?<![A-ZÀ-ÖØ-Þ])Ã\u00bb|Ã[\u00a1-\u00ba\u00bc-\u00bf\u0178\u0160\u0161\u0152\u0153\u017e\u0192\u02c6\u2030\u20ac\u2122]"
    r"|Â[\u00a0°µ±²³·](?!\w)|Â[\u00b5µ]g|â€[\u201c\u201d\u2122\u0153\u02dc\u00a6\u0161\u017e\u201e™œ˜¦]"
    r"|(?:Ð[\u00b0-\u00bf]|Ñ[\u0080-\u008f\u20ac‚ƒ„…†‡ˆ‰Š‹Œ]){2}"
)
"""What letters of UTF-8 become in a program that takes the file for Windows-1252."""
_OPENING = compile_later(
    r"(?i)<(p|b|i|strong|em|ul|ol|li|div|span|h[1-6]|table|td)(?:\s[^<>]{0,200})?>"
)
_BREAK = compile_later(r"(?i:<br ?/?>)|\\n(?![a-zäöüß])|\\r\\n")
_LABEL = compile_later(r"(?m)^[\W_]{0,6}([^\W_][^:：\n]{1,39}?)[*_\s]{0,4}[:：]")
_AROUND, _NAMED = 12, 3


def list_damage_in_words(
    columns: Mapping[str, Sequence[str]], number_of_row: Callable[[int], int]
) -> list[str]:
    """Sentences on the texts of these columns (a text for each row, "" for none) that are cut where
    a spreadsheet cuts, whose letters were misread, that have a web page's tags, or that hold
    several models' answers. A row is called by its ``number_of_row``, given its place (from 1).
    """
    found = []
    cut = _places(columns, lambda text: len(text.replace("\r\n", "\n")) == CUT_AT, number_of_row)
    if cut:
        one = ("text is", "its end", "it from where it was")
        several = ("texts are", "their end", "them from where they were")
        are, end, from_where = _how_many(cut, one, several)
        found.append(
            f"{are} exactly {CUT_AT:,} characters long ({columns_and_rows_in_words(cut)}): Excel"
            f" cuts longer ones there. If {end} is missing, take {from_where} written, and not "
            f"through a workbook."
        )
    misread = _places(columns, lambda text: bool(_MISREAD.search(text)), number_of_row)
    if misread:
        text = next(one for texts in columns.values() for one in texts if _MISREAD.search(one))
        have, them, _ = _how_many(misread, ("cell has", "it", ""), ("cells have", "them", ""))
        found.append(
            f"{have} letters that were misread on the way ({columns_and_rows_in_words(misread)};"
            f" such as “{_near_first_sign(text)}”), and reviewers see {them} that way. Save the"
            " table as CSV UTF-8 where its texts are still right, and use that."
        )
    for name, texts in columns.items():
        filled = [text for text in texts if text]
        tagged = [tag for text in filled if (tag := _first_tag_that_is_closed(text))]
        is_web_page = 2 * len(tagged) > len(filled)
        if is_web_page:
            tags = ", ".join(dict.fromkeys(f"<{tag}>" for tag in tagged[:_NAMED]))
            found.append(
                f"The texts of “{name}” have HTML tags ({tags}), which reviewers see as "
                f"plain text. Remove them from your table, or write what they mean in Markdown."
            )
        breaks = [sign[0] for text in filled if (sign := _BREAK.search(text))]
        if not is_web_page and 2 * len(breaks) > len(filled):
            found.append(
                f"The texts of “{name}” have “{breaks[0]}” where a line ends, and reviewers see"
                " these signs. Put line breaks in their place."
            )
        if models := _models_in_each(filled):
            listed = " and ".join(f"“{model}”" for model in models[:_NAMED])
            found.append(
                f"“{name}” holds several models' answers in one cell, each after its name "
                f"({listed}): they are shown as one text. To compare them, give each model a"
                " column of its own."
            )
    return found


def _first_tag_that_is_closed(text: str) -> str:
    """The first tag of a web page in a text whose end stands behind it, such as "p"; "" if none."""
    if "</" not in text:
        return ""
    folded = text.lower()
    last_end: dict[str, int] = {}  # looked for once for each tag: a text may open thousands
    for opening in _OPENING.finditer(folded):
        tag = opening[1]
        if tag not in last_end:
            last_end[tag] = folded.rfind(f"</{tag}>")
        if last_end[tag] >= opening.end():
            return tag
    return ""


Damage = Literal["error", "cut", "misread"]
_SIGNS: Mapping[Damage, str] = {
    "error": r"(?i)error|exception|timeout|timed out|fehler|erreur|errore|erro|fout|failed|quota"
    r"|rate.limit|overloaded|too many requests|http|status|unavailable|gateway|context length"
    r"|connection|retries|traceback|unauthori|forbidden",
    "misread": "Ã|Â|â€|Ð|Ñ",
}
"""What texts that are damaged so have in them: few texts of a large table are looked at."""


def damaged_texts_by_place_by_kind_of_damage(
    texts: pa.Array | pa.ChunkedArray, column: str
) -> dict[Damage, dict[int, str]]:
    """The texts of a ``column`` that are damaged, by their place from 0. Error messages are looked
    for where the heading is of an answer or names a model.
    """
    import pyarrow.compute as pc

    found: dict[Damage, dict[int, str]] = {}
    words = heading_as_plain_lower_case_words(column)
    of_answers = is_headed_as_answer(words) or NAMED_MODEL.search(words)
    whole = pc.fill_null(pc.equal(pc.utf8_length(texts), CUT_AT), False)
    for at in pc.indices_nonzero(whole).to_pylist():
        found.setdefault("cut", {})[at] = texts[at].as_py()
    for kind, sign in _SIGNS.items():
        if kind == "error" and not of_answers:
            continue
        is_so: Callable[[str], object] = _MISREAD.search
        if kind == "error":
            is_so = partial(is_error_message_of_a_program, among_texts=False)
        held = pc.fill_null(pc.match_substring_regex(texts, pattern=sign), False)
        for at in pc.indices_nonzero(held).to_pylist():
            if is_so(text := texts[at].as_py()):
                found.setdefault(kind, {})[at] = text
    return found


def damage_behind_first_rows_in_words(
    kind: Damage, column: str, rows: Sequence[int], text: str, first: int
) -> str:
    """A sentence on the ``rows`` of a column, behind the ``first``, whose texts are damaged, such
    as ``text``.
    """
    count = len(rows)
    where = f"{columns_and_rows_in_words({column: rows})}, counted below the headings"
    cells = "1 cell" if count == 1 else f"{count:,} cells"
    if kind == "error":
        said = (
            f"{cells} {'has' if count == 1 else 'have'} a program's error message in place of an"
            f" answer ({where}; such as “{shorten_value(text)}”). Ask the model again, or empty"
            f" {'it' if count == 1 else 'them'}: reviewers would judge it like any other answer."
        )
    elif kind == "cut":
        said = (
            f"{cells} {'is' if count == 1 else 'are'} exactly {CUT_AT:,} characters long ({where}):"
            " Excel cuts longer texts there."
        )
    else:
        said = (
            f"{cells} {'has' if count == 1 else 'have'} letters that were misread on the way"
            f" ({where}; such as “{_near_first_sign(text)}”)."
        )
    return f"After the first {first:,} rows, {said}"


def _places(
    columns: Mapping[str, Sequence[str]],
    is_damaged: Callable[[str], bool],
    number_of_row: Callable[[int], int],
) -> dict[str, list[int]]:
    found = {
        name: [number_of_row(at) for at, text in enumerate(texts, 1) if text and is_damaged(text)]
        for name, texts in columns.items()
    }
    return {name: rows for name, rows in found.items() if rows}


def _how_many(
    places: Mapping[str, Sequence[int]], one: tuple[str, str, str], several: tuple[str, str, str]
) -> tuple[str, str, str]:
    """The words for ``one`` cell or for ``several``, the first with their number before it."""
    count = sum(map(len, places.values()))
    first, second, third = one if count == 1 else several
    return f"{count:,} {first}", second, third


def _near_first_sign(text: str) -> str:
    """The word with the first sign of letters that were misread."""
    sign = _MISREAD.search(text)
    if sign is None:
        return ""
    before = text[max(sign.start() - _AROUND, 0) : sign.start()].rsplit(" ", maxsplit=1)[-1]
    return before + sign[0] + text[sign.end() : sign.end() + _AROUND].split(" ", maxsplit=1)[0]


def _models_in_each(texts: Sequence[str]) -> list[str]:
    """The models whose names begin lines, before a colon, in most of the texts: two in each."""
    each = [
        [label for label in dict.fromkeys(_LABEL.findall(text)) if is_name_of_model(label)]
        for text in texts
    ]
    several = [names for names in each if len(names) > 1]
    return several[0] if texts and 2 * len(several) > len(texts) else []
