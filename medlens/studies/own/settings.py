"""``[own]`` of ``medlens.toml``."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from medlens.config.settings import PROJECT, Section


class OwnSettings(Section):
    """Where the files are that items of your own studies show."""

    files_folder: Path = Field(default=PROJECT / "data/files", strict=False)
    """Images and PDFs that items name, those of each study in a folder called by the study's id."""
