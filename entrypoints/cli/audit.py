"""`watchword audit`."""

import click


@click.group()
def audit() -> None:
    """Replay what happened."""
