"""Colours that distinguish parts, also for eyes that do not see all of them.

The hues are Okabe and Ito's; each part has a dark line and a light fill of its hue.
What does not move is grey.
"""

from __future__ import annotations

from dataclasses import dataclass

HUES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800")
INK = "#222222"
QUIET = "#5f6368"
PAPER = "#ffffff"
HATCH = "#8a9097"
DRIVE = "#b3261e"
CONTACT = "#c2185b"


@dataclass(frozen=True)
class Colours:
    """Of one part: fill, line, and words."""

    fill: str
    line: str
    words: str
    hatch: str | None = None


def of_parts(names: dict[str, bool]) -> dict[str, Colours]:
    """Colours by part; `names` says which parts are fixed. Moving parts take the hues in order."""
    moving = [name for name, fixed in names.items() if not fixed]
    colours = {name: of_hue(HUES[k % len(HUES)]) for k, name in enumerate(moving)}
    frame = Colours("#eef0f2", "#6b7177", "#4a4f55", hatch="#cfd4d9")
    return {name: frame if fixed else colours[name] for name, fixed in names.items()}


def of_hue(hue: str) -> Colours:
    return Colours(mix(hue, "#ffffff", 0.58), mix(hue, "#000000", 0.35), mix(hue, "#000000", 0.45))


def mix(colour: str, other: str, share: float) -> str:
    """`share` of the other colour in the first."""
    first, second = (_channels(c) for c in (colour, other))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(first, second, strict=True))


def _channels(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
