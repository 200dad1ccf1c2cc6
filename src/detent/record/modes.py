"""Contact modes as an answer: how many, which, and of what dimension."""

from __future__ import annotations

from typing import Literal

from detent.record.base import Record, Value


class ModeCounts(Value, frozen=True, omit_defaults=True):
    """How many modes; `all` is absent where only contacting/separating modes were asked for."""

    contacting_separating: int
    all: int | None = None


class ConsistentMode(Value, frozen=True):
    """A mode that forces and inertia allow, with an acceleration and the normal forces [N] by contact."""

    mode: str
    states: tuple[str, ...]
    acceleration: tuple[float, ...]
    normal: tuple[float, ...]


class ConsistentModes(Record, frozen=True):
    """The answer of `detent modes --load`: no motion, one, or several."""

    answer: Literal["none", "one", "several"]
    consistent: tuple[ConsistentMode, ...]
    load: tuple[float, ...]  # with the weight of the parts
    velocity: tuple[float, ...]
    assumptions: tuple[str, ...] = ()

    def _line(self) -> str:
        return f"{self.answer}: {', '.join(each.mode for each in self.consistent)}"


class ModesAnswer(Record, frozen=True):
    """The answer of `detent modes`; `modes` in the order of their text.

    `rank` is the dimension of the velocities that the contacts notice, `by_rank`
    how many modes have each dimension. `exact` says that integers decided,
    `flagged` how many floating-point decisions were too close to call before. `contacts`
    are the parts of each, in the order of signs. `points`, `normals` (of length one, from the first
    part to the second) and `tangents` (a list per contact, a direction per dividing plane: + where the
    second part slides in that direction past the first) are empty where contacts were given as rows. `taken`
    says which rationals approximate angles that no rational rotation gives, where integers decided.
    """

    counts: ModeCounts
    modes: tuple[str, ...]
    rank: int
    by_rank: dict[str, int]
    sliding_counts: dict[str, int] = {}
    contacts: tuple[str, ...] = ()
    exact: bool = False
    flagged: int = 0
    kind: str = "all"
    taken: tuple[str, ...] = ()
    points: tuple[tuple[float, ...], ...] = ()
    normals: tuple[tuple[float, ...], ...] = ()
    tangents: tuple[tuple[tuple[float, ...], ...], ...] = ()

    def _line(self) -> str:
        return f"{len(self.modes)} modes of {len(self.contacts)} contacts, rank {self.rank}"
