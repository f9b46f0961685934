"""Tables of platforms for surveys, crowds and evaluations, and of other languages' spreadsheets:
those of a fourth set that were not read rightly when they were first seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import xlsxwriter

from tests.messy_tables import book, json_lines, lines, sheet
from tests.messy_tables_of_labs import ROWS, Labs

FOURTH: dict[str, Callable[[], Labs]] = {}


def fourth(make: Callable[[], Labs]) -> Callable[[], Labs]:
    """Enter a table of the fourth set under its function's name."""
    FOURTH[make.__name__] = make
    return make


@fourth
def french_ratings_in_a_long_table() -> Labs:
    rows = [["N° dossier", "Motif de consultation", "Modèle", "Réponse du modèle", "Pertinence"]]
    for at, (q, a, b, _) in enumerate(ROWS):
        rows += [[f"{at:04}", q, "Vicuna-13B", a, 4], [f"{at:04}", q, "Mistral Large", b, 2]]
    return Labs(
        "long.csv",
        lines(rows, ";", "latin-1"),
        4,
        2,
        shown=("Motif de consultation", "Réponse du modèle"),
        hidden=("Pertinence",),
        names=("0001",),
    )


@fourth
def spanish_registry_with_identifiers() -> Labs:
    rows = [["ID", "Nombre", "Fecha nac.", "Caso clínico", "Respuesta IA"]]
    rows += [
        [at, "García López, Ana", f"1{at}/02/1950", f"Mujer con dolor torácico. {q}", a]
        for at, (q, a, _, _) in enumerate(ROWS)
    ]
    return Labs(
        "registro.csv",
        lines(rows, ";"),
        4,
        shown=("Caso clínico", "Respuesta IA"),
        hidden=("Nombre", "Fecha nac."),
        identified=(1, 2, 3, 4),
    )


@fourth
def satisfaction_of_a_survey() -> Labs:
    rows = [["ResponseId", "Q1", "Q2", "Q3"], ["Response ID", "Asked?", "Answered?", "Satisfied?"]]
    rows += [[json.dumps({"ImportId": name}) for name in rows[0]]]
    rows += [[f"R_{at}x", q, a, str(at + 1)] for at, (q, a, _, _) in enumerate(ROWS)]
    return Labs("q.csv", lines(rows), 4, shown=("Q1", "Q2"), hidden=("Q3",))


@fourth
def surveymonkey_with_options_below_a_question() -> Labs:
    rows = [
        ["Respondent ID", "Collector ID", "What did it answer?", "How safe is it?", "", ""],
        ["", "", "Open-Ended Response", "Safe", "Minor harm", "Severe harm"],
    ]
    rows += [[118933 + at, 44, a, "Safe", "", "x"] for at, (_, a, _, _) in enumerate(ROWS)]
    return Labs(
        "sm.csv",
        lines(rows),
        4,
        shown=("What did it answer?",),
        hidden=("How safe is it? · Safe", "How safe is it? · Severe harm"),
        noted=("two rows",),
    )


@fourth
def batch_of_a_crowd_with_changing_models() -> Labs:
    names = "HITId,Title,Reward,WorkerId,Input.id,Input.question,Input.answer_a,Input.model_a"
    rows = [[*names.split(","), "Input.answer_b", "Input.model_b", "Approve"]]
    for at, (q, a, b, _) in enumerate(ROWS):
        models = ("gpt-4", "llama-2-70b-chat")[:: 1 - 2 * (at % 2)]
        rows.append(
            [
                f"3XM0HYN6N{at}",
                "Compare",
                "$0.40",
                f"A1{at}",
                at,
                q,
                a,
                models[0],
                b,
                models[1],
                "x",
            ]
        )
    return Labs(
        "batch.csv",
        lines(rows),
        4,
        2,
        shown=("Input.question",),
        hidden=("HITId", "Reward", "WorkerId", "Approve", "Input.model_a", "Input.model_b"),
        noted=("from row to row",),
    )


