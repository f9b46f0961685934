"""No file that is written without names holds a name, a handle, an address or a crowd id."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from medlens import cli
from medlens.app import (
    python_api_tables,
    store_zip_writing_and_reading,
    study_report,
    work_behind_commands,
)
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import audit_log, invitations, raters, remarks_between_raters_and_leads
from medlens.review.anonymity import (
    Anonymizer,
    person_number_by_rater_id_or_email,
    person_numbers_by_rater_id,
)
from medlens.store import Store, new_id, open_store, utc_now
from medlens.studies.registry import COMMON, STUDIES
from medlens.tables import write_table
from tests.conftest import LayStore

SETTINGS = Settings()
SURNAME = "Featherstonehaugh"


OUTSIDER, INVITED = "mallory@elsewhere.example", "ivy+1@guest.example"
"""People whom the store knows by their addresses alone."""


def session_of(at: int) -> str:
    """The session in which somebody came from a crowd platform."""
    return f"6e77b1{at:03}s"


def identifiers(at: int) -> dict[str, str]:
    return {
        "handle": f"wf-desk-{at:03}",
        "name": f"Zoë {SURNAME}{at:03}",
        "email": f"zoe.{at:03}@ward.example",
        "worker": f"5f3c9a7e{at:03}",
    }


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    """The demos, done by people whose names cannot be overlooked, and who name each other."""
    path = lay_store(
        tmp_path_factory.mktemp("anon") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with duckdb.connect(str(path)) as file:
        people = file.execute("select id from rater where kind = 'person' order by id").fetchall()
        for at, (rater,) in enumerate(people):
            who = identifiers(at)
            file.execute(
                "update rater set handle = $handle, name = $name, email = $email where id = $id",
                {name: who[name] for name in ("handle", "name", "email")} | {"id": rater},
            )
    with contextlib.closing(open_store(path)) as store:
        [row] = store.rows(
            "select j.task, j.item, j.rater, i.dataset from judgment j join item i on i.id = j.item"
            " join rater r on r.id = j.rater where r.kind = 'person' and i.study = 'tagging'"
            " order by j.seq limit 1"
        )
        task_name, item, rater, dataset = row
        lead = raters.find_or_add_rater_by_name(store, identifiers(900)["name"], role="lead")
        [task] = STUDIES["tagging"].tasks(STUDIES["tagging"].open(store, SETTINGS, dataset))
        for at, (each,) in enumerate(people):
            store.append(
                "crowd_worker",
                {
                    "id": new_id(),
                    "task": task_name,
                    "dataset": f"{dataset}{at}",
                    "rater": each,
                    "worker": identifiers(at)["worker"],
                    "said": {"STUDY_ID": "5f00", "SESSION_ID": session_of(at)},
                },
            )
        words = f"Ask ZOE {SURNAME.upper()}000 or zoe.001@WARD.example\n{identifiers(2)['worker']}."
        words += f" I was {session_of(2)}, and told {OUTSIDER.upper()} so."
        remarks_between_raters_and_leads.store_remark_on_work(
            store, task, item=item, rater=rater, kind="return", text=words, by=lead
        )
        event = {"task": task_name, "item": item, "rater": rater, "lease_until": None}
        store.append("assignment_event", {"id": new_id(), **event, "kind": "flag", "reason": words})
        audit_log.record_entry(
            store, "import", who=lead.id, about="a file", detail=f"of {SURNAME}: Zoë {SURNAME}001"
        )
        audit_log.record_entry(store, "refused", who=OUTSIDER, about=f"{OUTSIDER}, by link")
        invitations.make_invitation_and_return_link_secret(store, by=lead, note=f"for {INVITED}")
        source = store.value("select id from sc_source order by seq limit 1")
        outcome = {"source": source, "revision": 1, "was": "fetched", "outcome": "not_found"}
        store.append("sc_outcome", {"id": new_id(), **outcome, "reason": words, "made_by": lead.id})
        study = {"kind": "figures", "study": "tagging", "dataset": dataset, "task": ""}
        figures = {"group": f"{identifiers(1)['name']} and {identifiers(2)['name']}"}
        store.append("computation", {"id": new_id(), **study, "subject": "", "body": figures})
        yield store


def every_identifier(store: Store) -> list[str]:
    found = store.rows("select handle, name, coalesce(email, '') from rater where kind = 'person'")
    workers = store.column("select worker from crowd_worker")
    sessions = store.column("select said->>'$.SESSION_ID' from crowd_worker")
    people = {one.casefold() for row in found for one in row if one}
    return sorted({*people, *workers, *sessions, OUTSIDER, INVITED})


def texts_in(data: bytes) -> Iterator[str]:
    """All texts in a file: in a zip or Parquet file too."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as given:
            for name in given.namelist():
                yield name
                yield from texts_in(given.read(name))
    elif data[:4] == b"PAR1":
        yield pd.read_parquet(io.BytesIO(data)).to_csv()
    else:
        yield data.decode("utf-8")


