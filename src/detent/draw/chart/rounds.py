"""A round peg's way in as plots: contact and mating forces over time, traces of contacts on both parts.

Figs. 17 to 19 of Meitinger & Pfeiffer 1998: their traces are drawn on the parts, here on the parts unrolled:
the angle about the axis across, the hole's depth below its face down, the peg's height above its tip up.
"""

from __future__ import annotations

import numpy as np

from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, plot_scene
from detent.draw.scene.scene import Scene
from detent.record.led.rigid import RigidMating
from detent.record.led.rounds import RoundTouch, RoundTrace, SecondTouch


def over_time(mating: RigidMating, title: str) -> Scene:
    """Normal forces of the pairs (Fig. 18), the mating force (Fig. 19), and how deep the tip is."""
    plain = {name.partition(" [")[0]: column for name, column in mating.columns().items()}
    time = plain["time"]
    pairs = {number: words for leg in mating.legs for number, words in (leg.pairs or {}).items()}
    normal = tuple(
        Series(f"({number}) {words}", time, plain[f"lambda{number}"])
        for number, words in pairs.items()
        if f"lambda{number}" in plain
    )
    panels = [
        Panel(PlotAxis("normal forces", "N"), normal),
        Panel(PlotAxis("mating force", "N"), (Series("F_z", time, plain["F_z"]),)),
        Panel(PlotAxis("tip's depth", "mm"), (Series("depth", time, plain["depth"]),)),
    ]
    marks = [
        PlotMark(touch.t, word)
        for leg in mating.legs
        for touch, word in (
            (leg.first_contact, "first"),
            (leg.transfer_to_side, "to the side"),
            (leg.second_contact, "second"),
        )
        if isinstance(touch, RoundTouch | SecondTouch)
    ]
    return plot_scene(panels, PlotAxis("time", "s"), title=title, marks=marks)


def traces(mating: RigidMating) -> Scene:
    """Where pairs touched, on the hole and on the peg, both unrolled (Fig. 17)."""
    panels = []
    for name, which, sign in (("below the face", "on_hole", -1.0), ("above the tip", "on_peg", 1.0)):
        lines = []
        for leg in mating.legs:
            for trace in leg.traces:
                assert isinstance(trace, RoundTrace)
                points = np.array(getattr(trace, which), float)
                lines.append(Series(f"({trace.pair})", points[:, 0], sign * points[:, 1], dots=True))
        panels.append(Panel(PlotAxis(name, "mm"), tuple(lines)))
    return plot_scene(panels, PlotAxis("angle about the axis", "deg"), margin=0.04)
