"""Fills in the form of a PIN template as a browser would."""

from __future__ import annotations

from tests.entrypoints.console.visitor import Shown

NEW = "/templates/pin/new"


def fields(**given: str) -> dict[str, str]:
    """Return the fields of a template with one SMS entry; `__` in a name stands for its entry's path."""
    usual = {
        "name": "Sign in",
        "pinLength": "6",
        "pinType": "numeric",
        "pinAttempts": "5",
        "pinTimeToLive": "10m",
        "verifyPinLimit": "1/3s",
        "sendPinPerTemplateLimit": "10000/1d",
        "sendPinPerPhoneNumberLimit": "5/1d",
        "resendCooldown": "30s",
        "receipt": "",
        "defaultChannel": "0",
        "channels[0].channelType": "sms",
        "channels[0].used": "true",
        "channels[0].contentText": "{{pin}} is your code.",
        "channels[1].channelType": "whatsapp",
        "channels[2].channelType": "email",
    }
    spelled = {name.replace("sms__", "channels[0]."): text for name, text in given.items()}
    spelled = {name.replace("wa__", "channels[1]."): text for name, text in spelled.items()}
    spelled = {name.replace("email__", "channels[2]."): text for name, text in spelled.items()}
    return {**usual, **spelled}


def id_of(shown: Shown) -> str:
    """Return the id of the template on whose page a visitor is."""
    return shown.url.partition("?")[0].rpartition("/")[2]
