"""What a model thought aloud, told from what it answered, before anything else reads the reply.

Models that reason write their drafts down: in a field of their own, between tags, or on a channel
of the reply. A draft is not an answer: a verdict in it may be the one that the model went on to
reject. ``split_reasoning_from_answer`` is the only place that knows the forms; what it calls the
answer is all that studies see.

Sources of the forms: the chat templates of DeepSeek-R1 and Qwen3 (``<think>``, also without the
opening tag, which the template puts into the prompt), Mistral's Magistral (``[THINK]``), Seed-OSS
(``<seed:think>``), Kimi-VL (``◁think▷``), Cohere's Command A Reasoning (``<|START_THINKING|>``),
Sky-T1 (``<|begin_of_thought|>``), Gemma-based models (``<unused94>thought``), and the Harmony
response format of gpt-oss (channels ``analysis``, ``commentary`` and ``final``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from medlens.deferred_regex import compile_later


class SplitReply(NamedTuple):
    """A reply in two parts: the ``answer``, and the ``reasoning`` before or around it."""

    answer: str
    reasoning: str


Tags = Sequence[tuple[str, str]]
"""Opening and closing tags of a model's own."""

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think"
_OPENING = (
    rf"<(?:{_NAMES})(?:\s[^<>]{{0,80}})?>",
    r"\[THINK\]",
    r"◁think▷",
    r"<\|START_THINKING\|>",
    r"<\|begin_of_thought\|>",
    r"<\|thinking\|>",
    r"<unused94>(?:thought\b)?",
    *(r"&lt;think(?:ing)?&gt;", r"\[thinking\]", r"<\|inner_prefix\|>", r"<\|thought\|>"),
    *(r"<\|channel>thought\b", r"^Thinking\.\.\."),
)
_CLOSING = (
    rf"</(?:{_NAMES})\s*>",
    r"\[/THINK\]",
    r"◁/think▷",
    r"<\|END_THINKING\|>",
    r"<\|end_of_thought\|>",
    r"<\|/thinking\|>",
    r"<unused95>",
    *(r"&lt;/think(?:ing)?&gt;", r"\[/thinking\]", r"<\|inner_suffix\|>", r"<\|/thought\|>"),
    *(r"<channel\|>", r"^\.\.\.done thinking\.?"),
)
# One of these is in every tag above.
_SIGNS_OF_TAGS = ("<", "[", "◁", "&", "...")
_HARMONY = compile_later(
    r"(?:<\|start\|>\s{0,8}assistant\s{0,8})?<\|channel\|>\s{0,8}(?P<channel>[a-z]+)[^<]{0,200}"
    r"(?:<\|constrain\|>[^<]{0,40})?<\|message\|>"
)
_HARMONY_END = compile_later(r"<\|(?:end|return|call|start)\|>")
# Harmony's marks with their brackets taken off by the server: "analysisThe …assistantfinalYes".
_BARE_ANALYSIS = compile_later(r"\A\s*analysis(?=[A-Z\"'“{]|\s*\n)")
_BARE_FINAL = compile_later(r"assistant\s?final(?=[^a-z]|[A-Z])")
# Tags of a name that nobody told: <deliberation>, <inner_monologue>, <details>.
_UNKNOWN_TAG = compile_later(r"\s{0,20}<(?P<name>[A-Za-z][\w:-]{1,30})(?:\s[^<>]{0,120})?>")
# What a reader of the page would not see, and a fence that says it holds thoughts.
_HIDDEN = compile_later(
    r"<!--(?P<comment>.*?)-->"
    r"|^[ \t]*```(?:thinking|thoughts?|reasoning)[ \t]*\n(?P<fenced>.*?)^[ \t]*```[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_SHORTEST_THOUGHT = 20
# Names that say what is in them: all of it is a thought, also where no answer follows.
_NAMED_A_THOUGHT = compile_later(
    r"think|thought|reason|monolog|deliberat|reflect|scratch|rumina|ponder|contemplat|brainstorm"
    r"|chain_?of|\bcot\b|draft|internal|inner|self_?talk|musing",
    re.IGNORECASE,
)
_SUMMARY_OF_THOUGHTS = compile_later(
    r"\s*<summary>[^<]{0,60}(?:thought|thinking|reason)", re.IGNORECASE
)
_ANSWERS_BEHIND = compile_later(
    r"(?!<)\S|<(?:final_?|the_?)?(?:answer|response|output|result)\b", re.I
)
_NO_THOUGHTS = frozenset(
    re.findall(
        r"\S+",
        "answer response output final final_answer result results verdict diagnosis json xml html"
        " body p div span b i u em strong mark small sub sup a code pre blockquote section article"
        " header h1 h2 h3 h4 h5 h6 ul ol li table tr td th br hr text doctor patient test request"
        " choice",
    )
)
"""Names of tags that hold an answer, or set it."""
# Thoughts under a heading of their own, as agents are taught to write: "Thought: … Action: …".
_THOUGHT_HEADING = compile_later(
    r"[\s*_#>]{0,20}(?:here (?:is|are) (?:my|the) )?(?:thoughts?|(?:thinking|thought)(?: process)?"
    r"|(?:inner|internal) (?:thoughts?|monologue)|chain of thought|scratchpad)[*_ ]{0,4}(?::|\n)",
    re.IGNORECASE,
)
_ANSWER_HEADING = compile_later(
    r"^[*_#> ]{0,20}(?:(?:here is )?(?:my |the )?(?:final )?(?:answer|response|output"
    r"|result)|final|action)"
    r"[*_ ]{0,4}(?::[*_ ]{0,4}|$)",
    re.IGNORECASE | re.MULTILINE,
)
# What wraps a whole answer, and what a server left at its ends.
_WRAPPED = compile_later(
    r"\A<(?P<name>answer|response|output|final|final_answer)>(?P<inner>.*)</(?P=name)>\Z",
    re.DOTALL | re.IGNORECASE,
)
_SOLUTION = compile_later(
    r"<\|(?:begin_of_solution|START_RESPONSE)\|>(?P<inner>.*?)"
    r"(?:<\|(?:end_of_solution|END_RESPONSE)\|>|\Z)",
    re.DOTALL,
)
_UNSEEN = "\ufeff\u200b\u2060"
# Who speaks, before an object alone: in a dialogue such a word may be what was said.
_ROLE = compile_later(r"\A\s{0,20}(?:assistant|model|ai)\s{0,8}:\s{0,20}(?=[{\[`])", re.IGNORECASE)
# Whose turn it is, in the marks of chat templates (Llama 3, Gemma, Granite, Qwen, DeepSeek, GLM).
_TURN_MARK = compile_later(
    r"\A(?:\s*(?:<\|?(?:im_start|start_header_id|end_header_id|start_of_turn|start_of_role"
    r"|end_of_role|begin_of_text|assistant|assistant_start|turn|message|bos|s)\|?>"
    r"|<｜(?:Assistant|begin▁of▁sentence)｜>|\[/INST\])(?:\s*(?:assistant|model)(?=\s*[\n<:]))?:?)+\s*"
)
# Marks of a template at an end: "3[|endofturn|]", "<|begin_of_box|>3<|end_of_box|>".
_A_MARK = r"(?:<[|｜][^<>|｜\s]{1,40}[|｜]>|\[\|[a-z_]{1,30}\|\])"
_LONGEST_MARKS = 400
_MARKS_AT_THE_END = compile_later(rf"(?:\s*{_A_MARK})+\s*\Z", re.IGNORECASE)
_MARKS_AT_THE_START = compile_later(rf"\A(?:\s*{_A_MARK})+\s*", re.IGNORECASE)
_ANY_MARK = compile_later(_A_MARK, re.IGNORECASE)
_LEFT_AT_THE_END = (
    *("<|im_end|>", "<|eot_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>", "<|return|>"),
    *("<|eom_id|>", "</s>", "<end_of_turn>", "<｜end▁of▁sentence｜>", "<|user|>", "<|turn_end|>"),
    *("<|end_of_turn|>", "<|end_of_role|>", "<|eot|>", "<eos>", "<|observation|>", "[/INST]"),
)


def split_reasoning_from_answer(text: str, own_tags: Tags = ()) -> SplitReply:
    """The answer in a model's ``text``, and what it thought aloud. ``own_tags`` are further pairs.

    Tags that are open to the end (the reply was cut) leave no answer behind them; a closing tag
    without an opening one makes everything before it reasoning. A text without any form of
    reasoning is the answer as it stands.
    """
    text = text.strip(_UNSEEN)
    harmony = _split_harmony(text)
    if harmony is not None:
        text, reasoning = harmony
    else:
        reasoning = ""
    hidden = [one["comment"] or one["fenced"] or "" for one in _HIDDEN.finditer(text)]
    answer, thought = _split_tags(_HIDDEN.sub("", text) if hidden else text, own_tags)
    thought = "\n".join(filter(None, (*(one.strip() for one in hidden), thought)))
    answer, unnamed = _split_unknown_tag(answer)
    answer, headed = _split_headings(answer)
    reasoning = "\n\n".join(filter(None, (reasoning, thought, unnamed, headed)))
    if not reasoning and answer == text and not _decorated(text):
        return SplitReply(text, "")
    return SplitReply(_undressed(answer), reasoning)


def _split_harmony(text: str) -> SplitReply | None:
    marks = list(_HARMONY.finditer(text)) if "<|channel|>" in text else []
    if not marks:
        return _split_bare_harmony(text)
    answers: list[str] = []
    thoughts = [text[: marks[0].start()].strip()]
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
        part = text[mark.end() : end]
        stop = _HARMONY_END.search(part)
        part = part[: stop.start()] if stop else part
        (answers if mark["channel"] == "final" else thoughts).append(part.strip())
    # A model corrects itself by another message on the final channel: the last one counts.
    return SplitReply(answers[-1] if answers else "", "\n\n".join(filter(None, thoughts)))


def _split_bare_harmony(text: str) -> SplitReply | None:
    begin = _BARE_ANALYSIS.match(text)
    if begin is None:
        return None
    finals = list(_BARE_FINAL.finditer(text, begin.end()))
    if not finals:
        return SplitReply("", text[begin.end() :].strip())
    last = finals[-1]
    return SplitReply(text[last.end() :].strip(), text[begin.end() : last.start()].strip())


def _split_tags(text: str, own_tags: Tags) -> SplitReply:
    if not own_tags and not any(sign in text for sign in _SIGNS_OF_TAGS):
        # A plain text is told at once, however long it is.
        return SplitReply(text, "")
    pattern = _tag_pattern(tuple((str(first), str(last)) for first, last in own_tags))
    answer: list[str] = []
    thoughts: list[str] = []
    inside, at = False, 0
    for tag in pattern.finditer(text):
        piece, at = text[at : tag.start()], tag.end()
        closing = tag.lastgroup == "closing"
        if closing and not inside:
            # The template opened it in the prompt: all that stands before it was thought.
            thoughts.extend([*answer, piece])
            answer.clear()
        elif inside or closing:
            thoughts.append(piece)
        else:
            answer.append(piece)
        inside = not closing
    (thoughts if inside else answer).append(text[at:])
    said = "".join(answer)
    return SplitReply(said, "\n".join(part.strip() for part in thoughts if part.strip()))


def _split_unknown_tag(text: str) -> SplitReply:
    """A reply that opens with a long text in tags of any name, and answers behind them."""
    begun = _UNKNOWN_TAG.match(text)
    if begun is None or begun["name"].lower() in _NO_THOUGHTS:
        return SplitReply(text, "")
    inner, closing, behind = text[begun.end() :].partition(f"</{begun['name']}>")
    behind = behind.strip()
    if _NAMED_A_THOUGHT.search(begun["name"]) or _SUMMARY_OF_THOUGHTS.match(inner):
        return SplitReply(behind, inner.strip())
    if not closing or len(inner) < _SHORTEST_THOUGHT or not _ANSWERS_BEHIND.match(behind):
        return SplitReply(text, "")
    return SplitReply(behind, inner.strip())


def _split_headings(text: str) -> SplitReply:
    """A reply that opens with thoughts under a heading: the answer stands under the last heading
    for one, or behind the first blank line.
    """
    begun = _THOUGHT_HEADING.match(text)
    if begun is None:
        return SplitReply(text, "")
    headings = list(_ANSWER_HEADING.finditer(text, begun.end()))
    if headings:
        last = headings[-1]
        return SplitReply(text[last.end() :].strip(), text[: last.start()].strip())
    thought, _, behind = text[begun.end() :].strip().partition("\n\n")
    return SplitReply(behind.strip(), thought.strip())


@lru_cache(maxsize=32)
def _tag_pattern(own_tags: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    opening = "|".join([*_OPENING, *(re.escape(first) for first, _ in own_tags)])
    closing = "|".join([*_CLOSING, *(re.escape(last) for _, last in own_tags)])
    return re.compile(
        f"(?P<opening>{opening})|(?P<closing>{closing})", re.IGNORECASE | re.MULTILINE
    )


def _decorated(text: str) -> bool:
    stripped = text.strip()
    return bool(
        _TURN_MARK.match(stripped)
        or _ROLE.match(stripped)
        or stripped.endswith(_LEFT_AT_THE_END)
        or _MARKS_AT_THE_START.match(stripped)
        or _MARKS_AT_THE_END.search(stripped[-_LONGEST_MARKS:])
        or _WRAPPED.match(stripped)
        or _SOLUTION.search(text)
    )


def _undressed(answer: str) -> str:
    """An answer without the tags around all of it and what the server left at its ends."""
    answer = answer.strip().strip(_UNSEEN).strip()
    answer = _TURN_MARK.sub("", answer)
    answer = _ROLE.sub("", answer)
    while left := next((mark for mark in _LEFT_AT_THE_END if answer.endswith(mark)), ""):
        answer = answer.removesuffix(left).rstrip()
    if solution := _SOLUTION.search(answer):
        answer = solution["inner"].strip()
    # Looked for in the last characters alone: a reply may have millions.
    rest, end = answer[:-_LONGEST_MARKS], answer[-_LONGEST_MARKS:]
    bare = _MARKS_AT_THE_START.sub("", rest + _MARKS_AT_THE_END.sub("", end))
    if not _ANY_MARK.search(bare):
        # One in the middle may part a thought from the answer: which, nobody told.
        answer = bare
    wrapped = _WRAPPED.match(answer)
    return wrapped["inner"].strip() if wrapped else answer
