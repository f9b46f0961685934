"""Foreign text in Markdown and in the store: no link, no icon, nothing turned round or lost."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medlens.store import to_json
from medlens.tables.file_kind_and_lines import shorten_value
from medlens.ui.page_frame import escape_markdown, escape_to_one_line

# What the browser makes links of, after the backslashes are gone (GFM's literal autolinks).
LINKED = re.compile(
    r"(https?://|www(?=\.))([-.\w]+)|[-.\w+]+@[-\w]+(\.[-\w]+)+", re.ASCII | re.IGNORECASE
)
PIECES = ["www.", "WWW.", "a", "b.example", "@", "c@d.ef", "http", "https://", ":", ".", "\u2060"]
TURNS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u202c"


def shown(marked: str) -> str:
    """Markdown's text once its backslashes are read."""
    return re.sub(r"\\(.)", r"\1", marked)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(text=st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_no_address_in_foreign_text_becomes_a_link(text: str) -> None:
    assert not LINKED.search(shown(escape_markdown(text)))
    assert shown(escape_markdown(text)).replace("\u2060", "") == text.replace("\u2060", "")


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(text=st.text(alphabet=TURNS + "ab א", max_size=12))
def test_what_turns_the_text_around_is_kept_to_itself(text: str) -> None:
    depth = 0
    kept = escape_markdown(text)
    for at, char in enumerate(kept):
        depth += char in "\u2066\u2067\u2068"
        depth -= char == "\u2069"
        assert depth >= 0
        # Nothing stands outside but what runs as ours does.
        assert depth > 0 or char == "\u2069" or unicodedata.bidirectional(char) in ("L", "WS"), at
    assert depth == 0


@pytest.mark.parametrize("text", ["Ann Lee", "a, b (c)", "5 mg", "Größe", "項目"])
def test_text_that_runs_like_ours_is_left_without_signs(text: str) -> None:
    assert shown(escape_to_one_line(text)) == text


def test_messages_spell_out_what_would_turn_them_around() -> None:
    assert shorten_value("a\u202eb\u2069") == "a\\u202eb\\u2069"


def test_an_object_of_texts_is_stored_as_any_other_json() -> None:
    # Items are known by what is stored of them: it must not depend on the way it was written.
    plain = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    texts = {f"{at}\n": "".join(plain[at : at + 4096]) for at in range(1, len(plain), 4096)}
    odd = {"": '",\n"', '"a": "b"': "\\", "half": "x\\ud800", "none": ""}
    for value in (texts, odd, {}, {1: "a"}, {"a": 1, "b": None}):
        assert to_json(value) == json.dumps(value, ensure_ascii=False)
    assert to_json({"a": "\ud800"}) == '{"a": "?"}'
