"""`watchword dlt-templates`, on a store and against a running service."""

from __future__ import annotations

import json

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells

TEXT = "Your tea {#var#} is ready. - TEAHSE"


def create(watchword: Run, account: str, *more: str) -> str:
    """Register a template and give what was printed."""
    ids = ("--template-id", "1107", "--entity-id", "1101", "--text", TEXT)
    made = watchword("dlt-templates", "create", "--account", account, *ids, *more)
    assert 0 == made.exit_code, made.output
    return made.stdout


def test_a_template_is_registered_listed_and_removed(watchword: Run, account: str) -> None:
    """The list names the account, and omits removed templates."""
    record_id = json.loads(create(watchword, account, "--json"))["id"]
    listed = watchword("dlt-templates", "list", "--account", account).stdout.splitlines()
    removed = watchword("dlt-templates", "remove", record_id, "--json")
    left = watchword("dlt-templates", "list", "--account", account, "--json")

    assert ["id", "account", "template id", "entity id", "text", "created"] == cells(listed[0])
    assert [record_id, account, "1107", "1101", TEXT] == cells(listed[1])[:5]
    assert json.loads(removed.stdout)["removedAt"] is not None
    assert [] == json.loads(left.stdout)


def test_what_is_refused_says_why(watchword: Run, account: str) -> None:
    """A second template of the same id, and one that is not there."""
    create(watchword, account)
    ids = ("--template-id", "1107", "--entity-id", "1101", "--text", TEXT)
    again = watchword("dlt-templates", "create", "--account", account, *ids)
    unknown = watchword("dlt-templates", "remove", "dlt_1")

    assert 1 == again.exit_code
    assert "already" in again.stderr
    assert 1 == unknown.exit_code
    assert "`watchword dlt-templates list`" in unknown.stderr
    assert "No DLT template has this id" in unknown.stderr
