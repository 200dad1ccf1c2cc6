"""PADL-2: Gelsey's own input, and what is said when it is wrong."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from detent.foundation import ModelError
from detent.geometry import leaves, moments, region
from detent.io import formats, native
from detent.io.csg import padl
from detent.model.document import Mechanism
from detent.model.machine import solids
from tests.conftest import DATA, REFERENCE

TEXT = (DATA / "padl" / "escapement.padl").read_text()


def escapements() -> tuple[Mechanism, Mechanism]:
    return formats.load(DATA / "padl" / "escapement.padl"), native.load(
        REFERENCE / "machines" / "escapement.toml"
    )


def problem(text: str, extra: str = "") -> str:
    with pytest.raises(ModelError) as caught:
        padl.loads(text, extra, file="m.padl", extra_file="m.phys")
    return str(caught.value)


def shape_of(text: str, name: str = "p") -> object:
    return padl.loads(text).shapes[name]


def test_figures_12_and_13_are_the_reference_document_table_by_table() -> None:
    read, reference = escapements()
    for section in ("parts", "shapes", "joints", "units", "dimension"):
        assert getattr(read, section) == getattr(reference, section)
    assert list(read.parts) == list(reference.parts)
    assert list(read.joints) == list(reference.joints)


def test_figures_12_and_13_are_the_reference_document_solid_by_solid() -> None:
    """And the same solids as the text expanded by hand: 11 unions, no repeat, no rotation about a point."""
    read, reference = escapements()
    for name in read.parts:
        one, other = solids.part_solid(read, name), solids.part_solid(reference, name)
        assert one is not None
        assert other is not None
        assert [leaf.hollow for leaf in leaves(one)] == [leaf.hollow for leaf in leaves(other)]
        assert moments.moments(one).matrix == pytest.approx(moments.moments(other).matrix)
        apart = region.from_above(one).symmetric_difference(region.from_above(other))
        assert apart.area == 0


def test_the_wheel_is_the_union_it_was_written_as() -> None:
    """Oracle: area of the disc, plus ten teeth cut off at the rim, less the hole, integrated by strips."""
    read, _ = escapements()
    wheel = solids.part_solid(read, "ewheel")
    assert wheel is not None

    def tooth_beyond_rim(steps: int = 20000) -> float:
        dx = 0.3 / steps
        return sum((5.4 - math.sqrt(25 - (-3.2 + (k + 0.5) * dx) ** 2)) * dx for k in range(steps))

    wanted = math.pi * 25 + 10 * tooth_beyond_rim() - math.pi * 0.25
    assert moments.moments(wheel).volume == pytest.approx(wanted, rel=1e-9)


def test_the_text_as_printed_lacks_a_parenthesis_and_the_error_says_where() -> None:
    printed = TEXT.replace("frame = ((((blo", "frame = (((blo")
    said = problem(printed)
    line = next(
        n for n, row in enumerate(TEXT.splitlines(), 1) if row.rstrip().endswith("movz=-2))) at (movx=0)")
    )
    column = TEXT.splitlines()[line - 1].index("))) at") + 3
    assert said.startswith(f"m.padl:{line}:{column}: ")
    assert "a '(' is missing" in said


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cyl(d=10,h=1)", "cyl(d=10,q=1)", "4:21: unknown dimension 'q'; known here: d, h"),
        ("un tooth un", "un tuth un", "'tuth' is not defined; did you mean 'tooth'?"),
        ("gap = 36", "gap = 36/0", "3:9: divides by zero"),
        ("gap = 36", "gap = blo(x=1) un 2", "a number is where a solid belongs"),
        ("degz=gap", "degw=gap", "unknown motion 'degw'; did you mean"),
        ("attr frame : frame", "attr frame : frane", "unknown attribute 'frane'; did you mean 'frame'?"),
        (
            "cyl(d=10,h=1)",
            "cyl(d=-10,h=1)",
            "4: shapes.ewheel.difference.0.union.0.cylinder.radius: must be above",
        ),
        ("gap = 36", "gap = ", "3:7: the end of the line does not belong here"),
        ("gap = 36", "gap = 36 $", "'$' is not a character of PADL"),
        ("asb bwheel", "asb lever", "'lever' is assembled twice"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, words: str) -> None:
    said = problem(TEXT.replace(old, new, 1))
    assert said.startswith("m.padl:")
    assert words in said


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("< LEVER : FRAME > 10\n", "m.phys:1:19: expected 2 numbers"),
        ("\n< LEVR : FRAME > 10 5", "m.phys:2: there is no part 'LEVR'; did you mean 'lever'?"),
        ("LEVER 10 5", "m.phys:1:1: is not a pair of parts"),
        ("< LEVER : FRAME > 10 x", "m.phys:1: expected a number"),
        (
            "< LEVER : FRAME > 10 5\n\n < Lever : frame > 10 5",
            "m.phys:3:4: the pair Lever : frame is given twice",
        ),
        (
            "< LEVER : FRAME > 10 5\n< FRAME : LEVER > 10 5",
            "m.phys:2:3: the pair FRAME : LEVER is given twice",
        ),
        ("< LEVER : LEVER > 10 5", "m.phys:1:3: 'lever' is paired with itself"),
    ],
)
def test_what_is_wrong_beside_it_is_said_too(extra: str, words: str) -> None:
    assert words in problem(TEXT, extra)


TWO_BLOCKS = "p = blo()\nq = blo() at (movx=9)\nattr q : frame = 1\n{more}m = p asb q\n"


@pytest.mark.parametrize("pair", ["< P : Q >", "< Q : P >"])
def test_the_inertia_of_a_pair_is_that_of_the_part_that_moves(pair: str) -> None:
    mechanism = padl.loads(TWO_BLOCKS.format(more=""), f"{pair} 10 5 SPRING 90 15\n")
    assert (mechanism.parts["p"].inertia, mechanism.parts["q"].inertia) == (10, None)
    assert list(mechanism.parts) == ["p", "q"]
    assert list(mechanism.joints) == ["p"]
    assert mechanism.joints["p"].between == ("q", "p")


def test_a_pair_of_two_moving_parts_gives_the_first_its_inertia() -> None:
    mechanism = padl.loads(TWO_BLOCKS.replace("attr q : frame = 1\n", "").format(more=""), "< Q : P > 10 5\n")
    assert (mechanism.parts["p"].inertia, mechanism.parts["q"].inertia) == (None, 10)
    assert mechanism.joints["q"].between == ("p", "q")


def test_a_pair_of_two_fixed_parts_is_refused() -> None:
    said = problem(TWO_BLOCKS.format(more="attr p : frame = 1\n"), "\n< Q : P > 10 5\n")
    assert "m.phys:2:3: both 'q' and 'p' are fixed" in said


def test_missing_dimensions_are_one_and_moves_go_left_to_right() -> None:
    mechanism = padl.loads("p = blo(x=2) at (movx=1, degz=90, movz=3)\n")
    solid = solids.part_solid(mechanism, "p")
    assert solid is not None
    (leaf,) = leaves(solid)
    assert leaf.frame.apply((Fraction(2), Fraction(0), Fraction(1))) == (0, 3, 4)


def test_operators_group_from_the_left() -> None:
    mechanism = padl.loads("p = blo(x=4) dif blo(x=1) un blo(x=9) int blo(x=2)\n")
    solid = solids.part_solid(mechanism, "p")
    assert solid is not None
    # ((4 less 1) and 9 together), cut by 2: all of the block of 2.
    assert moments.moments(solid).volume == pytest.approx(2)


@pytest.mark.parametrize("count", [3, 5, 12])
def test_a_symmetric_union_is_the_same_wheel_as_its_copies_written_out(count: int) -> None:
    tooth = "tooth = blo(x=0.3,y=3) at (movx=1)\n"
    macro = tooth + f"p = cyl(d=2) un SYMMETRIC_UNION(tooth, z, ROTATIONAL, {count}, 360)\n"
    copies = " un ".join(f"(tooth at (degz={k}*360/{count}))" for k in range(count))
    assert shape_of(macro) == shape_of(tooth + f"p = cyl(d=2) un {copies}\n")
    solid = solids.part_solid(padl.loads(macro), "p")
    assert solid is not None
    assert [leaf.symmetric[0].index for leaf in leaves(solid) if leaf.symmetric] == list(range(count))


def test_a_missing_tooth_is_a_copy_left_out() -> None:
    tooth = "tooth = blo(x=0.3,y=3)\n"
    copies = " un ".join(f"(tooth at (degz={36 * k}))" for k in range(10) if k != 5)
    shape = padl.loads(tooth + f"p = {copies}\n").shapes["p"]
    assert shape.repeat is not None
    assert (shape.repeat.count, shape.repeat.without) == (10, (5,))


def test_copies_in_a_row_become_steps_and_uneven_ones_stay_as_written() -> None:
    tooth = "tooth = blo(x=0.3)\n"
    row = padl.loads(tooth + "p = tooth un (tooth at (movx=2)) un (tooth at (movx=4))\n").shapes["p"]
    assert row.repeat is not None
    assert row.repeat.step == (2, 0, 0)
    uneven = padl.loads(tooth + "p = tooth un (tooth at (movx=2)) un (tooth at (movx=5))\n").shapes["p"]
    assert uneven.union is not None
    assert len(uneven.union) == 3


def test_a_symmetric_union_along_a_line_is_spaced_by_range_over_count() -> None:
    shape = padl.loads("p = SYMMETRIC_UNION(blo(x=1), x, TRANSLATIONAL, 4, 8)\n").shapes["p"]
    assert shape.repeat is not None
    assert (shape.repeat.count, shape.repeat.step) == (4, (2, 0, 0))


def test_a_generic_is_a_solid_with_parameters() -> None:
    text = """generic ring(ring, outer, inner)
