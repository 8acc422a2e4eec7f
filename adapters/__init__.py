"""Adapters: each module implements a port with one technology."""
