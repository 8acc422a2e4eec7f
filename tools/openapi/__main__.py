"""`make openapi`: assemble the OpenAPI document, and write it where the service reads it."""

from __future__ import annotations

from tools.openapi import assemble
from watchword.entrypoints.http.openapi_document import OPENAPI

if __name__ == "__main__":
    OPENAPI.write_text(assemble())
