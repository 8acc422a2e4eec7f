"""What callers of the messaging endpoints give, over HTTP and from embedders, as typed requests."""
