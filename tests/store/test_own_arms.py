"""Arms of an own study: who is given which, what is kept of them, and what comes of it."""

from __future__ import annotations

import io
import json
from itertools import pairwise

import pytest

from medlens.app import erasure, study_report, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.review import (
    assignment,
    consensus,
    hand_out_settings,
    items,
    judging,
    practice,
    raters,
    rounds,
)
from medlens.review.chart_summary_sentences import describe_chart_extremes
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.own import figures as own_figures
from medlens.studies.own import study
from medlens.studies.own.adjudicator_item_and_starting_answer import (
    make_lettered_item_for_adjudicator,
)
from medlens.studies.own.blinded_arms import list_names_of_arms_in_item, random_arm_order
from medlens.studies.own.study import Study, open_study
from medlens.studies.own.tasks import NAME, Answers, OwnSpan
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import words_of_listed_items
from medlens.tables import write_table
from medlens.ui import own_item_and_answer_fields_for_adjudicator, own_study_desk_and_results
from medlens.ui.own_item_panes_and_questions import questions_as_form_fields
from tests.conftest import quick_or_deep
from tests.store.made_up import person

pytestmark = pytest.mark.usefixtures("read_near")

HEAD = """\
id = "duel"
title = "Which is better?"
instructions = "Read both."
arm_column = "model"
raters_per_item = 2
gold_share = 0
"""
REST = """
[[column]]
name = "question"
means = "what was asked"

[[column]]
name = "answer"
means = "the answer"
by_arm = true

[[pane]]
title = "Question"
column = "question"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "safe"
kind = "yes_no"
text = "Safe?"
required = true
"""
ARMS = '\n[[arm]]\nname = "north"\n\n[[arm]]\nname = "south"\n'
COMPARED = """per = "arm"

[[question]]
id = "score"
kind = "scale"
text = "How good?"
low = "bad"
high = "good"
per = "arm"

[[question]]
id = "better"
kind = "preference"
text = "Which?"
strength = true
required = true

[[question]]
id = "order_of"
kind = "ranking"
text = "Rank them."
"""
TOGETHER = HEAD + ARMS + REST + COMPARED
APART = HEAD + 'show_arms = "apart"\n' + ARMS + REST
N = 12
LONG = "item,model,question,answer\n" + "".join(
    f"c{n},{arm},Q{n},{arm[0]}{n}\n" for n in range(N) for arm in ("north", "south")
)


def declare(store: Store, text: str) -> Study:
    study.store_study_file_version_and_return_it(store, text, name="STUDY.toml", by=None)
    return open_study(store, Settings(), "duel")


def add(store: Store, table: str = LONG, name: str = "items.csv") -> work_behind_commands.Outcome:
    return work_behind_commands.import_file(
        store, Settings(), "own-items", table.encode(), name=name, dataset="duel"
    )


def begun(store: Store, text: str) -> Study:
    declare(store, text)
    add(store)
    return open_study(store, Settings(), "duel")


def given(store: Store, here: Study, name: str) -> tuple[Rater, list[str]]:
    """All that one person is handed, each judged at once."""
    person, found = raters.find_or_add_rater_by_name(store, name), []
    settings = hand_out_settings.hand_out_settings_in_force(
        store,
        NAME,
        "duel",
        hand_out_settings.default_hand_out_settings(Settings(), NAME, here.task.handing_out),
    )
    while item := assignment.give_next_item_and_return_id(
        store, here.task, settings, dataset="duel", rater=person.id
    ):
        found.append(item)
        order = random_arm_order(
            list_names_of_arms_in_item(items.item_body(store, item)),
            item=item,
            rater=person.id,
            seed=1,
        )
        answers: dict[str, object] = {"safe": "yes"}
        if order:
            answers = {f"safe / {arm}": "yes" if arm == "north" else "no" for arm in order}
            answers |= {"score / north": 4, "score / south": 2, "better": "north, clearly"}
            answers |= {"order_of / north": 1, "order_of / south": 2}
        body = {"version": here.version, "answers": answers, "order": order}
        judging.submit_judgment(
            store, here.task, item=item, rater=person.id, token=new_id(), body=body
        )
    return person, found


def figures(store: Store) -> dict[tuple[str, str], dict]:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset="duel"
    )
    return {(one["figure"], one["group"]): one for one in table.to_dict("records")}


# -- items -----------------------------------------------------------------------------------------


def test_the_rows_of_a_case_become_one_item_with_all_its_arms(store: Store) -> None:
    here = begun(store, TOGETHER)
    [item] = items.item_ids_by_name(store, "own", "duel", ["c3"]).values()
    assert items.item_body(store, item) == {
        "question": "Q3",
        "arms": {"north": {"answer": "n3"}, "south": {"answer": "s3"}},
    }
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-items", viewer=None, dataset="duel"
    )
    again = io.BytesIO()
    write_table(table, again, format="csv")
    assert len(table) == 2 * N
    assert "12 were there already" in add(store, again.getvalue().decode()).line
    assert here.declared.are_arms_side_by_side


