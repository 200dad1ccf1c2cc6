"""Films: as many frames as asked, a player whose matrices put parts where they are drawn."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

import detent
from detent.draw.film import gif, player
from detent.draw.paper import page
from detent.draw.scene import Area, Symbol
from detent.foundation import UnsupportedError
from detent.io import native
from detent.model.document import Mechanism
from detent.model.reading import Builder
from detent.record import Trajectory, read_trajectory
from tests.conftest import REFERENCE


def four_bar() -> Mechanism:
    return native.load(REFERENCE / "linkages" / "fig22-break.toml")


def swing(mechanism: Mechanism, rows: int = 30) -> Trajectory:
    """The crank turns about the origin; the others stay. Enough to see a picture move."""
    angles = np.linspace(0.6, 2.0, rows)
    crank = np.stack([np.zeros(rows), np.zeros(rows), angles], axis=1)
    return Trajectory(times=np.linspace(0, 3, rows), poses={"crank": crank})


def slider() -> tuple[Mechanism, Trajectory]:
    built = Builder(title="a sprung slider", units="mm")
    built.part("frame", fixed=True, markers={"G": {"at": [0, 0], "along": [1, 0]}})
    built.part("block", markers={"S": {"at": [4, 0], "along": [1, 0]}, "eye": [4, 1]})
    built.joint("slide", "prismatic", "frame.G", "block.S", spring={"stiffness": 3})
    travel = np.linspace(0, 3, 12)
    poses = np.stack([travel, 0 * travel, 0 * travel], axis=1)
    return built.build(), Trajectory(times=travel, poses={"block": poses})


def film_data(text: str) -> dict[str, list[list[float]]]:
    match = re.search(r'<script type="application/json" id="film">(.*?)</script>', text, re.S)
    assert match is not None
    data = json.loads(match.group(1))
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("most", [2, 7, 25])
def test_a_gif_has_as_many_frames_as_the_film(most: int) -> None:
    from PIL import Image

    mechanism = four_bar()
    film = gif.film(mechanism, swing(mechanism), most=most)
    picture = Image.open(io.BytesIO(gif.gif(film, size=320)))
    assert picture.n_frames == most == len(film.rows)
    assert picture.info["loop"] == 0
    assert max(picture.size) <= 321


def test_frames_are_spread_evenly_over_time_not_over_rows() -> None:
    mechanism = four_bar()
    run = swing(mechanism, 101)
    crowded = Trajectory(times=np.linspace(0, 1, 101) ** 4 * 3, poses=run.poses)
    film = gif.film(mechanism, crowded, most=11)
    shown = np.asarray(crowded.times)[film.rows]
    assert np.abs(np.diff(shown) - 0.3).max() < 0.13
    assert film.rows[0] == 0
    assert film.rows[-1] == 100


def test_all_frames_share_one_scale_so_that_nothing_jumps() -> None:
    mechanism = four_bar()
    film = gif.film(mechanism, swing(mechanism), most=9)
    frames = {page.fit(film.scene(int(row)), 400) for row in film.rows}
    assert len(frames) == 1


def test_the_players_matrices_put_parts_where_a_fresh_picture_has_them() -> None:
    mechanism = four_bar()
    film = gif.film(mechanism, swing(mechanism), most=8)
    data = film_data(player.page(film, size=500))
    (numbers,) = data["movers"]
    c, s, e, f = numbers[-4:]
    start, end = (
        page.on_paper(replace(film.scene(int(film.rows[k])), title="", note=""), 500) for k in (0, -1)
    )
    before, after = (
        next(i for i in drawn.items if isinstance(i, Area) and i.owner == "crank").rings[0]
        for drawn in (start, end)
    )
    x, y = before.T
    moved = np.stack([c * x + s * y + e, -s * x + c * y + f], axis=1)
    apart = np.linalg.norm(moved[:, None] - after[None], axis=2).min(axis=1)
    assert np.linalg.norm(before - after, axis=1).max() > 50
    assert apart.max() < 0.05


def test_the_page_is_self_contained_and_its_policy_names_its_script() -> None:
    mechanism = four_bar()
    text = player.page(gif.film(mechanism, swing(mechanism), most=5))
    script = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(script) == 1
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text
    assert "default-src 'none'" in text
    assert not re.search(r'(?:src|href)="', text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert "prefers-reduced-motion" in text
    for needed in ('id="play"', 'type="range"', "ArrowRight", "aria-label"):
        assert needed in text


def test_hostile_titles_stay_words() -> None:
    mechanism = four_bar()
    import msgspec

    hostile = msgspec.structs.replace(mechanism, title="</script><script>alert(1)</script>")
    text = player.page(gif.film(hostile, swing(hostile), most=3))
    assert "<script>alert" not in text
    assert html.escape("</script><script>alert(1)</script>") in text


def test_a_coil_is_drawn_again_in_each_frame_and_a_free_marker_leaves_its_path() -> None:
    mechanism, run = slider()
    film = gif.film(mechanism, run, most=6)
    assert len(film.traces) == 1
    assert np.allclose(film.traces[0].points[:, 1], 1.0)
    data = film_data(player.page(film))
    (coil,) = data["redrawn"]
    assert len(coil) == len(film.rows)
    assert len(set(map(str, coil))) == len(film.rows)


def test_a_guide_stays_and_covers_the_travel_of_its_block() -> None:
    mechanism, run = slider()
    film = gif.film(mechanism, run, most=6)
    guides = [
        item
        for row in film.rows
        for item in film.scene(int(row)).items
        if isinstance(item, Symbol) and item.kind == "ground_guide"
    ]
    assert len({(guide.at, guide.to) for guide in guides}) == 1
    assert guides[0].to is not None
    assert guides[0].at[0] < 4.0 < 7.0 < guides[0].to[0]
    assert guides[0].owner == "frame"


def test_the_foot_of_a_pin_on_the_frame_does_not_turn_with_the_crank() -> None:
    mechanism = four_bar()
    text = player.page(gif.film(mechanism, swing(mechanism), most=4))
    moving = "".join(re.findall(r'<g data-mover="\d+">(.*?)</g>', text, re.S))
    assert 'data-of="A"' in text
    assert 'data-of="A"' not in moving
    assert 'data-of="crank"' in moving


def test_a_film_in_space_stores_equal_elements_once() -> None:
    mechanism = native.load(REFERENCE / "assembly" / "rect_peg_carrier_stiff_y4_z0.toml")
    travel = np.linspace(0, 80, 10)
    poses = np.zeros((10, 7))
    poses[:, 0], poses[:, 3] = travel, 1.0
    film = gif.film(mechanism, Trajectory(times=travel / 25, poses={"peg": poses, "carrier": poses}), most=4)
    data = film_data(player.page(film, size=400))
    assert film.spatial
    assert len(data["frames"]) == 4
    assert len(data["elements"]) < sum(map(len, data["frames"]))
    assert len({tuple(frame) for frame in data["frames"]}) == 4


def test_a_film_in_space_has_fewer_frames_and_chords_than_single_pictures() -> None:
    """A ring in space was sorted for ten minutes."""
    travel = np.linspace(0, 20, 200)
    poses = np.zeros((200, 7))
    poses[:, 2], poses[:, 3] = travel, 1.0
    film = gif.film(detent.load("peg_in_round_hole"), Trajectory(times=travel, poses={"peg": poses}))
    assert film.spatial
    assert len(film.rows) > gif.MOST_SPATIAL >= len(film.rows_in_full) > 1
    finer = replace(film, stage=replace(film.stage, chords=None, shapes={}))
    assert len(film.scene(0).items) < 0.75 * len(finer.scene(0).items)


def test_a_run_without_poses_cannot_be_a_film() -> None:
    with pytest.raises(UnsupportedError, match="no poses"):
        gif.film(four_bar(), Trajectory(times=np.zeros(0)))


def test_a_trajectory_reads_back_as_written() -> None:
    run = swing(four_bar())
    again = read_trajectory(run.to_json())
    assert again.to_json() == run.to_json()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "truncated"),
        ('{"times": [1]}x', "malformed"),
        ('{"times": [0, 1], "poses": {"a": [[0, 0, 0]]}}', "1 rows for 2 times"),
        ('{"times": [0], "poses": {"a": [[0, 0]]}}', "3 or 7"),
        ('{"times": [0], "wat": 1}', "wat"),
    ],
)
def test_other_text_is_no_trajectory_and_the_error_says_why(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_trajectory(text)
