"""What a doctor's message asks for, in the many ways models write it."""

from __future__ import annotations

import pytest

from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import find_diagnosis_in_text
from medlens.studies.agentclinic.doctor_message_parsing import (
    Diagnosis,
    RequestImages,
    RequestTest,
    Say,
    parse_doctor_message,
)
from medlens.studies.agentclinic.metrics_input_tables import shares_of_question_words_echoed
from medlens.studies.agentclinic.records import Turn
from tests.effort import effort


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
    assert parse_doctor_message(text) == Diagnosis(text, diagnosis)


MG = "Myasthenia gravis"
READY = "DIAGNOSIS READY"


def test_a_no_in_the_sentence_before_takes_no_diagnosis_back() -> None:
    for before in (
        "Is it spreading, yes or no?",
        "No.",
        "I don't have doubts.",
        "I don't see any\n",
    ):
        reply = parse_doctor_message(f"{before} DIAGNOSIS READY: Gout")
        assert isinstance(reply, Diagnosis), before
        assert reply.diagnosis == "Gout"


def test_a_diagnosis_is_read_however_it_is_dressed() -> None:
    for ending, diagnosis in [
        # In brackets of any kind, as a script that shows its form in brackets invites.
        (f"{READY}: [Myasthenia gravis]", MG),
        (f"{READY}: [Myasthenia gravis].", MG),
        (f"{READY}: {{Myasthenia gravis}}", MG),
        (f"{READY}: <Myasthenia gravis>", MG),
        (f"{READY}: (Myasthenia gravis)", MG),
        (f"{READY}: [[Myasthenia gravis]]", MG),
        (f"{READY}: {{{{Myasthenia gravis}}}}", MG),
        (f"{READY}: <<Myasthenia gravis>>", MG),
        (f"{READY}: 【Myasthenia gravis】", MG),
        (f"{READY}: [ Myasthenia gravis ]", MG),
        (f"{READY}: [Myasthenia gravis", MG),
        (f"{READY} [Myasthenia gravis]", MG),
        (f"{READY}:[Myasthenia gravis]", MG),
        (f"[{READY}: Myasthenia gravis]", MG),
        (f"[{READY}: [Myasthenia gravis]]", MG),
        (f"<{READY}: Myasthenia gravis>", MG),
        (f"({READY}: Crohn's disease (ileal))", "Crohn's disease (ileal)"),
        (f"{READY}: [Myasthenia gravis] Thank you for coming in.", MG),
        (f"{READY}: [Myasthenia gravis]. You need treatment.", MG),
        (f"{READY}: [Autoimmune] hepatitis", "Autoimmune hepatitis"),
        (
            f"{READY}: [BPPV] (benign paroxysmal positional vertigo)",
            "BPPV (benign paroxysmal positional vertigo)",
        ),
        (f"{READY}: [Crohn's disease (ileal)]", "Crohn's disease (ileal)"),
        (f"{READY}: [C. difficile colitis]", "C. difficile colitis"),
        (f"{READY}: [Diagnosis: Myasthenia gravis]", MG),
        (f"{READY}: [diagnosis]: Myasthenia gravis", MG),
        # Bold, quotes, code, tags, LaTeX, JSON.
        (f"**{READY}: [Myasthenia gravis]**", MG),
        (f"**{READY}:** **[Myasthenia gravis]**", MG),
        (f"{READY}: [**Myasthenia gravis**]", MG),
        (f"{READY}: **Myasthenia gravis**.", MG),
        (f"__{READY}__: _Myasthenia gravis_", MG),
        (f'{READY}: "Myasthenia gravis"', MG),
        (f'{READY}: "Myasthenia gravis."', MG),
        (f"{READY}: “Myasthenia gravis”", MG),
        (f"{READY}: ['Myasthenia gravis']", MG),
        (f"`{READY}: Myasthenia gravis`", MG),
        (f"```\n{READY}: Myasthenia gravis\n```", MG),
        (f"> {READY}: Myasthenia gravis", MG),
        (f"{READY}: <b>Myasthenia gravis</b>", MG),
        (f"{READY}: <diagnosis>Myasthenia gravis</diagnosis>", MG),
        (f"{READY}: $\\boxed{{\\text{{Myasthenia gravis}}}}$", MG),
        (f'{READY}: {{"diagnosis": "Myasthenia gravis"}}', MG),
        (f'"{READY}: [Myasthenia gravis]"', MG),
        # Stops, arrows, words before the name.
        (f"{READY}: Myasthenia gravis.", MG),
        (f"{READY}: Myasthenia gravis!", MG),
        (f"{READY}. Myasthenia gravis.", MG),
        (f"{READY}! Myasthenia gravis", MG),
        (f"{READY} -> Myasthenia gravis", MG),
        (f"{READY} → Myasthenia gravis", MG),
        (f"{READY} - Myasthenia gravis", MG),
        (f"{READY}: My final diagnosis is Myasthenia gravis.", MG),
        (f"{READY}: The most likely diagnosis is: Myasthenia gravis", MG),
        (f"{READY}: Diagnosis: Myasthenia gravis", MG),
        ("Final Diagnosis Ready: [Myasthenia gravis]", MG),
        # Two lines.
        (f"{READY}:\nMyasthenia gravis", MG),
        (f"{READY}:\n[Myasthenia gravis]", MG),
        (f"{READY}: [Myasthenia\ngravis]", MG),
        (f"{READY}\n\nMyasthenia gravis\n\nThe fatigue fits.", MG),
        ("DIAGNOSIS\nREADY: Myasthenia gravis", MG),
        (f"{READY}: Anaemia due to\nchronic bleeding", "Anaemia due to chronic bleeding"),
        (f"{READY}: Myasthenia gravis\nwith thymoma", "Myasthenia gravis with thymoma"),
        (f"{READY}: Myasthenia gravis\nAntibodies are positive.", MG),
        (f"{READY}: Myasthenia gravis\r\n", MG),
        # Shortened words, numbers, types.
        (f"{READY}: St. Louis encephalitis. Rest.", "St. Louis encephalitis"),
        (f"{READY}: Lyme vs. SLE", "Lyme vs. SLE"),
        (f"{READY}: Diabetes mellitus type 2. You need insulin.", "Diabetes mellitus type 2"),
        (f"{READY}: 21-hydroxylase deficiency", "21-hydroxylase deficiency"),
        (f"{READY}: 5-alpha reductase deficiency.", "5-alpha reductase deficiency"),
        # Several are several; a list of one is one.
        (f"{READY}: 1. Lyme 2. SLE", "1. Lyme 2. SLE"),
        (f"{READY}: 1) Lyme 2) SLE", "1. Lyme 2. SLE"),
        (f"{READY}:\n1. Lyme\n2. SLE\n3. Gout", "1. Lyme 2. SLE 3. Gout"),
        (f"{READY}: [1. Lyme 2. SLE]", "1. Lyme 2. SLE"),
        (f"{READY}:\n- Lyme\n- SLE", "Lyme; SLE"),
        (f"{READY}: [Lyme], [SLE]", "Lyme; SLE"),
        (f"{READY}: [Lyme] or [SLE]", "Lyme or SLE"),
        (f"{READY}: 1. Lyme", "Lyme"),
        (f"{READY}: Lyme disease or SLE", "Lyme disease or SLE"),
        # The form repeated, then filled in.
        (f"{READY}: [diagnosis here]\n{READY}: [Myasthenia gravis]", MG),
        (f"{READY}: [Myasthenia gravis]\n{READY}: [diagnosis here]", MG),
    ]:
        for text in (ending, f"Thank you, that helps.\n\n{ending}"):
            assert parse_doctor_message(text) == Diagnosis(text, diagnosis)


