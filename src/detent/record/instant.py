"""A machine at one instant of a run: what touches, what holds or drives what, what acts on each part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from detent.record.base import Value

Pair = tuple[float, float]
ForceKind = Literal["contact", "joint", "weight"]
Standing = Literal["locked", "driven", "driving", "guided", "free"]


class ContactAt(Value, frozen=True):
    """A contact that pushes; its force is on the second part, along the normal, which points to it."""

    contact: str
    parts: tuple[str, str]
    point: Pair  # [document units]
    normal: Pair
    force: float  # [N]
    friction: float  # [N] along (n_y, -n_x)
    sliding: float  # of the second part past the first along it [document units per second]


class ForceOn(Value, frozen=True):
    """One force on a part, with its moment about `at` besides; null where statics leaves it open."""

    part: str
    by: str  # a contact, a joint, or "weight"
    kind: ForceKind
    from_part: str  # "" of a weight
    at: Pair  # [document units]
    force: tuple[float | None, float | None]  # [N] in the world's axes
    moment: float | None  # [N m]


class PartStanding(Value, frozen=True):
    """How a moving part stands: locked or driven by others through contacts, driving them, guided (it moves
    along what stands still), or free of contacts."""

    part: str
    standing: Standing
    by: tuple[str, ...] = ()  # parts that lock, drive or guide it
    contacts: tuple[str, ...] = ()  # through which they do
    still: bool = False  # it has no velocity at the instant, whatever leaves it one


class Instant(Value, frozen=True):
    """One instant of a run, after what happens at it.

    `tree` says of parts that contacts hold together which other one each follows (Gelsey 1995, Fig. 8): a
    locked part one that is nearer to the frame, a driven part the one that drives it; `state_variables` are
    those that then remain, of all that the machine has.
    """

    time: float
    parts: tuple[PartStanding, ...]
    tree: Mapping[str, str]  # part: the one that it follows
    state_variables: tuple[str, ...]
    all_state_variables: tuple[str, ...]
    contacts: tuple[ContactAt, ...]
    forces: tuple[ForceOn, ...]
    torques: Mapping[str, float]  # by part [N m], net, about its pivot

    @property
    def chains(self) -> tuple[str, ...]:
        """The tree in words, from its leaves: `ewheel → lever → frame`."""
        parents = set(self.tree.values())
        leaves = [each.part for each in self.parts if each.part not in parents]
        chains = []
        for leaf in leaves:
            chain = [leaf]
            while chain[-1] in self.tree and self.tree[chain[-1]] not in chain:
                chain.append(self.tree[chain[-1]])
            chains.append(" → ".join(chain))
        return tuple(chains)
