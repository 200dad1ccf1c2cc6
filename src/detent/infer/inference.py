"""From shapes to joints: every pair of a machine, named and typed, beside what the document says itself."""

from __future__ import annotations

from dataclasses import replace

from detent.foundation.names import listed
from detent.infer import axial
from detent.infer.fixed_axes import fixed_axes
from detent.infer.found import Dropped, Inference, InferredPair, OpenQuestion
from detent.infer.gears import GearPair, gear_pairs
from detent.infer.interactions import interactions
from detent.infer.matching.round_match import round_matches
from detent.infer.pair import LowerPair, travel
from detent.infer.pairs import PairSearch, search
from detent.infer.reasons import compared, end_words, reason, tight_pin
from detent.infer.resolve import acts_on_nothing, with_found
from detent.infer.solids import MachineSolids, machine_solids
from detent.infer.states import state_variables
from detent.model.document.axes import axis_vector
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import is_robot
from detent.model.machine import graph

CLEARANCE = 0.02  # unless the document says another
JOINTS = ("revolute", "prismatic", "cylindrical", "fixed")


def infer(mechanism: Mechanism) -> Inference:
    """The joints of a machine from the shapes of its parts, with reasons, beside those given by hand."""
    machine = machine_solids(mechanism)
    joints, dropped, questions = found_joints(machine, compare=True, add=may_add(mechanism))
    resolved = with_found(mechanism, joints)
    touching, unbounded = interactions(machine, joints)
    mobility, coordinates = state_variables(resolved)
    return Inference(
        joints=tuple(joints),
        dropped=tuple(dropped),
        open=(*questions, *acts_on_nothing(mechanism, joints)),
        interactions=tuple(touching),
        unbounded=tuple(unbounded),
        subsystems=tuple(graph.groups(resolved)),
        elementary=fixed_axes(machine, joints),
        coordinates=coordinates,
        mobility=mobility,
        clearance=clearance_of(mechanism),
    )


def may_add(mechanism: Mechanism) -> bool:
    """Whether joints may be added: not where parts are pushed, or contacts given, and so only touch."""
    pushed = any(drive.joint is None for drive in mechanism.drives.values())
    asked = mechanism.ask is not None and (mechanism.ask.mate is not None or mechanism.ask.modes is not None)
    return not (pushed or asked or mechanism.contacts or mechanism.rows is not None)


def clearance_of(mechanism: Mechanism) -> float:
    """Of a pin in its hole, as a share of the hole."""
    said = None if mechanism.infer is None else mechanism.infer.clearance
    return CLEARANCE if said is None else float(said)


def found_joints(
    machine: MachineSolids, *, compare: bool, add: bool
) -> tuple[list[InferredPair], list[Dropped], list[OpenQuestion]]:
    """Joints of the document and joints added, dropped freedoms, open questions."""
    mechanism = machine.mechanism
    questions = _of_the_frame(machine)
    spoken_for = {part for joint in mechanism.joints.values() for part in graph.parts_of(joint)}
    spoken_for |= {d.part or (d.marker or "").partition(".")[0] for d in mechanism.drives.values()}
    result = search(machine, clearance_of(mechanism), spoken_for)
    gears = gear_pairs(machine)
    joints: list[InferredPair] = []
    used: set[int] = set()
    for name, joint in mechanism.joints.items():
        parts = graph.parts_of(joint)
        pair = _pair_between(machine, result, parts)
        if pair is not None:
            used.add(id(pair))
        gear = next((g for g in gears if set(g.parts) == set(parts)), None)
        joints.append(_of_document(machine, name, joint, pair, gear, questions, compare))
    if add:
        joints += _added(machine, result, gears, used, questions)
    fixed = {name for name, part in mechanism.parts.items() if part.fixed}
    joints = axial.hold_by_loops(joints, fixed)
    joints, dropped = axial.drop_axial(machine, joints)
    joints = axial.hold_by_loops(joints, fixed)  # what is dropped may close a loop in the plane
    joints = [_with_travel(machine, joint) for joint in joints]
    if add:
        questions += _loose(machine, joints)
    return joints, dropped, questions


