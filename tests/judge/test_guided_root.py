"""What the drive is assumed to do as a guide, and friction that it therefore leaves out, is said."""

import pytest

import detent
from detent.motion import Following, Rigid

FASTENER = """
format = "detent/1"
units = "mm"
[parts.plug]
shape.outline = [[4, 0], [10, 0], [10, 26], [0, 26], [0, 20], [4, 20]]
[parts.hook]
shape.outline = [[1, 21], [1, 8], [-1.5, 7], [0.6, 2], [2.6, 2], [2.6, 21]]
[parts.frame]
fixed = true
shape.union = [
  { outline = [[-8, -4], [-0.3, -4], [0, -3.6], [0, -1], [-0.8, 0], [-8, 0]] },
  { outline = [[WALL, -20], [14, -20], [14, 30], [WALL, 30]] },
]
[joints.h]
type = "revolute"
between = ["plug", "hook"]
at = [1.8, 20.5]
spring.stiffness = 0.05
[drives.push]
part = "plug"
legs = [{ velocity = [0, -1], for = 13 }, { velocity = [0, 1], for = 13 }]
[touching]
friction = 0.2
ignore = ["plug:hook"]
pairs."frame:plug" = { friction = MU }
"""


def fastener(wall, mu=0.6):
    return detent.loads(FASTENER.replace("WALL", str(wall)).replace("MU", str(mu)))


def left_out(wall, mu=0.6):
    return [each for each in detent.mate(fastener(wall, mu)).scope.left_out if "plug:frame" in each]


@pytest.mark.parametrize(("wall", "mu", "said"), [("10", 0.6, 1), ("10.001", 0.6, 0), ("10", 0, 0)])
def test_friction_of_the_root_is_named_where_it_slides_along_a_rough_wall(wall, mu, said):
    lines = left_out(wall, mu)
    assert len(lines) == said
    assert not said or "(0.6)" in lines[0]


def test_the_drive_is_said_to_guide_the_root_where_springs_press_it_aside():
    mating = detent.mate(fastener(11))
    assert "the drive guides plug: it takes sideways force and moment" in "; ".join(mating.scope.assumed)
    assert "the drive guides plug" in mating.words


BLOCK = """
format = "detent/1"
gravity = [0, -10]
[parts.block]
mass = 1
center = [0.5, 0.5]
inertia = 0.1
shape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]
[parts.floor]
fixed = true
shape.outline = [[-5, -1], [9, -1], [9, 0], [-5, 0]]
[drives.push]
part = "block"
legs = [{ velocity = [1, 0], for = 2 }]
[touching]
friction = 0.5
"""


@pytest.mark.parametrize("method", [Rigid(), Following()])
def test_a_guided_block_does_not_rub_on_its_floor_and_every_method_says_so(method):
    scope = detent.predict(detent.loads(BLOCK), method=method, until=2.0).evidence.scope
    assert any(each.startswith("friction of block:floor (0.5)") for each in scope.left_out)
    assert any("the drive guides block" in each for each in scope.assumed)


def test_one_force_is_one_number():
    words = detent.mate(fastener(11)).words
    assert words.count("0.381466 N") == 3  # the verdict, what holds it, the leg
    assert "0.381465" not in words


def test_what_turns_along_the_way_is_told_where_contact_is_followed():
    words = detent.move(fastener(11), method=Following()).words
    (line,) = [each for each in words.splitlines() if each.startswith("  turns")]
    assert "at its steps" in line
    assert "hook 6.29442°" in line  # as the exact method says of the events
    assert not [
        each for each in words.splitlines() if "drive" in each and "e-1" in each
    ]  # rounding is no force


@pytest.mark.parametrize("key", ["planes = 2", 'cone = "nonlinear"'])
def test_how_contacts_are_divided_is_asked_of_all_of_them(key):
    document = f"""
format = "detent/1"
[parts.a]
[parts.b]
[[contacts]]
between = ["a", "b"]
point = [0, 0]
normal = [0, 1]
{key}
"""
    with pytest.raises(detent.ModelError, match=r"belongs under \[ask.modes\]"):
        detent.loads(document)
