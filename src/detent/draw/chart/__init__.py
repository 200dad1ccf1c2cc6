"""Curves and diagrams of answers."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "mating": "mating_scene",
        "measured": "overlay_scene",
        "motion": "chart_of_motion motion_scene",
        "pegs": "peg_scene",
        "plot": "PlotAxis BOUNDLESS PlotMark Panel Series plot_scene ticks",
        "shading": "Shade",
        "slice": "HOLDING slice_scene",
    },
)
