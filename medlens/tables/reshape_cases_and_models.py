"""Cases as people lay them out: named once above several models' rows, or each in a column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from medlens.tables.join_models_by_own_question import (
    find_rows_joined_by_each_models_question_and_note,
)
from medlens.tables.join_redcap_repeats import find_rows_with_redcap_repeats_joined_and_note
from medlens.tables.table_place_and_header_in_sheet import begins_with_sum

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
    r".*\b(questions?|\w*frage|fragestellung|prompt|pregunta|pergunta|domanda|vraag|\w*vignette"
    r"|anamnese|history|note|query|anfrage|kasuistik|fallbeschreibung|case description|presentation"
    r"|symptoms?|beschwerden|s[zc]enario|sc[ée]nario|caso cl[íi]nico|cas clinique|situation"
    r"|sachverhalt|aufgabe|task|consulta|richiesta)\b.*",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r".*\b(answers?|antwort(en)?|r[eé]ponses?|respuestas?|respostas?|rispost[ae]|antwoord(en)?"
    r"|responses?|outputs?|completions?)\b.*",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?i)\b(references?|gold( standard)?|referenz\w*|goldstandard|muster\w+|ground truth|correct"
    r"|expected|r[eé]f[eé]rence|referencia|riferimento|refer[eê]ncia|solution|l[öo]sung\w*)\b"
)
_WITH_A_SIGN = re.compile(r"(?P<words>.*?[^\W\d_])?[ ._#:-]*(?P<sign>\d{1,5}|(?<![^\W_])[A-Z])")
_WORD_FOR_A_CASE = re.compile(
    r"(cases?|f[aä]lle?|fallvignette|fallbeispiel|cas|caso|casus|przypadek|fallet?|tapaus|item|kasus"
    r"|questions?|fragen?|pregunta|pergunta|domanda|vraag|patient(in|en)?|paciente|paziente"
    r"|vignette|viñeta|vinheta|vignetta|sample|example|beispiel|exemple|ejemplo|esempio|exemplo"
    r"|s[cz]enario|sc[ée]nario|escenario|cen[áa]rio|prompt|probe|q|f|p|pt|c)( (nr|no|n°|nº|#))?",
    re.IGNORECASE,
)
_LEAST_CASES = 2
_LONG = 30
"""The mean length in characters from which cells are texts."""


def find_rows_with_case_cells_repeated_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
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


def find_rows_with_cases_in_rows_and_note(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool] | None = None
) -> tuple[list[list[str]], str] | None:
    """The rows of a table whose cases stand in columns, each case in a row, and what to tell of it;
    None for any other table. The turned table begins in the row of the headings. ``is_model`` says
    whether a cell names a model.
    """
    names = [cell.strip() for cell in rows[header]]
    body = [row for row in rows[header + 1 :] if any(row)]
    cases = names[1:]
    while cases and not cases[-1]:
        cases.pop()
    if len(body) > _MOST_ON_ITS_SIDE:
        return None
    parts = [row[0].strip() for row in body]
    if not _are_distinct(cases, _LEAST_CASES) or not _are_distinct(parts, 1):
        return None
    if not _are_headings_of_a_case(
        parts, body, is_model, numbered=are_headings_a_numbered_series(cases)
    ):
        return None
    if any(any(cell.strip() for cell in row[len(cases) + 1 :]) for row in body):
        return None
    first = names[0] if _OF_A_CASE.fullmatch(names[0]) and names[0] not in parts else "case"
    return _turned(rows, header, [first, *parts], cases, body), (
        f"its {len(cases):,} cases stand in columns, and are made into rows, as everything else"
        " reads a table."
    )


def _are_distinct(names: Sequence[str], least: int) -> bool:
    return len(names) >= least and all(names) and len(set(names)) == len(names)


def _turned(
    rows: Sequence[list[str]],
    header: int,
    headings: list[str],
    cases: Sequence[str],
    body: Sequence[list[str]],
) -> list[list[str]]:
    """A table on its side, turned: its ``headings``, and a row for each of the columns behind the
    first, which are called by ``cases``; as many rows as before, if there were more.
    """
    turned = [headings]
    for at, case in enumerate(cases, 1):
        turned.append([case, *(row[at] if at < len(row) else "" for row in body)])
    empty: list[list[str]] = [[] for _ in rows[:header]]
    rest: list[list[str]] = [[] for _ in range(len(rows) - header - len(turned))]
    return [*empty, *turned, *rest]


def are_headings_a_numbered_series(names: Sequence[str]) -> bool:
    """Whether headings are a series: numbers, or the same words for a case with another number or
    letter behind them ("Fall 1", "Fall 2"; "Patient A", "Patient B").
    """
    if all(map(_NAME_OF_A_CASE.fullmatch, names)):
        return True
    found = [_WITH_A_SIGN.fullmatch(name) for name in names]
    words = {(one["words"] or "").strip(" ._#:-").casefold() for one in found if one}
    return all(found) and len(words) == 1 and bool(_WORD_FOR_A_CASE.fullmatch(min(words)))


def _are_headings_of_a_case(
    parts: Sequence[str],
    body: Sequence[list[str]],
    is_model: Callable[[str], bool] | None,
    *,
    numbered: bool,
) -> bool:
    """Whether the cells of a first column are what headings are: what was asked, and models or
    answers. Without numbered cases all of them must be.
    """
    asked = [part for part in parts if _READ.fullmatch(part)]
    answers = [part for part in parts if _ANSWER.fullmatch(part)]
    models = [part for part in parts if is_model is not None and is_model(part)]
    right = [part for part in parts if _REFERENCE.search(part)]
    if not numbered:
        known = {*asked, *answers, *models, *right}
        long = all(_mean_length(row[1:]) >= _LONG for row in body if row[0].strip() in asked)
        return bool(asked and (models or answers)) and known == set(parts) and long
    if asked and (answers or models):
        return True
    # Without a question, texts by model under cases are answers, and figures may be anything.
    texts = [row for row in body if row[0].strip() in models]
    return len(models) > 1 and all(_mean_length(row[1:]) >= _LONG for row in texts)


def _mean_length(cells: Sequence[str]) -> float:
    filled = [cell for cell in cells if cell.strip()]
    return sum(map(len, filled)) / max(len(filled), 1)


def advice_to_turn_sideways_table(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool]
) -> str:
    """What to tell of a table that seems to lie on its side, and is not plain enough to be turned:
    the texts of a model in a row, under numbered cases, beside rows or columns of which nobody can
    say what they are; "" for any other table.
    """
    names = [cell.strip() for cell in rows[header]]
    body = [row for row in rows[header + 1 :] if any(row)]
    numbered = [at for at, name in enumerate(names) if at and _is_case_with_number(name)]
    if len(numbered) < _LEAST_CASES or not are_headings_a_numbered_series(
        [names[at] for at in numbered]
    ):
        return ""
    texts = [row[at] for row in body for at in numbered if at < len(row)]
    if len(body) > _MOST_ON_ITS_SIDE:
        return ""
    before = [[cell.strip() for cell in row[: numbered[0]]] for row in body]
    models = [row for row in before if any(map(is_model, filter(None, row)))]
    few = len(body) > _MOST_PARTS and 2 * len(models) < len(body)
    if not models or few or _mean_length(texts) < _LONG:
        return ""
    listed = ", ".join(f"“{names[at]}”" for at in numbered[:3])
    return (
        f"{listed} seem to be cases, and the rows models: each row would be one item. Turn"
        " the table (copy it, and paste it transposed), so that each case is a row with a column"
        " for each model."
    )


def advice_about_table_with_models_in_rows(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool]
) -> str:
    """What to tell of a table in which each row is another model, with several texts under headings
    that may be cases or parts of an answer; "" for any other table.
    """
    names = [cell.strip() for cell in rows[header]]
    body = [row for row in rows[header + 1 :] if any(row)]
    if not _LEAST_CASES <= len(body) <= _MOST_MODELS or len(names) <= _LEAST_CASES:
        return ""
    models = [row[0].strip() for row in body]
    texts = [
        name
        for at, name in enumerate(names)
        if at and name and _mean_length([row[at] for row in body if at < len(row)]) >= _LONG
    ]
    if len(texts) < _LEAST_CASES or not _are_distinct(models, _LEAST_CASES):
        return ""
    # "GPT4_001" and "GPT4_002" are items of one model.
    numbered = [_WITH_ITEM_NUMBER.fullmatch(name) for name in models]
    if not all(map(is_model, models)) or (
        all(numbered) and len({found[1].casefold() for found in numbered if found}) == 1
    ):
        return ""
    listed = ", ".join(f"“{name}”" for name in texts[:3])
    return (
        f"each row is another model, and {listed} are read as parts of its answer. If they are"
        " cases, turn the table (copy it, and paste it transposed), so that each case is a row."
    )


_WITH_ITEM_NUMBER = re.compile(r"(.*\d.*?|.*[^\W\d_]{2})[ _#:-]+(?:0\d+|\d{3,})")


def _is_case_with_number(name: str) -> bool:
    found = _WITH_A_SIGN.fullmatch(name)
    words = (found["words"] or "").strip(" ._#:-") if found else ""
    return bool(_WORD_FOR_A_CASE.fullmatch(words))


def find_rows_with_models_in_columns_and_note(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool]
) -> tuple[list[list[str]], str] | None:
    """The rows of a table that has a model in each row and a question at the head of each column,
    with a row for each question and a column for each model, and what to tell of it; None for any
    other table. ``is_model`` says whether a cell names one. What is right, and what a person
    answered, may be in a row too.
    """
    questions = [cell.strip() for cell in rows[header]][1:]
    body = [row for row in rows[header + 1 :] if any(row)]
    if len(body) > _MOST_ON_ITS_SIDE:
        return None
    parts = [row[0].strip() for row in body]
    models = [part for part in parts if is_model(part)]
    if len(models) < _LEAST_CASES or len(questions) < _LEAST_CASES or not all(questions):
        return None
    if not _are_distinct(parts, 1) or len(set(questions)) < len(questions):
        return None
    asked = sum(bool(_A_QUESTION.search(question)) for question in questions)
    others = [row for row in body if row[0].strip() not in models]
    others = [row for row in others if not _REFERENCE.search(row[0])]
    least = min(_mean_length(row[1:]) for row in body if row[0].strip() in models)
    if len(others) > len(models) or not all(_is_answered_by(row, least) for row in others):
        return None
    if 2 * asked <= len(questions) or any(len(row) > len(questions) + 1 for row in body):
        return None
    return _turned(rows, header, ["question", *parts], questions, body), (
        f"each row is a model and each column a question: its {len(questions):,} questions are made"
        f" into rows, and its {len(models):,} models into columns{_and_others(others)}."
    )


def _is_answered_by(row: Sequence[str], least: float) -> bool:
    """Whether a row among models holds what somebody else answered: under a short name, in texts
    that are not much shorter than those of the models.
    """
    name = row[0].strip()
    said = _SAID.search(name) or begins_with_sum(row) or not re.search(r"[^\W\d]", name)
    return not said and len(name) <= _LONGEST_GROUP and _mean_length(row[1:]) * 4 >= least


def _and_others(rows: Sequence[list[str]]) -> str:
    named = ", ".join(f"“{row[0].strip()}”" for row in rows[:3])
    return f", and so {'is' if len(rows) == 1 else 'are'} {named}" if rows else ""


_OF_VARIABLES = re.compile(
    r"(variables?|keys?|attributes?|fields?|merkmal|attribut|feld|parameter|eigenschaft|variabel"
    r"|champ|cl[ée]|campo|atributo|attributo|clave|roles?|rolle|rol|r[ôo]le|ruolo|papel|types?|typ"
    r"|tipo|kind|art|parts?|teil|partie|parte)([ ._-]?(name|id))?",
    re.IGNORECASE,
)
_OF_VALUES = re.compile(
    r"(values?|wert|inhalt|content|text|valeur|valore?s?|contenido|contenu|contenuto|waarde)"
    r"([ ._-]?(text|raw|string))?",
    re.IGNORECASE,
)
_MOST_VARIABLES = 60


def find_rows_with_variables_in_columns_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows of a table that has a row for each variable of a case, as programs for statistics
    write it ("case_id, variable, value"), with a row for each case and a column for each variable,
    and what to tell of it; None for any other table. A variable must be a question or an answer.
    """
    names = [cell.strip() for cell in rows[header]]
    variable = [at for at, name in enumerate(names) if _OF_VARIABLES.fullmatch(name)]
    value = [at for at, name in enumerate(names) if _OF_VALUES.fullmatch(name)]
    body = [row for row in rows[header + 1 :] if any(row)]
    if len(variable) != 1 or len(value) != 1 or len(names) <= _LEAST_CASES:
        return None
    of, held = variable[0], value[0]
    full = [[*row, *[""] * (len(names) - len(row))] for row in body]
    shared = [at for at, name in enumerate(names) if at not in (of, held) and name]
    left: list[int] = []
    if not (cells := _cells_by_case_and_variable(full, shared, of, held)):
        # When and by whom each was entered stands in its row, and tells no cases apart.
        shared, left = _columns_of_whole_cases(full, names, shared, of)
        cells = _cells_by_case_and_variable(full, shared, of, held) if shared else {}
    variables = list(dict.fromkeys(called for case in cells.values() for called in case))
    plain = [name.replace("_", " ") for name in variables]
    read = [name for name in plain if _READ.fullmatch(name) or _ANSWER.fullmatch(name)]
    if len(cells) < _LEAST_CASES or not read or len(variables) > _MOST_VARIABLES:
        return None
    if not shared or set(variables) & {names[at] for at in shared}:
        return None
    made = [[names[at] for at in shared] + variables]
    made += [[*case, *(said.get(name, "") for name in variables)] for case, said in cells.items()]
    empty: list[list[str]] = [[] for _ in rows[:header]]
    rest: list[list[str]] = [[] for _ in range(len(rows) - header - len(made))]
    listed = ", ".join(f"“{names[at]}”" for at in left)
    they = "it differs" if len(left) == 1 else "they differ"
    more = f" Left out, as {they} within a case: {listed}." if left else ""
    return [*empty, *made, *rest], (
        f"each row is a variable of a case (“{names[of]}”, “{names[held]}”): its {len(body):,} rows"
        f" are made into {len(cells):,}, with a column for each of {len(variables):,}"
        f" variables.{more}"
    )


