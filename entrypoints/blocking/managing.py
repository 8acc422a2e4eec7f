"""The parts that set a service up and look after it."""

from __future__ import annotations

from ..embedding import (
    audit,
    callbacks,
    channel_accounts,
    dlt_templates,
    guard,
    legacy_users,
    opt_lists,
    people,
    setting_up,
    test_destinations,
    tokens,
)
from .calls import Call, Part


class Accounts(Part[setting_up.Accounts]):
    """Accounts, to which everything else belongs."""

    create = Call(setting_up.Accounts.create)
    get = Call(setting_up.Accounts.get)
    list = Call(setting_up.Accounts.list)
    suspend = Call(setting_up.Accounts.suspend)
    resume = Call(setting_up.Accounts.resume)
    limits = Call(setting_up.Accounts.limits)
    set_limits = Call(setting_up.Accounts.set_limits)
    retention = Call(setting_up.Accounts.retention)
    set_retention = Call(setting_up.Accounts.set_retention)


class ApiKeys(Part[setting_up.ApiKeys]):
    """API keys, for services that also serve HTTP on the same store."""

    create = Call(setting_up.ApiKeys.create)
    get = Call(setting_up.ApiKeys.get)
    list = Call(setting_up.ApiKeys.list)
    revoke = Call(setting_up.ApiKeys.revoke)


class FallbackConfigurations(Part[setting_up.FallbackConfigurations]):
    """The channels of fallbacks, by the id that a send names."""

    create = Call(setting_up.FallbackConfigurations.create)
    get = Call(setting_up.FallbackConfigurations.get)
    list = Call(setting_up.FallbackConfigurations.list)


class Audit(Part[audit.Audit]):
    """The questions of auditors about the log and the rows that follow from it (C-81)."""

    seal = Call(audit.Audit.seal)
    heads = Call(audit.Audit.heads)
    rebuild = Call(audit.Audit.rebuild)
    prove = Call(audit.Audit.prove)
    consistency = Call(audit.Audit.consistency)
    extends = Call(audit.Audit.extends)


class Callbacks(Part[callbacks.Callbacks]):
    """Callback endpoints of accounts, and their deliveries."""

    create = Call(callbacks.Callbacks.create)
    get = Call(callbacks.Callbacks.get)
    list = Call(callbacks.Callbacks.list)
    remove = Call(callbacks.Callbacks.remove)
    deliveries = Call(callbacks.Callbacks.deliveries)
    delivery = Call(callbacks.Callbacks.delivery)
    test = Call(callbacks.Callbacks.test)
    redeliver = Call(callbacks.Callbacks.redeliver)


class ChannelAccounts(Part[channel_accounts.ChannelAccounts]):
    """Contracts with channel providers."""

    create = Call(channel_accounts.ChannelAccounts.create)
    update = Call(channel_accounts.ChannelAccounts.update)
    enable = Call(channel_accounts.ChannelAccounts.enable)
    disable = Call(channel_accounts.ChannelAccounts.disable)
    providers = Call(channel_accounts.ChannelAccounts.providers)
    get = Call(channel_accounts.ChannelAccounts.get)
    list = Call(channel_accounts.ChannelAccounts.list)
    hear = Call(channel_accounts.ChannelAccounts.hear)
    set_webhook = Call(channel_accounts.ChannelAccounts.set_webhook)
    test = Call(channel_accounts.ChannelAccounts.test)


class DltTemplates(Part[dlt_templates.DltTemplates]):
    """Texts that accounts have registered with their DLT operators (C-30)."""

    create = Call(dlt_templates.DltTemplates.create)
    get = Call(dlt_templates.DltTemplates.get)
    list = Call(dlt_templates.DltTemplates.list)
    remove = Call(dlt_templates.DltTemplates.remove)


class GuardOfAccounts(Part[guard.GuardOfAccounts]):
    """The policies by which accounts refuse sends, or only put them on the record (C-76)."""

    get = Call(guard.GuardOfAccounts.get)
    set = Call(guard.GuardOfAccounts.set)
    refused = Call(guard.GuardOfAccounts.refused)
    release = Call(guard.GuardOfAccounts.release)
    replay = Call(guard.GuardOfAccounts.replay)


class LegacyUsers(Part[legacy_users.LegacyUsers]):
    """Users of the legacy platform (C-35, C-42)."""

    create = Call(legacy_users.LegacyUsers.create)
    get = Call(legacy_users.LegacyUsers.get)
    list = Call(legacy_users.LegacyUsers.list)
    revoke_tokens = Call(legacy_users.LegacyUsers.revoke_tokens)
    remove = Call(legacy_users.LegacyUsers.remove)


class OptLists(Part[opt_lists.OptLists]):
    """The WhatsApp opt lists of accounts, `in` and `out` (C-27)."""

    add = Call(opt_lists.OptLists.add)
    remove = Call(opt_lists.OptLists.remove)
    list = Call(opt_lists.OptLists.list)


class People(Part[people.People]):
    """The people whom an account sends to and hears from."""

    erase = Call(people.People.erase)
    show = Call(people.People.show)


class TestDestinations(Part[test_destinations.TestDestinations]):
    """Destinations with a fixed code, for reviewers and automated tests beside live traffic."""

    set = Call(test_destinations.TestDestinations.set)
    list = Call(test_destinations.TestDestinations.list)
    remove = Call(test_destinations.TestDestinations.remove)


class Tokens(Part[tokens.Tokens]):
    """Operators' tokens, each with a role, for all accounts or for one (C-84)."""

    create = Call(tokens.Tokens.create)
    get = Call(tokens.Tokens.get)
    list = Call(tokens.Tokens.list)
    revoke = Call(tokens.Tokens.revoke)
