"""Small documents of two parts, for the search of joints."""

from __future__ import annotations

from typing import Any

import detent
from detent.model import Mechanism


def moved(shape: dict[str, Any], *moves: dict[str, Any]) -> dict[str, Any]:
    return {**shape, "moves": [*shape.get("moves", []), *moves]}


def block(low: tuple[float, ...], high: tuple[float, ...]) -> dict[str, Any]:
    sides = [round(b - a, 9) for a, b in zip(low, high, strict=True)]
    return moved({"block": sides}, {"move": list(low)})


def pin(radius: object, low: float, high: float, at: tuple[float, float] = (0, 0)) -> dict[str, Any]:
    """A cylinder along z."""
    return moved({"cylinder": {"radius": radius, "height": high - low}}, {"move": [*at, low]})


def pin_x(radius: object, low: float, high: float, at: tuple[float, float] = (0, 0)) -> dict[str, Any]:
    """A cylinder along x; `at` is its y and z."""
    along = {"turn_deg": 90, "about": "y"}
    return moved({"cylinder": {"radius": radius, "height": high - low}}, along, {"move": [low, *at]})


def union(*shapes: dict[str, Any]) -> dict[str, Any]:
    return {"union": list(shapes)}


def less(*shapes: dict[str, Any]) -> dict[str, Any]:
    return {"difference": list(shapes)}


def machine(dimension: int = 3, more: dict[str, Any] | None = None, **shapes: dict[str, Any]) -> Mechanism:
    """A document of parts; the first, or `frame`, is fixed."""
    fixed = "frame" if "frame" in shapes else next(iter(shapes))
    parts = {
        name: {"shape": shape} | ({"fixed": True} if name == fixed else {}) for name, shape in shapes.items()
    }
    return detent.from_dict({"dimension": dimension, "units": "mm", "parts": parts, **(more or {})})


def kinds(mechanism: Mechanism) -> dict[tuple[str, str], str]:
    """By parts: the type of joint found."""
    from detent.infer import infer

    return {joint.parts: joint.type for joint in infer(mechanism).joints}
