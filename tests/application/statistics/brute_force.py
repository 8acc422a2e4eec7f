"""Count the figures from an exported log, event after event, in the plainest way (C-80)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from math import ceil
from typing import Any

from attrs import define, field

Exported = Mapping[str, Any]
BOUNDS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1800, 3600, 21600, 86400)
COUNTED = ("sent", "accepted", "delivered", "verified", "expired", "blocked", "refused", "test")


@define
class Row:
    """The figures of one hour or day, and of one member of the group."""

    counts: dict[str, int] = field(factory=lambda: dict.fromkeys(COUNTED, 0))
    seconds: list[float] = field(factory=list)
    cost: defaultdict[tuple[str, bool], Decimal] = field(factory=lambda: defaultdict(Decimal))

    def shown(self) -> dict[str, Any]:
        """Return the row as an answer has it, without its time and group."""
        return {
            **self.counts,
            "p50": quantile(self.seconds, Decimal("0.5")),
            "p95": quantile(self.seconds, Decimal("0.95")),
            "cost": sorted(
                (currency, estimated, amount.normalize())
                for (currency, estimated), amount in self.cost.items()
                if amount
            ),
        }


def quantile(seconds: Sequence[float], part: Decimal) -> int | None:
    """Return the bound of the bucket of a time by its rank."""
    if not seconds:
        return None
    nearest = sorted(seconds)[ceil(part * len(seconds)) - 1]
    return next((bound for bound in BOUNDS if nearest <= bound), BOUNDS[-1])


def figures(
    log: Iterable[Exported],
    *,
    account: str | None,
    by: str,
    group: str | None,
    now: datetime,
    providers: Mapping[str, str],
) -> dict[tuple[str, str | None], dict[str, Any]]:
    """Return the rows that an answer has, by time and member of the group."""
    rows: defaultdict[tuple[str, str | None], Row] = defaultdict(Row)
    pins: defaultdict[str, list[Exported]] = defaultdict(list)
    for event in log:
        if event["streamId"].startswith("pin_"):
            pins[event["streamId"]].append(event)
        elif event["type"] == "SendsRefused" and account in (None, event["data"]["accountId"]):
            at = datetime.fromisoformat(event["data"]["since"])
            member = event["data"]["country"] if group == "country" else None
            rows[start(at, by), member].counts["refused"] += event["data"]["count"]
    for events in pins.values():
        if account in (None, events[0]["data"]["accountId"]):
            count_pin(rows, events, by, group, now, providers)
    return {
        at: row.shown()
        for at, row in sorted(rows.items(), key=lambda each: (each[0][0], each[0][1] or ""))
        if any(row.counts.values()) or any(row.cost.values()) or row.counts["expired"]
    }


def start(at: datetime, by: str) -> str:
    """Return the beginning of an hour or a day; all times are one for a whole range."""
    return at.strftime({"hour": "%Y-%m-%dT%H", "day": "%Y-%m-%d", "whole": ""}[by])


def count_pin(
    rows: defaultdict[tuple[str, str | None], Row],
    events: Sequence[Exported],
    by: str,
    group: str | None,
    now: datetime,
    providers: Mapping[str, str],
) -> None:
    """Count the sends of one PIN, and what became of it."""
    issued = events[0]["data"]
    sends = [each for each in events if each["type"] in ("PinIssued", "PinResent")]
    for number, sent in enumerate(sends, 1):
        at = datetime.fromisoformat(sent["occurredAt"])
        of_send = [each for each in events if each["data"].get("issue") == number]
        channels = channels_of(of_send, sent["data"]["channels"], providers)
        # Every member of a group that this send counts for, with what happened there.
        if group in (None, "country", "template"):
            member = {None: None, "country": issued["country"], "template": issued["templateId"]}
            places = [(member[group], channels, True)]
        else:
            places = [(each[group], [each], each["accepted"]) for each in channels]
        for key, there, counts_end in places:
            row = rows[start(at, by), key]
            if issued["test"]:
                row.counts["test"] += 1
                continue
            row.counts["sent"] += 1
            row.counts["accepted"] += any(each["accepted"] for each in there)
            row.counts["delivered"] += any(each["delivered"] for each in there)
            for each in there:
                for (currency, estimated), amount in each["cost"].items():
                    row.cost[currency, estimated] += amount
            if number == len(sends) and counts_end:
                count_end(row, events, sent, at, now)


def count_end(
    row: Row, events: Sequence[Exported], sent: Exported, at: datetime, now: datetime
) -> None:
    """Count how a PIN ended."""
    end, ended_at = end_of(events)
    if end == "verified":
        row.counts["verified"] += 1
        row.seconds.append((ended_at - at).total_seconds())
    elif end == "blocked":
        row.counts["blocked"] += 1
    elif end is None and datetime.fromisoformat(sent["data"]["expiresAt"]) <= now:
        row.counts["expired"] += 1


def end_of(events: Sequence[Exported]) -> tuple[str | None, datetime]:
    """Return how a PIN ended, and when."""
    end, issue, ended_at = None, 1, datetime.max.replace(tzinfo=UTC)
    for event in events:
        data = event["data"]
        match event["type"]:
            case "PinResent":
                end, issue = None, data["issue"]
            case "PinVerified":
                end, ended_at = "verified", datetime.fromisoformat(event["occurredAt"])
            case "PinBlocked":
                end = "blocked"
            case "PinSuperseded":
                end = "superseded"
            case "PinErased" if end not in ("verified", "blocked"):
                end = "erased"
            case "PinDispatched" if end == "superseded" and data["issue"] == issue:
                # It is live again if one of its codes may arrive.
                if any(may_arrive(each) for each in data["outcomes"]):
                    end = None
    return end, ended_at


def may_arrive(outcome: Exported) -> bool:
    """Return whether a code may arrive on a channel."""
    unknown = outcome["status"] == "unknown" and outcome["errorCode"] != "dispatch_interrupted"
    return outcome["status"] == "accepted" or unknown


def channels_of(
    events: Sequence[Exported], asked: Sequence[str], providers: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return what became of one send on each of its channels."""
    found = {each: {"channel": each, "status": None} for each in asked}
    for event in events:
        if event["type"] == "PinDispatched":
            found = {each["channel"]: {**each} for each in event["data"]["outcomes"]}
    channels = []
    for name, outcome in found.items():
        receipts = [
            each["data"]
            for each in events
            if each["type"] == "PinReported" and each["data"]["channel"] == name
        ]
        account = outcome.get("channelAccountId")
        accepted = outcome["status"] == "accepted" or (
            outcome["status"] == "unknown" and bool(receipts)
        )
        channels.append(
            {
                "channel": name,
                "channelAccount": account,
                "provider": None if account is None else providers.get(account),
                "accepted": accepted,
                "delivered": delivered(receipts),
                "cost": cost_of(outcome, receipts, accepted=accepted),
            }
        )
    return channels


def delivered(receipts: Sequence[Exported]) -> bool:
    """Return whether a code arrived before its provider gave it up."""
    for each in receipts:
        if each["status"] == "failed":
            return False
        if each["status"] in ("delivered", "read"):
            return True
    return False


def cost_of(
    outcome: Exported, receipts: Sequence[Exported], *, accepted: bool
) -> dict[tuple[str, bool], Decimal]:
    """Return what a send cost on a channel: what was told last, else by the price list."""
    told = [each for each in (outcome, *receipts) if each.get("price") is not None]
    if told:
        price = told[-1]["price"]
        return {(price["currency"], False): Decimal(price["amount"])}
    rate = outcome.get("rate")
    if rate is None or not accepted:
        return {}
    counted = [each["segments"] for each in (outcome, *receipts) if each.get("segments")]
    segments = counted[-1] if counted else 1
    return {(rate["currency"], True): segments * Decimal(rate["amount"])}
