"""Measured curves: read with their units, laid over answers, values fitted with intervals that hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.draw.chart import overlay_scene
from detent.draw.scene import DrawnLine
from detent.judge import fit_measured, lay_over, read_measured
from detent.record import Tabular

TIMES = np.linspace(0.0, 2.0, 41)
MACHINE = detent.from_dict({"units": "mm", "touching": {"friction": 0.3, "restitution": 0.5}})


class Table(Tabular):
    """An answer with columns of its own."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns

    def columns(self) -> dict[str, Any]:
        return self._columns


def decay(friction: float, rate: float) -> Any:
    return 10 * friction * np.exp(-rate * TIMES)


def ask_decay(machine: detent.Mechanism) -> Table:
    touching = machine.touching
    assert touching is not None
    force = decay(float(touching.friction or 0), float(touching.restitution or 0))
    return Table({"time [s]": TIMES, "force [N]": force})


def ask_product(machine: detent.Mechanism) -> Table:
    """Of both values only the product counts."""
    touching = machine.touching
    assert touching is not None
    force = float(touching.friction or 0) * float(touching.restitution or 0) * np.cos(TIMES)
    return Table({"time [s]": TIMES, "force [N]": force})


def curve(x: Any, y: Any, head: str = "time [s],force [N]") -> str:
    return "\n".join([head, *(f"{a!r},{b!r}" for a, b in zip(map(float, x), map(float, y), strict=True))])


@pytest.mark.parametrize(
    ("head", "factors"),
    [
        ("time [s],force [N]", (1, 1)),
        ("time [ms],force [kN]", (1e3, 1e-3)),
        ("TIME (min),Force (mN)", (1 / 60, 1e3)),
        ("time [s],force [lbf]", (1, 1 / 4.4482216152605)),
    ],
)
def test_units_are_those_of_the_answer(head: str, factors: tuple[float, float]) -> None:
    answer = ask_decay(MACHINE)
    text = curve(TIMES[3:30] * factors[0], decay(0.3, 0.5)[3:30] * factors[1], head)
    laid = lay_over(answer, read_measured(text)).columns[0]
    assert (laid.points, laid.left_out) == (27, 0)
    assert laid.rms < 1e-12
    assert (laid.name, laid.unit) == ("force", "N")


def test_speeds_and_torques_are_quotients_and_products_of_units() -> None:
    answer = Table({"time [s]": TIMES, "crank.speed [rad/s]": TIMES + 1, "torque crank [N m]": 2 * TIMES})
    text = "time [s],crank.speed [deg/s],torque crank [N mm]\n"
    text += "\n".join(f"{t},{math.degrees(t + 1)},{2e3 * t}" for t in TIMES.tolist())
    overlay = lay_over(answer, read_measured(text))
    assert [column.points for column in overlay.columns] == [41, 41]
    assert max(column.rms for column in overlay.columns) < 1e-12


def test_decimal_commas_comments_and_gaps() -> None:
    text = "# machine 7\ntime [s];force [N];room\n0,1;2,85;x1\n\n0,2;;x2\n".replace("x", "")
    measured = read_measured(text)
    force = measured.columns[1].values
    assert force[0] == 2.85
    assert math.isnan(force[1])
    overlay = lay_over(ask_decay(MACHINE), measured)
    assert (overlay.columns[0].points, overlay.columns[0].left_out, overlay.unused) == (1, 1, ("room",))


def test_deviations_by_hand() -> None:
    """A line of slope 2 and three points off it by 0.1, -0.3 and 0.2; a fourth lies beyond it."""
    answer = Table({"travel [mm]": np.array([0.0, 10.0]), "push [N]": np.array([0.0, 20.0])})
    text = "travel [mm],push [N]\n1,2.1\n5,9.7\n9,18.2\n11,22"
    laid = lay_over(answer, read_measured(text)).columns[0]
    assert (laid.points, laid.left_out) == (3, 1)
    assert laid.rms == pytest.approx(math.sqrt((0.01 + 0.09 + 0.04) / 3))
    assert (laid.largest, laid.largest_at) == pytest.approx((-0.3, 5))


@pytest.mark.parametrize("shift", [-0.4, 0.0, 0.7])
def test_a_shift_is_found(shift: float) -> None:
    answer = Table({"time [s]": TIMES, "force [N]": np.exp(-8 * (TIMES - 1) ** 2)})
    x = np.linspace(0.8, 1.2, 15)
    measured = read_measured(curve(x - shift, np.exp(-8 * (x - 1) ** 2)))
    fitted = lay_over(answer, measured, shift="fit")
    assert fitted.shift == pytest.approx(shift, abs=2e-3)
    given = lay_over(answer, measured, shift=shift)
    assert (given.shift, given.shift_fitted) == (shift, False)
    assert given.columns[0].rms < 5e-3  # of straight lines between rows: h²/8 times 16


