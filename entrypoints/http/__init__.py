"""The HTTP contract on aiohttp; the only place that knows wire spellings and status codes."""
