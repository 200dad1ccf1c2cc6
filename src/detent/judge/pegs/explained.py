"""What `explain` says of a peg above its hole: sizes, springs, errors, diagrams, force against depth.

Lengths in the document's units, forces and stiffnesses in SI, angles in radians.
"""

from __future__ import annotations

import math
from typing import Any

from detent.foundation.units import metres
from detent.judge.pegs import jamming, theory
from detent.judge.pegs.exact_geometry import Equilibrium
from detent.judge.pegs.passage import WORDS, Pushes
from detent.judge.pegs.recognise import NotAPeg, pegs_of
from detent.judge.pegs.story import PegStory
from detent.model.document.mechanism import Mechanism
from detent.record.scope import Scope

COLUMNS = ("depth", "travel", "F_z", "F_x", "tilt", "F_z_exact", "F_x_exact", "tilt_exact")
EXACT_COLUMNS = ("depth", "F_z", "F_x", "tilt")
LEFT_OUT = (
    "inertia and damping: the peg is led slowly",
    "friction's history: the peg slides down at every contact",
    "what peg and hole give way at contacts",
)


def explained_pegs(mechanism: Mechanism) -> dict[str, Any]:
    """Of each peg by its part; `why_not` of what looks like one and is none for this theory."""
    told: dict[str, Any] = {}
    for found in pegs_of(mechanism):
        if isinstance(found, NotAPeg):
            told[found.joint] = {"why_not": found.why, "at": found.at, "remedy": found.remedy}
        else:
            told[found.part] = peg_told(PegStory(found), 1 / metres(mechanism.units))
    return told


def peg_told(story: PegStory, per_metre: float) -> dict[str, Any]:
    """Plain data of one peg."""
    found, peg = story.found, story.found.theory
    answer, why = story.answer
    nose = found.nose
    tip_below = per_metre * nose

    def deep(depth: float) -> float:
        return per_metre * depth + tip_below

    twice, wedge = story.two_points, story.wedging
    return {
        "peg": found.part,
        "hole": found.hole_part,
        "carrier": found.carrier,
        "joint": found.joint,
        "down": found.down.tolist(),
        "across": found.across.tolist(),
        "hole_width": 2 * per_metre * peg.hole,
        "peg_width": 2 * per_metre * peg.radius,
        "clearance": 2 * per_metre * peg.play,
        "c": peg.clearance,
        "friction": peg.friction,
        "chamfer": _chamfer(story, per_metre),
        "compliance_centre": per_metre * peg.centre + tip_below,
        "K_x": peg.lateral,
        "K_th": peg.tilt,
        "K_z": None if math.isinf(found.axial) else found.axial,
        "eps0": per_metre * peg.error,
        "th0": peg.lean,
        "bore": per_metre * found.bore,
        "nose": tip_below,
        "metres": 1 / per_metre,
        "goes_in": {"answer": answer, "why": why},
        "regimes": [
            {
                "regime": WORDS[each.regime],
                "from": deep(each.begin),
                "to": deep(each.end),
                "side": each.side,
                "F_z": [story.row(each, depth).along for depth in (each.begin, each.end)],
            }
            for each in story.stretches
        ],
        "two_points": None
        if twice is None
        else {
            "begin": deep(twice[0]),
            "end": deep(twice[1]),
            "estimate": _number(per_metre * theory.estimated_two_point(_pressed(story)) + tip_below),
        },
        "wedging": {
            "possible": wedge.possible,
            "l_over_d": wedge.share,
            "greatest_tilt": _number(wedge.greatest_lean),
            "down_to": per_metre * wedge.depth,
            "index": _number(theory.wedging_index(_pressed(story))) if peg.clearance > 0 else None,
            "between": None if story.may_wedge is None else [deep(depth) for depth in story.may_wedge],
        },
        "jamming": jamming_told(story, per_metre),
        "force": {"columns": list(COLUMNS), "rows": [_row(story, row, per_metre) for row in story.rows]},
        "exact_geometry": {
            "peak_chamfer": story.exact_chamfer,
            "second_contact": None if story.exact_second is None else deep(story.exact_second),
            "locks": story.exact.locks,
            "columns": list(EXACT_COLUMNS),
            "rows": [_exact_row(story, held, per_metre) for held in story.exact.rows],
            "jumps": _jumps(story),
        },
        "peak_chamfer": None if story.chamfer_end is None else story.chamfer_end.along,
        "peak_chamfer_travel": None if story.chamfer_travel is None else per_metre * story.chamfer_travel,
        "peak_chamfer_usual_form": story.usual_chamfer_force,
        "scope": scope_of(story),
    }


