"""Sentences of a source that people and models mark: from the answer to figures and files."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

from medlens import llm
from medlens.app import work_behind_commands
from medlens.config.question_forms_and_answer_checks import NO_PASSAGE
from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import assignment, consensus, items, judging
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies.own import study_file
from medlens.studies.own.study import Study, open_study
from medlens.studies.registry import find_pipeline
from medlens.tables import write_table
from tests.llm_server import LLMServer
from tests.store.made_up import person

pytestmark = pytest.mark.usefixtures("read_near")
NAME = "source_check"
TIMES = "Colchicine is taken as 500 micrograms two to four times a day until the pain eases."
DOSE = "Do not give more than 6 mg in a course."
STEAM = "Steam has not been shown to help."


def add(store: Store) -> Study:
    file = study_file.path_of_template(NAME)
    work_behind_commands.declare_study_and_return_report_text(
        store, study_file.read_study_file_text_and_declaration(file)[0], file.name
    )
    table = file.with_suffix(".csv")
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name=table.name, dataset=NAME
    )
    return open_study(store, Settings(), NAME)


@pytest.fixture
def study(store: Store) -> Study:
    return add(store)


def item_of(store: Store, name: str) -> str:
    return items.item_ids_by_name(store, "own", NAME, [name])[name]


def marked(store: Store, item: str, *quotes: str) -> str:
    """An answer that marks these words, as a browser sends it."""
    source = items.item_body(store, item)["source"]
    starts = [source.index(one) for one in quotes]
    passages = [
        {"start": start, "end": start + len(one), "quote": one}
        for start, one in zip(starts, quotes, strict=True)
    ]
    return json.dumps(passages) if passages else NO_PASSAGE


def judge(store: Store, study: Study, who: str, name: str, said: str, *quotes: str) -> None:
    item = given(store, study, who)[name]
    answers = {"supported": said, "proof": marked(store, item, *quotes)}
    judging.submit_judgment(
        *(store, study.task),
        item=item,
        rater=person(store, who).id,
        token=new_id(),
        body={"version": 1, "answers": answers},
    )


def given(store: Store, study: Study, who: str) -> dict[str, str]:
    """All items, in somebody's queue, by name."""
    rater = person(store, who).id
    known = items.item_ids_by_name(store, "own", NAME, [f"s{n}" for n in range(1, 7)])
    hand_out = HandOut(raters_per_item=2, gold_share=0)
    for _ in known:
        assignment.give_next_item_and_return_id(
            store, study.task, hand_out, dataset=NAME, rater=rater
        )
    return known


def judge_all(store: Store, study: Study) -> None:
    """Both prove s1, Ben by one sentence more; s4 by the same one; on s6 Ben finds nothing."""
    judge(store, study, "Anna", "s1", "Supports all of it", TIMES)
    judge(store, study, "Ben", "s1", "Supports all of it", DOSE, TIMES)
    for who in ("Anna", "Ben"):
        judge(store, study, who, "s4", "Contradicts it", STEAM)
    judge(store, study, "Anna", "s6", "Does not say", "Ankle sprains.")
    judge(store, study, "Ben", "s6", "Does not say")


def test_words_that_do_not_stand_in_the_source_are_not_even_a_draft(
    store: Store, study: Study
) -> None:
    item = given(store, study, "Anna")["s1"]
    for wrong in (
        # Where it says that they stand, other words stand.
        '[{"start":0,"end":4,"quote":"Dose"}]',
        '[{"start":5000,"end":5004,"quote":"Gout"}]',
        '[{"start":0,"end":0,"quote":""}]',
        '[{"start":0,"quote":"Gout"}]',
        "the third sentence",
    ):
        with pytest.raises(InvalidInput, match="Which sentences decide"):
            judging.save_draft(
                *(store, study.task),
                item=item,
                rater=person(store, "Anna").id,
                base=0,
                token=new_id(),
                body={"answers": {"proof": wrong}},
            )
    assert store.rows("select 1 from draft") == []


def test_nothing_found_is_an_answer_and_nothing_said_is_none(store: Store, study: Study) -> None:
    judge(store, study, "Anna", "s6", "Does not say")
    with pytest.raises(InvalidInput, match="please answer this question"):
        judging.submit_judgment(
            *(store, study.task),
            item=given(store, study, "Ben")["s6"],
            rater=person(store, "Ben").id,
            token=new_id(),
            body={"version": 1, "answers": {"supported": "Does not say"}},
        )


