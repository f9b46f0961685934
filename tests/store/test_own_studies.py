"""Own studies in the store: their files by version, items in, judgments and figures out."""

from __future__ import annotations

import io
import json
import re
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import xlsxwriter

from medlens import cli
from medlens.app import store_check, study_report, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    audit_log,
    consensus,
    further_columns_of_imported_items,
    hand_out_settings,
    items,
    judging,
    raters,
)
from medlens.review.agreement import (
    compute_agreement_by_variable,
    list_raters_and_pairwise_agreement,
)
from medlens.review.chart_specifications import Rows
from medlens.review.compare_correct_withdraw_reimported_items import FileComparison
from medlens.review.raters import Rater
from medlens.review.raters_compared_with_others import table_comparing_raters_with_others
from medlens.store import Store, new_id, open_store
from medlens.studies import registry
from medlens.studies.own import figures as own_figures
from medlens.studies.own import item_and_judgment_import_and_export as import_and_export
from medlens.studies.own import queries, study, study_file
from medlens.studies.own.item_and_judgment_import_and_export import (
    study_file_with_rows_left_out_or_taken_back,
)
from medlens.studies.own.study import Study, open_study
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    make_study_file_text,
)
from medlens.studies.own.study_proposal import propose_study
from medlens.studies.own.tasks import NAME
from medlens.tables import Request, write_table
from medlens.tables.file_schemas_import_requests_and_reports import Revising
from medlens.ui import accept_invitation

pytestmark = pytest.mark.usefixtures("read_near")

TEXT = """\
id = "letters"
title = "Discharge letters"
instructions = "Read it."
raters_per_item = 2

[[column]]
name = "letter"
means = "the letter"

[[column]]
name = "visit"
means = "what was said"
required = false

[[column]]
name = "ward"
means = "the ward"
required = false
groups = true

[[pane]]
title = "Visit"
kind = "dialogue"
column = "visit"

[[pane]]
title = "Letter"
column = "letter"

[[question]]
id = "clear"
kind = "scale"
text = "Clear?"
low = "no"
high = "yes"
not_applicable = true
required = true

[[question]]
id = "faults"
kind = "multiple"
text = "Faults?"
options = ["Dose", "Side"]

[[question]]
id = "days"
kind = "number"
text = "Days?"
"""
MORE = TEXT + '\n[[question]]\nid = "safe"\nkind = "yes_no"\ntext = "Safe?"\n'
ITEMS = "item,letter,ward\n" + "".join(f"l{n},Letter {n}.,{'AB'[n % 2]}\n" for n in range(12))


def declare(store: Store, text: str = TEXT) -> study.StoredStudyFile:
    return study.store_study_file_version_and_return_it(store, text, name="STUDY.toml", by=None)


def add(store: Store, table: str | bytes = ITEMS, name: str = "items.csv", **how: bool) -> str:
    source = table.encode() if isinstance(table, str) else table
    return work_behind_commands.import_file(
        store, Settings(), "own-items", source, name=name, dataset="letters", **how
    ).line


def opened(store: Store) -> Study:
    return open_study(store, Settings(), "letters")


@pytest.fixture
def letters(store: Store) -> Store:
    declare(store)
    add(store)
    return store


def judge(store: Store, name: str, answers: dict[str, dict]) -> Rater:
    """A person's answers by the items' names; the queue may give others first."""
    here, person = opened(store), raters.find_or_add_rater_by_name(store, name)
    settings = hand_out_settings.hand_out_settings_in_force(
        store,
        NAME,
        "letters",
        hand_out_settings.default_hand_out_settings(Settings(), NAME, here.task.handing_out),
    )
    while item := assignment.give_next_item_and_return_id(
        store, here.task, settings, dataset="letters", rater=person.id
    ):
        told = next(
            n
            for n, i in items.item_ids_by_name(store, "own", "letters", list(answers)).items()
            if i == item
        )
        body = {"version": here.version, "answers": answers[told]}
        judging.submit_judgment(
            store, here.task, item=item, rater=person.id, token=new_id(), body=body
        )
    return person


def judged(store: Store) -> None:
    scores = {f"l{n}": 1 + n % 5 for n in range(12)}
    judge(store, "Rosa", {k: {"clear": v, "faults": ["Dose"]} for k, v in scores.items()})
    judge(store, "Sam", {k: {"clear": v, "days": 2} for k, v in scores.items()})


def figures(store: Store) -> dict[tuple[str, str], dict]:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset="letters"
    )
    return {(one["figure"], one["group"]): one for one in table.to_dict("records")}


# -- a study's file --------------------------------------------------------------------------------


def test_a_study_is_kept_by_version_and_the_same_file_again_adds_nothing(store: Store) -> None:
    assert (declare(store).version, declare(store).new) == (1, False)
    assert declare(store, MORE).version == 2
    assert opened(store).declared.form.questions[-1].id == "safe"
    assert [one["about"] for one in audit_log.entries_table(store, viewer=None).to_dict("records")][
        :1
    ] == [f"{NAME} of letters"]


def test_additions_are_free_and_what_would_make_answers_untrue_is_refused(letters: Store) -> None:
    changed = TEXT.replace('text = "Clear?"', 'text = "Is it clear?"')
    declare(letters, changed)
    judge(letters, "Rosa", {f"l{n}": {"clear": 3} for n in range(12)})
    declare(letters, changed + MORE[len(TEXT) :])
    with pytest.raises(InvalidInput, match="'clear' has another wording"):
        declare(letters, MORE)
    assert opened(letters).version == 3
    table = work_behind_commands.make_export_table(
        letters, Settings(), "own-judgments", viewer=None, dataset="letters"
    )
    assert set(table["version"]) == {2}
    assert table["safe"].isna().all()


def test_a_column_of_the_items_cannot_go_but_with_the_items(letters: Store) -> None:
    with pytest.raises(InvalidInput, match="The column 'ward', which the items have, is gone"):
        declare(letters, TEXT.replace('name = "ward"', 'name = "unit"'))


def test_a_setting_of_a_lead_stands_beside_the_file_and_loses_nothing_of_it(letters: Store) -> None:
    lead = raters.find_or_add_rater_by_name(letters, "Lena", role="lead")
    hand_out_settings.change_task_settings(
        letters, NAME, "letters", {"raters_per_item": 3}, by=lead
    )
    assert opened(letters).text == TEXT
    declare(letters, MORE)
    assert (
        hand_out_settings.task_settings_set_by_lead(letters, NAME, "letters")["raters_per_item"]
        == 3
    )
    with pytest.raises(NotAllowed):
        study.store_study_file_version_and_return_it(
            letters, TEXT, name="s", by=raters.find_or_add_rater_by_name(letters, "Rosa")
        )


def test_a_backup_carries_the_study(letters: Store, tmp_path: Path) -> None:
    letters.backup(tmp_path / "copy.duckdb")
    copy = open_store(tmp_path / "copy.duckdb")
    assert opened(copy).text == TEXT
    assert store_check.list_store_faults_in_words(copy, Settings()) == []
    copy.close()


