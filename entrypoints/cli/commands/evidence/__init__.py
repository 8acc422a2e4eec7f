"""The commands of `watchword audit` that hand over evidence, and check it."""
