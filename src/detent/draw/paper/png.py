"""A scene as PNG: our own SVG, rasterised. No fonts are needed or looked for."""

from __future__ import annotations

from detent.draw.paper import svg
from detent.draw.scene.scene import Scene


def write(scene: Scene, *, size: float = 800) -> bytes:
    """The picture; `size` is its longer side [px]."""
    return from_svg(svg.write(scene, size=size))


def from_svg(text: str) -> bytes:
    """PNG of an SVG that `draw.svg` wrote."""
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=text, skip_system_fonts=True))
