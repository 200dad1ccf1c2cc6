"""Rows that change with the motion: against gaps a moment before and after, and known heights of leaving.

The oracle moves every point of a part by its own integration and measures the gap of the moved shapes
by separating axes, or by Shapely: it shares no formula with the drift.
"""

import itertools
import json
import math

import numpy as np
import pytest
import shapely

from detent.app import main
from detent.contact.forces import consistent_modes, row_rates_of
from detent.contact.modes import modes
from detent.contact.touching import contacts_of
from detent.foundation import UnsupportedError
from detent.io import native
from detent.mechanics import Bodies, bias, held_rows, mass_matrix, weight

H = 1e-3  # [s] before and after now


def document(text, dimension=2):
    return native.loads_toml(f'format = "detent/1"\nunits = "1"\ndimension = {dimension}\n{text}')


def in_space(twist):
    twist = np.asarray(twist, float)
    return twist if len(twist) == 6 else np.array([twist[0], twist[1], 0, 0, 0, twist[2]])


def moved(points, velocity, acceleration, time):
    """Where points of a part are: v(t) = v + a t of the point at the origin, and its turn likewise."""
    x = np.array([np.pad(np.asarray(p, float), (0, 3 - len(p))) for p in points])

    def rate(t, x):
        now = in_space(velocity) + t * in_space(acceleration)
        return now[:3] + np.cross(now[3:], x)

    steps = 4
    h = time / steps
    for k in range(steps):
        t = k * h
        a = rate(t, x)
        b = rate(t + h / 2, x + h / 2 * a)
        c = rate(t + h / 2, x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + rate(t + h, x + h * c))
    return x


def second_rate(gap):
    return (gap(H) - 2 * gap(0) + gap(-H)) / H**2


def rate(value):
    return (value(H) - value(-H)) / (2 * H)


def split(vector, count):
    return np.asarray(vector, float).reshape(count, -1)


def kept(row, velocity):
    """The velocity without what it has along a row: the contact stays."""
    return velocity - row * (row @ velocity) / (row @ row)


# Two parts that touch once in the plane: each a polygon, or a disc as (centre, radius).
PLANE = {
    "a tip on an edge": ([(-4, -3), (4, 3), (5, -4)], [(0, 0), (-1, 5), (-3, 3)]),
    "an edge on a tip": ([(0, 0), (-1, -4), (2, -4)], [(-4, -3), (4, 3), (-5, 4)]),
    "a disc on an edge": ([(-4, -3), (4, 3), (5, -4)], ((-3, 4), 5)),
    "an edge on a disc": (((3, -4), 5), [(-4, -3), (4, 3), (-5, 4)]),
    "a disc on a disc": (((-1.5, -2), 2.5), ((3, 4), 5)),
    "a disc on a tip": ([(0, 0), (-1, -4), (2, -4)], ((3, 4), 5)),
    "a tip on a disc": (((-3, -4), 5), [(0, 0), (-1, 5), (2, 4)]),
}


def shape(given):
    if len(given) == 2:
        (x, y), r = given
        return f"pose.at = [{x}, {y}]\nshape.circle = {r}\n"
    return f"shape.outline = {[list(p) for p in given]}\n"


def plane_scene(name):
    a, b = PLANE[name]
    machine = document(f"[parts.a]\n{shape(a)}[parts.b]\n{shape(b)}")
    contacts = contacts_of(machine)
    assert len(contacts) == 1
    return machine, contacts, a, b


def placed(given, twist, acceleration, time):
    """A Shapely shape, and how far around it reaches."""
    if len(given) == 2:
        (centre,) = moved([given[0]], twist, acceleration, time)
        return shapely.Point(centre[:2]), given[1]
    return shapely.Polygon(moved(given, twist, acceleration, time)[:, :2]), 0


def plane_gap(a, b):
    """Signed: of rims by the distance of centres, else that of polygons, or how deep they are."""
    (one, r), (other, s) = a, b
    if one.distance(other) > 0:
        return one.distance(other) - r - s
    return -min(depth(one, other), depth(other, one)) - r - s


