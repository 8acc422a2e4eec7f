"""
The clients of the HTTP interface, which `watchword.client` offers (C-88).

Nothing here imports another part of Watchword, so that the folder could be a distribution of its own.
"""
