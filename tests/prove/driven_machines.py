"""Random driven machines of one free coordinate, and what a run says of each beside `driven_oracle`.

`python -m tests.prove.driven_machines FIRST COUNT` prints what differs.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import detent
from tests.prove.driven_oracle import Driven, Profile, integrated

G = 9.81
LEVEL = """format = "detent/1"
units = "m"
[parts.frame]
fixed = true
"""
UPRIGHT = LEVEL.replace("units", f"gravity = [0, {-G}]\nunits")


def cosine(radius: float, rate: float, phase: float, shift: float) -> Any:
    def at(t: float) -> tuple[float, float, float]:
        a = rate * t + phase
        return radius * np.cos(a) + shift, -radius * rate * np.sin(a), -radius * rate**2 * np.cos(a)

    return at


def yoke(rng: np.random.Generator) -> Driven:
    """A crank pin in the slot of a yoke on a slide, with spring and damper."""
    radius, rate, mass = rng.uniform(0.02, 0.1), rng.uniform(3, 15), rng.uniform(0.2, 2)
    stiffness, damping = mass * rate**2 * rng.uniform(0.05, 0.8), mass * rate * rng.uniform(0, 0.3)
    rest, pin = radius * rng.uniform(-1.5, 0.5), radius * rng.uniform(0.1, 0.3)
    play = radius * rng.uniform(0.01, 0.2)
    near, far = radius + pin + play / 2, radius - pin - play / 2
    text = f"""{LEVEL}
[parts.crank]
shape = {{ circle = {pin}, moves = [ {{ move = [{radius}, 0, 0] }} ] }}
mass = 0.1
center = [0, 0]
inertia = 1e-4
[parts.yoke]
shape.union = [
  {{ outline = [[{near}, -0.2], [{near + 0.02}, -0.2], [{near + 0.02}, 0.2], [{near}, 0.2]] }},
  {{ outline = [[{far - 0.02}, -0.2], [{far}, -0.2], [{far}, 0.2], [{far - 0.02}, 0.2]] }},
]
mass = {mass}
center = [{radius}, 0]
inertia = 1e-3
[joints.shaft]
type = "revolute"
between = ["frame", "crank"]
at = [0, 0]
[joints.guide]
type = "prismatic"
between = ["frame", "yoke"]
at = [{radius}, 0]
along = [1, 0]
spring = {{ stiffness = {stiffness}, rest = {rest} }}
damping = {damping}
[drives.turn]
joint = "shaft"
speed = {rate}
"""
    contacts = [
        Profile(1.0, cosine(radius, rate, 0.0, -radius - play / 2)),
        Profile(-1.0, cosine(radius, rate, 0.0, -radius + play / 2)),
    ]
    turn = 2 * np.pi / rate

    def force(t: float, u: float, v: float) -> float:
        return -stiffness * (u - rest) - damping * v

    return Driven(text, "guide", mass, force, contacts, (0.0, 0.0), 3.1 * turn, turn)


def follower(rng: np.random.Generator) -> Driven:
    """A flat follower on an eccentric, pressed by weight and spring: it lifts off."""
    off, rate, mass = rng.uniform(0.01, 0.05), rng.uniform(5, 25), rng.uniform(0.2, 2)
    disc, phase = off * rng.uniform(1.5, 3), rng.uniform(-0.5, 0.5) - np.pi / 2
    press = rng.uniform(0.2, 0.95) * off * rate**2  # a constant press per mass, of spring and weight together
    weight = min(press, G) if rng.random() < 0.5 else 0.0
    stiffness, damping = mass * rate**2 * rng.uniform(0.01, 0.3), mass * rate * rng.uniform(0, 0.2)
    top = off * np.sin(phase) + disc
    rest = -(press - weight) * mass / stiffness
    x, y = off * np.cos(phase), off * np.sin(phase)
    text = f"""{UPRIGHT.replace(str(G), str(weight))}
