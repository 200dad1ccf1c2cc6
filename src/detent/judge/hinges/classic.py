"""The formulas of snap-fit calculators for a hook on a beam, and where they hold.

A force P across the beam at the peak of the nose deflects it by the undercut y: of an even beam of the
length l up to there P = 3 E I y / l^3, at a strain of 1.5 t y / l^2; here by the beam's integrals, which take
tapers, with the nose rigid. Over a ramp at the angle a the push is W = P (mu + tan a) / (1 - mu tan a). All
as drawn: that the nose leans as the beam bends is not in them, and is what the check is for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from detent.foundation.errors import UnsupportedError
from detent.foundation.units import metres
from detent.judge.hinges.nose import Nose, nose_of
from detent.mechanics.beam import EquivalentHinge, equivalent_hinge
from detent.mechanics.beam_strain import beam_sections
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.beam import beam_ends
from detent.model.machine.elastic.written import beam_of, modulus_of
from detent.model.machine.placed import place
from detent.model.machine.pushed.compliant import sprung_hooks
from detent.record.compliant_mating import ClassicHook

SLENDER = 5  # times the height: shear adds some 3 % to the deflection of a beam as short as that
DEFLECTION = 0.1  # of the length: beyond, the beam's own shape counts
LEANING = 0.1  # of the mating force: by so much the nose's leaning may change it


@dataclass(frozen=True)
class _Pressed:
    """The beam deflected by the undercut at one place of the nose. SI."""

    force: float
    strain: float
    turn: float  # of the tip [rad]


def classic_hooks(mechanism: Mechanism) -> tuple[ClassicHook, ...]:
    """Of all hooks on beams in the plane pushed along their beams; others have no such formulas."""
    if mechanism.dimension != 2:
        return ()
    placed = place(mechanism)
    hooks = []
    for name, hook in sprung_hooks(mechanism).items():
        if mechanism.joints[name].beam is None:
            continue
        try:
            nose = nose_of(mechanism, placed, name, hook)
        except UnsupportedError:  # a shape cut out of another: it is followed, but the formulas have no say
            continue
        if nose is not None and nose.along_push and nose.undercut > 0:
            hooks.append(_classic(mechanism, name, nose))
    return tuple(hooks)


def _classic(mechanism: Mechanism, name: str, nose: Nose) -> ClassicHook:
    scale = metres(mechanism.units)
    beam = beam_of(mechanism, mechanism.joints[name])
    length = float(beam.length) + nose.front
    front, rear = (_pressed(mechanism, name, nose, place * scale) for place in (nose.front, nose.rear))
    mating = _over_a_ramp(front.force, nose.ramp, nose.friction)
    outside = []
    if not nose.even:
        outside.append(
            "ramp or return is of several faces, as a round one, and only the first below the peak counts"
        )
    slender = float(beam.length) / max(beam_ends(beam.height))
    if slender < SLENDER:
        outside.append(f"the beam is {slender:.3g} times as long as high, below {SLENDER} shear counts")
    if nose.undercut > DEFLECTION * length:
        outside.append(f"it deflects by {nose.undercut / length:.2g} of its length, more than {DEFLECTION:g}")
    leaning = _over_a_ramp(front.force, nose.ramp + front.turn, nose.friction)
    if mating is not None and (leaning is None or leaning > (1 + LEANING) * mating):
        more = "locks it" if leaning is None else f"takes {100 * (leaning / mating - 1):.0f} % more"
        outside.append(
            f"the nose leans by {math.degrees(front.turn):.2g}°, and a ramp as steep as then {more}"
        )
    return ClassicHook(
        joint=name,
        length=length,
        undercut=nose.undercut,
        ramp_deg=math.degrees(nose.ramp),
        return_deg=math.degrees(nose.way_back),
        friction=nose.friction,
        force=front.force,
        strain=front.strain,
        mating=mating,
        retention=_over_a_ramp(rear.force, nose.way_back, nose.friction),
        outside=tuple(outside),
    )


def _pressed(mechanism: Mechanism, name: str, nose: Nose, beyond: float) -> _Pressed:
    beam, scale = beam_of(mechanism, mechanism.joints[name]), metres(mechanism.units)
    hinge: EquivalentHinge = equivalent_hinge(beam, modulus_of(mechanism, name), scale, beyond)
    turned, coupled, bent = hinge.compliance
    force = nose.undercut * scale / (bent + 2 * beyond * coupled + beyond**2 * turned)
    sections = beam_sections(mechanism, name)
    stress, _ = sections.largest_stress(force, -force * beyond)
    return _Pressed(force, stress / sections.modulus, force * (coupled + beyond * turned))


def _over_a_ramp(across: float, angle: float, friction: float) -> float | None:
    """The push; None where friction locks."""
    cosine, sine = math.cos(angle), math.sin(angle)
    room = cosine - friction * sine
    return None if room <= 1e-12 else across * (friction * cosine + sine) / room
