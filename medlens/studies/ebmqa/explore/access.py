"""Who may see answers: leads, and whoever has answered the questionnaire unseen; and who did."""

from __future__ import annotations

from medlens.errors import NotAllowed
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.ebmqa.answers.queries import note_look
from medlens.studies.ebmqa.questionnaire import committed


def may_explore(store: Store, dataset: str, viewer: Rater | None) -> bool:
    """Whether this person may see models' answers and the correct ones; None is the command line.

    A reviewer may once they have handed in the questionnaire of these questions, or where there is
    none to be answered.
    """
    if viewer is None or viewer.role == "lead":
        return True
    return committed(store, dataset, viewer.id)


def require_open(store: Store, dataset: str, viewer: Rater | None) -> None:
    """Refuse those who are still to answer unseen.

    Raises:
        NotAllowed: they have not handed in the questionnaire.
    """
    if not may_explore(store, dataset, viewer):
        raise NotAllowed(
            "Answers are shown to you after you have answered the questionnaire.",
            hint="Open the view Answer and hand it in first.",
        )


def note_seen(store: Store, dataset: str, viewer: Rater | None) -> None:
    """Keep that somebody was shown what is right: later they do not answer unseen."""
    if viewer is not None:
        note_look(store, dataset, viewer.id)
