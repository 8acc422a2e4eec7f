"""`watchword callbacks`, on a store and against a running service."""

from __future__ import annotations

import base64
import json

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells

# Written as an address, so that no name server is asked.
URL = "https://192.0.43.8/told"


def test_a_new_secret_stands_alone_on_the_standard_output(watchword: Run, account: str) -> None:
    """It can be piped; the table and the warning are for people and go elsewhere."""
    made = watchword("callbacks", "create", URL, "--account", account, "--event", "pin.*")

    assert 0 == made.exit_code, made.stderr
    secret = made.stdout.removesuffix("\n")
    assert 32 == len(base64.b64decode(secret.removeprefix("whsec_"), validate=True))
    heading, row, *warning = made.stderr.splitlines()
    assert ["id", "account", "url", "events", "created", "removed"] == cells(heading)
    assert [URL, "pin.*"] == cells(row)[2:4]
    assert ["", "The secret, which is not shown again:"] == warning


def test_endpoints_are_listed_and_removed(watchword: Run, account: str) -> None:
    """A list names the account; it never holds a secret; a removed one stays on it."""
    options = ("--account", account)
    secret = f"whsec_{base64.b64encode(b'k' * 24).decode()}"
    made = watchword(
        "callbacks", "create", URL, *options, "--json", WATCHWORD_CALLBACK_SECRET=secret
    )
    record = json.loads(made.stdout)
    removed = watchword("callbacks", "remove", record["id"], "--json")
    listed = watchword("callbacks", "list", *options)
    (as_json,) = json.loads(watchword("callbacks", "list", *options, "--json").stdout)

    assert secret == record["secret"]
    assert json.loads(removed.stdout)["removedAt"] is not None
    assert "***" == as_json["secret"]
    _, row = listed.stdout.splitlines()
    assert [record["id"], account, URL, "*"] == cells(row)[:4]


def test_deliveries_of_a_quiet_endpoint(watchword: Run, account: str) -> None:
    """None yet; and one that is not there cannot be sent again."""
    made = watchword("callbacks", "create", URL, "--account", account, "--json")
    endpoint = json.loads(made.stdout)["id"]
    listed = watchword("callbacks", "deliveries", endpoint, "--json")
    refused = watchword("callbacks", "redeliver", endpoint, "dlv_0")
    unknown = watchword("callbacks", "remove", "cbk_0")

    assert [] == json.loads(listed.stdout)
    assert 1 == refused.exit_code
    assert "no delivery of this id" in refused.stderr
    assert (1, True) == (unknown.exit_code, "`watchword callbacks list`" in unknown.stderr)


def test_a_test_event_says_its_delivery(watchword: Run, account: str) -> None:
    """By its id, which the list of deliveries has once it is made; a removed endpoint takes none."""
    made = watchword("callbacks", "create", URL, "--account", account, "--json")
    endpoint = json.loads(made.stdout)["id"]
    sent = watchword("callbacks", "test", endpoint, "--json")
    watchword("callbacks", "remove", endpoint)
    refused = watchword("callbacks", "test", endpoint)

    assert endpoint == json.loads(sent.stdout)["endpointId"]
    assert json.loads(sent.stdout)["deliveryId"].startswith("dlv_")
    assert (1, True) == (refused.exit_code, "was removed" in refused.stderr)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://0x7f.1/", "file:///etc/passwd"])
def test_private_addresses_are_refused(watchword: Run, account: str, url: str) -> None:
    """In a sentence that names the field (C-47)."""
    refused = watchword("callbacks", "create", url, "--account", account)

    assert 1 == refused.exit_code
    assert "url" in refused.stderr


def test_private_addresses_can_be_allowed_on_a_store(alone: Run) -> None:
    """With the flag of the service that will call them."""
    assert 0 == alone("accounts", "create", "shop").exit_code
    made = alone(
        "callbacks", "create", "http://127.0.0.1:9/", "--account", "shop", "--allow-private-urls"
    )

    assert 0 == made.exit_code, made.stderr


def test_a_private_address_is_refused_with_what_allows_it(connected: Run) -> None:
    """The sentence names the flag of the service, and embedders' argument (C-47)."""
    refused = connected("callbacks", "create", "--account", "demo", "http://10.0.0.1/told")

    assert 1 == refused.exit_code
    assert "Error: url must have a public address. " in refused.stderr
    assert "--allow-private-urls" in refused.stderr
    assert "allow_private_urls=True" in refused.stderr
