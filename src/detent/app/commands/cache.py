"""Where compiled kernels are kept, how large they are, and how to clear them.

DETENT_CACHE moves the folder.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError
from detent.foundation.places import cache_folder


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="remove everything in it")


def run(args: argparse.Namespace) -> Answer:
    folder = cache_folder() / "kernels"
    files = [file for file in folder.rglob("*") if file.is_file()] if folder.is_dir() else []
    size = sum(file.stat().st_size for file in files)
    if args.clear and folder.is_dir():
        _clear(folder)
    verb = "cleared" if args.clear else "holds"
    return Answer(
        data={"place": str(folder), "files": len(files), "bytes": size, "cleared": bool(args.clear)},
        text=f"{folder} {verb} {len(files)} files, {size / 1e6:.1f} MB",
    )


def _clear(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except OSError as problem:
        words = f"cannot be cleared: {problem.strerror or problem}"
        raise ModelError.at("", words, "remove it by hand", file=str(folder)) from None
