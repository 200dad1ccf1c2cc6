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
from detent.model.reading import elastic_rules, references
from detent.model.reading.coordinates import on_no_coordinate
from detent.model.reading.setting_rules import SETTING_RULES, settings_of_part
from detent.model.reading.start_references import Complaint

# Of a length: what digits written by a program may miss.
ROUNDING = Fraction(1, 10**9)
Rule = Callable[[Any], Iterable[Complaint]]


def one_kind(table: Table) -> Iterator[Complaint]:
    kinds = [key for key in table.KINDS if getattr(table, key) is not None]
    if not kinds:
        yield "", f"is none of {', '.join(table.KINDS)}", "give exactly one of them"
    if len(kinds) > 1:
        both = "both " if len(kinds) == 2 else ""
        yield "", f"is {both}{', '.join(kinds[:-1])} and {kinds[-1]}", "keep exactly one of them"


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
                    yield _key_as_written(table, name), f"must be {bound}, found {float(entry):g}", ""

    return rule


def _key_as_written(table: Table, name: str) -> str:
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


def shape_rules(table: shape.Shape) -> Iterator[Complaint]:
    yield from _outline(table.outline, "outline")
    if table.segment is not None and table.segment[0] == table.segment[1]:
        yield "segment", "its two points are the same", "give two different points"
    if table.block is not None and len(table.block) != 3:
        yield "block", "a block has three sides", "give [x, y, z], or use `outline` in the plane"
    for kind in ("union", "difference", "intersection"):
        if getattr(table, kind) == ():
            yield kind, "is empty", "list at least one shape"
    if table.repeat is not None and table.repeat.without:
        if len(set(table.repeat.without)) >= table.repeat.count:
            yield "repeat.without", "leaves out every copy", "keep at least one"
        beyond = [i for i in table.repeat.without if not 0 <= i < table.repeat.count]
        if beyond:
            yield (
                "repeat.without",
                f"leaves out copy {beyond[0]} of {table.repeat.count}",
                "copies count from 0",
            )


def one_spacing(repeat: shape.Repeat) -> Iterator[Complaint]:
    keys = [k for k in ("turn", "turn_deg", "step") if getattr(repeat, k) is not None]
    if len(keys) > 1:
        yield "", f"is spaced by {' and by '.join(keys)}", "keep one of them, or none for a full circle"


def cone_rules(cone: shape.Cone) -> Iterator[Complaint]:
    if any(r < 0 for r in cone.radius) or all(r == 0 for r in cone.radius):
        yield "radius", "radii are at least zero, and one of them above", "give two such radii"


def torus_rules(torus: shape.Torus) -> Iterator[Complaint]:
    if torus.tube >= torus.radius > 0:
        yield "tube", "the tube is thicker than its ring", "make `tube` smaller than `radius`"


def marker_rules(marker: part.Marker) -> Iterator[Complaint]:
    keys = [k for k in ("along", "turn", "turn_deg") if getattr(marker, k) is not None]
    if len(keys) > 1:
        yield "", f"is directed by {' and by '.join(keys)}", "keep one of them"


def part_rules(table: part.Part) -> Iterator[Complaint]:
    if table.set and table.library is None:
        yield "set", "sets parameters, but no library part is named", "add `library`"
    if table.principal is not None and table.inertia is not None:
        yield "principal", "inertia is given twice", "keep `inertia` in the plane, `principal` in space"
    if table.density is not None and table.mass is not None:
        yield "density", "mass is given twice, by mass and by density", "keep one of them"
    if table.density is not None and table.shape is None and table.library is None:
        yield "density", "a density needs a shape", "add `shape`, or give `mass` and `inertia`"


def joint_rules(table: joint.Joint) -> Iterator[Complaint]:
    only_of = {
        "ratio": "gear",
        "value": "angle",
        "value_deg": "angle",
        **dict.fromkeys(("stiffness", "free", "beam", "plate"), "elastic"),
    }
    for key, kind in only_of.items():
        if getattr(table, key) is not None and table.type != kind:
            yield (
                key,
                f"{with_article(table.type)} joint has no {key}",
                f"only {with_article(kind)} joint has one",
            )
    if table.type == "gear" and table.ratio == 0:
        yield (
            "ratio",
            "is zero: the second wheel would stand still",
            "give the rotation of the second per rotation of the first",
        )
    yield from on_no_coordinate(table)
    if table.type == "elastic":
        yield from elastic_rules.joint_rules(table)
    if table.between[0] == table.between[1]:
        yield "between", f"joins {table.between[0]!r} to itself", "name two different parts or markers"


