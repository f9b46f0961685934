"""Archiving studies, datasets, rounds, runs and the demo, and bringing them back, as pages and the
command line do it alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.config.settings import Settings
from medlens.config.toml_edit import set_field_in_toml
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries, runs
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    items,
    renaming_and_name_translation,
)
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.raters import Rater, require_lead
from medlens.review.renaming_and_name_translation import find_name_given_to_thing
from medlens.store import Row, Store
from medlens.studies.own import study as own
from medlens.studies.own.tasks import STUDY as OWN
from medlens.studies.registry import STUDIES

WHAT = ("study", "dataset", "round", "run", "demo")
"""What can be archived, as the commands call it."""


def find_dataset(store: Store, study: str, dataset: str) -> Thing:
    """A dataset of a study, archived or not.

    Raises:
        InvalidInput: there is no such study or dataset.
    """
    if study not in STUDIES:
        raise InvalidInput(
            f"There is no study {study!r}.", hint=f"There are: {', '.join(STUDIES)}."
        )
    known = [str(row["dataset"]) for row in items.datasets_of_study(store, study, archived=True)]
    known += STUDIES[study].without_items(store)
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(store, dataset, study)
    if (
        dataset not in known
        and dataset
        not in archiving_of_datasets_rounds_and_runs.archived_dataset_names(store, study)
    ):
        called = [
            renaming_and_name_translation.current_name_of_dataset(store, study, name)
            for name in known
        ]
        raise InvalidInput(
            f"{STUDIES[study].title} has no dataset {dataset!r}.",
            hint=f"There are: {', '.join(called) or 'none'}.",
        )
    return Thing("dataset", study, dataset)


def is_dataset_called_study(thing: Thing) -> bool:
    """Whether people call a dataset a study: it is one of a study that says so."""
    declared = STUDIES.get(thing.study)
    return thing.kind == "dataset" and declared is not None and declared.datasets_are_studies


def is_round_of_whole_study(thing: Thing) -> bool:
    """Whether a round is all of what people call a study, so that it goes only with that."""
    return thing.kind == "round" and is_dataset_called_study(
        Thing("dataset", thing.study, thing.dataset)
    )


def find_round_by_any_name(store: Store, settings: Settings, task: str, dataset: str) -> Thing:
    """The round of a task (by name, or by what the round is called) on a dataset.

    Raises:
        InvalidInput: no study has both.
    """
    task, dataset = renaming_and_name_translation.names_of_task_and_dataset_before_renaming(
        store, task, dataset
    )
    for name, declared in STUDIES.items():
        there = items.datasets_of_study(store, name, archived=True)
        if any(row["dataset"] == dataset for row in there):
            opened = declared.open(store, settings, dataset)
            if any(one.name == task for one in declared.tasks(opened)):
                return Thing("round", name, dataset, task)
    raise InvalidInput(
        f"There is no task {task!r} on a dataset {dataset!r}.", hint="See round list."
    )


def find_run_by_id_or_title(store: Store, run: str) -> Thing:
    """A run by its id, or by what it is called.

    Raises:
        InvalidInput: there is no such run.
    """
    if renamed := renaming_and_name_translation.find_thing_by_any_given_name(store, "run", run):
        run = renamed.name
    found = completion_run_and_job_queries.find_run_as_dict(store, run)
    if found is None:
        raise InvalidInput(f"There is no run {run!r}.", hint="The address of its page has its id.")
    return Thing("run", str(found["study"]), "", run)


def list_demo_datasets(store: Store) -> list[Thing]:
    """The datasets of the illustrative demo that are there, archived or not."""
    return [
        Thing("dataset", name, str(row["dataset"]))
        for name, declared in STUDIES.items()
        if declared.demo_files
        for row in items.datasets_of_study(store, name, archived=True)
        if row["illustrative"]
    ]


def list_things_named_in_command(
    store: Store, settings: Settings, what: str, names: Sequence[str]
) -> list[Thing]:
    """What a command names: a study of one's own by its name, a dataset by its study's name and
    its own, a round by task and dataset, a run by its id, or the demo.

    Raises:
        InvalidInput: there is none.
    """
    if what == "demo":
        if things := list_demo_datasets(store):
            return things
        raise InvalidInput("The demo is not there.", hint="python -m medlens demo adds it.")
    if what == "study":
        return [find_dataset(store, OWN, names[0])]
    if what == "dataset":
        return [find_dataset(store, *names)]
    if what == "round":
        return [find_round_by_any_name(store, settings, *names)]
    if what == "run":
        return [find_run_by_id_or_title(store, names[0])]
    raise ValueError(what)


def name_of_thing(store: Store, settings: Settings, thing: Thing) -> str:
    """What people call a thing, such as ``the dataset pilot of Error tagging``."""
    declared = STUDIES.get(thing.study)
    if thing.kind == "run":
        run = find_name_given_to_thing(store, thing) or thing.name[:8]
        return f"the run {run} of {declared.title if declared else thing.study}"
    if declared is None:
        return f"{thing.dataset} of {thing.study}"
    title = declared.titles(store, [thing.dataset])[thing.dataset]
    name = (
        f"the study {title}"
        if declared.datasets_are_studies
        else f"the dataset {title} of {declared.title}"
    )
    if thing.kind == "dataset":
        return name
    task = find_name_given_to_thing(store, thing) or task_title_of_round(store, settings, thing)
    return f"the round {task} of {name.removeprefix('the ')}"


def task_title_of_round(store: Store, settings: Settings, round_: Thing) -> str:
    """The title of a round's task."""
    declared = STUDIES[round_.study]
    tasks = declared.tasks(declared.open(store, settings, round_.dataset))
    return next((one.title for one in tasks if one.name == round_.name), round_.name)


