"""The facts of PINs that the follower needs: kept for the newest, and read again for older ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...domain.accounts.channel_account import channel_account_decider
from ...domain.statistics import PinFacts
from ..journal import Journal
from ..ports.event_store import Outline
from .outlines import ISSUED, OF_PINS, channel_accounts_in, evolved, issued_in

# A PIN takes about 600 bytes. Verifications of older PINs cost one read for each batch of events.
MOST_PINS = 20_000
MOST_CHANNEL_ACCOUNTS = 10_000


class FactsOfPins:
    """Reads the facts of PINs from the log, and keeps those of the newest."""

    def __init__(self, journal: Journal, most: int = MOST_PINS) -> None:
        self._journal = journal
        self._most = most
        # The newest are the last.
        self._kept: dict[str, PinFacts] = {}
        self._providers: dict[str | None, str | None] = {None: None}

    def forget(self) -> None:
        """Forget all PINs: the position that they belong to is not the next batch's."""
        self._kept.clear()

    async def before(self, outlines: Iterable[Outline], position: int) -> Mapping[str, PinFacts]:
        """Return the facts, as of a position, of the PINs that later events continue."""
        begun: set[str] = set()
        known: dict[str, PinFacts] = {}
        missing: set[str] = set()
        for each in outlines:
            stream = each.stream
            if each.type == ISSUED:
                begun.add(stream)
            elif stream not in begun and stream not in known:
                facts = self._kept.get(stream)
                if facts is None:
                    missing.add(stream)
                else:
                    known[stream] = facts
        if missing:
            known |= await self._read(missing, position)
        return known

    async def after(
        self, before: Mapping[str, PinFacts], outlines: Iterable[Outline]
    ) -> Mapping[str, PinFacts]:
        """Return the facts after some events, of the PINs of these events, and keep them."""
        outlines = tuple(outlines)
        await self._know_providers(outlines)
        after: dict[str, PinFacts] = {}
        for each in outlines:
            stream = each.stream
            if each.type == ISSUED:
                after[stream] = issued_in(each)
            else:
                facts = after.get(stream) or before[stream]
                after[stream] = evolved(facts, each, self._providers.__getitem__)
        for stream, facts in after.items():
            self._kept.pop(stream, None)
            self._kept[stream] = facts
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return after

    async def _read(self, streams: Collection[str], position: int) -> Mapping[str, PinFacts]:
        histories = await self._journal.outlines_of(streams, position, OF_PINS)
        await self._know_providers(each for history in histories.values() for each in history)
        read: dict[str, PinFacts] = {}
        for stream, (first, *later) in histories.items():
            facts = issued_in(first)
            for each in later:
                facts = evolved(facts, each, self._providers.__getitem__)
            read[stream] = facts
        return read

    async def _know_providers(self, outlines: Iterable[Outline]) -> None:
        if len(self._providers) > MOST_CHANNEL_ACCOUNTS:
            self._providers = {None: None}
        for each in outlines:
            for channel_account_id in channel_accounts_in(each):
                if channel_account_id not in self._providers:
                    self._providers[channel_account_id] = await self._provider(channel_account_id)

    async def _provider(self, channel_account_id: str) -> str | None:
        # A channel account never changes its provider.
        found = await self._journal.recall_if_any(channel_account_decider, channel_account_id)
        return None if found is None else found.state.provider
