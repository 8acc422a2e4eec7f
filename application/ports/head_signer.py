"""The port for whatever signs the log's heads: it alone has the private keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen


@frozen
class SigningKey:
    """A key that can sign, as the public lines that verify it: the log's and its clock's."""

    log_key: str
    clock_key: str


class HeadSigner(Protocol):
    """Signs heads with the log's keys, and the time with its clock's."""

    @property
    def name(self) -> str:
        """The name of the log, which is the origin of its heads without their number."""
        ...

    @property
    def keys(self) -> Sequence[SigningKey]:
        """The keys, the newest first."""
        ...

    def signed(self, text: str, at: datetime, log_keys: Collection[str]) -> str:
        """
        Return the text as a signed note, with two signatures by each of the named keys, the newest first.

        The log's key signs the text, and the key of its clock the text and the time. Raises `ValueError`
        if this signer has none of the keys.
        """
        ...