ring = cyl(d=outer) dif cyl(d=inner)
generic pair(pair)
a = ring(outer=4, inner=2)
b = ring(outer=8, inner=6) at (movx=10)
pair = a asb b
"""
    mechanism = padl.loads(text)
    assert list(mechanism.parts) == ["a", "b"]
    for name, outer, inner in (("a", 2, 1), ("b", 4, 3)):
        solid = solids.part_solid(mechanism, name)
        assert solid is not None
        assert moments.moments(solid).volume == pytest.approx(math.pi * (outer**2 - inner**2))


def volume(mechanism: Mechanism, name: str) -> float:
    solid = solids.part_solid(mechanism, name)
    assert solid is not None
    return float(moments.moments(solid).volume)


ARM = """generic arm(s,arm)
{inside}arm = s un blo(x=4) at (movx=20)
generic m(m)
t = cyl(d=3)
p = arm(s={argument}) at (movx=9)
q = blo()
attr q : frame = 1
m = p asb q
"""


@pytest.mark.parametrize("argument", ["t", "(t at (movy=2))", "cyl(d=3)"])
@pytest.mark.parametrize("inside", ["", "t = blo(x=100)\n"])
def test_a_solid_given_to_a_generic_stays_itself_whatever_names_it_meets(argument: str, inside: str) -> None:
    mechanism = padl.loads(ARM.format(inside=inside, argument=argument))
    assert list(mechanism.parts) == ["p", "q"]
    assert volume(mechanism, "p") == pytest.approx(math.pi * 9 / 4 + 4)


def test_a_solid_goes_through_two_generics() -> None:
    text = """generic both(s, u, both)