def limits_rules(limits: joint.Limits) -> Iterator[Complaint]:
    low = limits.min if limits.min_deg is None else math.radians(limits.min_deg)
    high = limits.max if limits.max_deg is None else math.radians(limits.max_deg)
    if low is not None and high is not None and low > high:
        yield "min" if limits.min_deg is None else "min_deg", "is above the upper limit", "exchange them"


def at_most_one(*names: str) -> Rule:
    def rule(table: Table) -> Iterator[Complaint]:
        for name in names:
            value = getattr(table, name)
            if value is not None and value > 1:
                yield name, f"must be at most one, found {float(value):g}", ""

    return rule


def pose_rules(pose: part.Pose) -> Iterator[Complaint]:
    if pose.along is not None and (pose.turn is not None or pose.turn_deg is not None):
        yield "along", "its rotation is given twice, by turn and by along", "keep one of them"


def contact_rules(contact: touch.GivenContact) -> Iterator[Complaint]:
    for i, tangent in enumerate(contact.tangents or ()):
        if all(x == 0 for x in tangent):
            yield (
                f"tangents.{i}",
                "is the zero vector, which has no direction",
                "give a direction of any length",
            )
        elif _is_aslant(tangent, contact.normal):
            yield f"tangents.{i}", "is not at right angles to the normal", "a tangent lies in the surface"


def _is_aslant(tangent: Vector, normal: Vector) -> bool:
    """Whether more of a tangent than rounding lies along a normal; a vector of two numbers has no third."""
    along = sum(t * n for t, n in zip(tangent, normal, strict=False))
    return along**2 > ROUNDING**2 * sum(t * t for t in tangent) * sum(n * n for n in normal)


def range_rules(table: ask.Range) -> Iterator[Complaint]:
    radians, degrees = (table.from_, table.to), (table.from_deg, table.to_deg)
    ends = [end for end in (*radians, *degrees) if end is not None]
    if table.values is not None and (ends or table.steps is not None):
        yield "values", "are given beside a range", "keep one of the two"
    elif table.values is None and (len(ends) != 2 or (None in radians and None in degrees)):
        yield "", "says no values", "give `from`, `to` and `steps`, both ends in one unit, or `values`"


def between_rules(table: ask.Between) -> Iterator[Complaint]:
    radians, degrees = (table.from_, table.to), (table.from_deg, table.to_deg)
    if sum(end is not None for end in (*radians, *degrees)) != 2 or (None in radians and None in degrees):
        yield "", "has not two ends in one unit", "give `from_deg` and `to_deg`, or `from` and `to`"


def run_rules(run: ask.AskRun) -> Iterator[Complaint]:
    if run.times is None:
        return
    if run.every is not None:
        yield "times", "are given beside `every`; both say which rows there are", "keep one of the two"
    if run.until is not None and max(run.times, default=run.until) > run.until:
        yield "times", "go on after `until`", "let it run as long, or leave these rows out"


def mate_rules(mate: ask.AskMate) -> Iterator[Complaint]:
    if mate.apart is not None and mate.goal is not None:
        yield "apart", "is given beside `goal`; both say where it counts as apart", "keep one of the two"


def vary_rules(vary: ask.Vary) -> Iterator[Complaint]:
    keys = [k for k in ("from_", "values", "normal", "uniform") if getattr(vary, k) is not None]
    if len(keys) != 1:
        yield "", "varies by exactly one of a range, values, normal, uniform", "keep or add one"
    if vary.normal is not None and vary.normal[1] < 0:
        yield "normal", "its deviation is below zero", "give mean and deviation"


def leg_rules(leg: drive.Leg) -> Iterator[Complaint]:
    if leg.back:
        if leg.velocity is not None or leg.for_ is not None or leg.distance is not None:
            yield "back", "a leg back takes its velocity and length from the leg before", "remove them"
        return
    if leg.velocity is None:
        yield "velocity", "is missing", "give a velocity, or `back = true`"
    if (leg.for_ is None) == (leg.distance is None):
        yield "", "lasts `for` a time or a `distance`", "give exactly one of them"


def drive_rules(table: drive.Drive) -> Iterator[Complaint]:
    if table.legs and table.legs[0].back:
        yield "legs.0.back", "there is no leg before the first", "begin with a velocity"
    if table.legs and table.joint is not None:
        yield "legs", "legs drive a part or a marker", "use `from`, `to` and `steps` for a joint"
    if table.path is not None and table.marker is None:
        yield "path", "only a marker is driven along a path", "name it with `marker`"
    ends = [
        table.from_ is not None or table.from_deg is not None,
        table.to is not None or table.to_deg is not None,
    ]
    if any(ends) and not all(ends):
        yield "", "a range needs both ends", "give `from` and `to`, or both with `_deg`"
    if (table.inputs is not None or table.inputs_deg is not None) and any(ends):
        yield "inputs", "positions are given twice, by a range and by inputs", "keep one of them"


