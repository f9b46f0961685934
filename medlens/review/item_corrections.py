"""Correcting items: a new version of an item's body, with a reason.

Judgments, drafts, decisions and codes keep the version that they were made on (``version``; null is
the first, the item as it was added). Of a typing error earlier judgments still count, and whoever
reads them gets their marks where the words stand now. If the meaning changed, none of an earlier
version counts: the views leave them out, and their raters are asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.errors import Conflict, InvalidInput
from medlens.review import items, open_code_revisions_by_lead
from medlens.review.marks_after_text_correction import CarriedAnswer
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.review.withdrawn_items import (
    COMMAND_LINE,
    make_withdrawal_remark_rows,
    withdrawal_rows_by_table,
)
from medlens.stats.estimate import Estimate
from medlens.store import Lookup, Row, Store, new_id, stable_id, to_json

Change = Literal["typing", "meaning"]
CHANGES: Mapping[Change, str] = {
    "typing": "A typing error: its judgments still count",
    "meaning": "The meaning changed: its judgments no longer count",
}
"""What a lead says a correction is, in words."""
_NAMED = 5


def parse_kind_of_change(word: str) -> Change:
    """The change that a lead named.

    Raises:
        InvalidInput: it is none.
    """
    if word not in CHANGES:
        raise InvalidInput(
            "Say whether it is a typing error or the meaning changed.",
            hint="typing: judgments still count. meaning: they are asked for again.",
        )
    return cast(Change, word)


@dataclass(frozen=True)
class SharedCorrection:
    """A correction of what several items can show: the ``bodies`` of all items that show it (by
    id); the corrected columns of ``rows`` of the study's own tables, by the row's id; and rows of
    other tables that go ``beside``. ``foreseen`` is what a body (by the item's id) would lead to
    once these are there, and is added to it only to see what becomes of marks. ``follows`` says in
    sentences what else becomes of work, as either change; ``only_meaning`` why it is no typing
    error, if it is none. What is to be ``withdrawn`` (names by id) goes if the meaning changes.
    """

    study: str
    dataset: str
    bodies: Mapping[str, Mapping[str, Any] | str]
    rows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    beside: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    foreseen: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    follows: Mapping[Change, Sequence[str]] = field(default_factory=dict)
    only_meaning: str = ""
    withdrawn: Mapping[str, str] = field(default_factory=dict)


def add_versions_of_shown_rows_to_body(
    body: Mapping[str, Any], rows: Mapping[str, int], **changed: Any
) -> dict[str, Any]:
    """An item's body with what is ``changed``, and the versions of the corrected rows that it shows
    (by their ids), so that each version of it is another.
    """
    return {**body, **changed, "shows": {**body.get("shows", {}), **rows}}


_ROW_VERSIONS = Lookup(
    "item_corrections.row_versions",
    "select subject, max(version), arg_max(body, version)::varchar from corrected_row"
    " where subject in $subjects group by subject",
)


def load_version_and_columns_by_row(
    store: Store, subjects: Sequence[str]
) -> dict[str, tuple[int, dict[str, Any]]]:
    """The corrected rows among these (ids): their version, and the columns corrected so far."""
    return {
        subject: (version, items.parse_item_body(body))
        for subject, version, body in store.rows(
            _ROW_VERSIONS,
            subjects=list(subjects),
        )
    }


def make_study_row_correction_rows(
    store: Store,
    rows: Mapping[str, Mapping[str, Any]],
    *,
    study: str,
    dataset: str,
    reason: str,
    who: str,
    counts: bool | None = None,
) -> list[Row]:
    """Rows of a study's own tables with these columns from now on: what to append. ``counts``:
    whether what was answered to their earlier versions still does.
    """
    held = load_version_and_columns_by_row(store, list(rows))
    return [
        {
            "id": new_id(),
            "study": study,
            "dataset": dataset,
            "subject": subject,
            "version": held.get(subject, (1, {}))[0] + 1,
            "body": {**held.get(subject, (1, {}))[1], **columns},
            "reason": reason,
            "made_by": who,
            "counts": counts,
        }
        for subject, columns in rows.items()
    ]


@dataclass(frozen=True)
class LostMark:
    """A mark whose words the corrected text no longer has; ``item`` and ``rater`` are names."""

    item: str
    rater: str
    words: str

    @property
    def lost_mark_in_words(self) -> str:
        """It in words, for a list."""
        words = " ".join(self.words.split())
        return f"{self.item}, {self.rater}: “{words if len(words) <= 90 else words[:89] + '…'}”"


@dataclass
class CorrectionEffect:
    """What corrections do to the work on their items: how many ``items`` change, ``judgments`` that
    stand, ``drafts`` and raters who were ``told`` that they have one open; ``asked_again``, and
    ``keys`` and ``decisions`` that hold no longer, if the meaning changed. ``marks`` keep their
    words, ``lost`` ones do not. ``beside`` says what becomes of what is no judgment.
    """

    items: int = 0
    judgments: int = 0
    asked_again: int = 0
    told: int = 0
    keys: int = 0
    decisions: int = 0
    marks: int = 0
    lost: list[LostMark] = field(default_factory=list)
    beside: Sequence[str] = ()

    def list_effects_in_sentences(self, change: Change) -> list[str]:
        """It in sentences, for the lead."""
        found = []
        many = _counted(self.judgments, "judgment")
        if change == "typing" and self.judgments:
            found.append(f"{many} of the earlier text still {_verb(self.judgments, 'count')}.")
        elif self.judgments:
            dropped = f"{many} of the earlier text no longer {_verb(self.judgments, 'count')}"
            found.append(f"{dropped}{self._asked_again_in_words}")
        if self.told:
            found.append(
                f"{_counted(self.told, 'person has', 'people have')} it open and will be told."
            )
        if self.keys:
            found.append(
                f"{_counted(self.keys, 'key')} of gold or practice items no longer"
                f" {_verb(self.keys, 'hold')}: set {'it' if self.keys == 1 else 'them'} again."
            )
        if self.decisions:
            found.append(
                f"{_counted(self.decisions, 'decision')} of adjudicators no longer"
                f" {_verb(self.decisions, 'hold')}."
            )
        if self.marks or self.lost:
            lost = len(self.lost)
            one_is = ("is", "its") if lost == 1 else ("are", "their")
            gone = f"; {lost:,} {one_is[0]} not, as {one_is[1]} words are gone" if lost else ""
            many = _counted(self.marks, "mark")
            found.append(f"{many} {'is' if self.marks == 1 else 'are'} carried over{gone}.")
            found += [f"  {one.lost_mark_in_words}" for one in self.lost[:_NAMED]]
            if lost > _NAMED:
                found.append(f"  and {lost - _NAMED:,} more")
        return [*found, *self.beside]

    @property
    def _asked_again_in_words(self) -> str:
        """How many of the judgments that no longer count are made anew, and why others are not."""
        others = self.judgments - self.asked_again
        why = "imported, made by a model, or sent back before"
        if not self.asked_again:
            alone = self.judgments == 1
            made = "it was" if alone else "they were"
            return f". Nobody is asked for {'it' if alone else 'them'} again: {made} {why}."
        asked = _counted(self.asked_again, "answer")
        again = f"; {asked} {'is' if self.asked_again == 1 else 'are'} asked for again."
        if others > 0:
            verbs = ("is", "was") if others == 1 else ("are", "were")
            again += f" The other {others:,} {verbs[0]} not: {why}."
        return again


def _counted(many: int, noun: str, plural: str = "") -> str:
    return f"{many:,} {noun if many == 1 else plural or f'{noun}s'}"


def _verb(many: int, verb: str) -> str:
    return f"{verb}s" if many == 1 else verb


def correct_items_and_return_effect(
    store: Store,
    tasks: Sequence[Task],
    bodies: Mapping[str, Mapping[str, Any] | str],
    *,
    change: Change,
    reason: str,
    by: Rater | None,
    base: Mapping[str, int] | None = None,
    shared: SharedCorrection | None = None,
) -> CorrectionEffect:
    """Give items (by id) new bodies, in one transaction; ``tasks`` are what is asked of them,
    ``by`` None is the command line. ``base`` are the versions that the new bodies build on, if
    known; ``shared`` is what they show, if it is corrected with them.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason, nothing changed, or judgments would break a rule of their task
            although only a typing error is corrected.
        Conflict: somebody else corrected one of them at the same moment.
    """
    require_lead(by)
    if any(
        items.current_version_of_item(store, item) != version
        for item, version in (base or {}).items()
    ):
        raise make_corrected_meanwhile_error()
    who = by.id if by else COMMAND_LINE
    batch, effect = make_item_correction_rows_and_effect(
        store, tasks, bodies, change=change, reason=reason, who=who, shared=shared
    )
    try:
        store.append_all_and_count_new_by_table(batch)
    except Conflict as error:
        raise make_corrected_meanwhile_error() from error
    if change == "meaning":
        ask_raters_of_earlier_version_again(store, list(bodies))
    return effect


def make_corrected_meanwhile_error() -> Conflict:
    """What is said to whoever corrects what somebody else corrected since they saw it."""
    return Conflict(
        "Somebody else corrected this item a moment ago.", hint="Look at what it says now."
    )


_DIGESTS_OF_ITEMS = Lookup(
    "item_corrections.digests_of_items",
    "select id, digest from item_known where id in $items",
    items="items",
)


def make_item_correction_rows_and_effect(
    store: Store,
    tasks: Sequence[Task],
    bodies: Mapping[str, Mapping[str, Any] | str],
    *,
    change: Change,
    reason: str,
    who: str,
    shared: SharedCorrection | None = None,
) -> tuple[dict[str, list[Row]], CorrectionEffect]:
    """What ``correct_items_and_return_effect`` appends, by table, for a transaction that does more;
    and its effect. ``who`` corrects them: a rater's id or the command line.

    Raises:
        InvalidInput: as ``correct_items_and_return_effect``.
    """
    # Remove characters that would reverse or hide the words around them in tables.
    reason = remove_invisible_characters_from_name(reason)
    if not reason:
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the item.")
    stored = {
        item: body if isinstance(body, str) else to_json(body) for item, body in bodies.items()
    }
    there = dict(store.rows(_DIGESTS_OF_ITEMS, items=list(stored)))
    changed = {
        item: body
        for item, body in stored.items()
        if there.get(item) != items.digest_of_item_body(body)
    }
    if not changed and not (shared and shared.rows):
        raise InvalidInput("Nothing was changed.", hint="The item is as it was.")
    effect = preview_effect_of_corrections_on_judgments(
        store, tasks, changed, change=change, shared=shared
    )
    versions = [
        {
            "id": new_id(),
            "item": item,
            "version": items.current_version_of_item(store, item) + 1,
            "body": body,
            "digest": items.digest_of_item_body(body),
            "counts": change == "typing",
            "reason": reason,
            "made_by": who,
        }
        for item, body in changed.items()
    ]
    words = (
        f"A typing error in this item is corrected ({reason}). What you have done counts."
        if change == "typing"
        else f"This item is corrected, and its meaning changed ({reason}). You may finish it on the"
        " text that you have open, but that does not count: you are asked again."
    )
    told = make_withdrawal_remark_rows(store, list(changed), words, who=who)
    batch: dict[str, list[Row]] = {"item_version": [*versions], "remark": told}
    if shared:
        batch |= {table: list(rows) for table, rows in shared.beside.items()}
    if shared and shared.rows:
        batch["corrected_row"] = make_study_row_correction_rows(
            store,
            shared.rows,
            study=shared.study,
            dataset=shared.dataset,
            reason=reason,
            who=who,
            counts=change == "typing",
        )
    if change == "meaning":
        again = _asking_again(store, list(changed), reason=reason, who=who)
        asked = {(row["task"], row["item"], row["rater"]) for row in again}
        batch["remark"] = again + [
            row for row in told if (row["task"], row["item"], row["rater"]) not in asked
        ]
        batch["gold"] = _keys_taken_back(store, list(changed), who=who)
        if shared and shared.withdrawn:
            gone = withdrawal_rows_by_table(
                *(store, shared.withdrawn),
                study=shared.study,
                dataset=shared.dataset,
                reason=reason,
                who=who,
                tell=True,
            )
            batch["item_withdrawal"] = gone["item_withdrawal"]
            batch["remark"] += gone["remark"]
        effect.asked_again, effect.keys = len(again), len(batch["gold"])
    return batch, effect


_COUNT_DECISIONS = Lookup(
    "item_corrections.count_decisions",
    "select count(*) from adjudication_now where item in $items",
    items="items",
)


_OPEN_CODES_TO_CARRY = Lookup(
    "item_corrections.open_codes_to_carry",
    "select c.item, r.name, coalesce(c.version, 1), c.body::varchar from open_code_now c"
    " join rater r on r.id = c.rater where c.item in $items order by c.seq",
    items="items",
)


_JUDGMENTS_TO_CARRY = Lookup(
    "item_corrections.judgments_to_carry",
    "select j.task, j.item, r.name, coalesce(j.version, 1), j.body::varchar"
    " from judgment_counted j join rater r on r.id = j.rater where j.item in $items"
    " qualify row_number() over (partition by j.task, j.item, j.rater"
    " order by j.revision desc) = 1 order by j.seq",
    items="items",
)


def preview_effect_of_corrections_on_judgments(
    store: Store,
    tasks: Sequence[Task],
    bodies: Mapping[str, str],
    *,
    change: Change,
    shared: SharedCorrection | None = None,
) -> CorrectionEffect:
    """What new bodies (JSON, by item id) do to judgments; nothing is written. ``shared`` is what
    the items show, if it is corrected with them.

    Raises:
        InvalidInput: judgments would break a rule although only a typing error is corrected.
    """
    if shared and shared.only_meaning and change == "typing":
        raise InvalidInput(
            shared.only_meaning, hint="This is not a typing error: say that the meaning changed."
        )
    effect = CorrectionEffect(
        items=len(bodies), beside=shared.follows.get(change, ()) if shared else ()
    )
    foreseen = shared.foreseen if shared else {}
    asked = {task.name: task for task in tasks}
    effect.decisions = int(store.value(_COUNT_DECISIONS, items=list(bodies)) or 0)
    if change == "typing":
        effect.decisions = 0
    else:
        effect.asked_again = len(_asking_again(store, list(bodies), reason="foreseen", who=""))
        effect.keys = len(_keys_taken_back(store, list(bodies), who=""))
    told = make_withdrawal_remark_rows(store, list(bodies), "", who="")
    effect.told = len({row["rater"] for row in told})
    names = items.item_names_by_id(store, bodies)
    read: dict[str, Any] = {}
    for task_name, item, rater, version, body in store.rows(
        _JUDGMENTS_TO_CARRY,
        items=list(bodies),
    ):
        effect.judgments += 1
        if task_name not in asked:
            continue
        new = items.parse_item_body(bodies[item]) | dict(foreseen.get(item, {}))
        after = read.setdefault(item, new)
        before = items.item_body(store, item, version)
        task = asked[task_name].task_as_asked_of_item(before)
        carried = task.answer_and_lost_marks_in_corrected_item(task.parse(body), before, after)
        effect.marks += carried.kept
        effect.lost += [LostMark(names[item], rater, words) for words in carried.lost]
        if change == "typing":
            _require_rules_kept(asked[task_name], carried, before, after, names[item], rater)
    for item, coder, version, body in store.rows(
        _OPEN_CODES_TO_CARRY,
        items=list(bodies),
    ):
        after = read.setdefault(item, items.parse_item_body(bodies[item]))
        codes, lost = open_code_revisions_by_lead.carried_codes_and_words_of_lost_codes(
            items.parse_item_body(body), items.item_body(store, item, version), after
        )
        effect.marks += len(codes["codes"])
        effect.lost += [LostMark(names[item], coder, words) for words in lost]
    return effect


def _require_rules_kept(
    task: Task,
    carried: CarriedAnswer,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    item: str,
    rater: str,
) -> None:
    """Refuse a typing error after which a judgment is no answer to the item any more."""
    broken = list(task.problems_of_answer(carried.sound, after))
    known = set(task.problems_of_answer(carried.sound, before)) if broken else set()
    fresh = [problem for problem in broken if problem not in known]
    if fresh := ([carried.unfit] if carried.unfit else fresh):
        raise InvalidInput(
            f"{rater}'s judgment of {item} does not fit the corrected item: {fresh[0]}",
            hint="This is not a typing error: say that the meaning changed.",
        )


_GOLD_KEYS_OF_ITEMS = Lookup(
    "item_corrections.gold_keys_of_items",
    "select task, item, revision, body from gold_now where item in $items",
    items="items",
)


def _keys_taken_back(store: Store, chosen: Sequence[str], *, who: str) -> list[Row]:
    """Keys of gold and practice items end with the meaning that they were made for."""
    return [
        {
            "id": new_id(),
            "task": task,
            "item": item,
            "revision": revision + 1,
            "body": body,
            "active": False,
            "made_by": who,
        }
        for task, item, revision, body in store.rows(
            _GOLD_KEYS_OF_ITEMS,
            items=list(chosen),
        )
    ]


# -- asking again ----------------------------------------------------------------------------------


def ask_raters_of_earlier_version_again(store: Store, chosen: Iterable[str]) -> None:
    """Ask again whoever judged an earlier version of items (by id) whose meaning changed, once."""
    # A judgment may have been saved while the item was corrected, and the other way round:
    # whichever of the two is saved last sees the other here.
    if rows := _asking_again(store, list(chosen)):
        store.append("remark", *rows)


def make_remark_row_asking_again(store: Store, judgment: Row) -> Row | None:
    """The remark that asks a person again whose judgment (a row about to be appended) is of an
    earlier version of an item whose meaning changed; None: it counts.
    """
    item, version = judgment["item"], judgment["version"] or 1
    if version >= items.oldest_counting_version_of_item(store, item):
        return None
    [(reason, who, newest)] = store.rows(
        "select reason, made_by, version from item_version where item = $item and not counts"
        " order by version desc limit 1",
        item=item,
    )
    return _return_row(
        judgment["task"], item, judgment["rater"], newest, reason, who, judgment["id"]
    )


def _asked_again_sql(why: str, stale: str) -> str:
    return (
        "with last as (select task, item, rater, version, seq, id from judgment"
        " where item in $items"
        " qualify row_number() over (partition by task, item, rater order by revision desc) = 1)"
        f" select j.task, j.item, j.rater, {why}, j.id from last j"
        " join rater r on r.id = j.rater and r.kind = 'person'"
        # Whom nobody asked before is asked by nobody now: imported judgments have no desk.
        " semi join assignment a on a.task = j.task and a.item = j.item and a.rater = j.rater"
        f"{stale} where not exists (select 1 from remark m where m.kind = 'return'"
        " and m.task = j.task and m.item = j.item and m.rater = j.rater and m.seq > j.seq)"
        # What was judged for practice never counted.
        " and not exists (select 1 from gold g where g.task = j.task and g.item = j.item"
        " and json_exists(g.body, '$.\"@practice\"'))"
    )


_ASKED_IF_MEANING_CHANGES = Lookup(
    "item_corrections.asked_if_meaning_changes",
    _asked_again_sql("$reason, $who, 0", ""),
    items="items",
)
_ASKED_SINCE_MEANING_CHANGED = Lookup(
    "item_corrections.asked_since_meaning_changed",
    _asked_again_sql(
        "v.reason, v.made_by, v.version",
        " join (select item, max(version) as version, arg_max(reason, version) as reason,"
        " arg_max(made_by, version) as made_by from item_version where not counts group by item) v"
        " on v.item = j.item and coalesce(j.version, 1) < v.version",
    ),
    items="items",
)


def _asking_again(
    store: Store, chosen: Sequence[str], *, reason: str = "", who: str = ""
) -> list[Row]:
    """Remarks that return items to the people whose last judgment is of an earlier version. With
    ``reason`` the meaning is about to change, otherwise it has.
    """
    rows = store.rows(
        _ASKED_IF_MEANING_CHANGES if reason else _ASKED_SINCE_MEANING_CHANGED,
        items=list(chosen),
        **({"reason": reason, "who": who} if reason else {}),
    )
    newest = {item: items.current_version_of_item(store, item) + 1 for item in chosen}
    return [
        _return_row(task, item, rater, version or newest[item], why, made_by, judgment)
        for task, item, rater, why, made_by, version, judgment in rows
    ]


def _return_row(
    task: str, item: str, rater: str, version: int, reason: str, who: str, judgment: str
) -> Row:
    # The id makes it one remark, whoever notices first.
    return {
        "id": stable_id("corrected", task, item, rater, str(version), judgment),
        "task": task,
        "item": item,
        "rater": rater,
        "kind": "return",
        "body": f"This item was corrected, and its meaning changed ({reason}). Please judge it"
        " again.",
        "counts": False,
        "made_by": who,
    }


# -- reading what earlier versions were given ------------------------------------------------------


def answer_adapted_to_current_version(
    store: Store, task: Task, *, item: str, version: int | None, value: Any
) -> Any:
    """An answer (of the task's type, or None) made on a ``version`` of an item, with its marks
    where their words stand now.
    """
    carried = carry_answer_to_version(store, task, item=item, version=version, value=value)
    return value if carried is None else carried.value


def carry_answer_to_version(
    store: Store,
    task: Task,
    *,
    item: str,
    version: int | None,
    value: Any,
    to: int | None = None,
) -> CarriedAnswer | None:
    """An answer made on a ``version`` of an item, as it stands in the version ``to`` (None: the
    current one); None if it is of that version already.
    """
    wanted = to or items.current_version_of_item(store, item)
    if value is None or (version or 1) == wanted:
        return None
    before, after = (items.item_body(store, item, each) for each in (version or 1, wanted))
    return (
        None
        if before == after
        else task.answer_and_lost_marks_in_corrected_item(value, before, after)
    )


@dataclass(frozen=True)
class JudgmentsOnEarlierVersions:
    """How many of the ``judgments`` that figures use rest on an ``earlier`` version of one of
    ``items`` corrected items; ``marks`` of these were carried over, ``lost`` have no place now.
    """

    judgments: int
    earlier: int
    items: int
    marks: int
    lost: tuple[LostMark, ...]

    @property
    def earlier_versions_in_words(self) -> str:
        """It in a sentence; empty if there are none."""
        if not self.earlier:
            return ""
        of_marks = ""
        if self.marks or self.lost:
            many = len(self.lost)
            of_marks = (
                f" {_counted(self.marks, 'mark')} of these {_verb(self.marks, 'stand')} where the"
                " words are now"
                + (f"; {many:,} {'has' if many == 1 else 'have'} no place" if many else "")
                + "."
            )
        return (
            f"{self.earlier:,} of {_counted(self.judgments, 'judgment')}"
            f" {_verb(self.earlier, 'rest')} on an earlier version of"
            f" {_counted(self.items, 'item')}, in which a typing error was corrected"
            f" since.{of_marks}"
        )

    @property
    def estimate_share_on_earlier_versions(self) -> Estimate:
        """It as a row of figures: a share of the judgments that count."""
        return Estimate(
            value=self.earlier / self.judgments,
            low=None,
            high=None,
            n=self.judgments,
            method="count of judgments on an earlier version of their item",
            numerator=self.earlier,
            denominator=self.judgments,
        )


def summarise_judgments_on_earlier_versions(
    store: Store, tasks: Sequence[Task], *, dataset: str
) -> JudgmentsOnEarlierVersions:
    """What figures of a dataset use of judgments that were made before their item was corrected."""
    if not store.data_version_of_tables("item_version"):
        return JudgmentsOnEarlierVersions(0, 0, 0, 0, ())
    asked = {task.name: task for task in tasks}
    rows = store.rows(
        "select j.task, j.item, i.name, r.name, j.version, j.body::varchar from judgment_blind j"
        " join item_now i on i.id = j.item join rater r on r.id = j.rater"
        " where j.task in $tasks and i.dataset = $dataset and i.study = $study"
        " and j.item in (select item from item_version) order by j.seq",
        tasks=list(asked),
        dataset=dataset,
        study=tasks[0].study if tasks else "",
    )
    total = store.value(
        "select count(*) from judgment_blind j join item_in_play i on i.id = j.item"
        " where j.task in $tasks and i.dataset = $dataset",
        tasks=list(asked),
        dataset=dataset,
    )
    earlier, marks, of_items = 0, 0, set()
    lost: list[LostMark] = []
    for task_name, item, name, rater, version, body in rows:
        task = asked[task_name]
        carried = carry_answer_to_version(
            store, task, item=item, version=version, value=task.parse(body)
        )
        if carried is None:
            continue
        earlier, marks = earlier + 1, marks + carried.kept
        of_items.add(item)
        lost += [LostMark(name, rater, words) for words in carried.lost]
    return JudgmentsOnEarlierVersions(int(total or 0), earlier, len(of_items), marks, tuple(lost))


@dataclass(frozen=True)
class AnswersOnEarlierVersions:
    """How many of the ``counted`` answers, which are no judgments, rest on an ``earlier`` version
    of one of ``items`` that were corrected as typing errors; and how many are ``dropped``, as the
    meaning of one of ``meant_anew`` changed. ``name`` is for files; ``noun`` and ``thing`` call
    them and what they answer.
    """

    name: str
    noun: str
    thing: str
    counted: int = 0
    earlier: int = 0
    items: int = 0
    dropped: int = 0
    meant_anew: int = 0

    @property
    def earlier_answers_in_words(self) -> str:
        """It in a sentence or two; empty if there are none."""
        told = []
        if self.earlier:
            told.append(
                f"{self.earlier:,} of {self.counted:,} {self.noun} {_verb(self.earlier, 'rest')} on"
                f" an earlier version of {_counted(self.items, self.thing)}, in which a typing"
                " error was corrected since."
            )
        if self.dropped:
            were = "was" if self.dropped == 1 else "were"
            told.append(
                f"{self.dropped:,} {self.noun} {were} given before the meaning of"
                f" {_counted(self.meant_anew, self.thing)} changed, and"
                f" {_verb(self.dropped, 'count')} no more."
            )
        return " ".join(told)

    @property
    def list_shares_on_earlier_versions(self) -> list[tuple[str, Estimate]]:
        """It as rows of figures: shares of the answers that count, and of all."""
        whole = self.counted + self.dropped
        return [
            (name, _share(many, of, f"count of {self.noun} {how}"))
            for name, many, of, how in (
                (
                    f"{self.name}s_on_earlier_version",
                    *(self.earlier, self.counted),
                    f"on an earlier version of their {self.thing}",
                ),
                (
                    f"{self.name}s_to_earlier_meaning",
                    *(self.dropped, whole),
                    f"to an earlier meaning of their {self.thing}, which do not count",
                ),
            )
            if many
        ]


def _share(many: int, of: int, method: str) -> Estimate:
    return Estimate(
        value=many / of,
        low=None,
        high=None,
        n=of,
        method=method,
        numerator=many,
        denominator=of,
    )


@dataclass(frozen=True)
class CorrectedVersion:
    """A correction as the history has it; ``by`` is a person's name."""

    item: str
    name: str
    study: str
    dataset: str
    version: int
    counts: bool
    reason: str
    by: str
    at: Any


def list_corrections(
    store: Store, *, viewer: Rater | None, item: str = ""
) -> list[CorrectedVersion]:
    """All corrections, or those of one item (by id), newest first; no viewer means the command
    line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return _corrections(store, "$item in ('', v.item)", item=item)


def corrections_of_item(store: Store, item: str, *, after: int) -> list[CorrectedVersion]:
    """The corrections of an item (by id) after a version, newest first: for whoever judges it."""
    return _corrections(
        store,
        "v.item = $item and v.version > $after",
        told="(select v.*, i.name, i.study, i.dataset from item_version v"
        " join item_named i on i.id = v.item)",
        item=item,
        after=after,
    )


def _corrections(
    store: Store, where: str, *, told: str = "correction_told", **params: Any
) -> list[CorrectedVersion]:
    rows = store.rows(
        "select v.item, v.name, v.study, v.dataset, v.version, v.counts, v.reason,"
        " coalesce(b.name, v.made_by), v.made_at"
        f" from {told} v"
        " left join rater b on b.id = v.made_by"
        f" where {where} order by v.seq desc",
        **params,
    )
    return [CorrectedVersion(*row) for row in rows]
