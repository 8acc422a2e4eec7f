"""Builds the use cases on their ports."""

from __future__ import annotations

from ...application.accounts.admitting import Admitting
from ...application.accounts.authenticating import Authenticating
from ...application.accounts.managing_accounts import ManagingAccounts
from ...application.accounts.managing_api_keys import ManagingApiKeys
from ...application.accounts.managing_dlt_templates import ManagingDltTemplates
from ...application.accounts.managing_fallback_configurations import ManagingFallbackConfigurations
from ...application.channel_accounts.channel_secrets import ChannelSecrets
from ...application.channel_accounts.checking_configs import CheckingConfigs
from ...application.channel_accounts.last_receipts import LastReceipts
from ...application.channel_accounts.managing_channel_accounts import ManagingChannelAccounts
from ...application.channel_accounts.public_hosts import PublicHosts
from ...application.channel_accounts.revising_channel_accounts import RevisingChannelAccounts
from ...application.channel_accounts.showing_channel_accounts import ShowingChannelAccounts
from ...application.channel_tests.testing import ChannelTests
from ...application.channel_webhooks.setting_webhooks import SettingWebhooks
from ...application.concurrency.bounded_tasks import BoundedTasks
from ...application.concurrency.bulk_lane import BulkLane
from ...application.evidence.checking_proofs import CheckingProofs
from ...application.evidence.counting_events import CountingEvents
from ...application.evidence.reading_heads import ReadingHeads
from ...application.evidence.showing_log import ShowingLog
from ...application.forgetting import forgetting
from ...application.message_templates.creating_rcs_templates import CreatingRcsTemplates
from ...application.message_templates.creating_whatsapp_templates import CreatingWhatsappTemplates
from ...application.message_templates.fetching_templates import FetchingTemplates
from ...application.message_templates.finding_templates import FindingTemplates
from ...application.message_templates.receiving_reviews import ReceivingReviews
from ...application.message_templates.reviewing_templates import (
    ReviewingRcsTemplates,
    ReviewingTemplates,
)
from ...application.message_templates.template_kinds import WHATSAPP_TEMPLATES
from ...application.messages.dispatching.recording_outcomes import RecordingOutcomes
from ...application.messages.falling_back.firing_fallbacks import FiringFallbacks
from ...application.messages.falling_back.preparing_steps import PreparingSteps
from ...application.messages.falling_back.sending_steps import SendingSteps
from ...application.messages.looking_up.reading_histories import ReadingHistories
from ...application.messages.looking_up.searching_messages import SearchingMessages
from ...application.messages.opt_lists.consents import Consents
from ...application.messages.opt_lists.keeping_opt_lists import KeepingOptLists
from ...application.messages.planning.choosing_channel_accounts import ChoosingChannelAccounts
from ...application.messages.planning.filling_dlt_ids import FillingDltIds
from ...application.messages.planning.linking_media import LinkingMedia
from ...application.messages.planning.planning_sends import PlanningSends
from ...application.messages.planning.registered_dlt_texts import RegisteredDltTexts
from ...application.messages.planning.templates_of_sends import TemplatesOfSends
from ...application.messages.planning.whatsapp_sessions import WhatsappSessions
from ...application.messages.recovering_messages import RecoveringMessages
from ...application.messages.sending_messages import SendingMessages
from ...application.messages.taking_in.making_short_links import MakingShortLinks
from ...application.messages.taking_in.sealed_contents import SealedContents
from ...application.messages.taking_in.taking_messages_in import TakingMessagesIn
from ...application.messages.tracking.addressed_reports import AddressedReports
from ...application.messages.tracking.dropping_receipts import DroppingReceipts
from ...application.messages.tracking.receiving_messages import ReceivingMessages
from ...application.messages.tracking.receiving_provider_webhooks import ReceivingProviderWebhooks
from ...application.messages.tracking.recording_reports import RecordingReports
from ...application.messages.tracking.tracking_receipts import TrackingReceipts
from ...application.operators.authenticating_operators import AuthenticatingOperators
from ...application.operators.console_sessions import ConsoleSessions
from ...application.operators.managing_tokens import ManagingTokens
from ...application.people.people import People
from ...application.provider_calls import ProviderCalls
from ...application.readiness import Readiness
from ...application.recovering_dispatches import RecoveringDispatches
from ...application.retention.managing_retention import ManagingRetention
from ...application.retention.pruning_log import PruningLog
from ...application.short_links.following_short_links import FollowingShortLinks
from ...application.short_links.managing_short_links import ManagingShortLinks
from ...application.stories.naming import Naming
from ...application.test_destinations.fixed_codes import FixedCodes
from ...application.test_destinations.managing_test_destinations import ManagingTestDestinations
from ..addresses.callbacks import callback_path, callbacks_under
from ..addresses.media import hosted_under
from ..idempotency_keys import IdempotencyKeys
from ..legacy.sends import LegacySends
from ..wired import Wired
from .callbacks import CallbackUseCases
from .data_requests import DataRequests
from .guard import GuardUseCases
from .legacy import LegacyUseCases
from .media import MediaUseCases
from .observed_log import ObservedLog
from .pins import PinUseCases
from .ports import Ports
from .rebuilds import rebuilding
from .statistics import Statistics
from .stories import reading_stories
from .template_submissions import TemplateSubmissions
from .witnesses import witnessing

