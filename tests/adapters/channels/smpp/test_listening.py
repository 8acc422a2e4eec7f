"""A process that listens stays bound for every channel account (D-263)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest
from attrs import evolve

from tests.adapters.channels.smpp import answers, deliveries
from tests.adapters.channels.smpp.accounts import QUICK, account_of, config_of
from tests.adapters.channels.smpp.pdus import Command
from tests.adapters.channels.smpp.smsc import Smsc
from watchword.adapters.channels.smpp import SmppProvider
from watchword.adapters.channels.smpp.timings import Timings
from watchword.application.errors import UnavailableError
from watchword.application.ports.channels import Accepted, ProviderAccount
from watchword.testing import FakeContext, a_message


class ChangingContext(FakeContext):
    """A service whose channel accounts come and go, and whose store may be out of reach."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[ProviderAccount] = []
        self.looked: asyncio.Queue[None] = asyncio.Queue()
        self.is_broken = False

    async def accounts(self) -> Sequence[ProviderAccount]:
        """Return the channel accounts that the test has now."""
        self.looked.put_nowait(None)
        if self.away:
            raise UnavailableError
        if self.is_broken:
            raise LookupError("s3cret")
        return [*self.listed]


@pytest.fixture
def context() -> ChangingContext:
    """Return a service without channel accounts."""
    return ChangingContext()


@pytest.fixture
async def listening(provider: SmppProvider) -> SmppProvider:
    """Return a provider that listens."""
    await provider.listen()
    return provider


