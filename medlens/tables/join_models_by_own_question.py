"""Tables in which each model has a question column beside its answers ("GPT-4o question", "GPT-4o
answer", "Llama question", "Llama answer"): its rows may be in an order of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_SEPARATORS = re.compile(r"\s*[·:|/()\[\]–—]\s*|\s+-\s+|[\s_]+|\.(?=[^\d\s])")
_OF_A_CASE = re.compile(
    r"(?:(?:case|fall|cas|caso|item|question|frage|patient|vignette)[ ._-]?)?"
    r"(?:id|nr|no|num(?:mer|ber|[ée]ro)?|#)\.?|case|fall|cas|caso|casus|item|patient|vignette",
    re.IGNORECASE,
)
_OF_A_QUESTION = re.compile(
    r"questions?|fragen?|pregunta|pergunta|domanda|vraag|fr[åa]ga|sp[øo]rsm[åa]l|pytanie|soru"
    r"|ot[áa]zka|prompt|query|input|вопрос|سؤال|שאלה|问题|問題|質問|질문",
    re.IGNORECASE,
)
_MOST_WORDS_OF_A_NAME = 4


def find_rows_joined_by_each_models_question_and_note(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool]
) -> tuple[list[list[str]], str] | None:
    """The rows with one question, or one name of a case, and the answers of all models to it, and
    what to tell of it; None if the models have no such columns of their own.

    A question that one model was not asked stays with an empty answer. Where a model was asked one
    twice, or never, nothing can be joined: that is told, and the rows stay as they are.
    """
    headings = [cell.strip() for cell in rows[header]]
    parts = _columns_by_model_and_part(headings, is_model)
    if len(parts) < 2 or len({frozenset(of) for of in parts.values()}) > 1:
        return None
    shared = list(next(iter(parts.values())))
    named = next((one for one in shared if _OF_A_CASE.fullmatch(one)), None)
    asked = next((one for one in shared if _OF_A_QUESTION.fullmatch(one)), None)
    key = named or asked
    if key is None or len(shared) < 2:
        return None
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    keys = {model: [_cell(rows[at], of[key]) for at in body] for model, of in parts.items()}
    first, *others = keys.values()
    same_order = all(one == first for one in others)
    listed = " and ".join(f"“{headings[of[key]]}”" for of in parts.values())
    if not same_order and not all(_are_distinct(one) for one in keys.values()):
        return [list(row) for row in rows], (
            f"{listed} differ within a row, and one of them has an empty cell or the same twice:"
            " answers that stand side by side are to different questions. Sort the rows so that"
            " each has one question, or give each model a sheet of its own."
        )
    # Both tell cases apart; of a question that is the same for all, one copy is enough.
    once = [one for one in (named, asked) if one is not None]
    own = [one for one in shared if one not in once]
    theirs = {column for of in parts.values() for column in of.values()}
    beside = [at for at in range(len(headings)) if at not in theirs] if same_order else []
    left_out = [] if same_order else [at for at in range(len(headings)) if at not in theirs]
    order = list(dict.fromkeys(name for one in keys.values() for name in one if name))
    made: list[list[str]] = [[] for _ in rows]
    made[:header] = [list(row) for row in rows[:header]]
    made[header] = [
        *(headings[at] for at in beside),
        *(_as_written(one, headings) for one in once),
        *(headings[of[one]] for of in parts.values() for one in own),
    ]
    where = {
        model: {name: at for name, at in zip(names, body, strict=True) if name}
        for model, names in keys.items()
    }
    lacking = 0
    places = body if same_order else _places_for(order, header, made)
    for number, place in enumerate(places):
        at_of = {
            model: body[number] if same_order else where[model].get(order[number])
            for model in parts
        }
        lacking += sum(at is None for at in at_of.values())
        asks = next(model for model, at in at_of.items() if at is not None)
        made[place] = [
            *(_cell(rows[place], at) for at in beside),
            *(_cell_at(rows, at_of[asks], parts[asks][one]) for one in once),
            *(_cell_at(rows, at_of[model], of[one]) for model, of in parts.items() for one in own),
        ]
    key = _as_written(key, headings)
    told = f"{listed} are one column, “{key}”"
    if not same_order:
        told += (
            f", as the models' rows were in different orders: each of {len(order):,} rows has the"
            f" answers to one “{key}” now"
        )
    if lacking:
        told += f"; {lacking:,} {'answer is' if lacking == 1 else 'answers are'} not there"
    told += "."
    named_out = [headings[at] for at in left_out if headings[at]]
    if named_out:
        quoted = ", ".join(f"“{name}”" for name in named_out)
        told += f" {quoted} {'is' if len(named_out) == 1 else 'are'} left out, of no one question."
    return made, told


def _columns_by_model_and_part(
    headings: Sequence[str], is_model: Callable[[str], bool]
) -> dict[str, dict[str, int]]:
    """The columns of each model, by what their headings say besides its name."""
    found: dict[str, dict[str, int]] = {}
    for column, heading in enumerate(headings):
        if split := _model_and_rest(heading, is_model):
            model, rest = split
            found.setdefault(model.casefold(), {}).setdefault(rest.casefold(), column)
    return found


def _model_and_rest(heading: str, is_model: Callable[[str], bool]) -> tuple[str, str] | None:
    """A heading's model and what stands behind or before it; None if it names none."""
    ends = [found.span() for found in _SEPARATORS.finditer(heading)]
    for begin, end in ends[: _MOST_WORDS_OF_A_NAME + 1][::-1]:
        before, behind = heading[:begin].strip(), heading[end:].strip(" )]")
        if before and behind and is_model(before):
            return before, behind
    for begin, end in ends[-_MOST_WORDS_OF_A_NAME - 1 :]:
        before, behind = heading[:begin].strip(), heading[end:].strip(" )]")
        if before and behind and is_model(behind):
            return behind, before
    return None


def _as_written(part: str, headings: Sequence[str]) -> str:
    """A part of the headings in the letters in which the first one has it."""
    pattern = re.compile(re.escape(part), re.IGNORECASE)
    return next((found[0] for one in headings if (found := pattern.search(one))), part)


def _places_for(order: Sequence[str], header: int, made: list[list[str]]) -> list[int]:
    """A row for each question, below the headings; there may be more than there were."""
    made += [[] for _ in range(header + 1 + len(order) - len(made))]
    return list(range(header + 1, header + 1 + len(order)))


def _are_distinct(names: Sequence[str]) -> bool:
    filled = [name for name in names if name]
    # A list that is shorter ends with empty cells.
    return len(set(filled)) == len(filled) and all(names[: len(filled)])


def _cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _cell_at(rows: Sequence[Sequence[str]], at: int | None, column: int) -> str:
    return "" if at is None else _cell(rows[at], column)
