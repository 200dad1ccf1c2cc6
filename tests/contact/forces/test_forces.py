"""Forces of a mode, modes under given loads, and grasps, against thresholds known by hand."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog

from detent.contact import Contacts
from detent.contact.forces import balance, consistent_modes, force_cone
from detent.contact.modes import Budget, cone, modes, sliding_modes
from detent.foundation import ModelError, UnsupportedError
from detent.judge import grasp
from tests.contact.scenes import box_against_walls

MASS = np.diag([2.0, 2.0, 0.7])


def block(half=1.0, height=0.1):
    """A block on a floor in the plane, seen from its centre of mass."""
    return modes(Contacts.from_points([(-half, -height), (half, -height)], [(0, 1), (0, 1)]))


def weight(slope, mass=2.0, g=9.81):
    return mass * g * np.array([-math.sin(slope), -math.cos(slope), 0.0])


@pytest.mark.parametrize("slope", [0.1, 0.4, 1.0])
@pytest.mark.parametrize(("nudge", "holds"), [(+1e-6, True), (-1e-6, False)])
def test_a_block_can_stick_exactly_up_to_the_friction_angle(slope, nudge, holds):
    rest = block()["00|00"]
    assert balance(rest, weight(slope), friction=math.tan(slope) + nudge).possible is holds


@pytest.mark.parametrize("slope", [0.1, 0.4, 1.0])
@pytest.mark.parametrize(("nudge", "sticks"), [(+1e-4, True), (-1e-4, False)])
def test_a_block_on_a_slope_has_one_mode_and_it_changes_at_the_friction_angle(slope, nudge, sticks):
    mu = math.tan(slope) + nudge
    motions = consistent_modes(block(), MASS, np.zeros(3), weight(slope), friction=mu)
    assert [m.mode.text for m in motions] == ["00|00" if sticks else "00|--"]


def test_a_sliding_block_accelerates_by_what_friction_leaves():
    slope, mu = 0.5, 0.2
    (only,) = consistent_modes(block(), MASS, np.zeros(3), weight(slope), friction=mu)
    expected = -9.81 * (math.sin(slope) - mu * math.cos(slope))
    assert only.acceleration == pytest.approx([expected, 0, 0], abs=1e-6)
    assert sum(only.normal) == pytest.approx(2 * 9.81 * math.cos(slope), rel=1e-6)


@pytest.mark.parametrize(("height", "tips"), [(0.99, False), (1.01, True)])
def test_a_tall_block_tips_when_its_weight_leaves_the_base(height, tips):
    """At 45 degrees and with ample friction, the weight leaves the base at height = half width."""
    motions = consistent_modes(block(1.0, height), MASS, np.zeros(3), weight(math.pi / 4), friction=10.0)
    assert all((m.mode.text.partition("|")[0] == "0+") == tips for m in motions)
    assert len(motions) == 1


def test_bias_forces_count_against_applied_ones():
    load = weight(0.3)
    applied = consistent_modes(block(), MASS, np.zeros(3), load, friction=0.1)
    biased = consistent_modes(block(), MASS, -load, np.zeros(3), friction=0.1)
    assert [m.mode.text for m in applied] == [m.mode.text for m in biased]


def between_walls():
    """A disc between two upright walls."""
    return modes(Contacts.from_points([(-1, 0), (1, 0)], [(1, 0), (-1, 0)]))


def test_a_disc_between_walls_may_stick_or_fall_and_both_are_said():
    """Wedged or not, gravity alone does not say: the modes are several."""
    load = np.array([0.0, -1.0, 0.0])
    texts = {
        m.mode.text for m in consistent_modes(between_walls(), np.eye(3), np.zeros(3), load, friction=0.5)
    }
    assert "00|00" in texts
    assert len(texts) > 1
    without = consistent_modes(between_walls(), np.eye(3), np.zeros(3), load, friction=0.0)
    assert [m.mode.text for m in without] == ["00|+-"]  # tangents (0, -1) and (0, 1): it falls


def test_a_grasp_that_only_friction_between_walls_holds_is_not_stable():
    verdict = grasp(between_walls(), [0.0, -1.0, 0.0], friction=0.5)
    assert verdict.answer == "not stable"
    assert any("00|+-" in e.statement for e in verdict.evidence)


def test_a_box_on_the_ground_is_stable_and_lifted_it_is_in_no_equilibrium():
    mode_set = modes(box_against_walls(1))
    assert grasp(mode_set, [0, 0, -1, 0, 0, 0], friction=0.5).answer == "stable"
    assert grasp(mode_set, [0, 0, 1, 0, 0, 0], friction=0.5).answer == "no equilibrium"


@pytest.mark.parametrize(
    ("points", "normals", "load"),
    [
        ([(0, 0)], [(0, 1)], [0, -1, 1]),  # a rod on its tip, pushed round
        ([(0, 0, 0)], [(0, 0, 1)], [0, 0, -1, 1, 0, 0]),
        ([(0, 0, 0), (1, 0, 0)], [(0, 0, 1)] * 2, [0, 0, -1, 0.1, 0, 0]),  # it rolls about the line of both
    ],
)
def test_contacts_that_stick_while_the_body_turns_about_them_are_in_no_equilibrium(points, normals, load):
    verdict = grasp(modes(Contacts.from_points(points, normals, friction=0.5)), load)
    assert verdict.answer == "no equilibrium"


def test_a_body_that_nothing_touches_is_in_equilibrium_only_without_a_load():
    free = modes(Contacts.from_rows([], freedoms=3))
    assert grasp(free, [0, -1, 0]).answer == "no equilibrium"
    assert grasp(free, [0, 0, 0]).answer == "stable"


def test_a_grasp_is_judged_among_all_modes():
    steep = Contacts.from_points([(-1, 0), (1, 0)], [(0, 1)] * 2, friction=0.1)
    parts = (
        modes(steep, kind="contacting_separating"),
        modes(steep).where((0, "touching")),
        sliding_modes(steep, "00"),
    )
    for part in parts:
        with pytest.raises(UnsupportedError, match="judged among all modes"):
            grasp(part, weight(1.0))


@pytest.mark.parametrize(("planes", "space"), [(0, 2), (0, 3), (1, 3)])
def test_friction_in_directions_that_no_plane_divides_is_refused(planes, space):
    normal = (0,) * (space - 1) + (1,)
    mode_set = modes(Contacts.from_points([(0,) * space], [normal], planes=planes))
    load = [0.0] * mode_set.contacts.degrees
    load[space - 1] = -1.0
    rest = next(mode for mode in mode_set if not mode.signs.any())
    with pytest.raises(UnsupportedError, match="do not span its tangent plane"):
        balance(rest, load, friction=0.5)
    assert balance(rest, load, friction=0).possible


def test_rows_that_do_not_stand_at_even_angles_do_not_say_what_friction_does():
    askew = modes(Contacts.from_rows([[0, 0, 1]], [[[1, 0, 0], [0, 1, 0], [5, 1, 0]]]))["0|000"]
    with pytest.raises(UnsupportedError, match="do not say how the 3 planes"):
        balance(askew, [0, 0, -1], friction=0.5)


def test_friction_is_normal_force_times_its_coefficient_whatever_the_length_of_the_normal():
    for length in (1, 5):
        mode_set = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, length)], planes=4))
        for mode in mode_set.where((0, "touching")):
            for row in force_cone(mode, friction=0.3).generators:
                assert row[2] == pytest.approx(1.0)
                assert math.hypot(row[0], row[1]) == pytest.approx(0.3)


def test_sliding_friction_opposes_every_velocity_of_its_sector():
    mode_set = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=3))
    for mode in mode_set.where((0, "sliding")):
        for row in force_cone(mode, friction=1.0).generators:
            assert row[:2] @ mode.velocity[:2] < 0


@pytest.mark.parametrize("turn", range(8))
def test_friction_takes_energy_from_sliding_in_every_direction_of_the_plane(turn):
    c, s = math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)
    mode_set = modes(Contacts.from_points([(s, -c), (2 * c, s)], [(c, s), (-s, c)]))
    for mode in mode_set:
        generators = force_cone(mode, friction=0.7)
        for row, owner in zip(generators.generators, generators.owner, strict=True):
            if mode.state(int(owner)) == "sliding":
                assert row @ mode.velocity < 0


def test_forces_without_a_coefficient_are_refused():
    with pytest.raises(UnsupportedError, match="no friction coefficient"):
        balance(block()["00|00"], weight(0.1))


def test_a_load_or_a_mass_of_the_wrong_size_is_refused():
    with pytest.raises(ModelError, match="has 2 numbers, not 3"):
        balance(block()["00|00"], [1.0, 2.0], friction=1.0)
    with pytest.raises(ModelError, match="symmetric 3 x 3"):
        consistent_modes(block(), np.eye(2), np.zeros(3), np.zeros(3), friction=1.0)
    with pytest.raises(ModelError, match="positive definite"):
        consistent_modes(block(), np.diag([1.0, 1.0, 0.0]), np.zeros(3), np.zeros(3), friction=1.0)


@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e-9, 1e6])
@pytest.mark.parametrize(("uneven", "refused"), [(0.0, False), (1e-9, False), (1e-3, True)])
def test_a_matrix_is_symmetric_or_not_in_any_unit_of_length(unit, uneven, refused):
    """The same block in other units: mass times length and length squared get other numbers."""
    scale = np.array([1.0, 1.0, unit])
    inertia = np.array([[2.0, 0.0, 0.3], [0.0, 2.0, 0.1 * (1 + uneven)], [0.3, 0.1, 0.7]])
    matrix = inertia * np.outer(scale, scale)
    still = np.zeros(3)
    asked = {
        "mass": lambda: consistent_modes(block(), matrix, still, still, friction=1.0),
        "metric": lambda: cone(block()["00|00"]).project(np.ones(3), metric=matrix),
    }
    for at, ask in asked.items():
        if refused:
            with pytest.raises(ModelError, match=f"{at}: is not a symmetric 3 x 3 matrix"):
                ask()
        else:
            ask()


@pytest.mark.parametrize("seed", range(12))
def test_forces_balance_a_load_just_when_a_program_over_the_friction_cones_says_so(seed):
    """A planar body with three contacts; edges of the cones written out by hand."""
    random = np.random.default_rng(seed)
    points, mu = random.uniform(-1, 1, (3, 2)), 0.4
    angles = random.uniform(0, 2 * np.pi, 3)
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    mode_set = modes(Contacts.from_points(points.tolist(), normals.tolist(), friction=mu))
    rest = mode_set["000|000"]
    edges = []
    for (x, y), (a, b) in zip(points, normals, strict=True):
        for turn in (mu, -mu):
            fx, fy = a - turn * b, b + turn * a
            edges.append([fx, fy, x * fy - y * fx])
    answers = set()
    for load in random.normal(size=(20, 3)):
        for scale in (1.0, 1e-9, 1e6):
            program = linprog(np.zeros(6), A_eq=np.array(edges).T, b_eq=-load, bounds=(0, None))
            assert balance(rest, scale * load).possible == (program.status == 0)
            answers.add(program.status == 0)
    assert False in answers


def test_a_load_however_small_needs_forces():
    free = modes(Contacts.from_points([(0, 0)], [(0, 1)], friction=0.5))["+|."]
    assert not balance(free, [0, 1e-12, 0]).possible
    assert balance(free, [0, 0, 0]).possible


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda m: balance(m, [0, float("nan"), 0]), "wrench: holds a number that is not finite"),
        (lambda m: balance(m, [0, 1, 0], friction=-1), "friction: a coefficient is negative"),
        (lambda m: cone(m).project([float("inf"), 0, 0]), "goal: holds a number that is not finite"),
        (lambda m: consistent_modes(m.modes, np.eye(3), [0, 0, 0], [0, float("nan"), 0]), "applied: holds"),
        (lambda m: balance(m, [0, 1e300, 0]), r"wrench: holds a number beyond 1e\+100"),
        (lambda m: balance(m, [0, 10**400, 0]), r"wrench: holds a number beyond 1e\+100"),
        (lambda m: cone(m).project([1e300, 0, 0]), r"goal: holds a number beyond 1e\+100"),
        (
            lambda m: consistent_modes(m.modes, np.eye(3), [0, 0, 0], [0, 1e300, 0]),
            "applied: holds .* beyond",
        ),
        (lambda m: balance(m, "abc"), "wrench: 'abc' is not a list of numbers"),
        (lambda m: balance(m, [0, 1, 0], friction=[0.1, 0.2]), "friction: 2 coefficients for 1 contacts"),
        (lambda m: cone(m).project([0, 1, 0], metric=-np.eye(3)), "metric: is not positive definite"),
        (lambda m: cone(m).project([0, 1, 0], metric=np.triu(np.ones((3, 3)))), "metric: is not a symmetric"),
        (lambda m: cone(m).project([0, 1, 0], metric=np.full((3, 3), np.nan)), "metric: is not a symmetric"),
        (lambda m: cone(m).project([0, 1, 0], metric="heavy"), "metric: is not a symmetric"),
        (
            lambda m: consistent_modes(m.modes, [[1], [1, 2]], [0, 0, 0], [0, 0, 0]),
            "mass: is not a symmetric",
        ),
        (lambda m: cone(m).holds([1]), "velocity: has 1 numbers, not 3"),
        (lambda m: cone(m).sample(-1), "count: -1 samples"),
        (lambda m: Budget(memory=0), "memory: 0 bytes hold no list"),
        (lambda m: Budget(seconds=-1.0), "seconds: -1.0 is not a time"),
        (
            lambda m: Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=-1),
            "planes: -1 is not a number of dividing",
        ),
        (lambda m: Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=10**5), "planes: .* at most 1000"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(ask, said):
    with pytest.raises(ModelError, match=said):
        ask(modes(Contacts.from_points([(0, 0)], [(0, 1)], friction=0.5))["0|0"])


@pytest.mark.parametrize("angle", np.linspace(0.0, math.pi, 9).tolist())
@pytest.mark.parametrize(("nudge", "holds"), [(+1e-5, True), (-1e-5, False)])
def test_a_foot_on_a_slope_sticks_up_to_the_friction_angle_whichever_way_the_slope_falls(angle, nudge, holds):
    """Coulomb's cone is round; three points of a foot so that it cannot turn."""
    points = [(1, 0, 0), (-1, 1, 0), (-1, -1, 0)]
    foot = modes(Contacts.from_points(points, [(0, 0, 1)] * 3, friction=0.5), kind="all").of("000")
    rest = next(mode for mode in foot if not mode.signs.any())
    pull = 0.5 - nudge
    load = [pull * math.cos(angle), pull * math.sin(angle), -1.0, 0.0, 0.0, 0.0]
    assert balance(rest, load).possible is holds


