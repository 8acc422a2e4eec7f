"""Calls of Meta: challenges, statuses, messages, and decisions on templates (C-34, C-70)."""
