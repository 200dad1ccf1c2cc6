"""Contacts in motion: consistent modes at a given velocity, against closed forms."""

import math

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.forces import RowRates, consistent_modes
from detent.contact.modes import modes, sliding_modes
from detent.foundation import ModelError, UnsupportedError
from tests.contact.scenes import box_against_walls

G = 9.81


def particle(planes=2, slope=0.0, **given):
    """A point of unit mass on a plane in space; the plane is level, gravity leans."""
    tangents = {"tangents": given["tangents"]} if "tangents" in given else {"planes": planes}
    mode_set = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], **tangents))
    return mode_set, G * np.array([math.sin(slope), 0, -math.cos(slope), 0, 0, 0])


def moved(found, load, velocity, mu, **more):
    mass = np.eye(found.contacts.degrees)
    return consistent_modes(found, mass, 0 * load, load, friction=mu, velocity=velocity, **more)


@pytest.mark.parametrize("mu", [0.0, 0.3, 2.0])
def test_a_block_sliding_on_a_floor_slows_down_by_mu_g(mu):
    mode_set = modes(Contacts.from_points([(-1, -0.1), (1, -0.1)], [(0, 1), (0, 1)]))
    (only,) = moved(mode_set, np.array([0, -G, 0.0]), [2.0, 0, 0], min(mu, 5.0))
    assert only.text == "00|++"
    assert only.acceleration == pytest.approx([-mu * G, 0, 0], abs=1e-6)
    assert sum(only.normal) == pytest.approx(G)


def test_a_high_block_that_slides_trips_over_its_leading_edge():
    """Friction mu g at height h below the centre tips it about the edge in front at mu h > half its width."""
    for height, trips in ((1.9, False), (2.1, True)):
        mode_set = modes(Contacts.from_points([(-1, -height), (1, -height)], [(0, 1), (0, 1)]))
        motions = moved(mode_set, np.array([0, -G, 0.0]), [1.0, 0, 0], 0.5)
        assert [m.text for m in motions] == ["+0|.+" if trips else "00|++"]


@pytest.mark.parametrize("slope", [0.2, 0.6])
@pytest.mark.parametrize("nudge", [-0.05, 0.05])
@pytest.mark.parametrize("speed", [-1.0, 0.0, 1.0])
def test_a_block_on_a_slope_in_all_its_regimes(slope, nudge, speed):
    """Downhill is +x: sliding up it slows by sin + mu cos, down by mu cos - sin; at rest it sticks or not."""
    mu = math.tan(slope) + nudge
    mode_set = modes(Contacts.from_points([(0, 0)], [(0, 1)], tangents=[[(1, 0)]]))
    load = G * np.array([math.sin(slope), -math.cos(slope), 0])
    (only,) = moved(mode_set, load, [speed, 0, 0], mu)
    push = math.sin(slope) - np.sign(speed) * mu * math.cos(slope)
    if speed == 0:
        push = max(0.0, math.sin(slope) - mu * math.cos(slope))
    assert only.acceleration == pytest.approx([G * push, 0, 0], abs=1e-5)
    assert only.text == {-1.0: "0|-", 1.0: "0|+", 0.0: "0|0" if nudge > 0 else "0|+"}[speed]


@pytest.mark.parametrize("angle", np.linspace(0, 2 * math.pi, 17)[:-1] + 0.1)
@pytest.mark.parametrize("planes", [2, 3, 5])
def test_friction_opposes_the_sliding_itself_however_the_sectors_lie(angle, planes):
    """How directions are divided must not show in the force of a contact that slides already."""
    turns = [0.3 + k * math.pi / planes for k in range(planes)]
    tangents = [[(math.cos(turn), math.sin(turn), 0.0) for turn in turns]]
    mode_set, load = particle(tangents=tangents)
    along = np.array([math.cos(angle), math.sin(angle), 0, 0, 0, 0])
    (only,) = moved(mode_set, load, 3 * along, 0.4)
    assert only.acceleration == pytest.approx(-0.4 * G * along, abs=1e-5)
    assert only.mode.state(0) == "sliding"
    assert (only.signs[1:] == np.sign(np.array(tangents[0]) @ along[:3])).all()


@pytest.mark.parametrize(("side", "sign"), [(1.0, "+"), (-1.0, "-"), (0.0, "0")])
def test_a_push_across_the_sliding_turns_it_into_a_sector_but_not_the_friction(side, sign):
    mode_set, load = particle(2)
    (only,) = moved(mode_set, load + side * np.eye(6)[1], [1.0, 0, 0, 0, 0, 0], 0.5)
    assert only.text == f"0|+{sign}"
    assert only.acceleration == pytest.approx([-0.5 * G, side, 0, 0, 0, 0], abs=1e-5)


