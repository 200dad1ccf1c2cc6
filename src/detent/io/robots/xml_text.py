"""Numbers, names and notes in the XML of simulators of robots."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence

import numpy as np

from detent.io.robots.bodies import flat_parts, thickness
from detent.io.robots.tree import Robot


def numbers(values: Iterable[float]) -> str:
    """Doubles, all digits; no negative zero."""
    return " ".join(repr(float(value) + 0.0) for value in np.ravel(list(values)))


def text_of(root: ET.Element, lost: Sequence[str]) -> str:
    """A file that ends in a line, with what is not in it as a comment."""
    ET.indent(root)
    notes = "".join(f"\n  not in this file: {each}" for each in lost)
    while "--" in notes:  # which would end the comment
        notes = notes.replace("--", "- -")
    comment = f"<!-- written by Detent; metres, kilograms, radians{notes} -->"
    return f'<?xml version="1.0"?>\n{comment}\n{ET.tostring(root, encoding="unicode")}\n'


def drawn_thin(robot: Robot) -> list[str]:
    """What to know of flat shapes."""
    flat = flat_parts(robot)
    return [f"the thickness of flat shapes, which are drawn {thickness(robot):.4g} m thick"] if flat else []
