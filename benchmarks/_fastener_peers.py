"""The same T fastener in general dynamics programs: one pawl, a moving root, a bar to pass.

Both peers have a light pawl on a hinge with a torsion spring and enough damping
that it follows the bar; their settings were chosen once and not tuned.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

PAWL = np.array(
    [[-37, 40], [-33, 40], [-21, 50], [-33, 54], [-33, 98], [-23, 98], [-23, 102], [-37, 102]], dtype=float
)
HINGE = np.array([-25.0, 100.0])
BAR = np.array([[-30, 0], [30, 0], [30, 10], [-30, 10]], dtype=float)
TRAVEL = 60.0
STEP = 2e-3


# The pawl in convex pieces: hook, arm, root; general programs take nothing else.
PIECES = [
    np.array([[-37, 40], [-33, 40], [-21, 50], [-33, 54], [-37, 54]], dtype=float),
    np.array([[-37, 54], [-33, 54], [-33, 98], [-37, 98]], dtype=float),
    np.array([[-37, 98], [-23, 98], [-23, 102], [-37, 102]], dtype=float),
]


def pymunk_run() -> Callable[[], float]:
    """A function that makes the run and returns the largest angle; raises ImportError without pymunk."""
    import pymunk

    def run() -> float:
        space = pymunk.Space()
        space.iterations = 20
        root = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        root.position = tuple(HINGE)
        root.velocity = (0, -1)
        pawl = pymunk.Body(1.0, 2000.0)
        pawl.position = tuple(HINGE)
        space.add(root, pawl)
        for piece in PIECES:
            shape = pymunk.Poly(pawl, [tuple(p - HINGE) for p in piece])
            shape.friction = 0.0
            shape.filter = pymunk.ShapeFilter(group=1)
            space.add(shape)
        bar = pymunk.Poly(space.static_body, [tuple(p) for p in BAR])
        bar.friction = 0.0
        space.add(bar)
        spring = pymunk.DampedRotarySpring(root, pawl, 0.0, 2e5, 4e4)
        space.add(pymunk.PivotJoint(root, pawl, tuple(HINGE)), spring)
        largest = 0.0
        for _ in range(round(TRAVEL / STEP)):
            space.step(STEP)
            largest = max(largest, abs(pawl.angle))
        return largest

    return run


def mujoco_run() -> Callable[[], float]:
    import mujoco

    def mesh(name: str, piece: Any) -> str:
        points = " ".join(f"{x} {y} {z}" for z in (-1, 1) for x, y in piece)
        return f'<mesh name="{name}" vertex="{points}"/>'

    pieces = [piece - HINGE for piece in PIECES]
    meshes = "".join(mesh(f"p{k}", piece) for k, piece in enumerate(pieces))
    geoms = "".join(
        f'<geom type="mesh" mesh="p{k}" contype="1" conaffinity="2" condim="1"/>' for k in range(len(pieces))
    )
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{STEP}" gravity="0 0 0" integrator="implicitfast"/>
        <asset>{meshes}</asset><worldbody><body pos="{HINGE[0]} {HINGE[1]} 0">
        <joint name="hinge" type="hinge" axis="0 0 1" stiffness="2e5" damping="4e4"/>
        <inertial pos="0 0 0" mass="1" diaginertia="2000 2000 2000"/>{geoms}</body>
        <body name="bar" mocap="true" pos="0 5 0"><geom type="box" size="30 5 9" contype="2" conaffinity="1"
        condim="1"/></body></worldbody></mujoco>"""
    )

    def run() -> float:
        data = mujoco.MjData(model)
        largest = 0.0
        for k in range(round(TRAVEL / STEP)):
            data.mocap_pos[0, 1] = 5 + k * STEP
            mujoco.mj_step(model, data)
            largest = max(largest, abs(data.qpos[0]))
        return largest

    return run


def peak_angle() -> float:
    """What the largest angle is, exactly: the tip just clears the bar's corner."""
    tip = np.array([-21.0, 50.0]) - HINGE
    return math.acos((-30 + 25) / math.hypot(*tip)) - math.acos(tip[0] / math.hypot(*tip))
