"""Thirty days of the tea house: codes that people verify, mistype or never get, and messages."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

from attrs import define, field

from tests.browser.served import Api, RefusedError, Served
from tests.browser.teahouse.settings import ACCOUNT, PHONE, PIN_TEMPLATES, PROFILE, SENDER

DAYS = 30
_HOUR = 3600
# Numbers that regulators keep free for stories, as far as there are such numbers.
_COUNTRIES = (
    ("+1202555{:04}", 100, 30),
    ("+447700900{:03}", 0, 25),
    ("+4915228817{:03}", 386, 15),
    ("+3363998{:04}", 0, 12),
    ("+6149157{:04}", 156, 8),
    ("+9198123456{:02}", 10, 10),
)
_AGENTS = ("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "TeaHouse/4.2 (iOS 19.1)")
_REFUSED = ("+992900000101", "+5350000001")


@define
class Days:
    """Lets days go by in the tea house."""

    service: Served
    key: str = field(repr=False)
    _random: Random = field(init=False, factory=lambda: Random(26))
    _orders: Any = field(init=False, factory=lambda: count(4711))
    _seen: str = field(init=False, default="0")

    def pass_by(self) -> None:
        """Let all days go by, until the sandbox's clock shows the present."""
        templates = self.service.admin.get("/admin/v1/pin-templates", account=ACCOUNT)["data"]
        ids = [each["id"] for each in templates if each["name"] in PIN_TEMPLATES]
        for day in range(DAYS):
            busy = 1 + 0.35 * (day % 7 in {4, 5}) + day / 90
            self._wait(9 * _HOUR)
            self._codes(ids, round(4 * busy))
            self._wait(9 * _HOUR)
            self._codes(ids, round(6 * busy))
            self._wait(6 * _HOUR - 120)
            if day % 5 == 0 or day == DAYS - 1:
                self._messages()
        self._flood(ids[0])
        self._codes(ids, 6)
        self._codes(ids, 3, verify=False)

    def _wait(self, seconds: int) -> None:
        self.service.admin.post("/admin/v1/sandbox/clock/advance", {"seconds": seconds})

    def _codes(self, templates: list[str], many: int, *, verify: bool = True) -> None:
        api = Api(self.service.address, {"Authorization": f"Bearer {self.key}"})
        issued = [self._issued(api, templates) for _ in range(many)]
        if self._random.random() < 0.2:
            self._refused(api, templates[0])
        if not verify:
            return
        self._wait(self._random.choice((9, 14, 23, 41)))
        for pin_id, code in zip(issued, self._arrived(), strict=False):
            luck = self._random.random()
            if luck < 0.12:
                self._type(api, pin_id, "000000")
            if luck < 0.84:
                self._type(api, pin_id, code)

    def _issued(self, api: Api, templates: list[str]) -> str:
        form, first, _ = self._random.choices(_COUNTRIES, [each[2] for each in _COUNTRIES])[0]
        body = {
            "destination": form.format(first + self._random.randrange(40)),
            "templateId": self._random.choices(templates, (6, 3, 2))[0],
            "referenceId": f"order-{next(self._orders)}",
            "context": {
                "ip": f"203.0.113.{self._random.randrange(1, 255)}",
                "userAgent": self._random.choice(_AGENTS),
            },
        }
        return str(api.post("/v1/pins", body)["pinId"])

    def _flood(self, template: str) -> None:
        """Let one address ask for more codes than the guard lets it."""
        api = Api(self.service.address, {"Authorization": f"Bearer {self.key}"})
        for number in range(9):
            body = {"destination": f"+12025550{170 + number}", "templateId": template}
            self._try(api, {**body, "context": {"ip": "198.51.100.77"}})
        # What was counted is written when its minute has ended.
        self._wait(120)

    def _refused(self, api: Api, template: str) -> None:
        number = self._random.choice(_REFUSED)
        self._try(api, {"destination": number, "templateId": template})

    def _try(self, api: Api, body: dict[str, Any]) -> None:
        try:
            api.post("/v1/pins", body)
        except RefusedError as refusal:
            if refusal.status >= 500:
                raise

    def _arrived(self) -> list[str]:
        """Return the codes that came since the last look, in their order."""
        new = self.service.admin.get("/admin/v1/sandbox/outbox", after=self._seen)["data"]
        if new:
            self._seen = new[-1]["id"]
        digits = ("".join(filter(str.isdigit, each["text"])) for each in new)
        return [each[:6] for each in digits]

    def _type(self, api: Api, pin_id: str, code: str) -> None:
        try:
            api.post(f"/v1/pins/{pin_id}/verify", {"pin": code})
        except RefusedError as refusal:
            if refusal.status >= 500:
                raise

    def _messages(self) -> None:
        api = Api(self.service.address, {"apikey": self.key})
        order = next(self._orders)
        names = [{"type": "text", "text": "Mei"}, {"type": "text", "text": str(order)}]
        filled = [{"type": "body", "parameters": names}]
        api.post(
            "/oapi/send_sms",
            {
                "campaignName": "spring",
                "sms": [
                    {
                        "sender": SENDER,
                        "recipient": f"+1202555{number:04}",
                        "type": "SI",
                        "messageBody": f"Your order {order} is ready. Come by until six.",
                        "custRef1": {"CustomReference1": f"order-{order}"},
                    }
                    for number in range(100, 104)
                ],
            },
        )
        api.post(
            "/oapi/send_sms",
            {
                "rcs": [
                    {
                        "sender": PROFILE,
                        "messageType": "template",
                        "recipient": "+12025550003",
                        "contentMessage": {
                            "templateMessage": {
                                "templateCode": "on_its_way",
                                "customParams": f'{{"name": "Mei", "order": "{order}"}}',
                            }
                        },
                        "custref1": f"order-{order}",
                    }
                ],
                "fallback": {
                    "fallback_id": "orders",
                    "fallback": True,
                    "waittime": 120,
                    "wa": {
                        "sender": PHONE,
                        "template": "order_sent",
                        "languageCode": "en",
                        "templateComponents": filled,
                    },
                    "sms": {
                        "sender": SENDER,
                        "type": "SI",
                        "messageBody": f"Your order {order} is on its way.",
                    },
                },
            },
        )
        api.post(
            "/oapi/send_sms",
            {
                "wa": [
                    {
                        "messaging_product": "whatsapp",
                        "recipient_type": "individual",
                        "recipient": ["+12025550105", "+447700900106"],
                        "sender": PHONE,
                        "type": "template",
                        "template": {
                            "name": "order_sent",
                            "language": {"code": "en"},
                            "components": filled,
                        },
                    }
                ]
            },
        )
        self.service.admin.post(
            "/admin/v1/sandbox/inbound",
            {
                "from": "+12025550105",
                "to": PHONE,
                "channel": "whatsapp",
                "text": "Thank you! Is there more of the oolong?",
            },
        )
