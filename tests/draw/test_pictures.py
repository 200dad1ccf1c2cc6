"""Pictures of every reference document: readable, to scale, the same each time."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import shapely

from detent.app import examples_folder
from detent.draw.machine import machine_scene
from detent.draw.paper import page, png, svg
from detent.draw.scene import Area, DrawnDisc, Scene, Style, Text
from detent.foundation import UnsupportedError
from detent.io import native
from tests.conftest import REFERENCE, reference_documents

ROWS_ALONE = {"box-1-rows", "planar-wedge-rows"}
DRAWN = [p for p in reference_documents() if p.stem not in ROWS_ALONE]


def paper(path: Path) -> Scene:
    return page.on_paper(machine_scene(native.load(path)), 800)


def words(scene: Scene) -> list[Text]:
    return [item for item in scene.items if isinstance(item, Text)]


def apart(a: page.placing.Box, b: page.placing.Box) -> bool:
    return a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


@pytest.mark.parametrize("path", DRAWN, ids=lambda p: p.stem)
def test_no_two_words_overlap_and_all_are_on_the_page(path: Path) -> None:
    drawn = paper(path)
    boxes = [page.box_of_text(text) for text in words(drawn)]
    assert boxes
    assert drawn.paper is not None
    wide, high = drawn.paper
    for one, two in itertools.combinations(boxes, 2):
        assert apart(one, two)
    for x0, y0, x1, y1 in boxes:
        assert x0 >= 0
        assert y0 >= 0
        assert x1 <= wide
        assert y1 <= high


@pytest.mark.parametrize("path", DRAWN, ids=lambda p: p.stem)
def test_every_part_is_named_in_its_picture(path: Path) -> None:
    mechanism = native.load(path)
    shown = {text.text for text in words(paper(path))}
    for name, part in mechanism.parts.items():
        drawn = part.shape is not None or not part.fixed
        bare = (
            not part.markers
            and part.library is None
            and not any(name in end for j in mechanism.joints.values() for end in j.between)
        )
        touched = any(name in contact.between for contact in mechanism.contacts)
        if drawn and not (bare and part.shape is None and not touched):
            assert name in shown


@pytest.mark.parametrize("path", DRAWN[:: max(1, len(DRAWN) // 12)], ids=lambda p: p.stem)
def test_the_same_document_gives_the_same_bytes(path: Path) -> None:
    first, second = (svg.write(machine_scene(native.load(path))) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("path", DRAWN, ids=lambda p: p.stem)
def test_svg_is_well_formed_and_needs_no_fonts(path: Path) -> None:
    root = ElementTree.fromstring(svg.write(machine_scene(native.load(path))))
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert kinds <= {"svg", "rect", "path", "circle", "g"}
    assert not any("id" in element.attrib or "href" in element.attrib for element in root.iter())
    assert float(root.attrib["width"]) <= 801
    assert float(root.attrib["height"]) <= 801


@pytest.mark.parametrize("stem", sorted(ROWS_ALONE))
def test_rows_alone_cannot_be_drawn_and_the_error_says_what_can(stem: str) -> None:
    mechanism = native.load(REFERENCE / "contact_modes" / f"{stem}.toml")
    with pytest.raises(UnsupportedError, match="nothing to draw") as caught:
        machine_scene(mechanism)
    assert "contacts" in str(caught.value)


@pytest.mark.parametrize(("wide", "high"), [(10.0, 1.0), (1.0, 10.0), (3.0, 3.0), (0.0, 5.0), (0.0, 0.0)])
@pytest.mark.parametrize("size", [200, 800, 2000])
def test_a_circle_stays_a_circle_whatever_the_page(wide: float, high: float, size: int) -> None:
    ring = Style(stroke="#222222")
    scene = Scene((DrawnDisc((0.0, 0.0), 0.5, ring), DrawnDisc((wide, high), 0.5, ring)), title="two rings")
    frame = page.fit(scene, size)
    origin, right, up = (frame.point(p) for p in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    assert right[0] - origin[0] == pytest.approx(origin[1] - up[1])
    drawn = page.on_paper(scene, size)
    assert drawn.paper is not None
    assert max(drawn.paper) <= size + 1
    for disc in (item for item in drawn.items if isinstance(item, DrawnDisc)):
        assert disc.at[0] - disc.radius >= 0
        assert disc.at[0] + disc.radius <= drawn.paper[0]
        assert disc.at[1] - disc.radius >= 0
        assert disc.at[1] + disc.radius <= drawn.paper[1]


def pixels(scene: Scene, size: int = 800) -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png.write(scene, size=size))).convert("RGB"), dtype=int)


def test_the_escapement_has_its_colours_in_their_places() -> None:
    scene = machine_scene(native.load(REFERENCE / "machines" / "escapement.toml"))
    frame, picture = page.fit(scene, 800), pixels(scene)
    assert picture.shape[0] in (800, 801)
    on_paper = page.on_paper(scene, 800).paper
    assert on_paper is not None
    assert picture.shape[:2] == (on_paper[1], on_paper[0])

    def at(x: float, y: float) -> np.ndarray:
        column, row = frame.point((x, y))
        return picture[round(row), round(column)]

    blue, orange, green = at(-4.0, 7.5), at(2.5, 21.5), at(3.0, 2.0)
    assert blue[2] > blue[0] + 30  # the lever
    assert orange[0] > orange[2] + 30  # the balance
    assert green[1] > green[0] + 30  # the wheel
    grey = at(6.0, 12.0)
    assert np.ptp(grey) < 20  # the frame's plate
    for x, y in ((0.0, 0.0), (0.0, 7.5), (0.0, 20.0), (-1.6, 14.0), (1.6, 14.0)):
        assert np.ptp(at(x, y)) < 20  # the frame's posts stand above the parts they carry


def test_words_are_drawn_without_any_font_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ink where a label is, and the writer never asks for a font."""
    scene = Scene((Text((20.0, 40.0), "Äθ µ 12°", 24.0),), paper=(200.0, 60.0))
    monkeypatch.setenv("FONTCONFIG_FILE", "/nonexistent")
    assert "<text" not in svg.write(scene)
    assert (pixels(scene).min(axis=2) < 100).sum() > 200


