"""What a document has beside its contact rows, which modes do not count: the answers say it."""

from __future__ import annotations

from dataclasses import dataclass

from detent.foundation.names import few, listed

_SHOWN = 6


@dataclass(frozen=True)
class Beside:
    """What else holds parts or pushes them in a document, in words."""

    almost: tuple[str, ...] = ()  # places where parts all but touch
    touching: tuple[str, ...] = ()  # places where they touch, of pairs without a given contact
    off: tuple[str, ...] = ()  # contacts given where the shapes are not
    given: bool = False  # the contacts are given: shapes that cannot be read may touch elsewhere
    stops: tuple[str, ...] = ()  # joints that are at a limit as drawn
    started: bool = False  # it starts elsewhere than drawn, or moving
    rigid: tuple[str, ...] = ()  # elastic joints that hold some directions
    exerting: tuple[str, ...] = ()  # gravity, springs, dampers, drives, friction in joints

    @property
    def in_the_way(self) -> str:
        """What may hinder parts and is not among the contacts, as the end of a sentence; empty without."""
        words = ""
        if self.almost:
            words += f"; not among the contacts, though parts all but touch there: {few(self.almost, _SHOWN)}"
        if self.touching:
            words += (
                f"; not among the contacts, though parts touch there: {few(self.touching, _SHOWN)}"
                " (where [[contacts]] are given, they are all that count)"
            )
        if self.off:
            words += f"; given, though not as the shapes are drawn: {few(self.off, _SHOWN)}"
        if self.stops:
            words += f"; not among the contacts, though at a stop as drawn: {few(self.stops, _SHOWN)}"
        return words

    @property
    def left_out(self) -> tuple[str, ...]:
        """Keys of the document that no mode heeds, for a scope."""
        return (
            *(("shapes that touch beside the contacts given",) if self.touching else ()),
            *(("limits of joints",) if self.stops else ()),
            *((f"directions in which {few(self.rigid, _SHOWN)} is rigid",) if self.rigid else ()),
            *(("start: everything is where it is drawn",) if self.started else ()),
        )

    @property
    def assumed(self) -> tuple[str, ...]:
        return ("only the contacts given touch",) if self.given else ()

    @property
    def whole_load(self) -> tuple[str, ...]:
        """Where a load counts as the whole load: what of the document is not added to it."""
        if not self.exerting:
            return ()
        verb = "are" if len(self.exerting) > 1 or self.exerting[0].endswith("s") else "is"
        return (f"the load is all there is: the document's {listed(self.exerting)} {verb} not added to it",)


NOTHING_BESIDE = Beside()
