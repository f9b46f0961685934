"""Conversations written out with a chat template's marks, as models are given them: Llama's and
Mistral's ``[INST]``, ChatML's ``<|im_start|>``, Llama 3's headers, Gemma's and Zephyr's turns.
"""

from __future__ import annotations

import re

_ROLES = r"system|user|assistant|model|tool|developer|ipython"
_MARK = re.compile(
    rf"(?P<inst>\[/?INST\])|<\|im_start\|>[ \t]*(?P<im>{_ROLES})[ \t]*\n?"
    rf"|<\|start_header_id\|>\s*(?P<header>{_ROLES})\s*<\|end_header_id\|>"
    rf"|<start_of_turn>[ \t]*(?P<gemma>{_ROLES})[ \t]*\n?|<\|(?P<bar>{_ROLES})\|>"
)
"""Where a turn begins."""
_ENDS = re.compile(
    r"</?s>|<\|(?:im_end|eot_id|eom_id|end|endoftext|begin_of_text|end_of_text)\|>|<end_of_turn>"
    r"|<bos>|<eos>"
)
"""What stands around turns and says nothing."""
_SYSTEM = re.compile(r"\s*<<SYS>>(?P<words>.*?)<</SYS>>", re.DOTALL)
_CALLED = {"[INST]": "user", "[/INST]": "assistant", "model": "assistant", "ipython": "tool"}
_HINTS = ("[INST]", "<|im_start|>", "<|start_header_id|>", "<start_of_turn>", "<|user|>")


def turns_of_chat_template(text: str) -> list[dict[str, str]] | None:
    """The turns of a conversation that a chat template has written out, each with ``role`` and
    ``content``; None for any other text, as where words stand before the first turn.
    """
    if not any(hint in text for hint in _HINTS):
        return None
    marks = [*_MARK.finditer(text)]
    if not marks or _ENDS.sub("", text[: marks[0].start()]).strip():
        return None
    turns: list[dict[str, str]] = []
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
        words = text[mark.end() : end]
        name = next(filter(None, mark.groups()))
        role = _CALLED.get(name, name)
        if role == "user" and (system := _SYSTEM.match(words)):
            turns.append({"role": "system", "content": system["words"].strip()})
            words = words[system.end() :]
        # An answer still to be given is no turn.
        if said := _ENDS.sub("", words).strip():
            turns.append({"role": role, "content": said})
    return turns if any(turn["role"] == "user" for turn in turns) else None
