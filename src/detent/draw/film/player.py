"""A film as one self-contained page: play, pause, scrub, keyboard; nothing is fetched.

In a flat view each part is drawn once and moved by one matrix per frame, so the page
stays small; what changes shape (a coil spring) is drawn again each frame. In space
every frame is drawn, equal elements stored once. A content policy allows this
page's own script, by its hash, and nothing else. Who asked for reduced motion gets
a still picture and the controls.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from dataclasses import replace
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.film.gif import Film
from detent.draw.machine.joints import block_and_rod
from detent.draw.paper import svg
from detent.draw.paper.page import PageFrame, fit, marks, on_paper
from detent.draw.scene.scene import DrawnLine, Item, Symbol
from detent.geometry.pose import matrix_of
from detent.model.document.joint_types import JOINT_TYPES

if TYPE_CHECKING:
    from detent.draw.machine.stage import Matrix

ZIGZAG = 8  # a coil has more corners than any other line of a slide's symbols


def page(film: Film, *, size: float = 720) -> str:
    """The page as HTML; the same film gives the same bytes."""
    picture, data = _in_space(film, size) if film.spatial else _flat(film, size)
    script = (files("detent.draw") / "player.js").read_text()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    title = html.escape(film.mechanism.title or "A machine in motion")
    # The data are in a script element that is never run; "<" must not end it.
    packed = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    return _PAGE.format(title=title, digest=digest, picture=picture, data=packed, script=script)


def _flat(film: Film, size: float) -> tuple[str, dict[str, Any]]:
    first = int(film.rows[0])
    scene = replace(replace(film, arrows={}).scene(first), title="", note="")
    frame = fit(scene, size)
    paper = on_paper(scene, size)
    movers = _movers(film)
    names = sorted({part for part in movers.values() if part in film.trajectory.poses})
    index = {name: k for k, name in enumerate(names)}
    coils = [item for item in scene.items if isinstance(item, Symbol) and item.kind == "coil"]
    redrawn: dict[str, int] = {symbol.owner: k for k, symbol in enumerate(coils)}
    body: list[str] = []
    for (kind, k), run in groupby(paper.items, key=lambda item: _part(item, movers, index, redrawn)):
        elements = svg.marks(run)
        if kind == "moves":
            body.append(f'<g data-mover="{k}">{"".join(elements)}</g>')
        elif kind == "redrawn":
            body.extend(e.replace("<path", f'<path data-redrawn="{k}"', 1) for e in elements)
        else:
            body.extend(elements)
    frames, elements = _arrows(film, frame)
    body += ['<g data-stage=""></g>'] if frames else []
    data = {
        "seconds": film.seconds,
        "words": [film.words(int(row)) for row in film.rows],
        "movers": [_matrices(film, name, frame) for name in names],
        "redrawn": _redrawn(film, len(coils), frame),
        "frames": frames,
        "elements": elements,
    }
    assert paper.paper is not None
    return _wrapped(paper.paper, body), data


def _arrows(film: Film, frame: PageFrame) -> tuple[list[list[int]], list[str]]:
    """Arrows of each frame, as numbers of elements, and the elements; none where no row has any."""
    known: dict[str, int] = {}
    frames = []
    for row in film.rows if film.arrows else ():
        drawn = [mark for arrow in film.arrows.get(int(row), ()) for mark in marks(arrow, frame)]
        frames.append([known.setdefault(element, len(known)) for element in svg.marks(drawn)])
    return frames, list(known)


def _part(
    item: Item, movers: dict[str, str], index: dict[str, int], redrawn: dict[str, int]
) -> tuple[str, int]:
    owner = getattr(item, "owner", "")
    if owner in redrawn and isinstance(item, DrawnLine) and len(item.points) > ZIGZAG:
        return ("redrawn", redrawn[owner])
    part = movers.get(owner, "")
    return ("moves", index[part]) if part in index else ("stays", 0)


def _movers(film: Film) -> dict[str, str]:
    """By owner of a mark: the part it moves with."""
    stage = film.stage
    parts = film.mechanism.parts
    movers = {name: name for name in parts}
    movers |= {f"{part}.{marker}": part for part, markers in stage.markers.items() for marker in markers}
    for pair in stage.pairs:
        if JOINT_TYPES[pair.joint.type].symbol == "slider":
            movers[pair.name] = block_and_rod(stage, pair)[0].part
        elif parts[pair.second.part].fixed:
            movers[pair.name] = pair.second.part
        else:
            # A pin on the frame stays with the frame, and so does its foot.
            movers[pair.name] = pair.first.part
    return movers


def _matrices(film: Film, part: str, frame: PageFrame) -> list[float]:
    """c, s, e, f of each shown row: from the first frame's place to the row's, on paper."""
    rows = [_matrix(row) for row in film.trajectory.poses[part][film.rows]]
    back = np.linalg.inv(rows[0])
    numbers: list[float] = []
    for row in rows:
        move = row @ back
        c, s = float(move[0, 0]), float(move[1, 0])
        # A point of paper is (X + k x, Y - k y); the fixed frame gives the shift.
        e = frame.x - c * frame.x - s * frame.y + frame.scale * float(move[0, 2])
        f = frame.y + s * frame.x - c * frame.y - frame.scale * float(move[1, 2])
        numbers += [round(c, 6), round(s, 6), round(e, 2), round(f, 2)]
    return numbers


def _matrix(row: Any) -> Matrix:
    """The plane's 3 x 3 matrix of a pose."""
    full = matrix_of(row)
    return full[np.ix_([0, 1, 3], [0, 1, 3])]


