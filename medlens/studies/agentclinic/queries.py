"""AgentClinic's SQL: adds cases and dialogues, and reads what pages and figures need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import compare_correct_withdraw_reimported_items, items, judging
from medlens.review.compare_correct_withdraw_reimported_items import FileComparison
from medlens.review.raters import Rater
from medlens.review.result_cache import (
    JUDGED,
    cache_per_dataset_until_growth,
    compute_unless_cached_since_growth,
)
from medlens.review.undo_imports import Resting
from medlens.review.withdrawn_items import COMMAND_LINE
from medlens.store import Lookup, Store, stable_id
from medlens.studies.agentclinic import tasks
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import (
    CaseFault,
    do_faults_say_tests_leak_diagnosis,
    list_faults_of_each_case,
)
from medlens.studies.agentclinic.records import CASE_KIND, DIALOGUE_KIND, STUDY, Case, Dialogue

# -- cases -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ListedCase:
    """A case of a dataset and what is wrong with it; ``aliases`` say where it came from."""

    id: str
    name: str
    illustrative: bool
    case: Case
    findings: tuple[CaseFault, ...]
    aliases: tuple[str, ...]
    meaning: int = 1
    """The version in which its meaning last changed."""

    @property
    def is_leaking_in_tests(self) -> bool:
        """Whether the test results state the diagnosis."""
        return do_faults_say_tests_leak_diagnosis(self.findings)


def add_cases_and_return_added(
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
    there = {
        one.case.digest_of_what_is_played: name
        for name, one in reversed(load_cases_by_name(store, dataset).items())
    }
    known = 0
    for alias, case in found:
        same = case.digest_of_what_is_played
        if same in there:
            known += 1
        else:
            there[same] = case.name_derived_from_content
            fresh[case.name_derived_from_content] = items.NewItem(
                case.name_derived_from_content, case.model_dump_json()
            )
        name = there[same]
        item = item_id_made_from_name(dataset, name)
        for other in (alias, case.name_derived_from_content):
            if other and other != name:
                row = {"id": stable_id("alias", item, other), "item": item, "name": other}
                aliases[row["id"]] = {**row, "preferred": False}
    done = items.add_items(
        store,
        fresh.values(),
        study=STUDY,
        kind=CASE_KIND,
        dataset=dataset,
        illustrative=illustrative,
        beside={"item_alias": list(aliases.values())},
    )
    return items.Added(len(fresh), known, items=done.items)


def file_comparison_and_changed_cases_by_id(
    store: Store, dataset: str, given: Sequence[tuple[Sequence[str], Case]]
) -> tuple[FileComparison, dict[str, Case]]:
    """A file's cases, each with the names it has there, beside those of a dataset; and the changed
    ones by id. A case that is played otherwise is known by the name under which it came.
    """
    listed = load_cases_by_name(store, dataset)
    played = {one.case.digest_of_what_is_played: one for one in reversed(listed.values())}
    named = {alias: one for one in reversed(listed.values()) for alias in (one.name, *one.aliases)}
    same = {
        played[case.digest_of_what_is_played].id
        for _, case in given
        if case.digest_of_what_is_played in played
    }
    changed: dict[str, Case] = {}
    names: dict[str, str] = {}
    for aliases, case in given:
        if case.digest_of_what_is_played in played:
            continue
        held = next(
            (
                named[alias]
                for alias in (*aliases, case.name_derived_from_content)
                if alias in named
            ),
            None,
        )
        # Where a line was put in, the lines behind it are the same cases under other names.
        if held is not None and held.id not in same and held.id not in changed:
            changed[held.id], names[held.id] = case, held.name
    missing = {
        one.id: one.name for one in listed.values() if one.id not in same and one.id not in changed
    }
    comparison = FileComparison(
        len(given) - len(same) - len(changed),
        len(same),
        {item: (name, "") for item, name in names.items()},
        missing,
        resting=names_by_id_of_dialogues_of_cases(store, dataset, list(missing.values())),
    )
    return comparison, changed


def compare_file_dialogues_with_dataset(
    store: Store, dataset: str, given: Sequence[tuple[str, Dialogue]]
) -> FileComparison:
    """A file's dialogues beside those of a dataset."""
    given = _with_known_cases(load_cases_by_name(store, dataset), given)
    new = [items.NewItem(name, one.model_dump_json()) for name, one in given]
    comparison = compare_correct_withdraw_reimported_items.compare_file_items_with_dataset(
        store, new, study=STUDY, kind=DIALOGUE_KIND, dataset=dataset
    )
    said = dict(given)
    stored = items.load_item_bodies_by_id(store, list(comparison.changed))
    # One that an earlier version of MedLens stored lacks what has been added since.
    alike = {
        item
        for item, (name, _) in comparison.changed.items()
        if Dialogue.model_validate(stored[item]) == said[name]
    }
    changed = {item: one for item, one in comparison.changed.items() if item not in alike}
    return replace(comparison, same=comparison.same + len(alike), changed=changed)


