"""Markdown that others wrote, as models and people write it, drawn without believing it.

Headings, lists, tables, quotes, code and emphasis are drawn; a link is its text with its address
behind it, an image its description; HTML stays text. Nothing of it runs, loads or leads anywhere.
Formulas are made into signs here and drawn as MathML in the browser. Each paragraph has the
direction of its own words.
"""

from __future__ import annotations

import functools
import html
import itertools
import json
import re
from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

import streamlit as st
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from medlens.ui.browser_component import Component

if TYPE_CHECKING:
    from markdown_it.utils import OptionsDict

_LONGEST_FORMULA = 2_000
_LONGEST = 60_000
"""Characters that are drawn as Markdown; a longer text stays as it is."""

_MATHML = frozenset(
    {
        *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle", "mpadded", "mphantom"),
        *("msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "munder", "mover", "munderover"),
        *("mtable", "mtr", "mtd", "menclose", "mmultiscripts", "mprescripts", "none"),
    }
)
_MATHML_ATTRIBUTES = frozenset(
    {
        *("display", "mathvariant", "stretchy", "fence", "separator", "form", "lspace", "rspace"),
        *("accent", "linethickness", "columnalign", "columnspacing", "rowspacing", "width"),
        *("displaystyle", "scriptlevel", "minsize", "maxsize"),
    }
)


_formulas = Component("formulas", js="formulas/formulas.js", css="")


def draw_untrusted_markdown(text: str, *, key: str, with_source: bool = False) -> None:
    """Draw a foreign text as Markdown, ``with_source`` also as it is written, folded below.

    A text that is too long for a parser is drawn only as it is written. ``key`` is of its place on
    the page; a script that draws formulas is mounted there if there are any.
    """
    if len(text) > _LONGEST:
        st.text(text, width="stretch")
        return
    st.html(untrusted_markdown_as_html(text, with_source=with_source))
    if "data-formula=" in untrusted_markdown_as_html(text, with_source=with_source):
        _formulas(key=f"{key}.formulas", data={})


AS_WRITTEN = "Text as it was written"
_OF_SIGNS = (
    "The same text, exactly as written. Above, its Markdown is shown as lists, bold type and so on."
)


@lru_cache(maxsize=256)
def untrusted_markdown_as_html(text: str, *, with_source: bool = False) -> str:
    """A foreign text in Markdown as HTML of our own making: a ``div`` whose words are escaped.

    With ``with_source``, a text that is drawn otherwise than it is written has its source below.
    """
    tokens = _parser().parse(text)
    drawn = _parser().renderer.render(tokens, _parser().options, {})
    source = ""
    if with_source and _has_markup(tokens):
        source = (
            f"<details><summary>{AS_WRITTEN}</summary><p>{_OF_SIGNS}</p>"
            f"<pre>{html.escape(text)}</pre></details>"
        )
    return f'<div class="foreign-markdown">{drawn}{source}</div>'


_PLAIN = frozenset(
    {"paragraph_open", "paragraph_close", "inline", "text", "softbreak", "hardbreak"}
)


def _has_markup(tokens: Sequence[Token]) -> bool:
    every = itertools.chain(tokens, *(one.children or () for one in tokens))
    return any(one.type not in _PLAIN for one in every)


@functools.cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt(
        "commonmark", {"html": False, "breaks": True}, renderer_cls=_Renderer
    ).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "formula", _formula)
    return parser


# -- formulas --------------------------------------------------------------------------------------

_FORMULA = re.compile(
    r"\\\((?P<round>.{1,2000}?)\\\)"
    r"|\\\[(?P<square>.{1,2000}?)\\\]"
    r"|\$\$(?P<double>[^$]{1,2000}?)\$\$"
    # As Pandoc has it, so that "$5 or $10" is money.
    r"|\$(?P<single>(?!\s)[^$\n]{1,2000}?(?<![\s\\]))\$(?!\d)",
    re.DOTALL,
)


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "\\$":
        return False
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    latex = next(part for part in found.groups() if part is not None).strip()
    drawn = latex_formula_as_mathml(latex, block=found.lastgroup in ("square", "double"))
    if drawn is None:
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.content = found[0]
        token.meta = {"drawn": drawn}
    state.pos = found.end()
    return True


Signs = tuple[str, dict[str, str], str, tuple["Signs", ...]]
"""An element of MathML: its tag, attributes, text and parts."""


@lru_cache(maxsize=1_024)
def latex_formula_as_mathml(latex: str, *, block: bool = False) -> Signs | None:
    """A formula in LaTeX as MathML that holds only signs; None if it cannot be read whole."""
    if not latex or len(latex) > _LONGEST_FORMULA:
        return None
    from latex2mathml import exceptions
    from latex2mathml.converter import convert_to_element

    # It has a dozen errors without a common base, and lets Python's out where it expects none.
    own: tuple[type[Exception], ...] = tuple(
        one
        for one in vars(exceptions).values()
        if isinstance(one, type) and issubclass(one, Exception)
    )
    python = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
    try:
        return _signs(convert_to_element(latex, display="block" if block else "inline"))
    except own + python:
        return None


def _signs(node: Element) -> Signs:
    """An element with the tags and attributes of MathML that only show.

    The library copies addresses and styles of the formula as they are.

    Raises:
        ValueError: it holds something else, or a command that the library does not know.
    """
    if node.tag not in _MATHML or node.tail:
        raise ValueError(node.tag)
    text = html.unescape(node.text or "")
    if text.startswith("\\"):
        raise ValueError(text)
    given = {name: value for name, value in node.attrib.items() if name in _MATHML_ATTRIBUTES}
    return node.tag, given, text, tuple(map(_signs, node))


# -- drawing ---------------------------------------------------------------------------------------

_OWN_DIRECTION = frozenset(
    {"paragraph_open", "list_item_open", "td_open", "th_open", "blockquote_open"}
)


class _Renderer(RendererHTML):
    """Headings as bold paragraphs, links and images as text; a direction for each paragraph."""

    def render(
        self, tokens: Sequence[Token], options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        for token in tokens:
            if token.type in _OWN_DIRECTION:
                token.attrSet("dir", "auto")
        return super().render(tokens, options, env)

    # A text's headings are not the page's.
    def heading_open(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f'<p class="head {tokens[idx].tag}" dir="auto"><strong>'

    def heading_close(self, *_: Any) -> str:
        return "</strong></p>\n"

    def link_open(self, *_: Any) -> str:
        return ""

    def link_close(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        at, depth = idx - 1, 1
        while at >= 0:
            depth += (tokens[at].type == "link_close") - (tokens[at].type == "link_open")
            if not depth:
                break
            at -= 1
        address = str(tokens[at].attrGet("href") or "")
        words = "".join(one.content for one in tokens[at + 1 : idx])
        return "" if words == address else f" ({html.escape(address)})"

    def image(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        told = f"{token.content}: " if token.content else ""
        return html.escape(f"[image: {told}{token.attrGet('src') or ''}]")

    def formula(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        token = tokens[idx]
        drawn = html.escape(json.dumps(token.meta["drawn"], ensure_ascii=False))
        return f'<span data-formula="{drawn}">{html.escape(token.content)}</span>'
