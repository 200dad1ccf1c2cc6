"""Contraction: which clusters can be fixed to one another in closed form.

Propagation fixes a driven or welded pair; a pair with two joints is a two-node
loop (`pairs`); a triangle of clusters with one joint each is a dyad on a base,
grounded or floating (`dyad_rules`; Brunkhart 1994, section 3.3). Only edges that
a merge created are looked at again, so that planning grows linearly.
"""

from __future__ import annotations

from dataclasses import dataclass

from detent.kinematics.operations.ops import DISC, DYADS
from detent.kinematics.planning.clusters import GROUND
from detent.kinematics.planning.dyads import contract_triangle
from detent.kinematics.planning.pairs import contract_pair
from detent.kinematics.planning.worklist import Check, Ledger


@dataclass
class Contraction(Ledger):
    """A ledger that is worked off until nothing more can be contracted."""

    def copy(self) -> Contraction:
        return Contraction(
            self.clusters.copy(),
            self.drives,
            self.bits,
            self.queue.copy(),
            self.checks.copy(),
            self.steps.copy(),
            self.dyads,
            self.singular.copy(),
            self.owners.copy(),
            self.gears,
            self.geared,
        )

    def run(self, stop_at: int = 0) -> Check | None:
        """Contract until nothing more can be; with `stop_at`, until a check needs that cut angle."""
        while self.queue:
            a, b = self.queue.popleft()
            if a == b or b not in self.clusters.neighbours.get(a, ()):
                continue
            base, other = (b, a) if b == GROUND else (a, b)
            before = len(self.clusters.sketch.rows)
            merged = base if contract_pair(self, base, other) else contract_triangle(self, base, other)
            self._own(before)
            if merged is not None and (check := self.settle(merged, stop_at)) is not None:
                return check
        return None

    def _own(self, before: int) -> None:
        """Remember which line of the plan each new discriminant belongs to."""
        for row in self.clusters.sketch.rows[before:]:
            if row[0] in DYADS and self.steps:
                self.owners[row[DISC]] = self.steps[-1]

    def look_at_all(self) -> None:
        for edge in self.clusters.between:
            if len(edge) == 2:
                a, b = sorted(edge)
                self.queue.append((a, b))

    def settle(self, base: int, stop_at: int = 0) -> Check | None:
        """After a merge: joints now inside the base are repeated equations; new edges are looked at."""
        for edge in self.clusters.between.pop(frozenset((base,)), []):
            self.repeat(edge)
        for check in self.checks:
            if stop_at and self.clusters.sketch.needs[check.row] & stop_at:
                self.checks.remove(check)
                return check
        return None
