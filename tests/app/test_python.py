"""Detent as a Python library: what verbs take, what errors are, how answers show themselves."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.app import inputs

DATA = {
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [1, 0]}},
    },
    "joints": {"A": {"type": "revolute", "between": ["ground.A", "crank.A"]}},
    "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 3}},
}
CRANK = detent.from_dict(DATA)
TWO = detent.modes(detent.Contacts.from_points([(0, 0), (1, 0)], [(0, 1)] * 2, friction=0.5))


def test_a_verb_takes_a_machine_a_path_or_an_example(tmp_path: Path) -> None:
    file = tmp_path / "crank.toml"
    detent.save(CRANK, file)
    for source in (CRANK, file, str(file)):
        assert detent.move(source).markers["crank.B"][-1] == pytest.approx([0, 1])
    assert detent.move("four_bar").to_json() == detent.move(detent.load("four_bar")).to_json()
    assert detent.explain(file).parts == ("ground", "crank")
    assert len(detent.modes("box_in_corner")) == len(detent.modes(detent.load("box_in_corner")))


def test_text_and_plain_data_are_read_as_files_are() -> None:
    plain = CRANK.to_dict()
    assert detent.from_dict(plain) == CRANK
    assert detent.loads(__import__("json").dumps(plain)) == CRANK
    text = 'format = "detent/1"\n[parts.crank]\nmarkers = { A = [0, 0] }\n'
    assert detent.loads(text) == detent.loads(text, format="toml")
    with pytest.raises(detent.ModelError, match="is not JSON"):
        detent.loads(text, format="json")
    with pytest.raises(detent.ModelError, match=r"parts\.crank\.mas"):
        detent.from_dict({"parts": {"crank": {"mas": 1}}})


def test_one_thing_is_changed_by_its_path() -> None:
    rough = CRANK.with_("touching.friction", 0.3)
    assert rough.touching is not None
    assert rough.touching.friction == Fraction(3, 10)
    assert CRANK.touching is None
    assert rough.with_("touching", None) == CRANK
    longer = CRANK.with_("parts.crank.markers.B", np.array([2.0, 0.0]))
    assert detent.move(longer).markers["crank.B"][-1] == pytest.approx([0, 2])
    assert longer == CRANK.with_("parts.crank.markers.B.0", 2)
    assert CRANK.with_("drives.turn.steps", 9).drives["turn"].steps == 9
    with pytest.raises(KeyError, match="did you mean 'crank'"):
        CRANK.with_("parts.crnk.mass", 1)
    with pytest.raises(detent.ModelError, match=r"touching\.frction"):
        CRANK.with_("touching.frction", 1)
    with pytest.raises(detent.ModelError, match=r"touching\.friction"):
        CRANK.with_("touching.friction", float("nan"))


def test_what_is_not_written_yet_is_given_by_its_path() -> None:
    rough = CRANK.with_("touching.friction", 0.3)
    loaded = CRANK.with_("ask.move.loads.crank.B", [0, -10])
    assert loaded == CRANK.with_("ask.move.loads", {"crank.B": [0, -10]})
    assert loaded.with_("ask.move.loads.crank.B.1", 5).ask.move.loads["crank.B"] == (0, 5)
    assert not loaded.with_("ask.move.loads.crank.B", None).ask.move.loads
    with pytest.raises(detent.ModelError, match=r"contacts\.0: there is no entry '0'; the list is empty"):
        CRANK.with_("contacts.0.friction", 0.3)
    pair = {"ground:crank": {"friction": 0.1}}
    for machine in (CRANK, rough):
        paired = machine.with_("touching.pairs.ground:crank.friction", 0.1)
        assert paired == machine.with_("touching.pairs", pair)


def test_a_number_at_its_default_can_be_set() -> None:
    edited = detent.edit(CRANK, detent.SetNumber("touching.friction", "0.3"))
    assert edited.mechanism == CRANK.with_("touching.friction", 0.3)
    assert detent.edit(edited.mechanism, edited.inverse).mechanism == CRANK


# What is asked, the error of Python's own that it is besides a DetentError, and words of its remedy.
REFUSED: list[tuple[str, Any, type[Exception], str]] = [
    ("missing file", lambda: detent.load("no/such.toml"), FileNotFoundError, "no such file"),
    ("missing example", lambda: detent.move("four_baar"), FileNotFoundError, "did you mean 'four_bar'"),
    ("none", lambda: detent.move(None), TypeError, "name of an example"),
    ("a number", lambda: detent.predict(3), TypeError, "name of an example"),
    ("a dict", lambda: detent.mate({}), TypeError, "from_dict"),
    ("text", lambda: detent.explain("[parts]\n"), ValueError, "detent.loads"),
    ("no contacts", lambda: detent.modes([1, 2]), TypeError, "Contacts"),
    ("bytes as text", lambda: detent.loads(b"{}"), TypeError, "text"),
    ("text as data", lambda: detent.from_dict("{}"), TypeError, "detent.loads"),
    ("a solver", lambda: detent.Kinematic(solver="foo"), ValueError, "newton_svd"),
    ("a policy", lambda: detent.Kinematic(breaking="no"), ValueError, "searching"),
    ("exactly what", lambda: detent.Quasistatic(exact="yes"), TypeError, "True or False"),
    ("a class", lambda: detent.move(CRANK, method=detent.Kinematic), TypeError, "Kinematic()"),
    ("a class to predict", lambda: detent.predict(CRANK, method=detent.Kinematic), TypeError, "Kinematic()"),
    ("a name", lambda: detent.mate("snap_t", method="quasistatic"), TypeError, "Quasistatic()"),
    ("another verb's", lambda: detent.move(CRANK, method=detent.Quasistatic()), TypeError, "Kinematic()"),
    ("no operation", lambda: detent.edit(CRANK, "hello"), TypeError, "SetNumber"),
    ("no name", lambda: detent.edit(CRANK, detent.Rename(None, "x")), TypeError, "text"),
    ("no document", lambda: detent.edit(CRANK, detent.Paste("II")), TypeError, "tuple"),
    (
        "no such thing to keep",
        lambda: detent.edit(CRANK, detent.SetUnits("in", "sizes")),
        KeyError,
        "numbers",
    ),
    ("no such part", lambda: detent.edit(CRANK, detent.RemovePart("x")), KeyError, "known here"),
    (
        "a file that is an example",
        lambda: detent.move("four_bar.toml"),
        FileNotFoundError,
        "`four_bar` alone",
    ),
    ("swapped", lambda: detent.save("crank.toml", CRANK), TypeError, "the machine comes first"),
    ("one of the designs", lambda: detent.move_designs([CRANK, 3]), TypeError, "designs[1]: 3"),
    ("no designs", lambda: detent.push_batch(CRANK), TypeError, "PawlDesigns"),
    ("a load in space", lambda: detent.moved_by("box_in_corner"), ValueError, "[50, 0, 0, 0, 0, 0]"),
    ("no such mode", lambda: TWO["0|+"], KeyError, "signs"),
    ("no such contacts", lambda: TWO.of("++++"), ValueError, "one sign"),
]


@pytest.mark.parametrize(
    ("ask", "kind", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_an_error_is_python_s_own_and_says_what_to_do(ask: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(detent.DetentError) as caught:
        ask()
    assert isinstance(caught.value, kind)
    assert words in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_what_a_method_cannot_do_is_not_implemented() -> None:
    with pytest.raises(NotImplementedError) as caught:
        detent.mate("escapement")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


PAWL, WALL = [(-1, 0), (1, 0), (1, 2), (-1, 2)], [(0, -4), (3, -4), (3, -1)]
PUSHED = detent.decide(PAWL, WALL, hinges=(0, 2), velocities=(0, -1), durations=4, frictions=[0, 0.9, 0])

ANSWERS = [
    detent.load("four_bar"),
    detent.explain("four_bar"),
    detent.move("four_bar"),
    detent.predict("four_bar"),
    detent.mate("snap_holds"),
    detent.mate("snap_holds").legs[0].events[0],
    detent.mate("snap_holds").legs[0].end,
    detent.mate("snap_holds").run.trajectory,
    TWO,
    TWO[0],
    TWO.contacts,
    TWO.answer(),
    detent.grasp(TWO, [0, -1, 0]),
    detent.consistent_modes(TWO, np.eye(3), np.zeros(3), [0, -1, 0])[0],
    detent.balance(TWO[0], [0, -1, 0]),
    detent.balance(TWO[0], [0, 1, 0]),
    detent.cone(TWO[0]),
    detent.force_cone(TWO[0]),
    detent.move_designs(["four_bar"] * 2),
    detent.move_designs(["four_bar"] * 2).batch,
    detent.edit(CRANK, detent.SetNumber("parts.crank.markers.B.0", 2)),
    PUSHED,
]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_an_answer_has_words_and_prints_in_one_line(answer: Any) -> None:
    assert len(str(answer)) <= 160
    assert "\n" not in str(answer)
    assert str(answer).startswith(type(answer).__name__) or isinstance(answer, detent.Mode)
    assert len(answer.words.strip()) > 10


def test_pushed_designs_say_how_they_ended() -> None:
    """The counts are those of the record: neither cause nor number is of the words' own making."""
    (ended,) = [line for line in PUSHED.words.splitlines() if line.startswith("  ended ")]
    assert set(PUSHED.causes) == {"done", "stick"}
    for cause in set(PUSHED.causes):
        assert f"{PUSHED.causes.count(cause)} {cause}" in ended


