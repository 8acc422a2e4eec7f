"""The pages of channel accounts: lists, forms drawn from settings, and tests as they happen."""

from __future__ import annotations

import json
from asyncio import timeout

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from watchword.domain.accounts.token_role import TokenRole

STORES = ("memory",)
NEW = "/channels/new?provider=http&channelType=sms&account=demo"
GATEWAY = {
    "name": "gateway",
    "config.method": "POST",
    "config.url": "https://gateway.example/send",
    "config.accepted.idPath": "id",
    "config.receipt.idPath": "id",
    "config.receipt.statusPath": "status",
    "config.receipt.statuses": '{"OK": "delivered"}',
    "config.receipt.signature.kind": "query_token",
    "config.auth.bearer": "a-bearer-token",
    "config.accepted.status": "[200, 202]",
    "config.body": '{"to": "{{destination}}", "text": "{{text}}"}',
    "limits.concurrency": "5",
    "limits.ratePerSecond": "2.5",
    "failoverOnUnknown": "true",
    "prices": "44:0.0412:GBP\nothers:0.05:EUR",
}


async def made(console: Visitor, caller: Caller) -> dict[str, object]:
    """Make the gateway by the form, and return its record."""
    page = await console.post(NEW, GATEWAY)
    assert 200 == page.status, page.text
    listed = await caller.operated("GET", "/channel-accounts?account=demo")
    return dict(next(each for each in listed["data"] if each["name"] == "gateway"))


async def test_the_list_shows_each_account_with_its_health(console: Visitor) -> None:
    """Those of the sandbox are there, and enabled."""
    page = await console.get("/channels")

    assert ("Channels", 200) == (page.heading, page.status)
    assert "enabled" in page.text
    assert "SMS" in page.text


async def test_every_provider_can_be_chosen(console: Visitor) -> None:
    """Each of its channels leads to the form."""
    page = await console.get("/channels/new")

    assert any("provider=smtp&channelType=email" in each for each in page.links)
    assert any("provider=http&channelType=sms" in each for each in page.links)


async def test_the_form_has_a_field_for_each_setting(console: Visitor) -> None:
    """It is drawn from what the provider declares."""
    page = await console.get("/channels/new?provider=smtp&channelType=email")
    wanted = {"host", "port", "from", "tls", "username", "password", "caFile"}

    assert {f"config.{each}" for each in wanted} <= {*page.values}
    assert "587 with starttls" in page.text


async def test_a_filled_form_makes_the_account(console: Visitor, caller: Caller) -> None:
    """As the same members over HTTP would."""
    record = await made(console, caller)

    assert {
        "url": "https://gateway.example/send",
        "auth": {"bearer": "***"},
        "accepted": {"status": [200, 202], "idPath": "id"},
        "body": {"to": "{{destination}}", "text": "{{text}}"},
    }.items() <= dict(record["config"]).items()  # type: ignore[call-overload]  # an object of JSON
    assert {"concurrency": 5, "ratePerSecond": 2.5} == record["limits"]
    assert True is record["failoverOnUnknown"]
    assert [("44", "0.0412", "GBP"), ("", "0.05", "EUR")] == [
        (each["prefix"], each["amount"], each["currency"])
        for each in record["prices"]  # type: ignore[attr-defined]  # a list of JSON
    ]


async def test_a_secret_part_of_the_address_is_shown_once(console: Visitor) -> None:
    """The page after the form has it, and the account's page has not."""
    told = await console.post(NEW, GATEWAY)
    (account,) = {each for each in told.links if "/channels/cha_" in each}
    page = await console.get(account.removeprefix("/console"))

    assert "Copy this address now" in told.text
    assert "?t=" in told.text
    assert "?t=" not in page.html
    assert "a-bearer-token" not in told.html + page.html


async def test_what_is_wrong_stands_beside_its_field(console: Visitor) -> None:
    """The form comes back filled, with the same problems as over HTTP."""
    unread = {**GATEWAY, "prices": "44:cheap:GBP\n49", "config.body": "{broken"}
    mistyped = {**GATEWAY, "limits.concurrency": "many", "prices": "44:cheap:GBP"}
    refused = {**GATEWAY, "config.url": "nowhere"}
    pages = [await console.post(NEW, each) for each in (unread, mistyped, refused)]

    assert [400] * 3 == [each.status for each in pages]
    for page, problems in zip(
        pages,
        (
            ("prices line 2: must be PREFIX:AMOUNT:CURRENCY", "config.body"),
            ("limits.concurrency", "prices line 1: amount"),
            ("config.url",),
        ),
        strict=True,
    ):
        assert "gateway" == page.values["name"]
        for each in problems:
            assert each in page.text


async def test_a_secret_that_is_left_as_it_is_stays(console: Visitor, caller: Caller) -> None:
    """An empty field of a secret keeps it; an emptied one that is no secret is removed."""
    record = await made(console, caller)
    path = f"/channels/{record['id']}/edit?account=demo"
    form = await console.get(path)
    fields = {**GATEWAY, "name": "renamed", "config.auth.bearer": "", "config.accepted.status": ""}
    await console.post(path, fields)
    after = await caller.operated("GET", f"/channel-accounts/{record['id']}")

    assert "" == form.values["config.auth.bearer"]
    assert "https://gateway.example/send" == form.values["config.url"]
    assert "renamed" == after["name"]
    assert {"bearer": "***"} == after["config"]["auth"]
    assert {"idPath": "id"} == after["config"]["accepted"]


