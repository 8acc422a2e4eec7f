"""The addresses in the reports of a post, and the channel accounts that were found for them (C-99)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....domain.event import MASK
from ...ports.channels import Report, TemplateReview

Address = frozenset[tuple[str, str]]


class AddressSearch:
    """Finds each address once for all reports; a config is compared with all addresses at the same time."""

    def __init__(self, reports: Sequence[Report]) -> None:
        wanted = {_address(each) for each in reports if each.addressed_to}
        self._missing = len(wanted)
        # These concern every account that has them.
        self._shared = {
            _address(each)
            for each in reports
            if each.addressed_to and isinstance(each, TemplateReview)
        }
        # By the names of the members, and then by their values.
        self._wanted: dict[tuple[str, ...], dict[tuple[str, ...], Address]] = defaultdict(dict)
        for each in wanted:
            names, values = zip(*sorted(each), strict=True)
            self._wanted[names][values] = each
        self._found: dict[Address, dict[str, str]] = {}

    def is_done(self) -> bool:
        """Whether no further channel account can be concerned."""
        return not self._shared and not self._missing

    def needs(self, account_id: str, config: Mapping[str, Any]) -> Iterator[Address]:
        """Generate the addresses that a config has and that still need a channel account of this account."""
        for names, addresses in self._wanted.items():
            values: tuple[Any, ...] = tuple(config.get(name) for name in names)
            # A secret, which nobody sees, is no address.
            if not all(isinstance(each, str) and each != MASK for each in values):
                continue
            address = addresses.get(values)
            if address is None:
                continue
            found = self._found.get(address, {})
            if not found or (address in self._shared and account_id not in found):
                yield address

    def take(self, address: Address, account_id: str, channel_account_id: str) -> None:
        """Note that a channel account has an address."""
        self._missing -= address not in self._found
        self._found.setdefault(address, {})[account_id] = channel_account_id

    def concerned(self, report: Report) -> Sequence[str]:
        """Return the channel accounts that a report concerns: one, or that of each account (D-281)."""
        found = [*self._found.get(_address(report), {}).values()]
        return found if isinstance(report, TemplateReview) else found[:1]


def _address(report: Report) -> Address:
    return frozenset(report.addressed_to.items())