def _cells_by_case_and_variable(
    body: Sequence[list[str]], shared: Sequence[int], of: int, held: int
) -> dict[tuple[str, ...], dict[str, str]]:
    """What each case, told by the columns ``shared``, holds by variable; empty if a case has one
    twice, a row has none, or most cases have one alone.
    """
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for row in body:
        case = cells.setdefault(tuple(row[at] for at in shared), {})
        if not (called := row[of].strip()) or called in case:
            return {}
        case[called] = row[held]
    return {} if len(body) < _LEAST_CASES * len(cells) else cells


def _columns_of_whole_cases(
    body: Sequence[list[str]], names: Sequence[str], shared: Sequence[int], of: int
) -> tuple[list[int], list[int]]:
    """The columns that say the same in all rows of a case, and the others, of a table with a row
    for each variable of a case; nothing if no column, or two, tell the cases apart.
    """
    headed = [at for at in shared if _OF_ONE_CASE.fullmatch(names[at])] or [*shared[:1]]
    for keys in [*([at] for at in headed), *([one, at] for one in headed for at in shared)]:
        of_case: dict[tuple[str, ...], list[list[str]]] = {}
        for row in body:
            of_case.setdefault(tuple(row[at] for at in keys), []).append(row)
        if len(body) < _LEAST_CASES * len(of_case) or not all(min(of_case)):
            continue
        if any(len({row[of] for row in rows}) < len(rows) for rows in of_case.values()):
            continue
        whole = [
            at
            for at in shared
            if all(len({row[at] for row in rows}) == 1 for rows in of_case.values())
        ]
        return whole, [at for at in shared if at not in whole]
    return [], []


