"""An item's texts are erased: x stands for each of their letters, in every table, and so does it in
whatever repeats them: quotes in marks, remarks and drafts on the item, copies in other rows. Model
calls that have a sentence of them are destroyed whole.

Lengths, spaces and punctuation stay, labels and numbers too, so that marks keep their places and no
figure changes.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medlens.review.anonymity import fold_case_and_accents
from medlens.review.erasure_rule_per_column import JSON_COLUMNS, WHAT
from medlens.review.items import digest_of_item_body
from medlens.review.person_identifier_replacement_in_texts import (
    map_texts_in_json_text,
    mask_letters_with_x,
)
from medlens.store import Store, new_id
from medlens.store.rewrite_to_erase import Ask

_OF_THEM = 0.8
"""The share of a quote's words from which on it is taken for one of the texts."""
_SENTENCE = 12
"""Characters from which on a sentence is looked for in other rows."""
_AT_ONCE = 40
"""Sentences that one pattern looks for."""
MOST_FOUND = 50
"""Texts that a search for words gives at most."""
_WORD = re.compile(r"[^\W_]{3,}")
_CODE = re.compile(r"[A-Za-z0-9_+./:-]{1,60}")
"""A label as the program and its studies write them."""
_QUOTES = frozenset({"quote", "text"})
_WORDS = re.compile(r"quote|text|reason|why|missing|note|(.+_)?comment")
"""The names of what people write into answers, in all studies."""
CORRECTION = "correction"
"""The form in which a lead corrects an item, under the item's id and version."""
_CALLS = ("completion", "remote_batch")
_OF_ITEM_ITSELF = ("item_version", "item_further", "corrected_row")
"""Tables of what an item says, not of what is said of it."""
_OF_MESSAGES = frozenset({"role", "type", "model", "id"})
_OF_CORRECTED_ROWS = frozenset(
    {
        *("source_group", "document_url", "model", "kind", "qa_type", "source_type"),
        *("target_type", "background_type", "subject_type", "disciplines", "discipline"),
        *("prevalence", "length", "answer", "stratum"),
    }
)
"""What stays of messages to models, and of corrected rows of the studies' own tables."""


def _no_rows(_ask: Ask, _item: str) -> Mapping[str, str]:
    return {}


def _no_items(_ask: Ask, _item: str) -> Collection[str]:
    return ()


@dataclass(frozen=True)
class TextRules:
    """What a study says of its texts.

    ``item_labels``: keys in an item's body whose values are no texts. ``answer_labels``: texts that
    are labels in answers; ``text_answers``: keys of answers in one's own words. ``own_rows`` and
    ``about_rows`` give, by table, an SQL condition for other rows that hold the item's texts, and
    for answers about it. ``shown_in`` gives the items (ids) that show texts which are no item of
    their own: what people said of these is said of the texts. ``files`` are those that an item's
    body names, ``measures`` what figures measure in texts and need once the item's are gone.
    """

    item_labels: frozenset[str] = frozenset()
    answer_labels: frozenset[str] = frozenset()
    text_answers: frozenset[str] = frozenset()
    own_rows: Callable[[Ask, str], Mapping[str, str]] = _no_rows
    about_rows: Callable[[Ask, str], Mapping[str, str]] = _no_rows
    shown_in: Callable[[Ask, str], Collection[str]] = _no_items
    files: Callable[[str], Sequence[Path]] = lambda _body: ()
    measures: Callable[[Store, str], Mapping[str, Any]] = lambda _store, _item: {}


@dataclass(frozen=True)
class NamedItem:
    """An item with what identifies it to people."""

    id: str
    study: str
    dataset: str
    name: str


def find_items_by_name(store: Store, study: str, name: str, dataset: str = "") -> list[NamedItem]:
    """The items of a study with this name or other name, of one dataset or all."""
    rows = store.rows(
        # Also those that are withdrawn, or whose import was undone: their texts are still there.
        "select i.id, i.study, i.dataset, coalesce(n.name, i.name) from item i"
        " left join item_named n on n.id = i.id"
        " where i.study = $study and $name in (i.name, n.name)"
        " and ($dataset = '' or i.dataset = $dataset) order by i.seq",
        study=study,
        name=name,
        dataset=dataset,
    )
    return [NamedItem(*row) for row in rows]


