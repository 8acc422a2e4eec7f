"""The HTTP client of channel providers: one keep-alive client per channel account (C-99)."""
