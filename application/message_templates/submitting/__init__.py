"""Submit WhatsApp templates to the provider that reviews them, and look up its decisions (C-99)."""
