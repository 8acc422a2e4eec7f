"""The guard at the routes of PINs: the context of a create, and the refusals (C-76, C-77, C-102)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import DESTINATION, UNHURRIED, Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE
IP = "203.0.113.9"
OFF: dict[str, Any] = {"mode": "off"}
QUIET: dict[str, Any] = {
    "numbers": OFF,
    "guesses": {"mode": "off", "limit": "50/1d"},
    "unverified": dict.fromkeys(("country", "prefix", "ip"), OFF),
}


async def put(caller: Caller, **rules: Any) -> None:
    """Replace the guard policy of the caller's account: what is not given is off."""
    unverified = {**QUIET["unverified"], **rules.pop("unverified", {})}
    body = {**QUIET, **rules, "unverified": unverified}
    reply = await caller.operated("PUT", "/guard?account=demo", body)
    assert reply["unverified"]["prefix"]["mode"] == unverified["prefix"]["mode"]


def enforced(limit: str) -> dict[str, str]:
    """Return a limit that refuses."""
    return {"mode": "enforce", "limit": limit}


@pytest.mark.parametrize(
    ("context", "wrong"),
    [
        ("203.0.113.9", "context"),
        ([], "context"),
        ({"ip": 7}, "context.ip"),
        ({"ip": ""}, "context.ip"),
        ({"ip": "203.0.113"}, "context.ip"),
        ({"ip": "203.0.113.9:443"}, "context.ip"),
        ({"ip": "203.0.113.09"}, "context.ip"),
        ({"ip": "fe80::1%eth0"}, "context.ip"),
        ({"ip": "2001:db8::" + "0" * 60}, "context.ip"),
        ({"ip": IP, "userAgent": 7}, "context.userAgent"),
        ({"userAgent": ""}, "context.userAgent"),
        ({"userAgent": "x" * 1_025}, "context.userAgent"),
        ({"userAgent": "Mozilla\r\nX: y"}, "context.userAgent"),
    ],
)
@pytest.mark.stores("memory")
async def test_a_wrong_context_is_400_by_its_path(caller: Caller, context: Any, wrong: str) -> None:
    """Its IP is an IPv4 or IPv6 address, its user agent one line of at most 1,024 characters (C-76)."""
    assert [wrong] == (await caller.create(context=context)).wrong


@pytest.mark.parametrize(
    "context",
    [
        None,
        {},
        {"ip": None, "userAgent": None},
        {"ip": IP},
        {"ip": "2001:DB8::7", "userAgent": "Mozilla/5.0", "locale": "en"},
    ],
)
@pytest.mark.stores("memory")
async def test_a_context_and_its_members_are_optional(caller: Caller, context: Any) -> None:
    """And unknown members are ignored, as in all bodies (C-9)."""
    assert 201 == (await caller.create(context=context)).status


async def test_of_a_context_only_hmacs_are_kept(caller: Caller) -> None:
    """Histories show them as personal; neither the IP nor the user agent is anywhere (C-76)."""
    made = await caller.create(context={"ip": IP, "userAgent": "Mozilla/5.0 (Tea)"})
    (issued, _) = await caller.events(made.json["pinId"])

    kept = [issued["data"][each] for each in ("contextIp", "contextUserAgent")]
    assert 2 == len({*kept})
    assert all(set(each) <= {*"0123456789abcdef"} for each in kept)


async def test_the_context_belongs_to_the_body_of_a_key(caller: Caller) -> None:
    """The same Idempotency-Key with another context is another request (C-10)."""
    first = await caller.create(once="tea", context={"ip": IP})
    again = await caller.create(once="tea", context={"ip": IP})
    other = await caller.create(once="tea", context={"ip": "203.0.113.10"})

    assert first.body == again.body
    assert (422, "idempotency_key_reuse") == other.refusal


