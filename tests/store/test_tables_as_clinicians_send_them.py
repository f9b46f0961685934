"""Files as clinicians send them are read as the browser and the command line read them."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens import cli
from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.studies.own.study_proposal import Proposal, propose_study
from medlens.tables.html_and_xml_table_saved_as_xls import begins_as_web_page, largest_table
from tests.messy_tables import Messy
from tests.store.test_messy_tables import look_at

TURNS = [
    ("c1", 1, "user", "My stoma bag keeps leaking since yesterday."),
    ("c1", 2, "assistant", "Has the output become thinner, or is the skin sore?"),
    ("c2", 1, "user", "How do I taper prednisolone from 5 mg?"),
    ("c2", 2, "assistant", "That depends on how long you have taken it."),
]
TURNS_AS_OBJECTS = [
    dict(zip(("conversation_id", "turn", "role", "content"), one, strict=True)) for one in TURNS
]


def as_json_lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pd.DataFrame(rows).to_parquet(out)
    return out.getvalue()


def look(
    folder: Path, content: bytes | list[dict[str, Any]], file: str = "cases.csv"
) -> tuple[Proposal, str]:
    """The study proposed for a file with this content, and all that is told of it."""
    if isinstance(content, list):
        content = as_json_lines(content)
    proposal, notes = look_at(folder, Messy(file, content, -1))
    return proposal, "\n".join(notes)


def shown_in(proposal: Proposal) -> set[str]:
    declared = proposal.declared
    wide = declared.arms.wide if declared.arms else {}
    return {*declared.shown_text_columns, *(name for of in wide.values() for name in of.values())}


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("turns.jsonl", as_json_lines(TURNS_AS_OBJECTS)),
        ("turns.json", json.dumps(TURNS_AS_OBJECTS).encode()),
        ("turns.parquet", as_parquet(TURNS_AS_OBJECTS)),
        (
            "nested.jsonl",
            as_json_lines(
                [
                    {"session": one, "message": {"role": role, "content": said}}
                    for one, _, role, said in TURNS
                ]
            ),
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_an_object_for_each_turn_becomes_a_dialogue_for_each_conversation(
    tmp_path: Path, file: str, content: bytes
) -> None:
    proposal, told = look(tmp_path, content, file)
    assert len(proposal.looked.items) == 2
    assert "the 4 turns are 2 conversations" in told
    assert [pane.kind for pane in proposal.declared.initial_panes] == ["dialogue"]


def test_objects_with_an_answer_each_are_no_turns(tmp_path: Path) -> None:
    rows = [{**one, "model": f"Model {at % 2}"} for at, one in enumerate(TURNS_AS_OBJECTS)]
    proposal, told = look(tmp_path, rows, "models.jsonl")
    assert "turns are" not in told
    assert proposal.declared.arms is not None


LETTERS = (
    "Dear colleague, your patient had chest pain; the ECG showed no change. Go on with aspirin.",
    "Dear colleague, this patient was seen for a cough; the lungs are clear. No treatment needed.",
)
STORY = "A man of {} with hypertension, who smokes, comes to the emergency department at night."


def as_csv(*rows: tuple[Any, ...]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


@pytest.mark.first_quick
@pytest.mark.parametrize("heading", ["reason", "Grund", "motivo", "raison", "Motif", "Reden"])
def test_why_a_patient_came_is_shown_and_why_an_answer_is_right_is_not(
    tmp_path: Path, heading: str
) -> None:
    before = ("case", heading, "history", "Letter GPT-4o", "Letter Gemini")
    rows = [(at, f"chest pain {at}", STORY.format(50 + at), *LETTERS) for at in range(4)]
    proposal, _ = look(tmp_path, as_csv(before, *rows))
    assert heading in shown_in(proposal)

    beside = ("case", "question", "key", heading, "answer")
    rows = [(at, STORY.format(at), "B", "As B is too late.", LETTERS[at % 2]) for at in range(4)]
    assert heading not in shown_in(look(tmp_path, as_csv(beside, *rows))[0])

    behind = ("case", "question", "answer", heading)
    rows = [(at, STORY.format(at), LETTERS[at % 2], f"As {at} is late.") for at in range(4)]
    assert heading not in shown_in(look(tmp_path, as_csv(behind, *rows))[0])


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "heading",
    [
        *("Carimbo de data/hora", "Informazioni cronologiche", "Tijdstempel", "Sygnatura czasowa"),
        *("Horodateur", "Marca temporal", "Zeitstempel", "Tidsstempel", "Hora de início"),
        "Отметка времени",
    ],
)
@pytest.mark.parametrize("moment", ["2026/03/01 10:22:31 AM GMT+1", "1 mars 2026, {} h"])
def test_when_a_form_was_sent_is_not_shown_and_told(
    tmp_path: Path, heading: str, moment: str
) -> None:
    rows = [
        (moment.format(at), STORY.format(60 + at), LETTERS[at % 2] + "!" * at) for at in range(3)
    ]
    proposal, told = look(tmp_path, as_csv((heading, "Caso clínico", "Resposta da IA"), *rows))
    assert heading not in shown_in(proposal)
    assert f"Reviewers do not see “{heading}”: a program writes that beside a table" in told


@pytest.mark.parametrize(
    ("output", "options"), [("output", "options"), ("uitvoer", "opties"), ("Ausgabe", "Optionen")]
)
def test_what_a_model_chose_and_said_of_it_is_shown_and_what_is_right_is_not(
    tmp_path: Path, output: str, options: str
) -> None:
    rows = [
        {
            "id": f"q{at}",
            "question": STORY.format(at) + " What now?",
            options: [{"letter": "A", "text": "Aspirin"}, {"letter": "B", "text": "Heparin"}],
            "correct_answer": "A",
            "explanation": f"Aspirin comes first, as trial {at} has shown beyond all doubt.",
            output: {
                "choice": "AB"[at % 2],
                "explanation": f"{LETTERS[at % 2]} {at}",
                "logprob": -0.1 * at,
            },
        }
        for at in range(4)
    ]
    proposal, told = look(tmp_path, rows, "mcq.jsonl")
    assert {options, f"{output}.choice", f"{output}.explanation"} <= shown_in(proposal)
    assert not {"explanation", "correct_answer", f"{output}.logprob"} & shown_in(proposal)
    assert "“correct_answer”, “explanation”: by their names" in told


def test_a_blank_answer_is_told_with_its_case_and_asked_of_nobody(tmp_path: Path) -> None:
    rows = [
        (f"K{at}", model, STORY.format(at), "" if (at, model) == (2, "leo-13b") else said)
        for at in range(4)
        for model, said in zip(("mixtral-8x22b", "leo-13b"), LETTERS, strict=True)
    ]
    proposal, told = look(tmp_path, as_csv(("case", "model", "question", "answer"), *rows))
    assert "“leo-13b” gave none to “K2” (row 6). Reviewers are not asked about it" in told
    assert "at most one cell" not in told
    item = next(one for one in proposal.looked.items if one.name == "K2")
    assert isinstance(item.body, dict)
    assert proposal.declared.arms_to_judge(item.body) == ["mixtral-8x22b"]


@pytest.mark.parametrize("heading", ["Fall-Nr.", "patient_id", "Patientennummer"])
def test_a_studys_own_short_numbers_are_no_record_numbers_and_long_ones_are(
    tmp_path: Path, heading: str
) -> None:
    rows = [(f"U-0{at}", STORY.format(at), LETTERS[at % 2]) for at in range(1, 5)]
    proposal, _ = look(tmp_path, as_csv((heading, "Anamnese", "Antwort"), *rows))
    assert not proposal.identifying
    rows = [(f"70041{at}", *others) for at, (_, *others) in enumerate(rows)]
    assert look(tmp_path, as_csv((heading, "Anamnese", "Antwort"), *rows))[0].identifying


@pytest.mark.first_quick
@pytest.mark.parametrize("heading", ["record_id", "Patient", "paziente", "Fallnummer", "caso"])
def test_names_that_repeat_number_the_items_and_that_is_told(tmp_path: Path, heading: str) -> None:
    rows = [(f"P{at // 2}", STORY.format(at), f"{LETTERS[at % 2]} {at}") for at in range(6)]
    proposal, told = look(tmp_path, as_csv((heading, "note", "ai_summary"), *rows))
    assert len(proposal.looked.items) == 6
    assert f"“{heading}” does not name the items, because “P0”" in told
    assert "numbered" in told


@pytest.mark.first_quick
@pytest.mark.parametrize("stem", ["Svar", "Answer", "Antwort"])
@pytest.mark.parametrize(
    "heading",
    [
        *("Facit", "Fasit", "Guldstandard", "Referansesvar", "Modellsvar", "Mönstersvar"),
        *("Forklaring", "模範解答", "解説", "الإجابة النموذجية", "الشرح", "Risposta attesa"),
        *("Soluzione", "Solução", "Réponse type", "Modelantwoord", "Leitlinienempfehlung"),
        *("Guideline answer", "Xyzzy"),
    ],
)
def test_what_is_right_beside_two_models_is_no_third_model_in_any_language(
    tmp_path: Path, stem: str, heading: str
) -> None:
    headings = ("Nr", "Fråga", f"{stem} GPT-4o", f"{stem} Gemini", heading)
    rows = [(at, STORY.format(at), *LETTERS, f"The guideline says, {STORY}") for at in range(3)]
    proposal, told = look(tmp_path, as_csv(headings, *rows))
    assert proposal.declared.arms is not None
    assert proposal.declared.arms.names == ("GPT-4o", "Gemini")
    assert heading not in shown_in(proposal)
    assert f"Reviewers do not see “{heading}”" in told


def test_a_word_beside_two_models_that_may_be_one_is_told(tmp_path: Path) -> None:
    rows = [(at, STORY.format(at), *LETTERS, LETTERS[0] + "!") for at in range(3)]
    proposal, told = look(tmp_path, as_csv(("id", "case", "ChatGPT", "Gemini", "Xyzzy"), *rows))
    assert proposal.declared.arms is not None
    assert "Xyzzy" in proposal.declared.arms.names
    assert "“Xyzzy” is taken for a model, as it stands beside “ChatGPT”" in told


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("criterion", "points"),
    [
        *(("critério", "pontos"), ("criterio", "punti"), ("criterium", "punten"), ("基準", "点")),
        *(("kriterium", "poäng"), ("Kriterie", "point"), ("المعيار", "النقاط")),
    ],
)
def test_criteria_with_a_row_each_are_known_in_any_language(
    tmp_path: Path, criterion: str, points: str
) -> None:
    rows = [
        (f"k{at}", STORY.format(at), LETTERS[at % 2], said, worth)
        for at in range(3)
        for said, worth in (("Names the urgency", 2), ("Says where to go", 1), ("Harms", -3))
    ]
    proposal, _ = look(tmp_path, as_csv(("case", "question", "answer", criterion, points), *rows))
    assert proposal.declared.criteria_column
    assert len(proposal.looked.items) == 3


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "form", ["{} (max. 2)", "{} /2", "{} (2 pnt)", "{}: 2 points", "{} (2 Pkt.)", "{} [+2]"]
)
def test_points_of_criteria_in_headings_are_known_as_people_write_them(
    tmp_path: Path, form: str
) -> None:
    criteria = (form.format("Names the urgency"), form.format("Says where to go"))
    rows = [(at, STORY.format(at), LETTERS[at % 2], "", "") for at in range(3)]
    proposal, told = look(tmp_path, as_csv(("case", "question", "answer", *criteria), *rows))
    assert proposal.declared.criteria_column
    assert "2 columns are criteria with their points in the heading" in told


def test_rows_that_look_alike_and_differ_in_what_is_hidden_are_not_to_be_left_out(
    tmp_path: Path,
) -> None:
    rows = [
        (f"k{at}", STORY.format(at), LETTERS[at % 2], f"Aspect {part}", part)
        for at in range(3)
        for part in range(3)
    ]
    told = look(tmp_path, as_csv(("case", "question", "answer", "aspect", "weighing"), *rows))[1]
    assert "6 rows show the same as an earlier one, and differ in “aspect”, “weighing”" in told
    assert "Then call these columns criterion and points" in told


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("headings", "asks", "answers"),
    [
        (("Gespräch", "Zug", "Wer", "Was"), "Patientin", "Arzt"),
        (("échange", "ordre", "locuteur", "message"), "patient", "médecin"),
        (("samtale", "tur", "taler", "tekst"), "patient", "læge"),
        (("thread", "n", "author", "body"), "user", "assistant"),
        (("case", "step", "kind", "said to whom"), "patient", "AI"),
    ],
)
def test_turns_under_other_headings_are_gathered_too(
    tmp_path: Path, headings: tuple[str, ...], asks: str, answers: str
) -> None:
    rows = [
        (f"c{at // 2}", at % 2 + 1, (asks, answers)[at % 2], f"{LETTERS[at % 2]} {at}")
        for at in range(8)
    ]
    proposal, told = look(tmp_path, as_csv(headings, *rows))
    assert "the 8 turns are 4 conversations" in told
    assert len(proposal.looked.items) == 4


def test_turns_with_two_models_are_two_conversations_for_each_case(tmp_path: Path) -> None:
    rows = [
        {
            "case": case,
            "model": model,
            "turn": turn,
            "role": role,
            "content": f"{said} {case}{len(model)}",
        }
        for case in ("a", "b", "c")
        for model in ("claude-3-opus", "mixtral-8x7b")
        for turn, (role, said) in enumerate(zip(("user", "assistant"), LETTERS, strict=True))
    ]
    proposal, _ = look(tmp_path, rows, "turns.jsonl")
    assert proposal.declared.arms is not None
    assert set(proposal.declared.arms.names) == {"claude-3-opus", "mixtral-8x7b"}
    assert len(proposal.looked.items) == 3


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "said",
    [
        *(
            "I am Perplexity, an AI assistant, and no doctor.",
            "I'm Zyzzyva, a large language model.",
        ),
        *("As OpenEvidence, I can say so.", "I was developed by Nabla Health."),
        *("Ich bin Meddy, ein KI-Assistent.", "Soy Hipócrates, un chatbot de salud."),
        "Je suis Le Chat, une IA.",
    ],
)
def test_who_says_what_it_is_called_is_told_whatever_its_name(tmp_path: Path, said: str) -> None:
    rows = [(at, STORY.format(at), LETTERS[at % 2] + said * (at == 1)) for at in range(3)]
    assert look(tmp_path, as_csv(("id", "question", "answer"), *rows))[0].looked.telling


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "said",
    [
        *("I am a doctor, and an AI is no doctor.", "As Dr. Smith, I know.", "As such, I wait."),
        *("The diagnosis is made by MRI.", "Als Arzt kann ich das sagen.", "I was born in May."),
        *("Soy María, la madre de un niño.", "I am Anna, a nurse.", "As AI, I cannot know."),
    ],
)
def test_who_says_something_else_of_itself_is_not_told(tmp_path: Path, said: str) -> None:
    rows = [(at, STORY.format(at), LETTERS[at % 2] + said * (at == 1)) for at in range(3)]
    assert not look(tmp_path, as_csv(("id", "question", "answer"), *rows))[0].looked.telling


PAGE = (
    '<html><head><meta charset="utf-8"></head><body><p>Export</p><table border=1>'
    "<tr><th>N. cartella</th><th>Quesito clinico</th><th>Risposta del sistema</th></tr>"
    f"<tr><td rowspan=2>00001</td><td rowspan=2>{STORY.format(1)}</td><td>{LETTERS[0]}</td></tr>"
    f"<tr><td>{LETTERS[1]}<br>&Egrave; vero.</td></tr>"
    f"<tr><td>00002</td><td>{STORY.format(2)}</td><td>{LETTERS[1]}</td></tr></table></body></html>"
)
EXCEL_XML = (
    '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook'
    ' xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="A"><Table>'
    + "".join(
        "<Row>" + "".join(f'<Cell><Data ss:Type="String">{c}</Data></Cell>' for c in row) + "</Row>"
        for row in (
            ("N. cartella", "Quesito clinico", "Risposta del sistema"),
            ("00001", STORY.format(1), LETTERS[0]),
            ("00002", STORY.format(2), LETTERS[1]),
        )
    )
    + "</Table></Worksheet></Workbook>"
)


@pytest.mark.parametrize(("page", "items"), [(PAGE, 3), (EXCEL_XML, 2)], ids=["html", "xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_table_that_is_a_web_page_is_read_as_excel_shows_it(
    tmp_path: Path, page: str, items: int, encoding: str
) -> None:
    proposal, told = look(tmp_path, page.encode(encoding), "export.xls")
    assert len(proposal.looked.items) == items
    assert "this is a web page with a table, as some programs write for Excel" in told
    first = proposal.looked.items[0].body
    assert isinstance(first, dict)
    assert {"00001", proposal.looked.items[0].name} & {first.get("N. cartella"), "00001"}
    if page is PAGE:
        assert "merged cells are filled down, 2 cells below the first" in told
        assert any("È vero." in str(one.body) for one in proposal.looked.items)


def test_a_comment_in_excels_xml_is_no_part_of_its_cell_and_hidden_rows_are_told(
    tmp_path: Path,
) -> None:
    comment = '<Comment ss:Author="me"><ss:Data><B>me:</B> wrong dose</ss:Data></Comment></Cell>'
    shown = '<Row><Cell><Data ss:Type="String">00002'
    hidden = shown.replace("<Row>", '<Row ss:Hidden="1">')
    page = EXCEL_XML.replace("</Cell>", comment, 6).replace(shown, hidden)
    proposal, told = look(tmp_path, page.encode(), "export.xls")
    assert "wrong dose" not in str([one.body for one in proposal.looked.items])
    assert "export.xls: 6 comments on cells are left out." in told
    assert "export.xls: 1 row is hidden in the table, and read like the others." in told


def test_hidden_rows_and_cells_beyond_the_widest_table_of_a_web_page_are_told() -> None:
    style = " style='mso-height:0; DISPLAY : none'"
    wide = "".join(f"<td>{at}" for at in range(2_003))
    table = largest_table(
        f"<table><tr><th>Q<th>A</tr><tr{style}><td>q<td>a</tr><tr{style}></tr><tr>{wide}</tr></table>"
    )
    assert table is not None
    assert (table.hidden, table.cut, len(table.rows[0])) == (1, 3, 2_000)


@pytest.mark.parametrize(
    ("said", "told_of"),
    [
        ("utf-8", "the encoding 'utf-8' does not fit, read as Windows-1252."),
        ("idna", "the encoding 'idna' does not fit, read as Windows-1252."),
        ("iso-8859-1", ""),
        ("", ""),
    ],
)
def test_a_web_page_that_is_not_in_the_encoding_it_says_keeps_its_letters(
    tmp_path: Path, said: str, told_of: str
) -> None:
    meta = f'<meta charset="{said}">' if said else ""
    page = PAGE.replace('<meta charset="utf-8">', meta).replace("&Egrave; vero.", "È “vero”.")
    proposal, told = look(tmp_path, page.encode("cp1252"), "export.xls")
    assert "È “vero”." in str([one.body for one in proposal.looked.items])
    assert told_of in told
    assert bool(told_of) == ("does not fit" in told)


def test_many_comments_before_what_is_no_web_page_take_no_time() -> None:
    assert not begins_as_web_page(b"<!---->" * 500 + b"x")
    assert begins_as_web_page(b"<!-- a --> <!-- <b> -->\n" * 9 + b"<table>")


@pytest.mark.deep
@pytest.mark.first_quick
@pytest.mark.parametrize(
    "bomb",
    [
        "<table><tr><td colspan=2000>x" + "<tr><td>" * 100_000,
        "<table><tr><td rowspan=99999 colspan=2000>x" + "<tr>" * 100_000,
        # Of one table they are few enough.
        ("<table><tr><td rowspan=9999 colspan=1000>x" + "<tr>" * 1_000 + "</table>") * 12,
    ],
)
def test_cells_that_reach_over_millions_of_others_are_refused_at_once(bomb: str) -> None:
    begun = time.process_time()
    with pytest.raises(BadFile, match="span millions"):
        largest_table(bomb)
    assert time.process_time() - begun < 20


def test_a_web_page_without_a_table_is_refused_as_before(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="web page"):
        look(tmp_path, b"<!doctype html><html><body>Sign in</body></html>", "export.xls")


def test_a_rating_is_known_by_the_question_that_a_survey_asked(tmp_path: Path) -> None:
    content = as_csv(
        ("ResponseId", "Q3", "Q4_1", "Q5"),
        ("Response ID", "Please paste the question", "Rate the reply - Safety", "Paste the reply"),
        *[tuple(f'{{"ImportId":"{one}"}}' for one in ("_recordId", "QID3", "QID4_1", "QID5"))],
        *[(f"R_{at}", STORY.format(at), 4 - at, LETTERS[at % 2]) for at in range(3)],
    )
    path = tmp_path / "survey.csv"
    path.write_bytes(content)
    seen = reader_client.read_file_description_in_reader_process(Settings(), path, path.name)
    proposal = propose_study(seen.rows, title="T", survey_questions=seen.layout.questions)
    assert shown_in(proposal) == {"Q3", "Q5"}


def test_what_a_model_chose_in_a_harness_is_shown_with_its_words_and_the_key_is_not(
    tmp_path: Path,
) -> None:
    rows = [
        {
            "doc_id": at,
            "doc": {"question": STORY.format(at), "opa": "Wait", "opb": "Treat", "cop": at % 2},
            "target": at % 2,
            "arguments": {
                f"gen_args_{n}": {"arg_0": f"{STORY.format(at)}\nAnswer:", "arg_1": f" {one}"}
                for n, one in enumerate("AB")
            },
            "resps": [[["-1.2", "False"]], [["-2.2", "False"]]],
            "filtered_resps": [["-1.2", "False"], ["-2.2", "False"]],
            "filter": "none",
            "acc": 1.0,
        }
        for at in range(4)
    ]
    proposal, _ = look(tmp_path, rows, "samples_medmcqa.jsonl")
    assert shown_in(proposal) == {"prompt", "model_answer", "doc.opa", "doc.opb"}
    assert "'model_answer': 'A. Wait'" in str(proposal.looked.items[0].body)


def test_a_column_called_item_that_names_no_item_does_not_take_its_place(tmp_path: Path) -> None:
    rows = [
        (2 * at + n, STORY.format(at), said, model)
        for at in range(4)
        for n, (model, said) in enumerate(zip(("ChatGPT", "Copilot"), LETTERS, strict=True))
    ]
    proposal, _ = look(tmp_path, as_csv(("Item", "Question", "Reply", "Model used"), *rows))
    assert proposal.declared.item.casefold() != "item"
    assert len(proposal.looked.items) == 4


def test_an_answer_given_twice_is_named_where_it_keeps_models_from_being_compared(
    tmp_path: Path,
) -> None:
    rows = [
        (at, model, STORY.format(at), said)
        for at in range(3)
        for model, said in zip(("GPT-4o", "Llama 3"), LETTERS, strict=True)
    ]
    rows.append((1, "GPT-4o", STORY.format(1), LETTERS[1]))
    told = look(tmp_path, as_csv(("Fall", "Modell", "Frage", "Antwort"), *rows))[1]
    assert "“GPT-4o” has answered “1” more than once, in rows 3 and 7. Leave all but one" in told


def test_texts_by_case_under_each_model_are_turned_into_a_row_for_each_case(
    tmp_path: Path,
) -> None:
    given = {
        model: {f"case{at}": f"{said} {at}" for at in range(4)}
        for model, said in zip(("gpt-4o", "llama-3"), LETTERS, strict=True)
    }
    proposal, _ = look(tmp_path, json.dumps(given, indent=1).encode(), "outputs.json")
    assert proposal.declared.arms is not None
    assert proposal.declared.arms.names == ("gpt-4o", "llama-3")
    assert [item.name for item in proposal.looked.items] == [f"case{at}" for at in range(4)]
    plain = {f"q{at}": {"answer1": said, "answer2": said} for at, said in enumerate(LETTERS)}
    proposal, _ = look(tmp_path, json.dumps(plain, indent=1).encode(), "by_id.json")
    assert [item.name for item in proposal.looked.items] == ["q0", "q1"]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "said",
    [
        *("As an AI, I cannot examine you.", "Als KI-Sprachmodell kann ich das nicht sagen."),
        *("En tant qu'IA, je ne peux pas.", "Como modelo de lenguaje no puedo.", "I'm an AI."),
        "Come IA non posso.",
    ],
)
def test_a_text_that_says_it_is_a_machines_is_told_beside_a_persons(
    tmp_path: Path, said: str
) -> None:
    def told_of(*arms: str) -> list[str]:
        rows = [
            (at, arm, STORY.format(at), text)
            for at in range(3)
            for arm, text in zip(arms, (f"{said} {LETTERS[0]}", LETTERS[1]), strict=True)
        ]
        table = as_csv(("Fall", "Quelle", "Frage", "Antwort"), *rows)
        return [one.sentence for one in look(tmp_path, table)[0].looked.telling]

    assert any("that a machine wrote this" in one for one in told_of("Chatbot", "Ärztin"))
    assert not told_of("GPT-4o", "Llama 3")


def test_a_row_without_the_one_answer_that_is_judged_is_told(tmp_path: Path) -> None:
    rows = [(at, STORY.format(at), LETTERS[at % 2] * (at != 2), 40 + at) for at in range(4)]
    told = look(tmp_path, as_csv(("id", "question", "answer", "age"), *rows))[1]
    assert "“answer”, row 3 is empty: reviewers would be asked about an answer" in told


def test_turns_in_parquet_are_not_said_to_be_json_lines(tmp_path: Path) -> None:
    told = look(tmp_path, as_parquet(TURNS_AS_OBJECTS), "turns.parquet")[1]
    assert "turns are 2 conversations" in told
    assert "JSON lines" not in told


def test_a_table_of_which_nothing_would_be_left_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(at, STORY.format(at), f"nurse{at}@clinic.example.org") for at in range(3)]
    table = tmp_path / "survey.csv"
    table.write_bytes(as_csv(("id", "answer", "contact"), *rows))
    made = tmp_path / "made.toml"
    given = ["study", "from-table", str(table), "-o", str(made), "--identifiers"]
    assert cli.main([*given, "leave-out"]) == 1
    assert "nothing would be left" in capsys.readouterr().err
    assert not made.exists()
    assert cli.main([*given, "replace"]) == 0


@pytest.mark.parametrize(
    ("case", "question", "system", "answer"),
    [
        ("ID quesito", "Quesito", "Sistema", "Risposta"),
        ("Caso", "Pregunta", "Sistema", "Respuesta"),
        ("Cas", "Question", "Système", "Réponse"),
    ],
)
def test_systems_called_by_letters_are_compared_in_any_language(
    tmp_path: Path, case: str, question: str, system: str, answer: str
) -> None:
    content = f"""{case},{question},{system},{answer}
