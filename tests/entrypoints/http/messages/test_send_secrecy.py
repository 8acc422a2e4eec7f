"""A code in a body is on the recipient's phone and nowhere else (C-23, C-31)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.caller import Reply
from tests.entrypoints.canaries import contents, places_with
from tests.entrypoints.conftest import listening
from tests.entrypoints.message_templates.creating_whatsapp import CODE, created, review
from tests.entrypoints.messaging.sends import (
    DEMO_FALLBACK_WA,
    DEMO_RCS,
    DEMO_WA,
    FALLBACK,
    FALLBACK_SMS,
    INDIAN,
    RECIPIENT,
    SMS,
)
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings

NAMED = {"name": "code", "language": {"code": "en"}}
CODES = [f"CANARY{number}QX7ZKV" for number in range(9)]
MISSPELT = "TXN"


def rcs_otp(code: str) -> dict[str, Any]:
    """Return an RCS entry whose parameters carry a code."""
    params = f'{{"name": "{code}", "order": "x"}}'
    message = {"templateCode": "demo", "customParams": params}
    return {**DEMO_RCS, "messageType": "OTP", "contentMessage": {"templateMessage": message}}


def wa_code(code: str) -> list[dict[str, Any]]:
    """Fill the body of a WhatsApp template for codes."""
    return [{"type": "body", "parameters": [{"type": "text", "text": code}]}]


async def test_codes_in_bodies_are_found_nowhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not in the store, an answer, a replay, a history or a line of the log."""
    settings = Settings(sandbox=True, store=f"sqlite:///{tmp_path / 's.db'}", data_dir=tmp_path)
    answers: list[bytes] = []

    def note(reply: Reply) -> Reply:
        answers.append(repr(reply.headers).encode() + reply.body)
        return reply

    def otp(code: str, **more: Any) -> dict[str, Any]:
        return {**SMS, "type": "OTP", "messageBody": f"Your code is {code}.", **more}

    async with wired(settings) as service, listening(service) as caller:
        await created(caller, CODE)
        await review(caller, "approve", "code")
        by_wa = {
            **DEMO_FALLBACK_WA,
            "template": "code",
            "templateComponents": wa_code(CODES[8]),
        }
        bodies: list[dict[str, Any]] = [
            {"sms": [otp(CODES[0]), otp(CODES[1], recipient="+4915112340001")]},
            {"rcs": [rcs_otp(CODES[2])]},
            {"wa": [DEMO_WA], "fallback": _fallback("OTP", CODES[3])},
            {"wa": [DEMO_WA], "fallback": _fallback(MISSPELT, CODES[4])},
            {"wa": [{**DEMO_WA, "template": {**NAMED, "components": wa_code(CODES[7])}}]},
            {"sms": [SMS], "fallback": {**FALLBACK, "fallback_id": "by-wa", "wa": by_wa}},
        ]
        configuration = {"fallback_id": "by-wa", "steps": ["wa"]}
        await caller.operated("POST", "/fallback-configurations", configuration)
        for number, body in enumerate(bodies * 2):
            note(await caller.send(once=f"key-{number % len(bodies)}", **body))
        note(await caller.send(sms=[otp(CODES[5], type=MISSPELT, recipient=INDIAN)]))
        note(await caller.send(rcs=[rcs_otp(f'{CODES[6]}" oops')]))
        sent = [each["text"] for each in await caller.outbox()]
        before = places_with(CODES, {"answers": b"\n".join(answers), **contents(tmp_path)})
        await caller.advance(61)
        fired = await caller.outbox()
        note(await caller.operate("GET", "/events?limit=1000"))

    assert ["200"] * 12 + ["400"] * 2 == [_status(each) for each in answers[:-1]]
    assert {f"Your code is {CODES[0]}.", f"Hello {CODES[2]}, your order x is on its way."} < set(
        sent
    )
    fired_texts = [each["text"] for each in fired if each["destination"] == RECIPIENT]
    assert f"Your code is {CODES[3]}." in fired_texts
    assert any(text.startswith(CODES[7]) for text in sent)
    assert any(text.endswith(f"[Copy] {CODES[8]}") for text in fired_texts)
    assert {} == before
    after = {"answers": b"\n".join(answers), "output": "".join(capfd.readouterr()).encode()}
    assert {} == places_with(CODES, {**after, **contents(tmp_path)})


def _fallback(kind: str, code: str) -> dict[str, Any]:
    sms = {**FALLBACK_SMS, "type": kind, "messageBody": f"Your code is {code}."}
    return {**FALLBACK, "sms": sms}


def _status(answer: bytes) -> str:
    return "200" if b'"status":"success"' in answer else "400"
