"""``python -m medlens fetch …``: the studies' published files, and how to import them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rich.console import Console

from medlens.app import fetch
from medlens.config.settings import Settings
from medlens.studies import registry

_SCREEN = Console(highlight=False, markup=False, soft_wrap=True)


def add_to(verbs: Any) -> None:
    """Add the command ``fetch``."""
    known = fetch.sources()
    parser = verbs.add_parser(
        "fetch",
        help="download a study's published files",
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
    source = fetch.sources()[options.study]
    folder = options.to or Path("published") / options.study
    _SCREEN.print(f"{source.title}, github.com/{source.repository} ({source.licence}).")
    # Named, because labels would otherwise go to the newest dataset, whichever that is.
    into = f"--dataset {_dataset(source)}"
    skipped, gone = [], []
    for one in fetch.fetch(source, folder, base=options.base, unchecked=options.unchecked):
        if one.outcome == "skipped":
            skipped.append(one)
            continue
        if one.outcome == "gone":
            gone.append(one)
            continue
        said = "Fetched" if one.outcome == "fetched" else "There already:"
        how = {
            "SHA-256": "",
            "commit": f" Checked against the commit; SHA-256 {one.sha256}.",
        }.get(one.checked, f" Not checked: SHA-256 {one.sha256}.")
        _SCREEN.print(f"{said} {one.target}.{'' if one.file.sha256 else how}")
        _SCREEN.print(f"  python -m medlens import {one.file.kind} {one.target} {into}")
    for one in skipped:
        _SCREEN.print(f"Not fetched, since it cannot be checked ({one.reason}): {one.file.name}.")
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
    return 1 if gone else 0


def _dataset(source: fetch.Source) -> str:
    """The dataset for the published files of a study that has some."""
    return registry.STUDIES[registry.study_of(source.files[0].kind)].published