# -- items -----------------------------------------------------------------------------------------


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("table", "name", "said"),
    [
        ("item,ward\nl1,A\n", "i.csv", "letter"),
        ("item,letter\nl1,\n", "i.csv", "expected the letter, and the cell is empty"),
        ("item,letter\n,Text\n", "i.csv", "line 2, column 'item'"),
        ("item,letter\nl1,a\nl2,b\nl1,c\n", "i.csv", "line 4, column 'item': expected a name not"),
        (
            "item,letter,visit\nl1,a,hello\n",
            "i.csv",
            "column 'visit': expected a JSON list of turns",
        ),
        ('{"item":"l1","letter":"a","visit":[{"role":"x"}]}', "i.jsonl", "a JSON list of turns"),
        ('{"item":["l1"],"letter":"a"}', "i.jsonl", "column 'item': expected a name"),
        ("item,letter\nl1," + "a" * 1_000_000 + "\n", "i.csv", "at most 99,999 characters"),
    ],
    ids=lambda one: one[:30],
)
def test_items_that_the_study_cannot_show_are_refused_by_line(
    store: Store, table: str, name: str, said: str
) -> None:
    declare(store)
    with pytest.raises(BadFile) as refused:
        add(store, table, name)
    assert said in refused.value.message
    assert items.datasets_of_study(store, "own") == []


def test_items_of_no_study_are_refused_with_the_way_to_one(store: Store) -> None:
    with pytest.raises(InvalidInput, match="study add STUDY"):
        add(store)


def test_items_are_listed_by_what_is_read_in_them(letters: Store) -> None:
    words = {kind: one.words for kind, one in registry.STUDIES["own"].listed.items()}
    listed = items.table_of_items_on_one_page(letters, "own", "letters", words)
    assert len(listed) > 2
    assert not listed["text"].str.contains("[{}]").any()
    body = items.item_body(letters, listed["item_id"][0])
    assert listed["text"][0].startswith(str(next(iter(body.values())))[:20])


def test_the_declared_columns_are_the_item_and_further_ones_are_kept_beside(store: Store) -> None:
    declare(store)
    talk = [{"role": "doctor", "content": "Hello"}]
    rows = pd.DataFrame(
        [{"item": "l1", "letter": "Text", "visit": json.dumps(talk), "ward": "A", "secret": "x"}]
    )
    out = io.BytesIO()
    write_table(rows, out, format="parquet")
    assert add(store, out.getvalue(), "i.parquet") == "Imported 1 item into 'letters'."
    [item] = items.item_ids_by_name(store, "own", "letters", ["l1"]).values()
    assert items.item_body(store, item) == {"letter": "Text", "visit": talk, "ward": "A"}
    shown = opened(store).task.load_texts_by_heading_of_item(store, item)
    assert shown == {"Visit": "doctor: Hello", "Letter": "Text"}
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-items", viewer=None, dataset="letters"
    )
    again = io.BytesIO()
    write_table(table, again, format="jsonl")
    assert "1 was there already" in add(store, again.getvalue(), "i.jsonl")
    beside = work_behind_commands.make_export_table(
        store, Settings(), "annotated", viewer=None, study="own", dataset="letters"
    )
    assert list(beside["secret"]) == ["x"]


def test_a_column_called_item_that_names_no_items_is_annotated_beside_the_one_that_does(
    store: Store,
) -> None:
    declare(store, TEXT.replace("title =", 'item = "nr"\ntitle =', 1).replace('"ward"', '"item"'))
    add(store, ITEMS.replace("item,letter,ward", "nr,letter,item"))
    beside = work_behind_commands.make_export_table(
        store, Settings(), "annotated", viewer=None, study="own", dataset="letters"
    )
    assert beside[["item", "nr", "item_", "letter"]].values.tolist()[:2] == [
        ["l0", "l0", "A", "Letter 0."],
        ["l1", "l1", "B", "Letter 1."],
    ]


def test_a_table_is_known_by_the_columns_that_a_study_needs(letters: Store) -> None:
    assert study.find_study_name_by_columns(letters, ["Item", " LETTER", "age"]) == "letters"
    assert study.find_study_name_by_columns(letters, ["letter", "ward"]) == ""


# -- judgments and what comes of them --------------------------------------------------------------


def test_judgments_come_out_and_go_into_another_store_as_they_were(
    letters: Store, tmp_path: Path
) -> None:
    judged(letters)
    table = work_behind_commands.make_export_table(
        letters, Settings(), "own-judgments", viewer=None, dataset="letters"
    )
    assert len(table) == 24
    out = io.BytesIO()
    write_table(table, out, format="csv")
    other = open_store(tmp_path / "other.duckdb")
    declare(other)
    add(other)
    work_behind_commands.import_file(
        other, Settings(), "own-judgments", out.getvalue(), name="j.csv", dataset="letters"
    )
    assert str(figures(other)) == str(figures(letters))
    other.close()


def test_what_cannot_be_answered_so_is_not_saved(letters: Store) -> None:
    with pytest.raises(InvalidInput, match="1 to 5"):
        judge(letters, "Rosa", {f"l{n}": {"clear": 7} for n in range(12)})
    with pytest.raises(InvalidInput, match="please answer this question"):
        judge(letters, "Rosa", {f"l{n}": {} for n in range(12)})


def test_figures_say_how_often_each_answer_was_given_with_items_as_their_units(
    letters: Store,
) -> None:
    judged(letters)
    found = figures(letters)
    # 12 items scored 1, 2, 3, 4, 5, 1, …: three of them 1, and both people say so.
    one = found["share_clear", "1"]
    assert (one["numerator"], one["denominator"], one["n"]) == (6, 24, 24)
    assert one["method"] == "share; Wilson over items"
    alone = found["items_clear", "1"]
    assert (alone["numerator"], alone["denominator"], alone["method"]) == (3, 12, "Wilson with t")
    # Ward A has the even items 0, 2, …, 10: scores 1, 3, 5, 2, 4, 1 twice each.
    assert found["mean_clear", "ward: A"]["value"] == pytest.approx(32 / 12)
    assert found["share_clear", "ward: A; 1"]["numerator"] == 4
    # Rosa ticked it on all items, Sam nothing: that is an answer too, and handed in as one.
    ticked = found["share_faults", "Dose"]
    assert (ticked["numerator"], ticked["denominator"]) == (12, 24)
    assert found["percent_faults: Dose", ""]["value"] == 0
    # A number that is left empty is none.
    assert found["mean_days", ""]["n"] == 12
    assert found["mean_days", ""]["value"] == 2
    assert found["alpha_clear", ""]["value"] == 1


