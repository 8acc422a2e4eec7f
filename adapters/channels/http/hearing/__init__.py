"""Posts of providers: their signatures, and the receipts and messages in them (C-63, C-70)."""
