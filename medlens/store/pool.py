"""The PostgreSQL server as a thread sees it: pooled connections, and transactions that are
retried.

Errors of the driver are converted here into errors that people can read.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from medlens.errors import Conflict, InvalidInput, StoreUnavailable

TRIES = 8
RETRIED = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)
"""What a transaction meets when it ran into another: to be tried again."""

Connection = psycopg.Connection[tuple[Any, ...]]
_Result = TypeVar("_Result")


class Server:
    """Connections to one database. Safe to share between threads.

    Raises:
        StoreUnavailable: from every method, if the server cannot be reached or refuses.
    """

    def __init__(self, url: str) -> None:
        given = _parsed(url)
        # autocommit: a read is one round trip; `check`: a connection that died with the server is
        # noticed before it is used.
        self._pool = ConnectionPool(
            url,
            min_size=1,
            max_size=10,
            timeout=4.0,
            reconnect_timeout=2.0,
            check=ConnectionPool.check_connection,
            open=False,
            name="medlens",
            kwargs={
                "autocommit": True,
                "connect_timeout": 4,
                "application_name": "medlens",
                "options": given.get("options", "-c timezone=UTC"),
                "keepalives_idle": 10,
                "keepalives_interval": 5,
                "keepalives_count": 3,
            },
        )
        with _converted(), psycopg.connect(url, connect_timeout=4):
            self._pool.open()

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection on which every statement is its own transaction."""
        with _converted(), self._pool.connection() as connection:
            yield connection

    def transact(
        self,
        work: Callable[[Connection], _Result],
        *,
        retried: tuple[type[Exception], ...] = RETRIED,
    ) -> _Result:
        """Do ``work`` in a transaction, and retry a limited number of times if it conflicts with
        another.
        """
        for attempt in range(TRIES):
            try:
                with (
                    _converted(besides=retried),
                    self._pool.connection() as connection,
                    connection.transaction(),
                ):
                    return work(connection)
            except retried:
                time.sleep(random.uniform(0, 0.01 * 2**attempt))
        raise StoreUnavailable(
            "The store is too busy to save this now.", hint="Try again in a moment."
        )


@contextmanager
def _converted(besides: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Turn psycopg's errors into those that a person gets to read."""
    try:
        yield
    except besides:
        raise
    except psycopg.errors.UniqueViolation as error:
        raise Conflict(
            "Somebody saved this first.", hint="Reload to see the newer state."
        ) from error
    except (psycopg.DataError, psycopg.IntegrityError) as error:
        raise InvalidInput(
            f"A value cannot be stored: {_first_line(error)}", hint="Nothing was written."
        ) from error
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
        raise StoreUnavailable(
            f"The store's PostgreSQL server does not answer: {_first_line(error)}",
            hint="Is it running, and is the address in MEDLENS_STORE right? Try again in a moment.",
        ) from error
    except psycopg.Error as error:
        raise StoreUnavailable(
            f"The store's PostgreSQL server refused: {_first_line(error)}",
            hint="Check the address in MEDLENS_STORE and what its user may do.",
        ) from error


def _parsed(url: str) -> Mapping[str, Any]:
    try:
        return psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        # Without the library's message, which can contain part of the password.
        raise StoreUnavailable(
            "MEDLENS_STORE is not an address of a PostgreSQL database.",
            hint="It looks like postgresql://user:password@host/database; in the password, write"
            " %2F for a slash and %40 for an at sign.",
        ) from None


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
