"""MJCF and URDF out: read back by readers that share no code, and by MuJoCo where it is installed."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.io import formats
from detent.io.robots import mjcf, urdf
from detent.mechanics import constraint_rows_at, coordinate_at
from detent.model import Mechanism, State, compile_system

try:
    import mujoco
except ImportError:
    mujoco = None

Poses = dict[str, np.ndarray]
Read = Callable[[dict[str, float]], Poses]


def vector(text: str | None, otherwise: str = "0 0 0") -> np.ndarray:
    return np.array([float(c) for c in (text or otherwise).split()])


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues' formula."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def frame(rotation: np.ndarray, origin: np.ndarray) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, origin
    return pose


def quaternion(text: str | None) -> np.ndarray:
    w, x, y, z = vector(text, "1 0 0 0")
    return turn(np.array([x, y, z]) / (math.hypot(x, y, z) or 1.0), 2 * math.atan2(math.hypot(x, y, z), w))


def read_mjcf(text: str) -> Read:
    """Poses of bodies by joint coordinates, as MuJoCo's documentation defines them."""
    world = ET.fromstring(text).find("worldbody")

    def poses(values: dict[str, float]) -> Poses:
        found: Poses = {}

        def visit(element: Any, parent: np.ndarray) -> None:
            for body in element.findall("body"):
                pose = parent @ frame(quaternion(body.get("quat")), vector(body.get("pos")))
                for joint in body.findall("joint"):
                    by = values.get(joint.get("name"), float(joint.get("ref", 0))) - float(
                        joint.get("ref", 0)
                    )
                    point, axis = vector(joint.get("pos")), vector(joint.get("axis"), "0 0 1")
                    if joint.get("type") == "hinge":
                        rotation = turn(axis, by)
                        pose = pose @ frame(rotation, point - rotation @ point)
                    else:
                        pose = pose @ frame(np.eye(3), by * axis)
                found[body.get("name")] = pose
                visit(body, pose)

        visit(world, np.eye(4))
        return found

    return poses


def read_urdf(text: str) -> Read:
    """Poses of links; the part's own frame is that of its first marker's link, so tests compare rotations."""
    root = ET.fromstring(text)

    def poses(values: dict[str, float]) -> Poses:
        links = {root.find("link").get("name"): np.eye(4)}
        waiting = list(root.findall("joint"))
        while waiting:
            joint = next(j for j in waiting if j.find("parent").get("link") in links)
            waiting.remove(joint)
            origin = joint.find("origin")
            r, p, y = vector(origin.get("rpy"))
            ex, ey, ez = np.eye(3)
            pose = links[joint.find("parent").get("link")] @ frame(
                turn(ez, y) @ turn(ey, p) @ turn(ex, r), vector(origin.get("xyz"))
            )
            value = values.get(joint.get("name"), 0.0)
            if joint.find("axis") is not None:
                axis = vector(joint.find("axis").get("xyz"))
                slides = joint.get("type") == "prismatic"
                pose = pose @ (
                    frame(np.eye(3), value * axis) if slides else frame(turn(axis, value), np.zeros(3))
                )
            links[joint.find("child").get("link")] = pose
        return links

    return poses


def read_by_mujoco(text: str) -> Read:
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)

    def poses(values: dict[str, float]) -> Poses:
        mujoco.mj_resetData(model, data)
        for name, value in values.items():
            data.joint(name).qpos[0] = value
        mujoco.mj_kinematics(model, data)
        return {
            model.body(i).name: frame(data.xmat[i].reshape(3, 3), data.xpos[i]) for i in range(1, model.nbody)
        }

    return poses


READERS = {"etree": read_mjcf, **({"mujoco": read_by_mujoco} if mujoco is not None else {})}


