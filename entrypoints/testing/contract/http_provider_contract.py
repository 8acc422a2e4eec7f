"""The promises of providers that call an HTTP API about its answers (C-68)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, ClassVar

import pytest
import pytest_asyncio

from ....application.ports.channels import Accepted, ChannelProvider, Fault, Rejected, Unknown
from ..faulty_http import Answering, FaultyHttp
from ..http_exchanges import HttpAnswer
from .hooks import ContractHooks, sent

_ELSEWHERE = "/watchword-elsewhere"
_PADDING = b" " * 10_000_000


class HttpProviderContract(ContractHooks):
    """
    The promises of adapters that call an HTTP API, about the answers to a send.

    Inherit it beside `ChannelProviderContract` or `SignedReportsContract`, and define `config_at` and
    `acceptance`. The server is a `FaultyHttp` of the suite.
    """

    # Statuses of a refusal that another account may not get, and of one that asks to wait.
    account_statuses: ClassVar[Sequence[int]] = (401, 403)
    busy_statuses: ClassVar[Sequence[int]] = (429, 503)
    # Statuses after which nobody knows whether the message was taken.
    unknown_statuses: ClassVar[Sequence[int]] = (500, 502, 504)
    redirect_statuses: ClassVar[Sequence[int]] = (301, 302, 303, 307, 308)

    def config_at(self, url: str) -> Mapping[str, Any]:
        """Return the config of a channel account whose API is at an address."""
        raise NotImplementedError("Define `config_at`.")

    def acceptance(self) -> HttpAnswer:
        """Return the answer of an API that takes a message."""
        raise NotImplementedError("Define `acceptance`.")

    def refusal(self) -> HttpAnswer:
        """Return the answer of an API that refuses a message, with a status of 4xx."""
        return HttpAnswer.json({}, 400)

    def answering(self, answer: HttpAnswer) -> Answering:
        """Return the script of a server that gives this answer; defined by adapters that log in first."""
        return answer

    @pytest_asyncio.fixture
    async def web(self) -> AsyncIterator[FaultyHttp]:
        """Yield the server."""
        async with FaultyHttp() as web:
            yield web

    @pytest.mark.asyncio
    async def test_a_refusal_by_status_is_a_rejection(
        self, opened: ChannelProvider, web: FaultyHttp
    ) -> None:
        """After 4xx the API did not take the message."""
        answer = await self._answer(opened, web, self.refusal())

        assert isinstance(answer, Rejected), answer

    @pytest.mark.asyncio
    async def test_a_refused_log_in_is_a_fault_of_the_account(
        self, opened: ChannelProvider, web: FaultyHttp
    ) -> None:
        """Another channel account may do better (C-69)."""
        for status in self.account_statuses:
            answer = await self._answer(opened, web, HttpAnswer(status=status))

            assert isinstance(answer, Rejected), (status, answer)
            assert Fault.ACCOUNT is answer.fault, (status, answer)

    @pytest.mark.asyncio
    async def test_a_busy_api_is_busy(self, opened: ChannelProvider, web: FaultyHttp) -> None:
        """Another channel account is tried, and this one again after a while (C-69)."""
        for status in self.busy_statuses:
            answer = await self._answer(opened, web, HttpAnswer(status=status))

            assert isinstance(answer, Rejected), (status, answer)
            assert Fault.BUSY is answer.fault, (status, answer)

    @pytest.mark.asyncio
    async def test_an_error_of_the_api_is_unknown(
        self, opened: ChannelProvider, web: FaultyHttp
    ) -> None:
        """It may have taken the message before it failed; the request is not repeated."""
        for status in self.unknown_statuses:
            for each in (HttpAnswer(), self.refusal(), self.acceptance()):
                # A body that says more does not make the status certain.
                answer = await self._answer(opened, web, each.but(status=status))

                _assert_unknown(answer, f"status {status} with {each.body!r}")

    @pytest.mark.asyncio
    async def test_no_redirect_is_followed(self, opened: ChannelProvider, web: FaultyHttp) -> None:
        """A second request would have the text and the secrets, and may send twice."""
        for status in self.redirect_statuses:
            url = f"{web.url}{_ELSEWHERE}"
            answer = await self._answer(opened, web, HttpAnswer.redirect(url, status))

            _assert_unknown(answer, f"redirect {status}")
            assert [] == [each.target for each in web.requests if _ELSEWHERE in each.target]

    @pytest.mark.asyncio
    async def test_an_answer_that_is_cut_is_unknown(
        self, opened: ChannelProvider, web: FaultyHttp
    ) -> None:
        """The API had the whole request."""
        whole = self.acceptance()
        size = len(whole.written())
        for cut_at in (0, 10, size - len(whole.body), size - 1):
            answer = await self._answer(opened, web, whole.but(cut_at=cut_at))

            _assert_unknown(answer, f"cut after {cut_at} of {size} bytes")

    @pytest.mark.asyncio
    async def test_a_success_without_an_id_is_unknown(
        self, opened: ChannelProvider, web: FaultyHttp
    ) -> None:
        """No receipt could find the message."""
        for body in (b"", b"{}", b"[]", b"null", b"{"):
            answer = await self._answer(opened, web, self.acceptance().but(body=body))

            _assert_unknown(answer, f"body {body!r}")

    @pytest.mark.asyncio
    async def test_no_long_answer_is_read_to_its_end(
        self, opened: ChannelProvider, web: FaultyHttp
    ) -> None:
        """The id stands behind 10 MB of blanks, and an adapter with a limit never comes to it."""
        whole = self.acceptance()
        answer = await self._answer(opened, web, whole.but(body=_PADDING + whole.body))

        _assert_unknown(answer, "an answer of 10 MB")

    async def _answer(
        self, provider: ChannelProvider, web: FaultyHttp, answer: HttpAnswer
    ) -> object:
        """Send a message to a server with an answer; return the adapter's, or the exception."""
        config = provider.check_config(self.config_at(web.url))
        channel = self.channels(provider)[0]
        web.says(self.answering(self.acceptance()))
        taken: object = await sent(provider, config, self.message(channel))
        assert isinstance(taken, Accepted), f"`acceptance` was answered with {taken}"
        web.says(self.answering(answer))
        before = len(web.requests)
        try:
            said: object = await sent(provider, config, self.message(channel, 2))
        except Exception as error:
            # It counts as unknown, as in the service.
            said = error
        news = [(each.method, each.target) for each in web.requests[before:]]
        assert len({*news}) == len(news), f"a request was repeated: {news}"
        return said


def _assert_unknown(answer: object, where: str) -> None:
    """Assert that an adapter says that nobody knows; an exception says it, too."""
    assert isinstance(answer, Unknown | Exception), f"{where}: {answer}"
