"""Words that are looked for before a long pattern is searched never hide a match of it."""

from __future__ import annotations

import random
import re

import pytest

from medlens.llm import answers_retracted_by_model as retracted
from medlens.studies.tagging import option_list_and_chosen_option_parsing as extraction


def make_match(searched: re.Pattern[str], draw: random.Random) -> str:
    """A text that an expression of literals, groups, ``|``, ``?``, sets and ``\\w`` matches."""
    cases = bool(searched.flags & re.IGNORECASE)
    parsed = re._parser.parse(searched.pattern)  # type: ignore[attr-defined]

    def written(parts: object) -> str:
        return "".join(one(op, value) for op, value in parts)  # type: ignore[attr-defined]

    def one(op: object, value: object) -> str:
        name = str(op)
        if name == "LITERAL":
            letter = chr(value)  # type: ignore[call-overload]
            return draw.choice([letter, letter.upper()]) if cases and letter.isascii() else letter
        if name == "BRANCH":
            return written(draw.choice(value[1]))  # type: ignore[index]
        if name == "SUBPATTERN":
            return written(value[-1])  # type: ignore[index]
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, inner = value  # type: ignore[misc]
            return "".join(written(inner) for _ in range(draw.randint(low, min(high, low + 2))))
        if name == "IN":
            kind, inner = draw.choice(value)  # type: ignore[arg-type]
            if str(kind) == "LITERAL":
                return chr(inner)
            if str(kind) == "RANGE":
                return chr(draw.randint(*inner))
            return {"CATEGORY_SPACE": " ", "CATEGORY_WORD": "q"}.get(str(inner), "x")
        if name in ("AT", "ASSERT", "ASSERT_NOT"):
            return ""
        raise AssertionError(f"{name} is not made here")

    return written(parsed)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
def test_no_answer_that_is_taken_back_is_passed_over_for_its_words(seed: int) -> None:
    draw = random.Random(seed)
    matched = 0
    for _ in range(1_500):
        text = f"The answer is 3. {make_match(retracted._WITHDRAWS, draw)}"
        matched += bool(retracted._WITHDRAWS.search(text))
        assert retracted.is_answer_withdrawn(f"{text}.") == bool(retracted._WITHDRAWS.search(text))
    assert matched > 1_200


@pytest.mark.first_quick
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pattern", ["_ABROAD", "_I_CHOOSE", "_NOT_BUT"])
def test_no_wording_of_an_answer_is_passed_over_for_its_words(pattern: str, seed: int) -> None:
    draw = random.Random(seed)
    searched = getattr(extraction, pattern)
    matched = 0
    for _ in range(400):
        text = f"So {make_match(searched, draw)}B: rest."
        if not searched.search(text):
            continue
        matched += 1
        assert extraction._with_answers_said_alike(text) != text
    assert matched > 100


@pytest.mark.first_quick
@pytest.mark.parametrize("seed", range(2))
def test_many_responses_at_once_choose_what_each_chooses_alone(seed: int) -> None:
    draw = random.Random(seed)
    options = {"A": "Aspirin", "B": "Bisoprolol", "C": "Calcium"}
    patterns = [retracted._WITHDRAWS, extraction._ABROAD, extraction._I_CHOOSE, extraction._NOT_BUT]
    matches = [make_match(pattern, draw) for pattern in patterns for _ in range(300)]
    ends = ("B: rest.", "B.\n\nThe correct answer is A.", ".", "C", ": İ and ı", " (ſee B)")
    texts = [
        f"The answer is A. {draw.choice(('', 'So '))}{one}{draw.choice(ends)}" for one in matches
    ]
    texts += [
        draw.choice((text.upper(), text.title(), text[:20], "B", "\\boxed{C}")) for text in texts
    ]
    given = [options] * len(texts)
    alone = [extraction.key_of_chosen_option(text, options) for text in texts]
    assert extraction.keys_of_chosen_options(texts, given) == alone
    lacking = extraction._which_lack_words(texts)
    assert sum(lacking) > 50
    for text in (text for text, lacks in zip(texts, lacking, strict=True) if lacks):
        assert not retracted.is_answer_withdrawn(text)
        assert extraction._with_answers_said_alike(text) == text
    assert set(alone) == {None, "A", "B", "C"}
    assert extraction.keys_of_chosen_options([], []) == []
