"""What `explain` says of elastic joints: the stiffness of each, how it was computed, and what that covers."""

from __future__ import annotations

import math
from typing import Any

from msgspec.structs import replace

from detent.foundation.units import metres
from detent.mechanics.beam import pseudo_rigid_hinge
from detent.model.document.joint import DEFAULT_POISSON, Joint, Plate
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.plate import PlateBending, plate_bending
from detent.model.machine.elastic.support import ElasticSupport, elastic_support
from detent.model.machine.elastic.written import beam_of, known_modulus, modulus_words
from detent.record.scope import Scope

_SMALL = ("large rotations: the stiffness is that of small ones", "what the parts themselves give way")
_THIN = 10  # times the thickness: shorter sides and lengths of beams are named


def elastic_of(mechanism: Mechanism) -> dict[str, dict[str, Any]]:
    """Of each elastic joint its stiffness in its free directions, SI, with its scope."""
    joints = [(name, joint) for name, joint in mechanism.joints.items() if joint.type == "elastic"]
    return {name: _told(mechanism, joint, elastic_support(mechanism, name)) for name, joint in joints}


def _told(mechanism: Mechanism, joint: Joint, support: ElasticSupport) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": support.kind,
        "coordinates": list(support.coordinates),
        "directions": [
            direction if sign > 0 else f"-{direction}"
            for direction, sign in zip(support.directions, support.signs, strict=True)
        ],
        "stiffness": support.stiffness.tolist(),
        "units": [list(row) for row in support.units],
        "compliance": [[None if math.isnan(x) else x for x in row] for row in support.compliance.tolist()],
        "rigid": list(support.rigid),
        "loose": list(support.loose),
    }
    if joint.beam is not None:
        told |= _of_beam(mechanism, joint)
    elif joint.plate is not None:
        told |= _of_plate(mechanism, joint, support)
    else:
        covers = "the matrix as the document gives it"
        told |= {
            "computed": "as given",
            "scope": Scope(certainty="computed", covers=covers, left_out=_SMALL[:1]),
        }
    return told


def _of_beam(mechanism: Mechanism, joint: Joint) -> dict[str, Any]:
    assert joint.beam is not None
    modulus, scale = known_modulus(mechanism, joint), metres(mechanism.units)
    assert modulus is not None
    hinge = pseudo_rigid_hinge(beam_of(mechanism, joint), modulus, scale)
    scope = Scope(
        certainty="computed",
        covers="a Bernoulli beam, clamped at its root, by integrals of 1 / E I to rounding",
        left_out=(shear_of(joint), *_SMALL),
        assumed=modulus_words(mechanism, joint),
    )
    return {
        "computed": "Bernoulli beam: the integrals of 1, s, s² over E I(s), s from the tip",
        "tip_stiffness": hinge.tip_stiffness,
        "pseudo_rigid": {
            "stiffness": hinge.stiffness,
            "from_root": hinge.from_root,
            "deflection": hinge.deflection,
            "rotation": hinge.rotation,
        },
        "scope": scope,
    }


def _of_plate(mechanism: Mechanism, joint: Joint, support: ElasticSupport) -> dict[str, Any]:
    plate, bending = joint.plate, support.bending
    assert plate is not None
    assert bending is not None
    assumed = list(modulus_words(mechanism, joint))
    if plate.poisson is None:
        assumed.append(f"Poisson's ratio {float(DEFAULT_POISSON):g}")
    if bending.footed:
        assumed.append("the foot presses evenly, under a moment by a pressure that grows across it")
    left_out = [shear_of(joint), *_SMALL]
    if plate.twist == "half":
        left_out.append('half of the energy of the twist (twist = "half")')
    over_refined = None
    if plate.knots is not None:
        modulus = known_modulus(mechanism, joint)
        assert modulus is not None
        refined = plate_bending(replace(plate, knots=None), modulus, metres(mechanism.units))
        over_refined = float(bending.compliance[0, 0] / refined.compliance[0, 0])
    return {
        "computed": f"Kirchhoff plate by Ritz's method, {bending.functions[-1]} products of cubic splines",
        "functions": bending.functions[-1],
        "rotations": "settled" if bending.footed and bending.settled else _why_open(plate, bending),
        "convergence": _convergence(bending, over_refined),
        "scope": Scope(
            certainty="computed",
            covers=_covers(bending, over_refined),
            left_out=tuple(left_out),
            assumed=tuple(assumed),
        ),
    }


def _why_open(plate: Plate, bending: PlateBending) -> str:
    if plate.knots is not None:
        return "belong to the knots given"
    if bending.footed:
        return "not settled"
    return "have no limit under a point moment: they belong to this number of functions; give `footprint`"


def _covers(bending: PlateBending, over_refined: float | None) -> str:
    if over_refined is not None:
        short = 100 * (1 - over_refined)
        return (
            f"the {bending.functions[-1]} shape functions of the knots given: a force deflects them by "
            f"{short:.2g} % less than the plate, refined"
        )
    assert bending.change is not None
    what = "every stiffness" if bending.footed else "the deflection under a force"
    settled = "" if bending.settled else ", and has not settled"
    rest = "" if bending.footed else "; rotations under a point moment have no limit"
    return (
        f"a thin plate: {what} changed by {100 * bending.change:.2g} % on the last refinement{settled}{rest}"
    )


def _convergence(bending: PlateBending, over_refined: float | None) -> dict[str, Any]:
    """Deflection and rotations by a unit load, refinement by refinement."""
    return {
        "functions": list(bending.functions),
        "deflection": [float(compliance[0, 0]) for compliance in bending.history],
        "rotation": [[float(compliance[k, k]) for k in (1, 2)] for compliance in bending.history],
        "change": bending.change,
        "settled": bending.settled,
        "deflection_over_refined": over_refined,
    }


def shear_of(joint: Joint) -> str:
    """What slender beams and thin plates leave out, with how stout one is; nothing of a matrix."""
    if joint.beam is not None:
        height = joint.beam.height
        heights = height if isinstance(height, tuple) else (height,)
        slender, what, length = float(joint.beam.length) / max(map(float, heights)), "beam", "length"
    elif joint.plate is not None:
        slender = min(map(float, joint.plate.sides)) / float(joint.plate.thickness)
        what, length = "plate", "shorter side"
    else:
        return ""
    thick = f" (its {length} is only {slender:.2g} times its thickness)" if slender < _THIN else ""
    return f"shear in the {what}{thick}"