[parts.cam]
shape = {{ circle = {disc}, moves = [ {{ move = [{x}, {y}, 0] }} ] }}
mass = 1
center = [0, 0]
inertia = 1e-3
[parts.follower]
shape.outline = [
  [{-3 * off}, {top}], [{3 * off}, {top}], [{3 * off}, {top + 0.02}], [{-3 * off}, {top + 0.02}],
]
mass = {mass}
center = [0, {top}]
inertia = 1e-3
[joints.shaft]
type = "revolute"
between = ["frame", "cam"]
at = [0, 0]
[joints.guide]
type = "prismatic"
between = ["frame", "follower"]
at = [0, {top}]
along = [0, 1]
spring = {{ stiffness = {stiffness}, rest = {rest} }}
damping = {damping}
[drives.turn]
joint = "shaft"
speed = {rate}
[start]
guide = {{ speed = {off * rate * np.cos(phase)} }}
"""
    contacts = [Profile(1.0, cosine(off, rate, phase - np.pi / 2, disc - top))]
    turn = 2 * np.pi / rate

    def force(t: float, u: float, v: float) -> float:
        return -mass * weight - stiffness * (u - rest) - damping * v

    speed = off * rate * np.cos(phase)
    return Driven(text, "guide", mass, force, contacts, (0.0, speed), 3.1 * turn, turn, 0)


def shaken(rng: np.random.Generator) -> Driven:
    """A box, or a ball, on a table that a crank and a rod shake: in a straight guide, under its weight."""
    crank, mass = rng.uniform(0.01, 0.05), rng.uniform(0.2, 2)
    rod, rate = crank * rng.uniform(2.5, 5), np.sqrt(G / crank * rng.uniform(0.9, 2.5))
    square, half = np.sqrt(rod**2 - crank**2), 0.03

    def at(t: float) -> tuple[float, float, float]:
        a = rate * t
        c, s = crank * np.cos(a), crank * np.sin(a)
        root = np.sqrt(rod**2 - c**2)
        first = c * s * rate / root  # of the root
        second = rate * ((c * c - s * s) * rate / root - c * s * first / root**2)
        return s + root - square, c * rate + first, -s * rate**2 + second

    box, high = rng.random() < 0.5, square + 0.03
    shape = (
        f"shape.outline = [[{-half}, {square}], [{half}, {square}], [{half}, {high}], [{-half}, {high}]]"
        if box
        else f"shape = {{ circle = 0.02, moves = [ {{ move = [0, {square + 0.02}, 0] }} ] }}"
    )
    text = f"""{UPRIGHT}
[parts.crank]
mass = 0.1
center = [0, 0]
inertia = 1e-4
[parts.rod]
mass = 0.1
center = [0, 0]
inertia = 1e-4
[parts.table]
shape = {{ outline = [[-0.1, {square - 0.02}], [0.1, {square - 0.02}], [0.1, {square}], [-0.1, {square}]] }}
mass = 1
center = [0, {square}]
inertia = 1e-3
[parts.load]
{shape}
mass = {mass}
center = [0, {square + 0.02}]
inertia = 1e-3
[joints.shaft]
type = "revolute"
between = ["frame", "crank"]
at = [0, 0]
[joints.pin]
type = "revolute"
between = ["crank", "rod"]
at = [{crank}, 0]
[joints.eye]
type = "revolute"
between = ["rod", "table"]
at = [0, {square}]
[joints.guide]
type = "prismatic"
between = ["frame", "table"]
at = [0, {square}]
along = [0, 1]
[joints.upper]
type = "prismatic"
between = ["frame", "load"]
at = [0, {square}]
along = [0, 1]
[drives.turn]
joint = "shaft"
speed = {rate}
[start]
upper = {{ speed = {crank * rate} }}
"""
    turn = 2 * np.pi / rate

    def force(t: float, u: float, v: float) -> float:
        return -mass * G

    return Driven(text, "upper", mass, force, [Profile(1.0, at)], (0.0, crank * rate), 4.1 * turn, turn, 0)


def bead(rng: np.random.Generator) -> Driven:
    """A bead between the ends of a slot in an arm that turns upright, under its weight, with a damper."""
    inner, long = rng.uniform(0.05, 0.15), rng.uniform(0.05, 0.2)
    outer, mass, size = inner + long, rng.uniform(0.1, 1), 0.01
    rate = np.sqrt(G / outer * rng.uniform(0.05, 0.8))
    damping = mass * rate * rng.uniform(0, 1)
    text = f"""{UPRIGHT}
[parts.arm]
shape.union = [
  {{ outline = [
    [{inner - 0.04}, -0.02], [{inner - size}, -0.02], [{inner - size}, 0.02], [{inner - 0.04}, 0.02],
  ] }},
  {{ outline = [
    [{outer + size}, -0.02], [{outer + 0.04}, -0.02], [{outer + 0.04}, 0.02], [{outer + size}, 0.02],
  ] }},
]
mass = 1
center = [0, 0]
inertia = 1e-2
[parts.bead]
shape = {{ circle = {size}, moves = [ {{ move = [{inner}, 0, 0] }} ] }}
mass = {mass}
center = [{inner}, 0]
inertia = 1e-5
[joints.shaft]
type = "revolute"
between = ["frame", "arm"]
at = [0, 0]
[joints.slot]
type = "prismatic"
between = ["arm", "bead"]
at = [{inner}, 0]
along = [1, 0]
damping = {damping}
[drives.turn]
joint = "shaft"
speed = {rate}
"""
    contacts = [Profile(1.0, lambda t: (0.0, 0.0, 0.0)), Profile(-1.0, lambda t: (long, 0.0, 0.0))]
    turn = 2 * np.pi / rate

    def force(t: float, u: float, v: float) -> float:
        return mass * (rate**2 * (inner + u) - G * np.sin(rate * t)) - damping * v

    starts = None if force(0.0, 0.0, 0.0) > 0 else 0
    return Driven(text, "slot", mass, force, contacts, (0.0, 0.0), 3.1 * turn, turn, starts)


def pendulum(rng: np.random.Generator) -> Driven:
    """A pendulum that an arm on the same axis leads up and over the top, where it leaves the arm."""
    arm, length, mass = rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.4), rng.uniform(0.2, 2)
    inertia = mass * length**2 * rng.uniform(0.05, 0.5)
    whole = inertia + mass * length**2
    rate = np.sqrt(mass * G * length / whole) * rng.uniform(0.2, 0.8)
    damping, pin = mass * G * length / rate * rng.uniform(0.02, 0.3), 0.01
    text = f"""{UPRIGHT}
