"""Which modes a set of contacts can take under given forces: none, one or several.

With M, h, tau and the present velocity, a mode is consistent when there are accelerations and
contact forces with

    M a + h = tau + (contact forces of the mode) + (joint forces)

and with the mode's signs: at rest all of them are signs of the acceleration, in motion those that
the velocity leaves open (`detent.contact.forces.at_velocity`). Modes are disjoint, so two consistent ones are
two different motions. None at all means that rigid bodies with Coulomb's friction have no finite
acceleration here (Painlevé 1895). Both are answers (Huang, Cheng & Mason, section 7).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import definite_of, refuse_other_kind, vector_of
from detent.contact.contacts import Contacts
from detent.contact.forces.at_velocity import Present, RowRates, following, layout_rows, present
from detent.contact.forces.coulomb import OnTheEdgeError, SolvedMode, solve
from detent.contact.forces.exact_balance import balanced_load, decides_balance
from detent.contact.forces.exact_motion import BESIDE, OWN, ExactMotions, as_known, exact_motions
from detent.contact.forces.friction import coefficients, slip_rows, unit_normal
from detent.contact.forces.motion_program import BARELY, CLEAR, Equations, Range, held_by, on_free
from detent.contact.forces.motion_ranges import MotionRanges
from detent.contact.forces.prune import unrefuted
from detent.contact.modes.enumerate import Signs
from detent.contact.modes.mode import Mode, ModeSet, State
from detent.contact.modes.space import null_space, unit_rows
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.shown import Shown
from detent.numeric.arrangement.complex import EQUAL
from detent.numeric.threads import on_one_thread
from detent.record.frozen import hold_arrays

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class ConsistentMotion(Shown):
    """One consistent mode with an acceleration and the normal forces behind it.

    The signs are those of velocities just after now. With velocity products they may be signs that no
    velocity has at this very position; such a motion has no `mode`. One `on_the_edge` lies so near a
    threshold that floating point does not tell on which side. `to_rounding`: it was looked for among modes
    of contacts that are in line but for rounding, not exactly as written.
    """

    modes: ModeSet
    signs: Signs
    acceleration: Floats  # one choice where forces are not unique and rub
    normal: tuple[float, ...]  # by contact, one choice where forces are not unique
    cell: int | None
    find_range: Callable[[int], Range]
    find_acceleration: Callable[[Floats], Range]
    on_the_edge: bool = False
    to_rounding: bool = False

    def __post_init__(self) -> None:
        hold_arrays(self)

    @property
    def mode(self) -> Mode:
        """The mode of the set."""
        if self.cell is None:
            brought = "the change of the rows brings them about, or contacts in line but for rounding"
            problem = f"no velocity has the signs {self.text} at this position as written: {brought}"
            raise ModelError.at("mode", problem, "read them from the motion itself")
        return Mode(self.modes, self.cell)

    @cached_property
    def normal_range(self) -> tuple[Range, ...]:
        """By contact, the least and the largest normal force with these signs; INFINITE without a bound.

        In space pyramids stand for the cones of sticking contacts, arcs for sliding that open forces
        turn: a range may be too wide, not too narrow.
        """
        return tuple(self.find_range(i) for i in range(len(self.modes.contacts)))

    def acceleration_range(self, row: Any) -> Range:
        """The least and the largest row x acceleration with these signs; infinite without a bound.

        A contact that slides under a normal force which statics does not determine brakes by as much as that
        force: then the acceleration is not determined either.
        """
        return self.find_acceleration(vector_of(row, self.modes.contacts.degrees, "row"))

    def _line(self) -> str:
        return repr(self.text)

    @property
    def text(self) -> str:
        """Its signs, written as a mode."""
        return self.modes.written(self.signs[None])[0]

    def state(self, contact: int) -> State:
        """Separating, sticking or sliding."""
        return self.modes.state_of(self.signs, contact)


@on_one_thread
def consistent_modes(
    modes: ModeSet,
    mass: Any,
    bias: Any,
    applied: Any,
    *,
    friction: Any = None,
    velocity: Any = None,
    drift: RowRates | None = None,
    tolerance: float = EQUAL,
) -> list[ConsistentMotion]:
    """Every mode of the set that the equations of motion allow, in the set's order; none is an answer too.

    `mass` is M, `bias` is h, `applied` is tau, over the whole velocity vector. At rest, unless there is a
    `velocity`; a speed along a unit row below `tolerance` of its length is zero. `drift` has the
    velocity products of the rows: what they gain by their own change.
    """
    refuse_other_kind(modes, ModeSet, "modes")
    d = modes.contacts.degrees
    left, _ = null_space(modes.contacts.scaled.held, np.eye(d))
    matrix = definite_of(mass, d, "mass", among=modes.contacts.as_given(left))  # joints carry the rest
    force = vector_of(applied, d, "applied") - vector_of(bias, d, "bias")
    mu = coefficients(modes.contacts, friction)  # a missing one is said before the work
    now = present(modes, velocity, tolerance)
    _refuse_undivided(modes, mu, now)
    moved = drift or RowRates()
    signs, cells = following(modes, now, moved)
    exact = exact_motions(modes, matrix, _as_known(modes, force, mu, now, moved), mu, now, moved)
    # What rationals call zero, branches do too.
    told = force if exact is None else matrix @ exact.without_contacts
    equations = equations_of_motion(modes, matrix, told, mu, now, moved)
    if exact is not None:
        return _exact_or_rounded(modes, equations, exact, signs, cells)
    looked_at = [(k, *_looked_at(equations, signs[k], CLEAR)) for k in unrefuted(equations, signs)]
    if all(solved is None for _, solved, _ in looked_at):
        # Between what is clear and what the solver holds: no mode is sure, those that come near are named.
        rows = unrefuted(equations, signs, every=True)
        looked_at = [(k, _looked_at(equations, signs[k], BARELY)[0], True) for k in rows]
    rounded = bool(modes.enumeration.flagged)
    return [
        _in_floats(modes, equations, signs[k], cells[k], solved, edge, rounded=rounded)
        for k, solved, edge in looked_at
        if solved is not None
    ]


def _as_known(modes: ModeSet, force: Floats, mu: list[float], now: Present, drift: RowRates) -> list[Any]:
    """A load in rationals: one that is balanced at rest but for rounding is the balanced one."""
    normal, tangent, held = drift.of(modes.contacts)
    at_rest = now.open.all() and not any(map(np.any, (normal, held, *tangent)))
    decided = at_rest and decides_balance(modes, now.signs, mu)
    balanced = balanced_load(modes, now.signs, force, mu) if decided else None
    return as_known(force) if balanced is None else balanced


def _exact_or_rounded(
    modes: ModeSet, equations: Equations, exact: ExactMotions, signs: Signs, cells: list[int | None]
) -> list[ConsistentMotion]:
    """Motions that rationals allow, and where contacts are in line but for rounding, floats.

    A disc spins between fingers whose points are sines and cosines, though its rows as written do not meet
    in one point: rationals would hold it for ever.
    """
    rows = unrefuted(equations, signs, every=True)
    rounded = {k for k in rows if exact.in_line_to_rounding(signs[k])}
    motions = []
    for k in rows:
        answer = exact.motion(signs[k])
        if answer is not None:
            ranges = partial(exact.normal_range, signs[k]), partial(exact.acceleration_range, signs[k])
            motions.append(
                ConsistentMotion(modes, signs[k], *answer, cells[k], *ranges, to_rounding=bool(rounded))
            )
        elif k in rounded:
            solved, edge = _looked_at(equations, signs[k], CLEAR)
            if solved is not None:
                motions.append(_in_floats(modes, equations, signs[k], cells[k], solved, edge, rounded=True))
    return motions


def _in_floats(
    modes: ModeSet,
    equations: Equations,
    signs: Signs,
    cell: int | None,
    solved: SolvedMode,
    edge: bool,
    *,
    rounded: bool,
) -> ConsistentMotion:
    ranges = MotionRanges(equations, signs, solved, edge)
    motion = equations.motion(solved.solution)
    return ConsistentMotion(
        modes, signs, *motion, cell, ranges.normal_range, ranges.acceleration_range, edge, rounded
    )


def _looked_at(equations: Equations, signs: Signs, clear: float) -> tuple[SolvedMode | None, bool]:
    """A solution of a mode, and whether it is on the edge between two answers."""
    try:
        return solve(equations, signs, clear), False
    except OnTheEdgeError as edge:
        return edge.solved, True


def _refuse_undivided(modes: ModeSet, mu: list[float], now: Present) -> None:
    """Friction of a contact that is still depends on whether it sticks, and on how it begins to slide."""
    for i, (rows, planes) in enumerate(zip(modes.contacts.tangent, modes.planes, strict=True)):
        still = now.signs[i] == 0 and i not in now.friction
        if still and planes < len(rows) and mu[i] > 0:
            problem = f"contact {i} has friction, and contacting/separating modes do not tell how it slides"
            raise UnsupportedError(problem, "give all modes of the contacts, or friction 0")


def equations_of_motion(
    modes: ModeSet, mass: Floats, force: Floats, mu: list[float], now: Present, drift: RowRates
) -> Equations:
    contacts = modes.contacts.floats
    normal, tangent, held = drift.of(contacts)
    joints, _ = null_space(contacts.held, np.eye(contacts.degrees))
    free, unit = _weighed(contacts, mass, joints)
    start = _asked_by_joints(contacts.held, held)
    rows = layout_rows(modes)
    size = _sizes(rows, free, joints)
    shift = (
        np.concatenate([normal, *(rates[:k] for rates, k in zip(tangent, modes.planes, strict=True))]) / size
    )
    unheld = free.T @ _not_carried(contacts.held, force, mass @ start) / unit
    asked = rows / size[:, None] @ start + shift
    # The scale of accelerations without any contact: programs are solved in its units.
    scale = max(float(np.linalg.norm(unheld)), np.abs(asked).max(initial=0.0), 1e-300)
    return Equations(
        contacts=contacts,
        planes=modes.planes,
        now=now,
        mu=mu,
        rows=rows / size[:, None],
        shift=shift,
        drift=tangent,
        joints=joints,
        free=free,
        start=start,
        load=unheld / scale,
        scale=scale,
        unit=unit,
    )


def _weighed(contacts: Contacts, mass: Floats, joints: Floats) -> tuple[Floats, float]:
    """Another basis of what joints leave, in which inertia is a number times the unit matrix.

    The unit of length and the position of the origin drop out of it. The number is chosen so that no unit
    normal is longer than one, nor, where joints hold them all, a unit tangent.
    """
    # Seen from the middle of the contacts: of a part far from the origin few digits would be left.
    scale = np.eye(contacts.degrees) if contacts.velocity_scale is None else contacts.velocity_scale
    left, _ = null_space(contacts.scaled.held, np.eye(contacts.degrees))
    inner = left.T @ (scale.T @ mass @ scale) @ left
    basis = scale @ (np.linalg.solve(np.linalg.cholesky(inner), left.T).T if inner.size else left)
    normals = [unit_normal(contacts, i) for i in range(len(contacts))]
    tangents = [row for i in range(len(contacts)) for row in slip_rows(contacts, i)[0]]
    longest = [
        float(np.linalg.norm(on_free(np.array(rows), basis, joints), axis=1).max()) if rows else 0.0
        for rows in (normals, tangents)
    ]
    largest = longest[0] or longest[1] or 1.0
    return basis / largest, 1 / largest**2


def _sizes(rows: Floats, free: Floats, joints: Floats) -> Floats:
    """The length of each row over `free`; a row that joints hold has none, and is left as small as it is."""
    whole = np.linalg.norm(rows, axis=1)
    size: Floats = np.where(
        held_by(joints, rows), whole * np.linalg.norm(free), np.linalg.norm(rows @ free, axis=1)
    )
    size[size == 0] = 1.0
    return size


def _not_carried(held: Floats, force: Floats, taken: Floats) -> Floats:
    """What joints leave of a force less what is taken from it: zero, not rounding, where they carry it.

    A load that joints carry would else push, by rounding, the parts that nothing loads; where nothing else
    is loaded, that would be the scale of the programs.
    """
    rows = unit_rows(held)
    carried = np.zeros(len(rows))
    left = force - taken
    for _ in range(2):  # the second time, what the first one rounded
        carried += np.linalg.lstsq(rows.T, left, rcond=EQUAL)[0]
        left = force - taken - rows.T @ carried
    summed = np.abs(force) + np.abs(taken) + np.abs(rows.T) @ np.abs(carried)
    rounding = np.maximum(OWN * summed, BESIDE * summed.max(initial=0.0))
    return np.where(np.abs(left) <= rounding, 0.0, left)


def _asked_by_joints(held: Floats, drift: Floats) -> Floats:
    """The smallest acceleration that keeps the joints together while their rows rotate."""
    if not drift.any():
        return np.zeros(held.shape[1])
    start = np.asarray(np.linalg.lstsq(held, -drift, rcond=EQUAL)[0], float)
    left = np.abs(held @ start + drift)
    if left.max() > EQUAL * np.abs(drift).max():
        problem = f"joint row {int(left.argmax())} contradicts the others: no acceleration keeps all joints"
        raise ModelError.at(
            "drift.held", problem, "rows that depend on each other have velocity products that agree"
        )
    return start
