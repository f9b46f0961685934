"""A request to a model: what is sent, and the hash under which its answer is kept."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens.config.settings import Model
from medlens.errors import InvalidInput
from medlens.store import stable_id

Message = Mapping[str, Any]
_ROLES = ("system", "developer", "user", "assistant")
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,")


def make_system_message(text: str) -> Message:
    """The system message."""
    return {"role": "system", "content": text}


def make_user_message(text: str, *, images: Sequence[str] = ()) -> Message:
    """A user message; ``images`` are web addresses or ``data:`` URLs."""
    if not images:
        return {"role": "user", "content": text}
    shown = [{"type": "image_url", "image_url": {"url": image}} for image in images]
    return {"role": "user", "content": [{"type": "text", "text": text}, *shown]}


def make_assistant_message(text: str) -> Message:
    """An earlier message of the model."""
    return {"role": "assistant", "content": text}


def texts_of_message(message: Message) -> list[str]:
    """The texts of a message, without its images."""
    content = message["content"]
    if isinstance(content, str):
        return [content]
    return [str(part["text"]) for part in content if part["type"] == "text"]


@dataclass(frozen=True)
class ModelRequest:
    """A request to the model called ``name`` in the settings.

    ``digest`` is the SHA-256 of model, address, messages and parameters (including the answer's
    schema). ``messages_json`` is what is stored: an image in a message is replaced by the digest of
    its bytes. ``text_length`` is in code points; ``images`` are counted.
    """

    name: str
    settings: Model
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any]
    digest: str
    messages_json: str
    parameters_json: str
    text_length: int
    beyond_ascii: int
    images: int

    def messages_as_sent(self) -> list[dict[str, Any]]:
        """The messages as they are sent: what stands behind one another in the same role is one
        message, since many chat templates refuse two; so is a system message and the question
        behind it, for a model that takes no system message.
        """
        sent: list[dict[str, Any]] = []
        for message in self.messages:
            role = message["role"]
            if not self.settings.system_messages and role in ("system", "developer"):
                role = "user"
            if sent and sent[-1]["role"] == role:
                sent[-1]["content"] = _joined(sent[-1]["content"], message["content"])
            else:
                sent.append({**message, "role": role})
        return sent

    def body_to_post(self) -> dict[str, Any]:
        """What is posted to ``/chat/completions``."""
        return {
            **self.parameters,
            "model": self.settings.model,
            "messages": self.messages_as_sent(),
        }

    def completion_id(self, repeat: int) -> str:
        """The id of the stored answer to the ``repeat``-th time this request is made, from 0."""
        return stable_id("completion", self.digest, str(repeat))


def prepare_request(
    name: str, settings: Model, messages: Sequence[Message], *, parameters: Mapping[str, Any]
) -> ModelRequest:
    """A request ready to be sent; ``parameters`` override the model's own, and those that its
    endpoint refuses are left out.

    Raises:
        InvalidInput: no messages, an unknown role, or an image for a model that takes none.
    """
    kept: list[dict[str, Any]] = []
    length = beyond = images = 0
    for message in messages:
        if message.get("role") not in _ROLES:
            raise InvalidInput(f"A message to {name!r} has no known role.")
        content = message["content"]
        shown: Any = content
        texts = texts_of_message(message)
        if not isinstance(content, str):
            images += sum(part["type"] == "image_url" for part in content)
            shown = [_without_bytes(part) for part in content]
        kept.append({**message, "content": shown})
        length += sum(map(len, texts))
        beyond += sum(_beyond_ascii(text) for text in texts)
    if not kept:
        raise InvalidInput(f"There is nothing to ask {name!r}.")
    if images and not settings.images:
        raise InvalidInput(
            f"The model {name!r} does not accept images.",
            hint="Choose one that does, or set images = true if it can.",
        )
    given = {**settings.parameters, **parameters}
    sent = {key: given[key] for key in given if key not in settings.unsupported_parameters}
    messages_json, parameters_json = _canonical(kept), _canonical(sent)
    whole = "\x1f".join((settings.model, settings.base_url, messages_json, parameters_json))
    return ModelRequest(
        name=name,
        settings=settings,
        messages=tuple(messages),
        parameters=sent,
        digest=hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest(),
        messages_json=messages_json,
        parameters_json=parameters_json,
        text_length=length,
        beyond_ascii=beyond,
        images=images,
    )


def _joined(first: Any, second: Any) -> Any:
    """The contents of two messages as one: texts with an empty line between them, or parts."""
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    parts: list[Any] = []
    for content in (first, second):
        parts += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return parts


def _beyond_ascii(text: str) -> int:
    return 0 if text.isascii() else sum(character > "\x7f" for character in text)


def _without_bytes(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] != "image_url":
        return dict(part)
    url = str(part["image_url"]["url"])
    found = _DATA_URL.match(url)
    if found:
        digest = hashlib.sha256(url[found.end() :].encode()).hexdigest()
        url = f"data:{found[1]};sha256,{digest}"
    return {**part, "image_url": {**part["image_url"], "url": url}}


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
