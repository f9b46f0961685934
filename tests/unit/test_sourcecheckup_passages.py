"""Sentences of a source, and which are most like a statement."""

from __future__ import annotations

import time

import pytest

from medlens.sourcecheckup.passages import page_of, tokens
from medlens.ui.sourcecheckup.answer_text import placed

TEXT = (
    "Aspirin for adults\n"
    "Dr. Lee advises 325 mg, e.g. with food. Children must not take aspirin!\n\n"
    'See a doctor when "it hurts." The dose is 4,000 mg a day.'
)


def test_a_text_is_cut_into_its_sentences_and_paragraphs() -> None:
    page = page_of(TEXT)
    assert page.sentences() == [
        "Aspirin for adults",
        "Dr. Lee advises 325 mg, e.g. with food.",
        "Children must not take aspirin!",
        'See a doctor when "it hurts."',
        "The dose is 4,000 mg a day.",
    ]
    assert page.paragraphs == (0, 1, 3)


@pytest.mark.parametrize("text", ["", "  \n ", "x", "No end", "。", "a。b", "\n\na\n\n\n"])
def test_whatever_is_no_space_is_in_exactly_one_sentence(text: str) -> None:
    page = page_of(text)
    assert "".join("".join(page.sentences()).split()) == "".join(text.split())


def test_a_menu_without_an_end_is_cut_into_pieces() -> None:
    page = page_of("word " * 1000)
    assert max(len(one) for one in page.sentences()) <= 600
    assert "".join(page.sentences()).count("word") == 1000
    assert page.paragraphs == (0,)


def test_the_likest_sentence_comes_first_and_strangers_never() -> None:
    page = page_of(TEXT)
    # "dose" and "4000" stand in the last sentence alone; "mg" in two.
    assert page.like("Doses of 4000 mg are the limit.") == [4, 1]
    assert page.like("Aspirin in childhood; children") == [2, 0]
    assert page.like("Nothing of the kind") == []
    assert page_of("").like("anything") == []


def test_common_words_light_nothing() -> None:
    page = page_of(
        "Asthma is treated with inhalers. You should take care. Use it every time you need it.\n"
        "Asthma 4 times a year is rare. Asthma returns. Vitamin D helps bones. Asthma needs rest.\n"
        "Inhalers with steroids take days to help asthma."
    )
    # "should", "take", "use", "every", "need", "time" and "help" say nothing; "asthma" stands in 5
    # of the 8 sentences, more than every second one, and "4" and "d" are a lone digit and letter.
    assert page.like("You may need to take and use it every time, and it should help.") == []
    assert page.like("Asthma 4 d") == []
    # "steroid" stands in one sentence, "inhaler" in two; "asthma" adds to the likeness of both.
    assert page.like("Steroid inhalers for asthma") == [7, 0]


def test_words_are_folded_alike_on_both_sides() -> None:
    assert tokens("The Ménière's diseases, biopsies") == ["meniere", "disease", "biopsy"]
    assert page_of("糖尿病は病気です。風邪。").like("糖尿") == [0]


def test_a_stretch_of_the_text_lies_in_its_sentences() -> None:
    page = page_of(TEXT)
    start = TEXT.index("food")
    assert page.at(start, start + 20) == [1, 2]


def test_128_000_tokens_are_searched_without_lag_once_indexed() -> None:
    text = "\n".join(
        f"Sentence {n} tells of symptom {n % 97} and of treatment {n % 89}." for n in range(10_000)
    )
    page = page_of(text)
    assert len(page.starts) == 10_000
    begun = time.perf_counter()
    found = page.like("Symptom 13 calls for treatment 44")
    assert time.perf_counter() - begun < 0.02
    assert "symptom 13 " in page.sentences()[found[0]]


def test_a_statement_finds_its_sentence_also_where_all_sentences_are_alike() -> None:
    page = page_of("The usual dose is 1 g. The usual dose is 2 g. The usual dose is 3 g.")
    # "dose" and "g" stand in all three; "2" is a lone digit: none of them tells by itself.
    assert page.like("The usual dose is 2 g.") == []
    # Of "dose", "2" and "g" the second sentence has all three, the others two.
    assert page.holding("The usual dose is 2 g.") == 1
    assert placed(page.text, [{"text": "The usual dose is 2 g."}]) == {1: [0]}
    # One of three words is less than half.
    assert page.holding("A dose, fluids, warmth") is None
    assert page_of("").holding("Rest.") is None