def dialogue_and_case_counts_on_earlier_cases(store: Store, dataset: str) -> tuple[int, ...]:
    """Dialogues in play, those of them whose case had a typing error corrected since, and of how
    many cases; then those that are withdrawn and whose case has another meaning since, and of how
    many cases.
    """
    if not store.data_version_of_tables("item_version"):
        return (0, 0, 0, 0, 0)
    [row] = store.rows(
        "with changed as (select item, max(seq) filter (counts) as typed,"
        "  max(seq) filter (not counts) as meant from item_version group by item),"
        " d as (select d.id, d.withdrawn_at is null as counts, c.id as played, d.seq < v.typed"
        "   as earlier, d.seq < v.meant as before from item_known d"
        "  left join item_known c on c.study = d.study and c.kind = $case"
        "   and c.dataset = d.dataset and c.name = (d.body->>'$.case')"
        "  left join changed v on v.item = c.id"
        "  where d.study = $study and d.kind = $kind and d.dataset = $dataset)"
        " select count(*) filter (counts), count(*) filter (counts and earlier),"
        " count(distinct played) filter (counts and earlier),"
        " count(*) filter (not counts and before),"
        " count(distinct played) filter (not counts and before) from d",
        study=STUDY,
        case=CASE_KIND,
        kind=DIALOGUE_KIND,
        dataset=dataset,
    )
    return tuple(map(int, row))


_NAMES_OF_DIALOGUES = Lookup(
    "agentclinic.names_of_dialogues",
    "select name from item_known where study = $study and kind = $kind and dataset = $dataset",
)


def set_of_dialogue_names(store: Store, dataset: str) -> set[str]:
    """The names of all dialogues of a dataset, withdrawn or not."""
    return set(
        store.column(
            _NAMES_OF_DIALOGUES,
            study=STUDY,
            kind=DIALOGUE_KIND,
            dataset=dataset,
        )
    )


_DIALOGUES_OF_CASES = Lookup(
    "agentclinic.dialogues_of_cases",
    "select id, name from item_in_play where study = $study and kind = $kind"
    " and dataset = $dataset and (body->>'$.case') in $cases",
)


def names_by_id_of_dialogues_of_cases(
    store: Store, dataset: str, cases: Sequence[str]
) -> dict[str, str]:
    """The dialogues in play that were played on these cases (names): names by id."""
    if not cases:
        return {}
    return dict(
        store.rows(
            _DIALOGUES_OF_CASES,
            study=STUDY,
            kind=DIALOGUE_KIND,
            dataset=dataset,
            cases=list(cases),
        )
    )


def names_by_id_of_dialogues_resting_on_cases(
    store: Store, dataset: str, names: Sequence[str]
) -> dict[str, str]:
    """The dialogues of those of these items that are cases, withdrawn or not: names by id."""
    return dict(
        store.rows(
            "select d.id, d.name from item_known d join item_known c on c.kind = $case"
            " and c.study = $study and c.dataset = $dataset and c.name = (d.body->>'$.case')"
            " where d.study = $study and d.kind = $kind and d.dataset = $dataset"
            " and c.name in $names",
            study=STUDY,
            case=CASE_KIND,
            kind=DIALOGUE_KIND,
            dataset=dataset,
            names=list(names),
        )
    )