def test_arrays_of_modes_and_cones_cannot_be_written_to() -> None:
    mode = TWO[0]
    motion = detent.consistent_modes(TWO, np.eye(3), np.zeros(3), [0, -1, 0])[0]
    cone, forces = detent.cone(mode), detent.force_cone(mode)
    arrays = [TWO.signs, mode.signs, mode.touching, mode.velocity, motion.signs, motion.acceleration]
    arrays += [cone.zero, cone.positive, cone.rays, cone.lineality, cone.free, cone.witness]
    arrays += [forces.generators, forces.owner, forces.held]
    assert not any(array.flags.writeable for array in arrays)


def test_words_are_those_of_the_command_line_and_survive_a_pickle(capsys: pytest.CaptureFixture[str]) -> None:
    from detent.app import main

    for verb, ask in (("move", detent.move), ("mate", detent.mate), ("explain", detent.explain)):
        example = "snap_holds" if verb == "mate" else "four_bar"
        assert main([verb, example]) == 0
        answer = ask(example)
        assert answer.words in capsys.readouterr().out
        assert pickle.loads(pickle.dumps(answer)).words == answer.words
        assert copy.copy(answer).words == copy.deepcopy(answer).words == answer.words
        assert copy.copy(answer)._repr_html_() == answer._repr_html_()


