"""Why a pair is the joint that it is, in words; and how one given by hand differs from it."""

from __future__ import annotations

import numpy as np

from detent.foundation.exact import Number
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.geometry.frame import axis_words
from detent.infer.faces import unit
from detent.infer.found import InferredPair
from detent.infer.gears import GearPair
from detent.infer.matching.matches import FlatMatch, RoundMatch
from detent.infer.pair import LowerPair, degrees_between
from detent.infer.solids import MachineSolids

_DEGREES = 1e-3
_OFF = 1e-6  # of the size


def reason(pair: LowerPair, units: str) -> str:
    """Which faces hold the two parts, and what they leave; lengths with the document's unit."""
    length = unit_names(units).length
    pins = _pins(pair, length)
    flats = _flats(pair, length)
    held = listed([*pins, *flats]) or "faces on faces"
    if pair.bolt:
        return f"{held}; {pair.bolt} clamps them without play, which makes it a fastener, not a hinge"
    if pair.kind == "fixed":
        if pair.rounds and _axes(pair) > 1 and not flats and not flats_along(pair):
            if _parallel(pair):  # in the plane; in space they leave a slide
                return f"{held}: parallel axes leave no motion in the plane"
            return f"{held}: axes that are not parallel leave no motion"
        shoulders = " and shoulders at both ends" if flats_along(pair) else ""
        return f"{held}{shoulders}: together they leave no motion"
    if pair.kind == "prismatic":
        return f"{held}: only sliding along {_axis(pair)} is left"
    if pair.kind == "cylindrical":
        return f"{held}: it turns about {_axis(pair)} and slides along it"
    if pair.kind == "revolute":
        shoulders = ", and shoulders at both ends keep it from sliding" if flats_along(pair) else ""
        return f"{listed(pins) or held}: it turns about {_axis(pair)}{shoulders}"
    return held


def flats_along(pair: LowerPair) -> list[FlatMatch]:
    """Faces across the axis: shoulders."""
    if pair.direction is None:
        return []
    along = unit(pair.direction)
    return [m for m in pair.flats if abs(m.first.unit @ along) > 1 - 1e-6]


def _axis(pair: LowerPair) -> str:
    assert pair.direction is not None
    return axis_words(pair.direction)


def _pins(pair: LowerPair, length: str) -> list[str]:
    words: list[str] = []
    first, second = pair.parts
    for m in pair.rounds:
        inner, outer = (first, second) if m.pin_is_first else (second, first)
        play = f" with {m.play:.3g}{length} of play" if m.play > 1e-9 * float(m.hole.radius) else ""
        within = f"between {m.lines}" if m.lines.endswith("faces") else "in a hole"
        sized = f"a pin of {inner}, diameter {_short(2 * m.pin.radius)}{length}, {within} of {outer}{play}"
        if m.lines.endswith("edges"):
            across = f"{_short(2 * m.hole.radius)}{length}"
            sized = f"{m.lines} of {inner} in a hole of {outer}, diameter {across}{play}"
        if sized not in words:
            words.append(sized)
    if len(words) == 1 and len(pair.rounds) > 1 and _axes(pair) > 1:
        return [words[0].replace("a pin", f"{_axes(pair)} pins", 1).replace("a hole", "holes", 1)]
    return words


def tight_pin(match: RoundMatch, parts: tuple[str, str], units: str) -> str:
    """Of a pin that is too thick for its hole."""
    length = unit_names(units).length
    inner, outer = parts if match.pin_is_first else parts[::-1]
    sizes = [f"{_short(2 * face.radius)}{length}" for face in (match.pin, match.hole)]
    return f"a pin of {inner}, diameter {sizes[0]}, is too thick for its hole in {outer}, {sizes[1]}"


def _parallel(pair: LowerPair) -> bool:
    """Whether all pins have one direction."""
    directions = [m.hole.axis[1] for m in pair.rounds]
    return all(np.linalg.norm(np.cross(directions[0], along)) < 1e-6 for along in directions[1:])


def _axes(pair: LowerPair) -> int:
    """How many different lines the pins have."""
    lines: list[tuple[np.ndarray, np.ndarray]] = []
    for m in pair.rounds:
        point, direction = m.hole.axis
        for other, along in lines:
            off = point - other
            off = off - (off @ along) * along
            if np.linalg.norm(np.cross(direction, along)) < 1e-6 and np.linalg.norm(off) < 1e-6 * (
                1 + np.abs(point).max()
            ):
                break
        else:
            lines.append((point, direction))
    return len(lines)


def _flats(pair: LowerPair, length: str) -> list[str]:
    shoulders = {id(m) for m in flats_along(pair)}
    sides = [m for m in pair.flats if id(m) not in shoulders]
    if not sides:
        return []
    play = max((m.gap for m in sides), default=0.0)
    word = f" with {pair.play:.3g}{length} of play" if pair.play and play else ""
    faces = "flat face" if len(sides) == 1 else "flat faces"
    return [f"{len(sides)} {faces} of {pair.parts[1]} on {pair.parts[0]}{word}"]


def end_words(low: Number | None, high: Number | None, units: str) -> str:
    """How far a slide goes, after the reason of its joint."""
    if low is None and high is None:
        return ""
    unit = unit_names(units).length
    bounds = [
        f"after {_short(low)}{unit} down" if low else "downwards at once" if low is not None else "",
        f"after {_short(high)}{unit} up" if high else "upwards at once" if high is not None else "",
    ]
    return f"; ends stop it {listed([b for b in bounds if b])}"


def _short(value: Number | float | object) -> str:
    return f"{abs(float(value)):.6g}"  # type: ignore[arg-type]


def compared(
    given: InferredPair, pair: LowerPair | None, gear: GearPair | None, machine: MachineSolids
) -> str:
    """ "agrees", how the shapes differ, or empty where they say nothing."""
    if given.type == "gear":
        return _gear(given, gear)
    if pair is None or pair.kind in ("none", "other", "planar"):
        return ""
    if pair.kind != given.type and not (
        given.type in ("revolute", "prismatic") and pair.kind == "cylindrical"
    ):
        return f"the shapes make it {pair.kind}"
    if (
        given.direction is not None
        and pair.direction is not None
        and not (machine.flat and given.type == "revolute")
    ):
        angle = degrees_between(given.direction, pair.direction)
        if angle > _DEGREES:
            return f"the shapes turn its axis by {angle:.3g} deg"
    if given.type == "revolute" and given.point is not None and pair.point is not None:
        along = np.array([0.0, 0.0, 1.0]) if pair.direction is None else unit(pair.direction)
        off = np.array([float(a - b) for a, b in zip(given.point, pair.point, strict=True)])
        away = float(np.linalg.norm(off - (off @ along) * along))
        if away > _OFF * machine.size + pair.play:
            return f"the shapes place its axis {away:.3g}{unit_names(machine.mechanism.units).length} off"
    return "agrees"


def _gear(given: InferredPair, gear: GearPair | None) -> str:
    if gear is None or given.ratio is None:
        return ""
    ratio = gear.ratio if gear.parts == given.parts else 1 / gear.ratio
    if ratio == given.ratio:
        return "agrees"
    return f"the shapes give a ratio of {ratio if ratio.denominator < 1000 else float(ratio)}"
