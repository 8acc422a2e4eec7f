"""Packages with a plugin, as pip would install them."""

from __future__ import annotations

from pathlib import Path

PIGEON = """
from watchword import Accepted, ChannelProvider


class Pigeon(ChannelProvider):
    async def send(self, config, message):
        return Accepted(f"pigeon-{message.reference}")
"""


def installed(folder: Path, package: str, source: str = PIGEON, **plugins: str) -> Path:
    """
    Install a package of one module into a folder, with its plugins by name; return the folder.

    A plugin's value is an attribute of the module.
    """
    module = package.replace("-", "_")
    (folder / f"{module}.py").write_text(source)
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    points = [f"{name} = {module}:{attribute}" for name, attribute in plugins.items()]
    (info / "entry_points.txt").write_text("\n".join(["[watchword.channels]", *points, ""]))
    return folder
