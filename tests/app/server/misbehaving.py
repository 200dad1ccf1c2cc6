"""A child that does what a hostile document might make it do. Run as a program, like the real one."""

from __future__ import annotations

import os
import sys
import time

from detent.app.server import questions, wire, worker


def sleep(question, source, progress):
    time.sleep(question["for"])
    return {"slept": question["for"]}, b""


def spin(question, source, progress):
    while True:
        progress("spinning")


def eat(question, source, progress):
    return {"ate": len(bytearray(question["bytes"]))}, b""


def die(question, source, progress):
    os._exit(3)


def chatter(question, source, progress):
    print("words that a library prints", flush=True)
    os.write(1, b"and more of them\n")
    return {"key": question["do"], "text": source.text.decode()}, b"body"


def gush(question, source, progress):
    """Many events that nobody waits for any more once the first answer was read."""
    answers = os.fdopen(os.dup(question["stream"]), "wb")
    answers.write(wire.pack({"answer": {}}) + wire.pack({"event": "progress", "done": 0}, bytes(2**20)))
    answers.flush()
    return {}, b""


def err(question, source, progress):
    raise ZeroDivisionError("a slip")


def dive(question, source, progress):
    return dive(question, source, progress)


def who(question, source, progress):
    return {"pid": os.getpid()}, b""


questions.QUESTIONS.update({f.__name__: f for f in (sleep, spin, eat, die, chatter, gush, err, dive, who)})
sys.exit(worker.main())
