"""``python -m medlens study …``: your own study, from a template to the running study."""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from medlens.app import work_behind_commands
from medlens.app.file_intake import reader_client
from medlens.cli.command_line_parser_and_help import COMMANDS
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.store import Store, output_file
from medlens.studies.own import (
    expected_precision_and_time_of_study,
    study_file,
)
from medlens.studies.own.attached_files import LARGEST, is_image_or_pdf
from medlens.studies.own.bridge_registry import TOOLS
from medlens.studies.own.find_and_replace_patient_identifiers import list_identifiers_found_in_words
from medlens.studies.own.item_and_judgment_import_and_export import LEAD_OF_IDENTIFIERS
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    flatten_nested_cells_of_rows,
    words_for_totals_by_row_number,
)
from medlens.studies.own.model_giveaways import giveaway_with_rows_in_words
from medlens.studies.own.study import attached_files_of_study
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.study_file_from_table.column_roles_from_cells import ROLES
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    models_named_in_column_in_words,
)
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    title_from_file,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    left_out_sum_rows_in_words,
)
from medlens.studies.own.study_proposal import (
    Proposal,
    propose_study,
    refuse_data_dictionary,
    require_unique_headings,
    rows_checked_for_identifiers_in_words,
)
from medlens.tables import require_readable_file

_WHAT = {
    "templates": "list the templates that a study can begin with",
    "new": "write a study's file from a template, to be changed as you need",
    "look": "say what each column of a table seems to be, and change nothing",
    "from-table": "write a study's file from a table, as Make a study does",
    "check": "say what a study's file declares, or which line is wrong",
    "add": "put a study and its items into the store, or a new version of it",
}

WithStore = Callable[..., tuple[dict[str, Any], Path | None]]


