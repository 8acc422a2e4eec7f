"""Generators shared by the tests: destinations, policies, and events of every kind."""

from __future__ import annotations

import string
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from watchword.application.records import record_of
from watchword.domain.accounts.account import (
    AccountCreated,
    AccountLimitsSet,
    AccountResumed,
    AccountSuspended,
)
from watchword.domain.accounts.api_key import ApiKeyCreated, ApiKeyRevoked, ApiKeyUsed, Scope
from watchword.domain.accounts.channel_account import (
    ChannelAccountCreated,
    ChannelAccountDisabled,
    ChannelAccountEnabled,
    ChannelAccountRevised,
    ChannelAccountTested,
    ChannelLimits,
    ChannelSecretsDropped,
    PrefixPrice,
)
from watchword.domain.accounts.console_session import (
    ConsoleSessionBegun,
    ConsoleSessionEnded,
    ConsoleSessionUsed,
)
from watchword.domain.accounts.fallback_configuration import FallbackConfigurationCreated
from watchword.domain.accounts.operator_token import (
    OperatorTokenCreated,
    OperatorTokenRevoked,
    OperatorTokenUsed,
)
from watchword.domain.accounts.token_role import TokenRole
from watchword.domain.audit_read import AuditRead
from watchword.domain.callback_endpoint import (
    CallbackEndpointCreated,
    CallbackEndpointRemoved,
    CallbackEndpointTested,
    CallbackRedelivered,
)
from watchword.domain.channel import (
    PIN_CHANNELS,
    Channel,
    ChannelOutcome,
    OutcomeStatus,
    TriedAccount,
)
from watchword.domain.consent import (
    OptList,
    RecipientOptedIn,
    RecipientOptedOut,
    RecipientUnlisted,
)
from watchword.domain.dlt.template import DltTemplateRegistered, DltTemplateRemoved
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    AttemptEnded,
    FallbackArmed,
    FallbackDispatched,
    FallbackFired,
    FallbackRejected,
    FallbackStep,
    FallbackStoodDown,
    FallbackTriggered,
    RevokeOutcome,
    StepPassedOver,
    TriggerReason,
)
from watchword.domain.guard import (
    COUNTRIES,
    Budgeted,
    Countries,
    CountryBaselineSet,
    GuardPolicy,
    GuardPolicyRevised,
    Mode,
    Moded,
    Rule,
    Sends,
    SendsFlagged,
    SendsRefused,
    SubjectReleased,
    TestDestinationNoted,
    Unverified,
    counted,
)
from watchword.domain.legacy.chat_rating import ChatRated
from watchword.domain.legacy.legacy_user import (
    LegacyTokensRevoked,
    LegacyUserCreated,
    LegacyUserRemoved,
)
from watchword.domain.log_history import (
    EventsPruned,
    LogKeyAdded,
    LogKeyRetired,
    PrunedPart,
    PrunedRange,
    ReadModelsRepaired,
    StoreRestored,
)
from watchword.domain.media import MediaRemoved, MediaStored
from watchword.domain.message import (
    Content,
    Ending,
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
    ProviderContent,
    RcsTemplateContent,
    ResourceType,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
    carries_code,
)
from watchword.domain.parked_receipt import ReceiptDropped, ReceiptMatched, ReceiptParked
from watchword.domain.person import PersonErased
from watchword.domain.pin import (
    PinBlocked,
    PinDispatched,
    PinErased,
    PinExpired,
    PinIssued,
    PinReported,
    PinResent,
    PinSuperseded,
    PinVerified,
    VerifyFailed,
)
from watchword.domain.pin_template import (
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
    TemplateChannel,
)
from watchword.domain.pin_template.pin_type import PinType
from watchword.domain.pin_template.policy import PinPolicy, VerificationReceipt
from watchword.domain.price import Price
from watchword.domain.rate_limit import Duration, Rate
from watchword.domain.rcs_template import (
    Alignment,
    Card,
    Carousel,
    Height,
    Horizontal,
    HostedFile,
    MessageOrder,
    MessageType,
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
    RichCard,
    Suggestion,
    TemplateContent,
    TextMessage,
    TextMessageWithMedia,
    Vertical,
    Width,
)
from watchword.domain.receipt import ReceiptStatus
from watchword.domain.retention import RetentionSet
from watchword.domain.shared_content import ContentSubmitted
from watchword.domain.short_link import (
    ShortLinkClicked,
    ShortLinkCreated,
    ShortLinkDisabled,
    ShortLinkEnabled,
)
from watchword.domain.test_destination import TestDestinationRemoved, TestDestinationSet
from watchword.domain.whatsapp_template import (
    AuthenticationContent,
    Body,
    Buttons,
    Category,
    CodeBody,
    CodeButtons,
    CodeFooter,
    CopyCodeButton,
    CopyCodeOtpButton,
    Footer,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    OneTapOtpButton,
    PhoneNumberButton,
    QuickReplyButton,
    SupportedApp,
    TextHeader,
    UrlButton,
    WhatsappSubmissionBegun,
    WhatsappSubmissionEnded,
    WhatsappSubmissionPutOff,
    WhatsappSubmissionRequested,
    WhatsappTemplateApproved,
    WhatsappTemplateCreated,
    WhatsappTemplateRejected,
    WhatsappTemplateSubmitted,
    WordedContent,
)
from watchword.domain.whatsapp_template import Card as WhatsappCard
from watchword.domain.whatsapp_template import Carousel as WhatsappCarousel

