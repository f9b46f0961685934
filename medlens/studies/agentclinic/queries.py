"""AgentClinic's SQL: adds cases and dialogues, and reads what pages and figures need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import items, judging
from medlens.review.raters import Rater
from medlens.review.result_cache import JUDGED, cache_until_growth, computed_once_per_dataset
from medlens.store import Store, stable_id
from medlens.studies.agentclinic import tasks
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.case_check import Finding, check_all_cases, is_diagnosis_leaked
from medlens.studies.agentclinic.records import CASE_KIND, DIALOGUE_KIND, STUDY, Case, Dialogue

# -- cases -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ListedCase:
    """A case of a dataset and what is wrong with it; ``aliases`` say where it came from."""

    id: str
    name: str
    illustrative: bool
    case: Case
    findings: tuple[Finding, ...]
    aliases: tuple[str, ...]

    @property
    def leaks(self) -> bool:
        """Whether the test results state the diagnosis."""
        return is_diagnosis_leaked(self.findings)


def add_cases(
    store: Store,
    found: Iterable[tuple[str, Case]],
    *,
    dataset: str,
    illustrative: bool = False,
) -> items.Added:
    """Add (alias, case) pairs, all or nothing; cases that are played the same count once.

    The alias of a case that is already there, and the name that its own content would have had,
    become aliases of that one.
    """
    fresh: dict[str, items.NewItem] = {}
    aliases: dict[str, dict[str, Any]] = {}
    there = {one.case.played_as: name for name, one in reversed(list_cases(store, dataset).items())}
    known = 0
    for alias, case in found:
        same = case.played_as
        if same in there:
            known += 1
        else:
            there[same] = case.name
            fresh[case.name] = items.NewItem(case.name, case.model_dump_json())
        name = there[same]
        item = item_id_by_name(dataset, name)
        for other in (alias, case.name):
            if other and other != name:
                row = {"id": stable_id("alias", item, other), "item": item, "name": other}
                aliases[row["id"]] = {**row, "preferred": False}
    items.add_items(
        store,
        fresh.values(),
        study=STUDY,
        kind=CASE_KIND,
        dataset=dataset,
        illustrative=illustrative,
        beside={"item_alias": list(aliases.values())},
    )
    return items.Added(len(fresh), known)


def item_id_by_name(dataset: str, name: str) -> str:
    """The item id of a case, or of a dialogue, by its name."""
    return stable_id("item", STUDY, dataset, name)


def load_case(store: Store, item: str) -> Case:
    """One case by item id.

    Raises:
        InvalidInput: there is no such case.
    """
    return Case.model_validate(items.item_body(store, item))


@computed_once_per_dataset()
def list_cases(store: Store, dataset: str) -> dict[str, ListedCase]:
    """Every case of a dataset by name in the order they came, linted; cached between calls."""
    rows = store.rows(
        "select i.id, i.name, i.illustrative, i.body, list(a.name order by a.seq)"
        " from item_in_play i left join item_alias a on a.item = i.id"
        " where i.study = $study and i.kind = $kind and i.dataset = $dataset"
        " group by i.id, i.name, i.illustrative, i.body, i.seq order by i.seq",
        study=STUDY,
        kind=CASE_KIND,
        dataset=dataset,
    )
    read = [Case.model_validate_json(row[3]) for row in rows]
    found = {}
    for (id_, name, illustrative, _, given), one, faults in zip(
        rows, read, check_all_cases(read), strict=True
    ):
        aliases = tuple(alias for alias in given if alias)
        found[name] = ListedCase(id_, name, illustrative, one, tuple(faults), aliases)
    return found


def cases_that_leak_diagnosis(store: Store, dataset: str) -> frozenset[str]:
    """The names of the cases whose test results state the diagnosis."""
    return frozenset(name for name, one in list_cases(store, dataset).items() if one.leaks)


def flagged_cases(store: Store, dataset: str) -> frozenset[str]:
    """The names of the cases in which the check found anything."""
    return frozenset(name for name, one in list_cases(store, dataset).items() if one.findings)


# -- dialogues ---------------------------------------------------------------------------------


def add_dialogues(
    store: Store,
    found: Iterable[tuple[str, Dialogue]],
    *,
    dataset: str,
    illustrative: bool = False,
) -> items.Added:
    """Add (name, dialogue) pairs, all or nothing; one that is already there counts as known.

    Raises:
        InvalidInput: a dialogue's case is not in the dataset, or one of that name has other
            content.
    """
    there = list_cases(store, dataset)
    also = {alias: name for name, one in there.items() for alias in one.aliases}
    given = [
        (
            name,
            one
            if one.case in there or one.case not in also
            else one.model_copy(update={"case": also[one.case]}),
        )
        for name, one in found
    ]
    lost = sorted({one.case for _, one in given} - there.keys())
    if lost:
        raise InvalidInput(
            f"{len(lost)} cases of these dialogues are not in the dataset {dataset!r}; the first is"
            f" {lost[0]!r}.",
            hint="Import the cases first (agentclinic-cases).",
        )
    return items.add_items(
        store,
        [items.NewItem(name, one.model_dump_json()) for name, one in given],
        study=STUDY,
        kind=DIALOGUE_KIND,
        dataset=dataset,
        illustrative=illustrative,
    )


def load_dialogue(store: Store, item: str) -> Dialogue:
    """One whole dialogue by item id. For raters see ``dialogue_for``.

    Raises:
        InvalidInput: there is no such dialogue.
    """
    return Dialogue.model_validate(items.item_body(store, item))


def load_dialogues(
    store: Store, dataset: str, *, without: Sequence[str] = ()
) -> list[tuple[str, str, bool, Dialogue]]:
    """The whole dialogues of a dataset, except those with ids in ``without``.

    In the order they came: item id, name, illustrative, dialogue.
    """
    return [
        (id_, name, illustrative, Dialogue.model_validate_json(body))
        for id_, name, illustrative, body in store.rows(
            "select id, name, illustrative, body from item_in_play where study = $study"
            " and kind = $kind"
            " and dataset = $dataset and id not in (select unnest(cast($without as varchar[])))"
            " order by seq",
            study=STUDY,
            kind=DIALOGUE_KIND,
            dataset=dataset,
            without=list(without),
        )
    ]


@dataclass(frozen=True)
class ShownDialogue:
    """A dialogue as this viewer may see it: ``whole`` is ``None`` while they must judge blind."""

    rated: tasks.RatedDialogue
    whole: Dialogue | None


def dialogue_for(store: Store, item: str, viewer: Rater) -> ShownDialogue:
    """A dialogue for a viewer.

    Leads see all of it; reviewers once they have submitted everything they were given on it. This
    is noted: their later judgments of it are not blind.

    Raises:
        InvalidInput: there is no such dialogue.
    """
    found = load_dialogue(store, item)
    rated = tasks.dialogue_for_rater(found)
    if viewer.role != "lead" and item not in items_rater_finished(store, viewer.id, [item]):
        return ShownDialogue(rated, None)
    record_dialogues_seen(store, [item], viewer)
    return ShownDialogue(rated, found)


def record_dialogues_seen(store: Store, seen: Sequence[str], viewer: Rater) -> None:
    """Note that a person has seen how these dialogues ended: later judgments are not blind."""
    judging.record_seen_items(store, product(tasks.TASKS, seen), rater=viewer.id)


def items_rater_finished(store: Store, rater: str, among: Sequence[str]) -> set[str]:
    """Those of these items that the rater has judged, with nothing given to them left to do."""
    return set(
        store.column(
            "select a.item from (select task, item from assignment where rater = $rater union"
            " select task, item from judgment where rater = $rater) a"
            " left join (select distinct task, item from judgment where rater = $rater) j"
            " on j.task = a.task and j.item = a.item"
            " where a.task in $tasks and a.item in $among"
            " group by a.item having count(*) = count(j.item)",
            rater=rater,
            tasks=list(tasks.TASKS),
            among=list(among),
        )
    )


# -- the light columns of dialogues ----------------------------------------------------------------

_PATHS = {
    "case": "$.case",
    "doctor": "$.doctor",
    "patient": "$.patient",
    "moderator": "$.moderator",
    "doctor_player": "$.doctor_player",
    "patient_player": "$.patient_player",
    "doctor_bias": "$.doctor_bias.id",
    "patient_bias": "$.patient_bias.id",
    "image_mode": "$.image_mode",
    "outcome": "$.outcome",
    "given": "$.diagnosis",
    "run": "$.run",
    "prompt_version": "$.prompt_version",
    "n_interactions": "$.n_interactions",
    "repeat": "$.repeat",
    "protocol": "$.protocol",
}
_NUMBERS = ("n_interactions", "repeat", "turns")


def dialogue_index(store: Store, dataset: str) -> pd.DataFrame:
    """The light columns of every dialogue (``_PATHS``, turns), in the order they came.

    Read from the dialogues' JSON once and cached: a page over 10,000 dialogues then takes
    milliseconds, while reading 60 MB again would take a tenth of a second. Do not change it.
    """
    return cache_until_growth(store, "index", dataset, lambda last: _index(store, dataset, last))


def _index(store: Store, dataset: str, last: pd.DataFrame | None) -> pd.DataFrame:
    known = [] if last is None else last["item_id"].tolist()
    columns = ", ".join(f"x[{n}] as {name}" for n, name in enumerate((*_PATHS, "turns"), 1))
    read = store.read(
        f"select id as item_id, name as dialogue, illustrative, {columns}"
        " from (select id, name, illustrative, seq, list_append("
        " json_extract_string(body, $paths),"
        " cast(json_array_length(body, '$.turns') as varchar)) as x"
        " from item_in_play where study = $study and kind = $kind and dataset = $dataset"
        " and id not in (select unnest(cast($known as varchar[])))) order by seq",
        study=STUDY,
        kind=DIALOGUE_KIND,
        dataset=dataset,
        paths=list(_PATHS.values()),
        known=known,
    )
    texts = {name: "" for name in _PATHS if name not in _NUMBERS}
    read = read.fillna({**texts, "protocol": "medlens", "doctor_bias": NONE, "patient_bias": NONE})
    read = read.astype(dict.fromkeys(_NUMBERS, "int64"))
    return read if last is None else pd.concat([last, read], ignore_index=True)


def search_dialogues(store: Store, dataset: str, words: str) -> frozenset[str]:
    """Ids of the dialogues with these words in a turn, the diagnosis, the reason or the name."""
    sought = " ".join(words.lower().split())
    # The longest run of letters and digits is not escaped in the JSON: most rows need no parsing.
    rough = max("".join(c if c.isalnum() else " " for c in sought).split(), key=len, default="")

    def look(_: object) -> frozenset[str]:
        rows = store.column(
            "select id from item_in_play where study = $study and kind = $kind"
            " and dataset = $dataset"
            " and (contains(lower(name), $words) or contains(lower(cast(body as varchar)), $rough)"
            " and (contains(lower(body->>'diagnosis'), $words)"
            " or contains(lower(body->>'reason'), $words) or contains(lower(array_to_string("
            "json_extract_string(body, '$.turns[*].text'), chr(10))), $words)))",
            study=STUDY,
            kind=DIALOGUE_KIND,
            dataset=dataset,
            words=sought,
            rough=rough,
        )
        return frozenset(rows)

    return cache_until_growth(store, "search", f"{dataset}\x1f{sought}", look)


# -- judgments of dialogues ------------------------------------------------------------------------


def gold_and_given_items(store: Store, dataset: str, task: str) -> tuple[frozenset[str], list[str]]:
    """A task's gold items in a dataset, and those somebody was given or judged, earliest first."""
    gold = store.column(
        "select g.item from gold_now g join item_in_play i on i.id = g.item"
        " where g.task = $task and i.study = $study and i.dataset = $dataset",
        task=task,
        study=STUDY,
        dataset=dataset,
    )
    begun = store.column(
        "select m.item from (select item, seq from assignment where task = $task union all"
        " select item, seq from judgment where task = $task) m join item_in_play i on i.id = m.item"
        " where i.study = $study and i.dataset = $dataset group by m.item order by min(m.seq)",
        task=task,
        study=STUDY,
        dataset=dataset,
    )
    return frozenset(gold), begun


