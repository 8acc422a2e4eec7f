"""`watchword`: the commands, gathered."""

from __future__ import annotations

import click

from .accounts import accounts
from .audit import audit
from .callbacks import callbacks
from .channel_accounts import channel_accounts
from .dlt_templates import dlt_templates
from .fallback_configurations import fallback_configurations
from .keys import keys
from .messages import messages
from .rcs import rcs
from .restored import restored
from .serve import serve
from .templates import templates
from .worker import worker


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="watchword")
def main() -> None:
    """PINs over SMS, WhatsApp and e-mail, messages that fall back, and every step on record."""


main.add_command(serve)
main.add_command(worker)
main.add_command(accounts)
main.add_command(keys)
main.add_command(channel_accounts)
main.add_command(fallback_configurations)
main.add_command(callbacks)
main.add_command(dlt_templates)
main.add_command(templates)
main.add_command(messages)
main.add_command(rcs)
main.add_command(audit)
main.add_command(restored)

if __name__ == "__main__":
    main()
