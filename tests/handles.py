"""Which item a browser's handle stands for."""

from __future__ import annotations

from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.store import Store


def handed_out(store: Store) -> dict[str, str]:
    """The id of every item that people have, by what their browsers call it."""
    return {
        given.browser_handle: given.item
        for task in store.column("select distinct task from assignment")
        for items in assignment_ledger_of_task(store, task).by_rater.values()
        for given in items.values()
    }


def item_called(store: Store, handle: str) -> str:
    """The id of the item that some rater's browser calls this."""
    return handed_out(store)[handle]


def name_called(store: Store, handle: str) -> str:
    """The name of the item that some rater's browser calls this."""
    item = item_called(store, handle)
    return str(store.value("select name from item_now where id = $item", item=item))
