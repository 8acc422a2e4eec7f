"""The service that a command talks to: at a URL, or a private one (contract, head of section 7)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from attrs import field, frozen

from ...settings import SANDBOX_ADMIN_TOKEN, Settings, SettingsError, StoreKind
from .failures import expected_failures

if TYPE_CHECKING:
    from datetime import datetime

    from ....application.audit.disclosing import Disclosing
    from ....application.audit.listing_as_of import ListingAsOf, Moment
    from ....application.audit.reading_log import ReadingLog
    from ....application.evidence.proving import EventProof
    from ....application.evidence.verifying_log import VerifyingLog
    from ....application.restoring import Restoring
    from ...wired import Wired
    from .client import Client
    from .management import Management
    from .records import Record
    from .stored_log import LogQuestion

T = TypeVar("T")


@frozen(kw_only=True)
class Target:
    """
    The address and token of a running service, or the settings of an idle store.

    `remote` says whether the command can work through a running service at all.
    """

    url: str | None
    admin_token: str | None = field(repr=False)
    settings: Settings
    remote: bool = True

    @asynccontextmanager
    async def management(
        self, *, new_store: bool = False, to_read: bool = False
    ) -> AsyncIterator[Management]:
        """
        Yield the management routes; make a missing store only with `new_store`.

        With `to_read`, the command needs no code key, and may read a store that is being served (D-152).
        """
        from .management import Management

        async with self._service(new_store=new_store, to_read=to_read) as client:
            yield Management(client)

    def ask(
        self,
        question: Callable[[Management], Awaitable[T]],
        *,
        new_store: bool = False,
        to_read: bool = False,
    ) -> T:
        """Ask a question of `management` and return the answer; turn failures into sentences."""

        async def run() -> T:
            async with self.management(new_store=new_store, to_read=to_read) as management:
                return await question(management)

        with expected_failures():
            return asyncio.run(run())

    async def history(self, stream: str, *, mask: bool) -> Sequence[Record]:
        """Return a stream's events as operators see them; do not change the store."""
        if self.url is not None:
            from .remote_history import remote_history

            async with self._client(self.url) as client:
                return await remote_history(client, stream, mask=mask)
        from ...wire.shown_events import shown_event

        async with self.reading() as reader:
            return [shown_event(each, mask=mask) for each in await reader.stream(stream)]

    async def log(self, asked: LogQuestion) -> AsyncGenerator[Sequence[Record]]:
        """Yield the log as operators see it, page by page; do not change the store."""
        if self.url is not None:
            from .remote_history import remote_log

            async with self._client(self.url) as client:
                async for page in remote_log(client, asked):
                    yield page
            return
        from .stored_log import reading_events, reading_evidence, stored_log

        async with self.reading() as reader:
            if asked.evidence:
                read = reading_evidence(reader.evidence, asked)
            else:
                read = reading_events(reader, asked)
            async for page in stored_log(read, asked):
                yield page

    async def event_id(self, position: int) -> str | None:
        """Return the id of the event at a position of the log; None if there is none."""
        from .stored_log import LogQuestion

        async with aclosing(self.log(LogQuestion(after=position - 1, most=1))) as pages:
            async for event, *_ in pages:
                return str(event["eventId"]) if event["position"] == position else None
        return None

    @asynccontextmanager
    async def reading(self, *, to_check: bool = False) -> AsyncIterator[ReadingLog]:
        """Open the store only for reading, even while it is served; `to_check` accepts damaged tables."""
        from ...composition.bootstrap import auditing

        self._check_store()
        async with auditing(self.settings, to_check=to_check) as reader:
            yield reader

    @asynccontextmanager
    async def listing_as_of(
        self, at: datetime | None, position: int | None, head: Path | None
    ) -> AsyncIterator[tuple[Wired, ListingAsOf, Moment]]:
        """Open the store only for reading, to list what was at a time, a position or a head."""
        from ....application.audit.listing_as_of import ListingAsOf
        from ...composition.bootstrap import reading
        from .moments import moment_of

        self._check_store()
        async with reading(self.settings) as service:
            moment = await moment_of(service.journal, at, position, head)
            searches = service.verifications, service.searching_messages
            yield service, ListingAsOf(service.journal, *searches), moment

    @asynccontextmanager
    async def disclosing(self) -> AsyncIterator[Disclosing]:
        """Open the store only for reading, to disclose single events."""
        from ...composition.bootstrap import disclosing

        self._check_store()
        async with disclosing(self.settings) as opened:
            yield opened

    async def proofs(self, stream: str, disclosed: Collection[str] = ()) -> Sequence[EventProof]:
        """
        Return the proofs that a stream's events are in the log; what no head covers is sealed first.

        What is `disclosed` beside the open lines comes from the store alone.
        """
        if self.url is not None:
            from .proofs import remote_proofs

            async with self._client(self.url) as client:
                return await remote_proofs(client, stream)
        from ....application.evidence.errors import NotSealedError
        from .proofs import stored_proofs

        self._check_store()
        try:
            return await stored_proofs(self.settings, stream, disclosed)
        except NotSealedError as refusal:
            await self._seal_idle(refusal)
        return await stored_proofs(self.settings, stream, disclosed)

    async def consistency(self, old: int, size: int) -> Sequence[bytes]:
        """
        Return the hashes which prove that the log of `size` events extends that of `old`.

        Raises `EvidenceError` for a log that covers fewer events.
        """
        from .proofs import remote_consistency, stored_consistency

        if self.url is not None:
            async with self._client(self.url) as client:
                return await remote_consistency(client, old, size)
        self._check_store()
        return await stored_consistency(self.settings, old, size)

    @asynccontextmanager
    async def verifying(self) -> AsyncIterator[VerifyingLog]:
        """Open the store only for reading, to check its log; no code key is needed."""
        from ...composition.verifying import verifying

        self._check_store()
        async with verifying(self.settings) as opened:
            yield opened

    @asynccontextmanager
    async def restoring(self, *, erase_people: bool) -> AsyncIterator[Restoring]:
        """Open the store exclusively, to end the work that a restore brought back."""
        from ...composition.bootstrap import restoring

        # Reading creates no store, and names a missing one.
        async with self.reading():
            pass
        async with restoring(self.settings, erase_people=erase_people) as ending:
            yield ending

    async def _seal_idle(self, refusal: Exception) -> None:
        """Seal a store that nobody serves; raise `refusal` if this process cannot."""
        from ....adapters.evidence.log_keys import LogKeyError
        from ....adapters.keyring import KeyringError
        from ....application.ports.event_store import StoreUnavailable

        try:
            async with self._service(new_store=False, to_read=False) as client:
                await client.call("POST", "/log/seal")
        except (StoreUnavailable, SettingsError, KeyringError, LogKeyError):
            # It is served, or this process lacks a key of it: whoever serves it can.
            raise refusal from None

    @asynccontextmanager
    async def _service(self, *, new_store: bool, to_read: bool) -> AsyncIterator[Client]:
        if self.url is not None:
            async with self._client(self.url) as client:
                yield client
            return
        from ...composition.bootstrap import auditing
        from .own_service import own_service

        if not new_store:
            self._check_store()
            if self.settings.store_url.kind is StoreKind.POSTGRESQL and not to_read:
                # Reading creates no tables in a database, and names a missing store.
                async with auditing(self.settings):
                    pass
        file = self._file()
        if file is not None and file.exists() and not to_read:
            self._check_code_key()
        async with own_service(self.settings, to_read=to_read) as client:
            yield client

    def _client(self, url: str) -> Client:
        from .client import Client

        if not self.admin_token:
            raise click.UsageError(
                "--url goes with the operator's token. Set WATCHWORD_ADMIN_TOKEN"
                f" (a sandbox's is {SANDBOX_ADMIN_TOKEN})."
            )
        if not (self.admin_token.isascii() and self.admin_token.isprintable()):
            raise click.UsageError("The token has characters that no header can carry.")
        return Client(url, self.admin_token)

    def _file(self) -> Path | None:
        if self.settings.store_url.kind is StoreKind.MEMORY:
            raise SettingsError(
                "A store in memory is its own process's."
                f"{' Talk to that with --url, or name' if self.remote else ' Name'} a file."
            )
        return self.settings.store_url.path

    def _check_store(self) -> None:
        file = self._file()
        if file is not None and not file.exists():
            raise SettingsError(
                f"There is no store at {file}. Name one with --store or --data-dir"
                f"{', or a running service with --url' if self.remote else ''}."
            )

    def _check_code_key(self) -> None:
        # The store has a key already: a new one would be wrong, and would stay in the folder.
        key = self.settings.data_dir / "code.key"
        given = self.settings.code_key or self.settings.code_key_file
        if not given and not key.exists():
            raise SettingsError(
                f"There is no code key at {key}. Name the store's own --data-dir,"
                " or set WATCHWORD_CODE_KEY or --code-key-file."
            )
