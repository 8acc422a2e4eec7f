"""A whole service sends codes by the provider `http` (C-63, C-68)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import watchword
from watchword.adapters.channels.http import config as configs
from watchword.testing import FaultyHttp, HttpAnswer, HttpRequest

DESTINATION = "+447911123456"


def config_of(theirs: FaultyHttp, **more: Any) -> Mapping[str, Any]:
    """Return a config for a counterpart."""
    return {
        "method": "POST",
        "url": f"{theirs.url}/messages",
        "body": {"to": "{{destination}}", "text": "{{text}}", "ref": "{{reference}}"},
        "accepted": {"idPath": "id"},
        "rejected": {"codePath": "code", "messagePath": "words"},
        **more,
    }


def answering(request: HttpRequest) -> HttpAnswer:
    """Accept a message, under an id of its own."""
    return HttpAnswer.json({"id": f"their-{request.json()['ref']}"})


def quoting(request: HttpRequest) -> HttpAnswer:
    """Refuse a message, and quote it, as some providers do."""
    return HttpAnswer.json({"code": "E9", "words": f"Refused: {request.json()['text']}"}, 400)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list of the configs that are read."""
    found: list[object] = []
    real: Callable[..., configs.HttpConfig] = configs.read_config

    def counted(config: Mapping[str, Any]) -> configs.HttpConfig:
        found.append(config)
        return real(config)

    monkeypatch.setattr(configs, "read_config", counted)
    return found


@pytest.mark.parametrize("auth", [{}, {"auth": {"bearer": "t0ken"}}], ids=["clear", "sealed"])
@pytest.mark.parametrize("store", ["memory://", "sqlite:///{folder}/watchword.db"])
async def test_codes_go_out_over_one_connection(
    store: str, auth: Mapping[str, Any], tmp_path: Path, read: list[object]
) -> None:
    """At most the first send reads the config, and the code in the request verifies the PIN."""
    async with (
        FaultyHttp(answering) as theirs,
        watchword.open(store.format(folder=tmp_path)) as service,
    ):
        shop = await service.accounts.create("shop")
        made = await service.channel_accounts.create(
            shop, "sms", "http", "web", config=config_of(theirs, **auth)
        )
        text = [{"channel_type": "sms", "content_text": "{{pin}} signs you in."}]
        template = await service.pin_templates.create(shop, "login", text)
        read.clear()
        for number in range(5):
            issued = await service.pins.issue(shop, template, f"{DESTINATION[:-1]}{number}")
            code = "".join(re.findall(r"\d", theirs.requests[-1].json()["text"]))
            verified = await service.pins.verify(shop, issued.pin_id, code)
            assert "VERIFIED" == verified.status

    assert "t0ken" not in f"{made.config}"
    assert (5, 1) == (len(theirs.requests), theirs.connections)
    assert len(read) <= 1


async def test_a_refusal_that_quotes_the_code_shows_none() -> None:
    """Its code keeps the provider's number."""
    async with FaultyHttp(quoting) as theirs, watchword.open("memory://") as service:
        shop = await service.accounts.create("shop")
        await service.channel_accounts.create(shop, "sms", "http", "web", config=config_of(theirs))
        text = [{"channel_type": "sms", "content_text": "{{pin}} signs you in."}]
        template = await service.pin_templates.create(shop, "login", text)
        with pytest.raises(watchword.DomainError) as refusal:
            await service.pins.issue(shop, template, DESTINATION)

        code = "".join(re.findall(r"\d", theirs.requests[-1].json()["text"]))
        assert "http_e9" in f"{refusal.value.details}"
        assert code not in f"{refusal.value.details}{refusal.value}"