def test_a_wide_table_says_the_same_in_a_column_for_each_arm(store: Store) -> None:
    wide = HEAD + ARMS.replace(
        'name = "north"', 'name = "north"\ncolumns = { answer = "n" }'
    ).replace('name = "south"', 'name = "south"\ncolumns = { answer = "s" }')
    declare(store, wide + REST + COMPARED)
    add(store, "item,question,n,s\n" + "".join(f"c{n},Q{n},n{n},s{n}\n" for n in range(N)))
    [item] = items.item_ids_by_name(store, "own", "duel", ["c3"]).values()
    assert items.item_body(store, item)["arms"] == {
        "north": {"answer": "n3"},
        "south": {"answer": "s3"},
    }
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-items", viewer=None, dataset="duel"
    )
    assert list(table["s"])[:2] == ["s0", "s1"]
    with pytest.raises(BadFile, match="line 2, column 's'"):
        add(store, "item,question,n,s\nc99,Q,n,\n")


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("item,question,answer\nc1,Q,a\n", "model"),
        ("item,model,question,answer\nc1,west,Q,a\n", "line 2, column 'model': expected one of"),
        (
            "item,model,question,answer\nc1,north,Q,a\nc1,south,R,b\n",
            "line 3, column 'question': expected the same for all of c1 (line 2 has another)",
        ),
        (
            "item,model,question,answer\nc1,north,Q,a\nc1,north,Q,b\n",
            "line 3, column 'item': expected a name not used",
        ),
        (
            "item,model,question,answer\nc1,north,Q,a\n",
            "line 2, column 'model': expected a second arm of c1",
        ),
        ("item,model,question,answer\nc1,north,Q,\n", "line 2, column 'answer'"),
    ],
)
def test_arms_that_cannot_be_compared_are_refused_by_line(
    store: Store, table: str, said: str
) -> None:
    declare(store, TOGETHER)
    with pytest.raises(BadFile) as refused:
        add(store, table)
    assert said in refused.value.message
    assert items.datasets_of_study(store, "own") == []


def test_a_text_that_names_its_arm_is_noted_on_import(store: Store) -> None:
    declare(store, TOGETHER)
    told = "item,model,question,answer\nc1,north,Q,I am North.\nc1,south,Q,b\n"
    assert "names the arm 'north'" in str(add(store, told).taken)


# -- who is given what -----------------------------------------------------------------------------


@pytest.mark.deep
def test_apart_nobody_is_given_two_arms_of_a_case_and_each_as_many_of_one_as_of_the_other(
    store: Store,
) -> None:
    here = begun(store, APART)
    every = []
    for name in ("Rosa", "Sam", "Tea", "Uwe"):
        _, held = given(store, here, name)
        bodies = [items.item_body(store, item) for item in held]
        assert len({one["case"] for one in bodies}) == len(held) == N
        assert abs(sum(one["arm"] == "north" for one in bodies) - N / 2) <= 1
        every += held
    assert all(every.count(item) == 2 for item in every)
    assert len(set(every)) == 2 * N


def test_apart_the_share_that_is_told_counts_a_case_once(store: Store) -> None:
    here = begun(store, APART)
    person = raters.find_or_add_rater_by_name(store, "Rosa")
    settings = hand_out_settings.hand_out_settings_in_force(
        store,
        NAME,
        "duel",
        hand_out_settings.default_hand_out_settings(Settings(), NAME, here.task.handing_out),
    )
    told = assignment.load_rater_queue(store, here.task, settings, dataset="duel", rater=person.id)
    assert told.total == N


def test_apart_a_rater_is_given_all_arms_where_the_study_says_so(store: Store) -> None:
    here = begun(store, APART.replace("gold_share", "several_arms = true\ngold_share"))
    _, held = given(store, here, "Rosa")
    assert len(held) == 20  # items_per_rater


def test_an_item_of_one_arm_has_a_name_that_says_nothing_of_it(store: Store) -> None:
    begun(store, APART)
    names = [name for (name,) in store.rows("select name from item")]
    assert not any("north" in name or "south" in name for name in names)
    assert len(set(names)) == 2 * N


def test_orders_are_drawn_by_rater_and_item_and_come_out_about_even() -> None:
    firsts = [random_arm_order(["n", "s"], item=f"i{n}", rater="r", seed=1)[0] for n in range(200)]
    assert 70 < firsts.count("n") < 130
    assert firsts == [
        random_arm_order(["s", "n"], item=f"i{n}", rater="r", seed=1)[0] for n in range(200)
    ]
    assert firsts != [
        random_arm_order(["n", "s"], item=f"i{n}", rater="q", seed=1)[0] for n in range(200)
    ]


# -- what is kept ----------------------------------------------------------------------------------


@pytest.mark.deep
def test_a_judgment_keeps_the_order_and_comes_out_and_in_again(store: Store) -> None:
    here = begun(store, TOGETHER)
    given(store, here, "Rosa")
    given(store, here, "Sam")
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="duel"
    )
    assert set(table["order"]) == {"north; south", "south; north"}
    assert set(table["safe / south"]) == {"no"}
    before = figures(store)
    out = io.BytesIO()
    write_table(table, out, format="csv")
    done = work_behind_commands.import_file(
        store, Settings(), "own-judgments", out.getvalue(), name="j.csv", dataset="duel"
    )
    assert "24 were there already" in done.line
    assert str(figures(store)) == str(before)


