"""What acts on the joints of a loop is in the file, or named as lost."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import detent
from detent.io.robots import mjcf, urdf

ACTING: dict[str, Any] = {
    "limits": {"min_deg": -20, "max_deg": 40},
    "spring": {"stiffness": 3, "rest_deg": 10},
    "damping": 0.2,
}


def four_bar(acted: str) -> detent.Mechanism:
    """With something on some of its pins."""
    points = {"A": [0, 0], "B": [10, 20], "C": [50, 45], "D": [60, 0]}
    links = {"frame": "AD", "crank": "AB", "rod": "BC", "rocker": "DC"}
    pins = {"A": ("frame", "crank"), "B": ("crank", "rod"), "C": ("rod", "rocker"), "D": ("frame", "rocker")}
    parts: dict[str, Any] = {name: {"markers": {p: points[p] for p in ps}} for name, ps in links.items()}
    parts["frame"]["fixed"] = True
    joints = {
        pin: {"type": "revolute", "between": [f"{p}.{pin}" for p in pair], **(ACTING if pin in acted else {})}
        for pin, pair in pins.items()
    }
    return detent.from_dict({"units": "mm", "parts": parts, "joints": joints})


@pytest.mark.parametrize(
    "acted", ["".join(c) for n in range(1, 5) for c in itertools.combinations("ABCD", n)]
)
def test_what_acts_on_a_joint_of_a_loop_is_there_or_told(acted: str):
    document = four_bar(acted)
    joints = {joint.get("name"): joint for joint in ET.fromstring(mjcf.dumps(document)).iter("joint")}
    lost = " ".join(mjcf.lost(document))
    missing = [pin for pin in acted if pin not in joints]
    assert len(missing) == (len(acted) == 4)  # a loop of four has three coordinates
    for pin in acted:
        assert (f"limits, spring and damping of {pin}: it closes a loop" in lost) == (pin in missing)
        if pin in joints:
            low, high = (float(x) for x in joints[pin].get("range", "").split())
            assert math.degrees(low) == pytest.approx(-20)
            assert math.degrees(high) == pytest.approx(40)
            assert float(joints[pin].get("stiffness", 0)) == 3
            assert float(joints[pin].get("damping", 0)) == 0.2
    cut = [text for text in urdf.lost(document) if "the loop is cut there" in text]
    assert len(cut) == 1
    assert sum(pin in cut[0].split(":")[0] for pin in acted) == len(missing)
