"""Which columns of a table each hold one model's answers, and what gives a model away by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from medlens.deferred_pattern import compile_later

_MODEL = (
    r"(?:chat)?gpt(?:[- ]?(?:oss|\d)[\w.]*(?:[- ](?:turbo|mini|nano))?)?"
    r"|o[134][- ]?(?:mini|preview)"
    r"|llama(?:[- ]?\d[\w.]*)?|claude(?:[- ]?(?:\d[\w.]*|opus|sonnet|haiku))*"
    r"|gemini(?:[- ]?(?:\d[\w.]*|pro|flash|ultra))*|gemma[- ]?\d?|med-?(?:palm|gemma)[- ]?\d?"
    r"|palm-2|mi[sx]tral(?:[- ]?(?:\d[\w.]*|large|medium|small))*|qwen(?:[- ]?\d[\w.]*)?"
    r"|deep[- ]?seek(?:[- ]?[rv]\d[\w.]*)?|grok(?:[- ]?\d)?|copilot|meditron|biomistral"
    r"|openbiollm"
).replace("[- ]", r"[-_\u2010\u2011\u00a0 ]")
NAMED_MODEL = compile_later(rf"(?i)(?<![^\W_])(?:{_MODEL})(?![^\W_])")
"""The name of a well-known model."""
PARTS_OF_NAMES = (
    *("gpt", "o1", "o3", "o4", "llama", "claude", "gemini", "gemma", "palm", "mistral"),
    *("mixtral", "qwen", "seek", "grok", "copilot", "meditron", "openbiollm"),
)
"""In lower case: each name of ``NAMED_MODEL`` has one of these, which are faster to look for."""


def loose_name_pattern(name: str) -> str:
    """A pattern for a model's name as people write it, alone or beside other words: with a space,
    a hyphen, an underscore or nothing between its parts. To be used without regard to case.
    """
    parts = [re.escape(part) for part in re.split(r"[\s_\-\u2010\u2011]+", name.strip()) if part]
    joined = "[ _\\u00a0\\u2010\\u2011-]?".join(parts)
    return rf"(?<![^\W_])(?:{joined})(?![^\W_])"


def normalise_model_name(name: str) -> str:
    """A model's name without what people write differently: case, spaces, hyphens."""
    return re.sub(r"[\s_\-\u2010\u2011]+", "", name).casefold()


_ANSWER = compile_later(
    r"(?i)^(answers?|antwort(en)?|r[eé]ponses?|respuestas?|responses?|repl(y|ies)|outputs?"
    r"|ausgabe|completions?|generations?|generated|summary|zusammenfassung|r[eé]sum[eé]|resumen)$"
)
_NOT_OF_A_MODEL = compile_later(
    r"(?i)refer|r[eé]f[eé]r|musterl|gold|truth|correct|korrekt|richtig|expected|explan|erkl[äa]r"
    r"|rationale|begr[üu]nd|justif|comment|kommentar|question|frage|prompt|pregunta|feedback"
    r"|bewertung|rating|score|label"
)
_OF_PREFERENCES = (
    ("chosen", "rejected"),
    ("preferred", "rejected"),
    ("accepted", "rejected"),
    ("preferred", "dispreferred"),
    ("winner", "loser"),
)
_PREFERENCE = compile_later(
    r"(?i)(^|_|\b)(chosen|rejected|margin|preferred|preference|winner|better|score|rating)($|_|\b)"
)


def answer_columns_by_model(names: Sequence[str]) -> dict[str, str]:
    """The headings of columns that each hold one model's answers, with the name of the model, of
    the headings of long columns; empty if there are fewer than two.
    """
    folded = {name.strip().casefold(): name for name in names}
    for pair in _OF_PREFERENCES:
        if set(pair) <= set(folded):
            return {folded[name]: name for name in pair}
    usable = [name for name in names if not _NOT_OF_A_MODEL.search(name)]
    models = {name: _without_answer(name) for name in usable}
    worded = {name: model for name, model in models.items() if model and model != name.strip()}
    known = {name: model for name, model in models.items() if NAMED_MODEL.search(name)}
    # A bare "GPT-4o" stands beside "Answer Llama" in the same table.
    together = worded | known if len({**worded, **known}) > 1 else {}
    return dict(zip(together, arm_names(list(together.values())), strict=True))


def is_only_a_model_name(heading: str) -> bool:
    """Whether a heading is a well-known model's name, perhaps with a word for an answer."""
    rest = NAMED_MODEL.sub(" ", _without_answer(heading))
    return rest != heading and not re.search(r"[^\W\d_]", rest)


def chosen_answer_column(names: Sequence[str]) -> str:
    """The heading of the chosen answers, if these are a chosen and a rejected one; else ""."""
    folded = {name.strip().casefold(): name for name in names}
    return next((folded[pair[0]] for pair in _OF_PREFERENCES if set(pair) == set(folded)), "")


def arm_names(headings: Sequence[str], *, plain: bool = False) -> list[str]:
    """A name that a study's file accepts for the model of each heading, or for each name of a model
    if they are ``plain``; all differ.
    """
    names: list[str] = []
    for heading in headings:
        bare = " ".join(
            re.sub(r"[,;:/]", " ", heading if plain else _without_answer(heading)).split()
        )
        bare = bare or "model"
        bare = f"{bare} model" if bare.casefold() == "tie" else bare
        name, number = bare, 2
        while name.casefold() in {one.casefold() for one in names}:
            name, number = f"{bare} {number}", number + 1
        names.append(name)
    return names


def _without_answer(heading: str) -> str:
    """A heading without the words for an answer: "Answer GPT-4o" is "GPT-4o"."""
    words = re.split(r"[\s_:()\[\]/|]+|(?<=\w)[.\-](?=\D)(?=\w*$)|\s[-–—]\s", heading.strip())
    kept = [word for word in words if word and not _ANSWER.match(word)]
    if len(kept) == len([word for word in words if word]):
        return heading.strip()
    return " ".join(word for word in kept if word.casefold() not in ("of", "von", "de", "by", "-"))


def is_choice_heading(name: str) -> bool:
    """Whether a heading beside chosen and rejected answers holds what somebody thought of them."""
    return bool(_PREFERENCE.search(name))
