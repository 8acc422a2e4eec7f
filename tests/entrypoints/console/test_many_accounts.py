"""With more accounts than anybody chooses from, pages ask for the name of one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.entrypoints.console.visitor import Visitor
from watchword.application.caller import ADMIN, Caller
from watchword.entrypoints.console.visit import MOST_TO_CHOOSE_FROM
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

STORES = ("sqlite",)
ROOT = Caller("", ADMIN, "req")
FIELD = re.compile(r'<(\w+) id="(?:account-chooser|field-account)" name="account"')


@pytest.fixture
def settings(store_url: str, tmp_path: Path) -> Settings:
    """Return the settings of a service without a demo account."""
    return Settings(store=store_url, data_dir=tmp_path)


@pytest.fixture
async def crowded(service: Wired, console: Visitor) -> Visitor:
    """Return a visitor of a service with one account too many for a choice."""
    for number in range(MOST_TO_CHOOSE_FROM + 1):
        await service.accounts.create(ROOT, f"shop-{number}")
    return console


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("", 1),
        ("/access/keys/new", 2),
        ("/callbacks/new", 2),
        ("/channels/new?provider=smtp&channelType=email", 2),
        ("/guard", 2),
        ("/templates/pin/new", 2),
    ],
)
async def test_whoever_has_many_accounts_names_one(
    crowded: Visitor, path: str, fields: int
) -> None:
    """No list leaves out an account: the chooser and each form take a name or an id."""
    shown = await crowded.get(path)

    assert shown.status == 200
    assert ["input"] * fields == FIELD.findall(shown.html)


async def test_the_chooser_says_which_of_many_accounts_the_page_is_about(crowded: Visitor) -> None:
    """The account of the address stands in the field, also the oldest one; an unknown name is 404."""
    shown = await crowded.get("/verifications?account=shop-0")

    assert 'name="account" value="shop-0"' in shown.html
    assert (await crowded.get("/verifications?account=nobody")).status == 404