def arm() -> Mechanism:
    """A column about z, an arm about a slanted axis, a slider in it, a wheel on a spring; posed parts."""
    return detent.from_dict(
        {
            "dimension": 3,
            "units": "mm",
            "gravity": [0, 0, "-9.81"],
            "parts": {
                "base": {"fixed": True, "markers": {"top": {"at": [0, 0, 100], "along": [0, 0, 1]}}},
                "column": {
                    "pose": {"at": [0, 0, 100], "turn_deg": 30},
                    "markers": {
                        "foot": {"at": [0, 0, 0], "along": [0, 0, 1]},
                        "elbow": {"at": [50, 0, 200], "along": [1, 2, 2], "across": [0, 1, -1]},
                    },
                    "shape": {"cylinder": {"radius": 20, "height": 200}},
                    "mass": 3,
                    "center": [1, 2, 100],
                    "principal": ["0.01", "0.02", "0.015"],
                },
                "arm": {
                    "pose": {"on": "column.elbow"},
                    "markers": {
                        "elbow": {"at": [0, 0, 0], "along": [0, 0, 1]},
                        "rail": {"at": [10, 0, 0], "along": [3, 4, 0]},
                    },
                    "shape": {
                        "difference": [{"block": [300, 20, 20]}, {"cylinder": {"radius": 5, "height": 20}}]
                    },
                    "density": 2700,
                },
                "car": {
                    "pose": {"on": "arm.rail", "at": [0, 0, 25]},
                    "markers": {"rail": {"at": [0, 0, 0], "along": [0, 0, 1]}},
                    "shape": {"sphere": 8},
                    "mass": "0.25",
                    "center": [0, 0, 0],
                    "principal": ["1e-4", "1e-4", "1e-4"],
                },
            },
            "joints": {
                "turn": {"type": "revolute", "between": ["base.top", "column.foot"], "damping": "0.4"},
                "lift": {
                    "type": "revolute",
                    "between": ["arm.elbow", "column.elbow"],
                    "limits": {"min_deg": -90, "max_deg": 45},
                    "spring": {"stiffness": 7, "rest_deg": 10},
                },
                "travel": {
                    "type": "prismatic",
                    "between": ["arm.rail", "car.rail"],
                    "limits": {"min": 0, "max": 200},
                },
            },
        }
    )


TURNED = {"turn": 0.7, "lift": -0.4, "travel": 0.11}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("values", [TURNED, {"turn": -2.0, "lift": 0.3, "travel": 0.0}])
def test_turned_joints_of_a_chain_in_space_keep_it_joined(reader: str, values: dict[str, float]):
    """The poses that a reader gets satisfy the document's own constraints, at the same coordinates."""
    document = arm()
    poses = READERS[reader](mjcf.dumps(document))(values)
    check_coordinates(document, poses, values)


@pytest.mark.parametrize("values", [TURNED, {"turn": -2.0, "lift": 0.3, "travel": 0.0}])
def test_urdf_of_a_chain_in_space(values: dict[str, float]):
    document = arm()
    text, meshes = urdf.dumps(document)
    links = read_urdf(text)(values)
    root = ET.fromstring(text)
    drawn = compile_system(document)
    placed = {}
    for name, pose in links.items():
        if name not in drawn.index:
            continue
        # The part's frame in its link, by the centre of mass or the drawing.
        as_drawn = read_urdf(text)({"turn": math.radians(30), "lift": 0.0, "travel": 0.025})[name]
        placed[name] = pose @ np.linalg.solve(as_drawn, drawn.drawn.matrices[drawn.index[name]])
    check_coordinates(document, placed, values)
    assert list(meshes) == ["machine_arm.stl"]
    kinds = {joint.get("name"): joint.get("type") for joint in root.findall("joint")}
    assert kinds == {"base_fixed": "fixed", "turn": "continuous", "lift": "revolute", "travel": "prismatic"}
    lift = next(j for j in root.findall("joint") if j.get("name") == "lift").find("limit")
    assert float(lift.get("lower")) == pytest.approx(-math.pi / 2)
    assert "springs (lift)" in " ".join(urdf.lost(document))
    assert "gravity" in " ".join(urdf.lost(document))


def check_coordinates(document: Mechanism, poses: Poses, values: dict[str, float]) -> None:
    system = compile_system(document)
    matrices = np.array([poses[body.name] for body in system.bodies])
    rows = np.column_stack([matrices[:, :3, 3], np.tile([1.0, 0, 0, 0], (len(matrices), 1))])
    state = State(rows, np.zeros((len(rows), 6)), 0.0, matrices)
    assert constraint_rows_at(system, state).values == pytest.approx(0, abs=1e-9)
    for name, value in values.items():
        assert coordinate_at(system, state, system.joint(name)).value == pytest.approx(value, abs=1e-9)