def named_in(store: Store, data: bytes) -> list[str]:
    text = "\n".join(texts_in(data)).casefold()
    return [one for one in every_identifier(store) if one in text]


def export(store: Store, kind: str, study: str, *, anonymous: bool) -> bytes:
    out = io.BytesIO()
    table = work_behind_commands.make_export_table(
        store, SETTINGS, kind, viewer=None, study=study, dataset="demo", anonymous=anonymous
    )
    write_table(table, out)
    return out.getvalue()


@pytest.mark.deep
def test_no_table_without_names_names_anybody(named: Store) -> None:
    kinds = [(kind, "") for kind in COMMON]
    kinds += [(kind, name) for name, study in STUDIES.items() for kind in study.exports]
    with_names = set()
    for kind, study in kinds:
        try:
            open_file = export(named, kind, study, anonymous=False)
        except InvalidInput:
            continue  # The demo has nothing of this kind.
        if named_in(named, open_file):
            with_names.add(kind)
        hidden = export(named, kind, study, anonymous=True)
        assert named_in(named, hidden) == [], (kind, study)
        if kind == "remarks":
            assert hidden.count(b"flag") == 1
    crowd = export(named, "crowd", "", anonymous=True).decode()
    assert "5f00" in crowd  # The study's own id names nobody.
    # The search finds them where they are.
    assert {"remarks", "audit", "crowd", "judgments", "ratings", "figures"} <= with_names


@pytest.mark.deep
def test_everything_without_names_names_nobody_and_gives_the_same_figures(
    named: Store, tmp_path: Path
) -> None:
    open_zip, hidden = tmp_path / "open.zip", tmp_path / "hidden.zip"
    store_zip_writing_and_reading.write_store_zip_and_return_report_text(named, SETTINGS, open_zip)
    store_zip_writing_and_reading.write_store_zip_and_return_report_text(
        named, SETTINGS, hidden, anonymous=True
    )
    assert len(named_in(named, open_zip.read_bytes())) > 10
    assert named_in(named, hidden.read_bytes()) == []
    with contextlib.closing(open_store(tmp_path / "other.duckdb")) as other:
        store_zip_writing_and_reading.read_store_zip_and_return_report_text(other, hidden)
        numbers = ["study", "figure", "value", "low", "high", "n"]
        for study in ("tagging", "agentclinic"):
            one, two = (
                work_behind_commands.make_export_table(
                    store, SETTINGS, "figures", viewer=None, study=study, dataset="demo"
                )
                for store in (named, other)
            )
            keys = ["figure", "value", "n"]
            pd.testing.assert_frame_equal(
                one[numbers].sort_values(keys, ignore_index=True),
                two[numbers].sort_values(keys, ignore_index=True),
            )


def tables_without_names(store: Store) -> Iterator[tuple[str, pd.DataFrame]]:
    """Every table of every study in its order, without names."""
    kinds = [(kind, "") for kind in COMMON]
    kinds += [(kind, name) for name, study in STUDIES.items() for kind in study.exports]
    for kind, study in kinds:
        with contextlib.suppress(InvalidInput):
            asked = {"study": study, "dataset": "demo", "anonymous": True}
            yield (
                f"{study} {kind}",
                work_behind_commands.make_export_table(store, SETTINGS, kind, viewer=None, **asked),
            )
    for name in python_api_tables.TABLES:
        if name not in ("studies", "dictionary"):
            for study in STUDIES:
                asked = {} if name == "raters" else {"study": study, "dataset": "demo"}
                with contextlib.suppress(InvalidInput):
                    yield (
                        f"{study} {name}",
                        python_api_tables.make_table_by_name(
                            store, SETTINGS, name, anonymous=True, **asked
                        ),
                    )


