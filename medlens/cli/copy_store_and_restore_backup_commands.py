"""``python -m medlens copy`` and ``restore``: a store, or a backup, into another place."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from medlens.app import (
    copy_attached_files_verified,
    copy_store_even_if_open,
    scheduled_backups_and_restore,
)
from medlens.cli.command_line_parser_and_help import COMMANDS
from medlens.config.settings import Settings
from medlens.store.store_copying import store_name_without_password

Bar = Callable[[str], AbstractContextManager[Callable[[int], object]]]


def add_copy_and_restore_commands(verbs: Any, bar: Bar) -> None:
    """Add the commands ``copy`` and ``restore``. ``bar`` makes a progress bar of rows."""
    copy = verbs.add_parser(
        "copy",
        help=COMMANDS["copy"],
        description="Copy a whole store into an empty one, from a DuckDB file or PostgreSQL to"
        " either, also while the app has it open. Every table is counted and hashed on both sides."
        " A copy that was stopped is continued by the same command. It does not open as a store"
        " before it is whole.",
        epilog="Other users of the machine can read a password in a command line: leave it out of"
        " the address, and put it into PGPASSWORD or ~/.pgpass.",
    )
    copy.add_argument("source", metavar="FROM", help="the store: a file or postgresql://…")
    copy.add_argument("target", metavar="TO", help="a new file, or an empty database")
    copy.add_argument(
        "--files",
        type=Path,
        metavar="FOLDER",
        help="also copy the files that items show into this folder",
    )
    copy.add_argument(
        "--tables", action="store_true", help="list every table with its rows and its digest"
    )
    restore = verbs.add_parser(
        "restore",
        help=COMMANDS["restore"],
        description="Copy a backup into a new file or an empty database, and check that. The backup"
        " stays as it is. Files that items show, which scheduled backups have, go to the folders"
        " that medlens.toml names. Then set store in medlens.toml, or MEDLENS_STORE, to the new"
        " store.",
    )
    restore.add_argument(
        "backup",
        type=Path,
        metavar="BACKUP",
        help="a backup, or the folder of scheduled backups: the newest",
    )
    restore.add_argument("target", metavar="TO", help="a new file, or an empty database")
    restore.set_defaults(run=lambda settings, options: _restore(settings, options, bar))
    copy.set_defaults(run=lambda settings, options: _copy(settings, options, bar))


def _restore(settings: Settings, options: argparse.Namespace, bar: Bar) -> int:
    with bar(f"Restoring {options.backup}") as advance:
        restored = scheduled_backups_and_restore.restore_backup(
            settings, options.backup, options.target, progress=advance
        )
    print(
        f"Restored {restored.rows:,} rows of {restored.backup} to "
        f"{store_name_without_password(options.target)}."
    )
    if restored.files:
        were = f"; {restored.files_there:,} were there already" if restored.files_there else ""
        print(f"Restored {restored.files:,} files that items show{were}.")
    for fault in restored.faults:
        print(f"  {fault}")
    found = f"The store has faults: {len(restored.faults):,}."
    print(found if restored.faults else "The store is sound.")
    return 1 if restored.faults else 0


def _copy(settings: Settings, options: argparse.Namespace, bar: Bar) -> int:
    with bar(f"Copying {store_name_without_password(options.source)}") as advance:
        copied = copy_store_even_if_open.copy_store_and_return_counts_and_digests(
            settings, options.source, options.target, progress=advance
        )
    if options.tables:
        for table, part in copied.tables.items():
            print(f"{table:<24}{part.rows:>14,}  {part}")
    line = (
        f"Copied {copied.count_of_all_rows:,} rows of {len(copied.tables)} tables from "
        f"{store_name_without_password(options.source)}"
        f" to {store_name_without_password(options.target)}. Every table was counted and hashed "
        "on both sides."
    )
    if copied.rows_now < copied.count_of_all_rows:
        line += (
            f" {copied.count_of_all_rows - copied.rows_now:,} rows were there from the copy before."
        )
    print(line)
    if options.files is not None:
        files, known = copy_attached_files_verified.copy_attached_files_and_count_all_and_earlier(
            settings, options.files
        )
        were = f"; {known:,} were there already" if known else ""
        print(f"Copied {files:,} files that items show to {options.files}{were}.")
        for name, folder in copy_attached_files_verified.existing_attached_folders_by_name(
            settings
        ).items():
            print(f"  {folder} is {options.files / name} there: name it in medlens.toml.")
    elif files := sum(
        1 for _ in copy_attached_files_verified.iterate_attached_files_and_copy_paths(settings)
    ):
        print(f"The {files:,} files that items show are not in it: --files FOLDER copies them.")
    return 0
