"""The rules of a guard policy as the console shows them: one card, and one form, for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ....domain.channel import PIN_CHANNELS
from ....domain.guard import BASELINE_DAYS, LEAST_OF_COUNTRY, Rule
from ...wire.guard_policies import guard_policy_record, read_guard_policy
from ..stories.telling import channel_words

MODES = {"off": "off", "record": "record only", "enforce": "enforce"}
PASSING = "verifiedPass"
_DEFAULTS = guard_policy_record(read_guard_policy({}))
_ADAPTIVE = "adaptive"


@frozen(kw_only=True)
class RuleCard:
    """
    A rule: its path in a policy, and what it counts in a sentence.

    `limited` rules have a limit, `listed` ones a list of countries. `rule` is its name in the list of
    what is refused; the pass has none.
    """

    path: str
    title: str
    counts: str
    rule: Rule | None = None
    limited: bool = False
    listed: bool = False
    adaptive: bool = False

    @property
    def anchor(self) -> str:
        """The card's place on the page."""
        return f"rule-{self.path.replace('.', '-').lower()}"

    def of(self, policy: Mapping[str, Any]) -> Any:
        """Return the rule's members in a policy as answers show it; none for a rule that it leaves out."""
        members: Any = policy
        for name in self.path.split("."):
            members = members.get(name, {}) if isinstance(members, dict) else {}
        return members

    def told(self, policy: Mapping[str, Any]) -> str:
        """Return how the rule holds under a policy, in a few words."""
        members = self.of(policy)
        if self.path == PASSING:
            return f"for {members}" if members else "for nobody"
        mode = members.get("mode", "off")
        if mode == "off":
            return MODES[mode]
        return ", ".join(each for each in (MODES[mode], self._extent(members)) if each)

    @property
    def may_be_absent(self) -> bool:
        """Whether the default policy leaves the rule out."""
        return not self.of(_DEFAULTS)

    @property
    def default(self) -> str:
        """How the rule holds by default."""
        return self.told(_DEFAULTS)

    def is_default(self, policy: Mapping[str, Any]) -> bool:
        """Return whether the rule has its default members in a policy."""
        return bool(self.of(policy) == self.of(_DEFAULTS))

    def mode(self, policy: Mapping[str, Any]) -> str:
        """Return the rule's mode in a policy; the pass has none."""
        return "" if self.path == PASSING else str(self.of(policy).get("mode", "off"))

    def _extent(self, members: Mapping[str, Any]) -> str:
        if self.listed:
            lists = ((name, members.get(name)) for name in ("allow", "refuse"))
            return "; ".join(
                f"{name} {', '.join(codes) or 'none'}" for name, codes in lists if codes is not None
            )
        return str(members.get("limit", _ADAPTIVE if self.adaptive else ""))


RULE_CARDS = (
    RuleCard(
        path="numbers",
        title="Impossible numbers",
        counts="Numbers that cannot exist, on SMS and WhatsApp.",
        rule=Rule.NUMBERS,
    ),
    RuleCard(
        path="countries",
        title="Countries",
        counts="The only countries to send to, or those never to send to. For codes and messages.",
        rule=Rule.COUNTRIES,
        listed=True,
    ),
    RuleCard(
        path="guesses",
        title="Wrong guesses",
        counts="Wrong guesses for one destination, over all its codes. A right code begins anew.",
        rule=Rule.GUESSES,
        limited=True,
    ),
    RuleCard(
        path="unverified.country",
        title="Unverified codes of a country",
        counts="Codes that nobody has verified yet. Without a limit it is adaptive: a fifth of the"
        f" best day of the last {BASELINE_DAYS}, at least {LEAST_OF_COUNTRY} a day.",
        rule=Rule.COUNTRY,
        limited=True,
        adaptive=True,
    ),
    RuleCard(
        path="unverified.prefix",
        title="Unverified codes of a prefix",
        counts="Codes that nobody has verified yet, to numbers that differ in the last four digits.",
        rule=Rule.PREFIX,
        limited=True,
    ),
    RuleCard(
        path="unverified.ip",
        title="Unverified codes of an IP",
        counts="Codes that nobody has verified yet, asked for from one address (context.ip).",
        rule=Rule.IP,
        limited=True,
    ),
    RuleCard(
        path="sends.account",
        title="All sends",
        counts="All codes that the account sends.",
        rule=Rule.ACCOUNT,
        limited=True,
    ),
    *(
        RuleCard(
            path=f"sends.channels.{channel}",
            title=f"Sends by {channel_words(channel)}",
            counts=f"All codes that the account sends by {channel_words(channel)}.",
            rule=Rule.CHANNELS,
            limited=True,
        )
        for channel in PIN_CHANNELS
    ),
    RuleCard(
        path=PASSING,
        title="Pass for verified people",
        counts="A destination that was verified within this time passes the rules about unverified"
        " codes. Empty: none does.",
    ),
)
CARDS_BY_PATH = {card.path: card for card in RULE_CARDS}
