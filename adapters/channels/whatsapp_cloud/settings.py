"""The settings of a channel account of the provider `whatsapp_cloud`, and the rules across them (C-63)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from ....application.ports.channels import Setting, SettingKind, checked_config
from ....domain.errors import FieldProblem, ValidationFailedError
from ..http_client.base_urls import address_problem, api_address

BASE_URL = "https://graph.facebook.com"
SIGNING_SETTING = "appSecret"
SETTINGS = (
    Setting(
        name="phoneNumberId",
        required=True,
        secret=False,
        help="The id of the business phone number (not the number itself), from WhatsApp > API Setup.",
    ),
    Setting(
        name="accessToken",
        required=True,
        help="A system user's token with whatsapp_business_messaging and whatsapp_business_management.",
    ),
    Setting(
        name=SIGNING_SETTING,
        required=True,
        help="The app's secret, from App settings > Basic; it checks what Meta posts.",
    ),
    Setting(
        name="verifyToken",
        required=True,
        help="A text of your choice, which you also enter where you set the callback URL.",
    ),
    Setting(
        name="businessAccountId",
        secret=False,
        help="The id of the WhatsApp Business Account; with it, new templates are submitted to Meta.",
    ),
    Setting(name="appId", secret=False, help="The id of the app that has the callback URL."),
    Setting(
        name="baseUrl",
        kind=SettingKind.URL,
        secret=False,
        help=f"Scheme and host of the API; by default {BASE_URL}.",
    ),
)
_IDS = ("phoneNumberId", "businessAccountId", "appId")
_ID = re.compile("[0-9]{1,32}")
# The token goes into a header.
_TOKEN = re.compile("[!-~]+")


@frozen(kw_only=True)
class WhatsappSettings:
    """The checked config of one channel account; `base_url` is scheme and host, without a path."""

    phone_number_id: str
    access_token: str = field(repr=False)
    app_secret: str = field(repr=False)
    verify_token: str = field(repr=False)
    business_account_id: str | None = None
    app_id: str | None = None
    base_url: str = BASE_URL


def settings_of(config: Mapping[str, Any]) -> WhatsappSettings:
    """Return the settings in a checked config."""
    return WhatsappSettings(
        phone_number_id=config["phoneNumberId"],
        access_token=config["accessToken"],
        app_secret=config[SIGNING_SETTING],
        verify_token=config["verifyToken"],
        business_account_id=config.get("businessAccountId"),
        app_id=config.get("appId"),
        base_url=api_address(config, BASE_URL),
    )


def checked_whatsapp_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a config, as `ChannelProvider.check_config` says."""
    checked = checked_config(SETTINGS, config)
    problems = [FieldProblem(f"config.{name}", why) for name, why in _problems(checked)]
    if problems:
        raise ValidationFailedError(problems)
    return checked


def _problems(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in _IDS:
        if not _ID.fullmatch(config.get(name, "0")):
            yield name, "must be an id of Meta: digits alone"
    if not _TOKEN.fullmatch(config["accessToken"]):
        yield "accessToken", "must be a token of Meta: ASCII without blanks"
    problem = address_problem(config.get("baseUrl", BASE_URL), whole=False)
    if problem is not None:
        yield "baseUrl", problem
