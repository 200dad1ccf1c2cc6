"""`detent modes --load`: which motions follow from a document's masses, a load and a velocity."""

import json

import pytest

import detent
from detent.app import main

BLOCK = """
format = "detent/1"
title = "Block"
{head}
[parts.floor]
fixed = true
shape.outline = [[-5, -1], [5, -1], [5, 0], [-5, 0]]
[parts.block]
shape.outline = [[-1, 0], [1, 0], [1, 1], [-1, 1]]
mass = 2
center = [0, 0.5]
inertia = 0.4
[touching]
friction = 0.3
"""


@pytest.fixture
def block(tmp_path):
    def written(head="gravity = [0, -10]", more=""):
        path = tmp_path / "block.toml"
        path.write_text(BLOCK.format(head=head) + more)
        return str(path)

    return written


def asked(capsys, *argv):
    assert main(["modes", *argv, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("push", "velocity", "mode", "acceleration"),
    [
        ("5.99,0,0", None, "00|00", 0.0),
        ("6.01,0,0", None, "00|++", 0.005),
        ("-6.01,0,0", None, "00|--", -0.005),
        ("0,0,0", "2,0,0", "00|++", -3.0),
        ("0,0,0", "-2,0,0", "00|--", 3.0),
        ("7,0,0", "-2,0,0", "00|--", 6.5),
    ],
)
def test_a_block_sticks_starts_and_slows_down(block, push, velocity, mode, acceleration, capsys):
    flags = ["--load", push] + (["--velocity", velocity] if velocity else [])
    answer = asked(capsys, block(), *flags)
    (only,) = answer["consistent"]
    assert (answer["answer"], only["mode"]) == ("one", mode)
    assert only["acceleration"] == pytest.approx([acceleration, 0, 0], abs=1e-6)
    assert sum(only["normal"]) == pytest.approx(20)
    assert answer["load"][1] == -20


def test_accelerations_are_in_the_units_of_the_document(block, capsys):
    answer = asked(capsys, block('units = "mm"\ngravity = [0, -10]'), "--load", "8,0,0")
    (only,) = answer["consistent"]
    assert only["acceleration"] == pytest.approx([1000.0, 0, 0])


def test_words_say_none_one_or_several(block, capsys):
    assert main(["modes", block(), "--load", "0,0,0"]) == 0
    printed = capsys.readouterr()
    assert "one mode goes with this load\n  00|00  0 and 1 stick\n" in printed.out
    assert "assumed: everything starts at rest" in printed.err
    for some in (["--of", "++", "--load", "0,0,0"], ["--of", "00", "--load", "0,30,0"]):
        assert main(["modes", block(), *some]) == 0
        assert "none of these modes goes with this load\n" in capsys.readouterr().out
    walls = """
[[contacts]]
between = ["floor", "block"]
point = [-1, 0.5]
normal = [1, 0]
[[contacts]]
between = ["floor", "block"]
point = [1, 0.5]
normal = [-1, 0]
"""
    assert main(["modes", block(more=walls), "--load", "0,0,0"]) == 0
    assert "modes go with this load, so that it does not decide the motion" in capsys.readouterr().out


PAINLEVE = """
format = "detent/1"
dimension = 2
gravity = [0, -10]
[parts.floor]
fixed = true
[parts.rod]
mass = 1
center = [-1, 2]
inertia = {inertia}
[[contacts]]
between = ["floor", "rod"]
point = [0, 0]
normal = [0, 1]
tangents = [[1, 0]]
friction = {friction}
"""


@pytest.mark.parametrize(("friction", "answer"), [(1.33, "one"), (1.34, "none")])
def test_a_rod_pushed_along_has_no_motion_beyond_four_thirds_of_friction(friction, answer, tmp_path, capsys):
    """Painlevé's rod at its worst angle, tan = 2, sliding ahead of its centre without turning."""
    path = tmp_path / "rod.toml"
    path.write_text(PAINLEVE.format(inertia=5 / 3, friction=friction))
    assert asked(capsys, str(path), "--load", "0,0,0", "--velocity", "1,0,0")["answer"] == answer
    if answer == "none":
        assert main(["modes", str(path), "--load", "0,0,0", "--velocity", "1,0,0"]) == 0
        assert "no finite acceleration here" in capsys.readouterr().out
        assert asked(capsys, str(path), "--load", "0,11,-11", "--velocity", "1,0,0")["answer"] == "several"


def test_what_a_document_has_besides_is_said_to_be_left_out(block, capsys):
    spring = """
[joints.slide]
type = "prismatic"
between = ["floor", "block"]
at = [0, 0]
along = [1, 0]
spring = { stiffness = 3, rest = 1 }
"""
    answer = asked(capsys, block(more=spring), "--load", "0,0,0")
    assert "springs exert nothing" in answer["assumptions"]


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (["--load", "0,0,0", "--velocity", "0,-1,0"], 2, "an impact, which is not a contact mode"),
        (["--load", "0,0,0", "--velocity", "1,0,0.5"], 2, "contact 0 closes at 0.5 m/s,"),
        (["--load", "0,0,0", "--velocity", "1,0"], 2, "velocity: has 2 numbers, not 3"),
        (["--load", "0,0"], 2, "--load: has 2 numbers, not 3"),
        (["--velocity", "1,0,0"], 2, "--velocity: means nothing without --load"),
        (["--load", "0,0,0", "--count"], 2, "--load: means nothing together with --count"),
        (["--load", "0,0,0", "--grasp", "0,0,0"], 2, "--load: means nothing together with --grasp"),
        (["--load", "0,0,0", "--kind", "contacting_separating"], 2, "--kind: "),
    ],
)
def test_a_load_that_cannot_be_asked_says_why(block, flags, code, said, capsys):
    assert main(["modes", block(), *flags]) == code
    assert said in capsys.readouterr().err