_OF_ONE_CASE = re.compile(
    r"(?:(?:case|fall|cas|caso|casus|item|question|frage|patient|paciente|paziente|vignette|sample"
    r"|record|subject|subj|study|encounter|visit|document|doc|row|entry|participant|proband|pat)"
    r"s?[ ._-]?)?(?:id|nr|no|num(?:mer|ber|[ée]ro)?|key|code|#)\.?"
    r"|case|fall|cas|caso|casus|item|question|frage|patient|paciente|paziente|vignette|record"
    r"|subject|usubjid|subjid|encounter|participant|proband",
    re.IGNORECASE,
)
"""The heading of a column that tells cases apart."""


_A_QUESTION = re.compile(r"[?？؟]\s*$|^\S+(\s+\S+){5,}$")


def find_rows_arranged_one_per_case_and_note(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool] | None = None
) -> tuple[list[list[str]], str] | None:
    """The rows with a row for each case, or each answer of a case, and what to tell of it; None if
    they are so already. ``is_model`` says whether a cell names a model.
    """
    turned = find_rows_with_redcap_repeats_joined_and_note(rows, header)
    if not turned and is_model is not None:
        turned = find_rows_joined_by_each_models_question_and_note(rows, header, is_model)
    turned = turned or find_rows_with_cases_in_rows_and_note(rows, header, is_model)
    if not turned and is_model is not None:
        turned = find_rows_with_models_in_columns_and_note(rows, header, is_model)
    turned = turned or find_rows_with_variables_in_columns_and_note(rows, header)
    turned = turned or find_rows_with_case_cells_repeated_and_note(rows, header)
    if not turned and is_model is not None:
        turned = find_rows_with_model_moved_to_column_and_note(rows, header, is_model)
    if not turned and is_model is not None:
        said = advice_to_turn_sideways_table(rows, header, is_model)
        said = said or advice_about_table_with_models_in_rows(rows, header, is_model)
        turned = ([list(row) for row in rows], said) if said else None
    return turned or find_rows_with_group_names_repeated_and_note(rows, header)


