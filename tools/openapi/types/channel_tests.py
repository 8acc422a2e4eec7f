"""Tests of channel accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from watchword.application.channel_tests.views import (
    ChannelTestRequest,
    ChannelTestStep,
    StepResult,
    StepStatus,
)
from watchword.domain.channel import OutcomeStatus


class ChannelTest(TypedDict):
    """A whole test."""

    steps: list[StepResult]
    outcome: OutcomeStatus
    providerMessageId: NotRequired[str]


NAMED: Mapping[str, Any] = {
    "NewChannelTest": ChannelTestRequest,
    "ChannelTestStepName": ChannelTestStep,
    "ChannelTestStepStatus": StepStatus,
    "ChannelTestStep": StepResult,
    "ChannelTest": ChannelTest,
}
