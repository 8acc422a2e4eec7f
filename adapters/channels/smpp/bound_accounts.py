"""The binds of each channel account, replaced when its settings change, and bounded in number."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....application.ports.channels import Fault, ProviderAccount, Rejected
from ...checked_addresses import CheckedAddresses
from ..servers import NotTakenError
from .connecting import Binder
from .hearing import Hearing
from .keeper import Keeper
from .pdus import Command
from .session import Session
from .settings import BindSettings, SmppSettings, settings_of
from .timings import Timings

# The channel accounts of a process that are bound at the same time.
MOST_ACCOUNTS = 256
_FULL = Rejected(
    "smpp_busy",
    f"{MOST_ACCOUNTS} channel accounts are bound already. Use another node for the others.",
    Fault.BUSY,
)

MakeHearing = Callable[[str, SmppSettings], Hearing]


class BoundAccount:
    """One channel account with one set of settings: its binds, and what it hears on them."""

    def __init__(
        self,
        channel_account_id: str,
        config: Mapping[str, Any],
        settings: SmppSettings,
        binder: Binder,
        hearing: Hearing,
        timings: Timings,
        predecessor: asyncio.Task[None] | None,
    ) -> None:
        self.config = config
        self.settings = settings
        self.since = asyncio.get_running_loop().time()
        self.hearing = hearing

        def keeper(command: Command) -> Keeper:
            return Keeper(channel_account_id, command, binder, timings, predecessor)

        separate = settings.bind.separate
        self.sender = keeper(Command.BIND_TRANSMITTER if separate else Command.BIND_TRANSCEIVER)
        self._receiver = keeper(Command.BIND_RECEIVER) if separate else None

    @property
    def is_idle(self) -> bool:
        """Return whether it has no session, and binds to none."""
        return self.sender.is_idle and (self._receiver is None or self._receiver.is_idle)

    def stand(self, stands: bool, *, enabled: bool = True) -> None:
        """Stay bound; a disabled account hears receipts, and needs no transmitter (C-66)."""
        if self._receiver is None:
            self.sender.stand(stands)
        else:
            self.sender.stand(stands and enabled)
            self._receiver.stand(stands)

    def adopt(self, config: Mapping[str, Any], settings: SmppSettings) -> None:
        """Use settings that need no other bind from now on."""
        self.config, self.settings = config, settings
        self.hearing.settings = settings

    async def retire(self, drain: float) -> None:
        """Leave all binds; what was heard is recorded first, as far as time allows."""
        await self.hearing.finish(drain)
        keepers = [self.sender] if self._receiver is None else [self.sender, self._receiver]
        await asyncio.gather(*(each.retire(drain) for each in keepers))


class BoundAccounts:
    """All channel accounts of the provider that are bound, or were used lately."""

    def __init__(
        self, names: CheckedAddresses, timings: Timings, make_hearing: MakeHearing
    ) -> None:
        self.most = MOST_ACCOUNTS
        self._names = names
        self._timings = timings
        self._make_hearing = make_hearing
        self._accounts: dict[str, BoundAccount] = {}
        self._leaving: dict[str, asyncio.Task[None]] = {}

    def of(
        self, channel_account_id: str, config: Mapping[str, Any]
    ) -> tuple[BoundAccount, SmppSettings]:
        """
        Return a channel account, and the settings in its config; raises `NotTakenError` if there is no room.

        Other settings of the bind replace it. A send that began just before such a change comes with the
        older settings, and does not bring the older bind back (D-271).
        """
        known = self._accounts.get(channel_account_id)
        if known is not None and known.config == config:
            return known, known.settings
        settings = settings_of(config)
        if known is not None:
            if known.settings.bind == settings.bind:
                known.adopt(config, settings)
                return known, settings
            age = asyncio.get_running_loop().time() - known.since
            if age < self._timings.settled:
                return known, settings
            self._retire(channel_account_id)
        return self._added(channel_account_id, config, settings), settings

    def stand(self, accounts: Sequence[ProviderAccount]) -> None:
        """Stay bound for these channel accounts, and for no other."""
        listed = {each.channel_account_id: each for each in accounts}
        for name, known in self._accounts.items():
            if name not in listed:
                known.stand(False)
        for name, each in listed.items():
            try:
                account, _ = self.of(name, each.config)
            except NotTakenError:
                continue
            account.stand(True, enabled=each.enabled)

    def bound(self, settings: BindSettings) -> Session | None:
        """Return a session with these settings that sends, if there is one."""
        for each in self._accounts.values():
            if each.settings.bind == settings and each.sender.bound is not None:
                return each.sender.bound
        return None

    async def close(self, drain: float) -> None:
        """Leave all binds."""
        for name in [*self._accounts]:
            self._retire(name, drain)
        await asyncio.gather(*self._leaving.values(), return_exceptions=True)

    def _added(
        self, channel_account_id: str, config: Mapping[str, Any], settings: SmppSettings
    ) -> BoundAccount:
        self._make_room()
        hearing = self._make_hearing(channel_account_id, settings)
        account = self._accounts[channel_account_id] = BoundAccount(
            channel_account_id,
            config,
            settings,
            Binder(settings.bind, self._names, self._timings, hearing.take),
            hearing,
            self._timings,
            self._leaving.get(channel_account_id),
        )
        return account

    def _make_room(self) -> None:
        """Forget an account that is not bound, if there are too many."""
        if len(self._accounts) < self.most:
            return
        idle = next((name for name, each in self._accounts.items() if each.is_idle), None)
        if idle is None:
            raise NotTakenError(_FULL)
        self._retire(idle)

    def _retire(self, channel_account_id: str, drain: float | None = None) -> None:
        account = self._accounts.pop(channel_account_id)
        before = self._leaving.get(channel_account_id)
        seconds = self._timings.drain if drain is None else drain
        leaving = asyncio.create_task(_retired(account, seconds, before))
        self._leaving[channel_account_id] = leaving

        def gone(task: asyncio.Task[None]) -> None:
            if self._leaving.get(channel_account_id) is task:
                del self._leaving[channel_account_id]

        leaving.add_done_callback(gone)


async def _retired(account: BoundAccount, drain: float, before: asyncio.Task[None] | None) -> None:
    await account.retire(drain)
    if before is not None:
        await asyncio.wait((before,))