def test_the_wheel_of_the_escapement_shows_ten_teeth() -> None:
    drawn = paper(REFERENCE / "machines" / "escapement.toml")
    scene = machine_scene(native.load(REFERENCE / "machines" / "escapement.toml"))
    centre = np.array(page.fit(scene, 800).point((0.0, 0.0)))
    rings = [
        r
        for item in drawn.items
        if getattr(item, "owner", "") == "ewheel"
        for r in getattr(item, "rings", ())
    ]
    ring = max(rings, key=len)
    radius = np.linalg.norm(ring - centre, axis=1)
    outside = radius > 1.1 * np.median(radius)
    assert np.sum(outside & ~np.roll(outside, 1)) == 10


def test_parts_without_anything_to_show_are_refused() -> None:
    from detent.model.reading import Builder

    with pytest.raises(UnsupportedError, match="no part has a shape"):
        machine_scene(Builder(title="nothing").part("a").part("b", fixed=True).build())


def test_contacts_given_with_two_numbers_are_drawn_in_space_too() -> None:
    from detent.model.reading import convert

    contact = {"between": ["ground", "ball"], "point": [0, 0], "normal": [0, 1], "tangents": [[1, 0]]}
    parts = {"ground": {"fixed": True}, "ball": {"shape": {"sphere": 1}}}
    push = {"part": "ball", "legs": [{"velocity": [0, 1, 1], "for": 1}]}
    document = {"dimension": 3, "parts": parts, "contacts": [contact], "drives": {"push": push}}
    scene = machine_scene(convert.mechanism(document))
    assert any(type(item).__name__ == "Symbol" and item.kind == "contact" for item in scene.items)


@pytest.mark.parametrize("size", [1e-9, 1e16])
def test_a_flat_outline_among_solids_is_the_same_picture_at_any_size(size: float) -> None:
    """manifold3d keeps eight decimals, and has a largest number."""
    from detent.model.reading import convert

    def drawn(size: float) -> np.ndarray:
        parts = {
            "plate": {"shape": {"circle": size}},
            "ball": {"shape": {"sphere": size, "moves": [{"move": [0, 0, 2 * size]}]}},
        }
        scene = machine_scene(convert.mechanism({"dimension": 3, "parts": parts}))
        shown = [item for item in scene.items if isinstance(item, Area)]
        assert {item.owner for item in shown} == set(parts)
        extents = []
        for name in parts:
            points = np.concatenate([ring for item in shown if item.owner == name for ring in item.rings])
            extents += [points.min(axis=0) / size, points.max(axis=0) / size]
        return np.array(extents)

    assert drawn(size) == pytest.approx(drawn(1.0), rel=1e-6)


