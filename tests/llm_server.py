"""A real HTTP server that speaks OpenAI's chat API (and files and batches), with scripted answers.

In a test: ``with LLMServer() as server:`` and ``server.url``. ``server.push(...)`` scripts the next
replies, ``server.answer`` makes all others from the request's body. As a process of its own:
``python -m tests.llm_server --latency 0.2`` prints its address.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import itertools
import json
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from medlens.config.settings import Model
from tests.local_server import LocalServer

USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass
class Reply:
    """What the server does with one request. ``status`` other than 200 sends an error body.

    ``cut``: ``before`` closes the connection without a word, ``body`` in the middle of the body,
    ``json`` sends a whole response whose JSON is cut off.
    """

    text: str | None = "The correct answer is A."
    status: int = 200
    delay: float | None = None
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    usage: dict[str, int] | None = field(default_factory=lambda: dict(USAGE))
    refusal: str | None = None
    code: str = ""
    message: str = ""
    cut: Literal["", "before", "body", "json"] = ""
    body: bytes | None = None


@dataclass
class Seen:
    """A request that came in. ``answered`` once a 200 went out whole."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    at: float
    answered: bool = False

    @property
    def digest(self) -> str:
        return digest_of(self.body)

    @property
    def said(self) -> str:
        """The last message's text."""
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else content[0]["text"]


def demo_model(server: LLMServer, **other: Any) -> Model:
    """Settings of a model with prices at a server."""
    given = {"base_url": server.url, "model": "demo", "input_price": 10.0, "output_price": 50.0}
    return Model.model_validate(given | other)


def digest_of(body: Any) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


