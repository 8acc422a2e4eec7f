"""The errors of calls: refusals by their documented codes, and calls without a readable answer."""