@pytest.mark.deep
def test_nothing_without_names_depends_on_the_order_of_names(
    tmp_path: Path, lay_store: LayStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lay_store(
        tmp_path / "d.duckdb", work_behind_commands.add_demo_studies_and_return_report_text
    )
    turned = tmp_path / "turned.duckdb"
    with contextlib.closing(open_store(path)) as store:
        Anonymizer(store)  # The numbers are drawn and kept.
        store.backup(turned)
    with duckdb.connect(str(turned)) as file:
        [(ids, names)] = file.execute(
            "select list(id order by handle), list((handle, name) order by handle desc)"
            " from rater where kind = 'person'"
        ).fetchall()
        for id, (handle, name) in zip(ids, names, strict=True):
            file.execute(
                "update rater set handle = $2 || '.', name = $3 || '.', email = null where id = $1",
                [id, handle, name],
            )
    with (
        contextlib.closing(open_store(path)) as store,
        contextlib.closing(open_store(turned)) as other,
    ):
        # Both reports are of one minute, which they tell.
        now = utc_now()
        monkeypatch.setattr(study_report, "utc_now", lambda: now)
        compared = set()
        both = zip(tables_without_names(store), tables_without_names(other), strict=True)
        for (title, one), (_, two) in both:
            # Bounds from resampling depend on the order in which raters are drawn.
            some = [name for name in one if name not in ("low", "high")]
            pd.testing.assert_frame_equal(one[some], two[some], obj=title)
            compared.add(title)
        assert {"tagging judgments", "ebmqa judgments", "sourcecheckup figures"} <= compared
        reports = [
            work_behind_commands.make_report_file_bytes_and_log_it(
                each, SETTINGS, "tagging", dataset="demo", form="html"
            )
            for each in (store, other)
        ]
        assert reports[0] == reports[1]


def test_rows_pairs_and_lists_of_people_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "o.duckdb")) as store:
        people = [
            raters.find_or_add_rater_by_name(store, f"Rater {at}", role="reviewer")
            for at in range(6)
        ]
        hide = Anonymizer(store)
        numbered = [f"person {at}" for at in range(1, 7)]
        names = [person.name for person in people]
        # By item, with a model among them; the second item was judged by half of them.
        of_items = pd.DataFrame(
            [("a", name) for name in (*names[:3], "a model", *names[3:])]
            + [("b", name) for name in names[:3]]
        ).set_axis(["item", "rater"], axis=1)
        told = hide.anonymise_table(of_items.assign(at=pd.Timestamp("2026-01-01", tz="UTC")))
        assert told["rater"][:7].tolist() == [*numbered[:3], "a model", *numbered[3:]]
        of_three = sorted(int(hide.numbers[person.id]) for person in people[:3])
        assert told["rater"][7:].tolist() == [f"person {at}" for at in of_three]
        # By person, each with the same items.
        by_person = pd.DataFrame([(name, item) for name in names for item in "ab"])
        told = hide.anonymise_table(by_person.set_axis(["rater_handle", "item"], axis=1))
        assert told["rater_handle"].tolist() == [one for one in numbered for _ in "ab"]
        assert told["item"].tolist() == [*"ab"] * 6
        # Figures: everybody's of one kind after everybody's of another, then of pairs.
        rows = [(figure, name) for figure in "fg" for name in names] + [("h", "everyone")]
        told = hide.anonymise_table(pd.DataFrame(rows, columns=["figure", "group"]))
        assert told["group"].tolist() == [*numbered, *numbered, "everyone"]
        pairs = [(one, two) for at, one in enumerate(names) for two in names[at + 1 :]]
        expected = list(combinations(numbered, 2))
        told = hide.anonymise_table(pd.DataFrame(pairs, columns=["rater", "other_rater"]))
        assert list(told.itertuples(index=False, name=None)) == expected
        told = hide.anonymise_table(
            pd.DataFrame({"group": [f"{one} and {two}" for one, two in pairs]})
        )
        assert told["group"].tolist() == [f"{one} and {two}" for one, two in expected]
        assert hide.anonymise_text("open to " + ", ".join(names)) == "open to " + ", ".join(
            numbered
        )
        # What was made one after the other stays in that order.
        times = pd.date_range("2026-01-01", periods=6, tz="UTC").astype("datetime64[us, UTC]")
        told = hide.anonymise_table(pd.DataFrame({"at": times, "who": [one.id for one in people]}))
        assert told["who"].tolist() == [hide.ids[person.id] for person in people]


