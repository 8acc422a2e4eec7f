"""The legacy platform's front: logins, tokens, ratings and the form of its answers (SPEC 4 E, C-41)."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE, Serving, listening
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.app import Exposure
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.entrypoints.wired import Wired

STORES = EVERY_STORE
LOGIN, RATING = "/account/enterprise/login", "/whatsapp/chat/feedback"
USERS = "/legacy-users"
ASHA: dict[str, Any] = {"email": "asha@tea.example", "password": "first flush"}
RATED = {"chatId": "chat-7", "phone": "+919812345610", "rating": "5"}
HOUR, DAY = 3_600, 86_400


def told(reply: Reply) -> int:
    """Return the response code of an answer, which is always HTTP 200."""
    assert 200 == reply.status
    assert reply.headers["X-Request-Id"]
    assert reply.json.keys() <= {"responseCode", "message", "data"}
    assert reply.json["message"]
    return int(reply.json["responseCode"])


async def log_in(caller: Caller, **more: Any) -> Reply:
    """E1."""
    return await caller.using(None).post(LOGIN, {**ASHA, **more})


async def token_of(caller: Caller, **more: Any) -> str:
    """Call E1 with success, and return the token."""
    reply = await log_in(caller, **more)
    assert 100 == told(reply), reply.body
    return str(reply.json["data"]["token"])


async def rate(caller: Caller, token: str | None, **more: Any) -> Reply:
    """E3."""
    headers = {} if token is None else {"authentication-token": token}
    return await caller.using(None).post(RATING, {**RATED, **more}, headers=headers)


async def test_a_user_is_created_once_and_never_shows_a_password(caller: Caller) -> None:
    """201, then 409 for the same e-mail in another account; neither list nor log has the password."""
    await caller.operated("POST", "/accounts", {"name": "orchid"})
    made = await caller.operate("POST", USERS, ASHA)
    again = await caller.operate(
        "POST", USERS, {**ASHA, "account": "orchid", "email": " ASHA@Tea.example"}
    )

    assert 201 == made.status
    assert {"id", "accountId", "email", "createdAt", "removedAt"} == made.json.keys()
    assert (409, "duplicate_name") == again.refusal
    assert [made.json] == (await caller.operated("GET", USERS))["data"]
    assert 0 == (await caller.operated("GET", f"{USERS}?account=orchid"))["total"]
    (event,) = await caller.events(made.json["id"])
    assert {"email": ASHA["email"], "passwordHash": "***"} == {
        name: event["data"][name] for name in ("email", "passwordHash")
    }
    masked = await caller.operated("GET", f"/streams/{made.json['id']}/events?mask=true")
    assert ASHA["email"] not in str(masked)


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"email": "asha"}, ["email"]),
        ({"email": None, "password": ""}, ["email", "password"]),
        ({"email": "x", "password": ""}, ["email", "password"]),
        ({"password": "x" * 1_001}, ["password"]),
    ],
)
async def test_what_is_wrong_with_a_user_is_named(
    caller: Caller, wrong: dict[str, Any], fields: list[str]
) -> None:
    """All at once."""
    assert fields == sorted((await caller.operate("POST", USERS, {**ASHA, **wrong})).wrong)


async def test_a_life_of_a_token(caller: Caller) -> None:
    """At 59:59 a use is good for another hour, at 60:01 it is over; one without end works for good."""
    await caller.operated("POST", USERS, ASHA)
    first = await log_in(caller)
    data = first.json["data"]
    for_good = await log_in(caller, neverExpire=True)
    assert {"token", "expiresAt"} == data.keys()
    assert for_good.json["data"]["expiresAt"] is None

    for _ in range(2):
        await caller.advance(HOUR - 1)
        assert 100 == told(await rate(caller, data["token"]))
    await caller.advance(HOUR + 1)
    assert 102 == told(await rate(caller, data["token"]))
    await caller.advance(30 * DAY)
    assert 100 == told(await rate(caller, for_good.json["data"]["token"]))


async def test_wrong_logins(caller: Caller) -> None:
    """Unknown e-mail and wrong password read the same, and so does a right one after five wrong."""
    await caller.operated("POST", USERS, ASHA)
    wrong = [await log_in(caller, password="second flush") for _ in range(5)]
    unknown = await log_in(caller, email="nobody@tea.example")
    throttled = await log_in(caller)

    assert 101 == told(wrong[0])
    assert {wrong[0].body} == {each.body for each in (*wrong, unknown, throttled)}
    await caller.advance(15 * 60)
    assert 100 == told(await log_in(caller))


async def test_a_token_can_be_taken_back(caller: Caller) -> None:
    """With all others of its user, or with the user."""
    user = (await caller.operated("POST", USERS, ASHA))["id"]
    token = await token_of(caller)
    assert 200 == (await caller.operate("DELETE", f"{USERS}/{user}/tokens")).status
    assert 102 == told(await rate(caller, token))
    token = await token_of(caller)
    removed = await caller.operated("DELETE", f"{USERS}/{user}")
    assert removed["removedAt"] is not None
    assert 102 == told(await rate(caller, token))
    assert 101 == told(await log_in(caller))
    assert 0 == (await caller.operated("GET", USERS))["total"]
    for path in ("lgu_0", "tpl_demo"):
        refusal = (await caller.operate("DELETE", f"{USERS}/{path}")).refusal
        assert (404, "legacy_user_not_found") == refusal


async def test_a_rating_is_on_record(caller: Caller) -> None:
    """Under the user's account and name, with the number masked on request."""
    user = await caller.operated("POST", USERS, ASHA)
    reply = await rate(caller, await token_of(caller))
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    (rated,) = [each for each in log if each["type"] == "ChatRated"]

    assert {"responseCode": 100, "message": "Success"} == reply.json
    person_id = rated["person"]
    assert person_id.startswith("per_")
    assert {**RATED, "accountId": user["accountId"], "personId": person_id} == rated["data"]
    assert (user["id"], reply.headers["X-Request-Id"]) == (rated["actor"], rated["requestId"])


