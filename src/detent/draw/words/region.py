"""Which offsets and tilts go in, in words: each border with its sides and what the mating beyond says."""

from __future__ import annotations

from collections import Counter

from detent.draw.words.layout import table_lines
from detent.foundation.units import unit_names
from detent.record.going_in import RegionBorder, RegionThatGoesIn, ToleranceMap


def words(answer: RegionThatGoesIn, title: str) -> str:
    """The report for a person."""
    units = unit_names(answer.units)
    drawn = answer.as_drawn
    lines = [title, f"  as drawn   {drawn.answer}: {drawn.why}"]
    about = ", ".join(f"{x:.6g}" for x in answer.about)
    lines.append(
        f"  looked at  {', '.join(answer.misaligned)} beside the place of the drawing, or turned about "
        f"({about}); {answer.matings} matings"
    )
    if answer.most_push is not None:
        lines.append(f"  in means   a push of {answer.most_push:.6g}{units.force} at most")
    for each in answer.alone:
        along = f"({', '.join(f'{x:.4g}' for x in each.along)})"
        unit = units.length if each.kind == "offset" else "°"
        what = f"{'along' if each.kind == 'offset' else 'about'} {along}"
        label = each.kind
        if each.low is None or each.high is None:
            lines.append(f"  {label:<10} {what}: not looked at, {each.why_not}")
            continue
        lines.append(f"  {label:<10} {what}: goes in from {_of(each.low)} to {_of(each.high)}{unit}")
        lines += [f"{'':13}{_beyond(border, unit)}" for border in (each.low, each.high)]
    if answer.together and answer.across is not None and answer.axis is not None:
        first, second = (f"({', '.join(f'{x:.4g}' for x in of)})" for of in (answer.across, answer.axis))
        lines.append(f"  together   offsets along {first} that go in, at tilts about {second}")
        lines += table_lines(*head_and_rows(answer))
    for number, told in enumerate(answer.maps, 1):
        lines += _map(number, told, units.length)
    scope = answer.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def _map(number: int, told: ToleranceMap, length: str) -> list[str]:
    """What goes in of a grid, and what stops the rest."""
    names = [
        f"{each.kind}s {way} ({', '.join(f'{x:.4g}' for x in each.along)})"
        for each in (told.x, told.y)
        for way in ["along" if each.kind == "offset" else "about"]
    ]
    units = [length if each.kind == "offset" else "°" for each in (told.x, told.y)]
    counts = Counter(one for row in told.answers for one in row)
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    spans = " and ".join(
        f"{name} from {values[0]:.4g} to {values[-1]:.4g}{unit}"
        for name, values, unit in zip(names, (told.xs, told.ys), units, strict=True)
    )
    lines = [f"  map {number:<6} {spans}", f"{'':13}{len(told.xs)} by {len(told.ys)}: {kinds}"]
    if told.borders:
        x, y = zip(*(border.inside for border in told.borders), strict=True)
        wide = " and ".join(
            f"from {min(values):.4g} to {max(values):.4g}{unit}"
            for values, unit in zip((x, y), units, strict=True)
        )
        lines.append(f"{'':13}goes in {wide}; {len(told.borders)} borders on its lines, --plot draws them")
    return lines


def _map_rows(answer: RegionThatGoesIn) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A row of each border of the maps."""
    head = ("map", "goes in at", "does not at", "")
    rows: list[tuple[str, ...]] = [
        (
            f"{number}",
            ", ".join(f"{x:.4g}" for x in border.inside),
            ", ".join(f"{x:.4g}" for x in border.outside),
            border.answer,
        )
        for number, told in enumerate(answer.maps, 1)
        for border in told.borders
    ]
    return head, rows


def _beyond(border: RegionBorder, unit: str) -> str:
    if border.outside is None:
        return f"{_of(border)}{unit} is the farthest that was looked at"
    return f"at {border.outside:.4g}{unit} {border.answer}: {border.why}"


def head_and_rows(answer: RegionThatGoesIn) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A row of each tilt; of each border, where there are maps."""
    if answer.maps:
        return _map_rows(answer)
    units = unit_names(answer.units)
    length, force = units.length.strip(), units.force.strip()
    head = ("tilt [°]", f"from [{length}]", f"to [{length}]", f"push there [{force}]", "below", "above")
    rows: list[tuple[str, ...]] = [
        (
            f"{row.tilt:.4g}",
            _of(row.low),
            _of(row.high),
            f"{_number(row.low.push)}, {_number(row.high.push)}",
            _answer(row.low),
            _answer(row.high),
        )
        for row in answer.together
    ]
    return head, rows


def _answer(border: RegionBorder) -> str:
    return "" if border.outside is None else f"{border.outside:.4g}: {border.answer}"


def _of(border: RegionBorder) -> str:
    return _number(border.inside)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:z.4g}"
