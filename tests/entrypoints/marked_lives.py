"""People with marked numbers, who meet the service on all of its routes."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from typing import Any

from attrs import field, frozen

from tests.entrypoints.caller import Caller, Reply, code_in
from tests.entrypoints.http.media.forms import FIELDS, file_part
from tests.entrypoints.legacy.bodies import TEXT as LEGACY
from tests.entrypoints.marks import DIGITS, WORD, ip, mailbox, phone, text
from tests.entrypoints.messaging.sends import (
    DEMO_RCS,
    DEMO_WA,
    FALLBACK,
    FALLBACK_SMS,
    SMS,
    session,
)
from tests.entrypoints.openapi.described import Document, Operation
from tests.fakes.providers import ScriptedProvider
from tests.fakes.signing import inbound, receipt, told
from watchword.application.ports.channels import (
    Accepted,
    InboundMessage,
    Message,
    ProviderReport,
    Rejected,
    SentMessage,
    Unknown,
)
from watchword.domain.channel import ChannelName
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

DOCUMENT = Document.read()
# Tests of channel accounts go to these, who are not recorded.
STRANGERS = range(9_990, 9_996)
WHATSAPP_SENDER = "+15550100"
LIMITS = {
    "sendPinPerPhoneNumberLimit": "1000/1d",
    "verifyPinLimit": "1000/1s",
    "resendCooldown": "0s",
}


class Gossip(ScriptedProvider):
    """A provider that quotes the recipient wherever it can: in ids, codes, words and exceptions."""

    def __init__(self) -> None:
        super().__init__(self._gossip)

    async def _gossip(self, message: Message) -> Accepted | Rejected | Unknown:
        quoted = quote(message.destination)
        match len(self.messages) % 6:
            case 0:
                return Rejected(f"no_{message.destination}", quoted)
            case 1:
                return Unknown(message=quoted, provider_message_id=f"{message.reference}.{quoted}")
            case 2:
                raise RuntimeError(quoted)
            case _:
                return Accepted(id_of(message.destination, message.reference))

    def can_revoke(self, channel: ChannelName) -> bool:
        """Revoke on every channel."""
        return True

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """Fail, and quote the number."""
        raise RuntimeError(quote(sent.destination))

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[ProviderReport | InboundMessage]:
        """Read news as they are."""
        return [told(each) for each in json.loads(body)["news"]]


def quote(destination: str) -> str:
    """Return a provider's words about a recipient, in clear and in base64."""
    return f"no route to {destination} ({base64.b64encode(destination.encode()).decode()})"


def id_of(destination: str, reference: str) -> str:
    """Return an id of a provider, which contains the number as those of WhatsApp do."""
    coded = base64.b64encode(f"\x12\x18{destination[1:]}\x15\2\0\x11\x18{reference}".encode())
    return f"wamid.{coded.decode()}"


@frozen
class Lives:
    """The people, the routes that were asked about them, and their numbers."""

    caller: Caller
    gossip: Gossip
    callbacks: str
    asked: set[tuple[str, str]] = field(factory=set)
    people: list[str] = field(factory=list)
    _numbers: Iterator[int] = field(factory=lambda: count(1))

    def some(self, many: int) -> list[int]:
        """Return new people."""
        numbers = [*islice(self._numbers, many)]
        self.people.extend(phone(each) for each in numbers)
        return numbers

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        right: bool = True,
        to: str = "",
        once: str = "",
        token: str = "",
        form: bytes | None = None,
    ) -> Reply:
        """Ask, with the key that the route wants, and with ids of requests that contain a number."""
        admin = path.startswith("/admin")
        key = SANDBOX_ADMIN_TOKEN if admin else str(self.caller.key)
        headers = {"Authorization": f"Bearer {key}", "apikey": key}
        if token:
            headers = {"authentication-token": token}
        if to:
            headers |= {"X-Request-Id": f"order-{to.lstrip('+')}"[:64].replace("@", "-")}
        if once:
            headers |= {"Idempotency-Key": once}
        if form is not None:
            headers |= {"Content-Type": "multipart/form-data; boundary=tea"}
        self.asked.update(
            (each.method, each.path) for each in DOCUMENT.operations if _is_of(path, each, method)
        )
        reply = await self.caller.using(None).ask(method, path, body, data=form, headers=headers)
        assert not right or reply.status < 300, (path, reply.body)
        return reply

    async def each(self, people: Sequence[int], life: Callable[[int], Awaitable[object]]) -> None:
        """Lead the lives of people, some at once."""
        for first in range(0, len(people), 16):
            await asyncio.gather(*map(life, people[first : first + 16]))


