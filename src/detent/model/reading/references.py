"""What the tables of a document say of each other.

Names that must exist, chains that must end, dimensions that must fit, joints and
drives that must make sense together. Each rule yields (place, problem, remedy).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from detent.foundation.names import did_you_mean
from detent.model.document import drive, part, shape
from detent.model.document.ask import AskModes
from detent.model.document.base import Vector
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.document.shipped_materials import SHIPPED
from detent.model.machine.graph import part_of, parts_of
from detent.model.reading.elastic_rules import elastic_in
from detent.model.reading.start_references import Complaint, driven_joint, known_name, started

# Poses on markers, shapes that use shapes: longer chains come from programs gone wrong, and
# whoever follows one must not run out of stack.
MAX_CHAIN = 200


def references(mechanism: Mechanism) -> Iterator[Complaint]:
    """What the tables say of each other by name."""
    for name, entry in mechanism.joints.items():
        for i, end in enumerate(entry.between):
            yield from _end(mechanism, end, f"joints.{name}.between.{i}")
        parts = parts_of(entry)
        if parts[0] == parts[1] and entry.between[0] != entry.between[1]:
            yield f"joints.{name}.between", f"joins part {parts[0]!r} to itself", "name two different parts"
    for name, wanted in mechanism.drives.items():
        if wanted.joint is not None:
            yield from driven_joint(mechanism, wanted.joint, f"drives.{name}.joint")
        if wanted.part is not None:
            yield from known_name(wanted.part, mechanism.parts, "part", f"drives.{name}.part")
        if wanted.marker is not None:
            yield from _end(mechanism, wanted.marker, f"drives.{name}.marker", marker=True)
    yield from started(mechanism)
    for name, body in mechanism.parts.items():
        if body.pose is not None and body.pose.on is not None:
            yield from _end(mechanism, body.pose.on, f"parts.{name}.pose.on", marker=True)
        if body.library is not None and body.library not in part.LIBRARY:
            remedy = did_you_mean(body.library, part.LIBRARY)
            yield f"parts.{name}.library", f"there is no library part {body.library[:40]!r}", remedy
        elif body.library is not None and mechanism.dimension == 2:
            yield f"parts.{name}.library", f"{body.library!r} is a part in space", "set dimension = 3"
        if body.material is not None:
            known = {**SHIPPED, **mechanism.materials}
            yield from known_name(body.material, known, "material", f"parts.{name}.material")
        yield from _thickness(mechanism, body, f"parts.{name}.thickness")
    for name, material in mechanism.materials.items():
        if material.library is not None:
            yield from known_name(material.library, SHIPPED, "material", f"materials.{name}.library")
    for i, touch in enumerate(mechanism.contacts):
        for j, end in enumerate(touch.between):
            yield from known_name(end, mechanism.parts, "part", f"contacts.{i}.between.{j}")
        if touch.between[0] == touch.between[1]:
            yield (
                f"contacts.{i}.between",
                f"part {touch.between[0]!r} does not touch itself",
                "name two parts",
            )
    if mechanism.ask is not None and mechanism.ask.move is not None:
        for name in mechanism.ask.move.loads:
            yield from _end(mechanism, name, f"ask.move.loads.{name}", marker=True)
    if mechanism.ask is not None and mechanism.ask.modes is not None:
        yield from _load(mechanism, mechanism.ask.modes)
    yield from _pairs(mechanism)
    chain = {
        name: [part_of(body.pose.on)]
        for name, body in mechanism.parts.items()
        if body.pose is not None and body.pose.on is not None
    }
    yield from _chains(chain, "parts.{}.pose.on", "is placed on itself", "place one of them in the world")


def _thickness(mechanism: Mechanism, body: part.Part, at: str) -> Iterator[Complaint]:
    """Flat shapes of the plane have one; others have their own."""
    if body.thickness is None:
        return
    if mechanism.dimension == 3:
        yield at, "a part in space is as thick as its shape", "use a `prism`, with its height"
    else:
        raised = next((kind for kind in _kinds(mechanism, body.shape) if kind in _RAISED), None)
        if raised is not None:
            yield at, f"is of flat shapes, and this one has a {raised}", "take it out, or draw an outline"


_RAISED = ("prism", "block", "cylinder", "cone", "sphere", "torus")


def _kinds(mechanism: Mechanism, outer: shape.Shape | None) -> Iterator[str]:
    """Of a shape and all that it is put together from; each named shape once."""
    waiting, seen = [outer] if outer is not None else [], set()
    while waiting:
        for _, inner in shape.within(waiting.pop(), ""):
            yield inner.kind
            if inner.use is not None and inner.use not in seen and inner.use in mechanism.shapes:
                seen.add(inner.use)
                waiting.append(mechanism.shapes[inner.use])


def _load(mechanism: Mechanism, asked: AskModes) -> Iterator[Complaint]:
    """A load on parts that move, and a velocity beside it."""
    dof = 3 if mechanism.dimension == 2 else 6
    for key, table in (("load", asked.load or {}), ("velocity", asked.velocity)):
        for name, numbers in table.items():
            at = f"ask.modes.{key}.{name}"
            yield from known_name(name, mechanism.parts, "part", at)
            if name in mechanism.parts and mechanism.parts[name].fixed:
                yield at, f"part {name!r} is fixed", "name a part that moves"
            if len(numbers) != dof:
                yield at, f"has {len(numbers)} numbers, not {dof}", "one per degree of freedom"
    if asked.load is None and asked.velocity:
        yield "ask.modes.velocity", "means nothing without `load`", "add load = {}, or leave it out"
    if asked.load is not None and mechanism.rows is not None:
        yield "ask.modes.load", "rows say nothing of masses", "give parts with masses, and their contacts"
    if asked.load is not None and (asked.kind not in (None, "all") or asked.cone == "nonlinear"):
        key = "cone" if asked.cone == "nonlinear" else "kind"
        yield f"ask.modes.{key}", "leaves out what `load` asks for", "leave one of them out"


def _end(mechanism: Mechanism, end: str, at: str, *, marker: bool = False) -> Iterator[Complaint]:
    """A part, or a marker of a part; a library part brings markers of its own."""
    name, dot, point = end.partition(".")
    if name not in mechanism.parts:
        yield (
            at,
            f"there is no part {name!r}",
            did_you_mean(name, mechanism.parts, otherwise="there are no parts"),
        )
    elif dot and point not in (known := part.markers_of(mechanism.parts[name])):
        yield (
            at,
            f"part {name!r} has no marker {point!r}",
            did_you_mean(point, known, otherwise="it has none"),
        )
    elif marker and not dot:
        yield at, f"{end!r} names a part", "name a marker, as part.marker"


def _pairs(mechanism: Mechanism) -> Iterator[Complaint]:
    if mechanism.touching is None:
        return
    named = [(f"touching.ignore.{i}", pair) for i, pair in enumerate(mechanism.touching.ignore)]
    named += [(f"touching.pairs.{pair}", pair) for pair in mechanism.touching.pairs]
    for at, pair in named:
        first, colon, second = pair.partition(":")
        if not colon:
            yield at, f"{pair!r} is not a pair", "write part:part"
            continue
        for name in (first, second):
            yield from known_name(name, mechanism.parts, "part", at)
        if first == second:
            yield at, f"part {first!r} does not touch itself", "name two different parts"
    for pair in mechanism.touching.pairs:
        first, _, second = pair.partition(":")
        if first < second and f"{second}:{first}" in mechanism.touching.pairs:
            yield f"touching.pairs.{pair}", f"is given twice, also as {second}:{first}", "keep one of them"


def _chains(after: Mapping[str, list[str]], at: str, ring: str, remedy: str) -> Iterator[Complaint]:
    """Names that lead back to themselves, or on and on; each is visited once."""
    depth: dict[str, int] = {}  # of those done; -1 while on the path
    for start in after:
        path = [(start, iter(after[start]))] if start not in depth else []
        if path:
            depth[start] = -1
        while path:
            name, rest = path[-1]
            step = next(rest, None)
            if step is None:
                path.pop()
                depth[name] = 1 + max((depth.get(n, 0) for n in after[name]), default=0)
                if depth[name] == MAX_CHAIN:
                    yield at.format(name), f"is the end of a chain of more than {MAX_CHAIN}", remedy
            elif depth.get(step) == -1:
                names = [n for n, _ in path]
                yield (
                    at.format(step),
                    f"{ring}: {' → '.join([*names[names.index(step) :], step][:8])}",
                    remedy,
                )
            elif step in after and step not in depth:
                depth[step] = -1
                path.append((step, iter(after[step])))


def shapes_in_use(mechanism: Mechanism) -> Iterator[Complaint]:
    """Every `use` names a shape, and no shape uses itself."""
    named: list[tuple[str, str | None, shape.Shape]] = []
    named += [
        (f"parts.{name}.shape", None, p.shape) for name, p in mechanism.parts.items() if p.shape is not None
    ]
    named += [(f"shapes.{name}", name, s) for name, s in mechanism.shapes.items()]
    uses: dict[str, set[str]] = {}
    for at, owner, outer in named:
        for where, inner in shape.within(outer, at):
            if inner.use is None:
                continue
            yield from known_name(inner.use, mechanism.shapes, "shape", f"{where}.use")
            if owner is not None:
                uses.setdefault(owner, set()).add(inner.use)
    yield from _chains(
        {n: sorted(u) for n, u in uses.items()}, "shapes.{}", "uses itself", "break the ring of `use`"
    )


def dimensions(mechanism: Mechanism) -> Iterator[Complaint]:
    """In the plane a point or a force has two numbers; in space two mean z = 0."""
    if mechanism.dimension == 3:
        return
    remedy = "give two numbers, or set dimension = 3"
    for at, point in _points(mechanism):
        if len(point) != 2:
            yield at, "has three numbers in a document of the plane", remedy
    for at, along in _directions(mechanism):
        if any(along[:2]) and any(along[2:]):
            yield at, "points out of the plane", remedy


def _directions(mechanism: Mechanism) -> Iterator[tuple[str, Vector]]:
    for name, body in mechanism.parts.items():
        if body.pose is not None and body.pose.along is not None:
            yield f"parts.{name}.pose.along", body.pose.along
        for key, mark in body.markers.items():
            if isinstance(mark, part.Marker) and mark.along is not None:
                yield f"parts.{name}.markers.{key}.along", mark.along


def _points(mechanism: Mechanism) -> Iterator[tuple[str, Vector]]:
    if mechanism.gravity is not None:
        yield "gravity", mechanism.gravity
    for name, body in mechanism.parts.items():
        if body.pose is not None and body.pose.at is not None:
            yield f"parts.{name}.pose.at", body.pose.at
        if body.center is not None:
            yield f"parts.{name}.center", body.center
        for key, mark in body.markers.items():
            yield f"parts.{name}.markers.{key}", mark.at if isinstance(mark, part.Marker) else mark
    for name, pair in mechanism.joints.items():
        if pair.at is not None:
            yield f"joints.{name}.at", pair.at
    for name, command in mechanism.drives.items():
        for i, leg in enumerate(command.legs):
            if leg.velocity is not None:
                yield f"drives.{name}.legs.{i}.velocity", leg.velocity
        for i, point in enumerate(command.path or ()):
            yield f"drives.{name}.path.{i}", point
    for i, touch in enumerate(mechanism.contacts):
        yield f"contacts.{i}.point", touch.point
        yield f"contacts.{i}.normal", touch.normal
        for j, tangent in enumerate(touch.tangents or ()):
            yield f"contacts.{i}.tangents.{j}", tangent
    if mechanism.ask is not None and mechanism.ask.move is not None:
        for name, load in mechanism.ask.move.loads.items():
            yield f"ask.move.loads.{name}", load


_PLANE_HAS_NONE = {"cylindrical": "use prismatic or revolute", "spherical": "use revolute"}
_TURN_THE_MARKERS = "leave it out, and give the first marker the direction"


def joints_make_sense(mechanism: Mechanism) -> Iterator[Complaint]:
    """Each joint has a place, exists in this dimension, and gives no angle on a slide."""
    for name, pair in mechanism.joints.items():
        at = f"joints.{name}"
        bare = [end for end in pair.between if "." not in end]
        if JOINT_TYPES[pair.type].placed and bare and pair.at is None:
            yield at, f"where {bare[0]!r} is joined is not said", "name a marker of each part, or give `at`"
        if pair.at is not None and not bare:
            yield f"{at}.at", "its place is given twice, by markers and by `at`", "keep one of them"
        if pair.along is not None and not bare and not JOINT_TYPES[pair.type].couples:
            yield f"{at}.along", "its direction is given twice, by markers and by `along`", _TURN_THE_MARKERS
        if mechanism.dimension == 2 and JOINT_TYPES[pair.type].slides and _out_of_plane(pair.along):
            yield (
                f"{at}.along",
                "a slide cannot leave the plane",
                "give its direction as two numbers, or x or y",
            )
        if mechanism.dimension == 2 and pair.type in _PLANE_HAS_NONE:
            yield f"{at}.type", f"there is no {pair.type} joint in the plane", _PLANE_HAS_NONE[pair.type]
        if JOINT_TYPES[pair.type].coordinate == "length":
            yield from _degrees_on_a_slide(pair.spring, f"{at}.spring", ("rest_deg",))
            yield from _degrees_on_a_slide(pair.limits, f"{at}.limits", ("min_deg", "max_deg"))
        driven = any(wanted.joint == name for wanted in mechanism.drives.values())
        if pair.type == "angle" and pair.value is None and pair.value_deg is None and not driven:
            yield (
                f"{at}.value",
                "is missing",
                "give the angle to be held, `value` or `value_deg`, or drive it",
            )
        if pair.type == "elastic":
            yield from elastic_in(mechanism, pair, at)


def _out_of_plane(along: Any) -> bool:
    return along == "z" or (isinstance(along, tuple) and (not any(along[:2]) or any(along[2:])))


def drives_make_sense(mechanism: Mechanism) -> Iterator[Complaint]:
    """Each drive moves something that can move, by something it says, and alone."""
    driven: dict[str, str] = {}
    for name, wanted in mechanism.drives.items():
        at = f"drives.{name}"
        if wanted.joint is not None:
            yield from _joint_drive(mechanism, wanted, at)
            if wanted.joint in driven:
                words = f"drive {driven[wanted.joint]!r} moves joint {wanted.joint!r} already"
                yield f"{at}.joint", words, "keep one of them"
            driven[wanted.joint] = name
            continue
        if not wanted.legs and wanted.path is None:
            yield at, "says nothing of how it moves", "give `legs`, or a marker's `path`"
        moved = wanted.part or part_of(wanted.marker or "")
        if moved in mechanism.parts and mechanism.parts[moved].fixed:
            yield at, f"part {moved!r} is fixed and cannot be driven", "drive another part, or do not fix it"


def _joint_drive(mechanism: Mechanism, wanted: drive.Drive, at: str) -> Iterator[Complaint]:
    ranged = wanted.from_ is not None or wanted.from_deg is not None
    listed = wanted.inputs is not None or wanted.inputs_deg is not None
    pushed = any(x is not None for x in (wanted.speed, wanted.speed_deg, wanted.torque))
    if not (ranged or listed or pushed):
        yield at, "says nothing of how it moves", "give `from` and `to`, `inputs`, `speed` or `torque`"
    if () in (wanted.inputs, wanted.inputs_deg):
        yield f"{at}.inputs", "is empty", "list at least one position"
    pair = mechanism.joints.get(wanted.joint or "")
    held = [mechanism.parts.get(name) for name in parts_of(pair)] if pair is not None else []
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


def plane_is_flat(mechanism: Mechanism) -> Iterator[Complaint]:
    """In the plane nothing rotates out of it, and no shape is round across it."""
    if mechanism.dimension != 2:
        return
    for name, body in mechanism.parts.items():
        if body.pose is not None:
            yield from _turns_flat(body.pose.about, f"parts.{name}.pose.about")
        if body.shape is not None:
            yield from _flat(body.shape, f"parts.{name}.shape")
    for name, named in mechanism.shapes.items():
        yield from _flat(named, f"shapes.{name}")


def _flat(outer: shape.Shape, at: str) -> Iterator[Complaint]:
    if outer.kind in _SOLID:
        yield f"{at}.{outer.kind}", f"a {outer.kind} has no outline in the plane", _SOLID[outer.kind]
    for i, move in enumerate(outer.moves):
        yield from _turns_flat(move.about, f"{at}.moves.{i}.about")
    for i, child in enumerate(outer.children):
        yield from _flat(child, f"{at}.{outer.kind}.{i}")


def _turns_flat(about: Any, at: str) -> Iterator[Complaint]:
    if about is None or about == "z" or (isinstance(about, tuple) and about[:2] == (0, 0)):
        return
    yield at, "rotates out of the plane", "leave `about` out, or set dimension = 3"


def studies_make_sense(mechanism: Mechanism) -> Iterator[Complaint]:
    """A varied path begins with something that is there."""
    if mechanism.study is None:
        return
    for path in mechanism.study.vary:
        first, _, rest = path.partition(".")
        at = f"study.vary.{path}"
        if first not in mechanism.__struct_fields__:
            yield at, f"nothing is called {first!r}", did_you_mean(first, mechanism.__struct_fields__)
            continue
        named = getattr(mechanism, first)
        if isinstance(named, dict):
            yield from known_name(rest.partition(".")[0], named, first.removesuffix("s"), at)
