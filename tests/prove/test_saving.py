"""A program killed while it saves loses no document: the file is the old one or the new one, whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

from detent.io import native
from tests.conftest import campaign

WRITER = """
import sys
from detent.io import native
from detent.model.reading import Builder

def document(n):
    return Builder(title=str(n)).part("a", shape={"outline": [[i, i * i] for i in range(3000)]}).build()

documents = [document(0), document(1)]
native.save(documents[1], sys.argv[1])
print("ready", flush=True)
n = 0
while True:
    native.save(documents[n % 2], sys.argv[1])
    n += 1
"""


def test_a_kill_during_a_save_leaves_a_whole_document(tmp_path):
    chance = random.Random(7)
    target = tmp_path / "machine.json"
    for _ in range(campaign(8, 1000)):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.05))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        made = native.load(target)
        assert len(made.parts["a"].shape.outline) == 3000