# The most fallback steps in progress, of all accounts and of one (D-49).
MAX_PROVIDER_TASKS, MAX_PROVIDER_TASKS_OF_ONE = 1_024, 256


def wire(ports: Ports) -> Wired:
    """Build all use cases on the given ports."""
    clock, randomness = ports.clock, ports.randomness
    log = ObservedLog.wire(ports)
    journal = log.journal
    statistics = Statistics.wire(journal, clock, log.statistics)
    people = People(journal, ports.person_keys)
    guard = GuardUseCases.wire(ports, journal, people, statistics.asking)
    guarding = guard.recipients
    lane = BulkLane()
    admitting = Admitting(clock, lane)
    authenticating = Authenticating(journal, clock, ports.refused_keys, admitting)
    operators = AuthenticatingOperators(journal, clock)
    accounts = ManagingAccounts(journal, authenticating, randomness, clock)
    channel_secrets = ChannelSecrets(journal, ports.sealer)
    calls = ProviderCalls(
        journal,
        ports.providers,
        channel_secrets,
        ports.provider_timeout,
        clock=clock,
        simulates=ports.simulates,
        observers=ports.provider_observers,
    )
    provider_tasks = BoundedTasks(MAX_PROVIDER_TASKS, MAX_PROVIDER_TASKS_OF_ONE)
    choosing = ChoosingChannelAccounts(journal, clock)
    configs = CheckingConfigs(ports.providers, ports.third_parties, ports.unloaded)
    hosts = PublicHosts(ports.web)
    callback_url = callbacks_under(ports.short_domains.base_url)
    heard = LastReceipts()
    showing = ShowingChannelAccounts(calls, heard, callback_url, callback_path)
    linking_media = LinkingMedia(journal, hosted_under, ports.short_domains.base_url)
    templates = TemplatesOfSends(journal, linking_media)
    naming = Naming(journal)
    finding = FindingTemplates(journal)
    reviewing_rcs = ReviewingRcsTemplates(journal, clock)
    reviewing_whatsapp = ReviewingTemplates(journal, clock, WHATSAPP_TEMPLATES)
    submissions = TemplateSubmissions.wire(ports, journal, channel_secrets)
    sealed = SealedContents(journal, ports.sealer)
    recording = RecordingOutcomes(journal, clock)
    consents = Consents(journal, ports.person_keys)
    preparing = PreparingSteps(journal, sealed, choosing, templates, consents, people, guarding)
    steps = SendingSteps(calls, recording, clock)
    tracking = TrackingReceipts(journal, randomness, heard, clock)
    receiving = ReceivingMessages(journal, people, randomness, clock)
    recording_reports = RecordingReports(
        AddressedReports(journal, ports.providers, channel_secrets),
        tracking,
        receiving,
        ReceivingReviews(journal, finding, reviewing_rcs, reviewing_whatsapp, randomness),
        ports.provider_observers,
    )
    sessions = WhatsappSessions(journal)
    planning = PlanningSends(
        journal, choosing, templates, linking_media, sessions, consents, people, guarding, clock
    )
    sending_messages = SendingMessages(
        journal,
        FillingDltIds(RegisteredDltTexts(journal)),
        planning,
        TakingMessagesIn(sealed, MakingShortLinks(ports.sealer, randomness), randomness, clock),
        calls,
        recording,
        lane,
        clock,
    )
    callbacks = CallbackUseCases.wire(ports, journal, people, log.callbacks)
    legacy = LegacyUseCases.wire(ports, journal, people, admitting)
    media = MediaUseCases.wire(ports, journal)
    fixed_codes = FixedCodes(journal, ports.sealer, randomness)
    pins = PinUseCases.wire(ports, journal, calls, people, guard.guarding, fixed_codes)
    data_requests = DataRequests.wire(ports, journal, people)
    return Wired(
        store=ports.store,
        journal=journal,
        readiness=Readiness(journal),
        clock=clock,
        randomness=randomness,
        providers=tuple(ports.providers),
        third_parties=ports.third_parties,
        idempotency_keys=IdempotencyKeys(
            ports.fingerprinter, randomness, ports.person_keys, ports.answer_sealer
        ),
        authenticating=authenticating,
        operators=operators,
        operator_tokens=ManagingTokens(journal, randomness, clock),
        console_sessions=ConsoleSessions(
            journal, operators, ports.fingerprinter, randomness, clock
        ),
        people=people,
        erasing_people=data_requests.erasing,
        showing_people=data_requests.showing,
        test_destinations=ManagingTestDestinations(journal, people, fixed_codes, clock),
        issuing=pins.issuing,
        resending=pins.resending,
        verifying=pins.verifying,
        receipts=pins.receipts,
        verifications=pins.searching,
        statistics=statistics.asking,
        rebuilding=rebuilding(ports, journal, statistics.rebuilding, lane),
        accounts=accounts,
        retention=ManagingRetention(journal, accounts.resolve, clock),
        api_keys=ManagingApiKeys(journal, authenticating, randomness, clock),
        channel_accounts=ManagingChannelAccounts(
            journal, configs, hosts, channel_secrets, showing, randomness, clock
        ),
        revising_channel_accounts=RevisingChannelAccounts(
            journal, configs, hosts, channel_secrets, showing, choosing.forget, clock
        ),
        channel_tests=ChannelTests(
            journal, ports.providers, channel_secrets, calls, callback_url, randomness, clock
        ),
        setting_webhooks=SettingWebhooks(
            journal, ports.providers, channel_secrets, calls, callback_url
        ),
        fallback_configurations=ManagingFallbackConfigurations(
            journal, ports.third_parties, randomness, clock
        ),
        dlt_templates=ManagingDltTemplates(journal, randomness, clock),
        pin_templates=pins.templates,
        creating_rcs_templates=CreatingRcsTemplates(journal, randomness, clock),
        reviewing_rcs_templates=reviewing_rcs,
        creating_whatsapp_templates=CreatingWhatsappTemplates(
            journal, submissions.accounts, randomness, clock
        ),
        submitting_whatsapp_templates=submissions.requesting,
        reviewing_whatsapp_templates=reviewing_whatsapp,
        fetching_templates=FetchingTemplates(journal),
        finding_templates=finding,
        legacy_users=legacy.users,
        legacy_logins=legacy.logins,
        legacy_tokens=legacy.tokens,
        legacy_sends=LegacySends(callbacks.managing, finding, sending_messages),
        legacy_ratings=legacy.ratings,
        reading_log=log.reading,
        counting_events=CountingEvents(journal),
        watching_log=log.watching,
        proving=log.proving,
        recording_reads=log.recording,
        stories=reading_stories(journal, templates, naming, log.recording, clock),
        naming=naming,
        templates_of_sends=templates,
        reading_heads=ReadingHeads(journal),
        showing_log=ShowingLog(journal, ports.witnesses),
        checking_proofs=CheckingProofs(journal),
        sending_messages=sending_messages,
        provider_calls=calls,
        reading_histories=ReadingHistories(journal, people),
        searching_messages=SearchingMessages(journal, people),
        opt_lists=KeepingOptLists(journal, consents, people, lane, clock),
        tracking_receipts=tracking,
        receiving_messages=receiving,
        provider_webhooks=ReceivingProviderWebhooks(
            journal, ports.providers, channel_secrets, recording_reports
        ),
        recording_reports=recording_reports,
        receiving_media=media.receiving,
        storing_media=media.storing,
        hosted_media=media.hosted,
        removing_media=media.removing,
        linking_media=linking_media,
        callbacks=callbacks.managing,
        channel_secrets=channel_secrets,
        provider_tasks=provider_tasks,
        following_short_links=FollowingShortLinks(journal, ports.sealer, clock),
        short_links=ManagingShortLinks(journal, clock),
        short_domains=ports.short_domains,
        callback_tasks=callbacks.tasks,
        template_tasks=submissions.tasks,
        managing_guard=guard.managing,
        counted_decisions=guard.decisions,
        recording_decisions=guard.recording,
        replaying_policies=guard.replaying,
        refused_sends=guard.refused,
        releasing_subjects=guard.releasing,
        due_work=(
            *guard.due_work,
            FiringFallbacks(journal, preparing, calls, steps, provider_tasks, randomness, clock),
            RecoveringDispatches(
                journal,
                RecoveringMessages(
                    journal, preparing, calls, steps, recording, provider_tasks, randomness, clock
                ),
                clock,
                randomness,
            ),
            DroppingReceipts(journal, clock, randomness),
            *witnessing(ports, journal),
            *callbacks.due_work,
            submissions.submitting,
            submissions.looking_up,
            media.sweeping,
            media.removing,
            data_requests.finishing,
            *forgetting(journal, clock),
            PruningLog(journal, randomness, clock),
            statistics.follower,
            statistics.forgetting,
        ),
    )