class LLMServer(LocalServer):
    """``key``: the only one let in. ``models``: the only ones known. ``json_modes``: the types of
    ``response_format`` it takes. ``polls``: how often a batch job is looked at before it is done.
    """

    def __init__(
        self,
        *,
        latency: float = 0.0,
        key: str | None = None,
        models: set[str] | None = None,
        json_modes: frozenset[str] = frozenset({"json_schema", "json_object", "text"}),
        polls: int = 1,
        keep: bool = True,
    ) -> None:
        super().__init__(name="llm-server")
        self.latency, self.key, self.models = latency, key, models
        self.json_modes, self.polls, self.keep = json_modes, polls, keep
        self.answer: Callable[[dict[str, Any]], Reply | str] = lambda body: Reply()
        self.seen: list[Seen] = []
        self.most_at_once = self._open = 0
        self.listed: list[dict[str, Any]] = []
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self._scripted: deque[Reply] = deque()
        self._ids = itertools.count(1)

    # -- for tests -------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def push(self, *replies: Reply | str) -> None:
        """The next replies, in order, before ``answer`` is asked."""
        self._scripted.extend(Reply(one) if isinstance(one, str) else one for one in replies)

    @property
    def chats(self) -> list[Seen]:
        return [one for one in self.seen if one.path.endswith("/chat/completions")]

    def answered(self) -> Counter[str]:
        """How often each request got its answer, by the digest of its body."""
        return Counter(one.digest for one in self.chats if one.answered)

    # -- HTTP ------------------------------------------------------------------------------------

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        method, path, headers = await self._head(reader)
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        path = path.partition("?")[0]
        body: Any = raw
        if headers.get("content-type", "").startswith("application/json"):
            body = json.loads(raw)
        seen = Seen(method, path, headers, body, time.monotonic())
        self.total += 1
        if self.keep:
            self.seen.append(seen)
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        try:
            reply, payload = self._reply_to(seen)
            delay = self.latency if reply.delay is None else reply.delay
            if delay and path.endswith("/chat/completions"):
                await asyncio.sleep(delay)
        finally:
            self._open -= 1
        if reply.cut == "before":
            return False
        if reply.cut == "json":
            payload = payload[: len(payload) // 2]
        lines = [
            f"HTTP/1.1 {reply.status} X",
            f"content-length: {len(payload)}",
            "content-type: application/json",
            *(f"{k}: {v}" for k, v in reply.headers.items()),
        ]
        cut = payload[: len(payload) // 2] if reply.cut == "body" else payload
        # Before it goes out: who has got it may look before this thread goes on.
        seen.answered = reply.status == 200 and not reply.cut
        writer.write("\r\n".join([*lines, "", ""]).encode() + cut)
        try:
            await writer.drain()
        except ConnectionError:
            seen.answered = False
            raise
        return reply.cut != "body"

    # -- the API ---------------------------------------------------------------------------------

    def _reply_to(self, seen: Seen) -> tuple[Reply, bytes]:
        given = seen.headers.get("authorization", "").removeprefix("Bearer ")
        if self.key is not None and given != self.key:
            reply = Reply(status=401, code="invalid_api_key", message=f"Wrong key: {given}")
        elif seen.path.endswith("/chat/completions"):
            reply = self._chat(seen.body)
        else:
            return Reply(), self._other(seen)
        return reply, self._payload(reply, seen.body)

    def _chat(self, body: dict[str, Any]) -> Reply:
        if self.models is not None and body["model"] not in self.models:
            message = f"The model {body['model']} does not exist"
            return Reply(status=404, code="model_not_found", message=message)
        form = body.get("response_format", {"type": "text"})["type"]
        if form not in self.json_modes:
            return Reply(status=400, message=f"response_format {form} is not supported")
        if self._scripted:
            return self._scripted.popleft()
        made = self.answer(body)
        return Reply(made) if isinstance(made, str) else made

    def _payload(self, reply: Reply, body: Any) -> bytes:
        if reply.body is not None:
            return reply.body
        if reply.status != 200:
            error = {"message": reply.message, "type": "error", "code": reply.code or None}
            return json.dumps({"error": error}).encode()
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.refusal is not None:
            message |= {"content": None, "refusal": reply.refusal}
        made: dict[str, Any] = {
            "id": f"chatcmpl-{next(self._ids)}",
            "object": "chat.completion",
            "created": 1,
            "model": f"{body['model']}-served",
            "system_fingerprint": "fp_1",
            "choices": [{"index": 0, "finish_reason": reply.finish, "message": message}],
        }
        if reply.usage is not None:
            made["usage"] = reply.usage
        return json.dumps(made).encode()

    def _other(self, seen: Seen) -> bytes:
        parts = seen.path.removeprefix("/v1/").split("/")
        if parts == ["stats"]:
            return json.dumps({"total": self.total, "most_at_once": self.most_at_once}).encode()
        if parts == ["models"]:
            return json.dumps({"object": "list", "data": self.listed}).encode()
        if parts == ["files"]:
            return self._upload(seen)
        if parts[0] == "files":
            return self.files[parts[1]]
        if parts == ["batches"] and seen.method == "POST":
            return json.dumps(self._new_batch(seen.body)).encode()
        if parts == ["batches"]:
            listed = [self._shown(one) for one in reversed(self.batches.values())]
            return json.dumps({"object": "list", "data": listed, "has_more": False}).encode()
        return json.dumps(self._look_at(parts[1])).encode()

    def _upload(self, seen: Seen) -> bytes:
        boundary = seen.headers["content-type"].partition("boundary=")[2].encode()
        part = next(p for p in seen.body.split(b"--" + boundary) if b"filename=" in p)
        content = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
        id = f"file-{next(self._ids)}"
        self.files[id] = content
        made = {
            "id": id,
            "object": "file",
            "bytes": len(content),
            "created_at": 1,
            "filename": "batch.jsonl",
            "purpose": "batch",
            "status": "processed",
        }
        return json.dumps(made).encode()

    def _new_batch(self, body: dict[str, Any]) -> dict[str, Any]:
        id = f"batch_{next(self._ids)}"
        self.batches[id] = {
            "id": id,
            "object": "batch",
            "endpoint": body["endpoint"],
            "status": "validating",
            "input_file_id": body["input_file_id"],
            "completion_window": "24h",
            "created_at": 1,
            "metadata": body.get("metadata"),
            "looked": 0,
        }
        return self._shown(self.batches[id])

    @staticmethod
    def _shown(batch: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in batch.items() if key != "looked"}

    def _look_at(self, id: str) -> dict[str, Any]:
        batch = self.batches[id]
        batch["looked"] += 1
        if batch["looked"] >= self.polls and batch["status"] in ("validating", "in_progress"):
            self._finish(batch)
        elif batch["status"] == "validating":
            batch["status"] = "in_progress"
        return self._shown(batch)

    def _finish(self, batch: dict[str, Any]) -> None:
        done, failed = [], []
        for line in self.files[batch["input_file_id"]].decode().splitlines():
            asked = json.loads(line)
            reply = self._chat(asked["body"])
            payload = json.loads(self._payload(reply, asked["body"]))
            said = {"status_code": reply.status, "request_id": "r", "body": payload}
            row = {"id": "x", "custom_id": asked["custom_id"], "response": said, "error": None}
            (done if reply.status == 200 else failed).append(json.dumps(row))
        for name, lines in (("output_file_id", done), ("error_file_id", failed)):
            if lines:
                batch[name] = f"file-{next(self._ids)}"
                self.files[batch[name]] = "\n".join(lines).encode()
        batch["status"] = "completed"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    server = LLMServer(latency=options.latency, keep=False).start(options.port)
    print(server.url, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


if __name__ == "__main__":
    main()
