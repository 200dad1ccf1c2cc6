"""Drives in time and along paths: what is reported is what differences of the positions say."""

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.model.reading import Builder
from detent.motion import Kinematic, move


def _five_bar(units="1", **drives):
    size = {"1": 1.0, "mm": 10.0}[units]
    at = {
        name: [size * x, size * y]
        for name, (x, y) in {
            "A": (0, 0), "B": (-0.3, 0.9), "C": (2.1, 2.7), "D": (4.5, 0.9), "E": (4, 0)
        }.items()
    }  # fmt: skip
    builder = Builder(format="detent/1", units=units).part(
        "ground", fixed=True, markers={n: at[n] for n in "AE"}
    )
    for name, ends in (("left", "AB"), ("one", "BC"), ("two", "CD"), ("right", "ED")):
        builder.part(name, markers={n: at[n] for n in ends})
    for name, first, second in (
        ("A", "ground", "left"),
        ("B", "left", "one"),
        ("C", "one", "two"),
        ("D", "two", "right"),
        ("E", "ground", "right"),
    ):
        builder.joint(name, "revolute", f"{first}.{name}", f"{second}.{name}")
    for name, drive in drives.items():
        builder.drive(name, **drive)
    return builder.build()


def _turn(joint, to, **more):
    return {"joint": joint, "from_deg": 0, "to_deg": to, "steps": 90, **more}


def _slopes_agree(motion, marker, away=2):
    track, times = np.asarray(motion.markers[marker]), np.asarray(motion.times)
    velocities = np.array(motion.velocities[marker], dtype=float)
    for i in range(away, len(times) - away):
        apart = times[i + 1] - times[i - 1]
        assert apart > 0
        slope = (track[i + 1] - track[i - 1]) / apart
        assert velocities[i] == pytest.approx(slope, abs=2e-2 * np.abs(velocities).max())


@pytest.mark.parametrize(
    "drives",
    [
        {"a": _turn("A", 90, speed_deg=90), "e": _turn("E", 60)},
        {"a": _turn("A", 90), "e": _turn("E", 60, speed_deg=30)},
        {"a": _turn("A", 90, speed_deg=90), "e": _turn("E", -60, speed_deg=60)},
        {"a": _turn("A", -90, speed_deg=90), "e": _turn("E", -60)},
        {"p": {"marker": "one.C", "path": [[2.1, 2.7], [2.4, 2.5]], "steps": 60, "speed": 3}},
    ],
)
def test_velocities_in_time_are_slopes_of_the_positions_over_the_times(drives):
    motion = detent.move(_five_bar(**drives))
    assert motion.stop == "done"
    assert motion.times[0] == 0
    _slopes_agree(motion, "one.C")
    _slopes_agree(motion, "right.D")


def test_a_drive_that_turns_round_goes_on_in_time_with_the_other_sign():
    there = [float(x) for x in np.linspace(0, 40, 41)]
    drive = {"joint": "A", "inputs_deg": [*there, *there[-2::-1]], "speed_deg": 20}
    still = {"joint": "E", "inputs_deg": [0.0] * 81}
    motion = detent.move(_five_bar(a=drive, e=still))
    assert motion.times == pytest.approx(np.linspace(0, 4, 81), abs=1e-14)
    out, back = (np.array(motion.velocities["left.B"][i]) for i in (20, 60))
    assert out == pytest.approx(-back)
    assert np.linalg.norm(out) == pytest.approx(np.radians(20) * np.hypot(0.3, 0.9))


def test_the_instant_of_a_limit_is_on_the_way_to_the_position_beyond_it():
    from detent.library import linkages

    drive = {"from_deg": 0, "to_deg": 120, "steps": 3, "speed_deg": 10}
    motion = detent.move(linkages.four_bar(3, 2, 1.5, 2, at_deg=40, drive=drive))
    assert motion.stop == "limit"
    assert motion.times[-1] == pytest.approx(abs(motion.stopped_at) / np.radians(10), rel=1e-12)


def test_speeds_that_reach_a_position_at_two_instants_are_refused():
    with pytest.raises(ModelError, match="at one instant"):
        detent.move(_five_bar(a=_turn("A", 90, speed_deg=90), e=_turn("E", 60, speed_deg=90)))
    with pytest.raises(ModelError, match="at no speed"):
        detent.move(_five_bar(a=_turn("A", 90, speed_deg=0), e=_turn("E", 60)))


