"""`watchword guard`: what an account refuses to send, or only puts on the record."""

from __future__ import annotations

from pathlib import Path

import click

from ..building.groups import epilog, group
from ..building.record_commands import account_option
from ..options.policy_files import policy_in
from ..options.target_options import managing
from ..output.guard_policy import echo_guard_policy
from ..service.target import Target
from .guard_replay import replay
from .guard_subjects import refused, release


@click.command(
    epilog=epilog(
        "watchword guard show --account web-shop",
        "watchword guard show --account web-shop --json > policy.json",
        "watchword guard show --account demo --url http://127.0.0.1:8080",
    ),
)
@account_option("whose policy it is")
@managing
def show(target: Target, account: str, as_json: bool) -> None:
    """Show what an account refuses to send, rule by rule."""
    policy = target.ask(lambda management: management.guard_policy(account), to_read=True)
    echo_guard_policy(policy, as_json=as_json)


@click.command(
    "set",
    short_help="Replace the policy of an account.",
    epilog=epilog(
        "watchword guard set policy.toml --account web-shop",
        "watchword guard set policy.json --account web-shop --url http://127.0.0.1:8080",
        """echo '{"guesses": {"mode": "enforce"}}' | watchword guard set - --account demo""",
    ),
)
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False, path_type=Path))
@account_option("whose policy it is")
@managing
def set_(target: Target, file: Path, account: str, as_json: bool) -> None:
    """
    Replace the policy of an account by the one in FILE, and show it.

    FILE has JSON or TOML, - stands for the standard input. What it leaves out has its default. A rule is
    off, only says what it would refuse (record), or refuses it (enforce). TOML has no null, so a policy
    without a pass for verified destinations is written in JSON.
    """
    wanted = policy_in(file)
    policy = target.ask(lambda management: management.guard_policy(account, wanted))
    echo_guard_policy(policy, as_json=as_json)


guard = group("guard", show, set_, refused, release, replay)
