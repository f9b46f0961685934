"""Replies and errors of OpenAI-compatible endpoints, as servers and gateways send them, and what a
careful person would take each for. Written from what the vendors document and from public reports,
before the code that reads them was looked at.

``FIRST`` to ``FIFTH`` are sets: what was found wrong in one was mended, and the next was written
after that without a look at the rules.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Body = Any
SAME = '{"same_disease": "yes", "reason": "Both are gout."}'
DIFFER = '{"same_disease": "no", "reason": "One is gout, one is not."}'
DRAFT = f"They sound alike. My answer would be {SAME} but let me look again."


@dataclass(frozen=True)
class Quirk:
    """``meant``: ``yes`` or ``no``, the verdict; ``unreadable``, ``refused``, ``truncated``,
    ``empty``: no verdict; ``retried``, ``no_money``, ``stopped``, ``too_long``, ``failed``: no
    answer, and what for; ``setting …``: the run ends and names this setting.

    ``refuses``: the reply is sent only to requests for which it is true.
    """

    name: str
    meant: str
    body: Body
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    refuses: Callable[[dict[str, Any]], bool] | None = None

    @property
    def payload(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        if isinstance(self.body, str):
            return self.body.encode()
        return json.dumps(self.body, ensure_ascii=False).encode()


USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def chat(content: Any, *, finish: Any = "stop", usage: Any = USAGE, **message: Any) -> Body:
    said = {"role": "assistant", "content": content, **message}
    made = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
    }
    return made | ({"usage": usage} if usage is not None else {})


def events(*deltas: dict[str, Any], finish: str | None = "stop", end: str = "[DONE]") -> str:
    """A streamed reply, sent although none was asked for."""
    chunks = [
        {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}
        for delta in deltas
    ]
    if finish:
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "".join(lines) + (f"data: {end}\n\n" if end else "")


def refusal(words: str, *, code: Any = None, type: str = "invalid_request_error") -> Body:
    return {"error": {"message": words, "type": type, "param": None, "code": code}}


def has(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda body: name in body


def form(*kinds: str) -> Callable[[dict[str, Any]], bool]:
    return lambda body: body.get("response_format", {}).get("type") in kinds


def system(body: dict[str, Any]) -> bool:
    return any(message["role"] == "system" for message in body["messages"])


THOUGHTS = (
    Quirk("DeepSeek R1 in tags", "no", chat(f"<think>\n{DRAFT}\n</think>\n\n{DIFFER}")),
    Quirk("opening tag in the template", "no", chat(f"{DRAFT}\n</think>\n\n{DIFFER}")),
    Quirk("Qwen3 with thinking off", "no", chat(f"<think>\n\n</think>\n\n{DIFFER}")),
    Quirk("DeepSeek's field", "no", chat(DIFFER, reasoning_content=DRAFT)),
    Quirk("OpenRouter's field", "no", chat(DIFFER, reasoning=DRAFT)),
    Quirk(
        "OpenRouter's details",
        "no",
        chat(DIFFER, reasoning_details=[{"type": "reasoning.text", "text": DRAFT}]),
    ),
    Quirk(
        "Magistral's parts",
        "no",
        chat(
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": DRAFT}]},
                {"type": "text", "text": DIFFER},
            ]
        ),
    ),
    Quirk(
        "LiteLLM for Anthropic",
        "no",
        chat(DIFFER, thinking_blocks=[{"type": "thinking", "thinking": DRAFT, "signature": "x"}]),
    ),
    Quirk(
        "Anthropic's blocks in a gateway",
        "no",
        chat(
            [
                {"type": "thinking", "thinking": DRAFT, "signature": "x"},
                {"type": "redacted_thinking", "data": "EuYB"},
                {"type": "text", "text": DIFFER},
            ]
        ),
    ),
    Quirk("Gemini's thought tag", "no", chat(f"<thought>\n{DRAFT}\n</thought>{DIFFER}")),
    Quirk(
        "Gemini's thought parts",
        "no",
        chat(
            [
                {"type": "text", "text": DRAFT, "thought": True},
                {"type": "text", "text": DIFFER},
            ]
        ),
    ),
    Quirk(
        "raw Harmony",
        "no",
        chat(
            f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant"
            f"<|channel|>final<|message|>{DIFFER}<|return|>"
        ),
    ),
    Quirk("Harmony without its marks", "no", chat(f"analysis{DRAFT}assistantfinal{DIFFER}")),
    Quirk(
        "Harmony with commentary and a constraint",
        "no",
        chat(
            f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>commentary"
            f"<|message|>{SAME}<|end|><|start|>assistant<|channel|>final <|constrain|>json"
            f"<|message|>{DIFFER}"
        ),
    ),
    Quirk("Ollama's field", "no", chat(DIFFER, thinking=DRAFT)),
    Quirk("Seed-OSS", "no", chat(f"<seed:think>{DRAFT}</seed:think>{DIFFER}")),
    Quirk("Kimi's marks", "no", chat(f"◁think▷{DRAFT}◁/think▷{DIFFER}")),
    Quirk("ERNIE", "no", chat(f"<think>{DRAFT}</think>\n<response>\n{DIFFER}\n</response>")),
    Quirk("Hunyuan", "no", chat(f"<think>{DRAFT}</think>\n<answer>\n{DIFFER}\n</answer>")),
    Quirk(
        "Cohere",
        "no",
        chat(
            f"<|START_THINKING|>{DRAFT}<|END_THINKING|><|START_RESPONSE|>{DIFFER}<|END_RESPONSE|>"
        ),
    ),
    Quirk(
        "Granite",
        "no",
        chat(f"Here is my thought process:\n{DRAFT}\n\nHere is my response:\n{DIFFER}"),
    ),
    Quirk("thoughts cut by the limit", "truncated", chat(f"<think>{DRAFT}", finish="length")),
    Quirk("thoughts never closed", "unreadable", chat(f"<think>{DRAFT}")),
    Quirk("all in the field", "unreadable", chat(None, reasoning_content=DRAFT)),
    Quirk("all in the field, cut", "truncated", chat("", reasoning=DRAFT, finish="length")),
    Quirk("tags within tags", "no", chat(f"<think>So <think>hm</think> {DRAFT}</think>\n{DIFFER}")),
    Quirk(
        "Reflection",
        "no",
        chat(
            f"<thinking>{DRAFT}<reflection>Wait.</reflection></thinking><output>{DIFFER}</output>"
        ),
    ),
    Quirk("Apertus", "no", chat(f"<|inner_prefix|>{DRAFT}<|inner_suffix|>{DIFFER}")),
    Quirk(
        "GLM's box",
        "no",
        chat(f"<think>{DRAFT}</think>\n<|begin_of_box|>{DIFFER}<|end_of_box|>"),
    ),
    Quirk("a fence of thoughts", "no", chat(f"```thinking\n{DRAFT}\n```\n{DIFFER}")),
    Quirk("brackets", "no", chat(f"[THINK]{DRAFT}[/THINK]{DIFFER}")),
    Quirk("tags in capitals", "no", chat(f"<THINK>{DRAFT}</THINK>{DIFFER}")),
    Quirk(
        "Sky-T1",
        "no",
        chat(
            f"<|begin_of_thought|>{DRAFT}<|end_of_thought|>"
            f"<|begin_of_solution|>{DIFFER}<|end_of_solution|>"
        ),
    ),
    Quirk("scratchpad", "no", chat(f"<scratchpad>{DRAFT}</scratchpad>\n{DIFFER}")),
    Quirk("escaped tags", "no", chat(f"&lt;think&gt;{DRAFT}&lt;/think&gt;\n{DIFFER}")),
    Quirk(
        "Open WebUI's box",
        "no",
        chat(
            '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds'
            f"</summary>\n&gt; {DRAFT}\n</details>\n{DIFFER}"
        ),
    ),
    Quirk(
        "Bedrock's blocks",
        "no",
        chat([{"reasoningContent": {"reasoningText": {"text": DRAFT}}}, {"text": DIFFER}]),
    ),
    Quirk(
        "the Responses API's form",
        "no",
        {
            "object": "response",
            "status": "completed",
            "output": [
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": DRAFT}]},
                {"type": "message", "content": [{"type": "output_text", "text": DIFFER}]},
            ],
        },
    ),
    Quirk(
        "Gemini's own form",
        "no",
        {
            "candidates": [
                {
                    "content": {"parts": [{"text": DRAFT, "thought": True}, {"text": DIFFER}]},
                    "finishReason": "STOP",
                }
            ]
        },
    ),
    Quirk(
        "Anthropic's own form",
        "no",
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": DRAFT}, {"type": "text", "text": DIFFER}],
            "stop_reason": "end_turn",
        },
    ),
    Quirk(
        "Ollama's own form",
        "no",
        {
            "message": {"role": "assistant", "content": DIFFER, "thinking": DRAFT},
            "done": True,
            "done_reason": "stop",
        },
    ),
)

FORMS = (
    Quirk(
        "text in parts",
        "no",
        chat([{"type": "text", "text": DIFFER[:9]}, {"type": "text", "text": DIFFER[9:]}]),
    ),
    Quirk("parts that are texts", "no", chat([DIFFER[:12], DIFFER[12:]])),
    Quirk("one part without a list", "no", chat({"type": "text", "text": DIFFER})),
    Quirk("an object already read", "no", chat(json.loads(DIFFER))),
    Quirk(
        "the object as a tool's arguments",
        "no",
        chat(
            None,
            finish="tool_calls",
            tool_calls=[
                {
                    "id": "1",
                    "type": "function",
                    "function": {"name": "json_tool_call", "arguments": DIFFER},
                }
            ],
        ),
    ),
    Quirk(
        "the object as an old function call",
        "no",
        chat(None, finish="function_call", function_call={"name": "answer", "arguments": DIFFER}),
    ),
    Quirk("the object beside", "no", chat(None, parsed=json.loads(DIFFER))),
    Quirk("BOM before the answer", "no", chat("\ufeff" + DIFFER)),
    Quirk("BOM before the body", "no", b"\xef\xbb\xbf" + json.dumps(chat(DIFFER)).encode()),
    Quirk("a comma too many", "no", chat(DIFFER[:-1] + ",\n}")),
    Quirk("single quotes", "no", chat(str(json.loads(DIFFER)))),
    Quirk("smart quotes", "no", chat("{“same_disease”: “no”, “reason”: “Not alike.”}")),
    Quirk(
        "comments",
        "no",
        chat('{\n  // was "yes" at first\n  "same_disease": "no", /* sure */\n  "reason": "r"\n}'),
    ),
    Quirk("JSON within JSON", "no", chat(json.dumps(DIFFER))),
    Quirk("a list of one", "no", chat(f"[{DIFFER}]")),
    Quirk("a list of two that differ", "unreadable", chat(f"[{SAME}, {DIFFER}]")),
    Quirk("another language's fence", "no", chat(f"```javascript\n{DIFFER}\n```")),
    Quirk("a fence of tildes", "no", chat(f"~~~json\n{DIFFER}\n~~~")),
    Quirk("a fence that is not closed", "no", chat(f"```json\n{DIFFER}")),
    Quirk(
        "a line break within a text",
        "no",
        chat('{"same_disease": "no", "reason": "One is gout.\nOne is not."}'),
    ),
    Quirk(
        "a quote within a text",
        "no",
        chat('{"same_disease": "no", "reason": "It says "gout" here."}'),
    ),
    Quirk("twice the same", "no", chat(f"{DIFFER}\n\n{DIFFER}")),
    Quirk("two that contradict", "unreadable", chat(f"{SAME}\n{DIFFER}")),
    Quirk(
        "a draft that is corrected",
        "no",
        chat(f"```json\n{SAME}\n```\nWait, that is wrong. Corrected:\n```json\n{DIFFER}\n```"),
    ),
    Quirk("capitals", "no", chat('{"same_disease": "NO", "reason": "r"}')),
    Quirk("a truth value", "no", chat('{"same_disease": false, "reason": "r"}')),
    Quirk("wrapped", "no", chat(f'{{"response": {DIFFER}}}')),
    Quirk(
        "values in the schema's place",
        "no",
        chat('{"type": "object", "properties": {"same_disease": "no", "reason": "r"}}'),
    ),
    Quirk(
        "the schema itself",
        "unreadable",
        chat(
            '{"properties": {"same_disease": {"enum": ["yes", "no"], "type": "string"}, "reason":'
            ' {"type": "string"}}, "required": ["same_disease", "reason"]}'
        ),
    ),
    Quirk("names in camel case", "no", chat('{"sameDisease": "No", "Reason": "r"}')),
    Quirk("YAML", "no", chat("same_disease: no\nreason: One is gout.")),
    Quirk("XML", "no", chat("<same_disease>no</same_disease>\n<reason>One is gout.</reason>")),
    Quirk("the form filled in by nobody", "unreadable", chat('{"same_disease": "yes|no"}')),
    Quirk("cut off", "truncated", chat('{"same_disease": "yes", "rea', finish="length")),
    Quirk(
        "the same key twice",
        "unreadable",
        chat('{"same_disease": "yes", "reason": "r", "same_disease": "no"}'),
    ),
    Quirk("undecided", "unreadable", chat('{"same_disease": "unclear", "reason": "r"}')),
    Quirk("null", "unreadable", chat('{"same_disease": null, "reason": "r"}')),
    Quirk(
        "a template's marks",
        "no",
        chat(f"<|start_header_id|>assistant<|end_header_id|>\n\n{DIFFER}<|eot_id|>"),
    ),
    Quirk("a template's word", "no", chat(f"assistant\n\n{DIFFER}")),
    Quirk("a list of pairs", "no", chat('[["same_disease", "no"], ["reason", "r"]]')),
    Quirk("empty", "empty", chat("")),
    Quirk("blank", "empty", chat("\n\n  \n")),
    Quirk("nothing but a mark", "empty", chat("<|im_end|>")),
    Quirk("null text", "empty", chat(None)),
)

ENDS = (
    Quirk("cut by the limit in JSON's blanks", "truncated", chat(DIFFER[:20], finish="length")),
    Quirk("filtered", "refused", chat('{"same_disease"', finish="content_filter")),
    Quirk("Gemini's safety", "refused", chat(None, finish="SAFETY")),
    Quirk("Gemini's recitation", "refused", chat("", finish="RECITATION")),
    Quirk("Anthropic's refusal", "refused", chat("", finish="refusal")),
    Quirk("Bedrock's guardrail", "refused", chat("Sorry.", finish="guardrail_intervened")),
    Quirk("Zhipu's filter", "refused", chat("", finish="sensitive")),
    Quirk("a refusal in its field", "refused", chat(None, refusal="I cannot help with that.")),
    Quirk("eos", "no", chat(DIFFER, finish="eos")),
    Quirk("end_turn", "no", chat(DIFFER, finish="end_turn")),
    Quirk("COMPLETE", "no", chat(DIFFER, finish="COMPLETE")),
    Quirk("stop_sequence", "no", chat(DIFFER, finish="stop_sequence")),
    Quirk("FINISH_REASON_STOP", "no", chat(DIFFER, finish="FINISH_REASON_STOP")),
    Quirk("MAX_TOKENS", "truncated", chat(SAME[:24], finish="MAX_TOKENS")),
    Quirk("Mistral's model_length", "truncated", chat(SAME[:24], finish="model_length")),
    Quirk(
        "Anthropic's window", "truncated", chat(SAME[:24], finish="model_context_window_exceeded")
    ),
    Quirk("DeepSeek's resources", "retried", chat(SAME, finish="insufficient_system_resource")),
    Quirk("SGLang's abort", "retried", chat(SAME, finish="abort")),
    Quirk("OpenRouter's error", "retried", chat(SAME[:30], finish="error")),
    Quirk("Zhipu's network_error", "retried", chat("", finish="network_error")),
    Quirk("no reason to end", "no", chat(DIFFER, finish=None)),
    Quirk("no usage", "no", chat(DIFFER, usage=None)),
    Quirk("usage in words", "no", chat(DIFFER, usage={"prompt_tokens": "100"})),
    Quirk("usage as a list", "no", chat(DIFFER, usage=[])),
    Quirk(
        "a stream nobody asked for",
        "no",
        events(
            {"role": "assistant", "content": ""}, {"content": DIFFER[:9]}, {"content": DIFFER[9:]}
        ),
    ),
    Quirk(
        "a stream with thoughts",
        "no",
        events({"reasoning_content": DRAFT}, {"content": DIFFER}),
    ),
    Quirk(
        "a stream with keep-alives",
        "no",
        ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n" + events({"content": DIFFER}),
    ),
    Quirk(
        "a stream that breaks off",
        "unreadable",
        events({"content": SAME[:24]}, finish=None, end=""),
    ),
    Quirk(
        "a stream that ends in an error",
        "retried",
        events({"content": SAME[:24]}, finish=None, end="")
        + 'data: {"error": {"code": 502, "message": "Provider disconnected"}}\n\n',
    ),
    Quirk("blank lines before", "no", "\n\n\n   \n" + json.dumps(chat(DIFFER))),
    Quirk("the whole in a list", "no", [chat(DIFFER)]),
    Quirk("the whole as a text", "no", json.dumps(json.dumps(chat(DIFFER)))),
    Quirk("UTF-16", "no", json.dumps(chat(DIFFER)).encode("utf-16")),
    Quirk("gzip that nobody declared", "no", gzip.compress(json.dumps(chat(DIFFER)).encode())),
    Quirk("no choice", "retried", chat("") | {"choices": []}),
    Quirk("choices null", "retried", chat("") | {"choices": None}),
    Quirk("an empty body", "retried", b""),
    Quirk("half a body", "retried", json.dumps(chat(SAME))[:-30]),
)

ERRORS_IN_200 = (
    Quirk(
        "OpenRouter's limit",
        "retried",
        {"error": {"message": "Rate limit exceeded: free-models-per-min. ", "code": 429}},
    ),
    Quirk(
        "OpenRouter's credits",
        "no_money",
        {"error": {"message": "Insufficient credits. Add more credits to continue.", "code": 402}},
    ),
    Quirk(
        "OpenRouter's provider",
        "retried",
        {
            "error": {
                "message": "Provider returned error",
                "code": 502,
                "metadata": {"raw": "upstream connect error", "provider_name": "X"},
            }
        },
    ),
    Quirk("Ollama's missing model", "failed", {"error": "model 'gemma3' not found"}),
    Quirk(
        "vLLM's older form",
        "too_long",
        {
            "object": "error",
            "message": "This model's maximum context length is 8192 tokens. However, you requested"
            " 9000 tokens (8500 in the messages, 500 in the completion).",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    Quirk(
        "an error within a choice",
        "retried",
        {
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": SAME[:30]},
                    "finish_reason": "error",
                    "error": {"code": 502, "message": "Upstream error from X"},
                }
            ]
        },
    ),
    Quirk(
        "DashScope's inspection",
        "refused",
        {
            "code": "DataInspectionFailed",
            "message": "Input data may contain inappropriate content.",
        },
    ),
    Quirk(
        "MiniMax's limit",
        "retried",
        {
            "choices": None,
            "base_resp": {"status_code": 1002, "status_msg": "rate limit exceeded(RPM)"},
        },
    ),
    Quirk(
        "MiniMax's balance",
        "no_money",
        {"choices": None, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}},
    ),
    Quirk(
        "Cloudflare's errors",
        "failed",
        {"success": False, "errors": [{"code": 5007, "message": "No such model"}], "result": None},
    ),
    Quirk(
        "Baidu's errors",
        "retried",
        {"error_code": 336100, "error_msg": "try again later, the server is busy"},
    ),
    Quirk("a sign-in page", "failed", "<!DOCTYPE html><html><title>Sign in</title>yes</html>"),
    Quirk("FastAPI's detail", "failed", {"detail": "Not Found"}),
    Quirk("a bare text", "failed", "Internal proxy says yes"),
)


def limit(name: str, words: str, *, code: Any = None, **other: Any) -> Quirk:
    return Quirk(name, "retried", refusal(words, code=code), 429, **other)


def broke(name: str, status: int, words: str, *, code: Any = None) -> Quirk:
    return Quirk(name, "no_money", refusal(words, code=code), status)


def long(name: str, words: str, *, status: int = 400, code: Any = None) -> Quirk:
    return Quirk(name, "too_long", refusal(words, code=code), status)


def refused(name: str, words: str, *, status: int = 400, code: Any = None) -> Quirk:
    return Quirk(name, "refused", refusal(words, code=code), status)


STATUSES = (
    limit(
        "OpenAI's tokens a minute",
        "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000,"
        " Used 29000, Requested 2000. Please try again in 0.02s. Visit"
        " https://platform.openai.com/account/billing to learn more.",
        code="rate_limit_exceeded",
    ),
    broke(
        "OpenAI's quota",
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        code="insufficient_quota",
    ),
    Quirk(
        "Gemini's quota a minute",
        "retried",
        [
            {
                "error": {
                    "code": 429,
                    "message": "You exceeded your current quota, please check your plan and billing"
                    " details. * Quota exceeded for metric: generate_content_free_tier_requests,"
                    " limit: 15\nPlease retry in 0.034s.",
                    "status": "RESOURCE_EXHAUSTED",
                }
            }
        ],
        429,
    ),
    limit(
        "Azure's tier",
        "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version"
        " 2024-10-21 have exceeded call rate limit of your current OpenAI S0 pricing tier. Please"
        " retry after 0 seconds. Please go here: https://aka.ms/oai/quotaincrease",
        code="429",
    ),
    limit(
        "Groq's upgrade",
        "Rate limit reached for model `m` on requests per minute (RPM): Limit 30, Used 30. Please"
        " try again in 20ms. Need more tokens? Upgrade to Dev Tier today at"
        " https://console.groq.com/settings/billing",
        code="rate_limit_exceeded",
    ),
    Quirk(
        "Mistral's capacity",
        "retried",
        {
            "object": "error",
            "message": "Service tier capacity exceeded for this model.",
            "code": "3505",
        },
        429,
    ),
    broke(
        "Moonshot's suspension",
        429,
        "Your account org-1 is suspended due to insufficient balance, please recharge your account"
        " or check your plan and billing details",
        code="exceeded_current_quota_error",
    ),
    broke("Zhipu's balance", 429, "余额不足或无可用资源包,请充值。", code="1113"),
    limit(
        "DashScope's allocation",
        "Allocated quota exceeded, please increase your quota limit.",
        code="Throttling.AllocationQuota",
    ),
    limit("Bedrock's throttle", "Too many tokens, please wait before trying again."),
    limit("a limit in Chinese", "您的账户已达到速率限制,请您控制请求频率", code="1302"),
    broke("DeepSeek's balance", 402, "Insufficient Balance"),
    broke(
        "DashScope's arrears",
        400,
        "Access denied, please make sure your account is in good standing.",
        code="Arrearage",
    ),
    broke(
        "Anthropic's credit",
        400,
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing"
        " to upgrade or purchase credits.",
    ),
    broke(
        "xAI's credits",
        403,
        "Your team has used all available credits or reached its monthly spending limit.",
    ),
    broke(
        "Fireworks' invoices",
        412,
        "Account is suspended, possibly due to reaching the monthly spending limit or failure to"
        " pay past invoices. Please go to billing for more information.",
    ),
    Quirk("nginx", "retried", "<html><body><h1>503 Service Unavailable</h1></body></html>", 503),
    Quirk("Cloudflare's 524", "retried", "<!DOCTYPE html><title>524: A timeout</title>", 524),
    Quirk("overloaded", "retried", refusal("Overloaded", type="overloaded_error"), 529),
    Quirk(
        "a model that is loading",
        "retried",
        {"error": "Model m is currently loading", "estimated_time": 0.02},
        503,
    ),
    Quirk("out of memory", "retried", refusal("CUDA out of memory", code=500), 500),
    Quirk("Groq's flex tier", "retried", refusal("Flex tier capacity exceeded"), 498),
    long(
        "OpenAI's context",
        "This model's maximum context length is 8192 tokens. However, your messages resulted in"
        " 9000 tokens. Please reduce the length of the messages.",
        code="context_length_exceeded",
    ),
    long(
        "llama.cpp's context",
        "the request exceeds the available context size. try increasing the context size or enable"
        " context shift",
    ),
    long("Anthropic's context", "prompt is too long: 210000 tokens > 200000 maximum"),
    long(
        "Gemini's context",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    long(
        "Mistral's context",
        "Prompt contains 33000 tokens and 0 draft tokens, too large for model with 32768 maximum"
        " context length",
    ),
    long("Bedrock's context", "Input is too long for requested model."),
    long(
        "TGI's context",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"
        " `inputs` tokens and 300 `max_new_tokens`",
        status=422,
    ),
    long("DashScope's context", "Range of input length should be [1, 30720]"),
    long(
        "LM Studio's context",
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is"
        " loaded with context length of only 4096 tokens, which is not enough.",
    ),
    long(
        "SGLang's context",
        "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
    ),
    refused(
        "Azure's filter",
        "The response was filtered due to the prompt triggering Azure OpenAI's content management"
        " policy. Please modify your prompt and retry.",
        code="content_filter",
    ),
    refused(
        "OpenAI's flagged prompt",
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        code="invalid_prompt",
    ),
    refused(
        "OpenRouter's moderation",
        'm requires moderation on X. Your input was flagged for "violence". No credits were'
        " charged.",
        status=403,
    ),
    refused("DeepSeek's risk", "Content Exists Risk"),
    refused(
        "Zhipu's filter in Chinese",
        "系统检测到输入或生成内容可能包含不安全或敏感内容,请您避免输入易产生敏感内容的提示语。",
        code="1301",
    ),
    Quirk("a wrong key", "stopped", refusal("Incorrect API key provided: sk-***"), 401),
    Quirk(
        "Gemini's key",
        "stopped",
        [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}],
        400,
    ),
    Quirk(
        "a country",
        "stopped",
        refusal(
            "Country, region, or territory not supported",
            code="unsupported_country_region_territory",
        ),
        403,
    ),
    Quirk(
        "a model that is not there",
        "stopped",
        refusal("The model `m` does not exist or you do not have access to it."),
        404,
    ),
    Quirk(
        "OpenRouter has no endpoint", "stopped", refusal("No endpoints found for m.", code=404), 404
    ),
    Quirk(
        "Groq's JSON that failed",
        "failed",
        refusal(
            "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more"
            " details.",
            code="json_validate_failed",
        ),
        400,
    ),
)


def parameter(
    name: str, setting: str, words: str, when: Callable[[dict[str, Any]], bool], **how: Any
) -> Quirk:
    body = how.pop("body", None) or refusal(words)
    return Quirk(name, f"setting {setting}", body, how.pop("status", 400), refuses=when)


NO_TEMPERATURE = 'unsupported_parameters = ["temperature"]'
PARAMETERS = (
    parameter(
        "o-series limits",
        "max_completion_tokens",
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
        " 'max_completion_tokens' instead.",
        has("max_tokens"),
    ),
    parameter(
        "temperature unsupported",
        NO_TEMPERATURE,
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1)"
        " value is supported.",
        has("temperature"),
    ),
    parameter(
        "temperature deprecated",
        NO_TEMPERATURE,
        "`temperature` is deprecated for this model.",
        has("temperature"),
    ),
    parameter(
        "temperature as pydantic says it",
        NO_TEMPERATURE,
        "",
        has("temperature"),
        status=422,
        body={
            "detail": [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", "temperature"],
                    "msg": "Extra inputs are not permitted",
                }
            ]
        },
    ),
    parameter(
        "Groq's schemas",
        'json = "object"',
        "This model does not support response format `json_schema`. See supported models at"
        " https://console.groq.com/docs/structured-outputs#supported-models",
        form("json_schema"),
    ),
    parameter(
        "DeepSeek's schemas",
        'json = "object"',
        "This response_format type is unavailable now",
        form("json_schema"),
    ),
    parameter(
        "Bedrock's form",
        'json = "text"',
        "Malformed input request: #: extraneous key [response_format] is not permitted, please"
        " reformat your input and try again.",
        has("response_format"),
    ),
    parameter(
        "Gemma's system",
        "system_messages = false",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
        system,
    ),
    parameter(
        "a template without system",
        "system_messages = false",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        system,
    ),
)

FIRST = (*THOUGHTS, *FORMS, *ENDS, *ERRORS_IN_200, *STATUSES, *PARAMETERS)

# -- the second set ---------------------------------------------------------------------------

SECOND = (
    Quirk(
        "thoughts under a heading",
        "no",
        chat(f"**Thinking:**\n{DRAFT}\n\n**Final Answer:**\n{DIFFER}"),
    ),
    Quirk("thoughts in plan tags", "no", chat(f"<plan>{DRAFT}</plan>\n<final>{DIFFER}</final>")),
    Quirk(
        "two rounds of thoughts", "no", chat(f"<think>a</think>\n<think>{DRAFT}</think>{DIFFER}")
    ),
    Quirk("thoughts behind the answer", "no", chat(f"{DIFFER}\n<think>{DRAFT}</think>")),
    Quirk("the opening tag alone in a fence", "unreadable", chat(f"```\n<think>\n{DRAFT}\n```")),
    Quirk(
        "analysis channel without an end",
        "unreadable",
        chat(f"<|channel|>analysis<|message|>{DRAFT}"),
    ),
    Quirk(
        "summary beside",
        "no",
        chat(DIFFER, reasoning={"summary": DRAFT, "effort": "high"}),
    ),
    Quirk(
        "thoughts as content, answer in the field",
        "unreadable",
        chat("", reasoning_content=f"{DRAFT}\n\n{SAME}"),
    ),
    Quirk(
        "DeepSeek's begin of sentence",
        "no",
        chat(f"<｜begin▁of▁sentence｜><｜Assistant｜><think>{DRAFT}</think>{DIFFER}"),
    ),
    Quirk(
        "thoughts in a quotation",
        "no",
        chat("> Thinking: they may be alike, so yes.\n\n" + DIFFER),
    ),
    Quirk("tool marks of Qwen", "no", chat(f"<tool_call>\n{DIFFER}\n</tool_call>")),
    Quirk(
        "a tool's arguments already read",
        "no",
        chat(
            None,
            finish="tool_calls",
            tool_calls=[
                {
                    "type": "function",
                    "function": {"name": "ModeratorVerdict", "arguments": json.loads(DIFFER)},
                }
            ],
        ),
    ),
    Quirk(
        "another tool",
        "unreadable",
        chat(
            None,
            finish="tool_calls",
            tool_calls=[
                {"type": "function", "function": {"name": "web_search", "arguments": SAME}}
            ],
        ),
    ),
    Quirk(
        "hash comments", "no", chat('{\n  "same_disease": "no",  # not "yes"\n  "reason": "r"\n}')
    ),
    Quirk("no quotes at all", "no", chat("{same_disease: no, reason: one is viral}")),
    Quirk("French quotes", "no", chat("{«same_disease»: «no», «reason»: «r»}")),
    Quirk("JSON lines", "unreadable", chat('{"same_disease": "yes", "reason": "a"}\n' + DIFFER)),
    Quirk(
        "an example first",
        "no",
        chat(f"Example of the form: {SAME}\n\nMy answer:\n{DIFFER}"),
    ),
    Quirk(
        "the answer and then an example",
        "unreadable",
        chat(f'{DIFFER}\n{{"same_disease": "yes", "reason": "example of the other"}}'),
    ),
    Quirk("a number for no", "no", chat('{"same_disease": "0", "reason": "r"}')),
    Quirk("a likelihood", "unreadable", chat('{"same_disease": 0.7, "reason": "r"}')),
    Quirk("in words of Spanish", "no", chat('{"same_disease": "no", "reason": "No es la misma."}')),
    Quirk("an empty object", "unreadable", chat("{}")),
    Quirk("an ending bracket too many", "no", chat(DIFFER + "}")),
    Quirk("an ending bracket too few", "unreadable", chat(SAME[:-1])),
    Quirk("escaped all over", "no", chat(DIFFER.replace('"', '\\"'))),
    Quirk("a prefix of JSON mode", "no", chat("json\n" + DIFFER)),
    Quirk("invisible blanks", "no", chat("\u200b" + DIFFER.replace(": ", ":\u00a0") + "\u200b")),
    Quirk("max_output_tokens", "truncated", chat(SAME[:30], finish="max_output_tokens")),
    Quirk("stop, although cut", "unreadable", chat('{"same_disease": "yes", "reason": "Both')),
    Quirk("ended by a time limit", "retried", chat(SAME[:30], finish="timeout")),
    Quirk("an end that nobody knows", "no", chat(DIFFER, finish="xyz_done")),
    Quirk("blocked by the prompt", "refused", chat(None, finish="PROHIBITED_CONTENT")),
    Quirk("two choices", "no", chat(DIFFER) | {"n": 2}),
    Quirk(
        "Vertex's wrapped error",
        "retried",
        [{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}],
        503,
    ),
    Quirk(
        "an error as a text in 200",
        "retried",
        {"error": '{"message": "Too Many Requests", "code": 429}'},
    ),
    Quirk("a wait in the header", "retried", refusal("Slow down"), 429, {"retry-after-ms": "5"}),
    Quirk(
        "Together's limit",
        "retried",
        refusal(
            "You have reached the rate limit specific to this model. Billing tier: Build 1",
            code="model_rate_limit",
        ),
        429,
    ),
    Quirk(
        "Cohere's trial",
        "retried",
        {
            "message": "You are using a Trial key, which is limited to 20 API calls / minute. You"
            " can continue to use the Trial key for free or upgrade to a Production key with higher"
            " rate limits at 'https://dashboard.cohere.com/api-keys'."
        },
        429,
    ),
    broke(
        "OpenRouter's key limit",
        403,
        "Key limit exceeded. Please add more credits or raise the limit.",
    ),
    broke(
        "Perplexity's quota",
        401,
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    broke(
        "Hugging Face's credits",
        402,
        "You have exceeded your monthly included credits for Inference Providers.",
    ),
    broke("SiliconFlow", 403, "Sorry, your account balance is insufficient", code="30001"),
    broke(
        "Volcengine",
        403,
        "The request failed because your account has an overdue balance.",
        code="AccountOverdueError",
    ),
    long(
        "Cohere's context",
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
    ),
    long("Ollama's context", "input length exceeds the context length"),
    long(
        "Together's context",
        "Input validation error: tokens in prompt + max_tokens: 9000 > 8193",
        status=422,
    ),
    long(
        "xAI's context",
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    ),
    refused(
        "Alibaba's inspection",
        "<400> InternalError.Algo.DataInspectionFailed: Input text data may contain"
        " inappropriate content.",
        code="data_inspection_failed",
    ),
    refused("Mistral's guard", "Request was blocked by moderation."),
    refused("Azure's jailbreak", "The response was filtered", code="content_filter"),
    Quirk("a firewall", "failed", "<html><h1>403 Forbidden</h1>Request blocked by WAF</html>", 403),
    Quirk(
        "a deployment that is not there",
        "stopped",
        refusal("The API deployment for this resource does not exist.", code="DeploymentNotFound"),
        404,
    ),
    parameter(
        "Bedrock's temperature",
        NO_TEMPERATURE,
        "The model returned the following errors: `temperature` may only be set to 1 when"
        " thinking is enabled.",
        has("temperature"),
    ),
    parameter(
        "Gemma on vLLM",
        "system_messages = false",
        "System role not supported",
        system,
    ),
    parameter(
        "llama.cpp's grammar",
        'json = "object"',
        "Failed to parse grammar",
        form("json_schema"),
        status=500,
    ),
    parameter(
        "LM Studio's form",
        'json = "text"',
        "'response_format.type' must be 'text'",
        form("json_schema", "json_object"),
    ),
)

# -- the third set ----------------------------------------------------------------------------

THIRD = (
    Quirk("Nemotron's detail", "no", chat(f"<think>\n{DRAFT}\n</think>\n\n## Answer\n\n{DIFFER}")),
    Quirk("thoughts in brackets", "no", chat(f"[thinking]{DRAFT}[/thinking]\n{DIFFER}")),
    Quirk("thoughts in a code comment", "no", chat(f"<!-- {DRAFT} -->\n{DIFFER}")),
    Quirk("a monologue and no answer", "unreadable", chat(f"<monologue>{DRAFT}</monologue>")),
    Quirk("internal tags", "no", chat(f"<internal>{DRAFT}</internal>\n\n{DIFFER}")),
    Quirk("closing tag with spaces", "no", chat(f"<think >{DRAFT}</think >\n{DIFFER}")),
    Quirk(
        "a reasoning part",
        "no",
        chat([{"type": "reasoning", "text": DRAFT}, {"type": "text", "text": DIFFER}]),
    ),
    Quirk(
        "a reasoning part with a summary",
        "no",
        chat(
            [
                {"type": "reasoning", "summary": [{"text": DRAFT}]},
                {"type": "output_text", "text": DIFFER},
            ]
        ),
    ),
    Quirk(
        "thoughts cut in a field, answer empty",
        "truncated",
        chat(None, reasoning_content=DRAFT, finish="max_tokens"),
    ),
    Quirk("think mode told first", "no", chat(f"/no_think\n{DIFFER}")),
    Quirk(
        "a stream with null parts",
        "no",
        events({"role": "assistant", "content": None}, {"content": DIFFER}, {"content": None}),
    ),
    Quirk("carriage returns in a stream", "no", events({"content": DIFFER}).replace("\n", "\r\n")),
    Quirk("tabs and blanks", "no", chat(json.dumps(json.loads(DIFFER), indent="\t"))),
    Quirk("Windows lines in a fence", "no", chat(f"```json\r\n{DIFFER}\r\n```\r\n")),
    Quirk(
        "a sentence before and behind", "no", chat(f"Here you go: {DIFFER} Hope it helps {{:-)}}")
    ),
    Quirk("markdown bold", "no", chat(f"**{DIFFER}**")),
    Quirk("inline code", "no", chat(f"`{DIFFER}`")),
    Quirk("an assignment", "no", chat(f"answer = {DIFFER};")),
    Quirk("a python call", "no", chat("ModeratorVerdict(same_disease='no', reason='r')")),
    Quirk("keys with blanks", "no", chat('{" same_disease ": "no", "reason ": "r"}')),
    Quirk("both values", "unreadable", chat('{"same_disease": ["yes", "no"], "reason": "r"}')),
    Quirk("reason only", "unreadable", chat('{"reason": "They are the same, yes."}')),
    Quirk(
        "value as an object",
        "no",
        chat('{"same_disease": {"value": "no"}, "reason": {"text": "r"}}'),
    ),
    Quirk("TOML", "no", chat('same_disease = "no"\nreason = "r"')),
    Quirk("a bullet list", "no", chat("* Same disease: No\n* Reason: one is viral")),
    Quirk("a bad surrogate", "no", chat('{"same_disease": "no", "reason": "\\ud83d"}')),
    Quirk("an apology in a field", "unreadable", chat('{"error": "I cannot compare these."}')),
    Quirk(
        "usage of floats",
        "no",
        chat(DIFFER, usage={"prompt_tokens": 1.5, "completion_tokens": 2.0}),
    ),
    Quirk("choices as an object", "failed", {"choices": {"0": {"message": {"content": DIFFER}}}}),
    Quirk(
        "message as a text", "failed", {"choices": [{"message": DIFFER, "finish_reason": "stop"}]}
    ),
    Quirk("Azure's filter in the choice", "refused", chat("", finish="content_filter")),
    Quirk(
        "no content key",
        "empty",
        {"choices": [{"message": {"role": "assistant"}, "finish_reason": "stop"}]},
    ),
    Quirk("MAX_LENGTH", "truncated", chat(SAME[:30], finish="MAX_LENGTH")),
    Quirk("finish details", "truncated", chat(SAME[:30], finish="Length")),
    Quirk(
        "LiteLLM's wrap of a limit",
        "retried",
        refusal(
            "litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached for"
            " requests. Received Model Group=gpt-4o",
            code="429",
        ),
        429,
    ),
    Quirk(
        "LiteLLM's wrap of a context",
        "too_long",
        refusal(
            "litellm.ContextWindowExceededError: This model's maximum context length is 8192"
            " tokens",
            code="400",
        ),
        400,
    ),
    Quirk(
        "LiteLLM's budget",
        "no_money",
        refusal(
            "Budget has been exceeded! Current cost: 10.5, Max budget: 10.0",
            type="budget_exceeded",
            code="400",
        ),
        400,
    ),
    Quirk(
        "LiteLLM's cooldown",
        "retried",
        refusal("No deployments available for selected model, Try again in 0 seconds."),
        429,
    ),
    Quirk(
        "Azure's 429 in words",
        "retried",
        {"statusCode": 429, "message": "Token limit is exceeded. Try again in 0 seconds."},
        429,
    ),
    Quirk(
        "NVIDIA's 403",
        "stopped",
        {"status": 403, "title": "Forbidden", "detail": "Authorization failed"},
        403,
    ),
    Quirk(
        "Bedrock's access",
        "stopped",
        refusal("You don't have access to the model with the specified model ID."),
        403,
    ),
    Quirk(
        "an expired token",
        "stopped",
        refusal(
            "The security token included in the request is expired", code="ExpiredTokenException"
        ),
        403,
    ),
    Quirk("Vertex's 499", "retried", refusal("The operation was cancelled."), 499),
    Quirk(
        "a proxy's 502", "retried", "<html><head><title>502 Bad Gateway</title></head></html>", 502
    ),
    Quirk(
        "Databricks' limit",
        "retried",
        {"error_code": "REQUEST_LIMIT_EXCEEDED", "message": "Exceeded workspace rate limit for m."},
        429,
    ),
    Quirk(
        "Replicate's credit",
        "no_money",
        {
            "title": "Insufficient credit",
            "detail": "You have insufficient credit to run this model.",
        },
        402,
    ),
    Quirk(
        "a credit card",
        "no_money",
        refusal("A credit card is required to use this model. Please add a payment method."),
        403,
    ),
    long(
        "Nebius' context",
        "Error code: 400 - The decoder prompt (length 9000) is longer than the maximum model"
        " length of 8192.",
    ),
    long(
        "Anthropic's length and limit",
        "input length and `max_tokens` exceed context limit: 199000 + 4000 > 200000, decrease"
        " input length or `max_tokens` and try again",
    ),
    long(
        "Cerebras' context",
        "Current length is 9000 while limit is 8192",
        code="context_length_exceeded",
    ),
    refused("Gemini's prohibited", "The request was blocked. Reason: PROHIBITED_CONTENT"),
    refused(
        "a usage policy",
        "Claude Code is unable to respond to this request, which appears to violate our Usage"
        " Policy",
    ),
    parameter(
        "top-level parameter",
        NO_TEMPERATURE,
        "Unrecognized request argument supplied: temperature",
        has("temperature"),
    ),
    parameter(
        "max_tokens too large",
        "max_completion_tokens",
        "max_tokens is not allowed here",
        has("max_tokens"),
    ),
    parameter(
        "no form at all",
        'json = "text"',
        "json mode is not supported by this model",
        has("response_format"),
    ),
)

# -- the fourth set ---------------------------------------------------------------------------

FOURTH = (
    Quirk(
        "an inner voice and no answer", "unreadable", chat(f"<inner_voice>{DRAFT}</inner_voice>")
    ),
    Quirk("tags of a draft", "no", chat(f"<cot_draft>{DRAFT}</cot_draft> {DIFFER}")),
    Quirk("a brainstorm that is cut", "unreadable", chat(f"<brainstorm>{DRAFT}")),
    Quirk(
        "thoughts under a heading, then an answer",
        "no",
        chat(f"Thought: {DRAFT}\nFinal Answer: {DIFFER}"),
    ),
    Quirk(
        "an agent's thought and action",
        "unreadable",
        chat(f"Thought: they look alike, so {SAME}\nAction: search[gout]"),
    ),
    Quirk("thinking aloud and not done", "unreadable", chat(f"Let me think. {DRAFT}")),
    Quirk("the marks of a template", "no", chat(f"<|thought|>{DRAFT}<|/thought|>{DIFFER}")),
    Quirk(
        "reasoning beside the final object",
        "no",
        chat(f'{{"reasoning": "yes at first", "final": {DIFFER}}}'),
    ),
    Quirk("a draft beside the final object", "no", chat(f'{{"draft": {SAME}, "final": {DIFFER}}}')),
    Quirk("a draft object alone", "unreadable", chat(f'{{"draft": {SAME}}}')),
    Quirk(
        "options side by side", "unreadable", chat(f'{{"option_a": {SAME}, "option_b": {DIFFER}}}')
    ),
    Quirk(
        "answers under conditions",
        "unreadable",
        chat(f"If they are synonyms: {SAME}\nIf not: {DIFFER}"),
    ),
    limit(
        "Vertex's quota a minute",
        "Quota exceeded for quota metric 'Generate Content API requests per minute'",
    ),
    limit(
        "heavy traffic",
        "We're experiencing heavy traffic, please slow down. Contact billing for priority.",
    ),
    broke("a credit that has run out", 403, "Your credit has run out. Recharge to continue."),
    long(
        "a token count",
        "Requested token count exceeds the model's maximum context length of 8192 tokens",
    ),
    Quirk("no permission", "stopped", refusal("Forbidden: no permission for this model"), 403),
    refused("a safety system", "Your request was rejected as a result of our safety system."),
    Quirk(
        "upstream timed out", "retried", {"error": {"message": "upstream timed out", "code": "504"}}
    ),
    parameter(
        "an invalid parameter",
        NO_TEMPERATURE,
        "invalid parameter: temperature",
        has("temperature"),
        status=422,
    ),
    parameter(
        "an unknown parameter",
        'json = "text"',
        "Unknown parameter: 'response_format'",
        has("response_format"),
    ),
)

# -- the fifth set ----------------------------------------------------------------------------

FIFTH = (
    Quirk("numbers for names", "unreadable", chat("{1: 'yes', 2: 'Both are gout.'}")),
    Quirk("one answer under a condition", "unreadable", chat(f"If they are synonyms: {SAME}")),
    Quirk(
        "Ollama's thinking aloud",
        "no",
        chat(f"Thinking...\n{DRAFT}\n...done thinking.\n\n{DIFFER}"),
    ),
    Quirk("Ollama's thinking that is cut", "unreadable", chat(f"Thinking...\n{DRAFT}")),
    Quirk(
        "a process of reasoning",
        "no",
        chat(f"<reasoning_process>{DRAFT}</reasoning_process>{DIFFER}"),
    ),
    Quirk(
        "an answer among doubts",
        "unreadable",
        chat(f"Okay, so I need to decide. {SAME} might be one answer, hmm."),
    ),
    Quirk("sections", "no", chat(f"## Reasoning\n{DRAFT}\n\n## Answer\n{DIFFER}")),
    Quirk(
        "parts with thoughts as text",
        "no",
        chat([{"type": "thinking", "text": DRAFT}, {"type": "text", "text": DIFFER}]),
    ),
    Quirk("an answer that is denied", "unreadable", chat(f"Not: {SAME}")),
    Quirk("a likelihood behind", "no", chat(f"Answer: {DIFFER}\nConfidence: 0.9")),
    Quirk("one rejected, one given", "no", chat(f"I considered {SAME} but rejected it. {DIFFER}")),
    Quirk("one rejected", "unreadable", chat(f"I considered {SAME} but rejected it.")),
    Quirk("an explanation behind", "no", chat(f"{DIFFER}\n\nLet me explain: one is viral.")),
    Quirk("a wait that is no doubt", "no", chat(f"{DIFFER}\nWait for the lab to confirm.")),
    limit("a see-billing limit", "You have been rate limited; see billing page for upgrades"),
    broke("no credits left", 400, "You have no credits left."),
    long(
        "a prompt longer than allowed", "Prompt is longer than allowed: 9000 tokens, at most 8192"
    ),
    refused("a content filtering policy", "Output blocked by content filtering policy"),
    Quirk("unavailable", "retried", refusal("Service temporarily unavailable"), 503),
    Quirk("unauthorised", "stopped", refusal("Unauthorized"), 401),
)
