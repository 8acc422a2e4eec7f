"""What providers report later: receipts, and messages that come in."""
