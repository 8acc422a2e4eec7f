"""`watchword audit`: looks at what happened, and at the log's own heads and keys."""

from __future__ import annotations

from ..building.groups import group
from .audit_check import check
from .audit_disclose import disclose
from .audit_export import export
from .audit_list import list_as_of
from .audit_replay import replay
from .evidence.extends import extends
from .evidence.heads import heads, key, new_key, seal
from .evidence.prove import prove
from .evidence.stats import stats
from .evidence.verify import verify

audit = group(
    "audit",
    check,
    disclose,
    export,
    extends,
    heads,
    key,
    list_as_of,
    new_key,
    prove,
    replay,
    seal,
    stats,
    verify,
)
