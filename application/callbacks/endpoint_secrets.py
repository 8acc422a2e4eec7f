"""
The secrets of endpoints: sealed under the endpoint's id, shown once, removed with the endpoint (C-33).

A secret is stored like the keys of fallback runs: wrapped by the code key, in a table of its own, and
in no event (D-68).
"""

from __future__ import annotations

from contextlib import suppress

from attrs import field, frozen

from ...domain.callback_endpoint import callback_endpoint_decider
from ...domain.conditions import Unchanged
from ...domain.errors import FieldProblem, ValidationFailedError
from ..caller import WORKER, Caller
from ..journal import Journal
from ..ports.callback_signer import CallbackSigner
from ..ports.clock import Clock
from ..ports.event_store import StreamConflict
from ..ports.sealer import SealBrokenError, Sealer, SealKey
from ..records.callback_endpoint import CallbackEndpointRow
from .live_endpoints import LiveEndpoints


@frozen
class NewSecret:
    """A sealed secret, and its text, which is shown once."""

    kept: SealKey
    text: str = field(repr=False)


class EndpointSecrets:
    """Creates secrets, and opens them for signatures."""

    def __init__(
        self, journal: Journal, sealer: Sealer, signer: CallbackSigner, clock: Clock
    ) -> None:
        self._journal = journal
        self._sealer = sealer
        self._signer = signer
        self._clock = clock

    def make(self, endpoint_id: str, given: str | None) -> NewSecret:
        """Create a secret, or seal the given one; raises `ValidationFailedError`."""
        if given is None:
            kept = self._sealer.new_key(endpoint_id)
            return NewSecret(kept, self._signer.secret_text(self._sealer.unwrap(kept)))
        try:
            secret = self._signer.secret_bytes(given)
        except ValueError as wrong:
            raise ValidationFailedError([FieldProblem("secret", str(wrong))]) from None
        return NewSecret(self._sealer.wrap(endpoint_id, secret), given)

    async def of(self, endpoint_id: str) -> bytes:
        """Return an endpoint's secret; raises `SealBrokenError` or `SealKeyMissingError`."""
        kept = await self._journal.seal_key(endpoint_id)
        if kept is None:
            raise SealBrokenError
        return self._sealer.unwrap(kept)

    async def renew(self) -> None:
        """
        Wrap secrets again that an older version of the code key wraps, so that it can be removed.

        The sealed contents of fallbacks need no renewal, because their runs end.
        """
        for endpoint in await LiveEndpoints(self._journal).all():
            with suppress(StreamConflict):
                await self._renew(endpoint)

    async def _renew(self, endpoint: CallbackEndpointRow) -> None:
        loaded = await self._journal.find(callback_endpoint_decider, endpoint.id)
        kept = await self._journal.seal_key(endpoint.id)
        if loaded is None or kept is None or kept.version == self._sealer.newest:
            return
        again = self._sealer.wrap(endpoint.id, self._sealer.unwrap(kept))
        # The seal of an endpoint that another node removed meanwhile does not return.
        await self._journal.write(
            Caller(endpoint.account_id, WORKER, ""),
            self._clock.now(),
            conditions=(Unchanged(endpoint.id, loaded.version),),
            keeping=(again,),
        )
