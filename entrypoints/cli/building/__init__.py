"""Builds commands that are alike from data."""
