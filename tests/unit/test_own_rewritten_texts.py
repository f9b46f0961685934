"""A text that raters change: what is declared, what counts as a change, and how much."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
import pytest

from medlens.config.question_forms_and_answer_checks import (
    UNCHANGED,
    list_reasons_against_submission,
)
from medlens.errors import BadFile
from medlens.review import word_diff
from medlens.stats.intervals import estimate_clustered_median
from medlens.studies.agentclinic import dialogue_alignment
from medlens.studies.own.compare_rewritten_texts import TextDifference, compare_text_with_original
from medlens.studies.own.study_file import list_answers_made_untrue_in_words, parse_study_file
from medlens.studies.own.tasks import Answers, make_own_study_task
from medlens.studies.sourcecheckup import reassembled_answers
from medlens.ui.all_verdicts_and_revisions_on_item import text_changes_as_html

TEXT = """\
id = "notes"
title = "Notes"
instructions = "Correct it."

[[column]]
name = "source"
means = "where it comes from"
required = false

[[column]]
name = "note"
means = "the note"

[[pane]]
title = "Source"
column = "source"

[[pane]]
title = "Note"
kind = "markdown"
column = "note"

[[question]]
id = "corrected"
kind = "rewrite"
text = "Correct it."
required = true
"""
BODY = {"note": "No fever. Left knee swollen."}


@pytest.mark.parametrize(
    ("text", "gone", "new", "removed", "added", "share"),
    [
        # Five words before and after, one of which is another: 2 of 10.
        ("No fever. Right knee swollen.", ["Left "], ["Right "], 1, 1, 0.2),
        # Two words less: 2 of 8. The full stop is shown, and no word.
        ("Left knee swollen.", ["No fever. "], [], 2, 0, 0.25),
        # Two words more: 2 of 12.
        ("No fever. Left knee swollen. Ice it.", [], ["Ice it."], 0, 2, 2 / 12),
        # How it is spaced is no change of words.
        ("No fever.\n\nLeft  knee swollen.", [], [], 0, 0, 0.0),
        ("Nothing else", ["No fever. Left knee swollen."], ["Nothing else"], 5, 2, 1.0),
    ],
)
def test_what_was_changed_is_told_word_by_word(
    text: str, gone: list[str], new: list[str], removed: int, added: int, share: float
) -> None:
    found = compare_text_with_original(BODY["note"], text)
    assert [one for where, one in found.pieces_in_reading_order if where == "gone"] == gone
    assert [one for where, one in found.pieces_in_reading_order if where == "new"] == new
    assert (found.removed_word_count, found.added_word_count) == (removed, added)
    assert found.share_of_words_changed == pytest.approx(share)
    # What stays and what is new is the new text.
    assert "".join(one for where, one in found.pieces_in_reading_order if where != "gone") == text


@pytest.mark.parametrize(
    ("original", "text", "removed", "added", "share"),
    [
        # Nine words, of which none is in one text alone.
        ("He was seen. She had no fever today.", "She had no fever today. He was seen.", 0, 0, 0),
        # "no" twice against once: one word of 4 + 3.
        ("no pain no fever", "no pain fever", 1, 0, 1 / 7),
        # A word is a word: 1 + 1 of 2 + 2.
        ("HbA1c raised", "HbA2c raised", 1, 1, 0.5),
        ("Dose 2.5 now", "Dose 2.6 now", 1, 1, 2 / 6),
        ("COVID-19 ruled out", "COVID-20 ruled out", 1, 1, 2 / 6),
        ("the patient's knee", "the patient\u2019s knee", 1, 1, 2 / 6),
        # Accents and vowels written onto letters part no word: "cafe" + accent, and Hindi "kidney".
        ("cafe\u0301s", "bars", 1, 1, 1),
        ("\u0917\u0941\u0930\u094d\u0926\u093e", "liver", 1, 1, 1),
        # Chinese has no spaces: each character counts, also behind letters. 2 of 4 + 4.
        ("CT\u809d\u75c5\u8bca", "CT\u80be\u75c5\u8bca", 1, 1, 0.25),
        # A slash, a dash and a full stop part words, a hyphen before a space belongs to none.
        ("120/80 mg.Left pre- and post", "120 80 mg Left pre and post", 0, 0, 0),
    ],
)
def test_the_share_of_words_changed_counts_words_in_only_one_of_the_texts(
    original: str, text: str, removed: int, added: int, share: float
) -> None:
    found = compare_text_with_original(original, text)
    assert (found.removed_word_count, found.added_word_count) == (removed, added)
    assert found.share_of_words_changed == pytest.approx(share)
    back = compare_text_with_original(text, original)
    assert (back.removed_word_count, back.added_word_count, back.share_of_words_changed) == (
        added,
        removed,
        found.share_of_words_changed,
    )


def test_what_was_moved_is_shown_as_gone_and_new_but_does_not_count() -> None:
    found = compare_text_with_original("He was seen. She slept.", "She slept. He was seen.")
    assert found.pieces_in_reading_order == (
        ("new", "She slept. "),
        ("same", "He was seen."),
        ("gone", "She slept."),
    )
    assert (found.share_of_words_changed, found.original_word_count) == (0, 5)


def read(found: TextDifference, other: str) -> str:
    """One of the two texts, without its spaces, out of the pieces."""
    return "".join(
        "".join(words for where, words in found.pieces_in_reading_order if where != other).split()
    )


def edited(words: list[str], share: float, rng: np.random.Generator) -> list[str]:
    """The words with this share of them left out or replaced by others of them."""
    kept = [word for word in words if rng.random() > share / 2]
    return [str(rng.choice(words)) if rng.random() < share / 2 else word for word in kept]


COMMON = ("the", "of", "and", "a", "no", "knee", "fever", "pain", "left", "right", "mg", ".", ",")
WORDS = [*COMMON, *map(str, range(60))]


def test_ordinary_texts_show_the_longest_passages_that_stay() -> None:
    rng = np.random.default_rng(3)
    for share in (0.05, 0.4):
        old = list(rng.choice(WORDS, size=300))
        new = edited(old, share, rng)
        found = compare_text_with_original(" ".join(old), " ".join(new))
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        blocks = [new[b : b + size] for _, b, size in matcher.get_matching_blocks() if size]
        assert [
            words.split() for where, words in found.pieces_in_reading_order if where == "same"
        ] == blocks


@pytest.mark.first_quick
@pytest.mark.parametrize(("share", "least"), [(0.0, 1.0), (0.1, 0.9), (0.5, 0.5), (1.0, 0.5)])
def test_texts_too_long_to_compare_exactly_are_still_told_whole(
    share: float, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_diff, "_MOST_STEPS", 2_000)
    rng = np.random.default_rng(4)
    for _ in range(3):
        old = list(rng.choice(WORDS, size=600))
        new = edited(old, share, rng)
        found = TextDifference(" ".join(old), " ".join(new))
        assert (read(found, "new"), read(found, "gone")) == ("".join(old), "".join(new))
        stays = sum(
            len(words.split()) for where, words in found.pieces_in_reading_order if where == "same"
        )
        blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
        # Of what an exact comparison keeps; few words here are rare enough to find their places by.
        assert stays >= least * sum(block.size for block in blocks)


def test_the_comparison_of_5_000_shuffled_words_takes_a_bounded_number_of_steps() -> None:
    rng = np.random.default_rng(5)
    old = list(rng.choice(WORDS, size=5_000))
    new = list(rng.permutation(old))
    matcher = word_diff._Bounded(old, new)
    matcher.get_matching_blocks()
    assert matcher.skipped
    assert 0 <= matcher._left <= word_diff._MOST_STEPS
    found = TextDifference(" ".join(old), " ".join(new))
    assert found.share_of_words_changed == 0
    assert (read(found, "new"), read(found, "gone")) == ("".join(old), "".join(new))


def test_two_texts_of_one_word_repeated_are_compared_in_good_time() -> None:
    found = compare_text_with_original("a " * 7000, "b " + "a " * 9000)
    assert (
        found.original_word_count,
        found.word_count_of_rewritten_text,
        found.removed_word_count,
        found.added_word_count,
    ) == (7000, 9001, 0, 2001)
    assert [where for where, _ in found.pieces_in_reading_order] == ["new", "same"]


def test_every_comparison_of_two_texts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_diff, "_MOST_STEPS", 0)
    old, new = "one two three four five", "six two three one five"
    # Without a step to spare, words that both have once are met: two, three, five.
    kept = ["two three", "five"]
    assert [
        piece.text.strip()
        for piece in dialogue_alignment.split_text_by_shared_words(old, new)
        if not piece.own
    ] == kept
    assert [
        word.text.strip()
        for word in reassembled_answers.diff_words(old, new)
        if word.change == "same"
    ] == kept


def test_what_raters_wrote_is_shown_as_text() -> None:
    drawn = text_changes_as_html("<b>bold</b>", "<img src=x>")
    assert "<img" not in drawn
    assert "<b>" not in drawn
    assert "&lt;" in drawn


def test_the_last_text_that_every_item_has_is_rewritten_unless_the_file_names_one() -> None:
    assert parse_study_file(TEXT).rewriting_questions_by_id["corrected"].column == "note"


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("required = true\n", 'column = "source"\n', 27, "in which every item has something"),
        ("required = true\n", 'column = "other"\n', 27, "in which every item has something"),
        ("required = true\n", 'options = ["a", "b"]\n', 27, "options"),
        (
            "required = true\n",
            'required = true\n[[question]]\nid = "corrected_share"\nkind = "yes_no"\ntext = "?"\n',
            24,
            "an id that does not make corrected_share",
        ),
    ],
)
def test_what_cannot_be_rewritten_is_refused_by_line(
    old: str, new: str, line: int, reason: str
) -> None:
    with pytest.raises(BadFile) as refused:
        parse_study_file(TEXT.replace(old, new), "notes.toml")
    assert any(row.line == line and reason in str(row) for row in refused.value.rows), (
        refused.value.rows
    )


def test_another_text_to_rewrite_would_make_old_answers_untrue() -> None:
    more = TEXT.replace("required = false\n", "")
    more = more.replace("required = true\n", 'column = "source"\n')
    assert list_answers_made_untrue_in_words(parse_study_file(TEXT), parse_study_file(more)) == [
        "The question 'corrected' has another column."
    ]


def test_no_change_is_an_answer_and_nothing_is_none() -> None:
    task = make_own_study_task(parse_study_file(TEXT)).task_as_asked_of_item(BODY)
    assert task.problems_of_answer(Answers(), BODY) == [
        "Correct it. – please answer this question."
    ]
    assert task.problems_of_answer(Answers(answers={"corrected": UNCHANGED}), BODY) == []
    # The text itself is the answer that it needs no change, which has a word of its own.
    same = Answers(answers={"corrected": BODY["note"]})
    assert "this is the text as it was" in task.problems_of_answer(same, BODY)[0]
    assert task.answer_from_columns({"corrected": BODY["note"] + "\r\n"}).answers == {
        "corrected": UNCHANGED
    }
    asked = parse_study_file(TEXT).declaration_for_item(BODY).form
    assert list_reasons_against_submission(asked, {"corrected": "x" * 20_001})


def test_raters_agree_on_whether_a_text_needed_a_change() -> None:
    task = make_own_study_task(parse_study_file(TEXT))
    assert task.values_compared_for_agreement(Answers(answers={"corrected": "Other"})) == {
        "corrected": "changed"
    }
    assert task.values_compared_for_agreement(Answers(answers={"corrected": UNCHANGED})) == {
        "corrected": "not changed"
    }
    here = task.task_as_asked_of_item(BODY)
    assert here.originals == {"corrected": BODY["note"]}
    said = "No fever. Right knee swollen."
    assert here.cell_of_answer_in_words("corrected", said) == "words: 1 out, 1 in, of 5"


def test_a_median_lies_between_the_quantiles_that_a_half_of_so_many_rows_allows() -> None:
    # Woodruff: 99 rows alone: Wilson's interval of one half of 99 with t(98) = 1.9845:
    # 0.4027 to 0.5973, the 40th value from below (0.4027 x 99 = 39.9) to the 60th.
    found = estimate_clustered_median(np.arange(99), np.arange(99), unit="items")
    assert (found.value, found.low, found.high) == (49.0, 39.0, 59.0)
    # Each value nine times in one item: no more is known than from eleven rows, of whose
    # half Wilson's interval with t(10) = 2.228 begins at 0.221: the 22nd of 99 is the third value.
    few = estimate_clustered_median(
        np.repeat(np.arange(11), 9), np.repeat(np.arange(11), 9), unit="items"
    )
    assert (few.low, few.high) == (2.0, 8.0)
    assert estimate_clustered_median(np.arange(3), np.arange(3), unit="items").low is None
    assert not estimate_clustered_median([np.nan], [0], unit="items").has_value
