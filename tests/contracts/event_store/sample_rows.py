"""A row of every list with values that are hard to store, and the same row with all changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve

from tests.contracts.event_store.histories import NOON, second, step
from tests.contracts.event_store.sample_people import person
from tests.contracts.event_store.sample_statistics import CHANGED_STATISTICS, STATISTICS_ROWS
from watchword.application.ports.event_store import EventStore
from watchword.application.records.account import AccountRow
from watchword.application.records.api_key import ApiKeyRow
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.application.records.callback_endpoint import CallbackEndpointRow
from watchword.application.records.channel_account import ChannelAccountRow
from watchword.application.records.chat_rating import ChatRatingRow
from watchword.application.records.consent import ConsentRow
from watchword.application.records.console_session import ConsoleSessionRow
from watchword.application.records.dlt_template import DltTemplateRow
from watchword.application.records.fallback_configuration import FallbackConfigurationRow
from watchword.application.records.fallback_run import FallbackRunRow, StepLine
from watchword.application.records.legacy_token import LegacyTokenRow
from watchword.application.records.legacy_user import LegacyUserRow
from watchword.application.records.log_history import PruningRow
from watchword.application.records.media import MediaRow
from watchword.application.records.message import HistoryLine, MessageRow
from watchword.application.records.message_template import MessageTemplateRow
from watchword.application.records.operator_token import OperatorTokenRow
from watchword.application.records.pin import VerificationRow
from watchword.application.records.pin_template import PinTemplateRow
from watchword.application.records.read_model import Row
from watchword.application.records.refused_sends import RefusedSendsRow
from watchword.application.records.retention import RetentionRow
from watchword.application.records.short_link import ShortLinkRow
from watchword.application.records.test_destination import TestDestinationRow
from watchword.domain.accounts.channel_account import ChannelLimits, PrefixPrice

HARD = 'Zoë\'s "tea"\n\t\\ {1} %_/ 茶 🫖'

ACCOUNT = AccountRow(
    id="account-tea", name=HARD, created_at=second(0.000001), suspended_at=second(1)
)
API_KEY = ApiKeyRow(
    id="key-tea",
    account_id="account-tea",
    name=HARD,
    prefix="ww_tea",
    scopes=("messaging", "pins"),
    template_auto_match=True,
    expires_at=None,
    created_at=NOON,
    last_used_at=second(0.5),
    revoked_at=None,
)
OPERATOR_TOKEN = OperatorTokenRow(
    id="token-tea",
    name=HARD,
    role="auditor",
    account_id=None,
    clear=True,
    prefix="wwt_tea",
    expires_at=second(0.000001),
    created_at=NOON,
    last_used_at=None,
    revoked_at=None,
)
CONSOLE_SESSION = ConsoleSessionRow(
    id="cse-tea",
    token_id="tok-tea",
    began_at=NOON,
    used_at=None,
    ends_at=second(1_800),
    ended_at=None,
    created_at=second(0.5),
)
RETENTION = RetentionRow(
    id="ret-tea", account_id="account-tea", pins="30d", messages=None, events=None, created_at=NOON
)
PRUNING = PruningRow(
    id="prn-tea",
    account_id="account-tea",
    what="sealed",
    ended_before=second(-0.000001),
    created_at=NOON,
)
CALLBACK_ENDPOINT = CallbackEndpointRow(
    id="callback-tea",
    account_id="account-tea",
    url="https://tea.example/" + HARD,
    events=("pin.*", HARD),
    created_at=NOON,
    removed_at=None,
)
CALLBACK_DELIVERY = CallbackDeliveryRow(
    id="delivery-tea",
    account_id="account-tea",
    person_id="per_guest",
    endpoint_id="callback-tea",
    url=HARD,
    type="pin.verified",
    event_id="evt_tea",
    event_version=7,
    body=HARD,
    created_at=NOON,
    queued_at=NOON,
    status="pending",
    attempts=0,
    last_status=None,
    last_answer=None,
    error=None,
    next_attempt_at=second(0.000001),
    ended_at=None,
)
CHANNEL_ACCOUNT = ChannelAccountRow(
    id="channel-tea",
    account_id="account-tea",
    channel_type="sms",
    provider="simulator",
    name=HARD,
    sender=None,
    config={"host": HARD, "port": 25, "tls": True, "relay": None, "routes": [[1], {"a": 1.5}]},
    limits=ChannelLimits(rate_per_second=0.5),
    failover=("cha_second", "cha_third"),
    failover_on_unknown=None,
    prices=(PrefixPrice(prefix="", amount="0.01", currency="EUR"),),
    enabled=False,
    created_at=NOON,
    updated_at=second(0.000001),
)
CHAT_RATING = ChatRatingRow(
    id="rating-tea",
    account_id="account-tea",
    person_id="per_guest",
    created_at=second(0.000001),
)
TEST_DESTINATION = TestDestinationRow(
    id="test-tea",
    account_id="account-tea",
    person_id="per_guest",
    destination=HARD,
    until=second(0.5),
    created_at=NOON,
    updated_at=second(0.000001),
    removed_at=None,
)
CONSENT = ConsentRow(
    id="consent-tea",
    account_id="account-tea",
    person_id="per_guest",
    channel="whatsapp",
    recipient=HARD,
    opt_list="out",
    since=second(0.000001),
)
DLT_TEMPLATE = DltTemplateRow(
    id="dlt-tea",
    account_id="account-tea",
    template_id=HARD,
    entity_id=HARD,
    text=f"{HARD} {{#var#}}",
    created_at=NOON,
    removed_at=None,
)
FALLBACK_CONFIGURATION = FallbackConfigurationRow(
    id="fallback-tea",
    account_id="account-tea",
    fallback_id=HARD,
    steps=("sms", HARD),
    created_at=NOON,
)
FALLBACK_RUN = FallbackRunRow(
    id="run-tea",
    account_id="account-tea",
    person_id="per_guest",
    message_id="message-tea",
    fallback_id=HARD,
    status="armed",
    waittime_seconds=172_800,
    deadline=second(0.000001),
    steps=(StepLine("sms", None, "armed", None), StepLine(HARD, None, "armed", None)),
    created_at=NOON,
    updated_at=NOON,
)
MEDIA = MediaRow(
    id="med-tea",
    account_id="account-tea",
    name=HARD,
    content_type="image/png",
    size=2**40,
    sha256=HARD,
    created_at=NOON,
    removed_at=None,
)
LEGACY_TOKEN = LegacyTokenRow(
    token_hash="token-tea",
    user_id="user-tea",
    generation=2,
    created_at=NOON,
    expires_at=second(3600.000001),
)
LEGACY_USER = LegacyUserRow(
    id="user-tea", account_id="account-tea", email=HARD, created_at=NOON, removed_at=None
)
MESSAGE = MessageRow(
    id="message-tea",
    account_id="account-tea",
    person_id="per_guest",
    direction="inbound",
    channel="whatsapp",
    channel_account_id="channel-tea",
    account_side=HARD,
    person_side="+91 98123 45610",
    own_canonical=HARD,
    cust_refs={"custRef1": HARD, HARD: ""},
    reference=HARD,
    campaign=None,
    run_id=None,
    sent_by_run="run-tea",
    resource_type=HARD,
    tag1=HARD,
    tag2=None,
    tag3="",
    callback_url=HARD,
    created_at=NOON,
    status="accepted",
    events=(),
    updated_at=NOON,
)
MESSAGE_TEMPLATE = MessageTemplateRow(
    id="rcs-tea",
    account_id="account-tea",
    channel="rcs",
    sender_profile=HARD,
    name=HARD,
    language=None,
    category="OTP",
    status="Pending",
    created_at=NOON,
    updated_at=second(0.5),
)
PIN_TEMPLATE = PinTemplateRow(
    id="template-tea",
    account_id="account-tea",
    name=HARD,
    name_folded=HARD.casefold(),
    status="ENABLED",
    status_rank=0,
    archived_at=None,
    created_at=NOON,
    updated_at=NOON,
)
REFUSED_SENDS = RefusedSendsRow(
    id="count-tea",
    account_id="account-tea",
    person_id=None,
    verdict="refused",
    rule="unverified.prefix",
    subject=HARD,
    limit_reached=HARD,
    since=NOON,
    until=second(0.000001),
    count=2**40,
    listed_until=second(3600.000001),
)
SHORT_LINK = ShortLinkRow(
    id="link-tea",
    account_id="account-tea",
    person_id=None,
    message_id=None,
    url=HARD,
    sealed_url=None,
    created_at=NOON,
    clicks=0,
    clicked_at=None,
    disabled_at=None,
    switches=0,
)
VERIFICATION = VerificationRow(
    pin_id="pin-tea",
    account_id="account-tea",
    template_id="template-tea",
    person_id="per_1",
    destination="+91 98123 45610",
    reference_id=None,
    test=False,
    key_version=1,
    created_at=NOON,
    status="PENDING",
    attempts_remaining=5,
    expires_at=second(600),
    updated_at=NOON,
    superseded_by=None,
    channels=(),
    channel_names=("sms", "email"),
)
SAMPLES: Mapping[type[Row], Row] = {
    type(row): row
    for row in (
        ACCOUNT,
        API_KEY,
        OPERATOR_TOKEN,
        RETENTION,
        PRUNING,
        CALLBACK_DELIVERY,
        CALLBACK_ENDPOINT,
        CHANNEL_ACCOUNT,
        CHAT_RATING,
        CONSENT,
        CONSOLE_SESSION,
        TEST_DESTINATION,
        DLT_TEMPLATE,
        FALLBACK_CONFIGURATION,
        FALLBACK_RUN,
        MEDIA,
        LEGACY_TOKEN,
        LEGACY_USER,
        MESSAGE,
        MESSAGE_TEMPLATE,
        PIN_TEMPLATE,
        REFUSED_SENDS,
        SHORT_LINK,
        VERIFICATION,
        *STATISTICS_ROWS,
    )
}

# Each row with every changeable column changed; accounts, for example, have none.
CHANGED: tuple[Row, ...] = (
    evolve(ACCOUNT, suspended_at=None),
    evolve(API_KEY, last_used_at=None, revoked_at=second(2)),
    evolve(OPERATOR_TOKEN, last_used_at=second(1), revoked_at=second(2)),
    evolve(RETENTION, pins=None, messages="90d", events="3660d"),
    evolve(PRUNING, what="stream"),
    evolve(CALLBACK_ENDPOINT, removed_at=second(1)),
    evolve(
        CALLBACK_DELIVERY,
        queued_at=second(1),
        status="failed",
        attempts=2**40,
        last_status=503,
        last_answer=HARD,
        error=HARD,
        next_attempt_at=None,
        ended_at=second(2),
    ),
    evolve(
        CHANNEL_ACCOUNT,
        name="second",
        sender=HARD,
        config={},
        limits=ChannelLimits(concurrency=1, timeout_seconds=20),
        failover=(),
        failover_on_unknown=False,
        prices=(),
        enabled=True,
        updated_at=second(7),
    ),
    evolve(
        CONSENT, person_id="per_friend", recipient="919812345610", opt_list=None, since=second(1)
    ),
    evolve(CONSOLE_SESSION, used_at=second(60), ends_at=second(1_860), ended_at=second(61.5)),
    evolve(
        TEST_DESTINATION,
        destination="+919812345610",
        until=second(2),
        created_at=second(1),
        updated_at=second(1.5),
        removed_at=second(1.5),
    ),
    evolve(DLT_TEMPLATE, removed_at=second(1)),
    evolve(MEDIA, removed_at=second(1)),
    evolve(LEGACY_TOKEN, expires_at=None),
    evolve(LEGACY_USER, removed_at=second(1)),
    evolve(
        FALLBACK_RUN,
        status="rejected",
        deadline=None,
        steps=(
            StepLine("sms", "message-step", "accepted", None),
            StepLine(HARD, None, "rejected", HARD),
        ),
        updated_at=second(0.5),
    ),
    evolve(
        MESSAGE,
        channel_account_id="channel-spare",
        status="failed",
        events=(
            HistoryLine("accepted", NOON, None),
            HistoryLine("failed", second(0.000001), HARD),
        ),
        updated_at=second(1),
    ),
    evolve(MESSAGE_TEMPLATE, status="Approved", updated_at=second(1)),
    evolve(
        PIN_TEMPLATE,
        name="other",
        name_folded="other",
        status="ARCHIVED",
        status_rank=2,
        archived_at=second(1),
        updated_at=second(1),
    ),
    evolve(SHORT_LINK, clicks=2, clicked_at=second(1), disabled_at=second(2), switches=1),
    evolve(
        VERIFICATION,
        test=True,
        key_version=2,
        status="EXPIRED",
        attempts_remaining=0,
        expires_at=second(1),
        updated_at=second(2),
        superseded_by="pin-pot",
        channels=({"channel": "sms", "status": "rejected", "error_message": HARD},),
        channel_names=("whatsapp",),
    ),
    *CHANGED_STATISTICS,
)


async def written(store: EventStore, rows: Collection[Any]) -> None:
    """Write rows in one append, which meets the people whom no store knows yet."""
    people = {each for row in rows if (each := getattr(row, "person_id", None)) is not None}
    missing = sorted(people - (await store.people_named(people)).keys())
    new_people = tuple(person(each.removeprefix("per_")) for each in missing)
    await store.append(step(rows=tuple(rows), new_people=new_people))


def template(key: str, **values: Any) -> PinTemplateRow:
    """Return a template's row, named like its key by default."""
    name = values.get("name", key)
    row = PinTemplateRow(
        id=key,
        account_id="account-garden",
        name=name,
        name_folded=name.casefold(),
        status="ENABLED",
        status_rank=0,
        archived_at=None,
        created_at=NOON,
        updated_at=NOON,
    )
    return evolve(row, **values)


def templates(keys: Iterable[str]) -> Iterator[PinTemplateRow]:
    """Return one row for each key, all of the same time."""
    return (template(key) for key in keys)
