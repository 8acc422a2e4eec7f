"""Send messages through their providers, and record the outcomes."""
