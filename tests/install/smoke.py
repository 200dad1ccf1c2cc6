"""Install the wheel into an empty environment and ask it something.

Runs for the oldest supported Python and the newest one that this machine has.
Prints `N passed, N failed`; exits 1 where one failed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
OLDEST = (3, 11)

# What a newcomer does first; the exit code of each is its verdict.
COMMANDS = [
    ["--version"],
    ["--help"],
    ["examples"],
    ["check", "escapement"],
    ["explain", "four_bar", "--json"],
    ["convert", "four_bar", "four_bar.json"],
    ["check", "four_bar.json"],
    ["cache"],
]


def pythons() -> dict[tuple[int, int], str]:
    """Interpreters from the oldest supported one on, by version."""
    names = [f"python3.{minor}" for minor in range(OLDEST[1], 20)]
    found = [path for name in names if (path := shutil.which(name))]
    beside = Path(sys.base_prefix).parent  # a version manager keeps its interpreters side by side
    found += [str(path) for path in sorted(beside.glob("3.*/bin/python3"))]
    by_version: dict[tuple[int, int], str] = {sys.version_info[:2]: sys.executable}
    for path in found:
        asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        version = re.match(r"Python (\d+)\.(\d+)\.\d+$", asked.stdout.strip())
        if asked.returncode == 0 and version and (key := (int(version[1]), int(version[2]))) >= OLDEST:
            by_version.setdefault(key, path)
    return by_version


def smoke(python: str, wheel: Path, folder: Path) -> bool:
    """Whether every command answers from a fresh environment."""
    subprocess.run([python, "-m", "venv", folder / "env"], check=True)
    scripts = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = [scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, wheel], check=True)
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    for command in COMMANDS:
        done = subprocess.run(
            [scripts / "detent", *command], cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            print(f"detent {' '.join(command)} exited {done.returncode}\n{done.stdout}{done.stderr}")
            return False
    return serves(scripts / "detent", folder, env)


def serves(program: Path, folder: Path, env: dict[str, str]) -> bool:
    """Whether `detent open` shows its page from the wheel alone."""
    server = subprocess.Popen(
        [program, "open", "--no-browser"], cwd=folder, env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        browser = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor()
        )
        with browser.open(address) as page:
            return b"/static/app.js" in page.read()
    finally:
        server.terminate()
        server.communicate()


def main() -> int:
    known = pythons()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as place:
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        (wheel,) = Path(place).glob("*.whl")
        for version in sorted({min(known), max(known)}):
            folder = Path(place) / f"{version[0]}.{version[1]}"
            folder.mkdir()
            good = smoke(known[version], wheel, folder)
            print(f"wheel on Python {version[0]}.{version[1]}: {'answers' if good else 'fails'}")
            passed, failed = passed + good, failed + (not good)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
