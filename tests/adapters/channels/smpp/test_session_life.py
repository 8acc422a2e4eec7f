"""A session under any order of sends, answers, cancellations and cuts, beside a plain model of it."""

from __future__ import annotations

import asyncio
import struct
from typing import Any

from attrs import define, frozen
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    rule,
)

from tests.adapters.channels.smpp.accounts import QUICK
from watchword.adapters.channels.servers import NotTakenError
from watchword.adapters.channels.smpp.outcomes import LostError
from watchword.adapters.channels.smpp.pdus import Command, FrameReader, Pdu
from watchword.adapters.channels.smpp.session import Session
from watchword.adapters.channels.smpp.settings import BindSettings

_WINDOW = 3


class Wire(asyncio.Transport):
    """A connection that keeps what is written, and ends when the test says so."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._link = session.link
        self._frames = FrameReader()
        self._closing = False
        self.written: list[Pdu] = []

    def write(self, data: Any) -> None:
        """Keep a PDU."""
        self.written.extend(self._frames.feed(bytes(data)))

    def is_closing(self) -> bool:
        """Return whether it has ended."""
        return self._closing

    def close(self) -> None:
        """End it."""
        if not self._closing:
            self._closing = True
            asyncio.get_running_loop().call_soon(self._link.connection_lost, None)

    abort = close

    def arrive(self, pdu: Pdu) -> None:
        """Let a PDU arrive."""
        octets = pdu.encode()
        self._link.get_buffer(-1)[: len(octets)] = octets
        self._link.buffer_updated(len(octets))


@define(eq=False)
class Sent:
    """A send of the model."""

    number: int
    task: asyncio.Task[Pdu]

    @property
    def body(self) -> bytes:
        """The body by which the wire knows it."""
        return struct.pack(">I", self.number)

    def outcome(self) -> Pdu | type[BaseException] | None:
        """Return what became of it; None until then."""
        if not self.task.done():
            return None
        if self.task.cancelled():
            return asyncio.CancelledError
        error = self.task.exception()
        return self.task.result() if error is None else type(error)


@frozen
class Answered:
    """An answer that was given, to be repeated."""

    pdu: Pdu


class SessionLife(RuleBasedStateMachine):
    """
    The session and its model: what was written, what was answered, and who gave up.

    The SMSC answers in any order, twice, late, and what was never asked.
    """

    sends = Bundle("sends")
    answers = Bundle("answers")

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._sent: list[Sent] = []
        self._answers: dict[int, Pdu] = {}
        self._open: dict[int, int] = {}
        self._is_cut = False
        self._run(self._begin())

    def _run(self, work: Any) -> Any:
        async def settle() -> Any:
            done = await work
            for _ in range(12):
                await asyncio.sleep(0)
            return done

        return self._runner.run(settle())

    async def _begin(self) -> None:
        settings = BindSettings(
            host="127.0.0.1", port=1, system_id="orchid", password="s3cret", window=_WINDOW
        )
        self.session = Session(settings, QUICK, lambda session, pdu: session.answer(pdu))
        self.wire = Wire(self.session)
        self.session.link.connection_made(self.wire)
        binding = asyncio.create_task(self.session.bind(Command.BIND_TRANSCEIVER))
        while not self.wire.written:  # noqa: ASYNC110  the session writes at the end of a turn
            await asyncio.sleep(0)
        self.wire.arrive(self.wire.written[0].answer(0, b"smsc\0"))
        await binding

    def _submits(self) -> list[Pdu]:
        return [each for each in self.wire.written if each.command_id == Command.SUBMIT_SM]

    @rule(target=sends)
    def send(self) -> Sent:
        """Begin a send."""
        number = len(self._sent)

        async def begin() -> asyncio.Task[Pdu]:
            return asyncio.create_task(self.session.submit(struct.pack(">I", number)))

        sent = Sent(number, self._run(begin()))
        self._sent.append(sent)
        return sent

    @rule(sent=consumes(sends))
    def give_up(self, sent: Sent) -> None:
        """Cancel a send, wherever it is."""

        async def cancel() -> None:
            sent.task.cancel()

        self._run(cancel())

    @rule(target=answers, data=st.data(), status=st.sampled_from([0, 0x0B, 0x14, 0x45]))
    def answer(self, data: st.DataObject, status: int) -> Answered | None:
        """Answer one of the messages that are written and have no answer yet."""
        left = [each for each in self._submits() if each.sequence not in self._answers]
        if not left or self._is_cut:
            return None
        submit = data.draw(st.sampled_from(left))
        pdu = submit.answer(status, b"id\0")
        self._answers[submit.sequence] = pdu
        self._arrive(pdu)
        return Answered(pdu)

    @rule(answered=answers)
    def repeat(self, answered: Answered | None) -> None:
        """Repeat an answer."""
        if answered is not None:
            self._arrive(answered.pdu)

    @rule(sequence=st.integers(100_000, 0x7FFFFFFF), command=st.sampled_from([0, 4, 5, 0x15]))
    def answer_nothing(self, sequence: int, command: int) -> None:
        """Answer what was never asked."""
        self._arrive(Pdu(command | 0x80000000, 0, sequence, b"foreign\0"))

    @rule(sequence=st.integers(1, 8), command=st.sampled_from([5, 0x15]))
    def answer_in_another_kind(self, sequence: int, command: int) -> None:
        """Answer a message with the response to another command."""
        self._arrive(Pdu(command | 0x80000000, 0, sequence, b"misled\0"))

    @rule(command=st.sampled_from([Command.ENQUIRE_LINK, Command.DELIVER_SM, 0x7777]))
    def ask(self, command: int) -> None:
        """Ask something; it is answered, and changes nothing else."""
        before = len(self.wire.written)
        self._arrive(Pdu(command, 0, 9))
        assert self._is_cut or before + 1 == len(self.wire.written)

    @rule()
    def cut(self) -> None:
        """End the connection."""

        async def end() -> None:
            self.wire.close()

        self._is_cut = True
        self._run(end())

    def _arrive(self, pdu: Pdu) -> None:
        async def arrive() -> None:
            self.wire.arrive(pdu)

        if not self._is_cut:
            self._run(arrive())

    @invariant()
    def no_more_than_the_window_is_unanswered(self) -> None:
        """Also when those who sent them gave up."""
        unanswered = [each for each in self._submits() if each.sequence not in self._answers]
        assert len(unanswered) <= _WINDOW

    @invariant()
    def nothing_waits_while_there_is_a_place(self) -> None:
        """A place is never lost."""
        if self._is_cut:
            return
        written = {each.body for each in self._submits()}
        unanswered = [each for each in self._submits() if each.sequence not in self._answers]
        waiting = [
            each for each in self._sent if each.body not in written and each.outcome() is None
        ]
        assert not waiting or len(unanswered) == _WINDOW

    @invariant()
    def messages_are_written_once_and_in_their_order(self) -> None:
        """The first that waits is the next that is written."""
        bodies = [each.body for each in self._submits()]
        assert sorted({*bodies}) == bodies

    @invariant()
    def every_outcome_is_true(self) -> None:
        """
        A send has the answer to its own message, or says whether it was written.

        It is told that nothing was written only if that is so, and of a loss only after the end.
        """
        by_body = {each.body: each for each in self._submits()}
        for sent in self._sent:
            submit, outcome = by_body.get(sent.body), sent.outcome()
            answer = None if submit is None else self._answers.get(submit.sequence)
            if isinstance(outcome, Pdu):
                assert answer == outcome
            elif outcome is NotTakenError:
                assert submit is None
                assert self._is_cut
            elif outcome is LostError:
                assert submit is not None
                assert answer is None
                assert self._is_cut
            elif outcome is None:
                assert not self._is_cut
                assert answer is None
            else:
                assert outcome is asyncio.CancelledError

    def teardown(self) -> None:
        """End the loop."""
        self.cut()
        # The outcomes after the end are looked at, too.
        self.every_outcome_is_true()
        self._runner.close()


TestSessionLife = SessionLife.TestCase
