"""``[agentclinic]`` of ``medlens.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from medlens.config.setting_values import ModelName
from medlens.config.settings import Section


class AgentClinicSettings(Section):
    """How people play the clinic, and where experiments find their files."""

    play_models: tuple[ModelName, ...] = Field(default=(), strict=False)
    """Models that people may play against, named as under ``[models]``; none: nobody plays."""
    play_measurement: ModelName | None = None
    """The model that reports results. Default: the first of ``play_models``."""
    play_moderator: ModelName | None = None
    """The model that judges the diagnosis. Default: the first of ``play_models``."""
    play_interactions: int = Field(default=20, ge=1, le=200)
    """The doctor's messages in a visit, tests included."""
    play_images: Literal["none", "start", "request"] = "request"
    """When the images of a case are shown: never, at the start, or on request."""
    play_cap: float | None = Field(default=None, gt=0, strict=False, allow_inf_nan=False)
    """The most that one visit may cost; needs the prices of its models. Default: no cap."""
    images_folder: Path | None = Field(default=None, strict=False)
    """Copies of the images that cases name: shown on the pages, sent to models."""
    biases_folder: Path | None = Field(default=None, strict=False)
    """Files of biases that experiments started on the Runs page may name (``biases_file``). On the
    command line, those beside the experiment can be named too."""
