"""The house itself: its rules notice what breaks them, and the wheel works alone."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import check_house
import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def copy(tmp_path):
    """The package and its contracts, to be spoilt."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def contracts_kept(folder):
    linter = Path(sys.executable).with_name("lint-imports")
    env = {"PYTHONPATH": str(folder / "src"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [linter, "--no-cache"], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    return done.returncode == 0


def add(folder, file, text):
    path = folder / "src" / "detent" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(path.read_text() + text if path.exists() else text)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("model/machine/graph.py", "from detent.motion.methods import Method\n"),  # upwards
        ("io/formats.py", "from detent.judge.mating import mate\n"),  # beside
        ("helpers/__init__.py", '"""A room that is on no floor."""\n'),
        ("kinematics/equations/rows.py", "from detent.kinematics.planning.tables import Plan\n"),  # a circle
        ("motion/quasistatic/method.py", "from detent.motion.kinematic.method import Kinematic\n"),
    ],
)
def test_an_import_that_breaks_a_contract_is_noticed(copy, file, text):
    add(copy, file, text)
    assert not contracts_kept(copy)


@pytest.mark.parametrize(
    ("rule", "file", "text"),
    [
        ("lines_per_file", "numeric/roots.py", "# a line\n" * 400),
        ("lines_per_function", "numeric/roots.py", "def long():\n" + "    pass\n" * 120),
        ("folders_say_what_they_are", "model/more/__init__.py", ""),
        ("one_class_per_name", "numeric/roots.py", "class Mechanism:\n    pass\n"),
        ("doors_are_written", "numeric/__init__.py", ""),
        ("exported_names_have_one_meaning", "contact/cone.py", ""),
    ],
)
def test_what_the_house_does_not_allow_is_named(copy, rule, file, text):
    add(copy, file, text)
    package = copy / "src" / "detent"
    if rule == "doors_are_written":
        (package / "numeric" / "__init__.pyi").write_text("")
    assert list(getattr(check_house, rule)(package))


def test_a_crowded_folder_is_named(copy):
    for number in range(check_house.FILES_PER_FOLDER):
        add(copy, f"numeric/more_{number}.py", "")
    assert any("numeric: " in place for place in check_house.files_per_folder(copy / "src" / "detent"))


def test_a_test_that_imports_a_file_is_named(copy):
    (copy / "tests").mkdir()
    (copy / "tests" / "test_it.py").write_text("from detent.numeric.roots import bisect\n")
    assert list(check_house.outsiders_import_rooms(copy / "src" / "detent"))


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
