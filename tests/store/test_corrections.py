"""An item is corrected: a new version, what becomes of the work on it, and what readers say."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from medlens.app import item_corrections, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    audit_log,
    consensus,
    items,
    judging,
    judgment_export,
    remarks_between_raters_and_leads,
)
from medlens.review import item_corrections as corrections
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.records import ErrorSpans
from tests.store.killed_steps import stores_after_kills
from tests.store.made_up import TASK, person, poems
from tests.store.test_own_spans import DOSE, KNEE
from tests.store.test_own_spans import NAME as MARKED
from tests.store.test_own_spans import add as add_marked
from tests.store.test_withdrawal import EVERYTHING, give, judge

pytestmark = pytest.mark.usefixtures("read_near")


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def correct(
    store: Store, item: str, text: str, change: Any, lead: Rater
) -> corrections.CorrectionEffect:
    return corrections.correct_items_and_return_effect(
        store, [TASK], {item: {"text": text}}, change=change, reason="A slip.", by=lead
    )


def current(store: Store) -> list[int]:
    table = consensus.current_judgments(store, TASK, dataset="poems", viewer=None)
    return [value.score for value in table["value"]]


def test_a_typing_error_is_corrected_and_judgments_of_it_count(store: Store, lead: Rater) -> None:
    [item] = poems(store, 1)
    rosa = person(store, "Rosa")
    assert give(store, rosa) == item
    judge(store, rosa, item, 7)
    effect = correct(store, item, "Roses are red.", "typing", lead)
    assert (effect.judgments, effect.asked_again, effect.told) == (1, 0, 0)
    assert items.item_body(store, item) == {"text": "Roses are red."}
    assert items.item_body(store, item, 1) == {"text": "Roses are red, number 0."}
    assert items.current_version_of_item(store, item) == 2
    assert current(store) == [7]
    assert remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id) == []
    earlier = corrections.summarise_judgments_on_earlier_versions(store, [TASK], dataset="poems")
    assert (earlier.judgments, earlier.earlier, earlier.items) == (1, 1, 1)
    assert earlier.earlier_versions_in_words == (
        "1 of 1 judgment rests on an earlier version of 1 item, in which a typing error was"
        " corrected since."
    )
    # What is judged from now on is of the new version.
    judge(store, rosa, item, 8)
    assert current(store) == [8]
    again = corrections.summarise_judgments_on_earlier_versions(store, [TASK], dataset="poems")
    assert again.earlier == 0
    logged = audit_log.entries_table(store, viewer=lead, kinds=["correction"])
    assert logged["detail"].tolist() == ["version 2, judgments still count: A slip."]
    assert items.find_items_with_altered_body(store) == []


def test_if_the_meaning_changed_judgments_are_asked_for_again(store: Store, lead: Rater) -> None:
    [item] = poems(store, 1)
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    for rater in (rosa, ben):
        assert give(store, rater) == item
    judge(store, rosa, item, 7)
    effect = correct(store, item, "Violets are blue.", "meaning", lead)
    assert (effect.judgments, effect.asked_again, effect.told) == (1, 1, 1)
    assert current(store) == []
    [returned] = remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)
    assert (returned.kind, returned.counts) == ("return", False)
    [told] = remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=ben.id)
    assert told.kind == "answer"
    queue = assignment.load_rater_queue(store, TASK, EVERYTHING, dataset="poems", rater=rosa.id)
    assert [place.item for place in queue.places_sent_back] == [item]
    judge(store, rosa, item, 3)
    assert current(store) == [3]
    assert remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id) == []
    history = judgment_export.judgments_table(
        store, TASK, dataset="poems", viewer=lead, history=True
    )
    assert history[["score", "item_version", "stands"]].values.tolist() == [
        [7, 1, False],
        [3, 2, True],
    ]


@pytest.mark.parametrize(
    ("judgments", "asked", "told"),
    [
        (2, 2, "2 judgments of the earlier text no longer count; 2 answers are asked for again."),
        (1, 1, "1 judgment of the earlier text no longer counts; 1 answer is asked for again."),
        (
            3,
            2,
            "3 judgments of the earlier text no longer count; 2 answers are asked for again."
            " The other 1 is not: imported, made by a model, or sent back before.",
        ),
        (
            2,
            0,
            "2 judgments of the earlier text no longer count. Nobody is asked for them again: they"
            " were imported, made by a model, or sent back before.",
        ),
    ],
)
def test_how_many_are_asked_again_adds_up_with_what_no_longer_counts(
    judgments: int, asked: int, told: str
) -> None:
    effect = corrections.CorrectionEffect(items=1, judgments=judgments, asked_again=asked)
    assert effect.list_effects_in_sentences("meaning") == [told]


def test_who_judges_at_that_moment_finishes_on_the_text_they_see(store: Store, lead: Rater) -> None:
    first, second = poems(store, 2)
    rosa = person(store, "Rosa")
    assert {give(store, rosa), give(store, rosa)} == {first, second}

    def finish(item: str) -> None:
        judging.submit_judgment(
            *(store, TASK),
            item=item,
            rater=rosa.id,
            token=new_id(),
            body={"score": 5},
            version=1,
        )

    correct(store, first, "Roses are red.", "typing", lead)
    finish(first)
    assert current(store) == [5]
    correct(store, second, "Violets are blue.", "meaning", lead)
    finish(second)
    # It is kept, does not count, and they are asked again.
    assert store.value("select count(*) from judgment where item = $i", i=second) == 1
    assert current(store) == [5]
    waiting = remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)
    assert [remark.item for remark in waiting if remark.kind == "return"] == [second]
    judge(store, rosa, second, 9)
    assert sorted(current(store)) == [5, 9]
    # Twice sent is once judged, and once asked again.
    queue = assignment.load_rater_queue(store, TASK, EVERYTHING, dataset="poems", rater=rosa.id)
    assert queue.places_sent_back == ()


def test_whichever_is_saved_last_asks_again_who_judged_an_earlier_text(
    store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    poems(store, 2)
    rosa = person(store, "Rosa")
    item = give(store, rosa)
    assert item
    judged_on_first = {"item": item, "rater": rosa.id, "body": {"score": 5}, "version": 1}
    append_all_and_count_new_by_table = store.append_all_and_count_new_by_table

    def judged_between(batch: Any, **how: Any) -> Any:
        # After the correction has read the judgments, and before it is saved.
        if "item_version" in batch:
            judging.submit_judgment(store, TASK, token=new_id(), **judged_on_first)
        return append_all_and_count_new_by_table(batch, **how)

    monkeypatch.setattr(store, "append_all_and_count_new_by_table", judged_between)
    correct(store, item, "Violets are blue.", "meaning", lead)
    kinds = [
        one.kind
        for one in remarks_between_raters_and_leads.list_remarks_awaiting_rater(
            store, rater=rosa.id
        )
    ]
    assert "return" in kinds

    other = give(store, rosa)
    assert other not in (None, item)

    def corrected_between(batch: Any, **how: Any) -> Any:
        # After the judgment has looked at the version, and before it is saved.
        if "judgment" in batch:
            monkeypatch.setattr(
                store, "append_all_and_count_new_by_table", append_all_and_count_new_by_table
            )
            correct(store, other, "Pansies.", "meaning", lead)
        return append_all_and_count_new_by_table(batch, **how)

    monkeypatch.setattr(store, "append_all_and_count_new_by_table", corrected_between)
    judging.submit_judgment(
        store, TASK, token=new_id(), **{**judged_on_first, "item": other, "version": None}
    )
    waiting = remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)
    assert other in [one.item for one in waiting if one.kind == "return"]


def test_a_key_and_a_decision_end_with_the_meaning_they_were_made_for(
    store: Store, lead: Rater
) -> None:
    typed, changed = poems(store, 2)
    for item in (typed, changed):
        consensus.set_or_unset_gold_item(
            store, TASK, item=item, expected={"at_least": 3}, active=True, by=lead
        )
        consensus.record_adjudication(
            store, TASK, item=item, body={"score": 4}, reason="So.", by=lead
        )
    correct(store, typed, "Roses are red.", "typing", lead)
    effect = correct(store, changed, "Violets are blue.", "meaning", lead)
    assert (effect.keys, effect.decisions) == (1, 1)
    gold = consensus.gold_items_table(store, TASK, dataset="poems", viewer=lead)
    assert gold["item_id"].tolist() == [typed]
    decided = consensus.adjudicated_answers_by_item_name(store, TASK, dataset="poems")
    assert list(decided) == ["poem0"]
    consensus.record_adjudication(
        store, TASK, item=changed, body={"score": 9}, reason="Now.", by=lead
    )
    assert len(consensus.adjudicated_answers_by_item_name(store, TASK, dataset="poems")) == 2


@pytest.mark.deep
def test_a_correction_that_cannot_be_is_refused_in_words(store: Store, lead: Rater) -> None:
    [item] = poems(store, 1)
    rosa = person(store, "Rosa")
    new: dict[str, Any] = {"bodies": {item: {"text": "New."}}, "change": "typing"}
    with pytest.raises(NotAllowed):
        corrections.correct_items_and_return_effect(store, [TASK], **new, reason="x", by=rosa)
    with pytest.raises(InvalidInput, match="A reason is missing"):
        corrections.correct_items_and_return_effect(store, [TASK], **new, reason=" ", by=lead)
    same = {item: items.item_body(store, item)}
    with pytest.raises(InvalidInput, match="Nothing was changed"):
        corrections.correct_items_and_return_effect(
            store, [TASK], same, change="typing", reason="x", by=lead
        )
    with pytest.raises(InvalidInput, match="typing error or the meaning"):
        corrections.parse_kind_of_change("")
    with pytest.raises(Conflict, match="a moment ago"):
        corrections.correct_items_and_return_effect(
            store, [TASK], **new, reason="x", by=lead, base={item: 2}
        )
    correct(store, item, "Roses.", "typing", lead)
    with pytest.raises(Conflict, match="a moment ago"):
        corrections.correct_items_and_return_effect(
            store, [TASK], **new, reason="x", by=lead, base={item: 1}
        )


# -- marks -----------------------------------------------------------------------------------------


def marked(store: Store, who: str, name: str, *words: str) -> tuple[Any, str]:
    """A study that marks texts, and an item in which a person marked words; both given."""
    study = STUDIES["own"].open(store, Settings(), MARKED)
    item = items.item_ids_by_name(store, "own", MARKED, [name])[name]
    text = study.declared.text_to_mark_of_item("", items.item_body(store, item))
    spans = [
        {
            "start": text.index(each),
            "end": text.index(each) + len(each),
            "quote": each,
            "labels": [study.declared.spans.labels[0].id],
            "answers": {
                asked.id: asked.options[0]
                for asked in study.declared.spans.of_span
                if asked.options
            },
        }
        for each in words
    ]
    rater = person(store, who)
    hand_out = HandOut(raters_per_item=9, items_per_rater=9, gold_share=0)
    while not judging.assignment_ledger_of_task(store, study.task.name).was_item_given_to_rater(
        item, rater.id
    ):
        assert assignment.give_next_item_and_return_id(
            store, study.task, hand_out, dataset=MARKED, rater=rater.id
        )
    draft = {"version": 1, "answers": {}, "spans": spans}
    judging.save_draft(
        *(store, study.task), item=item, rater=rater.id, base=0, token=new_id(), body=draft
    )
    return study, item


def test_marks_in_a_draft_stand_where_their_words_are_now(store: Store, lead: Rater) -> None:
    add_marked(store)
    study, item = marked(store, "Rosa", "s1", KNEE, DOSE)
    rosa = person(store, "Rosa")
    correctable = item_corrections.load_item_to_correct(store, Settings(), "own", MARKED, "s1")
    column = study.declared.spans.column
    text = correctable.cells[column]
    cells = {column: "Corrected. " + text.replace(DOSE, "40 mg")}
    lines = item_corrections.correct_item_and_list_what_was_done(
        store, correctable, cells, change="typing", reason="Dose.", by=lead
    )
    assert lines[0] == "Item s1 is corrected (version 2)."
    draft = judging.load_draft_or_current_judgment(store, study.task, item=item, rater=rosa.id)
    now = items.item_body(store, item)[column]
    assert [now[span.start : span.end] for span in draft.value.spans] == [KNEE]
    # On the text that they still see, nothing has moved.
    old = judging.load_draft_or_current_judgment(
        store, study.task, item=item, rater=rosa.id, version=1
    )
    assert [span.quote for span in old.value.spans] == [KNEE, DOSE]
    assert old.value.spans[0].start == text.index(KNEE)


def test_a_judgment_made_elsewhere_keeps_no_place_once_the_meaning_has_changed(
    store: Store, lead: Rater
) -> None:
    kept, changed = poems(store, 2)
    elsewhere, rosa = person(store, "Elsa"), person(store, "Rosa")
    store.append(
        "judgment",
        *(
            judging.make_imported_judgment_row(TASK.name, item, elsewhere.id, TASK.value(score=5))
            for item in (kept, changed)
        ),
    )
    one_each = HandOut(raters_per_item=1, items_per_rater=9, gold_share=0)

    def next_item() -> str | None:
        return assignment.give_next_item_and_return_id(
            store, TASK, one_each, dataset="poems", rater=rosa.id
        )

    assert next_item() is None
    correct(store, changed, "Violets are blue.", "meaning", lead)
    correct(store, kept, "Roses are red.", "typing", lead)
    assert next_item() == changed
    judge(store, rosa, changed, 7)
    assert next_item() is None
    assert sorted(current(store)) == [5, 7]


@pytest.mark.parametrize("looks", ["never", "before", "after"])
def test_whoever_cannot_judge_the_new_meaning_blind_keeps_no_place_and_is_told(
    store: Store, lead: Rater, looks: str
) -> None:
    [item] = poems(store, 1)
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    once = HandOut(raters_per_item=1, items_per_rater=9, gold_share=0)
    of: dict[str, Any] = {"dataset": "poems"}
    assert assignment.give_next_item_and_return_id(store, TASK, once, **of, rater=rosa.id) == item
    judge(store, rosa, item, 7)
    if looks == "before":
        judging.record_view_of_others_judgments(store, TASK, item=item, viewer=rosa)
    correct(store, item, "Violets are blue.", "meaning", lead)
    if looks == "after":
        judging.record_view_of_others_judgments(store, TASK, item=item, viewer=rosa)
    looked = looks != "never"
    assert assignment.is_judgment_uncounted(store, TASK, item=item, rater=rosa.id) is looked
    given = assignment.give_next_item_and_return_id(store, TASK, once, **of, rater=ben.id)
    assert given == (item if looked else None)
    # Judged again, it counts only if she was blind.
    judge(store, rosa, item, 8)
    assert current(store) == ([] if looked else [8])
    if looked:
        judge(store, ben, item, 3)
        assert current(store) == [3]
    person_three = person(store, "Cleo").id
    assert (
        assignment.give_next_item_and_return_id(store, TASK, once, **of, rater=person_three) is None
    )


def tagged(store: Store) -> tuple[Any, str, str, str, str]:
    """The demo of error tagging, and an item of which Tess marked the first and the last word: the
    study, the item's name, its text and these words.
    """
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    study = STUDIES["tagging"].open(store, Settings(), "demo")
    name, item, body = store.rows(
        "select name, id, body from item where study = 'tagging' order by seq limit 1"
    )[0]
    text = items.parse_item_body(body)["response"]
    first, last = text.split()[0], text.split()[-1]
    common = {"labels": [study.taxonomy.labels[0].id], "link": "https://example.org"}
    spans = [
        {"start": start, "end": start + len(words), "quote": words, **common}
        for start, words in ((0, first), (len(text) - len(last), last))
    ]
    value = ErrorSpans.model_validate({"spans": spans})
    rater = person(store, "Tess")
    row = judging.make_imported_judgment_row(study.task.name, item, rater.id, value)
    store.append("judgment", row)
    return study, name, text, first, last


@pytest.mark.deep
def test_marks_of_judgments_are_carried_over_and_lost_ones_are_listed(
    store: Store, lead: Rater
) -> None:
    study, name, text, first, last = tagged(store)
    correctable = item_corrections.load_item_to_correct(store, Settings(), "tagging", "demo", name)
    cells = {"response": f"Well. {first}zz{text[len(first) :]}"}
    foreseen = item_corrections.list_correction_effects_in_words(
        store, correctable, cells, "typing"
    )
    assert foreseen[1:] == [
        "4 marks are carried over; 1 is not, as its words are gone.",
        f"  {name}, Tess: “{first}”",
    ]
    lines = item_corrections.correct_item_and_list_what_was_done(
        store, correctable, cells, change="typing", reason="A slip.", by=lead
    )
    assert lines == [f"Item {name} is corrected (version 2).", *foreseen]
    table = consensus.current_judgments(store, study.task, dataset="demo", viewer=None)
    [value] = table[(table["item"] == name) & (table["rater"] == "Tess")]["value"]
    lost, kept = value.spans
    assert (lost.start, lost.located, lost.quote) == (None, "missing", first)
    assert cells["response"][kept.start : kept.end] == last
    spans = work_behind_commands.make_export_table(
        store, Settings(), "spans", viewer=None, study="tagging", dataset="demo"
    )
    mine = spans[(spans["item"] == name) & (spans["rater"] == "Tess")]
    assert mine["item_version"].tolist() == [1, 1]
    assert mine["start"].isna().tolist() == [True, False]
    figures = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="tagging", dataset="demo"
    )
    row = figures.iloc[-1]
    judged = int((table["item"] == name).sum())
    assert (row["figure"], row["numerator"]) == ("on_earlier_version", judged)
    earlier = corrections.summarise_judgments_on_earlier_versions(
        store, [study.task], dataset="demo"
    )
    assert [one.words for one in earlier.lost if one.rater == "Tess"] == [first]
    # The history has them as they were made, and a file of it can be read again.
    history = work_behind_commands.make_export_table(
        store, Settings(), "spans", viewer=None, study="tagging", dataset="demo", history=True
    )
    was = history[(history["item"] == name) & (history["rater"] == "Tess")]
    assert was["start"].tolist() == [0, len(text) - len(last)]


# -- killed ----------------------------------------------------------------------------------------


def correct_poem_by_meaning(store: Store) -> None:
    [item] = store.column("select id from item where name = 'poem0'")
    lead = person(store, "Lena")
    corrections.correct_items_and_return_effect(
        store, [TASK], {item: {"text": "Violets."}}, change="meaning", reason="A slip.", by=lead
    )


@pytest.mark.deep
def test_killed_at_any_step_a_correction_is_made_wholly_or_not_at_all(tmp_path: Path) -> None:
    laid = tmp_path / "laid.duckdb"
    with contextlib.closing(open_store(laid)) as store:
        lead = person(store, "Lena", lead=True)
        [item] = poems(store, 1)
        rosa, ben = person(store, "Rosa"), person(store, "Ben")
        for rater in (rosa, ben):
            give(store, rater)
        judge(store, rosa, item, 7)
        consensus.set_or_unset_gold_item(
            store, TASK, item=item, expected={"at_least": 3}, active=True, by=lead
        )
    for path in stores_after_kills(laid, correct_poem_by_meaning):
        with contextlib.closing(open_store(path)) as store:
            assert store.list_store_faults_in_words() == []
            is_made = items.current_version_of_item(store, item) == 2
            waiting = [
                [
                    each.kind
                    for each in remarks_between_raters_and_leads.list_remarks_awaiting_rater(
                        store, rater=rater.id
                    )
                ]
                for rater in (rosa, ben)
            ]
            assert waiting == ([["return"], ["answer"]] if is_made else [[], []])
            assert current(store) == ([] if is_made else [7])
            keys = store.value("select count(*) from gold_now")
            assert keys == (0 if is_made else 1)
