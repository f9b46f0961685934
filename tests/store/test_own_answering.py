"""Models write the answers of an own study's arms, which then are its items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import BadFile, InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How
from medlens.store import Store
from medlens.studies.own import generate_arm_answers
from medlens.studies.own.study_file import parse_study_file, path_of_template
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    study_file_text_with_model_written_column,
)
from tests.llm_server import LLMServer, Reply
from tests.store.test_own_arms import APART, LONG, REST, TOGETHER, add, declare

pytestmark = pytest.mark.usefixtures("read_near")

ASKING = 'by_arm = true\nsystem = "You are a nurse."\nprompt = "Answer in a line: {question} {x}"\n'
TWO = TOGETHER.replace("by_arm = true\n", ASKING)
ONE_EACH = APART.replace("by_arm = true\n", ASKING)
ALONE = 'id = "duel"\ntitle = "T"\ninstructions = "R"\n' + REST.replace(
    "by_arm = true\n", 'model = "north"\nprompt = "{question}"\n'
)
CASES = "item,question\nc1,Why?\nc2,How?\n"


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = lambda body: Reply(said(body))
        yield running


def said(body: dict[str, Any]) -> str:
    """Its model's name and the last words, after some thinking."""
    return f"<think>Hm.</think>{body['model']}: {body['messages'][-1]['content']}"


def run(store: Store, server: LLMServer, tmp_path: Path, cases: str = CASES) -> Done:
    models = {
        name: Model.model_validate({"base_url": server.url, "model": name.upper()})
        for name in ("north", "south")
    }
    file = tmp_path / "cases.csv"
    file.write_text(cases)
    how = How(retries=llm.RetryPolicy(attempts=1, base=0.01), poll_seconds=0.01)
    return generate_arm_answers.let_models_answer_cases(
        store, Settings(models=models), dataset="duel", file=file, how=how
    )


def bodies(store: Store) -> dict[str, dict[str, Any]]:
    rows = store.rows("select name, body from item where study = 'own' order by seq")
    return {name: json.loads(body) for name, body in rows}


def test_models_fill_the_arms_and_the_items_are_those_of_a_file_with_the_same_answers(
    store: Store, server: LLMServer, tmp_path: Path
) -> None:
    declare(store, TWO)
    done = run(store, server, tmp_path)
    assert done.complete
    assert "2 items are new and can be judged." in done.lines
    asked = [[one["content"] for one in chat.body["messages"]] for chat in server.chats]
    # A brace that names no column stays as it is.
    assert ["You are a nurse.", "Answer in a line: Why? {x}"] in asked
    assert bodies(store)["c1"] == {
        "question": "Why?",
        "arms": {
            "north": {"answer": "NORTH: Answer in a line: Why? {x}"},
            "south": {"answer": "SOUTH: Answer in a line: Why? {x}"},
        },
    }
    # The same in a file adds nothing, so that what was asked of whom does not matter.
    table = "item,model,question,answer\n" + "".join(
        f"{name},{arm},{body['question']},{own['answer']}\n"
        for name, body in bodies(store).items()
        for arm, own in body["arms"].items()
    )
    assert add(store, table).added == 0
    assert (
        "2 of the texts name the arm 'north': reviewers can tell whose answer it is." in done.lines
    )
    # What is there is not asked again; another case is.
    assert run(store, server, tmp_path).lines == ["All of these cases have their answers already."]
    assert len(server.chats) == 4
    run(store, server, tmp_path, CASES + "c3,When?\n")
    assert len(server.chats) == 6
    assert list(bodies(store)) == ["c1", "c2", "c3"]


def test_each_arm_by_itself_and_the_answers_of_one_model_are_items_too(
    store: Store, server: LLMServer, tmp_path: Path
) -> None:
    declare(store, ONE_EACH)
    assert "4 items are new and can be judged." in run(store, server, tmp_path).lines
    found = bodies(store).values()
    assert {(one["case"], one["arm"]) for one in found} == {
        (case, arm) for case in ("c1", "c2") for arm in ("north", "south")
    }
    assert run(store, server, tmp_path).lines == ["All of these cases have their answers already."]


def test_a_study_without_arms_has_its_one_model_answer(
    store: Store, server: LLMServer, tmp_path: Path
) -> None:
    declare(store, ALONE)
    run(store, server, tmp_path)
    assert bodies(store)["c2"] == {"question": "How?", "answer": "NORTH: How?"}
    assert len(bodies(store)) == 2


def test_a_case_that_a_model_does_not_answer_is_told_and_made_an_item_by_the_next_run(
    store: Store, server: LLMServer, tmp_path: Path
) -> None:
    declare(store, TWO)

    def fails(body: dict[str, Any]) -> Reply:
        if body["model"] == "SOUTH" and "How?" in body["messages"][-1]["content"]:
            return Reply(status=500)
        return Reply(said(body))

    server.answer = fails
    done = run(store, server, tmp_path)
    assert not done.complete
    assert "1 item is new and can be judged." in done.lines
    told = "1 case is incomplete and not an item yet (south: 1 no answer came)."
    assert told in done.lines
    assert list(bodies(store)) == ["c1"]
    server.answer = lambda body: Reply(said(body))
    asked = len(server.chats)
    done = run(store, server, tmp_path)
    assert done.complete
    assert list(bodies(store)) == ["c1", "c2"]
    # What the other model had said was kept.
    assert len(server.chats) == asked + 1


