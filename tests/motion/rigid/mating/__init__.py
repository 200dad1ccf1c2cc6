"""Small mating documents: a block on an elastic joint above a plate, with a hole or without."""

import detent


def block_over_plate(
    *, stiffness=(3e4, 3e4, 3e4, 2e3, 2e3, 2e3), damping=(60, 60, 60, 4, 4, 4), velocity=(25, 0, 0),
    distance=10,
    friction=0.2, restitution=0, size=(60, 20, 20), turned="", hole=None, at=(0, 0), chamfer=None, until=None,
    mass=2,
):  # fmt: skip
    """A block 1 mm above the top face (x = 0) of a plate, led along +x; lengths in mm."""
    (length, wide, high), (beside, above) = size, at
    edges = f', edges = [{{ face = "+x", chamfer = {chamfer} }}]' if chamfer else ""
    moves = (
        f"{{ move = [0, {-wide / 2}, {-high / 2}] }}, {turned}{{ move = [{-length - 1}, {beside}, {above}] }}"
    )
    block = f"{{ block = [{length}, {wide}, {high}]{edges}, moves = [{moves}] }}"
    plate = "shape = { block = [40, 100, 100], moves = [{ move = [0, -50, -50] }] }"
    if hole is not None:
        y, z = hole
        plate = (
            "shape.difference = [{ block = [40, 100, 100], moves = [{ move = [0, -50, -50] }] }, "
            f"{{ block = [38, {y}, {z}], moves = [{{ move = [0, {-y / 2}, {-z / 2}] }}] }}]"
        )
    return detent.loads(
        f"""
format = "detent/1"
units = "mm"
dimension = 3
[parts.carrier]
[parts.peg]
shape = {block}
mass = {mass}
center = [{-length - 1}, {beside}, {above}]
principal = [0.002, 0.002, 0.002]
[parts.plate]
fixed = true
{plate}
[joints.grip]
type = "elastic"
between = ["carrier", "peg"]
at = [{-length - 1}, {beside}, {above}]
stiffness = {list(stiffness)}
damping = {list(damping)}
[drives.insert]
part = "carrier"
legs = [{{ velocity = {list(velocity)}, distance = {distance}, ramp = 250 }}]
[touching]
friction = {friction}
restitution = {restitution}
[ask.mate]
method = "rigid"
{"" if until is None else f"until = {until}"}
"""
    )
