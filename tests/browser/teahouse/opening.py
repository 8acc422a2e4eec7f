"""Opens the tea house: a sandbox with thirty days behind it, and another account beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from attrs import frozen

from tests.browser.served import Served, served
from tests.browser.teahouse.days import DAYS, Days
from tests.browser.teahouse.receiver import receiver
from tests.browser.teahouse.settings import set_up
from watchword.application.ports.clock import CLOCK_OFFSET


@frozen
class TeaHouse:
    """The service of the tea house, and the API key of its account."""

    service: Served
    key: str


@contextmanager
def tea_house(folder: Path) -> Iterator[TeaHouse]:
    """Serve the tea house for a block, once its days went by."""
    with served(folder, sandbox=False):
        pass
    # A sandbox's clock only moves on, so it begins in the past and ends at the present.
    with closing(sqlite3.connect(folder / "data/watchword.db", isolation_level=None)) as store:
        store.execute("INSERT INTO settings VALUES (?, ?)", (CLOCK_OFFSET, str(-DAYS * 86_400.0)))
    flags = ("--allow-private-urls", "--trusted-proxy", "127.0.0.1/32")
    with receiver() as address, served(folder, *flags) as service:
        key = set_up(service, address)
        Days(service, key).pass_by()
        service.admin.post("/admin/v1/log/seal")
        yield TeaHouse(service, key)
