"""Who calls, and what operators set up for them."""
