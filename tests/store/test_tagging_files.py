"""Error tagging's files: in, out, in again."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from medlens.app import store_check, work_behind_commands
from medlens.app.file_intake.default_dataset_for_file import default_dataset_for_file_kind
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput, NotAllowed
from medlens.review import (
    audit_log,
    consensus,
    items,
    judging,
    raters,
    remarks_between_raters_and_leads,
)
from medlens.store import Store, new_id, open_store
from medlens.studies import model_verdicts_and_runs_of_judges, registry
from medlens.studies.model_verdicts_and_runs_of_judges import Verdict
from medlens.studies.own import study_file
from medlens.studies.own.tasks import NAME as OWN_TASK
from medlens.studies.own.tasks import Answers
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import queries
from medlens.studies.tagging.records import Option, ResponseItem
from medlens.studies.tagging.study_in_dataset import TaggingSettings, open_study
from medlens.tables import write_table
from tests.conftest import Fill, LayStore
from tests.fuzz import world
from tests.store.conftest import Filled
from tests.store.made_up import person

pytestmark = pytest.mark.usefixtures("read_near")

SETTINGS = Settings()
KINDS = {
    "g4ue-items": "items.jsonl",
    "g4ue-responses": "incorrect_responses.csv",
    "g4ue-annotations": "raw_annotations.csv",
}


def take(store: Store, kind: str, path: Path, **how: object) -> work_behind_commands.Outcome:
    return work_behind_commands.import_file(store, SETTINGS, kind, path, name=path.name, **how)  # type: ignore[arg-type]


def give(store: Store, kind: str, **how: object) -> pd.DataFrame:
    return work_behind_commands.make_export_table(store, SETTINGS, kind, viewer=None, **how)  # type: ignore[arg-type]


@pytest.fixture
def demo(filled: Filled) -> Store:
    return filled(STUDIES["tagging"].demo)


@pytest.fixture(scope="module")
def published(shared_data: Path) -> Fill:
    """Imports the published study."""

    def fill(store: Store) -> None:
        for kind, name in KINDS.items():
            take(store, kind, shared_data / "g4ue" / name)

    return fill


@pytest.fixture
def real(filled: Filled, published: Fill) -> Store:
    return filled(published)


def test_the_demo_is_added_once_however_often_it_is_asked_for(demo: Store) -> None:
    STUDIES["tagging"].demo(demo)
    assert demo.rows("select count(*) from item") == [(24,)]
    assert demo.rows("select count(*) from judgment") == [(60,)]
    assert demo.rows("select bool_and(illustrative) from item") == [(True,)]
    assert store_check.list_store_faults_in_words(demo, SETTINGS) == []


@pytest.mark.first_quick
@pytest.mark.shared_data
@pytest.mark.parametrize("rule", ["relaxed", "strict"])
def test_the_published_labels_come_out_exactly(
    known: tuple[Store, pd.DataFrame], shared_data: Path, rule: str
) -> None:
    ours = give(known[0], "labels", rule=rule).set_index("id").sort_index()
    theirs = pd.read_csv(shared_data / "g4ue" / f"{rule}_labels.csv").set_index("id").sort_index()
    assert ours.to_dict("index") == theirs.to_dict("index")
    assert list(ours.columns) == list(theirs.columns)


@pytest.mark.shared_data
def test_importing_the_study_twice_adds_nothing_twice(real: Store, shared_data: Path) -> None:
    before = {t: real.rows(f"select count(*) from {t}") for t in ("item", "judgment", "rater")}
    for kind, name in KINDS.items():
        assert take(real, kind, shared_data / "g4ue" / name).added == 0
    assert {t: real.rows(f"select count(*) from {t}") for t in before} == before


@pytest.mark.shared_data
def test_a_response_published_under_two_names_is_one_item(store: Store, shared_data: Path) -> None:
    """Two of the sample's serial numbers stand in both files."""
    take(store, "g4ue-responses", shared_data / "g4ue/incorrect_responses.csv")
    take(store, "g4ue-items", shared_data / "g4ue/items.jsonl")
    assert store.rows("select count(*) from item") == [(118,)]
    # The annotations name them by the items' names, whichever came first.
    take(store, "g4ue-annotations", shared_data / "g4ue/raw_annotations.csv")
    assert store.rows("select count(distinct item) from judgment") == [(60,)]