def test_rows_have_no_masses(tmp_path, capsys):
    path = tmp_path / "rows.toml"
    path.write_text('format = "detent/1"\n[rows]\nnormal = [[1, 0]]\ntangent = [[[0, 1]]]\n')
    assert main(["modes", str(path), "--load", "0,0", "--friction", "0.1"]) == 3
    assert "rows say nothing of masses" in capsys.readouterr().err


def test_a_report_lists_the_motions(block, tmp_path):
    page = tmp_path / "motions.html"
    assert main(["modes", block(), "--load", "7,0,0", "--report", str(page), "--quiet"]) == 0
    assert "00|++" in page.read_text()


def test_a_grasp_is_judged_with_the_masses_of_the_document(capsys):
    assert main(["modes", "planar_grasp", "--grasp", "0,-9.81,0"]) == 0
    assert "unit inertia" not in capsys.readouterr().err


ASK = "[ask.modes]\n"


@pytest.mark.parametrize(
    ("ask", "flags", "mode", "acceleration"),
    [
        ("load = { block = [5.99, 0, 0] }", [], "00|00", 0.0),
        ("load = { block = [6.01, 0, 0] }", [], "00|++", 0.005),
        ("load = {}\nvelocity = { block = [2, 0, 0] }", [], "00|++", -3.0),
        ("load = {}\nvelocity = { block = [2, 0, 0] }", ["--velocity", "-2,0,0"], "00|--", 3.0),
        ("load = {}\nvelocity = { block = [-2, 0, 0] }", ["--load", "7,0,0"], "00|--", 6.5),
        ("load = { block = [-6.01, 0, 0] }", ["--where", "0=sliding"], "00|--", -0.005),
    ],
)
def test_a_document_asks_about_a_load_as_the_flags_do(block, ask, flags, mode, acceleration, capsys):
    answer = asked(capsys, block(more=ASK + ask), *flags)
    (only,) = answer["consistent"]
    assert only["mode"] == mode
    assert only["acceleration"] == pytest.approx([acceleration, 0, 0], abs=1e-6)


@pytest.mark.parametrize(
    "flags", [["--kind", "all"], ["--count"], ["--nonlinear"], ["--grasp", "0,0,0"], ["--mode", "00|00"]]
)
def test_a_flag_that_asks_something_else_overrides_the_document_s_load(block, flags, capsys):
    plain = asked(capsys, block(), *flags)
    assert asked(capsys, block(more=f"{ASK}load = {{ block = [9, 0, 0] }}"), *flags) == plain