def _is_of(path: str, operation: Operation, method: str) -> bool:
    pattern = re.sub(r"\{\w+\}", "[^/]+", operation.path)
    return operation.method == method.lower() and bool(
        re.fullmatch(pattern, path.partition("?")[0])
    )


async def lead(lives: Lives) -> None:
    """Lead all lives."""
    await asyncio.gather(
        verifications(lives), sends(lives), opt_lists(lives), heard(lives), legacy(lives)
    )
    await guarded(lives)
    await every_route(lives)


async def verifications(lives: Lives) -> None:
    """
    Send codes by a channel of the sandbox and one that gossips; resend, verify, search.

    Some are for people without a mark, whom nobody erases.
    """
    made = await lives.caller.with_template({"channelType": "sms"}, **LIMITS)
    by_gossip = [
        await lives.caller.channel(channel, {}, "gossip")
        for channel in ("sms", "whatsapp", "email")
    ]
    told_of = await lives.caller.with_template(*by_gossip, **LIMITS)

    async def life(n: int) -> None:
        if n % 10 == 0:
            await lives.caller.created(f"+4915112345{n:03}")
        to, channel = phone(n), ("sms", "whatsapp")[n % 2]
        if n % 5 == 0:
            to, channel = mailbox(n), "email"
            lives.people.append(to)
        bare = {
            "destination": to,
            "referenceId": text("reference", n),
            "context": {"ip": ip(n), "userAgent": text("agent", n)},
        }
        body = {**bare, "templateId": told_of.template, "channels": [channel]}
        for _ in range(2 if n % 4 == 0 else 1):
            await lives.ask("POST", "/v1/pins", body, to=to, once=f"k-{to[-30:]}", right=False)
        body = {**bare, "destination": phone(n), "templateId": made.template}
        pin = (await lives.ask("POST", "/v1/pins", body, to=phone(n), once=f"s-{n}")).json["pinId"]
        path = f"/v1/pins/{pin}"
        await lives.ask("POST", f"{path}/verify", {"pin": "nonsense"}, to=phone(n), right=False)
        await lives.ask("POST", f"{path}/resend", {}, to=phone(n), once=f"r-{phone(n)}")
        if n % 3 == 0:
            query = f"destination={phone(n).replace('+', '%2B')}"
            outbox = (await lives.ask("GET", f"/sandbox/outbox?{query}")).json["data"]
            codes = [code_in(each["text"]) for each in outbox if each["destination"] == phone(n)]
            await lives.ask("POST", f"{path}/verify", {"pin": codes[-1]}, to=phone(n))
        if n % 4 == 0:
            await lives.ask("GET", path)
            for search in (f"destination={phone(n)[1:]}", f"referenceId={text('reference', n)}"):
                await lives.ask("GET", f"/admin/v1/verifications?account=demo&{search}")

    await lives.each(lives.some(100), life)


def templated(n: int, params: str) -> dict[str, Any]:
    """Return the content of an RCS message with personal values."""
    return {
        **DEMO_RCS,
        "recipient": phone(n),
        "custRef": text("custref", n),
        "contentMessage": {"templateMessage": {"templateCode": "demo", "customParams": params}},
    }


def whatsapp(n: int) -> dict[str, Any]:
    """Return a WhatsApp template message with personal values."""
    values = [{"type": "text", "text": text("value", n)}, {"type": "text", "text": phone(n)}]
    return {
        **DEMO_WA,
        "recipient": [phone(n)],
        "template": {
            "name": "demo",
            "language": {"code": "en"},
            "components": [{"type": "body", "parameters": values}],
        },
        **{f"custref{each}": text(f"custref{each}", n) for each in range(1, 6)},
    }


def sms(n: int, **more: Any) -> dict[str, Any]:
    """Return an SMS with a personal text."""
    return {
        **SMS,
        "recipient": phone(n),
        "messageBody": f"{text('body', n)} for {phone(n)}",
        "custRef": text("custref", n),
        **more,
    }


