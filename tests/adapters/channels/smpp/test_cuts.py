"""Conversations with an SMSC that are cut at random bytes (issue 22)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from tests.adapters.channels.smpp import answers
from tests.adapters.channels.smpp.accounts import QUICK, account_of, config_of
from tests.adapters.channels.smpp.smsc import Session, Smsc, Submit
from watchword.adapters.channels.smpp import SmppProvider
from watchword.application.ports.channels import Accepted, Rejected, Unknown
from watchword.testing import FakeContext, FaultyTcp, a_message, cuts


@pytest.mark.parametrize(
    ("bind", "listens", "count"),
    [("transceiver", True, 1_000), ("transceiver", False, 200), ("separate", True, 200)],
)
async def test_no_cut_is_recorded_as_rejected_after_the_message_was_taken(
    smsc: Smsc, bind: str, listens: bool, count: int
) -> None:
    """A rejection is a promise that the SMSC took nothing, and no message is sent twice by us (C-68)."""
    async with FaultyTcp(smsc.port) as proxy:
        config = config_of(proxy.port, bind=bind)
        # A process that does not listen binds for a send alone, so it is connected when the next one comes.
        provider = SmppProvider(timings=QUICK if listens else evolve(QUICK, first_pause=0))
        await provider.open(FakeContext(account_of(config)))
        if listens:
            await provider.listen()
        tally = await cuts(
            provider, config, proxy, lambda: len(smsc.submits), a_message, count=count
        )
        await provider.close()

    assert [] == tally.wrong
    assert count <= tally.cut
    # Whether a bind is cut while a send waits for it is a matter of time.
    assert {"Accepted", "Unknown"} == tally.answers.keys() - {"Rejected"}


def _accept_and_cut(submit: Submit) -> None:
    submit.accept()
    submit.session.cut()


def _bind_and_cut(session: Session) -> None:
    session.answer_bind()
    session.cut()


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("answered", [False, True])
async def test_a_session_is_cut_at_every_pdu(
    smsc: Smsc, config: Mapping[str, Any], part: int, answered: bool
) -> None:
    """At the bind and at each part of a long message, before and behind its answer; sends go on then."""
    provider = SmppProvider(timings=evolve(QUICK, first_pause=0))
    await provider.open(FakeContext())
    if part == 0:
        smsc.bind_answers.append(_bind_and_cut if answered else answers.cut_bind)
    else:
        cut = _accept_and_cut if answered else answers.cut
        smsc.answers += [*([answers.accept] * (part - 1)), cut]
    outcome = await provider.send(config, a_message(text="Your code is 4711. " * 20))
    taken = [each.pdu.short_message for each in smsc.submits]
    # The end of the connection may be noticed with the first of them.
    after = [await provider.send(config, a_message(each)) for each in (2, 3)]
    await provider.close()

    assert len({*taken}) == len(taken)
    match outcome:
        case Accepted():
            assert 3 == len(taken)
        case Rejected():
            assert [] == taken
        case Unknown():
            assert taken or answered
    assert isinstance(after[-1], Accepted)
