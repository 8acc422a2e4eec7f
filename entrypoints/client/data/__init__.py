"""Requests and answers as typed values, by subject."""
