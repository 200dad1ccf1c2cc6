"""`detent modes`: a flag that the answer would not heed is refused, none is dropped in silence."""

import json

import pytest

from detent.app import main

GRASP = ["modes", "planar_grasp"]


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["--count", "--where", "0=sliding"], "--where"),
        (["--count", "--nonlinear"], "--nonlinear"),
        (["--count", "--stream"], "--count"),
        (["--stream", "--where", "0=sliding"], "--where"),
        (["--stream", "--kind", "contacting_separating"], "--kind"),
        (["--nonlinear", "--kind", "contacting_separating"], "--kind"),
        (["--nonlinear", "--mode", "000|+++"], "--mode"),
        (["--grasp", "0,-9.81,0", "--mode", "000|+++"], "--mode"),
        (["--grasp", "0,-9.81,0", "--kind", "contacting_separating"], "--kind"),
        (["--goal", "1,0,0"], "--goal"),
        (["--wrench", "1,0,0"], "--wrench"),
        (["--gif", "film.gif"], "--gif"),
        (["--friction", "0.5"], "--friction"),
        (["--mode", "000|+++", "--gif", "film.png"], "--gif"),
    ],
)
def test_a_flag_without_effect_is_named(flags, named, capsys):
    assert main([*GRASP, *flags]) == 2
    assert capsys.readouterr().err.startswith(f"detent: {named}: ")


@pytest.mark.parametrize("numbers", ["inf,0,0", "nan,0,0", "1e300,0,0", "a,0,0"])
@pytest.mark.parametrize(
    ("flag", "before"), [("--grasp", []), ("--load", []), ("--goal", ["--mode", "000|+++"])]
)
def test_what_is_not_a_number_is_refused_by_its_flag(flag, before, numbers, capsys):
    assert main([*GRASP, *before, flag, numbers]) == 2
    assert capsys.readouterr().err.startswith(f"detent: {flag}: ")


@pytest.mark.parametrize("flag", ["--mode", "--of", "--grasp", "--load"])
def test_an_empty_value_is_named_and_not_taken_for_none(flag, capsys):
    assert main([*GRASP, flag, " "]) == 2
    assert capsys.readouterr().err.startswith(f"detent: {flag}: is empty")


