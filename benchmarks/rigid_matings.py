"""Rigid matings: simulated seconds per second, and a rectangular peg on a carrier beside MuJoCo's `rollout`.

Both have the same masses, springs, friction and path; the carrier does not tilt. Errors of force are root
mean squares over the run, means over 20 ms, against own steps of 2e-5 s, which favours Detent: the two agree
on the plateau. MuJoCo is stepped inside `rollout`, without Python in between; its force is read from its
momentum balance, step by step. Batches of misaligned matings are timed once, over the processors that there
are; DETENT_MATINGS says how many, 10,000 unless it does.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

import detent
from benchmarks.harness import Contender, Figures, Table, peer, race
from detent.judge import MisalignedMatings, mate_batch
from detent.motion.rigid.mating import prepared, processors, rigid_run_of

EXAMPLES = Path(__file__).parents[1] / "examples"
UNTIL, OVER = 2.5, 0.02
MASS, SPRING, DAMPER, FRICTION = 5.0, 3e4, 232.379001, 0.15
STEPS = ((8e-3, 1e-4), (2e-3, 1e-4), (1e-3, 1e-3))  # [s] of Detent, of MuJoCo
MANY = int(os.environ.get("DETENT_MATINGS", "10000"))  # matings of a batch
BATCHES = (("rect_peg_carrier", 2.0), ("round_peg_carrier", 2.0))  # [mm] offsets up to


def smoothed(times: np.ndarray, impulses: np.ndarray) -> np.ndarray:
    """Means of force over 20 ms, on a grid of 5 ms; impulses are those up to each time."""
    grid = np.arange(OVER, UNTIL - OVER, 5e-3)
    high, low = grid + OVER / 2, grid - OVER / 2
    columns = [np.interp(high, times, c) - np.interp(low, times, c) for c in impulses.T]
    return np.column_stack(columns) / OVER


def own(step: float) -> tuple[Any, np.ndarray, float, float]:
    """The run as a call, its force, the deepest overlap [um], the largest jump of force in a plateau [N]."""
    machine, _ = prepared(detent.load(EXAMPLES / "rect_peg_carrier.toml").with_("ask.mate.step", step))
    steps = rigid_run_of(machine, UNTIL).steps
    added = np.vstack([np.zeros(3), np.cumsum(steps.totals[:-1, :3], axis=0)])
    late = (steps.times[:-1] > 1.5) & (steps.times[:-1] < 2.0)
    force = (steps.totals[:-1, :3] / steps.lasted[:, None])[late]
    noise = float(np.abs(np.diff(force, axis=0)).max())
    deepest = -1e6 * float(steps.totals[:, 7].min())
    return lambda: rigid_run_of(machine, UNTIL), smoothed(steps.times, added), deepest, noise


def peer_model(step: float) -> Any:
    """The same in MuJoCo: a mesh on three slides between boxes; stiff contacts of two steps."""
    import mujoco

    half = [(x, y, z) for x in (-0.116,) for y in (-0.0227, 0.0227) for z in (-0.0226, 0.0226)]
    half += [(0.0, y, z) for y in (-0.0227, 0.0227) for z in (-0.0226, 0.0226)]
    half += [(0.004, y, z) for y in (-0.0187, 0.0187) for z in (-0.0186, 0.0186)]
    points = " ".join(f"{c:.6g}" for p in half for c in p)
    slides = "".join(
        f'<joint name="{axis}" type="slide" axis="{way}" stiffness="{SPRING}" damping="{DAMPER}"/>'
        for axis, way in (("x", "1 0 0"), ("y", "0 1 0"), ("z", "0 0 1"))
    )
    walls = (
        ("0.055 0.04895 0", "0.055 0.02605 0.075"),
        ("0.055 -0.04895 0", "0.055 0.02605 0.075"),
        ("0.055 0 0.049", "0.055 0.0229 0.026"),
        ("0.055 0 -0.049", "0.055 0.0229 0.026"),
    )
    boxes = "".join(f'<geom type="box" pos="{pos}" size="{size}"/>' for pos, size in walls)
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler inertiafromgeom="false"/>
        <option timestep="{step}" gravity="0 0 0" cone="elliptic" integrator="implicitfast" iterations="100">
        <flag multiccd="enable"/></option>
        <default><geom friction="{FRICTION} 0 0" condim="3" solref="{2 * step} 1"/></default>
        <asset><mesh name="peg" vertex="{points}"/></asset>
        <worldbody>{boxes}<body pos="-0.008 0.004 0">
        <inertial pos="0 0 0" mass="{MASS}" diaginertia="0.05 0.05 0.05"/>{slides}
        <geom type="mesh" mesh="peg"/></body></worldbody>
        <actuator><motor joint="x"/></actuator></mujoco>"""
    )


