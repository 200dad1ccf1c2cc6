"""A dyad before a cut: what it cannot do ends the course, and where it comes in line it goes straight on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detent import from_dict
from detent.library import meet, pinned, polar
from detent.motion import Kinematic, move
from detent.motion.live import prepare
from tests.kinematics.documents import closure

CLOSE = 1e-10


def led(bar: float, rock: float, base: float, *, steps: int = 50, to_deg: float = 200):
    """A crank of 1 with a bar and a rocker, whose tip C leads a triangle on three arms: one guess in all."""
    b, d = polar(1, 40), (base, 0.0)
    c = meet(b, bar, d, rock, left=bar < base, name="C") if bar != base else (b[0] + base, b[1])
    points = {"A": (0.0, 0.0), "D": d, "B": b, "C": c, "G": (base + 5.2, -4.9), "H": (base + 2.2, 2.1)}
    points |= {"P": (c[0] + 4.3, c[1] + 1.7), "Q": (base + 4.4, -0.4), "R": (base + 4.2, 1.6)}
    parts = {"ground": ["A", "D", "G", "H"], "crank": ["A", "B"], "bar": ["B", "C"], "rock": ["D", "C"]}
    parts |= {"arm": ["C", "P"], "table": ["P", "Q", "R"], "low": ["G", "Q"], "high": ["H", "R"]}
    drive = {"from_deg": 0, "to_deg": to_deg, "steps": steps}
    return pinned("led", points, parts).drive("crank", joint="A", **drive).build()


@pytest.mark.parametrize("steps", [50, 47, 7])
def test_a_parallelogram_before_a_cut_stays_one_and_what_it_leads_goes_on_smoothly(steps):
    mechanism = led(3, 1, 3, steps=steps)
    motion = move(mechanism)
    assert motion.stop == "done"
    assert [p.kind for p in motion.limit_points] == ["change"]
    assert math.degrees(motion.limit_points[0].input) == pytest.approx(140, abs=1e-6)
    turns = np.radians(40) + motion.inputs
    wanted = np.stack([3 + np.cos(turns), np.sin(turns)], axis=1)
    assert np.abs(motion.markers["rock.C"] - wanted).max() < CLOSE
    ground = {f"ground.{k}": [float(x) for x in at] for k, at in mechanism.parts["ground"].markers.items()}
    still = {name: np.tile(at, (len(turns), 1)) for name, at in ground.items()}
    assert closure(mechanism, {**motion.markers, **still}) < CLOSE
    fine = move(led(3, 1, 3, steps=400))
    leaps = np.abs(np.diff(fine.markers["table.Q"], axis=0)).max(axis=1)
    assert leaps.max() < 20 * math.radians(200) / 400
    every = np.interp(motion.inputs, fine.inputs, fine.markers["table.Q"][:, 0])
    assert np.abs(every - motion.markers["table.Q"][:, 0]).max() < 1e-3


def test_a_change_point_before_a_cut_that_is_passed_there_and_back_is_listed_once():
    there, back = [90, 121, 137, 163], [151, 128, 97]
    data = led(3, 1, 3).to_dict()
    data["drives"] = {"crank": {"joint": "A", "inputs_deg": [*there, *back]}}
    motion = move(from_dict(data))
    assert motion.stop == "done"
    assert [math.degrees(p.input) for p in motion.limit_points] == [pytest.approx(140, abs=1e-6)]
    assert "7 positions of crank, 90° to 97°, by way of 163°\n" in motion.words


@pytest.mark.parametrize("breaking", ["searching", "limiting"])
def test_a_gap_of_the_dyad_before_a_cut_ends_the_course_between_two_positions(breaking):
    # As Fig. 22: no closing within one degree of the crank pointing away; steps go from 136 to 144.
    reach = math.sqrt(16 + 1 - 8 * math.cos(math.radians(179)))
    mechanism = led(reach - 3, 3, 4, steps=25)
    motion = move(mechanism, method=Kinematic(breaking=breaking))
    assert motion.stop == "limit"
    assert math.degrees(motion.stopped_at) == pytest.approx(139, abs=1e-9)
    assert motion.limit_points[0].parts == ("bar", "rock")
    assert math.degrees(motion.inputs[-1]) == pytest.approx(139 if breaking == "searching" else 136, abs=1e-9)
    wider = move(led(reach - 3 + 0.001, 3, 4))
    assert wider.stop == "done"


def test_a_drag_and_a_sweep_pass_the_change_point_of_a_dyad_before_a_cut():
    mechanism = led(3, 1, 3)
    motion, live = move(mechanism), prepare(mechanism)
    where = {name: k for k, names in enumerate(live.points) for name in names}
    swept = live.sweep(motion.inputs)
    assert swept.shape[2] == 51
    far = np.abs(motion.inputs - math.radians(140)) > 1e-3  # on it half the digits are lost
    for name in ("rock.C", "table.P", "table.Q", "table.R"):
        gap = np.abs(swept[where[name]].T - motion.markers[name])
        assert gap[far].max() < CLOSE
        assert gap.max() < 1e-6
    for i in (0, 20, 50, 30, 36, 34, 40, 10, 45, 2):
        at = np.reshape(live.to(motion.inputs[i]), (-1, 2))
        assert live.limit is None
        for name in ("rock.C", "table.P", "table.Q", "table.R"):
            assert at[where[name]] == pytest.approx(motion.markers[name][i], abs=1e-9)


@pytest.mark.parametrize("more", [0.0, 0.001])
def test_a_drag_and_a_sweep_stop_at_the_gap_of_a_dyad_before_a_cut(more):
    reach = math.sqrt(16 + 1 - 8 * math.cos(math.radians(179)))
    live = prepare(led(reach - 3 + more, 3, 4))
    live.to(math.radians(130))
    live.to(math.radians(150))
    traced = live.trace(np.radians([[100.0], [130.0], [150.0], [160.0]]))
    if more:
        assert live.limit is None
        assert traced.done == 4
        return
    assert live.limit is not None
    assert math.degrees(live.limit.input) == pytest.approx(139, abs=1e-9)
    assert live.limit.parts == ("bar", "rock")
    assert traced.done == 2
    assert math.degrees(traced.reached[0]) == pytest.approx(139, abs=1e-9)
    live.to(math.radians(120))
    assert live.limit is None
