"""The steps of a test and its result, as operators see them (C-67)."""

from __future__ import annotations

from enum import StrEnum

from attrs import field, frozen

from ...domain.channel import OutcomeStatus
from ...domain.limits import Characters, FromTo, OneLine

MAX_TEXT, MAX_TEMPLATE, MAX_LANGUAGE = 4_096, 512, 32
MOST_SECONDS = 60


class ChannelTestStep(StrEnum):
    """The steps of a test, in their order."""

    CONFIG = "config"
    CONNECT = "connect"
    SEND = "send"
    RECEIPT = "receipt"


class StepStatus(StrEnum):
    """The outcomes of a step."""

    OK = "ok"
    FAILED = "failed"
    UNKNOWN = "unknown"
    SKIPPED = "skipped"


@frozen(kw_only=True)
class StepResult:
    """One step: its outcome, words for people, and its duration."""

    step: ChannelTestStep
    status: StepStatus
    detail: str
    milliseconds: int = 0


@frozen(kw_only=True)
class ChannelTestView:
    """
    A whole test. `outcome` is that of the send, also when no receipt came.

    A test that ended before its send is `rejected`: certainly nothing was sent.
    """

    steps: tuple[StepResult, ...]
    outcome: OutcomeStatus
    provider_message_id: str | None = None


@frozen(kw_only=True)
class ChannelTestRequest:
    """
    The message of a test; it is stored nowhere.

    `template` and its `language` name a template that the provider stores (WhatsApp). The test waits
    `wait_seconds` for a receipt.
    """

    to: str = field(repr=False)
    text: str | None = field(default=None, validator=Characters(1, MAX_TEXT), repr=False)
    template: str | None = field(default=None, validator=OneLine(1, MAX_TEMPLATE))
    language: str | None = field(default=None, validator=OneLine(1, MAX_LANGUAGE))
    wait_seconds: int = field(default=0, validator=FromTo(0, MOST_SECONDS))
