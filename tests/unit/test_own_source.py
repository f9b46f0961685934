"""A source that is compared with a text: which of its sentences are lit."""

from __future__ import annotations

import pytest

from medlens.config.question_forms_and_answer_checks import NO_PASSAGE
from medlens.errors import BadFile
from medlens.studies.own import study_file
from medlens.studies.own.evidence_passages_marked_by_raters import (
    Passage,
    estimate_passage_overlap,
    passages_as_json_answer,
)
from medlens.studies.own.study_file import parse_study_file
from medlens.ui import own_marking_desk
from medlens.ui.own_item_panes_and_questions import (
    desk_places_in_use,
    id_of_question_answered_in_pane,
    questions_as_form_fields,
    source_as_data_with_similar_sentences,
    text_compared_with_source,
)

TEXT = study_file.read_study_file_text_and_declaration(
    study_file.path_of_template("draft_letters")
)[0]
SOURCE = (
    "She came on Monday. Apixaban 5 mg twice a day was started. Her weight is 74 kg.\n\n"
    "The blood count is <b>normal</b>."
)


def test_the_sentences_that_speak_of_the_same_are_lit_and_no_others() -> None:
    told = source_as_data_with_similar_sentences(
        SOURCE, "The weather was fine. Her weight is 74 kg. We started apixaban 5 mg."
    )
    # In the order of what they are compared with, the sentence of the weight first.
    assert told["like"] == [2, 1]
    # The whole source is there, sentence by sentence, each with its place.
    assert [
        SOURCE[at:][: len(one)] for at, one in zip(told["starts"], told["sentences"], strict=True)
    ] == [
        "She came on Monday.",
        "Apixaban 5 mg twice a day was started.",
        "Her weight is 74 kg.",
        "The blood count is <b>normal</b>.",
    ]
    assert told["paragraphs"] == [0, 3]
    assert source_as_data_with_similar_sentences(SOURCE, "")["like"] == []


def test_a_source_is_compared_with_all_arms_or_turns_of_a_dialogue() -> None:
    pane = parse_study_file(TEXT).panes[0]
    assert (pane.kind, pane.compared) == ("source", "draft")
    arms = {"arms": {"one": {"draft": "First."}, "two": {"draft": "Second."}}}
    assert text_compared_with_source(arms, pane) == "First.\nSecond."
    assert (
        text_compared_with_source({"draft": [{"role": "a", "content": "Said."}]}, pane) == "Said."
    )


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
        parse_study_file(TEXT.replace(old, new))
    assert any(row.column == "compared_to" for row in refused.value.rows)


def test_without_the_line_it_is_compared_with_the_last_text_shown() -> None:
    assert (
        parse_study_file(TEXT.replace('compared_to = "draft"\n', "")).panes[0].compared == "draft"
    )


CHECK = study_file.read_study_file_text_and_declaration(
    study_file.path_of_template("source_check")
)[0]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        # The one column is no source, the other is shown too late to be marked.
        ('text = "Which sentences decide?"', 'text = "Which?"\ncolumn = "statement"', "column"),
        ('compared_to = "statement"', 'compared_to = "statement"\nafter_answer = true', "column"),
        ('id = "supported"', 'id = "proof_quotes"', "id"),
    ],
)
def test_evidence_that_nobody_could_mark_is_refused_at_its_field(
    old: str, new: str, field: str
) -> None:
    text = CHECK.replace(old, new)
    with pytest.raises(BadFile) as refused:
        parse_study_file(text)
    assert field in {row.column for row in refused.value.rows}


def test_without_the_line_evidence_is_of_the_last_source_and_no_key_of_it_leads_elsewhere() -> None:
    declared = parse_study_file(CHECK)
    assert {name: one.column for name, one in declared.evidence_questions_by_id.items()} == {
        "proof": "source"
    }
    more = "".join(
        f'\n[[question]]\nid = "q{n}"\nkind = "yes_no"\ntext = "Number {n}?"\n' for n in range(20)
    )
    fields = questions_as_form_fields(parse_study_file(CHECK + more))
    keys = [one.get("letter") or one.get("into") for one in fields]
    assert keys[:2] == ["a", "b"]
    # N, P and M walk through the source and mark it.
    assert not {"n", "p", "m"} & set(keys)
    assert {"n", "p", "m"} < {
        one.get("letter") for one in questions_as_form_fields(parse_study_file(TEXT_ALONE + more))
    }