async def test_a_new_host_wants_the_secrets_anew(console: Visitor, caller: Caller) -> None:
    """As over HTTP: they would go to somebody else (C-66)."""
    record = await made(console, caller)
    moved = {**GATEWAY, "config.url": "https://other.example/send", "config.auth.bearer": ""}
    page = await console.post(f"/channels/{record['id']}/edit?account=demo", moved)

    assert 400 == page.status
    assert "must be given anew" in page.text


async def test_a_secret_can_be_taken_away(console: Visitor, caller: Caller) -> None:
    """By its box."""
    record = await made(console, caller)
    path = f"/channels/{record['id']}/edit?account=demo"
    fields = {**GATEWAY, "config.auth.bearer": "", "remove.config.auth.bearer": "true"}
    await console.post(path, fields)
    after = await caller.operated("GET", f"/channel-accounts/{record['id']}")

    assert "auth" not in after["config"]


async def test_an_account_is_disabled_and_enabled(console: Visitor, caller: Caller) -> None:
    """Its page says which it is."""
    record = await made(console, caller)
    off = await console.post(f"/channels/{record['id']}/disable")
    on = await console.post(f"/channels/{record['id']}/enable")

    assert "Disabled." in off.text
    assert "Enabled." in on.text


async def test_a_test_shows_its_steps(console: Visitor, caller: Caller) -> None:
    """All four, and then the outcome."""
    listed = await caller.operated("GET", "/channel-accounts?account=demo")
    sms = next(each for each in listed["data"] if each["channelType"] == "sms")
    path = f"/channels/{sms['id']}/test"
    page = await console.post(path, {"to": "+447700900005", "waitSeconds": "0"})
    wrong = await console.post(path, {"to": "tea", "waitSeconds": "soon"})

    for each in ("config", "connect", "send", "receipt", "accepted"):
        assert each in page.text
    assert (200, 400) == (page.status, wrong.status)
    assert "no-store" == page.headers["Cache-Control"]
    assert "Content-Security-Policy" in page.headers


async def test_the_steps_of_a_test_come_as_they_happen(console: Visitor, caller: Caller) -> None:
    """The send stands on the page while the test waits for a receipt that never comes."""
    body = {"channelType": "sms", "provider": "sandbox", "name": "silent"}
    made = await caller.operated(
        "POST", "/channel-accounts", {**body, "config": {"outcome": "accepted"}}
    )
    await console.get(f"/channels/{made['id']}")
    url = console.endpoint.make_url(f"/console/channels/{made['id']}/test")
    fields = {"to": "+447700900005", "waitSeconds": "3", "csrf": console.csrf}
    seen = b""
    async with timeout(20), console.session.post(url, data=fields) as response:
        while b"accepted as" not in seen:
            seen += await response.content.readany()

    assert b'class="result"' not in seen


async def test_the_webhook_says_what_is_to_be_done(console: Visitor, caller: Caller) -> None:
    """Without a public address, the page says how there will be one."""
    record = await made(console, caller)
    page = await console.post(f"/channels/{record['id']}/webhook")

    assert 400 == page.status
    assert "--public-url" in page.text


async def test_an_auditor_looks_and_does_not_touch(
    console: Visitor, console_as: ConsoleAs, caller: Caller
) -> None:
    """No form stands on the pages, and none can be posted."""
    record = await made(console, caller)
    visitor = await console_as(TokenRole.AUDITOR)
    one = f"/channels/{record['id']}"
    page = await visitor.get(one)
    acts = (NEW, *(f"{one}/{each}" for each in ("edit", "disable", "enable", "webhook", "test")))

    assert "gateway" == page.heading
    assert [] == [each.action for each in page.forms if "/channels/" in each.action]
    assert [403] * 6 == [(await visitor.post(each, GATEWAY)).status for each in acts]


async def test_an_operator_makes_and_runs_accounts(console_as: ConsoleAs, caller: Caller) -> None:
    """As over HTTP."""
    visitor = await console_as(TokenRole.OPERATOR)
    record = await made(visitor, caller)
    page = await visitor.post(f"/channels/{record['id']}/disable")
    (event, *_) = (await caller.events(str(record["id"])))[::-1]

    assert "Disabled." in page.text
    assert event["actor"].startswith("tok_")


async def test_a_bound_token_sees_its_account_alone(
    console: Visitor, console_as: ConsoleAs, caller: Caller
) -> None:
    """Another account's is 404, as if it were not there."""
    record = await made(console, caller)
    await caller.operated("POST", "/accounts", {"name": "other"})
    visitor = await console_as(TokenRole.ADMIN, "other")
    page = await visitor.get("/channels")
    statuses = [
        (await visitor.get(f"/channels/{record['id']}{each}")).status for each in ("", "/edit")
    ]
    statuses += [
        (await visitor.post(f"/channels/{record['id']}/{each}", {"to": "+447700900005"})).status
        for each in ("edit", "disable", "enable", "webhook", "test")
    ]

    assert "There is no channel account" in page.text
    assert [404] * 7 == statuses


async def test_what_people_write_is_text(console: Visitor, caller: Caller) -> None:
    """Markup in a name or a setting is shown, and does nothing."""
    evil = "<script>alert(1)</script>"
    await console.post(NEW, {**GATEWAY, "name": evil, "sender": evil})
    listed = await caller.operated("GET", "/channel-accounts?account=demo")
    record = next(each for each in listed["data"] if each["name"] == evil)
    for path in ("/channels", f"/channels/{record['id']}", f"/channels/{record['id']}/edit"):
        page = await console.get(path)

        assert evil not in page.html
        assert json.dumps(evil)[1:-1] in page.text or evil in page.text
