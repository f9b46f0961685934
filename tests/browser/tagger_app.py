"""The span tagger on its own, over a spine made from a JSON file.

TAGGER_STATE names the file. Query parameters control the answers: ``answer=error`` refuses every
message, ``answer=full`` the first attempt of each, ``answer=newer`` says once that another window
was faster, ``answer=never`` is silent; ``as=NAME`` signs in, ``readonly=1`` shows the marks
read-only, ``grows=1`` lets codes be added.
"""

from __future__ import annotations

import json
import os
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import streamlit as st

from medlens.errors import InvalidInput
from medlens.ui.span_tagger import Message, span_tagger

REPO = Path(__file__).resolve().parents[2]
STATE = Path(os.environ["TAGGER_STATE"])
TAXONOMY = tomllib.loads((REPO / "data" / "taxonomies" / "g4ue.toml").read_text("utf-8"))

STEM = """A 34-year-old woman comes to the clinic because of three weeks of tiredness and a rash \
on both cheeks that becomes worse after gardening. She has had pain in both wrists in the \
mornings. She takes no medicines. Her temperature is 37.4°C (99.3°F), pulse is 82/min and blood \
pressure is 142/91 mm Hg. Urinalysis shows 3+ protein and red cell casts. Which of the following \
is most likely to be found on further examination?"""

OPTIONS = {
    "A": "Antibodies against double-stranded DNA",
    "B": "Antibodies against the acetylcholine receptor",
    "C": "Linear IgG along the basement membrane",
    "D": "Eosinophils in the urine",
    "E": "Raised antistreptolysin O titre",
}

LONG = """The correct answer is D: Eosinophils in the urine. 🩺

The combination of a rash, joint pain and protein in the urine after a new exposure suggests acute \
interstitial nephritis, which is usually a reaction to a medicine. The patient was given ibuprofen \
for her wrists last month, and the rash on the cheeks is the typical drug rash. Eosinophils in the \
urine are found in nearly all patients with this disease and prove it.

Let us go through the other options:

A: Antibodies against double-stranded DNA are seen in systemic lupus erythematosus. Lupus does not \
affect the kidneys before the age of 40, and red cell casts are not a feature of lupus nephritis; \
they point to the tubules. So this option can be ruled out with confidence.

B: Antibodies against the acetylcholine receptor cause myasthenia gravis, in which weakness gets \
worse with use. There is no weakness here & no ptosis, so <b>this option</b> is wrong.

C: Linear IgG along the basement membrane is the sign of Goodpasture's disease. Patients cough up \
blood (haemoptysis), and the kidneys fail within days. Her blood pressure of 142/91 mm Hg is \
normal for her age, which speaks against it. The usual cut-off is ≥ 7 × 10⁹/L in the naïve \
café-au-lait cohort (n = 1,204) 👩🏽‍⚕️ as measured at 37 °C.

E: A raised antistreptolysin O titre shows a recent infection with streptococci. In such cases \
the urine turns dark one to three weeks after a sore throat, and complement C3 is low. She had no \
sore throat, so this is unlikely.

In summary, the answer may be D, but A cannot be excluded without a biopsy; 2 + 2 = 5 of the \
criteria are met. Treatment is to stop the medicine, and most patients recover within six weeks. \
I am an AI language model: please ask a clinician. 😊 The end."""

ODD = (
    "a\u0301 e\u0301tude 👩🏽‍⚕️ <b>bold</b> & &amp; 𝛼-blocker.\r\nSecond line after CRLF. "
    "<img src=x onerror=window.pwned=1> <script>window.pwned=1</script> The end."
)

ITEMS = {
    "lupus": LONG,
    "odd": ODD,
    "short": "The answer is B. Colchicine stops mitosis. It is used for gout.",
    "last": "The answer is C. Aspirin is an antibiotic. Rest is advised.",
}


def load() -> dict[str, Any]:
    blank = {"drafts": {}, "submitted": {}, "actions": [], "tokens": {}, "messages": 0}
    return json.loads(STATE.read_text("utf-8")) if STATE.exists() else blank


def store(state: dict[str, Any]) -> None:
    beside = STATE.with_suffix(".new")
    beside.write_text(json.dumps(state, ensure_ascii=False), "utf-8")
    beside.replace(STATE)


