"""A tool that keeps a tally, a line for each text and what was said of it: in, and out again."""

from __future__ import annotations

from typing import Any

from medlens.review import consensus, items
from medlens.store import Store
from medlens.studies.own.bridge_registry import Converted, Part, Tool
from medlens.studies.own.tasks import ITEM_KIND
from medlens.studies.own.tasks import STUDY as OWN
from medlens.studies.study_definition import Package
from medlens.tables import Column, Kind, Report, Request
from medlens.tables.read_and_check_table import read_checked_table

STUDY = """
id = "tally"
title = "{title}"
instructions = "Say whether the text is safe."

[[column]]
name = "text"
means = "the text"

[[pane]]
title = "Text"
column = "text"

[[question]]
id = "safe"
kind = "yes_no"
text = "Is it safe?"
required = true
"""


def read_tally(title: str, content: bytes) -> Converted:
    """A tally as a study: lines of "yes" or "no", a tab, and the text."""
    lines = [line.split("\t", 1) for line in content.decode("utf-8").splitlines()]
    return Converted(
        study=STUDY.format(title=title),
        items=[{"item": f"t{at}", "text": text} for at, (_, text) in enumerate(lines, 1)],
        judgments=[
            {"item": f"t{at}", "rater": "Tally", "rater_kind": "person", "safe": answer}
            for at, (answer, _) in enumerate(lines, 1)
        ],
        notes=(),
    )


def write_tally(store: Store, study: Any, *, viewer: Any, anonymous: bool) -> bytes:
    """A study of one's own as a tally: a line for each item and question."""
    table = consensus.consensus_table(store, study.task, dataset=study.dataset, viewer=viewer)
    lines = zip(table["answer"], table["item"], strict=True)
    return "".join(f"{answer}\t{item}\n" for answer, item in lines).encode()


COLUMNS = (Column("text", "text", "what is judged", needed=True, filled="a text"),)


def add_texts(store: Store, study: Any, request: Request) -> Report:
    """Add further texts to a study that came from a tally."""
    sheet = read_checked_table(request, COLUMNS)
    texts = sheet.frame["text"]
    added = items.add_items(
        store,
        [items.NewItem(text, {"text": text}) for text in texts],
        study=OWN,
        kind=ITEM_KIND,
        dataset=request.dataset,
    )
    return Report("texts", added.added, added.known, sheet.refused, sheet.notes)


TALLY_MORE = Kind(
    title="Further texts, for a study that came from a tally",
    read=add_texts,
    looks="A table with the column text.",
    columns=COLUMNS,
    known_by=(),
)
TALLY = Tool("a tally", (Part("TALLY.txt", "its lines"),), read_tally)
TALLY_SHEET = Package("A tally: a line for each item and question", "txt", write_tally)
