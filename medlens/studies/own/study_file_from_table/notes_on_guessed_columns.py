"""Notes, in sentences, on what was decided about each column of a table and may be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.studies.own.blinded_arms import MOST as MOST_ARMS
from medlens.studies.own.columns_outside_the_case import (
    has_column_to_judge,
    heading_as_plain_lower_case_words,
    is_address_path_or_hash,
    is_headed_as_answer,
)
from medlens.studies.own.dates_made_by_spreadsheets import (
    find_dates_among_names,
    find_dates_among_values,
)
from medlens.studies.own.detect_model_answer_columns import (
    NAMED_MODEL,
    is_machine_text_heading,
    is_name_of_writer,
    is_question_heading,
    make_arm_names,
    normalise_model_name,
    numbers_by_doubled_heading,
    versions_by_heading_beside_answers,
)
from medlens.studies.own.dialogue_turns import (
    count_dialogues_with_system_prompt,
    count_dialogues_with_tool_calls,
    parse_turns_of_dialogue,
)
from medlens.studies.own.imported_preferences import RATER
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    blank_missing_cells,
    cell_counts_by_word_for_missing_value,
    flatten_nested_cells_of_rows,
    part_columns_by_nested_column,
)
from medlens.studies.own.model_giveaways import columns_and_rows_in_words
from medlens.studies.own.nested_values_in_text import parse_nested_value
from medlens.studies.own.spreadsheet_error_values import is_error_value_of_spreadsheet
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    FILE_NAME_BY_ROLE,
    PROSE_ROLES,
    RESERVED_COLUMN_NAMES,
    SHOWN_ROLES,
    TEXT_ROLES,
    Guess,
    are_texts_to_read,
    cell_as_plain_text,
    is_number_with_or_without_unit,
    list_filled_cells,
    parse_rows_or_turns_of_cell,
)
from medlens.studies.own.study_file_from_table.columns_about_who_answered import (
    find_column_naming_who_answered,
    list_columns_about_who_answered,
)
from medlens.studies.own.study_file_from_table.columns_giving_right_answers_away import (
    HEADING_OF_COMMENT,
    HEADING_OF_EXPLANATION,
    HEADING_OF_PLAIN_ANSWER,
    gives_right_answer_away,
    is_column_of_option_numbers,
    is_column_repeating_options,
    list_hidden_columns_of_correct_answers,
    list_option_columns,
    list_reference_columns_beside_predictions,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    MOST_NAMES_LISTED,
    find_chosen_arm_or_column,
    find_rows_without_answer,
    find_spellings_by_arm,
    is_headed_like_model_decisions,
    list_columns_repeating_answers,
)
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    group_columns_in_which_several_judged,
    list_candidates_to_hide,
)
from medlens.studies.own.study_file_from_table.headings_of_cases_models_and_programs import (
    HEADING_OF_CASE_NAMES,
    HEADING_OF_WHAT_IS_READ,
    HEADING_SAYING_WHICH_MODEL,
    LABEL_STUDIO_HEADINGS,
    NAMING_HEADING,
    PRODIGY_HEADINGS,
    SIDE_OF_THE_BODY,
    SPEAKERS_IN_CHATS,
    is_case_heading,
    is_file_content_column,
    is_survey_program_heading,
    is_system_prompt_heading,
    is_table_from_mechanical_turk,
    is_table_from_prolific,
)
from medlens.studies.own.study_file_from_table.notes_on_compared_answers import (
    list_columns_that_may_be_answers,
    note_answer_given_twice,
    note_answers_by_like_heading,
    note_answers_by_position,
    note_blank_answers,
    note_case_texts_headed_like_answers,
    note_columns_giving_models_away,
    note_error_messages_as_answers,
    note_further_parts_of_answers,
    note_hidden_texts_headed_by_models,
    note_initials_in_headings,
    note_items_without_answer,
    note_models_in_item_names,
    note_models_under_changing_names,
    note_models_without_cases,
    note_possible_versions_to_compare,
    note_reference_among_models,
    note_rows_with_nothing_to_judge,
    note_rows_with_other_columns,
    note_words_that_begin_or_end_answers_of_one,
)
from medlens.studies.own.texts_damaged_or_of_several_models import list_damage_in_words
from medlens.tables.file_kind_and_lines import shorten_value


def _told_of_account_that_is_only_text(columns: Sequence[Guess]) -> list[str]:
    read = [
        one
        for one in columns
        if one.role in (*PROSE_ROLES, "dialogue", "table", *FILE_NAME_BY_ROLE, "answer")
    ]
    words = heading_as_plain_lower_case_words(read[0].name) if len(read) == 1 else ""
    if not (HEADING_OF_EXPLANATION.search(words) or HEADING_OF_COMMENT.search(words)):
        return []
    return [
        f"“{read[0].name}” is the only text of this table, so reviewers see it, as what they judge."
        " Do not show it if it says what is right."
    ]


def _told_of_models_account_not_shown(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on a model's reasons that are not shown in a table without another text of it."""
    if any(
        one.role in ("answer", "arm")
        or (
            one.role in SHOWN_ROLES
            and (
                is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
                or is_machine_text_heading(one.name)
            )
        )
        for one in columns
    ):
        return []
    reasons = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and HEADING_OF_EXPLANATION.search(heading_as_plain_lower_case_words(one.name))
        and (is_machine_text_heading(one.name) or NAMED_MODEL.search(one.name))
        and are_texts_to_read(list_filled_cells(rows, one.name))
    ]
    if not reasons:
        return []
    listed = " and ".join(f"“{name}”" for name in reasons)
    one = len(reasons) == 1
    return [
        f"{listed} {'is the only text' if one else 'are the only texts'} of a model here, and not"
        " shown, as a reason may say what is right. If"
        f" {'it is what is to be judged, show it' if one else 'they are to be judged, show them'}."
    ]


