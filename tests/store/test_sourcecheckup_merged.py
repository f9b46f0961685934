"""Sources merged: asked once, kept apart from pairs, counted beside them; and the batch API."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from medlens import llm
from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput, NotAllowed
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import raters
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.sourcecheckup import queries, tables_as_in_files_queries
from medlens.studies.sourcecheckup.run_source_fetching import fetch_and_store_cited_pages
from medlens.studies.sourcecheckup.run_verification import (
    let_models_verify_pairs,
    let_models_verify_sources_together,
    list_statements_with_merged_sources,
)
from medlens.studies.sourcecheckup.run_whole_pipeline import Roles, run_whole_pipeline
from medlens.studies.sourcecheckup.tasks import SUPPORT
from tests.llm_server import LLMServer, Reply
from tests.sourcecheckup_models import Models, shape_of, statement_of
from tests.store import sourcecheckup_driver as driver
from tests.store.test_sourcecheckup_run import how, told
from tests.web_server import Served, WebServer, html

pytestmark = pytest.mark.usefixtures("read_near", "pages_read_near")

D = driver.DATASET


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def joint(body: dict[str, Any]) -> Reply:
    """Supports what stands on the pages, half of it on one and half on another."""
    said, statement = body["messages"][1]["content"], statement_of(body)
    pages = said.partition("Statement, between the lines")[0]
    halves = statement.rstrip(".").split(" and ")
    there = all(half in pages for half in halves)
    quote = halves[-1] if there else "Nowhere at all does it stand."
    word = "supported" if there else "not_supported"
    return Reply(json.dumps({"reason": "So.", "quote": quote, "verdict": word}))


def two_pages(store: Store, web: WebServer, **other: Any) -> Settings:
    web.pages["/a"] = html("A", "Rest helps greatly. " * 30)
    web.pages["/b"] = html("B", "Tea warms people. " * 30)
    urls = (web.url("/b"), web.url("/a"), web.url("/gone"), web.url("/b"))
    told(store, "", "Rest helps and Tea warms.", "Milk cures.", urls=urls)
    chosen = driver.settings(server_url(other), web.host)
    fetch_and_store_cited_pages(store, chosen, dataset=D, how=how())
    return chosen


def server_url(other: dict[str, Any]) -> str:
    return str(other["server"].url)


@pytest.mark.deep
def test_merged_sources_are_asked_once_and_stay_apart_from_pairs(
    store: Store, server: LLMServer, web: WebServer
) -> None:
    chosen = two_pages(store, web, server=server)
    server.answer = joint
    done = let_models_verify_sources_together(
        store, chosen, models=("a", "b"), dataset=D, how=how()
    )
    assert done.outcomes == {"supported": 2, "not_supported": 2}
    assert "2 found word for word" in done.lines[-1]
    assert "2 not on the page" in done.lines[-1]
    # Two statements, each with both readable pages at once; "a" and "b" are one model by two names,
    # and the same request is paid for once.
    assert server.total == 2
    assert let_models_verify_sources_together(
        store, chosen, models=("a", "b"), dataset=D, how=how()
    ).lines == ("These models have judged every statement against its merged sources already.",)
    assert server.total == 2
    assert (
        model_verdicts_and_runs_of_judges.model_judgments_by_item_and_model(store, SUPPORT, D) == {}
    )
    assert tables_as_in_files_queries.merged_source_verdict_words_table(
        store, D
    ).to_numpy().tolist() == [
        ["r1--s1", "a", "supported"],
        ["r1--s1", "b", "supported"],
        ["r1--s2", "a", "not_supported"],
        ["r1--s2", "b", "not_supported"],
    ]
    # Its halves stand on two pages: no single one supports it.
    let_models_verify_pairs(store, chosen, models=("a",), dataset=D, how=how())
    assert set(queries.current_verdicts_table(store, D)["verdict"]) == {"not_supported"}


@pytest.mark.deep
def test_the_whole_pipeline_judges_merged_sources_and_asks_registries_where_it_is_told_to(
    store: Store, server: LLMServer, web: WebServer
) -> None:
    chosen = two_pages(store, web, server=server)
    registry = chosen.web.model_copy(update={"registry": web.url("/rdap")})
    chosen = chosen.model_copy(update={"web": registry})

    def play(body: dict[str, Any]) -> Reply:
        # The address is refused before anything is fetched; its site is looked up all the same.
        answer = {"answer": "Milk cures.", "sources": ["https://clinic.org:22/x"]}
        made = {"AnswerShape": answer, "StatementsShape": {"statements": ["Milk cures."]}}
        shape = shape_of(body)
        return Reply(json.dumps(made[shape])) if shape in made else joint(body)

    server.answer = play
    web.pages["/rdap/clinic.org"] = Served("", status=429)
    roles = Roles(answerers=("a",), parser="a", verifiers=("b",), merged=True, countries=True)
    seen: list[llm.CostForecast] = []
    done = run_whole_pipeline(
        store, chosen, roles=roles, dataset=D, how=how(confirm=lambda one: not seen.append(one))
    )
    # An answer, and its parsing; r1's 2 statements on 2 pages, and once on both; of the answer to
    # come 6 statements on 4 pages, and once on all.
    assert [one.calls for one in seen] == [1 + 1 + 2 * 2 + 2 + 6 * 4 + 6]
    assert [one.partition(":")[0] for one in done.lines if "new" in one] == [
        "Answers",
        "Statements",
        "Sources",
        "Countries",
        "Verification",
        "Merged sources",
    ]
    # No registry answered, which kept nothing else waiting.
    assert not done.complete
    assert sorted(
        tables_as_in_files_queries.merged_source_verdict_words_table(store, D)["statement"]
    ) == [
        "r1--s1",
        "r1--s2",
    ]
    web.pages["/rdap/clinic.org"] = Served("", status=404)
    before = server.total
    assert run_whole_pipeline(store, chosen, roles=roles, dataset=D, how=how()).complete
    assert server.total == before


def test_pages_stand_between_marks_that_none_of_them_can_hold(
    store: Store, server: LLMServer, web: WebServer
) -> None:
    chosen = two_pages(store, web, server=server)
    server.push(*[Reply('{"verdict": "AS ORDERED"}')] * 2)
    server.answer = joint
    let_models_verify_sources_together(store, chosen, models=("a",), dataset=D, how=how())
    body = server.chats[0].body["messages"]
    sign = body[0]["content"].partition("the sign ")[2].partition(".")[0]
    said = body[1]["content"]
    for n, words in ((1, "Tea warms people."), (2, "Rest helps greatly.")):
        page = said.partition(f"[[page {n} of 2 {sign} begins]]\n")[2]
        assert words in page.partition(f"[[page {n} of 2 {sign} ends]]")[0]
    assert said.count(sign) == 4
    assert said.index("Statement, between the lines") > said.rindex(sign)
    # What does not meet the schema is repaired, never believed.
    assert set(
        tables_as_in_files_queries.merged_source_verdict_words_table(store, D)["verdict"]
    ) <= {
        "supported",
        "not_supported",
    }


@pytest.mark.deep
def test_a_source_that_is_read_later_makes_the_statement_a_new_question(
    store: Store, server: LLMServer, web: WebServer
) -> None:
    chosen = two_pages(store, web, server=server)
    server.answer = joint
    let_models_verify_sources_together(store, chosen, models=("a",), dataset=D, how=how())
    web.pages["/gone"] = html("C", "Milk cures. " * 30)
    fetch_and_store_cited_pages(store, chosen, dataset=D, which="failed", how=how())
    assert {len(one.sources) for one in list_statements_with_merged_sources(store, D)} == {3}
    assert (
        let_models_verify_sources_together(store, chosen, models=("a",), dataset=D, how=how()).added
        == 2
    )
    assert tables_as_in_files_queries.merged_source_verdict_words_table(store, D)[
        "verdict"
    ].tolist() == [
        "supported",
        "supported",
    ]
    assert store.rows("select count(*) from judgment where task = 'merged_support'") == [(4,)]


@pytest.mark.deep
def test_pages_too_long_together_and_answers_with_one_page_are_not_asked(
    store: Store, server: LLMServer, web: WebServer
) -> None:
    chosen = two_pages(store, web, server=server)
    server.answer = joint
    small = chosen.models["b"].model_copy(update={"context": 800})
    chosen = chosen.model_copy(update={"models": {"a": chosen.models["a"], "b": small}})
    # A page of some 150 tokens fits, with the 550 of all else; two do not.
    assert let_models_verify_pairs(store, chosen, models=("b",), dataset=D, how=how()).outcomes == {
        "not_supported": 4
    }
    done = let_models_verify_sources_together(store, chosen, models=("b",), dataset=D, how=how())
    assert done.outcomes == {"too_long": 2}
    assert "2 statements were not sent to 'b': its answer's pages together" in " ".join(done.lines)


def test_with_one_readable_page_there_is_nothing_to_merge(
    store: Store, server: LLMServer, web: WebServer
) -> None:
    web.pages["/a"] = html("A", "Rest helps. " * 30)
    told(store, "", "Rest helps.", urls=(web.url("/a"), web.url("/gone")))
    chosen = driver.settings(server.url, web.host)
    fetch_and_store_cited_pages(store, chosen, dataset=D, how=how())
    with pytest.raises(InvalidInput, match="no sources to merge"):
        let_models_verify_sources_together(store, chosen, models=("a",), dataset=D, how=how())


@pytest.mark.first_quick
@pytest.mark.parametrize("step", [let_models_verify_pairs, let_models_verify_sources_together])
def test_verdicts_come_through_the_batch_api_as_well(
    step: Any, store: Store, server: LLMServer, web: WebServer
) -> None:
    chosen = two_pages(store, web, server=server)
    server.answer = Models({}) if step is let_models_verify_pairs else joint
    stop = threading.Event()
    stop.set()
    batch = How(
        batch_api=True, poll_seconds=0.01, retries=llm.RetryPolicy(attempts=2, base=0.01), stop=stop
    )
    waits = step(store, chosen, models=("a",), dataset=D, how=batch)
    assert (waits.batch, waits.added) == (None, 0)
    batch = How(batch_api=True, poll_seconds=0.01, retries=llm.RetryPolicy(attempts=2, base=0.01))
    done = step(store, chosen, models=("a",), dataset=D, how=batch)
    count = 4 if step is let_models_verify_pairs else 2
    assert (done.added, done.complete, done.run) == (count, True, waits.run)
    # The endpoint's batch job answered them: not one was asked by itself.
    assert server.chats == []


# -- in and out ------------------------------------------------------------------------------------

OK, GONE, EMPTY = ("200", "A page."), ("404", ""), ("200", "")
PAGES = {"u1": OK, "u2": GONE, "u3": EMPTY, "u4": OK, "u5": OK, "u6": OK, "u7": OK, "u8": OK}
WORKED = {
    "r1": (["s11", "s12"], ["u1", "u2", "u3"]),
    "r2": (["s21", "s22"], ["u4", "u5"]),
    "r3": (["s31", "s32"], []),
    "r4": ([], ["u6"]),
}
SUPPORTED = {("s11", "u1"), ("s21", "u4"), ("s22", "u5")}


def url(name: str) -> str:
    return f"https://site.example.org/{name}"


def brought(store: Store, kind: str, text: str, **other: Any) -> work_behind_commands.Outcome:
    return work_behind_commands.import_file(
        store, Settings(), f"sourcecheckup-{kind}", text.encode(), name="f.csv", dataset=D, **other
    )


def bring(store: Store, answers: dict[str, tuple[list[str], list[str]]]) -> None:
    """Answers by name (statements, pages), through every import."""
    asked = "".join(f"q-{one},What of {one}?\n" for one in answers)
    brought(store, "questions", "question_id,question\n" + asked)
    given = "".join(
        f"{one},q-{one},bot,Words of {one}.,{' '.join(map(url, pages))}\n"
        for one, (_, pages) in answers.items()
    )
    brought(store, "responses", "response_id,question_id,model,response,urls\n" + given)
    stated = "".join(
        f"{s},{one},Fact {s}\n" for one, (said, _) in answers.items() for s in said or [""]
    ).replace(",Fact \n", ",\n")
    brought(store, "statements", "statement_id,response_id,statement\n" + stated)
    cited = dict.fromkeys(page for _, pages in answers.values() for page in pages)
    pages = "".join(f"{url(page)},{','.join(PAGES[page])}\n" for page in cited)
    brought(store, "sources", "url,status,text\n" + pages)
    pairs = "".join(
        f"{s},{url(page)},checker,model,{'found' if (s, page) in SUPPORTED else 'not_found'}\n"
        for said, named in answers.values()
        for s in said
        for page in named
        if PAGES[page] == OK
    )
    brought(store, "pairs", "statement_id,url,rater,rater_kind,verdict\n" + pairs)


def exported(store: Store) -> dict[tuple[str, str], tuple[int, int]]:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="sourcecheckup", dataset=D
    )
    return {(one.figure, one.group): (one.numerator, one.denominator) for one in table.itertuples()}


def test_the_worked_example_holds_from_import_to_export(store: Store) -> None:
    bring(store, WORKED)
    found = exported(store)
    assert found["url_validity", "all"] == (4, 6)
    assert found["statement_support", "all"] == (3, 6)
    assert found["response_support", "all"] == (1, 3)
    assert found["unused_sources", "all"] == (1, 4)
    assert not any(figure.startswith("merged") for figure, _ in found)


@pytest.mark.deep
def test_each_source_alone_and_merged_are_counted_over_the_same_statements(store: Store) -> None:
    # r5: halves on two pages; r6: not asked of merged sources; r7: on no page at all.
    bring(
        store,
        WORKED
        | {
            "r5": (["s51", "s52"], ["u7", "u8"]),
            "r6": (["s61"], ["u7", "u8"]),
            "r7": (["s71"], ["u7", "u8"]),
        },
    )
    done = brought(
        store,
        "merged",
        "statement_id,rater,verdict,reason\ns21,checker,supported,Both.\ns22,checker,partly,\n"
        "s51,checker,found,\ns52,checker,supported,\ns71,checker,contradicted,\n",
    )
    assert done.line == "Imported 5 verdicts on merged sources into 'd'."
    found = exported(store)
    # Decided both ways: two each of r1 (one page to read: as alone), r2, r3, r5, and s71; not s61.
    # Alone: s11, s21, s22. Merged: s11, s21, s51, s52.
    assert found["statement_support_alone", "all"] == (3, 9)
    assert found["statement_support_merged", "all"] == (4, 9)
    # r1, r2, r3, r5, r7: alone r2 is supported, merged r5.
    assert found["response_support_alone", "all"] == (1, 5)
    assert found["response_support_merged", "all"] == (1, 5)
    # Of s51, s52 and s71 the last is still not supported; of s21 and s22 the second no longer is.
    assert found["merged_still_unsupported", "all"] == (1, 3)
    assert found["merged_no_longer_supported", "all"] == (1, 2)
    assert found["statement_support_merged_by_verifier", "checker"] == (4, 9)
    assert {
        group: found[f"merged statements: {group}", "all"]
        for group in (
            "supported",
            "partly",
            "contradicted",
            "no_source",
            "unreachable",
            "undecided",
        )
    } == {
        "supported": (4, 10),
        "partly": (1, 10),
        "contradicted": (1, 10),
        "no_source": (2, 10),
        "unreachable": (1, 10),
        "undecided": (1, 10),
    }
    # They change nothing else: s51, s52, s61 and s71 are as unsupported as before.
    assert found["statement_support", "all"] == (3, 10)


@pytest.mark.deep
def test_merged_figures_go_by_the_verifier_that_was_asked_of_merged_sources(store: Store) -> None:
    """``checker`` has most verdicts on pairs, and was never asked of merged sources."""
    bring(store, WORKED)
    second = "statement_id,rater,verdict\ns21,second,supported\ns22,second,supported\n"
    brought(store, "merged", second)
    rows = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="sourcecheckup", dataset=D
    )
    own = rows[rows["figure"] == "statement_support_merged_by_model"]
    assert len(own)
    assert own["method"].str.endswith("verifier second").all()
    chosen = work_behind_commands.make_export_table(
        *(store, Settings(), "figures"),
        viewer=None,
        study="sourcecheckup",
        dataset=D,
        narrow={"judge": "checker"},
    )
    own = chosen[chosen["figure"] == "statement_support_merged_by_model"]
    assert len(own)
    assert own["value"].isna().all()
    assert own["method"].str.contains("checker was not asked of merged sources").all()


@pytest.mark.deep
def test_verdicts_on_merged_sources_are_checked_and_taken_once(store: Store) -> None:
    bring(store, WORKED)
    good = "statement_id,rater,verdict\ns21,checker,supported\n"
    assert brought(store, "merged", good, dry_run=True).added == 1
    assert brought(store, "merged", good).line.startswith("Imported 1 verdict on merged sources")
    again = brought(store, "merged", good)
    assert (again.added, again.known) == (0, 1)
    named = "statement_id,rater,verdict,run_id,prompt_version\ns21,other,supported,r1,p1\n"
    assert brought(store, "merged", named).added == 1
    written = work_behind_commands.make_export_table(
        store, Settings(), "merged", viewer=None, dataset=D
    )
    assert list(written.columns[-2:]) == ["run_id", "prompt_version"]
    told = written.set_index("rater")[["run_id", "prompt_version"]].fillna("")
    assert told.loc["other"].tolist() == ["r1", "p1"]
    assert told.loc["checker"].tolist() == ["", ""]
    bad = (
        "statement_id,rater,verdict\ns11,checker,supported\ns21,checker,partly\ns22,,supported\n"
        "s22,checker,maybe\ns22,other,supported\n"
    )
    with pytest.raises(BadFile) as refused:
        brought(store, "merged", bad)
    assert [(row.line, row.column) for row in refused.value.rows] == [
        (2, "statement_id"),
        (3, "verdict"),
        (4, "rater"),
        (5, "verdict"),
    ]
    done = brought(store, "merged", bad, skip_bad=True)
    assert (done.added, done.refused) == (1, 4)
    with pytest.raises(NotAllowed):
        work_behind_commands.make_export_table(
            store,
            Settings(),
            "merged",
            viewer=raters.find_or_add_rater_by_name(store, "Rosa"),
            dataset=D,
        )
