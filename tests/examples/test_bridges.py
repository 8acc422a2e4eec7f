"""The bridges of Kratos, Supabase and ZITADEL: their documented calls become texts, each once."""

from __future__ import annotations

import asyncio
import base64
import hmac
import importlib
import json
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from attrs import frozen
from standardwebhooks.webhooks import Webhook

import watchword
from tests.entrypoints.cli.processes import served
from watchword.testing import FaultyHttp, HttpAnswer

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBER = "+447700900010"
TOKEN = "a-secret-of-kratos"
WHSEC = "v1,whsec_" + base64.b64encode(b"k" * 32).decode()
SIGNING_KEY = "a-signing-key-of-zitadel"
NOT_THERE = "This text cannot be sent to this number."

# Called with the body that is to be sent: the headers of the product for it.
Signing = Callable[[bytes], dict[str, str]]


def kratos(**changed: Any) -> dict[str, Any]:
    """What the template in docs/how-to/kratos.md makes of a login code."""
    return {
        "recipient": NUMBER,
        "body": "Your login code is: 123456",
        "template_type": "login_code_valid",
        **changed,
    }


def supabase(**changed: Any) -> dict[str, Any]:
    """The documented input of the hook, shortened, with a number as Supabase stores it."""
    return {
        "user": {
            "id": "6481a5c1-3d37-4a56-9f6a-bee08c554965",
            "aud": "authenticated",
            "role": "authenticated",
            "email": "",
            "phone": NUMBER.removeprefix("+"),
            "phone_confirmed_at": "2024-05-13T11:52:48.157306Z",
            "confirmation_sent_at": "2024-05-14T12:31:52.824573Z",
            "app_metadata": {"provider": "phone", "providers": ["phone"]},
            "user_metadata": {},
            "is_anonymous": False,
        },
        "sms": {"otp": "561166"},
        **changed,
    }


def zitadel(**changed: Any) -> dict[str, Any]:
    """A call for a one-time code, by the documented form of the HTTP provider."""
    return {
        "contextInfo": {
            "eventType": "session.otp.sms.challenged",
            "provider": {"id": "285181292935381355", "description": "test"},
            "recipientPhoneNumber": NUMBER,
        },
        "templateData": {"title": "", "text": "473829 is your one-time password."},
        "args": {"oTP": "473829", "changeDate": "2024-09-16T10:58:50.73237+02:00"},
        **changed,
    }


def by_kratos(body: bytes) -> dict[str, str]:
    """Kratos shows a secret."""
    return {"Authorization": f"Bearer {TOKEN}"}


def by_supabase(body: bytes, at: float = 0, secret: str = WHSEC) -> dict[str, str]:
    """Supabase signs as Standard Webhooks has it, with a new id for each try."""
    sent, call = datetime.fromtimestamp(time.time() + at, UTC), f"call-{time.monotonic_ns()}"
    signature = Webhook(secret.removeprefix("v1,")).sign(call, sent, body.decode())
    stamp = str(int(sent.timestamp()))
    return {"webhook-id": call, "webhook-timestamp": stamp, "webhook-signature": signature}


def by_zitadel(body: bytes, at: float = 0, key: str = SIGNING_KEY) -> dict[str, str]:
    """ZITADEL signs the time and the body."""
    stamp = int(time.time() + at)
    digest = hmac.digest(key.encode(), f"{stamp}.".encode() + body, "sha256").hex()
    return {"ZITADEL-Signature": f"t={stamp},v1={digest}"}


@frozen
class Product:
    """A product: its bridge, secret, documented call, signature, and the text that is to go out."""

    name: str
    secret: str
    call: Callable[..., dict[str, Any]]
    sign: Signing
    text: str


KRATOS = Product("kratos", TOKEN, kratos, by_kratos, "Your login code is: 123456")
SUPABASE = Product(
    "supabase", WHSEC, supabase, by_supabase, "Your code is 561166. Share it with nobody."
)
ZITADEL = Product("zitadel", SIGNING_KEY, zitadel, by_zitadel, "473829 is your one-time password.")
PRODUCTS = [KRATOS, SUPABASE, ZITADEL]
every_product = pytest.mark.parametrize("product", PRODUCTS, ids=lambda each: each.name)


