"""The store on PostgreSQL: several processes, one log, nothing lost and nothing passed over."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pytest

from medlens.app import work_behind_commands as import_commands
from medlens.config.settings import Settings
from medlens.errors import Conflict, MedLensError, StoreUnavailable
from medlens.review import assignment, judging
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store, postgres_append_log, postgres_store
from medlens.studies.ebmqa import question_set_inserts_and_queries
from tests.children import Child
from tests.store.conftest import Cluster
from tests.store.made_up import TASK, person, poems
from tests.store.test_store import draft, item, next_step, together

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("all_threads")]


def test_rows_of_a_table_that_are_close_together_are_read_at_once() -> None:
    # 100 rows between them are little beside another query; 101 are read in a query of their own,
    # and what lies within another span is in it.
    spans = [("item", 1, 10), ("item", 110, 120), ("item", 112, 115), ("item", 221, 221)]
    merged = postgres_store._merged(
        [postgres_append_log.Span(*one) for one in (*spans, ("draft", 5, 5))]
    )
    assert merged == [
        postgres_append_log.Span("draft", 5, 5),
        postgres_append_log.Span("item", 1, 120),
        postgres_append_log.Span("item", 221, 221),
    ]


@pytest.fixture
def connect(database: str) -> Iterator[Callable[..., Store]]:
    """Opens another store on the test's database, which follows only when it is told to, or
    ``every`` so many seconds.
    """
    from medlens.store.postgres_store import open_replica

    opened: list[Store] = []

    def open_it(*, every: float = 3_600.0) -> Store:
        opened.append(open_replica(database, every=every))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


def until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return true()


def commands(store: Store) -> list[str]:
    return [command for (command,) in store.rows("select command from job order by command")]


# -- files ---------------------------------------------------------------------------------------


def _held(what: str) -> int:
    """Bytes that this process holds (``VmRSS``), or has held since that was reset (``VmHWM``)."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


def items_file(path: Path, rows: int, characters: int) -> Path:
    with path.open("w") as out:
        out.write("item,question,response\n")
        out.writelines(
            f"{path.stem}{n},Q,{os.urandom(characters // 2).hex()}\n" for n in range(rows)
        )
    return path


def take(store: Store, file: Path) -> import_commands.Outcome:
    return import_commands.import_file(store, Settings(), "items", file, name=file.name)


@pytest.mark.deep
def test_a_large_file_goes_to_the_log_and_the_copies_without_being_held_whole(
    connect: Callable[..., Store], tmp_path: Path
) -> None:
    one, other = connect(), connect()
    take(one, items_file(tmp_path / "few.csv", 50, 100))
    large = items_file(tmp_path / "large.csv", 3_000, 10_000)
    Path("/proc/self/clear_refs").write_text("5")
    before = _held("VmRSS")
    assert take(one, large).added == 3_000
    # Held whole, 50 MB took 670; by pieces these 30 take 70, and up to 180 on a busy machine.
    assert _held("VmHWM") - before < 300 << 20
    counted = "select count(*), count(distinct seq), sum(length(body::text)) from item"
    assert one.rows(counted)[0][:2] == (3_050, 3_050)
    there = one.rows(counted)
    Path("/proc/self/clear_refs").write_text("5")
    before = _held("VmRSS")
    # The items, and of each import a row of the log and one that names what it added.
    assert other.fetch_rows_of_other_processes_and_count() == 3_050 + 2 * 2
    # Held whole, 50 MB took 230; by pieces these take 40.
    assert _held("VmHWM") - before < 100 << 20
    assert other.rows(counted) == there
    assert take(other, tmp_path / "few.csv").added == 0
    assert other.rows("select count(*) from item") == [(3_050,)]


