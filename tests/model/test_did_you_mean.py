"""What a person probably meant: units, names, keys, angles, outlines."""

import math
from fractions import Fraction

import pytest

from detent.foundation import METRES, ModelError, ascii_name, is_name, meant
from detent.io import native
from detent.model.machine.drawn import shape_checks
from detent.model.reading import odd_angles
from detent.motion import fastener

HEAD = 'format = "detent/1"\n'


def problems_of(text):
    with pytest.raises(ModelError) as error:
        native.loads_toml(HEAD + text)
    return [str(problem) for problem in error.value.problems]


# A length of 3 in the unit that was written, in metres by its own definition.
@pytest.mark.parametrize(
    ("written", "length"),
    [
        ("inch", Fraction(3 * 254, 10000)),
        ("Inches", Fraction(3 * 254, 10000)),
        ("MM", Fraction(3, 1000)),
        ("millimeters", Fraction(3, 1000)),
        ("metres", Fraction(3)),
        ("cm", Fraction(3, 100)),
        ("µm", Fraction(3, 10**6)),
        ("microns", Fraction(3, 10**6)),
        ("feet", Fraction(3 * 3048, 10000)),
        ("thou", Fraction(3 * 254, 10**7)),
    ],
)
def test_the_remedy_for_a_unit_keeps_every_length(written, length):
    remedy = meant(written)
    assert remedy in problems_of(f'units = "{written}"\n')[0]
    unit = remedy.split("'")[1]
    number = Fraction(3)
    if "multiply" in remedy:
        number *= Fraction(remedy.split()[-1])
    if "divide" in remedy:
        number /= Fraction(remedy.split()[-1])
    assert number * METRES[unit] == length


@pytest.mark.parametrize("written", ["parsec", "x", "mmm"])
def test_a_unit_that_nobody_meant_gets_the_list_only(written):
    assert "did you mean" not in problems_of(f'units = "{written}"\n')[0]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Kööpler", "Koeoepler"),
        ("Ødegård", "Oedegaard"),
        ("Straße", "Strasse"),
        ("my part", "my_part"),
        ("čep 2", "cep_2"),
        ("车", None),
    ],
)
@pytest.mark.parametrize("quoted", [True, False])
def test_a_name_beyond_ascii_is_refused_with_one_that_is_not(written, name, quoted):
    assert ascii_name(written) == name
    assert name is None or is_name(name)
    if not quoted and " " in written:
        return  # two words are not a key at all
    key = f'"{written}"' if quoted else written
    (problem,) = problems_of(f"[parts.{key}]\n")
    assert "ASCII" in problem
    assert name is None or repr(name) in problem


def test_other_letters_are_welcome_in_text_and_comments():
    assert native.loads_toml(HEAD + 'title = "Kööpler" # Grüße\n').title == "Kööpler"
    (problem,) = problems_of('title = "Kööpler" # Grüße\n[parts.a\n')
    assert "ASCII" not in problem


MACHINE = """
[parts.a]
pose = {{ at = [0, 0], turn = {turn} }}
[parts.g]
fixed = true
[joints.j]
type = "{type}"
between = ["g", "a"]
at = [0, 0]
{along}
limits = {{ min = {least}, max = 1 }}
[drives.d]
joint = "j"
from = 0
to = {to}
steps = 2
"""


def notes(turn=0, type="revolute", least=0, to=1):
    along = "along = [1, 0]" if type == "prismatic" else ""
    text = MACHINE.format(turn=turn, type=type, least=least, to=to, along=along)
    return odd_angles(native.loads_toml(HEAD + text))


@pytest.mark.parametrize(
    ("angles", "noted"),
    [
        ({"turn": 6.28}, 0),
        ({"turn": 6.29}, 1),
        ({"turn": 55}, 1),
        ({"least": -90}, 1),
        ({"least": -90, "type": "prismatic"}, 0),
        ({"to": 360}, 1),
        ({"to": 360, "type": "prismatic"}, 0),
        ({"to": round(20 * math.pi, 6)}, 0),  # ten turns, in radians
        ({"turn": 55, "to": 360, "least": -90}, 3),
    ],
)
def test_an_angle_of_more_than_a_turn_where_degrees_have_a_key_is_noted(angles, noted):
    found = notes(**angles)
    assert len(found) == noted
    assert all("did you mean" in note for note in found)


OUTLINE = """
[parts.root]
[parts.hook]
shape.outline = {outline}
[parts.wall]
fixed = true
shape.outline = [[10, 0], [11, 0], [11, 9]]
[joints.hinge]
type = "revolute"
between = ["root", "hook"]
at = [0, 0]
spring = {{ stiffness = 1 }}
[drives.push]
part = "root"
legs = [{{ velocity = [1, 0], for = 1 }}]
"""


@pytest.mark.parametrize(
    ("outline", "words"),
    [
        ("[[0, 0], [5, -3], [10, -6]]", "has no area"),
        ("[[0, 0], [5, 5], [5, 0], [0, 5]]", "edges 0 and 2 cross at (2.5, 2.5)"),
    ],
)
def test_check_and_mate_have_one_word_for_one_fault(outline, words):
    mechanism = native.loads_toml(HEAD + OUTLINE.format(outline=outline))
    (problem,) = shape_checks.problems(mechanism)
    assert words in problem.problem
    with pytest.raises(ModelError) as error:
        fastener(mechanism)
    assert words in str(error.value)