def find_rows_with_model_moved_to_column_and_note(
    rows: Sequence[list[str]], header: int, is_model: Callable[[str], bool]
) -> tuple[list[list[str]], str] | None:
    """The rows with the models in a column of their own where the items' names hold them, each case
    with several ("001_GPT-4", "001_Llama"), and what to tell of it; None for any other table.
    """
    headings = [cell.strip() for cell in rows[header]]
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    if len(body) < _LEAST_NAMED:
        return None
    named = next((n for n, name in enumerate(headings) if _OF_A_MODEL.fullmatch(name)), None)
    if named is not None:
        return _without_models_of_column(rows, header, body, named)
    for column, heading in enumerate(headings):
        if column and not _OF_A_CASE.fullmatch(heading):
            continue
        names = [rows[at][column].strip() if column < len(rows[at]) else "" for at in body]
        pairs = list_case_and_model_of_each_name(names, is_model)
        if not pairs or len(set(names)) < len(names):
            continue
        made = [list(row) for row in rows]
        if len({case for case, _ in pairs}) < _LEAST_NAMED:
            # Of two cases nobody can say whether they were meant as such.
            return made, (
                f"the names in “{heading}” seem to hold a case and a model, such as"
                f" “{names[0]}”: to compare the models, write them into a column of their own,"
                " “model”, with the same name of a case in each row of it."
            )
        new = "model"
        made[header] = [*headings[: column + 1], new, *headings[column + 1 :]]
        for at, (case, model) in zip(body, pairs, strict=True):
            made[at] = [*rows[at][:column], case, model, *rows[at][column + 1 :]]
        models = list(dict.fromkeys(model for _, model in pairs))
        listed = ", ".join(f"“{model}”" for model in models[:3])
        more = f" and {len(models) - 3:,} more" * (len(models) > 3)
        return made, (
            f"the names in “{heading}” hold a case and a model, such as “{names[0]}”: the models"
            f" ({listed}{more}) are in a column of their own now, {new!r}."
        )
    return None


