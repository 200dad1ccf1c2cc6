"""One door from a scene to bytes: `write(scene, "svg")` or `"png"`."""

from __future__ import annotations

from detent.draw.scene.scene import Scene

KINDS = ("svg", "png")


def write(scene: Scene, kind: str, *, size: float = 800) -> bytes:
    """The picture in one of `KINDS`; `size` is its longer side [px]."""
    assert kind in KINDS
    if kind == "png":
        from detent.draw.paper import png

        return png.write(scene, size=size)
    from detent.draw.paper import svg

    return svg.write(scene, size=size).encode()
