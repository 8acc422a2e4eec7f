"""Short links for embedders (C-29, C-44)."""

from __future__ import annotations

import pytest

import watchword
from tests.entrypoints.messaging.sends import SMS
from watchword.domain.errors import NotFoundError, ValidationFailedError

MENU = "https://tea.example/menu"
SEE = {**SMS, "messageBody": f"See {MENU}"}
SHORTENER = {"flag": 1, "urlDetails": [{"longUrl": MENU}]}


async def test_an_embedder_leads_its_own_links_on() -> None:
    """Links have the embedder's address; a click counts unless the call says otherwise."""
    async with watchword.open(
        "memory://", sandbox=True, public_url="https://go.example/"
    ) as service:
        await service.messages.send("demo", sms=[SEE], url_shortener=SHORTENER)
        assert service.sandbox is not None
        (sent,) = service.sandbox.provider.outbox()
        address, _, code = sent.text.removeprefix("See ").rpartition("/")

        assert "https://go.example/s" == address
        assert MENU == await service.short_links.follow(code)
        assert MENU == await service.short_links.follow(code, counted=False)
        log = await service.events.list()
        assert 1 == [each.type for each in log].count("ShortLinkClicked")
        with pytest.raises(NotFoundError):
            await service.short_links.follow("x" * 16)


async def test_an_embedder_without_an_address_has_no_links() -> None:
    """No address would redirect them."""
    async with watchword.open("memory://", sandbox=True) as service:
        with pytest.raises(ValidationFailedError) as refusal:
            await service.messages.send("demo", sms=[SEE], url_shortener=SHORTENER)

        assert "urlShortener.urlDetails[0].domain" in str(refusal.value.details)


async def test_an_embedder_disables_a_link_and_enables_it_again() -> None:
    """The call takes its code; meanwhile the link redirects nobody (C-95)."""
    async with watchword.open(
        "memory://", sandbox=True, public_url="https://go.example/"
    ) as service:
        await service.messages.send("demo", sms=[SEE], url_shortener=SHORTENER)
        assert service.sandbox is not None
        code = service.sandbox.provider.outbox()[0].text.rpartition("/")[2]
        disabled = await service.short_links.disable(code)
        with pytest.raises(NotFoundError):
            await service.short_links.follow(code)
        enabled = await service.short_links.enable(code)

        assert disabled.disabled_at is not None
        assert enabled.disabled_at is None
        assert MENU == await service.short_links.follow(code)
