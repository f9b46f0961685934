"""Quotes cut from whom, where, by whom and at what price a claim holds, kind by kind."""

from __future__ import annotations

import pytest

from medlens.web.quote_search import QuotableText
from tests.cut_quotes_of_verdicts_and_fragments import (
    KINDS,
    LATER_KINDS,
    OF_EVERY_KIND,
    Case,
    page_and_quote,
)


def missed_and_refused(
    of_kind: tuple[tuple[Case, ...], tuple[Case, ...]],
) -> tuple[list[str], list[str]]:
    """The quotes that change the meaning and stand all the same, and those that do not and fall."""
    changed, same = (
        [
            (quote, QuotableText(page).look_up_quote(quote).does_text_say_the_same)
            for page, quote in map(page_and_quote, one)
        ]
        for one in of_kind
    )
    return [quote for quote, stands in changed if stands], [q for q, stands in same if not stands]


@pytest.mark.parametrize("kinds", [KINDS, LATER_KINDS], ids=["first", "later"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_of_each_kind_is_told_and_what_resembles_it_is_not(
    kind: str, kinds: dict[str, tuple[tuple[Case, ...], tuple[Case, ...]]]
) -> None:
    missed, refused = missed_and_refused(kinds[kind])
    assert len(missed) <= 1, missed
    assert refused == []


def test_cuts_of_all_kinds_in_other_words_are_told_too() -> None:
    missed, refused = missed_and_refused(OF_EVERY_KIND)
    assert len(missed) <= 2, missed
    assert refused == []


def words_left_out(written: str) -> list[str]:
    page, quote = page_and_quote(written)
    found = QuotableText(page).look_up_quote(quote)
    assert found.how == "cut_short"
    return [one.text.strip(" ,") for one in found.changes if one.where == "page"]


def test_the_verdict_beside_a_quote_is_shown_with_it() -> None:
    assert words_left_out("Claim\tVerdict\n[[Garlic cures cancer.]]\tMyth") == ["Myth"]
    assert words_left_out("Myth\tFact\n[[Knuckles wear out]]\tJoints do not.") == ["Myth"]
    assert words_left_out("Outdated advice\n\n[[Put butter on a burn.]]") == ["Outdated advice"]
    rows = "\n".join(f"Drug {n} lowers fever.\tFever falls." for n in range(20))
    assert words_left_out(f"Myth\tFact\n{rows}\n[[Zinc cures colds.]]\tNothing does.") == ["Myth"]


def test_whom_a_quote_speaks_of_is_shown_with_it() -> None:
    assert words_left_out("[[Women {{who smoke}} must not take the pill.]]") == ["who smoke"]
    assert words_left_out("For patients on dialysis [[the dose is 100 mg]].") == [
        "For patients on dialysis"
    ]
    assert words_left_out("[[Giving honey to infants]] under one year is dangerous.") == [
        "under one year is dangerous"
    ]
