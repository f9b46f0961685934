"""The audit log: what is in it, who may read it, and that nothing in it changes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from medlens import cli
from medlens.app import exports_without_pandas, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import MedLensError, NotAllowed
from medlens.review import audit_log, judging, judgment_import, raters
from medlens.review.hand_out_settings import change_task_settings
from medlens.store import Store, open_store
from tests.store.made_up import TASK, person, poems


@pytest.fixture
def lead(store: Store) -> raters.Rater:
    return person(store, "Lena", lead=True)


def told(store: Store, lead: raters.Rater, **narrowed: object) -> list[tuple[str, ...]]:
    table = audit_log.entries_table(store, viewer=lead, **narrowed)  # type: ignore[arg-type]
    return [tuple(row) for row in table[["kind", "who", "about", "detail"]].to_numpy()]


def test_what_the_store_holds_anyway_is_told_with_what_was_noted_newest_first(
    store: Store, lead: raters.Rater
) -> None:
    rosa = person(store, "Rosa")
    raters.set_role_of_rater(store, rosa.id, "lead", by=lead)
    row = judgment_import.make_import_log_row(
        kind="labels", dataset="d", file="f.csv", added=2, known=1, refused=0, by=lead.id
    )
    store.append("import_log", row)
    change_task_settings(store, TASK.name, "poems", {"seed": 3, "raters_per_item": 2}, by=lead)
    exports_without_pandas.log_export(store, "judgments", "poems", rows=12, by=rosa.id)
    audit_log.record_entry(store, "backup", who=work_behind_commands.CLI, about="b.duckdb")
    assert told(store, lead) == [
        ("backup", "command line", "b.duckdb", ""),
        ("export", "Rosa", "judgments of poems", "12 rows"),
        ("settings", "Lena", "made_up_rating of poems", "raters_per_item, seed"),
        ("import", "Lena", "f.csv", "labels into d: 2 added, 1 known, 0 refused"),
        ("role", "Lena", "Rosa", "lead"),
        ("role", "Lena", "Lena", "lead"),
    ]


def test_a_reveal_names_the_item_and_tells_nothing_of_its_text(
    store: Store, lead: raters.Rater
) -> None:
    [item] = poems(store, 1)
    judging.list_others_judgments_and_record_view(store, TASK, item=item, viewer=lead)
    [entry, *_] = told(store, lead)
    assert entry == ("reveal", "Lena", TASK.name, "poem0")
    assert "Roses" not in str(told(store, lead))


def test_entries_are_narrowed_and_paged(store: Store, lead: raters.Rater) -> None:
    for n in range(5):
        audit_log.record_entry(store, "refused", who=f"Eve{n}@Example.org")
    refused = ("refused",)
    assert [row[1] for row in told(store, lead, kinds=refused, skip=1, limit=2)] == [
        "Eve3@Example.org",
        "Eve2@Example.org",
    ]
    assert [row[1] for row in told(store, lead, who="eve3@")] == ["Eve3@Example.org"]
    assert [row[1] for row in told(store, lead, who="lena")] == ["Lena"]
    assert audit_log.count_entries(store, viewer=lead, kinds=refused) == 5
    assert audit_log.count_entries(store, viewer=lead, who="nobody'--") == 0


def test_only_leads_read_and_export_it(store: Store, lead: raters.Rater) -> None:
    rosa = person(store, "Rosa")
    for read in (
        lambda: audit_log.entries_table(store, viewer=rosa),
        lambda: audit_log.count_entries(store, viewer=rosa),
        lambda: work_behind_commands.make_export_table(store, Settings(), "audit", viewer=rosa),
    ):
        with pytest.raises(NotAllowed):
            read()
    table = work_behind_commands.make_export_table(store, Settings(), "audit", viewer=lead)
    assert list(table.columns) == ["when", "kind", "who", "about", "detail"]


def test_a_sign_in_begins_once_ends_once_and_is_known_to_a_new_process(
    store: Store, lead: raters.Rater, reopened: Callable[[], Store]
) -> None:
    assert audit_log.find_sign_in(store, "key") is None
    began = audit_log.find_or_record_sign_in(store, "key", who=lead.id, about="lena@example.org")
    assert not began.ended
    assert (
        audit_log.find_or_record_sign_in(store, "key", who=lead.id, about="lena@example.org")
        == began
    )
    assert audit_log.find_sign_in(store, "other") is None
    audit_log.record_sign_out(store, "key", who=lead.id)
    audit_log.record_sign_out(store, "key", who=lead.id)
    assert audit_log.find_or_record_sign_in(
        store, "key", who=lead.id, about="lena@example.org"
    ).ended
    assert audit_log.count_entries(store, viewer=lead, kinds=("sign_in", "sign_out")) == 2
    again = audit_log.find_sign_in(reopened(), "key")
    assert again is not None
    assert (again.ended, again.began) == (True, began.began)


@pytest.mark.deep
def test_the_demo_is_one_entry_also_when_it_is_loaded_again(
    store: Store, lead: raters.Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_study = {"agentclinic": work_behind_commands.STUDIES["agentclinic"]}
    monkeypatch.setattr(work_behind_commands, "STUDIES", one_study)
    before = audit_log.count_entries(store, viewer=lead)
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    assert audit_log.count_entries(store, viewer=lead) == before + 1
    assert told(store, lead)[0] == ("import", "command line", "the demo studies", "")


# -- refused imports -----------------------------------------------------------------------------

REFUSED = {
    "rows that cannot be imported": ("items", "item,question,response\na,Why?, \n"),
    "the file cannot be read": ("items", "PK\x03\x04 xl/workbook.xml"),
    "it contradicts what is already there": (
        "items",
        "item,question,response,dataset\na,Why?,Because.,x\nb,Why?,Because.,y\n",
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_refused_import_is_noted_with_its_reason_and_nothing_of_the_file(
    store: Store, lead: raters.Rater, tmp_path: Path, why: str
) -> None:
    kind, content = REFUSED[why]
    path = tmp_path / "f.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MedLensError):
        work_behind_commands.import_file(
            store, Settings(), kind, path, name="a\u202eb\n.csv", by=lead.id
        )
    # Who only looks has imported nothing.
    with pytest.raises(MedLensError):
        work_behind_commands.import_file(store, Settings(), kind, path, name="f.csv", dry_run=True)
    assert told(store, lead, kinds=["import"]) == [
        ("import", "Lena", "ab .csv", f"{kind}: refused, {why}")
    ]


def test_an_import_is_noted_under_a_name_without_what_cannot_be_seen(
    store: Store, lead: raters.Rater, tmp_path: Path
) -> None:
    path = tmp_path / "f.csv"
    path.write_text("item,question,response\na,Why?,Because.\n", encoding="utf-8")
    work_behind_commands.import_file(store, Settings(), "items", path, name="\u202efdp.csv\x1b[2J")
    assert told(store, lead, kinds=["import"]) == [
        ("import", "command line", "fdp.csv [2J", "items into main: 1 added, 0 known, 0 refused")
    ]


@pytest.mark.deep
def test_a_backup_and_an_export_of_the_command_line_are_noted(
    store_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", str(store_path))
    assert cli.main(["demo"]) == 0
    assert cli.main(["backup", str(tmp_path / "b.duckdb")]) == 0
    assert cli.main(["export", "items", "-o", str(tmp_path / "i.csv")]) == 0
    assert cli.main(["export", "audit", "-o", str(tmp_path / "a.csv")]) == 0
    with contextlib.closing(open_store(store_path)) as found:
        log = audit_log.entries_table(found, viewer=None)
    assert [tuple(row) for row in log[["kind", "about", "detail"]].to_numpy()] == [
        ("export", "audit", "3 rows"),
        ("export", "items", "24 rows"),
        ("backup", "b.duckdb", ""),
        ("import", "the demo studies", ""),
    ]
