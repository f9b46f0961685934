"""Who was given what, held in memory: the assignments of one task, updated as they are appended.

DuckDB takes 5 ms to plan a query over the views of assignments, however few there are, and one
submission asks several times. All facts needed here are appended and never changed, so each process
reads every row once and keeps the current state.
"""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from medlens.deferred_module import np
from medlens.review.items import HAS, current_and_counting_versions_by_item
from medlens.store import Store, utc_now

if TYPE_CHECKING:
    from numpy.typing import NDArray


TRY = "try"
"""The event that gives a practice item (again) for the attempt whose number is its reason."""
KEY = "key"
"""The event that gives a lead an item so that their answer can become a key. It is no work of their
share, and leaves the state of an item that they had."""
AGAIN = "again"
"""The event that gives an item a second time, for its second pass."""
RETURN = "return"
"""The remark with which a lead sends an item back to its rater."""
COUNTED = "counted"
"""What is noted of an early judgment that counts."""
_TABLES = ("assignment", "assignment_event", "judgment", "remark")


FLAG_TAKEN_BACK = "flag taken back"
"""The reason of the event by which a rater opens an item again whose flag they take back."""


@dataclass(slots=True)
class GivenItem:
    """An item that a rater was given. ``state``: open, skip, flag or hand_on, as last noted.

    ``attempt`` is the practice attempt (from 1) it was last given for, ``since`` the ``seq`` of
    that event: judgments before it belong to an earlier attempt. In the second of its ``passes``
    (``review.second_pass``) ``since`` is when it came again. ``last`` is the ``seq`` of the newest
    judgment, ``first`` that of the newest in the first pass, if there is a second. ``for_key``: a
    lead was given it to answer it for a key. ``returned`` is the ``seq`` with which a lead last
    returned it. ``counted``: a judgment was made before others' answers were seen, or beside a
    suggestion that the rater was meant to see; any other counts in no figure. ``counted_version``
    is the newest version of the item of which there is one. ``in_vain``: the item's meaning has
    changed since, and the rater had seen others' answers by then, so that another would not count.
    ``flag`` is the reason of the rater's last flag in this attempt and pass, empty once they have
    taken it back; ``flag_seq`` is when that was.
    """

    item: str
    rater: str
    seq: int
    slot: int
    generation: int
    lease_until: datetime
    state: str = "open"
    reason: str = ""
    state_seq: int = 0
    attempt: int = 1
    passes: int = 1
    since: int = 0
    last: int = 0
    first: int = 0
    for_key: bool = False
    returned: int = 0
    counted: bool = False
    counted_version: int = 0
    in_vain: bool = False
    flag: str = ""
    flag_seq: int = 0
    id: str = ""

    @property
    def browser_handle(self) -> str:
        """What a browser calls the item: opaque, and another each time it is handed out, so that it
        tells neither the item's name nor that the item came before.
        """
        return _handle(self.id, self.passes, self.attempt)

    @property
    def all_browser_handles(self) -> list[str]:
        """``browser_handle``, and those of the times it was handed out before."""
        passes, attempts = range(1, self.passes + 1), range(1, self.attempt + 1)
        return [_handle(self.id, turn, attempt) for turn in passes for attempt in attempts]

    @property
    def is_judged(self) -> bool:
        """Whether it was judged; in practice, in the attempt it was last given for, and in a
        second pass, in that.
        """
        return self.last > self.since

    @property
    def has_first_pass_judgment(self) -> bool:
        """Whether there is a judgment that figures use: of the first pass."""
        return self.is_judged or self.passes > 1

    @property
    def is_sent_back(self) -> bool:
        """Whether a lead has returned it and the rater has neither judged nor flagged it since."""
        answered = self.state == "flag" and self.state_seq > self.returned
        return self.is_judged and self.returned > self.last and not answered

    @property
    def reason_of_standing_flag(self) -> str:
        """The reason of the rater's flag, whether or not they have judged the item; empty if there
        is none, they have taken it back, or a lead has returned the item since.
        """
        return self.flag if self.flag_seq > self.returned else ""

    @property
    def is_flag_taken_back(self) -> bool:
        """Whether the rater has taken back their flag, and done nothing since."""
        return self.reason == FLAG_TAKEN_BACK and self.state_seq > max(self.last, self.returned)

    @property
    def is_skipped_since_return(self) -> bool:
        """Whether the rater has skipped it since a lead returned it."""
        return self.is_sent_back and self.state == "skip" and self.state_seq > self.returned

    @property
    def is_given_only_for_answer_key(self) -> bool:
        """Whether it was given only to be answered for a key."""
        return self.for_key and self.slot < 0

    @property
    def is_judged_or_flagged(self) -> bool:
        """Whether it was judged or flagged as wrong."""
        return self.is_judged or self.state == "flag"

    def holds_slot(self, now: datetime) -> bool:
        """Whether the slot is this rater's: judged so that it counts, or open with the lease still
        running.
        """
        if self.has_first_pass_judgment:
            return self.counted and not self.in_vain
        return self.state == "open" and self.lease_until > now


