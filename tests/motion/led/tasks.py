"""Documents of parts that a robot or a carrier leads, as plain data: a bolt with a ring before its bore."""

from __future__ import annotations

from typing import Any

from detent.model.document import Mechanism
from detent.model.reading import convert

RING = {"section": 3.15, "groove_radius": 10.2, "pressure": [16_000_000, 43_000_000_000]}
CARRIER = {
    "stiffness": [25_000, 25_000, 60_000, 4521, 4521, 4521],
    "damping": [300, 300, 500, 6, 6, 6],
    "mass": 5,
    "principal": [0.05, 0.05, 0.05],
}
LEG = {"velocity": [0, 0, 50], "distance": 55, "ramp": 500}


def bore(x: float, y: float, z: float, on: str | None) -> dict[str, Any]:
    """A block whose bore's cylinder begins 1 mm behind its face: entry rim 1, land 15, exit rim 10 mm."""
    pose: dict[str, Any] = {"at": [x, y, z]}
    return {
        "fixed": True,
        "pose": pose if on is None else {"on": on, **pose},
        "shape": {
            "difference": [
                {"block": [80, 80, 26], "moves": [{"move": [-40, -40, 0]}]},
                {
                    "cylinder": {"radius": 13, "height": 26},
                    "edges": [{"face": "-z", "round": -1}, {"face": "+z", "round": -10}],
                },
            ]
        },
    }


def on_robot(radius: float = 780, *, offset: tuple[float, float] = (0.4, 0.3), **ask: Any) -> dict[str, Any]:
    """A PUMA 560, its wrist 0.55 m high; the bolt stands beside the bore along the task's y and z."""
    y, z = offset
    flange = "robot.flange"
    return {
        "units": "mm",
        "dimension": 3,
        "gravity": [0, 0, -9.81],
        "parts": {
            "robot": {"library": "puma560", "set": {"wrist": [-radius, 0, 550]}},
            "bolt": {
                "pose": {"on": flange},
                "mass": 2.5,
                "center": [0, 0, 200],
                "principal": [0.01, 0.01, 0.006],
            },
            "ring": {"library": "oring", "set": dict(RING), "pose": {"on": flange, "at": [0, 0, 300]}},
            "block": bore(z, -y, 322, flange),
        },
        "joints": {
            "grip": {"type": "fixed", "between": [flange, "bolt"]},
            "groove": {"type": "fixed", "between": [flange, "ring"]},
        },
        "drives": {"insert": {"marker": flange, "legs": [dict(LEG)]}},
        "touching": {"friction": 0.15, "smooth": 2},
        "ask": {"mate": ask},
    }


def on_carrier(offset: tuple[float, float] = (0.0, 0.0), **ask: Any) -> dict[str, Any]:
    """A mass on springs; the ring is its own payload's, on the axis of the bore unless said."""
    x, y = offset
    return {
        "units": "mm",
        "dimension": 3,
        "parts": {
            "carrier": {"library": "carrier", "set": dict(CARRIER)},
            "ring": {"library": "oring", "set": dict(RING)},
            "block": bore(-x, -y, 22, None),
        },
        "joints": {"groove": {"type": "fixed", "between": ["carrier.flange", "ring"]}},
        "drives": {"insert": {"marker": "carrier.flange", "legs": [dict(LEG)]}},
        "touching": {"friction": 0.15, "smooth": 2},
        "ask": {"mate": ask},
    }


def on_elastic_joint(offset: tuple[float, float] = (0.0, 0.0), **ask: Any) -> dict[str, Any]:
    """The same mass on the same springs, written as a part on an elastic joint of a part that legs push."""
    document = on_carrier(offset, **ask)
    document["parts"] |= {
        "carrier": {},
        "bolt": {"mass": CARRIER["mass"], "center": [0, 0, 0], "principal": CARRIER["principal"]},
    }
    document["joints"] = {
        "spring": {
            "type": "elastic",
            "between": ["carrier", "bolt"],
            "at": [0, 0, 0],
            "stiffness": CARRIER["stiffness"],
            "damping": CARRIER["damping"],
        },
        "groove": {"type": "fixed", "between": ["bolt", "ring"], "at": [0, 0, 0]},
    }
    document["drives"]["insert"] = {"part": "carrier", "legs": [dict(LEG)]}
    return document


def machine(document: dict[str, Any]) -> Mechanism:
    return convert.mechanism(document)