def names_and_count_of_dependents_of_import(store: Store, ids: Sequence[str]) -> Resting:
    """What rests on imported cases and is in play: their dialogues."""
    rows = store.rows(
        "select d.id, d.name from item_in_play d join item_in_play c on c.dataset = d.dataset"
        " and c.study = d.study and c.kind = $case and c.name = (d.body->>'$.case')"
        " where d.study = $study and d.kind = $kind and c.id in $ids",
        study=STUDY,
        case=CASE_KIND,
        kind=DIALOGUE_KIND,
        ids=list(ids),
    )
    return Resting(dict(rows), len(rows))


def item_id_made_from_name(dataset: str, name: str) -> str:
    """The item id of a case, or of a dialogue, by its name."""
    return stable_id("item", STUDY, dataset, name)


def load_case(store: Store, item: str) -> Case:
    """One case by item id.

    Raises:
        InvalidInput: there is no such case.
    """
    return Case.model_validate(items.item_body(store, item))


_LIST_CASES = Lookup(
    "agentclinic.list_cases",
    "select i.id, i.name, i.illustrative, i.body, list(a.name order by a.seq)"
    " from item_in_play i left join item_alias a on a.item = i.id"
    " where i.study = $study and i.kind = $kind and i.dataset = $dataset"
    " group by i.id, i.name, i.illustrative, i.body, i.seq order by i.seq",
)


@cache_per_dataset_until_growth()
def load_cases_by_name(store: Store, dataset: str) -> dict[str, ListedCase]:
    """Every case of a dataset by name in the order they came, linted; cached between calls."""
    rows = store.rows(
        _LIST_CASES,
        study=STUDY,
        kind=CASE_KIND,
        dataset=dataset,
    )
    read = [Case.model_validate_json(row[3]) for row in rows]
    found = {}
    for (id_, name, illustrative, _, given), one, faults in zip(
        rows, read, list_faults_of_each_case(read), strict=True
    ):
        aliases = tuple(alias for alias in given if alias)
        meaning = items.oldest_counting_version_of_item(store, id_)
        found[name] = ListedCase(id_, name, illustrative, one, tuple(faults), aliases, meaning)
    return found


def find_names_of_leaking_cases(store: Store, dataset: str) -> frozenset[str]:
    """The names of the cases whose test results state the diagnosis."""
    return frozenset(
        name for name, one in load_cases_by_name(store, dataset).items() if one.is_leaking_in_tests
    )


def list_names_of_cases_with_findings(store: Store, dataset: str) -> frozenset[str]:
    """The names of the cases in which the check found anything."""
    return frozenset(
        name for name, one in load_cases_by_name(store, dataset).items() if one.findings
    )


# -- dialogues ---------------------------------------------------------------------------------


def add_dialogues_and_return_added(
    store: Store,
    found: Iterable[tuple[str, Dialogue]],
    *,
    dataset: str,
    illustrative: bool = False,
    begun: datetime | None = None,
) -> items.Added:
    """Add (name, dialogue) pairs, all or nothing; one that is already there counts as known.

    ``begun`` is when the first was begun to be played: those whose case has changed its meaning
    since are withdrawn at once.

    Raises:
        InvalidInput: a dialogue's case is not in the dataset, or one of that name has other
            content.
    """
    there = load_cases_by_name(store, dataset)
    given = _with_known_cases(there, found)
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
        beside={"item_withdrawal": _overtaken(store, dataset, given, begun)},
    )


def _with_known_cases(
    there: Mapping[str, ListedCase], found: Iterable[tuple[str, Dialogue]]
) -> list[tuple[str, Dialogue]]:
    """Dialogues that name their cases as the dataset does."""
    also = {alias: name for name, one in there.items() for alias in one.aliases}
    return [
        (
            name,
            one
            if one.case in there or one.case not in also
            else one.model_copy(update={"case": also[one.case]}),
        )
        for name, one in found
    ]


