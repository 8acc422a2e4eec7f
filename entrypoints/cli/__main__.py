"""`watchword`: finds the command by its name, and imports it when it is called."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

import click

from ..collector import collect_while_starting
from .building.groups import SUMMARIES


class Commands(click.Group):
    """A group that lists its commands in its help without importing them."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, and import it."""
        collect_while_starting()
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            near = get_close_matches(args[0], self.commands, 1)
            if near:
                ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and _imported(str(name)), rest


def _imported(name: str) -> click.Command:
    module = name.replace("-", "_")
    command: click.Command = getattr(import_module(f".commands.{module}", __package__), module)
    return command


@click.group(
    cls=Commands,
    commands=[click.Command(name, short_help=words) for name, words in SUMMARIES.items()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="watchword")
def main() -> None:
    """PINs over SMS, WhatsApp and e-mail, messages that fall back, and every step on record."""


if __name__ == "__main__":
    main()
