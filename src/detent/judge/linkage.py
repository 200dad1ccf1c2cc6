"""What `explain` says of a linkage of the plane: true mobility, redundancy, and the plan.

The mobility is counted at the closed drawing; joints that repeat each other are
named, and so are those that contradict each other where the drawing cannot
close. The plan is the numbered list by which `move` will work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnsupportedError
from detent.kinematics.equations.assemble import Assembled, assembled, proved_open
from detent.kinematics.equations.mobility import MobilityAnalysis, mobility
from detent.kinematics.equations.newton import close
from detent.kinematics.equations.rows import Floats, drawn_poses, place, rows_of
from detent.kinematics.equations.start import refuse_stuck, what_is_missing
from detent.kinematics.paths.drive_path import drive_path_of
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.tables import Plan
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneLinkage, plane_linkage_of
from detent.model.machine.timing import problems

# Joints up to which a drawing that does not close is searched for the ones that contradict.
MOST_SEARCHED = 60


@dataclass(frozen=True)
class Linkage:
    """Plain data for the explanation; empty where the question has no answer."""

    closes: bool | None = None  # whether its drawing does; None where nothing is known of it
    actual: int | None = None
    why: str = ""
    redundant: tuple[dict[str, Any], ...] = ()
    plan: tuple[dict[str, Any], ...] = ()
    summary: dict[str, int] | None = None
    displaced: tuple[tuple[str, float, float], ...] = ()  # of a drawing that closes: by part, how far, turned

    @property
    def rigid(self) -> bool:
        """Whether nothing of it can move, or its drawing cannot close."""
        return self.actual == 0 or self.closes is False


def linkage_of(mechanism: Mechanism) -> Linkage:
    """Mobility and plan; nothing for a machine that leaves the plane, or with joints that are not known."""
    if not mechanism.joints:
        return Linkage()
    try:
        system = plane_linkage_of(mechanism)
    except (UnsupportedError, ModelError):
        return Linkage()
    drawn, rows = drawn_poses(system), rows_of(system)
    is_open = not close(rows, drawn, max_steps=0).closed
    if is_open and (proved := proved_open(system, drawn)) is not None:
        return _open(system, proved)
    closure = close(rows, drawn)
    poses = closure.poses
    if not closure.closed:
        few = len(system.pairs) <= MOST_SEARCHED
        assembly = assembled(system, drawn) if few else Assembled(drawn, False, closure.widest, closure.gap)
        if not assembly.closed:
            return _open(system, assembly)
        poses = assembly.poses
    dof = mobility(system, poses)
    plan = _plan(mechanism, system, poses)
    if dof.actual is None and plan is not None and plan.regular:
        rows = rows_of(system)
        why = "the plan solves every joint in closed form with none left over, so all are independent"
        dof = MobilityAnalysis(rows.unknowns - rows.equations, (), why)
    return Linkage(
        closes=True,
        actual=dof.actual,
        why=dof.why if mechanism.dimension == 2 else _in_plane(system, dof),
        redundant=tuple(
            {"joints": list(r.joints), "everywhere": r.everywhere, "why": r.why} for r in dof.redundant
        ),
        plan=_steps(plan),
        summary=_summary(plan),
        displaced=_displaced(system, drawn, poses) if is_open else (),
    )


def _displaced(system: PlaneLinkage, drawn: Floats, poses: Floats) -> tuple[tuple[str, float, float], ...]:
    """How far closing displaces each moving part: the farthest of its markers [document units], its turn."""
    found = []
    for part in system.moving:
        marks = [mark for mark in system.marks.values() if mark.part == part]
        far = max((abs(place(mark, poses) - place(mark, drawn)) for mark in marks), default=0.0)
        turn = float(poses[part, 2] - drawn[part, 2])
        found.append((system.parts[part], far / system.metres_per_unit, turn))
    return tuple(found)


def _in_plane(system: PlaneLinkage, dof: MobilityAnalysis) -> str:
    """Why a machine in space has the mobility of its motion in the plane."""
    moving, equations = len(system.moving), rows_of(system).equations
    counted = f"in the plane that it moves in 3 × {moving} − {equations} = {3 * moving - equations}"
    return f"{counted}; {dof.why.partition(', so Gruebler')[0]}"


def _open(system: PlaneLinkage, assembly: Assembled) -> Linkage:
    missing = f"{what_is_missing(system, assembly)} at {assembly.joint}"
    why = f"these joints contradict each other: {missing}"
    named = (*assembly.with_, assembly.joint)
    return Linkage(
        closes=False,
        why=f"the drawing cannot close, so it has no mobility; {why}",
        redundant=({"joints": list(named), "everywhere": True, "why": why},),
    )


def _plan(mechanism: Mechanism, system: PlaneLinkage, poses: Floats) -> Plan | None:
    if problems(mechanism.drives):
        return None
    # A plan does not depend on the positions: millions of them need not be made.
    drives = {name: replace(drive, steps=None) for name, drive in mechanism.drives.items()}
    try:
        path = drive_path_of(mechanism, system, drives)
        refuse_stuck(system, poses, path.inputs)
    except (ModelError, UnsupportedError):
        return None
    return make_plan(system, poses, path.inputs)


def _steps(plan: Plan | None) -> tuple[dict[str, Any], ...]:
    if plan is None:
        return ()
    return tuple({"step": s.step, "parts": list(s.parts), "unknowns": s.unknowns} for s in plan.steps)


def _summary(plan: Plan | None) -> dict[str, int] | None:
    if plan is None:
        return None
    left = plan.summary
    return {
        "dyads": left.dyads,
        "unknowns_left": left.unknowns_left,
        "equations_left": left.equations_left,
    }
