"""A backup that is served again: codes that were used since do not come back (D-64)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.entrypoints.cli.processes import run
from tests.entrypoints.conftest import listening
from watchword.adapters.clock import SystemClock
from watchword.adapters.keyring import KeyringError
from watchword.adapters.randomness import SecretRandomness
from watchword.application.caller import THE_WORKER, Caller
from watchword.application.journal import Journal
from watchword.application.ports.event_store import Append
from watchword.application.records.pin import VerificationRow
from watchword.application.restoring import Restoring
from watchword.domain.callback_endpoint import OPERATORS
from watchword.entrypoints.composition.bootstrap import restoring, wired
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

STORES = ("sqlite", "postgresql")
KEY = "1:" + "a" * 44
PERSON = "+447700900003"
EARLY_RECEIPT = {"status": "DELIVERED", "providerMessageId": "nobody-knows-this-one"}
SMS: dict[str, Any] = {
    "sender": "TEAHSE",
    "recipient": PERSON,
    "type": "SI",
    "messageBody": "Your tea is ready.",
}
FALLBACK: dict[str, Any] = {
    "fallback_id": "demo",
    "fallback": True,
    "waittime": "60",
    "sms": {"sender": "TEATWO", "type": "SI", "messageBody": "Tea is ready."},
}


async def test_a_restored_store_gives_no_second_chance(
    settings: Settings, back_up: Callable[[Settings], Settings]
) -> None:
    """
    The code that was used after the backup is refused, and the fired fallback stays silent.

    A resend goes to the holder of the phone; the log is complete.
    """
    settings = evolve(settings, code_key=KEY)
    async with wired(settings) as service, listening(service) as caller:
        pin, code = await caller.created(), await caller.code()
        (sent,) = (await caller.sent(sms=[SMS], fallback=FALLBACK))["data"]
    restored = back_up(settings)
    async with wired(settings) as service, listening(service) as caller:
        assert 200 == (await caller.verify(pin, code)).status
        await caller.advance(60)
        assert "fired" == (await caller.standing(sent["messageId"]))["fallback"]["status"]

    done = run("restored", "--fallbacks", "end", "--store", str(restored.store))

    assert done.stdout.startswith(
        "Live PINs expired: 1. Unfinished fallback runs ended: 1. Recorded under the request req_"
    ), done.stderr
    async with wired(restored) as service, listening(service) as caller:
        assert (410, "pin_expired") == (await caller.verify(pin, code)).refusal
        await caller.advance(3600)
        run_of_it = (await caller.standing(sent["messageId"]))["fallback"]
        assert ("rejected", "store_restored") == (
            run_of_it["status"],
            run_of_it["steps"][0]["errorCode"],
        )
        assert [] == await caller.outbox()
        assert 200 == (await caller.resend(pin)).status
        assert 200 == (await caller.verify(pin, await caller.code())).status
        assert 0 == (await service.reading_log.check()).total


@pytest.mark.stores("memory")
async def test_a_row_without_events_keeps_nothing_alive(service: Wired) -> None:
    """If a backup has rows whose events are missing, the other live codes expire."""
    async with listening(service) as caller:
        pin, code = await caller.created(), await caller.code()
        row = await service.store.row(VerificationRow, pin)
        assert row is not None
        nobody = evolve(row, pin_id="pin_00000000000000000000000000")
        await service.store.append(
            Append(at=row.created_at, actor="", request_id="", rows=(nobody,))
        )

        ended = await Restoring(Journal(service.store), SecretRandomness(), SystemClock()).restored(
            end_runs=True
        )

        assert 2 == ended.pins
        assert (410, "pin_expired") == (await caller.verify(pin, code)).refusal


async def test_a_lost_code_key_ends_with_what_it_protected(settings: Settings) -> None:
    """If no live code, person, seal or callback needs the old key, a new version is enough to start."""
    lost, new = evolve(settings, code_key=KEY), evolve(settings, code_key="2:" + "b" * 44)
    coded = {**FALLBACK, "sms": {**FALLBACK["sms"], "type": "OTP"}}
    async with wired(lost) as service, listening(service) as caller:
        pin = await caller.created()
        await caller.sent(sms=[SMS], fallback=coded)
        account = Caller(await service.accounts.resolve(THE_WORKER, "demo"), "admin", "req_1")
        told = await service.callbacks.create(account, url="https://93.184.216.34/told")
        heads = await service.callbacks.create(
            account.acting_for(OPERATORS), url="https://93.184.216.34/heads", events=["log.*"]
        )
        assert 200 == (await caller.post("/sandbox/receipts", EARLY_RECEIPT)).status
    with pytest.raises(KeyringError):
        async with wired(new):
            pass
    async with restoring(settings, erase_people=True) as ending:
        done = await ending.restored(end_runs=True, remove_callbacks=True)

    assert 2 == done.callbacks
    assert done.people
    async with wired(new) as service, listening(service) as caller:
        assert (410, "pin_expired") == (await caller.verify(pin, "000000")).refusal
        for endpoint in (told, heads):
            assert (await service.callbacks.get(THE_WORKER, endpoint.id)).removed_at is not None
        # The same number is a new person.
        assert 200 == (await caller.verify(await caller.created(), await caller.code())).status
        # The account has a new key now, and what the lost one sealed stays unreadable.
        await service.callbacks.create(account, url="https://93.184.216.35/told")
        listed = (await caller.operated("GET", "/callbacks?account=demo"))["data"]
        assert ["https://93.184.216.35/told", "(erased)"] == [each["url"] for each in listed]
        # The same receipt waits anew, and what waited before still ends.
        assert 200 == (await caller.post("/sandbox/receipts", EARLY_RECEIPT)).status
        assert () == (await service.reading_log.check()).differences
        await caller.advance(24 * 60 * 60)
        waited = (await caller.operated("GET", "/events?type=ReceiptDropped"))["data"]
        assert 2 == len({each["streamId"] for each in waited})
        assert () == (await service.reading_log.check()).differences


async def test_erasures_since_the_backup_are_repeated(
    settings: Settings, back_up: Callable[[Settings], Settings], tmp_path: Path
) -> None:
    """A person whom the backup brings back is erased again, before any node serves the store."""
    settings = evolve(settings, code_key=KEY)
    to = {"account": "demo", "destination": PERSON}
    async with wired(settings) as service, listening(service) as caller:
        pin, other = await caller.created(PERSON), await caller.created("+447700900099")
    restored = back_up(settings)
    async with wired(settings) as service, listening(service) as caller:
        erased = await caller.operated("POST", "/people/erase", to)
    listed = tmp_path / "erasures.jsonl"
    store = ("--store", str(restored.store), "--erasures", str(listed))

    done = run("restored", "--fallbacks", "end", *store)
    again = run("restored", "--fallbacks", "end", *store)

    assert " People erased again: 1." in done.stdout, done.stderr
    assert "People erased again" not in again.stdout
    async with wired(restored) as service, listening(service) as caller:
        assert {} == await service.store.people_named([erased["personId"]])
        assert (404, "person_not_found") == (
            await caller.operate("POST", "/people/show", to)
        ).refusal
        await caller.advance(60)
        assert {"reason": "erased"} == (await caller.resend(pin)).error["details"]
        assert 200 == (await caller.resend(other)).status
        assert 0 == (await service.reading_log.check()).total


@pytest.mark.stores("sqlite")
@pytest.mark.parametrize("as_json", [(), ("--json",)])
async def test_a_missing_list_of_erasures_is_said(
    settings: Settings, tmp_path: Path, as_json: tuple[str, ...]
) -> None:
    """Without a list nobody is erased again, which whoever restores on another machine has to know."""
    async with wired(evolve(settings, code_key=KEY)):
        pass
    where = ("--store", str(settings.store), "--data-dir", str(tmp_path / "new"), *as_json)
    done = run("restored", "--fallbacks", "end", *where)

    assert 0 == done.returncode
    assert (
        f"Nobody was erased again: there is no list of erasures at {tmp_path}/new/erasures.jsonl."
        " If people were erased since the backup, repeat the command with --erasures FILE.\n"
    ) == done.stderr


@pytest.mark.stores("sqlite")
async def test_a_damaged_list_of_erasures_changes_nothing(
    settings: Settings, tmp_path: Path
) -> None:
    """The command names the line, and expires no code; a list that was named and is missing is refused."""
    settings = evolve(settings, code_key=KEY)
    async with wired(settings) as service, listening(service) as caller:
        pin, code = await caller.created(), await caller.code()
    listed = tmp_path / "list.jsonl"
    listed.write_text("no JSON\n")
    restored = ("restored", "--fallbacks", "end", "--store", str(settings.store), "--erasures")

    damaged = run(*restored, str(listed))
    missing = run(*restored, str(tmp_path / "missing.jsonl"))

    assert (1, 1) == (damaged.returncode, missing.returncode)
    assert f"Line 1 of {listed} is no erasure." in damaged.stderr
    assert "cannot be read" in missing.stderr
    async with wired(settings) as service, listening(service) as caller:
        assert 200 == (await caller.verify(pin, code)).status
