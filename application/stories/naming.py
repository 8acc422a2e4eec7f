"""Find the names that operators gave: to accounts, keys, tokens, channel accounts and PIN templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..caller import Caller
from ..journal import Journal
from ..records.account import ACCOUNT, AccountRow
from ..records.api_key import API_KEY, ApiKeyRow
from ..records.channel_account import CHANNEL_ACCOUNT, ChannelAccountRow
from ..records.operator_token import OPERATOR_TOKEN, OperatorTokenRow
from ..records.pin_template import PIN_TEMPLATE, PinTemplateRow

_NamedRow = AccountRow | ApiKeyRow | ChannelAccountRow | OperatorTokenRow | PinTemplateRow
_ROWS: Mapping[str, type[_NamedRow]] = {
    ACCOUNT.prefix: AccountRow,
    API_KEY.prefix: ApiKeyRow,
    CHANNEL_ACCOUNT.prefix: ChannelAccountRow,
    OPERATOR_TOKEN.prefix: OperatorTokenRow,
    PIN_TEMPLATE.prefix: PinTemplateRow,
}


class Naming:
    """Finds names by ids, so that lists and stories can be read by people."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def of(self, by: Caller, ids: Iterable[str]) -> Mapping[str, str]:
        """
        Return the names of those ids that have one; a caller who is bound to an account sees its own alone.

        A legacy user's name is an e-mail address, which this does not show.
        """
        asked: dict[str, set[str]] = {}
        for each in ids:
            asked.setdefault(each.partition("_")[0], set()).add(each)
        named: dict[str, str] = {}
        for prefix, of_kind in asked.items():
            if (rows := _ROWS.get(prefix)) is not None:
                named |= await self._names(by, rows, [*of_kind])
        return named

    async def _names(
        self, by: Caller, rows: type[_NamedRow], ids: Sequence[str]
    ) -> Mapping[str, str]:
        found = await self._journal.rows(rows, ids)
        return {key: row.name for key, row in found.items() if by.sees(_account_of(row))}


def _account_of(row: _NamedRow) -> str | None:
    return row.id if isinstance(row, AccountRow) else row.account_id