def rolled(step: float) -> tuple[Any, np.ndarray, float, float]:
    """The same figures of MuJoCo."""
    import mujoco
    from mujoco import rollout

    machine, _ = prepared(detent.load(EXAMPLES / "rect_peg_carrier.toml"))
    model = peer_model(step)
    data = mujoco.MjData(model)
    count = round(UNTIL / step)
    way, speed = machine.course.asked(step * np.arange(1, count + 1))
    control = (SPRING * way[:, :1] + DAMPER * speed[:, :1])[None]
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    first = np.zeros((1, mujoco.mj_stateSize(model, spec)))
    mujoco.mj_getState(model, data, first[0], spec)

    def call() -> Any:
        return rollout.rollout(model, data, first, control)[0][0]

    states = call()
    q, v = states[:, 1:4], states[:, 4:7]
    before_q, before_v = np.vstack([np.zeros(3), q[:-1]]), np.vstack([np.zeros(3), v[:-1]])
    put = np.zeros_like(q)
    put[:, 0] = control[0, :, 0]
    force = MASS * (v - before_v) / step - put + SPRING * before_q + DAMPER * v
    times = step * np.arange(count + 1)
    added = np.vstack([np.zeros(3), np.cumsum(step * force, axis=0)])
    late = (times[1:] > 1.5) & (times[1:] < 2.0)
    noise = float(np.abs(np.diff(force[late], axis=0)).max())
    depth = q[:, 0] - 0.004
    wide = 0.0227 - np.clip(0.004 - depth, 0.0, 0.004)
    over = np.where(depth > 0, q[:, 1] + 0.004 + wide - 0.0229, 0.0)
    return call, smoothed(times, added), 1e6 * float(over.max()), noise


def run(repeats: int) -> list[Table | Figures]:
    _, exact, _, _ = own(2e-5)
    table = Table(f"rectangular peg on a carrier, {UNTIL:g} s, one core, warm", "simulated s", busy=True)
    there = peer("mujoco")[1]
    for step, other in STEPS:
        call, force, deepest, noise = own(step)
        off = float(np.sqrt(np.mean((force - exact) ** 2)))
        case = f"h {step:g} s: off {off:.2g} N, overlap {deepest:.2g} um, noise {noise:.1g} N"
        contenders = [Contender("detent", call, UNTIL)]
        if there:
            rolling, peers, sunk, shakes = rolled(other)
            beside = float(np.sqrt(np.mean((peers - exact) ** 2)))
            case += f"; MuJoCo h {other:g}: off {beside:.2g} N, overlap {sunk:.3g} um, noise {shakes:.2g} N"
            contenders.append(Contender("mujoco", rolling, UNTIL))
        else:
            contenders.append(Contender("mujoco", None, why="not installed"))
        table.rows.append(race(case, contenders, repeats))
    machine, until = prepared(detent.load(EXAMPLES / "rect_peg_puma.toml"))
    arm = Table("the same peg on the PUMA 560, dz = -4 mm, one core, warm", "simulated s", busy=True)
    arm.rows.append(race("jams", [Contender("detent", lambda: rigid_run_of(machine, until), until)], repeats))
    return [table, arm, *(many(*case) for case in BATCHES)]


def many(name: str, spread: float) -> Figures:
    """Random misalignments of one mating in one batch, timed once."""
    random = np.random.default_rng(0)
    offsets, tilts = random.uniform(-spread, spread, (MANY, 3)), random.uniform(-0.3, 0.3, (MANY, 3))
    designs = MisalignedMatings.read(detent.load(EXAMPLES / f"{name}.toml"), offsets, tilts)
    mate_batch(MisalignedMatings.read(detent.load(EXAMPLES / f"{name}.toml"), offsets[:2]))
    start = time.perf_counter()
    batch = mate_batch(designs)
    took = time.perf_counter() - start
    kinds, counts = np.unique(batch["outcome"], return_counts=True)
    told = ", ".join(f"{count} {kind}" for kind, count in zip(kinds, counts, strict=True))
    head = ["one batch of misalignments", "matings", "processors", "s", "matings/s", "outcomes"]
    return Figures(head, [[name, f"{MANY:,}", f"{processors()}", f"{took:.4g}", f"{MANY / took:.3g}", told]])
