"""The names of all commands, their groups, and the parts of their help."""

from __future__ import annotations

import click

# Each command, and the first sentence of its help: `watchword --help` shows it without an import.
SUMMARIES = {
    "accounts": "Make and list accounts, suspend and resume them.",
    "audit": "Look at what happened, beside a running service too.",
    "callbacks": "Make, list and remove callback endpoints, and look at their deliveries.",
    "channel-accounts": "Make, list, change and test channel accounts, and list the providers.",
    "dlt-templates": "Register, list and remove DLT templates, which auto-match fills in ids from.",
    "fallback-configurations": "Make and list fallback configurations.",
    "guard": "Show and set what an account refuses to send, and look at what it refused.",
    "keys": "Make, list and revoke API keys.",
    "legacy-users": "Create, list and remove users of the legacy platform, and revoke their tokens.",
    "media": "List hosted media, and remove them.",
    "messages": "Look at what became of messages.",
    "people": "Erase people on request, and show what is stored of them.",
    "pins": "Look at what became of PINs.",
    "rcs": "Check RCS templates, list them, and decide on them.",
    "rebuild": "Make lists follow from the log again, beside service.",
    "restored": "Make a store that was restored from a backup safe to start on.",
    "serve": "Serve the HTTP endpoint.",
    "short-links": "Disable short links, and enable them again.",
    "stats": "Show what became of codes, as a table with bars.",
    "templates": "Make, list and change PIN templates.",
    "test-destinations": "Give destinations fixed codes for tests, list and remove them.",
    "tokens": "Make, list and revoke operators' tokens, each with a role.",
    "whatsapp": "Check WhatsApp templates, list them, and decide on them.",
    "worker": "Do what falls due, without the HTTP endpoint.",
}


def group(name: str, *commands: click.Command) -> click.Group:
    """Make a group of commands."""
    return click.Group(name, help=SUMMARIES[name], commands=commands)


def epilog(*examples: str) -> str:
    """Return the end of a command's help: its examples."""
    return "\n".join(("\b\nExamples:", *(f"  {each}" for each in examples)))