def find_items_with_words(store: Store, study: str, dataset: str, words: str) -> list[NamedItem]:
    """The first items of a dataset whose name, body (in any version) or further columns have these
    words, whatever their capitals; also those that are withdrawn.
    """
    rows = store.rows(
        "select i.id, i.study, i.dataset, coalesce(n.name, i.name) from item i"
        " left join item_named n on n.id = i.id"
        " where i.study = $study and i.dataset = $dataset and ("
        "  contains(lower(i.name), $words) or contains(lower(n.name), $words)"
        "  or contains(lower(cast(i.body as varchar)), $words)"
        "  or exists (select 1 from item_version v where v.item = i.id"
        "   and contains(lower(cast(v.body as varchar)), $words))"
        "  or exists (select 1 from item_further f where f.item = i.id"
        "   and contains(lower(cast(f.body as varchar)), $words)))"
        " order by i.seq limit $most",
        study=study,
        dataset=dataset,
        words=words.strip().lower(),
        most=MOST_FOUND,
    )
    return [NamedItem(*row) for row in rows]


def find_item_with_id(store: Store, item: str) -> NamedItem:
    """The item with this id."""
    [row] = store.rows(
        "select i.id, i.study, i.dataset, coalesce(n.name, i.name) from item i"
        " left join item_named n on n.id = i.id where i.id = $item",
        item=item,
    )
    return NamedItem(*row)


def list_runs_of_study(store: Store, study: str) -> list[dict[str, Any]]:
    """The runs of a study, as the view ``run_now`` has them."""
    return store.query_rows_as_dicts("select * from run_now where study = $study", study=study)


def list_files_of_item_alone(store: Store, item: NamedItem, rules: TextRules) -> list[Path]:
    """The files that this item alone names."""
    bodies = store.column(
        "select body from item where id = $item"
        " union all select body from item_version where item = $item",
        item=item.id,
    )
    return [
        path
        for path in dict.fromkeys(path for body in bodies for path in rules.files(body))
        if not store.rows(
            "select 1 from item i left join item_version v on v.item = i.id"
            " where i.id <> $item and i.study = $study and i.dataset = $dataset"
            " and (contains(cast(i.body as varchar), $name)"
            " or contains(cast(v.body as varchar), $name)) limit 1",
            item=item.id,
            study=item.study,
            dataset=item.dataset,
            name=path.name,
        )
    ]


def imported_name_of_item(store: Store, item: str) -> str:
    """The name with which an item came, by its id."""
    return str(store.value("select name from item where id = $item", item=item))


def list_measurements_kept_of_erased_texts(store: Store, dataset: str) -> list[dict[str, Any]]:
    """What was measured in texts of a dataset that were erased since, oldest first."""
    rows = store.column(
        "select m.body from text_measure m join item i on i.id = m.item"
        " where i.dataset = $dataset order by m.seq",
        dataset=dataset,
    )
    return [json.loads(body) for body in rows]


