"""What Google posts: the check of a webhook, events, and messages from people (C-34, C-70)."""
