"""One thread for linear algebra while we compute.

Our matrices are small: handing them to a thread per core, as OpenBLAS does in NumPy, costs many times the
processor time that it saves. While a verb runs, OpenBLAS has one thread; afterwards it has those that the
program had given it. Where NumPy comes with another library, nothing is changed.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

# The builds of NumPy and SciPy, and of distributions, name the same two functions differently.
_NAMES = [
    (f"{prefix}openblas_get_num_threads{suffix}", f"{prefix}openblas_set_num_threads{suffix}")
    for prefix in ("scipy_", "")
    for suffix in ("64_", "_64", "")
]


@dataclass(frozen=True)
class _Library:
    """A loaded OpenBLAS: how many threads it has, and how to say so."""

    count: Callable[[], int]
    set: Callable[[int], object]


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside, OpenBLAS has one thread; several threads of a program may be inside at once."""
    import numpy as np  # the library that comes with it is loaded before it is looked for

    assert np is not None
    _enter()
    try:
        yield
    finally:
        _leave()


def blas_threads() -> tuple[int, ...]:
    """The threads of each OpenBLAS that is loaded."""
    return tuple(library.count() for library in _libraries())


def on_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, with one thread for linear algebra."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with one_thread():
            return function(*args, **kwargs)

    return limited


_lock = threading.Lock()
_inside = 0
_before: list[tuple[_Library, int]] = []  # those that have been limited, and the threads they had
_found: dict[str, _Library | None] = {}  # by path; None where it has no such functions


def _enter() -> None:
    global _inside
    with _lock:
        _inside += 1
        if _inside == 1:
            _before[:] = [(library, library.count()) for library in _libraries()]
            for library, count in _before:
                if count != 1:
                    library.set(1)


def _leave() -> None:
    global _inside
    with _lock:
        _inside -= 1
        if _inside == 0:
            for library, count in _before:
                if count != 1:
                    library.set(count)


_known_for: tuple[bool, ...] = ()
_libraries_known: list[_Library] = []


def _libraries() -> list[_Library]:
    """Every OpenBLAS that is loaded; looked for again when SciPy or numba has come."""
    global _known_for
    loaded = tuple(name in sys.modules for name in ("numpy", "scipy.linalg", "numba"))
    if loaded != _known_for:
        for path in _paths():
            if path not in _found:
                _found[path] = _library(path)
        _libraries_known[:] = [library for library in _found.values() if library is not None]
        _known_for = loaded
    return _libraries_known


def _paths() -> list[str]:
    maps = Path("/proc/self/maps")
    if maps.exists():
        return sorted(
            {line.split()[-1] for line in maps.read_text().splitlines() if "openblas" in line.lower()}
        )
    folders = [  # where wheels keep it, elsewhere than on Linux
        Path(sys.modules[name].__file__ or "").parent / inner
        for name in ("numpy", "scipy")
        if name in sys.modules
        for inner in (f"../{name}.libs", ".dylibs")
    ]
    return sorted(str(file) for folder in folders for file in folder.glob("*openblas*"))


def _library(path: str) -> _Library | None:
    try:
        library: Any = ctypes.CDLL(path)  # loaded already: this gives its handle
    except OSError:
        return None
    for count, assign in _NAMES:
        if hasattr(library, count) and hasattr(library, assign):
            return _Library(getattr(library, count), getattr(library, assign))
    return None
