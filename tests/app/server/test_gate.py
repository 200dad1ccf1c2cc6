"""Who is let in: the server's own page, in a browser that was given its address."""

from __future__ import annotations

import socket

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

ROUTES = ["/", "/static/app.js", "/api/examples", "/api/examples/four_bar.svg"]
FOREIGN_HOSTS = [
    "evil.example",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost.evil.example:{port}",
    "127.0.0.1:{port}.evil.example",
    "evil.example:{port}",
    "0.0.0.0:{port}",
    "[::1]:{port}",
    "127.0.0.1:{port}@evil.example",
    "",
]
FOREIGN_ORIGINS = [
    "http://evil.example",
    "http://evil.example:{port}",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://127.0.0.1:{port}.evil.example",
    "http://localhost:{port}",  # the page came from 127.0.0.1
    "null",
    "file://",
    "",
]


def port_of(server):
    return server.host.rpartition(":")[2]


@pytest.mark.parametrize("path", ROUTES)
def test_without_the_cookie_nothing_is_answered(server, path):
    assert server.request("GET", path)[0] == 403


@pytest.mark.parametrize("path", ROUTES)
def test_with_the_cookie_every_route_is_answered(server, cookie, path):
    assert server.request("GET", path, headers={"Cookie": cookie})[0] == 200


@pytest.mark.parametrize("value", ["", "x", "x" * 4000, '"', "é", "; ;=;"])
def test_a_guessed_cookie_is_refused(server, cookie, value):
    name = cookie.partition("=")[0]
    assert server.request("GET", "/", headers={"Cookie": f"{name}={value}".encode()})[0] == 403


def test_cookies_of_other_programs_on_this_host_do_not_lock_a_person_out(server, cookie):
    for others in ('a={"json": [1, 2]}; ', "b c; =; ;;", 'q="unclosed; '):
        assert server.request("GET", "/", headers={"Cookie": others + "; " + cookie})[0] == 200


def test_a_launch_address_works_once(server, cookie):
    used = server.launch.removeprefix(server.origin)
    fresh = server.enter()
    assert fresh == cookie
    assert server.request("GET", used)[0] == 403
    # In the browser that has been let in, the old address still leads to the page.
    assert server.request("GET", used, headers={"Cookie": cookie})[0] == 303


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(server):
    path = server.launch.removeprefix(server.origin)
    headers = server.request("GET", path)[1]
    server.launch = server.line().split()[-1]
    assert "HttpOnly" in headers["set-cookie"]
    assert "SameSite=strict" in headers["set-cookie"]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_rebound_name_is_refused(server, cookie, host):
    """The Host header is the address listened on, or nothing is said."""
    headers = {"Host": host.format(port=port_of(server)), "Cookie": cookie}
    assert server.request("GET", "/", headers=headers)[0] in (400, 403)


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_page_of_another_site_is_refused(server, cookie, origin):
    headers = {"Origin": origin.format(port=port_of(server)), "Cookie": cookie}
    assert server.request("GET", "/api/examples", headers=headers)[0] == 403
    assert server.request("POST", "/api/import?name=a.json", headers=headers, body=b"{}")[0] == 403


def test_a_post_without_an_origin_is_refused(server, cookie):
    headers = {"Cookie": cookie}
    assert server.request("POST", "/api/import?name=a.json", headers=headers, body=b"{}")[0] == 403


def handshake(server, *, origin=None, cookie=None, host=None):
    """The status that a WebSocket handshake is answered with."""
    headers = {name: value for name, value in (("Cookie", cookie), ("Host", host)) if value}
    try:
        with connect(
            f"ws://{server.host}/ws", origin=origin, additional_headers=headers, compression=None, proxy=None
        ) as socket:
            socket.send('{"seq": 1, "do": "ping"}')
            socket.recv()
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_the_websocket_has_the_same_doors(server, cookie):
    assert handshake(server, origin=server.origin, cookie=cookie) == 101
    assert handshake(server, origin=server.origin) == 403
    assert handshake(server, cookie=cookie) == 403
    for origin in FOREIGN_ORIGINS:
        assert handshake(server, origin=origin.format(port=port_of(server)) or "x", cookie=cookie) == 403


def test_every_answer_carries_the_strict_policy(server, cookie):
    for path, sent in ((r, c) for r in [*ROUTES, "/nowhere"] for c in ({}, {"Cookie": cookie})):
        headers = server.request("GET", path, headers=sent)[1]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_the_page_has_no_inline_script(server, cookie):
    page = server.request("GET", "/", headers={"Cookie": cookie})[2].decode()
    assert "<script" in page
    assert "</script>" in page
    assert page.count("<script") == page.count('src="/static/')
    assert "onload" not in page
    assert "style=" not in page


def test_it_listens_on_one_address_of_this_machine_only(server):
    """127.0.0.2 is this machine too, as any address of its network would be; nobody answers there."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", int(port_of(server))), timeout=5)
