"""The native document: what is written comes back, and what is hostile stays cheap."""

import json
import os
import tracemalloc
from fractions import Fraction

import pytest

from detent.foundation import ModelError
from detent.io import native
from detent.io.disk import files
from detent.io.native import schema, toml
from tests.conftest import DATA

HEAD = 'format = "detent/1"\n'


def refused(text, *, read=native.loads_toml):
    with pytest.raises(ModelError) as caught:
        read(text)
    return caught.value.problems


def test_every_reference_document_comes_back_equal_from_json_and_from_toml(reference_document):
    mechanism = native.load(reference_document)
    assert native.loads_json(native.dumps(mechanism)) == mechanism
    assert native.loads_toml(toml.dumps(mechanism)) == mechanism
    assert native.dumps(native.loads_toml(toml.dumps(mechanism))) == native.dumps(mechanism)


def test_canonical_json_keeps_what_was_written(reference_document):
    """Against Python's own reader: nothing is lost, nothing is added."""
    if reference_document.suffix == ".json":
        written = json.loads(reference_document.read_text())
        assert json.loads(native.dumps(native.load(reference_document))) == written


def test_a_fraction_and_a_long_decimal_survive_save_and_load(tmp_path):
    text = HEAD + '[parts.a]\nmarkers = { A = ["28520/197", 0.12345678901234567890123] }\n'
    mechanism = native.loads_toml(text)
    for name in ("a.json", "a.toml"):
        native.save(mechanism, tmp_path / name)
        point = native.load(tmp_path / name).parts["a"].markers["A"]
        assert point == (Fraction(28520, 197), Fraction("0.12345678901234567890123"))


def test_the_order_of_names_is_kept():
    text = HEAD + "".join(f"[parts.{name}]\n" for name in ("z", "a", "m"))
    assert list(native.loads_json(native.dumps(native.loads_toml(text))).parts) == ["z", "a", "m"]


def test_free_tables_come_back_as_they_were():
    view = '[view]\nzoom = 1.5\nlabel = "1/3"\nlong = 0.12345678901234567890123\nmore = { a = [1, true] }\n'
    mechanism = native.loads_toml(HEAD + view)
    assert native.loads_json(native.dumps(mechanism)) == mechanism
    assert mechanism.view["label"] == "1/3"


def test_an_older_format_is_brought_to_the_current_one():
    assert native.load(DATA / "formats" / "detent-0.toml") == native.load(DATA / "formats" / "detent-1.toml")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + "[parts.a]\nfixd = true\n", 3, "did you mean 'fixed'"),
        (HEAD + "\n\n[parts.a]\nmass = nan\n", 5, "finite"),
        (HEAD + "[parts.a]\nmass = inf\n", 3, "finite"),
        (HEAD + "[parts.a]\nmass = 1e999\n", 3, "double"),
        (HEAD + "[parts.a]\n[parts.a]\n", 3, "is not TOML"),
        (HEAD + "title = 'a\n", 3, "is not TOML"),
        (HEAD + '[[contacts]]\nbetween = ["a", "b"]\npoint = [0, 0]\nnormal = [0, 0]\n', 5, "zero vector"),
        ("title = 'x'\n", None, "format"),
        ("format = -inf\n", 1, "unknown format"),
        (HEAD + "dimension = inf\n", 2, "expected one of"),
        (HEAD + "dimension = 2.5\n", 2, "expected one of"),
        ("", None, "format"),
    ],
)
def test_an_error_in_toml_names_its_line(text, line, words):
    problems = refused(text)
    assert any(words in str(p) and p.line == line for p in problems), [(str(p), p.line) for p in problems]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"format": "detent/1",\n "parts": {"a": {"mass": NaN}}}', 2, "NaN"),
        ('{"format": "detent/1",\n "parts": {"a": {},\n "a": {}}}', 3, "appears twice"),
        ('{"format": "detent/1",\n "parts": {"a": {"fixd": 1}}}', 2, "did you mean 'fixed'"),
        ('{"format": "detent/1",\n', 2, "is not JSON"),
        ("[]", None, "a document is a table"),
        ("", 1, "is not JSON"),
    ],
)
def test_an_error_in_json_names_its_line(text, line, words):
    problems = refused(text, read=native.loads_json)
    assert any(words in str(p) for p in problems), [str(p) for p in problems]
    assert problems[0].line == line


