"""`run` as the page asks it: the answer of `detent run`, and poses that keep the joints together."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.app.server import questions
from detent.model.reading import convert

FALLING = Path(__file__).parents[1] / "falling.toml"
# A pendulum about y, its pin 3 above the origin: in the view in which it runs it turns about z.
PENDULUM = {
    "format": "detent/1",
    "units": "mm",
    "dimension": 3,
    "gravity": [0, 0, -9.81],
    "parts": {
        "frame": {"fixed": True, "shape": {"block": [10, 4, 10], "moves": [{"move": [-5, -8, -2]}]}},
        "bob": {"shape": {"block": [6, 4, 60], "moves": [{"move": [-3, -2, -55]}]}, "density": 7800},
    },
    "joints": {"hinge": {"type": "revolute", "between": ["frame", "bob"], "at": [0, 0, 3], "along": "y"}},
    "start": {"hinge": {"at_deg": 40}},
}


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """These runs are short: nothing is compiled for them."""
    monkeypatch.setenv("DETENT_SPEED", "plain")


def source(document):
    return questions.GivenDocument(json.dumps(document).encode())


def falling():
    return tomllib.loads(FALLING.read_text())


def asked(document, **fields):
    return questions.answer({"do": "run", **fields}, source(document), lambda words: None)[0]


def test_numbers_and_words_are_those_of_detent_run():
    made, record = asked(falling()), detent.run(FALLING)
    assert made["rows"] == record.times.tolist()
    for name, column in record.states.items():
        assert made["states"][name] == column.tolist()
    said = dict(made["words"])
    assert said["certainty"] == record.scope.words
    assert said["left out"] == ", ".join(record.scope.left_out)
    tables = {table["label"]: table["rows"] for table in made["tables"]}
    assert all("  ".join(row[:1]) in record.words for rows in tables.values() for row in rows)
    assert set(tables) == {"joints", "contacts", "reactions"}


def test_every_event_has_a_frame_of_its_instant_and_frames_follow_the_law_of_fall():
    made = asked(falling())
    assert {event["time"] for event in made["events"]} <= set(made["times"])
    landing = math.sqrt(2 * 0.5 / 9.81)
    times, heights = np.array(made["times"]), np.array(made["poses"]["weight"])[:, 1]
    falls = times < landing
    assert heights[falls] == pytest.approx(-9.81 / 2 * times[falls] ** 2, abs=1e-6)


def test_time_and_method_of_the_question_come_before_the_documents():
    made = asked(falling(), until=0.005, method="penalty")
    assert made["stop"]["time"] == pytest.approx(0.005)
    assert made["method"].startswith("penalty")
    both = asked(falling(), until=0.005, method="both")
    assert both["other"]["states"]["slide"] == pytest.approx(both["states"]["slide"], abs=1e-4)


@pytest.mark.parametrize(("fields", "at"), [({"method": "soft"}, "method"), ({"until": "soon"}, "until")])
def test_what_cannot_be_asked_is_named(fields, at):
    with pytest.raises(detent.ModelError) as refused:
        asked(falling(), **fields)
    assert refused.value.problems[0].at == at


def test_a_machine_about_another_axis_is_shown_in_the_view_in_which_it_runs():
    """Its pin stays where it is seen, at every frame; and its outline is seen from the side, 60 long."""
    pictured, _ = questions.answer({"do": "edit"}, source(PENDULUM), print)
    assert pictured["turned"]
    [ring] = [ring for layer in pictured["parts"]["bob"]["layers"] for ring in layer["rings"]]
    spans = np.ptp(np.array(ring), axis=0)
    assert sorted(spans) == pytest.approx([6, 60])
    rows = np.array(asked(PENDULUM, until=0.5)["poses"]["bob"])
    assert np.ptp(rows[:, 2]) == pytest.approx(2 * math.radians(40), rel=1e-3)
    # The one point of the bob that stays in place is 5 from its end, in the middle.
    cos, sin = np.cos(rows[:, 2]), np.sin(rows[:, 2])
    turned = np.stack([np.stack([cos - cos[0], sin[0] - sin]), np.stack([sin - sin[0], cos - cos[0]])])
    k = int(np.argmax(np.abs(rows[:, 2] - rows[0, 2])))
    pin = np.linalg.solve(turned[:, :, k], rows[0, :2] - rows[k, :2])
    for k in range(len(rows)):
        assert turned[:, :, k] @ pin + rows[k, :2] - rows[0, :2] == pytest.approx([0, 0], abs=1e-6)
    ends = np.array(ring) - pin
    assert min(np.abs(ends).max(axis=0)) == pytest.approx(3)
    assert max(np.abs(ends).max(axis=0)) == pytest.approx(58)


def test_the_table_of_an_export_is_that_of_detent_run():
    mechanism = detent.load(FALLING)
    given = questions.GivenDocument(convert.canonical(mechanism))
    question = {"do": "write", "kind": "csv", "run": {"until": 0.25, "method": "rigid"}}
    _, body = questions.answer(question, given, print)
    assert body.decode() == detent.run(mechanism, until=0.25).to_csv()


def test_long_work_says_what_it_is_at_while_it_works(monkeypatch):
    from detent.app import progress

    monkeypatch.setattr(progress, "AFTER", 0.001)
    monkeypatch.setattr(progress, "EVERY", 0.001)
    heard: list[str] = []
    questions.answer({"do": "run", "until": 0.1}, source(falling()), heard.append)
    assert any("running the machine" in words for words in heard)


def test_the_long_run_is_that_of_detent_outlook(monkeypatch):
    """Its words but for what stands in tables, every table whole, the picture of --plot."""
    from detent.app import progress

    monkeypatch.setattr(progress, "AFTER", 0.001)
    monkeypatch.setattr(progress, "EVERY", 0.001)
    heard: list[str] = []
    mechanism = detent.load("time_bomb")
    given = questions.GivenDocument(convert.canonical(mechanism))
    answer, _ = questions.answer({"do": "outlook"}, given, heard.append)
    record = detent.outlook("time_bomb")
    assert (answer["verdict"], answer["headline"]) == (record.verdict, "It ends")
    assert answer["reason"] == record.reason
    printed = record.words.splitlines()
    for label, value in answer["words"]:
        assert f"  {label:<10} {value.splitlines()[0]}" in printed
    tables = {table["label"]: table["rows"] for table in answer["tables"]}
    assert len(tables["contacts"]) == len(record.pattern.contacts)
    assert len(tables["evidence"]) == len(record.evidence)
    assert "until pattern 7: contact" in answer["picture"]
    assert any("simulating, a new contact" in words for words in heard)