async def test_a_reached_budget_is_429_with_its_rule(caller: Caller) -> None:
    """With Retry-After, and without a word about what is allowed (C-77)."""
    await put(caller, unverified={"ip": enforced("1/1h")})
    await caller.created(context={"ip": IP})
    refused = await caller.create("+447700900123", context={"ip": IP})

    assert (429, "rate_limited") == refused.refusal
    assert "unverified.ip" == refused.error["details"]["rule"]
    assert {"rule", "retryAfterSeconds"} == refused.error["details"].keys()
    wait = refused.error["details"]["retryAfterSeconds"]
    assert str(wait) == refused.headers["Retry-After"]
    assert 3_600 - 60 <= wait <= 3_600 + 61
    assert "1/1h" not in refused.error["message"]
    assert [] == await caller.codes("+447700900123")


async def test_who_waits_as_told_is_served(caller: Caller) -> None:
    """Retry-After includes the sixtieth by which a rule may count longer (C-102)."""
    await put(caller, unverified={"prefix": enforced("1/1h")})
    await caller.created()
    refused = await caller.create()

    await caller.advance(refused.error["details"]["retryAfterSeconds"])

    assert 201 == (await caller.create()).status


async def test_a_country_that_is_refused_is_403(caller: Caller) -> None:
    """On create and on resend, with the rule and nothing else; the key of a known answer goes first."""
    made = await caller.create(once="tea")
    await put(caller, countries={"mode": "enforce", "allow": ["GB"]})
    refused = await caller.create()

    assert (403, "destination_not_allowed") == refused.refusal
    assert {"rule": "countries"} == refused.error["details"]
    assert (403, "destination_not_allowed") == (await caller.resend(made.json["pinId"])).refusal
    assert made.body == (await caller.create(once="tea")).body


async def test_a_number_that_cannot_exist_is_403(caller: Caller) -> None:
    """After the destination's form, which is 400, and the template's parameters (C-102)."""
    await put(caller, numbers={"mode": "enforce"})
    impossible = "+447700900123456"
    refused = await caller.create(impossible)

    assert (403, "destination_not_allowed") == refused.refusal
    assert {"rule": "numbers"} == refused.error["details"]
    wrong = await caller.create(impossible, templateParams={"x": "y"})
    assert (400, "validation_failed") == wrong.refusal


async def test_over_the_guesses_no_verdict_is_told(caller: Caller) -> None:
    """To the right code, too: 429 with the rule, and the PIN keeps its attempts (C-77)."""
    await put(caller, guesses=enforced("2/1d"))
    first = await caller.with_template(**UNHURRIED, pinAttempts=1)
    second = await caller.with_template(**UNHURRIED, pinAttempts=1)
    waiting = await second.created()
    code = await second.code()
    pin = await first.created()
    for status in (422, 409):
        assert status == (await first.verify(pin, "wrong")).status

    for typed in ("wrong", code):
        refused = await second.verify(waiting, typed)
        assert (429, "rate_limited") == refused.refusal
        assert "guesses" == refused.error["details"]["rule"]
        assert "Retry-After" in refused.headers
    assert 1 == (await caller.get(f"/v1/pins/{waiting}")).json["attemptsRemaining"]
    assert "guesses" == (await first.create()).error["details"]["rule"]


async def test_a_refused_send_can_be_tried_again_under_its_key(caller: Caller) -> None:
    """A refusal is no answer that is saved (C-10)."""
    await put(caller, sends={"account": enforced("1/1h")})
    await caller.created()
    assert (429, "rate_limited") == (await caller.create(once="tea")).refusal

    await put(caller)

    assert 201 == (await caller.create(once="tea")).status


async def test_an_email_address_is_in_no_rule_of_numbers(caller: Caller) -> None:
    """It counts by IP, and among all sends (C-76)."""
    await put(
        caller,
        numbers={"mode": "enforce"},
        countries={"mode": "enforce", "allow": ["GB"]},
        unverified={
            "prefix": enforced("1/1h"),
            "country": enforced("1/1d"),
            "ip": enforced("3/1h"),
        },
    )
    mail: dict[str, Any] = {"channels": ["email"], "context": {"ip": IP}}
    for number in range(3):
        assert 201 == (await caller.create(f"asha{number}@tea.example", **mail)).status

    refused = await caller.create("asha3@tea.example", **mail)
    assert "unverified.ip" == refused.error["details"]["rule"]
    assert DESTINATION not in refused.body.decode()
