"""Notes, in sentences, on answers that are compared, or that seem to be there to be compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.studies.own.answers_headed_as_of_machine_and_person import (
    list_answers_headed_as_of_machine_and_person,
)
from medlens.studies.own.blinded_arms import MOST as MOST_ARMS
from medlens.studies.own.columns_outside_the_case import (
    heading_as_plain_lower_case_words,
    is_address_path_or_hash,
    is_headed_as_answer,
)
from medlens.studies.own.detect_model_answer_columns import (
    NAMED_MODEL,
    THOUGHTS,
    find_column_of_preferred_answers,
    find_machines_version_of_a_text,
    initials_by_column,
    is_machine_text_heading,
    is_name_of_writer,
    list_columns_headed_alike,
    list_columns_headed_like_a_machines,
    list_file_headings_differing_in_one_part,
    list_headings_of_each_part_of_answers,
    list_machine_and_person_headings_of_a_text,
    make_arm_names,
    may_be_initials,
    model_names_by_letter_or_number,
    normalise_model_name,
    versions_by_heading_beside_answers,
)
from medlens.studies.own.error_messages_and_no_answer_phrases import (
    is_error_message_of_a_program,
    says_that_there_is_no_answer,
)
from medlens.studies.own.headings_of_persons_and_machines import is_made_from_other_text
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    blank_missing_cells,
    cell_counts_by_word_for_missing_value,
)
from medlens.studies.own.model_giveaways import columns_and_rows_in_words
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    FILE_NAME_BY_ROLE,
    PROSE_ROLES,
    SHORTEST_TEXT_TO_READ,
    SHOWN_ROLES,
    TEXT_ROLES,
    Guess,
    are_texts_to_read,
    cell_as_plain_text,
    list_filled_cells,
    mean_length_of_texts,
)
from medlens.studies.own.study_file_from_table.columns_giving_right_answers_away import (
    HEADING_OF_PLAIN_ANSWER,
    HEADING_OF_VERDICT,
    list_hidden_columns_of_correct_answers,
    list_reference_columns_beside_predictions,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    MOST_NAMES_LISTED,
    MOST_RATIO_OF_LENGTHS_SIDE_BY_SIDE,
    MOST_RATIO_OF_LENGTHS_UNDER_LIKE_HEADINGS,
    SHORTEST_ANSWER_SIDE_BY_SIDE,
    are_numbered_names_of_one_model,
    find_columns_there_for_each_answer,
    is_column_naming_models_alone,
    list_columns_naming_models,
    list_models_compared_in_table,
    models_named_in_column_in_words,
)
from medlens.studies.own.study_file_from_table.headings_of_cases_models_and_programs import (
    HEADING_OF_IDS,
    HEADING_OF_PART_OF_A_CASE,
    HEADING_OF_WHAT_IS_READ,
    HEADING_SAYING_WHICH_MODEL,
    is_system_prompt_heading,
    says_how_answer_came_about,
)
from medlens.tables.file_kind_and_lines import shorten_value
from medlens.tables.reshape_cases_and_models import list_case_and_model_of_each_name

_SHORTEST_NAME = 2


def note_models_without_cases(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on a column that names another model in each row, where nothing says which rows
    are of one case.
    """
    read = [
        one
        for one in columns
        if one.role in SHOWN_ROLES and are_texts_to_read(list_filled_cells(rows, one.name))
    ]
    named = any(one.role in ("answer", "arm", "id") for one in columns)
    # Beside a question of its own each answer is a case.
    if named or len(read) != 1 or len(rows) < 2:
        return []
    for one in columns:
        texts = list_filled_cells(rows, one.name)
        if one.role == "out" or len(set(texts)) < 2 or len(texts) < len(rows):
            continue
        if not is_column_naming_models_alone(one.name, texts):
            continue
        return [
            f"“{one.name}” names a model in each row, and nothing says which rows belong to the"
            " same case: each answer is judged alone. To compare the models, add a column “case”"
            " with the same number in each row of a case."
        ]
    return []


