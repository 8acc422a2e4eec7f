"""Sends to an SMSC: what it takes and refuses, and what becomes of a send without an answer (C-68)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from tests.adapters.channels.smpp import answers
from tests.adapters.channels.smpp.accounts import QUICK, config_of
from tests.adapters.channels.smpp.smsc import Answer, Smsc
from watchword.adapters.channels.servers import NotTakenError
from watchword.adapters.channels.smpp import SmppProvider
from watchword.adapters.channels.smpp.window import MOST_WAITING
from watchword.application.ports.channels import Accepted, Fault, Rejected, Unknown
from watchword.testing import FakeContext, a_message


def _outcome(answer: object) -> tuple[type, str | None, Fault | None]:
    return (
        type(answer),
        getattr(answer, "code", None),
        getattr(answer, "fault", None),
    )


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (0x04, Fault.ACCOUNT),
        (0x08, Fault.AWAY),
        (0x0A, Fault.ACCOUNT),
        (0x0B, Fault.RECIPIENT),
        (0x0D, Fault.ACCOUNT),
        (0x0E, Fault.ACCOUNT),
        (0x0F, Fault.ACCOUNT),
        (0x14, Fault.BUSY),
        (0x45, Fault.CONTENT),
        (0x48, Fault.ACCOUNT),
        (0x51, Fault.ACCOUNT),
        (0x58, Fault.BUSY),
        (0x64, Fault.BUSY),
        (0x45A, Fault.CONTENT),
    ],
)
async def test_a_refusal_keeps_the_status(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], status: int, fault: Fault
) -> None:
    """The code has the SMSC's number in hexadecimal; the fault decides on failover (C-69)."""
    smsc.answers.append(answers.refuse(status))
    answer = await provider.send(config, a_message())

    assert (Rejected, f"smpp_0x{status:02x}", fault) == _outcome(answer)
    assert isinstance(await provider.send(config, a_message(2)), Accepted)


