"""sheetscan: prints score sheets, reads the filled ones from photos, audits and scores them."""

__version__ = "0.1.0"
