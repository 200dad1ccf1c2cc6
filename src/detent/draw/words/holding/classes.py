"""What kind of diode a fastener is, and what a whole fan of directions does, in words with what was tried."""

from __future__ import annotations

import math

from msgspec import UNSET

from detent.draw.words.holding.pulls import MatingUnits, force_words
from detent.foundation.names import listed
from detent.record.holding.fan import Fan, FanPiece
from detent.record.mating import Diode

SIMPLEST = 12  # digits of the direction of a boundary
MOST_TOLD = 4  # boundaries, pieces


def class_words(diode: Diode) -> str:
    """The two words of its class, with what was tried; empty where it is none, or open."""
    if diode.kind not in ("kinematic", "friction", "force"):
        return ""
    if diode.kind == "force" and diode.force:
        return f"a force diode{_by_force(diode, diode.force.bound)}"
    name = f"a {diode.kind} diode"
    if diode.total is None:
        return f"{name}, relative to straight back"
    if not diode.total:
        return f"{name}, relative, not total: other ways take it apart"
    return f"{name}, total: {_total(diode)}"


def _by_force(diode: Diode, bound: float) -> str:
    """Whether any way tried takes it apart with less than makes it a force diode."""
    if diode.total is None:
        return ", relative to straight back"
    if not diode.total:
        return f", not total: other ways take it apart with less than {bound:g} times the force in"
    looked = len(diode.directions) + (sum(piece.tried for piece in diode.fan.pieces) if diode.fan else 0)
    return f", total of the {looked} directions tried: none takes less than {bound:g} times the force in"


def _total(diode: Diode) -> str:
    fan = diode.fan
    tried = f"none of the {len(diode.directions)} directions tried takes it apart"
    if not fan:
        return f"{tried}, which is no proof for others"
    between = f"every direction from {degrees(fan.from_)} to {degrees(fan.to)}"
    if diode.total_is == "proved":
        return f"proved of {between}"
    if diode.total_is == "all but slivers":
        return f"proved of {between} but {_slivers(fan)}"
    share = f"{100 * fan.share_proved:.6g} %"
    return f"of {between} {share} are proved to hold, the others only where they were tried"


def _slivers(fan: Fan) -> str:
    places = [degrees(angle) for angle, _ in fan.slivers[:MOST_TOLD]]
    more = f" and {len(fan.slivers) - MOST_TOLD} more" if len(fan.slivers) > MOST_TOLD else ""
    widest = max(half for _, half in fan.slivers)
    return (
        f"within {math.degrees(widest):.1e}° of {listed(places)}{more}, where several things happen at once"
    )


def fan_words(diode: Diode, units: MatingUnits) -> str:
    """What a fan of directions does; empty where none was asked for."""
    fan = diode.fan
    if not fan:
        return ""
    least, most = (100 * each for each in fan.share_apart)
    # What no proof covers can be a share of a billionth: it is told where it shows.
    share = f"{most:.6g}" if f"{least:.6g}" == f"{most:.6g}" else f"{least:.6g} to {most:.6g}"
    between = f"of all directions from {degrees(fan.from_)} to {degrees(fan.to)}"
    text = f"{between} {share if most else 'no'} {'% take' if most else 'one takes'} it apart"
    free = [piece for piece in fan.pieces if piece.outcome == "apart"]
    if free:
        text += f": {listed([_piece(piece) for piece in free[:MOST_TOLD]])}"
    if fan.boundaries:
        places = [f"{math.degrees(each.angle):.{SIMPLEST}g}°" for each in fan.boundaries[:MOST_TOLD]]
        text += f"; it changes at {listed(places)}, exact predictions on both sides within"
        text += f" {math.degrees(max(each.high - each.low for each in fan.boundaries)):.0e}°"
    if fan.weakest is not UNSET and fan.weakest_force is not UNSET:
        force = "by itself" if fan.weakest_force < 0 else f"with {force_words(fan.weakest_force, units)}"
        text += f"; of those tried {degrees(fan.weakest)} is the weakest, {force}"
    if fan.slivers and not diode.total:
        text += f"; nothing is proved {_slivers(fan)}"
    if fan.share_proved < 1 and not fan.slivers:
        text += f"; {100 * fan.share_proved:.6g} % of them are proved"
    if fan.steps >= fan.most_steps:
        left = 100 * (1 - fan.share_proved)
        text += f"; its proofs ended at {fan.most_steps} steps with {left:.3g} % open (`most_steps`)"
    return text


def friction_words(diode: Diode) -> str:
    """From which friction on it holds; empty where that was not asked for."""
    asked = diode.holding_friction
    if not asked:
        return ""
    largest = "the largest coefficient" if asked.as_factor else "a coefficient"
    inserts = "" if asked.goes_in_below is None else f"; it goes in with less than {asked.goes_in_below:.10g}"
    if asked.holds_from == 0:
        return f"it needs no friction to hold{inserts}"
    if asked.holds_from is None or asked.sides is UNSET:
        return f"no friction holds it straight back{inserts}"
    below, above = asked.sides
    if asked.margin_out is not None and asked.own:
        side = "above" if asked.margin_out >= 0 else "below"
        inserts += f"; the document's {asked.own:.6g} is {abs(asked.margin_out):.6g} {side} that"
        if asked.margin_in is not None:
            inserts += f", and {asked.margin_in:.6g} below where it no longer goes in"
    return (
        f"friction holds {asked.part} from {largest} of {asked.holds_from:.10g} on, at {asked.contact} "
        f"(predicted with a billionth less: {below.comes_to}; more: {above.comes_to}){inserts}"
    )


def below_words(diode: Diode, units: MatingUnits) -> str:
    """Whether it holds below a force; empty where that was not asked for."""
    asked = diode.holds_below
    if not asked:
        return ""
    bound = units.said(asked.force, units.force)
    pulls = f"of {asked.tried} pulls tried"
    if asked.weakest is UNSET or asked.at is UNSET:
        return f"below {bound} it holds: {pulls} none takes it out of its place with any force"
    weakest = f"the weakest, towards {degrees(asked.at)}, takes {force_words(asked.weakest, units)}"
    return f"below {bound} it {'holds' if asked.holds else 'does not hold'}: {pulls} {weakest}"


def _piece(piece: FanPiece) -> str:
    return f"{degrees(piece.from_)} to {degrees(piece.to)}{'' if piece.proved else ' (only tried)'}"


def degrees(angle: float) -> str:
    """An angle for a person."""
    return f"{math.degrees(angle):.8g}°"