def test_masses_springs_and_limits_in_mjcf():
    root = ET.fromstring(mjcf.dumps(arm()))
    masses = {
        body.get("name"): float(body.find("inertial").get("mass"))
        for body in root.iter("body")
        if body.find("inertial") is not None
    }
    volume = 300 * 20 * 20 - math.pi * 25 * 20 / 4  # a quarter of the hole lies in the block
    assert masses == pytest.approx({"column": 3, "arm": 2700e-9 * volume, "car": 0.25})
    joints = {joint.get("name"): joint for joint in root.iter("joint")}
    assert float(joints["turn"].get("damping")) == 0.4
    assert float(joints["turn"].get("ref")) == pytest.approx(math.radians(30))
    assert float(joints["lift"].get("stiffness")) == 7
    assert float(joints["lift"].get("springref")) == pytest.approx(math.radians(10))
    assert vector(joints["travel"].get("range")) == pytest.approx([0, 0.2])
    assert vector(root.find("option").get("gravity")) == pytest.approx([0, 0, -9.81])
    assert [geom.get("type") for geom in root.iter("geom") if geom.get("type")] == [
        "cylinder",
        "mesh",
        "sphere",
    ]


@pytest.fixture(scope="module")
def crank() -> str:
    return mjcf.dumps(detent.load("crank"))


@pytest.mark.parametrize("reader", READERS)
def test_the_crank_moves_as_the_planner_moves_it(reader: str, crank: str):
    """Set to the coordinates of a motion, its parts are where the motion has them, and the loop is closed."""
    motion = detent.move("crank")
    poses = READERS[reader](crank)
    connect = ET.fromstring(crank).find("equality/connect")
    for row in (0, 9, 31, 50):
        at = {part: motion.poses[part][row] for part in ("crankshaft", "rod", "piston")}
        values = {
            "crank": at["crankshaft"][2],
            "crankshaft_rod": at["rod"][2] - at["crankshaft"][2],
            "frame_piston": at["piston"][0] / 1000,
        }
        found = poses(values)
        for part, (x, y, angle) in at.items():
            assert found[part][:2, 3] == pytest.approx([x / 1000, y / 1000], abs=1e-9)
            assert math.remainder(math.atan2(found[part][1, 0], found[part][0, 0]) - angle, math.tau) == (
                pytest.approx(0, abs=1e-9)
            )
        anchor = np.append(vector(connect.get("anchor")), 1.0)
        one, other = found[connect.get("body1")] @ anchor, found[connect.get("body2")] @ anchor
        assert one == pytest.approx(other, abs=1e-9)  # both parts are drawn in place


def test_mujoco_reads_the_same_machine(crank: str):
    """Beside the counts that hold for every reader, MuJoCo's own where it is installed."""
    root = ET.fromstring(crank)
    assert len(list(root.iter("body"))) == 4
    assert len(list(root.iter("joint"))) == 3
    assert len(root.findall("equality/connect")) == 1
    if mujoco is None:
        return
    for document in (detent.load("crank"), arm(), gears(), detent.load("six_bar_a"), detent.load("slide")):
        model = mujoco.MjModel.from_xml_string(mjcf.dumps(document))
        system = compile_system(detent.infer.resolved(document))
        assert model.nbody - 1 == len(system.bodies)
        for body in system.bodies:
            if not body.fixed and body.knows_mass and body.mass.mass:
                i = model.body(body.name).id
                assert model.body_mass[i] == pytest.approx(body.mass.mass)
                assert model.body_ipos[i] == pytest.approx(body.mass.centre, abs=1e-12)
                moments = np.linalg.eigvalsh(np.array(body.mass.inertia))
                if document.dimension == 2:  # there only the moment about z acts
                    moments = np.repeat(moments[2], 3)
                assert np.sort(model.body_inertia[i]) == pytest.approx(moments, rel=1e-6)


def test_inertia_alone_is_about_the_pin():
    """The escapement's parts have no mass: what turns about the pin is what the document says."""
    root = ET.fromstring(mjcf.dumps(detent.load("escapement")))
    for body in root.iter("body"):
        joint, inertial = body.find("joint"), body.find("inertial")
        if joint is None:
            continue
        arm_ = vector(inertial.get("pos")) - vector(joint.get("pos"))
        about = vector(inertial.get("fullinertia"))[2] + float(inertial.get("mass")) * (arm_[:2] @ arm_[:2])
        assert about == pytest.approx({"lever": 10, "bwheel": 20, "ewheel": 200}[body.get("name")], rel=1e-8)


