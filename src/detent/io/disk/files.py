"""Files: read with limits, written atomically.

Reading refuses what is missing, too large, not text, or not a file at all (a
pipe would block for ever). Writing is atomic: a reader sees the old file or the
new one, whatever happens in between.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from detent.foundation.errors import MissingFileError, ModelError

# 10^5 vertices take about 3 MB; beyond this a document is data, not a model.
MAX_BYTES = 8_000_000


def read_text(file: Path) -> str:
    """A file's text, refused where it is missing, too large, or not text."""
    return decode(read_bytes(file), str(file))


def read_bytes(file: Path) -> bytes:
    """A file's bytes, refused where it is missing, too large, or not a file."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise _refused(file, "is not a file" if not file.is_dir() else "is a folder", "name a file")
        with file.open("rb") as stream:
            return within_limits(stream.read(MAX_BYTES + 1), str(file))
    except FileNotFoundError:
        raise MissingFileError.at("", "there is no such file", "check the name", file=str(file)) from None
    except ModelError:  # a ValueError too, and said already
        raise
    except (OSError, ValueError) as problem:  # a name that is too long, or holds a NUL
        raise _refused(
            file, f"cannot be read: {_words(problem)}", "check its name and who may read it"
        ) from None


def within_limits(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        words = f"is larger than {MAX_BYTES // 1_000_000} MB"
        raise ModelError.at("", words, "split it, or name shapes and use them", file=name)
    return data


def decode(data: bytes, name: str) -> str:
    """Bytes as UTF-8 text, or the line at which they are not."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise ModelError.at("", "is not UTF-8 text", "save it as UTF-8", file=name, line=line) from None


def write_atomically(file: Path, data: bytes) -> None:
    """Write beside the file, flush to the disk, then take its place in one step."""
    import tempfile

    try:
        target = Path(os.path.realpath(file))  # a link stays a link, its target is written
        _refuse_target(target, file)
        handle, temporary = tempfile.mkstemp(prefix=".detent-", suffix=".tmp", dir=target.parent)
    except ModelError:  # a ValueError too, and said already
        raise
    except (OSError, ValueError) as problem:
        raise _refused(file, f"cannot be written: {_words(problem)}", "choose another place for it") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_mode(target, temporary)
        os.replace(temporary, target)
    except BaseException as problem:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(problem, OSError):
            raise _refused(
                file, f"cannot be written: {_words(problem)}", "choose another place for it"
            ) from None
        raise
    _flush_folder(target.parent)


def _refuse_target(target: Path, file: Path) -> None:
    """A rename needs no permission of the file it replaces, and would replace a pipe; we ask first."""
    if not target.parent.is_dir():
        raise _refused(file, f"there is no folder {str(file.parent)!r}", "make it first")
    if not target.exists():
        return
    if not target.is_file():
        raise _refused(file, "is a folder" if target.is_dir() else "is not a file", "choose another name")
    if not os.access(target, os.W_OK) or not target.stat().st_mode & 0o222:
        raise _refused(file, "is read-only", "choose another name, or allow writing")


def _keep_mode(file: Path, temporary: str) -> None:
    """A temporary file is private; the document keeps the mode it had, or gets the usual one."""
    if os.name != "posix":
        return
    try:
        mode = file.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.chmod(temporary, mode)


def _flush_folder(folder: Path) -> None:
    """Make the rename itself last; a folder that cannot be opened keeps it all the same, if less surely."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _refused(file: Path, problem: str, remedy: str) -> ModelError:
    return ModelError.at("", problem, remedy, file=str(file))


def _words(problem: Exception) -> str:
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
