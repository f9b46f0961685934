"""A small but real OpenID Connect provider: discovery, authorize, token, keys, end of session.

Everybody is signed in as the person set by ``be``: the tests are about what MedLens does with the
provider's answer. Codes work once, PKCE (S256) and the client's secret are checked, and the
identity token is signed with a key made at the start.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT_ID, CLIENT_SECRET = "medlens-tests", "not a secret at all"


@dataclass
class Provider:
    """The provider at ``issuer``; ``claims`` is what it says about the next person to sign in."""

    issuer: str
    claims: dict[str, Any] = field(default_factory=dict)
    ended: int = 0
    _key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    _codes: dict[str, dict[str, Any]] = field(default_factory=dict)

    def be(self, email: str, /, **claims: Any) -> None:
        """Sets who signs in next; a claim given as ``None`` is left out."""
        known = {"sub": f"sub-{email}", "email": email, "email_verified": True, "name": email}
        both = {**known, **claims}
        self.claims = {name: value for name, value in both.items() if value is not None}

    def secrets(self) -> str:
        """The secrets.toml of an app that signs in here; ``{port}`` stands for the app's port."""
        return (
            "[auth]\n"
            'redirect_uri = "http://localhost:{port}/oauth2callback"\n'
            'cookie_secret = "for these tests alone, and long enough"\n'
            f'client_id = "{CLIENT_ID}"\n'
            f'client_secret = "{CLIENT_SECRET}"\n'
            f'server_metadata_url = "{self.issuer}/.well-known/openid-configuration"\n'
        )

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/keys", self._keys),
                Route("/end", self._end),
            ]
        )

    async def _discovery(self, _: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "end_session_endpoint": f"{self.issuer}/end",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "code_challenge_methods_supported": ["S256"],
            }
        )

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        if asked.get("client_id") != CLIENT_ID or "code_challenge" not in asked:
            return JSONResponse({"error": "invalid_request"}, 400)
        code = secrets.token_urlsafe(16)
        self._codes[code] = {**asked, "claims": dict(self.claims)}
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    async def _token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        asked = self._codes.pop(form.get("code", ""), None)
        if asked is None or not self._is_client(request, form) or not _proves(form, asked):
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        token = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 600,
            "nonce": asked.get("nonce"),
            **asked["claims"],
        }
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, token, self._key)
        access = secrets.token_urlsafe(16)
        return JSONResponse({"access_token": access, "token_type": "Bearer", "id_token": signed})

    @staticmethod
    def _is_client(request: Request, form: dict[str, str]) -> bool:
        basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        by_header = request.headers.get("authorization") == f"Basic {basic}"
        return by_header or form.get("client_secret") == CLIENT_SECRET

    async def _keys(self, _: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})

    async def _end(self, request: Request) -> Response:
        self.ended += 1
        return RedirectResponse(request.query_params["post_logout_redirect_uri"], 302)


def _proves(form: dict[str, str], asked: dict[str, Any]) -> bool:
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["code_challenge"]


@contextmanager
def running_provider(port: int) -> Iterator[Provider]:
    """A provider answering on this machine's ``port`` while the block runs."""
    provider = Provider(f"http://localhost:{port}")
    config = uvicorn.Config(provider.app(), host="127.0.0.1", port=port, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield provider
    finally:
        server.should_exit = True
        thread.join(timeout=5)