TEXT_ALONE = CHECK.replace('kind = "source"\n', "").replace('compared_to = "statement"\n', "")
TEXT_ALONE = TEXT_ALONE[: TEXT_ALONE.index('\n[[question]]\nid = "proof"')]


def test_panes_stand_where_the_file_says_and_the_questions_on_the_right() -> None:
    assert desk_places_in_use(parse_study_file(CHECK)) == ["left", "right"]
    placed = CHECK.replace('kind = "source"', 'kind = "source"\nplace = "centre"')
    assert desk_places_in_use(parse_study_file(placed)) == ["left", "centre", "right"]
    # Where nothing stands on the left, nothing is left free there.
    alone = placed.replace('title = "Statement"', 'title = "Statement"\nplace = "right"')
    assert desk_places_in_use(parse_study_file(alone)) == ["centre", "right"]
    with pytest.raises(BadFile) as refused:
        parse_study_file(placed.replace("centre", "middle"))
    [row] = refused.value.rows
    assert (row.column, row.expected) == ("place", "one of left, centre, right")
    # What was answered stays true where a pane is moved.
    assert not study_file.list_answers_made_untrue_in_words(
        parse_study_file(CHECK), parse_study_file(placed)
    )


@pytest.mark.parametrize(
    "more",
    [
        'place = "centre"',
        "after_answer = true",
        'kind = "image"',
        '[[question]]\nid = "new"\nkind = "rewrite"\ntext = "Correct it."\n[[pane]]',
    ],
)
def test_a_text_is_marked_beside_the_form_where_more_is_shown_or_asked_than_words(
    more: str,
) -> None:
    text = study_file.read_study_file_text_and_declaration(
        study_file.path_of_template("error_spans")
    )[0]
    assert parse_study_file(text).is_marked_at_tagging_desk
    declared = parse_study_file(
        text.replace("[[pane]]", f"[[pane]]\n{more}", 1).replace("[[pane]]\n[[q", "[[q")
    )
    assert declared.spans
    assert not declared.is_marked_at_tagging_desk
    # The marks are the first question, and the pane of the text says which one it is.
    first, *_ = questions_as_form_fields(declared)
    assert (first["kind"], first["source"], first["into"]) == ("marks", declared.spans.id, "a")
    asked = {id_of_question_answered_in_pane(declared, one): one.columns for one in declared.panes}
    assert asked[declared.spans.id] == (declared.spans.column,)


def test_beside_a_text_that_is_marked_a_source_is_lit_too() -> None:
    declared = parse_study_file(
        study_file.read_study_file_text_and_declaration(
            study_file.path_of_template("summary_errors")
        )[0]
    )
    body = {"source": SOURCE, "summary": "Apixaban 5 mg was started."}
    blocks = own_marking_desk.item_as_surface_data(declared, body, "Read it.")["context"]["blocks"]
    [source] = [one for one in blocks if one["kind"] == "source"]
    assert "".join(text for _, text in source["parts"]) == SOURCE
    assert [text for lit, text in source["parts"] if lit] == [
        "Apixaban 5 mg twice a day was started."
    ]
    # Without a source there is nothing to light.
    empty = own_marking_desk.item_as_surface_data(declared, {"summary": "Nothing."}, "")["context"][
        "blocks"
    ]
    assert {"kind": "text", "text": "Nothing is given here."} in empty


def test_passages_that_share_words_are_the_same_and_those_that_touch_are_not() -> None:
    def marked(start: int, end: int) -> str:
        return passages_as_json_answer([Passage(start=start, end=end, quote="x" * (end - start))])

    # Of the first item one of one passage is shared, of the second none.
    found = estimate_passage_overlap(
        ["a", "a", "b", "b"], [marked(0, 9), marked(5, 12), marked(0, 9), marked(9, 12)]
    )
    assert (found.value, found.n) == (0.5, 2)
    # Two who both found nothing say nothing of where.
    assert estimate_passage_overlap(["a", "a"], [NO_PASSAGE, NO_PASSAGE]).value is None