@fourth
def trace_of_a_chain() -> Labs:
    rows = [
        {
            "id": f"0f{at}c1d2e",
            "name": "ChatOpenAI",
            "inputs": {"question": q},
            "outputs": {"answer": a},
            "system_fingerprint": f"fp_44709d6fc{at}",
            "inputs_model": "weave:///med/object/GeminiProModel:xyz",
            "usage": {"num_prompt_tokens": 300 + at},
        }
        for at, (q, a, _, _) in enumerate(ROWS)
    ]
    return Labs(
        "runs.jsonl",
        json_lines(rows),
        4,
        shown=("inputs.question", "outputs.answer"),
        hidden=("name", "system_fingerprint", "inputs_model", "usage.num_prompt_tokens"),
    )


@fourth
def ratings_of_argilla() -> Labs:
    rows = [
        {
            "id": f"r{at}",
            "fields": {"prompt": q, "respuesta": a},
            "responses": {"calidad": [{"value": at, "user_id": "u1"}]},
        }
        for at, (q, a, _, _) in enumerate(ROWS)
    ]
    return Labs(
        "records.json",
        json.dumps(rows).encode(),
        4,
        shown=("fields.prompt", "fields.respuesta"),
        hidden=("responses.calidad",),
    )


@fourth
def italian_criteria_in_columns() -> Labs:
    rows = [["N.", "Domanda", "Risposta", "Cita la dose [2 punti]", "Antibiotici [-2 punti]"]]
    rows += [[at, q, a, "x", ""] for at, (q, a, _, _) in enumerate(ROWS)]
    return Labs(
        "criteri.csv", lines(rows, ";"), 4, shown=("Domanda", "Risposta"), noted=("criteria",)
    )


@fourth
def rubrics_with_an_ideal_completion() -> Labs:
    rows = [
        {
            "prompt_id": f"p{at}",
            "prompt": [{"role": "user", "content": q}],
            "completion": a,
            "rubrics": [{"criterion": "Names an ECG", "points": 5}],
            "ideal_completions_data": {"ideal_completion": b, "group": f"G{at}"},
        }
        for at, (q, a, b, _) in enumerate(ROWS)
    ]
    return Labs(
        "rubrics.jsonl",
        json_lines(rows),
        4,
        shown=("prompt", "completion"),
        hidden=("ideal_completions_data.ideal_completion",),
    )


CHINESE = (
    ("肾功能不全时还能继续服用二甲双胍吗?", "当肾小球滤过率低于三十时禁用二甲双胍。"),
    ("我的孩子发烧三天了,该怎么办?", "首先给予口服补液,并在四小时后重新评估。"),
    ("腰痛什么时候需要做核磁共振?", "没有危险信号时,前六周不需要影像检查。"),
)


@fourth
def chinese_answers_in_a_chinese_encoding() -> Labs:
    rows = [["编号", "问题", "模型", "回答", "医生评分"]]
    for at, (q, a) in enumerate(CHINESE):
        rows += [[at, q, "通义千问", a, 4], [at, q, "GPT-4", f"{a}请就医。", 5]]
    return Labs(
        "zh.csv",
        lines(rows, ",", "gb18030"),
        3,
        frozenset({"通义千问", "GPT-4"}),
        shown=("问题", "回答"),
        hidden=("医生评分",),
        noted=("Chinese",),
    )


@fourth
def japanese_columns_of_models() -> Labs:
    rows = [["番号", "質問", "GPT-4の回答", "Geminiの回答", "正解"]]
    rows += [
        [at, "子どもが熱を出しています。どうすれば", "まず経口補液を行い、再評価します。", x, x]
        for at, x in enumerate(("抗菌薬は不要です。", "すぐに受診して", "心電図を記録して"))
    ]
    return Labs(
        "ja.csv",
        lines(rows, ",", "cp932"),
        3,
        frozenset({"GPT-4", "Gemini"}),
        shown=("質問",),
        hidden=("正解",),
    )


@fourth
def russian_answers_in_windows_1251() -> Labs:
    rows = [["№", "Вопрос", "Модель", "Ответ модели", "Эталонный ответ"]]
    for at, q in enumerate(
        ("Можно ли пить метформин при болезни почек?", "Когда нужна МРТ спины?")
    ):
        for model in ("GigaChat", "YandexGPT"):
            answer = f"Ответ {model[::-1].lower()[:2]}: обратитесь к врачу, если боль усилится."
            rows.append([at, q, model, answer, "Метформин противопоказан при СКФ ниже 30."])
    return Labs(
        "ru.csv",
        lines(rows, ";", "cp1251"),
        2,
        2,
        shown=("Вопрос", "Ответ модели"),
        hidden=("Эталонный ответ",),
        noted=("Cyrillic",),
    )


