"""What a table must satisfy beyond the types of its keys.

Each rule yields (place within the table, problem, remedy). The rules of one
table run as soon as it is read, so that the place is exact; the rules of the
Mechanism see everything and check what the parts say of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from detent.foundation.names import did_you_mean
from detent.model import drive, joint, part, shape, touch
from detent.model.base import Table, Vector
from detent.model.mechanism import Mechanism

Complaint = tuple[str, str, str]
Rule = Callable[[Any], Iterable[Complaint]]


def one_kind(table: Table) -> Iterator[Complaint]:
    given = [key for key in table.KINDS if getattr(table, key) is not None]
    if not given:
        yield "", f"is none of {', '.join(table.KINDS)}", "give exactly one of them"
    if len(given) > 1:
        yield "", f"is both {' and '.join(given)}", "keep exactly one of them"


def one_angle(*names: str) -> Rule:
    """An angle is given in radians or in degrees, not both."""

    def rule(table: Table) -> Iterator[Complaint]:
        for name in names:
            field = "from_" if name == "from" else name
            if getattr(table, field) is not None and getattr(table, f"{name}_deg") is not None:
                yield (
                    f"{name}_deg",
                    f"the angle is given twice, as {name} and as {name}_deg",
                    "keep one of them",
                )

    return rule


def positive(*names: str, zero: bool = False) -> Rule:
    """Each number of these keys is above zero (or not below it)."""

    def rule(table: Table) -> Iterator[Complaint]:
        for name in names:
            value = getattr(table, name)
            for entry in value if isinstance(value, tuple) else (value,):
                if entry is not None and (entry < 0 or (entry == 0 and not zero)):
                    bound = "at least zero" if zero else "above zero"
                    yield name, f"must be {bound}, found {float(entry):g}", ""

    return rule


def not_null(*names: str) -> Rule:
    """A direction has a length."""

    def rule(table: Table) -> Iterator[Complaint]:
        for name in names:
            value = getattr(table, name)
            if isinstance(value, tuple) and all(x == 0 for x in value):
                yield name, "is the zero vector, which has no direction", "give a direction of any length"

    return rule


def _outline(points: tuple[Vector, ...] | None, at: str) -> Iterator[Complaint]:
    if points is None:
        return
    if len(set(points)) < 3:
        yield at, f"an outline of {len(set(points))} distinct points", "give at least three, or use `segment`"
    for i, point in enumerate(points):
        if len(point) != 2:
            yield f"{at}.{i}", "a point of an outline has two numbers", "use `prism` for a solid"
            return


def shape_rules(made: shape.Shape) -> Iterator[Complaint]:
    yield from _outline(made.outline, "outline")
    if made.segment is not None and made.segment[0] == made.segment[1]:
        yield "segment", "its two points are the same", "give two different points"
    if made.block is not None and len(made.block) != 3:
        yield "block", "a block has three sides", "give [x, y, z], or use `outline` in the plane"
    for kind in ("union", "difference", "intersection"):
        if getattr(made, kind) == ():
            yield kind, "is empty", "list at least one shape"
    if made.repeat is not None and made.repeat.without:
        beyond = [i for i in made.repeat.without if not 0 <= i < made.repeat.count]
        if beyond:
            yield (
                "repeat.without",
                f"leaves out copy {beyond[0]} of {made.repeat.count}",
                "copies count from 0",
            )


def one_spacing(made: shape.Repeat) -> Iterator[Complaint]:
    given = [k for k in ("turn", "turn_deg", "step") if getattr(made, k) is not None]
    if len(given) > 1:
        yield "", f"is spaced by {' and by '.join(given)}", "keep one of them, or none for a full circle"


def cone_rules(made: shape.Cone) -> Iterator[Complaint]:
    if any(r < 0 for r in made.radius) or all(r == 0 for r in made.radius):
        yield "radius", "radii are at least zero, and one of them above", ""


def torus_rules(made: shape.Torus) -> Iterator[Complaint]:
    if made.tube >= made.radius > 0:
        yield "tube", "the tube is thicker than its ring", "make `tube` smaller than `radius`"


def marker_rules(made: part.Marker) -> Iterator[Complaint]:
    given = [k for k in ("along", "turn", "turn_deg") if getattr(made, k) is not None]
    if len(given) > 1:
        yield "", f"is directed by {' and by '.join(given)}", "keep one of them"


def part_rules(made: part.Part) -> Iterator[Complaint]:
    if made.set and made.library is None:
        yield "set", "sets parameters, but no library part is named", "add `library`"
    if made.principal is not None and made.inertia is not None:
        yield "principal", "inertia is given twice", "keep `inertia` in the plane, `principal` in space"
    if made.density is not None and made.mass is not None:
        yield "density", "mass is given twice, by mass and by density", "keep one of them"
    if made.density is not None and made.shape is None and made.library is None:
        yield "density", "a density needs a shape", "add `shape`, or give `mass` and `inertia`"


def joint_rules(made: joint.Joint) -> Iterator[Complaint]:
    own = {"ratio": "gear", "value": "angle", "value_deg": "angle", "stiffness": "elastic", "beam": "elastic"}
    own["plate"] = "elastic"
    for key, kind in own.items():
        if getattr(made, key) is not None and made.type != kind:
            yield (
                key,
                f"a {made.type} joint has no {key}",
                f"only an {kind} joint has one".replace("an g", "a g"),
            )
    if made.type == "gear" and made.ratio is None:
        yield (
            "ratio",
            "is missing",
            "a gear joint needs its ratio, negative where the wheels turn against each other",
        )
    if made.type == "elastic" and sum(x is not None for x in (made.stiffness, made.beam, made.plate)) != 1:
        yield "", "an elastic joint has exactly one of stiffness, beam, plate", ""
    if made.between[0] == made.between[1]:
        yield "between", f"joins {made.between[0]!r} to itself", "name two different parts or markers"


def limits_rules(made: joint.Limits) -> Iterator[Complaint]:
    for low, high in (("min", "max"), ("min_deg", "max_deg")):
        a, b = getattr(made, low), getattr(made, high)
        if a is not None and b is not None and a > b:
            yield low, f"{low} is above {high}", "exchange them"


def leg_rules(made: drive.Leg) -> Iterator[Complaint]:
    if made.back:
        if made.velocity is not None or made.for_ is not None or made.distance is not None:
            yield "back", "a leg back takes its velocity and length from the leg before", "remove them"
        return
    if made.velocity is None:
        yield "velocity", "is missing", "give a velocity, or `back = true`"
    if (made.for_ is None) == (made.distance is None):
        yield "", "lasts `for` a time or a `distance`", "give exactly one of them"


def drive_rules(made: drive.Drive) -> Iterator[Complaint]:
    if made.legs and made.legs[0].back:
        yield "legs.0.back", "there is no leg before the first", "begin with a velocity"
    if made.legs and made.joint is not None:
        yield "legs", "legs drive a part or a marker", "use `from`, `to` and `steps` for a joint"
    if made.path is not None and made.marker is None:
        yield "path", "only a marker is driven along a path", "name it with `marker`"
    ends = [
        made.from_ is not None or made.from_deg is not None,
        made.to is not None or made.to_deg is not None,
    ]
    if any(ends) and not all(ends):
        yield "", "a range needs both ends", "give `from` and `to`, or both with `_deg`"
    if (made.inputs is not None or made.inputs_deg is not None) and any(ends):
        yield "inputs", "positions are given twice, by a range and by inputs", "keep one of them"


def rows_rules(made: touch.Rows) -> Iterator[Complaint]:
    widths = {len(row) for row in made.normal}
    width = len(made.normal[0]) if made.normal else 0
    if len(widths) > 1:
        yield (
            "normal",
            f"rows of different lengths: {sorted(widths)}",
            "a row has one number a degree of freedom",
        )
    if made.tangent is not None and len(made.tangent) != len(made.normal):
        yield (
            "tangent",
            f"{len(made.tangent)} entries for {len(made.normal)} contacts",
            "one list of rows a contact",
        )
    for i, rows in enumerate(made.tangent or ()):
        for j, row in enumerate(rows):
            if len(row) != width:
                yield f"tangent.{i}.{j}", f"a row of {len(row)} numbers beside normals of {width}", ""
    for i, row in enumerate(made.held or ()):
        if made.normal and len(row) != width:
            yield f"held.{i}", f"a row of {len(row)} numbers beside normals of {width}", ""
    for i, row in enumerate(made.normal):
        if row and all(x == 0 for x in row):
            yield f"normal.{i}", "is zero", "a contact's row has a direction"


def references(made: Mechanism) -> Iterator[Complaint]:
    """What the tables say of each other by name."""
    for name, entry in made.joints.items():
        for i, end in enumerate(entry.between):
            yield from _end(made, end, f"joints.{name}.between.{i}")
        parts = [end.partition(".")[0] for end in entry.between]
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
        if body.material is not None:
            yield from _known(body.material, made.materials, "material", f"parts.{name}.material")
    for i, given in enumerate(made.contacts):
        for j, end in enumerate(given.between):
            yield from _known(end, made.parts, "part", f"contacts.{i}.between.{j}")
    yield from _pairs(made)
    yield from _poses_in_a_ring(made)


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


def _poses_in_a_ring(made: Mechanism) -> Iterator[Complaint]:
    for name in made.parts:
        seen = [name]
        while (pose := made.parts[seen[-1]].pose) is not None and pose.on is not None:
            after = pose.on.partition(".")[0]
            if after not in made.parts:
                break
            if after in seen:
                if after == name:
                    ring = " on ".join([*seen, after])
                    yield (
                        f"parts.{name}.pose.on",
                        f"poses stand on each other in a ring: {ring}",
                        "place one in the world",
                    )
                break
            seen.append(after)


def shapes_in_use(made: Mechanism) -> Iterator[Complaint]:
    """Every `use` names a shape, and no shape uses itself."""
    named: list[tuple[str, str | None, shape.Shape]] = []
    named += [(f"parts.{name}.shape", None, p.shape) for name, p in made.parts.items() if p.shape is not None]
    named += [(f"shapes.{name}", name, s) for name, s in made.shapes.items()]
    uses: dict[str, set[str]] = {}
    for at, owner, outer in named:
        for where, inner in _within(outer, at):
            if inner.use is None:
                continue
            yield from _known(inner.use, made.shapes, "shape", f"{where}.use")
            if owner is not None:
                uses.setdefault(owner, set()).add(inner.use)
    for name in uses:
        if name in _reach(name, uses):
            yield f"shapes.{name}", "uses itself", "break the ring of `use`"


def _within(outer: shape.Shape, at: str) -> Iterator[tuple[str, shape.Shape]]:
    yield at, outer
    for i, child in enumerate(outer.children):
        yield from _within(child, f"{at}.{outer.kind}.{i}")


def _reach(name: str, uses: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    front = set(uses.get(name, ()))
    while front:
        reached |= front
        front = {after for n in front for after in uses.get(n, ())} - reached
    return reached


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
        for key, mark in body.markers.items():
            yield f"parts.{name}.markers.{key}", mark.at if isinstance(mark, part.Marker) else mark
    for name, pair in made.joints.items():
        if pair.at is not None:
            yield f"joints.{name}.at", pair.at
    for name, command in made.drives.items():
        for i, leg in enumerate(command.legs):
            if leg.velocity is not None:
                yield f"drives.{name}.legs.{i}.velocity", leg.velocity
    for i, given in enumerate(made.contacts):
        yield f"contacts.{i}.point", given.point
        yield f"contacts.{i}.normal", given.normal


RULES: dict[type, tuple[Rule, ...]] = {
    shape.Shape: (one_kind, positive("circle", "sphere", "block"), shape_rules),
    shape.Move: (one_kind, not_null("along", "mirror", "about")),
    shape.Repeat: (one_spacing, not_null("about")),
    shape.EdgeBreak: (one_kind,),
    shape.Prism: (lambda made: _outline(made.outline, "outline"), positive("height")),
    shape.Cylinder: (positive("radius", "height"),),
    shape.Cone: (positive("height"), cone_rules),
    shape.Torus: (positive("radius", "tube"), torus_rules),
    part.Pose: (one_angle("turn"), not_null("along", "about")),
    part.Marker: (marker_rules, not_null("along", "across")),
    part.Part: (part_rules, positive("mass", "inertia", "density", "principal", zero=True)),
    part.Material: (positive("density", "modulus", "secant_modulus", "strain_once", "strain_repeated"),),
    joint.Spring: (one_angle("rest"), positive("stiffness", zero=True)),
    joint.Limits: (one_angle("min", "max"), limits_rules),
    joint.Beam: (positive("length", "height", "width", "modulus"),),
    joint.Plate: (positive("sides", "thickness", "modulus"),),
    joint.Joint: (joint_rules, one_angle("value"), not_null("along"), positive("damping", zero=True)),
    drive.Leg: (leg_rules, positive("for_", "distance", "ramp"), not_null("velocity")),
    drive.Drive: (one_kind, drive_rules, one_angle("from", "to", "inputs", "speed")),
    drive.Start: (one_angle("at", "speed"),),
    touch.Pair: (positive("friction", "restitution", zero=True),),
    touch.Touching: (positive("friction", "restitution", zero=True),),
    touch.GivenContact: (not_null("normal"), positive("friction", "restitution", zero=True)),
    touch.Rows: (rows_rules,),
    Mechanism: (references, shapes_in_use, dimensions),
}
