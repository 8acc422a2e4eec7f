"""What a policy would have refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.openapi.schemas import Types
from tools.openapi.types.shapes import members
from watchword.entrypoints.wire.guard_replays import (
    REPLAY_TIMES,
    CountryOfReplay,
    DayOfReplay,
    GuardReplay,
    PrefixOfReplay,
    ReplayBody,
)

_READ = Types({}).described(ReplayBody)["properties"]

NAMED: Mapping[str, Any] = {
    # Members with their names on the wire.
    "NewGuardReplay": members(
        ["policy", REPLAY_TIMES["since"]],
        **{REPLAY_TIMES.get(name, name): read for name, read in _READ.items()},
    ),
    "GuardReplay": GuardReplay,
    "DayOfGuardReplay": DayOfReplay,
    "CountryOfGuardReplay": CountryOfReplay,
    "PrefixOfGuardReplay": PrefixOfReplay,
}