def test_where_a_force_has_no_bound_nothing_is_compared() -> None:
    force = np.where(TIMES < 1, 1.0, np.inf)
    overlay = lay_over(
        Table({"time [s]": TIMES, "force [N]": force}), read_measured(curve(TIMES, np.ones(41)))
    )
    assert (overlay.columns[0].points, overlay.columns[0].left_out) == (20, 21)


def test_the_whole_calculated_curve_is_drawn_where_a_part_of_it_was_measured() -> None:
    part = slice(5, 12)
    overlay = lay_over(ask_decay(MACHINE), read_measured(curve(TIMES[part], decay(0.3, 0.5)[part])))
    assert overlay.columns[0].curve == (tuple(TIMES.tolist()), tuple(decay(0.3, 0.5).tolist()))
    lines = [each for each in overlay_scene(overlay, "").items if isinstance(each, DrawnLine)]
    wide = [np.ptp(np.array(line.points)[:, 0]) for line in lines if len(line.points) == len(TIMES)]
    assert len(wide) == 1
    assert wide[0] > 0.8 * 600  # of a plot 800 wide, its axis beside it


def test_intervals_hold_the_true_values_as_often_as_they_say() -> None:
    """Of 60 noisy curves the 95 % intervals hold each true value in 95 %, within three standard errors."""
    true, noise = (0.25, 0.8), 0.05
    random = np.random.default_rng(7)
    held = np.zeros(2)
    paths = ["touching.friction", "touching.restitution"]
    for _ in range(60):
        text = curve(TIMES, decay(*true) + random.normal(0, noise, len(TIMES)))
        fit, _ = fit_measured(MACHINE, paths, read_measured(text), ask_decay)
        assert fit.settled
        limits = [(value.low or math.inf, value.high or 0.0) for value in fit.values]
        held += [low <= t <= high for (low, high), t in zip(limits, true, strict=True)]
    assert np.all(np.abs(held / 60 - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 60))


def test_intervals_are_those_of_a_straight_line() -> None:
    """One factor on a known curve: the interval is Student's t times s over the curve's norm, by hand."""
    noise = np.random.default_rng(3).normal(0, 0.1, len(TIMES))
    text = curve(TIMES, decay(0.4, 0.5) + noise)
    fit, fitted = fit_measured(MACHINE, ["touching.friction"], read_measured(text), ask_decay)
    shape = decay(1.0, 0.5)
    best = float(shape @ (decay(0.4, 0.5) + noise) / (shape @ shape))
    left = decay(0.4, 0.5) + noise - best * shape
    spread = math.sqrt(float(left @ left) / 40 / float(shape @ shape))
    (value,) = fit.values
    assert value.value == pytest.approx(best, rel=1e-6)
    assert (value.low, value.high) == pytest.approx(
        (best - 2.0210754 * spread, best + 2.0210754 * spread), rel=1e-5
    )
    assert fitted.touching is not None
    assert float(fitted.touching.friction or 0) == pytest.approx(best, rel=1e-6)


def test_what_only_counts_as_a_product_is_undetermined() -> None:
    text = curve(TIMES, 0.2 * np.cos(TIMES))
    paths = ["touching.friction", "touching.restitution"]
    fit, _ = fit_measured(MACHINE, paths, read_measured(text), ask_product)
    assert [value.determined for value in fit.values] == [False, False]
    assert fit.values[0].value * fit.values[1].value == pytest.approx(0.2, rel=1e-6)
    (words,) = fit.undetermined
    assert "only combinations" in words
    assert all(path in words for path in paths)


def test_what_has_no_effect_is_undetermined() -> None:
    machine = MACHINE.with_("gravity", [0, -9.81])
    text = curve(TIMES, decay(0.2, 0.5))
    fit, _ = fit_measured(machine, ["touching.friction", "gravity.1"], read_measured(text), ask_decay)
    assert [value.determined for value in fit.values] == [True, False]
    assert fit.undetermined == ("gravity.1 has no effect on the measured points",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no row of numbers"),
        ("0,1\n1,2", "is not the name of a column"),
        ("time [s],force [N]\n1,x", "line 2, column 2: 'x' is not a number"),
        ("time [s],force [N]\n1e308,2", "line 2, column 1: '1e308' is too large for a measurement"),
        ("time [s],force [N]\n1,2,3", "3 cells under 2 names"),
        ("time [s],time [s]\n1,2", "two columns are called 'time'"),
        ("time [s],power [W]\n1,2", "of the columns 'power' the answer has none"),
        ("travel [mm],force [N]\n1,2", "no column 'travel' for the abscissa"),
        ("time [s],force\n1,2", "column 'force' does not say its unit"),
        ("time [s],force [mm]\n1,2", "is in mm, and the answer's in N"),
        ("time [s],force [pond]\n1,2", "'pond', which is not a unit known here"),
        ("time [s],force [N]\n5,2\n6,2", "no point of 'force' lies where it is calculated"),
    ],
)
def test_tables_that_do_not_fit_are_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(detent.ModelError) as refused:
        lay_over(ask_decay(MACHINE), read_measured(text, "m.csv"))
    assert why in str(refused.value)
    assert str(refused.value).startswith("m.csv")


