"""The client for asyncio, from which `make client` generates the blocking one (D-531)."""
