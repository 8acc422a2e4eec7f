"""Channel accounts over HTTP: the record, its changes, and the list of providers (C-35, C-66, C-99)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving, listening
from tests.entrypoints.messaging.sends import SMS as ENTRY
from tests.fakes.providers import ScriptedProvider
from watchword.application import journal
from watchword.application.ports.channels import Accepted, Message, Setting, SettingKind
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings

SMS: dict[str, Any] = {"channelType": "sms", "provider": "sandbox", "name": "sms"}
EMAIL = {**SMS, "channelType": "email"}
SETTINGS: dict[str, Any] = {
    "sender": "Orchid",
    "config": {"outcome": "delivered"},
    "limits": {"concurrency": 4, "ratePerSecond": 2.5, "timeoutSeconds": 5},
    "failoverOnUnknown": False,
    "prices": [{"prefix": "44", "amount": "0.0412", "currency": "GBP"}],
}
PLAIN: dict[str, Any] = {
    "sender": None,
    "config": {},
    "limits": {},
    "failover": [],
    "failoverOnUnknown": None,
    "prices": [],
    "enabled": True,
    "callbackUrl": None,
    "health": {"breaker": "closed", "inFlight": 0},
}
NO_PRICE = {"prefix": "x", "amount": "x", "currency": "x"}


class Gateway(ScriptedProvider):
    """A provider of SMS with a secret address for its posts; it makes the token itself."""

    channels = ("sms",)
    settings = (
        Setting(name="region", kind=SettingKind.CHOICE, choices=("eu", "us"), secret=False),
        Setting(name="token", required=True, help="Made by the provider."),
    )

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Mapping[str, Any]] = []

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted:
        """Accept the message."""
        self.given.append(config)
        return Accepted(f"gateway-{len(self.given)}")

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Make a token unless there is one."""
        return {"token": "made-by-us", **config}

    def callback_query(self, config: Mapping[str, Any]) -> str:
        """Return the token."""
        return f"t={config['token']}"


async def create(caller: Caller, **more: Any) -> dict[str, Any]:
    """Create an SMS account in the sandbox."""
    made: dict[str, Any] = await caller.operated("POST", "/channel-accounts", {**SMS, **more})
    return made


async def update(caller: Caller, made: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """Change an account with success."""
    after: dict[str, Any] = await caller.operated(
        "PATCH", f"/channel-accounts/{made['id']}", changes
    )
    return after


@pytest.mark.stores(*EVERY_STORE)
async def test_the_record_has_all_settings(caller: Caller) -> None:
    """It is the same in the answer to the create, alone and in the list (C-66)."""
    second = await create(caller, name="second")
    reply = await caller.operate(
        "POST", "/channel-accounts", {**SMS, **SETTINGS, "failover": [second["id"]]}
    )
    made = reply.json

    assert 201 == reply.status
    assert {
        **PLAIN,
        **SMS,
        **SETTINGS,
        "id": made["id"],
        "account": made["accountId"],
        "accountId": second["accountId"],
        "failover": [second["id"]],
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
    } == made
    assert PLAIN == {name: second[name] for name in PLAIN}
    assert made == (await caller.operated("GET", "/channel-accounts"))["data"][0]
    assert made == await caller.operated("GET", f"/channel-accounts/{made['id']}")


async def test_the_callbacks_address_is_public(serving: Serving) -> None:
    """It is under the public URL; a secret in it is told by the create alone, and not by a list."""
    url = "https://pins.example.com"
    async with serving(public_url=url, providers={"gateway": Gateway()}) as caller:
        made = await create(caller, provider="gateway")
        renamed = await update(caller, made, name="renamed")
        listed = (await caller.operated("GET", "/channel-accounts"))["data"][0]
        renewed = await update(caller, made, config={"token": "given-by-operator"})

    address = f"{url}/callbacks/{made['id']}"
    assert f"{address}?t=made-by-us" == made["callbackUrl"]
    assert [address, address] == [renamed["callbackUrl"], listed["callbackUrl"]]
    assert f"{address}?t=given-by-operator" == renewed["callbackUrl"]
    assert {"token": "***"} == made["config"] == listed["config"]


async def test_a_secret_address_is_told_without_a_public_url(serving: Serving) -> None:
    """Nobody could read the token later, so the path is told with it."""
    async with serving(providers={"gateway": Gateway()}) as caller:
        made = await create(caller, provider="gateway")
        shown = await caller.operated("GET", f"/channel-accounts/{made['id']}")

    assert f"/callbacks/{made['id']}?t=made-by-us" == made["callbackUrl"]
    assert shown["callbackUrl"] is None


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"limits": {"concurrency": 0}}, ["limits.concurrency"]),
        ({"limits": {"concurrency": 1.5}}, ["limits.concurrency"]),
        ({"limits": {"ratePerSecond": 0}}, ["limits.ratePerSecond"]),
        ({"limits": {"ratePerSecond": 10**400}}, ["limits.ratePerSecond"]),
        ({"limits": {"timeoutSeconds": 21}}, ["limits.timeoutSeconds"]),
        ({"limits": []}, ["limits"]),
        ({"failover": "cha_1"}, ["failover"]),
        ({"failover": ["cha_1"]}, ["failover[0]"]),
        ({"failover": [1]}, ["failover[0]"]),
        ({"failoverOnUnknown": "no"}, ["failoverOnUnknown"]),
        ({"prices": [NO_PRICE]}, [f"prices[0].{each}" for each in sorted(NO_PRICE)]),
        ({"prices": 2 * SETTINGS["prices"]}, ["prices[1].prefix"]),
        ({"name": ""}, ["name"]),
        ({"sender": "a\nb"}, ["sender"]),
        ({"config": {"tea": 1}}, ["config.tea"]),
    ],
)
async def test_wrong_settings_are_named_by_their_paths(
    caller: Caller, wrong: dict[str, Any], fields: list[str]
) -> None:
    """A create and a change are refused alike, and nothing is recorded."""
    made = await create(caller)
    before = await caller.recorded()
    creating = await caller.operate("POST", "/channel-accounts", {**SMS, **wrong})
    changing = await caller.operate("PATCH", f"/channel-accounts/{made['id']}", wrong)

    assert fields == sorted(creating.wrong)
    assert fields == sorted(changing.wrong)
    assert before == await caller.recorded()


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"name": None}, ["name"]),
        ({"config": None}, ["config"]),
        ({"provider": "smtp"}, ["provider"]),
        ({"channelType": "email"}, ["channelType"]),
    ],
)
async def test_some_settings_stay(caller: Caller, wrong: Any, fields: list[str]) -> None:
    """Name and config cannot be removed; provider and channel cannot be changed."""
    made = await create(caller)

    assert fields == (await caller.operate("PATCH", f"/channel-accounts/{made['id']}", wrong)).wrong


