"""Marked words are found again in a corrected text, or known to be gone."""

from __future__ import annotations

import random

import pytest

from medlens.review.marks_after_text_correction import find_place_in_corrected_text


def moved(before: str, after: str, words: str) -> str | None:
    start = before.index(words)
    place = find_place_in_corrected_text(before, after, start, start + len(words))
    return None if place is None else after[slice(*place)]


@pytest.mark.parametrize(
    ("before", "after", "words", "found"),
    [
        ("Take 400 mg daily.", "Please take 400 mg daily.", "400 mg", True),
        ("Take 400 mg dayly.", "Take 400 mg daily.", "400 mg", True),
        ("Take 400 mg daily.", "Take 40 mg daily.", "400 mg", False),
        ("Take 400 mg daily. Rest.", "Rest. Take 400 mg daily.", "400 mg", True),
        ("Pain. Rest. Pain.", "Rest. Pain.", "Rest", True),
        ("A cough", "", "cough", False),
        ("Kopfschmerz 🙂 lang", "🙂🙂 Kopfschmerz 🙂 lang", "🙂 lang", True),
    ],
)
def test_a_mark_follows_its_words_and_only_these(
    before: str, after: str, words: str, found: bool
) -> None:
    assert moved(before, after, words) == (words if found else None)


def test_of_words_that_come_twice_the_mark_stays_on_its_own() -> None:
    before = "Pain in the knee. No pain in the hip. Pain at night."
    after = "Pain in the left knee. No pain in the hip. Pain at night."
    start = before.rindex("Pain")
    assert find_place_in_corrected_text(before, after, start, start + 4) == (start + 5, start + 9)


def test_words_that_come_more_than_once_and_lost_their_place_are_not_guessed() -> None:
    before = "One dose now. Then wait."
    after = "Wait. A dose now; a dose later."
    start = before.index("dose")
    place = find_place_in_corrected_text(before, after, start, start + 4)
    assert place is None or after[slice(*place)] == "dose"
    assert moved("dose x dose", "dosis y dose z dose q", "dose") in (None, "dose")


def test_a_place_outside_the_text_is_none() -> None:
    assert find_place_in_corrected_text("abc", "abc", 2, 9) is None
    assert find_place_in_corrected_text("abc", "abc", 2, 2) is None


def test_a_carried_mark_always_has_the_same_words() -> None:
    drawn = random.Random(7)
    words = ["pain", "knee", "400", "mg", "no", "the", "Übelkeit", "🙂", ".", " "]
    for _ in range(300):
        before = "".join(drawn.choices(words, k=drawn.randint(1, 30)))
        after = "".join(
            drawn.choice(words) if drawn.random() < 0.2 else piece for piece in before.split(" ")
        )
        start = drawn.randrange(len(before))
        end = drawn.randint(start + 1, len(before))
        if place := find_place_in_corrected_text(before, after, start, end):
            assert after[slice(*place)] == before[start:end]


def test_a_long_text_whose_middle_is_written_anew_keeps_the_marks_around_it() -> None:
    middle, other = "alpha " * 7_000, "beta " * 7_000
    before, after = f"Begin here. {middle}End there.", f"Begin here. {other}End there."
    assert moved(before, after, "Begin here") == "Begin here"
    assert moved(before, after, "End there") == "End there"
    start = before.index("alpha")
    assert find_place_in_corrected_text(before, after, start, start + 5) is None
