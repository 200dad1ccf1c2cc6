"""The smallest change of one parameter that alters the order of events, or the verdict.

Each parameter by itself is moved away from its value in steps that grow, all parameters of a kind together,
until at some step a prediction differs; there it is closed in on by halving, between two exact predictions. A
parameter that at the smallest change found so far is still as in the document is left where it is.

Friction and the direction come first, then the points that the run touches, then all others no further than
to what is found. Where the work allowed is done, what is found until then is told, and what stays open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from detent.foundation.errors import ModelError
from detent.foundation.progress import doing, reached
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert
from detent.motion.quasistatic.enclosed.states import SpentError, Work
from detent.record.holding.margin import Margin, MarginKind, SmallestChange
from detent.record.mating import Mating

FIRST = Fraction(1, 10**9)  # of a parameter's scale
STEPS = 8  # each this many times the one before
GROWTH = 16
LOCATED = Fraction(1, 10**11)  # of the scale, between the two predictions at the end
# Unless the document says otherwise: each prediction takes one, and one for each of its events.
MOST_STEPS = 10_000
REFUSED = "it is refused: "

Predict = Callable[[Mechanism], Mating]


class Story(NamedTuple):
    """What must not change: the verdict, and of each pawl the order of its events."""

    verdict: str
    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Parameter:
    """One number of the document, and the document with it changed by so much."""

    path: str
    value: float
    signs: tuple[int, ...]
    scale: Fraction
    changed: Callable[[Fraction], Mechanism]
    touches: bool = True  # in the run as it is


def margin_of(mechanism: Mechanism, size: float, predict: Predict, most_steps: int | None = None) -> Margin:
    """Of friction, of the direction of the push, and of the coordinates of outlines."""
    plain = mechanism.with_("ask.mate", None) if mechanism.ask is not None else mechanism
    return _Search(plain, size, predict, Work(MOST_STEPS if most_steps is None else most_steps)).margin()


class _Search:
    def __init__(self, mechanism: Mechanism, size: float, predict: Predict, work: Work) -> None:
        self.mechanism, self.predict = mechanism, predict
        self.size = Fraction(2) ** round(math.log2(size))
        self.count = 0
        self.left_out: list[str] = []
        self.work = work
        self.best: tuple[Fraction, Fraction, Parameter, int] | None = None  # same there, other there
        self.same = Fraction(0)  # up to here all that were tried are as in the document
        mating = predict(mechanism)
        self.here = story_of(mating)
        self.touched = _touched(mating)
        self.known: dict[tuple[str, Fraction], Story] = {}

    def margin(self) -> Margin:
        """The smallest change of each kind."""
        kinds: list[tuple[MarginKind, list[Parameter]]] = [
            ("friction", list(self._frictions())),
            ("direction", [self._direction()]),
            ("coordinate", list(self._coordinates())),
        ]
        changes, none, first, last, total = [], [], {}, {}, 0
        for kind, parameters in kinds:
            total += len(parameters)
            if not parameters:
                continue
            first[kind] = float(FIRST * parameters[0].scale)
            last[kind] = float(FIRST * GROWTH ** (STEPS - 1) * parameters[0].scale)
            with doing(f"margin of {kind}"):
                try:
                    found = self._smallest(kind, parameters)
                except SpentError:
                    continue
            if found is None:
                none.append(kind)
            else:
                changes.append(found)
        return Margin(
            changes=tuple(changes),
            none=tuple(none),
            first_step=first,
            last_step=last,
            parameters=total,
            predictions=self.count,
            steps=self.work.steps,
            most_steps=self.work.most,
            left_out=tuple(self.left_out),
        )

    def _smallest(self, kind: MarginKind, parameters: list[Parameter]) -> SmallestChange | None:
        """The points that touch first; the others then no further than to what is found there."""
        ways = [(parameter, sign) for parameter in parameters for sign in parameter.signs]
        first = [way for way in ways if way[0].touches]
        self.best, self.same = None, Fraction(0)
        try:
            for some in (first, [way for way in ways if not way[0].touches]):
                if some:
                    self._searched(kind, some)
        except SpentError:
            scale = parameters[0].scale
            far = f"all {len(some)} changes tried alter nothing up to {float(self.same * scale):.6g}"
            beyond = "; more, or less than is told, stays open" if self.best else "; more stays open"
            which = " of points that touch" if some is first and len(some) < len(ways) else ""
            limit = f"the {self.work.most} steps of work (`margin_steps`) are done"
            self.left_out.append(f"{kind}: {limit}: {far}{which}{beyond}")
            if self.best is None:
                raise
        return None if self.best is None else self._told(kind, *self.best)

    def _searched(self, kind: MarginKind, ways: list[tuple[Parameter, int]]) -> None:
        """All of some ways, in steps that grow up to the best that is known."""
        self.same = Fraction(0)
        most = self.best[1] if self.best else FIRST * GROWTH ** (STEPS - 1)
        for k in range(STEPS):
            step = min(FIRST * GROWTH**k, most)
            differs = []
            for parameter, sign in ways:
                self._say(kind)
                if self._story(parameter, sign * step * parameter.scale) != self.here:
                    differs.append((parameter, sign))
                    if self.best is None or step < self.best[1]:
                        self.best = self.same, step, parameter, sign
            if differs:
                self._close_in(kind, differs, self.same, step)
                return
            self.same = step
            if step == most:
                return

    def _close_in(
        self, kind: MarginKind, ways: list[tuple[Parameter, int]], same: Fraction, other: Fraction
    ) -> None:
        """Of several that differ at a step the one that does so first."""
        for parameter, sign in ways:
            low, high = same, other
            assert self.best is not None
            if self.best[1] < other:
                if self._story(parameter, sign * self.best[1] * parameter.scale) == self.here:
                    continue
                high = self.best[1]
            while high - low > LOCATED:
                self._say(kind)
                middle = (low + high) / 2
                if self._story(parameter, sign * middle * parameter.scale) == self.here:
                    low = middle
                else:
                    high = middle
                if high < self.best[1] or (parameter, sign) == self.best[2:]:
                    self.best = low, high, parameter, sign

    def _say(self, kind: MarginKind) -> None:
        far = f"alters at {float(self.best[1]):.3g}" if self.best else f"none up to {float(self.same):.3g}"
        reached(self.work.steps, self.work.most, f"{far} of its scale")

    def _told(
        self, kind: MarginKind, low: Fraction, high: Fraction, parameter: Parameter, sign: int
    ) -> SmallestChange:
        there = self.known[(parameter.path, sign * high * parameter.scale)]
        before, after = _difference(self.here, there)
        return SmallestChange(
            kind=kind,
            parameter=parameter.path,
            value=parameter.value,
            same=float(sign * low * parameter.scale),
            other=float(sign * high * parameter.scale),
            alters="order" if there.verdict == self.here.verdict else "verdict",
            before=before,
            after=after,
        )

    def _story(self, parameter: Parameter, by: Fraction) -> Story:
        key = (parameter.path, by)
        if key not in self.known:
            if self.work.spent:
                raise SpentError("margin")
            self.count += 1
            events = 0
            try:
                mating = self.predict(parameter.changed(by))
                events = sum(len(leg.events) for leg in mating.legs)
                self.known[key] = story_of(mating)
            except ModelError as refused:
                self.known[key] = Story(REFUSED + refused.problems[0].problem, ())
            self.work.step(1 + events)
        return self.known[key]

    def _frictions(self) -> Iterable[Parameter]:
        """All coefficients in their shares, told as the largest of them."""
        touching = convert.plain(self.mechanism).get("touching", {})
        paths = ["touching.friction"] if touching.get("friction") is not None else []
        paths += [
            f"touching.pairs.{name}.friction"
            for name, pair in touching.get("pairs", {}).items()
            if pair.get("friction") is not None
        ]
        values = {path: Fraction(_at(self.mechanism, path)) for path in paths}
        largest = max(values.values(), default=Fraction(0))

        def changed(by: Fraction) -> Mechanism:
            if largest == 0:
                return self.mechanism.with_("touching.friction", by)
            document = self.mechanism
            for path, value in values.items():
                document = document.with_(path, max(value + by * value / largest, Fraction(0)))
            return document

        name = ", ".join(paths) or "touching.friction"
        yield Parameter(name, float(largest), (1, -1) if largest else (1,), Fraction(1), changed)

    def _direction(self) -> Parameter:
        """All legs together, about the drawing."""
        name, drive = next((n, d) for n, d in self.mechanism.drives.items() if d.legs)
        legs = [(k, leg.velocity) for k, leg in enumerate(drive.legs) if leg.velocity is not None]

        def changed(by: Fraction) -> Mechanism:
            half = Fraction(math.tan(float(by) / 2))
            below = 1 + half * half
            c, s = (1 - half * half) / below, 2 * half / below
            document = self.mechanism
            for k, (x, y, *_) in legs:
                document = document.with_(f"drives.{name}.legs.{k}.velocity", [c * x - s * y, s * x + c * y])
            return document

        x, y, *_ = legs[0][1]
        return Parameter(f"drives.{name}.legs", math.atan2(float(y), float(x)), (1, -1), Fraction(1), changed)

    def _coordinates(self) -> Iterable[Parameter]:
        """Of every point of every outline or segment that is written as such."""
        for name, part in self.mechanism.parts.items():
            if part.shape is None:
                continue
            written = [kind for kind in ("outline", "segment") if getattr(part.shape, kind, None) is not None]
            if not written:
                self.left_out.append(f"parts.{name}.shape: its coordinates are not those of an outline")
            for kind in written:
                for k, point in enumerate(getattr(part.shape, kind)):
                    for axis in (0, 1):
                        path = f"parts.{name}.shape.{kind}.{k}.{axis}"
                        value = Fraction(point[axis])

                        def changed(by: Fraction, path: str = path, value: Fraction = value) -> Mechanism:
                            return self.mechanism.with_(path, value + by)

                        near = (name, k) in self.touched
                        yield Parameter(path, float(value), (1, -1), self.size, changed, near)


def _touched(mating: Mating) -> set[tuple[str, int]]:
    """Parts and numbers of points that contacts of the run name; an edge goes on to the next point.

    It only orders the search, and a part of several leaves numbers the points of each.
    """
    found = set()
    for event in (event for leg in mating.legs for event in leg.events):
        for contact in (*event.before, *event.after):
            for feature in contact.split(":"):
                part, _, place = feature.rpartition("/")
                letter, number = place.rpartition(".")[2][:1], place.rpartition(".")[2][1:]
                if number.isdecimal():
                    found |= {(part, int(number) + k) for k in ((0, 1) if letter == "e" else (0,))}
    return found


def story_of(mating: Mating) -> Story:
    """The verdict and the order of events of an answer."""
    causes = ", ".join(leg.end.cause for leg in mating.legs)
    inserted = mating.insertion.answer if mating.insertion is not None else "nothing pushed"
    kind = "not asked" if mating.diode is None else f"{mating.diode.kind}, {mating.diode.reverse.cause}"
    order: dict[str, list[str]] = {}
    for number, leg in enumerate(mating.legs, 1):
        for event in leg.events:
            if event.kind == "reversal":  # no contact changes
                continue
            change = f"{' and '.join(event.before) or 'nothing'} -> {' and '.join(event.after) or 'nothing'}"
            words = f"leg {number}: {event.kind} of {event.joint}, {change}"
            order.setdefault(event.joint or "", []).append(words)
    told = tuple(tuple(order[joint]) for joint in sorted(order))
    return Story(f"legs end: {causes}; goes in: {inserted}; held: {kind}", told)


def _difference(here: Story, there: Story) -> tuple[str, str]:
    """In words: of verdicts, else of the first event that differs."""
    if here.verdict != there.verdict:
        return here.verdict, there.verdict
    for ours, others in zip(here.order, there.order, strict=False):
        for k in range(max(len(ours), len(others))):
            one, other = (each[k] if k < len(each) else "nothing more" for each in (ours, others))
            if one != other:
                return one, other
    return f"{len(here.order)} pawls move", f"{len(there.order)} pawls move"


def _at(mechanism: Mechanism, path: str) -> Any:
    value: Any = mechanism
    for key in path.split(".", 2) if path.startswith("touching.pairs.") else path.split("."):
        if isinstance(value, dict) or hasattr(value, "keys"):
            name, _, rest = key.rpartition(".")
            return getattr(value[name], rest)
        value = getattr(value, key)
    return value