def _pressed(story: PegStory) -> theory.Peg:
    """Mirrored so that the tip is off towards +x."""
    peg = story.found.theory
    return peg if peg.error >= 0 else peg.mirrored


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _chamfer(story: PegStory, per_metre: float) -> dict[str, Any] | None:
    found = story.found
    if found.width is None:
        return None
    on = found.part if found.on_peg else found.hole_part
    angle = found.theory.angle
    return {
        "on": on,
        "width": per_metre * found.width,
        "angle": angle,
        "rounded": found.rounded,
    }


def jamming_told(story: PegStory, per_metre: float) -> dict[str, Any] | None:
    """The parallelograms where two contacts begin and end, and the path of the load; None without
    friction.
    """
    peg = story.found.theory
    if peg.friction == 0 or peg.play <= 0:
        return None
    tip_below = per_metre * story.found.nose
    depths = [depth for depth in story.two_points or () if depth > 0] or [
        story.rows[-1].depth if story.rows[-1].depth > 0 else story.deepest
    ]
    lams = [jamming.slenderness(peg, depth) for depth in depths]
    leaves = story.leaves
    return {
        "depth": [per_metre * depth + tip_below for depth in depths],
        "lam": lams,
        "vertices": [[list(vertex) for vertex in jamming.vertices(peg.friction, lam)] for lam in lams],
        "path": [
            [per_metre * depth + tip_below, lam, across, turning]
            for depth, lam, across, turning in story.path
        ],
        "path_columns": ["depth", "lam", "F_x/F_z", "M/(r F_z)"],
        "leaves": None if leaves is None else per_metre * leaves + tip_below,
    }


def _row(story: PegStory, row: Pushes, per_metre: float) -> list[float | None]:
    held = story.exact_at(row)
    alike = held is not None and _alike(row, held.names)
    exact = (held.along, held.across, held.lean) if held is not None and alike else (None, None, None)
    tip_below = per_metre * story.found.nose
    return [
        per_metre * row.depth + tip_below,
        per_metre * story.travel(row),
        row.along,
        row.across,
        row.lean,
        *exact,
    ]


def _jumps(story: PegStory) -> list[int]:
    """Rows of the exact geometry that are the first past its chamfer, where the force falls at once."""
    on_chamfer = [any("chamfer" in name for name in held.names) for held in story.exact.rows]
    return [k for k in range(1, len(on_chamfer)) if on_chamfer[k - 1] and not on_chamfer[k]]


def _exact_row(story: PegStory, held: Equilibrium, per_metre: float) -> list[float]:
    """Depths along the pressed side, as those of the closed forms."""
    peg = story.found.theory
    side = 1.0 if peg.error >= 0 else -1.0
    depth = held.depth - side * peg.radius * math.sin(held.lean)
    return [per_metre * (depth + story.found.nose), held.along, held.across, held.lean]


def scope_of(story: PegStory) -> Scope:
    """What the closed forms hold for."""
    found = story.found
    assumed = list(found.assumed)
    if found.beside:
        assumed.append("free across the plane, where it is off by less than its play")
    left_out = [*LEFT_OUT, *found.left_out]
    if found.rounded:
        left_out.append("the crossing of a rounded edge: the closed form is that of a chamfer")
    if story.first("both"):
        left_out.append("that a peg held on both sides may tilt on where it is pushed far harder")
    if story.leaves is None:
        left_out.append("locked equilibria (wedging) beside the one that slides")
    return Scope(
        certainty="computed",
        covers=(
            "quasi-static, planar, rigid, small angles: closed forms to first order in errors and clearance"
            f"{_difference(story)}"
        ),
        left_out=tuple(left_out),
        assumed=tuple(assumed),
    )


def _difference(story: PegStory) -> str:
    """How far the exact geometry is from them, where both have the same contacts, and of their peaks."""
    worst, end, peak = 0.0, story.chamfer_end, story.exact_chamfer
    if (
        end is not None
        and end.along > 0
        and peak is not None
        and story.first("rim", "tip", "flat", "two points")
    ):
        worst = abs(float(peak) / end.along - 1)
    for row in story.rows:
        held = story.exact_at(row)
        if held is None or row.along <= 0 or held.along <= 0:
            continue
        if _alike(row, held.names):
            worst = max(worst, abs(float(held.along) / row.along - 1))
    return f"; the exact geometry differs by up to {100 * worst:.2g} % at these sizes" if worst > 0 else ""


def _alike(row: Pushes, names: tuple[str, ...]) -> bool:
    kinds = {
        "chamfer": {"chamfer"},
        "rim": {"rim"},
        "tip": {"corner"},
        "flat": {"rim", "corner"},
        "two points": {"rim", "corner"},
    }
    return {name.split()[1] for name in names} == kinds.get(row.regime, set())
