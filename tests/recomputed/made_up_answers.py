"""Every template of a team's own study with made-up items, and made-up answers of three people."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Sequence
from typing import Any

from medlens.app import work_behind_commands
from medlens.config.question_forms_and_answer_checks import (
    NO_PASSAGE,
    NOT_APPLICABLE,
    UNCHANGED,
    Question,
)
from medlens.config.settings import Settings
from medlens.review import items, judging, raters
from medlens.store import Store
from medlens.studies.own import study_file
from medlens.studies.own.blinded_arms import question_id_for_arm
from medlens.studies.own.study import open_study
from medlens.studies.own.tasks import NAME, OwnSpan

PEOPLE = ("Anna", "Ben", "Cleo")
ITEMS = 12
COMPLETE = ("quest", "preference")
"""The templates in which everybody judges everything."""


def fill(store: Store, name: str, seed: int = 7) -> None:
    """Declare a template, add its items again and again until there are some, and answer them."""
    drawn, file = random.Random(f"{name} {seed}"), study_file.path_of_template(name)
    work_behind_commands.declare_study_and_return_report_text(
        store, study_file.read_study_file_text_and_declaration(file)[0], file.name
    )
    declared = open_study(store, Settings(), name).declared
    work_behind_commands.import_file(
        *(
            store,
            Settings(),
            "own-items",
            _more(file.with_suffix(".csv").read_text(), declared.item),
        ),
        name=f"{name}.csv",
        dataset=name,
    )
    task, rows = open_study(store, Settings(), name).task, []
    found = store.rows("select id from item where dataset = $name order by name", name=name)
    people = [raters.find_or_add_rater_by_name(store, one).id for one in PEOPLE]
    for (item,) in found:
        body = items.item_body(store, item)
        here = declared.declaration_for_item(body)
        for person in people:
            # Now and then somebody has not judged an item.
            if name not in COMPLETE and drawn.random() < 0.1:
                continue
            given = _answers(here, body, drawn)
            value = task.value(**given)
            problems = task.task_as_asked_of_item(body).problems_of_answer(value, body)
            assert not problems, (name, problems)
            rows.append(judging.make_imported_judgment_row(NAME, item, person, value))
            if declared.advice and drawn.random() < 0.9:
                again = _answers(here, body, drawn)
                if drawn.random() < 0.5:
                    again["answers"]["triage"] = body["model_triage"]
                late = task.value(**again)
                row = judging.make_imported_judgment_row(NAME, item, person, late, revision=2)
                rows.append(row | {"blind": False})
    store.append_all_and_count_new_by_table({"judgment": rows})


def _more(table: str, item: str) -> bytes:
    rows = list(csv.DictReader(io.StringIO(table)))
    names = list(dict.fromkeys(row[item] for row in rows))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    for turn in range(-(-ITEMS // len(names))):
        # The last one only twice: what is of several answers to one conversation takes two or more.
        kept = names[:-1] if turn > 1 else names
        writer.writerows(row | {item: f"{row[item]}-{turn}"} for row in rows if row[item] in kept)
    return out.getvalue().encode()


def _answers(declared: Any, body: Any, drawn: random.Random) -> dict[str, Any]:
    arms = list(declared.arms.names) if declared.are_arms_side_by_side else []
    answers: dict[str, Any] = {}
    for question in declared.form.questions:
        names = (
            [question_id_for_arm(question.id, arm) for arm in arms]
            if question.each
            else [question.id]
        )
        for name in names:
            if question.only_if and answers.get(question.only_if[0]) != question.only_if[1]:
                continue
            if question.required or drawn.random() < 0.8:
                answers[name] = _answer(question, body, arms, drawn)
    drawn.shuffle(arms)
    given: dict[str, Any] = {"version": 1, "answers": answers, "order": arms}
    if declared.spans:
        text = body[declared.marking_questions_by_arm[""].column]
        given["spans"] = _marks(declared.spans, text, drawn)
    return given


def _answer(question: Question, body: Any, arms: Sequence[str], drawn: random.Random) -> Any:
    match question.kind:
        case "single" | "yes_no":
            return drawn.choice(question.options)
        case "multiple":
            return drawn.sample(question.options, drawn.randint(1, len(question.options)))
        case "scale":
            also = [NOT_APPLICABLE] if question.not_applicable else []
            return drawn.choice([*question.points_of_scale, *also])
        case "number":
            return drawn.randint(0, 40)
        case "preference":
            strength = drawn.choice(["clearly", "slightly"])
            return drawn.choice([*(f"{arm}, {strength}" for arm in arms), "tie"])
        case "rewrite":
            words = question.original.split()
            if drawn.random() < 0.3:
                return UNCHANGED
            kept = [word for word in words if drawn.random() < 0.9]
            return " ".join([*kept, drawn.choice(["perhaps", "certainly not"])])
        case "evidence":
            source = body[question.column]
            if drawn.random() < 0.2:
                return NO_PASSAGE
            start = drawn.randrange(len(source) - 12)
            end = min(len(source), start + drawn.randint(10, 60))
            return json.dumps([{"start": start, "end": end, "quote": source[start:end]}])
        case _:
            return "A word."


def _marks(question: Question, text: str, drawn: random.Random) -> tuple[OwnSpan, ...]:
    found = []
    for _ in range(drawn.randint(0, 3)):
        start = drawn.randrange(len(text) - 10)
        end = min(len(text), start + drawn.randint(5, 60))
        span = OwnSpan(
            start=start,
            end=end,
            quote=text[start:end],
            labels=tuple(drawn.sample([one.id for one in question.labels], 1)),
            answers={one.id: drawn.choice(one.options) for one in question.of_span if one.options},
        )
        if all(span.start >= other.end or other.start >= span.end for other in found):
            found.append(span)
    return tuple(sorted(found, key=lambda one: one.start))
