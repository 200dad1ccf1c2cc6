"""A scene as SVG: plain paths, no fonts, no ids, no dates; equal scenes give equal bytes.

Words are outlines (draw/paper/text.py) under an `aria-label`, so that the picture is the
same on every machine and still says what it says to a reader or a search.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from detent.draw.paper.page import on_paper
from detent.draw.paper.text import EM, glyph, width
from detent.draw.scene.scene import Area, DrawnDisc, DrawnLine, Item, Scene, Style, Text

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(scene: Scene, *, size: float = 800) -> str:
    """The picture; `size` is its longer side [px]."""
    page = on_paper(scene, size)
    assert page.paper is not None
    wide, high = (number(side) for side in page.paper)
    body = "\n".join(marks(page.items))
    title = _quoted(scene.title or "a machine")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" role="img" aria-label={title}>\n'
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def marks(items: Iterable[Item]) -> list[str]:
    """One element an item of a scene that is on paper."""
    return [_mark(item) for item in items]


def _mark(item: Item) -> str:
    match item:
        case Area(rings=rings, style=style, owner=owner):
            d = "".join(_subpath(ring, closed=True) for ring in rings)
            return f'<path{_owner(owner)} d="{d}"{_style(style)} fill-rule="evenodd"/>'
        case DrawnLine(points=points, style=style, closed=closed, owner=owner):
            return f'<path{_owner(owner)} d="{_subpath(points, closed=closed)}"{_style(style)}/>'
        case DrawnDisc(at=at, radius=radius, style=style, owner=owner):
            place = f'cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}"'
            return f"<circle{_owner(owner)} {place}{_style(style)}/>"
        case Text():
            return _text(item)
    raise AssertionError(f"{type(item).__name__} is not on paper")


def number(value: float) -> str:
    """A hundredth of a pixel is finer than any screen shows."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def _subpath(points: Points, *, closed: bool) -> str:
    places = [f"{number(x)} {number(y)}" for x, y in points.tolist()]
    kept = [place for i, place in enumerate(places) if i == 0 or place != places[i - 1]]
    if len(kept) == 1:
        kept *= 2  # a point with round ends is a dot
    return "M" + "L".join(kept) + ("Z" if closed else "")


def _style(style: Style) -> str:
    pieces = [f' fill="{style.fill or "none"}"']
    if style.stroke is not None:
        pieces.append(f' stroke="{style.stroke}" stroke-width="{number(style.width)}"')
        pieces.append(' stroke-linejoin="round" stroke-linecap="round"')
    if style.dash:
        pieces.append(f' stroke-dasharray="{" ".join(map(number, style.dash))}"')
    if style.opacity != 1:
        pieces.append(f' opacity="{number(style.opacity)}"')
    return "".join(pieces)


def _owner(owner: str) -> str:
    return f" data-of={_quoted(owner)}" if owner else ""


def _quoted(text: str) -> str:
    """An attribute; what XML cannot hold is shown as the sign for a character that cannot be shown."""
    return quoteattr(_NOT_XML.sub("\ufffd", text))


def _text(text: Text) -> str:
    scale = text.size / EM
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.align] * width(text.text, text.size)
    rotation = f" rotate({number(text.turn_deg)})" if text.turn_deg else ""
    glyphs = []
    at = 0.0
    for character in text.text:
        advance, path = glyph(character)
        if path:
            moved = f' transform="translate({number(at)} 0)"' if at else ""
            glyphs.append(f'<path{moved} d="{path}"/>')
        at += advance
    place = f"translate({number(text.at[0])} {number(text.at[1])}){rotation} translate({number(-shift)} 0)"
    return (
        f'<g role="text" aria-label={_quoted(text.text)} fill="{text.colour}" '
        f'transform="{place} scale({scale:.4f})">{"".join(glyphs)}</g>'
    )
