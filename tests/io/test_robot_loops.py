"""What acts on the joints of a loop is in the file, or named as lost."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import detent
from detent.io.robots import mjcf, urdf

try:
    import mujoco
except ImportError:
    mujoco = None

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


def heavy(order: str, gravity: bool = False) -> detent.Mechanism:
    """Its crank and rocker have `inertia` about their fixed pins alone; its joints stand in some order."""
    data = four_bar("A").to_dict()
    data["joints"] = {pin: data["joints"][pin] for pin in order}
    data["parts"]["crank"]["inertia"] = 0.004
    data["parts"]["rocker"]["inertia"] = 0.01
    data["parts"]["rod"] |= {"mass": 0.5, "center": [30, 32], "inertia": 0.001}
    if gravity:
        data["gravity"] = [0, -9.81]
    return detent.from_dict(data)


@pytest.mark.parametrize("order", ["ABCD", "DCBA", "ADBC"])
def test_inertia_alone_lies_on_the_fixed_pin_wherever_the_loop_is_cut(order: str):
    """There the mass that the file must have does no work, and MuJoCo moves it as the rigid method does."""
    text = mjcf.dumps(heavy(order))
    for body in ET.fromstring(text).iter("body"):
        if body.get("name") in ("crank", "rocker"):
            at = [float(x) for x in body.find("inertial").get("pos").split()]
            assert at == pytest.approx({"crank": [0, 0, 0], "rocker": [0.06, 0, 0]}[body.get("name")])
    for said in (mjcf.lost(heavy(order)), urdf.lost(heavy(order))):
        (line,) = [each for each in said if "fixed pin alone" in each]
        assert "crank and rocker" in line or "rocker and crank" in line
        assert "1e-09 kg on that axis;" in line
        assert "rod" not in line
    assert any("and no weight" in each for each in mjcf.lost(heavy(order, gravity=True)))
    if mujoco is None:
        return
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep, model.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    model.dof_damping[:], model.eq_solref[:, 0] = 0, 4e-4  # loops that hardly yield
    data = mujoco.MjData(model)
    while data.time < 0.05:
        mujoco.mj_step(model, data)
    undamped = heavy(order).to_dict()
    del undamped["joints"]["A"]["damping"]
    run = detent.run(detent.from_dict(undamped), until=0.05, every=0.05)
    moved = 0
    for name, states in run.states.items():
        if name in [model.joint(i).name for i in range(model.njnt)]:
            by = data.joint(name).qpos[0] - model.joint(name).qpos0[0]
            assert by == pytest.approx(states[-1] - states[0], rel=5e-3)
            moved += abs(by) > 0.05
    assert moved >= 2


def test_what_slides_along_the_pin_that_it_turns_about_has_no_mass_there_which_is_told():
    drum = {"dimension": 3, "parts": {"frame": {"fixed": True}, "drum": {"inertia": 2}}}
    for kind, told in (("cylindrical", True), ("revolute", False)):
        joint = {"type": kind, "between": ["frame", "drum"], "at": [0, 0, 0], "along": [0, 0, 1]}
        document = detent.from_dict({**drum, "joints": {"axle": joint}})
        assert any("weighs along that pin" in each for each in mjcf.lost(document)) == told
