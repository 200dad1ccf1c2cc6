"""The house itself: floors are kept, and the wheel works where nothing else is installed."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def copy(tmp_path):
    """The package and its contracts, to be spoilt."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def floors_kept(folder):
    linter = Path(sys.executable).with_name("lint-imports")
    env = {"PYTHONPATH": str(folder / "src"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [linter, "--no-cache"], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    return done.returncode == 0


def test_the_floors_are_kept_as_they_are(copy):
    assert floors_kept(copy)


@pytest.mark.parametrize(
    ("file", "to"),
    [
        ("io/native/document.py", "foundation/document.py"),
        ("model/machine/graph.py", "numeric/graph.py"),
        ("judge/explanation.py", "record/explained.py"),
        ("draw/words/answer.py", "io/answer.py"),
    ],
)
def test_a_file_on_a_forbidden_floor_is_noticed(copy, file, to):
    package = copy / "src" / "detent"
    shutil.move(package / file, package / to)
    old, new = (f"detent.{p[:-3].replace('/', '.')}" for p in (file, to))
    for source in package.rglob("*.py"):
        text = source.read_text()
        room, name = old.rpartition(".")[::2]
        new_room, new_name = new.rpartition(".")[::2]
        text = text.replace(old, new).replace(
            f"from {room} import {name}", f"from {new_room} import {new_name}"
        )
        source.write_text(text)
    assert not floors_kept(copy)


def test_a_room_without_a_floor_is_noticed(copy):
    room = copy / "src" / "detent" / "helpers"
    room.mkdir()
    (room / "__init__.py").write_text('"""A room that is on no floor."""\n')
    assert not floors_kept(copy)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = out.glob("*.whl")
    return made


def test_the_wheel_carries_the_examples_the_types_the_pages_and_the_licence(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "detent/examples/escapement.toml" in names
    assert "detent/py.typed" in names
    assert {f"detent/app/server/static/{name}" for name in ("index.html", "app.js", "app.css")} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any("tests" in name.split("/")[0] for name in names)


def test_the_unpacked_wheel_answers_without_the_checkout(wheel, tmp_path):
    """From the wheel alone, in a folder of its own, with the checkout off the path."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
        "import detent; assert 'site' in detent.__file__, detent.__file__\n"
        "from detent.app.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    for argv in (["check", "escapement"], ["explain", "four_bar"], ["examples"]):
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "site"), *argv],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