def test_a_contact_that_separates_carries_nothing_and_asks_for_nothing():
    mode_set, load = particle()
    (only,) = moved(mode_set, load, [1.0, 0, 1e-3, 0, 0, 0], 0.5)
    assert only.text == "+|.."
    assert only.acceleration == pytest.approx(load)
    assert only.normal == (0.0,)


def test_on_a_merry_go_round_a_point_slides_off_beyond_mu_g_over_r():
    """A contact at rest on ground that carries it round: its drift is the centripetal acceleration."""
    mode_set, load = particle(2)
    for spin, sticks in ((math.sqrt(0.4 * G) - 1e-3, True), (math.sqrt(0.4 * G) + 1e-3, False)):
        outward = RowRates(tangent=[[spin**2, 0.0]])  # in the turning frame, seen from a point at x = 1
        (only,) = moved(mode_set, load, None, 0.4, drift=outward)
        assert only.text == ("0|00" if sticks else "0|+0")


@pytest.mark.parametrize(("speed", "lifts"), [(math.sqrt(G) - 1e-4, False), (math.sqrt(G) + 1e-4, True)])
def test_a_point_leaves_a_round_hill_at_the_speed_at_which_it_weighs_nothing(speed, lifts):
    """On top of a hill of radius 1 the gap opens by v^2 / r without any acceleration."""
    mode_set = modes(Contacts.from_rows([[0.0, 1.0]], [[[1.0, 0.0]]]))
    curve = RowRates(normal=[speed**2])
    (only,) = moved(mode_set, np.array([0, -G]), [speed, 0.0], 0.3, drift=curve)
    assert only.text == ("+|." if lifts else "0|+")
    pressed = max(0.0, G - speed**2)
    assert only.normal == pytest.approx((pressed,), abs=1e-5)
    assert only.acceleration == pytest.approx([-0.3 * pressed, -min(speed**2, G)], abs=1e-4)


def test_two_contacts_on_one_spot_part_where_one_surface_curves_away():
    """No velocity tells them apart, drift does: the motion is said though no mode has its signs."""
    mode_set = modes(Contacts.from_rows([[0.0, 1.0], [0.0, 1.0]], [[[1.0, 0.0]], [[1.0, 0.0]]]))
    assert not any(text.startswith("0+") for text in mode_set.texts)
    (only,) = moved(mode_set, np.array([0, -G]), [1.0, 0.0], 0.1, drift=RowRates(normal=[0.0, 2.0]))
    assert only.text == "0+|+."
    assert (only.state(0), only.state(1)) == ("sliding", "separating")
    with pytest.raises(ModelError, match="the change of the rows brings them about"):
        _ = only.mode
    assert (
        moved(
            mode_set.where((0, "touching")),
            np.array([0, -G]),
            [1.0, 0.0],
            0.1,
            drift=RowRates(normal=[0.0, 2.0]),
        )
        == []
    )


def test_joints_that_turn_pull_inwards_by_their_drift():
    """A bead on a rod that turns about the origin: held to the rod's line, it meets the stop at its end."""
    spin = 3.0
    held = [[0.0, 1.0]]  # across the rod, now along x; the bead is at x = 1 and moves along with the rod
    mode_set = modes(Contacts.from_rows([[-1.0, 0.0]], [[]], held=held))
    outward = RowRates(held=[0.5], normal=[spin**2])
    (only,) = moved(mode_set, np.array([0.0, 0.0]), None, 0.0, drift=outward)
    assert only.text == "+|"
    assert only.acceleration == pytest.approx([0, -0.5], abs=1e-6)
    (only,) = moved(mode_set, np.array([10.0, 0.0]), None, 0.0, drift=outward)
    assert only.text == "0|"
    assert only.acceleration == pytest.approx([spin**2, -0.5], abs=1e-5)
    assert only.normal == pytest.approx((1.0,), abs=1e-5)


def test_what_joints_ask_for_pulls_along_what_inertia_couples_to_it():
    """2 ax + ay / 2 = f while a joint makes ay = -1/2."""
    mode_set = modes(Contacts.from_rows([[-1.0, 0.0]], [[]], held=[[0.0, 1.0]]))
    mass = np.array([[2.0, 0.5], [0.5, 1.0]])
    drift = RowRates(held=[0.5], normal=[9.0])
    (only,) = consistent_modes(mode_set, mass, np.zeros(2), [3.0, 0.0], friction=0.0, drift=drift)
    assert only.acceleration == pytest.approx([3.25 / 2, -0.5], abs=1e-7)


