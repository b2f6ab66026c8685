"""Models behind small interfaces; the only room that imports transformers."""
