"""Contact rows: what a velocity does at each contact.

The normal row of a contact is [n, p x n] on the second body and its negative on
the first (Huang, Cheng & Mason, eqs. 4-6, with one sign for all of Detent: the
normal points from the first body to the second, and a positive product means
that they separate). Tangent rows divide sliding into sectors. A body's velocity
is that of its point at the world's origin, then its rotation rate: (vx, vy, w) in the
plane, (vx, vy, vz, wx, wy, wz) in space.

Rows are floats, or rationals (`object` arrays) that stay exact for exact modes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact import checks, scaling
from detent.contact.beside import NOTHING_BESIDE, Beside
from detent.contact.checks import Vector, Vectors
from detent.contact.site import Site, site
from detent.foundation.errors import ModelError
from detent.foundation.exact import number
from detent.foundation.shown import Shown
from detent.mechanics.row import GROUND, body_freedoms, pair_row, tangent_frame, wrench_row

Rows = checks.Rows  # float64, or object holding Fractions


@dataclass(frozen=True, eq=False, repr=False)
class Contacts(Shown):
    """Contacts as rows on one velocity vector.

    `tangent[i]` are the dividing planes of contact i; `held` are rows that are
    always zero (joints). `friction[i]` is Coulomb's coefficient, None where unknown.
    """

    normal: Rows  # (n, d)
    tangent: tuple[Rows, ...]  # n arrays (n_t, d)
    held: Rows  # (k, d)
    friction: tuple[float | None, ...]
    sites: tuple[Site, ...]
    bodies: tuple[str, ...] = ()  # names, in the order of the velocity vector
    approximated: tuple[str, ...] = ()  # rationals that stand for rotations of the document, in words
    beside: Beside = NOTHING_BESIDE  # what else of the document holds or pushes its parts
    units: str = "1"  # of the sites' places, as a document's; "1" where nobody said
    known_scale: Rows | None = None  # `velocity_scale`, where the sites no longer tell

    @classmethod
    def from_rows(
        cls,
        normal: Any,
        tangent: Sequence[Any] | None = None,
        *,
        held: Any = (),
        friction: Any = None,
        freedoms: int | None = None,
    ) -> Contacts:
        """Contacts by the rows of their Jacobians; without any row `freedoms` gives their length."""
        width = checks.width_of(normal, held, freedoms)
        rows = checks.rows_of(normal, width, "normal")
        planes = [()] * len(rows) if tangent is None else tangent
        if len(planes) != len(rows):
            raise ModelError.at(
                "tangent", f"{len(planes)} entries for {len(rows)} contacts", "one list of rows per contact"
            )
        for i, row in enumerate(rows):
            if not row.any():
                raise ModelError.at(f"normal.{i}", "is zero", "a contact's row has a direction")
        contacts = cls(
            normal=rows,
            tangent=tuple(checks.rows_of(p, width, f"tangent.{i}") for i, p in enumerate(planes)),
            held=checks.rows_of(held, width, "held"),
            friction=checks.friction_of(friction, len(rows)),
            sites=tuple(Site(f"contact {i}") for i in range(len(rows))),
        )
        return contacts.floats if contacts._holds(np.dtype(float)) else contacts.exact

    @classmethod
    def from_points(
        cls,
        points: Vectors,
        normals: Vectors,
        *,
        bodies: Sequence[tuple[int, int]] | None = None,
        tangents: Sequence[Vectors] | NDArray[Any] | None = None,
        planes: int | None = None,
        friction: Any = None,
        held: Any = (),
        dimension: int | None = None,
    ) -> Contacts:
        """Contact points with normals from the first to the second of `bodies`.

        Bodies are numbered from 0; GROUND stays. Left out, every contact is between
        the ground and body 0. `tangents` gives the dividing directions of each
        contact; else `planes` of them are spread evenly (1 in the plane, 2 in space; with 0 modes
        are contacting and separating alone, and forces need a friction of 0).
        """
        points, normals = checks.vectors_of(points, "points"), checks.vectors_of(normals, "normals")
        if len(points) != len(normals):
            raise ModelError.at(
                "normals", f"{len(normals)} normals for {len(points)} points", "one per point"
            )
        space = dimension or (len(points[0]) if len(points) else 3)
        if space not in (2, 3):
            raise ModelError.at("points", f"points of {space} numbers", "2 in the plane, 3 in space")
        planes = checks.planes_of(planes)
        pairs = checks.pairs_of(bodies, len(points), GROUND)
        freedoms = (1 + max((max(pair) for pair in pairs), default=0)) * body_freedoms(space)
        rows: list[list[Any]] = []
        divided: list[list[list[Any]]] = []
        sites: list[Site] = []
        for i, (point, normal) in enumerate(zip(points, normals, strict=True)):
            checks.point_and_normal(point, normal, space, i)
        divided_by = None if tangents is None else checks.tangents_of(tangents, normals)
        for i, (point, normal, pair) in enumerate(zip(points, normals, pairs, strict=True)):
            across = spread(normal, planes, space) if divided_by is None else divided_by[i]
            rows.append(pair_row(wrench_row(point, normal), pair, freedoms))
            divided.append([pair_row(wrench_row(point, t), pair, freedoms) for t in across])
            contact_site = site(f"contact {i}", pair, point, normal, across)
            sites.append(replace(contact_site, evenly=tangents is None))
        contacts = cls.from_rows(rows, divided, held=held, friction=friction, freedoms=freedoms)
        return replace(contacts, sites=tuple(sites))

    def __len__(self) -> int:
        return len(self.normal)

    def _line(self) -> str:
        return f"{len(self)} contacts, {self.degrees} degrees of freedom"

    @property
    def degrees(self) -> int:
        """Length of the velocity vector, before `held` takes degrees of freedom away."""
        return int(self.normal.shape[1])

    @cached_property
    def floats(self) -> Contacts:
        """The same rows in floating point."""
        return self._with(lambda rows: np.asarray(rows, float))

    @cached_property
    def exact(self) -> Contacts:
        """The same rows as rationals; a float stands for the decimal that Python prints for it.

        Rows of points are made again from those: in rounded products, rows that depend on each
        other, as the velocities of two points of one body do, would seem independent.
        """
        contacts = self._with(rational)
        if self.normal.dtype == object:
            return contacts
        normal, tangent = contacts.normal.copy(), list(contacts.tangent)
        for i, contact_site in enumerate(self.sites):
            if contact_site.point:
                rows = _exact_rows(contact_site, self.degrees)
                normal[i], tangent[i] = rows[0], rows[1:].reshape(-1, self.degrees)
        return replace(contacts, normal=normal, tangent=tuple(tangent))

    @cached_property
    def velocity_scale(self) -> Rows | None:
        """The velocities as given over others that suit floats better (`scaling.py`), if need be."""
        return (
            self.known_scale
            if self.known_scale is not None
            else scaling.velocity_scale(self.sites, self.degrees)
        )

    @cached_property
    def scaled(self) -> Contacts:
        """The same contacts in floats, over the velocities of `velocity_scale`; they have no sites."""
        scale = self.velocity_scale
        if scale is None:
            return self.floats
        return replace(self.floats._with(lambda rows: rows @ scale), sites=(), known_scale=None)

    def as_given(self, velocities: Rows) -> Rows:
        """Columns over the velocities of `scaled`, over those given."""
        as_given: Rows = velocities if self.velocity_scale is None else self.velocity_scale @ velocities
        return as_given

    def _holds(self, kind: Any) -> bool:
        return any(rows.dtype == kind and rows.size for rows in (self.normal, self.held, *self.tangent))

    def _with(self, change: Any) -> Contacts:
        return replace(
            self,
            normal=change(self.normal),
            tangent=tuple(change(rows) for rows in self.tangent),
            held=change(self.held),
        )

    def joined(self, other: Contacts) -> Contacts:
        """These contacts, then those, on the same velocity vector."""
        if other.degrees != self.degrees:
            raise ModelError.at(
                "contacts",
                f"rows of {other.degrees} numbers beside rows of {self.degrees}",
                "use one velocity vector for all contacts",
            )
        a, b = (
            (self, other) if self.normal.dtype == other.normal.dtype != object else (self.exact, other.exact)
        )
        return replace(
            a,
            normal=np.concatenate([a.normal, b.normal]),
            tangent=a.tangent + b.tangent,
            held=np.concatenate([a.held, b.held]),
            friction=a.friction + b.friction,
            sites=a.sites + b.sites,
        )

    def without(self, index: int) -> Contacts:
        """All contacts but one."""
        if not 0 <= index < len(self):
            raise ModelError.at("contacts", f"there is no contact {index}", f"0 to {len(self) - 1}")
        return self.only([i for i in range(len(self)) if i != index])

    def only(self, keep: Sequence[int]) -> Contacts:
        """Some of the contacts, on the same velocity vector."""
        return replace(
            self,
            normal=self.normal[keep],
            tangent=tuple(self.tangent[i] for i in keep),
            friction=tuple(self.friction[i] for i in keep),
            sites=tuple(self.sites[i] for i in keep),
        )


def _exact_rows(contact_site: Site, freedoms: int) -> Rows:
    """The normal row and the tangent rows of a site, in rationals."""
    point, normal, *across = rational_vectors(
        [contact_site.point, contact_site.normal, *contact_site.tangents]
    )
    if contact_site.evenly:
        across = [rational_vectors([t])[0] for t in spread(normal, len(across), len(point))]
    return checks.rows_of(
        [pair_row(wrench_row(point, v), contact_site.between, freedoms) for v in (normal, *across)],
        freedoms,
        "",
    )


def rational_vectors(vectors: Sequence[Vector]) -> list[list[Fraction]]:
    """Each float as the decimal that Python prints for it."""
    return [[Fraction(number(x) if isinstance(x, float) else x) for x in v] for v in vectors]


def spread(normal: Vector, planes: int | None, space: int) -> list[list[Any]]:
    """Directions at k pi / planes in the tangent plane, k from 0 (the paper's section 3.3).

    Rational where they can be: in the plane, for up to two planes in space, and
    for four where the normal's length is rational; else the nearest decimals.
    """
    planes = checks.planes_of(planes)
    if space == 2:
        if planes not in (None, 0, 1):
            raise ModelError.at("planes", f"{planes} dividing planes in two dimensions", "there it is 1")
        return [] if planes == 0 else [[normal[1], -normal[0]]]
    planes = 2 if planes is None else planes
    first, second = tangent_frame(normal, equal=planes > 2)
    directions: list[list[Any]] = []
    for k in range(planes):
        if 4 * k % planes == 0:  # a multiple of 45 degrees
            a, b = ((1, 0), (1, 1), (0, 1), (-1, 1))[4 * k // planes]
            directions.append([a * x + b * y for x, y in zip(first, second, strict=True)])
        else:
            c, s = math.cos(k * math.pi / planes), math.sin(k * math.pi / planes)
            directions.append([c * float(x) + s * float(y) for x, y in zip(first, second, strict=True)])
    return directions


def tangent_ranks(contacts: Contacts, contact: int) -> tuple[int, int]:
    """How many dimensions of its tangent plane a contact's planes see, and how many there are.

    Rows do not say in which space they live: any plane is then enough.
    """
    contact_site = contacts.sites[contact]
    seen = (
        np.linalg.matrix_rank(np.array(contact_site.tangents))
        if contact_site.tangents
        else len(contacts.tangent[contact])
    )
    return int(seen), len(contact_site.normal) - 1 if contact_site.normal else 1


def spanning(contacts: Contacts, contact: int, needed: int) -> str:
    """What to give so that a contact's planes span its tangent plane."""
    if not contacts.sites[contact].normal:
        return f"give rows for it: `tangent` has a list per contact, and number {contact} is empty"
    return f"give {needed} that do (`tangents`, or planes = {needed})"


def rational(rows: Rows) -> Rows:
    """Rows as rationals."""
    if rows.dtype == object:
        return rows
    rationals = np.empty(rows.shape, object)
    for at, x in np.ndenumerate(rows):
        rationals[at] = Fraction(number(float(x)))
    return rationals
