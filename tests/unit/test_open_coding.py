from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from medlens.errors import BadFile, InvalidInput
from medlens.review.codebooks_coded_passages_and_agreement import (
    CodedResponse,
    LabelCount,
    list_labels_with_counts,
    rename_labels_and_join_overlapping_codes,
)
from medlens.review.text_labeler_format import (
    OpenCode,
    Reading,
    codes_as_labeler_value,
    codes_as_span_json,
    count_lost_marks_by_label,
    read_labeler_codes_labels_and_problems,
    read_span_json_as_codes_labels_and_problems,
)
from medlens.studies.tagging.taxonomy import (
    draft_taxonomy_from_label_names,
    load_taxonomy,
    taxonomy_as_toml,
)

# Code points, with UTF-16 units in brackets where they differ:
# A 0, space 1, emoji 2 (2 and 3), space 3 (4), "fine" 4-7 (5-8), space 8 (9), e 9 (10),
# its accent 10 (11), "lan" 11-13 (12-14), full stop 14 (15); length 15 (16)
EMOJI = "A 😀 fine e\u0301lan."


def mark(start: int, end: int, words: str) -> dict[str, int | str]:
    return {"start": start, "end": end, "label": words}


def code(text: str, quote: str, label: str) -> OpenCode:
    start = text.index(quote)
    return OpenCode(start, start + len(quote), quote, label)


@pytest.mark.parametrize("value", [None, [], {}])
def test_nothing_marked_yet_is_an_empty_reading(value: object) -> None:
    assert read_labeler_codes_labels_and_problems("text", value) == Reading()


def test_utf_16_units_become_code_points_and_back() -> None:
    value = {"tone": [mark(2, 4, "😀"), mark(10, 15, "e\u0301lan")], "empty": []}
    reading = read_labeler_codes_labels_and_problems(EMOJI, value)
    assert reading == Reading(
        codes=(OpenCode(2, 3, "😀", "tone"), OpenCode(9, 14, "e\u0301lan", "tone")),
        labels=("tone", "empty"),
    )
    assert codes_as_labeler_value(EMOJI, reading.codes, labels=reading.labels) == value


def test_offsets_within_a_surrogate_pair_are_not_trusted() -> None:
    # 3 lies inside the emoji; its words are found again since they occur once
    reading = read_labeler_codes_labels_and_problems(EMOJI, {"tone": [mark(3, 9, "fine")]})
    assert reading.codes == (OpenCode(4, 8, "fine", "tone"),)


def test_swallowed_line_breaks_are_trimmed_from_a_mark() -> None:
    text = "First line.\n\nSecond line.\n"
    # the component grows "Second" backwards over both newlines, as far as the full stop
    reading = read_labeler_codes_labels_and_problems(text, {"vague": [mark(11, 19, "\n\nSecond")]})
    assert reading.codes == (OpenCode(13, 19, "Second", "vague"),)


def test_a_mark_across_paragraphs_keeps_its_line_breaks() -> None:
    text = "one two\n\nthree four"
    reading = read_labeler_codes_labels_and_problems(text, {"x": [mark(4, 14, "two\n\nthree")]})
    assert reading.codes == (OpenCode(4, 14, "two\n\nthree", "x"),)


def test_offsets_counted_with_crlf_are_brought_to_line_feeds() -> None:
    text = "a b\nc d\nc d"
    # as CRLF: a0 ' '1 b2 CR3 LF4 c5 ' '6 d7 CR8 LF9 c10 ' '11 d12 → the second "c d" is 10 to 13
    reading = read_labeler_codes_labels_and_problems(
        text, {"x": [mark(10, 13, "c d"), mark(2, 6, "b\r\nc")]}
    )
    assert reading.codes == (OpenCode(2, 5, "b\nc", "x"), OpenCode(8, 11, "c d", "x"))


def test_offsets_counted_in_code_points_by_another_tool_are_read() -> None:
    text = "😀 fine, fine"
    # code points: 😀0, fine 2–6, fine 8–12; in UTF-16 units 8–12 would be ", fi"
    reading = read_labeler_codes_labels_and_problems(text, {"x": [mark(8, 12, "fine")]})
    assert reading.codes == (OpenCode(8, 12, "fine", "x"),)


def test_a_triple_click_that_ends_beyond_the_text_is_cut_to_it() -> None:
    reading = read_labeler_codes_labels_and_problems(
        "All of it.", {"x": [mark(0, 17, "All of it.")]}
    )
    assert reading.codes == (OpenCode(0, 10, "All of it.", "x"),)
    # the words alone would not do here, since they occur twice
    reading = read_labeler_codes_labels_and_problems("dose. dose", {"x": [mark(6, 12, "dose")]})
    assert reading.codes == (OpenCode(6, 10, "dose", "x"),)


