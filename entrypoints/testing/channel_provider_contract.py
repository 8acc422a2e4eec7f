"""
The contract of channel providers: every adapter runs it, and it knows the port alone.

An adapter's test subclasses `ChannelProviderContract` and says how to make the provider, a config
that it takes, a message that it rejects, how its phones get what was sent, and how its provider
words a receipt. One whose provider signs what it posts subclasses `SignedReportsContract`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from watchword.application.ports.channels import (
    Accepted,
    ChannelProvider,
    Message,
    ProviderReport,
    Rejected,
    SentMessage,
)
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.receipt import ReceiptStatus

MESSAGE = Message(
    reference="pin_orchid:1:sms",
    channel=Channel.SMS,
    channel_account_id="cha_orchid",
    sender="Orchid",
    destination="+919812345610",
    text="Your code is 4711.",
)


def _sent(taken: Accepted) -> SentMessage:
    return SentMessage(
        reference=MESSAGE.reference,
        destination=MESSAGE.destination,
        sender=MESSAGE.sender,
        provider_message_id=taken.provider_message_id,
    )


class ChannelProviderContract:
    """The promises of every channel provider."""

    @pytest.fixture
    def provider(self) -> ChannelProvider:
        """Return a provider."""
        raise NotImplementedError

    @pytest.fixture
    def config(self) -> Mapping[str, Any]:
        """Return settings that it accepts."""
        raise NotImplementedError

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message that it refuses."""
        raise NotImplementedError

    def arrive(self, provider: Any, provider_message_id: str) -> None:
        """Let the recipient have a message that the provider took."""
        raise NotImplementedError

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """Word a receipt as the provider posts it."""
        raise NotImplementedError

    def headers(self, body: bytes) -> Mapping[str, str]:
        """Return the headers that come with it."""
        return {}

    async def test_its_config_is_kept_as_it_checked_it(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A check accepts its own result, and returns it unchanged."""
        kept = provider.check_config(config)

        assert kept == provider.check_config(kept)

    async def test_its_settings_are_declared(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Every member of the config is declared, by itself or as a part of another; none twice (C-63)."""
        names = [each.name for each in provider.settings]

        assert sorted({*names}) == sorted(names)
        assert {*config} <= {name.partition(".")[0] for name in names}

    async def test_an_unknown_member_is_refused_with_its_path(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """An unknown member of the config is named (C-63)."""
        with pytest.raises(ValidationFailedError) as refusal:
            provider.check_config({**config, "tea": "green"})

        assert ["config.tea"] == [each.field for each in refusal.value.problems]

    async def test_a_message_that_it_takes_gets_an_id(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Accepted carries the provider's own id, another one for each message."""
        first = await provider.send(config, MESSAGE)
        second = await provider.send(config, replace(MESSAGE, reference="pin_orchid:2:sms"))

        assert isinstance(first, Accepted)
        assert isinstance(second, Accepted)
        assert first.provider_message_id != second.provider_message_id

    async def test_a_message_that_it_refuses_is_no_exception(
        self, provider: ChannelProvider, config: Mapping[str, Any], rejected: Message
    ) -> None:
        """Rejected says why, in snake case and in words, and never repeats the text."""
        answer = await provider.send(config, rejected)

        assert isinstance(answer, Rejected)
        assert answer.code == answer.code.lower()
        assert "4711" not in answer.message

    async def test_it_serves_many_at_once(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """One object serves all sends, from one event loop."""
        sends = [
            provider.send(config, replace(MESSAGE, reference=f"pin_{number}:1:sms"))
            for number in range(50)
        ]
        answers = await asyncio.gather(*sends)

        assert 50 == len(
            {each.provider_message_id for each in answers if isinstance(each, Accepted)}
        )

    async def test_a_repeated_reference_is_taken_once(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """The same reference has the same id if the provider deduplicates, and only then (C-20)."""
        first, again = await provider.send(config, MESSAGE), await provider.send(config, MESSAGE)

        assert isinstance(first, Accepted)
        assert provider.deduplicates is (first == again)

    @pytest.mark.parametrize("channel", Channel)
    async def test_what_has_not_arrived_is_taken_back_where_the_channel_can(
        self, provider: ChannelProvider, config: Mapping[str, Any], channel: Channel
    ) -> None:
        """Elsewhere nothing is revoked, and nothing fails (C-20)."""
        taken = await provider.send(config, replace(MESSAGE, channel=channel))
        assert isinstance(taken, Accepted)
        outcome = await provider.revoke(config, channel, _sent(taken))

        can = provider.can_revoke(channel)
        assert (RevokeOutcome.REVOKED if can else RevokeOutcome.NOT_REVOKED) == outcome

    @pytest.mark.parametrize("channel", Channel)
    async def test_what_has_arrived_is_not_taken_back(
        self, provider: ChannelProvider, config: Mapping[str, Any], channel: Channel
    ) -> None:
        """If the channel knows, it says that the recipient has the message."""
        taken = await provider.send(config, replace(MESSAGE, channel=channel))
        assert isinstance(taken, Accepted)
        self.arrive(provider, taken.provider_message_id)
        outcome = await provider.revoke(config, channel, _sent(taken))

        can = provider.can_revoke(channel)
        assert (RevokeOutcome.DELIVERED if can else RevokeOutcome.NOT_REVOKED) == outcome

    @pytest.mark.parametrize("status", ReceiptStatus)
    def test_a_receipt_is_read(
        self, provider: ChannelProvider, config: Mapping[str, Any], status: ReceiptStatus
    ) -> None:
        """Id, status and error code are the provider's; the time has its zone (C-34)."""
        error_code = "absent" if status is ReceiptStatus.FAILED else None
        body = self.worded("their-7", status, error_code)
        (report,) = provider.reports(config, self.headers(body), body)

        assert isinstance(report, ProviderReport)
        assert ("their-7", status, error_code) == (
            report.provider_message_id,
            report.receipt.status,
            report.receipt.error_code,
        )
        assert report.receipt.reported_at.tzinfo is not None

    @pytest.mark.parametrize("body", [b"", b"\xff", b"{", b"[" * 100_000])
    def test_what_cannot_be_read_is_refused_in_words(
        self, provider: ChannelProvider, config: Mapping[str, Any], body: bytes
    ) -> None:
        """An unreadable post is refused with a reason, and raises no error of ours."""
        with pytest.raises(ValidationFailedError) as refusal:
            provider.reports(config, self.headers(body), body)

        assert refusal.value.problems


class SignedReportsContract(ChannelProviderContract):
    """The promises of adapters whose providers sign their posts."""

    @pytest.mark.parametrize("body", [None, b"{"])
    def test_what_is_not_signed_is_not_read(
        self, provider: ChannelProvider, config: Mapping[str, Any], body: bytes | None
    ) -> None:
        """A caller without the signature does not learn whether the post is readable (C-34)."""
        body = body or self.worded("their-7", ReceiptStatus.READ, None)
        with pytest.raises(UnauthorizedError):
            provider.reports(config, {}, body)

    def test_a_signature_is_good_for_its_own_body_alone(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """One that was seen on the way signs no other receipt."""
        seen = self.headers(self.worded("their-7", ReceiptStatus.SENT, None))
        with pytest.raises(UnauthorizedError):
            provider.reports(config, seen, self.worded("their-7", ReceiptStatus.READ, None))

    def test_a_signature_in_odd_letters_is_wrong(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A signature with letters that no signature has is refused, without an error."""
        body = self.worded("their-7", ReceiptStatus.SENT, None)
        odd = dict.fromkeys(self.headers(body), "é�")
        with pytest.raises(UnauthorizedError):
            provider.reports(config, odd, body)
