"""The float filter tells the story that exact arithmetic tells, and says where it could not."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import detent
from detent.app import main
from detent.model.reading import mechanism
from detent.motion import Quasistatic
from detent.motion.quasistatic import DecidedRuns
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from tests.motion.quasistatic.test_reference import CASES, FOLDER
from tests.prove.fasteners import document, random_fastener, random_machine
from tests.prove.stories import difference

FILTER = Quasistatic(exact=False)


def read(case: str) -> Any:
    expected = json.loads((FOLDER / case).read_text())
    return detent.load((FOLDER / case).parent / expected["document"])


@pytest.mark.parametrize("case", CASES)
def test_filter_and_exact_arithmetic_tell_one_story_of_every_reference(case: str) -> None:
    decided_fastener = fastener(read(case))
    runs = DecidedRuns(decided_fastener, exact=False)
    assert difference(decided_fastener, run_plan(decided_fastener), runs.plan) is None


def test_filter_decides_most_references_and_counts_the_others() -> None:
    exact = 0
    for case in CASES:
        runs = DecidedRuns(fastener(read(case)), exact=False)
        legs = runs.plan.legs
        exact += runs.exact
        assert (runs.count, len(runs.why)) == (1, runs.exact)
        assert all(leg.exact == bool(runs.exact) for leg in legs)
    print(f"{exact} of {len(CASES)} reference plans in exact arithmetic")
    assert 0 < exact < len(CASES) / 3


@pytest.mark.parametrize(
    "seed",
    [
        41_257,  # one pawl sticks as a leg begins, so that the others have a leg of no length
        41_469,  # a leg ends exactly in the fold that jams it
        41_611,  # a leg aside may start from an irrational place
    ],
)
def test_ends_of_legs_that_doubles_cannot_tell_are_left_to_exact_arithmetic(seed: int) -> None:
    decided_fastener = fastener(mechanism(random_machine(seed)))
    runs = DecidedRuns(decided_fastener, exact=False)
    assert difference(decided_fastener, run_plan(decided_fastener), runs.plan) is None
    assert runs.exact == 1


@pytest.mark.parametrize("name", ["snap_t", "snap_holds", "motion_diode", "ratchet_rack"])
def test_filter_gives_an_example_the_same_class(name: str) -> None:
    exact, filtered = (detent.mate(detent.load(name), method=m) for m in (None, FILTER))
    assert (exact.diode is None) == (filtered.diode is None)
    if exact.diode is not None and filtered.diode is not None:
        assert exact.diode.kind == filtered.diode.kind
        assert [e.cause for e in exact.diode.directions] == [e.cause for e in filtered.diode.directions]
    assert exact.counts == {}
    assert set(filtered.counts) == {"runs", "exact"}


def test_doubles_carry_no_certificate() -> None:
    told = detent.mate(detent.load("snap_t"), method=FILTER)
    assert told.method == "quasistatic, float filter"
    assert told.legs[0].end.exact is None
    assert all(event.exact is None for leg in told.legs for event in leg.events)


def flush() -> dict[str, Any]:
    """A square lands on a square, edge on edge: a tie for any filter."""
    square = [[-2, -2], [2, -2], [2, 2], [-2, 2]]
    block = [[-1, -9], [3, -9], [3, -6], [-1, -6]]
    return document(square, [block], "0", [{"velocity": [0, -1], "for": 9}])


def test_what_the_filter_leaves_undecided_is_decided_exactly_and_said() -> None:
    tied = mechanism(flush())
    told, exact = detent.mate(tied, method=FILTER), detent.mate(tied)
    assert told.legs == exact.legs
    assert told.counts["exact"] == told.counts["runs"] == 1
    assert any("undecided" in note and "the plan: a tie" in note for note in told.notes)


def test_a_document_may_ask_for_the_filter_and_a_flag_overrides_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = random_fastener(41_001) | {"ask": {"mate": {"exact": False}}}
    assert detent.mate(mechanism(asked)).method == "quasistatic, float filter"
    file = tmp_path / "asked.json"
    file.write_text(json.dumps(asked))
    for flags, method in (([], "float filter"), (["--exact"], "exact"), (["--fast"], "float filter")):
        assert main(["mate", str(file), "--json", *flags]) == 0
        assert json.loads(capsys.readouterr().out)["method"] == f"quasistatic, {method}"


@pytest.mark.parametrize("method", [None, FILTER])
def test_the_way_out_of_a_fold_begins_without_bound_but_resists_nothing(method: Quasistatic | None) -> None:
    """This one jams where its contact stands dead against the hinge, and is then drawn back."""
    into, out = detent.mate(mechanism(random_fastener(41_058)), method=method).legs
    assert into.end.cause == "jam"
    first = out.force.stretches[0]
    assert first.contact_force.at_ends == math.inf
    assert first.contact_force.at_ends_time == pytest.approx(out.start)
    assert first.resisting.at_ends == 0.0