def test_every_name_is_there_and_says_what_it_is() -> None:
    for name in detent.__all__:
        value = getattr(detent, name)
        assert name == "__version__" or (value.__doc__ or "").strip(), name
    assert set(detent.__all__) <= set(dir(detent)) | {"__version__"}
    assert "four_bar" in inputs.examples()


@pytest.mark.parametrize("within", [float("nan"), "near", None])
def test_how_near_contacts_are_is_a_number(within: Any) -> None:
    from detent.contact import candidates, contacts_at
    from detent.model import compile_system

    square = {"outline": [[0, 0], [1, 0], [1, 1], [0, 1]]}
    parts = {"a": {"fixed": True, "shape": square}, "b": {"shape": square, "pose": {"at": [1, 0]}}}
    system = compile_system(detent.from_dict({"parts": parts}))
    if within is None:
        assert len(contacts_at(system, candidates(system), system.drawn).gap)
        return
    with pytest.raises(TypeError, match="within"):
        contacts_at(system, candidates(system), system.drawn, within=within)


@pytest.mark.parametrize("of", [TWO.contacts, "planar_grasp", CRANK, 3])
def test_what_is_asked_of_modes_says_so_of_anything_else(of: Any) -> None:
    for ask in (
        lambda: detent.grasp(of, [0, -1, 0]),
        lambda: detent.consistent_modes(of, np.eye(3), np.zeros(3), np.zeros(3)),
        lambda: detent.balance(of, [0, -1, 0]),
        lambda: detent.force_cone(of),
        lambda: detent.cone(of),
    ):
        with pytest.raises(detent.ModelError, match=r"is not a Mode.*detent\.modes") as caught:
            ask()
        assert isinstance(caught.value, TypeError)
    with pytest.raises(TypeError, match="designs: one machine is not a list"):
        detent.move_designs("four_bar")
    with pytest.raises(KeyError, match=r"^parts\.I\.markers\.Q: there is no entry 'Q'"):
        detent.edit("four_bar", detent.SetNumber("parts.I.markers.Q.0", 1))


