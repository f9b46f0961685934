"""HTML with thousands of tags that nobody closed."""

from __future__ import annotations

import time

import pytest

from medlens.bridges.import_from_potato import text_as_potato_displays_it
from medlens.tables.html_and_xml_table_saved_as_xls import largest_table
from medlens.tables.unclosed_html_tag_escape import escape_unclosed_html_tags

TABLE = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>{}</td></tr></table>"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('<a href="x>y" b=c>1</a>', '<a href="x>y" b=c>1</a>'),
        ("<td title=don't>it's</td>", "<td title=don't>it's</td>"),
        ("dose <5 mg <b>now</b>", "dose &lt;5 mg <b>now</b>"),
        ("<!-- <a --><b>1</b><!-- never", "<!-- <a --><b>1</b>&lt;!-- never"),
        ("<b>1</b><a b=", "<b>1</b>&lt;a b="),
        ("<br/><!doctype html><?xml?>", "<br/><!doctype html><?xml?>"),
        ("no tag", "no tag"),
    ],
)
def test_what_begins_no_whole_tag_is_a_text(text: str, read: str) -> None:
    assert escape_unclosed_html_tags(text) == read


@pytest.mark.deep
@pytest.mark.parametrize(
    "unclosed", ["<a ", "<a", "<a b='", '<a b="', "<!--", "</a", '<a b=\'c" d="', "<![CDATA[", "<?"]
)
def test_unclosed_tags_keep_no_reader_busy(unclosed: str) -> None:
    begun = time.process_time()
    whole = TABLE.format(unclosed * 20_000)
    # The rest of a page ends the last of them, and only a page that was cut off keeps all open.
    for page in (whole, whole.removesuffix("</td></tr></table>")):
        assert largest_table(page) is not None
    text_as_potato_displays_it(unclosed * 20_000)
    assert time.process_time() - begun < 3


def test_a_cell_with_an_unclosed_tag_keeps_its_words() -> None:
    table = largest_table(TABLE.format("less <than 5"))
    assert table is not None
    assert table.rows[1][1] == "less <than 5"
