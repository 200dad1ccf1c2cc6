"""python -m tests.prove.verbs SEED FIRST COUNT: what went wrong, as it is found.

A COUNT of 0 prints document FIRST.
"""

from __future__ import annotations

import sys
import time

from tests.prove.verbs import documents, pool


def main(seed: int, first: int, count: int) -> None:
    if count == 0:
        print(documents.mutated(seed, first)[1])
        return
    began = time.perf_counter()
    outcome = pool.run(seed, range(first, first + count), told=lambda each: print(*each, flush=True))
    print(f"{count} documents, {sum(outcome.calls.values())} calls in {time.perf_counter() - began:.0f} s")
    print("calls", dict(outcome.calls))
    print("processor time", {verb: round(s, 1) for verb, s in outcome.seconds.items()})
    for each in outcome.slowest:
        print("slow", *each)
    print(f"memory {outcome.memory / 1e6:.0f} MB, {len(outcome.wrong)} calls went wrong")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
