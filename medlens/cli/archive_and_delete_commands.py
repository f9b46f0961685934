"""``python -m medlens archive`` and ``delete``: what is put away, brought back or deleted."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Any

from medlens.cli.command_line_parser_and_help import COMMANDS
from medlens.config.settings import Settings

Told = Callable[..., dict[str, Any]]
"""What a job without files came to: settings, verb and what is asked."""

NAMED_BY: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "study": ("a study of your own", ("NAME",)),
    "dataset": ("a dataset of a study", ("STUDY", "DATASET")),
    "round": ("a task on a dataset", ("TASK", "DATASET")),
    "run": ("a run of models", ("RUN",)),
    "demo": ("the illustrative demo", ()),
}
"""What can be archived: what it is, and the words that name it."""


def add_archive_command(verbs: Any, told: Told) -> None:
    """Add the command ``archive``."""
    about = COMMANDS["archive"]
    away = verbs.add_parser("archive", help=about, description=about).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    listing = away.add_parser("list", help="what is archived, when, by whom and why")
    listing.set_defaults(run=_running(told))
    for what, (title, _) in NAMED_BY.items():
        parser = away.add_parser(what, help=f"put {title} away")
        add_name_arguments(parser, what)
        parser.add_argument("--reason", default="", help="why; it is kept")
        parser.add_argument("--back", action="store_true", help="bring it back")
        parser.set_defaults(run=_running(told))


def add_name_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the arguments that name a thing of this kind."""
    for word in NAMED_BY[what][1]:
        parser.add_argument(f"name_{word.lower()}", metavar=word)


def list_words_of_name_arguments(options: argparse.Namespace) -> list[str]:
    """The words that name the thing, in order."""
    words = NAMED_BY[options.what][1] if options.what in NAMED_BY else ()
    return [getattr(options, f"name_{word.lower()}") for word in words]


def _running(told: Told) -> Callable[[Settings, argparse.Namespace], int]:
    def run(settings: Settings, options: argparse.Namespace) -> int:
        asked = {
            "what": options.what,
            "names": list_words_of_name_arguments(options),
            "reason": getattr(options, "reason", ""),
            "back": getattr(options, "back", False),
        }
        print(told(settings, "archive", asked)["line"] or "Nothing is archived.")
        return 0

    return run


def add_delete_command(verbs: Any, told: Told) -> None:
    """Add the command ``delete``."""
    about = COMMANDS["delete"]
    what = verbs.add_parser("delete", help=about, description=about).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    for kind, (title, _) in NAMED_BY.items():
        if kind != "demo":
            parser = what.add_parser(kind, help=f"delete {title} for good")
            add_name_arguments(parser, kind)
            parser.add_argument(
                "--confirm", default="", metavar="NAME", help="instead of typing it"
            )
            parser.set_defaults(run=_deleting(told))


def _deleting(told: Told) -> Callable[[Settings, argparse.Namespace], int]:
    def run(settings: Settings, options: argparse.Namespace) -> int:
        asked = {"what": options.what, "names": list_words_of_name_arguments(options)}
        confirmed = options.confirm
        if not confirmed:
            print(told(settings, "delete", {**asked, "confirmed": ""})["line"])
            if not sys.stdin.isatty():
                print("Nothing was deleted: repeat the command with --confirm and the name.")
                return 0
            confirmed = input("Type the name to delete it for good: ")
        print(told(settings, "delete", {**asked, "confirmed": confirmed})["line"])
        return 0

    return run