@pytest.mark.parametrize(
    ("paths", "why"),
    [
        (["touching.smooth.x"], "nothing at 'touching.smooth.x'"),
        (["units"], "'units' is not a number"),
        (["touching.friction", "touching.friction"], "named twice"),
    ],
)
def test_paths_that_are_no_numbers_are_refused(paths: list[str], why: str) -> None:
    with pytest.raises(detent.ModelError, match=why):
        fit_measured(MACHINE, paths, read_measured(curve(TIMES, TIMES)), ask_decay)


def test_the_command_lays_a_curve_over_a_mating_and_fits_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], whitney: Callable[[Any], Any]
) -> None:
    """Forces of a peg of friction 0.1 by Whitney's formula, noisy, against a document of 0.13."""
    from detent.app import main

    document, measured, picture = tmp_path / "peg.toml", tmp_path / "peg.csv", tmp_path / "peg.svg"
    detent.save(detent.load("whitney_peg").with_("touching.friction", 0.13), document)
    depth = np.linspace(14, 33, 60)
    push, travel = whitney(depth)
    push = push + np.random.default_rng(5).normal(0, 0.003, len(push))
    rows = [f"{t / 10},{1e3 * p}" for t, p in zip(travel.tolist(), push.tolist(), strict=True)]
    measured.write_text("\n".join(["travel [cm],push [mN]", *rows]))
    code = main(
        [
            "mate",
            str(document),
            "--overlay",
            str(measured),
            "--fit",
            "touching.friction",
            "--plot",
            str(picture),
        ]
    )
    told = capsys.readouterr().out
    assert code == 0
    assert "touching.friction  0.13  0.1" in told or "touching.friction  0.13  0.099" in told
    assert "push    60" in told
    assert "measured beside calculated" in picture.read_text()


@pytest.fixture
def whitney() -> Callable[[Any], Any]:
    """F_z of two contacts over depth by Whitney's formula, and the carrier's travel, of `whitney_peg`."""

    def formula(depth: Any) -> Any:
        mu, clear, r, arm, across, tilt, off = 0.1, 0.02, 9.98, 45.0, 6.0, 30000.0, 0.6
        lean = -2 * clear / depth
        pull = across * (-clear - arm * lean - off)
        rim = (tilt * lean - pull * (arm - mu * r)) / depth
        push = mu * (2 * rim + pull)
        return push, 5 + 3.4641016151377546 + depth + r * lean + push / 1000

    return formula


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--shift", "3"], "--shift: needs a measured curve"),
        (["--fit", "touching.friction"], "--fit: needs a measured curve"),
        (["--overlay", "nowhere.csv"], "nowhere.csv"),
        (["--overlay", "m.csv", "--shift", "far"], "neither a number nor `fit`"),
        (["--overlay", "m.csv", "--fit", ","], "names no path"),
    ],
)
def test_flags_that_make_no_sense_are_refused(
    flags: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from detent.app import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.csv").write_text("travel [mm],push [N]\n10,0.3\n12,0.3")
    assert main(["mate", "whitney_peg", *flags]) == 2
    assert why in capsys.readouterr().err


def test_a_run_has_its_curve_laid_over_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A measured fall of 5 g t^2 / 10 over `run` of a falling block."""
    from detent.app import main

    document, measured = tmp_path / "fall.toml", tmp_path / "fall.csv"
    document.write_text(
        'format = "detent/1"\ngravity = [0, -10]\n[parts.block]\nshape.block = [1, 1, 1]\n'
        "mass = 1\ncenter = [0.5, 0.5]\ninertia = 1\n[ask.run]\nuntil = 1\n"
    )
    times = np.linspace(0.1, 0.9, 9)
    measured.write_text(curve(times, -5e3 * times**2 + 2, "time [s],block.y [mm]"))
    assert main(["run", str(document), "--overlay", str(measured)]) == 0
    told = capsys.readouterr().out
    assert "block.y  9       0.002 m" in told


def plateau(friction: float) -> float:
    """Of the O-ring of the example, 2 pi r0 mu p / (1 - mu²), p = c1 A + c2 A² at A = 0.15 mm [N]."""
    pressed = 16e6 * 0.15e-3 + 43e9 * 0.15e-3**2
    return 2 * math.pi * 0.010 * friction * pressed / (1 - friction**2)


def test_friction_of_a_ring_from_its_plateau() -> None:
    """Noisy forces in the bore, by the closed form at 0.3, against a document of 0.2."""
    machine = detent.load("oring").with_("touching.friction", 0.2)
    travel = np.linspace(5.5, 13.5, 25)
    force = plateau(0.3) + np.random.default_rng(2).normal(0, 0.2, len(travel))
    measured = read_measured(curve(travel, force, "travel [mm],push [N]"))
    fit, _ = fit_measured(machine, ["touching.friction"], measured, detent.mate)
    (value,) = fit.values
    assert value.low is not None
    assert value.high is not None
    assert value.low < 0.3 < value.high
    assert value.high - value.low < 0.002
