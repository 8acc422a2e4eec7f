"""Lists name the owners of records, also in a store with more accounts than can be chosen from."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.visitor import Visitor
from watchword.application.caller import ADMIN
from watchword.application.caller import Caller as By
from watchword.entrypoints.console.visit import MOST_TO_CHOOSE_FROM
from watchword.entrypoints.wired import Wired

# What pages do is the same on every store.
pytestmark = pytest.mark.stores("memory")

ROOT = By("", ADMIN, "req")


@pytest.fixture
async def eldest(caller: Caller, service: Wired) -> str:
    """Make so many accounts that the first one, demo, is not among those to choose from; return its id."""
    await caller.advance(60)
    for number in range(MOST_TO_CHOOSE_FROM):
        await service.accounts.create(ROOT, f"stall-{number}")
    return await service.accounts.resolve(ROOT, "demo")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("", '<span class="muted">demo</span>'),
        ("/access/keys", "<td>demo</td>"),
        ("/channels", "<td>demo</td>"),
        ("/callbacks", "<td>demo</td>"),
        ("/guard?account=demo", "What the account <b>demo</b> refuses"),
    ],
)
async def test_each_owner_has_its_name(
    console: Visitor, caller: Caller, eldest: str, path: str, shown: str
) -> None:
    """Also one that is too old for the chooser."""
    made = {"account": "demo", "url": "https://203.0.114.9/watchword", "events": ["pin.verified"]}
    await caller.operated("POST", "/callbacks", made)
    page = await console.get(path)

    assert (200, True) == (page.status, shown in page.html)
    assert eldest not in page.text
    assert '<option value="demo"' not in page.html