def test_an_answer_that_is_cut_off_or_empty_is_no_item(
    store: Store, server: LLMServer, tmp_path: Path
) -> None:
    declare(store, ALONE)
    server.answer = lambda body: (
        Reply("A", finish="length")
        if body["messages"][-1]["content"] == "Why?"
        else Reply("<think>Hm.")
    )
    [told] = [one for one in run(store, server, tmp_path).lines if "incomplete" in one]
    assert "north: 1 cut off by the token limit" in told
    assert "north: 1 empty" in told
    assert bodies(store) == {}


def test_a_conversation_is_put_to_a_model_as_it_is() -> None:
    text = path_of_template("healthbench").read_text(encoding="utf-8")
    asked = 'means = "the answer to be judged"\nmodel = "m"\nsystem = "S"\nprompt = "{prompt}"\n'
    one = parse_study_file(text.replace('means = "the answer to be judged"\n', asked))
    turns = [
        {"role": "user", "content": "My calf is sore."},
        {"role": "assistant", "content": "Is it warm?"},
        {"role": "user", "content": "Yes."},
    ]
    assert one.column_written_by_models is not None
    assert generate_arm_answers.messages_asking_about_case(
        one, one.column_written_by_models, {"prompt": turns}
    ) == [
        {"role": "system", "content": "S"},
        *turns,
    ]
    # Within other words, and from a speaker that no model knows, it is told.
    within = replace(one.column_written_by_models, prompt="Sum up:\n{prompt}", system="")
    [said_to] = generate_arm_answers.messages_asking_about_case(one, within, {"prompt": turns[:2]})
    assert said_to["content"] == "Sum up:\nuser: My calf is sore.\n\nassistant: Is it warm?"
    nurse = [{"role": "nurse", "content": "Hello."}]
    [said_to] = generate_arm_answers.messages_asking_about_case(
        one, replace(one.column_written_by_models, system=""), {"prompt": nurse}
    )
    assert said_to == {"role": "user", "content": "nurse: Hello."}


def test_what_cannot_be_asked_is_refused_before_anything_is(
    store: Store, server: LLMServer, tmp_path: Path
) -> None:
    declare(store, TOGETHER)
    with pytest.raises(InvalidInput, match="does not say what models are asked for"):
        run(store, server, tmp_path)
    declare(store, TWO.replace('name = "south"', 'name = "south"\nmodel = "west"'))
    with pytest.raises(InvalidInput, match="There is no model 'west'"):
        run(store, server, tmp_path)
    declare(store, TWO)
    with pytest.raises(BadFile, match="question"):
        run(store, server, tmp_path, "item,answer\nc1,Why?\n")
    assert not server.chats
    assert LONG.startswith("item,model,question,answer")


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        ("{question}", "question", "at least one other [[column]] in braces, as {question}"),
        ("{question}", "{answer}", "at least one other [[column]] in braces"),
        ('prompt = "Answer in a line: {question} {x}"\n', "", "what models are asked for"),
        ("by_arm = true\n", 'by_arm = true\nmodel = "m"\n', "model = in each [[arm]] instead"),
        (
            "\n[[pane]]",
            '\n[[column]]\nname = "b"\nmeans = "m"\nby_arm = true\n\n[[pane]]',
            "false: models write the answers alone",
        ),
        (
            "\n[[pane]]",
            '\n[[column]]\nname = "b"\nmeans = "m"\nprompt = "{question}"\n\n[[pane]]',
            "one column that models write, not several",
        ),
    ],
)
def test_a_prompt_that_asks_nothing_is_refused_by_its_line(
    was: str, now: str, expected: str
) -> None:
    with pytest.raises(BadFile) as refused:
        parse_study_file(TWO.replace(was, now, 1))
    assert expected in str(refused.value)


def test_the_lines_that_the_editor_adds_are_in_order() -> None:
    plain = 'id = "duel"\ntitle = "T"\ninstructions = "R"\n' + REST.replace(
        '[[column]]\nname = "answer"\nmeans = "the answer"\nby_arm = true\n\n', ""
    ).replace('[[pane]]\ntitle = "Answer"\ncolumn = "answer"\n\n', "")
    one = parse_study_file(
        study_file_text_with_model_written_column(
            plain, parse_study_file(plain), ["meta/llama", "gpt"]
        )
    )
    assert one.arms is not None
    assert (one.arms.show, dict(one.arms.models)) == (
        "apart",
        {"meta llama": "meta/llama", "gpt": "gpt"},
    )
    assert one.column_written_by_models is not None
    assert "{question}" in one.column_written_by_models.prompt
    assert one.does_table_await_model_answers(["item", "question"])
    assert not one.does_table_await_model_answers(["item", "question", "answer"])
    single = parse_study_file(
        study_file_text_with_model_written_column(plain, parse_study_file(plain), ["gpt"])
    )
    assert single.arms is None
    assert single.column_written_by_models is not None
    assert single.column_written_by_models.model == "gpt"
