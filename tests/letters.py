"""A small study of letters written after visits, in which errors are marked, as a STUDY.toml."""

from __future__ import annotations

_BASE = """
id = "letters"
title = "Errors in letters"
instructions = "Mark every error."

[[column]]
name = "visit"
means = "what was said"

[[column]]
name = "letter"
means = "the letter"

[[pane]]
title = "Visit"
column = "visit"
kind = "{visit}"

[[pane]]
title = "Letter"
column = "letter"
place = "centre"

[[question]]
id = "errors"
kind = "spans"
text = "Mark every error."
column = "letter"
labels = [{{ id = "false", name = "False" }}, {{ id = "made_up", name = "Made up" }}]
"""
SEVERITY = """
of_span = [{ id = "severity", text = "How severe?", options = ["Minor", "Major"], required = true }]
"""
"""Asked of each mark."""
PROVED_AND_CORRECTED = """
[[column]]
name = "checker"
means = "what a checker found"

[[pane]]
title = "Checker"
column = "checker"
after_answer = true

[[question]]
id = "proof"
kind = "evidence"
text = "Which sentences prove it?"

[[question]]
id = "better"
kind = "rewrite"
text = "Correct it."
column = "letter"
"""
"""Needs the visit as a source."""


def letters(*more: str, visit: str = "text") -> str:
    """The STUDY.toml, with ``more`` of it behind; the visit is shown as a pane of that kind."""
    return _BASE.format(visit=visit) + "".join(more)
