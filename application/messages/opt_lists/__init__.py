"""Who an account may write to: the opt-in and opt-out lists, and the consents that planning asks for."""
