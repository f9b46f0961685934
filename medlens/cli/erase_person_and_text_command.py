"""``python -m medlens erase``: a person or a text, with a preview and a word to confirm."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from medlens.app import work_behind_commands
from medlens.cli.command_line_parser_and_help import COMMANDS
from medlens.config.settings import Settings
from medlens.store import Store, output_file
from medlens.studies import registry

WithStore = Callable[..., tuple[dict[str, Any], Path | None]]


def add_erase_command(
    verbs: Any, with_store: WithStore, keep: Callable[[Settings], tuple[Path, ...]]
) -> None:
    """Add the command ``erase``; ``with_store`` does a job here or hands it to the app, ``keep``
    has the files that must not be replaced.
    """
    about = COMMANDS["erase"]
    what = verbs.add_parser("erase", help=about, description=about).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    about = "replace a person by a number, everywhere"
    person = what.add_parser("person", help=about, description=about)
    person.add_argument("person", metavar="NAME", help="the name, e-mail address or handle")
    person.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="NAME",
        help="what else remarks call them; repeat it for several",
    )
    person.add_argument(
        "--judgments-too", action="store_true", help="their judgments go too: figures change"
    )
    person.add_argument(
        "--confirm", default="", metavar="NAME", help="their name again, instead of typing it"
    )
    person.set_defaults(run=_confirming(with_store, _of_person))

    about = "write everything about a person to a zip file, for them"
    everything = what.add_parser("about", help=about, description=about)
    everything.add_argument("person", metavar="NAME", help="the name, e-mail address or handle")
    everything.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.zip")
    everything.add_argument("--force", action="store_true", help="replace FILE if it exists")
    everything.set_defaults(run=_about(with_store, keep))

    about = "destroy an item's texts and what repeats them; labels and figures stay"
    text = what.add_parser("text", help=about, description=about)
    text.add_argument("study", choices=list(registry.STUDIES), metavar="STUDY", help="its study")
    text.add_argument(
        "item",
        metavar="ITEM",
        help="the item's name; in SourceCheckup also 'statement NAME', 'response NAME' or a page's"
        " address",
    )
    text.add_argument("--dataset", default="", help="where several datasets have such an item")
    text.add_argument(
        "--confirm", default="", metavar="ITEM", help="the item's name again, instead of typing it"
    )
    text.set_defaults(run=_confirming(with_store, _of_text))

    about = "list what has these words in its texts, by the name under which it can be erased"
    find = what.add_parser("find", help=about, description=about)
    find.add_argument("study", choices=list(registry.STUDIES), metavar="STUDY", help="its study")
    find.add_argument("words", metavar="WORDS", help="words from the text")
    find.add_argument("--dataset", default="", help="only in this dataset")
    find.set_defaults(run=_finding(with_store))


def _of_person(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "what": "person",
        "person": options.person,
        "also": options.also,
        "with_work": options.judgments_too,
    }


def _of_text(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "what": "text",
        "study": options.study,
        "item": options.item,
        "dataset": options.dataset,
    }


def _finding(with_store: WithStore) -> Callable[[Settings, argparse.Namespace], int]:
    def run(settings: Settings, options: argparse.Namespace) -> int:
        asked = {
            "what": "find",
            "study": options.study,
            "words": options.words,
            "dataset": options.dataset,
        }
        print(_done(with_store, settings, asked))
        return 0

    return run


def _confirming(
    with_store: WithStore, asked_of: Callable[[argparse.Namespace], dict[str, Any]]
) -> Callable[[Settings, argparse.Namespace], int]:
    def run(settings: Settings, options: argparse.Namespace) -> int:
        asked = asked_of(options)
        confirmed = options.confirm
        if not confirmed:
            print(_done(with_store, settings, {**asked, "confirmed": ""}))
            if not sys.stdin.isatty():
                print("Nothing was changed: repeat the command with --confirm and the name.")
                return 0
            confirmed = input("Type the name to erase it for good: ")
        print(_done(with_store, settings, {**asked, "confirmed": confirmed}))
        return 0

    return run


def _done(with_store: WithStore, settings: Settings, asked: Mapping[str, Any]) -> str:
    """Preview where nothing is confirmed, else erase; in lines."""

    def here(store: Store) -> Mapping[str, Any]:
        return work_behind_commands.run_erase_command_and_return_report_dict(store, settings, asked)

    outcome, folder = with_store(settings, here, {"verb": "erase", **asked}, made_before=True)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    return str(outcome["line"])


def _about(
    with_store: WithStore, keep: Callable[[Settings], tuple[Path, ...]]
) -> Callable[[Settings, argparse.Namespace], int]:
    def run(settings: Settings, options: argparse.Namespace) -> int:
        output_file.require_new_file(options.output, keep=keep(settings), force=options.force)
        asked = {"what": "about", "person": options.person}

        def here(store: Store) -> Mapping[str, Any]:
            return work_behind_commands.run_erase_command_and_return_report_dict(
                store, settings, asked, target=options.output
            )

        outcome, folder = with_store(settings, here, {"verb": "erase", **asked}, made_before=True)
        if folder is not None:
            try:
                with output_file.temporary_path_that_becomes_new_file(
                    options.output, keep=keep(settings), force=options.force
                ) as part:
                    shutil.copyfile(folder / "about.zip", part)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        print(f"Wrote {outcome['line'].rstrip('.')} to {options.output}.")
        return 0

    return run