@pytest.mark.parametrize(
    "bomb",
    [
        HEAD + "a." * 200_000 + "a = 1\n",
        HEAD + "[" + "a." * 200_000 + "a]\n",
        HEAD + "x = {" + "a." * 200_000 + "a = 1}\n",
        HEAD + "x = " + "[" * 100_000 + "]" * 100_000 + "\n",
        HEAD + "x = " + "{a = " * 100_000 + "1" + "}" * 100_000 + "\n",
        HEAD + "x = " + "9" * 400_000 + "\n",
        HEAD + "x = 0." + "9" * 400_000 + "\n",
        HEAD + "x = 1e" + "9" * 400 + "\n",
        HEAD + 'x = "' + "a" * 400_000 + "\n",
        HEAD + "dimension = 1e99999999\n",
        HEAD + '"\\""' + ".a" * 200_000 + " = 1\n",
        HEAD + 'x = {a = """\n""", b' + ".b" * 200_000 + " = 1}\n",
        HEAD + '"=".a.' * 50_000 + "a = 1\n",
        HEAD + 'note = """\n[' + " " * 5_000 + 'x\n"""\nfoo = 1\n',
        HEAD + "title = 0x" + "f" * 5_000 + "\n",
        HEAD + "[rows]\nnormal = [[" + "0," * 3_000_000 + "]]\n",
        HEAD + "".join(f"[view.k{i}" + ".a" * 29 + "]\n" for i in range(40_000)),
    ],
    ids=[
        "dotted",
        "header",
        "inline",
        "arrays",
        "tables",
        "integer",
        "decimal",
        "exponent",
        "string",
        "dimension",
        "escaped quote",
        "multi-line string",
        "quoted pieces",
        "blanks",
        "hexadecimal",
        "rows",
        "headers",
    ],
)
def test_a_bomb_is_refused_without_memory(bomb):
    tracemalloc.start()
    try:
        refused(bomb)
        assert tracemalloc.get_traced_memory()[1] < 64e6
    finally:
        tracemalloc.stop()


def test_a_long_chain_of_names_is_refused_at_once():
    uses = "".join(f'[shapes.s{i}]\nuse = "s{i + 1}"\n' for i in range(20_000))
    assert any("chain" in p.problem for p in refused(HEAD + uses + "[shapes.s20000]\ncircle = 1\n"))
    poses = "".join(f'[parts.p{i}]\npose.on = "p{i + 1}.m"\nmarkers.m = [0, 0]\n' for i in range(3_000))
    assert any("chain" in p.problem for p in refused(HEAD + poses + "[parts.p3000]\nmarkers.m = [0, 0]\n"))


def test_many_misspelt_references_are_named_at_once():
    parts = "".join(f"[parts.part{i}]\n" for i in range(20_000))
    joints = "".join(
        f'[joints.j{i}]\ntype = "revolute"\nbetween = ["prat{i}", "part1"]\nat = [0, 0]\n' for i in range(30)
    )
    problems = refused(HEAD + parts + joints)
    assert len(problems) == 21
    assert "there may be more" in problems[-1].problem


@pytest.mark.parametrize(
    "text",
    [
        '{"format":"detent/1","title":"\\ud800"}',
        '{"format":"detent/1","view":{"\\ud800":1}}',
        '{"format":"detent/1","view":{"a":"\\udfff"}}',
        '{"format":"detent/1","parts":{"\\ud800":{}}}',
    ],
)
def test_half_a_character_is_refused_on_reading(text):
    assert all(str(p).encode() for p in refused(text, read=native.loads_json))


@pytest.mark.parametrize(
    "written",
    [
        f"{2**700 + 1}/{2**1000}",
        "1." + "7" * 200 + "e-140",
        "123." + "4" * 396,
        "1" * 200 + "/" + "9" * 290,
        f"{2**800}/{3**600}",
    ],
)
def test_every_number_that_is_read_can_be_saved_and_read(written):
    mechanism = native.loads_toml(HEAD + f'gravity = ["{written}", 0]\n')
    assert native.loads_json(native.dumps(mechanism)) == mechanism
    assert native.loads_toml(toml.dumps(mechanism)) == mechanism


def test_digits_are_ascii():
    refused(HEAD + 'gravity = ["1/\u0660", 0]\n')
    refused(HEAD + 'gravity = ["\u0661", 0]\n')


