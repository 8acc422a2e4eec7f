"""What stands between aiohttp and hostile clients: connections, their deadlines, the way to a route."""
