"""The PIN service: issue, resend, verify and search PINs, and manage their templates."""
