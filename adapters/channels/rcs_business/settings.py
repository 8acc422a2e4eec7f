"""The settings of a channel account of the provider `rcs_business` (C-63)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from attrs import field, frozen

from ....application.ports.channels import Setting, SettingKind, checked_config
from ....domain.errors import FieldProblem, ValidationFailedError
from ..http_client.base_urls import address_problem
from .addresses import REGIONS, service_address
from .service_accounts import (
    ServiceAccount,
    kept_members,
    service_account_in,
    service_account_problems,
)

_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
# The addresses of agents end like this. The API wants the part before it.
_AGENT_DOMAIN = "@rbm.goog"
SETTINGS = (
    Setting(
        name="agentId",
        required=True,
        secret=False,
        help="The agent's id in the Business Communications console, such as welcome_bot_agent.",
    ),
    Setting(
        name="serviceAccount",
        kind=SettingKind.JSON,
        required=True,
        help="The JSON object in the key file of the service account that the console makes.",
    ),
    Setting(
        name="webhookToken",
        required=True,
        help="The clientToken that the console shows beside the webhook.",
    ),
    Setting(
        name="region",
        kind=SettingKind.CHOICE,
        choices=REGIONS,
        secret=False,
        peer=True,
        help="The region of the agent, whose service then answers; by default the nearest one.",
    ),
    Setting(
        name="baseUrl",
        kind=SettingKind.URL,
        secret=False,
        peer=True,
        help="Another address of the service, scheme and host, in place of the region's.",
    ),
)


@frozen(kw_only=True)
class RcsSettings:
    """The checked config of one channel account."""

    agent_id: str
    service_account: ServiceAccount = field(repr=False)
    webhook_token: str = field(repr=False)
    base_url: str

    @property
    def client(self) -> str:
        """The name of the connections that calls with these settings share."""
        return f"{self.base_url} {self.agent_id}"


def settings_of(config: Mapping[str, Any]) -> RcsSettings:
    """Return the settings in a checked config."""
    parts = urlsplit(config.get("baseUrl") or service_address(config.get("region")))
    return RcsSettings(
        agent_id=config["agentId"],
        service_account=service_account_in(config["serviceAccount"]),
        webhook_token=config["webhookToken"],
        base_url=f"{parts.scheme}://{parts.netloc}",
    )


def bare_agent(agent_id: str) -> str:
    """Return an agent's id without its domain, which some posts and consoles show."""
    return agent_id.removesuffix(_AGENT_DOMAIN)


def checked_rcs_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a config, and return the form to store, as `ChannelProvider.check_config` says."""
    checked = checked_config(SETTINGS, config)
    problems = [FieldProblem(f"config.{name}", why) for name, why in _problems(checked)]
    if problems:
        raise ValidationFailedError(problems)
    return {
        **checked,
        "agentId": bare_agent(checked["agentId"]),
        "serviceAccount": kept_members(checked["serviceAccount"]),
    }


def _problems(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not _AGENT.fullmatch(bare_agent(config["agentId"])):
        yield "agentId", "must be the id of an agent, such as welcome_bot_agent"
    for name, why in service_account_problems(config["serviceAccount"]):
        yield f"serviceAccount.{name}".rstrip("."), why
    if "baseUrl" not in config:
        return
    if (problem := address_problem(config["baseUrl"], whole=False)) is not None:
        yield "baseUrl", problem
    if "region" in config:
        yield "region", "is a part of baseUrl; leave one of them out"
