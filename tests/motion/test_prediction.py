"""One verb for every method: what it returns, what it refuses, and that nothing is decided twice."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from msgspec.structs import replace

import detent
from detent.app import main
from detent.model.document import Drive
from detent.motion import METHODS, Kinematic, Method, Quasistatic, Rigid, method_of, move
from detent.motion.kinematic import LinkageRun
from detent.motion.quasistatic import FastenerRun
from detent.record import EVENT_KINDS, Run, Trajectory
from tests.conftest import reference_documents
from tests.kinematics.random_linkages import random_linkage
from tests.motion.test_mixed_linkages import led

EXAMPLES = Path(__file__).parents[2] / "examples"
LINKAGES = [p for p in (*sorted(EXAMPLES.glob("*.toml")), *reference_documents()) if p.suffix == ".toml"]
SNAP = "snap_t"
CLOSE = 1e-9  # of the machine's size: two ways to one position


def drawn_with(mechanism, steps):
    return {name: replace(drive, steps=steps) for name, drive in mechanism.drives.items()}


def decided_again(mechanism, steps):
    """The oracle of finer positions: the drive in these steps, with everything decided for them."""
    return detent.predict(mechanism, drives=drawn_with(mechanism, steps)).trajectory


def same_positions(fine: Trajectory, wanted: Trajectory) -> None:
    if wanted.times_are == "position":  # each counts its own positions, and both the same joints
        for joint, column in wanted.coordinates.items():
            assert fine.coordinates[joint] == pytest.approx(column, abs=CLOSE)
    else:
        assert fine.times == pytest.approx(wanted.times, abs=CLOSE)
    for part, rows in wanted.poses.items():
        size = max(1.0, float(np.abs(rows).max()))
        assert np.abs(fine.poses[part] - rows).max() < CLOSE * size, part


def drives_joints_in_steps(path: Path) -> bool:
    try:
        mechanism = detent.load(path)
    except detent.ModelError:
        return False
    drives = mechanism.drives.values()
    return mechanism.dimension == 2 and bool(drives) and all(d.steps and d.joint for d in drives)


@pytest.mark.parametrize("path", [p for p in LINKAGES if drives_joints_in_steps(p)], ids=lambda p: p.stem)
def test_finer_positions_are_those_of_a_run_in_such_steps(path):
    mechanism, steps = detent.load(path), 101
    most = max(drive.steps for drive in mechanism.drives.values())
    run = detent.predict(mechanism, method=Kinematic())
    same_positions(run.finer(steps), decided_again(mechanism, max(most, steps)))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kinds", [("RRR", "RRP", "RPR"), ("triad", "RRR")], ids="-".join)
def test_finer_positions_of_random_linkages_are_those_of_a_run_in_such_steps(seed, kinds):
    mechanism = random_linkage(seed, groups=2, kinds=kinds, steps=5 + seed % 3)
    same_positions(detent.predict(mechanism).finer(40), decided_again(mechanism, 40))


@pytest.mark.parametrize("steps", [50, 47, 7])
def test_finer_positions_pass_a_change_point_that_was_crossed(steps):
    mechanism = led(3, 1, 3, steps=steps)
    run = detent.predict(mechanism)
    assert run.evidence.walk.crossed
    fine = run.finer(73)
    assert len(fine.times) == 74
    same_positions(fine, decided_again(mechanism, 73))


def broken():
    """As Fig. 22 of Brunkhart 1994: no closing within one degree of the crank pointing away."""
    return led(math.sqrt(16 + 1 - 8 * math.cos(math.radians(179))) - 3, 3, 4, steps=25)


@pytest.mark.parametrize("breaking", ["searching", "limiting"])
def test_finer_positions_end_where_the_walk_did(breaking):
    run = detent.predict(broken(), method=Kinematic(breaking=breaking))
    fine, limit = run.finer(400), run.trajectory.stop.time
    assert limit == pytest.approx(math.radians(139), abs=CLOSE)
    assert len(fine.times) > len(run.trajectory.times)
    beyond = CLOSE if breaking == "searching" else math.radians(200) / 400
    assert 0 <= limit - fine.times[-1] + CLOSE < beyond + CLOSE


def counted(monkeypatch, module, name):
    calls = []
    inner = getattr(module, name)

    def counting(*args, **kwargs):
        calls.append(name)
        return inner(*args, **kwargs)

    monkeypatch.setattr(module, name, counting)
    return calls


@pytest.mark.parametrize("method", ["--exact", "--fast"])
def test_pictures_of_a_fastener_decide_nothing_again(tmp_path, monkeypatch, method):
    from detent.motion.quasistatic import decide, fastener_run
    from detent.motion.quasistatic.answer import report

    plans = counted(monkeypatch, decide, "run_plan")
    readings = counted(monkeypatch, fastener_run, "fastener")
    trajectories = counted(monkeypatch, fastener_run, "trajectory")
    events = counted(monkeypatch, report, "_event")
    told = detent.mate(detent.load(SNAP), method=Quasistatic(exact=method == "--exact"))
    alone = [len(plans), len(readings), len(events)]  # a filter in doubt decides the plan exactly as well
    assert alone == [1 if method == "--exact" else 2, 1, sum(len(leg.events) for leg in told.legs)]
    written = {"film": "html", "slice": "svg", "strip": "png", "report": "html"}
    flags = [x for flag, end in written.items() for x in (f"--{flag}", str(tmp_path / f"{flag}.{end}"))]
    assert main(["mate", SNAP, "--quiet", method, *flags]) == 0
    assert [len(plans), len(readings), len(events)] == [2 * count for count in alone]
    assert len(trajectories) == 1


@pytest.mark.parametrize("name", ["four_bar", "six_bar_b"])
def test_a_film_of_a_linkage_decides_nothing_again(tmp_path, monkeypatch, name):
    from detent.kinematics.paths import closed, followed
    from detent.motion.kinematic import linkage_run

    plans = counted(monkeypatch, linkage_run, "make_plan")
    walks = [counted(monkeypatch, linkage_run, walk) for walk in ("closed_walk", "walk_in_segments")]
    proofs = counted(monkeypatch, closed, "branch_path_of")
    limits = counted(monkeypatch, followed, "followed_certificate")
    motion = detent.move(detent.load(name))
    decisions = len(proofs) + len(limits)
    assert decisions
    motion.run.finer(200)
    assert len(proofs) + len(limits) == decisions
    files = [str(tmp_path / f"{flag}.html") for flag in ("film", "report")]
    assert main(["move", name, "--quiet", "--film", files[0], "--report", files[1]]) == 0
    assert len(plans) == 2
    assert sum(map(len, walks)) == 2
    assert len(proofs) + len(limits) == 2 * decisions


def test_the_method_is_the_one_that_fits_the_drives_unless_it_is_given():
    assert isinstance(detent.predict(detent.load(SNAP)).evidence, FastenerRun)
    assert isinstance(detent.predict(detent.load("four_bar")).evidence, LinkageRun)
    fast = detent.predict(detent.load(SNAP), method=Quasistatic(exact=False))
    assert fast.trajectory.method == "quasistatic, float filter"
    assert method_of(detent.load("four_bar")) == Kinematic()
    assert method_of(detent.load(SNAP)) == Quasistatic()


def test_drives_given_replace_those_of_the_document():
    mechanism = detent.load("four_bar")
    (joint,) = (drive.joint for drive in mechanism.drives.values())
    run = detent.predict(mechanism, drives={"by_hand": Drive(joint=joint, from_=0, to=1, steps=4)})
    assert run.trajectory.times_are == "by_hand"
    assert run.trajectory.times.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert run.trajectory.coordinates[joint].tolist() == run.trajectory.times.tolist()


@pytest.mark.parametrize(("dimension", "method"), [(2, Kinematic()), (3, Quasistatic())])
def test_a_refusal_names_the_methods_that_can(dimension, method):
    with pytest.raises(detent.UnsupportedError) as refusal:
        detent.predict(replace(detent.load(SNAP), dimension=dimension), method=method)
    others = [each for each in METHODS if each.name != method.name]
    assert all(f"{each.name} predicts {each.answers}" in str(refusal.value) for each in others)


@pytest.mark.parametrize("document", [SNAP, "four_bar"])
def test_a_method_that_does_not_run_over_time_refuses_a_time_to_end(document):
    with pytest.raises(detent.UnsupportedError, match="until"):
        detent.predict(detent.load(document), until=1.0)


WHEEL = {
    "parts": {"frame": {"fixed": True, "markers": {"A": [0, 0]}}, "wheel": {"markers": {"A": [0, 0]}}},
    "joints": {"axle": {"type": "revolute", "between": ["frame.A", "wheel.A"]}},
}


@pytest.mark.parametrize(
    ("drives", "angle"),
    [
        ({"turn": {"joint": "axle", "speed": 2}}, 3.0),
        ({"turn": {"joint": "axle", "speed": 2, "from": 0, "to": 1}}, 1.0),
        ({"turn": {"joint": "axle", "torque": 4}}, 4 / 2 * 1.5**2 / 2),
        ({}, 0.0),
    ],
)
def test_a_time_to_end_asks_for_a_run_over_time_where_the_drives_say_when(drives, angle):
    wheel = detent.from_dict({**WHEEL, "drives": drives}).with_("parts.wheel.inertia", 2)
    trajectory = detent.predict(wheel, until=1.5).trajectory
    assert trajectory.times_are == "time"
    assert trajectory.times[-1] == 1.5
    assert trajectory.coordinates["axle"][-1] == pytest.approx(angle, abs=1e-9)


def test_a_document_that_asks_to_run_alone_is_run_also_where_something_drives_it():
    wheel = {**WHEEL, "drives": {"turn": {"joint": "axle", "speed": 2, "from": 0, "to": 1}}}
    assert method_of(detent.from_dict(wheel)) == Kinematic()
    assert method_of(detent.from_dict({**wheel, "ask": {"run": {"until": 1}}})) == Rigid()
    assert method_of(detent.from_dict({**wheel, "ask": {"run": {}, "move": {}}})) == Kinematic()


@dataclass(frozen=True)
class Still:
    """A method that a stranger adds: nothing moves."""

    name: ClassVar[str] = "still"
    answers: ClassVar[str] = "machines that stand"

    def predict(self, mechanism, *, drives=None, until=None):
        times = np.array([0.0, 1.0 if until is None else until])
        poses = {part: np.zeros((2, 3)) for part in mechanism.parts}
        return Run(Trajectory(times=times, poses=poses, method=self.name), evidence=mechanism)


def test_a_new_method_is_a_value_and_films_take_its_run(tmp_path):
    mechanism = detent.load("four_bar")
    method: Method = Still()
    run = detent.predict(mechanism, method=method, until=2.0)
    assert run.finer(100) is run.trajectory
    (tmp_path / "run.json").write_text(run.trajectory.to_json())
    film = str(tmp_path / "film.html")
    assert main(["draw", "four_bar", "-o", film, "--along", str(tmp_path / "run.json"), "--quiet"]) == 0


def test_an_answer_holds_its_run_and_neither_writes_nor_pickles_it():
    for answer in (detent.move(detent.load("four_bar")), detent.mate(detent.load(SNAP))):
        assert isinstance(answer.run, Run)
        assert "run" not in json.loads(answer.to_json())
        again = pickle.loads(pickle.dumps(answer))
        with pytest.raises(LookupError, match="no run") as raised:
            _ = again.run
        assert isinstance(raised.value, detent.DetentError)
        assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
        assert (hasattr(answer, "run"), answer.has_run) == (True, True)
        assert (hasattr(again, "run"), again.has_run) == (False, False)
        assert again.to_json() == answer.to_json()


def test_events_of_a_linkage_are_on_its_trajectory_in_the_words_of_the_record():
    run = detent.predict(led(3, 1, 3))
    (event,) = run.trajectory.events
    assert event.kind == "change_point"
    assert math.degrees(event.time) == pytest.approx(140, abs=1e-6)
    motion = move(led(3, 1, 3))
    assert [point.kind for point in motion.limit_points] == ["change"]
    assert motion.events == ()
    stopped = detent.predict(broken()).trajectory
    assert stopped.stop.cause == "limit"
    assert stopped.events[-1].kind == "limit"
    assert stopped.stop.time == stopped.events[-1].time == pytest.approx(stopped.times[-1], abs=CLOSE)
    assert {e.kind for e in stopped.events} <= set(EVENT_KINDS)


def test_choosing_a_method_loads_nothing_heavy():
    words = "from detent.motion import Kinematic, Quasistatic, METHODS; Kinematic(), Quasistatic()"
    heavy = "{'numpy', 'scipy', 'shapely', 'flint', 'numba'}"
    code = f"{words}; import sys; assert not {heavy} & set(sys.modules), {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_poses_of_a_fastener_keep_the_whole_turns_of_its_drawing():
    """A root drawn at a full turn is at a full turn in its trajectory, as in its System."""
    from msgspec.structs import replace

    from detent.foundation import Number
    from detent.model import Pose, compile_system

    mechanism = detent.load("snap_t")
    (drive,) = mechanism.drives.values()
    root = mechanism.parts[drive.part]
    pose = replace(root.pose, turn_deg=Number(360)) if root.pose is not None else Pose(turn_deg=Number(360))
    wound = replace(mechanism, parts={**mechanism.parts, drive.part: replace(root, pose=pose)})
    system = compile_system(wound)
    run = detent.predict(wound)
    drawn = system.drawn.poses[system.index[drive.part], 2]
    assert run.trajectory.poses[drive.part][0, 2] == pytest.approx(drawn)
    assert drawn == pytest.approx(2 * 3.141592653589793)