def rows_rules(table: touch.Rows) -> Iterator[Complaint]:
    widths = {len(row) for row in table.normal}
    width = len(table.normal[0]) if table.normal else 0
    if len(widths) > 1:
        yield (
            "normal",
            f"rows of different lengths: {sorted(widths)}",
            "a row has one number per degree of freedom",
        )
    if table.tangent is not None and len(table.tangent) != len(table.normal):
        yield (
            "tangent",
            f"{len(table.tangent)} entries for {len(table.normal)} contacts",
            "one list of rows per contact",
        )
    for i, rows in enumerate(table.tangent or ()):
        for j, row in enumerate(rows):
            if len(row) != width:
                yield (
                    f"tangent.{i}.{j}",
                    f"a row of {len(row)} numbers beside normals of {width}",
                    "make rows of one length",
                )
    for i, row in enumerate(table.held or ()):
        if table.normal and len(row) != width:
            yield (
                f"held.{i}",
                f"a row of {len(row)} numbers beside normals of {width}",
                "make rows of one length",
            )
    for i, row in enumerate(table.normal):
        if row and all(x == 0 for x in row):
            yield f"normal.{i}", "is zero", "a contact's row has a direction"


RULES: dict[type, tuple[Rule, ...]] = {
    **SETTING_RULES,
    shape.Shape: (one_kind, positive("circle", "sphere", "block"), shape_rules),
    shape.Move: (one_kind, not_null("along", "mirror", "about")),
    shape.Repeat: (one_spacing, not_null("about")),
    shape.EdgeBreak: (one_kind,),
    shape.Prism: (lambda table: _outline(table.outline, "outline"), positive("height")),
    shape.Cylinder: (positive("radius", "height"),),
    shape.Cone: (positive("height"), cone_rules),
    shape.Torus: (positive("radius", "tube"), torus_rules),
    part.Pose: (one_angle("turn"), pose_rules, not_null("along", "about")),
    part.Marker: (marker_rules, not_null("along", "across")),
    part.Part: (
        part_rules,
        settings_of_part,
        positive("mass", "inertia", "density", "principal", zero=True),
        positive("thickness"),
    ),
    part.Material: (positive("density", "modulus", "secant_modulus", "strain_once", "strain_repeated"),),
    joint.Spring: (one_angle("rest"), positive("stiffness", zero=True)),
    joint.JointFriction: (positive("coefficient", zero=True), positive("radius")),
    joint.Limits: (one_angle("min", "max"), limits_rules),
    joint.Inferring: (positive("clearance", zero=True), at_most_one("clearance")),
    joint.Beam: (
        elastic_rules.beam_rules,
        positive("length", "height", "width", "modulus"),
    ),
    joint.Plate: (
        elastic_rules.plate_rules,
        positive("sides", "thickness", "modulus", "footprint"),
    ),
    joint.Joint: (joint_rules, one_angle("value"), not_null("along"), positive("damping", zero=True)),
    drive.Leg: (leg_rules, positive("for_", "distance", "ramp"), not_null("velocity")),
    drive.Drive: (one_kind, drive_rules, one_angle("from", "to", "inputs", "speed")),
    drive.Start: (one_angle("at", "speed"),),
    touch.Pair: (
        positive("friction", "restitution", zero=True),
        positive("stiffness"),
        at_most_one("restitution"),
    ),
    touch.Touching: (
        positive("friction", "restitution", zero=True),
        positive("smooth"),
        at_most_one("restitution"),
    ),
    touch.GivenContact: (
        not_null("normal"),
        contact_rules,
        positive("friction", "restitution", zero=True),
        at_most_one("restitution"),
    ),
    touch.Rows: (rows_rules,),
    ask.Region: (lambda table: _outline(table.outline, "outline"),),
    ask.Range: (range_rules, one_angle("from", "to")),
    ask.Between: (between_rules, one_angle("from", "to")),
    ask.Uncertain: (one_angle("direction"), positive("cylinder", "direction", "direction_deg", zero=True)),
    ask.PenaltyAsk: (positive("stiffness"), positive("damping", zero=True)),
    ask.AskRun: (run_rules, positive("until", "every", "accuracy"), positive("times", zero=True)),
    ask.ExpectAsk: (positive("duration"), positive("within")),
    ask.SearchAsk: (
        positive("energy", "time", "state"),
        at_most_one("energy", "time", "state"),
        positive("ignore", zero=True),
    ),
    ask.AskOutlook: (positive("until"), positive("at", zero=True)),
    ask.AskMate: (mate_rules, positive("until", "depth", "apart", "ratio", "holds_below")),
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
