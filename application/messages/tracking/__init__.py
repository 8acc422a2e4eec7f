"""Record later reports of providers: receipts and inbound messages."""