async def sends(lives: Lives) -> None:
    """Send on every channel, to many and to one, with fallbacks that fire; report and search."""
    account = {"name": "gossip sms", "channelType": "sms", "provider": "gossip", "config": {}}
    made = (
        await lives.ask("POST", "/admin/v1/channel-accounts", {**account, "sender": "GOSSIP"})
    ).json
    hearing = f"/callbacks/{made['id']}"

    async def send(number: int, **body: Any) -> list[str]:
        to = phone(number)
        reply = await lives.ask("POST", "/oapi/send_sms", body, to=to, once=f"{to}-{number}")
        return [each["messageId"] for each in reply.json["data"]]

    many = lives.some(100)
    ids = await send(many[0], sms=[sms(n) for n in many], campaignName="tea")
    ids += await send(many[1], sms=[sms(n, sender="GOSSIP") for n in many[:60]])
    await send(many[2], prefix="49", sms=[sms(n, recipient=phone(n)[3:]) for n in many[:5]])

    async def alone(n: int) -> None:
        step = {**FALLBACK_SMS, "sender": "GOSSIP", "messageBody": f"{text('step', n)} {phone(n)}"}
        params = json.dumps({"name": text("value", n), "order": phone(n)})
        followed = {**FALLBACK, "sms": step}
        kinds: tuple[dict[str, Any], ...] = (
            {"rcs": [templated(n, params)], "fallback": followed},
            {"wa": [whatsapp(n)], "fallback": followed},
            {"wa": [{**session("text", {"body": text("session", n)}), "recipient": [phone(n)]}]},
        )
        ids.extend(await send(n, **kinds[n % 3]))

    async def talk(n: int) -> None:
        note = {"channel": "whatsapp", "from": phone(n), "to": WHATSAPP_SENDER}
        await lives.ask("POST", "/sandbox/inbound", {**note, "text": text("inbound", n)})
        await alone(n)

    await lives.each(lives.some(60), talk)
    await lives.ask("POST", "/sandbox/clock/advance", {"seconds": 61})
    references = {each.destination: each.reference for each in lives.gossip.messages}

    async def report(n: int) -> None:
        known = id_of(phone(n), references[phone(n)])
        news = [receipt(known, ReceiptStatus.FAILED, f"no_{phone(n)}")]
        # Nobody sent this one, so its receipt is parked.
        news += [receipt(id_of(phone(n), "stranger"), ReceiptStatus.DELIVERED, None)]
        news += [inbound(id_of(phone(n), "note"), phone(n), "GOSSIP", text("inbound", n))]
        await lives.ask("POST", hearing, {"news": news})

    await lives.each(many[:40], report)
    await lives.ask("POST", "/status", {"messageIds": ids[:100]})
    for n in many[:5]:
        searches = (f"recipient={phone(n)[1:]}", f"reference={text('custref', n)}")
        for search in searches:
            await lives.ask("GET", f"/messages?{search}")
            await lives.ask("GET", f"/admin/v1/messages?account=demo&{search}")
        await lives.ask("GET", f"/history?recipient={phone(n)[1:]}")
    test = f"/admin/v1/channel-accounts/{made['id']}/test"
    for n in STRANGERS:
        await lives.ask("POST", test, {"to": phone(n), "text": text("test", n)}, right=False)


async def opt_lists(lives: Lives) -> None:
    """Opt people in and out, and send to one that is out."""
    numbers = lives.some(60)
    recipients = [phone(n) for n in numbers]
    for path in ("/opt/in/wa", "/opt/out/wa"):
        await lives.ask("POST", path, {"recipients": recipients}, to=recipients[0])
        await lives.ask("GET", path)
        await lives.ask("DELETE", path, {"recipients": recipients[40:]})
    await lives.ask("POST", "/oapi/send_sms", {"wa": [whatsapp(numbers[0])]}, to=recipients[0])


async def heard(lives: Lives) -> None:
    """Hear from people who write by themselves."""

    async def write(n: int) -> None:
        channel, own = ("sms", "TEAHSE") if n % 2 else ("whatsapp", WHATSAPP_SENDER)
        note = {"channel": channel, "from": phone(n), "to": own, "text": text("inbound", n)}
        await lives.ask("POST", "/sandbox/inbound", note, to=phone(n))

    await lives.each(lives.some(60), write)


async def legacy(lives: Lives) -> None:
    """Send by the platform of before, with tags; rate chats."""
    login = {"email": f"{text('login', 0)}@tea.example", "password": "oolong-oolong"}
    await lives.ask("POST", "/admin/v1/legacy-users", {"account": "demo", **login})
    token = (await lives.ask("POST", "/account/enterprise/login", login)).json["data"]["token"]

    async def life(n: int) -> None:
        body = {
            **LEGACY,
            "recipientPhone": phone(n),
            "bodyVariables": {"1": text("value", n), "2": phone(n)},
            "journeyId": text("journey", n),
            "departmentId": text("department", n),
            "tags": {f"tag{each}": text(f"tag{each}", n) for each in (1, 2, 3)},
            "callbackUrl": lives.callbacks,
        }
        path = "/svc/api/message/send"
        await lives.ask("POST", path, body, to=phone(n), token=token)
        rating = {"chatId": text("chat", n), "phone": phone(n), "rating": "5"}
        await lives.ask("POST", "/whatsapp/chat/feedback", rating, to=phone(n), token=token)

    async def rate(n: int) -> None:
        rating = {"chatId": f"chat-{phone(n)}", "phone": phone(n), "rating": text("rating", n)}
        await lives.ask("POST", "/whatsapp/chat/feedback", rating, token=token)

    await lives.each(lives.some(60), life)
    await lives.each(lives.some(40), rate)


