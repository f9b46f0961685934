"""Replies and errors of gateways and local servers, written after the sets before were mended and
without a look at the rules. When they were new, 55 of 60 were taken for what they are; the others
were five words of a 403 for an account that may not ask, which ended a run at the third call
instead of the first.
"""

from __future__ import annotations

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


def forbidden(name: str, meant: str, words: str, **error: str) -> Quirk:
    return Quirk(name, meant, refusal(words, **error), 403)


GATEWAYS = (
    Quirk(
        "Gemini that stopped for safety",
        "other Gemini",
        {"candidates": [{"finishReason": "SAFETY", "index": 0, "safetyRatings": []}]},
    ),
    Quirk(
        "Vertex's predictions",
        "other Vertex AI",
        {"predictions": [DIFFER], "deployedModelId": "1", "model": "projects/1/models/2"},
    ),
    Quirk(
        "Anthropic with thinking blocks",
        "other Anthropic",
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": DRAFT, "signature": "x"},
                {"type": "text", "text": DIFFER},
            ],
            "stop_reason": "end_turn",
        },
    ),
    Quirk(
        "Ollama's stream of thoughts",
        "other Ollama",
        '{"model":"q","message":{"role":"assistant","content":"","thinking":"Hm"},"done":false}\n'
        '{"model":"q","message":{"role":"assistant","content":"no"},"done":true}\n',
    ),
    Quirk(
        "the Responses API",
        "other Responses",
        {
            "object": "response",
            "status": "completed",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": DIFFER}]}],
        },
    ),
    Quirk(
        "text-generation-inference with details",
        "other Hugging Face",
        {"generated_text": DIFFER, "details": {"finish_reason": "eos_token"}},
    ),
    Quirk("Ollama's error as 200", "retried|failed|stopped", {"error": "model 'llama9' not found"}),
    forbidden(
        "a model that is not allowed", "stopped", "You are not allowed to sample from this model"
    ),
    forbidden("Azure's network", "stopped", "Access denied due to Virtual Network/Firewall rules."),
    forbidden(
        "a key without scope",
        "stopped",
        "Missing scopes: model.request. Check the role of your key.",
    ),
    forbidden(
        "Mistral's tier", "stopped", "This model is not available on your current subscription"
    ),
    forbidden(
        "Google's key of another site",
        "stopped",
        "Requests from referer <empty> are blocked.",
        type="PERMISSION_DENIED",
    ),
    forbidden("Google's country", "stopped", "User location is not supported for the API use."),
    forbidden("Groq's network", "stopped", "Access denied. Please check your network settings."),
    forbidden("xAI's team", "stopped", "Your team has been blocked from using the API"),
    forbidden(
        "a gated model",
        "stopped",
        "Access to model meta-llama/Llama-3 is restricted. You must have access to it and be "
        "authenticated.",
    ),
    forbidden(
        "xAI's newer team",
        "no_money|stopped",
        "Your newly created team doesn't have any credits or licenses yet. Purchase those at "
        "https://console.x.ai",
    ),
    forbidden("Cloudflare's gateway", "refused", "Prompt blocked due to security configurations"),
    forbidden(
        "Azure's filter behind a gateway",
        "refused",
        "The response was filtered due to the prompt triggering Azure OpenAI's content "
        "management policy.",
    ),
    forbidden(
        "Bedrock's guardrail behind a gateway", "refused", "Content blocked by guardrail policy"
    ),
    forbidden(
        "Google's rate",
        "retried",
        "Quota exceeded for quota metric 'requests' and limit 'requests per minute'",
        type="rateLimitExceeded",
    ),
    Quirk(
        "a firewall's page",
        "failed",
        "<!DOCTYPE html><title>Attention Required! | Cloudflare</title><h1>Sorry, you have been "
        "blocked</h1>",
        403,
    ),
    Quirk("an empty object behind a gateway", "failed|stopped", {}, 403),
    limit(
        "Bedrock's throttle behind a gateway",
        "ThrottlingException: Too many tokens, please wait before trying again.",
    ),
    limit(
        "Anthropic's input rate",
        "This request would exceed your organization's rate limit of 40,000 input tokens per "
        "minute.",
    ),
    broke("DeepSeek's balance behind a gateway", 402, "Insufficient Balance"),
    broke(
        "Anthropic's credit behind a gateway",
        400,
        "Your credit balance is too low to access the Anthropic API.",
    ),
    long("Anthropic's length", "prompt is too long: 210000 tokens > 200000 maximum"),
    long(
        "Gemini's length",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    refused(
        "a prompt that was flagged",
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
    ),
    Quirk(
        "overloaded behind a gateway",
        "retried",
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        529,
    ),
    Quirk("a bad gateway as HTML", "retried", "<html><h1>502 Bad Gateway</h1></html>", 502),
    Quirk(
        "a model that is not there behind a gateway",
        "stopped",
        {"error": "model 'llama9' not found, try pulling it first"},
        404,
    ),
    parameter(
        "no top_p with temperature",
        NO_TEMPERATURE,
        "`temperature` and `top_p` cannot both be specified for this model.",
        has("temperature"),
    ),
)

