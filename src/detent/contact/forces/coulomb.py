"""Coulomb's friction of one mode, to the round cone and the true direction, by linear programs.

In the plane, and where a contact slides already, friction vectors are known and one program
decides. In space a contact that begins to slide has friction straight against its acceleration,
whatever that is within the mode's sector: arcs of directions are narrowed until they are one
direction. Each arc is replaced by the triangle that holds it, so that an impossible program rules
out all of it. A sticking contact has the round cone: first a polygon inside it; if that fails, one
outside it, with one more tangent wherever a program oversteps the circle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from detent.contact.forces.friction import ROUND, edge_directions
from detent.contact.forces.motion_program import CLEAR, Equations, Solution
from detent.contact.forces.slip_directions import headings
from detent.contact.modes.enumerate import Signs

Floats = NDArray[np.float64]
Arcs = dict[int, tuple[float, float]]  # by contact: where friction may begin to point, and how wide it is

# Sides of the polygons about a round cone, to begin with.
_SIDES = 8
# An arc as narrow as this is one direction [rad], and friction that misses its own by this share of all
# forces is where it belongs; accelerations are that sure.
_NARROW = 1e-6
# By how much a force may overstep the round cone.
_OVER = 1e-6
# Programs for one mode: a handful decide most; the rest is a mode on the edge between two answers.
_PROGRAMS = 4000
# After these many, a mode whose signs hold by less than a small share of the accelerations is such a one: it
# takes up to a thousand to rule out sliding under a load that is below the threshold by 1e-4.
_FEW, _SMALL = 1200, 1e-5
# Newton's method is tried at first, and again whenever there have been so many times more programs.
_AGAIN = 8


def reach(equations: Equations, contact: int, signs: Signs) -> Floats:
    """Friction vectors whose combinations hold every friction of a contact with these signs of its planes."""
    known = friction_vectors(equations, contact, signs)
    if known is not None:
        return known
    if not signs.any():
        return polygon(_around())
    return triangle(*friction_arc(equations, contact, signs))


class OnTheEdgeError(Exception):
    """Programs do not decide a mode: its load lies between two answers. Has the last solution looked at."""

    def __init__(self, solved: SolvedMode) -> None:
        super().__init__("on the edge between two modes")
        self.solved = solved


@dataclass(frozen=True, eq=False)
class SolvedMode:
    """A solution, and the friction vectors and rows that it was found among."""

    solution: Solution
    vectors: dict[int, Floats]
    sides: Floats


def solve(equations: Equations, signs: Signs, clear: float = CLEAR) -> SolvedMode | None:
    """Accelerations and forces of one mode, by the largest margin of its signs; None without a solution.

    OnTheEdgeError where the search for directions of friction ends without either.
    """
    n = len(equations.contacts)
    known: dict[int, Floats] = {}
    arcs: Arcs = {}
    sticking: list[int] = []
    for i in np.flatnonzero(signs[:n] == 0).tolist():
        plane_signs = signs[equations.planes_of(i)]
        vectors = friction_vectors(equations, i, plane_signs)
        if vectors is not None:
            known[i] = vectors
        elif plane_signs.any():
            arcs[i] = friction_arc(equations, i, plane_signs)
        else:
            sticking.append(i)
    mode = _Mode(equations, signs, known, sticking, clear)
    solution = mode.within(arcs)
    if solution is None and sticking:
        mode.tangents = {i: _around() for i in sticking}
        solution = mode.within(arcs)
    return solution


def friction_vectors(equations: Equations, contact: int, signs: Signs) -> Floats | None:
    """The friction vectors of a contact where these are known; None in space, where the direction is open."""
    sliding = equations.now.friction.get(contact)
    if sliding is not None:
        return sliding[None]
    count = len(equations.slip(contact).rows)
    if count == ROUND and not equations.mu[contact]:
        return np.zeros((1, count))
    edges = edge_directions(equations.contacts, contact, signs)
    return np.array(edges) if count < ROUND or len(edges) == 1 else None


def friction_arc(equations: Equations, contact: int, signs: Signs) -> tuple[float, float]:
    """Friction of a sector: the angle at which it begins, and its width."""
    (a, b), (c, d) = edge_directions(equations.contacts, contact, signs)
    width = math.atan2(a * d - b * c, a * c + b * d)
    begin = math.atan2(b, a) if width > 0 else math.atan2(d, c)
    return begin, abs(width)


def opposite(equations: Equations, box: Arcs) -> Floats:
    """Rows that keep the sliding opposite to each arc of friction."""
    sides = [np.zeros((0, len(equations.load) + 1))]
    for i, (begin, width) in box.items():
        slip = equations.slip(i)
        (a, b), (c, d) = _unit(np.array([begin, begin + width]))
        across = np.array([[b, -a], [-d, c]])
        sides.append(np.hstack([across @ slip.rows, (across @ slip.rest)[:, None]]))
    return np.concatenate(sides)


@dataclass
class _Mode:
    """One mode's search for the directions of its friction."""

    equations: Equations
    signs: Signs
    known: dict[int, Floats]
    sticking: list[int]
    clear: float  # the margin by which signs hold
    tangents: dict[int, Floats] = field(default_factory=dict)  # of round cones seen from outside
    programs: int = 0
    due: int = 1  # programs after which Newton's method is tried

    def within(self, arcs: Arcs) -> SolvedMode | None:
        """A solution with friction in these arcs, narrowed to directions."""
        stack = [arcs]
        while stack:
            box = stack.pop()
            solved = self._solve(box)
            if solved is None:
                continue
            solution = solved.solution
            missed = self._missed(box, solution)
            if max(missed.values(), default=0.0) <= _NARROW * self._size(solution):
                return solved
            if self.programs > _PROGRAMS or (self.programs > _FEW and solution.margin < _SMALL):
                raise OnTheEdgeError(solved)
            settled = self._settled(arcs, box, solution) if self.programs >= self.due else None
            if settled is not None:
                return settled
            stack += self._halves(box, solution, max(missed, key=missed.__getitem__))
        return None

    def _solve(self, box: Arcs) -> SolvedMode | None:
        sides = opposite(self.equations, box)
        while True:
            vectors = {i: self._friction(i, box) for i in sorted([*self.known, *self.sticking, *box])}
            self.programs += 1
            solution = self.equations.program(self.signs, vectors, sides, self.clear)
            if solution is None:
                return None
            if not self._tightened(solution):
                return SolvedMode(solution, vectors, sides)
            if self.programs > _PROGRAMS:
                raise OnTheEdgeError(SolvedMode(solution, vectors, sides))

    def _settled(self, arcs: Arcs, box: Arcs, solution: Solution) -> SolvedMode | None:
        """Where Newton's method ends, if a program confirms it."""
        self.due = _AGAIN * self.programs
        suggested = {
            i: begin + self._suggested(i, begin, width, solution) for i, (begin, width) in box.items()
        }
        others = {i: self._friction(i, box) for i in (*self.known, *self.sticking)}
        for angles in (suggested, self._unbraked(box)):
            ended = headings(self.equations, self.signs, others, angles, solution)
            if ended is None or not all(0 <= _offset(ended[i], *arc) <= arc[1] for i, arc in arcs.items()):
                continue
            confirmed = self._solve({i: (angle - _NARROW / 2, _NARROW) for i, angle in ended.items()})
            if confirmed is not None:
                return confirmed
        return None

    def _unbraked(self, box: Arcs) -> dict[int, float]:
        """Friction against the sliding that there would be without it; true where nothing rotates."""
        e = self.equations
        touching = np.flatnonzero(self.signs[: len(e.contacts)] == 0)
        rows, level = e.along[touching], -e.rest[touching]
        y = e.load + np.linalg.lstsq(rows, level - rows @ e.load, rcond=None)[0]
        ahead = {i: e.slip(i).rows @ y + e.slip(i).rest for i in box}
        return {i: math.atan2(-v[1], -v[0]) for i, v in ahead.items()}

    def _friction(self, contact: int, box: Arcs) -> Floats:
        if contact in self.known:
            return self.known[contact]
        if contact in box:
            return triangle(*box[contact])
        if contact in self.tangents:
            return polygon(self.tangents[contact])
        slip = self.equations.slip(contact)
        return np.array(
            edge_directions(self.equations.contacts, contact, np.zeros(len(slip.planes), np.int8))
        )

    def _tightened(self, solution: Solution) -> bool:
        """Whether a force oversteps a round cone seen from outside: then it has one more tangent there."""
        before = sum(map(len, self.tangents.values()))
        for i in self.tangents:
            x, y = solution.friction[i]
            if math.hypot(x, y) > solution.normal[i] * (1 + _OVER) + _OVER * _OVER:
                self.tangents[i] = np.sort(np.append(self.tangents[i], math.atan2(y, x) % (2 * math.pi)))
        return sum(map(len, self.tangents.values())) > before

    def _missed(self, box: Arcs, solution: Solution) -> dict[int, float]:
        """By contact that begins to slide, how far its friction is from where it belongs, as a force."""
        missed = {}
        for i in box:
            slip = self.equations.slip(i)
            ahead = slip.rows @ solution.y + slip.rest
            belongs = -solution.normal[i] * ahead / max(float(np.linalg.norm(ahead)), np.finfo(float).tiny)
            missed[i] = float(np.linalg.norm(solution.friction[i] - belongs))
        return missed

    def _size(self, solution: Solution) -> float:
        return float(np.linalg.norm(self.equations.load)) + sum(solution.normal.values())

    def _halves(self, box: Arcs, solution: Solution, split: int) -> list[Arcs]:
        """The box with one arc in two; the half that a solution suggests is last, and looked at first."""
        begin, width = box[split]
        halves = [{**box, split: (begin, width / 2)}, {**box, split: (begin + width / 2, width / 2)}]
        return halves if self._suggested(split, begin, width, solution) > width / 2 else halves[::-1]

    def _suggested(self, contact: int, begin: float, width: float, solution: Solution) -> float:
        """Where in an arc friction seems to point: against the acceleration there would be without it."""
        slip = self.equations.slip(contact)
        give = slip.rows @ slip.rows.T
        without = slip.rows @ solution.y + slip.rest
        without -= np.trace(give) / ROUND * self.equations.mu[contact] * solution.friction[contact]
        angle = math.atan2(-without[1], -without[0])
        return min(
            max((angle - begin + math.pi - width / 2) % (2 * math.pi) - math.pi + width / 2, 0.0), width
        )


def _offset(angle: float, begin: float, width: float) -> float:
    """How far beyond the beginning of an arc an angle is, counted on the side of its middle."""
    return (angle - begin - width / 2 + math.pi) % (2 * math.pi) - math.pi + width / 2


def _around() -> Floats:
    return np.linspace(0.0, 2 * math.pi, _SIDES, endpoint=False)


def _unit(angles: Floats) -> Floats:
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def triangle(begin: float, width: float) -> Floats:
    """Three vectors about an arc of the unit circle: its ends, and where their tangents meet."""
    corners = _unit(begin + width * np.array([0.0, 0.5, 1.0]))
    corners[1] /= math.cos(width / 2)
    return corners


def polygon(tangents: Floats) -> Floats:
    """The corners of a polygon about the unit circle, given by the angles of its tangents, in order."""
    gaps = np.diff(tangents, append=tangents[0] + 2 * math.pi)
    corners: Floats = _unit(tangents + gaps / 2) / np.cos(gaps / 2)[:, None]
    return corners
