"""Floor 8: pictures as data, then SVG and PNG, plots, animation, report."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "machine.machine": "machine_scene",
        "machine.stage": "posed stage_of",
        "scene.scene": "Symbol",
    },
)
