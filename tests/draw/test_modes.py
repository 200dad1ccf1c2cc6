"""Pictures of contact modes: every mode a dot, every contact its state and its velocity."""

import io
import itertools

import numpy as np
import pytest
from PIL import Image

import detent
from detent.app import examples_folder
from detent.draw.chart import modes as pictures
from detent.draw.film import film
from detent.draw.paper import box_of_text, on_paper, svg
from detent.draw.scene import CONTACT, Arrow, DrawnDisc, DrawnLine, Symbol, Text
from detent.foundation import UnsupportedError
from detent.io import native


@pytest.fixture(scope="module")
def corner():
    machine = detent.load(examples_folder() / "box_in_corner.toml")
    return machine, detent.modes(machine)


def test_the_lattice_has_one_dot_per_mode_and_one_line_per_boundary(corner):
    _, found = corner
    scene = pictures.lattice(found)
    assert sum(isinstance(item, DrawnDisc) for item in scene.items) == len(found) == 228
    meanings = 3  # of the colours, under the dots
    assert (
        sum(isinstance(item, DrawnLine) for item in scene.items)
        == len(found.enumeration.complex.cells) + meanings
    )
    assert all(words in svg.write(scene) for words in ("dimension", "modes", "some separate"))
    assert any(isinstance(item, Text) and item.text == "228 modes by dimension" for item in scene.items)
    assert "<svg" in svg.write(scene)


def test_a_large_lattice_shows_its_rows(corner):
    machine = detent.load(examples_folder() / "box_on_box.toml")
    scene = pictures.lattice(detent.modes(machine))
    assert sum(isinstance(item, DrawnLine) for item in scene.items) == 10  # dimensions 0 to 9


def test_contacts_are_coloured_by_state_and_separating_ones_move_off_the_wall(corner):
    machine, modes = corner
    mode = modes.where(*[(i, "touching") for i in range(4)], *[(i, "separating") for i in range(4, 8)])[0]
    scene = pictures.picture(machine, mode)
    arrows = [item for item in scene.items if isinstance(item, Arrow) and item.pixels is None]
    assert [a.colour for a in arrows if a.colour == pictures.COLOURS["separating"]] == ["#7b3fa0"] * 4
    assert {words for _, words in scene.key} >= {"separating"}
    assert mode.text in scene.title
    for i in range(4, 8):
        assert pictures._slip(mode, i) @ np.array(mode.modes.contacts.sites[i].normal) > 0
    for i in range(4):
        assert abs(pictures._slip(mode, i) @ np.array(mode.modes.contacts.sites[i].normal)) < 1e-9


def test_contacts_have_their_numbers_in_the_order_of_signs(corner):
    """Contacts at one point share a label: the box has two of its corners against the wall."""
    machine, modes = corner
    scene = pictures.picture(machine, modes["++++++++|................"])
    numbers = [label.text for label in scene.labels if label.text[0].isdigit()]
    assert sorted(numbers) == ["0", "1, 4", "2", "3, 6", "5", "7"]


def test_a_small_motion_is_a_film_that_moves(corner):
    machine = detent.load(examples_folder() / "planar_grasp.toml")
    mode = detent.modes(machine)["00+|-+."]
    film = Image.open(io.BytesIO(pictures.motion_gif(machine, mode, size=160)))
    assert film.n_frames > 5
    run = pictures.motion(machine, mode)
    assert np.allclose(run.poses["plate"][0], run.poses["plate"][-1])
    assert run.poses["plate"][12, 1] > 0.1


def test_the_time_in_a_film_in_space_is_clear_of_axes_and_scale(corner):
    machine, modes = corner
    shown = film(machine, pictures.motion(machine, modes["0000++++|+-+-+-+-........"])).scene(5)
    boxes = [box_of_text(item) for item in on_paper(shown, 480).items if isinstance(item, Text)]
    assert any("t = " in item.text for item in on_paper(shown, 480).items if isinstance(item, Text))
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_motion_in_space_keeps_rotations_rotations(corner):
    machine, modes = corner
    rows = pictures.motion(machine, modes[len(modes) // 2]).poses["box"]
    assert np.allclose(np.linalg.norm(rows[:, 3:], axis=1), 1.0)


def test_rest_has_no_film(corner):
    machine, modes = corner
    with pytest.raises(UnsupportedError, match="nothing moves"):
        pictures.motion(machine, modes["00000000|" + "0" * 16])


def test_contacts_at_one_point_show_each_of_their_states(corner):
    """Contacts 1 and 4 are the same corner on the ground and at the wall; one slides, one leaves."""
    machine, modes = corner
    scene = pictures.picture(machine, modes["0000++++|+-+-+-+-........"])
    dots = [i for i in scene.items if isinstance(i, Symbol) and i.colour in pictures.COLOURS.values()]
    below, above = dots[1], dots[4]
    assert below.at == above.at
    assert below.colour != above.colour
    assert below.size > above.size == 1.0
    assert dots[0].size == 1.0  # nothing lies on it


GROUND = """
format = "detent/1"
dimension = 3
[parts.ground]
fixed = true
shape = { block = [6, 6, 1], moves = [{ move = [-3, -3, -1] }] }
[parts.box]
shape.block = [1, 1, 1]
"""
GIVEN = """
[[contacts]]
between = ["ground", "box"]
point = [0, 0]
normal = [0, 1]
"""


@pytest.mark.parametrize(("more", "mode"), [("", "0++0|00....00"), (GIVEN, "+|..")])
def test_contacts_in_space_are_seen_from_the_side_and_their_boxes_may_tilt(more, mode):
    """Found from shapes, or given with two numbers: nothing else in the document says that it is not flat."""
    machine = native.loads_toml(GROUND + more)
    modes = detent.modes(machine)
    scene = pictures.picture(machine, modes[mode])
    assert any(words == "normal, from the first part to the second" for _, words in scene.key)
    assert sum(isinstance(item, Arrow) and item.colour == CONTACT for item in scene.items) == len(
        modes.contacts
    )
    frames = Image.open(io.BytesIO(pictures.motion_gif(machine, modes[mode], size=120)))
    assert frames.n_frames == pictures.FRAMES


def test_a_picture_that_cuts_a_part_open_says_so():
    """Walls around a box are cut through its middle; without the wall in front nothing is."""
    block, box = ([[30, 30, 20], [-15, -15, -10]], [[10, 4, 4], [-5, -2, -8]])
    holes = ([[10, 10, 20], [-5, -5, -8]], [[30, 30, 20], [-15, -15, -8]])  # a well, or nothing but its floor

    def shape(sides, at):
        return {"block": sides, "moves": [{"move": at}]}

    for hole, told in zip(holes, (True, False), strict=True):
        machine = detent.from_dict(
            {
                "dimension": 3,
                "parts": {
                    "well": {"fixed": True, "shape": {"difference": [shape(*block), shape(*hole)]}},
                    "box": {"shape": shape(*box)},
                },
            }
        )
        scene = pictures.picture(machine, detent.modes(machine)[0])
        assert any("well cut open" in words for _, words in scene.key) == told
        assert ("well cut open, hatched there" in svg.write(scene)) == told
        boxes = [box_of_text(item) for item in on_paper(scene, 760).items if isinstance(item, Text)]
        assert not [
            (a, b)
            for a, b in itertools.combinations(boxes, 2)
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        ]
