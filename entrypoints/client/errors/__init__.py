"""What a call may raise: refusals by their documented codes, and calls without a readable answer."""
