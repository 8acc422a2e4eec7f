"""
The preset `kannel` of the provider `http` on Kannel itself; `make counterparts` runs it.

`pytest tests/counterparts/kannel_gateway.py`, with Debian's packages kannel and kannel-extras
"""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from tests.counterparts.kannel_processes import PASSWORD, USER, free_ports, gateway
from tests.counterparts.shops import PHONE, Shop, open_shop, phone
from tests.counterparts.suite import TEXTS

TOKEN = "a-token-of-callbacks"


@asynccontextmanager
async def kannel_shop(folder: Path, port: int, password: str = PASSWORD) -> AsyncIterator[Shop]:
    """Yield a shop that hears callbacks, and sends by the sendsms of this port."""
    ours = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{ours.getsockname()[1]}"
    config = {
        "preset": "kannel",
        "url": f"http://127.0.0.1:{port}/cgi-bin/sendsms",
        "username": USER,
        "password": password,
        "callbackToken": TOKEN,
    }
    async with open_shop(folder, "http", config, public_url=url) as shop:
        runner = web.AppRunner(shop.service.http_app())
        await runner.setup()
        await web.SockSite(runner, ours).start()
        try:
            yield shop
        finally:
            await runner.cleanup()


def inbound_url(shop: Shop) -> str:
    """Return the URL that Kannel calls for a person's message, with its escapes."""
    return f"{shop.callback_url}&from=%p&to=%P&text=%b&id=%I"


async def test_a_code_arrives_and_its_report_comes_back(tmp_path: Path) -> None:
    """Kannel calls the URL that came with the message, first that it was sent, then that it was delivered."""
    (sendsms,) = free_ports(1)
    async with (
        kannel_shop(tmp_path, sendsms) as shop,
        gateway(tmp_path, sendsms, inbound_url(shop)) as phones,
    ):
        pin_id = await shop.issue("{{pin}} ^ tea ^ €")
        await shop.pin_delivered(pin_id)
        text = phones.texts[PHONE]
        (code,) = re.findall(r"^(\d+) \^ tea \^ €$", text)
        verified = await shop.service.pins.verify(shop.account, pin_id, code)

        assert "VERIFIED" == verified.status


async def test_texts_of_any_length_arrive_whole(tmp_path: Path) -> None:
    """Kannel cuts the long ones itself, and reports each once."""
    (sendsms,) = free_ports(1)
    async with (
        kannel_shop(tmp_path, sendsms) as shop,
        gateway(tmp_path, sendsms, inbound_url(shop)) as phones,
    ):
        ids = [await shop.send(number, text) for number, text in enumerate(TEXTS.values())]
        await shop.delivered(ids)

        expected = {phone(number): text for number, text in enumerate(TEXTS.values())}
        assert expected == phones.texts


async def test_people_are_heard(tmp_path: Path) -> None:
    """Kannel calls the account's address with each of their messages."""
    (sendsms,) = free_ports(1)
    said = ("447911000001", "Watchword", "Is it ready?")
    async with (
        kannel_shop(tmp_path, sendsms) as shop,
        gateway(tmp_path, sendsms, inbound_url(shop), said),
    ):
        await shop.heard([("447911000001", "Is it ready?")])


async def test_a_wrong_password_and_no_gateway_refuse(tmp_path: Path) -> None:
    """Kannel certainly did not take the message."""
    (sendsms,) = free_ports(1)
    async with kannel_shop(tmp_path, sendsms, "wrong") as shop:
        away = await shop.send(0, "Is anybody there?")
        async with gateway(tmp_path, sendsms, inbound_url(shop)) as phones:
            forbidden = await shop.send(1, "Let me in.")

            assert ["rejected", "rejected"] == await shop.statuses([away, forbidden])
            assert {} == phones.texts
