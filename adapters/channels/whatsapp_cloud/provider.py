"""The provider `whatsapp_cloud`: sends and hears WhatsApp messages by Meta's Cloud API (C-63)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ....application.ports.channels import (
    Accepted,
    ChannelProvider,
    Connected,
    Context,
    Heard,
    MediaFile,
    Message,
    Post,
    Rejected,
    Setting,
    Submitted,
    TemplateReview,
    Unknown,
    Webhook,
)
from ....domain.channel import Channel, ChannelName
from ....domain.whatsapp_template import TemplateDefinition
from ...checked_addresses import CheckedAddresses, LookUp
from ...public_addresses import is_public_or_own
from ..http_client.keep_alive import KeepAliveClients
from .hearing.reading_posts import heard
from .sending import probed, sent
from .settings import SETTINGS, SIGNING_SETTING, checked_whatsapp_config, settings_of
from .templates import Submissions, looked_up
from .webhooks import webhook_set


class WhatsappCloudProvider(ChannelProvider):
    """
    Sends PINs, templates and session messages by Meta's Cloud API.

    Meta can neither revoke a message nor recognize a repeated one, and the time to live of a code is its
    template's (C-99). `look_up` resolves names in place of the system's resolver.
    """

    def __init__(self, look_up: LookUp | None = None) -> None:
        # Hosts are the operator's choice: private ones are allowed, link-local ones never (C-63).
        self._addresses = CheckedAddresses(is_public_or_own, look_up)
        self._clients = KeepAliveClients(self._addresses)
        self._submissions = Submissions(self._clients, self._media)
        self._context: Context | None = None
        self._now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def settings(self) -> Sequence[Setting]:
        """The settings of C-63."""
        return SETTINGS

    @property
    def channels(self) -> Collection[ChannelName]:
        """WhatsApp alone."""
        return (Channel.WHATSAPP,)

    @property
    def signing_setting(self) -> str:
        """The app's secret: one address hears for all phone numbers of an app (C-99)."""
        return SIGNING_SETTING

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check a config, and the form of its ids."""
        return checked_whatsapp_config(config)

    async def open(self, context: Context) -> None:
        """Begin with the service's clock; connections begin with the first send."""
        self._now = context.now
        self._context = context

    async def close(self) -> None:
        """Close all connections."""
        await self._clients.close()
        self._addresses.close()

    async def probe(self, config: Mapping[str, Any]) -> Connected | Rejected | Unknown:
        """Ask Meta for the phone number, with the token; nothing is sent."""
        return await probed(self._clients, self._addresses, settings_of(config))

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Send a message with one request, which is never repeated."""
        return await sent(self._clients, settings_of(config), message)

    def submits_templates(self, config: Mapping[str, Any]) -> bool:
        """Submit the templates of a channel account that names its business account (C-99)."""
        return "businessAccountId" in config

    async def submit_template(
        self, config: Mapping[str, Any], template: TemplateDefinition
    ) -> Submitted | Rejected | Unknown:
        """Submit a template to the business account, or adopt the one that it has."""
        return await self._submissions.submit(settings_of(config), template)

    async def template_states(
        self, config: Mapping[str, Any]
    ) -> Sequence[TemplateReview] | Rejected | Unknown:
        """Look up Meta's decisions on all templates of the business account."""
        return await looked_up(self._clients, settings_of(config))

    async def set_webhook(
        self, config: Mapping[str, Any], url: str
    ) -> Webhook | Rejected | Unknown:
        """Have Meta post what concerns the phone number to an address."""
        return await webhook_set(self._clients, settings_of(config), url)

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """Answer Meta's challenge, or read what it posts, after its signature."""
        return await heard(config, post, self._now())

    async def _media(self, media_id: str, most_bytes: int) -> MediaFile | None:
        return None if self._context is None else await self._context.media(media_id, most_bytes)
