"""The slice of configuration space: its path keeps to free space, and its picture is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from detent.draw.chart import HOLDING, slice_scene
from detent.draw.paper import picture
from detent.draw.scene import DrawnLine, Text
from detent.io import native
from detent.model.reading import mechanism, plain
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener

FOLDER = Path(__file__).resolve().parents[1] / "data" / "reference" / "fasteners"


def test_the_picture_shows_one_panel_per_leg() -> None:
    machine = fastener(native.load(FOLDER / "fig7d_friction_mu_2_5.toml"))
    scene = slice_scene(machine, run_plan(machine).legs, "held")
    said = [item.text for item in scene.items if isinstance(item, Text)]
    assert {"leg 1: hinge", "leg 2: hinge", "stick"} <= set(said)
    assert picture.write(scene, "png").startswith(b"\x89PNG")


def test_every_event_has_its_name_and_every_colour_its_word() -> None:
    made = fastener(native.load(FOLDER / "ratchet_rack.toml"))
    legs = run_plan(made).legs
    said = [item.text for item in slice_scene(made, legs).items if isinstance(item, Text)]
    happened = [h.kind for leg in legs for pawl_run in leg.pawl_runs for h in pawl_run.events]
    for kind in set(happened):
        assert said.count(kind) == happened.count(kind)
    assert {"blocked", "free", "free, out of reach", "at rest", "slides", "snaps"} <= set(said)


def test_names_of_events_cover_no_other_name() -> None:
    from detent.draw.paper import text as words

    machine = fastener(native.load(FOLDER / "two_pawl_T_mu_1_10.toml"))
    items = [
        item
        for item in slice_scene(machine, run_plan(machine).legs, "a title").items
        if isinstance(item, Text)
    ]
    rooms = []
    for item in items:
        if item.turn_deg == 0:
            wide = words.width(item.text, item.size)
            left = item.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[item.align]
            rooms.append((left, item.at[1] - 0.7 * item.size, left + wide, item.at[1], item.text))
    for i, a in enumerate(rooms):
        for b in rooms[:i]:
            apart = a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
            assert apart, (a, b)


@pytest.mark.parametrize(("friction", "held"), [("2/5", True), ("1/50", False)])
def test_edges_on_which_friction_would_hold_are_marked(friction: str, held: bool) -> None:
    """The hook's back is steep: 2/5 holds it on the way out, 1/50 does not."""
    document = plain(native.load(FOLDER / "fig7d_friction_mu_2_5.toml"))
    document["touching"]["friction"] = friction
    machine = fastener(mechanism(document))
    legs = run_plan(machine).legs
    items = slice_scene(machine, legs[1:]).items
    marked = [item for item in items if isinstance(item, DrawnLine) and item.style.stroke == HOLDING]
    # One stroke is the legend's.
    assert (len(marked) > 1) is held


def test_a_snap_at_the_start_stays_in_its_panel() -> None:
    """Drawn away from rest the pawl snaps there at once: no sliding stretch has the angle that it leaves."""
    document = plain(native.load(FOLDER / "fig7d_friction_mu_2_5.toml"))
    document["joints"]["hinge"]["spring"] = {"stiffness": 1, "rest_deg": 20}
    made = fastener(mechanism(document))
    legs = run_plan(made).legs
    assert legs[0].pawl_runs[0].events[0].kind == "snap"
    items = slice_scene(made, legs).items
    (below,) = (item.at[1] for item in items if isinstance(item, Text) and item.text == "leg 2: hinge")
    for item in items:
        if isinstance(item, DrawnLine) and item.points[:, 1].min() < below:
            assert item.points[:, 1].max() < below
