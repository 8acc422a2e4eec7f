"""A code is on the recipient's phone and nowhere else (C-31, R8 of the reliability anchors)."""

from __future__ import annotations

import asyncio
import base64
import logging
from pathlib import Path

import pytest

from tests.entrypoints.caller import Caller, code_in
from tests.entrypoints.conftest import Serving
from tests.fakes.providers import BlabbingProvider, ScriptedProvider

CANARIES = 100
# Every form has at least these many bytes; half a base64 group at the end is left out.
FORM = 10


def disguises(code: str) -> set[bytes]:
    """Give how the forms begin in which a code could lie about: plain, small, base64, hex."""
    plain = {code.encode(), code.lower().encode()}
    coded = {base64.b64encode(each[start:]) for each in plain for start in range(3)}
    return {each[:FORM] for each in plain | coded | {each.hex().encode() for each in plain}}


def contents(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def forms_in(place: bytes, forms: set[bytes]) -> list[bytes]:
    """Find which of the forms are in a place."""
    pieces = (place[start : start + FORM] for start in range(len(place)))
    return [piece for piece in pieces if piece in forms]


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    """Keep everything in one file, which can be searched."""
    return f"sqlite:///{tmp_path / 'store.db'}"


async def test_a_hundred_canaries_are_found_nowhere(
    serving: Serving, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """
    No code is in the file, its log, the answers, or what is logged at DEBUG.

    Each of 100 codes of ten characters goes through create, wrong guess and right guess; half are
    resent, some meet a provider that fails with the code in the text of its error.
    """
    caplog.set_level(logging.DEBUG)
    phone, blabbing = ScriptedProvider(), BlabbingProvider()
    answers: list[bytes] = []
    strict = {"pinType": "alphanumeric", "pinLength": 10, "resendCooldown": "0s"}
    async with serving(providers={"phone": phone, "blabbing": blabbing}) as caller:
        sms = await caller.channel("sms", {}, "phone")
        email = await caller.channel("email", {}, "blabbing")
        tea = await caller.with_template(sms, email, verifyPinLimit="9/s", **strict)

        async def through_its_life(number: int) -> None:
            answers.extend(await life_of_a_code(tea, phone, f"+9198{number:08}", number))

        await asyncio.gather(*map(through_its_life, range(CANARIES * 2 // 3)))
        answers.append((await caller.operate("GET", "/events?limit=1000")).body)
        answers.append((await caller.operate("GET", "/verifications?pageSize=100")).body)
        codes = {code_in(each.text) for each in (*phone.messages, *blabbing.messages)}
        places = {"answers": b"\n".join(answers), **contents(tmp_path)}
    places["logs"] = caplog.text.encode()
    forms = {form for code in codes for form in disguises(code)}

    assert CANARIES <= len(codes)
    assert "store.db-wal" in places
    assert b"PinVerified" in places["answers"]
    assert {} == {
        name: found for name, place in places.items() if (found := forms_in(place, forms))
    }
    assert [b"2345678999"] == forms_in(b"..2345678999..", disguises("2345678999"))


async def life_of_a_code(
    tea: Caller, phone: ScriptedProvider, destination: str, number: int
) -> list[bytes]:
    """Lead one PIN through its life, and give all that was answered."""
    channels = ["sms", "email"] if number % 5 == 0 else ["sms"]
    created = await tea.create(destination, channels=channels, once=f"key-{number}")
    pin_id = created.json["pinId"]
    seen = [created.body, (await tea.create(destination, channels=["email"])).body]
    if number % 2:
        seen.append((await tea.resend(pin_id, once="again")).body)
        seen.append((await tea.resend(pin_id, channels=["email"])).body)
        seen.append((await tea.resend(pin_id)).body)
    mine = [each for each in phone.messages if each.destination == destination]
    seen.append((await tea.verify(pin_id, "2222222222")).body)
    seen.append((await tea.verify(pin_id, code_in(mine[-1].text))).body)
    seen.append((await tea.verify(pin_id, code_in(mine[-1].text))).body)
    assert b"VERIFIED" in seen[-2]
    return seen


async def test_a_providers_error_is_told_by_its_kind_alone(serving: Serving) -> None:
    """An exception counts as rejected with provider_error; its text goes nowhere."""
    async with serving(providers={"blabbing": BlabbingProvider()}) as caller:
        tea = await caller.with_template(await caller.channel("sms", {}, "blabbing"))
        reply = await tea.create()

        assert [
            {
                "channel": "sms",
                "status": "rejected",
                "errorCode": "provider_error",
                "errorMessage": "The provider failed (RuntimeError).",
            }
        ] == reply.error["details"]["channels"]


async def test_destinations_are_not_logged(
    serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    """No log names a recipient in clear (C-32)."""
    caplog.set_level(logging.DEBUG)
    async with serving(providers={"blabbing": BlabbingProvider()}) as caller:
        tea = await caller.with_template(await caller.channel("sms", {}, "blabbing"))
        await tea.create("+919812345610")
        await caller.create("+919812345610", referenceId="table-of-Ann")

    assert "9812345610" not in caplog.text
    assert "table-of-Ann" not in caplog.text
