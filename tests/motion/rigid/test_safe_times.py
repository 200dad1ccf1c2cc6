"""How long a candidate cannot touch: never too long; exact, but for slack, where nothing turns or bends."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.contact import EDGE_DISC, faces, feature_distance, relative_pose, role_gap
from detent.motion import Rigid
from detent.motion.rigid import DEEP, bound_motion, layout, place_on_step, safe_time

# A plate with a hole and a notch, on an axle, and a loose piece with arcs: all kinds of features on both.
PIECES = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
[parts.plate]
shape.difference = [
  { outline = [[-30, -20], [30, -20], [30, 20], [-30, 20]] },
  { circle = 8, moves = [{ move = [10, 20] }] },
  { circle = 9, moves = [{ move = [-10, 0] }] },
]
mass = 1
center = [0, 0]
inertia = 1
[parts.piece]
shape.union = [
  { outline = [[-6, -2], [6, -2], [0, 5]] },
  { circle = 3, moves = [{ move = [6, 0] }] },
]
pose = { at = [0, 100] }
mass = 1
center = [0, 0]
inertia = 1
[joints.axle]
type = "revolute"
between = ["frame", "plate"]
at = [-25, 0]
"""
H = 0.1


def prepared(text):
    """The run of a machine that hardly moves: its blocks are filled."""
    return detent.run(detent.loads(text), method=Rigid(), until=1e-3).run.evidence


def seen(blocks, candidate):
    """Distance, gap, and whether the contact is local, without slack."""
    data, state = layout.view(blocks, layout.DATA), layout.view(blocks, layout.STATE)
    row = layout.view(blocks, layout.LISTED)[candidate]
    bodies, pose_AB = layout.view(blocks, layout.PAIRS)[row[3]], np.zeros(4)
    relative_pose(state, bodies[row[4]], bodies[1 - row[4]], pose_AB)
    gap, (c, s) = role_gap(data, row, pose_AB), pose_AB[2:]
    local = faces(data, row[2], -c * gap.nx - s * gap.ny, s * gap.nx - c * gap.ny, 0.0)
    if row[0] == EDGE_DISC:
        local = local and 0.0 <= gap.share <= 1.0
    else:
        local = local and faces(data, row[1], data[row[1], 3] * gap.nx, data[row[1], 3] * gap.ny, 0.0)
    return feature_distance(data, row, pose_AB), gap.gap, local


def along(blocks, points, shares, depth):
    """By time and candidate, along a step: whether it is closed and local, and until when it cannot be."""
    layout.view(blocks, layout.POINTS)[:] = points
    place_on_step(*blocks, H, 0.0)
    bound_motion(*blocks, H)
    closed, safe, local, gap = np.zeros((4, len(shares), len(layout.view(blocks, layout.LISTED))))
    for k, share in enumerate(shares):
        place_on_step(*blocks, H, share)
        for c in range(closed.shape[1]):
            distance, gap[k, c], local[k, c] = seen(blocks, c)
            closed[k, c] = local[k, c] and gap[k, c] < -1e-12 and distance == 0.0
            safe[k, c] = share + safe_time(*blocks, c, distance, (1 - share) * H, depth) / H
    # A corner is on an edge for an instant alone: between two times, if it was local at both.
    closed[1:][(local[1:] * local[:-1] > 0) & (gap[:-1] > 1e-12) & (gap[1:] < -1e-12)] = 1
    return closed, safe


@pytest.mark.parametrize("depth", [0.0, 1e-15])
def test_within_it_features_do_not_meet(depth):
    """Along random motions, at times looked at: where it is called safe, no contact is closed and local."""
    chance, run = np.random.default_rng(1), prepared(PIECES)
    names = [run.tree.names[k] for k in run.tree.independent]
    sizes = np.array([0.03 if name.endswith((".x", ".y")) else 1.5 for name in names])
    shares, met, long = np.linspace(0, 1, 17), 0, []
    for _ in range(40):
        points = np.cumsum(chance.uniform(-0.8, 0.8, (6, len(names))) * sizes, axis=0)
        points[:, names.index("piece.y")] -= 0.08  # it is drawn beside the plate
        closed, safe = along(run.blocks, points, shares, depth)
        for k in range(len(shares)):
            within = (shares[:, None] > shares[k]) & (shares[:, None] < safe[k] - 1e-9) & (closed[k] == 0)
            assert not (within & (closed > 0)).any()
        met += (closed.max(axis=0) > closed[0]).sum()
        long.append((safe - shares[:, None] > 0.1).mean())
    assert met > 50
    assert np.mean(long) > 0.3


