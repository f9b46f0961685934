"""A source that is compared with a text: which of its sentences are lit."""

from __future__ import annotations

import re

import pytest

from medlens.errors import BadFile
from medlens.studies.own import declaration
from medlens.studies.own.declaration import parse
from medlens.ui.own_panes import as_lit, compared_in

TEXT = declaration.read(declaration.template("draft_letters"))[0]
SOURCE = (
    "She came on Monday. Apixaban 5 mg twice a day was started. Her weight is 74 kg.\n\n"
    "The blood count is <b>normal</b>."
)


def test_the_sentences_that_speak_of_the_same_are_lit_and_no_others() -> None:
    drawn = as_lit(SOURCE, "We started apixaban 5 mg. The weather was fine.")
    assert re.findall("<mark>(.*?)</mark>", drawn) == ["Apixaban 5 mg twice a day was started."]
    # The whole source is there, as text.
    assert "She came on Monday. <mark>" in drawn
    assert "&lt;b&gt;normal&lt;/b&gt;" in drawn
    assert "<b>" not in drawn
    assert "<mark>" not in as_lit(SOURCE, "")


def test_a_source_is_compared_with_all_arms_or_turns_of_a_dialogue() -> None:
    pane = parse(TEXT).panes[0]
    assert (pane.kind, pane.compared) == ("source", "draft")
    arms = {"arms": {"one": {"draft": "First."}, "two": {"draft": "Second."}}}
    assert compared_in(arms, pane) == "First.\nSecond."
    assert compared_in({"draft": [{"role": "a", "content": "Said."}]}, pane) == "Said."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('compared_to = "draft"', 'compared_to = "model"'),
        ('compared_to = "draft"', 'compared_to = "notes"'),
        # What is shown later must not show through what is lit before.
        ('title = "Draft"', 'title = "Draft"\nafter_answer = true'),
    ],
)
def test_a_source_compared_with_what_is_not_shown_is_refused(old: str, new: str) -> None:
    with pytest.raises(BadFile) as refused:
        parse(TEXT.replace(old, new))
    assert any(row.column == "compared_to" for row in refused.value.rows)


def test_without_the_line_it_is_compared_with_the_last_text_shown() -> None:
    assert parse(TEXT.replace('compared_to = "draft"\n', "")).panes[0].compared == "draft"
