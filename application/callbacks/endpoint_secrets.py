"""
The secrets of endpoints: sealed under the endpoint's id, shown once, removed with the endpoint (C-33).

A secret is stored like the keys of fallback runs: wrapped by the code key, in a table of its own, and
in no event (D-68).
"""

from __future__ import annotations

from attrs import field, frozen

from ...domain.errors import FieldProblem, ValidationFailedError
from ..journal import Journal
from ..ports.callback_signer import CallbackSigner
from ..ports.sealer import SealBrokenError, Sealer, SealKey


@frozen
class NewSecret:
    """A sealed secret, and its text, which is shown once."""

    kept: SealKey
    text: str = field(repr=False)


class EndpointSecrets:
    """Creates secrets, and opens them for signatures."""

    def __init__(self, journal: Journal, sealer: Sealer, signer: CallbackSigner) -> None:
        self._journal = journal
        self._sealer = sealer
        self._signer = signer

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