UNITS = ("ms", "s", "m", "h", "d")

instants: SearchStrategy[datetime] = st.integers(0, 40 * 365 * 86_400 * 1_000_000).map(
    lambda microseconds: datetime(2020, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
)
# Everything that JSON can carry and C-65 lets in: no NUL, no lone surrogate.
texts: SearchStrategy[str] = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40
)
names: SearchStrategy[str] = texts.filter(lambda text: bool(text.strip()))
ids: SearchStrategy[str] = st.uuids(version=4).map(str)

phone_numbers: SearchStrategy[str] = st.from_regex(r"\+[1-9][0-9]{7,14}", fullmatch=True)
e_mails: SearchStrategy[str] = st.builds(
    "{}@{}.example".format,
    st.text(string.ascii_letters + string.digits + ".+_-", min_size=1, max_size=20),
    st.text(string.ascii_letters + string.digits, min_size=1, max_size=10),
)
destinations: SearchStrategy[str] = st.one_of(
    phone_numbers, e_mails, names.filter(lambda text: len(text) <= 64)
)

# At most ten years, in any unit.
durations: SearchStrategy[Duration] = st.builds(
    lambda count, unit: Duration(f"{count}{unit}"), st.integers(1, 3660), st.sampled_from(UNITS)
)
rates: SearchStrategy[Rate] = st.builds(
    lambda count, window, unit: Rate(f"{count}/{window}{unit}"),
    st.integers(1, 999_999_999),
    st.one_of(st.just(""), st.integers(1, 3660).map(str)),
    st.sampled_from(UNITS),
)
receipt_forms = st.none() | st.sampled_from(VerificationReceipt)
policies: SearchStrategy[PinPolicy] = st.builds(
    PinPolicy,
    pin_length=st.integers(4, 10),
    pin_type=st.sampled_from(PinType),
    pin_attempts=st.integers(1, 100),
    pin_time_to_live=durations,
    verify_pin_limit=rates,
    send_pin_per_template_limit=rates,
    send_pin_per_phone_number_limit=rates,
    resend_cooldown=st.one_of(st.just(Duration("0s")), durations),
    receipt=receipt_forms,
)

pin_channels: SearchStrategy[tuple[Channel, ...]] = st.lists(
    st.sampled_from(PIN_CHANNELS), min_size=1, unique=True
).map(tuple)
segments: SearchStrategy[int | None] = st.none() | st.integers(1, 9)
prices: SearchStrategy[Price | None] = st.none() | st.builds(
    Price, amount=st.decimals(0, 9, places=4).map(str), currency=st.sampled_from(("EUR", "INR"))
)
tried: SearchStrategy[tuple[TriedAccount, ...]] = st.lists(
    st.builds(
        TriedAccount,
        channel_account_id=ids,
        status=st.sampled_from(OutcomeStatus),
        code=st.none() | names,
    ),
    max_size=2,
).map(tuple)
outcomes: SearchStrategy[ChannelOutcome] = st.builds(
    ChannelOutcome,
    channel=st.sampled_from([*Channel, "viber"]),
    channel_account_id=st.none() | ids,
    status=st.sampled_from(OutcomeStatus),
    provider_message_id=st.none() | texts,
    error_code=st.none() | names,
    error_message=st.none() | texts,
    tried=tried,
    segments=segments,
    price=prices,
    rate=prices,
)
param_values: SearchStrategy[Mapping[str, str]] = st.dictionaries(
    st.integers(1, 999).map(str), texts, max_size=3
)
template_channels: SearchStrategy[TemplateChannel] = st.builds(
    TemplateChannel,
    id=ids,
    channel_type=st.sampled_from(PIN_CHANNELS),
    channel_account_id=ids,
    provider_template_ref=st.none() | names,
    content_text=texts,
    subject_text=st.none() | texts,
    is_default=st.booleans(),
    language_code=st.none() | st.sampled_from(["en", "hi", "pt_BR"]),
    copy_code_button_index=st.none() | st.integers(0, 9),
    pin_placeholder=st.sampled_from(["{{pin}}", "[code]", "%PIN%"]),
    param_defaults=param_values,
    entity_id=st.none() | names,
    unicode=st.none() | st.booleans(),
    web_otp_origin=st.none() | st.sampled_from(["shop.example", "a-1.b.example", "localhost"]),
    app_hash=st.none() | st.from_regex(r"[A-Za-z0-9+/]{11}", fullmatch=True),
)
configs: SearchStrategy[Mapping[str, Any]] = st.dictionaries(
    names, st.recursive(st.none() | st.booleans() | st.integers() | texts, st.lists, max_leaves=3)
)

