"""The folder that the workbench may write to, and nothing outside it.

A path from the page is relative, with `/`. It is refused where a piece of it is
hidden, `..`, a drive or not a plain name, or where a link leads out of the folder.
Every write is atomic (`detent.io.disk.files.write_atomically`). Drafts, the autosaves,
are kept as they were sent, also with problems in them: nothing a person drew is lost.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import msgspec

from detent.app.server import limits
from detent.foundation.errors import ModelError
from detent.io import formats
from detent.io.disk.files import MAX_BYTES, write_atomically

DOCUMENTS = (".json", ".toml")
DRAFTS = Path(".detent") / "drafts"
# Names that mean a device on some systems, whatever their ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?$", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
_DRAFT = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,39}")
# The temporary file beside it has a longer name.
_LONGEST = 200
_DEEPEST = 16
# Times of change are in microseconds: a browser's numbers hold those exactly.
_PER_MICROSECOND = 1000
# Between a look at a file and its replacement no other page may save to it.
_WRITING = threading.Lock()


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An autosave: the document as it was, and the file it belongs to."""

    document: msgspec.Raw
    path: str | None = None


@dataclass(frozen=True)
class Workspace:
    """A folder, resolved once when the server starts."""

    folder: Path

    def resolve(self, path: str, endings: Collection[str] = DOCUMENTS) -> Path:
        """The file that a path from the page means, surely inside the folder."""
        names = path.split("/")
        if len(names) > _DEEPEST or any(map(_is_bad, names)):
            raise ModelError.at("path", f"{path[:80]!r} is not a path in the workspace", "use plain names")
        file = self.folder.joinpath(*names)
        real = Path(os.path.realpath(file))
        if not real.is_relative_to(self.folder):
            raise ModelError.at("path", f"{path[:80]!r} leads out of the workspace", "copy the file here")
        if not {real.suffix.lower(), file.suffix.lower()} <= set(endings):
            raise ModelError.at("path", f"{path[:80]!r} ends in none of {' '.join(endings)}", "rename it")
        return real

    def read(self, path: str) -> tuple[bytes, int]:
        """A document's bytes and when it was changed [µs]."""
        return _read(self.resolve(path, formats.endings("reads")), path)

    def write(self, path: str, data: bytes, *, since: int | None) -> int:
        """Save a document, unless it was changed after `since` [µs], of 0 unless it exists.

        Answers the new time of change. A file that holds these very bytes is saved already: a page
        whose server died between the write and the answer asks again, with the old time.
        """
        file = self.resolve(path)
        with _WRITING:
            on_disk = _modified(file)
            if since is not None and on_disk is not None and on_disk != since:
                if _holds(file, data):
                    return on_disk
                problem = "was changed by another program" if since else "exists already"
                remedy = "open it again, or save under another name" if since else "choose another name"
                raise ModelError.at("path", f"{path} {problem}", remedy)
            write_atomically(file, data)
            return _modified(file) or 0

    def listing(self) -> list[dict[str, object]]:
        """Documents of the folder, newest first; links are not followed."""
        entries: list[dict[str, object]] = []
        looked_at = 0
        for folder, folders, files in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if not _is_bad(name) and name != "node_modules")
            looked_at += len(files) + len(folders)
            for name in sorted(files):
                file = Path(folder, name)
                if file.suffix.lower() in DOCUMENTS and not _is_bad(name) and not file.is_symlink():
                    entries.append(self._entry(file))
            if len(entries) >= limits.LISTED or looked_at >= limits.LOOKED_AT:
                break
        newest = sorted(entries, key=lambda entry: (-int(str(entry["modified"])), str(entry["path"])))
        return newest[: limits.LISTED]

    def _entry(self, file: Path) -> dict[str, object]:
        about = file.stat()
        path = file.relative_to(self.folder).as_posix()
        return {"path": path, "modified": about.st_mtime_ns // _PER_MICROSECOND, "bytes": about.st_size}

    def keep_draft(self, name: str, document: bytes, path: str | None) -> int:
        """Autosave a document, sound or not."""
        if path is not None:
            self.resolve(path)
        file = self._draft(name)
        if not file.exists():
            self._make_room()
        draft = Draft(document=msgspec.Raw(document), path=path)
        write_atomically(file, msgspec.json.encode(draft))
        return _modified(file) or 0

    def _make_room(self) -> None:
        """The oldest drafts go: what a person draws now matters more than what was left long ago."""
        oldest_first = sorted(self._draft_files(), key=lambda file: _modified(file) or 0)
        for file in oldest_first[: max(0, len(oldest_first) - limits.DRAFTS + 1)]:
            file.unlink(missing_ok=True)

    def draft(self, name: str) -> tuple[Draft, int]:
        """An autosave and when it was made [µs]."""
        data, modified = _read(self._draft(name), name)
        try:
            return msgspec.json.decode(data, type=Draft), modified
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise ModelError.at("draft", f"{name} is not a draft", "discard it") from None

    def drafts(self) -> list[dict[str, object]]:
        """All autosaves, newest first."""
        entries: list[dict[str, object]] = []
        for file in self._draft_files():
            try:
                draft, modified = self.draft(file.stem)
            except ModelError:
                continue  # not written by us, or gone since
            entries.append(
                {"draft": file.stem, "path": draft.path, "title": _title(draft), "modified": modified}
            )
        return sorted(entries, key=lambda entry: -int(str(entry["modified"])))

    def discard(self, name: str) -> None:
        """Forget an autosave."""
        self._draft(name).unlink(missing_ok=True)

    def newer_draft(self, path: str, modified: int) -> dict[str, object] | None:
        """The newest autosave of a file that holds more than the file does."""
        for entry in self.drafts():
            if entry["path"] == path and int(str(entry["modified"])) > modified:
                return entry
        return None

    def _draft(self, name: str) -> Path:
        if not _DRAFT.fullmatch(name):
            raise ModelError.at(
                "draft", "is not a name of a draft", "use a letter, then letters, digits, '-'"
            )
        folder = self.folder / DRAFTS
        folder.mkdir(parents=True, exist_ok=True)
        if not Path(os.path.realpath(folder)).is_relative_to(self.folder):
            raise ModelError.at("draft", f"{DRAFTS} leads out of the workspace", "remove that link")
        file = folder / f"{name}.json"
        if file.is_symlink():
            raise ModelError.at("draft", f"{name} is a link", "remove it")
        return file

    def _draft_files(self) -> list[Path]:
        folder = self.folder / DRAFTS
        return [f for f in folder.glob("*.json") if _DRAFT.fullmatch(f.stem) and not f.is_symlink()]


def _is_bad(name: str) -> bool:
    """Whether a name is hidden, steps up, or means something else on another system."""
    return (
        not name
        or name.startswith(".")
        or name != name.strip()
        or name.endswith(".")
        or len(name.encode("utf-8", "surrogatepass")) > _LONGEST
        or not name.isprintable()
        or bool(_FORBIDDEN.search(name) or _DEVICE.match(name))
    )


def _read(file: Path, shown: str) -> tuple[bytes, int]:
    try:
        with file.open("rb") as stream:
            modified = os.fstat(stream.fileno()).st_mtime_ns // _PER_MICROSECOND
            data = stream.read(limits.MESSAGE_BYTES + 1)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise ModelError.at("path", f"{shown} cannot be read: {reason}", "choose another") from None
    if len(data) > limits.MESSAGE_BYTES:
        raise ModelError.at("path", f"{shown} is larger than {MAX_BYTES // 1_000_000} MB", "split it")
    return data, modified


def _holds(file: Path, data: bytes) -> bool:
    """Whether a file's bytes are these."""
    return file.stat().st_size == len(data) and file.read_bytes() == data


def _modified(file: Path) -> int | None:
    try:
        return file.stat().st_mtime_ns // _PER_MICROSECOND
    except FileNotFoundError:
        return None


def _title(draft: Draft) -> str:
    """What the draft calls itself; a draft may be half a document, so anything may be there."""
    try:
        return msgspec.json.decode(draft.document, type=_Titled).title
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


class _Titled(msgspec.Struct):
    title: str = ""
