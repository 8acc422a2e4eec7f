"""The legacy WhatsApp platform's words (SPEC 4 E), and what they mean in the service's own."""