@pytest.mark.parametrize("seed", range(6))
def test_forces_in_space_are_those_of_round_cones(seed):
    """Inside many-sided pyramids in the cones a load is held; outside pyramids around them it is not."""
    random = np.random.default_rng(seed)
    count, mu, sides = 1 + seed % 4, 0.4, 180
    points, normals = random.uniform(-1, 1, (count, 3)), random.normal(size=(count, 3))

    def edges(reach):
        forces = []
        for point, normal in zip(points, normals / np.linalg.norm(normals, axis=1)[:, None], strict=True):
            _, u, v = np.linalg.svd(normal[None])[2]
            for turn in 2 * np.pi * np.arange(sides) / sides:
                force = normal + reach * mu * (math.cos(turn) * u + math.sin(turn) * v)
                forces.append([*force, *np.cross(point, force)])
        return np.array(forces)

    inner, outer = edges(1.0), edges(1.0 / math.cos(math.pi / sides))
    mode_set = modes(Contacts.from_points(points.tolist(), normals.tolist(), friction=mu)).of("0" * count)
    rest = next(mode for mode in mode_set if not mode.signs.any())
    decided = []
    for trial in range(8):
        pushes = inner[np.arange(count) * sides + random.integers(0, sides, count)]
        load = -random.exponential(size=count) @ pushes
        load = load + (0.1 * random.normal(size=6) if trial >= 4 else 0.0)
        held, may = (
            linprog(np.zeros(len(g)), A_eq=g.T, b_eq=-load, bounds=(0, None)).status == 0
            for g in (inner, outer)
        )
        if held == may:
            assert balance(rest, load).possible is held
            decided.append(held)
    assert sum(decided) >= 4  # the first four loads are made of forces that the contacts can give