def rod(theta, spin, mu, *, slides=1.0, length=1.0):
    """A uniform rod of unit mass; its lower end slides on the floor ahead of its centre, like chalk.

    Coordinates are the centre and the turn; the end is at length (cos, -sin) of theta from the centre.
    """
    x, y = length * math.cos(theta), -length * math.sin(theta)
    mode_set = modes(Contacts.from_rows([[0.0, 1.0, x]], [[[1.0, 0.0, -y]]]))
    drift = RowRates(normal=[-(spin**2) * y], tangent=[[-(spin**2) * x]])
    velocity = [slides + spin * y, -spin * x, spin]  # the end moves along the floor only
    mass = np.diag([1.0, 1.0, length**2 / 3])
    load = np.array([0.0, -G, 0.0])
    return consistent_modes(mode_set, mass, np.zeros(3), load, friction=mu, velocity=velocity, drift=drift)


def worst(theta):
    """The friction at which the rod's end no longer gives way to a push: 1 + 3 cos (cos - mu sin) = 0."""
    return (1 + 3 * math.cos(theta) ** 2) / (3 * math.sin(theta) * math.cos(theta))


@pytest.mark.parametrize("theta", [0.7, math.atan(2.0), 1.3])
@pytest.mark.parametrize(("above", "fast", "expected"), [
    (False, False, {"0|+"}), (False, True, {"+|."}), (True, False, set()), (True, True, {"0|+", "+|."}),
])  # fmt: skip
def test_painleves_rod_has_one_motion_none_or_two_on_either_side_of_its_thresholds(
    theta, above, fast, expected
):
    """spin^2 sin - g says whether the end would lift by itself, the inertia factor whether a push helps."""
    mu = worst(theta) * (1 + (1e-4 if above else -1e-4))
    spin = math.sqrt(G / math.sin(theta)) * (1 + (1e-4 if fast else -1e-4))
    mode_set = rod(theta, spin, mu)
    assert {m.text for m in mode_set} == expected
    for motion in mode_set:
        inertia = 1 + 3 * math.cos(theta) * (math.cos(theta) - mu * math.sin(theta))
        free = spin**2 * math.sin(theta) - G
        force = 0.0 if motion.text == "+|." else -free / inertia
        assert motion.normal == pytest.approx((force,), rel=1e-4, abs=1e-6)
    assert len(rod(theta, spin, mu, slides=-1.0)) == 1  # trailing behind, it never jams


@pytest.mark.parametrize("mu", [1.3, 4 / 3 + 1e-4, 1.6, 3.0])
def test_painleves_rod_jams_in_a_window_of_angles_that_opens_at_four_thirds(mu):
    """tan^2 - 3 mu tan + 4 = 0 bounds the angles; below mu = 4/3 it has no root."""
    inside = 9 * mu * mu - 16
    if inside < 0:
        assert all(len(rod(theta, 0.1, mu)) == 1 for theta in np.linspace(0.02, 1.55, 60))
        return
    low, high = (math.atan((3 * mu + s * math.sqrt(inside)) / 2) for s in (-1, 1))
    nudge = 1e-4 * (high - low)
    for theta, count in ((low - nudge, 1), (low + nudge, 0), (high - nudge, 0), (high + nudge, 1)):
        assert len(rod(theta, 0.1, mu)) == count


@pytest.mark.parametrize(
    ("velocity", "said"),
    [
        (
            [1.0, -0.5, 0.0],
            r"velocity: contact 0 closes at 0\.5 per second, .*: an impact, which is not a contact mode;"
            r" .*after",
        ),
        ([1.0, 0.0], "velocity: has 2 numbers, not 3"),
        ([1.0, 0.0, float("nan")], "velocity: holds a number that is not finite"),
        ([1e300, 0.0, 0.0], "velocity: holds a number beyond"),
    ],
)
def test_velocities_that_are_none_of_the_contacts_are_refused(velocity, said):
    mode_set = modes(Contacts.from_points([(0, 0)], [(0, 3)]))
    with pytest.raises(ModelError, match=said):
        moved(mode_set, np.zeros(3), velocity, 0.1)


def test_a_velocity_that_breaks_a_joint_is_refused():
    mode_set = modes(Contacts.from_points([(0, 0)], [(0, 1)], held=[[0, 0, 2.0]]))
    with pytest.raises(ModelError, match=r"velocity: joint row 0 moves at 0\.2.*joints allow"):
        moved(mode_set, np.zeros(3), [0, 0, 0.1], 0.1)


