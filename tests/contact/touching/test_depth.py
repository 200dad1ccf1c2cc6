"""How deep parts are in each other, as `check` prints it."""

import re

import pytest

from detent.app import main


@pytest.mark.parametrize("height", [1.999, 1.99, 1.9, 1.5])
def test_a_disc_in_a_groove_is_said_to_be_as_deep_as_it_is_to_the_digits_printed(tmp_path, capsys, height):
    """Walls of 3:4 through the origin: the disc at a height h is 1.2 - 0.6 h deep in them."""
    path = tmp_path / "groove.toml"
    path.write_text(
        f"""format = "detent/1"
units = "in"
parts.groove = {{ fixed = true, shape.outline = [[-3, 4], [0, 0], [3, 4], [3, -1], [-3, -1]] }}
parts.disc = {{ shape.circle = 1.2, pose = {{ at = [0, {height}] }} }}
"""
    )
    assert main(["check", str(path)]) == 2
    printed = re.search(r"([\d.e-]+) in deep", capsys.readouterr().out)[1]
    digits = len(printed.replace(".", "").lstrip("0").partition("e")[0])
    assert float(printed) == float(f"{1.2 - 0.6 * height:.{digits}g}")