def test_what_no_rater_can_have_said_is_refused_without_naming_an_arm(store: Store) -> None:
    here = begun(store, TOGETHER)
    person = raters.find_or_add_rater_by_name(store, "Rosa")
    settings = hand_out_settings.default_hand_out_settings(Settings(), NAME, here.task.handing_out)
    item = assignment.give_next_item_and_return_id(
        store, here.task, settings, dataset="duel", rater=person.id
    )
    assert item
    for change, said in (
        ({"order": ["north"]}, "The order of the arms"),
        ({"order": ["north", "west"]}, "The order of the arms"),
        ({"answers": {"safe / west": "yes"}}, "no question 'safe / west'"),
        ({"answers": {"better": "A"}}, "please choose one of the options"),
        ({"answers": {"order_of / north": 1, "order_of / south": 1}}, "give each place once"),
        ({"answers": {"order_of / north": 1}}, "give each a place, or none"),
        (
            {"answers": {"better": "tie", "safe / north": "yes"}},
            r"Safe\? \(Answer A\) – please answer this question",
        ),
    ):
        body = {"answers": {}, "order": ["south", "north"]} | change
        with pytest.raises(InvalidInput, match=said) as refused:
            judging.submit_judgment(
                store, here.task, item=item, rater=person.id, token=new_id(), body=body
            )
        if "west" not in json.dumps(change):
            assert "north" not in refused.value.message


def test_practice_tells_a_rater_of_their_answer_without_naming_an_arm(store: Store) -> None:
    here = begun(store, TOGETHER)
    [item] = items.item_ids_by_name(store, "own", "duel", ["c3"]).values()
    lead, rosa = (
        raters.find_or_add_rater_by_name(store, "Lena", role="lead"),
        raters.find_or_add_rater_by_name(store, "Rosa"),
    )
    key = {"safe / north": "no", "score / south": [1, 3], "better": "south, slightly"}
    consensus.set_or_unset_gold_item(
        store, here.task, item=item, expected=key, active=True, by=lead
    )
    practice.mark_gold_item_as_practice(store, here.task, item=item, why="", by=lead)
    settings = hand_out_settings.default_hand_out_settings(Settings(), NAME, here.task.handing_out)
    assignment.give_next_item_and_return_id(
        store, here.task, settings, dataset="duel", rater=rosa.id
    )
    answers = {"safe / north": "yes", "safe / south": "no", "better": "north, clearly"}
    answers |= {"order_of / north": 1, "order_of / south": 2}
    answers |= {"score / north": 4, "score / south": 2}
    body = {"answers": answers, "order": ["south", "north"]}
    judging.submit_judgment(store, here.task, item=item, rater=rosa.id, token=new_id(), body=body)
    [one] = practice.practice_standing_of_rater(
        store, here.task, dataset="duel", rater=rosa.id
    ).items_tried_in_last_attempt
    rows = practice.list_given_beside_expected_answers(one)
    assert [(said, wanted) for _, said, wanted in rows] == [
        ("yes", "no"),
        ("2", "1 to 3"),
        ("B, clearly", "A, slightly"),
    ]
    assert not [row for row in rows if "north" in str(row) or "south" in str(row)]


def test_more_arms_are_an_addition_and_fewer_are_refused(store: Store) -> None:
    here = begun(store, TOGETHER)
    given(store, here, "Rosa")
    more = ARMS + '\n[[arm]]\nname = "west"\n'
    with pytest.raises(InvalidInput, match="Its arms are shown differently"):
        declare(store, APART.replace('show_arms = "apart"\n', 'show_arms = "apart"\n') + "\n")
    assert declare(store, TOGETHER.replace(ARMS, more)).version == 2
    with pytest.raises(InvalidInput, match="The arm 'south' is gone"):
        declare(store, TOGETHER.replace("south", "east").replace(ARMS, more))


# -- figures ---------------------------------------------------------------------------------------


def test_figures_say_what_each_arm_was_found_and_how_far_they_are_apart(store: Store) -> None:
    here = begun(store, TOGETHER)
    given(store, here, "Rosa")
    given(store, here, "Sam")
    found = figures(store)
    # 12 cases, two raters, who all find the north safe and the south not, 4 and 2.
    by_arm = found["share_safe", "arm: north; yes"]
    assert (by_arm["numerator"], by_arm["denominator"]) == (24, 24)
    assert found["share_safe", "yes"]["denominator"] == 48
    assert found["mean_score", "arm: south"]["value"] == 2
    safe = found["difference_safe", "north minus south; yes"]
    # All 12 cases one way, as often as both raters agree: z of 12, by t with 11 degrees of freedom.
    assert (safe["value"], safe["n"]) == (1, 24)
    assert safe["p"] == pytest.approx(0.0052947, abs=1e-6)
    score = found["difference_score", "north minus south"]
    assert score["value"] == 2
    assert "no interval: they are all alike" in score["method"]
    for question in ("better", "order_of"):
        won = found[f"win_{question}", "north over south"]
        assert (won["value"], won["n"]) == (1, 24)
        assert won["p"] < 0.01
        assert 0.6 < won["low"] < 1
        assert found[f"strength_{question}", "south"]["value"] == 0
    assert found["share_better", "north, clearly"]["value"] == 1
    assert found["alpha_safe / north", ""]["method"].startswith("undefined")
    data = own_figures.load_figure_data(store, here, None, {})
    for won in data.contests_by_preference_question[
        "order_of"
    ].list_bradley_terry_strength_estimates():
        # By id; the page knows the names.
        names = own_figures.FIGURES.rater_names(data)
        assert {names[one.rater] for one in won.of_raters} == {"Rosa", "Sam"}
        assert {(one.value, one.n) for one in won.of_raters} == {(won.value, N)}
    page = study_report.render_report_file(
        store, Settings(), "own", dataset="duel", form="html"
    ).decode()
    assert "north over south" in page


