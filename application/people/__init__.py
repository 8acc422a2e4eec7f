"""People: an account's recipients and senders, found without their numbers, and erased on request."""
