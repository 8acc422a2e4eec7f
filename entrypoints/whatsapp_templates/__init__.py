"""WhatsApp templates as they come and go, for HTTP, embedders and the command line alike."""
