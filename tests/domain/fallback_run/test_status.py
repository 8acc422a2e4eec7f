"""The fields of a run in a status or history entry: C-51."""

import pytest

from tests.domain.fallback_run.story import FIRST, PLACES, PRIMARY
from tests.specs import state_after
from watchword.domain.channel import Channel

A, F, D, R = "armed", "fired", "stood_down", "rejected"


@pytest.mark.parametrize(
    ("place", "status", "steps"),
    [
        ("waiting", A, [A, A]),
        ("triggered by deadline", A, [A, A]),
        ("triggered by failure", A, [A, A]),
        ("ended", A, [A, A]),
        ("fired", F, [F, A]),
        ("waiting again", F, ["accepted", A]),
        ("triggered again", F, [R, A]),
        ("stood down", D, [D, D]),
        ("rejected", R, [R, D]),
        ("fired for good", F, ["accepted"]),
    ],
)
def test_a_run_says_where_it_stands(place: str, status: str, steps: list[str]) -> None:
    """`armed` (triggered too), `fired`, `stood_down` or `rejected`, and a word for each step."""
    run = state_after(*PLACES[place])

    assert status == run.status
    assert steps == [step.status for step in run.steps]


def test_a_step_says_its_channel_and_its_message() -> None:
    """`steps: [{channel, messageId?, status, errorCode?}]`."""
    run = state_after(*PLACES["triggered again"])

    assert [(Channel.SMS, FIRST, "no_such_table"), (Channel.RCS, None, None)] == [
        (step.channel, step.message_id, step.error_code) for step in run.steps
    ]


def test_the_newest_attempt_is_the_live_one() -> None:
    """The primary until a step is fired."""
    assert PRIMARY == state_after(*PLACES["ended"]).live_message_id
    assert FIRST == state_after(*PLACES["fired"]).live_message_id