both = s un u
generic three(u, three)
s = u at (movx=20)
three = both(s=s, u=u) un blo(x=7) at (movx=40)
generic m(m)
s = cyl(d=2)
p = three(u=s)
m = p
"""
    assert volume(padl.loads(text), "m") == pytest.approx(2 * math.pi + 7)


def test_what_stands_before_the_first_generic_is_seen_inside_and_can_be_hidden() -> None:
    text = """w = 5
c = cyl(d=w)
generic arm(arm)
arm = blo(x=w) un (c at (movx=20))
generic own(own)
w = 2
own = blo(x=w)
generic m(m)
p = arm()
q = own()
m = p asb q
"""
    mechanism = padl.loads(text)
    assert volume(mechanism, "p") == pytest.approx(5 + math.pi * 25 / 4)
    assert volume(mechanism, "q") == pytest.approx(2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("arm()", "m.padl:5:5: 'arm' is not given its 's'; add s=…"),
        ("arm(t)", "m.padl:5:9: arguments are given by name, not by place; name it: s=t"),
        ("arm(s=t, s=t)", "m.padl:5:14: 's' is given twice"),
        ("arm(arm=t)", "m.padl:5:9: 'arm' has no parameter 'arm'; known here: s"),
        ("blo(1,2,3)", "m.padl:5:9: arguments are given by name, not by place; name it: x=1"),
        ("blo(x=1,2*3)", "m.padl:5:13: arguments are given by name, not by place; name it: y=…"),
        ("cyl(d=1,D=2)", "m.padl:5:13: 'd' is given twice"),
        ("t at (3)", "name it: movx=3"),
    ],
)
def test_a_call_that_is_wrong_is_told_at_the_call(call: str, words: str) -> None:
    lines = ["generic arm(s,arm)", "arm = s un blo(x=4)", "generic m(m)", "t = cyl(d=3)", f"m = {call}", ""]
    assert words in problem("\n".join(lines))


def test_unions_that_double_without_end_are_refused_before_they_are_written_out() -> None:
    doubling = [f"s{k} = s{k - 1} un (s{k - 1} at (movx={2**k}))" for k in range(1, 60)]
    lines = ["generic arm(s,arm)", "arm = s", "generic m(m)", "s0 = blo()", *doubling, "m = arm(s=s59)"]
    words = f"m.padl:64:9: is put together from more than {solids.MAX_LEAVES} primitives"
    assert words in problem("\n".join(lines))


def test_attributes_find_their_solid_in_capitals_too() -> None:
    text = "p = blo()\nq = cyl(d=2) at (movx=9)\nattr Q : FRAME = 1\nattr Q : Gear = 12\nm = p asb q\n"
    mechanism = padl.loads(text)
    assert (mechanism.parts["p"].fixed, mechanism.parts["q"].fixed) == (False, True)
    two = "Aa = blo()\naA = blo()\nattr AA : frame = 1\nm = Aa asb aA\n"
    assert "m.padl:3:1: there is no solid 'AA'" in problem(two)


def test_numbers_that_grow_without_end_are_refused() -> None:
    lines = ["a0 = 1000001/1000000"] + [f"a{k} = a{k - 1}*a{k - 1}" for k in range(1, 60)]
    assert "grows beyond 400 digits" in problem("\n".join([*lines, "p = blo(x=a59)"]))


def test_the_example_that_reads_the_figures_runs() -> None:
    import runpy
    from pathlib import Path

    runpy.run_path(str(Path(__file__).parents[2] / "examples" / "from_padl.py"))


def test_words_may_be_in_capitals_and_a_placed_part_keeps_its_name() -> None:
    mechanism = padl.loads(
        "A = BLO(X=2) UN (CYL(D=2) AT (MOVX=5))\nC = blo(x=1)\nB = A ASB (C AT (MOVY=9))\n"
    )
    assert list(mechanism.parts) == ["A", "C"]
    solid = solids.part_solid(mechanism, "A")
    assert solid is not None
    assert moments.moments(solid).volume == pytest.approx(2 + math.pi)
