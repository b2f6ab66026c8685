"""SLEUTH: a long PDF read page by page, from retrieval to a citation table."""