BOX = "shape.outline = [[-10, -10], [0, -10], [0, 0], [-10, 0]]"  # below y = 0, left of x = 0
HOLE = "shape.difference = [{ outline = [[-5, -5], [5, -5], [5, 5], [-5, 5]] }, { circle = 4 }]"
DISC = "shape.circle = 2"
BELOW = "shape.intersection = [{ circle = 1 }, { outline = [[-2, -2], [2, -2], [2, 0], [-2, 0]] }]"
ABOVE = "shape.intersection = [{ circle = 1 }, { outline = [[-2, 0], [2, 0], [2, 2], [-2, 2]] }]"


def two_parts(fixed, moving, at):
    return f"""
format = "detent/1"
units = "m"
[parts.fixed]
fixed = true
{fixed}
[parts.moving]
{moving}
pose.at = {list(at)}
mass = 1
center = [0, 0]
inertia = 1
"""


def safe_along(run, names, rates):
    """Of the candidate of two features, with coordinates that move evenly."""
    candidate = next(
        c for c in range(len(run.possible)) if all(name in run.possible.name(c) for name in names)
    )
    layout.view(run.blocks, layout.POINTS)[:] = np.linspace(0, 100, 6)[:, None] * np.array(rates)
    place_on_step(*run.blocks, 100.0, 0.0)
    bound_motion(*run.blocks, 100.0)
    return safe_time(*run.blocks, candidate, seen(run.blocks, candidate)[0], 100.0, 1e-12)


@pytest.mark.parametrize(
    ("fixed", "moving", "at", "speed", "names", "time"),
    [
        # A disc on a corner: its foot is beyond the edge. On the edge: before the corner, above the other.
        (BOX, DISC, (0.5, math.sqrt(3.75)), (-0.1, 0), (".e2:", ".a0"), 5.0),
        (BOX, DISC, (-0.5, 2), (0.1, 0), (".v2:", ".a0"), 5.0),
        (BOX, DISC, (-0.5, 2), (0.1, 0), (".e1:", ".a0"), math.inf),
        (BOX, DISC, (-5, 3), (0, -0.1), (".e2:", ".a0"), 10.0),
        # Through a hole, beside its centre.
        (HOLE, DISC, (1, 0), (0, 0.1), ("fixed/1.a0", "moving/0.a0"), 10 * math.sqrt(3)),
        # A half disc comes to face a disc, and a disc a half disc.
        (DISC, BELOW, (3, -0.5), (0, 0.1), ("fixed/0.a0", "moving/0.a0"), 5.0),
        (ABOVE, DISC, (3, -0.5), (0, 0.1), ("fixed/0.a0", "moving/0.a0"), 5.0),
        # And one in a hole, where it faces away from the hole's centre.
        (HOLE, BELOW, (2.95, 0.6), (0, -0.1), ("fixed/1.a0", "moving/0.a0"), 6.0),
    ],
)
def test_of_an_even_motion_it_is_exact_but_for_slack(fixed, moving, at, speed, names, time):
    run = prepared(two_parts(fixed, moving, at))
    slack = DEEP * layout.view(run.blocks, layout.CONTROL)[0, layout.TOUCH] / math.hypot(*speed)
    assert safe_along(run, names, (*speed, 0.0)) == pytest.approx(time, abs=1.001 * slack)


def test_seen_from_a_part_that_turns_others_go_round():
    """A bar turns by 1 rad/s below a disc at 3 above its axle: the gap is 3 cos t - 1.5."""
    run = prepared(
        """
format = "detent/1"
units = "m"
[parts.frame]
fixed = true
shape = { circle = 0.5, moves = [{ move = [0, 3] }] }
[parts.bar]
shape.outline = [[-5, -1], [5, -1], [5, 1], [-5, 1]]
mass = 1
center = [0, 0]
inertia = 1
[joints.axle]
type = "revolute"
between = ["frame", "bar"]
at = [0, 0]
"""
    )
    assert 0.9 < safe_along(run, ("bar/0.e2", "frame/0.a0"), (1.0,)) < math.pi / 3
