"""A TypeScript file that uses every operation and every list; `tsc` reports the missing ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def uses(document: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each operation and each list."""
    yield 'import type { components, operations } from "./interface.js";'
    for item in document["paths"].values():
        for operation in item.values():
            name = operation["operationId"]
            yield f'export type Of_{name} = operations["{name}"]["responses"];'
    for name, schema in document["components"]["schemas"].items():
        for member, described in schema.get("properties", {}).items():
            if described.get("type") in ("array", ["array", "null"]):
                held = f'components["schemas"]["{name}"]["{member}"]'
                yield f"export type In_{name}_{member} = NonNullable<{held}>[number];"
