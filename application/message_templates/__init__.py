"""Use cases of RCS and WhatsApp templates: create, review, fetch."""