def test_a_load_belongs_to_its_part_whatever_the_order_of_parts(block, capsys):
    """A second block far to the right is pushed and slides; the first stays."""
    other = "[parts.aside]\nshape.outline = [[3, 0], [4, 0], [4, 1], [3, 1]]\nmass = 1\ncenter = [3.5, 0.5]\n"
    other += "inertia = 0.1\n"
    answer = asked(capsys, block(more=f"{other}{ASK}load = {{ aside = [5, 0, 0] }}"))
    (only,) = answer["consistent"]
    assert only["acceleration"] == pytest.approx([0, 0, 0, 2.0, 0, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("ask", "at", "said"),
    [
        ("load = { bloc = [0, 0, 0] }", "ask.modes.load.bloc", "there is no part 'bloc'"),
        ("load = { floor = [0, 0, 0] }", "ask.modes.load.floor", "part 'floor' is fixed"),
        ("load = { block = [0, 0, 0, 0, 0, 0] }", "ask.modes.load.block", "has 6 numbers, not 3"),
        ("load = { block = [0, 0] }", "ask.modes.load.block", "expected 3 to 6 numbers, found 2"),
        ("velocity = { block = [1, 0, 0] }", "ask.modes.velocity", "means nothing without `load`"),
        (
            "load = {}\nvelocity = { block = [1, 0, 0, 0] }",
            "ask.modes.velocity.block",
            "has 4 numbers, not 3",
        ),
        ('load = {}\nkind = "contacting_separating"', "ask.modes.kind", "leaves out what `load` asks for"),
        ('load = {}\ncone = "nonlinear"', "ask.modes.cone", "leaves out what `load` asks for"),
    ],
)
def test_a_load_that_means_nothing_is_named_by_its_place(block, ask, at, said, capsys):
    path = block(more=ASK + ask)
    assert main(["check", path, "--json"]) == 2
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert problem["at"] == at
    assert said in problem["problem"]
    assert main(["modes", path]) == 2
    assert at in capsys.readouterr().err


def test_a_document_that_asks_about_a_load_is_saved_as_it_is(block, tmp_path, capsys):
    path = block(more=f"{ASK}load = {{}}\nvelocity = {{ block = [2, 0, 0] }}")
    saved = str(tmp_path / "block.json")
    assert main(["convert", path, saved]) == 0
    capsys.readouterr()
    assert asked(capsys, saved) == asked(capsys, path)


@pytest.mark.parametrize("speed", [0.5, 2.0])
def test_a_block_that_rocks_on_a_corner_falls_back_as_a_pendulum_does(block, speed, capsys):
    """About the corner (-1, 0) its inertia is 0.4 + 2 * 1.25; its weight of 20 has an arm of 1."""
    answer = asked(capsys, block(), "--load", "0,0,0", "--velocity", f"0,{speed},{speed}", "--friction", "5")
    (only,) = answer["consistent"]
    back = -20 / 2.9
    assert only["mode"] == "0+|0."
    assert only["acceleration"] == pytest.approx([0, back, back], abs=1e-6)
    assert only["normal"][0] == pytest.approx(2 * (10 + back - speed**2 / 2), abs=1e-6)
    assert "surfaces are as drawn where contacts slide" in answer["assumptions"]


def test_a_contact_beside_what_is_drawn_does_not_say_how_it_turns(block, capsys):
    contact = '[[contacts]]\nbetween = ["floor", "block"]\npoint = [-0.9, 0]\nnormal = [0, 1]\n'
    path = block(more=contact)
    assert main(["modes", path, "--load", "0,0,0", "--velocity", "0,0.9,1"]) == 3
    assert "contact 0 (floor:block) turns, and no vertex, edge, face or disc" in capsys.readouterr().err
    answer = asked(capsys, path, "--load", "0,0,0", "--velocity", "1,0,0")
    assert "surfaces are flat where contacts slide" in answer["assumptions"]


def test_rows_have_no_masses_whatever_the_velocity(tmp_path, capsys):
    path = tmp_path / "rows.toml"
    path.write_text('format = "detent/1"\n[rows]\nnormal = [[0, 1, 0]]\n')
    assert main(["modes", str(path), "--load", "0,0,0", "--velocity", "1,0,1"]) == 3
    assert "rows say nothing of masses" in capsys.readouterr().err


@pytest.mark.parametrize(("tolerance", "mode"), [(None, None), ("1e-6", None), ("1e-3", "00|++")])
def test_a_velocity_of_few_digits_is_taken_with_its_own_tolerance(block, tolerance, mode, capsys):
    """Moving down by 1e-4 of its speed it would strike the floor; to three digits it slides."""
    flags = [
        "--load",
        "0,0,0",
        "--velocity",
        "2,-0.0002,0",
        *(["--tolerance", tolerance] if tolerance else []),
    ]
    if mode is None:
        assert main(["modes", block(), *flags]) == 2
        assert "an impact, which is not a contact mode" in capsys.readouterr().err
    else:
        assert [each["mode"] for each in asked(capsys, block(), *flags)["consistent"]] == [mode]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--tolerance", "1e-3"], "--tolerance: means nothing without --velocity"),
        (["--load", "0,0,0", "--velocity", "1,0,0", "--tolerance", "-1"], "tolerance: -1.0 is not a share"),
        (["--load", "0,0,0", "--velocity", "1,0,0", "--tolerance", "nan"], "tolerance: nan is not a share"),
    ],
)
def test_a_tolerance_that_means_nothing_is_refused(block, flags, said, capsys):
    assert main(["modes", block(), *flags]) == 2
    assert said in capsys.readouterr().err


