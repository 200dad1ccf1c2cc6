"""Another unit of length for a document: its parts keep their size, or its numbers stay as they are.

To keep the size every length is multiplied, also in a moment that is asked of contact modes; angles, masses,
forces and whatever else is SI stays. What may hold lengths under names of its own (a study's paths, a library
part, rows) is refused.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnknownNameError, UnsupportedError
from detent.foundation.exact import Number
from detent.foundation.units import METRES
from detent.model.document.ask import Ask, AskMate, Region
from detent.model.document.drive import Drive, Leg
from detent.model.document.joint import Beam, Joint, JointFriction, Plate
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Part, Pose
from detent.model.document.shape import Cone, Cylinder, EdgeBreak, Move, Prism, Repeat, Shape, Torus
from detent.model.document.touch import GivenContact
from detent.model.editing.operation import SetUnits
from detent.model.machine.starts import joints_meant

# Fields that hold lengths, velocities or accelerations in document units.
_LENGTHS: dict[type, tuple[str, ...]] = {
    Pose: ("at",),
    Marker: ("at",),
    Part: ("center", "thickness"),
    Joint: ("at",),
    JointFriction: ("radius",),
    Beam: ("length", "height", "width"),
    Plate: ("sides", "thickness", "at", "footprint", "knots"),
    Leg: ("velocity", "distance", "ramp"),
    Drive: ("path",),
    GivenContact: ("point",),
    Region: ("outline",),
    AskMate: ("depth", "apart"),
    Shape: ("outline", "segment", "circle", "block", "sphere"),
    Prism: ("outline", "height"),
    Cylinder: ("radius", "height"),
    Cone: ("radius", "height"),
    Torus: ("radius", "tube"),
    EdgeBreak: ("chamfer", "round"),
    Move: ("move", "at"),
    Repeat: ("at", "step"),
}
_DIGITS = 15  # of a number that has no end in decimals


def in_units(mechanism: Mechanism, operation: SetUnits) -> Mechanism:
    """The document in another unit."""
    units = operation.units
    if units not in METRES:
        raise ModelError.at("units", f"{units!r} is not a unit of a document", "give " + ", ".join(METRES))
    if operation.keep not in ("size", "numbers"):
        raise UnknownNameError.at("keep", f"there is no {operation.keep!r}", "give size, or numbers")
    if operation.keep == "numbers" or units == mechanism.units:
        return replace(mechanism, units=units)
    if "1" in (units, mechanism.units):
        raise ModelError.at("units", 'of "1" no size is known', "keep the numbers")
    _refuse_unknown_lengths(mechanism)
    factor = METRES[mechanism.units] / METRES[units]
    scaled: Mechanism = _scaled(mechanism, factor)
    slides = {name for name, joint in mechanism.joints.items() if joint.type == "prismatic"}
    return replace(
        scaled,
        units=units,
        joints={
            name: _with_lengths(joint, ("limits", "spring"), factor) if name in slides else joint
            for name, joint in scaled.joints.items()
        },
        drives={
            name: _multiplied(drive, ("from_", "to", "inputs", "speed"), factor)
            if drive.joint in slides or drive.marker is not None
            else drive
            for name, drive in scaled.drives.items()
        },
        start={
            name: _multiplied(start, ("at", "speed"), factor)
            if slides & set(joints_meant(mechanism, name)) or name.endswith((".x", ".y"))
            else start
            for name, start in scaled.start.items()
        },
        ask=None if scaled.ask is None else _with_modes_asked(scaled.ask, mechanism.dimension, factor),
    )


def _with_modes_asked(ask: Ask, dimension: int, factor: Fraction) -> Ask:
    """Loads and velocities of contact modes: a force is SI, its moment has a length in it."""
    if ask.modes is None:
        return ask

    def velocity(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
        return (*_times(numbers[:dimension], factor), *numbers[dimension:])

    def load(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
        return (*numbers[:dimension], *_times(numbers[dimension:], factor))

    asked = ask.modes
    loads = None if asked.load is None else {part: load(numbers) for part, numbers in asked.load.items()}
    velocities = {part: velocity(numbers) for part, numbers in asked.velocity.items()}
    return replace(ask, modes=replace(asked, load=loads, velocity=velocities))


def _refuse_unknown_lengths(mechanism: Mechanism) -> None:
    held = {
        "study": mechanism.study is not None,
        "rows": mechanism.rows is not None,
        **{f"parts.{name}.library": part.library is not None for name, part in mechanism.parts.items()},
    }
    for at, there in held.items():
        if there:
            problem = "may hold lengths that are not known by name"
            raise UnsupportedError(problem, "keep the numbers, or change the units by hand", at=at)


def _scaled(value: Any, factor: Fraction) -> Any:
    """The same with every length that is known by its name multiplied."""
    if isinstance(value, msgspec.Struct):
        lengths = _LENGTHS.get(type(value), ())
        fields = {
            name: _times(field, factor) if name in lengths else _scaled(field, factor)
            for name in value.__struct_fields__
            if (field := getattr(value, name)) is not None
        }
        if isinstance(value, Part):
            fields["markers"] = {
                name: _scaled(at, factor) if isinstance(at, Marker) else _times(at, factor)
                for name, at in value.markers.items()
            }
        return replace(value, **fields)
    if isinstance(value, dict):
        return {key: _scaled(entry, factor) for key, entry in value.items()}
    if isinstance(value, tuple):
        return tuple(_scaled(entry, factor) for entry in value)
    return value


def _with_lengths(joint: Joint, names: tuple[str, ...], factor: Fraction) -> Joint:
    """A slide's own coordinate: its stops, and where its spring is relaxed."""
    coordinates = {"limits": ("min", "max"), "spring": ("rest",)}
    fields = {
        name: _multiplied(field, coordinates[name], factor)
        for name in names
        if (field := getattr(joint, name)) is not None
    }
    return replace(joint, **fields)


def _multiplied(value: Any, names: tuple[str, ...], factor: Fraction) -> Any:
    fields = {name: _times(field, factor) for name in names if (field := getattr(value, name)) is not None}
    return replace(value, **fields)


def _times(value: Any, factor: Fraction) -> Any:
    if isinstance(value, tuple):
        return tuple(_times(entry, factor) for entry in value)
    if not isinstance(value, Number | int):
        return value
    return _plain(value * factor)


def _plain(value: Fraction) -> Number:
    """As it is where decimals end, else to so many digits: a third of an inch is nobody's fraction."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return Number(value) if rest == 1 else Number(f"{float(value):.{_DIGITS}g}")