class Street:
    """A sandbox, and the bridges in front of it."""

    def __init__(self, service: watchword.Service, url: str, stack: AsyncExitStack) -> None:
        self.service = service
        self.url = url
        self.stack = stack
        self.client = aiohttp.ClientSession()
        stack.push_async_callback(self.client.close)

    @property
    def texts(self) -> list[str]:
        """What arrived."""
        assert self.service.sandbox is not None
        return [each.text for each in self.service.sandbox.provider.outbox()]

    def sender(self, key: str = "sandbox-key", url: str = "", sender: str = "Tea") -> Any:
        """Return what sends the texts of a bridge."""
        return importlib.import_module("bridge_texts").Texts(url or self.url, key, sender)

    async def bridge(self, product: Product, **sender: str) -> str:
        """Serve a product's bridge; return its address."""
        make = importlib.import_module(f"{product.name}_bridge").bridge
        return await serving(self.stack, make(self.sender(**sender), product.secret))

    async def post(
        self, url: str, product: Product, body: Any, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Post a call as the product does, or with other headers; return the answer."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        signed = product.sign(sent) if headers is None else headers
        kind = {"Content-Type": "application/json"}
        async with self.client.post(url, data=sent, headers={**kind, **signed}) as answer:
            return answer.status, await answer.json()


async def serving(stack: AsyncExitStack, app: web.Application) -> str:
    """Serve an application until the end of the test; return its address."""
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return f"http://127.0.0.1:{runner.addresses[0][1]}"


@pytest.fixture
async def street(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Street]:
    """Open a sandbox, with the examples where Python looks for modules."""
    monkeypatch.syspath_prepend(EXAMPLES)
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(watchword.open("memory://", sandbox=True))
        yield Street(service, await serving(stack, service.http_app()), stack)


@every_product
async def test_a_documented_call_becomes_a_text(product: Product, street: Street) -> None:
    """Of the account whose key the bridge has, to the number of the payload."""
    status, _ = await street.post(await street.bridge(product), product, product.call())
    assert street.service.sandbox is not None
    (sent,) = street.service.sandbox.provider.outbox()

    assert (200, product.text) == (status, sent.text)
    assert (NUMBER, "Tea", "sms") == (sent.destination, sent.sender, sent.channel)


@every_product
async def test_a_repeated_call_is_one_text(product: Product, street: Street) -> None:
    """One after another, and several at once: who is not first hears the same, or to come again."""
    url = await street.bridge(product)
    body = product.call()
    answers = await asyncio.gather(*[street.post(url, product, body) for _ in range(5)])
    answers.append(await street.post(url, product, body))

    assert {200} <= {status for status, _ in answers} <= {200, 503}
    assert 200 == answers[-1][0]
    assert [product.text] == street.texts


@pytest.mark.parametrize(
    ("product", "other"),
    [
        (KRATOS, kratos(body="Your login code is: 123457")),
        (KRATOS, kratos(recipient="+447700900011")),
        (SUPABASE, supabase(sms={"otp": "561167"})),
        (ZITADEL, zitadel(templateData={"text": "473830 is your one-time password."})),
    ],
)
async def test_another_code_is_another_text(
    product: Product, other: dict[str, Any], street: Street
) -> None:
    """What differs in code or number is not taken for a repetition."""
    url = await street.bridge(product)
    answers = [await street.post(url, product, each) for each in (product.call(), other)]

    assert [200, 200] == [status for status, _ in answers]
    assert 2 == len(street.texts)


@every_product
async def test_the_key_of_a_text_gives_no_code_away(product: Product, street: Street) -> None:
    """It depends on a secret: who reads it in a log, and knows number and wording, cannot try all codes."""
    keys = []
    for secret in ("one-key", "one-key", "another-key"):
        async with FaultyHttp(HttpAnswer.json({"data": [{"status": "accepted"}]})) as web:
            url = await street.bridge(product, key=secret, url=web.url)
            assert 200 == (await street.post(url, product, product.call()))[0]
            keys.append(web.requests[0].headers["idempotency-key"])

    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("secret", ["v1,whsec_????????????????", "v1,whsec_" + "a2V5" * 5, ""])
async def test_a_secret_that_is_none_of_supabase_is_refused(secret: str, street: Street) -> None:
    """What is no base64 would be an empty key, by which anybody can sign."""
    make = importlib.import_module("supabase_bridge").bridge
    with pytest.raises(ValueError, match=r"base64|Incorrect padding|fewer than 24 bytes"):
        make(street.sender(), secret)


async def test_texts_without_a_code_may_be_equal(street: Street) -> None:
    """Kratos also tells of a new authenticator, in the same words each time."""
    url = await street.bridge(KRATOS)
    news = kratos(template_type="authenticator_key_added", body="A key was added.")
    for _ in range(2):
        assert 200 == (await street.post(url, KRATOS, news))[0]

    assert ["A key was added."] * 2 == street.texts


BODY = {each.name: json.dumps(each.call()).encode() for each in PRODUCTS}
WRONG: list[tuple[Product, dict[str, str]]] = [
    (KRATOS, {}),
    (KRATOS, {"Authorization": TOKEN}),
    (KRATOS, {"Authorization": f"Bearer {TOKEN}x"}),
    (KRATOS, {"Authorization": "Bearer \u00e9"}),
    (SUPABASE, {}),
    (SUPABASE, by_supabase(b"{}")),
    (SUPABASE, by_supabase(BODY["supabase"], secret="whsec_" + "b" * 44)),
    (SUPABASE, by_supabase(BODY["supabase"], at=-3600)),
    (SUPABASE, by_supabase(BODY["supabase"], at=3600)),
    (SUPABASE, {**by_supabase(BODY["supabase"]), "webhook-id": "another"}),
    (SUPABASE, {**by_supabase(BODY["supabase"]), "webhook-timestamp": "9" * 5000}),
    (SUPABASE, {**by_supabase(BODY["supabase"]), "webhook-signature": "v1,=, v2,é , ,v1"}),
    (ZITADEL, {}),
    (ZITADEL, by_zitadel(b"{}")),
    (ZITADEL, by_zitadel(BODY["zitadel"], key="another")),
    (ZITADEL, by_zitadel(BODY["zitadel"], at=-3600)),
    (ZITADEL, by_zitadel(BODY["zitadel"], at=3600)),
    (ZITADEL, {"ZITADEL-Signature": "t=,v1="}),
    (ZITADEL, {"ZITADEL-Signature": f"t={'9' * 5000},v1=é"}),
]


@pytest.mark.parametrize(("product", "headers"), WRONG)
async def test_a_stranger_sends_nothing(
    product: Product, headers: dict[str, str], street: Street
) -> None:
    """No secret, a wrong one, another body, an old time, and what is no signature: 401."""
    url = await street.bridge(product)
    status, _ = await street.post(url, product, BODY[product.name], headers)

    assert (401, []) == (status, street.texts)


async def test_one_of_two_signatures_is_enough(street: Street) -> None:
    """Supabase signs with both secrets while one is replaced, and separates them by a comma and a blank."""
    old = by_supabase(BODY["supabase"])
    old["webhook-signature"] = f"v1,bm8=, {old['webhook-signature']}"
    new = by_zitadel(BODY["zitadel"])
    new["ZITADEL-Signature"] += ",v1=00"
    for product, headers in ((SUPABASE, old), (ZITADEL, new)):
        url = await street.bridge(product)
        assert 200 == (await street.post(url, product, BODY[product.name], headers))[0]


@every_product
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b'"x"', b'{"sms": 1, "user": []}', b"null", b"[" * 60_000],
    ids=lambda body: body[:22].decode(),
)
async def test_a_call_of_another_form_is_refused(
    product: Product, body: bytes, street: Street
) -> None:
    """A signed call that has not the members of the payload is 400, and sends nothing."""
    status, _ = await street.post(await street.bridge(product), product, body)

    assert (400, []) == (status, street.texts)


