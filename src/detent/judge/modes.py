"""What does a load do to parts in contact? Which modes follow from it, or whether the contacts hold it.

The parts' weight, inertia and motion are read from the document; the modes are
those that were found. An answer lists what was assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from detent.contact.checks import vector_of
from detent.contact.forces.at_velocity import ALMOST, as_counted, leaving
from detent.contact.forces.balancing import RANGE_SIDES
from detent.contact.forces.consistent import ConsistentMotion, consistent_modes
from detent.contact.forces.exact_motion import decidable
from detent.contact.forces.friction import coefficients
from detent.contact.forces.row_rates import row_rates_of
from detent.contact.modes.mode import ModeSet
from detent.contact.touching.beside import exerting
from detent.foundation.units import metres
from detent.judge.grasping import grasp
from detent.mechanics.inertia import bias, centre_accelerations, knows_masses, mass_matrix, weight
from detent.mechanics.row import body_freedoms
from detent.model.document.mechanism import Mechanism
from detent.model.machine.mass import assumed_thickness
from detent.model.machine.system import compile_system
from detent.numeric.arrangement.complex import EQUAL
from detent.record.amount import force
from detent.record.modes import CentreAcceleration, ConsistentMode, ConsistentModes
from detent.record.scope import Scope
from detent.record.verdict import Verdict

# Of the forces, a range of a normal force that rounding alone may leave.
_SAME = 1e-7
# Of the velocity products that an acceleration was added up from, what rounding leaves of a zero.
_ROUNDING = 1e-13


def moved_by(
    mechanism: Mechanism,
    modes: ModeSet,
    load: Sequence[float],
    *,
    velocity: Sequence[float] | None = None,
    friction: float | None = None,
    tolerance: float = EQUAL,
) -> ConsistentModes:
    """Which modes follow from a load, the parts' weight and inertia, and perhaps a velocity.

    Loads and velocities have one number per degree of freedom; speeds below `tolerance` of the
    velocity are zero.
    """
    mass, pull = mass_matrix(mechanism), weight(mechanism)
    drift, flat, turning = None, False, [0.0] * len(load)
    opened: dict[int, float] = {}
    if velocity is not None:
        vector_of(velocity, len(load), "velocity")
        counted = as_counted(modes, velocity, tolerance)
        drift, flat = row_rates_of(mechanism, modes.contacts, counted)
        velocity = [float(x) for x in counted]
        opened = leaving(modes, velocity, tolerance)
        turning = bias(mechanism, velocity).tolist()
    total = [a + b for a, b in zip(load, pull.tolist(), strict=True)]
    motions = consistent_modes(
        modes, mass, turning, total, friction=friction, velocity=velocity, drift=drift, tolerance=tolerance
    )
    moving = [0.0] * len(load) if velocity is None else list(velocity)
    return _answer(
        mechanism,
        modes,
        motions,
        total,
        moving,
        friction,
        (
            *_assumptions(mechanism, moving, flat),
            *modes.contacts.beside.assumed,
            *_opened(opened),
        ),
    )


def held(
    mechanism: Mechanism, modes: ModeSet, load: Sequence[float], *, friction: float | None = None
) -> Verdict:
    """Whether all contacts hold a load for sure; the load is all there is, gravity included."""
    known = mechanism.rows is None and knows_masses(mechanism)
    return grasp(modes, load, mass=mass_matrix(mechanism) if known else None, friction=friction)


def _answer(
    mechanism: Mechanism,
    modes: ModeSet,
    motions: list[ConsistentMotion],
    load: list[float],
    velocity: list[float],
    friction: float | None,
    assumptions: tuple[str, ...],
) -> ConsistentModes:
    answer: Literal["none", "one", "several", "edge"] = (
        "none" if not motions else "one" if len(motions) == 1 else "several"
    )
    if any(motion.on_the_edge for motion in motions):
        answer = "edge"
    return ConsistentModes(
        answer=answer,
        consistent=tuple(_described(mechanism, modes, motion, load, velocity) for motion in motions),
        load=tuple(load),
        velocity=tuple(velocity),
        scope=_scope(mechanism, modes, motions, friction, assumptions),
        assumptions=assumptions,
        units=mechanism.units,
        contacts=tuple(site.name for site in modes.contacts.sites),
    )


def _described(
    mechanism: Mechanism, modes: ModeSet, motion: ConsistentMotion, load: list[float], velocity: list[float]
) -> ConsistentMode:
    size = max(*motion.normal, *map(abs, load[: mechanism.dimension]), 0.0)
    ranges = motion.normal_range
    determined = tuple(high - low <= _SAME * size for low, high in ranges)
    return ConsistentMode(
        mode=motion.text,
        states=tuple(motion.state(i) for i in range(len(modes.contacts))),
        acceleration=tuple(motion.acceleration.tolist()),
        normal=motion.normal,
        normal_range=tuple((low, force(high)) for low, high in ranges),
        determined=determined,
        acceleration_of_centre=_of_centres(mechanism, motion, velocity, determined),
        on_the_edge=motion.on_the_edge,
    )


def _of_centres(
    mechanism: Mechanism, motion: ConsistentMotion, velocity: list[float], determined: tuple[bool, ...]
) -> dict[str, CentreAcceleration]:
    """By part; with ranges where a contact slides under a force that is not determined."""
    computed = centre_accelerations(mechanism, motion.acceleration, velocity)
    least = _least_told(mechanism, computed, velocity)
    chosen = {
        part: (_told(linear, least[0]), _told(angular, least[1]))
        for part, (linear, angular) in computed.items()
    }
    open_ = [i for i, sure in enumerate(determined) if not sure and motion.state(i) == "sliding"]
    if not open_:
        return {
            part: CentreAcceleration(linear=linear, angular=angular)
            for part, (linear, angular) in chosen.items()
        }
    count = len(motion.acceleration)
    still = centre_accelerations(mechanism, np.zeros(count), velocity)
    units = [centre_accelerations(mechanism, row, velocity) for row in np.eye(count)]
    answer = {}
    for part, (linear, angular) in chosen.items():
        rest = np.array([*still[part][0], *still[part][1]])
        rows = np.array([[*unit[part][0], *unit[part][1]] for unit in units]) - rest
        ends = [
            _told([float(shift) + end for end in motion.acceleration_range(row)], least[i >= len(linear)])
            for i, (shift, row) in enumerate(zip(rest, rows.T, strict=True))
        ]
        sure = all(high == low or high - low <= EQUAL * min(abs(low), abs(high)) for low, high in ends)
        bounds = () if sure else tuple((force(low), force(high)) for low, high in ends)
        answer[part] = CentreAcceleration(
            linear=linear,
            angular=angular,
            determined=sure,
            linear_range=bounds[: len(linear)],
            angular_range=bounds[len(linear) :],
        )
    return answer


def _least_told(
    mechanism: Mechanism,
    by_part: dict[str, tuple[tuple[float, ...], tuple[float, ...]]],
    velocity: list[float],
) -> tuple[float, float]:
    """The least acceleration, and the least of a rotation, that can be told from zero.

    Beside the largest at the size of the drawing, and beside the velocity products that it is a sum of.
    """
    size = compile_system(mechanism).size / metres(mechanism.units)
    largest = max(
        (
            abs(x)
            for linear, angular in by_part.values()
            for x in (*linear, *(size * turn for turn in angular))
        ),
        default=0.0,
    )
    twists = np.reshape(velocity, (-1, body_freedoms(mechanism.dimension)))
    speed, spin = (np.linalg.norm(part, axis=1) for part in np.split(twists, [mechanism.dimension], axis=1))
    products = float((spin * (speed + spin * size)).max(initial=0.0))
    least = max(EQUAL * largest, _ROUNDING * products)
    return least, least / size


def _told(values: Sequence[float], least: float) -> tuple[float, ...]:
    return tuple(x if abs(x) > least else 0.0 for x in values)


def _scope(
    mechanism: Mechanism,
    modes: ModeSet,
    motions: list[ConsistentMotion],
    friction: float | None,
    assumptions: tuple[str, ...],
) -> Scope:
    """In the plane rationals decide; the round cones of space are a matter of floating point."""
    covers = (
        "all motions that the equations of motion allow in this instant"
        if modes.whole
        else "those of the modes asked about that the equations of motion allow in this instant"
    )
    if decidable(modes, coefficients(modes.contacts, friction)):
        in_line = any(motion.to_rounding for motion in motions)
        exactly = modes.contacts.normal.dtype == object and not modes.contacts.approximated and not in_line
        drawn = "given" if mechanism.contacts or mechanism.rows is not None else "drawn"
        rows = f"rows exactly as {drawn}" if exactly else "rows to rounding"
        if in_line:
            rows += ", contacts in line to 1e-9 count as in line"
        return Scope(
            certainty="proved" if exactly else "computed",
            covers=f"{covers}, in rationals: {rows}, masses and loads to 1e-14{modes.as_written}",
            left_out=("impacts", *modes.contacts.beside.left_out, *exerting(mechanism)),
            assumed=assumptions,
        )
    return Scope(
        certainty="computed",
        covers=(
            f"{covers}, in floating point, thresholds to 1e-6 of the load unless on the edge; ranges may be "
            f"too wide, not too narrow: with pyramids of {RANGE_SIDES} sides about the friction cones, and "
            "where an open force turns the direction of sliding, with all directions of the mode"
            + ("; contacts in line to 1e-9 count as in line" if modes.enumeration.flagged else "")
            + modes.as_written
        ),
        left_out=("impacts", *modes.contacts.beside.left_out, *exerting(mechanism)),
        assumed=assumptions,
    )


def _assumptions(mechanism: Mechanism, velocity: list[float], flat: bool) -> tuple[str, ...]:
    """What was assumed; `flat` says that some surface was assumed flat."""
    assumptions = ["the contacts are rigid, with Coulomb friction"]
    if not any(velocity):
        assumptions.append("everything starts at rest")
    elif flat:
        assumptions.append("surfaces are flat where contacts slide")
    else:
        assumptions.append("surfaces are as drawn where contacts slide")
    if left_out := exerting(mechanism):
        assumptions.append(f"{' and '.join(left_out)} exert nothing")
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    return (*assumptions, *assumed_thickness(mechanism, moving))


def _opened(shares: dict[int, float]) -> list[str]:
    """What is said of contacts that the velocity given opens by itself, whatever the load."""
    return [
        f"contact {i} leaves by the velocity given, {share:.2g} of its length"
        + (
            f"; if it is to slide, give more digits or --tolerance above {share:.2g}"
            if share < ALMOST
            else ""
        )
        for i, share in shares.items()
    ]
