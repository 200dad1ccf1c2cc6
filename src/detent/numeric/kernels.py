"""Kernels: one plain-Python source, two speeds.

A kernel is a function of arrays and numbers, written so that numba can compile
it. Small work runs the plain body, because importing numba alone costs about a
second; above a work estimate the compiled twin runs, cached on disk. A kernel
may call other kernels. Each one carries `sample`, arguments on which a test
compares both speeds and which `detent warmup` compiles.

    @kernel(sample=lambda: (np.ones(3),))
    def total(values): ...

    total(values)                        # plain
    total.at(work=len(values))(values)   # plain or compiled, by the work
"""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Literal

from detent.foundation.places import cache_folder
from detent.foundation.progress import doing
from detent.numeric.compile_once import compile_once, one_cache
from detent.numeric.separate import call_of

# In elementary steps (about a line of Python each, 0.1 µs compiled and 10 µs
# not counting numba's start). Importing numba and loading a cached kernel costs
# about 2 s, which plain Python spends on some 10^6 steps.
WORTH_COMPILING = 1_000_000

Speed = Literal["plain", "compiled"]
Sample = Callable[[], tuple[Any, ...]]

KERNELS: dict[str, Kernel] = {}
_compiling_began = False
_compiling_is_said = False


class Kernel:
    """A function at two speeds; calling it runs the plain body."""

    def __init__(
        self,
        plain: Callable[..., Any],
        sample: Sample,
        *,
        inlined: bool = False,
        separate: bool = False,
        bare: bool = False,
        unlocked: bool = False,
    ) -> None:
        self.plain = plain
        self.sample = sample
        self.inlined = inlined
        self.separate = separate
        self.bare = bare
        self.unlocked = unlocked
        self.name = f"{plain.__module__}.{plain.__qualname__}"
        self.__doc__ = plain.__doc__
        self.__wrapped__ = plain
        self._compiled: Callable[..., Any] | None = None
        self._callee: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        return self.plain(*args)

    def speed(self, work: float) -> Speed:
        """Which twin `at(work)` picks: compiled when it pays, or is there already."""
        forced = os.environ.get("DETENT_SPEED")
        if forced in ("plain", "compiled"):
            return "plain" if forced == "plain" else "compiled"
        return "compiled" if self._compiled is not None or work >= WORTH_COMPILING else "plain"

    def at(self, work: float) -> Callable[..., Any]:
        """The twin to use for this much work, in elementary steps."""
        return self.compiled if self.speed(work) == "compiled" else self.plain

    @property
    def compiled(self) -> Callable[..., Any]:
        """The compiled twin; compiled lazily, kept on disk for the next process."""
        if self._compiled is None:
            _begin_compiling()
            import numba

            _say_when_compiling()
            compile_ = numba.njit(
                cache=True,
                error_model="numpy",
                forceinline=self.inlined,
                no_cfunc_wrapper=True,
                _nrt=not self.bare,
                nogil=self.unlocked,
            )
            self._compiled = compile_(_with_compiled_callees(self.plain))
            compile_once(self._compiled, self.name)
        assert self._compiled is not None
        return self._compiled

    @property
    def callee(self) -> Callable[..., Any]:
        """What compiled callers call: the compiled twin, or the way to its separate code."""
        if not self.separate:
            return self.compiled
        if self._callee is None:
            self._callee = call_of(self.name, self.compiled, self.sample())
        return self._callee


class NativePrimitive:
    """A short step that numba cannot compile well from plain source: both twins are written out."""

    def __init__(self, plain: Callable[..., Any], compile_: Callable[[], Callable[..., Any]]) -> None:
        self.plain = plain
        self._compile = compile_
        self._compiled: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        return self.plain(*args)

    @property
    def compiled(self) -> Callable[..., Any]:
        if self._compiled is None:
            _begin_compiling()
            self._compiled = self._compile()
        return self._compiled

    @property
    def callee(self) -> Callable[..., Any]:
        return self.compiled


