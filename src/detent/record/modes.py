"""Contact modes as an answer: how many, which, and of what dimension."""

from __future__ import annotations

from typing import Literal

from detent.record.base import Record, Value
from detent.record.scope import Scope


class ModeCounts(Value, frozen=True, omit_defaults=True):
    """How many modes; `all` is absent where only contacting/separating modes were asked for."""

    contacting_separating: int
    all: int | None = None


class NearMiss(Value, frozen=True):
    """Two parts that almost touch: the gap between them, in document units."""

    first: str
    second: str
    gap: float


class CentreAcceleration(Value, frozen=True, omit_defaults=True):
    """Of a part's centre of mass [document units per s²], and of its rotation [rad/s²].

    Where a contact slides under a normal force that is not determined, the acceleration is not either: this
    is one choice of many, and the ranges have the least and the largest of each number that the mode
    allows; else they are empty, and JSON leaves them out.
    """

    linear: tuple[float, ...]
    angular: tuple[float, ...]  # one number in the plane
    determined: bool = True
    linear_range: tuple[tuple[float, float], ...] = ()  # infinite without bound
    angular_range: tuple[tuple[float, float], ...] = ()


class ConsistentMode(Value, frozen=True):
    """A mode that forces and inertia allow, with an acceleration and the normal forces [N] by contact.

    `acceleration` is that of each part's point at the world's origin, then of its rotation, as velocities
    and loads are written; `acceleration_of_centre` has the same by part, at its centre of mass. Where
    statics does not determine a normal force, `normal` is one choice of many: `determined` says so, and
    `normal_range` has the least and the largest that the mode allows. `on_the_edge`: so near a threshold
    that floating point does not tell on which side.
    """

    mode: str
    states: tuple[str, ...]
    acceleration: tuple[float, ...]
    normal: tuple[float, ...]
    normal_range: tuple[tuple[float, float], ...] = ()  # [N], infinite without bound
    determined: tuple[bool, ...] = ()
    acceleration_of_centre: dict[str, CentreAcceleration] = {}
    on_the_edge: bool = False


class ConsistentModes(Record, frozen=True):
    """The answer of `detent modes --load`: no motion, one, or several; on the edge between some."""

    answer: Literal["none", "one", "several", "edge"]
    consistent: tuple[ConsistentMode, ...]
    load: tuple[float, ...]  # with the weight of the parts
    velocity: tuple[float, ...]
    scope: Scope
    assumptions: tuple[str, ...] = ()
    units: str = "m"
    contacts: tuple[str, ...] = ()
    nearest: tuple[NearMiss, ...] = ()  # parts that almost touch, and are not contacts

    def _line(self) -> str:
        return f"{self.answer}: {', '.join(each.mode for each in self.consistent)}"


class ModesAnswer(Record, frozen=True):
    """The answer of `detent modes`; `modes` in the order of their text.

    `rank` is the dimension of the velocities that the contacts notice, `by_rank`
    how many modes have each dimension of those; a mode's own dimension has also the `unnoticed`,
    velocities that joints allow and no contact notices. `exact` says that integers decided,
    `flagged` how many floating-point decisions were too close to call before. `contacts`
    are the parts of each, in the order of signs. `points`, `normals` (of length one, from the first
    part to the second) and `tangents` (a list per contact, a direction of length one per dividing plane: +
    where the second part slides in that direction past the first) are empty where contacts were given as
    rows. `taken` says which rationals approximate angles that no rational rotation gives, where integers
    decided. `nearest` has pairs of parts that almost touch, nearest first.
    """

    scope: Scope

    counts: ModeCounts
    modes: tuple[str, ...]
    rank: int
    by_rank: dict[str, int]
    sliding_counts: dict[str, int] = {}
    unnoticed: int = 0
    contacts: tuple[str, ...] = ()
    exact: bool = False
    flagged: int = 0
    kind: str = "all"
    taken: tuple[str, ...] = ()
    points: tuple[tuple[float, ...], ...] = ()
    normals: tuple[tuple[float, ...], ...] = ()
    tangents: tuple[tuple[tuple[float, ...], ...], ...] = ()
    nearest: tuple[NearMiss, ...] = ()

    def _line(self) -> str:
        return f"{len(self.modes)} modes of {len(self.contacts)} contacts, rank {self.rank}"
