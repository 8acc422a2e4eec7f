"""A channel account as fields, and the bodies of the documented routes that filled fields ask for (C-66)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....application.channel_accounts.views import ChannelAccountView, SettingView
from ....domain.accounts.channel_account.decide import MOST_PRICES, TOO_MANY_PRICES
from ....domain.errors import FieldProblem, ValidationFailedError, camel
from ...wire.codec import unstructure
from ..forms import Form
from . import config_form
from .setting_texts import number_of, text_of

LIMITS = ("concurrency", "ratePerSecond", "timeoutSeconds")
# Stands for the empty prefix, which all other numbers have.
OTHERS = "others"
_UNKNOWN = {"": None, "true": True, "false": False}


def filled(account: ChannelAccountView, settings: Sequence[SettingView]) -> Form:
    """Return the form of a channel account; its secrets are not in it."""
    limits = unstructure(account.limits)
    unknown = account.failover_on_unknown
    return Form.of(
        **config_form.filled(settings, account.config),
        **{f"limits.{each}": text_of(limits.get(each)) for each in LIMITS},
        name=account.name,
        sender=account.sender,
        failover=account.failover,
        failoverOnUnknown=text_of(unknown),
        prices="\n".join(
            f"{each.prefix or OTHERS}:{each.amount}:{each.currency}" for each in account.prices
        ),
    )


def asked(
    form: Form, settings: Sequence[SettingView], before: Mapping[str, Any]
) -> Mapping[str, Any]:
    """
    Return the body that changes a channel account with the config `before`, or makes one with all of it.

    Raises `ValidationFailedError` for fields that cannot be read.
    """
    problems: list[FieldProblem] = []
    config = config_form.read(form, settings, before, problems)
    body = {
        "name": form.get("name"),
        "sender": form.optional("sender"),
        "config": config,
        "limits": {each: _number(form.get(f"limits.{each}")) for each in LIMITS},
        "failover": [each for each in form.all("failover") if each],
        "failoverOnUnknown": _UNKNOWN.get(form.get("failoverOnUnknown")),
        "prices": _prices(form.get("prices"), problems),
    }
    if problems:
        raise ValidationFailedError(problems)
    return body


def refused(form: Form, refusal: ValidationFailedError) -> Form:
    """Return the form with what is wrong beside its fields: a price's problem is named by its line."""
    return form.with_problems(ValidationFailedError([_beside(each) for each in refusal.problems]))


def _beside(problem: FieldProblem) -> FieldProblem:
    match problem.parts:
        case ("prices", int() as number, *member):
            words = " ".join([*(camel(str(each)) for each in member), problem.message])
            return FieldProblem("prices", f"line {number + 1}: {words}")
        case _:
            return problem


def _number(text: str) -> int | float | str | None:
    return number_of(text) if text else None


def _prices(text: str, problems: list[FieldProblem]) -> list[Mapping[str, str]]:
    prices: list[Mapping[str, str]] = []
    lines = [each.strip() for each in text.splitlines() if each.strip()]
    if len(lines) > MOST_PRICES:
        problems.append(TOO_MANY_PRICES)
        return prices
    for number, line in enumerate(lines):
        parts = [each.strip() for each in line.split(":")]
        if len(parts) != 3:
            rule = "must be PREFIX:AMOUNT:CURRENCY, such as 44:0.0412:GBP"
            problems.append(FieldProblem(f"prices[{number}]", rule))
            continue
        prefix, amount, currency = parts
        prices.append(
            {
                "prefix": "" if prefix == OTHERS else prefix,
                "amount": amount,
                "currency": currency,
            }
        )
    return prices
