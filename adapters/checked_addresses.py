"""Check the addresses that HTTP and mail clients connect to, before each connection (C-25, C-63)."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Sequence

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from .name_look_ups import NameLookUps
from .public_addresses import Address, address_in, is_address, is_loopback_name

# Returns the addresses of a name, as texts; raises `OSError`.
LookUp = Callable[[str], Awaitable[Sequence[str]]]


class AddressRefused(OSError):
    """An address of the host must not be connected to; then none of its addresses is."""


class CheckedAddresses:
    """
    Resolves names, and refuses those with an address that must not be connected to.

    `allowed` says which addresses may be connected to. `look_up` resolves a name once for each call; its
    result is checked, and the same result is connected to.
    """

    def __init__(self, allowed: Callable[[Address], bool], look_up: LookUp | None = None) -> None:
        self._allowed = allowed
        self._names = NameLookUps()
        self._look_up = look_up or self._names.addresses

    async def of(self, host: str) -> Sequence[str]:
        """
        Return the addresses of a host.

        Raises `AddressRefused` if one of them must not be connected to, and `OSError` without any.
        """
        if is_address(host):
            found: Sequence[str] = [host]
        else:
            found = await self._look_up("localhost" if is_loopback_name(host) else host)
        if not found:
            raise OSError("The name has no address.")
        self.check(found)
        return found

    def check(self, addresses: Sequence[str]) -> None:
        """Raise `AddressRefused` if one of the addresses must not be connected to."""
        if not all(self._allowed(address_in(each)) for each in addresses):
            raise AddressRefused("The address must not be connected to.")

    def new_socket(self, address: aiohttp.AddrInfoType) -> socket.socket:
        """Make a socket for a connection; this is the last check, for addresses from any path."""
        family, kind, protocol, _, (host, *_) = address
        self.check([str(host)])
        return socket.socket(family, kind, protocol)

    def close(self) -> None:
        """End the threads of the look-ups; the next look-up starts them again."""
        self._names.close()


class CheckedResolver(AbstractResolver):
    """Resolves names for aiohttp's client to checked addresses only."""

    def __init__(self, addresses: CheckedAddresses) -> None:
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name."""
        found = [(each, _family(each)) for each in await self._addresses.of(host)]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=own,
                proto=0,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address, own in found
            if family in (own, socket.AF_UNSPEC)
        ]

    async def close(self) -> None:
        """Do nothing: the resolver holds no resources."""


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET if address_in(address).version == 4 else socket.AF_INET6
