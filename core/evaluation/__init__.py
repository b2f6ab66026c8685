"""Question sets in, scored runs out: reading, running, scoring, analyses, labels."""