@pytest.mark.parametrize("wrong", [{"chatId": ""}, {"phone": 1}, {"rating": None}])
async def test_what_is_wrong_with_a_rating_is_named(caller: Caller, wrong: dict[str, Any]) -> None:
    """103, with the field in `data`; the token is looked at first."""
    await caller.operated("POST", USERS, ASHA)
    reply = await rate(caller, await token_of(caller), **wrong)

    assert 103 == told(reply)
    assert [*wrong] == [each["field"] for each in reply.json["data"]["fields"]]
    assert 102 == told(await rate(caller, None, **wrong))


async def test_whatever_is_wrong_with_a_request_is_103(caller: Caller) -> None:
    """Method, type, size and syntax, each with HTTP 200 (D-99)."""
    got = await caller.get(LOGIN)
    assert "POST" == got.headers["Allow"]
    for reply in (
        got,
        await caller.post(LOGIN, data=b"email=asha", headers={"Content-Type": "text/plain"}),
        await caller.post(LOGIN, data=b" " * (2**20 + 1)),
        await caller.post(LOGIN, data=b"{"),
        await caller.post(LOGIN, {}),
        await caller.post(LOGIN, {**ASHA, "neverExpire": "yes"}),
        await caller.post(LOGIN, ASHA, headers={"Expect": "tea"}),
    ):
        assert 103 == told(reply)
        assert "WWW-Authenticate" not in reply.headers


async def test_an_unknown_path_is_no_legacy_one(caller: Caller) -> None:
    """It answers 404 in the form of C-18."""
    for path in ("/account/enterprise", "/svc/api/message", f"{LOGIN}/more"):
        assert (404, "not_found") == (await caller.post(path, {})).refusal


@pytest.mark.parametrize("proxied", [False, True], ids=["direct", "proxied"])
@pytest.mark.stores("memory", "postgresql")
async def test_five_wrong_logins_lock_their_client_out(service: Wired, *, proxied: bool) -> None:
    """The peer's address, or the one that a trusted proxy forwards for, of IPv6 the whole /64 (C-97)."""
    trusted = (ip_network("127.0.0.1"),) if proxied else ()
    exposure = Exposure(admin_token=SANDBOX_ADMIN_TOKEN, trusted_proxies=trusted)
    async with listening(service, exposure) as caller:
        await caller.operated("POST", USERS, ASHA)

        async def code(client: str, **more: Any) -> int:
            headers = {"X-Forwarded-For": client}
            reply = await caller.using(None).post(LOGIN, {**ASHA, **more}, headers=headers)
            return told(reply)

        for number in range(5):
            assert 101 == await code(f"2001:db8::{number}", password="second flush")

        answers = [await code(client) for client in ("2001:db8::9", "2001:db8:0:1::9")]

    # The header of an untrusted client is ignored.
    assert [101, 100 if proxied else 101] == answers


@pytest.mark.stores("sqlite", "postgresql")
async def test_tokens_and_wrong_logins_outlive_the_process(serving: Serving) -> None:
    """Other nodes of the store know them too."""
    async with serving() as caller:
        await caller.operated("POST", USERS, ASHA)
        await caller.operated("POST", USERS, {**ASHA, "email": "ravi@tea.example"})
        token = await token_of(caller, email="ravi@tea.example")
        for _ in range(5):
            await log_in(caller, password="second flush")
    async with serving() as caller:
        assert 100 == told(await rate(caller, token))
        assert 101 == told(await log_in(caller))


@pytest.mark.stores("memory")
async def test_argon2_guards_the_passwords(settings: Settings) -> None:
    """Right, wrong and unknown passwords are distinguished, as `watchword serve` does it."""
    async with wired(settings) as service, listening(service) as caller:
        await caller.operated("POST", USERS, ASHA)
        assert 100 == told(await log_in(caller))
        assert 101 == told(await log_in(caller, password="First flush"))
        assert 101 == told(await log_in(caller, email="nobody@tea.example"))
