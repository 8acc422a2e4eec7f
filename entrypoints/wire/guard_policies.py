"""Guard policies in the documented spelling: read whole, with defaults for what is left out (C-76)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import attrs
from attrs import field, frozen
from attrs.validators import optional

from ...domain.channel import Channel, PinChannel
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.guard import (
    COUNTRIES,
    DEFAULT_POLICY,
    NOT_A_COUNTRY,
    Budgeted,
    Countries,
    GuardPolicy,
    Mode,
    Moded,
    Sends,
    Unverified,
    policy_problems,
)
from ...domain.limits import AtMost
from ...domain.pin_template.policy import above_zero
from ...domain.rate_limit import Duration, Rate
from .codec import unstructure
from .known_members import unknown_problems
from .structuring import structure

# A longer list names a country twice; each wrong entry would be a problem of its own.
MOST_COUNTRIES = AtMost(len(COUNTRIES))
_GUESSES, _PREFIX, _IP = Rate("50/1d"), Rate("20/1h"), Rate("10/1h")


def countries(_instance: object, _attribute: object, codes: tuple[str, ...] | None) -> None:
    """Check that all entries of a list are countries."""
    MOST_COUNTRIES(_instance, _attribute, codes)
    problems = [
        FieldProblem(f"[{number}]", NOT_A_COUNTRY)
        for number, code in enumerate(codes or ())
        if code not in COUNTRIES
    ]
    if problems:
        raise ValidationFailedError(problems)


@frozen(kw_only=True)
class NumbersRule:
    """Whether numbers that cannot exist are refused."""

    mode: Mode = DEFAULT_POLICY.numbers.mode


@frozen(kw_only=True)
class GuessesRule:
    """How many wrong guesses a destination allows over all its PINs."""

    mode: Mode = DEFAULT_POLICY.guesses.mode
    limit: Rate = _GUESSES


@frozen(kw_only=True)
class CountriesRule:
    """The countries that are sent to, or that are not."""

    mode: Mode = DEFAULT_POLICY.countries.mode
    allow: tuple[str, ...] | None = field(default=None, validator=countries)
    refuse: tuple[str, ...] | None = field(default=None, validator=countries)


@frozen(kw_only=True)
class CountryRule:
    """How many unverified codes a country may have; without a limit it is adaptive."""

    mode: Mode = DEFAULT_POLICY.unverified.country.mode
    limit: Rate | None = None


@frozen(kw_only=True)
class PrefixRule:
    """How many unverified codes the numbers of a prefix may have."""

    mode: Mode = DEFAULT_POLICY.unverified.prefix.mode
    limit: Rate = _PREFIX


@frozen(kw_only=True)
class IpRule:
    """How many unverified codes may be asked for from an IP."""

    mode: Mode = DEFAULT_POLICY.unverified.ip.mode
    limit: Rate = _IP


@frozen(kw_only=True)
class SendsRule:
    """How many codes may be sent; a limit has no default."""

    mode: Mode = Mode.OFF
    limit: Rate | None = None


@frozen(kw_only=True)
class UnverifiedRules:
    """The rules about codes that nobody has verified yet."""

    country: CountryRule = field(factory=CountryRule)
    prefix: PrefixRule = field(factory=PrefixRule)
    ip: IpRule = field(factory=IpRule)


@frozen(kw_only=True)
class ChannelRules:
    """The rules about all sends on a channel."""

    sms: SendsRule | None = None
    whatsapp: SendsRule | None = None
    email: SendsRule | None = None

    @property
    def by_channel(self) -> Mapping[PinChannel, SendsRule]:
        """The rules that are given."""
        rules: dict[PinChannel, SendsRule | None] = {
            Channel.SMS: self.sms,
            Channel.WHATSAPP: self.whatsapp,
            Channel.EMAIL: self.email,
        }
        return {channel: rule for channel, rule in rules.items() if rule is not None}


@frozen(kw_only=True)
class SendsRules:
    """The rules about all sends of an account, and of its channels."""

    account: SendsRule | None = None
    channels: ChannelRules = field(factory=ChannelRules)


@frozen(kw_only=True)
class GuardPolicyBody:
    """The body that replaces a guard policy; what is left out has its default."""

    numbers: NumbersRule = field(factory=NumbersRule)
    guesses: GuessesRule = field(factory=GuessesRule)
    countries: CountriesRule = field(factory=CountriesRule)
    unverified: UnverifiedRules = field(factory=UnverifiedRules)
    sends: SendsRules = field(factory=SendsRules)
    verified_pass: Duration | None = field(
        default=DEFAULT_POLICY.verified_pass, validator=optional(above_zero)
    )

    @property
    def policy(self) -> GuardPolicy:
        """The policy that the body describes."""
        unverified, sends = self.unverified, self.sends
        return GuardPolicy(
            numbers=Moded(mode=self.numbers.mode),
            guesses=_budgeted(self.guesses),
            countries=Countries(
                mode=self.countries.mode,
                allow=_listed(self.countries.allow),
                refuse=_listed(self.countries.refuse),
            ),
            unverified=Unverified(
                country=_budgeted(unverified.country),
                prefix=_budgeted(unverified.prefix),
                ip=_budgeted(unverified.ip),
            ),
            sends=Sends(
                account=None if sends.account is None else _budgeted(sends.account),
                channels={
                    channel: _budgeted(rule) for channel, rule in sends.channels.by_channel.items()
                },
            ),
            verified_pass=self.verified_pass,
        )


def read_guard_policy(body: Any) -> GuardPolicy:
    """
    Read a whole policy; raise `ValidationFailedError` with every problem by its path.

    An unknown member is a problem, too: what it was meant for would be reset (C-102).
    """

    def read(raw: Any) -> GuardPolicy:
        policy = structure(raw, GuardPolicyBody).policy
        if problems := policy_problems(policy):
            raise ValidationFailedError(problems)
        return policy

    if problems := unknown_problems(body, read):
        raise ValidationFailedError(problems)
    return read(body)


def guard_policy_record(policy: GuardPolicy) -> dict[str, Any]:
    """Return a policy as answers show it; a list or a limit that it has not is left out."""
    shown = {name: _without_none(each) for name, each in unstructure(policy).items()}
    if not policy.sends.channels:
        del shown["sends"]["channels"]
    return {**shown, "verifiedPass": str(policy.verified_pass) if policy.verified_pass else None}


def _without_none(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_none(each) for name, each in value.items() if each is not None}


def _budgeted(rule: GuessesRule | CountryRule | PrefixRule | IpRule | SendsRule) -> Budgeted:
    return Budgeted(**attrs.asdict(rule, recurse=False))


def _listed(codes: Collection[str] | None) -> frozenset[str] | None:
    return None if codes is None else frozenset(codes)
