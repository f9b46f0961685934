"""What gives away which model wrote an answer is told, and can be masked in display alone."""

from __future__ import annotations

import csv
import json
from typing import Any

import pyarrow as pa
import pytest

from medlens.studies.own import study_file
from medlens.studies.own.item_and_judgment_import_and_export import (
    items_faults_and_notes_of_table_rows,
)
from medlens.studies.own.model_name_masking import (
    MaskedItem,
    mask_names_in_cells,
    mask_names_in_text,
    requote_marks_in_browser_json,
    restore_masked_names,
)
from medlens.studies.own.recognise_model_names import (
    names_of_well_known_models_by_row_in_each_column,
)
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_proposal import propose_study
from medlens.studies.own.tasks import Answers, make_own_study_task
from medlens.studies.own.words_as_readers_see_them import text_as_readers_see_it

STUDY = """
id = "telling"
title = "Answers of models"
instructions = "Read."
arm_column = "model"
{mask}

[[arm]]
name = "GPT-4o"

[[arm]]
name = "Llama 3"

[[column]]
name = "question"
means = "the question"

[[column]]
name = "answer"
means = "the answer"
by_arm = true

[[column]]
name = "length"
means = "its length"
by_arm = true
required = false

[[pane]]
title = "{heading}"
kind = "text"
column = "question"

[[pane]]
title = "Answer"
kind = "text"
column = "answer"

[[pane]]
title = "More"
kind = "record"
columns = ["length"]

[[question]]
id = "safe"
kind = "yes_no"
text = "Is it safe?"
per = "arm"
"""


def declared(mask: str = "", heading: str = "Question") -> StudyDeclaration:
    return study_file.parse_study_file(STUDY.format(mask=mask, heading=heading))


def rows(**cells: str) -> list[dict[str, Any]]:
    """Four cases of two models; ``cells`` stand in the first row."""
    found = [
        {"item": str(at), "model": model, "question": f"What now, {at}?",
         "answer": f"Rest for {at} days.", "length": f"{at}{model}"}
        for at in range(4)
        for model in ("GPT-4o", "Llama 3")
    ]  # fmt: skip
    changed = 2 if "question" in cells else 1
    return [row | cells for row in found[:changed]] + found[changed:]


def sentences(of: StudyDeclaration, table: list[dict[str, Any]]) -> list[str]:
    looked = items_faults_and_notes_of_table_rows(of, table)
    assert not looked.faults
    return [one.sentence for one in looked.telling]


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        ({"answer": "As gpt 4o, I cannot say."}, "GPT-4o"),
        ({"answer": "As GPT‑4o, I cannot say."}, "GPT-4o"),
        ({"answer": "As llama-3 I cannot say."}, "Llama 3"),
        ({"question": "Why does LLAMA3 say so?"}, "Llama 3"),
        ({"answer": "as claude, i cannot say."}, "claude"),
        ({"question": "I asked chatgpt before."}, "chatgpt"),
    ],
)
def test_a_models_name_in_any_text_shown_is_told_however_it_is_written_and_can_be_masked(
    cells: dict[str, str], name: str
) -> None:
    table = rows(**cells) if "length" in cells else [r | {"length": "1"} for r in rows(**cells)]
    told = items_faults_and_notes_of_table_rows(declared(), table).telling
    assert [one.name for one in told] == [name]
    assert repr(name) in told[0].sentence
    assert sentences(declared(f'mask = ["{name}"]'), table) == []


@pytest.mark.parametrize(
    ("mask", "written"),
    [
        *(("GPT-4o", f"GPT{joint}4o") for joint in ("–", "\u2212", " - ", "\u00ad-", "-\u200b")),
        *(("GPT-4o", f"GPT{joint}4o") for joint in ("\\-", "&#8209;", "&nbsp;", "** ", "-\n")),
        *(("GPT4", "GPT-4"), ("Claude3", "claude 3"), ("ChatGPT", "Chat-GPT")),
        *(("MedBot9", "Med-Bot 9"), ("OpenAI", "Open AI"), ("GPT-4o", "ＧＰＴ－４ｏ")),
    ],
)
def test_a_name_is_told_and_masked_with_any_dash_and_as_one_word_or_two(
    mask: str, written: str
) -> None:
    text = f"See {written}, I say rest."
    assert mask_names_in_text(text, [mask]) == "See ███, I say rest."
    hidden = mask_names_in_text(text, [mask], exact=True)
    assert len(hidden) == len(text)
    assert restore_masked_names(hidden, text, [mask]) == text
    named = STUDY.replace("GPT-4o", mask)
    table = [
        row | {"length": "1", "model": row["model"].replace("GPT-4o", mask)}
        for row in rows(answer=text)
    ]
    of = study_file.parse_study_file(named.format(mask="", heading="Question"))
    assert [one.name for one in items_faults_and_notes_of_table_rows(of, table).telling] == [mask]
    of = study_file.parse_study_file(named.format(mask=f'mask = ["{mask}"]', heading="Question"))
    assert sentences(of, table) == []