@dataclass(frozen=True)
class DatasetItemPool:
    """The items of a dataset in the order they were added: ids, names (which also include practice
    items and gold items that were not drawn: they are handed out separately and appear in nothing
    else here), and a number drawn from each id, which every rater's own order is made from.
    ``settled`` counts who has judged. ``kin`` and ``evened`` number the items' values at the task's
    paths of these names, if it has them. ``short`` has the lengths of the quarter
    of a demo's items with the shortest texts (``Task.length_at``), and 0 for its others; None for
    what is no demo.
    """

    ids: list[str]
    names: dict[str, str]
    place: dict[str, int]
    draw: NDArray[np.uint64]
    settled: NDArray[np.int64]
    kin: NDArray[np.int64] | None
    evened: NDArray[np.int64] | None
    short: NDArray[np.int64] | None

    def positions_of_items(self, items: Collection[str]) -> list[int]:
        """The positions of those items that are in the pool."""
        place = self.place.get
        return [at for item in items if (at := place(item)) is not None]


@dataclass
class AssignmentLedger:
    """The assignments of one task."""

    task: str
    by_rater: dict[str, dict[str, GivenItem]] = field(default_factory=dict)
    by_item: dict[str, list[GivenItem]] = field(default_factory=dict)
    _ungiven: dict[str, dict[str, int]] = field(default_factory=dict)
    _judged_by: dict[str, set[str]] = field(default_factory=dict)
    _people: tuple[int, frozenset[str]] = (-1, frozenset())
    _pending: set[str] = field(default_factory=set)
    _early: dict[tuple[str, str], list[tuple[Any, ...]]] = field(default_factory=dict)
    _next: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_TABLES, 0))
    _versions: dict[str, int] = field(default_factory=dict)
    _gold: tuple[int, frozenset[str]] = (-1, frozenset())
    _seen: dict[str, tuple[int, frozenset[str]]] = field(default_factory=dict)
    _out: tuple[int, dict[str, frozenset[str] | None]] = (-1, {})
    _corrected: tuple[int, Mapping[str, tuple[int, int]]] = (-1, {})
    _in_vain: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _pools: dict[tuple[str | bool, ...], tuple[int, DatasetItemPool]] = field(default_factory=dict)

    def list_items_given_to_rater(self, rater: str) -> list[GivenItem]:
        """What the rater was given, in the order it was last given."""
        # Copy first: another thread may be adding an assignment.
        given = list(self.by_rater.get(rater, {}).values())
        return sorted(given, key=lambda one: one.since if one.passes > 1 else one.seq)

    def was_item_given_to_rater(self, item: str, rater: str) -> bool:
        """Whether the rater was given the item."""
        return item in self.by_rater.get(rater, {})

    def find_first_seq_of_current_attempt(self, item: str, rater: str) -> int:
        """The ``seq`` from which a rater's work on an item belongs to the current attempt."""
        given = self.by_rater.get(rater, {}).get(item)
        return given.since if given else 0

    def was_handed_on(self, given: GivenItem) -> bool:
        """Whether the slot was given to somebody else after this rater."""
        return any(
            other.slot == given.slot and other.generation > given.generation
            for other in self.by_item[given.item]
        )

    def set_of_held_slot_numbers_of_item(self, item: str, now: datetime) -> set[int]:
        """The slots of an item that are held by somebody whose work counts."""
        held = self.by_item.get(item, ())
        return {
            one.slot
            for one in held
            if one.slot >= 0 and one.holds_slot(now) and not self._is_out(item, one.rater)
        }

    def ids_of_items_held_unjudged(self, now: datetime) -> set[str]:
        """The items that somebody holds but has not judged; not what is answered for a key."""
        with self._lock:
            return {
                item
                for item in self._pending
                if any(
                    one.holds_slot(now)
                    and not one.has_first_pass_judgment
                    and not one.is_given_only_for_answer_key
                    for one in self.by_item[item]
                )
            }

    def find_ids_of_items_held_or_judged(self) -> set[str]:
        """The items that people hold, have passed over or have judged, given to them or not."""
        with self._lock:
            given = {
                item
                for item, held in self.by_item.items()
                if any(one.has_first_pass_judgment or one.state != "hand_on" for one in held)
            }
            people = self._people[1]
            return given | {item for item, who in self._ungiven.items() if who.keys() & people}

    def count_raters_who_judged_ungiven_item(self, item: str) -> int:
        """How many people judged an item that they were not given: their judgments were
        imported.

        Models, the raters of a demo and people whose work is excluded take nobody's place, nor do
        judgments of an earlier version of an item whose meaning has changed since.
        """
        judged = self._ungiven.get(item)
        if not judged:
            return 0
        _, counts_from = self._corrected[1].get(item, (1, 1))
        return sum(
            version >= counts_from and rater in self._people[1] and not self._is_out(item, rater)
            for rater, version in judged.items()
        )

    def ids_of_items_judged_without_being_given(self, rater: str) -> frozenset[str]:
        """The items that the rater judged without being given them."""
        return frozenset(self._judged_by.get(rater, ()))

    def find_ids_of_items_revealed_to_rater(self, store: Store, rater: str) -> frozenset[str]:
        """The items of which the rater has seen what others answered, so that a first judgment of
        theirs would count in no figure; not those that they see beside a suggestion.
        """
        version = store.data_version_of_tables("reveal")
        if not version:
            return frozenset()
        held = self._seen.get(rater)
        if held is None or held[0] != version:
            rows = store.column(
                "select item from reveal where task = $task and rater = $rater except"
                " select item from suggestion where task = $task and rater = $rater and shown",
                task=self.task,
                rater=rater,
            )
            held = self._seen[rater] = (version, frozenset(rows))
        return held[1]

    def _is_out(self, item: str, rater: str) -> bool:
        """Whether a lead has excluded the rater's work on the item."""
        items = self._out[1].get(rater, frozenset())
        return items is None or item in items

    def array_of_holder_counts_of_items(
        self,
        pool: DatasetItemPool,
        *,
        rater: str,
        cap: int,
        gold: frozenset[str],
        without: Collection[str] = (),
    ) -> NDArray[np.int64]:
        """How many raters hold each item of the pool; ``cap`` if this rater cannot be given it, as
        those ``without``.
        """
        now = utc_now()
        with self._lock:
            taken = pool.settled.copy()
            # Items that were given but not judged: few, whatever the dataset's size.
            for item in self._pending:
                at = pool.place.get(item)
                if at is not None:
                    taken[at] = len(
                        self.set_of_held_slot_numbers_of_item(item, now)
                    ) + self.count_raters_who_judged_ungiven_item(item)
            mine = pool.positions_of_items(
                [*self.by_rater.get(rater, ()), *self._judged_by.get(rater, ())]
            )
        taken[pool.positions_of_items(without)] = cap
        taken[[*mine, *pool.positions_of_items(gold)]] = cap
        if pool.kin is not None:
            taken[np.isin(pool.kin, pool.kin[mine])] = cap
        return taken

    def _settle(self, item: str) -> None:
        held = self.by_item[item]
        if all(one.has_first_pass_judgment for one in held):
            self._pending.discard(item)
        for _, pool in self._pools.values():
            self._count_settled(pool, item)

    def _count_settled(self, pool: DatasetItemPool, item: str) -> None:
        at = pool.place.get(item)
        if at is not None:
            held = self.by_item.get(item, ())
            slots = {
                one.slot
                for one in held
                if one.has_first_pass_judgment
                and one.counted
                and not one.in_vain
                and one.slot >= 0
                and not self._is_out(item, one.rater)
            }
            pool.settled[at] = len(slots) + self.count_raters_who_judged_ungiven_item(item)

    def read_appended_assignments(self, store: Store) -> None:
        """Read what was appended since the last time."""
        with self._lock:
            for table, take in (
                ("assignment", self._take_assignment),
                ("assignment_event", self._take_event),
                ("judgment", self._take_judgment),
                ("remark", self._take_remark),
            ):
                version = store.data_version_of_tables(table)
                if version == self._versions.get(table, -1):
                    continue
                new = store.rows(
                    # Row ids follow the order of commits, which seq does not.
                    f"select rowid, {_COLUMNS[table]} from {table}"
                    " where rowid >= $next and task = $task order by rowid",
                    next=self._next[table],
                    task=self.task,
                )
                if table == "judgment":
                    self._know_people(store)
                for rowid, *row in new:
                    self._next[table] = rowid + 1
                    take(*row)
                self._versions[table] = version
            self._know_excluded(store)
            self._know_corrected(store)
            self._know_in_vain(store)

    def _take_assignment(
        self, item: str, rater: str, seq: int, slot: int, generation: int, lease: datetime, id: str
    ) -> None:
        given = GivenItem(item, rater, seq, slot, generation, lease, id=id)
        self.by_rater.setdefault(rater, {})[item] = given
        self.by_item.setdefault(item, []).append(given)
        self._pending.add(item)
        self._ungiven.get(item, {}).pop(rater, None)
        for kind, *noted in self._early.pop((item, rater), ()):
            if kind == "judged":
                seq, is_counted, version = noted
                self._note_judged(given, seq, counted=is_counted == COUNTED, version=version)
            else:
                self._note(given, kind, *noted)

    def _take_event(
        self, item: str, rater: str, kind: str, seq: int, reason: str, lease: datetime | None
    ) -> None:
        given = self.by_rater.get(rater, {}).get(item)
        if given is None:
            self._early.setdefault((item, rater), []).append((kind, seq, reason, lease))
        else:
            self._note(given, kind, seq, reason, lease)

    def _take_remark(self, item: str, rater: str, kind: str, seq: int) -> None:
        if kind == RETURN:
            self._take_event(item, rater, kind, seq, "", None)

    @staticmethod
    def _note(given: GivenItem, kind: str, seq: int, reason: str, lease: datetime | None) -> None:
        if kind == KEY:
            given.for_key = True
            return
        if kind == RETURN:
            given.returned = max(given.returned, seq)
            return
        if kind == TRY:
            given.attempt, given.since, kind, reason = int(reason), seq, "open", ""
            given.flag, given.flag_seq = "", max(given.flag_seq, seq)
        if kind == AGAIN:
            given.passes, given.since, given.first, kind = 2, seq, given.last, "open"
            # What was said of it then must not tell that it comes again.
            given.flag, given.flag_seq = "", max(given.flag_seq, seq)
        if (kind == "flag" or reason == FLAG_TAKEN_BACK) and seq > given.flag_seq:
            given.flag, given.flag_seq = reason if kind == "flag" else "", seq
        if seq > given.state_seq:
            given.state, given.reason, given.state_seq = kind, reason, seq
        if lease is not None:
            given.lease_until = max(given.lease_until, lease)

    def _note_judged(self, given: GivenItem, seq: int, *, counted: bool, version: int) -> None:
        given.counted |= counted
        if counted:
            given.counted_version = max(given.counted_version, version)
        given.last = max(given.last, seq)
        if given.passes > 1 and seq < given.since:
            # A store read from its beginning gives events before judgments.
            given.first = max(given.first, seq)
        self._settle(given.item)

    def _take_judgment(self, item: str, rater: str, seq: int, counted: bool, version: int) -> None:
        given = self.by_rater.get(rater, {}).get(item)
        if given is not None:
            self._note_judged(given, seq, counted=counted, version=version)
        else:
            # Imported judgments have no assignment, now or ever.
            self._early.setdefault((item, rater), []).append(
                ("judged", seq, COUNTED * counted, version)
            )
            judged = self._ungiven.setdefault(item, {})
            judged[rater] = max(judged.get(rater, 1), version)
            self._judged_by.setdefault(rater, set()).add(item)
            for _, pool in self._pools.values():
                self._count_settled(pool, item)

    def _know_people(self, store: Store) -> None:
        version = store.data_version_of_tables("rater")
        if self._people[0] != version:
            rows = store.column("select id from rater where kind = 'person' and origin <> 'demo'")
            self._people = (version, frozenset(rows))

    def _know_excluded(self, store: Store) -> None:
        """The items in which a rater's work is excluded, by rater; None means all."""
        version = (
            store.data_version_of_tables("exclusion", "item")
            if store.data_version_of_tables("exclusion")
            else 0
        )
        if self._out[0] == version:
            return
        rows = store.rows(
            "select x.rater, bool_or(x.task = ''), list(i.id) from exclusion_now x"
            " left join item_in_play i on i.dataset = x.dataset where x.task in ('', $task)"
            " group by all",
            task=self.task,
        )
        self._out = (version, {who: None if all_ else frozenset(them) for who, all_, them in rows})
        for _, pool in self._pools.values():
            for item in {*self.by_item, *self._ungiven}:
                self._count_settled(pool, item)

    def _know_corrected(self, store: Store) -> None:
        """From which version of each corrected item judgments count."""
        version = store.data_version_of_tables("item_version")
        if self._corrected[0] == version:
            return
        self._corrected = (version, current_and_counting_versions_by_item(store))
        for _, pool in self._pools.values():
            for item in self._corrected[1].keys() & self._ungiven.keys():
                self._count_settled(pool, item)

    def _know_in_vain(self, store: Store) -> None:
        """Who judged an item before its meaning changed and cannot judge it blind any more."""
        of = ("item_version", "reveal", *_TABLES)
        version = store.data_version_of_tables(*of) if self._corrected[1] else 0
        if self._in_vain == version:
            return
        self._in_vain = version
        for item, (_, counts_from) in self._corrected[1].items():
            if counts_from == 1:
                continue
            for one in self.by_item.get(item, ()):
                was = one.in_vain
                one.in_vain = (
                    one.counted
                    and one.counted_version < counts_from
                    and item in self.find_ids_of_items_revealed_to_rater(store, one.rater)
                )
                if one.in_vain != was:
                    self._settle(item)

    def find_ids_of_gold_items(self, store: Store) -> frozenset[str]:
        """The gold items of the task."""
        version = store.data_version_of_tables("gold")
        if self._gold[0] != version:
            rows = store.column("select item from gold_now where task = $task", task=self.task)
            self._gold = (version, frozenset(rows))
        return self._gold[1]

    def current_dataset_item_pool(
        self,
        store: Store,
        *,
        study: str,
        kind: str,
        dataset: str,
        requires: str = "",
        kin: str = "",
        evened: str = "",
        length_at: str = "",
        leaves_out: Callable[[Store, str], Collection[str]] | None = None,
    ) -> DatasetItemPool:
        """The items of a dataset; read again when items are added, named or selected.

        ``requires`` keeps only items that have something in this field, or at this path, of their
        body. If a selection was drawn for the task (``review.items_selected_to_hand_out``), only
        that. ``leaves_out``, ``kin``, ``evened`` and ``length_at`` are those of the task.
        """
        version = store.data_version_of_tables("item", "item_alias", "selection", "gold")
        key = (study, kind, dataset, requires, kin, evened, length_at, leaves_out is not None)
        held = self._pools.get(key)
        if held is None or held[0] != version:
            rows = store.rows(
                f"select id, name, {_GOLD}, {_SELECTED} and {_NOT_PRACTICE} from item_now"
                " where study = $study and kind = $kind and dataset = $dataset"
                f"{HAS if requires else ''} and ({_GOLD} or {_SELECTED}) order by seq",
                study=study,
                kind=kind,
                dataset=dataset,
                task=self.task,
                **({"requires": requires} if requires else {}),
            )
            out = set(leaves_out(store, dataset)) if leaves_out else set()
            names = {item: name for item, name, gold, _ in rows if gold or item not in out}
            ids = [item for item, _, _, shared in rows if shared and item not in out]
            draws = b"".join(blake2b(i.encode(), digest_size=8).digest() for i in ids)
            place = {one: at for at, one in enumerate(ids)}
            draw = np.frombuffer(draws, np.uint64)
            kin_of, evened_of = (
                self._numbered(store, path, ids, study=study, kind=kind, dataset=dataset)
                for path in (kin, evened)
            )
            settled = np.zeros(len(ids), np.int64)
            short = self._shortest(store, length_at, ids, study=study, kind=kind, dataset=dataset)
            pool = DatasetItemPool(ids, names, place, draw, settled, kin_of, evened_of, short)
            with self._lock:
                for item in {*self.by_item, *self._ungiven}:
                    self._count_settled(pool, item)
                held = self._pools[key] = (version, pool)
        return held[1]

    @staticmethod
    def _numbered(store: Store, path: str, ids: list[str], **of: str) -> NDArray[np.int64] | None:
        """The items' values at this path of their bodies, as numbers; None without a path."""
        if not path:
            return None
        found = dict(
            store.rows(
                "select id, dense_rank() over (order by body->>$path) from item_now"
                " where study = $study and kind = $kind and dataset = $dataset",
                path=path,
                **of,
            )
        )
        return np.array([found[one] for one in ids], np.int64)

    @staticmethod
    def _shortest(store: Store, path: str, ids: list[str], **of: str) -> NDArray[np.int64] | None:
        """The lengths of the texts at this path, for the quarter of a demo's items where it is
        shortest, and 0 for its others; None without a path, and for all that is no demo.
        """
        if not path:
            return None
        rows = store.rows(
            "select id, length(body->>$path) from item_now where illustrative"
            " and study = $study and kind = $kind and dataset = $dataset",
            path=path,
            **of,
        )
        lengths = {item: length or 0 for item, length in rows}
        if not ids or not all(one in lengths for one in ids):
            return None
        found = np.array([lengths[one] for one in ids], np.int64)
        longest = int(np.sort(found)[max(0, len(ids) // 4 - 1)])
        return np.where(found <= longest, found, 0)


_SELECTED = (
    "(id in (select item from selection where task = $task and dataset = $dataset)"
    " or not exists (select 1 from selection where task = $task and dataset = $dataset))"
)
_GOLD = "id in (select item from gold_now where task = $task)"
_NOT_PRACTICE = "id not in (select item from practice_now where task = $task)"
_COLUMNS = {
    "assignment": "item, rater, seq, slot, generation, lease_until, id",
    "assignment_event": "item, rater, kind, seq, reason, lease_until",
    "judgment": "item, rater, seq, blind or exists (select 1 from suggestion s"
    " where s.task = judgment.task and s.item = judgment.item and s.rater = judgment.rater"
    " and s.shown), coalesce(version, 1)",
    "remark": "item, rater, kind, seq",
}
_held: weakref.WeakKeyDictionary[Store, dict[str, AssignmentLedger]] = weakref.WeakKeyDictionary()
Store.when_rewritten.append(lambda store: _held.pop(store, None))
_making = threading.Lock()


def _handle(assignment: str, *turn: int) -> str:
    # An assignment's id is random, in no file that raters get, and the same after a restart.
    of = ".".join(map(str, turn)).encode()
    return blake2b(of, key=assignment.encode(), digest_size=10).hexdigest()


_HANDLE = re.compile(r"[0-9a-f]{20}")


def looks_like_browser_handle(name: str) -> bool:
    """Whether this looks like ``GivenItem.browser_handle``."""
    return _HANDLE.fullmatch(name) is not None


def assignment_ledger_of_task(store: Store, task: str) -> AssignmentLedger:
    """The task's current assignments."""
    with _making:
        one = _held.setdefault(store, {}).setdefault(task, AssignmentLedger(task))
    one.read_appended_assignments(store)
    return one


def array_of_item_sort_keys_for_rater(
    pool: DatasetItemPool, *, seed: int, rater: str
) -> NDArray[np.uint64]:
    """A number for each item; sorting by it puts the items in the rater's own order."""
    own = np.uint64(
        int.from_bytes(blake2b(f"{seed}\x1f{rater}".encode(), digest_size=8).digest(), "little")
    )
    # splitmix64's mixing: every bit of both numbers reaches every bit of the result.
    mixed = pool.draw ^ own
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