@pytest.mark.parametrize(
    "title", ["\x00 bell \x07", "a \ud800 half", "<&>\"'", "日本語 \U0001f600", "x" * 500]
)
def test_any_title_gives_a_well_formed_picture(title: str) -> None:
    drawn = svg.write(Scene((DrawnDisc((0.0, 0.0), 1.0, Style()),), title=title))
    ElementTree.fromstring(drawn.encode())


def test_a_name_longer_than_the_page_is_cut_not_lost() -> None:
    from detent.model.reading import Builder

    name = "w" * 180
    machine = Builder(title="long").part(name, shape={"circle": 3}).build()
    shown = [text.text for text in words(page.on_paper(machine_scene(machine), 400))]
    assert any(text.startswith("wwww") and text.endswith("…") for text in shown)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e12])
def test_any_size_of_machine_fills_its_page(scale: float) -> None:
    from detent.model.reading import Builder

    corners = [[0, 0], [3 * scale, 0], [3 * scale, 2 * scale], [0, 2 * scale]]
    drawn = page.on_paper(
        machine_scene(Builder(title="t").part("a", shape={"outline": corners}).build()), 600
    )
    ring = next(
        r for item in drawn.items if getattr(item, "owner", "") == "a" for r in getattr(item, "rings", ())
    )
    assert np.ptp(ring[:, 0]) > 400
    assert np.ptp(ring[:, 0]) / np.ptp(ring[:, 1]) == pytest.approx(1.5)


def test_a_hundred_thousand_corners_are_all_drawn() -> None:
    from detent.model.reading import Builder

    turn = np.linspace(0, 2 * np.pi, 50_000, endpoint=False)
    radius = 10 + 0.5 * (np.arange(50_000) % 2)
    corners = np.round(np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1), 6)
    built = Builder(title="fine").part("frame", fixed=True, shape={"outline": corners.tolist()})
    built.part("wheel", shape={"outline": np.add(corners, (25.0, 0.0)).tolist()})
    drawn = page.on_paper(machine_scene(built.build()), 800)
    assert sum(len(r) for item in drawn.items for r in getattr(item, "rings", ())) >= 100_000


def test_a_name_does_not_point_at_what_is_in_front_of_its_part():
    """Seen from the front and above, the upper box hides the middle of the lower one's lid."""
    scene = machine_scene(native.load(examples_folder() / "box_on_box.toml"))
    shown = [item for item in scene.items if isinstance(item, Area) and item.owner == "upper"]
    upper = shapely.MultiPoint(np.concatenate([ring for item in shown for ring in item.rings])).convex_hull
    label = next(label for label in scene.labels if label.text == "lower")
    assert label.anchors
    assert not any(upper.contains(shapely.Point(at)) for at in label.anchors)


def test_an_outline_that_crosses_itself_is_drawn_under_and_over_others() -> None:
    """A document that `check` refuses can still be looked at: that is how its mistake is seen."""
    from detent.model.reading import convert

    far = [[-18, -51], [-17, -51], [-15, -55], [-5, -43], [1e6, -41], [-17, -44]]
    parts = {"plate": {"shape": {"outline": far}}, "box": {"shape": {"block": [1, 2, 3]}}}
    scene = machine_scene(convert.mechanism({"parts": parts}))
    assert {item.owner for item in scene.items if isinstance(item, Area)} == {"plate", "box"}
    assert {label.text for label in scene.labels} >= {"plate", "box"}


def test_a_body_whose_faces_have_no_area_in_doubles_is_left_out() -> None:
    """The patch of a plate that a contact with this normal is drawn on is a needle of four triangles."""
    machine = native.load(examples_folder() / "peg_on_carrier.toml")
    contact = {
        "between": ["carrier", "peg"],
        "point": [0.70710678, 0.70710678, 0.5],
        "normal": [1e-9, 0, 0.5],
    }
    scene = machine_scene(machine.with_("contacts", [contact]))
    assert {"peg", "plate"} <= {item.owner for item in scene.items if isinstance(item, Area)}


def test_a_pushed_part_of_which_an_intersection_leaves_nothing_has_no_arrow() -> None:
    from detent.model.reading import convert

    apart = [{"outline": [[x, 0], [x + 1, 0], [x, 1]]} for x in (0, 5)]
    parts = {"base": {"fixed": True, "shape": {"circle": 1}}, "gone": {"shape": {"intersection": apart}}}
    push = {"push": {"part": "gone", "legs": [{"velocity": [-1, 0], "distance": 2}]}}
    scene = machine_scene(convert.mechanism({"parts": parts, "drives": push}))
    assert {getattr(item, "owner", "") for item in page.on_paper(scene, 400).items} >= {"base"}
