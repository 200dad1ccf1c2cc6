"""What moves with what at an instant: the trees of Gelsey 1995, Fig. 8, read from a run."""

from __future__ import annotations

from itertools import pairwise

import pytest

import detent
from detent.foundation import ModelError
from detent.judge import instants_of


@pytest.fixture(scope="module")
def ticking() -> detent.Running:
    return detent.run("escapement", until=2.6)


def instant_at(run, time):
    return instants_of(run.evidence, [time])[0]


def links(instant: object) -> dict[str, list[tuple[str, str]]]:
    return {tree.root: [(link.of, link.part) for link in tree.links] for tree in instant.trees}


def test_while_the_wheel_is_locked_only_the_balance_has_a_state(ticking: detent.Running):
    """Fig. 8 (a): frame, lever, escape wheel; the balance in a subsystem of its own."""
    instant = instant_at(ticking.run, 2.5)
    assert links(instant) == {"frame": [("frame", "lever"), ("lever", "ewheel")], "bwheel": []}
    assert [tree.locked for tree in instant.trees] == [True, False]
    assert instant.state_variables == ("angle of bwheel", "speed of bwheel")


def test_while_it_drives_the_wheel_tells_where_all_are(ticking: detent.Running):
    """Fig. 8 (b): escape wheel, lever, balance; two state variables."""
    instant = instant_at(ticking.run, 2.05)
    assert links(instant) == {"ewheel": [("ewheel", "lever"), ("lever", "bwheel")]}
    assert instant.state_variables == ("angle of ewheel", "speed of ewheel")


def test_the_balance_unlocks_the_lever_against_the_wheel(ticking: detent.Running):
    assert links(instant_at(ticking.run, 1.86)) == {"bwheel": [("bwheel", "lever"), ("lever", "ewheel")]}


def test_states_remain_as_contacts_of_the_run_say(ticking: detent.Running):
    """Between its events: three subsystems, less one for each pair that has met and not parted."""
    times = sorted({event.time for event in ticking.events})
    for before, after in pairwise(times):
        if after - before < 2e-3:
            continue  # a contact about to part no longer presses
        middle = (before + after) / 2
        touching: set[str] = set()
        for event in ticking.events:
            if event.time <= middle:
                touching |= set(event.after)
                touching -= set(event.before)
        pairs = {tuple(sorted(part.partition("/")[0] for part in name.split(":"))) for name in touching}
        instant = instant_at(ticking.run, middle)
        assert len(instant.state_variables) == 2 * (3 - len(pairs)), middle
        assert sum(len(tree.links) for tree in instant.trees) == len(pairs)


def test_in_words_and_by_the_verb():
    explanation = detent.explain("escapement", at=0.5)
    assert "locked   frame holds lever (frame/27.a0:lever/4.e3)" in explanation.words
    assert "2 remain: angle of bwheel and speed of bwheel" in explanation.words
    assert explanation.instant.time == 0.5
    assert detent.explain("escapement").instant is None
    with pytest.raises(ModelError, match="not a time"):
        detent.explain("escapement", at=-1)


def test_gears_stay_in_one_tree():
    data = {
        "parts": {
            "frame": {"fixed": True, "markers": {"A": [0, 0], "B": [3, 0]}},
            "pinion": {"markers": {"A": [0, 0]}, "inertia": 1},
            "wheel": {"markers": {"B": [3, 0]}, "inertia": 4},
        },
        "joints": {
            "a": {"type": "revolute", "between": ["frame.A", "pinion.A"]},
            "b": {
                "type": "revolute",
                "between": ["frame.B", "wheel.B"],
                "spring": {"stiffness": 1, "rest": 5},
            },
            "mesh": {"type": "gear", "between": ["pinion", "wheel"], "ratio": "-1/2"},
        },
    }
    instant = detent.explain(detent.from_dict(data), at=0.5).instant
    assert links(instant) == {"wheel": [("wheel", "pinion")]}
    assert instant.trees[0].links[0].by == "mesh"
    assert instant.state_variables == ("angle of b", "speed of b")
