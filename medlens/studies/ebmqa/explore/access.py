"""Who may see answers: leads, and people who answered the questionnaire blind; and who has."""

from __future__ import annotations

from medlens.errors import NotAllowed
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.ebmqa.answers.queries import note_look
from medlens.studies.ebmqa.questionnaire import committed


def may_explore(store: Store, dataset: str, viewer: Rater | None) -> bool:
    """Whether this person may see models' answers and the correct ones; None is the command
    line.

    A reviewer may after handing in the questionnaire of these questions, or if there is none.
    """
    if viewer is None or viewer.role == "lead":
        return True
    return committed(store, dataset, viewer.id)


def require_open(store: Store, dataset: str, viewer: Rater | None) -> None:
    """Refuse people who still have to answer blind.

    Raises:
        NotAllowed: they have not handed in the questionnaire.
    """
    if not may_explore(store, dataset, viewer):
        raise NotAllowed(
            "Answers are shown to you after you have answered the questionnaire.",
            hint="Open the view Answer and hand it in first.",
        )


def note_seen(store: Store, dataset: str, viewer: Rater | None) -> None:
    """Record that somebody saw the correct answers: their later answers are not blind."""
    if viewer is not None:
        note_look(store, dataset, viewer.id)
