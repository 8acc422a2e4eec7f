"""The commands of `watchword templates` that concern texts and their languages."""