@pytest.mark.parametrize(
    "span, problem",
    [
        (mark(0, 4, "none"), "“none”, marked as 'x', is nowhere in the response; mark it again."),
        (mark(1, 4, "dose"), "“dose”, marked as 'x', is in the response 2 times; mark it again."),
        (mark(4, 5, " \n"), "A mark of 'x' holds no words; it was left out."),
        (mark(4, 4, ""), "A mark of 'x' holds no words; it was left out."),
        ({"start": 0, "end": 4}, "A mark of 'x' has no start, end and text; it was left out."),
        ("dose", "A mark of 'x' has no start, end and text; it was left out."),
    ],
)
def test_a_mark_that_cannot_be_placed_is_told_and_the_others_are_kept(
    span: object, problem: str
) -> None:
    text = "dose and dose again"
    reading = read_labeler_codes_labels_and_problems(text, {"x": [span, mark(9, 13, "dose")]})
    assert reading.problems == (problem,)
    assert reading.codes == (OpenCode(9, 13, "dose", "x"),)


def test_a_value_recorded_from_the_component_in_a_browser_is_read() -> None:
    # Recorded with streamlit-annotation-tools 1.0.1 in Chromium: the emoji, "Option", "lan" and
    # "Third" were selected. The component grew "Option" over the line break to the word before it
    # and "Third" to the full stop before it.
    text = "Claim 😀 one is vague\n\nOption two is wrong.\n\nThird: e\u0301lan ends."
    value = {
        "vague": [mark(6, 8, "😀"), mark(16, 29, "vague\n\nOption"), mark(52, 57, "e\u0301lan")],
        "tone": [mark(43, 50, "\n\nThird")],
    }
    reading = read_labeler_codes_labels_and_problems(text, value)
    assert reading.problems == ()
    assert [(c.start, c.end, c.quote, c.label) for c in reading.codes] == [
        (6, 7, "😀", "vague"),
        (15, 28, "vague\n\nOption", "vague"),
        (44, 49, "Third", "tone"),
        (51, 56, "e\u0301lan", "vague"),
    ]
    assert all(text[c.start : c.end] == c.quote for c in reading.codes)


def test_the_same_mark_twice_is_one_code_and_label_names_are_tidied() -> None:
    value = {" vague  end ": [mark(0, 4, "dose"), mark(0, 4, "dose")], " ": [mark(0, 4, "dose")]}
    reading = read_labeler_codes_labels_and_problems("dose", value)
    assert reading.codes == (OpenCode(0, 4, "dose", "vague end"),)
    assert reading.problems == ("A label without a name was left out.",)


def test_something_else_than_labels_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not spans of text_labeler"):
        read_labeler_codes_labels_and_problems("text", [mark(0, 4, "text")])


def test_overlapping_marks_of_one_label_are_joined_for_the_component() -> None:
    text = "one two three four"
    codes = [
        code(text, "one two", "x"),
        code(text, "two three", "x"),
        code(text, "two", "x"),
        code(text, "two three four", "y"),
        code(text, "four", "x"),
    ]
    assert codes_as_labeler_value(text, codes) == {
        "x": [mark(0, 13, "one two three"), mark(14, 18, "four")],
        "y": [mark(4, 18, "two three four")],
    }


def test_marks_that_only_touch_stay_two() -> None:
    codes = (OpenCode(0, 3, "500", "x"), OpenCode(3, 5, "mg", "x"))
    assert rename_labels_and_join_overlapping_codes(codes, {"x"}, "x") == codes


def test_a_code_of_another_text_is_refused() -> None:
    with pytest.raises(InvalidInput, match="does not match the response"):
        codes_as_labeler_value("another text", [OpenCode(0, 4, "text", "x")])


def test_exported_spans_import_again_to_the_same_codes() -> None:
    text = "Näive 😀 claim:\nAspirin ≥ 100 µg."
    codes = (code(text, "😀 claim", "tone"), code(text, "Aspirin ≥ 100 µg", "dose"))
    reading = read_span_json_as_codes_labels_and_problems(
        text, codes_as_span_json(text, codes, labels=["unused"])
    )
    assert reading.codes == tuple(sorted(codes))
    assert reading.labels == ("unused", "tone", "dose")


def test_a_file_that_is_not_json_is_refused_by_line() -> None:
    with pytest.raises(BadFile, match=r"mine\.json, line 2: this is not JSON"):
        read_span_json_as_codes_labels_and_problems("text", '{"x": [\noops]}', file="mine.json")


