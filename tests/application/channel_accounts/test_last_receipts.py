"""The latest receipt of a channel account stands in its health (C-66)."""

from __future__ import annotations

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import RECIPIENT, send
from tests.application.receipts import FAILED, SENT, report, take_receipts
from watchword.application.channel_accounts.last_receipts import LastReceipt
from watchword.application.paging import Paging
from watchword.domain.receipt import ReceiptStatus

NUMBER = RECIPIENT.removeprefix("+")


async def last(house: House, channel_account_id: str) -> LastReceipt:
    """Return the latest receipt in the health of a channel account."""
    health = (await house.service.channel_accounts.get(house.by, channel_account_id)).health
    assert health.last_receipt is not None
    return health.last_receipt


async def test_the_latest_receipt_stands_in_the_health() -> None:
    """Also one for a message that is not known yet; accounts do not mix."""
    house = await build_house()
    accounts = (await house.service.channel_accounts.list(None, Paging(page_size=100))).data
    one, other = accounts[0], accounts[1]
    for status in (SENT, FAILED):
        await house.service.tracking_receipts.track(one.id, report(status, f"their-{status}"))
    quiet = (await house.service.channel_accounts.get(house.by, other.id)).health

    heard = await last(house, one.id)
    assert (ReceiptStatus.FAILED, house.clock.now()) == (heard.status, heard.at)
    assert quiet.last_receipt is None


@pytest.mark.parametrize(
    ("code", "shown"),
    [("gone", "gone"), (f"no_{NUMBER}", "provider_rejected"), ("no such", "provider_rejected")],
)
@pytest.mark.parametrize("kind", ["message", "PIN"])
async def test_its_code_is_the_recorded_one(kind: str, code: str, shown: str) -> None:
    """A code that quotes the number, or is no plain name, reads `provider_rejected` here, too (C-100)."""
    house = await build_house()
    if kind == "PIN":
        await house.issue(destination=RECIPIENT)
    else:
        await send(house)
    (handed,) = house.provider.messages
    await take_receipts(house, handed, report(FAILED, "scripted-1", code))

    assert shown == (await last(house, handed.channel_account_id)).code


async def test_a_code_about_a_message_that_is_not_known_yet_is_left_out() -> None:
    """Nobody can tell whether it quotes a number."""
    house = await build_house()
    await house.issue()
    (handed,) = house.provider.messages
    await take_receipts(house, handed, report(FAILED, "another's", f"no_{NUMBER}"))

    assert (await last(house, handed.channel_account_id)).code is None
