"""The answer of `detent mate` for a person: the verdict, then a report leg by leg."""

from __future__ import annotations

from typing import Any

from detent.record.event import Event
from detent.record.amount import Amount
from detent.record.mating import Mating


def words(mating: Mating, title: str, *, certificates: bool = False) -> str:
    """The report for a person."""
    lines = [title, *_verdict(mating)]
    for number, leg in enumerate(mating.legs, 1):
        lines.append(f"leg {number}, from {leg.start:.6g} s")
        lines += [line for event in leg.events for line in _event_lines(event, certificates)]
        where = ", ".join(f"{joint} {angle:.6g} rad" for joint, angle in leg.end.coordinates.items())
        lines.append(f"  {leg.end.time:12.6f} s  ends: {leg.end.cause} ({where})")
        lines.append(f"  peak force against the push: {_amount(leg.force.peak)}")
    return "\n".join(lines)


def _verdict(mating: Mating) -> list[str]:
    """The designer's three questions first: does it go in, with what force, does it come apart?"""
    if not mating.legs:
        return []
    first = mating.legs[0]
    lines = [
        f"  goes in    {_INSERTED[first.end.cause]}, {first.end.time - first.start:.6g} s after the start"
    ]
    lines.append(f"  force      {_peak(first.force.peak)}, against the push")
    if mating.diode is not None:
        lines.append(f"  comes out  {diode_words(mating)}")
    return lines


# What the cause at the end of the first leg means for the insertion.
_INSERTED = {
    "done": "yes, the push runs to its end",
    "blocked": "yes, until the pushed part itself is blocked",
    "apart": "yes, until it is apart again",
    "jam": "no, it jams",
    "stick": "no, friction holds it fast",
    "limit": "no, a joint reaches its limit",
}


def _event_lines(event: Event, certificates: bool) -> list[str]:
    angle = f"{event.coordinate:+.6f}"
    if event.coordinate_after is not None:
        angle += f" to {event.coordinate_after:+.6f}"
    change = f"{' and '.join(event.before) or 'nothing'} -> {' and '.join(event.after) or 'nothing'}"
    if event.kind == "jam":
        change = f"{event.reason}: {' and '.join(event.touching or ())}"
    elif event.kind in ("stick", "reversal", "limit"):
        change = " and ".join(event.before)
    lines = [f"  {event.time:12.6f} s  {event.kind:<8}  {event.joint} at {angle} rad  {change}"]
    exact = event.exact
    if certificates and exact is not None:
        counted = exact.of or (f"after {exact.after} s" if exact.after else "")
        lines.append(f"{'':17}exactly: t = {exact.digits} ({counted})")
        lines.append(f"{'':17}root of {_polynomial(exact.polynomial)} in [{', '.join(exact.interval)}]")
    return lines


def _polynomial(coefficients: tuple[Any, ...]) -> str:
    terms = []
    for power, coefficient in enumerate(coefficients):
        value = int(coefficient)
        if value:
            symbol = "" if power == 0 else "t" if power == 1 else f"t^{power}"
            size = str(abs(value)) if abs(value) != 1 or not symbol else ""
            terms.append(f"{'-' if value < 0 else '+'} {' '.join(p for p in (size, symbol) if p)}")
    return " ".join(reversed(terms)).removeprefix("+ ")


def _peak(amount: Amount) -> str:
    return _amount(amount) if amount.unbounded else f"at most {_amount(amount)}"


def _amount(amount: Amount) -> str:
    if amount.unbounded:
        return f"without bound, at {amount.time:.6g} s"
    when = f" at {amount.time:.6g} s" if amount.time is not None else ""
    return f"{amount:.6g} N{when}"


def diode_words(mating: Mating) -> str:
    diode = mating.diode
    assert diode is not None
    outcome = (
        "yes, straight back" if diode.reverse.apart else f"no, not straight back ({diode.reverse.cause})"
    )
    text = f"{outcome}; diode: {diode.kind}"
    if diode.force:
        text += f"; peak force out {diode.force.extraction:.6g} N, in {diode.force.insertion:.6g} N"
    if diode.directions:
        free = sum(escape.apart for escape in diode.directions)
        text += f"; {free} of {len(diode.directions)} directions take it apart"
    return text
