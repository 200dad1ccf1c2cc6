"""The end of planning: rows numbered for the executors, and everything put in tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from detent.kinematics.equations.inputs import Input
from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations import ops as op
from detent.kinematics.planning.blocks import ClosureBlock
from detent.kinematics.planning.clusters import Anchor, ClusterEnd
from detent.kinematics.planning.contract import Contraction
from detent.kinematics.planning.program import PlanBuilder
from detent.kinematics.planning.tables import CUT, STRAIGHT, Ints, Plan, Summary
from detent.kinematics.planning.worklist import Check

# Columns of an operation that name rows; of the others some name inputs or choose a number.
_ROWS_OF = {
    op.TURN: (3,),
    op.SLIDE: (),
    op.AFFINE: (2, 3, 4, 5),
    op.QUOTIENT: (2, 3, 4),
    op.SQUARE: (2, 3),
    op.OFFSET: (2, 3, 4),
    op.PACK: (2, 3),
    op.CIRCLES: (2, 3, 4),
    op.CIRCLE_LINE: (2, 3, 4, 5),
    op.TANGENT: (2, 3, 4),
    op.LINES: (2, 3, 4, 5, 6),
    op.PULL: (2, 3, 4),
}


def tables(
    poses: Floats,
    inputs: Sequence[Input],
    work: Contraction,
    segments: list[tuple[int, ...]],
    done: int,
    closure_blocks: list[ClosureBlock],
    summary: Summary,
) -> Plan:
    """The plan, its marker points in one range of rows so that a frame is read in one go."""
    clusters, sketch, system = work.clusters, work.clusters.sketch, work.clusters.system
    points = {
        name: clusters.spot(ClusterEnd(mark.part, mark.at, mark.turn)) for name, mark in system.marks.items()
    }
    segments.append((STRAIGHT, done, len(sketch.rows), 0, 0, 0))
    order, first, last = _points_together(sketch, points)
    state = [*sketch.inputs[len(inputs) :]]
    bodies, reach, equations, ratios, blocks = _block_tables(closure_blocks, len(state), order)
    values = np.empty((sketch.count, 2))
    values[order] = sketch.values[: sketch.count]
    return Plan(
        system=system,
        poses=poses,
        inputs=tuple(inputs),
        drawn=np.array(sketch.inputs[: len(inputs)], dtype=float),
        ops=_renamed(sketch, order),
        segments=_segments(segments, order),
        bodies=bodies,
        reach=reach,
        equations=equations,
        blocks=blocks,
        ratios=ratios,
        vectors=values,
        state=np.array(state + [q for block in closure_blocks for q in block.start], dtype=float),
        slopes=np.zeros(len(segments)),
        points={name: int(order[row]) for name, row in points.items()},
        anchors=tuple(_anchor(clusters.anchors[part], order) for part in range(len(system.parts))),
        checks=tuple(Check(int(order[c.row]), c.scale, c.joints) for c in work.checks),
        steps=tuple(work.steps),
        owners={int(order[row]): step for row, step in work.owners.items()},
        summary=summary,
        notes=tuple(dict.fromkeys(sketch.notes)),
        first_point=first,
        last_point=last,
    )


def _points_together(sketch: PlanBuilder, points: dict[str, int]) -> tuple[Ints, int, int]:
    """New numbers for all rows: moving marker points come last."""
    wanted = list(dict.fromkeys(row for row in points.values() if not sketch.constant[row]))
    chosen = set(wanted)
    others = [row for row in range(sketch.count) if row not in chosen]
    order = np.empty(sketch.count, dtype=np.int64)
    order[others + wanted] = np.arange(sketch.count)
    return order, len(others), sketch.count


def _renamed(sketch: PlanBuilder, order: Ints) -> Ints:
    rows = np.array(sketch.rows, dtype=np.int64).reshape(-1, op.COLUMNS)
    for row in rows:
        for column in (1, op.DISC, *_ROWS_OF[int(row[0])]):
            row[column] = order[row[column]]
    return rows


def _segments(segments: list[tuple[int, ...]], order: Ints) -> Ints:
    table = np.array(segments, dtype=np.int64).reshape(-1, 6)
    for segment in table:
        if segment[0] == CUT:
            segment[4] = order[segment[4]]
    return table


def _anchor(anchor: Anchor, order: Ints) -> Anchor:
    return Anchor(int(order[anchor.W]), int(order[anchor.P]), int(order[anchor.Q]), anchor.w, anchor.d)


def _block_tables(
    closure_blocks: list[ClosureBlock], first_state: int, order: Ints
) -> tuple[Ints, Floats, Ints, Floats, Ints]:
    bodies = np.array([b for block in closure_blocks for b in block.bodies], dtype=np.int64).reshape(-1, 8)
    bodies[:, 2:8] = order[bodies[:, 2:8]]
    equations = np.array(
        [[*e, -1][:9] for block in closure_blocks for e in block.equations], dtype=np.int64
    ).reshape(-1, 9)
    for column in (2, 3, 5, 6):
        equations[:, column] = order[equations[:, column]]
    blocks, b, e, state = [], 0, 0, first_state
    for block in closure_blocks:
        last_b, last_e = b + len(block.bodies), e + len(block.equations)
        blocks.append((b, last_b, e, last_e, block.unknowns, block.rows, state, block.bandwidth()))
        b, e, state = last_b, last_e, state + block.unknowns
    return (
        bodies,
        np.array([r for block in closure_blocks for r in block.reach], dtype=float),
        equations,
        np.array([r for block in closure_blocks for r in block.ratios], dtype=float).reshape(-1, 2),
        np.array(blocks, dtype=np.int64).reshape(-1, 8),
    )
