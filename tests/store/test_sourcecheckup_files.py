"""SourceCheckup's files in and out: whole or not at all, every fault with its line."""

from __future__ import annotations

import contextlib
import functools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

from medlens.app import store_check, work_behind_commands
from medlens.config.settings import Imports, Model, Settings
from medlens.errors import BadFile, InvalidInput
from medlens.review.assignment import load_rater_queue
from medlens.review.tasks import HandOut
from medlens.store import Store, open_store
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import queries, records_to_store_rows
from medlens.studies.sourcecheckup.load_figure_evidence import load_evidence
from medlens.studies.sourcecheckup.records import (
    Question,
    Response,
    Source,
    SourceJudgment,
    Statement,
    pair_id,
    source_id,
)
from medlens.studies.sourcecheckup.study_in_dataset import open_study
from medlens.tables import Format, write_table
from tests.conftest import LayStore, quick_or_deep
from tests.sourcecheckup_made_up import figures
from tests.store.conftest import Filled

pytestmark = pytest.mark.usefixtures("read_near")

DEMO = Path(__file__).resolve().parents[2] / "data/demo/sourcecheckup"
SETTINGS = Settings(models={"gpt-x": Model(base_url="http://localhost:1/v1", model="gpt-x")})
KINDS = {
    "questions": "questions",
    "responses": "responses",
    "statements": "statements",
    "sources": "sources",
    "pairs": "pairs",
    "cleanups": "cleanups",
    "merged": "merged",
    "countries": "countries",
    "answer-judgments": "judgments",
    "statement-checks": "judgments",
    "question-checks": "judgments",
}
"""Exports in the order in which they go in again, and the kinds they go in as."""

Take = Callable[..., work_behind_commands.Outcome]


def take_text(
    store: Store, kind: str, text: str, *, name: str = "f.csv", **how: object
) -> work_behind_commands.Outcome:
    """Imports a text as a file of a kind (without its prefix), into the dataset d if not told."""
    how = {"dataset": "d", **how}
    return work_behind_commands.import_file(
        store,
        SETTINGS,
        f"sourcecheckup-{kind}",
        text.encode(),
        name=name,
        **how,  # type: ignore[arg-type]
    )


@pytest.fixture
def take(store: Store) -> Take:
    """``take_text`` into the test's store."""
    return functools.partial(take_text, store)


def state(store: Store) -> None:
    """A question, two responses and their statements."""
    take_text(store, "questions", "question_id,question,group\nq1,Why?,search\n")
    take_text(
        store,
        "responses",
        "response_id,question_id,model,response,urls\n"
        'r1,q1,gpt-x,Because.,"[""https://a.example/1"", ""https://a.example/2""]"\n'
        "r2,q1,other,Since.,https://a.example/1 https://a.example/1\n",
    )
    statements = "statement_id,response_id,statement\ns1,r1,Bees sting\ns2,r2,Bees fly\n"
    take_text(store, "statements", statements)


@pytest.fixture
def stated(filled: Filled) -> Store:
    return filled(state)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    """``stated`` for all tests of what is refused: nothing is written."""
    path = lay_store(tmp_path_factory.mktemp("stated") / "store.duckdb", state)
    with contextlib.closing(open_store(path)) as store:
        yield store


def table(store: Store, kind: str, dataset: str, *, nested: bool = False) -> pd.DataFrame:
    return work_behind_commands.make_export_table(
        store, SETTINGS, kind, viewer=None, study="sourcecheckup", dataset=dataset, nested=nested
    )


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(tmp_path_factory.mktemp("demo") / "demo.duckdb", STUDIES["sourcecheckup"].demo)
    with contextlib.closing(open_store(path)) as store:
        yield store


@pytest.fixture(scope="module")
def of_demo(demo: Store) -> Callable[..., pd.DataFrame]:
    """A table of the demo, made once."""
    return functools.cache(lambda kind, nested=False: table(demo, kind, "demo", nested=nested))


