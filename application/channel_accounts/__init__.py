"""Channel accounts: contracts with providers, their settings, secrets and health (C-35, C-63, C-66)."""
