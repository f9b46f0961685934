"""Quotes held against their pages: what says something else is never found, what is only set
otherwise always."""

from __future__ import annotations

import pytest

from medlens.web.quote_search import ComparedPart, QuotableText
from tests import cut_quotes_of_lists_and_sentences as lists
from tests import cut_quotes_of_other_fields as other_fields
from tests.cut_quotes import ALMOST_SPELT, CUT_AND_SAME, CUT_SHORT, SPELT, cases
from tests.quote_corpus import CUT, SENTENCES, false_ones, harmless_ones, page_with

FALSE = list(false_ones())
HARMLESS = list(harmless_ones())


def test_the_corpora_are_as_large_as_they_are_meant_to_be() -> None:
    assert len(set(FALSE)) >= 590
    assert len({(page, quote) for _, page, quote in HARMLESS}) >= 1100
    assert not set(SENTENCES) & {quote for _, quote in FALSE}


def test_no_falsified_quote_is_found() -> None:
    passed = [
        (page, quote)
        for page, quote in FALSE
        if QuotableText(page).look_up_quote(quote).does_text_say_the_same
    ]
    assert passed == []


def test_every_falsified_quote_of_a_whole_sentence_is_shown_as_alike_with_what_differs() -> None:
    found = [(quote, QuotableText(page).look_up_quote(quote)) for page, quote in FALSE]
    alike = [one for _, one in found if one.how in ("alike", "cut_short")]
    assert len(alike) / len(found) > 0.95
    assert all(any(part.where != "same" for part in one.changes) for one in alike)


def test_every_quote_that_is_only_set_in_another_way_is_found() -> None:
    lost = [
        one
        for one in HARMLESS
        if not QuotableText(one[1]).look_up_quote(one[2]).does_text_say_the_same
    ]
    assert lost == []


def test_what_differs_is_marked_word_by_word() -> None:
    page = QuotableText(page_with("Take 500 mg of paracetamol every 6 hours."))
    changes = page.look_up_quote("Take 250 mg of paracetamol every 6 hours.").changes
    assert [one for one in changes if one.where != "same"] == [
        ComparedPart("quote", "250"),
        ComparedPart("page", "500"),
    ]
    said = "".join(one.text for one in changes if one.where != "page")
    assert said == "Take 250 mg of paracetamol every 6 hours"


@pytest.mark.parametrize("sentence, quote", CUT[:4], ids=lambda text: text[:30])
def test_a_quote_that_leaves_out_the_negation_before_it_is_not_the_same(
    sentence: str, quote: str
) -> None:
    found = QuotableText(page_with(sentence)).look_up_quote(quote)
    assert found.how == "cut_short"
    assert any(
        one.where == "page" and ("not" in one.text or "no" in one.text) for one in found.changes
    )


def test_a_line_that_ends_without_a_stop_cuts_nothing_off() -> None:
    page = QuotableText(
        "Page 1\nFact 1 is a matter of record.\nNot to be missed\nTake 5 mg\n2 mg later"
    )
    for quote in ("Fact 1 is a matter of record.", "Take 5 mg"):
        assert page.look_up_quote(quote).how == "exact"


def test_a_quote_with_gaps_is_found_by_its_pieces_in_their_order() -> None:
    text = (
        "Give oxygen. Antibiotics are given within one hour of recog-\nnising shock. Do not wait."
    )
    page = QuotableText(text)
    found = page.look_up_quote("“Give oxygen. … within one hour of recognising shock.”")
    assert found.how == "folded"
    assert [text[a:b] for a, b in found.places] == [
        "Give oxygen.",
        "within one hour of recog-\nnising shock",
    ]
    assert page.look_up_quote("within one hour of recognising … Give oxygen").how != "folded"
    assert page.look_up_quote("Give oxygen [...] nothing of the kind").how == "missing"


def test_a_quote_that_stands_whole_elsewhere_on_the_page_is_found_there() -> None:
    page = QuotableText("Aspirin is not recommended for children. It is recommended for adults.")
    assert page.look_up_quote("recommended for adults").how == "exact"
    assert page.look_up_quote("recommended for").how == "exact"
    assert page.look_up_quote("recommended for children").how == "cut_short"


@pytest.mark.deep
def test_a_quote_that_is_cut_so_that_it_says_something_else_is_cut_short() -> None:
    passed = []
    for page, quote, front, behind in cases(CUT_SHORT):
        stands = QuotableText(page).look_up_quote(quote)
        if stands.how != "cut_short":
            passed.append((front, quote, behind))
            continue
        # The words that were left out are shown, and the quote between them.
        left_out = [part.text.strip() for part in stands.changes if part.where == "page"]
        assert left_out
        assert all(any(words in whole for whole in (front, behind)) for words in left_out), quote
        assert ComparedPart("same", quote) in stands.changes
    assert len(cases(CUT_SHORT)) >= 770
    assert len(passed) <= 12, passed


def test_a_quote_that_is_cut_and_says_the_same_is_found() -> None:
    lost = [
        quote
        for page, quote, *_ in cases(CUT_AND_SAME)
        if not QuotableText(page).look_up_quote(quote).does_text_say_the_same
    ]
    assert len(cases(CUT_AND_SAME)) >= 820
    assert len(lost) <= 6, lost