@pytest.mark.deep
def test_answers_are_shown_by_any_column_of_the_items_with_many_values_in_bands(
    store: Store,
) -> None:
    declare(store)
    # Neither age nor author is a column of the study: they came with the items. The letters and
    # their authors differ, so that neither makes groups.
    table = "item,letter,ward,age,author\n" + "".join(
        f"l{n},Letter {n}.,{'AB'[n % 2]},{20 + 5 * n},Dr {n}\n" for n in range(13)
    )
    add(store, table)
    judge(store, "Rosa", {f"l{n}": {"clear": 1 + n // 4, "days": n} for n in range(13)})
    data = own_figures.FIGURES.look(store, opened(store), None, {})
    assert (data.figure_split_columns, data.further_split_columns) == (["ward"], ["age"])
    found = figures(store)
    # Ages 20, 25, …, 80 are cut at 40 and 60: four, four and five items, scored 1, 2, and 3 but
    # for the last one, 4.
    told = {group: one for (name, group), one in found.items() if name == "mean_clear"}
    assert [group for group in told if group.startswith("age")] == [
        "age: under 40",
        "age: 40 to 59",
        "age: 60 or more",
    ]
    assert told["age: under 40"]["value"] == 1
    assert told["age: 60 or more"]["value"] == pytest.approx((4 * 3 + 4) / 5)
    one = found["share_clear", "age: 60 or more; 3"]
    assert (one["numerator"], one["denominator"]) == (4, 5)
    assert one["low"] < 0.8 < one["high"]
    assert found["median_days", "age: 40 to 59"]["value"] == 5.5
    # A report has what the study's file asks for, the file of all figures everything.
    told_in = study_report.render_report_file(
        store, Settings(), "own", dataset="letters", form="html"
    ).decode()
    assert "ward: A" in told_in
    assert "age: under 40" not in told_in


RUBRIC = """
[[question]]
id = "quality"
kind = "rubric"
text = "Does it meet it?"
criteria = [
  { id = "dose", text = "Names the dose", points = 4, tags = ["drugs"] },
  { id = "wrong", text = "Names a drug that was stopped", points = -6, tags = ["drugs", "harm"] },
]
"""


@pytest.mark.deep
def test_a_rubric_has_its_share_of_points_by_tag_and_agreement_on_each_criterion(
    store: Store,
) -> None:
    declare(store, TEXT + RUBRIC)
    add(store)

    def says(wrong: str) -> dict[str, str | int]:
        return {"clear": 1, "quality_dose": "met", "quality_wrong": wrong}

    # The items of ward A are the even ones; there Rosa finds the fault, Sam never does.
    rosa = {f"l{n}": says("not met" if n % 2 else "met") for n in range(12)}
    judge(store, "Rosa", rosa)
    judge(store, "Sam", {f"l{n}": says("not met") for n in range(12)})
    found = figures(store)
    # Six answers of 24 get (4 - 6) / 4 = -0.5, the others 1.
    assert found["points_quality", ""]["value"] == pytest.approx((18 - 3) / 24)
    assert found["points_quality", "drugs"]["value"] == pytest.approx((18 - 3) / 24)
    assert found["points_quality", "ward: A"]["value"] == pytest.approx((6 - 3) / 12)
    assert found["points_quality", "ward: B"]["value"] == 1
    assert found["points_quality", ""]["method"].endswith("over items; clipped to 0 to 1")
    assert "brings points" in found["points_quality", "harm"]["method"]
    assert found["share_quality_wrong", "met"]["numerator"] == 6
    assert found["percent_quality_dose", ""]["value"] == 1
    assert found["percent_quality_wrong", ""]["value"] == 0.5
    # All of them in one place at worst: the mean is clipped, not each answer.
    out = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="letters"
    )
    assert sorted(out["quality"].unique()) == [-0.5, 1]


def test_agreement_takes_each_question_at_its_own_level(letters: Store) -> None:
    near = {f"l{n}": {"clear": 1 + n % 5} for n in range(12)}
    judge(letters, "Rosa", near)
    judge(letters, "Sam", {k: {"clear": min(5, v["clear"] + 1)} for k, v in near.items()})
    here = opened(letters)
    said = consensus.current_judgments(letters, here.task, dataset="letters", viewer=None)
    found = compute_agreement_by_variable(here.task, said)
    assert found["clear"].alpha.value is not None
    # Always a step apart: as names they hardly ever agree, as an order they are near.
    assert found["clear"].alpha.value > 0.5
    assert found["clear"].fleiss.value is not None
    assert found["clear"].fleiss.value < 0.1
    assert not found["days"].alpha.has_value


def test_a_store_with_own_studies_is_sound_and_one_without_judgments_has_no_figures(
    letters: Store,
) -> None:
    assert store_check.list_store_faults_in_words(letters, Settings()) == []
    assert figures(letters)["share_clear", "1"]["method"].startswith("undefined")


# -- the command line ------------------------------------------------------------------------------


def test_a_template_is_a_running_study_in_two_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    assert cli.main(["study", "templates"]) == 0
    listed = capsys.readouterr().out
    for name in study_file.load_templates_by_name():
        assert name in listed
        file = tmp_path / f"{name}.toml"
        assert cli.main(["study", "new", name, "-o", str(file), "--demo"]) == 0
        # Its items are made up, and marked so. All templates' are imported in test_own_outward.
        assert all(pd.read_csv(tmp_path / f"{name}-items.csv")["illustrative"]), name
    for name in ("quest", "healthbench"):
        file, beside = tmp_path / f"{name}.toml", str(tmp_path / f"{name}-items.csv")
        assert cli.main(["study", "check", str(file)]) == 0
        assert cli.main(["study", "add", str(file), "--items", beside]) == 0
        assert f"into '{name}'" in capsys.readouterr().out
    assert cli.main(["study", "new", "quest", "-o", str(tmp_path / "quest.toml")]) == 1
    (tmp_path / "quest.toml").write_text("titel = 1\n")
    assert cli.main(["study", "add", str(tmp_path / "quest.toml")]) == 1
    assert "quest.toml, line 1, column 'titel'" in capsys.readouterr().err
    assert cli.main(["round", "list"]) == 0
    assert f"{NAME} on quest: open to everyone" in capsys.readouterr().out


@pytest.mark.deep
def test_a_table_becomes_a_study_on_the_command_line_and_changes_none_that_exists_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    table, made = tmp_path / "rewrite.csv", tmp_path / "made.toml"
    words = "asks when to walk again after the operation"

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        done = cli.main(["study", *map(str, arguments)])
        return (done, *capsys.readouterr())

    def write_rows(*numbers: int, words: str = words) -> None:
        rows = [f"{n},-,Patient {n} {words}\n" for n in numbers]
        table.write_text("nr,age,message\n" + "".join(rows))

    def names() -> list[str]:
        store = open_store(tmp_path / "s.duckdb")
        found = [name for name, _, _ in queries.list_names_and_columns_of_items(store, "rewrite")]
        store.close()
        return found

    write_rows(1, 2)
    done, said, _ = run("look", table)
    assert done == 0
    assert "Read as empty cells: “-” (2)." in said
    assert "2 items." in said
    assert not (tmp_path / "s.duckdb").exists()
    assert run("from-table", table)[0] == 1
    assert run("from-table", table, "-o", made)[0] == 0
    assert 'missing = ["-"]' in made.read_text()
    assert run("from-table", table, "-o", made)[0] == 1
    done, said, _ = run("from-table", table, "--add")
    assert "into 'rewrite'" in said
    assert names() == ["1", "2"]

    write_rows(2, 11)
    for command in (("from-table", table, "--add"), ("add", made, "--items", table)):
        done, _, refused = run(*command)
        assert done == 1
        assert "There is a study 'rewrite' already (Rewrite, 2 items). Nothing was changed." in (
            refused
        )
        assert "--more-items" in refused
        assert "--new-version" in refused
    made.write_text(made.read_text().replace("title = ", "thing = 'message'\ntitle = ", 1))
    assert run("add", made)[0] == 1
    assert names() == ["1", "2"]
    assert run("from-table", table, "--add", "--more-items")[0] == 0
    assert names() == ["1", "2", "11"]
    write_rows(2, words="asks something else this time at more length")
    assert run("from-table", table, "--add", "--more-items")[0] == 1
    assert names() == ["1", "2", "11"]
    assert "saved as version 2" in run("add", made, "--new-version")[1]
    assert run("from-table", table, "--add", "--title", "Others")[0] == 0
    assert run("from-table", table, "--add", "--title", "None there", "--more-items")[0] == 1
    write_rows(5, words="asks what GPT-4o has said about it at some length")
    done, said, refused = run("from-table", table, "--add", "--title", "Unblind")
    assert (done, "“message”, row 1" in said, "--unblinded" in refused) == (1, True, True)
    assert run("from-table", table, "--add", "--title", "Masked", "--mask")[0] == 0
    assert run("from-table", table, "--add", "--title", "Unblind", "--unblinded")[0] == 0


def test_who_wrote_which_is_not_left_in_the_headings_without_a_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    table = tmp_path / "inbox.csv"
    rows = (
        f"Is it safe to take two of these on day {n}?,Take only one of them on day {n} and rest,"
        f"Please take one on day {n} and call me tomorrow"
        for n in range(4)
    )
    table.write_text("\n".join(["Message,AI Draft,Clinician Reply Sent", *rows]))

    def run(*more: str) -> tuple[int, str]:
        done = cli.main(["study", "from-table", str(table), "--add", *more])
        said = capsys.readouterr()
        return done, said.out + said.err

    done, said = run()
    assert done == 1
    assert "“AI Draft” and “Clinician Reply Sent” are shown as headings" in said
    assert "--answer-of" in said.partition("Not added")[2]
    # Bars stand in place of names in texts: these are headings.
    assert run("--mask")[0] == 1
    of = ("--answer-of", "AI Draft=AI", "--answer-of", "Clinician Reply Sent=Clinician")
    done, said = run(*of)
    assert (done, "4 items of 2 models: AI, Clinician." in said) == (0, True)
    assert run("--title", "Told", "--unblinded")[0] == 0


@pytest.mark.parametrize(
    ("heading", "models", "last"),
    [
        ("model", ("GPT-4o", "Llama"), "3 items with 2 answers each, by position: 1, 2."),
        ("seed", ("7", "8"), "3 items of 2 models: 1, 2."),
    ],
)
def test_answers_by_position_are_not_counted_as_models_on_the_command_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    heading: str,
    models: tuple[str, str],
    last: str,
) -> None:
    table = tmp_path / "pairs.csv"
    rows = [
        f"What helps against cough {at} of a week?;Rest and drink enough for {at} days;"
        f"Take honey and come back after {at} days;{models[at % 2]};{models[1 - at % 2]}"
        for at in range(3)
    ]
    headings = f"prompt;output_1;output_2;{heading}_1;{heading}_2"
    table.write_text("\n".join([headings, *rows]))
    assert cli.main(["study", "look", str(table)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == last


def test_two_models_in_two_files_are_compared_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    files = []
    for model, first in (("gpt4", 0), ("llama", 1)):
        rows = [
            f"{at};What helps against cough {at} of a week?;Rest and drink enough, {model[-1]} {at}"
            for at in range(first, first + 4)
        ]
        files.append(tmp_path / f"answers_{model}.csv")
        files[-1].write_text("\n".join(["Title of the table", "", "id;question;answer", *rows]))
    made = tmp_path / "made.toml"

    def run(*arguments: str | Path) -> str:
        assert cli.main(["study", *map(str, arguments)]) == 0
        return capsys.readouterr().out

    told = run("look", *files)
    assert (
        "joined into one table: 3 cases, matched by “question”, with the answers of gpt4 and llama"
        in told
    )
    assert "answers_llama.csv: 1 case of it is not in every file and is left out" in told
    assert "answers_gpt4.csv: the line above the header is left out" in told
    assert "3 items of 2 models: gpt4, llama." in told
    assert "made-items.jsonl" in run("from-table", *files, "-o", made)
    assert "Imported 3 items" in run("from-table", *files, "--add")
    again = run("add", made, "--items", tmp_path / "made-items.jsonl", "--new-version")
    assert "3 were there already" in again
    store = open_store(tmp_path / "s.duckdb")
    assert [name for name, _, _ in queries.list_names_and_columns_of_items(store, "answers")] == [
        "1",
        "2",
        "3",
    ]
    store.close()


@pytest.mark.deep
def test_a_log_of_a_second_model_is_told_to_be_a_comparison_and_options_are_the_commands_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    replies = {
        "gpt-x": "Rest, drink plenty of water and see a doctor if the fever stays for three days.",
        "llama-y": "Take paracetamol every six hours and call us when it does not get better soon.",
    }
    for model, reply in replies.items():
        rows = [
            {"nr": at, "model": model, "question": f"Why do I cough at {at}?", "answer": reply}
            for at in ("night", "noon", "dawn")
        ]
        (tmp_path / f"{model}.jsonl").write_text("".join(json.dumps(o) + "\n" for o in rows))

    def run(model: str, *arguments: str) -> tuple[int, str, str]:
        table = str(tmp_path / f"{model}.jsonl")
        done = cli.main(["study", "from-table", table, "--add", "--title", "Logs", *arguments])
        return (done, *capsys.readouterr())

    def models() -> set[str]:
        with closing(open_store(tmp_path / "s.duckdb")) as store:
            return {
                body["model"]
                for _, _, body in queries.list_names_and_columns_of_items(store, "logs")
            }

    assert run("gpt-x")[0] == 0
    for how in ("--more-items", "--new-version"):
        done, _, refused = run("llama-y", how)
        assert done == 1
        assert "3 items of this file are in the dataset 'logs' with other contents" in refused
        assert "Give all files together to study from-table, with another --title" in refused
        assert "import …" not in refused
    assert run("llama-y", "--more-items", "--changed", "leave")[0] == 0
    assert models() == {"gpt-x"}
    done, _, refused = run("llama-y", "--more-items", "--changed", "meaning")
    assert (done, "A reason is missing" in refused) == (1, True)
    assert run("llama-y", "--more-items", "--changed", "meaning", "--reason", "Redone.")[0] == 0
    assert models() == {"llama-y"}
    # What the hint says holds: both files together, and one table of both, are a comparison.
    both = [(tmp_path / f"{model}.jsonl").read_text() for model in replies]
    (tmp_path / "both.jsonl").write_text("".join(both))
    for title, files in (("Both", list(replies)), ("All", ["both"])):
        named = [str(tmp_path / f"{name}.jsonl") for name in files]
        assert cli.main(["study", "from-table", *named, "--add", "--title", title]) == 0
        assert "3 items of 2 models: gpt-x, llama-y." in capsys.readouterr().out


_OF_TWO_MODELS = """nr,question,answer,model
1,May I be vaccinated with a fever of 39?,Wait until the fever has gone.,llama-y
1,May I be vaccinated with a fever of 39?,A fever is no reason to wait at all.,gpt-x
2,How long does a hepatitis B vaccine last?,For decades in most people.,llama-y
2,How long does a hepatitis B vaccine last?,Five years and then all three again.,gpt-x
"""
_OF_A_THIRD = """nr,question,answer,model
1,May I be vaccinated with a fever of 39?,With a high fever it is better to wait.,mistral-z
2,How long does a hepatitis B vaccine last?,It often lasts for a lifetime.,mistral-z
"""


@pytest.mark.deep
def test_a_third_models_answers_change_no_comparison_and_what_is_advised_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    two, third = tmp_path / "vaccines.csv", tmp_path / "vaccines_mistral.csv"
    two.write_text(_OF_TWO_MODELS)
    third.write_text(_OF_A_THIRD)

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        done = cli.main(["study", "from-table", *map(str, arguments), "--add"])
        return (done, *capsys.readouterr())

    assert run(two)[0] == 0
    for how in ("--more-items", "--new-version"):
        done, said, refused = run(third, "--title", "Vaccines", how)
        assert (done, "saved as version 2" in said) == (1, False)
        assert "The models that a study compares are fixed once it has items." in refused
        assert "all files given together (to study from-table with another --title" in refused
    with closing(open_store(tmp_path / "s.duckdb")) as store:
        kept = open_study(store, Settings(), "vaccines")
        assert (kept.version, kept.declared.arms is None) == (1, False)
    assert "2 were there already" in run(two, "--more-items")[1]
    done, said, _ = run(two, third, "--title", "All three")
    assert (done, "2 items of 3 models: llama-y, gpt-x, mistral-z." in said) == (0, True)


@pytest.mark.deep
def test_a_new_version_whose_items_are_refused_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    table = tmp_path / "notes.csv"

    def run(answer: str, *arguments: str) -> tuple[int, str, str]:
        rows = [f"{n},What helps against cough {n} of a week?,{answer} {n}" for n in (1, 2)]
        table.write_text("\n".join(["nr,question,answer", *rows]))
        done = cli.main(["study", "from-table", str(table), "--add", *arguments])
        return (done, *capsys.readouterr())

    def version() -> int:
        with closing(open_store(tmp_path / "s.duckdb")) as store:
            return open_study(store, Settings(), "notes").version

    assert run("Rest and drink enough water")[0] == 0
    other = ("--new-version", "--identifiers", "replace")
    done, said, refused = run("Take a spoon of honey", *other)
    assert (done, "with other contents" in refused, "saved as" in said) == (1, True, False)
    assert version() == 1
    done, said, _ = run("Take a spoon of honey", *other, "--changed", "typing", "--reason", "New.")
    assert (done, "saved as version 2" in said) == (0, True)
    assert version() == 2


def test_the_page_saves_a_study_and_its_items_together_or_neither(store: Store) -> None:
    lead = raters.find_or_add_rater_by_name(store, "Lea", role="lead")

    def add_study(text: str, letter: str, seen: int) -> None:
        table = f"item,letter,ward\nl1,{letter},A\n".encode()
        done = work_behind_commands.add_study_with_files_and_return_outcomes(
            *(store, Settings(), text, {"own-items": (table, "letters.csv", {})}),
            by=lead,
            seen=seen,
            skip_bad=False,
        )
        assert done is not None

    add_study(TEXT, "Take two daily.", 0)
    with pytest.raises(InvalidInput, match="with other contents"):
        add_study(MORE, "Take three daily.", 1)
    assert (opened(store).version, opened(store).text) == (1, TEXT)
    add_study(MORE, "Take two daily.", 1)
    assert (opened(store).version, opened(store).text) == (2, MORE)


def test_nested_cells_whose_parts_a_study_has_are_not_told_to_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    table, made = tmp_path / "nested.jsonl", tmp_path / "made.toml"
    said = "should be given when the fever does not go down?"
    rows = [{"question": f"{at}: what {said}", "opts": {"A": "Rest", "B": "Ice"}} for at in "ab"]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli.main(["study", "from-table", str(table), "--add", "-o", str(made)]) == 0
    assert 'name = "opts.A"' in made.read_text()
    assert "Further columns" not in capsys.readouterr().out


def test_a_table_is_read_in_the_encoding_that_a_person_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    table, made = tmp_path / "mac.csv", tmp_path / "made.toml"
    said = "drückt es auf der Brust beim Treppensteigen und Gehen?"
    table.write_bytes(f"nr,frage\n1,Wie lange {said}\n2,Seit wann {said}\n".encode("mac_roman"))

    def run(*arguments: str | Path) -> tuple[int, str]:
        done = cli.main(["study", *map(str, arguments)])
        return done, capsys.readouterr().out

    def texts(dataset: str) -> list[str]:
        store = open_store(tmp_path / "s.duckdb")
        found = [
            str(body["frage"])
            for _, _, body in queries.list_names_and_columns_of_items(store, dataset)
        ]
        store.close()
        return found

    mac = ("--encoding", "mac_roman")
    done, told = run("from-table", table, "-o", made, *mac)
    assert (done, "UTF-8" in told) == (0, False)
    assert "--encoding mac_roman" in told
    assert run("from-table", table, "--add", *mac)[0] == 0
    assert texts("mac") == [f"Wie lange {said}", f"Seit wann {said}"]
    made.write_text(made.read_text().replace('id = "mac"', 'id = "again"'))
    assert run("add", made, "--items", table, *mac)[0] == 0
    assert texts("again") == texts("mac")
    assert "not in UTF-8" in run("look", table)[1]
    assert cli.main(["study", "look", str(table), "--encoding", "nonsense"]) == 1


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--answer-of", "a=GPT-4o", "--answer-of", "b=Llama"], "2 items of 2 models: GPT-4o, Ll"),
        (["--answer-of", "a=GPT-4o"], "Only one column has a model's answers"),
        (["--answer-of", "z=GPT-4o", "--answer-of", "b=L"], "There is no column 'z'"),
        (["--answer-of", "a"], "names no column and model"),
        (["--template", "nonsense"], "There is no template 'nonsense'"),
        (["--template", "quest"], "2 items."),
    ],
)
def test_the_columns_with_models_answers_can_be_named_when_a_table_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    table = tmp_path / "t.csv"
    long = "They should come in today because of the neck"
    table.write_text(f"nr,a,b\n1,{long},{long} now\n2,{long} too,{long} not\n")
    cli.main(["study", "look", str(table), *given])
    told = capsys.readouterr()
    assert said in told.out + told.err


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.csv", "item,answer,answer\n1,a,b\n", "2 columns of this file are called 'answer'"),
        ("t.csv", "item,answer\n", "has no rows"),
        ("t.csv", "gold,score\n,\nNA,-\n", "Nothing in this table could be shown"),
        ("t.jsonl", '{"a": 1\n', "No row of this file can be read"),
    ],
)
def test_a_table_that_cannot_become_a_study_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, said: str
) -> None:
    (tmp_path / name).write_text(content)
    assert cli.main(["study", "look", str(tmp_path / name)]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("t.csv", ["--header", "3"], "has nothing from line 3 on"),
        ("t.csv", ["--sheet", "Answers"], "is not a workbook, so it has no sheet 'Answers'"),
        ("t.jsonl", ["--header", "1"], "The row of the headings cannot be chosen"),
    ],
)
def test_a_sheet_or_a_row_of_headings_that_is_not_there_is_never_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, given: list[str], said: str
) -> None:
    content = '{"item": 1, "text": "a"}\n' if name.endswith("l") else "item,text\n1,a\n"
    (tmp_path / name).write_text(content)
    assert cli.main(["study", "look", str(tmp_path / name), *given]) == 1
    assert said in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["study", "look", str(tmp_path / name), "--header", "0"])
    assert "rows are counted from 1" in capsys.readouterr().err


