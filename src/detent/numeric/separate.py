"""Compiled kernels that call each other as separate objects.

numba puts the code of all that a kernel calls into the kernel and optimises it there again, at every level of
calls: a loop of sixty kernels takes minutes to compile. A kernel that is `separate` is compiled once, for the
types of its sample; its callers know its address under a fixed name, which a cached caller finds again in the
next process: a caller is loaded after its callees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def call_of(name: str, compiled: Any, sample: tuple[Any, ...]) -> Callable[..., Any]:
    """A compiled function, to be called in others by its address, with arguments of its sample's types."""
    import numba
    from llvmlite import binding
    from numba.core import cgutils
    from numba.extending import intrinsic

    types = tuple(numba.typeof(argument) for argument in sample)
    compiled.compile(types)
    result = compiled.overloads[types]
    returned = result.signature.return_type
    symbol = f"detent.{name}"
    binding.add_symbol(symbol, result.library.get_pointer_to_function(result.fndesc.llvm_func_name))

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing: Any, *given: Any) -> Any:
        fits = [typing.can_convert(one, other) for one, other in zip(given, types, strict=False)]
        if len(given) != len(types) or None in fits:
            return None  # numba then says that it cannot be called so

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            arguments = [builder.extract_value(values[0], k) for k in range(len(types))]
            kind = context.call_conv.get_function_type(returned, types)
            function = cgutils.get_or_insert_function(builder.module, kind, symbol)
            status, answer = context.call_conv.call_function(builder, function, returned, types, arguments)
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return answer

        return returned(numba.types.StarArgTuple(types)), code

    return call  # type: ignore[no-any-return]