def _of_document(
    machine: MachineSolids,
    name: str,
    joint: Joint,
    pair: LowerPair | None,
    gear: GearPair | None,
    questions: list[OpenQuestion],
    compare: bool,
) -> InferredPair:
    parts = graph.parts_of(joint)
    if joint.type == "gear" and joint.ratio is None:
        return _gear_joint(name, parts, gear, questions)
    if joint.type != "infer":
        placed = machine.placed.joints[name]
        knows = machine.placed.knows(placed)
        given = InferredPair(
            name,
            joint.type,
            parts,
            placed.point_in_world if knows else None,
            placed.axis_in_world if knows else None,
            ratio=joint.ratio,
            given=True,
        )
        return replace(given, compared=compared(given, pair, gear, machine)) if compare else given
    if pair is None and gear is not None:
        return _gear_joint(name, parts, gear, questions)
    if pair is None or pair.kind not in (*JOINTS, "planar"):
        questions.append(_not_found(machine, name, parts, pair))
        return InferredPair(name, "infer", parts, why=questions[-1].problem)
    return _joint(machine, name, _pointing(replace(pair, parts=parts), joint))


def _pointing(pair: LowerPair, joint: Joint) -> LowerPair:
    """The pair with its axis pointing as `along` of the document does; up unless that says otherwise."""
    if joint.along is None or pair.direction is None:
        return pair
    x, y, z = pair.direction
    along = axis_vector(joint.along)
    agrees = x * along[0] + y * along[1] + z * along[2] >= 0
    return pair if agrees else replace(pair, direction=(-x, -y, -z))


def _joint(machine: MachineSolids, name: str, pair: LowerPair, *, added: bool = False) -> InferredPair:
    return InferredPair(
        name,
        pair.kind,
        pair.parts,
        pair.point,
        pair.direction,
        why=reason(pair, machine.mechanism.units),
        play=pair.play,
        added=added,
    )


def _with_travel(machine: MachineSolids, joint: InferredPair) -> InferredPair:
    """A slide with how far it goes between flat ends of its two bodies; fixed parts are one."""
    if (
        joint.given
        or joint.direction is None
        or (joint.acts_as or joint.type) not in ("prismatic", "cylindrical")
    ):
        return joint
    first, second = (
        [
            p
            for p in machine.parts.values()
            if p.name == name or (p.fixed and machine.mechanism.parts[name].fixed)
        ]
        for name in joint.parts
    )
    low, high = travel(first, second, joint.direction, machine.size)
    return replace(joint, low=low, high=high, why=joint.why + end_words(low, high, machine.mechanism.units))


def _gear_joint(
    name: str,
    parts: tuple[str, str],
    gear: GearPair | None,
    questions: list[OpenQuestion],
    *,
    added: bool = False,
) -> InferredPair:
    if gear is None:
        problem = f"{parts[0]} and {parts[1]} have no gears that touch or overlap in one layer"
        remedy = "give `ratio`, or draw both as cylinders with `teeth` (or `gear = true`) that meet"
        questions.append(OpenQuestion(f"joints.{name}", problem, remedy))
        return InferredPair(name, "infer", parts, why=problem)
    ratio = gear.ratio if gear.parts == parts else 1 / gear.ratio
    return InferredPair(name, "gear", parts, why=gear.why, ratio=ratio, added=added)


def _pair_between(machine: MachineSolids, result: PairSearch, parts: tuple[str, str]) -> LowerPair | None:
    """The pair of two parts; fixed parts are one."""
    fixed = machine.mechanism.parts

    def same(a: str, b: str) -> bool:
        return a == b or (fixed[a].fixed and fixed[b].fixed)

    for pair in result.pairs:
        for one, other in (pair.parts, pair.parts[::-1]):
            if same(one, parts[0]) and same(other, parts[1]):
                return pair
    return None


def _added(
    machine: MachineSolids,
    result: PairSearch,
    gears: list[GearPair],
    used: set[int],
    questions: list[OpenQuestion],
) -> list[InferredPair]:
    """Joints that the document lacks: of all parts where it has none, else of parts joined to nothing.

    Gears hold no axle.
    """
    mechanism = machine.mechanism
    joined = graph.joined_parts(mechanism)
    names = set(mechanism.joints)
    added: list[InferredPair] = []
    for part, carrier in result.fastened.items():
        why = result.fasteners[part]
        added.append(
            InferredPair(_new_name(names, carrier, part), "fixed", (carrier, part), why=why, added=True)
        )
    for pair in result.pairs:
        movers = [part for part in pair.parts if not mechanism.parts[part].fixed]
        if id(pair) in used or pair.kind == "none":
            continue
        lacking = not joined or any(part not in joined for part in movers)
        if pair.kind not in JOINTS:
            if lacking and pair.kind != "planar":
                at = f"parts.{movers[-1]}"
                both = f"faces of {pair.parts[0]} and {pair.parts[1]}"
                problem = f"{both} hold each other, but leave no motion of one joint"
                questions.append(OpenQuestion(at, problem, "give the joint by hand"))
            continue
        if lacking:
            added.append(_joint(machine, _new_name(names, *pair.parts), pair, added=True))
        else:
            both = f"the shapes of {pair.parts[0]} and {pair.parts[1]}"
            problem = f"{both} also make a {pair.kind} pair ({reason(pair, mechanism.units)})"
            remedy = 'both are joined already; add a joint with type = "infer" if it is meant'
            questions.append(OpenQuestion(f"parts.{movers[-1]}", problem, remedy))
    taken = {frozenset(graph.parts_of(joint)) for joint in mechanism.joints.values()}
    turning = {part for j in (*added,) for part in j.parts} | joined
    for gear in gears:
        if frozenset(gear.parts) not in taken and set(gear.parts) <= turning:
            added.append(_gear_joint(_new_name(names, *gear.parts), gear.parts, gear, questions, added=True))
    return added