def _redrawn(film: Film, count: int, frame: PageFrame) -> list[list[str]]:
    """Paths of coils, frame by frame."""
    from detent.draw.paper import symbols

    paths: list[list[str]] = [[] for _ in range(count)]
    if not count:
        return paths
    for row in film.rows:
        coils = [i for i in film.scene(int(row)).items if isinstance(i, Symbol) and i.kind == "coil"]
        for k, symbol in enumerate(coils[:count]):
            assert symbol.to is not None
            points = symbols.zigzag(frame.point(symbol.at), frame.point(symbol.to))
            paths[k].append("M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in points))
    return paths


def _in_space(film: Film, size: float) -> tuple[str, dict[str, Any]]:
    rows = film.rows_in_full
    known: dict[str, int] = {}
    frames: list[list[int]] = []
    paper = None
    for row in rows:
        paper = on_paper(replace(film.scene(int(row)), title="", note=""), size)
        frames.append([known.setdefault(element, len(known)) for element in svg.marks(paper.items)])
    assert paper is not None
    assert paper.paper is not None
    data = {
        "seconds": film.seconds,
        "words": [film.words(int(row)) for row in rows],
        "movers": [],
        "redrawn": [],
        "frames": frames,
        "elements": list(known),
    }
    return _wrapped(paper.paper, ['<g data-stage=""></g>']), data


def _wrapped(paper: tuple[float, float], body: list[str]) -> str:
    wide, high = map(svg.number, paper)
    inside = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
        f'aria-label="moving picture">\n{inside}\n</svg>'
    )


_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 1rem auto; padding: 0 1rem; }}
  figure {{ margin: 0; background: white; border-radius: 6px; }}
  figure svg {{ display: block; width: 100%; height: auto; max-height: 72vh; }}
  h1 {{ font-size: 1.3rem; margin: .5rem 0; }}
  .controls {{ display: flex; gap: .75rem; align-items: center; margin: .75rem 0; }}
  .controls input {{ flex: 1; }}
  button {{ font: inherit; min-width: 5rem; padding: .3rem .8rem; }}
  output {{ font-variant-numeric: tabular-nums; min-width: 9rem; text-align: right; }}
</style>
<h1>{title}</h1>
<figure>
{picture}
</figure>
<div class="controls">
  <button id="play" type="button" aria-pressed="false">Play</button>
  <input id="frame" type="range" min="0" value="0" step="1" aria-label="frame">
  <output id="words" for="frame"></output>
</div>
<p>Space plays and pauses; the arrow keys step; Home and End go to the ends.</p>
<script type="application/json" id="film">{data}</script>
<script>{script}</script>
</html>
"""
