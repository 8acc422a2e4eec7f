"""The ports: what Watchword needs from the world, one role per file. The plugin manual."""
