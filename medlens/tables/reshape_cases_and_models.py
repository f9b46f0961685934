"""Cases as people lay them out: named once above several models' rows, or each in a column."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_OF_A_MODEL = re.compile(
    r"(ai|ki|ia|language)?[ _-]?"
    r"(models?|modell[oe]?|modelo|mod[eè]le|llm|system|bot|chatbot|arm|engine)"
    r"([ _-]?(name|id|version))?",
    re.IGNORECASE,
)
_OF_A_CASE = re.compile(
    r"((case|fall|cas|caso|casus|item|question|frage|pregunta|patient|vignette|sample|prompt)"
    r"([ ._-]?(id|nr|no|num(mer|ber|[ée]ro)?))?\.?|id|nr\.?|no\.?|#|num(mer|ber|[ée]ro)?)",
    re.IGNORECASE,
)
_NAME_OF_A_CASE = re.compile(
    r"((case|fall|cas|caso|casus|item|question|frage|patient|vignette|sample|id|nr|no)?"
    r"[ ._#-]*\d{1,5})",
    re.IGNORECASE,
)
_READ = re.compile(
    r".*\b(questions?|frage|fragestellung|prompt|pregunta|pergunta|domanda|vraag|vignette|anamnese"
    r"|history|note)\b.*",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r".*\b(answers?|antwort(en)?|r[eé]ponses?|respuestas?|respostas?|rispost[ae]|antwoord(en)?"
    r"|responses?|outputs?|completions?)\b.*",
    re.IGNORECASE,
)
_LEAST_CASES = 2


def fill_down_cases(rows: Sequence[list[str]], header: int) -> tuple[list[list[str]], str] | None:
    """The rows with the cells of a case repeated in the rows below it that name another model and
    leave them empty, and what to tell of it; None if there are none.
    """
    headings = [cell.strip() for cell in rows[header]]
    model = next((at for at, name in enumerate(headings) if _OF_A_MODEL.fullmatch(name)), None)
    case = next((at for at, name in enumerate(headings) if _OF_A_CASE.fullmatch(name)), None)
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    if model is None or case is None or not body:
        return None
    if any(len(rows[at]) <= max(model, case) or not rows[at][model].strip() for at in body):
        return None
    below = [at for at in body if not rows[at][case].strip()]
    if not below or below[0] == body[0]:
        return None
    # What is empty in every one of these rows belongs to the case; the rest to the model.
    of_case = [
        column
        for column in range(len(headings))
        if column != model
        and not any(rows[at][column].strip() for at in below if column < len(rows[at]))
        and any(rows[at][column].strip() for at in body if column < len(rows[at]))
    ]
    seen: set[str] = set()
    for at in body:
        # A model that is there twice in one block belongs to a case that lacks its name.
        seen = set() if at not in below else seen
        if rows[at][model].strip().casefold() in seen:
            return None
        seen.add(rows[at][model].strip().casefold())
    made = [list(row) for row in rows]
    above = body[0]
    for at in body:
        if at not in below:
            above = at
            continue
        for column in of_case:
            if column < len(made[at]):
                made[at][column] = made[above][column]
    count = f"{len(below):,} {'row takes' if len(below) == 1 else 'rows take'}"
    names = ", ".join(f"“{headings[column]}”" for column in of_case[:3])
    return made, f"{count} {names} from the row above, where the case begins: they are empty there."


def turn_cases_into_rows(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows of a table whose cases stand in columns, each case in a row, and what to tell of it;
    None for any other table. The turned table begins in the row of the headings.
    """
    names = [cell.strip() for cell in rows[header]]
    body = [row for row in rows[header + 1 :] if any(row)]
    cases = names[1:]
    while cases and not cases[-1]:
        cases.pop()
    if len(cases) < _LEAST_CASES or len(set(cases)) < len(cases):
        return None
    if not all(map(_NAME_OF_A_CASE.fullmatch, cases)):
        return None
    parts = [row[0].strip() for row in body]
    if len(set(parts)) < len(parts) or not all(parts):
        return None
    if not (any(map(_READ.fullmatch, parts)) and any(map(_ANSWER.fullmatch, parts))):
        return None
    first = names[0] if _OF_A_CASE.fullmatch(names[0]) and names[0] not in parts else "case"
    turned = [[first, *parts]]
    for at, case in enumerate(cases, 1):
        turned.append([case, *(row[at] if at < len(row) else "" for row in body)])
    empty: list[list[str]] = [[] for _ in rows[:header]]
    rest: list[list[str]] = [[] for _ in range(len(rows) - header - len(turned))]
    return [*empty, *turned, *rest], (
        f"its {len(cases):,} cases stand in columns, and are made into rows, as everything else"
        " reads a table."
    )


def turn_models_into_columns(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool]
) -> tuple[list[list[str]], str] | None:
    """The rows of a table that has a model in each row and a question at the head of each column,
    with a row for each question and a column for each model, and what to tell of it; None for any
    other table. ``is_model`` says whether a cell names one.
    """
    questions = [cell.strip() for cell in rows[header]][1:]
    body = [row for row in rows[header + 1 :] if any(row)]
    models = [row[0].strip() for row in body]
    if len(models) < _LEAST_CASES or len(questions) < _LEAST_CASES or not all(questions):
        return None
    if len(set(models)) < len(models) or len(set(questions)) < len(questions):
        return None
    asked = sum(bool(_A_QUESTION.search(question)) for question in questions)
    if not all(map(is_model, models)) or 2 * asked <= len(questions):
        return None
    if any(len(row) > len(questions) + 1 for row in body):
        return None
    turned = [["question", *models]]
    for at, question in enumerate(questions, 1):
        turned.append([question, *(row[at] if at < len(row) else "" for row in body)])
    empty: list[list[str]] = [[] for _ in rows[:header]]
    rest: list[list[str]] = [[] for _ in range(len(rows) - header - len(turned))]
    return [*empty, *turned, *rest], (
        f"each row is a model and each column a question: its {len(questions):,} questions are made"
        f" into rows, and its {len(models):,} models into columns."
    )


_A_QUESTION = re.compile(r"[?？؟]\s*$|^\S+(\s+\S+){5,}$")


def arrange_cases(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool] | None = None
) -> tuple[list[list[str]], str] | None:
    """The rows with a row for each case, or each answer of a case, and what to tell of it; None if
    they are so already. ``is_model`` says whether a cell names a model.
    """
    turned = turn_cases_into_rows(rows, header)
    if not turned and is_model is not None:
        turned = turn_models_into_columns(rows, header, is_model)
    return turned or fill_down_cases(rows, header)
