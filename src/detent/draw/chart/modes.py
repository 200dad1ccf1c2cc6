"""Contact modes in pictures: the lattice by rank, and what one mode does at each contact.

In the lattice a dot is a mode, rows are dimensions (rest at the bottom), and a line
joins a mode to one that bounds it. In the picture of a mode each contact has its
state's colour and an arrow for the velocity of the second part past the first:
separating contacts look unlike touching ones, as in Huang, Cheng & Mason's figures.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from detent.draw.film.gif import film, gif
from detent.draw.machine import view
from detent.draw.machine.machine import is_spatial, scene_at
from detent.draw.machine.stage import stage_of
from detent.draw.scene.palette import CONTACT, INK, QUIET
from detent.draw.scene.scene import (
    Arrow,
    DrawnDisc,
    DrawnLine,
    Item,
    Label,
    Point,
    Scene,
    Style,
    Symbol,
    Text,
    extent,
)
from detent.foundation.errors import UnsupportedError
from detent.foundation.exact import number
from detent.geometry.pose import quaternion_of, rotation_of
from detent.model.document.touch import GivenContact
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from detent.contact.contacts import Contacts
    from detent.contact.modes.mode import Mode, ModeSet
    from detent.draw.scene.scene import Points
    from detent.model.document.mechanism import Mechanism

# Touching is warm, separating is not; sticking and sliding differ in lightness too.
COLOURS = {"sticking": "#8a5a00", "sliding": "#e69f00", "touching": "#e69f00", "separating": "#7b3fa0"}
MOST_DOTS = 1500  # of a lattice; a larger one shows its rows as bars
WIDTH, ROW, MARGIN = 900.0, 90.0, 60.0  # [px]
HEADING = 20.0  # [px] from the edge to the words above and below the rows
ARROW, RIM = 2.5, 0.7  # [px] its width; by how much a sign shows from under another
LONGEST = 0.3  # arrow of the fastest contact, as a share of the picture
ROTATION, SHIFT = 0.25, 0.12  # [rad], share of the picture's size: how far the film of a mode goes
FRAMES = 24


def lattice(modes: ModeSet) -> Scene:
    """All modes by dimension."""
    if not len(modes):
        raise UnsupportedError("no mode is left to draw", "ask for modes that there are")
    dims = modes.enumeration.dimensions(modes.cells)
    ranks = sorted({int(k) for k in dims})
    height = 2 * MARGIN + ROW * max(1, len(ranks) - 1)
    level = {k: height - MARGIN - ROW * i for i, k in enumerate(ranks)}
    counts = {k: int((dims == k).sum()) for k in ranks}
    words: list[Item] = [
        Text((12.0, HEADING), "dimension", 12.0, colour=QUIET),
        Text((WIDTH - 12.0, HEADING), "modes", 12.0, "end", colour=QUIET),
    ]
    for k in ranks:
        words.append(Text((12.0, level[k] + 4), f"{k}", 13.0, colour=INK))
        words.append(Text((WIDTH - 12.0, level[k] + 4), f"{counts[k]}", 13.0, "end", colour=QUIET))
    title = f"{len(modes)} {'mode' if len(modes) == 1 else 'modes'} by dimension"
    words.append(Text((WIDTH / 2, HEADING), title, 13.0, "middle"))
    if len(modes) > MOST_DOTS:
        items = [_bar(level[k], counts[k] / max(counts.values())) for k in ranks]
    else:
        items = [*_dots(modes, level, counts), *_meanings(height - HEADING)]
    return Scene((*items, *words), title=title, paper=(WIDTH, height), scale_bar=False)


def _meanings(y: float) -> list[Item]:
    """What the colours of dots say."""
    items: list[Item] = []
    for k, (state, words) in enumerate(
        (("sticking", "all contacts touch"), ("sliding", "some separate"), ("separating", "all separate"))
    ):
        x = WIDTH / 2 + (k - 1) * 170.0 - 55.0
        items.append(
            DrawnLine(np.array([[x, y - 4], [x + 4, y - 4]]), Style(stroke=COLOURS[state], width=10.0))
        )
        items.append(Text((x + 16, y), words, 12.0, colour=INK))
    return items


def _bar(y: float, share: float) -> Item:
    half = (WIDTH / 2 - 2 * MARGIN) * share
    ends = np.array([[WIDTH / 2 - half, y], [WIDTH / 2 + half, y]])
    return DrawnLine(ends, Style(stroke=COLOURS["sliding"], width=14.0))


def _dots(modes: ModeSet, level: dict[int, float], counts: dict[int, int]) -> list[Item]:
    cells = modes.cells[np.argsort(modes.texts_of(modes.cells), kind="stable")]
    seen = dict.fromkeys(counts, 0)
    at: dict[int, Point] = {}
    for cell, k in zip(cells.tolist(), modes.enumeration.dimensions(cells).tolist(), strict=True):
        seen[k] += 1
        at[cell] = (MARGIN + (WIDTH - 2 * MARGIN) * (seen[k] - 0.5) / counts[k], level[k])
    thin = Style(stroke=QUIET, width=0.5, opacity=0.35)
    lines: list[Item] = [
        DrawnLine(np.array([at[cell], at[int(g)]]), thin)
        for cell in at
        for g in modes.enumeration.complex.boundary(cell)
        if int(g) in at
    ]
    n = len(modes.contacts)
    signs = modes.signs_of(cells)[:, :n]
    radius = min(5.0, 0.4 * (WIDTH - 2 * MARGIN) / max(counts.values()) + 1.2)
    dots: list[Item] = [
        DrawnDisc(at[cell], radius, Style(stroke=None, fill=_shade(row)))
        for cell, row in zip(at, signs, strict=True)
    ]
    return lines + dots


def _shade(signs: Any) -> str:
    """All touching, all separating, or between."""
    if not len(signs) or (signs == 0).all():
        return COLOURS["sticking"]
    return COLOURS["separating"] if (signs != 0).all() else COLOURS["sliding"]


def picture(mechanism: Mechanism, mode: Mode) -> Scene:
    """The machine with every contact's state and velocity in one mode."""
    mechanism = with_contacts(mechanism, mode.modes.contacts)
    stage = stage_of(mechanism)
    base = scene_at(stage)
    contacts = mechanism.contacts
    camera = view.camera_of(stage, view.push_of(stage), contacts) if is_spatial(stage, contacts) else None
    x0, y0, x1, y1 = extent(base)
    velocities = [_slip(mode, i) for i in range(len(mode.modes.contacts))]
    fastest = max((float(np.linalg.norm(v)) for v in velocities), default=0.0)
    reach = LONGEST * max(x1 - x0, y1 - y0) / fastest if fastest > 0 else 0.0
    items: list[Item] = []
    numbers: dict[Point, list[int]] = {}
    under = _under(mode)
    for i, velocity in enumerate(velocities):
        site = mode.modes.contacts.sites[i]
        colour = COLOURS[mode.state(i)]
        point = np.array([*site.point, 0.0][:3])
        tip = point + reach * np.array([*velocity, 0.0][:3])
        at, to = (camera.point(p) if camera else (float(p[0]), float(p[1])) for p in (point, tip))
        items.append(Symbol("contact", at, colour=colour, size=1 + RIM * under[i]))
        numbers.setdefault(at, []).append(i)
        if np.hypot(to[0] - at[0], to[1] - at[1]) > 0:
            width = ARROW * (1 + RIM * under[i])
            items.append(Arrow(at, (to[0] - at[0], to[1] - at[1]), colour=colour, width=width))
    used = dict.fromkeys(mode.state(i) for i in range(len(velocities)))
    key = tuple((COLOURS[state], state) for state in used)
    title = f"{base.title}: {mode.text}" if base.title else mode.text
    shown = replace(
        base,
        items=(*base.items, *items),
        labels=(*base.labels, *_named(numbers)),
        title=title,
        key=(*base.key, *key),
    )
    return with_normals_named(shown, mechanism)


