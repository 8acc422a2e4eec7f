"""Walk through all streams, in step with all data kept for each (C-91)."""

from __future__ import annotations

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from ...domain.callback_endpoint import OPERATORS
from ...domain.consent import Consent
from ...domain.event import ERASED
from ...domain.media import Media
from ...domain.person import ErasedPerson
from ..data_requests.erasure_stages import END
from ..messages.opt_lists.consents import consent_id
from ..ports.event_store import DueKind
from ..ports.person_keys import PersonKeys
from ..ports.sealer import INDEX
from ..ports.snapshot import Held, KeptDue, KeptRow, KeptSeal, Snapshot
from ..records import REPLAYED, held_by, row_of
from ..records.read_model import Row
from .answers import Answers, Codes, Named, answer_differences
from .counted.counted_uses import CountedUses
from .counted.tallies import CountedTallies
from .differences import Difference, Kind, holder_difference, row_differences
from .due_rows_and_seals import (
    Wanted,
    due_differences,
    is_of_content,
    is_unreadable,
    needs_seal,
    seal_difference,
    seal_differences,
    wanted_due,
)
from .holders import holder_differences, holds_erased
from .hosted_files import HostedFiles, file_difference
from .lookahead import Lookahead
from .media_totals import MediaTotals
from .named_people import NamedPeople
from .pruned_positions import NOTHING_PRUNED, PrunedPositions, PrunedStream
from .replaying import Replaying
from .sealed_owners import SealedOwners
from .sorting import Sorting