def test_a_run_names_its_units_and_none_where_the_document_has_none() -> None:
    slide = detent.from_dict(
        {
            "units": "mm",
            "parts": {"rail": {"fixed": True, "markers": {"A": [0, 0]}}, "car": {"markers": {"A": [0, 0]}}},
            "joints": {"S": {"type": "prismatic", "between": ["rail.A", "car.A"]}},
            "drives": {"go": {"joint": "S", "from": 0, "to": 30, "steps": 3}},
        }
    )
    assert detent.predict(slide).words.splitlines()[0].endswith("of go, 0 mm to 30 mm")
    assert list(detent.predict(slide).trajectory.columns()) == ["go [mm]", "S [mm]"]
    turned = detent.predict(CRANK).trajectory
    assert "0° to 90°" in turned.words
    assert "1.57" not in turned.words
    assert turned.stop is not None
    assert turned.stop.words == "done (A 90°)"
    assert list(turned.columns()) == ["turn [rad]", "A [rad]"]
    again = detent.read_trajectory(turned.to_json())
    assert again.words == turned.words
    assert list(again.columns()) == list(turned.columns())

    bare = detent.mate("snap_holds")  # units = "1"
    assert not any("[s]" in name or "[J]" in name for name in bare.run.trajectory.columns())
    assert "0 to 117.75\n" in bare.run.words
    bent = bare.legs[0].events[1]
    assert bent.coordinate is not None
    assert f"{np.degrees(bent.coordinate):.6g}°" in bent.words
    real = detent.mate(detent.load("snap_holds").with_("units", "mm")).run.trajectory
    assert {"time [s]", "hinge [rad]", "energy stored [J]"} <= set(real.columns())


def test_every_table_is_read_only_and_a_run_says_what_of_it_is_pickled() -> None:
    run = detent.predict(CRANK)
    for table in (detent.mate("snap_holds"), TWO, detent.move(CRANK), run.trajectory):
        for column in table.columns().values():
            assert not column.flags.writeable
    with pytest.raises(pickle.PicklingError, match="trajectory"):
        pickle.dumps(run)
    assert pickle.loads(pickle.dumps(run.trajectory)).words == run.words


def test_one_part_is_one_part() -> None:
    assert repr(CRANK).endswith("2 parts, 1 joint, 1 drive)")


def test_an_edit_that_cannot_close_is_open_by_what_the_lengths_lack() -> None:
    """Links of 1, 16, 4 and 3: eight stay open, however the joints would share them."""
    bars = {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [3, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [0, 1]}},
        "coupler": {"markers": {"B": [0, 1], "C": [3, 4]}},
        "rocker": {"markers": {"C": [3, 4], "D": [3, 0]}},
    }
    pins = {
        "A": ("ground", "crank"),
        "B": ("crank", "coupler"),
        "C": ("coupler", "rocker"),
        "D": ("rocker", "ground"),
    }
    joints = {k: {"type": "revolute", "between": [f"{a}.{k}", f"{b}.{k}"]} for k, (a, b) in pins.items()}
    machine = detent.from_dict({"parts": bars, "joints": joints})
    longer = detent.edit(machine, detent.SetNumber("parts.coupler.markers.C.0", 16))
    reach = np.hypot(16, 3) - 1 - 4 - 3
    assert not longer.done
    assert longer.apart == pytest.approx(reach, rel=1e-4)
    assert f" {reach:.6g} m stays open" in longer.words
