"""Guesses what each column of a table is, from its heading, its cells and what stands beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.studies.own.attached_files import FILES
from medlens.studies.own.blinded_arms import MOST as MOST_ARMS
from medlens.studies.own.columns_in_the_same_few_words import group_columns_by_shared_words
from medlens.studies.own.columns_outside_the_case import (
    Candidate,
    find_columns_to_hide_at_first,
    heading_as_plain_lower_case_words,
    is_address_path_or_hash,
    is_headed_as_answer,
)
from medlens.studies.own.detect_model_answer_columns import (
    is_decision_heading,
    is_machine_text_heading,
    is_name_of_writer,
    is_question_heading,
    list_answer_columns_differing_in_setting,
    list_columns_by_way_of_prompting,
)
from medlens.studies.own.find_and_replace_patient_identifiers import is_identifier_column
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    blank_missing_cells,
    cell_counts_by_word_for_missing_value,
    flatten_nested_cells_of_rows,
    list_columns_of_dialogues,
)
from medlens.studies.own.recognise_model_names import find_model_names_in_text_by_normalised_name
from medlens.studies.own.study_file import (
    MOST,
    UNREADABLE,
)
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    FILE_NAME_BY_ROLE,
    LONGEST_NAME,
    PROSE_ROLES,
    RESERVED_COLUMN_NAMES,
    SHOWN_ROLES,
    TEXT_ROLES,
    Guess,
    Role,
    are_any_columns_shown,
    are_cells_answers_with_places,
    are_cells_dialogues,
    are_cells_weighted_criteria,
    are_texts_to_read,
    can_be_names_of_models,
    cell_as_plain_text,
    differs_within_cases,
    guess_role_from_cells,
    list_filled_cells,
)
from medlens.studies.own.study_file_from_table.columns_about_who_answered import (
    list_columns_about_who_answered,
)
from medlens.studies.own.study_file_from_table.columns_giving_right_answers_away import (
    HEADING_OF_COMMENT,
    HEADING_OF_CRITERIA,
    HEADING_OF_EXPLANATION,
    HEADING_OF_PREDICTION,
    HEADING_OF_WHAT_IS_RIGHT,
    are_cells_lists_of_grades,
    gives_right_answer_away,
    holds_ratings_of_several,
    is_column_of_option_numbers,
    is_column_repeating_options,
    is_expert_answer_heading,
    is_machine_comment_heading,
    list_columns_headed_by_letter,
    list_headings_of_answers_in_question_sets,
    list_hidden_columns_of_correct_answers,
    list_option_columns,
    list_reason_columns_before_answers,
    list_reference_columns_beside_predictions,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    find_case_and_arm_columns,
    find_column_naming_items,
    is_column_naming_cases,
    is_naming_column_with_doubles,
    list_columns_repeating_answers,
    list_models_compared_in_table,
    mark_columns_of_model_answers,
)
from medlens.studies.own.study_file_from_table.headings_of_cases_models_and_programs import (
    HEADING_OF_USAGE_OF_A_REQUEST,
    HEADING_OF_WHAT_IS_READ,
    HEADING_SAYING_WHICH_MODEL,
    LABEL_STUDIO_HEADINGS,
    PRODIGY_HEADINGS,
    PROLIFIC_HEADINGS,
    SIDE_OF_THE_BODY,
    SPEAKERS_IN_CHATS,
    is_file_content_column,
    is_survey_program_heading,
    is_system_prompt_heading,
    is_table_from_mechanical_turk,
    is_table_from_prolific,
    says_how_answer_came_about,
)
from medlens.studies.own.words_as_readers_see_them import text_as_readers_see_it
from medlens.tables.table_place_and_header_in_sheet import SECTION

_LONGEST_ASIDE = 200
"""The mean length in characters of a column on the side, longer ones being what is judged."""
_A_MOMENT = compile_later(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[ T]\d{1,2}:\d\d.{0,24}")
"""A date and a time as forms write it: "2026/03/02 9:14:03 a. m. GMT-6"."""
_CODE_OF_A_QUESTION = compile_later(
    r"(?i)(q|qid|v|var|f|frage|question|item|p)?[ ._-]?\d+(?:[ ._-]*[a-z\d])*"
)


def list_guessed_roles_of_columns(
    rows: Sequence[Mapping[str, Any]], survey_questions: Mapping[str, str] | None = None
) -> list[Guess]:
    """What the columns of a table seem to be, from its first rows; a short column that a survey's
    program calls by a code, by its question.
    """
    rows = flatten_nested_cells_of_rows(rows)
    asked = {
        name: words
        for name, said in (survey_questions or {}).items()
        if _CODE_OF_A_QUESTION.fullmatch(name)
        and (words := " ".join(re.sub(r"<[^<>]*>|&nbsp;", " ", said).split()))
        and not are_texts_to_read(list_filled_cells(rows, name))
    }
    asked = {name: f"{words} [{name}]" for name, words in asked.items()}
    asked = asked or _headings_as_seen(rows)
    if asked:
        called = {words: name for name, words in asked.items()}
        renamed = [{asked.get(name, name): cell for name, cell in row.items()} for row in rows]
        return [
            replace(one, name=called.get(one.name, one.name))
            for one in list_guessed_roles_of_columns(renamed)
        ]
    rows = blank_missing_cells(rows, [*cell_counts_by_word_for_missing_value(rows)])
    names = list(dict.fromkeys(name for row in rows for name in row if name))
    cells = {name: [row.get(name) for row in rows] for name in names}
    of = find_case_and_arm_columns(cells)
    apart = [name for name in names if of and name not in of and not UNREADABLE.search(name)]
    if of and not any(differs_within_cases(cells, name, of[0]) for name in apart):
        of = None
    # A question that is repeated for each model tells cases apart, and is to be read all the same.
    is_named = of is not None and is_column_naming_cases(of[0], cells[of[0]])
    found = []
    # What all arms of a case share is repeated in each of its rows.
    first = {case: at for at, case in reversed([*enumerate(cells[of[0]])])} if of else {}
    options = list_option_columns(cells)
    talks = list_columns_of_dialogues(rows)
    ways = list_answer_columns_differing_in_setting(names)
    ways = [*ways, *list_columns_by_way_of_prompting(names)]
    visits = list_reason_columns_before_answers(names)
    quoted = list_headings_of_answers_in_question_sets(names)
    for name in names:
        by_arm = of is not None and name not in of and differs_within_cases(cells, name, of[0])
        own = cells[name] if by_arm or not of else [cells[name][at] for at in first.values()]
        role: Role = "out" if name in ("illustrative", "dataset") else guess_role_from_cells(own)
        if (
            role == "table"
            and HEADING_OF_CRITERIA.search(heading_as_plain_lower_case_words(name))
            and are_cells_weighted_criteria(own)
        ):
            role = "criteria"
        if (
            name in talks
            and role != "criteria"
            and are_cells_dialogues(filter(cell_as_plain_text, own))
        ):
            role = "dialogue"
        if role == "criteria" and by_arm:
            role = "hidden"
        named = [text for text in map(cell_as_plain_text, own) if text]
        if (
            role in ("record", "group")
            and HEADING_SAYING_WHICH_MODEL.search(name)
            and can_be_names_of_models(named)
        ):
            # An arm may be a limb.
            role = "record" if all(map(SIDE_OF_THE_BODY.fullmatch, named)) else "group"
        if role == "group" and (by_arm or HEADING_OF_WHAT_IS_READ.search(name)):
            # What a model answered is what is judged, however few answers there are.
            role = "record"
        if is_survey_program_heading(name) and (
            role in ("record", "group") or (named and all(map(_A_MOMENT.fullmatch, named)))
        ):
            role = "hidden"
        is_key = is_column_repeating_options(name, cells, options) or is_column_of_option_numbers(
            name, cells, options
        )
        is_key = is_key or name in quoted or are_cells_answers_with_places(own)
        gives_away = name not in (*ways, *visits) and gives_right_answer_away(
            name, role, by_arm=by_arm
        )
        if of and not by_arm and role in SHOWN_ROLES and is_expert_answer_heading(name):
            gives_away = True
        if gives_away or is_key:
            # Whoever sees what is right does not judge by themselves.
            role = "group" if role == "record" else "hidden"
        if role == "table" and are_cells_lists_of_grades(own):
            role = "hidden"
        if role in SHOWN_ROLES and any(map(_DECIDED_IN_NOTES.fullmatch, named)):
            role = "hidden"
        if role in SHOWN_ROLES and (
            holds_ratings_of_several(name, cells) or HEADING_OF_USAGE_OF_A_REQUEST.search(name)
        ):
            role = "hidden"
        if role in SHOWN_ROLES and is_system_prompt_heading(name):
            # What is the same in all rows belongs to no case.
            role = "hidden" if talks or (len(named) > 1 and len(set(named)) == 1) else role
        if (
            heading_as_plain_lower_case_words(name).split()[-1:] == ["role"]
            and {*filter(None, map(cell_as_plain_text, own))} <= SPEAKERS_IN_CHATS
        ):
            role = "out"
        if is_file_content_column(name, names):
            role = "out"
        if of and name == of[1]:
            role = "arm"
        elif of and is_named and name == of[0]:
            role = "id"
        found.append(Guess(name, role, by_arm))
    if any(one.role == "record" for one in found if one.name in options):
        # A long option stays in one list with the others.
        found = [
            replace(o, role="record") if o.name in options and o.role in PROSE_ROLES else o
            for o in found
        ]
    if {name.casefold() for name in names} >= LABEL_STUDIO_HEADINGS:
        # What was chosen stands beside the texts, under headings of any kind.
        found = [replace(o, role="group") if o.role == "record" else o for o in found]
    if set(names) >= PRODIGY_HEADINGS:
        found = [replace(o, role="hidden") if _OF_PRODIGY.match(o.name) else o for o in found]
    answers: set[str] = set()
    if not of:
        found = mark_columns_of_model_answers(found, cells)
        answers = {one.name for one in found if one.role == "answer"}
        found = [
            replace(one, role="hidden")
            if is_naming_column_with_doubles(one, cells[one.name])
            else one
            for one in found
        ]
        if name := find_column_naming_items(found, cells):
            found = [Guess(o.name, "id" if o.name == name else o.role) for o in found]
    found = _without_what_gives_models_away(found, rows)
    found = _without_what_raters_chose(found, rows)
    copies = list_columns_repeating_answers(found, rows, SHOWN_ROLES, options)
    found = [replace(one, role="hidden") if one.name in copies else one for one in found]
    found = _with_account_that_is_only_text(found, rows)
    found = _without_what_stands_beside(found, rows)
    found = _without_what_several_said(found, rows)
    found = _with_comments_of_machines(found, rows)
    found = _with_references_beside_predictions(found, rows)
    found = _with_titles_that_ask(found, rows)
    found = _without_what_prolific_keeps(found)
    found = _without_what_is_said_of_who_answered(found, cells)
    found = _without_what_mechanical_turk_collected(found, rows)
    if found and not answers and not any(one.role in SHOWN_ROLES for one in found):
        rest = [one for one in found if one.role not in ("id", "arm")]
        references = list_hidden_columns_of_correct_answers(rest)
        tell = [one.name for one in rest if HEADING_SAYING_WHICH_MODEL.search(one.name)]
        rest = [one for one in rest if one.name not in (*references, *tell)] or rest
        rest = rest or [one for one in found if one.role != "arm"]
        rest = [one for one in rest if any(map(cell_as_plain_text, cells[one.name]))]
        about = list_columns_about_who_answered(cells)
        rest = [one for one in rest if one.name not in about] or rest
        rest = _comments_that_are_the_only_texts(found, rest, rows) or rest
        most = max(rest, key=_width(cells), default=None)
        found = [Guess(o.name, "text", o.by_arm) if o is most else o for o in found]
    return _that_a_study_can_keep(found)


def _comments_that_are_the_only_texts(
    guessed: Sequence[Guess], others: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The comments that are texts to read in a table where none of the ``others`` is one: they are
    what people wrote, and what is judged.
    """

    def is_read(one: Guess) -> bool:
        texts = list_filled_cells(rows, one.name)
        return are_texts_to_read(texts) and not all(map(is_address_path_or_hash, texts))

    if any(map(is_read, others)):
        return []
    return [
        one
        for one in guessed
        if one.role == "hidden"
        and HEADING_OF_COMMENT.search(heading_as_plain_lower_case_words(one.name))
        and is_read(one)
    ]


