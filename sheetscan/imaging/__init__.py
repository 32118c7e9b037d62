"""From a photo to the flattened pictures of its fields; knows no rules."""
