"""Who may speak to the server: a page that it served itself, to a person who was given its address.

Three doors, on HTTP and WebSocket alike. `Host` must be the address listened on,
so that a name rebound to 127.0.0.1 is refused. `Origin` must be that same address
wherever a browser sends it, and must be there for a WebSocket and for whatever is
not a plain GET, so that another site's page is refused. A cookie must hold the
session's secret; it is got once per launch address, which then changes.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from detent.app.server import limits

CONTENT_SECURITY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_SAFE = ("GET", "HEAD")
_TOKEN_BYTES = 32


class Gate:
    """Lets a request through to the application, or answers it itself."""

    def __init__(self, app: ASGIApp, *, port: int, launched: Callable[[str], None]) -> None:
        self._app = app
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        # A cookie is shared by all ports of a host, so its name tells servers apart.
        self._cookie = f"detent-{port}"
        self._secret = secrets.token_urlsafe(_TOKEN_BYTES)
        self._token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._launched = launched

    @property
    def address(self) -> str:
        """Where a browser is let in, once."""
        return f"http://{self._hosts[0]}/launch?token={self._token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._app(scope, _bounded(receive), _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return _refuse("this server answers to its own address only")
        origins = _values(scope, b"origin")
        needed = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if origins not in ([f"http://{hosts[0]}"], [] if not needed else None):
            return _refuse("this page does not come from this server")
        if scope["path"] == "/launch" and scope["type"] == "http":
            return self._launch(scope)
        if not self._is_known(scope):
            return _refuse("open the address that `detent open` printed; each works once")
        if _declared(scope) > limits.BODY_BYTES:
            return too_large()
        return None

    def _launch(self, scope: Scope) -> Response:
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if hmac.compare_digest(token.encode(), self._token.encode()):
            self._token = secrets.token_urlsafe(_TOKEN_BYTES)
            response = RedirectResponse("/", status_code=303)
            response.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict", path="/")
            self._launched(self.address)
            return response
        if self._is_known(scope):  # the same browser again
            return RedirectResponse("/", status_code=303)
        return _refuse("this address has been used; take the latest that `detent open` printed")

    def _is_known(self, scope: Scope) -> bool:
        """Read by hand: other programs on this host set cookies that a strict parser would stop at."""
        for pair in ";".join(_values(scope, b"cookie")).split(";"):
            name, _, value = pair.strip().partition("=")
            if name == self._cookie and hmac.compare_digest(value.encode(), self._secret.encode()):
                return True
        return False


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _declared(scope: Scope) -> int:
    lengths = _values(scope, b"content-length")
    return max((int(length) for length in lengths if length.isascii() and length.isdigit()), default=0)


def _refuse(words: str) -> Response:
    return PlainTextResponse(f"detent: {words}\n", status_code=403)


def _bounded(receive: Receive) -> Receive:
    """A body that claims no length is counted as it comes."""
    received = 0

    async def bounded() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limits.BODY_BYTES:
            raise TooLargeError
        return message

    return bounded


class TooLargeError(Exception):
    """A body over the limit; the application answers 413."""


def too_large() -> Response:
    """In the words of every other refusal."""
    problem = {
        "at": "",
        "problem": f"is larger than {limits.BODY_BYTES // 1_000_000} MB",
        "remedy": "split it",
    }
    return JSONResponse({"problems": [problem]}, status_code=413)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            have = {key.lower() for key, _ in message.get("headers", [])}
            extra = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in have]
            message = {**message, "headers": [*message.get("headers", []), *extra]}
        await send(message)

    return sending
