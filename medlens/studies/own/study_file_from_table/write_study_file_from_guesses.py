"""Writes a study's file for a table whose columns have been guessed, and new questions in it."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from medlens.config.question_forms_and_answer_checks import EVIDENCE, KINDS, OF_ARMS, REWRITE, SPANS
from medlens.config.toml_edit import add_part_to_toml
from medlens.deferred_regex import compile_later
from medlens.studies.own.blinded_arms import MOST_TOGETHER
from medlens.studies.own.detect_model_answer_columns import (
    NAMED_MODEL,
    make_arm_names,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    USUAL_FOR_NOTHING,
    blank_missing_cells,
    cell_counts_by_word_for_missing_value,
    flatten_nested_cells_of_rows,
    words_for_totals_by_row_number,
)
from medlens.studies.own.study_file import (
    ITEM,
    TEMPLATES,
    UNREADABLE,
    Advice,
    StudyDeclaration,
    read_study_file_text_and_declaration,
)
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    SHOWN_ROLES,
    Guess,
    Role,
    cell_as_plain_text,
    guess_role_from_cells,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    find_chosen_arm_or_column,
    find_numbers_of_nearly_empty_rows,
    find_spellings_by_arm,
    make_function_giving_case_of_row,
)
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    table_on_one_toml_line,
    text_as_toml_value,
    title_from_name,
)
from medlens.tables.row_reader import normalise_column_name


def make_study_file_text(
    title: str,
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    *,
    template: str = "",
    asked: str = "",
    more: bool = False,
    called: Mapping[str, str] | None = None,
    survey_questions: Mapping[str, str] | None = None,
    mask: Sequence[str] = (),
    keep_sums: bool = False,
    without_nearly_empty: bool = False,
    identifiers: str = "",
) -> str:
    """A study's file for a table with these columns, with the questions of a template, or those
    ``asked`` (as lines), or one question to start with. ``rows`` give the arms; there are ``more``
    of them if these are only the first. ``called`` names the models of columns with answers;
    ``survey_questions``, by column, are titles of what is shown;
    reviewers see bars for the names to ``mask``. Rows of sums at the end are left out unless
    ``keep_sums``, nearly empty ones if ``without_nearly_empty``. ``identifiers``: what becomes of
    what may identify a patient, if a lead has decided.
    """
    # A column that is left out must not name the items either, nor one that was taken apart.
    taken = {one.name for one in columns} | {one.name.partition(".")[0] for one in columns}
    item = next((one.name for one in columns if one.role == "id"), _free_name(ITEM, taken))
    sums = {} if keep_sums else words_for_totals_by_row_number(rows)
    rows = [row for at, row in enumerate(rows, 1) if at not in sums]
    if without_nearly_empty:
        nearly = find_numbers_of_nearly_empty_rows(columns, rows)
        rows = [row for at, row in enumerate(rows, 1) if at not in nearly]
    arm = next((one.name for one in columns if one.role == "arm"), "")
    rows = flatten_nested_cells_of_rows(rows)
    missing = [*cell_counts_by_word_for_missing_value(rows)]
    rows = blank_missing_cells(rows, missing)
    if more:
        # Rows that nobody has looked at may have others.
        missing += [word for word in USUAL_FOR_NOTHING if word not in missing]
    spelt = find_spellings_by_arm(columns, rows)
    names = [*spelt]
    answers = [one.name for one in columns if one.role == "answer"] if not arm else []
    own_column = _free_name("answer", {one.name for one in columns})
    if len(answers) > 1:
        given = [(called or {}).get(name, "") for name in answers]
        names = make_arm_names(given, plain=True) if all(given) else make_arm_names(answers)
        columns = _as_one_column(columns, own_column, rows)
    elif answers:
        columns = [replace(o, role="text") if o.role == "answer" else o for o in columns]
    intro, source, questions = _of_template(template)
    questions = asked or questions
    chosen_arm, chosen_column = find_chosen_arm_or_column(columns, answers, names, rows)
    if chosen_arm or chosen_column:
        # Nobody knows how clearly it was preferred.
        questions = questions.replace("\nstrength = true", "")
    lines = [
        f"id = {text_as_toml_value(make_id_from_name(title))}",
        f"title = {text_as_toml_value(title)}",
        *([f"source = {text_as_toml_value(source)}"] if source else []),
        *([f"item = {text_as_toml_value(item)}"] if item != ITEM else []),
        *([] if any(one.role == "id" for one in columns) else ["numbered = true"]),
        *([f"arm_column = {text_as_toml_value(arm)}"] if arm else []),
        *(
            [f"leave_out = [{', '.join(map(text_as_toml_value, dict.fromkeys(sums.values())))}]"]
            if sums
            else []
        ),
        *(['nearly_empty = "leave_out"'] if without_nearly_empty else []),
        *([f"identifiers = {text_as_toml_value(identifiers)}"] if identifiers else []),
        *([f"mask = [{', '.join(map(text_as_toml_value, mask))}]"] if mask else []),
        *([f"missing = [{', '.join(map(text_as_toml_value, missing))}]"] if missing else []),
        *([f"chosen_arm = {text_as_toml_value(chosen_arm)}"] if chosen_arm else []),
        *([f"chosen_column = {text_as_toml_value(chosen_column)}"] if chosen_column else []),
        "raters_per_item = 2",
        "gold_share = 0",
        f'instructions = """\n{intro}"""',
    ]
    if criteria := next((one.name for one in columns if one.role == "criteria"), ""):
        questions = _with_criteria(questions, criteria)
    marked = f'kind = "{SPANS}"' in questions
    plain = ("after", "markdown") if marked else ("after",)
    if names and (marked or len(names) > MOST_TOGETHER or f'kind = "{REWRITE}"' in questions):
        # Marking or rewriting all of them at once is too much work.
        lines.insert(-1, 'show_arms = "apart"')
    elif arm and 1 in Counter(map(make_function_giving_case_of_row(columns), rows)).values():
        lines.insert(-1, 'incomplete = "leave_out"')
    for at, name in enumerate(names):
        lines += ["", "[[arm]]", f"name = {text_as_toml_value(name)}"]
        if also := [other for other in spelt.get(name, ()) if other != name]:
            lines.append(f"also = [{', '.join(map(text_as_toml_value, also))}]")
        if len(answers) > 1:
            lines.append(f"columns = {{ {own_column} = {text_as_toml_value(answers[at])} }}")
    titles = _titles_of_questions(survey_questions or {})
    kept = [one for one in columns if one.role not in ("id", "arm", "out")]
    if f'kind = "{EVIDENCE}"' in questions and not any(one.role == "source" for one in kept):
        words = ("text", "markdown", "record")
        shared = [one for one in kept if one.role in words and not one.by_arm]
        longest = max(shared, key=lambda one: _length(rows, one.name), default=None)
        kept = [replace(one, role="source") if one is longest else one for one in kept]
    for one in kept:
        lines += [
            "",
            "[[column]]",
            f"name = {text_as_toml_value(one.name)}",
            f"means = {text_as_toml_value(titles.get(one.name) or title_from_name(one.name))}",
        ]
        cells_of = answers if one.name == own_column and len(answers) > 1 else [one.name]
        empty = any(not cell_as_plain_text(row.get(name)) for row in rows for name in cells_of)
        # Of rows that nobody has looked at, only what is read can be relied on.
        if empty or (more and one.role not in ("text", "markdown", "source", "dialogue")):
            lines.append("required = false")
        lines += ["groups = true"] if one.role == "group" else []
        lines += ["by_arm = true"] if one.by_arm and names else []
    for mine in (False, True):
        record = [o.name for o in kept if o.role == "record" and bool(o.by_arm and names) == mine]
        if record:
            lines += ["", "[[pane]]", 'title = "Details"', 'kind = "record"']
            lines.append(f"columns = [{', '.join(map(text_as_toml_value, record))}]")
    pane_titles = _titles_of_panes([one.name for one in kept])
    for one in kept:
        if one.role == "after" or (one.role in SHOWN_ROLES and one.role != "record"):
            lines += [
                "",
                "[[pane]]",
                f"title = {text_as_toml_value(titles.get(one.name) or pane_titles[one.name])}",
                f"kind = {text_as_toml_value('text' if one.role in plain else one.role)}",
                *(["after_answer = true"] if one.role == "after" else []),
            ]
            lines.append(f"column = {text_as_toml_value(one.name)}")
    if advice := find_advice_column_of_template(template, columns):
        lines += ["", "[[advice]]"]
        lines += [
            f"{name} = {text_as_toml_value(said)}" for name, said in vars(advice).items() if said
        ]
    return (
        "\n".join(lines)
        + "\n"
        + (f"\n{questions}" if questions else toml_text_of_new_question("yes_no", 1))
    )


_OF_A_PROGRAM = compile_later(
    r"(?i)\d+|content|parts?|messages?|choices|candidates|outputs?|text|value|body|data|results?"
)
"""Parts of the paths in which programs nest a text, which say nothing of it."""


def _titles_of_panes(names: Sequence[str]) -> dict[str, str]:
    """The title of each column's pane: of a path into a list, such as
    ``response.candidates.0.content``, its part that says what it is, if no other has it.
    """
    titles = {name: title_from_name(name) for name in names}
    for name in names:
        parts = name.split(".")
        if any(map(str.isdecimal, parts)):
            said = [part for part in parts if not _OF_A_PROGRAM.fullmatch(part)] or ["answer"]
            short = title_from_name(said[0])
            if short.casefold() not in {title.casefold() for title in titles.values()}:
                titles[name] = short
    return titles


_LONGEST_PANE_TITLE = 90


def _titles_of_questions(questions: Mapping[str, str]) -> dict[str, str]:
    """The titles that a survey's questions make, by column: without the marks of a web page, cut
    where they are long; not those that name a model or that several columns share.
    """
    plain = {
        name: " ".join(re.sub(r"<[^<>]*>|&nbsp;", " ", asked).split())
        for name, asked in questions.items()
    }
    counts = Counter(plain.values())
    return {
        name: textwrap.shorten(title, _LONGEST_PANE_TITLE, placeholder=" …")
        for name, title in plain.items()
        if title
        and counts[title] == 1
        and not NAMED_MODEL.search(title)
        and not UNREADABLE.search(title)
    }


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with underscores until no column has it."""
    # Columns are found in a file whatever their case and spacing.
    there = set(map(normalise_column_name, taken))
    while normalise_column_name(name) in there:
        name += "_"
    return name