class TextErasureRewrite:
    """The rewriting (``store.rewrite_to_erase.StoreRewrite``) that erases an item's texts; ``by``
    is who does, for the audit log; ``refuse`` may raise why it must not be done now.
    """

    def __init__(
        self,
        item: NamedItem,
        rules: TextRules,
        *,
        by: str = "command line",
        refuse: Callable[[], None] = lambda: None,
        measures: Mapping[str, Any] | None = None,
    ) -> None:
        self.item, self._rules, self._by, self._refuse = item, rules, by, refuse
        self._measures = measures
        self._secret = secrets.token_bytes(32)
        self._own: dict[str, set[int]] = {}
        self._about: dict[str, set[int]] = {}
        self._items = {item.id}
        self._requests: set[str] = set()
        self._texts: set[str] = set()
        self._digests: dict[str, str] = {}
        self._of_long_pages: dict[str, str] = {}
        self._words: frozenset[str] = frozenset()
        self._sentences: list[str] = []
        self._copies: re.Pattern[str] | None = None
        self.shared = 0
        """How many of its sentences other items have, which keep them."""

    # -- as ``StoreRewrite`` has it
    # ---------------------------------------------------------------------

    def read_and_remember_what_rewrite_needs(self, ask: Ask) -> None:
        """Read the item's texts, which rows hold them, and which calls repeat them.

        Raises:
            MedLensError: what ``refuse`` raises, also once nobody writes any more.
        """
        self._refuse()
        rules, item = self._rules, self.item.id
        self._own = _seqs(ask, rules.own_rows(ask, item))
        self._about = _seqs(ask, rules.about_rows(ask, item))
        self._items = {item, *rules.shown_in(ask, item)}
        for (body,) in ask(
            "select body from item where id = $item"
            " union all select body from item_version where item = $item",
            item=item,
        ):
            self._texts |= set(_texts_in(json.loads(body), rules.item_labels))
        for (further,) in ask("select body from item_further where item = $item", item=item):
            self._texts |= set(_texts_in(json.loads(further), ()))
        for table, seqs in self._own.items():
            columns = [name for name, what in WHAT[table].items() if what == "text"]
            for row in ask(
                f"select {', '.join(columns)} from {table} where seq in ({_listed(seqs)})"
            ):
                for column, value in zip(columns, row, strict=True):
                    self._texts |= set(_texts_of(column, value))
        self._words = frozenset(
            fold_case_and_accents(word) for text in self._texts for word in _WORD.findall(text)
        )
        if not self._sentences:
            self._sentences = self._not_of_others(ask, sorted(set(_sentences(self._texts))))
        self._copies = (
            re.compile("|".join(map(re.escape, self._sentences))) if self._sentences else None
        )
        for text in self._texts:
            before, after = (
                hashlib.sha256(one.encode()).hexdigest()
                for one in (text, mask_letters_with_x(text))
            )
            self._digests[before] = after
        self._of_long_pages = self._digests_of_long_pages(ask)
        if repeated := self._repeated("completion"):
            rows = ask(f"select distinct request from completion where {repeated}")
            self._requests |= {request for (request,) in rows}

    def sql_condition_of_rows_to_change(self, table: str) -> str:
        """Rows of the item, about it, and those that have a sentence of its texts."""
        columns = WHAT.get(table, {})
        found = [f"id = '{self.item.id}'"] if table == "item" else [self._repeated(table)]
        ids = ", ".join(f"'{item}'" for item in sorted(self._items))
        found += [f"{name} in ({ids})" for name in ("item", "subject") if name in columns]
        if table == "draft":
            found.append(f"task = '{CORRECTION}' and split_part(item, '.', 1) in ({ids})")
        for seqs in (self._own.get(table), self._about.get(table)):
            if seqs:
                found.append(f"seq in ({_listed(seqs)})")
        if table == "sc_source" and self._of_long_pages:
            found.append(f"id in ({', '.join(map(_quoted, self._of_long_pages))})")
        if table == "completion_attempt" and self._requests:
            requests = ", ".join(f"'{request}'" for request in sorted(self._requests))
            found.append(f"request in ({requests})")
        return " or ".join(f"coalesce({part}, false)" for part in found if part)

    def rewritten_row_or_none_to_remove(
        self, table: str, row: dict[str, Any]
    ) -> dict[str, Any] | None:
        """The row without the texts; None for what a lead wrote to correct them."""
        if self._is_written_correction(table, row):
            return None
        before = dict(row)
        is_own = row["seq"] in self._own.get(table, ())
        is_item = self.item.id == (
            row["id"] if table == "item" else row["item"] if table == "item_version" else ""
        )
        of_items = {self.item.id} if table in _OF_ITEM_ITSELF else self._items
        is_about = not of_items.isdisjoint((row.get("item"), row.get("subject"))) or row[
            "seq"
        ] in self._about.get(table, ())
        is_call = table in _CALLS or row.get("request") in self._requests
        for column, what in WHAT[table].items():
            value = row[column]
            if not isinstance(value, str) or what not in ("text", "words", "answers"):
                continue
            if is_item and column == "body":
                row[column] = json.dumps(self._masked_body(json.loads(value)), ensure_ascii=False)
            elif is_call and what == "text":
                row[column] = self._masked_wholly(column, value, _OF_MESSAGES)
            elif (is_own or is_about) and what == "text":
                labels = _OF_CORRECTED_ROWS if table == "corrected_row" else ()
                row[column] = self._masked_wholly(column, value, labels)
            elif is_about and what == "answers":
                row[column] = json.dumps(self._masked_answer(json.loads(value)), ensure_ascii=False)
            elif is_about and column in JSON_COLUMNS:
                row[column] = map_texts_in_json_text(value, self._without_words)
            elif is_about:
                row[column] = self._without_words(value)
            elif column in JSON_COLUMNS:
                row[column] = map_texts_in_json_text(value, self._without_copies)
            else:
                row[column] = self._without_copies(value)
        self._digest_anew(table, before, row)
        return before if row == before else row

    def rows_to_add_by_table(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The entry of the audit log."""
        entry = {
            "id": new_id(),
            "kind": "erase",
            "who": self._by,
            "about": "a text",
            "body": {"detail": f"{self.item.study}, {self.item.dataset}: {self.item.name}"},
        }
        if not self._measures:
            return {"audit_event": [entry]}
        measured = {"id": new_id(), "item": self.item.id, "body": dict(self._measures)}
        return {"audit_event": [entry], "text_measure": [measured]}

    def _is_written_correction(self, table: str, row: Mapping[str, Any]) -> bool:
        return (
            table == "draft"
            and row["task"] == CORRECTION
            and str(row["item"]).partition(".")[0] in self._items
        )

    # -- texts -------------------------------------------------------------------------------------

    def _masked_body(self, value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            if value in self._digests:
                return self._digests[value]
            return value if key in self._rules.item_labels else mask_letters_with_x(value)
        if isinstance(value, dict):
            return {name: self._masked_body(held, name) for name, held in value.items()}
        if isinstance(value, list):
            return [self._masked_body(held, key) for held in value]
        return value

    def _masked_answer(self, value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            if key in _QUOTES:
                return mask_letters_with_x(value) if self._is_quote(value) else value
            own_words = key in self._rules.text_answers or _WORDS.fullmatch(key)
            is_label = value in self._rules.answer_labels or _CODE.fullmatch(value)
            return value if is_label and not own_words else self._without_words(value)
        if isinstance(value, dict):
            return {name: self._masked_answer(held, name) for name, held in value.items()}
        if isinstance(value, list):
            return [self._masked_answer(held, key) for held in value]
        return value

    def _is_quote(self, quote: str) -> bool:
        """Whether a quote is of the texts: one may be of a page that stays."""
        words = _WORD.findall(quote)
        theirs = sum(fold_case_and_accents(word) in self._words for word in words)
        return not words or theirs >= _OF_THEM * len(words)

    def _without_words(self, text: str) -> str:
        """What somebody wrote of the item, without any word of its texts."""
        return _WORD.sub(
            lambda found: (
                mask_letters_with_x(found[0])
                if fold_case_and_accents(found[0]) in self._words
                else found[0]
            ),
            text,
        )

    def _without_copies(self, text: str) -> str:
        """Any text, without the sentences of the item's."""
        return (
            self._copies.sub(lambda found: mask_letters_with_x(found[0]), text)
            if self._copies
            else text
        )

    def _masked_wholly(self, column: str, value: str, labels: Collection[str]) -> str:
        if column not in JSON_COLUMNS:
            return mask_letters_with_x(value)

        def mask(held: Any, key: str = "") -> Any:
            if isinstance(held, str):
                return held if key in labels else mask_letters_with_x(held)
            if isinstance(held, dict):
                return {name: mask(one, name) for name, one in held.items()}
            return [mask(one, key) for one in held] if isinstance(held, list) else held

        return json.dumps(mask(json.loads(value)), ensure_ascii=False)

    def _digest_anew(self, table: str, before: Mapping[str, Any], row: dict[str, Any]) -> None:
        if table in ("item", "item_version") and row["body"] != before["body"]:
            row["digest"] = digest_of_item_body(row["body"])
        elif table == "sc_source" and row["text"] != before["text"]:
            row["digest"] = hashlib.sha256(row["text"].encode()).hexdigest()
        elif table == "sc_source" and row["id"] in self._of_long_pages:
            row["digest"] = self._of_long_pages[row["id"]]
        elif table == "ebmqa_question" and row != before:
            row["digest"] = self._other_digest(row["digest"])
        elif before.get("request") in self._requests:
            # Nobody is given the reply again, and nobody can try which text it was.
            row["request"] = self._other_digest(before["request"])

    def _digests_of_long_pages(self, ask: Ask) -> dict[str, str]:
        """New digests of the pages that lie in pieces and lose something, by id."""
        own = self._own.get("sc_source_part", set())
        parts = [f"seq in ({_listed(own)})", self._repeated("sc_source_part")]
        pieces = ask(
            "select source, seq, text from sc_source_part where source in ("
            f"select source from sc_source_part where {' or '.join(filter(None, parts))})"
            " order by source, n"
        )
        texts: dict[str, list[str]] = {}
        for source, seq, text in pieces:
            left = mask_letters_with_x(text) if seq in own else self._without_copies(text)
            texts.setdefault(source, []).append(left)
        return {
            source: hashlib.sha256("".join(left).encode()).hexdigest()
            for source, left in texts.items()
        }

    def _other_digest(self, digest: str) -> str:
        return hashlib.blake2b(digest.encode(), key=self._secret, digest_size=16).hexdigest()

    def _not_of_others(self, ask: Ask, sentences: Sequence[str]) -> list[str]:
        """The sentences that no other item has: whatever has one of these is a copy of this one's.
        All of them, where other items have each.
        """
        others = [
            "select 1 from item where id <> $item and contains(cast(body as varchar), s)",
            "select 1 from item_version where item <> $item and contains(cast(body as varchar), s)",
        ]
        for table, seqs in self._own.items():
            columns = [name for name, what in WHAT[table].items() if what == "text"]
            either = " or ".join(f"contains(cast({name} as varchar), s)" for name in columns)
            others.append(
                f"select 1 from {table} where seq not in ({_listed(seqs)}) and ({either})"
            )
        shared = {
            sentence
            for (sentence,) in ask(
                "select s from (select unnest($sentences) as s) where "
                + " or ".join(f"exists ({query})" for query in others),
                sentences=list(sentences),
                item=self.item.id,
            )
        }
        self.shared = len(shared)
        own = [sentence for sentence in sentences if sentence not in shared]
        return sorted(own or sentences, key=len, reverse=True)

    # -- conditions --------------------------------------------------------------------------------

    def _repeated(self, table: str) -> str:
        """A condition for rows in which a sentence of the texts stands."""
        columns = [
            f"cast({name} as varchar)"
            for name, what in WHAT.get(table, {}).items()
            if what in ("text", "words", "answers")
        ]
        patterns = [
            _quoted("|".join(map(re.escape, self._sentences[at : at + _AT_ONCE])))
            for at in range(0, len(self._sentences), _AT_ONCE)
        ]
        return " or ".join(
            f"coalesce(regexp_matches({column}, {pattern}), false)"
            for column in columns
            for pattern in patterns
        )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _texts_in(value: Any, labels: Collection[str], key: str = "") -> Iterator[str]:
    if isinstance(value, str):
        if key not in labels and value.strip():
            yield value
    elif isinstance(value, dict):
        for name, held in value.items():
            yield from _texts_in(held, labels, name)
    elif isinstance(value, list):
        for held in value:
            yield from _texts_in(held, labels, key)


def _texts_of(column: str, value: str | None) -> Iterator[str]:
    if value and column in JSON_COLUMNS:
        yield from _texts_in(json.loads(value), ())
    elif value and value.strip():
        yield value


def _sentences(texts: Collection[str]) -> Iterator[str]:
    """Sentences that are long enough to be nothing else, without what JSON escapes."""
    for text in texts:
        # Addresses stay, since figures count sites.
        for line in re.split(r"https?://\S+|[\n\r\t\"\\]|(?<=[.!?])\s", text):
            if len(line.strip()) >= _SENTENCE:
                # Who repeats it may end it otherwise.
                yield line.strip().rstrip(".!?…:;, ") or line.strip()


def _seqs(ask: Ask, conditions: Mapping[str, str]) -> dict[str, set[int]]:
    return {
        table: {seq for (seq,) in ask(f"select seq from {table} where {condition}")}
        for table, condition in conditions.items()
    }


def _listed(seqs: Collection[int]) -> str:
    return ", ".join(map(str, sorted(seqs))) or "null"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
