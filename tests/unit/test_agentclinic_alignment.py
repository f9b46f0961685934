"""Two dialogues of one case beside each other: order, partners, and what differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medlens.studies.agentclinic.dialogue_alignment import (
    AlignedTurns,
    align_dialogues,
    split_text_by_shared_words,
)
from medlens.studies.agentclinic.records import Turn


def talk(*said: tuple[str, str]) -> list[Turn]:
    return [
        Turn(n=n, speaker=speaker, text=text)  # type: ignore[arg-type]
        for n, (speaker, text) in enumerate(said, 1)
    ]


def numbers(rows: list[AlignedTurns]) -> list[tuple[int | None, int | None]]:
    return [(a.n if a else None, b.n if b else None) for a, b, _ in rows]


def test_turns_of_the_same_matter_stand_beside_each_other_and_others_alone() -> None:
    left = talk(
        ("doctor", "When did the chest pain begin?"),
        ("patient", "Chest pain began on Monday."),
        ("doctor", "Any allergies to medicines?"),
        ("patient", "Penicillin gives me a rash."),
    )
    right = talk(
        ("doctor", "Do you smoke cigarettes?"),
        ("patient", "Twenty cigarettes a day."),
        ("doctor", "When did your chest pain begin, exactly?"),
        ("patient", "The chest pain began on Tuesday."),
    )
    assert numbers(align_dialogues(left, right)) == [
        (None, 1),
        (None, 2),
        (1, 3),
        (2, 4),
        (3, None),
        (4, None),
    ]


def test_between_partners_the_same_speakers_turns_stand_beside_each_other() -> None:
    left = talk(
        ("doctor", "Good morning, what brings you here?"),
        ("patient", "My chest pain."),
        ("doctor", "Any cough?"),
        ("patient", "No."),
        ("doctor", "DIAGNOSIS READY: angina"),
    )
    right = talk(
        ("doctor", "Symptoms?"),
        ("patient", "Chest pain."),
        ("doctor", "DIAGNOSIS READY: angina"),
    )
    rows = align_dialogues(left, right)
    assert numbers(rows) == [(1, 1), (2, 2), (3, None), (4, None), (5, 3)]
    assert [row.alike > 0 for row in rows] == [False, True, False, False, True]


def test_what_another_speaker_says_is_no_partner() -> None:
    left = talk(("doctor", "The chest pain began on Monday."))
    right = talk(("patient", "The chest pain began on Monday."))
    assert numbers(align_dialogues(left, right)) == [(1, None), (None, 1)]


_TALKS = st.lists(
    st.tuples(
        st.sampled_from(["doctor", "patient"]),
        st.text("pain fever cough rash 12", min_size=1, max_size=20),
    ),
    max_size=8,
)


@given(_TALKS, _TALKS)
def test_every_turn_stands_once_and_in_its_order(left, right) -> None:  # type: ignore[no-untyped-def]
    one, two = talk(*left), talk(*right)
    rows = align_dialogues(one, two)
    assert [row.left for row in rows if row.left] == one
    assert [row.right for row in rows if row.right] == two
    assert all(row.left or row.right for row in rows)
    assert numbers(align_dialogues(one, one)) == [
        (turn.n, turn.n) for turn in one if turn.text.split()
    ] or (any(not turn.text.split() for turn in one))


@pytest.mark.parametrize(
    ("text", "other", "own"),
    [
        ("It began on Monday.", "it began, on Tuesday", ["Monday."]),
        ("No fever at all", "No fever", ["at all"]),
        ("No fever", "No fever at all", []),
        ("Aspirin 500 mg", "Aspirin 250 mg", ["500"]),
        ("", "anything", []),
    ],
)
def test_what_only_one_of_two_turns_says_is_marked(text: str, other: str, own: list[str]) -> None:
    assert [one.text.strip() for one in split_text_by_shared_words(text, other) if one.own] == own


@pytest.mark.deep
@given(st.text(max_size=80), st.text(max_size=80))
def test_marking_loses_no_letter(text: str, other: str) -> None:
    assert "".join(one.text for one in split_text_by_shared_words(text, other)) == text
