"""PADL-2, the subset of Gelsey 1995, Fig. 12, with the data of Fig. 13 beside it.

A line is a definition, `generic NAME(results or parameters)` or `attr PART :
KEY = value`; a backslash continues it. Solids are blo(x, y, z) and cyl(d, h),
missing dimensions 1; un, dif, int and asb put them together, left to right, and
`at (movx=…, degz=…)` moves them, left to right about fixed axes. The macro
SYMMETRIC_UNION(solid, axis, ROTATIONAL or TRANSLATIONAL, count, range) spreads
copies evenly, range/count apart. The parts are what `asb` assembles; one with
`attr NAME : frame = 1` is fixed. A generic sees its arguments and what comes
before the first generic, and no other names from outside.

The text as printed in the seed lacks one parenthesis in its definition of the
frame; the error says so at the place where it shows.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.io.csg import csg_patterns, padl_grammar, phys
from detent.io.csg.padl_arguments import by_name, place, unnamed_argument, word
from detent.io.disk import foreign
from detent.io.disk.foreign import TextError
from detent.model.document.mechanism import Mechanism

_SHIFTS = {"movx": 0, "movy": 1, "movz": 2}
_TURNS = {"degx": "x", "degy": "y", "degz": "z"}
_ATTRIBUTES = ("frame", "gear")
_MOST_COPIES = 100_000  # as many as `repeat` takes


def load(file: Path) -> Mechanism:
    """The Mechanism in a .padl file, with the .phys file of the same name where there is one."""
    supplement = file.with_suffix(".phys")
    text = foreign.text_of(file)
    if not supplement.exists():
        return loads(text, file=str(file))
    extra = foreign.text_of(supplement)
    return loads(text, extra, file=str(file), extra_file=str(supplement))


def loads(text: str, extra: str = "", *, file: str = "<text>", extra_file: str = "<phys>") -> Mechanism:
    """The Mechanism that PADL text describes, with the supplementary data given."""
    try:
        data, lines = _Reading().read(padl_grammar.parse(text))
    except TextError as error:
        raise error.in_file(file) from None
    except RecursionError:
        raise ModelError.at("", "is nested too deeply", "name parts of it", file=file) from None
    try:
        phys.supplement(data, phys.parse(extra))
    except TextError as error:
        raise error.in_file(extra_file) from None
    return foreign.mechanism(data, file, lines)


class _Assembly(list[Any]):
    """What asb put together: (name or None, shape)."""


class _Reading:
    """One pass over the statements; what is defined so far, and where."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}  # numbers, shapes and assemblies by name
        self.parameters: dict[str, Any] = {}  # what a generic sees from outside; its shapes name no others
        self.generics: dict[str, Any] = {}  # the statements of each generic
        self.lines: dict[str, int] = {}
        self.shapes: dict[str, Any] = {}
        self.fixed: set[str] = set()

    def read(self, tree: Any) -> tuple[dict[str, Any], dict[str, int]]:
        blocks = _blocks(tree.children)
        if not blocks:
            raise TextError("defines nothing", "define parts and assemble them with asb", 1)
        for head, body in blocks[:-1]:
            if head is not None:
                self.generics[str(head.children[0])] = (head, body)
            else:
                self._statements(body)
                self.parameters = {str(s.children[0]): self._seen(s) for s in body if s.data == "define"}
        head, body = blocks[-1]
        self._statements(body)
        return self._document(head, body), self.lines

    def _statements(self, body: list[Any]) -> None:
        for statement in body:
            if statement.data == "define":
                self._define(statement)
            else:
                self._attribute(statement)

    def _define(self, statement: Any) -> None:
        name = str(statement.children[0])
        if name in self.values:
            words = f"{name!r} is already defined, in line {self.lines.get(f'shapes.{name}', '?')}"
            raise TextError(words, "choose another name", *place(statement))
        value = self.value(statement.children[1])
        self.values[name] = value
        self.lines[f"shapes.{name}"] = self.lines[f"parts.{name}"] = statement.meta.line
        if isinstance(value, dict):
            self.shapes[name] = value

    def _attribute(self, statement: Any) -> None:
        said, key, expression = (statement.children[0], statement.children[1], statement.children[2])
        value = self.number(self.value(expression), expression)
        name = self._solid_named(str(said), statement)
        if key.lower() == "frame":
            (self.fixed.add if value else self.fixed.discard)(name)
        elif key.lower() == "gear":
            self._gear(name, value, statement)
        else:
            remedy = did_you_mean(str(key), _ATTRIBUTES)
            raise TextError(f"unknown attribute {str(key)!r}", remedy, *place(statement))

    def _solid_named(self, said: str, statement: Any) -> str:
        """The solid of this name, else the one that differs in case alone."""
        if said in self.shapes:
            return said
        names = [name for name in self.shapes if name.lower() == said.lower()]
        if len(names) == 1:
            return names[0]
        remedy = did_you_mean(said, self.shapes, otherwise="define it before")
        raise TextError(f"there is no solid {said!r}", remedy, *place(statement))

    def _gear(self, name: str, teeth: Fraction, statement: Any) -> None:
        shape = self.shapes[name]
        counted = teeth.denominator == 1 and teeth >= 3
        if "cylinder" not in shape or not (counted or teeth == 1):
            words = f"{name!r} is not a cylinder, or {teeth} is not a number of teeth"
            remedy = "a gear is a cylinder with 3 teeth or more, or `gear = 1` where they are not counted"
            raise TextError(words, remedy, *place(statement))
        label = {"teeth": int(teeth)} if counted else {"gear": True}
        self.shapes[name] = {**shape, "cylinder": {**shape["cylinder"], **label}}

    def _document(self, head: Any, body: list[Any]) -> dict[str, Any]:
        wanted = [str(n) for n in head.children[1:] if n is not None] if head is not None else []
        last = next((str(s.children[0]) for s in reversed(body) if s.data == "define"), None)
        root = next((name for name in wanted if name in self.values), last)
        if root is None:
            raise TextError("defines nothing", "define parts and assemble them with asb", 1)
        value = self.values[root]
        if isinstance(value, Fraction):
            raise TextError(f"{root!r} is a number", "let the last definition assemble parts", 1)
        members = value if isinstance(value, _Assembly) else _Assembly([(root, {"use": root})])
        parts: dict[str, Any] = {}
        for index, (name, shape) in enumerate(members):
            key = name or f"part{index}"
            if key in parts:
                raise TextError(
                    f"{key!r} is assembled twice", "name a copy of it", self.lines.get(f"shapes.{key}")
                )
            parts[key] = {"shape": shape, **({"fixed": True} if name in self.fixed else {})}
        title = f"{head.children[0]} (PADL-2)" if head is not None else ""
        return {"title": title, "units": "1", "dimension": 3, "shapes": self.shapes, "parts": parts}

    def value(self, tree: Any) -> Any:
        """A number, a shape or an assembly, by what the grammar found."""
        return getattr(self, f"_of_{tree.data}")(tree)

    def _of_assembly(self, tree: Any) -> Any:
        values = [self.value(child) for child in tree.children]
        assembly = _Assembly()
        for value, child in zip(values, tree.children, strict=True):
            if isinstance(value, _Assembly):
                assembly += value
            else:
                shape = self.solid(value, child)
                assembly.append((shape.get("use"), shape))
        return assembly

    def _of_boolean(self, tree: Any) -> Any:
        value = self.value(tree.children[0])
        pending: list[dict[str, Any]] = []
        words = {"un": "union", "dif": "difference", "int": "intersection"}
        before: str | None = None
        for token, child in zip(tree.children[1::2], tree.children[2::2], strict=True):
            operation = words[token.lower()]
            if before not in (None, operation):
                value, pending = csg_patterns.combined(before or "", self.solid(value, tree), pending), []
            pending.append(self.solid(self.value(child), child))
            before = operation
        return csg_patterns.combined(before or "", self.solid(value, tree), pending)

    def _of_placed(self, tree: Any) -> Any:
        shape = self.solid(self.value(tree.children[0]), tree)
        return csg_patterns.with_moves(shape, [self._move(argument) for argument in tree.children[1:]])

    def _move(self, argument: Any) -> dict[str, Any]:
        if argument.children[0] is None:
            raise unnamed_argument(argument, "movx")
        key = str(argument.children[0]).lower()
        amount = self.number(self.value(argument.children[1]), argument)
        if key in _SHIFTS:
            vector = [Fraction(0)] * 3
            vector[_SHIFTS[key]] = amount
            return {"move": vector}
        if key in _TURNS:
            return {"turn_deg": amount, **({} if _TURNS[key] == "z" else {"about": _TURNS[key]})}
        remedy = did_you_mean(key, [*_SHIFTS, *_TURNS])
        raise TextError(f"unknown motion {key!r}", remedy, *place(argument))

    def _of_sum(self, tree: Any) -> Any:
        return self._chain(tree, {"+": lambda a, b: a + b, "-": lambda a, b: a - b})

    def _of_product(self, tree: Any) -> Any:
        return self._chain(tree, {"*": lambda a, b: a * b, "/": lambda a, b: a / b})

    def _chain(self, tree: Any, act: dict[str, Any]) -> Any:
        value = self.value(tree.children[0])
        for token, child in zip(tree.children[1::2], tree.children[2::2], strict=True):
            right = self.number(self.value(child), child)
            if token == "/" and right == 0:
                raise TextError("divides by zero", "divide by another number", token.line, token.column)
            value = foreign.bounded(
                act[str(token)](self.number(value, tree), right), token.line, token.column
            )
        return value

    def _of_signed(self, tree: Any) -> Any:
        *signs, atom = tree.children
        value = self.number(self.value(atom), tree)
        return -value if sum(sign == "-" for sign in signs) % 2 else value

    def _of_number(self, tree: Any) -> Any:
        return foreign.bounded(Fraction(str(tree.children[0])), *place(tree))

    def _of_name(self, tree: Any) -> Any:
        name = str(tree.children[0])
        if name in self.values:
            value = self.values[name]
            return {"use": name} if isinstance(value, dict) else value
        if name in self.parameters:
            return self.parameters[name]
        known = [*self.values, *self.parameters]
        remedy = did_you_mean(name, known, otherwise="define it in a line before")
        raise TextError(f"{name!r} is not defined", remedy, *place(tree))

    def _of_call(self, tree: Any) -> Any:
        name, arguments = str(tree.children[0]), [a for a in tree.children[1:] if a is not None]
        if name.lower() == "blo":
            sizes = self._numbers(arguments, ("x", "y", "z"))
            return {"block": [sizes["x"], sizes["y"], sizes["z"]]}
        if name.lower() == "cyl":
            sizes = self._numbers(arguments, ("d", "h"))
            return {"cylinder": {"radius": sizes["d"] / 2, "height": sizes["h"]}}
        if name.upper() == "SYMMETRIC_UNION":
            return self._symmetric(arguments, tree)
        if name in self.generics:
            return self._generic(name, tree)
        known = ["blo", "cyl", "SYMMETRIC_UNION", *self.generics]
        raise TextError(f"unknown solid {name!r}", did_you_mean(name, known), *place(tree))

    def _numbers(self, arguments: list[Any], keys: tuple[str, ...]) -> dict[str, Fraction]:
        """Dimensions by name; those left out are 1."""
        by_key = by_name(arguments, keys, lambda key: f"unknown dimension {key!r}", fold=str.lower)
        numbers = {key: self.number(self.value(a.children[1]), a) for key, a in by_key.items()}
        return {**dict.fromkeys(keys, Fraction(1)), **numbers}

    def _symmetric(self, arguments: list[Any], tree: Any) -> dict[str, Any]:
        if len(arguments) != 5 or any(a.children[0] is not None for a in arguments):
            remedy = "give a solid, an axis, ROTATIONAL or TRANSLATIONAL, a count and a range"
            raise TextError(f"takes 5 arguments, found {len(arguments)}", remedy, *place(tree))
        solid, axis, kind, count_of, range_of = (a.children[1] for a in arguments)
        shape = self.solid(self.value(solid), solid)
        along, motion = word(axis).lower(), word(kind).upper()
        count, reach = (self.number(self.value(a), a) for a in (count_of, range_of))
        if along not in ("x", "y", "z") or motion not in ("ROTATIONAL", "TRANSLATIONAL"):
            remedy = "give x, y or z, then ROTATIONAL or TRANSLATIONAL"
            raise TextError("axis or type of symmetry unknown", remedy, *place(tree))
        if count.denominator != 1 or not 1 <= count <= _MOST_COPIES:
            raise TextError(
                f"{count} is not a number of copies",
                f"give a whole number up to {_MOST_COPIES}",
                *place(tree),
            )
        if "repeat" in shape:
            shape = {"union": [shape]}
        if motion == "TRANSLATIONAL":
            step = [reach / count if axis_name == along else Fraction(0) for axis_name in "xyz"]
            return {**shape, "repeat": {"count": int(count), "step": step}}
        spacing = {} if reach == 360 else {"turn_deg": reach / count}
        return {**shape, "repeat": {"count": int(count), **spacing, "about": along}}

    def _generic(self, name: str, tree: Any) -> Any:
        """A generic's result with its parameters given: a reading of its own, its shapes inline."""
        head, body = self.generics[name]
        names = [str(n) for n in head.children[1:] if n is not None]
        defined = {str(s.children[0]) for s in body if s.data == "define"}
        inner = _Reading()
        inner.generics = {k: v for k, v in self.generics.items() if k != name}
        inner.parameters = {
            **self.parameters,
            **self._parameters(name, [n for n in names if n not in defined], tree),
        }
        inner._statements(body)
        result = next((n for n in names if n in inner.shapes), None)
        if result is None:
            raise TextError(f"generic {name!r} gives no solid", "define a name of its list", *place(tree))
        return inner._closed({"use": result}, tree)

    def _parameters(self, name: str, names: list[str], tree: Any) -> dict[str, Any]:
        """What a call gives to a generic, all of it; solids as they are where the call is."""
        arguments = [a for a in tree.children[1:] if a is not None]
        by_key = by_name(arguments, names, lambda key: f"{name!r} has no parameter {key!r}")
        absent = next((n for n in names if n not in by_key), None)
        if absent is not None:
            raise TextError(f"{name!r} is not given its {absent!r}", f"add {absent}=…", *place(tree))
        return {key: self._closed(self.value(a.children[1]), a) for key, a in by_key.items()}

    def _seen(self, statement: Any) -> Any:
        """What a definition made, as a generic sees it."""
        name = str(statement.children[0])
        return self._closed(self.shapes.get(name, self.values[name]), statement)

    def _closed(self, value: Any, tree: Any) -> Any:
        """A solid that names no others, so that names elsewhere cannot change it."""
        from detent.model.machine.solids import MAX_LEAVES

        if not isinstance(value, dict):
            return value
        # Unions of unions double; counting comes first, for it needs each name only once.
        if csg_patterns.primitives(value, self.shapes, {}) > MAX_LEAVES:
            words = f"is put together from more than {MAX_LEAVES} primitives"
            raise TextError(words, "use SYMMETRIC_UNION for copies", *place(tree))
        return csg_patterns.without_names(value, self.shapes)

    def number(self, value: Any, tree: Any) -> Fraction:
        if isinstance(value, Fraction):
            return value
        raise TextError("a solid is where a number belongs", "give a number", *place(tree))

    def solid(self, value: Any, tree: Any) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        noun = "a number" if isinstance(value, Fraction) else "an assembly"
        raise TextError(f"{noun} is where a solid belongs", "give one solid", *place(tree))


def _blocks(statements: list[Any]) -> list[tuple[Any, list[Any]]]:
    """Statements by the generic they belong to; those before the first have none."""
    blocks: list[tuple[Any, list[Any]]] = []
    for statement in statements:
        if statement.data == "generic":
            blocks.append((statement, []))
        else:
            if not blocks:
                blocks.append((None, []))
            blocks[-1][1].append(statement)
    return blocks
