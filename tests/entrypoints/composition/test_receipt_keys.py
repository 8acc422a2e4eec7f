"""The key of verification receipts at start: made, given, refused (C-83)."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from attrs import evolve

from tests.fakes.providers import ScriptedProvider
from tests.log_keys import LOG_KEY
from watchword.application.caller import Caller
from watchword.application.pins.template_channels import ChannelEntry
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.pin_template.policy import PinPolicy, VerificationReceipt
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.composition.receipt_keys import find_receipt_signer
from watchword.entrypoints.settings import Settings, SettingsError
from watchword.entrypoints.wired import Wired

KEYS = [base64.b64encode(bytes([each]) * 32).decode() for each in (1, 2)]
PHONE = {"phone": ScriptedProvider()}
CODE_KEY = f"1:{KEYS[0]}"


def kids(settings: Settings) -> list[str]:
    """Return the ids of the keys that a service with these settings publishes."""
    signer = find_receipt_signer(settings)
    assert signer is not None
    return [each["kid"] for each in signer.public_keys()]


@pytest.fixture
def on_file(tmp_path: Path) -> Settings:
    """Return the settings of a service on a SQLite file."""
    return Settings(data_dir=tmp_path)


@pytest.fixture
def shared(postgres_url: str, tmp_path: Path) -> Settings:
    """Return the settings of a node on PostgreSQL, which is no sandbox."""
    return Settings(store=postgres_url, data_dir=tmp_path, code_key=CODE_KEY, log_key=LOG_KEY)


async def asked(service: Wired, account_id: str, receipt: VerificationReceipt | None) -> str:
    """Create a template, and return its id."""
    made = await service.pin_templates.create(
        Caller(account_id, "admin", "req_1"),
        name="tea",
        policy=PinPolicy(receipt=receipt),
        channels=[ChannelEntry(channel_type=Channel.SMS)],
    )
    return made.id


async def an_account(service: Wired) -> str:
    """Create an account with a channel account for SMS, and return its id."""
    by = Caller("", "admin", "req_1")
    account = await service.accounts.create(by, name="orchid")
    await service.channel_accounts.create(
        Caller(account.id, "admin", "req_1"),
        channel_type=Channel.SMS,
        provider="phone",
        name="sms",
        sender=None,
        config={},
    )
    return account.id


async def test_a_file_is_made_beside_the_code_key(on_file: Settings) -> None:
    """It is made at the first start, is its owner's alone, and is the key of all later starts."""
    async with wired(on_file) as service:
        published = service.receipts.public_keys()
    file = on_file.data_dir / "receipt.key"

    assert [each["kid"] for each in published] == kids(on_file)
    assert 0o600 == file.stat().st_mode & 0o777


def test_a_given_key_goes_first(on_file: Settings, tmp_path: Path) -> None:
    """The setting precedes the named file, and both precede the data directory, where none is made."""
    named = tmp_path / "named.key"
    named.touch(mode=0o600)
    named.write_text(f"{KEYS[1]}\n")
    in_file = evolve(on_file, receipt_key_file=named)
    given = evolve(in_file, receipt_key=",".join(KEYS))

    assert [2, 1] == [len(kids(each)) for each in (given, in_file)]
    assert kids(given)[1:] == kids(in_file)
    assert not (tmp_path / "receipt.key").exists()


def test_what_cannot_be_a_key_is_refused(on_file: Settings, tmp_path: Path) -> None:
    """A start says which key it means, whether it came by the setting or by a file."""
    with pytest.raises(SettingsError, match="There is no receipt key file at"):
        find_receipt_signer(evolve(on_file, receipt_key_file=tmp_path / "nowhere"))
    with pytest.raises(SettingsError, match=r"^The receipt key is not base64\."):
        find_receipt_signer(evolve(on_file, receipt_key="tea!"))


async def test_a_node_without_the_key_refuses_templates_with_receipts(shared: Settings) -> None:
    """It starts, since no template asks for receipts, and says why none may."""
    async with wired(shared, providers=PHONE) as service:
        account_id = await an_account(service)
        template_id = await asked(service, account_id, None)
        with pytest.raises(ValidationFailedError) as created:
            await asked(service, account_id, VerificationReceipt.CLEAR)
        with pytest.raises(ValidationFailedError) as revised:
            await service.pin_templates.revise(
                Caller(account_id, "admin", "req_1"),
                template_id,
                policy=lambda policy: evolve(policy, receipt=VerificationReceipt.HASHED),
            )

        assert [["receipt"]] * 2 == [
            [each.path for each in refusal.value.problems] for refusal in (created, revised)
        ]
        assert [] == service.receipts.public_keys()
    assert not (shared.data_dir / "receipt.key").exists()


async def test_a_start_without_the_key_is_refused_once_it_is_needed(shared: Settings) -> None:
    """A template asks for receipts, so a node that could sign none does not start; a worker does."""
    async with wired(evolve(shared, receipt_key=KEYS[0]), providers=PHONE) as service:
        account_id = await an_account(service)
        template_id = await asked(service, account_id, VerificationReceipt.CLEAR)
    with pytest.raises(
        SettingsError, match=f"The template {template_id} asks for .* Make one with"
    ):
        async with wired(shared, providers=PHONE):
            pass
    async with wired(shared, providers=PHONE, answers=False) as worker:
        assert [] == worker.receipts.public_keys()
    async with wired(evolve(shared, receipt_key=KEYS[0]), providers=PHONE) as service:
        await service.pin_templates.archive(Caller(account_id, "admin", "req_1"), template_id)
    async with wired(shared, providers=PHONE) as service:
        assert [] == service.receipts.public_keys()