@pytest.mark.parametrize(
    "form",
    [
        *("[diagnosis here]", "[Diagnosis Here].", "[diagnosis]", "[your diagnosis]", "[]", "[ ]"),
        *("<diagnosis>", "{diagnosis}", "{{diagnosis here}}", "[insert diagnosis here]", "[...]"),
        *("[name of the disease]", "[disease name]", "[final diagnosis]", "**[diagnosis here]**"),
        *("your diagnosis here", "the diagnosis", "___", "…", '"[diagnosis here]"', "(diagnosis)"),
        *("[INSERT DIAGNOSIS]", "[most likely diagnosis]", "[diagnosis goes here]"),
        "[diagnosis here] Let us go on.",
    ],
)
def test_a_form_that_nobody_filled_in_is_no_diagnosis(form: str) -> None:
    text = f"DIAGNOSIS READY: {form}"
    assert parse_doctor_message(text) == Say(text)


NOT_KNOWING = [
    "will follow after the CT scan",
    "will be given tomorrow",
    "after the MRI",
    "as soon as the results are back",
    "as discussed",
    "tomorrow",
    "to be announced after the biopsy",
    "still unclear, possibly viral",
    "unknown",
    "Unknown.",
    "None",
    "none yet",
    "N/A",
    "Undetermined",
    "Undetermined at this time",
    "Unclear at this point",
    "I cannot determine a diagnosis",
    "I cannot determine the diagnosis at this time.",
    "I am unable to make a diagnosis without further tests",
    "I can't determine a diagnosis based on the information given",
    "No diagnosis",
    "No diagnosis can be made yet",
    "No definitive diagnosis at this time",
    "Not yet determined",
    "Cannot be determined",
    "Insufficient information",
    "Insufficient data to make a diagnosis",
    "More information is needed",
    "Further testing required",
    "I don't know",
    "I do not know what this is",
    "To be determined",
    "Inconclusive",
    "Unknown etiology",
    "Unknown condition",
    "pending further tests",
    "Awaiting test results",
    "Not certain at this time",
    "Unable to determine",
    "cannot determine without imaging",
    "diagnosis is unclear",
    "The diagnosis remains unknown",
    "[unknown]",
    '"Undetermined"',
    "**None**",
    "Uncertain, pending MRI",
    "Deferred until results are back",
    "null",
]


