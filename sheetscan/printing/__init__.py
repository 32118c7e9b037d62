"""Draws sheets as vector PDF; the only place that knows reportlab."""
