"""Sixty more replies and errors of endpoints, written by someone who had not read the code for
replies, and what a careful person would take each for: bodies of other services than the one that
was asked, all that a 403 can mean, and what gateways leave over of streams and encodings.

When they were new, 43 of 68 were taken for what they are or told as such: another service's body
was "unreadable" and asked for again, and most of what a 403 says of an account ended no run. No
verdict was taken from thoughts.
"""

from __future__ import annotations

import gzip
import json

from tests.endpoint_quirks import (
    DIFFER,
    DRAFT,
    NO_TEMPERATURE,
    SAME,
    Quirk,
    broke,
    chat,
    events,
    has,
    limit,
    long,
    parameter,
    refusal,
    refused,
)

OTHER_SERVICES = (
    Quirk(
        "Gemini's own body",
        "other Gemini",
        {
            "candidates": [
                {
                    "content": {"parts": [{"text": DIFFER}], "role": "model"},
                    "finishReason": "STOP",
                    "index": 0,
                }
            ],
            "usageMetadata": {"promptTokenCount": 9, "totalTokenCount": 20},
            "modelVersion": "gemini-2.5-flash",
        },
    ),
    Quirk(
        "Gemini's stream as a list",
        "other Gemini",
        [
            {"candidates": [{"content": {"parts": [{"text": DIFFER[:20]}]}}]},
            {"candidates": [{"content": {"parts": [{"text": DIFFER[20:]}]}}]},
        ],
    ),
    Quirk(
        "Gemini that blocked the prompt",
        "other Gemini",
        {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 9}},
    ),
    Quirk(
        "Anthropic's own message",
        "other Anthropic",
        {
            "id": "msg_01",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": DIFFER}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 9, "output_tokens": 20},
        },
    ),
    Quirk(
        "Anthropic's stream",
        "other Anthropic",
        "event: message_start\ndata: "
        + json.dumps({"type": "message_start", "message": {"id": "msg_1", "content": []}})
        + "\n\nevent: content_block_delta\ndata: "
        + json.dumps(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": DIFFER},
            }
        )
        + '\n\nevent: message_stop\ndata: {"type": "message_stop"}\n\n',
    ),
    Quirk(
        "Anthropic's error in 200",
        "retried",
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    ),
    Quirk(
        "Ollama's own chat",
        "other Ollama",
        {
            "model": "llama3.1",
            "created_at": "2026-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": DIFFER},
            "done_reason": "stop",
            "done": True,
            "prompt_eval_count": 9,
        },
    ),
    Quirk(
        "Ollama's chat in lines",
        "other Ollama",
        "\n".join(
            json.dumps(
                {
                    "model": "llama3.1",
                    "message": {"role": "assistant", "content": piece},
                    "done": piece == "",
                }
            )
            for piece in (DIFFER[:9], DIFFER[9:], "")
        ),
    ),
    Quirk(
        "Ollama's generate",
        "other Ollama",
        {"model": "llama3.1", "created_at": "x", "response": DIFFER, "done": True, "context": [1]},
    ),
    Quirk(
        "Ollama that is running",
        "other Ollama",
        "Ollama is running",
    ),
    Quirk(
        "Bedrock's converse",
        "other Bedrock",
        {
            "output": {"message": {"role": "assistant", "content": [{"text": DIFFER}]}},
            "stopReason": "end_turn",
            "usage": {"inputTokens": 9, "outputTokens": 20, "totalTokens": 29},
        },
    ),
    Quirk(
        "Cohere's own chat",
        "other Cohere",
        {
            "id": "x",
            "finish_reason": "COMPLETE",
            "message": {"role": "assistant", "content": [{"type": "text", "text": DIFFER}]},
            "usage": {"billed_units": {"input_tokens": 9, "output_tokens": 20}},
        },
    ),
    Quirk(
        "Hugging Face's own generation",
        "other Hugging Face",
        [{"generated_text": DIFFER}],
    ),
    Quirk(
        "llama.cpp's own completion",
        "other llama.cpp",
        {"content": DIFFER, "stop": True, "tokens_predicted": 20, "timings": {"predicted_n": 20}},
    ),
    Quirk(
        "a page in place of the API",
        "other web page",
        "<!DOCTYPE html><html><head><title>LM Studio</title></head><body>Welcome</body></html>",
    ),
    Quirk(
        "a list of models",
        "failed",
        {"object": "list", "data": [{"id": "llama-3.1-8b", "object": "model"}]},
    ),
)
"""``other NAME``: no answer; what is said names the service that answered, and ``base_url``."""

