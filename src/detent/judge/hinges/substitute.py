"""A document whose hooks stand on beams, with the hinges that stand for the beams.

The exact method follows pawls on hinges. A force across a beam at some place deflects it there, and turns
its tip, as it does a hinged bar whose hinge and spring are chosen for that place (`equivalent_hinge`): so to
first order in the hook's height forces are those of the beam. The place is the hook's highest corner, of
several the farthest from the root, where the largest push acts.

A fastener's root is what carries the hinges. Where the counterpart is pushed and the support stands, the
support is pushed the opposite way instead, which is the same motion of one against the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from detent.foundation.errors import UnsupportedError
from detent.foundation.exact import Number
from detent.foundation.names import listed
from detent.foundation.units import metres, unit_names
from detent.judge.hinges.nose import nose_of
from detent.mechanics.beam import EquivalentHinge, equivalent_hinge
from detent.model.document.drive import Leg
from detent.model.document.joint import Joint, Spring
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.written import beam_of, modulus_of
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import Placed, place
from detent.model.machine.pushed.compliant import pushed_part, sprung_hooks

_DIGITS = 15  # of a place and a stiffness: those of a double
_OPEN = 1e-9  # of the beam's length: a hook drawn farther from its beam's tip is not where it is joined


@dataclass(frozen=True)
class HingedBeam:
    """A beam, and the hinge that stands for it. Lengths in metres, in the plane."""

    joint: str
    hinge: EquivalentHinge
    tip: tuple[float, float]  # in the world as drawn
    along: tuple[float, float]  # from root to tip
    reach: tuple[float, float]  # of the hook, along the beam from its tip


@dataclass(frozen=True)
class HingedDocument:
    """The document of the hinges, that of the beams, and what stands for what."""

    mechanism: Mechanism
    bent: Mechanism
    beams: tuple[HingedBeam, ...]
    pushed: str  # what is pushed instead; "" where the same part is


def hinged(mechanism: Mechanism) -> HingedDocument:
    """All hooks on hinges; UnsupportedError where no hinge stands for what one stands on."""
    hooks = sprung_hooks(mechanism)
    for name in hooks:
        if mechanism.dimension != 2:
            problem = "a hinge stands for a beam in the plane"
            raise UnsupportedError(
                problem, "draw the section with dimension = 2, or follow the beam itself", "dimension"
            )
        if mechanism.joints[name].beam is None:
            kind = "plate" if mechanism.joints[name].plate is not None else "matrix"
            remedy = "follow it as it bends: leave out --exact, --fast and `beams`"
            raise UnsupportedError(f"no hinge stands for a {kind}", remedy, f"joints.{name}")
    placed = place(mechanism)
    beams = tuple(_beam(mechanism, placed, name, part) for name, part in hooks.items())
    scale = metres(mechanism.units)
    joints = dict(mechanism.joints)
    for beam in beams:
        joints[beam.joint] = _pin(mechanism.joints[beam.joint], beam, scale)
    pinned = replace(_without_method(mechanism), joints=joints)
    supports = {parts_of(mechanism.joints[name])[0] for name in hooks}
    pushed = pushed_part(mechanism)
    if pushed in supports:
        return HingedDocument(pinned, mechanism, beams, "")
    return HingedDocument(
        _pushed_instead(pinned, supports, str(pushed)), mechanism, beams, str(min(supports))
    )


def _without_method(mechanism: Mechanism) -> Mechanism:
    """A method that the document asks for is that of the beams."""
    ask = mechanism.ask
    if ask is None or ask.mate is None:
        return mechanism
    return replace(mechanism, ask=replace(ask, mate=replace(ask.mate, method=None, beams=None)))


def _beam(mechanism: Mechanism, placed: Placed, name: str, hook: str) -> HingedBeam:
    joint, scale = mechanism.joints[name], metres(mechanism.units)
    beam = beam_of(mechanism, joint)
    points = placed.joints[name].points_in_world
    assert points is not None  # a document that places no end of its joint is refused
    tip, end = ((float(point[0]), float(point[1])) for point in points)
    if math.dist(tip, end) > _OPEN * float(beam.length):
        problem = f"{hook} is drawn {math.dist(tip, end):.4g} off the tip of its beam"
        raise UnsupportedError(problem, "draw it in place", f"joints.{name}")
    nose = nose_of(mechanism, placed, name, hook)
    assert nose is not None  # a hook is one that can meet what is drawn
    hinge = equivalent_hinge(beam, modulus_of(mechanism, name), scale, nose.front * scale)
    ends = (min(u for u, _ in nose.own) * scale, max(u for u, _ in nose.own) * scale)
    return HingedBeam(name, hinge, (nose.tip[0] * scale, nose.tip[1] * scale), nose.along, ends)


def _pin(joint: Joint, beam: HingedBeam, scale: float) -> Joint:
    back = beam.hinge.from_tip
    at = tuple(_number((c - back * a) / scale) for c, a in zip(beam.tip, beam.along, strict=True))
    spring = Spring(stiffness=_number(beam.hinge.stiffness))
    return Joint(type="revolute", between=parts_of(joint), at=at, spring=spring)


def _number(value: float) -> Number:
    return Number(f"{value:.{_DIGITS}g}")


def _pushed_instead(mechanism: Mechanism, supports: set[str], pushed: str) -> Mechanism:
    """The support pushed the opposite way, and what was pushed held."""
    fixed = [name for name, part in mechanism.parts.items() if part.fixed]
    others = [name for name in fixed if name not in supports and mechanism.parts[name].shape is not None]
    ask = mechanism.ask.mate if mechanism.ask is not None else None
    asked = [
        key for key in ("goal", "directions", "fan") if ask is not None and getattr(ask, key) is not None
    ]
    ((name, drive),) = ((key, each) for key, each in mechanism.drives.items() if each.legs)
    why = ""
    if len(supports) > 1:
        why = f"the hooks stand on {listed(sorted(supports))}, and one part can be pushed in their place"
    elif others:
        why = f"{others[0]} stands still beside {min(supports)}, and would have to be pushed too"
    elif drive.part is None or any(pushed in parts_of(joint) for joint in mechanism.joints.values()):
        why = f"{pushed} is not one part that is pushed by itself"
    elif asked:
        why = f"`{asked[0]}` is of {pushed}, which would be held"
    if why:
        remedy = f"fix {pushed!r}, and push what carries the hooks the opposite way"
        raise UnsupportedError(f"hinges are carried by what is pushed: {why}", remedy, f"drives.{name}")
    (support,) = supports
    parts = {
        key: replace(part, fixed=False)
        if key == support
        else replace(part, fixed=True)
        if key == pushed
        else part
        for key, part in mechanism.parts.items()
    }
    legs = tuple(_turned_round(leg) for leg in drive.legs)
    return replace(
        mechanism, parts=parts, drives=mechanism.drives | {name: replace(drive, part=support, legs=legs)}
    )


def _turned_round(leg: Leg) -> Leg:
    velocity: Any = leg.velocity
    return leg if velocity is None else replace(leg, velocity=tuple(Number(-v) for v in velocity))


def assumed(document: HingedDocument) -> list[str]:
    """What the hinges take for granted, in words, with how far off they are along the hook."""
    unit = unit_names(document.bent.units).length
    scale = metres(document.bent.units)
    lines = []
    for beam in document.beams:
        hinge = beam.hinge
        low, high = (100 * (hinge.share_at(place) - 1) for place in beam.reach)
        lines.append(
            f"joints.{beam.joint}: a hinge {hinge.from_tip / scale:.5g}{unit} from the beam's tip towards "
            f"its root, of {hinge.stiffness:.6g} N m/rad, stands for the beam: it goes and turns as the beam "
            f"does by a force {hinge.beyond / scale:.5g}{unit} beyond the tip, at the hook's highest corner, "
            "for small deflections; by forces at the ends of the hook it goes "
            f"{low:+.2g} % and {high:+.2g} % farther"
        )
    if document.pushed:
        lines.append(
            f"{document.pushed} is pushed the opposite way and what meets it is held, which is the same "
            "motion of one against the other"
        )
    return lines
