"""`watchword short-links` and `watchword media`, against a running sandbox and on a store."""

from __future__ import annotations

import http.client
import json

from yarl import URL

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served
from watchword.entrypoints.demo.seeding import API_KEY

MENU = "https://tea.example/menu"


def upload(sandbox: Served, body: bytes) -> str:
    """Upload a form with the demo's key, and return the id of its file."""
    url = URL(sandbox.url)
    connection = http.client.HTTPConnection(str(url.host), url.port, timeout=30)
    headers = {"apikey": API_KEY, "Content-Type": "multipart/form-data; boundary=tea"}
    try:
        connection.request("POST", "/oapi/wa/mediaupload", body, headers)
        return str(json.load(connection.getresponse())["id"])
    finally:
        connection.close()


def test_a_link_is_disabled_and_enabled(connected: Run, sandbox: Served) -> None:
    """Given by its code, or whole."""
    sms = {"sender": "TEAHSE", "recipient": "+15550108", "type": "SI", "messageBody": f"At {MENU}"}
    shortener = {"flag": 1, "urlDetails": [{"longUrl": MENU}]}
    body = {"sms": [sms], "urlShortener": shortener}
    sandbox.ask("POST", "/oapi/send_sms", body, key=None, apikey=API_KEY)
    _, shown = sandbox.ask("GET", "/sandbox/outbox?destination=%2B15550108")
    address = shown["data"][-1]["text"].removeprefix("At ")
    disabled = connected("short-links", "disable", address, "--json")
    enabled = connected("short-links", "enable", address.rpartition("/")[2])

    assert json.loads(disabled.stdout)["disabledAt"] is not None
    assert MENU == json.loads(disabled.stdout)["url"]
    assert 0 == enabled.exit_code


def test_a_medium_is_listed_and_removed(connected: Run, sandbox: Served) -> None:
    """With its name, type and bytes."""
    body = (
        b'--tea\r\nContent-Disposition: form-data; name="file"; filename="menu.txt"\r\n'
        b"Content-Type: text/plain\r\n\r\nTea.\r\n--tea--\r\n"
    )
    medium = upload(sandbox, body)
    listed = connected("media", "list", "--account", "demo").stdout.splitlines()
    removed = connected("media", "remove", medium, "--json")
    left = connected("media", "list", "--json")

    assert ["id", "account", "name", "type", "bytes", "created"] == cells(listed[0])
    assert [medium, "demo", "menu.txt", "text/plain", "4"] == cells(listed[1])[:5]
    assert json.loads(removed.stdout)["removedAt"] is not None
    assert medium not in [each["id"] for each in json.loads(left.stdout)]


def test_what_is_not_there_is_told(alone: Run) -> None:
    """On a store that no service has open, too."""
    assert 0 == alone("accounts", "create", "shop").exit_code
    for command in (("short-links", "disable", "x" * 16), ("media", "remove", "med_1")):
        assert 1 == alone(*command).exit_code