def _headings_as_seen(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The headings that are written otherwise than readers see them, with what these see; without
    those that look like another one.
    """
    names = list(dict.fromkeys(name for row in rows for name in row if name))
    seen = {name: text_as_readers_see_it(name) for name in names}
    often = Counter(seen.values())
    return {name: own for name, own in seen.items() if own != name and often[own] == 1}


def _with_titles_that_ask(guessed: list[Guess], rows: Sequence[Mapping[str, Any]]) -> list[Guess]:
    """The guesses, with what stands above the rows of each case shown, if it is a text and nothing
    else that the models share is: it is what they were asked.
    """
    if any(one.role in TEXT_ROLES and not one.by_arm for one in guessed):
        return guessed
    asks = [
        one.name
        for one in guessed
        if one.name == SECTION
        and not one.by_arm
        and one.role in ("hidden", "group", "record")
        and any(other.by_arm for other in guessed)
        and are_texts_to_read(texts := list_filled_cells(rows, one.name))
        and len(set(texts)) > 1
    ]
    return [replace(one, role="text") if one.name in asks else one for one in guessed]


def _without_what_prolific_keeps(guessed: list[Guess]) -> list[Guess]:
    if not is_table_from_prolific(guessed):
        return guessed
    return [
        replace(one, role="hidden")
        if one.role == "record" and heading_as_plain_lower_case_words(one.name) in PROLIFIC_HEADINGS
        else one
        for one in guessed
    ]


def _without_what_is_said_of_who_answered(
    guessed: list[Guess], cells: Mapping[str, list[Any]]
) -> list[Guess]:
    """The guesses, without what a survey says of the person who answered: beside a case, the age
    would be taken for the patient's.
    """
    about = list_columns_about_who_answered(cells)
    return [
        replace(one, role="hidden") if one.role == "record" and one.name in about else one
        for one in guessed
    ]


_ASKED_BY_MECHANICAL_TURK = compile_later(
    r"(?i)title|description|keywords|reward|max ?assignments|number ?of ?similar ?hits"
    r"|requester ?annotation|(?:creation|expiration|approval|rejection) ?time|expiration"
)
_FROM_A_WORKER = compile_later(r"(?i)answer\.|approve$|reject$|last\d+days")


def _without_what_mechanical_turk_collected(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with what earlier workers answered not shown, and what the task was called and
    paid. Long texts of workers stay where nothing they were given is an answer: they are judged.
    """
    if not is_table_from_mechanical_turk(guessed):
        return guessed
    given = [one for one in guessed if one.name.casefold().startswith("input.")]
    judged = [
        one
        for one in given
        if one.role == "answer"
        or (one.role in PROSE_ROLES and is_headed_as_answer(one.name.partition(".")[2].casefold()))
    ]

    def role_of(one: Guess) -> Role:
        collected = _FROM_A_WORKER.match(one.name)
        if collected and not judged and are_texts_to_read(list_filled_cells(rows, one.name)):
            return one.role
        if not collected and not _ASKED_BY_MECHANICAL_TURK.fullmatch(one.name):
            return one.role
        if one.role == "out":
            return "out"
        return "group" if one.role in ("record", "group") else "hidden"

    return [replace(one, role=role_of(one)) for one in guessed]


def _with_references_beside_predictions(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with an "answer" beside a "prediction" not shown: it is what is right."""
    names = {
        one.name: heading_as_plain_lower_case_words(one.name)
        for one in guessed
        if list_filled_cells(rows, one.name)
    }
    said = [name for name, words in names.items() if HEADING_OF_PREDICTION.fullmatch(words)]
    plain = list_reference_columns_beside_predictions([*names])
    compared = any(one.role in ("answer", "arm") for one in guessed)
    if compared or not plain:
        return guessed
    whole = [name for name in said if are_texts_to_read(list_filled_cells(rows, name))] or said

    def role_of(one: Guess) -> Role:
        if one.name in plain and one.role in SHOWN_ROLES:
            return "group" if one.role == "record" else "hidden"
        if one.name in whole and one.role in ("hidden", "group"):
            return "text"
        return one.role

    return [replace(one, role=role_of(one)) for one in guessed]


_A_CHOICE = compile_later(
    r"(?i)((strongly|somewhat|slightly|mostly|completely|fully|totally|partly|partially|rather) )?"
    r"(dis)?agree(d|s)?( (strongly|somewhat|slightly|mostly|completely|fully|partly|partially))?"
    r"|i (dis)?agree|(do )?not agree"
    r"|stimm(e|t) ((voll|eher|teilweise|gar|überhaupt) ){0,3}(nicht )?zu"
    r"|trifft ((voll|eher|teilweise|gar|überhaupt) ){0,3}(nicht )?zu"
    r"|((totalmente|muy|parcialmente|bastante) )?(de acuerdo|en desacuerdo)"
    r"|(tout à fait|plutôt|pas du tout|pas|partiellement) d[’']accord|d[’']accord|pas d[’']accord"
    r"|(molto |del tutto |parzialmente )?(d[’']accordo|in disaccordo)"
    r"|(helemaal |deels )?(mee )?(on)?eens|(concordo|discordo)( (totalmente|parcialmente))?"
)
"""What people who were asked about an answer chose, in the words of a scale."""
_NO_CHOICE = compile_later(
    r"(?i)neutral|neither( agree nor disagree)?|undecided|unsure|not sure|don[’']?t know|weiß nicht"
    r"|unentschieden|neutre|indeciso|neither .{0,30}|teils[ ,/-]*teils|n/?a"
)


def _without_what_raters_chose(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with what participants chose about a text not shown ("agree", "disagree"), where
    a text is headed as the answer, or two texts are shown.
    """
    read = [one for one in guessed if one.role in (*TEXT_ROLES, "answer")]
    long = [
        one
        for one in read
        if one.role == "answer" or are_texts_to_read(list_filled_cells(rows, one.name))
    ]
    arms = any(one.by_arm for one in guessed)
    headed = [
        one
        for one in long
        if one.role == "answer"
        or (
            is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
            or is_machine_text_heading(one.name)
        )
    ]
    if not headed and len(long) < 2:
        return guessed

    def is_choice(one: Guess) -> bool:
        if one.role != "record" or (arms and one.by_arm and not any(o.by_arm for o in long)):
            return False
        cells = [text.strip() for text in list_filled_cells(rows, one.name)]
        chosen = [bool(_A_CHOICE.fullmatch(cell)) for cell in cells]
        return any(chosen) and all(
            is_one or _NO_CHOICE.fullmatch(cell) for is_one, cell in zip(chosen, cells, strict=True)
        )

    return [replace(one, role="group") if is_choice(one) else one for one in guessed]


def _without_what_gives_models_away(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with columns on the side not shown that name a model that is compared, or say
    how an answer came about. What is to be read stays, however it is worded.
    """
    compared = list_models_compared_in_table(guessed, rows)
    cells = {one.name: list_filled_cells(rows, one.name) for one in guessed}
    longest = max(
        (one for one in guessed if one.by_arm and one.role in SHOWN_ROLES),
        key=lambda one: sum(map(len, cells[one.name])),
        default=None,
    )

    judged = next(
        (
            one
            for one in guessed
            if one.role in SHOWN_ROLES
            and is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
            and are_texts_to_read(cells[one.name])
        ),
        None,
    )

    def is_on_the_side(one: Guess) -> bool:
        length = sum(map(len, cells[one.name])) / max(len(cells[one.name]), 1)
        # A reviewer's browser never gets the name of a file.
        seen = one.role in SHOWN_ROLES and one.role not in FILE_NAME_BY_ROLE
        return seen and one is not longest and length <= _LONGEST_ASIDE

    def role_of(one: Guess) -> Role:
        if not is_on_the_side(one):
            return one.role
        how = bool(compared) and says_how_answer_came_about(one.name, cells[one.name])
        if one.role == "record" and cells[one.name]:
            named = {cell for cell in cells[one.name] if len(cell) <= LONGEST_NAME}
            if len(named) <= MOST_ARMS and all(map(is_name_of_writer, cells[one.name])):
                return "group"
        asked = (one is judged or bool(HEADING_OF_WHAT_IS_READ.search(one.name))) and not how
        if asked or not (
            how or find_model_names_in_text_by_normalised_name("\n".join(cells[one.name]), compared)
        ):
            return one.role
        return "group" if one.role == "record" else "hidden"

    found = [replace(one, role=role_of(one)) for one in guessed]
    return found if are_any_columns_shown(found) else guessed


def _with_comments_of_machines(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with a machine's comment shown in a table that has no answer to judge."""
    headed = any(
        one.role in ("answer", "arm")
        or (
            one.role in SHOWN_ROLES
            and is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
        )
        for one in guessed
    )
    comments = [
        one.name
        for one in guessed
        if one.role in ("group", "hidden") and is_machine_comment_heading(one.name)
    ]
    texts = {name: list_filled_cells(rows, name) for name in comments}
    said = [name for name, own in texts.items() if 2 * sum(" " in one for one in own) > len(own)]
    if headed or len(said) != 1:
        return guessed
    role = guess_role_from_cells(texts[said[0]])
    role = role if role in TEXT_ROLES else "record"
    return [replace(one, role=role) if one.name in said else one for one in guessed]


def _with_account_that_is_only_text(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with the one column of explanations shown where a table has no other text, no
    question and no answer: the explanations of terms are what is judged.
    """
    words = {one.name: heading_as_plain_lower_case_words(one.name) for one in guessed}
    hidden = [
        one
        for one in guessed
        if one.role == "hidden" and HEADING_OF_EXPLANATION.search(words[one.name])
    ]
    if len(hidden) != 1 or not are_texts_to_read(list_filled_cells(rows, hidden[0].name)):
        return guessed
    for one in guessed:
        asks = is_question_heading(one.name) or is_headed_as_answer(words[one.name])
        reads = one.role in (*PROSE_ROLES, "dialogue", "table", *FILE_NAME_BY_ROLE, "answer", "arm")
        if one is not hidden[0] and (
            asks or reads or HEADING_OF_WHAT_IS_RIGHT.search(words[one.name])
        ):
            return guessed
    return [replace(one, role="text") if one is hidden[0] else one for one in guessed]


def _without_what_stands_beside(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with what does not belong to the case not shown."""
    shown = [one for one in guessed if one.role in (*SHOWN_ROLES, "answer")]
    beside = find_columns_to_hide_at_first(list_candidates_to_hide(shown, rows))
    return [
        replace(one, role="group" if one.role == "group" else "hidden")
        if one.name in beside
        else one
        for one in guessed
    ]


def group_columns_in_which_several_judged(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[list[str]]:
    """The columns, in lists, that say the same few words of the cases, where at least two of a list
    are not shown though no heading says that they hold what is right: several judged each case.
    """
    keys = list_hidden_columns_of_correct_answers(columns)
    side = {one.name: one for one in columns if one.role in ("record", "group", "hidden")}
    unsaid = [
        name
        for name, one in side.items()
        if one.role != "record" and name not in keys and not HEADING_SAYING_WHICH_MODEL.search(name)
    ]
    groups = group_columns_by_shared_words({name: list_filled_cells(rows, name) for name in side})
    return [group for group in groups if sum(name in unsaid for name in group) >= 2]


def _without_what_several_said(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with none of the columns shown that say of each case what several others say
    that are not: one may be right, and the heading names who said it. What a machine or an answer
    is headed as stays, as it may be what is judged.
    """
    options = list_option_columns({one.name: [] for one in guessed})
    alike = {
        name
        for group in group_columns_in_which_several_judged(guessed, rows)
        for name in group
        if name not in options
        and not is_machine_text_heading(name)
        and not is_headed_as_answer(heading_as_plain_lower_case_words(name))
    }
    found = [
        replace(one, role="group")
        if one.role == "record" and not one.by_arm and one.name in alike
        else one
        for one in guessed
    ]
    return found if are_any_columns_shown(found) else guessed


def list_candidates_to_hide(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Candidate]:
    """What the columns look like to whoever decides which of them stand beside the case, one
    for each column, in their order.
    """
    options = {
        *list_option_columns({one.name: [] for one in columns}),
        *list_columns_headed_by_letter(columns),
    }
    read: tuple[Role, ...] = (*TEXT_ROLES, *FILE_NAME_BY_ROLE)
    # A table is what is judged where there is nothing else to read.
    read = read if any(one.role in read for one in columns) else ("table",)
    return [
        Candidate(
            one.name,
            heading_as_plain_lower_case_words(one.name),
            cells := list_filled_cells(rows, one.name),
            long=one.role in read and (one.role not in PROSE_ROLES or are_texts_to_read(cells)),
            answer=one.role == "answer",
            by_arm=one.by_arm,
            decides=is_decision_heading(one.name),
            belongs=one.name in options or one.role in ("dialogue", *FILE_NAME_BY_ROLE),
            identifies=one.role in ("record", "group") and is_identifier_column(cells, one.name),
            says_how=says_how_answer_came_about(one.name, cells),
        )
        for one in columns
    ]


_DECIDED_IN_NOTES = compile_later(
    r"(?s).*\b(?:RAYYAN-)?(?:INCLUSION|EXCLUSION-REASONS)\s*:.*"
    r"|\s*\{\s*(?:[\"'][^\"']{1,40}[\"']\s*=>\s*[\"'][^\"']{1,40}[\"']\s*(?:,\s*)?)+\}.*"
)
"""What programs for reviews write into notes: who included a title, and why another did not."""
_OF_PRODIGY = compile_later(r"(accept|answer|spans|relations)$|_")
"""Columns of what Prodigy exports, and what annotators chose there."""


def _that_a_study_can_keep(guessed: Sequence[Guess]) -> list[Guess]:
    """The guesses, with columns left out whose names a study cannot hold, and too many of them."""
    arms = any(one.role in ("arm", "answer") for one in guessed)
    found = []
    kept = 0
    for one in guessed:
        strange = UNREADABLE.search(one.name) or not one.name.strip()
        reserved = one.name == FILES or (arms and one.name in RESERVED_COLUMN_NAMES)
        fits = kept < MOST or one.role in ("id", "arm", "answer")
        unkept = strange or (reserved and one.role not in ("id", "arm")) or not fits
        found.append(replace(one, role="out") if unkept else one)
        kept += found[-1].role != "out"
    return found


def _width(cells: Mapping[str, list[Any]]) -> Any:
    return lambda one: sum(len(str(cell)) for cell in cells[one.name])