def test_a_doctor_who_says_that_there_is_none_has_given_no_diagnosis() -> None:
    for words in NOT_KNOWING:
        text = f"DIAGNOSIS READY: {words}"
        assert parse_doctor_message(text) == Say(text)


IN_A_SENTENCE = [
    ("Lupus is unlikely; this is Lyme disease", "Lyme disease"),
    ("Lupus is unlikely. This is Lyme disease.", "Lyme disease"),
    ("Gout was ruled out, so it is septic arthritis", "septic arthritis"),
    ("After the fall, subdural hematoma", "After the fall, subdural hematoma"),
    ("Stroke after the birth of a child", "Stroke after the birth of a child"),
    ("Fever of unknown origin", "Fever of unknown origin"),
    ("Carcinoma of unknown primary", "Carcinoma of unknown primary"),
    ("Unknown primary carcinoma", "Unknown primary carcinoma"),
    ("Undifferentiated connective tissue disease", "Undifferentiated connective tissue disease"),
    (
        "Monoclonal gammopathy of undetermined significance",
        "Monoclonal gammopathy of undetermined significance",
    ),
    ("Indeterminate colitis", "Indeterminate colitis"),
    ("Inconclusive, but most likely gout", "Inconclusive, but most likely gout"),
    ("Non-Hodgkin lymphoma", "Non-Hodgkin lymphoma"),
    ("No disease", "No disease"),
    ("Nonketotic hyperglycemia", "Nonketotic hyperglycemia"),
    ("I cannot exclude lupus", "I cannot exclude lupus"),
    ("I believe this is multiple sclerosis", "multiple sclerosis"),
    ("I believe that this is a case of gout", "gout"),
    ("Patient has myasthenia gravis", "myasthenia gravis"),
    ("The patient has Hirschsprung disease.", "Hirschsprung disease"),
    ("The patient most likely has gout", "gout"),
    ("You have appendicitis", "appendicitis"),
    ("I think it is asthma", "asthma"),
    ("My diagnosis is gout", "gout"),
    ("The most likely diagnosis is acute pancreatitis", "acute pancreatitis"),
    ("It is most likely measles", "measles"),
    ("This is consistent with Graves' disease", "Graves' disease"),
    ("I suspect pulmonary embolism", "pulmonary embolism"),
    ("Based on the symptoms and tests, the patient has Lyme disease", "Lyme disease"),
    ("In my opinion, this is sarcoidosis", "sarcoidosis"),
    ("She has preeclampsia", "preeclampsia"),
    ("I am confident that this is Crohn's disease", "Crohn's disease"),
    ("This patient is suffering from heart failure", "heart failure"),
    ("Most likely celiac disease", "celiac disease"),
    ("We conclude that the patient has tuberculosis", "tuberculosis"),
    ("I would say this is psoriasis", "psoriasis"),
    ("I'm certain it is gout", "gout"),
    ("It is gout", "gout"),
    ("Patent ductus arteriosus", "Patent ductus arteriosus"),
    ("Itchy skin", "Itchy skin"),
    ("Hematoma", "Hematoma"),
    ("Heavy metal poisoning", "Heavy metal poisoning"),
    ("He has gout", "gout"),
    ("They", "They"),
    ("Thissen syndrome", "Thissen syndrome"),
    ("The child has croup", "croup"),
    ("Cannot-miss", "Cannot-miss"),
]


def test_a_diagnosis_loses_the_sentence_around_it_and_keeps_its_own_words() -> None:
    for words, diagnosis in IN_A_SENTENCE:
        text = f"DIAGNOSIS READY: {words}"
        assert parse_doctor_message(text) == Diagnosis(text, diagnosis)


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
    assert parse_doctor_message(text) == RequestTest(text, tests)


