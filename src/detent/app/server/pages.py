"""The routes: the page and its bundle, the gallery, imports and exports, and the WebSocket."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from detent.app import inputs
from detent.app.server import files, limits
from detent.app.server.access import TooLargeError, too_large
from detent.app.server.context import Context
from detent.app.server.session import Session
from detent.foundation.errors import ModelError

STATIC = Path(__file__).parent / "static"
_MEDIA = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".woff2": "font/woff2",
}
_UNPLAIN = re.compile(r"[^A-Za-z0-9._ -]")


def application(context: Context) -> Starlette:
    """Everything that a page may ask for; the gate is before it."""
    return Starlette(
        routes=[
            Route("/", partial(_page, context)),
            Route("/static/{name}", _static),
            Route("/api/examples", partial(_examples, context)),
            Route("/api/examples/{name}.svg", partial(_example_picture, context)),
            Route("/api/import", partial(_import, context), methods=["POST"]),
            Route("/api/export", partial(_export, context), methods=["POST"]),
            WebSocketRoute("/ws", partial(_socket, context)),
        ],
        exception_handlers={TooLargeError: _too_large, ModelError: _problems},
    )


async def _page(context: Context, request: Request) -> Response:
    """A child starts while the browser loads the page: the first question will not wait for it."""
    context.pool.warm()
    if not (STATIC / "index.html").is_file():
        words = "detent: the pages were not built; in a checkout, run `make setup`\n"
        return Response(words, status_code=503, media_type="text/plain")
    return FileResponse(STATIC / "index.html", media_type=_MEDIA[".html"])


async def _static(request: Request) -> Response:
    """A file of the bundle, by its exact name; the folder has no folders."""
    name = request.path_params["name"]
    known = {file.name: file for file in STATIC.iterdir()} if STATIC.is_dir() else {}
    if name not in known or name.startswith("."):
        return Response("there is no such file\n", status_code=404, media_type="text/plain")
    file = known[name]
    return FileResponse(file, media_type=_MEDIA.get(file.suffix, "application/octet-stream"))


async def _examples(context: Context, request: Request) -> Response:
    """The gallery."""
    examples = await asyncio.to_thread(_gallery)
    return _json({"examples": examples})


def _gallery() -> list[dict[str, str]]:
    """Titles are read from the file's first lines: no example is understood just to be listed."""
    return [
        {"name": name, "title": _title(path), "picture": f"/api/examples/{quote(name)}.svg"}
        for name, path in inputs.examples().items()
    ]


def _title(path: Path) -> str:
    import tomllib

    return str(tomllib.loads(path.read_text(encoding="utf-8")).get("title", path.stem))


async def _example_picture(context: Context, request: Request) -> Response:
    name = request.path_params["name"]
    known = inputs.examples()
    if name not in known:
        return Response("there is no such example\n", status_code=404, media_type="text/plain")
    if name in context.pictures:
        return Response(context.pictures[name], media_type=_MEDIA[".svg"])
    data = await asyncio.to_thread(known[name].read_bytes)
    read = await files.read_document(context, f"{name}.toml", data)
    question = {"do": "write", "kind": "svg"}
    answered = await context.pool.ask(question, document=bytes(read["document"]))
    if not answered.ok:
        return _json({"problems": answered.head["problems"]}, status=422)
    context.pictures[name] = answered.body
    return Response(answered.body, media_type=_MEDIA[".svg"])


async def _import(context: Context, request: Request) -> Response:
    """A file's bytes as a document; read in memory, nothing is written.

    A drawing that does not say its units is refused with `at = "units"`; the query may give them.
    """
    name, units = request.query_params.get("name", ""), request.query_params.get("units")
    read = await files.read_document(context, name, await request.body(), units)
    return _json({"name": Path(name).stem, **read})


async def _export(context: Context, request: Request) -> Response:
    """The bytes of an export, as a download."""
    kind, name = request.query_params.get("kind", ""), request.query_params.get("name", "machine")
    try:
        asked = msgspec.json.decode(await request.body(), type=dict[str, msgspec.Raw])
        document = bytes(asked.pop("document"))
        rest = {key: msgspec.json.decode(value) for key, value in asked.items()}
    except (msgspec.DecodeError, KeyError, UnicodeError, RecursionError):
        raise ModelError.at("", "is not an export", "send {document, …} as JSON") from None
    question = {**rest, "do": "write", "kind": kind}
    answered = await context.pool.ask(question, document=document, seconds=limits.LONG_SECONDS)
    if not answered.ok:
        return _json({"problems": answered.head["problems"]}, status=422)
    plain = _UNPLAIN.sub("_", name)[:80].strip(". ") or "machine"
    headers = {"content-disposition": f'attachment; filename="{plain}.{kind}"'}
    return Response(answered.body, media_type=answered.head["answer"]["media"], headers=headers)


async def _socket(context: Context, socket: WebSocket) -> None:
    await socket.accept()
    await Session(socket, context).run()


async def _too_large(request: Request, error: Exception) -> Response:
    return too_large()


async def _problems(request: Request, error: Exception) -> Response:
    assert isinstance(error, ModelError)
    return _json({"problems": [problem.to_json() for problem in error.problems]}, status=422)


def _json(data: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status_code=status, media_type="application/json")
