"""Lines and columns: where in a text each path of the document is.

Asked only once something is wrong. One pass over the text gives a line to every
key and every entry of a list, as deep as they go; a path that is not in the text
(a missing key) gets the line of what should hold it. The pass reads strings and
comments as the formats do, and every pattern is possessive: no text makes it slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Path = tuple[str, ...]
Token = tuple[str, int]  # text, offset

_STRING = r"""(?!\"\"\")"(?:[^"\\\n]|\\.)*+"|(?!''')'[^'\n]*+'"""
_TOML = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r"|#[^\n]*+"
    rf"|(?:[^\"'#=,\[\]{{}}\n]|{_STRING})++"
    r"|[=,\[\]{}\n]"
)
_QUOTED = re.compile(_STRING)
_PIECE = re.compile(rf"{_STRING}|[^.\s\"']++")
_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s"\[\]{},:]++')
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\s*$")
_TUPLE = re.compile(r"\(('[^()]*')\)")


def finder(places: Callable[[str], Iterator[tuple[Path, int]]], text: str) -> Callable[[str], int | None]:
    """A function from a dotted path to its line; the text is read once, when first asked."""
    lines: dict[str, int] = {}

    def line_of(at: str) -> int | None:
        if not lines:
            lines[""] = 0
            line = seen = 0
            for path, offset in places(text):
                line, seen = line + text.count("\n", seen, offset), offset
                lines.setdefault(".".join(path), line + 1)
        while at and at not in lines:
            at = at.rpartition(".")[0]
        return lines[at] or None

    return line_of


def in_toml(text: str) -> Iterator[tuple[Path, int]]:
    """Every path of a TOML text with its offset, in order."""
    table: Path = ()
    counts: dict[Path, int] = {}
    tokens = _tokens(text)
    for token, offset in tokens:  # each pass begins a line: what follows on it is read inside
        if token == "[":
            table = _header(text, offset, tokens, counts)
            yield table, offset
        elif token not in "=,]{}\n":
            path = table + _pieces(token)
            yield path, offset
            yield from _toml_value(path, tokens)


def in_json(text: str) -> Iterator[tuple[Path, int]]:
    """Every path of a JSON text with its offset, in order; a doubled key comes twice."""
    stack: list[tuple[str, Path]] = []  # what it is inside of, and the path of that
    index: list[int] = []
    key: str | None = None
    for match in _JSON.finditer(text):
        token, offset = match.group(), match.start()
        if stack and stack[-1][0] == "{" and key is None and token.startswith('"'):
            key = _unquoted(token)
            yield (*stack[-1][1], key), offset
        elif token in "[{":
            path = _current(stack, index, key)
            if stack and stack[-1][0] == "[":
                yield path, offset
            stack.append((token, path))
            index.append(0)
            key = None
        elif token in "]}":
            if stack:
                stack.pop()
                index.pop()
            key = None
        elif token == ",":
            key = None
            if index:
                index[-1] += 1
        elif token != ":" and stack and stack[-1][0] == "[":
            yield _current(stack, index, key), offset


def first_of(text: str, words: tuple[str, ...]) -> int | None:
    """Line of the first of these bare words in a JSON text."""
    for match in _JSON.finditer(text):
        if match.group() in words:
            return text.count("\n", 0, match.start()) + 1
    return None


def doubled(text: str) -> tuple[str, int] | None:
    """The first key that appears twice in one table of a JSON text, and its line."""
    seen: set[Path] = set()
    for path, offset in in_json(text):
        if path in seen:
            return ".".join(path), text.count("\n", 0, offset) + 1
        seen.add(path)
    return None


def has_long_key(text: str, most: int) -> int | None:
    """Line of the first key of more than `most` dots, outside strings and comments of TOML."""
    for match in _TOML.finditer(text):
        token = match.group()
        if token.count(".") <= most or token.startswith(('"""', "'''", "#")):
            continue
        if _QUOTED.sub("", token).count(".") > most:
            return text.count("\n", 0, match.start()) + 1
    return None


def beyond_ascii(text: str, line: int) -> str | None:
    """The first bare word of a line of TOML with letters beyond ASCII; strings and comments may have them."""
    written = "".join(text.split("\n")[line - 1 : line])
    for match in _TOML.finditer(written):
        token = match.group()
        bare = "" if token.startswith(('"""', "'''", "#")) else _QUOTED.sub("", token)
        if not bare.isascii():
            return next(word for word in re.split(r"[\s.]+", bare) if not word.isascii())
    return None


def comments(text: str) -> int:
    """How many comments a TOML text has."""
    return sum(match.group().startswith("#") for match in _TOML.finditer(text))


def of_toml_error(message: str, text: str) -> tuple[str, int | None, int | None]:
    """A parser's message split into words, line and column."""
    message = _TUPLE.sub(lambda m: m[1].replace("'", "").replace(", ", ".").rstrip(","), message)
    place = _PLACE.search(message)
    if place is None:
        return f"is not TOML: {message}", None, None
    words = f"is not TOML: {message[: place.start()]}"
    if place.group(1):
        return words, int(place.group(1)), int(place.group(2))
    return words, text.count("\n") + 1, None


def _tokens(text: str) -> Iterator[Token]:
    """Keys, values and punctuation; no comments, no blank runs, no multi-line strings' contents."""
    for match in _TOML.finditer(text):
        token = match.group()
        if token.startswith("#") or (token != "\n" and not token.strip()):
            continue
        yield ('""' if token.startswith(('"""', "'''")) else token), match.start()


def _header(text: str, offset: int, tokens: Iterator[Token], counts: dict[Path, int]) -> Path:
    """The table that a header names; `[[name]]` counts its entries."""
    several = text.startswith("[[", offset)
    path: Path = ()
    for token, _ in tokens:
        if token == "\n":
            break
        if token not in "=,[]{}":
            path = _pieces(token)
    if several:
        counts[path] = counts.get(path, -1) + 1
        path = (*path, str(counts[path]))
    return path


def _toml_value(path: Path, tokens: Iterator[Token]) -> Iterator[tuple[Path, int]]:
    """What a key holds, to the end of its line; entries of lists and inline tables get places too."""
    stack: list[tuple[str, Path, int]] = []
    for token, offset in tokens:
        if token == "\n":
            if not stack:
                return
        elif token in "[{":
            if stack:
                kind, base, index = stack[-1]
                path = (*base, str(index)) if kind == "[" else path
                if kind == "[":
                    yield path, offset
            stack.append((token, path, 0))
        elif token in "]}":
            if stack:
                stack.pop()
        elif token == ",":
            if stack:
                kind, base, index = stack[-1]
                stack[-1] = (kind, base, index + 1)
        elif token != "=" and stack:
            kind, base, index = stack[-1]
            path = (*base, str(index)) if kind == "[" else base + _pieces(token)
            yield path, offset


def _current(stack: list[tuple[str, Path]], index: list[int], key: str | None) -> Path:
    if not stack:
        return ()
    kind, base = stack[-1]
    return (*base, str(index[-1])) if kind == "[" else (*base, key or "")


def _pieces(dotted: str) -> Path:
    return tuple(_unquoted(piece) for piece in _PIECE.findall(dotted))


def _unquoted(piece: str) -> str:
    return piece[1:-1] if piece[:1] in ("'", '"') else piece
