"""The uses that decisions counted, without those that retention may have forgotten (D-457)."""

from __future__ import annotations

from datetime import datetime

from ....domain.pin_template import PinTemplate
from ..pruned_positions import PrunedPositions
from ..replaying import Replaying
from ..sorting import Sorting
from ..uses import template_of


class CountedUses:
    """Adds the uses of the log to `uses`, decision by decision."""

    def __init__(self, uses: Sorting, pruned: PrunedPositions) -> None:
        self._uses = uses
        self._pruned = pruned
        # The accounts of PIN templates that may have forgotten sends.
        self._templates: dict[str, str] = {}

    def take(self, replay: Replaying) -> None:
        """Add the uses that the last decision counted, unless they may be forgotten."""
        account_id = getattr(replay.state, "account_id", None)
        for use in replay.counted:
            if not self._pruned.forgets(account_id, use.at):
                self._uses.add(use.subject, use.at.isoformat())
        if isinstance(replay.state, PinTemplate) and account_id in self._pruned.ended_before:
            self._templates[replay.stream] = str(account_id)

    def forgets(self, subject: str, at: datetime | None) -> bool:
        """Return whether retention may have forgotten what a subject counted at a time; or anything."""
        account_id = self._templates.get(template_of(subject))
        return account_id is not None and (at is None or self._pruned.forgets(account_id, at))
