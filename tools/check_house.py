"""The house checks itself: sizes, names, doors. One function per rule; each yields what breaks it.

    python tools/check_house.py          # exit 1 where a rule is broken, with every place

Floors, circles and the independence of methods are import-linter's contracts, in pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from make_doors import homes_of, stub

FILES_PER_FOLDER = 20
LINES_PER_FILE = 400
LINES_PER_FUNCTION = 120

# Classes of one name in two files, each with the reason why it is one idea.
ONE_IDEA = {
    "Cone": "the document's table of a solid, and the solid",
    "Cylinder": "the document's table of a solid, and the solid",
    "Prism": "the document's table of a solid, and the solid",
    "Torus": "the document's table of a solid, and the solid",
}
TELL_HOW_TO_ADD = ("motion.md",)
# Folders whose files answer to a protocol: every command has `configure` and `run`.
PROTOCOLS = ("app/commands", "io/csg", "io/drawing", "io/native")


def files_per_folder(package: Path) -> Iterator[str]:
    """A folder holds few enough files to be read as a list."""
    for folder in _folders(package):
        count = sum(1 for path in folder.glob("*.py") if path.name != "__init__.py")
        if count > FILES_PER_FOLDER:
            yield f"{folder.relative_to(package)}: {count} files, at most {FILES_PER_FOLDER}"


def lines_per_file(package: Path) -> Iterator[str]:
    """A file holds one idea."""
    for path in package.rglob("*.py"):
        count = path.read_text().count("\n")
        if count > LINES_PER_FILE:
            yield f"{path.relative_to(package)}: {count} lines, at most {LINES_PER_FILE}"


def lines_per_function(package: Path) -> Iterator[str]:
    """A function does one thing; kernels too."""
    for path, tree in _trees(package):
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.FunctionDef)
                and (node.end_lineno or 0) - node.lineno >= LINES_PER_FUNCTION
            ):
                count = (node.end_lineno or 0) - node.lineno + 1
                yield f"{path.relative_to(package)}: {node.name} has {count}, at most {LINES_PER_FUNCTION}"


def folders_say_what_they_are(package: Path) -> Iterator[str]:
    """Every folder opens with a sentence."""
    for folder in _folders(package):
        init = folder / "__init__.py"
        if not init.exists() or not ast.get_docstring(ast.parse(init.read_text())):
            yield f"{folder.relative_to(package)}: its __init__.py does not say what belongs there"


def one_class_per_name(package: Path) -> Iterator[str]:
    """A class's name has one meaning in the product."""
    homes: dict[str, list[str]] = {}
    for path, tree in _trees(package):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(package)))
    for name, files in sorted(homes.items()):
        if len(files) > 1 and name not in ONE_IDEA:
            yield f"{name}: a class in {' and '.join(files)}"
    for name in ONE_IDEA:
        if len(homes.get(name, [])) < 2:
            yield f"{name}: listed in ONE_IDEA, and no longer there twice"


def exported_names_have_one_meaning(package: Path) -> Iterator[str]:
    """An exported name comes from one file, whichever door it is taken from, and is not a file there."""
    homes: dict[str, set[str]] = {}
    for init in package.rglob("__init__.py"):
        folder = init.parent
        parts = folder.relative_to(package).parts
        at = ".".join(parts)
        for file, names in homes_of(init).items():
            for name in names.split():
                # A public verb is the thin face of a room's function of that name.
                if not str(folder.relative_to(package)).startswith(PROTOCOLS) and file != "app.verbs":
                    homes.setdefault(name, set()).add(".".join((*parts, file)))
                if (folder / f"{name}.py").exists() or (folder / name).is_dir():
                    yield f"{at}: exports {name}, which is also a file or folder there"
    for name, files in sorted(homes.items()):
        if len(files) > 1:
            yield f"{name}: exported from {' and '.join(sorted(files))}"


def doors_are_written(package: Path) -> Iterator[str]:
    """The stub of a door is what `tools/make_doors.py` writes."""
    for init in package.rglob("__init__.py"):
        if homes_of(init):
            target = init.with_suffix(".pyi")
            if not target.exists() or target.read_text() != stub(init):
                yield f"{target.relative_to(package)}: stale; run `python tools/make_doors.py`"


def outsiders_import_rooms(package: Path) -> Iterator[str]:
    """Tests, benchmarks, examples and pages import rooms, not files."""
    root = package.parents[1]
    for folder in ("tests", "benchmarks", "examples", "docs"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".py", ".md") or "_build" in path.parts:
                continue
            for module in re.findall(r"^\s*from detent\.([\w.]+) import", path.read_text(), re.M):
                if package.joinpath(*module.split(".")).with_suffix(".py").exists():
                    yield f"{path.relative_to(root)}: imports the file detent.{module}; take its room"


def named_files_exist(package: Path) -> Iterator[str]:
    """A file that a page or a docstring names is there; pages that tell how to add one name others."""
    root = package.parents[1]
    real = {str(path.relative_to(root)) for path in root.rglob("*.py") if ".venv" not in path.parts}
    texts = [*(root / "docs").rglob("*.md"), *root.glob("*.md"), *package.rglob("*.py")]
    for path in sorted(texts):
        if "_build" in path.parts or path.name in TELL_HOW_TO_ADD:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in re.findall(r"`((?:\w+/)*\w+\.py)", line):
                if not any(file == name or file.endswith(f"/{name}") for file in real):
                    yield f"{path.relative_to(root)}:{number}: there is no {name}"


RULES = (
    files_per_folder,
    lines_per_file,
    lines_per_function,
    folders_say_what_they_are,
    one_class_per_name,
    exported_names_have_one_meaning,
    doors_are_written,
    outsiders_import_rooms,
    named_files_exist,
)


def broken(package: Path) -> list[str]:
    """Every broken rule with its place."""
    return [f"{rule.__name__}: {place}" for rule in RULES for place in rule(package)]


def _folders(package: Path) -> list[Path]:
    return sorted({path.parent for path in package.rglob("*.py")})


def _trees(package: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(package.rglob("*.py")):
        yield path, ast.parse(path.read_text())


if __name__ == "__main__":
    places = broken(Path(__file__).parents[1] / "src" / "detent")
    print(*places, sep="\n") if places else print("the house is in order")
    sys.exit(1 if places else 0)
