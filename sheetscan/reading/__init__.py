"""From the pictures of fields to readings with probabilities."""
