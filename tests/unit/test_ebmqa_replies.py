"""What models answer, as they answer it: a table of texts and what they are taken to say."""

from __future__ import annotations

import time

import pytest

from medlens.studies.ebmqa.multiple_choice_reply_parsing import (
    parse_reply,
    was_reply_cut_while_thinking,
)
from tests.effort import effort

RANGES = ("Greater than 54%", "Between 5% and 54%", "Less than 5%")
TIMES = (
    "Increases the chance more than 2.5 times",
    "Increases the chance between 1.01 and 2.5 times",
    "Decreases the chance to between 0.7 and 0.99 of what it was",
    "Decreases the chance to less than 0.7 of what it was",
)
TIMES_OF_THE_PAPER = (
    "Increases the chance by greater than 2.5 times",
    "Increases the chance between 1.01 and 2.5 times",
    "Decreases the chance between 0.7 and 0.99 times",
    "Decreases the chance by less than 0.7 times",
)
SIGNS = ("Pain", "Abdominal pain", "Fever", "Chest pain on exertion", "Weight loss")

FAILED, IDK, REFUSED = "parse_failed", "idk", "refused"


def said(text: str, options: tuple[str, ...], *, several: bool = False) -> str:
    """The reply in short: places from 1 as in "1 3", or the outcome."""
    reply = parse_reply(text, options, several=several)
    places = " ".join(str(place + 1) for place in reply.chosen)
    return places if reply.outcome == "answered" else reply.outcome


def test_options_that_are_answered_one_by_one_are_those_with_yes() -> None:
    for text, meant in [
        ("Pain: yes / Fever: no / Weight loss: no", "1"),
        ("Pain: yes\nAbdominal pain: no\nFever: yes\nWeight loss: no", "1 3"),
        ("1. Pain: Yes\n2. Abdominal pain: No\n3. Fever: Yes\n4. No\n5. Weight loss: No", "1 3"),
        ("Pain - yes; Fever - no", "1"),
        ("1: yes, 2: no, 3: yes, 4: no, 5: no", "1 3"),
        ("✓ Pain\n✗ Fever\n✗ Weight loss", "1"),
        ("[x] Pain\n[ ] Fever\n[x] Weight loss", "1 5"),
        ("Pain is present, fever is absent", "1"),
        ("**Pain**: true\n**Fever**: false", "1"),
        ("Yes: Pain, Fever. No: Weight loss", "1 3"),
        ("Correct: 1, 3\nIncorrect: 2, 4, 5", "1 3"),
        ("Pain: no\nFever: no", FAILED),
        ("Fever: yes\nFever: no", FAILED),
        ("Pain: yes\nAbdominal pain: yes\nFever: yes\nWeight loss: yes", "1 2 3 5"),
        ("Pain: maybe\nFever: perhaps", FAILED),
    ]:
        assert (text, said(text, SIGNS, several=True)) == (text, meant)
    for text, meant in [
        ("A: no\nB: yes\nC: no", "2"),
        ("Option 1: incorrect\nOption 2: correct\nOption 3: incorrect", "2"),
        ("A: yes\nB: yes\nC: no", FAILED),
        ("A: no\nB: no", FAILED),
    ]:
        assert (text, said(text, RANGES)) == (text, meant)


def test_a_span_of_numbers_is_all_of_them_and_no_answer_where_one_is_right() -> None:
    for text, meant in [("1-3", "1 2 3"), ("2 to 4", "2 3 4"), ("A–C", "1 2 3"), ("1-5", FAILED)]:
        assert (text, said(text, SIGNS, several=True)) == (text, meant)
    for text in ("1-3", "1–2", "A to C", "Options 1-3"):
        assert (text, said(text, RANGES)) == (text, FAILED)


def test_a_hedge_that_ends_in_an_answer_is_that_answer() -> None:
    for text, meant in [
        ("I'm not certain, but probably B", "2"),
        ("I am not sure, but I would guess 2.", "2"),
        ("I don't know for sure, but most likely less than 5%", "3"),
        ("Not sure. If I had to choose, C.", "3"),
        ("I cannot say with certainty; still, I think it is option 1.", "1"),
        ("I'm not certain, but it could be anything.", IDK),
        ("I do not know, but B and C are both possible", IDK),
        ("I don't know, but a doctor would probably know.", IDK),
    ]:
        assert (text, said(text, RANGES)) == (text, meant)


