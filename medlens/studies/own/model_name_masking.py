"""Names of models that reviewers see as bars: in what is drawn alone, never in what is stored.

All bars look alike, so that their length tells nothing. In a text that is marked or rewritten a
bar has as many signs as the name, most of them without width, so that positions of marks stay true.
What comes back from a browser has the stored words again where it quotes a bar.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from medlens.config.question_forms_and_answer_checks import EVIDENCE, REWRITE, Question
from medlens.studies.own.authors_by_common_nouns import is_said_of_author
from medlens.studies.own.blinded_arms import ARMS, list_letters_naming_arms
from medlens.studies.own.detect_model_answer_columns import (
    narrow_full_width_signs,
    regex_for_model_name_variants,
)
from medlens.studies.own.forms_of_words_for_writers import regex_for_forms_of_word_for_writer
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.texts_saying_machine_wrote import is_word_for_person
from medlens.studies.own.words_as_readers_see_them import (
    places_in_original,
    text_as_readers_see_it,
)

BAR = "███"
"""What reviewers see of a name."""
_NO_WIDTH, _NO_WIDTH_OF_TWO = "\u2060", "\U000e0020"
"""Signs that are not seen; the second is as long as an emoji in a browser's count (UTF-16)."""
_BAR_OF_TWO = "\U0001f532"
"""A square that is as long as an emoji in that count."""
_BARS = re.compile(f"[{BAR[0]}{_BAR_OF_TWO}][{BAR[0]}{_BAR_OF_TWO}{_NO_WIDTH}{_NO_WIDTH_OF_TWO}]*")


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these names; in the group ``noun`` if it is a word that texts have of others too."""
    longest_first = sorted(names, key=len, reverse=True)
    nouns = [name for name in longest_first if is_word_for_person(name)]
    others = [name for name in longest_first if name not in nouns]
    # Python takes the first that fits: the forms are longer.
    forms = filter(None, map(regex_for_forms_of_word_for_writer, nouns))
    kinds = [
        "|".join([*also, *map(regex_for_model_name_variants, of)])
        for also, of in (((), others), (forms, nouns))
    ]
    kinds[1] = f"(?P<noun>{kinds[1] or '(?!)'})"
    return re.compile("|".join(filter(None, kinds)), re.IGNORECASE)


def mask_names_in_text(text: str, names: Sequence[str], *, exact: bool = False) -> str:
    """The text with a bar for each of these names, whatever its case and its spaces or hyphens; a
    word such as "doctor" only where it says who wrote the text. ``exact``: as long as before, in
    characters and in UTF-16.
    """
    parts, behind = [], 0
    for start, end in _places_of_names(text, names):
        parts += [text[behind:start], _exact_bar(text[start:end]) if exact else BAR]
        behind = end
    return "".join([*parts, text[behind:]]) if parts else text


def _places_of_names(text: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """Where any of these names begins and ends."""
    if not names:
        return []
    plain = narrow_full_width_signs(text)
    places = _places_in_plain_text(plain, names)
    seen = text_as_readers_see_it(plain)
    if seen == plain:
        return places
    # A name that is split as "Cl*aud*e" is seen whole.
    if hidden := _places_in_plain_text(seen, names):
        places += places_in_original(plain, hidden)
    found: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _places_in_plain_text(plain: str, names: Sequence[str]) -> list[tuple[int, int]]:
    return [
        one.span()
        for one in _pattern(tuple(names)).finditer(plain)
        if not one["noun"] or is_said_of_author(plain, one)
    ]


def _exact_bar(name: str) -> str:
    signs = ((BAR[0], _NO_WIDTH), (_BAR_OF_TWO, _NO_WIDTH_OF_TWO))
    return "".join(signs[ord(sign) >= 0x10000][at >= len(BAR)] for at, sign in enumerate(name))


def mask_names_in_cells(cells: Mapping[str, Any], declared: StudyDeclaration) -> dict[str, Any]:
    """An item's cells, and those of its arms, with names masked in what reviewers see."""
    found = dict(cells)
    if not declared.mask:
        return found
    for column in declared.columns_with_words_seen:
        if column in found:
            exact = column in declared.marked_or_rewritten_columns
            found[column] = _masked_value(found[column], declared.mask, exact)
    if isinstance(arms := found.get(ARMS), Mapping):
        found[ARMS] = {arm: mask_names_in_cells(own, declared) for arm, own in arms.items()}
    return found


def _masked_value(value: Any, names: Sequence[str], exact: bool) -> Any:
    if isinstance(value, str):
        return mask_names_in_text(value, names, exact=exact)
    if isinstance(value, Mapping):
        # What a turn is called tells as much as what it says.
        return {
            mask_names_in_text(str(key), names): _masked_value(part, names, exact)
            for key, part in value.items()
        }
    return [_masked_value(one, names, exact) for one in value] if isinstance(value, list) else value


def has_masked_names(body: Mapping[str, Any], declared: StudyDeclaration) -> bool:
    """Whether any name is masked in what reviewers see of an item."""
    return mask_names_in_cells(body, declared) != dict(body)


