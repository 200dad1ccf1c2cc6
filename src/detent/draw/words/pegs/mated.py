"""The answer of `detent mate` for a peg, in words: does it go in, with what force at which depth, may it
wedge.
"""

from __future__ import annotations

import math
from typing import Any

from detent.draw.words.layout import table_lines
from detent.draw.words.pegs.told import regimes, sizes, usual_form
from detent.foundation.names import listed
from detent.foundation.units import UnitNames, unit_names
from detent.record.compliant_mating import CompliantLeg, CompliantMating


def words(mating: CompliantMating, title: str) -> str:
    """The report for a person."""
    units = unit_names(mating.units)
    told: Any = mating.connections[0]
    (leg,) = mating.legs
    said = sizes(told, units)
    lines = [
        title,
        f"  goes in    {mating.insertion.answer}: {mating.insertion.why}",
        f"  method     {mating.method}",
        f"  peg        {said[0]}",
        *(f"{'':13}{line}" for line in said[1:]),
        *_forces(leg, told, units),
        *_second(leg, units),
        *_jamming(leg, told, units),
        f"  ends       {leg.end.cause} at a travel of {leg.end.travel:.6g}{units.length}, "
        f"{_deep(told, units)}"
        f"{f': {leg.end.detail}' if leg.end.detail else ''}",
        "  the way by depth, of the tip's end on the side that is pressed, below the rims",
        *regimes(told, units),
        *_events(leg, units),
    ]
    scope = mating.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def _deep(told: Any, units: UnitNames) -> str:
    depth = round(told["end_depth"], 12)  # the nose less itself is not quite nothing
    return (
        f"the peg {depth:.6g}{units.length} deep"
        if depth >= 0
        else f"the peg {-depth:.6g}{units.length} above"
    )


def _forces(leg: CompliantLeg, told: Any, units: UnitNames) -> list[str]:
    """Largest forces of each kind, those of the closed forms and of the exact geometry."""
    force, lines = leg.force, []
    unit = units.force
    if force.peak_chamfer is not None:
        exact = force.peak_chamfer_exact
        other = "" if exact is None else f"; {-exact:.5g}{unit} by the exact geometry"
        usual = told["peak_chamfer_usual_form"]
        usual = "" if usual is None else f"; {usual:.5g}{unit} {usual_form(told, units)}"
        lines.append(f"  chamfer    up to {-force.peak_chamfer:.5g}{unit} against the push{other}{usual}")
    if isinstance(force.plateau, tuple):
        size = math.hypot(*force.plateau)
        lines.append(f"  one point  {size:.5g}{unit} of contact on the mean: {_vector(force.plateau)}{unit}")
    if force.peak_two_points is not None:
        lines.append(f"  two points up to {-force.peak_two_points:.5g}{unit} against the push")
    return lines


def _second(leg: CompliantLeg, units: UnitNames) -> list[str]:
    second = leg.second_contact
    if second is None or second.depth is None:
        return ["  second     no second contact on the other side"]
    exact = (
        ""
        if second.depth_exact is None
        else f" ({second.depth_exact:.5g}{units.length} by the exact geometry)"
    )
    ends = "" if second.ends_at is None else f", to {second.ends_at:.5g}{units.length}"
    wedges = "; two contacts may lock there (wedge), as l/d < mu" if second.wedging else ""
    return [f"  second     contact from {second.depth:.5g}{units.length} of depth{exact}{ends}{wedges}"]


def _jamming(leg: CompliantLeg, told: Any, units: UnitNames) -> list[str]:
    jam = leg.jamming
    if jam is None and told["friction"] > 0:
        return ["  jamming    no diagram of a peg without play"]
    if jam is None:
        return ["  jamming    nothing jams without friction"]
    if not jam.path:
        return ["  jamming    no contact in the hole, so no load on the diagram"]
    across = [point[2] for point in jam.path]
    turning = [point[3] for point in jam.path]
    where = "it stays on the border, where the peg slides in"
    if jam.leaves is not None:
        where = f"from {jam.leaves:.5g}{units.length} of depth no load on it moves the peg on: it jams"
    return [
        f"  jamming    load at the tip: F_x/F_z {min(across):.4g} to {max(across):.4g}, "
        f"M/(r F_z) {min(turning):.4g} to {max(turning):.4g}; {where}"
    ]


def _events(leg: CompliantLeg, units: UnitNames) -> list[str]:
    if not leg.events:
        return []
    rows = [
        (
            f"{event.travel:.5g}",
            event.kind,
            f"{listed(list(event.before)) or 'nothing'} -> {listed(list(event.after)) or 'nothing'}",
            event.detail,
        )
        for event in leg.events
        if event.travel is not None
    ]
    unit = units.length.strip()
    return [
        "  events",
        *table_lines((f"travel [{unit}]" if unit else "travel", "event", "contacts", "depth"), rows),
    ]


def _vector(force: tuple[float, float, float]) -> str:
    return f"({', '.join(f'{each:.5g}' for each in force)})"