def test_an_answer_that_is_called_unsure_or_taken_back_is_the_one_that_stands() -> None:
    for text, meant in [
        ("I'm leaning towards 2, though I am not certain.", "2"),
        ("I think 2, though I am not sure", "2"),
        ("I'm not sure, maybe 2", "2"),
        ("I'm not sure, maybe 2 or 3", IDK),
        ("1? No, 3.", "3"),
        ("1, sorry, 3", "3"),
        ("1... wait, actually 3", "3"),
        ("1? No.", FAILED),
        ("1 -> 3", FAILED),
        ("1 → 3", FAILED),
        ("2, no doubt", "2"),
    ]:
        assert (text, said(text, RANGES)) == (text, meant)


def test_what_is_denied_or_graded_among_several_options_is_never_chosen() -> None:
    for text, meant in [
        ("Fever without weight loss", "3"),
        ("Fever but no weight loss", "3"),
        ("Fever and pain, absence of weight loss", "1 3"),
        ("No fever, pain, weight loss", FAILED),
        ("1, no 3", FAILED),
        ("1: 0.9, 2: 0.1", FAILED),
        ("Fever (90%), pain (10%)", FAILED),
        ("1 (80%), 3 (20%)", "1 3"),
        ("Fever: 0.9\nPain: 0.2", FAILED),
        ("Fever: likely, Pain: unlikely", FAILED),
        ("Fever - high, Pain - low", FAILED),
        ("Fever, pain absent", FAILED),
        ("Fever, with weight loss", "3 5"),
        ("Fever rather than pain", "3"),
    ]:
        assert (text, said(text, SIGNS, several=True)) == (text, meant)


