"""Whole runs of the five studies in which every reply comes in an odd form: what is stored is what
the same replies give in their plain form, and what it cost is counted.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from medlens import llm
from medlens.app import work_behind_commands
from medlens.config.settings import Model, Settings
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.store import Store
from medlens.studies.agentclinic import queries as human_played_visits
from medlens.studies.agentclinic import run_experiment as clinic
from medlens.studies.ebmqa import run_questions as ebmqa
from medlens.studies.ebmqa.answers.answer_and_questionnaire_import_and_export import (
    make_answers_export_table,
)
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.studies.registry import find_pipeline
from medlens.studies.tagging import pipelines as tagging
from tests.llm_server import LLMServer, Reply
from tests.sourcecheckup_models import Models
from tests.store import sourcecheckup_driver as sourcecheckup
from tests.store import test_agentclinic_run as clinic_tests
from tests.store import test_ebmqa_run as ebmqa_tests
from tests.store import test_own_studies as own_tests
from tests.store import test_sourcecheckup_run as sourcecheckup_tests
from tests.store import test_tagging_run as tagging_tests
from tests.store.ebmqa_questions import add_questions
from tests.web_server import WebServer

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pages_read_near")]

Answer = Callable[[dict[str, Any]], Reply | str]
Quirk = Callable[[str, bool], dict[str, Any]]
"""From the plain text, and whether an object is asked for, to the body of the reply."""

SWAPS = (
    ('"yes"', '"no"'),
    ('"supported"', '"contradicted"'),
    ('"not_supported"', '"supported"'),
    ("answer is B", "answer is C"),
    ("answer is A", "answer is C"),
    ("Disease", "No disease"),
)


def draft_of(text: str) -> str:
    """What the model first thought: something else."""
    for old, new in SWAPS:
        text = text.replace(old, new)
    return text if len(text) > 30 else f"{text} or rather DIAGNOSIS READY: Rabies. The answer is 3."


def message(content: Any, *, finish: str = "stop", **other: Any) -> dict[str, Any]:
    return {
        "choices": [
            {"index": 0, "message": {"content": content, **other}, "finish_reason": finish}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def plain(text: str, is_object: bool) -> dict[str, Any]:
    return message(text)


def in_unknown_tags(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"<deliberation>\n{draft_of(text)}\n</deliberation>\n\n{text}")


def in_a_collapsed_box(text: str, is_object: bool) -> dict[str, Any]:
    said = f"<details><summary>Reasoning</summary>{draft_of(text)}</details>\n{text}"
    return message(said)


def in_a_field_beside(text: str, is_object: bool) -> dict[str, Any]:
    return message(text, reasoning_content=draft_of(text))


def in_parts(text: str, is_object: bool) -> dict[str, Any]:
    half = len(text) // 2
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": draft_of(text)}]}
    return message([thought, *({"type": "text", "text": p} for p in (text[:half], text[half:]))])


def after_a_stray_closing_tag(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"{draft_of(text)}\n</think>\n\n{text}")


def on_a_channel(text: str, is_object: bool) -> dict[str, Any]:
    return message(
        f"<|channel|>analysis<|message|>{draft_of(text)}<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{text}<|return|>"
    )


def with_a_server_s_mark(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"\n\n  {text}<|im_end|>")


def with_the_other_choice_first(text: str, is_object: bool) -> dict[str, Any]:
    body = message(text)
    other = {"index": 1, "message": {"content": draft_of(text)}, "finish_reason": "stop"}
    return body | {"choices": [other, *body["choices"]]}


def as_an_old_completion(text: str, is_object: bool) -> dict[str, Any]:
    return message("") | {"choices": [{"text": text, "finish_reason": "eos"}]}


def inside_another_object(text: str, is_object: bool) -> dict[str, Any]:
    return {"data": message(text)}


def with_a_last_word(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"{text}\n\nI hope this helps!" if is_object else text)


def with_a_first_word(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"Sure! Here is the JSON:\n```json\n{text}\n```" if is_object else text)


def as_a_text_of_json(text: str, is_object: bool) -> dict[str, Any]:
    return message(json.dumps(text) if is_object else text)


def in_python_s_quotes(text: str, is_object: bool) -> dict[str, Any]:
    return message(repr(json.loads(text)) if is_object else text)


def with_a_comma_too_many(text: str, is_object: bool) -> dict[str, Any]:
    return message(text[:-1] + ",}" if is_object else text)


def with_a_field_more(text: str, is_object: bool) -> dict[str, Any]:
    return message(json.dumps({"confidence": 0.9} | json.loads(text)) if is_object else text)


def under_a_name(text: str, is_object: bool) -> dict[str, Any]:
    return message(json.dumps({"result": json.loads(text)}) if is_object else text)


def in_a_list(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"[{text}]" if is_object else text)


def with_names_in_capitals(text: str, is_object: bool) -> dict[str, Any]:
    if not is_object:
        return message(text)
    given = json.loads(text)
    return message(json.dumps({name.replace("_", " ").title(): v for name, v in given.items()}))


def twice_the_same(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"{text}\n{text}" if is_object else text)


def only_thought(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"<think>{text}</think>")


def cut_in_thought(text: str, is_object: bool) -> dict[str, Any]:
    return message(f"<think>{text}", finish="length")


def only_a_call_of_a_tool(text: str, is_object: bool) -> dict[str, Any]:
    call = {"type": "function", "function": {"name": "answer", "arguments": text}}
    return message(None, tool_calls=[call])


NO_ANSWERS: tuple[Quirk, ...] = (only_thought, cut_in_thought, only_a_call_of_a_tool)

QUIRKS: tuple[Quirk, ...] = (
    in_unknown_tags,
    in_a_collapsed_box,
    in_a_field_beside,
    in_parts,
    after_a_stray_closing_tag,
    on_a_channel,
    with_a_server_s_mark,
    with_the_other_choice_first,
    as_an_old_completion,
    inside_another_object,
    with_a_last_word,
    with_a_first_word,
    as_a_text_of_json,
    in_python_s_quotes,
    with_a_comma_too_many,
    with_a_field_more,
    under_a_name,
    in_a_list,
    with_names_in_capitals,
    twice_the_same,
)


def played(answer: Answer, quirk: Quirk) -> Callable[[dict[str, Any]], Reply]:
    """An endpoint whose replies all come in the form of a quirk."""

    def reply(body: dict[str, Any]) -> Reply:
        made = answer(body)
        made = made if isinstance(made, Reply) else Reply(made)
        if made.status != 200 or made.refusal or made.finish != "stop" or not made.text:
            return made
        return Reply(body=json.dumps(quirk(made.text, made.text.startswith("{"))).encode())

    return reply


def how() -> How:
    return How(retries=llm.RetryPolicy(attempts=2, base=0.01), poll_seconds=0.01)


def tag(store: Store, server: LLMServer, folder: Path, quirk: Quirk) -> Any:
    server.answer = played(tagging_tests.script, quirk)
    file = tagging_tests.file_of(folder, 7)
    done = tagging.ask_medqa_questions_and_add_wrong_answers(
        *(store, tagging_tests.settings(server), file),
        model="demo-a",
        dataset="exam",
        how=tagging_tests.how(),
    )
    read = store.rows("select job, outcome, body->>'chosen' from run_item order by job")
    return dict(done.outcomes), read


def visit(store: Store, server: LLMServer, folder: Path, quirk: Quirk) -> Any:
    server.answer = played(clinic_tests.script, quirk)
    experiment = clinic_tests.prepared(store)
    done = clinic.play_experiment(
        store, clinic_tests.settings(server), experiment, how=clinic_tests.how()
    )
    found = [
        (one.case, one.diagnosis, one.outcome, one.ratings.model_dump(), one.calls, one.cost)
        for _, _, _, one in human_played_visits.list_dialogues_with_ids_and_names(store, "d")
    ]
    return dict(done.outcomes), sorted(found, key=lambda one: one[0])


def choose(store: Store, server: LLMServer, folder: Path, quirk: Quirk) -> Any:
    add_questions(store)
    server.answer = played(ebmqa_tests.right, quirk)
    ebmqa.ask_models(
        *(store, ebmqa_tests.settings(server)),
        models=("demo-a",),
        dataset=ebmqa_tests.DATASET,
        how=how(),
    )
    of = Study(ebmqa_tests.DATASET, True, QuestionnaireTask())
    table = make_answers_export_table(store, of, viewer=None)
    return sorted(zip(table["question_id"], table["outcome"], table["answer"], strict=True))


def check(store: Store, server: LLMServer, folder: Path, quirk: Quirk) -> Any:
    with WebServer() as web:
        server.answer = played(Models(sourcecheckup_tests.study(web)), quirk)
        sourcecheckup_tests.ask(store, "Q1?")
        done = sourcecheckup.go(store, server.url, web.host, how=how())
        said = {
            (statement.rpartition(" ")[0], rater): (one.verdict, one.quote)
            for (statement, rater), one in sourcecheckup_tests.verdicts(store).items()
        }
    return done.complete, sorted(said.items())


def rate(store: Store, server: LLMServer, folder: Path, quirk: Quirk) -> Any:
    own_tests.declare(store)
    own_tests.add(store)

    def answer(body: dict[str, Any]) -> str:
        fields = body["response_format"]["json_schema"]["schema"]["properties"]
        return json.dumps({name: _first(field) for name, field in fields.items()})

    server.answer = played(answer, quirk)
    model = Model.model_validate(
        {"base_url": server.url, "model": "m", "input_price": 10.0, "output_price": 50.0}
    )
    done = find_pipeline("own", "rate").start(
        *(store, Settings(models={"gpt": model})), dataset="letters", models=("gpt",), how=how()
    )
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="letters"
    )
    kept = found.drop(columns=[name for name in found if name in ("judgment_id", "submitted_at")])
    return dict(done.outcomes), kept.filter(regex="^(?!.*(_at|_id|run|seconds)).*$").to_csv()


def _first(field: dict[str, Any]) -> Any:
    """A value that a field of a schema takes."""
    if "enum" in field:
        return field["enum"][0]
    kinds = [field, *field.get("anyOf", ())]
    kind = next((one["type"] for one in kinds if "type" in one), "string")
    least = field.get("minimum", 1)
    return {"integer": least, "number": least, "boolean": True, "array": []}.get(kind, "So.")


STUDIES = {
    "tagging": tag,
    "agentclinic": visit,
    "ebmqa": choose,
    "sourcecheckup": check,
    "own": rate,
}


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def costs(store: Store) -> tuple[float, int]:
    [(cost, calls)] = store.rows("select coalesce(sum(cost), 0), count(*) from completion")
    return round(float(cost), 9), calls


@pytest.mark.parametrize("study", STUDIES)
def test_replies_in_odd_forms_are_stored_as_the_same_in_plain(
    study: str, server: LLMServer, tmp_path: Path
) -> None:
    wrong = {}
    kept: dict[str, Any] = {}
    for quirk in (plain, *QUIRKS):
        folder = tmp_path / quirk.__name__
        folder.mkdir()
        with contextlib.closing(Store(folder / "s.duckdb")) as store:
            read = STUDIES[study](store, server, folder, quirk)
            kept[quirk.__name__] = read, costs(store)
        if kept[quirk.__name__] != kept["plain"]:
            wrong[quirk.__name__] = kept[quirk.__name__]
    assert kept["plain"][1][1] > 0
    assert not wrong, (wrong, kept["plain"])


@pytest.mark.parametrize("quirk", NO_ANSWERS, ids=lambda quirk: quirk.__name__)
def test_what_was_only_thought_or_done_is_no_answer_in_any_study(
    quirk: Quirk, server: LLMServer, tmp_path: Path
) -> None:
    found = {}
    for name, study in STUDIES.items():
        folder = tmp_path / name
        folder.mkdir()
        with contextlib.closing(Store(folder / "s.duckdb")) as store:
            read = study(store, server, folder, quirk)
            outcomes = {outcome for (outcome,) in store.rows("select outcome from run_item")}
            judged = store.rows("select count(*) from judgment") + store.rows(
                "select count(*) from verdict where usable"
            )
            found[name] = (outcomes & {"correct", "incorrect", "rated", "answered"}, judged, read)
            assert costs(store)[0] > 0
    assert {name: one[:2] for name, one in found.items()} == dict.fromkeys(
        STUDIES, (set(), [(0,), (0,)])
    ), found
    assert "answered" not in str(found["ebmqa"][2])
    assert found["sourcecheckup"][2][1] == []
