"""``python -m medlens export``: tables and other files, by hand or on a schedule.

A table that is written row by row needs neither pandas nor the studies' pages and figures, whose
loading takes longer than all the rest of such a command.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from medlens.app import exports_without_pandas
from medlens.cli.command_line_parser_and_help import COMMANDS, make_parser_and_group_for_commands
from medlens.cli.command_running_and_store_access import (
    do_work_and_return_result_and_job_folder,
    paths_never_overwritten,
    remove_job_folder,
    run_command_and_return_exit_code,
)
from medlens.config.settings import Settings, load_settings
from medlens.errors import InvalidInput
from medlens.store import Store, output_file
from medlens.tables import PlainTable, write_table

_NARROW = {
    "run": "figures: only what this run made",
    "model": "figures: only these models, separated by | (EBMQA)",
    "prompt": "figures: with this prompt, not the most common one (EBMQA)",
    "experiment": "figures: only runs of this experiment",
    "cases": "figures: only this case set (AgentClinic) or question group (SourceCheckup)",
    "judge": "figures: by this moderator's or verifier's verdicts",
    "protocol": "figures: only visits played by this protocol",
    "label": "questions, answers: only these labels, 'discipline=renal|digestive; prevalence=rare'"
    " (EBMQA)",
    "words": "questions, answers: only questions with all these words (EBMQA)",
}


def add_export_command(verbs: Any, installed: str) -> None:
    """Add the command ``export``; ``installed`` is said below its kinds."""
    from medlens.app import store_zip_writing_and_reading
    from medlens.studies import registry

    packages = {kind: one.title for kind, one in registry.PACKAGES.items()}
    given = {**registry.EXPORTS, **packages}
    kinds = "\n".join(f"  {kind:<25}{title}" for kind, title in given.items())
    give = verbs.add_parser(
        "export",
        help=COMMANDS["export"],
        epilog=f"kinds:\n{kinds}\n\n{installed}".rstrip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_arguments(give, [*given, store_zip_writing_and_reading.NAME], ["", *registry.STUDIES])
    give.set_defaults(run=_export)


def _add_arguments(
    parser: argparse.ArgumentParser, kinds: Sequence[str] | None, studies: Sequence[str] | None
) -> None:
    """The command's arguments; None: whatever is given for a kind or study."""
    parser.add_argument(
        "kind",
        choices=kinds,
        metavar="KIND",
        help="which table or file; everything: all tables, as a zip",
    )
    parser.add_argument(
        "study",
        nargs="?",
        default="",
        choices=studies,
        metavar="STUDY",
        help="the study, where several have such a table (figures, annotated)",
    )
    parser.add_argument(
        "--study",
        dest="of_study",
        default="",
        choices=studies,
        metavar="STUDY",
        help="the same",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="default: standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    parser.add_argument(
        "--format", choices=exports_without_pandas.FORMATS, help="default: by FILE's ending, or csv"
    )
    parser.add_argument(
        "--bom", action="store_true", help="CSV with a byte-order mark, for spreadsheets"
    )
    parser.add_argument(
        "--dataset", default="", help="default: the newest that is not illustrative"
    )
    parser.add_argument(
        "--rule",
        default="",
        choices=["relaxed", "strict"],
        help="labels in the published layout under this rule",
    )
    parser.add_argument(
        "--history", action="store_true", help="every revision, not only those in use"
    )
    parser.add_argument("--task", default="", metavar="NAME", help="annotated: only by this task")
    parser.add_argument(
        "--anonymous", action="store_true", help="people as numbers, in every kind of file"
    )
    parser.add_argument(
        "--archived", action="store_true", help="also what is archived (medlens archive)"
    )
    for name, about in _NARROW.items():
        parser.add_argument(
            f"--{name}", dest=f"only_{name}", default="", metavar="NAME", help=about
        )


class _NotPlain(Exception):
    """The whole command line has to do it, or to say what is wrong."""


class _PlainParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _NotPlain(message)


def run_plain_export_and_find_exit_code(given: Sequence[str]) -> int | None:
    """Export a table that is written row by row; returns the exit code. None: it is not one, or
    another distribution has a study, which may have such a table too; nothing was done.
    """
    if metadata.entry_points(group="medlens.studies"):
        return None
    try:
        parser, verbs = make_parser_and_group_for_commands("", _PlainParser)
        _add_arguments(verbs.add_parser("export", add_help=False), None, None)
        options = parser.parse_args(given)
        studies = _plain_studies(options)
    except _NotPlain:
        return None
    if options.store:
        os.environ["MEDLENS_STORE"] = options.store
    try:
        return run_command_and_return_exit_code(lambda: _export_plain(options, studies))
    except _NotPlain:
        return None


def _plain_studies(options: argparse.Namespace) -> tuple[str, ...]:
    """The studies that may have the table.

    Raises:
        _NotPlain: it is not written row by row, or with an option that only other tables have.
    """
    studies = exports_without_pandas.list_studies_writing_table_without_pandas(
        options.kind, options.of_study or options.study
    )
    others = ("anonymous", "rule", "task", *(f"only_{name}" for name in _NARROW))
    if (
        studies is None
        or any(getattr(options, name) for name in others)
        or (options.history and not studies)
        or _format(options) not in exports_without_pandas.PLAIN_FORMATS
    ):
        raise _NotPlain
    return studies


