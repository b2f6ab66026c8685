"""Damaged files by the hundred: ``python -m tests.fuzz`` prints what became of them and writes build/fuzz.json."""
