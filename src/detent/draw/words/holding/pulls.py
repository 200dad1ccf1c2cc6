"""What pulls do to a fastener that is in, in words: where they end, what they take, which way; and the units
of a mating's answer."""

from __future__ import annotations

import math

from msgspec import UNSET

from detent.foundation.names import listed
from detent.foundation.units import outward, unit_names
from detent.record.amount import Amount
from detent.record.mating import LEADS_AWAY, Diode, Escape, Mating, PassedTop, WayBack

DIGITS = 6  # of a force; one that is a bound is rounded so that it stays one
# How a pull ends that does not take it apart.
ENDS = {"jam": "jams", "stick": "sticks", "limit": "comes to a limit", "blocked": "is blocked"}


class MatingUnits:
    """Numbers with their units; bare where the document has a set of its own."""

    def __init__(self, mating: Mating) -> None:
        names = unit_names(mating.units)
        ends = [leg.end for leg in mating.legs]
        self.time_places = _places([end.time for end in ends], 6)
        self.travel_places = _places([end.travel or 0.0 for end in ends], 4)
        self.length, self.time, self.force = (
            name.strip() for name in (names.length, names.time, names.force)
        )
        into = mating.insertion
        # Where legs lead across the first, how far it is along that is not how far they have gone.
        self.across = into is not None and bool(into.last_leg > 1 or into.further_legs)

    def at(self, amount: Amount, travel: float | None = None) -> str:
        """A force with its unit and where it acts."""
        value = "without bound" if amount.unbounded else self.said(_as_bound(amount), self.force)
        return value if amount.time is None else f"{value}, at {self.where(amount.time, travel)}"

    def where(self, time: float, travel: float | None) -> str:
        """A time, and the travel then."""
        words = self.said(time, self.time, "time ")
        if travel is None:
            return words
        along = " along leg 1" * self.across
        return f"{self.said(travel, self.length, 'travel ')}{along} ({words})"

    @staticmethod
    def said(value: float, unit: str, otherwise: str = "") -> str:
        return f"{value:.6g} {unit}" if unit else f"{otherwise}{value:.6g}"


def _places(values: list[float], least: int) -> int:
    """Decimals of a column: at least so many, and six digits of its largest value."""
    largest = max(map(abs, values), default=0.0)
    return least if largest == 0.0 else max(least, 5 - math.floor(math.log10(largest)))


def with_the_way_back(text: str, way_back: WayBack, units: MatingUnits) -> str:
    """What the plan's own legs backwards do; it comes first where straight pulls do not take it apart."""
    one = len(way_back.legs) == 1
    legs = f"leg{'s' * (not one)} {listed([str(number) for number in way_back.legs])}, its own way back,"
    if way_back.apart:
        most = outward(way_back.force, 1, digits=DIGITS)
        force = (
            _taken(most, units)
            if most < 0 or math.isinf(most)
            else f"with at most {force_words(most, units)}"
        )
        said = f"{legs} take{'s' * one} it apart {force}"
        held = text.startswith("yes")
        return f"no, {said}; against straight pulls {text}" if held else f"{text}; {said}"
    if way_back.cause == "done":
        return text
    return f"{text}; on {legs} it {ENDS.get(way_back.cause, way_back.cause)}"


def directions_tried(diode: Diode, units: MatingUnits) -> str:
    """How many of the directions tried take it apart, with what force: the verdict is of the pull back."""
    free = [escape for escape in diode.directions if escape.apart]
    away = sum(escape.cause == LEADS_AWAY for escape in diode.directions)
    opened = sum(not escape.apart and escape.cause not in (LEADS_AWAY, *ENDS) for escape in diode.directions)
    text = f"{len(free)} of {len(diode.directions)} directions tried take it apart"
    forces = sorted((float(each.force), _angle(each)) for each in free if each.force is not UNSET)
    if forces:
        (least, easiest), (most, hardest) = forces[0], forces[-1]
        text += f", {_taken(least, units)}"
        if force_words(least, units) != force_words(most, units) and most >= 0:
            text += f" ({_towards(easiest)}) to {force_words(most, units)} ({_towards(hardest)})"
    if diode.kind == "force" and diode.force:
        enough = diode.force.bound * diode.force.insertion
        less = sum(force < enough for force, _ in forces)
        text += f", {less} of them with less than {diode.force.bound:g} times the force in" if less else ""
    sooner = sum(escape.top is not UNSET for escape in free)
    text += f", {sooner} of them over a first top that takes less force" if sooner else ""
    climbing = [escape for escape in free if escape.climbing]
    if climbing:
        names = list(dict.fromkeys(name for escape in climbing for name in escape.climbing or ()))
        climbs = f"{listed(names)} still {'climbs' if len(names) == 1 else 'climb'} there"
        text += f", in {len(climbing)} of them {climbs}, and further out it may take a larger force"
    text += f"; of {opened} it is open, as pawls bend into each other" if opened else ""
    return text + (f"; {away} lead{'s' * (away == 1)} away from the goal" if away else "")


def _taken(force: float, units: MatingUnits) -> str:
    return "by itself" if force < 0 else f"with {force_words(force, units)}"


def _angle(escape: Escape) -> float:
    """[rad] as asked for: 270° is not told as -90°."""
    return math.atan2(*escape.direction[::-1]) if escape.angle is UNSET else escape.angle


def _towards(angle: float) -> str:
    return f"towards {math.degrees(angle):.6g}°"


def still_climbing(escape: Escape) -> str:
    """Of what counts as apart before a top is passed: it is not out, and the force is not the largest."""
    if not escape.climbing:
        return ""
    names, one = listed(list(escape.climbing)), len(escape.climbing) == 1
    climb = f"{names} {'climbs' if one else 'climb'} there and {'has' if one else 'have'}"
    top, springs = ("its top", "its spring draws") if one else ("their tops", "their springs draw")
    return (
        f"; {climb} not passed {top}: but for friction {springs} it back in, "
        "and further out it may take a larger force"
    )


def further_out(diode: Diode, units: MatingUnits) -> str:
    """What a pull straight back meets past where it began; empty where nothing."""
    further = diode.further_out
    if not further:
        return ""
    if not further.apart:
        return f"; further out it {_held(further, units)} in all"
    if diode.force and further.force and further.force > diode.force.extraction:
        return f"; further out it takes {force_words(further.force, units)}"
    return "; further out it meets something again, and takes no more"


def pulled(escape: Escape, units: MatingUnits) -> str:
    """Where a pull that does not take it apart ends, and what it goes over before."""
    held = _held(escape, units)
    return f"{over_a_top(escape.top, units)}, and {held}" if escape.top else held


def _held(escape: Escape, units: MatingUnits) -> str:
    travel = units.said(escape.travel or 0.0, units.length, "a travel of ")
    return f"{ENDS.get(escape.cause, escape.cause)} after {travel}"


def over_a_top(top: PassedTop, units: MatingUnits) -> str:
    force = f"with {force_words(top.force, units)}" if top.force > 0 else "by itself"
    return f"takes {top.part} over a top of {math.degrees(top.angle):.3g}° {force}"


def force_words(value: float, units: MatingUnits) -> str:
    return "a force without bound" if math.isinf(value) else units.said(_as_bound(value), units.force)


def _as_bound(force: float) -> float:
    """A largest force as it is printed, rounded up: the same number wherever it stands."""
    return outward(float(force), 1, digits=DIGITS)
