"""What a file that is imported again changes: which of its items are new, the same, changed or
missing, and doing with them what a lead chose, in the transaction of the import.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from medlens.errors import InvalidInput
from medlens.review import item_corrections, items, withdrawn_items
from medlens.review.item_corrections import SharedCorrection
from medlens.review.tasks import Task
from medlens.store import Lookup, Store, to_json
from medlens.tables.file_schemas_import_requests_and_reports import Compared, Revising

_NAMED = 20


@dataclass(frozen=True)
class FileComparison:
    """A file's items beside those of a dataset: how many are ``new`` and the ``same``; the names
    and new bodies (JSON) of those that are ``changed`` and the names of the ``missing`` ones in
    play, by the items' ids. ``difference`` says in words what the first changed one has otherwise.
    Where what is changed is not the body of the items, ``shared`` corrects it; ``resting`` are
    names by id of what is withdrawn together with the missing ones.
    """

    new: int
    same: int
    changed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    difference: str = ""
    shared: SharedCorrection | None = None
    resting: Mapping[str, str] = field(default_factory=dict)

    @property
    def counts_and_names(self) -> Compared:
        """It in counts and names."""
        changed = [name for name, _ in self.changed.values()]
        return Compared(
            self.new,
            self.same,
            len(self.changed),
            len(self.missing),
            tuple(changed[:_NAMED]),
            tuple(list(self.missing.values())[:_NAMED]),
            difference=self.difference,
        )

    @property
    def set_of_changed_item_names(self) -> set[str]:
        """The names of the changed items."""
        return {name for name, _ in self.changed.values()}


_ITEMS_TO_COMPARE = Lookup(
    "reimported_items.items_to_compare",
    "select id, name, digest, withdrawn_at is null from item_known"
    " where study = $study and kind = $kind and dataset = $dataset order by seq",
)


def compare_file_items_with_dataset(
    store: Store, given: Sequence[items.NewItem], *, study: str, kind: str, dataset: str
) -> FileComparison:
    """Compare a file's items with those of a dataset by name."""
    in_file = {one.name: one.body for one in given}
    there = {
        name: (item, digest, in_play)
        for item, name, digest, in_play in store.rows(
            _ITEMS_TO_COMPARE,
            study=study,
            kind=kind,
            dataset=dataset,
        )
    }
    bodies = {
        name: body if isinstance(body, str) else to_json(body)
        for name, body in in_file.items()
        if name in there
    }
    differing = {
        name: there[name][0]
        for name, body in bodies.items()
        if there[name][1] != items.digest_of_item_body(body)
    }
    stored = items.load_item_bodies_by_id(store, list(differing.values()))
    changed = {
        item: (name, bodies[name])
        for name, item in differing.items()
        # Corrected by hand, it can have the same cells in another order.
        if stored[item] != json.loads(bodies[name])
    }
    return FileComparison(
        len(in_file) - len(bodies),
        len(bodies) - len(changed),
        changed,
        {
            item: name
            for name, (item, _, in_play) in there.items()
            if in_play and name not in in_file
        },
    )


_COUNT_JUDGMENTS = Lookup(
    "reimported_items.count_judgments",
    "select count(*) from judgment_now where item in $items",
    items="items",
)


def correct_or_withdraw_and_return_comparison(
    store: Store,
    tasks: Sequence[Task],
    comparison: FileComparison,
    revising: Revising | None,
    *,
    study: str,
    dataset: str,
) -> Compared:
    """Correct the changed and withdraw the missing items as a lead chose; returns what there was.

    Raises:
        InvalidInput: items are changed and nobody said what to do with them, no reason is given, or
            judgments do not fit although only typing errors are corrected.
    """
    told = comparison.counts_and_names
    wanted = revising or Revising()
    if comparison.changed and not (wanted.changed or wanted.preview):
        many = len(comparison.changed)
        raise InvalidInput(
            f"{many:,} {'item of this file is' if many == 1 else 'items of this file are'} in the"
            f" dataset {dataset!r} with other contents; the first is the item"
            f" {told.changed_names[0]!r}{comparison.difference}.",
            hint="Import the file on the Data page, which asks what to do: leave them as they are,"
            " or correct them as a typing error or as a changed meaning (on the command line:"
            " import … --changed leave, typing or meaning). Or import into another dataset.",
        )
    who = wanted.by or withdrawn_items.COMMAND_LINE
    # What is only tried needs no reason yet.
    reason = wanted.reason or ("preview" if wanted.preview else "")
    follows: list[str] = []
    if comparison.changed and wanted.changed in ("typing", "meaning"):
        change = item_corrections.parse_kind_of_change(wanted.changed)
        shared = comparison.shared
        bodies = (
            shared.bodies if shared else {i: body for i, (_, body) in comparison.changed.items()}
        )
        batch, effect = item_corrections.make_item_correction_rows_and_effect(
            *(store, tasks, bodies), change=change, reason=reason, who=who, shared=shared
        )
        store.append_all_and_count_new_by_table(batch)
        follows += effect.list_effects_in_sentences(change)
    if comparison.missing and wanted.missing == "withdraw":
        going = {**comparison.resting, **comparison.missing}
        judged = store.value(_COUNT_JUDGMENTS, items=list(going))
        rows = withdrawn_items.withdrawal_rows_by_table(
            store,
            going,
            study=study,
            dataset=dataset,
            reason=reason,
            who=who,
            tell=True,
        )
        store.append_all_and_count_new_by_table(rows)
        one_is = ("judgment", "counts") if judged == 1 else ("judgments", "count")
        follows.append(f"{judged or 0:,} {one_is[0]} of what is missing no longer {one_is[1]}.")
    return replace(told, follows=tuple(follows))
