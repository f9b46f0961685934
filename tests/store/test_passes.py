"""Items that come again to the same rater: who gets which, what counts, what is measured."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest

from medlens.app import study_report, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, Conflict, InvalidInput
from medlens.review import (
    assignment,
    consensus,
    hand_out_settings,
    judging,
    judgment_export,
    judgment_import,
    remarks_between_raters_and_leads,
    retest_agreement,
    second_pass,
)
from medlens.review import assignments_held_in_memory as ledger_module
from medlens.review.assignment import RaterQueue
from medlens.review.assignments_held_in_memory import AssignmentLedger, assignment_ledger_of_task
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, utc_now
from medlens.studies.own import study as own
from medlens.studies.own import study_file
from medlens.tables import Request
from tests.store.made_up import TASK, person, poems

pytestmark = pytest.mark.usefixtures("read_near")

AGAIN = HandOut(
    raters_per_item=1, items_per_rater=6, gold_share=0, again_share=0.5, again_after=2, seed=3
)


def take(store: Store, rater: Rater, settings: HandOut = AGAIN) -> str | None:
    return assignment.give_next_item_and_return_id(
        store, TASK, settings, dataset="poems", rater=rater.id
    )


def judge(store: Store, item: str, rater: Rater, score: int = 5) -> None:
    judging.submit_judgment(
        store, TASK, item=item, rater=rater.id, token=new_id(), body={"score": score}
    )


def queue(store: Store, rater: Rater, settings: HandOut = AGAIN) -> RaterQueue:
    return assignment.load_rater_queue(store, TASK, settings, dataset="poems", rater=rater.id)


def judge_all(store: Store, rater: Rater, settings: HandOut = AGAIN, score: int = 5) -> list[str]:
    """Everything that a rater gets, in order, judged."""
    got: list[str] = []
    while item := take(store, rater, settings):
        got.append(item)
        judge(store, item, rater, score if got.count(item) == 1 else score + 1)
    return got


def of_passes(store: Store, rater: Rater) -> list[tuple[str, int, int]]:
    return store.rows(
        "select item, coalesce(pass, 1), (body->>'$.score')::integer from judgment"
        " where rater = $rater order by seq",
        rater=rater.id,
    )


def test_a_share_of_items_comes_again_once_after_enough_others(store: Store) -> None:
    poems(store, 12)
    anna = person(store, "Anna")
    totals = []
    got: list[str] = []
    while item := take(store, anna):
        totals.append(queue(store, anna).total)
        got.append(item)
        judge(store, item, anna)
    first = list(dict.fromkeys(got))
    twice = [item for item in first if got.count(item) == 2]
    # One of each run of two is drawn; of six items the last two have fewer than two behind them.
    drawn = [
        first[at] for at in second_pass.sample_repeat_places(6, 0.5, 3, f"again\x1f{_who(anna)}")
    ]
    assert len(first) == 6
    assert twice == [item for item in drawn if first.index(item) + 2 < 6]
    assert len(twice) >= 2
    for item in twice:
        start = got.index(item)
        assert len(set(got[start + 1 : got.index(item, start + 1)])) >= 2
    # The rater sees one length from the beginning.
    assert set(totals) == {len(got)}
    done = queue(store, anna)
    assert (done.done, done.total, done.again) == (len(got), len(got), len(twice))
    # A process that reads the store anew finds the same.
    fresh = AssignmentLedger(TASK.name)
    fresh.read_appended_assignments(store)
    assert fresh.list_items_given_to_rater(anna.id) == assignment_ledger_of_task(
        store, TASK.name
    ).list_items_given_to_rater(anna.id)
    # Numbers go on: the repeats have the last of them, and leave their first.
    assert [place.number for place in done.places] == [
        1 + at for at, item in enumerate(got) if item not in got[at + 1 :]
    ]


def _who(rater: Rater) -> str:
    return f"{TASK.name}\x1fpoems\x1f{rater.id}"


def test_nothing_comes_again_unless_a_lead_asks_for_it(store: Store) -> None:
    poems(store, 6)
    anna = person(store, "Anna")
    plain = HandOut(raters_per_item=1, items_per_rater=6, gold_share=0)
    assert len(judge_all(store, anna, plain)) == 6
    with pytest.raises(InvalidInput, match="must lie between 0 and 0"):
        HandOut(again_share=0.6)
    with pytest.raises(InvalidInput, match="after 1 other or more"):
        HandOut(again_after=0)


def again_open(store: Store) -> tuple[Rater, str]:
    """A rater who has an item for the second time, and has not judged it again; the first time,
    three revisions of it were saved.
    """
    poems(store, 12)
    anna = person(store, "Anna")
    got: list[str] = []
    while item := take(store, anna):
        if item in got:
            return anna, item
        got.append(item)
        work = {"item": item, "rater": anna.id, "body": {"score": 5}}
        for base in range(2):
            judging.save_draft(store, TASK, base=base, token=new_id(), **work)
        judging.submit_judgment(store, TASK, base=2, token=new_id(), **work)
    raise AssertionError("nothing came again")


def test_the_second_time_begins_empty_and_the_first_answer_is_shown_nowhere(store: Store) -> None:
    anna, item = again_open(store)
    lead = person(store, "Lea", lead=True)
    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=item, rater=anna.id).value is None
    )
    assert judging.list_revisions_viewer_may_see(store, TASK, item=item, viewer=anna) == []
    assert len(judging.list_revisions_viewer_may_see(store, TASK, item=item, viewer=lead)) == 1
    place = queue(store, anna).places[-1]
    assert (place.item, place.state) == (item, "open")
    judge(store, item, anna, 8)
    assert [
        row["value"].score
        for row in judging.list_revisions_viewer_may_see(store, TASK, item=item, viewer=anna)
    ] == [
        5,
        8,
    ]


def test_revisions_begin_anew_the_second_time_and_two_tabs_still_conflict(store: Store) -> None:
    anna, item = again_open(store)

    def save(base: int, score: int, token: str) -> judging.Saved:
        body = {"score": score}
        return judging.save_draft(
            store, TASK, item=item, rater=anna.id, base=base, token=token, body=body
        )

    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=item, rater=anna.id).revision == 0
    )
    token = new_id()
    assert save(0, 4, token).revision == 1
    assert save(0, 4, token).revision == 1
    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=item, rater=anna.id).revision == 1
    )
    with pytest.raises(Conflict):
        save(0, 7, new_id())
    done = judging.submit_judgment(
        store, TASK, item=item, rater=anna.id, token=new_id(), body={"score": 6}, base=1
    )
    assert done.revision == 2
    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=item, rater=anna.id).revision == 2
    )


def test_figures_use_the_first_answer_and_nobody_else_gets_the_item(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, item = again_open(store)
    ben = person(store, "Ben")

    def counted() -> dict[str, int]:
        found = consensus.current_judgments(store, TASK, dataset="poems", viewer=None)
        return {row.item_id: row.value.score for row in found.itertuples()}

    before = counted()
    # While it is open, its place is not free, however long ago the lease ran out and although the
    # pool is counted anew: it has its one judgment.
    for module in (assignment, ledger_module):
        monkeypatch.setattr(module, "utc_now", lambda: utc_now() + timedelta(minutes=121))
    poems(store, 13)
    assert item not in assignment_ledger_of_task(store, TASK.name).ids_of_items_held_unjudged(
        utc_now()
    )
    settings = HandOut(raters_per_item=1, items_per_rater=50, gold_share=0)
    assert item not in judge_all(store, ben, settings)
    judge(store, item, anna, 9)
    judge(store, item, anna, 10)
    assert {**counted(), **before} == counted()
    again = consensus.current_judgments(store, TASK, dataset="poems", viewer=None, again=True)
    assert [(row.item_id, row.value.score) for row in again.itertuples()] == [(item, 10)]
    assert of_passes(store, anna)[-2:] == [(item, 2, 9), (item, 2, 10)]


def test_two_tabs_that_ask_at_once_give_an_item_again_once(store: Store) -> None:
    anna, item = again_open(store)
    second_pass.give_item_for_second_pass(store, TASK, item=item, rater=anna.id)
    kinds = store.column("select kind from assignment_event where item = $item", item=item)
    assert kinds == ["again"]


def test_what_was_revealed_or_flagged_does_not_come_again(store: Store) -> None:
    poems(store, 6)
    anna, ben = person(store, "Anna"), person(store, "Ben")
    got: list[str] = []
    while item := take(store, anna):
        got.append(item)
        judge(store, item, anna)
        judging.record_reveal_and_say_if_new(store, TASK, item=item, viewer=anna)
    assert len(got) == len(set(got)) == 6
    wide = HandOut(**{**AGAIN.__dict__, "raters_per_item": 2})
    got = []
    while item := take(store, ben, wide):
        got.append(item)
        assignment.record_opened_skipped_or_flagged(
            store, TASK, wide, item=item, rater=ben.id, kind="flag", reason="It does not rhyme."
        )
        if len(got) == 6:
            break
    assert len(set(got)) == 6


def test_what_was_judged_and_then_flagged_does_not_come_again(store: Store) -> None:
    poems(store, 12)
    anna = person(store, "Anna")
    plain = HandOut(raters_per_item=1, items_per_rater=6, gold_share=0)
    judge_all(store, anna, plain)
    drawn = queue(store, anna).repeats.now
    assert drawn
    assignment.record_opened_skipped_or_flagged(
        store, TASK, plain, item=drawn[0], rater=anna.id, kind="flag", reason="It does not rhyme."
    )
    assert queue(store, anna).repeats.now == drawn[1:]


def test_what_was_skipped_before_it_was_sent_back_is_not_put_off(store: Store) -> None:
    item, anna = poems(store, 1)[0], person(store, "Anna")
    lead = person(store, "Lea", lead=True)
    plain = HandOut(raters_per_item=1, items_per_rater=6, gold_share=0)
    about = {"item": item, "rater": anna.id, "kind": "skip"}
    take(store, anna, plain)
    assignment.record_opened_skipped_or_flagged(store, TASK, plain, **about)
    judge(store, item, anna)
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=item, rater=anna.id, kind="return", text="Again.", by=lead, counts=False
    )
    [place] = queue(store, anna, plain).places
    assert (place.is_sent_back, place.put_off) == (True, False)
    assignment.record_opened_skipped_or_flagged(store, TASK, plain, **about)
    [place] = queue(store, anna, plain).places
    assert (place.is_sent_back, place.put_off) == (True, True)


def test_what_a_model_was_shown_to_suggest_does_not_come_again(store: Store) -> None:
    poems(store, 12)
    anna = person(store, "Anna")

    def drawn_again() -> list[str]:
        held = list(assignment_ledger_of_task(store, TASK.name).list_items_given_to_rater(anna.id))
        return list(
            second_pass.find_repeats_now_and_to_come(
                store, TASK, AGAIN, held, more=0, rater=anna.id, who=_who(anna)
            ).now
        )

    plain = HandOut(raters_per_item=1, items_per_rater=6, gold_share=0)
    judge_all(store, anna, plain)
    one, *others = drawn_again()
    assert others
    suggestion = {
        "task": TASK.name,
        "rater": anna.id,
        "judgment": new_id(),
        "share": 0.5,
        "seed": 1,
    }
    for item, shown in ((one, True), (others[0], False)):
        store.append("suggestion", {"id": new_id(), "item": item, "shown": shown, **suggestion})
    # Where the draw left the form blank, the rater saw nothing.
    assert drawn_again() == others


def test_an_item_returned_after_it_came_again_is_made_anew_in_the_first_pass(store: Store) -> None:
    anna, item = again_open(store)
    lead = person(store, "Lea", lead=True)
    judge(store, item, anna, 8)
    remarks_between_raters_and_leads.store_remark_on_work(
        store,
        TASK,
        item=item,
        rater=anna.id,
        kind="return",
        text="Look at the metre.",
        counts=False,
        by=lead,
    )
    judge(store, item, anna, 3)
    found = consensus.current_judgments(store, TASK, dataset="poems", viewer=None)
    assert [row.value.score for row in found.itertuples() if row.item_id == item] == [3]


def test_an_item_that_was_sent_back_comes_again_only_once_it_is_judged_anew(store: Store) -> None:
    poems(store, 12)
    anna, lead = person(store, "Anna"), person(store, "Lea", lead=True)
    while not queue(store, anna).repeats.now:
        item = take(store, anna)
        assert item
        judge(store, item, anna)
    [due] = queue(store, anna).repeats.now
    back = {"kind": "return", "text": "Look at the metre.", "counts": False, "by": lead}
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=due, rater=anna.id, **back
    )
    assert queue(store, anna).repeats.now == ()
    assert take(store, anna) != due
    judge(store, due, anna, 3)
    assert of_passes(store, anna)[-1] == (due, 1, 3)


def test_both_passes_are_exported_and_come_back(store: Store, tmp_path: Path) -> None:
    anna = person(store, "Anna")
    poems(store, 12)
    judge_all(store, anna)
    table = judgment_export.judgments_table(store, TASK, dataset="poems", viewer=None, nested=True)
    assert sorted(table["pass_number"].value_counts().items()) == [(1, 6), (2, len(table) - 6)]
    assert len(table) > 6
    poems(store, 12, dataset="copy")
    file = tmp_path / "judgments.jsonl"
    file.write_text(table.to_json(orient="records", lines=True, date_format="iso"))
    judgment_import.import_judgments(store, TASK, Request(file, file.name, "copy"))
    both = [
        retest_agreement.retest_pairs_table(store, TASK, dataset=dataset, viewer=None)[
            ["rater", "hours"]
        ].shape
        for dataset in ("poems", "copy")
    ]
    assert both[0] == both[1]


OWN = """\
id = "letters"
title = "Letters"
instructions = "Read it."
raters_per_item = 1
gold_share = 0
again_share = 0.5
again_after = 1