def depth(one, other):
    """How far a polygon reaches through the nearest side of another."""
    ring, points = np.array(other.exterior.coords), np.array(one.exterior.coords)
    if not other.exterior.is_ccw:
        ring = ring[::-1]
    sides = np.diff(ring, axis=0)
    normals = np.column_stack([sides[:, 1], -sides[:, 0]]) / np.linalg.norm(sides, axis=1)[:, None]
    return min(-((points - p) @ n).min() for p, n in zip(ring, normals, strict=False))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", PLANE)
def test_a_gap_in_the_plane_opens_at_the_rate_of_its_row_and_drift(name, seed):
    machine, contacts, a, b = plane_scene(name)
    random = np.random.default_rng(seed)
    row = contacts.floats.normal[0]
    velocity, acceleration = kept(row, random.normal(size=6)), random.normal(size=6)
    (drift, flat), size = row_rates_of(machine, contacts, velocity), np.linalg.norm(contacts.sites[0].normal)
    (v, w), (f, g) = split(velocity, 2), split(acceleration, 2)
    measured = second_rate(lambda t: plane_gap(placed(a, v, f, t), placed(b, w, g, t)))
    assert not flat
    assert (row @ acceleration + drift.normal[0]) / size == pytest.approx(measured, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", PLANE)
def test_slip_in_the_plane_grows_at_the_rate_of_its_row_and_drift(name, seed):
    """From a velocity at which the contact sticks, and rolls on: the slip where the parts then touch."""
    machine, contacts, a, b = plane_scene(name)
    random = np.random.default_rng(seed)
    float_rows = contacts.floats
    rows = np.concatenate([float_rows.normal, float_rows.tangent[0]])
    start = random.normal(size=6)
    velocity = start - np.linalg.pinv(rows) @ (rows @ start)
    acceleration = random.normal(size=6)
    drift, _ = row_rates_of(machine, contacts, velocity)
    # Touching goes on: the acceleration along the normal makes up for the drift.
    acceleration -= rows[0] * (rows[0] @ acceleration + drift.normal[0]) / (rows[0] @ rows[0])
    (v, w), (f, g) = split(velocity, 2), split(acceleration, 2)
    along = np.array(contacts.sites[0].tangents[0])

    def slip(t):
        at = np.append(meeting(a, b, (v, f), (w, g), t), 0.0)
        past = in_space(w + t * g) - in_space(v + t * f)
        return along @ (past[:3] + np.cross(past[3:], at))[:2]

    expected = float_rows.tangent[0][0] @ acceleration + drift.tangent[0][0]
    assert expected == pytest.approx(rate(slip), rel=1e-4, abs=1e-3)


def meeting(a, b, first, second, t):
    """Where two shapes touch, by hand: a tip, the foot of a centre on a side, or on the line of centres."""
    if len(a) == 2 and len(b) == 2:
        (p,), (q,) = moved([a[0]], *first, t), moved([b[0]], *second, t)
        return (p + (q - p) * a[1] / np.linalg.norm(q - p))[:2]
    tips = [(i, each, motion) for i, (each, motion) in enumerate(((a, first), (b, second))) if len(each) > 2]
    for _, each, motion in tips:
        if (0, 0) in each:
            return moved([(0, 0)], *motion, t)[0][:2]
    ((_, polygon, own),) = tips
    disc, other = (b, second) if polygon is a else (a, first)
    p, q = moved([(-4, -3), (4, 3)], *own, t)[:, :2]
    centre = moved([disc[0]], *other, t)[0][:2]
    return p + (q - p) * ((centre - p) @ (q - p)) / ((q - p) @ (q - p))


# Blocks that touch once in space: a corner on a face, a face on a corner, two edges that cross.
CORNER = '{ turn_deg = 45, about = "x" }, { turn_deg = -40, about = "y" }'
SPACE = {
    "a corner on a face": ("{ move = [-0.4, -0.6, -1] }", CORNER),
    "a face on a corner": (CORNER + ', { turn_deg = 180, about = "x" }', "{ move = [-0.4, -0.6, 0] }"),
    "crossing edges": (
        '{ move = [-0.5, 0, 0] }, { turn_deg = 225, about = "x" }',
        '{ move = [0, -0.4, 0] }, { turn_deg = -45, about = "y" }',
    ),
}


def space_scene(name):
    parts = "".join(
        f"[parts.{part}]\nshape = {{ block = [1, 1, 1], moves = [{moves}] }}\n"
        for part, moves in zip("ab", SPACE[name], strict=True)
    )
    machine = document(parts, 3)
    contacts = contacts_of(machine)
    assert len(contacts) == 1
    from detent.contact.touching import pieces_of

    poses = Bodies.of(machine).poses
    corners = [np.array(pieces_of(machine, n, poses[n])[0].points, float) for n in "ab"]
    return machine, contacts, corners


def widest(a, b):
    """The largest gap along any separating axis of two unit cubes, their corners in one order."""
    frames = [np.array([x[1] - x[0], x[3] - x[0], x[4] - x[0]]) for x in (a, b)]
    axes = [*frames[0], *frames[1], *(np.cross(u, v) for u in frames[0] for v in frames[1])]
    misses = []
    for axis in axes:
        size = np.linalg.norm(axis)
        for n in (axis / size, -axis / size) if size > 1e-9 else ():
            misses.append((b @ n).min() - (a @ n).max())
    return max(misses)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", SPACE)
def test_a_gap_in_space_opens_at_the_rate_of_its_row_and_drift(name, seed):
    machine, contacts, (a, b) = space_scene(name)
    random = np.random.default_rng(seed)
    row = contacts.floats.normal[0]
    velocity, acceleration = kept(row, random.normal(size=12)), random.normal(size=12)
    (drift, flat), size = row_rates_of(machine, contacts, velocity), np.linalg.norm(contacts.sites[0].normal)
    (v, w), (f, g) = split(velocity, 2), split(acceleration, 2)
    measured = second_rate(lambda t: widest(moved(a, v, f, t), moved(b, w, g, t)))
    assert not flat
    assert (row @ acceleration + drift.normal[0]) / size == pytest.approx(measured, rel=1e-4, abs=1e-4)


def through(corners):
    """The ends of the edge of a cube that holds the place of contact, the origin."""
    for p, q in itertools.combinations(corners, 2):
        if abs(np.linalg.norm(p) + np.linalg.norm(q) - 1) < 1e-9 and abs(np.linalg.norm(q - p) - 1) < 1e-9:
            return np.array([p, q])
    raise AssertionError


def place_in_space(name, corners, first, second, t):
    """Where two cubes touch: at the corner of one, or where the lines of two edges come nearest."""
    a, b = corners
    if name == "crossing edges":
        (p, q), (r, s) = moved(through(a), *first, t), moved(through(b), *second, t)
        share = np.linalg.lstsq(np.column_stack([q - p, r - s]), r - p, rcond=None)[0][0]
        return p + share * (q - p)
    return moved([(0, 0, 0)], *(second if name == "a corner on a face" else first), t)[0]


@pytest.mark.parametrize("sticks", [True, False])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", SPACE)
def test_slip_in_space_grows_at_the_rate_of_its_rows_and_drift(name, seed, sticks):
    """Also while it slides: the place of contact then moves on both parts."""
    machine, contacts, corners = space_scene(name)
    random = np.random.default_rng(seed)
    float_rows = contacts.floats
    rows = np.concatenate([float_rows.normal, float_rows.tangent[0]]) if sticks else float_rows.normal
    start = random.normal(size=12)
    velocity = start - np.linalg.pinv(rows) @ (rows @ start)
    acceleration = random.normal(size=12)
    drift, _ = row_rates_of(machine, contacts, velocity)
    (v, w), (f, g) = split(velocity, 2), split(acceleration, 2)

    def slip(t):
        past = w + t * g - v - t * f
        at = place_in_space(name, corners, (v, f), (w, g), t)
        return np.array(contacts.sites[0].tangents) @ (past[:3] + np.cross(past[3:], at))

    expected = float_rows.tangent[0] @ acceleration + drift.tangent[0]
    assert expected == pytest.approx(rate(slip), rel=1e-4, abs=1e-3)


# How far two points of parts are apart, and how their directions differ, as the joint holds it.
JOINTS = {
    "revolute": lambda a, b: [*(b[0] - a[0]), a[1] @ b[3], a[2] @ b[3]],
    "spherical": lambda a, b: [*(b[0] - a[0])],
    "cylindrical": lambda a, b: [a[1] @ (b[0] - a[0]), a[2] @ (b[0] - a[0]), a[1] @ b[3], a[2] @ b[3]],
    "planar": lambda a, b: [a[3] @ (b[0] - a[0]), a[1] @ b[3], a[2] @ b[3]],
    "prismatic": lambda a, b: [
        a[1] @ (b[0] - a[0]), a[2] @ (b[0] - a[0]), a[1] @ b[3], a[2] @ b[3], a[1] @ b[2] - a[2] @ b[1],
    ],
    "fixed": lambda a, b: [*(b[0] - a[0]), a[1] @ b[3], a[2] @ b[3], a[1] @ b[2] - a[2] @ b[1]],
}  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_of_turning_parts_holds_by_its_rows_and_drift(kind, seed):
    """Accelerations that the rows and drift allow leave what the joint holds at rest, to second order."""
    parts = "[parts.a]\nmass = 1\n[parts.b]\nmass = 1\n"
    joint = f'[joints.j]\ntype = "{kind}"\nbetween = ["a", "b"]\nat = [1, 2, 3]\nalong = [1, 2, 2]\n'
    machine = document(parts + joint, 3)
    rows = np.array(held_rows(Bodies.of(machine)), float)
    random = np.random.default_rng(seed)
    start, push = random.normal(size=12), random.normal(size=12)
    velocity = start - np.linalg.pinv(rows) @ (rows @ start)
    drift, _ = row_rates_of(machine, contacts_of(machine), velocity)
    acceleration = push - np.linalg.pinv(rows) @ (rows @ push + drift.held)
    axis = np.array([1.0, 2.0, 2.0]) / 3
    one = np.cross(axis, [1.0, 0, 0]) / np.linalg.norm(np.cross(axis, [1.0, 0, 0]))
    other = np.cross(axis, one)
    at = np.array([1.0, 2.0, 3.0])
    frame = [at, at + one, at + other, at + axis]
    (v, w), (f, g) = split(velocity, 2), split(acceleration, 2)

    def held(t):
        a, b = (moved(frame, *motion, t) for motion in ((v, f), (w, g)))
        return np.array(JOINTS[kind](*([x[0], *(x[1:] - x[0])] for x in (a, b))))

    assert second_rate(held) == pytest.approx(np.zeros(len(held(0))), abs=1e-4)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("units", ["1", "mm"])
def test_a_free_part_that_turns_keeps_its_momentum(dimension, units):
    """Without a load M a + h = 0 is the rate of its momentum and of its moment about the origin."""
    form = "prism" if dimension == 3 else "outline"
    outline = "[[1, 2], [4, 2], [3, 5]]"
    drawn = (
        f"shape.prism = {{ outline = {outline}, height = 2 }}"
        if form == "prism"
        else f"shape.outline = {outline}"
    )
    text = f"[parts.a]\n{drawn}\ndensity = 3\npose = {{ at = [1, -2], turn_deg = 30 }}\n"
    machine = native.loads_toml(f'format = "detent/1"\nunits = "{units}"\ndimension = {dimension}\n{text}')
    random = np.random.default_rng(1)
    size = 3 if dimension == 2 else 6
    velocity = random.normal(size=size)
    mass = mass_matrix(machine)
    acceleration = -np.linalg.solve(mass, bias(machine, velocity))
    # Moved on by a moment, the part has another mass matrix about the origin, and another velocity.
    velocity_in_space = in_space(velocity)

    def momentum(t):
        now = in_space(velocity + t * acceleration)
        turn = velocity_in_space[3:] * t
        angle = np.linalg.norm(turn)
        k = np.cross(turn / angle, np.eye(3)).T if angle else np.zeros((3, 3))
        rotation = np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k
        shift = velocity_in_space[:3] * t  # to first order in t, as far as a first rate sees
        cross = np.array([[0, -shift[2], shift[1]], [shift[2], 0, -shift[0]], [-shift[1], shift[0], 0]])
        whole = np.block(
            [[rotation, np.zeros((3, 3))], [cross @ rotation, rotation]]
        )  # carries wrenches along
        full = np.zeros((6, 6))
        keep = [0, 1, 5] if dimension == 2 else list(range(6))
        full[np.ix_(keep, keep)] = mass
        return (whole @ full @ whole.T @ now)[keep]

    scale = np.abs(momentum(0)).max()
    assert rate(momentum) / scale == pytest.approx(np.zeros(size), abs=1e-5)


def one_motion(machine, velocity, mu):
    mode_set = modes(contacts_of(machine))
    velocity = np.asarray(velocity, float)
    drift, _ = row_rates_of(machine, mode_set.contacts, velocity)
    mass, still = mass_matrix(machine), bias(machine, velocity)
    (only,) = consistent_modes(
        mode_set, mass, still, weight(machine), friction=mu, velocity=velocity, drift=drift, tolerance=1e-7
    )
    return only


LADDER = """
gravity = [0, -10]
[parts.floor]
fixed = true
shape.outline = [[-1, -1], [9, -1], [9, 0], [-1, 0]]
[parts.wall]
fixed = true
shape.outline = [[-1, 0], [0, 0], [0, 9], [-1, 9]]
[parts.ladder]
shape.outline = [[4, 0], [2.06, 1.58], [0, 3]]
mass = 2
center = [2, 1.5]
inertia = "25/6"
"""


def sliding_down(start):
    """The velocity of a ladder of length 5 at sine 0.6, let go at the sine `start`, without friction."""
    turn = math.sqrt(6 * (start - 0.6))  # 3 g / (2 l) with l = 5/2
    middle = np.array([1.5, -2.0]) * turn  # l (sin, -cos) times the turn
    return [*(middle - turn * np.array([-1.5, 2.0])).tolist(), turn]


@pytest.mark.parametrize(("start", "mode"), [(0.9 - 1e-3, "00"), (0.9 + 1e-3, "0+")])
def test_a_ladder_leaves_the_wall_at_two_thirds_of_its_height(start, mode):
    assert one_motion(document(LADDER), sliding_down(start), 0.0).text.startswith(mode)


@pytest.mark.parametrize(("start", "mode"), [(0.9 - 1e-3, "00"), (0.9 + 1e-3, "0+")])
def test_a_ladder_leaves_the_wall_on_the_command_line(start, mode, tmp_path, capsys):
    path = tmp_path / "ladder.toml"
    velocity = f"[ask.modes]\nload = {{}}\nvelocity = {{ ladder = {sliding_down(start)} }}\n"
    path.write_text(f'format = "detent/1"\n{LADDER}[touching]\nfriction = 0\n{velocity}')
    assert main(["modes", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["mode"][:2] for each in answer["consistent"]] == [mode]
    assert "surfaces are as drawn where contacts slide" in answer["assumptions"]


BALL = """
gravity = [0, -10]
[parts.hill]
fixed = true
pose.at = [0, -4]
shape.circle = 4
[parts.ball]
pose.at = [{x}, {y}]
shape.circle = 1
mass = 2
center = [0, 0]
inertia = 1
"""


@pytest.mark.parametrize(
    ("rolls", "leaves"),
    [(False, 2 / 3), (True, 4 / 7)],  # sliding without friction; rolling, a full disc
)
@pytest.mark.parametrize(("nudge", "mode"), [(+1e-3, "0"), (-1e-3, "+")])
def test_a_ball_leaves_a_round_hill_where_its_weight_no_longer_bends_its_way(rolls, leaves, nudge, mode):
    cosine = leaves + nudge
    sine = math.sqrt(1 - cosine**2)
    share = 2 / 3 if rolls else 1.0  # of the fallen height's energy, what is not in the turn
    speed = math.sqrt(2 * 10 * 5 * (1 - cosine) * share)
    turn = -speed if rolls else 0.0  # of radius 1, clockwise to the right
    centre = np.array([5 * sine, 5 * cosine - 4])
    centre_velocity = speed * np.array([cosine, -sine])
    velocity = [*(centre_velocity - turn * np.array([-centre[1], centre[0]])), turn]
    machine = document(BALL.format(x=float(centre[0]), y=float(centre[1])))
    motion = one_motion(machine, velocity, 1e6 if rolls else 0.0)
    assert motion.text.startswith(mode)
    if mode == "0":
        assert motion.state(0) == ("sticking" if rolls else "sliding")


def test_a_contact_that_no_feature_tells_of_is_refused_where_its_part_turns():
    text = "[parts.floor]\nfixed = true\n[parts.box]\nmass = 1\n[[contacts]]\n"
    text += 'between = ["floor", "box"]\npoint = [0, 0]\nnormal = [0, 1]\n'
    machine = document(text)
    contacts = contacts_of(machine)
    drift, flat = row_rates_of(machine, contacts, [1, 0, 0])
    assert flat
    assert drift.normal == [0.0]
    with pytest.raises(UnsupportedError, match=r"contact 0 \(floor:box\) turns, and no vertex"):
        row_rates_of(machine, contacts, [1, 0, 1])


@pytest.mark.parametrize(("nudge", "motions"), [(-1e-4, set()), (+1e-4, {"0|+", "+|."})])
def test_the_example_s_rod_lifts_by_itself_once_it_spins_fast_enough(nudge, motions, capsys):
    """Its centre stands 2 above the board: at 2 spin^2 = g its end is drawn up as fast as it falls."""
    spin = math.sqrt(9.81 / 2) * (1 + nudge)
    assert main(["modes", "painleve_rod", "--velocity", f"1,0,{spin}", "--json"]) == 0
    assert {each["mode"] for each in json.loads(capsys.readouterr().out)["consistent"]} == motions


SWINGING = """format = "detent/1"
gravity = [0, -9.81]
[touching]
friction = 0.5
ignore = ["floor:arm", "box:arm"]
[parts.floor]
fixed = true
shape.outline = [[-9, -1], [9, -1], [9, 0], [-9, 0]]
[parts.box]
shape.outline = [[0, 0], [2, 0], [2, 1], [0, 1]]
mass = 2
center = [1, 0.5]
inertia = 1
[parts.arm]
mass = 1
center = [1, 3]
inertia = 1
[joints.hinge]
type = "revolute"
between = ["box", "arm"]
at = [1, 1]
"""


@pytest.mark.parametrize("spin", [0, 1e-15, -1e-12, 1e-9, 1e-5])
def test_a_part_that_stands_but_for_rounding_carries_what_one_that_stands_does(spin, tmp_path, capsys):
    """An arm swings past the top of a box: the floor bears both, less what keeps the arm on its circle."""
    path = tmp_path / "swinging.toml"
    path.write_text(SWINGING)
    velocity = f"--velocity=0,0,{spin},0.7,-0.7,0.7"
    assert main(["modes", str(path), "--load", "0,0,0,0,0,0", velocity, "--tolerance", "1e-4", "--json"]) == 0
    (motion,) = json.loads(capsys.readouterr().out)["consistent"]
    assert motion["mode"] == "00|00"
    assert motion["normal"] == pytest.approx([(3 * 9.81 - 1 * 0.7**2 * 2) / 2] * 2, rel=1e-4)
