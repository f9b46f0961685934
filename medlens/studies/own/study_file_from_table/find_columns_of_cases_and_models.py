"""Finds the columns of a table that name cases and models, or hold the models' answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.studies.own.blinded_arms import MOST as MOST_ARMS
from medlens.studies.own.blinded_arms import MOST_TOGETHER
from medlens.studies.own.columns_outside_the_case import (
    heading_as_plain_lower_case_words,
    is_headed_as_answer,
    is_headed_as_part_of_a_case,
)
from medlens.studies.own.columns_repeating_answers import columns_that_repeat_an_answer
from medlens.studies.own.detect_model_answer_columns import (
    NAMED_MODEL,
    authors_by_column,
    find_column_of_preferred_answers,
    find_machines_version_of_a_text,
    heading_with_space_before_sign,
    is_answer_of_numbered_model,
    is_decision_heading,
    is_name_of_model,
    is_name_of_writer,
    is_numbered_model,
    is_only_a_model_name,
    is_preference_heading,
    is_question_heading,
    letters_by_decision_column,
    list_columns_by_way_of_prompting,
    list_columns_headed_alike,
    list_headings_beside_model_answers,
    list_headings_of_each_part_of_answers,
    list_headings_with_writer_by_column,
    list_terse_answers_headed_like,
    make_arm_names,
    makers_by_file_column,
    may_be_a_further_writer,
    models_by_answer_column,
    normalise_model_name,
    numbers_by_doubled_heading,
    persons_and_machines_by_column,
    versions_by_column,
    versions_by_heading_beside_answers,
    writers_by_column,
    writers_by_number_column,
)
from medlens.studies.own.dialogue_turns import dialogue_as_readable_lines
from medlens.studies.own.headings_of_persons_and_machines import is_made_from_other_text
from medlens.studies.own.imported_preferences import (
    is_choice_column,
    is_headed_as_preference,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    blank_missing_cells,
    cell_counts_by_word_for_missing_value,
    is_nearly_empty,
    words_for_totals_by_row_number,
)
from medlens.studies.own.model_giveaways import MODEL_HEADING, columns_and_rows_in_words
from medlens.studies.own.recognise_model_names import find_model_names_in_text_by_normalised_name
from medlens.studies.own.study_file import MOST
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    FILE_NAME_BY_ROLE,
    LONGEST_NAME,
    RESERVED_COLUMN_NAMES,
    SHORTEST_TEXT_TO_READ,
    SHOWN_ROLES,
    TEXT_ROLES,
    Guess,
    Role,
    are_cells_different_short_names,
    are_cells_lists_of_models,
    are_cells_lists_of_numbers,
    can_be_names_of_models,
    cell_as_plain_text,
    is_number_with_or_without_unit,
    list_filled_cells,
    mean_length_of_texts,
    reading_length_of_text,
)
from medlens.studies.own.study_file_from_table.columns_about_who_answered import (
    find_column_naming_who_answered,
    has_a_row_for_each_person,
    is_asked_of_who_answers,
    is_heading_of_someones_work,
)
from medlens.studies.own.study_file_from_table.columns_giving_right_answers_away import (
    HEADING_OF_A_JUDGE,
    HEADING_OF_COMMENT,
    HEADING_OF_PLAIN_ANSWER,
    gives_right_answer_away,
    has_options_to_choose_from,
    list_reference_columns_beside_predictions,
)
from medlens.studies.own.study_file_from_table.headings_of_cases_models_and_programs import (
    HEADING_OF_IDS,
    HEADING_OF_PART_OF_A_CASE,
    HEADING_OF_QUESTION_NUMBERS,
    HEADING_OF_WHAT_IS_READ,
    HEADING_SAYING_WHICH_MODEL,
    NAMING_HEADING,
    is_case_heading,
)
from medlens.studies.own.texts_saying_machine_wrote import is_name_of_person, is_word_for_person

MOST_NAMES_LISTED = 4
"""How many names of models or columns are listed in a sentence."""


def list_columns_repeating_answers(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    roles: Sequence[str],
    options: Sequence[str],
) -> list[str]:
    """The columns with one of these roles, and no ``options`` to choose from, that repeat one of
    the answers that are compared.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    case = ""
    if not answers and any(one.role == "arm" for one in columns):
        answers = [one.name for one in columns if one.by_arm and one.role in TEXT_ROLES]
        shared = [one.name for one in columns if one.role in TEXT_ROLES and not one.by_arm]
        named = [one.name for one in columns if one.role == "id"]
        case = next(iter([*named, *shared]), "")
        answers = answers if case else []
    looked = [
        one.name
        for one in columns
        if one.role in roles and one.name not in answers and not one.by_arm
    ]
    return (
        columns_that_repeat_an_answer(rows, [o for o in looked if o not in options], answers, case)
        if answers
        else []
    )


