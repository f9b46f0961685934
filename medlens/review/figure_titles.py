"""What the figures of the four published studies are called where people read them.

Exports name figures by ids that stay as they are (``cooccurrence_relaxed_by_model``); reports and
tables show the titles of ``figure_titles.toml``, with what ids add to a figure in words.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

_ADDED = {
    "by_model_and_group": "by model and group",
    "by_bias_group": "by group of biases",
    "by_n_interactions": "by number of turns allowed",
    "by_image_mode": "by how images are shown",
    "by_lint": "by whether tests state the diagnosis",
    "by_cell": "by combination of rules",
    "by_moderator": "by the moderator",
    "by_doctor": "by doctor",
    "by_patient": "by patient",
    "by_bias": "by bias",
    "by_model": "by model",
    "by_group": "by group of questions",
    "by_kind": "by kind of site",
    "by_verifier": "by verifier",
    "by_label": "by label",
    "unflagged": "flagged cases left out",
}
"""What the end of a figure's id adds to it, longer ends first."""


@functools.cache
def figure_titles_by_id_of_study(study: str) -> Mapping[str, str]:
    """The titles of a study's figures by their ids; empty for a team's own studies, whose figures
    are called by the wording of their questions.
    """
    text = Path(__file__).with_name("figure_titles.toml").read_text(encoding="utf-8")
    return {str(name): str(title) for name, title in tomllib.loads(text).get(study, {}).items()}


def find_figure_title(study: str, figure: str) -> str | None:
    """The title of a figure by its id in exports; None if it has none.

    >>> find_figure_title("sourcecheckup", "pair_support_by_model")
    'Supported pairs, by model'
    """
    titles = figure_titles_by_id_of_study(study)
    if figure in titles:
        return titles[figure]
    for end, words in _ADDED.items():
        if (stem := re.sub(f"_{end}$", "", figure)) != figure:
            title = find_figure_title(study, stem)
            return f"{title}, {words}" if title else None
    return None
