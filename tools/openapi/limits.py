"""Translates validators to keywords of JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs.validators import optional

from tools.openapi import patterns
from watchword.application.messages.opt_lists.keeping_opt_lists import MAX_RECIPIENTS
from watchword.application.pins import pin_request_rules
from watchword.application.pins.caller_context import LONGEST_IP, an_ip
from watchword.domain import language_tags, price
from watchword.domain.accounts import fallback_configuration
from watchword.domain.accounts.channel_account import limits as channel_limits
from watchword.domain.legacy import legacy_user
from watchword.domain.limits import AtMost, Characters, Entries, FromTo, OneLine, some
from watchword.domain.naming import a_name
from watchword.domain.pin_template import position_keys
from watchword.domain.pin_template.policy import above_zero
from watchword.domain.sms import autofill
from watchword.entrypoints.legacy import send_bodies as legacy
from watchword.entrypoints.messaging.message_bodies import (
    MAX_PARAMETER,
    Always,
    an_sms_type,
    short_values,
)
from watchword.entrypoints.messaging.message_questions import not_negative
from watchword.entrypoints.messaging.opt_list_questions import some_numbers
from watchword.entrypoints.messaging.send_bodies import PREFIX, a_prefix
from watchword.entrypoints.sandbox.requests import a_visible_text
from watchword.entrypoints.wire.guard_policies import MOST_COUNTRIES, countries

Schema = dict[str, Any]

_POSITIONS: Schema = {"propertyNames": {"pattern": "^[1-9][0-9]{0,2}$"}}
# The keywords of validators without limits to read.
_KEYWORDS: Mapping[Any, Schema] = {
    a_name: {"pattern": patterns.NAME},
    autofill.a_host: {"maxLength": autofill.MAX_HOST, "pattern": patterns.HOST},
    autofill.an_app_hash: {"pattern": patterns.whole(autofill.APP_HASH.pattern)},
    language_tags.a_language_tag: {
        "maxLength": language_tags.MAX_LENGTH,
        "pattern": patterns.LANGUAGE_TAG,
    },
    channel_limits.a_currency: {"pattern": patterns.whole(price.CURRENCY.pattern)},
    channel_limits.a_decimal_amount: {"pattern": patterns.whole(channel_limits.AMOUNT.pattern)},
    channel_limits.a_number_prefix: {"pattern": patterns.whole(channel_limits.PREFIX.pattern)},
    channel_limits.sends_per_second: {
        "exclusiveMinimum": 0,
        "maximum": channel_limits.MOST_PER_SECOND,
    },
    a_prefix: {"pattern": patterns.whole(PREFIX.pattern)},
    a_visible_text: {"pattern": "^[!-~]{1,200}$"},
    above_zero: {"pattern": "^(?!0+[a-z])"},
    an_ip: {"anyOf": [{"format": "ipv4"}, {"format": "ipv6"}], "maxLength": LONGEST_IP},
    an_sms_type: {},
    countries: {
        "maxItems": MOST_COUNTRIES.most,
        "items": {"type": "string", "pattern": "^[A-Z]{2}$"},
    },
    fallback_configuration.a_fallback_id: {
        "minLength": 1,
        "maxLength": fallback_configuration.MAX_ID_LENGTH,
        "pattern": r"^\S+$",
    },
    fallback_configuration.few_steps: {
        "minItems": 1,
        "maxItems": fallback_configuration.MAX_STEPS,
        "uniqueItems": True,
    },
    legacy.by_position: {"additionalProperties": {"type": "string", "maxLength": MAX_PARAMETER}},
    legacy_user.an_email: {
        "maxLength": legacy_user.MAX_EMAIL_LENGTH,
        "pattern": r"^\s*[^@\s]+@[^@\s]+\s*$",
    },
    not_negative: {"minimum": 0},
    pin_request_rules.channel_list: {"minItems": 1},
    pin_request_rules.parameters: {
        **_POSITIONS,
        "additionalProperties": {
            "type": "string",
            "maxLength": pin_request_rules.MAX_PARAMETER_LENGTH,
        },
    },
    position_keys: _POSITIONS,
    short_values: {},
    some: {"minItems": 1},
    some_numbers: {"minItems": 1, "maxItems": MAX_RECIPIENTS},
}


def limits_of(validator: Any, schema: Schema) -> Schema:
    """Return the schema with the limits of a validator."""
    if isinstance(validator, _Optional):
        inner: Any = validator
        return limits_of(inner.validator, schema)
    match validator:
        case None:
            return schema
        case Characters(least, most):
            return {**schema, **_length(least, most)}
        case OneLine(least, most):
            return {**schema, **_length(least, most), "pattern": patterns.ONE_LINE}
        case FromTo(least, most):
            return {**schema, "minimum": least, "maximum": most}
        case Entries(least, most):
            return {**schema, "minItems": least, "maxItems": most}
        case AtMost(most):
            return {**schema, "maxItems": most}
        case Always(word):
            return {"const": word}
    return {**schema, **_KEYWORDS[validator]}


def whole_number(validator: Any) -> Schema:
    """Return the schema of an integer within limits, or a text of its digits."""
    return {
        "anyOf": [
            {"type": "integer", "minimum": validator.least, "maximum": validator.most},
            {"type": "string", "maxLength": 9, "pattern": patterns.digits_up_to(validator.most)},
        ]
    }


def _length(least: int, most: int) -> Schema:
    return {"maxLength": most} if least == 0 else {"minLength": least, "maxLength": most}


_Optional = type(optional(some))
