"""``python -m medlens check`` and ``backup``: what a schedule starts every few minutes.

So they load neither the studies' pages and figures nor what makes frames, which takes a second.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from medlens.cli import command_running_and_store_access
from medlens.cli.command_line_parser_and_help import COMMANDS, make_parser_and_group_for_commands
from medlens.config.settings import (
    Settings,
    load_settings,
    section_and_setting_names_in_settings_file,
)
from medlens.review import audit_log
from medlens.review.withdrawn_items import COMMAND_LINE
from medlens.store import Store, duckdb_engine, output_file

NAMES = ("check", "backup")


def find_command_in_arguments(given: Sequence[str]) -> str:
    """The command of a command line; "" if it has none."""
    words = iter(given)
    for word in words:
        if word == "--store":
            next(words, "")
        elif not word.startswith("-"):
            return word
    return ""


def run_check_or_backup_and_return_exit_code(given: Sequence[str]) -> int:
    """Run one of the two; returns the exit code."""
    parser, verbs = make_parser_and_group_for_commands("")
    add_check_and_backup_commands(verbs)
    options = parser.parse_args(given)
    if options.store:
        os.environ["MEDLENS_STORE"] = options.store
    return command_running_and_store_access.run_command_and_return_exit_code(
        lambda: int(options.run(_settings(options.run), options))
    )


def _settings(run: Any) -> Settings:
    """Those that the command reads: a backup needs no study, whose tasks take longer to load."""
    if run is _backup:
        return load_settings(of_studies=())
    from medlens.studies.task_registry import find_task_set_of_study

    # A mistake in a study's section is one of the settings. Studies without a section are loaded
    # when the store turns out to have judgments of them.
    for section in section_and_setting_names_in_settings_file():
        find_task_set_of_study(section)
    _load_installed_studies()
    return load_settings()


def add_check_and_backup_commands(verbs: Any) -> None:
    """Add the commands ``check`` and ``backup``."""
    check = verbs.add_parser("check", help=COMMANDS["check"])
    check.set_defaults(run=_check)
    backup = verbs.add_parser("backup", help=COMMANDS["backup"])
    backup.add_argument("file", type=Path, metavar="FILE")
    backup.add_argument("--force", action="store_true", help="replace FILE if it exists")
    backup.set_defaults(run=_backup)


def _check(settings: Settings, options: argparse.Namespace) -> int:
    from medlens.store import database_block_checksums

    file = Path(settings.store)
    faults = (
        database_block_checksums.list_file_damage_in_words(file)
        if "://" not in settings.store and file.exists()
        else []
    )
    readable = note = ""
    scheduled: Mapping[str, str] = {"line": "", "fault": ""}
    damaged: Sequence[str] = ()
    if faults:
        # Do not open it as a store: that would write to it.
        lost = duckdb_engine.list_unreadable_tables_of_file_in_words(settings.store)
        if lost == []:
            # A checkpoint on a full disk, for example, leaves such an end.
            readable = " All tables can still be read in full."
        faults += lost or []
    else:
        # What is asked of raters takes longer to load than to check, and a backup needs none of it.
        from medlens.app import scheduled_backups_and_restore

        outcome, folder = command_running_and_store_access.do_work_and_return_result_and_job_folder(
            settings,
            lambda store: scheduled_backups_and_restore.check_store_and_backups_as_dict(
                store, settings
            ),
            {"verb": "check"},
            made_before=True,
            briefly=True,
        )
        command_running_and_store_access.remove_job_folder(folder)
        faults, note, scheduled = outcome["faults"], outcome["line"], outcome["backups"]
        damaged = outcome["damaged"]
    for fault in faults:
        command_running_and_store_access.standard_error_console().print(f"  {fault}")
    found = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    print(f"{found}.{readable}" if faults else "The store is sound.")
    if note:
        print(note)
    if scheduled["line"]:
        print(scheduled["line"])
    if scheduled["fault"]:
        command_running_and_store_access.standard_error_console().print(scheduled["fault"])
    for words in damaged:
        command_running_and_store_access.standard_error_console().print(words)
    if damaged:
        print("The next backup saves a damaged file again if it is still in its folder.")
    return 1 if faults or scheduled["fault"] or damaged else 0


def _load_installed_studies() -> None:
    """Load the studies of other distributions, if there are any, to check their judgments too."""
    if metadata.entry_points(group="medlens.studies"):
        from medlens.studies.installed_studies_and_bridges import (
            register_installed_studies_and_list_faults,
        )

        for fault in register_installed_studies_and_list_faults():
            command_running_and_store_access.standard_error_console().print(f"medlens: {fault}")


def _backup(settings: Settings, options: argparse.Namespace) -> int:
    keep = command_running_and_store_access.paths_never_overwritten(settings)
    output_file.require_new_file(options.file, keep=keep, force=options.force)

    def here(store: Store) -> dict[str, Any]:
        store.backup(options.file, force=options.force)
        audit_log.record_entry(store, "backup", who=COMMAND_LINE, about=options.file.name)
        return {}

    job = {"verb": "backup"}
    _, folder = command_running_and_store_access.do_work_and_return_result_and_job_folder(
        settings, here, job, made_before=True, briefly=True
    )
    if folder is not None:
        try:
            with output_file.temporary_path_that_becomes_new_file(
                options.file, keep=keep, force=options.force
            ) as part:
                shutil.copyfile(folder / "backup.duckdb", part)
        finally:
            command_running_and_store_access.remove_job_folder(folder)
    print(f"Backed up to {options.file}.")
    return 0
