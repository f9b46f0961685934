"""``[tagging]`` of ``medlens.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from medlens.config.settings import PROJECT, Section, TaskSettings


class TaggingSettings(Section):
    """The error-tagging study, and how its items are handed out (``[tasks.error_spans]`` overrides
    the last five).
    """

    taxonomy: Path = Field(default=PROJECT / "data/taxonomies/g4ue.toml", strict=False)
    """The labels, their guideline and their rules, as a file."""
    forms: Path = Field(default=PROJECT / "data/forms", strict=False)
    """The folder of the two questionnaires after the last item."""
    raters_per_item: int = Field(default=3, ge=1)
    """How many people judge each response."""
    items_per_rater: int = Field(default=20, ge=1)
    """How many responses each person is given."""
    lease_minutes: int = Field(default=120, ge=1)
    """How long an opened response is kept for the person who opened it."""
    gold_share: float = Field(default=0.1, ge=0, lt=1, strict=False)
    """The share of a person's responses whose labels are known, mixed in unseen."""
    seed: int = 20240601
    """Who gets which responses is drawn with this."""

    def handing_out(self) -> dict[str, Any]:
        """The settings for handing out items, by name."""
        return self.model_dump(include=set(TaskSettings.model_fields))