async def guarded(lives: Lives) -> None:
    """
    Be refused by the rules that count people, numbers and IPs; test destinations by a code with a mark.

    A prefix is nobody's, so its rule stays on the record. At last a minute ends, whose refusals are
    recorded, and the default policy holds again.
    """
    enforced = {"mode": "enforce", "limit": "1/1d"}
    policy = {"numbers": {"mode": "enforce"}, "guesses": enforced, "unverified": {"ip": enforced}}
    await lives.ask("PUT", "/admin/v1/guard?account=demo", policy)
    once = await lives.caller.with_template({"channelType": "sms"}, **{**LIMITS, "pinAttempts": 1})
    coded = await lives.caller.with_template(
        {"channelType": "sms"}, **LIMITS, pinType="alpha", pinLength=len(WORD)
    )

    async def refused(n: int) -> None:
        context = {"ip": ip(n), "userAgent": text("agent", n)}
        create = {"destination": phone(n), "templateId": once.template}
        pin = (await lives.ask("POST", "/v1/pins", {**create, "context": context})).json["pinId"]
        verify = f"/v1/pins/{pin}/verify"
        for _ in range(2):
            await lives.ask("POST", verify, {"pin": "nonsense"}, to=phone(n), right=False)
        ruled = [
            await lives.ask("POST", "/v1/pins", body, right=False)
            for body in (
                create,
                {**create, "destination": phone(n + 5_000), "context": context},
                {**create, "destination": f"+1{DIGITS}"},
            )
        ]
        assert ["guesses", "unverified.ip", "numbers"] == [
            each.error["details"]["rule"] for each in ruled
        ]
        whom = {"account": "demo", "destination": phone(n)}
        await lives.ask("POST", "/admin/v1/guard/release", {**whom, "rule": "guesses"})

    async def tested(n: int) -> None:
        until = (datetime.now(UTC) + timedelta(days=9)).isoformat()
        body = {"account": "demo", "destination": phone(n), "code": WORD, "until": until}
        test = await lives.ask("POST", "/admin/v1/test-destinations", body, to=phone(n))
        create = {"destination": phone(n), "templateId": coded.template}
        pin = (await lives.ask("POST", "/v1/pins", create, once=f"t-{n}")).json["pinId"]
        await lives.ask("POST", f"/v1/pins/{pin}/resend", {})
        await lives.ask("POST", f"/v1/pins/{pin}/verify", {"pin": WORD.upper()})
        if n % 2 == 0:
            await lives.ask("DELETE", f"/admin/v1/test-destinations/{test.json['id']}")

    await lives.each(lives.some(20), refused)
    await lives.each(lives.some(20), tested)
    await lives.ask("POST", "/sandbox/clock/advance", {"seconds": 61})
    await lives.ask("PUT", "/admin/v1/guard?account=demo", {})


async def every_route(lives: Lives) -> None:
    """Ask every route about somebody, also those that have nothing to say of people."""
    (n,) = lives.some(1)
    ids = {"{id}": "id_0", "{name}": "demo", "{code}": "nobody", "{file}": "none.js"}
    queries = (("destination", "recipient", "to"), ("referenceId", "reference", "tag1"))
    query = "&".join(
        f"{name}={value}"
        for names, value in zip(queries, (phone(n)[1:], text("reference", n)), strict=True)
        for name in names
    )
    body = {
        **dict.fromkeys(("destination", "recipient", "phone", "from", "to"), phone(n)),
        **dict.fromkeys(("referenceId", "text", "custRef", "email"), text("nonsense", n)),
        "recipients": [phone(n)],
    }
    form = file_part(name=f"{text('file', n)}.png".encode()) + b"".join(
        b'--tea\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (name.encode(), value.encode())
        for name, value in FIELDS.items()
    )
    for path in ("/rcs/mediaupload", "/oapi/wa/mediaupload"):
        await lives.ask("POST", path, form=form + b"--tea--\r\n", right=False)
    for operation in DOCUMENT.operations:
        path = re.sub(r"\{\w+\}", lambda found: ids.get(found[0], "id_0"), operation.path)
        sent = None if operation.method == "get" else body
        await lives.ask(operation.method.upper(), f"{path}?{query}", sent, right=False)
    for path in ("erase", "show"):
        whom = {"account": "demo", "destination": phone(n)}
        await lives.ask("POST", f"/admin/v1/people/{path}", {**whom, "dryRun": True}, right=False)
