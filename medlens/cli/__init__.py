"""``python -m medlens``: turns words into commands, nothing else."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from medlens import __version__

if TYPE_CHECKING:
    from medlens.config.settings import Settings

__all__ = ["main"]


def main(
    arguments: Sequence[str] | None = None,
    *,
    serve: Callable[[Settings, argparse.Namespace], int] | None = None,
) -> int:
    """Run one command; returns the exit code. ``serve`` serves the app and is passed in, because
    everything that draws is above the command line.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if list(given) == ["--version"]:
        # The commands take a second to import, and this asks for none of them.
        sys.stdout.write(f"MedLens {__version__}\n")
        return 0
    if list(given) in (["--help"], ["-h"]):
        from medlens.cli import command_line_parser_and_help

        command_line_parser_and_help.print_help()
        return 0
    from medlens.cli import check_and_backup_commands

    if (
        check_and_backup_commands.find_command_in_arguments(given)
        in check_and_backup_commands.NAMES
    ):
        return check_and_backup_commands.run_check_or_backup_and_return_exit_code(given)
    if check_and_backup_commands.find_command_in_arguments(given) == "export":
        from medlens.cli import export_command

        code = export_command.run_plain_export_and_find_exit_code(given)
        if code is not None:
            return code
    from medlens.cli import command_line

    return command_line.run_command_line_and_return_exit_code(given, serve=serve)
