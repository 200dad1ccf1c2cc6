"""Arms of URDF files: the PUMA 560 written as one is the built-in one; without Pinocchio it is refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.library import ARM, REFLECTED, robot_of
from detent.model.reading import convert

VAL = (4.6, -157.2, 27.5, 0.0, -50.3, 4.6)
OWN = (4.6, 157.2, -27.5, 0.0, 50.3, 4.6)
PAYLOAD = {"mass": 2.5, "center": [0, 0, 0.2], "principal": [0.01, 0.01, 0.006]}
GAINS = [1.5e5, 2.25e5, 1.8e5, 2e3, 2e3, 2e3]


def puma_as_urdf() -> str:
    """Each joint turns about z of its own frame; what Denavit and Hartenberg put behind it is in the next."""
    lines = ['<robot name="puma"><link name="base"/>']
    behind = [(0.0, 0.0, 0.0), *((length, offset, twist) for twist, length, offset in ARM.links)]
    for k, body in enumerate(ARM.bodies):
        length, offset, twist = behind[k + 1]
        turned = np.array(
            [[1, 0, 0], [0, np.cos(twist), -np.sin(twist)], [0, np.sin(twist), np.cos(twist)]], float
        )
        centre = turned @ np.array(body.center) + [length, 0, offset]
        inertia = turned @ body.inertia @ turned.T
        entries = {f"i{a}{b}": inertia[i, j] for i, j, a, b in _ENTRIES}
        moments = " ".join(f'{name}="{float(value)!r}"' for name, value in entries.items())
        place = " ".join(repr(float(c)) for c in centre)
        lines.append(
            f'<link name="link{k + 1}"><inertial><origin xyz="{place}"/><mass value="{body.mass!r}"/>'
            f"<inertia {moments}/></inertial></link>"
        )
        parent = "base" if k == 0 else f"link{k}"
        lines.append(_joint(f"joint{k + 1}", "revolute", parent, f"link{k + 1}", behind[k]))
    lines += ['<link name="tool"/>', _joint("tool_joint", "fixed", "link6", "tool", behind[6])]
    return "\n".join([*lines, "</robot>"])


_ENTRIES = (
    (0, 0, "x", "x"),
    (0, 1, "x", "y"),
    (0, 2, "x", "z"),
    (1, 1, "y", "y"),
    (1, 2, "y", "z"),
    (2, 2, "z", "z"),
)


def _joint(name: str, kind: str, parent: str, child: str, behind: tuple[float, float, float]) -> str:
    length, offset, twist = behind
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{length!r} 0 {offset!r}" rpy="{twist!r} 0 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-7" upper="7" effort="100" velocity="10"/></joint>'
    )


def document(library: str, settings: dict[str, Any]) -> dict[str, Any]:
    part = {
        "library": library,
        "set": {"gear_stiffness": [3e4, 4.5e4, 3.6e4], "payload": PAYLOAD, **settings},
    }
    return {"dimension": 3, "gravity": [0, 0, -9.81], "parts": {"robot": part}}


def of_file(file: Path, **more: Any) -> dict[str, Any]:
    given = {
        "working_point_deg": list(OWN),
        "position_gain": GAINS,
        "motor_inertia": REFLECTED.tolist(),
        **more,
    }
    return document("urdf", {"file": str(file), **given})


@pytest.fixture
def puma_file(tmp_path: Path) -> Path:
    pytest.importorskip("pinocchio", reason="the extra `arm` is not installed")
    file = tmp_path / "puma.urdf"
    file.write_text(puma_as_urdf())
    return file


def test_the_puma_of_a_file_is_the_built_in_one(puma_file: Path) -> None:
    own = robot_of(convert.mechanism(document("puma560", {"working_point_deg": list(VAL)}))).model
    other = robot_of(convert.mechanism(of_file(puma_file))).model
    for name in ("mass", "damping", "stiffness", "jacobian", "gain_damping"):
        assert getattr(other.linear, name) == pytest.approx(getattr(own.linear, name), abs=1e-9)
    random = np.random.default_rng(2)
    for _ in range(5):
        q, v = own.rest + random.normal(size=9) * 0.3, random.normal(size=9)
        assert other.resisting(q, v) == pytest.approx(own.resisting(q, v), abs=1e-9)
        assert other.mass(q) == pytest.approx(own.mass(q), abs=1e-12)
        assert other.gripper_frame(q) == pytest.approx(own.gripper_frame(q), abs=1e-12)
    assert other.compensation == pytest.approx(own.compensation, abs=1e-9)


def test_a_file_says_by_name_what_is_wrong(puma_file: Path) -> None:
    with pytest.raises(ModelError, match=r"set\.tip: the file has no link 'tol'; did you mean 'tool'"):
        detent.explain(convert.mechanism(of_file(puma_file, tip="tol")))
    with pytest.raises(ModelError, match=r"position_gain: has 2 numbers, and the arm has 6 joints"):
        detent.explain(convert.mechanism(of_file(puma_file, position_gain=[1, 2])))
    with pytest.raises(ModelError, match=r"set\.file: there is no file"):
        detent.explain(convert.mechanism(of_file(puma_file.with_name("none.urdf"))))
    puma_file.write_text("<robot")
    with pytest.raises(ModelError, match=r"set\.file: is no URDF"):
        detent.explain(convert.mechanism(of_file(puma_file)))


def test_without_pinocchio_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pinocchio", None)
    with pytest.raises(UnsupportedError, match=r"pip install 'detent\[arm\]'"):
        detent.explain(convert.mechanism(of_file(tmp_path / "puma.urdf")))


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"working_point": [0] * 6}, "given twice"),
        ({"motor_inertia": None}, "its inertia must be known"),
        ({"position_gain": [0] * 6}, "must be above zero"),
    ],
)
def test_settings_are_checked_before_the_file_is_read(settings: dict[str, Any], problem: str) -> None:
    given = of_file(Path("puma.urdf"), **settings)
    given["parts"]["robot"]["set"] = {
        k: v for k, v in given["parts"]["robot"]["set"].items() if v is not None
    }
    with pytest.raises(ModelError, match=problem):
        convert.mechanism(given)