def note_answer_given_twice(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    case: str,
    number_of_row: Callable[[int], int],
) -> str:
    """A sentence on the rows that keep models from being compared, since one of them has answered a
    case twice; "" if that is not why.
    """
    if any(one.role in ("arm", "answer") for one in columns):
        return ""
    for one in columns:
        if one.role not in ("group", "hidden") or not HEADING_SAYING_WHICH_MODEL.search(one.name):
            continue
        places: dict[tuple[str, str], list[int]] = {}
        for at, row in enumerate(rows, 1):
            places.setdefault(
                (cell_as_plain_text(row.get(case)), cell_as_plain_text(row.get(one.name))), []
            ).append(at)
        twice = {pair: of for pair, of in places.items() if len(of) > 1}
        cases = Counter(name for name, _ in places)
        several = sum(count > 1 for count in cases.values())
        if not twice or 2 * several < len(cases):
            continue
        if 2 * len(twice) > len(places):
            read = [o.name for o in columns if o.role in TEXT_ROLES]
            # Rows of several raters or criteria repeat the answer itself.
            differ = [
                len({tuple(cell_as_plain_text(rows[at - 1].get(o)) for o in read) for at in of}) > 1
                for of in twice.values()
            ]
            if cases[""] or not all(model for _, model in places) or not all(differ):
                continue
            return _told_of_repeated_runs(columns, rows, case, one.name, twice, number_of_row)
        (name, model), of = next(iter(twice.items()))
        listed = " and ".join(f"{number_of_row(at):,}" for at in of[:MOST_NAMES_LISTED])
        more = f" (and {len(twice) - 1:,} more like it)" * (len(twice) > 1)
        return (
            f"“{model}” has answered “{shorten_value(name)}” more than once, in rows {listed}"
            f"{more}. Leave all but one out of your table, and the models of “{one.name}” are"
            " compared; as it is, each row is an item of its own, and they are numbered."
        )
    return ""


_OF_RUNS = compile_later(
    r"(run|runde|lauf|durchlauf|repetition|repeat|replicate|replication|replikat|wiederholung|trial"
    r"|versuch|attempt|try|seed|iteration|round|session|sample|corrida|repeticion|intento|ejecucion"
    r"|essai|repetition|passage|tirage|prova|ripetizione|rodada|tentativa|herhaling|poging)"
    r"( ?(id|nr|no|number|nummer|num|index|idx|n|\d))?"
)
"""Headings, in words, of what tells apart the runs in which one model answered one question."""


def _told_of_repeated_runs(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    case: str,
    arm: str,
    twice: Mapping[tuple[str, str], Sequence[int]],
    number_of_row: Callable[[int], int],
) -> str:
    """A sentence on models that have answered most cases several times, as in repeated runs: which
    columns tell the runs apart, and how to have the models compared.
    """
    (name, model), of = next(iter(twice.items()))
    listed = ", ".join(f"{number_of_row(at):,}" for at in of[:MOST_NAMES_LISTED])
    told = (
        f"Each model of “{arm}” has answered most of “{case}” more than once, such as “{model}”"
        f" “{shorten_value(name)}” in rows {listed}"
    )
    apart = [
        one.name
        for one in columns
        if _OF_RUNS.fullmatch(heading_as_plain_lower_case_words(one.name))
        and all(
            len({cell_as_plain_text(rows[at - 1].get(one.name)) for at in places}) == len(places)
            for places in twice.values()
        )
    ]
    which = ""
    if apart:
        runs = " and ".join(f"“{one}”" for one in apart)
        told += f"; {runs} {'tells' if len(apart) == 1 else 'tell'} these runs apart"
        first = cell_as_plain_text(rows[of[0] - 1].get(apart[0]))
        which = f", such as the rows with “{shorten_value(first)}” in “{apart[0]}”"
    return (
        f"{told}. Each row is an item of its own, judged alone, and they are numbered. To have the"
        f" models compared, keep one answer of each to each case{which}, or make a study of each"
        " run."
    )


