"""Round pegs above holes: on an isotropic carrier, on the PUMA. Lengths in mm."""

import detent

PEG = "{ cylinder = { radius = 19.95, height = 120 }, edges = [{ face = '+z', round = 4 }] }"
HOLE = "{ cylinder = { radius = 20, height = 110 }, edges = [{ face = '-z', round = -6 }] }"


def carrier(
    *,
    peg=PEG,
    hole=HOLE,
    offset=(2.1, 1.3),
    friction=0.1,
    speed=45,
    until=2.6,
    turn=4521,
    way=80,
    depth="",
    tilt=(0, 0),
):
    """4 mm above the hole, on springs that are the same all round, 0.3 m above the tip."""
    x, y = offset
    about = ", ".join(
        f"{{ turn_deg = {a}, about = '{k}', at = [{x}, {y}, -304] }}"
        for k, a in zip("xy", tilt, strict=True)
        if a
    )
    turned = f", {about}" if about else ""
    moved = peg[:-1] + f", moves = [{{ move = [{x}, {y}, -124] }}{turned}] }}"
    return detent.loads(
        f"""
format = "detent/1"
units = "mm"
dimension = 3
[parts.carrier]
[parts.peg]
shape = {moved}
mass = 2.5
center = [{x}, {y}, -304]
principal = [0.01, 0.01, 0.006]
[parts.plate]
fixed = true
shape.difference = [{{ block = [150, 150, 120], moves = [{{ move = [-75, -75, 0] }}] }}, {hole}]
[joints.grip]
type = "elastic"
between = ["carrier", "peg"]
at = [{x}, {y}, -304]
stiffness = [25000, 25000, 60000, {turn}, {turn}, {turn}]
damping = [300, 300, 464.758, 8.0686, 8.0686, 6.2499]
[drives.insert]
part = "carrier"
legs = [{{ velocity = [0, 0, {speed}], distance = {way}, ramp = {10 * speed} }}]
[touching]
friction = {friction}
restitution = 0
[ask.mate]
method = "rigid"
until = {until}
{depth}
"""
    )


def puma(*, friction=0.05, wrist=5000, beside=-43.309777):
    """The paper's working point; the hole's axis `beside` the base plane's x axis."""
    return detent.loads(
        f"""
format = "detent/1"
units = "mm"
dimension = 3
gravity = [0, 0, -9.81]
[parts.robot]
library = "puma560"
[parts.robot.set]
working_point_deg = [-8.4, -152.8, 17.9, 0, -44.9, -8.4]
gear_stiffness = [30000, 45000, 36000]
gear_damping_ratio = 0.03
position_gain = [150000, 225000, 180000, {wrist}, {wrist}, {wrist}]
gain_damping_ratio = 0.7
[parts.peg]
pose.on = "robot.flange"
shape = {PEG[:-1]}, moves = [{{ move = [0, 0, 180] }}] }}
mass = 2.5
center = [0, 0, 200]
principal = [0.01, 0.01, 0.006]
[parts.plate]
fixed = true
pose = {{ at = [-718.341189, {beside}, 274.790667], turn_deg = 180, about = "y" }}
shape.difference = [{{ block = [150, 150, 120], moves = [{{ move = [-75, -75, 0] }}] }}, {HOLE}]
[joints.grip]
type = "fixed"
between = ["robot.flange", "peg"]
[drives.insert]
marker = "robot.flange"
legs = [{{ velocity = [0, 0, 45], distance = 80, ramp = 450 }}]
[touching]
friction = {friction}
restitution = 0
[ask.mate]
method = "rigid"
until = 2.6
"""
    )
