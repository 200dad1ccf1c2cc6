"""The scope of a mating: what is decided and how, what the method leaves out, what it assumes."""

from __future__ import annotations

import math
from itertools import combinations, groupby

from detent.foundation.names import listed
from detent.geometry.exact.polygon import ExactLeaf
from detent.judge.insertion import further_legs, insertion_legs
from detent.judge.wedged import ROUNDING, wedge_words, wedges
from detent.mechanics.springs import TorqueTable
from detent.model.document.drive import Drive
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.guided import friction_on_the_way, guide_words
from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.answer import some_would_stick
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.exact.root import slides_along
from detent.motion.quasistatic.fastener_run import FastenerRun
from detent.record.mating import Diode
from detent.record.scope import Scope

_MATERIAL_KEYS = ("density", "modulus", "secant_modulus", "strain_once", "strain_repeated")
_MASS_KEYS = ("mass", "center", "inertia", "principal", "density")
_CHORD_TURNS = math.radians(15)  # from a chord of an arc to the next, at most; more is a corner of a design
_ARC_CORNERS = 4  # one after the other that turn the same way by less than that: fewer are no arc


def mating_scope(evidence: FastenerRun, diode: Diode | None, pulls: tuple[LegRun, ...]) -> Scope:
    """What the answer of `detent mate` holds for; `pulls` are those out of it, on which `diode` rests."""
    runs = (*evidence.plan.legs, *pulls)
    exact = all(run.exact for run in runs)
    decided = (
        "the order, the instants and the kinds of all events are decided in exact arithmetic"
        if exact
        else "events are decided in floating point, by signs that exceed 1e-9 of the machine's size"
    )
    return Scope(
        certainty="proved" if exact else "computed",
        covers=f"{decided}, for rigid outlines and motion without inertia (quasi-static); "
        f"{_numbers(evidence)}",
        left_out=(*_left_out(evidence, diode), *_rubbed(evidence, runs)),
        assumed=(*_assumed(evidence, runs), *_guide(evidence), *_wedged(evidence, diode)),
    )


def _numbers(evidence: FastenerRun) -> str:
    """How sure forces and poses are: with `force_digits` the largest forces of pawls have proved bounds."""
    mechanism = evidence.mechanism
    asked = mechanism.ask.mate if mechanism.ask is not None else None
    computed = "forces, with their peaks between events, and poses are computed in floating point"
    if asked is None or asked.force_digits is None:
        return computed
    return (
        "the largest forces of each pawl in each leg lie between two proved numbers (`force_digits`); all "
        "other forces, and poses, are computed in floating point"
    )


def _left_out(evidence: FastenerRun, diode: Diode | None) -> list[str]:
    """By its key, what the document has and the method does not look at."""
    mechanism = evidence.mechanism
    lines = ["inertia: motion is quasi-static; a snap takes no time"]
    further, last = further_legs(evidence), len(insertion_legs(evidence))
    if further:
        legs = f"leg{'s' * (len(further) > 1)} {listed([str(number) for number in further])}"
        judged = f"leg {last}" if last == 1 else f"legs 1 to {last}"
        lines.append(
            f"{legs}: whether it is in, with what force, and what holds it is asked of {judged} alone"
        )
    if last > 1 and diode is not None and (not diode.way_back or diode.way_back.cause == "done"):
        lines.append(
            "the legs backwards, one after the other: what holds it is asked of straight pulls from the end "
            f"of leg {last}; write the whole way back as legs of the plan"
        )
    if mechanism.gravity is not None and any(mechanism.gravity):
        lines.append("gravity: parts have no weight")
    lines += [line for name, part in mechanism.parts.items() for line in _of_part(name, part)]
    lines += _materials(mechanism)
    lines += [line for name, joint in mechanism.joints.items() for line in _of_joint(name, joint)]
    touching = mechanism.touching
    if touching is not None:
        of_pairs = {f"touching.pairs.{pair}": entry.restitution for pair, entry in touching.pairs.items()}
        rebounds = {"touching": touching.restitution, **of_pairs}
        lines += [f"{at}.restitution: nothing hits at speed" for at, rebound in rebounds.items() if rebound]
        if touching.smooth is not None:
            lines.append("touching.smooth: friction of rigid parts has its full size at any speed")
    lines += [line for name, drive in mechanism.drives.items() for line in _of_drive(name, drive)]
    if mechanism.contacts:
        lines.append("contacts that the document gives: those of its outlines count")
    lines += _pairs(evidence)
    return lines