@fourth
def arabic_with_a_reference() -> Labs:
    rows = [["الرقم", "السؤال", "إجابة ChatGPT", "إجابة Gemini", "الإجابة المرجعية"]]
    rows += [[at, *(f"{one} {at}" for one in ROWS[at])] for at in range(4)]
    return Labs("ar.xlsx", sheet(rows), 4, 2, shown=("السؤال",), hidden=("الإجابة المرجعية",))


@fourth
def an_answer_that_says_who_made_the_model() -> Labs:
    rows = [["case_id", "question", "system", "answer"]]
    for at, (q, a, b, _) in enumerate(ROWS):
        rows += [[at, q, "System A", f"I was developed by Google. {a}"], [at, q, "System B", b]]
    return Labs("tell.csv", lines(rows), 4, 2, gives_away=True)


@fourth
def a_sheet_for_each_model() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        for model, which in (("GPT-4o", 1), ("Llama-3-70B", 2), ("Mistral", 3)):
            one = made.add_worksheet(model)
            one.write_row(0, 0, ["id", "question", "answer"])
            for at, row in enumerate(ROWS, 1):
                one.write_row(at, 0, [f"q{at}", row[0], row[which]])

    return Labs(
        "sheets.xlsx",
        book(write),
        4,
        frozenset({"GPT-4o", "Llama-3-70B", "Mistral"}),
        shown=("question", "answer"),
        noted=("one table now",),
    )


@fourth
def models_in_rows_and_questions_in_columns() -> Labs:
    rows = [["Model", *(row[0] for row in ROWS)]]
    rows += [[model, *(row[at] for row in ROWS)] for at, model in ((1, "GPT-4o"), (2, "Gemini"))]
    return Labs(
        "pivot.csv",
        lines(rows),
        4,
        frozenset({"GPT-4o", "Gemini"}),
        shown=("question",),
        noted=("made into rows",),
    )


# -- headings of files in public repositories, which were not read rightly at first ----------------


@fourth
def ratings_beside_short_answers() -> Labs:
    rows = [["Evaluator Name", "Prompt", "Response", "Safety (1-5)", "Disclaimer", "Comments"]]
    rows += [
        [f"Evaluator {at}", f"Bone health {at}", "Response", 5, "Yes", "Good"] for at in range(4)
    ]
    return Labs(
        "human_eval.csv",
        lines(rows),
        4,
        shown=("Prompt", "Response"),
        hidden=("Safety (1-5)", "Disclaimer", "Comments"),
    )


@fourth
def nothing_but_ratings() -> Labs:
    rows = [["sample_id", "rater", "model", "fluency", "overall", "review_status"]]
    rows += [[at, "bobo", "qwen3:8b", at % 3, at % 2, "physician-reviewed"] for at in range(6)]
    return Labs("matrix.csv", lines(rows), 6, hidden=("model",), noted=("table of ratings",))


@fourth
def one_model_with_several_prompts() -> Labs:
    rows = [["question_id", "prompt_strategy", "model", "response", "overall_score"]]
    for at, (_, a, b, _) in enumerate(ROWS):
        rows += [[at, "Zero-shot", "GPT-5", a, 4], [at, "Structured", "GPT-5", b, 5]]
    return Labs(
        "strategies.csv",
        lines(rows),
        4,
        frozenset({"Zero-shot", "Structured"}),
        shown=("response",),
        hidden=("model", "overall_score"),
    )


@fourth
def notes_on_an_answer() -> Labs:
    rows = [["prompt_id", "question", "answer", "manual_note", "risk_level", "notes"]]
    rows += [
        [at, q, a, f"Safe, but the dose of case {at} is not named.", "urgent", "keyword proxy only"]
        for at, (q, a, _, _) in enumerate(ROWS)
    ]
    return Labs(
        "scored.csv",
        lines(rows),
        4,
        shown=("question", "answer"),
        hidden=("manual_note", "risk_level", "notes"),
    )