@pytest.mark.deep
@pytest.mark.parametrize("form", quick_or_deep("jsonl", "csv", "parquet"))
def test_what_goes_out_comes_in_again_with_the_same_tables_and_figures(
    form: Format, of_demo: Callable[..., pd.DataFrame], store: Store, tmp_path: Path
) -> None:
    for kind, into in KINDS.items():
        file = tmp_path / f"{kind}.{form}"
        write_table(of_demo(kind, nested=form != "csv"), file, format=form)
        # What a row is, and so whether it is known, does not depend on the form.
        for turn in range(2 if form == "csv" else 1):
            done = work_behind_commands.import_file(
                store, SETTINGS, f"sourcecheckup-{into}", file, name=file.name, dataset="demo"
            )
            assert (done.added > 0, done.refused) == (turn == 0, 0), kind
    # Figures are made of the tables.
    for kind in (*KINDS, "judgments", "labels", *(["figures"] if form == "csv" else [])):
        # When a registration became known, and how, is this store's own.
        own = ["looked_up_at", "origin"] if kind == "countries" else []
        pd.testing.assert_frame_equal(
            table(store, kind, "demo").drop(columns=own),
            of_demo(kind).drop(columns=own),
        )
    assert store.find_first_row_as_dict("select bool_and(illustrative) as all from item") == {
        "all": True
    }


@pytest.mark.deep
def test_a_file_gives_the_same_rows_as_the_pipeline(stated: Store, take: Take) -> None:
    url = "https://a.example/1"
    take("sources", f"url,status,text\n{url},200,Bees do sting. É\n")
    take("pairs", f"statement_id,url,rater,verdict,reason,quote\ns1,{url},gpt-x,found,É,do sting\n")
    said = SourceJudgment(verdict="supported", reason="É", quote="do sting")
    same = records_to_store_rows.join_rows_by_table(
        [
            records_to_store_rows.question_and_item_rows_by_table(
                Question(name="q1", question="Why?", group="search"), dataset="d"
            ),
            records_to_store_rows.response_citation_and_item_rows_by_table(
                Response(name="r2", question="q1", model="other", text="Since.", urls=(url, url)),
                dataset="d",
            ),
            records_to_store_rows.statement_and_parse_rows_by_table(
                [Statement(name="s1", response="r1", statement="Bees sting")],
                dataset="d",
                response="r1",
            ),
            records_to_store_rows.snapshot_and_text_part_rows_by_table(
                Source(url=url, outcome="ok", status=200, text="Bees do sting. É"), dataset="d"
            ),
            records_to_store_rows.pair_item_rows_by_table(
                "s1", "r1", url, source=source_id("d", url), dataset="d"
            ),
            records_to_store_rows.model_rater_and_judgment_rows_by_table(
                said, item=pair_id("d", "s1", url), model="gpt-x"
            ),
        ]
    )
    assert set(stated.append_all_and_count_new_by_table(same).values()) == {0}
    [body] = stated.query_rows_as_dicts("select body, digest from item where kind = 'pair'")
    assert body["body"] == same["item"][-1]["body"]
    assert body["digest"] == same["item"][-1]["digest"]
    assert stated.find_first_row_as_dict("select digest from sc_source") == {
        "digest": same["sc_source"][0]["digest"]
    }


