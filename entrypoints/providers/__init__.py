"""The channel providers of a service: its own, an embedder's, and plugins (C-52, C-63, C-72)."""
