"""Foreign CSG as a document would have it: moves run together, copies as `repeat`.

Other languages write a rotation about a point as move, rotate, move back, and a wheel
of teeth as a union of turned copies. Both are recognised by exact arithmetic,
and only where the document's own words mean the same solid:

- shifts in the order x, y, z become one `move`; shifts by nothing are dropped;
- move -p, rotate, move +p becomes a rotation `at` p;
- neighbours in a union that differ by a last rotation of k 360/n about one axis, in
  that order from k = 0, become `repeat` with `count`; absent k are listed in
  `without`, where fewer are absent than there;
- neighbours that differ by a last move of k v become `repeat` with `step`.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Any

Data = dict[str, Any]

# Two equal shapes are a coincidence; three evenly placed ones are a pattern.
_PATTERN = 3


def merged_moves(moves: list[Data]) -> list[Data]:
    """Moves run together; each comes in as `move` of three numbers, or a rotation."""
    merged: list[Data] = []
    for move in moves:
        if "move" in move and not any(move["move"]):
            continue
        if "turn_deg" in move and move["turn_deg"] % 360 == 0:
            continue
        if merged and "move" in move and "move" in merged[-1] and _continues(merged[-1], move):
            merged[-1] = {"move": [a + b for a, b in zip(merged[-1]["move"], move["move"], strict=True)]}
        else:
            merged.append(move)
    return _rotations_about_points(merged)


def with_moves(shape: Data, moves: list[Data]) -> Data:
    """A shape after more moves; a repeat already there is wrapped, for it comes after the moves."""
    moves = merged_moves(moves)
    if not moves:
        return shape
    if "repeat" in shape:
        return {"union": [shape], "moves": moves}
    return {**shape, "moves": merged_moves([*shape.get("moves", []), *moves])}


def combined(operation: str, first: Data, others: list[Data]) -> Data:
    """An operation with what associates run together: unions within, what is subtracted."""
    within = "union" if operation == "difference" else operation
    rest = [child for other in others for child in _children(other, within)]
    children = [*_children(first, operation), *rest]
    if operation == "union":
        children = with_repeats(children)
    elif operation == "difference":
        head = len(_children(first, operation))
        children = [*children[:head], *with_repeats(children[head:])]
    if len(children) == 1:
        return children[0]
    return {operation: children}


def with_repeats(children: list[Data]) -> list[Data]:
    """Runs of evenly placed equal shapes as one shape with `repeat`."""
    shapes: list[Data] = []
    start = 0
    while start < len(children):
        length, shape = _run(children, start)
        shapes.append(shape)
        start += length
    return shapes


def primitives(shape: Data, shapes: dict[str, Data], known: dict[str, int]) -> int:
    """How many primitives a shape is put together from; a repeat counts once."""
    if "use" in shape and shape["use"] in shapes:
        name = shape["use"]
        if name not in known:
            known[name] = primitives(shapes[name], shapes, known)
        return known[name]
    kinds = (kind for kind in ("union", "difference", "intersection") if kind in shape)
    children = [child for kind in kinds for child in shape[kind]]
    return sum(primitives(child, shapes, known) for child in children) if children else 1


def without_names(shape: Data, shapes: dict[str, Data]) -> Data:
    """A shape that names no others; moves and repeats of what it used are kept apart from its own."""
    if "use" in shape and shape["use"] in shapes:
        inner = without_names(shapes[shape["use"]], shapes)
        rest = {k: v for k, v in shape.items() if k != "use"}
        return {"union": [inner], **rest} if rest else inner
    for kind in ("union", "difference", "intersection"):
        if kind in shape:
            return {**shape, kind: [without_names(child, shapes) for child in shape[kind]]}
    return shape


def _run(children: list[Data], start: int) -> tuple[int, Data]:
    """The longest pattern that begins here: how many children it takes, and what they become."""
    first = children[start]
    if "repeat" in first:
        return 1, first
    angles: list[Fraction] = [Fraction(0)]
    steps: list[list[Fraction]] = [[Fraction(0)] * 3]
    about: Data | None = None
    for child in children[start + 1 :]:
        last = _last_move(first, child)
        if last is None:
            break
        if "turn_deg" in last and len(steps) == 1:
            around = {k: v for k, v in last.items() if k != "turn_deg"}
            angle = last["turn_deg"] % 360
            if (about is not None and around != about) or angle <= angles[-1]:
                break
            about = around
            angles.append(angle)
        elif "move" in last and len(angles) == 1 and _next_step(steps, last["move"]):
            steps.append(list(last["move"]))
        else:
            break
    if len(steps) >= _PATTERN:
        return len(steps), {**first, "repeat": {"count": len(steps), "step": steps[1]}}
    if len(angles) >= _PATTERN and about is not None and (spread := _spread(angles)) is not None:
        length, spacing = spread
        return length, {**first, "repeat": {**spacing, "about": about.get("about", "z"), **_at(about)}}
    return 1, first


def _at(about: Data) -> Data:
    return {"at": about["at"]} if "at" in about else {}


def _spread(angles: list[Fraction]) -> tuple[int, Data] | None:
    """How many of the angles form a pattern: a full circle, one with gaps, or even steps."""
    unit = _common(angles[1:])
    if (Fraction(360) / unit).denominator == 1:
        count = int(360 / unit)
        present = {int(angle / unit) for angle in angles}
        if count < 2 * len(present):
            absent = [k for k in range(count) if k not in present]
            return len(angles), {"count": count, **({"without": absent} if absent else {})}
    length = 2
    while length < len(angles) and angles[length] == length * angles[1]:
        length += 1
    return (length, {"count": length, "turn_deg": angles[1]}) if length >= _PATTERN else None


def _common(values: list[Fraction]) -> Fraction:
    """The greatest angle of which all are whole multiples."""
    bottom = lcm(*(v.denominator for v in values))
    return Fraction(gcd(*(int(v * bottom) for v in values)), bottom)


def _next_step(steps: list[list[Fraction]], move: list[Fraction]) -> bool:
    if len(steps) == 1:
        return True
    return list(move) == [len(steps) * c for c in steps[1]]


def _last_move(base: Data, child: Data) -> Data | None:
    """The one move that the child has more than the base, at its end."""
    moves, more = base.get("moves", []), child.get("moves", [])
    same = {k: v for k, v in base.items() if k != "moves"} == {k: v for k, v in child.items() if k != "moves"}
    if not same or len(more) != len(moves) + 1 or more[: len(moves)] != moves:
        return None
    last: Data = more[-1]
    return last


def _children(shape: Data, operation: str) -> list[Data]:
    """The children of an operation that nothing was done to since; else the shape itself."""
    return list(shape[operation]) if set(shape) == {operation} else [shape]


def _continues(before: Data, move: Data) -> bool:
    """Whether a shift goes on in the order x, y, z."""
    last = max(i for i, c in enumerate(before["move"]) if c != 0)
    return min(i for i, c in enumerate(move["move"]) if c != 0) > last


def _rotations_about_points(moves: list[Data]) -> list[Data]:
    merged: list[Data] = []
    for move in moves:
        merged.append(move)
        if len(merged) >= 3 and _is_about_point(*merged[-3:]):
            turned, back = merged[-2], merged[-1]
            merged[-3:] = [{**turned, "at": back["move"]}]
    return merged


def _is_about_point(out: Data, turned: Data, back: Data) -> bool:
    if "move" not in out or "move" not in back or "turn_deg" not in turned or "at" in turned:
        return False
    return all(a == -b for a, b in zip(out["move"], back["move"], strict=True))
