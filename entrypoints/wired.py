"""The use cases of a built service, which the entrypoints call."""

from __future__ import annotations

from attrs import frozen

from ..application.accounts.authenticating import Authenticating
from ..application.accounts.managing_accounts import ManagingAccounts
from ..application.accounts.managing_api_keys import ManagingApiKeys
from ..application.accounts.managing_dlt_templates import ManagingDltTemplates
from ..application.accounts.managing_fallback_configurations import ManagingFallbackConfigurations
from ..application.audit.reading_log import ReadingLog
from ..application.audit.rebuilding import Rebuilding
from ..application.audit.watching_log import WatchingLog
from ..application.callbacks.managing_callbacks import ManagingCallbacks
from ..application.channel_accounts.channel_secrets import ChannelSecrets
from ..application.channel_accounts.managing_channel_accounts import ManagingChannelAccounts
from ..application.channel_accounts.revising_channel_accounts import RevisingChannelAccounts
from ..application.channel_tests.testing import ChannelTests
from ..application.channel_webhooks.setting_webhooks import SettingWebhooks
from ..application.concurrency.bounded_tasks import BoundedTasks
from ..application.data_requests.erasing import ErasingPeople
from ..application.data_requests.showing import ShowingPeople
from ..application.due_work import DueWork
from ..application.evidence.checking_proofs import CheckingProofs
from ..application.evidence.counting_events import CountingEvents
from ..application.evidence.proving import Proving
from ..application.evidence.reading_heads import ReadingHeads
from ..application.evidence.recording_reads import RecordingReads
from ..application.evidence.sealing_log import SealingLog
from ..application.evidence.showing_log import ShowingLog
from ..application.guard.counted_decisions import CountedDecisions
from ..application.guard.listing_refused_sends import ListingRefusedSends
from ..application.guard.managing_guard import ManagingGuard
from ..application.guard.recording_decisions import RecordingDecisions
from ..application.guard.releasing_subjects import ReleasingSubjects
from ..application.guard.replaying_policies import ReplayingPolicies
from ..application.journal import Journal
from ..application.legacy.logging_in import LoggingIn
from ..application.legacy.managing_legacy_users import ManagingLegacyUsers
from ..application.legacy.rating_chats import RatingChats
from ..application.legacy.tokens import Tokens
from ..application.media.hosted_media import HostedMedia
from ..application.media.receiving_media import ReceivingMedia
from ..application.media.removing_media import RemovingMedia
from ..application.media.storing_media import StoringMedia
from ..application.message_templates.creating_rcs_templates import CreatingRcsTemplates
from ..application.message_templates.creating_whatsapp_templates import CreatingWhatsappTemplates
from ..application.message_templates.fetching_templates import FetchingTemplates
from ..application.message_templates.finding_templates import FindingTemplates
from ..application.message_templates.reviewing_templates import (
    ReviewingRcsTemplates,
    ReviewingTemplates,
)
from ..application.message_templates.submitting.requesting_submissions import RequestingSubmissions
from ..application.message_templates.views import WhatsappTemplateView
from ..application.messages.looking_up.reading_histories import ReadingHistories
from ..application.messages.looking_up.searching_messages import SearchingMessages
from ..application.messages.opt_lists.keeping_opt_lists import KeepingOptLists
from ..application.messages.planning.linking_media import LinkingMedia
from ..application.messages.planning.templates_of_sends import TemplatesOfSends
from ..application.messages.sending_messages import SendingMessages
from ..application.messages.tracking.receiving_messages import ReceivingMessages
from ..application.messages.tracking.receiving_provider_webhooks import ReceivingProviderWebhooks
from ..application.messages.tracking.recording_reports import RecordingReports
from ..application.messages.tracking.tracking_receipts import TrackingReceipts
from ..application.operators.authenticating_operators import AuthenticatingOperators
from ..application.operators.console_sessions import ConsoleSessions
from ..application.operators.managing_tokens import ManagingTokens
from ..application.people.people import People
from ..application.pins.issuing_pins import IssuingPins
from ..application.pins.managing_pin_templates import ManagingPinTemplates
from ..application.pins.resending_pins import ResendingPins
from ..application.pins.searching_verifications import SearchingVerifications
from ..application.pins.verification_receipts import VerificationReceipts
from ..application.pins.verifying_pins import VerifyingPins
from ..application.ports.clock import Clock
from ..application.ports.event_store import EventStore
from ..application.ports.randomness import Randomness
from ..application.provider_calls import ProviderCalls
from ..application.readiness import Readiness
from ..application.retention.managing_retention import ManagingRetention
from ..application.short_links.following_short_links import FollowingShortLinks
from ..application.short_links.managing_short_links import ManagingShortLinks
from ..application.statistics.asking import AskingStatistics
from ..application.stories.naming import Naming
from ..application.stories.reading_stories import ReadingStories
from ..application.test_destinations.managing_test_destinations import ManagingTestDestinations
from ..domain.whatsapp_template import WhatsappTemplate
from .idempotency_keys import IdempotencyKeys
from .legacy.sends import LegacySends
from .messaging.short_domains import ShortDomains
from .sandbox.controls import Sandbox