APART = 3
"""Points between two raters from which a dialogue counts as disagreed on."""


def count_judges_by_item(
    store: Store, dataset: str, *, rater: str | None = None
) -> Mapping[tuple[str, str], int]:
    """(task, item id) -> how many people judged it; with ``rater``, only that one.

    One's own judgments are included even if a lead has excluded them.
    """
    own, table = (
        ("", "judgment_counted") if rater is None else (" and j.rater = $rater", "judgment")
    )
    rows = store.rows(
        f"select j.task, j.item, count(distinct j.rater) from {table} j"
        " join item_in_play i on i.id = j.item join rater r on r.id = j.rater"
        " where j.task in $tasks and i.study = $study and i.dataset = $dataset"
        f" and r.kind = 'person'{own} group by all",
        tasks=list(tasks.TASKS),
        study=STUDY,
        dataset=dataset,
        **({} if rater is None else {"rater": rater}),
    )
    return {(task, item): int(count) for task, item, count in rows}


@computed_once_per_dataset(*JUDGED)
def dialogues_people_disagree_on(store: Store, dataset: str) -> frozenset[str]:
    """Ids of the dialogues on which two people are ``APART`` or more, or differ on the diagnosis.

    Blind judgments only; for leads.
    """
    spread = " or ".join(
        f"max(cast(j.body->>'{scale}' as integer)) - min(cast(j.body->>'{scale}' as integer))"
        " >= $apart"
        for scale in tasks.SCALES
    )
    rows = store.column(
        "select j.item from judgment_blind j join item_in_play i on i.id = j.item"
        " join rater r on r.id = j.rater"
        " where j.task in $tasks and i.study = $study and i.dataset = $dataset"
        " and r.kind = 'person' group by j.task, j.item"
        " having count(distinct case when (j.body->>'same') in ('yes', 'no')"
        f" then j.body->>'same' end) > 1 or {spread}",
        tasks=list(tasks.TASKS),
        study=STUDY,
        dataset=dataset,
        apart=APART,
    )
    return frozenset(rows)
