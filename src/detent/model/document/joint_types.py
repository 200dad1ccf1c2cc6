"""The joint types: what each constrains, its coordinate, how it is drawn; other tables follow from it.

A joint constrains translations of its point and rotations of its second part past its first. `axis` is the
joint's own direction: in the plane the line of a slide, else z; in space the marker's direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Directions in which, or axes about which, a joint constrains: none, its axis, the directions across it, all.
Held = Literal["none", "axis", "across", "all"]
# How many directions that is, in the plane and in space. In the plane translations have two directions
# (the axis and one across it) and rotations one (about z): all of them, or none.
_TRANSLATIONS: dict[Held, tuple[int, int]] = {"none": (0, 0), "axis": (1, 1), "across": (1, 2), "all": (2, 3)}
_ROTATIONS: dict[Held, tuple[int, int]] = {"none": (0, 0), "axis": (1, 1), "across": (0, 2), "all": (1, 3)}


@dataclass(frozen=True)
class JointType:
    """One type of joint.

    `translations` and `rotations` are what it constrains, in plane and space alike unless `in_plane` differs;
    `coordinate` is what its drive, spring and limits act on. Its markers share a `meets` point, or the
    second lies on the first's line. `slides`: its axis is a line in the plane (x), not an axis of rotation.
    `drawn_into`: its parts may be drawn into each other. `placed`: it needs a point (markers, or `at`).
    `keeps_plane`: its parts stay in planes across z where its axis is z, or across z, or never; None says
    nothing. `symbol` is how it is drawn, `axis_drawn` whether its axis is shown in a view of space.
    """

    name: str
    translations: Held = "none"
    rotations: Held = "none"
    coordinate: Literal["angle", "length"] | None = None
    meets: Literal["point", "line"] | None = None
    slides: bool = False
    drawn_into: bool = False
    placed: bool = True
    keeps_plane: Literal["axis z", "axis across z", "never"] | None = None
    symbol: Literal["pin", "slider", "ball", "weld", "rubber"] | None = None
    axis_drawn: bool = False
    couples: bool = False  # one row on two rotations: a gear
    known: bool = True  # False: what it constrains is still to be found from shapes
    # For a plane linkage it is the same, another kind ("revolute", "in_line"), "nothing", or "none": refused.
    in_plane: str = "same"

    @property
    def limited(self) -> bool:
        """Whether it may have limits: a pin or a slide."""
        return self.coordinate is not None and self.meets is not None

    @property
    def turns_about_axis(self) -> bool:
        """Whether its parts turn about its axis, and only about that."""
        return self.rotations == "across" and self.translations in ("all", "across")

    @property
    def holds_to_plane(self) -> bool:
        """Whether what it joins to a part that stays in the plane stays there too."""
        rigid = self.translations == "all" and self.rotations == "all"
        return rigid or self.keeps_plane in ("axis z", "axis across z")

    def constraints(self, dimension: int) -> int | None:
        """How many degrees of freedom it takes from a pair of parts; None where that is not known."""
        column = 0 if dimension == 2 else 1
        if not self.known or (dimension == 2 and self.in_plane == "none"):
            return None
        if self.couples:
            return 1
        if dimension == 2 and self.in_plane == "nothing":
            return 0
        return _TRANSLATIONS[self.translations][column] + _ROTATIONS[self.rotations][column]


_TYPES = (
    JointType(
        "revolute", "all", "across", "angle", "point",
        drawn_into=True, keeps_plane="axis z", symbol="pin", axis_drawn=True,
    ),
    JointType(
        "prismatic", "across", "all", "length", "line",
        slides=True, keeps_plane="axis across z", symbol="slider", axis_drawn=True,
    ),
    JointType(
        "cylindrical", "across", "across", None, "line",
        slides=True, drawn_into=True, keeps_plane="never", symbol="slider", axis_drawn=True, in_plane="none",
    ),
    JointType("planar", "axis", "across", keeps_plane="axis z", in_plane="nothing"),
    JointType(
        "spherical", "all", "none", None, "point",
        drawn_into=True, keeps_plane="never", symbol="ball", in_plane="revolute",
    ),
    JointType("fixed", "all", "all", None, "point", drawn_into=True, placed=False, symbol="weld"),
    JointType("gear", couples=True, drawn_into=True, placed=False),
    JointType(
        "elastic", meets="point", drawn_into=True, keeps_plane="never", symbol="rubber", in_plane="nothing"
    ),
    JointType("infer", known=False, placed=False, in_plane="none"),
    JointType("in_line", "across", "none", None, "line", slides=True, symbol="pin"),
    JointType("angle", "none", "axis", "angle", placed=False),
)  # fmt: skip
JOINT_TYPES: dict[str, JointType] = {joint_type.name: joint_type for joint_type in _TYPES}
