"""The promises of a provider about the posts that it hears (C-34, C-70)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from ....application.ports.channels import ChannelProvider, Heard, Post, ProviderReport
from ....domain.accounts.api_key import UnauthorizedError
from ....domain.errors import ValidationFailedError
from ....domain.receipt import ReceiptStatus
from ..contexts import ADDRESS
from .hooks import ContractHooks


class HearingPromises(ContractHooks):
    """The promises about posts."""

    @pytest.mark.asyncio
    async def test_a_provider_without_receipts_hears_nobody(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A post is refused, since nothing could prove where it comes from (C-34)."""
        if self.has_receipts:
            pytest.skip("`has_receipts` is true: posts are expected.")
        for body in (b"", b"{}"):
            with pytest.raises(UnauthorizedError):
                await opened.hear(config, Post(url=f"{ADDRESS}/cha_orchid", body=body))

    @pytest.mark.asyncio
    async def test_a_receipt_is_read(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """It names the message and the status; the time has its zone (C-34)."""
        self._need_receipts()
        for status in self.statuses:
            (report,) = (await opened.hear(config, self.receipt(config, status))).reports

            assert isinstance(report, ProviderReport)
            assert "their-7" in (report.provider_message_id, report.reference)
            assert status is report.receipt.status
            assert (
                self.failed_code if status is ReceiptStatus.FAILED else None
            ) == report.receipt.error_code
            assert report.receipt.reported_at.tzinfo is not None

    @pytest.mark.asyncio
    async def test_a_repeated_post_is_read_again(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Providers repeat posts; the service knows repeated receipts, not the adapter."""
        self._need_receipts()
        post = self.receipt(config, self.a_status())
        first, again = await opened.hear(config, post), await opened.hear(config, post)

        assert [_named(each) for each in first.reports] == [_named(each) for each in again.reports]

    @pytest.mark.asyncio
    async def test_what_cannot_be_read_is_refused_in_words(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """An unreadable post is refused with a reason or counted, and raises no other error (C-70)."""
        self._need_receipts()
        for body in self.unreadable_bodies:
            post = evolve(self.post("their-7", self.a_status()), body=body)
            heard = await _heard(opened, config, self.signed(config, post))

            assert not heard.reports
            assert heard.unreadable, body

    @pytest.mark.asyncio
    async def test_an_unknown_status_is_no_receipt(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A word that providers may add next year moves no message, and is no error of ours."""
        post = self.with_unknown_status()
        if post is None:
            pytest.skip("`with_unknown_status` is not defined.")
        heard = await _heard(opened, config, self.signed(config, post))

        assert not heard.reports

    def _need_receipts(self) -> None:
        if not self.has_receipts:
            pytest.skip("`has_receipts` is false: no posts are expected.")


async def _heard(provider: ChannelProvider, config: Mapping[str, Any], post: Post) -> Heard:
    """Return what is heard in a post; the problems of a refusal count as unreadable parts."""
    try:
        return await provider.hear(config, post)
    except ValidationFailedError as refusal:
        return Heard(unreadable=len(refusal.problems))


def _named(report: object) -> object:
    """Return a report without its time, which some providers leave to us."""
    if not isinstance(report, ProviderReport):
        return report
    receipt = report.receipt
    return (report.provider_message_id, report.reference, receipt.status, receipt.error_code)
