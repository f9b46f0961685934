"""Sentences of a source, and which are most like a statement."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from medlens.ui.sourcecheckup.answers import statement_numbers_by_sentence
from medlens.web.passage_search import index_sentences_of_source
from medlens.web.stems_numbers_and_synonyms_of_text import (
    iterate_terms_with_weight_and_word,
    list_meaningful_stems_and_numbers,
    list_numbers_of_synonym_groups,
)
from tests.labelled_passages import HELD_BACK, LATER, PAIRS, TEXTS, Pair, text_of

TEXT = (
    "Aspirin for adults\n"
    "Dr. Lee advises 325 mg, e.g. with food. Children must not take aspirin!\n\n"
    'See a doctor when "it hurts." The dose is 4,000 mg a day.'
)


def ranks(pairs: Sequence[Pair]) -> list[int]:
    """The place of the right passage for each statement, from 1; 0 where it is not lit."""
    made = []
    for one in pairs:
        page = index_sentences_of_source(text_of(one.page))
        said = page.texts_of_sentences()
        lit = page.sentence_numbers_like_statement(one.statement)
        assert len(lit) <= 5
        made.append(next((n for n, i in enumerate(lit, 1) if one.right in said[i]), 0))
    return made


@pytest.mark.deep
@pytest.mark.parametrize("held_back", [False, True])
def test_the_right_passage_is_mostly_first_and_nearly_always_among_three(held_back: bool) -> None:
    found = ranks([one for one in PAIRS if (one in HELD_BACK) is held_back])
    assert len(found) == 40
    assert sum(rank == 1 for rank in found) >= 0.7 * len(found)
    assert sum(1 <= rank <= 3 for rank in found) >= 0.9 * len(found)


def test_paraphrases_in_other_words_than_the_pages_are_mostly_found() -> None:
    found = ranks([one for pairs in LATER.values() for one in pairs])
    assert len(found) == 312
    assert sum(rank == 1 for rank in found) >= 0.85 * len(found)
    assert sum(1 <= rank <= 3 for rank in found) >= 0.93 * len(found)


def test_a_number_is_found_in_a_range_and_an_age_among_the_elderly() -> None:
    page = index_sentences_of_source(
        "Stages of the disease\n| Stage | Value |\n| first | 60-89 |\n| second | 45-59 |\n\n"
        "Children recover within days. Over 75, one in three is admitted."
    )
    said = page.texts_of_sentences()
    assert (
        said[page.sentence_numbers_like_statement("A value of 50 is the second stage.")[0]]
        == "| second | 45-59 |"
    )
    assert said[
        page.sentence_numbers_like_statement("The elderly are often hospitalised.")[0]
    ].startswith("Over 75")


def test_a_statement_lights_few_passages() -> None:
    lit = [
        len(
            index_sentences_of_source(text_of(one.page)).sentence_numbers_like_statement(
                one.statement
            )
        )
        for one in PAIRS
    ]
    assert sum(lit) / len(lit) < 2.5
    page = index_sentences_of_source(TEXTS["hip"])
    assert (
        page.sentence_numbers_like_statement("The trial was paid for by the makers of a lotion.")
        == []
    )


def test_a_table_is_read_by_its_rows_and_a_heading_tells_what_the_lines_below_are_about() -> None:
    page = index_sentences_of_source(TEXTS["diabetes"])
    said = page.texts_of_sentences()
    [first, *_] = page.sentence_numbers_like_statement("Insulin can make people gain weight.")
    assert said[first] == "| Insulin | gain | yes |"
    page = index_sentences_of_source(
        "Ibuprofen\nTake 200 mg with food.\n\nParacetamol\nTake 500 mg with food."
    )
    assert page.texts_of_sentences()[
        page.sentence_numbers_like_statement("Paracetamol is taken with food.")[0]
    ].startswith("Take 500")


def test_numbers_shares_and_times_are_found_however_they_are_written() -> None:
    def said(text: str) -> set[str]:
        return {term for term, _, _ in iterate_terms_with_weight_and_word(text)}

    for one, other, term in (
        ("one in four", "25%", "%25"),
        ("three out of ten", "30 per cent", "%30"),
        ("two thirds", "67 percent", "%67"),
        ("a day and a half", "36 hours", "t2160"),
        ("half an hour", "30 min", "t30"),
        ("one hour", "60 minutes", "t60"),
        ("2.0-3.0", "between 2 and 3", "2-3"),
        ("1,000", "1000", "1000"),
        ("twelve", "12", "12"),
        ("one pregnancy in twenty-five", "4%", "%4"),
        ("seven women in ten", "70 percent", "%70"),
        ("three to four of a hundred", "4%", "%4"),
        ("every fifth owner", "20%", "%20"),
        ("half a year", "six months", "t262980"),
        ("12 months", "one year", "t525960"),
        ("2 cm", "20 mm", "mm20"),
        ("1.5 g", "1500 milligrams", "mcg1.5e+06"),
        ("1 km", "1,000 metres", "mm1e+06"),
        ("twice as many", "doubles the risk", "x2"),
        ("three times the risk", "a threefold rise", "x3"),
        ("pre-eclampsia", "preeclampsia", "preeclampsia"),
        ("non-contrast", "contrast", "contrast"),
        ("ramipril", "ACE inhibitors", f"={group_of('ace inhibitor')}"),
        ("aciclovir", "antivirals", f"={group_of('antiviral')}"),
        ("haemoglobin", "hemoglobin", "hemoglobin"),
        ("norepinephrine", "noradrenaline", f"={group_of('norepinephrine')}"),
    ):
        assert term in said(one) & said(other), (one, other)
    assert "%33" not in said("on the third day")
    assert not {"x3", "x2"} & said("three times a day, twice daily, two times per week")


def group_of(word: str) -> int:
    return list_numbers_of_synonym_groups(word)[0]


def test_a_sentence_of_a_pdf_goes_on_over_the_ends_of_its_lines() -> None:
    page = index_sentences_of_source(
        "Warfarin in practice\nMost people who take the drug for a clot are treated\n"
        "for three months. The INR is measured every week by\nHarrow nurses.\n\nFurther reading"
    )
    assert page.texts_of_sentences() == [
        "Warfarin in practice",
        "Most people who take the drug for a clot are treated\nfor three months.",
        "The INR is measured every week by\nHarrow nurses.",
        "Further reading",
    ]


def test_a_text_is_cut_into_its_sentences_and_paragraphs() -> None:
    page = index_sentences_of_source(TEXT)
    assert page.texts_of_sentences() == [
        "Aspirin for adults",
        "Dr. Lee advises 325 mg, e.g. with food.",
        "Children must not take aspirin!",
        'See a doctor when "it hurts."',
        "The dose is 4,000 mg a day.",
    ]
    assert page.paragraphs == (0, 1, 3)


@pytest.mark.parametrize("text", ["", "  \n ", "x", "No end", "。", "a。b", "\n\na\n\n\n"])
def test_whatever_is_no_space_is_in_exactly_one_sentence(text: str) -> None:
    page = index_sentences_of_source(text)
    assert "".join("".join(page.texts_of_sentences()).split()) == "".join(text.split())


def test_a_menu_without_an_end_is_cut_into_pieces() -> None:
    page = index_sentences_of_source("word " * 1000)
    assert max(len(one) for one in page.texts_of_sentences()) <= 600
    assert "".join(page.texts_of_sentences()).count("word") == 1000
    assert page.paragraphs == (0,)


def test_the_likest_sentence_comes_first_and_strangers_never() -> None:
    page = index_sentences_of_source(TEXT)
    # "dose" and "4000" stand in the last sentence alone; that with "mg" alone is too far behind.
    assert page.sentence_numbers_like_statement("Doses of 4000 mg are the limit.") == [4]
    # A heading that shares a word is far behind the sentence below it.
    assert page.sentence_numbers_like_statement("Aspirin in childhood; children") == [2]
    assert page.sentence_numbers_like_statement("Nothing of the kind") == []
    assert index_sentences_of_source("").sentence_numbers_like_statement("anything") == []


def test_common_words_light_nothing() -> None:
    page = index_sentences_of_source(
        "Asthma is treated with inhalers. You should take care. Use it every time you need it.\n"
        "Asthma 4 times a year is rare. Asthma returns. Vitamin D helps bones. Asthma needs rest.\n"
        "Inhalers with steroids take days to help asthma."
    )
    # "should", "take", "use", "every", "need", "time" and "help" say nothing; "asthma" stands in 5
    # of the 8 sentences, more than every second one, and "4" and "d" are a lone digit and letter.
    assert (
        page.sentence_numbers_like_statement(
            "You may need to take and use it every time, and it should help."
        )
        == []
    )
    assert page.sentence_numbers_like_statement("Asthma 4 d") == []
    # "steroid" stands in one sentence, "inhaler" in two; "asthma" adds to the likeness of both.
    assert page.sentence_numbers_like_statement("Steroid inhalers for asthma") == [7, 0]


def test_words_are_folded_alike_on_both_sides() -> None:
    assert list_meaningful_stems_and_numbers("The Ménière's diseases, biopsies") == [
        "menier",
        "diseas",
        "biopsi",
    ]
    assert index_sentences_of_source("糖尿病は病気です。風邪。").sentence_numbers_like_statement(
        "糖尿"
    ) == [0]


def test_a_stretch_of_the_text_lies_in_its_sentences() -> None:
    page = index_sentences_of_source(TEXT)
    start = TEXT.index("food")
    assert page.sentence_numbers_in_range(start, start + 20) == [1, 2]


@pytest.mark.deep
def test_the_right_sentence_is_found_among_10_000() -> None:
    text = "\n".join(
        f"Sentence {n} tells of symptom {n % 97} and of treatment {n % 89}." for n in range(10_000)
    )
    page = index_sentences_of_source(text)
    assert len(page.starts) == 10_000
    found = page.sentence_numbers_like_statement("Symptom 13 calls for treatment 44")
    assert "symptom 13 " in page.texts_of_sentences()[found[0]]


def test_a_statement_finds_its_sentence_also_where_all_sentences_are_alike() -> None:
    page = index_sentences_of_source(
        "The burn is of grade 1. The burn is of grade 2. The burn is of grade 3."
    )
    # "burn" and "grade" stand in all three; "2" is a lone digit: none of them tells by itself.
    assert page.sentence_numbers_like_statement("The burn is of grade 2.") == []
    # Of "burn", "grade" and "2" the second sentence has all three, the others two.
    assert page.sentence_number_holding_statement("The burn is of grade 2.") == 1
    assert statement_numbers_by_sentence(page.text, [{"text": "The burn is of grade 2."}]) == {
        1: [0]
    }
    # One of three words is less than half.
    assert page.sentence_number_holding_statement("A burn, fluids, warmth") is None
    # A quantity tells.
    assert index_sentences_of_source(
        "The dose is 1 g. The dose is 2 g."
    ).sentence_numbers_like_statement("A dose of 2 g.") == [1]
    assert index_sentences_of_source("").sentence_number_holding_statement("Rest.") is None
