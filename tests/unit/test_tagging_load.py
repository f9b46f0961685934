"""Items and labels of the G4UE study; the texts are our own, written in the published layout."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.errors import BadFile, InvalidInput
from medlens.studies.tagging import option_list_and_chosen_option_parsing as parsing
from medlens.studies.tagging import read_g4ue_items_and_responses as reading
from medlens.studies.tagging.load_raw_annotations import (
    read_labels_of_items,
    table_of_labels_in_published_layout,
)
from medlens.studies.tagging.option_list_and_chosen_option_parsing import key_of_chosen_option
from medlens.studies.tagging.read_g4ue_items_and_responses import read_items, read_responses
from medlens.studies.tagging.records import ItemAsRead, ResponseItem
from medlens.studies.tagging.taxonomy import Taxonomy, load_taxonomy
from medlens.studies.tagging.text_repair_with_offsets import (
    inner_html_with_offset_map,
    plain_text_of_html,
    repair_encoding,
    repair_text_with_offset_map,
)

OPTIONS = {"A": "Aspirin", "B": "Rest", "C": "Iron tablets", "D": "Surgery", "E": "Iron"}


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    root = Path(__file__).parents[2]
    return load_taxonomy(root / "data" / "taxonomies" / "g4ue.toml")


def item(
    response: str,
    *,
    id: str = "item1",
    question: str = "What helps?",
    options: str = "",
    **more: object,
) -> bytes:
    text = [
        f"<strong>USMLE question:</strong> {question}\n<br><strong>Options:</strong> "
        f"{options or OPTIONS}\nPlease explain your answer",
        "<strong>Correct Answer:</strong> B",
        f"<strong>GPT-4 Response:</strong> {response}",
    ]
    return json.dumps({"id": id, "serial_num": 7, "text": text, **more}).encode() + b"\n"


def test_an_item_is_taken_apart_into_question_options_answer_and_response() -> None:
    one = read_items(item("The answer is D: Surgery.")).records[0]
    assert (one.name, one.line) == ("item1", 1)
    assert one.item.question == "What helps?"
    assert {option.key: option.text for option in one.item.options} == OPTIONS
    assert (one.item.correct, one.item.chosen) == ("B", "D")
    assert (one.item.serial_num, one.item.model) == (7, "GPT-4")
    assert one.item.response == "The answer is D: Surgery."


def test_only_the_wrapper_tags_and_references_are_markup() -> None:
    response = (
        "Na < 120 & <60 years, a <b>bold</b> claim;<br>&lt;5 &amp; &nosuch; AT&T;\r\n"
        "end<strong>!</strong>"
    )
    one = read_items(item(response)).records[0].item
    assert one.response == "Na < 120 & <60 years, a <b>bold</b> claim;\n<5 & &nosuch; AT&T;\nend!"


def test_options_may_hold_quotes_breaks_and_marks_of_an_earlier_conversion() -> None:
    text = """{'A': "Crohn's", 'B': 'Level > 5', 'C': 'say \\'no\\'', 'D': 'Spleen\\n"'}"""
    one = read_items(item("x", options=text)).records[0].item
    assert [option.text for option in one.options] == ["Crohn's", "Level > 5", "say 'no'", "Spleen"]
    as_json = json.dumps({"A": "one", "B": "two"})
    assert len(read_items(item("x", options=as_json)).records[0].item.options) == 2


@pytest.mark.parametrize(
    ("data", "column", "expected"),
    [
        (item("x", options="{'A': 'one'"), "text", "dict"),
        (item("x", options="{'A': 'one', 'A': 'two'}"), "text", "each option once"),
        (item("x", options="{'A': 'one', 'C': 'two'}"), "text", "correct answer, one of A, C"),
        (item("x", options=f"{OPTIONS} and more"), "text", "only the instruction"),
        (item(""), "text", "a response"),
        (item("x", serial_num="seven"), "serial_num", "a whole number"),
        (item("x", id=""), "id", "the item's name"),
        (item("x", text=["one", "two"]), "text", "a <strong> heading for the question"),
        (item("x") + item("y"), "id", "an item that occurs once (line 1 has it"),
        (
            item("x", options="{'A': 'one', 'B': 'two'}")
            + item("x", options="{'B': 'two', 'A': 'one'}"),
            "id",
            "an item that occurs once (line 1 has it",
        ),
    ],
)
def test_an_item_that_does_not_fit_is_refused_with_its_column(
    data: bytes, column: str, expected: str
) -> None:
    with pytest.raises(BadFile) as caught:
        read_items(data)
    assert caught.value.rows[0].column == column
    assert expected in caught.value.rows[0].expected


def test_headings_may_be_spelt_a_little_differently() -> None:
    text = (
        "<strong>Question</strong>: Why?<br/><strong> Option : </strong>{'A': 'x', 'B': 'y'}"
        "<br><strong>correct answer:</strong>A<br><STRONG>Llama-3 response:</STRONG> y, so B."
    )
    one = read_items(json.dumps({"id": 5, "text": text}).encode()).records[0]
    assert (one.name, one.item.model, one.item.response) == ("5", "Llama-3", "y, so B.")
    assert (one.item.question, one.item.correct) == ("Why?", "A")


def test_an_item_given_twice_alike_is_kept_once_and_told() -> None:
    loaded = read_items(item("x") + item("x"))
    assert len(loaded.records) == 1
    assert any("given twice with the same contents, kept once: 1" in note for note in loaded.notes)


def test_a_response_that_seems_to_choose_the_correct_option_is_told() -> None:
    assert any("item1" in note for note in read_items(item("The answer is B: Rest.")).notes)


def test_a_response_without_one_choice_is_named_and_said_to_be_imported_all_the_same() -> None:
    loaded = read_items(item("Either would do."))
    [note] = loaded.notes
    assert len(loaded.records) == 1
    assert note.endswith("without a chosen option: 1 (item1).")


def test_responses_are_read_from_their_columns_as_plain_text() -> None:
    frame = pd.DataFrame(
        {
            "gpt4_response": [" Fever &lt; 38\u00c2\u00b0C. The answer is (A).\r\n"],
            "serial_num": [12],
            "question": ["Why?"],
            "answer": ["Rest"],
            "options": [str(OPTIONS)],
            "meta_info": ["step1"],
            "answer_idx": ["B"],
        }
    )
    one = read_responses(frame.to_csv().encode()).records[0]
    assert (one.name, one.item.serial_num, one.item.meta_info) == ("serial12", 12, "step1")
    assert one.item.response == "Fever &lt; 38°C. The answer is (A)."
    assert one.item.chosen == "A"


@pytest.mark.parametrize(
    ("damaged", "mended"),
    [
        ("37.1\u00c2\u00b0C", "37.1°C"),
        ("patient\u00e2\u0080\u0099s", "patient’s"),  # read as Latin-1
        ("patient\u00e2\u20ac\u2122s", "patient’s"),  # read as Windows-1252
        ("\u00e2\u20ac\u0153a\u00e2\u20ac\u009d", "“a”"),  # 0x9D has no Windows-1252 character
        ("5 \u00ce\u00bcm, \u00ce\u201d", "5 μm, Δ"),
        ("St. John\u0092s", "St. John’s"),
        ("\u00c3\u201a\u00c2\u00b0", "°"),  # damaged twice
        ("\u00e2\u2030\u00a5 3", "≥ 3"),
    ],
)
def test_damaged_characters_are_repaired(damaged: str, mended: str) -> None:
    assert repair_encoding(damaged) == mended
    assert repair_text_with_offset_map(damaged)[0] == mended


@pytest.mark.parametrize(
    "text",
    ["ß1 and é", "5 µm", "Â", "Spaß”", "CAFÉ”", "Â °", "naïve…", "Ménière’s", "ÂB", "¼ µ ß é"],
)
def test_genuine_characters_are_left_alone(text: str) -> None:
    assert repair_encoding(text) == text


def test_positions_are_mapped_through_the_repair() -> None:
    # old: 0 'a', 1-3 the damaged apostrophe, 4 'b', 5-6 the damaged degree, 7 'ß'
    mended, moved = repair_text_with_offset_map("a\u00e2\u0080\u0099b\u00c2\u00b0ß")
    assert mended == "a’b°ß"
    assert [moved.new_position(position) for position in (0, 1, 4, 5, 7, 8)] == [0, 1, 2, 3, 4, 5]
    assert (moved.new_position(2), moved.new_position(2, end=True)) == (
        1,
        2,
    )  # inside: back to its begin, on to its end


def test_mapped_repair_agrees_with_repair_for_random_texts() -> None:
    rng = random.Random(3)
    alphabet = (
        "ab \u00c2\u00c3\u00b0\u00e2\u20ac\u2122\u0080\u0099\u0092\u00ce\u00bcß\u201d\u201a😀"
    )
    for _ in range(20_000):
        text = "".join(rng.choices(alphabet, k=rng.randrange(12)))
        mended, moved = repair_text_with_offset_map(text)
        assert mended == repair_encoding(text)
        places = [moved.new_position(position) for position in range(len(text) + 1)]
        assert places == sorted(places)
        assert (places[0], places[-1]) == (0, len(mended))


def test_positions_in_the_browsers_text_are_mapped_to_plain_text() -> None:
    source = "<strong>H:</strong> a&b <60\r\n😀<br>x"
    shown, units = inner_html_with_offset_map(source)
    assert shown == "<strong>H:</strong> a&amp;b &lt;60\r\n😀<br>x"
    assert plain_text_of_html(source) == "H: a&b <60\n😀\nx"
    # "&amp;" is 5 units for 1 character, "&lt;" 4, CRLF 2, 😀 2 (Python counts 1: hence + 1)
    assert units.new_position(shown.index("b &")) == plain_text_of_html(source).index("b <")
    assert units.new_position(shown.index("x") + 1) == plain_text_of_html(source).index("x")


@pytest.mark.parametrize(
    ("response", "key"),
    [
        ("The correct answer is D. Because.", "D"),
        ("The answer is 'A': Aspirin.", "A"),
        ("Answer: E", "E"),
        ("Option C, Iron tablets, is the correct answer for this.", "C"),
        ("So it goes.\n\nTherefore, the answer is Surgery (Option D).", "D"),
        ("The best next step is iron tablets.", "C"),  # not E, whose words these contain
        ("The most likely cause is too little of it (Choice E).", "E"),
        ("This makes answer 'D' the correct one.", "D"),
        ("The patient is most consistent with a need for surgery.", "D"),
        ("The correct answer is **D: Surgery**.", "D"),
        ("THE BEST NEXT STEP IS OPTION (D).", "D"),
        ("İltihap: the correct answer is D.", "D"),  # a letter that is two in lower case
        ("The best next step is neurosurgery, then surgery.", "D"),
        # not stated, or stated in two ways
        ("The best next step is neurosurgery.", None),  # a word that only contains an option's
        ("The most likely cause is lack of B12, so option D12 helps.", None),
        ("The most likely cause is option A, (B).", None),
        ("Option A is incorrect. Option B is wrong.", None),
        ("The answer is not D.", None),
        ("The correct answer is A. Later: so the correct answer is C.", None),
        ("The correct answer is D: Aspirin.", None),  # letter and words differ
        ("The most likely cause is A (option A) or rest (option B).", None),
        ("Option D would be the best choice if the patient bled.", None),
        ("Without more information nothing can be said.", None),
        ("As option D is discussed, rest (option B) remains.", None),
    ],
)
def test_the_option_is_found_where_the_response_states_it(response: str, key: str | None) -> None:
    assert key_of_chosen_option(response, OPTIONS) == key


def test_published_labels_are_read_in_any_spelling_and_order(taxonomy: Taxonomy) -> None:
    names = [label.export_name for label in taxonomy.labels]
    head = ",".join(["serial_num", *reversed(names), "id"])
    cells = ["FALSE"] * 8 + ["TRUE"]  # the last of the reversed names is the first label
    loaded = read_labels_of_items(f"{head}\n1,{','.join(cells)},item1\n".encode(), taxonomy)
    assert loaded.records[0].item == "item1"
    assert loaded.records[0].labels == {taxonomy.labels[0].id}


def test_label_tables_that_do_not_fit_are_refused(taxonomy: Taxonomy) -> None:
    names = [label.name for label in taxonomy.labels]
    with pytest.raises(BadFile, match="missing column 'Non-medical factual error'"):
        read_labels_of_items(f"id,{','.join(names[1:])}\n".encode(), taxonomy)
    with pytest.raises(BadFile, match="two columns are the label"):
        read_labels_of_items(
            f"id,{','.join(names)},{taxonomy.labels[8].export_name}\n".encode(), taxonomy
        )
    row = ",".join(["0"] * 8 + ["perhaps"])
    with pytest.raises(BadFile, match=f"line 2, column '{names[8]}': expected True or False"):
        read_labels_of_items(f"id,{','.join(names)}\nitem1,{row}\n".encode(), taxonomy)
    twice = ",".join(["0"] * 9)
    with pytest.raises(BadFile, match="line 3, column 'id': expected an item that occurs once"):
        read_labels_of_items(f"id,{','.join(names)}\na,{twice}\na,{twice}\n".encode(), taxonomy)


def test_labels_are_written_in_the_published_layout(taxonomy: Taxonomy) -> None:
    frame = pd.DataFrame(
        {"item": ["item9", "item1"], "labels": [{"cannot_pick_category"}, frozenset()]}
    )
    table = table_of_labels_in_published_layout(frame, taxonomy)
    assert list(table.columns) == [
        "id",
        "Cannot pick any error category",
        "Hallucination of information",
        "Ignore missing information",
        "Incorrect or vague conclusion",
        "Incorrect understanding of the task",
        "Non-medical factual error",
        "Reasonable response by GPT-4",
        "Sticking with the wrong diagnosis",
        "Unsupported medical claim",
    ]
    assert table.iloc[0].tolist() == ["item9", True] + [False] * 8
    with pytest.raises(InvalidInput, match="'other'"):
        table_of_labels_in_published_layout(
            pd.DataFrame({"item": ["a"], "labels": [["other"]]}), taxonomy
        )


@pytest.mark.parametrize(
    ("written", "pairs"),
    [
        ("{'A': 'one', 'B': 'two'}", [("A", "one"), ("B", "two")]),
        (" {'A': '', 'B': 'a \"b\"'} \n tail", [("A", ""), ("B", 'a "b"')]),
        ("{'A': 'x', 'B': 'y'}\u00a0z", [("A", "x"), ("B", "y")]),
        ("{'A': \"it's\", 'B': 'y'}", None),
        ("{'A': 'x\\n', 'B': 'y'}", None),
        ("{'A': 'x\n', 'B': 'y'}", None),
        ("{'A':'x', 'B': 'y'}", None),
        ("{'A': 'x' 'B': 'y'}", None),
        ("{'A': 'x', 'B': 'y', }", None),
        ("{'A': 'x', 'B': 'y'} don't", None),
        ("{'A': 'x', 'B': 'y', 'C'}", None),
        ("{'': 'x', 'B': 'y'}", None),
        ("{'nine char': 'x', 'B': 'y'}", None),
        ("no {'A': 'x', 'B': 'y'}", None),
        ("{}", None),
        ("", None),
    ],
)
def test_options_cut_at_apostrophes_are_those_read_sign_by_sign(
    written: str, pairs: list[tuple[str, str]] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = parsing._plainest_pairs(written)
    assert (cut and cut[0]) == pairs
    monkeypatch.setattr(parsing, "_plainest_pairs", lambda text: None)
    assert cut is None or cut == parsing._simple_pairs(written)


def test_an_item_as_read_is_stored_as_the_item_made_of_it() -> None:
    for text in ("plain", 'é “x” \\ " /', "\x01\x1f\x7f\u2028\U0001f600\n\t", "</script>&"):
        read = ItemAsRead(
            *(text, (("A", text), ("B", "")), "A", text),
            chosen=None if text == "plain" else text,
            serial_num=None if text == "plain" else -(10**14),
            meta_info=text,
            model=text,
        )
        made = ResponseItem.model_validate_json(read.to_stored_json())
        assert made == read.to_item()
        assert read.to_stored_json() == made.model_dump_json() == made.to_stored_json()


def test_what_a_response_chooses_is_said_when_items_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "_AT_ONCE", 2)
    calls: list[int] = []
    say = reading.keys_of_chosen_options

    def counted(responses: Any, options: Any) -> Any:
        calls.append(len(responses))
        return say(responses, options)

    monkeypatch.setattr(reading, "keys_of_chosen_options", counted)
    file = b"".join(item(f"The answer is {key}.", id=f"i{n}") for n, key in enumerate("ABADE"))
    read = reading.read_items_to_be_stored(file)
    assert calls == []
    stored = [json.loads(one.to_stored_json()) for one in list(read.by_name.values())[:3]]
    assert [one["chosen"] for one in stored] == ["A", "B", "A"]
    assert calls == [2, 2]
    [note] = read.notes_in_words()
    assert sum(calls) == 5
    assert "seems to choose the correct option" in note
    assert note == read_items(file).notes[0]