def note_models_in_item_names(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on names of items that hold a case and a model, where nothing is compared."""
    item = next((one.name for one in columns if one.role == "id"), "")
    if not item:
        # Names of models are kept with the item.
        item = next(
            (
                o.name
                for o in columns
                if o.role in ("group", "hidden") and HEADING_OF_IDS.search(o.name)
            ),
            "",
        )
    names = [cell_as_plain_text(row.get(item)) for row in rows] if item else []
    compared = any(one.role in ("answer", "arm") for one in columns)
    if names and are_numbered_names_of_one_model(names):
        return [
            f"The names in “{item}” hold a model's name, such as “{names[0]}”. Reviewers never see"
            " what items are called."
        ]
    if compared or not names or not list_case_and_model_of_each_name(names, is_name_of_writer):
        return []
    return [
        f"The names in “{item}” seem to hold a case and a model, such as “{names[0]}”, and each is"
        " judged alone. To compare the models, write them into a column of their own, “model”, with"
        " the same name of a case in each row of it."
    ]


def note_possible_versions_to_compare(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on texts that are shown one below the other and may be what is to be compared."""
    roles = {one.name: one.role for one in columns}
    shown = [name for name, role in roles.items() if role in ("text", "markdown", "record")]
    answers = [name for name, role in roles.items() if role == "answer"]
    version = find_machines_version_of_a_text([*shown, *answers])
    if version and is_made_from_other_text(
        version, *(list_filled_cells(rows, name) for name in (version.machine, version.other))
    ):
        if roles[version.other] == "answer":
            return []
        return [
            f"“{version.other}” is shown as the text that “{version.machine}” was made from, as it"
            " is much longer. If they are versions of one text to compare, make each the answer of"
            " one model (--answer-of on the command line): reviewers then see them in a drawn"
            " order, without headings."
        ]
    if any(
        one.role in ("answer", "arm") for one in columns
    ) or list_answers_headed_as_of_machine_and_person(shown):
        # What headings give away is told with what else gives a model away.
        return []
    read = [
        one.name
        for one in columns
        if one.role in ("text", "markdown") and are_texts_to_read(list_filled_cells(rows, one.name))
    ]
    by_whom = list_machine_and_person_headings_of_a_text(
        read
    ) or list_columns_headed_like_a_machines(read)
    by_whom = by_whom or ([version.other, version.machine] if version else [])
    alike = by_whom or list_columns_headed_alike(read)
    for role in FILE_NAME_BY_ROLE:
        alike = alike or list_file_headings_differing_in_one_part(
            [o.name for o in columns if o.role == role]
        )
    alike = alike or _texts_of_one_length(read, rows) or _two_short_answers(columns)
    if not alike:
        return []
    listed = " and ".join(f"“{name}”" for name in alike)
    says = ", which say who wrote which" if by_whom else ""
    return [
        f"{listed} are shown together, with their headings{says}, as parts of one case. If they are"
        " answers to compare, make each the answer of one model (--answer-of on the command line):"
        " reviewers then see them in a drawn order, without headings."
    ]


def _two_short_answers(columns: Sequence[Guess]) -> list[str]:
    """The two columns in one list with others that are headed alike as answers; more of them are
    options to choose from.
    """
    short = [one.name for one in columns if one.role == "record"]
    short = [name for name in short if is_headed_as_answer(heading_as_plain_lower_case_words(name))]
    return list_columns_headed_alike(short) if len(short) == 2 else []


def note_rows_with_nothing_to_judge(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """A sentence on rows without any model's answer and without a text, though not empty: a legend
    below the table, or a heading between its rows.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    read = [*answers, *(one.name for one in columns if one.role in (*TEXT_ROLES, "dialogue"))]
    shown = [one.name for one in columns if one.role in (*SHOWN_ROLES, "answer")]
    bare = [
        at
        for at, row in enumerate(rows, 1)
        if not any(cell_as_plain_text(row.get(name)) for name in read)
        and sum(bool(cell_as_plain_text(row.get(name))) for name in shown) > 1
    ]
    if len(answers) < 2 or not bare or 2 * len(bare) > len(rows):
        return []
    numbers = [f"{number_of_row(at):,}" for at in bare]
    listed = ", ".join(numbers[:MOST_NAMES_LISTED])
    more = f" and {len(numbers) - MOST_NAMES_LISTED:,} more" * (len(numbers) > MOST_NAMES_LISTED)
    one = len(bare) == 1
    return [
        f"{'Row' if one else 'Rows'} {listed}{more} {'has' if one else 'have'} no answer of any"
        f" model and no text, as a legend or a heading between rows: {'it' if one else 'they'}"
        f" would be {'an item' if one else 'items'} all the same. Leave {'it' if one else 'them'}"
        " out (--leave-out-rows on the command line)."
    ]


_LEAST_ROWS_OF_A_NAMING = 2


def note_rows_with_other_columns(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on two sets of texts of which each row has one alone, as where two programs wrote
    to one file and call the same things otherwise ("question", "answer"; "prompt", "response").
    """
    read = [
        one.name
        for one in columns
        if one.role in (*TEXT_ROLES, "answer")
        or (one.role != "out" and are_texts_to_read(list_filled_cells(rows, one.name)))
    ]
    models = [
        one.name
        for one in columns
        if one.name not in read
        and one.role in ("arm", "group", "hidden")
        and HEADING_SAYING_WHICH_MODEL.search(one.name)
    ]
    filled = {
        name: {at for at, row in enumerate(rows) if cell_as_plain_text(row.get(name))}
        for name in (*read, *models)
    }
    sets: list[tuple[list[str], set[int]]] = []
    for name, own in filled.items():
        beside = [one for one in sets if one[1] & own]
        names = [*(other for one in beside for other in one[0]), name]
        sets = [one for one in sets if one not in beside]
        sets.append((names, own.union(*(one[1] for one in beside))))
    sets = [(names, own) for names, own in sets if own]
    if len(sets) != 2 or any(
        len(names) < 2 or len(own) < _LEAST_ROWS_OF_A_NAMING or not {*names} & {*read}
        for names, own in sets
    ):
        return []
    order = [one.name for one in columns]
    sets.sort(key=lambda one: min(one[1]))
    listed = [
        ", ".join(f"“{name}”" for name in sorted(names, key=order.index)) for names, _ in sets
    ]
    first, second = (
        f"{len(own):,} rows have {said}" for said, (_, own) in zip(listed, sets, strict=True)
    )
    return [
        f"{first}, and {second} instead: no row has both. If these are the same things under two"
        " names, give each one name in your table; then rows of the same question are one case, and"
        " its answers can be compared."
    ]


def note_further_parts_of_answers(columns: Sequence[Guess], answers: Sequence[str]) -> list[str]:
    """A sentence on columns that are not shown and are headed as one of the answers that are
    compared, with another number or another kind of decision: "GPT-4 dx1" beside "GPT-4 dx2", "Dx 1
    (o1)" beside "Dx 2 (o1)", "gpt4_plan" beside "gpt4_diagnosis".
    """
    hidden = [one.name for one in columns if one.role in ("group", "hidden")]
    ends = re.compile(r"[ ._#-]*\d{1,2}(?:\s*$|(?=\s*[(\[]))")
    bare = {name: ends.sub("", name).strip().casefold() for name in answers}
    parts: list[str] = []
    if len(set(bare.values())) == len(answers) and any(map(ends.search, answers)):
        parts = [
            name
            for name in hidden
            if ends.search(name) and ends.sub("", name).strip().casefold() in bare.values()
        ]
    if not parts:
        groups = list_headings_of_each_part_of_answers([one.name for one in columns])
        if any({*answers} == {*of} for of in groups):
            parts = [name for name in hidden if any(name in of for of in groups)]
    if not parts:
        return []
    listed = ", ".join(f"“{name}”" for name in parts)
    compared = " and ".join(f"“{name}”" for name in answers)
    return [
        f"Only {compared} are compared: {listed} seem to be further parts of the same answers, and"
        " reviewers do not see them. Write all parts of a model's answer into one cell, a line for"
        " each."
    ]


def _texts_of_one_length(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of long texts of about one length whose headings do not say that they are parts
    of a case, or the answer beside what it is about: answers of several, perhaps.
    """
    left = [
        name
        for name in names
        if not HEADING_OF_PART_OF_A_CASE.search(heading_as_plain_lower_case_words(name))
    ]
    means = {name: mean_length_of_texts(list_filled_cells(rows, name)) for name in left}
    longest = max(means.values(), default=0)
    alike = [
        name
        for name in left
        if MOST_RATIO_OF_LENGTHS_SIDE_BY_SIDE * means[name]
        >= longest
        >= SHORTEST_ANSWER_SIDE_BY_SIDE
    ]
    headed = [is_headed_as_answer(heading_as_plain_lower_case_words(name)) for name in alike]
    return alike if len(alike) > 1 and (all(headed) or not any(headed)) else []


def note_answers_by_position(
    columns: Sequence[Guess], answers: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on answers that stand under A and B whichever model wrote them."""
    if not answers or find_column_of_preferred_answers(answers):
        return []
    beside = find_columns_there_for_each_answer([one.name for one in columns], answers)
    naming = [
        one.name
        for one in columns
        if one.name in beside
        and (
            HEADING_SAYING_WHICH_MODEL.search(one.name)
            or all(map(is_name_of_writer, list_filled_cells(rows, one.name) or [""]))
        )
        and not HEADING_OF_VERDICT.search(heading_as_plain_lower_case_words(one.name))
    ]
    if key := _key_that_changes(columns, answers, rows):
        return [
            f"“{key}” says which model wrote which answer, in a different order from row to row: "
            f"what is compared is one column with another, not one model with"
            " another. For models, use a table with a row for each answer and its model, or a"
            " column for each model."
        ]
    models = {name: set(list_filled_cells(rows, name)) for name in naming}
    if len(naming) < len(answers) or max(map(len, models.values()), default=0) < 2:
        return []
    listed = " and ".join(f"“{name}”" for name in naming)
    count = len(set().union(*models.values()))
    return [
        f"{listed} name {count:,} models, a different one from row to row: what is compared is the"
        " first answer with the second, not one model with another. For models, use a table with a"
        " row for each answer and its model, or a column for each model."
    ]


def _key_that_changes(
    columns: Sequence[Guess], answers: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> str:
    """The column whose cells say which model is A and which B, the same models in another order in
    some rows; "" for none.
    """
    for one in columns:
        if one.role in ("answer", "id"):
            continue
        given = [
            model_names_by_letter_or_number(cell) for cell in list_filled_cells(rows, one.name)
        ]
        held = {tuple(sorted(map(normalise_model_name, keys.values()))) for keys in given}
        if not given or len(held) != 1 or len(set(min(held))) < len(answers):
            continue
        orders = {tuple(sorted(keys.items())) for keys in given}
        if len(orders) > 1:
            return one.name
    return ""


_AS_LONG = 0.5
"""The share of the answers' mean length from which on a text may be an answer too."""


def list_columns_that_may_be_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """The columns that are not shown, and are as long as the answers that are compared: more of
    them, perhaps, under headings that do not say so.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    if len(answers) < 2 or find_column_of_preferred_answers(answers):
        return []
    beside = find_columns_there_for_each_answer([one.name for one in columns], answers)
    references = {
        *list_hidden_columns_of_correct_answers(columns),
        *list_reference_columns_beside_predictions(answers),
    }

    def mean_length(name: str) -> float:
        texts = list_filled_cells(rows, name)
        return sum(map(len, texts)) / max(len(texts), 1)

    least = max(_AS_LONG * min(map(mean_length, answers)), SHORTEST_TEXT_TO_READ)
    alike = versions_by_heading_beside_answers([one.name for one in columns], answers)
    return [
        one.name
        for one in columns
        if one.role == "hidden"
        and one.name not in beside | references
        and mean_length(one.name) >= (SHORTEST_TEXT_TO_READ if one.name in alike else least)
        and not (HEADING_OF_WHAT_IS_READ.search(one.name) and one.name not in alike)
        and not THOUGHTS.search(one.name)
        and not HEADING_OF_PLAIN_ANSWER.fullmatch(heading_as_plain_lower_case_words(one.name))
        and not is_system_prompt_heading(one.name)
        and len(set(list_filled_cells(rows, one.name))) > 1
        and not all(map(is_address_path_or_hash, list_filled_cells(rows, one.name)))
    ]


def note_answers_by_like_heading(columns: Sequence[Guess]) -> list[str]:
    """A sentence on answers that are compared with models' because their headings are alike, though
    nothing in them says who wrote them.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    known = [name for name in answers if NAMED_MODEL.search(name)]
    if find_column_of_preferred_answers(answers):
        return []
    if not known and (version := find_machines_version_of_a_text(answers)):
        return [_told_of_answer_by_like_heading([version.other], version.machine)]
    if not known:
        # "Sent reply" beside "Draft reply (Nurse)" and "Draft reply (AI)".
        known = [name for name in answers if _says_who_wrote(name)]
        found = [name for name in answers if name not in known]
        return (
            [_told_of_answer_by_like_heading(found, known[0])] if len(known) > 1 and found else []
        )
    found = [
        name
        for name, own in versions_by_heading_beside_answers(answers, known).items()
        if own
        and not is_name_of_writer(own)
        and not (
            is_headed_as_answer(heading_as_plain_lower_case_words(name))
            and _may_be_called_so(own)
            and not may_be_initials(own)
        )
    ]
    if not found:
        return _told_of_answers_by_their_place(answers, known)
    return [_told_of_answer_by_like_heading(found, known[0])]


def _says_who_wrote(heading: str) -> bool:
    return any(map(is_name_of_writer, re.findall(r"[^\W_]+", heading)))


def _told_of_answer_by_like_heading(found: Sequence[str], known: str) -> str:
    listed = ", ".join(f"“{name}”" for name in found)
    are, it, belongs, holds = (
        ("is taken for an answer", "it", "it belongs", "holds")
        if len(found) == 1
        else ("are taken for answers", "them", "they belong", "hold")
    )
    return (
        f"{listed} {are} to compare too, as the heading differs from “{known}” only in who wrote"
        f" the text. If {belongs} to the case or {holds} what is right, show or hide"
        f" {it} instead."
    )


def _may_be_called_so(own: str) -> bool:
    """Whether words are written as models' names are: with a digit, or a capital inside a word."""
    return bool(re.search(r"\d|[^\W\d_][A-Z]", own)) or is_name_of_writer(own)


def _told_of_answers_by_their_place(answers: Sequence[str], known: Sequence[str]) -> list[str]:
    """A sentence on columns that are compared with those of ``known`` models only because they
    stand beside them.
    """
    shared = set.intersection(*({*re.findall(r"[^\W_]+", one.casefold())} for one in answers))
    found = [
        name
        for name in answers
        if not shared
        and name not in known
        and not is_name_of_writer(name)
        and not is_headed_as_answer(heading_as_plain_lower_case_words(name))
        and not is_machine_text_heading(name)
        and not any(map(is_name_of_writer, re.findall(r"[^\W_]+", name)))
    ]
    if not found:
        return []
    listed = ", ".join(f"“{name}”" for name in found)
    if len(found) > 1:
        return [
            f"{listed} are taken for models, as they stand beside “{known[0]}”. If they belong to"
            " the case or hold what is right, show or hide them instead."
        ]
    return [
        f"{listed} is taken for a model, as it stands beside “{known[0]}”. If it belongs to the"
        " case or holds what is right, show or hide it instead."
    ]


_FEWEST_ALIKE, _WORDS_ALIKE, _MOST_QUOTED = 5, 3, 60
"""From how many answers on the same words at an end tell who wrote them, from how many words on,
and how many characters of them are quoted.
"""


def note_words_that_begin_or_end_answers_of_one(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence for each model whose answers all begin, or all end, with the same words, as none
    of the others' do: reviewers soon know which one it is.
    """
    arm = next((one.name for one in columns if one.role == "arm"), "")
    texts: dict[str, list[list[str]]] = {}
    for one in columns:
        if one.role == "answer" or (arm and one.by_arm and one.role in ("text", "markdown")):
            for row in rows:
                called = cell_as_plain_text(row.get(arm)) if arm else one.name
                if words := cell_as_plain_text(row.get(one.name)).split():
                    texts.setdefault(called, []).append(words)
    found = []
    for called, own in texts.items():
        others = [words for name, of in texts.items() if name != called for words in of]
        whole = {" ".join(words) for words in own}
        if len(own) < _FEWEST_ALIKE or not others or 2 * len(whole) <= len(own):
            # Decisions in a few words are the same by nature.
            continue
        for end, turned in (("begin", 1), ("end", -1)):
            first = [words[::turned] for words in own]
            count = 0
            while count < min(map(len, first)) and len({words[count] for words in first}) == 1:
                count += 1
            said = first[0][:count]
            if count < _WORDS_ALIKE or any(
                words[::turned][:_WORDS_ALIKE] == said[:_WORDS_ALIKE] for words in others
            ):
                continue
            quoted = " ".join(said[::turned])
            if len(quoted) > _MOST_QUOTED:
                # No word is cut in two where there is another one to end with.
                if turned > 0:
                    cut = quoted[:_MOST_QUOTED]
                    quoted = f"{cut.rpartition(' ')[0] or cut} …"
                else:
                    cut = quoted[-_MOST_QUOTED:]
                    quoted = f"… {cut.partition(' ')[2] or cut}"
            found.append(
                f"All {len(own):,} answers of “{called}” {end} with “{quoted}”, and none of the"
                " others does: reviewers soon know which answers have one writer. Take these words"
                " out of your table if they are no part of what is judged."
            )
    return found


def note_initials_in_headings(columns: Sequence[Guess]) -> list[str]:
    """A sentence on columns that are compared because capitals in their headings may be somebody's
    initials.
    """
    of = initials_by_column([one.name for one in columns if one.role == "answer"])
    if not of:
        return []
    listed = " and ".join(f"“{name}”" for name in of)
    whose = " and ".join(of.values())
    are, seem, they = ("is", "seems", "it belongs to the case or holds")
    it = "it"
    if len(of) > 1:
        are, seem, they, it = "are", "seem", "they belong to the case or hold", "them"
    return [
        f"{listed} {are} compared, as {whose} {seem} to be somebody's initials. If {they} what is"
        f" right, show or hide {it} instead (or name the answers with --answer-of on the command"
        " line)."
    ]


def note_case_texts_headed_like_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on texts that are shown with the case, and are headed like the answers that are
    compared and about as long.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    if not answers or find_column_of_preferred_answers(answers):
        return []
    texts = [one.name for one in columns if one.role in ("text", "markdown")]
    headed = versions_by_heading_beside_answers(texts, answers)
    lengths = [mean_length_of_texts(list_filled_cells(rows, name)) for name in answers]
    least, most = (
        min(lengths) / MOST_RATIO_OF_LENGTHS_UNDER_LIKE_HEADINGS,
        max(lengths) * MOST_RATIO_OF_LENGTHS_UNDER_LIKE_HEADINGS,
    )
    found = [
        name
        for name in headed
        if least <= mean_length_of_texts(list_filled_cells(rows, name)) <= most
    ]
    if not found:
        return []
    listed = ", ".join(f"“{name}”" for name in found)
    are, it = ("is shown with the case, under its heading", "it is")
    if len(found) > 1:
        are, it = ("are shown with the case, under their headings", "they are")
    return [
        f"{listed} {are}. If {it} somebody's version of what is compared, use --answer-of on the"
        " command line, or make each the answer of one model."
    ]


def note_hidden_texts_headed_by_models(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]], known: set[str]
) -> list[str]:
    """A sentence on long texts that are not shown because their headings name a model; not on those
    that are ``known`` to be more than that.
    """
    arms = make_arm_names([one.name for one in columns if one.role == "answer"])
    names = [arm.casefold() for arm in arms if len(arm) > _SHORTEST_NAME]
    answers = [one.name for one in columns if one.role == "answer"]
    beside = (
        find_columns_there_for_each_answer([one.name for one in columns], answers)
        if answers
        else set()
    )
    found = [
        one.name
        for one in columns
        if one.role == "hidden"
        and one.name not in known
        and (
            one.name in beside
            or NAMED_MODEL.search(one.name)
            or any(name in one.name.casefold() for name in names)
        )
        and any(len(text) >= SHORTEST_TEXT_TO_READ for text in list_filled_cells(rows, one.name))
    ]
    if not found:
        return []
    listed = ", ".join(f"“{name}”" for name in found)
    return [
        f"Reviewers do not see {listed}: judging by the heading, it belongs to a model whose "
        f"answer is in another column. To have both judged, write them into one cell."
    ]


def note_columns_giving_models_away(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]], known: set[str]
) -> list[str]:
    """Sentences on columns that are not shown as they would give a model away; not on those that
    are ``known`` to be hidden for another reason.
    """
    naming = [
        one
        for one in list_columns_naming_models(columns, rows, shown=False)
        if one.column not in known
    ]
    found = [
        f"Reviewers do not see {models_named_in_column_in_words(one)}. It would tell"
        " which model wrote an answer."
        for one in naming
    ]
    known = known | {one.column for one in naming}
    how = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and one.name not in known
        and says_how_answer_came_about(one.name, list_filled_cells(rows, one.name))
    ]
    if how and list_models_compared_in_table(columns, rows):
        names = ", ".join(f"“{name}”" for name in how)
        found.append(
            f"Reviewers do not see {names}: how an answer came about can tell which model wrote it."
        )
    return found


def note_items_without_answer(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """A sentence on rows without the one answer that is judged, though more of them is shown."""
    if any(one.role in ("arm", "answer") for one in columns):
        return []
    read = [one.name for one in columns if one.role in TEXT_ROLES]
    judged = [name for name in read if is_headed_as_answer(heading_as_plain_lower_case_words(name))]
    others = [one.name for one in columns if one.role in SHOWN_ROLES and one.name not in judged]
    lacking = [
        at
        for at, row in enumerate(rows, 1)
        if len(judged) == 1
        and not cell_as_plain_text(row.get(judged[0]))
        and any(cell_as_plain_text(row.get(name)) for name in others)
    ]
    if not lacking or len(lacking) == len(rows):
        return []
    where = columns_and_rows_in_words({judged[0]: list(map(number_of_row, lacking))})
    is_, it = ("is", "It") if len(lacking) == 1 else ("are", "They")
    return [
        f"{where} {is_} empty: reviewers would be asked about an answer that is not there."
        f" {it} would be {'an item' if len(lacking) == 1 else 'items'} all the same: leave"
        f" {'the row' if len(lacking) == 1 else 'these rows'} out of your table if there is nothing"
        " to judge."
    ]


def note_error_messages_as_answers(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """A sentence on error messages of programs that stand where answers should be."""
    arm = next((one.name for one in columns if one.role == "arm"), "")
    answers = [one.name for one in columns if one.role == "answer"]
    answers = answers or [one.name for one in columns if one.by_arm and one.role in PROSE_ROLES]
    answers = answers or [
        one.name
        for one in columns
        if one.role in PROSE_ROLES
        and (
            is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
            or is_machine_text_heading(one.name)
        )
    ]
    found = []
    long = [name for name in answers if are_texts_to_read(list_filled_cells(rows, name))]
    lengths = [len(text) for name in answers for text in list_filled_cells(rows, name)]
    among_texts = sum(lengths) >= SHORTEST_TEXT_TO_READ * len(lengths)
    for is_none, names, one_is, several_are in (
        (
            partial(is_error_message_of_a_program, among_texts=among_texts),
            answers,
            "answer is an error message of a program",
            "answers are error messages of a program",
        ),
        (
            says_that_there_is_no_answer,
            long,
            "answer only says that there is none",
            "answers only say that there is none",
        ),
    ):
        places: dict[str, list[int]] = {}
        said = ""
        for at, row in enumerate(rows, 1):
            for name in names:
                if is_none(text := cell_as_plain_text(row.get(name))):
                    by = cell_as_plain_text(row.get(arm)) if arm else name
                    places.setdefault(by, []).append(number_of_row(at))
                    said = said or text
        if not places:
            continue
        count = sum(map(len, places.values()))
        it, cell, counts = (
            ("it", "the cell", "it counts") if count == 1 else ("them", "the cells", "they count")
        )
        found.append(
            f"{count:,} {one_is if count == 1 else several_are}"
            f" ({columns_and_rows_in_words(places)}; such as “{shorten_value(said)}”). Ask the"
            f" model again, or empty {cell} in your table, so that {counts} as missing: as it is,"
            f" reviewers judge {it} like any other answer."
        )
    return found


def note_models_under_changing_names(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on arms that stand for other models from row to row, by a column that names these:
    "Model A" in an order that was drawn for each case.
    """
    arm = next((one.name for one in columns if one.role == "arm"), "")
    for one in columns:
        if not arm or one.role not in ("group", "hidden") or not one.by_arm:
            continue
        named = set(list_filled_cells(rows, one.name))
        if not 2 <= len(named) <= MOST_ARMS or not all(map(is_name_of_writer, named)):
            continue
        models: dict[str, dict[str, None]] = {}
        for row in rows:
            if model := cell_as_plain_text(row.get(one.name)):
                models.setdefault(cell_as_plain_text(row.get(arm)), {})[model] = None
        called = next((name for name, held in models.items() if len(held) > 1), "")
        if called and all(len(held) > 1 for held in models.values()):
            listed = " in some rows and ".join(f"“{model}”" for model in [*models[called]][:2])
            return [
                f"“{called}” of “{arm}” is {listed} in others, by “{one.name}”: what is compared is"
                f" what “{arm}” says, not one model with another. To compare the models, leave the"
                f" column “{arm}” out of your table."
            ]
    return []


def do_arms_stand_for_other_models_from_row_to_row(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether what is compared is one place or letter with another, and not a model with another,
    as other columns name the models of each row.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    plain = blank_missing_cells(rows, [*cell_counts_by_word_for_missing_value(rows)])
    return bool(
        note_answers_by_position(columns, answers, plain)
        or note_models_under_changing_names(columns, plain)
    )


_A_REFERENCE = compile_later(
    r"\b(gold|goldstandard|referen[czt]\w*|riferimento|muster\w*|ground ?truth|gabarito"
    r"|leitlinien?|guidelines?|guia|padrao ouro|patron oro|etalon( or)?|fasit|facit"
    r"|correct answer|richtige antwort|richtlijn|gouden standaard)\b"
)
"""Names of arms, in words, that stand for what is right rather than for who wrote it."""


def note_reference_among_models(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on rows of an arm that by its name is what is right, not somebody's answer."""
    arm = next((one.name for one in columns if one.role == "arm"), "")
    named = dict.fromkeys(list_filled_cells(rows, arm)) if arm else {}
    found = [name for name in named if _A_REFERENCE.search(heading_as_plain_lower_case_words(name))]
    if not found or len(found) == len(named):
        return []
    listed = " and ".join(f"“{name}”" for name in found)
    is_, it = ("is", "its rows") if len(found) == 1 else ("are", "their rows")
    return [
        f"{listed} of “{arm}” {is_} compared like a model's answers, and by the name may be what"
        " is right: reviewers judge it beside the others, without the name. If they should not,"
        f" leave {it} out of your table, or put these texts into a column of their own,"
        " “reference”, which reviewers do not see."
    ]


def note_blank_answers(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    blank: Sequence[int],
    number_of_row: Callable[[int], int],
) -> str:
    """A sentence on the ``blank`` rows, in which models gave no answer."""
    case = next((one.name for one in columns if one.role == "id"), "")
    arm = next(one.name for one in columns if one.role == "arm")
    each = [
        f"“{cell_as_plain_text(rows[at - 1].get(arm))}” gave none"
        + (f" to “{cell_as_plain_text(rows[at - 1].get(case))}”" if case else "")
        + f" (row {number_of_row(at):,})"
        for at in blank[:MOST_NAMES_LISTED]
    ]
    more = f" and {len(blank) - MOST_NAMES_LISTED:,} more" if len(blank) > MOST_NAMES_LISTED else ""
    return (
        f"Not every model has answered everything: {', '.join(each)}{more}."
        " Reviewers are not asked about it there, and it counts as missing."
    )
