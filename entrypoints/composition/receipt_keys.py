"""Finds or creates the key of verification receipts at start (C-83)."""

from __future__ import annotations

from ...adapters.receipt_signing import (
    HINT,
    JwsReceiptSigner,
    ReceiptKeyError,
    new_receipt_key,
    parse_receipt_keys,
    read_receipt_keys,
    receipt_keys_at,
)
from ...application.journal import Journal
from ...application.pins.verification_receipts import template_with_receipts
from ..settings import Settings, SettingsError, StoreKind
from .ports import Ports


def find_receipt_signer(settings: Settings) -> JwsReceiptSigner | None:
    """
    Return the signer with the keys of the settings, of the named file, or of the data directory.

    A store in memory gets a key in memory. On PostgreSQL all nodes share one key, so none is made there,
    except for a sandbox: then this is None, and no template may ask for receipts (D-462). Raises
    `SettingsError`.
    """
    try:
        if settings.receipt_key:
            return JwsReceiptSigner(parse_receipt_keys(settings.receipt_key))
        if settings.receipt_key_file:
            return JwsReceiptSigner(read_receipt_keys(settings.receipt_key_file))
        if settings.store_url.kind is StoreKind.MEMORY:
            return JwsReceiptSigner([new_receipt_key()])
        if settings.store_url.kind is StoreKind.POSTGRESQL and not settings.sandbox:
            return None
        return JwsReceiptSigner(receipt_keys_at(settings.data_dir / "receipt.key"))
    except ReceiptKeyError as error:
        argument = "receipt_key= cannot be read. " if settings.embedded else ""
        raise SettingsError(f"{argument}{error}") from None


async def refuse_missing_key(
    settings: Settings, ports: Ports, journal: Journal, *, answers: bool
) -> None:
    """
    Refuse to start without a key on a store with a template that asks for receipts (D-462).

    A node that answers calls would refuse the right codes of the PINs of that template. Raises
    `SettingsError`.
    """
    if not answers or ports.receipt_signer is not None:
        return
    template_id = await template_with_receipts(journal)
    if template_id is None:
        return
    how = (
        "Give it as receipt_key=."
        if settings.embedded
        else "Set WATCHWORD_RECEIPT_KEY, or name a file with --receipt-key-file."
    )
    raise SettingsError(
        f"The template {template_id} asks for verification receipts, and all nodes on one PostgreSQL need"
        f" the same receipt key, so none is made here. {how} {HINT}"
    )
