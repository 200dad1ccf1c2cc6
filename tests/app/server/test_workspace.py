"""Nothing is written outside the workspace, whatever the path says."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from detent.app.server import Workspace, limits
from detent.foundation import ModelError
from tests.app.server.corpus import escapes
from tests.app.server.running import FOUR_BAR


def files_below(folder: Path) -> dict[str, bytes]:
    """All files with their bytes; what a link points to belongs to its target."""
    contents = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            contents[str(path)] = b"" if path.is_symlink() else path.read_bytes()
    return contents


@pytest.fixture
def place(tmp_path):
    """A workspace with traps in it, inside a folder that must stay as it is."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.json").write_text('{"secret": true}')
    inside = tmp_path / "workspace"
    (inside / "a").mkdir(parents=True)
    (inside / "link").symlink_to(outside)
    (inside / "deep").symlink_to("link")
    (inside / "up").symlink_to("..")
    (inside / "secret.json").symlink_to(outside / "secret.json")
    (inside / "dangling.json").symlink_to(outside / "made.json")
    (inside / "fine.json").write_text("{}")
    (inside / "alias.json").symlink_to("fine.json")
    return inside


LINKED = [
    "link/evil.json",
    "link/secret.json",
    "deep/evil.json",
    "up/evil.json",
    "up/workspace/../evil.json",
    "up/outside/secret.json",
    "secret.json",
    "dangling.json",
]


def test_every_way_out_writes_nothing_outside(place):
    workspace = Workspace(place.resolve())
    before = files_below(place.parent)
    paths = [*escapes(), *LINKED]
    assert len(paths) > 1000
    for path in paths:
        try:
            workspace.write(path, b"{}", since=None)
        except ModelError:
            continue
    for path, data in files_below(place.parent).items():
        inside = Path(path).is_relative_to(place)
        assert inside or before[path] == data, f"{path} was written"
    assert files_below(place.parent / "outside") == {
        str(place.parent / "outside" / "secret.json"): b'{"secret": true}'
    }


@pytest.mark.parametrize("path", LINKED)
def test_a_link_that_leads_out_is_neither_read_nor_written(place, path):
    workspace = Workspace(place.resolve())
    for act in (workspace.read, lambda p: workspace.write(p, b"{}", since=None)):
        with pytest.raises(ModelError, match="workspace"):
            act(path)


def test_a_link_within_the_workspace_is_followed(place):
    workspace = Workspace(place.resolve())
    workspace.write("alias.json", b'{"new": 1}', since=None)
    assert (place / "fine.json").read_bytes() == b'{"new": 1}'
    assert (place / "alias.json").is_symlink()


def test_plain_names_are_served(place):
    workspace = Workspace(place.resolve())
    for path in ("b.json", "a/b.toml", "a/Größe 2.json", "a/…b.json"):
        modified = workspace.write(path, b"{}", since=None)
        assert workspace.read(path) == (b"{}", modified)
    assert next(entry["path"] for entry in workspace.listing()) == "a/…b.json"
    assert "secret.json" not in [entry["path"] for entry in workspace.listing()]


def test_a_file_that_another_program_changed_is_not_overwritten(place):
    workspace = Workspace(place.resolve())
    seen = workspace.write("b.json", b"ours", since=None)
    os.utime(place / "b.json", ns=(1, 10**18))
    with pytest.raises(ModelError, match="changed by another"):
        workspace.write("b.json", b"ours again", since=seen)
    assert (place / "b.json").read_bytes() == b"ours"


def test_a_save_asked_again_after_its_answer_was_lost_is_done_already(place):
    """The server died after the write; the page knows the time before it, or of a new name none."""
    workspace = Workspace(place.resolve())
    seen = workspace.write("b.json", b"first", since=0)
    os.utime(place / "b.json", ns=(1, 10**18))
    written = workspace.write("b.json", b"second", since=10**15)
    os.utime(place / "b.json", ns=(1, 2 * 10**18))
    for since in (seen, 10**15, written, 0):
        assert workspace.write("b.json", b"second", since=since) == 2 * 10**15
        with pytest.raises(ModelError):
            workspace.write("b.json", b"other!", since=since)


def test_drafts_behind_a_link_are_refused(tmp_path):
    inside = tmp_path / "workspace"
    inside.mkdir()
    (tmp_path / "outside").mkdir()
    (inside / ".detent").symlink_to(tmp_path / "outside")
    with pytest.raises(ModelError, match="leads out"):
        Workspace(inside.resolve()).keep_draft("mine", b"{}", None)
    assert not list((tmp_path / "outside").rglob("*.json"))


@pytest.mark.parametrize("name", ["", "../a", "a/b", "a.b", "1a", "a" * 41, "a\x00", "é", "a\n"])
def test_a_drafts_name_is_a_plain_word(tmp_path, name):
    with pytest.raises(ModelError, match="not a name"):
        Workspace(tmp_path.resolve()).keep_draft(name, b"{}", None)


def test_the_latest_drafts_are_kept_and_their_number_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "DRAFTS", 5)
    workspace = Workspace(tmp_path.resolve())
    for k in range(12):
        workspace.keep_draft(f"d{k}", b"{}", None)
        os.utime(tmp_path / ".detent" / "drafts" / f"d{k}.json", (k, k))
    assert [entry["draft"] for entry in workspace.drafts()] == ["d11", "d10", "d9", "d8", "d7"]


def test_over_the_wire_no_path_leads_out(server, client, workspace):
    outside = workspace.parent
    for path in escapes()[::23]:
        client.ask("save", path=path, document=FOUR_BAR)
        client.ask("open", path=path)
        client.ask("draft", draft="corpus", path=path, document=FOUR_BAR)
    client.ask("discard", draft="corpus")
    assert [entry.name for entry in outside.iterdir()] == ["workspace"]


def test_the_bundles_route_serves_the_bundle_only(server, cookie):
    escapes_tried = [
        "../pages.py",
        "..%2fpages.py",
        "%2e%2e/pages.py",
        "..%5cpages.py",
        ".sources",
        "/etc/passwd",
    ]
    escapes_tried += [
        path for path in escapes()[::11] if path.isascii() and path.isprintable() and " " not in path
    ]
    for escape in escapes_tried:
        status, _, body = server.request("GET", f"/static/{escape}", headers={"Cookie": cookie})
        assert status in (400, 404, 405), escape
        assert b"import" not in body


def test_an_archive_is_never_unpacked(server, cookie, workspace):
    """A zip whose entries step up: it is not a document, and nothing of it reaches the disk."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in ("../evil.json", "/tmp/evil-of-detent.json", "..\\evil.json", "a/../../evil.json"):
            archive.writestr(name, "{}")
    headers = {"Cookie": cookie, "Origin": server.origin}
    for name in ("evil.zip", "evil.json", "..%2fevil.json", "evil.toml"):
        status, _, _ = server.request(
            "POST", f"/api/import?name={name}", headers=headers, body=data.getvalue()
        )
        assert status == 422
    assert not list(workspace.parent.rglob("evil*"))
    assert not Path("/tmp/evil-of-detent.json").exists()
