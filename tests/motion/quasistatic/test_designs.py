"""A designer's fasteners: moved, mirrored, cut, marched beside; thresholds and peaks by closed form."""

from __future__ import annotations

import copy
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from detent.judge import mate
from detent.model.reading import mechanism
from detent.motion.quasistatic.answer import PawlLoads
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from tests.motion.designs import DESIGNS, buckle, hook
from tests.motion.quasistatic.test_mechanics import Document, fractions, moved, read, same, story, written
from tests.motion.quasistatic.test_pieces import cut
from tests.prove.fasteners import random_fastener
from tests.prove.test_fasteners import agreed


@pytest.fixture(params=sorted(DESIGNS))
def design(request: pytest.FixtureRequest) -> Document:
    return copy.deepcopy(DESIGNS[request.param])


def test_a_design_moved_mirrored_and_cut_has_one_story(design: Document) -> None:
    def turn(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(x * Fraction(3, 5) - y * Fraction(4, 5), x * Fraction(4, 5) + y * Fraction(3, 5))

    def mirror(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(x, -y)

    def larger(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(x * 3 + Fraction(1, 7), y * 3 - 11)

    def faster(v: Any) -> list[str]:
        x, y = fractions(v)
        return written(x * 3, y * 3)

    told = story(design)
    assert same(told, story(moved(design, turn, turn)))
    assert same(told, story(moved(design, mirror, mirror)), angle=-1)
    assert same(told, story(moved(design, larger, faster)))
    assert same(told, story(cut(design, random.Random(3), ("p", "receiver"))))


def test_a_marcher_tells_the_story_of_a_design(design: Document) -> None:
    assert agreed(design) is None


@pytest.mark.parametrize("back", [1, 2, 3, 4, 5])
def test_a_hook_holds_exactly_from_the_friction_that_its_back_asks_for(back: int) -> None:
    """Drawn out, the lip's edge meets the back at x = 3. It holds from mu = |r x n| / |r . n| on."""
    # The back runs from (5, -40) to (1, -40 + back), so that it is met half way up.
    r = (Fraction(3), -40 + Fraction(back, 2))
    n = (Fraction(back), Fraction(4))
    threshold = abs((r[0] * n[1] - r[1] * n[0]) / (r[0] * n[0] + r[1] * n[1]))
    for share, cause in ((Fraction(999, 1000), "done"), (Fraction(1001, 1000), "stick")):
        told = mate(mechanism(hook(40, back, str(threshold * share), thick=10)))
        assert told.legs[1].end.cause == cause
        assert told.diode is not None
        assert told.diode.kind == ("friction" if cause == "stick" else told.diode.kind)
        assert told.diode.reverse.apart is (cause == "done")


def test_the_force_of_a_smooth_hook_is_the_springs_torque_over_its_lever() -> None:
    """On the lead-in W = k theta (n . v) / (r x n), asked where the nose comes to the lip's side."""
    told = mate(mechanism(hook(8, 4, 0, thick=10, spring={"stiffness": 5})))
    change = told.legs[0].events[1]
    theta = change.coordinate
    nose = (5 * math.cos(theta) + 40 * math.sin(theta), 5 * math.sin(theta) - 40 * math.cos(theta))
    edge = (4 * math.cos(theta) - 8 * math.sin(theta), 4 * math.sin(theta) + 8 * math.cos(theta))
    normal = (-edge[1], edge[0])  # into the arm
    size = 5 * theta / (nose[0] * normal[1] - nose[1] * normal[0])
    assert nose[0] == pytest.approx(3, abs=1e-12)
    assert told.legs[0].force.peak.value == pytest.approx(size * normal[1], rel=1e-12)


def test_two_arms_of_a_buckle_add_up() -> None:
    """Mirror images: together they resist as one arm with both springs."""
    one, both = (
        mate(mechanism(made)).legs[0].force.peak.value
        for made in (hook(8, 4, "1/10", thick=10, spring={"stiffness": 5}), buckle("1/10", (2, 3)))
    )
    assert both == pytest.approx(one, rel=1e-12)


def test_the_peak_of_two_pawls_together_lies_between_their_own() -> None:
    """A second triangle beside the first, a little higher: one's force falls, the other's still rises."""
    written_design = read("diode_triangle_ABC")
    high = Fraction(3)

    def beside(point: Any, up: Any) -> list[str]:
        x, y = fractions(point)
        return written(x + 300, y + up)

    written_design["parts"]["second"] = copy.deepcopy(written_design["parts"]["triangle"])
    outline = written_design["parts"]["second"]["shape"]["outline"]
    written_design["parts"]["second"]["shape"]["outline"] = [beside(p, high) for p in outline]
    walls = written_design["parts"]["receiver"]["shape"]["union"]
    walls += [{"outline": [beside(p, 0) for p in wall["outline"]]} for wall in walls]
    joint = copy.deepcopy(written_design["joints"]["hinge"])
    joint["between"] = ["root", "second"]
    joint["at"] = beside(joint["at"], high)
    written_design["joints"]["other"] = joint
    written_design["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 45}]
    written_design.pop("ask", None)
    document = mechanism(written_design)
    plan = run_plan(fastener(document))
    pawls = [PawlLoads(fastener(document), plan.legs[0], k) for k in range(2)]
    peak = mate(document).legs[0].force.peak
    dense = np.linspace(30.0, 45.0, 20_001)
    most = max(sum(pawl.at(float(t), True)[0] for pawl in pawls) for t in dense)
    single = [max(pawl.at(float(t), True)[0] for t in dense) for pawl in pawls]
    assert most < sum(single) * 0.999
    assert most <= peak.value <= most * (1 + 1e-6)  # type: ignore[operator]


def test_a_leg_on_which_the_pawls_only_pull_has_no_force_against_the_push_once_it_rests() -> None:
    """Drawn off a floor the wedge pushes the root along, and is then at rest: at most nothing resists."""
    written_design = DESIGNS["wedge on a floor, oblique"] | {"touching": {"friction": 0}}
    written_design["drives"] = {
        "push": {"part": "root", "legs": [{"velocity": [0, -1], "for": 3}, {"velocity": [0, 1], "for": 4}]}
    }
    leg = mate(mechanism(written_design)).legs[1]
    assert min(leg.force.on_drive) < 0
    assert leg.force.peak.value == 0


def test_where_lever_and_torque_vanish_together_the_force_is_their_limit() -> None:
    """A blade pressed straight down is let up again: W = k theta / (8 sin theta) tends to k / 8."""
    written_design = DESIGNS["wedge on a floor, oblique"] | {"touching": {"friction": 0}}
    written_design["parts"] = written_design["parts"] | {"p": {"shape": {"segment": [[0, 0], [0, -8]]}}}
    written_design["joints"] = {"hinge": written_design["joints"]["hinge"] | {"limits": {"min_deg": 0}}}
    written_design["drives"] = {
        "push": {"part": "root", "legs": [{"velocity": [0, -1], "for": 3}, {"back": True}]}
    }
    told = mate(mechanism(written_design))
    theta = math.acos(6 / 8)
    assert told.legs[0].force.peak.value == pytest.approx(theta / (8 * math.sin(theta)), rel=1e-12)
    lowest = told.legs[0].force.stretches[0].resisting
    back = told.legs[1].force.stretches[0].resisting
    assert lowest.at_ends == pytest.approx(theta / (8 * math.sin(theta)), rel=1e-12)
    assert back.at_ends == pytest.approx(-1 / 8, rel=1e-5)
    assert told.to_json()


def test_out_of_a_jam_in_two_steps_is_out_of_it_in_one() -> None:
    """The step ends at an irrational place under load; the next leg goes on from exactly there."""
    written_design = random_fastener(91_269)
    told = []
    for steps in ([17, 30], [47]):
        legs = [{"velocity": [0, "1/3"], "for": step} for step in steps]
        written_design["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 50}, *legs]
        told.append(story(written_design))
    stepped, at_once = ([event for event in events if event[0] != "done"] for events in told)
    assert stepped[0][0] == at_once[0][0]
    assert same(stepped, at_once)
    assert told[0][-1][1:] == pytest.approx(told[1][-1][1:], rel=1e-12)
