"""Many tables in one block of memory, and compiled functions that take its address.

A call of compiled code looks up the types of its arguments and unpacks each array; for a short kernel
both take longer than the work. So a kernel of (memory, number), whose memory is one block of 64-bit
words with the number of words in the first, has a door: called with the block's address, it looks up
nothing. Inside, `table` sees part of the block as a table, without a copy and without numba's checks
of a reshape, which cost as much as a closed form.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.numeric.kernels import Kernel, NativePrimitive

LENGTH = 0  # the word that says how many there are

_doors: dict[str, Callable[[int, float], Any]] = {}


def call_by_address(entered: Kernel) -> Callable[[int, float], Any]:
    """A kernel of (memory, number), compiled; it takes the address of memory that the caller keeps."""
    if entered.name not in _doors:
        seen = {"inner": entered.compiled, "words_at": _words_at(), "__name__": __name__}
        import numba

        way = types.FunctionType(_way_in.__code__, seen, _way_in.__name__)
        way.__module__ = __name__
        way.__qualname__ = (
            f"{_way_in.__name__}_{entered.name.replace('.', '_')}"  # its own place in the cache
        )
        compiled = numba.njit(cache=True, error_model="numpy")(way)
        _doors[entered.name] = compiled.compile((numba.int64, numba.float64))
    return _doors[entered.name]


def _way_in(address, number):  # type: ignore[no-untyped-def]
    return inner(words_at(address), number)  # type: ignore[name-defined]  # noqa: F821 (given with the copy)


def _plain_table(block: NDArray[Any], at: int, rows: int, columns: int) -> NDArray[Any]:
    return block[at : at + rows * columns].reshape((rows, columns))


def _words_at() -> Callable[..., Any]:
    """The block at an address, as an array that owns nothing."""
    import numba
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(typing: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.inttoptr(given[0], cgutils.intp_t.as_pointer())

        return numba.types.CPointer(numba.int64)(address), code

    @numba.njit(error_model="numpy")
    def words_at(address):  # type: ignore[no-untyped-def]
        start = pointer(address)
        return numba.carray(start, (numba.carray(start, (1,))[LENGTH],))

    return words_at  # type: ignore[no-any-return]


def _compiled_table() -> Callable[..., Any]:
    import numba
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(typing: Any, block: Any, at: Any) -> Any:
        if block.layout != "C":
            return None  # numba then says that it cannot be called so

        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, given[0])
            return builder.gep(array.data, [given[1]])

        return numba.types.CPointer(block.dtype)(block, at), code

    @numba.njit(error_model="numpy", _nrt=True)
    def table(block, at, rows, columns):  # type: ignore[no-untyped-def]
        return numba.carray(pointer(block, at), (rows, columns))

    return table  # type: ignore[no-any-return]


def _compiled_borrowed() -> Callable[..., Any]:
    import numba
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(typing: Any, array: Any) -> Any:
        if array.layout != "C":
            return None

        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return context.make_array(signature.args[0])(context, builder, given[0]).data

        return numba.types.CPointer(array.dtype)(array), code

    @numba.njit(error_model="numpy")
    def borrowed(array):  # type: ignore[no-untyped-def]
        return numba.carray(pointer(array), array.shape)

    return borrowed  # type: ignore[no-any-return]


table = NativePrimitive(_plain_table, _compiled_table)
# An argument of the outermost kernel, contiguous, as an array that owns nothing: every view of an owned
# one counts its owners up and down, which over some twenty views a frame is a fifth of a short one.
borrowed = NativePrimitive(lambda array: array, _compiled_borrowed)


def packed_tables(tables: list[NDArray[Any]], head: int) -> tuple[NDArray[np.int64], list[int]]:
    """The tables behind `head` words, the first of which is set; and where each begins."""
    begins, at = [], head
    for each in tables:
        begins.append(at)
        at += each.size
    memory = np.zeros(at, dtype=np.int64)
    memory[LENGTH] = at
    for begin, each in zip(begins, tables, strict=True):
        memory[begin : begin + each.size] = np.ascontiguousarray(each).reshape(-1).view(np.int64)
    return memory, begins
