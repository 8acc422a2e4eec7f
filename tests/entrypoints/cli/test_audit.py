"""`watchword audit replay`: the history, and the state rebuilt from it, beside a running service."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served, served
from tests.read_only_folders import open_folder, read_only

PHONE = "+919812345610"


def create(sandbox: Served, **more: Any) -> tuple[str, str]:
    """Issue a PIN; return its id and its code."""
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 86_400})
    body = {"destination": PHONE, "templateId": "tpl_demo", **more}
    _, issued = sandbox.ask("POST", "/v1/pins", body)
    _, phone = sandbox.ask("GET", "/admin/v1/sandbox/outbox")
    (code,) = re.findall(r"\b\d{6}\b", phone["data"][-1]["text"])
    return issued["pinId"], code


@pytest.fixture(scope="session")
def verified(sandbox: Served) -> tuple[str, str]:
    """Return the id and the code of a PIN that was guessed wrong, then right."""
    pin, code = create(sandbox, referenceId="order-7")
    sandbox.ask("POST", f"/v1/pins/{pin}/verify", {"pin": "wrong"})
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 5})
    sandbox.ask("POST", f"/v1/pins/{pin}/verify", {"pin": code})
    return pin, code


def replayed(run: Run, stream: str, *options: str) -> Any:
    """Return a replay as data."""
    return json.loads(run("audit", "replay", stream, "--json", *options).stdout)


def test_a_history_reads_as_a_table(auditor: Run, verified: tuple[str, str]) -> None:
    """Time, version, event, actor, and in few words what each event changed."""
    pin, _ = verified
    record = replayed(auditor, pin)
    times = [event["occurredAt"] for event in record["events"]]
    actor = record["events"][0]["actor"]
    state = record["state"]
    heading, table, _ = auditor("audit", "replay", pin).stdout.split("\n\n", 2)

    assert f"{pin} (pin)" == heading
    assert [
        ["time", "version", "event", "actor", "what changed"],
        [
            times[0],
            "1",
            "PinIssued",
            actor,
            f"account id {state['accountId']}; template id tpl_demo;"
            f" person id {state['personId']}; destination {PHONE}; reference id order-7;"
            f" channels sms; issue 1; code hash ***;"
            f" expires at {state['expiresAt']}; attempts 5; verify limit 1/3s; country IN; test no;"
            f" counted unverified.country/1d, unverified.prefix/1h; status PENDING",
        ],
        [times[1], "2", "PinDispatched", actor, "outcomes sms accepted; test no"],
        [times[2], "3", "VerifyFailed", actor, "attempts remaining 4"],
        [times[3], "4", "PinVerified", actor, "status VERIFIED"],
    ] == [cells(line) for line in table.splitlines()]


def test_the_state_follows_the_history(auditor: Run, verified: tuple[str, str]) -> None:
    """The state after the events is printed below them, field by field."""
    pin, _ = verified
    record = replayed(auditor, pin)
    last = record["events"][-1]["occurredAt"]
    _, _, heading, table = auditor("audit", "replay", pin).stdout.split("\n\n")

    assert f"State at {last}, version 4" == heading
    shown = dict(cells(line) for line in table.splitlines())
    assert ("VERIFIED", "4", PHONE, "***", last) == tuple(
        shown[name]
        for name in ("status", "attempts remaining", "destination", "code hash", "updated at")
    )


def test_both_ways_tell_the_same(beside: Run, connected: Run, verified: tuple[str, str]) -> None:
    """The replay of the store beside the service equals that of the service."""
    pin, _ = verified

    assert replayed(beside, pin) == replayed(connected, pin)


def test_no_code_and_no_hash_is_shown(auditor: Run, verified: tuple[str, str]) -> None:
    """Hashes read `***`, in events and in the state, and the code is nowhere (C-31)."""
    pin, code = verified
    record = replayed(auditor, pin)

    assert ("***", "***") == (record["events"][0]["data"]["codeHash"], record["state"]["codeHash"])
    assert not re.search(rf"\b{code}\b", json.dumps(record))


def test_personal_data_are_masked_on_request(auditor: Run, verified: tuple[str, str]) -> None:
    """With `--mask` neither the history nor the state contains personal data (C-38)."""
    pin, _ = verified
    record = replayed(auditor, pin, "--mask")

    assert ("+9198******10", "***") == (
        record["state"]["destination"],
        record["state"]["referenceId"],
    )
    shown = json.dumps(record) + auditor("audit", "replay", pin, "--mask").stdout
    assert PHONE not in shown
    assert "order-7" not in shown


def test_a_replay_stops_at_a_time(auditor: Run, verified: tuple[str, str]) -> None:
    """`--at` takes a time in the form of the history, and includes the events until then."""
    pin, _ = verified
    wrong_guess = replayed(auditor, pin)["events"][2]["occurredAt"]
    record = replayed(auditor, pin, "--at", wrong_guess)

    assert ["PinIssued", "PinDispatched", "VerifyFailed"] == [
        event["type"] for event in record["events"]
    ]
    assert ("PENDING", 4) == (record["state"]["status"], record["state"]["attemptsRemaining"])


def test_an_expiry_shows_at_its_time(auditor: Run, sandbox: Served) -> None:
    """A PIN without a later call is expired from its expiry on, as in lists (C-15)."""
    pin, _ = create(sandbox)
    expiry = replayed(auditor, pin)["state"]["expiresAt"]

    assert "PENDING" == replayed(auditor, pin)["state"]["status"]
    assert "EXPIRED" == replayed(auditor, pin, "--at", expiry)["state"]["status"]


def test_who_came_later_is_named(auditor: Run, sandbox: Served) -> None:
    """A superseded PIN says by which one."""
    (first, _), (second, _) = create(sandbox), create(sandbox)
    state = replayed(auditor, first)["state"]

    assert ("EXPIRED", second) == (state["status"], state["supersededBy"])


def test_a_time_before_the_first_event_is_said(auditor: Run, verified: tuple[str, str]) -> None:
    """Nothing had happened then: that is one sentence, with the time from which on there is."""
    pin, _ = verified
    first = replayed(auditor, pin)["events"][0]["occurredAt"]
    refused = auditor("audit", "replay", pin, "--at", "2001-01-31")

    assert (
        1,
        f"Error: Nothing had happened yet at that time. The first event is of {first}.\n",
    ) == (refused.exit_code, refused.stderr)


def test_a_time_that_is_none_is_a_usage_error(auditor: Run) -> None:
    """The error shows a time in the right form."""
    refused = auditor("audit", "replay", "tpl_demo", "--at", "yesterday")

    assert 2 == refused.exit_code
    assert "'yesterday' is not a time such as 2030-01-31T12:00:00Z." in refused.stderr


@pytest.mark.parametrize("stream", ["pin_of_somebody_else", "../events", "%", "?"])
def test_an_unknown_id_is_said(auditor: Run, stream: str) -> None:
    """An id without a history is one sentence and a hint, for any text."""
    refused = auditor("audit", "replay", stream)

    assert (
        1,
        "Error: Nothing is recorded under this id."
        " A PIN's is its pinId; a key's or an account's stands in their lists.\n",
    ) == (refused.exit_code, refused.stderr)


def test_templates_accounts_and_keys_have_histories_too(
    auditor: Run, connected: Run, sandbox: Served
) -> None:
    """Everything that is managed can be replayed by its id."""
    _, channel_accounts = sandbox.ask("GET", "/admin/v1/channel-accounts", key="sandbox-admin")
    (key,) = (
        each["id"]
        for each in json.loads(connected("keys", "list", "--account", "demo", "--json").stdout)
        if each["name"] == "sandbox"
    )
    account = channel_accounts["data"][0]["accountId"]
    streams = [account, key, channel_accounts["data"][0]["id"], "tpl_demo"]

    assert ["account", "api_key", "channel_account", "pin_template"] == [
        replayed(auditor, stream)["kind"] for stream in streams
    ]


def test_only_what_was_revised_counts_as_changed(auditor: Run, sandbox: Served) -> None:
    """Of an event that repeats the whole record, only the new values are printed."""
    path = "/admin/v1/pin-templates"
    body = {"name": "tea", "channels": [{"channelType": "sms"}], "account": "demo"}
    _, template = sandbox.ask("POST", path, body, key="sandbox-admin")
    path += f"/{template['id']}"
    sandbox.ask("PATCH", path, {"pinLength": 8}, key="sandbox-admin")
    sandbox.ask("POST", f"{path}/disable", key="sandbox-admin")
    _, table, _ = auditor("audit", "replay", template["id"]).stdout.split("\n\n", 2)

    assert [
        ["PinTemplateRevised", "admin", "by admin; policy pin length 8"],
        ["PinTemplateDisabled", "admin", "by admin; status disabled"],
    ] == [cells(line)[2:] for line in table.splitlines()[2:]]


def test_a_stopped_service_is_audited_from_its_store(tmp_path: Path, alone: Run) -> None:
    """No service and no code key are needed to read."""
    with served(tmp_path, "--sandbox") as running:
        pin, _ = create(running)
    (tmp_path / "code.key").unlink()
    store = (tmp_path / "watchword.db").read_bytes()

    assert ["PinIssued", "PinDispatched"] == [
        event["type"] for event in replayed(alone, pin)["events"]
    ]
    assert store == (tmp_path / "watchword.db").read_bytes()


def test_a_store_that_cannot_be_written_is_audited(tmp_path: Path, alone: Run) -> None:
    """Nothing is created beside it, although no service has it open (D-120)."""
    with open_folder() as folder:
        there = {"WATCHWORD_DATA_DIR": str(folder)}
        made = alone("accounts", "create", "tea", "--json", **there)
        shutil.copy(folder / "watchword.db", tmp_path)
        commands = (("replay", json.loads(made.stdout)["id"]), ("export",), ("check",))
        told = [alone("audit", *each) for each in commands]
        with read_only(folder):
            same = [alone("audit", *each, **there) for each in commands]

    assert [(0, each.stdout) for each in told] == [(each.exit_code, each.stdout) for each in same]


def test_what_is_recorded_cannot_steer_a_terminal(auditor: Run, sandbox: Served) -> None:
    """Control characters of a message's text, which may have any, are spelled out."""
    message = {
        "sender": "Tea",
        "recipient": "+447700900010",
        "type": "SE",
        "messageBody": "red \x1b[31m tea",
    }
    _, sent = sandbox.ask("POST", "/send_sms", {"sms": [message]}, apikey="sandbox-key")
    shown = auditor("audit", "replay", sent["data"][0]["messageId"]).stdout

    assert "\x1b" not in shown
    assert r"red \x1b[31m tea" in shown
