"""From sentences to a fingerprint."""
