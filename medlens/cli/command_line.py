"""The command line: ``python -m medlens --help``.

Each command reports in one line what it did; errors go to standard error. Exit codes: 0 done, 1 it
failed (or ``check`` found problems), 2 the command line was wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from medlens.app import (
    download_published_files,
    store_zip_writing_and_reading,
    work_behind_commands,
)
from medlens.app.file_intake import reader_processes
from medlens.app.store_opening import (
    open_configured_store,
)
from medlens.cli import (
    archive_and_delete_commands,
    check_and_backup_commands,
    erase_person_and_text_command,
    export_command,
    rename_command,
)
from medlens.cli import copy_store_and_restore_backup_commands as cli_moving
from medlens.cli import model_run_command as cli_runs
from medlens.cli import study_command as cli_own
from medlens.cli.command_line_parser_and_help import (
    COMMANDS,
    describe_added_studies_and_bridges,
    make_parser_and_group_for_commands,
)
from medlens.cli.command_running_and_store_access import (
    do_work_and_return_result_and_job_folder,
    paths_never_overwritten,
    remove_job_folder,
    run_command_and_return_exit_code,
    standard_error_console,
)
from medlens.config.settings import Settings, load_settings
from medlens.errors import InvalidInput, MedLensError
from medlens.review import informative_sample
from medlens.stats.smoothed_bootstrap import SEED
from medlens.store import Store, output_file
from medlens.studies import installed_studies_and_bridges, registry
from medlens.tables import require_readable_file

_SCREEN = Console(highlight=False, markup=False, soft_wrap=True)


def add_fetch_command(verbs: Any) -> None:
    """Add the command ``fetch``."""
    known = download_published_files.published_sources_by_study()
    parser = verbs.add_parser(
        "fetch",
        help=COMMANDS["fetch"],
        description="Download a study's published files from their repository, at a fixed commit.",
    )
    parser.add_argument("study", choices=known, metavar="STUDY", help=", ".join(known))
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="where to put them (else published/STUDY)"
    )
    parser.add_argument(
        "--from", dest="base", default="", metavar="ADDRESS", help="a mirror of the repositories"
    )
    parser.add_argument(
        "--unchecked",
        action="store_true",
        help="also files that cannot be checked; their SHA-256 is printed",
    )
    parser.set_defaults(run=_fetch)


def _fetch(_settings: Settings, options: argparse.Namespace) -> int:
    source = download_published_files.published_sources_by_study()[options.study]
    folder = options.to or Path("published") / options.study
    _SCREEN.print(f"{source.title}, github.com/{source.repository} ({source.licence}).")
    # Named, because labels would otherwise go to the newest dataset, whichever that is.
    into = f"--dataset {_dataset(source)}"
    skipped, gone, there = [], [], 0
    for one in download_published_files.iterate_published_files_while_downloading(
        source, folder, base=options.base, unchecked=options.unchecked
    ):
        if one.outcome == "skipped":
            skipped.append(one)
            continue
        if one.outcome == "gone":
            gone.append(one)
            continue
        there += 1
        said = "Fetched" if one.outcome == "fetched" else "There already:"
        how = {
            "SHA-256": "",
            "commit": f" Checked against the commit; SHA-256 {one.sha256}.",
        }.get(one.checked, f" Not checked: SHA-256 {one.sha256}.")
        _SCREEN.print(f"{said} {one.target}.{'' if one.file.sha256 else how}")
        _SCREEN.print(f"  python -m medlens import {one.file.kind} {one.target} {into}")
    for one in skipped:
        _SCREEN.print(
            f"Not fetched, since it cannot be checked ({one.reason}): {one.file.file_name}."
        )
    if skipped:
        _SCREEN.print("  --unchecked fetches these too and prints the SHA-256 they have now.")
    for one in gone:
        _SCREEN.print(
            f"Not there: {one.file.path} ({one.reason}). It was moved, renamed or removed."
        )
        _SCREEN.print(
            f"  Look for it at https://github.com/{source.repository} and import it by hand:"
        )
        _SCREEN.print(f"  python -m medlens import {one.file.kind} FILE {into}")
    return 1 if gone or not there else 0


def _dataset(source: download_published_files.PublishedFileSource) -> str:
    """The dataset for the published files of a study that has some."""
    return registry.STUDIES[registry.study_name_of_file_kind(source.files[0].kind)].published


Serve = Callable[[Settings, argparse.Namespace], int]


def run_command_line_and_return_exit_code(
    arguments: Sequence[str] | None = None, *, serve: Serve | None = None
) -> int:
    """Run one command; returns the exit code. ``serve`` serves the app and is passed in, because
    everything that draws is above the command line.
    """
    given = sys.argv[1:] if arguments is None else arguments
    # Help names them, and what they are takes time to load.
    is_help = len(given) <= 2 and given[-1:] in (["-h"], ["--help"])
    for fault in (
        []
        if is_help
        else installed_studies_and_bridges.register_installed_studies_and_list_faults()
    ):
        standard_error_console().print(f"medlens: {fault}")
    options = _parser(serve or _no_serve).parse_args(cli_runs.add_missing_pipeline_argument(given))
    if options.store:
        os.environ["MEDLENS_STORE"] = options.store

    def run() -> int:
        if serve and options.run is _import:
            reader_processes.readers_of_this_process().fork_parent_of_readers()
        return int(options.run(load_settings(), options))

    return run_command_and_return_exit_code(run)


def _no_serve(settings: Settings, options: argparse.Namespace) -> int:
    raise MedLensError("This process does not serve.", hint="Start `python -m medlens serve`.")


def _parser(serve_with: Serve = _no_serve) -> argparse.ArgumentParser:
    # Once for all helps: to find it, every installed distribution is looked at.
    installed = describe_added_studies_and_bridges()
    parser, verbs = make_parser_and_group_for_commands(installed)

    kinds = "\n".join(f"  {name:<25}{kind.title}" for name, kind in registry.IMPORTS.items())
    take = verbs.add_parser(
        "import",
        help=COMMANDS["import"],
        epilog=f"kinds:\n{kinds}\n\n{installed}".rstrip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    take.add_argument(
        "kind",
        choices=[*registry.IMPORTS, store_zip_writing_and_reading.NAME],
        metavar="KIND",
        help="what the file is; everything: a zip of a whole store, into an empty one",
    )
    take.add_argument("file", type=Path, metavar="FILE", help="CSV, JSON lines, JSON or Parquet")
    take.add_argument("--dataset", default="", help="the dataset to import into")
    take.add_argument(
        "--name", default="", help="what to call imported labels (else the file's name)"
    )
    take.add_argument(
        "--skip-bad",
        action="store_true",
        help="import the good rows and write the others to FILE.bad.csv or .jsonl",
    )
    take.add_argument(
        "--encoding",
        default="",
        metavar="NAME",
        help="the encoding of a file that is not UTF-8, such as windows-1252 or utf-16",
    )
    cli_own.add_arguments_for_place_of_table(take)
    take.add_argument(
        "--dry-run", action="store_true", help="show what would be added, without adding it"
    )
    take.add_argument(
        "--changed",
        default="",
        choices=("leave", "typing", "meaning"),
        help="items that are there with other contents: leave them as they are, or correct them as"
        " a typing error or as a changed meaning; by default the file is refused",
    )
    take.add_argument(
        "--missing",
        default="",
        choices=("leave", "withdraw"),
        help="items of the dataset that the file lacks: leave them (by default) or withdraw them",
    )
    take.add_argument("--reason", default="", help="why items are corrected or withdrawn")
    take.set_defaults(run=_import)

    export_command.add_export_command(verbs, installed)
    cli_runs.add_run_command(verbs)
    add_fetch_command(verbs)
    cli_own.add_study_command(verbs, do_work_and_return_result_and_job_folder, _import)
    erase_person_and_text_command.add_erase_command(
        verbs, do_work_and_return_result_and_job_folder, paths_never_overwritten
    )
    archive_and_delete_commands.add_archive_command(verbs, _told)
    archive_and_delete_commands.add_delete_command(verbs, _told)
    rename_command.add_rename_command(verbs, _told)

    rounds = verbs.add_parser("round", help=COMMANDS["round"]).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    for what, about in _ROUNDS.items():
        one = rounds.add_parser(what, help=about, description=about)
        if what != "list":
            one.add_argument("task", metavar="TASK", help="the task's name, as list has it")
            one.add_argument("--dataset", required=True, help="the dataset")
        if what in ("open", "give"):
            one.add_argument(
                "--to",
                action="append",
                default=[],
                required=what == "give",
                metavar="PERSON",
                help="only to this person, by name or e-mail; repeat it for several people",
            )
        one.set_defaults(run=_round)

    about = COMMANDS["draw"]
    draw = verbs.add_parser("draw", help=about, description=about)
    draw.add_argument("task", metavar="TASK", help="the task's name, as round list has it")
    draw.add_argument("--dataset", required=True, help="the dataset")
    draw.add_argument("--judge", default="", help="the model, by name and prompt (default: first)")
    draw.add_argument("--about", default="", help="the variable (default: the first)")
    draw.add_argument("--answer", default="", help="the answer that is measured (default: first)")
    draw.add_argument("--figure", default="sensitivity", choices=informative_sample.MEASURES)
    draw.add_argument(
        "--within", type=float, default=10, metavar="POINTS", help="half the interval's width"
    )
    draw.add_argument("--seed", type=int, default=SEED, help="the same seed draws the same items")
    draw.set_defaults(run=_draw)

    work = verbs.add_parser("rater", help=COMMANDS["rater"]).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    for what, about in _RATERS.items():
        one = work.add_parser(what, help=about, description=about)
        if what != "list":
            one.add_argument("person", metavar="PERSON", help="by name, e-mail or handle")
            one.add_argument("--task", default="", help="only in this task (with --dataset)")
            one.add_argument("--dataset", default="", help="only on this dataset (with --task)")
            one.add_argument("--reason", required=True, help="why; it is kept")
        one.set_defaults(run=_rater)

    about = COMMANDS["item"]
    taken = verbs.add_parser("item", help=about).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    for what, about in _ITEMS.items():
        one = taken.add_parser(what, help=about, description=about)
        if what != "list":
            is_one = what == "correct"
            one.add_argument("study", metavar="STUDY", help="the study's name")
            one.add_argument("names", nargs=1 if is_one else "+", metavar="ITEM", help="by name")
            one.add_argument("--dataset", required=True, help="the dataset that has them")
            one.add_argument("--reason", required=True, help="why; it is kept")
        if what == "correct":
            one.add_argument(
                "--set",
                dest="cells",
                action="append",
                default=[],
                metavar="COLUMN=TEXT",
                help="a column and its new text; @FILE: the text of a file",
            )
            one.add_argument(
                "--change",
                required=True,
                choices=("typing", "meaning"),
                help="a typing error (judgments still count), or the meaning changed (they are"
                " asked for again)",
            )
            one.add_argument(
                "--dry-run", action="store_true", help="say what would become of the work on it"
            )
        one.set_defaults(run=_item)

    about = COMMANDS["imports"]
    undone = verbs.add_parser("imports", help=about, description=about).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    for what, about in _IMPORTS.items():
        one = undone.add_parser(what, help=about, description=about)
        if what == "undo":
            one.add_argument("entry", metavar="IMPORT", help="the import's id, as listed")
            one.add_argument("--reason", required=True, help="why; it is kept")
            one.add_argument("--dry-run", action="store_true", help="say what it would do")
        one.set_defaults(run=_imports)

    about = COMMANDS["codes"]
    codes = verbs.add_parser("codes", help=about, description=about).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    for what, about in _CODES.items():
        one = codes.add_parser(what, help=about, description=about)
        if what == "list":
            one.add_argument(
                "--all", action="store_true", help="everybody who came from a platform, too"
            )
        else:
            one.add_argument(
                "person", metavar="PERSON", help="by name, e-mail, handle or the platform's id"
            )
            one.add_argument("--task", default="", help="the round (default: where they wait)")
            one.add_argument("--dataset", default="", help="the round's dataset")
            one.add_argument("--reason", required=True, help="why; it is kept, they do not see it")
        one.set_defaults(run=_codes)

    told = verbs.add_parser("report", help=COMMANDS["report"])
    told.add_argument("study", choices=registry.STUDIES, metavar="STUDY", help="which study")
    told.add_argument(
        *("-o", "--output"),
        type=Path,
        metavar="FILE",
        required=True,
        help="FILE.html, FILE.pdf or FILE.docx",
    )
    told.add_argument("--force", action="store_true", help="replace FILE if it exists")
    told.add_argument("--dataset", default="", help="default: the newest that is not illustrative")
    told.set_defaults(run=_report)
    demo = verbs.add_parser("demo", help=COMMANDS["demo"])
    demo.add_argument("--if-new", action="store_true", help="only if there is no store yet")
    demo.add_argument("--remove", action="store_true", help="remove the demo completely")
    demo.add_argument(
        "--judgments-too", action="store_true", help="with --remove: also what your team judged"
    )
    demo.set_defaults(run=_demo)
    check_and_backup_commands.add_check_and_backup_commands(verbs)
    cli_moving.add_copy_and_restore_commands(verbs, _bar)
    about = COMMANDS["snapshot"]
    snapshot = verbs.add_parser(
        "snapshot",
        help=about,
        description="Compute the consensus and figures of all datasets for the SQL views of the"
        " store, and write the six views (docs/sql.md) to a DuckDB file, even while the app has"
        " the store open.",
    )
    snapshot.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="else only the store's views are updated"
    )
    snapshot.add_argument("--force", action="store_true", help="replace FILE if it exists")
    snapshot.add_argument("--anonymous", action="store_true", help="people as numbers")
    snapshot.set_defaults(run=_snapshot)
    serve = verbs.add_parser("serve", help=COMMANDS["serve"])
    serve.add_argument("--host", help="the address to listen on (default: 127.0.0.1)")
    serve.add_argument("--port", type=int, help="the port (default: 8501)")
    serve.add_argument("--open", action="store_true", help="open a browser")
    serve.set_defaults(run=serve_with)
    return parser


def _told(
    settings: Settings,
    verb: str,
    asked: Mapping[str, Any] | None = None,
    *,
    made_before: bool = True,
) -> dict[str, Any]:
    """What a job without files came to, wherever it was done."""
    job = {"verb": verb, **(asked or {})}
    outcome, folder = do_work_and_return_result_and_job_folder(
        settings,
        lambda store: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, settings, job, Path()
        ),
        job,
        made_before=made_before,
    )
    remove_job_folder(folder)
    return outcome


def _import(settings: Settings, options: argparse.Namespace) -> int:
    require_readable_file(options.file)
    if options.kind == store_zip_writing_and_reading.NAME:
        with contextlib.closing(open_configured_store(settings)) as store:
            print(work_behind_commands.read_store_zip_and_describe(store, options.file))
        return 0
    how = {
        "dataset": options.dataset,
        "label": options.name,
        "skip_bad": options.skip_bad,
        "dry_run": options.dry_run,
        "encoding": options.encoding,
        "sheet": options.sheet,
        "header": options.header,
        # Adding a study withdraws none of its items.
        **{name: getattr(options, name, "") for name in ("changed", "missing", "reason")},
    }
    # A study's file comes with its items, and neither is saved without the other.
    study_file = getattr(options, "study_file", None)
    with_study = {"study_file": study_file} if study_file else {}
    importing: Callable[..., work_behind_commands.Outcome] = (
        work_behind_commands.store_study_file_and_import_items
        if study_file
        else work_behind_commands.import_file
    )
    bad_rows = options.file.with_name(options.file.name + ".bad.csv")

    def here(store: Store) -> dict[str, Any]:
        with _bar(f"Reading {options.file.name}") as advance:
            done = importing(
                store,
                settings,
                options.kind,
                options.file,
                name=options.file.name,
                bad_rows=bad_rows if options.skip_bad else None,
                progress=advance,
                **with_study,
                **how,
            )
        return {"line": done.line, "notes": done.notes}

    job = {
        "verb": "import",
        "kind": options.kind,
        "file": options.file.name,
        "options": how | with_study | {"bad_rows": options.skip_bad},
    }
    outcome, folder = do_work_and_return_result_and_job_folder(
        *(settings, here, job),
        file=options.file,
        # Rows come one after another: a second thread of the store would take the reader's time.
        # Answers to EBMQA's questions come by the million, and are joined with these.
        briefly=not options.kind.startswith("ebmqa-"),
    )
    if folder is not None:
        for path in folder.glob("bad_rows*"):
            target = output_file.first_unused_path(bad_rows.with_suffix(path.suffix))
            with output_file.temporary_path_that_becomes_new_file(target) as part:
                shutil.copyfile(path, part)
            outcome["line"] = outcome["line"].replace(outcome["bad_rows"], str(target))
        shutil.rmtree(folder, ignore_errors=True)
    print(outcome["line"])
    for note in outcome["notes"]:
        print(f"  {note}")
    return 0


def _report(settings: Settings, options: argparse.Namespace) -> int:
    output_file.require_new_file(
        options.output, keep=paths_never_overwritten(settings), force=options.force
    )
    ending = options.output.suffix.lower().removeprefix(".")
    how = {"dataset": options.dataset, "form": "html" if ending == "htm" else ending}

    def here(store: Store) -> dict[str, Any]:
        return {
            "data": work_behind_commands.make_report_file_bytes_and_log_it(
                store, settings, options.study, **how
            )
        }

    job = {"verb": "report", "study": options.study, "options": how}
    outcome, folder = do_work_and_return_result_and_job_folder(
        settings, here, job, made_before=True
    )
    data = outcome["data"] if folder is None else (folder / "report").read_bytes()
    remove_job_folder(folder)
    with export_command.open_export_target(settings, options) as target:
        target.write(data)
    print(f"Wrote {options.output}.")
    return 0


_ROUNDS = {
    "list": "every task on every dataset: open to whom, closed, or not opened yet",
    "open": "open a round, to everyone or to named people",
    "close": "close a round: nothing new is handed out; people can finish what they have",
    "give": "assign an open round to these people only",
}


def _round(settings: Settings, options: argparse.Namespace) -> int:
    what = {
        "what": options.what,
        "task": getattr(options, "task", ""),
        "dataset": getattr(options, "dataset", ""),
        "people": getattr(options, "to", []),
    }
    print(_told(settings, "round", what)["line"] or "There is nothing to judge yet.")
    return 0


def _draw(settings: Settings, options: argparse.Namespace) -> int:
    asked = ("task", "dataset", "judge", "about", "answer", "figure", "within", "seed")
    what = {name: getattr(options, name) for name in asked}
    print(_told(settings, "draw", what)["line"])
    return 0


_RATERS = {
    "list": "whose work was excluded or returned, when, by whom and why",
    "exclude": "exclude a person's work: it stays in the store but does not count",
    "return": "return a person's work: it counts again",
}


def _rater(settings: Settings, options: argparse.Namespace) -> int:
    asked = ("what", "person", "task", "dataset", "reason")
    what = {name: getattr(options, name, "") for name in asked}
    print(_told(settings, "rater", what)["line"] or "Nobody's work has been excluded.")
    return 0


_ITEMS = {
    "list": "which items were withdrawn, restored or corrected, when, by whom and why",
    "withdraw": "withdraw items: nobody is given them, and no judgment of them counts",
    "restore": "put withdrawn items back in play: their judgments count again",
    "correct": "correct an item's text or columns: a new version, with a reason",
}


def _item(settings: Settings, options: argparse.Namespace) -> int:
    asked = {name: getattr(options, name, "") for name in ("what", "study", "dataset", "reason")}
    what = {**asked, "names": getattr(options, "names", [])}
    if options.what == "correct":
        cells = dict(_cell_given(given) for given in options.cells)
        what |= {"cells": cells, "change": options.change, "dry_run": options.dry_run}
    told = _told(settings, "item", what)["line"]
    print(told or "No item has been withdrawn or corrected.")
    return 0


def _cell_given(given: str) -> tuple[str, str]:
    """A column and its text from COLUMN=TEXT or COLUMN=@FILE.

    Raises:
        InvalidInput: it is neither, or there is no such file.
    """
    column, equals, text = given.partition("=")
    if not equals or not column.strip():
        raise InvalidInput(f"{given!r} is no column with a text.", hint="Write COLUMN=TEXT.")
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{text[1:]} cannot be read: {error}") from error
    return column.strip(), text


_IMPORTS = {
    "list": "which imports of items can be undone, with their ids",
    "undo": "undo an import: its items are removed, or withdrawn if anybody has worked on one",
}


def _imports(settings: Settings, options: argparse.Namespace) -> int:
    what = "foresee" if getattr(options, "dry_run", False) else options.what
    asked = {name: getattr(options, name, "") for name in ("entry", "reason")}
    told = _told(settings, "imports", {"what": what, **asked})["line"]
    print(told or "No import can be undone.")
    return 0


_CODES = {
    "list": "who waits for a lead, and what their code lacks",
    "give": "give a person the code",
    "refuse": "do not give it",
}


def _codes(settings: Settings, options: argparse.Namespace) -> int:
    asked = ("what", "person", "task", "dataset", "reason")
    what = {name: getattr(options, name, "") for name in asked}
    if getattr(options, "all", False):
        what["what"] = "all"
    print(_told(settings, "codes", what)["line"] or "Nobody waits for a completion code.")
    return 0


def _demo(settings: Settings, options: argparse.Namespace) -> int:
    if options.remove:
        asked = {"remove": True, "with_work": options.judgments_too}
        print(_told(settings, "demo", asked)["line"])
        return 0
    if options.if_new and settings.does_store_exist():
        return 0
    print(_told(settings, "demo", made_before=False)["line"])
    return 0


def _snapshot(settings: Settings, options: argparse.Namespace) -> int:
    target, keep = options.file, paths_never_overwritten(settings)
    if target is None and (options.anonymous or options.force):
        raise InvalidInput("Name the file to write.", hint="snapshot FILE.duckdb")
    if target is not None:
        output_file.require_new_file(target, keep=keep, force=options.force)
    job = {"verb": "snapshot", "anonymous": options.anonymous, "file": target is not None}

    def here(store: Store) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as name:
            outcome = work_behind_commands.run_inbox_job_and_return_result_as_dict(
                store, settings, job, Path(name)
            )
            if target is not None:
                _copy_new(Path(name) / "snapshot.duckdb", target, keep, force=options.force)
            return outcome

    outcome, folder = do_work_and_return_result_and_job_folder(
        settings, here, job, made_before=True
    )
    if folder is not None:
        try:
            if target is not None:
                _copy_new(folder / "snapshot.duckdb", target, keep, force=options.force)
        finally:
            remove_job_folder(folder)
    print(outcome["line"] if target is None else f"Wrote {target}: {outcome['line']}")
    return 0


def _copy_new(source: Path, target: Path, keep: tuple[Path, ...], *, force: bool) -> None:
    with output_file.temporary_path_that_becomes_new_file(target, keep=keep, force=force) as part:
        shutil.copyfile(source, part)


class _bar:
    """A progress bar on standard error; gives the function that advances it by rows."""

    def __init__(self, title: str) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} rows"),
            TimeElapsedColumn(),
            console=standard_error_console(),
            transient=True,
        )
        self._task = self._progress.add_task(title, total=None)
        self._rows = 0

    def __enter__(self) -> Callable[[int], object]:
        self._progress.start()
        return self._advance

    def _advance(self, rows: int) -> None:
        self._rows += rows
        # Drawing costs more than reading, so draw once every few hundred rows.
        if self._rows >= 500:
            self._progress.advance(self._task, self._rows)
            self._rows = 0

    def __exit__(self, *_: object) -> None:
        self._progress.advance(self._task, self._rows)
        self._progress.stop()