def test_python_answers_the_load_of_a_document_as_the_command_line_does(tmp_path, capsys):
    """A crate of 12 kg pushed by 50 N at a friction of 0.3: a = 50/12 - 0.3 g, weights shared by moments."""
    shape = {"outline": [[100, 0], [500, 0], [500, 300], [100, 300]]}
    floor = {"outline": [[-1000, -100], [1000, -100], [1000, 0], [-1000, 0]]}
    crate = detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -9.81],
            "parts": {
                "floor": {"fixed": True, "shape": floor},
                "crate": {"shape": shape, "mass": 12, "center": [280, 140], "inertia": 0.25},
            },
            "touching": {"friction": 0.3},
            "ask": {"modes": {"load": {"crate": [50, 0, -12500]}, "velocity": {"crate": [20, 0, 0]}}},
        }
    )
    detent.save(crate, tmp_path / "crate.toml")
    assert main(["modes", str(tmp_path / "crate.toml"), "--json"]) == 0
    answer = detent.moved_by(tmp_path / "crate.toml")
    assert answer.to_json() == capsys.readouterr().out.strip()
    faster = 50 / 12 - 0.3 * 9.81
    right = (12 * 9.81 * 0.28 + 12.5 - 12 * faster * 0.14 - 12 * 9.81 * 0.1) / 0.4
    (only,) = answer.consistent
    assert only.acceleration_of_centre["crate"].linear == pytest.approx((1000 * faster, 0))
    assert only.normal == pytest.approx((12 * 9.81 - right, right))

    held = detent.moved_by(crate, {"crate": [20, 0, 0]}, velocity={"crate": [0, 0, 0]})
    assert held.consistent[0].mode == "00|00"
    with pytest.raises(ValueError, match="did you mean 'crate'"):
        detent.moved_by(crate, {"crat": [20, 0, 0]})
    with pytest.raises(ValueError, match="there is no load"):
        detent.moved_by("planar_grasp")


@pytest.mark.parametrize("units", ["m", "in"])
def test_the_load_of_a_document_is_the_same_in_another_unit(units):
    book = {
        "units": "mm",
        "gravity": [0, -9.81],
        "parts": {
            "shelf": {"fixed": True, "shape": {"outline": [[0, 0], [500, 0], [500, -9], [0, -9]]}},
            "book": {
                "shape": {"outline": [[50, 0], [100, 0], [100, 230], [50, 230]]},
                "mass": 1.1,
                "center": [75, 115],
                "inertia": 0.006,
            },
        },
        "touching": {"friction": 0.25},
        "ask": {"modes": {"load": {"book": [2, 0, -400]}, "velocity": {"book": [30, 0, 0]}}},
    }
    before = detent.moved_by(detent.from_dict(book))
    changed = detent.edit(detent.from_dict(book), detent.SetUnits(units, "size")).mechanism
    after = detent.moved_by(changed)
    length = {"m": 1e-3, "in": 1 / 25.4}[units]
    assert [each.mode for each in after.consistent] == [each.mode for each in before.consistent]
    for old, new in zip(before.consistent, after.consistent, strict=True):
        assert new.normal == pytest.approx(old.normal)
        a, b = (each.acceleration_of_centre["book"] for each in (old, new))
        assert b.linear == pytest.approx([length * x for x in a.linear])
        assert b.angular == pytest.approx(a.angular)
