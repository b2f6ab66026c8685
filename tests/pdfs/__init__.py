"""PDFs made by script: the examples that ship, and a set with known evidence for the bench."""