channel_limits: SearchStrategy[ChannelLimits] = st.builds(
    ChannelLimits,
    concurrency=st.none() | st.integers(1, 512),
    rate_per_second=st.none() | st.integers(1, 10_000) | st.floats(0.001, 10_000),
    timeout_seconds=st.none() | st.integers(1, 20) | st.floats(1, 20),
)
prefix_prices: SearchStrategy[PrefixPrice] = st.builds(
    PrefixPrice,
    prefix=st.from_regex(r"[0-9]{0,15}", fullmatch=True),
    amount=st.from_regex(r"[0-9]{1,9}(\.[0-9]{1,9})?", fullmatch=True),
    currency=st.from_regex(r"[A-Z]{3}", fullmatch=True),
)
channel_settings: Mapping[str, SearchStrategy[Any]] = {
    "name": names,
    "sender": st.none() | names,
    "config": configs,
    "sealed": st.booleans(),
    "limits": channel_limits,
    "failover": st.lists(ids, max_size=8, unique=True).map(tuple),
    "failover_on_unknown": st.none() | st.booleans(),
    "prices": st.lists(prefix_prices, max_size=3, unique_by=lambda each: each.prefix).map(tuple),
}

channel_names: SearchStrategy[str] = st.sampled_from([*Channel, "viber"])
cust_refs: SearchStrategy[Mapping[str, str]] = st.dictionaries(names, texts, max_size=3)
contents: SearchStrategy[Content] = st.one_of(
    st.builds(
        SmsContent,
        type=st.sampled_from(["SI", "OTP", "SE", "Promo"]),
        text=texts,
        template_id=st.none() | names,
        entity_id=st.none() | names,
        unicode=st.booleans(),
    ),
    st.builds(
        WhatsappTemplateContent,
        name=names,
        language=st.sampled_from(["en", "pt_BR"]),
        components=st.lists(configs, max_size=2).map(tuple),
    ),
    st.builds(WhatsappSessionContent, type=st.sampled_from(["text", "interactive"]), body=configs),
    st.builds(
        RcsTemplateContent,
        message_type=st.sampled_from(["template", "OTP"]),
        template_code=names,
        params=cust_refs,
    ),
    st.builds(ProviderContent, payload=configs),
)
fallback_steps: SearchStrategy[FallbackStep] = st.builds(
    FallbackStep,
    # Tests of sealed events have the keys of these people.
    person_id=st.sampled_from(["per_rose", "per_thorn"]),
    channel=channel_names,
    sender=names,
    recipient=destinations,
    content=st.none() | contents.filter(lambda content: not carries_code(content)),
    sealed=st.none() | names,
    content_id=st.none() | ids,
    link_codes=st.lists(names, max_size=2).map(tuple),
    cust_refs=cust_refs,
)


