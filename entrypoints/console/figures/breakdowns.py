"""The figures of a span by channel, country or template: the largest members, and the rest together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from ....application.statistics.views import FiguresView, Group
from .texts import bar_width, cost_text, percent

# Members with a row of their own.
MOST_ROWS = 8


@frozen(kw_only=True)
class Share:
    """
    The figures of a member.

    The lengths of its bars are percent of the sends of the largest member.
    """

    name: str
    sent: int
    delivered: int
    verified: int
    refused: int
    sent_width: float
    verified_width: float
    cost: tuple[str, ...] = ()

    @property
    def conversion(self) -> str:
        """The part of the sends that was verified."""
        return percent(self.verified, self.sent)


@frozen(kw_only=True)
class Breakdown:
    """The members of a group, the largest first."""

    group: Group
    title: str
    heading: str
    shares: tuple[Share, ...]

    @property
    def with_refused(self) -> bool:
        """Whether sends were refused, of which the country alone is known."""
        return any(each.refused for each in self.shares)

    @property
    def with_cost(self) -> bool:
        """Whether any member cost something."""
        return any(each.cost for each in self.shares)


_TITLES = {
    Group.CHANNEL: ("By channel", "Channel"),
    Group.COUNTRY: ("By country", "Country"),
    Group.TEMPLATE: ("By template", "Template"),
}
# What has no member of the group.
_WITHOUT = {Group.COUNTRY: "no country", Group.CHANNEL: "unknown", Group.TEMPLATE: "unknown"}


def breakdown(
    group: Group, data: Sequence[FiguresView], names: Mapping[str, str] | None = None
) -> Breakdown:
    """Return the breakdown of a whole span; `names` are those of members, by their ids."""
    title, heading = _TITLES[group]
    # Refusals have a country alone; elsewhere they make a row without sends.
    rows = sorted(
        (each for each in data if each.sent or (group is Group.COUNTRY and each.refused)),
        key=lambda each: (-each.sent, -each.refused, each.of or ""),
    )
    largest = rows[0].sent if rows else 0
    shares = [
        _share(_named(group, each.of, names or {}), [each], largest) for each in rows[:MOST_ROWS]
    ]
    if rest := rows[MOST_ROWS:]:
        shares.append(_share(f"{len(rest):,} more", rest, largest))
    return Breakdown(group=group, title=title, heading=heading, shares=tuple(shares))


def largest_members(data: Sequence[FiguresView]) -> list[str]:
    """Return the ids of the members that have rows of their own."""
    rows = sorted(data, key=lambda each: (-each.sent, each.of or ""))
    return [each.of for each in rows[:MOST_ROWS] if each.of is not None]


def _share(name: str, rows: Sequence[FiguresView], largest: int) -> Share:
    sent, verified = sum(each.sent for each in rows), sum(each.verified for each in rows)
    return Share(
        name=name,
        sent=sent,
        delivered=sum(each.delivered for each in rows),
        verified=verified,
        refused=sum(each.refused for each in rows),
        sent_width=bar_width(sent, largest),
        verified_width=bar_width(verified, largest),
        # Amounts of several members are not added: they may have several currencies.
        cost=tuple(_costs(rows)) if len(rows) == 1 else (),
    )


def _costs(rows: Iterable[FiguresView]) -> list[str]:
    return [cost_text(cost) for each in rows for cost in each.cost]


def _named(group: Group, member: str | None, names: Mapping[str, str]) -> str:
    return _WITHOUT[group] if member is None else names.get(member, member)
