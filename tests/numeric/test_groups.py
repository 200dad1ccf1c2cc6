"""Things hang together exactly where a path of joined pairs leads from one to the other."""

import random

import pytest

from detent.numeric import Groups


def flooded(count, pairs, start):
    reached, open_ones = {start}, [start]
    while open_ones:
        here = open_ones.pop()
        for a, b in (*pairs, *((b, a) for a, b in pairs)):
            if a == here and b not in reached:
                reached.add(b)
                open_ones.append(b)
    return reached


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_what_a_flood_reaches_in_the_order_given(seed):
    rng = random.Random(seed)
    pairs = [(rng.randrange(30), rng.randrange(30)) for _ in range(rng.randrange(40))]
    groups = Groups(range(30))
    for pair in pairs:
        groups.join(*pair)
    lists = groups.lists()
    assert lists == sorted(lists)
    assert sorted(thing for group in lists for thing in group) == list(range(30))
    for group in lists:
        assert set(group) == flooded(30, pairs, group[0])
        assert groups.together(group[0], group[-1])