def test_raters_with_a_models_name_are_models(stated: Store, take: Take) -> None:
    url = "https://a.example/1"
    head = "statement_id,url,rater,verdict\n"
    done = take(
        "pairs", f"{head}s1,{url},gpt-x,supported\ns1,{url},other,partly\ns1,{url},Dr Osei,no\n"
    )
    [remark] = [note for note in done.notes if "Taken as people" in note]
    assert "has this name: Dr Osei. " in remark
    models, people = (
        queries.current_verdicts_table(stated, "d", kind=kind) for kind in ("model", "person")
    )
    assert models[["rater", "verdict"]].to_dict("split")["data"] == [
        ["gpt-x", "supported"],
        ["other", "partly"],
    ]
    assert people["rater"].tolist() == ["Dr Osei"]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("kind", "text", "line", "column"),
    [
        (
            "pairs",
            "statement_id,url,rater,verdict\ns1,https://a.example/1,m,supported\n"
            "s9,https://a.example/1,m,supported\n",
            3,
            "statement_id",
        ),
        ("pairs", "statement_id,url,rater,verdict\ns1,https://b.example/,m,no\n", 2, "url"),
        (
            "pairs",
            'statement_id,url,rater,verdict,reason\ns1,https://a.example/1,m,no,"a\nb"\n'
            "s1,https://a.example/2,m,perhaps,\n",
            4,
            "verdict",
        ),
        (
            "pairs",
            "statement_id,url,rater,verdict\ns1,https://a.example/1,m,yes\n"
            "s1,https://a.example/1,m,no\n",
            3,
            "verdict",
        ),
        ("pairs", "statement_id,url,rater,verdict\ns1,https://a.example/1,,yes\n", 2, "rater"),
        (
            "pairs",
            "statement_id,url,rater,verdict,revision\ns1,https://a.example/1,m,yes,2147483648\n",
            2,
            "revision",
        ),
        ("statements", "statement_id,response_id,statement\ns7,r9,Bees hum\n", 2, "response_id"),
        (
            "statements",
            "statement_id,response_id,statement\ns1,r2,Bees sting\n",
            2,
            "statement_id",
        ),
        (
            "responses",
            "response_id,question_id,model,response,urls\nr7,q9,m,Yes.,\n",
            2,
            "question_id",
        ),
        ("responses", "response_id,question_id,model,response,urls\nr7,q1,m,Yes.,[1]\n", 2, "urls"),
        ("sources", "url,status,text\nhttps://a.example/1,two hundred,Text\n", 2, "status"),
        ("sources", "url,status,text,outcome\nhttps://a.example/1,200,,ok\n", 2, "text"),
        (
            "sources",
            "url,status,text\nhttps://a.example/1,200,One\nhttps://a.example/1,200,Two\n",
            3,
            "url",
        ),
    ],
)
def test_a_fault_is_named_by_file_line_and_column_and_nothing_is_written(
    untouched: Store, kind: str, text: str, line: int, column: str
) -> None:
    before = queries.version_number_of_study_data(untouched)
    with pytest.raises(BadFile) as refused:
        take_text(untouched, kind, text)
    [problem] = refused.value.rows
    assert (problem.file, problem.line, problem.column) == ("f.csv", line, column)
    assert queries.version_number_of_study_data(untouched) == before


