"""The bodies of message templates: reads and writes them for HTTP, embedders and the command line."""
