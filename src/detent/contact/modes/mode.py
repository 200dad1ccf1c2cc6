"""Modes: signs over contacts, and sets of them to filter, explore and read.

A mode is written with one sign per contact (`0` touching, `+` separating), a bar,
and one sign per dividing plane (`-0+`; `.` where the contact separates). Sticking is
touching with all planes 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import touching_of
from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import (
    KINDS,
    Budget,
    Enumeration,
    Signs,
    enumerate_cells,
    scope_of,
    signs_of,
)
from detent.contact.modes.group_complex import Kind
from detent.contact.modes.in_line import as_written
from detent.contact.modes.moving import cells_moving, columns_of
from detent.foundation.errors import ModelError, UnknownNameError
from detent.foundation.shown import Shown
from detent.record.frozen import read_only
from detent.record.modes import ModeCounts, ModesAnswer
from detent.record.table import Tabular

State = Literal["touching", "separating", "sticking", "sliding"]
STATES: tuple[State, ...] = ("touching", "separating", "sticking", "sliding")

# By sign + 1: negative, zero, positive, and UNSEEN.
_LETTERS = np.frombuffer(b"-0+.", np.uint8)
_BAR = ord("|")
# Contacting/separating modes whose own counts go into a record.
_SLIDING_SHOWN = 5000


@dataclass(frozen=True, repr=False)
class Mode(Shown):
    """One mode of a set."""

    modes: ModeSet
    cell: int

    def __str__(self) -> str:
        return self.text

    def _line(self) -> str:
        return repr(self.text)

    @cached_property
    def text(self) -> str:
        """Its signs, written."""
        return self.modes.texts_of(np.array([self.cell]))[0]

    @property
    def dimension(self) -> int:
        """Dimension of its velocities, those that no contact notices among them."""
        return int(self.modes.enumeration.dimensions([self.cell])[0])

    @cached_property
    def signs(self) -> Signs:
        """One per contact, then one per plane; 2 where the contact separates."""
        row: Signs = read_only(self.modes.signs_of(np.array([self.cell]))[0])
        return row

    @property
    def touching(self) -> NDArray[np.bool_]:
        """By contact."""
        touches: NDArray[np.bool_] = read_only(np.equal(self.signs[: len(self.modes.contacts)], 0))
        return touches

    @cached_property
    def velocity(self) -> NDArray[np.float64]:
        """A velocity of this mode, of length one unless the mode is rest."""
        enumeration = self.modes.enumeration
        witness = np.asarray(enumeration.complex.witness[self.cell], float)
        velocity = np.asarray(enumeration.space.frame, float) @ witness
        size = float(np.linalg.norm(velocity))
        direction: NDArray[np.float64] = read_only(velocity / size if size > 0 else velocity)
        return direction

    def state(self, contact: int) -> State:
        """Separating, sticking or sliding ("touching" where no plane divides)."""
        return self.modes.state_of(self.signs, contact)


@dataclass(frozen=True, eq=False, repr=False)
class ModeSet(Shown, Tabular):
    """All modes of an enumeration, or those left by a filter; `cells` in the order found."""

    enumeration: Enumeration
    cells: NDArray[np.int64]
    kind: Kind = "all"
    narrow: bool = False  # the complex itself is that of one contacting/separating mode

    @property
    def contacts(self) -> Contacts:
        return self.enumeration.contacts

    @cached_property
    def planes(self) -> tuple[int, ...]:
        """Dividing planes by contact in the signs of this set."""
        return tuple(self.enumeration.layout.planes.tolist())

    @property
    def rank(self) -> int:
        """The largest dimension of a mode: of the velocities that contacts notice and all of them allow."""
        return int(self.enumeration.complex.dim.max(initial=0))

    @property
    def whole(self) -> bool:
        """Whether these are all modes of the contacts (of its kind)."""
        return not self.narrow and len(self) == len(self.enumeration.complex)

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Mode]:
        return (Mode(self, int(cell)) for cell in self.cells)

    def __contains__(self, mode: object) -> bool:
        """Whether it has this mode, given as such or by its signs."""
        if isinstance(mode, str):
            return mode.strip() in self._index
        return (
            isinstance(mode, Mode) and mode.modes.enumeration is self.enumeration and mode.cell in self.cells
        )

    @overload
    def __getitem__(self, which: int | str) -> Mode: ...
    @overload
    def __getitem__(self, which: slice) -> ModeSet: ...
    def __getitem__(self, which: int | str | slice) -> Mode | ModeSet:
        """By position, or by its signs; a range of positions is a set."""
        if isinstance(which, slice):
            return replace(self, cells=self.cells[which])
        return Mode(self, self._cell(which) if isinstance(which, str) else int(self.cells[which]))

    @cached_property
    def signs(self) -> Signs:
        """One row per mode: one sign per contact, then one per plane; 2 where the contact separates."""
        rows: Signs = read_only(self.signs_of(self.cells))
        return rows

    @cached_property
    def texts(self) -> list[str]:
        """Every mode, written; sorted as text, so that the same contacts give the same list."""
        return sorted(self.texts_of(self.cells))

    def signs_of(self, cells: NDArray[Any]) -> Signs:
        """Signs of some cells, read through the layout."""
        return signs_of(self.enumeration, cells)

    def state_of(self, signs: Signs, contact: int) -> State:
        """Of one contact in a row of signs."""
        if signs[contact]:
            return "separating"
        first = len(self.contacts) + sum(self.planes[:contact])
        plane_signs = signs[first : first + self.planes[contact]]
        if not len(plane_signs):
            return "touching"
        return "sliding" if plane_signs.any() else "sticking"

    def texts_of(self, cells: NDArray[Any]) -> list[str]:
        """Some cells, written."""
        return self.written(self.signs_of(cells))

    def written(self, signs: Signs) -> list[str]:
        """Rows of signs as texts."""
        n = len(self.contacts)
        letters = _LETTERS[signs + 1]
        if self.kind == "all":
            letters = np.insert(letters, n, _BAR, axis=1)
        width = letters.shape[1]
        text = np.ascontiguousarray(letters).tobytes().decode()
        return [text[k * width : (k + 1) * width] for k in range(len(signs))]

    def by_rank(self) -> dict[int, int]:
        """How many modes of each dimension, not counting what no contact notices: 0 to `rank`."""
        values, counts = np.unique(self.enumeration.complex.dim[self.cells], return_counts=True)
        return {int(k): int(n) for k, n in zip(values, counts, strict=True)}

    @cached_property
    def contacting_separating(self) -> int:
        """How many contacting/separating modes the modes of this set belong to."""
        if len(self) == len(self.enumeration.complex):
            return self.enumeration.contacting_separating
        return len(np.unique(self.signs[:, : len(self.contacts)], axis=0))

    def sliding_counts(self) -> dict[str, int]:
        """How many modes each contacting/separating mode has."""
        n = len(self.contacts)
        letters = np.ascontiguousarray(_LETTERS[self.signs[:, :n] + 1])
        keys = letters.view(f"S{n}").ravel() if n else np.full(len(self), b"", "S1")
        values, counts = np.unique(keys, return_counts=True)
        return {key.decode(): int(count) for key, count in zip(values, counts, strict=True)}

    @cached_property
    def as_written(self) -> str:
        """In words, what the last digits of the numbers decide; empty where they decide nothing."""
        return as_written(self.enumeration, self.kind, self.cells if self.narrow else None)

    def answer(self) -> ModesAnswer:
        """The set as a record, every mode written."""
        lattice = self.contacting_separating
        sliding = self.sliding_counts() if self.kind == "all" and lattice <= _SLIDING_SHOWN else {}
        return ModesAnswer(
            counts=ModeCounts(
                contacting_separating=lattice,
                all=len(self) if self.kind == "all" else None,
            ),
            modes=tuple(self.texts),
            rank=self.rank,
            unnoticed=self.enumeration.space.unnoticed,
            by_rank={str(k): n for k, n in self.by_rank().items()},
            sliding_counts=sliding,
            contacts=tuple(site.name for site in self.contacts.sites),
            exact=self.enumeration.exact,
            flagged=self.enumeration.flagged,
            kind=self.kind,
            taken=self.contacts.approximated if self.enumeration.exact else (),
            points=tuple(site.point for site in self.contacts.sites if site.point),
            normals=tuple(site.unit_normal for site in self.contacts.sites if site.point),
            tangents=tuple(site.unit_tangents for site in self.contacts.sites if site.point),
            scope=scope_of(self.enumeration, whole=self.whole, as_written=self.as_written),
        )

    def columns(self) -> dict[str, NDArray[Any]]:
        """The modes in the order of their text, with their dimensions."""
        texts = self.texts
        dimensions = self.enumeration.dimensions([self._index[text] for text in texts])
        return {
            "mode": read_only(np.array(texts, dtype=object)),
            "dimension": read_only(dimensions),
        }

    def to_json(self) -> str:
        """Canonical JSON of the record."""
        return self.answer().to_json()

    def _line(self) -> str:
        return f"{len(self)} modes of {len(self.contacts)} contacts, rank {self.rank}"

    def where(self, *conditions: tuple[int, State]) -> ModeSet:
        """Modes in which each contact named is in the state named."""
        keep = np.ones(len(self), bool)
        for condition in conditions:
            if not isinstance(condition, tuple | list) or len(condition) != 2:
                raise ModelError.at("where", f"{condition!r} is not a condition", 'write (3, "sticking")')
            contact, state = condition
            if state not in STATES:
                raise ModelError.at("state", f"there is no state {state!r}", ", ".join(STATES))
            keep &= self._is(contact, state)
        return replace(self, cells=self.cells[keep])

    def moving(self, columns: Any) -> ModeSet:
        """Modes in which any of these entries of the velocity vector can be other than zero.

        In all others they are zero for sure: of the columns of one body, that it rests. A part's name
        stands for its columns.
        """
        if isinstance(columns, str):
            columns = columns_of(self.contacts, columns)
        which = np.atleast_1d(np.asarray(columns, int)) if np.size(columns) else np.zeros(0, int)
        d = self.contacts.degrees
        if ((which < 0) | (which >= d)).any():
            raise ModelError.at("columns", f"there are {d} entries of the velocity", f"0 to {d - 1}")
        return replace(self, cells=self.cells[cells_moving(self.enumeration, which)[self.cells]])

    def of(self, touching: str) -> ModeSet:
        """Modes of one contacting/separating mode, given by its signs."""
        touches = self.signs[:, : len(self.contacts)] == 0
        keep = (touches == touching_of(self.contacts, touching)).all(axis=1)
        if not keep.any():
            raise UnknownNameError.at(
                "mode",
                f"there is no mode {touching!r}: no velocity of this set has these signs",
                "kind='contacting_separating' lists those that there are",
            )
        return replace(self, cells=self.cells[keep])

    def neighbours(self, mode: Mode | str) -> ModeSet:
        """Modes one dimension below or above: those in its boundary, and those it bounds."""
        cell = self._cell(mode)
        start, below = self._above
        near = np.concatenate(
            [self.enumeration.complex.boundary(cell), below[start[cell] : start[cell + 1]]]
        ).astype(np.int64)
        return replace(self, cells=near[np.isin(near, self.cells)])

    def star(self, mode: Mode | str) -> ModeSet:
        """Every mode that has this one in its closure, itself among them."""
        cell = self._cell(mode)
        start, above = self._above
        seen = {cell}
        front = [cell]
        while front:
            c = front.pop()
            for g in above[start[c] : start[c + 1]].tolist():
                if g not in seen:
                    seen.add(g)
                    front.append(g)
        near = np.array(sorted(seen), np.int64)
        return replace(self, cells=near[np.isin(near, self.cells)])

    @cached_property
    def _above(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The boundary lists the other way round: which cells each cell bounds."""
        cell_complex = self.enumeration.complex
        owner = np.repeat(np.arange(len(cell_complex)), np.diff(cell_complex.start))
        order = np.argsort(cell_complex.cells, kind="stable")
        start = np.searchsorted(cell_complex.cells[order], np.arange(len(cell_complex) + 1))
        return start, owner[order]

    def _is(self, contact: int, state: State) -> NDArray[np.bool_]:
        n = len(self.contacts)
        if not 0 <= contact < n:
            raise ModelError.at("contact", f"there is no contact {contact}", f"they are 0 to {n - 1}")
        touching = np.equal(self.signs[:, contact], 0)
        if state in ("touching", "separating"):
            return touching if state == "touching" else ~touching
        if not self.planes[contact]:
            problem = f"these modes do not tell whether contact {contact} sticks or slides"
            raise ModelError.at(
                "state", problem, "ask all modes, with dividing planes; or touching, separating"
            )
        first = n + sum(self.planes[:contact])
        still = (self.signs[:, first : first + self.planes[contact]] == 0).all(axis=1)
        in_state: NDArray[np.bool_] = touching & still if state == "sticking" else touching & ~still
        return in_state

    def _cell(self, mode: Mode | str) -> int:
        if isinstance(mode, Mode):
            return mode.cell if mode.modes.enumeration is self.enumeration else self._cell(mode.text)
        where = self._index.get(mode.strip()) if isinstance(mode, str) else None
        if where is None:
            raise self._unknown(mode)
        return where

    @cached_property
    def _index(self) -> dict[str, int]:
        return dict(zip(self.texts_of(self.cells), self.cells.tolist(), strict=True))

    def _unknown(self, text: object) -> UnknownNameError:
        n, m = len(self.contacts), sum(self.planes)
        if not isinstance(text, str):
            return UnknownNameError.at(
                "mode", f"{text!r} is not a mode", "give one of the set, or its signs as text"
            )
        signs, _, planes = text.strip().partition("|")
        if self.kind != "all" and len(signs) != n:
            remedy = f"write {n} signs for the contacts"
        elif len(signs) != n or (self.kind == "all" and len(planes) != m):
            remedy = f"write {n} signs for the contacts, a bar, {m} for the planes"
        else:
            remedy = "no velocity has these signs; list the modes to see which there are"
        return UnknownNameError.at("mode", f"there is no mode {text!r}", remedy)


def modes(
    contacts: Contacts, *, kind: Kind = "all", exact: bool = False, limits: Budget | None = None
) -> ModeSet:
    """Every mode the contacts allow: contacting/separating alone, or with sticking and sliding."""
    if kind not in KINDS:
        raise ModelError.at("kind", f"there is no kind {kind!r}", " or ".join(KINDS))
    enumeration = enumerate_cells(contacts, kind=kind, exact=exact, limits=limits)
    return whole_set(enumeration, kind)


def whole_set(enumeration: Enumeration, kind: Kind = "all") -> ModeSet:
    """Every cell of an enumeration."""
    return ModeSet(enumeration, np.arange(len(enumeration.complex)), kind)
