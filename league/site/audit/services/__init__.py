"""Changes of audits, and what they find."""