def _under(mode: Mode) -> list[int]:
    """By contact, how many other states come to lie on its own: contacts at one point are drawn as rings."""
    sites, states = mode.modes.contacts.sites, [mode.state(i) for i in range(len(mode.modes.contacts))]
    return [
        len({states[j] for j in range(i, len(sites)) if sites[j].point == site.point} - {states[i]})
        for i, site in enumerate(sites)
    ]


def _named(numbers: dict[Point, list[int]]) -> list[Label]:
    """The numbers of contacts, in the order of signs, beside the points where they are."""
    return [
        Label(", ".join(map(str, contacts)), (at,), INK, 11.0, weight=1) for at, contacts in numbers.items()
    ]


def with_contacts(mechanism: Mechanism, contacts: Contacts) -> Mechanism:
    """The same machine; contacts found from its shapes are as those given, so that pictures show them too."""
    has_normals = mechanism.contacts and all(
        len(each.normal) == mechanism.dimension for each in mechanism.contacts
    )
    if has_normals or not all(site.point for site in contacts.sites):
        return mechanism
    given_contacts = (
        GivenContact(
            between=tuple(site.name.split(":")),
            point=tuple(map(number, site.point)),
            normal=tuple(map(number, site.normal)),
        )
        for site in contacts.sites
    )
    return structs.replace(mechanism, contacts=tuple(given_contacts))