def title_of_own_study(store: Store, name: str) -> str:
    """The title of a study of one's own, as its file has it."""
    return own.open_study(store, Settings(), name).declared.form.title


def archive_or_bring_back_and_return_report_text(
    store: Store,
    settings: Settings,
    things: Sequence[Thing],
    *,
    reason: str,
    by: Rater | None,
    back: bool = False,
) -> str:
    """Archive things, or with ``back`` bring them back; says what was done. ``by`` None: the
    command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason, or a run that is going on.
        Conflict: all are archived already (or none is).
    """
    for thing in things:
        found = (
            completion_run_and_job_queries.find_run_as_dict(store, thing.name)
            if thing.kind == "run"
            else None
        )
        if found and not back and runs.current_state_name_of_run(found) == "running":
            raise InvalidInput("This run is still in progress.", hint="Stop it first.")
    many = archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
        store, things, reason=reason, by=by, back=back
    )
    name = name_of_thing(store, settings, things[0])
    what = f"{name[0].upper()}{name[1:]} is" if len(things) == 1 else f"{many:,} datasets are"
    if back:
        return f"{what} back."
    it = "it" if len(things) == 1 else "them"
    if things[0].kind == "run":
        return f"{what} archived: what it made stays."
    return f"{what} archived: nobody is given anything of {it}, and no menu shows {it}."


def retitle_own_study_and_return_report_text(
    store: Store,
    name: str,
    title: str,
    *,
    by: Rater | None,
    beside: Mapping[str, Sequence[Row]] | None = None,
) -> str:
    """Give a study of one's own another title, by a next version of its file; says what was done.
    Its address stays, unless ``beside``, rows that are saved in the same transaction, change it.
    ``by`` None: the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: there is no such study, the title is empty, or another study has it.
        BadFile: the title cannot stand in a study's file.
        Conflict: another version of its file was saved at the same moment.
    """
    require_lead(by)
    name = find_dataset(store, OWN, name).dataset
    title = remove_invisible_characters_from_name(title)
    if not title:
        raise InvalidInput("A title is missing.", hint="Say what the study is called.")
    known = [str(row["dataset"]) for row in items.datasets_of_study(store, OWN, archived=True)]
    for other, taken in own.distinct_titles_by_study(store, known).items():
        if other != name and taken.casefold() == title.casefold():
            raise InvalidInput(
                f"There is a study called {taken!r} already"
                f" ({renaming_and_name_translation.current_name_of_dataset(store, OWN, other)}).",
                hint="Choose another.",
            )
    before = own.open_study(store, Settings(), name)
    called = renaming_and_name_translation.current_name_of_dataset(store, OWN, name)
    text = set_field_in_toml(before.text, "", 0, "title", title)
    own.store_study_file_version_and_return_it(
        store, text, name="STUDY.toml", by=by, seen=before.version, beside=beside
    )
    return f"{before.declared.form.title} ({called}) is called {title} now."


def list_archived_things_in_words(store: Store, settings: Settings) -> list[str]:
    """What is archived, a line each, the last one first."""
    return [
        f"{found.at:%Y-%m-%d %H:%M} {_as_command(store, found.thing)}: archived by {found.by}:"
        f" {found.reason}"
        for found in archiving_of_datasets_rounds_and_runs.archivings_by_thing(store).values()
    ]


def _as_command(store: Store, thing: Thing) -> str:
    if thing.kind == "run":
        return f"run {find_name_given_to_thing(store, thing) or thing.name}"
    dataset = renaming_and_name_translation.current_name_of_dataset(
        store, thing.study, thing.dataset
    )
    if thing.kind == "round":
        return f"round {find_name_given_to_thing(store, thing) or thing.name} {dataset}"
    return (
        f"study {dataset}" if is_dataset_called_study(thing) else f"dataset {thing.study} {dataset}"
    )