def _overtaken(
    store: Store, dataset: str, given: Sequence[tuple[str, Dialogue]], begun: datetime | None
) -> list[dict[str, Any]]:
    """Withdrawals of the dialogues whose case was corrected while they were played."""
    if begun is None or not store.data_version_of_tables("item_version"):
        return []
    changed = set(
        store.column(
            "select i.name from item_version v join item i on i.id = v.item"
            " where not v.counts and v.made_at > $begun and i.study = $study and i.kind = $kind"
            " and i.dataset = $dataset",
            begun=begun,
            study=STUDY,
            kind=CASE_KIND,
            dataset=dataset,
        )
    )
    ids = {
        name: item_id_made_from_name(dataset, name) for name, one in given if one.case in changed
    }
    return [
        {
            "id": stable_id("overtaken", item),
            "item": item,
            "study": STUDY,
            "dataset": dataset,
            "name": name,
            "revision": 1,
            "withdrawn": True,
            "reason": "The meaning of its case was corrected while it was played.",
            "made_by": COMMAND_LINE,
        }
        for name, item in ids.items()
    ]


def load_dialogue(store: Store, item: str) -> Dialogue:
    """One whole dialogue by item id. For raters see ``reveal_dialogue_to_viewer``.

    Raises:
        InvalidInput: there is no such dialogue.
    """
    return Dialogue.model_validate(items.item_body(store, item))


def list_dialogues_with_ids_and_names(
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


def reveal_dialogue_to_viewer(store: Store, item: str, viewer: Rater) -> ShownDialogue:
    """A dialogue for a viewer.

    Leads see all of it; reviewers once they have submitted everything they were given on it. This
    is noted: their later judgments of it are not blind.

    Raises:
        InvalidInput: there is no such dialogue.
    """
    found = load_dialogue(store, item)
    rated = tasks.blinded_dialogue_for_rater(found)
    if viewer.role != "lead" and item not in filter_ids_of_items_rater_finished(
        store, viewer.id, [item]
    ):
        return ShownDialogue(rated, None)
    record_dialogues_seen(store, [item], viewer)
    return ShownDialogue(rated, found)


def record_dialogues_seen(store: Store, seen: Sequence[str], viewer: Rater) -> None:
    """Note that a person has seen how these dialogues ended: later judgments are not blind."""
    judging.record_items_as_seen_and_say_if_any_new(
        store, product(tasks.TASKS, seen), rater=viewer.id
    )


def filter_ids_of_items_rater_finished(store: Store, rater: str, among: Sequence[str]) -> set[str]:
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


def dialogue_index_table(store: Store, dataset: str) -> pd.DataFrame:
    """The light columns of every dialogue (``_PATHS``, turns), in the order they came.

    Read from the dialogues' JSON once and cached: a page over 10,000 dialogues then takes
    milliseconds, while reading 60 MB again would take a tenth of a second. Do not change it.
    """
    return compute_unless_cached_since_growth(
        store, "index", dataset, lambda last: _index(store, dataset, last)
    )


_DIALOGUE_COLUMNS = ", ".join(f"x[{n}] as {name}" for n, name in enumerate((*_PATHS, "turns"), 1))
_DIALOGUE_INDEX = Lookup(
    "agentclinic.dialogue_index",
    f"select id as item_id, name as dialogue, illustrative, {_DIALOGUE_COLUMNS}"
    " from (select id, name, illustrative, seq, list_append("
    " json_extract_string(body, $paths),"
    " cast(json_array_length(body, '$.turns') as varchar)) as x"
    " from item_in_play where study = $study and kind = $kind and dataset = $dataset"
    " and id not in (select unnest(cast($known as varchar[])))) order by seq",
    paths="texts",
    known="texts",
)


def _index(store: Store, dataset: str, last: pd.DataFrame | None) -> pd.DataFrame:
    known = [] if last is None else last["item_id"].tolist()
    read = store.read(
        _DIALOGUE_INDEX,
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


def find_ids_of_dialogues_with_words(store: Store, dataset: str, words: str) -> frozenset[str]:
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

    return compute_unless_cached_since_growth(store, "search", f"{dataset}\x1f{sought}", look)


# -- judgments of dialogues ------------------------------------------------------------------------


def gold_items_and_items_given(
    store: Store, dataset: str, task: str
) -> tuple[frozenset[str], list[str]]:
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


def rater_count_by_task_and_item(
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


@cache_per_dataset_until_growth(*JUDGED)
def find_ids_of_disputed_dialogues(store: Store, dataset: str) -> frozenset[str]:
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
