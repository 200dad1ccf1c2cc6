"""A rectangular plate in bending, as a compliance at a hook: Kirchhoff's plate by Ritz's method.

The deflection is a sum of products of splines along both sides; the sum with the least energy

    D / 2 · integral of w,xx² + w,yy² + 2 nu w,xx w,yy + 2 (1 - nu) w,xy²,    D = E h³ / 12 (1 - nu²)

less the work of the loads is the answer, and it is stiffer than the plate: compliances grow on refinement.
Under a point force the deflection has a limit. Under a point moment the rotation has none: near the point
w goes as r ln r, its slope as ln r, so that whatever a mesh gives is a figure of the mesh. A foot of finite
size has a limit in all directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.exact import Number
from detent.model.document.joint import DEFAULT_POISSON, Plate
from detent.model.machine.elastic.energy import BendingEnergy
from detent.model.machine.elastic.splines import SplineSide, graded_knots, halved
from detent.model.machine.elastic.written import knots_with_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SETTLED = 5e-4  # change on halving all intervals, below which it is refined no further
MOST_FUNCTIONS = 16_000
_TWIST = {"full": 2.0, "half": 1.0}  # weight of (1 - nu) w,xy²


@dataclass(frozen=True, eq=False)
class PlateBending:
    """The compliance at the hook, and how it came about on refinement."""

    compliance: Floats  # (3, 3): (w, w,y, -w,x) by (F, M_x, M_y), SI
    functions: tuple[int, ...]  # shape functions of each refinement, the last the one that counts
    history: tuple[Floats, ...]  # the compliance of each
    change: float | None  # of what has a limit, on the last refinement, relative; None of given knots
    footed: bool  # the hook has a foot, so that rotations have a limit too

    @property
    def settled(self) -> bool:
        """Whether what has a limit changed little enough on the last refinement."""
        return self.change is not None and self.change <= SETTLED


@lru_cache(maxsize=64)
def plate_bending(plate: Plate, modulus: float, metres: float) -> PlateBending:
    """Of a plate, on its own knots or refined until it settles; `metres` in a document unit."""
    footed = plate.footprint is not None
    if plate.knots is not None:
        given = [np.array(knots) * metres for knots in knots_with_ends(plate)]
        functions, compliance = _on_knots(plate, modulus, metres, given, straight=True)
        return PlateBending(compliance, (functions,), (compliance,), None, footed)
    sides: list[Floats] = [graded_knots(length, marked) for length, marked in _marked(plate, metres)]
    found = [_on_knots(plate, modulus, metres, sides)]
    change = float("inf")
    while len(found) == 1 or (
        change > SETTLED and prod(2 * len(knots) + 1 for knots in sides) <= MOST_FUNCTIONS
    ):
        sides = [halved(knots) for knots in sides]
        found.append(_on_knots(plate, modulus, metres, sides))
        change = _change(found[-2][1], found[-1][1], footed)
    counts = tuple(count for count, _ in found)
    history = tuple(compliance for _, compliance in found)
    return PlateBending(history[-1], counts, history, change, footed)


def _marked(plate: Plate, metres: float) -> list[tuple[float, list[float]]]:
    """Of both sides: length, and where knots must lie, at the hook and its foot.

    What a long plate does near the hook and at a clamped edge reaches as far as its shorter side: knots are
    asked for at such a distance from both.
    """
    feet = plate.footprint or (Number(0), Number(0))
    near = min(plate.sides) / 4
    marked = []
    for axis, side, place, foot in zip("xy", plate.sides, plate.hook_at, feet, strict=True):
        places = [place, place - foot / 2, place + foot / 2, place - near, place + near]
        places += [near] if f"{axis}=0" in plate.clamped else []
        places += [side - near] if f"{axis}=1" in plate.clamped else []
        marked.append((metres * float(side), [metres * float(each) for each in places]))
    return marked


def _on_knots(
    plate: Plate, modulus: float, metres: float, knots: list[Floats], *, straight: bool = False
) -> tuple[int, Floats]:
    """How many functions, and the compliance that they give."""
    poisson = float(DEFAULT_POISSON if plate.poisson is None else plate.poisson)
    thickness = float(plate.thickness) * metres
    bending = modulus * thickness**3 / 12 / (1 - poisson**2)
    along_x, along_y = (
        SplineSide(places, (f"{axis}=0" in plate.clamped, f"{axis}=1" in plate.clamped), straight)
        for axis, places in zip("xy", knots, strict=True)
    )
    energy = BendingEnergy(along_x.rooted(), along_y.rooted(), poisson, _TWIST[plate.twist] * (1 - poisson))
    feet = [metres * float(foot) for foot in plate.footprint or (0, 0)]
    (goes_x, turns_x), (goes_y, turns_y) = (
        side.at_foot(metres * float(place), foot)
        for side, place, foot in zip((along_x, along_y), plate.hook_at, feet, strict=True)
    )
    loads = np.array([np.outer(goes_x, goes_y), np.outer(goes_x, turns_y), -np.outer(turns_x, goes_y)])
    compliance = np.tensordot(loads, energy.solve(loads), ([1, 2], [1, 2])) / bending
    return along_x.count * along_y.count, (compliance + compliance.T) / 2


def _change(before: Floats, after: Floats, footed: bool) -> float:
    """The greatest change of what has a limit: of every stiffness of a foot, else of the deflection."""
    if not footed:
        return float(abs(after[0, 0] / before[0, 0] - 1))
    stiffer, softer = np.linalg.inv(before), np.linalg.inv(after)
    size = np.sqrt(np.diag(softer))
    return float((np.abs(softer - stiffer) / np.outer(size, size)).max())