@pytest.mark.shared_data
def test_annotations_alone_bring_their_items_and_the_item_file_then_adds_none(
    store: Store, shared_data: Path
) -> None:
    take(store, "g4ue-annotations", shared_data / "g4ue/raw_annotations.csv")
    assert store.rows("select count(*) from item") == [(60,)]
    assert take(store, "g4ue-items", shared_data / "g4ue/items.jsonl").added == 0


def test_survey_pages_are_counted_apart_from_judgments(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "raw_annotations.csv"
    with path.open("w", newline="") as file:
        rows = world._g4ue_annotations()
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    first, again = (take(store, "g4ue-annotations", path) for _ in range(2))
    assert first.line.startswith("Imported 3 judgments")
    assert "1 survey page, 1 of them new here." in first.notes
    assert (again.added, again.known) == (0, 3)
    assert "1 survey page, 0 of them new here." in again.notes
    assert store.rows("select count(*) from judgment") == [(3,)]
    assert store.rows("select count(*) from survey") == [(1,)]


@pytest.fixture(scope="module")
def known(
    tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore, published: Fill
) -> Iterator[tuple[Store, pd.DataFrame]]:
    """The published study, to be read only, with its figures."""
    path = lay_store(tmp_path_factory.mktemp("published") / "store.duckdb", published)
    with contextlib.closing(open_store(path)) as store:
        yield store, give(store, "figures")


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("form", "order"),
    [
        ("csv", ("spans", "judgments")),
        *(
            pytest.param(form, order, marks=pytest.mark.deep)
            for form, order in (
                ("csv", ("judgments", "spans")),
                ("jsonl", ("judgments", "spans")),
                ("parquet", ("spans", "judgments")),
            )
        ),
    ],
)
def test_what_is_exported_imports_into_an_empty_store_to_the_same_figures(
    known: tuple[Store, pd.DataFrame],
    store: Store,
    tmp_path: Path,
    form: str,
    order: tuple[str, str],
) -> None:
    ours, figures = known
    for kind in ("items", *order):
        nested = kind == "judgments" and form != "csv"
        how = {"nested": True} if nested else {}
        write_table(give(ours, kind, **how), tmp_path / f"{kind}.{form}", format=form)  # type: ignore[arg-type]
        take(store, kind, tmp_path / f"{kind}.{form}", dataset="g4ue")
    pd.testing.assert_frame_equal(give(store, "figures"), figures)
    again = {
        kind: take(store, kind, tmp_path / f"{kind}.{form}", dataset="g4ue").added
        for kind in ("items", *order)
    }
    assert set(again.values()) == {0}
    assert store_check.list_store_faults_in_words(store, SETTINGS) == []


@pytest.mark.deep
def test_the_demo_survives_the_way_out_and_in_with_links_comments_and_times(
    demo: Store, tmp_path: Path
) -> None:
    for kind in ("items", "spans", "surveys", "gold"):
        write_table(give(demo, kind), tmp_path / f"{kind}.csv", bom=True)
    other = open_store(tmp_path / "other.duckdb")
    for kind in ("items", "spans", "surveys", "gold"):
        take(other, kind, tmp_path / f"{kind}.csv", dataset="demo")
    for kind in ("items", "judgments", "spans", "surveys", "gold", "figures"):
        pd.testing.assert_frame_equal(give(other, kind), give(demo, kind))
    assert take(other, "gold", tmp_path / "gold.csv").added == 0
    again = take(other, "surveys", tmp_path / "surveys.csv", dataset="elsewhere")
    [forms] = other.rows("select count(*) from survey")[0]
    assert (again.line, again.notes[-1]) == (
        f"Imported 0 forms; {forms} were there already.",
        "Forms are their raters', not a dataset's: they count for every dataset.",
    )
    assert other.rows("select distinct dataset from import_log where kind = 'surveys'") == [("",)]
    told = audit_log.entries_table(other, viewer=None)["detail"][0]
    assert told == f"surveys: 0 added, {forms} known, 0 refused"
    other.close()