def list_models_compared_in_table(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """The models whose answers a table holds, as it names them: in a column or in headings."""
    answers = [one.name for one in columns if one.role == "answer"]
    named = [
        one.name
        for one in columns
        if one.role == "arm"
        or (one.role in ("group", "hidden") and HEADING_SAYING_WHICH_MODEL.search(one.name))
    ]
    given = dict.fromkeys(name for column in named for name in list_filled_cells(rows, column))
    return [
        *(given if len(given) <= MOST_ARMS else ()),
        *(make_arm_names(answers) if answers else ()),
    ]


@dataclass(frozen=True)
class Naming:
    """A column that names models: the names as written, and the rows, counted from 1."""

    column: str
    names: Sequence[str]
    rows: Sequence[int]


def list_columns_naming_models(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    *,
    shown: bool,
    beyond: Sequence[Naming] = (),
) -> list[Naming]:
    """The columns in which models are named, of those that reviewers see at first (``shown``) or
    of those that they do not; in these rows and, by whole nested cells, ``beyond`` them.
    """
    # Reviewers see what a file shows, and never its name.
    seen = [role for role in (*SHOWN_ROLES, "answer") if role not in FILE_NAME_BY_ROLE]
    roles = seen if shown else ["group", "hidden"]
    compared = list_models_compared_in_table(columns, rows)
    found = []
    for one in columns:
        names: dict[str, str] = {}
        places = []
        for at, row in enumerate(rows, 1) if one.role in roles else ():
            cell = row.get(one.name)
            words = (
                dialogue_as_readable_lines(cell)
                if one.role == "dialogue"
                else cell_as_plain_text(cell)
            )
            if there := find_model_names_in_text_by_normalised_name(words, compared):
                names = {**there, **names}
                places.append(at)
        for behind in beyond if one.role in roles else ():
            if behind.column in (one.name, one.name.partition(".")[0]):
                names = {**{normalise_model_name(name): name for name in behind.names}, **names}
                places += behind.rows
        if places:
            found.append(Naming(one.name, [*names.values()], places))
    return found


def models_named_in_column_in_words(naming: Naming) -> str:
    """Which models a column names, and where."""
    names = ", ".join(f"“{name}”" for name in naming.names[:MOST_NAMES_LISTED])
    more = (
        f" and {len(naming.names) - MOST_NAMES_LISTED:,} more"
        if len(naming.names) > MOST_NAMES_LISTED
        else ""
    )
    return f"{columns_and_rows_in_words({naming.column: naming.rows})}: {names}{more}"


def is_naming_column_with_doubles(column: Guess, cells: Sequence[Any]) -> bool:
    """Whether a column is headed as the items' name and is none, as a name is there twice."""
    if column.role not in ("record", "group") or not NAMING_HEADING.search(column.name):
        return False
    texts = [text for text in map(cell_as_plain_text, cells) if text]
    return len(set(texts)) < len(texts)


_ENDS_IN_ID = compile_later(r"(?i)[_ .-]id$|(?-i:[a-z]Id$)")


def find_column_naming_items(guessed: Sequence[Guess], cells: Mapping[str, list[Any]]) -> str:
    """The column that names the items; "" if none does."""
    called = [
        one.name
        for one in guessed
        if one.role in ("record", "group", "text")
        and are_cells_different_short_names(cells[one.name])
        and not is_column_naming_models_alone(one.name, cells[one.name])
        and (
            _ENDS_IN_ID.search(one.name)
            or HEADING_OF_QUESTION_NUMBERS.fullmatch(one.name.strip())
            or not HEADING_OF_WHAT_IS_READ.search(one.name)
        )
    ]
    called.sort(key=lambda name: not HEADING_OF_IDS.search(name))
    if not called:
        return ""
    # Words that stand first are no name, unless the heading says so.
    first = called[0] == guessed[0].name and not any(
        " " in cell_as_plain_text(o) for o in cells[called[0]]
    )
    return called[0] if HEADING_OF_IDS.search(called[0]) or first else ""


def is_column_naming_models_alone(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column says which model each row is of: no name of an item, which would be lost as
    a comparison.
    """
    texts = [text for text in map(cell_as_plain_text, cells) if text]
    known = [text for text in texts if is_name_of_model(text)]
    if not texts or not can_be_names_of_models(texts) or are_numbered_names_of_one_model(texts):
        return False
    headed = MODEL_HEADING.search(name) and not HEADING_OF_IDS.search(name)
    return len(known) == len(texts) or bool(headed and all(map(is_name_of_writer, texts)))


def are_numbered_names_of_one_model(names: Sequence[str]) -> bool:
    """Whether each of several names is the same model's with another number behind it, as whoever
    asked that model numbers its answers: "GPT4_001", "GPT4_002".
    """
    found = [_NUMBERED.fullmatch(name.strip()) for name in names]
    if len(set(names)) < len(names) or len(names) < 2 or not all(found):
        return False
    models = {one["model"].casefold() for one in found if one}
    return len(models) == 1 and is_name_of_model(min(models))


_NUMBERED = compile_later(r"(?P<model>.*[^\W_])[ _.#-]+\d{1,6}")
MOST_RATIO_OF_LENGTHS_SIDE_BY_SIDE, SHORTEST_ANSWER_SIDE_BY_SIDE = 1.5, 60
"""By how much the mean lengths of texts of one kind differ at most, and their least length."""


def find_rows_without_answer(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """The rows, counted from 1, that name a model and have nothing that it wrote."""
    arm = next((one.name for one in columns if one.role == "arm"), "")
    own = [one.name for one in columns if one.by_arm and one.role in SHOWN_ROLES]
    return [
        at
        for at, row in enumerate(rows, 1)
        if arm
        and own
        and cell_as_plain_text(row.get(arm))
        and not any(cell_as_plain_text(row.get(name)) for name in own)
    ]


def find_numbers_of_nearly_empty_rows(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """The rows that have at most one cell of what reviewers see, counted from 1; not among them are
    rows of sums, and those in which a model has not answered and the case is told.
    """
    shown = [one.name for one in columns if one.role in (*SHOWN_ROLES, "answer")]
    sums = words_for_totals_by_row_number(rows)
    words = cell_counts_by_word_for_missing_value(rows)
    plain = blank_missing_cells(rows, [*words])
    shared = [one.name for one in columns if one.role in SHOWN_ROLES and not one.by_arm]
    unanswered = {
        at
        for at in find_rows_without_answer(columns, plain)
        if any(cell_as_plain_text(plain[at - 1].get(name)) for name in shared)
    }
    return [
        at
        for at, row in enumerate(plain, 1)
        if at not in sums and at not in unanswered and is_nearly_empty(row, shown)
    ]


def find_spellings_by_arm(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """The arms of a table with a row for each, by a name that a study's file accepts: how each is
    written in the table. Names that differ in case, spaces or hyphens are one arm, unless a case
    has both. Empty if there are no such arms.
    """
    arm = next((one.name for one in columns if one.role == "arm"), "")
    if not arm:
        return {}
    cases = list(map(make_function_giving_case_of_row(columns), rows))
    counts = Counter(cell_as_plain_text(row.get(arm)) for row in rows)
    alike: dict[str, list[str]] = {}
    for name in counts:
        alike.setdefault(normalise_model_name(name) or name, []).append(name)
    pairs = Counter(
        (
            case,
            normalise_model_name(cell_as_plain_text(row.get(arm)))
            or cell_as_plain_text(row.get(arm)),
        )
        for case, row in zip(cases, rows, strict=True)
    )
    apart = {name for (_, name), count in pairs.items() if count > 1}
    groups = [
        [one] if one_name in apart else names
        for one_name, names in alike.items()
        for one in (names if one_name in apart else names[:1])
    ]
    usual = [max(names, key=lambda name: counts[name]) for names in groups]
    return dict(zip(make_arm_names(usual, plain=True), groups, strict=True))


def make_function_giving_case_of_row(
    columns: Sequence[Guess],
) -> Callable[[Mapping[str, Any]], Any]:
    """A function that says to which case a row belongs: by the column that names the items, or by
    all that the models' answers share.
    """
    named = next((one.name for one in columns if one.role == "id"), "")
    if named:
        return lambda row: cell_as_plain_text(row.get(named))
    shared = [o.name for o in columns if not o.by_arm and o.role not in ("arm", "out")]
    return lambda row: tuple(cell_as_plain_text(row.get(name)) for name in shared)


def mark_columns_of_model_answers(
    guessed: list[Guess], cells: Mapping[str, list[Any]]
) -> list[Guess]:
    """The guesses, with columns that each hold one model's answers known as such, and what else
    tells which model that is not shown.
    """
    right = list_reference_columns_beside_predictions([one.name for one in guessed])
    long = [
        one.name
        for one in guessed
        if one.role in ("text", "markdown")
        and one.name not in right
        and not are_cells_lists_of_models(cells[one.name])
        and not are_cells_lists_of_numbers(cells[one.name])
        and not all(
            _AN_ADDRESS.fullmatch(text) for text in map(cell_as_plain_text, cells[one.name]) if text
        )
    ]
    talks = [one.name for one in guessed if one.role == "dialogue"]
    # Short answers are known by their heading alone: a model's name, and perhaps "answer"; or an
    # answer of "model A".
    short = [
        one.name
        for one in guessed
        if one.role in ("record", "group")
        and (is_only_a_model_name(one.name) or is_answer_of_numbered_model(one.name))
    ]
    aside = [
        one.name
        for one in guessed
        if one.role in ("record", "group")
        and not (long and is_word_for_person(one.name) and _are_names(_filled(cells[one.name])))
    ]
    short += [name for name in writers_by_column([*long, *aside]) if name in aside]
    short += list_terse_answers_headed_like(long, [one for one in aside if one not in short])
    short = [
        name
        for name in short
        if not all(map(is_number_with_or_without_unit, filter(cell_as_plain_text, cells[name])))
    ]
    models = models_by_answer_column([*long, *short]) or models_by_answer_column(talks)
    parts = list_headings_of_each_part_of_answers([*models])
    if parts and sum(map(len, parts)) == len(models):
        # A first diagnosis is not compared with a second, and a plan with neither.
        models = dict(zip(parts[0], make_arm_names(parts[0]), strict=True))
    if not find_column_of_preferred_answers([*models]):
        models = _answers_by_heading([*long, *aside], cells, models) or versions_by_column(long)
        models = models or authors_by_column(long)
        models = models or numbers_by_doubled_heading(long, [*cells])
        models = models or _short_answers_by_letter(aside, cells)
    for role in FILE_NAME_BY_ROLE if len(models) < 2 else ():
        models = models or makers_by_file_column([one.name for one in guessed if one.role == role])
    of_preferences = bool(find_column_of_preferred_answers([*models]))
    source = ""
    if not of_preferences:
        models = _with_persons_beside_machines(models, [*long, *aside], cells)
        version = find_machines_version_of_a_text([*models])
        if version and is_made_from_other_text(
            version, _filled(cells[version.machine]), _filled(cells[version.other])
        ):
            # What a machine wrote about a text is judged beside it, and not compared with it.
            source = version.other
            left = [name for name in models if name != source]
            models = dict(zip(left, make_arm_names(left), strict=True)) if left[1:] else {}
    # One well-known model can stand beside a person.
    known = [*models] or [name for name in long if NAMED_MODEL.search(name)]
    known = [] if of_preferences or (source and not models) else known
    others = [name for name in (*long, *aside) if name != source]
    further = _further_answers(others, cells, known)
    if further and len(known) + len(further) <= MOST_ARMS:
        order = [name for name in cells if name in (*known, *further)]
        models = dict(zip(order, make_arm_names(order), strict=True))
    if not of_preferences and (aside_of := list_headings_beside_model_answers([*models])):
        left = [name for name in models if name not in aside_of]
        models = dict(zip(left, make_arm_names(left), strict=True))
    prompted = list_columns_by_way_of_prompting(long)
    if prompted and {*models} <= {*prompted}:
        # Beside other ways to prompt, a chain of thought is no way to an answer, but one of them.
        models = dict(zip(prompted, make_arm_names(prompted), strict=True))
    if not 2 <= len(models) <= MOST_ARMS:
        return guessed
    if key := _key_to_options(models, cells):
        # Whoever sees what is right does not judge by themselves.
        return [
            replace(one, role="group" if one.name == key and one.role in SHOWN_ROLES else one.role)
            for one in guessed
        ]
    names = [model.casefold() for model in models.values() if len(model) > 2]
    arms = list(models.values())
    options = has_options_to_choose_from(cells)
    beside = find_columns_there_for_each_answer([one.name for one in guessed], [*models])
    alike = [] if of_preferences else _versions_of_unknown_place(guessed, cells, [*models])

    def role_of(one: Guess) -> Role:
        if one.name in models:
            return "answer"
        if one.name == source:
            return one.role
        if one.name in alike:
            return "group" if one.role in ("record", "group") else "hidden"
        if one.role in SHOWN_ROLES and are_cells_lists_of_models(cells[one.name]):
            return "hidden"
        plain = one.role in ("text", "markdown") and HEADING_OF_PLAIN_ANSWER.fullmatch(
            heading_as_plain_lower_case_words(one.name)
        )
        # Beside estimates a summary is what was read.
        if plain and not all(
            is_number_with_or_without_unit(cell) for name in models for cell in cells[name]
        ):
            return "hidden"
        if one.name in beside and one.role in ("record", "group"):
            return "group"
        if (
            one.name in beside
            and one.role in SHOWN_ROLES
            and not HEADING_OF_WHAT_IS_READ.search(one.name)
        ):
            return "hidden"
        filled = [cell for cell in cells[one.name] if cell_as_plain_text(cell)]
        letters = options and all(len(cell_as_plain_text(cell)) == 1 for cell in filled)
        chosen = not letters and is_choice_column(one.name, filled, arms)
        if one.role in ("record", "group") and chosen:
            return "group"
        if one.role in ("record", "group") and is_headed_like_model_decisions(one.name, [*models]):
            return "group"
        telling = NAMED_MODEL.search(one.name) or any(n in one.name.casefold() for n in names)
        if telling or (of_preferences and is_preference_heading(one.name)):
            return "group" if one.role in ("record", "group") else "hidden"
        return one.role

    return [replace(one, role=role_of(one)) for one in guessed]


_A_NAME = compile_later(r"(?:[^\W\d_a-zß-ÿ][\w'’.-]*\s?){1,3}")
_FEWEST_NAMES = 3


def _are_names(texts: Sequence[str]) -> bool:
    """Whether texts can be names of people of whom some are there again: under "doctor" stands who
    saw the patient, and no doctor's answers.
    """
    several = len(texts) >= _FEWEST_NAMES and len(set(texts)) < len(texts)
    return several and all(map(_A_NAME.fullmatch, texts))


_FEWEST_OPTIONS = 3


def _key_to_options(models: Mapping[str, str], cells: Mapping[str, list[Any]]) -> str:
    """The column that says by its heading which of several is right, and has nothing but the
    letters in which these differ: "Answer A" to "Answer D" are options to choose from. "" for none.
    """
    letters = {arm.casefold() for arm in models.values()}
    if len(letters) < _FEWEST_OPTIONS or any(len(letter) > 1 for letter in letters):
        return ""
    for name, own in cells.items():
        chosen = {text.casefold() for text in _filled(own)}
        words = heading_as_plain_lower_case_words(name)
        says = gives_right_answer_away(
            name, "record", by_arm=False
        ) or HEADING_OF_PLAIN_ANSWER.fullmatch(words)
        if chosen and chosen <= letters and says and not is_headed_as_preference(words):
            return name
    return ""


def _filled(cells: Sequence[Any]) -> list[str]:
    return list(filter(None, map(cell_as_plain_text, cells)))


def _with_persons_beside_machines(
    models: dict[str, str], names: Sequence[str], cells: Mapping[str, list[Any]]
) -> dict[str, str]:
    """The models by column, and the columns whose headings say of the same kind of text that a
    machine wrote it or a person did ("Arztantwort" beside "KI-Antwort"), however short.
    """
    written = persons_and_machines_by_column(
        [
            name
            for name in names
            if not gives_right_answer_away(name, "record", by_arm=False)
            and any(map(cell_as_plain_text, cells[name]))
            and not all(
                map(is_number_with_or_without_unit, filter(cell_as_plain_text, cells[name]))
            )
        ]
    )
    together = {**models, **written}
    if not written or (models and not {*models} & {*written}) or len(together) > MOST_ARMS:
        return models
    if len(together) == len(models):
        return models
    order = [name for name in cells if name in together]
    return dict(zip(order, make_arm_names(order), strict=True))


MOST_RATIO_OF_LENGTHS_UNDER_LIKE_HEADINGS = 2.5
"""By how much the mean lengths of answers under one kind of heading differ at most."""


def _further_answers(
    names: Sequence[str], cells: Mapping[str, list[Any]], answers: Sequence[str]
) -> list[str]:
    """Those of these columns that are answers too, whoever wrote them: their headings differ from
    those of the ``answers`` only in the words that stand for the models, and their texts are like
    theirs in length.
    """
    if not answers:
        return []
    lengths = [
        mean_length_of_texts(list(filter(None, map(cell_as_plain_text, cells[name]))))
        for name in answers
    ]
    least, most = (
        min(lengths) / MOST_RATIO_OF_LENGTHS_UNDER_LIKE_HEADINGS,
        max(lengths) * MOST_RATIO_OF_LENGTHS_UNDER_LIKE_HEADINGS,
    )

    def is_alike(name: str) -> bool:
        texts = list(filter(None, map(cell_as_plain_text, cells[name])))
        return least <= mean_length_of_texts(texts) <= most and not all(
            map(is_number_with_or_without_unit, texts)
        )

    return [
        name
        for name, own in versions_by_heading_beside_answers(names, answers).items()
        if may_be_a_further_writer(name, answers, own)
        and not HEADING_OF_PART_OF_A_CASE.search(heading_as_plain_lower_case_words(own))
        and not gives_right_answer_away(name, "record", by_arm=False)
        and is_alike(name)
    ]


def _versions_of_unknown_place(
    guessed: Sequence[Guess], cells: Mapping[str, list[Any]], answers: Sequence[str]
) -> list[str]:
    """The columns of texts that may be another version of what the ``answers`` are: by a heading
    with the same words, if nothing in it is a part of a case; or by texts of about one length right
    before the answers, under a heading that says nothing, where something else is read before them.
    """
    shown = [one for one in guessed if one.role in ("text", "markdown", "record", "group")]
    headed = versions_by_heading_beside_answers([one.name for one in shown], answers)
    found = [
        one.name
        for one in shown
        if one.name in headed
        and (texts := list(filter(None, map(cell_as_plain_text, cells[one.name]))))
        and 2 * sum(" " in text for text in texts) > len(texts)
        and not HEADING_OF_PART_OF_A_CASE.search(
            heading_as_plain_lower_case_words(headed[one.name] or one.name)
        )
        and not HEADING_OF_PLAIN_ANSWER.fullmatch(heading_as_plain_lower_case_words(one.name))
    ]
    order = [one.name for one in guessed]
    first = min(order.index(name) for name in answers)
    read = [
        one.name
        for one in guessed
        if one.role in ("text", "markdown") and one.name not in (*answers, *found)
    ]
    before = order[first - 1] if first else ""
    if before in read and len(read) > 1 and order.index(read[0]) < first - 1:
        lengths = [
            mean_length_of_texts(list(filter(None, map(cell_as_plain_text, cells[name]))))
            for name in answers
        ]
        own = mean_length_of_texts(list(filter(None, map(cell_as_plain_text, cells[before]))))
        words = heading_as_plain_lower_case_words(before)
        if (
            min(lengths) / MOST_RATIO_OF_LENGTHS_SIDE_BY_SIDE
            <= own
            <= max(lengths) * MOST_RATIO_OF_LENGTHS_SIDE_BY_SIDE
            and min(lengths) >= SHORTEST_ANSWER_SIDE_BY_SIDE
            and not HEADING_OF_PART_OF_A_CASE.search(words)
            and not HEADING_OF_WHAT_IS_READ.search(before)
            and not is_headed_as_part_of_a_case(words)
        ):
            found.append(before)
    return found


def _answers_by_heading(
    names: Sequence[str], cells: Mapping[str, list[Any]], known: dict[str, str]
) -> dict[str, str]:
    """The columns that each hold one model's answers, however short, as their headings say the same
    of several writers; those that are ``known`` unless there are more.
    """
    usable = [
        name
        for name in names
        if is_decision_heading(name)
        or not all(map(is_number_with_or_without_unit, filter(cell_as_plain_text, cells[name])))
    ]
    groups = [
        found
        for _, found in list_headings_with_writer_by_column(usable)
        if set(found) >= set(known)
    ]
    best = max(groups, key=lambda of: sum(_letters_in(cells, name) for name in of), default={})
    best = _first_of_numbered(best, groups)
    if len(best) > len(known):
        return dict(zip(best, make_arm_names(list(best.values()), plain=True), strict=True))
    if known:
        return known
    if found := letters_by_decision_column(usable):
        return found
    if found := _comments_by_writer(names, cells):
        return found
    # The turns of a chat have numbers too.
    of_a_chat = any(map(_TURN.fullmatch, cells))
    numbered = [
        name
        for name in names
        if not of_a_chat
        and is_numbered_model(name)
        and any(" " in cell_as_plain_text(cell) for cell in cells[name])
        and not any(map(is_name_of_writer, filter(None, map(cell_as_plain_text, cells[name]))))
    ]
    if len(numbered) > 1:
        return dict(zip(numbered, make_arm_names(numbered), strict=True))
    # What models estimate is what is judged where nothing else of theirs is there; not beside a
    # text under a name that a comparison needs itself, which would be lost.
    if any(name in RESERVED_COLUMN_NAMES for name in names):
        return {}
    estimates = writers_by_number_column([name for name in names if name not in usable])
    return dict(zip(estimates, make_arm_names(list(estimates.values()), plain=True), strict=True))


_NUMBERED_PART = compile_later(r"(.*?)[ ._#-]*(\d{1,2})(?=\s*$|\s*[(\[]|[ ._-])(.*)")


def _first_of_numbered(best: dict[str, str], groups: Sequence[dict[str, str]]) -> dict[str, str]:
    """Of several guesses of each writer that differ in their number ("GPT-4 dx1", "GPT-4 dx2") the
    first, which is what a writer holds for the most likely; ``best`` if they are no such.
    """

    def numbers(of: Mapping[str, str]) -> dict[str, int] | None:
        found: dict[str, int] = {}
        for name, writer in of.items():
            rest = name.replace(writer, " ", 1)
            if not (part := _NUMBERED_PART.search(rest)):
                return None
            words = heading_as_plain_lower_case_words(f"{writer} {part[1]} {part[3]}")
            found[words] = int(part[2])
        return found

    own = numbers(best)
    if not own:
        return best
    alike = [(found, of) for of in groups if (found := numbers(of)) and found.keys() == own.keys()]
    return min(alike, key=lambda one: sum(one[0].values()), default=(own, best))[1]


def _comments_by_writer(names: Sequence[str], cells: Mapping[str, list[Any]]) -> dict[str, str]:
    """The columns of what several models, and people beside them, wrote on a case, in a table with
    no column that is headed as an answer.
    """
    if any(
        is_headed_as_answer(heading_as_plain_lower_case_words(name))
        for name in cells
        if any(map(cell_as_plain_text, cells[name]))
    ):
        return {}
    # Under another heading of the same kind: "comment" alone would be what is thought of an answer.
    alike = {
        re.sub(
            r"\s+", " ", HEADING_OF_COMMENT.sub("summary", heading_as_plain_lower_case_words(name))
        ): name
        for name in names
        if HEADING_OF_COMMENT.search(heading_as_plain_lower_case_words(name))
        and not HEADING_OF_A_JUDGE.search(heading_as_plain_lower_case_words(name))
        if 2 * sum(" " in cell_as_plain_text(cell) for cell in cells[name]) > len(cells[name])
    }
    groups = [found for _, found in list_headings_with_writer_by_column(list(alike))]
    best = max(groups, key=len, default={})
    arms = make_arm_names(list(best.values()), plain=True)
    return {alike[name]: arm for name, arm in zip(best, arms, strict=True)}


def _short_answers_by_letter(
    names: Sequence[str], cells: Mapping[str, list[Any]]
) -> dict[str, str]:
    """Two columns of short answers that differ in a letter ("Answer A", "Answer B"), if they cannot
    be options to choose from: they say the same in some row, or a column says which was preferred.
    """
    if has_options_to_choose_from(cells) or not any(map(is_question_heading, cells)):
        return {}
    headed = [
        name
        for name in names
        if is_headed_as_answer(words := heading_as_plain_lower_case_words(name))
        and not is_headed_as_preference(words)
    ]
    pair = list_columns_headed_alike(headed)
    lettered = [
        name
        for name in pair
        if re.search(r"(?i)[\s_.-]\(?[a-bx-y]\)?$", heading_with_space_before_sign(name))
    ]
    if len(headed) != 2 or len(lettered) != 2:
        return {}
    texts = [list(map(cell_as_plain_text, cells[name])) for name in lettered]
    if all(map(is_number_with_or_without_unit, filter(None, [*texts[0], *texts[1]]))):
        return {}
    arms = make_arm_names(lettered)
    same = any(one and one == other for one, other in zip(*texts, strict=True))
    preferred = any(
        is_headed_as_preference(heading_as_plain_lower_case_words(name))
        and is_choice_column(name, [cell for cell in cells[name] if cell_as_plain_text(cell)], arms)
        for name in cells
    )
    return dict(zip(lettered, arms, strict=True)) if same or preferred else {}


_AN_ADDRESS = compile_later(r"\w+://\S+")
_TURN = compile_later(r"(?i)(user|human|patient|client|turn)[\W_]*\d+")


def _letters_in(cells: Mapping[str, list[Any]], name: str) -> int:
    return sum(len(cell_as_plain_text(cell)) for cell in cells[name])


def is_headed_like_model_decisions(name: str, answers: Sequence[str]) -> bool:
    """Whether a column's heading has what the headings of several models' decisions share: "ICD
    coder" beside "ICD GPT-4" and "ICD Llama". It may be what is right.
    """
    words = [set(re.findall(r"[^\W_]+", one.casefold())) for one in (*answers, name)]
    shared = set.intersection(*words[:-1])
    decides = is_decision_heading(" ".join(shared)) and not HEADING_OF_WHAT_IS_READ.search(
        " ".join(shared)
    )
    return name not in answers and decides and shared < words[-1]


def find_columns_there_for_each_answer(names: Sequence[str], answers: Sequence[str]) -> set[str]:
    """The other columns of which there is one for each answer, such as ``generator_1`` and
    ``generator_2`` beside ``output_1`` and ``output_2``.
    """
    words = {name: tuple(re.findall(r"[^\W_]+", name.casefold())) for name in names}
    shared = set.intersection(*(set(words[name]) for name in answers))
    own = [frozenset(words[name]) - shared for name in answers]
    if not all(own):
        return set()
    found: dict[tuple[str, ...], dict[int, str]] = {}
    for name in names:
        for at, signs in enumerate(own):
            if name not in answers and signs <= set(words[name]):
                rest = tuple(word for word in words[name] if word not in signs)
                found.setdefault(rest, {})[at] = name
    return {name for of in found.values() if len(of) == len(answers) for name in of.values()}


_SIDES = compile_later(
    r"(?i)(?:(?P<words>.*?)(?:[\W_]+|(?<=[^\x00-\x7f])|(?-i:(?<=[a-z])(?=[A-Z\d])))"
    r"(?P<sign>[a-h1-8]|left|right|first|second|i|ii|chosen|rejected|winner|loser|links|rechts)"
    r"|(?P<first>left|right|first|second|chosen|rejected|winn(?:er|ing)|los(?:er|ing))[\W_]+"
    r"(?P<behind>.*))"
)


def list_columns_of_two_sides(names: Iterable[str]) -> list[str]:
    """The headings, of those given, of which another differs only in the side that it stands for:
    "model_a" and "model_b", "Modell links" and "Modell rechts".
    """
    sides: dict[str, list[str]] = {}
    for name in names:
        if found := _SIDES.fullmatch(name.strip()):
            words = found["words"] if found["sign"] else found["behind"]
            sides.setdefault(re.sub(r"[\W_]+", " ", words or "").strip().casefold(), []).append(
                name
            )
    return [name for of in sides.values() if len(of) > 1 for name in of]


def find_case_and_arm_columns(cells: Mapping[str, list[Any]]) -> tuple[str, str] | None:
    """The columns that name a case and its arm: together they identify a row, and at least half of
    the cases have several arms.
    """
    single = {
        name: own
        for name, own in cells.items()
        if not any(isinstance(cell, list | dict) for cell in own)
    }
    of_a_survey = has_a_row_for_each_person(cells)
    naming = {name for name, own in single.items() if is_column_naming_models_alone(name, own)}
    # Of a pair the names stand on two sides of one row, and nobody can give a row to one of them.
    of_pairs = list_columns_of_two_sides(naming)
    of_respondents = of_a_survey and bool(find_column_naming_who_answered(cells))
    for arm in single:
        values = list(map(cell_as_plain_text, cells[arm]))
        if not (2 <= len(set(values)) <= MOST and all(values)) or is_asked_of_who_answers(arm):
            continue
        if arm in of_pairs:
            continue
        of_persons = all(map(is_name_of_person, set(values)))
        works_as = is_heading_of_someones_work(arm)
        if of_a_survey and (of_persons or works_as):
            # What each respondent works as; nobody's answers are compared.
            continue
        # Names of items may hold a model's name too, and are there once.
        known = 2 * len(set(values)) <= len(values) and all(map(is_name_of_writer, set(values)))
        # Beside a well-known model others can be called anything, if each case has each once.
        beside_known = (
            2 * len(set(values)) <= len(values)
            and any(map(is_name_of_model, set(values)))
            and not gives_right_answer_away(arm, "record", by_arm=False)
            and not is_preference_heading(arm)
            and all(
                len(value) <= LONGEST_NAME and re.search(r"[^\W\d]", value) for value in set(values)
            )
        )
        # A doctor is told by name beside what a machine wrote.
        with_persons = (
            2 * len(set(values)) <= len(values)
            and any(map(is_name_of_writer, set(values)))
            and all(is_name_of_writer(value) or is_name_of_person(value) for value in set(values))
        )
        if not (MODEL_HEADING.search(arm) or known or beside_known or with_persons):
            continue
        if len(
            {normalise_model_name(value) for value in values}
        ) > MOST_ARMS or not can_be_names_of_models(values):
            continue
        for case in sorted(single, key=lambda name: not is_case_heading(name)):
            if case == arm or case in naming:
                continue
            if not all(names := list(map(cell_as_plain_text, cells[case]))):
                continue
            names_cases = is_case_heading(case) and max(map(len, names)) <= LONGEST_NAME
            is_headed = bool(HEADING_OF_WHAT_IS_READ.search(case)) or is_headed_as_part_of_a_case(
                heading_as_plain_lower_case_words(case)
            )
            # A text that is there for each of several known models is what they were asked.
            by_models = known and (is_headed or not (of_persons or of_a_survey))
            least = _LONG_FOR_MODELS if by_models else SHORTEST_TEXT_TO_READ
            is_read = HEADING_OF_WHAT_IS_READ.search(case) or (
                sum(map(reading_length_of_text, names)) >= least * len(names)
            )
            if not (names_cases or is_read):
                continue
            # Of several people's own words some are the same by chance: "Nothing."
            said_by_people = of_respondents or (of_persons and works_as)
            if said_by_people and not (names_cases or is_headed):
                continue
            complete = len(names) == len(set(names)) * len(set(values))
            if of_respondents and not (names_cases or complete):
                continue
            if of_persons and not (names_cases or is_headed or complete):
                continue
            pairs = set(zip(names, values, strict=True))
            several = sum(count > 1 for count in Counter(names).values())
            if len(pairs) == len(names) and 2 * several >= len(set(names)):
                return case, arm
    return None


_LONG_FOR_MODELS = 15
"""The mean length from which a text that is repeated for each known model is what was asked."""


def is_column_naming_cases(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column that tells cases apart names them, rather than being read itself."""
    return is_case_heading(name) and all(
        len(cell_as_plain_text(cell)) <= LONGEST_NAME for cell in cells
    )


def find_chosen_arm_or_column(
    columns: Sequence[Guess],
    answers: Sequence[str],
    names: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
) -> tuple[str, str]:
    """The arm that was chosen in every row, or the column that says which was; "" for neither."""
    if len(answers) < 2 or len(names) > MOST_TOGETHER:
        return "", ""
    if chosen := find_column_of_preferred_answers(answers):
        return names[list(answers).index(chosen)], ""
    unseen = [one.name for one in columns if one.role in ("group", "hidden")]
    options = has_options_to_choose_from([one.name for one in columns])
    for name in unseen:
        filled = [row.get(name) for row in rows if cell_as_plain_text(row.get(name))]
        if options and all(len(cell_as_plain_text(cell)) == 1 for cell in filled):
            # The letter of what was asked, and of none of the answers.
            continue
        if is_choice_column(name, filled, names):
            return "", name
    return "", ""
