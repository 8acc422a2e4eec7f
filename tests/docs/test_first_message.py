"""The README's first real message: its lines put a code into a mailbox that is no part of Watchword."""

from __future__ import annotations

import io
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Debugging

from tests.entrypoints.cli.processes import served
from tests.entrypoints.cli.shells import shell_in

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
SECTION = README.split("\n## Your first real message\n")[1].split("\n## ")[0]
START, SEND, TEXT_MESSAGE = re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)
TOKEN = "t" * 32


class Mailbox:
    """The mail server of `make mailbox`: its port, and what it printed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.printed = io.StringIO()


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    """Yield the mail server of `python -m aiosmtpd`, with the handler that it has by default."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    box = Mailbox(port)
    server = Controller(Debugging(box.printed), hostname="127.0.0.1", port=port)
    server.start()
    yield box
    server.stop()


def test_the_lines_put_a_code_into_a_mailbox(mailbox: Mailbox, tmp_path: Path) -> None:
    """On a fresh data directory: the mail comes from the address that was set up, and its code verifies."""
    exports, serving = START.rsplit("export WATCHWORD_ADMIN_TOKEN=", 1)
    assert "watchword serve --port 8081 &" == serving.splitlines()[1]
    with served(tmp_path / "live", WATCHWORD_ADMIN_TOKEN=TOKEN) as running:
        lines = (exports + SEND).replace("http://127.0.0.1:8081", running.url)
        lines = lines.replace('"port": 1025', f'"port": {mailbox.port}')
        done = shell_in(tmp_path)(f'{lines}\necho; echo "$KEY"', WATCHWORD_ADMIN_TOKEN=TOKEN)
        answer, key = done.stdout.splitlines()[-2:]
        issued, mail = json.loads(answer), mailbox.printed.getvalue()
        (code,) = re.findall(r"^Your verification code is (\d{6})\.$", mail, re.MULTILINE)
        verified, _ = running.ask("POST", f"/v1/pins/{issued['pinId']}/verify", {"pin": code}, key)

    assert (0, "PENDING", 200) == (done.returncode, issued["status"], verified), done.stderr
    assert "From: Acme <codes@acme.example>" in mail.replace('"', "")
    assert "To: ann@example.com" in mail


def test_the_mailbox_listens_where_the_lines_send() -> None:
    """`make mailbox` runs the mail server of the test on the port of the README."""
    (recipe,) = re.findall(r"^mailbox:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M)

    assert "-m aiosmtpd" in recipe
    assert '"host": "127.0.0.1", "port": 1025' in SEND
    assert "127.0.0.1:1025" in recipe


def test_the_lines_for_a_text_message_are_complete(tmp_path: Path) -> None:
    """With an account of one's own in place of the dots, they create the channel account that is tested."""
    lines = TEXT_MESSAGE.splitlines()
    (config,) = re.findall(r"'(\{.*\})'", lines[0])

    assert {"preset", "accountSid", "authToken"} == set(json.loads(config))
    assert "--name twilio" in lines[1]
    assert lines[2].startswith("watchword channel-accounts test twilio --to ")