async def test_a_throttled_send_says_when_to_come_back(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Nothing is repeated here; the session sends nothing for a while."""
    smsc.answers.append(answers.throttle)
    answer = await provider.send(config, a_message())
    began = asyncio.get_running_loop().time()
    await provider.send(config, a_message(2))

    assert isinstance(answer, Rejected)
    assert 1.0 == answer.retry_after
    assert 2 == len(smsc.submits)
    assert QUICK.throttled * 0.9 <= asyncio.get_running_loop().time() - began


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (answers.nack(0x02), (Rejected, "smpp_0x02", Fault.CONTENT)),
        (answers.nack(0x03), (Rejected, "smpp_0x03", Fault.CONTENT)),
        (answers.nack(0x58), (Rejected, "smpp_0x58", Fault.BUSY)),
        (answers.nack(0x14), (Rejected, "smpp_0x14", Fault.BUSY)),
        (answers.nack(0x08), (Unknown, "provider_unknown", None)),
        (answers.nack(0x00), (Unknown, "provider_unknown", None)),
        (answers.accept_as(""), (Unknown, "provider_unknown", None)),
        (answers.cut, (Unknown, "provider_unknown", None)),
        (answers.cut_within(17), (Unknown, "provider_unknown", None)),
        (answers.write(answers.LONGEST_PDU), (Unknown, "provider_unknown", None)),
        (answers.write(b"\0" * 16), (Unknown, "provider_unknown", None)),
        (answers.write(b"HTTP/1.1 400 Bad Request\r\n\r\n"), (Unknown, "provider_unknown", None)),
    ],
)
async def test_doubt_is_unknown(
    provider: SmppProvider,
    smsc: Smsc,
    config: Mapping[str, Any],
    answer: Answer,
    outcome: tuple[type, str, Fault | None],
) -> None:
    """A nack is a refusal where it says that the PDU was not carried out; all else is unknown (D-269)."""
    smsc.answers.append(answer)

    assert outcome == _outcome(await provider.send(config, a_message()))
    assert isinstance(await provider.send(config, a_message(2)), Accepted)
    assert 2 == len(smsc.submits)


@pytest.mark.parametrize("answer", [answers.foreign, answers.nack_nothing, answers.never])
async def test_an_answer_to_something_else_is_ignored(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], answer: Answer
) -> None:
    """A foreign sequence number, or none, ends no send; its own answer does, also when it is late."""
    smsc.answers.append(answer)
    sending = asyncio.create_task(provider.send(config, a_message()))
    await smsc.until(lambda: len(smsc.submits) == 1)
    assert isinstance(await provider.send(config, a_message(2)), Accepted)
    assert not sending.done()
    smsc.submits[0].accept("late")

    assert Accepted("late") == await sending


async def test_the_first_of_two_answers_counts(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """The repeated one frees no place a second time, and answers no other send."""
    config = {**config, "window": 1}
    smsc.answers += [answers.twice, answers.never]
    assert Accepted("smsc-1") == await provider.send(config, a_message())
    sending = asyncio.create_task(provider.send(config, a_message(2)))
    waiting = asyncio.create_task(provider.send(config, a_message(3)))
    await smsc.until(lambda: len(smsc.submits) == 2)
    await provider.probe(config)
    assert 2 == len(smsc.submits)
    smsc.submits[1].accept()

    assert Accepted("smsc-3") == await sending
    assert Accepted("smsc-4") == await waiting


async def test_a_response_of_another_kind_answers_nothing(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """An enquire_link_resp with the sequence number of a message is not its answer."""

    def mislead(submit: Any) -> None:
        submit.session.send(bytes.fromhex("00000010 80000015 00000000") + _four(submit.sequence))
        submit.accept("right")

    smsc.answers.append(mislead)

    assert Accepted("right") == await provider.send(config, a_message())


async def test_a_late_answer_frees_the_place_and_changes_nothing(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """The SMSC counts a message until it has answered it, whoever stopped waiting."""
    config = {**config, "window": 1}
    smsc.answers.append(answers.never)
    cancelled = asyncio.create_task(provider.send(config, a_message()))
    await smsc.until(lambda: len(smsc.submits) == 1)
    cancelled.cancel()
    waiting = asyncio.create_task(provider.send(config, a_message(2)))
    # The session is asked and answers meanwhile, so the wait is not one for the network.
    await provider.probe(config)
    assert (1, False) == (len(smsc.submits), waiting.done())
    smsc.submits[0].accept("late")

    assert isinstance(await waiting, Accepted)
    assert cancelled.cancelled()


async def test_a_window_is_filled_and_no_more(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """So many messages are unanswered at most; the others follow in their order."""
    config = {**config, "window": 3}
    smsc.answer = answers.never
    sends = [asyncio.create_task(provider.send(config, a_message(each))) for each in range(9)]
    await smsc.until(lambda: len(smsc.submits) == 3)
    await provider.probe(config)
    assert 3 == len(smsc.submits)
    for answered in range(9):
        await smsc.until(lambda: len(smsc.submits) > answered)  # noqa: B023  it ends here
        smsc.submits[answered].accept()
        await sends[answered]

    numbers = [each.pdu.destination_addr for each in smsc.submits]
    assert [a_message(each).destination[1:] for each in range(9)] == numbers


async def test_a_cancelled_wait_holds_nobody_up(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """It was never written, and those behind it move up."""
    config = {**config, "window": 1}
    smsc.answers.append(answers.never)
    first, second, third = [
        asyncio.create_task(provider.send(config, a_message(each))) for each in range(3)
    ]
    await smsc.until(lambda: len(smsc.submits) == 1)
    await provider.probe(config)
    second.cancel()
    smsc.submits[0].accept()

    assert isinstance(await first, Accepted)
    assert isinstance(await third, Accepted)
    assert 2 == len(smsc.submits)


async def test_a_lost_session_tells_what_was_written(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Written ones are unknown; those that waited were not sent, and another account may try (C-69)."""
    config = {**config, "window": 2}
    smsc.answer = answers.never
    sends = [asyncio.create_task(provider.send(config, a_message(each))) for each in range(4)]
    await smsc.until(lambda: len(smsc.submits) == 2)
    smsc.sessions[0].cut()
    outcomes = [_outcome(each) for each in await asyncio.gather(*sends)]

    unknown, away = (Unknown, "provider_unknown", None), (Rejected, "smpp_cut", Fault.AWAY)
    assert [unknown, unknown, away, away] == outcomes


async def test_a_send_that_waits_too_long_for_its_place_was_not_sent(
    smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """It is told in time for another account to send; those who wait no longer hold nobody up (C-69)."""
    provider = SmppProvider(timings=evolve(QUICK, patience=0.05))
    await provider.open(context)
    config = {**config, "window": 1}
    smsc.answers.append(answers.never)
    sending = asyncio.create_task(provider.send(config, a_message()))
    await smsc.until(lambda: len(smsc.submits) == 1)
    late = await asyncio.gather(
        *(provider.send(config, a_message(2 + each)) for each in range(600))
    )
    smsc.submits[0].accept()
    await sending
    answer = await provider.send(config, a_message(602))
    await provider.close()

    assert {(Rejected, "smpp_busy", Fault.BUSY)} == {_outcome(each) for each in late}
    assert isinstance(answer, Accepted)
    assert 2 == len(smsc.submits)


async def test_the_sends_that_wait_have_a_bound(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A hundred thousand wait; the next one is told at once that the provider is busy."""
    smsc.answer = answers.never
    config = {**config, "window": 1}
    first = asyncio.create_task(provider.send(config, a_message()))
    await smsc.until(lambda: len(smsc.submits) == 1)
    session = provider._accounts.of("cha_orchid", config)[0].sender.bound
    assert session is not None
    waiting = [asyncio.create_task(session.submit(b"")) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    one_more = await provider.send(config, a_message(2))
    first.cancel()
    smsc.sessions[0].cut()
    told = await asyncio.gather(*waiting, return_exceptions=True)

    assert (Rejected, "smpp_busy", Fault.BUSY) == _outcome(one_more)
    assert {NotTakenError} == {type(each) for each in told}


async def test_an_smsc_that_does_not_answer_loses_its_session(
    smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """After the time for an answer the outcome is unknown, and the next send binds anew (D-269)."""
    provider = SmppProvider(timings=evolve(QUICK, response=0.05))
    await provider.open(context)
    smsc.answers.append(answers.never)
    silent = await provider.send(config, a_message())
    answered = await provider.send(config, a_message(2))
    await provider.close()

    assert isinstance(silent, Unknown)
    assert isinstance(answered, Accepted)
    assert 2 == len(smsc.binds)


async def test_what_no_pdu_can_carry_is_not_sent(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A destination that is no number is refused here."""
    answer = await provider.send(config, a_message(destination="rosa"))

    assert isinstance(answer, Rejected)
    assert Fault.RECIPIENT is answer.fault
    assert [] == smsc.submits


@pytest.mark.parametrize(
    ("answered", "id_form", "message_id"), [("0010", "dec_to_hex", "10"), (" 7F ", "same", "7F")]
)
async def test_the_ids_of_answers_have_the_form_of_receipts(
    provider: SmppProvider, smsc: Smsc, answered: str, id_form: str, message_id: str
) -> None:
    """`idForm` makes both the same, and no blanks count, so that a receipt finds its message (C-63)."""
    smsc.answers.append(answers.accept_as(answered))
    config = config_of(smsc.port, idForm=id_form)

    assert Accepted(message_id) == await provider.send(config, a_message())


async def test_a_sequence_number_is_used_once_at_a_time(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """It goes on from the last to the first, past those that wait for their answers."""
    smsc.answers.append(answers.never)
    waiting = asyncio.create_task(provider.send(config, a_message()))
    await smsc.until(lambda: len(smsc.submits) == 1)
    held = smsc.submits[0].sequence
    session = provider._accounts.of("cha_orchid", config)[0].sender.bound
    assert session is not None
    session._sequence = 0x7FFFFFFF - 1
    for number in range(2, 6):
        await provider.send(config, a_message(number))
    numbers = [each.sequence for each in smsc.submits[1:]]
    smsc.submits[0].accept()
    await waiting

    assert 2 == held
    assert [0x7FFFFFFF, 1, 3, 4] == numbers


async def test_what_a_send_answers_has_neither_text_nor_password(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """Every outcome is words of ours."""
    smsc.answers += [answers.refuse(0x45), answers.cut, answers.nack(0x03), answers.accept_as("")]
    said = [await provider.send(config, a_message(each)) for each in range(4)]
    smsc.bind_answers.append(answers.refuse_bind(0x0E))
    said.append(await provider.send({**config, "systemId": "lily"}, a_message(7)))

    assert 5 == len([each for each in said if not isinstance(each, Accepted)])
    assert not any("4711" in repr(each) or "s3cret" in repr(each) for each in said)


@pytest.mark.parametrize("id_form", ["same", "dec_to_hex", "hex_to_dec"])
async def test_an_id_that_quotes_the_text_is_none(
    provider: SmppProvider, smsc: Smsc, id_form: str
) -> None:
    """Ids are stored, so that the code of a PIN would be, in any form (D-243)."""
    config = config_of(smsc.port, idForm=id_form)
    text = "Your code is 471192."
    for number, quoting in enumerate(["471192", text, "code is 4711"]):
        smsc.answers.append(answers.accept_as(quoting))
        answer = await provider.send(config, a_message(number, text=text))

        assert isinstance(answer, Unknown)
        assert answer.provider_message_id is None


def _four(number: int) -> bytes:
    return number.to_bytes(4, "big")
