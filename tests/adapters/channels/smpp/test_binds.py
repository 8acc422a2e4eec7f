"""Binds: the login, TLS, refusals, pauses, and what ends a session (C-63)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.adapters.channels.smpp import answers, deliveries
from tests.adapters.channels.smpp.accounts import QUICK, config_of
from tests.adapters.channels.smpp.pdus import Command, Header, request
from tests.adapters.channels.smpp.smsc import BindAnswer, Delivery, Session, Smsc
from tests.adapters.channels.smtp.certificates import Authority
from watchword.adapters.channels.smpp import SmppProvider
from watchword.application.ports.channels import Accepted, Connected, Fault, Rejected
from watchword.testing import FakeContext, a_message


async def test_a_bind_has_the_login(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """System id, password and type, for SMPP 3.4; the second send needs no second bind."""
    config = {**config, "systemType": "SMS"}
    await provider.send(config, a_message())
    await provider.send(config, a_message(2))
    (bind,) = smsc.binds

    assert (Command.BIND_TRANSCEIVER, "orchid", "s3cret", "SMS", 0x34) == (
        bind.command,
        bind.system_id,
        bind.password,
        bind.system_type,
        bind.interface_version,
    )


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (0x05, Fault.ACCOUNT),
        (0x0D, Fault.ACCOUNT),
        (0x0E, Fault.ACCOUNT),
        (0x0F, Fault.ACCOUNT),
        (0x53, Fault.ACCOUNT),
        (0x08, Fault.AWAY),
        (0x58, Fault.AWAY),
    ],
)
async def test_a_refused_bind_sends_nothing(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], status: int, fault: Fault
) -> None:
    """A login that is refused concerns the account; any other refusal says that the SMSC is away (C-69)."""
    smsc.bind_answers.append(answers.refuse_bind(status))
    answer = await provider.send(config, a_message())

    assert isinstance(answer, Rejected)
    assert (f"smpp_0x{status:02x}", fault) == (answer.code, answer.fault)
    assert [] == smsc.submits


@pytest.mark.parametrize(
    ("bind_answer", "code"),
    [
        (answers.cut_bind, "smpp_cut"),
        (lambda session: session.send(b"\xff" * 16), "smpp_cut"),
        (lambda session: session.send(b"HTTP/1.1 400\r\n\r\n"), "smpp_cut"),
    ],
)
async def test_a_broken_bind_sends_nothing(
    provider: SmppProvider,
    smsc: Smsc,
    config: Mapping[str, Any],
    bind_answer: BindAnswer,
    code: str,
) -> None:
    """Nothing was written of the message, so another account may try (C-69)."""
    smsc.bind_answers.append(bind_answer)
    answer = await provider.send(config, a_message())

    assert isinstance(answer, Rejected)
    assert (code, Fault.AWAY) == (answer.code, answer.fault)


async def test_a_silent_smsc_is_left_in_time(
    smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """A send waits for a bind for a while, and leaves time for another account."""
    provider = SmppProvider(timings=evolve(QUICK, patience=0.05, bind=0.2))
    await provider.open(context)
    smsc.silent = True
    impatient = await provider.send(config, a_message())
    await smsc.until(lambda: any(each.ended for each in smsc.sessions))
    late = await provider.probe(config)
    await provider.close()

    assert isinstance(impatient, Rejected)
    assert isinstance(late, Rejected)
    assert ("smpp_not_bound", Fault.AWAY) == (impatient.code, impatient.fault)
    assert ("smpp_timeout", Fault.AWAY) == (late.code, late.fault)


async def test_a_refused_login_is_not_hurried(
    smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """Sends do not shorten the pause after it, because SMSCs lock a login out (D-271)."""
    provider = SmppProvider(timings=evolve(QUICK, first_pause=60, longest_pause=60))
    await provider.open(context)
    smsc.bind_answer = answers.refuse_bind(0x0E)
    said = [await provider.send(config, a_message(each)) for each in range(20)]
    await provider.close()

    assert {"smpp_0x0e"} == {each.code for each in said if isinstance(each, Rejected)}
    assert 1 == len(smsc.binds)


async def test_a_send_hurries_the_next_bind_to_an_smsc_that_was_away(
    smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """The pause grows up to a minute; a send cuts it short once its first second is over (D-271)."""
    provider = SmppProvider(timings=evolve(QUICK, first_pause=0.01, longest_pause=60))
    await provider.open(context)
    keeper = provider._accounts.of("cha_orchid", config)[0].sender
    keeper._pause = 60.0
    smsc.bind_answers.append(answers.refuse_bind(0x08))
    away = await provider.send(config, a_message())
    async with asyncio.timeout(10):
        while not isinstance(await provider.send(config, a_message(2)), Accepted):
            pass
    await provider.close()

    assert isinstance(away, Rejected)
    assert 2 == len(smsc.binds)


async def test_a_pdu_behind_the_bind_is_heard(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """A receipt in the segment of the bind_resp is one of a session that is bound (issue 22)."""
    receipt = Header.with_sequence(deliveries.receipt("smsc-7"), 9)

    def accept_and_report(session: Session) -> None:
        session.unanswered[9] = Delivery(session, 9)
        session.answer_bind(0, receipt, request(Command.ENQUIRE_LINK, 10))

    smsc.bind_answers.append(accept_and_report)
    answer = await provider.send(config, a_message())
    await smsc.until(lambda: smsc.sessions[0].unanswered[9].ended)

    assert isinstance(answer, Accepted)
    assert 0 == smsc.sessions[0].unanswered[9].status
    assert 0x8000_0015 in smsc.sessions[0].commands
    assert 1 == len(context.heard)


async def test_a_session_is_watched(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """Each `enquireSeconds` the SMSC is asked whether it is there."""
    await provider.send({**config, "enquireSeconds": 0.01}, a_message())
    await smsc.until(lambda: smsc.sessions[0].commands.count(Command.ENQUIRE_LINK) > 2)

    assert 1 == len(smsc.sessions)


async def test_a_session_without_an_answer_to_enquire_link_is_dead(
    smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """The connection is closed, and the next send binds anew."""
    provider = SmppProvider(timings=evolve(QUICK, enquire=0.01))
    await provider.open(context)
    config = {**config, "enquireSeconds": 0.01}
    await provider.send(config, a_message())
    smsc.silent = True
    await smsc.until(lambda: smsc.sessions[0].ended)
    smsc.silent = False
    answer = await provider.send(config, a_message(2))
    await provider.close()

    assert isinstance(answer, Accepted)


async def test_the_smscs_unbind_is_answered(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """It may answer what it has; then the session ends, and the next send binds anew."""
    smsc.answers.append(answers.never)
    sending = asyncio.create_task(provider.send(config, a_message()))
    await smsc.until(lambda: len(smsc.submits) == 1)
    smsc.sessions[0].send(request(Command.UNBIND, 77))
    await smsc.until(lambda: 0x8000_0006 in smsc.sessions[0].commands)
    smsc.submits[0].accept("still")

    assert Accepted("still") == await sending
    assert isinstance(await provider.send(config, a_message(2)), Accepted)
    assert 2 == len(smsc.binds)


async def test_a_command_that_nobody_knows_is_nacked(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """The session goes on; a notice and an outbind want no answer."""
    await provider.send(config, a_message())
    (session,) = smsc.sessions
    for command in ("00000102", "0000000b", "00000003"):
        session.send(bytes.fromhex(f"00000010 {command} 00000000 00000007"))
    await smsc.until(lambda: 0x8000_0000 in session.commands)

    assert 1 == session.commands.count(0x8000_0000)
    assert isinstance(await provider.send(config, a_message(2)), Accepted)
    assert 1 == len(smsc.binds)


async def test_an_idle_session_that_nobody_stands_by_ends(
    smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """A process that does not listen leaves its bind to others (D-263)."""
    provider = SmppProvider(timings=evolve(QUICK, idle=0.01))
    await provider.open(context)
    await provider.send(config, a_message())
    await smsc.until(lambda: smsc.sessions[0].ended)
    again = await provider.send(config, a_message(2))
    await provider.close()

    assert Command.UNBIND in smsc.sessions[0].commands
    assert isinstance(again, Accepted)


async def test_closing_unbinds(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """The SMSC sees a polite end, also of a message that it never answered."""
    await provider.send({**config, "bind": "separate"}, a_message())
    await provider.close()

    assert Command.UNBIND == smsc.sessions[0].commands[-1]


async def test_separate_binds_send_over_the_transmitter(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A process that does not listen needs no receiver."""
    await provider.send({**config, "bind": "separate"}, a_message())

    assert [Command.BIND_TRANSMITTER] == [each.command for each in smsc.binds]