async def test_a_change_leaves_the_rest(caller: Caller) -> None:
    """Config and limits are merged by member, null removes one, and the history has each change."""
    made = await create(caller, **SETTINGS)
    limited = await update(caller, made, limits={"concurrency": 8, "ratePerSecond": None})
    mirrored = await update(caller, made, config={"mirror": "udp://127.0.0.1:9999"})
    cleared = await update(
        caller,
        made,
        sender=None,
        limits=None,
        prices=None,
        failover=None,
        failoverOnUnknown=None,
        config={"outcome": None, "mirror": None},
    )

    assert {"concurrency": 8, "timeoutSeconds": 5.0} == limited["limits"]
    assert SETTINGS["prices"] == limited["prices"]
    assert {"outcome": "delivered", "mirror": "udp://127.0.0.1:9999"} == mirrored["config"]
    assert PLAIN == {name: cleared[name] for name in PLAIN}
    assert [
        "ChannelAccountCreated",
        *["ChannelAccountRevised"] * 3,
    ] == await caller.story(made["id"])


async def test_what_was_read_can_be_sent_back(serving: Serving) -> None:
    """The whole record, masks included, is a change of nothing, and nothing is recorded."""
    async with serving(providers={"gateway": Gateway()}) as caller:
        made = await create(caller, provider="gateway")
        shown = await caller.operated("GET", f"/channel-accounts/{made['id']}")
        after = await update(caller, made, **shown)

        assert shown == after
        assert ["ChannelAccountCreated"] == await caller.story(made["id"])


async def test_an_account_is_disabled_and_enabled(caller: Caller) -> None:
    """Both say so once in the history."""
    made = await create(caller)
    path = f"/channel-accounts/{made['id']}"
    answers = [
        await caller.operated("POST", f"{path}/{lever}")
        for lever in ("enable", "disable", "disable", "enable")
    ]

    assert [True, False, False, True] == [each["enabled"] for each in answers]
    assert [
        "ChannelAccountCreated",
        "ChannelAccountDisabled",
        "ChannelAccountEnabled",
    ] == await caller.story(made["id"])


async def test_a_send_passes_a_disabled_account_over(caller: Caller) -> None:
    """From the next send on, another account with the sender takes it; nothing is remembered (D-250)."""
    first = await create(caller, sender="TEAHOUSE", config={"outcome": "rejected"})
    await create(caller, sender="TEAHOUSE")
    entry = {**ENTRY, "sender": "TEAHOUSE"}
    (before,) = (await caller.sent(sms=[entry]))["data"]
    await caller.operated("POST", f"/channel-accounts/{first['id']}/disable")
    (after,) = (await caller.sent(sms=[entry]))["data"]

    assert "rejected" == before["status"]
    assert "rejected" != after["status"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("PATCH", "", {"name": "tea"}),
        ("POST", "/enable", None),
        ("POST", "/disable", None),
    ],
)
@pytest.mark.parametrize("unknown", ["cha_1", "tpl_demo"])
async def test_an_unknown_id_is_404(
    caller: Caller, method: str, path: str, body: Any, unknown: str
) -> None:
    """So is the id of another kind of record."""
    reply = await caller.operate(method, f"/channel-accounts/{unknown}{path}", body)

    assert (404, "channel_account_not_found") == reply.refusal


