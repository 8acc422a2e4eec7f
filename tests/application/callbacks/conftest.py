"""A house with an endpoint, its callbacks made and delivered when a test says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import frozen

from tests.application.house import House, build_house
from watchword.application.callbacks.views import CallbackView, DeliveryView
from watchword.application.caller import THE_WORKER
from watchword.application.paging import Paging
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.entrypoints.worker import run_due

URL = "https://shop.example/callbacks"


@frozen
class Notified:
    """A house whose account receives callbacks."""

    house: House
    endpoint: CallbackView

    async def work(self) -> None:
        """Do what is due, calls included."""
        await work(self.house)

    async def deliveries(self) -> Sequence[DeliveryView]:
        """Return the deliveries, the oldest first."""
        listed = await self.house.service.callbacks.deliveries(
            THE_WORKER, self.endpoint.id, Paging(page_size=100)
        )
        return list(reversed(listed.data))

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """Return the posted bodies, in order."""
        return [json.loads(each.body) for each in self.house.web.posted]

    @property
    def ids(self) -> list[str]:
        """The ids under which it was posted."""
        return [each.headers["webhook-id"] for each in self.house.web.posted]


async def issue(house: House, count: int) -> None:
    """Issue PINs to different destinations: two events for each of them."""
    for number in range(count):
        wanted = IssueRequest(destination=f"+4477009{number:05}", template_id=house.template_id)
        await house.service.issuing.issue(house.by, wanted, None)


def at_machine_time(house: House) -> None:
    """Set the house to this machine's clock, as the library of Standard Webhooks does."""
    house.clock.move_real((datetime.now(UTC) - house.clock.real()).total_seconds())


async def work(house: House) -> None:
    """Do what is due on a node, calls included."""
    await run_due(house.service.due_work)
    await house.service.callback_tasks.finish()


async def endpoint(house: House, url: str = URL, **options: Any) -> CallbackView:
    """Make an endpoint of the house's account."""
    return await house.service.callbacks.create(house.by, url=url, **options)


@pytest.fixture
async def notified() -> Notified:
    """Return a house with one endpoint, which wants everything."""
    house = await build_house()
    return Notified(house, await endpoint(house))
