"""Forms that raters fill in after their last item, and the code that shows they are done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import Conflict
from medlens.review.judging import refuse_token_used_for_other_row
from medlens.review.raters import Rater, require_lead
from medlens.store import Store, new_id, stable_id


def save_survey_answers(
    store: Store, *, form: str, rater: str, answers: Mapping[str, Any], token: str | None = None
) -> None:
    """Save a rater's answers to a form as its next revision; ``token`` makes a repeat harmless.

    Raises:
        InvalidInput: the token was used to save something else.
    """
    for _ in range(3):
        top = store.value(
            "select coalesce(max(revision), 0) from survey where form = $form and rater = $rater",
            form=form,
            rater=rater,
        )
        row = {
            "id": token or new_id(),
            "form": form,
            "rater": rater,
            "revision": top + 1,
            "body": dict(answers),
            "origin": "app",
        }
        try:
            if not store.append("survey", row):
                refuse_token_used_for_other_row(store, "survey", row, "form", "rater", "body")
        except Conflict:
            continue
        return
    raise Conflict("This form is being saved elsewhere.", hint="Reload and look at it again.")


def make_imported_survey_row(rater: str, form: str, answers: Mapping[str, Any]) -> dict[str, Any]:
    """An imported answer as a row to append; the same answers always get the same id."""
    body = json.dumps(dict(answers), sort_keys=True)
    return {
        "id": stable_id("survey", form, rater, body),
        "form": form,
        "rater": rater,
        "revision": 1,
        "body": dict(answers),
        "origin": "import",
    }


def load_last_survey_answers(store: Store, *, form: str, rater: str) -> dict[str, Any] | None:
    """The rater's last answers, or None."""
    row = store.find_first_row_as_dict(
        "select body from survey_now where form = $form and rater = $rater", form=form, rater=rater
    )
    found: dict[str, Any] | None = json.loads(row["body"]) if row else None
    return found


def survey_answers_table(store: Store, *, viewer: Rater | None) -> pd.DataFrame:
    """All answers, one row per answer: form, rater, rater_handle, question, answer.

    A question with several answers gives several rows. Raters whose work is excluded everywhere are
    left out.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = []
    for form, rater, handle, body in store.rows(
        "select s.form, r.name, r.handle, s.body from survey_now s join rater r on r.id = s.rater"
        " anti join (select rater from exclusion_now where task = '') x on x.rater = s.rater"
        " order by s.form, r.handle"
    ):
        for question, answer in json.loads(body).items():
            for one in answer if isinstance(answer, list) else [answer]:
                rows.append((form, rater, handle, question, "" if one is None else str(one)))
    return pd.DataFrame(rows, columns=["form", "rater", "rater_handle", "question", "answer"])


def make_completion_code(*, dataset: str, rater: str, seed: int) -> str:
    """The code that a rater shows to be paid: the same each time, different for each rater."""
    text = f"{seed}\x1f{dataset}\x1f{rater}".encode()
    digest = hashlib.sha256(text).hexdigest().upper()
    return f"{digest[:4]}-{digest[4:8]}-{digest[8:12]}"