async def test_a_new_account_is_bound(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """Without a send, so that it hears; the send then uses that bind."""
    config = config_of(smsc.port)
    context.listed.append(account_of(config))
    await smsc.until(lambda: len(smsc.bound) == 1)
    answer = await listening.send(config, a_message())

    assert isinstance(answer, Accepted)
    assert 1 == len(smsc.binds)


async def test_a_disabled_account_hears(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """Receipts come for what it sent before (C-66)."""
    context.listed.append(account_of(config_of(smsc.port), enabled=False))
    await smsc.until(lambda: len(smsc.bound) == 1)
    pushed = smsc.push(deliveries.receipt("smsc-1"))
    await smsc.until(lambda: pushed.ended)

    assert 0 == pushed.status
    assert ["cha_orchid"] == [name for name, _ in context.heard]


async def test_separate_binds_stand(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """A transmitter and a receiver; a disabled account needs no transmitter."""
    config = config_of(smsc.port, bind="separate")
    context.listed.append(account_of(config, enabled=False))
    await smsc.until(lambda: len(smsc.bound) == 1)
    context.listed[:] = [account_of(config)]
    await smsc.until(lambda: len(smsc.bound) == 2)
    pushed = smsc.push(deliveries.receipt("smsc-1"))
    await smsc.until(lambda: pushed.ended)

    assert [Command.BIND_RECEIVER, Command.BIND_TRANSMITTER] == [
        each.command for each in smsc.binds
    ]
    assert 0 == pushed.status
    assert isinstance(await listening.send(config, a_message()), Accepted)


async def test_a_changed_password_binds_anew(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """The older bind ends first, since the SMSC may allow one alone (D-271)."""
    context.listed.append(account_of(config_of(smsc.port)))
    await smsc.until(lambda: len(smsc.bound) == 1)
    context.listed[:] = [account_of(config_of(smsc.port, password="0ther"))]
    await smsc.until(lambda: len(smsc.binds) == 2)

    assert ["s3cret", "0ther"] == [each.password for each in smsc.binds]
    assert Command.UNBIND == smsc.sessions[0].commands[-1]
    assert smsc.sessions[0].ended


async def test_a_changed_text_setting_keeps_the_bind(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """Types of numbers, encodings and DLT tags concern the messages alone."""
    context.listed.append(account_of(config_of(smsc.port)))
    await smsc.until(lambda: len(smsc.bound) == 1)
    changed = config_of(smsc.port, sourceTon=3, encoding="ucs2")
    context.listed[:] = [account_of(changed)]
    answer = await listening.send(changed, a_message())

    assert isinstance(answer, Accepted)
    assert (3, 8) == (smsc.submits[0].pdu.source_addr_ton, smsc.submits[0].pdu.data_coding)
    assert 1 == len(smsc.binds)


async def test_a_send_with_other_settings_binds_anew_at_once(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """A send knows a change before the next look does; answers under way are awaited (D-217)."""
    config, changed = config_of(smsc.port), config_of(smsc.port, password="0ther")
    smsc.answers.append(answers.never)
    sending = asyncio.create_task(listening.send(config, a_message()))
    await smsc.until(lambda: len(smsc.submits) == 1)
    following = asyncio.create_task(listening.send(changed, a_message(2)))
    await asyncio.sleep(0)
    smsc.submits[0].accept("first")

    assert Accepted("first") == await sending
    assert isinstance(await following, Accepted)
    assert ["s3cret", "0ther"] == [each.password for each in smsc.binds]


async def test_an_older_send_does_not_bring_the_older_bind_back(
    smsc: Smsc, context: ChangingContext
) -> None:
    """It waited in a queue while the settings changed, and goes over the new bind (D-271)."""
    provider = SmppProvider(timings=evolve(QUICK, settled=60))
    await provider.open(context)
    older, newer = config_of(smsc.port), config_of(smsc.port, password="0ther")
    await provider.send(newer, a_message())
    answer = await provider.send(older, a_message(2))
    await provider.close()

    assert isinstance(answer, Accepted)
    assert ["0ther"] == [each.password for each in smsc.binds]


async def test_a_lost_session_is_bound_again_within_five_seconds(
    smsc: Smsc, context: ChangingContext
) -> None:
    """With the pauses of a real service, and without a send (issue 22)."""
    provider = SmppProvider()
    await provider.open(context)
    context.listed.append(account_of(config_of(smsc.port)))
    await provider.listen()
    await smsc.until(lambda: len(smsc.bound) == 1)
    began = time.monotonic()
    smsc.sessions[0].cut()
    await smsc.until(lambda: len(smsc.bound) == 1 and len(smsc.binds) == 2)
    took = time.monotonic() - began
    await provider.close()

    assert took < 5
    assert Timings().first_pause / 2 <= took


@pytest.mark.parametrize("stable", [0, 60])
async def test_a_send_after_a_lost_session_waits_for_the_next(
    smsc: Smsc, context: ChangingContext, stable: float
) -> None:
    """Nothing is refused because of one cut, whether the session had lasted or not (D-271)."""
    provider = SmppProvider(timings=evolve(QUICK, stable=stable, first_pause=0.1, longest_pause=1))
    await provider.open(context)
    context.listed.append(account_of(config_of(smsc.port)))
    await provider.listen()
    await smsc.until(lambda: len(smsc.bound) == 1)
    keeper = provider._accounts.of("cha_orchid", config_of(smsc.port))[0].sender
    session = await keeper.session()
    smsc.sessions[0].cut()
    await session.wait_ended()
    answer = await provider.send(config_of(smsc.port), a_message())
    await provider.close()

    assert isinstance(answer, Accepted)
    assert 2 == len(smsc.binds)


async def test_an_smsc_that_restarts_is_bound_again(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """However long it was away: the pauses have an end."""
    context.listed.append(account_of(config_of(smsc.port)))
    await smsc.until(lambda: len(smsc.bound) == 1)
    await smsc.stop()
    smsc.sessions.clear()
    await smsc.start()
    await smsc.until(lambda: len(smsc.bound) == 1)

    assert isinstance(await listening.send(config_of(smsc.port), a_message()), Accepted)


async def test_a_store_out_of_reach_ends_no_session(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext, caplog: pytest.LogCaptureFixture
) -> None:
    """The looks go on, also after an error that nobody foresaw, whose text is in no log."""
    context.listed.append(account_of(config_of(smsc.port)))
    await smsc.until(lambda: len(smsc.bound) == 1)
    context.away = True
    await _looks(context, 3)
    context.away, context.is_broken = False, True
    await _looks(context, 3)
    context.is_broken = False
    context.listed.append(account_of(config_of(smsc.port, systemId="lily"), "cha_lily"))
    await smsc.until(lambda: len(smsc.bound) == 2)

    assert ["orchid", "lily"] == [each.system_id for each in smsc.binds]
    assert "smpp_accounts_not_read" in caplog.text
    assert "s3cret" not in caplog.text


async def test_an_account_that_is_listed_no_more_is_left(
    smsc: Smsc, context: ChangingContext
) -> None:
    """Its secrets can no longer be opened here; another node may have its bind."""
    provider = SmppProvider(timings=evolve(QUICK, idle=0.05))
    await provider.open(context)
    await provider.listen()
    context.listed.append(account_of(config_of(smsc.port)))
    await smsc.until(lambda: len(smsc.bound) == 1)
    context.listed.clear()
    await smsc.until(lambda: smsc.sessions[0].ended)
    await provider.close()

    assert Command.UNBIND == smsc.sessions[0].commands[-1]


async def test_the_accounts_that_are_bound_have_a_bound(
    provider: SmppProvider, smsc: Smsc, context: ChangingContext
) -> None:
    """One too many is told so; when another one is idle, it makes room."""
    provider._accounts.most = 2
    configs = [config_of(smsc.port, systemId=name) for name in ("rosa", "lily", "iris")]
    said = [
        await provider.send(config, a_message(number, channel_account_id=config["systemId"]))
        for number, config in enumerate(configs)
    ]
    idle = provider._accounts.of("rosa", configs[0])[0]
    await idle.sender.retire(0)
    said.append(await provider.send(configs[2], a_message(4, channel_account_id="iris")))

    assert ["Accepted", "Accepted", "Rejected", "Accepted"] == [
        type(each).__name__ for each in said
    ]
    assert "smpp_busy" == getattr(said[2], "code", None)
    assert ["rosa", "lily", "iris"] == [each.system_id for each in smsc.binds]


async def test_a_log_has_a_line_for_each_change_and_not_for_each_attempt(
    listening: SmppProvider, smsc: Smsc, context: ChangingContext, caplog: pytest.LogCaptureFixture
) -> None:
    """An SMSC that refuses for a day fills no disk; the line has no password."""
    smsc.bind_answer = answers.refuse_bind(0x0E)
    context.listed.append(account_of(config_of(smsc.port)))
    await smsc.until(lambda: len(smsc.binds) > 3)

    assert 1 == caplog.text.count("smpp_not_bound")
    assert "smpp_0x0e" in caplog.text
    assert "s3cret" not in caplog.text


async def _looks(context: ChangingContext, count: int) -> None:
    while not context.looked.empty():
        context.looked.get_nowait()
    async with asyncio.timeout(10):
        for _ in range(count):
            await context.looked.get()
