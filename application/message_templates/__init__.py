"""Use cases of RCS and WhatsApp templates: created, reviewed, fetched."""
