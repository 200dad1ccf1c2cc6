"""A linkage over the wire: sweeps, curves, films, from where the page shows it."""

from __future__ import annotations

import io
import json
import math

import pytest
from PIL import Image

from tests.app.server.running import FOUR_BAR


def place(pose, point):
    x, y, turn = pose
    cos, sin = math.cos(turn), math.sin(turn)
    return x + cos * point[0] - sin * point[1], y + sin * point[0] + cos * point[1]


def lengths(poses, at):
    """Distances between the pins at one position: what rigid links must keep."""
    pins = FOUR_BAR["parts"]
    crank = place(poses["crank"][at], pins["crank"]["markers"]["B"])
    coupler = [place(poses["coupler"][at], pins["coupler"]["markers"][m]) for m in "BC"]
    rocker = [place(poses["rocker"][at], pins["rocker"]["markers"][m]) for m in "CD"]
    return [math.dist(crank, coupler[0]), math.dist(coupler[1], rocker[0]), math.dist(rocker[1], (4, 0))]


def test_a_played_drive_keeps_every_pin_together(client):
    said = client.answer("play", document=FOUR_BAR)
    assert said["stop"] == "done"
    assert len(said["inputs"]) == 37
    for at in range(37):
        assert lengths(said["poses"], at) == pytest.approx([0, 0, 0], abs=1e-9)
    assert said["poses"]["crank"][9][2] == pytest.approx(math.pi / 2)


def test_played_from_another_position_it_is_the_same_motion(client):
    first = client.answer("play", document=FOUR_BAR)
    now = {part: track[5] for part, track in first["poses"].items()}
    again = client.answer("play", document=FOUR_BAR, poses=now)
    for part, track in first["poses"].items():
        for one, other in zip(track, again["poses"][part], strict=True):
            assert place(one, (1, 1)) == pytest.approx(place(other, (1, 1)), abs=1e-9)


def test_a_drive_of_the_pages_own_is_followed(client):
    drive = {"joint": "A", "from_deg": 0, "to_deg": -30, "steps": 3}
    said = client.answer("play", document=FOUR_BAR, drive=drive)
    assert [round(math.degrees(x)) for x in said["inputs"]] == [0, -10, -20, -30]
    assert "no drive" in client.problem("play", document=FOUR_BAR, drive="crnak")
    assert client.ask("play", document=FOUR_BAR, drive={"jiont": "A"})["problems"][0]["at"] == "drive.jiont"


def test_a_coupler_curve_is_where_the_point_goes(client):
    played = client.answer("play", document=FOUR_BAR)["poses"]["coupler"]
    said = client.answer("curves", document=FOUR_BAR, points=[{"part": "coupler", "point": [2, 2.5]}])
    for drawn, pose in zip(said["curves"][0], played, strict=True):
        assert drawn == pytest.approx(place(pose, (2, 2.5)))
    assert "no moving part" in client.problem(
        "curves", document=FOUR_BAR, points=[{"part": "croupier", "point": [0, 0]}]
    )


def test_an_analysis_has_velocities_that_are_the_slopes_of_the_positions(client):
    fine = {"joint": "A", "from": 0, "to": 0.002, "steps": 2}
    said = client.answer("analyse", document=FOUR_BAR, drive=fine)
    track, speed = said["markers"]["coupler.C"], said["velocities"]["coupler.C"]
    slope = [(track[2][k] - track[0][k]) / 0.002 for k in (0, 1)]
    assert speed[1] == pytest.approx(slope, abs=1e-6)
    assert dict(said["words"])["certainty"] == "proved: the joints close all the way"


def test_films_and_tables_of_a_drive_can_be_downloaded(server, cookie):
    headers = {"Cookie": cookie, "Origin": server.origin}
    body = json.dumps({"document": FOUR_BAR}).encode()
    files = {}
    for kind in ("csv", "gif", "html"):
        status, said, files[kind] = server.request(
            "POST", f"/api/export?kind={kind}", headers=headers, body=body
        )
        assert status == 200, files[kind]
        assert said["content-disposition"].startswith("attachment")
    header, *rows = files["csv"].decode().splitlines()
    assert header.split(",")[0] == "crank [rad]"
    assert len(rows) == 37
    film = Image.open(io.BytesIO(files["gif"]))
    assert film.n_frames > 10
    assert b"<script" in files["html"]


def test_two_markers_are_joined_by_the_server_or_it_says_how_far_apart_they_stay(client):
    parts = {**FOUR_BAR["parts"], "arm": {"markers": {"P": [9, 9], "Q": [11, 9]}}}
    document = {**FOUR_BAR, "parts": parts}
    said = client.answer("operate", document=document, operation="join", first="coupler.C", second="arm.P")
    assert said["done"]
    joined = said["document"]
    assert len(joined["joints"]) == len(FOUR_BAR["joints"]) + 1
    far = {**joined, "parts": {**joined["parts"], "stake": {"fixed": True, "markers": {"S": [30, 0]}}}}
    said = client.answer("operate", document=far, operation="join", first="arm.Q", second="stake.S")
    assert not said["done"]
    assert said["apart"] > 20
    assert said["document"] == far


def operated(client, document, *operations):
    """The document after operations; what comes back is sound."""
    edited = client.answer("operate", document=document, operations=list(operations))["document"]
    assert client.answer("check", document=edited)["problems"] == []
    return edited


