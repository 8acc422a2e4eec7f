"""Phones behind networks on loopback: what reached them, told by their side alone."""

from __future__ import annotations

from collections import defaultdict

from attrs import define, field


@define
class Phones:
    """The messages that each number was shown, by the network that showed them."""

    _shown: dict[str, list[str]] = field(factory=lambda: defaultdict(list))

    def show(self, number: str, network: str) -> None:
        """Show a message on a phone."""
        self._shown[number].append(network)

    def shown(self, number: str) -> list[str]:
        """Return the networks by which messages reached a phone, in order."""
        return list(self._shown.get(number, ()))
