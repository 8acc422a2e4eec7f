"""A service on PostgreSQL from the command line, and the message without its driver."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.entrypoints.cli.processes import environment, run, served
from watchword.entrypoints.demo.seeding import TEMPLATE_ID

KEY = {"WATCHWORD_CODE_KEY": "1:" + "a" * 44}
WITHOUT_DRIVER = """
import sys
sys.modules["psycopg"] = None
import asyncio, watchword

async def main(store):
    async with watchword.open(store, code_key=sys.argv[2]):
        print("opened")

try:
    asyncio.run(main(sys.argv[1]))
except Exception as error:
    print(error)
"""


def test_serve_and_audit(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Two services on one database are one; commands look into it beside them."""
    folder = tmp_path_factory.mktemp("data")
    store = ("--store", postgres_url)
    body = {"destination": "+919812345610", "templateId": TEMPLATE_ID}
    with (
        served(folder, "--sandbox", *store, **KEY) as one,
        served(folder, "--sandbox", *store, **KEY) as two,
    ):
        status, issued = one.ask("POST", "/v1/pins", body)
        told = two.ask("POST", f"/v1/pins/{issued['pinId']}/verify", {"pin": "wrong"})
        replay = run("audit", "replay", issued["pinId"], *store)
        # The mark of another test's database of this name may lie in the folder of the tests.
        check = run("audit", "check", *store, "--data-dir", str(folder))
        listed = run("pins", "list", *store, "--data-dir", str(folder / "elsewhere"), "--json")

    assert (201, 422) == (status, told[0])
    assert ["PinIssued", "PinDispatched", "VerifyFailed"] == [
        word for word in replay.stdout.split() if word.startswith(("Pin", "Verify"))
    ]
    assert 0 == check.returncode, check.stderr
    # No key is given, none is needed, and none is made (D-152).
    assert issued["pinId"] in listed.stdout, listed.stderr
    assert not (folder / "elsewhere").exists()
    assert not (folder / "code.key").exists()


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("memory://", "opened"),
        (
            "postgresql://pin@127.0.0.1:1/pins",
            "PostgreSQL needs its driver. Install it with: pip install 'watchword[postgres]'",
        ),
    ],
)
def test_without_the_driver(store: str, said: str) -> None:
    """Without PostgreSQL no driver is needed; with it, the error names what to install."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_DRIVER, store, KEY["WATCHWORD_CODE_KEY"]],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert f"{said}\n" == ran.stdout