def test_a_part_that_drives_and_touching_name_is_renamed_and_removed_over_the_wire(client):
    document = {
        **FOUR_BAR,
        "drives": {"push": {"marker": "coupler.C", "path": [[4, 3], [4, 2.9]]}},
        "touching": {"friction": 0.1, "ignore": ["crank:coupler"]},
    }
    renamed = operated(client, document, {"do": "rename", "path": "parts.coupler", "to": "rod"})
    assert renamed["drives"]["push"]["marker"] == "rod.C"
    assert renamed["touching"]["ignore"] == ["crank:rod"]
    assert operated(client, renamed, {"do": "rename", "path": "parts.rod", "to": "coupler"}) == document
    removed = operated(client, document, {"do": "remove", "paths": ["parts.coupler"]})
    assert "drives" not in removed
    assert list(removed["joints"]) == ["A", "D"]


def test_a_pin_with_limits_becomes_a_slide_over_the_wire(client):
    pin = {**FOUR_BAR["joints"]["D"], "limits": {"min_deg": -90, "max_deg": 90}}
    document = {**FOUR_BAR, "joints": {**FOUR_BAR["joints"], "D": pin}}
    slide = operated(client, document, {"do": "toggle", "joint": "D", "along": [1, 0]})["joints"]["D"]
    assert slide == {"type": "prismatic", "between": ["ground.D", "rocker.D"]}


def test_several_operations_are_one_step_and_none_is_done_where_one_is_refused(client):
    link = {"markers": {"A": [4, 3], "B": [6, 3]}}
    operations = [
        {"do": "add_part", "name": "link", "part": link},
        {"do": "join", "first": "coupler.C", "second": "link.A"},
        {"do": "ground", "marker": "link.B"},
    ]
    edited = operated(client, FOUR_BAR, *operations)
    assert edited["joints"]["E"]["between"] == ["coupler.C", "link.A"]
    assert edited["joints"]["F"]["between"] == ["ground.B", "link.B"]
    said = client.ask(
        "operate", document=FOUR_BAR, operations=[*operations, {"do": "ground", "marker": "link.X"}]
    )
    assert not said["ok"]
    assert said["problems"][0]["at"] == "parts.link.markers.X"


def test_an_edit_does_not_wait_behind_a_sweep(client):
    """A long question is being computed; an edit is answered before it."""
    slow = {**FOUR_BAR, "drives": {"crank": {**FOUR_BAR["drives"]["crank"], "steps": 20_000}}}
    sweep = client.send("analyse", document=slow)
    edit = client.send(
        "operate", document=FOUR_BAR, operations=[{"do": "rename", "path": "joints.A", "to": "O"}]
    )
    assert client.receive()["seq"] == edit
    client.send("stop", of=sweep)


def test_a_drive_that_cannot_begin_is_told_after_each_edit_as_move_tells_it(client):
    """Crank 3 on ground 4: B and D are at most 3.6 apart up to an angle that the cosine rule gives."""
    markers = {"crank": {"A": [0, 0], "B": [3, 0]}, "coupler": {"B": [3, 0], "C": [3.6, 2]}}
    markers["rocker"] = {"D": [4, 0], "C": [3.6, 2]}
    ground = {"fixed": True, "markers": {"A": [0, 0], "D": [4, 0]}}
    pins = {"A": "ground crank", "B": "crank coupler", "C": "coupler rocker", "D": "ground rocker"}
    document = {
        "format": "detent/1",
        "parts": {"ground": ground, **{name: {"markers": points} for name, points in markers.items()}},
        "joints": {
            pin: {"type": "revolute", "between": [f"{part}.{pin}" for part in parts.split()]}
            for pin, parts in pins.items()
        },
        "drives": {"turn": {"joint": "A", "from_deg": 120, "to_deg": 200, "steps": 8}},
    }
    reach = math.hypot(0.6, 2) + math.hypot(0.4, 2)
    end = math.degrees(math.acos((9 + 16 - reach**2) / 24))
    said = client.answer("edit", document=document)["out_of_reach"]
    assert said.startswith("the first position cannot be reached: ")
    assert said.endswith(f"range: A from {-end:.6g}° to {end:.6g}°; it stands at 0°")
    document["drives"]["turn"]["from_deg"] = 10
    assert "out_of_reach" not in client.answer("edit", document=document)
    # From there it begins, and stops short of its end; told alike whatever the steps.
    short = f"limit at {end:.6g}°: "
    for steps in (1, 5, 5000):
        document["drives"]["turn"]["steps"] = steps
        assert client.answer("course", document=document)["stops_short"].startswith(short)
    document["drives"]["turn"] = {"joint": "A", "inputs_deg": [10, 20, 200]}
    assert client.answer("course", document=document)["stops_short"].startswith(short)
    document["drives"]["turn"] = {"joint": "A", "from_deg": 10, "to_deg": end - 0.01, "steps": 7}
    assert client.answer("course", document=document)["stops_short"] == ""
    document["drives"]["turn"]["to_deg"] = end + 0.01
    assert client.answer("course", document=document)["stops_short"].startswith(short)
    document["ask"] = {"move": {"breaking": "stretching"}}
    assert "in joint C" in client.answer("course", document=document)["stops_short"]