@pytest.mark.deep
def test_apart_the_means_of_a_case_are_compared(store: Store) -> None:
    here = begun(store, APART)
    for name in ("Rosa", "Sam", "Tea", "Uwe"):
        given(store, here, name)
    found = figures(store)
    assert found["difference_safe", "north minus south; yes"]["n"] == N
    assert found["share_safe", "arm: north; yes"]["denominator"] == 2 * N
    assert "cases" not in found["share_safe", "arm: north; yes"]["group"]


@pytest.mark.first_quick
@pytest.mark.parametrize("text", [TOGETHER, APART], ids=["together", "apart"])
def test_further_columns_are_kept_with_the_items_and_the_arm_is_none_of_them(
    store: Store, text: str
) -> None:
    declare(store, text)
    head, *rows = LONG.splitlines()
    table = "\n".join([f"{head},ward", *(f"{row},W{row[1]}" for row in rows)]) + "\n"
    assert "Further columns kept with the items: ward." in str(add(store, table).taken)
    beside = work_behind_commands.make_export_table(
        store, Settings(), "annotated", viewer=None, study="own", dataset="duel"
    )
    assert set(beside["ward"]) == {f"W{str(n)[0]}" for n in range(N)}
    # What arms have of their own is in columns to read, not in JSON.
    if text == TOGETHER:
        assert list(beside)[:4] == ["item", "question", "answer / north", "answer / south"]
        assert list(beside["answer / south"])[:2] == ["s0", "s1"]
    assert "arms" not in beside


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (TOGETHER, ["item", "Case", "question", "answer / north", "answer / south"]),
        (APART, ["item", "Case", "question", "answer", "model"]),
    ],
    ids=["together", "apart"],
)
def test_the_annotated_table_has_the_names_of_cases_and_arms_under_the_files_own_columns(
    store: Store, text: str, columns: list[str]
) -> None:
    declare(store, text.replace("title =", 'item = "Case"\ntitle =', 1))
    add(store, LONG.replace("item,", "Case,", 1))
    beside = work_behind_commands.make_export_table(
        store, Settings(), "annotated", viewer=None, study="own", dataset="duel"
    )
    assert sorted(list(beside)[: len(columns)]) == sorted(columns)
    assert list(dict.fromkeys(beside["Case"])) == [f"c{n}" for n in range(N)]


def test_orders_that_raters_saw_vary_within_a_study(store: Store) -> None:
    here = begun(store, TOGETHER)
    _, held = given(store, here, "Rosa")
    orders = [tuple(random_arm_order(["north", "south"], item=i, rater="x", seed=1)) for i in held]
    assert any(one != two for one, two in pairwise(orders))


# -- adjudicators ----------------------------------------------------------------------------------


def test_an_answer_keeps_its_meaning_under_an_adjudicators_letters(store: Store) -> None:
    why = '\n[[question]]\nid = "why"\nkind = "short_text"\ntext = "Why?"\n'
    here = begun(store, TOGETHER + why)
    [item] = items.item_ids_by_name(store, "own", "duel", ["c3"]).values()
    body = items.item_body(store, item)
    # Found by trial: among these, both orders occur.
    views = {
        one: make_lettered_item_for_adjudicator(here, body, item=item, rater=one, seed=1)
        for one in ("Lena", "Lars", "Lou")
    }
    assert {one.order for one in views.values()} == {("north", "south"), ("south", "north")}
    value = Answers(
        version=1,
        answers={
            "why": "A is kinder.",
            "safe / north": "yes",
            "safe / south": "no",
            "score / north": 4,
            "better": "north, slightly",
            "order_of / south": 2,
        },
        order=["south", "north"],
        spans=(OwnSpan(start=0, end=2, quote="s3", labels=("false",), arm="south"),),
    )
    for seen in views.values():
        north, south = ("A", "B") if seen.order[0] == "north" else ("B", "A")
        blind = seen.answers_with_letters(value)
        assert blind is not None
        assert blind.answers == {
            "why": "A is kinder.",
            f"safe / {north}": "yes",
            f"safe / {south}": "no",
            f"score / {north}": 4,
            "better": f"{north}, slightly",
            f"order_of / {south}": 2,
        }
        assert blind.order == [south, north]
        assert blind.spans[0].arm == south
        assert seen.answers_with_arm_names(blind) == value
        # Its rater's A was south.
        told = seen.task.answer_as_columns(blind)["why"]
        other = " (their A is B, their B is A)" if south == "B" else ""
        assert told == f"A is kinder.{other}"
        assert "north" not in seen.task.decision_in_words(blind)