def _built(kind: type[Any], **others: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Build values of a class: any texts for its texts, with or without those that it can miss."""
    of_texts = {str: texts, str | None: st.none() | texts}
    wanted = attrs.fields(attrs.resolve_types(kind))
    given = {each.name: of_texts[each.type] for each in wanted if each.type in of_texts}
    return st.builds(kind, **given, **others)


_buttons: SearchStrategy[Any] = st.none() | st.lists(
    st.one_of([_built(kind) for kind in get_args(Suggestion)]), max_size=2
).map(tuple)
_cards: SearchStrategy[Card] = _built(Card, suggestions=_buttons)
_layouts: SearchStrategy[Vertical | Horizontal] = st.one_of(
    st.builds(Vertical, height=st.sampled_from(Height)),
    st.builds(Horizontal, alignment=st.sampled_from(Alignment)),
)
rcs_contents: SearchStrategy[TemplateContent] = st.one_of(
    _built(TextMessage, suggestions=_buttons),
    _built(TextMessageWithMedia, suggestions=_buttons, message_order=st.sampled_from(MessageOrder)),
    st.builds(RichCard, layout=_layouts, stand_alone=_cards, suggestions=_buttons),
    st.builds(
        Carousel,
        height=st.sampled_from(Height),
        width=st.sampled_from(Width),
        carousel_list=st.lists(_cards, max_size=3).map(tuple),
        suggestions=_buttons,
    ),
)

_examples: SearchStrategy[tuple[str, ...] | None] = st.none() | st.lists(texts, max_size=2).map(
    tuple
)
_worded_components: SearchStrategy[Any] = st.one_of(
    _built(TextHeader, example=_examples),
    st.builds(
        MediaHeader,
        format=st.sampled_from([HeaderFormat.IMAGE, HeaderFormat.VIDEO, HeaderFormat.DOCUMENT]),
        example=_examples,
    ),
    st.builds(LocationHeader),
    _built(Body, example=_examples),
    _built(Footer),
    st.builds(
        Buttons,
        buttons=st.lists(
            st.one_of(
                _built(QuickReplyButton),
                _built(UrlButton, example=_examples),
                _built(PhoneNumberButton),
                _built(CopyCodeButton),
            ),
            max_size=3,
        ).map(tuple),
    ),
)
_whatsapp_cards = st.builds(
    WhatsappCard,
    components=st.lists(
        st.one_of(
            st.builds(MediaHeader, format=st.just(HeaderFormat.VIDEO), example=_examples),
            _built(Body, example=_examples),
            st.builds(Buttons, buttons=st.lists(_built(QuickReplyButton), max_size=2).map(tuple)),
        ),
        max_size=3,
    ).map(tuple),
)
_worded_components |= st.builds(
    WhatsappCarousel, cards=st.lists(_whatsapp_cards, max_size=2).map(tuple)
)
_code_components: SearchStrategy[Any] = st.one_of(
    _built(CodeBody, example=_examples, add_security_recommendation=st.none() | st.booleans()),
    st.builds(CodeFooter, code_expiration_minutes=st.none() | st.integers(1, 90)),
    st.builds(
        CodeButtons,
        buttons=st.lists(
            st.one_of(
                _built(CopyCodeOtpButton),
                _built(
                    OneTapOtpButton,
                    supported_apps=st.lists(_built(SupportedApp), max_size=2).map(tuple),
                ),
            ),
            max_size=2,
        ).map(tuple),
    ),
)
whatsapp_contents: SearchStrategy[WordedContent | AuthenticationContent] = st.one_of(
    st.builds(
        WordedContent,
        category=st.sampled_from([Category.UTILITY, Category.MARKETING]),
        components=st.lists(_worded_components, max_size=3).map(tuple),
    ),
    st.builds(AuthenticationContent, components=st.lists(_code_components, max_size=3).map(tuple)),
)

_of_a_code: dict[str, Any] = {
    "at": instants,
    "channels": pin_channels,
    "code_hash": names,
    "expires_at": instants,
    "attempts": st.integers(1, 100),
    "verify_limit": rates,
    "counted": st.lists(st.builds(counted, st.sampled_from(Rule), rates), max_size=3).map(tuple),
    "flags": st.lists(st.sampled_from(Rule).map(str), max_size=3, unique=True).map(tuple),
    "receipt": receipt_forms,
}
_of_a_template: dict[str, Any] = {
    "at": instants,
    "by": ids,
    "name": names,
    "policy": policies,
    "channels": st.lists(template_channels, min_size=1, max_size=3).map(tuple),
}
_of_an_issue: dict[str, Any] = {"at": instants, "issue": st.integers(1, 9)}
_by_an_actor: dict[str, Any] = {"at": instants, "by": ids}
_of_a_message: dict[str, Any] = {
    "at": instants,
    "account_id": ids,
    "person_id": ids,
    "channel": channel_names,
    "channel_account_id": ids,
    "sender": destinations,
    "recipient": destinations,
}
_of_a_receipt: dict[str, Any] = {
    "at": instants,
    "status": st.sampled_from(ReceiptStatus),
    "error_code": st.none() | names,
    "reported_at": instants,
    "segments": segments,
    "price": prices,
}
_of_a_number: Mapping[str, SearchStrategy[Any]] = {
    "at": instants,
    "account_id": ids,
    "person_id": ids,
    "channel": st.just(Channel.WHATSAPP),
    "recipient": phone_numbers,
}
_of_a_review: dict[str, Any] = {"at": instants, "reason": st.none() | names}
_of_a_step: dict[str, Any] = {"at": instants, "step": st.integers(1, 2)}

_of_a_count: dict[str, SearchStrategy[Any]] = {
    "at": instants,
    "account_id": ids,
    "person_id": st.none() | ids,
    "rule": st.sampled_from(Rule),
    "subject": names,
    "country": st.none() | names,
    "limit": st.none() | rates,
    "since": instants,
    "until": instants,
    "count": st.integers(1, 2**40),
}

_modes = st.sampled_from(Mode)
_countries = st.frozensets(st.sampled_from(sorted(COUNTRIES)), min_size=1, max_size=4)
_budgeted = st.builds(Budgeted, mode=_modes, limit=rates)
guard_policies = st.builds(
    GuardPolicy,
    numbers=st.builds(Moded, mode=_modes),
    guesses=_budgeted,
    countries=st.builds(Countries, mode=_modes, allow=_countries)
    | st.builds(Countries, mode=_modes, refuse=_countries),
    unverified=st.builds(
        Unverified,
        country=st.builds(Budgeted, mode=_modes, limit=st.none() | rates),
        prefix=_budgeted,
        ip=_budgeted,
    ),
    sends=st.builds(
        Sends,
        account=st.none() | _budgeted,
        channels=st.dictionaries(st.sampled_from(PIN_CHANNELS), _budgeted),
    ),
    verified_pass=st.none() | st.sampled_from([Duration("90d"), Duration("1h")]),
)

EVENTS: Mapping[type[Event], SearchStrategy[Event]] = {
    AccountCreated: st.builds(AccountCreated, at=instants, name=names),
    AccountSuspended: st.builds(AccountSuspended, at=instants),
    AccountResumed: st.builds(AccountResumed, at=instants),
    AccountLimitsSet: st.builds(
        AccountLimitsSet,
        at=instants,
        requests_per_second=st.none() | st.integers(1, 100_000),
        stored_bytes_per_day=st.none() | st.integers(1, 2**53),
        media_bytes=st.none() | st.integers(0, 2**53),
    ),
    ApiKeyCreated: st.builds(
        ApiKeyCreated,
        at=instants,
        account_id=ids,
        name=names,
        prefix=names,
        key_hash=names,
        scopes=st.lists(st.sampled_from(Scope), unique=True).map(tuple),
        template_auto_match=st.booleans(),
        expires_at=st.none() | instants,
    ),
    ApiKeyUsed: st.builds(ApiKeyUsed, at=instants),
    ApiKeyRevoked: st.builds(ApiKeyRevoked, at=instants),
    OperatorTokenCreated: st.builds(
        OperatorTokenCreated,
        at=instants,
        name=names,
        role=st.sampled_from(TokenRole),
        account_id=st.none() | ids,
        clear=st.booleans(),
        prefix=names,
        token_hash=names,
        expires_at=st.none() | instants,
    ),
    OperatorTokenUsed: st.builds(OperatorTokenUsed, at=instants),
    OperatorTokenRevoked: st.builds(OperatorTokenRevoked, at=instants),
    ConsoleSessionBegun: st.builds(
        ConsoleSessionBegun,
        at=instants,
        began_at=instants,
        token_id=st.none() | ids,
        token_mark=st.none() | names,
        secret_hash=names,
    ),
    ConsoleSessionUsed: st.builds(ConsoleSessionUsed, at=instants, used_at=instants),
    ConsoleSessionEnded: st.builds(ConsoleSessionEnded, at=instants),
    CallbackEndpointCreated: st.builds(
        CallbackEndpointCreated,
        at=instants,
        account_id=ids,
        url=texts,
        events=st.lists(names).map(tuple),
    ),
    CallbackEndpointRemoved: st.builds(CallbackEndpointRemoved, at=instants),
    CallbackEndpointTested: st.builds(CallbackEndpointTested, at=instants, delivery_id=ids),
    CallbackRedelivered: st.builds(CallbackRedelivered, at=instants, delivery_id=ids),
    ChannelAccountCreated: st.builds(
        ChannelAccountCreated,
        at=instants,
        account_id=ids,
        channel_type=st.sampled_from(Channel),
        provider=names,
        **channel_settings,
    ),
    ChannelAccountRevised: st.builds(
        ChannelAccountRevised, at=instants, resealed=st.booleans(), **channel_settings
    ),
    ChannelAccountDisabled: st.builds(ChannelAccountDisabled, at=instants),
    ChannelAccountEnabled: st.builds(ChannelAccountEnabled, at=instants),
    ChannelAccountTested: st.builds(
        ChannelAccountTested,
        at=instants,
        status=st.sampled_from(OutcomeStatus),
        code=st.none() | names,
        provider_message_id=st.none() | names,
    ),
    ChannelSecretsDropped: st.builds(ChannelSecretsDropped, at=instants),
    FallbackConfigurationCreated: st.builds(
        FallbackConfigurationCreated,
        at=instants,
        account_id=ids,
        fallback_id=names,
        steps=st.lists(names, min_size=1, max_size=2, unique=True).map(tuple),
    ),
    GuardPolicyRevised: st.builds(
        GuardPolicyRevised, at=instants, account_id=ids, policy=guard_policies
    ),
    RetentionSet: st.builds(
        RetentionSet,
        at=instants,
        account_id=ids,
        pins=st.none() | durations,
        messages=st.none() | durations,
        events=st.none() | durations,
    ),
    CountryBaselineSet: st.builds(
        CountryBaselineSet,
        at=instants,
        account_id=ids,
        country=st.sampled_from(sorted(COUNTRIES)),
        most_verified=st.integers(0, 10**6),
        limit=st.integers(50, 2 * 10**5),
        day=st.dates(),
    ),
    TestDestinationNoted: st.builds(
        TestDestinationNoted,
        at=instants,
        account_id=ids,
        person_id=ids,
        test_id=ids,
        until=st.none() | instants,
    ),
    SubjectReleased: st.builds(
        SubjectReleased,
        at=instants,
        account_id=ids,
        rule=st.sampled_from(Rule),
        key=names,
        subject=destinations,
        person_id=st.none() | ids,
    ),
    PinIssued: st.builds(
        PinIssued,
        account_id=ids,
        template_id=ids,
        person_id=ids,
        destination=destinations,
        reference_id=st.none() | names,
        country=st.none() | st.sampled_from(("IN", "GB")),
        test=st.booleans(),
        context_ip=st.none() | ids,
        context_user_agent=st.none() | ids,
        locale=st.none() | st.sampled_from(("de", "pt-BR", "zh-Hant-TW")),
        **_of_a_code,
    ),
    PinResent: st.builds(PinResent, issue=st.integers(2, 9), test=st.booleans(), **_of_a_code),
    PinDispatched: st.builds(
        PinDispatched,
        test=st.booleans(),
        outcomes=st.lists(outcomes, min_size=1, max_size=3).map(tuple),
        **_of_an_issue,
    ),
    PinReported: st.builds(
        PinReported, issue=st.integers(1, 9), channel=channel_names, **_of_a_receipt
    ),
    VerifyFailed: st.builds(VerifyFailed, attempts_remaining=st.integers(0, 99), **_of_an_issue),
    PinVerified: st.builds(PinVerified, **_of_an_issue),
    PinBlocked: st.builds(PinBlocked, **_of_an_issue),
    PinExpired: st.builds(PinExpired, **_of_an_issue),
    PinSuperseded: st.builds(PinSuperseded, **_by_an_actor),
    PinErased: st.builds(PinErased, at=instants),
    PersonErased: st.builds(PersonErased, at=instants, account_id=ids),
    LogKeyAdded: st.builds(LogKeyAdded, at=instants, log_key=names, clock_key=names),
    LogKeyRetired: st.builds(LogKeyRetired, at=instants, log_key=names),
    StoreRestored: st.builds(
        StoreRestored,
        at=instants,
        number=st.integers(2, 99),
        lost_origin=st.none() | names,
        lost_size=st.none() | st.integers(1, 2**40),
        lost_root=st.none() | names,
        kept_size=st.integers(0, 2**40),
        kept_root=names,
    ),
    EventsPruned: st.builds(
        EventsPruned,
        at=instants,
        account_id=ids,
        what=st.sampled_from(PrunedPart),
        ranges=st.lists(
            st.builds(PrunedRange, st.integers(1, 99), st.integers(99, 2**40)), max_size=2
        ).map(tuple),
        digest=names,
        ended_before=instants,
    ),
    ReadModelsRepaired: st.builds(
        ReadModelsRepaired,
        at=instants,
        position=st.integers(1, 2**40),
        replaced=st.dictionaries(names, st.integers(1, 99), max_size=2),
        removed=st.dictionaries(names, st.integers(1, 99), max_size=2),
    ),
    AuditRead: st.builds(
        AuditRead,
        at=instants,
        reader=ids,
        streams=st.lists(ids, max_size=2).map(tuple),
        more_streams=st.integers(0, 9),
        first=st.none() | st.integers(1, 2**40),
        last=st.none() | st.integers(1, 2**40),
        reads=st.integers(1, 99),
        since=instants,
        until=instants,
    ),
    ContentSubmitted: st.builds(
        ContentSubmitted,
        at=instants,
        account_id=ids,
        person_id=st.none() | ids,
        content=st.none() | contents,
        sealed=st.none() | names,
        own_links=st.lists(names, max_size=2).map(tuple),
    ),
    MessageSubmitted: st.builds(
        MessageSubmitted,
        content=st.none() | contents,
        cust_refs=cust_refs,
        campaign=st.none() | names,
        run_id=st.none() | ids,
        sent_by_run=st.none() | ids,
        resource_type=st.sampled_from(ResourceType),
        tags=cust_refs,
        callback_url=st.none() | texts,
        content_id=st.none() | ids,
        link_codes=st.lists(names, max_size=2).map(tuple),
        **_of_a_message,
    ),
    MessageDispatched: st.builds(MessageDispatched, at=instants, outcome=outcomes),
    MessageReported: st.builds(MessageReported, **_of_a_receipt),
    MessageEnded: st.builds(MessageEnded, at=instants, status=st.sampled_from(Ending)),
    MessageReceived: st.builds(
        MessageReceived, provider_message_id=st.none() | names, text=texts, **_of_a_message
    ),
    ReceiptParked: st.builds(
        ReceiptParked, channel_account_id=ids, provider_message_id=names, **_of_a_receipt
    ),
    ReceiptMatched: st.builds(ReceiptMatched, at=instants, holder=ids),
    ReceiptDropped: st.builds(ReceiptDropped, at=instants),
    FallbackArmed: st.builds(
        FallbackArmed,
        at=instants,
        account_id=ids,
        person_id=ids,
        message_id=ids,
        fallback_id=names,
        waittime_seconds=st.integers(1, 172_800),
        deadline=instants,
        steps=st.lists(fallback_steps, min_size=1, max_size=2).map(tuple),
        ttl_seconds=st.none() | st.integers(1, 172_800),
    ),
    FallbackTriggered: st.builds(
        FallbackTriggered, reason=st.sampled_from(TriggerReason), **_of_a_step
    ),
    AttemptEnded: st.builds(AttemptEnded, outcome=st.sampled_from(RevokeOutcome), **_of_a_step),
    FallbackFired: st.builds(FallbackFired, message_id=ids, **_of_a_step),
    FallbackDispatched: st.builds(FallbackDispatched, outcome=outcomes, **_of_a_step),
    FallbackRejected: st.builds(FallbackRejected, error_code=names, **_of_a_step),
    StepPassedOver: st.builds(StepPassedOver, error_code=names, **_of_a_step),
    FallbackStoodDown: st.builds(FallbackStoodDown, **_of_a_step),
    ShortLinkCreated: st.builds(
        ShortLinkCreated,
        at=instants,
        account_id=ids,
        person_id=st.none() | ids,
        message_id=st.none() | ids,
        url=st.none() | texts,
        sealed=st.none() | names,
    ),
    ShortLinkClicked: st.builds(
        ShortLinkClicked,
        at=instants,
        message_id=st.none() | ids,
        url=st.none() | texts,
        clicks=st.integers(1, 2**40),
    ),
    ShortLinkDisabled: st.builds(ShortLinkDisabled, at=instants),
    ShortLinkEnabled: st.builds(ShortLinkEnabled, at=instants),
    RecipientOptedIn: st.builds(RecipientOptedIn, **_of_a_number),
    RecipientOptedOut: st.builds(RecipientOptedOut, **_of_a_number),
    TestDestinationSet: st.builds(
        TestDestinationSet,
        at=instants,
        account_id=ids,
        person_id=ids,
        destination=texts,
        until=instants,
    ),
    TestDestinationRemoved: st.builds(TestDestinationRemoved, at=instants),
    RecipientUnlisted: st.builds(RecipientUnlisted, at=instants, opt_list=st.sampled_from(OptList)),
    DltTemplateRegistered: st.builds(
        DltTemplateRegistered,
        at=instants,
        account_id=ids,
        template_id=names,
        entity_id=names,
        text=names,
    ),
    DltTemplateRemoved: st.builds(DltTemplateRemoved, at=instants),
    MediaRemoved: st.builds(MediaRemoved, at=instants),
    MediaStored: st.builds(
        MediaStored,
        at=instants,
        account_id=ids,
        name=texts,
        content_type=names,
        size=st.integers(0, 2**40),
        sha256=names,
    ),
    RcsTemplateCreated: st.builds(
        RcsTemplateCreated,
        at=instants,
        account_id=ids,
        sender_profile=names,
        name=names,
        message_type=st.sampled_from(MessageType),
        update_by=names,
        content=rcs_contents,
        files=st.lists(st.builds(HostedFile, name=names, media_id=ids), max_size=2).map(tuple),
    ),
    RcsTemplateSubmitted: st.builds(RcsTemplateSubmitted, at=instants),
    RcsTemplateApproved: st.builds(RcsTemplateApproved, **_of_a_review),
    RcsTemplateRejected: st.builds(RcsTemplateRejected, **_of_a_review),
    WhatsappTemplateCreated: st.builds(
        WhatsappTemplateCreated,
        at=instants,
        account_id=ids,
        name=names,
        language=names,
        content=whatsapp_contents,
    ),
    WhatsappTemplateApproved: st.builds(
        WhatsappTemplateApproved, **_of_a_review, by_provider=st.booleans()
    ),
    WhatsappTemplateRejected: st.builds(
        WhatsappTemplateRejected, **_of_a_review, by_provider=st.booleans()
    ),
    WhatsappSubmissionRequested: st.builds(
        WhatsappSubmissionRequested, at=instants, channel_account_id=ids
    ),
    WhatsappSubmissionBegun: st.builds(
        WhatsappSubmissionBegun, at=instants, attempt=st.integers(1, 99), again_at=instants
    ),
    WhatsappSubmissionPutOff: st.builds(
        WhatsappSubmissionPutOff,
        at=instants,
        attempt=st.integers(1, 99),
        code=names,
        reason=names,
        again_at=instants,
    ),
    WhatsappSubmissionEnded: st.builds(
        WhatsappSubmissionEnded, at=instants, attempt=st.integers(1, 99), code=names, reason=names
    ),
    WhatsappTemplateSubmitted: st.builds(
        WhatsappTemplateSubmitted,
        at=instants,
        attempt=st.integers(1, 99),
        provider_template_id=names,
        category=st.none() | names,
        adopted=st.booleans(),
    ),
    LegacyUserCreated: st.builds(
        LegacyUserCreated, at=instants, account_id=ids, email=names, password_hash=names
    ),
    LegacyTokensRevoked: st.builds(LegacyTokensRevoked, at=instants),
    LegacyUserRemoved: st.builds(LegacyUserRemoved, at=instants),
    ChatRated: st.builds(
        ChatRated,
        at=instants,
        account_id=ids,
        person_id=ids,
        chat_id=names,
        phone=names,
        rating=names,
    ),
    SendsRefused: st.builds(SendsRefused, **_of_a_count),
    SendsFlagged: st.builds(SendsFlagged, **_of_a_count),
    PinTemplateCreated: st.builds(PinTemplateCreated, account_id=ids, **_of_a_template),
    PinTemplateRevised: st.builds(PinTemplateRevised, **_of_a_template),
    PinTemplateEnabled: st.builds(PinTemplateEnabled, **_by_an_actor),
    PinTemplateDisabled: st.builds(PinTemplateDisabled, **_by_an_actor),
    PinTemplateArchived: st.builds(PinTemplateArchived, **_by_an_actor),
}

events: SearchStrategy[Event] = st.sampled_from(list(EVENTS)).flatmap(EVENTS.__getitem__)


# Events that another one asks for.
ASKED_FOR: dict[type[Event], type[Event]] = {
    WhatsappSubmissionBegun: WhatsappSubmissionRequested,
    WhatsappSubmissionPutOff: WhatsappSubmissionRequested,
    WhatsappSubmissionEnded: WhatsappSubmissionRequested,
    WhatsappTemplateSubmitted: WhatsappSubmissionRequested,
}


@st.composite
def stories(draw: st.DrawFn) -> tuple[Event, ...]:
    """
    Draw a stream that ends with any event: a first one, or a later one a day behind a first.

    An event that answers another one stands behind it.
    """
    event = draw(events)
    decider = record_of(event).decider
    if isinstance(event, decider.beginnings):
        return (event,)
    first = draw(EVENTS[decider.beginnings[0]])
    later = first.at + timedelta(days=1)
    asked = ASKED_FOR.get(type(event))
    between = () if asked is None else (attrs.evolve(draw(EVENTS[asked]), at=later),)
    return first, *between, attrs.evolve(event, at=later)
