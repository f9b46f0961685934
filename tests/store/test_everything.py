"""All of a store in one zip, and back to the same figures."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from medlens import cli
from medlens.app import store_check, store_zip_writing_and_reading, work_behind_commands
from medlens.config.settings import Model, Settings
from medlens.errors import BadFile, InvalidInput, MedLensError
from medlens.review import codebooks_coded_passages_and_agreement, randomised_model_suggestions
from medlens.store import Store, open_store, table_dump
from medlens.studies.own import study_file
from medlens.studies.own.study import open_study
from medlens.studies.own.tasks import Answers
from medlens.tables import write_table
from tests.conftest import LayStore
from tests.store.made_up import person, poems
from tests.store.test_codebook import POEMS, mark
from tests.store.test_suggestions import TASK, desk_of, suggested

pytestmark = pytest.mark.usefixtures("all_threads")

SETTINGS = Settings()


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(
        tmp_path_factory.mktemp("all") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        yield store


@pytest.fixture(scope="module")
def whole(demos: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("zip") / "all.zip"
    store_zip_writing_and_reading.write_store_zip_and_return_report_text(demos, SETTINGS, target)
    return target


def figures(store: Store, study: str) -> bytes:
    out = io.BytesIO()
    table = work_behind_commands.make_export_table(
        store, SETTINGS, "figures", viewer=None, study=study
    )
    write_table(table, out)
    return out.getvalue()


@pytest.mark.deep
def test_an_empty_store_gives_the_same_figures_to_the_byte_and_goes_on(
    demos: Store, whole: Path, tmp_path: Path
) -> None:
    with contextlib.closing(open_store(tmp_path / "new.duckdb")) as other:
        store_zip_writing_and_reading.read_store_zip_and_return_report_text(other, whole)
        # Every table is compared below; figures of the other studies take seconds.
        assert figures(other, "tagging") == figures(demos, "tagging")
        for table in demos.column_types_by_table:
            sql = f"select * from {table} order by rowid"
            assert other.rows(sql) == demos.rows(sql), table
        top = max(seq for (seq,) in other.rows("select max(seq) from judgment"))
        poems(other, 1)
        assert (
            min(seq for (seq,) in other.rows("select seq from item where study = 'made_up'")) > top
        )
        assert store_check.list_store_faults_in_words(other, SETTINGS) == []
    with contextlib.closing(open_store(tmp_path / "new.duckdb")) as again:
        assert again.list_lost_rows_in_words() == []


@pytest.mark.deep
def test_suggestions_and_codebooks_are_in_the_zip_and_come_back(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "one.duckdb")) as one:
        ids, lead, arm = suggested(one)
        desk_of(one, person(one, "Anna"))
        mark(one, ids[0], lead, (0, 3, "vague"))
        codebooks_coded_passages_and_agreement.rename_code(
            one, POEMS, "vague", "unclear", was="vague", by=lead
        )
        store_zip_writing_and_reading.write_store_zip_and_return_report_text(
            one, SETTINGS, tmp_path / "one.zip"
        )
        with contextlib.closing(open_store(tmp_path / "two.duckdb")) as two:
            store_zip_writing_and_reading.read_store_zip_and_return_report_text(
                two, tmp_path / "one.zip"
            )
            for table in ("suggestion", "codebook_change", "open_code"):
                rows = one.rows(f"select * from {table} order by rowid")
                assert rows
                assert two.rows(f"select * from {table} order by rowid") == rows, table
            assert (
                randomised_model_suggestions.current_suggestion_setting(two, TASK.name, "poems")
                == arm
            )
            told = [
                randomised_model_suggestions.drawn_suggestions_table(
                    store, TASK, dataset="poems", viewer=lead
                )
                for store in (one, two)
            ]
            assert len(told[0]) > 0
            assert told[0].equals(told[1])
            book = codebooks_coded_passages_and_agreement.codebook_of_coder(
                two, POEMS, coder=lead.id, viewer=lead
            )
            assert book.names["vague"] == "unclear"


def test_one_store_always_gives_the_same_zip(demos: Store, whole: Path, tmp_path: Path) -> None:
    store_zip_writing_and_reading.write_store_zip_and_return_report_text(
        demos, SETTINGS, tmp_path / "again.zip"
    )
    assert (tmp_path / "again.zip").read_bytes() == whole.read_bytes()


def test_it_says_what_columns_mean_what_was_judged_by_and_what_it_was_made_by(whole: Path) -> None:
    with zipfile.ZipFile(whole) as given:
        names = given.namelist()
        rows = list(csv.DictReader(io.StringIO(given.read("dictionary.csv").decode())))
        versions = json.loads(given.read("versions.json"))
        [taxonomy] = [given.read(name) for name in names if name.endswith("taxonomy.toml")]
    said = {(row["of"], row["name"], row["column"]): row for row in rows}
    assert said["table", "judgment", "blind"]["meaning"]
    assert "cannot_tell" in said["judgment (agentclinic)", "diagnosis_match", "same"]["allowed"]
    assert said["file", "items", "response"]["meaning"]
    assert versions["duckdb"]
    assert b'dataset "demo"' in taxonomy
    assert b"[[label]]" in taxonomy


def test_the_dictionary_explains_every_column_of_every_table_in_the_zip(whole: Path) -> None:
    with zipfile.ZipFile(whole) as given:
        rows = list(csv.DictReader(io.StringIO(given.read("dictionary.csv").decode())))
        told = {(row["of"], row["name"], row["column"]): row["meaning"] for row in rows}
        there = {
            ("table", Path(name).stem, column)
            for name in given.namelist()
            if name.endswith(".parquet")
            for column in parquet.read_schema(io.BytesIO(given.read(name))).names
        }
        for name in given.namelist():
            if name.startswith("guidelines/") and name.endswith(".csv"):
                head = next(csv.reader(io.StringIO(given.read(name).decode())))
                there |= {("guideline", "every task", column) for column in head}
    assert len(there) > 400
    assert [one for one in there if not told.get(one)] == []
    assert [one for one, meaning in told.items() if not meaning] == []


@pytest.mark.first_quick
@pytest.mark.parametrize("name", ["draft_letters", "summary_errors", "healthbench", "preference"])
def test_the_dictionary_explains_every_column_of_an_own_studys_answers(
    store: Store, name: str
) -> None:
    file = study_file.path_of_template(name)
    work_behind_commands.declare_study_and_return_report_text(
        store, study_file.read_study_file_text_and_declaration(file)[0], file.name
    )
    table = file.with_suffix(".csv")
    work_behind_commands.import_file(
        store, SETTINGS, "own-items", table, name=table.name, dataset=name
    )
    study = open_study(store, SETTINGS, name)
    rows = list(store_zip_writing_and_reading.data_dictionary_rows(store, SETTINGS))
    of = f"answers (own: {name})"
    told = {row[2]: row for row in rows if row[0] == of}
    assert all(row[3] for row in told.values())
    criteria = {
        one.id: "met"
        for one in study.declared.form_with_question_per_arm.questions
        if one.is_worded_per_item
    }
    [(body,)] = store.rows("select body from item limit 1")
    there = set(study.task.answer_as_file_columns(Answers(answers=criteria), json.loads(body)))
    # The share of criteria that differ by item is worked out by own-judgments.
    assert there | {one.id for one in study.declared.number_questions_standing_for_rubrics} == set(
        told
    )


def test_no_secret_and_nobodys_address_is_among_the_settings() -> None:
    model = Model(
        base_url="https://models.example.org/v1",
        model="m",
        key_env="MY_KEY",
        parameters={"temperature": 0.5, "extra_headers": {"x-key": "s3cret"}},
    )
    settings = SETTINGS.model_copy(
        update={
            "store": "postgresql://u:s3cret@host/db",
            "people": {"ada@example.org": "lead"},
            "models": {"mine": model},
            "web": SETTINGS.web.model_copy(update={"proxy": "http://u:s3cret@proxy"}),
        }
    )
    told = store_zip_writing_and_reading.settings_as_dict_without_secrets(settings)
    assert "s3cret" not in json.dumps(told)
    assert "ada@" not in json.dumps(told)
    assert told["models"]["mine"]["parameters"]["temperature"] == 0.5


def test_a_store_with_something_in_it_is_left_as_it_is(whole: Path, tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "used.duckdb")) as store:
        person(store, "Anna")
        with pytest.raises(InvalidInput, match="empty store"):
            store_zip_writing_and_reading.read_store_zip_and_return_report_text(store, whole)
        assert store.rows("select count(*) from item") == [(0,)]


def rewritten(whole: Path, target: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    with zipfile.ZipFile(whole) as given, zipfile.ZipFile(target, "w") as out:
        for name in given.namelist():
            data = change(name, given.read(name))
            if data is not None:
                out.writestr(name, data)
    return target


def _manifest(**said: object) -> Callable[[str, bytes], bytes | None]:
    def change(name: str, data: bytes) -> bytes:
        return json.dumps(json.loads(data) | said).encode() if name == "manifest.json" else data

    return change


def _another_column(name: str, data: bytes) -> bytes:
    if name != "tables/item.parquet":
        return data
    out = io.BytesIO()
    table = parquet.read_table(io.BytesIO(data))
    parquet.write_table(table.append_column("more", pa.nulls(len(table))), out)
    return out.getvalue()


CHANGES: list[Callable[[str, bytes], bytes | None]] = [
    _another_column,
    lambda name, data: None if name == "tables/item.parquet" else data,
    lambda name, data: data[: len(data) // 2] if name == "tables/item.parquet" else data,
    lambda name, data: b"{" if name == "manifest.json" else data,
    lambda name, data: None if name == "manifest.json" else data,
    _manifest(store=table_dump.VERSION + 1),
    _manifest(tables={"../../evil": 1}),
    _manifest(tables={"nothing": 0}),
    _manifest(tables={"item": 999_999}),
]


@pytest.mark.deep
def test_a_zip_that_was_changed_is_refused_and_nothing_is_written(
    whole: Path, tmp_path: Path
) -> None:
    with contextlib.closing(open_store(tmp_path / "new.duckdb")) as store:
        for n, change in enumerate(CHANGES):
            bad = rewritten(whole, tmp_path / f"{n}.zip", change)
            with pytest.raises(BadFile):
                store_zip_writing_and_reading.read_store_zip_and_return_report_text(store, bad)
            assert store.rows("select count(*) from item") == [(0,)], n
        # And the store takes the good one afterwards.
        store_zip_writing_and_reading.read_store_zip_and_return_report_text(store, whole)


def test_what_is_no_zip_is_refused(tmp_path: Path, store: Store) -> None:
    (tmp_path / "no.zip").write_bytes(b"hello")
    with pytest.raises(
        MedLensError, match=r"no\.zip is not a complete MedLens export|new DuckDB file"
    ):
        store_zip_writing_and_reading.read_store_zip_and_return_report_text(
            store, tmp_path / "no.zip"
        )


@pytest.mark.deep
def test_the_command_line_writes_it_and_takes_it_in(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    lay_store: LayStore,
) -> None:
    one = lay_store(
        tmp_path / "one.duckdb", work_behind_commands.add_demo_studies_and_return_report_text
    )
    monkeypatch.setenv("MEDLENS_STORE", str(one))
    assert cli.main(["export", "everything"]) == 1
    target = str(tmp_path / "all.zip")
    assert cli.main(["export", "everything", "-o", target]) == 0
    assert cli.main(["export", "everything", "-o", target]) == 1
    assert cli.main(["import", "everything", target]) == 1
    assert cli.main(["--store", str(tmp_path / "two.duckdb"), "import", "everything", target]) == 0
    said = capsys.readouterr()
    assert "-o FILE.zip" in said.err
    assert "empty store" in said.err
    assert "Imported" in said.out