@pytest.mark.parametrize(
    ("drift", "said"),
    [
        (RowRates(normal=[1.0, 2.0]), "drift.normal: has 2 numbers, not 1"),
        (RowRates(tangent=[]), "drift.tangent: 0 lists for 1 contacts"),
        (RowRates(tangent=[[1.0, 2.0]]), "drift.tangent.0: has 2 numbers, not 1"),
        (RowRates(held=[1.0]), "drift.held: has 1 numbers, not 2"),
        (RowRates(held=[1.0, 1.0]), r"drift.held: joint row \d contradicts"),
    ],
)
def test_a_drift_that_fits_no_row_is_refused(drift, said):
    mode_set = modes(Contacts.from_points([(0, 0)], [(0, 1)], held=[[0, 0, 1.0], [0, 0, 2.0]]))
    with pytest.raises(ModelError, match=said):
        moved(mode_set, np.zeros(3), None, 0.1, drift=drift)


def test_speeds_below_the_tolerance_are_rest():
    mode_set, load = particle()
    (sticks,) = moved(mode_set, load, [1.0, 0, 0, 0, 0, 1.0], 0.5, tolerance=0.9)
    assert sticks.text == "0|00"
    (slides,) = moved(mode_set, load, [1e-3, 0, 0, 0, 0, 1.0], 0.5)
    assert slides.text == "0|+0"


def test_a_tolerance_that_makes_signs_no_velocity_has_is_said():
    """Three fingers around a disc never lift: one lifting and none closing is not a velocity."""
    normals = [(math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)) for k in range(3)]
    mode_set = modes(Contacts.from_points([(-x, -y) for x, y in normals], normals))
    with pytest.raises(ModelError, match=r"velocity: counting small speeds as zero leaves the signs \+00"):
        moved(mode_set, np.zeros(3), [0.15, 0.0, 1.0], 0.5, tolerance=0.1)


def test_a_filtered_set_answers_for_its_own_modes():
    mode_set, load = particle()
    velocity = [1.0, 0, 0, 0, 0, 0]
    assert [m.text for m in moved(sliding_modes(mode_set.contacts, "0"), load, velocity, 0.5)] == ["0|+0"]
    assert moved(sliding_modes(mode_set.contacts, "+"), load, velocity, 0.5) == []
    assert moved(mode_set.where((0, "separating")), load, velocity, 0.5) == []


def test_contacting_separating_modes_keep_the_friction_of_what_slides():
    """One that slides already has its friction; of one that is still, these modes do not tell it."""
    contacts = Contacts.from_points([(0, 0, 0)], [(0, 0, 1)])
    mode_set = modes(contacts, kind="contacting_separating")
    (only,) = moved(mode_set, np.array([0, 0, -G, 0, 0, 0]), [0, 2.0, 0, 0, 0, 0], 0.5)
    assert only.text == "0"
    assert only.acceleration == pytest.approx([0, -0.5 * G, 0, 0, 0, 0], abs=1e-5)
    pushed = np.array([0, 2.0, -G, 0, 0, 0])
    with pytest.raises(UnsupportedError, match="do not tell how it slides"):
        moved(mode_set, pushed, None, 0.5)
    (smooth,) = moved(mode_set, pushed, None, 0.0)
    assert smooth.acceleration == pytest.approx([0, 2.0, 0, 0, 0, 0], abs=1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_contact_forces_never_give_energy_to_what_moves(seed):
    """Power of all contact forces at the present velocity: normal forces do none, friction takes."""
    random = np.random.default_rng(seed)
    mode_set = modes(box_against_walls(1))
    load = np.r_[random.normal(size=2), -3.0, random.normal(size=3)]
    velocity = np.r_[random.normal(size=2), 0, 0, 0, random.normal()]
    motions = moved(mode_set, load, velocity, 0.6)
    assert motions
    for motion in motions:
        power = velocity @ (motion.acceleration - load)
        assert power <= 1e-7
        assert (
            power < -0.1 * sum(motion.normal) * 0.6 * np.abs(velocity[:2]).min() or sum(motion.normal) < 1e-6
        )


@pytest.mark.parametrize("seed", range(4))
def test_a_sliding_box_on_four_feet_slows_and_turns_as_the_sum_of_its_feet(seed):
    """Four true Coulomb forces, known once the normal forces are: no sector shows in the acceleration."""
    random = np.random.default_rng(seed)
    contacts = box_against_walls(1)
    mode_set = modes(contacts)
    velocity = np.r_[random.normal(size=2), 0, 0, 0, random.normal()]
    for motion in moved(mode_set, np.array([0, 0, -5.0, 0, 0, 0]), velocity, 0.2):
        total = np.zeros(6)
        for site, push in zip(contacts.sites, motion.normal, strict=True):
            point = np.array(site.point)
            slip = velocity[:3] + np.cross(velocity[3:], point)
            force = push * np.array([0, 0, 1.0]) - 0.2 * push * slip / np.linalg.norm(slip)
            total += np.r_[force, np.cross(point, force)]
        assert motion.acceleration == pytest.approx(np.array([0, 0, -5.0, 0, 0, 0]) + total, abs=1e-5)
