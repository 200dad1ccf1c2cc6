"""Names of features, one rule for every reader of a part's outline.

A feature is `leaf.kind+number`: leaf is its number among the leaves of its part, kind is e (edge),
a (arc) or v (vertex), number is as written in the document. Edge i runs from vertex i to the next as
written. With its part it is `part/leaf.feature`, and a contact is `part/leaf.feature:part/leaf.feature`.

On the outline of a union
- a piece of an edge or an arc has the name that it has in its leaf, and of leaves that coincide the
  first keeps its name;
- pieces that run on, an edge in line with an edge or an arc on the circle of an arc, are one feature
  with the name of the first, seen with the material on the left;
- a vertex has the name of the first leaf with a corner there; where leaves only cross, it is named by
  the pieces before and after it, as `0.e1+2.e3`.

In space a face of a block or a prism is `leaf.f+number`: side i of its base (from x to y, of a block) has the
number i as written, then come the bottom, the top and, for each chamfer as written, one per side of the face
that it breaks.
- A face of a union has the name of the first leaf with a face there; pieces in one plane that run on are one
  face.
- An edge is named by its two faces and a corner by all of its faces, in the order of leaves and numbers, as
  `0.f1+0.f5` and `0.f0+0.f1+2.f5`.

The exact reader (`geometry.exact.union`) and the one in doubles (`geometry.feature`) both name by the
functions below, so that a contact has the same name in every method.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Literal, TypeVar

Place = TypeVar("Place", bound=Hashable)
Owner = TypeVar("Owner")
Piece = TypeVar("Piece")


def feature_name(leaf: int, kind: Literal["e", "a", "v", "f"], number: int) -> str:
    """The name of a leaf's feature within its part."""
    return f"{leaf}.{kind}{number}"


def number_of(name: str) -> int:
    """The number of a leaf's edge, from its name."""
    return int(name.rpartition("e")[2])


def in_part(part: str, feature: str) -> str:
    """The same with its part."""
    return f"{part}/{feature}"


def crossing_name(before: str, after: str) -> str:
    """The name of a vertex where no leaf has a corner, by the features before and after it.

    Names with a part that both share are written with the part once.
    """
    part, slash, feature = after.partition("/")
    if slash and before.startswith(f"{part}/"):
        return f"{before}+{feature}"
    return f"{before}+{after}"


def meeting_name(faces: Iterable[str]) -> str:
    """The name of an edge or a corner in space, by the faces that meet there."""
    return "+".join(sorted(set(faces), key=_leaf_and_number))


def _leaf_and_number(face: str) -> tuple[int, int]:
    leaf, _, number = face.partition(".f")
    return int(leaf), int(number)


def contact_name(first: str, second: str) -> str:
    """The name of a contact between two features."""
    return f"{first}:{second}"


def parts_of_contact(name: str) -> tuple[str, str]:
    """The two parts of a contact, from its name."""
    first, _, second = name.partition(":")
    return first.partition("/")[0], second.partition("/")[0]


def first_corners(corners: Iterable[tuple[Place, Owner]]) -> dict[Place, Owner]:
    """Whose corner a place is: the first that has one there."""
    owners: dict[Place, Owner] = {}
    for place, owner in corners:
        owners.setdefault(place, owner)
    return owners


def runs(ring: Sequence[Piece], runs_on: Callable[[Piece, Piece], bool]) -> list[list[Piece]]:
    """The pieces of a ring in groups that run on, each from its first; one group where all do."""
    start = next((k for k in range(len(ring)) if not runs_on(ring[k - 1], ring[k])), 0)
    groups: list[list[Piece]] = []
    for piece in [*ring[start:], *ring[:start]]:
        if groups and runs_on(groups[-1][-1], piece):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups
