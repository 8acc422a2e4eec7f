"""Translates the legacy WhatsApp platform's bodies (SPEC 4 E) to the service's own and back."""
