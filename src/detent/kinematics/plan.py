"""Plan time: from a system and what drives it to the tables that move it.

The order is that of the numbered list that `explain` shows: propagation,
contraction of every solvable dyad, then one-angle cuts, then blocks for what is
left. A cut guesses the angle of one joint on the ground, contracts on as if it
were driven, and closes the first repeated equation that needs the guess: one
unknown and one equation where the seed has six (Brunkhart 1994, section 7.3,
names this as future work). A block is Newton in the unknowns that locus
analysis leaves (section 4.1): a link pinned to what is fixed keeps its angle only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from detent.kinematics.equations.inputs import Input
from detent.kinematics.equations.rows import Floats, coordinate, place
from detent.kinematics.execution.frame import with_slopes
from detent.kinematics.planning.blocks import ClosureBlock, block_of, gear_parts
from detent.kinematics.planning.clusters import GROUND, ClusterEdge, ClusterEnd, Clusters
from detent.kinematics.planning.contract import Contraction
from detent.kinematics.planning.emit import tables
from detent.kinematics.planning.gears import driven_by_gears, next_wheel, place_wheel
from detent.kinematics.planning.program import PlanBuilder
from detent.kinematics.planning.reciprocal import reciprocal_slides
from detent.kinematics.planning.tables import BLOCK, CUT, STRAIGHT, Plan, Summary
from detent.kinematics.planning.worklist import Step
from detent.model.machine.plane_linkage import EQUATIONS, PlaneLinkage, PlanePoint

# Beyond this many candidates a cut is not searched for: the block takes over.
MOST_CANDIDATES = 64


def make_plan(
    system: PlaneLinkage,
    poses: Floats,
    inputs: Sequence[Input],
    *,
    stretching: bool = False,
    cuts: bool = True,
    apart: bool = False,
    every_root: bool = False,
) -> Plan:
    """The plan at a closed pose; its branches are those of the pose.

    `apart` keeps equal constants apart: the tables of two designs then differ in their numbers only.
    `every_root` keeps the dyads that do not move among the operations: they too have two roots.
    """
    sketch = PlanBuilder(system.tolerance.length, stretching, apart=apart, every_root=every_root)
    sketch.inputs = [_drawn(system, i, poses) for i in inputs]
    work = _contraction(system, poses, sketch, inputs)
    work.run()
    summary = _summary(work)
    segments: list[tuple[int, ...]] = []
    blocks: list[ClosureBlock] = []
    done = _follow_gears(work, segments, blocks, 0)
    while cuts and not stretching and (cut := _best_cut(work)) is not None:
        work, lo, hi, source, row = cut
        segments += [(STRAIGHT, done, lo, 0, 0, 0), (CUT, lo, hi, source, row, 0)]
        work.run()
        done = _follow_gears(work, segments, blocks, hi)
    for component in _components(work):
        block = block_of(work, component)
        done = _as_segment(work, segments, blocks, done, block)
        block.attach(work)
    return with_slopes(tables(poses, inputs, work, segments, done, blocks, summary))


def _follow_gears(
    work: Contraction, segments: list[tuple[int, ...]], blocks: list[ClosureBlock], done: int
) -> int:
    """Wheels that gears on what is placed rotate, each with what contracts after it; where the rows end."""
    while (wheel := next_wheel(work)) is not None:
        block, pin = wheel
        done = _as_segment(work, segments, blocks, done, block)
        place_wheel(work, block, pin)
        work.run()
    return done


def _as_segment(
    work: Contraction,
    segments: list[tuple[int, ...]],
    blocks: list[ClosureBlock],
    done: int,
    block: ClosureBlock,
) -> int:
    rows = len(work.clusters.sketch.rows)
    blocks.append(block)
    segments += [(STRAIGHT, done, rows, 0, 0, 0), (BLOCK, 0, 0, len(blocks) - 1, 0, 0)]
    return rows


def _drawn(system: PlaneLinkage, item: Input, poses: Floats) -> float:
    if item.held.mark is not None:
        at = place(item.held.mark, poses)
        return at.imag if item.axis else at.real
    return coordinate(system.pairs[item.held.pair], poses)


def _contraction(
    system: PlaneLinkage, poses: Floats, sketch: PlanBuilder, inputs: Sequence[Input]
) -> Contraction:
    clusters = Clusters(system, poses, sketch)
    clusters.start()
    drives = {
        system.pairs[item.held.pair].name: (k, 1.0, 0.0)
        for k, item in enumerate(inputs)
        if item.held.mark is None
    }
    gears = driven_by_gears(system, poses, drives)
    work = Contraction(clusters, drives, geared=gears)
    slides = reciprocal_slides(system, poses)
    for pair in system.pairs:
        if pair.kind == "gear":
            if pair.name not in gears.values():
                work.gears.append(pair)
            continue
        if pair.name in slides:
            if (slide := slides[pair.name]) is not None:
                clusters.connect(slide)
            continue
        clusters.connect(ClusterEdge(pair.name, pair.kind, _end(pair.a), _end(pair.b), pair.offset))
    _hold_marks(clusters, inputs)
    work.look_at_all()
    return work


def _hold_marks(clusters: Clusters, inputs: Sequence[Input]) -> None:
    """A driven marker is pinned to a moving point of the world."""
    for k, item in enumerate(inputs):
        if item.held.mark is not None and item.axis == 0:
            row = clusters.sketch.slide(k, k + 1)
            clusters.connect(
                ClusterEdge(item.name, "revolute", ClusterEnd(-1, 0j, 0.0, row), _end(item.held.mark))
            )


def _end(mark: PlanePoint) -> ClusterEnd:
    return ClusterEnd(mark.part, mark.at, mark.turn)


def _summary(work: Contraction) -> Summary:
    """Unknowns and equations that contraction leaves, each link on what is fixed reduced to its locus."""
    clusters = work.clusters
    unknowns = 3 * (len(clusters.members) - 1)
    equations = len(work.gears)
    loci: set[int] = set()
    for pair, edges in clusters.between.items():
        for edge in edges:
            equations += EQUATIONS[edge.kind]
        other = next(iter(pair - {GROUND}))
        if GROUND in pair and any(e.kind in ("revolute", "prismatic") for e in edges):
            loci.add(other)
    return Summary(work.dyads, unknowns - 2 * len(loci), equations - 2 * len(loci))


def _best_cut(work: Contraction) -> tuple[Contraction, int, int, int, int] | None:
    """The guess that closes with the fewest operations, tried out; None where none closes."""
    best: tuple[int, Contraction, int, int, int, int] | None = None
    grounded = [
        edge
        for near in sorted(work.clusters.neighbours[GROUND])
        for edge in work.clusters.edges(GROUND, near)
        if edge.kind == "revolute" and edge.a.part >= 0  # a pulled marker has no angle to guess
    ]
    for edge in grounded[:MOST_CANDIDATES]:
        tried = work.copy()
        source = _guess(tried, edge)
        lo = len(tried.clusters.sketch.rows)
        tried.queue.append(
            (GROUND, tried.clusters.of(edge.b if tried.clusters.of(edge.a) == GROUND else edge.a))
        )
        check = tried.run(stop_at=tried.bits[source])
        if check is None:
            continue
        hi = _needed_first(tried, lo, check.row)
        if best is None or hi - lo < best[0]:
            _say_cut(tried, work, edge, check.joints)
            best = (hi - lo, tried, lo, hi, source, check.row)
    return None if best is None else best[1:]


def _guess(tried: Contraction, edge: ClusterEdge) -> int:
    """Treat a joint as driven by one more input, whose value Newton will find."""
    system, sketch = tried.clusters.system, tried.clusters.sketch
    source = len(sketch.inputs)
    pair = system.pairs[system.index[edge.name]]
    sketch.inputs.append(coordinate(pair, tried.clusters.poses))
    tried.drives = {**tried.drives, edge.name: (source, 1.0, 0.0)}
    tried.bits = {**tried.bits, source: 1 << len(tried.bits)}
    return source


def _needed_first(tried: Contraction, lo: int, row: int) -> int:
    """Sort the operations since `lo`: first those that the closing row needs; returns their end."""
    rows = tried.clusters.sketch.rows
    wanted, needed = {row}, []
    for operation in reversed(rows[lo:]):
        if operation[1] in wanted:
            needed.append(operation)
            wanted.update(operation[2:7])
    needed.reverse()
    kept = set(needed)
    tried.clusters.sketch.rows = rows[:lo] + needed + [o for o in rows[lo:] if o not in kept]
    return lo + len(needed)


def _say_cut(tried: Contraction, before: Contraction, edge: ClusterEdge, closing: tuple[str, ...]) -> None:
    index = len(before.steps)
    parts = tuple(dict.fromkeys(p for step in tried.steps[index:] for p in step.parts))
    closes = " and ".join(closing)
    words = f"cut: guess the angle at {edge.name}, follow the next lines, and let {closes} close by Newton"
    tried.steps[index] = Step(words, parts, 1)


def _components(work: Contraction) -> list[list[int]]:
    """Clusters not yet fixed, grouped by what joins or gears them without passing the ground."""
    clusters = work.clusters
    left = [c for c in clusters.members if c != GROUND]
    geared: dict[int, set[int]] = {}
    for gear in work.gears:
        wheels = {clusters.cluster[part] for part in gear_parts(gear)} - {GROUND}
        for wheel in wheels:
            geared.setdefault(wheel, set()).update(wheels)
    seen: set[int] = set()
    groups: list[list[int]] = []
    for first in left:
        if first in seen:
            continue
        group, front = [], deque([first])
        seen.add(first)
        while front:
            cluster = front.popleft()
            group.append(cluster)
            for near in sorted(clusters.neighbours[cluster] | geared.get(cluster, set())):
                if near != GROUND and near not in seen:
                    seen.add(near)
                    front.append(near)
        groups.append(group)
    return groups
