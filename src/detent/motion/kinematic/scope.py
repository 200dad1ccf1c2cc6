"""What an answer of `move` holds for: how sure, of what, what it leaves out, what it takes for granted."""

from __future__ import annotations

from detent.foundation.names import few, listed
from detent.model.document.base import angle_of
from detent.model.machine.overlap_at import MovedShapes
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


def freedom_note(count: int, parts: tuple[str, ...]) -> str:
    """What is to be said of freedoms that nothing drives."""
    freedoms = "1 freedom is" if count == 1 else f"{count} freedoms are"
    names = f"{few(parts, MOST_NAMED)} {'is' if len(parts) == 1 else 'are'}"
    return f"{freedoms} not driven: {names} moved as little as possible, which no machine does"


def start_note(run: LinkageRun) -> tuple[str, ...]:
    """What `start` does where drives say where a linkage goes: it says how the links are put together."""
    starts = start_by_joint(run.mechanism)
    placed = [name for name, start in starts.items() if angle_of(start.at, start.at_deg) is not None]
    if not placed:
        return ()
    return (f"drives say where it goes; start ({few(placed, MOST_NAMED)}) how its links are assembled",)