def test_a_label_removed_with_its_marks_is_noticed() -> None:
    text = "one two three"
    before = [code(text, "one", "x"), code(text, "two", "x"), code(text, "three", "y")]
    # the cross on "x" takes the key away; adding "y" again would leave it empty
    assert count_lost_marks_by_label(
        before, read_labeler_codes_labels_and_problems(text, {"y": [mark(8, 13, "three")]})
    ) == {"x": 2}
    assert count_lost_marks_by_label(
        before, read_labeler_codes_labels_and_problems(text, {"x": [mark(0, 3, "one")], "y": []})
    ) == {"y": 1}


# --- growth, merging, drafting -------------------------------------------------------------------

NINE, TEN, ELEVEN = (datetime(2026, 3, 1, hour, tzinfo=UTC) for hour in (9, 10, 11))


def test_counts_tell_which_labels_grew() -> None:
    a, b = OpenCode(0, 1, "a", "vague"), OpenCode(2, 3, "b", "vague")
    other, dropped = OpenCode(0, 1, "a", "wrong"), OpenCode(4, 5, "c", "tone")
    revisions = [
        CodedResponse("item2", "lead", ELEVEN, (a, other)),
        CodedResponse("item1", "lead", NINE, (a, dropped)),
        CodedResponse("item1", "lead", TEN, (a, b)),  # takes the place of the one at nine
    ]
    # vague: a and b on item1, a on item2 = 3 marks on 2 responses, new at 9, 10 and 11
    assert list_labels_with_counts(revisions) == [
        LabelCount("vague", spans=3, responses=2, first=NINE, last=ELEVEN),
        LabelCount("wrong", spans=1, responses=1, first=ELEVEN, last=ELEVEN),
        LabelCount("tone", spans=0, responses=0, first=NINE, last=NINE),
    ]


def test_an_unchanged_mark_is_not_new_again() -> None:
    a = OpenCode(0, 1, "a", "vague")
    counts = list_labels_with_counts(
        [CodedResponse("item1", "lead", at, (a,)) for at in (NINE, TEN)]
    )
    assert [(count.first, count.last, count.spans) for count in counts] == [(NINE, NINE, 1)]


def test_merged_labels_become_one_and_their_overlaps_are_joined() -> None:
    text = "one two three four"
    codes = [
        code(text, "one two", "vague"),
        code(text, "two three", "unclear"),
        code(text, "two three", "wrong"),
    ]
    assert rename_labels_and_join_overlapping_codes(
        codes, {"vague", "unclear"}, " not  clear "
    ) == (
        code(text, "one two three", "not clear"),
        code(text, "two three", "wrong"),
    )
    with pytest.raises(InvalidInput, match="needs a name"):
        rename_labels_and_join_overlapping_codes(codes, {"vague"}, " ")


def test_a_draft_is_written_and_loaded_again(tmp_path: Path) -> None:
    names = ["Vague end", "2nd guess", "Übersehen", "vague-end", "違う", "No fault"]
    draft = draft_taxonomy_from_label_names(
        names,
        id="Our codes",
        title="Our codes",
        examples={"Vague end": ' "perhaps"\nor not '},
        non_errors={"No fault"},
    )
    assert [(label.id, label.key, label.kind) for label in draft.labels] == [
        ("vague_end", 1, "error"),
        ("label_2nd_guess", 2, "error"),
        ("ubersehen", 3, "error"),
        ("vague_end_2", 4, "error"),
        ("label", 5, "error"),
        ("no_fault", 6, "non_error"),
    ]
    path = tmp_path / "draft.toml"
    path.write_text(taxonomy_as_toml(draft), encoding="utf-8")
    assert load_taxonomy(path) == draft


def test_a_draft_of_many_labels_keeps_them_apart(tmp_path: Path) -> None:
    draft = draft_taxonomy_from_label_names(
        [f"Code {n}" for n in range(81)], id="many", title="Many"
    )
    assert len({(label.colour, label.pattern) for label in draft.labels}) == 81
    assert [label.key for label in draft.labels] == [*range(1, 10), *[0] * 72]
    path = tmp_path / "draft.toml"
    path.write_text(taxonomy_as_toml(draft), encoding="utf-8")
    assert load_taxonomy(path) == draft


@pytest.mark.parametrize(
    "names, words",
    [
        ([], "at least one label"),
        (["a", " "], "each label a name"),
        (["Vague", "vague"], "differ only in capital letters or spaces"),
        ([f"Code {n}" for n in range(82)], "cannot be told apart"),
    ],
)
def test_labels_that_make_no_taxonomy_are_refused(names: list[str], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        draft_taxonomy_from_label_names(names, id="x", title="x")
