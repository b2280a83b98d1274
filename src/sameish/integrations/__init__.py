"""Doors into crawlers and HTTP clients, each an extra of its own."""
