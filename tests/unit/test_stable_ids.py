"""The id of one thing is the same, whether it is made alone or with a million others."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medlens.store import stable_id, stable_ids

ROWS = st.lists(st.lists(st.text(), max_size=4), max_size=20)
TEXTS = (
    "",
    "0",
    "1",
    "1.0",
    "None",
    "é",
    "e\u0301",
    "\0",
    "'; --",
    '"',
    "\u202e",
    "👩🏽‍⚕️",
    " a",
    "a ",
)


@given(rows=ROWS)
@example(rows=[[]])
@example(rows=[[text] for text in TEXTS])
@example(rows=[["item", text, other] for text in TEXTS for other in TEXTS])
def test_many_ids_at_once_are_those_that_each_has_alone(rows: list[list[str]]) -> None:
    assert stable_ids("\x1f".join(row) for row in rows) == [stable_id(*row) for row in rows]


def test_what_differs_by_a_sign_that_nobody_sees_has_another_id() -> None:
    ids = stable_ids("\x1f".join(("item", text)) for text in TEXTS)
    assert len({*ids}) == len(TEXTS)


def test_ids_are_those_that_stores_have_held_all_along() -> None:
    assert stable_id("item", "é") == "455d88c2-3848-5a65-b118-f20fdfcfb890"


@pytest.mark.parametrize("nothing", [None, 1, 1.0, b"a"])
def test_what_is_no_text_gets_no_id_either_way(nothing: object) -> None:
    with pytest.raises(TypeError):
        stable_id("item", nothing)  # type: ignore[arg-type]
    with pytest.raises((TypeError, AttributeError)):
        stable_ids([nothing])  # type: ignore[list-item]


def test_half_a_character_is_refused_either_way() -> None:
    with pytest.raises(UnicodeEncodeError):
        stable_id("item", "\ud800")
    with pytest.raises(UnicodeEncodeError):
        stable_ids(["item\x1f\ud800"])
