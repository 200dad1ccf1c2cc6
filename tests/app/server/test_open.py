"""`detent open` as a person meets it: it prints its address, keeps the files, stops cleanly."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from detent.app import main
from detent.app.commands import place
from detent.foundation import ModelError
from tests.app.server.running import FOUR_BAR, PATIENCE, Client, Running


def test_ctrl_c_stops_it_with_the_exit_code_of_an_interruption(tmp_path):
    with Running(tmp_path) as server:
        with Client(server, server.enter()) as client:
            client.answer("check", document=FOUR_BAR)
            server.process.send_signal(signal.SIGINT)
            _, errors = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 130
        assert errors == "detent: interrupted\n"


def test_it_leaves_no_child_and_no_folder_behind(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (tmp_path / "workspace").mkdir()
    with Running(tmp_path / "workspace", env={"TMPDIR": str(scratch)}) as server:
        with Client(server, server.enter()) as client:
            for seconds in range(3):
                client.send("play", document=FOUR_BAR, drive={"joint": "A", "to": seconds, "steps": 5000})
            client.answer("check", document=FOUR_BAR)
            pid = server.process.pid
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            assert children
            server.process.send_signal(signal.SIGTERM)
            server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 0
    assert not any(b"detent.app.server.worker" in command(child) for child in children)
    assert not list(scratch.iterdir())


def command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_port_in_use_is_a_clear_answer(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["open", "--no-browser", "--port", port]) == 2
    said = capsys.readouterr().err
    assert f"port {port} is in use" in said
    assert "choose another" in said


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_is_none_is_refused(port):
    assert main(["open", "--no-browser", "--port", port]) == 2


def test_a_machine_without_a_browser_is_told_the_address(tmp_path):
    program = [sys.executable, "-m", "detent", "open"]
    env = {"PATH": "/nowhere", "BROWSER": "", "HOME": str(tmp_path)}
    server = subprocess.Popen(
        program,
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # As on a terminal, also where these tests run in the background, which ignores Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert "http://127.0.0.1:" in server.stdout.readline()
    assert "no browser found" in server.stderr.readline()
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=PATIENCE)
    assert server.returncode == 130


def test_help_imports_no_server():
    program = (
        "import sys\n"
        "from detent.app.cli import main\n"
        "for argv in (['--help'], ['open', '--help']):\n"
        "    main(argv)\n"
        "assert not {'starlette', 'uvicorn', 'asyncio', 'numpy'} & set(sys.modules), sorted(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_workspace_is_the_files_folder_unless_said(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "m.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    assert place(None, None) == (tmp_path, None)
    assert place("four_bar", None) == (tmp_path, "example:four_bar")
    folder, file = place("sub/m.json", None)
    assert (folder.resolve(), file) == (tmp_path / "sub", "m.json")
    assert place("sub/m.json", ".")[1] == "sub/m.json"
    for wrong in (("sub/m.json", "elsewhere"), ("none.json", None), ("nonsense", None)):
        with pytest.raises(ModelError):
            place(*wrong)
    (tmp_path / "other").mkdir()
    with pytest.raises(ModelError, match="is not in"):
        place("sub/m.json", "other")


def test_a_document_is_opened_edited_saved_and_listed(client, workspace):
    example = client.answer("example", name="four_bar")["document"]
    saved = client.answer("save", path="mine.toml", document=example)
    opened = client.answer("open", path="mine.toml")
    assert opened["document"] == example
    assert opened["modified"] == saved["modified"]
    assert "mine.toml" in [entry["path"] for entry in client.answer("list")["files"]]
    again = client.answer("save", path="mine.toml", document=example, modified=saved["modified"])
    other = {**example, "title": "another"}
    assert "changed by another" in client.problem(
        "save", path="mine.toml", document=other, modified=again["modified"] - 1
    )


def test_a_foreign_file_of_the_workspace_is_opened_but_never_written(client, workspace):
    (workspace / "part.scad").write_text("cube([1, 2, 3]);")
    opened = client.answer("open", path="part.scad")
    assert opened["path"] is None
    assert opened["document"]["parts"]
    assert "none of .json .toml" in client.problem("save", path="part.scad", document=opened["document"])
    assert (workspace / "part.scad").read_text() == "cube([1, 2, 3]);"


def test_an_edit_answers_with_all_that_the_page_shows(client):
    said = client.answer("edit", document=FOUR_BAR)
    assert said["problems"] == []
    assert said["explanation"]["mobility"]["gruebler"] == 1
    assert said["poses"]["crank"] == [0, 0, 0]
    assert said["parts"]["rocker"]["markers"] == {"D": [4, 0, 0], "C": [4, 3, 0]}


def test_an_edit_with_problems_names_their_places_and_is_kept_all_the_same(client, workspace):
    broken = json.loads(json.dumps(FOUR_BAR))
    broken["joints"]["A"]["tpye"] = "revolute"
    said = client.answer("edit", document=broken, draft="broken")
    assert said["problems"][0]["at"] == "joints.A.tpye"
    assert client.answer("recover", draft="broken")["document"] == broken
    assert "unknown key" in client.problem("save", path="broken.json", document=broken)
    assert not (workspace / "broken.json").exists()
    client.answer("discard", draft="broken")
    assert "broken" not in [entry["draft"] for entry in client.answer("drafts")["drafts"]]


def test_a_draft_newer_than_its_file_is_offered_when_the_file_is_opened(client):
    client.answer("save", path="drafted.json", document=FOUR_BAR)
    changed = {**FOUR_BAR, "title": "changed since"}
    client.answer("draft", draft="drafted", path="drafted.json", document=changed)
    assert client.answer("open", path="drafted.json")["draft"]["document"] == changed
    client.answer("save", path="drafted.json", document=changed)
    assert "draft" not in client.answer("open", path="drafted.json")


def test_a_draft_that_came_after_its_save_and_holds_the_same_is_not_offered(client):
    """Written otherwise, meant the same: keys in another order, a default said."""
    client.answer("save", path="same.json", document=FOUR_BAR)
    reordered = {"title": "", **dict(reversed(FOUR_BAR.items()))}
    client.answer("draft", draft="same", path="same.json", document=reordered)
    assert "draft" not in client.answer("open", path="same.json")
    client.answer("draft", draft="same", path="same.json", document={**FOUR_BAR, "parts": 7})
    assert client.answer("open", path="same.json")["draft"]["document"]["parts"] == 7


def test_a_file_is_saved_as_new_only_where_there_is_none(client, workspace):
    client.answer("save", path="new.json", document=FOUR_BAR, modified=0)
    before = (workspace / "new.json").read_bytes()
    said = client.ask("save", path="new.json", document={**FOUR_BAR, "title": "other"}, modified=0)
    assert "exists already" in said["problems"][0]["problem"]
    assert (workspace / "new.json").read_bytes() == before


def test_an_edit_is_answered_where_its_draft_cannot_be_kept(tmp_path):
    """Something else is where drafts are kept: the answer is whole, and says why nothing was kept."""
    (tmp_path / ".detent").write_text("in the way")
    with Running(tmp_path) as server, Client(server, server.enter()) as client:
        said = client.answer("edit", document=FOUR_BAR, draft="d")
        assert said["explanation"]["mobility"]["actual"] == 1
        assert "refuses" in said["unkept"]["problem"]
        assert said["unkept"]["remedy"]
    assert (tmp_path / ".detent").read_text() == "in the way"


def test_a_shape_is_painted_as_rings_in_its_parts_own_frame(client):
    document = {
        "format": "detent/1",
        "parts": {
            "plate": {
                "pose": {"at": [10, 0]},
                "shape": {"difference": [{"outline": [[0, 0], [4, 0], [4, 4], [0, 4]]}, {"circle": 1}]},
            }
        },
    }
    said = client.answer("picture", document=document)
    (layer,) = said["parts"]["plate"]["layers"]
    (ring,) = layer["rings"]
    assert said["poses"]["plate"] == [10, 0, 0]
    assert max(x for x, _ in ring) == 4
    assert min(x for x, y in ring if y == 0) == pytest.approx(1)


def test_an_export_is_a_download_and_an_import_reads_it_back(server, cookie):
    headers = {"Cookie": cookie, "Origin": server.origin}
    body = json.dumps({"document": FOUR_BAR}).encode()
    starts = {"svg": b"<svg", "png": b"\x89PNG", "json": b"{", "toml": b"format"}
    for kind, start in starts.items():
        status, said, data = server.request(
            "POST", f"/api/export?kind={kind}&name=../a%0d%0ab", headers=headers, body=body
        )
        assert status == 200
        assert data.startswith(start)
        assert said["content-disposition"] == f'attachment; filename="_a__b.{kind}"'
        if kind in ("json", "toml"):
            status, _, read = server.request("POST", f"/api/import?name=a.{kind}", headers=headers, body=data)
            assert status == 200
            assert json.loads(read)["document"]["joints"] == FOUR_BAR["joints"]
    status, _, data = server.request("POST", "/api/export?kind=exe", headers=headers, body=body)
    assert status == 422
    assert json.loads(data)["problems"][0]["at"] == "kind"


def test_the_gallery_has_a_picture_of_every_example(server, cookie):
    said = json.loads(server.request("GET", "/api/examples", headers={"Cookie": cookie})[2])
    assert "four_bar" in [entry["name"] for entry in said["examples"]]
    for entry in said["examples"]:
        status, headers, picture = server.request("GET", entry["picture"], headers={"Cookie": cookie})
        assert status == 200, entry
        assert headers["content-type"].startswith("image/svg+xml")
        assert picture.startswith(b"<svg")


def test_what_convert_reads_can_be_imported_and_its_problems_name_the_persons_file(server, cookie, workspace):
    headers = {"Cookie": cookie, "Origin": server.origin}
    scad = b"difference() { cube([4, 4, 1]); cylinder(r = 1, h = 1); }"
    status, _, data = server.request("POST", "/api/import?name=a.scad", headers=headers, body=scad)
    assert status == 200, data
    assert json.loads(data)["document"]["parts"]
    status, _, data = server.request("POST", "/api/import?name=b.scad", headers=headers, body=b"cube([4")
    assert status == 422
    assert json.loads(data)["problems"][0]["file"] == "b.scad"
    plate = {"format": "detent/1", "parts": {"p": {"shape": {"outline": [[0, 0], [4, 0], [0, 3]]}}}}
    body = json.dumps({"document": plate}).encode()
    status, _, drawing = server.request("POST", "/api/export?kind=dxf", headers=headers, body=body)
    assert status == 200, drawing
    status, _, data = server.request("POST", "/api/import?name=c.dxf", headers=headers, body=drawing)
    assert status == 200, data
    assert list(json.loads(data)["document"]["parts"]) == ["p"]
