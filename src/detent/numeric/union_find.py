"""Which things hang together: each pair that is joined makes two groups one (union and find)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Thing = TypeVar("Thing", bound=Hashable)


class Groups(Generic[Thing]):
    """Every thing alone at first; a group is known by one of its own, its head."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self._above = {thing: thing for thing in things}

    def head(self, thing: Thing) -> Thing:
        while self._above[thing] != thing:
            # Each look halves the chain, so that later ones are short.
            self._above[thing] = self._above[self._above[thing]]
            thing = self._above[thing]
        return thing

    def together(self, one: Thing, other: Thing) -> bool:
        return self.head(one) == self.head(other)

    def join(self, one: Thing, other: Thing) -> None:
        self._above[self.head(other)] = self.head(one)

    def lists(self) -> list[list[Thing]]:
        """The groups in the order of their first things, each in the order given."""
        groups: dict[Thing, list[Thing]] = {}
        for thing in self._above:
            groups.setdefault(self.head(thing), []).append(thing)
        return list(groups.values())
