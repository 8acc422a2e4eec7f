"""
The records: everything the service stores for each kind of aggregate, one file per kind.

Tables, indexes, the registry of stored events, the audit and the tests follow from `RECORDS`. A process
that only writes batches must not import this package: it starts faster without (D-33).
"""

from __future__ import annotations

from typing import Any

from ...domain.decider import Decider
from ...domain.event import Event
from .account import ACCOUNT
from .api_key import API_KEY
from .callback_delivery import CALLBACK_DELIVERIES
from .callback_endpoint import CALLBACK_ENDPOINT
from .channel_account import CHANNEL_ACCOUNT
from .chat_rating import CHAT_RATING
from .consent import CONSENT
from .console_session import CONSOLE_SESSION
from .dlt_template import DLT_TEMPLATE
from .fallback_configuration import FALLBACK_CONFIGURATION
from .fallback_run import FALLBACK_RUN
from .guard import GUARD
from .legacy_token import LEGACY_TOKENS
from .legacy_user import LEGACY_USER
from .log_history import LOG_HISTORY, PRUNING, REPAIR
from .media import MEDIA
from .message import MESSAGE
from .operator_token import OPERATOR_TOKEN
from .parked_receipt import PARKED_RECEIPT
from .person import PERSON
from .pin import PIN
from .pin_template import PIN_TEMPLATE
from .rcs_template import RCS_TEMPLATE
from .read_model import ReadModel, Row
from .reader import READER
from .record import Record
from .refused_sends import COUNTED_DECISION
from .retention import RETENTION
from .shared_content import SHARED_CONTENT
from .short_link import SHORT_LINK
from .statistics import STATISTICS, STATISTICS_COSTS, STATISTICS_REFUSALS, STATISTICS_UNFINISHED
from .test_destination import TEST_DESTINATION
from .whatsapp_template import WHATSAPP_TEMPLATE

RECORDS: tuple[Record[Any], ...] = (
    ACCOUNT,
    API_KEY,
    OPERATOR_TOKEN,
    CONSOLE_SESSION,
    CALLBACK_ENDPOINT,
    CHANNEL_ACCOUNT,
    FALLBACK_CONFIGURATION,
    PIN_TEMPLATE,
    GUARD,
    RETENTION,
    PERSON,
    PIN,
    SHARED_CONTENT,
    MESSAGE,
    PARKED_RECEIPT,
    FALLBACK_RUN,
    SHORT_LINK,
    MEDIA,
    CONSENT,
    TEST_DESTINATION,
    DLT_TEMPLATE,
    RCS_TEMPLATE,
    WHATSAPP_TEMPLATE,
    LEGACY_USER,
    CHAT_RATING,
    COUNTED_DECISION,
    LOG_HISTORY,
    PRUNING,
    REPAIR,
    READER,
)
# A replay of the log restores these rows, and the audit compares them.
REPLAYED: tuple[ReadModel[Any], ...] = tuple(
    dict.fromkeys(each.read_model for each in RECORDS if each.read_model is not None)
)
READ_MODELS: tuple[ReadModel[Any], ...] = (
    *REPLAYED,
    CALLBACK_DELIVERIES,
    LEGACY_TOKENS,
    STATISTICS,
    STATISTICS_COSTS,
    STATISTICS_UNFINISHED,
    STATISTICS_REFUSALS,
)

_ID_STARTS = {each.decider.kind: f"{each.prefix}_" for each in RECORDS}
_BY_STATE = {each.state: each for each in RECORDS}
_BY_EVENT = {event: each for each in RECORDS for event in each.decider.events}


def record_of(event: Event) -> Record[Any]:
    """Return the record for the stream of this event."""
    return _BY_EVENT[type(event)]


def is_id_of(decider: Decider[Any], stream: str) -> bool:
    """Return whether an id can belong to an aggregate of this decider."""
    return stream.startswith(_ID_STARTS[decider.kind])


def row_of(stream: str, state: Any) -> Row | None:
    """Return the row of a state; None for a kind without a list."""
    project = _BY_STATE[type(state)].project
    return None if project is None else project(stream, state)


def owner_of(stream: str, state: Any) -> str | None:
    """Return the account of an aggregate in a state; None if it belongs to no account."""
    return _BY_STATE[type(state)].account(stream, state)


def held_by(state: Any) -> frozenset[str]:
    """Return the subjects that an aggregate in this state holds."""
    return _BY_STATE[type(state)].holds(state)
