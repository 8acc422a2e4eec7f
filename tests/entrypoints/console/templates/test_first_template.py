"""The first PIN template of a service that is no sandbox."""

from pathlib import Path

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.templates.filling import NEW, fields
from tests.entrypoints.console.visitor import Visitor
from watchword.entrypoints.settings import Settings

STORES = ("sqlite",)


@pytest.fixture
def settings(store_url: str, tmp_path: Path) -> Settings:
    """Return the settings of a service without a demo account."""
    return Settings(store=store_url, data_dir=tmp_path)


async def test_an_empty_store_says_what_to_do_first(console: Visitor, caller: Caller) -> None:
    """Empty lists say how to make a template, and the form how to make an account if there is none."""
    assert "Write the first one" in (await console.get("/templates")).text
    assert "POST /rcs/templates" in (await console.get("/templates/rcs")).text
    assert "POST /wa/templates" in (await console.get("/templates/whatsapp")).text
    assert "watchword accounts create acme" in (await console.get(NEW)).text
    assert (await console.post(NEW, fields())).status == 400
    await caller.operated("POST", "/accounts", {"name": "acme"})
    asked = await console.get(NEW)
    assert [(each.method, each.names) for each in asked.forms if "account" in each.names] == [
        ("get", ("account",))
    ]


async def test_an_account_without_channels_says_what_is_missing(
    console: Visitor, caller: Caller
) -> None:
    """A template needs a channel account; the API's sentence stands beside the field that names one."""
    await caller.operated("POST", "/accounts", {"name": "acme"})
    refused = await console.post(f"{NEW}?account=acme", fields())
    assert refused.status == 400
    assert "the account has none for sms; create a channel account first" in refused.text