FORBIDDEN = (
    Quirk(
        "OpenAI's project without a model",
        "stopped",
        refusal("Project `proj_1` does not have access to model `gpt-5`", code="model_not_found"),
        403,
    ),
    Quirk(
        "OpenAI's region",
        "stopped",
        refusal(
            "Country, region, or territory not supported",
            code="unsupported_country_region_territory",
        ),
        403,
    ),
    Quirk(
        "a model behind an agreement",
        "stopped",
        refusal("You must accept the terms of use of this model before you can call it."),
        403,
    ),
    Quirk(
        "an organisation to be verified",
        "stopped",
        refusal("Your organization must be verified to use the model `o3`."),
        403,
    ),
    Quirk(
        "an address that is not on the list",
        "stopped",
        refusal("Your IP address is not on the allow list of this key."),
        403,
    ),
    Quirk(
        "a plan that lacks the model",
        "stopped",
        refusal("This model is only available on the Pro plan. Please upgrade."),
        403,
    ),
    Quirk(
        "a leaked key",
        "stopped",
        refusal("Your API key was reported as leaked. Please use another API key."),
        403,
    ),
    Quirk(
        "Google's service that is off",
        "stopped",
        refusal(
            "Generative Language API has not been used in project 1 before or it is disabled.",
            code=403,
            type="PERMISSION_DENIED",
        ),
        403,
    ),
    Quirk(
        "Bedrock's model that is not granted",
        "stopped",
        {"message": "You don't have access to the model with the specified model ID."},
        403,
    ),
    Quirk(
        "a deactivated account",
        "stopped",
        refusal("This account has been deactivated due to a violation of our policies."),
        403,
    ),
    Quirk("a bare 403", "failed|stopped", b"", 403),
    Quirk(
        "a filter behind a proxy",
        "refused",
        refusal("The response was filtered due to the prompt triggering content management policy"),
        403,
    ),
    Quirk(
        "a provider's moderation",
        "refused",
        {
            "error": {
                "message": "anthropic requires moderation. Your input was flagged for 'violence'.",
                "code": 403,
                "metadata": {"reasons": ["violence"], "flagged_input": "stab wound"},
            }
        },
        403,
    ),
    Quirk(
        "a guardrail",
        "refused",
        refusal("Guardrail intervened: the prompt violates the topic policy 'medical advice'."),
        403,
    ),
    Quirk(
        "a firewall that disliked one text",
        "failed",
        "<html><head><title>403 Forbidden</title></head><body>Request blocked. Incident 7.</body>",
        403,
    ),
    Quirk(
        "a limit told as 403",
        "retried",
        refusal("Rate limit exceeded: too many requests. Try again in 20s."),
        403,
    ),
    Quirk(
        "a credit told as 403",
        "no_money",
        refusal("Key limit exceeded (total limit). Add credits to continue."),
        403,
    ),
)