def test_marks_in_each_arm_are_kept_of_that_arm_under_an_adjudicators_letters(
    store: Store,
) -> None:
    marking = """
[[question]]
id = "errors"
kind = "spans"
text = "Mark every error."
column = "answer"
per = "arm"
labels = [{ id = "false", name = "False" }, { id = "unsafe", name = "Unsafe" }]
"""
    here = begun(store, TOGETHER + marking)
    [item] = items.item_ids_by_name(store, "own", "duel", ["c3"]).values()
    body = items.item_body(store, item)
    # The answers are "n3" and "s3".
    north = OwnSpan(start=0, end=2, quote="n3", labels=("false",), arm="north")
    south = OwnSpan(start=1, end=2, quote="3", labels=("unsafe",), arm="south")
    also = north.model_copy(update={"labels": ("unsafe",)})
    said = {"safe / north": "yes", "safe / south": "no", "better": "tie"}
    one, other = (
        Answers(version=1, answers=said, order=["south", "north"], spans=spans)
        for spans in ((north, south), (also,))
    )
    orders = set()
    for rater in ("Lena", "Lars", "Lou"):
        seen = make_lettered_item_for_adjudicator(here, body, item=item, rater=rater, seed=1)
        letter = dict(zip(seen.order, "AB", strict=True))
        both = [seen.answers_with_letters(one), seen.answers_with_letters(other)]
        orders.add(seen.order)
        # They begin with every mark, and each place once.
        start = own_item_and_answer_fields_for_adjudicator.field_values_of_answer(
            seen,
            own_item_and_answer_fields_for_adjudicator.make_prefilled_adjudicator_answer(
                seen, both
            ),
        )
        [mark] = json.loads(start[f"errors / {letter['north']}"] or "")
        assert (mark["quote"], mark["labels"]) == ("n3", ["false", "unsafe"])
        assert "arm" not in mark
        # What was read in is kept, of the arms that it is about.
        read = own_item_and_answer_fields_for_adjudicator.field_values_of_answer(seen, both[0])
        kept = own_item_and_answer_fields_for_adjudicator.answer_from_field_values(
            store, here, seen, item=item, said=read
        )
        assert {(span.arm, span.quote, span.labels) for span in kept.spans} == {
            ("north", "n3", ("false",)),
            ("south", "3", ("unsafe",)),
        }
        assert kept.answers == said
        assert kept.order == list(seen.order)
        # Words of one arm do not stand in the other's text.
        wrong = {**read, f"errors / {letter['south']}": read[f"errors / {letter['north']}"]}
        with pytest.raises(InvalidInput, match="not"):
            own_item_and_answer_fields_for_adjudicator.answer_from_field_values(
                store, here, seen, item=item, said=wrong
            )
    assert len(orders) == 2


def test_an_item_that_a_model_did_not_answer_is_settled_among_the_answers_that_raters_saw(
    store: Store,
) -> None:
    west = '\n[[arm]]\nname = "west"\n'
    text = HEAD + ARMS + west + REST + COMPARED
    declare(store, text.replace("by_arm = true", "by_arm = true\nrequired = false"))
    add(store, LONG + "".join(f"c{n},west,Q{n},{'w' * (n != 3)}\n" for n in range(N)))
    here = open_study(store, Settings(), "duel")
    [item] = items.item_ids_by_name(store, "own", "duel", ["c3"]).values()
    body = items.item_body(store, item)
    safe = {"safe / north": "yes", "safe / south": "no"}
    two = Answers(
        version=1, answers={**safe, "better": "north, slightly"}, order=["south", "north"]
    )
    # Models are shown all arms, and so were people once.
    one, other = (
        Answers(version=1, answers={**safe, "better": best}, order=["west", "south", "north"])
        for best in ("north", "west")
    )
    for rater in ("Lena", "Lars", "Lou"):
        seen = make_lettered_item_for_adjudicator(here, body, item=item, rater=rater, seed=1)
        assert sorted(seen.order) == ["north", "south"]
        letter = dict(zip((*seen.order, "west"), "ABC", strict=True))
        for value, better in [
            (two, f"{letter['north']}, slightly"),
            (one, letter["north"]),
            (other, "C"),
        ]:
            blind = seen.answers_with_letters(value)
            assert blind is not None
            assert blind.answers["better"] == better
            assert blind.order == [letter[arm] for arm in value.order]
            assert seen.answers_with_arm_names(blind) == value
            assert not here.task.problems_of_draft(value, body)


def test_two_first_places_put_together_from_two_judgments_are_no_decision(store: Store) -> None:
    here = begun(store, TOGETHER)
    [item] = items.item_ids_by_name(store, "own", "duel", ["c3"]).values()
    seen = make_lettered_item_for_adjudicator(
        here, items.item_body(store, item), item=item, rater="Lena", seed=1
    )
    said = {"safe / A": "yes", "safe / B": "yes", "better": "tie"}

    def put(first: int, second: int) -> Answers:
        places = {"order_of / A": first, "order_of / B": second}
        value = Answers(version=1, answers=said | places, order=["A", "B"])
        return own_item_and_answer_fields_for_adjudicator.require_and_return_valid_combined_answer(
            store, here, seen, item=item, value=value
        )

    assert put(1, 2).answers[f"order_of / {seen.order[0]}"] == 1
    with pytest.raises(InvalidInput, match="each place once"):
        put(1, 1)


# -- what stands on the lead's Home ----------------------------------------------------------------


def told_on_home(store: Store, here: Study) -> list[tuple[str, str, float | None]]:
    looked = own_figures.load_figure_data(store, here, None, {})
    return [
        (one.title, one.group, one.estimate.value)
        for one in own_figures.FIGURES.list_headline_values(looked)
    ]


@pytest.mark.parametrize(
    ("headline", "told"),
    [
        # Everyone said yes of north and no of south, and gave them 4 and 2.
        ("safe", [("Safe · yes", "north", 1.0), ("Safe · yes", "south", 0.0)]),
        pytest.param(
            "score",
            [("Score", "north", 4.0), ("Score", "south", 2.0)],
            marks=pytest.mark.deep,
        ),
        ("better", [("Better · share won", "north over south", 1.0)]),
        pytest.param(
            "order_of",
            [("Order of · share won", "north over south", 1.0)],
            marks=pytest.mark.deep,
        ),
    ],
)
def test_the_headline_is_the_answer_to_its_question_by_arm(
    store: Store, headline: str, told: list[tuple[str, str, float]]
) -> None:
    here = begun(store, f'headline = "{headline}"\n{TOGETHER}')
    given(store, here, "Rosa")
    assert told_on_home(store, here) == told