STATES = {"+.": None, "00": 0, "0+": 1, "0-": -1}  # signs of normal and plane: slip, None while separating


def consistent_by_programs(points, normals, mu, mass, force):
    """Every combination of states, one linear program each: how far its strict signs can hold."""
    accelerations = {}
    for states in itertools.product(STATES, repeat=len(points)):
        columns, zero, positive = [], [], []
        for (x, y), (a, b), state in zip(points, normals, states, strict=True):
            normal, across = np.array([a, b, x * b - y * a]), np.array([b, -a, -x * a - y * b])
            slip = STATES[state]
            if slip is None:
                positive.append(normal)
                continue
            zero.append(normal)
            if slip:
                positive.append(slip * across)
                columns.append(normal - slip * mu * across)
            else:
                zero.append(across)
                columns += [normal + mu * across, normal - mu * across]
        p = len(columns)
        motion = np.hstack([mass, -np.array(columns).reshape(p, 3).T, np.zeros((3, 1))])
        still = np.hstack([np.array(zero).reshape(-1, 3), np.zeros((len(zero), p + 1))])
        signs = np.hstack([-np.array(positive).reshape(-1, 3), np.zeros((len(positive), p))])
        program = linprog(
            np.r_[np.zeros(3 + p), -1.0],
            A_eq=np.vstack([motion, still]),
            b_eq=np.r_[force, np.zeros(len(zero))],
            A_ub=np.hstack([signs, np.ones((len(positive), 1))]) if positive else None,
            b_ub=np.zeros(len(positive)) if positive else None,
            bounds=[(None, None)] * 3 + [(0, None)] * p + [(0, 1)],
        )
        if program.status == 0:
            text = "".join(s[0] for s in states) + "|" + "".join(s[1] for s in states)
            accelerations[text] = -program.fun
    return accelerations


def test_consistent_modes_are_those_of_one_program_a_combination_of_states():
    several = 0
    for seed in range(25):
        random = np.random.default_rng(seed)
        count, mu = 2 + seed % 2, float(random.uniform(0.1, 2.5))
        points = random.uniform(-1, 1, (count, 2))
        angles = random.uniform(0, 2 * np.pi, count)
        normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        force = random.normal(size=3)
        mode_set = modes(Contacts.from_points(points.tolist(), normals.tolist(), friction=mu))
        texts = {motion.mode.text for motion in consistent_modes(mode_set, MASS, np.zeros(3), force)}
        margins = consistent_by_programs(points, normals, mu, MASS, force)
        assert texts == {text for text, margin in margins.items() if margin > 1e-6}, seed
        several += len(texts) > 1
    assert several  # large friction leaves more than one answer
