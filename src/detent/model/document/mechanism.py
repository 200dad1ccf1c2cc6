"""The Mechanism: frozen data, the whole of a document. No verb lives on it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from detent.foundation import late
from detent.foundation.shown import Shown
from detent.model.document.ask import Ask, Study
from detent.model.document.base import Free, Table, Vector, doc
from detent.model.document.drive import Drive, Start
from detent.model.document.joint import Inferring, Joint
from detent.model.document.part import Material, Part
from detent.model.document.shape import Shape
from detent.model.document.touch import GivenContact, Rows, Touching

FORMAT = "detent/1"
Units = Literal["m", "mm", "in", "1"]


class Mechanism(Shown, Table, frozen=True, dict=True):
    """A machine: its parts, shapes, joints, drives, and the questions put to it.

    Frozen: `with_` gives another one. `words` says what it is, as `detent explain` does.
    """

    format: Literal["detent/1"]
    title: str = ""
    note: str = ""
    units: Annotated[Units, doc("of lengths, also in velocities; everything else is SI")] = "m"
    dimension: Annotated[Literal[2, 3], doc("2: in the plane; 3: in space")] = 2
    gravity: Annotated[Vector | None, doc("[m/s²]; none unless said")] = None
    materials: dict[str, Material] = {}
    shapes: Annotated[dict[str, Shape], doc("named shapes, reused with `use`")] = {}
    parts: dict[str, Part] = {}
    joints: dict[str, Joint] = {}
    infer: Annotated[Inferring | None, doc("how joints are found from shapes")] = None
    drives: dict[str, Drive] = {}
    start: Annotated[
        dict[str, Start],
        doc("by joint, part:part, or part.x, .y, .angle of a free part; as drawn and at rest unless said"),
    ] = {}
    touching: Touching | None = None
    contacts: tuple[GivenContact, ...] = ()
    rows: Rows | None = None
    ask: Ask | None = None
    study: Study | None = None
    view: Annotated[dict[str, Free], doc("the editor's; means nothing to a method")] = {}

    def __hash__(self) -> int:
        """Of all that it says, computed once."""
        kept: dict[str, int] = self.__dict__
        if "hash" not in kept:
            kept["hash"] = super().__hash__()
        return kept["hash"]

    def with_(self, path: str, value: object) -> Mechanism:
        """The same machine with one thing changed, by its path as problems name it; None takes it out.

        `mechanism.with_("touching.friction", 0.3)`, `.with_("parts.crank.markers.B", [0.5, 0])`: what stands
        at its default can be given too. The result is read as a file is: a ModelError says what is wrong.
        """
        changed: Mechanism = late.call("with_value", self, path, value)
        return changed

    def to_dict(self) -> dict[str, Any]:
        """The document as plain data, as its JSON has it; `detent.from_dict` reads it back."""
        plain: dict[str, Any] = late.call("to_dict", self)
        return plain

    def _line(self) -> str:
        tables = ("parts", "joints", "drives", "contacts")
        sizes = {name: len(getattr(self, name)) for name in tables}
        counts = [
            f"{size} {name.removesuffix('s') if size == 1 else name}" for name, size in sizes.items() if size
        ]
        return f"{self.title!r}: {', '.join(counts) or 'empty'}"
