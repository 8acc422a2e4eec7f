"""Hosted media: receive and store files, record them in the log, and open them by id (C-25)."""