def _without_models_of_column(
    rows: Sequence[list[str]], header: int, body: Sequence[int], named: int
) -> tuple[list[list[str]], str] | None:
    """The rows with the cases alone in the column of the items' names, where these hold the model
    too that a column ``named`` has ("case-1-gpt4o", "gpt-4o"), and what to tell of it.
    """
    cells = [[rows[at][n] if n < len(rows[at]) else "" for at in body] for n in (0, named)]
    cases = remove_model_names_from_item_names(*cells) if named else []
    if not cases:
        return None
    made = [list(row) for row in rows]
    for at, case in zip(body, cases, strict=True):
        made[at][0] = case
    heading = rows[header][0].strip()
    return made, (
        f"the names in “{heading}” hold a case and the model, such as “{cells[0][0]}”: the case"
        f" alone, such as “{cases[0]}”, is its name now, and the model stands in"
        f" “{rows[header][named].strip()}”."
    )


def remove_model_names_from_item_names(names: Sequence[str], models: Sequence[str]) -> list[str]:
    """The case of each item's name without its model, which stands beside it; empty unless all
    names are different, all hold their own model, and most cases have several.
    """

    def plain(text: str) -> str:
        return re.sub(r"[\W_]", "", text.rpartition("/")[2]).casefold()

    own = {plain(model) for model in models}
    if len(set(names)) < len(names) or not 2 <= len(own) <= _MOST_MODELS or "" in own:
        return []

    def is_model(part: str) -> bool:
        return any(_is_short_for(plain(part), model) for model in own)

    pairs = list_case_and_model_of_each_name(list(names), is_model)
    spelt: dict[str, set[str]] = {}
    for (_, part), model in zip(pairs, models, strict=bool(pairs)):
        spelt.setdefault(part, set()).add(plain(model))
    alike = [len(of) == 1 and _is_short_for(plain(part), min(of)) for part, of in spelt.items()]
    return [case for case, _ in pairs] if pairs and len(spelt) == len(own) and all(alike) else []