@frozen(kw_only=True)
class Wired:
    """The use cases of a service, and the few ports that entrypoints need themselves."""

    store: EventStore
    journal: Journal
    readiness: Readiness
    clock: Clock
    randomness: Randomness
    providers: tuple[str, ...]
    third_parties: frozenset[str]
    idempotency_keys: IdempotencyKeys
    authenticating: Authenticating
    operators: AuthenticatingOperators
    operator_tokens: ManagingTokens
    console_sessions: ConsoleSessions
    people: People
    erasing_people: ErasingPeople
    showing_people: ShowingPeople
    test_destinations: ManagingTestDestinations
    issuing: IssuingPins
    resending: ResendingPins
    verifying: VerifyingPins
    receipts: VerificationReceipts
    verifications: SearchingVerifications
    statistics: AskingStatistics
    accounts: ManagingAccounts
    retention: ManagingRetention
    api_keys: ManagingApiKeys
    channel_accounts: ManagingChannelAccounts
    revising_channel_accounts: RevisingChannelAccounts
    channel_tests: ChannelTests
    setting_webhooks: SettingWebhooks
    fallback_configurations: ManagingFallbackConfigurations
    dlt_templates: ManagingDltTemplates
    pin_templates: ManagingPinTemplates
    creating_rcs_templates: CreatingRcsTemplates
    reviewing_rcs_templates: ReviewingRcsTemplates
    creating_whatsapp_templates: CreatingWhatsappTemplates
    submitting_whatsapp_templates: RequestingSubmissions
    reviewing_whatsapp_templates: ReviewingTemplates[WhatsappTemplate, WhatsappTemplateView]
    fetching_templates: FetchingTemplates
    finding_templates: FindingTemplates
    legacy_users: ManagingLegacyUsers
    legacy_logins: LoggingIn
    legacy_tokens: Tokens
    legacy_sends: LegacySends
    legacy_ratings: RatingChats
    reading_log: ReadingLog
    counting_events: CountingEvents
    watching_log: WatchingLog
    recording_reads: RecordingReads
    stories: ReadingStories
    naming: Naming
    templates_of_sends: TemplatesOfSends
    rebuilding: Rebuilding
    proving: Proving
    reading_heads: ReadingHeads
    showing_log: ShowingLog
    checking_proofs: CheckingProofs
    sending_messages: SendingMessages
    provider_calls: ProviderCalls
    reading_histories: ReadingHistories
    searching_messages: SearchingMessages
    opt_lists: KeepingOptLists
    tracking_receipts: TrackingReceipts
    receiving_messages: ReceivingMessages
    provider_webhooks: ReceivingProviderWebhooks
    recording_reports: RecordingReports
    receiving_media: ReceivingMedia
    storing_media: StoringMedia
    hosted_media: HostedMedia
    removing_media: RemovingMedia
    linking_media: LinkingMedia
    callbacks: ManagingCallbacks
    channel_secrets: ChannelSecrets
    provider_tasks: BoundedTasks
    following_short_links: FollowingShortLinks
    short_links: ManagingShortLinks
    short_domains: ShortDomains
    callback_tasks: BoundedTasks
    template_tasks: BoundedTasks
    managing_guard: ManagingGuard
    counted_decisions: CountedDecisions
    recording_decisions: RecordingDecisions
    replaying_policies: ReplayingPolicies
    refused_sends: ListingRefusedSends
    releasing_subjects: ReleasingSubjects
    due_work: tuple[DueWork, ...]
    sealing: SealingLog | None = None
    sandbox: Sandbox | None = None
