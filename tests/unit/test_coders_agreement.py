"""Agreement between two coders on passages, worked by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from medlens.review.codebooks_coded_passages_and_agreement import (
    Codebook,
    Coding,
    agreement_of_two_coders_by_measure,
    last_coding_of_coder,
    overlap_counts_by_pair_of_codes,
)
from medlens.review.open_code_revisions_by_lead import Coded, codes_as_stored_body
from medlens.review.text_labeler_format import OpenCode

TEXT = "one two three four five six seven eight nine ten"


def code(quote: str, label: str) -> OpenCode:
    start = TEXT.index(quote)
    return OpenCode(start, start + len(quote), quote, label)


def test_passages_are_compared_with_and_without_their_codes() -> None:
    one = Coding({"a": (code("one two", "Vague"), code("five", "Wrong")), "only": ()})
    other = Coding({"a": (code("two three", "vague "), code("nine", "Odd"))})
    found = {
        name: each
        for (name, _), each in agreement_of_two_coders_by_measure(one, other, {"a": TEXT}).items()
    }

    # One of two passages of each shares a word with one of the other: 2 x 1 / (2 + 2).
    assert found["Same passage"].value == pytest.approx(0.5)
    assert found["Exactly the same passage"].value == 0
    assert found["Same passage and code"].value == pytest.approx(0.5)
    # 10 words, two coders: 20 values, 6 marked ("one two five", "two three nine"). Words in
    # disagreement: one, three, five, nine = 4 of 10. Expected: 2 x 6 x 14 / (20 x 19).
    alpha = 1 - (4 / 10) / (2 * 6 * 14 / (20 * 19))
    assert found["Same words"].value == pytest.approx(alpha)
    assert {each.n for each in found.values()} == {1}
    assert overlap_counts_by_pair_of_codes(one, other) == {("Vague", "vague "): 1}


def test_what_was_coded_after_comparing_is_left_out_of_the_blind_coding() -> None:
    early, late = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 3, tzinfo=UTC)
    book = Codebook(compared=datetime(2026, 3, 2, tzinfo=UTC))
    history = [
        Coded("a", "a", "ada", "Ada", 1, early, codes_as_stored_body([code("one", "x")], ["x"])),
        Coded("a", "a", "ada", "Ada", 2, late, codes_as_stored_body([], [])),
        Coded("b", "b", "ada", "Ada", 1, late, codes_as_stored_body([], [])),
    ]
    assert last_coding_of_coder(book, history, blind=True).marks == {"a": (code("one", "x"),)}
    assert last_coding_of_coder(book, history, blind=False).marks == {"a": (), "b": ()}


def test_no_text_in_common_is_no_agreement_and_no_error() -> None:
    found = agreement_of_two_coders_by_measure(Coding({"a": ()}), Coding({"b": ()}), {})
    assert {each.value for each in found.values()} == {None}
