"""What the owner of the tea house set up: channels, templates, a guard policy, access, callbacks."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from tests.browser.served import Api, RefusedError, Served

ACCOUNT, OTHER = "teahouse", "harbour"
SENDER, PHONE, PROFILE, MAIL = "TEAHSE", "+12025550100", "TeaHouse", "codes@tea.example"
PIN_TEMPLATES = ("Log in", "Sign up", "Pay")
PRICES = [
    {"prefix": prefix, "amount": amount, "currency": "EUR"}
    for prefix, amount in (
        ("", "0.09"),
        ("1", "0.0075"),
        ("33", "0.055"),
        ("44", "0.0412"),
        ("49", "0.072"),
        ("61", "0.031"),
        ("91", "0.0021"),
    )
]
_TAKEN = {"outcome": "delivered"}
_CARD = {
    "mediaUrl": "https://tea.example/oolong.jpg",
    "cardTitle": "Spring oolong",
    "cardDescription": "Rolled by hand, [name]. Ten grams come with every order.",
    "suggestions": [
        {"suggestionType": "reply", "displayText": "Send me ten", "postback": "ten"},
        {
            "suggestionType": "url_action",
            "displayText": "Read more",
            "postback": "more",
            "url": "https://tea.example/oolong",
        },
    ],
}
RCS_TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "name": "on_its_way",
        "type": "text_message",
        "textMessageContent": "Hello [name], your order [order] is on its way to you.",
        "suggestions": [{"suggestionType": "reply", "displayText": "Thanks", "postback": "ok"}],
    },
    {
        "name": "spring",
        "type": "rich_card",
        "orientation": "VERTICAL",
        "height": "TALL_HEIGHT",
        "standAlone": _CARD,
    },
    {
        "name": "tasting",
        "type": "carousel",
        "height": "TALL_HEIGHT",
        "width": "MEDIUM_WIDTH",
        "carouselList": [
            _CARD,
            {**_CARD, "cardTitle": "Winter pu-erh"},
            {**_CARD, "cardTitle": "Jasmine pearls"},
        ],
    },
)
WHATSAPP_TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "name": "order_sent",
        "language": "en",
        "category": "UTILITY",
        "components": [
            {"type": "HEADER", "format": "TEXT", "text": "On its way"},
            {
                "type": "BODY",
                "text": "Hello {{1}}, your order {{2}} is on its way to you.",
                "example": {"body_text": [["Mei", "4711"]]},
            },
            {"type": "FOOTER", "text": "Tea House"},
            {
                "type": "BUTTONS",
                "buttons": [
                    {"type": "URL", "text": "Follow it", "url": "https://tea.example/orders"},
                    {"type": "QUICK_REPLY", "text": "Not at home"},
                ],
            },
        ],
    },
    {
        "name": "new_teas",
        "language": "en",
        "category": "MARKETING",
        "components": [
            {"type": "BODY", "text": "The teas of the season are here."},
            {"type": "FOOTER", "text": "Reply STOP to hear no more of us"},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Stop"}]},
        ],
    },
)
GUARD = {
    "numbers": {"mode": "enforce"},
    "guesses": {"mode": "enforce", "limit": "20/1d"},
    "countries": {"mode": "enforce", "refuse": ["CU", "TJ", "KZ"]},
    "unverified": {
        "country": {"mode": "record", "limit": "200/1d"},
        "prefix": {"mode": "enforce", "limit": "6/1h"},
        "ip": {"mode": "enforce", "limit": "6/1h"},
    },
    "sends": {"account": {"mode": "record", "limit": "5000/1d"}},
    "verifiedPass": "90d",
}


def set_up(service: Served, receiver: str) -> str:
    """Set up the accounts; return the API key of the tea house."""
    admin = service.admin
    for name in (ACCOUNT, OTHER):
        admin.post("/admin/v1/accounts", {"name": name})
        _channels(admin, name)
    key: str = admin.post("/admin/v1/api-keys", {"account": ACCOUNT, "name": "shop"})["key"]
    _message_templates(service, key)
    _pin_templates(admin)
    _access(admin)
    admin.call("PUT", "/admin/v1/guard", GUARD, account=ACCOUNT)
    for path, events in (("orders", ["pin.verified"]), ("broken", ["message.inbound"])):
        body = {"account": ACCOUNT, "url": f"{receiver}/{path}", "events": events}
        admin.post("/admin/v1/callbacks", body)
    admin.post(
        "/admin/v1/fallback-configurations",
        {"account": ACCOUNT, "fallback_id": "orders", "steps": ["whatsapp", "sms"]},
    )
    return key


def _channels(admin: Api, account: str) -> None:
    def created(channel: str, name: str, sender: str, **more: object) -> str:
        body = {"account": account, "channelType": channel, "provider": "sandbox", "name": name}
        answer = admin.post(
            "/admin/v1/channel-accounts", {**body, "sender": sender, "config": _TAKEN, **more}
        )
        return str(answer["id"])

    second = created("sms", "Second carrier", SENDER, prices=PRICES)
    limits = {"concurrency": 32, "ratePerSecond": 50, "timeoutSeconds": 5}
    created("sms", "First carrier", SENDER, prices=PRICES, limits=limits, failover=[second])
    created("whatsapp", "WhatsApp", PHONE, prices=PRICES)
    created("rcs", "RCS", PROFILE)
    created("email", "Mail", MAIL)
    config = {
        "url": "https://sms.example/send",
        "method": "POST",
        "auth": {"bearer": "a-token-of-this-carrier"},
        "accepted": {"idPath": "id"},
        "body": '{"to": "{{destination}}", "text": "{{text}}"}',
    }
    old = created("sms", "Carrier of last year", "OLDTEA", provider="http", config=config)
    admin.post(f"/admin/v1/channel-accounts/{old}/disable")


def _pin_templates(admin: Api) -> None:
    sms = {"channelType": "sms", "contentText": "{{pin}} is your code for the Tea House."}
    mail = {
        "channelType": "email",
        "subjectText": "Your code for the Tea House",
        "contentText": "Your code is {{pin}}. It is valid for ten minutes.",
    }
    whatsapp = {"channelType": "whatsapp", "contentText": "{{pin}} is your code."}
    wide = {"sendPinPerPhoneNumberLimit": "1000/1d", "sendPinPerTemplateLimit": "100000/1d"}
    there = ([{**sms, "isDefault": True}, whatsapp, mail], [sms, mail], [whatsapp, sms])
    for name, channels in zip(PIN_TEMPLATES, there, strict=True):
        body = {"account": ACCOUNT, "name": name, "channels": channels, **wide}
        admin.post("/admin/v1/pin-templates", body)
    for name, act in (("Log in 2024", "archive"), ("Log in of next year", "disable")):
        body = {"account": ACCOUNT, "name": name, "channels": [sms]}
        made = admin.post("/admin/v1/pin-templates", body)
        admin.post(f"/admin/v1/pin-templates/{made['id']}/{act}")


def _message_templates(service: Served, key: str) -> None:
    for template in RCS_TEMPLATES:
        post_form(
            service.address,
            "/rcs/templates",
            key,
            data=json.dumps(template),
            sender_profile_name=PROFILE,
            update_by="owner",
            message_type="Transactional",
        )
    for template in WHATSAPP_TEMPLATES:
        Api(service.address, {"apikey": key}).post("/wa/templates", template)
    admin = service.admin
    admin.post("/admin/v1/rcs-templates/on_its_way/approve", {"account": ACCOUNT})
    reason = "The picture shows no tea."
    admin.post("/admin/v1/rcs-templates/tasting/reject", {"account": ACCOUNT, "reason": reason})
    admin.post("/admin/v1/wa-templates/order_sent/approve", {"account": ACCOUNT, "language": "en"})


def _access(admin: Api) -> None:
    admin.post("/admin/v1/api-keys", {"account": ACCOUNT, "name": "checkout", "scopes": ["pins"]})
    for token, role, bound in (("Night shift", "operator", ACCOUNT), ("Audit", "auditor", None)):
        body = {"name": token, "role": role, "account": bound}
        admin.post("/admin/v1/tokens", body)
    admin.post(
        "/admin/v1/legacy-users",
        {"account": ACCOUNT, "email": "till@tea.example", "password": "a long password"},
    )
    until = (datetime.now(UTC) + timedelta(days=30)).isoformat(timespec="seconds")
    reviewer = {"destination": "+12025550199", "code": "424242", "until": until}
    admin.post("/admin/v1/test-destinations", {"account": ACCOUNT, **reviewer})


def post_form(address: str, path: str, key: str, **texts: str) -> None:
    """Post the texts of a form, as the RCS templates' create wants them."""
    edge = "tea-leaves"
    parts = "".join(
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
        for name, text in texts.items()
    )
    line = HTTPConnection(urlsplit(address).netloc, timeout=60)
    headers = {"apikey": key, "Content-Type": f"multipart/form-data; boundary={edge}"}
    line.request("POST", path, f"{parts}--{edge}--\r\n".encode(), headers)
    response = line.getresponse()
    answer = response.read()
    line.close()
    if (200, "success") != (response.status, json.loads(answer).get("status")):
        raise RefusedError(f"POST {path}", 400, answer)
