"""A person is erased: their number takes the place of whatever identifies them, in every table.

Their judgments stay, under the number, unless the lead says that these go too. Ids that were made
from theirs are replaced as well, so whoever comes again under that name is a new person.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from medlens.errors import InvalidInput
from medlens.review.anonymity import person_number_by_rater_id_or_email
from medlens.review.erasure_rule_per_column import JSON_COLUMNS, WHAT, What
from medlens.review.items import digest_of_item_body
from medlens.review.person_identifier_replacement_in_texts import (
    PersonIdentifiers,
    map_texts_in_json_text,
)
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.store.rewrite_to_erase import Ask

ORIGIN = "erased"
"""The origin of a rater who was erased."""
ENDED = "ended"
"""In the body of a sign-in's entry: that it has ended since its person was erased."""

_PERSONAL_PARAMETERS = ("SESSION_ID", "assignmentId")
_THEIR_WORK = ("judgment", "draft", "open_code", "codebook_change", "sc_recheck", "suggestion")
"""The tables that hold a rater's judgments and what belongs to them."""


class PersonErasureRewrite:
    """The rewriting (``store.rewrite_to_erase.StoreRewrite``) that erases a person. ``also`` are
    other names by which remarks call them; ``with_work``: their judgments go too; ``by`` is who
    erases, for the audit log.

    Raises:
        InvalidInput: a model cannot be erased.
    """

    def __init__(
        self,
        store: Store,
        rater: Rater,
        *,
        also: Sequence[str] = (),
        with_work: bool = False,
        by: str = "command line",
    ) -> None:
        if rater.kind != "person":
            raise InvalidInput("Only people are erased; this is a model.")
        self.rater, self.with_work, self._by = rater, with_work, by
        self.number = f"person {person_number_by_rater_id_or_email(store)[rater.id].number}"
        self.identifiers = PersonIdentifiers(_identifiers(store, rater, also), self.number)
        self._secret = secrets.token_bytes(32)
        self._ids: dict[str, str] = {}
        self._judgments: list[str] = []
        self._digests: dict[str, str] = {}

    @property
    def id_afterwards(self) -> str:
        """The person's id once the rewriting is done."""
        return self._ids[self.rater.id]

    # -- as ``StoreRewrite`` has it
    # ---------------------------------------------------------------------

    def read_and_remember_what_rewrite_needs(self, ask: Ask) -> None:
        """Read whose rows have ids that were made from the person's."""
        here = self.rater.id
        if self.rater.email:
            mail = str(uuid.uuid5(uuid.NAMESPACE_URL, f"mailto:{self.rater.email}"))
            self._ids[mail] = self._other_id(mail)
        self._ids[here] = self._other_id(here)
        for table in WHAT:
            if mine := self._mine(table):
                rows = ask(f"select id from {table} where {mine} and substr(id, 15, 1) = '5'")
                for (id,) in rows:
                    self._ids[id] = self._other_id(id)
        rows = ask("select id from judgment where rater = $rater", rater=here)
        made: list[str] = [id for (id,) in rows]
        for id in made:
            # Labels and their parts that two files brought know each other by such an id.
            self._ids[_whole_id(id)] = _whole_id(self._ids.get(id, id))
        self._judgments = [id for id in made if id in self._ids]
        if self.identifiers.distinctive:
            self._read_parts(ask)

    def _read_parts(self, ask: Ask) -> None:
        """The digests of long pages, kept in pieces, in which the person is named."""
        for source, text in ask(
            "select source, string_agg(text, '' order by n) from sc_source_part"
            " where source in (select source from sc_source_part where"
            f" {self._named('text', 'text')}) group by source"
        ):
            hidden = self.identifiers.mask_person_with_x(text)
            if hidden != text:
                self._digests[source] = hashlib.sha256(hidden.encode()).hexdigest()

    def sql_condition_of_rows_to_change(self, table: str) -> str:
        """Rows that are the person's, or may name them."""
        found = [self._mine(table)]
        for column, what in WHAT.get(table, {}).items():
            if what in ("person", "words", "answers", "text", "address"):
                found.append(self._named(column, what))
            if what in ("words", "answers") or column == "raters":
                found.append(f"contains({_text(column)}, '{self.rater.id}')")
            if column == "judgment" and self._judgments:
                listed = ", ".join(f"'{id}'" for id in self._judgments)
                found.append(f"judgment in ({listed})")
        if table == "sc_source" and self._digests:
            found.append(f"id in ({', '.join(map(_quoted, self._digests))})")
        return " or ".join(f"coalesce({part}, false)" for part in found if part)

    def rewritten_row_or_none_to_remove(
        self, table: str, row: dict[str, Any]
    ) -> dict[str, Any] | None:
        """The row without the person."""
        mine = self._is_mine(table, row)
        if self.with_work and mine and table in _THEIR_WORK and row["rater"] == self.rater.id:
            return None
        before = dict(row)
        for column, what in WHAT[table].items():
            value = row[column]
            if isinstance(value, str):
                row[column] = self._replaced(table, column, what, value, mine=mine)
        if table == "rater" and before["id"] == self.rater.id:
            row |= {
                "handle": f"{ORIGIN}:{self.number}",
                "name": self.number,
                "email": None,
                "origin": ORIGIN,
            }
        elif table == "audit_event" and mine and before["kind"] in ("sign_in", "sign_out"):
            # By these ids a browser's cookie is known: it has ended.
            row["id"] = before["id"]
            row["body"] = json.dumps(json.loads(row["body"]) | {ENDED: True})
        elif table == "crowd_worker" and mine:
            row["worker"] = self.number.replace(" ", "-")
        self._digest_anew(table, before, row)
        return before if row == before else row

    def list_rows_that_may_name_person(self, store: Store, table: str) -> list[dict[str, Any]]:
        """The rows of a table that are the person's or may name them."""
        condition = self.sql_condition_of_rows_to_change(table)
        return (
            store.query_rows_as_dicts(f"select * from {table} where {condition}")
            if condition
            else []
        )

    def is_row_about_person(self, table: str, row: Mapping[str, Any]) -> bool:
        """Whether a row is the person's or names them."""
        return (
            self._is_mine(table, row)
            or self.rewritten_row_or_none_to_remove(table, dict(row)) != row
        )

    def rows_to_add_by_table(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The entry of the audit log: what kind of thing was erased, by whom, without the thing."""
        went = "with their judgments" if self.with_work else "their judgments stay"
        by = self._ids.get(self._by, self._by)
        entry = {
            "id": new_id(),
            "kind": "erase",
            "who": by,
            "about": "a person",
            "body": {"detail": f"now {self.number}; {went}"},
        }
        return {"audit_event": [entry]}

    # -- rows --------------------------------------------------------------------------------------

    def _replaced(self, table: str, column: str, what: What, value: str, *, mine: bool) -> str:
        is_json = column in JSON_COLUMNS
        if what == "id":
            if column == "raters":
                return map_texts_in_json_text(value, lambda id: self._ids.get(id, id))
            return self._ids.get(value, value)
        if what == "person":
            others = table == "rater" and not mine
            return self._ids.get(value) or (
                value if others else self.identifiers.replace_person_in_label(value)
            )
        if what == "form":
            return "{}" if mine else value
        if what == "words":
            in_words = self._in_words
            return map_texts_in_json_text(value, in_words) if is_json else in_words(value)
        if what == "answers":
            return map_texts_in_json_text(value, self._in_answer)
        if what in ("text", "address"):
            hidden = self.identifiers.mask_person_with_x
            return map_texts_in_json_text(value, hidden) if is_json else hidden(value)
        return value

    def _in_words(self, text: str) -> str:
        return self.identifiers.replace_person_in_prose(
            text.replace(self.rater.id, self._ids[self.rater.id])
        )

    def _in_answer(self, text: str) -> str:
        return self._ids.get(text) or self.identifiers.replace_person_in_answer(text)

    def _digest_anew(self, table: str, before: Mapping[str, Any], row: dict[str, Any]) -> None:
        if table == "item" and row["body"] != before["body"]:
            row["digest"] = digest_of_item_body(row["body"])
        elif table == "sc_source" and before["id"] in self._digests:
            row["digest"] = self._digests[before["id"]]
        elif table == "sc_source" and row["text"] != before["text"]:
            row["digest"] = hashlib.sha256(row["text"].encode()).hexdigest()

    def _other_id(self, id: str) -> str:
        """An id that nobody can make from what the person was called: the secret is forgotten."""
        digest = hashlib.blake2b(id.encode(), key=self._secret, digest_size=16).digest()
        return str(uuid.UUID(bytes=digest, version=4))

    # -- conditions --------------------------------------------------------------------------------

    @cached_property
    def _called(self) -> list[str]:
        """By what a column that holds a person may hold this one, and nobody else."""
        return [self.rater.id, *([self.rater.email] if self.rater.email else [])]

    def _mine(self, table: str) -> str:
        """A condition for rows that are by or of the person."""
        if table == "rater":
            return f"id = '{self.rater.id}'"
        listed = ", ".join(map(_quoted, self._called))
        columns = [column for column in WHAT.get(table, {}) if column in _PEOPLE]
        either = " or ".join(f"{column} in ({listed})" for column in columns)
        return f"({either})" if either else ""

    def _is_mine(self, table: str, row: Mapping[str, Any]) -> bool:
        if table == "rater":
            return bool(row["id"] == self.rater.id)
        return any(row[column] in self._called for column in WHAT[table] if column in _PEOPLE)

    def _named(self, column: str, what: What) -> str:
        """A condition for texts in which the person may be named."""
        text = _text(column)
        found = []
        for key in self.identifiers.ascii_search_fragments:
            if key and what == "text":
                found.append(f"contains(strip_accents(lower({text})), {_quoted(key)})")
            elif key:
                found.append(f"contains(lower({text}), {_quoted(key)})")
        if what == "text":
            found += [f"contains({text}, {_quoted(one)})" for one in self.identifiers.distinctive]
        else:
            # Letters beyond ASCII, as such or escaped, are compared in Python.
            found.append(f"strlen({text}) > length({text})")
        found.append(f"contains({text}, '\\u')")
        return "(" + " or ".join(found) + ")"


def count_judgments_of_person(store: Store, rater: Rater) -> int:
    """How many judgments a person made, each revision counted."""
    return int(store.value("select count(*) from judgment where rater = $r", r=rater.id))


_PEOPLE = ("rater", "made_by", "who", "person")


def _identifiers(store: Store, rater: Rater, also: Sequence[str]) -> list[str]:
    # "person 17" itself stays, where somebody is erased again for other names.
    found = [] if rater.origin == ORIGIN else [rater.name, rater.handle, rater.email or ""]
    if rater.origin != ORIGIN:
        found.append(rater.handle.partition(":")[2])
    for worker, said in store.rows(
        "select worker, said from crowd_worker where rater = $rater", rater=rater.id
    ):
        link = json.loads(said)
        found += [worker, *(str(link.get(name, "")) for name in _PERSONAL_PARAMETERS)]
    if short := [name for name in also if name.strip() and len(name.strip()) < 2]:
        raise InvalidInput(f"{short[0]!r} is too short to be looked for in texts.")
    return [*found, *also]


def _whole_id(id: str) -> str:
    return hashlib.md5(f"parts {id}".encode(), usedforsecurity=False).hexdigest()


def _text(column: str) -> str:
    return f"cast({column} as varchar)"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
