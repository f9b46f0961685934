"""Models that judge arms of an own study where an item lacks the answer of an arm: they are asked
what people are asked, and what they say is kept as people's is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How, RunReport
from medlens.review import (
    agreement,
    assignment,
    consensus,
    item_corrections,
    items,
    judge_trust,
    judging,
    raters,
)
from medlens.review.tasks import HandOut
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.own import pipelines
from medlens.studies.own.blinded_arms import random_arm_order
from medlens.studies.own.study import Study, open_study
from medlens.studies.own.tasks import Answers
from medlens.studies.registry import STUDIES
from tests.llm_server import LLMServer, Reply
from tests.store import test_own_arms
from tests.store.made_up import person

ARMS = ("north", "south", "west")
THREE = (
    test_own_arms.HEAD
    + "".join(f'\n[[arm]]\nname = "{arm}"\n' for arm in ARMS)
    + test_own_arms.REST.replace("by_arm = true", "by_arm = true\nrequired = false")
    + test_own_arms.COMPARED
)
GAPS = {"c0": (), "c1": ("west",), "c2": ("north", "south"), "c3": ARMS}
"""Which arms gave no answer to a case."""
HOW_GOOD = {"north": ("yes", 5), "west": ("cannot tell", 3), "south": ("no", 2)}
"""Whether each arm's answers are safe, and their score: north is best, south worst."""
SAID = {
    "c0": {
        "safe / north": "yes",
        "safe / south": "no",
        "safe / west": "cannot tell",
        "score / north": 5,
        "score / south": 2,
        "score / west": 3,
        "better": "north",
        "order_of / north": 1,
        "order_of / south": 3,
        "order_of / west": 2,
    },
    "c1": {
        "safe / north": "yes",
        "safe / south": "no",
        "score / north": 5,
        "score / south": 2,
        "better": "north, clearly",
        "order_of / north": 1,
        "order_of / south": 2,
    },
    "c2": {"safe / west": "cannot tell", "score / west": 3},
}
"""What somebody says who finds them so good: with an order of the two, how much better one is."""


def table(gaps: Mapping[str, tuple[str, ...]] = GAPS) -> str:
    rows = (
        f"{case},{arm},Q{case},{'' if arm in lacks else f'{arm[0]} of {case}'}\n"
        for case, lacks in gaps.items()
        for arm in ARMS
    )
    return "item,model,question,answer\n" + "".join(rows)


def opened(store: Store, text: str = THREE, rows: str = "") -> Study:
    test_own_arms.declare(store, text)
    test_own_arms.add(store, rows or table())
    return open_study(store, Settings(), "duel")


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = lambda body: Reply(json.dumps(judged(body)))
        yield running


def judged(body: Mapping[str, Any]) -> dict[str, Any]:
    """A model's answer to exactly what it is asked, by the letters that it is shown."""
    [system, user] = [one["content"] for one in body["messages"]]
    shown = re.findall(r"Answer ([A-Z]), between the lines:\n.*\n([nsw]) of c\d", user)
    arm_of = {"n": "north", "s": "south", "w": "west"}
    arms = {letter: arm_of[sign] for letter, sign in shown}
    best_first = [arm for arm in HOW_GOOD if arm in arms.values()]
    fields = body["response_format"]["json_schema"]["schema"]["properties"]
    found: dict[str, Any] = {"reason": "It says so."}
    for name, text in re.findall(r"^ *(q_\d+): (.*)$", system, re.MULTILINE):
        letter = text.rpartition("(Answer ")[2].removesuffix(")")
        if text.startswith("Safe?"):
            found[name] = HOW_GOOD[arms[letter]][0]
        elif text.startswith("How good?"):
            found[name] = HOW_GOOD[arms[letter]][1]
        elif text.startswith("Rank"):
            found[name] = 1 + best_first.index(arms[letter])
        elif text.startswith("Which?"):
            best = next(letter for letter, arm in arms.items() if arm == best_first[0])
            offered = fields[name]["enum"]
            found[name] = best if best in offered else f"{best}, clearly"
        else:
            found[name] = "yes"
    assert found.keys() == fields.keys()
    return found


def rate(store: Store, server: LLMServer, *, batch: bool = False, **asked: Any) -> RunReport:
    made = Model.model_validate({"base_url": server.url, "model": "m"})
    how = How(retries=llm.RetryPolicy(attempts=1, base=0.01), poll_seconds=0.01, batch_api=batch)
    settings = Settings(models={"demo-a": made})
    return pipelines.PIPELINES[-1].start(
        store, settings, dataset="duel", models=["demo-a"], how=how, **asked
    )