def add_study_command(
    verbs: Any,
    with_store: WithStore,
    import_items: Callable[[Settings, argparse.Namespace], int],
) -> None:
    """Add the command ``study``. ``with_store`` does work here or in the app that has the store
    open; ``import_items`` imports a file.
    """
    named = verbs.add_parser("study", help=COMMANDS["study"]).add_subparsers(
        metavar="WHAT", required=True
    )
    about = "give a study of your own another title; for another address, see rename study"
    renaming = named.add_parser("rename", help=about, description=about)
    renaming.add_argument("name", metavar="NAME", help="the study's name, as in its address")
    renaming.add_argument("title", metavar="TITLE", help="what it is called from now on")

    def rename(settings: Settings, options: argparse.Namespace) -> int:
        job = {
            "verb": "rename",
            "what": "study",
            "names": [options.name],
            "called": "",
            "title": options.title,
        }

        def here(store: Store) -> Mapping[str, Any]:
            return work_behind_commands.run_inbox_job_and_return_result_as_dict(
                store, settings, job, Path()
            )

        outcome, folder = with_store(settings, here, job, made_before=True)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        print(outcome["line"])
        return 0

    renaming.set_defaults(run=rename)
    from_tools = {
        f"from-{name}": f"write a study's file, items and judgments from {tool.thing}"
        for name, tool in TOOLS.items()
    }
    parsers = {
        what: named.add_parser(what, help=it, description=it)
        for what, it in (_WHAT | from_tools).items()
    }
    parsers["templates"].set_defaults(run=_templates)
    new = parsers["new"]
    new.add_argument("template", metavar="TEMPLATE", help="as templates lists them")
    new.add_argument("-o", "--output", type=Path, metavar="FILE", default=Path("STUDY.toml"))
    new.add_argument("--demo", action="store_true", help="also write illustrative items beside it")
    new.add_argument("--force", action="store_true", help="replace FILE if it exists")
    new.set_defaults(run=_new)
    for name, tool in TOOLS.items():
        foreign = parsers[f"from-{name}"]
        for part in tool.parts:
            many = {"nargs": "+"} if part.several else {}
            foreign.add_argument(part.name, type=Path, help=part.is_, **many)
        foreign.add_argument("-o", "--output", type=Path, metavar="DIR", required=True)
        foreign.add_argument("--title", default="", help="by default as the last file is called")
        foreign.add_argument("--force", action="store_true", help="replace files that exist")
        foreign.add_argument(
            "--skip-bad",
            action="store_true",
            help="leave out rows that are refused when they are added, too; what cannot be read of"
            " the project itself is always left out and listed",
        )
        foreign.set_defaults(run=partial(_from_tool, name))
    for what in ("check", "add"):
        parsers[what].add_argument("file", type=Path, metavar="STUDY.toml")
    parsers["check"].set_defaults(run=_check)
    add = parsers["add"]
    add.add_argument("--items", type=Path, metavar="FILE", help="CSV, JSON lines, JSON or Parquet")
    add.add_argument("--skip-bad", action="store_true", help="leave out rows that are refused")
    add_arguments_for_place_of_table(add)
    add_encoding_argument(add)
    look, made = parsers["look"], parsers["from-table"]
    for one in (look, made):
        one.add_argument(
            "files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="CSV, Excel, JSON or Parquet; several with the same cases, one for each model, are"
            " joined and compared",
        )
        one.add_argument(
            "--answer-of",
            action="append",
            default=[],
            metavar="COLUMN=MODEL",
            help="the column has this model's answers; once for each model",
        )
        add_arguments_for_place_of_table(one)
        add_encoding_argument(one)
        one.add_argument("--template", help="ask its questions, as templates lists them")
        one.add_argument("--title", default="", help="of the study; by default the file's name")
        one.add_argument(
            "--keep-sums",
            action="store_true",
            help="rows of sums or means at the table's end are items too",
        )
        one.add_argument(
            "--without-nearly-empty",
            action="store_true",
            help="leave out rows with at most one cell that reviewers see",
        )
        one.add_argument(
            "--leave-out-rows",
            type=_row_numbers,
            default=[],
            metavar="ROWS",
            help="rows that are not items, such as 4,7, counted from 1 below the headings",
        )
        one.add_argument(
            "--identifiers",
            choices=["replace", "leave-out", "keep"],
            help="what becomes of what may identify a patient (numbers, telephone, e-mail, dates of"
            " birth, addresses, names beside titles)",
        )
    look.set_defaults(run=_look)
    made.add_argument("-o", "--output", type=Path, metavar="STUDY.toml")
    made.add_argument("--force", action="store_true", help="replace STUDY.toml if it exists")
    made.add_argument("--add", action="store_true", help="add the study and its items at once")
    made.add_argument("--skip-bad", action="store_true", help="leave out rows that are refused")
    made.add_argument(
        "--mask",
        action="store_true",
        help="show reviewers bars in place of models' names in what they see",
    )
    made.add_argument(
        "--unblinded",
        action="store_true",
        help="with --add: add it although reviewers could tell which model wrote an answer",
    )
    for one in (add, made):
        into = one.add_mutually_exclusive_group()
        into.add_argument(
            "--more-items",
            dest="into",
            action="store_const",
            const="more-items",
            default="",
            help="if there is a study of this name: add the items to it, and keep its file",
        )
        into.add_argument(
            "--new-version",
            dest="into",
            action="store_const",
            const="new-version",
            help="if there is a study of this name: make this file its next version",
        )
        one.add_argument(
            "--changed",
            default="",
            choices=("leave", "typing", "meaning"),
            help="items that the study has with other contents: leave them as they are, or correct"
            " them as a typing error or as a changed meaning; by default the items are refused",
        )
        one.add_argument("--reason", default="", help="with --changed: why items are corrected")

    def from_table(settings: Settings, options: argparse.Namespace) -> int:
        with _one_table(settings, options) as notes:
            return _from_table(settings, options, with_store, import_items, notes)

    made.set_defaults(run=from_table)

    def adding(settings: Settings, options: argparse.Namespace) -> int:
        return _add(settings, options, with_store, import_items)

    add.set_defaults(run=adding)