def test_the_headline_of_several_answers_is_the_most_frequent_one(store: Store) -> None:
    text = APART.replace('kind = "yes_no"', 'kind = "single"\noptions = ["no", "hardly", "yes"]')
    text = text.replace(ARMS, "").replace('show_arms = "apart"\n', "").replace("by_arm = true", "")
    text = text.replace('arm_column = "model"\n', "")
    declare(store, text)
    add(store, "item,question,answer\n" + "".join(f"c{n},Q{n},a{n}\n" for n in range(N)))
    here = open_study(store, Settings(), "duel")
    given(store, here, "Rosa")
    assert told_on_home(store, here) == [("Safe · yes", "", 1.0)]


@pytest.mark.deep
@pytest.mark.parametrize("show", quick_or_deep("together", "apart"))
def test_what_was_said_of_answers_that_a_model_did_not_give_is_told_and_counts_nowhere(
    store: Store, show: str
) -> None:
    text = (
        TOGETHER
        if show == "together"
        else APART.replace("gold_share", "several_arms = true\nitems_per_rater = 99\ngold_share")
    )
    declare(store, text.replace("by_arm = true", "by_arm = true\nrequired = false"))
    add(store, LONG.replace(",s1\n", ",\n").replace(",s4\n", ",\n"))
    here = open_study(store, Settings(), "duel")
    given(store, here, "Rosa")
    data = own_figures.load_figure_data(store, here, None, {})
    assert data.unanswered == {"south": (2, N)}
    told = "No answer was given by south to 2 of 12 of the judged items"
    assert told in own_figures.FIGURES.said(data)
    assert told in own_figures.FIGURES.limits(data)
    by_name = {one.name: one for one in own_figures.FIGURES.figures}
    # It opens by model, in one chart with a row for each model and answer.
    [chart] = own_figures.FIGURES.make_charts_of_figure(by_name["answers"], data, "safe", {})
    assert [*zip(chart.table["group"], chart.table["denominator"], strict=True)][:2] == [
        ("arm: north; yes", 12),
        ("arm: south; yes", 10),
    ]
    # Its sentence compares the models in one answer, and not one's yes with another's no.
    said = describe_chart_extremes(chart)
    if show == "apart":  # all were safe
        assert said == "Safe? Yes · north and yes · south, 100% each."
    else:
        assert said.startswith("Safe? Highest for yes · north, 100%")
        assert "lowest for yes · south, 0%" in said
    choices = by_name["answers"].choices[-1]
    assert next(iter(choices.options(data, {}).items())) == ("arm", "Each model")
    assert figures(store)["share_safe", "arm: south; yes"]["denominator"] == 10
    assert figures(store)["share_safe", "arm: north; yes"]["denominator"] == 12
    if show == "together":
        # North was safe in all cases and south in none: also where an answer is missing elsewhere.
        assert figures(store)["difference_safe", "north minus south; yes"]["value"] == 1
        # Against no answer nothing can win.
        assert figures(store)["win_better", "north over south"]["n"] == 10


def test_nobody_is_asked_about_an_answer_that_a_model_did_not_give(store: Store) -> None:
    declare(store, TOGETHER.replace("by_arm = true", "by_arm = true\nrequired = false"))
    add(store, LONG.replace(",s1\n", ",\n"))
    here = open_study(store, Settings(), "duel")
    [one, both] = (
        items.item_body(store, item)
        for item in items.item_ids_by_name(store, "own", "duel", ["c1", "c2"]).values()
    )
    assert here.declared.arms_to_judge(one) == ["north"]
    assert here.declared.arms_to_judge(both) == ["north", "south"]
    # One answer is preferred to none: that is not asked.
    asked = [field["id"] for field in questions_as_form_fields(here.declared, ["north"])]
    assert "better" not in asked
    assert "safe / A" in asked
    alone = Answers(order=["north"], answers={"safe / north": "yes"})
    assert here.task.problems_of_answer(alone, one) == []
    assert here.task.problems_of_answer(alone, both) == [
        "The order of the arms is not that of this item."
    ]


def test_nothing_needs_to_be_said_of_an_answer_that_a_model_did_not_give(store: Store) -> None:
    declare(store, TOGETHER.replace("by_arm = true", "by_arm = true\nrequired = false"))
    add(store, LONG.replace(",s1\n", ",\n"))
    here = open_study(store, Settings(), "duel")
    judged = Answers(order=["north", "south"], answers={"safe / north": "yes", "better": "tie"})
    bodies = {
        name: items.item_body(store, item)
        for name, item in items.item_ids_by_name(store, "own", "duel", ["c1", "c2"]).items()
    }
    assert here.declared.arms_without_answer(bodies["c1"]) == ["south"]
    assert here.task.problems_of_answer(judged, bodies["c1"]) == []
    assert here.task.problems_of_answer(judged, bodies["c2"]) == [
        "Safe? (Answer B) – please answer this question."
    ]
    fields = questions_as_form_fields(here.declared, ["south", "north"], empty=["south"])
    needed = {one["id"]: one.get("needed", False) for one in fields}
    assert (needed["safe / A"], needed["safe / B"]) == (False, True)
    # Against no answer nothing can win.
    assert not needed["better"]
    unsaid = judged.model_copy(update={"answers": {"safe / north": "yes"}})
    assert here.task.problems_of_answer(unsaid, bodies["c1"]) == []
    assert here.task.problems_of_answer(unsaid, bodies["c2"])[-1].startswith("Which?")
    both = questions_as_form_fields(here.declared, ["south", "north"])
    assert next(one for one in both if one["id"] == "better")["needed"]