[[column]]
name = "letter"
means = "the letter"

[[pane]]
title = "Letter"
column = "letter"

[[question]]
id = "clear"
kind = "scale"
text = "Clear?"
low = "no"
high = "yes"
required = true

[[question]]
id = "faults"
kind = "multiple"
text = "Faults?"
options = ["Dose", "Side"]
once = true

[[question]]
id = "harm"
kind = "yes_no"
text = "Could it harm?"
required = true
once = true

[[question]]
id = "how"
kind = "single"
text = "How?"
options = ["Much", "Little"]
required = true
only_if = { question = "harm", is = "yes" }
"""


def table_of(store: Store, kind: str) -> pd.DataFrame:
    return work_behind_commands.make_export_table(
        store, Settings(), kind, viewer=None, study="own", dataset="letters"
    )


@pytest.mark.deep
def test_a_question_asked_once_is_not_asked_when_the_item_comes_again(store: Store) -> None:
    own.store_study_file_version_and_return_it(store, OWN, name="STUDY.toml", by=None)
    table = "item,letter\n" + "".join(f"l{n},Letter {n}.\n" for n in range(8))
    work_behind_commands.import_file(
        store, Settings(), "own-items", table.encode(), name="items.csv", dataset="letters"
    )
    here = own.open_study(store, Settings(), "letters")
    defaults = hand_out_settings.default_hand_out_settings(
        Settings(), here.task.name, here.task.handing_out
    )
    settings = hand_out_settings.hand_out_settings_in_force(
        store, here.task.name, "letters", defaults
    )
    anna, got = person(store, "Anna"), list[str]()
    whole = {"clear": 3, "harm": "yes", "how": "Much", "faults": ["Dose"]}
    while item := assignment.give_next_item_and_return_id(
        store, here.task, settings, dataset="letters", rater=anna.id
    ):
        got.append(item)
        body = second_pass.item_body_for_current_pass(store, here.task, item=item, rater=anna.id)
        asked = [one.id for one in here.declared.declaration_for_item(body).form.questions]
        second = got.count(item) == 2
        assert asked == (["clear"] if second else ["clear", "faults", "harm", "how"])
        answers = {"clear": 4} if second else whole
        judging.submit_judgment(
            *(store, here.task),
            item=item,
            rater=anna.id,
            token=new_id(),
            body={"answers": answers, "version": 1},
        )
    both = retest_agreement.retest_pairs_table(store, here.task, dataset="letters", viewer=None)
    assert len(both) == len(got) - 8 >= 3
    assert {name for value in both["again"] for name in value.answers} == {"clear"}
    # What was asked once has no agreement, nor an answer that nothing was ticked.
    assert list(retest_agreement.retest_agreement_by_variable_and_rater(here.task, both)) == [
        "clear"
    ]
    rows = table_of(store, "figures")
    again = rows[rows["figure"].str.startswith("retest_")]
    assert list(again["figure"]) == [f"retest_{one}_clear" for one in ("same", "kappa", "icc")]
    # Everybody said 3, and 4 when asked again.
    assert again["value"].iloc[0] == 0
    named = table_of(store, "retest")
    assert set(named["group"]) == {"everyone", "Anna"}
    html = study_report.render_report_file(
        store, Settings(), "own", dataset="letters", form="html"
    ).decode()
    assert "Agreement with themselves" in html
    assert f"1 person judged {len(both)} items a second time" in html
    assert "The median time between the two was less than an hour." in html
    share = rows[rows["figure"] == "mean_clear"]
    assert share["value"].iloc[0] == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (OWN.replace("again_share = 0.5", "again_share = 0.9"), "a number from 0 to 0.5"),
        (OWN.replace("again_after = 1", "again_after = 0"), "a whole number from 1 to 1000"),
        (
            OWN.replace('title = "Letter"\n', 'title = "Letter"\nafter_answer = true\n')
            + '[[column]]\nname = "more"\nmeans = "more"\n'
            '[[pane]]\ntitle = "More"\ncolumn = "more"\n',
            "ends blindness",
        ),
    ],
)
def test_what_cannot_come_again_is_refused_by_line(text: str, says: str) -> None:
    with pytest.raises(BadFile) as refused:
        study_file.parse_study_file(text)
    assert any(says in str(row) for row in refused.value.rows)
