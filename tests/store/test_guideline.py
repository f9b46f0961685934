"""What reviewers are told has versions, and every judgment knows which one it was made under."""

from __future__ import annotations

from dataclasses import replace

import pytest

from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import assignment, audit_log, guideline, judging, judgment_export
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, new_id
from tests.store.made_up import TASK, person, poems

HANDED = HandOut(raters_per_item=2, items_per_rater=9, gold_share=0)
POEMS = {"dataset": "poems"}


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def rosa(store: Store, lead: Rater) -> Rater:
    poems(store, 3)
    return person(store, "Rosa")


def judge(store: Store, rater: Rater, task: Task = TASK, **more: int) -> str:
    item = assignment.give_next_item_and_return_id(
        store, task, HANDED, dataset="poems", rater=rater.id
    )
    assert item
    body = {"score": 5}
    judging.submit_judgment(
        store, task, item=item, rater=rater.id, token=new_id(), body=body, **more
    )
    return item


def test_what_the_task_asks_is_the_first_version_until_a_lead_writes_another(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    [first] = guideline.guideline_versions(store, TASK, **POEMS)
    assert (first.version, first.text, first.by) == (1, TASK.question, "")
    written = guideline.record_guideline_version_and_return_it(
        store, TASK, **POEMS, text="Count rhymes.\n", by=lead, base=1
    )
    assert (written.version, written.text) == (2, "Count rhymes.")
    # The same words are no new version.
    assert (
        guideline.record_guideline_version_and_return_it(
            store, TASK, **POEMS, text="Count rhymes.", by=lead
        ).version
        == 2
    )
    told = guideline.guideline_versions(store, TASK, **POEMS)
    assert [(one.version, one.text, one.by) for one in told] == [
        (1, TASK.question, ""),
        (2, "Count rhymes.", "Lena"),
    ]
    assert guideline.current_guideline(store, TASK, dataset="others").version == 1
    [entry] = audit_log.entries_table(store, viewer=lead, kinds=["guideline"])["detail"]
    assert entry == "version 2"


def test_only_leads_write_and_never_over_what_another_wrote_meanwhile(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    with pytest.raises(NotAllowed):
        guideline.record_guideline_version_and_return_it(
            store, TASK, **POEMS, text="Mine.", by=rosa
        )
    with pytest.raises(InvalidInput, match="empty"):
        guideline.record_guideline_version_and_return_it(store, TASK, **POEMS, text=" ", by=lead)
    guideline.record_guideline_version_and_return_it(
        store, TASK, **POEMS, text="Theirs.", by=lead, base=1
    )
    with pytest.raises(Conflict):
        guideline.record_guideline_version_and_return_it(
            store, TASK, **POEMS, text="Mine.", by=lead, base=1
        )
    assert guideline.current_guideline(store, TASK, **POEMS).text == "Theirs."


def test_a_judgment_keeps_the_version_that_lay_beside_it(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    judge(store, rosa)
    assert guideline.new_guideline_since_rater_judged(store, TASK, **POEMS, rater=rosa.id) is None
    guideline.record_guideline_version_and_return_it(
        store, TASK, **POEMS, text="Count rhymes.", by=lead
    )
    # It was opened before the change: what the rater read is what counts.
    judge(store, rosa, guideline=1)
    changed = guideline.new_guideline_since_rater_judged(store, TASK, **POEMS, rater=rosa.id)
    assert changed
    assert changed.version == 2
    # Somebody who has judged nothing yet has nothing to unlearn.
    assert guideline.new_guideline_since_rater_judged(store, TASK, **POEMS, rater=lead.id) is None
    judge(store, rosa)
    assert guideline.new_guideline_since_rater_judged(store, TASK, **POEMS, rater=rosa.id) is None
    table = judgment_export.judgments_table(store, TASK, dataset="poems", viewer=lead)
    assert sorted(table["guideline"]) == [1, 1, 2]
    told = guideline.guideline_versions_table(store, TASK, **POEMS)
    assert told[["version", "judgments", "people"]].values.tolist() == [[1, 2, 1], [2, 1, 1]]


def test_what_the_makers_wrote_is_read_until_a_lead_writes_and_earlier_judgments_keep_the_question(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    judge(store, rosa)
    later = replace(TASK, guidelines=("Count rhymes, such as cat and hat.",))
    told = guideline.guideline_versions(store, later, **POEMS)
    assert [(one.version, one.text) for one in told] == [
        (1, TASK.question),
        (2, "Count rhymes, such as cat and hat."),
    ]
    # Rosa judged by the question alone, and is told.
    news = guideline.new_guideline_since_rater_judged(store, later, **POEMS, rater=rosa.id)
    assert news is not None
    assert news.version == 2
    judge(store, rosa, task=later)
    assert guideline.new_guideline_since_rater_judged(store, later, **POEMS, rater=rosa.id) is None
    guideline.record_guideline_version_and_return_it(
        store, later, **POEMS, text="Ours.", by=lead, base=2
    )
    table = guideline.guideline_versions_table(store, later, **POEMS)
    assert table[["version", "by", "judgments", "text"]].values.tolist() == [
        [1, "", 1, TASK.question],
        [2, "", 1, "Count rhymes, such as cat and hat."],
        [3, "Lena", 0, "Ours."],
    ]
    assert guideline.current_guideline_version_number_for_item(store, later, "nowhere") == 2


def test_under_which_version_somebody_last_judged_is_read_again_only_when_that_can_have_changed(
    store: Store, lead: Rater, rosa: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    guideline.record_guideline_version_and_return_it(
        store, TASK, **POEMS, text="Count rhymes.", by=lead
    )
    judge(store, rosa, guideline=1)
    assert guideline.new_guideline_since_rater_judged(store, TASK, **POEMS, rater=rosa.id)
    asked, read = [], type(store).value
    monkeypatch.setattr(
        type(store), "value", lambda *args, **named: asked.append(args) or read(*args, **named)
    )
    for _ in range(3):
        assert guideline.new_guideline_since_rater_judged(store, TASK, **POEMS, rater=rosa.id)
    assert not asked
    judge(store, rosa, guideline=2)
    assert guideline.new_guideline_since_rater_judged(store, TASK, **POEMS, rater=rosa.id) is None
