"""`python -m benchmarks [NAME ...]`: run the programs named, or all of them.

A program is a module here with a function `run(repeats)` that returns tables.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import platform
import sys

import benchmarks
from benchmarks.harness import MIN_REPEATS, versions


def programs() -> list[str]:
    found = []
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if not module.name.startswith("_") and hasattr(
            importlib.import_module(f"benchmarks.{module.name}"), "run"
        ):
            found.append(module.name)
    return found


def main() -> int:
    known = programs()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; all unless said")
    parser.add_argument("--repeats", type=int, default=MIN_REPEATS, help="best of this many, nine at least")
    args = parser.parse_args()
    unknown = [name for name in args.names if name not in known]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(known)}")
    print(f"{platform.machine()}, Python {platform.python_version()}, {versions()}")
    for name in args.names or known:
        for table in importlib.import_module(f"benchmarks.{name}").run(max(args.repeats, MIN_REPEATS)):
            print(f"\n{table.text()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