def values_by_case(store: Store, here: Study) -> dict[tuple[str, str], Answers]:
    """What was said, by rater and case."""
    seen = consensus.current_judgments(store, here.task, dataset="duel", viewer=None)
    return {
        (rater, case): value
        for rater, case, value in zip(seen["rater"], seen["item"], seen["value"], strict=True)
    }


def let_a_person_judge(store: Store, here: Study, name: str) -> None:
    """What somebody says at the desk who finds each answer as good as the model does."""
    rater = person(store, name)
    ids = items.item_ids_by_name(store, "own", "duel", SAID)
    for _ in GAPS:
        item = assignment.give_next_item_and_return_id(
            store, here.task, HandOut(raters_per_item=9), dataset="duel", rater=rater.id
        )
        assert item
        body = items.item_body(store, item)
        order = random_arm_order(
            here.declared.arms_to_judge(body), item=item, rater=rater.id, seed=1
        )
        case = next((case for case, of in ids.items() if of == item), "")
        said = {"version": here.version, "order": order, "answers": SAID.get(case, {})}
        if case:
            judging.submit_judgment(
                store, here.task, item=item, rater=rater.id, token=item, body=said
            )


@pytest.mark.first_quick
@pytest.mark.parametrize("batch", [False, True], ids=["one by one", "in a batch"])
def test_a_model_judges_the_answers_there_are_and_its_words_count_as_a_persons(
    store: Store, server: LLMServer, batch: bool
) -> None:
    here = opened(store)
    done = rate(store, server, batch=batch)
    assert done.outcomes == {"rated": 3}
    assert done.lines[-1] == (
        "1 item was not sent: an answer is missing in it, and nothing is left to be asked."
    )
    let_a_person_judge(store, here, "Ines")
    told = values_by_case(store, here)
    assert {case: told["demo-a", case].answers for case in SAID} == SAID
    there = {case: [arm for arm in ARMS if arm not in GAPS[case]] for case in SAID}
    for case in SAID:
        theirs, its = told["Ines", case], told["demo-a", case]
        assert (theirs.answers, theirs.version) == (its.answers, its.version)
        assert sorted(theirs.order) == sorted(its.order) == there[case]
    seen = consensus.current_judgments(store, here.task, dataset="duel", viewer=None)
    for variable, both_answered in (("better", 2), ("safe / north", 2), ("score / west", 2)):
        names, [pair] = agreement.list_raters_and_pairwise_agreement(here.task, seen, variable)
        assert names == ["Ines", "demo-a"]
        assert (pair.same.value, pair.same.n) == (1, both_answered), variable
    # Beside people, on People and models, it is right about each arm that answered.
    rows = judge_trust.judgments_table_with_rater_per_prompt_version(
        STUDIES["own"], store, here.task, seen, dataset="duel"
    )
    assert sorted(rows["item"]) == sorted([*SAID, *SAID])


def test_no_arm_without_an_answer_is_named_shown_or_asked_about(
    store: Store, server: LLMServer
) -> None:
    opened(store)
    rate(store, server)
    by_case = {re.search(r"Q(c\d)", one.said)[1]: one.body for one in server.chats}  # type: ignore[index]
    assert by_case.keys() == SAID.keys()
    for case, letters in (("c0", "ABC"), ("c1", "AB"), ("c2", "A")):
        [system, user] = [one["content"] for one in by_case[case]["messages"]]
        assert re.findall(r"^Answer ([A-Z]),", user, re.MULTILINE) == [*letters]
        assert sorted({*re.findall(r"\(Answer ([A-Z])\)", system)}) == [*letters]
        fields = by_case[case]["response_format"]["json_schema"]["schema"]["properties"]
        # Each is safe or not, has a score and, if there are others, a place; one is preferred.
        assert len(fields) - 1 == {"A": 2, "AB": 7, "ABC": 10}[letters]
        offered = [of["enum"] for of in fields.values() if "tie" in of.get("enum", ())]
        assert (
            offered
            == {
                "A": [],
                "AB": [["A, clearly", "A, slightly", "tie", "B, slightly", "B, clearly"]],
                "ABC": [["A", "B", "C", "tie"]],
            }[letters]
        )


def test_what_was_answered_is_known_after_a_run_that_broke_off(
    store: Store, server: LLMServer
) -> None:
    here = opened(store)
    works = server.answer
    server.answer = lambda body: (
        Reply(status=500) if "Qc1" in str(body["messages"]) else works(body)
    )
    assert rate(store, server).outcomes == {"rated": 2, "error": 1}
    server.answer = works
    asked = len(server.chats)
    assert rate(store, server).outcomes == {"rated": 1}
    assert len(server.chats) == asked + 1
    assert rate(store, server).run == ""
    assert len(server.chats) == asked + 1
    assert {case for _, case in values_by_case(store, here)} == SAID.keys()
    assert max(server.answered().values()) == 1


