"""What an answer of `move` holds for: how sure, of what, what it leaves out, what it takes for granted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from detent.foundation.names import few, listed
from detent.kinematics.equations.rows import Floats, drawn_poses
from detent.kinematics.paths.analysis import without_transmission
from detent.model.document.base import angle_of
from detent.model.machine.drawn.overlap_at import MovedShapes
from detent.model.machine.drawn.repeated import repeated_joints
from detent.model.machine.graph import floating_groups
from detent.model.machine.plane_linkage import PlaneLinkage
from detent.model.machine.starts import start_by_joint
from detent.motion.kinematic.acting import ActingForces
from detent.motion.kinematic.linkage_run import LinkageRun
from detent.motion.kinematic.passing import PassingSearch
from detent.record.motion import PassingPair
from detent.record.scope import Certainty, Scope

MOST_NAMED = 8  # parts in one sentence
MOST_PAIRS = 3  # of parts, in an entry of what is left out


def scope_of(run: LinkageRun, acting: ActingForces, forces: str, overlaps: PassingSearch) -> Scope:
    """The scope of a motion; `forces` says what they contain, `overlaps` where overlap was looked for."""
    certainty, covers = _covered(run)
    if run.walk is not None and len(run.walk.frames.inputs) and run.end < run.limit_place:
        covers += "; extremes are those up to the last position before it"
    if forces:
        covers += f"; {forces}, their extremes computed between positions"
    return Scope(
        certainty=certainty,
        covers=covers,
        left_out=(
            *_contact(run, overlaps),
            *_stops(run),
            *_balance(run, acting),
            *acting.left_out,
            *_transmission(run),
        ),
        assumed=acting.assumed if forces else ("rigid parts",),
    )


def _covered(run: LinkageRun) -> tuple[Certainty, str]:
    certificate = run.certificate
    way = "all the way" if run.cause == "done" else f"up to the {run.cause}"
    if run.direct is not None and any(run.direct.gaps):
        return (
            "sampled",
            "links keep their lengths at the positions shown; joints stay open where a gap is told",
        )
    if run.walk is None:
        return "sampled", "the joints close at the positions shown, not between them"
    if not len(run.walk.frames.inputs):
        return "computed", "the first position cannot be reached; those after it are not tried"
    if certificate.startswith("proved:"):
        return "proved", f"the joints close {way}"
    return "computed", f"the joints close {way} ({certificate or 'followed step by step'})"


def _transmission(run: LinkageRun) -> tuple[str, ...]:
    """Parts that have no transmission angle though pins join them, and why."""
    if run.walk is None or not len(run.walk.frames.inputs):
        return ()
    parts = without_transmission(run.walk.plan)
    if len(parts) < 2:
        return ()
    twice = [f"; {words}" for words in repeated_joints(run.mechanism)[:1]]
    words = f"transmission angles of {few(parts, MOST_NAMED)} (found together, not as two links on three pins"
    return (f"{words}{''.join(twice)})",)


def _stops(run: LinkageRun) -> tuple[str, ...]:
    """Limits of joints that nothing stops at: joints stay open, or close at positions alone."""
    if run.walk is not None:
        return ()
    names = [name for name, joint in run.mechanism.joints.items() if joint.limits is not None]
    return tuple(f"joints.{name}.limits (it goes on through these stops)" for name in names)


def _balance(run: LinkageRun, acting: ActingForces) -> tuple[str, ...]:
    """What acts on a linkage of which no balance is sought: joints stay open, or close at positions alone."""
    return (f"forces from {listed(acting.counted)}",) if run.walk is None and acting.anything else ()


def _contact(run: LinkageRun, overlaps: PassingSearch) -> tuple[str, ...]:
    looked = overlaps.places
    words = [f"contact (overlap is looked for at {looked} places)" if looked else "contact"]
    if run.walk is None and MovedShapes(run.mechanism).pairs:
        words = ["contact (overlap is not looked for)"]
    if overlaps.at_joints:
        pairs = few([":".join(pair) for pair in overlaps.at_joints], MOST_PAIRS)
        words.append(f"overlap of pairs at one pin, weld or gear ({pairs})")
    if overlaps.not_layered:
        parts = few(overlaps.not_layered, MOST_PAIRS)
        words.append(f"overlap of parts that are not stacks of prisms along z ({parts})")
    touching = run.mechanism.touching
    if touching is not None and touching.friction is not None:
        words.append("touching.friction")
    if run.mechanism.contacts:
        words.append("contacts")
    return tuple(words)


def overlap_note(pair: PassingPair, where: str) -> str:
    """What is to be said of two parts that pass through each other."""
    first, second = pair.parts
    first_seen = " at the first position already" if pair.at_start else f", first at {where}"
    return f"{first} and {second} overlap{first_seen}; move does not stop at contact (--contact does)"


def freedom_note(run: LinkageRun, count: int, parts: tuple[str, ...], poses: Floats) -> str:
    """What is to be said of freedoms that nothing drives, of a linkage that goes through `poses`.

    Of parts that hang on nothing fixed one is held where it is drawn, and the others go past it. A part that
    is joined to nothing has freedoms of its own, which are not among these.
    """
    freedoms = "1 freedom is" if count == 1 else f"{count} freedoms are"
    floating = [names for names in floating_groups(run.mechanism) if any(part in parts for part in names)]
    hanging = {part for names in floating for part in names}
    held = [part for part in _unmoved(run.system, poses) if part in parts and part in hanging]
    moved = [part for part in parts if part not in held]
    words = (
        [f"{_these(held)} held where the drawing has {'it' if len(held) == 1 else 'them'}"] if held else []
    )
    if moved and held and count == 3 * len(floating):
        words.append(f"{few(moved, MOST_NAMED)} {'moves' if len(moved) == 1 else 'move'} past it")
    elif moved:
        words.append(f"{_these(moved)} moved as little as possible")
    return f"{freedoms} not driven: {', and '.join(words)}, which no machine does"


def _these(parts: Sequence[str]) -> str:
    return f"{few(parts, MOST_NAMED)} {'is' if len(parts) == 1 else 'are'}"


def _unmoved(system: PlaneLinkage, poses: Floats) -> list[str]:
    """Moving parts that stay where the drawing has them all the way."""
    drawn = drawn_poses(system)
    away = np.abs(poses - drawn).max(axis=0, initial=0.0)
    still = (away[:, :2].max(axis=1) <= system.tolerance.length) & (away[:, 2] <= system.tolerance.angle)
    return [system.parts[part] for part in system.moving if still[part]]


def start_note(run: LinkageRun) -> tuple[str, ...]:
    """What `start` does where drives say where a linkage goes: it says how the links are put together."""
    starts = start_by_joint(run.mechanism)
    placed = [name for name, start in starts.items() if angle_of(start.at, start.at_deg) is not None]
    if not placed:
        return ()
    return (f"drives say where it goes; start ({few(placed, MOST_NAMED)}) how its links are assembled",)
