"""Rows that share no dependence: groups whose modes combine freely.

A box on a table and a box on that box: seen in their relative motion, what the contacts of
one do says nothing of the other's. The rows of all contacts then fall into groups; each
dependence stays within one group, and their spaces together make up the whole space. Every choice
of one mode per group is a mode: counts multiply, and the complex of all is the product of theirs.

In floats a link that is only rounding joins two groups, which changes no answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.modes.space import Space, float_space, row_space
from detent.numeric.arrangement.complex import EQUAL, GAP, Vectors
from detent.numeric.arrangement.integers import integer_matrix, inverse_direction, row_dependence

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Seen = NDArray[np.bool_]  # by row (or contact) and axis, each axis in the space of one group


@dataclass(frozen=True)
class Group:
    """Contacts that belong together, and their axes in a space divided by groups."""

    contacts: Numbers
    planes: Numbers
    axes: slice

    def of(self, space: Space) -> Space:
        """Its own share of a space divided by groups; rows of others see none of its axes."""
        if len(self.contacts) == len(space.normal):
            return space
        return replace(
            space,
            frame=space.frame[:, self.axes],
            normal=space.normal[self.contacts, self.axes],
            tangent=space.tangent[self.planes, self.axes],
            planes=space.planes[self.contacts],
            lasting=space.lasting[self.contacts],
        )


def groups(rows: Floats) -> Numbers | None:
    """A number per row, the same within a group; zero rows are alone. None where the rank is in doubt."""
    if not rows.size:
        return np.arange(len(rows))
    left, values, _ = np.linalg.svd(rows, full_matrices=False)
    share = values / max(float(values[0]), 1.0)
    if ((share > GAP[0]) & (share < GAP[1])).any():
        return None
    return _labels(_seen(left[:, share > EQUAL]))


def groups_exactly(rows: Vectors) -> Numbers:
    """The same for integer rows."""
    return _labels(row_dependence(rows)[1] != 0)


def separated_groups(space: Space) -> tuple[Space, tuple[Group, ...]]:
    """The same space in coordinates that each belong to one group, and the groups."""
    n, m = len(space.normal), len(space.tangent)
    whole = space, (Group(np.arange(n), np.arange(m), slice(0, space.rank)),)
    if n == 1 or not space.rank:
        return whole
    rows = np.concatenate([space.normal, space.tangent])
    exact = rows.dtype == object
    basis, uses = row_dependence(rows) if exact else ([], np.linalg.qr(rows)[0])
    label = _labels(_of_contacts(uses != 0 if exact else _seen(uses), space))
    label[label >= space.rank] = label.min()  # contacts that see nothing go with any others
    known = dict.fromkeys(label.tolist())
    if len(known) == 1:
        return whole
    owner = label[np.repeat(np.arange(n), space.planes)]
    members = [((label == g).nonzero()[0], (owner == g).nonzero()[0]) for g in known]
    parts = [np.concatenate([contacts, n + planes]) for contacts, planes in members]
    divided = _axes_exactly(basis, rows, uses, parts) if exact else _axes(rows, parts)
    if divided is None:
        return whole
    frame, rows_apart, ends = divided
    axes = [slice(a, b) for a, b in pairwise([0, *ends])]
    return (
        replace(space, frame=space.frame @ frame, normal=rows_apart[:n], tangent=rows_apart[n:]),
        tuple(Group(*numbers, some) for numbers, some in zip(members, axes, strict=True)),
    )


def separate(contacts: Contacts) -> list[Contacts]:
    """The contacts of each group by themselves, in floats; all together where that is in doubt.

    What contacts that never separate take from the space may concern others, so they are not separated.
    """
    space = float_space(contacts)
    parts = separated_groups(space)[1]
    if len(parts) == 1 or space.doubtful or space.lasting.any():
        return [contacts]
    return [contacts.only(group.contacts.tolist()) for group in parts]


def _axes(rows: Floats, parts: list[Numbers]) -> tuple[Vectors, Floats, list[int]] | None:
    """New axes as columns, the rows in them, and where each group's end; orthonormal within a group."""
    spans = [row_space(rows[part])[0] for part in parts]
    ends = list(accumulate(span.shape[1] for span in spans))
    if ends[-1] != rows.shape[1]:  # rounding: their ranks do not add up
        return None
    apart = np.zeros_like(rows)
    for part, span, end in zip(parts, spans, ends, strict=True):
        apart[part, end - span.shape[1] : end] = rows[part] @ span
    return np.linalg.inv(np.hstack(spans).T), apart, ends


def _axes_exactly(
    basis: list[int], rows: Vectors, uses: Vectors, parts: list[Numbers]
) -> tuple[Vectors, Vectors, list[int]]:
    """The same in integers: a group's axes are what the basis rows among its own measure."""
    columns = [
        [k for k, i in enumerate(basis) if i in members] for members in (set(p.tolist()) for p in parts)
    ]
    order = [k for some in columns for k in some]
    frame = inverse_direction(rows[[basis[k] for k in order]])
    return frame, integer_matrix(uses[:, order], len(order)), list(accumulate(len(some) for some in columns))


def _of_contacts(seen: Seen, space: Space) -> Seen:
    """By contact: what its normal or any of its planes sees."""
    n = len(space.normal)
    starts = np.cumsum(space.planes) - space.planes
    by_contact = seen[:n].copy()
    divided = space.planes.nonzero()[0]
    if len(divided):
        by_contact[divided] |= np.logical_or.reduceat(seen[n:], starts[divided])
    return by_contact


def _seen(left: Floats) -> Seen:
    """Axes that each belong to one group, and which rows see them.

    `left` has orthonormal columns, so the rows of different groups are at right angles in it. The sum of
    rows times themselves, each with a weight of its own, maps the space of each group into itself: an
    eigenvector lies in one of them (where two eigenvalues meet by chance groups are joined).
    """
    weight = 1.0 + np.modf(np.sqrt(2.0) * np.arange(1, len(left) + 1))[0]
    _, axes = np.linalg.eigh(left.T @ (weight[:, None] * left))
    seen: Seen = np.abs(left @ axes) > GAP[0]
    return seen


def _labels(seen: Seen) -> Numbers:
    """Rows that a chain of shared axes joins get one number; rows that see nothing one each."""
    near = seen.astype(float)
    linked = near.T @ near > 0
    while ((wider := linked @ linked) != linked).any():
        linked = wider
    alone: Numbers = seen.shape[1] + np.arange(len(seen))
    if not seen.shape[1]:
        return alone
    labels: Numbers = np.where(seen.any(axis=1), linked.argmax(axis=0)[seen.argmax(axis=1)], alone)
    return labels
