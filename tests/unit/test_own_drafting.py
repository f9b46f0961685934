"""A study's file from a table: what columns are taken for, and that what is written is in order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from medlens.config.question_forms_and_answer_checks import EVIDENCE, KINDS, REWRITE, RUBRIC, SPANS
from medlens.errors import BadFile
from medlens.studies.own import study_file
from medlens.studies.own.detect_model_answer_columns import make_arm_names
from medlens.studies.own.item_and_judgment_import_and_export import (
    items_faults_and_notes_of_table_rows,
    make_item_preview_from_rows,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import flatten_nested_cells_of_rows
from medlens.studies.own.study_file import Advice
from medlens.studies.own.study_file_from_table.column_roles_from_cells import Guess, Role
from medlens.studies.own.study_file_from_table.columns_giving_right_answers_away import (
    list_hidden_columns_of_correct_answers,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    list_columns_naming_models,
    list_models_compared_in_table,
)
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    title_from_file,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    list_column_decisions_in_words,
)
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    find_advice_column_of_template,
    list_question_kinds_to_choose,
    make_study_file_text,
    toml_text_of_new_question,
)
from medlens.studies.own.study_proposal import propose_study

LONG = "A note of more than a few words, as somebody would read it whole."
TALK = [{"role": "doctor", "content": "Hello"}, {"role": "patient", "content": "My knee."}]


def table(n: int = 12, **more: Any) -> list[dict[str, Any]]:
    return [
        {"nr": str(at), "note": f"{LONG} {at}", "age": str(40 + at), "ward": "AB"[at % 2]}
        | {name: make(at) for name, make in more.items()}
        for at in range(n)
    ]


def compared(n: int = 6) -> list[dict[str, Any]]:
    return [
        {"Case": str(at), "Question": f"Is it safe, and why {at}?", "Model": m, "Answer": LONG + m}
        for at in range(n)
        for m in ('Llama "3"', "Qwen")
    ]


def roles(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {one.name: one.role for one in list_guessed_roles_of_columns(rows)}


def test_columns_are_known_by_what_stands_in_them() -> None:
    rows = table(
        talk=lambda at: json.dumps(TALK),
        rows=lambda at: json.dumps([{"test": "K", "value": at}]),
        marked=lambda at: f"# Head {at}\n- one\n- two",
        empty=lambda at: "",
        illustrative=lambda at: "true",
    )
    assert roles(rows) == {
        "nr": "id",
        "note": "text",
        "age": "record",
        "ward": "group",
        "talk": "dialogue",
        "rows": "table",
        "marked": "markdown",
        "empty": "out",
        "illustrative": "out",
    }


@pytest.mark.parametrize("name", ["reference", "Correct answer", "gold_dose", "ground truth"])
def test_what_is_right_is_not_shown_to_reviewers_unless_a_lead_says_so(name: str) -> None:
    rows = table(**{name: lambda at: f"{at} mg", "incorrectly given dose": lambda at: f"{at} g"})
    found = roles(rows)
    assert (found[name], found["incorrectly given dose"]) == ("group", "record")
    text = make_study_file_text("Doses", list_guessed_roles_of_columns(rows), rows)
    declared = study_file.parse_study_file(text)
    assert name in {one.name for one in declared.columns}
    assert name not in {column for pane in declared.panes for column in pane.columns}


def test_two_models_on_the_same_cases_are_known_with_what_is_their_own() -> None:
    assert list_guessed_roles_of_columns(compared()) == [
        Guess("Case", "id"),
        Guess("Question", "record"),
        Guess("Model", "arm"),
        Guess("Answer", "text", by_arm=True),
    ]


def test_one_model_alone_is_no_comparison_and_a_case_with_one_answer_is_left_out_and_told() -> None:
    assert "arm" not in roles([one for one in compared() if one["Model"] == "Qwen"]).values()
    rows = compared()[:-1]
    declared = study_file.parse_study_file(
        make_study_file_text("T", list_guessed_roles_of_columns(rows), rows)
    )
    looked = items_faults_and_notes_of_table_rows(declared, rows)
    assert not looked.faults
    assert [one.name for one in looked.items] == ["0", "1", "2", "3", "4"]
    assert looked.notes == [
        "Not every arm has answered everything: 5 (no Qwen).",
        "Left out, as there is nothing to compare: 5.",
    ]
    with pytest.raises(BadFile, match="the answer of one arm alone"):
        make_item_preview_from_rows(declared, rows, len(rows) - 1)
    # Each answer by itself needs no other.
    apart = study_file.parse_study_file(
        make_study_file_text(
            "T",
            list_guessed_roles_of_columns(rows),
            rows,
            template="summary_errors",
        )
    )
    assert len(items_faults_and_notes_of_table_rows(apart, rows).items) == len(rows)


def test_short_answers_under_names_of_models_are_a_comparison_and_scores_are_not() -> None:
    rows = [
        {"nr": at, "question": f"{LONG}, {at}?", "GPT-4o": "Yes" if at else "No", "Llama 3 answer":
         "No", "Claude": f"{LONG}, so no.", "GPT-4o tokens": at, "Gemini": at * 3}
        for at in range(4)
    ]  # fmt: skip
    columns = list_guessed_roles_of_columns(rows)
    declared = study_file.parse_study_file(make_study_file_text("T", columns, rows))
    assert declared.arms is not None
    assert declared.arms.names == ("GPT-4o", "Llama 3", "Claude")
    assert declared.shown_text_columns == ("question", "answer")


def test_of_a_table_that_was_not_seen_whole_only_what_is_read_is_required() -> None:
    rows = table()
    text = make_study_file_text("T", list_guessed_roles_of_columns(rows), rows, more=True)
    declared = study_file.parse_study_file(text)
    required = {one.name: one.required for one in declared.columns}
    assert required == {"note": True, "age": False, "ward": False}
    later = [{"nr": "x", "note": LONG, "age": "NA", "ward": "-"}]
    [item] = items_faults_and_notes_of_table_rows(declared, later).items
    assert item.body == {"note": LONG}
    assert (
        study_file.parse_study_file(
            make_study_file_text("T", list_guessed_roles_of_columns(rows), rows)
        ).missing
        == ()
    )


def test_the_right_one_of_several_options_is_hidden_and_told() -> None:
    rows = [
        {"question": f"{LONG}, {at}?", "answer": "Rest" if at else "Salt", "letter": "B"[: at + 1],
         "options": {"A": "Salt", "B": "Rest"}, "ward": "West"}
        for at in range(3)
    ]  # fmt: skip
    columns = list_guessed_roles_of_columns(rows)
    declared = study_file.parse_study_file(make_study_file_text("T", columns, rows))
    assert declared.shown_text_columns == ("options.A", "options.B", "ward", "question")
    assert (
        next(one.body for one in items_faults_and_notes_of_table_rows(declared, rows).items)[
            "options.B"
        ]
        == "Rest"
    )  # type: ignore[call-overload]
    told = list_column_decisions_in_words(columns, flatten_nested_cells_of_rows(rows))
    assert (
        "Reviewers do not see “answer”, “letter”: they say which option is right, or why." in told
    )


def test_names_of_a_model_that_differ_by_case_spaces_or_hyphens_are_one_model() -> None:
    names = ["GPT-4", "meta/llama 3", "gpt-4 ", "llama 3: 8b", "GPT 4", "meta/llama 3"]
    rows = [
        {"case": str(at // 2), "model": name, "answer": f"{LONG} {at}"}
        for at, name in enumerate(names * 2)
    ]
    columns = list_guessed_roles_of_columns(rows)
    declared = study_file.parse_study_file(make_study_file_text("T", columns, rows))
    assert declared.arms is not None
    assert declared.arms.names == ("GPT-4", "meta llama 3", "llama 3 8b")
    assert declared.arms.also == {
        "gpt-4": "GPT-4",
        "GPT 4": "GPT-4",
        "meta/llama 3": "meta llama 3",
        "llama 3: 8b": "llama 3 8b",
    }
    looked = items_faults_and_notes_of_table_rows(declared, rows)
    assert not looked.faults
    assert set(looked.items[0].body["arms"]) == {"GPT-4", "meta llama 3"}  # type: ignore[index]
    assert (
        "“gpt-4”, “GPT 4” and “GPT-4” are taken for one model, “GPT-4”."
        in list_column_decisions_in_words(columns, rows)
    )
    # A case that has both has two models.
    rows[1]["model"] = "gpt 4"
    names_of = study_file.parse_study_file(
        make_study_file_text("T", list_guessed_roles_of_columns(rows), rows)
    ).arms
    assert names_of is not None
    assert {"GPT-4", "gpt 4"} <= set(names_of.names)


PLAIN = [
    "",
    *(name for name, one in study_file.load_templates_by_name().items() if not one.criteria_column),
]


@pytest.mark.parametrize("template", PLAIN)
def test_what_is_written_of_a_table_is_in_order_and_shows_its_first_item(template: str) -> None:
    rows = compared()
    declared = study_file.parse_study_file(
        make_study_file_text(
            'Two "models" of 2026',
            list_guessed_roles_of_columns(rows),
            rows,
            template=template,
        )
    )
    assert declared.study_id == "two_models_of_2026"
    body: Any = make_item_preview_from_rows(declared, rows, 3).body
    assert body["Question"] == "Is it safe, and why 1?"
    if of_text := declared.spans or next(iter(declared.rewriting_questions_by_id.values()), None):
        assert not declared.are_arms_side_by_side
        assert (of_text.column, body["arm"]) == ("Answer", 'Llama "3"')
    else:
        assert declared.are_arms_side_by_side
        assert set(body["arms"]) == {'Llama "3"', "Qwen"}


def test_a_table_without_models_is_written_too_and_what_is_missing_somewhere_is_not_required() -> (
    None
):
    rows = table(age=lambda at: "" if at else "41")
    declared = study_file.parse_study_file(
        make_study_file_text("Notes", list_guessed_roles_of_columns(rows), rows)
    )
    assert {one.name: one.required for one in declared.columns}["age"] is False
    assert declared.item == "nr"
    assert [one.kind for one in declared.panes] == ["record", "text"]
    with pytest.raises(BadFile, match="Line 3 of the table, column 'note'"):
        make_item_preview_from_rows(declared, [rows[0], rows[1] | {"note": ""}], 1)


@pytest.mark.parametrize(
    ("of", "reference", "column", "truth"),
    [
        ("model_triage", "group", "model_triage", "reference"),
        # A column that is shown cannot be the truth.
        ("model_triage", "record", "model_triage", ""),
        ("said_by_model", "group", "first_note", ""),
    ],
)
def test_a_templates_advice_is_in_a_column_that_is_shown_after_the_answer(
    of: str, reference: Role, column: str, truth: str
) -> None:
    names = ("item", "message", "first_note", of, *(["reference"] if of == "model_triage" else []))
    told: list[Role] = ["id", "text", "after", "after", reference]
    columns = [Guess(name, role) for name, role in zip(names, told, strict=False)]
    rows = [dict.fromkeys(names, "Self-care at home")]
    text = make_study_file_text("Triage", columns, rows, template="advice")
    assert study_file.parse_study_file(text).advice == (Advice("triage", column, truth),)


def test_a_table_without_a_column_for_it_gets_no_advice_nor_one_of_several_models() -> None:
    columns = [Guess("item", "id"), Guess("message", "text")]
    assert find_advice_column_of_template("advice", columns) is None
    assert find_advice_column_of_template("quest", [*columns, Guess("said", "after")]) is None
    both = [*columns, Guess("said", "after"), Guess("model", "arm")]
    assert find_advice_column_of_template("advice", both) is None


@pytest.mark.parametrize("template", ["", "healthbench"])
def test_a_table_whose_items_have_criteria_becomes_a_study_that_asks_them(template: str) -> None:
    rows = table(rubric=lambda at: json.dumps([{"criterion": f"Says {at}", "points": 2}]))
    assert roles(rows)["rubric"] == "criteria"
    text = make_study_file_text(
        "Graded", list_guessed_roles_of_columns(rows), rows, template=template
    )
    declared = study_file.parse_study_file(text)
    assert declared.criteria_column == "rubric"
    asked = declared.declaration_for_item(
        make_item_preview_from_rows(declared, rows, 3).body
    ).form.questions
    assert asked[0].text == "Says 3"


def test_a_question_of_every_kind_can_be_added() -> None:
    rows = compared()
    text = make_study_file_text("All", list_guessed_roles_of_columns(rows), rows)
    for number, kind in enumerate(
        list_question_kinds_to_choose(together=True, source=False), start=2
    ):
        text += toml_text_of_new_question(kind, number, together=True)
    declared = study_file.parse_study_file(text)
    assert {one.kind for one in declared.form.questions} == set(KINDS) - {
        *(RUBRIC, SPANS, EVIDENCE)
    }
    assert len(declared.number_questions_standing_for_rubrics) == 1
    assert list_question_kinds_to_choose(together=False, source=True) == list(KINDS[:-2])
    assert EVIDENCE not in list_question_kinds_to_choose(together=False, source=False)
    alone = make_study_file_text("Notes", list_guessed_roles_of_columns(table()), table())
    assert study_file.parse_study_file(alone + toml_text_of_new_question(SPANS, 2)).spans
    assert study_file.parse_study_file(
        alone + toml_text_of_new_question(REWRITE, 2)
    ).rewriting_questions_by_id


@pytest.mark.parametrize("name", ["ResponseId", "responseId", "record_id", "Case", "id"])
def test_a_column_of_ids_names_the_items_however_it_is_written(name: str) -> None:
    rows = [
        {"day": f"2026-03-0{n}", name: f"R_{n}", "text": f"Come in today, number {n}. " * 4}
        for n in range(1, 7)
    ]
    assert roles(rows)[name] == "id"
    assert roles([{**row, "Paid": f"p{n}"} for n, row in enumerate(rows)])["Paid"] != "id"


def test_logs_of_chats_need_no_column_that_names_them() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": "K"}'}}
    rows: list[dict[str, Any]] = [
        {"messages": [{"role": "user", "content": "My knee."}, {"role": "assistant", "content": x}]}
        for x in ("Rest it.", "Where?")
    ]
    rows[1]["messages"][0]["content"] = [
        {"type": "text", "text": "My knee."},
        {"type": "image_url", "image_url": {"url": "https://example.org/knee.png"}},
    ]
    rows[1]["messages"] += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "4.1"},
        {"role": "assistant", "content": None, "refusal": "I cannot say."},
    ]
    guessed = list_guessed_roles_of_columns(rows)
    assert [(one.name, one.role) for one in guessed] == [("messages", "dialogue")]
    [declared] = [study_file.parse_study_file(make_study_file_text("Chats", guessed, rows))]
    first, second = (make_item_preview_from_rows(declared, rows, at) for at in (0, 1))
    assert first.body["messages"] == rows[0]["messages"]
    assert [turn["content"] for turn in second.body["messages"]] == [
        "My knee.\n\n[image_url]",
        "Where?",
        '[find: {"q": "K"}]',
        "4.1",
        "I cannot say.",
    ]


@pytest.mark.parametrize(
    "turn",
    [
        {"role": "user"},
        {"role": "user", "content": 3},
        {"role": "user", "content": [3]},
        {"role": "user", "content": [{"text": None}]},
        {"role": "user", "content": "", "tool_calls": [{"function": "find"}]},
        {"role": "user", "content": "", "tool_calls": {"function": {"name": "find"}}},
        {"role": None, "content": "x"},
    ],
    ids=str,
)
def test_a_turn_that_says_nothing_readable_is_refused(turn: dict[str, Any]) -> None:
    good = [{"messages": TALK} for _ in range(2)]
    declared = study_file.parse_study_file(
        make_study_file_text("Chats", list_guessed_roles_of_columns(good), good)
    )
    with pytest.raises(BadFile, match="a JSON list of turns"):
        make_item_preview_from_rows(declared, [{"messages": [turn]}], 0)


def test_rows_of_several_models_are_one_numbered_item_if_they_share_the_question() -> None:
    rows = [
        {"question": f"{LONG} {at // 2}", "model": f"m{at % 2}", "answer": f"{LONG} {at}"}
        for at in range(6)
    ]
    guessed = list_guessed_roles_of_columns(rows)
    declared = study_file.parse_study_file(make_study_file_text("T", guessed, rows))
    assert declared.arms is not None
    looked = items_faults_and_notes_of_table_rows(declared, rows)
    assert ([one.name for one in looked.items], looked.faults) == (["1", "2", "3"], [])
    for at, row in enumerate(rows):
        body = make_item_preview_from_rows(declared, rows, at).body
        assert isinstance(body, dict)
        assert body["question"] == row["question"]
        assert set(body["arms"]) == {"m0", "m1"}
    assert "question" in declared.shown_text_columns
    assert "model" not in declared.shown_text_columns


def by_model(*headings: str, **more: Any) -> list[dict[str, Any]]:
    return [
        {"Nr": str(at), "Frage": f"Frage {at}: was hilft?"}
        | {name: f"{LONG} {at} {place}" for place, name in enumerate(headings)}
        | {name: make(at) for name, make in more.items()}
        for at in range(4)
    ]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("headings", "arms"),
    [
        (("Antwort GPT-4o", "Antwort Llama"), ("GPT-4o", "Llama")),
        (("gpt-4o", "llama-3", "claude"), ("gpt-4o", "llama-3", "claude")),
        (("response_a", "response_b"), ("a", "b")),
        (("GPT-4o answer", "Mistral"), ("GPT-4o", "Mistral")),
        (("Respuesta (Qwen)", "Respuesta (Gemini)"), ("Qwen", "Gemini")),
        (("answer_model/1", "answer_model:1"), ("model 1", "model 1 2")),
        (("chosen", "rejected"), ("chosen", "rejected")),
    ],
)
def test_a_column_for_each_model_becomes_a_comparison_without_their_names(
    headings: tuple[str, ...], arms: tuple[str, ...]
) -> None:
    rows = by_model(*headings)
    guessed = list_guessed_roles_of_columns(rows)
    assert [one.name for one in guessed if one.role == "answer"] == list(headings)
    text = make_study_file_text("T", guessed, rows, template="preference")
    declared = study_file.parse_study_file(text)
    assert declared.arms is not None
    assert declared.arms.names == arms
    assert declared.arms.show == "together"
    shown = {pane.title for pane in declared.panes} | {
        name for pane in declared.panes for name in pane.columns
    }
    assert not shown & {*headings, *arms}
    checked = items_faults_and_notes_of_table_rows(declared, rows)
    assert (len(checked.items), list(checked.faults)) == (4, [])


def test_seven_models_are_shown_one_by_one() -> None:
    rows = by_model(*(f"Answer model {at}" for at in range(7)))
    declared = study_file.parse_study_file(
        make_study_file_text("T", list_guessed_roles_of_columns(rows), rows)
    )
    assert declared.arms is not None
    assert (len(declared.arms.names), declared.arms.show) == (7, "apart")


def test_the_reference_and_a_second_column_of_a_model_are_no_answers() -> None:
    rows = by_model(
        "Answer GPT-4o",
        "Answer Llama",
        **{
            "Reference answer": lambda at: f"{LONG} right {at}",
            "Time of Llama": lambda at: f"{at} s",
            "Rationale Llama": lambda at: f"{LONG} because {at}",
        },
    )
    found = roles(rows)
    assert found["Reference answer"] != "answer"
    assert (found["Time of Llama"], found["Rationale Llama"]) == ("group", "hidden")


def test_the_prompt_of_a_preference_set_is_shown_and_what_was_chosen_is_not() -> None:
    rows = [
        {"prompt": f"My neck, {at}", "chosen": TALK, "rejected": TALK[:1], "margin": at + 0.5}
        for at in range(3)
    ]
    declared = study_file.parse_study_file(
        make_study_file_text("T", list_guessed_roles_of_columns(rows), rows)
    )
    columns = {name for pane in declared.initial_panes for name in pane.columns}
    assert columns == {"prompt", "answer"}
    assert declared.arms is not None
    assert not items_faults_and_notes_of_table_rows(declared, rows).faults


def test_an_answer_that_a_model_left_empty_is_accepted() -> None:
    rows = by_model("Answer GPT-4o", "Answer Llama")
    rows[2]["Answer Llama"] = ""
    declared = study_file.parse_study_file(
        make_study_file_text("T", list_guessed_roles_of_columns(rows), rows)
    )
    assert not items_faults_and_notes_of_table_rows(declared, rows).faults


def test_answers_that_name_a_model_are_told() -> None:
    rows = by_model("Answer model A", "Answer model B")
    rows[1]["Answer model B"] += " As GPT-4, I cannot examine you."
    declared = study_file.parse_study_file(
        make_study_file_text("T", list_guessed_roles_of_columns(rows), rows)
    )
    expected = "Reviewers can tell which model wrote this, because 1 of the texts names 'GPT-4'."
    assert expected in [
        one.sentence for one in items_faults_and_notes_of_table_rows(declared, rows).telling
    ]


@pytest.mark.parametrize("name", [
    "Ground Truth Explanation", "groundTruthAnswer", "gold_standard", "Rationale", "label", "score",
    "Goldstandard", "Referenzantwort", "Musterlösung", "Musterlo\u0308sung", "Begründung",
    "Richtige Antwort", "Erklärung", "respuesta correcta", "Explicación", "patrón oro",
    "key", "solution", "rubric", "is_correct", "grader_comment", "feedback", "answer_idx",
    "Bewertung", "Kommentar des Gutachters", "comentario", "commentaire", "Corrigé type", "Lösung",
    "puntuación", "Réponse attendue", "référence", "vérité terrain", "étiquette", "corrigé",
])  # fmt: skip
@pytest.mark.parametrize("cell", ["Refer, answer {} for the reasons given at length.", "{} yes"])
def test_a_reference_of_any_length_is_hidden_in_four_languages(name: str, cell: str) -> None:
    rows = [
        {"case": str(at), "question": f"May patient {at} go home after this night?",
         name: cell.format(at)}
        for at in range(4)
    ]  # fmt: skip
    columns = list_guessed_roles_of_columns(rows)
    declared = study_file.parse_study_file(make_study_file_text("Study", columns, rows))
    assert name in {column.name for column in declared.columns}
    assert not any(name in pane.columns for pane in declared.panes)
    assert list_hidden_columns_of_correct_answers(columns) == [name]


@pytest.mark.parametrize("name", [
    "question", "answer", "note", "Anamnese", "keywords",
    "right eye", "corrected calcium", "Frage", "réponse", "respuesta",
    "discharge_letter", "scored_by_nobody",
])  # fmt: skip
def test_what_reviewers_judge_is_not_taken_for_a_reference(name: str) -> None:
    rows = [{"case": str(at), name: f"Text {at} that is long enough to be read."} for at in "ab"]
    columns = list_guessed_roles_of_columns(rows)
    assert columns[1].role == "text"
    assert not list_hidden_columns_of_correct_answers(columns)


def test_a_rationale_that_each_model_gives_is_part_of_its_answer() -> None:
    rows = [
        {"case": case, "model": model, "rationale": f"Because of {case}, said {model} at length.",
         "gold": f"The answer that is right for {case}, whoever is asked."}
        for case in "abc" for model in ("m1", "m2")
    ]  # fmt: skip
    roles = {one.name: one.role for one in list_guessed_roles_of_columns(rows)}
    assert roles["rationale"] == "text"
    assert roles["gold"] == "hidden"


def test_a_reference_is_not_what_is_shown_where_nothing_else_is_long() -> None:
    rows = [{"id": str(at), "gold": f"What is right for {at}, at length.", "ward": "AB"[at % 2]}
            for at in range(4)]  # fmt: skip
    roles = {one.name: one.role for one in list_guessed_roles_of_columns(rows)}
    assert roles["gold"] == "hidden"
    assert roles["ward"] == "text"


@pytest.mark.parametrize(
    ("headings", "models"),
    [
        (("answer of model A", "answer of model B"), ["model A", "model B"]),
        (("Model 1 Answer", "Model 2 Answer"), ["Model 1", "Model 2"]),
        (("Antwort Modell A", "Antwort Modell B"), ["Modell A", "Modell B"]),
        (("Réponse du modèle 1", "Réponse du modèle 2"), ["modèle 1", "modèle 2"]),
        (("llm_1_output", "llm_2_output"), ["llm 1", "llm 2"]),
    ],
)
def test_short_answers_of_models_without_names_are_compared(
    headings: tuple[str, str], models: list[str]
) -> None:
    drugs = ("Amlodipine", "Warfarin", "none")
    rows = [
        {"question": f"Which drug for case {n} of ten?", headings[0]: drug, headings[1]: drugs[n]}
        for n, drug in enumerate(drugs[::-1])
    ] * 4
    guessed = list_guessed_roles_of_columns(rows)
    assert [one.name for one in guessed if one.role == "answer"] == list(headings)
    assert list_models_compared_in_table(guessed, rows) == models


@pytest.mark.parametrize(
    "headings", [("Answer A", "Answer B"), ("model A rating", "model B rating"), ("A", "B")]
)
def test_options_and_ratings_are_no_answers_of_models(headings: tuple[str, str]) -> None:
    rows = [
        {"question": f"Which drug for case {n} of ten?", headings[0]: "yes", headings[1]: "no"}
        for n in range(12)
    ]
    assert "answer" not in roles(rows).values()


@pytest.mark.parametrize(
    ("stem", "title"),
    [
        ("openai-batch", "Batch"),
        ("gpt4o-outputs_2024-05", "Outputs 2024-05"),
        ("answers_of_GPT-4", "Answers"),
        ("gpt-4", "Answers to judge"),
        ("gpt-4_vs_llama", "Gpt-4 vs llama"),
        ("KI-Antworten_ohne_Titel", "KI-Antworten ohne Titel"),
        ("auswertung März", "Auswertung März"),
    ],
)
def test_a_title_from_a_files_name_does_not_say_which_model_wrote_the_answers(
    stem: str, title: str
) -> None:
    assert title_from_file(stem) == title


def with_a_key(*keys: str) -> list[dict[str, Any]]:
    return [
        row | {"Key": key} for row, key in zip(by_model("Answer A", "Answer B"), keys, strict=True)
    ]


@pytest.mark.parametrize(
    "keys",
    [
        ("A=GPT-4; B=Gemini", "A=Gemini; B=GPT-4") * 2,
        ("A: ours, B: theirs", "A: theirs, B: ours") * 2,
        ("GPT-4 / Gemini", "Gemini / GPT-4") * 2,
        ("A→GPT-4\nB→Gemini", "A→Gemini\nB→GPT-4") * 2,
    ],
)
def test_letters_that_stand_for_other_models_from_row_to_row_are_told(keys: Sequence[str]) -> None:
    rows = with_a_key(*keys)
    columns = list_guessed_roles_of_columns(rows)
    assert {one.name: one.role for one in columns}["Key"] in ("group", "hidden")
    told = list_column_decisions_in_words(columns, rows)
    assert any("which model wrote which answer, in a different order" in one for one in told)


@pytest.mark.parametrize("keys", [("A=GPT-4; B=Gemini",) * 4, ("A", "B", "A", "B"), ("",) * 4])
def test_letters_that_stand_for_the_same_models_in_all_rows_are_not_told(
    keys: Sequence[str],
) -> None:
    rows = with_a_key(*keys)
    told = list_column_decisions_in_words(list_guessed_roles_of_columns(rows), rows)
    assert not any("a different order" in one for one in told)


@pytest.mark.parametrize(
    "headings",
    [
        ("zero_shot", "few_shot", "rag_uptodate"),
        ("Physician reply", "AI draft reply", "AI draft, edited by nurse"),
    ],
)
def test_a_text_as_long_as_the_answers_is_told_to_be_one_perhaps(headings: Sequence[str]) -> None:
    rows = by_model(*headings)
    columns = list_guessed_roles_of_columns(rows)
    assert {one.name: one.role for one in columns}[headings[2]] == "hidden"
    told = list_column_decisions_in_words(columns, rows)
    about = [one for one in told if f"“{headings[2]}”" in one]
    assert len(about) == 1
    assert "its texts are as long as the answers beside it" in about[0]
    assert "Do not show it otherwise" in about[0]
    answers_of = dict(zip(headings, ("a", "b", "c"), strict=True))
    declared = propose_study(rows, title="T", answers_of=answers_of).declared
    assert declared.arms is not None
    assert declared.arms.names == ("a", "b", "c")


def test_what_a_model_thought_before_its_answer_is_not_told_to_be_an_answer() -> None:
    rows = by_model("Answer GPT-4", "Answer Llama", "GPT-4 reasoning")
    told = list_column_decisions_in_words(list_guessed_roles_of_columns(rows), rows)
    assert not any("as long as the answers" in one for one in told)


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("names", "of"),
    [
        (("GPT-4", "Claude 3 Haiku"), "text"),
        (("GPT-4", "Our own model"), "text"),
        (("gpt-4o", "Claude 3.5 Sonnet"), ""),
        (("gpt-4.1", "gpt-4.1-mini"), "answer"),
    ],
)
def test_answers_in_one_cell_by_their_models_are_a_comparison(
    names: Sequence[str], of: str
) -> None:
    def said(at: int, name: str) -> Any:
        words = f"Rest for {at + 2} days and come back if it gets worse, says number {len(name)}."
        return {of: words, "tokens": 30 + at + len(name)} if of else words

    rows = [
        {"id": f"c{at}", "question": f"Is neck {at} stiff, and what should be done?"}
        | {"responses": {name: said(at, name) for name in names}}
        for at in range(4)
    ]
    declared = propose_study(rows, title="T").declared
    assert declared.arms is not None
    assert declared.arms.names == tuple(names)
    assert not [pane for pane in declared.panes if any(name in pane.title for name in names)]


def test_a_title_that_names_several_models_is_told() -> None:
    rows = by_model("response_1", "response_2")
    told = propose_study(rows, title="GPT4o-vs-Llama3 round2").told
    assert any("The title names “GPT4o” and “Llama3”" in one for one in told)
    assert not any("The title names" in one for one in propose_study(rows, title="Round 2").told)


def test_paths_are_not_offered_to_be_shown() -> None:
    rows = [
        row | {"file": f"out/sonnet_run1/case{at:02}.txt", "ward": "A"}
        for at, row in enumerate(by_model("response_1", "response_2"))
    ]
    columns = list_guessed_roles_of_columns(rows)
    told = [one for one in list_column_decisions_in_words(columns, rows) if "“file”" in one]
    assert told == [
        "Reviewers do not see “file”: it holds paths, addresses or numbers of a program, which may"
        " say where an answer comes from."
    ]


def test_an_arm_named_behind_a_dash_has_no_dash() -> None:
    names = ["Dx – GPT-4-turbo", "Dx – Med-PaLM 2", "Dx – Attending"]
    assert make_arm_names(names) == ["GPT-4-turbo", "Med-PaLM 2", "Attending"]


_ASKED, _SAID = "Is neck {} stiff?", "Rest, and come back if it gets worse, number {}."
TEMPLATES_OF_CHATS = {
    "llama-2": f"<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n{_ASKED} [/INST] {_SAID} </s>",
    "mistral": f"[INST] {_ASKED} [/INST]{_SAID}</s>[INST] And then? [/INST]",
    "chatml": f"<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n{_ASKED}<|im_end|>\n"
    f"<|im_start|>assistant\n{_SAID}<|im_end|>\n",
    "llama-3": "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\n"
    f"{_ASKED}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n{_SAID}<|eot_id|>",
    "gemma": f"<bos><start_of_turn>user\n{_ASKED}<end_of_turn>\n<start_of_turn>model\n{_SAID}"
    "<end_of_turn>",
    "zephyr": f"<|user|>\n{_ASKED}</s>\n<|assistant|>\n{_SAID}</s>",
}


@pytest.mark.parametrize("kind", TEMPLATES_OF_CHATS)
def test_a_chat_that_a_template_wrote_out_is_read_turn_by_turn(kind: str) -> None:
    rows = [{"id": f"c{at}", "text": TEMPLATES_OF_CHATS[kind].format(at, at)} for at in range(3)]
    assert roles(rows)["text"] == "dialogue"
    found = propose_study(rows, title="T")
    body = make_item_preview_from_rows(found.declared, rows, 1).body
    assert isinstance(body, dict)
    turns = [turn for turn in body["text"] if turn["role"] != "system"]
    assert turns[0] == {"role": "user", "content": _ASKED.format(1)}
    assert turns[1] == {"role": "assistant", "content": _SAID.format(1)}
    system = [turn["content"] for turn in body["text"] if turn["role"] == "system"]
    assert system == ["Be brief."] * (kind in ("llama-2", "chatml"))
    assert not any("[INST]" in turn["content"] or "<|" in turn["content"] for turn in turns)


def test_a_text_about_a_template_is_no_chat() -> None:
    rows = [
        {"id": f"c{at}", "text": f"We wrote [INST] before each prompt, {at}."} for at in range(3)
    ]
    assert roles(rows)["text"] == "text"


def test_the_names_of_files_tell_reviewers_nothing_as_they_never_see_them() -> None:
    rows = [
        {
            "case": f"c{at}",
            "model": model,
            "task": f"Draw the rash of case {at}, please, as it was.",
        }
        | {"picture": f"{model}/rash_{at}.png"}
        for at in range(4)
        for model in ("dall-e_3", "gpt-4o")
    ]
    columns = list_guessed_roles_of_columns(rows)
    assert {one.name: one.role for one in columns}["picture"] == "image"
    assert not list_columns_naming_models(columns, rows, shown=True)
    found = propose_study(rows, title="T")
    assert "picture" in [name for pane in found.declared.panes for name in pane.columns]
    assert not found.looked.telling


def test_dates_are_no_paths() -> None:
    rows = [
        row | {"visit": f"0{at + 1}/11/2024"}
        for at, row in enumerate(by_model("answer_1", "answer_2"))
    ]
    told = list_column_decisions_in_words(list_guessed_roles_of_columns(rows), rows)
    assert not any("paths" in one for one in told)


def test_a_project_of_label_studio_says_where_its_judgments_are_read() -> None:
    row = {"data": {"text": LONG}, "annotations": [{"result": [], "completed_by": 1}]}
    rows = [row | {"id": at, "data": {"text": f"{LONG} {at}"}} for at in range(3)]
    assert any("exported from Label Studio" in one for one in propose_study(rows, title="T").told)


@pytest.mark.parametrize("heading", ["texto do modelo", "Contestación del LLM", "model text"])
def test_a_models_short_texts_are_no_names_of_models(heading: str) -> None:
    said = [
        "It may be fatigue; see a doctor on Monday.",
        "Most of them are safe. Watch out for bruises.",
        "Call for help at once, and write the time down!",
    ]
    rows = [
        {"id": f"c{at}", "case": f"Is neck {at} stiff, and should we wait until Monday?"}
        | {
            heading: words,
            "Solucionario": f"Call at once, as it may be a stroke, {at}.",
            "sure": "yes",
        }
        for at, words in enumerate(said)
    ]
    columns = list_guessed_roles_of_columns(rows)
    found = {one.name: one.role for one in columns}
    assert found["id"] == "id"
    assert found[heading] in ("text", "record")
    assert found["Solucionario"] == "hidden"
    assert "arm" not in found.values()


def test_a_solution_that_a_machine_proposes_is_judged_and_what_is_expected_is_not_shown() -> None:
    proposed = "Lösungsvorschlag der KI"
    rows = [
        {
            "nr": str(at),
            "Fall": f"Frage {at}: was hilft gegen den steifen Nacken?",
            proposed: LONG + str(at),
        }
        | {
            "Musterlösung": f"Muster: {LONG} {at}",
            "Erwartungshorizont": f"Erwartet wird {at}. {LONG}",
        }
        for at in range(4)
    ]
    found = {one.name: one.role for one in list_guessed_roles_of_columns(rows)}
    assert found[proposed] == "text"
    assert (found["Musterlösung"], found["Erwartungshorizont"]) == ("hidden", "hidden")


def rows_with_criteria(last: str = "user", **more: Any) -> list[dict[str, Any]]:
    asked = "How much paracetamol may a child of fifteen kilograms be given in one day?"
    before = [
        {"role": "user", "content": f"My son has a fever since {day}, and he does not drink much."}
        for day in ("Monday", "Friday", "Sunday")
    ]
    return [
        {
            "id": f"p{at}",
            "talk": [
                turn,
                {"role": "assistant", "content": "Go on."},
                {"role": last, "content": asked},
            ],
            "rubric": [{"criterion": f"Names dose {at}", "points": 5}],
            "tags": ["theme:hedging", "group:paediatrics-and-fever"],
        }
        | more
        for at, turn in enumerate(before)
    ]


NO_ANSWER = "has criteria, and no column has an answer to judge by them: “talk” ends with who asks"


def told_of_rows(rows: list[dict[str, Any]]) -> str:
    columns = list_guessed_roles_of_columns(rows)
    assert {"criteria", "dialogue"} <= {one.role for one in columns}
    return " ".join(list_column_decisions_in_words(columns, rows))


@pytest.mark.parametrize("last", ["user", "Patient", "human"])
def test_criteria_beside_dialogues_without_an_answer_are_told(last: str) -> None:
    assert NO_ANSWER in told_of_rows(rows_with_criteria(last))


def test_criteria_with_an_answer_as_the_last_turn_or_in_a_column_are_not_told_to_lack_it() -> None:
    assert "no column has an answer" not in told_of_rows(rows_with_criteria("assistant"))
    answer = "Sixty milligrams for each kilogram in one day, in four doses, and drink enough water."
    assert "no column has an answer" not in told_of_rows(rows_with_criteria(reply=answer))


GORILLA = ("Spreadsheet: vignette", "Spreadsheet: ai_text")


def chosen_of(
    choices: Sequence[str],
    name: str = "Response",
    *,
    texts: Sequence[str] = GORILLA,
) -> tuple[Role, str]:
    """What a column of choices is taken for, beside texts, and what is told."""
    rows = [
        {"nr": f"k{at}", **{text: f"{LONG} {text} {at}" for text in texts}, name: choice}
        for at, choice in enumerate(choices)
    ]
    found = propose_study(rows, title="T")
    return next(o.role for o in found.columns if o.name == name), " ".join(found.told)


@pytest.mark.parametrize(
    "choices",
    [
        ["agree", "disagree", "agree", "disagree", "agree"],
        ["Agree", "Disagree", "Agree"],
        ["strongly agree", "somewhat disagree", "neutral", "agree"],
        ["stimme zu", "stimme eher nicht zu", "weiß nicht", "trifft zu"],
        ["de acuerdo", "en desacuerdo", "muy de acuerdo"],
        ["d’accord", "pas d'accord", "plutôt d’accord"],
    ],
)
@pytest.mark.parametrize("name", ["Response", "Q1", "answer", "choice of participant"])
def test_what_participants_chose_about_an_answer_is_not_shown_and_told(
    choices: list[str], name: str
) -> None:
    role, told = chosen_of(choices, name)
    assert role in ("group", "hidden")
    assert f"“{name}”" in told


def test_a_short_answer_that_is_all_there_is_to_judge_stays_shown() -> None:
    assert chosen_of(["agree", "disagree", "agree"], "answer", texts=["claim"])[0] == "record"
    assert chosen_of(["stop it", "continue", "agree"], texts=GORILLA)[0] == "record"
    assert chosen_of(["neutral", "unsure", "neutral"], texts=["vignette", "source"])[0] == "record"


@pytest.mark.parametrize(
    ("name", "words", "points"),
    [
        ("rubric", "text", "weight"),
        ("criteria", "criterion", "weight"),
        ("Rubrics", "text", "points"),
    ],
)
def test_a_rubric_of_texts_with_weights_holds_the_criteria(
    name: str, words: str, points: str
) -> None:
    rubric = [{words: "Names the urgency", points: 2}, {words: "Invents a source", points: -1}]
    for cell in (rubric, json.dumps(rubric)):
        rows = [{"nr": f"k{at}", "answer": f"{LONG} {at}", name: cell} for at in range(3)]
        found = propose_study(rows, title="T")
        assert found.declared.criteria_column == name
        assert not found.looked.faults
        assert found.told == []


def test_passages_with_weights_are_no_criteria() -> None:
    passages = [{"text": f"{LONG} one", "weight": 0.7}, {"text": f"{LONG} two", "weight": 0.1}]
    rows = [{"nr": f"k{at}", "answer": f"{LONG} {at}", "passages": passages} for at in range(3)]
    assert propose_study(rows, title="T").declared.criteria_column == ""
