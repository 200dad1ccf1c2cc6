"""Questions about files: what is there, open, save, and the drafts that keep a person's work.

The disk is touched in threads, so that a slow disk delays only who asked. What a
file means is for a child to say; here it is bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

import detent
from detent.app import inputs
from detent.app.parsing import VERBS
from detent.app.server import limits, transfer
from detent.app.server.context import Context
from detent.app.server.message import Question
from detent.app.server.workspace import DOCUMENTS
from detent.foundation.errors import ModelError, Problem
from detent.foundation.names import did_you_mean

Plain = dict[str, Any]


async def hello(context: Context, asked: Question) -> Plain:
    """What the page needs to begin."""
    return {
        "version": detent.__version__,
        "workspace": str(context.workspace.folder),
        "file": context.file,
        "drafts": await asyncio.to_thread(context.workspace.drafts),
        "limits": {
            "message": limits.MESSAGE_BYTES,
            "file": limits.FILE_BYTES,
            "seconds": limits.LONG_SECONDS,
        },
        "verbs": list(VERBS),
        "imports": transfer.imports(),
        "exports": list(transfer.EXPORTS),
    }


async def ping(context: Context, asked: Question) -> Plain:
    return {}


async def stop(context: Context, asked: Question) -> Plain:
    """The session has done it already; this is the receipt."""
    return {}


async def listing(context: Context, asked: Question) -> Plain:
    return {"files": await asyncio.to_thread(context.workspace.listing)}


async def open_file(context: Context, asked: Question) -> Plain:
    """A document of the workspace, and the newer draft of it where there is one.

    A foreign file is read as an import: it has no `path` to be saved to again.
    """
    path = asked.text("path")
    data, modified = await asyncio.to_thread(context.workspace.read, path)
    answer = {"path": path, "modified": modified, **await read_document(context, path, data)}
    if not path.lower().endswith(DOCUMENTS):
        return {**answer, "path": None}
    entry = await asyncio.to_thread(context.workspace.newer_draft, path, modified)
    if entry is not None:
        kept, drafted = await asyncio.to_thread(context.workspace.draft, str(entry["draft"]))
        if not await _means(context, bytes(kept.document), bytes(answer["document"])):
            answer["draft"] = {"draft": entry["draft"], "document": kept.document, "modified": drafted}
    return answer


async def _means(context: Context, draft: bytes, document: bytes) -> bool:
    """Whether a draft holds nothing that its file does not: an autosave may end after the save it was for."""
    try:
        return bytes((await read_document(context, "draft.json", draft))["document"]) == document
    except ModelError:
        return False


async def example(context: Context, asked: Question) -> Plain:
    """A shipped example, as a document of its own."""
    name, known = asked.text("name"), inputs.examples()
    if name not in known:
        raise ModelError.at("name", f"there is no example {name[:40]!r}", did_you_mean(name, known))
    data = await asyncio.to_thread(known[name].read_bytes)
    return {"name": name, **await read_document(context, f"{name}.toml", data)}


async def save(context: Context, asked: Question) -> Plain:
    """Write a sound document; an unsound one stays in its draft, and the answer says what is wrong."""
    path, since = asked.text("path"), asked.fields.get("modified")
    _need_document(asked)
    kind = context.workspace.resolve(path).suffix.lower().lstrip(".")
    question = {"do": "write", "kind": kind}
    answered = await context.pool.ask(question, key=asked.key, document=asked.document)
    _raise_problems(answered.head)
    known = since if isinstance(since, int) else None
    modified = await asyncio.to_thread(context.workspace.write, path, answered.body, since=known)
    return {"path": path, "modified": modified}


async def draft(context: Context, asked: Question) -> Plain:
    """Autosave, sound or not."""
    _need_document(asked)
    name, path = asked.text("draft"), asked.text_or_none("path")
    modified = await asyncio.to_thread(context.workspace.keep_draft, name, asked.document, path)
    return {"modified": modified}


async def draft_or_problem(context: Context, asked: Question) -> Plain:
    """Autosave beside an edit: where the disk refuses, the edit is answered all the same, and says so."""
    try:
        return await draft(context, asked)
    except ModelError as error:
        return {"unkept": error.problems[0].to_json()}
    except OSError as problem:
        words = f"the disk refuses: {problem.strerror or problem}"
        return {"unkept": Problem("", words, "make room there, or export the document").to_json()}


async def drafts(context: Context, asked: Question) -> Plain:
    return {"drafts": await asyncio.to_thread(context.workspace.drafts)}


async def recover(context: Context, asked: Question) -> Plain:
    name = asked.text("draft")
    kept, modified = await asyncio.to_thread(context.workspace.draft, name)
    return {"draft": name, "path": kept.path, "document": kept.document, "modified": modified}


async def discard(context: Context, asked: Question) -> Plain:
    await asyncio.to_thread(context.workspace.discard, asked.text("draft"))
    return {}


async def read_document(context: Context, name: str, data: bytes, units: str | None = None) -> Plain:
    """A file's bytes as a document, by a child; `units` are those of a drawing that does not say its own."""
    answered = await context.pool.ask({"do": "read", "name": name, "units": units}, document=data)
    _raise_problems(answered.head)
    return {"document": msgspec.Raw(answered.body), **answered.head["answer"]}


def _need_document(asked: Question) -> None:
    if not asked.document:
        raise ModelError.at("key", "unknown key", "send the document again")


def _raise_problems(head: Plain) -> None:
    if "problems" in head:
        raise ModelError(*(Problem(**problem) for problem in head["problems"]))


FILES: dict[str, Callable[[Context, Question], Awaitable[Plain]]] = {
    "hello": hello,
    "ping": ping,
    "stop": stop,
    "list": listing,
    "open": open_file,
    "example": example,
    "save": save,
    "draft": draft,
    "drafts": drafts,
    "recover": recover,
    "discard": discard,
}
