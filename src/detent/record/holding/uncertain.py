"""What the first leg comes to where its start and its direction are uncertain."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from detent.record.base import Value

Said = Literal["always", "possibly", "never", "not excluded"]


class WhereItIs(Value, frozen=True):
    """Starts and directions that come to one outcome: between two offsets, and two tilts of the direction."""

    offset: tuple[float, float]  # across the push, to the left of it [document units]
    tilt: tuple[float, float]  # of the direction [rad]


class UncertainOutcome(Value, frozen=True):
    """One way in which the leg may end, and how sure that is.

    `always` and `never` are proved of every start and direction, but for slivers, at most 1/200 of them.
    `possibly`: an exact prediction comes to it; all of `where` is proved to.
    `not excluded`: no start was found that comes to it, and it is not shown that none does.
    """

    outcome: str  # done, blocked, jam, stick, limit
    said: Said
    where: tuple[WhereItIs, ...] = ()
    share: float = 0.0  # of offsets and tilts, proved


class FirstContact(Value, frozen=True):
    """An initial contact tuple: starts from which one pair of features touches first, in its direction."""

    contact: str
    pawl: str
    offset: tuple[float, float]
    time: tuple[float, float]  # of the leg, at least and at most
    slides: tuple[tuple[float, float], ...]  # offsets from which it then slides
    sticks: tuple[tuple[float, float], ...]
    hit: tuple[float, float]  # of the length of the edge, the part that can be touched first


class SampledPlan(Value, frozen=True):
    """What all legs come to from some of the starts that were tried, by exact predictions: a sample."""

    legs: tuple[str, ...]  # how each ends
    starts: int
    tried: int
    offset: float  # of one of them
    advance: float
    tilt: float


class UncertainStart(Value, frozen=True):
    """All that the first leg may come to."""

    offset: tuple[float, float]  # of the starts across the push, to the left of it
    tilt: tuple[float, float]  # of the direction [rad]
    outcomes: tuple[UncertainOutcome, ...]
    first_contacts: tuple[FirstContact, ...]
    share_proved: float
    slivers: tuple[WhereItIs, ...] = ()  # of which nothing is proved
    boxes: int | UnsetType = UNSET  # that were followed
    steps: int | UnsetType = UNSET  # of the work that this took
    most_steps: int | UnsetType = UNSET
    tried: int | UnsetType = UNSET  # boxes from the middle of which an exact prediction was made
    turned: float = 0.0  # [rad] to either side, of pawls as they are let go: all swing clear to rest
    plans: tuple[
        SampledPlan, ...
    ] = ()  # of several legs: what whole plans come to, of starts that were tried
