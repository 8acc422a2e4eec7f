"""`watchword messages`: the delivery report, listed, or as CSV that is whole and safe to open."""

from __future__ import annotations

import csv
import http.client
import io
import json
import stat
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from yarl import URL

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served
from tests.entrypoints.messaging.sends import SMS
from watchword.entrypoints.cli.commands.message_export import walk
from watchword.entrypoints.wire.codec import wire_time

PERSON = "+447700900123"
HARMFUL = '=HYPERLINK("http://evil.example","tea")'


@pytest.fixture
def reference(sandbox: Served) -> str:
    """Send two messages, one of which is refused, and return the reference of both."""
    word = uuid4().hex
    for recipient, more in ((PERSON, HARMFUL), ("+447700900001", "tea")):
        message = {**SMS, "recipient": recipient, "custRef1": word, "custRef2": more}
        status, _ = send(sandbox, {"sms": [message], "campaignName": HARMFUL})
        assert 200 == status
    return word


def send(sandbox: Served, body: Any) -> tuple[int, Any]:
    """Send messages with the sandbox's key."""
    url = URL(sandbox.url)
    connection = http.client.HTTPConnection(str(url.host), url.port, timeout=30)
    try:
        headers = {"apikey": "sandbox-key", "Content-Type": "application/json"}
        connection.request("POST", "/oapi/send_sms", json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def read(text: str) -> list[dict[str, str]]:
    """Read a table."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_line_is_a_message(connected: Run, reference: str) -> None:
    """The newest first, with the columns of the filters; numbers are masked."""
    exported = connected("messages", "export", "--account", "demo", "--reference", reference)
    refused, accepted = read(exported.stdout_bytes.decode())

    assert (0, "") == (exported.exit_code, exported.stderr)
    assert {
        "channelType": "sms",
        "channelName": "sandbox sms",
        "resourceType": "api",
        "direction": "outbound",
        "recipient": "'+4477******23",
        "status": "accepted",
        "errorCode": "",
        "tag1": "",
    }.items() <= accepted.items()
    assert ("rejected", "sandbox_rejected") == (refused["status"], refused["errorCode"])


def test_messages_are_listed(connected: Run, reference: str) -> None:
    """A line each, the newest first, as few as are asked for; numbers are masked unless asked for."""
    asked = ("messages", "list", "--account", "demo", "--reference", reference)
    listed = connected(*asked)
    heading, refused, accepted = listed.stdout.splitlines()
    (newest,) = json.loads(connected(*asked, "--limit", "1", "--json").stdout)

    assert (0, "") == (listed.exit_code, listed.stderr)
    assert [
        *("id", "status", "channel", "direction", "sender", "recipient", "error"),
        *("sent by", "created"),
    ] == cells(heading)
    assert ["sandbox_rejected", "sandbox"] == cells(refused)[6:8]
    assert ["accepted", "sms", "outbound", SMS["sender"], "+4477******23"] == cells(accepted)[1:6]
    assert (cells(refused)[0], "+4477******01") == (newest["messageId"], newest["recipient"])
    assert PERSON in connected(*asked, "--in-clear").stdout


def test_nothing_in_a_table_is_a_formula(connected: Run, reference: str) -> None:
    """Callers' texts are cells of text; numbers in clear stay numbers."""
    exported = connected("messages", "export", "--reference", reference, "--in-clear").stdout
    refused, accepted = read(exported)

    assert f"'{HARMFUL}" == accepted["campaignName"]
    assert (PERSON, "+447700900001") == (accepted["recipient"], refused["recipient"])
    assert f'{{"custRef1":"{reference}","custRef2":"tea"}}' == refused["custRefs"]


def test_filters_narrow_the_table(connected: Run, reference: str) -> None:
    """They are those of the route; a wrong one is refused in a sentence."""
    asked = ("messages", "export", "--reference", reference)

    for more, count in (
        (("--status", "rejected"), 1),
        (("--channel-name", "sandbox sms", "--channel-type", "sms"), 2),
        (("--recipient", "00447700900123"), 1),
        (("--to", "2020-01-01"), 0),
        (("--from", "2020-01-01", "--direction", "outbound"), 2),
        (("--resource-type", "legacy"), 0),
    ):
        assert count == len(read(connected(*asked, *more).stdout)), more
    refused = connected(*asked, "--channel-type", "fax")
    assert (1, True) == (refused.exit_code, "--channel-type must be one of sms" in refused.stderr)
    assert "" == refused.stdout


def test_a_file_is_whole_and_its_owners_alone(
    connected: Run, reference: str, tmp_path: Path
) -> None:
    """With the mark of UTF-8, which the standard output does not have."""
    file = tmp_path / "report.csv"
    asked = ("messages", "export", "--reference", reference)
    written = connected(*asked, "--output", str(file))

    assert (0, "", "") == (written.exit_code, written.stdout, written.stderr)
    assert b"\xef\xbb\xbf" + connected(*asked).stdout_bytes == file.read_bytes()
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert [file] == list(tmp_path.iterdir())


def test_what_fails_leaves_no_file(alone: Run, tmp_path: Path) -> None:
    """One sentence and a hint."""
    file = tmp_path / "report.csv"
    refused = alone("messages", "export", "--output", str(file))

    assert 1 == refused.exit_code
    assert "There is no store at" in refused.stderr
    assert not file.exists()


def test_a_store_of_all_accounts_is_narrowed_by_time_alone(alone: Run) -> None:
    """Other filters require an account (D-79)."""
    alone("accounts", "create", "shop")

    assert 0 == alone("messages", "export", "--from", "2031-01-01").exit_code
    refused = alone("messages", "export", "--status", "failed")
    assert (1, True) == (refused.exit_code, "account is required" in refused.stderr)
    assert 0 == alone("messages", "export", "--status", "failed", "--account", "shop").exit_code


@pytest.mark.parametrize("per_millisecond", [1, 7, 100, 250])
async def test_a_walk_gives_every_message_once(per_millisecond: int) -> None:
    """Messages of the same millisecond, the finest difference between times, are all found."""
    noon = datetime(2031, 5, 4, 12, tzinfo=UTC)
    times = [noon + timedelta(milliseconds=n // per_millisecond) for n in range(1_001)]
    messages = [
        {"messageId": f"msg_{number}", "createdAt": wire_time(at)}
        for number, at in reversed(list(enumerate(times)))
    ]

    async def ask(filters: Mapping[str, str], page: int) -> Sequence[dict[str, str]]:
        found = [each for each in messages if each["createdAt"] < filters.get("to", "9")]
        return found[(page - 1) * 100 : page * 100]

    given = [each async for page in walk(ask, {}) for each in page]

    assert messages == given
