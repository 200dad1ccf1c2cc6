"""Parts drawn alone with what acts on them: arrows by strength and direction, words, films with forces."""

from __future__ import annotations

import math

import pytest

import detent
from detent.app import run_pictures
from detent.draw.machine import contact_arrows, free_body_scene
from detent.draw.paper import box_of_text, on_paper
from detent.draw.scene import Arrow, Text
from detent.infer import resolved


@pytest.fixture(scope="module")
def driving():
    return detent.run("escapement", until=2.2, at=[2.08])


@pytest.fixture(scope="module")
def machine():
    return resolved(detent.load("escapement"))


def scene_of(machine, running, part):
    (instant,) = running.instants
    trajectory = running.run.evidence.trajectory_at(running.times[:1] * 0 + instant.time)
    poses = {name: column[0] for name, column in trajectory.poses.items()}
    return free_body_scene(machine, poses, instant, part), instant


@pytest.mark.parametrize("part", ["lever", "bwheel", "ewheel"])
def test_arrows_are_as_long_as_forces_and_point_as_they_do(machine, driving, part):
    scene, instant = scene_of(machine, driving, part)
    arrows = [item for item in scene.items if isinstance(item, Arrow)]
    forces = [force for force in instant.forces if force.part == part and math.hypot(*force.force) > 1e-3]
    assert len(arrows) == len(forces)
    strongest = max(math.hypot(*force.force) for force in forces)
    longest = max(math.hypot(*arrow.vector) for arrow in arrows)
    for arrow, force in zip(arrows, forces, strict=True):
        x, y = force.force
        length, strength = math.hypot(*arrow.vector), math.hypot(x, y)
        assert arrow.vector[0] * y - arrow.vector[1] * x == pytest.approx(0, abs=1e-9 * length * strength)
        assert arrow.vector[0] * x + arrow.vector[1] * y > 0
        assert length / longest == pytest.approx(strength / strongest, rel=1e-9)
        assert any(f"{strength:.4g}" in label.text for label in scene.labels)


def test_no_two_words_overlap(machine, driving):
    for part in ("lever", "bwheel", "ewheel"):
        scene, _ = scene_of(machine, driving, part)
        boxes = [box_of_text(item) for item in on_paper(scene, 480).items if isinstance(item, Text)]
        for k, (a0, b0, a1, b1) in enumerate(boxes):
            for c0, d0, c1, d1 in boxes[k + 1 :]:
                assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0


def test_a_contact_pushes_both_its_parts(driving):
    contact = driving.instants[0].contacts[0]
    one, other = contact_arrows([contact], contact.force, 10.0)
    assert one.at == other.at == contact.point
    assert one.vector == tuple(-c for c in other.vector)
    assert math.hypot(*one.vector) == pytest.approx(1.6)


def test_a_page_that_plays_shows_forces_only_where_they_act(machine, driving):
    page = run_pictures.film_of(machine, driving, "html", forces=True).decode()
    assert 'data-stage=""' in page
    assert 'data-stage=""' not in run_pictures.film_of(machine, driving, "html", forces=False).decode()
