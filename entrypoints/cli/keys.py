"""`watchword keys`."""

import click


@click.group()
def keys() -> None:
    """Make, list and revoke API keys."""