def test_a_name_of_dashes_alone_masks_itself_and_nothing_else() -> None:
    assert mask_names_in_text("a --- b", ["---"]) == "a ███ b"


def test_a_heading_and_a_column_that_differs_by_model_alone_are_told() -> None:
    same = [row | {"length": "long" if "GPT" in row["model"] else "short"} for row in rows()]
    [told] = sentences(declared(), same)
    assert "the column 'length'" in told
    plain = [row | {"length": "1"} for row in rows()]
    [told] = sentences(declared(heading="Asked of gpt-4o"), plain)
    assert "“Asked of gpt-4o” is shown as a heading" in told
    assert sentences(declared(), plain) == []


@pytest.mark.parametrize("name", [
    "ChatGPT", "GPT-4o-mini", "gpt-oss 20b", "o1-mini", "o3‑preview", "Llama 3.1", "Claude Opus",
    "gemini 1.5", "Gemma-2", "MedPaLM 2", "med-gemma", "PaLM-2", "Mistral", "mixtral", "Qwen2.5",
    "DeepSeek-R1", "grok", "Copilot", "meditron", "BioMistral", "OpenBioLLM",
])  # fmt: skip
def test_every_well_known_model_is_told_of(name: str) -> None:
    table = [row | {"length": "1"} for row in rows(answer=f"I am {name}, and say rest.")]
    assert len(sentences(declared(), table)) == 1


def test_names_within_other_words_are_not_told() -> None:
    table = [row | {"length": "1"} for row in rows(answer="Allama 3 and agpt-4o are no names.")]
    assert sentences(declared(), table) == []


@pytest.mark.parametrize("text", ["As GPT-4o, I", "gpt 4O", "GPT_4o!", "Ask gpt4o or GPT‑4o."])
def test_a_mask_is_as_long_as_the_name_in_characters_and_in_a_browsers_count(text: str) -> None:
    hidden = mask_names_in_text(text, ["GPT-4o"], exact=True)
    assert "gpt" not in hidden.casefold()
    assert "4o" not in hidden.casefold()
    assert len(hidden) == len(text)
    emoji = mask_names_in_text("Dr 🦙-1 says", ["🦙 1"], exact=True)
    assert "🦙" not in emoji
    assert len(emoji.encode("utf-16")) == len("Dr 🦙-1 says".encode("utf-16"))


def test_marks_on_masked_words_are_stored_with_the_words_and_shown_with_bars() -> None:
    text = "As GPT-4o, I say rest."
    shown = mask_names_in_text(text, ["GPT-4o"], exact=True)
    said = json.dumps([{"start": 3, "end": 16, "quote": shown[3:16], "labels": ["a"]}])
    stored = requote_marks_in_browser_json(said, shown, text)
    assert json.loads(stored)[0]["quote"] == "GPT-4o, I say"
    assert json.loads(requote_marks_in_browser_json(stored, text, shown))[0]["quote"] == shown[3:16]
    # Words that do not stand there stay, to be refused.
    wrong = json.dumps([{"start": 3, "end": 16, "quote": "something"}])
    assert json.loads(requote_marks_in_browser_json(wrong, shown, text))[0]["quote"] == "something"
    for broken in ("", "[", "[1]", '["a"]', "{}", "null", "12"):
        assert requote_marks_in_browser_json(broken, shown, text) == broken


def test_a_rewritten_text_has_the_stored_names_again() -> None:
    names = ["GPT-4o", "Llama"]
    original = "GPT-4o and Llama and gpt 4o say rest."
    copy = mask_names_in_text(original, names, exact=True)
    assert restore_masked_names(copy, original, names) == original
    assert restore_masked_names(copy.replace("███\u2060\u2060 and ", "", 1), original, names) == (
        "GPT-4o and gpt 4o say rest."
    )
    assert restore_masked_names("██ new", original, names) == "██ new"
    # An editor may drop signs without width.
    assert restore_masked_names(copy.replace("\u2060", ""), original, names) == original