def add_arguments_for_place_of_table(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where in a file the table is."""
    parser.add_argument("--sheet", default="", help="of a workbook; by default it is guessed")
    parser.add_argument(
        "--header",
        type=_row_number,
        default=0,
        metavar="ROW",
        help="the row of the headings, from 1; by default it is guessed",
    )


def add_encoding_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that says what a text file is written in."""
    parser.add_argument(
        "--encoding",
        default="",
        metavar="NAME",
        help="of the table, such as cp1251 or mac_roman; by default it is guessed, and you are "
        "told",
    )


_OTHER_CONTENTS = (
    "Are they answers of another model? Give all files together to study from-table, with another"
    " --title: the study compares the models. Otherwise say what to do:"
    " --changed leave keeps the items as they are, --changed typing or --changed meaning corrects"
    " them (with --reason)."
)
"""What to do about items that a study has with other contents."""


def _row_number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("rows are counted from 1")
    return int(text)


def _templates(_settings: Settings, _options: argparse.Namespace) -> int:
    for name, one in study_file.load_templates_by_name().items():
        print(f"{name:<16}{one.form.title}\n{'':<16}Source: {one.source}")
    return 0


def _new(_settings: Settings, options: argparse.Namespace) -> int:
    source = study_file.path_of_template(options.template)
    wanted = [(source, options.output)]
    beside = options.output.with_name(f"{options.output.stem}-items.csv")
    if options.demo:
        wanted.append((source.with_suffix(".csv"), beside))
    for _, path in wanted:
        output_file.require_new_file(path, force=options.force)
    for original, path in wanted:
        with output_file.temporary_path_that_becomes_new_file(path, force=options.force) as part:
            shutil.copyfile(original, part)
        print(f"Wrote {path}.")
    items = beside if options.demo else "ITEMS.csv"
    print(f"  python -m medlens study add {options.output} --items {items}")
    return 0


def _from_tool(tool: str, settings: Settings, options: argparse.Namespace) -> int:
    given = [getattr(options, part.name) for part in TOOLS[tool].parts]
    parts = [path for one in given for path in (one if isinstance(one, list) else [one])]
    title = options.title or TOOLS[tool].title(parts[-1].stem)
    found = reader_client.convert_foreign_project(settings, tool, title, parts)
    files = {
        options.output / "STUDY.toml": io.BytesIO(found.study.encode()),
        options.output / "items.jsonl": found.items,
        options.output / "judgments.jsonl": found.judgments,
    }
    options.output.mkdir(parents=True, exist_ok=True)
    for path in files:
        output_file.require_new_file(path, force=options.force)
    study, items, judgments = files
    if not found.counts["items"]:
        # A form alone has nothing to be judged yet.
        files = {study: files[study]}
    for path, made in files.items():
        with (
            output_file.temporary_path_that_becomes_new_file(path, force=options.force) as part,
            made,
            part.open("wb") as file,
        ):
            shutil.copyfileobj(made, file)
        print(f"Wrote {path}.")
    for note in found.notes:
        print(f"  {note}")
    name = study_file.parse_study_file(found.study).study_id
    skip = " --skip-bad" * options.skip_bad
    if not found.counts["items"]:
        print(f"  python -m medlens study check {study}")
        print(f"  python -m medlens study add {study} --items ITEMS.csv{skip}")
        return 0
    print(f"  python -m medlens study add {study} --items {items}{skip}")
    print(f"  python -m medlens import own-judgments {judgments} --dataset {name}{skip}")
    return 0


def _row_numbers(given: str) -> list[int]:
    """The rows of ``--leave-out-rows``, such as "4,7"."""
    if not re.fullmatch(r"\s*\d+\s*(,\s*\d+\s*)*", given):
        raise argparse.ArgumentTypeError(f"{given!r} names no rows: write them as 4,7")
    return [int(one) for one in given.split(",")]


@contextlib.contextmanager
def _one_table(settings: Settings, options: argparse.Namespace) -> Iterator[list[str]]:
    """Make several files one table, ``options.file``; yields what to tell of it."""
    options.file, options.joined = options.files[0], len(options.files) > 1
    options.attached = []
    if not options.joined:
        with _table_of_zip(settings, options) as notes:
            yield notes
        return
    for file in options.files:
        require_readable_file(file)
    found = reader_client.join_model_tables_in_reader_process(
        settings,
        [(file, file.name) for file in options.files],
        sheet=options.sheet,
        header=options.header,
        encoding=options.encoding,
    )
    # They are said of the files, not of the table that these come to.
    options.sheet, options.header, options.encoding = "", 0, ""
    with tempfile.TemporaryDirectory() as folder, found.rows as rows:
        called = re.sub(r"[^\w.-]+", "_", found.called) or "joined"
        options.file = Path(folder) / f"{called}.jsonl"
        with options.file.open("wb") as file:
            shutil.copyfileobj(rows, file)
        yield list(found.notes)


_TABLES = (
    *(".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".xls", ".ods", ".parquet"),
    *(".json", ".jsonl", ".ndjson"),
)
_LOCK_OF_OFFICE = "~$"
"""How the file begins that Excel keeps beside one that is open."""


@contextlib.contextmanager
def _table_of_zip(settings: Settings, options: argparse.Namespace) -> Iterator[list[str]]:
    """Take the one table out of a zip as ``options.file``, and its images and PDFs as
    ``options.attached``; yields what to tell of it. Any other file stays as it is.

    Raises:
        BadFile: the zip has no table, or several.
        InvalidInput: it is damaged, or has too many or too large files.
    """
    zipped = options.file
    if zipped.suffix.casefold() != ".zip" or not zipped.is_file():
        yield []
        return
    with tempfile.TemporaryDirectory() as kept:
        tables: list[Path] = []
        others: list[str] = []

        def keep(name: str, content: bytes) -> None:
            called = re.split(r"[/\\]", name)[-1]
            is_table = called.casefold().endswith(_TABLES) and not called.startswith(
                _LOCK_OF_OFFICE
            )
            # Two folders may have files of one name.
            folder = Path(kept) / str(len(tables) + len(options.attached) + len(others))
            folder.mkdir()
            path = folder / (re.sub(r"[\x00-\x1f]", "_", called)[:120] or "file")
            path.write_bytes(content)
            if is_table:
                tables.append(path)
            elif is_image_or_pdf(path):
                options.attached.append(path)
            else:
                others.append(called)

        failed = reader_client.pass_on_files_of_upload_and_list_failures(
            settings, zipped, zipped.name, keep
        )
        texts = [path for path in tables if path.suffix.casefold() == ".txt"]
        if len(tables) > 1 and len(tables) - len(texts) == 1:
            # A note such as README.txt, if there is a table that can be nothing else.
            tables = [path for path in tables if path not in texts]
        else:
            texts = []
        if len(tables) != 1:
            named = ", ".join(path.name for path in tables[:_NAMED_TABLES])
            raise BadFile(
                f"{zipped.name} has {len(tables)} tables: {named}."
                if tables
                else f"{zipped.name} has no table in it.",
                hint="Pack one table (CSV, Excel, OpenDocument, JSON or Parquet) with its images"
                " and PDFs; or give several tables with the answers of a model each unpacked.",
            )
        if any(path.stat().st_size > LARGEST for path in tables):
            raise BadFile(
                f"{tables[0].name} in {zipped.name} is larger than 20 MB.",
                hint="Give the table by itself, and its files on the study's page.",
            )
        options.file = tables[0]
        notes = [f"{zipped.name}: read is {tables[0].name}{_files_beside(len(options.attached))}."]
        if texts:
            named = ", ".join(path.name for path in texts[:_NAMED_TABLES])
            are = "is taken for a note" if len(texts) == 1 else "are taken for notes"
            notes.append(f"{zipped.name}: {named} {are} beside the table, and left out.")
        if others:
            is_ = "is neither a table nor an image or PDF, and is" if len(others) == 1 else "are"
            notes.append(f"{zipped.name}: {', '.join(others[:_NAMED_TABLES])} {is_} left out.")
        yield [*notes, *failed]


def _files_beside(count: int) -> str:
    return f", with {_count(count, 'image or PDF' if count == 1 else 'file')}" if count else ""


_NAMED_TABLES = 5


def _attach_files(settings: Settings, study: str, files: Sequence[Path]) -> list[str]:
    """Keep files for a study, by their names; those that were not there yet are returned.

    Raises:
        InvalidInput: one cannot be kept, of which none is then.
    """
    attached = attached_files_of_study(settings, study)
    new: list[str] = []
    try:
        for file in files:
            if attached.add_file_and_say_if_new(file.name, file.read_bytes(), by=None):
                new.append(file.name)
    except BaseException:
        _detach_files(settings, study, new)
        raise
    return new


def _detach_files(settings: Settings, study: str, names: Sequence[str]) -> None:
    attached = attached_files_of_study(settings, study)
    for name in names:
        if path := attached.find_path_of_named_file(name):
            path.unlink(missing_ok=True)


def _proposed(
    settings: Settings, options: argparse.Namespace, notes: Sequence[str] = ()
) -> Proposal:
    """The study proposed for a table, after printing what was guessed, told and checked; ``notes``
    are told before that.
    """
    require_readable_file(options.file)
    seen = reader_client.read_file_description_in_reader_process(
        *(settings, options.file, options.file.name),
        sheet=options.sheet,
        header=options.header,
        encoding=options.encoding,
        identifiers=True,
    )
    if seen.unread:
        raise BadFile(f"No row of this file can be read. {seen.unread}")
    require_unique_headings(seen.columns)
    refuse_data_dictionary(seen.columns)
    if not seen.rows:
        raise BadFile(f"{options.file.name} has no rows.")
    answers_of = {}
    for given in options.answer_of:
        column, sign, model = given.rpartition("=")
        if not sign or not column.strip() or not model.strip():
            raise InvalidInput(
                f"--answer-of {given!r} names no column and model.",
                hint='Write it as --answer-of "COLUMN=MODEL".',
            )
        answers_of[column.strip()] = model.strip()
    title = options.title or title_from_file(options.file.stem)
    found = propose_study(
        seen.rows,
        title=title,
        template=options.template,
        answers_of=answers_of,
        more=seen.more,
        mask=getattr(options, "mask", False),
        keep_sums=options.keep_sums,
        without_nearly_empty=options.without_nearly_empty,
        leave_out_rows=options.leave_out_rows,
        identifiers=(options.identifiers or "").replace("-", "_"),
        beyond=seen.identifying,
        naming=seen.naming,
        survey_questions=seen.layout.questions,
    )
    rows = f"{'first ' * seen.more}{_count(len(seen.rows), 'row')}"
    print(f"{options.file.name}: what each column is, guessed from its {rows}.")
    # A heading may have lines of its own.
    headings = [" ".join(one.name.split()) for one in found.columns]
    width = max(map(len, headings))
    for one, heading in zip(found.columns, headings, strict=True):
        differs = "; differs by model" * one.by_arm
        print(f"  {heading:<{min(width, 40)}}  {ROLES[one.role]}{differs}")
    looked = found.looked
    flat = flatten_nested_cells_of_rows(seen.rows)
    telling = [giveaway_with_rows_in_words(one, found.declared, flat) for one in looked.telling]
    sums = words_for_totals_by_row_number(flat)
    if sums and not options.keep_sums:
        told_of_sums = [f"{left_out_sum_rows_in_words(sums)} left out; --keep-sums keeps it."]
    else:
        told_of_sums = []
    telling += [
        "After the first rows, reviewers can tell which model wrote this:"
        f" {models_named_in_column_in_words(one)}."
        for one in found.naming_behind
    ]
    told = [*notes, *seen.notes, *told_of_sums, *found.told, *looked.notes, *telling]
    for line in told:
        print(f"  Note: {' '.join(line.split())}")
    _print_identifiers(found, seen)
    for fault in looked.faults:
        print(f"  Refused: {fault}")
    arms = found.declared.arms
    compared = ""
    if arms:
        names = ", ".join(arms.names)
        compared = f" of {_count(len(arms.names), 'model')}: {names}"
        if found.by_position:
            compared = f" with {_count(len(arms.names), 'answer')} each, by position: {names}"
    in_first = " in the first rows" * seen.more
    print(f"  {_count(len(looked.items), 'item')}{compared}{in_first}.")
    return found


def _print_identifiers(found: Proposal, seen: reader_client.FileDescription) -> None:
    """What may identify a patient, by column and row."""
    if not found.identifying:
        if seen.more:
            print(f"  Note: {rows_checked_for_identifiers_in_words(seen.looked_at)}")
        return
    print(f"  {LEAD_OF_IDENTIFIERS} --identifiers replace, leave-out or keep decides:")
    for line in list_identifiers_found_in_words(found.identifying):
        print(f"    {line}")
    if seen.identifying_more:
        least = "at least " * seen.identifying_stopped
        print(f"    And {least}{seen.identifying_more:,} more.")


def _look(settings: Settings, options: argparse.Namespace) -> int:
    with _one_table(settings, options) as notes:
        _proposed(settings, options, notes)
    return 0


def _from_table(
    settings: Settings,
    options: argparse.Namespace,
    with_store: WithStore,
    import_items: Callable[[Settings, argparse.Namespace], int],
    notes: Sequence[str],
) -> int:
    if not options.output and not options.add:
        raise InvalidInput(
            "Say where the study's file should go: -o STUDY.toml.",
            hint="Or add the study at once with --add. study look FILE only looks.",
        )
    items = options.file
    if options.output:
        output_file.require_new_file(options.output, force=options.force)
        if items != options.files[0] and not options.add:
            ending = options.file.suffix or ".csv"
            items = options.output.with_name(f"{options.output.stem}-items{ending}")
            output_file.require_new_file(items, force=options.force)
    found = _proposed(settings, options, notes)
    tells = found.looked.telling or found.naming_behind
    if options.add and tells and not options.unblinded:
        raise InvalidInput(
            "Not added: reviewers could tell which model wrote an answer, as noted above.",
            hint="--mask shows them bars in place of the names; headings stay until you change them"
            " in the table, or name two answers or more (--answer-of)."
            " --unblinded adds it all the same.",
        )
    if options.add and found.identifying and not options.identifiers:
        raise InvalidInput(
            "Not added: some cells may identify a patient, as listed above.",
            hint="--identifiers replace, leave-out or keep says what becomes of them.",
        )
    if options.identifiers == "leave-out" and not found.looked.items and not found.looked.faults:
        raise InvalidInput(
            "Every row has a cell that may identify a patient, so nothing would be left.",
            hint="--identifiers replace writes what it is in its place; or delete the column.",
        )
    if options.output:
        with output_file.temporary_path_that_becomes_new_file(
            options.output, force=options.force
        ) as part:
            part.write_text(found.text, encoding="utf-8")
        print(f"Wrote {options.output}.")
        if not options.add:
            if items != options.file:
                with output_file.temporary_path_that_becomes_new_file(
                    items, force=options.force
                ) as part:
                    shutil.copyfile(options.file, part)
                print(f"Wrote {items}.")
            chosen = [f"--sheet {shlex.quote(options.sheet)}"] * bool(options.sheet)
            chosen += [f"--header {options.header}"] * bool(options.header)
            chosen += [f"--encoding {shlex.quote(options.encoding)}"] * bool(options.encoding)
            how = "".join(f" {one}" for one in chosen)
            if options.attached:
                print(
                    f"  The {_count(len(options.attached), 'file')} of the zip can be kept with the"
                    " study on its page, or at once with --add."
                )
            print(f"  python -m medlens study add {options.output} --items {items}{how}")
            return 0
    options.items = options.file
    study = found.declared.study_id
    # Items are refused if a file that they name is not there.
    new = _attach_files(settings, study, options.attached)
    try:
        return _add_text(settings, options, found.text, "STUDY.toml", with_store, import_items)
    except BaseException:
        _detach_files(settings, study, new)
        raise


def _read(path: Path) -> tuple[str, StudyDeclaration]:
    require_readable_file(path)
    return study_file.read_study_file_text_and_declaration(path)


def _check(_settings: Settings, options: argparse.Namespace) -> int:
    _, one = _read(options.file)
    needed = [one.item, *(column.name for column in one.columns if column.required)]
    if one.arms:
        wide = [column for of in one.arms.wide.values() for column in of.values()]
        own = one.arms.own if wide else ()
        needed = [*(name for name in needed if name not in own), *(wide or [one.arms.column])]
    asked = len(one.questions_listed_without_item(one.form)) + (one.spans is not None)
    print(f"{options.file} is in order: {one.form.title} ({one.study_id}).")
    print(f"  Each {one.thing}: {_count(len(one.panes), 'pane')}, {_count(asked, 'question')}.")
    if one.criteria_column:
        print(f"  Each {one.thing} has criteria of its own, in the column {one.criteria_column}.")
    print(f"  The items file must have the columns: {', '.join(needed)}.")
    _warn(one)
    print(f"  {expected_precision_and_time_of_study.WORDS}")
    for what, table in expected_precision_and_time_of_study.expected_half_width_tables_by_figure(
        one
    ).items():
        print(f"\nOf {what}:\n{table.to_string()}")
    return 0


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _warn(one: StudyDeclaration) -> None:
    for said in one.repeated_wordings_in_sentences:
        print(f"  Warning: {said}")


def _add(
    settings: Settings,
    options: argparse.Namespace,
    with_store: WithStore,
    import_items: Callable[[Settings, argparse.Namespace], int],
) -> int:
    text, _ = _read(options.file)
    return _add_text(settings, options, text, options.file.name, with_store, import_items)


def _add_text(
    settings: Settings,
    options: argparse.Namespace,
    text: str,
    name: str,
    with_store: WithStore,
    import_items: Callable[[Settings, argparse.Namespace], int],
) -> int:
    """Add a study from its text, called ``name``, and its items if there are some."""
    one = study_file.parse_study_file(text, name)
    if options.items and options.into != "more-items":
        require_readable_file(options.items)
        work_behind_commands.check_study_file_in_temporary_store(
            *(settings, text, name, options.items),
            skip_bad=options.skip_bad,
            sheet=options.sheet,
            header=options.header,
            encoding=options.encoding,
        )
    _warn(one)

    of_study = {"text": text, "name": name, "into": options.into}

    def here(store: Store) -> Mapping[str, Any]:
        return {
            "line": work_behind_commands.declare_study_and_return_report_text(store, **of_study)
        }

    if not options.items:
        outcome, folder = with_store(settings, here, {"verb": "study", **of_study})
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        print(outcome["line"])
        return 0
    options.study_file = of_study
    options.kind, options.file, options.dataset = "own-items", options.items, one.study_id
    options.name = ""
    options.dry_run = False
    try:
        return import_items(settings, options)
    except InvalidInput as error:
        if "--changed" not in error.hint:
            raise
        raise InvalidInput(error.message, hint=_OTHER_CONTENTS) from error
