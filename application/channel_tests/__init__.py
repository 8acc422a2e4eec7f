"""Tests of channel accounts: one message, through one channel account, step by step (C-67)."""
