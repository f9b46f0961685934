"""What a reply's ``finish_reason`` means: a whole answer, a cut one, a refusal, or no answer.

OpenAI's API has four words for it; endpoints that speak the same API have many more. The words are
those of the documentation of OpenAI, Azure, Mistral, DeepSeek, Google, Anthropic, Cohere, Zhipu,
OpenRouter, vLLM and SGLang. One that is not known is counted and told, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Finish = Literal["complete", "truncated", "refused", "failed", "unknown"]
"""``failed``: the endpoint broke off, and another attempt may mend it."""

ONLY_A_TOOL_CALL = "tool_calls"
"""The reason of a reply that calls a tool and holds no answer."""

GIVEN_AS_NULL = "null"
"""The reason of a reply that has the field and gives none: it may be a piece of one."""

_WORDS: Mapping[Finish, str] = {
    "complete": (
        "stop end_turn stop_sequence eos eos_token end complete completed finish finished"
        " tool_calls tool_use function_call finish_reason_stop stop_word"
    ),
    "truncated": (
        "length max_tokens model_length max_output_tokens max_completion_tokens token_limit"
        " incomplete context_length max_length model_context_window_exceeded"
        " finish_reason_max_tokens max_tokens_reached context_window_exceeded time_limit"
        " max_time time_limit_exceeded deadline_exceeded"
    ),
    "refused": (
        "content_filter safety refusal refused recitation blocklist prohibited_content spii"
        " sensitive content_filtered guardrail_intervened error_toxic moderation image_safety"
        " data_inspection_failed blocked policy_violation http"
    ),
    "failed": (
        "error abort aborted cancelled canceled insufficient_system_resource network_error timeout"
        " overloaded engine_error internal_error server_error malformed_function_call error_limit"
        " user_cancel pause_turn expired"
    ),
}
_MEANING: Mapping[str, Finish] = {
    word: finish for finish, words in _WORDS.items() for word in words.split()
}


def interpret_finish_reason(finish_reason: str) -> Finish:
    """What a ``finish_reason`` means, whatever its case and separators.

    Endpoints that leave it out give whole answers: an empty one is complete. One that is null is
    unknown.
    """
    word = re.sub(r"[^a-z]+", "_", finish_reason.lower()).strip("_")
    return _MEANING.get(word, "unknown") if word else "complete"