def _told_of_what_several_said(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    hidden = {one.name for one in columns if one.role in ("group", "hidden")}
    return [
        f"Reviewers do not see {', '.join(f'“{name}”' for name in group if name in hidden)}: they"
        " say the same few words of the cases, as if several had judged each. If they are answers"
        " to compare, make each the answer of one model (--answer-of on the command line)."
        for group in group_columns_in_which_several_judged(columns, rows)
    ]


def list_nested_cells_in_words(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What nested cells come to, in sentences."""
    return [
        f"“{name}” holds objects: each part is a column, such as {', '.join(paths[:3])}."
        for name, paths in part_columns_by_nested_column(rows).items()
    ]


def _told_of_dialogues(columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    found = []
    for one in columns:
        cells = [row[one.name] for row in rows if cell_as_plain_text(row.get(one.name))]
        if one.role == "dialogue":
            prompts, calls = (
                count_dialogues_with_system_prompt(cells),
                count_dialogues_with_tool_calls(cells),
            )
            told = f"“{one.name}” is read turn by turn."
            if prompts:
                rows_begin = "1 row begins" if prompts == 1 else f"{prompts:,} rows begin"
                told += f" {rows_begin} with a system prompt, which is folded at first."
            if calls:
                in_rows = "In 1 row" if calls == 1 else f"In {calls:,} rows"
                told += (
                    f" {in_rows} a model calls tools. Reviewers see its calls in square brackets,"
                    " and what a tool gave back as a turn of its own."
                )
            found.append(told)
        elif one.role in ("group", "hidden") and cells and is_system_prompt_heading(one.name):
            found.append(
                f"Reviewers do not see “{one.name}”: it is what the model was told beforehand."
            )
    return found if any(one.role == "dialogue" for one in columns) else []


_OF_WHO_ASKS = {"user", "human", "patient"}


def _told_of_keys_of_criteria(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What the text and the points of criteria are called, where that is not plain."""
    found = []
    for one in columns:
        listed = [
            parse_rows_or_turns_of_cell(row.get(one.name)) or []
            for row in rows
            if one.role == "criteria"
        ]
        keys = {key for cell in listed for given in cell for key in given}
        if keys - {"criterion", "text", "points", "weight", "tags"}:
            named = ", ".join(f"“{key}”" for key in sorted(keys))
            found.append(
                f"“{one.name}” is read as the item's own criteria ({named}): reviewers see the"
                " words of each, and not its number, which is its points."
            )
    return found


_IS_ROLE = compile_later(r"(?i)(^|[._ ])(role|speaker|from)$")


def _told_of_turns_in_rows(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on rows that are each a turn of a conversation."""
    for one in columns:
        said = [text.casefold() for text in list_filled_cells(rows, one.name)]
        asks = {"user", "human", "patient"} & {*said}
        speakers = len({*said}) > len(asks) > 0 and len({*said}) <= len(SPEAKERS_IN_CHATS)
        if _IS_ROLE.search(one.name) and speakers and {*said} & {*SPEAKERS_IN_CHATS, "gpt", "bot"}:
            return [
                f"By “{one.name}” each row seems to be one turn of a conversation, and would be"
                " judged alone, without what was said before. To judge conversations, put each into"
                " one row, as a list of turns with role and content; a table with the columns"
                " conversation_id, role and content is put together that way when it is read."
            ]
    return []


def _told_of_criteria_without_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What is said of criteria beside dialogues that end with who asks: nothing is to be judged."""
    criteria = [one.name for one in columns if one.role == "criteria"]
    dialogues = [one.name for one in columns if one.role == "dialogue"]
    if not criteria or not dialogues or any(one.by_arm or one.role == "answer" for one in columns):
        return []
    for one in columns:
        cells = [row[one.name] for row in rows if cell_as_plain_text(row.get(one.name))]
        if one.role in PROSE_ROLES and not all(isinstance(_unpacked(cell), list) for cell in cells):
            # It may be the answer.
            return []
        if one.role == "dialogue":
            ends = [turns[-1]["role"] for cell in cells if (turns := parse_turns_of_dialogue(cell))]
            if not ends or any(end.strip().casefold() not in _OF_WHO_ASKS for end in ends):
                return []
    named = ", ".join(f"“{name}”" for name in dialogues)
    return [
        f"“{criteria[0]}” has criteria, and no column has an answer to judge by them: {named} ends"
        " with who asks. Add a column with the answers, or put each behind its dialogue as the last"
        " turn."
    ]


def _unpacked(cell: Any) -> Any:
    return parse_nested_value(cell) if isinstance(cell, str) else cell


def list_column_decisions_in_words(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    *,
    number_of_row: Callable[[int], int] = int,
) -> list[str]:
    """What was decided about a table with these columns that a lead should know, in sentences. A
    row is called by its ``number_of_row``, given its place (from 1).
    """
    flat = flatten_nested_cells_of_rows(rows)
    words = cell_counts_by_word_for_missing_value(flat)
    plain = blank_missing_cells(flat, [*words])
    found = []
    given_twice = ""
    if words:
        each = ", ".join(f"“{word}” ({count:,})" for word, count in words.most_common())
        found.append(f"Read as empty cells: {each}.")
        if errors := [word for word in words if is_error_value_of_spreadsheet(word)]:
            found.append(
                f"A spreadsheet program writes “{errors[0]}” into a cell that it cannot work out,"
                " such as a text that begins with = or -, which it takes for a formula. Take the"
                " text from where it comes from, with an apostrophe before it."
            )
    found += _told_of_dates_made_by_spreadsheets(columns, plain, number_of_row)
    if not any(one.role == "id" for one in columns):
        for one in columns:
            texts = [text for row in plain if (text := cell_as_plain_text(row.get(one.name)))]
            doubled = [text for text, count in Counter(texts).items() if count > 1]
            heading = heading_as_plain_lower_case_words(one.name)
            is_case = bool(
                HEADING_OF_CASE_NAMES.fullmatch(heading)
                or NAMING_HEADING.search(one.name)
                or is_case_heading(one.name)
                or HEADING_OF_WHAT_IS_READ.search(one.name)
            )
            twice = (
                note_answer_given_twice(columns, plain, one.name, number_of_row)
                if is_case and not given_twice
                else ""
            )
            if twice:
                found.append(given_twice := twice)
            elif NAMING_HEADING.search(one.name) and doubled:
                named = ", ".join(f"“{text}”" for text in doubled[:3])
                more = f" and {len(doubled) - 3:,} more" if len(doubled) > 3 else ""
                found.append(
                    f"“{one.name}” does not name the items, because {named}{more}"
                    f" {'is' if len(doubled) == 1 else 'are'} there more than once. The items are"
                    " numbered instead. If a row is there twice, leave one out of your table; if"
                    " rows are several models' answers, say which column names the model."
                )
            elif doubled and HEADING_OF_CASE_NAMES.fullmatch(
                heading_as_plain_lower_case_words(one.name)
            ):
                found.append(_told_of_numbering(columns, one.name, doubled[0]))
    found += note_rows_with_other_columns(columns, plain)
    found += note_rows_with_nothing_to_judge(columns, plain, number_of_row)
    in_names = note_models_in_item_names(columns, plain)
    found += in_names
    if not given_twice and not in_names:
        found += note_models_without_cases(columns, plain)
    hidden = [
        one.name
        for one in columns
        if one.role in ("group", "hidden") and HEADING_SAYING_WHICH_MODEL.search(one.name)
        if not all(map(SIDE_OF_THE_BODY.fullmatch, list_filled_cells(plain, one.name)))
    ]
    if hidden:
        names = ", ".join(f"“{name}”" for name in hidden)
        known = any(
            map(
                is_name_of_writer,
                (cell for one in hidden for cell in list_filled_cells(plain, one)),
            )
        )
        compared = any(one.role in ("arm", "answer") for one in columns)
        otherwise = " Show it if it means something else, such as the model of a device."
        found.append(
            f"Reviewers do not see {names}:"
            f" {'it says' if len(hidden) == 1 else 'they say'} which model wrote an answer."
            + otherwise
            * (not known and not compared)
        )
    survey = [
        one.name for one in columns if one.role == "hidden" and is_survey_program_heading(one.name)
    ]
    if survey:
        names = ", ".join(f"“{name}”" for name in survey)
        found.append(
            f"Reviewers do not see {names}: a program writes that beside a table (who filled it in,"
            " when, how long, in which row)."
        )
    found += _told_of_who_answered(columns, plain, survey)
    found += _told_of_rows_that_are_one_case(columns)
    if is_table_from_mechanical_turk(columns) and (
        earlier := [
            f"“{one.name}”"
            for one in columns
            if one.role in ("group", "hidden") and one.name.casefold().startswith("answer.")
        ]
    ):
        found.append(
            f"Reviewers do not see {', '.join(earlier)}: earlier workers of Mechanical Turk"
            " answered that, and it would sway them."
        )
    if {one.name.casefold() for one in columns} >= LABEL_STUDIO_HEADINGS:
        found.append(
            "This is a table of annotations from Label Studio. Reviewers see its texts and none of"
            " its short columns, which may hold what was chosen; a project exported as JSON comes"
            " with its judgments, from another tool."
        )
    headings = {one.name for one in columns}
    if "annotations" in headings and any(name.startswith("data.") for name in headings):
        found.append(
            "This is a project exported from Label Studio: its annotations are read as judgments if"
            " it is taken over from another tool, with its labeling configuration (study"
            " from-label-studio on the command line)."
        )
    if {one.name for one in columns} >= PRODIGY_HEADINGS:
        found.append("This is from Prodigy. Reviewers do not see what was accepted there.")
    options = list_option_columns({one.name: [] for one in columns})
    copies = list_columns_repeating_answers(columns, plain, ("hidden",), options)
    if copies := [
        name for name in copies if name not in list_hidden_columns_of_correct_answers(columns)
    ]:
        names = ", ".join(f"“{name}”" for name in copies)
        repeats = "it repeats" if len(copies) == 1 else "they repeat"
        found.append(
            f"Reviewers do not see {names}: {repeats} one of the answers that are compared, and"
            " would show which one it is."
        )
    whole = [
        name for name in list_columns_that_may_be_answers(columns, plain) if name not in copies
    ]
    if whole:
        listed = ", ".join(f"“{name}”" for name in whole)
        they, it, each = (
            ("its texts are", "it is an answer", "it too the answer of a model")
            if len(whole) == 1
            else ("their texts are", "they are answers", "each the answer of a model")
        )
        answers = [one.name for one in columns if one.role == "answer"]
        otherwise = (
            "Show it only if the answers were made from it"
            if versions_by_heading_beside_answers(whole, answers)
            else "Do not show it otherwise"
        )
        found.append(
            f"Reviewers do not see {listed}: {they} as long as the answers beside it. If {it} to"
            f" compare, make {each} (--answer-of on the command line, for all of them)."
            f" {otherwise}: its heading would say who wrote it."
        )
    found += _told_of_models_account_not_shown(columns, plain)
    found += note_answers_by_like_heading(columns)
    found += note_initials_in_headings(columns)
    found += note_case_texts_headed_like_answers(columns, plain)
    found += note_hidden_texts_headed_by_models(columns, plain, set(whole))
    found += note_columns_giving_models_away(
        columns, plain, {*hidden, *list_hidden_columns_of_correct_answers(columns)}
    )
    cells = {one.name: [row.get(one.name) for row in plain] for one in columns}
    right = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and not gives_right_answer_away(one.name, "record", by_arm=one.by_arm)
        and (
            is_column_repeating_options(one.name, cells, list_option_columns(cells))
            or is_column_of_option_numbers(one.name, cells, list_option_columns(cells))
        )
    ]
    if right:
        names = ", ".join(f"“{name}”" for name in right)
        say = "it says" if len(right) == 1 else "they say"
        found.append(f"Reviewers do not see {names}: {say} which option is right, or why.")
    compared = any(one.role == "answer" for one in columns)
    beside = list_reference_columns_beside_predictions([one.name for one in columns])
    kept_back = [
        f"“{one.name}”"
        for one in columns
        if one.role in ("group", "hidden")
        and one.name not in list_hidden_columns_of_correct_answers(columns)
        and (
            one.name in beside
            or (
                compared
                and HEADING_OF_PLAIN_ANSWER.fullmatch(heading_as_plain_lower_case_words(one.name))
            )
        )
    ]
    if kept_back:
        it, holds = ("it", "it holds") if len(kept_back) == 1 else ("them", "they hold")
        found.append(
            f"Reviewers do not see {', '.join(kept_back)}: beside what a model said, {holds}"
            f" probably what is right. If reviewers should judge {it} too, make each the answer of"
            " one model."
        )
    answers = [one.name for one in columns if one.role == "answer"]
    alike = [
        one.name
        for one in columns
        if answers and one.role == "group" and is_headed_like_model_decisions(one.name, answers)
    ]
    if alike := [
        name for name in alike if name not in list_hidden_columns_of_correct_answers(columns)
    ]:
        names = ", ".join(f"“{name}”" for name in alike)
        found.append(
            f"Reviewers do not see {names}: it is headed like the models' answers, and may be what"
            " is right. If it is an answer to judge too, say so."
        )
    if numbers := numbers_by_doubled_heading(answers, [one.name for one in columns]):
        listed = ", ".join(f"“{name}”" for name in numbers)
        found.append(
            f"{listed} have the same heading, and are compared as {', '.join(numbers.values())}."
            " Nothing says whose answers they are: call each column by its model, or say it with"
            " --answer-of on the command line."
        )
    found += note_further_parts_of_answers(columns, answers)
    found += note_possible_versions_to_compare(columns, plain)
    found += note_answers_by_position(columns, answers, plain)
    for name in answers:
        lacking = [
            number_of_row(at)
            for at, row in enumerate(plain, 1)
            if not cell_as_plain_text(row.get(name))
        ]
        if lacking:
            found.append(
                "Not every model has answered everything:"
                f" {columns_and_rows_in_words({name: lacking})}"
                f" {'has' if len(lacking) == 1 else 'have'} no answer."
                " Reviewers are not asked about it there, and it counts as missing."
            )
    found += note_items_without_answer(columns, plain, number_of_row)
    found += _told_of_items_with_nothing_to_see(columns, plain, number_of_row)
    found += note_words_that_begin_or_end_answers_of_one(columns, plain)
    found += note_error_messages_as_answers(columns, plain, number_of_row)
    read = {
        one.name: [cell_as_plain_text(row.get(one.name)) for row in plain]
        for one in columns
        if one.role in (*PROSE_ROLES, "answer")
    }
    found += list_damage_in_words(read, number_of_row)
    found += note_models_under_changing_names(columns, plain)
    found += note_reference_among_models(columns, plain)
    blank = find_rows_without_answer(columns, plain)
    if blank:
        found.append(note_blank_answers(columns, plain, blank, number_of_row))
    if any(find_chosen_arm_or_column(columns, answers, make_arm_names(answers), plain)):
        found.append(
            f"What was chosen in the table becomes judgments of a rater, “{RATER}”, which reviewers"
            " do not see."
        )
    shown = [one.name for one in columns if one.role in (*SHOWN_ROLES, "answer")]
    views = Counter(tuple(cell_as_plain_text(row.get(name)) for name in shown) for row in plain)
    again = sum(count - 1 for count in views.values())
    if again and not any(one.role == "arm" for one in columns):
        found.append(_told_of_rows_that_look_alike(columns, plain, views, again))
    found += _told_of_dialogues(columns, plain)
    found += _told_of_turns_in_rows(columns, plain)
    found += _told_of_keys_of_criteria(columns, rows)
    found += _told_of_criteria_without_answers(columns, plain)
    found += _told_of_account_that_is_only_text(columns)
    kept = [one for one in columns if one.role not in ("id", "arm", "out", "criteria")]
    shown_alone = sum(one.role in (*SHOWN_ROLES, "answer") for one in columns) == 1
    if shown_alone and not has_column_to_judge(list_candidates_to_hide(kept, plain)):
        found.append(
            "No column of this table is a text, and no heading says that one is an answer. Is it a"
            " table of ratings or figures? Then use the one that holds what was rated; otherwise"
            " say which columns reviewers see."
        )
    if is_table_from_prolific(columns) and not any(
        one.role in TEXT_ROLES and are_texts_to_read(list_filled_cells(plain, one.name))
        for one in columns
    ):
        found.append(
            "This is Prolific's list of who took part: no column of it is a text to judge. Use the"
            " table of your survey's program, which holds the answers."
        )
    headed = [one.name for one in columns]
    found += [
        f"“{name}” holds files inside the table, which are not read: save them as files, called as"
        f" in “{name.removesuffix('.bytes')}.path”, and give them with the table in one zip."
        for name in headed
        if is_file_content_column(name, headed)
    ]
    found += _told_of_figures_without_answers(columns, plain)
    found += _told_of_what_several_said(columns, plain)
    found += _told_of_the_others(columns, plain, found)
    spelt = find_spellings_by_arm(columns, plain)
    for name, others in spelt.items():
        alias = [other for other in others if other != name]
        if len(others) > 1:
            each = ", ".join(f"“{other}”" for other in alias)
            found.append(f"{each} and “{name}” are taken for one model, “{name}”.")
    by_name: dict[str, list[str]] = {}
    for name, others in spelt.items():
        by_name.setdefault(normalise_model_name(others[0]) or name, []).append(others[0])
    for alike in by_name.values():
        if len(alike) > 1:
            each = " and ".join(f"“{name}”" for name in alike)
            found.append(
                f"{each} are compared as different models, since the same case has answers of both."
                " If they are one model, write its name the same way in each row, and upload again."
            )
    if out := [
        one.name for one in columns if one.role == "out" and one.name in RESERVED_COLUMN_NAMES
    ]:
        found.append(
            f"Left out, as MedLens needs this name itself: {', '.join(out)}. If reviewers should"
            f" see it, give it another name in your table, such as “{out[0]} text”, and upload it"
            " again."
        )
    return found


def _told_of_dates_made_by_spreadsheets(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """Sentences on names of items, and on cells that are kept, that a spreadsheet program has
    probably made dates of.
    """
    found = []
    for one in columns:
        if one.role in ("arm", "out") or one.role in FILE_NAME_BY_ROLE:
            continue
        cells = [cell_as_plain_text(row.get(one.name)) for row in rows]
        names = one.role == "id"
        dates = (find_dates_among_names if names else find_dates_among_values)(one.name, cells)
        if not dates:
            continue
        count, filled = len(set(dates.values())), len({cell for cell in cells if cell})
        where = columns_and_rows_in_words({one.name: [number_of_row(at + 1) for at in dates]})
        are, dates_are = ("is", "a date") if count == 1 else ("are", "dates")
        what = "names of items" if names else "values"
        found.append(
            f"{count:,} of {filled:,} {what} {are} {dates_are} ({where}: “{min(dates.values())}”)."
            " A spreadsheet program makes dates of “1-2”, “3/4”, “5.6” or “SEPT2”, and keeps"
            " nothing of what was typed. If that was meant, write it again where the column is"
            " formatted as text."
        )
    return found


def _told_of_items_with_nothing_to_see(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """A sentence on rows whose one cell that reviewers see is empty; where they see several, such
    rows are offered to be left out.
    """
    shown = [one.name for one in columns if one.role in (*SHOWN_ROLES, "answer")]
    if len(shown) != 1 or any(one.role == "arm" for one in columns):
        return []
    empty = [at for at, row in enumerate(rows, 1) if not cell_as_plain_text(row.get(shown[0]))]
    if not empty or len(empty) == len(rows):
        return []
    where = columns_and_rows_in_words({shown[0]: list(map(number_of_row, empty))})
    is_, it, items = ("is", "it", "an item") if len(empty) == 1 else ("are", "them", "items")
    return [
        f"{where} {is_} empty, and nothing else is shown: reviewers would open {items} with nothing"
        f" to see. Leave {it} out (--leave-out-rows on the command line), or fill {it} in."
    ]


def _told_of_who_answered(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]], told: Sequence[str]
) -> list[str]:
    """A sentence on what is not shown because it is said of the person who answered a survey; not
    on what is ``told`` already.
    """
    cells = {one.name: [row.get(one.name) for row in rows] for one in columns}
    references = list_hidden_columns_of_correct_answers(columns)
    unseen = [
        one.name
        for one in columns
        if one.role in ("group", "hidden") and one.name not in references
    ]
    about = [
        f"“{name}”"
        for name in list_columns_about_who_answered(cells)
        if name in unseen and name not in told and any(map(cell_as_plain_text, cells[name]))
    ]
    if not about:
        return []
    who = find_column_naming_who_answered(cells)
    by = f" (“{who}”)" if who else ""
    is_about, it, belongs = (
        ("it is about", "it", "it belongs")
        if len(about) == 1
        else ("they are about", "them", "they belong")
    )
    return [
        f"Reviewers do not see {', '.join(about)}: {is_about} the person who answered{by}, and"
        f" beside a case would be read as the patient's. Show {it} if {belongs} to the case."
    ]


def _told_of_rows_that_are_one_case(columns: Sequence[Guess]) -> list[str]:
    """A sentence on rows that are put together as one case although no column names it."""
    arm = next((one.name for one in columns if one.role == "arm"), "")
    if not arm or any(one.role == "id" for one in columns):
        return []
    shared = [one for one in columns if not one.by_arm and one.role not in ("arm", "out")]
    read = [one for one in shared if one.role in TEXT_ROLES] or [
        one for one in shared if one.role in SHOWN_ROLES
    ]
    if not (named := [f"“{one.name}”" for one in read or shared]):
        return []
    more = f" and {len(named) - MOST_NAMES_LISTED:,} more columns"
    listed = ", ".join(named[:MOST_NAMES_LISTED]) + more * (len(named) > MOST_NAMES_LISTED)
    return [
        f"Rows with the same {listed} are one case, and “{arm}” says whose answer each of them is."
        " If each row should be judged by itself, leave that column out of your table."
    ]


def _told_of_figures_without_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on figures by model beside what was asked, where no answer is to be judged."""
    shown = [one.name for one in columns if one.role in SHOWN_ROLES]
    if len(shown) != 1 or not is_question_heading(shown[0]):
        return []
    figures = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and NAMED_MODEL.search(one.name.replace("_", " "))
        and (cells := list_filled_cells(rows, one.name))
        and all(map(is_number_with_or_without_unit, cells))
    ]
    if not figures or any(one.role in ("arm", "answer") for one in columns):
        return []
    listed = ", ".join(f"“{name}”" for name in figures[:MOST_NAMES_LISTED])
    are = "is a figure" if len(figures) == 1 else "are figures"
    return [
        f"Reviewers see “{shown[0]}” alone: {listed} {are}"
        " about models whose answers are not in this table. Add these answers, a column for each"
        " model, if reviewers should judge them."
    ]


def _told_of_numbering(columns: Sequence[Guess], name: str, twice: str) -> str:
    """A sentence on items that are numbered although a column seems to name them."""
    if any(one.role == "arm" for one in columns):
        return (
            f"“{name}” does not name the cases: rows are one case where all that the models share"
            " is the same, and the cases are numbered."
        )
    return (
        f"“{name}” does not name the items, because “{shorten_value(twice)}” is there more than"
        " once: each row is an item, and they are numbered."
    )


def _told_of_rows_that_look_alike(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    views: Counter[tuple[str, ...]],
    again: int,
) -> str:
    """A sentence on rows of which reviewers would see the same as of an earlier one: copies, or
    parts of an item that differ in what is not shown.
    """
    shown = [one.name for one in columns if one.role in (*SHOWN_ROLES, "answer")]
    rows_show = "row shows" if again == 1 else "rows show"
    told = f"{again:,} {rows_show} the same as an earlier one"
    alike: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        view = tuple(cell_as_plain_text(row.get(name)) for name in shown)
        if views[view] > 1:
            alike.setdefault(view, []).append(row)
    differ = [
        one.name
        for one in columns
        if one.role not in (*SHOWN_ROLES, "answer", "id", "out")
        and not HEADING_OF_CASE_NAMES.fullmatch(heading_as_plain_lower_case_words(one.name))
        and all(
            len({cell_as_plain_text(row.get(one.name)) for row in of}) > 1 for of in alike.values()
        )
    ]
    if not differ:
        return f"{told}. Leave them out of your table unless they should be judged twice."
    listed = ", ".join(f"“{name}”" for name in differ)
    if raters := [
        name for name in differ if _WHO_RATED.fullmatch(heading_as_plain_lower_case_words(name))
    ]:
        return (
            f"{told}: by “{raters[0]}” each answer is there once for each person who rated it"
            " before, and would be judged as often. Keep one row of each answer"
            + (", and the models are compared." if _has_several_models(columns, rows) else ".")
        )
    return (
        f"{told}, and {'differs' if again == 1 else 'differ'} in {listed}, which reviewers do not"
        " see. Is each row a criterion of its item? Then call these columns criterion and points."
        " Is each a turn of a conversation? Then call them conversation_id, role and content."
        " Otherwise show what tells them apart, or leave the copies out."
    )


_WHO_RATED = compile_later(
    r"(study )?(raters?|reviewers?|annotators?|evaluators?|judges?|experts?|physicians?|clinicians?"
    r"|participants?|workers?|respondents?|gutachter(in|innen)?|bewerter(in)?|beurteiler(in)?|untersucher(in)?|prufer(in)?"
    r"|evaluador(es|a)?|revisor(es|a)?|evaluateurs?|relecteurs?|avaliador(es|a)?|valutator[ei]"
    r"|beoordelaars?)( ?(id|nr|no|number|name|code|kurzel|\d))?"
)
"""Headings, in words, of who rated an answer."""


def _has_several_models(columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        HEADING_SAYING_WHICH_MODEL.search(one.name)
        and 1 < len(set(list_filled_cells(rows, one.name))) <= MOST_ARMS
        for one in columns
        if one.role in ("group", "hidden")
    )


def _is_path_or_code(text: str) -> bool:
    """Whether a cell is a program's path, address or code: no date, and no plain number."""
    return is_address_path_or_hash(text) and any(map(str.isalpha, text))


def _told_of_the_others(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]], told: Sequence[str]
) -> list[str]:
    """A sentence on what is not shown and nothing else speaks of."""
    said = " ".join(told)
    references = list_hidden_columns_of_correct_answers(columns)
    unsaid = [
        f"“{one.name}”"
        for one in columns
        if one.role in ("group", "hidden")
        and one.name not in references
        and f"“{one.name}”" not in said
        and list_filled_cells(rows, one.name)
    ]
    paths = [
        f"“{one.name}”"
        for one in columns
        if f"“{one.name}”" in unsaid
        and all(map(_is_path_or_code, list_filled_cells(rows, one.name)))
    ]
    unsaid = [name for name in unsaid if name not in paths]
    found = []
    if paths:
        holds = "it holds" if len(paths) == 1 else "they hold"
        found.append(
            f"Reviewers do not see {', '.join(paths)}: {holds} paths, addresses or numbers of a"
            " program, which may say where an answer comes from."
        )
    writers = [
        f"“{one.name}”"
        for one in columns
        if f"“{one.name}”" in unsaid and _names_writers(list_filled_cells(rows, one.name))
    ]
    if writers:
        seem = "it seems" if len(writers) == 1 else "they seem"
        found.append(
            f"Reviewers do not see {', '.join(writers)}: {seem} to say who or what wrote a text,"
            " and would tell them. To compare what they wrote, add a column “case” with the same"
            " number in each row of a case."
        )
    unsaid = [name for name in unsaid if name not in writers]
    if not unsaid:
        return found
    it, belongs = (
        ("it", "it belongs to the case and says")
        if len(unsaid) == 1
        else ("them", "they belong to the case and say")
    )
    return [
        *found,
        f"Reviewers do not see {', '.join(unsaid)}: show {it} only if {belongs} nothing of who"
        " wrote an answer or what it is worth.",
    ]


_MOST_WRITERS = 8


def _names_writers(texts: Sequence[str]) -> bool:
    """Whether cells, which repeat, name who or what wrote something: "AI" and "on-call doctor"."""
    names = set(texts)
    return 1 < len(names) <= min(_MOST_WRITERS, len(texts) - 1) and any(
        map(is_name_of_writer, names)
    )


def left_out_sum_rows_in_words(sums: Mapping[int, str]) -> str:
    """The rows of sums by number and word, up to "left out"."""
    rows = ", ".join(f"{at:,} (“{word}”)" for at, word in sums.items())
    looks = (
        "Row {} looks like a sum or mean and is"
        if len(sums) == 1
        else ("Rows {} look like sums or means and are")
    )
    return looks.format(rows)
