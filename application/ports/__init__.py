"""The ports: the interfaces to the outside, one role per file. This is the plugin manual."""
