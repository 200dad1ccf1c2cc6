"""The Mechanism: frozen data, the whole of a document. No verb lives on it."""

from __future__ import annotations

from typing import Annotated, Literal

from detent.model.document.ask import Ask, Study
from detent.model.document.base import Free, Table, Vector, doc
from detent.model.document.drive import Drive, Start
from detent.model.document.joint import Joint
from detent.model.document.part import Material, Part
from detent.model.document.shape import Shape
from detent.model.document.touch import GivenContact, Rows, Touching

FORMAT = "detent/1"
Units = Literal["m", "mm", "in", "1"]


class Mechanism(Table, frozen=True):
    """A machine: its parts, shapes, joints, drives, and the questions put to it."""

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
    drives: dict[str, Drive] = {}
    start: Annotated[dict[str, Start], doc("by joint; as drawn and at rest unless said")] = {}
    touching: Touching | None = None
    contacts: tuple[GivenContact, ...] = ()
    rows: Rows | None = None
    ask: Ask | None = None
    study: Study | None = None
    view: Annotated[dict[str, Free], doc("the editor's; means nothing to a method")] = {}
