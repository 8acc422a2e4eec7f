"""The content of agent messages: our templates in the shape of RCS Business Messaging (C-63)."""
