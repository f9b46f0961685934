"""``python -m medlens rename``: another name for a study, dataset, round or run."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from medlens.cli.archive_and_delete_commands import (
    NAMED_BY,
    Told,
    add_name_arguments,
    list_words_of_name_arguments,
)
from medlens.cli.command_line_parser_and_help import COMMANDS
from medlens.config.settings import Settings


def add_rename_command(verbs: argparse._SubParsersAction, told: Told) -> None:  # type: ignore[type-arg]
    """Add the command ``rename``."""
    about = COMMANDS["rename"]
    renaming = verbs.add_parser("rename", help=about, description=about).add_subparsers(
        metavar="WHAT", dest="what", required=True
    )
    for what, (title, _) in NAMED_BY.items():
        if what == "demo":
            continue
        parser = renaming.add_parser(what, help=f"give {title} another name")
        add_name_arguments(parser, what)
        if what == "study":
            parser.add_argument("--title", default="", help="what it is called from now on")
            parser.add_argument(
                "--address",
                default="",
                metavar="ADDRESS",
                help="as links and commands call it",
            )
        else:
            parser.add_argument("called", metavar="NEW_NAME", help="its name from now on")
        parser.set_defaults(run=_renaming(told))


def _renaming(told: Told) -> Callable[[Settings, argparse.Namespace], int]:
    def run(settings: Settings, options: argparse.Namespace) -> int:
        asked = {
            "what": options.what,
            "names": list_words_of_name_arguments(options),
            "called": options.address if options.what == "study" else options.called,
            "title": getattr(options, "title", ""),
        }
        print(told(settings, "rename", asked)["line"])
        return 0

    return run
