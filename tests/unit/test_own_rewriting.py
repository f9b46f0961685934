"""A text that raters change: what is declared, what counts as a change, and how much."""

from __future__ import annotations

import numpy as np
import pytest

from medlens.config.forms import UNCHANGED, check_answers
from medlens.errors import BadFile
from medlens.stats.intervals import median
from medlens.studies.own.declaration import parse, untrue
from medlens.studies.own.rewriting import difference
from medlens.studies.own.tasks import Answers, task_of
from medlens.ui.judged import as_html

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
    found = difference(BODY["note"], text)
    assert [one for where, one in found.pieces if where == "gone"] == gone
    assert [one for where, one in found.pieces if where == "new"] == new
    assert (found.removed, found.added) == (removed, added)
    assert found.share == pytest.approx(share)
    # What stays and what is new is the new text.
    assert "".join(one for where, one in found.pieces if where != "gone") == text


def test_two_texts_of_one_word_repeated_are_compared_in_good_time() -> None:
    found = difference("a " * 7000, "b " + "a " * 9000)
    assert found.before == 7000
    assert found.after == 9001


def test_what_raters_wrote_is_shown_as_text() -> None:
    drawn = as_html("<b>bold</b>", "<img src=x>")
    assert "<img" not in drawn
    assert "<b>" not in drawn
    assert "&lt;" in drawn


def test_the_last_text_that_every_item_has_is_rewritten_unless_the_file_names_one() -> None:
    assert parse(TEXT).rewritten["corrected"].column == "note"


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
            "an id that makes no corrected_share",
        ),
    ],
)
def test_what_cannot_be_rewritten_is_refused_by_line(
    old: str, new: str, line: int, reason: str
) -> None:
    with pytest.raises(BadFile) as refused:
        parse(TEXT.replace(old, new), "notes.toml")
    assert any(row.line == line and reason in str(row) for row in refused.value.rows), (
        refused.value.rows
    )


def test_another_text_to_rewrite_would_make_old_answers_untrue() -> None:
    more = TEXT.replace("required = false\n", "")
    more = more.replace("required = true\n", 'column = "source"\n')
    assert untrue(parse(TEXT), parse(more)) == ["The question 'corrected' has another column."]


def test_no_change_is_an_answer_and_nothing_is_none() -> None:
    task = task_of(parse(TEXT)).for_item(BODY)
    assert task.problems(Answers(), BODY) == ["Correct it. – please answer this question."]
    assert task.problems(Answers(answers={"corrected": UNCHANGED}), BODY) == []
    # The text itself is the answer that it needs no change, which has a word of its own.
    same = Answers(answers={"corrected": BODY["note"]})
    assert "this is the text as it was" in task.problems(same, BODY)[0]
    assert task.unflat is not None
    assert task.unflat({"corrected": BODY["note"] + "\r\n"}).answers == {"corrected": UNCHANGED}
    asked = parse(TEXT).for_item(BODY).form
    assert check_answers(asked, {"corrected": "x" * 20_001})


def test_raters_agree_on_whether_a_text_needed_a_change() -> None:
    task = task_of(parse(TEXT))
    assert task.measures(Answers(answers={"corrected": "Other"})) == {"corrected": "changed"}
    assert task.measures(Answers(answers={"corrected": UNCHANGED})) == {"corrected": "not changed"}
    here = task.for_item(BODY)
    assert here.originals == {"corrected": BODY["note"]}
    said = "No fever. Right knee swollen."
    assert here.worded("corrected", said) == "words: 1 out, 1 in, of 5"


def test_a_median_lies_between_the_quantiles_that_a_half_of_so_many_rows_allows() -> None:
    # Woodruff: 99 rows alone: Wilson's interval of one half of 99 with t(98) = 1.9845:
    # 0.4027 to 0.5973, the 40th value from below (0.4027 x 99 = 39.9) to the 60th.
    found = median(np.arange(99), np.arange(99), unit="items")
    assert (found.value, found.low, found.high) == (49.0, 39.0, 59.0)
    # Each value nine times in one item: no more is known than from eleven rows, of whose
    # half Wilson's interval with t(10) = 2.228 begins at 0.221: the 22nd of 99 is the third value.
    few = median(np.repeat(np.arange(11), 9), np.repeat(np.arange(11), 9), unit="items")
    assert (few.low, few.high) == (2.0, 8.0)
    assert median(np.arange(3), np.arange(3), unit="items").low is None
    assert not median([np.nan], [0], unit="items").defined
