"""Measures the whole on lab photos: accuracy, speed, and the readers against each other."""
