"""The photo lab: fills sheets with handwriting and photographs them, with the truth known."""
