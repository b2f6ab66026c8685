"""A request in, events out."""