@pytest.mark.first_quick
@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("order", [("judgments", "spans"), ("spans", "judgments")])
def test_labels_and_their_places_from_two_files_are_one_revision(
    demo: Store, tmp_path: Path, order: tuple[str, str], ids: bool
) -> None:
    for kind in ("items", *order):
        table = give(demo, kind)
        kept = table if ids or kind == "items" else table.drop(columns="judgment_id")
        write_table(kept, tmp_path / f"{kind}.csv")
    other = open_store(tmp_path / "other.duckdb")
    for kind in ("items", *order, *order):
        take(other, kind, tmp_path / f"{kind}.csv", dataset="demo")
    for kind in ("judgments", "spans"):
        came, went = (give(store, kind, history=True) for store in (other, demo))
        if not ids:
            came, went = came.drop(columns="judgment_id"), went.drop(columns="judgment_id")
        pd.testing.assert_frame_equal(came, went)
        assert set(came["revision"]) == {1}
    other.close()


def test_demo_items_stay_out_of_the_way_once_real_ones_are_there(demo: Store) -> None:
    assert items.newest_dataset_not_illustrative(demo, "tagging") == "demo"
    item = ResponseItem(question="Q?", options=(Option(key="A", text="x"),), response="Because.")
    queries.add_responses_and_return_added(demo, [("mine1", item)], dataset="ward")
    assert items.newest_dataset_not_illustrative(demo, "tagging") == "ward"
    assert list(give(demo, "items")["item"]) == ["mine1"]
    assert len(give(demo, "items", dataset="demo")) == 24


def test_a_bad_file_writes_nothing_and_names_its_lines(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("item,question,response\na,Q,fine\nb,Q,\nc,Q,fine\n", encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        take(store, "items", path)
    assert [(row.line, row.column) for row in caught.value.rows] == [(3, "response")]
    assert store.rows("select count(*) from item") == [(0,)]


def test_skip_bad_imports_the_rest_and_the_bad_rows_can_be_mended(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("item,question,response\na,Q,fine\nb,Q,\nc,Q,fine\n", encoding="utf-8")
    done = take(store, "items", path, skip_bad=True, bad_rows=tmp_path / "mine.bad")
    assert (done.added, done.refused) == (2, 1)
    bad = Path(done.bad_rows)
    text = bad.read_text(encoding="utf-8")
    assert "b,Q," in text
    bad.write_text(text.replace("b,Q,", "b,Q,mended"), encoding="utf-8")
    assert take(store, "items", bad).added == 1


def test_an_item_never_changes_its_text(store: Store) -> None:
    first = ResponseItem(question="Q", response="One.")
    queries.add_responses_and_return_added(store, [("a", first)], dataset="ward")
    with pytest.raises(InvalidInput, match="another response"):
        queries.add_responses_and_return_added(
            store, [("a", ResponseItem(question="Q", response="Two."))], dataset="ward"
        )
    assert store.rows("select body->>'response' from item") == [("One.",)]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"question": "Q2"}, "question"),
        ({"correct": "B"}, "correct"),
        ({"chosen": "A"}, "chosen"),
        ({"option_B": "other"}, "set of options"),
        ({"chosen": ""}, "chosen"),
        ({"model": "m2"}, "model"),
    ],
)
def test_an_item_imported_again_with_other_content_is_refused_by_what_differs(
    store: Store, tmp_path: Path, change: dict[str, str], what: str
) -> None:
    row = {
        "item": "a",
        "question": "Q",
        "option_A": "one",
        "option_B": "two",
        "correct": "A",
        "chosen": "B",
        "model": "m",
        "response": "It is two.",
    }
    path = tmp_path / "mine.csv"
    pd.DataFrame([row]).to_csv(path, index=False)
    assert take(store, "items", path).added == 1
    assert take(store, "items", path).known == 1
    pd.DataFrame([row | change]).to_csv(path, index=False)
    with pytest.raises(InvalidInput, match=f"item 'a'.*another {what}"):
        take(store, "items", path)


