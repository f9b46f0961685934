"""A PostgreSQL server that stops answering: nobody waits for long, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import quote

import psycopg
import pytest

from medlens.app.store_opening import open_configured_store
from medlens.config.settings import Postgres, Settings
from medlens.errors import StoreUnavailable
from medlens.review import assignment, judging
from medlens.review.tasks import HandOut
from medlens.store import new_id, postgres_append_log
from medlens.store.postgres_store import PostgresReplicaStore, open_replica
from medlens.store.postgres_timeout_settings import PostgresTimeouts
from medlens.ui.task_share_and_desk_message_receiver import make_message_acknowledgement
from tests.silent_proxy import SilentProxy
from tests.store.conftest import Cluster
from tests.store.made_up import TASK, person, poems
from tests.store.test_store import draft, together

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("all_threads")]

# As the defaults, but for a test that does not wait: 1 + 0.5 seconds in place of 15 + 5.
_SHORT = PostgresTimeouts(statement_seconds=1.0, silent_seconds=0.5, long_statement_seconds=60.0)


@pytest.fixture(autouse=True)
def _connecting_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_append_log, "_SECONDS_TO_CONNECT", 2)


@pytest.fixture
def proxy(cluster: Cluster) -> Iterator[SilentProxy]:
    made = SilentProxy(cluster.folder / ".s.PGSQL.5432")
    yield made
    made.close()


@pytest.fixture
def connect(database: str, proxy: SilentProxy) -> Iterator[Callable[..., PostgresReplicaStore]]:
    """Opens a store through the proxy; with ``direct``, past it."""
    opened: list[PostgresReplicaStore] = []
    user = database.removeprefix("postgresql://").partition("@")[0]
    through = f"postgresql://{user}@127.0.0.1:{proxy.port}/postgres?sslmode=disable"

    def open_it(*, direct: bool = False, limits: PostgresTimeouts = _SHORT) -> PostgresReplicaStore:
        opened.append(open_replica(database if direct else through, every=3_600.0, limits=limits))
        return opened[-1]

    yield open_it
    proxy.speak_again()
    for store in opened:
        store.close()


def commands(store: PostgresReplicaStore) -> list[str]:
    return [command for (command,) in store.rows("select command from job order by command")]


@pytest.mark.deep
def test_a_save_on_a_connection_that_fell_silent_is_refused_and_can_be_sent_again(
    connect: Callable[..., PostgresReplicaStore], proxy: SilentProxy
) -> None:
    store = connect()
    [poem] = poems(store, 1)
    anna = person(store, "Anna").id
    assignment.give_next_item_and_return_id(
        store, TASK, HandOut(gold_share=0), dataset="poems", rater=anna
    )
    token = new_id()

    def save() -> int:
        return judging.save_draft(
            store, TASK, item=poem, rater=anna, base=0, token=token, body={"score": 4}
        ).revision

    proxy.is_silent = True
    with pytest.raises(StoreUnavailable, match="does not answer") as caught:
        save()
    assert "try again in a moment" in caught.value.hint.lower()
    # The desk's browser keeps what was entered, says this, and sends it again.
    answer = make_message_acknowledgement(token, error=caught.value)["error"]
    assert answer["passing"]
    assert "does not answer" in answer["message"]
    assert judging.load_draft_or_current_judgment(store, TASK, item=poem, rater=anna).revision == 0
    proxy.speak_again()
    assert save() == 1
    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=poem, rater=anna).value.score == 4
    )


@pytest.mark.deep
def test_a_save_whose_answer_never_came_is_there_once(
    connect: Callable[..., PostgresReplicaStore], proxy: SilentProxy
) -> None:
    store = connect()
    token = new_id()
    proxy.silent_at_answer = lambda piece: b"COMMIT" in piece
    with pytest.raises(StoreUnavailable, match=r"silent for 1\.5 seconds") as caught:
        store.append("job", {"id": token, "command": "committed unseen"})
    assert "nothing is saved twice" in caught.value.hint
    proxy.speak_again()
    assert store.append("job", {"id": token, "command": "committed unseen"}) == 0
    assert commands(store) == ["committed unseen"]


@pytest.mark.deep
def test_what_one_process_left_half_done_does_not_keep_others_waiting(
    connect: Callable[..., PostgresReplicaStore], proxy: SilentProxy
) -> None:
    cut_off, other = connect(), connect(direct=True)
    # It holds the lock that orders all saves, and the server waits for its commit.
    proxy.silent_at_request = lambda piece: b"COMMIT" in piece
    with pytest.raises(StoreUnavailable):
        cut_off.append("job", {"command": "half done"})
    assert other.append("job", {"command": "after it"}) == 1
    assert commands(other) == ["after it"]


@pytest.mark.deep
def test_a_statement_that_takes_too_long_is_stopped_and_told(
    connect: Callable[..., PostgresReplicaStore],
) -> None:
    store, other = connect(), connect(direct=True)
    with (
        other._log._server.context_of_autocommit_connection() as connection,
        connection.transaction(),
    ):
        connection.execute("set local idle_in_transaction_session_timeout = 0")
        connection.execute("select entry from log_head for update")
        with pytest.raises(StoreUnavailable, match="took too long") as caught:
            store.append("job", {"command": "waits"})
    assert "[postgres]" in caught.value.hint
    assert store.append("job", {"command": "waits"}) == 1


@pytest.mark.deep
def test_work_that_is_known_to_be_long_may_take_longer(
    connect: Callable[..., PostgresReplicaStore],
) -> None:
    server = connect()._log._server
    with pytest.raises(StoreUnavailable):
        server.run_in_transaction(lambda c: c.execute("select pg_sleep(1.6)"))
    server.run_in_transaction(lambda c: c.execute("select pg_sleep(1.6)"), is_long=True)
    with server.context_of_long_transaction() as connection:
        assert connection.execute("show statement_timeout").fetchall() == [("1min",)]
    # The next work on the same connection is limited again.
    with server.context_of_autocommit_connection() as connection:
        assert connection.execute("show statement_timeout").fetchall() == [("1s",)]
        assert connection.answer_seconds == _SHORT.usual_answer_limit_seconds


def test_migrations_imports_and_the_first_copy_have_the_long_limit(
    connect: Callable[..., PostgresReplicaStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: dict[str, set[str]] = {}

    def noting(method: str, connection_of: Callable[..., psycopg.Connection]) -> None:
        original = getattr(postgres_append_log.PostgresLog, method)

        def noted(log: postgres_append_log.PostgresLog, *given: object, **named: object) -> object:
            connection = connection_of(*given)
            [(limit,)] = connection.execute("show statement_timeout").fetchall()
            shown.setdefault(method, set()).add(limit)
            return original(log, *given, **named)

        monkeypatch.setattr(postgres_append_log.PostgresLog, method, noted)

    noting("_take_steps", lambda connection: connection)
    noting("_pages", lambda connection, _: connection)
    noting("_insert_chunk", lambda connection, *_: connection)
    store = connect()
    assert shown == {"_take_steps": {"1min"}, "_pages": {"1min"}}
    store.append("job", {"command": "a save"})
    assert shown["_insert_chunk"] == {"1s"}
    complete = store._complete("job", [{"command": "imported"}])
    store._log.append_rows_from_feed_and_return_entry(lambda insert: insert("job", complete))
    assert shown["_insert_chunk"] == {"1s", "1min"}


@pytest.mark.deep
def test_a_server_that_is_silent_at_the_start_is_reported(
    connect: Callable[..., PostgresReplicaStore], proxy: SilentProxy
) -> None:
    proxy.is_silent = True
    with pytest.raises(StoreUnavailable, match="does not answer"):
        connect()


@pytest.mark.deep
def test_with_the_usual_limits_each_of_many_who_wait_is_told(
    connect: Callable[..., PostgresReplicaStore], proxy: SilentProxy
) -> None:
    store = connect(limits=PostgresTimeouts())
    refused: list[int] = []

    def save(number: int) -> None:
        with pytest.raises(StoreUnavailable):
            store.append("draft", draft(1, item=f"i{number}"))
        refused.append(number)

    proxy.silent_at_request = lambda piece: b"COMMIT" in piece
    together(12, save)
    assert sorted(refused) == list(range(12))
    proxy.speak_again()
    assert store.append("draft", draft(1, item="i0")) == 1


def test_the_settings_limits_reach_the_server(
    database: str, cluster: Cluster, proxy: SilentProxy
) -> None:
    limits = Postgres(statement_seconds=7, silent_seconds=3)
    store = open_configured_store(Settings(store=database, postgres=limits))
    try:
        assert isinstance(store, PostgresReplicaStore)
        with store._log._server.context_of_autocommit_connection() as connection:
            [(most,)] = connection.execute("show statement_timeout").fetchall()
            [(idle,)] = connection.execute("show idle_in_transaction_session_timeout").fetchall()
            parameters = connection.info.get_parameters()
        assert (most, idle) == ("7s", "3s")
        assert parameters["tcp_user_timeout"] == "3000"
    finally:
        store.close()


def test_what_the_address_says_of_its_options_wins(database: str) -> None:
    options = quote("-c statement_timeout=4000")
    store = open_replica(f"{database}&options={options}", every=3_600.0)
    try:
        with store._log._server.context_of_autocommit_connection() as connection:
            [(most,)] = connection.execute("show statement_timeout").fetchall()
            [(zone,)] = connection.execute("show timezone").fetchall()
        assert (most, zone) == ("4s", "UTC")
    finally:
        store.close()


def test_the_defaults_of_the_settings_are_those_of_the_store() -> None:
    assert PostgresTimeouts(**Settings().postgres.model_dump()) == PostgresTimeouts()
