"""Whether a peg is in whose contacts are followed as those of a hook: it lets go of nothing in its hole."""

from __future__ import annotations

import numpy as np
from msgspec import structs

from detent.judge.pegs.recognise import PegInHole, pegs_of
from detent.model.document.mechanism import Mechanism
from detent.motion.compliant.compliant_run import CompliantRun
from detent.record.compliant_mating import CompliantMating


def with_depth(mechanism: Mechanism, evidence: CompliantRun, mating: CompliantMating) -> CompliantMating:
    """The answer, where a peg that rests on the walls of its hole is in and not on its way."""
    if mating.insertion.answer != "not yet":
        return mating
    pegs = [found for found in pegs_of(mechanism) if isinstance(found, PegInHole)]
    depths = [_depth(found, evidence, mating.insertion.last_leg) for found in pegs]
    if not pegs or len(pegs) < len(evidence.connections) or min(depths) <= 0:
        return mating
    told = "; ".join(
        f"{found.part} is {found.said(depth + found.nose)} deep in {found.hole_part}"
        for found, depth in zip(pegs, depths, strict=True)
    )
    return structs.replace(
        mating, insertion=structs.replace(mating.insertion, answer="yes", why=told)
    ).computed_from(mating.run)


def _depth(found: PegInHole, evidence: CompliantRun, last_leg: int) -> float:
    """[m] Below the rims, where the insertion ends: of the tip, or the shoulder of a chamfered peg."""
    followed = (evidence.legs[0].followed, evidence.legs[last_leg - 1].followed)
    first, last = (
        next(one.frames[found.part] for one in each if found.part in one.frames) for each in followed
    )
    start, end = first[0], last[-1]
    tip = found.centre_at + found.theory.centre * found.down
    moved = end @ np.linalg.inv(start) @ np.append(tip, 1.0)
    return float((moved[:3] - tip) @ found.down) - found.gap
