"""A study proposed for a table: what its columns are taken for, its file, and the check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from medlens.config.toml_edit import set_field_in_toml
from medlens.errors import BadFile, InvalidInput
from medlens.studies.own import study_file
from medlens.studies.own.blinded_arms import MOST, MOST_TOGETHER
from medlens.studies.own.detect_model_answer_columns import NAMED_MODEL, normalise_model_name
from medlens.studies.own.find_and_replace_patient_identifiers import Place, find_identifiers_in_rows
from medlens.studies.own.item_and_judgment_import_and_export import (
    Looked,
    items_faults_and_notes_of_table_rows,
    study_file_with_rows_left_out_or_taken_back,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    flatten_nested_cells_of_rows,
    words_for_totals_by_row_number,
)
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    Guess,
    are_any_columns_shown,
)
from medlens.studies.own.study_file_from_table.columns_giving_right_answers_away import (
    list_hidden_columns_of_correct_answers,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    Naming,
    find_numbers_of_nearly_empty_rows,
    find_spellings_by_arm,
    list_columns_naming_models,
)
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.headings_of_cases_models_and_programs import (
    are_headings_of_redcap_dictionary,
)
from medlens.studies.own.study_file_from_table.notes_on_compared_answers import (
    do_arms_stand_for_other_models_from_row_to_row,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    list_column_decisions_in_words,
    list_nested_cells_in_words,
)
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    make_study_file_text,
)
from medlens.studies.own.texts_saying_machine_wrote import is_name_of_person
from medlens.tables.file_kind_and_lines import shorten_value

_NAMED = 5
PREFERENCE = "preference"
"""The template for answers side by side."""


@dataclass(frozen=True)
class Proposal:
    """What a table comes to: each column's role, what was decided in sentences, the study's file
    and what it declares, its rows as checked, what in them may identify a patient, which shown
    columns name models only in the rows behind these, and whether the arms stand for other models
    from row to row.
    """

    columns: Sequence[Guess]
    told: Sequence[str]
    text: str
    declared: StudyDeclaration
    looked: Looked
    identifying: Sequence[Place] = ()
    naming_behind: Sequence[Naming] = ()
    by_position: bool = False


def list_patient_identifiers_with_places(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    beyond: Sequence[Place] = (),
) -> list[Place]:
    """What may identify a patient in a table's first rows and ``beyond`` them, except in what is
    left out of the study, names files, or names a model.
    """
    apart = [one for one in columns if one.role in ("out", "image", "pdf", "arm")]
    without = {one.name for one in apart}
    # Behind the first rows nested cells are not taken apart.
    kept = {one.name.partition(".")[0] for one in columns if one not in apart}
    whole = {name.partition(".")[0] for name in without} - kept | without
    behind = [place for place in beyond if place.column.strip() not in whole]
    return [*find_identifiers_in_rows(rows, without), *behind]


def rows_checked_for_identifiers_in_words(looked_at: int) -> str:
    """How many rows of a larger table were looked at for what may identify a patient, where nothing
    was found in them.
    """
    return (
        f"What may identify a patient was looked for in all {looked_at:,} rows, and nothing was"
        " found."
    )


def nearly_empty_rows_in_words(rows: Sequence[int]) -> str:
    """A sentence on rows that have at most one cell of what reviewers see."""
    have = "row has" if len(rows) == 1 else "rows have"
    return f"{len(rows):,} {have} at most one cell that reviewers see: {_named_rows(rows)}."


def leave_out_nearly_empty_rows_in_words(rows: Sequence[int]) -> str:
    """What a choice says that leaves out rows of which reviewers see at most one cell."""
    them = f"row{'s' * (len(rows) > 1)} {_named_rows(rows)}"
    return f"Leave out {them}, of which reviewers would see one cell or none"


def _named_rows(rows: Sequence[int]) -> str:
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    return ", ".join(f"{row:,}" for row in rows[:_NAMED]) + more


def require_unique_headings(names: Sequence[str]) -> None:
    """Refuse a table in which two columns have one heading: nobody can say which is meant.

    Raises:
        BadFile: names the headings, and what stands before the first of them.
    """
    plain = [name.strip() for name in names]
    named = Counter(plain)
    twice, *more = [name for name, count in named.items() if name and count > 1] or [""]
    if not twice:
        return
    others = ""
    if more:
        listed = ", ".join(repr(name) for name in more[:_NAMED])
        left = f" and {len(more) - _NAMED:,} more" if len(more) > _NAMED else ""
        others = f" The same goes for {listed}{left}."
    # Programs that compare models write the same columns behind each model's answer.
    at = [place for place, name in enumerate(plain) if name == twice]
    before = [shorten_value(plain[place - 1]) for place in at if place]
    blocks = len(before) == len(at) == len({*before})
    raise BadFile(
        f"{named[twice]} columns of this file are called {twice!r}.{others}",
        hint="Give each a name of its own"
        + (f": one stands behind “{before[0]}”, one behind “{before[1]}”." if blocks else ".")
        + (" Or delete those that raters do not need." if more else ""),
    )


def refuse_data_dictionary(names: Sequence[str]) -> None:
    """Refuse a table whose rows are no cases: a data dictionary of REDCap.

    Raises:
        BadFile: says what to use instead.
    """
    if are_headings_of_redcap_dictionary(names):
        raise BadFile(
            "This is a data dictionary of REDCap: its rows are the fields of a form, not cases.",
            hint="To make these fields the questions that raters answer, choose “Begin with” › “A"
            " data dictionary of REDCap” in Make a study, or run `study from-redcap DICTIONARY.csv"
            " -o FOLDER`. If the records themselves are the cases, give their export (Data Exports,"
            " CSV / raw or labels) here.",
        )


def propose_study(
    rows: Sequence[Mapping[str, Any]],
    *,
    title: str,
    template: str | None = None,
    answers_of: Mapping[str, str] | None = None,
    more: bool = False,
    mask: bool = False,
    keep_sums: bool = False,
    without_nearly_empty: bool = False,
    leave_out_rows: Sequence[int] = (),
    identifiers: str = "",
    beyond: Sequence[Place] = (),
    naming: Sequence[Naming] = (),
    survey_questions: Mapping[str, str] | None = None,
) -> Proposal:
    """A study for a table with these first rows, of which there are ``more``. Without ``template``
    answers side by side are compared, and anything else has one question to start with.
    ``answers_of``: the columns with a model's answers, and the model's name, instead of the guess.
    ``mask``: reviewers see bars in place of models' names. Rows of sums at the end are left out
    unless ``keep_sums``, those with one cell at most of what is shown if ``without_nearly_empty``,
    and those at ``leave_out_rows``, counted from 1. ``identifiers``: what becomes of what may
    identify a patient, of which that in rows behind these is ``beyond``, and ``naming`` is where
    models are named there. ``survey_questions``, by column, are titles of what is shown.

    Raises:
        BadFile: nothing in the table could be shown to reviewers.
        InvalidInput: there is no such column, template or row.
    """
    flat = flatten_nested_cells_of_rows(rows)
    sums = {} if keep_sums else words_for_totals_by_row_number(flat)
    items = [row for at, row in enumerate(flat, 1) if at not in sums]
    columns = list_guessed_roles_of_columns(items, survey_questions)
    if answers_of:
        columns = _with_answers(columns, answers_of)
    if not are_any_columns_shown(columns):
        raise BadFile(
            "Nothing in this table could be shown to reviewers: every column is empty, or says what"
            " is right.",
            hint="Is it the right file? Say on Make a study what each column is.",
        )
    models = len(find_spellings_by_arm(columns, items)) or sum(
        one.role == "answer" for one in columns
    )
    if template is None:
        template = PREFERENCE if 1 < models <= MOST_TOGETHER else ""
    if template:
        study_file.path_of_template(template)
    if models > MOST:
        raise InvalidInput(
            f"The table has the answers of {models} models, and a study compares at most {MOST}."
        )
    text = make_study_file_text(
        *(title, columns, flat),
        template=template,
        more=more,
        called=answers_of or {},
        survey_questions=survey_questions,
        keep_sums=keep_sums,
        without_nearly_empty=without_nearly_empty,
        identifiers=identifiers,
    )
    if strange := [at for at in leave_out_rows if not 1 <= at <= len(flat)]:
        raise InvalidInput(
            f"There is no row {strange[0]} to leave out.",
            hint=f"Rows are counted below the headings, from 1 to {len(flat):,}.",
        )
    if leave_out_rows:
        text = study_file_with_rows_left_out_or_taken_back(
            text, [flat[at - 1] for at in leave_out_rows]
        )
    declared = study_file.parse_study_file(text)
    behind = list_columns_naming_models(columns, [], shown=True, beyond=naming)
    named = (
        [
            one.name
            for one in items_faults_and_notes_of_table_rows(declared, flat).telling
            if one.name
        ]
        if mask
        else []
    )
    if mask:
        named = list(dict.fromkeys([*named, *(name for one in behind for name in one.names)]))
        behind = []
    if named:
        text = set_field_in_toml(text, "", 0, "mask", named)
        declared = study_file.parse_study_file(text)
    told = [*list_warnings_about_models_in_title(title), *_told(columns, items)]
    if not without_nearly_empty and (nearly := find_numbers_of_nearly_empty_rows(columns, items)):
        told.append(f"{nearly_empty_rows_in_words(nearly)} Should they be items?")
    # What may identify a patient is looked for once.
    quiet = declared if identifiers else replace(declared, identifiers="keep")
    looked = items_faults_and_notes_of_table_rows(quiet, flat)
    identifying = [
        place
        for place in list_patient_identifiers_with_places(columns, flat, beyond)
        if place.row not in leave_out_rows
    ]
    by_position = do_arms_stand_for_other_models_from_row_to_row(columns, items)
    return Proposal(columns, told, text, declared, looked, identifying, behind, by_position)


def list_warnings_about_models_in_title(title: str) -> list[str]:
    """A sentence on a title that names several models, which reviewers read above each item."""
    named = {normalise_model_name(one[0]): one[0] for one in NAMED_MODEL.finditer(title)}
    if len(named) < 2:
        return []
    listed = " and ".join(f"“{name}”" for name in named.values())
    return [
        f"The title names {listed}: reviewers see which models are compared, though not which wrote"
        " what. Give the study another title if they should not."
    ]


def _with_answers(columns: Sequence[Guess], answers_of: Mapping[str, str]) -> list[Guess]:
    named = {one.name for one in columns}
    if strange := [name for name in answers_of if name not in named]:
        raise InvalidInput(
            f"There is no column {strange[0]!r}.", hint=f"There are: {', '.join(named)}."
        )
    if len(answers_of) < 2:
        raise InvalidInput(
            "Only one column has a model's answers.", hint="Name those of the others too."
        )
    found = []
    for one in columns:
        if one.name in answers_of:
            found.append(replace(one, role="answer", by_arm=False))
        elif one.role in ("answer", "arm"):
            # With its heading it would tell which model wrote it.
            unseen: Literal["hidden", "text"] = "hidden" if NAMED_MODEL.search(one.name) else "text"
            found.append(replace(one, role="group" if one.role == "arm" else unseen, by_arm=False))
        else:
            found.append(replace(one, by_arm=False))
    return found


def _told(columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    found = [
        *list_nested_cells_in_words(rows),
        *list_column_decisions_in_words(columns, rows),
    ]
    if references := list_hidden_columns_of_correct_answers(columns):
        names = ", ".join(f"“{name}”" for name in references)
        compared = any(one.role == "answer" for one in columns)
        found.append(
            f"Reviewers do not see {names}: by its name, such a column may hold what is right"
            " or what others thought of an answer."
            if len(references) == 1
            else f"Reviewers do not see {names}: by their names, such columns may hold what is"
            " right or what others thought of an answer."
        )
        if compared and any(map(is_name_of_person, references)):
            found[-1] += " If one is an answer to judge too, make it the answer of a model."
    return found