def gears(carrier: bool = False) -> Mechanism:
    parts: dict[str, Any] = {
        "frame": {"fixed": True, "markers": {"A": [0, 0], "B": [3, 0]}},
        "arm": {"markers": {"A": [0, 0], "B": [3, 0]}, "mass": 1, "center": [1, 0], "inertia": 1},
        "sun": {"markers": {"A": [0, 0]}, "mass": 1, "center": [0, 0], "inertia": 1},
        "planet": {"markers": {"B": [3, 0]}, "mass": 1, "center": [3, 0], "inertia": 1},
    }
    joints = {
        "sun": {"type": "revolute", "between": ["frame.A", "sun.A"]},
        "planet": {"type": "revolute", "between": ["frame.B", "planet.B"]},
        "mesh": {"type": "gear", "between": ["sun", "planet"], "ratio": -2},
    }
    if carrier:
        joints["arm"] = {"type": "revolute", "between": ["frame.A", "arm.A"]}
        joints["planet"] = {"type": "revolute", "between": ["arm.B", "planet.B"]}
    else:
        del parts["arm"]
    return detent.from_dict({"parts": parts, "joints": joints})


def test_gears_relate_joints():
    mesh = ET.fromstring(mjcf.dumps(gears())).find("equality/joint")
    assert (mesh.get("joint1"), mesh.get("joint2")) == ("planet", "sun")
    assert vector(mesh.get("polycoef"))[1] == -2
    root = ET.fromstring(urdf.dumps(gears())[0])
    mimic = next(joint.find("mimic") for joint in root.findall("joint") if joint.find("mimic") is not None)
    assert (mimic.get("joint"), float(mimic.get("multiplier"))) == ("sun", -2)


def test_a_planet_turns_as_its_arm_and_its_sun_say():
    """Willis: (w_planet - w_arm) = ratio (w_sun - w_arm); the planet's joint counts against the arm."""
    document = gears(carrier=True)
    fixed = ET.fromstring(mjcf.dumps(document)).find("tendon/fixed")
    factors = {joint.get("joint"): float(joint.get("coef")) for joint in fixed.findall("joint")}
    assert factors == {"planet": 1, "sun": 2, "arm": -2}
    assert "mesh: `mimic` relates two joints" in " ".join(urdf.lost(document))


def test_the_same_by_mujoco_where_it_is_installed():
    """Let go with the sun spinning, the equality keeps Willis' equation."""
    text = mjcf.dumps(gears(carrier=True))
    assert "polycoef" in text
    if mujoco is None:
        return
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.joint("sun").qvel[0] = 1.0
    for _ in range(500):
        mujoco.mj_step(model, data)
    planet, sun, arm_ = (data.joint(name).qpos[0] for name in ("planet", "sun", "arm"))
    assert planet == pytest.approx(-2 * (sun - arm_), abs=2e-3 * abs(sun) + 1e-4)
    assert abs(sun) > 0.1


def test_endings_and_what_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for ending in (".urdf", ".mjcf", ".xml"):
        assert ending in formats.endings("writes")
    from detent.app import main

    assert main(["convert", "crank", str(tmp_path / "c.urdf")]) == 0
    said = capsys.readouterr()
    assert "the loop is cut there" in said.err + said.out
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "c.urdf",
        "c_frame.stl",
        "c_piston.stl",
        "c_rod.stl",
    ]
    files = {mesh.get("filename") for mesh in ET.parse(tmp_path / "c.urdf").iter("mesh")}
    assert files == {"c_frame.stl", "c_piston.stl", "c_rod.stl"}


def test_a_joint_that_is_not_found_is_refused_by_name():
    from detent.foundation import UnsupportedError

    document = detent.from_dict(
        {
            "dimension": 3,
            "parts": {"a": {"fixed": True, "shape": {"sphere": 1}}, "b": {"shape": {"sphere": 2}}},
            "joints": {"j": {"type": "infer", "between": ["a", "b"]}},
        }
    )
    with pytest.raises(UnsupportedError, match="not found from the shapes") as refused:
        mjcf.dumps(document)
    assert refused.value.problem.at == "joints.j"