@pytest.mark.deep
def test_the_command_line_hides_names_where_it_is_asked_to(
    named: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.duckdb"
    named.backup(store)
    monkeypatch.setenv("MEDLENS_STORE", str(store))
    for kind, name in (("remarks", "r.csv"), ("everything", "e.zip")):
        file = tmp_path / name
        assert cli.main(["export", kind, "--anonymous", "-o", str(file)]) == 0
        assert named_in(named, file.read_bytes()) == []


def test_one_word_names_and_numbers_leave_other_words_alone(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "n.duckdb")) as store:
        may = raters.find_or_add_rater_by_name(store, "May", role="reviewer")
        ann = raters.find_or_add_rater_by_name(store, "Ann-Sofie Björk", role="reviewer")
        hide = Anonymizer(store)
        one, two = (f"person {hide.numbers[rater.id]}" for rater in (may, ann))
        assert (
            hide.anonymise_text("May may have seen it; Mayo did not.")
            == f"{one} may have seen it; Mayo did not."
        )
        assert hide.anonymise_text("ask ann-sofie  BJORK, bjork") == f"ask {two}, bjork"
        assert hide.anonymise_cell_value({"who": ["Ann-Sofie Bjo\u0308rk"]}) == {"who": [two]}


def test_a_turkish_name_is_hidden_in_capitals_and_with_or_without_dots(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "n.duckdb")) as store:
        rater = raters.find_or_add_rater_by_name(store, "Işık İnan", role="reviewer")
        hide = Anonymizer(store)
        number = f"person {hide.numbers[rater.id]}"
        for said in ("Işık İnan", "ışık inan", "IŞIK İNAN", "Isik Inan", "işik ınan"):
            assert hide.anonymise_text(f"As {said} says.") == f"As {number} says."


def test_a_name_that_json_writes_otherwise_is_hidden_in_a_cell_with_json(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "q.duckdb")) as store:
        rater = raters.find_or_add_rater_by_name(store, 'Rosa "Ro" Rater', role="reviewer")
        hide = Anonymizer(store)
        said = [{"by": rater.name, "text": f"As {rater.name} says."}]
        table = hide.anonymise_table(pd.DataFrame({"said": [json.dumps(said), "[not\\json"]}))
        number = f"person {hide.numbers[rater.id]}"
        assert json.loads(table["said"][0]) == [{"by": number, "text": f"As {number} says."}]
        assert table["said"][1] == "[not\\json"


@pytest.mark.deep
def test_numbers_and_ids_of_people_are_drawn_kept_and_not_made_from_their_handles(
    tmp_path: Path,
) -> None:
    people = [f"Rater {at:02}" for at in range(12)]
    orders = set()
    for run in range(3):
        with contextlib.closing(open_store(tmp_path / f"{run}.duckdb")) as store:
            ids = [
                raters.find_or_add_rater_by_name(store, name, role="reviewer").id for name in people
            ]
            hide = Anonymizer(store)
            assert sorted(map(int, hide.numbers.values())) == list(range(1, 13))
            assert not set(hide.ids.values()) & set(ids)
            orders.add(tuple(hide.numbers[rater] for rater in ids))
            # They stay as they are when somebody comes, also in a copy of the store.
            late = raters.find_or_add_rater_by_name(store, "Late", role="reviewer").id
            again = Anonymizer(store)
            assert again.numbers == hide.numbers | {late: "13"}
            assert again.ids.items() >= hide.ids.items()
            store.backup(tmp_path / f"{run}-copy.duckdb")
        with contextlib.closing(open_store(tmp_path / f"{run}-copy.duckdb")) as copy:
            assert Anonymizer(copy).ids == again.ids
            assert person_numbers_by_rater_id(copy) == again.numbers
    assert len(orders) == 3


@pytest.mark.deep
def test_everything_without_names_has_no_id_made_from_a_handle(
    named: Store, tmp_path: Path
) -> None:
    """By handles, anybody could make the ids of raters, and from these the ids of rows."""
    hidden = tmp_path / "hidden.zip"
    store_zip_writing_and_reading.write_store_zip_and_return_report_text(
        named, SETTINGS, hidden, anonymous=True
    )
    rater_ids = set(named.column("select id from rater where kind = 'person'"))
    made_from = {
        id
        for table in ("judgment", "rater_role", "reveal", "assignment_event", "survey")
        for id in named.column(f"select id from {table} where substr(id, 15, 1) = '5'")
    }
    assert made_from
    text = "\n".join(texts_in(hidden.read_bytes()))
    assert not [id for id in (*rater_ids, *made_from) if id in text]
    with contextlib.closing(open_store(tmp_path / "other.duckdb")) as other:
        store_zip_writing_and_reading.read_store_zip_and_return_report_text(other, hidden)
        assert other.column("select person from person_number") == []
        assert not other.column("select rater from judgment j anti join rater r on r.id = j.rater")
        # A number is a person throughout the file: their handle, and what others call them.
        numbers = person_numbers_by_rater_id(named)
        stand_ins = dict(other.rows("select id, handle from rater where kind = 'person'"))
        drawn = Anonymizer(named).ids
        assert stand_ins == {drawn[id]: f"person {numbers[id]}" for id in drawn}


