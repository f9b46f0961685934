"""A tool that keeps a tally, a line for each text and what was said of it: in, and out again."""

from __future__ import annotations

from typing import Any

from medlens.review import consensus
from medlens.store import Store
from medlens.studies.own.converted_project import Converted
from medlens.studies.own.foreign_tools import Part, Tool
from medlens.studies.study_definition import Package

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


TALLY = Tool("a tally", (Part("TALLY.txt", "its lines"),), read_tally)
TALLY_SHEET = Package("A tally: a line for each item and question", "txt", write_tally)
