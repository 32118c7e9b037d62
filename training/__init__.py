"""Makes cells, trains, exports and evaluates the reading network; never imported by the package."""
