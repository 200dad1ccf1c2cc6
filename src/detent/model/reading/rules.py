"""What a table must satisfy beyond the types of its keys.

Each rule yields (place within the table, problem, remedy). The rules of one
table run as soon as it is read, so that the place is exact; the rules of the
Mechanism (`references`) see everything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from detent.foundation.names import with_article
from detent.model.document import ask, drive, joint, part, shape, touch
from detent.model.document.base import Table, Vector
from detent.model.document.mechanism import Mechanism
from detent.model.reading import references

Complaint = references.Complaint
HALF = Fraction(1, 2)
# Of a length: what digits written by a program may miss.
ROUNDING = Fraction(1, 10**9)
Rule = Callable[[Any], Iterable[Complaint]]


def one_kind(table: Table) -> Iterator[Complaint]:
    given = [key for key in table.KINDS if getattr(table, key) is not None]
    if not given:
        yield "", f"is none of {', '.join(table.KINDS)}", "give exactly one of them"
    if len(given) > 1:
        both = "both " if len(given) == 2 else ""
        yield "", f"is {both}{', '.join(given[:-1])} and {given[-1]}", "keep exactly one of them"


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
                    yield _spelt(table, name), f"must be {bound}, found {float(entry):g}", ""

    return rule


def _spelt(table: Table, name: str) -> str:
    """A key as the document spells it: `for`, where Python must say `for_`."""
    return table.__struct_encode_fields__[table.__struct_fields__.index(name)]


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
        if len(set(made.repeat.without)) >= made.repeat.count:
            yield "repeat.without", "leaves out every copy", "keep at least one"
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
        yield "radius", "radii are at least zero, and one of them above", "give two such radii"


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
                f"{with_article(made.type)} joint has no {key}",
                f"only {with_article(kind)} joint has one",
            )
    if made.type == "gear" and made.ratio is None:
        yield (
            "ratio",
            "is missing",
            "a gear joint needs its ratio, negative where the wheels turn against each other",
        )
    if made.type == "elastic" and sum(x is not None for x in (made.stiffness, made.beam, made.plate)) != 1:
        yield "", "an elastic joint has exactly one of stiffness, beam, plate", "keep or add one"
    if made.between[0] == made.between[1]:
        yield "between", f"joins {made.between[0]!r} to itself", "name two different parts or markers"


def limits_rules(made: joint.Limits) -> Iterator[Complaint]:
    low = made.min if made.min_deg is None else math.radians(made.min_deg)
    high = made.max if made.max_deg is None else math.radians(made.max_deg)
    if low is not None and high is not None and low > high:
        yield "min" if made.min_deg is None else "min_deg", "is above the upper limit", "exchange them"


def beam_rules(made: joint.Beam) -> Iterator[Complaint]:
    for key in ("height", "width"):
        value = getattr(made, key)
        if isinstance(value, tuple) and len(value) != 2:
            yield (
                key,
                f"has {len(value)} numbers",
                "give one, or two where it tapers: at the root, at the end",
            )


def plate_rules(made: joint.Plate) -> Iterator[Complaint]:
    if made.poisson is not None and not -1 < made.poisson <= HALF:
        yield "poisson", f"is {float(made.poisson):g}", "Poisson's ratio lies between -1 and 0.5"


def at_most_one(*names: str) -> Rule:
    def rule(table: Table) -> Iterator[Complaint]:
        for name in names:
            value = getattr(table, name)
            if value is not None and value > 1:
                yield name, f"must be at most one, found {float(value):g}", ""

    return rule


def pose_rules(made: part.Pose) -> Iterator[Complaint]:
    if made.along is not None and (made.turn is not None or made.turn_deg is not None):
        yield "along", "its turn is given twice, by turn and by along", "keep one of them"


def contact_rules(made: touch.GivenContact) -> Iterator[Complaint]:
    for i, tangent in enumerate(made.tangents or ()):
        if all(x == 0 for x in tangent):
            yield (
                f"tangents.{i}",
                "is the zero vector, which has no direction",
                "give a direction of any length",
            )
        elif _aslant(tangent, made.normal):
            yield f"tangents.{i}", "is not at right angles to the normal", "a tangent lies in the surface"


def _aslant(tangent: Vector, normal: Vector) -> bool:
    """Whether more of a tangent than rounding lies along a normal; a vector of two numbers has no third."""
    along = sum(t * n for t, n in zip(tangent, normal, strict=False))
    return along**2 > ROUNDING**2 * sum(t * t for t in tangent) * sum(n * n for n in normal)


def range_rules(made: ask.Range) -> Iterator[Complaint]:
    ends = [
        made.from_ is not None or made.from_deg is not None,
        made.to is not None or made.to_deg is not None,
    ]
    if made.values is None and not all(ends):
        yield "", "says no values", "give `from`, `to` and `steps`, or `values`"


def vary_rules(made: ask.Vary) -> Iterator[Complaint]:
    given = [k for k in ("from_", "values", "normal", "uniform") if getattr(made, k) is not None]
    if len(given) != 1:
        yield "", "varies by exactly one of a range, values, normal, uniform", "keep or add one"
    if made.normal is not None and made.normal[1] < 0:
        yield "normal", "its deviation is below zero", "give mean and deviation"


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
                yield (
                    f"tangent.{i}.{j}",
                    f"a row of {len(row)} numbers beside normals of {width}",
                    "make rows of one length",
                )
    for i, row in enumerate(made.held or ()):
        if made.normal and len(row) != width:
            yield (
                f"held.{i}",
                f"a row of {len(row)} numbers beside normals of {width}",
                "make rows of one length",
            )
    for i, row in enumerate(made.normal):
        if row and all(x == 0 for x in row):
            yield f"normal.{i}", "is zero", "a contact's row has a direction"


RULES: dict[type, tuple[Rule, ...]] = {
    shape.Shape: (one_kind, positive("circle", "sphere", "block"), shape_rules),
    shape.Move: (one_kind, not_null("along", "mirror", "about")),
    shape.Repeat: (one_spacing, not_null("about")),
    shape.EdgeBreak: (one_kind,),
    shape.Prism: (lambda made: _outline(made.outline, "outline"), positive("height")),
    shape.Cylinder: (positive("radius", "height"),),
    shape.Cone: (positive("height"), cone_rules),
    shape.Torus: (positive("radius", "tube"), torus_rules),
    part.Pose: (one_angle("turn"), pose_rules, not_null("along", "about")),
    part.Marker: (marker_rules, not_null("along", "across")),
    part.Part: (part_rules, positive("mass", "inertia", "density", "principal", zero=True)),
    part.Material: (positive("density", "modulus", "secant_modulus", "strain_once", "strain_repeated"),),
    joint.Spring: (one_angle("rest"), positive("stiffness", zero=True)),
    joint.Limits: (one_angle("min", "max"), limits_rules),
    joint.Beam: (
        beam_rules,
        positive("length", "height", "width", "modulus"),
    ),
    joint.Plate: (
        plate_rules,
        positive("sides", "thickness", "modulus"),
    ),
    joint.Joint: (joint_rules, one_angle("value"), not_null("along"), positive("damping", zero=True)),
    drive.Leg: (leg_rules, positive("for_", "distance", "ramp"), not_null("velocity")),
    drive.Drive: (one_kind, drive_rules, one_angle("from", "to", "inputs", "speed")),
    drive.Start: (one_angle("at", "speed"),),
    touch.Pair: (positive("friction", "restitution", zero=True), at_most_one("restitution")),
    touch.Touching: (positive("friction", "restitution", zero=True), at_most_one("restitution")),
    touch.GivenContact: (
        not_null("normal"),
        contact_rules,
        positive("friction", "restitution", zero=True),
        at_most_one("restitution"),
    ),
    touch.Rows: (rows_rules,),
    ask.Region: (lambda made: _outline(made.outline, "outline"),),
    ask.Range: (range_rules, one_angle("from", "to")),
    ask.Penalty: (positive("stiffness"), positive("damping", zero=True)),
    ask.AskRun: (positive("until"),),
    ask.AskOutlook: (positive("until"),),
    ask.AskMate: (positive("until", "apart", "ratio"),),
    ask.Vary: (vary_rules,),
    Mechanism: (
        references.references,
        references.shapes_in_use,
        references.dimensions,
        references.joints_make_sense,
        references.drives_make_sense,
        references.plane_is_flat,
        references.studies_make_sense,
    ),
}
