"""
The provider `smpp` on Kannel's `drive_smpp`, an SMSC with separate binds; `make counterparts` runs it.

`pytest tests/counterparts/kannel_smpp.py`, with Debian's packages kannel and kannel-extras
"""

from __future__ import annotations

from pathlib import Path

from tests.counterparts.kannel_processes import driven_smsc, free_ports
from tests.counterparts.shops import open_shop
from tests.crash.waiting import until
from watchword.application.messages.looking_up.views import FollowedMessage

MESSAGES = 20


async def test_kannel_is_heard_and_reads_what_is_sent(tmp_path: Path) -> None:
    """Its messages come once each. It accepts without an id, which is doubtful, and nothing is repeated."""
    (port,) = free_ports(1)
    config = {
        "host": "127.0.0.1",
        "port": port,
        "systemId": "orchid",
        "password": "s3cret",
        "bind": "separate",
    }
    async with (
        driven_smsc(tmp_path, port, MESSAGES) as log,
        open_shop(tmp_path, "smpp", config) as shop,
    ):
        sent = await shop.send(0, "Your tea is ready.")
        await until(lambda: "short_message = <Your tea is ready.>" in log.read_text())

        # They have the parameter receipted_message_id, and no state: so they are no receipts.
        await shop.heard([("456", str(number)) for number in range(1, MESSAGES + 1)])
        (found,) = await shop.service.messages.status(shop.account, [sent])
        assert isinstance(found, FollowedMessage)
        assert ["provider_unknown"] == [each.error_code for each in found.events]
        assert 1 == log.read_text().count("submit_sm: short_message")
        answered = "Handling SMPP PDU of type deliver_sm_resp"
        await until(lambda: log.read_text().count(answered) == MESSAGES)
