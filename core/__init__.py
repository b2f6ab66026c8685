"""The W-Lens library: everything but the page."""
