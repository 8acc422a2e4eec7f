"""Long messages: their parts go one after the other, and one outcome stands for all (D-270)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.adapters.channels.smpp import answers
from tests.adapters.channels.smpp.smsc import Answer, Smsc
from watchword.adapters.channels.smpp import SmppProvider
from watchword.application.ports.channels import Accepted, Fault, Rejected, Unknown
from watchword.testing import a_message

_LONG = "Your code is 4711. " * 20


async def test_the_parts_of_a_long_message_go_one_after_the_other(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Its id is that of the first part, which alone asks for a receipt (D-270)."""
    answer = await provider.send(config, a_message(text=_LONG))

    assert Accepted("smsc-1") == answer
    assert [1, 0, 0] == [each.pdu.registered_delivery for each in smsc.submits]


async def test_a_refused_first_part_sends_no_other(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Nobody gets a part of a message that was rejected."""
    smsc.answers.append(answers.refuse(0x0B))
    answer = await provider.send(config, a_message(text=_LONG))

    assert isinstance(answer, Rejected)
    assert ("smpp_0x0b", Fault.RECIPIENT) == (answer.code, answer.fault)
    assert 1 == len(smsc.submits)


@pytest.mark.parametrize("lost", [answers.refuse(0x45), answers.cut, answers.nack(0x08)])
async def test_a_later_part_that_is_lost_is_unknown(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], lost: Answer
) -> None:
    """Receipts of the first part still find the message."""
    smsc.answers += [answers.accept, lost]
    answer = await provider.send(config, a_message(text=_LONG))

    assert isinstance(answer, Unknown)
    assert "smsc-1" == answer.provider_message_id
    assert 2 == len(smsc.submits)


@pytest.mark.parametrize("passing", [answers.throttle, answers.refuse(0x14), answers.nack(0x58)])
async def test_a_later_part_that_was_too_fast_is_sent_again(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], passing: Answer
) -> None:
    """The SMSC did not take it, and half a message helps nobody (D-270)."""
    smsc.answers += [answers.accept, passing]
    answer = await provider.send(config, a_message(text=_LONG))
    parts = [each.pdu.short_message for each in smsc.submits]

    assert Accepted("smsc-1") == answer
    assert 4 == len(parts)
    assert parts[1] == parts[2]


async def test_a_later_part_that_was_not_written_goes_over_the_next_session(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A session that ends between two parts costs nothing."""

    def accept_and_unbind(submit: Any) -> None:
        submit.accept()
        submit.session.send(bytes.fromhex("00000010 00000006 00000000 00000063"))

    smsc.answers.append(accept_and_unbind)
    answer = await provider.send(config, a_message(text=_LONG))

    assert Accepted("smsc-1") == answer
    assert [1, 0, 0] == [each.pdu.registered_delivery for each in smsc.submits]
    assert 2 == len(smsc.binds)
