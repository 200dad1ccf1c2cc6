"""Compile the kernels now, so that later runs start fast. Needed once after an installation."""

from __future__ import annotations

import argparse
import time

from detent.draw.words.answer import Answer
from detent.numeric.kernels import kernel_cache


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> Answer:
    from detent.app.kernels import all_kernels

    began = time.perf_counter()
    names = []
    for name, each in all_kernels().items():
        each.compiled(*each.sample())
        names.append(name)
    seconds = time.perf_counter() - began
    return Answer(
        data={"kernels": names, "cache": str(kernel_cache())},
        text=f"{len(names)} kernels ready in {seconds:.1f} s, kept in {kernel_cache()}",
    )
