"""Short links: follow, disable and enable them (C-29). Sends create them."""
