"""The record of a callback endpoint."""

from __future__ import annotations

from datetime import datetime

from ...domain.callback_endpoint import CallbackEndpoint, callback_endpoint_decider, redecide
from ...domain.event import personal
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class CallbackEndpointRow(Row):
    """A callback endpoint in the list of callbacks, without its secret (C-33)."""

    id: str
    account_id: str
    url: str = personal()
    events: tuple[str, ...]
    created_at: datetime
    removed_at: datetime | None


def callback_endpoint_row(stream: str, endpoint: CallbackEndpoint) -> CallbackEndpointRow:
    """Return the row of a callback endpoint."""
    return CallbackEndpointRow(
        id=stream,
        account_id=endpoint.account_id,
        url=endpoint.url,
        events=endpoint.events,
        created_at=endpoint.created_at,
        removed_at=endpoint.removed_at,
    )


CALLBACK_ENDPOINT = Record(
    decider=callback_endpoint_decider,
    prefix="cbk",
    state=CallbackEndpoint,
    redecide=redecide,
    read_model=ReadModel(
        row=CallbackEndpointRow,
        name="callback_endpoints",
        found_by=(
            FoundBy("callback_endpoints_by_account", ("account_id", "created_at", "id")),
            # The live ones, which the follower of the log reads for every batch.
            FoundBy("callback_endpoints_by_end", ("removed_at", "created_at", "id")),
        ),
        changing=("removed_at",),
    ),
    project=callback_endpoint_row,
)
