"""A child that does what a hostile document might make it do. Run as a program, like the real one."""

from __future__ import annotations

import os
import sys
import time

from detent.app.server import questions, wire, worker


def sleep(question, given, progress):
    time.sleep(question["for"])
    return {"slept": question["for"]}, b""


def spin(question, given, progress):
    while True:
        progress(0.5)


def eat(question, given, progress):
    return {"ate": len(bytearray(question["bytes"]))}, b""


def die(question, given, progress):
    os._exit(3)


def chatter(question, given, progress):
    print("words that a library prints", flush=True)
    os.write(1, b"and more of them\n")
    return {"key": question["do"], "text": given.text.decode()}, b"body"


def gush(question, given, progress):
    """Many events that nobody waits for any more once the first answer was read."""
    answers = os.fdopen(os.dup(question["stream"]), "wb")
    answers.write(wire.pack({"answer": {}}) + wire.pack({"event": "progress", "done": 0}, bytes(2**20)))
    answers.flush()
    return {}, b""


def err(question, given, progress):
    raise ZeroDivisionError("a slip")


def dive(question, given, progress):
    return dive(question, given, progress)


def who(question, given, progress):
    return {"pid": os.getpid()}, b""


questions.QUESTIONS.update({f.__name__: f for f in (sleep, spin, eat, die, chatter, gush, err, dive, who)})
sys.exit(worker.main())
