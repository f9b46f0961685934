"""Deleting for good what is archived, and taking the demo away, as pages and the command line do it
alike.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from medlens.app import archive_and_unarchive, erasure
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm.runs import current_state_name_of_run
from medlens.review import archiving_of_datasets_rounds_and_runs, deletion_of_archived_data
from medlens.review.archiving_of_datasets_rounds_and_runs import COMMAND_LINE, Thing
from medlens.review.deletion_of_archived_data import Deleted, DeletionRewrite
from medlens.review.item_text_erasure import list_runs_of_study
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.registry import STUDIES


def name_that_confirms_deletion(store: Store, settings: Settings, thing: Thing) -> str:
    """What a lead types to delete a thing: the study's title or the dataset's name, the task's name
    of a round, the beginning of a run's id.
    """
    if thing.kind == "run":
        return thing.name[:8]
    if thing.kind == "round":
        return thing.name
    return STUDIES[thing.study].titles(store, [thing.dataset])[thing.dataset]


def list_deletion_effects_in_words(
    store: Store, settings: Settings, thing: Thing, *, viewer: Rater | None
) -> list[str]:
    """What deleting a thing would take away, in sentences.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: as ``delete_archived_thing_and_list_report_lines``.
    """
    require_lead(viewer)
    refuse_deletion_if_in_use(store, thing)
    rewriting = DeletionRewrite([_deleted(store, settings, thing)], called="", by="")
    gone = store.count_what_rewrite_would_change(rewriting).gone
    rows = sum(gone.values())
    name = archive_and_unarchive.name_of_thing(store, settings, thing)
    work = gone.get("judgment", 0)
    lines = [
        f"{name[0].upper()}{name[1:]} goes for good: {rows:,} rows of {len(gone):,} tables, with"
        f" {work:,} judgment{'s' * (work != 1)}. It cannot be taken back."
    ]
    if thing.kind == "run":
        lines = [
            f"The record of the run goes for good: {rows:,} rows of {len(gone):,} tables, with its"
            " calls. What it made stays. It cannot be taken back."
        ]
    if folder := _folder_of_files(settings, thing):
        many = sum(1 for path in folder.rglob("*") if path.is_file())
        lines.append(f"{many:,} attached file{'s' * (many != 1)} of it go too.")
    return [*lines, *erasure.list_backups_and_exports_to_erase_by_hand(store)]


def delete_archived_thing_and_list_report_lines(
    store: Store,
    settings: Settings,
    thing: Thing,
    *,
    confirmed: str,
    by: Rater | None,
    folder: Path | None = None,
) -> list[str]:
    """Delete a thing that is archived, with its rows and files; ``confirmed`` is its name as the
    lead typed it, ``folder`` that of the job by which it was asked. Says what was done. ``by``
    None: the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: it is not archived, the name is another one, a run is going on, or something
            forbids it (``review.deletion_of_archived_data.FORBIDDEN_BY``).
        StoreUnavailable: nothing was changed.
    """
    require_lead(by)
    refuse_deletion_if_in_use(store, thing)
    names = {name_that_confirms_deletion(store, settings, thing), thing.name or thing.dataset}
    if " ".join(confirmed.split()) not in names:
        raise InvalidInput(
            "The name that was typed is a different one: nothing was deleted.",
            hint="Type it as it is shown.",
        )
    files = _folder_of_files(settings, thing)
    rewriting = DeletionRewrite(
        [_deleted(store, settings, thing)],
        called=_kind_in_words(thing),
        by=by.id if by else COMMAND_LINE,
        refuse=lambda: refuse_deletion_if_in_use(store, thing),
    )
    done = store.carry_out_rewrite_and_count_changes(rewriting)
    if files:
        shutil.rmtree(files, ignore_errors=True)
    erasure.remove_earlier_job_files_from_inbox(store, folder)
    return [
        f"Deleted for good: {_kind_in_words(thing)}, {sum(done.gone.values()):,} rows.",
        *erasure.list_backups_and_exports_to_erase_by_hand(store),
        *store.list_places_where_erased_data_may_remain(),
    ]


def refuse_deletion_if_in_use(store: Store, thing: Thing) -> None:
    """Refuse to delete what is in use.

    Raises:
        InvalidInput: it is not archived, a run of its study is going on, it is the round of a study
            of one's own, or something forbids it.
    """
    if archiving_of_datasets_rounds_and_runs.archiving_of_thing(store, thing) is None:
        raise InvalidInput(
            "Only what is archived can be deleted.", hint="Archive it first, and look around."
        )
    if archive_and_unarchive.is_round_of_whole_study(thing):
        raise InvalidInput(
            "A study of your own is its round.", hint="Archive and delete the study instead."
        )
    _require_no_run(store, [thing])
    deletion_of_archived_data.refuse_if_check_forbids_deletion(store, thing)


def remove_demo_and_list_what_was_done(
    store: Store,
    settings: Settings,
    *,
    with_work: bool,
    by: Rater | None,
    folder: Path | None = None,
) -> list[str]:
    """Take the illustrative demo away whole, with the people who are only in it; nothing else.
    ``with_work``: what people of the team have judged in it goes too. It need not be archived, as
    it can be added again. Says what was done.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: it is not there, people of the team have judged in it, or a run is going on.
        StoreUnavailable: nothing was changed.
    """
    require_lead(by)
    things = archive_and_unarchive.list_things_named_in_command(store, settings, "demo", ())

    def refuse() -> None:
        _require_no_run(store, things)
        for thing in things:
            deletion_of_archived_data.refuse_if_check_forbids_deletion(store, thing)
        judgments, people = deletion_of_archived_data.count_team_judgments_and_people(store, things)
        if judgments and not with_work:
            many = f"{judgments:,} judgment{'s' * (judgments != 1)}"
            raise InvalidInput(
                f"{people:,} {'person' if people == 1 else 'people'} of your team made {many} in"
                " the demo. Nothing was removed.",
                hint="--judgments-too removes these as well. Or only put the demo away: archive"
                " demo.",
            )

    refuse()
    done = store.carry_out_rewrite_and_count_changes(
        DeletionRewrite(
            [_deleted(store, settings, thing) for thing in things],
            called="the demo studies",
            by=by.id if by else COMMAND_LINE,
            refuse=refuse,
            with_demo_people=True,
        )
    )
    erasure.remove_earlier_job_files_from_inbox(store, folder)
    return [
        f"The demo is gone: {sum(done.gone.values()):,} rows. python -m medlens demo adds it again."
    ]


def _require_no_run(store: Store, things: Sequence[Thing]) -> None:
    for study in {thing.study for thing in things}:
        if any(
            current_state_name_of_run(run) == "running" for run in list_runs_of_study(store, study)
        ):
            raise InvalidInput(
                "A run of this study is in progress, and may be adding to it.",
                hint="Stop it (Runs), then delete.",
            )


def _deleted(store: Store, settings: Settings, thing: Thing) -> Deleted:
    if thing.kind == "run":
        return Deleted(thing)
    if thing.kind == "round":
        return Deleted(thing, (thing.name,))
    declared = STUDIES[thing.study]
    tasks = declared.tasks(declared.open(store, settings, thing.dataset))
    # Codes of marks that are no task have the study's names too.
    named = tuple({*(task.name for task in tasks), *declared.views})
    return Deleted(thing, named, tuple(declared.imports))


def _folder_of_files(settings: Settings, thing: Thing) -> Path | None:
    """The folder with the files that items of a dataset show, if there is one."""
    declared = STUDIES.get(thing.study)
    if thing.kind != "dataset" or declared is None or not thing.dataset:
        return None
    folder = declared.attached_folder(settings, thing.dataset)
    is_own = Path(thing.dataset).name == thing.dataset and thing.dataset not in (".", "..")
    return folder if folder and is_own and folder.is_dir() else None


def _kind_in_words(thing: Thing) -> str:
    """What kind of thing it is, without its name."""
    if archive_and_unarchive.is_dataset_called_study(thing):
        return "a study of one's own"
    title = STUDIES[thing.study].title if thing.study in STUDIES else thing.study
    return f"a {thing.kind} of {title}"