def test_an_answer_to_a_question_with_ranges_is_read() -> None:
    for text, meant in [
        # The answer alone, in every dress.
        ("2", "2"),
        ("2.", "2"),
        (" (2) ", "2"),
        ("B", "2"),
        ("b)", "2"),
        ("**B**", "2"),
        ("2\n", "2"),
        ("Option 2", "2"),
        ("option two", "2"),
        ("The second option", "2"),
        ("Answer: 2", "2"),
        ("`2`", "2"),
        ("②", "2"),
        ("２", "2"),
        ("Between 5% and 54%", "2"),
        ("between 5 % and 54 %.", "2"),
        ("5%–54%", "2"),
        ("between 5 and 54 percent", "2"),
        ("> 54%", "1"),
        ("<5%", "3"),
        ("more than 54 per cent", "1"),
        ("below 5%", "3"),
        ("2) Between 5% and 54%", "2"),
        ("B: between 5% and 54%", "2"),
        ('{"answer": 2}', "2"),
        ('```json\n{"answer": "C", "reason": "rare"}\n```', "3"),
        ('{"answer": ["1"]}', "1"),
        ("\\boxed{3}", "3"),
        ("<answer>1</answer>", "1"),
        # Stated in a sentence.
        ("The correct answer is 2, because the condition is rare.", "2"),
        ("The answer is **(B) Between 5% and 54%**.", "2"),
        ("The answer is most likely less than 5%.", "3"),
        ("I would choose option 1.", "1"),
        ("I'd go with C since it is uncommon.", "3"),
        ("My best guess would be B", "2"),
        ("Final answer\n\n2", "2"),
        ("Answer: A", "1"),
        ("The answer is B. Option A is too high.", "2"),
        ("At first the answer is 1. On reflection, the answer is 3.", "3"),
        ("The answer is not 1. The answer is 2.", "2"),
        ("The answer cannot be 1; the answer is 3", "3"),
        ("2\n\nThe prevalence in cohorts of adults is about 30%.", "2"),
        ("Prevalence varies with age.\n\nB", "2"),
        ("B. Because most series report a third.", "2"),
        ("B because most series report a third.", "2"),
        ("Between 5% and 54%, since most series report a third.", "2"),
        ("<think>It could be 1 or 3. The answer is 1.</think>2", "2"),
        ("In my view it lies between 5% and 54% in adults.", "2"),
        ("Not less than 5%, rather than that it is between 5% and 54%.", FAILED),
        ("It is not greater than 54%, so between 5% and 54% fits.", "2"),
        ("Less than 5% is too low; between 5% and 54% fits.", "2"),
        ("Options: 1) Greater than 54% 2) Between 5% and 54% 3) Less than 5%. Answer: 3", "3"),
        # Other languages.
        ("Die richtige Antwort ist B.", "2"),
        ("Respuesta: 3", "3"),
        ("La réponse est B", "2"),
        ("Ответ: 2", "2"),
        ("答案是B。", "2"),
        ("答案：2", "2"),
        ("答えは 3", "3"),
        ("정답: 1", "1"),
        # Not knowing, chosen or said.
        ("4", IDK),
        ("D", IDK),
        ("4. I do not know", IDK),
        ("I do not know", IDK),
        ("I don't know.", IDK),
        ("I don’t know the answer.", IDK),
        ("IDK", IDK),
        ("**I do not know**", IDK),
        ("The answer is: I do not know", IDK),
        ("Answer: 4 (I do not know)", IDK),
        ("unknown", IDK),
        ("I'm not sure.", IDK),
        ("I am not certain about this one.", IDK),
        ("There is insufficient information to say.", IDK),
        ("It cannot be determined from what is given.", IDK),
        ("As an AI language model, I do not have enough information to determine this.", IDK),
        ("I don't know whether it is less than 5%.", IDK),
        ("Ich weiß es nicht.", IDK),
        ("Je ne sais pas", IDK),
        ("No lo sé.", IDK),
        ("Не знаю", IDK),
        ("我不知道", IDK),
        ("わかりません。", IDK),
        # Hedged, but answered.
        ("I don't know for sure, but my best guess is 2.", "2"),
        ("I'm not certain. The answer is B.", "2"),
        # Declined.
        ("I'm sorry, but I cannot provide medical advice.", REFUSED),
        ("I can't assist with that. Please consult a healthcare professional.", REFUSED),
        ("I must decline.", REFUSED),
        # What says nothing, or two things.
        ("", FAILED),
        ("   \n", FAILED),
        ("...", FAILED),
        ("5", FAILED),
        ("0", FAILED),
        ("-1", FAILED),
        ("2.5", FAILED),
        ("54%", FAILED),
        ("30%", FAILED),
        ("1 and 2", FAILED),
        ("A, B", FAILED),
        ("1\n2\n3", FAILED),
        ("2) Less than 5%", FAILED),
        ("The answer is 2: Greater than 54%", FAILED),
        ("Greater than 54% or less than 5%", FAILED),
        ("1) Greater than 54%\n2) Between 5% and 54%\n3) Less than 5%", FAILED),
        ("None of the above", FAILED),
        ("A patient with this disorder has many signs.", FAILED),
        ("2 times as often as in controls", FAILED),
        ("1. First, consider the population. 2. Then the test.", FAILED),
        ("Not greater than 54%.", FAILED),
        ('{"answer": {"nested": 1}}', FAILED),
        ("I", FAILED),
        ("Less than 55%", FAILED),
        ("Less than 5.5%", FAILED),
    ]:
        assert said(text, RANGES) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Increases the chance by greater than 2.5 times", "1"),
        ("It increases the chance by more than 2.5 times.", "1"),
        ("decreases the chance by between 0.7 to 0.99 times", "3"),
        ("Decreases the chance to less than 0.7", "4"),
        ("Decreases the chance to below 0.7 of what it is", "4"),
        ("D", "4"),
        ("5", IDK),
        ("E. I do not know", IDK),
        ("6", FAILED),
    ],
)
def test_ranges_above_one_are_read_as_well(text: str, meant: str) -> None:
    before = tuple(
        one.replace("chance between", "chance by between").replace("more", "by more")
        for one in TIMES
    )
    assert [said(text, options) for options in (TIMES, TIMES_OF_THE_PAPER, before)] == [meant] * 3


def test_an_answer_with_several_options_is_read() -> None:
    for text, meant in [
        ("1", "1"),
        ("1, 3", "1 3"),
        ("1,3,5", "1 3 5"),
        ("1;3", "1 3"),
        ("A and C", "1 3"),
        ("A, B, and C", "1 2 3"),
        ("AC", "1 3"),
        ("a; c", "1 3"),
        ("Options 1 and 3", "1 3"),
        ("[2, 4]", "2 4"),
        ('{"answers": ["Fever", "Pain"]}', "1 3"),
        ("Fever", "3"),
        ("Abdominal pain", "2"),
        ("Pain", "1"),
        ("Abdominal pain, pain", "1 2"),
        ("abdominal pain; weight loss", "2 5"),
        ("Fever and weight loss", "3 5"),
        ("- Fever\n- Weight loss", "3 5"),
        ("1. Pain\n3. Fever", "1 3"),
        ("The answers are:\n- Fever\n- Abdominal pain", "2 3"),
        ("The correct answers are 2 and 3.", "2 3"),
        ("The answer is fever and abdominal pain. Weight loss is rarer.", "2 3"),
        ("Fever is common, abdominal pain too, but not weight loss.", "2 3"),
        ("Chest pain on exertion does not occur; fever does.", "3"),
        ("All of the above", "1 2 3 4 5"),
        ("3 3", "3"),
        ("6", IDK),
        ("I do not know", IDK),
        ("Fever; I do not know", FAILED),
        ("3, 6", FAILED),
        ("3, 7", FAILED),
        ("2. Fever", FAILED),
        ("Cough", FAILED),
        ("None of these", FAILED),
    ]:
        assert said(text, SIGNS, several=True) == meant