@pytest.mark.deep
def test_a_study_whose_items_are_refused_is_not_added_and_says_which_questions_are_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    file, rows = tmp_path / "s.toml", tmp_path / "rows.csv"
    file.write_text(TEXT.replace('text = "Faults?"', 'text = "Clear?"'))
    rows.write_text("item,letter\nl1,One.\nl2,\n")
    assert cli.main(["study", "add", str(file), "--items", str(rows)]) == 1
    assert "rows.csv, line 3, column 'letter'" in capsys.readouterr().err
    store = open_store(tmp_path / "s.duckdb")
    assert opened(store).text == ""
    store.close()
    assert cli.main(["study", "add", str(file), "--items", str(rows), "--skip-bad"]) == 0
    said = capsys.readouterr().out
    assert "clear, faults: these questions are worded alike" in said
    assert "1 row refused" in said


def test_the_app_that_holds_the_store_takes_a_study_from_the_command_line(store: Store) -> None:
    done = work_behind_commands.run_inbox_job_and_return_result_as_dict(
        store, Settings(), {"verb": "study", "text": TEXT, "name": "s.toml"}, Path()
    )
    assert done["line"] == "Discharge letters (letters) was saved as version 1."


@pytest.mark.deep
def test_items_go_out_annotated_with_medians_of_scales_alone(letters: Store) -> None:
    judged(letters)
    table = work_behind_commands.make_export_table(
        letters, Settings(), "annotated", viewer=None, study="own", dataset="letters"
    )
    named = {name.split(" / ", 1)[1] for name in table if name.startswith(NAME)}
    assert {"median / clear", "median / days", "rater Rosa / faults"} <= named
    assert "median / faults: Dose" not in named
    assert list(table["letter"][:2]) == ["Letter 0.", "Letter 1."]


