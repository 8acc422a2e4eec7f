"""Find the names of those who acted: API keys, operators' tokens and channel accounts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..journal import Journal
from ..records.api_key import ApiKeyRow
from ..records.channel_account import ChannelAccountRow
from ..records.operator_token import OperatorTokenRow


async def named_actors(journal: Journal, actors: Collection[str]) -> Mapping[str, str]:
    """
    Return the names that operators gave to actors, by their ids.

    `admin`, `worker`, `embedded` and `public` have none. A legacy user's name is an e-mail address, which a
    story does not show.
    """
    asked = set(actors)
    keys = await journal.rows(ApiKeyRow, asked)
    tokens = await journal.rows(OperatorTokenRow, asked)
    accounts = await journal.rows(ChannelAccountRow, asked)
    return {
        **{key: row.name for key, row in keys.items()},
        **{key: row.name for key, row in tokens.items()},
        **{key: row.name for key, row in accounts.items()},
    }
