"""Ways out of a folder that have worked somewhere: steps up, encodings, drives, devices, links, letters."""

from __future__ import annotations

from urllib.parse import quote

STEPS = [
    "..",
    "../..",
    "../../..",
    "a/../..",
    "./..",
    ".",
    "...",
    "....",
    ".. ",
    " ..",
    "..\u200b",
    "\uff0e\uff0e",
]
SEPARATORS = [
    "/",
    "\\",
    "//",
    "\\\\",
    "/./",
    "\u2215",
    "\u2044",
    "\uff0f",
    "%2f",
    "%5c",
    "%252f",
    "%c0%af",
    "%e0%80%af",
]
TARGETS = ["evil.json", "evil.toml", "etc/passwd.json", "outside/evil.json"]
ABSOLUTE = [
    "/evil.json",
    "//evil.json",
    "/etc/evil.json",
    "/tmp/evil.json",
    "~/evil.json",
    "~root/evil.json",
    "file:///tmp/evil.json",
    "C:/evil.json",
    "C:evil.json",
    "\\\\host\\share\\evil.json",
    "//host/share/evil.json",
    "\\\\?\\C:\\evil.json",
]
ODD = [
    "",
    "/",
    "evil.json/",
    "evil.json/.",
    "evil.json\x00",
    "evil.json\x00.png",
    "a\nevil.json",
    "a\revil.json",
    "evil.json:stream",
    "con.json",
    "NUL.toml",
    "aux",
    "com1.json",
    ".evil.json",
    ".detent/drafts/evil.json",
    ".ssh/authorized_keys",
    ".git/config.json",
    "a/.hidden/evil.json",
    "evil.json ",
    " evil.json",
    "evil.json.",
    "evil",
    "evil.py",
    "evil.html",
    "evil.json.exe",
    "x" * 300 + ".json",
    "a/" * 3000 + "evil.json",
    "evil\u202enosj.json",
    "evil\ud800.json",
    "*.json",
    "a|b.json",
    "<a>.json",
]


def escapes() -> list[str]:
    """Every combination, plain and encoded once and twice."""
    stepped = [step + separator + target for step in STEPS for separator in SEPARATORS for target in TARGETS]
    deep = [(step + separator) * 8 + "evil.json" for step in STEPS[:4] for separator in SEPARATORS]
    plain = [*stepped, *deep, *ABSOLUTE, *ODD]
    once = [quote(path, safe="", errors="replace") for path in [*stepped, *ABSOLUTE]]
    twice = [quote(path, safe="") for path in once]
    return list(dict.fromkeys([*plain, *once, *twice]))