def _as_one_column(
    columns: Sequence[Guess], name: str, rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The columns, with one in which the models differ for all that hold a model's answers."""
    roles = {
        guess_role_from_cells([row.get(one.name) for row in rows])
        for one in columns
        if one.role == "answer"
    }
    shown: Role = "text"
    if len(roles) == 1 and roles <= {"dialogue", "table", "image", "pdf"}:
        shown = roles.pop()
    elif "markdown" in roles:
        shown = "markdown"
    kept = [replace(one, by_arm=False) for one in columns if one.role != "answer"]
    return [*kept, Guess(name, shown, by_arm=True)]


def find_advice_column_of_template(template: str, columns: Sequence[Guess]) -> Advice | None:
    """A template's advice in a table with these columns: in the one of its name that is shown once
    an item is answered, else in the first such one. None if there is none.
    """
    advice = (
        next(
            iter(read_study_file_text_and_declaration(TEMPLATES / f"{template}.toml")[1].advice),
            None,
        )
        if template
        else None
    )
    after = [one.name for one in columns if one.role == "after"]
    if advice is None or not after or any(one.role in ("arm", "answer") for one in columns):
        return None
    hidden = [one.name for one in columns if one.role == "group"]
    return replace(
        advice,
        column=advice.column if advice.column in after else after[0],
        truth=advice.truth if advice.truth in hidden else "",
    )


def _length(rows: Sequence[Mapping[str, Any]], column: str) -> int:
    return sum(len(cell_as_plain_text(row.get(column))) for row in rows)


def _with_criteria(questions: str, column: str) -> str:
    """A template's questions with their criteria in this column; a rubric if it has no
    questions.
    """
    if not questions:
        one = new_question_fields("rubric", "question_1")
        del one["criteria"]
        return add_part_to_toml("", "question", one | {"criteria_column": column}).lstrip()
    stands = f"criteria_column = {text_as_toml_value(column)}"
    return re.sub(r'(?m)^criteria_column = ".*"$', lambda _: stands, questions)


def _of_template(name: str) -> tuple[str, str, str]:
    """A template's instructions, its source, and its questions verbatim."""
    if not name:
        return "Read the item, then answer the questions.\n", "", ""
    text = (TEMPLATES / f"{name}.toml").read_text(encoding="utf-8")
    intro = text.split('instructions = """\n', 1)[1].split('"""', 1)[0]
    found = re.search(r'(?m)^source = "(.*)"$', text)
    return intro, found[1] if found else "", text[text.index("[[question]]") :]


@dataclass(frozen=True)
class Asked:
    """A kind of question in ``words``, and an example to start with: its ``text``, and the other
    fields it ``holds``.
    """

    words: str
    text: str
    holds: Mapping[str, Any] = field(default_factory=dict)


ASKED: Mapping[str, Asked] = {
    kind: Asked(**one)
    for kind, one in tomllib.loads(
        Path(__file__).with_name("asked.toml").read_text(encoding="utf-8")
    ).items()
}
"""Every kind of question offered by the editor."""


def new_question_fields(kind: str, name: str, *, together: bool = False) -> dict[str, Any]:
    """The fields of a new question with the id ``name``, still to be worded; ``together``: answers
    are shown side by side, each with its own text.
    """
    one = ASKED[kind]
    needed = {} if kind.endswith("text") or kind == SPANS else {"required": True}
    each = {"per": "arm"} if together and kind in (REWRITE, SPANS) else {}
    return {"id": name, "kind": kind, "text": one.text, **one.holds, **needed, **each}


def toml_text_of_new_question(kind: str, number: int, *, together: bool = False) -> str:
    """The lines of a new question, still to be worded."""
    return add_part_to_toml(
        "", "question", new_question_fields(kind, f"question_{number}", together=together)
    )


def make_toml_text_of_codes_question(codes: Mapping[str, str], column: str, *, marked: bool) -> str:
    """The lines of a question whose answers are these codes, given with their meanings: labels for
    passages ``marked`` in a column, or options to tick.
    """
    lines = ["[[question]]", 'id = "codes"']
    # Exports separate ticked options by semicolons.
    names = {name.replace(";", ","): means for name, means in codes.items()}
    if marked:
        ids: dict[str, str] = {}
        for name in names:
            base, number = make_id_from_name(name).removeprefix("study_") or "code", 2
            base = base if base[:1].isalpha() else f"code_{base}".rstrip("_")
            one = base
            while one in ids:
                one, number = f"{base}_{number}", number + 1
            ids[one] = name
        lines += [
            f'kind = "{SPANS}"',
            'text = "Mark every passage that one of these codes fits."',
            f"column = {text_as_toml_value(column)}",
            "labels = [",
            *(
                f"  {table_on_one_toml_line({'id': one, 'name': name, 'means': names[name]})},"
                for one, name in ids.items()
            ),
            "]",
        ]
        return "\n".join(lines) + "\n"
    means = "\n".join(f"{name}: {said}" for name, said in names.items() if said)
    lines += ['kind = "multiple"', 'text = "Which of these codes does it have?"']
    lines += [f"help = {text_as_toml_value(means)}"] if means else []
    lines += ["options = [", *(f"  {text_as_toml_value(name)}," for name in names), "]"]
    return "\n".join(lines) + "\n"


def study_file_text_with_model_written_column(
    text: str, declared: StudyDeclaration, models: Sequence[str]
) -> str:
    """A study's file with a column that models of the settings write, each an arm shown by itself,
    and a pane that shows it; the prompt is still to be worded.
    """
    panes = sorted(declared.initial_panes, key=lambda one: one.kind not in _READ)
    shown = [name for pane in panes for name in pane.columns]
    name = next(one for one in _WRITTEN if one not in {each.name for each in declared.columns})
    several = models[:MOST_TOGETHER] if len(models) > 1 else []
    lines = [
        "",
        "# Models write this column: on the Runs page, Let models write the answers.",
        "[[column]]",
        f"name = {text_as_toml_value(name)}",
        'means = "the answer, which a model writes"',
        "by_arm = true" if several else f"model = {text_as_toml_value(models[0])}",
        'prompt = """',
        "Answer as well as you can.",
        "",
        *(f"{{{one}}}" for one in shown[:1]),
        '"""',
        "",
        "[[pane]]",
        'title = "Answer"',
        'kind = "markdown"',
        f"column = {text_as_toml_value(name)}",
    ]
    for one in several:
        called = re.sub(r"[,;:/]", " ", one)
        lines += ["", "[[arm]]", f"name = {text_as_toml_value(called)}"]
        lines += [f"model = {text_as_toml_value(one)}"] if called != one else []
    if several:
        # This belongs to the whole file, so it must come before the first table.
        text = re.sub(r"(?m)^\[\[", 'show_arms = "apart"\n\n[[', text, count=1)
    return text.rstrip() + "\n" + "\n".join(lines) + "\n"


_READ = ("text", "markdown", "dialogue")
_WRITTEN = ("answer", "model_answer", "models_answer", "answer_of_the_model")


def list_question_kinds_to_choose(*, together: bool, source: bool) -> list[str]:
    """The kinds of questions that can be asked; evidence only if a ``source`` is shown."""
    left_out = (*(() if together else OF_ARMS), *(() if source else (EVIDENCE,)))
    return [one for one in KINDS if one not in left_out]