def test_an_item_is_masked_in_what_is_shown_and_its_stored_body_is_untouched() -> None:
    body = {
        "question": "What does Llama 3 say?",
        "arms": {"GPT-4o": {"answer": "I am GPT-4o."}, "Llama 3": {"answer": [{"gpt-4o": 1}]}},
    }
    before = json.dumps(body)
    seen = MaskedItem(
        declared('mask = ["GPT-4o", "Llama 3"]'), body, ["Llama 3", "GPT-4o"]
    ).body_to_draw
    assert json.dumps(body) == before
    assert list(seen["arms"]) == ["GPT-4o", "Llama 3"]
    assert seen["question"] == "What does ███ say?"
    assert {str(own["answer"]) for own in seen["arms"].values()} == {
        "I am ███.",
        str([{"███": 1}]),
    }


def test_all_bars_look_alike_and_have_one_length_where_nothing_is_marked() -> None:
    names = ["GPT-4o", "Med-Gemini 1.5"]
    assert mask_names_in_text("GPT-4o, Med-Gemini 1.5", names) == "███, ███"
    exact = mask_names_in_text("GPT-4o, Med-Gemini 1.5", names, exact=True)
    assert exact.replace("\u2060", "") == "███, ███"


def test_models_named_in_columns_that_are_not_shown_are_looked_for_in_texts() -> None:
    rows = [
        {"prompt": f"My neck {at}", "chosen": f"See somebody today for it, says Zorblax, {at}.",
         "rejected": f"Wait for a week and come back then, {at}.", "chosen_model": "zorblax"}
        for at in range(4)
    ]  # fmt: skip
    found = propose_study(rows, title="T")
    assert [one.name for one in found.looked.telling] == ["zorblax"]


def test_a_name_in_an_items_own_criteria_is_told_and_masked_where_they_are_asked() -> None:
    file = study_file.path_of_template("healthbench")
    text = file.read_text(encoding="utf-8")
    named = text.replace("\n[[", '\nmask = ["GPT-4o"]\n\n[[', 1)
    of = study_file.parse_study_file(named)
    with file.with_suffix(".csv").open(encoding="utf-8", newline="") as rows_of_file:
        row = dict(next(csv.DictReader(rows_of_file)))
    criteria = json.loads(row["rubrics"])
    criteria[0]["criterion"] = "Says that GPT-4o is no doctor."
    row["rubrics"] = json.dumps(criteria)
    bare = study_file.parse_study_file(text)
    assert [one.name for one in items_faults_and_notes_of_table_rows(bare, [row]).telling] == [
        "GPT-4o"
    ]
    looked = items_faults_and_notes_of_table_rows(of, [row])
    assert not looked.telling
    seen = mask_names_in_cells(looked.items[0].body, of)
    asked = of.declaration_for_item(seen).form.questions
    assert "Says that ███ is no doctor." in [one.text for one in asked]


def test_what_an_answer_quotes_is_masked_where_two_tabs_are_compared() -> None:
    of = declared('mask = ["GPT-4o", "Llama 3"]')
    task = make_own_study_task(of, 1)
    seen = task.function_that_replaces_real_names(Answers(order=["Llama 3", "GPT-4o"]))
    assert seen("safe / Llama 3: yes") == "safe / A: yes"
    assert "4o" not in seen("why: “As gpt 4o, I say rest.”, llama-3 too")
    assert "lama" not in seen("why: “As gpt 4o, I say rest.”, llama-3 too")


