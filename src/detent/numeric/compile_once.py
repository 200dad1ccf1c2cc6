"""A kernel is compiled once: one process does it, others wait for it and then find it in the cache.

Workers of a server, or commands side by side after an installation, would each compile the same kernels for
minutes. A lock is a file beside the cache; the system gives it up with the process that holds it, whatever
its end. Where a file cannot be locked each process compiles for itself, as without a lock.

numba keeps what it compiled by the path and the date of the source: the same package installed anew, or in
another environment, would be compiled again. The cache's folder is named after the sources, which says more:
`one_cache` has the kernels of this package kept there by their names alone.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from detent.foundation.progress import doing

# A compiling thread compiles what it calls too, lock within lock: two that did so at once would wait for each
# other. Processes cannot: kernels do not call each other in circles.
_ONE_THREAD = threading.RLock()
_held: set[Path] = set()


def compile_once(compiled: Any, name: str) -> None:
    """Let one process at a time compile this kernel, for whatever types of arguments."""
    compile_: Callable[..., Any] = compiled.compile

    def locked(signature: Any) -> Any:
        with _ONE_THREAD, only_process(Path(os.environ["NUMBA_CACHE_DIR"]) / f"{name}.lock"):
            return compile_(signature)

    compiled.compile = locked


def one_cache(folder: Path) -> None:
    """Keep kernels of this package in a folder of their sources' own; other functions as numba keeps them."""
    from numba.core import caching

    class BySources(caching._CacheLocator):  # type: ignore[misc]
        """Where a kernel lies in the folder, wherever its source lies."""

        def __init__(self, module: str, line: int) -> None:
            self.module, self.line = module, line

        def get_cache_path(self) -> str:
            return str(folder / self.module)

        def get_source_stamp(self) -> str:
            return folder.name

        def get_disambiguator(self) -> str:
            return str(self.line)

        @classmethod
        def from_function(cls, function: Any, _file: str) -> Any:
            if function.__module__.split(".")[0] != __name__.split(".")[0]:
                return None  # not one of our own: its source may change while the folder stays
            return cls(function.__module__, function.__code__.co_firstlineno)

    caching.CacheImpl._locator_classes.insert(0, BySources)


@contextmanager
def only_process(lock: Path) -> Iterator[None]:
    """Hold a lock that one process at a time can have; what it has already is not waited for."""
    if lock in _held or sys.platform == "win32":
        yield
        return
    file = _opened(lock)
    if file is None:
        yield
        return
    _held.add(lock)
    try:
        _wait_for(file)
        yield
    finally:
        _held.discard(lock)
        os.close(file)


def _opened(lock: Path) -> int | None:
    with suppress(OSError):
        lock.parent.mkdir(parents=True, exist_ok=True)
        return os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    return None


def _wait_for(file: int) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    with suppress(OSError):  # a disk without locks
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with doing("compiling, once for all later runs, in another process"):
                fcntl.flock(file, fcntl.LOCK_EX)
