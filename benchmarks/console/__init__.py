"""The console: how long its pages take on a long store, and what it costs where nobody looks."""