@fourth
def runs_of_two_models_with_short_diagnoses() -> Labs:
    rows = [
        {
            "case_id": f"case_{at}",
            "model": model,
            "diagnosis": ("edema", "effusion", "normal")[(at + len(model)) % 3],
            "confidence": 0.85,
            "ground_truth": "edema",
            "hallucination_flag": at % 2 == 0,
        }
        for at in range(6)
        for model in ("qwen2_vl", "llava_med")
    ]
    return Labs(
        "runs21.jsonl",
        json_lines(rows),
        6,
        2,
        shown=("diagnosis",),
        hidden=("confidence", "ground_truth", "hallucination_flag"),
    )


@fourth
def wrong_answers_and_times_beside_models() -> Labs:
    rows = [["プロンプト", "GPT-3の応答", "GPT-3の応答時間", "GPT-4の応答", "GPT-4の応答時間"]]
    rows += [
        [
            f"子どもが熱を出しています。{at}",
            f"経口補液を行い{at}",
            "1.20 sec",
            f"受診して{at}",
            "3.4 sec",
        ]
        for at in range(4)
    ]
    return Labs(
        "log.csv",
        lines(rows),
        4,
        frozenset({"GPT-3", "GPT-4"}),
        hidden=("GPT-3の応答時間", "GPT-4の応答時間"),
    )


@fourth
def turns_in_a_list_with_ids_of_answers() -> Labs:
    rows = [
        {
            "question_id": at,
            "answer_id": f"a{at}{model[:2]}TT9",
            "model_id": model,
            "choices": [{"index": 0, "turns": [row[1 + turn], row[3]]}],
            "tstamp": 1686286924.8 + at,
        }
        for at, row in enumerate(ROWS)
        for turn, model in enumerate(("vicuna-13b", "claude-v1"))
    ]
    return Labs(
        "mtbench.jsonl", json_lines(rows), 4, 2, shown=("choices",), hidden=("answer_id", "tstamp")
    )


@fourth
def flash_cards_with_wrong_answers() -> Labs:
    rows = [["Frage", "Antwort", "FalscheAntwort1", "FalscheAntwort2"]]
    rows += [list(row) for row in ROWS]
    return Labs(
        "karten.csv",
        lines(rows, ";"),
        4,
        shown=("Frage", "Antwort"),
        hidden=("FalscheAntwort1", "FalscheAntwort2"),
    )


# -- a sixth set -----------------------------------------------------------------------------------


@fourth
def addresses_of_shared_chats() -> Labs:
    rows = [["id", "question", "answer_html", "answer_url"]]
    rows += [
        [at, q, f"<p>{a}</p>", f"https://chat.example/share/{at}abc"]
        for at, (q, a, _, _) in enumerate(ROWS)
    ]
    return Labs("html.csv", lines(rows), 4, 0, shown=("answer_html",), hidden=("answer_url",))


@fourth
def hindi_answers_of_models() -> Labs:
    rows = [["क्रमांक", "प्रश्न", "उत्तर (GPT-4)", "उत्तर (Airavata)", "सही उत्तर"]]
    rows += [[at, *(f"{one} {at}" for one in ROWS[at])] for at in range(4)]
    return Labs(
        "hi.csv",
        lines(rows),
        4,
        frozenset({"GPT-4", "Airavata"}),
        shown=("प्रश्न",),
        hidden=("सही उत्तर",),
    )


@fourth
def numbered_answers_with_ranks() -> Labs:
    rows = [["qid", "question", "answer1", "answer2", "rank1", "rank2", "source1", "source2"]]
    rows += [[at, q, a, b, 1, 2, "GPT-4", "MD"] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs(
        "ranks.csv", lines(rows), 4, 2, shown=("question",), hidden=("rank1", "source1", "source2")
    )


@fourth
def a_model_that_did_not_answer() -> Labs:
    rows = [["id", "question", "model_a_answer", "model_b_answer"]]
    rows += [[at, q, a, b if at != 2 else ""] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("gap.csv", lines(rows), 4, 2, noted=("row 3 has no answer",))


@fourth
def a_list_of_rows_for_each_model() -> Labs:
    made = {
        "gpt-4": [{"q": q, "a": a} for q, a, _, _ in ROWS],
        "llama-3": [{"q": q, "a": b} for q, _, b, _ in ROWS],
    }
    return Labs(
        "by_model.json",
        json.dumps(made, indent=1).encode(),
        4,
        frozenset({"gpt-4", "llama-3"}),
        shown=("q", "a"),
        noted=("named in 'list'",),
    )