1,Is alcohol safe with metronidazole?,A,Better not for two days after the course.
1,Is alcohol safe with metronidazole?,B,A glass now and then does no harm at all.
2,When do facial sutures come out?,A,Usually after five days or so.
2,When do facial sutures come out?,B,They need five to seven days.
"""
    proposal, _ = look(tmp_path, content.encode())
    assert proposal.declared.arms
    assert proposal.declared.arms.column == system
    assert system not in shown_in(proposal)


def test_two_spellings_of_a_model_that_answer_one_case_are_told(tmp_path: Path) -> None:
    content = """case,question,model,answer
1,Is alcohol safe with metronidazole?,GPT-4o,Better not for two days after the course.
1,Is alcohol safe with metronidazole?,gpt 4o,A glass now and then does no harm at all.
1,Is alcohol safe with metronidazole?,NorMistral,Ask your doctor.
2,When do facial sutures come out?,GPT-4o,Usually after five days or so.
2,When do facial sutures come out?,NorMistral,They need five to seven days.
"""
    _, told = look(tmp_path, content.encode())
    assert "“GPT-4o” and “gpt 4o” are compared as different models" in told
    assert "write its name the same way in each row" in told


@pytest.mark.parametrize("word", ["Yhteensä", "Keskiarvo", "Gjennomsnitt", "Celkem", "Σύνολο"])
def test_a_row_of_sums_is_left_out_in_more_languages(tmp_path: Path, word: str) -> None:
    content = f"""id,question,answer,points