@pytest.mark.stores("postgresql")
async def test_another_node_sends_with_the_change(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once its second is over, a node sends with the new config and the new secrets, and never mixes them."""
    monkeypatch.setattr(journal, "RECENT_SECONDS", 0.0)
    gateway = Gateway()
    entry = {**ENTRY, "sender": "TEAHOUSE"}
    old, new = {"region": "eu", "token": "first"}, {"region": "us", "token": "second"}
    async with (
        wired(settings, providers={"gateway": Gateway()}) as one,
        wired(settings, providers={"gateway": gateway}) as other,
        listening(one) as operator,
        listening(other) as caller,
    ):
        made = await create(operator, provider="gateway", sender="TEAHOUSE", config=old)
        await caller.sent(sms=[entry])
        await update(operator, made, config=new)
        await caller.sent(sms=[entry])
        await operator.operated("POST", f"/channel-accounts/{made['id']}/disable")
        shown = await caller.operated("GET", f"/channel-accounts/{made['id']}")

        assert 0 == (await other.reading_log.check()).total

    assert [old, new] == gateway.given
    assert not shown["enabled"]


async def test_a_provider_serves_its_own_channels(serving: Serving) -> None:
    """Another channel is 400 with its path (C-63)."""
    async with serving(providers={"gateway": Gateway()}) as caller:
        body = {**EMAIL, "provider": "gateway"}
        reply = await caller.operate("POST", "/channel-accounts", body)

    assert ["channelType"] == reply.wrong


async def test_providers_say_what_they_ask_for(serving: Serving) -> None:
    """Plugins stand beside the service's own; only a choice has choices."""
    async with serving(providers={"gateway": Gateway()}) as caller:
        listed = (await caller.operated("GET", "/providers"))["data"]
    (gateway,) = [each for each in listed if each["name"] == "gateway"]
    (sandbox,) = [each for each in listed if each["name"] == "sandbox"]

    assert {
        "name": "gateway",
        "channels": ["sms"],
        "settings": [
            {
                "name": "region",
                "kind": "choice",
                "required": False,
                "secret": False,
                "choices": ["eu", "us"],
                "help": "",
            },
            {
                "name": "token",
                "kind": "text",
                "required": True,
                "secret": True,
                "help": "Made by the provider.",
            },
        ],
    } == gateway
    assert {"sms", "whatsapp", "rcs", "email"} <= set(sandbox["channels"])
    assert ["outcome", "mirror"] == [each["name"] for each in sandbox["settings"]]


async def test_failover_is_of_the_same_account_and_channel(caller: Caller) -> None:
    """An unknown account, another customer's and one for another channel have the same problem."""
    mail = await caller.operated("POST", "/channel-accounts", EMAIL)
    await caller.neighbour()
    (theirs,) = (await caller.operated("GET", "/channel-accounts?account=neighbour"))["data"]
    made = await create(caller)
    problems = []
    for each in ("cha_1", mail["id"], theirs["id"]):
        reply = await caller.operate(
            "PATCH", f"/channel-accounts/{made['id']}", {"failover": [each]}
        )
        problems += reply.error["details"]["fields"]

    assert 3 * [problems[0]] == problems
    assert "failover[0]" == problems[0]["field"]


@pytest.mark.stores(*EVERY_STORE)
async def test_no_chain_and_no_circle(caller: Caller) -> None:
    """An account that is a failover has none; its own is freed when the other lets it go (C-66)."""
    first, second, third = [await create(caller, name=each) for each in ("a", "b", "c")]
    path = "/channel-accounts"
    own = await caller.operate("PATCH", f"{path}/{first['id']}", {"failover": [first["id"]]})
    await update(caller, first, failover=[second["id"]])
    circle = await caller.operate("PATCH", f"{path}/{second['id']}", {"failover": [first["id"]]})
    chain = await caller.operate("PATCH", f"{path}/{second['id']}", {"failover": [third["id"]]})
    before = await caller.operate("PATCH", f"{path}/{third['id']}", {"failover": [first["id"]]})
    new = await caller.operate("POST", path, {**SMS, "failover": [first["id"]]})
    await update(caller, first, failover=[])
    freed = await update(caller, second, failover=[third["id"]])

    assert 5 * [["failover[0]"]] == [each.wrong for each in (own, circle, chain, before, new)]
    assert [third["id"]] == freed["failover"]
