"""Markdown of others: what is drawn of it, and what never is, whatever it holds."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from medlens.ui.untrusted_markdown import latex_formula_as_mathml, untrusted_markdown_as_html

TAGS = {
    *("div", "p", "strong", "em", "s", "code", "pre", "br", "ul", "ol", "li", "blockquote", "hr"),
    *("table", "thead", "tbody", "tr", "th", "td", "details", "summary", "span"),
}
ATTRIBUTES = {"class", "dir", "style", "start", "data-formula"}


class Parsed(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.given: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= dict(attrs)
        self.given += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def test_what_models_write_is_drawn() -> None:
    page = untrusted_markdown_as_html(
        "## Plan\n1. *Rest*\n   - ~~or~~ **not**\n\n> Says who?\n\n"
        "| Drug | mg |\n|--|--|\n| A | 5 |\n\n```\nif a < b:\n    pass\n```\nline one\nline two"
    )
    assert '<p class="head h2" dir="auto"><strong>Plan</strong></p>' in page
    assert "<em>Rest</em>" in page
    assert "<s>or</s> <strong>not</strong>" in page
    assert '<blockquote dir="auto">' in page
    assert '<td dir="auto">5</td>' in page
    # Code keeps its indentation, and a line its end.
    assert "<pre><code>if a &lt; b:\n    pass\n</code></pre>" in page
    assert "line one<br />\nline two" in page


def test_a_link_is_its_text_with_its_address_and_an_image_its_description() -> None:
    page = untrusted_markdown_as_html(
        "See [the **trial**](https://a.example/x?y=1&z=2), <https://b.example>"
    )
    parsed = Parsed(page)
    assert parsed.text.strip() == "See the trial (https://a.example/x?y=1&z=2), https://b.example"
    assert "a" not in parsed.tags
    shown = Parsed(untrusted_markdown_as_html('![a <b>scan</b>](https://c.example/i.png "title")'))
    assert shown.text.strip() == "[image: a <b>scan</b>: https://c.example/i.png]"
    assert "img" not in shown.tags


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1)) [y]( data:text/html,<script>1</script> )",
        '[x](https://a.example/"onmouseover="alert(1))',
        "![x](x) <https://a.example/<script>>",
        "`<script>` ```\n<svg onload=alert(1)>\n```",
        '```"><script>alert(1)</script>\nx\n```',
        "| <script> |\n|--|\n| <iframe src=x> |",
        "$\\text{<script>alert(1)</script>}$ \\(\\href{javascript:alert(1)}{x}\\)",
        '$\\style{background:url(//evil)}{x}$ $\\class{a" onclick="1}{x}$',
        "&lt;script&gt; &#60;script&#62; :material/home: <style>p{}</style>",
        "<details open ontoggle=alert(1)><form action=//evil>",
    ],
)
def test_nothing_of_a_foreign_text_runs_loads_or_leads_anywhere(hostile: str) -> None:
    parsed = Parsed(untrusted_markdown_as_html(hostile, with_source=True))
    assert set(parsed.tags) <= TAGS
    assert parsed.attributes.keys() <= ATTRIBUTES
    assert "url(" not in (parsed.attributes.get("style") or "")


def test_formulas_are_signs_and_money_is_not() -> None:
    page = untrusted_markdown_as_html("With $x_1^2$, \\(a < b\\) it costs $5 or $10, not \\$3$.")
    assert page.count("data-formula=") == 2
    # Where nothing draws them, they stand as they are written.
    assert Parsed(page).text.strip() == "With $x_1^2$, \\(a < b\\) it costs $5 or $10, not $3$."
    assert latex_formula_as_mathml("x_1^2") == (
        *("math", {"display": "inline"}, ""),
        (
            (
                *("mrow", {}, ""),
                (
                    (
                        *("msubsup", {}, ""),
                        (("mi", {}, "x", ()), ("mn", {}, "1", ()), ("mn", {}, "2", ())),
                    ),
                ),
            ),
        ),
    )
    drawn = [json.loads(one or "") for name, one in Parsed(page).given if name == "data-formula"]
    assert drawn[1][3][0][3][1] == ["mo", {}, "<", []]
    block = untrusted_markdown_as_html("\\[ \\frac{1}{2} \\]\n\n$$\ny\n$$")
    assert block.count("&quot;display&quot;: &quot;block&quot;") == 2
    # In code a formula is code.
    assert "data-formula" not in untrusted_markdown_as_html("`$x$`")


def test_what_a_formula_brings_along_is_left_out() -> None:
    for latex in (r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{a}{x}"):
        node = latex_formula_as_mathml(latex)
        while node is not None and node[3]:
            assert node[1].keys() <= {"display"}
            [node] = node[3]
        assert node == ("mi", {}, "x", ())
    told = latex_formula_as_mathml(r"\text{<script>alert(1)</script>}")
    assert told is not None
    assert told[3][0][3] == (("mtext", {}, "<script>alert(1)</script>", ()),)


def test_a_formula_that_cannot_be_read_whole_stays_as_it_is_written() -> None:
    for source in ("$\\unheardof{x}$", "$x_1_2$", "$\\begin{matrix} a$", f"${'{' * 500}$"):
        page = untrusted_markdown_as_html(source)
        assert "data-formula" not in page
        assert Parsed(page).text.strip() == source
    assert latex_formula_as_mathml("x" * 3_000) is None


def test_a_text_with_signs_has_its_source_below_and_a_plain_one_has_not() -> None:
    assert "<summary>" not in untrusted_markdown_as_html(
        "Plain words,\nno signs.", with_source=True
    )
    page = untrusted_markdown_as_html("**Bold** <i>", with_source=True)
    assert "<summary>Text as it was written</summary><p>The same text, exactly as written" in page
    assert "<pre>**Bold** &lt;i&gt;</pre>" in page
    assert "<summary>" not in untrusted_markdown_as_html("**Bold** <i>")


def test_each_paragraph_has_the_direction_of_its_own_words() -> None:
    page = untrusted_markdown_as_html("Take it.\n\nخذه مع **الطعام**\n\n- שלום")
    assert page.count('<p dir="auto">') == 2
    assert '<li dir="auto">שלום</li>' in page