def _format(options: argparse.Namespace) -> Any:
    return options.format or exports_without_pandas.choose_table_format(
        options.output, options.kind
    )


def _export_plain(options: argparse.Namespace, studies: tuple[str, ...]) -> int:
    def make_table(store: Store) -> tuple[PlainTable, str]:
        made = exports_without_pandas.make_plain_export_table_and_description(
            store,
            lambda names: load_settings(of_studies=names),
            options.kind,
            studies,
            dataset=options.dataset,
            history=options.history,
            nested=_format(options) in exports_without_pandas.NESTING,
            archived=options.archived,
        )
        if made is None:
            raise _NotPlain
        return made

    settings = load_settings(of_studies=())
    return _export_table(settings, options, make_table, briefly=True)


def _export(settings: Settings, options: argparse.Namespace) -> int:
    from medlens.app import store_zip_writing_and_reading, work_behind_commands
    from medlens.studies.registry import PACKAGES

    of = {name: _asked(options)[name] for name in _OF_PACKAGE}

    def make_zip(store: Store) -> str:
        kept, force = paths_never_overwritten(settings), options.force
        with output_file.temporary_path_that_becomes_new_file(
            options.output, keep=kept, force=force
        ) as part:
            return work_behind_commands.write_store_zip_and_describe(
                store, settings, part, anonymous=options.anonymous
            )

    def make_package(store: Store) -> str:
        data = work_behind_commands.export_package_as_bytes(
            store, settings, options.kind, viewer=None, **of
        )
        with open_export_target(settings, options) as target:
            target.write(data)
        exports_without_pandas.log_export(store, options.kind, options.dataset, rows=None)
        return PACKAGES[options.kind].title

    def make_table(store: Store) -> tuple[Any, str]:
        asked = _asked(options)
        table = work_behind_commands.make_export_table(
            store,
            settings,
            options.kind,
            viewer=None,
            nested=_format(options) in exports_without_pandas.NESTING,
            **asked,
        )
        line = work_behind_commands.exported_table_in_words(
            store, table, options.kind, asked["study"], options.dataset
        )
        return table, line

    if options.kind == store_zip_writing_and_reading.NAME:
        if not options.output:
            raise InvalidInput("Name the file to write.", hint="-o FILE.zip")
        return _run_export(settings, options, make_zip)
    if options.kind in PACKAGES:
        return _run_export(settings, options, make_package)
    return _export_table(settings, options, make_table)


def _export_table(
    settings: Settings,
    options: argparse.Namespace,
    make_table: Callable[[Store], tuple[Any, str]],
    *,
    briefly: bool = False,
) -> int:
    """Write a table and record that; ``make_table`` returns it and what it is in a line."""

    def write(store: Store) -> str:
        table, line = make_table(store)
        with open_export_target(settings, options) as target:
            write_table(table, target, format=_format(options), bom=options.bom)
        exports_without_pandas.log_export(store, options.kind, options.dataset, rows=len(table))
        return line

    return _run_export(settings, options, write, briefly=briefly)


_OF_PACKAGE = ("study", "dataset", "anonymous", "archived")


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    """What the options ask of a table, by the parameters of ``make_export_table``."""
    return {
        "study": options.of_study or options.study,
        "dataset": options.dataset,
        "task": options.task,
        "anonymous": options.anonymous,
        "archived": options.archived,
        "rule": options.rule,
        "history": options.history,
        "narrow": {name: getattr(options, f"only_{name}") for name in _NARROW},
    }


def _run_export(
    settings: Settings,
    options: argparse.Namespace,
    write: Callable[[Store], str],
    *,
    briefly: bool = False,
) -> int:
    """Let ``write`` make the file from the store, or the app that has the store open."""
    if options.output:
        output_file.require_new_file(
            options.output, keep=paths_never_overwritten(settings), force=options.force
        )
    asked = _asked(options)
    job = {
        "verb": "export",
        "kind": options.kind,
        "options": asked | {"format": _format(options), "bom": options.bom},
        "package": {name: asked[name] for name in _OF_PACKAGE},
    }
    outcome, folder = do_work_and_return_result_and_job_folder(
        settings,
        lambda store: {"line": write(store)},
        job,
        made_before=True,
        briefly=briefly,
    )
    if folder is not None:
        try:
            with (
                open_export_target(settings, options) as target,
                (folder / "table").open("rb") as table,
            ):
                shutil.copyfileobj(table, target)
        finally:
            remove_job_folder(folder)
    if options.output:
        print(f"Wrote {options.output}: {outcome['line']}")
    return 0


@contextlib.contextmanager
def open_export_target(settings: Settings, options: argparse.Namespace) -> Iterator[BinaryIO]:
    """Where an export goes: a new file, which appears once it is complete, or standard output."""
    if not options.output:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = output_file.temporary_path_that_becomes_new_file(
        options.output, keep=paths_never_overwritten(settings), force=options.force
    )
    with target as part, part.open("xb") as stream:
        yield stream