def test_contacting_separating_modes_are_counted_alone(capsys):
    assert main(["modes", "hand_with_ball", "--count", "--kind", "contacting_separating", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"contacting_separating": 2**12, "all": None}


def test_one_contacting_separating_mode_is_counted_and_streamed_without_the_others(capsys):
    corner = ["modes", "box_in_corner", "--of", "0000++++"]
    assert main([*corner, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["modes"]
    assert main([*corner, "--count", "--json"]) == 0
    one = {"contacting_separating": 1, "all": len(listed)}
    assert json.loads(capsys.readouterr().out)["counts"] == one
    assert main([*corner, "--count"]) == 0
    assert ": 9 modes of 0000++++\ncomputed: how many signs" in capsys.readouterr().out
    assert main([*corner, "--count", "--exact", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scope"]["certainty"] == "proved"
    assert main([*corner, "--stream"]) == 0
    line, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (line["mode"], line["count"], sorted(line["modes"])) == ("0000++++", 9, listed)
    assert last == {"counts": one}


@pytest.mark.parametrize("how", ["--count", "--stream"])
@pytest.mark.parametrize(
    ("signs", "said"),
    [("0+000000", "no velocity has these signs"), ("0+0", "one sign (0 or +) to each of 8 contacts")],
)
def test_a_contacting_separating_mode_that_does_not_exist_is_named(how, signs, said, capsys):
    assert main(["modes", "box_in_corner", "--of", signs, how]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert not printed.out


def test_a_count_is_of_all_modes_where_the_document_lists_fewer(capsys, monkeypatch):
    """The hand's document asks for contacting/separating modes; `--count` still counts every mode."""
    from detent.contact.modes import counting

    def first_only(*_args, **_kwargs):
        yield 1, 340_707, 1

    monkeypatch.setattr(counting, "running_count", first_only)
    assert main(["modes", "hand_with_ball", "--count", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["all"] == 340_707


def test_what_rounding_leaves_of_a_zero_is_printed_as_zero(capsys):
    assert main(["modes", "box_in_corner", "--mode", "00000000|+0+0+0+00+0+0+0+"]) == 0
    words = capsys.readouterr().out
    assert "velocity  (1, 0, 0, 0, 0, 0)" in words
    assert "1 ray," in words


def test_the_key_of_a_picture_names_normals(tmp_path):
    picture = tmp_path / "mode.svg"
    assert main([*GRASP, "--mode", "000|+++", "--plot", str(picture), "--quiet"]) == 0
    assert "normal, from the first part to the second" in picture.read_text()


def test_a_report_of_one_mode_shows_it_and_a_verdict_says_what_it_assumes(tmp_path, capsys):
    page = tmp_path / "mode.html"
    assert main([*GRASP, "--mode", "000|+++", "--report", str(page), "--quiet"]) == 0
    assert "<svg" in page.read_text()
    corner = ["modes", "box_in_corner"]  # its parts have no masses
    assert main([*corner, "--grasp", "0,0,-1,0,0,0", "--friction", "0.5"]) == 0
    assert "unit inertia" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "lattice", "every"),
    [
        (["--kind", "contacting_separating"], 46, None),
        (["--kind", "contacting_separating", "--where", "0=touching"], 16, None),
        (["--where", "0=touching", "--where", "0=separating"], 0, 0),
        (["--of", "0000++++"], 1, 9),
        (["--of", "0000++++", "--nonlinear"], 1, 1),
        (["--where", "0=sliding", "--where", "4=touching"], 8, 30),
    ],
)
def test_modes_that_a_filter_leaves_are_counted_and_no_others(flags, lattice, every, capsys):
    assert main(["modes", "box_in_corner", "--json", *flags]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["counts"]["contacting_separating"], answer["counts"].get("all")) == (lattice, every)
    assert len({mode.partition("|")[0] for mode in answer["modes"]}) == lattice
    assert len(answer["modes"]) == (lattice if every is None else every)
    filtered = flags != ["--kind", "contacting_separating"]
    assert ("modes that were filtered out" in answer["scope"]["left_out"]) is filtered
    assert main(["modes", "box_in_corner", *flags]) == 0
    assert capsys.readouterr().out.endswith("\nleft out: modes that were filtered out\n") is filtered


def test_no_mode_left_is_an_answer_without_a_picture(tmp_path, capsys):
    none = ["modes", "box_in_corner", "--where", "0=touching", "--where", "0=separating"]
    assert main([*none, "--report", str(tmp_path / "none.html")]) == 0
    assert "0 modes in 0 contacting/separating modes" in capsys.readouterr().out
    assert main([*none, "--plot", str(tmp_path / "none.svg")]) == 3
    assert capsys.readouterr().err == "detent: no mode is left to draw; ask for modes that there are\n"


ON_GROUND = """
format = "detent/1"
[parts.ground]
fixed = true
shape.outline = [[-2, -1], [3, -1], [3, 0], [-2, 0]]
[parts.box]
shape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]
[ask.modes]
"""


@pytest.mark.parametrize(
    ("asked", "flags", "said"),
    [
        ('cone = "nonlinear"', [], "7 modes of the round cone, unions of 10"),
        ('cone = "nonlinear"', ["--count"], "10 modes in 4"),
        ('cone = "nonlinear"', ["--stream"], '"mode":"++"'),
        ('cone = "nonlinear"', ["--kind", "contacting_separating"], "4 contacting/separating modes"),
        ('cone = "nonlinear"\nkind = "contacting_separating"', [], "4 contacting/separating modes"),
        ('kind = "contacting_separating"', [], "4 contacting/separating modes"),
        ('kind = "contacting_separating"', ["--nonlinear"], "7 modes of the round cone"),
        ('kind = "contacting_separating"', ["--mode", "00|++"], "0 and 1 slide"),
        ('kind = "contacting_separating"', ["--mode", "00"], "0 and 1 touch"),
        ('kind = "contacting_separating"', ["--where", "0=sliding"], "4 modes in 2"),
        ('kind = "contacting_separating"', ["--where", "0=touching"], "2 contacting/separating modes"),
    ],
)
def test_flags_override_what_a_document_asks_and_are_not_refused_for_it(asked, flags, said, tmp_path, capsys):
    file = tmp_path / "box.toml"
    file.write_text(ON_GROUND + asked)
    assert main(["modes", str(file), *flags]) == 0
    assert said in capsys.readouterr().out


def test_the_table_says_which_contact_is_which_and_json_where(capsys):
    assert main(GRASP) == 0
    text = capsys.readouterr().out
    assert "   1  hand:plate  at (1, 0.5), normal (-1, 0)\n" in text
    assert main([*GRASP, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["contacts"] == ["hand:plate"] * 3
    assert answer["points"] == [[-1, 0.5], [1, 0.5], [0, 0]]
    assert answer["normals"] == [[1, 0], [-1, 0], [0, 1]]
    assert answer["tangents"] == [[[0, -1]], [[0, 1]], [[1, 0]]]  # on a floor + is to the right


def test_a_grasp_says_that_gravity_is_not_added_to_its_load(tmp_path, capsys):
    file = tmp_path / "box.toml"
    file.write_text(ON_GROUND.replace("[parts.ground]", "gravity = [0, -9.81]\n[parts.ground]"))
    assert main(["modes", str(file), "--grasp", "0,-9.81,-4.9", "--friction", "0.5", "--json"]) == 0
    assert any("gravity is not added" in each for each in json.loads(capsys.readouterr().out)["assumptions"])
    assert main([*GRASP, "--grasp", "0,-9.81,0", "--json"]) == 0
    assert not any("gravity" in each for each in json.loads(capsys.readouterr().out)["assumptions"])


def test_forces_of_one_mode_are_printed_with_their_units_and_ranges(tmp_path, capsys):
    """A beam on three supports: statics leaves one force free."""
    contacts = "".join(
        f'[[contacts]]\nbetween = ["ground", "beam"]\npoint = [{x}, 0]\nnormal = [0, 1]\nfriction = 0\n'
        for x in (0, 1, 2)
    )
    (tmp_path / "beam.toml").write_text(
        f'format = "detent/1"\nunits = "m"\n[parts.ground]\nfixed = true\n[parts.beam]\n{contacts}'
    )
    one = ["modes", str(tmp_path / "beam.toml"), "--mode", "000|+++", "--wrench", "0,-6,-6"]
    assert main(one) == 0
    printed = capsys.readouterr().out
    assert "normal force 0, ground:beam: between 0 and 3 N, one of many" in printed
    assert "normal force 1, ground:beam: between 0 and 6 N, one of many" in printed
    assert main([*one, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["balance"]["normal_range"] == [
        [pytest.approx(0, abs=1e-9), pytest.approx(most)] for most in (3, 6, 3)
    ]