def _of_part(name: str, part: object) -> list[str]:
    keys = [key for key in _MASS_KEYS if getattr(part, key) is not None]
    return [f"parts.{name}.{', '.join(keys)}: no mass counts in quasi-static motion"] if keys else []


def _materials(mechanism: Mechanism) -> list[str]:
    lines = []
    for name, material in mechanism.materials.items():
        keys = [key for key in _MATERIAL_KEYS if getattr(material, key) is not None]
        if keys:
            weight = "; a flat part would weigh as if 1 m thick" if "density" in keys else ""
            lines.append(
                f"materials.{name}.{', '.join(keys)}: parts are rigid, "
                f"no strain or stress is computed{weight}"
            )
    return lines


def _of_joint(name: str, joint: Joint) -> list[str]:
    lines = [f"joints.{name}.damping: it acts on speeds only"] if joint.damping is not None else []
    return lines + ([f"joints.{name}.friction: joints turn freely"] if joint.friction is not None else [])


def _of_drive(name: str, drive: Drive) -> list[str]:
    keys = [key for key in ("torque", "speed", "speed_deg") if getattr(drive, key) is not None]
    return [f"drives.{name}.{', '.join(keys)}: its legs say how it goes"] if keys else []


def _pairs(evidence: FastenerRun) -> list[str]:
    """Pairs that may touch by the document, and that nothing looks at."""
    fastener, pairs = evidence.fastener, TouchingPairs(evidence.mechanism)
    parts = [pawl.part for pawl in fastener.pawls]
    with_root = [
        f"{fastener.root}:{part}"
        for part in parts
        if fastener.root_leaves and not pairs.ignored(fastener.root, part)
    ]
    of_pawls = [f"{a}:{b}" for a, b in combinations(parts, 2) if not pairs.ignored(a, b)]
    lines = [f"contact of {', '.join(with_root)}: a pawl goes through its own root"] if with_root else []
    return lines + ([f"contact of {', '.join(of_pawls)}: pawls go through each other"] if of_pawls else [])


def _assumed(evidence: FastenerRun, runs: tuple[LegRun, ...]) -> list[str]:
    frictions = {mu for pawl in evidence.fastener.pawls for _, mu in pawl.obstacles}
    lines = []
    if any(mu != 0 for mu in frictions):
        lines.append("Coulomb friction, one coefficient for holding and sliding")
    if not frictions or any(mu == 0 for mu in frictions):
        lines.append("no friction where `touching` gives none, or 0")
    stretches = [
        stretch
        for run in runs
        for pawl_run in run.pawl_runs
        for stretch in pawl_run.stretches
        if len(stretch.arc.loaded) > 1
    ]
    if stretches:
        lines.append(
            "where several contacts carry at once, of those that can slide the one that resists most carries "
            "all: statics leaves their shares open, and the force may be less"
        )
    if any(some_would_stick(stretch) for stretch in stretches):
        lines.append(
            "a contact that alone would stick carries nothing where another can slide: statics leaves that "
            "open too, and where it does carry the force has no bound, and it may hold"
        )
    tables = {p.joint: p.spring for p in evidence.fastener.pawls if isinstance(p.spring, TorqueTable)}
    lines += [
        f"the torque of {joint} is straight between the points of its table, and goes on so beyond "
        f"{math.degrees(table.angles[0]):.6g}° and {math.degrees(table.angles[-1]):.6g}° from rest"
        for joint, table in tables.items()
    ]
    return lines + _arcs(evidence)