def draft_of(state: dict[str, Any], rater: str, item: str) -> dict[str, Any]:
    empty = {"rev": 0, "body": {"spans": [], "comment": ""}}
    return state["drafts"].get(f"{rater}/{item}", empty)


def answered(token: str, rev: int, **rest: Any) -> dict[str, Any]:
    at = datetime.now(UTC).isoformat()
    return {"token": token, "saved_at": at, "rev": rev, "error": None, "newer": None, **rest}


def take(message: Message) -> None:
    answer = st.query_params.get("answer", "")
    if answer == "never":
        return
    state = load()
    state["messages"] += 1
    draft = draft_of(state, message.rater, message.item)
    if answer == "error" or (answer == "full" and message.attempt == 1):
        fault = {
            "message": "the store is full.",
            "hint": "Tell your lead.",
            "passing": answer == "full",
        }
        st.session_state["ack"] = answered(message.token, draft["rev"], error=fault)
        store(state)
        return
    if message.token in state["tokens"]:
        st.session_state["ack"] = answered(message.token, state["tokens"][message.token])
        return
    if message.base != draft["rev"]:
        newer = {"rev": draft["rev"], "draft": draft["body"]}
        st.session_state["ack"] = answered(message.token, draft["rev"], newer=newer)
        return
    rev = draft["rev"] + 1
    state["drafts"][f"{message.rater}/{message.item}"] = {
        "rev": rev,
        "body": message.body.model_dump(),
    }
    state["tokens"][message.token] = rev
    state["actions"].append([message.action, message.item, message.reason, message.seconds.active])
    if message.action == "submit":
        state["submitted"][f"{message.rater}/{message.item}"] = message.body.model_dump()
    store(state)
    st.session_state["ack"] = answered(message.token, rev)
    if message.action != "draft":
        names = list(ITEMS)
        step = -1 if message.action == "previous" else 1
        at = max(0, min(len(names) - 1, names.index(message.item) + step))
        st.query_params["item"] = names[at]


def refuse(token: str, error: InvalidInput) -> None:
    fault = {"message": error.message, "hint": error.hint, "passing": False}
    st.session_state["ack"] = answered(token, 0, error=fault)


def data() -> dict[str, Any]:
    rater = st.query_params.get("as", "ada")
    item = st.query_params.get("item", "lupus")
    state = load()
    draft = draft_of(state, rater, item)
    done = [name for name in ITEMS if f"{rater}/{name}" in state["submitted"]]
    at = list(ITEMS).index(item)
    options = [
        {"key": key, "text": text, "correct": key == "A", "chosen": key == "D"}
        for key, text in OPTIONS.items()
    ]
    labels = [
        {
            "not_when": "",
            "example": "",
            "example_reason": "",
            "requires_link": False,
            "steps": [],
            **{k: v.strip() if isinstance(v, str) else v for k, v in label.items()},
        }
        for label in TAXONOMY["label"]
    ]
    # As a lead may change them while somebody works.
    labels = [label | state.get("changed", {}).get(label["id"], {}) for label in labels]
    labels = [label for label in labels if not label.get("gone")]
    new = {**labels[0], "id": "", "name": "", "key": 0}
    return {
        "rater": rater,
        "item": item,
        **({"grows": new, "moved": {}} if st.query_params.get("grows") else {}),
        "rev": draft["rev"],
        "text": ITEMS[item],
        "title": "GPT-4's response",
        "context": {
            "heading": "Question",
            "chosen_label": "GPT-4's choice",
            "blocks": [{"kind": "text", "text": STEM}, {"kind": "options", "options": options}],
        },
        "labels": labels,
        "reading": TAXONOMY.get("reading", []),
        "draft": draft["body"],
        "state": "submitted" if item in done else "open",
        "flag_reason": "",
        "readonly": st.query_params.get("readonly") == "1",
        "progress": {
            "done": len(done),
            "total": len(ITEMS),
            "position": at + 1,
            "has_previous": at > 0,
            "has_next": at + 1 < len(ITEMS),
        },
        "clock": {
            "session_seconds": 34 * 60,
            "item_seconds": 0,
        },
        "notice": "",
        "ack": st.session_state.get("ack"),
    }


st.set_page_config(page_title="Span tagger", layout="wide")
shown = data()
span_tagger.draw_item_without_desk(
    shown, key=f"tagger-{shown['rater']}", on_message=take, on_refused=refuse
)
