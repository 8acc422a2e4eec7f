"""Any valid template, created, approved and fetched over HTTP, comes back as it was given."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given, settings

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.message_templates.creating_rcs import created, fetched, file, review
from tests.rcs_templates import Submission, submissions
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings

CATEGORIES = {
    "text_message": "Text Message",
    "text_message_with_media": "Text Message With Media",
    "rich_card": "Rich Card",
    "carousel": "Carousel",
}
FILES_BY_URL = {
    "mediaUrl": ("fileName", "documentFileName"),
    "thumbnailUrl": ("thumbnailFileName",),
    "documentUrl": ("documentFileName",),
}


@frozen
class House:
    """A service that all examples share, and the loop that it runs on."""

    runner: asyncio.Runner
    caller: Caller
    _numbers: Iterator[int] = field(factory=count)

    def unused_name(self) -> str:
        """Return a name that no example had."""
        return f"t_{next(self._numbers)}"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Serve a sandbox on SQLite for the whole module."""
    folder = tmp_path_factory.mktemp("teas")
    settings = Settings(sandbox=True, store=f"sqlite:///{folder / 'store.db'}", data_dir=folder)
    with asyncio.Runner() as runner:
        opened = wired(settings, run_due=False)
        service = runner.run(opened.__aenter__())
        serving = listening(service)
        caller = runner.run(serving.__aenter__())
        yield House(runner, caller)
        runner.run(serving.__aexit__(None, None, None))
        runner.run(opened.__aexit__(None, None, None))


def without_hosted(given: Any, shown: Any) -> Any:
    """Remove the addresses of hosted files that had no URL."""
    if isinstance(shown, list):
        return [without_hosted(*each) for each in zip(given, shown, strict=True)]
    if not isinstance(shown, dict):
        return shown
    kept = {}
    for name, value in shown.items():
        if name in FILES_BY_URL and name not in given:
            assert "/media/med_" in value
            assert any(given.get(each) for each in FILES_BY_URL[name])
        else:
            kept[name] = without_hosted(given.get(name), value)
    return kept


@settings(max_examples=40)
@given(submission=submissions)
def test_a_template_comes_back_unchanged(house: House, submission: Submission) -> None:
    """All four types do; a fetch adds the members of SPEC 2.4 and C-55."""
    data = {**submission.data, "name": house.unused_name()}

    async def round_trip() -> dict[str, Any]:
        files = [file(each.name) for each in submission.files]
        await created(house.caller, data, *files)
        if data.get("templateState") == "Create":
            assert 200 == (await review(house.caller, "submit", data["name"])).status
        assert 200 == (await review(house.caller, "approve", data["name"])).status
        (found,) = await fetched(house.caller, templateName=data["name"], status="approved")
        return found

    record = house.runner.run(round_trip())
    added = {
        "templateState": "Submit",
        "status": "Approved",
        "category": CATEGORIES[data["type"]],
        "messageType": "Promotional",
        "senderProfile": "TeaHouse",
        "created_on": record["created_on"],
        "updated_on": record["updated_on"],
    }

    assert {**data, **added} == without_hosted(data, record)
