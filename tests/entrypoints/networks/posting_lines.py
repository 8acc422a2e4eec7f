"""Counterparts that post what they have to say to the address of a channel account."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tests.adapters.channels.rcs_business.google import AGENT, event, posted, signature
from tests.adapters.channels.whatsapp_cloud.graph_server import (
    PHONE_NUMBER_ID,
    GraphServer,
    graph_server,
)
from tests.adapters.channels.whatsapp_cloud.hearing import metas_posts
from tests.entrypoints.networks.accounts import Account
from tests.entrypoints.networks.phones import Phones
from tests.entrypoints.networks.rbm import Rbm, rbm
from tests.entrypoints.networks.sms_gateway import SmsGateway, sms_gateway

Posted = tuple[bytes, Mapping[str, str]]
_JSON = {"Content-Type": "application/json"}


class PostingLine:
    """
    A `Line` that signs posts.

    `other_secret` are the settings of another account there, which checks posts by another secret.
    """

    other_secret: Mapping[str, Any]

    def reported(self, status: str = "delivered") -> Posted:
        """Return the post that reports a status of the newest message."""
        raise NotImplementedError

    def written(self, person: str, text: str) -> Posted:
        """Return the post that passes on a message from a person."""
        raise NotImplementedError

    async def report(self, account: Account) -> None:
        """Report that the newest message was delivered."""
        assert 200 == await account.post(*self.reported())

    async def pass_on(self, account: Account, person: str, text: str) -> None:
        """Pass on a message from a person."""
        assert 200 == await account.post(*self.written(person, text))


class GatewayLine(PostingLine):
    """An HTTP gateway that a config describes; a token in its address stands for a signature."""

    provider = "http"
    channel = "sms"
    sender = "TEAHOUSE"

    def __init__(self, gateway: SmsGateway) -> None:
        self.gateway = gateway
        # Each account has a token of its own, which the service makes.
        self.config = self.other_secret = gateway.config

    @property
    def texts(self) -> list[str]:
        """The texts that it took."""
        return [each["text"] for each in self.gateway.taken]

    def reported(self, status: str = "delivered") -> Posted:
        """Return the post that reports a status of the newest message."""
        return self.reported_of(self.gateway.taken[-1]["id"], status)

    def reported_of(self, message_id: str, status: str = "delivered") -> Posted:
        """Return the post that reports a status of any message."""
        return json.dumps({"id": message_id, "state": status}).encode(), _JSON

    def written(self, person: str, text: str) -> Posted:
        """Return the post that passes on a message from a person."""
        return json.dumps({"from": person, "to": self.sender, "said": text}).encode(), _JSON


class GraphLine(PostingLine):
    """Meta's Graph API, and its webhooks."""

    provider = "whatsapp_cloud"
    channel = "whatsapp"
    sender = "+15550100"

    def __init__(self, graph: GraphServer) -> None:
        self.graph = graph
        self.config = graph.config
        self.other_secret = {**graph.config, "appSecret": "another app's"}

    @property
    def texts(self) -> list[str]:
        """The contents that it took, as JSON."""
        return [json.dumps(each[each["type"]]) for each in self.graph.taken]

    @property
    def newest(self) -> str:
        """Meta's id of the newest message."""
        person = str(self.graph.taken[-1]["to"]).lstrip("+")
        return f"wamid.HBgL{person}AgARGBI{len(self.graph.taken) - 1:08X}AA=="

    def reported(self, status: str = "delivered") -> Posted:
        """Return the post that reports a status of the newest message."""
        said = metas_posts.status(self.newest, status, at="1795413600")
        return self._signed(metas_posts.statuses(said, phone=PHONE_NUMBER_ID))

    def written(self, person: str, text: str) -> Posted:
        """Return the post that passes on a message from a person."""
        said = metas_posts.written("text", {"body": text}, **{"from": person.lstrip("+")})
        return self._signed(metas_posts.inbound(said, phone=PHONE_NUMBER_ID))

    def _signed(self, document: Any) -> Posted:
        body = json.dumps(document).encode()
        return body, {**metas_posts.signed(body, self.config["appSecret"]), **_JSON}


class RbmLine(PostingLine):
    """Google's RCS network."""

    provider = "rcs_business"
    channel = "rcs"
    sender = "Watchword"

    def __init__(self, network: Rbm) -> None:
        self.rbm = network
        self.config = network.config
        self.other_secret = {**network.config, "webhookToken": "another webhook's"}

    @property
    def texts(self) -> list[str]:
        """The contents that it took, as JSON."""
        return [json.dumps(each) for each in self.rbm.google.taken.values()]

    def reported(self, status: str = "delivered") -> Posted:
        """Return the post that reports a status of the newest message."""
        return _of_google(event(status.upper(), self.rbm.newest))

    def written(self, person: str, text: str) -> Posted:
        """Return the post that passes on a message from a person."""
        said = {"senderPhoneNumber": person, "messageId": "from-a-person", "text": text}
        return _of_google({**said, "agentId": AGENT, "sendTime": "2026-11-23T06:00:00Z"})


def _of_google(said: Mapping[str, Any]) -> Posted:
    body = posted(said)
    return body, {**signature(body), **_JSON}


@asynccontextmanager
async def gateway_line() -> AsyncIterator[GatewayLine]:
    """Run a gateway."""
    async with sms_gateway(Phones()) as gateway:
        yield GatewayLine(gateway)


@asynccontextmanager
async def graph_line() -> AsyncIterator[GraphLine]:
    """Run Meta's API, which has a template of a code, and the demo's."""
    async with graph_server() as graph:
        graph.templates["login_code", "en_US"] = (1, 1)
        graph.templates["demo", "en"] = (2, 0)
        yield GraphLine(graph)


@asynccontextmanager
async def rbm_line() -> AsyncIterator[RbmLine]:
    """Run Google's network, whose phones are off."""
    async with rbm(Phones()) as network:
        yield RbmLine(network)
