"""How long the store waits for its PostgreSQL server; a DuckDB file needs no such limits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PostgresTimeouts:
    """Limits in seconds, as the section ``[postgres]`` of the settings names them."""

    statement_seconds: float = 15.0
    """The most that the server may take for one statement of a page or a save."""
    silent_seconds: float = 5.0
    """How long a connection may stay silent when an answer is due."""
    long_statement_seconds: float = 3600.0
    """In place of ``statement_seconds`` where work is known to be long: imports, the copy that a
    process makes when it starts, following others' imports, and changes of the tables."""

    @property
    def usual_answer_limit_seconds(self) -> float:
        """After so long without an answer to a usual statement, its connection is given up."""
        return self.statement_seconds + self.silent_seconds

    @property
    def long_answer_limit_seconds(self) -> float:
        """The same where work is known to be long."""
        return self.long_statement_seconds + self.silent_seconds
