"""What a picture needs of contacts, whoever found them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from detent.draw.machine.stage import Stage

if TYPE_CHECKING:
    from detent.draw.machine.stage import Matrix
    from detent.draw.scene.scene import Points

PLATE = 0.25  # of their spread: how deep a body known by its contacts alone is drawn


class DrawnContact(Protocol):
    """What a picture needs of a contact: where, and the normal from the first part to the second."""

    @property
    def point(self) -> Sequence[Any]: ...
    @property
    def normal(self) -> Sequence[Any]: ...


def contact_points(stage: Stage, contacts: Sequence[DrawnContact]) -> dict[str, Points]:
    """By moving part without a shape: the points where given contacts touch it."""
    by_part: dict[str, list[list[float]]] = {}
    for contact in contacts:
        for part in getattr(contact, "between", ()):
            known = stage.mechanism.parts.get(part)
            if known is not None and not known.fixed and part not in stage.solids:
                point = [float(c) for c in contact.point]
                by_part.setdefault(part, []).append([*point, 0.0][:3])
    return {part: np.array(points) for part, points in by_part.items()}


def inward(contacts: Sequence[DrawnContact], part: str) -> Matrix:
    """The mean of the unit normals into a part; length at most one."""
    total = np.zeros(3)
    count = 0
    for contact in contacts:
        between = getattr(contact, "between", ("", ""))
        if part in between:
            normal = np.zeros(3)
            normal[: len(contact.normal)] = [float(c) for c in contact.normal]
            total += (1.0 if between[1] == part else -1.0) * normal / (np.linalg.norm(normal) or 1.0)
            count += 1
    mean: Matrix = total / max(count, 1)
    return mean
