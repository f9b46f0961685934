"""The reviewers' guideline of a task in a dataset, in versions; every judgment keeps its
version.

Version 1 is the task's question; the next ones are the texts that the study's makers wrote for
it, if any. All are stored once a lead writes another, and from then on a version never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from medlens.deferred_module import pd
from medlens.errors import Conflict, InvalidInput
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow, compute_unless_cached_since_growth
from medlens.review.tasks import Task
from medlens.store import Store, new_id

LONGEST = 20_000


@dataclass(frozen=True)
class Guideline:
    """A version of the guideline; ``by`` is empty and ``at`` None for the task's own."""

    version: int
    text: str
    by: str = ""
    at: datetime | None = None


def _all(store: Store) -> dict[tuple[str, str], list[Guideline]]:
    """Every stored version, by task and dataset: read at every desk, rarely changed."""

    def make(_: object) -> dict[tuple[str, str], list[Guideline]]:
        found: dict[tuple[str, str], list[Guideline]] = {}
        for task, dataset, *told in store.rows(
            "select g.task, g.dataset, g.version, g.text, coalesce(r.name, g.made_by), g.made_at"
            " from guideline g left join rater r on r.id = g.made_by order by g.version"
        ):
            one = Guideline(*told)
            found.setdefault((task, dataset), []).append(
                one if one.by else Guideline(one.version, one.text)
            )
        return found

    return compute_unless_cached_since_growth(
        store, "guidelines", "", make, tables=("guideline", "rater")
    )


def guideline_versions(store: Store, task: Task, *, dataset: str) -> list[Guideline]:
    """All versions, oldest first."""
    return _all(store).get((task.name, dataset)) or [
        Guideline(version, text.strip())
        for version, text in enumerate((task.question, *task.guidelines), 1)
    ]


def current_guideline(store: Store, task: Task, *, dataset: str) -> Guideline:
    """The current guideline."""
    return guideline_versions(store, task, dataset=dataset)[-1]


def current_guideline_version_number_for_item(store: Store, task: Task, item: str) -> int:
    """The number of the current version in an item's dataset."""
    if not _all(store):
        return 1 + len(task.guidelines)
    dataset = store.value("select dataset from item_known where id = $item", item=item)
    return current_guideline(store, task, dataset=dataset).version


def record_guideline_version_and_return_it(
    store: Store,
    task: Task,
    *,
    dataset: str,
    text: str,
    by: Rater | None,
    base: int | None = None,
) -> Guideline:
    """Change the guideline from now on; an unchanged text makes no new version.

    ``base`` is the version the lead saw, if any; ``by`` is None for the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the text is empty, or too long.
        Conflict: another version was written since ``base``, or at the same moment.
    """
    require_lead(by)
    text = text.strip()
    if not text:
        raise InvalidInput("The guideline is empty.", hint="Write what reviewers should follow.")
    if len(text) > LONGEST:
        raise InvalidInput(f"The guideline is longer than {LONGEST:,} characters.")
    before = guideline_versions(store, task, dataset=dataset)
    last = before[-1]
    if text == last.text:
        return last
    if base not in (None, last.version):
        raise Conflict(
            f"The guideline was changed in the meantime: version {last.version} is current.",
            hint="Read it before you save yours.",
        )
    told = [Guideline(last.version + 1, text, by.id if by else "command line")]
    if last.at is None:
        told = [*before, *told]
    store.append(
        "guideline",
        *(
            {
                "id": new_id(),
                "task": task.name,
                "dataset": dataset,
                "version": one.version,
                "text": one.text,
                "made_by": one.by,
            }
            for one in told
        ),
    )
    return current_guideline(store, task, dataset=dataset)


def new_guideline_since_rater_judged(
    store: Store, task: Task, *, dataset: str, rater: str
) -> Guideline | None:
    """The current version if the rater last judged under an earlier one; None: no news."""
    now = current_guideline(store, task, dataset=dataset)
    if now.version == 1:
        return None
    last = _judged_under(store, task.name, dataset, rater)
    return now if last is not None and last < now.version else None


# Every run of a desk asks for it, and every submission changes it at most.
@cache_until_tables_grow("judgment", "item", "item_withdrawal", most=256)
def _judged_under(store: Store, task: str, dataset: str, rater: str) -> int | None:
    """The version under which a rater last judged; None if they have not."""
    last = store.value(
        "select arg_max(coalesce(j.guideline, 1), j.seq) from judgment j join item_in_play i"
        " on i.id = j.item and i.dataset = $dataset where j.task = $task and j.rater = $rater",
        task=task,
        dataset=dataset,
        rater=rater,
    )
    return None if last is None else int(last)


COLUMNS = {
    "version": "counts from 1",
    "since": "when it was written (UTC)",
    "by": "who wrote it",
    "judgments": "judgments of people that count and were made under it",
    "people": "how many people made these",
    "text": "what it says",
}
"""The columns of ``guideline_versions_table`` and their meanings."""


def guideline_versions_table(store: Store, task: Task, *, dataset: str) -> pd.DataFrame:
    """The versions, oldest first, in ``COLUMNS``."""
    counts = {
        version: (judgments, people)
        for version, judgments, people in store.rows(
            "select j.guideline, count(*), count(distinct j.rater) from judgment_now j"
            " join item_in_play i on i.id = j.item and i.dataset = $dataset"
            " join rater r on r.id = j.rater"
            " where j.task = $task and r.kind = 'person' and j.guideline is not null group by all",
            task=task.name,
            dataset=dataset,
        )
    }
    return pd.DataFrame(
        [
            (one.version, one.at, one.by, *counts.get(one.version, (0, 0)), one.text)
            for one in guideline_versions(store, task, dataset=dataset)
        ],
        columns=[*COLUMNS],
    )
