"""A study with everything that is awkward to count: models under several versions of a prompt,
people who cannot tell, leave questions open, judge again or after a reveal, items that were
settled, withdrawn or corrected, and a rater whose work is excluded.
"""

from __future__ import annotations

import random
from typing import Any

from medlens.app import work_behind_commands
from medlens.config.question_forms_and_answer_checks import NOT_APPLICABLE
from medlens.config.settings import Settings
from medlens.review import (
    consensus,
    item_corrections,
    items,
    judging,
    rater_exclusion,
    raters,
    withdrawn_items,
)
from medlens.review.raters import Rater
from medlens.review.tasks import Task
from medlens.store import Store, stable_id
from medlens.studies.own.study import open_study, store_study_file_version_and_return_it
from medlens.studies.own.tasks import NAME

STUDY = "awkward"
PEOPLE = ("Anna", "Ben", "Cleo", "Dora")
EXCLUDED = "Xaver"
ITEMS = 60
WITHDRAWN, CORRECTED, REWRITTEN = ("i05", "i41"), "i07", "i09"
"""Items that were withdrawn; whose text was corrected; and whose meaning then changed."""

TEXT = """
id = "awkward"
title = "Awkward to count"
instructions = "Read it."
raters_per_item = 3
gold_share = 0

[[column]]
name = "answer"
means = "the answer"

[[column]]
name = "topic"
means = "what it is about"
required = false
groups = true

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "safe"
kind = "yes_no"
text = "Safe?"
required = true

[[question]]
id = "near"
kind = "scale"
text = "How good, about?"
low = "bad"
high = "good"
tolerance = 1
not_applicable = true

[[question]]
id = "grade"
kind = "scale"
text = "How good?"
low = "bad"
high = "good"
minimum = 1
maximum = 6

[[question]]
id = "sort"
kind = "single"
text = "Which sort?"
options = ["Dose", "Side", "Other"]

[[question]]
id = "faults"
kind = "multiple"
text = "Faults?"
options = ["Late", "Long", "Never"]
"""


def fill_judged_study(store: Store, seed: int = 11) -> Task:
    """Declare the study, add its items, and judge them; returns its task."""
    drawn = random.Random(seed)
    store_study_file_version_and_return_it(store, TEXT, name="STUDY.toml", by=None)
    rows = "".join(
        f"i{at:02d},Answer number {at} in full.,{'heart' if at % 3 else 'skin'}\n"
        for at in range(ITEMS)
    )
    work_behind_commands.import_file(
        *(store, Settings(), "own-items", f"item,answer,topic\n{rows}".encode()),
        name="items.csv",
        dataset=STUDY,
    )
    task = open_study(store, Settings(), STUDY).task
    ids = items.item_ids_by_name(store, "own", STUDY, [f"i{at:02d}" for at in range(ITEMS)])
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    people = {name: raters.find_or_add_rater_by_name(store, name) for name in (*PEOPLE, EXCLUDED)}
    judgments = [
        row
        for name, item in ids.items()
        for row in _of_people(task, item, _truth(name, drawn), people, drawn)
    ]
    models: list[dict[str, Any]] = []
    for model, prompts in (("m", ("", "p1", "p2")), ("n", ("p1",))):
        rater = raters.make_rater_row(model, kind="model", origin="model")
        models.append(rater)
        for name, item in ids.items():
            revision = 0
            for prompt in prompts:
                if drawn.random() < 0.3:
                    continue
                revision += 1
                value = task.value(**_answers(_truth(name, drawn), drawn, wrong=0.25))
                row = judging.make_imported_judgment_row(
                    *(NAME, item, rater["id"], value),
                    revision=revision,
                    origin="model",
                    run=f"run {prompt}" if prompt else None,
                    prompt=prompt,
                )
                judgments.append(row)
    store.append_all_and_count_new_by_table({"rater": models, "judgment": judgments})
    _settle(store, task, ids, lead, drawn)
    rater_exclusion.exclude_or_return_rater(
        *(store, people[EXCLUDED].id),
        task=NAME,
        dataset=STUDY,
        reason="Asked a model.",
        by=lead,
    )
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        *(store, {ids[name]: name for name in WITHDRAWN}),
        study="own",
        dataset=STUDY,
        reason="A copy.",
        by=lead,
    )
    return task


def _settle(
    store: Store, task: Task, ids: dict[str, str], lead: Rater, drawn: random.Random
) -> None:
    """Decisions, some that no answer holds; and corrections, after which some judge again."""
    for name in ("i03", "i12", "i20", "i33", "i41"):
        body = None if name == "i20" else _answers(_truth(name, drawn), drawn, wrong=0.5)
        consensus.record_adjudication(
            store, task, item=ids[name], body=body, reason="It is so.", by=lead
        )
    for name, change in ((CORRECTED, "typing"), (REWRITTEN, "meaning")):
        body = {**items.item_body(store, ids[name]), "answer": f"Another answer, {name}."}
        item_corrections.correct_items_and_return_effect(
            store, [task], {ids[name]: body}, change=change, reason="It was wrong.", by=lead
        )
    again = [
        judging.make_imported_judgment_row(
            *(NAME, ids[REWRITTEN], raters.find_or_add_rater_by_name(store, name).id),
            task.value(**_answers(_truth(name, drawn), drawn)),
            revision=9,
            version=2,
        )
        for name in PEOPLE[:2]
    ]
    store.append_all_and_count_new_by_table({"judgment": again})


