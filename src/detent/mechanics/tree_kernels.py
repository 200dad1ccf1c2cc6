"""Bodies of a plane machine by its joints' coordinates: poses, spans, velocity products; inertia, forces.

Joints that lead from fixed bodies outwards form a tree; each moving body hangs by one joint on its parent:

    pin     angle = parent's + (q - drawn), its point c on the parent's: o = o_p + R_p c - R d
    slide   angle = parent's,               o = o_p + R_p (b + a (q - drawn))
    weld    angle = parent's,               o = o_p + R_p b
    free    o and angle from the drawing by three coordinates

All coordinates are q = drawn + follow @ y, y the independent ones (gears make others follow); behind them
stand those of joints that close loops, which are read off the bodies (`measure`). `spans` has the
velocity of each body's origin and its rotation per unit of each speed of y; the velocity products are the
acceleration of the origin at zero accelerations of y. In the plane rotations have none.

    mass(y) y'' = force(y, y') + rows of what constrains it

Springs and dampers act on joints' coordinates, weight on centres of mass; the force holds the velocity
products with a minus sign.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.mechanics.closing_rows import ANGLE as BETWEEN
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.tree_columns import (
    COSINE,
    PRODUCT_X,
    PRODUCT_Y,
    SINE,
    SPEED_X,
    SPEED_Y,
    SPIN,
    TURN,
    X,
    Y,
)
from detent.numeric.kernels import kernel

PIN, SLIDE, FREE, WELD = 0, 1, 2, 3
# Columns of a link: the joint's point c on the parent, d on the body, line a and origin b in the parent; the
# sign of its coordinate, the body's angle past its parent as drawn, and how far the pin is from the parent's
# hub.
C_X, C_Y, D_X, D_Y, A_X, A_Y, B_X, B_Y, SIGN, ANGLE, ARM = range(11)
# Columns of a joint's coordinate.
DRAWN, STIFFNESS, REST, DAMPING, TORQUE = range(5)
# Columns of a body as drawn: pose (x, y, cosine, sine), angle, mass, centre and inertia about it; then its
# hub, a point that its own coordinate leaves in place, and how far its features reach from it.
TURNED, MASS, CENTRE_X, CENTRE_Y, INERTIA, HUB_X, HUB_Y, REACH = range(4, 12)
# Columns of the coordinate of a joint that closes a loop, behind those of its row: it is the row's value
# times a sign, past an offset.
WAY, OFFSET = range(7, 9)


class PlaneMachine(NamedTuple):
    """A tree of bodies as arrays."""

    links: Any  # (n, 4) int, parents before children: body, parent, kind, first coordinate
    link: Any  # (n, 11)
    follow: Any  # (k, m): coordinates per independent one
    joints: Any  # (k + s, 5)
    bodies: Any  # (N, 12)
    gravity: Any  # (2,) [m/s²]
    measures: Any  # (s, 3) int: rows of joints that close loops along their coordinates (`closing_rows`)
    measure: Any  # (s, 9)


class PlaneState(NamedTuple):
    """What `place_tree` writes."""

    bodies: Any  # (N, 10)
    spans: Any  # (3 N, m): of body b, rows 3 b to 3 b + 2
    joints: Any  # (2, k + s): coordinates, their speeds
    measured: Any  # (s, m + 2): rows of the last s coordinates


def plane_state(machine: PlaneMachine) -> PlaneState:
    """Room for a state; bodies that do not move are in place."""
    freedoms = machine.follow.shape[1]
    bodies = np.zeros((len(machine.bodies), 10))
    bodies[:, :5] = machine.bodies[:, :5]
    return PlaneState(
        bodies,
        np.zeros((3 * len(bodies), freedoms)),
        np.zeros((2, len(machine.joints))),
        np.zeros((len(machine.measures), freedoms + 2)),
    )


def sample_machine() -> PlaneMachine:
    """A crank on the ground, a slide on it, a disc geared to it, a free body; an angle between two."""
    links = np.array([[1, 0, PIN, 0], [2, 1, SLIDE, 1], [3, 0, PIN, 2], [4, 0, FREE, 3]])
    link = np.zeros((4, 11))
    link[:, SIGN] = 1.0, 1.0, -1.0, 1.0
    link[0, :4] = 1.0, 2.0, 0.5, 0.0
    link[1, 4:8] = 0.6, 0.8, 0.1, 0.2
    link[2, :4] = 3.0, 0.0, 0.0, 0.1
    follow = np.zeros((6, 5))
    follow[0, 0], follow[1, 1], follow[2, 0] = 1.0, 1.0, -2.0
    follow[3, 2] = follow[4, 3] = follow[5, 4] = 1.0
    joints = np.tile([0.0, 3.0, 0.1, 0.2, 0.5], (7, 1))
    bodies = np.zeros((5, 12))
    bodies[:, COSINE] = 1.0
    masses = (2.0, 0.1, 0.0, 0.5), (1.0, 0.0, 0.2, 0.1), (3.0, 0.0, 0.0, 1.0), (1.0, 0.1, 0.1, 0.2)
    bodies[1:, MASS : INERTIA + 1] = masses
    measure = np.array([[0.1, 0.2, 0.3, 0.1, 0.6, 0.8, 0.2, -1.0, 0.4]])
    gravity = np.array([0.0, -9.81])
    return PlaneMachine(links, link, follow, joints, bodies, gravity, np.array([[1, 4, BETWEEN]]), measure)


def sample_lever() -> PlaneMachine:
    """One body on an axle, sprung and damped."""
    link = np.zeros((1, 11))
    link[0, SIGN] = 1.0
    bodies = np.zeros((2, 12))
    bodies[:, COSINE], bodies[1, INERTIA] = 1.0, 0.5
    joints = np.array([[0.0, 1.0, 0.3, 0.1, 0.0]])
    none = np.zeros((0, 3), np.int64), np.zeros((0, 9))
    return PlaneMachine(np.array([[1, 0, PIN, 0]]), link, np.ones((1, 1)), joints, bodies, np.zeros(2), *none)


def _sample() -> tuple[Any, ...]:
    machine = sample_machine()
    y, v = np.array([0.3, 0.1, 0.2, -0.1, 0.4]), np.array([1.0, -0.5, 0.2, 0.3, 0.7])
    return machine, y, v, plane_state(machine)


def _placed() -> tuple[PlaneMachine, PlaneState]:
    machine, y, v, state = _sample()
    place_tree(machine, y, v, state)
    return machine, state


def _to_measure() -> tuple[Any, ...]:
    machine, _, v, state = _sample()
    move_bodies(machine, np.zeros(5), v, state)
    for i in range(len(machine.links)):
        span_link(machine, state, i)
    return machine, v, state


@kernel(sample=_sample, bare=True)
def place_tree(machine, y, v, state):  # type: ignore[no-untyped-def]
    """Fills the state: coordinates, poses, velocities, velocity products and spans."""
    move_bodies(machine, y, v, state)
    for i in range(len(machine.links)):
        span_link(machine, state, i)
    if len(machine.measures):
        measure_loops(machine, v, state)


@kernel(sample=_to_measure, bare=True)
def measure_loops(machine, v, state):  # type: ignore[no-untyped-def]
    """Coordinates and speeds of joints that close loops, with bodies and spans in place."""
    count, freedoms = machine.follow.shape
    loop_rows(machine.measures, machine.measure, state.bodies, state.spans, state.measured)
    for s in range(len(machine.measures)):
        way, speed = machine.measure[s, WAY], 0.0
        for k in range(freedoms):
            speed += state.measured[s, k] * v[k]
        state.joints[0, count + s] = machine.measure[s, OFFSET] + way * state.measured[s, freedoms]
        state.joints[1, count + s] = way * speed


@kernel(sample=_sample, inlined=True, bare=True)
def move_bodies(machine, y, v, state):  # type: ignore[no-untyped-def]
    """Fills the state but for its spans."""
    count, freedoms = machine.follow.shape
    for j in range(count):
        value, speed = machine.joints[j, DRAWN], 0.0
        for k in range(freedoms):
            value += machine.follow[j, k] * y[k]
            speed += machine.follow[j, k] * v[k]
        state.joints[0, j], state.joints[1, j] = value, speed
    for i in range(len(machine.links)):
        body, kind, j = machine.links[i, 0], machine.links[i, 2], machine.links[i, 3]
        if kind != FREE:
            move_link(machine, state, i)
            continue
        b = state.bodies[body]
        for k in range(3):
            moved = state.joints[0, j + k] - machine.joints[j + k, DRAWN]
            b[X + k if k < 2 else TURN] = machine.bodies[body, X + k if k < 2 else TURNED] + moved
            b[SPEED_X + k] = state.joints[1, j + k]
        b[COSINE], b[SINE] = math.cos(b[TURN]), math.sin(b[TURN])


@kernel(sample=lambda: (*_placed(), 1), inlined=True, bare=True)
def move_link(machine, state, i):  # type: ignore[no-untyped-def]
    """Places a body on its parent, which is placed, with its velocity and velocity products."""
    body, parent, kind, j = machine.links[i, 0], machine.links[i, 1], machine.links[i, 2], machine.links[i, 3]
    b, p, link = state.bodies[body], state.bodies[parent], machine.link[i]
    c, s, w_p = p[COSINE], p[SINE], p[SPIN]
    moved, rate = 0.0, 0.0
    if kind != WELD:
        moved = link[SIGN] * (state.joints[0, j] - machine.joints[j, DRAWN])
        rate = link[SIGN] * state.joints[1, j]
    b[TURN] = p[TURN] + link[ANGLE]
    if kind == PIN:
        b[TURN] += moved
        b[COSINE], b[SINE], b[SPIN] = math.cos(b[TURN]), math.sin(b[TURN]), w_p + rate
        rx, ry = c * link[C_X] - s * link[C_Y], s * link[C_X] + c * link[C_Y]  # to the pin
        ex = -(b[COSINE] * link[D_X] - b[SINE] * link[D_Y])  # from the pin to the body's origin
        ey = -(b[SINE] * link[D_X] + b[COSINE] * link[D_Y])
        ax, ay = -ey, ex
    else:
        b[COSINE], b[SINE], b[SPIN] = math.cos(b[TURN]), math.sin(b[TURN]), w_p
        px, py = link[B_X] + link[A_X] * moved, link[B_Y] + link[A_Y] * moved
        rx, ry = c * px - s * py, s * px + c * py
        ex, ey = 0.0, 0.0
        ax, ay = c * link[A_X] - s * link[A_Y], s * link[A_X] + c * link[A_Y]
    fx, fy, w = rx + ex, ry + ey, b[SPIN]
    b[X], b[Y] = p[X] + fx, p[Y] + fy
    b[SPEED_X] = p[SPEED_X] - w_p * fy + ax * rate
    b[SPEED_Y] = p[SPEED_Y] + w_p * fx + ay * rate
    b[PRODUCT_X] = p[PRODUCT_X] - w_p * w_p * rx - w * w * ex
    b[PRODUCT_Y] = p[PRODUCT_Y] - w_p * w_p * ry - w * w * ey
    if kind == SLIDE:
        b[PRODUCT_X] -= 2.0 * w_p * ay * rate
        b[PRODUCT_Y] += 2.0 * w_p * ax * rate


@kernel(sample=lambda: (*_placed(), 1), inlined=True, bare=True)
def span_link(machine, state, i):  # type: ignore[no-untyped-def]
    """The spans of a body that is placed."""
    body, parent, kind, j = machine.links[i, 0], machine.links[i, 1], machine.links[i, 2], machine.links[i, 3]
    b, p, link, spans, freedoms = (
        state.bodies[body],
        state.bodies[parent],
        machine.link[i],
        state.spans,
        machine.follow.shape[1],
    )
    if kind == FREE:
        for row in range(3):
            for k in range(freedoms):
                spans[3 * body + row, k] = machine.follow[j + row, k]
        return
    ax, ay, turning = 0.0, 0.0, 0.0
    if kind == PIN:
        ax = link[SIGN] * (b[SINE] * link[D_X] + b[COSINE] * link[D_Y])
        ay = -link[SIGN] * (b[COSINE] * link[D_X] - b[SINE] * link[D_Y])
        turning = link[SIGN]
    elif kind == SLIDE:
        ax = link[SIGN] * (p[COSINE] * link[A_X] - p[SINE] * link[A_Y])
        ay = link[SIGN] * (p[SINE] * link[A_X] + p[COSINE] * link[A_Y])
    fx, fy = b[X] - p[X], b[Y] - p[Y]
    for k in range(freedoms):
        g = machine.follow[j, k] if kind != WELD else 0.0
        w = spans[3 * parent + 2, k]
        spans[3 * body, k] = spans[3 * parent, k] - w * fy + ax * g
        spans[3 * body + 1, k] = spans[3 * parent + 1, k] + w * fx + ay * g
        spans[3 * body + 2, k] = w + turning * g


@kernel(sample=lambda: (*_placed(), np.zeros((5, 5)), np.zeros(5)), bare=True)
def mass_and_force(machine, state, mass, force):  # type: ignore[no-untyped-def]
    """Fills the mass matrix and the force on each independent coordinate, at a state."""
    count, freedoms = machine.follow.shape
    for k in range(freedoms):
        force[k] = 0.0
        for j in range(freedoms):
            mass[k, j] = 0.0
    for j in range(len(machine.joints)):
        joint = machine.joints[j]
        pull = (
            joint[TORQUE]
            - joint[DAMPING] * state.joints[1, j]
            - joint[STIFFNESS] * (state.joints[0, j] - joint[REST])
        )
        if pull == 0.0:
            continue
        for k in range(freedoms):
            if j < count:
                force[k] += machine.follow[j, k] * pull
            else:
                force[k] += machine.measure[j - count, WAY] * state.measured[j - count, k] * pull
    for i in range(len(machine.links)):
        body = machine.links[i, 0]
        kilograms, about = machine.bodies[body, MASS], machine.bodies[body, INERTIA]
        spans, b = state.spans[3 * body : 3 * body + 3], state.bodies[body]
        for k in range(freedoms):
            if spans[2, k] != 0.0:
                for j in range(freedoms):
                    mass[k, j] += about * spans[2, k] * spans[2, j]
        if kilograms == 0.0:
            continue
        x = b[COSINE] * machine.bodies[body, CENTRE_X] - b[SINE] * machine.bodies[body, CENTRE_Y]
        y = b[SINE] * machine.bodies[body, CENTRE_X] + b[COSINE] * machine.bodies[body, CENTRE_Y]
        ax = machine.gravity[0] - b[PRODUCT_X] + b[SPIN] * b[SPIN] * x
        ay = machine.gravity[1] - b[PRODUCT_Y] + b[SPIN] * b[SPIN] * y
        for k in range(freedoms):
            vx, vy = spans[0, k] - y * spans[2, k], spans[1, k] + x * spans[2, k]
            if vx == 0.0 and vy == 0.0:
                continue
            force[k] += kilograms * (vx * ax + vy * ay)
            for j in range(freedoms):
                ux, uy = spans[0, j] - y * spans[2, j], spans[1, j] + x * spans[2, j]
                mass[k, j] += kilograms * (vx * ux + vy * uy)


@kernel(sample=_placed, bare=True)
def energies(machine, state):  # type: ignore[no-untyped-def]
    """Kinetic energy, energy stored in springs and in height, power that dampers take, power of torques."""
    kinetic, stored, height, damped, driven = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(len(machine.joints)):
        joint = machine.joints[j]
        stored += 0.5 * joint[STIFFNESS] * (state.joints[0, j] - joint[REST]) ** 2
        damped += joint[DAMPING] * state.joints[1, j] ** 2
        driven += joint[TORQUE] * state.joints[1, j]
    for i in range(len(machine.links)):
        body = machine.links[i, 0]
        kilograms, b = machine.bodies[body, MASS], state.bodies[body]
        x = b[COSINE] * machine.bodies[body, CENTRE_X] - b[SINE] * machine.bodies[body, CENTRE_Y]
        y = b[SINE] * machine.bodies[body, CENTRE_X] + b[COSINE] * machine.bodies[body, CENTRE_Y]
        vx, vy = b[SPEED_X] - b[SPIN] * y, b[SPEED_Y] + b[SPIN] * x
        kinetic += 0.5 * (kilograms * (vx * vx + vy * vy) + machine.bodies[body, INERTIA] * b[SPIN] * b[SPIN])
        height -= kilograms * (machine.gravity[0] * (b[X] + x) + machine.gravity[1] * (b[Y] + y))
    return kinetic, stored, height, damped, driven