def test_everything_without_names_does_not_tell_in_which_order_people_came_or_stood_in_a_file(
    tmp_path: Path, lay_store: LayStore
) -> None:
    path = lay_store(tmp_path / "d.duckdb", STUDIES["tagging"].demo)
    with contextlib.closing(open_store(path)) as store:
        drawn = person_number_by_rater_id_or_email(store)
        arrivals = store.column("select id from rater where kind = 'person' order by seq")
        # Numbers in the reverse order of arrival, so that no luck of the draw hides a fault.
        numbers = sorted((drawn[rater].number for rater in arrivals), reverse=True)
    with duckdb.connect(str(path)) as file:
        for rater, number in zip(arrivals, numbers, strict=True):
            file.execute("update person_number set number = -$1 where person = $2", [number, rater])
        file.execute("update person_number set number = -number where number < 0")
        file.execute("update rater set made_at = made_at + to_hours(seq::integer)")
    zipped = tmp_path / "hidden.zip"
    with contextlib.closing(open_store(path)) as store:
        hide = Anonymizer(store)
        kept = store.rows("select rater, list(item order by seq) from judgment group by 1")
        seqs = store.column("select seq from judgment order by seq")
        store_zip_writing_and_reading.write_store_zip_and_return_report_text(
            store, SETTINGS, zipped, anonymous=True
        )
    number_of = {hide.ids[rater]: int(hide.numbers[rater]) for rater in arrivals}
    with contextlib.closing(open_store(tmp_path / "other.duckdb")) as other:
        store_zip_writing_and_reading.read_store_zip_and_return_report_text(other, zipped)
        people = other.rows(
            "select id, seq, made_at from rater where kind = 'person' order by rowid"
        )
        assert [number_of[id] for id, *_ in people] == sorted(numbers)
        assert [seq for _, seq, _ in people] == sorted(seq for _, seq, _ in people)
        assert len({made_at for *_, made_at in people}) == 1
        judged = other.rows("select rater, seq from judgment order by rowid")
        assert [seq for _, seq in judged] == seqs
        # Within what was imported in one go: in the order of numbers.
        pairs = [
            (number_of[one], number_of[two])
            for (one, at), (two, next_at) in itertools.pairwise(judged)
            if next_at == at + 1 and one in number_of and two in number_of
        ]
        assert len(pairs) > 10
        assert all(one <= two for one, two in pairs)
        # Everybody's own judgments keep their order.
        told = other.rows("select rater, list(item order by seq) from judgment group by 1")
        assert dict(told) == {hide.ids.get(rater, rater): given for rater, given in kept}


def test_a_judgments_id_does_not_tell_whose_it_is_and_stays_the_same(named: Store) -> None:
    stored = named.column("select id from judgment where substr(id, 15, 1) = '5'")
    for kind, study in (("judgments", "sourcecheckup"), ("ratings", "agentclinic")):
        table = work_behind_commands.make_export_table(
            named, SETTINGS, kind, viewer=None, study=study, dataset="demo", anonymous=True
        )
        again = work_behind_commands.make_export_table(
            named, SETTINGS, kind, viewer=None, study=study, dataset="demo", anonymous=True
        )
        pd.testing.assert_frame_equal(table, again)
        assert table["judgment_id"].is_unique
        assert not set(table["judgment_id"]) & set(stored)


def test_processes_that_need_numbers_at_once_draw_them_once(store: Store) -> None:
    ids = {
        raters.find_or_add_rater_by_name(store, f"Rater {at}", role="reviewer").id
        for at in range(30)
    }
    with ThreadPoolExecutor(4) as pool:
        drawn = [
            one.result()
            for one in [pool.submit(person_numbers_by_rater_id, store) for _ in range(4)]
        ]
    assert drawn == [person_numbers_by_rater_id(store)] * 4
    assert drawn[0].keys() == ids
    assert sorted(map(int, drawn[0].values())) == list(range(1, 31))


def test_a_rater_whose_address_stands_in_the_audit_log_too_has_one_number(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "a.duckdb")) as store:
        rosa = raters.find_or_add_rater_by_name(store, "Rosa@Ward.example", role="lead")
        audit_log.record_entry(
            store, "refused", who="rosa@ward.example", about="by ben@guest.example"
        )
        hide = Anonymizer(store)
        # Not a mere list of people, which has them in the order of the numbers drawn.
        told = hide.anonymise_text("rosa@ward.example wrote to ben@guest.example")
        number = int(hide.numbers[rosa.id])
        assert told == f"person {number} wrote to person {3 - number}"
