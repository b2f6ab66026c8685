"""Measured ratios and qualities, each beside what it should reach: ``make bench``."""
