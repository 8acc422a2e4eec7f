"""The longest window in which an account counts anything: nothing younger may be pruned (C-75)."""

from __future__ import annotations

from datetime import timedelta

from ...domain.guard import DEFAULT_POLICY, guard_decider
from ...domain.guard.policy import longest_window
from ...domain.pin_template import pin_template_decider
from ...domain.retention import SHORTEST_RETENTION
from ..journal import Journal
from ..ports.listings import Equals, Missing
from ..records.guard import guard_stream
from ..records.pin_template import PinTemplateRow


async def longest_window_of(journal: Journal, account_id: str) -> timedelta:
    """
    Return the longest window of an account's rates and guard rules, a day at least.

    An archived template sends nothing any more, so its rates count nothing.
    """
    guard = await journal.find(guard_decider, guard_stream(account_id))
    policy = DEFAULT_POLICY if guard is None else guard.state.policy
    longest = max(SHORTEST_RETENTION, longest_window(policy))
    of_account = Equals("account_id", account_id)
    async for row in journal.every(PinTemplateRow, of_account, Missing("archived_at")):
        template = await journal.recall(pin_template_decider, row.id)
        rates = template.state.policy
        longest = max(
            longest,
            rates.send_pin_per_template_limit.window,
            rates.send_pin_per_phone_number_limit.window,
            rates.verify_pin_limit.window,
        )
    return longest