def _guide(evidence: FastenerRun) -> tuple[str, ...]:
    """The drive as a guide, where springs press the root across the push or turn it."""
    metres = evidence.fastener.size * evidence.fastener.metres
    for leg, story in zip(evidence.plan.legs, evidence.stories, strict=True):
        u, v = (float(each) / math.hypot(*map(float, leg.line.velocity)) for each in leg.line.velocity)
        for x, y, moment in story.force.on_root:
            along, across = abs(_times(u, x) + _times(v, y)), abs(_times(u, y) - _times(v, x))
            if max(across, abs(moment) / metres) > ROUNDING * along:
                return guide_words([evidence.fastener.root])
    return ()


def _times(share: float, force: float) -> float:
    """Of a force that may be without bound."""
    return share * force if share else 0.0


def _rubbed(evidence: FastenerRun, runs: tuple[LegRun, ...]) -> tuple[str, ...]:
    """Friction of the root against what it slides along, on the plan and on pulls out of it."""
    machine = evidence.fastener
    parts = [
        part
        for run in runs
        for part in slides_along(
            machine.root_leaves,
            machine.root_obstacles,
            run.line.shift,
            run.line.velocity,
            (float(run.line.start), float(run.end)),
        )
    ]
    return friction_on_the_way(evidence.mechanism, [(machine.root, part) for part in parts])


def _wedged(evidence: FastenerRun, diode: Diode | None) -> list[str]:
    """What legs leave wedged, of those that something leads back from."""
    legs = evidence.plan.legs
    inserted = len(insertion_legs(evidence)) if diode is not None else None
    return [
        f"leg {number}: {wedge_words(wedge)}"
        for number, leg in enumerate(legs, 1)
        if number < len(legs) or number == inserted
        for wedge in wedges(evidence, leg)
    ]


def _arcs(evidence: FastenerRun) -> list[str]:
    """What chords leave open of the arcs that they stand for.

    On the arc the force leans up to half of what a chord turns to one side, as it does with another friction.
    """
    turned: dict[str, float] = {}
    other_friction = 0.0
    for pawl in evidence.fastener.pawls:
        facing = [(obstacle, float(friction)) for obstacle, friction in pawl.obstacles]
        most = max((friction for _, friction in facing), default=0.0)
        for leaf, friction in (*((leaf, most) for leaf in pawl.leaves), *facing):
            turn = _largest_turn_of_chords(leaf)
            if turn:
                turned[leaf.part] = max(turn, turned.get(leaf.part, 0.0))
                leaning = math.tan(math.atan(friction) + turn / 2)
                other_friction = max(other_friction, leaning - friction)
    if not turned:
        return []
    turn = math.degrees(max(turned.values()))
    return [
        f"arcs of {listed(list(turned))} are their chords, up to {turn:.3g}° from one to the next: on smooth "
        f"arcs forces and sticking are those of a coefficient of friction up to about {other_friction:.3g} "
        "larger or smaller, so ask with those too, or draw shorter chords"
    ]


def _largest_turn_of_chords(leaf: ExactLeaf) -> float:
    """By how much a chord of an arc turns from the one before it [rad], at most; 0 without an arc."""
    largest = 0.0
    for ring in leaf.rings:
        points = [(float(leaf.points[vertex][0]), float(leaf.points[vertex][1])) for vertex in ring]
        edges = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:] + points[:1], strict=True)]
        turns = [
            math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])
            for a, b in zip(edges, edges[1:] + edges[:1], strict=True)
        ]
        # Twice around: an arc may go on through the first vertex.
        for sense, corners in groupby(turns + turns, key=_sense_of_chord):
            sizes = [abs(turn) for turn in corners]
            if sense and len(sizes) >= _ARC_CORNERS:
                largest = max(largest, *sizes)
    return largest


def _sense_of_chord(turn: float) -> int:
    """The way that a chord of an arc turns, 1 or -1; 0 at a corner that turns by more."""
    return 0 if not 0 < abs(turn) <= _CHORD_TURNS else 1 if turn > 0 else -1
