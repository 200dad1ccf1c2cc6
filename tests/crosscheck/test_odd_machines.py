"""Machines that nobody draws on purpose: each is refused in words, by every room that meets it."""

from __future__ import annotations

import json

import pytest

from detent import Builder, ModelError, UnsupportedError, explain, mate, modes
from detent.app import main
from detent.contact import candidates, contacts_at
from detent.io import native
from detent.model import compile_system
from detent.model.machine import mass_from_shape

SQUARE = [[0, 0], [1, 0], [1, 1], [0, 1]]
BOW = [[0, 0], [2, 2], [2, 0], [0, 2]]


def touching(mechanism):
    system = compile_system(mechanism)
    return contacts_at(system, candidates(system), system.drawn)


@pytest.mark.parametrize("dimension", [2, 3])
def test_an_empty_document_has_no_contacts(dimension):
    empty = Builder(dimension=dimension).build()
    assert len(touching(empty).gap) == 0
    assert explain(empty).parts == ()


@pytest.mark.parametrize(("far", "told"), [(1e5, True), (1e12, False)])
def test_a_shape_far_from_its_part_is_refused_once_doubles_lose_its_corners(far, told):
    shape = {"outline": SQUARE, "moves": [{"move": [far, 0]}]}
    part = {"shape": shape, "pose": {"at": [-far, 0]}}
    ground = {"fixed": True, "shape": {"outline": [[-1, -1], [2, -1], [2, 0], [-1, 0]]}}
    machine = Builder().part("ground", **ground).part("box", **part).build()
    if told:
        assert sorted(touching(machine).gap.round(9)) == [0, 0]
    else:
        with pytest.raises(UnsupportedError, match="too small there for its corners"):
            touching(machine)


@pytest.mark.parametrize("far", [0, 1e9])
def test_parts_smaller_than_a_touch_are_refused(far):
    disc = {"shape": {"circle": 0.5}, "pose": {"at": [far, 3]}}
    machine = Builder().part("a", fixed=True, **disc).part("b", **disc).build()
    with pytest.raises((ModelError, UnsupportedError), match="cannot be told" if far else "overlaps"):
        modes(machine)


@pytest.mark.parametrize(
    ("dimension", "solid"), [(2, {"outline": SQUARE}), (3, {"block": [1, 1, 1]})], ids=["plane", "space"]
)
def test_a_shape_that_encloses_nothing_has_no_mass(dimension, solid):
    nothing = {"difference": [solid, solid]}
    machine = Builder(dimension=dimension).part("a", shape=nothing, density=1000).build()
    with pytest.raises(ModelError, match=r"parts\.a\.shape: encloses nothing"):
        mass_from_shape(machine, "a")


@pytest.mark.parametrize(
    "verb", [["modes"], ["draw", "-o", "drawn.svg"], ["explain", "--report", "report.html"]]
)
def test_a_union_with_an_outline_that_crosses_itself_is_refused_in_words(verb, tmp_path, capsys, monkeypatch):
    shape = {"union": [{"outline": BOW}, {"outline": [[-1, 1], [3, 1], [3, 1.5], [-1, 1.5]]}]}
    part = {"shape": shape, "markers": {"A": [0, 0]}}
    document = {"format": "detent/1", "parts": {"a": {**part, "fixed": True}, "b": {"shape": {"circle": 9}}}}
    path = tmp_path / "bow.json"
    path.write_text(json.dumps(document))
    assert native.load(path).parts["a"].shape is not None
    monkeypatch.chdir(tmp_path)
    code = main([verb[0], str(path), *verb[1:]])
    assert code in (2, 3)
    said = capsys.readouterr().err
    assert "crosses or touches itself" in said or "cross at (1, 1)" in said


@pytest.mark.parametrize("flags", [["--from", "nan"], ["--to", "inf"], ["--to", "1e300"]])
def test_a_coordinate_that_is_not_a_number_is_refused(flags, capsys):
    assert main(["move", "four_bar", "--drive", "A", *flags]) == 2
    assert f"detent: {flags[0]}: " in capsys.readouterr().err


def test_a_load_beyond_all_sizes_is_refused(capsys):
    assert main(["move", "four_bar", "--load", "coupler.T=1e300,0"]) == 2
    assert "is not a load" in capsys.readouterr().err


@pytest.mark.parametrize(("far", "told"), [(1e6, True), (1e30, False)])
def test_a_pawl_too_far_from_its_hinge_for_doubles_is_refused(far, told):
    outline = [[-2, -4], [6, -4], [2, 0]]
    machine = (
        Builder(units="1")
        .part("root")
        .part("pawl", shape={"outline": outline})
        .part("receiver", fixed=True, shape={"outline": [[1, -16], [-1, -16], [-1, -17]]})
        .joint("hinge", "revolute", "root", "pawl", at=[far, far], spring={"stiffness": 1})
        .drive("push", part="root", legs=[{"velocity": [-1, -2], "for": 20}])
        .build()
    )
    if told:
        assert mate(machine).legs
    else:
        with pytest.raises(UnsupportedError, match="too short there for its forces"):
            mate(machine)


def test_a_part_without_points_is_not_drawn_as_a_link(tmp_path, capsys):
    document = {"format": "detent/1", "parts": {"a": {}, "b": {"markers": {"P": [0, 0], "Q": [1, 0]}}}}
    (tmp_path / "a.json").write_text(json.dumps(document))
    assert main(["convert", str(tmp_path / "a.json"), str(tmp_path / "a.dxf")]) == 0


def test_an_outline_without_area_touches_nothing():
    flat = {"union": [{"outline": [[0, 0], [1, 0], [2, 0], [3, 0]]}, {"outline": SQUARE}]}
    box = {"shape": {"outline": SQUARE}, "pose": {"at": [0.5, 1]}}
    machine = Builder().part("a", fixed=True, shape=flat).part("box", **box).build()
    assert len(touching(machine).gap) == 2


def test_more_positions_than_memory_holds_are_refused_before_they_are_computed(capsys):
    assert main(["move", "four_bar", "--drive", "A", "--steps", "10000000"]) == 3
    said = capsys.readouterr().err
    assert "take at most 60000 steps" in said
    assert main(["move", "four_bar", "--drive", "A", "--steps", "100", "--quiet"]) == 0


def test_an_outline_that_crosses_itself_can_still_be_looked_at(tmp_path):
    part = {"shape": {"outline": BOW}, "markers": {"A": [5, 5]}}
    ground = {"fixed": True, "markers": {"A": [5, 5]}}
    joint = {"type": "revolute", "between": ["ground.A", "bow.A"]}
    document = {"format": "detent/1", "parts": {"ground": ground, "bow": part}, "joints": {"A": joint}}
    (tmp_path / "bow.json").write_text(json.dumps(document))
    assert main(["draw", str(tmp_path / "bow.json"), "-o", str(tmp_path / "bow.svg")]) == 0
