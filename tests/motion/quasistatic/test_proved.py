"""Proved steps against the exact sweep: the same events, places, stretches and causes, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import detent
from detent.model.reading import mechanism
from detent.motion.quasistatic.exact import PlanRun, run_plan
from detent.motion.quasistatic.floats import Filter
from detent.motion.quasistatic.machine import Fastener, fastener
from detent.motion.quasistatic.proved import certified
from tests.prove.fastener_ties import FAMILIES, tied
from tests.prove.fasteners import Document, jittered, random_fastener, random_machine
from tests.prove.racks import rack, round_nose
from tests.prove.stories import exact_story

COUNT = 10
FIRST_SEED = 77_000
Make = Callable[[int], Document]


def same(made: Fastener) -> PlanRun:
    proved = run_plan(made, certified(made))
    assert exact_story(proved) == exact_story(run_plan(made))
    return proved


@pytest.mark.parametrize(
    "make", [random_fastener, random_machine, lambda seed: jittered(random_fastener(seed), seed)]
)
def test_random_fasteners_go_as_the_exact_sweep_says(make: Make) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
        same(fastener(mechanism(make(seed))))


def test_a_start_whose_only_steps_are_taken_back_goes_as_the_exact_sweep_says() -> None:
    same(fastener(mechanism(random_machine(100_876))))


@pytest.mark.parametrize("family", FAMILIES)
def test_ties_go_as_the_exact_sweep_says(family: str) -> None:
    for seed in range(3):
        for aside in (Fraction(0), Fraction(1, 10**11), Fraction(-1, 50)):
            same(fastener(mechanism(tied(family, seed, aside))))


@pytest.mark.parametrize(
    "name",
    ["snap_t", "snap_t_holds", "snap_diagonal", "motion_diode", "ratchet_rack", "segment_over_peak"],
)
def test_examples_go_as_the_exact_sweep_says(name: str) -> None:
    same(fastener(detent.load(name)))


def test_times_and_angles_are_the_same_algebraic_numbers() -> None:
    made = fastener(mechanism(random_machine(FIRST_SEED)))
    events = [
        [h for leg in plan.legs for each in leg.pawl_runs for h in each.events]
        for plan in (run_plan(made), run_plan(made, certified(made)))
    ]
    assert len(events[0]) > 3
    for one, other in zip(*events, strict=True):
        assert one.place.t == other.place.t
        assert one.place.u == other.place.u
        assert one.place.t.minimal() == other.place.t.minimal()
        assert one.place.t.interval() == other.place.t.interval()


@pytest.mark.parametrize("document", [rack(6), round_nose(8)])
def test_a_machine_without_ties_needs_no_algebra_on_its_way_in(document: Document) -> None:
    made = fastener(mechanism(document))
    plan = run_plan(made, certified(made))
    assert len(plan.legs[0].pawl_runs[0].events) > 8
    # The sweep's tables are built when it is first asked.
    assert not any({"_even", "_odd"} & set(vars(each)) for each in plan.legs[0].slices)


def test_more_events_than_there_is_room_for_at_first_are_all_told() -> None:
    teeth = 140
    made = fastener(mechanism(rack(teeth)))
    (pawl_run,) = run_plan(made, certified(made)).legs[0].pawl_runs
    assert [event.kind for event in pawl_run.events] == ["contact", *["change"] * (2 * teeth - 4)]
    filtered = run_plan(made, Filter(made)).legs[0].pawl_runs[0]
    assert [event.kind for event in filtered.events] == [event.kind for event in pawl_run.events]
    # Every tooth is as the one before it, a pitch later.
    times = [float(event.place.t) for event in pawl_run.events]
    assert times[3:] == pytest.approx([time + 10 for time in times[1:-2]], abs=1e-9)