async def test_a_probe_binds_and_unbinds(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """A log-in sends nothing (C-67)."""
    answer = await provider.probe(config)
    await smsc.until(lambda: smsc.sessions[0].ended)

    assert Connected(f"127.0.0.1:{smsc.port} without TLS, bound as orchid") == answer
    assert [Command.BIND_TRANSCEIVER, Command.UNBIND] == smsc.sessions[0].commands


async def test_a_probe_asks_the_session_that_stands(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any]
) -> None:
    """The SMSC may allow one bind alone."""
    await provider.send(config, a_message())
    answer = await provider.probe(config)

    assert isinstance(answer, Connected)
    assert Command.ENQUIRE_LINK == smsc.sessions[0].commands[-1]
    assert 1 == len(smsc.sessions)


@pytest.fixture
def authority() -> Authority:
    """Return an authority that an account trusts."""
    return Authority()


@pytest.fixture
def ca_file(authority: Authority, tmp_path: Path) -> str:
    """Return the file with its certificate."""
    file = tmp_path / "ca.pem"
    file.write_bytes(authority.pem)
    return str(file)


async def test_a_message_goes_over_tls(
    provider: SmppProvider, authority: Authority, ca_file: str, tmp_path: Path
) -> None:
    """The login is sent once TLS stands; a probe says its version."""
    async with Smsc(tls=authority.server(tmp_path)) as smsc:
        config = config_of(smsc.port, tls=True, caFile=ca_file)
        answer = await provider.send(config, a_message())
        probed = await provider.probe(config)
        over_tls = [each.tls for each in smsc.sessions]
        await provider.close()

    assert isinstance(answer, Accepted)
    assert Connected(f"127.0.0.1:{smsc.port} TLSv1.3, bound as orchid") == probed
    assert [True] == over_tls


