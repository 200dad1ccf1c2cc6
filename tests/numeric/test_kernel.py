"""One source, two speeds: every kernel gives the same at both."""

import copy
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.app import all_kernels
from detent.numeric import WORTH_COMPILING, Kernel, kernel, source_digest


@kernel(sample=lambda: (3.0,))
def square(x):
    return x * x


@kernel(sample=lambda: (np.arange(4.0), np.zeros(4)))
def squares(values, out):
    for i in range(values.size):
        out[i] = square(values[i])
    return out.sum()


@kernel(sample=lambda: (np.arange(4.0), 2), separate=True)
def scaled_total(values, factor):
    return factor * values.sum(), len(values)


@kernel(sample=lambda: (np.arange(4.0),))
def twice_the_mean(values):
    total, count = scaled_total(values, 2)
    return total / count


def total_of_table(values):
    return scaled_total(values.reshape((2, 2)), 2)


def same(a, b):
    if isinstance(a, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return np.allclose(a, b, rtol=1e-12, atol=1e-12, equal_nan=True)


KERNELS = all_kernels()


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_both_speeds_of_every_kernel_agree(name):
    each = KERNELS[name]
    plain_args, compiled_args = copy.deepcopy(each.sample()), copy.deepcopy(each.sample())
    with np.errstate(all="ignore"):
        plain = each.plain(*plain_args)
    compiled = each.compiled(*compiled_args)
    if plain is not None:
        assert same(plain, compiled)
    for a, b in zip(plain_args, compiled_args, strict=True):
        if isinstance(a, (np.ndarray, tuple)):
            assert same(a, b), "what they wrote into their arguments differs"


def test_small_work_runs_plain_and_large_work_compiled():
    fresh = Kernel(square.plain, square.sample)
    assert fresh.speed(work=WORTH_COMPILING - 1) == "plain"
    assert fresh.speed(work=WORTH_COMPILING) == "compiled"


def test_a_kernel_may_call_a_kernel():
    assert squares.compiled(*squares.sample()) == squares.plain(*squares.sample()) == 14.0
    # Once compiled, it is the faster one whatever the work.
    assert squares.speed(work=1) == "compiled"


def with_cache(cache):
    env = {**os.environ, "DETENT_CACHE": str(cache)}
    env.pop("NUMBA_CACHE_DIR", None)
    return env


def in_two_processes(program, cache):
    """What a program prints, run twice one after the other."""
    env = with_cache(cache)
    command = [sys.executable, "-c", program]
    return [
        subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout for _ in range(2)
    ]


def test_a_separate_kernel_is_found_by_callers_from_the_cache(tmp_path):
    """The second process compiles nothing: caller and callee are loaded, and the call reaches it."""
    program = (
        "import numpy as np\n"
        "from tests.numeric.test_kernel import scaled_total, twice_the_mean\n"
        "print(twice_the_mean.compiled(np.array([1.0, 4.0])))\n"
        "print(sum(sum(k.compiled.stats.cache_misses.values()) for k in (scaled_total, twice_the_mean)))\n"
    )
    assert [answer.split() for answer in in_two_processes(program, tmp_path)] == [["5.0", "2"], ["5.0", "0"]]


def test_processes_side_by_side_compile_a_kernel_once(tmp_path):
    """They begin at the same moment; one compiles the caller and what it calls, the others load both."""
    program = (
        "from tests.numeric.test_kernel import square, squares\n"
        "made = squares.compiled\n"
        "print('ready', flush=True)\n"
        "input()\n"
        "print(made(*squares.sample()))\n"
        "print(sum(sum(k.compiled.stats.cache_misses.values()) for k in (square, squares)))\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env=with_cache(tmp_path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    assert [each.stdout.readline() for each in started] == ["ready\n"] * 3
    for each in started:
        each.stdin.write("\n")
        each.stdin.flush()
    said = [each.communicate()[0].split() for each in started]
    assert [answer for answer, _ in said] == ["14.0"] * 3
    assert sum(int(misses) for _, misses in said) == 2


def test_a_separate_kernel_takes_the_types_of_its_sample_alone():
    import numba

    assert twice_the_mean.compiled(np.arange(4.0)) == 3.0
    with pytest.raises(numba.TypingError):
        Kernel(total_of_table, lambda: (np.arange(4.0),)).compiled(np.arange(4.0))


@pytest.mark.parametrize("speed", ["plain", "compiled"])
def test_the_speed_can_be_forced(speed, monkeypatch):
    monkeypatch.setenv("DETENT_SPEED", speed)
    assert square.speed(work=0) == speed


def test_a_compiled_kernel_is_kept_for_the_next_process(tmp_path):
    program = (
        "import numpy as np\n"
        "from detent.numeric.kernels import kernel_cache\n"
        "from tests.numeric.test_kernel import square\n"
        "square.compiled(3.0)\n"
        "print(len(list(kernel_cache().rglob('*.nbc'))), sum(square.compiled.stats.cache_hits.values()))\n"
    )
    runs = in_two_processes(program, tmp_path)
    assert runs[0].split() == ["1", "0"]
    assert runs[1].split() == ["1", "1"]


def test_the_same_sources_in_another_place_are_not_compiled_again(tmp_path):
    """As an environment made anew has them; changed ones in the same place are."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import detent.numeric.dense as dense\n"
        "assert dense.__file__.startswith(sys.argv[1])\n"
        "made = dense.solve_dense\n"
        "made.compiled(*made.sample())\n"
        "print(sum(made.compiled.stats.cache_hits.values()))\n"
    )
    package = Path(detent.__file__).parent
    found = []
    for place, changed in (("here", False), ("there", False), ("there", True)):
        copy = tmp_path / place / "detent"
        for source in package.rglob("*.py") if not copy.exists() else ():
            there = copy / source.relative_to(package)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, there)
        if changed:
            dense = copy / "numeric" / "dense.py"
            dense.write_text(dense.read_text() + "# changed\n")
        command = [sys.executable, "-c", program, str(tmp_path / place)]
        environment = with_cache(tmp_path / "cache")
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found.append(int(done.stdout))
    assert found == [0, 1, 0]


def test_compiled_kernels_are_kept_apart_by_all_that_they_are_made_of(tmp_path):
    """By a kernel, a short step of the numeric room, and constants wherever they stand; not by a word."""
    imports = "from detent.a.codes import (\n    EDGE_DISC,\n)\nfrom detent.a.words import Words, said\n"
    files = {
        "a/one.py": f"{imports}@kernel",
        "a/codes.py": "EDGE_DISC = 0",
        "numeric/memory.py": "table",
        "numeric/limits.py": "EQUAL",
        "a/words.py": "x",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = source_digest(tmp_path)
    for name, counts in (
        ("a/one.py", 1),
        ("a/codes.py", 1),
        ("numeric/memory.py", 1),
        ("numeric/limits.py", 1),
        ("a/words.py", 0),
    ):
        (tmp_path / name).write_text(files[name] + "#")
        assert (source_digest(tmp_path) != before) == bool(counts), name
        (tmp_path / name).write_text(files[name])
    assert source_digest(tmp_path) == before
