"""From plain data to tables: what is wrong is named with its place."""

import pytest

from detent.foundation import ModelError
from detent.model.document import Mechanism
from detent.model.reading import Builder, convert

FOUR_BAR = {
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [4, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [1, 0]}},
    },
    "joints": {"A": {"type": "revolute", "between": ["ground.A", "crank.A"]}},
}


def problems(data):
    with pytest.raises(ModelError) as caught:
        convert.mechanism(data)
    return caught.value.problems


def with_(path, value):
    """The four-bar with one entry changed."""
    import copy

    data = copy.deepcopy(FOUR_BAR)
    *keys, last = path.split(".")
    spot = data
    for key in keys:
        spot = spot.setdefault(key, {})
    spot[last] = value
    return data


def _joint(type_, **table):
    return {"type": type_, "between": ["ground.A", "crank.A"], **table}


@pytest.mark.parametrize(
    ("path", "value", "at", "words"),
    [
        ("parts.crank.markres", {}, "parts.crank.markres", "did you mean 'markers'"),
        ("parts.crank.mass", "heavy", "parts.crank.mass", "expected a number"),
        ("parts.crank.mass", True, "parts.crank.mass", "found true"),
        ("parts.crank.mass", float("nan"), "parts.crank.mass", "finite"),
        ("parts.crank.mass", -1, "parts.crank.mass", "at least zero"),
        ("parts.crank.markers", {"A": [1, 2, 3, 4]}, "parts.crank.markers.A", "2 to 3 numbers"),
        ("parts.crank.markers", {"A": [0, 0, 0]}, "parts.crank.markers.A", "three numbers"),
        ("parts.9", {}, "parts.9", "not a name"),
        ("parts.crank.pose", {"along": [1, 0, 5]}, "parts.crank.pose.along", "out of the plane"),
        ("ask.move", {"loads": {"crank.A": [1, 0, 5]}}, "ask.move.loads.crank.A", "three numbers"),
        ("joints.A.type", "revolut", "joints.A.type", "did you mean 'revolute'"),
        ("joints.A.between", ["ground.A"], "joints.A.between", "found 1"),
        ("joints.A.between", ["ground.A", "crank.X"], "joints.A.between.1", "no marker 'X'"),
        ("joints.A.between", ["gruond.A", "crank.A"], "joints.A.between.0", "did you mean 'ground'"),
        ("joints.A.between", ["crank.A", "crank.A"], "joints.A.between", "to itself"),
        ("joints.A.between", ["crank.A", "crank.B"], "joints.A.between", "to itself"),
        ("joints.A.ratio", 2, "joints.A.ratio", "has no ratio"),
        ("joints.A", _joint("gear", ratio=0), "joints.A.ratio", "is zero"),
        ("joints.A", _joint("angle", value=1, limits={"max": 2}), "joints.A.limits", "an angle joint has no"),
        ("joints.A", _joint("in_line", limits={"max": 2}), "joints.A.limits", "an in_line joint has no"),
        ("joints.A", _joint("fixed", spring={"stiffness": 1}), "joints.A.spring", "no coordinate"),
        ("joints.A", _joint("in_line", damping=1), "joints.A.damping", "no coordinate"),
        ("parts.crank.mass", 1e51, "parts.crank.mass", "too large"),
        ("parts.crank.mass", 1e-151, "parts.crank.mass", "too small"),
        ("drives.d", {"joint": "B", "from": 0, "to": 1}, "drives.d.joint", "no joint 'B'"),
        ("drives.d", {"joint": "A", "from": 0}, "drives.d", "both ends"),
        ("drives.d", {"joint": "A", "part": "crank"}, "drives.d", "both joint and part"),
        ("drives.d", {}, "drives.d", "none of joint, part, marker"),
        ("drives.d", {"part": "crank", "legs": [{"back": True}]}, "drives.d.legs.0.back", "no leg before"),
        (
            "drives.d",
            {"part": "crank", "legs": [{"velocity": [0, 0], "for": 1}]},
            "drives.d.legs.0.velocity",
            "zero vector",
        ),
        ("drives.d", {"part": "crank", "legs": [{"velocity": [1, 0]}]}, "drives.d.legs.0", "exactly one"),
        ("parts.crank.shape", {}, "parts.crank.shape", "none of outline"),
        ("parts.crank.shape", {"circle": 1, "sphere": 1}, "parts.crank.shape", "both circle and sphere"),
        ("parts.crank.shape", {"circle": 0}, "parts.crank.shape.circle", "above zero"),
        ("parts.crank.shape", {"use": "x"}, "parts.crank.shape.use", "no shape 'x'"),
        (
            "parts.crank.shape",
            {"outline": [[0, 0], [1, 1]]},
            "parts.crank.shape.outline",
            "2 distinct points",
        ),
        ("parts.crank.pose", {"turn": 1, "turn_deg": 1}, "parts.crank.pose.turn_deg", "twice"),
        ("parts.crank.pose", {"on": "crank.A"}, "parts.crank.pose.on", "is placed on itself"),
        ("touching", {"friction": -1}, "touching.friction", "at least zero"),
        ("touching", {"ignore": ["a"]}, "touching.ignore.0", "not a pair"),
        ("touching", {"ignore": ["a:crank"]}, "touching.ignore.0", "no part 'a'"),
        ("start", {"B": {"at": 0}}, "start.B", "no joint 'B'"),
        ("rows", {"normal": [[1, 0], [1]]}, "rows.normal", "different lengths"),
        ("rows", {"normal": [[0, 0]]}, "rows.normal.0", "is zero"),
        ("joints.A.between", ["ground", "crank"], "joints.A", "is not said"),
        ("joints.A.at", [0, 0], "joints.A.at", "given twice"),
        ("joints.A.type", "cylindrical", "joints.A.type", "in the plane"),
        ("joints.A.limits", {"min": 2, "max_deg": 90}, "joints.A.limits.min", "above the upper limit"),
        ("drives.d", {"joint": "A"}, "drives.d", "says nothing"),
        ("drives.d", {"joint": "A", "inputs": []}, "drives.d.inputs", "is empty"),
        ("drives.d", {"part": "crank"}, "drives.d", "says nothing"),
        ("drives.d", {"part": "ground", "legs": [{"velocity": [1, 0], "for": 1}]}, "drives.d", "is fixed"),
        ("parts.crank.pose", {"turn": 1, "along": [1, 0]}, "parts.crank.pose.along", "given twice"),
        ("parts.crank.center", [0, 0, 0], "parts.crank.center", "three numbers"),
        ("touching", {"restitution": 5}, "touching.restitution", "at most one"),
        ("touching", {"ignore": ["crank:crank"]}, "touching.ignore.0", "touch itself"),
        ("ask.run", {"until": -1}, "ask.run.until", "above zero"),
        ("ask.move", {"loads": {"crank.Z": [1, 0]}}, "ask.move.loads.crank.Z", "no marker 'Z'"),
        ("study", {"ask": "mate", "vary": {"prats.a": {"values": [1]}}}, "study.vary.prats.a", "'parts'"),
        ("units", "cm", "units", "found 'cm'"),
        ("dimension", 4, "dimension", "expected one of 2, 3"),
        ("format", "detent/9", "format", "unknown format"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(path, value, at, words):
    complaints = problems(with_(path, value))
    assert any(p.at == at and words in str(p) for p in complaints), [str(p) for p in complaints]


def test_all_problems_are_named_in_one_round():
    data = with_("parts.crank.mass", "heavy")
    data["joints"]["A"]["type"] = "revolut"
    assert {p.at for p in problems(data)} == {"parts.crank.mass", "joints.A.type"}


def test_a_shape_that_uses_itself_is_refused():
    data = with_("shapes", {"a": {"union": [{"use": "b"}]}, "b": {"union": [{"use": "a"}]}})
    (problem,) = problems(data)
    assert "uses itself: a → b → a" in problem.problem


def test_a_shape_nested_beyond_reason_is_refused():
    shape: dict = {"circle": 1}
    for _ in range(200):
        shape = {"union": [shape]}
    assert any("nested deeper" in p.problem for p in problems(with_("parts.crank.shape", shape)))


def test_a_builder_gives_the_mechanism_that_the_file_gives():
    built = (
        Builder()
        .part("ground", fixed=True, markers={"A": [0, 0], "D": [4, 0]})
        .part("crank", markers={"A": (0.0, 0.0), "B": [1, "0"]})
        .joint("A", "revolute", "ground.A", "crank.A")
        .build()
    )
    assert built == convert.mechanism(FOUR_BAR)


def test_a_builder_spells_pythons_words_with_an_underscore():
    built = (
        Builder(units="mm")
        .part("base", fixed=True, markers={"A": [0, 0]})
        .part("crank", markers={"A": [0, 0]})
        .joint("A", "revolute", "base.A", "crank.A")
        .drive("turn", joint="A", from_=0, to=1, steps=4)
        .drive("push", part="crank", legs=[{"velocity": [1, 0], "for_": 2}])
        .build()
    )
    assert built.drives["turn"].from_ == 0
    assert built.drives["push"].legs[0].for_ == 2


def test_a_builder_takes_numpys_numbers_as_pythons():
    import numpy as np

    builder = Builder().part(
        "a", mass=np.float64(0.1), markers={"A": np.array([1.0, 2.0]), "B_": [np.int64(3), 0]}
    )
    plain = Builder().part("a", mass=0.1, markers={"A": [1, 2], "B_": [3, 0]})
    assert builder.build() == plain.build()
    assert list(builder.build().parts["a"].markers) == ["A", "B_"]


def test_a_builder_refuses_a_name_twice():
    with pytest.raises(ModelError, match="already there"):
        Builder().part("a").part("a")


def test_a_mechanism_cannot_be_changed():
    mechanism = convert.mechanism(FOUR_BAR)
    assert isinstance(mechanism, Mechanism)
    with pytest.raises(AttributeError):
        mechanism.units = "mm"  # type: ignore[misc]


def test_the_plain_form_of_a_mechanism_reads_back_equal():
    mechanism = convert.mechanism(FOUR_BAR)
    assert convert.mechanism(convert.plain(mechanism)) == mechanism