@pytest.mark.parametrize(
    "text",
    ["REQUEST IMAGES", "Please. **Request Images:** now", "REQUEST IMAGE", "REQUEST THE IMAGES"],
)
def test_images_are_asked_for(text: str) -> None:
    assert parse_doctor_message(text) == RequestImages(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where does it hurt?",
        "I will write DIAGNOSIS READY: when I am sure.",
        "I am not able to say DIAGNOSIS READY yet.",
        "I'll say DIAGNOSIS READY once I have your blood results. Do you have fever?",
        "I don't have a DIAGNOSIS READY yet. When did it start?",
        "I don't have a DIAGNOSIS READY. When did it start?",
        "No DIAGNOSIS READY for now.",
        "We are close to DIAGNOSIS READY but I need an ECG first.",
        "DIAGNOSIS READY is still pending. Do you smoke?",
        "DIAGNOSIS READY: Lupus is unlikely.",
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
    assert parse_doctor_message(text) == Say(text)


def test_a_hundred_thousand_characters_are_read_at_once_and_kept_whole() -> None:
    text = "pain " * 20_000 + "\nDIAGNOSIS READY: " + "long " * 200
    found = parse_doctor_message(text)
    assert isinstance(found, Diagnosis)
    assert found.text == text
    assert len(found.diagnosis) <= 300
    assert found.diagnosis.endswith("…")


@pytest.mark.deep
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
        "DIAGNOSIS READY: " + "i cannot " * 12_000,
        "DIAGNOSIS READY: " + "based on , " * 12_000,
    ],
    ids=lambda text: repr(text[:16]),
)
def test_a_text_made_to_be_slow_is_read_in_a_moment(text: str) -> None:
    def read() -> None:
        parse_doctor_message(text)
        find_diagnosis_in_text(text, "Gout (of the toe)")
        shares_of_question_words_echoed(
            (Turn(n=1, speaker="doctor", text=text), Turn(n=2, speaker="patient", text=text))
        )

    # It takes at most a hundred; a pattern that looks again from every place takes thousands.
    assert effort(read) < 500


@pytest.mark.parametrize(
    ("said", "diagnosis"),
    [
        ("It appears to be polymyalgia rheumatica.", "polymyalgia rheumatica"),
        ("The most probable cause of her symptoms is hyperparathyroidism.", "hyperparathyroidism"),
        ("The diagnosis that best fits is celiac disease.", "celiac disease"),
        ("Your symptoms are caused by gout.", "gout"),
        ("Everything points to Lyme disease.", "Lyme disease"),
        ("Anemia of chronic disease", "Anemia of chronic disease"),
        ("Her2-positive breast cancer", "Her2-positive breast cancer"),
        ("All-trans retinoic acid syndrome", "All-trans retinoic acid syndrome"),
    ],
)
def test_what_leads_up_to_a_diagnosis_is_no_part_of_it(said: str, diagnosis: str) -> None:
    read = parse_doctor_message(f"DIAGNOSIS READY: {said}")
    assert isinstance(read, Diagnosis)
    assert read.diagnosis == diagnosis


def test_a_diagnosis_that_cannot_be_determined_is_none() -> None:
    said = "DIAGNOSIS READY: not determinable from the given information"
    assert not isinstance(parse_doctor_message(said), Diagnosis)


UNKNOWN_UNTIL_TESTS = (
    "Inconclusive, further tests are required",
    "Undetermined; further work-up required",
    "Unknown at present - awaiting MRI",
    "Unclear (needs a biopsy)",
    "Not established yet, need CT",
    "Uncertain: additional imaging needed, referral to neurology",
)
NAMED_ALL_THE_SAME = (
    "Unknown, likely viral hepatitis",
    "Undetermined: viral hepatitis; more tests needed",
    "Unknown primary cancer, biopsy needed",
    "Anaemia of unknown cause; more tests needed",
    "Uncertain, suspected sarcoidosis pending biopsy",
)


@pytest.mark.parametrize("said", UNKNOWN_UNTIL_TESTS)
def test_nothing_known_until_something_is_done_is_no_diagnosis(said: str) -> None:
    assert not isinstance(parse_doctor_message(f"DIAGNOSIS READY: {said}"), Diagnosis)


@pytest.mark.parametrize("said", NAMED_ALL_THE_SAME)
def test_a_disease_named_beside_what_is_unknown_is_a_diagnosis(said: str) -> None:
    assert isinstance(parse_doctor_message(f"DIAGNOSIS READY: {said}"), Diagnosis)


@pytest.mark.parametrize(
    "said",
    [
        "DIAGNOSIS READY (confidence 85%): Pulmonary embolism",
        "**DIAGNOSIS READY** (my final answer): Pulmonary embolism.",
        "DIAGNOSIS READY: (Pulmonary embolism)",
    ],
)
def test_a_remark_in_brackets_before_the_colon_is_no_diagnosis(said: str) -> None:
    read = parse_doctor_message(said)
    assert isinstance(read, Diagnosis)
    assert read.diagnosis == "Pulmonary embolism"
