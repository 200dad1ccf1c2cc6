"""One thread for linear algebra while a verb runs, and as before afterwards."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
import threading
import detent
from detent.numeric import blas_threads, on_one_thread, one_thread

before = blas_threads()
assert before, "NumPy comes with OpenBLAS here"
with one_thread():
    inside = blas_threads()
    with one_thread():
        pass
    still = blas_threads()
assert all(count == 1 for count in (*inside, *still)), (inside, still)
try:
    with one_thread():
        raise ValueError
except ValueError:
    pass
seen = []
look = on_one_thread(lambda: seen.extend(blas_threads()))
workers = [threading.Thread(target=look) for _ in range(8)]
for worker in workers: worker.start()
for worker in workers: worker.join()
assert seen and set(seen) == {1}, seen
detent.move("four_bar")
assert blas_threads()[: len(before)] == before, blas_threads()
"""


def test_a_verb_uses_one_thread_and_gives_them_back() -> None:
    """In a process of its own, in which the program has asked for two (a single core has one)."""
    run = subprocess.run(
        [sys.executable, "-c", "import numpy\n" + SCRIPT],
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "2"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