REPLIES = (
    Quirk(
        "a verdict in bold",
        "no|unreadable",
        chat("**same_disease:** no\n**reason:** One is viral."),
    ),
    Quirk(
        "YAML behind a gateway",
        "no|unreadable",
        chat("same_disease: no\nreason: |\n  One is viral.\n  The other is not."),
    ),
    Quirk(
        "XML behind a gateway",
        "no|unreadable",
        chat("<verdict><same_disease>no</same_disease><reason>r</reason></verdict>"),
    ),
    Quirk(
        "thoughts under a heading behind a gateway",
        "no|unreadable",
        chat(f"**Thinking**\n{DRAFT}\n\n**Answer**\n{DIFFER}"),
    ),
    Quirk(
        "a quoted draft in thoughts with fence",
        "no",
        chat(f"<think>\n```json\n{SAME}\n```\n</think>\n```json\n{DIFFER}\n```"),
    ),
    Quirk("thoughts twice", "no", chat(f"<think>{DRAFT}</think><think>{DRAFT}</think>{DIFFER}")),
    Quirk(
        "thoughts in a tag with attributes",
        "no",
        chat(f'<thinking type="deep">{DRAFT}</thinking>{DIFFER}'),
    ),
    Quirk("a thought after the answer", "no|unreadable", chat(f"{DIFFER}<think>{DRAFT}</think>")),
    Quirk(
        "thoughts that mention the closing tag",
        "no|unreadable",
        chat(f"<think>Close with </think> later. {DRAFT}</think>{DIFFER}"),
    ),
    Quirk(
        "Harmony without end", "unreadable|empty", chat(f"<|channel|>analysis<|message|>{DRAFT}")
    ),
    Quirk(
        "Harmony's commentary",
        "no",
        chat(
            f"<|channel|>commentary<|mes"
            f"sage|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{DIFFER}"
        ),
    ),
    Quirk(
        "a thought field as a list", "no", chat(DIFFER, reasoning=[{"type": "text", "text": DRAFT}])
    ),
    Quirk(
        "thoughts in provider fields",
        "no",
        chat(DIFFER, provider_specific_fields={"thinking_blocks": [{"thinking": DRAFT}]}),
    ),
    Quirk(
        "an empty text with thoughts beside", "empty|unreadable", chat(None, reasoning=f"So {SAME}")
    ),
    Quirk(
        "German thoughts",
        "no|unreadable",
        chat(f"Überlegung: {SAME} wäre denkbar, aber nein.\n\nAntwort: {DIFFER}"),
    ),
    Quirk("a correction", "no|unreadable", chat(f"{SAME}\n\nWait, correction:\n{DIFFER}")),
    Quirk("a list of two runs", "unreadable", chat(f"[{SAME}, {DIFFER}]")),
    Quirk("an answer of another question", "unreadable", chat('{"diagnosis": "gout"}')),
    Quirk("a finish of eos_token", "no", chat(DIFFER, finish="eos_token")),
    Quirk("a finish of null", "no", chat(DIFFER, finish=None)),
    Quirk("a finish of guardrail", "refused", chat("Blocked.", finish="guardrail_intervened")),
    Quirk("a finish of timeout", "retried", chat(DIFFER[:20], finish="timeout")),
    Quirk(
        "a stream with usage at the end",
        "no",
        events({"content": DIFFER})
        + 'data: {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 9}}\n\n',
    ),
    Quirk(
        "a stream of CRLF",
        "no",
        events({"content": DIFFER[:30]}, {"content": DIFFER[30:]}).replace("\n", "\r\n"),
    ),
    Quirk("a stream with event names", "no", "event: completion\n" + events({"content": DIFFER})),
    Quirk(
        "an object and then another reply",
        "no",
        json.dumps(chat(DIFFER)) + "\n" + json.dumps(chat(SAME)),
    ),
)

SEVENTH = (*GATEWAYS, *REPLIES)
