"""The plan as tables of integers and floats: what every executor runs.

`ops` are the operations (see `ops.py`), `segments` say how they are run:
straight; as a cut, whose one guessed angle is found by Newton on one closing
row; or as a block, whose unknowns are found together. `vectors` holds constants
and, as a start, every vector's value at the closed drawing. `state` holds the
guessed angles and the blocks' unknowns; it is what continuity carries from
frame to frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.kinematics.equations.inputs import Input
from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations.ops import DISC, DYADS
from detent.kinematics.planning.clusters import Anchor
from detent.kinematics.planning.worklist import Check, Step
from detent.model.machine.plane_linkage import PlaneLinkage

Ints = NDArray[np.int64]

STRAIGHT, CUT, BLOCK = 0, 1, 2  # segment: kind, lo, hi, source | block, closing row, first state


@dataclass(frozen=True)
class Summary:
    """What contraction and locus analysis leave to numbers, before cuts (Fig. 30)."""

    dyads: int
    unknowns_left: int
    equations_left: int


@dataclass(frozen=True)
class JointStop:
    """A joint that has limits, and the operation whose discriminant they are (-1: none is)."""

    pair: int
    row: int


@dataclass(frozen=True)
class Plan:
    """Stored order of solving; made once for a mechanism and its drives."""

    system: PlaneLinkage
    poses: Floats  # closed drawing
    inputs: tuple[Input, ...]
    drawn: Floats  # inputs at the closed drawing
    ops: Ints
    segments: Ints
    bodies: Ints  # of all blocks
    reach: Floats  # [m] how far one radian moves each body
    equations: Ints
    blocks: Ints  # per block: bodies lo, hi; equations lo, hi; unknowns; equations; first state; bandwidth
    ratios: Floats  # ratio and offset of each equation that is a gear
    vectors: Floats
    state: Floats
    slopes: Floats  # sign of each cut's closing derivative, and of each block's determinant, on the branch
    points: dict[str, int]  # row of each marker
    anchors: tuple[Anchor, ...]  # of each part, in the world
    checks: tuple[Check, ...]
    steps: tuple[Step, ...]
    owners: dict[int, Step]  # line of the plan behind a discriminant's row
    summary: Summary
    notes: tuple[str, ...]
    first_point: int  # rows first_point..last_point hold the distinct marker points
    last_point: int
    stops: tuple[JointStop, ...] = ()  # limits of joints that are watched

    @property
    def spans(self) -> Floats:
        """Of each input, what moves the linkage about as far as its size."""
        return np.array([item.span(self.system) for item in self.inputs])

    @property
    def closed_form(self) -> bool:
        """All of it straight: any frame follows from its inputs alone."""
        return bool(np.all(self.segments[:, 0] == STRAIGHT))

    @property
    def regular(self) -> bool:
        """Closed form throughout, no repeated equation, no discriminant at zero: full rank as drawn."""
        dyads = self.ops[np.isin(self.ops[:, 0], DYADS), DISC]
        return self.closed_form and not self.checks and bool(np.all(self.vectors[dyads, 0] > 0))

    @property
    def branch(self) -> tuple[int, ...]:
        """The stored sign of each quadratic, in plan order."""
        return tuple(int(s) for s in self.ops[:, 8] if s)

    def to_json(self) -> dict[str, Any]:
        """The tables, for another executor: a browser needs these and nothing else."""
        return {
            "ops": self.ops.tolist(),
            "segments": self.segments.tolist(),
            "bodies": self.bodies.tolist(),
            "reach": self.reach.tolist(),
            "equations": self.equations.tolist(),
            "blocks": self.blocks.tolist(),
            "ratios": self.ratios.tolist(),
            "vectors": self.vectors.tolist(),
            "state": self.state.tolist(),
            "slopes": self.slopes.tolist(),
            "drawn": self.drawn.tolist(),
            "inputs": [i.name for i in self.inputs],
            "points": self.points,
            "parts": {
                name: {
                    "W": a.W,
                    "P": a.P,
                    "Q": a.Q,
                    "w": [a.w.real, a.w.imag],
                    "d": [a.d.real, a.d.imag],
                }
                for name, a in zip(self.system.parts, self.anchors, strict=True)
            },
            "unit": self.system.metres_per_unit,
        }
