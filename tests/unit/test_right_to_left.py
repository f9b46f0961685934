"""Arabic, Persian and Hebrew on a page that is drawn from the left, as they are read."""

from __future__ import annotations

import pypdfium2
import pytest

from medlens.app.document_as_html_or_pdf import (
    Chart,
    Document,
    Heading,
    Mark,
    Table,
    Text,
    render_pdf,
)
from medlens.app.shape_right_to_left_text import (
    is_paragraph_right_to_left,
    reorder_line_left_to_right,
    replace_letters_by_joined_forms,
)

ANSWER = "الإجابة صحيحة"


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("سلام", "\ufeb3\ufefc\ufee1"),  # lam and alef are one sign
        ("بيت", "\ufe91\ufef4\ufe96"),
        ("دار", "\ufea9\ufe8d\ufead"),  # these join to nothing behind them
        ("بَيت", "\ufe91\u064e\ufef4\ufe96"),  # a vowel sign parts nothing
        ("می\u200cخ", "\ufee3\ufbfd\u200c\ufea5"),  # Persian; a sign that parts two letters
        ("شلום", "\ufeb7\ufedeום"),
        ("Rest, שלום", "Rest, שלום"),
    ],
)
def test_each_letter_has_the_form_that_its_neighbours_ask_for(text: str, joined: str) -> None:
    assert replace_letters_by_joined_forms(text) == joined


def test_lines_are_in_the_order_in_which_they_are_seen_with_numbers_and_brackets() -> None:
    assert reorder_line_left_to_right("אב (x) 12", from_the_right=True) == "12 (x) בא"
    assert reorder_line_left_to_right("GPT-4: אב", from_the_right=False) == "GPT-4: בא"
    assert reorder_line_left_to_right("plain (x)", from_the_right=False) == "plain (x)"
    assert is_paragraph_right_to_left("12 אב x")
    assert not is_paragraph_right_to_left("x אב")


@pytest.mark.deep
def test_a_pdf_report_has_joined_letters_on_the_right_and_no_boxes() -> None:
    document = Document(
        ANSWER,
        "About",
        [
            Heading(ANSWER),
            Text(f"{ANSWER}. " * 30),
            Table(["שאלה", "n"], [[ANSWER, "2"]]),
            Chart(ANSWER, [Mark(ANSWER, 0.5, 0.4, 0.6, "50 %")], 0, 1, percent=True),
        ],
    )
    pdf = pypdfium2.PdfDocument(render_pdf(document))
    page = pdf[0].get_textpage()
    text = page.get_text_range()
    assert "□" not in text
    assert "signs stand as" not in text
    boxes = [page.get_charbox(at) for at in range(40)]
    # The title ends at the right margin, 15 mm from the edge.
    assert max(right for _, _, right, _ in boxes) == pytest.approx((210 - 15) / 25.4 * 72, abs=4)
