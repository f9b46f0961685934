"""What a doctor's message asks for, in the many ways models write it."""

from __future__ import annotations

import time

import pytest

from medlens.agentclinic.lint import names_diagnosis
from medlens.agentclinic.metrics_tables import echoes
from medlens.agentclinic.models import Turn
from medlens.agentclinic.replies import Diagnosis, RequestImages, RequestTest, Say, parse_doctor


@pytest.mark.parametrize(
    "text, diagnosis",
    [
        ("DIAGNOSIS READY: Myasthenia gravis", "Myasthenia gravis"),
        ("diagnosis ready: gout.", "gout"),
        ("**DIAGNOSIS READY:** *Gout*", "Gout"),
        ("**DIAGNOSIS READY**: Gout", "Gout"),
        ("### Diagnosis Ready – Gout\nI am fairly sure.", "Gout"),
        ('"DIAGNOSIS READY: Gout"', "Gout"),
        ("DIAGNOSIS_READY: Gout", "Gout"),
        ("DIAGNOSIS READY Gout", "Gout"),
        ("DIAGNOSIS READY:\n\n**Gout**\n\nBecause of the crystals.", "Gout"),
        ("You have the signs of it. DIAGNOSIS READY: Gout. Take rest and fluids.", "Gout"),
        ("DIAGNOSIS READY: C. difficile colitis", "C. difficile colitis"),
        ("DIAGNOSIS READY: Crohn's disease (ileal)", "Crohn's disease (ileal)"),
        ("Not sure about the rest. DIAGNOSIS READY: Gout", "Gout"),
        # A diagnosis wins over a request in the same text; of two the last counts.
        ("REQUEST TEST: CT\nDIAGNOSIS READY: Gout", "Gout"),
        ("DIAGNOSIS READY: Gout\nDIAGNOSIS READY: Pseudogout", "Pseudogout"),
        ("<think>DIAGNOSIS READY: Gout</think>DIAGNOSIS READY: Lupus", "Lupus"),
        ("DIAGNOSIS READY: 重症肌無力", "重症肌無力"),
    ],
)
def test_a_diagnosis_is_taken_out_of_the_text(text: str, diagnosis: str) -> None:
    assert parse_doctor(text) == Diagnosis(text, diagnosis)


@pytest.mark.parametrize(
    "text, tests",
    [
        ("REQUEST TEST: Chest_X-Ray", ("Chest_X-Ray",)),
        ("Let us look. **REQUEST TEST:** `MRI of the brain`", ("MRI of the brain",)),
        ("request test: blood count. Does it hurt?", ("blood count",)),
        ("REQUEST TEST: CBC\nREQUEST TEST: MRI", ("CBC", "MRI")),
        ("REQUEST TEST: CBC\nREQUEST TEST: CBC", ("CBC",)),
        ("Requesting test: ECG", ("ECG",)),
        ("REQUEST TESTS: troponin, ECG", ("troponin, ECG",)),
        ("REQUEST TEST: E. coli culture of the stool", ("E. coli culture of the stool",)),
        ("REQUEST TEST", ()),
        ("REQUEST TEST: [test]", ()),
        ("REQUEST TEST: ECG. REQUEST IMAGES", ("ECG",)),
        # A diagnosis that is none does not end the visit.
        ("REQUEST TEST: ECG\nDIAGNOSIS READY: [diagnosis here]", ("ECG",)),
    ],
)
def test_tests_are_found_with_their_names(text: str, tests: tuple[str, ...]) -> None:
    assert parse_doctor(text) == RequestTest(text, tests)


@pytest.mark.parametrize(
    "text",
    ["REQUEST IMAGES", "Please. **Request Images:** now", "REQUEST IMAGE", "REQUEST THE IMAGES"],
)
def test_images_are_asked_for(text: str) -> None:
    assert parse_doctor(text) == RequestImages(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where does it hurt?",
        "I will write DIAGNOSIS READY: when I am sure.",
        "I am not able to say DIAGNOSIS READY yet.",
        "Before I request tests, tell me more.",
        "My diagnosis, ready or not, is open.",
        "DIAGNOSIS READY:",
        "DIAGNOSIS READY: [your diagnosis]",
        "DIAGNOSIS READY: ...",
        "<think>REQUEST TEST: CT</think>How are you?",
        "<think>DIAGNOSIS READY: Gout",
        "",
        "¿Dónde le duele?",
    ],
)
def test_anything_else_is_said_to_the_patient(text: str) -> None:
    assert parse_doctor(text) == Say(text)


def test_a_hundred_thousand_characters_are_read_at_once_and_kept_whole() -> None:
    text = "pain " * 20_000 + "\nDIAGNOSIS READY: " + "long " * 200
    found = parse_doctor(text)
    assert isinstance(found, Diagnosis)
    assert found.text == text
    assert len(found.diagnosis) <= 300
    assert found.diagnosis.endswith("…")


@pytest.mark.parametrize(
    "text",
    [
        "REQUEST TEST: a. " * 6000,
        "DIAGNOSIS READY" + " " * 100_000,
        "diagnosis" + " " * 100_000,
        "no gout. " * 11_000,
        "<think>" * 15_000,
        "[" * 100_000,
        "i can't " * 12_000,
    ],
    ids=lambda text: repr(text[:16]),
)
def test_a_text_made_to_be_slow_is_read_in_a_moment(text: str) -> None:
    start = time.process_time()
    parse_doctor(text)
    names_diagnosis(text, "Gout (of the toe)")
    echoes((Turn(n=1, speaker="doctor", text=text), Turn(n=2, speaker="patient", text=text)))
    # A tenth of a second here; a pattern that looks again from every place takes minutes.
    assert time.process_time() - start < 3