# -- many arms -------------------------------------------------------------------------------------


def test_of_many_arms_each_answer_is_one_chart_and_the_largest_differences_are_drawn(
    store: Store,
) -> None:
    names = [f"m{n}" for n in range(10)]
    arms = "".join(f'\n[[arm]]\nname = "{name}"\n' for name in names)
    apart = HEAD.replace("gold_share", 'show_arms = "apart"\nseveral_arms = true\ngold_share')
    declare(store, apart + arms + REST)
    rows = "".join(f"c{n},{name},Q{n},{name} {n}\n" for n in range(2) for name in names)
    add(store, "item,model,question,answer\n" + rows)
    here = open_study(store, Settings(), "duel")
    given(store, here, "Rosa")
    looked = own_figures.load_figure_data(store, here, None, {})
    by_name = {one.name: one for one in own_figures.FIGURES.figures}
    charts = own_figures.FIGURES.make_charts_of_figure(
        by_name["answers"], looked, "safe", {"split": "arm"}
    )
    assert [one.title for one in charts] == [
        f"Safe? {answer}" for answer in ("yes", "no", "cannot tell")
    ]
    assert list(charts[0].table["group"]) == [f"arm: {name}; yes" for name in names]
    [chart] = own_figures.FIGURES.make_charts_of_figure(by_name["differences"], looked, "safe")
    assert len(chart.table) == 40
    assert "The 40 largest of 45 differences" in chart.n


@pytest.mark.deep
def test_the_first_judgment_of_three_models_already_makes_all_figures_and_a_report(
    store: Store,
) -> None:
    names = ("north", "south", "west")
    arms = "".join(f'\n[[arm]]\nname = "{name}"\n' for name in names)
    declare(store, HEAD + arms + REST + COMPARED)
    rows = "".join(f"c{n},{name},Q{n},{name[0]}{n}\n" for n in range(2) for name in names)
    add(store, "item,model,question,answer\n" + rows)
    here = open_study(store, Settings(), "duel")
    for judged in range(3):
        if judged:
            rater = person(store, f"R{judged}")
            item = sorted(store.column("select id from item_in_play"))[0]
            lease = {"slot": judged, "generation": 0, "gold": False}
            row = {"id": f"a{judged}", "task": NAME, "item": item, "rater": rater.id}
            store.append("assignment", {**row, **lease, "lease_until": "2000-01-01T00:00:00Z"})
            answers = {f"safe / {name}": "yes" for name in names} | {"better": "north"}
            body = {"version": here.version, "answers": answers, "order": list(names)}
            judging.submit_judgment(
                store, here.task, item=item, rater=rater.id, token=new_id(), body=body
            )
        if judged:
            told = figures(store)
            # South and west both lost to north and were never compared.
            chances = [told["strength_better", name]["value"] for name in names]
            assert chances == [1, 0.25, 0.25]
            data = own_figures.FIGURES.look(store, here, None, {})
            [of_two] = [one for one in own_figures.FIGURES.figures if one.name == "agreement"]
            needs_two = "Agreement needs two people or more who judged the same items."
            chart = of_two.chart(data, "agreement", "")[0]  # type: ignore[misc]
            assert (chart.n == needs_two) == (judged == 1)
        assert study_report.render_report_file(
            store, Settings(), "own", dataset="duel", form="html"
        )


def test_what_was_submitted_is_no_unsubmitted_change_though_options_were_left_unticked(
    store: Store,
) -> None:
    ticked = """
[[question]]
id = "faults"
kind = "multiple"
text = "What is wrong?"
options = ["Dose", "Side"]
per = "arm"

[[question]]
id = "reasons"
kind = "multiple"
text = "Why?"
options = ["Clearer", "Safer"]
"""
    here = begun(store, TOGETHER + ticked)
    rosa = raters.find_or_add_rater_by_name(store, "Rosa")
    desk = own_study_desk_and_results._Desk(
        store=store,
        task=here.task,
        settings=HandOut(items_per_rater=3),
        dataset="duel",
        rater=rosa,
        lay_out=str,
    )
    desk.open_named_or_next_item()
    answers = {"safe / north": "yes", "safe / south": "no", "better": "north, clearly"}
    desk.change_answer_and_save_draft(answers=answers, version=here.version)
    desk.submit_and_move_on()
    assert desk.left_behind == "Item 1 submitted", desk.error
    desk.go_by_steps_in_queue(-1)
    assert not desk.holds_unsubmitted_change
    submitted = desk.saved_at
    desk.change_answer_and_save_draft(answers=answers | {"reasons": ["Safer"]})
    assert desk.holds_unsubmitted_change
    assert submitted
    assert desk.saved_at
    assert desk.saved_at > submitted
    desk.change_answer_and_save_draft(answers=answers)
    assert not desk.holds_unsubmitted_change
    # Undone is not submitted anew, also for who comes back later.
    assert desk.saved_at == submitted
    desk.return_to_next_item()
    desk.go_by_steps_in_queue(-1)
    assert desk.saved_at == submitted


