"""Whole runs of the five studies against endpoints that refuse, limit, overcharge or break off:
what is stored is what a plain endpoint gives or nothing, and what it cost is counted.
"""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from medlens.llm import completion_run_and_job_queries
from medlens.llm.completion_run_and_job_queries import sum_known_cost_of_run
from medlens.llm.probe_refused_setting import _QUESTION
from medlens.llm.runs import current_state_name_of_run
from medlens.store import Store
from tests.llm_server import USAGE, LLMServer, Reply
from tests.store import test_quirks_in_every_study as odd_forms

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pages_read_near")]

Meets = Callable[[dict[str, Any], Reply, int], Reply]
"""From a request, the reply meant for it and how often it came, to what the endpoint sends."""


def limits_the_rate(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    said = "Rate limit reached for requests. Visit your billing page. Please try again in 20ms."
    if time > 1:
        return meant
    waits = {"retry-after-ms": "10"}
    return Reply(status=429, code="rate_limit_exceeded", message=said, headers=waits)


def refuses_parameters(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    for name in ("temperature", "max_tokens", "top_p", "seed"):
        if name in body:
            said = f"Unsupported parameter: '{name}' is not supported with this model."
            return Reply(status=400, code="unsupported_parameter", message=said)
    return meant


def wants_roles_to_alternate(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    roles = [message["role"] for message in body["messages"]]
    if any(one == other for one, other in pairwise(roles)):
        said = "After the optional system message, conversation roles must alternate user/assistant"
        return Reply(status=400, message=said)
    return meant


def takes_no_system_message(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    if any(message["role"] == "system" for message in body["messages"]):
        return Reply(status=400, message="System role not supported")
    return meant


def charges_for_thoughts(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    return Reply(
        meant.text, usage={"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 1000}
    )


def breaks_off_at_first(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    return meant if time > 1 else Reply(f"{meant.text}"[:5], finish="error")


def adds_words_at_first(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    if not str(meant.text).startswith("{") or "cannot be used" in str(body["messages"][-1]):
        return meant
    return Reply(f"{odd_forms.draft_of(str(meant.text))}\nOpposite day, by the way.")


def adds_words_always(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    said = str(meant.text)
    return Reply(f"{said}\nOpposite day, by the way.") if said.startswith("{") else meant


def is_out_of_credit(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    error = {"error": {"code": 402, "message": "Insufficient credits. Add more to go on."}}
    return Reply(body=json.dumps(error).encode())


def sends_a_bomb(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    return Reply(body=_BOMB, headers={"content-encoding": "gzip"})


def refuses_all(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    return Reply(None, refusal="I cannot help with that.")


def filters_all(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    return Reply(meant.text, finish="content_filter")


def cuts_all(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    return Reply(str(meant.text)[: len(str(meant.text)) // 2], finish="model_length")


_BOMB = gzip.compress(bytes(64_000_000), compresslevel=1)


AS_PLAIN = (
    limits_the_rate,
    wants_roles_to_alternate,
    charges_for_thoughts,
    breaks_off_at_first,
    adds_words_at_first,
)
# 900 tokens out instead of 20, at 50 dollars a million beside 100 in at 10: 46 instead of 2 for a
# thousand calls. SourceCheckup's models cost the same in and out: 1000 tokens instead of 120.
# Of tagging's seven replies, three come as they are: refused, cut off or empty.
TIMES: dict[Meets, dict[str, float]] = {
    limits_the_rate: {},
    wants_roles_to_alternate: {},
    charges_for_thoughts: {
        **dict.fromkeys(("agentclinic", "ebmqa", "own"), 46 / 2),
        "sourcecheckup": 1000 / 120,
        "tagging": (4 * 46 / 2 + 3) / 7,
    },
    breaks_off_at_first: {
        **dict.fromkeys(("agentclinic", "ebmqa", "own", "sourcecheckup"), 2.0),
        "tagging": (4 * 2 + 3) / 7,
    },
}
"""What a run costs as a multiple of the plain one: 1 where nothing else is said."""
TOLD = {refuses_parameters: "unsupported_parameters", takes_no_system_message: "system_messages"}
"""What the first call of a run finds out, with the setting that helps."""
WITHOUT_VERDICT = (is_out_of_credit, sends_a_bomb, refuses_all, filters_all, cuts_all)
NO_SHAPE = {"tagging", "ebmqa"}
"""Studies whose answers are free text, read by rules of their own."""


def play(study: str, store: Store, server: LLMServer, folder: Path, meets: Meets) -> Any:
    """What a study keeps of a run, without what its calls cost."""
    asked: dict[str, int] = {}

    def wrapped(body: dict[str, Any], meant: Reply) -> Reply:
        key = json.dumps(body, sort_keys=True)
        asked[key] = asked.get(key, 0) + 1
        return meets(body, meant, asked[key])

    def played(answer: odd_forms.Answer, quirk: odd_forms.Quirk) -> Callable[..., Reply]:
        def reply(body: dict[str, Any]) -> Reply:
            said = str(body["messages"][-1]["content"])
            asked = body
            if "That answer cannot be used" in said:
                # A study's script knows its own questions, not those that ask once more.
                asked = body | {"messages": body["messages"][:-2]}
            trial = _QUESTION in said
            made = '{"answer": "yes"}' if trial else answer(asked)
            made = made if isinstance(made, Reply) else Reply(made)
            plain = made.status == 200 and not made.refusal and made.finish == "stop"
            return wrapped(body, made) if plain and made.text else made

        return reply

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odd_forms, "played", played)
        read = odd_forms.STUDIES[study](store, server, folder, odd_forms.plain)
    if study == "agentclinic":
        outcomes, visits = read
        return outcomes, [visit[:4] for visit in visits]
    return read


def cost_of_runs(store: Store) -> float:
    """What all runs cost, with the replies that were broken off."""
    return sum(sum_known_cost_of_run(store, run) for (run,) in store.rows("select id from run"))


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def as_meant(body: dict[str, Any], meant: Reply, time: int) -> Reply:
    return meant


@pytest.mark.parametrize("study", odd_forms.STUDIES)
def test_a_run_at_a_difficult_endpoint_ends_as_at_a_plain_one(
    study: str, server: LLMServer, tmp_path: Path
) -> None:
    kept: dict[str, Any] = {}
    for one in (as_meant, *AS_PLAIN):
        name = one.__name__
        folder = tmp_path / name
        folder.mkdir()
        with contextlib.closing(Store(folder / "s.duckdb")) as store:
            kept[name] = play(study, store, server, folder, one), cost_of_runs(store)
    plain, cost = kept["as_meant"]
    assert cost > 0
    wrong = {name: read for name, (read, _) in kept.items() if read != plain}
    assert not wrong, (wrong, plain)
    dear = {
        meets.__name__: kept[meets.__name__][1] / cost
        for meets, times in TIMES.items()
        if kept[meets.__name__][1] != pytest.approx(times.get(study, 1.0) * cost)
    }
    assert not dear


@pytest.mark.parametrize("study", odd_forms.STUDIES)
def test_what_an_endpoint_does_not_take_is_told_with_the_setting_that_helps(
    study: str, server: LLMServer, tmp_path: Path
) -> None:
    for meets, setting in TOLD.items():
        folder = tmp_path / meets.__name__
        folder.mkdir()
        with contextlib.closing(Store(folder / "s.duckdb")) as store:
            play(study, store, server, folder, meets)
            refused = any(one.body and not one.answered for one in server.chats)
            reasons = str(store.rows("select reason from run_event"))
            if refused:
                assert setting in reasons, (meets.__name__, reasons)
                assert store.rows("select count(*) from judgment") == [(0,)]
        server.seen.clear()


@pytest.mark.parametrize("study", odd_forms.STUDIES)
def test_a_run_without_an_answer_keeps_no_verdict_and_says_why(
    study: str, server: LLMServer, tmp_path: Path
) -> None:
    unclean = () if study in NO_SHAPE else (adds_words_always,)
    for meets in (*WITHOUT_VERDICT, *unclean):
        folder = tmp_path / meets.__name__
        folder.mkdir()
        server.seen.clear()
        with contextlib.closing(Store(folder / "s.duckdb")) as store:
            play(study, store, server, folder, meets)
            judged = store.rows("select count(*) from judgment") + store.rows(
                "select count(*) from verdict where usable"
            )
            assert judged == [(0,), (0,)], meets.__name__
            outcomes = {outcome for (outcome,) in store.rows("select outcome from run_item")}
            assert not outcomes & {"correct", "incorrect", "rated", "answered"}, meets.__name__
            if meets is is_out_of_credit:
                reasons = str(store.rows("select reason from run_event"))
                assert "Insufficient credits" in reasons
                assert len(server.chats) <= 8
            if meets in (refuses_all, filters_all, cuts_all):
                assert cost_of_runs(store) > 0, meets.__name__


@pytest.mark.parametrize("study", odd_forms.STUDIES)
@pytest.mark.parametrize("said", ["", "<think>They ask me something.</think>\n"])
def test_a_run_to_which_a_model_sent_nothing_ends_as_not_answered(
    study: str, said: str, server: LLMServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd_forms, "played", lambda answer, quirk: lambda body: Reply(said))
    with contextlib.closing(Store(tmp_path / "s.duckdb")) as store:
        odd_forms.STUDIES[study](store, server, tmp_path, odd_forms.plain)
        [run] = completion_run_and_job_queries.list_current_runs(store, study="", limit=9, offset=0)
    assert current_state_name_of_run(run) == "stopped"
    assert run["reason"].startswith("the model did not answer: all that came was empty")
    assert run["unusable"] == run["done"] > 0


def test_the_plain_reply_costs_what_the_multiples_are_made_from() -> None:
    assert (USAGE["prompt_tokens"], USAGE["completion_tokens"]) == (100, 20)
