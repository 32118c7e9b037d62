"""Makes cells, trains the network and exports it; never imported by the package."""