[parts.arm]
shape = {{ circle = {pin}, moves = [ {{ move = [{-pin}, {-arm}, 0] }} ] }}
mass = 1
center = [0, 0]
inertia = 1e-2
[parts.bob]
shape = {{ outline = [[0, {-arm - 0.05}], [0.02, {-arm - 0.05}], [0.02, {-arm + 0.05}], [0, {-arm + 0.05}]] }}
mass = {mass}
center = [0, {-length}]
inertia = {inertia}
[joints.shaft]
type = "revolute"
between = ["frame", "arm"]
at = [0, 0]
[joints.pin]
type = "revolute"
between = ["frame", "bob"]
at = [0, 0]
damping = {damping}
[drives.turn]
joint = "shaft"
speed = {rate}
[start]
pin = {{ speed = {rate} }}
"""

    def force(t: float, u: float, v: float) -> float:
        return -mass * G * length * np.sin(u) - damping * v

    contacts = [Profile(1.0, lambda t: (rate * t, rate, 0.0), arm)]
    turn = 2 * np.pi / rate
    return Driven(text, "pin", whole, force, contacts, (0.0, rate), 0.95 * turn, turn, 0)


MACHINES = (yoke, follower, shaken, bead, pendulum)


def random_machine(seed: int) -> tuple[str, Driven]:
    make = MACHINES[seed % len(MACHINES)]
    return make.__name__, make(np.random.default_rng(seed))


def differs(seed: int) -> tuple[str | None, dict[str, float]]:
    """What a run at its default accuracy does otherwise, and how far it is off at most.

    Of releases and impacts in turns of the drive, of impulses and forces as a share of the greatest.
    None where it cannot be told: an instant at which a force, or a speed, only grazes zero.
    """
    name, machine = random_machine(seed)
    expected = integrated(machine)
    if not expected.sharp:
        return None, {}
    ran = detent.run(detent.loads(machine.text), until=machine.until)
    late = machine.until - 1e-4 * machine.turn  # the last row may lie on either side
    rows = [row for row in expected.rows if row[0] < late]
    instants: list[tuple[str, float, float]] = []  # a box has two corners
    for event in ran.events:
        if event.time >= late or (event.kind == "contact" and event.time < 1e-2 * machine.turn):
            continue
        again = instants and (event.kind == "release") == (instants[-1][0] == "release")
        if again and abs(event.time - instants[-1][1]) < 1e-5 * machine.turn:
            kind = "impact" if "impact" in (event.kind, instants[-1][0]) else event.kind
            instants[-1] = kind, event.time, instants[-1][2] + (event.impulse or 0.0)
        else:
            instants.append((event.kind, event.time, event.impulse or 0.0))
    if [kind for kind, *_ in instants] != [row[1] for row in rows]:
        return f"{name}: {instants} for {rows}", {}
    off = {"release": 0.0, "impact": 0.0, "impulse": 0.0, "force": 0.0}
    hardest = max((row[2] for row in rows), default=0.0)
    for (kind, time, impulse), row in zip(instants, rows, strict=True):
        off[kind] = max(off[kind], abs(time - row[0]) / machine.turn)
        if kind == "impact":
            off["impulse"] = max(off["impulse"], abs(impulse - row[2]) / hardest)
    told = np.sum([np.zeros(len(ran.times)), *ran.forces.values()], axis=0)
    acts = np.zeros(len(ran.times))
    near = np.zeros(len(ran.times), bool)
    for begin, end, j in expected.spans:
        for k in np.flatnonzero((ran.times >= begin) & (ran.times <= end)):
            acts[k] = machine.needed(ran.times[k], j) / machine.contacts[j].arm
        near |= np.minimum(abs(ran.times - begin), abs(ran.times - end)) < 1e-4 * machine.turn
    off["force"] = float(np.max(abs(told - acts)[~near]) / max(acts.max(), 1e-300))
    return "", off


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(first, first + count):
        what, off = differs(seed)
        words = "grazes" if what is None else what or {key: f"{value:.0e}" for key, value in off.items()}
        print(seed, random_machine(seed)[0], words, flush=True)
