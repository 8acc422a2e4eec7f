"""
The secret settings of channel accounts: sealed under the account's id, and opened for its provider.

They are stored like the secrets of callback endpoints: wrapped by the code key, in a table of their own,
and in no event or row (D-197).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.accounts.channel_account import ChannelAccount, channel_account_decider
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.event_store import StreamConflict
from ..ports.sealer import SealBrokenError, Sealer, SealKey, SealKeyMissingError
from ..ports.snapshot import Snapshot
from ..records import is_id_of
from .secret_settings import SecretsMismatchError, joined

# The channel accounts whose configs stay open in memory, so that their sends read and decrypt nothing.
MOST_OPENED = 1_000
# The reads of a seal before a send gives up; each further one needs another change meanwhile.
MOST_READS = 5


class ChannelSecretMissingError(Exception):
    """This node cannot open the secrets of a channel account; the error quotes nothing of them."""


class ChannelSecrets:
    """Seals the secrets of channel accounts, and opens them for their providers."""

    def __init__(self, journal: Journal, sealer: Sealer) -> None:
        self._journal = journal
        self._sealer = sealer
        self._opened: dict[str, tuple[ChannelAccount, Mapping[str, Any]]] = {}

    def seal(
        self, channel_account_id: str, secrets: Mapping[str, Any], sealing: int = 1
    ) -> SealKey:
        """
        Seal the secrets of one channel account; no other account's id opens them.

        `sealing` is the number of the sealing, which the account's state has, too (D-235).
        """
        sealed = json.dumps([sealing, secrets]).encode()
        return self._sealer.wrap(channel_account_id, sealed)

    async def config_of(
        self, channel_account_id: str, account: ChannelAccount
    ) -> Mapping[str, Any]:
        """
        Return the whole config of a channel account.

        Raises `ChannelSecretMissingError`, and `UnavailableError` when the store is out of reach.
        """
        if not account.sealed:
            return account.config
        opened = self._opened.get(channel_account_id)
        if opened is not None and (opened[0] is account or opened[0] == account):
            return opened[1]
        current, config = await self._open(channel_account_id)
        self._opened.pop(channel_account_id, None)
        if len(self._opened) >= MOST_OPENED:
            del self._opened[next(iter(self._opened))]
        self._opened[channel_account_id] = current, config
        return config

    async def secrets_of(
        self, channel_account_id: str, account: ChannelAccount
    ) -> Mapping[str, Any]:
        """
        Return the secrets of a sealed account's state, which was just loaded.

        Raises `ChannelSecretMissingError`, `StreamConflict` if the secrets changed meanwhile, and
        `UnavailableError`.
        """
        sealing, secrets = await self._unsealed(channel_account_id, account)
        if sealing != account.sealings:
            raise StreamConflict(channel_account_id)
        return secrets

    async def _open(self, channel_account_id: str) -> tuple[ChannelAccount, Mapping[str, Any]]:
        """
        Return the stored state and the whole config that belongs to it.

        Seal and state have the number of the sealing, and are read until the numbers agree: new
        secrets must not go to the host of an old config, nor old secrets to a new host (D-235).
        """
        for _ in range(MOST_READS):
            account = (await self._journal.load(channel_account_decider, channel_account_id)).state
            if not account.sealed:
                return account, account.config
            sealing, secrets = await self._unsealed(channel_account_id, account)
            if sealing == account.sealings:
                try:
                    return account, joined(account.config, secrets)
                except SecretsMismatchError:
                    raise ChannelSecretMissingError from None
        raise UnavailableError

    async def _unsealed(
        self, channel_account_id: str, account: ChannelAccount
    ) -> tuple[int, Mapping[str, Any]]:
        """Return the number of the newest sealing, and its secrets."""
        kept = None if account.lacks_secrets else await self._journal.seal_key(channel_account_id)
        if kept is None:
            raise ChannelSecretMissingError
        try:
            sealed = json.loads(self._sealer.unwrap(kept))
        except (SealBrokenError, SealKeyMissingError):
            raise ChannelSecretMissingError from None
        # The first sealings had no number.
        sealing, secrets = sealed if isinstance(sealed, list) else (1, sealed)
        return sealing, secrets


async def sealed_channel_accounts(snapshot: Snapshot) -> Sequence[str]:
    """Return the ids of the channel accounts that have a seal."""
    return [
        each.name async for each in snapshot.seals() if is_id_of(channel_account_decider, each.name)
    ]
