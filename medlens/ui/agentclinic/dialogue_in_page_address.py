"""The address of the page: every view is a link, and every move changes it."""

from __future__ import annotations

from medlens.studies.agentclinic.registration import DIALOGUES
from medlens.ui.page_address import set_values_in_address

PLAY = "Play"
"""The view in which people play visits."""


def put_dialogue_in_address(name: str, beside: str = "") -> None:
    """Open a dialogue, alone or with another beside it; an empty name opens none."""
    if name:
        set_values_in_address(dialogue=name, beside=beside, view=DIALOGUES)