@pytest.mark.parametrize("column", ["correct", "chosen"])
def test_an_option_that_does_not_exist_is_refused_by_line(
    store: Store, tmp_path: Path, column: str
) -> None:
    path = tmp_path / "mine.csv"
    rows = [
        {
            "item": name,
            "question": "Q",
            "option_A": "one",
            "option_B": "two",
            "correct": "A",
            "chosen": "B",
            "response": "It is two.",
        }
        for name in "ab"
    ]
    rows[1][column] = "Z"
    pd.DataFrame(rows).to_csv(path, index=False)
    with pytest.raises(BadFile, match=f"line 3.*{column}.*A, B.*Z"):
        take(store, "items", path)
    assert store.rows("select count(*) from item") == [(0,)]


def test_a_serial_number_is_one_that_can_be_imported_again(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("item,serial_num,question,response\na,2147483648,Q,fine\n", encoding="utf-8")
    assert take(store, "items", path).added == 1
    assert take(store, "items", path).known == 1
    path.write_text(f"item,serial_num,question,response\nb,{10**18},Q,fine\n", encoding="utf-8")
    with pytest.raises(BadFile, match=r"line 2.*serial_num.*at most 15 digits"):
        take(store, "items", path)


def test_a_dry_run_says_what_would_come_and_writes_nothing(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("item,question,response\na,Q,fine\nb,Q,good\n", encoding="utf-8")
    assert take(store, "items", path, dry_run=True).added == 2
    assert store.rows("select count(*) from item") == [(0,)]
    assert store.rows("select count(*) from import_log") == [(0,)]


def test_hostile_text_goes_in_and_out_unchanged(store: Store, tmp_path: Path) -> None:
    text = "<script>alert(1)</script> & '=cmd|x'!A1 ![](http://x/) \U0001fa7a e\u0301 \u202e"
    item = ResponseItem(question="=1+1", options=(Option(key="A", text="@x"),), response=text)
    queries.add_responses_and_return_added(store, [("-a", item)], dataset="ward")
    write_table(give(store, "items"), tmp_path / "items.csv")
    raw = (tmp_path / "items.csv").read_text(encoding="utf-8")
    assert ",=1+1," not in raw
    other = open_store(tmp_path / "other.duckdb")
    take(other, "items", tmp_path / "items.csv")
    [(name, _, back)] = queries.list_items_with_names_and_if_illustrative(other, "ward")
    assert (name, back) == ("-a", item)
    other.close()


@pytest.mark.first_quick
@pytest.mark.parametrize("rule", ["relaxed", "strict"])
def test_the_votes_per_label_keep_what_the_published_layout_keeps(demo: Store, rule: str) -> None:
    votes = give(demo, "labels")
    kept = set(votes.loc[votes[rule], ["item", "label"]].itertuples(index=False, name=None))
    wide = give(demo, "labels", rule=rule).set_index("id")
    assert kept == {(i, label) for i in wide.index for label in wide.columns if wide.at[i, label]}
    assert 0 < len(kept) < len(votes)


def test_a_key_with_an_unknown_label_or_item_is_refused(demo: Store, tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    for rows, says in (
        ("demo01,Hallucination of information; Nonsense", "line 2, column 'labels'"),
        ("demo01,Hallucination of information; Reasonable response by GPT-4", "allowed together"),
        ("nowhere,Hallucination of information", "not in the dataset 'demo'"),
    ):
        path.write_text(f"item,labels\n{rows}\n")
        with pytest.raises((BadFile, InvalidInput), match=says):
            take(demo, "gold", path)


def test_items_go_where_they_were_sent_else_where_the_file_says_and_that_is_told(
    demo: Store, store: Store, tmp_path: Path
) -> None:
    write_table(give(demo, "items"), tmp_path / "items.csv")
    other = open_store(tmp_path / "other.duckdb")
    said = take(other, "items", tmp_path / "items.csv").line
    assert said == "Imported 24 items into 'demo'."
    assert take(other, "items", tmp_path / "items.csv", dataset="ward").line.endswith("'ward'.")
    assert {row["dataset"]: row["n"] for row in items.datasets_of_study(other, "tagging")} == {
        "demo": 24,
        "ward": 24,
    }
    other.close()


@pytest.mark.deep
def test_no_reviewer_can_export_anything(tmp_path: Path, lay_store: LayStore) -> None:
    demos = lay_store(
        tmp_path / "demos.duckdb", work_behind_commands.add_demo_studies_and_return_report_text
    )
    # No moderator of the demo judged a pair after its visit.
    verdict = tmp_path / "verdicts.csv"
    verdict.write_text("given,correct,judge,outcome\nGout,Gout attack,demo-c,yes\n")
    with contextlib.closing(open_store(demos)) as store:
        take(store, "agentclinic-verdicts", verdict, dataset="demo")
        by_model = Verdict("i", "demo-c", "tag-1", 1, "tagged", True, "", {}, "m", "r")
        model_verdicts_and_runs_of_judges.add_verdicts_and_count_new_and_known(
            store, [by_model], task="error_spans", dataset="demo"
        )
        for template in ("healthbench", "error_spans"):
            judge_own_study(store, template)
        draw_one(store)
        suggest_one(store)
        anna, lead = person(store, "Anna"), person(store, "L", lead=True)
        task = open_study(store, SETTINGS, "demo").task
        [(item, rater)] = store.rows(
            "select item, rater from judgment where task = 'error_spans' limit 1"
        )
        consensus.record_adjudication(store, task, item=item, body={}, reason="None.", by=lead)
        of = {"item": item, "rater": rater, "by": lead}
        remarks_between_raters_and_leads.store_remark_on_work(
            store, task, **of, kind="answer", text="Yes."
        )
        empty = []
        for kind in registry.EXPORTS:
            how = {}
            if kind == "trust":  # No model is checked by people in the demo's first study.
                how = {"study": "sourcecheckup"}
            elif kind.startswith("own-"):
                template = "healthbench" if kind == "own-criteria" else "error_spans"
                how = {"dataset": template}
            with pytest.raises(NotAllowed):
                work_behind_commands.make_export_table(store, SETTINGS, kind, viewer=anna, **how)
            if work_behind_commands.make_export_table(
                store, SETTINGS, kind, viewer=lead, **how
            ).empty:
                empty.append(kind)
        # Nobody came to the demo by a crowd platform's link, withdrew an item, or judged one twice.
        assert empty == ["crowd", "withdrawn_items", "retest"]


def suggest_one(store: Store) -> None:
    """A clinician's answer of the demo, as if a model had suggested it to another."""
    [(item, judgment)] = store.rows(
        "select item, id from judgment where task = 'error_spans' limit 1"
    )
    row = {"task": "error_spans", "item": item, "rater": person(store, "Ben").id}
    drawn = {"judgment": judgment, "shown": True, "share": 0.5, "seed": 0}
    store.append("suggestion", {"id": new_id(), **row, **drawn})


def draw_one(store: Store) -> None:
    """One item of the demo, drawn to check a model."""
    [(item,)] = store.rows(
        "select id from item where dataset = 'demo' and study = 'tagging' limit 1"
    )
    stratum = {"stratum": "1.1", "items": [item], "checked": [], "drawn": [item]}
    asked = {"judge": "m", "prompt": "p", "variable": "v", "answer": "a", "measure": "precision"}
    row = {"id": "d", "task": "error_spans", "dataset": "demo", "revision": 1, "made_by": "L"}
    store.append("sample", {**row, "body": {**asked, "strata": [stratum]}})


def judge_own_study(store: Store, template: str) -> None:
    """A study of a team's own, which the demo has none of, with one judgment."""
    file = study_file.path_of_template(template)
    declared = study_file.read_study_file_text_and_declaration(file)[0]
    work_behind_commands.declare_study_and_return_report_text(store, declared, file.name)
    take(store, "own-items", file.with_suffix(".csv"), dataset=template)
    name, said = {
        "error_spans": ("e1", {"usable": "As it is"}),
        "healthbench": ("calf", {"criteria_1": "met"}),
    }[template]
    [item] = items.item_ids_by_name(store, "own", template, [name]).values()
    value = Answers(version=1, answers=said)
    rater = person(store, "Osei").id
    store.append("judgment", judging.make_imported_judgment_row(OWN_TASK, item, rater, value))


def test_the_wrong_kind_or_dataset_is_said_with_the_right_ones(demo: Store) -> None:
    with pytest.raises(InvalidInput, match="no dataset 'ward'"):
        give(demo, "labels", dataset="ward")
    with pytest.raises(InvalidInput, match="Only the export of labels"):
        give(demo, "spans", rule="strict")


def test_check_finds_a_judgment_that_does_not_fit_its_text(demo: Store) -> None:
    with demo._cursor() as cursor:
        cursor.execute(
            "update judgment set body = replace(body::varchar, '\"start\":', '\"start\":1')::json"
            " where id = (select id from judgment where body::varchar like '%\"start\":%' limit 1)"
        )
    assert store_check.list_store_faults_in_words(demo, SETTINGS) != []


@pytest.mark.first_quick
@pytest.mark.parametrize("at_once", [1, 3, 7, 1_000])
def test_check_finds_every_judgment_that_does_not_fit_however_many_it_reads_at_once(
    demo: Store, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    with demo._cursor() as cursor:
        cursor.execute(
            "update judgment set body = replace(body::varchar, '\"start\":', '\"start\":1')::json"
        )
    monkeypatch.setattr(store_check, "_AT_ONCE", at_once)
    found = store_check.list_store_faults_in_words(demo, SETTINGS)
    marked = demo.value(
        "select count(*) from judgment_blind j join item_in_play i on i.id = j.item"
        " where j.body::varchar like '%\"start\":1%'"
    )
    assert len({one.split(": ")[0] for one in found}) == marked > 7


def test_a_taxonomy_that_lost_given_labels_is_refused(demo: Store) -> None:
    lead = person(demo, "Lead", lead=True)
    taxonomy = queries.taxonomy_of_dataset(demo, "demo", SETTINGS.of(TaggingSettings).taxonomy)
    smaller = replace(taxonomy, labels=taxonomy.labels[:3])
    with pytest.raises(InvalidInput, match="lacks labels"):
        queries.store_taxonomy_of_dataset(demo, "demo", smaller, by=lead)
    with pytest.raises(NotAllowed):
        queries.store_taxonomy_of_dataset(
            demo, "demo", taxonomy, by=raters.find_or_add_rater_by_name(demo, "Anna")
        )


@pytest.mark.parametrize(
    ("text", "says"), [("a \\ud800 b", "surrogate"), ("x" * 100_000, "99,999")]
)
def test_a_response_that_no_page_could_show_is_refused_with_its_line(
    store: Store, tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(
        '{"item": "a", "response": "fine"}\n' + f'{{"item": "b", "response": "{text}"}}\n'
    )
    with pytest.raises(BadFile, match=says) as caught:
        take(store, "items", path)
    assert [row.line for row in caught.value.rows] == [2]


def test_a_teams_own_items_never_land_in_the_published_study(store: Store, tmp_path: Path) -> None:
    item = ResponseItem(question="Q?", response="Because.")
    queries.add_responses_and_return_added(store, [("item1", item)], dataset="g4ue")
    assert default_dataset_for_file_kind(store, "items") == "main"
    assert default_dataset_for_file_kind(store, "labels") == "g4ue"


@pytest.mark.parametrize(
    "name", ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "Zo\u00eb \U0001f9d1\u200d\u2695\ufe0f"]
)
def test_names_written_with_joiners_are_names(store: Store, name: str) -> None:
    assert raters.find_or_add_rater_by_name(store, name).name == name


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "given, name",
    [
        ("Ada \x07Love\x1b[31mlace", "Ada Love [31mlace"),
        ("Ada\u202eecalevoL\u2066\u200f", "AdaecalevoL"),
        ("  Ada\t\nLovelace ", "Ada Lovelace"),
        ("A" * 200, "A" * 79 + "\u2026"),
        ("A" * 78 + "e\u0301\u0302 Lovelace", "A" * 78 + "\u2026"),
    ],
)
def test_a_name_is_cleaned_and_shortened_not_refused(store: Store, given: str, name: str) -> None:
    assert raters.find_or_add_rater_by_name(store, given).name == name
    assert raters.find_or_add_rater_by_name(store, given) == raters.find_or_add_rater_by_name(
        store, given
    )


def test_long_names_that_begin_alike_stay_two_people(store: Store) -> None:
    assert (
        raters.find_or_add_rater_by_name(store, "A" * 100).id
        != raters.find_or_add_rater_by_name(store, "A" * 100 + "B").id
    )


def test_people_of_two_addresses_are_two_whatever_letters_fold(store: Store) -> None:
    one, two = (
        raters.find_or_add_rater_by_name(store, "J", origin="oidc", email=email)
        for email in ("stra\u00dfe@example.org", "strasse@example.org")
    )
    assert one.id != two.id


def test_cells_that_are_not_utf8_are_read_one_by_one_and_told(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    file.write_bytes(
        b"item,question,response,more\n"
        + "a,Fièvre?,Café,\n".encode()
        + b"b,Fi\xe8vre \x80?,Caf\xe9,\x81\n"
    )
    done = take(store, "items", file, dataset="ward")
    assert done.added == 2
    # Of a column that nobody needs what can be read is enough.
    assert "3 cells were not in UTF-8 and read as Windows-1252" in "\n".join(done.notes)
    texts = give(store, "items", dataset="ward").set_index("item")
    assert texts["response"].tolist() == ["Café", "Café"]
    assert texts["question"].tolist() == ["Fièvre?", "Fièvre €?"]
    file.write_bytes(b"item,question,response\nc,Q,\x81\n")
    with pytest.raises(BadFile, match="Windows-1252"):
        take(store, "items", file, dataset="ward")


@pytest.mark.first_quick
@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("encoding", ["utf-16", "mac-roman", "windows-1252"])
def test_a_file_in_another_encoding_imports_when_it_is_named(
    store: Store, tmp_path: Path, form: str, encoding: str
) -> None:
    rows = {
        "csv": "item,question,response\na,Fièvre?,Café\n",
        "jsonl": '{"item": "a", "question": "Fièvre?", "response": "Café"}\n',
    }
    file = tmp_path / f"items.{form}"
    file.write_bytes(rows[form].encode(encoding))
    assert take(store, "items", file, dataset="ward", encoding=encoding).added == 1
    assert give(store, "items", dataset="ward")["response"].tolist() == ["Café"]
    if encoding == "utf-16":
        # The file itself says that it is.
        again = take(store, "items", file, dataset="ward")
        assert (again.known, again.notes[0]) == (
            1,
            f"{file.name} is in UTF-16, and was read as that.",
        )
    with pytest.raises(InvalidInput, match="no encoding called 'latin-one-and-a-half'"):
        take(store, "items", file, dataset="ward", encoding="latin-one-and-a-half")
    with pytest.raises(BadFile, match="is not in"):
        take(store, "items", file, dataset="ward", encoding="ascii")
