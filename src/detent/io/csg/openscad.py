"""OpenSCAD: the CSG subset of .csg and simple .scad files.

Read: cube, cylinder, sphere, square, circle, polygon, linear_extrude (straight),
union, difference, intersection, translate, rotate, mirror, scale, multmatrix
where it keeps right angles, color, group and render, assignments with arithmetic.
Factors may differ along the axes where shapes stay of their kind: a stretched
cube is a block, a stretched sphere is refused. Anything else is refused with its line. Every
object at the top is a part; lengths are millimetres.

A round shape is round here, whatever its $fn; only below 16 chords is it read
for the polygon it draws, as a hexagon. A matrix in a .csg file has six digits,
so an angle read from one is rounded to 0.0001 degree where that is within them.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError
from detent.foundation.exact import number
from detent.foundation.names import did_you_mean
from detent.io.csg import csg_patterns, grammar, scad_shapes
from detent.io.disk import foreign
from detent.io.disk.foreign import TextError
from detent.model.document.mechanism import Mechanism

_GRAMMAR = r"""
start: item*
?item: ";"                              -> nothing
     | NAME "=" sum ";"          -> assign
     | object
object: MODIFIER* NAME "(" [argument ("," argument)* ","?] ")" (";" | "{" item* "}" | object)
argument: [NAME "="] sum
?sum: product (PLUS product)*
?product: factor (TIMES factor)*
?factor: PLUS+ atom -> signed
       | atom
?atom: NUMBER -> number
     | NAME -> name
     | STRING -> text
     | "(" sum ")"
     | "[" [sum ("," sum)* ","?] "]" -> vector
