"""The numbers of retention's due rows: what of a pruning is not finished, and a content that goes later."""

# A pruning's first event takes sealed lines, its second one streams.
SEALED, STREAMS = 1, 2
CONTENT = 3