def requote_marks_from_other_text(
    spans: Sequence[Mapping[str, Any]], now: str, wanted: str
) -> list[dict[str, Any]]:
    """Marks that quote the text ``now``, with the words that ``wanted`` has at the same place; a
    mark that quotes something else stays as it is, to be refused.
    """
    found = []
    for span in spans:
        start, end = span.get("start"), span.get("end")
        fits = isinstance(start, int) and isinstance(end, int) and now[start:end] == span["quote"]
        found.append({**span, "quote": wanted[start:end]} if fits else dict(span))
    return found


def requote_marks_in_browser_json(said: str, now: str, wanted: str) -> str:
    """``requote_marks_from_other_text`` for marks or passages as a browser writes them."""
    try:
        spans = json.loads(said)
        if not (isinstance(spans, list) and all("quote" in span for span in spans)):
            return said
    except (ValueError, TypeError):
        return said
    return json.dumps(
        requote_marks_from_other_text(spans, now, wanted), ensure_ascii=False, separators=(",", ":")
    )


def restore_masked_names(text: str, original: str, names: Sequence[str]) -> str:
    """A rewritten copy of a masked text with the stored names again, bar by bar in their order; if
    some bars were deleted, one that is as long as no name that is left stays as it is.
    """
    hidden = [original[start:end] for start, end in _places_of_names(original, names)]
    if len(_BARS.findall(text)) == len(hidden):
        given = iter(hidden)
        return _BARS.sub(lambda _: next(given), text)

    def name_of(bar: re.Match[str]) -> str:
        for at, name in enumerate(hidden):
            if len(name) == len(bar[0]):
                # Those before it were deleted by whoever rewrote the text.
                del hidden[: at + 1]
                return name
        return bar[0]

    return _BARS.sub(name_of, text)


@dataclass(frozen=True)
class MaskedItem:
    """One item as its reviewer sees it, with the names of models masked: ``body`` is the stored
    one, ``order`` that of its arms side by side.
    """

    declared: StudyDeclaration
    body: Mapping[str, Any]
    order: Sequence[str] = ()

    @cached_property
    def body_to_draw(self) -> dict[str, Any]:
        """The body to be drawn."""
        return mask_names_in_cells(self.body, self.declared)

    def page_values_of_fields(self, held: Mapping[str, str | None]) -> dict[str, str | None]:
        """The values of a form's fields, from stored words to those on the page."""
        found = dict(held)
        for name, question, stored, seen in self._quoting(held):
            said = held[name] or ""
            rewrites = question.kind == REWRITE
            found[name] = (
                mask_names_in_text(said, self.declared.mask, exact=True)
                if rewrites
                else requote_marks_in_browser_json(said, stored, seen)
            )
        return found

    def stored_values_of_fields(self, entered: Mapping[str, str | None]) -> dict[str, str | None]:
        """The values of a form's fields, from the words on the page to the stored ones."""
        found = dict(entered)
        for name, question, stored, seen in self._quoting(entered):
            said = entered[name] or ""
            rewrites = question.kind == REWRITE
            found[name] = (
                restore_masked_names(said, stored, self.declared.mask)
                if rewrites
                else requote_marks_in_browser_json(said, seen, stored)
            )
        return found

    def _quoting(
        self, values: Mapping[str, str | None]
    ) -> Iterator[tuple[str, Question, str, str]]:
        """Each field with a value that quotes a text in which something is masked: its id, its
        question, the text as stored and as shown.
        """
        declared = self.declared
        if not declared.mask:
            return
        asked = {one.id: one for one in declared.form.questions if one.kind in (REWRITE, EVIDENCE)}
        asked |= {declared.spans.id: declared.spans} if declared.spans else {}
        for name, value in values.items():
            own, _, letter = name.partition(" / ")
            question = asked.get(own)
            if question is None or not value:
                continue
            arm = dict(zip(list_letters_naming_arms(len(self.order)), self.order, strict=True)).get(
                letter, ""
            )
            stored, seen = (
                _cell(body, arm, question.column) for body in (self.body, self.body_to_draw)
            )
            if stored != seen:
                yield name, question, stored, seen

    def requote_spans_of_text(
        self, spans: Sequence[Mapping[str, Any]], *, outward: bool, arm: str = ""
    ) -> list[dict[str, Any]]:
        """Marks of the text to mark (of an ``arm``, if each has one), with the words on the page
        (``outward``) or the stored ones.
        """
        one = self.declared.spans
        if one is None or not self.declared.mask:
            return [dict(span) for span in spans]
        stored, seen = (_cell(body, arm, one.column) for body in (self.body, self.body_to_draw))
        return requote_marks_from_other_text(
            spans, *((stored, seen) if outward else (seen, stored))
        )


def _cell(body: Mapping[str, Any], arm: str, column: str) -> str:
    cells = body.get(ARMS, {}).get(arm, {}) if arm else body
    return str(cells.get(column) or "")