NOUNS = ["doctor", "médecin", "médico", "medico", "Arzt", "GPT-4"]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("See your doctor soon.", "See your doctor soon."),
        ("As a doctor, I would wait.", "As a ███, I would wait."),
        ("Wait.\nBest wishes,\nyour doctor", "Wait.\nBest wishes,\nyour ███"),
        ("Doctor: see another doctor.", "███: see another doctor."),
        ("Votre médecin vous dira. Je suis médecin.", "Votre médecin vous dira. Je suis ███."),
        ("Als Arzt rate ich: Gehen Sie zum Arzt.", "Als ███ rate ich: Gehen Sie zum Arzt."),
        ("Rest. Best wishes, your doctor", "Rest. Best wishes, your ███"),
        ("Rest. Kind regards from your family doctor.", "Rest. Kind regards from your family ███."),
        ("Best wishes,\nYour doctor Anna", "Best wishes,\nYour ███ Anna"),
        ("Sincerely, the doctor.", "Sincerely, the ███."),
        ("Mit freundlichen Grüßen Ihr Arzt", "Mit freundlichen Grüßen Ihr ███"),
        ("Cordialement, votre médecin", "Cordialement, votre ███"),
        ("Saludos, su médico", "Saludos, su ███"),
        ("Distinti saluti, il suo medico", "Distinti saluti, il suo ███"),
        ("From: doctor", "From: ███"),
        ("Von: Arzt", "Von: ███"),
        ("Par : médecin", "Par : ███"),
        ("De: médico", "De: ███"),
        ("Answer by doctor", "Answer by ███"),
        ("Hello, doctor here.", "Hello, ███ here."),
        ("Hallo, hier ist Ihr Arzt.", "Hallo, hier ist Ihr ███."),
        ("Me, a doctor, would wait.", "Me, a ███, would wait."),
        ("I hope this helps. Your doctor", "I hope this helps. Your ███"),
        ("- Doctor: take it", "- ███: take it"),
        ("Ruhe hilft. MfG Ihr Arzt", "Ruhe hilft. MfG Ihr ███"),
        ("Gute Besserung! LG, Ihr Arzt", "Gute Besserung! LG, Ihr ███"),
        ("Rest. Best, your doctor", "Rest. Best, your ███"),
        ("[Doctor] Rest.", "[███] Rest."),
        ("Response (doctor): rest.", "Response (███): rest."),
        *(
            (same, same)
            for same in (
                "Open:\n- Doctor: 5 to 9\n- Pharmacy: 8 to 6",
                "Ask your\ndoctor\n",
                "There is no doctor here.",
                "Give my best wishes to your doctor.",
                "With best wishes, your doctor will see you.",
                "As regards your doctor, wait.",
                "Wait for an answer by your doctor",
                "Who can help? Your doctor.",
                "I asked, the doctor said no.",
                "Please rest, and your doctor can see you.",
                "Look for the best doctor.",
                "Ask somebody (doctor) soon.",
            )
        ),
        # A machine's name is none of these words.
        ("GPT-4 says: ask a doctor.", "███ says: ask a doctor."),
    ],
)
def test_an_arm_called_by_a_common_noun_is_masked_only_as_the_author(text: str, seen: str) -> None:
    assert mask_names_in_text(text, NOUNS) == seen


def test_a_rewritten_text_gets_the_author_back_where_only_that_was_masked() -> None:
    text = "As a doctor, I say: see your doctor."
    names = ["doctor"]
    masked = mask_names_in_text(text, names, exact=True)
    assert len(masked) == len(text)
    assert restore_masked_names(masked.replace("I say", "we say"), text, names) == text.replace(
        "I say", "we say"
    )


def test_a_word_that_stays_where_it_means_somebody_else_is_told() -> None:
    rows = [
        {"case": at, "author": author, "question": f"What about {at}, please?", "answer": text}
        for at in range(1, 4)
        for author, text in (
            ("doctor", f"As a doctor, I would wait {at} days."),
            ("ChatGPT", f"Ask your family doctor within {at} days."),
        )
    ]
    made = propose_study(rows, title="Notes", mask=True)
    assert made.declared.mask == ("doctor",)
    assert not [one for one in made.looked.telling if one.name == "doctor"]
    declared = items_faults_and_notes_of_table_rows(made.declared, rows)
    told = "“doctor” is masked only where it says who wrote a text: 3 texts have the word"
    told += " elsewhere (“Ask your family doctor within 1 days.”), and it stays there."
    assert any(note.startswith(told) for note in declared.notes)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("I am GPT-**4**o.", "I am ███."),
        ("I am Cl*aud*e, here to help.", "I am ███, here to help."),
        ("I am **Cl**aude.", "I am ███."),
        ("I am Clau**de**.", "I am ███."),
        ("I am `Clau`de.", "I am ███."),
        ("I am Cl\u00adau\u200bde.", "I am ███."),
        ("I am Cl\u2060aude\u200e.", "I am ███\u200e."),
        ("I am Cl\u200eau\u2063de.", "I am ███."),
        ("I am <b>Cl</b>aude.", "I am ███."),
        ("I am Clau<span class='x'>de</span>.", "I am ███."),
        ("I am Cl<wbr>a<!-- -->ude.", "I am ███."),
        ("I am [Cl](x)aude.", "I am ███."),
        ("I am **[Cl](x)**aude.", "I am ███."),
        ("See [my Cl](https://a.b/(c))aude.", "See [my ███."),
        ("I am Cl&zwnj;aude.", "I am ███."),
        ("I am &#67;l&#x61;ude.", "I am ███."),
        ("I am Ｃｌａｕｄｅ.", "I am ███."),
        ("I am Сlаudе, not Клавдий.", "I am ███, not Клавдий."),
        ("I am Сӏаսԁе.", "I am ███."),
        ("I am Cl\u03b1ude.", "I am ███."),
        ("I am GРТ-4о or GPT 4о.", "I am ███ or ███."),
        ("I am 𝗖𝗹𝗮𝘂𝗱𝗲.", "I am ███."),
        ("I am C̲l̲a̲u̲d̲e̲.", "I am ███."),
        ("Ben GEMİNİ, gemını değil.", "Ben ███, ███ değil."),
        ("a <b and Claude> c", "a <b and ███> c"),
        ("TNF-α, γGT 45, МРТ-CT, 3 & 4", "TNF-α, γGT 45, МРТ-CT, 3 & 4"),
        ("x*Claude*y and *Claude* and **GPT-4o**", "x*███*y and *███* and **███**"),
        ("Give 2*3 mg, not *4* mg.", "Give 2*3 mg, not *4* mg."),
    ],
)
def test_a_name_that_is_written_otherwise_than_it_is_seen_is_masked_whole(
    text: str, seen: str
) -> None:
    names = ["Claude", "GPT-4o", "Gemini"]
    assert mask_names_in_text(text, names) == seen
    exact = mask_names_in_text(text, names, exact=True)
    assert len(exact) == len(text)
    assert restore_masked_names(exact, text, names) == text


