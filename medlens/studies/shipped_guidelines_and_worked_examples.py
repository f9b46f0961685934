"""The guidelines and worked examples that come with the published studies, from data/guidelines.

Written from the papers' instructions to their raters; all clinical examples are made up. A text
that has been released is never changed: judgments keep its number.
"""

from __future__ import annotations

from functools import cache

from medlens.config.shipped_and_home_folders import SHIPPED

FOLDER = SHIPPED / "data/guidelines"


@cache
def shipped_guideline_versions(task: str) -> tuple[str, ...]:
    """What raters of a task (by name) go by until a lead writes their own, oldest first."""
    return ((FOLDER / f"{task}.md").read_text("utf-8").strip(),)


@cache
def shipped_worked_example_text(task: str) -> str:
    """A finished item of a task (by name), with reasons and keys; empty if there is none."""
    file = FOLDER / f"{task}_example.md"
    return file.read_text("utf-8").strip() if file.exists() else ""