def test_the_good_rows_are_imported_when_bad_ones_are_skipped(
    stated: Store, take: Take, tmp_path: Path
) -> None:
    lines = [
        {"statement_id": name, "url": "https://a.example/1", "rater": "gpt-x", "verdict": "yes"}
        for name in ("s1", "s2", "s3")
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = take("pairs", text, name="f.jsonl", skip_bad=True, bad_rows=tmp_path / "bad")
    assert (done.added, done.refused) == (2, 1)
    [bad] = (tmp_path / "bad.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(bad)["medlens_line"] == 3


def test_a_file_that_is_cut_off_in_a_cell_is_refused(stated: Store, take: Take) -> None:
    with pytest.raises(BadFile, match="closing quotation mark"):
        take("sources", 'url,status,text\nhttps://a.example/1,200,"The text\nhttps://b.ex')


def test_every_address_is_kept_as_it_was_cited(stated: Store, take: Take) -> None:
    odd = ["javascript:alert(1)", "file:///etc/passwd", *["https://a.example/1"] * 5]
    many = [f"https://a.example/{n}" for n in range(300)]
    line = {"question_id": "q1", "model": "m", "response": "x"}
    take(
        "responses",
        json.dumps({**line, "response_id": "r3", "urls": odd})
        + "\n"
        + json.dumps({**line, "response_id": "r4", "urls": many})
        + "\n"
        + json.dumps({**line, "response_id": "r5", "urls": []})
        + "\n"
        + json.dumps({**line, "response_id": "r6", "urls": [], "response": " "})
        + "\n",
        name="f.jsonl",
    )
    given = {one.name: one for one in queries.list_responses(stated, "d")}
    assert given["r3"].urls == tuple(odd)
    assert len(given["r4"].urls) == 300
    assert given["r5"].urls == ()
    assert given["r6"].outcome == "invalid"
    take("statements", "statement_id,response_id,statement\nt1,r3,Same\nt2,r3,Same\n,r5,\n")
    found = queries.table_of_all_pairs(stated, "d")
    # Two statements of r3 with three addresses; the one that came five times counts once.
    assert len(found[found["response"] == "r3"]) == 6
    assert "r5" in queries.names_of_responses_already_split(stated, "d")
    take("sources", "url,status,text\njavascript:alert(1),,\nhttps://a.example/7,404,\n")
    states = {
        url: one.outcome for url, one in queries.newest_snapshots_by_address(stated, "d").items()
    }
    assert states == {"javascript:alert(1)": "refused", "https://a.example/7": "not_found"}


def test_addresses_are_taken_out_of_the_text_where_there_is_no_column_for_them(
    stated: Store, take: Take
) -> None:
    take(
        "responses",
        "response_id,question_id,model,response\nr8,q1,m,See https://a.example/8 for more.\n",
    )
    found = {one.name: one for one in queries.list_responses(stated, "d")}["r8"]
    assert found.urls == ("https://a.example/8",)
    assert "https" not in found.text
    assert "https" in found.raw


def test_addresses_are_taken_out_of_the_text_of_every_row_that_names_none(
    stated: Store, take: Take
) -> None:
    take(
        "responses",
        "response_id,question_id,model,response,urls\nr8,q1,m,See https://a.example/8 for more.,\n"
        "r9,q1,m,See https://a.example/9 for more.,[]\nr10,q1,m,Rest.,https://a.example/10\n",
    )
    found = {one.name: one for one in queries.list_responses(stated, "d")}
    assert [found[name].urls for name in ("r8", "r9", "r10")] == [
        ("https://a.example/8",),
        (),
        ("https://a.example/10",),
    ]
    assert [found[name].text for name in ("r8", "r9")] == [
        "See for more.",
        "See https://a.example/9 for more.",
    ]


def test_an_answer_that_is_an_address_alone_is_none_unless_the_file_says_so(
    stated: Store, take: Take
) -> None:
    one = "https://a.example/8"
    take(
        "responses",
        f"response_id,question_id,model,response,urls,outcome\nr9,q1,m,{one},{one},\n"
        f'r10,q1,m,{one},{one},ok\nr11,q1,m,"1. <{one}>, {one}.",{one},\nr12,q1,m,,,\n'
        f"r13,q1,m,Yes ({one}).,{one},\n",
    )
    take("responses", f"response_id,question_id,model,response\nr14,q1,m,{one}\n")
    assert {
        given.name: (given.outcome, given.reason)
        for given in queries.list_responses(stated, "d")
        if given.name not in ("r1", "r2")
    } == {
        "r9": ("invalid", "it holds nothing but addresses"),
        "r10": ("ok", ""),
        "r11": ("invalid", "it holds nothing but addresses"),
        "r12": ("invalid", "it is empty"),
        "r13": ("ok", ""),
        "r14": ("invalid", "it holds nothing but addresses"),
    }


def test_a_page_that_no_pair_shows_is_a_newer_snapshot_when_it_comes_again(
    stated: Store, take: Take
) -> None:
    url = "https://a.example/1"
    take("sources", f"url,status,text\n{url},200,First\n")
    assert take("sources", f"url,status,text\n{url},200,Second\n").added == 1
    assert take("sources", f"url,status,text\n{url},200,Second\n").added == 0
    assert queries.newest_snapshots_by_address(stated, "d")[url].revision == 2


def test_pairs_keep_the_text_of_a_page_that_comes_again_until_a_lead_chooses(
    stated: Store, take: Take
) -> None:
    url = "https://a.example/1"
    take("sources", f"url,status,text\n{url},200,First\n")
    take("pairs", f"statement_id,url,rater,verdict\ns1,{url},gpt-x,yes\n")
    with pytest.raises(InvalidInput, match="with another text"):
        take("sources", f"url,status,text\n{url},200,Second\n")
    assert queries.newest_snapshots_by_address(stated, "d")[url].revision == 1
    assert queries.load_pair_as_shown(stated, pair_id("d", "s1", url)).text == "First"


def test_one_id_for_verdicts_of_two_raters_is_refused(stated: Store, take: Take) -> None:
    url = "https://a.example/1"
    take("sources", f"url,status,text\n{url},200,First\n")
    rows = f"x,s1,{url},gpt-x,yes\nx,s1,{url},other,yes\n"
    with pytest.raises(BadFile) as refused:
        take("pairs", f"judgment_id,statement_id,url,rater,verdict\n{rows}")
    assert [(row.line, row.column) for row in refused.value.rows] == [(3, "judgment_id")]


def test_verdicts_in_the_published_layout_go_both_ways(stated: Store, take: Take) -> None:
    text = (
        "Statement,Citation URL,Decision,Reason\n"
        "Bees sting,https://a.example/1,found,It says so\n"
        "Bees dance,https://b.example/,not_found,\n"
        "Bees dance,https://c.example/,found,\n"
    )
    assert take("decisions", text, name="bees.csv", label="gpt-x").added == 3
    assert take("decisions", text, name="bees.csv", label="gpt-x").added == 0
    out = table(stated, "decisions", "d")
    columns = ["Statement", "Citation URL", "Decision", "Reason"]
    written = out[columns].to_csv(index=False).replace("\r\n", "\n")
    assert sorted(written.splitlines()) == sorted(text.splitlines())
    # The statement that was known is judged in its own response, the other in a new one.
    assert set(out["Statement ID"]) == {"s1", "bees-2"}


def test_verdicts_of_models_keep_their_run_and_prompt_in_files(stated: Store, take: Take) -> None:
    url = "https://a.example/1"
    text = (
        "statement_id,url,rater,rater_kind,verdict,run_id,prompt_version\n"
        f"s1,{url},gpt-x,model,yes,r1,p1\ns1,{url},Anna,person,yes,r1,p1\n"
        f"s2,{url},gpt-x,model,no,,\n"
    )
    take("pairs", text)
    names = ["rater", "run_id", "prompt_version"]
    out = table(stated, "pairs", "d")
    assert list(out.columns[-2:]) == names[1:]
    said = out[out["rater"] != ""][names].fillna("").to_numpy().tolist()
    assert sorted(said) == [["Anna", "", ""], ["gpt-x", "", ""], ["gpt-x", "r1", "p1"]]


@pytest.mark.deep
def test_a_sound_store_is_told_from_one_whose_pages_were_changed(stated: Store, take: Take) -> None:
    url = "https://a.example/1"
    take("sources", f"url,status,text\n{url},200,Bées sting\n")
    take("pairs", f"statement_id,url,rater,verdict\ns1,{url},gpt-x,yes\n")
    assert store_check.list_store_faults_in_words(stated, SETTINGS) == []
    changed = records_to_store_rows.snapshot_and_text_part_rows_by_table(
        Source(url="https://a.example/2", outcome="ok", text="One"), dataset="d"
    )
    changed["sc_source"][0]["text"] = "Another"
    stated.append_all_and_count_new_by_table(changed)
    [fault] = store_check.list_store_faults_in_words(stated, SETTINGS)
    assert "https://a.example/2" in fault


@pytest.mark.first_quick
@pytest.mark.parametrize("how", ["imported", "fetched"])
def test_a_long_page_is_kept_in_pieces_and_read_whole(stated: Store, take: Take, how: str) -> None:
    url, text = "https://a.example/1", "Bées sting\n" * 1_000 + "end"
    if how == "imported":
        lines = [{"url": url, "status": 200, "text": text}, {"url": f"{url}2", "text": "Short"}]
        take("sources", "".join(f"{json.dumps(line)}\n" for line in lines), name="f.jsonl")
    else:
        stated.append_all_and_count_new_by_table(
            records_to_store_rows.snapshot_and_text_part_rows_by_table(
                Source(url=url, outcome="ok", text=text), dataset="d"
            )
        )
        short = Source(url=f"{url}2", outcome="ok", text="Short")
        stated.append_all_and_count_new_by_table(
            records_to_store_rows.snapshot_and_text_part_rows_by_table(short, dataset="d")
        )
    assert stated.rows("select text, characters from sc_source order by characters") == [
        ("Short", 5),
        ("", len(text)),
    ]
    # DuckDB writes 2,048 values at once: with pieces, 8 MB and not as many pages.
    assert stated.rows("select max(length(text)), count(*) from sc_source_part") == [(4_000, 3)]
    source = source_id("d", url, 1)
    assert queries.source_text(stated, source) == text
    assert queries.source_text(stated, source_id("d", f"{url}2", 1)) == "Short"
    take("pairs", f"statement_id,url,rater,verdict\ns1,{url},gpt-x,yes\n")
    [(body,)] = stated.rows("select body from item where kind = 'pair'")
    assert queries.source_text_of_pair(stated, json.loads(body)) == text
    assert queries.load_pair_as_shown(stated, pair_id("d", "s1", url)).text == text
    assert sorted(table(stated, "sources", "d")["text"]) == sorted([text, "Short"])
    assert store_check.list_store_faults_in_words(stated, SETTINGS) == []
    again = [{"url": url, "status": 200, "text": text}]
    assert take("sources", f"{json.dumps(again[0])}\n", name="f.jsonl").added == 0
    stated.rows("delete from sc_source_part where n = 1")
    [fault] = store_check.list_store_faults_in_words(stated, SETTINGS)
    assert url in fault


@pytest.mark.deep
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_pages_are_imported_with_more_text_than_there_is_memory_for(
    store: Store, tmp_path: Path, form: str
) -> None:
    """Of 90 MB with 256 MB allowed; the columns, their checks and the rows took five times that."""
    texts = [os.urandom(15_000).hex() for _ in range(3_000)]
    # Some lines have no text, one comes twice, one is refused.
    pages = [(f"https://a.example/{n}", 200, text) for n, text in enumerate(texts)]
    pages += [("https://a.example/gone", 404, ""), pages[0], ("", 200, "nowhere")]
    file = tmp_path / f"pages.{form}"
    frame = pd.DataFrame(pages, columns=["url", "status", "text"])
    write_table(frame, file, format=form)  # type: ignore[arg-type]
    done = work_behind_commands.import_file(
        *(store, SETTINGS.model_copy(update={"imports": Imports(memory_mb=256)})),
        "sourcecheckup-sources",
        *(file,),
        name=file.name,
        dataset="d",
        skip_bad=True,
    )
    assert (done.added, done.known, done.refused) == (3_001, 1, 1)
    for n in (0, 1_499, 2_999):
        assert queries.source_text(store, source_id("d", pages[n][0], 1)) == texts[n]


def test_long_pages_that_were_kept_whole_before_are_read_as_ever(stated: Store) -> None:
    text = "Bees sting. " * 1_000
    whole = records_to_store_rows.snapshot_and_text_part_rows_by_table(
        Source(url="https://a.example/1", outcome="ok", text=text), dataset="d"
    )
    whole["sc_source"][0]["text"] = text
    stated.append_all_and_count_new_by_table({"sc_source": whole["sc_source"]})
    assert queries.source_text(stated, source_id("d", "https://a.example/1", 1)) == text
    assert list(table(stated, "sources", "d")["text"]) == [text]
    assert store_check.list_store_faults_in_words(stated, SETTINGS) == []


def test_questions_without_ids_get_some_of_their_own(store: Store, take: Take) -> None:
    text = "question,group\nWhy do bees sting?,search\nHow do they fly?,search\n"
    assert take("questions", text).added == 2
    assert take("questions", text).added == 0
    assert len({one.name for one in queries.list_questions(store, "d")}) == 2


def test_what_json_lines_call_a_text_must_be_one_and_capitals_do_not_matter(
    store: Store, take: Take
) -> None:
    with pytest.raises(BadFile) as refused:
        take("questions", '{"question": "Why?"}\n{"question": {"a": 1}}\n', name="f.jsonl")
    fault = refused.value.rows[0]
    assert (fault.line, fault.column, fault.expected) == (2, "question", "a text")
    # Every line has the column that it must have; the one it may have is spelt otherwise.
    lines = '{"question": "Why?", "Group": "forum"}\n{"question": 7, "group": "search"}\n'
    assert take("questions", lines, name="f.jsonl").added == 2
    known = {one.question: one.group for one in queries.list_questions(store, "d")}
    assert known == {"Why?": "forum", "7": "search"}


def test_rows_of_two_datasets_are_not_imported_together(stated: Store, take: Take) -> None:
    text = "question_id,question,dataset\nq5,Why?,one\nq6,How?,two\n"
    with pytest.raises(InvalidInput, match="2 datasets"):
        take("questions", text, dataset="")
    # But where a person says into which one, they go there.
    assert take("questions", text).line.endswith("into 'd'.")
    assert {"q5", "q6"} <= {one.name for one in queries.list_questions(stated, "d")}


def test_a_dry_run_says_what_would_come_and_writes_nothing(stated: Store, take: Take) -> None:
    before = queries.version_number_of_study_data(stated)
    done = take(
        "pairs", "statement_id,url,rater,verdict\ns1,https://a.example/1,m,no\n", dry_run=True
    )
    assert done.added == 1
    assert queries.version_number_of_study_data(stated) == before


@pytest.mark.deep
@pytest.mark.postgres
def test_whole_files_reach_every_process_through_postgresql(database: str, tmp_path: Path) -> None:
    from medlens.store.postgres_store import open_replica

    first, second = (open_replica(database, every=3_600.0) for _ in range(2))
    try:
        STUDIES["sourcecheckup"].demo(first)
        for kind in ("sources", "pairs"):
            given = table(first, kind, "demo")
            write_table(given.assign(dataset="d"), tmp_path / f"{kind}.jsonl", format="jsonl")
        question = Question(name="q", question="Why?")
        answers = [
            records_to_store_rows.response_citation_and_item_rows_by_table(
                Response(
                    name=one.name, question="q", model=one.model, text=one.text, urls=one.urls
                ),
                dataset="d",
            )
            for one in queries.list_responses(first, "demo")
        ]
        stated = [
            records_to_store_rows.statement_and_parse_rows_by_table(
                [one], dataset="d", response=one.response
            )
            for one in queries.list_statements(first, "demo")
        ]
        first.append_all_and_count_new_by_table(
            records_to_store_rows.join_rows_by_table(
                [
                    records_to_store_rows.question_and_item_rows_by_table(question, dataset="d"),
                    *answers,
                    *stated,
                ]
            )
        )
        for kind in ("sources", "pairs"):
            file = tmp_path / f"{kind}.jsonl"
            done = work_behind_commands.import_file(
                first, SETTINGS, f"sourcecheckup-{kind}", file, name=file.name, dataset="d"
            )
            assert done.added > 0
        second.fetch_rows_of_other_processes_and_count()
        assert table(second, "sources", "d")["text"].tolist() == (
            table(first, "sources", "demo")["text"].tolist()
        )
        assert len(queries.table_of_all_pairs(second, "d")) == len(
            queries.table_of_all_pairs(first, "demo")
        )
    finally:
        first.close()
        second.close()


PAGE_URL = "https://a.example/1"
PARTS = [f"{PAGE_URL}#dose", f"{PAGE_URL}#:~:text=sting", PAGE_URL]


@pytest.mark.deep
def test_addresses_that_differ_behind_the_hash_are_one_source(store: Store, take: Take) -> None:
    take("questions", "question_id,question\nq1,Why?\n")
    line = {"response_id": "r1", "question_id": "q1", "model": "m", "response": "x", "urls": PARTS}
    take("responses", json.dumps(line), name="r.jsonl")
    take("statements", "statement_id,response_id,statement\ns1,r1,Bees sting\n")
    done = take("sources", f"url,status,text\n{PARTS[0]},404,\n{PARTS[1]},200,Bees sting people.\n")
    assert done.added == 1
    assert (
        list(queries.newest_snapshots_by_address(store, "d"))
        == [PAGE_URL]
        == queries.list_cited_addresses(store, "d")
    )
    assert queries.newest_snapshots_by_address(store, "d")[PAGE_URL].outcome == "ok"
    [pair] = queries.table_of_all_pairs(store, "d").to_dict("records")
    assert (pair["url"], pair["outcome"]) == (PAGE_URL, "ok")
    # Of what one verifier says under several addresses the last word counts.
    done = take(
        "pairs",
        "statement_id,url,rater,rater_kind,verdict\n"
        f"s1,{PARTS[0]},v,model,not_supported\ns1,{PARTS[1]},v,model,supported\n"
        f"s1,{PARTS[0]},w,model,partly\n",
    )
    said = queries.current_verdicts_table(store, "d").set_index("rater")["verdict"].to_dict()
    assert said == {"v": "supported", "w": "partly"}
    # As cited it goes out again; a contradiction under one address is still refused.
    assert json.loads(table(store, "responses", "d")["urls"].iloc[0]) == PARTS
    with pytest.raises(BadFile):
        take("pairs", f"statement_id,url,rater,verdict\ns1,{PAGE_URL},x,yes\ns1,{PAGE_URL},x,no\n")


@pytest.mark.deep
def test_a_store_that_holds_them_as_several_is_read_as_one(store: Store, take: Take) -> None:
    take("questions", "question_id,question\nq1,Why?\n")
    line = {"response_id": "r1", "question_id": "q1", "model": "m", "response": "x", "urls": PARTS}
    take("responses", json.dumps(line), name="r.jsonl")
    take("statements", "statement_id,response_id,statement\ns1,r1,Bees sting\n")
    page = "Bees sting people."
    for n, url in enumerate(PARTS):
        one = Source.model_validate({"url": url, "outcome": "ok", "status": 200, "text": page})
        pair = records_to_store_rows.pair_item_rows_by_table(
            "s1", "r1", url, source=source_id("d", url), dataset="d"
        )
        [item] = pair["item"]
        verdict = SourceJudgment(verdict=("partly", "not_supported", "supported")[n])
        for part in (
            records_to_store_rows.snapshot_and_text_part_rows_by_table(one, dataset="d"),
            pair,
            records_to_store_rows.model_rater_and_judgment_rows_by_table(
                verdict, item=str(item["id"]), model="v"
            ),
        ):
            store.append_all_and_count_new_by_table(part)
    study = open_study(store, "d")
    assert len(queries.newest_snapshots_by_address(store, "d")) == 1
    [pair_row] = queries.table_of_all_pairs(store, "d").to_dict("records")
    assert pair_row["item_id"] == pair_id("d", "s1", PARTS[0])
    [said] = queries.current_verdicts_table(store, "d").to_dict("records")
    assert (said["item_id"], said["verdict"]) == (pair_row["item_id"], "supported")
    seen = load_evidence(store, study, viewer=None)
    found = figures(seen).set_index(["figure", "group"])
    assert found.loc[("statement_support", "all"), ["numerator", "denominator"]].tolist() == [1, 1]
    assert found.loc[("url_validity", "all"), "denominator"] == 1
    exported = table(store, "pairs", "d")
    assert exported[["url", "verdict"]].values.tolist() == [[PAGE_URL, "supported"]]
    # One of the three is handed out.
    assert (
        load_rater_queue(store, study.support, HandOut(), dataset="d", rater="somebody").total == 1
    )
    assert queries.count_pairs_settled_by_item(store, "d") == {}