REPLIES = (
    Quirk(
        "an SSE comment before the object",
        "no",
        ": keep-alive\n\n: keep-alive\n\n" + json.dumps(chat(DIFFER)),
    ),
    Quirk(
        "a stream that broke off",
        "truncated|unreadable|failed|retried",
        events({"content": DIFFER[:25]}, finish=None, end=""),
    ),
    Quirk(
        "an error at the end of a stream",
        "retried",
        events({"content": DIFFER[:25]}, finish=None, end="")
        + 'data: {"error": {"message": "upstream connect error", "code": 502}}\n\n',
    ),
    Quirk(
        "a stream with thoughts and answer in deltas",
        "no",
        events({"reasoning_content": DRAFT}, {"content": DIFFER[:20]}, {"content": DIFFER[20:]}),
    ),
    Quirk("UTF-16 with a mark", "no", json.dumps(chat(DIFFER)).encode("utf-16")),
    Quirk(
        "Latin letters in a Latin body",
        "no",
        json.dumps(
            chat('{"same_disease": "no", "reason": "Ménière is not Sjögren."}'), ensure_ascii=False
        ).encode("latin-1"),
    ),
    Quirk("packed twice", "no|failed|retried", gzip.compress(json.dumps(chat(DIFFER)).encode())),
    Quirk("a trailing NUL", "no", json.dumps(chat(DIFFER)).encode() + b"\0\0"),
    Quirk(
        "lone surrogates", "no", chat('{"same_disease": "no", "reason": "\\ud83d One is viral."}')
    ),
    Quirk(
        "a finish of content_filter and half a text",
        "refused",
        chat(DIFFER[:30], finish="content_filter"),
    ),
    Quirk(
        "a finish of max_output_tokens", "truncated", chat(DIFFER[:30], finish="MAX_OUTPUT_TOKENS")
    ),
    Quirk("a finish of RECITATION", "refused", chat("", finish="RECITATION")),
    Quirk("a finish of COMPLETE", "no", chat(DIFFER, finish="COMPLETE")),
    Quirk("a finish of load", "unreadable|empty|retried|failed", chat("", finish="load")),
    Quirk(
        "usage in strings",
        "no",
        chat(DIFFER, usage={"prompt_tokens": "100", "completion_tokens": "20"}),
    ),
    Quirk(
        "usage below nought",
        "no",
        chat(DIFFER, usage={"prompt_tokens": -1, "completion_tokens": None}),
    ),
    Quirk("thoughts in a mark of Seed", "no", chat(f"<seed:think>{DRAFT}</seed:think>{DIFFER}")),
    Quirk("thoughts between brackets", "no", chat(f"[THINK]{DRAFT}[/THINK]{DIFFER}")),
    Quirk(
        "a thinking channel of Gemma",
        "no",
        chat(f"<|channel>thought\n{DRAFT}<channel|>{DIFFER}"),
    ),
    Quirk("thoughts between Kimi's marks", "no", chat(f"◁think▷{DRAFT}◁/think▷{DIFFER}")),
    Quirk("only a thought that is not closed", "unreadable|empty", chat(f"<thinking>{DRAFT}")),
    Quirk(
        "an answer in the thoughts' field alone",
        "empty|unreadable",
        chat("", reasoning_content=f"I say {SAME}"),
    ),
    Quirk(
        "a quoted prompt before the answer",
        "no",
        chat(f'You asked for {{"same_disease": "yes" or "no", "reason": "..."}}.\n{DIFFER}'),
    ),
    Quirk(
        "a schema and the answer",
        "no",
        chat('{"type": "object", "properties": {"same_disease": {"type": "string"}}}\n' + DIFFER),
    ),
    Quirk(
        "the answer under parameters",
        "no|unreadable",
        chat(json.dumps({"name": "verdict", "parameters": json.loads(DIFFER)})),
    ),
    Quirk(
        "a plain text with both",
        "unreadable",
        chat("same_disease: yes (by name)\nsame_disease: no (by cause)"),
    ),
    Quirk(
        "an audio reply", "empty|unreadable", chat(None, audio={"id": "a", "transcript": DIFFER})
    ),
)

SETTINGS = (
    parameter(
        "only the default temperature",
        NO_TEMPERATURE,
        "`temperature` may only be set to 1 when thinking is enabled.",
        has("temperature"),
    ),
    parameter(
        "a top limit of tokens",
        "max_tokens",
        "max_tokens: 300 > 256, which is the maximum allowed number of output tokens for tiny-1",
        has("max_tokens"),
    ),
    long(
        "vLLM's newest words",
        "This model's maximum context length is 4096 tokens. However, you requested 300 output"
        " tokens and your prompt contains at least 3797 input tokens",
    ),
    limit(
        "a day's requests",
        "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model"
        " requests per day",
    ),
    broke("a prepaid wallet", 402, "Wallet is empty"),
    refused(
        "an unsafe prompt by name",
        "Input data may contain inappropriate content.",
        code="data_inspection_failed",
    ),
    Quirk(
        "a model being loaded",
        "retried",
        refusal("Loading model", code=503, type="unavailable_error"),
        503,
    ),
    Quirk(
        "a retired model",
        "stopped",
        refusal("The model `gpt-4-32k` has been deprecated and is no longer available."),
        410,
    ),
)

SIXTH = (*OTHER_SERVICES, *FORBIDDEN, *REPLIES, *SETTINGS)
