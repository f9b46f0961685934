"""Bodies of services that speak an API of their own, and where each speaks OpenAI's.

MedLens asks ``/chat/completions`` below a model's ``base_url``. Behind a wrong ``base_url``, or a
gateway that passes a reply on as it was, another API answers. It is told by the names of its
fields, with the ``base_url`` of the same service at which MedLens is understood: ``{server}`` in it
is the scheme, host and port of the ``base_url`` that was asked.

Sources: the API references of Google (Gemini, Vertex AI), Anthropic, Ollama, Amazon Bedrock,
Cohere, Hugging Face (Text Generation Inference), llama.cpp and OpenAI (Responses).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class OtherService:
    """A service by its name, and the ``base_url`` at which it speaks OpenAI's API."""

    name: str
    base_url: str

    def base_url_advice_in_words(self, asked: str) -> str:
        """What to set for a model whose ``base_url`` was ``asked``, in words; if that is the right
        address already, what else may stand in between.
        """
        parts = urlsplit(asked)
        right = self.base_url.replace("{server}", f"{parts.scheme}://{parts.netloc}")
        if right.rstrip("/") == asked.rstrip("/"):
            return (
                "base_url is that of its OpenAI-compatible API, so a gateway in between seems to "
                "change the request or the reply"
            )
        return f'set base_url = "{right}", where it speaks the API that MedLens asks'


GEMINI = OtherService("Gemini", "https://generativelanguage.googleapis.com/v1beta/openai")
VERTEX = OtherService(
    "Vertex AI",
    "https://LOCATION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/LOCATION/endpoints"
    "/openapi",
)
ANTHROPIC = OtherService("Anthropic", "https://api.anthropic.com/v1")
OLLAMA = OtherService("Ollama", "{server}/v1")
BEDROCK = OtherService("Amazon Bedrock", "https://bedrock-runtime.REGION.amazonaws.com/openai/v1")
COHERE = OtherService("Cohere", "https://api.cohere.ai/compatibility/v1")
HUGGING_FACE = OtherService("Hugging Face", "https://router.huggingface.co/v1")
INFERENCE_SERVER = OtherService("Hugging Face's text-generation-inference", "{server}/v1")
LLAMA_CPP = OtherService("llama.cpp", "{server}/v1")
RESPONSES = OtherService("OpenAI's Responses API", "{server}/v1")


class AnsweredByOtherService(ValueError):
    """A body that is another API's; ``service`` is whose."""

    def __init__(self, service: OtherService) -> None:
        super().__init__(f"the body is {service.name}'s own")
        self.service = service


def find_other_service_of_reply_body(body: Any) -> OtherService | None:
    """Whose own API a body comes from, parsed from JSON; None if no known one's, or OpenAI's.

    Of a stream or a list the first object that tells it decides.
    """
    if isinstance(body, list):
        return next(filter(None, map(find_other_service_of_reply_body, body[:5])), None)
    if not isinstance(body, Mapping) or "choices" in body:
        return None
    for recognised, service in (
        (_is_gemini(body), GEMINI),
        (_is_anthropic(body), ANTHROPIC),
        (_is_bedrock(body), BEDROCK),
        (_is_cohere(body), COHERE),
        (_is_ollama(body), OLLAMA),
        (_is_llama_cpp(body), LLAMA_CPP),
        ("generated_text" in body and "details" in body, INFERENCE_SERVER),
        ("generated_text" in body, HUGGING_FACE),
        (isinstance(body.get("predictions"), list), VERTEX),
        (body.get("object") == "response" and isinstance(body.get("output"), list), RESPONSES),
    ):
        if recognised:
            return service
    return None


def recognise_service_of_text(text: str) -> OtherService | None:
    """The service whose greeting a text is, as an address gives it that is not the API's."""
    return OLLAMA if text.strip().lower().startswith("ollama is running") else None


def find_service_with_own_api_at_address(base_url: str) -> OtherService | None:
    """The service that a ``base_url`` belongs to by its host or port, if it is not the address at
    which that service speaks OpenAI's API.
    """
    parts = urlsplit(base_url)
    host, path = parts.hostname or "", parts.path.rstrip("/")
    if host == "generativelanguage.googleapis.com":
        return None if path.endswith("/openai") else GEMINI
    if host.endswith("aiplatform.googleapis.com"):
        return None if path.endswith("/openapi") else VERTEX
    if host == "api.anthropic.com":
        return None if path == "/v1" else ANTHROPIC
    if host.startswith("bedrock-runtime.") and host.endswith(".amazonaws.com"):
        return None if path.endswith("/openai/v1") else BEDROCK
    if host in ("api.cohere.ai", "api.cohere.com"):
        return None if path.endswith("/compatibility/v1") else COHERE
    if host == "api-inference.huggingface.co":
        return HUGGING_FACE
    if _port(base_url) == 11434:
        return None if path.endswith("/v1") else OLLAMA
    return None


def _port(base_url: str) -> int | None:
    try:
        return urlsplit(base_url).port
    except ValueError:
        return None


def _is_gemini(body: Mapping[str, Any]) -> bool:
    candidates = body.get("candidates")
    return (
        (isinstance(candidates, list) and bool(candidates))
        or "usageMetadata" in body
        or "promptFeedback" in body
    )


def _is_anthropic(body: Mapping[str, Any]) -> bool:
    if body.get("type") in ("message_start", "content_block_start", "content_block_delta"):
        return True
    parts = body.get("content")
    return (
        isinstance(parts, list)
        and body.get("role") == "assistant"
        and (body.get("type") == "message" or "stop_reason" in body)
    )


def _is_bedrock(body: Mapping[str, Any]) -> bool:
    output = body.get("output")
    return isinstance(output, Mapping) and "message" in output and "stopReason" in body


def _is_cohere(body: Mapping[str, Any]) -> bool:
    message = body.get("message")
    parts = message.get("content") if isinstance(message, Mapping) else None
    return (isinstance(parts, list) and "finish_reason" in body) or (
        "text" in body and "generation_id" in body
    )


def _is_ollama(body: Mapping[str, Any]) -> bool:
    if not isinstance(body.get("done"), bool):
        return False
    return isinstance(body.get("message"), Mapping) or isinstance(body.get("response"), str)


def _is_llama_cpp(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("content"), str) and bool(
        {"tokens_predicted", "generation_settings", "tokens_evaluated"} & body.keys()
    )