def _new_name(names: set[str], first: str, second: str) -> str:
    name, k = f"{first}_{second}", 2
    while name in names:
        name, k = f"{first}_{second}_{k}", k + 1
    names.add(name)
    return name


def _not_found(
    machine: MachineSolids, name: str, parts: tuple[str, str], pair: LowerPair | None
) -> OpenQuestion:
    at = f"joints.{name}"
    remedy = 'write the joint: type = "revolute" (or another), at = […]'
    bare = [part for part in parts if part not in machine.parts]
    if bare:
        return OpenQuestion(
            at, f"{listed(bare)} {'has' if len(bare) == 1 else 'have'} no shape to find a joint from", remedy
        )
    clearance = clearance_of(machine.mechanism)
    first, second = (machine.parts[part] for part in parts)
    tight = round_matches(first, second, clearance, machine.size, too_thick=True)
    if tight:
        problem = tight_pin(tight[0], parts, machine.mechanism.units)
        return OpenQuestion(
            at, problem, f'draw the hole as wide as the pin, or {remedy}; "fixed" if pressed in'
        )
    if pair is None:
        play = f"with a play of up to {100 * clearance:.3g} % of a hole or slot"
        problem = f"no face of {parts[0]} lies on a face of {parts[1]}, {play}"
        return OpenQuestion(at, problem, f"{remedy}, or let a pin fit its hole (`infer.clearance`)")
    if pair.kind == "none":
        problem = f"faces of {parts[0]} touch {parts[1]}, but none holds it from leaving"
        return OpenQuestion(at, problem, remedy)
    problem = f"the faces of {parts[0]} and {parts[1]} that hold each other leave no motion of one joint"
    return OpenQuestion(at, problem, remedy)


def _of_the_frame(machine: MachineSolids) -> list[OpenQuestion]:
    """Nothing fixed, or several parts that are fixed."""
    mechanism = machine.mechanism
    fixed = [name for name, part in mechanism.parts.items() if part.fixed]
    shaped = [name for name in fixed if name in machine.parts]
    stands = any(is_robot(part) for part in mechanism.parts.values())  # on its own base
    if not fixed and not stands and mechanism.parts:
        at = next(iter(mechanism.parts))
        return [
            OpenQuestion(
                f"parts.{at}",
                "nothing is fixed, so joints move parts past each other only",
                "give one part `fixed = true`",
            )
        ]
    if len(shaped) > 1:
        problem = f"{listed(shaped)} are all fixed, and count as one frame"
        return [
            OpenQuestion(f"parts.{shaped[1]}", problem, "take `fixed` from the one that moves, if one does")
        ]
    return []


def _loose(machine: MachineSolids, joints: list[InferredPair]) -> list[OpenQuestion]:
    """Moving parts with a shape that no joint holds."""
    mechanism = machine.mechanism
    play = 100 * clearance_of(mechanism)
    joined = {part for joint in joints for part in joint.parts}
    driven = {d.part or (d.marker or "").partition(".")[0] for d in mechanism.drives.values()}
    return [
        OpenQuestion(
            f"parts.{name}",
            f"touches nothing that would hold it with a play of up to {play:.3g} % of a hole: it is free",
            "draw it with a pin in a hole or a block in a slot of its neighbour, allow it more play"
            " (`infer.clearance`), or give its joint",
        )
        for name, part in mechanism.parts.items()
        if not part.fixed and name in machine.parts and name not in joined | driven and not mechanism.contacts
    ]
