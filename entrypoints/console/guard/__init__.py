"""The guard's pages: the rules of a policy as forms, and a replay as figures (D-518)."""