@pytest.mark.deep
def test_a_file_whose_transaction_ran_into_another_is_taken_once(
    connect: Callable[..., Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = connect()
    enter, tried = postgres_append_log.record_log_entry_and_return_number, []

    def refused_once(*given: Any) -> int:
        tried.append(store.rows("select count(*) from item"))
        if len(tried) == 1:
            raise psycopg.errors.SerializationFailure
        return enter(*given)

    monkeypatch.setattr(postgres_append_log, "record_log_entry_and_return_number", refused_once)
    assert take(store, items_file(tmp_path / "few.csv", 500, 100)).added == 500
    # Nobody saw a row before all were there.
    assert tried == [[(0,)], [(0,)]]
    assert store.rows("select count(*), count(distinct seq) from item") == [(500, 500)]
    store.fetch_rows_of_other_processes_and_count()
    assert store.rows("select count(*) from item") == [(500,)]


def test_of_a_file_that_the_log_refuses_nothing_is_there_and_the_next_is_taken(
    connect: Callable[..., Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = connect()

    def refused(*_: Any) -> int:
        raise psycopg.OperationalError("the server is gone")

    file = items_file(tmp_path / "few.csv", 500, 100)
    with monkeypatch.context() as patch:
        patch.setattr(postgres_append_log, "record_log_entry_and_return_number", refused)
        with pytest.raises(StoreUnavailable):
            take(store, file)
    assert store.rows("select count(*) from item") == [(0,)]
    assert take(store, file).added == 500


# -- following -----------------------------------------------------------------------------------


def block(part: int = 0) -> dict:
    return {
        "id": f"block-{part}",
        "number": part,
        "dataset": "d",
        "rater": "r",
        "prompt": "p",
        "repeat": 1,
        "part": part,
        "run": "",
        "origin": "import",
        "n": 3,
    }


def answers(part: int, n: int = 3) -> dict[str, pa.Table]:
    whole = pa.array(range(n), pa.int32())
    columns = {"outcome": whole, "chosen": whole, "said": whole}
    ids = {"block": pa.array([part] * n, pa.int64()), "question": pa.array(range(n), pa.int64())}
    return {"ebmqa_answer": pa.table({**ids, **columns})}


def test_questions_that_one_process_adds_are_the_same_in_another(
    connect: Callable[..., Store],
) -> None:
    one, two = connect(), connect()
    rows = [
        {
            "name": f"q{n}",
            "kind": "numeric",
            "qa_type": "PPV",
            "question": "How likely?",
            "options": '["high", "low"]',
            "n_options": 2,
            "correct": 1,
            "n_correct": 1,
            "value": 0.5,
        }
        for n in range(3)
    ]
    for store in (one, two):
        done = question_set_inserts_and_queries.add_question_set_and_return_added(
            store,
            question_set_inserts_and_queries.rows_as_arrow_question_table(rows),
            dataset="d",
            origin={"made": "test"},
        )
        two.fetch_rows_of_other_processes_and_count()
        assert done.added + done.known == 3
    every = "select * exclude (made_at), epoch_us(made_at) from ebmqa_question order by seq"
    assert two.rows(every) == one.rows(every)
    assert len(one.rows(every)) == 3


def counted(store: Store) -> list[tuple]:
    return store.rows("select block, count(*) from ebmqa_answer group by 1 order by 1")


def test_a_block_with_its_many_rows_is_written_once_and_seen_by_all(
    connect: Callable[..., Store],
) -> None:
    one, two = connect(), connect()
    news: list[bool] = []
    together(
        4,
        lambda n: news.append(
            (one, two)[n % 2].append_heads_with_many_rows_and_say_if_new(
                {"ebmqa_answer_block": [block()]}, answers(0)
            )
        ),
    )
    assert sorted(news) == [False, False, False, True]
    one.append("job", {"command": "between"})
    assert two.append_heads_with_many_rows_and_say_if_new(
        {"ebmqa_answer_block": [block(1)]}, answers(1)
    )
    with pytest.raises(Conflict):
        one.append_heads_with_many_rows_and_say_if_new(
            {"ebmqa_answer_block": [{**block(1), "id": "other"}]}, answers(1)
        )
    for store in (one, two, connect()):
        store.fetch_rows_of_other_processes_and_count()
        assert counted(store) == [(0, 3), (1, 3)]


def test_what_one_appends_the_other_sees_after_following(connect: Callable[..., Store]) -> None:
    one, two = connect(), connect()
    one.append_all_and_count_new_by_table(
        {"job": [{"command": "a"}], "draft": [draft(1), draft(2)]}
    )
    assert commands(one) == ["a"]
    assert commands(two) == []
    known = (
        two.data_version_of_tables("job"),
        two.data_version_of_tables("draft"),
        two.data_version_of_tables("item"),
    )
    assert two.fetch_rows_of_other_processes_and_count() == 3
    assert two.rows("select * from job") == one.rows("select * from job")
    assert two.rows("select * from draft order by id") == one.rows(
        "select * from draft order by id"
    )
    assert two.data_version_of_tables("job") > known[0]
    assert two.data_version_of_tables("draft") > known[1]
    assert two.data_version_of_tables("item") == known[2]
    assert (
        two.fetch_rows_of_other_processes_and_count()
        == one.fetch_rows_of_other_processes_and_count()
        == 0
    )


def test_others_work_arrives_by_itself(connect: Callable[..., Store]) -> None:
    one, two = connect(), connect(every=0.05)
    one.append("job", {"command": "a"})
    assert until(lambda: commands(two) == ["a"])


@pytest.mark.deep
def test_a_block_that_came_back_from_the_server_before_it_was_copied_is_there_once(
    connect: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = connect()
    append, grew, written = store._log.append_rows, store._grew, threading.Event()

    def overtaken(*given: Any, **more: Any) -> Any:
        appended = append(*given, **more)
        follower.start()
        assert written.wait(20)
        return appended

    def slow(tables: Any) -> None:
        if threading.current_thread() is follower:
            written.set()
            time.sleep(0.5)
        grew(tables)

    follower = threading.Thread(target=store.fetch_rows_of_other_processes_and_count)
    monkeypatch.setattr(store._log, "append_rows", overtaken)
    monkeypatch.setattr(store, "_grew", slow)
    assert store.append_heads_with_many_rows_and_say_if_new(
        {"ebmqa_answer_block": [block()]}, answers(0)
    )
    assert counted(store) == [(0, 3)]
    follower.join()
    assert counted(store) == [(0, 3)]


def test_a_row_committed_after_one_with_a_higher_number_is_not_passed_over(
    connect: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick, reader = connect(), connect(), connect()
    inserted, go_on = threading.Event(), threading.Event()
    insert = slow._log._insert_chunk

    def pausing(*arguments: object) -> object:
        rows = insert(*arguments)
        inserted.set()
        assert go_on.wait(20)
        return rows

    monkeypatch.setattr(slow._log, "_insert_chunk", pausing)
    thread = threading.Thread(target=slow.append, args=("job", {"command": "numbered first"}))
    thread.start()
    assert inserted.wait(20)
    quick.append("job", {"command": "committed first"})
    assert reader.fetch_rows_of_other_processes_and_count() == 1
    before = reader.data_version_of_tables("job")
    go_on.set()
    thread.join()
    assert reader.fetch_rows_of_other_processes_and_count() == 1
    numbers = dict(reader.rows("select command, seq from job"))
    assert numbers["numbered first"] < numbers["committed first"]
    assert reader.data_version_of_tables("job") > before


@pytest.mark.deep
def test_a_reader_who_follows_all_the_time_misses_nothing_of_many_writers(
    connect: Callable[..., Store],
) -> None:
    writers, reader = [connect(), connect(every=0.01)], connect(every=0.01)

    def write(n: int) -> None:
        for turn in range(25):
            rows = [{"command": f"{n}.{turn}.{k}"} for k in range(1 + turn % 3)]
            writers[n % 2].append_all_and_count_new_by_table(
                {"job": rows, "draft": [draft(turn, rater=str(n))]}
            )

    together(8, write)
    # 8 writers, each 25 drafts and (1 + 2 + 3) x 8 + 1 = 49 jobs.
    for store in (reader, *writers):
        store.fetch_rows_of_other_processes_and_count()
        assert store.rows("select count(*), count(distinct id) from job") == [(392, 392)]
        assert store.rows("select count(*), count(distinct id) from draft") == [(200, 200)]


def test_a_long_import_does_not_hold_up_a_save(
    connect: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    importing, saving = connect(), connect()
    inserted, go_on = threading.Event(), threading.Event()
    insert = importing._log._insert_chunk

    def pausing(*arguments: object) -> object:
        rows = insert(*arguments)
        inserted.set()
        assert go_on.wait(20)
        return rows

    monkeypatch.setattr(importing._log, "_insert_chunk", pausing)
    thread = threading.Thread(target=importing.append, args=("item", *map(item, "abc")))
    thread.start()
    assert inserted.wait(20)
    assert saving.append("draft", draft(1)) == 1
    go_on.set()
    thread.join()
    assert saving.fetch_rows_of_other_processes_and_count() == 3


@pytest.mark.deep
def test_a_new_process_catches_up_with_more_than_one_page(connect: Callable[..., Store]) -> None:
    one = connect()
    one.append("item", *[item(f"a{n}", {"n": n}) for n in range(12_345)])
    follower = connect()
    assert follower.rows("select count(*), count(distinct name) from item") == [(12_345, 12_345)]
    assert follower.fetch_rows_of_other_processes_and_count() == 0
    one.append("item", *[item(f"b{n}", {"n": n}) for n in range(6_000)])
    assert follower.fetch_rows_of_other_processes_and_count() == 6_000
    assert follower.rows("select * from item order by seq") == one.rows(
        "select * from item order by seq"
    )


# -- racing --------------------------------------------------------------------------------------


def test_of_writers_racing_over_two_processes_one_wins(connect: Callable[..., Store]) -> None:
    stores = [connect(), connect()]
    outcome: Counter[str] = Counter()

    def race(n: int) -> None:
        try:
            stores[n % 2].append("draft", draft(1, body={"by": n}))
            outcome["won"] += 1
        except Conflict:
            # Who lost sees at once what won, or would try the same place again and again.
            assert stores[n % 2].rows("select count(*) from draft") == [(1,)]
            outcome["lost"] += 1

    together(20, race)
    assert outcome == {"won": 1, "lost": 19}


def test_a_message_repeated_to_another_process_is_not_a_second_one(
    connect: Callable[..., Store],
) -> None:
    one, two = connect(), connect()
    token = new_id()
    assert one.append("draft", draft(1, id=token)) == 1
    assert two.append("draft", draft(1, id=token)) == 0
    assert two.rows("select id from draft") == [(token,)]
    token = new_id()
    stored: list[int] = []
    together(20, lambda n: stored.append((one, two)[n % 2].append("draft", draft(2, id=token))))
    assert sorted(stored) == [0] * 19 + [1]


def test_two_batches_that_lock_each_other_are_both_decided(connect: Callable[..., Store]) -> None:
    stores = [connect(), connect()]
    decided: Counter[str] = Counter()

    def race(n: int) -> None:
        # In opposite orders, so that each waits for a row of the other.
        rows = [draft(1, item=f"i{k}") for k in range(40)]
        try:
            stores[n % 2].append("draft", *(rows if n % 2 else rows[::-1]))
            decided["won"] += 1
        except Conflict:
            decided["lost"] += 1

    together(6, race)
    assert decided == {"won": 1, "lost": 5}
    assert stores[0].rows("select count(*) from draft") == [(40,)]


@pytest.mark.deep
def test_a_save_that_builds_on_what_another_process_replaced_is_refused(
    connect: Callable[..., Store],
) -> None:
    one, two = connect(), connect()
    [poem] = poems(one, 1)
    settings = HandOut(gold_share=0)
    anna = person(one, "Anna").id
    assignment.give_next_item_and_return_id(one, TASK, settings, dataset="poems", rater=anna)
    two.fetch_rows_of_other_processes_and_count()

    def save(store: Store, score: int, base: int) -> int:
        return judging.save_draft(
            store, TASK, item=poem, rater=anna, base=base, token=new_id(), body={"score": score}
        ).revision

    assert save(one, 4, 0) == 1
    with pytest.raises(Conflict):
        save(two, 9, 0)
    assert judging.load_draft_or_current_judgment(two, TASK, item=poem, rater=anna).value.score == 4
    assert save(two, 9, 1) == 2


CLAIMER = """
import json, sys, threading
from medlens.review import assignment
from medlens.review.tasks import HandOut
from medlens.store import open_store
from tests.store.made_up import TASK
store = open_store(sys.argv[1])
settings = HandOut(raters_per_item=3, items_per_rater=4, gold_share=0)
people = json.loads(sys.argv[2])
got, failed = [], []
print("ready", flush=True)
input()
def work(rater):
    try:
        for _ in range(4):
            item = assignment.give_next_item_and_return_id(
                store, TASK, settings, dataset="poems", rater=rater)
            got.append([rater, item])
    except BaseException as error:
        failed.append(repr(error))
threads = [threading.Thread(target=work, args=(rater,)) for rater in people]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps([got, failed]))
store.close()
"""


@pytest.mark.deep
def test_two_processes_with_ten_people_each_never_break_the_cap(
    connect: Callable[..., Store], database: str
) -> None:
    store = connect()
    poems(store, 20)
    people = [person(store, f"Rater {n}").id for n in range(20)]
    processes = [Child(CLAIMER, database, json.dumps(people[n::2])) for n in range(2)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    outcomes = [None, None]

    def finish(n: int) -> None:
        outcomes[n] = json.loads(processes[n].communicate("go\n", timeout=120)[0])

    together(2, finish)
    got = [pair for given, _ in outcomes for pair in given]
    assert [failed for _, failed in outcomes] == [[], []]
    # 20 poems x 3 places: of the 20 people's 80 requests 60 are served, the rest find nothing
    # (fewer only where all that is left was given to the same person before).
    served = [(rater, poem) for rater, poem in got if poem]
    assert len(set(served)) == len(served)
    assert max(Counter(poem for _, poem in served).values()) == 3
    assert len(served) >= 55
    store.fetch_rows_of_other_processes_and_count()
    assert sorted(store.rows("select rater, item from assignment")) == sorted(served)


# -- trouble -------------------------------------------------------------------------------------


@pytest.mark.deep
def test_while_the_server_is_away_one_can_read_and_afterwards_write(
    connect: Callable[..., Store], cluster: Cluster
) -> None:
    one, two = connect(), connect(every=0.05)
    one.append("job", {"command": "before"})
    assert until(lambda: commands(two) == ["before"])
    cluster.stop()
    try:
        with pytest.raises(StoreUnavailable, match="does not answer") as caught:
            one.append("job", {"command": "meanwhile"})
        assert caught.value.hint
        with pytest.raises(StoreUnavailable, match="does not answer"):
            one.fetch_rows_of_other_processes_and_count()
        assert commands(one) == commands(two) == ["before"]
    finally:
        cluster.start()
    one.append("job", {"command": "after"})
    assert commands(one) == ["after", "before"]
    assert until(lambda: commands(two) == ["after", "before"])


@pytest.mark.deep
def test_a_crash_of_the_server_loses_nothing_acknowledged_and_work_goes_on(
    connect: Callable[..., Store], cluster: Cluster
) -> None:
    stores = [connect(), connect()]
    told: list[str] = []
    refused: list[StoreUnavailable] = []
    stop = threading.Event()

    def write(n: int) -> None:
        while not stop.is_set():
            token = new_id()
            try:
                stores[n % 2].append("job", {"id": token, "command": "c"})
                told.append(token)
            except StoreUnavailable as error:
                refused.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    assert until(lambda: len(told) > 60)
    cluster.stop("immediate")
    away = until(lambda: refused)
    cluster.start()
    before = len(told)
    assert until(lambda: len(told) > before + 30)
    stop.set()
    for thread in threads:
        thread.join()
    assert away
    for store in (*stores, connect()):
        store.fetch_rows_of_other_processes_and_count()
        assert set(told) <= {i for (i,) in store.rows("select id from job")}
    # A commit whose answer was lost may be there as well; the copies agree on it.
    assert stores[0].rows("select id from job order by 1") == stores[1].rows(
        "select id from job order by 1"
    )


def test_a_row_whose_answer_was_lost_is_taken_up_when_it_is_sent_again(
    connect: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = connect()
    token = new_id()
    append = store._log.append_rows

    def lost(batch: Any, **how: Any) -> object:
        append(batch, **how)
        raise StoreUnavailable("The store's PostgreSQL server does not answer.")

    with monkeypatch.context() as breaking:
        breaking.setattr(store._log, "append_rows", lost)
        with pytest.raises(StoreUnavailable):
            store.append("job", {"id": token, "command": "c"})
    assert store.append("job", {"id": token, "command": "c"}) == 0
    assert store.rows("select id from job") == [(token,)]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("postgresql://nobody@/none?host=/nowhere", "does not answer"),
        ("postgresql://anna:secret@localhost:1/db", "does not answer"),
        ("postgresql://anna:secret@host/db?nonsense=1", "not an address"),
    ],
)
def test_a_server_that_is_not_there_is_an_error_with_a_hint(address: str, says: str) -> None:
    with pytest.raises(StoreUnavailable, match=says) as caught:
        open_store(address)
    assert "MEDLENS_STORE" in str(caught.value)
    assert "secret" not in str(caught.value)


# -- start and end -------------------------------------------------------------------------------


@pytest.mark.deep
def test_processes_that_start_together_on_an_empty_database_make_one_store(
    connect: Callable[..., Store],
) -> None:
    stores: list[Store] = []
    together(6, lambda _: stores.append(connect()))
    assert len(stores) == 6
    stores[0].append("job", {"command": "a"})
    for store in stores:
        store.fetch_rows_of_other_processes_and_count()
        assert commands(store) == ["a"]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "refusal",
    [
        psycopg.errors.DuplicateTable('relation "log_head" already exists'),
        psycopg.errors.DuplicateObject('type "log_head" already exists'),
        psycopg.errors.UniqueViolation("duplicate key value: pg_type_typname_nsp_index"),
    ],
    ids=lambda refusal: type(refusal).__name__,
)
def test_a_process_that_loses_the_race_to_create_a_table_goes_on_with_the_winners(
    refusal: psycopg.Error, connect: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    execute, lost = postgres_append_log._execute, []

    def lose_once(connection: Any, **given: Any) -> Any:
        if "create table if not exists log_head" in given["statement"] and not lost:
            lost.append(True)
            raise refusal
        return execute(connection, **given)

    monkeypatch.setattr(postgres_append_log, "_execute", lose_once)
    connect().append("job", {"command": "a"})
    assert lost


@pytest.mark.deep
def test_a_database_of_an_earlier_version_takes_the_missing_step_and_keeps_its_rows(
    connect: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = connect()
    old.append("job", {"command": "kept"})
    next_step(
        monkeypatch,
        "alter table job add column note {json}",
        "create table extra (id text primary key, seq bigint not null default nextval('log_seq'),"
        " made_at timestamptz not null, what text not null unique)",
    )
    new = connect()
    new.append_all_and_count_new_by_table(
        {"job": [{"command": "more", "note": {"a": 1}}], "extra": [{"what": "x"}]}
    )
    assert new.rows("select command, note from job order by 1") == [
        ("kept", None),
        ("more", '{"a": 1}'),
    ]
    # The process that still runs the earlier version goes on with what it knows.
    assert old.fetch_rows_of_other_processes_and_count() == 1
    assert commands(old) == ["kept", "more"]
    old.append("job", {"command": "still"})
    new.fetch_rows_of_other_processes_and_count()
    assert commands(new) == ["kept", "more", "still"]


@pytest.mark.deep
def test_a_step_that_fails_leaves_the_database_as_it_was(
    connect: Callable[..., Store], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect()
    with monkeypatch.context() as broken:
        version = next_step(
            broken,
            "create table extra (id text primary key, seq bigint)",
            "select 1 / 0",  # null in DuckDB
        )
        with pytest.raises(MedLensError, match="division by zero"):
            connect()
    with psycopg.connect(database) as connection:
        assert connection.execute("select to_regclass('extra')").fetchall() == [(None,)]
        assert connection.execute("select max(version) from migration").fetchall() == [
            (version - 1,)
        ]
    connect().append("job", {"command": "a"})


@pytest.mark.deep
def test_the_copy_is_private_and_goes_with_its_process(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDLENS_REPLICA_DIR", str(tmp_path / "copies"))
    one, two = open_store(database), open_store(database)
    folders = sorted((tmp_path / "copies").iterdir())
    assert len(folders) == 2
    assert {folder.stat().st_mode & 0o077 for folder in folders} == {0}
    one.close()
    assert two.fetch_rows_of_other_processes_and_count() == 0
    two.close()
    assert list((tmp_path / "copies").iterdir()) == []
    with pytest.raises(StoreUnavailable):
        open_store("postgresql://nobody@/none?host=/nowhere")
    assert list((tmp_path / "copies").iterdir()) == []


@pytest.mark.deep
def test_the_copy_of_a_killed_process_is_removed_and_that_of_a_living_one_is_not(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDLENS_REPLICA_DIR", str(tmp_path))
    code = (
        "import sys; from medlens.store import open_store; s = open_store(sys.argv[1]);"
        " s.append('job', {'command': 'a'}); print('up', flush=True); input()"
    )
    killed, living = Child(code, database), Child(code, database)
    for process in (killed, living):
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    left = {int(folder.name.split("-")[2]): folder for folder in tmp_path.iterdir()}
    assert set(left) == {killed.pid, living.pid}
    for folder in left.values():
        os.utime(folder, (time.time() - 3600, time.time() - 3600))
    open_store(database).close()
    assert list(tmp_path.iterdir()) == [left[living.pid]]
    living.communicate("\n", timeout=30)


def test_a_folder_for_copies_that_cannot_be_written_is_named(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MEDLENS_REPLICA_DIR", str(tmp_path / "file" / "copies"))
    with pytest.raises(StoreUnavailable, match="MEDLENS_REPLICA_DIR"):
        open_store(database)


@pytest.mark.deep
def test_a_backup_of_the_store_holds_what_others_appended(
    connect: Callable[..., Store], tmp_path: Path
) -> None:
    one, two = connect(), connect()
    one.append("item", *[item(f"a{n}", {"n": n}) for n in range(100)])
    two.backup(tmp_path / "copy.duckdb")
    copy = open_store(tmp_path / "copy.duckdb")
    assert copy.rows("select * from item order by seq") == one.rows(
        "select * from item order by seq"
    )
    copy.close()


def test_the_server_samples_no_texts_and_samples_from_before_are_told(
    connect: Callable[..., Store], database: str
) -> None:
    store = connect()
    poems(store, 40)
    with psycopg.connect(database, autocommit=True) as server:
        server.execute("analyze item")
        sampled = server.execute("select attname from pg_stats where tablename = 'item'").fetchall()
        assert {("body",), ("name",)}.isdisjoint(sampled)
        assert ("dataset",) in sampled
        assert len(store.list_places_where_erased_data_may_remain()) == 1
        # As an earlier version of MedLens left it.
        server.execute("alter table item alter column name set statistics -1")
        server.execute("analyze item")
    assert "samples of texts" in store.list_places_where_erased_data_may_remain()[0]
    # The next one to start forbids it.
    connect()
    with psycopg.connect(database, autocommit=True) as server:
        target = "select attstattarget from pg_attribute where attname = 'name'"
        target += " and attrelid = 'item'::regclass"
        assert server.execute(target.encode()).fetchall() == [(0,)]