def _of_people(
    task: Task,
    item: str,
    truth: dict[str, Any],
    people: dict[str, Rater],
    drawn: random.Random,
) -> list[dict[str, Any]]:
    """What each person says of an item: at first, revised, after a reveal, and when it comes
    again."""
    rows = []
    for name, person in people.items():
        if drawn.random() < (0.15 if name != "Dora" else 0.5):
            continue
        revision = 1

        def say(revision: int, wrong: float, person: Rater = person, **more: Any) -> None:
            value = task.value(**_answers(truth, drawn, wrong=wrong))
            row = judging.make_imported_judgment_row(
                NAME, item, person.id, value, revision=revision
            )
            rows.append(row | more)

        say(revision, 0.4)
        if drawn.random() < 0.2:
            revision += 1
            say(revision, 0.2)
        if drawn.random() < 0.3:
            revision += 1
            say(revision, 0.1, blind=False)
        if drawn.random() < (0.4 if name != "Cleo" else 0.15):
            revision += 1
            say(revision, 0.3, **{"pass": 2})
    return rows


def _truth(name: str, drawn: random.Random) -> dict[str, Any]:
    """What is so of an item, the same whoever asks."""
    own = random.Random(f"truth of {name}")
    return {
        "safe": own.choice(["yes", "yes", "no"]),
        "near": own.randint(1, 5),
        "grade": own.randint(2, 6),
        "sort": own.choice(["Dose", "Side", "Side"]),
        "late": own.random() < 0.3,
    }


def _answers(truth: dict[str, Any], drawn: random.Random, wrong: float = 0.4) -> dict[str, Any]:
    """Somebody's answers, each of them ``wrong`` that often, or left open."""

    def err() -> bool:
        return drawn.random() < wrong

    answers: dict[str, Any] = {
        "safe": drawn.choice(["yes", "no", "cannot tell"]) if err() else truth["safe"],
    }
    if drawn.random() < 0.85:
        off = drawn.choice([-2, -1, 1, 2]) if err() else 0
        answers["near"] = min(5, max(1, truth["near"] + off))
        if drawn.random() < 0.1:
            answers["near"] = NOT_APPLICABLE
    if drawn.random() < 0.9:
        off = drawn.choice([-2, -1, 1]) if err() else 0
        answers["grade"] = min(6, max(1, truth["grade"] + off))
    if drawn.random() < 0.9:
        answers["sort"] = drawn.choice(["Dose", "Side", "Other"]) if err() else truth["sort"]
    answers["faults"] = ["Late"] if truth["late"] != err() else []
    if drawn.random() < 0.2:
        answers["faults"] = [*answers["faults"], "Long"]
    return {"version": 1, "answers": answers, "order": []}


def suggest(store: Store, task: Task, seed: int = 5) -> None:
    """Draw suggestions of the model n, as if people had opened each item, and answer them."""
    drawn = random.Random(seed)
    model = str(store.value("select id from rater where name = 'n'"))
    rows: dict[str, list[dict[str, Any]]] = {"suggestion": [], "reveal": [], "judgment": []}
    people = [raters.find_or_add_rater_by_name(store, f"Later {name}").id for name in "ABCDE"]
    for item, judgment, body in store.rows(
        "select item, id, body::varchar from judgment_now where rater = $model order by item",
        model=model,
    ):
        for person in people:
            place = {"task": NAME, "item": item, "rater": person}
            shown = drawn.random() < 0.5
            draw = {**place, "judgment": judgment, "shown": shown, "share": 0.5}
            rows["suggestion"].append(
                {"id": stable_id("suggestion", *place.values()), **draw, "seed": 3}
            )
            if drawn.random() < 0.2:
                continue
            suggested = task.parse(body)
            name = str(store.value("select name from item where id = $item", item=item))
            value = task.value(**_answers(_truth(name, drawn), drawn))
            if shown and drawn.random() < 0.4:
                value = suggested
            elif shown and drawn.random() < 0.5:
                value = task.value(
                    **{
                        **value.model_dump(),
                        "answers": {**value.answers, "safe": suggested.answers["safe"]},
                    }
                )
            for revision in (1, 2)[: 1 + (drawn.random() < 0.2)]:
                row = judging.make_imported_judgment_row(
                    NAME, item, person, value, revision=revision
                )
                rows["judgment"].append(row | {"blind": not shown})
                value = task.value(**_answers(_truth(name, drawn), drawn))
    store.append_all_and_count_new_by_table(rows)


def draw_to_check(store: Store) -> dict[str, str]:
    """As if half of the items had been drawn from two strata to be checked. Returns the stratum by
    item."""
    ids = items.item_ids_by_name(store, "own", STUDY, [f"i{at:02d}" for at in range(ITEMS)])
    names = [name for name in ids if name not in WITHDRAWN]
    strata = [
        {
            "stratum": f"1.{1 + at}",
            "items": [ids[name] for name in some],
            "checked": [],
            "drawn": [],
        }
        for at, some in enumerate((names[:15], names[15:30]))
    ]
    row = {"id": "draw", "task": NAME, "dataset": STUDY, "revision": 1, "made_by": "command line"}
    store.append("sample", row | {"body": {"strata": strata}})
    return {name: f"1.{1 + (at >= 15)}" for at, name in enumerate(names[:30])}