def _is_short_for(part: str, model: str) -> bool:
    """Whether a part of a name stands for a model: what both begin with says so."""
    begin = part[:_LEAST_NAMED]
    return part in model or model in part or (len(part) > 2 and model.startswith(begin))


def list_case_and_model_of_each_name(
    names: Sequence[str], is_model: Callable[[str], bool]
) -> list[tuple[str, str]]:
    """Each name as a case and a model, if all have both, and most cases have several models of a
    few; empty if not.
    """
    if any(len(name) > _LONGEST_NAME or not name for name in names):
        return []
    plain = [re.sub(r"\s*[(\[](.+)[)\]]$", r"_\1", name) for name in names]
    for separators in (r"__+|::+|--+|[@#~]", r"[_|/]", r" ?[-–:] ?", r"\s+"):
        for before, behind, case_first in (
            # "case-1-gpt-4o", "gpt-4o-case-1"
            (r".*?\d+", r"[^\W\d_].*", True),
            (r".+?", rf"(?:[^\W\d_]+(?:{separators}))?\d+", False),
            (".+?", ".+", True),
            (".+", ".+?", False),
        ):
            pattern = re.compile(rf"({before})(?:{separators})({behind})")
            pairs: list[tuple[str, str]] = []
            for name in plain:
                if not (found := pattern.fullmatch(name)):
                    break
                pairs.append((found[1], found[2]) if case_first else (found[2], found[1]))
            if len(pairs) < len(names):
                continue
            models = {model for _, model in pairs}
            if not 2 <= len(models) <= min(_MOST_MODELS, len(pairs) // 2):
                continue
            several = Counter(case for case, _ in pairs)
            known = sum(map(is_model, models)) >= max(1, len(models) / 2)
            if known and 2 * sum(count > 1 for count in several.values()) >= len(several):
                return pairs
    return []


def find_rows_with_group_names_repeated_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows with the group that a first column names once, in the first of its rows, repeated in
    the rows below that leave it empty, and what to tell of it; None if there are none.
    """
    headings = [cell.strip() for cell in rows[header]]
    if all(row[0].strip() for row in rows[header + 1 :] if any(row)):
        return None
    body = [
        at for at in range(header + 1, len(rows)) if any(rows[at]) and not begins_with_sum(rows[at])
    ]
    if len(headings) < _LEAST_NAMED or not headings[0] or not body or _SAID.search(headings[0]):
        return None
    cells = [rows[at][0].strip() for at in body]
    groups = [cell for cell in cells if cell]
    beside = [at for at in body if len(rows[at]) > 1 and rows[at][1].strip()]
    named_once = _are_distinct(groups, _LEAST_CASES) and cells[0] and not cells[-1]
    if not named_once or len(beside) < len(body) or 2 * len(groups) > len(body):
        return None
    if any(len(one) > _LONGEST_GROUP or not re.search(r"[^\W\d]", one) for one in groups):
        return None
    made, above = [list(row) for row in rows], ""
    for at in body:
        above = rows[at][0].strip() or above
        made[at][0] = above
    count = len(body) - len(groups)
    takes = "row takes it" if count == 1 else "rows take it"
    return made, (
        f"“{headings[0]}” is named once above the rows of a group: {count:,} {takes} from above. If"
        " an empty cell means that there is none, write so in the table."
    )


_LEAST_NAMED = 3
_MOST_ON_ITS_SIDE, _MOST_MODELS, _LONGEST_NAME = 100, 26, 80
"""The most rows of a table on its side, the most models, and the longest name of an item."""
_MOST_PARTS = 8
"""The most rows that the parts of a case have, if few of them are models."""
_LONGEST_GROUP = 60
_SAID = re.compile(
    r"(?i)comment|kommentar|remark|bemerkung|note|notiz|flag|status|date|datum|fecha|reviewer|score"
    r"|anmerkung|hinweis|error|fehler|answer|antwort|label"
)
"""The heading of a first column whose cells are said of single rows."""
