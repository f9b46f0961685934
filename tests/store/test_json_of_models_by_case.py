"""JSON that holds each model's answers by case is read with a row for each case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.store.test_tables_as_clinicians_send_them import look

TEXTS = (
    "Please come to the surgery today, since a stiff neck must be looked at.",
    "Wait two days, drink plenty of water and take paracetamol.",
    "Restart it on the day after the procedure, once bleeding has stopped.",
)


def by_model(case: str, *models: str) -> dict[str, Any]:
    return {
        model: {case.format(at): f"{text} {model[0]}" for at, text in enumerate(TEXTS)}
        for model in models
    }


@pytest.mark.parametrize("case", ["case{}", "Fall {}", "medqa_{}", "q-{}", "paciente_{}"])
def test_models_that_hold_texts_by_case_are_compared_case_by_case(
    tmp_path: Path, case: str
) -> None:
    value = by_model(case, "gpt-4o", "llama-3")
    del value["llama-3"][case.format(2)]
    proposal, told = look(tmp_path, json.dumps(value).encode(), "answers.json")
    arms = proposal.declared.arms
    assert arms is not None
    assert arms.names == ("gpt-4o", "llama-3")
    assert len(proposal.looked.items) == 3
    assert "each case is made into a row" in told
    assert "Not every model has answered everything" in told or "no llama-3" in told


def test_models_that_hold_objects_by_case_are_compared_too(tmp_path: Path) -> None:
    value = {
        model: {
            key: {"question": f"What now in {key}?", "answer": text} for key, text in of.items()
        }
        for model, of in by_model("case{}", "gpt-4o", "llama-3").items()
    }
    proposal, _ = look(tmp_path, json.dumps(value).encode(), "answers.json")
    assert proposal.declared.arms is not None
    assert len(proposal.looked.items) == 3


@pytest.mark.parametrize(
    "value",
    [
        {f"case{at}": {"gpt-4o": TEXTS[at], "llama-3": TEXTS[1 - at]} for at in range(2)},
        {name: {"answer_1": TEXTS[0], "answer_2": TEXTS[1]} for name in ("anna", "bert")},
        {name: {"question": TEXTS[0], "answer": TEXTS[1]} for name in ("anna", "bert")},
    ],
)
def test_objects_that_are_rows_stay_rows(tmp_path: Path, value: dict[str, Any]) -> None:
    proposal, told = look(tmp_path, json.dumps(value).encode(), "answers.json")
    assert len(proposal.looked.items) == 2
    assert "each case is made into a row" not in told
