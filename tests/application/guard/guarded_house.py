"""A house whose account has a guard policy, with what a test asks of it in short words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from attrs import evolve, frozen

from tests.application.house import House, code_in, node_on
from watchword.application.pins.caller_context import CallerContext
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.template_channels import ChannelEntry
from watchword.domain.channel import Channel
from watchword.domain.errors import DomainError
from watchword.domain.guard import Budgeted, Countries, GuardPolicy, Mode, Moded, Sends, Unverified
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate

OFF = Budgeted(mode=Mode.OFF)
# A policy that counts nothing: each test turns on what it is about.
QUIET: Mapping[str, Any] = {
    "numbers": Moded(mode=Mode.OFF),
    "guesses": Budgeted(mode=Mode.OFF, limit=Rate("50/1d")),
    "countries": Countries(),
    "unverified": Unverified(country=OFF, prefix=OFF, ip=OFF),
    "sends": Sends(),
}
# Limits of templates that no test of the guard reaches.
FREE = PinPolicy(
    pin_attempts=3,
    verify_pin_limit=Rate("100000/s"),
    send_pin_per_template_limit=Rate("1000000/1d"),
    send_pin_per_phone_number_limit=Rate("1000000/1d"),
    resend_cooldown=Duration("0s"),
)
NUMBER = "+447700900123"
_NUMBERS = count(1)


def enforced(limit: str) -> Budgeted:
    """Return a limit that refuses."""
    return Budgeted(mode=Mode.ENFORCE, limit=Rate(limit))


def recorded(limit: str) -> Budgeted:
    """Return a limit that flags."""
    return Budgeted(mode=Mode.RECORD, limit=Rate(limit))


def unverified(**rules: Budgeted) -> Unverified:
    """Return the limits of unverified sends, off but for those given."""
    return Unverified(**{"country": OFF, "prefix": OFF, "ip": OFF, **rules})


@frozen(kw_only=True)
class GuardedHouse:
    """What tests do with the PINs of one account; every refusal is its rule or its code."""

    house: House
    template_id: str

    @classmethod
    async def on(cls, house: House, policy: PinPolicy = FREE, **rules: Any) -> GuardedHouse:
        """Set the policy of the house's account, and make a template whose limits are not reached."""
        made = cls(house=house, template_id=await new_template(house, policy))
        await made.put(**rules)
        return made

    async def with_another_template(self) -> GuardedHouse:
        """Return the same account with a template of its own: a destination has a live code in each."""
        return evolve(self, template_id=await new_template(self.house, FREE))

    async def put(self, **rules: Any) -> None:
        """Replace the policy: what is not given is off."""
        policy = GuardPolicy(**{**QUIET, **rules})
        await self.house.service.managing_guard.put(self.house.by, policy)

    def other_node(self) -> GuardedHouse:
        """Return another process on the same store."""
        return GuardedHouse(house=node_on(self.house), template_id=self.template_id)

    async def create(
        self,
        destination: str = NUMBER,
        ip: str | None = None,
        channels: tuple[Any, ...] | None = None,
        template_id: str | None = None,
    ) -> str:
        """Create a PIN; return its id, or the rule that refused it."""
        request = IssueRequest(
            destination=destination,
            template_id=template_id or self.template_id,
            channels=channels,
            context=None if ip is None else CallerContext(ip=ip),
        )
        try:
            return (await self.house.service.issuing.issue(self.house.by, request)).pin_id
        except DomainError as refusal:
            return told(refusal)

    async def resend(self, pin_id: str) -> str:
        """Resend a PIN; return `sent`, or the rule that refused it."""
        try:
            await self.house.service.resending.resend(self.house.by, pin_id, ResendRequest())
        except DomainError as refusal:
            return told(refusal)
        return "sent"

    async def guess(self, pin_id: str, code: str = "wrong") -> str:
        """Enter a code; return the verdict, or the rule that refused it."""
        try:
            await self.house.service.verifying.verify(self.house.by, pin_id, code)
        except DomainError as refusal:
            return told(refusal)
        return "verified"

    async def verify(self, pin_id: str) -> str:
        """Enter the code that was sent last."""
        return await self.guess(pin_id, code_in(self.house.provider.messages[-1].text))

    async def event(self, pin_id: str, number: int = 0) -> Any:
        """Return an event of a PIN, the first by default."""
        return (await self.house.store.read_stream(pin_id))[number].event


async def new_template(house: House, policy: PinPolicy) -> str:
    """Make a template for SMS and WhatsApp, and return its id."""
    channels = [ChannelEntry(channel_type=each) for each in (Channel.SMS, Channel.WHATSAPP)]
    name = f"guarded-{next(_NUMBERS)}"
    made = await house.service.pin_templates.create(
        house.by, name=name, policy=policy, channels=channels
    )
    return made.id


def told(refusal: DomainError) -> str:
    """Return the rule that a refusal names, else its code."""
    return str(refusal.details.get("rule", refusal.code))