NOWHERE = {
    "kratos": kratos(recipient="+447700900001"),
    "supabase": supabase(sms={"otp": "561166", "phone": "447700900001"}),
    "zitadel": zitadel(contextInfo={"eventType": "x", "recipientPhoneNumber": "+447700900001"}),
}


@every_product
async def test_a_rejected_text_is_not_called_sent(product: Product, street: Street) -> None:
    """Supabase reads a refusal from an answer with 200; the others want another status."""
    url = await street.bridge(product)
    status, said = await street.post(url, product, NOWHERE[product.name])

    if product is SUPABASE:
        assert (200, 422) == (status, said["error"]["http_code"])
        assert said["error"]["message"]
    else:
        assert 422 == status
    assert [] == street.texts


async def test_the_guard_judges_the_texts(street: Street) -> None:
    """A country that the account does not send to is refused, and its users do not learn why."""
    await street.service.guard.set("demo", {"countries": {"mode": "enforce", "allow": ["FR"]}})
    status, said = await street.post(await street.bridge(SUPABASE), SUPABASE, supabase())

    assert (200, 422) == (status, said["error"]["http_code"])
    assert said["error"]["message"] == NOT_THERE
    assert [] == street.texts


@every_product
async def test_the_words_of_a_provider_stay_in_watchword(
    product: Product, street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    """A person reads a sentence of ours; whoever runs the bridge gets the id by which to look it up."""
    words = f"SenderX is unregistered in account tea-4711 for {NUMBER}"
    rejected = {
        "messageId": "msg_1",
        "status": "rejected",
        "errorCode": "sender_unknown",
        "errorMessage": words,
    }
    async with FaultyHttp(HttpAnswer.json({"data": [rejected]})) as web:
        url = await street.bridge(product, url=web.url)
        status, said = await street.post(url, product, product.call())

    assert (200 if product is SUPABASE else 422) == status
    assert NOT_THERE in json.dumps(said)
    assert words not in json.dumps(said)
    assert ["The text msg_1 was rejected: sender_unknown"] == [
        each.getMessage() for each in caplog.records if each.name == "bridge_texts"
    ]
    assert not any(text in caplog.text for text in (NUMBER, product.text))


@every_product
async def test_a_text_that_watchword_does_not_take_is_in_the_log(
    product: Product, street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    """A bridge with a wrong setting refuses everybody, so its log names what is wrong."""
    url = await street.bridge(product, sender="T" * 65)
    status, said = await street.post(url, product, product.call())

    assert (200 if product is SUPABASE else 422) == status
    assert NOT_THERE in json.dumps(said)
    (line,) = [each.getMessage() for each in caplog.records if each.name == "bridge_texts"]
    assert line.startswith("No text was made: validation_failed. ")
    assert "sms[0].sender" in line
    assert not any(text in caplog.text for text in (NUMBER, product.text))


async def test_a_wrong_address_of_watchword_is_no_wrong_key(
    street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever reads the log looks at the setting that is at fault."""
    url = await street.bridge(KRATOS, url=f"{street.url}/elsewhere")
    status, _ = await street.post(url, KRATOS, KRATOS.call())

    assert 502 == status
    assert "Status 404: is WATCHWORD_URL right?" in caplog.text


@every_product
async def test_a_service_that_is_away_is_no_refusal(
    product: Product, street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    """The product is told to try again; Supabase does so for the header that it looks for."""
    url = await street.bridge(product, url="http://127.0.0.1:9")
    async with street.client.post(
        url, data=BODY[product.name], headers=product.sign(BODY[product.name])
    ) as answer:
        assert 503 == answer.status
        assert (product is SUPABASE) == ("Retry-After" in answer.headers)
    assert "No answer that can be read: ClientConnectorError." in caplog.text


@every_product
async def test_a_text_that_cannot_be_sent_now_is_in_the_log(
    product: Product, street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has the status and the code, so that a limit is found that is too low."""
    busy = HttpAnswer.json({"code": "rate_limited", "message": "Too many."}, status=429)
    async with FaultyHttp(busy) as web:
        url = await street.bridge(product, url=web.url)
        status, said = await street.post(url, product, product.call())

    assert 429 == (said["error"]["http_code"] if product is SUPABASE else status)
    assert "Status 429: rate_limited. The text is not sent now." in caplog.text


@every_product
@pytest.mark.parametrize("says", [None, [], "busy", {"code": f"{NUMBER}\nroot"}])
async def test_what_stands_between_may_say_anything(
    product: Product, street: Street, caplog: pytest.LogCaptureFixture, says: Any
) -> None:
    """A proxy's 503 is no fault of the bridge, and none of its words come into the log."""
    async with FaultyHttp(HttpAnswer.json(says, status=503)) as web:
        url = await street.bridge(product, url=web.url)
        status, _ = await street.post(url, product, product.call())

    assert 503 == status
    assert 1 == len([each for each in caplog.records if each.name == "bridge_texts"])
    assert not any(text in caplog.text for text in (NUMBER, "root", "busy"))


@every_product
async def test_a_lost_answer_is_no_second_text(product: Product, street: Street) -> None:
    """The connection breaks after the service has sent; the product comes again, and hears of the first."""
    lost: list[str] = []

    async def forward(request: web.Request) -> web.Response:
        headers = {each: request.headers[each] for each in ("apikey", "Idempotency-Key")}
        body = await request.json()
        async with street.client.post(
            f"{street.url}{request.path}", json=body, headers=headers
        ) as answer:
            said = await answer.json()
        if not lost and request.transport is not None:
            lost.append(request.path)
            request.transport.abort()
        return web.json_response(said, status=answer.status)

    between = web.Application()
    between.router.add_post("/oapi/send_sms", forward)
    url = await street.bridge(product, url=await serving(street.stack, between))
    answers = [(await street.post(url, product, product.call()))[0] for _ in range(2)]

    assert [503, 200] == answers
    assert ["/oapi/send_sms"] == lost
    assert [product.text] == street.texts


@every_product
async def test_a_wrong_key_of_the_bridge_is_a_fault(
    product: Product, street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer says nothing of the key, nor calls the number wrong; the log names the fault."""
    url = await street.bridge(product, key="a-key-of-nobody")
    status, said = await street.post(url, product, product.call())

    assert "Status 401: the key of the bridge is wrong, or may not send." in caplog.text
    assert "key" not in json.dumps(said)
    assert 502 == (said["error"]["http_code"] if product is SUPABASE else status)
    assert "a-key-of-nobody" not in json.dumps(said)


async def test_a_new_number_gets_the_code_of_its_change(street: Street) -> None:
    """By the member of the SMS, or by the user's new number in releases without it."""
    url = await street.bridge(SUPABASE)
    for sms, user in (
        ({"otp": "1111", "sms_type": "phone_change", "phone": "447700900012"}, {}),
        ({"otp": "2222", "sms_type": "phone_change"}, {"new_phone": "447700900013"}),
    ):
        call = supabase()
        body = {**call, "sms": sms, "user": {**call["user"], **user}}
        assert 200 == (await street.post(url, SUPABASE, body))[0]
    assert street.service.sandbox is not None
    outbox = street.service.sandbox.provider.outbox()

    assert ["+447700900012", "+447700900013"] == [each.destination for each in outbox]


async def test_a_text_of_ones_own(street: Street) -> None:
    """A text for browsers ends as they want; `SMS_TEXT` is such a text."""
    bridge = importlib.import_module("supabase_bridge").bridge
    app = bridge(street.sender(), WHSEC, "Code {otp}.\n\n@tea.example #{otp}")
    status, _ = await street.post(await serving(street.stack, app), SUPABASE, supabase())

    assert 200 == status
    assert ["Code 561166.\n\n@tea.example #561166"] == street.texts


@every_product
def test_a_bridge_is_a_program(product: Product, tmp_path: Path) -> None:
    """It takes its settings from the environment, and serves until it is stopped."""
    with served(tmp_path / "var", "--sandbox") as sandbox:
        settings = {
            "WATCHWORD_URL": sandbox.url,
            "WATCHWORD_API_KEY": "sandbox-key",
            "SMS_SENDER": "Tea",
            "BRIDGE_SECRET": product.secret,
            "PORT": "0",
            "PYTHONUNBUFFERED": "1",
        }
        program = [sys.executable, str(EXAMPLES / f"{product.name}_bridge.py")]
        with subprocess.Popen(
            program, env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            try:
                assert running.stdout is not None
                (url,) = re.findall(r"http://[\d.:]+", running.stdout.readline())
                status = asyncio.run(posted(url, product))
            finally:
                running.terminate()
        _, outbox = sandbox.ask("GET", "/sandbox/outbox", key=None)

    assert (200, [product.text]) == (status, [each["text"] for each in outbox["data"]])


async def posted(url: str, product: Product) -> int:
    """Post the documented call to a bridge; return the status."""
    body = BODY[product.name]
    async with (
        aiohttp.ClientSession() as client,
        client.post(url, data=body, headers=product.sign(body)) as answer,
    ):
        return answer.status


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    """Everybody could sign with an empty one."""
    settings = dict.fromkeys(("WATCHWORD_URL", "WATCHWORD_API_KEY", "SMS_SENDER"), "x")
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "zitadel_bridge.py")],
        env={**settings, "BRIDGE_SECRET": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (1, "") == (done.returncode, done.stdout)
    assert "BRIDGE_SECRET has fewer than 16 characters." in done.stderr