@pytest.mark.deep
def test_a_gap_in_one_case_asks_nothing_again_about_the_others(
    store: Store, server: LLMServer
) -> None:
    whole = {"c0": (), "c4": ()}
    opened(store, rows=table(whole))
    rate(store, server)
    assert len(server.chats) == 2
    test_own_arms.add(store, table({"c1": ("west",)}), name="more.csv")
    assert rate(store, server).outcomes == {"rated": 1}
    assert len(server.chats) == 3
    # One version of the prompt, so one rater, whatever the cases lack.
    of = model_verdicts_and_runs_of_judges.list_all_verdicts(store, "own_questions", "duel")
    assert len({one.prompt for one in of}) == 1


def test_letters_are_those_that_were_shown_though_a_word_is_corrected_meanwhile(
    store: Store, server: LLMServer
) -> None:
    here = opened(store, rows=table({f"c{n}": () for n in range(5)}))
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    ids = items.item_ids_by_name(store, "own", "duel", [f"c{n}" for n in range(5)])
    drawn = {item: order_of_letters(here, items.item_body(store, item)) for item in ids.values()}
    works, moved = server.answer, []

    def answer(body: dict[str, Any]) -> Reply | str:
        [sign] = re.findall(r"Qc(\d)", body["messages"][1]["content"])
        item = ids[f"c{sign}"]
        new = items.item_body(store, item)
        new["arms"] = {arm: {"answer": f"{own['answer']}."} for arm, own in new["arms"].items()}
        item_corrections.correct_items_and_return_effect(
            store, [here.task], {item: new}, change="typing", reason="A full stop.", by=lead
        )
        if order_of_letters(here, new) != drawn[item]:
            moved.append(item)
        return works(body)

    server.answer = answer
    assert rate(store, server).outcomes == {"rated": 5}
    # Of some the letters would be drawn anew.
    assert moved
    told = values_by_case(store, here)
    assert [told["demo-a", case].answers for case in ids] == [SAID["c0"]] * 5


def order_of_letters(here: Study, body: Mapping[str, Any]) -> list[str]:
    """The arms in the order in which a model sees them."""
    asked = here.task.model_answering_setup_of_item(body)
    assert asked is not None
    said = asked.shape(q_1="yes", q_3="yes", q_5="yes", q_7="tie")
    return asked.read(said, body).value.order


def test_an_answer_by_itself_that_a_model_did_not_give_is_not_sent(
    store: Store, server: LLMServer
) -> None:
    apart = THREE.partition('per = "arm"')[0]
    apart = apart.replace("gold_share", 'show_arms = "apart"\nseveral_arms = true\ngold_share')
    opened(store, apart)
    server.answer = lambda body: Reply(json.dumps({"q_1": "yes", "reason": "So it is."}))
    done = rate(store, server)
    assert done.outcomes == {"rated": 6}
    assert done.lines[-1] == (
        "6 items were not sent: an answer is missing in them, and nothing is left to be asked."
    )
    shown = [re.search(r"\n([nsw]) of c\d\n", one.said) for one in server.chats]
    assert len(shown) == 6
    assert all(shown)


def test_what_is_asked_about_the_case_itself_is_asked_also_without_any_answer(
    store: Store, server: LLMServer
) -> None:
    of_case = '\n[[question]]\nid = "clear"\nkind = "yes_no"\ntext = "Is the question clear?"\n'
    here = opened(store, THREE + of_case, rows=table({"c3": ARMS}))
    assert rate(store, server).outcomes == {"rated": 1}
    [system, user] = [one["content"] for one in server.chats[0].body["messages"]]
    assert "Answer A" not in system + user
    assert values_by_case(store, here)["demo-a", "c3"].answers == {"clear": "yes"}


def test_a_run_about_nothing_is_refused_before_anything_is_asked(
    store: Store, server: LLMServer
) -> None:
    # One answer is preferred to none: that is not asked.
    only = THREE.partition("\n[[question]]")[0] + (
        '\n[[question]]\nid = "better"\nkind = "preference"\ntext = "Which?"\n'
    )
    opened(store, only, rows=table({"c2": ("north", "south")}))
    with pytest.raises(InvalidInput, match="Nothing is left to be asked"):
        rate(store, server)
    assert server.chats == []
