"""Stores the payloads in every field that people or providers write, by the public API."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from attrs import define, field

from tests.browser.payloads import PAYLOADS
from tests.browser.served import Api, RefusedError, Served
from tests.browser.teahouse.settings import PHONE, PROFILE, post_form

ACCOUNT = "planted"


@define
class Planting:
    """Plants texts in an account, and counts by field what the service took."""

    service: Served
    provider: str
    texts: Sequence[str] = PAYLOADS
    _stored: list[str] = field(factory=list, init=False)
    _key: str = field(default="", init=False, repr=False)
    _plain: str = field(default="", init=False)

    def everywhere(self) -> None:
        """Plant all texts in all fields."""
        self._account()
        with ThreadPoolExecutor(8) as hands:
            list(hands.map(self._one, *zip(*enumerate(self.texts), strict=True)))

    @property
    def stored(self) -> Counter[str]:
        """By field, how many of the texts are in it."""
        return Counter(self._stored)

    def _one(self, number: int, text: str) -> None:
        self._settings(number, text)
        self._templates(number, text)
        self._code(number, text)
        self._messages(number, text)

    def _try(self, name: str, call: Callable[[], Any]) -> Any:
        try:
            answer = call()
        except RefusedError as refusal:
            # A field may have a form that a payload does not fit; `stored` shows how often.
            if refusal.status in {400, 404, 409}:
                return None
            raise
        self._stored.append(name)
        return answer

    def _account(self) -> None:
        admin = self.service.admin
        admin.post("/admin/v1/accounts", {"name": ACCOUNT})
        made = admin.post("/admin/v1/api-keys", {"account": ACCOUNT, "name": "planting"})
        self._key = made["key"]
        echo = {
            "method": "POST",
            "url": f"{self.provider}/echo",
            "body": {"text": "{{text}}"},
            "accepted": {"idPath": "id"},
            "rejected": {"codePath": "code", "messagePath": "text"},
        }
        for channel, provider, sender, config in (
            ("sms", "sandbox", "PLANT", {}),
            ("sms", "http", "ECHO", echo),
            ("whatsapp", "sandbox", PHONE, {}),
            ("rcs", "sandbox", PROFILE, {}),
            ("email", "sandbox", "p@tea.example", {}),
        ):
            body = {"channelType": channel, "provider": provider, "config": config}
            name = f"{provider} {channel}"
            body |= {"account": ACCOUNT, "name": name, "sender": sender}
            admin.post("/admin/v1/channel-accounts", body)
        entry = {"channelType": "sms", "contentText": "{{pin}} for {{1}}"}
        template = {"account": ACCOUNT, "name": "plain", "channels": [entry]}
        self._plain = admin.post("/admin/v1/pin-templates", template)["id"]

    def _settings(self, number: int, text: str) -> None:
        admin = self.service.admin

        def made(label: str, path: str, **body: object) -> Any:
            return self._try(label, lambda: admin.post(f"/admin/v1/{path}", body))

        mine = {"account": ACCOUNT}
        made("account.name", "accounts", name=text)
        made("apiKey.name", "api-keys", name=text, **mine)
        made("token.name", "tokens", name=text, role="auditor", **mine)
        channel = {"channelType": "sms", "provider": "sandbox", "config": {}, **mine}
        made("channelAccount.name", "channel-accounts", name=text, **channel)
        name = f"sender {number}"
        made("channelAccount.sender", "channel-accounts", name=name, sender=text, **channel)
        config = {
            "url": "https://sms.example/send",
            "method": "POST",
            "body": {"text": "{{text}}", "note": text},
            "headers": {"X-Note": quote(text, safe="<>\"'() =/;:{}%$#&")},
            "accepted": {"idPath": "id"},
        }
        channel |= {"provider": "http", "config": config}
        made("channelAccount.config", "channel-accounts", name=f"config {number}", **channel)
        solid = text.replace(" ", "/")
        email = f"{solid.replace('@', '/')}@x.example"
        made("legacyUser.email", "legacy-users", email=email, password="p" * 12, **mine)
        # A name would be looked up, and an event that happens here be delivered.
        address = f"{self.provider}/?{quote(text, safe=_URL)}"
        called = made("callback.url", "callbacks", url=address, events=["fallback.fired"], **mine)
        if called is not None:
            made("callback.answer", f"callbacks/{called['id']}/test")
        made("dlt.text", "dlt-templates", templateId=str(number), entityId="1", text=text, **mine)
        made("dlt.ids", "dlt-templates", templateId=text, entityId=text, text=f"n{number}", **mine)
        made("fallback.id", "fallback-configurations", fallback_id=solid, steps=["sms"], **mine)

    def _templates(self, number: int, text: str) -> None:
        admin = self.service.admin
        entry = {"channelType": "email", "literal": True, "subjectText": text}
        entry["contentText"] = f"{text} {{{{pin}}}}"
        body = {"account": ACCOUNT, "name": text, "channels": [entry]}
        self._try("pinTemplate", lambda: admin.post("/admin/v1/pin-templates", body))
        reply = {"suggestionType": "reply", "displayText": text[:25], "postback": text}
        link = {"suggestionType": "url_action", "displayText": "Open", "postback": "x"}
        link["url"] = f"https://x.example/?{quote(text, safe='')}"
        card = {"cardTitle": text, "cardDescription": text, "suggestions": [reply, link]}
        card["mediaUrl"] = "https://tea.example/oolong.jpg"
        upright = {"orientation": "VERTICAL", "height": "TALL_HEIGHT", "standAlone": card}
        said = {"textMessageContent": text, "suggestions": [reply]}
        self._rcs(f"card_{number}", "rich_card", text, upright)
        self._rcs(f"said_{number}", "text_message", text, said)
        reason = {"account": ACCOUNT, "reason": text}
        path = f"/admin/v1/rcs-templates/said_{number}/reject"
        self._try("template.reason", lambda: admin.post(path, reason))
        components: list[dict[str, Any]] = [
            {"type": "HEADER", "format": "TEXT", "text": text[:60]},
            {"type": "BODY", "text": f"Well, {text} it was."},
            {"type": "FOOTER", "text": text[:60]},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": text[:25]}]},
        ]
        wanted = {"name": f"wa_{number}", "language": "en", "category": "UTILITY"}
        messages = Api(self.service.address, {"apikey": self._key})
        body = {**wanted, "components": components}
        self._try("waTemplate", lambda: messages.post("/wa/templates", body))

    def _rcs(self, name: str, kind: str, text: str, content: dict[str, Any]) -> None:
        data = json.dumps({"name": name, "type": kind, **content})
        texts = {"sender_profile_name": PROFILE, "update_by": text, "message_type": "Transactional"}
        where = (self.service.address, "/rcs/templates", self._key)
        self._try(f"rcsTemplate.{kind}", lambda: post_form(*where, data=data, **texts))

    def _code(self, number: int, text: str) -> None:
        pins = Api(self.service.address, {"Authorization": f"Bearer {self._key}"})
        body = {
            "destination": f"+12025550{100 + number}",
            "templateId": self._plain,
            "templateParams": {"1": text},
            "referenceId": text,
            "context": {"ip": "203.0.113.9", "userAgent": text},
        }
        self._try("pin.referenceId", lambda: pins.post("/v1/pins", body))
        got = {
            "from": f"+12025550{100 + number}",
            "to": PHONE,
            "channel": "whatsapp",
            "text": text,
        }
        self._try("inbound.text", lambda: self.service.admin.post("/admin/v1/sandbox/inbound", got))

    def _messages(self, number: int, text: str) -> None:
        messages = Api(self.service.address, {"apikey": self._key})
        entry = {
            "recipient": f"+12025550{100 + number}",
            "type": "SI",
            "messageBody": text,
            "custRef1": {"CustomReference1": text},
            "custRef2": {"CustomReference2": text},
        }

        def sent(sender: str) -> Any:
            body = {"campaignName": text, "sms": [{**entry, "sender": sender}]}
            return self._try(f"sms.{sender}", lambda: messages.post("/oapi/send_sms", body))

        sent("ECHO")
        taken = sent("PLANT")["data"][0]
        receipt = {"messageId": taken["messageId"], "status": "FAILED"}
        receipt["errorCode"] = text.replace(" ", "/")
        admin = self.service.admin
        self._try("errorCode", lambda: admin.post("/admin/v1/sandbox/receipts", receipt))


_URL = "<>\"'(){}$=#;*&/%:,`\\[]"
