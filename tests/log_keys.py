"""A key that signs logs, for services on PostgreSQL, which make none themselves (C-105)."""

from __future__ import annotations

# Published in the documentation of golang.org/x/mod/sumdb/note.
LOG_KEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
LOG_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
LOG_NAME = "PeterNeumann"
