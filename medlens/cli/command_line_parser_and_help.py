"""The command line at a glance: its commands in a line each, without importing what they need."""

from __future__ import annotations

import argparse
from importlib import metadata
from typing import Any

from medlens import __version__

COMMANDS = {
    "import": "import a file",
    "export": "write a table",
    "run": "run a study's model pipelines",
    "fetch": "download a study's published files",
    "study": "make a study of your own",
    "erase": "erase a person or a text from every table and file of the store",
    "archive": "put a study, dataset, round, run or the demo away, or bring it back",
    "delete": "delete for good what is archived, with its files",
    "rename": "give a study, dataset, round or run another name",
    "round": "list, open, close and assign rounds",
    "draw": "draw the items whose judgment tells most of a model, and hand them out",
    "rater": "list, exclude and return raters' work",
    "item": "list, withdraw, restore and correct items",
    "imports": "list imports of items, and undo them",
    "codes": "list who waits for a completion code, and decide about them",
    "report": "write a study's report as HTML, PDF or Word",
    "demo": "add the illustrative demo studies, or remove them",
    "check": "check that the store is sound",
    "backup": "copy the store, even while the app has it open",
    "copy": "copy a whole store into an empty one, a DuckDB file or PostgreSQL",
    "restore": "restore a backup into a new store, and check that",
    "snapshot": "write items, judgments, consensus and figures to a DuckDB file for SQL",
    "serve": "serve the app (http://localhost:8501)",
}
"""The commands in the order of the help, and what each does."""


def make_parser_and_group_for_commands(
    installed: str, kind: type[argparse.ArgumentParser] = argparse.ArgumentParser
) -> tuple[argparse.ArgumentParser, Any]:
    """The parser, of this class, without its commands, and the group to which they are added;
    ``installed`` is said below them.
    """
    parser = kind(
        prog="python -m medlens",
        description="A workbench where clinicians check what language models say about medicine.",
        epilog=installed,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"MedLens {__version__}")
    parser.add_argument(
        "--store",
        metavar="STORE",
        default="",
        help="the store: a DuckDB file or postgresql://… (else MEDLENS_STORE, else medlens.toml)",
    )
    return parser, parser.add_subparsers(metavar="COMMAND", required=True)


def print_help() -> None:
    """Write the help of the command line, as its whole parser would."""
    parser, verbs = make_parser_and_group_for_commands(describe_added_studies_and_bridges())
    for name, about in COMMANDS.items():
        verbs.add_parser(name, help=about)
    parser.print_help()


def describe_added_studies_and_bridges() -> str:
    """The studies and bridges of other distributions, by name; none is loaded."""
    lines = []
    for group, what in (("medlens.studies", "studies"), ("medlens.bridges", "bridges")):
        points = sorted(metadata.entry_points(group=group), key=lambda point: point.name)
        if points:
            names = [f"{one.name} ({one.dist.name if one.dist else '?'})" for one in points]
            lines.append(f"{what} of other distributions: {', '.join(names)}")
    return "\n".join(lines)
