"""The memory a cell complex is built in, kept from one to the next.

Fresh memory costs more than the work done in it: the system hands it out page by page,
each at its first touch. So a thread keeps one room, grown when needed; a builder borrows
it and hands it back with the finished complex, which is copied out. A builder that finds
none (another one is at work in the thread, or failed) makes its own.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement.store import make_part, make_sides, make_store

START_CELLS, START_NODES = 256, 1024
# Rooms beyond this many cells are not kept: some 300 bytes each.
KEPT_CELLS = 1 << 18

_kept = threading.local()


class Workspace:
    """Arrays to build in."""

    def __init__(self, words: int) -> None:
        self.store = make_store(START_CELLS, words, START_NODES)
        self.part = make_part(START_CELLS, START_NODES)
        self._numbers(START_CELLS)
        self._coordinates = np.empty(0)

    @property
    def cells(self) -> int:
        return len(self.store.dim)

    def _numbers(self, cells: int) -> None:
        self.sides = make_sides(cells)
        self.place, self.stack = (np.empty(cells, np.uint32) for _ in range(2))

    def grow_cells(self, cells: int, used: int) -> None:
        """Room for more cells; those used stay."""
        grown = {
            name: _longer(array, used, cells)
            for name, array in self.store._asdict().items()
            if name != "pool"
        }
        self.store = self.store._replace(**grown)
        self.part = make_part(cells, len(self.part.node))
        self._numbers(cells)

    def grow_nodes(self, nodes: int) -> None:
        """Room for larger parts; what is in them is lost."""
        self.part = self.part._replace(node=np.empty(nodes, np.uint32))

    def grow_pool(self, nodes: int, used: int) -> None:
        self.store = self.store._replace(pool=_longer(self.store.pool, used, nodes))

    def widen(self, words: int, used: int) -> None:
        """So many words of signs, new bits set."""
        if words == self.store.above.shape[1]:
            return
        above, below = (self._wider(signs, words, used) for signs in (self.store.above, self.store.below))
        self.store = self.store._replace(above=above, below=below)

    def _wider(self, signs: NDArray[np.int64], words: int, used: int) -> NDArray[np.int64]:
        wider = np.empty((self.cells, words), np.int64)
        shared = min(signs.shape[1], words)
        wider[:used] = -1
        wider[:used, :shared] = signs[:used, :shared]
        return wider

    def witness(self, rank: int) -> NDArray[np.float64]:
        """Coordinates for all cells; what was there stays only while rank and cells do."""
        if len(self._coordinates) < self.cells * rank:
            self._coordinates = np.empty(self.cells * rank)
        return self._coordinates[: self.cells * rank].reshape(self.cells, rank)


def borrow(words: int) -> Workspace:
    """The thread's room, or a new one."""
    room: Workspace | None = _kept.__dict__.pop("room", None)
    if room is None:
        return Workspace(words)
    room.widen(words, 0)
    return room


def give_back(room: Workspace) -> None:
    """Keep a room for the thread's next builder, unless it is too large."""
    if room.cells <= KEPT_CELLS:
        _kept.room = room


def _longer(array: NDArray[Any], used: int, room: int) -> NDArray[Any]:
    longer = np.empty((room, *array.shape[1:]), array.dtype)
    longer[:used] = array[:used]
    return longer
