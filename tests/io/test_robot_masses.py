"""Masses in URDF and MJCF: what the document says is in the file, what it does not say is named."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

import detent
from detent.io.robots import mjcf, urdf


def chain(**parts: dict[str, Any]) -> detent.Mechanism:
    """Parts pinned one to the other, a metre apart, the first to the frame."""
    document: dict[str, Any] = {"parts": {"frame": {"fixed": True, "markers": {"P0": [0, 0]}}}, "joints": {}}
    before = "frame"
    for k, (name, table) in enumerate(parts.items()):
        markers = {f"P{k}": [k, 0], f"P{k + 1}": [k + 1, 0]}
        document["parts"][name] = {"markers": markers, **table}
        document["joints"][name] = {"type": "revolute", "between": [f"{before}.P{k}", f"{name}.P{k}"]}
        before = name
    return detent.from_dict(document)


def in_mjcf(machine: detent.Mechanism) -> dict[str, tuple[float, list[float]]]:
    """Mass and centre of each body: the frames of a chain without poses are the world's."""
    found = {}
    for body in ET.fromstring(mjcf.dumps(machine)).iter("body"):
        inertial = body.find("inertial")
        if inertial is not None:
            centre = [float(x) for x in (inertial.get("pos") or "").split()]
            found[body.get("name") or ""] = float(inertial.get("mass") or "nan"), centre
    return found


def in_urdf(machine: detent.Mechanism, path: Any) -> dict[str, float]:
    urdf.save(machine, path)
    links = ET.parse(path).getroot().iter("link")
    masses = {link.get("name") or "": link.find("inertial/mass") for link in links}
    return {name: float(mass.get("value") or "nan") for name, mass in masses.items() if mass is not None}


POINT = {"mass": 2.5, "center": [0.25, 0.125]}
WHOLE = {"mass": 0.75, "center": [1.5, 0], "inertia": 0.03}


def test_a_mass_without_a_moment_of_inertia_is_there(tmp_path):
    machine = chain(arm=POINT, hand=WHOLE)
    masses = in_mjcf(machine)
    assert masses["arm"] == (2.5, pytest.approx([0.25, 0.125, 0.0]))
    assert masses["hand"] == (0.75, pytest.approx([1.5, 0.0, 0.0]))
    assert in_urdf(machine, tmp_path / "a.urdf") == {"arm": 2.5, "hand": 0.75}
    for lost in (mjcf.lost(machine), urdf.lost(machine)):
        words = [word for word in lost if "mass" in word or "inertia" in word]
        assert words == [
            "the moment of inertia of arm, which the document does not say: the file has next to nothing"
        ]


def test_what_the_document_does_not_say_is_named_by_its_key(tmp_path):
    machine = chain(arm={"mass": 2.5}, hand=WHOLE, finger={})
    assert in_urdf(machine, tmp_path / "a.urdf") == {"hand": 0.75}
    words = [word for word in urdf.lost(machine) if "mass" in word or "inertia" in word]
    assert words == [
        "the mass of finger, which the document does not say",
        "the mass of arm (parts.arm.center is missing)",
    ]


def test_nothing_is_lost_of_a_whole_mass():
    assert not [word for word in mjcf.lost(chain(hand=WHOLE)) if "mass" in word or "inertia" in word]
