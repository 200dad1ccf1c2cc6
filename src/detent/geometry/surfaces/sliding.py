"""How a contact point moves over two surfaces, and what that adds to gap and slip on the acceleration level.

Meitinger & Pfeiffer 1998, eqs. 45 to 56, corrected: the equations (23) hold along any motion, so that the
rates of the contour parameters solve J x' = -df/dt with the Jacobian of (24). As printed (56) has the wrong
sign in one block and a wrong entry, and even corrected it holds at g = 0 alone, where r_D = 0. Here the
parameters' rates are right for any gap. Everything in A's frame, in which A rests.

g' = n_A.v, with v the velocity of B's point as material; g'' and the slip along the tangents of B have parts
that B's acceleration brings (`acceleration_rows`), and parts that its motion brings anyway (`sliding`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from detent.geometry.surfaces.closest import Closest
from detent.geometry.surfaces.jet import Floats


class Twist(NamedTuple):
    """How B moves, seen from A at rest: of the point that is at A's origin, about which `turn` turns."""

    velocity: Floats
    turn: Floats

    def at(self, point: Floats) -> Floats:
        """Velocity of B's material there."""
        return np.asarray(self.velocity + np.cross(self.turn, point))


@dataclass(frozen=True, eq=False)
class Sliding:
    """Rates of a contact; those of parameters by (u_B, v_B, u_A, v_A), an edge's v stays."""

    parameters: Floats  # (4,) per second
    gap: float  # g'
    slip: tuple[float, float]  # (48): of B's material along its own tangents u and v, as long as these are
    gap_second: float  # g'' with B's twist constant in A's frame
    slip_second: tuple[float, float]
    point_A: Floats  # velocity of the contact point over A  # noqa: N815
    point_B: Floats  # over B, in A's frame  # noqa: N815


def sliding(closest: Closest, twist: Twist) -> Sliding:
    """The rates of a contact of two surfaces, or an edge and a surface, under a motion of B."""
    there = closest.equations
    a, b = there.jet_A, there.jet_B
    velocity = twist.at(b.r)
    rates = np.zeros(4)
    rates[there.unknowns] = np.linalg.solve(there.jacobian, -_carried(closest, twist))
    along_A = a.u * rates[2] + a.v * rates[3]
    along_B = b.u * rates[0] + b.v * rates[1]
    normal, turning = _normal_rate(closest, twist, rates)
    # The contact point of B moves over B, so that the material there has another velocity.
    change = np.cross(twist.turn, velocity + along_B)
    tangents = (b.u, b.v)
    tangent_rates = (
        np.cross(twist.turn, b.u) + b.uu * rates[0] + b.uv * rates[1],
        np.cross(twist.turn, b.v) + b.uv * rates[0] + b.vv * rates[1],
    )
    slips = [float(t @ velocity) for t in tangents]
    second = [float(t @ change + r @ velocity) for t, r in zip(tangents, tangent_rates, strict=True)]
    return Sliding(
        rates,
        float(normal @ velocity),
        (slips[0], slips[1]),
        float(turning @ velocity + normal @ change),
        (second[0], second[1]),
        along_A,
        along_B,
    )


def acceleration_rows(closest: Closest) -> Floats:
    """(3, 6): what B's acceleration, at A's origin and of its turn, adds to g'', g_u'' and g_v''."""
    there = closest.equations
    directions = (closest.normal, there.jet_B.u, there.jet_B.v)
    return np.array([[*d, *np.cross(there.jet_B.r, d)] for d in directions])


def _carried(closest: Closest, twist: Twist) -> Floats:
    """df/dt of (23) with the parameters held: what B's motion does to its point, tangents and normal."""
    there = closest.equations
    a, b, d = there.jet_A, there.jet_B, there.distance
    moved, turn = twist.at(b.r), twist.turn
    dimensions = there.patch_A.dimension, there.patch_B.dimension
    if dimensions == (2, 2):
        normal = np.cross(turn, there.forms_B.normal)
        return np.array([normal @ a.u, normal @ a.v, moved @ a.u, moved @ a.v])
    if dimensions == (1, 2):
        normal = np.cross(turn, there.forms_B.normal)
        tangents = [moved @ t + d @ np.cross(turn, t) for t in (b.u, b.v)]
        return np.array([normal @ a.u, *tangents])
    if dimensions == (2, 1):
        return np.array([there.forms_A.normal @ np.cross(turn, b.u), moved @ a.u, moved @ a.v])
    return np.array([moved @ a.u, moved @ b.u + d @ np.cross(turn, b.u)])


def _normal_rate(closest: Closest, twist: Twist, rates: Floats) -> tuple[Floats, Floats]:
    """The normal from A to B, and how it turns."""
    there, normal = closest.equations, closest.normal
    if there.patch_A.dimension == 2:
        nu, nv = there.forms_A.normal_rates
        return normal, nu * rates[2] + nv * rates[3]
    if there.patch_B.dimension == 2:
        nu, nv = there.forms_B.normal_rates
        return normal, -(np.cross(twist.turn, there.forms_B.normal) + nu * rates[0] + nv * rates[1])
    a, b = there.jet_A, there.jet_B
    across = np.cross(a.u, b.u)
    changing = np.cross(a.uu * rates[2], b.u) + np.cross(a.u, np.cross(twist.turn, b.u) + b.uu * rates[0])
    length = float(np.linalg.norm(across))
    sign = 1.0 if across @ normal > 0 else -1.0
    rate = (changing - normal * (changing @ normal)) * sign / length
    return normal, np.asarray(rate)