def test_a_preference_between_two_of_three_answers_counts_as_one_among_the_three(
    store: Store,
) -> None:
    better = (
        '\n[[question]]\nid = "better"\nkind = "preference"\ntext = "Which?"\nstrength = true\n'
    )
    text = HEAD + ARMS + '\n[[arm]]\nname = "west"\n' + REST + 'per = "arm"\n' + better
    declare(store, text.replace("by_arm = true", "by_arm = true\nrequired = false"))
    arms = ("north", "south", "west")
    # In the first four cases the third model gave no answer: how much better one is is asked too.
    rows = [
        f"c{n},{arm},Q{n},{'' if arm == 'west' and n < 4 else arm}\n"
        for n in range(6)
        for arm in arms
    ]
    add(store, "item,model,question,answer\n" + "".join(rows))
    here = open_study(store, Settings(), "duel")
    chosen = ("north, slightly", "south, clearly", "north, clearly", "tie", "north", "west")
    best_of = {
        item: best
        for best, (_, item) in zip(
            chosen,
            sorted(
                items.item_ids_by_name(store, "own", "duel", [f"c{n}" for n in range(6)]).items()
            ),
            strict=True,
        )
    }
    settings = hand_out_settings.default_hand_out_settings(Settings(), NAME, here.task.handing_out)
    for name in ("Rosa", "Ida"):
        rater = raters.find_or_add_rater_by_name(store, name)
        while item := assignment.give_next_item_and_return_id(
            store, here.task, settings, dataset="duel", rater=rater.id
        ):
            shown = here.declared.arms_to_judge(items.item_body(store, item))
            order = random_arm_order(shown, item=item, rater=rater.id, seed=1)
            best = best_of[item]
            # Who finds the same answer better agrees, by however much.
            best = best.replace("slightly", "clearly") if name == "Ida" else best
            answers = {f"safe / {arm}": "yes" for arm in order} | {"better": best}
            body = {"version": here.version, "answers": answers, "order": order}
            judging.submit_judgment(
                store, here.task, item=item, rater=rater.id, token=new_id(), body=body
            )
    found = figures(store)
    for option, count, of in (("north", 6, 12), ("south", 2, 12), ("west", 2, 4), ("tie", 2, 12)):
        share = found["share_better", option]
        assert (share["numerator"], share["denominator"]) == (count, of), option
    for option, count, of in (("north", 3, 6), ("south", 1, 6), ("west", 1, 2), ("tie", 1, 6)):
        share = found["items_better", option]
        assert (share["numerator"], share["denominator"]) == (count, of), option
    data = own_figures.load_figure_data(store, here, None, {})
    assert data.agreement_by_variable["better"].alpha.value == 1


def test_a_list_of_items_shows_a_lead_who_judges_no_more_than_the_desk_does(store: Store) -> None:
    hidden = '\n[[column]]\nname = "gold"\nmeans = "what is right"\n'
    odd = "what's asked/told ~1"
    text = (HEAD + ARMS + hidden + REST + COMPARED).replace('"question"', f'"{odd}"')
    declare(store, text)
    add(
        store,
        f"item,model,{odd},answer,gold\n"
        + "".join(f"c1,{arm},May I fly?,Said by {arm},SECRET\n" for arm in ("north", "south")),
    )
    here = open_study(store, Settings(), "duel")
    words = words_of_listed_items(STUDIES["own"].listed, here)
    page = items.table_of_items_on_one_page(store, "own", "duel", words)
    assert [*page["text"]] == ["May I fly?"]
    [item] = items.item_ids_by_name(store, "own", "duel", ["c1"]).values()
    assert items.item_text_beginnings_by_id(store, [item], words) == {item: "May I fly?"}


@pytest.mark.parametrize("with_work", [False, True])
def test_who_is_erased_holds_no_items_and_stands_in_no_open_round(
    store: Store, with_work: bool
) -> None:
    here = begun(
        store, TOGETHER.replace("raters_per_item = 2", "raters_per_item = 1\nitems_per_rater = 99")
    )
    lead = person(store, "Lena", lead=True)
    rosa, ida = (raters.find_or_add_rater_by_name(store, name) for name in ("Rosa", "Ida"))
    rounds.open_or_close_round(
        store, here.task, "duel", state="open", raters=[rosa.id, ida.id], by=lead
    )
    given(store, here, "Rosa")
    add(store, LONG.replace("\nc", "\nd"), "more.csv")
    settings = hand_out_settings.default_hand_out_settings(Settings(), NAME, here.task.handing_out)
    assert assignment.give_next_item_and_return_id(
        store, here.task, settings, dataset="duel", rater=rosa.id
    )
    said = erasure.erase_person_and_list_what_was_done(
        store, Settings(), rosa, confirmed="Rosa", with_work=with_work, viewer=lead
    )
    now = rounds.current_round_of_task(store, here.task, "duel")
    assert now.state == "open"
    assert now.raters == {ida.id}
    # Whoever is left can be given all that nobody judged.
    _, got = given(store, here, "Ida")
    judged = store.value("select count(distinct item) from judgment where rater <> $i", i=ida.id)
    assert len(got) + judged == 2 * N
    assert judged == (0 if with_work else N)
    held = 1 + (N if with_work else 0)
    assert any(f"{held} item" in line and "handed to others" in line for line in said)
