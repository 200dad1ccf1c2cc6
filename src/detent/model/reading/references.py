"""What the tables of a document say of each other.

Names that must exist, chains that must end, dimensions that must fit, joints and
drives that must make sense together. Each rule yields (place, problem, remedy).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from detent.foundation.names import did_you_mean
from detent.model.document import drive, joint, part, shape
from detent.model.document.ask import AskModes
from detent.model.document.base import Vector
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import part_of, parts_of

Complaint = tuple[str, str, str]

# Poses on markers, shapes that use shapes: longer chains come from programs gone wrong, and
# whoever follows one must not run out of stack.
MAX_CHAIN = 200


def references(made: Mechanism) -> Iterator[Complaint]:
    """What the tables say of each other by name."""
    for name, entry in made.joints.items():
        for i, end in enumerate(entry.between):
            yield from _end(made, end, f"joints.{name}.between.{i}")
        parts = parts_of(entry)
        if parts[0] == parts[1] and entry.between[0] != entry.between[1]:
            yield f"joints.{name}.between", f"joins part {parts[0]!r} to itself", "name two different parts"
    for name, wanted in made.drives.items():
        if wanted.joint is not None:
            yield from _known(wanted.joint, made.joints, "joint", f"drives.{name}.joint")
        if wanted.part is not None:
            yield from _known(wanted.part, made.parts, "part", f"drives.{name}.part")
        if wanted.marker is not None:
            yield from _end(made, wanted.marker, f"drives.{name}.marker", marker=True)
    for name in made.start:
        yield from _known(name, made.joints, "joint", f"start.{name}")
    for name, body in made.parts.items():
        if body.pose is not None and body.pose.on is not None:
            yield from _end(made, body.pose.on, f"parts.{name}.pose.on", marker=True)
        if body.library is not None and body.library not in part.LIBRARY:
            remedy = did_you_mean(body.library, part.LIBRARY)
            yield f"parts.{name}.library", f"there is no library part {body.library[:40]!r}", remedy
        if body.material is not None:
            yield from _known(body.material, made.materials, "material", f"parts.{name}.material")
    for i, given in enumerate(made.contacts):
        for j, end in enumerate(given.between):
            yield from _known(end, made.parts, "part", f"contacts.{i}.between.{j}")
        if given.between[0] == given.between[1]:
            yield (
                f"contacts.{i}.between",
                f"part {given.between[0]!r} does not touch itself",
                "name two parts",
            )
    if made.ask is not None and made.ask.move is not None:
        for name in made.ask.move.loads:
            yield from _end(made, name, f"ask.move.loads.{name}", marker=True)
    if made.ask is not None and made.ask.modes is not None:
        yield from _load(made, made.ask.modes)
    yield from _pairs(made)
    chain = {
        name: [part_of(body.pose.on)]
        for name, body in made.parts.items()
        if body.pose is not None and body.pose.on is not None
    }
    yield from _chains(chain, "parts.{}.pose.on", "stands on itself", "place one of them in the world")


def _load(made: Mechanism, asked: AskModes) -> Iterator[Complaint]:
    """A load on parts that move, and a velocity beside it."""
    freedoms = 3 if made.dimension == 2 else 6
    for key, table in (("load", asked.load or {}), ("velocity", asked.velocity)):
        for name, given in table.items():
            at = f"ask.modes.{key}.{name}"
            yield from _known(name, made.parts, "part", at)
            if name in made.parts and made.parts[name].fixed:
                yield at, f"part {name!r} is fixed", "name a part that moves"
            if len(given) != freedoms:
                yield at, f"has {len(given)} numbers, not {freedoms}", "one a degree of freedom"
    if asked.load is None and asked.velocity:
        yield "ask.modes.velocity", "means nothing without `load`", "add load = {}, or leave it out"
    if asked.load is not None and made.rows is not None:
        yield "ask.modes.load", "rows say nothing of masses", "give parts with masses, and their contacts"
    if asked.load is not None and (asked.kind not in (None, "all") or asked.cone == "nonlinear"):
        key = "cone" if asked.cone == "nonlinear" else "kind"
        yield f"ask.modes.{key}", "leaves out what `load` asks for", "leave one of them out"


def _known(name: str, table: dict[str, Any], noun: str, at: str) -> Iterator[Complaint]:
    if name not in table:
        yield at, f"there is no {noun} {name!r}", did_you_mean(name, table, otherwise=f"there are no {noun}s")


def _end(made: Mechanism, end: str, at: str, *, marker: bool = False) -> Iterator[Complaint]:
    """A part, or a marker of a part; a library part brings markers of its own."""
    name, dot, point = end.partition(".")
    if name not in made.parts:
        yield at, f"there is no part {name!r}", did_you_mean(name, made.parts, otherwise="there are no parts")
    elif dot and made.parts[name].library is None and point not in made.parts[name].markers:
        known = made.parts[name].markers
        yield (
            at,
            f"part {name!r} has no marker {point!r}",
            did_you_mean(point, known, otherwise="it has none"),
        )
    elif marker and not dot:
        yield at, f"{end!r} names a part", "name a marker, as part.marker"


def _pairs(made: Mechanism) -> Iterator[Complaint]:
    if made.touching is None:
        return
    named = [(f"touching.ignore.{i}", pair) for i, pair in enumerate(made.touching.ignore)]
    named += [(f"touching.pairs.{pair}", pair) for pair in made.touching.pairs]
    for at, pair in named:
        first, colon, second = pair.partition(":")
        if not colon:
            yield at, f"{pair!r} is not a pair", "write part:part"
            continue
        for name in (first, second):
            yield from _known(name, made.parts, "part", at)
        if first == second:
            yield at, f"part {first!r} does not touch itself", "name two different parts"
    for pair in made.touching.pairs:
        first, _, second = pair.partition(":")
        if first < second and f"{second}:{first}" in made.touching.pairs:
            yield f"touching.pairs.{pair}", f"is given twice, also as {second}:{first}", "keep one of them"


def _chains(after: Mapping[str, list[str]], at: str, ring: str, remedy: str) -> Iterator[Complaint]:
    """Names that lead back to themselves, or on and on; each is visited once."""
    depth: dict[str, int] = {}  # of those done; -1 while on the way
    for start in after:
        way = [(start, iter(after[start]))] if start not in depth else []
        if way:
            depth[start] = -1
        while way:
            name, rest = way[-1]
            step = next(rest, None)
            if step is None:
                way.pop()
                depth[name] = 1 + max((depth.get(n, 0) for n in after[name]), default=0)
                if depth[name] == MAX_CHAIN:
                    yield at.format(name), f"is the end of a chain of more than {MAX_CHAIN}", remedy
            elif depth.get(step) == -1:
                names = [n for n, _ in way]
                yield (
                    at.format(step),
                    f"{ring}: {' → '.join([*names[names.index(step) :], step][:8])}",
                    remedy,
                )
            elif step in after and step not in depth:
                depth[step] = -1
                way.append((step, iter(after[step])))


def shapes_in_use(made: Mechanism) -> Iterator[Complaint]:
    """Every `use` names a shape, and no shape uses itself."""
    named: list[tuple[str, str | None, shape.Shape]] = []
    named += [(f"parts.{name}.shape", None, p.shape) for name, p in made.parts.items() if p.shape is not None]
    named += [(f"shapes.{name}", name, s) for name, s in made.shapes.items()]
    uses: dict[str, set[str]] = {}
    for at, owner, outer in named:
        for where, inner in shape.within(outer, at):
            if inner.use is None:
                continue
            yield from _known(inner.use, made.shapes, "shape", f"{where}.use")
            if owner is not None:
                uses.setdefault(owner, set()).add(inner.use)
    yield from _chains(
        {n: sorted(u) for n, u in uses.items()}, "shapes.{}", "uses itself", "break the ring of `use`"
    )


def dimensions(made: Mechanism) -> Iterator[Complaint]:
    """In the plane a point has two numbers; in space two stand for z = 0."""
    if made.dimension == 3:
        return
    remedy = "give two numbers, or set dimension = 3"
    for at, point in _points(made):
        if len(point) != 2:
            yield at, "has three numbers in a document of the plane", remedy


def _points(made: Mechanism) -> Iterator[tuple[str, Vector]]:
    if made.gravity is not None:
        yield "gravity", made.gravity
    for name, body in made.parts.items():
        if body.pose is not None and body.pose.at is not None:
            yield f"parts.{name}.pose.at", body.pose.at
        if body.center is not None:
            yield f"parts.{name}.center", body.center
        for key, mark in body.markers.items():
            yield f"parts.{name}.markers.{key}", mark.at if isinstance(mark, part.Marker) else mark
    for name, pair in made.joints.items():
        if pair.at is not None:
            yield f"joints.{name}.at", pair.at
    for name, command in made.drives.items():
        for i, leg in enumerate(command.legs):
            if leg.velocity is not None:
                yield f"drives.{name}.legs.{i}.velocity", leg.velocity
        for i, point in enumerate(command.path or ()):
            yield f"drives.{name}.path.{i}", point
    for i, given in enumerate(made.contacts):
        yield f"contacts.{i}.point", given.point
        yield f"contacts.{i}.normal", given.normal
        for j, tangent in enumerate(given.tangents or ()):
            yield f"contacts.{i}.tangents.{j}", tangent


_PLANE_HAS_NONE = {"cylindrical": "use prismatic or revolute", "spherical": "use revolute"}
_TURN_THE_MARKERS = "leave it out, and give the first marker the direction"


def joints_make_sense(made: Mechanism) -> Iterator[Complaint]:
    """Each joint has a place, exists in this dimension, and gives no angle on a slide."""
    for name, pair in made.joints.items():
        at = f"joints.{name}"
        bare = [end for end in pair.between if "." not in end]
        if JOINT_TYPES[pair.type].placed and bare and pair.at is None:
            yield at, f"where {bare[0]!r} is joined is not said", "name a marker of each part, or give `at`"
        if pair.at is not None and not bare:
            yield f"{at}.at", "its place is given twice, by markers and by `at`", "keep one of them"
        if pair.along is not None and not bare and not JOINT_TYPES[pair.type].couples:
            yield f"{at}.along", "its direction is given twice, by markers and by `along`", _TURN_THE_MARKERS
        if made.dimension == 2 and pair.type in _PLANE_HAS_NONE:
            yield f"{at}.type", f"there is no {pair.type} joint in the plane", _PLANE_HAS_NONE[pair.type]
        if JOINT_TYPES[pair.type].coordinate == "length":
            yield from _degrees_on_a_slide(pair.spring, f"{at}.spring", ("rest_deg",))
            yield from _degrees_on_a_slide(pair.limits, f"{at}.limits", ("min_deg", "max_deg"))
        driven = any(wanted.joint == name for wanted in made.drives.values())
        if pair.type == "angle" and pair.value is None and pair.value_deg is None and not driven:
            yield (
                f"{at}.value",
                "is missing",
                "give the angle to be held, `value` or `value_deg`, or drive it",
            )
        if pair.type == "elastic" and pair.stiffness is not None:
            yield from _stiffness(pair, made.dimension, f"{at}.stiffness")


def _stiffness(pair: joint.Joint, dimension: int, at: str) -> Iterator[Complaint]:
    """One number a freedom, or a square matrix."""
    freedoms = 3 if dimension == 2 else 6
    rows = pair.stiffness or ()
    lists = [row for row in rows if isinstance(row, tuple)]
    if len(rows) != freedoms or (
        lists and (len(lists) != freedoms or any(len(r) != freedoms for r in lists))
    ):
        yield (
            at,
            f"is not {freedoms} numbers, nor {freedoms} rows of {freedoms}",
            "give one a freedom, or the matrix",
        )


def drives_make_sense(made: Mechanism) -> Iterator[Complaint]:
    """Each drive moves something that can move, by something it says, and alone."""
    driven: dict[str, str] = {}
    for name, wanted in made.drives.items():
        at = f"drives.{name}"
        if wanted.joint is not None:
            yield from _joint_drive(made, wanted, at)
            if wanted.joint in driven:
                words = f"drive {driven[wanted.joint]!r} moves joint {wanted.joint!r} already"
                yield f"{at}.joint", words, "keep one of them"
            driven[wanted.joint] = name
            continue
        if not wanted.legs and wanted.path is None:
            yield at, "says nothing of how it moves", "give `legs`, or a marker's `path`"
        moved = wanted.part or part_of(wanted.marker or "")
        if moved in made.parts and made.parts[moved].fixed:
            yield at, f"part {moved!r} is fixed and cannot be driven", "drive another part, or do not fix it"


def _joint_drive(made: Mechanism, wanted: drive.Drive, at: str) -> Iterator[Complaint]:
    ranged = wanted.from_ is not None or wanted.from_deg is not None
    listed = wanted.inputs is not None or wanted.inputs_deg is not None
    pushed = any(x is not None for x in (wanted.speed, wanted.speed_deg, wanted.torque))
    if not (ranged or listed or pushed):
        yield at, "says nothing of how it moves", "give `from` and `to`, `inputs`, `speed` or `torque`"
    if () in (wanted.inputs, wanted.inputs_deg):
        yield f"{at}.inputs", "is empty", "list at least one position"
    pair = made.joints.get(wanted.joint or "")
    held = [made.parts.get(name) for name in parts_of(pair)] if pair is not None else []
    if held and all(body is not None and body.fixed for body in held):
        yield (
            f"{at}.joint",
            f"both parts of joint {wanted.joint!r} are fixed",
            "drive a joint of a moving part",
        )
    if pair is not None and JOINT_TYPES[pair.type].coordinate == "length":
        yield from _degrees_on_a_slide(wanted, at, ("from_deg", "to_deg", "inputs_deg", "speed_deg"))


def _degrees_on_a_slide(table: Any, at: str, keys: tuple[str, ...]) -> Iterator[Complaint]:
    for key in keys:
        if table is not None and getattr(table, key) is not None:
            yield (
                f"{at}.{key}",
                "is an angle, but a slide travels a length",
                f"use {key.removesuffix('_deg')!r}",
            )


_SOLID = {"sphere": "use `circle`", "cone": "use `outline`", "torus": "use `circle`"}


def plane_is_flat(made: Mechanism) -> Iterator[Complaint]:
    """In the plane nothing turns out of it, and no shape is round across it."""
    if made.dimension != 2:
        return
    for name, body in made.parts.items():
        if body.pose is not None:
            yield from _turns_flat(body.pose.about, f"parts.{name}.pose.about")
        if body.shape is not None:
            yield from _flat(body.shape, f"parts.{name}.shape")
    for name, named in made.shapes.items():
        yield from _flat(named, f"shapes.{name}")


def _flat(made: shape.Shape, at: str) -> Iterator[Complaint]:
    if made.kind in _SOLID:
        yield f"{at}.{made.kind}", f"a {made.kind} has no outline in the plane", _SOLID[made.kind]
    for i, move in enumerate(made.moves):
        yield from _turns_flat(move.about, f"{at}.moves.{i}.about")
    for i, child in enumerate(made.children):
        yield from _flat(child, f"{at}.{made.kind}.{i}")


def _turns_flat(about: Any, at: str) -> Iterator[Complaint]:
    if about is None or about == "z" or (isinstance(about, tuple) and about[:2] == (0, 0)):
        return
    yield at, "turns out of the plane", "leave `about` out, or set dimension = 3"


def studies_make_sense(made: Mechanism) -> Iterator[Complaint]:
    """A varied path begins with something that is there."""
    if made.study is None:
        return
    for path in made.study.vary:
        first, _, rest = path.partition(".")
        at = f"study.vary.{path}"
        if first not in made.__struct_fields__:
            yield at, f"nothing is called {first!r}", did_you_mean(first, made.__struct_fields__)
            continue
        named = getattr(made, first)
        if isinstance(named, dict):
            yield from _known(rest.partition(".")[0], named, first.removesuffix("s"), at)
