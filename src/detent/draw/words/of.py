"""The words of any answer, by its class: what `answer.words` gives, and the command line prints.

Each module is imported when an answer of its kind is asked for its words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detent.draw.words.layout import named
from detent.foundation.shown import Shown


def words_of(answer: Shown) -> str:
    """The answer for a person."""
    for kind in type(answer).__mro__:
        if (says := _WORDS.get(kind.__name__)) is not None:
            return says(answer)
    return repr(answer)


def _motion(motion: Any) -> str:
    from detent.draw.words.move import words

    if not motion.has_run:
        return _without_run(motion)
    evidence = motion.run.evidence
    return words(motion, evidence.mechanism)


def _mating(mating: Any) -> str:
    from detent.draw.words.mate import words

    if not mating.has_run:
        return _without_run(mating)
    return words(mating, named(mating.run.evidence.mechanism.title, "fastener"))


def _compliant(mating: Any) -> str:
    from detent.draw.words.compliant import words

    return words(mating, named(mating.run.evidence.mechanism.title if mating.has_run else "", "mating"))


def _led(mating: Any) -> str:
    from detent.draw.words.led.mating import words

    return words(mating, named(mating.run.evidence.mechanism.title if mating.has_run else "", "mating"))


def _rigid(mating: Any) -> str:
    from detent.draw.words.led.rigid import words

    return words(mating, named(mating.run.evidence.mechanism.title if mating.has_run else "", "mating"))


def _positions(answer: Any) -> str:
    from detent.draw.words.led.positions import words

    return words(answer, named("", "task"))


def _region(answer: Any) -> str:
    from detent.draw.words.region import words

    return words(answer, named("", "task"))


def _running(running: Any) -> str:
    from detent.draw.words.run import words

    return words(running)


def _outlook(outlook: Any) -> str:
    from detent.draw.words.outlook import words

    return words(outlook)


def _compared(compared: Any) -> str:
    from detent.draw.words.compared import words

    return words(compared)


def _without_run(answer: Any) -> str:
    return f"{answer!r}\n  its words are read from its run, which is not written with it: ask the verb again"


def _mechanism(mechanism: Any) -> str:
    from detent.draw.words.explain import in_words

    return in_words(mechanism).words


def _modes(modes: Any) -> str:
    from detent.draw.words.modes import listed

    return listed(modes, "Contact modes").text


def _consistent(answer: Any) -> str:
    from detent.draw.words.modes import moved

    # Whether some modes were left out of the question is not written: the weaker statement holds either way.
    return moved(answer, "Under this load", whole=False).text


def _verdict(verdict: Any) -> str:
    from detent.draw.words.modes import grasped

    return grasped(verdict, verdict.question).text


def _small(name: str) -> Callable[[Any], str]:
    def says(answer: Any) -> str:
        from detent.draw.words import small

        text: str = getattr(small, name)(answer)
        return text

    return says


_WORDS: dict[str, Callable[[Any], str]] = {
    "Compared": _compared,
    "CompliantMating": _compliant,
    "ConsistentModes": _consistent,
    "BetterPosition": _positions,
    "LedMating": _led,
    "Mating": _mating,
    "Mechanism": _mechanism,
    "ModeSet": _modes,
    "Motion": _motion,
    "Outlook": _outlook,
    "RegionThatGoesIn": _region,
    "RigidMating": _rigid,
    "Running": _running,
    "Verdict": _verdict,
    "Balance": _small("balance"),
    "Batch": _small("batch"),
    "ConsistentMotion": _small("consistent_motion"),
    "Contacts": _small("contacts"),
    "DesignSweep": _small("design_sweep"),
    "Edited": _small("edited"),
    "Ends": _small("ends"),
    "Event": _small("event"),
    "ForceCone": _small("force_cone"),
    "Mode": _small("mode"),
    "ModesAnswer": _small("modes_answer"),
    "Run": _small("run"),
    "Stop": _small("stop"),
    "Trajectory": _small("trajectory"),
    "VelocityCone": _small("velocity_cone"),
}