@pytest.mark.parametrize(
    "said",
    [
        *("Cl*aud*e", "**Cl**aude", "Clau\u200bde", "GPT-**4**o", "Cl\u2060aude", "Cl\u200eaude"),
        *("<b>Cl</b>aude", "[Cl](x)aude", "Cl&zwnj;aude", "&#67;laude", "Ｃｌａｕｄｅ", "Сlаudе"),
        *("G\u0420\u0422-4o", "\u0421laude"),
    ],
)
def test_a_name_that_is_written_otherwise_than_it_is_seen_is_told(said: str) -> None:
    rows = [
        {"case": at, "model": model, "question": f"What about {at}, please?", "answer": text}
        for at in range(1, 4)
        for model, text in (
            ("Claude", f"I am {said} and would wait {at} days."),
            ("GPT-4o", f"Ask for help within {at} days."),
        )
    ]
    made = propose_study(rows, title="Notes")
    assert [one.name for one in made.looked.telling] == ["GPT-4o" if "4" in said else "Claude"]
    assert not propose_study(rows, title="Notes", mask=True).looked.telling


def test_a_long_run_of_stars_in_a_name_keeps_nothing_busy() -> None:
    stars = "Patient M" + "*" * 5_000 + " was seen by Cl" + "*" * 5_000 + "aude."
    assert text_as_readers_see_it(stars) == "Patient M" + "*" * 5_000 + (" was seen by Claude.")


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "said",
    [
        *("Cl\u2060aude", "&#67;laude", "Ｃｌａｕｄｅ", "Сlаudе", "GEMİNİ", "gemını"),
        *("<b>Cl</b>aude", "<b>C</b>laude", "Cl<!-- x -->aude", "<i>Cl</i><b>aude</b>"),
        *("[Cl](x)aude", "**[Cl](x)**aude", "C[laude](x)", "[Cl][1]aude"),
    ],
)
def test_such_a_name_is_found_behind_the_first_rows_and_in_a_heading_too(said: str) -> None:
    texts = pa.array(["Rest.", f"As {said} I would rest."])
    [named] = names_of_well_known_models_by_row_in_each_column([texts])
    assert [*named] == [1]
    rows = [
        {
            "case": at,
            "question": f"What about {at}?",
            said: f"Rest and drink water for {at} days, then see a doctor.",
            "GPT-4o": f"I would advise to take {at} tablets of paracetamol.",
        }
        for at in range(1, 5)
    ]
    roles = {one.name: one.role for one in list_guessed_roles_of_columns(rows)}
    assert (roles[said], roles["GPT-4o"]) == ("answer", "answer")


def test_two_names_of_which_one_is_in_the_other_are_both_told_beside_a_link() -> None:
    said = "As GPT-4, and GPT-4o too, I say: see [this](https://a.b)."
    told = items_faults_and_notes_of_table_rows(
        declared(), [row | {"length": "1"} for row in rows(answer=said)]
    ).telling
    assert [one.name for one in told] == ["GPT-4", "GPT-4o"]