def test_a_quote_that_skips_a_negation_is_cut_short_and_shows_it() -> None:
    page = QuotableText("Aspirin is not recommended for children younger than 16 years.")
    found = page.look_up_quote("Aspirin is … recommended for children younger than 16 years.")
    assert found.how == "cut_short"
    assert ComparedPart("page", " not ") in found.changes


def test_british_and_american_spelling_is_no_difference() -> None:
    page, lost = "The ward was full. We saw {} in 12 of them.", []
    for british, american in SPELT:
        for there, said in ((british, american), (american, british)):
            found = QuotableText(page.format(there)).look_up_quote(f"We saw {said} in 12 of them.")
            lost += [said] if found.how != "folded" else []
    assert lost == []


def test_words_that_only_look_like_another_spelling_differ() -> None:
    page, passed = "The ward was full. We saw {} in 12 of them.", []
    for first, second in ALMOST_SPELT:
        for there, said in ((first, second), (second, first)):
            found = QuotableText(page.format(there)).look_up_quote(f"We saw {said} in 12 of them.")
            passed += [said] if found.does_text_say_the_same else []
    assert passed == []


@pytest.mark.parametrize("quote", ["", "  \n"])
def test_no_quote_is_no_quote(quote: str) -> None:
    assert QuotableText("A page.").look_up_quote(quote).how == "none"


@pytest.mark.parametrize("quote", ["“”", "...", "a stroke", "…"])
def test_words_that_are_not_there_are_missing(quote: str) -> None:
    assert QuotableText("A page about something else.").look_up_quote(quote).how == "missing"


def test_an_empty_page_holds_no_quote() -> None:
    assert QuotableText("").look_up_quote("Take 500 mg.").how == "missing"


def test_cuts_on_passages_of_other_fields_are_told_and_harmless_ones_are_not() -> None:
    def told(*sets: str) -> tuple[int, int]:
        found = [one for lines in sets for one in cases(lines)]
        return sum(
            QuotableText(page).look_up_quote(q).how == "cut_short" for page, q, *_ in found
        ), len(found)

    changed, of = told(other_fields.CHANGED, other_fields.SECOND_CHANGED)
    assert of == 70
    assert changed >= 0.95 * of
    same, of = told(other_fields.SAME, other_fields.SECOND_SAME)
    assert of == 70
    assert same <= 0.05 * of


def standings(pages: str) -> list[tuple[str, str]]:
    return [
        (QuotableText(page).look_up_quote(quote).how, quote)
        for page, quote in lists.quotes_of(pages)
    ]


@pytest.mark.parametrize("changed", [lists.CHANGED, lists.CHANGED_LATER], ids=["first", "later"])
def test_cuts_from_sentences_lists_and_tables_are_told(changed: str) -> None:
    told = [how == "cut_short" for how, _ in standings(changed)]
    assert len(told) >= 40
    assert sum(told) >= 0.95 * len(told)


@pytest.mark.parametrize("same", [lists.SAME, lists.SAME_LATER], ids=["first", "later"])
def test_cuts_that_change_nothing_are_no_cuts(same: str) -> None:
    assert [quote for how, quote in standings(same) if how not in ("exact", "folded")] == []


def test_typesetting_and_british_spelling_are_no_difference() -> None:
    assert [
        quote
        for page, quote in lists.SPELT
        if not QuotableText(f"Mind. {page} Go.").look_up_quote(quote).does_text_say_the_same
    ] == []


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("Contraindications:", True),
        ("Do not use this medicine if you", True),
        ("Do not use this medicine if you:", True),
        ("Common myths", True),
        ("Symptoms:", False),
        ("If you cannot sleep, try:", False),
        ("Errors of metabolism include:", False),
        ("When to get help", False),
        ("Who should not be vaccinated?", True),
    ],
)
def test_a_list_item_is_read_with_the_line_above_the_list(head: str, told: bool) -> None:
    page = QuotableText(
        f"Leaflet.\n\n{head}\n\n- severe asthma\n- a recent stroke\n\nAsk your doctor."
    )
    for item in ("severe asthma", "a recent stroke"):
        found = page.look_up_quote(item)
        assert (found.how == "cut_short") is told
        assert [one.text for one in found.changes if one.where == "page"] == [head] * told
    assert page.look_up_quote("Ask your doctor.").how == "exact"


@pytest.mark.parametrize(
    ("quote", "behind", "told"),
    [
        ("The hazard ratio was 0.7", " (95% CI 0.4 to 1.3)", True),
        ("The hazard ratio was 0.7", " (95% CI 0.5 to 0.9)", False),
        ("The mean difference was 2.1 points", " (95% CI, -0.4 to 4.6)", True),
        ("The mean difference was 2.1 points", " (95% CI, 0.4 to 3.8)", False),
        ("The risk was lower by 12%", " (P = 0.31)", True),
        ("The risk was lower by 12%", " (P = 0.03)", False),
        ("The risk was lower by 12%", " (P < 0.001)", False),
        ("Mortality was 12% with the drug", " and 12% with placebo", True),
        ("Mortality was 12% with the drug", " versus 11% with placebo", True),
        ("The dose is 2 puffs", " twice a day", True),
        ("The clearance was 30 mL/min", "/1.73 m²", True),
    ],
)
def test_a_figure_is_read_with_what_says_what_it_is_worth(
    quote: str, behind: str, told: bool
) -> None:
    found = QuotableText(f"We treated 40 people. {quote}{behind}. The ward closed.").look_up_quote(
        quote
    )
    assert (found.how == "cut_short") is told