@pytest.mark.deep
def test_items_without_a_majority_are_counted_where_each_item_has_one_answer(
    letters: Store,
) -> None:
    judge(letters, "Rosa", {f"l{n}": {"clear": 1} for n in range(12)})
    judge(letters, "Sam", {f"l{n}": {"clear": 1 if n else 4} for n in range(12)})
    data = own_figures.load_figure_data(letters, opened(letters), None, {})
    clear = next(one for one in data.study_declaration.counted_questions if one.id == "clear")
    days = next(one for one in data.study_declaration.counted_questions if one.id == "days")
    # Nobody answered days: no majority is missing there.
    assert [
        own_figures.count_undecided_items(one, data.table_of_consensus_answers)
        for one in (clear, days)
    ] == [1, 0]


@pytest.mark.deep
def test_a_chart_of_a_scale_says_what_its_ends_mean(letters: Store) -> None:
    judged(letters)
    data = own_figures.load_figure_data(letters, opened(letters), None, {})
    for rest in ("", "items"):
        [chart] = own_figures._answers_chart(data, "clear", {"rest": rest})
        assert isinstance(chart.drawing, Rows)
        named = [one.name for one in chart.drawing.rows]
        assert named[:5] == ["1 · no", "2", "3", "4", "5 · yes"]


