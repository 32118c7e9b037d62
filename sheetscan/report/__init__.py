"""Tells people: terminal, JSON, CSV, pictures."""
