"""The PIN service: issue, resend, verify, search, and the templates that PINs are sent under."""
