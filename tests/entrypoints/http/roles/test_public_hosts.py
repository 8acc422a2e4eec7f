"""A bound token names public hosts alone in channel accounts, and no file (C-84, D-488)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.roles.houses import token
from watchword.entrypoints.http.routes.channel_accounts import CHANNEL_ACCOUNT_ROUTES
from watchword.entrypoints.settings import Settings

STORES = ("memory",)
PATH = CHANNEL_ACCOUNT_ROUTES[1].path
FILE = "/etc/ssl/certs/ca-certificates.crt"
HTTP = {
    "method": "POST",
    "url": "https://93.184.216.34/send",
    "body": {"to": "{{destination}}", "text": "{{text}}"},
    "accepted": {"idPath": "id"},
}
SMTP = {"host": "93.184.216.34", "from": "codes@tea.example", "tls": "starttls", "port": 587}
SMPP = {"host": "10.1.2.3", "port": 2775, "systemId": "tea", "password": "oolong"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Return the settings of a service that calls no private addresses for its clients."""
    return evolve(settings, allow_private_urls=False)


def body(provider: str, config: dict[str, Any]) -> dict[str, Any]:
    """Return the body that creates a channel account."""
    channel = "email" if provider == "smtp" else "sms"
    return {"channelType": channel, "provider": provider, "name": "main", "config": config}


@pytest.mark.parametrize(
    ("provider", "config", "wrong"),
    [
        ("http", {**HTTP, "url": "http://127.0.0.1:9/send"}, "config.url"),
        ("http", {**HTTP, "url": "HTTPS://[fd00::1]/send"}, "config.url"),
        ("http", {**HTTP, "url": "https://user@93.184.216.34/send"}, "config.url"),
        ("http", {**HTTP, "url": "https://{{to}}.example/send"}, "config.url"),
        ("http", {**HTTP, "headers": {"Referer": "http://10.0.0.1/"}}, "config.headers.Referer"),
        ("smtp", {**SMTP, "host": "192.168.0.9"}, "config.host"),
        ("smtp", {**SMTP, "host": "::1"}, "config.host"),
        ("smtp", {**SMTP, "host": "localhost"}, "config.host"),
        ("smtp", {**SMTP, "caFile": FILE}, "config.caFile"),
        ("smtp", {**SMTP, "caFile": "/nowhere"}, "config.caFile"),
        ("smpp", SMPP, "config.host"),
        (
            "rcs_business",
            {"serviceAccount": {"token_uri": "http://169.254.169.254/"}},
            "config.serviceAccount.token_uri",
        ),
    ],
)
async def test_what_is_not_public_is_refused(
    caller: Caller, provider: str, config: dict[str, Any], wrong: str
) -> None:
    """The refusal names the setting alone: nothing was looked at on this machine."""
    bound = await token(caller, "admin", account="demo")
    refused = await bound.post(PATH, body(provider, config))
    assert [wrong] == refused.wrong


async def test_public_hosts_are_taken(caller: Caller) -> None:
    """A bound token sets up what the account needs."""
    bound = await token(caller, "operator", account="demo")
    made = await bound.post(PATH, body("http", HTTP))
    assert 201 == made.status, made.body
    assert 201 == (await bound.post(PATH, body("smtp", SMTP))).status


async def test_operators_of_the_store_name_any_host(caller: Caller) -> None:
    """A gateway in the own network, with the own certificates, is theirs to name."""
    unbound = await token(caller, "operator")
    named = {**SMTP, "host": "10.1.2.3", "caFile": FILE}
    assert 201 == (await unbound.post(PATH, {**body("smtp", named), "account": "demo"})).status


async def test_a_change_is_held_to_what_it_changes(caller: Caller) -> None:
    """What an operator of the store has set may stay, and may not be aimed elsewhere in the network."""
    near = {**HTTP, "url": "http://10.1.2.3/send"}
    made = await caller.operated(
        "POST", "/channel-accounts", {"account": "demo", **body("http", near)}
    )
    one = f"{PATH}/{made['id']}"
    bound = await token(caller, "admin", account="demo")

    assert 200 == (await bound.ask("PATCH", one, {"name": "renamed"})).status
    assert 200 == (await bound.ask("PATCH", one, {"config": {"url": near["url"]}})).status
    moved = await bound.ask("PATCH", one, {"config": {"url": "http://10.1.2.4/send"}})
    assert ["config.url"] == moved.wrong
    assert 200 == (await bound.ask("PATCH", one, {"config": {"url": HTTP["url"]}})).status
