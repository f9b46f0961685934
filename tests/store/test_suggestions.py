"""An arm in which reviewers see a model's answer before they give theirs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    consensus,
    item_corrections,
    judging,
    randomised_model_suggestions,
    raters,
)
from medlens.review.marks_after_text_correction import CarriedAnswer
from medlens.review.randomised_model_suggestions import Arm
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import (
    estimate_difference_of_shares,
    estimate_shares_of_two_arms_and_difference,
)
from medlens.store import Store
from medlens.ui.desk import Desk
from tests.store import made_up
from tests.store.made_up import person, poems, with_methods


class Rating(made_up.Rating):
    """A rating that may still be open."""

    score: int | None = None  # type: ignore[assignment]


TASK = replace(made_up.TASK, value=Rating)
WHERE = {"dataset": "poems"}


def suggested(store: Store, count: int = 40, share: float = 0.5) -> tuple[list[str], Rater, Arm]:
    """Poems to each of which a model gave a 7, and the arm."""
    ids, lead = poems(store, count), person(store, "Lena", lead=True)
    model = raters.find_or_add_rater_by_name(store, "m-1", kind="model", origin="model")
    rows = [
        judging.make_imported_judgment_row(TASK.name, item, model.id, Rating(score=7))
        for item in ids
    ]
    store.append("judgment", *rows)
    arm = Arm(model.id, share, 3)
    randomised_model_suggestions.set_or_stop_suggestions(store, TASK, "poems", arm, by=lead)
    return ids, lead, arm


def desk_of(store: Store, rater: Rater) -> Desk:
    desk = Desk(
        store=store,
        task=TASK,
        settings=HandOut(raters_per_item=3, items_per_rater=60, gold_share=0),
        dataset="poems",
        rater=rater,
        lay_out=lambda item: None,
    )
    desk.open_named_or_next_item()
    return desk


@pytest.mark.deep
def test_what_a_person_opens_begins_with_the_models_answer_in_one_arm_and_blank_in_the_other(
    store: Store,
) -> None:
    _, lead, arm = suggested(store)
    anna = person(store, "Anna")
    desk = desk_of(store, anna)
    seen = {}
    while desk.item is not None:
        item = desk.item
        seen[item] = desk.answer_suggested_by_model is not None
        assert (desk.body.get("score") == 7) == seen[item]
        assert seen[item] == randomised_model_suggestions.is_suggestion_drawn_for_rater_and_item(
            arm, task=TASK.name, item=item, rater=anna.id
        )
        # Every other suggestion is taken as it is.
        if not seen[item] or len(seen) % 2:
            desk.change_answer_and_save_draft(score=4)
        desk.submit_and_move_on()
        assert desk.error is None
    assert 10 < sum(seen.values()) < 30
    drawn = randomised_model_suggestions.drawn_suggestions_table(store, TASK, viewer=lead, **WHERE)
    assert len(drawn) == 40
    assert set(drawn["model"]) == {"m-1"}
    assert set(drawn["arm"]) == {"suggestion", "blind"}
    found = randomised_model_suggestions.suggestion_estimates_by_figure(drawn)
    assert found["accepted"].numerator == drawn["same"].sum()
    assert found["same_without"].value == 0
    assert found["pull"].value == found["accepted"].value
    # None of it is blind, so none of it is in what rests on blind judgments.
    blind = consensus.current_judgments(store, TASK, viewer=lead, **WHERE)
    people = blind[blind["rater_kind"] == "person"]
    assert set(people["item_id"]) == {item for item, shown in seen.items() if not shown}
    every = consensus.current_judgments(store, TASK, viewer=lead, blind=False, **WHERE)
    assert (every["rater_kind"] == "person").sum() == 40


def test_a_draw_stays_whatever_the_lead_sets_later(store: Store) -> None:
    [item, *_], lead, arm = suggested(store, 2, share=0.99)
    anna = person(store, "Anna")

    def of(who: Rater, one: str) -> object:
        return randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
            store, TASK, item=one, rater=who.id, **WHERE
        )

    assert of(anna, item) == Rating(score=7)
    randomised_model_suggestions.set_or_stop_suggestions(store, TASK, "poems", None, by=lead)
    assert of(anna, item) == Rating(score=7)
    assert of(person(store, "Ben"), item) is None
    randomised_model_suggestions.set_or_stop_suggestions(
        store, TASK, "poems", replace(arm, share=0.01), by=lead
    )
    assert of(anna, item) == Rating(score=7)


def test_nothing_is_suggested_of_gold_items_or_to_who_has_begun(store: Store) -> None:
    [gold, begun, free], lead, _ = suggested(store, 3, share=0.99)
    anna = person(store, "Anna")
    consensus.set_or_unset_gold_item(
        store, TASK, item=gold, expected={"at_least": 8}, active=True, by=lead
    )
    store.append(
        "judgment", judging.make_imported_judgment_row(TASK.name, begun, anna.id, Rating(score=2))
    )
    found = [
        randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
            store, TASK, item=item, rater=anna.id, **WHERE
        )
        for item in (gold, begun, free)
    ]
    assert found == [None, None, Rating(score=7)]
    assert store.rows("select count(*) from suggestion") == [(1,)]


def test_an_arm_needs_a_lead_a_share_and_a_model_that_has_judged(store: Store) -> None:
    _, lead, arm = suggested(store, 2)
    with pytest.raises(NotAllowed):
        randomised_model_suggestions.set_or_stop_suggestions(
            store, TASK, "poems", None, by=person(store, "Anna")
        )
    for wrong in (replace(arm, share=0.0), replace(arm, share=1.0), replace(arm, model="x")):
        with pytest.raises(InvalidInput):
            randomised_model_suggestions.set_or_stop_suggestions(
                store, TASK, "poems", wrong, by=lead
            )
    with pytest.raises(InvalidInput, match="choosing is answering"):
        randomised_model_suggestions.set_or_stop_suggestions(
            store, replace(TASK, everyone=True), "poems", arm, by=lead
        )
    blinded = with_methods(TASK, shown_letters_by_arm_name=lambda value: {"model": "A"})
    with pytest.raises(InvalidInput, match="side by side"):
        randomised_model_suggestions.set_or_stop_suggestions(store, blinded, "poems", arm, by=lead)
    assert randomised_model_suggestions.current_suggestion_setting(store, TASK.name, "poems") == arm


def test_an_answer_that_keeps_a_part_of_the_suggestion_is_changed_and_none_of_it_rejected() -> None:
    labels = with_methods(
        TASK, values_compared_for_agreement=lambda given: {one: one in given for one in "abc"}
    )
    told = {
        given: randomised_model_suggestions.classify_uptake_of_suggestion(labels, "ab", given)
        for given in ("ab", "ac", "c", "")
    }
    assert told == {"ab": "accepted", "ac": "changed", "c": "rejected", "": "rejected"}


@pytest.mark.deep
def test_suggestions_are_held_against_the_adjudicators_word_or_what_others_said_blind(
    store: Store,
) -> None:
    ids, lead, _ = suggested(store, 12)
    # The model says 7. Of poems 0 to 5 Ben and Cora do too, of 6 to 9 they say 4; on the last two
    # they differ. A lead settles the first one: 4.
    for who, scores in (
        ("Ben", [7] * 6 + [4] * 4 + [7] * 2),
        ("Cora", [7] * 6 + [4] * 4 + [5] * 2),
    ):
        rater = person(store, who).id
        given = zip(ids, scores, strict=True)
        store.append(
            "judgment",
            *(
                judging.make_imported_judgment_row(TASK.name, i, rater, Rating(score=s))
                for i, s in given
            ),
        )
    body = {"score": 4}
    consensus.record_adjudication(store, TASK, item=ids[0], body=body, reason="It limps.", by=lead)
    anna = person(store, "Anna")
    desk = desk_of(store, anna)
    while desk.item is not None:
        # Anna follows what she is shown, and says 4 of all else.
        if desk.answer_suggested_by_model is None:
            desk.change_answer_and_save_draft(score=4)
        desk.submit_and_move_on()
    drawn = randomised_model_suggestions.drawn_suggestions_table(
        store, TASK, viewer=lead, **WHERE
    ).set_index("item")
    assert len(drawn) == 12
    names = dict(store.rows("select id, name from item"))
    right = drawn["suggestion_right"].loc[[names[i] for i in ids]].tolist()
    # Anna's own blind answers count for none of her items: the last two stay open.
    assert right == [False] + [True] * 5 + [False] * 4 + [None] * 2
    shown = drawn["arm"] == "suggestion"
    known = drawn["suggestion_right"].notna()
    as_model = drawn["suggestion_right"].astype("boolean")
    assert (drawn["answer_right"] == as_model)[shown & known].all()
    assert (drawn["answer_right"] == ~as_model)[~shown & known].all()
    found = randomised_model_suggestions.suggestion_estimates_by_figure(drawn.reset_index())
    many = int((shown & known).sum())
    hits = int((drawn["suggestion_right"] == True)[shown].sum())  # noqa: E712
    assert (found["right_with"].numerator, found["right_with"].n) == (hits, many)
    # Whoever saw the 7 said it, and nobody else did.
    assert found["pull_right"].value == found["pull_wrong"].value == 1
    assert list(found) == list(randomised_model_suggestions.FIGURES)


def test_a_suggestion_within_a_scales_tolerance_of_the_right_answer_is_right(store: Store) -> None:
    near = replace(TASK, tolerances={"score": 1})
    ids = poems(store, 4)
    for who, scores in (("Ben", [7, 7, 2, 5]), ("Cora", [7, 8, 4, 5])):
        rater = person(store, who).id
        given = zip(ids, scores, strict=True)
        store.append(
            "judgment",
            *(
                judging.make_imported_judgment_row(TASK.name, i, rater, Rating(score=s))
                for i, s in given
            ),
        )
    judged = consensus.current_judgments(store, near, dataset="poems", viewer=None)
    right = randomised_model_suggestions._Right(near, {"poem3": Rating(score=8)}, judged)
    # 7 and 7; 7 and 8, whose median is 7.5; 2 and 4 are divided; 5, but settled as 8.
    found = [right.is_right(Rating(score=7), f"poem{at}", "Anna") for at in range(4)]
    assert found == [True, True, None, True]
    assert right.is_right(Rating(score=6), "poem3", "Anna") is False


def test_what_items_and_raters_share_between_arms_narrows_the_interval_of_their_difference() -> (
    None
):
    # Four raters judge eight items once in each arm; four items are yes for all, four for nobody:
    # the arms are alike, item by item, and their difference is 0 without any doubt but chance.
    item = np.repeat(np.arange(8), 8)
    first = np.tile([True] * 4 + [False] * 4, 8)
    rater = np.tile(np.arange(4), 16)
    three = estimate_shares_of_two_arms_and_difference(
        item < 4, first, item, unit="items", crossed=rater
    )
    apart, plain = three[2], estimate_difference_of_shares(*three[:2])
    assert apart.value == 0
    # Correlation 1, of which three quarters count: bounds at equal distance d from 0.5 in both
    # arms, so sqrt(2 d² - 2 × 0.75 d²) against sqrt(2 d²): half as wide.
    assert apart.high == pytest.approx(plain.high / 2)
    assert apart.low == pytest.approx(plain.low / 2)


def test_an_effect_of_suggestions_has_no_interval_with_fewer_than_four_raters_in_an_arm() -> None:
    # By items alone it held the truth in as few as 65 % of samples of two or three raters.
    item, first = np.repeat(np.arange(8), 8), np.tile([True] * 4 + [False] * 4, 8)
    few = np.tile([0, 1, 2, 2, 0, 1, 2, 3], 8)
    one, two, apart = estimate_shares_of_two_arms_and_difference(
        item < 4, first, item, unit="items", crossed=few
    )
    assert (one.value, two.value, apart.value) == (0.5, 0.5, 0)
    assert (one.low, apart.low, apart.high) == (None, None, None)
    assert one.method == "share, no interval from fewer than 4 raters"
    assert apart.method == "difference of shares; Newcombe, no interval from fewer than 4 raters"
    # The other arm has four.
    assert two.method == "share; Wilson over items and raters"


def test_the_difference_of_two_shares_has_newcombes_interval() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table II, method 10: 56/70 less 48/80.
    # Wilson's bounds, z = 1.96: centre .7844, half .0926; centre .5954, half .1050.
    first = Estimate(0.8, 0.69183, 0.87695, 70, "Wilson with t")
    second = Estimate(0.6, 0.49045, 0.70038, 80, "Wilson with t")
    found = estimate_difference_of_shares(first, second)
    # .2 - sqrt(.1082**2 + .1004**2) and .2 + sqrt(.0770**2 + .1096**2)
    assert found.value == pytest.approx(0.2)
    assert found.low == pytest.approx(0.0524, abs=1e-4)
    assert found.high == pytest.approx(0.3339, abs=1e-4)


def test_an_answer_within_a_scales_tolerance_of_the_suggestion_is_the_same() -> None:
    near = replace(TASK, tolerances={"score": 1})
    told = [
        randomised_model_suggestions.classify_uptake_of_suggestion(
            near, Rating(score=7), Rating(score=score)
        )
        for score in (7, 8, 9, None)
    ]
    assert told == ["accepted", "accepted", "rejected", "rejected"]


def test_where_the_word_is_cannot_tell_no_suggestion_is_right_or_wrong(store: Store) -> None:
    unsure = with_methods(
        TASK,
        values_compared_for_agreement=lambda value: {
            "good": "cannot tell" if value.score == 5 else "yes" if value.score > 5 else "no"
        },
    )
    ids = poems(store, 3)
    for who in ("Ben", "Cora"):
        rater = person(store, who).id
        store.append(
            "judgment",
            *(
                judging.make_imported_judgment_row(TASK.name, i, rater, Rating(score=s))
                for i, s in zip(ids, (5, 8, 8), strict=True)
            ),
        )
    judged = consensus.current_judgments(store, unsure, dataset="poems", viewer=None)
    right = randomised_model_suggestions._Right(unsure, {"poem2": Rating(score=5)}, judged)
    # Both cannot tell; both say yes; both say yes, but it is settled that nobody can tell.
    found = [right.is_right(Rating(score=7), f"poem{at}", "Anna") for at in range(3)]
    assert found == [None, True, None]


def test_a_suggestion_for_an_earlier_meaning_of_an_item_has_no_outcome(store: Store) -> None:
    ids, lead, _ = suggested(store, 2, share=0.99)
    anna = person(store, "Anna")
    for item in ids:
        assert randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
            store, TASK, item=item, rater=anna.id, **WHERE
        )
    item_corrections.correct_items_and_return_effect(
        *(store, [TASK], {ids[0]: {"text": "Violets are blue."}}),
        change="meaning",
        reason="Another poem.",
        by=lead,
    )
    assert not randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
        store, TASK, item=ids[0], rater=anna.id, **WHERE
    )
    rows = [
        judging.make_imported_judgment_row(
            TASK.name, item, anna.id, Rating(score=4), version=version
        )
        for item, version in zip(ids, (2, 1), strict=True)
    ]
    store.append("judgment", *(row | {"blind": False} for row in rows))
    drawn = randomised_model_suggestions.drawn_suggestions_table(
        store, TASK, viewer=lead, **WHERE
    ).set_index("item")
    assert drawn["outcome"].dropna().to_dict() == {"poem1": "rejected"}
    assert (
        randomised_model_suggestions.suggestion_estimates_by_figure(drawn.reset_index())[
            "rejected"
        ].denominator
        == 1
    )


def answer(item: str, who: Rater, score: int, **more: int) -> dict[str, object]:
    """A judgment that is not blind, as a row."""
    row = judging.make_imported_judgment_row(TASK.name, item, who.id, Rating(score=score), **more)
    return row | {"blind": False}


def test_what_somebody_answers_first_is_held_against_the_suggestion(store: Store) -> None:
    [item, _], lead, _ = suggested(store, 2, share=0.99)
    anna = person(store, "Anna")
    assert randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
        store, TASK, item=item, rater=anna.id, **WHERE
    )
    first = answer(item, anna, 7)
    store.append("judgment", first, answer(item, anna, 2, revision=2))
    [row] = randomised_model_suggestions.drawn_suggestions_table(
        store, TASK, viewer=lead, **WHERE
    ).to_dict("records")
    assert (row["outcome"], row["judgment_id"]) == ("accepted", first["id"])


def test_nobodys_own_blind_answer_makes_what_is_right_for_them(store: Store) -> None:
    [item] = poems(store, 1)
    scores = {"Anna": 7, "Ben": 7, "Cora": 4}
    people = {name: person(store, name).id for name in scores}
    store.append(
        "judgment",
        *(
            judging.make_imported_judgment_row(TASK.name, item, people[name], Rating(score=score))
            for name, score in scores.items()
        ),
    )
    judged = consensus.current_judgments(store, TASK, dataset="poems", viewer=None)
    right = randomised_model_suggestions._Right(TASK, {}, judged)
    # Without Anna's 7, or Ben's, the others differ; whoever else comes is held against two of
    # three.
    known = [right.is_right(Rating(score=7), "poem0", who) for who in (*people.values(), "new")]
    assert known == [None, None, True, True]


def test_a_suggestion_is_compared_as_it_stands_in_the_corrected_text(store: Store) -> None:
    # One point of each earlier score stood on a word that the corrected text no longer has.
    def carried(value: Rating, before: object, after: object) -> CarriedAnswer:
        return CarriedAnswer(value, Rating(score=(value.score or 0) - 1), 0, ("a word",))

    moving = with_methods(TASK, answer_and_lost_marks_in_corrected_item=carried)
    ids, lead, _ = suggested(store, 2, share=0.99)
    anna = person(store, "Anna")
    for item in ids:
        assert randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
            store, TASK, item=item, rater=anna.id, **WHERE
        )
    item_corrections.correct_items_and_return_effect(
        *(store, [moving], {item: {"text": f"Roses were red, {item}."} for item in ids}),
        change="typing",
        reason="A slip.",
        by=lead,
    )
    # Anna takes both as they are: one as the text is now, the other before it was corrected.
    later = answer(ids[0], anna, 6, version=2)
    store.append("judgment", later, answer(ids[1], anna, 7, version=1))
    drawn = randomised_model_suggestions.drawn_suggestions_table(
        store, moving, viewer=lead, **WHERE
    )
    assert drawn["outcome"].tolist() == ["accepted", "accepted"]
