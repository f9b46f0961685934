"""The demo of SourceCheckup is whole, says that it is illustrative, and holds to its own rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from medlens.errors import BadFile
from medlens.review import consensus, items
from medlens.sourcecheckup import queries
from medlens.sourcecheckup.demo import DATASET, add_demo, load_demo
from medlens.sourcecheckup.study import open_study
from medlens.store import open_store

FOLDER = Path(__file__).resolve().parents[2] / "data/demo/sourcecheckup"


def test_the_demo_has_what_it_promises() -> None:
    demo = load_demo(FOLDER)
    assert len(demo.questions) == 12
    assert {one.model for one in demo.responses} == {"demo-a", "demo-b", "demo-c"}
    assert len(demo.sources) == 40
    assert 140 <= len(list(demo.pairs)) <= 160
    outcomes = Counter(one.outcome for one in demo.sources)
    assert {"not_found", "paywalled", "empty", "blocked", "refused"} <= outcomes.keys()
    doctors = {one.rater for one in demo.judgments if one.kind == "person"}
    assert doctors == {"Demo doctor A", "Demo doctor B", "Demo doctor C"}


def test_no_address_of_the_demo_belongs_to_anybody() -> None:
    for one in load_demo(FOLDER).sources:
        host = urlsplit(one.url).hostname or ""
        reserved = ("example.org", "example.com", "example.net", "example")
        assert not host or host.endswith(reserved), one.url


def test_every_judgment_of_the_demo_could_have_been_submitted(tmp_path: Path) -> None:
    store = open_store(tmp_path / "demo.duckdb")
    add_demo(store, load_demo(FOLDER))
    study = open_study(store, DATASET)
    assert study.illustrative
    for task in study.tasks:
        judged = consensus.judgments(store, task, dataset=DATASET, viewer=None)
        for item, value in zip(judged["item_id"], judged["value"], strict=True):
            assert task.problems(value, items.body_of(store, item)) == []
    assert (
        len(queries.verdicts(store, DATASET))
        == 2 * (queries.pairs(store, DATASET)["outcome"] == "ok").sum()
    )
    before = store.version()
    add_demo(store, load_demo(FOLDER))
    assert store.version("judgment", "item") <= before
    assert queries.cleanups(store, DATASET)["verdict"].isin(["", "supported", "partly"]).all()
    store.close()


def test_a_demo_file_that_is_not_as_it_should_be_is_named_with_its_line(tmp_path: Path) -> None:
    for file in FOLDER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    text = (FOLDER / "responses.jsonl").read_text(encoding="utf-8")
    broken = text.replace('"question": "iron"', '"question": "gold"', 1)
    (tmp_path / "responses.jsonl").write_text(broken, encoding="utf-8")
    with pytest.raises(BadFile, match=r"responses.jsonl, line 1.*question"):
        load_demo(tmp_path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[1]", "one JSON object"),
        ("{", "one JSON object"),
        ('{"statement": "x"}', "illustrative"),
        ('{"dataset": "demo", "illustrative": true, "statement": "nobody-1"}', "statement"),
    ],
)
def test_every_line_of_a_demo_file_is_a_row_that_says_it_is_illustrative(
    line: str, said: str, tmp_path: Path
) -> None:
    for file in FOLDER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "merged.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(BadFile, match=rf"merged.jsonl, line 2.*{said}"):
        load_demo(tmp_path)