def _arm(path, steps):
    """Two bars of length 1 from the origin, led by their end: it reaches 2."""
    return (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0]})
        .part("upper", markers={"A": [0, 0], "B": [0.8, 0.6]})
        .part("fore", markers={"B": [0.8, 0.6], "C": [1.4, 1.4]})
        .joint("A", "revolute", "ground.A", "upper.A")
        .joint("B", "revolute", "upper.B", "fore.B")
        .drive("hand", marker="fore.C", path=path, steps=steps)
        .build()
    )


@pytest.mark.parametrize("steps", [2, 3, 5, 8])
def test_a_corner_out_of_reach_stops_the_marker_however_few_the_positions(steps):
    motion = detent.move(_arm([[1, 0.5], [2.05, 0], [1, -0.5]], steps))
    assert motion.stop == "limit"
    assert np.hypot(*motion.stopped_at) == pytest.approx(2, abs=1e-12)


@pytest.mark.parametrize("steps", [3, 4, 7, 50])
def test_a_marker_visits_every_point_of_its_path(steps):
    path = [[1, 0.5], [1.9, 0], [1, -0.5], [1, -0.5], [0.9, -0.5]]
    motion = detent.move(_arm(path, steps))
    assert motion.stop == "done"
    assert len(motion.inputs) == steps + 1
    for point in path:
        assert np.abs(motion.markers["fore.C"] - point).max(axis=1).min() < 1e-12


def test_fewer_steps_than_a_path_has_stretches_are_refused():
    with pytest.raises(ModelError, match="at least 2"):
        detent.move(_arm([[1, 0.5], [1.9, 0], [1, -0.5]], 1))


@pytest.mark.parametrize(
    "method", [Kinematic(), Kinematic(solver="newton_svd"), Kinematic(breaking="stretching")]
)
def test_inputs_are_in_document_units_whatever_the_method(method):
    drive = {"marker": "one.C", "path": [[21, 27], [24, 25]], "steps": 4, "speed": 10}
    motion = move(_five_bar("mm", p=drive), method=method)
    assert np.asarray(motion.inputs)[-1] == pytest.approx([24, 25])
    assert motion.markers["one.C"][-1] == pytest.approx([24, 25])
    assert motion.times[-1] == pytest.approx(np.hypot(3, 2) / 10)


def test_a_drive_between_two_links_that_nothing_holds_turns_one_about_the_other():
    mechanism = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0]})
        .part("arm", markers={"A": [0, 0], "B": [1, 0]})
        .part("one", markers={"X": [8, 8], "Y": [9, 8]})
        .part("two", markers={"Y": [9, 8], "Z": [9, 9]})
        .joint("A", "revolute", "ground.A", "arm.A")
        .joint("Y", "revolute", "one.Y", "two.Y")
        .drive("free", joint="Y", from_deg=0, to_deg=90, steps=4)
        .drive("arm", joint="A", from_deg=0, to_deg=90, steps=4)
        .build()
    )
    motion = detent.move(mechanism)
    assert motion.stop == "done"
    assert motion.markers["two.Z"][-1] == pytest.approx([8, 8], abs=1e-12)
    assert motion.markers["one.X"] == pytest.approx(np.full((5, 2), 8.0), abs=1e-12)


def test_a_drive_that_waits_and_then_goes_there_and_back_is_followed_all_the_way():
    """The crank 2 of a chain 3, 1.5, 2 stops at cos = (9 + 4 - 3.5**2) / 12, seen from the ground."""
    from detent.library import linkages

    def there_and_back(farthest, **more):
        drive = {"inputs_deg": [0, 0, farthest, farthest, 0], **more}
        return detent.move(linkages.four_bar(3, 2, 1.5, 2, at_deg=40, drive=drive))

    stopped = there_and_back(120)
    assert stopped.stop == "limit"
    assert stopped.stopped_at == pytest.approx(np.arccos(0.75 / 12) - np.radians(40), abs=1e-11)
    timed = there_and_back(30, speed_deg=5)
    assert timed.times == pytest.approx([0, 0, 6, 6, 12])
    assert timed.velocities["crank.B"][-1] == pytest.approx(-np.array(timed.velocities["crank.B"][0]))


def test_one_position_is_passed_at_the_speed_of_its_drive():
    from detent.library import linkages

    motion = detent.move(linkages.four_bar(drive={"inputs": [0.2], "speed": 0.5}))
    assert motion.times == pytest.approx([0])
    assert np.hypot(*motion.velocities["crank.B"][0]) == pytest.approx(0.5)