1,How is fever brought down?,Give paracetamol by weight.,3
2,May the medicine be stopped?,Not without asking the doctor.,2
{word},,,5
"""
    _, told = look(tmp_path, content.encode())
    assert f"line 4 looks like sums or means ({word}), and is left out" in told


def test_a_form_s_moment_is_hidden_however_it_is_written(tmp_path: Path) -> None:
    content = """Marca temporal,Consulta,Respuesta
2026/03/02 9:14:03 a. m. GMT-6,Fiebre en lactante desde ayer,Dar paracetamol según peso.
2026/03/02 9:40:55 p. m. GMT-6,Dolor abdominal desde ayer,Acudir a urgencias si migra.
"""
    proposal, told = look(tmp_path, content.encode())
    assert shown_in(proposal) == {"Consulta", "Respuesta"}
    assert "“Marca temporal”: a program writes that" in told


@pytest.mark.parametrize("file", ["long.csv", "long.jsonl"])
def test_damaged_answers_behind_the_first_rows_are_told_by_row(tmp_path: Path, file: str) -> None:
    rows: list[dict[str, Any]] = [
        {"id": f"c{at}", "note": STORY.format(at), "answer": f"{LETTERS[at % 2]} {at}", "log": "x"}
        for at in range(1200)
    ]
    rows[1100]["answer"] = "Error 429: Rate limit exceeded"
    rows[1150]["note"] = "Die Dosis fÃ¼r Kinder."
    # What a program says of itself in another column is no answer.
    rows[1160]["log"] = "Error 500: server error"
    path = tmp_path / file
    cells = [list(row.values()) for row in rows]
    path.write_bytes(as_csv(tuple(rows[0]), *cells) if ".csv" in file else as_json_lines(rows))
    seen = reader_client.read_file_description_in_reader_process(
        Settings(), path, path.name, identifiers=True
    )
    told = "\n".join(seen.notes)
    assert "1 cell has a program's error message in place of an answer (“answer”, row 1,101" in told
    assert "1 cell has letters that were misread on the way (“note”, row 1,151" in told
    assert "such as “fÃ¼r”" in told
    assert "log" not in told