def test_an_empty_table_of_questions_comes_back():
    mechanism = native.loads_toml(HEAD + "[ask]\n")
    assert native.loads_toml(toml.dumps(mechanism)) == mechanism
    assert mechanism.ask is not None


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path):
    os.mkfifo(tmp_path / "f.toml")
    with pytest.raises(ModelError, match="is not a file"):
        native.load(tmp_path / "f.toml")
    with pytest.raises(ModelError, match="is not a file"):
        native.save(native.loads_toml(HEAD), tmp_path / "f.toml")


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "here.json").symlink_to(tmp_path / "there" / "real.json")
    native.save(native.loads_toml(HEAD + 'title = "x"\n'), tmp_path / "here.json")
    assert (tmp_path / "here.json").is_symlink()
    assert native.load(tmp_path / "there" / "real.json").title == "x"


def test_a_read_only_document_is_not_overwritten(tmp_path):
    target = tmp_path / "a.json"
    native.save(native.loads_toml(HEAD), target)
    target.chmod(0o444)
    with pytest.raises(ModelError, match="read-only"):
        native.save(native.loads_toml(HEAD + 'title = "x"\n'), target)


def test_what_does_not_read_back_is_not_saved(tmp_path):
    mechanism = native.loads_toml(HEAD + "[parts.a]\n")
    mechanism.parts["b"] = 5
    for bad in (mechanism, None, {}):
        with pytest.raises(ModelError):
            native.save(bad, tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []


def test_a_draft_key_beside_its_successor_is_refused():
    problems = refused('format = "detent/0"\n[links.a]\n[parts.b]\n')
    assert problems[0].at == "links"


def test_lines_are_found_in_lists_inline_tables_and_under_equal_names():
    text = '{"format":"detent/1",\n"parts":{\n"a":{"markers":{\n"b":[0,0]}},\n"c":{},\n"b":{\n"mass":"x"}}}'
    assert refused(text, read=native.loads_json)[0].line == 7
    text = HEAD + "[parts.a]\nshape.outline = [\n[0, 0],\n[1, 0],\n[0, 1]\n]\nmas = 1\n"
    assert refused(text)[0].line == 8
    text = HEAD + "[parts.a]\nshape.outline = [\n  [0, 0],\n  [1, x],\n"
    assert refused(text)[0].line == 5
    text = HEAD + "[parts.a]\nshape.outline = [\n  [0, 0],\n  [1, true],\n  [0, 1] ]\n"
    assert refused(text)[0].line == 5


def test_a_json_bomb_is_refused():
    refused("[" * 400_000, read=native.loads_json)
    refused('{"format":' * 100_000, read=native.loads_json)
    refused('{"format": "detent/1", "view": ' + '{"a":' * 90 + "1" + "}" * 91, read=native.loads_json)


def test_a_file_that_is_too_large_or_not_text_is_refused(tmp_path):
    large = tmp_path / "a.toml"
    large.write_bytes(b"#" * (files.MAX_BYTES + 1))
    with pytest.raises(ModelError, match="larger than"):
        native.load(large)
    large.write_bytes(b'format = "detent/1"\n\xff\xfe')
    with pytest.raises(ModelError, match="UTF-8") as caught:
        native.load(large)
    assert caught.value.problems[0].line == 2


def test_a_missing_file_a_folder_and_a_strange_ending_are_named(tmp_path):
    for path, words in (
        (tmp_path / "no.toml", "no such file"),
        (tmp_path, "folder"),
        (tmp_path / "a.x", "no such"),
    ):
        with pytest.raises(ModelError, match=words):
            native.load(path)


def test_saving_keeps_the_mode_and_leaves_nothing_beside(tmp_path):
    mechanism = native.loads_toml(HEAD)
    target = tmp_path / "a.json"
    native.save(mechanism, target)
    target.chmod(0o640)
    native.save(mechanism, target)
    assert target.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_saving_into_a_folder_that_is_not_there_is_a_clear_error(tmp_path):
    with pytest.raises(ModelError, match="no folder"):
        native.save(native.loads_toml(HEAD), tmp_path / "no" / "a.json")


def test_the_schema_accepts_every_reference_document_and_refuses_a_misspelt_key(reference_document):
    import jsonschema

    judge = jsonschema.Draft202012Validator(schema.schema())
    data = json.loads(native.dumps(native.load(reference_document)))
    assert judge.is_valid(data)
    data["prats"] = {}
    assert not judge.is_valid(data)
