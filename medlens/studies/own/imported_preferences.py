"""What a table says was chosen among its answers: a rater's judgment, which nobody is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.review.items import NewItem
from medlens.store import stable_id
from medlens.studies.own.blinded_arms import TIE
from medlens.studies.own.columns_outside_the_case import heading_as_plain_lower_case_words
from medlens.studies.own.detect_model_answer_columns import normalise_model_name
from medlens.studies.own.study_file import StudyDeclaration

RATER = "Choice in the table"
"""Who chose, if the table does not say it."""
_PREFERRED = (
    r"winners?|preferred|preference|better|gewinner\w*|sieger\w*|bevorzugt\w*|besser\w*"
    r"|praferenz|praeferenz|ganador\w*|preferid[ao]s?|prefere\w*|gagnante?s?|vainqueur"
)
_OF_A_PREFERENCE = compile_later(rf"\b({_PREFERRED})\b")
_OF_A_CHOICE = compile_later(
    rf"\b({_PREFERRED}|chosen|choice|best|label|vote|verdict|wahl|elegid[ao]|choisie?)\b"
)
_TIES = re.compile(
    r"(?i)^(tie\b.*|draw|equal|same|both( ?_?bad)?|neither|none|gleich|unentschieden)$"
)
_NOUN = re.compile(
    r"(?i)^(models?|modell|responses?|answers?|antwort|assistant|option|completion|output|system)"
    r"[\s_.-]*"
)


def arm_named_by_cell(value: Any, arms: Sequence[str], *, counted_from: int = 1) -> str:
    """The arm, or "tie", that a cell names: by its name, letter or number; "" if it names none."""
    text = str(value).strip().removesuffix(".0")
    if _TIES.match(text):
        return TIE
    bare = _NOUN.sub("", text) or text
    for arm in arms:
        if normalise_model_name(arm) in (normalise_model_name(text), normalise_model_name(bare)):
            return arm
    at = -1
    if bare.isdigit():
        at = int(bare) - counted_from
    elif len(bare) == 1 and bare.isalpha() and bare.isascii():
        at = ord(bare.casefold()) - ord("a")
    return arms[at] if 0 <= at < len(arms) else ""


def guess_first_arm_number(values: Iterable[Any]) -> int:
    """From what a column counts the arms: 0 if that occurs in it, else 1."""
    return 0 if any(str(value).strip().removesuffix(".0") == "0" for value in values) else 1


def is_headed_as_preference(words: str) -> bool:
    """Whether a heading, in plain lower-case ``words``, is of what somebody preferred; a label or a
    choice may be the right option.
    """
    return bool(_OF_A_PREFERENCE.search(words))


def is_choice_column(name: str, values: Sequence[Any], arms: Sequence[str]) -> bool:
    """Whether a column with this heading and these filled cells says which arm was chosen."""
    start = guess_first_arm_number(values)
    return bool(
        _OF_A_CHOICE.search(heading_as_plain_lower_case_words(name))
        and values
        and all(arm_named_by_cell(value, arms, counted_from=start) for value in values)
    )


def judgment_rows_from_preferences(
    declared: StudyDeclaration, cases: Sequence[NewItem], version: int
) -> list[dict[str, Any]]:
    """The choices that items bring with them, as rows of judgments; none if the study asks for no
    preference that they could answer.
    """
    asked = next((one for one in declared.form.questions if one.kind == "preference"), None)
    if (
        asked is None
        or asked.strength
        or declared.arms is None
        or not declared.do_items_tell_earlier_chosen_arm
    ):
        return []
    bodies: list[Mapping[str, Any]] = [one.body for one in cases if not isinstance(one.body, str)]
    cells = [body.get(declared.chosen_column) for body in bodies]
    start = guess_first_arm_number(cells)
    found = []
    for case, cell in zip(cases, cells, strict=True):
        arm = declared.chosen_arm
        if declared.chosen_column:
            arm = arm_named_by_cell(cell, declared.arms.names, counted_from=start) if cell else ""
        if arm:
            found.append(
                {
                    "judgment_id": stable_id("choice", declared.study_id, case.name),
                    "item": case.name,
                    "rater": RATER,
                    "rater_kind": "person",
                    "version": version,
                    asked.id: arm,
                }
            )
    return found