@pytest.mark.parametrize(
    ("host", "age", "trusted", "why"),
    [
        ("127.0.0.1", timedelta(days=9), True, "certificate has expired"),
        ("smpp.example.com", timedelta(), True, "IP address mismatch"),
        ("127.0.0.1", timedelta(), False, "unable to get local issuer certificate"),
    ],
)
async def test_a_certificate_that_is_not_trusted_gets_no_login(
    provider: SmppProvider,
    authority: Authority,
    ca_file: str,
    tmp_path: Path,
    host: str,
    age: timedelta,
    trusted: bool,
    why: str,
) -> None:
    """An expired certificate, one for another host, and one of another authority (C-63)."""
    signer = authority if trusted else Authority("Eve's authority")
    async with Smsc(tls=signer.server(tmp_path, host, age)) as smsc:
        config = config_of(smsc.port, tls=True, caFile=ca_file)
        answer = await provider.send(config, a_message())

    assert isinstance(answer, Rejected)
    assert ("smpp_tls_failed", Fault.AWAY) == (answer.code, answer.fault)
    assert why in answer.message
    assert [] == smsc.binds


async def test_a_server_without_tls_gets_no_login(
    provider: SmppProvider, smsc: Smsc, ca_file: str
) -> None:
    """With `tls`, nothing ever goes in clear."""
    smsc.silent = True
    config = config_of(smsc.port, tls=True, caFile=ca_file)
    sending = asyncio.create_task(provider.send(config, a_message()))
    async with asyncio.timeout(10):
        answer = await sending

    assert isinstance(answer, Rejected)
    assert Fault.AWAY is answer.fault
    assert [] == smsc.binds


async def test_a_ca_file_that_is_gone_refuses(provider: SmppProvider, ca_file: str) -> None:
    """The system's authorities do not take the place of the account's own."""
    await asyncio.to_thread(Path(ca_file).unlink)
    answer = await provider.send(config_of(3550, tls=True, caFile=ca_file), a_message())

    assert isinstance(answer, Rejected)
    assert ("smpp_ca_file_unreadable", Fault.ACCOUNT) == (answer.code, answer.fault)


async def test_a_link_local_host_gets_no_login(context: FakeContext) -> None:
    """A name may come to have such an address after its config was checked (C-63)."""

    async def look_up(host: str) -> list[str]:
        return ["169.254.169.254"]

    provider = SmppProvider(look_up, timings=QUICK)
    await provider.open(context)
    answer = await provider.send(config_of(2775, host="smpp.example.com"), a_message())
    await provider.close()

    assert isinstance(answer, Rejected)
    assert ("smpp_address_refused", Fault.ACCOUNT) == (answer.code, answer.fault)
