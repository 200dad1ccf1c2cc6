"""The scope of a mating: what is decided and how, what the method leaves out, what it assumes."""

from __future__ import annotations

from itertools import combinations

from detent.foundation.names import listed
from detent.judge.insertion import further_legs, insertion_legs
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.answer import some_would_stick
from detent.motion.quasistatic.fastener_run import FastenerRun
from detent.record.scope import Scope

_MATERIAL_KEYS = ("density", "modulus", "secant_modulus", "strain_once", "strain_repeated")
_MASS_KEYS = ("mass", "center", "inertia", "principal", "density")


def mating_scope(evidence: FastenerRun, *, pulled: bool) -> Scope:
    """What the answer of `detent mate` holds for; `pulled` says whether pulls out of it were tried."""
    exact = all(leg.exact for leg in evidence.plan.legs)
    decided = (
        "the order, the instants and the kinds of all events are decided in exact arithmetic"
        if exact
        else "events are decided in floating point, by signs that exceed 1e-9 of the machine's size"
    )
    return Scope(
        certainty="proved" if exact else "computed",
        covers=f"{decided}, for rigid outlines and motion without inertia (quasi-static); forces, "
        "with their peaks between events, and poses are computed in floating point",
        left_out=tuple(_left_out(evidence, pulled)),
        assumed=tuple(_assumed(evidence)),
    )


def _left_out(evidence: FastenerRun, pulled: bool) -> list[str]:
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
    if last > 1 and pulled:
        lines.append(
            "the legs backwards, one after the other: what holds it is asked of straight pulls from the end "
            f"of leg {last}; write the way back as legs of the plan"
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
    return [f"joints.{name}.damping: it acts on speeds only"] if joint.damping is not None else []


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


def _assumed(evidence: FastenerRun) -> list[str]:
    frictions = {mu for pawl in evidence.fastener.pawls for _, mu in pawl.obstacles}
    lines = []
    if any(mu != 0 for mu in frictions):
        lines.append("Coulomb friction, one coefficient for holding and sliding")
    if not frictions or any(mu == 0 for mu in frictions):
        lines.append("no friction where `touching` gives none")
    stretches = [
        stretch
        for leg in evidence.plan.legs
        for pawl_run in leg.pawl_runs
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
    return lines