def kernel(
    *,
    sample: Sample,
    inlined: bool = False,
    separate: bool = False,
    bare: bool = False,
    unlocked: bool = False,
) -> Callable[[Callable[..., Any]], Kernel]:
    """Make a function a kernel; `sample` gives arguments to compile and to test it with.

    `inlined` puts its compiled code into whoever calls it: for a short step of a loop, to which handing
    over its arrays would cost as much as its work. `separate` keeps its code out of its callers', which then
    compile sooner (`separate`): for a long one, called with the types of its sample alone. `bare` is one that
    makes no arrays, nor is given new ones by those it calls: its compiled code counts no owners of arrays,
    which every view of a table else costs as much as reading it. `unlocked` runs beside other threads of
    Python: for a long one of which a batch has many.
    """

    def as_kernel(plain: Callable[..., Any]) -> Kernel:
        new = Kernel(plain, sample, inlined=inlined, separate=separate, bare=bare, unlocked=unlocked)
        KERNELS[new.name] = new
        return new

    return as_kernel


def kernel_cache() -> Path:
    """Folder of compiled kernels, one per state of the source: a changed callee is never stale."""
    return cache_folder() / "kernels" / source_digest(Path(__file__).resolve().parents[1])


def _begin_compiling() -> None:
    """Point numba at our cache, before it is imported."""
    global _compiling_began
    if not _compiling_began:
        _compiling_began = True
        folder = kernel_cache()
        if os.environ.setdefault("NUMBA_CACHE_DIR", str(folder)) == str(folder):
            one_cache(folder)


def _say_when_compiling() -> None:
    """Let progress name a compilation: it lasts seconds, and is kept for later runs."""
    global _compiling_is_said
    if _compiling_is_said:
        return
    _compiling_is_said = True
    from numba.core import event

    class Compilations(event.Listener):  # type: ignore[misc]
        """Hears when numba compiles what its cache does not have; callees inside callers."""

        def __init__(self) -> None:
            self.phases: list[AbstractContextManager[None]] = []

        def on_start(self, _event: Any) -> None:
            words = "compiling, once for all later runs"
            self.phases.append(nullcontext() if self.phases else doing(words))
            self.phases[-1].__enter__()

        def on_end(self, _event: Any) -> None:
            self.phases.pop().__exit__(None, None, None)

    event.register("numba:compile", Compilations())


def _with_compiled_callees(plain: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, seeing the compiled twins of the kernels it calls."""
    assert isinstance(plain, types.FunctionType)
    seen = {
        name: value.callee if isinstance(value, Kernel | NativePrimitive) else value
        for name, value in plain.__globals__.items()
        if name in plain.__code__.co_names
    }
    seen["__builtins__"] = plain.__globals__["__builtins__"]
    seen["__name__"] = plain.__module__
    copy = types.FunctionType(plain.__code__, seen, plain.__name__, plain.__defaults__, plain.__closure__)
    copy.__module__ = plain.__module__
    copy.__qualname__ = plain.__qualname__
    return copy


def source_digest(package: Path) -> str:
    """Of the kernels, of the room whose short steps they call, and of the files whose constants and samples
    they take."""
    import hashlib

    sources = {file.relative_to(package).as_posix(): file.read_bytes() for file in package.rglob("*.py")}
    kernels = {name for name, source in sources.items() if b"@kernel" in source}
    constants = {name for kernel_file in kernels for name in _constants_from(sources[kernel_file].decode())}
    digest = hashlib.sha256()
    for name, source in sorted(sources.items()):
        if name.startswith("numeric/") or name in kernels or name in constants:
            digest.update(name.encode() + b"\0" + source)
    return digest.hexdigest()[:16]


def _constants_from(source: str) -> list[str]:
    """The files of the package from which a source imports names in capitals, compiled in, or samples, whose
    types are: they go stale."""
    import re

    imports = re.findall(r"^from detent\.([\w.]+) import (\([^)]*\)|.*)$", source, re.MULTILINE)
    return [
        f"{module.replace('.', '/')}.py"
        for module, names in imports
        if re.search(r"\b([A-Z][A-Z_\d]*|sample\w*)\b", names)
    ]