class WalkingStreams:
    """
    Reads streams, rows, holders, due rows, seal keys, answers and files side by side, each in order.

    The walk adds the uses that decisions counted to `uses`, media to `totals`, and people
    to `people` and `owners`, and what budgets count to `tallies`.
    Failed work is put off, so a row may be due until `latest`. Without `keys`, neither ids of
    consents nor holders of personal subjects are compared. `lost` says that the store lost its code key.
    A walk beside a service lets it `pause` after each event.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        *,
        answers: Answers,
        files: HostedFiles | None,
        names: Sequence[str],
        uses: Sorting,
        totals: MediaTotals,
        people: NamedPeople,
        owners: SealedOwners,
        tallies: CountedTallies,
        step: timedelta,
        latest: datetime,
        keys: PersonKeys | None,
        lost: bool,
        advance: Callable[[], None],
        pruned: PrunedPositions = NOTHING_PRUNED,
        pause: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._files = files
        self.uses = CountedUses(uses, pruned)
        self._totals = totals
        self._people = people
        self._owners = owners
        self._tallies = tallies
        self._step = step
        self._latest = latest
        self._advance = advance
        self._pause = pause
        self._keys = keys
        self._lost = lost
        self._pruned = pruned
        self._pruned_of = PrunedStream(pruned)
        self._rows = {each.row: Lookahead(snapshot.rows(each.row), _key) for each in REPLAYED}
        self._holders = Lookahead(snapshot.holders(), _holder)
        self._due = Lookahead(_of_streams(snapshot.due()), _stream)
        self._seals = Lookahead(snapshot.seals(), _name)
        self._answers = Lookahead(answers.by_stream(), _named)
        self._names = Lookahead(_walked(names), str)
        self.events = 0
        self.streams = 0

    async def differences(self) -> AsyncIterator[Difference]:
        """Yield all differences between the streams and the kept data."""
        replay: Replaying | None = None
        codes = Codes()
        async for kept in self._snapshot.events():
            if replay is None or replay.stream != kept.stream:
                if replay is not None:
                    async for each in self._compared(replay, codes):
                        yield each
                replay, codes = Replaying(kept.stream, self._step), Codes()
                self._pruned_of = PrunedStream(self._pruned)
                self.streams += 1
            for each in replay.take(kept):
                yield each
            for each in self._pruned_of.take(kept):
                yield each
            self.uses.take(replay)
            self._totals.take(kept, replay.state)
            self._people.take(kept, replay.state)
            self._owners.take(kept)
            self._tallies.take(kept, replay.state, broken=replay.broken)
            if kept.event is not None:
                codes.take(kept.event)
            self.events += 1
            self._advance()
            if self._pause is not None:
                await self._pause()
        if replay is not None:
            async for each in self._compared(replay, codes):
                yield each
        async for each in self._strays(None):
            yield each

    async def _compared(self, replay: Replaying, codes: Codes) -> AsyncIterator[Difference]:
        stream, state = replay.stream, replay.state
        for each in replay.end():
            yield each
        async for each in self._strays(stream):
            yield each
        rows = {kind: await lookahead.under(stream) for kind, lookahead in self._rows.items()}
        subjects = {held.subject for held in await self._holders.under(stream)}
        due = await self._due.under(stream)
        seals = await self._seals.under(stream)
        names = await self._names.under(stream)
        account_id = getattr(state, "account_id", None)
        for each in answer_differences(await self._answers.under(stream), codes, account_id):
            yield each
        if replay.broken or self._pruned_of.is_under_way:
            return
        row: Row | None = None
        holds: Collection[str] = frozenset()
        wanted: Sequence[Wanted] = ()
        keys = False
        try:
            if not self._pruned_of.is_gone:
                row, holds, keys = row_of(stream, state), held_by(state), needs_seal(state)
                wanted = wanted_due(stream, state)
            if self._lost and is_unreadable(state):
                # The loss took the key while receipts waited, and left a holder that nobody can name.
                holds, subjects, keys = frozenset(), set(), bool(seals)
        except Exception:
            # A forged event can lead to any error, which must not stop the audit.
            yield replay.impossible_state()
            return
        self._note_erasures(stream, state, rows, holds, subjects, due)
        for kind, found in rows.items():
            for each in row_differences(kind, stream, row if type(row) is kind else None, found):
                yield each
        for each in chain(
            holder_differences(stream, holds, subjects, self._keys),
            due_differences(stream, wanted, due, self._latest),
            seal_differences(stream, seals, wanted=keys),
            self._consent_differences(stream, state),
        ):
            yield each
        if self._files is not None:
            known = isinstance(state, Media)
            media = state if known and state.removed_at is None else None
            # A removed file may exist as long as its due row does (D-136).
            if media is not None or (names and not (known and due)):
                async for each in self._files.differences(stream, media):
                    yield each

    def _note_erasures(
        self,
        stream: str,
        state: Any,
        rows: Mapping[type[Row], Sequence[KeptRow[Any]]],
        holds: Collection[str],
        subjects: Collection[str],
        due: Sequence[KeptDue],
    ) -> None:
        """Note whose erasure is finished, and in what something of an erased person is left."""
        if isinstance(state, ErasedPerson):
            if not any(each.kind == DueKind.ERASURE and each.number == END for each in due):
                self._people.finish(stream)
            return
        for found in chain.from_iterable(rows.values()):
            if found.left is not None:
                self._people.leave(found.left, f"row {found.key}")
        person_id = getattr(state, "person_id", None)
        if person_id is not None and holds_erased(holds, subjects):
            self._people.leave(person_id, f"holder {stream}")

    async def _strays(self, before: str | None) -> AsyncIterator[Difference]:
        """Yield the kept data before a stream, or after the last one, that belongs to no stream."""
        for kind, rows in self._rows.items():
            async for row in rows.before(before):
                for each in row_differences(kind, row.key, None, [row]):
                    yield each
        async for held in self._holders.before(before):
            yield holder_difference(held.holder, held.subject, held=True)
        async for due in self._due.before(before):
            for each in due_differences(due.stream, (), [due], self._latest):
                yield each
        async for seal in self._seals.before(before):
            # The keys of people are elsewhere, and an account has a stream; operators have none.
            if seal.name not in (INDEX, OPERATORS):
                yield seal_difference(seal.name, "none", "a key")
                continue
            for each in seal_differences(seal.name, [seal], wanted=True):
                yield each
        async for named in self._answers.before(before):
            for each in answer_differences([named], None):
                yield each
        async for name in self._names.before(before):
            yield file_difference(name, "", "none", "a file")

    def _consent_differences(self, stream: str, state: Any) -> Iterator[Difference]:
        if not isinstance(state, Consent) or self._keys is None or state.recipient == ERASED:
            return
        wanted = consent_id(self._keys, state.account_id, state.channel, state.recipient)
        if stream != wanted:
            yield Difference(
                kind=Kind.CONSENT,
                what="Consent",
                id=stream,
                field="id",
                expected=wanted,
                found=stream,
            )


async def _of_streams(due: AsyncIterator[KeptDue]) -> AsyncIterator[KeptDue]:
    """Leave out due rows of deliveries, which no stream records, and of contents that go some day."""
    async for each in due:
        if each.kind != DueKind.CALLBACK and not is_of_content(each):
            yield each


async def _walked(names: Sequence[str]) -> AsyncIterator[str]:
    for each in names:
        yield each


def _key(row: KeptRow[Any]) -> str:
    return row.key


def _holder(held: Held) -> str:
    return held.holder


def _name(seal: KeptSeal) -> str:
    return seal.name


def _stream(due: KeptDue) -> str:
    return due.stream


def _named(named: Named) -> str:
    return named.stream