def with_normals_named(scene: Scene, mechanism: Mechanism) -> Scene:
    """The same picture; its key says what the arrows of given contacts are."""
    if not mechanism.contacts:
        return scene
    return replace(scene, key=(*scene.key, (CONTACT, "normal, from the first part to the second")))


def motion_gif(mechanism: Mechanism, mode: Mode, *, size: float = 480) -> bytes:
    """A small motion of the mode, there and back, as an animated GIF."""
    shown = with_contacts(mechanism, mode.modes.contacts)
    return gif(film(shown, motion(shown, mode)), size=size)


def motion(mechanism: Mechanism, mode: Mode) -> Trajectory:
    """Poses along a mode's sample velocity, to first order, there and back."""
    stage = stage_of(mechanism)
    x0, y0, x1, y1 = extent(scene_at(stage))
    width = 3 if mechanism.dimension == 2 else 6
    speeds = mode.velocity.reshape(-1, width)
    if not speeds.any():
        raise UnsupportedError("this mode is rest: nothing moves", "choose a mode that slides or separates")
    size = max(x1 - x0, y1 - y0)
    amount = ROTATION / max(float(np.abs(speeds[:, width // 2 + (width == 3) :]).max()), 1e-9)
    amount = min(amount, SHIFT * size / max(float(np.abs(speeds[:, : mechanism.dimension]).max()), 1e-9))
    phase = amount * 0.5 * (1 - np.cos(np.linspace(0, 2 * np.pi, FRAMES)))
    poses = {
        name: np.array([_moved(stage.now[name], speeds[k], s, mechanism.dimension) for s in phase])
        for k, name in enumerate(mode.modes.contacts.bodies)
    }
    return Trajectory(times=np.linspace(0.0, 2.0, FRAMES), poses=poses, units=mechanism.units)


def _moved(pose: Any, speed: Points, amount: float, dimension: int) -> list[float]:
    """A part's pose row after `amount` of a velocity given at the world's origin."""
    at = np.asarray(pose)[:3, 3]
    if dimension == 2:
        x, y, w = speed
        start = float(np.arctan2(pose[1, 0], pose[0, 0]))
        return [at[0] + amount * (x - w * at[1]), at[1] + amount * (y + w * at[0]), start + amount * w]
    linear, spin = speed[:3], speed[3:]
    placed = at + amount * (linear + np.cross(spin, at))
    return [*map(float, placed), *quaternion_of(rotation_of(amount * spin) @ np.asarray(pose)[:3, :3])]


def _slip(mode: Mode, contact: int) -> Points:
    """Velocity of the second part's point past the first's."""
    site = mode.modes.contacts.sites[contact]
    if not site.point:
        raise UnsupportedError(
            "these contacts are rows, which have no place in space", "give [[contacts]] with points"
        )
    point = np.array(site.point)
    width = 3 if len(point) == 2 else 6

    def at(body: int) -> Any:
        if body < 0:
            return np.zeros(len(point))
        velocity = mode.velocity[body * width : (body + 1) * width]
        if width == 3:
            return velocity[:2] + velocity[2] * np.array([-point[1], point[0]])
        return velocity[:3] + np.cross(velocity[3:], point)

    slip: Points = at(site.between[1]) - at(site.between[0])
    return slip
