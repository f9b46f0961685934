"""Rounds: what a lead opens, closes and gives to people, and what no import changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from medlens.config import settings as files
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    audit_log,
    consensus,
    consent,
    copy_round_to_datasets,
    guideline,
    hand_out_settings,
    items,
    items_selected_to_hand_out,
    judging,
    judgment_import,
    practice,
    rater_and_item_subgroups,
    raters,
    rounds,
)
from medlens.review.rounds import Round
from medlens.review.tasks import HandOut
from medlens.store import Store, migrations, new_id, open_store
from medlens.studies.registry import STUDIES
from medlens.tables import Request
from tests.store.made_up import TASK, person, poems, with_methods

PLAIN = HandOut(raters_per_item=3, items_per_rater=4, gold_share=0)


def take(store: Store, rater: str, dataset: str = "poems") -> str | None:
    return assignment.give_next_item_and_return_id(store, TASK, PLAIN, dataset=dataset, rater=rater)


def held(store: Store, rater: str, dataset: str = "poems") -> assignment.RaterQueue:
    return assignment.load_rater_queue(store, TASK, PLAIN, dataset=dataset, rater=rater)


def test_the_first_dataset_is_open_and_a_later_one_waits_for_a_lead(store: Store) -> None:
    lead, rosa = person(store, "Lena", lead=True), person(store, "Rosa")
    poems(store, 6)
    first = take(store, rosa.id)
    poems(store, 6, dataset="later")
    assert take(store, rosa.id, "later") is None
    assert held(store, rosa.id, "later").total == 0
    # What was begun is as it was.
    assert [place.item for place in held(store, rosa.id).places] == [first]
    assert held(store, rosa.id).total == 4
    rounds.open_or_close_round(store, TASK, "later", state="open", by=lead)
    assert take(store, rosa.id, "later")
    assert held(store, rosa.id).total == 4


def test_a_round_is_given_to_named_people_alone(store: Store) -> None:
    lead, rosa, ben = (person(store, name, lead=name == "Lena") for name in ("Lena", "Rosa", "Ben"))
    poems(store, 3)
    rounds.open_or_close_round(store, TASK, "poems", state="open", raters=[rosa.id], by=lead)
    assert take(store, rosa.id)
    assert take(store, ben.id) is None
    assert held(store, ben.id).total == 0


def test_in_a_closed_round_what_is_held_can_be_finished_and_nothing_new_is_given(
    store: Store,
) -> None:
    lead, rosa = person(store, "Lena", lead=True), person(store, "Rosa")
    poems(store, 3)
    item = take(store, rosa.id)
    assert item is not None
    rounds.open_or_close_round(store, TASK, "poems", state="closed", by=lead)
    assert take(store, rosa.id) is None
    now = held(store, rosa.id)
    assert (now.done, now.total, now.more) == (0, 1, 0)
    work = {"item": item, "rater": rosa.id, "token": new_id(), "body": {"score": 5}}
    judging.submit_judgment(store, TASK, **work)
    assert held(store, rosa.id).done == 1
    rounds.open_or_close_round(store, TASK, "poems", state="open", by=lead)
    assert take(store, rosa.id)


def test_what_everyone_answers_whole_is_not_cut_off_in_the_middle(store: Store) -> None:
    everyone = replace(TASK, everyone=True)
    lead, rosa, ben = (person(store, name, lead=name == "Lena") for name in ("Lena", "Rosa", "Ben"))
    poems(store, 3)
    asked = {"dataset": "poems", "rater": rosa.id}
    assignment.give_next_item_and_return_id(store, everyone, PLAIN, **asked)
    rounds.open_or_close_round(store, everyone, "poems", state="closed", by=lead)
    assert assignment.give_next_item_and_return_id(store, everyone, PLAIN, **asked)
    assert assignment.load_rater_queue(store, everyone, PLAIN, **asked).total == 3
    assert (
        assignment.give_next_item_and_return_id(
            store, everyone, PLAIN, dataset="poems", rater=ben.id
        )
        is None
    )


def test_drawing_a_sample_gives_it_to_people_but_opens_nothing_that_a_lead_closed(
    store: Store,
) -> None:
    lead, rosa = person(store, "Lena", lead=True), person(store, "Rosa")
    poems(store, 3)
    chosen = poems(store, 3, dataset="later")[:2]
    items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        store, TASK, chosen[:1], dataset="later", drawn="random", by=lead
    )
    assert take(store, rosa.id, "later") == chosen[0]
    rounds.open_or_close_round(store, TASK, "later", state="closed", by=lead)
    items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        store, TASK, chosen, dataset="later", drawn="random", by=lead
    )
    assert take(store, rosa.id, "later") is None


def test_only_leads_open_and_close_and_only_where_there_is_something(store: Store) -> None:
    lead, rosa = person(store, "Lena", lead=True), person(store, "Rosa")
    poems(store, 1)
    with pytest.raises(NotAllowed):
        rounds.open_or_close_round(store, TASK, "poems", state="closed", by=rosa)
    with pytest.raises(InvalidInput):
        rounds.open_or_close_round(store, TASK, "nothing", state="open", by=lead)


def test_the_later_of_two_leads_is_not_heard_unless_they_saw_what_the_first_did(
    store: Store,
) -> None:
    lena, lars = person(store, "Lena", lead=True), person(store, "Lars", lead=True)
    poems(store, 3)
    seen = rounds.current_round_of_task(store, TASK, "poems").revision
    rounds.open_or_close_round(store, TASK, "poems", state="closed", by=lena, seen=seen)
    with pytest.raises(Conflict):
        rounds.open_or_close_round(
            store, TASK, "poems", state="open", raters=[lars.id], by=lars, seen=seen
        )
    now = rounds.current_round_of_task(store, TASK, "poems")
    assert (now.state, now.by, now.revision) == ("closed", lena.id, seen + 1)
    rounds.open_or_close_round(store, TASK, "poems", state="open", by=lars, seen=now.revision)


def test_other_datasets_are_opened_as_one_is_and_keep_their_own_text(store: Store) -> None:
    lead, rosa = person(store, "Lena", lead=True), person(store, "Rosa")
    for name in ("poems", "second", "third"):
        poems(store, 2, dataset=name)
    usual = HandOut()
    hand_out_settings.change_task_settings(
        store, TASK.name, "poems", {"raters_per_item": 2}, by=lead
    )
    consent.write_consent_text(store, TASK.name, "poems", "Read this.", by=lead)
    consent.write_consent_text(store, TASK.name, "third", "Read that.", by=lead)
    hand_out_settings.change_task_settings(
        store, TASK.name, "third", {"raters_per_item": 5}, by=lead
    )
    rounds.open_or_close_round(store, TASK, "poems", state="open", raters=[rosa.id], by=lead)
    others = rounds.datasets_of_task(store, TASK)[1:]
    copy_round_to_datasets.open_round_alike_on_other_datasets(
        store, TASK, "poems", others, usual=usual, by=lead
    )
    for name, text in (("second", "Read this."), ("third", "Read that.")):
        now = rounds.current_round_of_task(store, TASK, name)
        assert (now.state, now.raters) == ("open", {rosa.id})
        assert (
            hand_out_settings.hand_out_settings_in_force(
                store, TASK.name, name, usual
            ).raters_per_item
            == 2
        )
        assert consent.list_consent_text_versions(store, TASK.name, name)[-1].text == text
    rounds.open_or_close_round(store, TASK, "poems", state="closed", by=lead)
    with pytest.raises(InvalidInput, match="not open"):
        copy_round_to_datasets.open_round_alike_on_other_datasets(
            store, TASK, "poems", others, usual=usual, by=lead
        )
    with pytest.raises(NotAllowed):
        copy_round_to_datasets.open_round_alike_on_other_datasets(
            store, TASK, "second", ["third"], usual=usual, by=rosa
        )


@pytest.mark.deep
def test_with_a_round_go_its_guideline_a_sample_as_large_and_the_gold_items_that_are_the_same(
    store: Store,
) -> None:
    lead = person(store, "Lena", lead=True)
    ids = poems(store, 9)
    for name, many in (("more", 8), ("few", 3), ("own", 8)):
        poems(store, many, dataset=name)
    other = [items.NewItem("poem8", {"text": "Violets are blue."})]
    items.add_items(store, other, study="made_up", kind="poem", dataset="more")
    for at, why in ((0, None), (1, "It rhymes."), (8, None)):
        key = practice.expected_answer_and_explanation_by_field({"at_least": 4}, why)
        consensus.set_or_unset_gold_item(
            store, TASK, item=ids[at], expected=key, active=True, by=lead
        )
    practice.set_practice_rules(
        store, TASK.name, "poems", practice.Rules(mark=1, attempts=3), by=lead
    )
    for name, text in (("poems", "Read aloud."), ("own", "Read twice.")):
        guideline.record_guideline_version_and_return_it(
            store, TASK, dataset=name, text=text, by=lead
        )
    sample = {"many": 4, "seed": 3, "said": "4 at random, seed 3", "by": lead}
    items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
        store, TASK, dataset="poems", **sample
    )
    items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        store, TASK, [poems(store, 1, dataset="own")[0]], dataset="own", **MINE
    )
    opened = copy_round_to_datasets.open_round_alike_on_other_datasets(
        store, TASK, "poems", ["more", "few", "own"], usual=HandOut(), by=lead
    )
    # In "more" poem8 is another one. Of its 9 poems 2 are gold and 7 can be drawn, in "few" 1.
    assert opened == [
        copy_round_to_datasets.Opened("more", 4, chosen=False, gold=3, shared=2, guideline=True),
        copy_round_to_datasets.Opened("few", None, chosen=False, gold=3, shared=2, guideline=True),
        copy_round_to_datasets.Opened("own", 1, chosen=False, gold=3, shared=2, guideline=False),
    ]
    assert len(items_selected_to_hand_out.ids_of_selected_items(store, TASK, dataset="more")) == 4
    key = consensus.gold_items_table(store, TASK, dataset="more", viewer=lead).set_index("item")
    assert key["practice"].to_dict() == {"poem0": None, "poem1": "It rhymes."}
    assert practice.practice_rules_of_round(store, TASK.name, "more") == practice.Rules(
        mark=1, attempts=3
    )
    texts = [
        guideline.current_guideline(store, TASK, dataset=name).text for name in ("more", "own")
    ]
    assert texts == ["Read aloud.", "Read twice."]
    # A sample that was chosen means nothing elsewhere.
    items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        store, TASK, ids[2:5], dataset="poems", drawn="3 by disagreement", by=lead
    )
    poems(store, 8, dataset="late")
    [late] = copy_round_to_datasets.open_round_alike_on_other_datasets(
        store, TASK, "poems", ["late"], usual=HandOut(), by=lead
    )
    assert (late.sampled, late.chosen) == (None, True)


def test_a_sample_of_some_groups_is_drawn_from_the_same_groups_elsewhere(store: Store) -> None:
    lead = person(store, "Lena", lead=True)
    there = {name: poems(store, 8, dataset=name) for name in ("poems", "same", "scant", "other")}
    rounds.open_or_close_round(store, TASK, "poems", state="open", by=lead)
    for said, many in (("2 at random of Metre: iamb, seed 3", 2), ("all of Metre: free", None)):
        among = there["poems"][:4] if many else there["poems"][6:]
        how = {"many": many, "seed": 3, "said": said, "among": among}
        items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
            store, TASK, dataset="poems", by=lead, **how
        )

    def groups_of(name: str) -> rater_and_item_subgroups.Groups:
        iambs = {"same": 4, "scant": 1, "other": 0}[name]
        found = {("metre", "iamb"): frozenset(there[name][:iambs])} if iambs else {}
        return found | {("metre", "free"): frozenset(there[name][5:])}

    opened = copy_round_to_datasets.open_round_alike_on_other_datasets(
        *(store, TASK, "poems", ["same", "scant", "other"]),
        usual=HandOut(),
        by=lead,
        groups_of=groups_of,
    )
    # 2 of 4 iambs and all 3 in free verse; the only iamb and these 3; no iambs are known at all.
    assert [(one.sampled, one.chosen) for one in opened] == [(5, False), (4, False), (None, True)]
    drawn = set(items_selected_to_hand_out.ids_of_selected_items(store, TASK, dataset="same"))
    assert drawn >= set(there["same"][5:])
    assert len(drawn & set(there["same"][:4])) == 2
    assert there["scant"][0] in items_selected_to_hand_out.ids_of_selected_items(
        store, TASK, dataset="scant"
    )


MINE = {"drawn": "my choice", "by": None}


def test_opening_and_closing_stand_in_the_audit_log(store: Store) -> None:
    lead, rosa = person(store, "Lena", lead=True), person(store, "Rosa")
    poems(store, 1)
    rounds.open_or_close_round(
        store, TASK, "poems", state="open", raters=[rosa.id, lead.id], by=lead
    )
    rounds.open_or_close_round(store, TASK, "poems", state="open", by=lead)
    rounds.open_or_close_round(store, TASK, "poems", state="closed", by=lead)
    told = audit_log.entries_table(store, viewer=lead, kinds=["round"])
    assert [tuple(row) for row in told[["who", "about", "detail"]].to_numpy()] == [
        ("Lena", "made_up_rating of poems", "closed"),
        ("Lena", "made_up_rating of poems", "open to everyone"),
        ("Lena", "made_up_rating of poems", "open to Lena, Rosa"),
    ]


@pytest.mark.deep
def test_in_a_store_from_before_rounds_whatever_could_be_judged_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = open_store(tmp_path / "new.duckdb")
    # Own studies came after rounds.
    earlier_studies = [declared for name, declared in STUDIES.items() if name != "own"]
    tasks = [t for one in earlier_studies for t in one.tasks(one.open(new, files.Settings(), ""))]
    new.close()
    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "STEPS", tuple(s for s in migrations.STEPS if s[0] != 11))
        views = [view for view in migrations.current_state_views() if "task_round" not in view]
        earlier.setattr(migrations, "current_state_views", lambda: views)
        old = open_store(tmp_path / "old.duckdb")
        for task in tasks:
            new_item = [items.NewItem(task.item_kind, {})]
            for dataset in ("first", "second"):
                items.add_items(
                    old, new_item, study=task.study, kind=task.item_kind, dataset=dataset
                )
        old.close()
    store = open_store(tmp_path / "old.duckdb")
    for task in tasks:
        found = [
            rounds.current_round_of_task(store, task, dataset)
            for dataset in ("first", "second", "third")
        ]
        assert found == [Round("open"), Round("open"), Round("waiting")], task.name
    # No lead did it: it is nothing for the audit log.
    assert audit_log.entries_table(store, viewer=None, kinds=["round"]).empty
    store.close()


def judged_elsewhere(store: Store, tmp_path: Path, readers: int, judged: int) -> None:
    """Import judgments of the first poems by people from elsewhere."""
    lines = [f"poem{n},Reader {k},5" for n in range(judged) for k in range(readers)]
    file = tmp_path / "judgments.csv"
    file.write_text("\n".join(["item,rater,score", *lines]), encoding="utf-8")
    read = with_methods(
        TASK, answer_from_columns=lambda row: TASK.parse({"score": int(row["score"])})
    )
    judgment_import.import_judgments(store, read, Request(file, file.name, "poems"))


def test_imported_judgments_take_places_so_that_others_get_what_has_fewest(
    store: Store, tmp_path: Path
) -> None:
    ids = poems(store, 5)
    wide = HandOut(raters_per_item=3, items_per_rater=10, gold_share=0)
    rosa, ben = person(store, "Rosa").id, person(store, "Ben").id
    # Known to the ledger before the import, as in a running app, and after it.
    assert assignment.load_rater_queue(store, TASK, wide, dataset="poems", rater=rosa).total == 5
    judged_elsewhere(store, tmp_path, readers=3, judged=2)
    assert assignment.load_rater_queue(store, TASK, wide, dataset="poems", rater=rosa).total == 3
    given = [
        assignment.give_next_item_and_return_id(store, TASK, wide, dataset="poems", rater=rosa)
        for _ in range(4)
    ]
    assert {*given} == {*ids[2:], None}
    wider = replace(wide, raters_per_item=4)
    given = [
        assignment.give_next_item_and_return_id(store, TASK, wider, dataset="poems", rater=ben)
        for _ in range(5)
    ]
    assert {*given[:3]} == {*ids[2:]}
    assert {*given[3:]} == {*ids[:2]}


def test_nobody_is_given_what_they_judged_elsewhere_and_demo_raters_take_no_place(
    store: Store, tmp_path: Path
) -> None:
    ids = poems(store, 2)
    once = HandOut(raters_per_item=1, items_per_rater=5, gold_share=0)
    reader = raters.find_or_add_rater_by_name(store, "Reader 0", origin="import")
    demo = raters.find_or_add_rater_by_name(store, "Demo", origin="demo")
    judged_elsewhere(store, tmp_path, readers=1, judged=1)
    store.append(
        "judgment",
        {
            "task": TASK.name,
            "item": ids[1],
            "rater": demo.id,
            "revision": 1,
            "body": {"score": 5},
            "blind": True,
            "origin": "import",
            "complete": True,
        },
    )
    wide = replace(once, raters_per_item=3)
    assert (
        assignment.give_next_item_and_return_id(store, TASK, wide, dataset="poems", rater=reader.id)
        == ids[1]
    )
    assert (
        assignment.give_next_item_and_return_id(store, TASK, wide, dataset="poems", rater=reader.id)
        is None
    )
    rosa = person(store, "Rosa").id
    assert (
        assignment.give_next_item_and_return_id(store, TASK, once, dataset="poems", rater=rosa)
        is None
    )
    assert (
        assignment.give_next_item_and_return_id(
            store, TASK, replace(once, raters_per_item=2), dataset="poems", rater=rosa
        )
        in ids
    )