def test_what_advice_did_is_one_sentence_until_somebody_has_seen_it(store: Store) -> None:
    file = study_file.path_of_template("advice")
    declare(store, study_file.read_study_file_text_and_declaration(file)[0])
    data = own_figures.load_figure_data(store, open_study(store, Settings(), "advice"), None, {})
    [chart] = own_figures._advice_chart(data, "triage", "")
    assert chart.n == "Nobody has kept or changed an answer after seeing the advice yet."
    assert not chart.undefined


@pytest.mark.deep
def test_an_own_study_has_a_report_of_its_questions(letters: Store) -> None:
    judged(letters)
    page = study_report.render_report_file(
        letters, Settings(), "own", dataset="letters", form="html"
    ).decode()
    assert "<title>Report: Discharge letters</title>" in page
    assert "Dataset letters." in page
    # Questions and agreement stand in the questions' wording, the sections in one row of numbers.
    assert "Faults?: Dose" in page
    numbers = [int(one) for one in re.findall(r"<h2[^>]*>(\d+)\. ", page)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 8
    # So do figures; a file of figures has their names.
    assert "Share of answers: Faults?" in page
    assert "Share faults" not in page
    # The checklist follows them.
    assert "7. Models and runs" in page
    assert "Section 7: no run made them" in page
    assert "Section 8, for judgments made in MedLens" in page
    assert re.search(r"judged by people</t[hd]><td[^>]*>12 \(12 by 2\)</td>", page)
    assert "Discharge letters" in page
    assert "24 of the judgments were made in MedLens. There each rater judged alone" in page


def test_advice_that_is_no_answer_to_its_question_is_refused_by_line(store: Store) -> None:
    file = study_file.path_of_template("advice")
    text = study_file.read_study_file_text_and_declaration(file)[0]
    study.store_study_file_version_and_return_it(store, text, name=file.name, by=None)
    rows = file.with_suffix(".csv").read_text().replace("Emergency now,Sudden", "At once,Sudden")
    with pytest.raises(BadFile) as caught:
        work_behind_commands.import_file(
            *(store, Settings(), "own-items", io.BytesIO(rows.encode())),
            name="a.csv",
            dataset="advice",
        )
    [bad] = caught.value.rows
    assert (bad.line, bad.column, bad.got) == (2, "model_triage", "At once")
    assert bad.expected.startswith("one of Emergency now, See a doctor today")


def test_studies_go_by_their_titles_and_by_their_names_too_where_two_have_one(
    store: Store,
) -> None:
    for name in ("first", "second", "third"):
        title = "Letters" if name != "third" else "Notes"
        declare(
            store, TEXT.replace('"letters"', f'"{name}"', 1).replace("Discharge letters", title)
        )
    assert study.distinct_titles_by_study(store, ["first", "second", "third"]) == {
        "first": "Letters (first)",
        "second": "Letters (second)",
        "third": "Notes",
    }


def test_rows_without_names_are_numbered_and_known_again(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    talks = [[{"role": "user", "content": said}] for said in ("My knee.", "My hip.", "My toe.")]
    rows = [{"messages": talk} for talk in talks]
    text = make_study_file_text("Chats", list_guessed_roles_of_columns(rows), rows)
    work_behind_commands.declare_study_and_return_report_text(store, text, "chats.toml")

    def put(some: list[dict[str, Any]]) -> Any:
        file.write_text("".join(json.dumps(row) + "\n" for row in some), encoding="utf-8")
        return work_behind_commands.import_file(
            store, Settings(), "own-items", file, name=file.name, dataset="chats"
        )

    assert put(rows[:2]).added == 2
    # A log that has grown adds what is new.
    again = put(rows)
    assert (again.added, again.known) == (1, 2)
    found = items.item_ids_by_name(store, "own", "chats", ["1", "2", "3"])
    bodies = [items.item_body(store, found[name])["messages"] for name in ("1", "2", "3")]
    assert bodies == talks


@pytest.mark.parametrize("of_models", [False, True], ids=["a row each", "a row per model"])
def test_a_further_column_is_kept_with_items_that_have_no_names(
    store: Store, tmp_path: Path, of_models: bool
) -> None:
    rows = [
        {
            "question": f"What helps against pain number {at} in the head?",
            "model": model,
            "answer": f"{model} says: rest and drink water for {at} days, then see a doctor.",
        }
        for at in range(1, 4)
        for model in ("north", "south")[: 1 + of_models]
    ]
    text = make_study_file_text("Pain", list_guessed_roles_of_columns(rows), rows)
    work_behind_commands.declare_study_and_return_report_text(store, text, "pain.toml")
    later = [{"Item ": "", **row, "ward": f"Ward {row['question'].split()[5]}"} for row in rows]
    file = tmp_path / "later.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in later), encoding="utf-8")
    done = work_behind_commands.import_file(
        store, Settings(), "own-items", file, name=file.name, dataset="pain"
    )
    assert "Further columns kept with the items: ward." in done.notes
    kept = further_columns_of_imported_items.further_columns_by_item(store, "own", "pain")
    ids = items.item_ids_by_name(store, "own", "pain", ["1", "2", "3"])
    assert [kept[ids[name]]["ward"] for name in ids] == ["Ward 1", "Ward 2", "Ward 3"]


def test_a_round_of_an_own_study_is_offered_by_the_studys_title(store: Store) -> None:
    declare(
        store,
        study_file.read_study_file_text_and_declaration(study_file.path_of_template("quest"))[0],
    )
    items = study_file.path_of_template("quest").with_suffix(".csv")
    work_behind_commands.import_file(
        store, Settings(), "own-items", items, name=items.name, dataset="quest"
    )
    offered = accept_invitation.round_titles_by_task_and_dataset(store, Settings())
    assert offered[NAME, "quest"] == "Answers by the dimensions of QUEST"


# -- a tolerance -----------------------------------------------------------------------------------

NEAR = TEXT.replace('kind = "scale"\n', 'kind = "scale"\ntolerance = 1\n')


def test_scores_within_the_tolerance_are_no_disagreement_and_their_median_counts(
    store: Store,
) -> None:
    declare(store, NEAR)
    add(store)
    scores = {"Rosa": (2, 2, 5), "Sam": (3, 4, 5)}
    rows = [
        f"l{at},{who},{score}" for who, given in scores.items() for at, score in enumerate(given)
    ]
    table = "\n".join(["item,rater,clear", *rows, "l2,Ada,1"])
    work_behind_commands.import_file(
        store, Settings(), "own-judgments", table.encode(), name="j.csv", dataset="letters"
    )
    here = opened(store)
    judged_here = consensus.current_judgments(store, here.task, dataset="letters", viewer=None)
    # 2 and 3 are near enough; 2 and 4 are not; of 5, 5 and 1 two of three pairs are far apart.
    differ = consensus.disagreements_table(here.task, judged_here)
    assert differ[["item", "variables"]].values.tolist() == [["l1", ("clear",)], ["l2", ("clear",)]]
    assert differ["divided"].tolist() == pytest.approx([1, 2 / 3])
    majority = consensus.consensus_table(store, here.task, dataset="letters", viewer=None)
    scored = majority[majority["variable"] == "clear"].set_index("item")
    assert scored["answer"].dropna().to_dict() == {"l0": 2.5, "l2": 5}
    # 3 lies one point from each of 2 and 4, but they are divided: until a lead decides, no answer
    # counts anywhere.
    assert scored["votes"].to_dict() == {"l0": 2, "l1": 1, "l2": 2}
    counted = {row["n"] for (name, _), row in figures(store).items() if name == "items_clear"}
    assert counted == {2}
    # Rosa and Sam: of 2 and 3, 2 and 4, 5 and 5 two pairs are near enough.
    names, pairs = list_raters_and_pairwise_agreement(here.task, judged_here, "clear")
    assert names == ["Ada", "Rosa", "Sam"]
    both = next(pair for pair in pairs if pair.first == "Rosa")
    [second] = judged_here.loc[judged_here["item"] == "l1", "item_id"].unique()
    assert (both.same.numerator, both.same.n, both.apart) == (2, 3, (second,))
    assert both.same.method.endswith("; the same within 1 point")
    # By items 1, 0 and 1 of 3 pairs.
    together = compute_agreement_by_variable(here.task, judged_here)["clear"].percent
    assert together.value == pytest.approx((1 + 0 + 1 / 3) / 3)
    assert together.method.startswith("percent agreement within 1 point")
    work = table_comparing_raters_with_others(here.task, judged_here)
    # Rosa's other raters say the same in 1 of 1, 0 of 1 and 1 of 2; Ada's in 0 of 2.
    of_name = dict(zip(judged_here["rater"], judged_here["rater_id"], strict=True))
    assert work.loc[of_name["Rosa"], "same"] == pytest.approx((1 + 0 + 1 / 2) / 3)
    assert work.loc[of_name["Ada"], "same"] == 0


@pytest.mark.parametrize("tolerance", ["-1", "0.5", "4", '"one"'])
def test_a_tolerance_that_is_no_part_of_the_scale_is_refused_by_line(tolerance: str) -> None:
    text = NEAR.replace("tolerance = 1", f"tolerance = {tolerance}")
    with pytest.raises(BadFile, match="tolerance"):
        study_file.parse_study_file(text)


@pytest.mark.deep
def test_a_tolerance_can_be_set_after_somebody_has_answered(letters: Store) -> None:
    judged(letters)
    assert declare(letters, NEAR).new


def test_a_table_that_may_identify_patients_is_added_only_once_a_lead_has_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    rest = "should rest and drink water for as long as the cough lasts"
    table = tmp_path / "notes.csv"
    table.write_text(f"nr,answer,ward\n1,Mr Thompson {rest},7\n2,Nobody {rest},Call 07700 900123\n")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        done = cli.main(["study", *map(str, arguments)])
        return (done, *capsys.readouterr())

    done, said, _ = run("look", table)
    assert done == 0
    assert "“answer”, row 1: 1 name, such as “Mr Thompson”." in said
    assert "“ward”, row 2: 1 telephone number, such as “07700 900123”." in said
    done, _, refused = run("from-table", table, "--add")
    assert done == 1
    assert "--identifiers replace, leave-out or keep" in refused
    done, said, _ = run("from-table", table, "--add", "--identifiers", "replace")
    assert done == 0
    assert "2 places that may identify a patient were replaced." in said
    with closing(open_store(tmp_path / "s.duckdb")) as store:
        assert "Thompson" not in str(queries.list_names_and_columns_of_items(store, "notes"))

    # Further columns of a later file are kept as the study's file says, too.
    more = tmp_path / "more.csv"
    more.write_text(f"nr,answer,ward,contact\n3,Anybody {rest},8,Call 07700 900123 after six\n")
    made = tmp_path / "made.toml"
    with closing(open_store(tmp_path / "s.duckdb")) as store:
        made.write_text(open_study(store, Settings(), "notes").text)
    assert run("add", made, "--items", more, "--more-items")[0] == 0
    with closing(open_store(tmp_path / "s.duckdb")) as store:
        kept = str(store.rows("select body from item_further"))
    assert "Call [telephone number] after six" in kept


@pytest.mark.first_quick
@pytest.mark.parametrize("ending", ["csv", "xlsx", "jsonl"])
def test_the_command_line_leaves_single_rows_out_of_what_it_adds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ending: str,
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    table = tmp_path / f"notes.{ending}"
    rows = [
        {"nr": n, "share": n / 4, "note": f"Patient {n} asks when to walk again after surgery"}
        for n in range(1, 5)
    ]
    if ending == "csv":
        table.write_text(pd.DataFrame(rows).to_csv(index=False))
    elif ending == "xlsx":
        with xlsxwriter.Workbook(table) as book:
            sheet = book.add_worksheet()
            for at, row in enumerate([dict(zip(rows[0], rows[0], strict=True)), *rows]):
                sheet.write_row(at, 0, row.values())
    else:
        nested = [{**row, "seen": {"by": "Ada", "days": row["nr"] * 2}} for row in rows]
        table.write_text("".join(f"{json.dumps(row)}\n" for row in nested))
    command = ["study", "from-table", str(table), "--add", "--leave-out-rows", "2,4"]
    assert cli.main(command) == 0
    told = capsys.readouterr().out
    assert told.count("Rows 2, 4 (below the headings) are left out") == 2, told
    assert "not in this table" not in told
    store = open_store(tmp_path / "s.duckdb")
    assert [name for name, _, _ in queries.list_names_and_columns_of_items(store, "notes")] == [
        "1",
        "3",
    ]
    store.close()
    with pytest.raises(SystemExit):
        cli.main([*command[:-1], "two"])
    assert "write them as 4,7" in capsys.readouterr().err


def test_a_row_left_out_whose_item_is_there_already_is_told_and_nothing_of_it_vanishes(
    store: Store,
) -> None:
    rows = [{"item": f"n{at}", "text": f"Text number {at} is here."} for at in range(1, 5)]
    text = propose_study(rows, title="T").text
    table = pd.DataFrame(rows).to_csv(index=False).encode()
    of = {"name": "t.csv", "dataset": "t"}

    def come_again(without: str) -> str:
        work_behind_commands.declare_study_and_return_report_text(store, without, "t.toml")
        done = work_behind_commands.import_file(store, Settings(), "own-items", table, **of)
        return "\n".join(done.notes)

    assert come_again(text) == ""
    told = come_again(study_file_with_rows_left_out_or_taken_back(text, [rows[1]]))
    assert "“n2” is left out and was an item before: what is judged stays." in told
    assert [name for name, _, _ in queries.list_names_and_columns_of_items(store, "t")] == [
        "n1",
        "n2",
        "n3",
        "n4",
    ]
    told = come_again(study_file_with_rows_left_out_or_taken_back(text, rows[1:3]))
    assert "“n2”, “n3” are left out and were items before" in told


def test_what_gives_models_away_is_looked_for_while_the_items_are_saved(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"item": f"n{at}", "text": f"GPT-4 wrote text {at}."} for at in range(1, 5)]
    text = propose_study(rows, title="T").text
    work_behind_commands.declare_study_and_return_report_text(store, text, "t.toml")
    looked, in_time = threading.Event(), []
    look, add = import_and_export._told_of, import_and_export.items.add_items

    def look_and_tell(*given: Any) -> list[str]:
        found = look(*given)
        looked.set()
        return [*found, "Looked."]

    def add_once_looked(*given: Any, **how: Any) -> Any:
        in_time.append(looked.wait(10))
        return add(*given, **how)

    monkeypatch.setattr(import_and_export, "_told_of", look_and_tell)
    monkeypatch.setattr(import_and_export.items, "add_items", add_once_looked)
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    request = Request(lines, "t.jsonl", "t")
    report = import_and_export.import_items(store, open_study(store, Settings(), "t"), request)
    assert (report.added, in_time, report.notes[-1]) == (4, [True], "Looked.")


def test_items_that_were_changed_are_counted_once_not_once_for_each_item(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = propose_study([{"item": "a", "text": "Some text."}], title="T").text
    work_behind_commands.declare_study_and_return_report_text(store, text, "t.toml")
    counted = []
    names = FileComparison.set_of_changed_item_names.fget

    def count_and_name(comparison: FileComparison) -> set[str]:
        counted.append(comparison)
        return names(comparison)  # type: ignore[misc]

    monkeypatch.setattr(FileComparison, "set_of_changed_item_names", property(count_and_name))
    opened = open_study(store, Settings(), "t")
    for ending in (".", "!"):
        lines = "".join(f'{{"item": "n{at}", "text": "T {at}{ending}"}}\n' for at in range(9))
        request = Request(lines.encode(), "t.jsonl", "t", revising=Revising("leave"))
        report = import_and_export.import_items(store, opened, request)
        assert report.added + report.known == 9
    assert len(counted) == 2
