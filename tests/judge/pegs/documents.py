"""Documents of pegs above holes, from the numbers of Whitney's theory."""

from __future__ import annotations

import math
from typing import Any

import detent

HIGH = 6.0  # of the tip above the rims, as drawn [mm]


def planar(p: dict[str, Any], *, distance: float, chamfer: float = 4.0, **more: Any) -> detent.Mechanism:
    """The set of the reference as a plane document in mm: stiffnesses per mm become per m."""
    hole, lean, tip = p["R"], p["th0"], p["eps0"]
    r = hole * (1 - p["c"])
    rise = chamfer * math.tan(math.radians(p["alpha_deg"]))
    mouth = [
        [-hole, -300],
        [hole, -300],
        [hole, -rise],
        [hole + chamfer, 0],
        [-hole - chamfer, 0],
        [-hole, -rise],
    ]
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "carrier": {},
                "peg": {
                    "shape": {"outline": [[-r, 0], [r, 0], [r, 250], [-r, 250]]},
                    "pose": {"at": [tip, HIGH], "turn": lean},
                },
                "plate": {
                    "fixed": True,
                    "shape": {"difference": [{"outline": _box(hole * 4, -200)}, {"outline": mouth}]},
                },
            },
            "joints": {
                "grip": {
                    "type": "elastic",
                    "between": ["carrier", "peg"],
                    "at": [tip - p["L_g"] * math.sin(lean), HIGH + p["L_g"] * math.cos(lean)],
                    "stiffness": [1e3 * p["K_x"], 1e9, 1e-3 * p["K_th"]],
                }
            },
            "drives": {"insert": {"part": "carrier", "legs": [{"velocity": [0, -10], "distance": distance}]}},
            "touching": {"friction": p["mu"]},
            **more,
        }
    )


def _box(half: float, low: float) -> list[list[float]]:
    return [[-half, low], [half, low], [half, 0], [-half, 0]]


def in_space(*, round_hole: bool, off: tuple[float, float] = (0.6, 0.0)) -> detent.Mechanism:
    """A peg of 19.96 in 20 mm along z, 45 degrees of chamfer on it, off along x and y."""
    x, y = off
    edges = [{"face": "-z", "chamfer": 1}]
    if round_hole:
        peg: dict[str, Any] = {
            "cylinder": {"radius": 9.98, "height": 80},
            "edges": edges,
            "moves": [{"move": [x, y, 5]}],
        }
        hole: dict[str, Any] = {"cylinder": {"radius": 10, "height": 60}, "moves": [{"move": [0, 0, -60]}]}
    else:
        peg = {"block": [19.96, 19.98, 80], "edges": edges, "moves": [{"move": [x - 9.98, y - 9.99, 5]}]}
        hole = {"block": [20, 20, 60], "moves": [{"move": [-10, -10, -60]}]}
    return detent.from_dict(
        {
            "units": "mm",
            "dimension": 3,
            "parts": {
                "carrier": {},
                "peg": {"shape": peg},
                "plate": {
                    "fixed": True,
                    "shape": {
                        "difference": [{"block": [80, 80, 60], "moves": [{"move": [-40, -40, -60]}]}, hole]
                    },
                },
            },
            "joints": {
                "grip": {
                    "type": "elastic",
                    "between": ["carrier", "peg"],
                    "at": [x, y, 55],
                    "stiffness": [6000, 6000, 1e6, 30, 30, 30],
                }
            },
            "drives": {"insert": {"part": "carrier", "legs": [{"velocity": [0, 0, -10], "distance": 40}]}},
            "touching": {"friction": 0.1},
        }
    )