def test_without_the_option_its_number_is_nobodys_but_saying_it_still_counts() -> None:
    assert parse_reply("4", RANGES, idk=False).outcome == FAILED
    assert parse_reply("I do not know", RANGES, idk=False).outcome == IDK


def test_options_with_the_same_text_are_not_told_apart_by_it() -> None:
    assert said("Fever", ("Fever", "Fever", "Cough")) == FAILED
    assert said("2", ("Fever", "Fever", "Cough")) == "2"


def test_only_a_stated_answer_is_firm() -> None:
    assert parse_reply("The answer is 2, as", RANGES).firm
    assert not parse_reply("It is thought to lie between 5% and 54% in", RANGES).firm


@pytest.mark.deep
@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "1 2 " * 25_000,
        "<" * 100_000,
        "answer is " * 10_000,
        "answer" + " x" * 50_000,
        "{" * 100_000,
        '{"answer": ' * 9_000,
        "not " * 25_000,
        "(" * 100_000,
        "Less than " * 10_000,
        "5% and " * 15_000,
        "**" * 50_000,
        "\u202e\u200b" * 50_000,
        "\x00" * 100_000,
        "\ud800" * 1000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_hostile_text_ends_quickly_and_says_nothing(text: str) -> None:
    read: list[str] = []
    spent = effort(lambda: read.append(said(text, RANGES)))
    assert read == [FAILED]
    # It takes at most 150; a search that begins anew at every sign takes many thousands.
    assert spent < 1000


def test_a_text_that_announces_answer_after_answer_ends_quickly() -> None:
    # It takes about 10; with all 2,500 announcements looked into more than 1,000.
    assert effort(lambda: said("answer:\n" * 2_500, SIGNS, several=True)) < 200


def test_of_a_very_long_text_the_end_still_counts() -> None:
    long = "Studies differ in their populations. " * 3_000
    assert len(long) > 100_000
    assert said(f"{long}\n\nFinal answer: 3", RANGES) == "3"


@pytest.mark.parametrize(
    ("text", "thinking"),
    [
        ("Okay, let me think. The answer is 3. But wait", True),
        ("Let's go through the options. Fever is common. The answer is 3. Now", True),
        ("The answer is 3. However, one might", True),
        ("The user asks about fever. The answer is 3. It", True),
        ("3. Fever is the most common sign, because it", False),
        ("The answer is 3. Fever occurs in most patients and", False),
    ],
)
def test_a_reply_that_was_cut_while_thinking_has_no_answer(text: str, thinking: bool) -> None:
    assert was_reply_cut_while_thinking(text) is thinking


def test_an_answer_that_is_taken_back_is_not_counted() -> None:
    text = "The answer is 1.\n\nOn reflection I cannot decide and withdraw the above."
    assert parse_reply(text, ("Fever", "Cough")).outcome == "parse_failed"
    assert parse_reply(f"{text} The answer is 2.", ("Fever", "Cough")).chosen == (1,)


def test_only_before_an_answer_changes_nothing() -> None:
    assert parse_reply("Only 2", ("Fever", "Cough"), several=True).chosen == (1,)
    assert parse_reply("Only B", ("Fever", "Cough")).chosen == (1,)


def test_a_reply_that_repeats_a_number_to_its_limit_keeps_nothing_busy() -> None:
    begun = time.process_time()
    parse_reply(f"The answer is A{'1,' * 8_000}", RANGES)
    assert time.process_time() - begun < 3
    assert parse_reply("1,5 - 2,5", ("Less than 1.5", "Between 1,5 and 2,5")).chosen == (1,)