MODIFIER: /[#!%]/ | "*"
PLUS: "+" | "-"
TIMES: "*" | "/"
NUMBER: /(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?/
NAME: /\$?[A-Za-z_][A-Za-z0-9_]*/
STRING: /"[^"\n]*"/
%ignore /[ \t\f\r\n]+/
"""

_COMMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LANGUAGE = re.compile(r"\b(module|function|for|intersection_for|if|else|let|use|include|each|assert|echo)\b")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_NAMES = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text",
    "SEMICOLON": "';'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LSQB": "'['",
    "RSQB": "']'",
    "EQUAL": "'='",
    "COMMA": "','",
    "PLUS": "+ or -",
    "TIMES": "* or /",
    "MODIFIER": "a modifier",
    "$END": "the end of the file",
}
_CONSTANTS: dict[str, Any] = {"true": True, "false": False, "undef": None, "PI": number(math.pi)}


def load(file: Path) -> Mechanism:
    """The Mechanism in a .csg or .scad file."""
    return loads(foreign.text_of(file), file=str(file))


def loads(text: str, *, file: str = "<text>") -> Mechanism:
    """The Mechanism that OpenSCAD text describes; a part for each object at the top."""
    try:
        data, lines = _Reading().read(_parse(text))
    except TextError as error:
        raise error.in_file(file) from None
    except RecursionError:
        raise ModelError.at("", "is nested too deeply", "flatten it", file=file) from None
    return foreign.mechanism(data, file, lines)


def _parse(text: str) -> Any:
    text = _COMMENT.sub(_blank, text)
    bare = re.sub(r'"[^"\n]*"', lambda match: " " * len(match.group()), text)
    _refuse_language(bare)
    brackets = [
        (match.group(), n, match.start() + 1)
        for n, line in enumerate(bare.split("\n"), start=1)
        for match in re.finditer(r"[][(){}]", line)
    ]
    foreign.refuse_unbalanced(brackets, _BRACKETS)
    return grammar.parsed(_GRAMMAR, text, _NAMES, stranger="is not read here")


def _blank(match: re.Match[str]) -> str:
    """A comment as blanks, so that lines and columns stay; a text stays a text."""
    text = match.group()
    if text.startswith("/*") and (len(text) < 4 or not text.endswith("*/")):
        line, column = _place(match.string, match.start())
        raise TextError(
            "this comment is never closed: a '*/' is missing", "add the missing '*/'", line, column
        )
    return text if text.startswith('"') else re.sub(r"[^\n]", " ", text)


def _place(text: str, at: int) -> tuple[int, int]:
    """Line and column of a character."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _refuse_language(text: str) -> None:
    match = _LANGUAGE.search(text)
    if match is not None:
        line, column = _place(text, match.start())
        remedy = "let OpenSCAD write it out: openscad -o machine.csg machine.scad"
        raise TextError(
            f"{match.group()!r} belongs to OpenSCAD's language, which is not read", remedy, line, column
        )


class _Reading:
    """One pass over the file."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = dict(_CONSTANTS)

    def read(self, tree: Any) -> tuple[dict[str, Any], dict[str, int]]:
        parts: dict[str, Any] = {}
        lines: dict[str, int] = {}
        flat: dict[bool, int] = {}
        for item in tree.children:
            shape = self.item(item, None)
            if shape is None:
                continue
            name = f"part{len(parts) + 1}"
            parts[name] = {"shape": shape}
            lines[f"parts.{name}"] = item.meta.line
            flat[scad_shapes.is_flat(shape, item.meta.line)] = item.meta.line
        if not parts:
            raise TextError("draws nothing", "draw at least one object", 1)
        if len(flat) > 1:
            remedy = "extrude the flat ones, or keep them in a file of their own"
            raise TextError("flat and solid objects are mixed", remedy, max(flat.values()))
        dimension = 2 if True in flat else 3
        return {"units": "mm", "dimension": dimension, "parts": parts}, lines

    def item(self, tree: Any, height: Fraction | None) -> dict[str, Any] | None:
        """The shape of a statement; None where it draws nothing."""
        if tree.data == "assign":
            self.values[str(tree.children[0])] = self.value(tree.children[1])
            return None
        if tree.data == "nothing":
            return None
        modifiers = [str(c) for c in tree.children if getattr(c, "type", "") == "MODIFIER"]
        if "!" in modifiers:
            raise TextError("'!' shows one object only", "remove it", tree.meta.line, tree.meta.column)
        if "*" in modifiers or "%" in modifiers:
            return None
        return self.object([c for c in tree.children if getattr(c, "type", "") != "MODIFIER"], tree, height)

    def object(self, pieces: list[Any], tree: Any, height: Fraction | None) -> dict[str, Any] | None:
        name = str(pieces[0])
        arguments = [a for a in pieces[1:] if a is not None and getattr(a, "data", "") == "argument"]
        children = [c for c in pieces[1:] if c is not None and getattr(c, "data", "") != "argument"]
        values = {"$fn": self.values.get("$fn"), **self.arguments(arguments)}
        call = scad_shapes.Call(name, values, tree.meta.line, tree.meta.column, height is not None)
        if name in scad_shapes.PRIMITIVES:
            return scad_shapes.PRIMITIVES[name](call, height)
        if name == "linear_extrude":
            if height is not None:
                raise call.wrong("an extrusion within an extrusion", "extrude once")
            tall, centred = scad_shapes.extrusion(call)
            shape = self.joined("union", children, tall)
            down = [{"move": [Fraction(0), Fraction(0), -tall / 2]}] if centred else []
            return None if shape is None else csg_patterns.with_moves(shape, down)
        if name in scad_shapes.OPERATIONS:
            return self.joined(scad_shapes.OPERATIONS[name], children, height)
        if name in scad_shapes.MOTIONS:
            shape = self.joined("union", children, height)
            return None if shape is None else scad_shapes.MOTIONS[name](call, shape)
        known = [*scad_shapes.PRIMITIVES, *scad_shapes.OPERATIONS, *scad_shapes.MOTIONS, "linear_extrude"]
        raise call.wrong(f"{name!r} is not read", did_you_mean(name, known))

    def joined(self, operation: str, items: list[Any], height: Fraction | None) -> dict[str, Any] | None:
        shapes = [shape for shape in (self.item(item, height) for item in items) if shape is not None]
        return csg_patterns.combined(operation, shapes[0], shapes[1:]) if shapes else None

    def arguments(self, arguments: list[Any]) -> dict[str, Any]:
        """By name, or by position as "0", "1", …"""
        values: dict[str, Any] = {}
        for index, argument in enumerate(arguments):
            key = str(argument.children[0]) if argument.children[0] is not None else str(index)
            values[key] = self.value(argument.children[1])
        return values

    def value(self, tree: Any) -> Any:
        if tree.data == "vector":
            return [self.value(child) for child in tree.children if child is not None]
        if tree.data == "number":
            return foreign.bounded(Fraction(str(tree.children[0])), tree.meta.line, tree.meta.column)
        if tree.data == "text":
            return str(tree.children[0])
        if tree.data == "name":
            name = str(tree.children[0])
            if name not in self.values:
                remedy = did_you_mean(name, self.values, otherwise="assign it before")
                raise TextError(f"{name!r} has no value", remedy, tree.meta.line, tree.meta.column)
            return self.values[name]
        if tree.data == "signed":
            *signs, atom = tree.children
            value = self.value(atom)
            return _negative(value, tree) if sum(sign == "-" for sign in signs) % 2 else value
        return self._chain(tree)

    def _chain(self, tree: Any) -> Any:
        value = self.value(tree.children[0])
        for token, child in zip(tree.children[1::2], tree.children[2::2], strict=True):
            right = self.value(child)
            if not isinstance(value, Fraction) or not isinstance(right, Fraction):
                raise TextError(
                    "arithmetic on what is not a number",
                    "give numbers on both sides",
                    token.line,
                    token.column,
                )
            if token == "/" and right == 0:
                raise TextError("divides by zero", "divide by another number", token.line, token.column)
            act = {"+": value.__add__, "-": value.__sub__, "*": value.__mul__, "/": value.__truediv__}
            value = foreign.bounded(Fraction(act[str(token)](right)), token.line, token.column)
        return value


def _negative(value: Any, tree: Any) -> Any:
    if isinstance(value, list):
        return [_negative(entry, tree) for entry in value]
    if isinstance(value, Fraction):
        return -value
    raise TextError(
        "a minus before what is not a number",
        "give a number or a vector of numbers",
        tree.meta.line,
        tree.meta.column,
    )