def test_exports_have_the_places_and_the_words_and_come_back(
    store: Store, study: Study, tmp_path: Any
) -> None:
    judge_all(store, study)
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset=NAME
    )
    [mine] = found[(found["rater"] == "Ben") & (found["item"] == "s1")].to_dict("records")
    source = items.item_body(store, item_of(store, "s1"))["source"]
    places = json.loads(mine["proof"])
    # In the order of the source, whatever the order in which they were marked.
    assert [source[one["start"] : one["end"]] for one in places] == [TIMES, DOSE]
    assert mine["proof_quotes"] == f"“{TIMES}” … “{DOSE}”"
    none = found[(found["rater"] == "Ben") & (found["item"] == "s6")].to_dict("records")[0]
    assert (none["proof"], none["proof_quotes"]) == (NO_PASSAGE, NO_PASSAGE)
    write_table(found, tmp_path / "judgments.csv")
    with closing(open_store(tmp_path / "other.duckdb")) as other:
        add(other)
        file = tmp_path / "judgments.csv"
        work_behind_commands.import_file(
            *(other, Settings(), "own-judgments", file), name=file.name, dataset=NAME
        )
        again = work_behind_commands.make_export_table(
            other, Settings(), "own-judgments", viewer=None, dataset=NAME
        )
    assert again["proof"].tolist() == found["proof"].tolist()


def test_figures_say_how_often_passages_are_marked_and_how_far_people_mark_the_same(
    store: Store, study: Study
) -> None:
    judge_all(store, study)
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset=NAME
    )
    told = {(one["figure"], one["group"]): one for one in table.to_dict("records")}
    share = told["share_proof", "passages marked"]
    assert (share["numerator"], share["denominator"]) == (5, 6)
    # s1: one of Anna's and two of Ben's, one pair matches: 2 x 1 / 3. s4: 1. s6: 0.
    overlap = told["overlap_proof", ""]
    assert overlap["value"] == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert overlap["n"] == 3
    assert told["overlap_proof", "topic: urgency"]["value"] == 1
    # Whether there is any passage is what agreement is on.
    assert told["percent_proof", ""]["value"] == pytest.approx(2 / 3)


def test_other_passages_are_a_disagreement_and_any_of_them_can_be_the_last_word(
    store: Store, study: Study
) -> None:
    judge_all(store, study)
    judged = consensus.current_judgments(store, study.task, dataset=NAME, viewer=None)
    divided = consensus.disagreements_table(study.task, judged).set_index("item")
    # On s1 both marked something, and not the same; on s4 the same.
    assert dict(divided["on"]) == {
        "s6": "Which sentences decide?",
        "s1": "Which sentences decide?: other passages",
    }
    # Of three variables (the verdict, whether there is a passage, which) one differs on s1; on s6,
    # where Ben marked none, two are compared.
    assert divided["divided"].to_dict() == {"s6": 1 / 2, "s1": 1 / 3}
    item = item_of(store, "s1")
    value = consensus.adjudicator_answer_from_form(
        *(store, study.task),
        item=item,
        answers={"supported": "Supports all of it", "proof": marked(store, item, TIMES)},
        reason="The dose is enough.",
    )
    assert study.task.cell_of_answer_in_words("proof", value.answers["proof"]) == f"“{TIMES}”"
    with pytest.raises(InvalidInput, match="is not in the source"):
        consensus.adjudicator_answer_from_form(
            *(store, study.task),
            item=item_of(store, "s4"),
            answers={"supported": "Does not say", "proof": marked(store, item, TIMES)},
            reason="No.",
        )


def test_a_model_proves_by_quotes_that_are_looked_up_in_the_source(
    store: Store, study: Study
) -> None:
    quotes = {
        # Apart from its spaces as it stands there; and what stands nowhere is left out.
        "first gout attack": [
            "Colchicine is taken as 500  micrograms two to four times a day",
            "x",
        ],
        "steam relieves": [STEAM],
        # Nothing of it stands there: it has not judged the item.
        "simple ankle sprain": ["People should walk."],
    }

    def answer(body: dict[str, Any]) -> str:
        told = body["messages"][1]["content"]
        said = next(
            (of for words, of in quotes.items() if words in told.replace("in steam", "steam")), []
        )
        return json.dumps({"reason": "Read.", "q_1": "Does not say", "q_2": said})

    with LLMServer() as server:
        server.answer = answer
        model = Model.model_validate({"base_url": server.url, "model": "m"})
        done = find_pipeline("own", "rate").start(
            *(store, Settings(models={"gpt": model})),
            dataset=NAME,
            models=("gpt",),
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
        told = server.chats[0].body["messages"][0]["content"]
    assert "Quote the passages of Source word for word" in told
    assert done.outcomes == {"rated": 5, "no_quote_located": 1}
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset=NAME
    )
    said = dict(zip(found["item"], found["proof_quotes"], strict=True))
    assert said["s1"] == "“Colchicine is taken as 500 micrograms two to four times a day”"
    assert said["s4"] == f"“{STEAM}”"
    assert "s5" not in said
    assert said["s2"] == NO_PASSAGE
